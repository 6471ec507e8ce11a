// Which loops LLVM makes vectors of: see narrow.cpp.

#pragma once

#include "shim.h"

/// Whether LLVM makes vectors of an innermost loop, if its accesses move by at most so
/// many elements.
bool hasVectors(llvm::Loop &L, PolyContext &C, int64_t MaxStride);
