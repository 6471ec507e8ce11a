// Scalar evolution: reading expressions, asking questions, making new ones.

#include "shim.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace {

/// Poly's own numbering, the same in every LLVM version: `ScevKind` in
/// src/scev.rs lists it in this order.
enum class Kind : uint32_t {
  Constant,
  Unknown,
  AddRec,
  Add,
  Mul,
  UDiv,
  SMax,
  SMin,
  UMax,
  UMin,
  SequentialUMin,
  ZExt,
  SExt,
  Trunc,
  PtrToInt,
  VScale,
  CouldNotCompute,
  Other,
};

Kind kindOf(const SCEV *S) {
  switch (S->getSCEVType()) {
  case scConstant:
    return Kind::Constant;
  case scUnknown:
    return Kind::Unknown;
  case scAddRecExpr:
    return Kind::AddRec;
  case scAddExpr:
    return Kind::Add;
  case scMulExpr:
    return Kind::Mul;
  case scUDivExpr:
    return Kind::UDiv;
  case scSMaxExpr:
    return Kind::SMax;
  case scSMinExpr:
    return Kind::SMin;
  case scUMaxExpr:
    return Kind::UMax;
  case scUMinExpr:
    return Kind::UMin;
  case scSequentialUMinExpr:
    return Kind::SequentialUMin;
  case scZeroExtend:
    return Kind::ZExt;
  case scSignExtend:
    return Kind::SExt;
  case scTruncate:
    return Kind::Trunc;
  case scPtrToInt:
    return Kind::PtrToInt;
  case scVScale:
    return Kind::VScale;
  case scCouldNotCompute:
    return Kind::CouldNotCompute;
  default:
    return Kind::Other;
  }
}

/// The values of LLVMIntPredicate are those of CmpInst::Predicate.
ICmpInst::Predicate asPredicate(uint32_t P) {
  return static_cast<ICmpInst::Predicate>(P);
}

} // namespace

namespace {

/// How deep loops may be in each other that move a pointer.
constexpr unsigned MaxInnerLoops = 4;

const SCEV *replaced(const SCEV *S, PHINode *Phi, const SCEV *By,
                     ScalarEvolution &SE) {
  ValueToSCEVMapTy Map;
  Map[Phi] = By;
  return SCEVParameterRewriter::rewrite(S, SE, Map);
}

/// The recurrence of a PHI node of a loop's header that LLVM knows nothing
/// about, or null. `Depth` bounds the recursion into inner loops.
const SCEV *recurrenceOf(PHINode &Phi, ScalarEvolution &SE, LoopInfo &LI,
                         unsigned Depth) {
  const Loop *L = LI.getLoopFor(Phi.getParent());
  if (Depth == 0 || !L || L->getHeader() != Phi.getParent() ||
      !L->getLoopPreheader() || !L->getLoopLatch() ||
      !Phi.getType()->isPointerTy())
    return nullptr;
  const SCEV *Own = SE.getSCEV(&Phi);
  if (!isa<SCEVUnknown>(Own))
    return nullptr;
  const SCEV *Next =
      SE.getSCEV(Phi.getIncomingValueForBlock(L->getLoopLatch()));
  const SCEV *Base = SE.getPointerBase(Next);
  for (unsigned I = 0; I != Depth && Base != Own; ++I) {
    auto *Unknown = dyn_cast<SCEVUnknown>(Base);
    auto *Inner = Unknown ? dyn_cast<PHINode>(Unknown->getValue()) : nullptr;
    if (!Inner || !L->contains(Inner) || Inner == &Phi)
      return nullptr;
    const SCEV *OfInner = recurrenceOf(*Inner, SE, LI, Depth - 1);
    if (!OfInner)
      return nullptr;
    Next = replaced(Next, Inner, OfInner, SE);
    Base = SE.getPointerBase(Next);
  }
  if (Base != Own)
    return nullptr;
  const SCEV *Start =
      SE.getSCEV(Phi.getIncomingValueForBlock(L->getLoopPreheader()));
  const SCEV *Step = SE.getMinusSCEV(SE.getSCEVAtScope(Next, L), Own);
  if (isa<SCEVCouldNotCompute>(Step) || !SE.isLoopInvariant(Step, L) ||
      !SE.isLoopInvariant(Start, L))
    return nullptr;
  return SE.getAddRecExpr(Start, Step, L, SCEV::FlagAnyWrap);
}

} // namespace

extern "C" {

// --- From IR to expressions -------------------------------------------------

/// Null for types that scalar evolution does not know (floating point, ...).
const void *poly_scev_of(PolyContext *C, LLVMValueRef V) {
  ScalarEvolution &SE = C->scev();
  return SE.isSCEVable(unwrap(V)->getType()) ? SE.getSCEV(unwrap(V)) : nullptr;
}

/// As seen from inside `L` (null: from outside of all loops).
const void *poly_scev_at_scope(PolyContext *C, const void *S, const void *L) {
  return C->scev().getSCEVAtScope(asScev(S), asLoop(L));
}

const void *poly_backedge_taken_count(PolyContext *C, const void *L) {
  return C->scev().getBackedgeTakenCount(asLoop(L));
}

/// An upper bound of the number of times the backedge is taken.
const void *poly_constant_max_backedge_taken_count(PolyContext *C,
                                                   const void *L) {
  return C->scev().getConstantMaxBackedgeTakenCount(asLoop(L));
}

const void *poly_exit_count(PolyContext *C, const void *L,
                            LLVMBasicBlockRef Exiting) {
  return C->scev().getExitCount(asLoop(L), unwrap(Exiting));
}

// --- Structure --------------------------------------------------------------

uint32_t poly_scev_kind(const void *S) {
  return static_cast<uint32_t>(kindOf(asScev(S)));
}

void poly_scev_operands(const void *S, PointerSink Sink, void *Into) {
  if (isa<SCEVCouldNotCompute>(asScev(S)))
    return;
  for (const SCEV *Operand : asScev(S)->operands())
    Sink(Into, Operand);
}

const void *poly_scev_addrec_loop(const void *S) {
  const auto *AddRec = dyn_cast<SCEVAddRecExpr>(asScev(S));
  return AddRec ? AddRec->getLoop() : nullptr;
}

/// Bit 0: no self-wrap, bit 1: no unsigned wrap, bit 2: no signed wrap.
uint32_t poly_scev_wrap_flags(const void *S) {
  const auto *Nary = dyn_cast<SCEVNAryExpr>(asScev(S));
  if (!Nary)
    return 0;
  return (Nary->hasNoSelfWrap() ? 1 : 0) |
         (Nary->hasNoUnsignedWrap() ? 2 : 0) |
         (Nary->hasNoSignedWrap() ? 4 : 0);
}

/// The constant read as a signed number.
bool poly_scev_constant(const void *S, PolyInt128 *Out) {
  const auto *Constant = dyn_cast<SCEVConstant>(asScev(S));
  return Constant && toInt128(Constant->getAPInt(), /*IsSigned=*/true, Out);
}

LLVMValueRef poly_scev_unknown_value(const void *S) {
  const auto *Unknown = dyn_cast<SCEVUnknown>(asScev(S));
  return Unknown ? wrap(Unknown->getValue()) : nullptr;
}

LLVMTypeRef poly_scev_type(const void *S) {
  return isa<SCEVCouldNotCompute>(asScev(S)) ? nullptr
                                             : wrap(asScev(S)->getType());
}

/// Width in bits (of a pointer: of its index type).
unsigned poly_scev_bits(PolyContext *C, const void *S) {
  if (isa<SCEVCouldNotCompute>(asScev(S)))
    return 0;
  return C->scev().getTypeSizeInBits(asScev(S)->getType());
}

void poly_scev_print(const void *S, TextSink Sink, void *Into) {
  sendPrinted(Sink, Into, *asScev(S));
}

// --- Questions --------------------------------------------------------------

bool poly_scev_is_invariant(PolyContext *C, const void *S, const void *L) {
  return C->scev().isLoopInvariant(asScev(S), asLoop(L));
}

bool poly_scev_dominates(PolyContext *C, const void *S, LLVMBasicBlockRef B) {
  return C->scev().dominates(asScev(S), unwrap(B));
}

const void *poly_scev_pointer_base(PolyContext *C, const void *S) {
  return C->scev().getPointerBase(asScev(S));
}

void poly_scev_range(PolyContext *C, const void *S, bool IsSigned,
                     PolyInt128 *Min, PolyInt128 *Max, bool *Fits) {
  if (IsSigned) {
    ConstantRange Range = C->scev().getSignedRange(asScev(S));
    *Fits = toInt128(Range.getSignedMin(), true, Min) &&
            toInt128(Range.getSignedMax(), true, Max);
  } else {
    ConstantRange Range = C->scev().getUnsignedRange(asScev(S));
    *Fits = toInt128(Range.getUnsignedMin(), false, Min) &&
            toInt128(Range.getUnsignedMax(), false, Max);
  }
}

bool poly_scev_is_known(PolyContext *C, uint32_t Predicate, const void *A,
                        const void *B) {
  return C->scev().isKnownPredicate(asPredicate(Predicate), asScev(A),
                                    asScev(B));
}

bool poly_scev_is_known_at(PolyContext *C, uint32_t Predicate, const void *A,
                           const void *B, LLVMValueRef At) {
  return C->scev().isKnownPredicateAt(asPredicate(Predicate), asScev(A),
                                      asScev(B), asInstruction(At));
}

bool poly_scev_is_entry_guarded(PolyContext *C, const void *L,
                                uint32_t Predicate, const void *A,
                                const void *B) {
  return C->scev().isLoopEntryGuardedByCond(asLoop(L), asPredicate(Predicate),
                                            asScev(A), asScev(B));
}

/// Uses the conditions that guard the loop to rewrite `S`.
const void *poly_scev_apply_guards(PolyContext *C, const void *S,
                                   const void *L) {
  return C->scev().applyLoopGuards(asScev(S), asLoop(L));
}

// --- Making expressions -----------------------------------------------------

const void *poly_scev_add(PolyContext *C, const void *A, const void *B) {
  return C->scev().getAddExpr(asScev(A), asScev(B));
}

const void *poly_scev_mul(PolyContext *C, const void *A, const void *B) {
  return C->scev().getMulExpr(asScev(A), asScev(B));
}

/// CouldNotCompute for pointers with different bases.
/// The expression with the values `To` in place of the values `From`.
const void *poly_scev_replace(PolyContext *C, const void *S,
                              const LLVMValueRef *From, const LLVMValueRef *To,
                              size_t Count) {
  ValueToSCEVMapTy Map;
  for (size_t I = 0; I != Count; ++I)
    Map[unwrap(From[I])] = C->scev().getSCEV(unwrap(To[I]));
  return SCEVParameterRewriter::rewrite(asScev(S), C->scev(), Map);
}

const void *poly_scev_minus(PolyContext *C, const void *A, const void *B) {
  return C->scev().getMinusSCEV(asScev(A), asScev(B));
}

/// `S` with a PHI node of a loop's header written as the recurrence that it is,
/// if every iteration moves it by the same distance, perhaps in inner loops;
/// else null. LLVM finds only those that move in the loop's own blocks.
const void *poly_scev_with_recurrence(PolyContext *C, const void *S,
                                      LLVMValueRef Value) {
  auto *Phi = dyn_cast<PHINode>(unwrap(Value));
  const SCEV *Found =
      Phi ? recurrenceOf(*Phi, C->scev(), C->loops(), MaxInnerLoops) : nullptr;
  return Found ? replaced(asScev(S), Phi, Found, C->scev()) : nullptr;
}

const void *poly_scev_udiv(PolyContext *C, const void *A, const void *B) {
  return C->scev().getUDivExpr(asScev(A), asScev(B));
}

const void *poly_scev_smax(PolyContext *C, const void *A, const void *B) {
  return C->scev().getSMaxExpr(asScev(A), asScev(B));
}

const void *poly_scev_smin(PolyContext *C, const void *A, const void *B) {
  return C->scev().getSMinExpr(asScev(A), asScev(B));
}

const void *poly_scev_umax(PolyContext *C, const void *A, const void *B) {
  return C->scev().getUMaxExpr(asScev(A), asScev(B));
}

const void *poly_scev_umin(PolyContext *C, const void *A, const void *B) {
  return C->scev().getUMinExpr(asScev(A), asScev(B));
}

const void *poly_scev_int(PolyContext *C, LLVMTypeRef T, int64_t Value) {
  return C->scev().getConstant(unwrap(T), Value, /*isSigned=*/true);
}

const void *poly_scev_zext(PolyContext *C, const void *S, LLVMTypeRef T) {
  return C->scev().getNoopOrZeroExtend(asScev(S), unwrap(T));
}

const void *poly_scev_sext(PolyContext *C, const void *S, LLVMTypeRef T) {
  return C->scev().getNoopOrSignExtend(asScev(S), unwrap(T));
}

const void *poly_scev_trunc(PolyContext *C, const void *S, LLVMTypeRef T) {
  return C->scev().getTruncateOrNoop(asScev(S), unwrap(T));
}

} // extern "C"
