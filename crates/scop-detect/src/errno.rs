//! Calls of mathematical functions that leave their errors in `errno`.
//!
//! # Problem
//! `sqrt` of a negative number sets `errno`. The call writes memory, so it would have to stay in
//! its order among all accesses, and it may not be left out.
//!
//! # What is modelled
//! The C standard (7.12) knows functions whose only error is the domain error, which sets `errno`
//! to `EDOM`, and functions whose only errors are range errors, which set it to `ERANGE`; others
//! have both ([`MathFunction`]). Nothing in the region looks at `errno`, so what matters is which
//! call of those that set it is the last one:
//!
//! - If all calls of the region may only set one and the same value, `errno` is afterwards what it
//!   was, or that value, whatever their order.
//! - Else it is enough that two calls keep their order if they may set different values: were the
//!   last call that sets it another one in the new order, with another value, then these two would
//!   have changed places. Such regions have a scalar of kind [`poly_scop::ScalarKind::Errno`] that
//!   each call may write; writes of calls that may only set the same value are no conflict
//!   (`poly_dependence::AccessInfo::group`).
//!
//! Apart from that, such a call is a computation like others, but for this:
//!
//! 1. it is executed as often as in the source, also where nobody uses its result
//!    ([`poly_scop::Instr::has_effect`]);
//! 2. not by other threads, which have an `errno` of their own, unless a domain error is all that
//!    it may leave: that can be told from the result, and made again by the thread that has started
//!    the others ([`poly_scop::Instr::needs_own_thread`]);
//! 3. nothing else in the region touches `errno`. Of most arrays that is known: their accesses are
//!    to objects of floating-point type by the rules of C and C++ (also what LLVM has made of loops
//!    over such objects: `memset` and `memcpy`, which carry their types), or to objects that are
//!    known not to be `errno` (local variables, fresh memory, global arrays, `restrict`
//!    parameters). The object `errno` is one more array of the model for the others, and for what
//!    is loaded before the region, such as a bound of a loop: it is written, and the run-time check
//!    compares addresses ([`poly_scop::ArrayKind::Errno`]). If a call looks at memory, or where the
//!    C library is unknown, the region is rejected.
//!
//! With the option `no-math-errno` the user says that nobody looks at `errno`; then the calls are
//! ordinary computations.

use poly_scop::MathErrors;
use poly_shim::ir::Opcode;
use poly_shim::library::MathFunction;
use poly_shim::{PassContext, ValueRef};

use crate::access::{self, Accesses, FoundArray};
use crate::domains::Domains;
use crate::names;
use crate::reject::{Blocker, RejectKind};
use crate::validity::{is_mathematical, plain_name};
use crate::values::Origins;

/// What the instruction may leave in `errno`, if it is a call that does nothing else but to compute
/// a number.
pub(crate) fn errors<'c>(ctx: PassContext<'c>, instruction: ValueRef<'c>) -> Option<MathErrors> {
    if instruction.opcode() != Some(Opcode::Call) || instruction.intrinsic_name().is_some() {
        return None;
    }
    let errors = match ctx.math_function(instruction)? {
        MathFunction::Silent => return None,
        MathFunction::Domain => MathErrors::Domain,
        MathFunction::Range => MathErrors::Range,
        MathFunction::Both => MathErrors::Both,
    };
    let properties = instruction.call_properties();
    let sets_errno = is_mathematical(ctx, instruction)
        && !properties.no_memory()
        && !properties.only_reads()
        && properties.will_return()
        && !properties.no_return()
        && !properties.returns_twice();
    sets_errno.then_some(errors)
}

/// Whether the instruction is a call that may set `errno`, and does nothing else but to compute a
/// number.
pub(crate) fn is_set_by<'c>(ctx: PassContext<'c>, instruction: ValueRef<'c>) -> bool {
    errors(ctx, instruction).is_some()
}

/// The calls of the region that may set `errno`.
pub(crate) fn calls<'c>(origins: Origins<'_, 'c>, domains: &Domains) -> Vec<ValueRef<'c>> {
    let blocks = origins.region.blocks.iter().filter(|&&block| domains.runs(block));
    let instructions = blocks.flat_map(|&block| origins.cfg.instructions(block));
    instructions.filter(|&instruction| is_set_by(origins.ctx, instruction)).collect()
}

/// Whether it depends on the order of the calls what they leave in `errno`.
pub(crate) fn is_ordered<'c>(ctx: PassContext<'c>, calls: &[ValueRef<'c>]) -> bool {
    let mut kinds = calls.iter().filter_map(|&call| errors(ctx, call));
    let first = kinds.next();
    first == Some(MathErrors::Both) || kinds.any(|kind| Some(kind) != first)
}

/// Whether the pointer certainly does not point to `errno`.
fn is_elsewhere(pointer: ValueRef<'_>) -> bool {
    let object = pointer.underlying_object();
    object.is_identified_object() && (!object.is_global() || object.is_array_of_module())
}

/// What might touch `errno` beside the calls that set it, as far as a run-time check can tell.
#[derive(Debug, Default)]
pub(crate) struct Neighbours {
    /// Numbers of arrays.
    pub(crate) arrays: Vec<usize>,
    /// Numbers of classes of loads that are executed before the region.
    pub(crate) loads: Vec<usize>,
}

impl Neighbours {
    pub(crate) fn is_empty(&self) -> bool {
        self.arrays.is_empty() && self.loads.is_empty()
    }
}

/// What might touch what the call sets.
///
/// # Errors
/// If it is something that no check can tell, or where it is unknown how to find `errno`.
pub(crate) fn neighbours<'c>(
    call: ValueRef<'c>,
    origins: Origins<'_, 'c>,
    accesses: &Accesses<'c>,
) -> Result<Neighbours, Blocker> {
    if accesses.have_observers() {
        return Err(blocker(call, "which another call may read"));
    }
    let is_other = |load: ValueRef<'c>| load.is_number_by_type() || load.pointer_operand().is_some_and(is_elsewhere);
    let classes = origins.loads.classes.iter().enumerate();
    let loads = classes.filter(|(_, class)| !class.sites.iter().all(|&(_, load)| is_other(load)));
    let arrays = accesses.arrays.iter().enumerate().filter(|(_, array)| may_be_errno(array));
    let result = Neighbours {
        arrays: arrays.map(|(number, _)| number).collect(),
        loads: loads.map(|(number, _)| number).collect(),
    };
    if origins.ctx.errno_location().is_some() {
        return Ok(result);
    }
    match (result.arrays.first(), result.loads.first()) {
        (Some(&array), _) => Err(blocker(call, &format!("which '{}' may overlap", accesses.arrays[array].name))),
        (None, Some(_)) => Err(blocker(call, "which a load that is executed before the loops may read")),
        (None, None) => Ok(result),
    }
}

/// Whether an access of the array may touch `errno`, for all that its base and the types of its
/// accesses tell.
fn may_be_errno(array: &FoundArray<'_>) -> bool {
    let has_type = |i: &ValueRef<'_>| {
        let is_known = matches!(i.opcode(), Some(Opcode::Load | Opcode::Store)) || access::transfer(*i).is_some();
        is_known && i.is_number_by_type()
    };
    (array.table.is_some() || !is_elsewhere(array.base)) && !array.instructions.iter().all(has_type)
}

/// The rejection of a call that sets `errno`; `why` goes on after "may set 'errno'".
pub(crate) fn blocker(call: ValueRef<'_>, why: &str) -> Blocker {
    let name = call.callee().map(|f| f.name()).unwrap_or_default();
    let why = if why.is_empty() { String::new() } else { format!(", {why}") };
    let message = format!(
        "the call of '{}' may set 'errno'{why} (the option 'no-math-errno' says that nobody looks at it)",
        plain_name(&name)
    );
    Blocker::new(RejectKind::Call, message).at(names::place(call))
}
