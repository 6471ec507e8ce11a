// Networks of shuffles between interleaved elements and vectors: see
// lane_network.cpp.

#pragma once

#include "llvm/ADT/SmallVector.h"

#include <optional>

/// A lane of one of several vectors.
struct LaneSource {
  unsigned Vector, Lane;
};

/// Where the lanes of a vector come from.
using LanePattern = llvm::SmallVector<LaneSource, 16>;

/// Vectors made of as many others; each lane of these goes to one place.
using LaneStage = llvm::SmallVector<LanePattern, 4>;

/// How interleaved elements become one vector for each component.
struct LaneNetwork {
  /// From the vectors in memory to the components.
  llvm::SmallVector<LaneStage, 4> Stages;
  /// The point that each lane of a component has.
  llvm::SmallVector<unsigned, 16> Order;
};

/// The network for so many components of so many lanes each, of which `Near` lie
/// in a part of a register within which shuffles are cheap; none if it is not
/// found.
std::optional<LaneNetwork> laneNetwork(unsigned Components, unsigned Lanes,
                                       unsigned Near);

/// From the components to the vectors in memory, or back.
LaneStage inverse(const LaneStage &Stage);

/// One stage that gives components whose lanes are in the order of memory.
LaneStage naturalStage(unsigned Components, unsigned Lanes);

/// Whether a vector is one of those that it is made of, as it is.
bool isWhole(const LanePattern &Pattern);

/// The vectors that a pattern takes lanes from, in the order of their lanes.
llvm::SmallVector<unsigned, 4> vectorsOf(const LanePattern &Pattern);

/// What it costs to make those of the last vectors that are `Wanted`: a shuffle
/// within parts of registers two, a choice lane by lane one, across the parts
/// three of one vector and four of two.
unsigned networkCost(llvm::ArrayRef<LaneStage> Stages,
                     llvm::ArrayRef<bool> Wanted, unsigned Near);

/// The same for one vector.
unsigned patternCost(const LanePattern &Pattern, unsigned Near);
