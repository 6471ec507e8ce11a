// New code in functions of its own.
//
// The new code of a nest and the original stand beside each other in a
// function and share its registers and its frame: values that live through one
// of them are spilled in loops of the other, whichever is thought to run more
// often. At the end of the pipeline, when both have been optimized, the new
// code is extracted, so that the original is compiled as it would be alone.
//
// 1. Code generation marks the branches of the run-time check (poly_mark_new).
// 2. The new code begins behind the last branch with a mark, on the side with
//    the larger weight; it is what is dominated by its first block.
// 3. If that has a loop and can be extracted (CodeExtractor), it becomes a
//    function that is not inlined again. Where a pass has lost the mark, or
//    another edge leads into the new code, all stays as it is.
// 4. A check may have loops of its own, as that of tables of rows has, or much
//    arithmetic, and needs many registers, too. Then its last stages that have
//    these, behind a branch with a mark, and the call of the new code are
//    extracted as well: conditions in front of them, as on sizes, cost no call.
//    That function says where to go on. What the original uses lives through
//    its call, so it keeps all registers (preserve_most), where the target
//    knows such functions.
//
// A check in several stages enters the original code from several blocks. To
// find out how often a loop runs, LLVM goes up from it to the branches that it
// depends on, along blocks with one predecessor each, and ends there. In
//
//     if (n > 0)
//       if (large(n) && disjoint(a, b)) new(); else for (i = n; i > 0; i--) ...
//
// it does not see `n > 0` any more, takes the number of iterations for the
// larger one of n and 1, and does not unroll. So what such branches say is
// repeated there as an assumption (repeatGuards), behind the clean-up of
// generated code, which would find it superfluous. All of it has been branched
// on: there is no new undefined behaviour.

#include "versions.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

using namespace llvm;

namespace {

/// On the branch to new code. The side of the new code is the one with the
/// larger weight: passes that exchange the sides exchange the weights. They are
/// so near each other that they say nothing about frequencies.
constexpr const char *NewCode = "poly.new";
constexpr uint32_t NewWeight = 5, OriginalWeight = 4;

/// The first block of the new code that a branch leads to; null if that is not
/// known any more.
BasicBlock *firstBlock(const Instruction &Terminator) {
  auto *Branch = dyn_cast<BranchInst>(&Terminator);
  if (!Branch || !Branch->isConditional() || !Branch->hasMetadata(NewCode))
    return nullptr;
  uint64_t First, Second;
  if (!extractBranchWeights(*Branch, First, Second) || First == Second)
    return nullptr;
  return Branch->getSuccessor(First > Second ? 0 : 1);
}

/// The new code of a nest, and the check in front of it.
struct Version {
  /// Where the new code begins, behind the last of its checks.
  BasicBlock *New;
  /// What is behind each of its checks but the last, innermost first.
  SmallVector<BasicBlock *, 4> Stages;
};

/// All new code of a function.
SmallVector<Version, 4> versions(Function &F, const DominatorTree &Dominance) {
  SmallVector<BasicBlock *, 8> All;
  for (BasicBlock &B : F)
    if (BasicBlock *First = firstBlock(*B.getTerminator()))
      if (First->getSinglePredecessor())
        All.push_back(First);
  SmallVector<Version, 4> Found;
  for (BasicBlock *New : All) {
    if (any_of(All, [&](BasicBlock *Other) {
          return Dominance.properlyDominates(New, Other);
        }))
      continue;
    Version Here{New, {}};
    copy_if(All, std::back_inserter(Here.Stages), [&](BasicBlock *Other) {
      return Dominance.properlyDominates(Other, New);
    });
    sort(Here.Stages, [&](BasicBlock *A, BasicBlock *B) {
      return Dominance.properlyDominates(B, A);
    });
    Found.push_back(std::move(Here));
  }
  return Found;
}

/// Conditions further above say nothing about the loops mostly.
constexpr unsigned MostGuards = 8, MostBlocksAbove = 32;

/// Whether several branches of a check lead to the block, as to original code.
bool isEnteredSeveralTimes(BasicBlock &B) {
  unsigned Entries = 0;
  for (BasicBlock *From : predecessors(&B)) {
    BasicBlock *New = firstBlock(*From->getTerminator());
    Entries += New && New != &B;
  }
  return Entries > 1;
}

/// Says at the end of a block what the branches above it say.
void assumeGuards(BasicBlock &B, DominatorTree &Dominance,
                  AssumptionCache &Assumptions) {
  IRBuilder<> Builder(B.getTerminator());
  unsigned Guards = 0, Blocks = 0;
  for (auto *At = Dominance.getNode(&B);
       At && At->getIDom() && Guards < MostGuards && Blocks < MostBlocksAbove;
       At = At->getIDom(), ++Blocks) {
    BasicBlock *Above = At->getIDom()->getBlock();
    auto *Branch = dyn_cast<BranchInst>(Above->getTerminator());
    if (!Branch || !Branch->isConditional())
      continue;
    auto Leads = [&](unsigned Side) {
      BasicBlockEdge Edge(Above, Branch->getSuccessor(Side));
      return Dominance.dominates(Edge, &B);
    };
    Value *Known = Branch->getCondition();
    auto *Compare = dyn_cast<ICmpInst>(Known);
    if (Leads(1) && Compare)
      Known = Builder.CreateICmp(Compare->getInversePredicate(),
                                 Compare->getOperand(0),
                                 Compare->getOperand(1));
    else if (!Leads(0) || isa<Constant>(Known))
      continue;
    auto *Said = cast<AssumeInst>(Builder.CreateAssumption(Known));
    Assumptions.registerAssumption(Said);
    ++Guards;
  }
}

/// Some block of these has an edge to one that dominates it.
bool hasLoop(ArrayRef<BasicBlock *> Blocks, const DominatorTree &Dominance) {
  return any_of(Blocks, [&](BasicBlock *B) {
    return any_of(successors(B), [&](BasicBlock *S) {
      return Dominance.dominates(S, B);
    });
  });
}

/// It means something in the frame of its function only: a call that may return
/// again when that of another function has been left, or the end of memory on
/// the stack that began elsewhere.
bool belongsToFrame(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    return Call->hasFnAttr(Attribute::ReturnsTwice) ||
           Call->getIntrinsicID() == Intrinsic::stackrestore;
  return false;
}

/// A pass that copies what follows the nest can make it part of what is
/// dominated by the new code.
bool canMove(ArrayRef<BasicBlock *> Blocks) {
  return none_of(Blocks,
                 [](BasicBlock *B) { return any_of(*B, belongsToFrame); });
}

/// Makes a function of these blocks, the first of which dominates the others;
/// null if that cannot be done.
Function *extract(Function &F, ArrayRef<BasicBlock *> Blocks,
                  DominatorTree &Dominance, StringRef Suffix) {
  if (!canMove(Blocks))
    return nullptr;
  CodeExtractor Extractor(Blocks, &Dominance, /*AggregateArgs=*/false, nullptr,
                          nullptr, nullptr, /*AllowVarArgs=*/false,
                          /*AllowAlloca=*/true, nullptr, Suffix.str());
  if (!Extractor.isEligible())
    return nullptr;
  CodeExtractorAnalysisCache Cache(F);
  Function *New = Extractor.extractCodeRegion(Cache);
  if (!New)
    return nullptr;
  // The extractor copies what the original says about being inlined.
  New->removeFnAttr(Attribute::AlwaysInline);
  New->removeFnAttr(Attribute::InlineHint);
  New->addFnAttr(Attribute::NoInline);
  // A function that must be in a certain place must be there as a whole.
  if (F.hasSection())
    New->setSection(F.getSection());
  return New;
}

bool extractNewCode(Function &F, BasicBlock *First) {
  DominatorTree Dominance(F);
  SmallVector<BasicBlock *, 32> Blocks;
  Dominance.getDescendants(First, Blocks);
  return hasLoop(Blocks, Dominance) &&
         extract(F, Blocks, Dominance, "poly") != nullptr;
}

/// A call costs little beside so many instructions of a check.
constexpr size_t FewInstructions = 64;

/// Whether functions may keep all registers of their callers: other targets
/// ignore that, or know no such functions.
bool knowsPreserveMost(const Module &M) {
  Triple Target(M.getTargetTriple());
  return (Target.getArch() == Triple::x86_64 || Target.isAArch64(64)) &&
         !Target.isOSWindows();
}

/// The check and the call of the new code, which has been extracted.
void extractCheck(Function &F, BasicBlock *First) {
  DominatorTree Dominance(F);
  SmallVector<BasicBlock *, 32> Blocks;
  Dominance.getDescendants(First, Blocks);
  size_t Instructions = 0;
  for (BasicBlock *B : Blocks)
    Instructions += B->size();
  if (!hasLoop(Blocks, Dominance) && Instructions <= FewInstructions)
    return;
  Function *Check = extract(F, Blocks, Dominance, "poly.check");
  if (!Check || !knowsPreserveMost(*F.getParent()))
    return;
  Check->setCallingConv(CallingConv::PreserveMost);
  for (User *U : Check->users())
    cast<CallBase>(U)->setCallingConv(CallingConv::PreserveMost);
}

} // namespace

PreservedAnalyses OutlineNewCode::run(Module &M, ModuleAnalysisManager &) {
  SmallVector<std::pair<Function *, SmallVector<Version, 4>>, 8> All;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    DominatorTree Dominance(F);
    All.push_back({&F, versions(F, Dominance)});
  }
  bool Changed = false;
  for (auto &[F, Versions] : All) {
    SmallSetVector<BasicBlock *, 8> Checks;
    for (auto &[New, Stages] : Versions) {
      if (!extractNewCode(*F, New))
        continue;
      Changed = true;
      Checks.insert(Stages.begin(), Stages.end());
    }
    for (BasicBlock *Stage : Checks)
      extractCheck(*F, Stage);
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

extern "C" {

/// The branch leads to new code, or to a further check, if its condition holds.
void poly_mark_new(LLVMValueRef Branch) {
  auto *B = cast<BranchInst>(unwrap(Branch));
  LLVMContext &Context = B->getContext();
  B->setMetadata(NewCode, MDNode::get(Context, {}));
  B->setMetadata(
      LLVMContext::MD_prof,
      MDBuilder(Context).createBranchWeights(NewWeight, OriginalWeight));
}

} // extern "C"

void repeatGuards(Function &F, FunctionAnalysisManager &AM) {
  SmallVector<BasicBlock *, 4> Entries;
  for (BasicBlock &B : F)
    if (isEnteredSeveralTimes(B))
      Entries.push_back(&B);
  if (Entries.empty())
    return;
  auto &Dominance = AM.getResult<DominatorTreeAnalysis>(F);
  auto &Assumptions = AM.getResult<AssumptionAnalysis>(F);
  for (BasicBlock *B : Entries)
    assumeGuards(*B, Dominance, Assumptions);
}
