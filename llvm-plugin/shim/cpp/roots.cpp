// Square roots of numbers that are known not to be negative.
//
// `sqrt` sets `errno` for negative numbers only. AggressiveInstCombine replaces
// calls whose argument is none by an intrinsic, but it runs once, before inner
// loops of constant length are unrolled: of `r += d[k] * d[k]` nothing is known
// before that.

#include "shim.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace {

/// Whether the number is NaN, zero of either sign, or greater.
bool isNotNegative(PolyContext *C, CallInst &Call) {
  SimplifyQuery Query(C->dataLayout(), &C->library(), &C->domTree(),
                      &C->assumptions(), &Call);
#if LLVM_VERSION_MAJOR < 21
  return cannotBeOrderedLessThanZero(Call.getArgOperand(0), 0, Query);
#else
  return cannotBeOrderedLessThanZero(Call.getArgOperand(0), Query);
#endif
}

/// Whether the call is one of the C library's square root that sets no errno.
bool isSilentRoot(PolyContext *C, CallInst &Call) {
  LibFunc Known;
  return !isa<IntrinsicInst>(Call) && Call.getCalledFunction() &&
         !Call.isNoBuiltin() && !Call.isMustTailCall() &&
         !Call.hasOperandBundles() && !Call.isStrictFP() &&
         C->library().getLibFunc(Call, Known) && C->library().has(Known) &&
         (Known == LibFunc_sqrt || Known == LibFunc_sqrtf) &&
         isNotNegative(C, Call);
}

} // namespace

extern "C" {

/// Replaces such calls by intrinsics, and sends each call, which is in no block
/// and without its argument, with the intrinsic.
void poly_clear_roots(PolyContext *C, PointerSink Sink, void *Into) {
  if (C->loops().empty())
    return;
  SmallVector<CallInst *, 4> Roots;
  for (Instruction &I : instructions(C->function())) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (Call && C->loops().getLoopFor(Call->getParent()) &&
        isSilentRoot(C, *Call))
      Roots.push_back(Call);
  }
  for (CallInst *Call : Roots) {
    IRBuilder<> B(Call);
    B.setFastMathFlags(Call->getFastMathFlags());
    Value *Argument = Call->getArgOperand(0);
    CallInst *Root =
        B.CreateIntrinsic(Intrinsic::sqrt, Call->getType(), Argument);
    Root->takeName(Call);
    Call->replaceAllUsesWith(Root);
    Call->removeFromParent();
    Call->setArgOperand(0, PoisonValue::get(Argument->getType()));
    Sink(Into, wrap(Call));
    Sink(Into, wrap(Root));
  }
}

/// Puts a call back into the place of its intrinsic, of which the module then
/// has no declaration if nobody else uses it.
void poly_restore_root(LLVMValueRef Was, LLVMValueRef Is) {
  auto *Call = cast<CallInst>(unwrap(Was));
  auto *Root = cast<CallInst>(unwrap(Is));
  Function *Declaration = Root->getCalledFunction();
  Call->setArgOperand(0, Root->getArgOperand(0));
  Call->insertBefore(Root->getIterator());
  Call->takeName(Root);
  Root->replaceAllUsesWith(Call);
  Root->eraseFromParent();
  if (Declaration->use_empty())
    Declaration->eraseFromParent();
}

/// Frees a call that is not put back.
void poly_forget_root(LLVMValueRef Was) {
  cast<CallInst>(unwrap(Was))->deleteValue();
}

} // extern "C"
