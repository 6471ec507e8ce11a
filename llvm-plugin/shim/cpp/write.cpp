// What code generation needs beyond the C API: metadata nodes, attributes,
// splitting of blocks and edges with the analyses kept right, verification.

#include "shim.h"

#include "llvm/IR/Attributes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

static SmallVector<Metadata *, 8> nodeOperands(LLVMMetadataRef *Operands,
                                               size_t Count) {
  SmallVector<Metadata *, 8> Result;
  for (size_t I = 0; I != Count; ++I)
    Result.push_back(unwrap(Operands[I]));
  return Result;
}

/// Facts about a function's effects that LLVM infers from its body and that a
/// changed body may no longer have.
static const Attribute::AttrKind InferredEffects[] = {
    Attribute::Memory,    Attribute::NoSync,     Attribute::NoFree,
    Attribute::NoRecurse, Attribute::WillReturn, Attribute::Speculatable,
};

/// What an outlined function inherits beside the string attributes: how code
/// is generated for it, not what it does.
static const Attribute::AttrKind CodeGenAttributes[] = {
    Attribute::NoUnwind,         Attribute::UWTable,
    Attribute::StackProtect,     Attribute::StackProtectReq,
    Attribute::StackProtectStrong, Attribute::SafeStack,
    Attribute::ShadowCallStack,  Attribute::NoImplicitFloat,
    Attribute::NoRedZone,        Attribute::StrictFP,
    Attribute::NullPointerIsValid, Attribute::NoCfCheck,
    Attribute::SanitizeAddress,  Attribute::SanitizeThread,
    Attribute::SanitizeMemory,   Attribute::SanitizeHWAddress,
    Attribute::SanitizeMemTag,   Attribute::VScaleRange,
    Attribute::FnRetThunkExtern, Attribute::Hot,
};

extern "C" {

// --- Metadata ---------------------------------------------------------------

/// `!{...}`; equal nodes are one node.
LLVMMetadataRef poly_md_node(LLVMContextRef C, LLVMMetadataRef *Operands,
                             size_t Count) {
  return wrap(MDNode::get(*unwrap(C), nodeOperands(Operands, Count)));
}

/// `distinct !{...}`, different from every other node.
LLVMMetadataRef poly_md_distinct(LLVMContextRef C, LLVMMetadataRef *Operands,
                                 size_t Count) {
  return wrap(MDNode::getDistinct(*unwrap(C), nodeOperands(Operands, Count)));
}

/// A distinct node whose first operand is itself, as loop ids and alias scopes
/// are.
LLVMMetadataRef poly_md_self_reference(LLVMContextRef C,
                                       LLVMMetadataRef *Operands,
                                       size_t Count) {
  SmallVector<Metadata *, 8> All{nullptr};
  All.append(nodeOperands(Operands, Count));
  MDNode *Node = MDNode::getDistinct(*unwrap(C), All);
  Node->replaceOperandWith(0, Node);
  return wrap(Node);
}

LLVMMetadataRef poly_md_string(LLVMContextRef C, PolyText Text) {
  return wrap(MDString::get(*unwrap(C), Text.ref()));
}

LLVMMetadataRef poly_md_int(LLVMContextRef C, unsigned Bits, uint64_t Value) {
  return wrap(ConstantAsMetadata::get(
      ConstantInt::get(Type::getIntNTy(*unwrap(C), Bits), Value)));
}

/// A null node removes the metadata.
void poly_set_metadata(LLVMValueRef I, PolyText Kind, LLVMMetadataRef Node) {
  asInstruction(I)->setMetadata(
      Kind.ref(), Node ? cast<MDNode>(unwrap(Node)) : nullptr);
}

LLVMMetadataRef poly_get_metadata(LLVMValueRef I, PolyText Kind) {
  return wrap(asInstruction(I)->getMetadata(Kind.ref()));
}

/// Adds `Node` to the list of nodes (access groups, noalias scopes) that the
/// instruction has already.
void poly_append_metadata_list(LLVMValueRef V, PolyText Kind,
                               LLVMMetadataRef Node) {
  Instruction *I = asInstruction(V);
  MDNode *List = cast<MDNode>(unwrap(Node));
  I->setMetadata(Kind.ref(),
                 MDNode::concatenate(I->getMetadata(Kind.ref()), List));
}

// --- Instructions -----------------------------------------------------------

/// A copy that is in no block yet.
LLVMValueRef poly_clone_instruction(LLVMValueRef I) {
  return wrap(asInstruction(I)->clone());
}

/// A load of the lanes of a vector for which `Mask` is true, zero in the others.
LLVMValueRef poly_masked_load(LLVMBuilderRef B, LLVMTypeRef Of, LLVMValueRef From, LLVMValueRef Mask, unsigned Alignment) {
  Type *Result = unwrap(Of);
  return wrap(unwrap(B)->CreateMaskedLoad(Result, unwrap(From), Align(Alignment), unwrap(Mask), Constant::getNullValue(Result)));
}

/// A store of the lanes for which `Mask` is true.
LLVMValueRef poly_masked_store(LLVMBuilderRef B, LLVMValueRef What, LLVMValueRef To, LLVMValueRef Mask, unsigned Alignment) {
  return wrap(unwrap(B)->CreateMaskedStore(unwrap(What), unwrap(To), Align(Alignment), unwrap(Mask)));
}

/// A load of the lanes for which `Mask` is true, each from its own address, zero in the others.
LLVMValueRef poly_masked_gather(LLVMBuilderRef B, LLVMTypeRef Of, LLVMValueRef From, LLVMValueRef Mask, unsigned Alignment) {
  Type *Result = unwrap(Of);
  return wrap(unwrap(B)->CreateMaskedGather(Result, unwrap(From), Align(Alignment), unwrap(Mask), Constant::getNullValue(Result)));
}

/// A store of the lanes for which `Mask` is true, each to its own address.
LLVMValueRef poly_masked_scatter(LLVMBuilderRef B, LLVMValueRef What, LLVMValueRef To, LLVMValueRef Mask, unsigned Alignment) {
  return wrap(unwrap(B)->CreateMaskedScatter(unwrap(What), unwrap(To), Align(Alignment), unwrap(Mask)));
}

/// The instruction for `Lanes` lanes at once, written at the builder's place: operands are vectors, flags are kept. Null if it has no such form.
LLVMValueRef poly_widen_instruction(LLVMBuilderRef B, LLVMValueRef I, const LLVMValueRef *Operands, size_t Count,
                                    unsigned Lanes) {
  Instruction *Old = asInstruction(I);
  IRBuilder<> *At = unwrap(B);
  SmallVector<Value *, 4> Wide;
  for (size_t K = 0; K < Count; ++K)
    Wide.push_back(unwrap(Operands[K]));
  Type *Result = FixedVectorType::get(Old->getType(), Lanes);
  Value *New = nullptr;
  if (auto *Unary = dyn_cast<UnaryOperator>(Old))
    New = At->CreateUnOp(Unary->getOpcode(), Wide[0]);
  else if (auto *Binary = dyn_cast<BinaryOperator>(Old))
    New = At->CreateBinOp(Binary->getOpcode(), Wide[0], Wide[1]);
  else if (auto *Cast = dyn_cast<CastInst>(Old))
    New = At->CreateCast(Cast->getOpcode(), Wide[0], Result);
  else if (auto *Compare = dyn_cast<CmpInst>(Old))
    New = At->CreateCmp(Compare->getPredicate(), Wide[0], Wide[1]);
  else if (auto *Address = dyn_cast<GetElementPtrInst>(Old))
    New = At->CreateGEP(Address->getSourceElementType(), Wide[0],
                        ArrayRef<Value *>(Wide).drop_front());
  else if (isa<SelectInst>(Old))
    New = At->CreateSelect(Wide[0], Wide[1], Wide[2]);
  else if (isa<FreezeInst>(Old))
    New = At->CreateFreeze(Wide[0]);
  else if (auto *Call = dyn_cast<IntrinsicInst>(Old))
    New = At->CreateIntrinsic(Call->getIntrinsicID(), {Result}, Wide);
  if (!New)
    return nullptr;
  if (auto *Made = dyn_cast<Instruction>(New); Made && Made != Old) {
    Made->copyIRFlags(Old);
    if (MDNode *Precision = Old->getMetadata(LLVMContext::MD_fpmath))
      Made->setMetadata(LLVMContext::MD_fpmath, Precision);
  }
  return wrap(New);
}

/// Inserts a clone at the end of a block or before an instruction.
void poly_insert_at_end(LLVMValueRef I, LLVMBasicBlockRef B) {
  asInstruction(I)->insertInto(unwrap(B), unwrap(B)->end());
}

void poly_insert_before(LLVMValueRef I, LLVMValueRef Before) {
  Instruction *Position = asInstruction(Before);
  asInstruction(I)->insertInto(Position->getParent(), Position->getIterator());
}

/// Flags and metadata whose violation is poison or undefined behaviour: they
/// may not hold where the instruction is executed on other operands or earlier.
void poly_drop_poison_flags(LLVMValueRef I) {
  asInstruction(I)->dropPoisonGeneratingAnnotations();
}

// --- Functions --------------------------------------------------------------

void poly_copy_codegen_attributes(LLVMValueRef FromRef, LLVMValueRef ToRef) {
  const Function *From = asFunction(FromRef);
  Function *To = asFunction(ToRef);
  for (const Attribute &A : From->getAttributes().getFnAttrs())
    if (A.isStringAttribute() && !A.getKindAsString().starts_with("poly"))
      To->addFnAttr(A);
  for (Attribute::AttrKind Kind : CodeGenAttributes)
    if (From->hasFnAttribute(Kind))
      To->addFnAttr(From->getFnAttribute(Kind));
}

/// After code with new effects (runtime calls, allocations) was put into the
/// function.
void poly_drop_inferred_effects(LLVMValueRef V) {
  for (Attribute::AttrKind Kind : InferredEffects)
    asFunction(V)->removeFnAttr(Kind);
}

/// Sends what is wrong; true if nothing is.
bool poly_verify_function(LLVMValueRef F, TextSink Sink, void *Into) {
  std::string Text;
  raw_string_ostream OS(Text);
  bool Broken = verifyFunction(*asFunction(F), &OS);
  OS.flush();
  if (Broken)
    sendText(Sink, Into, Text);
  return !Broken;
}

/// Deletes a function that nothing refers to.
void poly_erase_function(LLVMValueRef F) { asFunction(F)->eraseFromParent(); }

// --- Blocks -----------------------------------------------------------------

/// A new block on the edge; dominator tree and loops are kept right.
LLVMBasicBlockRef poly_split_edge(PolyContext *C, LLVMBasicBlockRef From,
                                  LLVMBasicBlockRef To, PolyText Name) {
  BasicBlock *Made = SplitEdge(unwrap(From), unwrap(To), &C->domTree(),
                               &C->loops(), nullptr, Name.ref());
  return wrap(Made);
}

/// The instruction and those after it move to a new block, which is returned;
/// dominator tree and loops are kept right.
LLVMBasicBlockRef poly_split_block(PolyContext *C, LLVMValueRef At,
                                   PolyText Name) {
  Instruction *Position = asInstruction(At);
  return wrap(SplitBlock(Position->getParent(), Position->getIterator(),
                         &C->domTree(), &C->loops(), nullptr, Name.ref()));
}

} // extern "C"
