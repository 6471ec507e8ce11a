// Rows that a number of the iteration picks: `table[i % 2][j]`.
//
// Of a table of which the program keeps two rows, or three, `i % 2` says which
// one an iteration means. Where `i` counts a loop, the rows come round in a
// ring: row `(x + c) % m` is where the row before was an iteration ago. Here the
// addresses of the rows are computed in front of the loop, and PHI nodes hand
// them round in it, as in a program that swaps pointers.
//
// 1. A *pick* is a value `(x + c) % m` with a small constant `m`, where `x` counts
//    a loop by a constant and begins with something known before. A number that
//    does not divide the number of integers needs an `x` that never wraps around.
// 2. An address `base + pick * size + ..` whose base does not change in the loop,
//    and in front of whose pick there are only constants, is one of row `c` of
//    the ring of its base.
// 3. Rings are made where all accesses of the loop to the same object go through
//    them. ScalarEvolution must not see where in the object a row begins: each row
//    is an array of its own then, and that they are apart is found out as for
//    others. So addresses of rows are those that `launder.invariant.group` gives,
//    which says nothing else, and which alias analysis looks through.

#include "expand.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace {

/// Most rows of a ring.
constexpr uint64_t MaxRows = 4;

/// `(From + Ahead) % Rows`.
struct Pick {
  const SCEVAddRecExpr *From;
  uint64_t Ahead, Rows;
};

/// The integer that a narrower or wider one is, if none of them is negative and
/// all of them are small.
Value *ofAnyWidth(Value *V) {
  using namespace PatternMatch;
  Value *Inner;
  while (match(V, m_ZExt(m_Value(Inner))) || match(V, m_SExt(m_Value(Inner))) ||
         match(V, m_Trunc(m_Value(Inner)))) {
    if (Inner->getType()->getScalarSizeInBits() < 8 ||
        V->getType()->getScalarSizeInBits() < 8)
      return V;
    V = Inner;
  }
  return V;
}

/// The counter of a loop whose remainder counts as well.
const SCEVAddRecExpr *countedBy(Value *V, uint64_t Rows, PolyContext &C) {
  ScalarEvolution &SE = C.scev();
  auto *From = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(V));
  if (!From || !From->isAffine() || !isa<SCEVConstant>(From->getOperand(1)))
    return nullptr;
  bool IsWhole = isPowerOf2_64(Rows) || From->hasNoUnsignedWrap() ||
                 (From->hasNoSignedWrap() &&
                  SE.isKnownNonNegative(From->getStart()) &&
                  SE.isKnownNonNegative(From->getOperand(1)));
  return IsWhole ? From : nullptr;
}

/// What a value picks, if it picks something.
std::optional<Pick> pickOf(Value *V, PolyContext &C) {
  using namespace PatternMatch;
  V = ofAnyWidth(V);
  Value *Inner;
  const APInt *By;
  if (!V->getType()->isIntegerTy())
    return std::nullopt;
  uint64_t Rows = 0;
  if (match(V, m_And(m_Value(Inner), m_APInt(By))) && (*By + 1).isPowerOf2())
    Rows = By->getLimitedValue(MaxRows) + 1;
  else if (match(V, m_URem(m_Value(Inner), m_APInt(By))) ||
           (match(V, m_SRem(m_Value(Inner), m_APInt(By))) &&
            C.scev().isKnownNonNegative(C.scev().getSCEV(Inner))))
    Rows = By->getLimitedValue(MaxRows + 1);
  if (Rows >= 2 && Rows <= MaxRows) {
    const SCEVAddRecExpr *From = countedBy(Inner, Rows, C);
    return From ? std::optional<Pick>({From, 0, Rows}) : std::nullopt;
  }
  // The other one of two.
  if (!match(V, m_Xor(m_Value(Inner), m_SpecificInt(1))) &&
      !match(V, m_Sub(m_SpecificInt(1), m_Value(Inner))))
    return std::nullopt;
  std::optional<Pick> Other = pickOf(Inner, C);
  if (!Other || Other->Rows != 2)
    return std::nullopt;
  Other->Ahead = 1 - Other->Ahead;
  return Other;
}

/// An address in a row, and which of its operands picks the row.
struct InRow {
  GetElementPtrInst *Address;
  unsigned Operand;
  Pick Row;
};

/// Addresses of one loop with one base, which rows of one size begin.
using Rings = MapVector<std::pair<Value *, uint64_t>, SmallVector<InRow, 8>>;

/// How far apart rows are that this operand of an address picks.
uint64_t distanceOfRows(const GetElementPtrInst &Address, unsigned Operand,
                        const DataLayout &Layout) {
  auto It = gep_type_begin(Address);
  std::advance(It, Operand - 1);
  TypeSize Size = It.getSequentialElementStride(Layout);
  return It.isStruct() || Size.isScalable() ? 0 : Size.getFixedValue();
}

/// The address as one of a row of the loop.
std::optional<InRow> inRow(GetElementPtrInst &Address, const Loop &L,
                           PolyContext &C) {
  if (!Address.getType()->isPointerTy() ||
      !L.isLoopInvariant(Address.getPointerOperand()))
    return std::nullopt;
  for (unsigned I = 1; I < Address.getNumOperands(); ++I) {
    auto *Constant = dyn_cast<ConstantInt>(Address.getOperand(I));
    if (Constant && Constant->isZero())
      continue;
    std::optional<Pick> Row = pickOf(Address.getOperand(I), C);
    if (!Row || Row->From->getLoop() != &L ||
        !C.scev().isLoopInvariant(Row->From->getStart(), &L))
      return std::nullopt;
    return InRow{&Address, I, *Row};
  }
  return std::nullopt;
}

/// The addresses in rows of a loop.
Rings ringsOf(const Loop &L, PolyContext &C) {
  Rings Found;
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      auto *Address = dyn_cast<GetElementPtrInst>(&I);
      std::optional<InRow> In =
          Address ? inRow(*Address, L, C) : std::nullopt;
      if (!In)
        continue;
      uint64_t Apart = distanceOfRows(*Address, In->Operand, C.dataLayout());
      if (Apart > 0)
        Found[{Address->getPointerOperand(), Apart}].push_back(*In);
    }
  return Found;
}

/// By how many rows the second pick is ahead of the first one at the same time.
std::optional<uint64_t> ahead(const Pick &First, const Pick &Second,
                              ScalarEvolution &SE) {
  auto *Step = cast<SCEVConstant>(First.From->getOperand(1));
  auto *OtherStep = cast<SCEVConstant>(Second.From->getOperand(1));
  uint64_t Rows = First.Rows;
  if (Second.Rows != Rows ||
      Step->getAPInt().urem(Rows) != OtherStep->getAPInt().urem(Rows))
    return std::nullopt;
  const SCEV *From = First.From->getStart(), *To = Second.From->getStart();
  uint64_t Distance;
  auto *A = dyn_cast<SCEVConstant>(From), *B = dyn_cast<SCEVConstant>(To);
  if (A && B) {
    Distance = B->getAPInt().urem(Rows) + Rows - A->getAPInt().urem(Rows);
  } else {
    if (From->getType() != To->getType() || !isPowerOf2_64(Rows))
      return std::nullopt;
    auto *Known = dyn_cast<SCEVConstant>(SE.getMinusSCEV(To, From));
    if (!Known)
      return std::nullopt;
    Distance = Known->getAPInt().urem(Rows);
  }
  return (Distance + Second.Ahead) % Rows;
}

/// The pick without what it is ahead.
Pick beginOf(const Pick &Row) { return {Row.From, 0, Row.Rows}; }

/// Whether the rows of a ring can be numbered, and every access of the loop to
/// its object goes through it.
bool isRing(const Loop &L, Value *Base, ArrayRef<InRow> Uses, PolyContext &C) {
  if (!Expander(C, "poly").isSafeToExpandAt(
          Uses[0].Row.From->getStart(), L.getLoopPreheader()->getTerminator()))
    return false;
  SmallPtrSet<const Value *, 8> Addresses;
  for (const InRow &Use : Uses) {
    if (!ahead(beginOf(Uses[0].Row), Use.Row, C.scev()))
      return false;
    Addresses.insert(Use.Address);
  }
  const Value *Object = getUnderlyingObject(Base);
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      for (Value *Operand : I.operands()) {
        if (!Operand->getType()->isPointerTy() || Addresses.contains(&I) ||
            Addresses.contains(Operand) || isa<GetElementPtrInst>(I))
          continue;
        for (const Value *At = Operand; !Addresses.contains(At);) {
          auto *Step = dyn_cast<GetElementPtrInst>(At);
          if (Step) {
            At = Step->getPointerOperand();
            continue;
          }
          if (getUnderlyingObject(At) == Object)
            return false;
          break;
        }
      }
  return true;
}

/// The addresses of the rows, in front of the loop.
SmallVector<Value *, MaxRows> firstRows(const Loop &L, const InRow &Like,
                                        PolyContext &C) {
  Instruction *At = L.getLoopPreheader()->getTerminator();
  Expander Expand(C, "poly");
  IRBuilder<> B(At);
  const SCEV *Start = Like.Row.From->getStart();
  Value *First = Expand.expandCodeFor(Start, Start->getType(), At);
  Type *Index = Like.Address->getOperand(Like.Operand)->getType();
  Value *Base = Like.Address->getPointerOperand();
  SmallVector<Value *, MaxRows> Result;
  for (uint64_t Row = 0; Row < Like.Row.Rows; ++Row) {
    Value *Number = B.CreateURem(
        B.CreateAdd(B.CreateURem(First, ConstantInt::get(First->getType(), Like.Row.Rows)),
                    ConstantInt::get(First->getType(), Row)),
        ConstantInt::get(First->getType(), Like.Row.Rows));
    SmallVector<Value *, 4> Indices;
    for (unsigned I = 1; I < Like.Operand; ++I)
      Indices.push_back(Like.Address->getOperand(I));
    Indices.push_back(B.CreateZExtOrTrunc(Number, Index));
    Value *Address = B.CreateGEP(Like.Address->getSourceElementType(), Base, Indices);
    Result.push_back(B.CreateLaunderInvariantGroup(Address));
  }
  return Result;
}

/// Hands the rows round in the loop; one PHI node for each.
SmallVector<PHINode *, MaxRows> handedRound(const Loop &L, const InRow &Like,
                                            PolyContext &C) {
  SmallVector<Value *, MaxRows> First = firstRows(L, Like, C);
  auto *Step = cast<SCEVConstant>(Like.Row.From->getOperand(1));
  uint64_t By = Step->getAPInt().urem(Like.Row.Rows);
  SmallVector<PHINode *, MaxRows> Rows;
  for (Value *Row : First) {
    Rows.push_back(PHINode::Create(Row->getType(), 2, "poly.picked",
                                   L.getHeader()->begin()));
    Rows.back()->addIncoming(Row, L.getLoopPreheader());
  }
  for (uint64_t Row = 0; Row < Rows.size(); ++Row)
    Rows[Row]->addIncoming(Rows[(Row + By) % Rows.size()], L.getLoopLatch());
  return Rows;
}

/// Computes the address from that of its row.
void useRow(const InRow &Use, Value *Row) {
  GetElementPtrInst *Address = Use.Address;
  Value *New = Row;
  if (Use.Operand + 1 < Address->getNumOperands()) {
    SmallVector<Value *, 4> Indices;
    for (unsigned I = 1; I <= Use.Operand; ++I)
      Indices.push_back(Address->getOperand(I));
    Type *Inner = GetElementPtrInst::getIndexedType(
        Address->getSourceElementType(), Indices);
    Indices.assign(1, ConstantInt::get(Address->getOperand(Use.Operand)->getType(), 0));
    for (unsigned I = Use.Operand + 1; I < Address->getNumOperands(); ++I)
      Indices.push_back(Address->getOperand(I));
    IRBuilder<> B(Address);
    New = Address->isInBounds() ? B.CreateInBoundsGEP(Inner, Row, Indices)
                                : B.CreateGEP(Inner, Row, Indices);
  }
  Address->replaceAllUsesWith(New);
  Address->eraseFromParent();
}

/// Whether a loop hands rows round, or does from now on.
bool pickedRows(Loop &L, PolyContext &C, bool IsLook) {
  if (L.isInnermost() || !L.getLoopPreheader() || !L.getLoopLatch() ||
      L.getExitingBlock() != L.getLoopLatch())
    return false;
  bool IsFound = false;
  for (auto &[Begin, Uses] : ringsOf(L, C)) {
    auto *Step = cast<SCEVConstant>(Uses[0].Row.From->getOperand(1));
    if (Step->getAPInt().urem(Uses[0].Row.Rows) == 0 ||
        !isRing(L, Begin.first, Uses, C))
      continue;
    IsFound = true;
    if (IsLook)
      return true;
    // The numbers first: new code outdates what is known of the counters.
    SmallVector<uint64_t, 8> Numbers;
    for (const InRow &Use : Uses)
      Numbers.push_back(*ahead(beginOf(Uses[0].Row), Use.Row, C.scev()));
    SmallVector<PHINode *, MaxRows> Rows = handedRound(L, Uses[0], C);
    for (auto [Use, Number] : zip(Uses, Numbers))
      useRow(Use, Rows[Number]);
  }
  return IsFound;
}

} // namespace

extern "C" {

/// The headers of the loops in which numbers of iterations pick rows.
void poly_loops_that_pick(PolyContext *C, PointerSink Sink, void *Into) {
  for (Loop *L : C->loops().getLoopsInPreorder())
    if (pickedRows(*L, *C, /*IsLook=*/true))
      Sink(Into, wrap(L->getHeader()));
}

/// Hands such rows round in PHI nodes. All analyses are dropped.
void poly_hand_rows_round(PolyContext *C) {
  SmallVector<Loop *, 4> Loops = C->loops().getLoopsInPreorder();
  for (Loop *L : Loops)
    pickedRows(*L, *C, /*IsLook=*/false);
  C->reload();
}

} // extern "C"
