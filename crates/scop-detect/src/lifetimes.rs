//! Stack variables whose lifetimes begin or end inside a region.
//!
//! # Problem
//! `llvm.lifetime.start` and `llvm.lifetime.end` say when a stack variable exists; variables that
//! do not exist at the same time may share memory. A variable of a loop's body lives in every
//! iteration anew. In new code iterations are mixed: no order of such marks would be right there.
//!
//! # Algorithm
//! The model has no marks. If the region contains the beginning of a variable's lifetime, new code
//! begins it once, before everything else, and ends it after everything else: the variable's
//! content is not defined at the region's beginning and not looked at behind it, if
//! 1. it is used inside the region only, by loads, stores, `memset` and `memcpy` with addresses
//!    computed from it (so that all uses are known), and
//! 2. every use is dominated by a mark inside the region that begins the lifetime (so nobody sees
//!    what was there before the region).
//!
//! Of a variable whose lifetime only ends inside the region nothing needs to be done: that it lives
//! longer is harmless.
//!
//! # Who sees the content
//! What a variable, or memory that the function allocates, contains behind the region is of
//! interest to nobody if no instruction outside the region reads it and its address goes nowhere:
//! not into memory or a call, other than one that frees it, and into PHI nodes and numbers only of
//! which nothing is made but comparisons, frees and the sizes for them (`delete` of a
//! `std::vector` that may be empty). Such an array is [local](poly_scop::Array::local).

use std::collections::HashSet;

use indexmap::IndexMap;
use poly_shim::ir::Opcode;
use poly_shim::{BlockRef, ValueRef};

use crate::access::{Transfer, transfer};
use crate::names;
use crate::reject::{Blocker, RejectKind};
use crate::values::Origins;

/// How many uses of a variable are looked at.
const MAX_USES: usize = 256;

/// Whether a mark begins (true) or ends the lifetime of its variable.
type Mark<'c> = (ValueRef<'c>, bool);

/// The stack variable whose lifetime the instruction marks, and whether it begins.
pub(crate) fn marked(instruction: ValueRef<'_>) -> Option<Mark<'_>> {
    if instruction.opcode() != Some(Opcode::Call) {
        return None;
    }
    let begins = match instruction.intrinsic_name()?.as_str() {
        "llvm.lifetime.start" => true,
        "llvm.lifetime.end" => false,
        _ => return None,
    };
    // The size comes first in older versions.
    let variable = instruction.operands().into_iter().find(|operand| operand.opcode() == Some(Opcode::Alloca));
    variable.map(|variable| (variable, begins))
}

/// The variables that the region brings to life: for each a mark of the beginning and one of the
/// end, if there is one.
pub(crate) fn of_region<'c>(origins: Origins<'_, 'c>) -> Result<Vec<(ValueRef<'c>, Option<ValueRef<'c>>)>, Blocker> {
    let mut starts: IndexMap<ValueRef<'c>, Vec<ValueRef<'c>>> = IndexMap::new();
    let mut ends: IndexMap<ValueRef<'c>, ValueRef<'c>> = IndexMap::new();
    for &block in &origins.region.blocks {
        for instruction in origins.cfg.instructions(block) {
            match marked(instruction) {
                Some((variable, true)) => starts.entry(variable).or_default().push(instruction),
                Some((variable, false)) => _ = ends.insert(variable, instruction),
                None => {}
            }
        }
    }
    for (&variable, starts) in &starts {
        if !is_local(origins, variable, starts) {
            let message = format!(
                "the lifetime of {} begins inside the loop, and it is not known to be used only there",
                names::quoted(variable)
            );
            let block = origins.defining_block(starts[0]);
            let blocker = Blocker::new(RejectKind::Allocation, message).at(names::place(starts[0]));
            return Err(block.map_or(blocker.clone(), |block| blocker.in_block(block)));
        }
    }
    Ok(starts.into_iter().map(|(variable, starts)| (starts[0], ends.get(&variable).copied())).collect())
}

/// Whether all uses of the variable are known, inside the region, and behind a mark of the region
/// that begins its lifetime.
fn is_local<'c>(origins: Origins<'_, 'c>, variable: ValueRef<'c>, starts: &[ValueRef<'c>]) -> bool {
    all_accesses(
        variable,
        |_| false,
        |user, _| {
            is_access(user)
                && origins.defining_block(user).is_some()
                && starts.iter().any(|&start| precedes(origins, start, user))
        },
    )
}

/// Whether a pointer is an object of which nobody but the region sees what it contains: a stack
/// variable, or memory that has just been allocated, all uses of which are known. Outside the
/// region it is only written, freed and compared.
pub(crate) fn is_seen_only_here<'c>(origins: Origins<'_, 'c>, object: ValueRef<'c>) -> bool {
    let is_inside = |user: ValueRef<'c>| origins.defining_block(user).is_some();
    let is_object = object.opcode() == Some(Opcode::Alloca)
        || object.is_internal_variable()
        || (!is_inside(object) && origins.ctx.is_allocation(object));
    // An address that steps through the object, in a loop.
    let steps = |user: ValueRef<'c>| {
        let base = origins.ctx.scev(user).and_then(|scev| origins.ctx.pointer_base(scev).unknown_value());
        is_inside(user) && base == Some(object)
    };
    is_object
        && all_accesses(object, steps, |user, address| match is_inside(user) {
            true => is_access(user),
            false => only_writes(user, address) || origins.ctx.is_deallocation(user) || is_only_freed(origins, user),
        })
}

/// Whether an instruction is a load, a store or a transfer.
fn is_access(user: ValueRef<'_>) -> bool {
    matches!(user.opcode(), Some(Opcode::Load | Opcode::Store)) || transfer(user).is_some()
}

/// Whether an instruction is a PHI node or a number, made of an address, from which only other ones
/// are made, comparisons, distances inside an object, and calls that free memory.
fn is_only_freed<'c>(origins: Origins<'_, 'c>, made: ValueRef<'c>) -> bool {
    let mut seen = vec![made];
    let mut next = 0;
    while let Some(&value) = seen.get(next) {
        next += 1;
        if !matches!(value.opcode(), Some(Opcode::Phi | Opcode::PtrToInt | Opcode::Sub)) || seen.len() > MAX_USES {
            return false;
        }
        for user in value.users() {
            let is_end = user.opcode() == Some(Opcode::ICmp) || origins.ctx.is_deallocation(user) || is_distance(user);
            if !is_end && !seen.contains(&user) {
                seen.push(user);
            }
        }
    }
    true
}

/// Whether a number is the difference of two addresses in one object, whichever it is: it tells
/// nothing of where the object is.
fn is_distance(number: ValueRef<'_>) -> bool {
    number.opcode() == Some(Opcode::Sub)
        && objects_of(number.operand(0))
            .zip(objects_of(number.operand(1)))
            .is_some_and(|(a, b)| a.0 == b.0 && a.1.len() == b.1.len() && a.1.iter().all(|way| b.1.contains(way)))
}

/// A block, and of each way into it an object, or none for null.
type Ways<'c> = (Option<BlockRef<'c>>, Vec<(Option<BlockRef<'c>>, Option<ValueRef<'c>>)>);

/// The objects of the addresses that a number is, by the ways that lead to a PHI node of them;
/// nothing if it is no address.
fn objects_of<'c>(number: ValueRef<'c>) -> Option<Ways<'c>> {
    let object = |address: ValueRef<'c>| (!address.is_zero()).then(|| address.underlying_object());
    let made_of = |number: ValueRef<'c>| match number.opcode() {
        Some(Opcode::PtrToInt) => Some(object(number.operand(0))),
        _ => number.is_zero().then_some(None),
    };
    let phi = match number.opcode()? {
        Opcode::PtrToInt => number.operand(0),
        _ => number,
    };
    if phi.opcode() != Some(Opcode::Phi) {
        return Some((None, vec![(None, made_of(number)?)]));
    }
    let of = |value: ValueRef<'c>| if value.ty().is_pointer() { Some(object(value)) } else { made_of(value) };
    let ways = phi.incoming().into_iter().map(|(from, value)| Some((Some(from), of(value)?)));
    Some((phi.block(), ways.collect::<Option<_>>()?))
}

/// Whether an instruction writes to an address and does nothing else with it.
fn only_writes<'c>(user: ValueRef<'c>, address: ValueRef<'c>) -> bool {
    match user.opcode() {
        Some(Opcode::Store) => user.operand(0) != address,
        Some(Opcode::Call) => match transfer(user) {
            Some(Transfer::Set) => true,
            Some(Transfer::Copy) => user.operand(0) == address && user.operand(1) != address,
            None => false,
        },
        _ => false,
    }
}

/// Whether all uses of an object, but for marks and comparisons of addresses, are accesses, calls,
/// PHI nodes or numbers that pass a test; the test is also told the address that is used. PHI nodes
/// that step through the object are addresses, too.
fn all_accesses<'c>(
    object: ValueRef<'c>,
    steps: impl Fn(ValueRef<'c>) -> bool,
    passes: impl Fn(ValueRef<'c>, ValueRef<'c>) -> bool,
) -> bool {
    let mut todo = vec![object];
    let mut seen = HashSet::new();
    for _ in 0..MAX_USES {
        let Some(address) = todo.pop() else { return true };
        if !seen.insert(address) {
            continue;
        }
        for user in address.users() {
            if marked(user).is_some() {
                continue;
            }
            if user.is_constant_offset() {
                todo.push(user);
                continue;
            }
            let is_known = match user.opcode() {
                Some(Opcode::GetElementPtr) => {
                    todo.push(user);
                    continue;
                }
                Some(Opcode::Phi) if steps(user) => {
                    todo.push(user);
                    continue;
                }
                Some(Opcode::ICmp) => continue,
                Some(Opcode::Load | Opcode::Call | Opcode::Phi | Opcode::PtrToInt) => true,
                Some(Opcode::Store) => user.operand(0) != address,
                _ => false,
            };
            if !is_known || !passes(user, address) {
                return false;
            }
        }
    }
    false
}

/// Whether every path to `second` passes `first`, both inside the region.
fn precedes<'c>(origins: Origins<'_, 'c>, first: ValueRef<'c>, second: ValueRef<'c>) -> bool {
    let (Some(a), Some(b)) = (origins.defining_block(first), origins.defining_block(second)) else { return false };
    if a != b {
        return origins.cfg.dominates(a, b);
    }
    let instructions = origins.cfg.instructions(a);
    let position = |wanted: ValueRef<'c>| instructions.iter().position(|&i| i == wanted);
    position(first) < position(second)
}
