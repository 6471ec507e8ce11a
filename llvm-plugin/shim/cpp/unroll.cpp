// Unrolling of loops whose values come back after some iterations.

#include "shim.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace {

/// LLVM lets the iterations that are left over come first, where the values
/// would then begin in one of several orders, unless a PHI node of the header
/// begins with a constant: see to it that one does. It goes with the other PHI
/// nodes that are no more than names.
void beginWithConstant(Loop &L) {
  BasicBlock *Header = L.getHeader();
  Type *Bit = Type::getInt1Ty(Header->getContext());
  PHINode *Mark = PHINode::Create(Bit, 2, "poly.begin", Header->begin());
  Mark->addIncoming(ConstantInt::getFalse(Bit), L.getLoopPreheader());
  Mark->addIncoming(Mark, L.getLoopLatch());
}

/// Replaces PHI nodes that have one value by that value.
void simplifyPhis(Function &F, const SimplifyQuery &Query, LoopInfo &LI) {
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (BasicBlock &B : F)
      for (PHINode &Phi : make_early_inc_range(B.phis())) {
        Value *Known = simplifyInstruction(&Phi, Query);
        if (!Known || !LI.replacementPreservesLCSSAForm(&Phi, Known))
          continue;
        Phi.replaceAllUsesWith(Known);
        Phi.eraseFromParent();
        Changed = true;
      }
  }
}

} // namespace

extern "C" {

/// Makes `Count` iterations of the loop with this header one, with code for
/// those that are left over behind it. False, with the function perhaps
/// changed in form, if that is not possible. All analyses are dropped.
bool poly_unroll(PolyContext *C, LLVMBasicBlockRef HeaderRef, unsigned Count) {
  Function &F = C->function();
  LoopInfo &LI = C->loops();
  DominatorTree &DT = C->domTree();
  ScalarEvolution &SE = C->scev();
  AssumptionCache &AC = C->assumptions();
  Loop *L = LI.getLoopFor(unwrap(HeaderRef));
  if (!L || L->getHeader() != unwrap(HeaderRef) || !L->isLoopSimplifyForm() ||
      !L->isRecursivelyLCSSAForm(DT, LI) || !L->isSafeToClone() ||
      L->getExitingBlock() != L->getLoopLatch())
    return false;
  beginWithConstant(*L);
  UnrollLoopOptions Options = {};
  Options.Count = Count;
  Options.Force = false;
  Options.Runtime = true;
  Options.AllowExpensiveTripCount = true;
  Options.UnrollRemainder = false;
  Options.ForgetAllSCEV = true;
#if LLVM_VERSION_MAJOR >= 22
  Options.SCEVExpansionBudget = UINT_MAX;
#endif
  LoopUnrollResult Result =
      UnrollLoop(L, Options, &LI, &SE, &DT, &AC, &C->target(), /*ORE=*/nullptr,
                 /*PreserveLCSSA=*/true);
  SimplifyQuery Query(C->dataLayout(), &C->library(), &DT, &AC);
  simplifyPhis(F, Query, LI);
  FunctionPassManager Passes;
  Passes.addPass(LoopSimplifyPass());
  Passes.addPass(LCSSAPass());
  C->reload();
  C->analyses().invalidate(F, Passes.run(F, C->analyses()));
  C->reload();
  return Result == LoopUnrollResult::PartiallyUnrolled;
}

} // extern "C"
