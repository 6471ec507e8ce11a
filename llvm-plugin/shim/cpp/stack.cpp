// Saved stack pointers that are always the same.
//
// An array whose length is a constant only for the optimizer (`const int n = 8;
// float r[n];` in C) lies between `llvm.stacksave` and `llvm.stackrestore`. Once it
// has gone to registers, these are left, and LLVM keeps them: loops seem to have a
// call that writes memory. In a function all of whose allocations are static the
// stack pointer does not move, so that restoring it does nothing.

#include "shim.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

extern "C" {

/// Removes them; true if there were any. All analyses are outdated then.
bool poly_remove_stack_saves(PolyContext *C) {
  SmallVector<IntrinsicInst *, 4> Saves, Restores;
  for (Instruction &I : instructions(C->function())) {
    if (auto *Allocation = dyn_cast<AllocaInst>(&I))
      if (!Allocation->isStaticAlloca())
        return false;
    if (auto *Call = dyn_cast<IntrinsicInst>(&I)) {
      if (Call->getIntrinsicID() == Intrinsic::stacksave)
        Saves.push_back(Call);
      else if (Call->getIntrinsicID() == Intrinsic::stackrestore)
        Restores.push_back(Call);
    }
  }
  for (IntrinsicInst *Restore : Restores)
    Restore->eraseFromParent();
  bool Changed = !Restores.empty();
  for (IntrinsicInst *Save : Saves)
    if (Save->use_empty()) {
      Save->eraseFromParent();
      Changed = true;
    }
  return Changed;
}

} // extern "C"
