// Debug information: where an instruction or a loop stands in the source, what
// a value is called there, and descriptions of functions that Poly makes.

#include "shim.h"

#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Sends the file's name if there is a line.
static bool sendPlace(const DebugLoc &Where, TextSink Sink, void *Into,
                      unsigned *Line, unsigned *Column) {
  if (!Where || Where.getLine() == 0)
    return false;
  const auto *Scope = cast<DIScope>(Where.getScope());
  *Line = Where.getLine();
  *Column = Where.getCol();
  sendText(Sink, Into, Scope->getFilename());
  return true;
}

#if LLVM_VERSION_MAJOR < 22
/// A variable that a debug intrinsic connects with the value.
static const DILocalVariable *variableOfIntrinsics(Value *V) {
  SmallVector<DbgVariableIntrinsic *, 4> Users;
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgUsers(Users, V, &Records);
  if (!Records.empty())
    return Records.front()->getVariable();
  return Users.empty() ? nullptr : Users.front()->getVariable();
}
#else
static const DILocalVariable *variableOfIntrinsics(Value *V) {
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgUsers(V, Records);
  return Records.empty() ? nullptr : Records.front()->getVariable();
}
#endif

extern "C" {

bool poly_instruction_place(LLVMValueRef I, TextSink Sink, void *Into,
                            unsigned *Line, unsigned *Column) {
  return sendPlace(asInstruction(I)->getDebugLoc(), Sink, Into, Line, Column);
}

/// The loop's first line; clang gives it even without -g when remarks are
/// asked for.
bool poly_loop_place(const void *L, TextSink Sink, void *Into, unsigned *Line,
                     unsigned *Column) {
  return sendPlace(asLoop(L)->getStartLoc(), Sink, Into, Line, Column);
}

/// The last line of the loop's source, 0 if it is not known: where its text
/// ends, as clang says, or that of its last instruction that comes from the
/// same text.
unsigned poly_loop_last_line(const void *L) {
  const DebugLoc Start = asLoop(L)->getStartLoc();
  if (!Start)
    return 0;
  unsigned Last = Start.getLine();
  const auto Extend = [&](const DebugLoc &Where) {
    if (Where && Where.getInlinedAt() == Start.getInlinedAt() &&
        getDISubprogram(Where.getScope()) == getDISubprogram(Start.getScope()))
      Last = std::max(Last, Where.getLine());
  };
  Extend(asLoop(L)->getLocRange().getEnd());
  for (const BasicBlock *Block : asLoop(L)->blocks())
    for (const Instruction &I : *Block)
      Extend(I.getDebugLoc());
  return Last;
}

bool poly_function_place(LLVMValueRef F, TextSink Sink, void *Into,
                         unsigned *Line) {
  const DISubprogram *Program = asFunction(F)->getSubprogram();
  if (!Program)
    return false;
  *Line = Program->getLine();
  sendText(Sink, Into, Program->getFilename());
  return true;
}

/// The name of the source variable that the value (argument, alloca, global,
/// instruction) stands for; false if there is no debug information about it.
bool poly_variable_name(LLVMValueRef V, TextSink Sink, void *Into) {
  if (auto *Global = dyn_cast<GlobalVariable>(unwrap(V))) {
    SmallVector<DIGlobalVariableExpression *, 1> Expressions;
    Global->getDebugInfo(Expressions);
    if (Expressions.empty())
      return false;
    sendText(Sink, Into, Expressions.front()->getVariable()->getName());
    return true;
  }
  const DILocalVariable *Variable = variableOfIntrinsics(unwrap(V));
  if (!Variable || Variable->getName().empty())
    return false;
  sendText(Sink, Into, Variable->getName());
  return true;
}

/// Describes `Made`, a function that holds code of `Parent`: an artificial
/// internal function on the parent's line. False if the parent has no
/// description (then `Made` must not get one either).
bool poly_describe_function(LLVMValueRef Parent, LLVMValueRef Made) {
  const DISubprogram *Program = asFunction(Parent)->getSubprogram();
  if (!Program || !Program->getUnit())
    return false;
  Function *F = asFunction(Made);
  DIBuilder Builder(*F->getParent(), /*AllowUnresolved=*/false,
                    Program->getUnit());
  DISubroutineType *Type =
      Builder.createSubroutineType(Builder.getOrCreateTypeArray({}));
  DISubprogram *Description = Builder.createFunction(
      Program->getFile(), F->getName(), F->getName(), Program->getFile(),
      Program->getLine(), Type, Program->getLine(), DINode::FlagArtificial,
      DISubprogram::SPFlagDefinition | DISubprogram::SPFlagLocalToUnit |
          DISubprogram::SPFlagOptimized);
  F->setSubprogram(Description);
  Builder.finalizeSubprogram(Description);
  return true;
}

/// Gives the instruction the place of `Like`, which may be in another function:
/// then line and column move to the description of the instruction's own
/// function, if it has one, and to nothing otherwise.
void poly_copy_place(LLVMValueRef I, LLVMValueRef Like) {
  Instruction *To = asInstruction(I);
  const DebugLoc &From = asInstruction(Like)->getDebugLoc();
  DISubprogram *Program = To->getFunction()->getSubprogram();
  if (!From || !Program) {
    To->setDebugLoc(DebugLoc());
    return;
  }
  if (From->getInlinedAtScope()->getSubprogram() == Program)
    To->setDebugLoc(From);
  else
    To->setDebugLoc(DILocation::get(To->getContext(), From.getLine(),
                                    From.getCol(), Program));
}

/// Line 0 of the function: for code without a place in the source.
void poly_set_artificial_place(LLVMValueRef I) {
  Instruction *To = asInstruction(I);
  DISubprogram *Program = To->getFunction()->getSubprogram();
  To->setDebugLoc(Program
                      ? DebugLoc(DILocation::get(To->getContext(), 0, 0, Program))
                      : DebugLoc());
}

} // extern "C"
