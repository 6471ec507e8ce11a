// Integer arithmetic of innermost loops in types of fewer bits.
//
// C computes with bytes and shorts in `int`, and LLVM compares counters of `int`
// in 64 bits once they index arrays: vectors then have a half or a quarter of
// the lanes that the values need. LLVM takes fewer bits where the result keeps
// only the low ones; a comparison, a minimum, an absolute value or a shift to
// the right needs to know that the high ones say nothing. Here intervals do.
//
// Values are looked at in a type of B bits in place of their own, 32 or 16:
//  - sums, products, logic, shifts to the left and choices have the same low B
//    bits, whatever their operands are;
//  - what depends on the order of its operands has the same result where both
//    lie in the signed numbers of B bits, or both in the unsigned ones: signed
//    comparisons become unsigned there. Divisions are by constants. A shift to the
//    right has the low bits that are asked for, if the high ones are not.
// Extensions begin such arithmetic, truncations to at most B bits, comparisons
// and, with 32 bits, conversions to floating point end it. What is used in
// another way stays, and so does what it is computed from: an extension in
// between costs what was gained, and would take the place of products and sums
// that have one instruction in vectors (`pmaddwd`, `psadbw`).
//
// Scalar code gains nothing from fewer bits. So a loop must be one that LLVM
// makes vectors of, and there must be fewer bits in all values of an iteration
// together. New code has no flags that make poison.

#include "narrow.h"
#include "shim.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace {

/// Most instructions of such a loop.
constexpr size_t MaxNarrowed = 500;
/// Most steps from a value to what it is computed from.
constexpr unsigned MaxRangeDepth = 24;
/// Most elements from one iteration to the next for which LLVM loads vectors and
/// picks the lanes out of them.
constexpr int64_t MaxVectorStride = 4;

/// The intervals of values, from those of what they are computed from.
class ValueRanges {
public:
  explicit ValueRanges(ScalarEvolution &SE) : SE(SE) {}

  ConstantRange of(Value *V, unsigned Depth = 0);

private:
  ConstantRange known(Value *V);
  ConstantRange computed(Instruction &I, unsigned Depth);

  ScalarEvolution &SE;
  DenseMap<Value *, ConstantRange> Memo;
};

ConstantRange ValueRanges::of(Value *V, unsigned Depth) {
  if (auto *Constant = dyn_cast<ConstantInt>(V))
    return ConstantRange(Constant->getValue());
  auto Found = Memo.find(V);
  if (Found != Memo.end())
    return Found->second;
  auto *I = dyn_cast<Instruction>(V);
  ConstantRange Range = I && Depth < MaxRangeDepth ? computed(*I, Depth + 1) : known(V);
  // What was cut off by the depth is looked at again from elsewhere.
  if (Depth < MaxRangeDepth)
    Memo.insert({V, Range});
  return Range;
}

/// What LLVM knows.
ConstantRange ValueRanges::known(Value *V) {
  if (!SE.isSCEVable(V->getType()))
    return ConstantRange::getFull(V->getType()->getIntegerBitWidth());
  const SCEV *S = SE.getSCEV(V);
  return SE.getSignedRange(S).intersectWith(SE.getUnsignedRange(S));
}

ConstantRange ValueRanges::computed(Instruction &I, unsigned Depth) {
  unsigned Bits = I.getType()->getIntegerBitWidth();
  auto Operand = [&](unsigned At) { return of(I.getOperand(At), Depth); };
  if (isa<ZExtInst>(I) || isa<SExtInst>(I) || isa<TruncInst>(I))
    return Operand(0).castOp(cast<CastInst>(I).getOpcode(), Bits);
  if (isa<SelectInst>(I))
    return Operand(1).unionWith(Operand(2));
  if (auto *Call = dyn_cast<IntrinsicInst>(&I)) {
    if (!ConstantRange::isIntrinsicSupported(Call->getIntrinsicID()))
      return known(&I);
    SmallVector<ConstantRange, 2> Arguments;
    for (Value *Argument : Call->args())
      Arguments.push_back(of(Argument, Depth));
    return ConstantRange::intrinsic(Call->getIntrinsicID(), Arguments);
  }
  auto *Operation = dyn_cast<BinaryOperator>(&I);
  if (!Operation)
    return known(&I);
  auto *Shift = dyn_cast<ConstantInt>(I.getOperand(1));
  if (I.getOpcode() == Instruction::Shl && Shift && Shift->getValue().ult(Bits))
    return Operand(0).multiply(ConstantRange(APInt::getOneBitSet(Bits, Shift->getZExtValue())));
  return Operand(0).binaryOp(Operation->getOpcode(), Operand(1));
}

/// Bits of the widest type of what is loaded, stored, or handed on to the next
/// iteration. LLVM gives vectors as many lanes as values of this type have room in
/// a register: those of fewer bits fill a part of it.
int64_t bitsOfLanes(Loop &L, const DataLayout &Layout) {
  int64_t Widest = 8;
  auto Add = [&](Type *T) {
    Widest = std::max(Widest, int64_t(Layout.getTypeSizeInBits(T).getKnownMinValue()));
  };
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (isa<LoadInst>(I) || isa<StoreInst>(I))
        Add(getLoadStoreType(&I));
  BasicBlock *Latch = L.getLoopLatch();
  for (PHINode &Phi : L.getHeader()->phis())
    // What is not used behind the loop is a counter, or a value of an element.
    if (any_of(L.getExitBlock()->phis(), [&](PHINode &Behind) {
          return Behind.getIncomingValueForBlock(Latch) == Phi.getIncomingValueForBlock(Latch);
        }))
      Add(Phi.getType());
  return Widest;
}

/// Arithmetic of a loop in `Bits` bits.
class Narrowing {
public:
  Narrowing(PolyContext &C, Loop &L, unsigned Bits);

  /// How many values get fewer bits.
  unsigned find();
  void rewrite();

private:
  bool isSigned(Value *V) { return Ranges.of(V).getSignedMin().isSignedIntN(Bits) &&
                                   Ranges.of(V).getSignedMax().isSignedIntN(Bits); }
  bool isUnsigned(Value *V) { return Ranges.of(V).getUnsignedMax().isIntN(Bits); }
  bool haveOrder(Value *A, Value *B) {
    return (isSigned(A) && isSigned(B)) || (isUnsigned(A) && isUnsigned(B));
  }
  bool isExtension(Value *V) const;
  bool isShiftOfOrder(Instruction &I);
  bool isDivisionOfOrder(Instruction &I);
  bool isDistance(IntrinsicInst &Abs) const;
  bool isLatchCondition(Instruction &I) const;
  BinaryOperator *shiftedBefore(Instruction &I) const;
  bool isHalf(Instruction &User);
  SmallVector<Value *, 2> operandsOf(Instruction &I) const;
  bool isNarrowable(Instruction &I);
  bool isEnd(Instruction &User, Value *V);
  bool isUsedNarrowly(Instruction &I);
  void collect();
  void choose();
  int64_t bitsOf(Value *V) const { return std::max(int64_t(V->getType()->getScalarSizeInBits()), LaneBits); }
  int64_t bitsOfMask(Instruction &I, int64_t Own) const;
  int64_t bitsOfLeaf(Value *V) const;
  int64_t gain(ArrayRef<Instruction *> Group);
  Value *narrowed(Value *V);
  Value *rewritten(Instruction &I);
  Value *ordered(Instruction &I);

  Loop &L;
  unsigned Bits;
  /// Bits of a value that is as wide as what vectors have lanes for.
  int64_t LaneBits;
  Type *Narrow;
  DemandedBits &Demanded;
  ValueRanges Ranges;
  SmallVector<Instruction *, 32> All;
  SmallPtrSet<Instruction *, 32> Members;
  DenseMap<Value *, Value *> New;
};

Narrowing::Narrowing(PolyContext &C, Loop &L, unsigned Bits)
    : L(L), Bits(Bits), LaneBits(bitsOfLanes(L, C.dataLayout())),
      Narrow(IntegerType::get(C.function().getContext(), Bits)),
      Demanded(C.analyses().getResult<DemandedBitsAnalysis>(C.function())), Ranges(C.scev()) {
  LoopBlocksRPO Order(&L);
  Order.perform(&C.loops());
  for (BasicBlock *Block : Order)
    for (Instruction &I : *Block)
      All.push_back(&I);
}

/// It has values of fewer bits already; the new code begins with an extension
/// of these, too.
bool Narrowing::isExtension(Value *V) const {
  auto *Extension = dyn_cast<CastInst>(V);
  return Extension && (isa<ZExtInst>(V) || isa<SExtInst>(V)) && L.contains(Extension) &&
         Extension->getSrcTy()->isIntegerTy() && Extension->getSrcTy()->getIntegerBitWidth() > 1 &&
         Extension->getSrcTy()->getIntegerBitWidth() <= Bits && V->getType()->getIntegerBitWidth() > Bits;
}

/// A shift to the right by a constant, of which the low bits are the same, or
/// those that are asked for.
bool Narrowing::isShiftOfOrder(Instruction &I) {
  auto *Shift = dyn_cast<ConstantInt>(I.getOperand(1));
  if (!Shift || !Shift->getValue().ult(Bits))
    return false;
  if (Demanded.getDemandedBits(&I).isIntN(Bits - Shift->getZExtValue()))
    return true;
  return isUnsigned(I.getOperand(0)) || (I.getOpcode() == Instruction::AShr && isSigned(I.getOperand(0)));
}

/// It decides whether there is another iteration, for all lanes together.
bool Narrowing::isLatchCondition(Instruction &I) const {
  return is_contained(I.users(), L.getLoopLatch()->getTerminator());
}

/// A division of numbers without a sign by a constant, or its remainder.
bool Narrowing::isDivisionOfOrder(Instruction &I) {
  auto *Divisor = dyn_cast<ConstantInt>(I.getOperand(1));
  return Divisor && !Divisor->isZero() && isUnsigned(I.getOperand(0)) && isUnsigned(Divisor);
}

/// The shift to the left that this shift to the right undoes: both together
/// extend the sign of fewer bits, and shifts in fewer bits that are closer do so.
BinaryOperator *Narrowing::shiftedBefore(Instruction &I) const {
  if (I.getOpcode() != Instruction::AShr && I.getOpcode() != Instruction::LShr)
    return nullptr;
  auto *Before = dyn_cast<BinaryOperator>(I.getOperand(0));
  if (!Before || Before->getOpcode() != Instruction::Shl || !L.contains(Before))
    return nullptr;
  unsigned Own = I.getType()->getIntegerBitWidth();
  auto IsFar = [&](Value *V) {
    auto *Amount = dyn_cast<ConstantInt>(V);
    return Amount && Amount->getValue().ult(Own) && Amount->getValue().uge(Own - Bits);
  };
  return IsFar(Before->getOperand(1)) && IsFar(I.getOperand(1)) ? Before : nullptr;
}

/// It is a shift to the left of which nothing is used but what is shifted back.
bool Narrowing::isHalf(Instruction &User) {
  return User.getOpcode() == Instruction::Shl && all_of(User.users(), [&](llvm::User *U) {
    auto *Shift = cast<Instruction>(U);
    return Members.contains(Shift) && shiftedBefore(*Shift) == &User;
  });
}

/// What the operation in fewer bits is computed from.
SmallVector<Value *, 2> Narrowing::operandsOf(Instruction &I) const {
  if (isExtension(&I))
    return {};
  if (isa<SelectInst>(I))
    return {I.getOperand(1), I.getOperand(2)};
  if (BinaryOperator *Before = shiftedBefore(I))
    return {Before->getOperand(0)};
  if (I.isShift() || (isa<IntrinsicInst>(I) && !isa<MinMaxIntrinsic>(I)))
    return {I.getOperand(0)};
  return {I.getOperand(0), I.getOperand(1)};
}

/// It is the absolute difference of two numbers, in their own type, which LLVM
/// computes there.
bool Narrowing::isDistance(IntrinsicInst &Abs) const {
  auto *Difference = dyn_cast<BinaryOperator>(Abs.getArgOperand(0));
  if (!Difference || Difference->getOpcode() != Instruction::Sub)
    return false;
  auto *A = dyn_cast<CastInst>(Difference->getOperand(0)), *B = dyn_cast<CastInst>(Difference->getOperand(1));
  return A && B && isExtension(A) && A->getOpcode() == B->getOpcode() && A->getSrcTy() == B->getSrcTy() &&
         all_of(Abs.users(), [&](User *U) { return isa<TruncInst>(U) && U->getType() == A->getSrcTy(); });
}

/// Its low bits, or its truth, are those of the same operation in fewer bits.
bool Narrowing::isNarrowable(Instruction &I) {
  auto HasWide = [&](Type *T) {
    return T->isIntegerTy() && T->getIntegerBitWidth() > Bits && T->getIntegerBitWidth() <= 64;
  };
  if (auto *Compare = dyn_cast<ICmpInst>(&I))
    return HasWide(I.getOperand(0)->getType()) && !isLatchCondition(I) &&
           haveOrder(Compare->getOperand(0), Compare->getOperand(1));
  if (!HasWide(I.getType()))
    return false;
  if (isExtension(&I) || isa<SelectInst>(I))
    return true;
  if (auto *Call = dyn_cast<IntrinsicInst>(&I)) {
    if (isa<MinMaxIntrinsic>(I))
      return haveOrder(Call->getArgOperand(0), Call->getArgOperand(1));
    return Call->getIntrinsicID() == Intrinsic::abs && isSigned(Call->getArgOperand(0)) && !isDistance(*Call);
  }
  auto *Amount = I.getNumOperands() == 2 ? dyn_cast<ConstantInt>(I.getOperand(1)) : nullptr;
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return true;
  case Instruction::Shl:
    return Amount && Amount->getValue().ult(Bits);
  case Instruction::LShr:
  case Instruction::AShr:
    return shiftedBefore(I) || isShiftOfOrder(I);
  case Instruction::UDiv:
  case Instruction::URem:
    return isDivisionOfOrder(I);
  default:
    return false;
  }
}

/// It needs no more than the low bits of the value, or no more than the number
/// in fewer bits.
bool Narrowing::isEnd(Instruction &User, Value *V) {
  if (!L.contains(&User))
    return false;
  if (isa<TruncInst>(User))
    return User.getType()->getIntegerBitWidth() <= Bits;
  if (isa<SIToFPInst>(User) && User.getType()->isFloatingPointTy())
    return Bits >= 32 && isSigned(V);
  return false;
}

bool Narrowing::isUsedNarrowly(Instruction &I) {
  if (isa<ICmpInst>(I) || isExtension(&I))
    return true;
  return all_of(I.users(), [&](User *U) {
    auto *Used = cast<Instruction>(U);
    return Members.contains(Used) || isEnd(*Used, &I) || isHalf(*Used);
  });
}

/// The values that may have fewer bits: what is used in another way is none, nor
/// what only it is computed from.
void Narrowing::collect() {
  for (Instruction *I : All)
    if (isNarrowable(*I))
      Members.insert(I);
  bool HasChanged = true;
  while (HasChanged) {
    HasChanged = false;
    for (Instruction *I : reverse(All))
      if (Members.contains(I) && !isUsedNarrowly(*I)) {
        Members.erase(I);
        HasChanged = true;
      }
  }
}

/// Bits of what a comparison of `Own` bits is brought to for those who use it.
int64_t Narrowing::bitsOfMask(Instruction &I, int64_t Own) const {
  int64_t Sum = 0;
  for (User *U : I.users()) {
    auto *Used = cast<Instruction>(U);
    if (!isa<SelectInst>(Used) && !isa<ZExtInst>(Used) && !isa<SExtInst>(Used))
      continue;
    bool IsMember = !isa<CastInst>(Used) && Members.contains(Used);
    int64_t Wanted = std::max(int64_t(Used->getType()->getScalarSizeInBits()), LaneBits);
    Wanted = IsMember && Own <= std::max(int64_t(Bits), LaneBits) ? Own : Wanted;
    // From a width to another one, half of it or double at a time.
    for (int64_t Width = std::min(Wanted, Own); Width < std::max(Wanted, Own); Width *= 2)
      Sum += 2 * Width;
  }
  return Sum;
}

/// Bits of the truncation of what is no member.
int64_t Narrowing::bitsOfLeaf(Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return 0;
  // A counter in fewer bits takes the place of the other one: addresses need no vectors.
  return isa<PHINode>(I) && I->getParent() == L.getHeader() ? 0 : bitsOf(I);
}

/// By how many bits the values of an iteration get fewer.
int64_t Narrowing::gain(ArrayRef<Instruction *> Group) {
  int64_t Sum = 0;
  int64_t Few = std::max(int64_t(Bits), LaneBits);
  SmallPtrSet<Value *, 16> Leaves;
  SmallPtrSet<Instruction *, 16> Ends;
  for (Instruction *I : Group) {
    if (isExtension(I)) {
      auto IsMember = [&](User *U) { return Members.contains(cast<Instruction>(U)); };
      Sum += all_of(I->users(), IsMember) ? bitsOf(I) : 0;
      Sum -= I->getOperand(0)->getType() == Narrow ? 0 : Few;
      continue;
    }
    bool IsCompare = isa<ICmpInst>(I);
    int64_t Own = bitsOf(IsCompare ? I->getOperand(0) : I);
    Sum += Own - Few;
    if (IsCompare)
      Sum += bitsOfMask(*I, Own) - bitsOfMask(*I, Few);
    if (shiftedBefore(*I))
      Sum += Own;
    for (Value *Operand : operandsOf(*I)) {
      auto *Computed = dyn_cast<Instruction>(Operand);
      if (!(Computed && Members.contains(Computed)) && Leaves.insert(Operand).second)
        Sum -= bitsOfLeaf(Operand);
    }
    for (User *U : I->users())
      if (auto *End = dyn_cast<TruncInst>(U); End && Ends.insert(End).second)
        Sum += Own - (End->getType() == Narrow ? 0 : Few);
  }
  return Sum;
}

/// Of the values that are computed from each other, those that gain stay.
void Narrowing::choose() {
  EquivalenceClasses<Instruction *> Groups;
  for (Instruction *I : All) {
    if (!Members.contains(I))
      continue;
    Groups.insert(I);
    for (Value *Operand : operandsOf(*I))
      if (auto *Computed = dyn_cast<Instruction>(Operand); Computed && Members.contains(Computed))
        Groups.unionSets(I, Computed);
  }
  MapVector<Instruction *, SmallVector<Instruction *, 16>> Lists;
  for (Instruction *I : All)
    if (Members.contains(I))
      Lists[Groups.getLeaderValue(I)].push_back(I);
  SmallVector<Instruction *, 16> Dropped;
  for (auto &List : Lists)
    if (gain(List.second) <= 0)
      Dropped.append(List.second.begin(), List.second.end());
  for (Instruction *I : Dropped)
    Members.erase(I);
}

unsigned Narrowing::find() {
  collect();
  choose();
  return count_if(Members, [&](Instruction *I) { return !isExtension(I); });
}

/// The value in fewer bits.
Value *Narrowing::narrowed(Value *V) {
  if (auto *Constant = dyn_cast<ConstantInt>(V))
    return ConstantInt::get(Narrow->getContext(), Constant->getValue().trunc(Bits));
  Value *&Found = New[V];
  if (Found)
    return Found;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return Found = IRBuilder<>(L.getLoopPreheader()->getTerminator()).CreateTrunc(V, Narrow, "narrow");
  BasicBlock *Block = I->getParent();
  IRBuilder<> B(Block, isa<PHINode>(I) ? Block->getFirstInsertionPt() : std::next(I->getIterator()));
  B.SetCurrentDebugLocation(I->getDebugLoc());
  return Found = B.CreateTrunc(V, Narrow, "narrow");
}

/// What depends on the order of its operands. Numbers without a sign that have
/// room for one are compared as signed ones: not all vectors compare others.
Value *Narrowing::ordered(Instruction &I) {
  IRBuilder<> B(&I);
  Value *A = I.getOperand(0), *Other = I.getOperand(1);
  bool IsSigned = isSigned(A) && isSigned(Other), IsUnsigned = isUnsigned(A) && isUnsigned(Other);
  if (auto *Compare = dyn_cast<ICmpInst>(&I)) {
    auto Predicate = Compare->getPredicate();
    if (!IsSigned)
      Predicate = Compare->getUnsignedPredicate();
    else if (IsUnsigned)
      Predicate = Compare->getSignedPredicate();
    return B.CreateICmp(Predicate, narrowed(A), narrowed(Other));
  }
  Intrinsic::ID Kind = cast<MinMaxIntrinsic>(I).getIntrinsicID();
  bool IsLess = Kind == Intrinsic::smin || Kind == Intrinsic::umin;
  if (!IsSigned)
    Kind = IsLess ? Intrinsic::umin : Intrinsic::umax;
  else if (IsUnsigned)
    Kind = IsLess ? Intrinsic::smin : Intrinsic::smax;
  return B.CreateBinaryIntrinsic(Kind, narrowed(A), narrowed(Other));
}

Value *Narrowing::rewritten(Instruction &I) {
  IRBuilder<> B(&I);
  if (isExtension(&I))
    return B.CreateCast(cast<CastInst>(I).getOpcode(), I.getOperand(0), Narrow);
  if (isa<ICmpInst>(I) || isa<MinMaxIntrinsic>(I))
    return ordered(I);
  if (auto *Select = dyn_cast<SelectInst>(&I))
    return B.CreateSelect(Select->getCondition(), narrowed(Select->getTrueValue()),
                          narrowed(Select->getFalseValue()));
  if (isa<IntrinsicInst>(I))
    return B.CreateBinaryIntrinsic(Intrinsic::abs, narrowed(I.getOperand(0)), B.getFalse());
  if (BinaryOperator *Before = shiftedBefore(I)) {
    auto Shifted = [&](Instruction::BinaryOps Opcode, Value *V, Value *Amount) {
      uint64_t Closer = cast<ConstantInt>(Amount)->getZExtValue() - (I.getType()->getIntegerBitWidth() - Bits);
      return Closer == 0 ? V : B.CreateBinOp(Opcode, V, ConstantInt::get(Narrow, Closer));
    };
    Value *Left = Shifted(Instruction::Shl, narrowed(Before->getOperand(0)), Before->getOperand(1));
    return Shifted(cast<BinaryOperator>(I).getOpcode(), Left, I.getOperand(1));
  }
  // A number that has no sign in fewer bits has none in more.
  bool IsSigned = I.getOpcode() == Instruction::AShr && isSigned(I.getOperand(0));
  auto Opcode = I.getOpcode() == Instruction::AShr && !IsSigned ? Instruction::LShr
                                                               : cast<BinaryOperator>(I).getOpcode();
  return B.CreateBinOp(Opcode, narrowed(I.getOperand(0)), narrowed(I.getOperand(1)));
}

void Narrowing::rewrite() {
  SmallVector<WeakTrackingVH, 16> Dead;
  for (Instruction *I : All) {
    if (!Members.contains(I))
      continue;
    Value *Result = rewritten(*I);
    New[I] = Result;
    if (isa<ICmpInst>(I))
      I->replaceAllUsesWith(Result);
    Dead.push_back(I);
  }
  for (Instruction *I : All) {
    if (!Members.contains(I) || isa<ICmpInst>(I) || isExtension(I))
      continue;
    for (User *U : make_early_inc_range(I->users())) {
      auto *End = cast<Instruction>(U);
      IRBuilder<> B(End);
      if (isa<TruncInst>(End) && isEnd(*End, I)) {
        End->replaceAllUsesWith(B.CreateTrunc(New[I], End->getType()));
        Dead.push_back(End);
      } else if (isa<SIToFPInst>(End)) {
        End->setOperand(0, New[I]);
      }
    }
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
}

/// It moves by so few elements that LLVM loads or stores vectors, or not at all.
bool isVectorAccess(Instruction &I, Loop &L, ScalarEvolution &SE, int64_t MaxStride) {
  Type *Accessed = getLoadStoreType(&I);
  const SCEV *Pointer = SE.getSCEV(getLoadStorePointerOperand(&I));
  if (SE.isLoopInvariant(Pointer, &L))
    return isa<LoadInst>(I);
  auto *Moves = dyn_cast<SCEVAddRecExpr>(Pointer);
  auto *Step = Moves && Moves->getLoop() == &L ? dyn_cast<SCEVConstant>(Moves->getStepRecurrence(SE)) : nullptr;
  if (!Step || Step->getAPInt().getSignificantBits() > 32 || Accessed->isAggregateType())
    return false;
  int64_t Bytes = int64_t(SE.getDataLayout().getTypeStoreSize(Accessed).getKnownMinValue());
  int64_t Moved = std::abs(Step->getAPInt().getSExtValue());
  return Moved <= MaxStride * Bytes && Moved % Bytes == 0;
}

/// Vectors of it have masks.
bool hasMask(Instruction &I, TargetTransformInfo &Target) {
  Type *Accessed = getLoadStoreType(&I);
  Align Alignment = getLoadStoreAlignment(&I);
#if LLVM_VERSION_MAJOR >= 21
  unsigned Space = getLoadStoreAddressSpace(&I);
  return isa<LoadInst>(I) ? Target.isLegalMaskedLoad(Accessed, Alignment, Space)
                          : Target.isLegalMaskedStore(Accessed, Alignment, Space);
#else
  return isa<LoadInst>(I) ? Target.isLegalMaskedLoad(Accessed, Alignment)
                          : Target.isLegalMaskedStore(Accessed, Alignment);
#endif
}

/// A PHI node of the header that vectors have a form for.
bool isVectorPhi(PHINode &Phi, Loop &L, PolyContext &C) {
  InductionDescriptor Induction;
  if (InductionDescriptor::isInductionPHI(&Phi, &L, &C.scev(), Induction))
    return Induction.getKind() != InductionDescriptor::IK_FpInduction;
  if (RecurrenceDescriptor::isFixedOrderRecurrence(&Phi, &L, &C.domTree()))
    return true;
  RecurrenceDescriptor Reduction;
  if (!RecurrenceDescriptor::isReductionPHI(&Phi, &L, Reduction))
    return false;
  return !Phi.getType()->isFloatingPointTy() || Reduction.getFastMathFlags().allowReassoc();
}

/// An instruction that has a form for vectors, in each block.
bool isVectorInstruction(Instruction &I, Loop &L, PolyContext &C, int64_t MaxStride) {
  if (I.getType()->isVectorTy() || isa<AllocaInst>(I))
    return false;
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    auto *Known = dyn_cast<IntrinsicInst>(Call);
    return Known && (isTriviallyVectorizable(Known->getIntrinsicID()) || Known->isAssumeLikeIntrinsic());
  }
  if (I.isIntDivRem())
    return isa<ConstantInt>(I.getOperand(1));
  if (isa<LoadInst>(I) || isa<StoreInst>(I)) {
    bool IsSimple = isa<LoadInst>(I) ? cast<LoadInst>(I).isSimple() : cast<StoreInst>(I).isSimple();
    return IsSimple && isVectorAccess(I, L, C.scev(), MaxStride) &&
           (C.domTree().dominates(I.getParent(), L.getLoopLatch()) || hasMask(I, C.target()));
  }
  return !I.isAtomic() && !I.mayHaveSideEffects();
}

/// LLVM makes vectors of loops of the function.
bool mayHaveVectors(PolyContext &C) {
  return !C.function().hasOptSize() && !C.function().hasFnAttribute(Attribute::NoImplicitFloat) &&
         C.target().getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue() != 0;
}

} // namespace

bool hasVectors(Loop &L, PolyContext &C, int64_t MaxStride) {
  if (!mayHaveVectors(C) || hasDisableAllTransformsHint(&L) ||
      getBooleanLoopAttribute(&L, "llvm.loop.isvectorized") ||
      hasVectorizeTransformation(&L) == TM_SuppressedByUser)
    return false;
  for (PHINode &Phi : L.getHeader()->phis())
    if (!isVectorPhi(Phi, L, C))
      return false;
  for (BasicBlock *Block : L.blocks()) {
    if (!isa<BranchInst>(Block->getTerminator()))
      return false;
    for (Instruction &I : Block->instructionsWithoutDebug())
      if (!I.isTerminator() && !isVectorInstruction(I, L, C, MaxStride))
        return false;
  }
  if (L.isAnnotatedParallel())
    return true;
  return C.analyses().getResult<LoopAccessAnalysis>(C.function()).getInfo(L).canVectorizeMemory();
}

namespace {

/// It is innermost and counted, and is left at its end only.
bool mayBeNarrowed(Loop &L, PolyContext &C) {
  size_t Instructions = 0;
  for (BasicBlock *Block : L.blocks())
    Instructions += Block->size();
  return L.isInnermost() && L.isLoopSimplifyForm() && Instructions <= MaxNarrowed && L.isLCSSAForm(C.domTree()) &&
         L.getExitingBlock() && L.getExitingBlock() == L.getLoopLatch() &&
         !isa<SCEVCouldNotCompute>(C.scev().getBackedgeTakenCount(&L));
}

} // namespace

extern "C" {

/// How many values of the loop with this header get `Bits` bits in place of more.
unsigned poly_narrowings(PolyContext *C, LLVMBasicBlockRef HeaderRef, unsigned Bits) {
  Loop *L = C->loops().getLoopFor(unwrap(HeaderRef));
  if (!L || !mayBeNarrowed(*L, *C))
    return 0;
  unsigned Found = Narrowing(*C, *L, Bits).find();
  return Found != 0 && hasVectors(*L, *C, MaxVectorStride) ? Found : 0;
}

/// Gives them so many. All analyses are dropped.
void poly_narrow(PolyContext *C, LLVMBasicBlockRef HeaderRef, unsigned Bits) {
  Loop *L = C->loops().getLoopFor(unwrap(HeaderRef));
  Narrowing Found(*C, *L, Bits);
  if (Found.find() != 0)
    Found.rewrite();
  C->reload();
}

} // extern "C"
