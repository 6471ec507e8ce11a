//! Scalar evolution: expressions over loop counters and values.

use std::collections::HashSet;
use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;

use inkwell::llvm_sys::core::LLVMIntTypeInContext;

use crate::ffi::Int128;
use crate::handles::{found, found_list, found_or_none, handle};
use crate::ir::{Opcode, Predicate};
use crate::{BlockRef, LoopRef, PassContext, TypeRef, ValueRef, sinks};

handle! {
    /// A SCEV. Equal expressions are the same object.
    ScevRef(*const c_void)
}

/// The kinds of expressions, the same for every LLVM version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScevKind {
    /// An integer constant.
    Constant,
    /// A value that is not analysed further.
    Unknown,
    /// `{operand 0,+,operand 1,+,...}<loop>`: a polynomial in the iteration number.
    AddRec,
    /// Sum of all operands.
    Add,
    /// Product of all operands.
    Mul,
    /// Unsigned division.
    UDiv,
    /// Signed maximum.
    SMax,
    /// Signed minimum.
    SMin,
    /// Unsigned maximum.
    UMax,
    /// Unsigned minimum.
    UMin,
    /// Unsigned minimum that does not look at later operands when an earlier one is 0.
    SequentialUMin,
    /// Zero extension.
    ZExt,
    /// Sign extension.
    SExt,
    /// Truncation.
    Trunc,
    /// Pointer as integer.
    PtrToInt,
    /// The runtime factor of scalable vectors.
    VScale,
    /// No expression: the answer to a question that has none.
    CouldNotCompute,
    /// A kind that this version of Poly does not know.
    Other,
}

/// In the order of `Kind` in scev.cpp.
const KINDS: [ScevKind; 18] = [
    ScevKind::Constant,
    ScevKind::Unknown,
    ScevKind::AddRec,
    ScevKind::Add,
    ScevKind::Mul,
    ScevKind::UDiv,
    ScevKind::SMax,
    ScevKind::SMin,
    ScevKind::UMax,
    ScevKind::UMin,
    ScevKind::SequentialUMin,
    ScevKind::ZExt,
    ScevKind::SExt,
    ScevKind::Trunc,
    ScevKind::PtrToInt,
    ScevKind::VScale,
    ScevKind::CouldNotCompute,
    ScevKind::Other,
];

/// What is known not to happen when an n-ary expression is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WrapFlags {
    /// The recurrence does not come back to its start (`nw`; also set with one of the others).
    pub no_self_wrap: bool,
    /// No wrap-around as an unsigned number.
    pub no_unsigned_wrap: bool,
    /// No wrap-around as a signed number.
    pub no_signed_wrap: bool,
}

/// Smallest and largest value, both possible or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// A lower bound.
    pub min: i128,
    /// An upper bound.
    pub max: i128,
}

/// How bits are read as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Two's complement.
    Signed,
    /// Natural numbers.
    Unsigned,
}

impl<'c> ScevRef<'c> {
    /// Its kind.
    pub fn kind(self) -> ScevKind {
        KINDS[shim!(poly_scev_kind(self.raw())) as usize]
    }

    /// Whether this is the answer "cannot be computed".
    pub fn is_could_not_compute(self) -> bool {
        self.kind() == ScevKind::CouldNotCompute
    }

    /// Operands in LLVM's order.
    pub fn operands(self) -> Vec<ScevRef<'c>> {
        found_list!(ScevRef, |sink, into| shim!(poly_scev_operands(self.raw(), sink, into)))
    }

    /// The loop of a recurrence.
    pub fn addrec_loop(self) -> Option<LoopRef<'c>> {
        found_or_none!(LoopRef, shim!(poly_scev_addrec_loop(self.raw())))
    }

    /// Wrap flags; none for other than n-ary expressions.
    pub fn wrap_flags(self) -> WrapFlags {
        let bits = shim!(poly_scev_wrap_flags(self.raw()));
        WrapFlags { no_self_wrap: bits & 1 != 0, no_unsigned_wrap: bits & 2 != 0, no_signed_wrap: bits & 4 != 0 }
    }

    /// The constant, read as signed; `None` for other kinds and for more than 128 bits.
    pub fn constant(self) -> Option<i128> {
        let mut value = Int128::default();
        shim!(poly_scev_constant(self.raw(), &raw mut value)).then(|| value.value())
    }

    /// The constant, if it fits an `i64`.
    pub fn constant_i64(self) -> Option<i64> {
        self.constant().and_then(|value| value.try_into().ok())
    }

    /// The value of an unknown.
    pub fn unknown_value(self) -> Option<ValueRef<'c>> {
        found_or_none!(ValueRef, shim!(poly_scev_unknown_value(self.raw())))
    }

    /// The values that occur in the expression, each once.
    pub fn values(self) -> Vec<ValueRef<'c>> {
        let mut result = Vec::new();
        let mut todo = vec![self];
        // Written out as a tree an expression may be exponentially large.
        let mut seen = HashSet::new();
        while let Some(part) = todo.pop() {
            if !seen.insert(part) {
                continue;
            }
            match part.unknown_value() {
                Some(value) => result.push(value),
                None => todo.extend(part.operands()),
            }
        }
        result
    }

    /// Its type; `None` for [`ScevKind::CouldNotCompute`].
    pub fn ty(self) -> Option<TypeRef<'c>> {
        found_or_none!(TypeRef, shim!(poly_scev_type(self.raw())))
    }

    /// LLVM's text.
    pub fn print(self) -> String {
        sinks::text(|sink, into| shim!(poly_scev_print(self.raw(), sink, into))).1
    }
}

impl fmt::Debug for ScevRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.print())
    }
}

impl fmt::Display for ScevRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.print())
    }
}

/// Reading.
impl<'c> PassContext<'c> {
    /// The expression of an integer or pointer value; `None` for other types.
    pub fn scev(self, value: ValueRef<'c>) -> Option<ScevRef<'c>> {
        found_or_none!(ScevRef, shim!(poly_scev_of(self.raw(), value.raw())))
    }

    /// The same as seen from inside `scope`; from outside of all loops for `None`: recurrences of
    /// loops that have ended there are replaced by their last value if that is known.
    pub fn scev_at_scope(self, scev: ScevRef<'c>, scope: Option<LoopRef<'c>>) -> ScevRef<'c> {
        let scope = scope.map_or(std::ptr::null(), LoopRef::raw);
        found!(ScevRef, shim!(poly_scev_at_scope(self.raw(), scev.raw(), scope)))
    }

    /// The same with a PHI node of a loop's header written as the recurrence that it is, if every
    /// iteration moves it by the same distance, also in inner loops. Scalar evolution itself finds
    /// only those that move in blocks of the loop's own.
    pub fn scev_with_recurrence(self, scev: ScevRef<'c>, phi: ValueRef<'c>) -> Option<ScevRef<'c>> {
        found_or_none!(ScevRef, shim!(poly_scev_with_recurrence(self.raw(), scev.raw(), phi.raw())))
    }

    /// How often the backedge is taken, exactly, as an unsigned number.
    pub fn backedge_taken_count(self, l: LoopRef<'c>) -> ScevRef<'c> {
        found!(ScevRef, shim!(poly_backedge_taken_count(self.raw(), l.raw())))
    }

    /// A constant upper bound of that.
    pub fn constant_max_backedge_taken_count(self, l: LoopRef<'c>) -> ScevRef<'c> {
        found!(ScevRef, shim!(poly_constant_max_backedge_taken_count(self.raw(), l.raw())))
    }

    /// How often the backedge is taken before the loop is left at `exiting`, if it is not left
    /// elsewhere.
    pub fn exit_count(self, l: LoopRef<'c>, exiting: BlockRef<'c>) -> ScevRef<'c> {
        found!(ScevRef, shim!(poly_exit_count(self.raw(), l.raw(), exiting.raw())))
    }

    /// Width in bits, for pointers that of address arithmetic; 0 for [`ScevKind::CouldNotCompute`].
    pub fn scev_bits(self, scev: ScevRef<'c>) -> u32 {
        shim!(poly_scev_bits(self.raw(), scev.raw()))
    }

    /// It has the same value in all iterations.
    pub fn is_invariant(self, scev: ScevRef<'c>, l: LoopRef<'c>) -> bool {
        shim!(poly_scev_is_invariant(self.raw(), scev.raw(), l.raw()))
    }

    /// It can be computed at the beginning of the block.
    pub fn scev_dominates(self, scev: ScevRef<'c>, block: BlockRef<'c>) -> bool {
        shim!(poly_scev_dominates(self.raw(), scev.raw(), block.raw()))
    }

    /// What the address is relative to; the expression itself if it is no sum with a pointer.
    pub fn pointer_base(self, scev: ScevRef<'c>) -> ScevRef<'c> {
        found!(ScevRef, shim!(poly_scev_pointer_base(self.raw(), scev.raw())))
    }

    /// Bounds of the value; `None` beyond 128 bits.
    pub fn scev_range(self, scev: ScevRef<'c>, sign: Sign) -> Option<Range> {
        let (mut min, mut max, mut fits) = (Int128::default(), Int128::default(), false);
        let signed = sign == Sign::Signed;
        shim!(poly_scev_range(self.raw(), scev.raw(), signed, &raw mut min, &raw mut max, &raw mut fits));
        fits.then(|| Range { min: min.value(), max: max.value() })
    }

    /// The same for the frozen value. What a load promises about its result says nothing about one
    /// that breaks the promise and is frozen, unless breaking it is not allowed at all.
    pub fn frozen_range(self, scev: ScevRef<'c>, sign: Sign) -> Option<Range> {
        let is_promise = |value: ValueRef<'c>| {
            value.opcode() == Some(Opcode::Load)
                && value.metadata("range").is_some()
                && value.metadata("noundef").is_none()
        };
        if scev.values().into_iter().any(is_promise) { None } else { self.scev_range(scev, sign) }
    }

    /// `a predicate b` holds always.
    pub fn is_known(self, predicate: Predicate, a: ScevRef<'c>, b: ScevRef<'c>) -> bool {
        shim!(poly_scev_is_known(self.raw(), predicate as u32, a.raw(), b.raw()))
    }

    /// `a predicate b` holds whenever the instruction is executed.
    pub fn is_known_at(self, predicate: Predicate, a: ScevRef<'c>, b: ScevRef<'c>, at: ValueRef<'c>) -> bool {
        shim!(poly_scev_is_known_at(self.raw(), predicate as u32, a.raw(), b.raw(), at.raw()))
    }

    /// `a predicate b` holds whenever the loop is entered.
    pub fn is_entry_guarded(self, l: LoopRef<'c>, predicate: Predicate, a: ScevRef<'c>, b: ScevRef<'c>) -> bool {
        shim!(poly_scev_is_entry_guarded(self.raw(), l.raw(), predicate as u32, a.raw(), b.raw()))
    }

    /// The expression with other values in place of some of its own, each of the same type as the
    /// one that it replaces.
    pub fn scev_replace(self, scev: ScevRef<'c>, values: &[(ValueRef<'c>, ValueRef<'c>)]) -> ScevRef<'c> {
        let (from, to): (Vec<_>, Vec<_>) = values.iter().map(|(from, to)| (from.raw(), to.raw())).unzip();
        found!(ScevRef, shim!(poly_scev_replace(self.raw(), scev.raw(), from.as_ptr(), to.as_ptr(), values.len())))
    }

    /// The expression simplified by what is known whenever the loop is entered.
    pub fn apply_loop_guards(self, scev: ScevRef<'c>, l: LoopRef<'c>) -> ScevRef<'c> {
        found!(ScevRef, shim!(poly_scev_apply_guards(self.raw(), scev.raw(), l.raw())))
    }
}

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident = $function:ident;)*) => {
        /// Making expressions. Both operands of an operation have the same type.
        impl<'c> PassContext<'c> {
            $($(#[$doc])*
            pub fn $name(self, a: ScevRef<'c>, b: ScevRef<'c>) -> ScevRef<'c> {
                found!(ScevRef, shim!($function(self.raw(), a.raw(), b.raw())))
            })*
        }
    };
}

binary! {
    /// `a + b`.
    scev_add = poly_scev_add;
    /// `a * b`.
    scev_mul = poly_scev_mul;
    /// `a - b`; not computable for pointers with different bases.
    scev_minus = poly_scev_minus;
    /// `a / b`, unsigned.
    scev_udiv = poly_scev_udiv;
    /// Signed maximum.
    scev_smax = poly_scev_smax;
    /// Signed minimum.
    scev_smin = poly_scev_smin;
    /// Unsigned maximum.
    scev_umax = poly_scev_umax;
    /// Unsigned minimum.
    scev_umin = poly_scev_umin;
}

/// Making expressions.
impl<'c> PassContext<'c> {
    /// A constant of an integer type (or of the integer type of a pointer type).
    pub fn scev_int(self, ty: TypeRef<'c>, value: i64) -> ScevRef<'c> {
        found!(ScevRef, shim!(poly_scev_int(self.raw(), ty.raw(), value)))
    }

    /// The type of integers of a width.
    pub fn integer_type(self, bits: u32) -> TypeRef<'c> {
        found!(TypeRef, llvm!(LLVMIntTypeInContext(self.llvm_context(), bits)))
    }

    /// Zero extension to a type that is not narrower.
    pub fn scev_zext(self, scev: ScevRef<'c>, ty: TypeRef<'c>) -> ScevRef<'c> {
        found!(ScevRef, shim!(poly_scev_zext(self.raw(), scev.raw(), ty.raw())))
    }

    /// Sign extension to a type that is not narrower.
    pub fn scev_sext(self, scev: ScevRef<'c>, ty: TypeRef<'c>) -> ScevRef<'c> {
        found!(ScevRef, shim!(poly_scev_sext(self.raw(), scev.raw(), ty.raw())))
    }

    /// Truncation to a type that is not wider.
    pub fn scev_trunc(self, scev: ScevRef<'c>, ty: TypeRef<'c>) -> ScevRef<'c> {
        found!(ScevRef, shim!(poly_scev_trunc(self.raw(), scev.raw(), ty.raw())))
    }
}
