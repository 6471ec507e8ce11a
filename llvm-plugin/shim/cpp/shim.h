// What every file of the shim shares: the analyses of one function, and the
// ways in which strings and lists go to Rust.
//
// Conventions of the C interface (`poly_*`):
//  - LLVM objects that the C API knows are passed as its references; loops and
//    SCEVs, which it does not know, as `const void *`;
//  - a text goes to Rust by one call of a TextSink, a list by one call of a
//    PointerSink for each element, in order; both before the function returns,
//    so nothing has to be freed;
//  - integers up to 128 bits are two words, sign extended;
//  - nothing here throws, keeps global state or calls back into Rust except
//    through the given sinks and the table of plugin.cpp.

#ifndef POLY_SHIM_H
#define POLY_SHIM_H

#include "llvm-c/Core.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/raw_ostream.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace llvm {
class AAResults;
class AssumptionCache;
class DominatorTree;
class OptimizationRemarkEmitter;
class PostDominatorTree;
class TargetLibraryInfo;
class TargetTransformInfo;
} // namespace llvm

/// The analyses of one function. The dominator tree and the loops are there
/// from the start, the others are computed when first asked for: most
/// functions have no loop and must cost nothing.
class PolyContext {
public:
  PolyContext(llvm::Function &F, llvm::FunctionAnalysisManager &AM);

  /// Drops every analysis of the function after its IR has been changed; the
  /// next query computes it anew.
  void reload();

  llvm::Function &function() const { return F; }
  llvm::FunctionAnalysisManager &analyses() const { return AM; }
  const llvm::DataLayout &dataLayout() const;
  llvm::LoopInfo &loops();
  llvm::DominatorTree &domTree();
  llvm::PostDominatorTree &postDomTree();
  llvm::ScalarEvolution &scev();
  llvm::AAResults &alias();
  llvm::AssumptionCache &assumptions();
  llvm::TargetTransformInfo &target();
  llvm::TargetLibraryInfo &library();
  llvm::OptimizationRemarkEmitter &remarks();

private:
  llvm::Function &F;
  llvm::FunctionAnalysisManager &AM;
};

using TextSink = void (*)(void *Into, const char *Text, size_t Length);
using PointerSink = void (*)(void *Into, const void *Element);

/// A text that Rust hands over: UTF-8, not terminated.
struct PolyText {
  const char *Data;
  size_t Length;
  llvm::StringRef ref() const { return llvm::StringRef(Data, Length); }
};

inline void sendText(TextSink Sink, void *Into, llvm::StringRef Text) {
  Sink(Into, Text.data(), Text.size());
}

/// Prints `Object` and sends the text.
template <typename T>
void sendPrinted(TextSink Sink, void *Into, const T &Object) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << Object;
  OS.flush();
  sendText(Sink, Into, Text);
}

template <typename Range>
void sendList(PointerSink Sink, void *Into, const Range &Elements) {
  for (const auto &Element : Elements)
    Sink(Into, Element);
}

/// A number of at most 128 bits in two's complement.
struct PolyInt128 {
  uint64_t Low;
  uint64_t High;
};

/// Sign extends `Value` (read as signed or unsigned) to 128 bits; false if it
/// does not fit.
bool toInt128(const llvm::APInt &Value, bool IsSigned, PolyInt128 *Out);

inline const llvm::SCEV *asScev(const void *S) {
  return static_cast<const llvm::SCEV *>(S);
}
inline const llvm::Loop *asLoop(const void *L) {
  return static_cast<const llvm::Loop *>(L);
}
inline llvm::Instruction *asInstruction(LLVMValueRef V) {
  return llvm::cast<llvm::Instruction>(llvm::unwrap(V));
}
inline llvm::Function *asFunction(LLVMValueRef V) {
  return llvm::cast<llvm::Function>(llvm::unwrap(V));
}

#endif
