// The analyses of one function, and what the data layout says about types.

#include "shim.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

using namespace llvm;

PolyContext::PolyContext(Function &F, FunctionAnalysisManager &AM)
    : F(F), AM(AM) {}

void PolyContext::reload() { AM.invalidate(F, PreservedAnalyses::none()); }

const DataLayout &PolyContext::dataLayout() const {
  return F.getParent()->getDataLayout();
}
LoopInfo &PolyContext::loops() { return AM.getResult<LoopAnalysis>(F); }
DominatorTree &PolyContext::domTree() {
  return AM.getResult<DominatorTreeAnalysis>(F);
}
PostDominatorTree &PolyContext::postDomTree() {
  return AM.getResult<PostDominatorTreeAnalysis>(F);
}
ScalarEvolution &PolyContext::scev() {
  return AM.getResult<ScalarEvolutionAnalysis>(F);
}
AAResults &PolyContext::alias() { return AM.getResult<AAManager>(F); }
AssumptionCache &PolyContext::assumptions() {
  return AM.getResult<AssumptionAnalysis>(F);
}
TargetTransformInfo &PolyContext::target() {
  return AM.getResult<TargetIRAnalysis>(F);
}
TargetLibraryInfo &PolyContext::library() {
  return AM.getResult<TargetLibraryAnalysis>(F);
}
OptimizationRemarkEmitter &PolyContext::remarks() {
  return AM.getResult<OptimizationRemarkEmitterAnalysis>(F);
}

bool toInt128(const APInt &Value, bool IsSigned, PolyInt128 *Out) {
  unsigned Bits =
      IsSigned ? Value.getSignificantBits() : Value.getActiveBits() + 1;
  if (Bits > 128)
    return false;
  APInt Wide = IsSigned ? Value.sextOrTrunc(128) : Value.zextOrTrunc(128);
  Out->Low = Wide.getRawData()[0];
  Out->High = Wide.getRawData()[1];
  return true;
}

extern "C" {

LLVMValueRef poly_context_function(PolyContext *C) {
  return wrap(&C->function());
}

LLVMModuleRef poly_context_module(PolyContext *C) {
  return wrap(C->function().getParent());
}

bool poly_context_has_loops(PolyContext *C) { return !C->loops().empty(); }

void poly_context_reload(PolyContext *C) { C->reload(); }

/// Bytes written by a store of the type; false for scalable or unsized types.
bool poly_type_store_size(PolyContext *C, LLVMTypeRef T, uint64_t *Out) {
  if (!unwrap(T)->isSized())
    return false;
  TypeSize Size = C->dataLayout().getTypeStoreSize(unwrap(T));
  *Out = Size.getKnownMinValue();
  return !Size.isScalable();
}

/// Distance of two consecutive array elements; false as above.
bool poly_type_alloc_size(PolyContext *C, LLVMTypeRef T, uint64_t *Out) {
  if (!unwrap(T)->isSized())
    return false;
  TypeSize Size = C->dataLayout().getTypeAllocSize(unwrap(T));
  *Out = Size.getKnownMinValue();
  return !Size.isScalable();
}

/// Size in bits without padding; false as above.
bool poly_type_bits(PolyContext *C, LLVMTypeRef T, uint64_t *Out) {
  if (!unwrap(T)->isSized())
    return false;
  TypeSize Size = C->dataLayout().getTypeSizeInBits(unwrap(T));
  *Out = Size.getKnownMinValue();
  return !Size.isScalable();
}

unsigned poly_type_abi_alignment(PolyContext *C, LLVMTypeRef T) {
  return C->dataLayout().getABITypeAlign(unwrap(T)).value();
}

unsigned poly_pointer_bits(PolyContext *C, unsigned AddressSpace) {
  return C->dataLayout().getPointerSizeInBits(AddressSpace);
}

unsigned poly_index_bits(PolyContext *C, unsigned AddressSpace) {
  return C->dataLayout().getIndexSizeInBits(AddressSpace);
}

/// Pointers of the address space have no stable integer value.
bool poly_is_non_integral(PolyContext *C, unsigned AddressSpace) {
  return C->dataLayout().isNonIntegralAddressSpace(AddressSpace);
}

} // extern "C"
