// Values of all components of some points, in the order of memory.
//
// Problem. What a loop stores of each point need not be computed component by component: where
// all of them are computed in the same way, as in y[i] += t of complex numbers, the sums can be
// made of whole vectors of y, as they lie in memory, and only t has to be brought to that order.
//
// Definitions. A *tuple* has a value for each component, with one point in each lane. In the
// order of memory it is s vectors of the same s * L elements.
//
// A tuple is had in the order of memory
// 1. as it was loaded, if its values are the components of one load, in another order by a
//    shuffle of each vector, if the points do not leave their parts of registers,
// 2. as it is, if each value is the same in all lanes (computed in front of the loop),
// 3. by the operation that all of its values are, from the tuples of its operands (or, if
//    that is asked for, both by a sum and by a difference, from which its lanes are chosen),
// 4. by the inverse network, from vectors of points.
// The cheapest way is taken, by the shuffles of 4; of the operation there are as many vectors in
// either order, if nobody else needs its values.

#include "memory_order.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace {

/// Most operations one behind the other.
constexpr unsigned MaxTupleDepth = 24;

} // namespace

void MemoryOrder::addLoad(const LaneGroup &Group) {
  for (auto [Component, Shuffles] : enumerate(Group.Loaded))
    for (const WeakTrackingVH &Shuffle : Shuffles)
      Components[Shuffle] = {&Group, unsigned(Component)};
}

/// The load whose components the values are, in their order.
const LaneGroup *MemoryOrder::loadOf(const LaneTuple &Tuple) const {
  const LaneGroup *Load = nullptr;
  for (auto [Component, V] : enumerate(Tuple)) {
    auto Found = Components.find(V);
    if (Found == Components.end() || Found->second.second != Component ||
        (Load && Found->second.first != Load))
      return nullptr;
    Load = Found->second.first;
  }
  return Load;
}

/// Whether the values are components of one load in another order.
bool MemoryOrder::isTurned(const LaneTuple &Tuple) const {
  auto First = Components.find(Tuple[0]);
  bool IsNear = Kind.hasShuffles() && Kind.near() % Kind.Components == 0;
  return IsNear && First != Components.end() && all_of(Tuple, [&](Value *V) {
    auto Found = Components.find(V);
    return Found != Components.end() && Found->second.first == First->second.first;
  });
}

/// Whether one is a sum and the other one a difference, with the same flags.
static bool isSumOrDifference(const Instruction &A, const Instruction &B) {
  auto Is = [](const Instruction &I) {
    return I.getOpcode() == Instruction::FAdd || I.getOpcode() == Instruction::FSub;
  };
  return Is(A) && Is(B) && A.getType() == B.getType() && A.hasSameSubclassOptionalData(&B);
}

/// Whether the values are the same operation, and nobody else needs them.
bool MemoryOrder::isOperation(const LaneTuple &Tuple) const {
  auto *First = dyn_cast<Instruction>(Tuple[0]);
  return First && all_of(Tuple, [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return I && I->getParent() == &Block && isLaneByLane(*I, Kind.Lanes) && I->hasOneUse() &&
           ((First->isSameOperationAs(I) && First->hasSameSubclassOptionalData(I)) ||
            (Mixes && isSumOrDifference(*First, *I)));
  });
}

/// Whether two operands may belong to the same tuple.
bool MemoryOrder::isAlike(Value *A, Value *B) const {
  auto FoundA = Components.find(A), FoundB = Components.find(B);
  if (FoundA != Components.end() || FoundB != Components.end())
    return FoundA != Components.end() && FoundB != Components.end() &&
           FoundA->second.first == FoundB->second.first;
  auto *FirstI = dyn_cast<Instruction>(A), *SecondI = dyn_cast<Instruction>(B);
  if (isSameInAllLanes(A) || isSameInAllLanes(B) || !FirstI || !SecondI)
    return isSameInAllLanes(A) == isSameInAllLanes(B);
  // What is the same in all lanes tells more than what is of the same point.
  bool HasFactor = any_of(FirstI->operand_values(), isSameInAllLanes);
  auto IsOfSecond = [&](Value *V) {
    return (!HasFactor || isSameInAllLanes(V)) && is_contained(SecondI->operand_values(), V);
  };
  return FirstI->getOpcode() == SecondI->getOpcode() &&
         (!isa<BinaryOperator>(FirstI) || any_of(FirstI->operand_values(), IsOfSecond));
}

/// The tuples of the vectors that an operation takes; none if another operand differs.
std::optional<SmallVector<LaneTuple, 3>> MemoryOrder::operandsOf(const LaneTuple &Tuple) const {
  auto &First = *cast<Instruction>(Tuple[0]);
  SmallVector<LaneTuple, 3> Operands;
  for (unsigned At = 0; At < First.getNumOperands(); ++At) {
    LaneTuple Values;
    for (Value *V : Tuple) {
      auto &I = *cast<Instruction>(V);
      bool IsExchanged = I.isCommutative() && !isAlike(First.getOperand(0), I.getOperand(0)) &&
                         isAlike(First.getOperand(0), I.getOperand(1));
      Values.push_back(I.getOperand(IsExchanged && At < 2 ? 1 - At : At));
    }
    if (lanesOf(Values[0]) == Kind.Lanes)
      Operands.push_back(Values);
    else if (!all_equal(Values))
      return std::nullopt;
  }
  return Operands;
}

unsigned MemoryOrder::costFromPoints() const {
  if (!Kind.hasShuffles())
    return Impossible;
  SmallVector<LaneStage, 4> Stages;
  for (const LaneStage &Stage : reverse(Network.Stages))
    Stages.push_back(inverse(Stage));
  return networkCost(Stages, SmallVector<bool, 8>(Kind.Components, true), Kind.near());
}

unsigned MemoryOrder::costOfOperation(const LaneTuple &Tuple, unsigned Depth) {
  auto Operands = isOperation(Tuple) && Depth < MaxTupleDepth ? operandsOf(Tuple) : std::nullopt;
  if (!Operands)
    return Impossible;
  // A further operation for each vector, and the choice; AVX has an instruction (addsub) for
  // differences in even lanes and sums in odd ones.
  bool IsOne = Kind.Components == 2 && Kind.Lanes * Kind.Bits == 256 &&
               cast<Instruction>(Tuple[0])->getOpcode() == Instruction::FSub;
  bool IsMixed = !all_of(Tuple, [&](Value *V) {
    return cast<Instruction>(V)->getOpcode() == cast<Instruction>(Tuple[0])->getOpcode();
  });
  unsigned Cost = IsMixed && !IsOne ? 3 * Kind.Components : 0;
  for (const LaneTuple &Operand : *Operands)
    Cost = std::min(Impossible, Cost + decide(Operand, Depth + 1).Cost);
  return Cost;
}

MemoryOrder::Decision MemoryOrder::decide(const LaneTuple &Tuple, unsigned Depth) {
  auto Known = Decided.find(Tuple);
  if (Known != Decided.end())
    return Known->second;
  Decision Result;
  auto IsBefore = [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return isSameInAllLanes(V) && !(I && I->getParent() == &Block);
  };
  if (loadOf(Tuple)) {
    Result = {Form::Loaded, 0};
  } else if (Mixes && isTurned(Tuple)) {
    Result = {Form::Turned, 2 * Kind.Components};
  } else if (all_of(Tuple, IsBefore) || (all_equal(Tuple) && isSameInAllLanes(Tuple[0]))) {
    Result = {Form::Same, 0};
  } else {
    Result.Cost = costFromPoints();
    unsigned AsOperation = costOfOperation(Tuple, Depth);
    // What is brought from points has to be brought to them, too: compared as a whole.
    if (AsOperation <= (Mixes ? 3 : 1) * Result.Cost && AsOperation < Impossible)
      Result = {Form::Operation, AsOperation};
  }
  Decided[Tuple] = Result;
  return Result;
}

unsigned MemoryOrder::ownCostOf(const LaneTuple &Tuple) {
  Decision Known = decide(Tuple, 0);
  if (Known.Is == Form::FromPoints)
    return 0;
  if (Known.Is != Form::Operation)
    return Known.Cost;
  unsigned Cost = Known.Cost;
  for (const LaneTuple &Operand : *operandsOf(Tuple))
    Cost -= decide(Operand, 0).Cost - ownCostOf(Operand);
  return Cost;
}

void MemoryOrder::addFromPoints(const LaneTuple &Tuple, SmallVectorImpl<LaneTuple> &Found) {
  SmallVector<LaneTuple, 8> Todo{Tuple};
  while (!Todo.empty()) {
    LaneTuple Next = Todo.pop_back_val();
    Form Is = decide(Next, 0).Is;
    if (Is == Form::FromPoints && !is_contained(Found, Next))
      Found.push_back(Next);
    else if (Is == Form::Operation)
      append_range(Todo, *operandsOf(Next));
  }
}

Value *MemoryOrder::shuffled(IRBuilder<> &Builder, const LanePattern &Pattern,
                             ArrayRef<Value *> From) {
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

LaneTuple MemoryOrder::throughStage(IRBuilder<> &Builder, const LaneStage &Stage,
                                    ArrayRef<Value *> From) {
  LaneTuple Result;
  for (const LanePattern &Pattern : Stage)
    Result.push_back(shuffled(Builder, Pattern, From));
  return Result;
}

/// Values that are the same in all lanes, side by side, in front of the loop.
LaneTuple MemoryOrder::buildSame(const LaneTuple &Tuple) {
  if (all_equal(Tuple))
    return Tuple;
  // What is needed in the block and not computed there is there at the end of the block before.
  BasicBlock *Before = nullptr;
  for (BasicBlock *Predecessor : predecessors(&Block))
    if (Predecessor != &Block)
      Before = Before && Before != Predecessor ? &Block : Predecessor;
  bool IsOne = Before && Before != &Block;
  IRBuilder<> Builder(IsOne ? Before : &Block,
                      IsOne ? Before->getTerminator()->getIterator() : Block.getFirstInsertionPt());
  LaneStage Stage(Kind.Components);
  for (unsigned At = 0; At < Kind.Components * Kind.Lanes; ++At)
    Stage[At / Kind.Lanes].push_back({At % Kind.Components, At % Kind.Lanes});
  return throughStage(Builder, Stage, Tuple);
}

/// Components of a load in another order, within each point.
LaneTuple MemoryOrder::buildTurned(IRBuilder<> &Builder, const LaneTuple &Tuple) {
  SmallVector<int, 16> Mask;
  for (unsigned Lane = 0; Lane < Kind.Lanes; ++Lane) {
    unsigned Component = Lane % Kind.Components;
    Mask.push_back(Lane - Component + Components[Tuple[Component]].second);
  }
  LaneTuple Result;
  for (Value *Part : Components[Tuple[0]].first->Parts)
    Result.push_back(Builder.CreateShuffleVector(Part, Mask));
  return Result;
}

/// The operation of a tuple, or both of its operations, of whole vectors.
LaneTuple MemoryOrder::buildOperation(IRBuilder<> &Builder, const LaneTuple &Tuple,
                                      ArrayRef<LaneTuple> Operands) {
  auto Apply = [&](Value *V, unsigned Part) {
    Instruction *Copy = cast<Instruction>(V)->clone();
    Copy->dropUnknownNonDebugMetadata();
    unsigned Next = 0;
    for (Use &U : Copy->operands())
      if (lanesOf(U) == Kind.Lanes)
        U.set(Operands[Next++][Part]);
    return Builder.Insert(Copy);
  };
  auto *First = cast<Instruction>(Tuple[0]);
  auto IsOther = [&](Value *V) { return cast<Instruction>(V)->getOpcode() != First->getOpcode(); };
  auto Other = find_if(Tuple, IsOther);
  LaneTuple Result;
  for (unsigned Part = 0; Part < Kind.Components; ++Part) {
    Result.push_back(Apply(First, Part));
    if (Other == Tuple.end())
      continue;
    SmallVector<int, 16> Mask;
    for (unsigned Lane = 0; Lane < Kind.Lanes; ++Lane) {
      Value *V = Tuple[(Part * Kind.Lanes + Lane) % Kind.Components];
      Mask.push_back(IsOther(V) ? Lane + Kind.Lanes : Lane);
    }
    Result.back() = Builder.CreateShuffleVector(Result.back(), Apply(*Other, Part), Mask);
  }
  return Result;
}

LaneTuple MemoryOrder::build(IRBuilder<> &Builder, const LaneTuple &Tuple,
                             function_ref<Value *(Value *)> OfPoints) {
  auto Known = Built.find(Tuple);
  if (Known != Built.end())
    return Known->second;
  LaneTuple Result;
  switch (decide(Tuple, 0).Is) {
  case Form::Loaded:
    Result = loadOf(Tuple)->Parts;
    break;
  case Form::Same:
    Result = buildSame(Tuple);
    break;
  case Form::FromPoints:
    for (Value *V : Tuple)
      Result.push_back(OfPoints(V));
    for (const LaneStage &Stage : reverse(Network.Stages))
      Result = throughStage(Builder, inverse(Stage), Result);
    break;
  case Form::Turned:
    Result = buildTurned(Builder, Tuple);
    break;
  case Form::Operation: {
    SmallVector<LaneTuple, 3> Operands;
    for (const LaneTuple &Operand : *operandsOf(Tuple))
      Operands.push_back(build(Builder, Operand, OfPoints));
    Result = buildOperation(Builder, Tuple, Operands);
  }
  }
  Built[Tuple] = Result;
  return Result;
}
