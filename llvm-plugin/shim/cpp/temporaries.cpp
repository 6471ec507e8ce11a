// Loops over temporary arrays, without what stands between them.
//
// In `r = a * b + c`, with an operator that returns an array for each step, the
// loops of all steps are inlined, but between two of them there are the
// allocation of the next array and questions that have been answered before: is
// the length zero, is it too large. No SCoP has both loops then.
//
// 1. A PHI node is one of its values where the others are equal to it: the end of
//    an array is `p + n` where it is `p + n`, and `p + 8` where `n` is 8.
// 2. A branch that an earlier one decides goes one way. LLVM's passes see what
//    follows from both, and make ways of their own for what is decided on one way
//    to a block and open on another.
// 3. An allocation moves in front of the loops before it, to where it is executed
//    just as often. What it needs is computed there. What it passes over has no
//    effects but stores; where the allocation can throw, these are to allocated
//    objects that nobody else knows and nobody reads when that happens. A call
//    that LLVM may remove, as compilers may with every `new` expression, has no
//    effects but the object.
//
// 4. The steps above want arrays of one length, which operands of an expression
//    have, but not by what a compiler knows. Where an allocation behind a loop does
//    not move, the rest of the function is made twice, behind a comparison of the
//    lengths in front of all allocations: one part knows that they are equal, not zero
//    and not too large, and the other one is as before.
//
// All that is done where it brings two loops together: an allocation can move in
// front of a loop, or is of a size that such a PHI node decides, or a branch
// between two loops is decided. Otherwise nothing is. Allocations move in front of
// what fills other arrays, too: a fill in front of the first loop is dead where the
// loop overwrites all of it, which the model of both shows.

#include "shim.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace {

/// An allocation passes over so many blocks at most.
constexpr size_t MaxBlocks = 64;
/// The address of an object has so many uses at most, those of addresses computed
/// of it included.
constexpr size_t MaxUses = 256;
/// A size has so many operations at most that move with the allocation.
constexpr size_t MaxOperations = 16;
/// The largest size of elements that are counted, a power of two.
constexpr uint64_t MaxFactor = 64;
/// Rounds: each moves an allocation or decides a branch.
constexpr unsigned MaxRounds = 32;

using Blocks = SmallSetVector<BasicBlock *, 16>;

//===-- What earlier branches decide --------------------------------------===//

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

/// Whether two loops are beside the block, in the same loop.
bool isBesideLoops(BasicBlock &B, LoopInfo &Loops) {
  Loop *Around = Loops.getLoopFor(&B);
  return (Around ? Around->getSubLoops() : Loops.getTopLevelLoops()).size() >= 2;
}

/// The branches beside loops that are decided, and how.
SmallVector<std::pair<BranchInst *, bool>, 4> decidedBranches(PolyContext &C) {
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

//===-- PHI nodes of equal values -----------------------------------------===//

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

/// The PHI nodes beside loops that are always one of their values.
SmallVector<std::pair<PHINode *, Value *>, 4> equalPhis(PolyContext &C) {
  SmallVector<std::pair<PHINode *, Value *>, 4> Found;
  for (BasicBlock &B : C.function())
    if (isBesideLoops(B, C.loops()) && C.domTree().isReachableFromEntry(&B))
      for (PHINode &Phi : B.phis())
        if (Value *Only = onlyValue(Phi, C))
          Found.emplace_back(&Phi, Only);
  return Found;
}

//===-- Allocations -------------------------------------------------------===//

/// An allocation, and the block at whose end it can stand.
struct Move {
  CallBase *Allocation = nullptr;
  BasicBlock *To = nullptr;
  /// What it needs, in order.
  SmallVector<Instruction *, 4> Operations;
};

/// The blocks on the ways from the end of a block to another one, which each
/// such way leads to; nothing if some lead elsewhere.
std::optional<Blocks> blocksBetween(BasicBlock &From, BasicBlock &To) {
  Blocks Found;
  SmallVector<BasicBlock *, 16> Todo(successors(&From));
  while (!Todo.empty()) {
    BasicBlock *B = Todo.pop_back_val();
    if (B == &To || !Found.insert(B))
      continue;
    if (B == &From || Found.size() > MaxBlocks || succ_empty(B) ||
        isa<InvokeInst>(B->getTerminator()))
      return std::nullopt;
    Todo.append(succ_begin(B), succ_end(B));
  }
  return Found;
}

/// The object that an address is in, also where it steps through it.
const Value *objectAt(Value *Address, ScalarEvolution &SE) {
  auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(SE.getSCEV(Address)));
  return getUnderlyingObject(Base ? Base->getValue() : Address);
}

/// The object that an instruction stores to, if that is all it does; null if it
/// does nothing.
std::optional<const Value *> storedTo(Instruction &I, ScalarEvolution &SE) {
  if (auto *Mark = dyn_cast<IntrinsicInst>(&I); Mark && Mark->isAssumeLikeIntrinsic())
    return nullptr;
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple() ? std::optional(objectAt(Store->getPointerOperand(), SE))
                             : std::nullopt;
  if (auto *Fill = dyn_cast<MemIntrinsic>(&I))
    return !Fill->isVolatile() ? std::optional(objectAt(Fill->getRawDest(), SE))
                               : std::nullopt;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() ? std::optional<const Value *>(nullptr) : std::nullopt;
  if (I.mayHaveSideEffects() || I.mayReadFromMemory())
    return std::nullopt;
  return nullptr;
}

/// The objects that the instructions store to; nothing if they do more.
bool objectsOf(BasicBlock::iterator From, BasicBlock::iterator To,
               SmallPtrSetImpl<const Value *> &Objects, ScalarEvolution &SE) {
  for (Instruction &I : make_range(From, To)) {
    std::optional<const Value *> Object = storedTo(I, SE);
    if (!Object)
      return false;
    if (*Object)
      Objects.insert(*Object);
  }
  return true;
}

/// The blocks that control comes to behind a block.
Blocks reachableFrom(BasicBlock &B) {
  Blocks Found;
  SmallVector<BasicBlock *, 16> Todo{&B};
  while (!Todo.empty())
    if (BasicBlock *Next = Todo.pop_back_val(); Found.insert(Next))
      Todo.append(succ_begin(Next), succ_end(Next));
  return Found;
}

/// Whether a number that is made of an address is the difference of two addresses
/// in one object, or only compared and part of the size of what is freed.
bool tellsNothing(const PtrToIntInst &Number, const TargetLibraryInfo &Library) {
  SmallSetVector<const llvm::User *, 8> Todo;
  Todo.insert(&Number);
  for (size_t I = 0; I != Todo.size(); ++I) {
    if (Todo.size() > MaxUses)
      return false;
    for (const Use &U : Todo[I]->uses()) {
      const llvm::User *User = U.getUser();
      auto *Apart = dyn_cast<BinaryOperator>(User);
      bool IsDifference = Apart && Apart->getOpcode() == Instruction::Sub;
      auto *From = IsDifference ? dyn_cast<PtrToIntInst>(Apart->getOperand(0)) : nullptr;
      auto *To = IsDifference ? dyn_cast<PtrToIntInst>(Apart->getOperand(1)) : nullptr;
      if (From && To && getUnderlyingObject(From->getOperand(0)) ==
                            getUnderlyingObject(To->getOperand(0)))
        continue;
      auto *Call = dyn_cast<CallBase>(User);
      if (isa<ICmpInst>(User) || (Call && getFreedOperand(Call, &Library)))
        continue;
      if (!IsDifference && !isa<PHINode>(User))
        return false;
      Todo.insert(User);
    }
  }
  return true;
}

/// Whether a use of an object's address tells nobody the address, and reads
/// nothing of the object in the blocks. Addresses computed of it are added.
bool isPrivateUse(const Use &U, const Blocks &Unwinding, SmallVectorImpl<const Value *> &Todo,
                  const TargetLibraryInfo &Library) {
  auto *User = cast<Instruction>(U.getUser());
  bool IsUnwinding = Unwinding.contains(const_cast<BasicBlock *>(User->getParent()));
  if (isa<GetElementPtrInst, PHINode, SelectInst>(User)) {
    Todo.push_back(User);
    return true;
  }
  if (isa<LoadInst>(User))
    return !IsUnwinding;
  if (isa<StoreInst>(User))
    return U.getOperandNo() == StoreInst::getPointerOperandIndex();
  if (isa<ICmpInst>(User))
    return true;
  if (auto *Number = dyn_cast<PtrToIntInst>(User))
    return tellsNothing(*Number, Library);
  if (isa<MemIntrinsic>(User))
    return !IsUnwinding;
  auto *Call = dyn_cast<CallBase>(User);
  return Call && getFreedOperand(Call, &Library) == U.get();
}

/// Whether nobody but this function knows the object, and nobody reads it in the
/// blocks; or what it contains means nothing to anybody if the function throws.
bool isPrivate(const Value *Object, const Blocks &Unwinding, PolyContext &C) {
  if (auto *Result = dyn_cast<Argument>(Object); Result && Unwinding.empty())
    return Result->hasAttribute(Attribute::DeadOnUnwind);
  auto *Made = dyn_cast<CallBase>(Object);
  if (!Made || !isRemovableAlloc(Made, &C.library()))
    return false;
  SmallVector<const Value *, 8> Todo{Object};
  SmallPtrSet<const Value *, 8> Seen;
  size_t Uses = 0;
  while (!Todo.empty()) {
    const Value *Address = Todo.pop_back_val();
    if (!Seen.insert(Address).second)
      continue;
    for (const Use &U : Address->uses())
      if (++Uses > MaxUses || !isPrivateUse(U, Unwinding, Todo, C.library()))
        return false;
  }
  return true;
}

/// Whether the blocks use nothing that is computed in the others, nor the edge of
/// the invocation.
bool needsNothingOf(const Blocks &Unwinding, InvokeInst &Invocation, BasicBlock &To,
                    DominatorTree &DT) {
  for (PHINode &Phi : Invocation.getUnwindDest()->phis()) {
    auto *From = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(Invocation.getParent()));
    if (From && !DT.dominates(From, To.getTerminator()))
      return false;
  }
  for (BasicBlock *B : Unwinding)
    for (Instruction &I : *B)
      for (Value *Operand : I.operands()) {
        auto *From = dyn_cast<Instruction>(Operand);
        if (From && !isa<PHINode>(I) && !Unwinding.contains(From->getParent()) &&
            !DT.dominates(From, To.getTerminator()))
          return false;
      }
  return true;
}

/// Adds the operations that the value needs and that are not known at the end of
/// the block; false if they cannot be executed there.
bool addOperations(Value *V, BasicBlock &To, Move &Found, PolyContext &C) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || C.domTree().dominates(I, To.getTerminator()) || is_contained(Found.Operations, I))
    return true;
  if (isa<PHINode>(I) || I->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(I) ||
      Found.Operations.size() >= MaxOperations)
    return false;
  for (Value *Operand : I->operands())
    if (!addOperations(Operand, To, Found, C))
      return false;
  Found.Operations.push_back(I);
  return true;
}

/// Whether the allocation may stand at the end of the block, in front of all that
/// comes between.
bool canMove(CallBase &Allocation, BasicBlock &To, const Blocks &Between, PolyContext &C) {
  BasicBlock *At = Allocation.getParent();
  DominatorTree &DT = C.domTree();
  SmallPtrSet<const Value *, 4> Objects;
  if (!objectsOf(At->begin(), Allocation.getIterator(), Objects, C.scev()))
    return false;
  for (BasicBlock *B : Between)
    if (!DT.dominates(&To, B) || !objectsOf(B->begin(), B->end(), Objects, C.scev()))
      return false;
  auto *Invocation = dyn_cast<InvokeInst>(&Allocation);
  if (!Invocation && !Allocation.mayThrow())
    return true;
  Blocks Unwinding;
  if (Invocation) {
    Unwinding = reachableFrom(*Invocation->getUnwindDest());
    if (Unwinding.contains(At) || !needsNothingOf(Unwinding, *Invocation, To, DT))
      return false;
  }
  return all_of(Objects, [&](const Value *Object) { return isPrivate(Object, Unwinding, C); });
}

/// Whether an allocation that passes over the blocks passes over a loop, or what
/// fills an array.
bool hasLoopOrFill(const Blocks &Between, Loop *Around, bool OrFill, LoopInfo &Loops) {
  return any_of(Between, [&](BasicBlock *B) {
    return Loops.getLoopFor(B) != Around ||
           (OrFill && any_of(*B, [](Instruction &I) { return isa<MemSetInst>(I); }));
  });
}

/// How far the allocation can move; over no loop, nor a fill if these count, if there
/// is no block.
Move moveOf(CallBase &Allocation, bool OrFill, PolyContext &C) {
  Move Best;
  BasicBlock *At = Allocation.getParent();
  Loop *Around = C.loops().getLoopFor(At);
  DomTreeNode *Node = C.domTree().getNode(At);
  while (Node && (Node = Node->getIDom())) {
    BasicBlock *To = Node->getBlock();
    if (C.loops().getLoopFor(To) != Around || isa<InvokeInst>(To->getTerminator()))
      continue;
    std::optional<Blocks> Between = blocksBetween(*To, *At);
    if (!Between || !canMove(Allocation, *To, *Between, C))
      break;
    Move Found{&Allocation, To, {}};
    bool IsKnown = all_of(Allocation.args(), [&](Value *Argument) {
      return addOperations(Argument, *To, Found, C);
    });
    if (!IsKnown)
      break;
    if (hasLoopOrFill(*Between, Around, OrFill, C.loops()))
      Best = Found;
  }
  return Best;
}

/// Whether an allocation is in front of loops, which may be between it and
/// others.
bool isAllocation(Instruction &I, PolyContext &C) {
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && !Call->isMustTailCall() && !Call->hasOperandBundles() &&
         isRemovableAlloc(Call, &C.library()) && isBesideLoops(*I.getParent(), C.loops()) &&
         C.domTree().isReachableFromEntry(I.getParent());
}

/// The first allocation that can move over a loop, or a fill, if there is one.
Move firstMove(bool OrFill, PolyContext &C) {
  for (Instruction &I : instructions(C.function()))
    if (isAllocation(I, C))
      if (Move Found = moveOf(cast<CallBase>(I), OrFill, C); Found.To)
        return Found;
  return {};
}

/// Moves what is computed of the object's address, and of what is known before, to
/// the end of a block behind the allocation: numbers that are used behind loops are
/// none of their results then.
void moveAddresses(Instruction &Object, BasicBlock &To, PolyContext &C) {
  DominatorTree &DT = C.domTree();
  LoopInfo &Loops = C.loops();
  SmallVector<Instruction *, 8> Todo{&Object};
  for (size_t I = 0; I != Todo.size() && I != MaxUses; ++I)
    for (User *U : Todo[I]->users()) {
      auto *Made = cast<Instruction>(U);
      bool IsKnown = all_of(Made->operands(), [&](Value *Operand) {
        auto *From = dyn_cast<Instruction>(Operand);
        return !From || DT.dominates(From, To.getTerminator());
      });
      if (!isa<GetElementPtrInst, PtrToIntInst>(Made) || !IsKnown || Made->getParent() == &To ||
          Loops.getLoopFor(Made->getParent()) != Loops.getLoopFor(&To) ||
          !DT.dominates(&To, Made->getParent()))
        continue;
      Made->moveBefore(To, To.getTerminator()->getIterator());
      Made->dropLocation();
      Todo.push_back(Made);
    }
}

/// Moves it.
void move(const Move &It) {
  Instruction *End = It.To->getTerminator();
  for (Instruction *I : It.Operations) {
    I->moveBefore(*It.To, End->getIterator());
    I->dropLocation();
  }
  auto *Invocation = dyn_cast<InvokeInst>(It.Allocation);
  if (!Invocation) {
    It.Allocation->moveBefore(*It.To, End->getIterator());
    return;
  }
  BasicBlock *At = Invocation->getParent();
  BasicBlock *Normal = Invocation->getNormalDest();
  BasicBlock *Rest = SplitBlock(It.To, End);
  Invocation->getUnwindDest()->replacePhiUsesWith(At, It.To);
  It.To->getTerminator()->eraseFromParent();
  Invocation->moveBefore(*It.To, It.To->end());
  Invocation->setNormalDest(Rest);
  BranchInst::Create(Normal, At);
}

//===-- Consequences ------------------------------------------------------===//

/// Runs passes over the function, and drops all analyses.
void run(FunctionPassManager &Passes, PolyContext &C) {
  C.reload();
  C.analyses().invalidate(C.function(), Passes.run(C.function(), C.analyses()));
  C.reload();
}

/// Lets what has been decided have its consequences.
void fold(PolyContext &C) {
  FunctionPassManager Passes;
  Passes.addPass(InstCombinePass());
  Passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  Passes.addPass(JumpThreadingPass());
  Passes.addPass(InstCombinePass());
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(LoopSimplifyPass());
  Passes.addPass(LCSSAPass());
  run(Passes, C);
}

//===-- Arrays of one length ----------------------------------------------===//

/// So many instructions are made twice at most.
constexpr size_t MaxCopied = 4096;
/// So many different lengths are compared at most.
constexpr size_t MaxLengths = 8;

/// No object has as many bytes as so many bits count: the address spaces of processors
/// are no larger. What asks whether a length is too large is decided below that.
constexpr unsigned AddressBits = 57;

/// What the lengths of arrays are computed of, at the end of a block.
struct Lengths {
  BasicBlock *At = nullptr;
  /// The lengths that different allocations have.
  SmallSetVector<Value *, MaxLengths> All;
  /// What is not known at the end of the block and must be computed there, in order.
  SmallSetVector<Instruction *, 16> Operations;
  /// What is executed twice: all behind the block.
  Blocks Copied;
};

/// The one value that a size in bytes is a function of, if there is one: itself, or
/// a number that it is a multiple of.
Value *lengthIn(Value *Size) {
  while (auto *I = dyn_cast<Instruction>(Size)) {
    Value *Only = nullptr;
    for (Value *Operand : I->operands()) {
      auto *Asked = dyn_cast<ICmpInst>(Operand);
      Value *Of = Asked && isa<ConstantInt>(Asked->getOperand(1)) ? Asked->getOperand(0) : Operand;
      if (auto *Inner = dyn_cast<BinaryOperator>(Of);
          isa<SelectInst>(I) && Inner && isa<ConstantInt>(Inner->getOperand(1)))
        Of = Inner->getOperand(0);
      if (isa<Constant>(Of) || Of == Only)
        continue;
      if (Only)
        return Size;
      Only = Of;
    }
    if (!Only || !isa<BinaryOperator, SelectInst, CastInst>(I) || isa<PtrToIntInst>(I))
      return Size;
    Size = Only;
  }
  return Size;
}

/// Whether a load behind the block gives what one at its end would.
bool isSameBefore(LoadInst &Load, const Lengths &In, PolyContext &C) {
  BasicBlock *At = In.At;
  if (!Load.isSimple() || !isDereferenceableAndAlignedPointer(
                              Load.getPointerOperand(), Load.getType(), Load.getAlign(),
                              C.dataLayout(), At->getTerminator(), &C.assumptions(),
                              &C.domTree(), &C.library()))
    return false;
  MemoryLocation Read = MemoryLocation::get(&Load);
  for (BasicBlock *B : In.Copied) {
    if (!C.domTree().dominates(B, Load.getParent()) &&
        !isPotentiallyReachable(B, Load.getParent(), nullptr, &C.domTree(), &C.loops()))
      continue;
    for (Instruction &I : *B) {
      if (&I == &Load)
        break;
      auto *Call = dyn_cast<CallBase>(&I);
      bool IsMemory = Call && (isRemovableAlloc(Call, &C.library()) ||
                               getFreedOperand(Call, &C.library()));
      if (!IsMemory && isModSet(C.alias().getModRefInfo(&I, Read)))
        return false;
    }
  }
  return true;
}

/// Adds what a value needs to be known at the end of the block; false if it cannot.
bool addToLengths(Value *V, Lengths &In, PolyContext &C) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || C.domTree().dominates(I, In.At->getTerminator()) || In.Operations.contains(I))
    return true;
  auto *Load = dyn_cast<LoadInst>(I);
  if (In.Operations.size() >= MaxOperations || isa<PHINode>(I) ||
      (!Load && (I->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(I))))
    return false;
  for (Value *Operand : I->operands())
    if (!addToLengths(Operand, In, C))
      return false;
  if (Load && !isSameBefore(*Load, In, C))
    return false;
  In.Operations.insert(I);
  return true;
}

/// The lengths of the arrays that the function allocates in no loop, as far as they
/// can be compared in front of all; no block if that changes nothing.
Lengths lengthsOf(PolyContext &C) {
  Lengths Found;
  SmallVector<CallBase *, 8> Allocations;
  for (Instruction &I : instructions(C.function()))
    if (isAllocation(I, C) && !C.loops().getLoopFor(I.getParent()))
      Allocations.push_back(cast<CallBase>(&I));
  for (CallBase *Allocation : Allocations)
    Found.At = Found.At ? C.domTree().findNearestCommonDominator(Found.At, Allocation->getParent())
                        : Allocation->getParent();
  if (Allocations.size() < 2 || C.loops().getLoopFor(Found.At))
    return {};
  if (isa<InvokeInst>(Found.At->getTerminator()))
    return {};
  // The first allocation may be in the block itself: it is in front of it then.
  for (CallBase *Allocation : Allocations)
    if (Allocation->getParent() == Found.At) {
      DomTreeNode *Up = C.domTree().getNode(Found.At)->getIDom();
      if (!Up || isa<InvokeInst>(Up->getBlock()->getTerminator()) ||
          C.loops().getLoopFor(Up->getBlock()))
        return {};
      Found.At = Up->getBlock();
      break;
    }
  for (BasicBlock *Next : successors(Found.At))
    for (BasicBlock *B : reachableFrom(*Next))
      Found.Copied.insert(B);
  size_t Instructions = 0;
  for (BasicBlock *B : Found.Copied)
    Instructions += B->size();
  if (Found.Copied.contains(Found.At) || Instructions > MaxCopied)
    return {};
  for (CallBase *Allocation : Allocations)
    for (Value *Argument : Allocation->args()) {
      Value *Length = lengthIn(Argument);
      Lengths With = Found;
      if (!Length->getType()->isIntegerTy() || isa<Constant>(Length) ||
          Found.All.size() >= MaxLengths || !addToLengths(Length, With, C))
        continue;
      if (Found.All.empty() || Found.All[0]->getType() == Length->getType()) {
        Found = With;
        Found.All.insert(Length);
      }
    }
  if (Found.All.empty())
    return {};
  return Found;
}

/// Freezes what a value is computed of, in the whole function: it is compared where
/// the program may not have looked at it.
void freezeLeaves(Value *V, PolyContext &C, unsigned Depth = 0) {
  if (isa<Constant>(V) || Depth > MaxOperations ||
      isGuaranteedNotToBeUndefOrPoison(V, &C.assumptions()))
    return;
  auto *I = dyn_cast<Instruction>(V);
  if (I && isa<BinaryOperator, CastInst, GetElementPtrInst, SelectInst, ICmpInst>(I)) {
    for (Value *Operand : I->operands())
      freezeLeaves(Operand, C, Depth + 1);
    return;
  }
  BasicBlock::iterator At = C.function().getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  if (I) {
    std::optional<BasicBlock::iterator> Behind = I->getInsertionPointAfterDef();
    if (!Behind)
      return;
    At = *Behind;
  }
  auto *Frozen = new FreezeInst(V, "", At);
  V->replaceUsesWithIf(Frozen, [Frozen](Use &U) { return U.getUser() != Frozen; });
}

/// Makes all behind the block twice. The lengths are equal, not zero and not too large
/// in the blocks that there were, and anything in the copies.
void compareLengths(Lengths &Of, PolyContext &C) {
  BasicBlock *At = Of.At;
  for (Value *Length : Of.All)
    if (auto *I = dyn_cast<Instruction>(Length); !I || !Of.Operations.contains(I))
      freezeLeaves(Length, C);
  BasicBlock *Equal = SplitBlock(At, At->getTerminator());
  Blocks Copied = Of.Copied;
  Copied.insert(Equal);
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 16> Copies;
  for (BasicBlock *B : Copied) {
    Copies.push_back(CloneBasicBlock(B, Map, ".any", &C.function()));
    Map[B] = Copies.back();
  }
  remapInstructionsInBlocks(Copies, Map);
  for (BasicBlock *Copy : Copies) {
    Instruction *End = Copy->getTerminator();
    End->setMetadata("poly.settled", MDNode::get(End->getContext(), {}));
  }
  // What is computed before the comparison takes the place of what is behind it.
  IRBuilder<> B(At->getTerminator());
  auto ReplaceBehind = [&](Value *Old, Value *New) {
    Old->replaceUsesWithIf(New, [&](Use &U) {
      return Copied.contains(cast<Instruction>(U.getUser())->getParent());
    });
  };
  DenseMap<Value *, Value *> Before;
  for (Instruction *I : Of.Operations) {
    Instruction *Now = I->clone();
    for (Use &Operand : Now->operands())
      if (Value *Known = Before.lookup(Operand))
        Operand.set(Known);
    B.Insert(Now);
    Now->dropLocation();
    Now->dropUBImplyingAttrsAndMetadata();
    Before[I] = isa<LoadInst>(I) ? B.CreateFreeze(Now) : static_cast<Value *>(Now);
  }
  for (Instruction *I : Of.Operations)
    ReplaceBehind(I, Before[I]);
  SmallVector<Value *, MaxLengths> Lengths;
  for (Value *Length : Of.All) {
    Value *Known = Before.lookup(Length);
    if (!Known && !isGuaranteedNotToBeUndefOrPoison(Length, &C.assumptions(), At->getTerminator())) {
      Known = B.CreateFreeze(Length);
      ReplaceBehind(Length, Known);
    }
    Lengths.push_back(Known ? Known : Length);
  }
  Type *T = Lengths[0]->getType();
  unsigned Bits = std::min(T->getIntegerBitWidth() - 1, AddressBits);
  Value *IsOne = B.CreateICmpULT(Lengths[0], ConstantInt::get(T, uint64_t(1) << Bits));
  IsOne = B.CreateAnd(IsOne, B.CreateIsNotNull(Lengths[0]));
  for (Value *Length : drop_begin(Lengths)) {
    IsOne = B.CreateAnd(IsOne, B.CreateICmpEQ(Length, Lengths[0]));
    IsOne = B.CreateAnd(IsOne, B.CreateIsNotNull(Length));
    ReplaceBehind(Length, Lengths[0]);
  }
  At->getTerminator()->eraseFromParent();
  BranchInst::Create(Equal, cast<BasicBlock>(Map[Equal]), IsOne, At);
  // What has been computed of the length before is computed again, for more is known.
  SmallVector<User *, 8> Users(Lengths[0]->users());
  for (User *U : Users)
    if (auto *I = dyn_cast<BinaryOperator>(U);
        I && !Copied.contains(I->getParent()) && C.domTree().dominates(I->getParent(), At)) {
      Instruction *Again = I->clone();
      Again->insertBefore(*Equal, Equal->getFirstInsertionPt());
      ReplaceBehind(I, Again);
    }
  fold(C);
}

/// Whether an allocation that stays is behind a loop, and not all arrays are known to
/// have one length.
bool hasParted(PolyContext &C) {
  return any_of(instructions(C.function()), [&](Instruction &I) {
    return isAllocation(I, C) && !C.loops().getLoopFor(I.getParent()) &&
           any_of(C.loops(), [&](Loop *L) {
             return isPotentiallyReachable(L->getHeader(), I.getParent(), nullptr, &C.domTree(),
                                           &C.loops());
           });
  });
}

//===-- The function ------------------------------------------------------===//

/// Whether one loop beside the block is in front of it, and one behind.
bool isBetweenLoops(BasicBlock &B, PolyContext &C) {
  Loop *Around = C.loops().getLoopFor(&B);
  const auto &Beside = Around ? Around->getSubLoops() : C.loops().getTopLevelLoops();
  return any_of(Beside, [&](Loop *L) { return C.domTree().dominates(L->getHeader(), &B); }) &&
         any_of(Beside, [&](Loop *L) { return C.domTree().dominates(&B, L->getHeader()); });
}

/// Whether the size of an allocation is computed of an address.
bool isInSize(const PHINode &Address, PolyContext &C) {
  SmallSetVector<const Value *, 8> Todo;
  Todo.insert(&Address);
  for (size_t I = 0; I != Todo.size() && I != MaxUses; ++I)
    for (const User *U : Todo[I]->users()) {
      auto *Call = dyn_cast<CallBase>(U);
      if (Call && isRemovableAlloc(Call, &C.library()))
        return true;
      if (isa<PtrToIntInst, BinaryOperator, PHINode>(U))
        Todo.insert(U);
    }
  return false;
}

/// Does one of the three steps; false if there is nothing to do.
bool step(PolyContext &C) {
  auto Phis = equalPhis(C);
  for (auto [Phi, Only] : Phis) {
    Phi->replaceAllUsesWith(Only);
    Phi->eraseFromParent();
  }
  auto Branches = decidedBranches(C);
  for (auto [Branch, IsTrue] : Branches)
    Branch->setCondition(ConstantInt::getBool(Branch->getContext(), IsTrue));
  if (!Phis.empty() || !Branches.empty()) {
    removeUnreachableBlocks(C.function());
    fold(C);
    return true;
  }
  Move Next = firstMove(/*OrFill=*/true, C);
  if (!Next.To)
    return false;
  move(Next);
  FunctionPassManager Passes;
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(LoopSimplifyPass());
  Passes.addPass(LCSSAPass());
  run(Passes, C);
  return true;
}

} // namespace

extern "C" {

/// Whether something stands between loops over temporary arrays that need not.
bool poly_has_parted_temporaries(PolyContext *C) {
  bool HasAllocation = any_of(instructions(C->function()), [C](Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call && isRemovableAlloc(Call, &C->library());
  });
  return HasAllocation && any_of(C->function(), [C](BasicBlock &B) {
           return isBesideLoops(B, C->loops());
         }) &&
         (firstMove(/*OrFill=*/false, *C).To || (hasParted(*C) && lengthsOf(*C).At) ||
          any_of(decidedBranches(*C), [C](auto Decided) {
            return isBetweenLoops(*Decided.first->getParent(), *C);
          }) ||
          any_of(equalPhis(*C), [C](auto Equal) { return isInSize(*Equal.first, *C); }));
}

/// Takes it away, and sends the headers of the outermost loops. The function is in
/// the form that LLVM calls loop-simplify and LCSSA before and afterwards.
void poly_join_temporaries(PolyContext *C, PointerSink Sink, void *Into) {
  auto Step = [C] {
    for (unsigned Round = 0; Round < MaxRounds && step(*C); ++Round) {
    }
  };
  Step();
  if (hasParted(*C))
    if (Lengths Of = lengthsOf(*C); Of.At) {
      compareLengths(Of, *C);
      Step();
    }
  for (Instruction &I : instructions(C->function()))
    if (isAllocation(I, *C)) {
      auto *Invocation = dyn_cast<InvokeInst>(&I);
      moveAddresses(I, Invocation ? *Invocation->getNormalDest() : *I.getParent(), *C);
    }
  for (Loop *L : C->loops())
    Sink(Into, wrap(L->getHeader()));
}

} // extern "C"
