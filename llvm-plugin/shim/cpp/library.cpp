// The C library: which calls are calls of it, and where it may be called.

#include "shim.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace {

/// Functions of allocators: those of C, and operators new and delete in the
/// mangling of the Itanium ABI.
const char *const AllocatorNames[] = {
    "malloc",         "calloc",  "realloc",        "reallocarray",
    "free",           "cfree",   "free_sized",     "free_aligned_sized",
    "memalign",       "valloc",  "pvalloc",        "aligned_alloc",
    "posix_memalign", "_Znwm",   "_Znam",          "_ZnwmRKSt9nothrow_t",
    "_ZdlPv",         "_ZdlPvm", "_ZnwmSt11align_val_t"};

/// The module has the body of a function of an allocator, or another name for
/// it.
bool hasAllocator(const Module &M) {
  return any_of(AllocatorNames, [&M](StringRef Name) {
    const GlobalValue *Known = M.getNamedValue(Name);
    return Known && !Known->isDeclarationForLinker();
  });
}

/// The function is part of an allocator by its attributes, or may be by its
/// name, as helpers of one are.
bool maybeAllocator(const Function &F) {
  StringRef Name = F.getName();
  return F.hasFnAttribute(Attribute::AllocKind) ||
         F.hasFnAttribute(Attribute::AllocSize) ||
         F.hasFnAttribute("alloc-family") ||
         Name.contains_insensitive("alloc") ||
         Name.contains_insensitive("free");
}

/// Signal handlers are functions of this type of which somebody takes the
/// address.
bool maybeSignalHandler(const Function &F) {
  const FunctionType *T = F.getFunctionType();
  bool IsHandler =
      T->getReturnType()->isVoidTy() && !T->isVarArg() &&
      (T->getNumParams() == 1 || T->getNumParams() == 3) &&
      T->getParamType(0)->isIntegerTy(32) &&
      (T->getNumParams() == 1 || (T->getParamType(1)->isPointerTy() &&
                                  T->getParamType(2)->isPointerTy()));
  return IsHandler && F.hasAddressTaken();
}

/// It finds out which function a symbol stands for, before the program begins.
bool isResolver(const Function &F) {
  for (const GlobalIFunc &I : F.getParent()->ifuncs())
    if (I.getResolverFunction() == &F)
      return true;
  return false;
}

/// The function that says where the thread's errno is; nothing if the target's C
/// library is not known, or if the module has something else of that name.
StringRef errnoLocation(const Module &M) {
  const Triple T(M.getTargetTriple());
  StringRef Name;
  if (T.isAndroid() || T.isOSNetBSD() || T.isOSOpenBSD())
    Name = "__errno";
  else if (T.isOSDarwin() || T.isOSFreeBSD())
    Name = "__error";
  else if (T.isOSLinux() && (T.isGNUEnvironment() || T.isMusl()))
    Name = "__errno_location";
  else
    return "";
  const GlobalValue *Known = M.getNamedValue(Name);
  if (!Known)
    return Name;
  const auto *F = dyn_cast<Function>(Known);
  const bool IsLibrary = F && F->isDeclaration() && F->arg_empty() &&
                         !F->isVarArg() && F->getReturnType()->isPointerTy();
  return IsLibrary ? Name : "";
}

} // namespace

extern "C" {

/// The name of the C library's function that is called; nothing for other calls.
/// It is one that the target has (-fno-builtin and `nobuiltin` taken into
/// account), declared with its prototype, and neither defined nor hidden here.
void poly_library_function(PolyContext *C, LLVMValueRef V, TextSink Sink,
                           void *Into) {
  auto *Call = dyn_cast<CallBase>(unwrap(V));
  Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  LibFunc Known;
  if (!Callee || !Callee->isDeclaration() || Callee->hasLocalLinkage() ||
      !TargetLibraryInfoImpl::isCallingConvCCompatible(Call) ||
      !C->library().getLibFunc(*Call, Known) || !C->library().has(Known))
    return;
  sendText(Sink, Into, Callee->getName());
}

/// The function of the C library that returns the address of errno.
void poly_errno_location(PolyContext *C, TextSink Sink, void *Into) {
  sendText(Sink, Into, errnoLocation(*C->function().getParent()));
}

/// Code in the function may call malloc and free. Whatever hints at a place
/// from which they must not be called forbids it.
bool poly_may_allocate(PolyContext *C) {
  const Function &F = C->function();
  const Module &M = *F.getParent();
  const TargetLibraryInfo &Library = C->library();
  if (!Library.has(LibFunc_malloc) || !Library.has(LibFunc_free))
    return false;
  return M.getCodeModel() != CodeModel::Kernel &&
         !F.hasFnAttribute(Attribute::NoRedZone) && !F.hasSection() &&
         !isResolver(F) && !maybeSignalHandler(F) && !maybeAllocator(F) &&
         !hasAllocator(M);
}

} // extern "C"
