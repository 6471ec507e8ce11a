//! Loops whose pointers change places, unrolled.
//!
//! # Problem
//! [`poly_scop_detect::rotations`] finds loops in which every address means another array in the
//! next iteration. No model is made of such a loop, but one of so many of its iterations that
//! everything is again what it was. That needs other instructions, and what looks for SCoPs only
//! reads.
//!
//! # Algorithm
//! The function is copied, so that it can be what it was before. Where numbers of iterations pick
//! rows of a table (`table[i % 2][j]`), pointers to the rows change places from then on, and copies
//! of blocks beside other loops become loops. Then the loops are unrolled by LLVM. Whoever finds
//! nothing to do in the unrolled loops must bring the copy back.

use poly_scop_detect::rotations;
use poly_shim::context::Backup;
use poly_shim::llvm_sys::prelude::LLVMBasicBlockRef;
use poly_shim::{PassContext, PassHost};

/// A function with unrolled loops.
#[derive(Debug)]
pub(crate) struct Unrolled {
    /// The function as it was.
    pub(crate) backup: Backup,
    /// The headers of the loops that [`rotations`] finds, in its order, of which some have been
    /// unrolled; then those of loops with copies.
    pub(crate) headers: Vec<LLVMBasicBlockRef>,
    /// The headers of loops that were made by unrolling.
    pub(crate) copies: Vec<LLVMBasicBlockRef>,
}

/// What was done.
#[derive(Debug)]
pub(crate) enum Unrolling {
    /// There is nothing to unroll.
    None,
    /// Nothing could be unrolled. The function is what it was, but made of other instructions.
    Restored,
    /// Some loops were unrolled.
    Done(Unrolled),
}

/// The headers of loops that may also be optimized as they are, where pointers do not change
/// places: numbers of iterations pick rows, or blocks of memory are copied.
pub(crate) fn with_choice(host: &PassHost) -> Vec<LLVMBasicBlockRef> {
    let mut found = host.loops_that_pick();
    found.extend(host.loops_that_copy());
    if found.is_empty() || !rotations(host.context()).is_empty() { Vec::new() } else { found }
}

impl Unrolled {
    /// Unrolls the loops of the function in which pointers change places, from what has been made
    /// of picked rows; makes copies of blocks loops.
    pub(crate) fn of(host: &mut PassHost) -> Unrolling {
        let mut wanted = host.loops_that_copy();
        let is_wanted =
            !wanted.is_empty() || !rotations(host.context()).is_empty() || !host.loops_that_pick().is_empty();
        let Some(backup) = is_wanted.then(|| host.backup()).flatten() else { return Unrolling::None };
        let before = headers(host.context());
        let mut is_changed = !wanted.is_empty();
        host.copy_elements();
        host.hand_rows_round();
        let rotating = rotations(host.context());
        for rotation in &rotating {
            is_changed |= host.unroll(|block| block.raw() == rotation.header, rotation.period);
        }
        if !is_changed {
            host.restore(backup);
            return Unrolling::Restored;
        }
        let copies = headers(host.context()).into_iter().filter(|header| !before.contains(header)).collect();
        wanted.splice(0..0, rotating.into_iter().map(|rotation| rotation.header));
        Unrolling::Done(Self { backup, headers: wanted, copies })
    }
}

/// The headers of all loops.
fn headers(cx: PassContext<'_>) -> Vec<LLVMBasicBlockRef> {
    let mut todo = cx.top_level_loops();
    let mut result = Vec::new();
    while let Some(l) = todo.pop() {
        result.push(l.header().raw());
        todo.extend(l.subloops());
    }
    result
}
