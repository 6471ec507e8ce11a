// Clean-up of generated code, and the way back to the original code.

#include "shim.h"
#include "versions.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

/// What lies between generated code and the vectorizer: the redundancies of
/// code generation go, address computations leave the loops, counters get
/// their canonical form. Loops keep preheaders and latches.
static void addCleanUpPasses(FunctionPassManager &Passes) {
  SimplifyCFGOptions KeepLoops =
      SimplifyCFGOptions().needCanonicalLoops(true).convertSwitchToLookupTable(
          false);
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(InstCombinePass());
  Passes.addPass(SimplifyCFGPass(KeepLoops));
  Passes.addPass(LoopSimplifyPass());
  Passes.addPass(LCSSAPass());
  LoopPassManager Hoist;
  Hoist.addPass(LICMPass(LICMOptions()));
  Passes.addPass(createFunctionToLoopPassAdaptor(std::move(Hoist),
                                                 /*UseMemorySSA=*/true));
  LoopPassManager Counters;
  Counters.addPass(IndVarSimplifyPass());
  Passes.addPass(createFunctionToLoopPassAdaptor(std::move(Counters)));
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(InstCombinePass());
  Passes.addPass(LoopSimplifyPass());
  Passes.addPass(LCSSAPass());
}

/// Withdraws Poly's own requests for vector code of which it has turned out here
/// that they cannot be met, as the vectorizer has to know how often the loop
/// runs, and may find that the shortest vector is as long as the loop: LLVM
/// would warn the user of each. (In code that is never executed no exit may be
/// left, and a loop of at most two iterations may end when its counter is not
/// 0.)
static void withdrawRequests(Function &F, FunctionAnalysisManager &AM) {
  SmallVector<Loop *, 4> Marked;
  for (Loop *L : AM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (findOptionMDForLoop(L, "poly.vector"))
      Marked.push_back(L);
  if (Marked.empty())
    return;
  ScalarEvolution &SE = AM.getResult<ScalarEvolutionAnalysis>(F);
  constexpr unsigned ShortestLoop = 4;
  auto IsShort = [&](Loop *L) {
    unsigned Most = SE.getSmallConstantMaxTripCount(L); // 0 if not known
    return Most != 0 && Most < ShortestLoop;
  };
  for (Loop *L : Marked)
    if (!SE.hasLoopInvariantBackedgeTakenCount(L) || IsShort(L))
      L->setLoopID(makePostTransformationMetadata(
          F.getContext(), L->getLoopID(),
          {"llvm.loop.vectorize.enable", "poly.vector"}, {}));
}

void cleanUp(Function &F, FunctionAnalysisManager &AM) {
  AM.invalidate(F, PreservedAnalyses::none());
  FunctionPassManager Passes;
  addCleanUpPasses(Passes);
  PreservedAnalyses Preserved = Passes.run(F, AM);
  AM.invalidate(F, Preserved);
  withdrawRequests(F, AM);
  repeatGuards(F, AM);
}

namespace {

/// A copy of a function's body, kept beside it while code is generated.
struct Backup {
  Function *Original;
  Function *Copy;
  AttributeList Attributes;
  /// The module's last global variable at that time, or null.
  GlobalVariable *LastGlobal;
};

/// A function with the same body, attributes and metadata. Unlike LLVM's
/// CloneFunction it shares all debug information with the original, so that the
/// instructions that come back have theirs; no verifier sees the two together.
Function *copyBody(Function &F) {
  Function *Copy =
      Function::Create(F.getFunctionType(), GlobalValue::InternalLinkage,
                       F.getAddressSpace(), F.getName(), F.getParent());
  Copy->copyAttributesFrom(&F);
  Copy->copyMetadata(&F, /*Offset=*/0);
  ValueToValueMapTy Map;
  for (auto [Original, Copied] : zip(F.args(), Copy->args())) {
    Copied.setName(Original.getName());
    Map[&Original] = &Copied;
  }
  for (BasicBlock &B : F)
    Map[&B] = CloneBasicBlock(&B, Map, "", Copy);
  const RemapFlags Flags = RF_NoModuleLevelChanges | RF_IgnoreMissingLocals;
  DenseMap<DIAssignID *, DIAssignID *> AssignIDs;
  for (BasicBlock &B : *Copy)
    for (Instruction &I : B) {
      RemapDbgRecordRange(F.getParent(), I.getDbgRecordRange(), Map, Flags);
      RemapInstruction(&I, Map, Flags);
      at::remapAssignID(AssignIDs, I); // these must stay within one function
    }
  return Copy;
}

/// Deletes what was added to the module after the copy, as far as nothing uses
/// it any more.
void eraseAdditions(Module &M, const Backup &B, FunctionAnalysisManager &AM) {
  SmallVector<Function *, 8> Functions;
  for (auto I = std::next(B.Copy->getIterator()); I != M.end(); ++I)
    Functions.push_back(&*I);
  for (Function *F : Functions)
    F->deleteBody();
  for (Function *F : Functions) {
    F->removeDeadConstantUsers();
    if (!F->use_empty())
      continue;
    AM.clear(*F, F->getName());
    F->eraseFromParent();
  }
  SmallVector<GlobalVariable *, 8> Globals;
  auto First = B.LastGlobal ? std::next(B.LastGlobal->getIterator())
                            : M.global_begin();
  for (auto I = First; I != M.global_end(); ++I)
    Globals.push_back(&*I);
  // A later one may use an earlier one.
  for (GlobalVariable *Global : reverse(Globals)) {
    Global->removeDeadConstantUsers();
    if (Global->use_empty())
      Global->eraseFromParent();
  }
}

} // namespace

extern "C" {

/// Cleans up `F` (of the context's module) and drops its analyses.
void poly_clean_up(PolyContext *C, LLVMValueRef F) {
  cleanUp(*asFunction(F), C->analyses());
}

/// Copies the context's function. Functions with blocks whose address is taken
/// cannot be restored: null.
Backup *poly_backup(PolyContext *C) {
  Function &F = C->function();
  for (const BasicBlock &B : F)
    if (B.hasAddressTaken())
      return nullptr;
  Function *Copy = copyBody(F);
  Module &M = *F.getParent();
  GlobalVariable *Last = M.global_empty() ? nullptr : &*std::prev(M.global_end());
  return new Backup{&F, Copy, F.getAttributes(), Last};
}

/// The new code stays.
void poly_backup_discard(Backup *B) {
  B->Copy->eraseFromParent();
  delete B;
}

/// The function gets its original body back, and the module is rid of what was
/// added to it.
void poly_backup_restore(PolyContext *C, Backup *B) {
  Function &F = *B->Original;
  F.dropAllReferences(); // deletes every block
  F.splice(F.end(), B->Copy);
  auto Own = F.arg_begin();
  for (Argument &Copied : B->Copy->args())
    Copied.replaceAllUsesWith(&*Own++);
  F.setAttributes(B->Attributes);
  if (B->Copy->hasPersonalityFn())
    F.setPersonalityFn(B->Copy->getPersonalityFn());
  if (B->Copy->hasPrefixData())
    F.setPrefixData(B->Copy->getPrefixData());
  if (B->Copy->hasPrologueData())
    F.setPrologueData(B->Copy->getPrologueData());
  F.copyMetadata(B->Copy, /*Offset=*/0); // with the description
  eraseAdditions(*F.getParent(), *B, C->analyses());
  B->Copy->eraseFromParent();
  delete B;
  C->reload();
}

} // extern "C"
