// Recurrences that have another form, without the chain through all iterations.
//
// What a loop hands from one iteration to the next keeps LLVM from making
// vectors of it, or makes each iteration wait for the one before. Of an
// innermost loop of one block that is counted, four kinds are looked for:
//
// 1. The *last one* of what is taken under a condition, `if (c) at = v;`, where
//    `v` rises: it is also the largest one, and a maximum is a reduction. (The
//    smallest one, if `v` falls.) `v` is an affine function of the iteration's
//    number of which exact arithmetic says that it does not leave its type.
// 2. A *conditional sum*, `if (c) s += x;`, as a choice between two sums: then
//    the choice is in the chain, too. `s + (c ? x : -0.0)` has the same bits
//    where `c` is false, as adding a negative zero changes nothing, not even the
//    sign of a zero. (It makes a signaling NaN a quiet one: sums begin with what
//    is none.) Differences subtract a positive zero, products multiply by
//    one, and `s + x * y` adds the product of a negative and a positive zero.
// 3. An *exact counter*, a floating-point number that begins with an integer and
//    moves by one, where all values are so small that they have no fraction bits
//    to lose: it is the conversion of an integer counter.
// 4. A *wrap-around* variable has what another one had an iteration before, as
//    `before = last; for (i = 0; ..) { .. b[before] ..; before = i; }`. Behind as
//    many iterations as there are variables in a row, which are peeled, it is a
//    counter as the other one.
//
// 1, 3 and 4 take more operations in scalar code. They are done where nothing
// else is in the way of vectors: all PHI nodes are such ones, counters, or
// reductions that may be reordered, and what is accessed moves by one element.
//
// Poison that a choice leaves behind is gone with the next one that is taken. A
// maximum keeps it: conditions are frozen, and what is taken has no flags that
// make poison.

#include "shim.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopPeel.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace {

/// Most instructions of such a loop.
constexpr size_t MaxInstructions = 200;
/// Most instructions from a counter to what is taken.
constexpr size_t MaxTaken = 16;
/// Most values that are looked at for where a sum begins.
constexpr size_t MaxStarts = 16;
/// Most variables in a row of which each has what the next one had before.
constexpr unsigned MaxPeeled = 3;
/// Bits in which sums of values and products of steps and iterations are exact.
constexpr unsigned WideBits = 192;

/// Kinds of recurrences, as bits.
enum RecurrenceKind : unsigned { Last = 1, Sums = 2, Counters = 4, Peeled = 8 };

/// The value, or its negation, that a select takes, and what it keeps else.
struct Choice {
  SelectInst *Select;
  Value *Taken;
  bool TakenIfTrue;
};

/// A PHI node that keeps its value or takes another one.
std::optional<Choice> choiceOfPhi(PHINode &Phi, const Loop &L) {
  auto *Select = dyn_cast<SelectInst>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  if (!Select || !L.contains(Select) || Select->getCondition()->getType()->isVectorTy())
    return std::nullopt;
  if (Select->getFalseValue() == &Phi && Select->getTrueValue() != &Phi)
    return Choice{Select, Select->getTrueValue(), true};
  if (Select->getTrueValue() == &Phi && Select->getFalseValue() != &Phi)
    return Choice{Select, Select->getFalseValue(), false};
  return std::nullopt;
}

/// The last of what is taken under a condition.
struct LastOne {
  PHINode *Phi;
  Choice Of;
  bool Rises;
  /// What computes it from a counter in the loop.
  SmallVector<Instruction *, 4> Computed;
};

/// A sum that happens under a condition: its operation, and with what its other
/// operands are replaced where it does not.
struct ConditionalSum {
  PHINode *Phi;
  Choice Of;
  Instruction *Sum;
  SmallVector<std::pair<Value *, double>, 2> Parts;
};

/// A floating-point number that counts.
struct ExactCounter {
  PHINode *Phi;
  BinaryOperator *Next;
  int64_t Start, Step;
  unsigned Bits;
};

/// A variable that has what a counter had some iterations before.
struct WrapAround {
  PHINode *Phi;
  unsigned Before;
};

/// The integer that a constant is, if it is one and no negative zero.
std::optional<int64_t> integerOfNumber(Value *V) {
  auto *Number = dyn_cast<ConstantFP>(V);
  if (!Number || !(Number->getType()->isFloatTy() || Number->getType()->isDoubleTy()) ||
      Number->getValueAPF().isNegZero())
    return std::nullopt;
  APSInt Integer(64, /*isUnsigned=*/false);
  bool IsExact = false;
  APFloat::opStatus Status =
      Number->getValueAPF().convertToInteger(Integer, APFloat::rmTowardZero, &IsExact);
  if (Status != APFloat::opOK || !IsExact)
    return std::nullopt;
  return Integer.getExtValue();
}

/// What computes a value from PHI nodes of the loop: sums, products, and
/// conversions only, whose flags can be dropped; none if there is something else.
std::optional<SmallVector<Instruction *, 4>> computed(Value *From, const Loop &L) {
  SmallSetVector<Instruction *, 8> Found;
  auto Add = [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (I && L.contains(I) && !isa<PHINode>(I))
      Found.insert(I);
  };
  Add(From);
  for (size_t At = 0; At < Found.size(); ++At) {
    if (At == MaxTaken || !(isa<BinaryOperator>(Found[At]) || isa<CastInst>(Found[At])))
      return std::nullopt;
    for (Value *Operand : Found[At]->operands())
      Add(Operand);
  }
  return SmallVector<Instruction *, 4>(Found.begin(), Found.end());
}

/// It is computed, or a constant, and so no signaling NaN.
bool isNeverSignaling(Value *Start) {
  SmallSetVector<Value *, 8> Looked;
  Looked.insert(Start);
  for (size_t At = 0; At < Looked.size(); ++At) {
    Value *V = Looked[At];
    if (auto *Number = dyn_cast<ConstantFP>(V)) {
      if (Number->getValueAPF().isSignaling())
        return false;
    } else if (auto *Phi = dyn_cast<PHINode>(V)) {
      Looked.insert(Phi->op_begin(), Phi->op_end());
    } else if (auto *Select = dyn_cast<SelectInst>(V)) {
      Looked.insert(Select->getTrueValue());
      Looked.insert(Select->getFalseValue());
    } else {
      auto *Call = dyn_cast<IntrinsicInst>(V);
      bool IsFused = Call && (Call->getIntrinsicID() == Intrinsic::fmuladd || Call->getIntrinsicID() == Intrinsic::fma);
      bool IsConverted = isa<FPExtInst>(V) || isa<FPTruncInst>(V) || isa<SIToFPInst>(V) || isa<UIToFPInst>(V);
      if (!IsFused && !IsConverted && !(isa<BinaryOperator>(V) && V->getType()->isFloatingPointTy()))
        return false;
    }
    if (Looked.size() > MaxStarts)
      return false;
  }
  return true;
}

class RecurrenceSearch {
public:
  RecurrenceSearch(PolyContext &C, Loop &L)
      : C(C), L(L), SE(C.scev()), Header(*L.getHeader()) {}

  /// Which recurrences get another form.
  unsigned find();
  void rewrite();

private:
  bool isLastOne(PHINode &Phi);
  bool isExactCounter(PHINode &Phi);
  unsigned before(PHINode &Phi);
  bool isHarmless(PHINode &Phi);
  bool isOnlyHandedOn(Instruction &I, const PHINode &Phi) const;
  bool hasVectors(Instruction &I) const;
  bool isFrom(Value *V, const PHINode &Phi) const;
  bool isInAddress(const PHINode &Phi) const;
  void rewriteLast(const LastOne &Found);
  void rewriteCounter(const ExactCounter &Found);
  void findSum(PHINode &Phi);
  void rewriteSum(const ConditionalSum &Found);
  bool findObstacles();
  void peel();
  /// What the loop leaves of a value, in the exit.
  PHINode *left(Value *Inside);
  /// The PHI nodes of the exit that are what the loop leaves of a value.
  SmallVector<PHINode *, 2> exits(Value *Inside);
  const SCEVAddRecExpr *counter(Value *V) const;

  PolyContext &C;
  Loop &L;
  ScalarEvolution &SE;
  BasicBlock &Header;
  SmallVector<LastOne, 2> LastOnes;
  SmallVector<ConditionalSum, 2> ConditionalSums;
  SmallVector<ExactCounter, 2> ExactCounters;
  SmallVector<WrapAround, 2> WrapArounds;
};

/// The affine function of the iteration's number with a constant step that a
/// value is.
const SCEVAddRecExpr *RecurrenceSearch::counter(Value *V) const {
  if (!SE.isSCEVable(V->getType()))
    return nullptr;
  auto *Counter = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(V));
  bool IsOwn = Counter && Counter->getLoop() == &L && Counter->isAffine();
  return IsOwn && isa<SCEVConstant>(Counter->getStepRecurrence(SE)) ? Counter : nullptr;
}

/// The most iterations after the first one; none if nothing bounds them.
std::optional<APInt> mostBackedges(const Loop &L, ScalarEvolution &SE) {
  const SCEV *Count = SE.getBackedgeTakenCount(&L);
  auto *Most = dyn_cast<SCEVConstant>(SE.getConstantMaxBackedgeTakenCount(&L));
  if (isa<SCEVCouldNotCompute>(Count) || SE.getTypeSizeInBits(Count->getType()) > 64)
    return std::nullopt;
  APInt Guarded = SE.getUnsignedRangeMax(SE.applyLoopGuards(Count, &L)).zext(WideBits);
  return Most ? APIntOps::umin(Guarded, Most->getAPInt().zext(WideBits)) : Guarded;
}

/// The least and the largest value of a counter up to the last iteration; none
/// if nothing bounds the number of iterations.
std::optional<std::pair<APInt, APInt>> valuesOfCounter(const SCEVAddRecExpr *Counter, const Loop &L,
                                                ScalarEvolution &SE) {
  if (Counter->hasNoSignedWrap()) {
    ConstantRange Values = SE.getSignedRange(Counter);
    return std::make_pair(Values.getSignedMin().sext(WideBits), Values.getSignedMax().sext(WideBits));
  }
  std::optional<APInt> Most = mostBackedges(L, SE);
  if (!Most)
    return std::nullopt;
  ConstantRange Start = SE.getSignedRange(SE.applyLoopGuards(Counter->getStart(), &L));
  APInt Step = cast<SCEVConstant>(Counter->getStepRecurrence(SE))->getAPInt().sext(WideBits);
  APInt Way = Step * *Most;
  APInt Least = Start.getSignedMin().sext(WideBits);
  APInt Largest = Start.getSignedMax().sext(WideBits);
  (Step.isNegative() ? Least : Largest) += Way;
  return std::make_pair(Least, Largest);
}

/// Nobody but the PHI node and what is behind the loop uses it.
bool RecurrenceSearch::isOnlyHandedOn(Instruction &I, const PHINode &Phi) const {
  return all_of(I.users(), [&](User *U) { return U == &Phi || !L.contains(cast<Instruction>(U)); });
}

bool RecurrenceSearch::isLastOne(PHINode &Phi) {
  std::optional<Choice> Of = choiceOfPhi(Phi, L);
  if (!Of || !Phi.getType()->isIntegerTy() || Phi.getType()->getIntegerBitWidth() > 64 ||
      !Phi.hasOneUse() || !isOnlyHandedOn(*Of->Select, Phi))
    return false;
  const SCEVAddRecExpr *Taken = counter(Of->Taken);
  if (!Taken || Taken->getStepRecurrence(SE)->isZero())
    return false;
  auto Values = valuesOfCounter(Taken, L, SE);
  if (!Values)
    return false;
  // The smallest or the greatest value of the type says that there is none.
  unsigned Bits = Phi.getType()->getIntegerBitWidth();
  APInt Smallest = APInt::getSignedMinValue(Bits).sext(WideBits);
  APInt Greatest = APInt::getSignedMaxValue(Bits).sext(WideBits);
  if (Values->first.slt(Smallest) || Values->second.sgt(Greatest))
    return false;
  bool Rises = SE.isKnownPositive(Taken->getStepRecurrence(SE));
  if (Rises ? Values->first == Smallest : Values->second == Greatest)
    return false;
  auto Computed = computed(Of->Taken, L);
  if (!Computed)
    return false;
  LastOnes.push_back({&Phi, *Of, Rises, *Computed});
  return true;
}

bool RecurrenceSearch::isExactCounter(PHINode &Phi) {
  auto *Next = dyn_cast<BinaryOperator>(Phi.getIncomingValueForBlock(L.getLoopLatch()));
  std::optional<int64_t> Start = integerOfNumber(Phi.getIncomingValueForBlock(L.getLoopPreheader()));
  if (!Next || !Start || !L.contains(Next))
    return false;
  bool IsSum = Next->getOpcode() == Instruction::FAdd;
  Value *Moved = nullptr;
  if (Next->getOperand(0) == &Phi && (IsSum || Next->getOpcode() == Instruction::FSub))
    Moved = Next->getOperand(1);
  else if (Next->getOperand(1) == &Phi && IsSum)
    Moved = Next->getOperand(0);
  std::optional<int64_t> Step = Moved ? integerOfNumber(Moved) : std::nullopt;
  std::optional<APInt> Most = mostBackedges(L, SE);
  if (!Step || *Step == 0 || !Most)
    return false;
  if (!IsSum)
    Step = -*Step;
  // What the last iteration hands on counts, too.
  APInt Wide = APInt(WideBits, *Step, /*isSigned=*/true);
  APInt End = APInt(WideBits, *Start, true) + Wide * (*Most + 1);
  unsigned Mantissa = APFloat::semanticsPrecision(Phi.getType()->getFltSemantics());
  APInt Bound = APInt::getOneBitSet(WideBits, Mantissa);
  if (End.abs().ugt(Bound) || APInt(WideBits, *Start, true).abs().ugt(Bound))
    return false;
  bool IsNarrow = End.isSignedIntN(32) && isInt<32>(*Start);
  ExactCounters.push_back({&Phi, Next, *Start, *Step, IsNarrow ? 32u : 64u});
  return true;
}

/// How many iterations before a counter had what the PHI node has; 0 if it is no
/// wrap-around variable.
unsigned RecurrenceSearch::before(PHINode &Phi) {
  PHINode *At = &Phi;
  for (unsigned Before = 1; Before <= MaxPeeled; ++Before) {
    if (!SE.isSCEVable(At->getType()) || counter(At))
      return 0;
    Value *Next = At->getIncomingValueForBlock(L.getLoopLatch());
    if (counter(Next))
      return Before;
    At = dyn_cast<PHINode>(Next);
    if (!At || At->getParent() != &Header)
      return 0;
  }
  return 0;
}

/// It is a counter, or a reduction that may be reordered, or LLVM shifts vectors.
bool RecurrenceSearch::isHarmless(PHINode &Phi) {
  if (SE.isSCEVable(Phi.getType()) && isa<SCEVAddRecExpr>(SE.getSCEV(&Phi)))
    return true;
  RecurrenceDescriptor Reduction;
  if (RecurrenceDescriptor::isReductionPHI(&Phi, &L, Reduction, nullptr, &C.assumptions(),
                                           &C.domTree(), &SE))
    return !Reduction.hasExactFPMath();
  return RecurrenceDescriptor::isFixedOrderRecurrence(&Phi, &L, &C.domTree());
}

/// A value is computed from a PHI node.
bool RecurrenceSearch::isFrom(Value *V, const PHINode &Phi) const {
  return SCEVExprContains(SE.getSCEV(V), [&](const SCEV *S) {
    auto *Unknown = dyn_cast<SCEVUnknown>(S);
    return Unknown && Unknown->getValue() == &Phi;
  });
}

/// The address of an access is computed from a PHI node.
bool RecurrenceSearch::isInAddress(const PHINode &Phi) const {
  return any_of(Header, [&](Instruction &I) {
    Value *Pointer = getLoadStorePointerOperand(&I);
    return Pointer && isFrom(Pointer, Phi);
  });
}

/// The instruction does the same with neighbouring elements, or with one.
bool RecurrenceSearch::hasVectors(Instruction &I) const {
  if (isa<PHINode>(I) || I.isTerminator() || isa<DbgInfoIntrinsic>(I))
    return true;
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return !Call->mayHaveSideEffects() && !Call->mayReadFromMemory();
  Value *Pointer = getLoadStorePointerOperand(&I);
  if (!Pointer)
    return !I.mayReadOrWriteMemory() && !I.mayHaveSideEffects();
  bool IsSimple = isa<LoadInst>(I) ? cast<LoadInst>(I).isSimple() : cast<StoreInst>(I).isSimple();
  if (!IsSimple)
    return false;
  if (const SCEVAddRecExpr *At = counter(Pointer)) {
    const APInt &Step = cast<SCEVConstant>(At->getStepRecurrence(SE))->getAPInt();
    TypeSize Size = C.dataLayout().getTypeStoreSize(getLoadStoreType(&I));
    return !Size.isScalable() && Step.abs() == Size.getFixedValue();
  }
  auto IsBase = [&](const WrapAround &W) { return isFrom(Pointer, *W.Phi); };
  return isa<LoadInst>(I) && (L.isLoopInvariant(Pointer) || any_of(WrapArounds, IsBase));
}

bool RecurrenceSearch::findObstacles() {
  for (PHINode &Phi : Header.phis()) {
    // Of values LLVM shifts vectors, but not of places.
    bool IsDone = isHarmless(Phi) && !(before(Phi) > 0 && isInAddress(Phi));
    if (IsDone || isLastOne(Phi) || isExactCounter(Phi))
      continue;
    unsigned Before = before(Phi);
    if (Before == 0)
      return false;
    WrapArounds.push_back({&Phi, Before});
  }
  if (!WrapArounds.empty() && !canPeel(&L))
    return false;
  bool HasSome = !LastOnes.empty() || !ExactCounters.empty() || !WrapArounds.empty();
  return HasSome && all_of(Header, [&](Instruction &I) { return hasVectors(I); });
}

SmallVector<PHINode *, 2> RecurrenceSearch::exits(Value *Inside) {
  SmallVector<PHINode *, 2> Result;
  for (PHINode &Phi : L.getExitBlock()->phis())
    if (Phi.getIncomingValueForBlock(&Header) == Inside)
      Result.push_back(&Phi);
  return Result;
}

PHINode *RecurrenceSearch::left(Value *Inside) {
  PHINode *Phi = PHINode::Create(Inside->getType(), 1, "poly.left", L.getExitBlock()->begin());
  Phi->addIncoming(Inside, &Header);
  return Phi;
}

void RecurrenceSearch::rewriteLast(const LastOne &Found) {
  PHINode &Phi = *Found.Phi;
  SelectInst *Select = Found.Of.Select;
  Type *Ty = Phi.getType();
  unsigned Bits = Ty->getIntegerBitWidth();
  Constant *None = ConstantInt::get(Ty, Found.Rises ? APInt::getSignedMinValue(Bits)
                                                    : APInt::getSignedMaxValue(Bits));
  Value *First = Phi.getIncomingValueForBlock(L.getLoopPreheader());
  for (Instruction *I : Found.Computed)
    I->dropPoisonGeneratingFlags();
  IRBuilder<> Builder(Select);
  Value *Condition = Builder.CreateFreeze(Select->getCondition());
  PHINode *Best = PHINode::Create(Ty, 2, "poly.last", Header.begin());
  Value *Here = Found.Of.TakenIfTrue ? Builder.CreateSelect(Condition, Found.Of.Taken, None)
                                     : Builder.CreateSelect(Condition, None, Found.Of.Taken);
  Value *Next = Builder.CreateBinaryIntrinsic(Found.Rises ? Intrinsic::smax : Intrinsic::smin, Best, Here);
  Best->addIncoming(None, L.getLoopPreheader());
  Best->addIncoming(Next, &Header);
  SmallVector<PHINode *, 2> Exits = exits(Select);
  if (!Exits.empty()) {
    PHINode *Left = left(Next);
    IRBuilder<> Behind(&*L.getExitBlock()->getFirstInsertionPt());
    Value *Result = Behind.CreateSelect(Behind.CreateICmpEQ(Left, None), First, Left);
    for (PHINode *Exit : Exits) {
      Exit->replaceAllUsesWith(Result);
      Exit->eraseFromParent();
    }
  }
  Phi.replaceAllUsesWith(PoisonValue::get(Ty));
  Phi.eraseFromParent();
  Select->eraseFromParent();
}

void RecurrenceSearch::rewriteCounter(const ExactCounter &Found) {
  PHINode &Phi = *Found.Phi;
  Type *Integer = IntegerType::get(Header.getContext(), Found.Bits);
  Type *Number = Phi.getType();
  PHINode *Count = PHINode::Create(Integer, 2, "poly.count", Header.begin());
  IRBuilder<> Before(&*Header.getFirstInsertionPt());
  Value *Next = Before.CreateNSWAdd(Count, ConstantInt::getSigned(Integer, Found.Step));
  Count->addIncoming(ConstantInt::getSigned(Integer, Found.Start), L.getLoopPreheader());
  Count->addIncoming(Next, &Header);
  for (PHINode *Exit : exits(Found.Next)) {
    PHINode *Left = left(Next);
    IRBuilder<> Behind(&*L.getExitBlock()->getFirstInsertionPt());
    Exit->replaceAllUsesWith(Behind.CreateSIToFP(Left, Number));
    Exit->eraseFromParent();
  }
  Value *Now = Before.CreateSIToFP(Count, Number);
  bool IsUsed = any_of(Found.Next->users(), [&](User *U) { return U != &Phi; });
  Phi.replaceAllUsesWith(Now);
  if (IsUsed)
    Found.Next->replaceAllUsesWith(Before.CreateSIToFP(Next, Number));
  Phi.eraseFromParent();
  Found.Next->eraseFromParent();
}

/// Adds a sum to those that have a choice in them.
void RecurrenceSearch::findSum(PHINode &Phi) {
  using namespace PatternMatch;
  Type *Ty = Phi.getType();
  std::optional<Choice> Of = Ty->isFloatTy() || Ty->isDoubleTy() ? choiceOfPhi(Phi, L) : std::nullopt;
  auto *Sum = Of ? dyn_cast<Instruction>(Of->Taken) : nullptr;
  bool IsOwn = Sum && Sum->hasOneUse() && L.contains(Sum) && isa<FPMathOperator>(Sum);
  if (!IsOwn || Sum->hasAllowReassoc() ||
      !isNeverSignaling(Phi.getIncomingValueForBlock(L.getLoopPreheader())) ||
      Header.getParent()->getDenormalMode(Ty->getFltSemantics()) != DenormalMode::getIEEE())
    return;
  SmallVector<std::pair<Value *, double>, 2> Parts;
  Value *X;
  if (match(Sum, m_c_FAdd(m_Specific(&Phi), m_Value(X))))
    Parts = {{X, -0.0}};
  else if (match(Sum, m_FSub(m_Specific(&Phi), m_Value(X))))
    Parts = {{X, 0.0}};
  else if (match(Sum, m_c_FMul(m_Specific(&Phi), m_Value(X))))
    Parts = {{X, 1.0}};
  else if (auto *Call = dyn_cast<IntrinsicInst>(Sum);
           Call && Call->getArgOperand(Call->arg_size() - 1) == &Phi &&
           (Call->getIntrinsicID() == Intrinsic::fmuladd || Call->getIntrinsicID() == Intrinsic::fma))
    Parts = {{Call->getArgOperand(0), -0.0}, {Call->getArgOperand(1), 0.0}};
  bool IsOf = any_of(Parts, [&](auto &Part) { return Part.first == &Phi; });
  if (!Parts.empty() && !IsOf)
    ConditionalSums.push_back({&Phi, *Of, Sum, Parts});
}

/// Takes the choice out of a sum.
void RecurrenceSearch::rewriteSum(const ConditionalSum &Found) {
  SelectInst *Select = Found.Of.Select;
  Instruction *Sum = Found.Sum;
  IRBuilder<> Builder(Select);
  // An undefined condition is the same one for both factors.
  Value *Condition = Builder.CreateFreeze(Select->getCondition());
  for (auto [Part, Neutral] : Found.Parts) {
    Constant *None = ConstantFP::get(Part->getType(), Neutral);
    Value *Here = Found.Of.TakenIfTrue ? Builder.CreateSelect(Condition, Part, None)
                                       : Builder.CreateSelect(Condition, None, Part);
    for (Use &Operand : Sum->operands())
      if (Operand == Part && !isa<Function>(Part)) {
        Operand = Here;
        break;
      }
  }
  // What is no number may be in it where nothing was added.
  bool IsContracted = Sum->hasAllowContract();
  Sum->dropPoisonGeneratingFlags();
  Sum->setFastMathFlags(FastMathFlags());
  Sum->setHasAllowContract(IsContracted);
  Sum->moveBefore(Select);
  Select->replaceAllUsesWith(Sum);
  Select->eraseFromParent();
}

void RecurrenceSearch::peel() {
  unsigned Count = 0;
  for (const WrapAround &W : WrapArounds)
    Count = std::max(Count, W.Before);
  if (Count == 0)
    return;
  ValueToValueMapTy Map;
#if LLVM_VERSION_MAJOR >= 21
  peelLoop(&L, Count, /*PeelLast=*/false, &C.loops(), &SE, C.domTree(), &C.assumptions(),
                  /*PreserveLCSSA=*/true, Map);
#else
  peelLoop(&L, Count, &C.loops(), &SE, C.domTree(), &C.assumptions(), /*PreserveLCSSA=*/true, Map);
#endif
}

unsigned RecurrenceSearch::find() {
  if (findObstacles())
    return (LastOnes.empty() ? 0 : Last) | (ExactCounters.empty() ? 0 : Counters) |
           (WrapArounds.empty() ? 0 : Peeled);
  LastOnes.clear();
  ExactCounters.clear();
  WrapArounds.clear();
  for (PHINode &Phi : Header.phis())
    findSum(Phi);
  return ConditionalSums.empty() ? 0 : Sums;
}

void RecurrenceSearch::rewrite() {
  for (const LastOne &Found : LastOnes)
    rewriteLast(Found);
  for (const ConditionalSum &Found : ConditionalSums)
    rewriteSum(Found);
  for (const ExactCounter &Found : ExactCounters)
    rewriteCounter(Found);
  SE.forgetLoop(&L);
  peel();
}

/// It is counted, innermost, and one block.
bool mayHaveRecurrences(Loop &L, PolyContext &C) {
  return L.isInnermost() && L.getNumBlocks() == 1 && L.isLoopSimplifyForm() &&
         L.getExitBlock() && L.getExitBlock()->getSinglePredecessor() &&
         L.isLCSSAForm(C.domTree()) && L.getHeader()->size() <= MaxInstructions &&
         !C.function().hasFnAttribute(Attribute::StrictFP) &&
         !isa<SCEVCouldNotCompute>(C.scev().getBackedgeTakenCount(&L));
}

} // namespace

extern "C" {

/// Which recurrences of the loop with this header get another form, as bits.
unsigned poly_recurrences(PolyContext *C, LLVMBasicBlockRef HeaderRef) {
  Loop *L = C->loops().getLoopFor(unwrap(HeaderRef));
  return mayHaveRecurrences(*L, *C) ? RecurrenceSearch(*C, *L).find() : 0;
}

/// Gives them that form. All analyses are dropped.
void poly_rewrite_recurrences(PolyContext *C, LLVMBasicBlockRef HeaderRef) {
  Loop *L = C->loops().getLoopFor(unwrap(HeaderRef));
  RecurrenceSearch Found(*C, *L);
  if (Found.find() != 0)
    Found.rewrite();
  C->reload();
}

} // extern "C"
