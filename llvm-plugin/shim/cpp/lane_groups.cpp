// Loads and stores of interleaved elements, as LLVM's vectorizer makes them.
//
// A *group* is a load or a store of s * L elements of which each s-th one belongs to a
// component. The components of a load are taken by shuffles of L lanes; those of a store
// are put together by one or several of them, which are followed lane by lane.

#include "lane_groups.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

/// Most components of a group, as of those that LLVM makes.
constexpr unsigned MaxComponents = 8;
/// Most steps from a shuffle to what it takes.
constexpr unsigned MaxShuffles = 8;
/// Bits within which shuffles are cheap, of x86.
constexpr unsigned NearBits = 128;

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

/// Kinds of groups that are looked at.
bool isWanted(const GroupKind &Kind, Type *Element) {
  bool IsSized = Element->isFloatingPointTy() || Element->isIntegerTy();
  return IsSized && Kind.Bits % 8 == 0 && Kind.Bits <= 64 && Kind.Components >= 2 &&
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
    Group.Loaded[*Component].emplace_back(Shuffle);
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

} // namespace

unsigned GroupKind::near() const { return std::max(1u, std::min(NearBits / Bits, Lanes)); }

unsigned lanesOf(const Value *V) {
  auto *T = dyn_cast<FixedVectorType>(V->getType());
  return T ? T->getNumElements() : 0;
}

bool isSameInAllLanes(const Value *V) {
  auto *Shuffle = dyn_cast<ShuffleVectorInst>(V);
  return isSplatValue(V) || (Shuffle && all_equal(Shuffle->getShuffleMask()));
}

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
