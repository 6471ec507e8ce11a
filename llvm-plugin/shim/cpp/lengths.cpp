// Arrays of one length.
//
// The operands of an expression of arrays have one length, but not by what a compiler
// knows: each step asks for the length of its own operand. The lengths of all
// allocations that can be computed in front of the first one are compared there, and
// what is behind is made twice: the blocks that there were know that they are equal,
// not zero and not too large, and the copies, which are left as they are, know nothing.
//
// A length is loaded earlier than in the program, so its address must be one that can
// be loaded from, and nothing in between may write there. As the program may not have
// looked at it, it is frozen.
//
// See temporaries.cpp.

#include "temporaries.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace temporaries;

namespace {

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
  if (Found.Copied.contains(Found.At) || !canCopy(Found.Copied))
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
    Now->dropPoisonGeneratingFlags();
    Before[I] = isa<LoadInst>(I) ? B.CreateFreeze(Now) : static_cast<Value *>(Now);
  }
  for (Instruction *I : Of.Operations)
    ReplaceBehind(I, Before[I]);
  SmallVector<Value *, MaxLengths> Lengths;
  for (Value *Length : Of.All) {
    Value *Known = Before.lookup(Length);
    Known = Known ? Known : Length;
    if (!isGuaranteedNotToBeUndefOrPoison(Known, &C.assumptions(), At->getTerminator())) {
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

} // namespace

bool temporaries::compareLengths(PolyContext &C, bool IsLook) {
  Lengths Of = lengthsOf(C);
  if (Of.At && !IsLook)
    compareLengths(Of, C);
  return Of.At;
}
