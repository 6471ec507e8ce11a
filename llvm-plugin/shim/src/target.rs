//! The target, and the attributes that say how a function may be treated.

use crate::ffi::RawTarget;
use crate::{PassContext, ValueRef, sinks};

/// What LLVM knows about the processor. Sizes that it does not know are `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Bits of a vector register; 0 or the size of a scalar register if there are none.
    pub vector_bits: u32,
    /// Number of vector registers.
    pub vector_registers: u32,
    /// Bytes of a cache line.
    pub cache_line_bytes: Option<u32>,
    /// Bytes of the first data cache.
    pub l1_bytes: Option<u32>,
    /// Its associativity.
    pub l1_ways: Option<u32>,
    /// Bytes of the second data cache.
    pub l2_bytes: Option<u32>,
    /// Its associativity.
    pub l2_ways: Option<u32>,
    /// How many vector iterations the loop vectorizer may interleave.
    pub max_interleave: u32,
}

impl PassContext<'_> {
    /// The processor that the function is compiled for.
    pub fn target(self) -> Target {
        let mut raw = RawTarget::default();
        shim!(poly_target(self.raw(), &raw mut raw));
        let known = |size: u32| (size != 0).then_some(size);
        Target {
            vector_bits: raw.vector_bits,
            vector_registers: raw.vector_registers,
            cache_line_bytes: known(raw.cache_line_bytes),
            l1_bytes: known(raw.l1_bytes),
            l1_ways: known(raw.l1_ways),
            l2_bytes: known(raw.l2_bytes),
            l2_ways: known(raw.l2_ways),
            max_interleave: raw.max_interleave,
        }
    }
}

/// Attributes of a function that keep Poly away or limit what it may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionProperties {
    bits: u32,
}

impl FunctionProperties {
    fn has(self, bit: u32) -> bool {
        self.bits & (1 << bit) != 0
    }

    /// Not to be optimized.
    pub fn optnone(self) -> bool {
        self.has(0)
    }

    /// To be small (-Os).
    pub fn optsize(self) -> bool {
        self.has(1)
    }

    /// To be as small as possible (-Oz).
    pub fn minsize(self) -> bool {
        self.has(2)
    }

    /// It depends on the floating-point environment.
    pub fn strict_fp(self) -> bool {
        self.has(3)
    }

    /// A coroutine before it is split.
    pub fn presplit_coroutine(self) -> bool {
        self.has(4)
    }

    /// A function without prologue.
    pub fn naked(self) -> bool {
        self.has(5)
    }

    /// A sanitizer watches it.
    pub fn sanitized(self) -> bool {
        self.has(6)
    }

    /// No floating-point instructions beyond those in the source.
    pub fn no_implicit_float(self) -> bool {
        self.has(7)
    }

    /// Convergent.
    pub fn convergent(self) -> bool {
        self.has(8)
    }

    /// The address of one of its blocks is taken.
    pub fn has_address_taken_blocks(self) -> bool {
        self.has(9)
    }

    /// It frees nothing that was allocated before.
    pub fn no_free(self) -> bool {
        self.has(10)
    }

    /// It is called by the hardware.
    pub fn handles_interrupts(self) -> bool {
        self.has(11)
    }

    /// It names a garbage collector.
    pub fn has_collector(self) -> bool {
        self.has(12)
    }
}

impl ValueRef<'_> {
    /// Attributes of a function.
    pub fn function_properties(self) -> FunctionProperties {
        assert!(self.is_function(), "not a function");
        FunctionProperties { bits: shim!(poly_function_properties(self.raw())) }
    }

    /// The value of a string attribute of a function: `target-cpu`, `poly`.
    pub fn function_attribute(self, name: &str) -> Option<String> {
        assert!(self.is_function(), "not a function");
        let (known, value) =
            sinks::text(|sink, into| shim!(poly_function_attribute(self.raw(), name.into(), sink, into)));
        known.then_some(value)
    }

    /// The annotations of a function: `__attribute__((annotate("...")))` in C.
    pub fn function_annotations(self) -> Vec<String> {
        assert!(self.is_function(), "not a function");
        let ((), text) = sinks::text(|sink, into| shim!(poly_function_annotations(self.raw(), sink, into)));
        text.lines().map(str::to_owned).collect()
    }

    /// Gives a function a string attribute.
    pub fn set_function_attribute(self, name: &str, value: &str) {
        assert!(self.is_function(), "not a function");
        shim!(poly_set_function_attribute(self.raw(), name.into(), value.into()));
    }
}
