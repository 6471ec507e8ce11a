// What instructions, calls and pointers may do: alias analysis, effects,
// speculation.

#include "shim.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace {

/// `AliasKind` in src/memory.rs, in this order.
enum class AliasAnswer : uint32_t { No, May, Must };

AliasAnswer toAnswer(AliasResult Result) {
  if (Result == AliasResult::NoAlias)
    return AliasAnswer::No;
  return Result == AliasResult::MustAlias ? AliasAnswer::Must
                                          : AliasAnswer::May;
}

/// A noalias scope that is declared inside of a loop speaks of one iteration
/// only: it says nothing about accesses of two different iterations.
bool isScopeDeclaredInLoop(PolyContext &C, const MDNode *Scopes) {
  for (const Instruction &I : instructions(C.function())) {
    const auto *Declaration = dyn_cast<NoAliasScopeDeclInst>(&I);
    if (!Declaration || !C.loops().getLoopFor(I.getParent()))
      continue;
    for (const MDOperand &Declared : Declaration->getScopeList()->operands())
      for (const MDOperand &Used : Scopes->operands())
        if (Declared.get() == Used.get())
          return true;
  }
  return false;
}

/// Everything the access may touch in any iteration: the whole object around
/// its pointer, with the scopes that hold across iterations. Types usually say
/// nothing: allocated memory has the type of the last store, so another
/// iteration may access the same bytes as another type.
MemoryLocation wholeLocation(PolyContext &C, const Instruction &I,
                             bool KnowsTypes) {
  MemoryLocation Location =
      MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&I),
                                       I.getAAMetadata());
  if (!KnowsTypes) {
    Location.AATags.TBAA = nullptr;
    Location.AATags.TBAAStruct = nullptr;
  }
  MDNode *&Scope = Location.AATags.Scope;
  MDNode *&NoAlias = Location.AATags.NoAlias;
  if (Scope && isScopeDeclaredInLoop(C, Scope))
    Scope = nullptr;
  if (NoAlias && isScopeDeclaredInLoop(C, NoAlias))
    NoAlias = nullptr;
  return Location;
}

/// Whether a pointer was there before an object was allocated, or came from elsewhere when
/// nobody else knew the object yet: it does not lead into it.
bool isOlder(const Value *Pointer, const Value *Object, PolyContext &C) {
  const Value *Base = getUnderlyingObject(Pointer), *Made = getUnderlyingObject(Object);
  if (Base == Made || !isNoAliasCall(Made))
    return false;
  const auto *From = dyn_cast<Instruction>(Base);
  if (!From)
    return isa<Argument, Constant>(Base);
  const auto *Call = cast<CallBase>(Made);
  if (C.domTree().dominates(From, Call))
    return true;
#if LLVM_VERSION_MAJOR >= 21
  return isa<LoadInst>(From) && C.domTree().dominates(Call, From) &&
         !PointerMayBeCapturedBefore(Made, /*ReturnCaptures=*/false, From, &C.domTree());
#else
  return isa<LoadInst>(From) && C.domTree().dominates(Call, From) &&
         !PointerMayBeCapturedBefore(Made, /*ReturnCaptures=*/false, /*StoreCaptures=*/true, From,
                                     &C.domTree());
#endif
}

} // namespace

extern "C" {

// --- Pointers ---------------------------------------------------------------

/// Any two places reached from the two pointers, with any offset. Both must be
/// the same value in all iterations that are compared.
uint32_t poly_alias_objects(PolyContext *C, LLVMValueRef A, LLVMValueRef B) {
  if (isOlder(unwrap(A), unwrap(B), *C) || isOlder(unwrap(B), unwrap(A), *C))
    return static_cast<uint32_t>(toAnswer(AliasResult::NoAlias));
  return static_cast<uint32_t>(
      toAnswer(C->alias().alias(MemoryLocation::getBeforeOrAfter(unwrap(A)),
                                MemoryLocation::getBeforeOrAfter(unwrap(B)))));
}

/// As above for the objects that two loads or stores touch, knowing their
/// scopes (restrict).
uint32_t poly_alias_accesses(PolyContext *C, LLVMValueRef A, LLVMValueRef B) {
  return static_cast<uint32_t>(
      toAnswer(C->alias().alias(wholeLocation(*C, *asInstruction(A), false),
                                wholeLocation(*C, *asInstruction(B), false))));
}

/// As above, knowing their types (TBAA) too.
uint32_t poly_alias_typed_accesses(PolyContext *C, LLVMValueRef A,
                                   LLVMValueRef B) {
  return static_cast<uint32_t>(
      toAnswer(C->alias().alias(wholeLocation(*C, *asInstruction(A), true),
                                wholeLocation(*C, *asInstruction(B), true))));
}

/// The call may read any place reached from the pointer, with any offset.
bool poly_may_see(PolyContext *C, LLVMValueRef Call, LLVMValueRef Pointer) {
  return isRefSet(C->alias().getModRefInfo(
      asInstruction(Call),
      MemoryLocation::getBeforeOrAfter(unwrap(Pointer))));
}

/// By the rules of C and C++ the access touches an object of a floating-point
/// type, and no object of another type.
bool poly_is_number_by_type(LLVMValueRef V) {
  const MDNode *Tag = asInstruction(V)->getMetadata(LLVMContext::MD_tbaa);
  const auto *Type = Tag && Tag->getNumOperands() >= 3
                         ? dyn_cast<MDNode>(Tag->getOperand(1))
                         : nullptr;
  const auto *Name = Type && Type->getNumOperands() >= 2
                         ? dyn_cast<MDString>(Type->getOperand(0))
                         : nullptr;
  if (!Name || (Name->getString() != "float" && Name->getString() != "double" &&
                Name->getString() != "long double"))
    return false;
  // The root of the types says whose rules they are.
  const MDNode *Parent = Type;
  while (Parent->getNumOperands() >= 2) {
    Parent = dyn_cast<MDNode>(Parent->getOperand(1));
    if (!Parent)
      return false;
  }
  const auto *Root = Parent->getNumOperands() == 1
                         ? dyn_cast<MDString>(Parent->getOperand(0))
                         : nullptr;
  return Root && (Root->getString() == "Simple C/C++ TBAA" ||
                  Root->getString() == "Simple C++ TBAA");
}

bool poly_is_identified_object(LLVMValueRef V) {
  return isIdentifiedObject(unwrap(V));
}

LLVMValueRef poly_underlying_object(LLVMValueRef V) {
  return wrap(const_cast<Value *>(getUnderlyingObject(unwrap(V), 0)));
}

/// Nothing in the function can write what the pointer points to.
bool poly_points_to_constant(PolyContext *C, LLVMValueRef V) {
  return C->alias().pointsToConstantMemory(
      MemoryLocation::getBeforeOrAfter(unwrap(V)));
}

/// `Bytes` bytes at the pointer can be read at `At` whatever the control flow.
bool poly_is_dereferenceable(PolyContext *C, LLVMValueRef V, uint64_t Bytes,
                             LLVMValueRef At) {
  APInt Size(C->dataLayout().getIndexTypeSizeInBits(unwrap(V)->getType()),
             Bytes);
  return isDereferenceableAndAlignedPointer(
      unwrap(V), Align(1), Size, C->dataLayout(), asInstruction(At),
      &C->assumptions(), &C->domTree(), &C->library());
}

// --- Instructions -----------------------------------------------------------

/// The number of what the instruction does; 0 if the value is none.
uint32_t poly_opcode(LLVMValueRef V) {
  auto *I = dyn_cast<Instruction>(unwrap(V));
  return I ? I->getOpcode() : 0;
}

/// The name of such a number: static text.
const char *poly_name_of_opcode(uint32_t Opcode) {
  return Instruction::getOpcodeName(Opcode);
}

/// Static text, `add`, `getelementptr`, ...
const char *poly_opcode_name(LLVMValueRef I) {
  return asInstruction(I)->getOpcodeName();
}

/// The instructions do the same if they have the same operands, apart from the
/// address of a load or store: operation, types, flags, what metadata says.
/// Operands that no instruction and no argument is are the same.
bool poly_same_operation(LLVMValueRef A, LLVMValueRef B) {
  const Instruction *I = asInstruction(A), *J = asInstruction(B);
  if (!I->isSameOperationAs(J) || !I->hasSameSubclassOptionalData(J))
    return false;
  SmallVector<std::pair<unsigned, MDNode *>, 4> OfI, OfJ;
  I->getAllMetadataOtherThanDebugLoc(OfI);
  J->getAllMetadataOtherThanDebugLoc(OfJ);
  if (OfI != OfJ)
    return false;
  const Value *Address = getLoadStorePointerOperand(I);
  const auto *Store = dyn_cast<StoreInst>(I);
  const Value *Stored = Store ? Store->getValueOperand() : nullptr;
  auto IsComputed = [](const Value *V) {
    return isa<Instruction>(V) || isa<Argument>(V);
  };
  for (auto [X, Y] : zip(I->operand_values(), J->operand_values()))
    if (X != Y && X != Address && X != Stored && !(IsComputed(X) && IsComputed(Y)))
      return false;
  return true;
}

/// Bits: 0 may read, 1 may write, 2 may throw, 3 will return, 4 volatile,
/// 5 atomic, 6 has side effects, 7 control goes on to the next instruction.
uint32_t poly_instruction_effects(LLVMValueRef V) {
  const Instruction *I = asInstruction(V);
  return (I->mayReadFromMemory() ? 1u : 0) |
         (I->mayWriteToMemory() ? 2u : 0) | (I->mayThrow() ? 4u : 0) |
         (I->willReturn() ? 8u : 0) | (I->isVolatile() ? 16u : 0) |
         (I->isAtomic() ? 32u : 0) | (I->mayHaveSideEffects() ? 64u : 0) |
         (isGuaranteedToTransferExecutionToSuccessor(I) ? 128u : 0);
}

/// Executing it where it was not executed before does no harm. With `At`,
/// facts that hold at that instruction are used.
bool poly_is_speculatable(PolyContext *C, LLVMValueRef I, LLVMValueRef At) {
  const Instruction *Context = At ? asInstruction(At) : nullptr;
  return isSafeToSpeculativelyExecute(asInstruction(I), Context,
                                      &C->assumptions(), &C->domTree(),
                                      &C->library());
}

/// No poison or undef can come out of the value.
bool poly_is_never_poison(PolyContext *C, LLVMValueRef V, LLVMValueRef At) {
  return isGuaranteedNotToBeUndefOrPoison(
      unwrap(V), &C->assumptions(), At ? asInstruction(At) : nullptr,
      &C->domTree());
}

// --- Calls ------------------------------------------------------------------

/// Bits: 0 touches no memory, 1 only reads, 2 only argument memory, 3 nounwind,
/// 4 willreturn, 5 convergent, 6 noreturn, 7 inline assembler, 8 has operand
/// bundles, 9 must be a tail call, 10 only memory the module cannot see,
/// 11 strictfp, 12 returns twice, 13 not the library function of its name.
uint32_t poly_call_properties(LLVMValueRef V) {
  const auto *Call = cast<CallBase>(unwrap(V));
  return (Call->doesNotAccessMemory() ? 1u : 0) |
         (Call->onlyReadsMemory() ? 2u : 0) |
         (Call->onlyAccessesArgMemory() ? 4u : 0) |
         (Call->doesNotThrow() ? 8u : 0) |
         (Call->hasFnAttr(Attribute::WillReturn) ? 16u : 0) |
         (Call->isConvergent() ? 32u : 0) | (Call->doesNotReturn() ? 64u : 0) |
         (Call->isInlineAsm() ? 128u : 0) |
         (Call->hasOperandBundles() ? 256u : 0) |
         (Call->isMustTailCall() ? 512u : 0) |
         (Call->onlyAccessesInaccessibleMemory() ? 1024u : 0) |
         (Call->hasFnAttr(Attribute::StrictFP) ? 2048u : 0) |
         (Call->hasFnAttr(Attribute::ReturnsTwice) ? 4096u : 0) |
         (Call->isNoBuiltin() ? 8192u : 0);
}

/// The called function if it is known.
LLVMValueRef poly_call_callee(LLVMValueRef V) {
  return wrap(cast<CallBase>(unwrap(V))->getCalledFunction());
}

/// `llvm.fmuladd` without the types; nothing for other calls.
void poly_intrinsic_name(LLVMValueRef V, TextSink Sink, void *Into) {
  const auto *Call = dyn_cast<CallBase>(unwrap(V));
  Intrinsic::ID Id = Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic;
  if (Id != Intrinsic::not_intrinsic)
    sendText(Sink, Into, Intrinsic::getBaseName(Id));
}

/// Debug, lifetime, assume and similar marks that compute nothing.
bool poly_is_mark(LLVMValueRef V) {
  const auto *Mark = dyn_cast<IntrinsicInst>(unwrap(V));
  return Mark && Mark->isAssumeLikeIntrinsic();
}

} // extern "C"
