// Loops over structures as loops over their elements.
//
// Problem. A loop over points that does the same to each of their s components, as
//
//     for (i = 0; i < n; i++) { v[i].x += dt * f[i].x; v[i].y += dt * f[i].y; .. }
//     for (i = 0; i < n; i++) for (m = 0; m < 5; m++) r[i][m] = u[i-1][m] + u[i+1][m];
//
// (the inner loop has been unrolled) goes through memory element by element. LLVM's
// vectors of it have the points as lanes: each is loaded in pieces and shuffled, and back;
// that is slow, and is not done at all for many s, with SSE2 for most. Here it becomes
// what it is, a loop over s * n elements, whose vectors need no shuffles.
//
// Definitions. The loop is one block without values that it hands on. The stores are
// *groups* of s: their addresses move by s elements each iteration and are neighbours. A
// *tuple* has one value for each component.
//
// 1. From the values that a group stores, tuples are matched against each other: the same
//    value from before the loop; or loads from s neighbours; or the same operation with
//    the same flags, whose operands match. All stores belong to groups.
// 2. The new loop executes the accesses of an iteration component by component. Two of
//    them of which one writes, and which are executed in another order then, must not
//    touch the same element (alias analysis).
// 3. LLVM must be able to make vectors of the loop (hasVectors): iterations do not depend
//    on each other, or that can be tested when the program runs.
// 4. Element e of the new loop executes the first component's instructions with addresses
//    that begin where they began, and move by one element. There are s times as many
//    iterations: addresses do not wrap around, so that is a number of 64 bits.
//
// Each value is computed from the same operands by the same operations as before, and the
// same elements are accessed.
//
// Reference: rerolling as in LLVM's former LoopReroll, which went by the counter.

#include "expand.h"
#include "narrow.h"
#include "shim.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace {

/// Most components of a point.
constexpr unsigned MaxElements = 8;
/// Most instructions of such a loop, accesses of an iteration, and steps from a store
/// to what it is computed from.
constexpr size_t MaxElementLoop = 400;
constexpr size_t MaxElementAccesses = 96;
constexpr unsigned MaxElementDepth = 32;

/// A property of loops that run over elements: what else they ask for, the source has not
/// said.
constexpr const char *OverElements = "poly.elements";

/// A value for each component.
using ElementTuple = SmallVector<Value *, 8>;

/// A loop whose iterations do the same to each component.
class ElementLoop {
public:
  ElementLoop(PolyContext &C, Loop &L) : C(C), SE(C.scev()), L(L), Header(*L.getHeader()) {}

  /// How many components there are; 0 if it is no such loop.
  unsigned find();
  void rewrite();

private:
  /// An access of an iteration, for one component.
  struct Access {
    Instruction *I;
    unsigned Component, Place;
  };

  bool hasForm() const;
  const SCEVAddRecExpr *addressOf(Instruction &I) const;
  std::optional<int64_t> bytesBetween(Instruction &A, Instruction &B) const;
  bool findGroup(StoreInst &Store, ArrayRef<StoreInst *> Stores);
  bool areNeighbours(const ElementTuple &Accesses) const;
  bool match(const ElementTuple &Values, unsigned Depth);
  bool matchInstructions(const ElementTuple &Values, unsigned Depth);
  bool keepsOrder() const;
  bool isExpandable(SCEVExpander &Expand) const;
  void cloneInto(BasicBlock &New, Value *Element, const DenseMap<Instruction *, Value *> &Starts);

  PolyContext &C;
  ScalarEvolution &SE;
  Loop &L;
  BasicBlock &Header;
  unsigned Components = 0;
  /// The tuples that begin with an instruction.
  MapVector<Instruction *, ElementTuple> Tuples;
};

/// One block, counted, of whose values nothing is used behind it.
bool ElementLoop::hasForm() const {
  BasicBlock *Exit = L.getExitBlock();
  bool IsAsked = hasVectorizeTransformation(&L) != TM_Unspecified ||
                 hasUnrollTransformation(&L) != TM_Unspecified;
  if (IsAsked || !L.isInnermost() || L.getNumBlocks() != 1 || !L.isLoopSimplifyForm() || !Exit ||
      Header.size() > MaxElementLoop || C.function().hasFnAttribute(Attribute::StrictFP) ||
      isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)))
    return false;
  for (Instruction &I : Header) {
    for (User *U : I.users())
      if (cast<Instruction>(U)->getParent() != &Header)
        return false;
    if (!isa<StoreInst>(I) && !isa<DbgInfoIntrinsic>(I) && I.mayHaveSideEffects())
      return false;
  }
  return true;
}

/// How the address of an access moves in the loop; null if it does so in another way.
const SCEVAddRecExpr *ElementLoop::addressOf(Instruction &I) const {
  auto *Moves = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(getLoadStorePointerOperand(&I)));
  bool IsKnown = Moves && Moves->getLoop() == &L && Moves->isAffine() && Moves->hasNoSelfWrap();
  return IsKnown ? Moves : nullptr;
}

/// The distance of two addresses in an iteration.
std::optional<int64_t> ElementLoop::bytesBetween(Instruction &A, Instruction &B) const {
  auto *First = addressOf(A), *Second = addressOf(B);
  if (!First || !Second || First->getStepRecurrence(SE) != Second->getStepRecurrence(SE) ||
      First->getType() != Second->getType())
    return std::nullopt;
  auto *Distance = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Second->getStart(), First->getStart()));
  if (!Distance || Distance->getAPInt().getSignificantBits() > 32)
    return std::nullopt;
  return Distance->getAPInt().getSExtValue();
}

/// Whether loads or stores are of neighbours, one for each component, and move by as many
/// elements as there are.
bool ElementLoop::areNeighbours(const ElementTuple &Accesses) const {
  auto &First = *cast<Instruction>(Accesses[0]);
  Type *Element = getLoadStoreType(&First);
  const DataLayout &Layout = C.dataLayout();
  int64_t Bytes = Layout.getTypeAllocSize(Element);
  if (!Element->isSingleValueType() || Element->isVectorTy() ||
      Layout.getTypeStoreSize(Element) != uint64_t(Bytes))
    return false;
  const SCEVAddRecExpr *Address = addressOf(First);
  auto *Step = Address ? dyn_cast<SCEVConstant>(Address->getStepRecurrence(SE)) : nullptr;
  if (!Step || Step->getAPInt() != uint64_t(Bytes) * Accesses.size())
    return false;
  return all_of(enumerate(Accesses), [&](auto At) {
    auto &I = *cast<Instruction>(At.value());
    bool IsSimple = isa<LoadInst>(I) ? cast<LoadInst>(I).isSimple() : cast<StoreInst>(I).isSimple();
    auto Between = bytesBetween(First, I);
    return IsSimple && getLoadStoreType(&I) == Element && Between == int64_t(At.index()) * Bytes;
  });
}

/// Adds the stores that are one for each component with this one, and what they store.
bool ElementLoop::findGroup(StoreInst &Store, ArrayRef<StoreInst *> Stores) {
  int64_t Bytes = C.dataLayout().getTypeAllocSize(Store.getValueOperand()->getType());
  auto *Address = addressOf(Store);
  auto *Step = Address ? dyn_cast<SCEVConstant>(Address->getStepRecurrence(SE)) : nullptr;
  if (!Step || Step->getAPInt().getSignificantBits() > 32 || Step->getAPInt().isNegative())
    return false;
  int64_t Moved = Step->getAPInt().getSExtValue();
  SmallVector<std::pair<int64_t, StoreInst *>, 8> Near;
  for (StoreInst *Other : Stores) {
    auto Between = bytesBetween(Store, *Other);
    if (Between && std::abs(*Between) < Moved)
      Near.push_back({*Between, Other});
  }
  if (Near.size() < 2 || Near.size() > MaxElements || Moved != Bytes * int64_t(Near.size()) ||
      (Components != 0 && Components != Near.size()))
    return false;
  Components = Near.size();
  sort(Near, [](auto &A, auto &B) { return A.first < B.first; });
  ElementTuple Accesses, Stored;
  for (auto [Between, Other] : Near) {
    Accesses.push_back(Other);
    Stored.push_back(Other->getValueOperand());
  }
  if (!areNeighbours(Accesses))
    return false;
  Tuples[Near[0].second] = Accesses;
  return match(Stored, 0);
}

bool ElementLoop::match(const ElementTuple &Values, unsigned Depth) {
  if (all_equal(Values))
    return L.isLoopInvariant(Values[0]);
  bool AreHere = all_of(Values, [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return I && L.contains(I);
  });
  if (!AreHere || Depth == MaxElementDepth)
    return false;
  auto Found = Tuples.find(cast<Instruction>(Values[0]));
  if (Found != Tuples.end())
    return Found->second == Values;
  if (!matchInstructions(Values, Depth))
    return false;
  Tuples[cast<Instruction>(Values[0])] = Values;
  return true;
}

bool ElementLoop::matchInstructions(const ElementTuple &Values, unsigned Depth) {
  auto &First = *cast<Instruction>(Values[0]);
  for (Value *V : Values) {
    auto &I = *cast<Instruction>(V);
    if (!First.isSameOperationAs(&I, Instruction::CompareIgnoringAlignment) ||
        !First.hasSameSubclassOptionalData(&I))
      return false;
  }
  if (isa<LoadInst>(First))
    return areNeighbours(Values);
  auto *Known = dyn_cast<IntrinsicInst>(&First);
  bool IsUnknown = isa<CallBase>(First) &&
                   !(Known && isTriviallyVectorizable(Known->getIntrinsicID()));
  if (isa<PHINode>(First) || First.mayReadOrWriteMemory() || IsUnknown)
    return false;
  for (unsigned At = 0; At < First.getNumOperands(); ++At) {
    ElementTuple Operands;
    for (Value *V : Values)
      Operands.push_back(cast<Instruction>(V)->getOperand(At));
    if (!match(Operands, Depth + 1))
      return false;
  }
  return true;
}

/// Whether accesses to what may be the same element stay in their order.
bool ElementLoop::keepsOrder() const {
  DenseMap<Instruction *, unsigned> Places;
  for (auto [Place, I] : enumerate(Header))
    Places[&I] = Place;
  SmallVector<Access, 32> All;
  for (auto &[First, Tuple] : Tuples)
    if (isa<LoadInst>(First) || isa<StoreInst>(First))
      for (auto [Component, V] : enumerate(Tuple)) {
        auto *I = cast<Instruction>(V);
        All.push_back({I, unsigned(Component), Places[I]});
      }
  if (All.size() > MaxElementAccesses)
    return false;
  for (const Access &A : All)
    for (const Access &B : All) {
      bool Writes = isa<StoreInst>(A.I) || isa<StoreInst>(B.I);
      if (Writes && A.Place < B.Place && A.Component > B.Component &&
          !C.alias().isNoAlias(MemoryLocation::get(A.I), MemoryLocation::get(B.I)))
        return false;
    }
  return true;
}

unsigned ElementLoop::find() {
  if (!hasForm() || C.dataLayout().getIndexSizeInBits(0) != 64)
    return 0;
  SmallVector<StoreInst *, 8> Stores;
  for (Instruction &I : Header)
    if (auto *Store = dyn_cast<StoreInst>(&I))
      Stores.push_back(Store);
  SmallPtrSet<StoreInst *, 16> Done;
  for (StoreInst *Store : Stores) {
    if (Done.contains(Store))
      continue;
    if (Store->getPointerAddressSpace() != 0 || !findGroup(*Store, Stores))
      return 0;
    for (auto &[First, Tuple] : Tuples)
      if (isa<StoreInst>(First))
        for (Value *V : Tuple)
          Done.insert(cast<StoreInst>(V));
  }
  Expander Expand(C, "poly");
  bool IsFound = Components != 0 && keepsOrder() && isExpandable(Expand) &&
                 hasVectors(L, C, MaxElements);
  return IsFound ? Components : 0;
}

/// Whether everything that is needed in front of the loop can be computed there.
bool ElementLoop::isExpandable(SCEVExpander &Expand) const {
  Instruction *At = L.getLoopPreheader()->getTerminator();
  if (!Expand.isSafeToExpandAt(SE.getBackedgeTakenCount(&L), At))
    return false;
  return all_of(Tuples, [&](auto &Entry) {
    bool IsAccess = isa<LoadInst>(Entry.first) || isa<StoreInst>(Entry.first);
    return !IsAccess || Expand.isSafeToExpandAt(addressOf(*Entry.first)->getStart(), At);
  });
}

/// What is known of all accesses of a tuple.
void intersectAccess(Instruction &New, const ElementTuple &Tuple) {
  Align Least = getLoadStoreAlignment(cast<Instruction>(Tuple[0]));
  AAMDNodes Known = cast<Instruction>(Tuple[0])->getAAMetadata();
  for (Value *V : drop_begin(Tuple)) {
    Least = std::min(Least, getLoadStoreAlignment(cast<Instruction>(V)));
    Known = Known.merge(cast<Instruction>(V)->getAAMetadata());
  }
  New.setAAMetadata(Known);
  if (auto *Load = dyn_cast<LoadInst>(&New))
    Load->setAlignment(Least);
  else
    cast<StoreInst>(New).setAlignment(Least);
}

/// The instructions of an element.
void ElementLoop::cloneInto(BasicBlock &New, Value *Element,
                            const DenseMap<Instruction *, Value *> &Starts) {
  IRBuilder<> Builder(&New);
  DenseMap<Value *, Value *> Copies;
  for (Instruction &I : Header) {
    auto Found = Tuples.find(&I);
    if (Found == Tuples.end())
      continue;
    Instruction *Copy = I.clone();
    Copy->dropUnknownNonDebugMetadata();
    for (Use &U : Copy->operands())
      if (Value *Operand = Copies.lookup(U))
        U.set(Operand);
    if (Value *Start = Starts.lookup(&I)) {
      Value *Address = Builder.CreateInBoundsGEP(getLoadStoreType(&I), Start, Element);
      Copy->setOperand(isa<LoadInst>(I) ? LoadInst::getPointerOperandIndex()
                                        : StoreInst::getPointerOperandIndex(), Address);
      intersectAccess(*Copy, Found->second);
    }
    Builder.Insert(Copy);
    Copies[&I] = Copy;
  }
}

/// The properties of the new loop. Rows are short: of several vectors at a time, which LLVM
/// takes else, much would be left to be executed element by element.
MDNode *propertiesOfElements(Loop &L) {
  LLVMContext &Context = L.getHeader()->getContext();
  SmallVector<MDNode *, 3> Properties{MDNode::get(Context, MDString::get(Context, OverElements))};
  if (MDNode *Progress = findOptionMDForLoop(&L, "llvm.loop.mustprogress"))
    Properties.push_back(Progress);
  if (L.getParentLoop()) {
    auto *One = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(Context), 1));
    auto *Name = MDString::get(Context, "llvm.loop.interleave.count");
    Properties.push_back(MDNode::get(Context, {Name, One}));
  }
  return makePostTransformationMetadata(Context, nullptr, {}, Properties);
}

/// Puts the instructions of a loop of one block into another one, which stays in its place.
void moveInto(BasicBlock &Block, BasicBlock &New) {
  for (Instruction &I : Block) {
    I.dropDbgRecords();
    I.dropAllReferences();
  }
  while (!Block.empty())
    Block.back().eraseFromParent();
  Block.splice(Block.end(), &New);
  New.replaceAllUsesWith(&Block);
  Block.replacePhiUsesWith(&New, &Block);
  New.eraseFromParent();
}

void ElementLoop::rewrite() {
  BasicBlock *Before = L.getLoopPreheader(), *Exit = L.getExitBlock();
  Instruction *At = Before->getTerminator();
  Type *Long = Type::getInt64Ty(Header.getContext());
  Expander Expand(C, "poly");
  // The number of iterations before the last one has at most 64 bits; that of elements
  // does not wrap around.
  const SCEV *Points = SE.getAddExpr(SE.getTruncateOrZeroExtend(SE.getBackedgeTakenCount(&L), Long),
                                     SE.getOne(Long));
  const SCEV *Elements = SE.getMulExpr(Points, SE.getConstant(Long, Components));
  Value *End = Expand.expandCodeFor(Elements, Long, At->getIterator());
  DenseMap<Instruction *, Value *> Starts;
  for (auto &[First, Tuple] : Tuples)
    if (isa<LoadInst>(First) || isa<StoreInst>(First)) {
      const SCEV *Start = addressOf(*First)->getStart();
      Starts[First] = Expand.expandCodeFor(Start, Start->getType(), At->getIterator());
    }
  BasicBlock *New = BasicBlock::Create(Header.getContext(), "", &C.function(), &Header);
  IRBuilder<> Builder(New);
  PHINode *Element = Builder.CreatePHI(Long, 2, "poly.element");
  cloneInto(*New, Element, Starts);
  Builder.SetInsertPoint(New);
  Builder.SetCurrentDebugLocation(Header.getTerminator()->getDebugLoc());
  Value *Next = Builder.CreateNUWAdd(Element, ConstantInt::get(Long, 1));
  BranchInst *Latch = Builder.CreateCondBr(Builder.CreateICmpEQ(Next, End), Exit, New);
  Element->addIncoming(ConstantInt::get(Long, 0), Before);
  Element->addIncoming(Next, New);
  Latch->setMetadata(LLVMContext::MD_loop, propertiesOfElements(L));
  SE.forgetLoop(&L);
  moveInto(Header, *New);
}

} // namespace

extern "C" {

/// How many components the points have whose elements the loop with this header can run
/// over; 0 if it is no such loop.
unsigned poly_components(PolyContext *C, LLVMBasicBlockRef HeaderRef) {
  Loop *L = C->loops().getLoopFor(unwrap(HeaderRef));
  return L ? ElementLoop(*C, *L).find() : 0;
}

/// Lets it run over these. All analyses are dropped.
void poly_run_over_elements(PolyContext *C, LLVMBasicBlockRef HeaderRef) {
  Loop *L = C->loops().getLoopFor(unwrap(HeaderRef));
  ElementLoop Found(*C, *L);
  if (Found.find() != 0)
    Found.rewrite();
  C->reload();
}

} // extern "C"
