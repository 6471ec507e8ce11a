// Counters that grow on several ways to the next iteration.
//
// The source may count in several branches, and LLVM computes `i + 1` in several
// blocks where each of them needs it, or writes 1 for it where `i == 0` is known.
// The counter's next value is a PHI node then, and ScalarEvolution does not see
// that the loop counts.

#include "shim.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace {

/// A value that a PHI node has if it is reached by an edge.
struct Arrival {
  Value *Is;
  BasicBlock *From, *To;
};

/// Whether a branch in the loop, which the edge can only be reached through,
/// says that the counter is `Known`.
bool isKnown(const PHINode &Counter, const APInt &Known, const Arrival &By,
             const Loop &L, const DominatorTree &DT) {
  for (const BasicBlock *B = By.From; B && L.contains(B);) {
    auto *Branch = dyn_cast<BranchInst>(B->getTerminator());
    auto *Test = Branch && Branch->isConditional()
                     ? dyn_cast<ICmpInst>(Branch->getCondition())
                     : nullptr;
    auto *Constant =
        Test ? dyn_cast<ConstantInt>(Test->getOperand(1)) : nullptr;
    if (Constant && Test->isEquality() && Test->getOperand(0) == &Counter &&
        Constant->getValue() == Known &&
        Branch->getSuccessor(0) != Branch->getSuccessor(1)) {
      bool IsEqual = Test->getPredicate() == ICmpInst::ICMP_EQ;
      const BasicBlock *Where = Branch->getSuccessor(IsEqual ? 0 : 1);
      if ((B == By.From && Where == By.To) ||
          DT.dominates(BasicBlockEdge(B, Where), By.From))
        return true;
    }
    DomTreeNode *Node = DT.getNode(B);
    B = Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  }
  return false;
}

/// Everything that a PHI node of the loop may be, other PHI nodes looked
/// through.
SmallVector<Arrival, 8> arrivals(PHINode *Next, const Loop &L) {
  SmallVector<PHINode *, 8> Open{Next};
  SmallPtrSet<PHINode *, 8> Seen{Next};
  SmallVector<Arrival, 8> Found;
  while (!Open.empty()) {
    PHINode *Phi = Open.pop_back_val();
    for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I) {
      Value *V = Phi->getIncomingValue(I);
      auto *Inner = dyn_cast<PHINode>(V);
      if (!Inner || Inner->getParent() == L.getHeader() || !L.contains(Inner))
        Found.push_back({V, Phi->getIncomingBlock(I), Phi->getParent()});
      else if (Seen.insert(Inner).second)
        Open.push_back(Inner);
    }
  }
  return Found;
}

/// By how much the counter grows from iteration to iteration, if it does so on
/// all ways; on some of them a constant may stand for it.
std::optional<APInt> step(const PHINode &Counter, ArrayRef<Arrival> Ways,
                          const Loop &L, PolyContext *C) {
  ScalarEvolution &SE = C->scev();
  const SCEV *Now = SE.getSCEV(const_cast<PHINode *>(&Counter));
  std::optional<APInt> Step;
  for (const Arrival &Way : Ways) {
    if (isa<ConstantInt>(Way.Is))
      continue;
    auto *Distance =
        dyn_cast<SCEVConstant>(SE.getMinusSCEV(SE.getSCEV(Way.Is), Now));
    if (!Distance || (Step && *Step != Distance->getAPInt()))
      return std::nullopt;
    Step = Distance->getAPInt();
  }
  if (!Step || Step->isZero())
    return std::nullopt;
  for (const Arrival &Way : Ways)
    if (auto *Constant = dyn_cast<ConstantInt>(Way.Is))
      if (!isKnown(Counter, Constant->getValue() - *Step, Way, L,
                   C->domTree()))
        return std::nullopt;
  return Step;
}

/// Whether all ways say that the sum does not wrap around: each is the sum
/// itself, with that flag, or a constant that is one without.
bool isWithout(bool IsSigned, const PHINode &Counter, const APInt &Step,
               ArrayRef<Arrival> Ways) {
  for (const Arrival &Way : Ways) {
    if (auto *Constant = dyn_cast<ConstantInt>(Way.Is)) {
      APInt Before = Constant->getValue() - Step;
      bool Wraps = false;
      (void)(IsSigned ? Before.sadd_ov(Step, Wraps)
                      : Before.uadd_ov(Step, Wraps));
      if (Wraps)
        return false;
      continue;
    }
    auto *Sum = dyn_cast<OverflowingBinaryOperator>(Way.Is);
    auto *By = Sum ? dyn_cast<ConstantInt>(Sum->getOperand(1)) : nullptr;
    if (!By || Sum->getOpcode() != Instruction::Add ||
        Sum->getOperand(0) != &Counter || By->getValue() != Step ||
        !(IsSigned ? Sum->hasNoSignedWrap() : Sum->hasNoUnsignedWrap()))
      return false;
  }
  return true;
}

} // namespace

extern "C" {

/// Replaces what such counters become by sums, and sends each PHI node that has
/// lost its uses with the sum. All analyses are dropped if there is one.
void poly_unfold_counters(PolyContext *C, PointerSink Sink, void *Into) {
  SmallVector<void *, 4> Pairs;
  for (Loop *L : C->loops().getLoopsInPreorder()) {
    BasicBlock *Latch = L->getLoopLatch();
    if (!Latch)
      continue;
    for (PHINode &Counter : L->getHeader()->phis()) {
      auto *Next = dyn_cast<PHINode>(Counter.getIncomingValueForBlock(Latch));
      if (!Counter.getType()->isIntegerTy() || !Next || !L->contains(Next) ||
          Next->getParent() == L->getHeader())
        continue;
      SmallVector<Arrival, 8> Ways = arrivals(Next, *L);
      std::optional<APInt> Step = step(Counter, Ways, *L, C);
      if (!Step)
        continue;
      IRBuilder<> B(Next->getParent(),
                    Next->getParent()->getFirstInsertionPt());
      Value *Sum = B.CreateAdd(&Counter, B.getInt(*Step), "poly.next",
                               isWithout(/*IsSigned=*/false, Counter, *Step, Ways),
                               isWithout(/*IsSigned=*/true, Counter, *Step, Ways));
      Next->replaceAllUsesWith(Sum);
      Pairs.push_back(wrap(Next));
      Pairs.push_back(wrap(Sum));
    }
  }
  if (!Pairs.empty())
    C->reload();
  for (void *Value : Pairs)
    Sink(Into, Value);
}

/// Gives a PHI node its uses back.
void poly_fold_counter(LLVMValueRef Next, LLVMValueRef Sum) {
  unwrap(Sum)->replaceAllUsesWith(unwrap(Next));
  asInstruction(Sum)->eraseFromParent();
}

} // extern "C"
