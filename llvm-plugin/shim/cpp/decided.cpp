// What earlier branches say of later ones, and of PHI nodes.
//
// A conditional branch is decided where every way to its block goes through one edge
// of another branch whose condition implies it, or its opposite. A PHI node of two
// values is one of them where the difference of both is a multiple of that of two
// operands that a branch on the way has found equal. What that one is computed of is
// executed in front of the branch then.
//
// See temporaries.cpp for what both are good for.

#include "temporaries.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace temporaries;

namespace {

/// The largest size of elements that are counted, a power of two.
constexpr uint64_t MaxFactor = 64;
/// So many facts are known of a block at most.
constexpr size_t MaxFacts = 64;

/// A condition that an earlier branch has decided.
struct Fact {
  const Value *Condition;
  bool IsTrue;
};

/// Adds what a condition says, in parts if all of them have to be true, or false.
void addFacts(const Value *Condition, bool IsTrue, SmallVectorImpl<Fact> &Facts) {
  SmallVector<const Value *, 8> Todo{Condition};
  while (!Todo.empty() && Facts.size() < MaxFacts) {
    const Value *Part = Todo.pop_back_val();
    const Value *A = nullptr, *B = nullptr;
    if (IsTrue ? match(Part, m_LogicalAnd(m_Value(A), m_Value(B)))
               : match(Part, m_LogicalOr(m_Value(A), m_Value(B))))
      Todo.append({B, A});
    else
      Facts.push_back({Part, IsTrue});
  }
}

/// The facts on entry of a block, those of the last branch first.
SmallVector<Fact, 8> factsAt(BasicBlock &B, DominatorTree &DT) {
  SmallVector<Fact, 8> Facts;
  DomTreeNode *Node = DT.getNode(&B);
  for (Node = Node ? Node->getIDom() : nullptr; Node && Facts.size() < MaxFacts;
       Node = Node->getIDom()) {
    auto *Branch = dyn_cast<BranchInst>(Node->getBlock()->getTerminator());
    if (!Branch || !Branch->isConditional() ||
        Branch->getSuccessor(0) == Branch->getSuccessor(1))
      continue;
    for (unsigned Way : {0, 1})
      if (DT.dominates(BasicBlockEdge(Branch->getParent(), Branch->getSuccessor(Way)), &B))
        addFacts(Branch->getCondition(), Way == 0, Facts);
  }
  return Facts;
}

/// The difference of the operands, as a number; null if it is not known.
const SCEV *apart(const Value *A, const Value *B, ScalarEvolution &SE) {
  auto Number = [&SE](const Value *V) -> const SCEV * {
    if (!SE.isSCEVable(V->getType()))
      return nullptr;
    const SCEV *Of = SE.getSCEV(const_cast<Value *>(V));
    if (Of->getType()->isPointerTy())
      Of = SE.getLosslessPtrToIntExpr(Of);
    return isa<SCEVCouldNotCompute>(Of) ? nullptr : Of;
  };
  const SCEV *Of = Number(A), *From = Number(B);
  return Of && From && Of->getType() == From->getType() ? SE.getMinusSCEV(Of, From) : nullptr;
}

/// Whether two comparisons for equality ask for the same difference: of addresses, and of
/// the numbers that they are.
bool areAlike(const Value *Known, const Value *Asked, ScalarEvolution &SE) {
  auto *A = dyn_cast<ICmpInst>(Known), *B = dyn_cast<ICmpInst>(Asked);
  if (!A || !B || !A->isEquality() || !B->isEquality())
    return false;
  const SCEV *OfA = apart(A->getOperand(0), A->getOperand(1), SE);
  const SCEV *OfB = apart(B->getOperand(0), B->getOperand(1), SE);
  return OfA && OfB && OfA->getType() == OfB->getType() &&
         (OfA == OfB || OfA == SE.getNegativeSCEV(OfB));
}

/// What a comparison gives if the number that it asks for, or the difference of addresses, is one
/// that an earlier condition compares with a constant, with another constant added or not.
std::optional<bool> decidedByNumber(const Fact &Known, const Value *Asked, ScalarEvolution &SE) {
  auto *Earlier = dyn_cast<ICmpInst>(Known.Condition);
  auto *Now = dyn_cast<ICmpInst>(Asked);
  auto *Bound = Earlier ? dyn_cast<ConstantInt>(Earlier->getOperand(1)) : nullptr;
  if (!Now || !Bound)
    return std::nullopt;
  CmpInst::Predicate Predicate = Earlier->getPredicate();
  ConstantRange Range = ConstantRange::makeExactICmpRegion(
      Known.IsTrue ? Predicate : CmpInst::getInversePredicate(Predicate), Bound->getValue());
  const Value *Number = Earlier->getOperand(0), *Summand = nullptr;
  const APInt *Offset = nullptr;
  // A pattern that does not match may have set some of what it looks for.
  if (match(Number, m_Add(m_Value(Summand), m_APInt(Offset)))) {
    Number = Summand;
    Range = Range.subtract(*Offset);
  }
  const SCEV *Of = SE.getSCEV(const_cast<Value *>(Number));
  auto *With = dyn_cast<ConstantInt>(Now->getOperand(1));
  if (With && SE.getSCEV(Now->getOperand(0)) == Of) {
    ConstantRange Other(With->getValue());
    if (Range.icmp(Now->getPredicate(), Other))
      return true;
    return Range.icmp(Now->getInversePredicate(), Other) ? std::optional(false) : std::nullopt;
  }
  const SCEV *Apart = Now->isEquality() ? apart(Now->getOperand(0), Now->getOperand(1), SE) : nullptr;
  bool IsNumber = Apart && Apart->getType() == Of->getType() &&
                  (Apart == Of || Apart == SE.getNegativeSCEV(Of));
  if (!IsNumber || Range.contains(APInt::getZero(Range.getBitWidth())))
    return std::nullopt;
  return Now->getPredicate() == CmpInst::ICMP_NE;
}

/// What the condition of the branch is, if an earlier one says so.
std::optional<bool> decided(BranchInst &Branch, PolyContext &C) {
  const Value *Asked = Branch.getCondition();
  for (const Fact &Known : factsAt(*Branch.getParent(), C.domTree())) {
    if (Known.Condition == Asked)
      return Known.IsTrue;
    if (std::optional<bool> Implied =
            isImpliedCondition(Known.Condition, Asked, C.dataLayout(), Known.IsTrue))
      return Implied;
    if (std::optional<bool> Implied = decidedByNumber(Known, Asked, C.scev()))
      return Implied;
    if (areAlike(Known.Condition, Asked, C.scev())) {
      auto Predicate = [](const Value *V) { return cast<ICmpInst>(V)->getPredicate(); };
      return Known.IsTrue == (Predicate(Known.Condition) == Predicate(Asked));
    }
  }
  return std::nullopt;
}

/// Whether the two numbers or addresses are equal where the comparison for
/// equality is true: their difference is a multiple of that of its operands.
bool areEqualIf(const ICmpInst &Equal, Value *A, Value *B, ScalarEvolution &SE) {
  // Equal addresses in different objects do not stand for each other.
  bool IsAddress = A->getType()->isPointerTy();
  const SCEV *Apart = IsAddress ? SE.getMinusSCEV(SE.getSCEV(A), SE.getSCEV(B)) : apart(A, B, SE);
  const SCEV *Asked = apart(Equal.getOperand(0), Equal.getOperand(1), SE);
  if (!Apart || isa<SCEVCouldNotCompute>(Apart) || !Asked ||
      Apart->getType() != Asked->getType())
    return false;
  for (uint64_t Factor = 1; Factor <= MaxFactor; Factor *= 2) {
    const SCEV *Multiple = SE.getMulExpr(SE.getConstant(Asked->getType(), Factor), Asked);
    if (Apart == Multiple || Apart == SE.getNegativeSCEV(Multiple))
      return true;
  }
  return false;
}

/// Whether a value is poison only where one of the others is, also where the operations that it
/// needs are executed earlier, without what they promise.
bool isAsDefined(const Instruction &Like, ArrayRef<Instruction *> Moved,
                 ArrayRef<const Value *> Others) {
  auto IsDefined = [&](const Instruction *I) {
    return !canCreateUndefOrPoison(cast<Operator>(I), /*ConsiderFlagsAndMetadata=*/Moved.empty()) &&
           all_of(I->operands(), [&](const Use &Operand) {
             return is_contained(Moved, Operand.get()) || isGuaranteedNotToBePoison(Operand) ||
                    any_of(Others,
                           [&](const Value *Other) { return impliesPoison(Operand, Other); });
           });
  };
  return IsDefined(&Like) && all_of(Moved, IsDefined);
}

/// Whether `Other`, which comes along an edge to the PHI node, is `Like` there. `Moved` is what
/// has to be executed earlier for `Like` to be known.
bool isLikeOnEdge(PHINode &Phi, unsigned Edge, Instruction &Like, ArrayRef<Instruction *> Moved,
                  PolyContext &C) {
  Value *Other = Phi.getIncomingValue(Edge);
  BasicBlock *From = Phi.getIncomingBlock(Edge);
  SmallVector<Fact, 8> Facts = factsAt(*From, C.domTree());
  auto *Last = dyn_cast<BranchInst>(From->getTerminator());
  if (Last && Last->isConditional() && Last->getSuccessor(0) != Last->getSuccessor(1))
    addFacts(Last->getCondition(), Last->getSuccessor(0) == Phi.getParent(), Facts);
  return any_of(Facts, [&](const Fact &Known) {
    auto *Asked = dyn_cast<ICmpInst>(Known.Condition);
    return Asked && Asked->isEquality() &&
           (Asked->getPredicate() == CmpInst::ICMP_EQ) == Known.IsTrue &&
           areEqualIf(*Asked, Other, &Like, C.scev()) &&
           isAsDefined(Like, Moved, {Other, Asked});
  });
}

/// The value that a PHI node outside of loops' headers always is.
Value *onlyValue(PHINode &Phi, PolyContext &C) {
  DomTreeNode *Above = C.domTree().getNode(Phi.getParent())->getIDom();
  if (Phi.getNumIncomingValues() != 2 || !C.scev().isSCEVable(Phi.getType()) ||
      C.loops().isLoopHeader(Phi.getParent()) || !Above)
    return nullptr;
  for (unsigned Edge : {0, 1}) {
    auto *Like = dyn_cast<Instruction>(Phi.getIncomingValue(1 - Edge));
    SmallVector<Instruction *, 4> Moved;
    if (Like && Like->getParent() != Phi.getParent() &&
        addOperations(Like, *Above->getBlock(), Moved, C) &&
        isLikeOnEdge(Phi, Edge, *Like, Moved, C))
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
        !isBesideLoops(B, Loops) || !C.domTree().isReachableFromEntry(&B))
      continue;
    std::optional<bool> Known = decided(*Branch, C);
    // How often a loop runs is left to its exits; what throws leaves it, too.
    if (Known && (!Around || Around->contains(Branch->getSuccessor(*Known ? 0 : 1))))
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
