// Changes of the control flow graph and of PHI nodes that the C API lacks, and
// the promotion of stack slots to registers.

#include "shim.h"

#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

/// Blocks outside of the loop get from each block of the copy what they get
/// from the block it is a copy of.
static void addIncomingOfCopy(Loop &L, const ValueToValueMapTy &Map) {
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  auto Copied = [&](Value *V) -> Value * {
    auto Found = Map.find(V);
    return Found == Map.end() ? V : static_cast<Value *>(Found->second);
  };
  for (BasicBlock *Exit : Exits)
    for (PHINode &Phi : Exit->phis())
      for (unsigned I = 0, E = Phi.getNumIncomingValues(); I != E; ++I)
        if (BasicBlock *From = Phi.getIncomingBlock(I); L.contains(From))
          Phi.addIncoming(Copied(Phi.getIncomingValue(I)),
                          cast<BasicBlock>(Copied(From)));
}

extern "C" {

/// A new block that takes over the edges from `Predecessors` to `B`; PHI nodes
/// of `B` are merged in it. Dominator tree and loops are kept right.
LLVMBasicBlockRef poly_split_predecessors(PolyContext *C, LLVMBasicBlockRef B,
                                          const LLVMBasicBlockRef *Predecessors,
                                          size_t Count, const char *Suffix) {
  SmallVector<BasicBlock *, 4> Blocks;
  for (size_t I = 0; I != Count; ++I)
    Blocks.push_back(unwrap(Predecessors[I]));
  return wrap(SplitBlockPredecessors(unwrap(B), Blocks, Suffix, &C->domTree(),
                                     &C->loops()));
}

/// Joins a block with its only predecessor, whose only successor it is. False,
/// and nothing changed, if that is not so. Analyses are not kept right.
bool poly_join_with_predecessor(LLVMBasicBlockRef B) {
  return MergeBlockIntoPredecessor(unwrap(B));
}

/// The first instruction that is neither a PHI node nor bound to stand at the
/// beginning of its block.
LLVMValueRef poly_first_insertion_point(LLVMBasicBlockRef B) {
  return wrap(&*unwrap(B)->getFirstInsertionPt());
}

/// Incoming edge `Index` of the PHI node comes from `B`.
void poly_phi_set_block(LLVMValueRef Phi, unsigned Index,
                        LLVMBasicBlockRef B) {
  cast<PHINode>(unwrap(Phi))->setIncomingBlock(Index, unwrap(B));
}

/// Removes an incoming edge; a PHI node without edges stays.
void poly_phi_remove(LLVMValueRef Phi, unsigned Index) {
  cast<PHINode>(unwrap(Phi))->removeIncomingValue(Index,
                                                  /*DeletePHIIfEmpty=*/false);
}

/// Makes a copy of the loop with this header that runs in its place where
/// `Condition`, which is known behind the preheader, is false. The result is
/// the branch; null, and nothing changed, if the loop is not in the form that
/// LLVM calls loop-simplify and LCSSA, or cannot be copied. Loops and dominator
/// tree are kept right.
LLVMValueRef poly_version_loop(PolyContext *C, LLVMBasicBlockRef HeaderRef,
                               LLVMValueRef Condition) {
  LoopInfo &LI = C->loops();
  DominatorTree &DT = C->domTree();
  Loop *L = LI.getLoopFor(unwrap(HeaderRef));
  if (!L || L->getHeader() != unwrap(HeaderRef) || !L->isLoopSimplifyForm() ||
      !L->isRecursivelyLCSSAForm(DT, LI) || !L->isSafeToClone())
    return nullptr;
  BasicBlock *Check = L->getLoopPreheader();
  BasicBlock *Before = SplitEdge(Check, L->getHeader(), &DT, &LI);
  SmallVector<BasicBlock *, 16> Blocks;
  ValueToValueMapTy Map;
  Loop *Copy = cloneLoopWithPreheader(Before, Check, L, Map, ".original", &LI,
                                      &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Map);
  addIncomingOfCopy(*L, Map);
  Instruction *Old = Check->getTerminator();
  auto *Branch = BranchInst::Create(Before, Copy->getLoopPreheader(),
                                    unwrap(Condition), Old->getIterator());
  Branch->setDebugLoc(Old->getDebugLoc());
  Old->eraseFromParent();
  DT.recalculate(C->function());
  C->scev().forgetLoop(L);
  return wrap(Branch);
}

/// Drops all metadata but the given kinds and the debug location.
void poly_keep_metadata(LLVMValueRef I, const unsigned *Kinds, size_t Count) {
  asInstruction(I)->dropUnknownNonDebugMetadata(
      ArrayRef<unsigned>(Kinds, Count));
}

/// Replaces stack slots that are only loaded and stored as a whole by values;
/// all are in `F`. Slots that cannot be replaced stay.
void poly_promote_slots(LLVMValueRef F, const LLVMValueRef *Slots,
                        size_t Count) {
  SmallVector<AllocaInst *, 8> Promotable;
  for (size_t I = 0; I != Count; ++I) {
    auto *Slot = cast<AllocaInst>(unwrap(Slots[I]));
    if (isAllocaPromotable(Slot))
      Promotable.push_back(Slot);
  }
  if (Promotable.empty())
    return;
  DominatorTree Dominance(*asFunction(F));
  PromoteMemToReg(Promotable, Dominance);
}

} // extern "C"
