// What the files that join loops over temporary arrays share: see temporaries.cpp.

#pragma once

#include "shim.h"

#include "llvm/ADT/SetVector.h"

#include <utility>

namespace temporaries {

using Blocks = llvm::SmallSetVector<llvm::BasicBlock *, 16>;

/// An allocation passes over so many blocks at most.
constexpr size_t MaxBlocks = 64;
/// The address of an object has so many uses at most, those of addresses computed
/// of it included.
constexpr size_t MaxUses = 256;
/// A size has so many operations at most that move with the allocation.
constexpr size_t MaxOperations = 16;

/// Whether two loops are beside the block, in the same loop.
bool isBesideLoops(llvm::BasicBlock &B, llvm::LoopInfo &Loops);

/// Whether an allocation is beside loops, which may be between it and others.
bool isAllocation(llvm::Instruction &I, PolyContext &C);

/// The blocks that control comes to behind a block, and this one.
Blocks reachableFrom(llvm::BasicBlock &B);

/// The branches beside loops that earlier ones decide, and how.
llvm::SmallVector<std::pair<llvm::BranchInst *, bool>, 4> decidedBranches(PolyContext &C);

/// The PHI nodes beside loops that are always one of their values, and which.
llvm::SmallVector<std::pair<llvm::PHINode *, llvm::Value *>, 4> equalPhis(PolyContext &C);

/// Lets what has been decided have its consequences.
void fold(PolyContext &C);

/// Makes what is behind a comparison of the lengths of arrays twice; false, and nothing
/// done, if no lengths can be compared in front of all allocations. With `IsLook` it
/// only says so.
bool compareLengths(PolyContext &C, bool IsLook);

} // namespace temporaries
