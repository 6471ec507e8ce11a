// Arrays of one length.
//
// The operands of an expression of arrays have one length, but not by what a compiler
// knows: each step asks for the length of its own operand.
//
// 1. The allocations beside one another are grouped: those of an expression, in which an
//    array is written in front of an allocation and read behind it. Other expressions may
//    have arrays of other lengths.
// 2. The lengths of a group that can be computed in front of its first allocation are
//    compared there. Arrays of a few elements are not worth it and go on as before.
// 3. What follows, up to the last loop with an array of the group, is made twice: the
//    blocks that there were know that the lengths are equal, not zero and not too large,
//    and the copies, which are left as they are, know nothing. Both lead to what is behind,
//    where a value of the one or of the other is used.
//
// A length is loaded earlier than in the program, so its address must be one that can
// be loaded from, and nothing in between may write there. As the program may not have
// looked at it, it is frozen.
//
// See temporaries.cpp.

#include "temporaries.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace temporaries;

namespace {

/// So many instructions are made twice at most.
constexpr size_t MaxCopied = 4096;
/// So many different lengths are compared at most.
constexpr size_t MaxLengths = 8;

/// Arrays with fewer bytes are not worth the comparison: they are no more than a few of the
/// longest vectors, and most of the time with them is spent in the allocations.
constexpr uint64_t MinBytes = 256;
/// The bytes of an element where only the number of elements is known.
constexpr uint64_t UsualBytes = 8;

/// No object has as many bytes as so many bits count: the address spaces of processors
/// are no larger. What asks whether a length is too large is decided below that.
constexpr unsigned AddressBits = 57;

/// Allocations of an expression, the first one first.
using Group = SmallVector<CallBase *, 8>;

/// What the lengths of arrays are computed of, at the end of a block.
struct Lengths {
  BasicBlock *At = nullptr;
  /// The lengths that different allocations have.
  SmallSetVector<Value *, MaxLengths> All;
  /// What is not known at the end of the block and must be computed there, in order.
  SmallSetVector<Instruction *, 16> Operations;
  /// Whether the first length is a number of bytes, not of elements.
  bool IsInBytes = false;
  /// What is made twice: the blocks behind it up to the last uses of the arrays.
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
  Ways Of = waysOf(*Load.getParent(), C.loops());
  for (BasicBlock *B : In.Copied) {
    if (B != Of.At && !Of.Before.contains(B))
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
      (!Load && (I->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(I) ||
                 canCreateUndefOrPoison(cast<Operator>(I), /*ConsiderFlagsAndMetadata=*/false))))
    return false;
  for (Value *Operand : I->operands())
    if (!addToLengths(Operand, In, C))
      return false;
  if (Load && !isSameBefore(*Load, In, C))
    return false;
  In.Operations.insert(I);
  return true;
}

/// Whether there may be two of everything in the blocks.
bool canCopy(const Blocks &Copied) {
  size_t Instructions = 0;
  for (BasicBlock *B : Copied) {
    Instructions += B->size();
    if (Instructions > MaxCopied || B->hasAddressTaken() ||
        isa<IndirectBrInst, CallBrInst, CatchSwitchInst>(B->getTerminator()))
      return false;
    for (Instruction &I : *B) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (I.getType()->isTokenTy() || (Call && (Call->cannotDuplicate() || Call->isConvergent())))
        return false;
    }
  }
  return true;
}

/// The blocks behind the end of the block, up to the last ones that use the arrays, in
/// the same iteration of the loop around them; none if other blocks lead there, too.
Blocks blocksToUses(BasicBlock &At, const Group &Arrays, PolyContext &C) {
  Loop *Around = C.loops().getLoopFor(&At);
  Blocks Found;
  SmallVector<BasicBlock *, 16> Todo;
  Ways Of = waysOf(At, C.loops());
  for (CallBase *Array : Arrays) {
    Todo.push_back(Array->getParent());
    Uses OfArray = usesOf(*Array);
    Todo.append(OfArray.Loads.begin(), OfArray.Loads.end());
    Todo.append(OfArray.Stores.begin(), OfArray.Stores.end());
  }
  while (!Todo.empty())
    if (BasicBlock *B = Todo.pop_back_val();
        Of.Behind.contains(B) && (!Around || Around->contains(B)) && Found.insert(B))
      Todo.append(pred_begin(B), pred_end(B));
  // In the order of the function, whatever the order of their finding was.
  Blocks Ordered;
  for (BasicBlock &B : C.function())
    if (Found.contains(&B)) {
      if (!C.domTree().dominates(&At, &B))
        return {};
      Ordered.insert(&B);
    }
  return Ordered;
}

/// The groups of allocations, in the order in which control comes to them.
SmallVector<Group, 4> groupsOf(PolyContext &C) {
  SmallVector<Group, 4> Found;
  ReversePostOrderTraversal<Function *> Order(&C.function());
  for (BasicBlock *B : Order)
    for (Instruction &I : *B) {
      if (!isAllocation(I, C))
        continue;
      auto *Allocation = cast<CallBase>(&I);
      Ways At = waysOf(*B, C.loops());
      auto Of = find_if(Found, [&](const Group &Earlier) {
        return any_of(Earlier, [&](CallBase *Array) { return isBetweenUses(At, *Array, C); });
      });
      if (Of == Found.end())
        Found.push_back({Allocation});
      else
        Of->push_back(Allocation);
    }
  return Found;
}

/// The lengths of the arrays, as far as they can be compared in front of all; no block if
/// that changes nothing. The block of an allocation in front of all others is split.
Lengths lengthsOf(const Group &Allocations, PolyContext &C) {
  Lengths Found;
  if (Allocations.size() < 2)
    return {};
  DominatorTree &DT = C.domTree();
  for (CallBase *Allocation : Allocations)
    Found.At = Found.At ? DT.findNearestCommonDominator(Found.At, Allocation->getParent())
                        : Allocation->getParent();
  if (C.loops().getLoopFor(Found.At) != C.loops().getLoopFor(Allocations[0]->getParent()))
    return {};
  CallBase *First = nullptr;
  for (CallBase *Allocation : Allocations)
    if (Allocation->getParent() == Found.At && (!First || Allocation->comesBefore(First)))
      First = Allocation;
  if (First)
    SplitBlock(Found.At, First, &DT, &C.loops());
  if (isa<InvokeInst>(Found.At->getTerminator()))
    return {};
  Found.Copied = blocksToUses(*Found.At, Allocations, C);
  if (Found.Copied.empty() || !canCopy(Found.Copied))
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
        if (Found.All.empty())
          Found.IsInBytes = Length == Argument;
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

/// Lets what is behind blocks and their copies use the values of those that it comes from.
void joinValues(const Blocks &Copied, ValueToValueMapTy &Map) {
  SmallPtrSet<const BasicBlock *, 32> Inside(Copied.begin(), Copied.end());
  for (BasicBlock *B : Copied)
    Inside.insert(cast<BasicBlock>(Map[B]));
  for (BasicBlock *B : Copied)
    for (BasicBlock *Next : successors(B))
      if (!Inside.contains(Next))
        for (PHINode &Phi : Next->phis()) {
          Value *Known = Phi.getIncomingValueForBlock(B);
          Value *Copy = Map.lookup(Known);
          Phi.addIncoming(Copy ? Copy : Known, cast<BasicBlock>(Map[B]));
        }
  for (BasicBlock *B : Copied)
    for (Instruction &I : *B) {
      SmallVector<Use *, 8> Behind;
      for (Use &U : I.uses()) {
        auto *User = cast<Instruction>(U.getUser());
        auto *Phi = dyn_cast<PHINode>(User);
        if (!Inside.contains(Phi ? Phi->getIncomingBlock(U) : User->getParent()))
          Behind.push_back(&U);
      }
      if (Behind.empty())
        continue;
      SSAUpdater Joined;
      Joined.Initialize(I.getType(), I.getName());
      Joined.AddAvailableValue(B, &I);
      Joined.AddAvailableValue(cast<BasicBlock>(Map[B]), Map[&I]);
      for (Use *U : Behind)
        Joined.RewriteUse(*U);
      Joined.UpdateDebugValues(&I);
    }
}

/// Computes addresses in front of the blocks that need nothing of them: there are no two of
/// them for what is behind then.
void computeAddressesOnce(const Lengths &Of, PolyContext &C) {
  Instruction *End = Of.At->getTerminator();
  auto IsKnown = [&](Value *Operand) {
    auto *I = dyn_cast<Instruction>(Operand);
    return !I || C.domTree().dominates(I, End);
  };
  for (BasicBlock *B : Of.Copied)
    for (Instruction &I : make_early_inc_range(*B))
      if (isa<GetElementPtrInst>(I) && all_of(I.operands(), IsKnown)) {
        I.moveBefore(*Of.At, End->getIterator());
        I.dropLocation();
      }
}

/// Leads short arrays past the comparison, whose length is known at the end of the block.
void skipShort(Value *Size, const Lengths &Of, BasicBlock *Any, PolyContext &C) {
  Instruction *End = Of.At->getTerminator();
  IRBuilder<> B(End);
  if (!isGuaranteedNotToBeUndefOrPoison(Size, &C.assumptions(), End))
    Size = B.CreateFreeze(Size);
  uint64_t Least = MinBytes / (Of.IsInBytes ? 1 : UsualBytes);
  Value *IsShort = B.CreateICmpULT(Size, ConstantInt::get(Size->getType(), Least));
  B.CreateCondBr(IsShort, Any, End->getSuccessor(0));
  End->eraseFromParent();
}

/// Makes what is behind the block twice, up to the last uses of the arrays. The lengths are
/// equal, not zero and not too large in the blocks that there were, and anything in the copies.
void compareLengths(Lengths &Of, PolyContext &C) {
  computeAddressesOnce(Of, C);
  Value *Size = Of.All[0];
  auto *Computed = dyn_cast<Instruction>(Size);
  bool IsKnown = !Computed || !Of.Operations.contains(Computed);
  BasicBlock *At = IsKnown ? SplitBlock(Of.At, Of.At->getTerminator()) : Of.At;
  for (Value *Length : Of.All)
    if (auto *I = dyn_cast<Instruction>(Length); !I || !Of.Operations.contains(I))
      freezeLeaves(Length, C);
  for (Instruction *I : Of.Operations)
    for (Value *Operand : I->operands())
      if (auto *Known = dyn_cast<Instruction>(Operand);
          !isa<LoadInst>(I) && !(Known && Of.Operations.contains(Known)))
        freezeLeaves(Operand, C);
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
  joinValues(Copied, Map);
  for (BasicBlock *Copy : Copies) {
    Instruction *End = Copy->getTerminator();
    End->setMetadata(SettledMark, MDNode::get(End->getContext(), {}));
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
    Now->dropPoisonGeneratingFlags();
    Before[I] = isa<LoadInst>(I) ? B.CreateFreeze(Now) : static_cast<Value *>(Now);
  }
  for (Instruction *I : Of.Operations)
    ReplaceBehind(I, Before[I]);
  SmallVector<Value *, MaxLengths> Lengths;
  for (Value *Length : Of.All) {
    Value *Known = Before.lookup(Length);
    // What has been computed again promises nothing, and its operands are frozen.
    bool IsDefined = Known;
    Known = Known ? Known : Length;
    if (!IsDefined &&
        !isGuaranteedNotToBeUndefOrPoison(Known, &C.assumptions(), At->getTerminator())) {
      Value *Frozen = B.CreateFreeze(Known);
      ReplaceBehind(Known, Frozen);
      Known = Frozen;
    }
    Lengths.push_back(Known);
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
  auto *Any = cast<BasicBlock>(Map[Equal]);
  At->getTerminator()->eraseFromParent();
  BranchInst::Create(Equal, Any, IsOne, At);
  if (IsKnown)
    skipShort(Size, Of, Any, C);
  // What has been computed of the length before is computed again, for more is known.
  SmallVector<User *, 8> Users(Lengths[0]->users());
  for (User *U : Users)
    if (auto *I = dyn_cast<BinaryOperator>(U);
        I && !Copied.contains(I->getParent()) &&
        C.domTree().dominates(I->getParent(), Of.At)) {
      Instruction *Again = I->clone();
      Again->insertBefore(*Equal, Equal->getFirstInsertionPt());
      ReplaceBehind(I, Again);
    }
  fold(C);
}

} // namespace

bool temporaries::compareLengths(size_t At, PolyContext &C) {
  SmallVector<Group, 4> Groups = groupsOf(C);
  if (At >= Groups.size())
    return false;
  if (Lengths Of = lengthsOf(Groups[At], C); Of.At)
    compareLengths(Of, C);
  return true;
}
