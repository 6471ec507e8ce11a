//! What pointers may point to and what instructions may do.

use crate::handles::{found, found_or_none};
use crate::{PassContext, ValueRef, sinks};

/// How two memory ranges are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AliasKind {
    /// They share no byte.
    No,
    /// Nothing is known.
    May,
    /// They begin at the same address.
    Must,
}

impl AliasKind {
    fn from_number(number: u32) -> Self {
        match number {
            0 => Self::No,
            2 => Self::Must,
            _ => Self::May,
        }
    }
}

/// What an instruction may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effects {
    bits: u32,
}

impl Effects {
    fn has(self, bit: u32) -> bool {
        self.bits & (1 << bit) != 0
    }

    /// It may read memory.
    pub fn may_read(self) -> bool {
        self.has(0)
    }

    /// It may write memory.
    pub fn may_write(self) -> bool {
        self.has(1)
    }

    /// It may unwind.
    pub fn may_throw(self) -> bool {
        self.has(2)
    }

    /// It ends.
    pub fn will_return(self) -> bool {
        self.has(3)
    }

    /// It is volatile.
    pub fn is_volatile(self) -> bool {
        self.has(4)
    }

    /// It is atomic.
    pub fn is_atomic(self) -> bool {
        self.has(5)
    }

    /// It writes, unwinds or does not end: it cannot be left out.
    pub fn has_side_effects(self) -> bool {
        self.has(6)
    }

    /// The next instruction is executed after it.
    pub fn transfers_execution(self) -> bool {
        self.has(7)
    }
}

/// What a call may do, from attributes of the call and of the callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallProperties {
    bits: u32,
}

impl CallProperties {
    fn has(self, bit: u32) -> bool {
        self.bits & (1 << bit) != 0
    }

    /// It touches no memory.
    pub fn no_memory(self) -> bool {
        self.has(0)
    }

    /// It writes no memory.
    pub fn only_reads(self) -> bool {
        self.has(1)
    }

    /// It touches only what its pointer arguments point to.
    pub fn only_argument_memory(self) -> bool {
        self.has(2)
    }

    /// It does not unwind.
    pub fn no_unwind(self) -> bool {
        self.has(3)
    }

    /// It ends.
    pub fn will_return(self) -> bool {
        self.has(4)
    }

    /// It may not be made dependent on more or fewer conditions.
    pub fn is_convergent(self) -> bool {
        self.has(5)
    }

    /// It never comes back.
    pub fn no_return(self) -> bool {
        self.has(6)
    }

    /// It is inline assembler.
    pub fn is_inline_assembler(self) -> bool {
        self.has(7)
    }

    /// It has operand bundles.
    pub fn has_bundles(self) -> bool {
        self.has(8)
    }

    /// It must stay a tail call.
    pub fn must_tail(self) -> bool {
        self.has(9)
    }

    /// It touches only memory that the module cannot see.
    pub fn only_inaccessible_memory(self) -> bool {
        self.has(10)
    }

    /// It depends on the floating-point environment.
    pub fn is_strict_fp(self) -> bool {
        self.has(11)
    }

    /// It may come back twice (`setjmp`).
    pub fn returns_twice(self) -> bool {
        self.has(12)
    }

    /// It is not known to be the library function of its name.
    pub fn no_builtin(self) -> bool {
        self.has(13)
    }

    /// It computes a result from its arguments and from memory, which it does not change, and does
    /// nothing else.
    pub fn is_observer(self) -> bool {
        self.only_reads() && !self.no_memory() && self.always_comes_back() && !self.is_tied()
    }

    fn always_comes_back(self) -> bool {
        self.no_unwind() && self.will_return() && !self.no_return()
    }

    fn is_tied(self) -> bool {
        self.is_convergent()
            || self.is_inline_assembler()
            || self.has_bundles()
            || self.must_tail()
            || self.is_strict_fp()
            || self.returns_twice()
    }

    /// It computes a result from its arguments and does nothing else: no memory, no unwinding,
    /// always an end, nothing that ties it to its place.
    pub fn is_pure(self) -> bool {
        self.no_memory() && self.always_comes_back() && !self.is_tied()
    }
}

impl<'c> PassContext<'c> {
    /// Whether the objects that two pointers point to can be the same: places at any offset from
    /// either, in any iteration. Both pointers must not change in the code that is compared.
    pub fn alias(self, a: ValueRef<'c>, b: ValueRef<'c>) -> AliasKind {
        AliasKind::from_number(shim!(poly_alias_objects(self.raw(), a.raw(), b.raw())))
    }

    /// The same for the objects that two loads or stores touch, knowing the scopes (`restrict`) of
    /// the accesses too; types say nothing about two different iterations.
    pub fn alias_accesses(self, a: ValueRef<'c>, b: ValueRef<'c>) -> AliasKind {
        AliasKind::from_number(shim!(poly_alias_accesses(self.raw(), a.raw(), b.raw())))
    }

    /// The same, knowing the types of the accesses too: what the first one finds in memory that the
    /// second one has not changed before.
    pub fn alias_typed_accesses(self, a: ValueRef<'c>, b: ValueRef<'c>) -> AliasKind {
        AliasKind::from_number(shim!(poly_alias_typed_accesses(self.raw(), a.raw(), b.raw())))
    }

    /// Whether the call may read the object that the pointer points to, at any offset. The pointer
    /// must not change in the code that is compared.
    pub fn may_see(self, call: ValueRef<'c>, pointer: ValueRef<'c>) -> bool {
        assert!(call.is_call(), "only calls see memory on their own");
        shim!(poly_may_see(self.raw(), call.raw(), pointer.raw()))
    }

    /// Nothing in the function writes what the pointer points to.
    pub fn points_to_constant(self, pointer: ValueRef<'c>) -> bool {
        shim!(poly_points_to_constant(self.raw(), pointer.raw()))
    }

    /// `bytes` bytes at the pointer can be read at the instruction `at`, whether the original reads
    /// them or not.
    pub fn is_dereferenceable(self, pointer: ValueRef<'c>, bytes: u64, at: ValueRef<'c>) -> bool {
        shim!(poly_is_dereferenceable(self.raw(), pointer.raw(), bytes, at.raw()))
    }

    /// Executing the instruction where the original does not is harmless. With `at`, facts of that
    /// place are used.
    pub fn is_speculatable(self, instruction: ValueRef<'c>, at: Option<ValueRef<'c>>) -> bool {
        let at = at.map_or(std::ptr::null_mut(), ValueRef::raw);
        shim!(poly_is_speculatable(self.raw(), instruction.raw(), at))
    }

    /// The value is neither undef nor poison (at the instruction `at`).
    pub fn is_never_poison(self, value: ValueRef<'c>, at: Option<ValueRef<'c>>) -> bool {
        let at = at.map_or(std::ptr::null_mut(), ValueRef::raw);
        shim!(poly_is_never_poison(self.raw(), value.raw(), at))
    }
}

impl<'c> ValueRef<'c> {
    /// A pointer to an object that is different from every other identified object: global, alloca,
    /// fresh allocation, noalias argument.
    pub fn is_identified_object(self) -> bool {
        shim!(poly_is_identified_object(self.raw()))
    }

    /// The pointer that the address was computed from.
    pub fn underlying_object(self) -> ValueRef<'c> {
        found!(ValueRef, shim!(poly_underlying_object(self.raw())))
    }

    /// By the rules of C and C++, a load, a store, or a call that fills or copies memory touches
    /// objects of a floating-point type and no object of another type.
    pub fn is_number_by_type(self) -> bool {
        assert!(self.is_instruction(), "only instructions have types of memory");
        shim!(poly_is_number_by_type(self.raw()))
    }

    /// Two instructions do the same if they have the same operands, apart from the address of a
    /// load or store and what is stored; constants among the operands are the same.
    pub fn does_the_same(self, other: ValueRef<'c>) -> bool {
        assert!(self.is_instruction() && other.is_instruction(), "only instructions do something");
        shim!(poly_same_operation(self.raw(), other.raw()))
    }

    /// What an instruction may do.
    pub fn effects(self) -> Effects {
        assert!(self.is_instruction(), "only instructions have effects");
        Effects { bits: shim!(poly_instruction_effects(self.raw())) }
    }

    /// What a call may do.
    pub fn call_properties(self) -> CallProperties {
        assert!(self.is_call(), "only calls have call properties");
        CallProperties { bits: shim!(poly_call_properties(self.raw())) }
    }

    /// A call, invoke or callbr.
    pub fn is_call(self) -> bool {
        matches!(self.opcode_name(), Some("call" | "invoke" | "callbr"))
    }

    /// The called function, if it is known.
    pub fn callee(self) -> Option<ValueRef<'c>> {
        if !self.is_call() {
            return None;
        }
        found_or_none!(ValueRef, shim!(poly_call_callee(self.raw())))
    }

    /// The intrinsic that is called, without types: `llvm.fmuladd`.
    pub fn intrinsic_name(self) -> Option<String> {
        let name = sinks::text(|sink, into| shim!(poly_intrinsic_name(self.raw(), sink, into))).1;
        (!name.is_empty()).then_some(name)
    }

    /// A debug, lifetime, assume or similar mark: it computes nothing.
    pub fn is_mark(self) -> bool {
        shim!(poly_is_mark(self.raw()))
    }
}
