//! Removal of scalar dependences that LLVM's own passes have put between statements.
//!
//! # Problem
//! Before vectorization, LLVM keeps running sums in registers (a PHI node around the loop and one store behind it), hoists loads and
//! products out of inner loops, and reuses values across blocks. Modelled literally each of these is a zero-dimensional array that every
//! iteration overwrites, and its anti and output dependences forbid all reordering.
//!
//! # Method
//! Every change is a *proposal*, made by a cheap syntactic rule, that redirects or copies accesses. It is kept only if exact
//! dataflow analysis shows that nothing observable has changed:
//! 1. every read that existed before gets its value from the same write instance as before, or from before the SCoP as before, and
//! 2. at the end every memory element holds the value of the same write instance as before.
//!
//! As the value written by an instance depends only on what it reads, 1 and 2 imply by induction over execution time that all values
//! are the same. So the rules may guess; the check decides.
//!
//! # Rules
//! - [`forward`]: a value computed by loads and pure operations is computed again in its users (LICM, GVN, PRE undone).
//! - [`accumulate`]: a PHI node and its update, whose last value is stored to an array element, live in that element (scalar promotion undone).
//! - [`reload`]: a PHI node that carries a loaded or stored value to later iterations is read from memory (redundant loads back).
//! - [`merge`]: scalars that copy each other become one.
//! - [`dead`]: statements that write back what they read, scalars without readers, instructions without users.
//!
//! Mapping scalars to unused array elements goes back to the known-content and zone analysis of [KruseGrosser2018].

pub mod accumulate;
pub mod dead;
pub mod expand;
pub mod flow;
pub mod forward;
pub mod merge;
pub mod reload;

use poly_presburger::{Budget, Stop};

use crate::Scop;
use flow::Session;

/// Applies all rules until none applies. Returns how many scalars have disappeared.
///
/// # Errors
/// [`Stop`] when the budget runs out; the SCoP is then unchanged or simplified by a prefix of the proposals, in any case equivalent.
pub fn simplify(scop: &mut Scop, budget: &mut Budget) -> Result<usize, Stop> {
    let before = live_scalars(scop);
    let session = &mut Session::default();
    dead::remove(scop, budget)?;
    accumulate::share_phi_values(scop, session, budget)?;
    dead::remove(scop, budget)?;
    forward::forward_trees(scop, session, budget)?;
    accumulate::map_to_memory(scop, session, budget)?;
    dead::remove(scop, budget)?;
    reload::reload_carried(scop, session, budget)?;
    dead::remove(scop, budget)?;
    forward::forward_trees(scop, session, budget)?;
    dead::remove(scop, budget)?;
    merge::merge_scalars(scop, session, budget)?;
    if scop.arrays.iter().any(crate::Array::is_scalar) {
        dead::remove_overwritten_everywhere(scop, session, budget)?;
    }
    scop.check_invariants();
    Ok(before.saturating_sub(live_scalars(scop)))
}

/// Number of scalars that some statement accesses.
fn live_scalars(scop: &Scop) -> usize {
    (0..scop.arrays.len())
        .filter(|&a| {
            scop.arrays[a].is_scalar()
                && scop.statements.iter().any(|s| s.accesses.iter().any(|access| access.array.index() == a))
        })
        .count()
}
