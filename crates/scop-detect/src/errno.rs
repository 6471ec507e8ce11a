//! Calls of mathematical functions that leave their errors in `errno`.
//!
//! # Problem
//! `sqrt` of a negative number sets `errno`. The call writes memory, so it would have to stay in its order among all accesses, and it may not be left out.
//!
//! # What is modelled
//! The C standard (7.12) knows functions whose only error is the domain error, which sets `errno` to `EDOM`, and functions whose only errors are range
//! errors, which set it to `ERANGE` ([`error_of`]); others have both. Calls that may only set one and the same value may change places with each other: afterwards `errno` is what it was, or that value,
//! whatever the order. So if all calls of a region are of one kind, such a call is a computation like others, but for this:
//!
//! 1. it is executed as often as in the source, also where nobody uses its result ([`poly_scop::Instr::has_effect`]);
//! 2. not by other threads, which have an `errno` of their own ([`poly_scop::Statement::sets_errno`]);
//! 3. nothing else in the region touches `errno`: all accesses are to objects of floating-point type by the rules of C and C++, and no call looks at
//!    memory.
//!
//! All other mathematical functions are rejected, unless the user says that nobody looks at `errno` (`no-math-errno`).

use poly_shim::ValueRef;
use poly_shim::ir::Opcode;

use crate::access::Accesses;
use crate::domains::Domains;
use crate::names;
use crate::reject::{Blocker, RejectKind};
use crate::validity::{is_mathematical, plain_name};
use crate::values::Origins;

/// What goes wrong in a mathematical function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MathError {
    /// The argument is none for which the function is defined: `EDOM`.
    Domain,
    /// The result is too large or too small: `ERANGE`.
    Range,
}

/// The only error of a function of the C library.
fn error_of(function: &str) -> Option<MathError> {
    let known = |name: &str| match name {
        "acos" | "acosh" | "cos" | "sqrt" => Some(MathError::Domain),
        "asinh" | "atan" | "cosh" | "erf" | "erfc" | "exp" | "exp10" | "exp2" | "expm1" | "fdim" | "hypot"
        | "ldexp" | "nextafter" | "scalbn" | "sinh" | "tanh" => Some(MathError::Range),
        _ => None,
    };
    known(function).or_else(|| known(function.strip_suffix('f')?))
}

fn error_set_by(call: ValueRef<'_>) -> Option<MathError> {
    error_of(&call.callee().map(|f| f.name())?)
}

/// Whether the instruction is a call that may set `errno` to one value that is always the same, and does nothing else but to compute a number.
pub(crate) fn is_set_by(instruction: ValueRef<'_>) -> bool {
    if instruction.opcode() != Some(Opcode::Call) || instruction.intrinsic_name().is_some() {
        return false;
    }
    let properties = instruction.call_properties();
    error_set_by(instruction).is_some()
        && is_mathematical(instruction)
        && !properties.no_memory()
        && !properties.only_reads()
        && !properties.no_builtin()
        && properties.will_return()
        && !properties.no_return()
        && !properties.returns_twice()
}

/// The calls of the region that may set `errno`.
pub(crate) fn calls<'c>(origins: Origins<'_, 'c>, domains: &Domains) -> Vec<ValueRef<'c>> {
    let blocks = origins.region.blocks.iter().filter(|&&block| domains.runs(block));
    let instructions = blocks.flat_map(|&block| origins.cfg.instructions(block));
    instructions.filter(|&instruction| is_set_by(instruction)).collect()
}

/// Of calls that set `errno` one that sets it to another value than the first.
pub(crate) fn other_kind<'c>(calls: &[ValueRef<'c>]) -> Option<ValueRef<'c>> {
    let first = calls.first().and_then(|&call| error_set_by(call));
    calls.iter().copied().find(|&call| error_set_by(call) != first)
}

/// The first reason why something else may touch what the call sets.
pub(crate) fn check<'c>(call: ValueRef<'c>, origins: Origins<'_, 'c>, accesses: &Accesses<'c>) -> Result<(), Blocker> {
    if accesses.have_observers() {
        return Err(blocker(call, "which another call may read"));
    }
    let mut early = origins.loads.classes.iter().flat_map(|class| &class.sites);
    if early.any(|(_, load)| !load.is_number_by_type()) {
        return Err(blocker(call, "which a load that is executed before the loops may read"));
    }
    for array in &accesses.arrays {
        let is_plain = |i: &ValueRef<'_>| matches!(i.opcode(), Some(Opcode::Load | Opcode::Store));
        if !array.instructions.iter().all(|access| is_plain(access) && access.is_number_by_type()) {
            return Err(blocker(call, &format!("which '{}' may overlap", array.name)));
        }
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_with_one_error() {
        assert_eq!(error_of("sqrtf"), Some(MathError::Domain));
        assert_eq!(error_of("erf"), Some(MathError::Range));
        assert_eq!(error_of("expf"), Some(MathError::Range));
        // Poles are range errors, negative arguments domain errors.
        assert_eq!(error_of("log"), None);
        assert_eq!(error_of("pow"), None);
        assert_eq!(error_of("f"), None);
    }
}
