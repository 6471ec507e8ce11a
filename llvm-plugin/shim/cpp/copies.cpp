// Copies of blocks of memory as loops over their elements.
//
// LLVM makes one call of a loop that copies a row to another one, and programs
// copy whole tables with one. In a loop together with other loops over the same
// elements, the call is an obstacle: it is one operation for a model of loops,
// which must be executed as a whole.
//
// A call is taken apart if the loop that it is in has other loops inside, which
// load or store elements of one of the two blocks, and if its length is a multiple
// of the size of these. Where they are accessed as elements of an array of several
// dimensions, there is a loop for each. Blocks that may overlap stay as they are.

#include "expand.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace {

/// A block of memory that is copied, as elements.
struct Elements {
  MemTransferInst *Copy;
  /// The loop over what is done with the elements.
  Loop *Around;
  Type *Element;
  /// Sizes of dimensions but the outermost one, and the number of iterations there.
  SmallVector<uint64_t, 2> Inner;
  const SCEV *Outer;
};

/// The type of the elements, if an access is to what begins at one of the bases.
Type *elementAt(Instruction &I, ArrayRef<const SCEV *> Bases,
                ScalarEvolution &SE) {
  const Value *At = getLoadStorePointerOperand(&I);
  if (!At)
    return nullptr;
  Type *Element = getLoadStoreType(&I);
  if (!Element->isIntegerTy() && !Element->isFloatTy() && !Element->isDoubleTy())
    return nullptr;
  const SCEV *Base = SE.getPointerBase(SE.getSCEV(const_cast<Value *>(At)));
  return is_contained(Bases, Base) ? Element : nullptr;
}

/// The type of the elements that inner loops of the loop access at the bases.
Type *elementIn(const Loop &L, ArrayRef<const SCEV *> Bases,
                ScalarEvolution &SE) {
  for (const Loop *Inner : L.getSubLoops())
    for (BasicBlock *B : Inner->blocks())
      for (Instruction &I : *B)
        if (Type *Element = elementAt(I, Bases, SE))
          return Element;
  return nullptr;
}

/// The sizes of the inner dimensions of an array as one address has them.
SmallVector<uint64_t, 2> innerSizes(const GetElementPtrInst &Address,
                                    Type *Element) {
  Type *Row = Address.getSourceElementType();
  auto *First = dyn_cast<ConstantInt>(Address.getOperand(1));
  if (First && First->isZero() && Row->isArrayTy())
    Row = Row->getArrayElementType();
  SmallVector<uint64_t, 2> Sizes;
  for (; Row->isArrayTy(); Row = Row->getArrayElementType())
    Sizes.push_back(Row->getArrayNumElements());
  if (Row != Element)
    Sizes.clear();
  return Sizes;
}

/// The sizes of the inner dimensions of what begins at one of the pointers.
SmallVector<uint64_t, 2> shapeIn(const Loop &L, const MemTransferInst &Copy,
                                 Type *Element) {
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      auto *Address = dyn_cast<GetElementPtrInst>(&I);
      if (!Address || (Address->getPointerOperand() != Copy.getRawDest() &&
                       Address->getPointerOperand() != Copy.getRawSource()))
        continue;
      SmallVector<uint64_t, 2> Sizes = innerSizes(*Address, Element);
      if (!Sizes.empty())
        return Sizes;
    }
  return {};
}

/// Whether the two blocks are apart, or the same.
bool areApart(const MemTransferInst &Copy, PolyContext &C) {
  return isa<MemCpyInst>(Copy) ||
         C.alias().isNoAlias(MemoryLocation::getForDest(&Copy),
                             MemoryLocation::getForSource(&Copy));
}

/// A number divided by one that it is a multiple of, as signed or unsigned integers
/// that do not wrap around; null if that is not known.
const SCEV *quotient(const SCEV *Number, uint64_t By, bool IsSigned,
                     ScalarEvolution &SE) {
  SCEV::NoWrapFlags Whole = IsSigned ? SCEV::FlagNSW : SCEV::FlagNUW;
  if (auto *Known = dyn_cast<SCEVConstant>(Number)) {
    const APInt &Value = Known->getAPInt();
    APInt Parts(Value.getBitWidth(), By);
    if (IsSigned)
      return Value.srem(Parts).isZero() ? SE.getConstant(Value.sdiv(Parts)) : nullptr;
    return Value.urem(Parts).isZero() ? SE.getConstant(Value.udiv(Parts)) : nullptr;
  }
  if (auto *Wide = dyn_cast<SCEVIntegralCastExpr>(Number)) {
    if (isa<SCEVTruncateExpr>(Wide) || isa<SCEVSignExtendExpr>(Wide) != IsSigned)
      return nullptr;
    const SCEV *Inner = quotient(Wide->getOperand(), By, IsSigned, SE);
    if (!Inner)
      return nullptr;
    return IsSigned ? SE.getSignExtendExpr(Inner, Wide->getType())
                    : SE.getZeroExtendExpr(Inner, Wide->getType());
  }
  auto *Several = dyn_cast<SCEVNAryExpr>(Number);
  if (!Several || !Several->getNoWrapFlags(Whole))
    return nullptr;
  SmallVector<const SCEV *, 4> Parts(Several->operands());
  if (isa<SCEVMulExpr>(Several)) {
    Parts[0] = quotient(Parts[0], By, IsSigned, SE);
    return Parts[0] ? SE.getMulExpr(Parts) : nullptr;
  }
  if (!isa<SCEVAddExpr>(Several))
    return nullptr;
  for (const SCEV *&Part : Parts)
    if (Part = quotient(Part, By, IsSigned, SE); !Part)
      return nullptr;
  return SE.getAddExpr(Parts);
}

/// The number of elements of so many bytes that a length is; null if it may be
/// none.
const SCEV *countOf(const SCEV *Length, uint64_t Size, ScalarEvolution &SE) {
  for (bool IsSigned : {true, false})
    if (const SCEV *Count = quotient(Length, Size, IsSigned, SE))
      return Count;
  if (!isPowerOf2_64(Size) || SE.getMinTrailingZeros(Length) < Log2_64(Size))
    return nullptr;
  return SE.getUDivExpr(Length, SE.getConstant(Length->getType(), Size));
}

/// The copy as one of elements.
std::optional<Elements> asElements(MemTransferInst &Copy, PolyContext &C) {
  ScalarEvolution &SE = C.scev();
  Loop *L = C.loops().getLoopFor(Copy.getParent());
  while (L && L->isInnermost())
    L = L->getParentLoop();
  if (!L || Copy.isVolatile() || !areApart(Copy, C))
    return std::nullopt;
  const SCEV *Bases[] = {SE.getPointerBase(SE.getSCEV(Copy.getRawDest())),
                         SE.getPointerBase(SE.getSCEV(Copy.getRawSource()))};
  Type *Element = elementIn(*L, Bases, SE);
  const SCEV *Length = SE.getSCEV(Copy.getLength());
  if (!Element || Length->isZero())
    return std::nullopt;
  uint64_t Size = C.dataLayout().getTypeStoreSize(Element).getFixedValue();
  if (C.dataLayout().getTypeAllocSize(Element).getFixedValue() != Size)
    return std::nullopt;
  SmallVector<uint64_t, 2> Inner = shapeIn(*L, Copy, Element);
  auto *Known = dyn_cast<SCEVConstant>(Length);
  for (uint64_t Extent : Inner)
    Size *= Extent;
  if (!Known || Size == 0 || Known->getAPInt().urem(Size) != 0) {
    Size = C.dataLayout().getTypeStoreSize(Element).getFixedValue();
    Inner.clear();
  }
  const SCEV *Outer = countOf(Length, Size, SE);
  if (!Outer || !Expander(C, "poly").isSafeToExpandAt(Outer, &Copy))
    return std::nullopt;
  return Elements{&Copy, L, Element, Inner, Outer};
}

/// Puts a loop of so many iterations, at least one, around what comes in front of
/// an instruction; the counter. The instruction is in the loop then.
PHINode *loopAround(Instruction *&At, Value *Count) {
  BasicBlock *Before = At->getParent();
  BasicBlock *Body = SplitBlock(Before, At);
  BasicBlock *After = SplitBlock(Body, At);
  PHINode *Counter = PHINode::Create(Count->getType(), 2, "poly.copied", Body->begin());
  Instruction *Branch = Body->getTerminator();
  IRBuilder<> B(Branch);
  Value *Next = B.CreateAdd(Counter, ConstantInt::get(Count->getType(), 1), "", /*HasNUW=*/true);
  B.CreateCondBr(B.CreateICmpEQ(Next, Count), After, Body);
  Branch->eraseFromParent();
  Counter->addIncoming(ConstantInt::get(Count->getType(), 0), Before);
  Counter->addIncoming(Next, Body);
  At = Body->getTerminator();
  return Counter;
}

/// The offset of an element from the first one, in loops for all dimensions.
Value *offsetInLoops(Instruction *At, const Elements &All, Value *Count) {
  Type *Index = Count->getType();
  uint64_t Row = 1;
  for (uint64_t Extent : All.Inner)
    Row *= Extent;
  Value *Offset = nullptr;
  for (size_t D = 0; D <= All.Inner.size(); ++D) {
    PHINode *Counter = loopAround(
        At, D == 0 ? Count : ConstantInt::get(Index, All.Inner[D - 1]));
    IRBuilder<> B(At->getParent(), At->getParent()->getFirstInsertionPt());
    Value *Moved = B.CreateMul(Counter, ConstantInt::get(Index, Row), "",
                               /*HasNUW=*/true, /*HasNSW=*/true);
    Offset = Offset ? B.CreateAdd(Offset, Moved, "", /*HasNUW=*/true,
                                  /*HasNSW=*/true)
                    : Moved;
    if (D < All.Inner.size())
      Row /= All.Inner[D];
  }
  return Offset;
}

/// Writes the loops.
void copyElements(const Elements &All, Value *Count, PolyContext &C) {
  MemTransferInst *Copy = All.Copy;
  Instruction *At = Copy;
  if (!isa<ConstantInt>(Count)) {
    Value *IsSome = IRBuilder<>(Copy).CreateICmpNE(
        Count, ConstantInt::get(Count->getType(), 0));
    At = SplitBlockAndInsertIfThen(IsSome, Copy, /*Unreachable=*/false);
  }
  Value *Offset = offsetInLoops(At, All, Count);
  // One loop without inner dimensions has its counter as offset.
  auto *Last = cast<Instruction>(Offset);
  IRBuilder<> B(Last->getParent(), isa<PHINode>(Last)
                                       ? Last->getParent()->getFirstInsertionPt()
                                       : std::next(Last->getIterator()));
  B.SetCurrentDebugLocation(Copy->getDebugLoc());
  TypeSize Size = C.dataLayout().getTypeStoreSize(All.Element);
  Align To = commonAlignment(Copy->getDestAlign().valueOrOne(), Size);
  Align From = commonAlignment(Copy->getSourceAlign().valueOrOne(), Size);
  Value *Read = B.CreateInBoundsGEP(All.Element, Copy->getRawSource(), Offset);
  Value *Write = B.CreateInBoundsGEP(All.Element, Copy->getRawDest(), Offset);
  B.CreateAlignedStore(B.CreateAlignedLoad(All.Element, Read, From), Write, To);
  Copy->eraseFromParent();
}

/// The copies of the function that can be loops.
SmallVector<Elements, 4> copiesIn(PolyContext &C) {
  SmallVector<Elements, 4> Found;
  for (Loop *L : C.loops().getLoopsInPreorder())
    for (BasicBlock *B : L->blocks())
      if (C.loops().getLoopFor(B) == L)
        for (Instruction &I : *B)
          if (auto *Copy = dyn_cast<MemTransferInst>(&I))
            if (std::optional<Elements> All = asElements(*Copy, C))
              Found.push_back(*All);
  return Found;
}

} // namespace

extern "C" {

/// The headers of the loops with copies of blocks that can be loops.
void poly_loops_that_copy(PolyContext *C, PointerSink Sink, void *Into) {
  for (const Elements &Copy : copiesIn(*C))
    Sink(Into, wrap(Copy.Around->getHeader()));
}

/// Makes them loops. All analyses are dropped.
void poly_copy_elements(PolyContext *C) {
  SmallVector<Elements, 4> Copies = copiesIn(*C);
  if (Copies.empty())
    return;
  // The counts first: loops outdate what is known of others.
  SmallVector<Value *, 4> Counts;
  Expander Expand(*C, "poly");
  for (const Elements &Copy : Copies)
    Counts.push_back(Expand.expandCodeFor(
        Copy.Outer, Copy.Copy->getLength()->getType(), Copy.Copy));
  for (auto [Copy, Count] : zip(Copies, Counts))
    copyElements(Copy, Count, *C);
  Function &F = C->function();
  FunctionPassManager Passes;
  Passes.addPass(LoopSimplifyPass());
  Passes.addPass(LCSSAPass());
  C->analyses().invalidate(F, PreservedAnalyses::none());
  C->reload();
  C->analyses().invalidate(F, Passes.run(F, C->analyses()));
  C->reload();
}

} // extern "C"
