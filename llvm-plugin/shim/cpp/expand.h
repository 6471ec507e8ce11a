// From expressions back to instructions, for all versions of LLVM.

#pragma once

#include "shim.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

struct Expander : llvm::SCEVExpander {
  Expander(PolyContext &C, const char *Name)
#if LLVM_VERSION_MAJOR < 22
      : SCEVExpander(C.scev(), C.dataLayout(), Name) {
  }
#else
      : SCEVExpander(C.scev(), Name) {
  }
#endif
};
