// From expressions back to instructions.

#include "expand.h"

#include "llvm/IR/Module.h"

using namespace llvm;

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
