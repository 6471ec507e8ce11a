// The pass, its registration with LLVM, and its command line options.
//
// Every decision is made in Rust: the shim only carries texts and handles. Rust
// gives one table of functions at registration; none of them unwinds.

#include "interleaved.h"
#include "shim.h"
#include "versions.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Passes/PassBuilder.h"
#if LLVM_VERSION_MAJOR < 22
#include "llvm/Passes/PassPlugin.h"
#else
#include "llvm/Plugins/PassPlugin.h"
#endif
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

#include <memory>
#include <vector>

using namespace llvm;

// The structure is returned by value: the Rust side declares it with the same
// size (`PluginInfo` in src/plugin.rs).
static_assert(sizeof(PassPluginLibraryInfo) ==
                  (LLVM_VERSION_MAJOR < 22 ? 32 : 40),
              "size of PassPluginLibraryInfo, also given in plugin.rs");

namespace {

/// `PluginTable` in src/plugin.rs. A pass is a handle that Rust owns.
struct PluginTable {
  /// Is the text one of our passes? 0: no; 1: an optimization; 2: a printer,
  /// which may not be skipped. Writes the handle. Reports wrong parameters
  /// itself and answers 0.
  uint32_t (*ParsePass)(PolyText Text, void **Pass);
  /// The pass to add at VectorizerStart, or null.
  void *(*PipelinePass)(uint32_t SpeedLevel);
  /// Runs the pass; true if the function was changed.
  bool (*Run)(void *Pass, PolyContext *Context);
  /// Is there any need to look at a function without loops?
  bool (*WantsFunctionsWithoutLoops)(void *Pass);
  /// Sends the pass as it is written in a pipeline.
  void (*PrintPipeline)(void *Pass, TextSink Sink, void *Into);
  void (*DropPass)(void *Pass);
};

PluginTable Table; // written once, at registration, always with the same value

/// What both passes have in common. Copies share the handle.
class PassHandle {
public:
  explicit PassHandle(void *Pass) : Pass(Pass, Table.DropPass) {}

  PreservedAnalyses runOn(Function &F, FunctionAnalysisManager &AM) const {
    if (!Table.WantsFunctionsWithoutLoops(Pass.get()) &&
        AM.getResult<LoopAnalysis>(F).empty())
      return PreservedAnalyses::all();
    PolyContext Context(F, AM);
    return Table.Run(Pass.get(), &Context) ? PreservedAnalyses::none()
                                           : PreservedAnalyses::all();
  }

  void print(raw_ostream &OS) const {
    Table.PrintPipeline(
        Pass.get(),
        [](void *Into, const char *Text, size_t Length) {
          *static_cast<raw_ostream *>(Into) << StringRef(Text, Length);
        },
        &OS);
  }

private:
  std::shared_ptr<void> Pass;
};

struct PolyPass : PassInfoMixin<PolyPass> {
  explicit PolyPass(void *Pass) : Handle(Pass) {}
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM) {
    return Handle.runOn(F, AM);
  }
  void printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)>) {
    Handle.print(OS);
  }
  PassHandle Handle;
};

struct PolyPrinterPass : PassInfoMixin<PolyPrinterPass> {
  explicit PolyPrinterPass(void *Pass) : Handle(Pass) {}
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &AM) {
    return Handle.runOn(F, AM);
  }
  void printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)>) {
    Handle.print(OS);
  }
  static bool isRequired() { return true; }
  PassHandle Handle;
};

bool parsePass(StringRef Text, FunctionPassManager &Passes,
               ArrayRef<PassBuilder::PipelineElement>) {
  // Of all functions: for tests.
  if (Text == "poly-order-lanes") {
    Passes.addPass(OrderLanes(/*All=*/true));
    return true;
  }
  void *Pass = nullptr;
  switch (Table.ParsePass(PolyText{Text.data(), Text.size()}, &Pass)) {
  case 1:
    Passes.addPass(PolyPass(Pass));
    return true;
  case 2:
    Passes.addPass(PolyPrinterPass(Pass));
    return true;
  default:
    return false;
  }
}

/// Late in the module pipeline, after inlining, just before the loop
/// vectorizer; loops have lost their canonical form there.
void addPass(FunctionPassManager &Passes,
                          OptimizationLevel Level) {
  if (Level == OptimizationLevel::Os || Level == OptimizationLevel::Oz)
    return;
  void *Pass = Table.PipelinePass(Level.getSpeedupLevel());
  if (!Pass)
    return;
  Passes.addPass(LoopSimplifyPass());
  Passes.addPass(LCSSAPass());
  Passes.addPass(PolyPass(Pass));
}

void registerPasses(PassBuilder &PB) {
  PB.registerPipelineParsingCallback(parsePass);
  // Where an object for ThinLTO is made, the pipeline ends before loops are
  // vectorized; that is done when the program is linked, by a linker that does
  // not know this plugin. The end of the pipeline is the place then.
  const auto Vectorizes = std::make_shared<bool>(false);
  PB.registerOptimizerEarlyEPCallback(
      [Vectorizes](ModulePassManager &, auto...) { *Vectorizes = false; });
  PB.registerVectorizerStartEPCallback(
      [Vectorizes](FunctionPassManager &Passes, OptimizationLevel Level) {
        *Vectorizes = true;
        addPass(Passes, Level);
      });
  const auto Finish = [](ModulePassManager &Passes, auto...) {
    Passes.addPass(createModuleToFunctionPassAdaptor(OrderLanes()));
    Passes.addPass(OutlineNewCode());
  };
  PB.registerOptimizerLastEPCallback(
      [Vectorizes, Finish](ModulePassManager &Passes, OptimizationLevel Level,
                           auto...) {
        if (!*Vectorizes) {
          FunctionPassManager Functions;
          addPass(Functions, Level);
          if (!Functions.isEmpty())
            Passes.addPass(
                createModuleToFunctionPassAdaptor(std::move(Functions)));
        }
        Finish(Passes);
      });
  PB.registerFullLinkTimeOptimizationLastEPCallback(Finish);
}

// --- Options ----------------------------------------------------------------

/// One `-poly-...` option; Rust keeps the texts for ever.
struct OptionText {
  PolyText Name; // "poly-tile"
  PolyText Help;
  PolyText ValueName;
  bool ValueRequired; // not for switches
  bool Hidden;
};

/// Sends what is wrong with the value, if anything is.
using ValidateOption = void (*)(PolyText Name, PolyText Value, TextSink Sink,
                                void *Into);
ValidateOption Validate;

struct ValueParser : cl::parser<std::string> {
  explicit ValueParser(cl::Option &O) : cl::parser<std::string>(O) {}

  bool parse(cl::Option &O, StringRef, StringRef Argument,
             std::string &Value) {
    std::string Wrong;
    Validate(PolyText{O.ArgStr.data(), O.ArgStr.size()},
             PolyText{Argument.data(), Argument.size()},
             [](void *Into, const char *Text, size_t Length) {
               static_cast<std::string *>(Into)->append(Text, Length);
             },
             &Wrong);
    if (!Wrong.empty())
      return O.error(Wrong);
    Value = Argument.str();
    return false;
  }
};

using TextOption = cl::opt<std::string, false, ValueParser>;

/// Never destroyed: the host may still look at its options while it ends.
std::vector<TextOption *> &options() {
  static auto *All = new std::vector<TextOption *>;
  return *All;
}

} // namespace

extern "C" {

void poly_plugin_info(PassPluginLibraryInfo *Out, const PluginTable *Functions,
                      const char *Name, const char *Version) {
  Table = *Functions;
  *Out = PassPluginLibraryInfo{};
  Out->APIVersion = LLVM_PLUGIN_API_VERSION;
  Out->PluginName = Name;
  Out->PluginVersion = Version;
  Out->RegisterPassBuilderCallbacks = registerPasses;
}

/// Called while the library is being loaded, before the host reads its command
/// line.
void poly_register_options(const OptionText *Texts, size_t Count,
                           ValidateOption Validator) {
  static auto *Category = new cl::OptionCategory(
      "Poly options", "Polyhedral loop optimization (plugin libpoly.so)");
  Validate = Validator;
  for (const OptionText &Text : ArrayRef<OptionText>(Texts, Count)) {
    auto *Option = new TextOption(
        Text.Name.ref(), cl::desc(Text.Help.ref()),
        cl::value_desc(Text.ValueName.ref()),
        Text.ValueRequired ? cl::ValueRequired : cl::ValueOptional,
        cl::ZeroOrMore, cl::cat(*Category),
        Text.Hidden ? cl::Hidden : cl::NotHidden);
    options().push_back(Option);
  }
}

/// The value given on the command line for the option with this number; false
/// if it was not given.
bool poly_option_value(size_t Number, TextSink Sink, void *Into) {
  const TextOption &Option = *options()[Number];
  if (Option.getNumOccurrences() == 0)
    return false;
  sendText(Sink, Into, Option.getValue());
  return true;
}

} // extern "C"
