//! What is looked at with moderate effort.
//!
//! # Problem
//! Most loops of most programs are not worth a search: they hold no other loops, and LLVM's own
//! vectorizer makes of them what can be made. What it costs to find that out is what everybody pays
//! who compiles a package with Poly. At `-O2` people expect short compilations; GCC, too, leaves
//! the order of loops alone there, and changes it at `-O3` only.
//!
//! # Definitions
//! *Moderate effort* ([`crate::options::Effort`]) means that
//!
//! * *single loops*, which neither hold other loops nor are in one, are not looked at, and
//! * the search for a better order may cost a fraction of what it may cost otherwise
//!   ([`crate::expenses::Worth`]).

use poly_shim::{LoopRef, PassContext};

/// The loops of the function that neither hold others nor are in one.
pub(crate) fn single_loops(cx: PassContext<'_>) -> Vec<LoopRef<'_>> {
    cx.top_level_loops().into_iter().filter(|l| l.subloops().is_empty()).collect()
}
