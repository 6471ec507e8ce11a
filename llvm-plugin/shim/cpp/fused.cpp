// Products that the code generator adds without rounding them first.
//
// The flag `contract` lets it make one operation of `a * b + c`. It does so
// where it sees both in one block and the product has no other use, which
// new code changes: equal products of several iterations become one, statements
// are cut, others meet. The results would differ in their last bits. So what
// would be fused becomes `llvm.fmuladd`, which is fused on the same processors,
// and other sums lose the flag.
//
// Sums that may be reassociated stay: nothing is promised about their bits.
//
// The rule is that of DAGCombiner::visitFADDForFMACombine and of
// visitFSUBForFMACombine for targets that do not fuse products with several uses.

#include "shim.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace {

/// A sum or difference that may be fused with a product.
bool mayBeFused(const Instruction &I) {
  return (I.getOpcode() == Instruction::FAdd ||
          I.getOpcode() == Instruction::FSub) &&
         I.hasAllowContract() && !I.hasAllowReassoc();
}

/// Whether this operand of the sum is a product that is fused with it.
bool isFusedProduct(const Instruction &Sum, unsigned Operand) {
  auto *Product = dyn_cast<Instruction>(Sum.getOperand(Operand));
  return Product && Product->getOpcode() == Instruction::FMul &&
         Product->hasAllowContract() && Product->hasOneUse() &&
         Product->getParent() == Sum.getParent();
}

/// Which operand is fused; 2 if there is none.
unsigned fusedOperand(const Instruction &Sum) {
  return isFusedProduct(Sum, 0) ? 0 : isFusedProduct(Sum, 1) ? 1 : 2;
}

/// The operation in the place of a sum, whose product is this operand.
CallInst *fused(Instruction &Sum, unsigned Operand) {
  auto *Product = cast<Instruction>(Sum.getOperand(Operand));
  Value *Left = Product->getOperand(0), *Other = Sum.getOperand(1 - Operand);
  IRBuilder<> B(&Sum);
  FastMathFlags Flags = Sum.getFastMathFlags();
  Flags &= Product->getFastMathFlags();
  B.setFastMathFlags(Flags);
  if (Sum.getOpcode() == Instruction::FSub) {
    Value *&Negated = Operand == 0 ? Other : Left;
    Negated = B.Insert(UnaryOperator::CreateFNeg(Negated));
  }
  return B.CreateIntrinsic(Intrinsic::fmuladd, Sum.getType(),
                           {Left, Product->getOperand(1), Other});
}

/// What a negation that `fused` has made negates, or the value itself.
Value *withoutNegation(Value *V, bool IsNegated) {
  return IsNegated ? cast<Instruction>(V)->getOperand(0) : V;
}

} // namespace

extern "C" {

/// Fuses products with sums in loops. Sends each sum, which is in no block, with
/// its operation and what came behind its product, if that is in no block
/// either; a sum that has only lost its flag comes with two null pointers.
void poly_fuse_products(PolyContext *C, PointerSink Sink, void *Into) {
  if (C->loops().empty())
    return;
  SmallVector<Instruction *, 16> Sums;
  for (Instruction &I : instructions(C->function()))
    if (mayBeFused(I) && C->loops().getLoopFor(I.getParent()))
      Sums.push_back(&I);
  for (Instruction *Sum : Sums) {
    unsigned Operand = fusedOperand(*Sum);
    if (Operand == 2) {
      Sum->setHasAllowContract(false);
      Sink(Into, wrap(Sum));
      Sink(Into, nullptr);
      Sink(Into, nullptr);
      continue;
    }
    auto *Product = cast<Instruction>(Sum->getOperand(Operand));
    CallInst *Fused = fused(*Sum, Operand);
    Fused->takeName(Sum);
    Sum->replaceAllUsesWith(Fused);
    Sum->removeFromParent();
    Sum->setOperand(1 - Operand, PoisonValue::get(Sum->getType()));
    // Metadata cannot speak of what is in no block.
    Instruction *Next = nullptr;
    if (!Product->isUsedByMetadata()) {
      Next = Product->getNextNode();
      Product->removeFromParent();
      Product->setOperand(0, PoisonValue::get(Sum->getType()));
      Product->setOperand(1, PoisonValue::get(Sum->getType()));
    }
    Sink(Into, wrap(Sum));
    Sink(Into, wrap(Fused));
    Sink(Into, wrap(Next));
  }
}

/// Undoes that; the last sum comes first.
void poly_restore_product(LLVMValueRef Was, LLVMValueRef Is,
                          LLVMValueRef Behind) {
  auto *Sum = cast<Instruction>(unwrap(Was));
  if (!Is) {
    Sum->setHasAllowContract(true);
    return;
  }
  auto *Fused = cast<CallInst>(unwrap(Is));
  Function *Declaration = Fused->getCalledFunction();
  bool IsDifference = Sum->getOpcode() == Instruction::FSub;
  unsigned Operand = isa<PoisonValue>(Sum->getOperand(0)) ? 1 : 0;
  auto *Product = cast<Instruction>(Sum->getOperand(Operand));
  Value *Left = Fused->getArgOperand(0), *Other = Fused->getArgOperand(2);
  Value *Negation = !IsDifference ? nullptr : Operand == 0 ? Other : Left;
  Sum->setOperand(1 - Operand,
                  withoutNegation(Other, IsDifference && Operand == 0));
  if (Behind) {
    Product->setOperand(0, withoutNegation(Left, IsDifference && Operand == 1));
    Product->setOperand(1, Fused->getArgOperand(1));
    Product->insertBefore(cast<Instruction>(unwrap(Behind))->getIterator());
  }
  Sum->insertBefore(Fused->getIterator());
  Sum->takeName(Fused);
  Fused->replaceAllUsesWith(Sum);
  Fused->eraseFromParent();
  if (Negation)
    cast<Instruction>(Negation)->eraseFromParent();
  if (Declaration->use_empty())
    Declaration->eraseFromParent();
}

/// Frees a sum that is not put back, and its product.
void poly_forget_product(LLVMValueRef Was, LLVMValueRef Is) {
  if (!Is)
    return;
  auto *Sum = cast<Instruction>(unwrap(Was));
  Value *Product = Sum->getOperand(isa<PoisonValue>(Sum->getOperand(0)) ? 1 : 0);
  Sum->deleteValue();
  auto *Rest = cast<Instruction>(Product);
  if (!Rest->getParent())
    Rest->deleteValue();
  else if (Rest->use_empty())
    Rest->eraseFromParent();
}

} // extern "C"
