// Loads and stores of interleaved elements: see lane_groups.cpp.

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ValueHandle.h"

#include <optional>

/// Components, lanes, and bits of an element.
struct GroupKind {
  unsigned Components = 0, Lanes = 0, Bits = 0;
  bool operator==(const GroupKind &Other) const {
    return Components == Other.Components && Lanes == Other.Lanes && Bits == Other.Bits;
  }
  /// Lanes of a part of a register within which shuffles are cheap.
  unsigned near() const;
  /// Whether there are such shuffles: x86 has them for elements of 32 and 64 bits.
  bool hasShuffles() const { return Bits == 32 || Bits == 64; }
};

/// A value for each component.
using LaneTuple = llvm::SmallVector<llvm::Value *, 8>;

/// A load or a store of interleaved elements.
struct LaneGroup {
  llvm::Instruction *Access = nullptr;
  GroupKind Kind;
  llvm::Type *Vector = nullptr;
  /// Of a store, the values of its components.
  LaneTuple Stored;
  /// Of a load, the shuffles that take a component.
  llvm::SmallVector<llvm::SmallVector<llvm::WeakTrackingVH, 1>, 8> Loaded;
  /// Of a load, what has been loaded, in the order of memory.
  LaneTuple Parts;
  bool isLoad() const { return llvm::isa<llvm::LoadInst>(Access); }
};

/// The groups of a block, in its order.
llvm::SmallVector<LaneGroup, 8> groupsOf(llvm::BasicBlock &Block);

/// How many lanes a value has; 0 if it is no vector.
unsigned lanesOf(const llvm::Value *V);

/// Whether all lanes have the same value.
bool isSameInAllLanes(const llvm::Value *V);

/// Whether a lane of the result is computed from the same lanes of the operands.
bool isLaneByLane(const llvm::Instruction &I, unsigned Lanes);
