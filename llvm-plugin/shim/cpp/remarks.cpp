// Remarks (-Rpass=poly and the optimization record) and diagnostics.

#include "shim.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace {

/// One piece of a remark's text. A piece with a key is a field of the
/// optimization record; plain text has the key "String".
struct RemarkPart {
  PolyText Key;
  PolyText Text;
};

/// `RemarkKind` in src/remarks.rs, in this order.
enum class RemarkKind : uint32_t { Passed, Missed, Analysis };

struct RemarkPlace {
  DiagnosticLocation Where;
  const BasicBlock *Block;
};

/// The given place, or the function.
RemarkPlace placeOf(PolyContext &C, LLVMMetadataRef Location) {
  const Function &F = C.function();
  RemarkPlace Result{DiagnosticLocation(F.getSubprogram()), &F.getEntryBlock()};
  if (Location)
    Result.Where =
        DiagnosticLocation(DebugLoc(cast<DILocation>(unwrap(Location))));
  return Result;
}

template <typename Remark>
void emit(PolyContext &C, const std::string &Name, const RemarkPlace &Place,
          const RemarkPart *Parts, size_t Count) {
  // The pass name must outlive the remark; literals do.
  Remark R("poly", Name, Place.Where, Place.Block);
  for (size_t I = 0; I != Count; ++I)
    R << DiagnosticInfoOptimizationBase::Argument(Parts[I].Key.ref(),
                                                  Parts[I].Text.ref());
  C.remarks().emit(R);
}

} // namespace

extern "C" {

/// Somebody reads remarks of the pass: only then their text needs to be made.
bool poly_remarks_wanted(PolyContext *C) {
  return C->remarks().allowExtraAnalysis("poly");
}

/// Where an instruction comes from, or null.
LLVMMetadataRef poly_instruction_location(LLVMValueRef I) {
  return wrap(asInstruction(I)->getDebugLoc().get());
}

/// Where a loop begins, or null.
LLVMMetadataRef poly_loop_location(const void *L) {
  return wrap(asLoop(L)->getStartLoc().get());
}

/// `Location` (from one of the two above) may be null: then the remark is shown
/// at the function.
void poly_remark(PolyContext *C, uint32_t Kind, PolyText Name,
                 LLVMMetadataRef Location, const RemarkPart *Parts,
                 size_t Count) {
  std::string NameText = Name.ref().str();
  RemarkPlace Place = placeOf(*C, Location);
  switch (static_cast<RemarkKind>(Kind)) {
  case RemarkKind::Passed:
    return emit<OptimizationRemark>(*C, NameText, Place, Parts, Count);
  case RemarkKind::Missed:
    return emit<OptimizationRemarkMissed>(*C, NameText, Place, Parts, Count);
  case RemarkKind::Analysis:
    return emit<OptimizationRemarkAnalysis>(*C, NameText, Place, Parts, Count);
  }
}

/// A warning at the function, shown without any flag.
void poly_warn(LLVMValueRef V, PolyText Message) {
  Function *F = asFunction(V);
  std::string Text = Message.ref().str();
  F->getContext().diagnose(DiagnosticInfoUnsupported(
      *F, Text, DiagnosticLocation(F->getSubprogram()), DS_Warning));
}

/// An error: the compilation fails.
void poly_error(LLVMValueRef V, PolyText Message) {
  asFunction(V)->getContext().emitError(Message.ref().str());
}

/// The stream that analysis printers write to.
void poly_print_error_stream(PolyText Text) { errs() << Text.ref(); }

} // extern "C"
