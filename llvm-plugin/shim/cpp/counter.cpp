// Counters of loops as expressions.

#include "shim.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

/// `{0,+,1}<L>` in the type of the expression `Like`.
extern "C" const void *poly_scev_counter(PolyContext *C, const void *L,
                                         const void *Like) {
  ScalarEvolution &SE = C->scev();
  Type *T = SE.getEffectiveSCEVType(asScev(Like)->getType());
  return SE.getAddRecExpr(SE.getZero(T), SE.getOne(T), asLoop(L),
                          SCEV::FlagAnyWrap);
}
