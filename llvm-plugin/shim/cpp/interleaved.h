// Interleaved data in vectors: see interleaved.cpp.

#pragma once

#include "llvm/IR/PassManager.h"

/// Gives the lanes of vectors that are loaded from interleaved elements, or stored
/// to them, an order that needs few shuffles, in functions that were marked.
struct OrderLanes : llvm::PassInfoMixin<OrderLanes> {
  explicit OrderLanes(bool All = false) : All(All) {}
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &AM);

private:
  /// Functions without a mark, too.
  bool All;
};
