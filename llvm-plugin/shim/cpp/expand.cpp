// From expressions back to instructions.

#include "shim.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace {
struct Expander : SCEVExpander {
  Expander(PolyContext &C, const char *Name)
#if LLVM_VERSION_MAJOR < 22
      : SCEVExpander(C.scev(), C.dataLayout(), Name) {
  }
#else
      : SCEVExpander(C.scev(), Name) {
  }
#endif
};
} // namespace

extern "C" {

/// One expander reuses what it has made before; deleting it leaves the code.
Expander *poly_expander_new(PolyContext *C) { return new Expander(*C, "poly"); }

void poly_expander_delete(Expander *E) { delete E; }

bool poly_is_safe_to_expand(Expander *E, const void *S, LLVMValueRef At) {
  return E->isSafeToExpandAt(asScev(S), asInstruction(At));
}

/// `T` has the width of the expression's type (or is a pointer type).
LLVMValueRef poly_expand(Expander *E, const void *S, LLVMTypeRef T,
                         LLVMValueRef At) {
  return wrap(
      E->expandCodeFor(asScev(S), unwrap(T), asInstruction(At)->getIterator()));
}

} // extern "C"
