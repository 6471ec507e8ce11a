//! Which arrays may overlap.
//!
//! Two arrays of which one is written must be shown disjoint at run time, unless alias analysis
//! tells them apart: by their base pointers, or, for all pairs of accesses, by scopes. Questions
//! are asked about whole objects, because the answer must hold between any two iterations. That is
//! also why types do not count: memory from `malloc` has the type of what was stored last, so it
//! may hold floating-point numbers in one iteration and integers in the next one.
//!
//! An array that is [local](poly_scop::Array::local) overlaps no other: all uses of its address are
//! known, so no pointer from elsewhere holds it. LLVM knows that of few calls that free memory.

use poly_scop::{Array, ArrayId};
use poly_shim::ir::Opcode;
use poly_shim::memory::AliasKind;
use poly_shim::{PassContext, ValueRef};

use crate::access::{Accesses, FoundArray};
use crate::loads::Class;
use crate::reject::{Blocker, RejectKind};

/// Questions about single accesses that are asked for one pair of arrays.
const MAX_QUESTIONS: usize = 1024;
/// Largest number of pairs that are checked at run time.
const MAX_PAIRS: usize = 128;

/// The pairs of arrays that may overlap, the smaller number first; `known` are their models.
pub(crate) fn pairs<'c>(
    ctx: PassContext<'c>,
    accesses: &Accesses<'c>,
    known: &[Array],
) -> Result<Vec<(ArrayId, ArrayId)>, Blocker> {
    let mut result = Vec::new();
    for (second, b) in accesses.arrays.iter().enumerate() {
        for (first, a) in accesses.arrays[..second].iter().enumerate() {
            let is_apart = known[first].local || known[second].local;
            if (a.is_written || b.is_written) && !is_apart && !are_disjoint(ctx, a, b) {
                result.push((ArrayId::from(first), ArrayId::from(second)));
            }
        }
    }
    if result.len() > MAX_PAIRS {
        let message = format!("{} pairs of arrays would have to be checked for overlap at run time", result.len());
        return Err(Blocker::new(RejectKind::Complexity, message));
    }
    result.sort_unstable();
    Ok(result)
}

/// The written arrays that may overlap what the loads of a class read. Every load of the class must
/// be told apart from every write by scopes or types: it is not known which of them are executed.
/// Types count here: the loads are executed before everything else, so they find what was there
/// before the first write to their place; and after a write of another type nobody loads it as the
/// type of the class, unless a write of that type comes between, which these arrays include.
pub(crate) fn of_load<'c>(
    ctx: PassContext<'c>,
    class: &Class<'c>,
    accesses: &Accesses<'c>,
    known: &[Array],
) -> impl Iterator<Item = ArrayId> {
    let pointer = class.first().pointer_operand().expect("loads have an address");
    let object = pointer.underlying_object();
    let is_disjoint = |array: &FoundArray<'c>| {
        let mut writes = array.instructions.iter().filter(|i| i.opcode() != Some(Opcode::Load));
        // Where rows lie their table does not say.
        (array.table.is_none() && ctx.alias(pointer, array.base) == AliasKind::No)
            || writes.all(|&write| {
                let loads = &class.sites;
                write.opcode() == Some(Opcode::Store)
                    && loads.iter().all(|&(_, load)| ctx.alias_typed_accesses(load, write) == AliasKind::No)
            })
    };
    let is_apart = |number: usize, array: &FoundArray<'c>| known[number].local && array.base != object;
    let written = accesses.arrays.iter().enumerate().filter(|(_, array)| array.is_written);
    let overlapping = written.filter(|&(number, array)| !is_apart(number, array) && !is_disjoint(array));
    overlapping.map(|(number, _)| ArrayId::from(number)).collect::<Vec<_>>().into_iter()
}

fn are_disjoint<'c>(ctx: PassContext<'c>, a: &FoundArray<'c>, b: &FoundArray<'c>) -> bool {
    let have_rows = a.table.is_some() || b.table.is_some();
    if !have_rows && ctx.alias(a.base, b.base) == AliasKind::No {
        return true;
    }
    let is_simple = |i: &ValueRef<'c>| matches!(i.opcode(), Some(Opcode::Load | Opcode::Store));
    if a.instructions.len() * b.instructions.len() > MAX_QUESTIONS
        || !a.instructions.iter().chain(&b.instructions).all(is_simple)
    {
        return false;
    }
    a.instructions.iter().all(|&x| b.instructions.iter().all(|&y| ctx.alias_accesses(x, y) == AliasKind::No))
}
