// New code in functions of its own: see versions.cpp.

#pragma once

#include "shim.h"

#include "llvm/IR/PassManager.h"

/// Extracts the new code of each nest from the function that it stands in,
/// beside the original.
struct OutlineNewCode : llvm::PassInfoMixin<OutlineNewCode> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Repeats what is known at the check of new code, as assumptions, in front of
/// original code that several branches of the check lead to.
void repeatGuards(llvm::Function &F, llvm::FunctionAnalysisManager &AM);
