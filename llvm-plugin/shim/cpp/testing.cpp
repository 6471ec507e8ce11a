// For tests that link LLVM themselves: analyses of a function given as text.

#include "shim.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

extern "C" {

/// Parses the module, runs the pipeline on it and calls `Body` with the
/// function's analyses; afterwards sends the module's text. False, with a
/// message sent, if the text, the pipeline or the name is wrong or the module
/// does not verify afterwards.
bool poly_test_function(PolyText Ir, PolyText Name, PolyText Pipeline,
                        void (*Body)(void *Data, PolyContext *Context),
                        void *Data, TextSink Sink, void *Into) {
  LLVMContext Context;
  SMDiagnostic Wrong;
  std::unique_ptr<Module> M =
      parseAssemblyString(Ir.ref().str(), Wrong, Context);
  if (!M) {
    sendText(Sink, Into, Wrong.getMessage());
    return false;
  }
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  ModulePassManager Passes;
  if (Error E = PB.parsePassPipeline(Passes, Pipeline.ref())) {
    sendText(Sink, Into, toString(std::move(E)));
    return false;
  }
  Passes.run(*M, MAM);
  Function *F = M->getFunction(Name.ref());
  if (!F || F->isDeclaration()) {
    sendText(Sink, Into, "no such function");
    return false;
  }
  PolyContext Analyses(*F, FAM);
  Body(Data, &Analyses);
  std::string Text;
  raw_string_ostream OS(Text);
  bool Broken = verifyModule(*M, &OS);
  if (!Broken)
    OS << *M;
  OS.flush();
  sendText(Sink, Into, Text);
  return !Broken;
}

} // extern "C"
