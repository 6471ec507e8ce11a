//! Functions with other loops than they have: loops whose pointers change places are unrolled, and
//! what stands between loops over temporary arrays goes.
//!
//! # Problem
//! [`poly_scop_detect::rotations`] finds loops in which every address means another array in the
//! next iteration. No model is made of such a loop, but one of so many of its iterations that
//! everything is again what it was. That needs other instructions, and what looks for SCoPs only
//! reads.
//!
//! # Algorithm
//! The function is copied, so that it can be what it was before. Allocations between loops over
//! temporary arrays move in front of them (`shim/cpp/temporaries.cpp`). Where numbers of iterations
//! pick rows of a table (`table[i % 2][j]`), pointers to the rows change places from then on, and
//! copies of blocks beside other loops become loops. Then the loops are unrolled by LLVM. Whoever
//! finds nothing to do in these loops must bring the copy back.

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
    /// The headers of all loops, if something stood between loops over temporary arrays.
    pub(crate) joined: Vec<LLVMBasicBlockRef>,
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

/// What may be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    /// Loops whose pointers change places are unrolled.
    pub(crate) rotations: bool,
    /// Nothing stands between loops over temporary arrays.
    pub(crate) temporaries: bool,
}

impl Unrolled {
    /// Takes away what stands between loops over temporary arrays; unrolls the loops of the
    /// function in which pointers change places, from what has been made of picked rows; makes
    /// copies of blocks loops.
    pub(crate) fn of(host: &mut PassHost, may: Wanted) -> Unrolling {
        let is_parted = may.temporaries && host.has_parted_temporaries();
        let is_rotating = may.rotations
            && (!host.loops_that_copy().is_empty()
                || !rotations(host.context()).is_empty()
                || !host.loops_that_pick().is_empty());
        let Some(backup) = (is_parted || is_rotating).then(|| host.backup()).flatten() else {
            return Unrolling::None;
        };
        let joined = if is_parted { host.join_temporaries() } else { Vec::new() };
        let before = headers(host.context());
        let mut wanted = if may.rotations { host.loops_that_copy() } else { Vec::new() };
        let mut is_changed = !wanted.is_empty() || !joined.is_empty();
        if may.rotations {
            host.copy_elements();
            host.hand_rows_round();
        }
        let rotating = if may.rotations { rotations(host.context()) } else { Vec::new() };
        for rotation in &rotating {
            is_changed |= host.unroll(|block| block.raw() == rotation.header, rotation.period);
        }
        if !is_changed {
            host.restore(backup);
            return Unrolling::Restored;
        }
        let copies = headers(host.context()).into_iter().filter(|header| !before.contains(header)).collect();
        wanted.splice(0..0, rotating.into_iter().map(|rotation| rotation.header));
        Unrolling::Done(Self { backup, headers: wanted, copies, joined })
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
