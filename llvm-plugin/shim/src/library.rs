//! Functions of the C library: which calls are calls of them, and what is known of the mathematical
//! ones.
//!
//! # Problem
//! A name says nothing: a program may have a `sqrt` or an `exp10` of its own, with other effects.
//! LLVM's `TargetLibraryInfo` knows what the functions of the library that the program is linked
//! with are called and which types they have.
//!
//! # What counts
//! A call is one of a library function if the callee is declared and not defined in the module, has
//! no local linkage and the prototype of the function, is called by the C convention, and if
//! neither the call (`nobuiltin`) nor the function around it (`no-builtins`, `-fno-builtin-NAME`)
//! nor the target says that there is no such function. Everything else is an unknown function, of
//! which its attributes say what it does.
//!
//! No names decide anything but costs elsewhere in Poly; there is one more list, of allocators, in
//! `cpp/library.cpp`, which only forbids.

use crate::{PassContext, ValueRef, sinks};

/// What a mathematical function of the C library may leave in `errno`, by section 7.12 of the C
/// standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MathFunction {
    /// Nothing.
    Silent,
    /// Domain errors only. Such a function has one argument, for which minus infinity is an error;
    /// code generation relies on that.
    Domain,
    /// Range errors only.
    Range,
    /// Both.
    Both,
}

/// What a function does that computes one number from numbers; `None` for all other functions.
fn math_function(function: &str) -> Option<MathFunction> {
    use MathFunction::{Both, Domain, Range, Silent};
    let known = |name: &str| match name {
        "cbrt" | "ceil" | "copysign" | "fabs" | "floor" | "fmax" | "fmin" | "rint" | "round" | "roundeven"
        | "trunc" => Some(Silent),
        "acos" | "acosh" | "cos" | "sqrt" => Some(Domain),
        "asinh" | "atan" | "cosh" | "erf" | "erfc" | "exp" | "exp10" | "exp2" | "expm1" | "fdim" | "hypot"
        | "ldexp" | "nextafter" | "scalbn" | "sinh" | "tanh" => Some(Range),
        "asin" | "atan2" | "atanh" | "fmod" | "log" | "log10" | "log1p" | "log2" | "logb" | "pow" | "remainder"
        | "sin" | "tan" | "tgamma" => Some(Both),
        _ => None,
    };
    known(function).or_else(|| known(function.strip_suffix(['f', 'l'])?))
}

/// Functions of the libraries of C and C++ that return memory which nobody else knows: operators
/// new in the mangling of the Itanium ABI.
const ALLOCATING: [&str; 13] = [
    "malloc",
    "calloc",
    "aligned_alloc",
    "_Znwm",
    "_Znam",
    "_ZnwmRKSt9nothrow_t",
    "_ZnamRKSt9nothrow_t",
    "_ZnwmSt11align_val_t",
    "_ZnamSt11align_val_t",
    "_ZnwmSt11align_val_tRKSt9nothrow_t",
    "_ZnamSt11align_val_tRKSt9nothrow_t",
    "_Znwj",
    "_Znaj",
];

/// Those that give it back, and do nothing else with it.
const FREEING: [&str; 9] = [
    "free",
    "_ZdlPv",
    "_ZdaPv",
    "_ZdlPvm",
    "_ZdaPvm",
    "_ZdlPvSt11align_val_t",
    "_ZdaPvSt11align_val_t",
    "_ZdlPvmSt11align_val_t",
    "_ZdaPvmSt11align_val_t",
];

impl<'c> PassContext<'c> {
    /// Whether code in the function may call `malloc` and `free`: the target has them, and nothing
    /// hints at a function from which they must not be called. Such hints are: the module defines
    /// functions of an allocator, or this one has a name or attributes of one; it may be a signal
    /// handler or an interrupt handler, or it runs before the program begins; it is kernel code or
    /// in a section of its own.
    pub fn may_allocate(self) -> bool {
        shim!(poly_may_allocate(self.raw()))
    }

    /// The name of the function that returns the address of the thread's `errno`, which takes no
    /// arguments: `__errno_location` with glibc. `None` where the C library is not known, or if the
    /// module has something else of that name.
    pub fn errno_location(self) -> Option<String> {
        let name = sinks::text(|sink, into| shim!(poly_errno_location(self.raw(), sink, into))).1;
        (!name.is_empty()).then_some(name)
    }

    /// The name of the function of the C library that is called: `sqrtf`. `None` for every other
    /// instruction.
    pub fn library_function(self, call: ValueRef<'c>) -> Option<String> {
        let name = sinks::text(|sink, into| shim!(poly_library_function(self.raw(), call.raw(), sink, into))).1;
        (!name.is_empty()).then_some(name)
    }

    /// Whether the value is memory that a call of a library function has just allocated.
    pub fn is_allocation(self, value: ValueRef<'c>) -> bool {
        value.is_call() && self.library_function(value).is_some_and(|name| ALLOCATING.contains(&name.as_str()))
    }

    /// Whether an instruction is a call of a library function that gives memory back.
    pub fn is_deallocation(self, instruction: ValueRef<'c>) -> bool {
        instruction.is_call() && self.library_function(instruction).is_some_and(|name| FREEING.contains(&name.as_str()))
    }

    /// What is known of the function of the C library that is called, if it computes one
    /// floating-point number from numbers and does nothing else but to set `errno`.
    pub fn math_function(self, call: ValueRef<'c>) -> Option<MathFunction> {
        if !call.is_call() || !call.ty().is_float() {
            return None;
        }
        self.library_function(call).and_then(|name| math_function(&name))
    }
}
