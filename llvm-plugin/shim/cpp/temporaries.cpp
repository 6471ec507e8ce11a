// Loops over temporary arrays, without what stands between them.
//
// In `r = a * b + c`, with an operator that returns an array for each step, the
// loops of all steps are inlined, but between two of them there are the
// allocation of the next array and questions that have been answered before: is
// the length zero, is it too large. No SCoP has both loops then.
//
// 1. A PHI node is one of its values where the others are equal to it: the end of
//    an array is `p + n` where it is `p + n`, and `p + 8` where `n` is 8 (decided.cpp).
// 2. A branch that an earlier one decides goes one way. LLVM's passes see what
//    follows from both, and make ways of their own for what is decided on one way
//    to a block and open on another.
// 3. An allocation moves in front of the loops before it, to where it is executed
//    just as often. What it needs is computed there. What it passes over has no
//    effects but stores; where the allocation can throw, these are to allocated
//    objects that nobody else knows and nobody reads when that happens. A call
//    that LLVM may remove, as compilers may with every `new` expression, has no
//    effects but the object.
// 4. The steps above want arrays of one length, which operands of an expression
//    have, but not by what a compiler knows. Where an allocation behind a loop does
//    not move, the loops of its expression are made twice, behind a comparison of the
//    lengths in front of all allocations: one part knows that they are equal, not zero
//    and not too large, and the other one is as before (lengths.cpp).
//
// All that is done where it may bring two loops together: an allocation is between
// those that write and read another temporary array, or a PHI node as above decides the
// size of one, or a branch between two loops is decided. Otherwise nothing is.
// Allocations move in front of what fills other arrays, too: a fill in front of the
// first loop is dead where the loop overwrites all of it, which the model of both shows.
// So that the SCoP has it, it gets a block of its own behind all allocations.

#include "temporaries.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
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
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;
using namespace temporaries;

namespace {

/// Rounds: each moves an allocation or decides a branch.
constexpr unsigned MaxRounds = 32;

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

/// Adds the operations that the blocks need if the allocation throws, which may be used there
/// and are computed in others; false if they cannot be executed at the end of the block.
bool addUnwinding(const Blocks &Unwinding, InvokeInst &Invocation, BasicBlock &To, Move &Found,
                  PolyContext &C) {
  auto Adds = [&](Value *Needed) {
    auto *From = dyn_cast<Instruction>(Needed);
    return !From || Unwinding.contains(From->getParent()) || addOperations(From, To, Found.Operations, C);
  };
  for (BasicBlock *B : Unwinding)
    for (Instruction &I : *B) {
      auto *Phi = dyn_cast<PHINode>(&I);
      for (Use &Operand : I.operands()) {
        BasicBlock *From = Phi ? Phi->getIncomingBlock(Operand) : B;
        if ((Unwinding.contains(From) || From == Invocation.getParent()) && !Adds(Operand))
          return false;
      }
    }
  return true;
}

/// Whether the allocation may stand at the end of the block, in front of all that
/// comes between. Adds what is needed there if it throws.
bool canMove(CallBase &Allocation, BasicBlock &To, const Blocks &Between, Move &Found,
             PolyContext &C) {
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
    if (Unwinding.contains(At) || !addUnwinding(Unwinding, *Invocation, To, Found, C))
      return false;
  }
  return all_of(Objects, [&](const Value *Object) { return isPrivate(Object, Unwinding, C); });
}

/// Whether an allocation that passes over the blocks passes over a loop, or what
/// fills an array.
bool hasLoopOrFill(const Blocks &Between, Loop *Around, LoopInfo &Loops) {
  return any_of(Between, [&](BasicBlock *B) {
    return Loops.getLoopFor(B) != Around ||
           any_of(*B, [](Instruction &I) { return isa<MemSetInst>(I); });
  });
}

/// How far the allocation can move; over no loop, nor a fill, if there is no block.
Move moveOf(CallBase &Allocation, PolyContext &C) {
  Move Best;
  BasicBlock *At = Allocation.getParent();
  Loop *Around = C.loops().getLoopFor(At);
  DomTreeNode *Node = C.domTree().getNode(At);
  while (Node && (Node = Node->getIDom())) {
    BasicBlock *To = Node->getBlock();
    if (C.loops().getLoopFor(To) != Around || isa<InvokeInst>(To->getTerminator()))
      continue;
    std::optional<Blocks> Between = blocksBetween(*To, *At);
    Move Found{&Allocation, To, {}};
    if (!Between || !canMove(Allocation, *To, *Between, Found, C))
      break;
    bool IsKnown = all_of(Allocation.args(), [&](Value *Argument) {
      return addOperations(Argument, *To, Found.Operations, C);
    });
    if (!IsKnown)
      break;
    if (hasLoopOrFill(*Between, Around, C.loops()))
      Best = Found;
  }
  return Best;
}

/// The first allocation that can move over a loop or a fill, if there is one.
Move firstMove(PolyContext &C) {
  for (Instruction &I : instructions(C.function()))
    if (isAllocation(I, C))
      if (Move Found = moveOf(cast<CallBase>(I), C); Found.To)
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

/// Moves operations to the end of a block that leads to them.
void moveOperations(ArrayRef<Instruction *> Operations, BasicBlock &To) {
  for (Instruction *I : Operations) {
    I->moveBefore(To, To.getTerminator()->getIterator());
    I->dropLocation();
  }
}

/// Moves what fills arrays in front of the allocation behind it: to where the loops are that
/// write them again. Nobody sees the difference if the allocation throws.
void moveFills(CallBase &Allocation, BasicBlock &To, PolyContext &C) {
  Blocks Unwinding;
  if (auto *Invocation = dyn_cast<InvokeInst>(&Allocation))
    Unwinding = reachableFrom(*Invocation->getUnwindDest());
  SmallVector<Instruction *, 4> Fills;
  for (Instruction &I :
       make_early_inc_range(reverse(make_range(To.begin(), Allocation.getIterator())))) {
    bool IsFill = isa<StoreInst, MemSetInst>(I);
    std::optional<const Value *> Object = IsFill ? storedTo(I, C.scev()) : std::nullopt;
    if (Object && isPrivate(*Object, Unwinding, C))
      Fills.push_back(&I);
    else if (I.mayReadOrWriteMemory())
      break;
  }
  Instruction *Behind = isa<InvokeInst>(Allocation)
                            ? &*cast<InvokeInst>(Allocation).getNormalDest()->getFirstInsertionPt()
                            : Allocation.getNextNode();
  for (Instruction *Fill : reverse(Fills))
    Fill->moveBefore(*Behind->getParent(), Behind->getIterator());
}

/// Moves it.
void move(const Move &It, PolyContext &C) {
  Instruction *End = It.To->getTerminator();
  moveOperations(It.Operations, *It.To);
  auto *Invocation = dyn_cast<InvokeInst>(It.Allocation);
  if (!Invocation) {
    It.Allocation->moveBefore(*It.To, End->getIterator());
    moveFills(*It.Allocation, *It.To, C);
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
  moveFills(*Invocation, *It.To, C);
}

/// Gives what fills allocated arrays at the end of a block a block of its own, which a SCoP can
/// begin with: what is computed beside it may be used behind the SCoP.
void partFills(BasicBlock &B, PolyContext &C) {
  SmallVector<Instruction *, 4> Fills;
  for (Instruction &I : reverse(make_range(B.begin(), B.getTerminator()->getIterator()))) {
    bool IsFill = isa<StoreInst, MemSetInst>(I);
    std::optional<const Value *> Object = IsFill ? storedTo(I, C.scev()) : std::nullopt;
    auto *Made = Object && *Object ? dyn_cast<CallBase>(*Object) : nullptr;
    if (Made && isRemovableAlloc(Made, &C.library()))
      Fills.push_back(&I);
    else if (I.mayReadOrWriteMemory())
      break;
  }
  if (none_of(Fills, [](Instruction *I) { return isa<MemSetInst>(I); }))
    return;
  BasicBlock *Own = SplitBlock(&B, B.getTerminator(), &C.domTree(), &C.loops());
  for (Instruction *Fill : reverse(Fills))
    Fill->moveBefore(*Own, Own->getTerminator()->getIterator());
}

/// Runs passes over the function, and drops all analyses.
void run(FunctionPassManager &Passes, PolyContext &C) {
  C.reload();
  C.analyses().invalidate(C.function(), Passes.run(C.function(), C.analyses()));
  C.reload();
}

/// Whether an allocation is between the loop that writes an array which the function
/// has allocated, too, and one that reads it.
bool isParted(Instruction &Allocation, PolyContext &C) {
  Ways Of = waysOf(*Allocation.getParent(), C.loops());
  return any_of(instructions(C.function()), [&](Instruction &I) {
    return &I != &Allocation && isAllocation(I, C) && isBetweenUses(Of, cast<CallBase>(I), C);
  });
}

/// Whether one loop beside the block is in front of it, and one behind.
bool isBetweenLoops(BasicBlock &B, PolyContext &C) {
  Loop *Around = C.loops().getLoopFor(&B);
  const auto &Beside = Around ? Around->getSubLoops() : C.loops().getTopLevelLoops();
  return any_of(Beside, [&](Loop *L) { return C.domTree().dominates(L->getHeader(), &B); }) &&
         any_of(Beside, [&](Loop *L) { return C.domTree().dominates(&B, L->getHeader()); });
}

/// Whether the size of an allocation is computed of an address, or a branch between loops
/// asks for it.
bool isAskedFor(const PHINode &Address, PolyContext &C) {
  SmallSetVector<const Value *, 8> Todo;
  Todo.insert(&Address);
  for (size_t I = 0; I != Todo.size() && I != MaxUses; ++I)
    for (const User *U : Todo[I]->users()) {
      auto *Call = dyn_cast<CallBase>(U);
      if (Call && isRemovableAlloc(Call, &C.library()))
        return true;
      if (auto *Branch = dyn_cast<BranchInst>(U);
          Branch && isBetweenLoops(*const_cast<BasicBlock *>(Branch->getParent()), C))
        return true;
      if (isa<PtrToIntInst, BinaryOperator, PHINode, ICmpInst>(U))
        Todo.insert(U);
    }
  return false;
}

/// Does one of the three steps; false if there is nothing to do.
bool step(PolyContext &C) {
  auto Phis = equalPhis(C);
  SmallPtrSet<Value *, 4> Replaced;
  for (auto [Phi, Only] : Phis) {
    // One of the others may have been its value.
    if (Replaced.contains(Only))
      continue;
    BasicBlock *Above = C.domTree().getNode(Phi->getParent())->getIDom()->getBlock();
    SmallVector<Instruction *, 4> Moved;
    if (!addOperations(Only, *Above, Moved, C))
      continue;
    moveOperations(Moved, *Above);
    for (Instruction *I : Moved)
      I->dropPoisonGeneratingFlags();
    Phi->replaceAllUsesWith(Only);
    Replaced.insert(Phi);
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
  Move Next = firstMove(C);
  if (!Next.To)
    return false;
  move(Next, C);
  FunctionPassManager Passes;
  Passes.addPass(SimplifyCFGPass());
  Passes.addPass(LoopSimplifyPass());
  Passes.addPass(LCSSAPass());
  run(Passes, C);
  return true;
}

} // namespace

bool temporaries::isAllocation(Instruction &I, PolyContext &C) {
  auto *Call = dyn_cast<CallBase>(&I);
  // What copies an object (`strdup`) depends on what is stored in front of it.
  return Call && !Call->isMustTailCall() && !Call->hasOperandBundles() &&
         isRemovableAlloc(Call, &C.library()) &&
         getInitialValueOfAllocation(Call, &C.library(), Type::getInt8Ty(I.getContext())) &&
         isBesideLoops(*I.getParent(), C.loops()) &&
         !I.getParent()->getTerminator()->hasMetadata(SettledMark) &&
         C.domTree().isReachableFromEntry(I.getParent());
}

bool temporaries::addOperations(Value *V, BasicBlock &To,
                                SmallVectorImpl<Instruction *> &Operations, PolyContext &C) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || C.domTree().dominates(I, To.getTerminator()) || is_contained(Operations, I))
    return true;
  if (isa<PHINode>(I) || I->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(I) ||
      Operations.size() >= MaxOperations)
    return false;
  for (Value *Operand : I->operands())
    if (!addOperations(Operand, To, Operations, C))
      return false;
  Operations.push_back(I);
  return true;
}

Blocks temporaries::reachableFrom(BasicBlock &B) {
  Blocks Found;
  SmallVector<BasicBlock *, 16> Todo{&B};
  while (!Todo.empty())
    if (BasicBlock *Next = Todo.pop_back_val(); Found.insert(Next))
      Todo.append(succ_begin(Next), succ_end(Next));
  return Found;
}

Uses temporaries::usesOf(CallBase &Object) {
  Uses Found;
  SmallSetVector<Value *, 8> Todo;
  Todo.insert(&Object);
  for (size_t I = 0; I != Todo.size() && I != MaxUses; ++I)
    for (User *U : Todo[I]->users()) {
      auto *By = cast<Instruction>(U);
      if (isa<LoadInst>(By))
        Found.Loads.insert(By->getParent());
      else if (auto *Store = dyn_cast<StoreInst>(By); Store && Store->getPointerOperand() == Todo[I])
        Found.Stores.insert(By->getParent());
      else if (isa<GetElementPtrInst, PHINode>(By))
        Todo.insert(By);
    }
  return Found;
}

Ways temporaries::waysOf(BasicBlock &At, LoopInfo &Loops) {
  Ways Found{&At, {}, {}};
  Loop *Around = Loops.getLoopFor(&At);
  BasicBlock *Next = Around ? Around->getHeader() : nullptr;
  SmallVector<BasicBlock *, 16> Todo(successors(&At));
  while (!Todo.empty())
    if (BasicBlock *B = Todo.pop_back_val(); B != Next && Found.Behind.insert(B).second)
      Todo.append(succ_begin(B), succ_end(B));
  if (&At != Next)
    Todo.append(pred_begin(&At), pred_end(&At));
  while (!Todo.empty())
    if (BasicBlock *B = Todo.pop_back_val(); Found.Before.insert(B).second && B != Next)
      Todo.append(pred_begin(B), pred_end(B));
  return Found;
}

bool temporaries::isBetweenUses(const Ways &Of, CallBase &Array, PolyContext &C) {
  Loop *Around = C.loops().getLoopFor(Of.At);
  auto IsInLoop = [&](BasicBlock *B) { return C.loops().getLoopFor(B) != Around; };
  Uses Found = usesOf(Array);
  return any_of(Found.Stores, [&](BasicBlock *B) { return Of.Before.contains(B) && IsInLoop(B); }) &&
         any_of(Found.Loads, [&](BasicBlock *B) { return Of.Behind.contains(B) && IsInLoop(B); });
}

void temporaries::fold(PolyContext &C) {
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

extern "C" {

/// Whether something stands between loops over temporary arrays that need not.
bool poly_has_parted_temporaries(PolyContext *C) {
  bool HasAllocation = any_of(instructions(C->function()), [C](Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call && isRemovableAlloc(Call, &C->library());
  });
  if (!HasAllocation || none_of(C->function(), [C](BasicBlock &B) {
        return isBesideLoops(B, C->loops());
      }))
    return false;
  return any_of(instructions(C->function()), [C](Instruction &I) {
           return isAllocation(I, *C) && isParted(I, *C);
         }) ||
         any_of(decidedBranches(*C), [C](auto Decided) {
           return isBetweenLoops(*Decided.first->getParent(), *C);
         }) ||
         any_of(equalPhis(*C), [C](auto Equal) { return isAskedFor(*Equal.first, *C); });
}

/// Takes it away, and sends the headers of all loops. The function is in
/// the form that LLVM calls loop-simplify and LCSSA before and afterwards.
void poly_join_temporaries(PolyContext *C, PointerSink Sink, void *Into) {
  auto Step = [C] {
    for (unsigned Round = 0; Round < MaxRounds && step(*C); ++Round) {
    }
  };
  Step();
  for (size_t Group = 0; compareLengths(Group, *C); ++Group)
    Step();
  for (Instruction &I : instructions(C->function()))
    if (isAllocation(I, *C)) {
      auto *Invocation = dyn_cast<InvokeInst>(&I);
      moveAddresses(I, Invocation ? *Invocation->getNormalDest() : *I.getParent(), *C);
    }
  SmallVector<BasicBlock *, 16> Beside;
  for (BasicBlock &B : C->function())
    if (isBesideLoops(B, C->loops()))
      Beside.push_back(&B);
  for (BasicBlock *B : Beside)
    partFills(*B, *C);
  for (Loop *L : C->loops().getLoopsInPreorder())
    Sink(Into, wrap(L->getHeader()));
}

} // extern "C"
