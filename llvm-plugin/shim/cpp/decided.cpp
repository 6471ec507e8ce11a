// What earlier branches say of later ones, and of PHI nodes.
//
// A conditional branch is decided where every way to its block goes through one edge
// of another branch whose condition implies it, or its opposite. A PHI node of two
// values is one of them where the difference of both is a multiple of that of two
// operands that a branch on the way has found equal.
//
// See temporaries.cpp for what both are good for.

#include "temporaries.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;
using namespace temporaries;

namespace {

/// The largest size of elements that are counted, a power of two.
constexpr uint64_t MaxFactor = 64;

/// A branch that has decided its condition where a block is entered.
struct Fact {
  const BranchInst *Branch;
  bool IsTrue;
};

/// The facts on entry of a block, the last one first.
SmallVector<Fact, 8> factsAt(BasicBlock &B, DominatorTree &DT) {
  SmallVector<Fact, 8> Facts;
  DomTreeNode *Node = DT.getNode(&B);
  for (Node = Node ? Node->getIDom() : nullptr; Node && Facts.size() < MaxBlocks;
       Node = Node->getIDom()) {
    auto *Branch = dyn_cast<BranchInst>(Node->getBlock()->getTerminator());
    if (!Branch || !Branch->isConditional() ||
        Branch->getSuccessor(0) == Branch->getSuccessor(1))
      continue;
    for (unsigned Way : {0, 1})
      if (DT.dominates(BasicBlockEdge(Branch->getParent(), Branch->getSuccessor(Way)), &B))
        Facts.push_back({Branch, Way == 0});
  }
  return Facts;
}

/// What the condition of the branch is, if an earlier one says so.
std::optional<bool> decided(BranchInst &Branch, PolyContext &C) {
  for (const Fact &Known : factsAt(*Branch.getParent(), C.domTree())) {
    const Value *Condition = Known.Branch->getCondition();
    if (Condition == Branch.getCondition())
      return Known.IsTrue;
    if (std::optional<bool> Implied = isImpliedCondition(
            Condition, Branch.getCondition(), C.dataLayout(), Known.IsTrue))
      return Implied;
  }
  return std::nullopt;
}

/// Whether the two numbers or addresses are equal where the comparison for
/// equality is true: their difference is a multiple of that of its operands.
bool areEqualIf(ICmpInst &Equal, Value *A, Value *B, ScalarEvolution &SE) {
  if (!SE.isSCEVable(Equal.getOperand(0)->getType()))
    return false;
  const SCEV *Apart = SE.getMinusSCEV(SE.getSCEV(A), SE.getSCEV(B));
  const SCEV *Asked = SE.getMinusSCEV(SE.getSCEV(Equal.getOperand(0)),
                                      SE.getSCEV(Equal.getOperand(1)));
  if (isa<SCEVCouldNotCompute>(Apart) || isa<SCEVCouldNotCompute>(Asked) ||
      Apart->getType() != Asked->getType())
    return false;
  for (uint64_t Factor = 1; Factor <= MaxFactor; Factor *= 2) {
    const SCEV *Multiple = SE.getMulExpr(SE.getConstant(Asked->getType(), Factor), Asked);
    if (Apart == Multiple || Apart == SE.getNegativeSCEV(Multiple))
      return true;
  }
  return false;
}

/// Whether a value is poison only where one of the others is.
bool isAsDefined(const Instruction &Like, ArrayRef<const Value *> Others) {
  return !canCreateUndefOrPoison(cast<Operator>(&Like)) &&
         all_of(Like.operands(), [&](const Use &Operand) {
           return isGuaranteedNotToBePoison(Operand) || any_of(Others, [&](const Value *Other) {
                    return impliesPoison(Operand, Other);
                  });
         });
}

/// Whether `Other`, which comes along an edge to the PHI node, is `Like` there.
bool isLikeOnEdge(PHINode &Phi, unsigned Edge, Instruction &Like, PolyContext &C) {
  Value *Other = Phi.getIncomingValue(Edge);
  BasicBlock *From = Phi.getIncomingBlock(Edge);
  auto IsLike = [&](const BranchInst *Branch, bool IsTrue) {
    auto *Asked = dyn_cast<ICmpInst>(Branch->getCondition());
    return Asked && Asked->isEquality() &&
           (Asked->getPredicate() == CmpInst::ICMP_EQ) == IsTrue &&
           areEqualIf(*Asked, Other, &Like, C.scev()) && isAsDefined(Like, {Other, Asked});
  };
  auto *Last = dyn_cast<BranchInst>(From->getTerminator());
  if (Last && Last->isConditional() && Last->getSuccessor(0) != Last->getSuccessor(1) &&
      IsLike(Last, Last->getSuccessor(0) == Phi.getParent()))
    return true;
  return any_of(factsAt(*From, C.domTree()),
                [&](const Fact &Known) { return IsLike(Known.Branch, Known.IsTrue); });
}

/// The value that a PHI node outside of loops' headers always is.
Value *onlyValue(PHINode &Phi, PolyContext &C) {
  if (Phi.getNumIncomingValues() != 2 || !C.scev().isSCEVable(Phi.getType()) ||
      C.loops().isLoopHeader(Phi.getParent()))
    return nullptr;
  for (unsigned Edge : {0, 1}) {
    auto *Like = dyn_cast<Instruction>(Phi.getIncomingValue(1 - Edge));
    if (Like && Like->getParent() != Phi.getParent() &&
        C.domTree().dominates(Like, Phi.getParent()->getTerminator()) &&
        isLikeOnEdge(Phi, Edge, *Like, C))
      return Like;
  }
  return nullptr;
}

} // namespace

bool temporaries::isBesideLoops(BasicBlock &B, LoopInfo &Loops) {
  Loop *Around = Loops.getLoopFor(&B);
  return (Around ? Around->getSubLoops() : Loops.getTopLevelLoops()).size() >= 2;
}

SmallVector<std::pair<BranchInst *, bool>, 4> temporaries::decidedBranches(PolyContext &C) {
  SmallVector<std::pair<BranchInst *, bool>, 4> Found;
  LoopInfo &Loops = C.loops();
  for (BasicBlock &B : C.function()) {
    auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
    Loop *Around = Loops.getLoopFor(&B);
    if (!Branch || !Branch->isConditional() || !isa<ICmpInst>(Branch->getCondition()) ||
        !isBesideLoops(B, Loops) || (Around && Around->isLoopExiting(&B)) ||
        !C.domTree().isReachableFromEntry(&B))
      continue;
    if (std::optional<bool> Known = decided(*Branch, C))
      Found.emplace_back(Branch, *Known);
  }
  return Found;
}

SmallVector<std::pair<PHINode *, Value *>, 4> temporaries::equalPhis(PolyContext &C) {
  SmallVector<std::pair<PHINode *, Value *>, 4> Found;
  for (BasicBlock &B : C.function())
    if (isBesideLoops(B, C.loops()) && C.domTree().isReachableFromEntry(&B))
      for (PHINode &Phi : B.phis())
        if (Value *Only = onlyValue(Phi, C))
          Found.emplace_back(&Phi, Only);
  return Found;
}
