// Vectors of loops over interleaved data: lanes in another order.
//
// Problem. LLVM makes vectors of loops over points (x, y), complex numbers and other
// structures by loading s vectors of L elements at once and taking every s-th
// element for the lanes of one component, and the other way round for stores. The
// lanes of a component have the order of the points, for which elements cross whole
// registers: with AVX-512 two permutations of two vectors for each point (x, y), with
// AVX2 twice as many instructions. What a loop computes of each point by itself does
// not see in which order they are.
//
// Definitions. A *group* is a load or a store of s * L elements of which each s-th one
// belongs to a component. A value is *inside* if its lanes are computed, lane by lane,
// from components of groups of one kind (s, L, size of an element); whoever else takes
// part in such a computation is *outside*, if its lanes are not all the same.
//
// 1. Groups of a block are found by the masks of their shuffles, and laneNetwork gives
//    the cheapest order of lanes for their kind (lane_network.cpp).
// 2. What is inside is found going from groups to users. Groups that are connected by
//    it are taken together.
// 3. Their loads become s loads of L elements and a network, their stores an inverse
//    network and s stores. Values from outside are permuted in front of their use,
//    values that leave behind their definition.
// 4. That is done if the shuffles then cost less than before (networkCost).
//
// No value is computed in another way, and memory is accessed where it was, with the
// same elements. This is done at the end of the pipeline, as the patterns are those of
// the vectorizer, and for x86 only: AArch64 has instructions for such groups.

#include "interleaved.h"
#include "lane_network.h"
#include "shim.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace {

/// On functions whose lanes may be ordered.
constexpr const char *InterleavedMark = "poly-interleaved";
/// Most components of a group, as of those that LLVM makes.
constexpr unsigned MaxComponents = 8;
/// Most instructions of a block, and most steps from a shuffle to what it takes.
constexpr size_t MaxOrdered = 2000;
constexpr unsigned MaxShuffles = 8;
/// Bits within which shuffles are cheap, of x86.
constexpr unsigned NearBits = 128;

/// Components, lanes, and bits of an element.
struct GroupKind {
  unsigned Components = 0, Lanes = 0, Bits = 0;
  bool operator==(const GroupKind &Other) const {
    return Components == Other.Components && Lanes == Other.Lanes && Bits == Other.Bits;
  }
  unsigned near() const { return std::max(1u, std::min(NearBits / Bits, Lanes)); }
};

/// A load or a store of interleaved elements.
struct LaneGroup {
  Instruction *Access = nullptr;
  GroupKind Kind;
  Type *Vector = nullptr;
  /// Of a store, the values of its components.
  SmallVector<Value *, 8> Stored;
  /// Of a load, the shuffles that take a component.
  SmallVector<SmallVector<ShuffleVectorInst *, 1>, 8> Loaded;
  bool isLoad() const { return isa<LoadInst>(Access); }
};

unsigned lanesOf(const Value *V) {
  auto *T = dyn_cast<FixedVectorType>(V->getType());
  return T ? T->getNumElements() : 0;
}

/// Whether all lanes have the same value.
bool isSameInAllLanes(const Value *V) {
  auto *Shuffle = dyn_cast<ShuffleVectorInst>(V);
  return isSplatValue(V) || (Shuffle && all_equal(Shuffle->getShuffleMask()));
}

/// The component that a shuffle takes of a load, with the lanes that it has; none if
/// it is another shuffle.
std::optional<unsigned> componentOf(const ShuffleVectorInst &Shuffle, unsigned Elements) {
  ArrayRef<int> Mask = Shuffle.getShuffleMask();
  if (!isa<UndefValue>(Shuffle.getOperand(1)) || Elements % Mask.size() != 0)
    return std::nullopt;
  int Components = Elements / Mask.size();
  for (auto [Lane, Source] : enumerate(Mask))
    if (Source != Mask[0] + int(Lane) * Components)
      return std::nullopt;
  if (Mask[0] < 0 || Mask[0] >= Components)
    return std::nullopt;
  return Mask[0];
}

/// Kinds of groups whose elements have cheap shuffles.
bool isWanted(const GroupKind &Kind, Type *Element) {
  bool IsSized = Element->isFloatingPointTy() || Element->isIntegerTy();
  return IsSized && (Kind.Bits == 32 || Kind.Bits == 64) && Kind.Components >= 2 &&
         Kind.Components <= MaxComponents && Kind.Lanes >= 2 && isPowerOf2_32(Kind.Lanes);
}

std::optional<LaneGroup> loadedGroup(LoadInst &Load) {
  unsigned Elements = lanesOf(&Load);
  if (!Load.isSimple() || Elements == 0 || Load.use_empty())
    return std::nullopt;
  LaneGroup Group;
  Group.Access = &Load;
  for (User *U : Load.users()) {
    auto *Shuffle = dyn_cast<ShuffleVectorInst>(U);
    if (!Shuffle || Shuffle->getParent() != Load.getParent())
      return std::nullopt;
    auto Component = componentOf(*Shuffle, Elements);
    unsigned Lanes = lanesOf(Shuffle);
    if (!Component || (Group.Vector && Group.Kind.Lanes != Lanes))
      return std::nullopt;
    Group.Vector = Shuffle->getType();
    Type *Element = Shuffle->getType()->getElementType();
    Group.Kind = {Elements / Lanes, Lanes, unsigned(Element->getPrimitiveSizeInBits())};
    if (!isWanted(Group.Kind, Element))
      return std::nullopt;
    Group.Loaded.resize(Group.Kind.Components);
    Group.Loaded[*Component].push_back(Shuffle);
  }
  return Group;
}

/// The vector of so many lanes, and the lane of it, that a lane of a value is, through
/// shuffles that have no other purpose.
std::pair<Value *, unsigned> laneOf(Value *V, unsigned Lane, unsigned Lanes) {
  for (unsigned Steps = 0; Steps < MaxShuffles && lanesOf(V) != Lanes; ++Steps) {
    auto *Shuffle = dyn_cast<ShuffleVectorInst>(V);
    int Source = Shuffle && Shuffle->hasOneUse() ? Shuffle->getMaskValue(Lane) : -1;
    if (Source < 0)
      return {nullptr, 0};
    unsigned Before = lanesOf(Shuffle->getOperand(0));
    V = Shuffle->getOperand(unsigned(Source) < Before ? 0 : 1);
    Lane = unsigned(Source) < Before ? Source : Source - Before;
  }
  return {lanesOf(V) == Lanes ? V : nullptr, Lane};
}

/// A store of so many components, if it is one.
std::optional<LaneGroup> storedGroup(StoreInst &Store, unsigned Components) {
  auto *Stored = dyn_cast<FixedVectorType>(Store.getValueOperand()->getType());
  unsigned Elements = Stored->getNumElements(), Lanes = Elements / Components;
  LaneGroup Group;
  Group.Access = &Store;
  Type *Element = Stored->getElementType();
  Group.Kind = {Components, Lanes, unsigned(Element->getPrimitiveSizeInBits())};
  if (Elements % Components != 0 || !isWanted(Group.Kind, Element))
    return std::nullopt;
  Group.Vector = FixedVectorType::get(Element, Lanes);
  for (unsigned At = 0; At < Elements; ++At) {
    auto [Value, Lane] = laneOf(Store.getValueOperand(), At, Lanes);
    if (!Value || Lane != At / Components)
      return std::nullopt;
    if (At < Components)
      Group.Stored.push_back(Value);
    else if (Group.Stored[At % Components] != Value)
      return std::nullopt;
  }
  return Group;
}

std::optional<LaneGroup> storedGroup(StoreInst &Store) {
  auto *Shuffle = dyn_cast<ShuffleVectorInst>(Store.getValueOperand());
  if (!Store.isSimple() || !Shuffle || !Shuffle->hasOneUse())
    return std::nullopt;
  for (unsigned Components = 2; Components <= MaxComponents; ++Components)
    if (auto Group = storedGroup(Store, Components))
      return Group;
  return std::nullopt;
}

/// Whether a lane of the result is computed from the same lanes of the operands.
bool isLaneByLane(const Instruction &I, unsigned Lanes) {
  if (lanesOf(&I) != Lanes)
    return false;
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  bool IsKnown = isa<BinaryOperator>(I) || isa<UnaryOperator>(I) || isa<CmpInst>(I) ||
                 isa<SelectInst>(I) || isa<CastInst>(I) || isa<FreezeInst>(I) ||
                 (Call && isTriviallyVectorizable(Call->getIntrinsicID()));
  return IsKnown && all_of(I.operands(), [&](const Use &U) {
    return !U->getType()->isVectorTy() || lanesOf(U) == Lanes;
  });
}

/// The groups of a kind in a block that are connected, with what is inside.
class LanePlan {
public:
  LanePlan(ArrayRef<LaneGroup *> Groups, const LaneNetwork &Network)
      : Groups(Groups), Network(Network), Kind(Groups[0]->Kind) {}

  /// Adds what is inside to a set.
  SetVector<Value *> Inside;

  void findBorders();
  bool pays() const;
  void apply();

private:
  bool isFromOutside(const Value *V) const {
    return lanesOf(V) == Kind.Lanes && !Inside.contains(const_cast<Value *>(V)) &&
           !isSameInAllLanes(V);
  }
  unsigned accessCost(const LaneGroup &Group, bool IsNew) const;
  Value *permuted(Value *V, ArrayRef<unsigned> Order);
  void rewriteLoad(LaneGroup &Group);
  void rewriteStore(LaneGroup &Group);

  ArrayRef<LaneGroup *> Groups;
  const LaneNetwork &Network;
  GroupKind Kind;
  /// Uses of values from outside by what is inside, or by a group.
  MapVector<Value *, SmallVector<Use *, 4>> Entering;
  /// Uses of what is inside by others.
  MapVector<Value *, SmallVector<Use *, 4>> Leaving;
  /// Values from outside that a group stores.
  SmallSetVector<Value *, 8> Stored;
  /// A PHI node takes what is inside: an iteration would wait for a permutation of
  /// what the one before has handed on.
  bool IsHandedOn = false;
};

/// The shuffles between a store and its components.
void shufflesOf(const LaneGroup &Group, SmallPtrSetImpl<const Value *> &Shuffles) {
  SmallVector<Value *, 8> Todo{cast<StoreInst>(Group.Access)->getValueOperand()};
  while (!Todo.empty()) {
    auto *Shuffle = dyn_cast<ShuffleVectorInst>(Todo.pop_back_val());
    if (Shuffle && lanesOf(Shuffle) != Group.Kind.Lanes && Shuffles.insert(Shuffle).second)
      Todo.append({Shuffle->getOperand(0), Shuffle->getOperand(1)});
  }
}

void LanePlan::findBorders() {
  SmallPtrSet<const Value *, 16> Shuffles;
  for (LaneGroup *Group : Groups) {
    if (Group->isLoad())
      continue;
    shufflesOf(*Group, Shuffles);
    for (Value *V : Group->Stored)
      if (isFromOutside(V))
        Stored.insert(V);
  }
  for (Value *V : Inside) {
    for (Use &U : V->uses())
      if (!Inside.contains(U.getUser()) && !Shuffles.contains(U.getUser())) {
        Leaving[V].push_back(&U);
        IsHandedOn |= isa<PHINode>(U.getUser());
      }
    // The shuffles of loads are replaced.
    if (isa<ShuffleVectorInst>(V))
      continue;
    for (Use &U : cast<Instruction>(V)->operands())
      if (isFromOutside(U))
        Entering[U].push_back(&U);
  }
}

unsigned LanePlan::accessCost(const LaneGroup &Group, bool IsNew) const {
  SmallVector<LaneStage, 4> Stages(Network.Stages);
  if (!IsNew)
    Stages = {naturalStage(Kind.Components, Kind.Lanes)};
  SmallVector<bool, 8> Wanted(Kind.Components, true);
  if (Group.isLoad()) {
    for (unsigned Component = 0; Component < Kind.Components; ++Component)
      Wanted[Component] = !Group.Loaded[Component].empty();
  } else {
    std::reverse(Stages.begin(), Stages.end());
    for (LaneStage &Stage : Stages)
      Stage = inverse(Stage);
  }
  return networkCost(Stages, Wanted, Kind.near());
}

bool LanePlan::pays() const {
  if (IsHandedOn)
    return false;
  unsigned Before = 0, After = 0;
  for (const LaneGroup *Group : Groups) {
    Before += accessCost(*Group, false);
    After += accessCost(*Group, true);
  }
  LanePattern Permutation;
  for (unsigned Point : Network.Order)
    Permutation.push_back({0, Point});
  SmallSetVector<Value *, 8> Permuted(Stored);
  for (auto &[V, Uses] : Entering)
    if (!isa<Constant>(V))
      Permuted.insert(V);
  return After + (Permuted.size() + Leaving.size()) *
                     patternCost(Permutation, Kind.near()) < Before;
}

/// Whether a permutation leaves all lanes where they are.
bool isNaturalOrder(ArrayRef<unsigned> Order) {
  return all_of(enumerate(Order), [](auto At) { return At.index() == At.value(); });
}

/// The lanes of a value in another order, right behind its definition.
Value *LanePlan::permuted(Value *V, ArrayRef<unsigned> Order) {
  if (isNaturalOrder(Order))
    return V;
  BasicBlock *Block = Groups[0]->Access->getParent();
  auto *I = dyn_cast<Instruction>(V);
  bool IsHere = I && I->getParent() == Block && !isa<PHINode>(I);
  IRBuilder<> Builder(Block, IsHere ? std::next(I->getIterator()) : Block->getFirstInsertionPt());
  SmallVector<int, 16> Mask(Order.begin(), Order.end());
  return Builder.CreateShuffleVector(V, Mask);
}

/// One vector of a stage.
Value *shuffled(IRBuilder<> &Builder, const LanePattern &Pattern, ArrayRef<Value *> From) {
  if (isWhole(Pattern))
    return From[Pattern[0].Vector];
  SmallVector<unsigned, 4> Vectors = vectorsOf(Pattern);
  int Lanes = Pattern.size();
  SmallVector<int, 16> Mask(Lanes, PoisonMaskElem);
  auto Take = [&](unsigned Vector, int Offset) {
    for (auto [Lane, Source] : enumerate(Pattern))
      if (Source.Vector == Vector)
        Mask[Lane] = Offset + Source.Lane;
  };
  Take(Vectors[0], 0);
  if (Vectors.size() == 1)
    return Builder.CreateShuffleVector(From[Vectors[0]], Mask);
  Take(Vectors[1], Lanes);
  Value *Result = Builder.CreateShuffleVector(From[Vectors[0]], From[Vectors[1]], Mask);
  for (unsigned Vector : drop_begin(Vectors, 2)) {
    for (auto [Lane, Source] : enumerate(Mask))
      if (Source != PoisonMaskElem)
        Source = Lane;
    Take(Vector, Lanes);
    Result = Builder.CreateShuffleVector(Result, From[Vector], Mask);
  }
  return Result;
}

SmallVector<Value *, 8> throughStage(IRBuilder<> &Builder, const LaneStage &Stage,
                                     ArrayRef<Value *> From) {
  SmallVector<Value *, 8> Result;
  for (const LanePattern &Pattern : Stage)
    Result.push_back(shuffled(Builder, Pattern, From));
  return Result;
}

/// The address of a vector of a group.
Value *partOf(IRBuilder<> &Builder, const LaneGroup &Group, Value *Pointer, unsigned Part) {
  Type *Element = Group.Vector->getScalarType();
  return Builder.CreateConstInBoundsGEP1_64(Element, Pointer, Part * Group.Kind.Lanes);
}

Align alignmentOf(const LaneGroup &Group, Align Whole, unsigned Part) {
  return commonAlignment(Whole, uint64_t(Part) * Group.Kind.Lanes * Group.Kind.Bits / 8);
}

void LanePlan::rewriteLoad(LaneGroup &Group) {
  auto &Load = *cast<LoadInst>(Group.Access);
  IRBuilder<> Builder(&Load);
  SmallVector<Value *, 8> Values;
  for (unsigned Part = 0; Part < Kind.Components; ++Part) {
    Value *Address = partOf(Builder, Group, Load.getPointerOperand(), Part);
    LoadInst *New = Builder.CreateAlignedLoad(Group.Vector, Address,
                                              alignmentOf(Group, Load.getAlign(), Part));
    New->copyMetadata(Load);
    Values.push_back(New);
  }
  for (const LaneStage &Stage : Network.Stages)
    Values = throughStage(Builder, Stage, Values);
  for (auto [Component, Shuffles] : enumerate(Group.Loaded))
    for (ShuffleVectorInst *Shuffle : Shuffles) {
      Shuffle->replaceAllUsesWith(Values[Component]);
      Shuffle->eraseFromParent();
    }
  Load.eraseFromParent();
  // What nobody asked for.
  for (Value *V : Values)
    RecursivelyDeleteTriviallyDeadInstructions(V);
}

void LanePlan::rewriteStore(LaneGroup &Group) {
  auto &Store = *cast<StoreInst>(Group.Access);
  IRBuilder<> Builder(&Store);
  SmallVector<Value *, 8> Values(Group.Stored);
  for (const LaneStage &Stage : reverse(Network.Stages))
    Values = throughStage(Builder, inverse(Stage), Values);
  for (unsigned Part = 0; Part < Kind.Components; ++Part) {
    Value *Address = partOf(Builder, Group, Store.getPointerOperand(), Part);
    StoreInst *New = Builder.CreateAlignedStore(Values[Part], Address,
                                                alignmentOf(Group, Store.getAlign(), Part));
    New->copyMetadata(Store);
  }
  Value *Interleaved = Store.getValueOperand();
  Store.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Interleaved);
}

void LanePlan::apply() {
  SmallVector<unsigned, 16> Back(Network.Order.size());
  for (auto [Lane, Point] : enumerate(Network.Order))
    Back[Point] = Lane;
  DenseMap<Value *, Value *> Permuted;
  auto OfPoints = [&](Value *V) {
    Value *&Result = Permuted[V];
    if (!Result)
      Result = permuted(V, Network.Order);
    return Result;
  };
  for (auto &[V, Uses] : Entering)
    for (Use *U : Uses)
      U->set(OfPoints(V));
  for (LaneGroup *Group : Groups)
    for (Value *&V : Group->Stored)
      if (isFromOutside(V))
        V = OfPoints(V);
  for (auto &[V, Uses] : Leaving) {
    Value *Natural = permuted(V, Back);
    for (Use *U : Uses)
      U->set(Natural);
  }
  for (LaneGroup *Group : Groups)
    if (!Group->isLoad())
      rewriteStore(*Group);
  for (LaneGroup *Group : Groups)
    if (Group->isLoad())
      rewriteLoad(*Group);
}

SmallVector<LaneGroup, 8> groupsOf(BasicBlock &Block) {
  SmallVector<LaneGroup, 8> Groups;
  for (Instruction &I : Block) {
    std::optional<LaneGroup> Group;
    if (auto *Load = dyn_cast<LoadInst>(&I))
      Group = loadedGroup(*Load);
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      Group = storedGroup(*Store);
    if (Group)
      Groups.push_back(std::move(*Group));
  }
  return Groups;
}

/// The groups of a kind, those that are connected together, with what is inside.
class LanesOfKind {
public:
  LanesOfKind(BasicBlock &Block, ArrayRef<LaneGroup *> Groups, const LaneNetwork &Network);
  bool run();

private:
  void connect(Value *A, Value *B) { Connected.unionSets(A, B); }

  EquivalenceClasses<Value *> Connected;
  SetVector<Value *> Inside;
  MapVector<Value *, SmallVector<LaneGroup *, 4>> Members;
  const LaneNetwork &Network;
};

LanesOfKind::LanesOfKind(BasicBlock &Block, ArrayRef<LaneGroup *> Groups,
                         const LaneNetwork &Network)
    : Network(Network) {
  unsigned Lanes = Groups[0]->Kind.Lanes;
  for (LaneGroup *Group : Groups)
    for (auto &Shuffles : Group->Loaded)
      for (ShuffleVectorInst *Shuffle : Shuffles) {
        Inside.insert(Shuffle);
        connect(Group->Access, Shuffle);
      }
  for (Instruction &I : Block) {
    if (!isLaneByLane(I, Lanes))
      continue;
    for (Use &U : I.operands())
      if (Inside.contains(U)) {
        Inside.insert(&I);
        connect(U, &I);
      }
  }
  for (LaneGroup *Group : Groups)
    for (Value *V : Group->Stored)
      if (Inside.contains(V))
        connect(Group->Access, V);
  for (LaneGroup *Group : Groups) {
    Connected.insert(Group->Access);
    Members[Connected.getLeaderValue(Group->Access)].push_back(Group);
  }
}

bool LanesOfKind::run() {
  bool Changed = false;
  SmallVector<std::unique_ptr<LanePlan>, 4> Plans;
  for (auto &[Leader, Groups] : Members) {
    auto Plan = std::make_unique<LanePlan>(Groups, Network);
    for (Value *V : Inside)
      if (Connected.getLeaderValue(V) == Leader)
        Plan->Inside.insert(V);
    Plans.push_back(std::move(Plan));
  }
  for (auto &Plan : Plans) {
    // The plans before may have replaced what is at the border.
    Plan->findBorders();
    if (!Plan->pays())
      continue;
    Plan->apply();
    Changed = true;
  }
  return Changed;
}

bool orderLanes(BasicBlock &Block) {
  if (Block.size() > MaxOrdered)
    return false;
  SmallVector<GroupKind, 4> Done;
  bool Changed = false;
  for (;;) {
    SmallVector<LaneGroup, 8> Groups = groupsOf(Block);
    auto *First = find_if(Groups, [&](const LaneGroup &Group) {
      return !is_contained(Done, Group.Kind);
    });
    if (First == Groups.end())
      return Changed;
    GroupKind Kind = First->Kind;
    Done.push_back(Kind);
    auto Network = laneNetwork(Kind.Components, Kind.Lanes, Kind.near());
    SmallVector<LaneGroup *, 8> Same;
    for (LaneGroup &Group : Groups)
      if (Group.Kind == Kind)
        Same.push_back(&Group);
    if (Network)
      Changed |= LanesOfKind(Block, Same, *Network).run();
  }
}

} // namespace

PreservedAnalyses OrderLanes::run(Function &F, FunctionAnalysisManager &) {
  bool IsMarked = F.hasFnAttribute(InterleavedMark);
  F.removeFnAttr(InterleavedMark);
  if (!(All || IsMarked) || !Triple(F.getParent()->getTargetTriple()).isX86())
    return PreservedAnalyses::all();
  bool Changed = false;
  for (BasicBlock &Block : F)
    Changed |= orderLanes(Block);
  if (!Changed)
    return PreservedAnalyses::all();
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

extern "C" {

/// The lanes of vectors in the function may be ordered, at the end of the pipeline.
void poly_mark_interleaved(PolyContext *C) {
  C->function().addFnAttr(InterleavedMark);
}

} // extern "C"
