// What the files that join loops over temporary arrays share: see temporaries.cpp.

#pragma once

#include "shim.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

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

/// The mark of finished blocks, as src/settled.rs has it.
constexpr llvm::StringLiteral SettledMark = "poly.settled";

/// Whether two loops are beside the block, in the same loop.
bool isBesideLoops(llvm::BasicBlock &B, llvm::LoopInfo &Loops);

/// Whether an allocation is beside loops, which may be between it and others.
bool isAllocation(llvm::Instruction &I, PolyContext &C);

/// The blocks that control comes to behind a block, and this one.
Blocks reachableFrom(llvm::BasicBlock &B);

/// Adds the operations that the value needs and that are not known at the end of the block, in
/// order; false if they cannot be executed there.
bool addOperations(llvm::Value *V, llvm::BasicBlock &To,
                   llvm::SmallVectorImpl<llvm::Instruction *> &Operations, PolyContext &C);

/// The branches beside loops that earlier ones decide, and how.
llvm::SmallVector<std::pair<llvm::BranchInst *, bool>, 4> decidedBranches(PolyContext &C);

/// The PHI nodes beside loops that are always one of their values, and which. It can be
/// computed at the end of the block above.
llvm::SmallVector<std::pair<llvm::PHINode *, llvm::Value *>, 4> equalPhis(PolyContext &C);

/// Lets what has been decided have its consequences.
void fold(PolyContext &C);

/// The blocks with loads from an object, and with stores to it.
struct Uses {
  llvm::SmallPtrSet<llvm::BasicBlock *, 4> Loads, Stores;
};

Uses usesOf(llvm::CallBase &Object);

/// The blocks in front of a block and behind it, in the same iteration of the loop around it.
struct Ways {
  llvm::BasicBlock *At;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> Before, Behind;
};

Ways waysOf(llvm::BasicBlock &At, llvm::LoopInfo &Loops);

/// Whether a block is between a loop that writes the array and one that reads it.
bool isBetweenUses(const Ways &Of, llvm::CallBase &Array, PolyContext &C);

/// Compares the lengths of a group of arrays in front of their allocations, if they are
/// known there, and makes what follows twice. False if there are no so many groups.
bool compareLengths(size_t Group, PolyContext &C);

} // namespace temporaries
