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
#include "lane_groups.h"
#include "memory_order.h"
#include "shim.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace {

/// On functions whose lanes may be ordered.
constexpr const char *InterleavedMark = "poly-interleaved";
/// Most instructions of a block.
constexpr size_t MaxOrdered = 2000;

/// The groups of a kind in a block that are connected, with what is inside.
class LanePlan {
public:
  LanePlan(ArrayRef<LaneGroup *> Groups, const LaneNetwork &Network)
      : Groups(Groups), Network(Network), Kind(Groups[0]->Kind),
        Memory(*Groups[0]->Access->getParent(), Kind, Network) {}

  /// Its lanes are those of points inside.
  SetVector<Value *> Inside;

  void findBorders();
  bool pays();
  void apply();

private:
  bool isFromOutside(const Value *V) const {
    return lanesOf(V) == Kind.Lanes && !Inside.contains(const_cast<Value *>(V)) &&
           !isSameInAllLanes(V);
  }
  unsigned costBefore() const;
  unsigned costAfter();
  SetVector<Value *> neededOfPoints(ArrayRef<LaneTuple> FromPoints) const;
  Value *ofPoints(Value *V);
  Value *permuted(Value *V, ArrayRef<unsigned> Order);
  void loadParts(LaneGroup &Group);
  void rewriteStore(LaneGroup &Group);
  void rewriteLoad(LaneGroup &Group);

  ArrayRef<LaneGroup *> Groups;
  const LaneNetwork &Network;
  GroupKind Kind;
  MemoryOrder Memory;
  /// Uses of values from outside by what is inside.
  MapVector<Value *, SmallVector<Use *, 4>> Entering;
  /// Uses of what is inside by others.
  MapVector<Value *, SmallVector<Use *, 4>> Leaving;
  /// A PHI node takes what is inside: an iteration would wait for a permutation of
  /// what the one before has handed on.
  bool IsHandedOn = false;
  /// Values from outside, in the order of the points inside.
  DenseMap<Value *, Value *> Permuted;
  /// Shuffles that no store needs any more.
  SmallVector<WeakTrackingVH, 8> Dead;
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
  for (LaneGroup *Group : Groups)
    if (Group->isLoad())
      Memory.addLoad(*Group);
    else
      shufflesOf(*Group, Shuffles);
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

/// What the shuffles of the groups cost as they are.
unsigned LanePlan::costBefore() const {
  LaneStage Natural = naturalStage(Kind.Components, Kind.Lanes);
  SmallVector<bool, 8> All(Kind.Components, true);
  unsigned Cost = 0;
  for (const LaneGroup *Group : Groups) {
    if (!Group->isLoad()) {
      Cost += networkCost({inverse(Natural)}, All, Kind.near());
      continue;
    }
    SmallVector<bool, 8> Wanted;
    for (auto &Shuffles : Group->Loaded)
      Wanted.push_back(!Shuffles.empty());
    Cost += networkCost({Natural}, Wanted, Kind.near());
  }
  return Cost;
}

/// What is inside and needed as vectors of points, for these tuples and outside.
SetVector<Value *> LanePlan::neededOfPoints(ArrayRef<LaneTuple> FromPoints) const {
  SetVector<Value *> Needed;
  auto Add = [&](Value *V) {
    if (Inside.contains(V))
      Needed.insert(V);
  };
  for (const LaneTuple &Tuple : FromPoints)
    for_each(Tuple, Add);
  for (auto &[V, Uses] : Leaving)
    Add(V);
  for (unsigned At = 0; At < Needed.size(); ++At)
    if (!isa<ShuffleVectorInst>(Needed[At]))
      for (Use &U : cast<Instruction>(Needed[At])->operands())
        Add(U);
  return Needed;
}

/// The same when lanes have been ordered, with the permutations at the border.
unsigned LanePlan::costAfter() {
  SmallVector<LaneTuple, 8> FromPoints;
  unsigned Cost = 0;
  for (const LaneGroup *Group : Groups)
    if (!Group->isLoad()) {
      if (Memory.costOf(Group->Stored) >= MemoryOrder::Impossible)
        return MemoryOrder::Impossible;
      Memory.addFromPoints(Group->Stored, FromPoints);
      Cost += Memory.ownCostOf(Group->Stored);
    }
  SetVector<Value *> Needed = neededOfPoints(FromPoints);
  if (!Needed.empty() && !Kind.hasShuffles())
    return MemoryOrder::Impossible;
  SmallSetVector<Value *, 8> Moved;
  for (const LaneTuple &Tuple : FromPoints) {
    Cost += Memory.costFromPoints();
    for (Value *V : Tuple)
      if (isFromOutside(V) && !isa<Constant>(V))
        Moved.insert(V);
  }
  for (auto &[V, Uses] : Entering)
    if (!isa<Constant>(V) && any_of(Uses, [&](Use *U) { return Needed.contains(U->getUser()); }))
      Moved.insert(V);
  for (const LaneGroup *Group : Groups)
    if (Group->isLoad()) {
      SmallVector<bool, 8> Wanted;
      for (auto &Shuffles : Group->Loaded)
        Wanted.push_back(any_of(Shuffles, [&](Value *V) { return Needed.contains(V); }));
      Cost += networkCost(Network.Stages, Wanted, Kind.near());
    }
  LanePattern Permutation;
  for (unsigned Point : Network.Order)
    Permutation.push_back({0, Point});
  return Cost + (Moved.size() + Leaving.size()) * patternCost(Permutation, Kind.near());
}

/// Whether lanes are ordered. Sums and differences are mixed where that is cheaper.
bool LanePlan::pays() {
  if (IsHandedOn)
    return false;
  Memory.mix(true);
  unsigned Mixed = costAfter();
  Memory.mix(false);
  unsigned Separate = costAfter();
  if (Mixed < Separate) {
    Memory.mix(true);
    costAfter();
  }
  return std::min(Mixed, Separate) < costBefore();
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

/// A value in the order of the points inside.
Value *LanePlan::ofPoints(Value *V) {
  if (!isFromOutside(V))
    return V;
  Value *&Result = Permuted[V];
  if (!Result)
    Result = permuted(V, Network.Order);
  return Result;
}

/// The address of a vector of a group, and what it is aligned to.
std::pair<Value *, Align> partOf(IRBuilder<> &Builder, const LaneGroup &Group, unsigned Part) {
  Value *Pointer = getLoadStorePointerOperand(Group.Access);
  uint64_t Before = uint64_t(Part) * Group.Kind.Lanes;
  Align Known = commonAlignment(getLoadStoreAlignment(Group.Access), Before * Group.Kind.Bits / 8);
  if (Part != 0)
    Pointer = Builder.CreateConstInBoundsGEP1_64(Group.Vector->getScalarType(), Pointer, Before);
  return {Pointer, Known};
}

void LanePlan::loadParts(LaneGroup &Group) {
  IRBuilder<> Builder(Group.Access);
  for (unsigned Part = 0; Part < Kind.Components; ++Part) {
    auto [Address, Known] = partOf(Builder, Group, Part);
    LoadInst *New = Builder.CreateAlignedLoad(Group.Vector, Address, Known);
    New->copyMetadata(*Group.Access);
    Group.Parts.push_back(New);
  }
}

void LanePlan::rewriteLoad(LaneGroup &Group) {
  IRBuilder<> Builder(Group.Access);
  LaneTuple Values(Group.Parts);
  for (const LaneStage &Stage : Network.Stages)
    Values = MemoryOrder::throughStage(Builder, Stage, Values);
  for (auto [Component, Shuffles] : enumerate(Group.Loaded))
    for (Value *Shuffle : Shuffles)
      if (Shuffle) {
        Shuffle->replaceAllUsesWith(Values[Component]);
        Dead.emplace_back(Shuffle);
      }
  // What nobody asked for.
  Dead.append(Values.begin(), Values.end());
  Dead.append(Group.Parts.begin(), Group.Parts.end());
}

void LanePlan::rewriteStore(LaneGroup &Group) {
  auto &Store = *cast<StoreInst>(Group.Access);
  IRBuilder<> Builder(&Store);
  LaneTuple Values = Memory.build(Builder, Group.Stored, [&](Value *V) { return ofPoints(V); });
  for (unsigned Part = 0; Part < Kind.Components; ++Part) {
    auto [Address, Known] = partOf(Builder, Group, Part);
    StoreInst *New = Builder.CreateAlignedStore(Values[Part], Address, Known);
    New->copyMetadata(Store);
  }
  Dead.emplace_back(Store.getValueOperand());
  Store.eraseFromParent();
}

void LanePlan::apply() {
  for (LaneGroup *Group : Groups)
    if (Group->isLoad())
      loadParts(*Group);
  for (LaneGroup *Group : Groups)
    if (!Group->isLoad())
      rewriteStore(*Group);
  SmallVector<unsigned, 16> Back(Network.Order.size());
  for (auto [Lane, Point] : enumerate(Network.Order))
    Back[Point] = Lane;
  for (auto &[V, Uses] : Entering)
    for (Use *U : Uses)
      U->set(ofPoints(V));
  for (auto &[V, Uses] : Leaving) {
    Value *Natural = permuted(V, Back);
    for (Use *U : Uses)
      U->set(Natural);
  }
  for (LaneGroup *Group : Groups)
    if (Group->isLoad())
      rewriteLoad(*Group);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
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
      for (Value *Shuffle : Shuffles) {
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
