// Loops, dominance and the control flow graph.

#include "shim.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

static const BasicBlock *asBlock(LLVMBasicBlockRef B) { return unwrap(B); }

extern "C" {

// --- Loops ------------------------------------------------------------------

/// The outermost loops in program order.
void poly_top_level_loops(PolyContext *C, PointerSink Sink, void *Into) {
  for (const Loop *L : reverse(C->loops()))
    Sink(Into, L);
}

/// The loops directly inside, in program order.
void poly_loop_subloops(const void *L, PointerSink Sink, void *Into) {
  for (const Loop *Sub : reverse(asLoop(L)->getSubLoops()))
    Sink(Into, Sub);
}

const void *poly_loop_for(PolyContext *C, LLVMBasicBlockRef B) {
  return C->loops().getLoopFor(asBlock(B));
}

const void *poly_loop_parent(const void *L) {
  return asLoop(L)->getParentLoop();
}

unsigned poly_loop_depth(const void *L) { return asLoop(L)->getLoopDepth(); }

LLVMBasicBlockRef poly_loop_header(const void *L) {
  return wrap(asLoop(L)->getHeader());
}

LLVMBasicBlockRef poly_loop_preheader(const void *L) {
  return wrap(asLoop(L)->getLoopPreheader());
}

/// The unique latch, or null.
LLVMBasicBlockRef poly_loop_latch(const void *L) {
  return wrap(asLoop(L)->getLoopLatch());
}

/// The unique block outside that the loop exits to, or null.
LLVMBasicBlockRef poly_loop_exit_block(const void *L) {
  return wrap(asLoop(L)->getExitBlock());
}

/// The unique block inside that leaves the loop, or null.
LLVMBasicBlockRef poly_loop_exiting_block(const void *L) {
  return wrap(asLoop(L)->getExitingBlock());
}

void poly_loop_blocks(const void *L, PointerSink Sink, void *Into) {
  sendList(Sink, Into, asLoop(L)->blocks());
}

void poly_loop_latches(const void *L, PointerSink Sink, void *Into) {
  SmallVector<BasicBlock *, 4> Latches;
  asLoop(L)->getLoopLatches(Latches);
  sendList(Sink, Into, Latches);
}

void poly_loop_exit_blocks(const void *L, PointerSink Sink, void *Into) {
  SmallVector<BasicBlock *, 4> Blocks;
  asLoop(L)->getUniqueExitBlocks(Blocks);
  sendList(Sink, Into, Blocks);
}

void poly_loop_exiting_blocks(const void *L, PointerSink Sink, void *Into) {
  SmallVector<BasicBlock *, 4> Blocks;
  asLoop(L)->getExitingBlocks(Blocks);
  sendList(Sink, Into, Blocks);
}

bool poly_loop_contains_block(const void *L, LLVMBasicBlockRef B) {
  return asLoop(L)->contains(asBlock(B));
}

bool poly_loop_contains_loop(const void *L, const void *Inner) {
  return asLoop(L)->contains(asLoop(Inner));
}

bool poly_loop_is_simplified(const void *L) {
  return asLoop(L)->isLoopSimplifyForm();
}

/// The property is present in the loop's metadata
/// (`llvm.loop.vectorize.enable`, ...).
bool poly_loop_has_property(const void *L, PolyText Name) {
  return findOptionMDForLoop(asLoop(L), Name.ref()) != nullptr;
}

bool poly_loop_must_progress(const void *L) {
  return isMustProgress(asLoop(L));
}

// --- Dominance --------------------------------------------------------------

bool poly_block_dominates(PolyContext *C, LLVMBasicBlockRef A,
                          LLVMBasicBlockRef B) {
  return C->domTree().dominates(asBlock(A), asBlock(B));
}

bool poly_block_post_dominates(PolyContext *C, LLVMBasicBlockRef A,
                               LLVMBasicBlockRef B) {
  return C->postDomTree().dominates(asBlock(A), asBlock(B));
}

/// `Definition` dominates `User`: instructions in one block by their order; a
/// definition that is no instruction dominates everything.
bool poly_value_dominates(PolyContext *C, LLVMValueRef Definition,
                          LLVMValueRef User) {
  return C->domTree().dominates(unwrap(Definition), asInstruction(User));
}

LLVMBasicBlockRef poly_immediate_dominator(PolyContext *C,
                                           LLVMBasicBlockRef B) {
  DomTreeNode *Node = C->domTree().getNode(asBlock(B));
  return Node && Node->getIDom() ? wrap(Node->getIDom()->getBlock()) : nullptr;
}

/// Null also where the immediate post dominator is the virtual exit.
LLVMBasicBlockRef poly_immediate_post_dominator(PolyContext *C,
                                                LLVMBasicBlockRef B) {
  DomTreeNode *Node = C->postDomTree().getNode(unwrap(B));
  return Node && Node->getIDom() ? wrap(Node->getIDom()->getBlock()) : nullptr;
}

LLVMBasicBlockRef poly_common_dominator(PolyContext *C, LLVMBasicBlockRef A,
                                        LLVMBasicBlockRef B) {
  return wrap(
      C->domTree().findNearestCommonDominator(unwrap(A), unwrap(B)));
}

bool poly_is_reachable(PolyContext *C, LLVMBasicBlockRef B) {
  return C->domTree().isReachableFromEntry(asBlock(B));
}

// --- Control flow graph -----------------------------------------------------

void poly_block_predecessors(LLVMBasicBlockRef B, PointerSink Sink,
                             void *Into) {
  sendList(Sink, Into, predecessors(asBlock(B)));
}

void poly_block_successors(LLVMBasicBlockRef B, PointerSink Sink, void *Into) {
  sendList(Sink, Into, successors(asBlock(B)));
}

/// Value and block of each case, alternately.
void poly_switch_cases(LLVMValueRef V, PointerSink Sink, void *Into) {
  auto *Switch = dyn_cast<SwitchInst>(unwrap(V));
  if (!Switch)
    return;
  for (auto &Case : Switch->cases()) {
    Sink(Into, Case.getCaseValue());
    Sink(Into, Case.getCaseSuccessor());
  }
}

/// The name or number by which LLVM prints the block, without `%`. LLVM's own
/// printer numbers the whole module for that; the number of a block depends on
/// its function only: unnamed arguments, blocks and values are counted in order.
void poly_block_label(LLVMBasicBlockRef B, TextSink Sink, void *Into) {
  BasicBlock *Wanted = unwrap(B);
  if (Wanted->hasName()) {
    std::string Text;
    raw_string_ostream OS(Text);
    Wanted->printAsOperand(OS, /*PrintType=*/false);
    OS.flush();
    sendText(Sink, Into, StringRef(Text).drop_front());
    return;
  }
  Function *F = Wanted->getParent();
  size_t Number = count_if(F->args(), [](Argument &A) { return !A.hasName(); });
  for (BasicBlock &Block : *F) {
    if (&Block == Wanted)
      break;
    Number += !Block.hasName();
    Number += count_if(Block, [](Instruction &I) {
      return !I.hasName() && !I.getType()->isVoidTy();
    });
  }
  sendText(Sink, Into, std::to_string(Number));
}

/// The reachable blocks in reverse post order.
void poly_reverse_post_order(PolyContext *C, PointerSink Sink, void *Into) {
  ReversePostOrderTraversal<Function *> Traversal(&C->function());
  sendList(Sink, Into, Traversal);
}

} // extern "C"
