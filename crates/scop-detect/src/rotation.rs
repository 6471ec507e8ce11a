//! Loops whose pointers change places.
//!
//! # Problem
//! Programs that compute the next state of something from the last one mostly have two arrays and
//! swap their pointers: `for t { next(a, b); swap(a, b); }`. In the loop over time every address
//! then begins with a PHI node, and which array it means depends on the iteration. Polyhedral
//! models have no such arrays.
//!
//! # Definitions
//! A PHI node of a loop's header *rotates* if following what it gets from the iteration before,
//! from PHI node to PHI node of that header, leads back to it. The number of steps is its *period*.
//! An integer that every iteration subtracts from a constant, or of which it flips bits, has period
//! two.
//!
//! # Algorithm
//! After as many iterations as the least common multiple of all periods, everything that rotates is
//! what it was before. If so many iterations are made one, it does not change in the loop. So this
//! finds the loops, and how many iterations to take together; the caller unrolls them in a copy,
//! and looks for SCoPs there.

use poly_shim::ir::{Opcode, TypeKind};
use poly_shim::llvm_sys::prelude::LLVMBasicBlockRef;
use poly_shim::{BlockRef, LoopRef, PassContext, ValueRef};

/// Most iterations that are taken together.
const MAX_PERIOD: usize = 4;
/// Most instructions of what becomes of them.
const MAX_INSTRUCTIONS: usize = 2000;

/// A loop, and the number of its iterations after which pointers are what they were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rotation {
    /// The header of the loop.
    pub header: LLVMBasicBlockRef,
    /// At least two.
    pub period: usize,
}

/// The outermost loops with loops inside of them in which pointers or integers rotate, in program
/// order.
pub fn rotations(ctx: PassContext<'_>) -> Vec<Rotation> {
    let mut found = Vec::new();
    let mut todo = ctx.top_level_loops();
    todo.reverse();
    while let Some(l) = todo.pop() {
        match rotation(ctx, l) {
            Some(period) => found.push(Rotation { header: l.header().raw(), period }),
            None => todo.extend(l.subloops().into_iter().rev()),
        }
    }
    found
}

fn rotation<'c>(ctx: PassContext<'c>, l: LoopRef<'c>) -> Option<usize> {
    if l.subloops().is_empty() || ctx.backedge_taken_count(l).is_could_not_compute() {
        return None;
    }
    let (header, latch) = (l.header(), l.latch()?);
    let rotating = header.phis().into_iter().filter(|&phi| is_place(phi) && is_used(phi, header));
    let periods: Vec<usize> = rotating.filter_map(|phi| period(phi, header, latch)).collect();
    let all = periods.iter().copied().reduce(least_common_multiple).filter(|&all| all > 1 && all <= MAX_PERIOD)?;
    let size: usize = l.blocks().into_iter().map(|b| b.instructions().len()).sum();
    (size * all <= MAX_INSTRUCTIONS).then_some(all)
}

/// Whether it may say where something is.
fn is_place(phi: ValueRef<'_>) -> bool {
    matches!(phi.ty().kind(), TypeKind::Pointer(_) | TypeKind::Integer(_))
}

/// Whether it is used for more than to hand it on.
fn is_used<'c>(phi: ValueRef<'c>, header: BlockRef<'c>) -> bool {
    phi.users().into_iter().any(|user| user.opcode() != Some(Opcode::Phi) || user.block() != Some(header))
}

/// The number of iterations after which the PHI node is what it was.
fn period<'c>(phi: ValueRef<'c>, header: BlockRef<'c>, latch: BlockRef<'c>) -> Option<usize> {
    let next = |phi: ValueRef<'c>| phi.incoming().into_iter().find(|(from, _)| *from == latch).map(|(_, v)| renamed(v));
    if next(phi).is_some_and(|value| is_turned(value, phi)) {
        return Some(2);
    }
    let mut value = phi;
    for step in 1..=MAX_PERIOD {
        value = next(value)?;
        if value == phi {
            return Some(step);
        }
        if value.opcode() != Some(Opcode::Phi) || value.block() != Some(header) {
            return None;
        }
    }
    None
}

/// What a value is another name of: PHI nodes with one value are looked through.
fn renamed(mut value: ValueRef<'_>) -> ValueRef<'_> {
    while value.opcode() == Some(Opcode::Phi)
        && let [(_, only)] = value.incoming().as_slice()
    {
        value = *only;
    }
    value
}

/// Whether the value is `constant - phi` or `phi ^ constant`.
fn is_turned<'c>(value: ValueRef<'c>, phi: ValueRef<'c>) -> bool {
    let is_constant = |v: ValueRef<'c>| v.constant_int().is_some();
    match (value.opcode(), value.operands().as_slice()) {
        (Some(Opcode::Sub), &[from, what]) => what == phi && is_constant(from),
        (Some(Opcode::Xor), &[a, b]) => (a == phi && is_constant(b)) || (b == phi && is_constant(a)),
        _ => false,
    }
}

fn least_common_multiple(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
