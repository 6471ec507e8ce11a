// The target: vector registers and caches; attributes of functions that say
// how it may be used.

#include "shim.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/CallingConv.h"
#include "llvm/IR/Module.h"

using namespace llvm;

extern "C" {

struct PolyTarget {
  uint32_t VectorBits;
  uint32_t VectorRegisters;
  uint32_t CacheLineBytes;   // 0: not known
  uint32_t L1Bytes;          // 0: not known
  uint32_t L1Ways;           // 0: not known
  uint32_t L2Bytes;          // 0: not known
  uint32_t L2Ways;           // 0: not known
  uint32_t MaxInterleave;
};

void poly_target(PolyContext *C, PolyTarget *Out) {
  using TTI = TargetTransformInfo;
  TTI &Target = C->target();
  Out->VectorBits =
      Target.getRegisterBitWidth(TTI::RGK_FixedWidthVector).getKnownMinValue();
  Out->VectorRegisters =
      Target.getNumberOfRegisters(Target.getRegisterClassForType(true));
  Out->CacheLineBytes = Target.getCacheLineSize();
  Out->L1Bytes = Target.getCacheSize(TTI::CacheLevel::L1D).value_or(0);
  Out->L1Ways = Target.getCacheAssociativity(TTI::CacheLevel::L1D).value_or(0);
  Out->L2Bytes = Target.getCacheSize(TTI::CacheLevel::L2D).value_or(0);
  Out->L2Ways = Target.getCacheAssociativity(TTI::CacheLevel::L2D).value_or(0);
  Out->MaxInterleave =
      Target.getMaxInterleaveFactor(ElementCount::getFixed(4));
}

/// Called by the hardware, with registers that nobody has saved.
static bool handlesInterrupts(const Function &F) {
  switch (F.getCallingConv()) {
  case CallingConv::X86_INTR:
  case CallingConv::AVR_INTR:
  case CallingConv::AVR_SIGNAL:
  case CallingConv::MSP430_INTR:
  case CallingConv::M68k_INTR:
    return true;
  default:
    return F.hasFnAttribute("interrupt") ||
           F.hasFnAttribute("no_caller_saved_registers");
  }
}

/// Bits: 0 optnone, 1 optsize, 2 minsize, 3 strictfp, 4 presplit coroutine,
/// 5 naked, 6 some sanitizer is on, 7 noimplicitfloat, 8 convergent,
/// 9 has blocks whose address is taken, 10 no frees by others (nofree),
/// 11 handles interrupts, 12 has a garbage collector.
uint32_t poly_function_properties(LLVMValueRef V) {
  const Function *F = asFunction(V);
  auto Has = [F](Attribute::AttrKind Kind) { return F->hasFnAttribute(Kind); };
  bool Sanitized =
      Has(Attribute::SanitizeAddress) || Has(Attribute::SanitizeThread) ||
      Has(Attribute::SanitizeMemory) || Has(Attribute::SanitizeHWAddress) ||
      Has(Attribute::SanitizeMemTag);
  bool AddressTaken = false;
  for (const BasicBlock &B : *F)
    AddressTaken |= B.hasAddressTaken();
  return (Has(Attribute::OptimizeNone) ? 1u : 0) |
         (Has(Attribute::OptimizeForSize) ? 2u : 0) |
         (Has(Attribute::MinSize) ? 4u : 0) |
         (Has(Attribute::StrictFP) ? 8u : 0) |
         (Has(Attribute::PresplitCoroutine) ? 16u : 0) |
         (Has(Attribute::Naked) ? 32u : 0) | (Sanitized ? 64u : 0) |
         (Has(Attribute::NoImplicitFloat) ? 128u : 0) |
         (Has(Attribute::Convergent) ? 256u : 0) | (AddressTaken ? 512u : 0) |
         (Has(Attribute::NoFree) ? 1024u : 0) |
         (handlesInterrupts(*F) ? 2048u : 0) | (F->hasGC() ? 4096u : 0);
}

/// The value of a string attribute; false if the function has none.
bool poly_function_attribute(LLVMValueRef F, PolyText Name, TextSink Sink,
                             void *Into) {
  Attribute A = asFunction(F)->getFnAttribute(Name.ref());
  if (!A.isValid())
    return false;
  sendText(Sink, Into, A.getValueAsString());
  return true;
}

/// The texts of the function's annotations (`__attribute__((annotate("...")))`),
/// in the order of the source, each with a line feed behind it.
void poly_function_annotations(LLVMValueRef F, TextSink Sink, void *Into) {
  const Function *Wanted = asFunction(F);
  const GlobalVariable *All =
      Wanted->getParent()->getNamedGlobal("llvm.global.annotations");
  if (!All || !All->hasInitializer())
    return;
  const auto *List = dyn_cast<ConstantArray>(All->getInitializer());
  if (!List)
    return;
  for (const Use &Element : List->operands()) {
    const auto *Entry = dyn_cast<ConstantStruct>(Element);
    if (!Entry || Entry->getNumOperands() < 2 ||
        Entry->getOperand(0)->stripPointerCasts() != Wanted)
      continue;
    const auto *Name =
        dyn_cast<GlobalVariable>(Entry->getOperand(1)->stripPointerCasts());
    StringRef Text;
    if (Name && getConstantStringInfo(Name, Text)) {
      sendText(Sink, Into, Text);
      sendText(Sink, Into, "\n");
    }
  }
}

void poly_set_function_attribute(LLVMValueRef F, PolyText Name,
                                 PolyText Value) {
  asFunction(F)->addFnAttr(Name.ref(), Value.ref());
}

} // extern "C"
