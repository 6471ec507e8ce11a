//! Removal of scalar dependences that LLVM's own passes have put between statements.
//!
//! # Problem
//! Before vectorization, LLVM keeps running sums in registers (a PHI node around the loop and one
//! store behind it), hoists loads and products out of inner loops, and reuses values across blocks.
//! Modelled literally each of these is a zero-dimensional array that every iteration overwrites,
//! and its anti and output dependences forbid all reordering.
//!
//! # Method
//! Every change is a *proposal*, made by a cheap syntactic rule, that redirects or copies accesses.
//! It is kept only if exact dataflow analysis shows that nothing observable has changed:
//! 1. every read that existed before gets its value from the same write instance as before, or from
//!    before the SCoP as before, and
//! 2. at the end every memory element holds the value of the same write instance as before.
//!
//! Both are asked for the parameters of the context that meet the assumptions. As the value written
//! by an instance depends only on what it reads, 1 and 2 imply by induction over execution time
//! that all values are the same. So the rules may guess; the check decides. Copies that write back
//! what they have read are looked through ([`copies`]).
//!
//! # Rules
//! - [`forward`]: a value computed by loads and pure operations is computed again in its users
//!   (LICM, GVN, PRE undone).
//! - [`accumulate`]: a PHI node and its update, whose last value is stored to an array element,
//!   live in that element (scalar promotion undone).
//! - [`reload`]: a PHI node that carries a loaded or stored value to later iterations is read from
//!   memory (redundant loads back).
//! - [`split`]: a statement that reads a PHI node is split by where its value comes from, and each
//!   part computes it again.
//! - [`merge`]: scalars that copy each other become one.
//! - [`choices`]: a value that depends on the way asks no condition again that is known there.
//! - [`speculate`]: reads under predicates happen always, where other instances access their
//!   elements anyway.
//! - [`dead`]: statements that write back what they read, writes that are always overwritten where
//!   there are scalars or blocks of memory, scalars without readers, instructions
//!   without users.
//!
//! Proposals that the driver makes, where they pay: [`expand`] and [`results`] give live ranges
//! memory of their own, [`pieces`] gives the pieces of a domain loops of their own, [`borders`]
//! cuts loops where subscripts change, [`if_conversion`] makes one write of those under conditions
//! that leave no case out.
//!
//! Mapping scalars to unused array elements goes back to the known-content and zone analysis of
//! [KruseGrosser2018].

pub mod accumulate;
pub mod borders;
pub(crate) mod cases;
pub mod choices;
mod copies;
pub mod dead;
pub mod expand;
pub mod fields;
pub mod fission;
pub mod flow;
pub mod forward;
pub mod if_conversion;
pub mod joined;
pub mod merge;
pub mod partial;
pub mod pieces;
pub mod reload;
pub mod results;
pub mod speculate;
pub mod split;

use poly_presburger::{Budget, Set, Stop};

use crate::{InstrKind, Scop};
use accumulate::Mapped;
use flow::Session;
use speculate::Reach;

/// Applies all rules, each until it does not apply or has spent its part of the budget:
/// simplification helps, but what follows can do without it. Returns how many scalars have
/// disappeared.
///
/// # Errors
/// [`Stop`] when the budget runs out; the SCoP is then unchanged or simplified by a prefix of the
/// proposals, in any case equivalent.
pub fn simplify(scop: &mut Scop, budget: &mut Budget) -> Result<usize, Stop> {
    let context = scop.context.clone();
    scop.context = assumed(scop);
    let result = simplify_within(scop, budget);
    scop.context = context;
    result
}

/// The context and those of the assumptions that are convex. What is simplified under them is right
/// whenever the new code runs: all assumptions have been tested then. Where a window has at least
/// one element, the scalar that its sum is kept in has always been written when it is stored.
fn assumed(scop: &Scop) -> Set {
    let is_simple = |set: &&Set| set.basics().len() == 1 && set.basics().iter().all(|basic| basic.n_div() == 0);
    let simple = scop.assumptions.iter().map(|assumption| &assumption.holds).filter(is_simple);
    simple.fold(scop.context.clone(), |all, holds| all.intersect(holds))
}

fn simplify_within(scop: &mut Scop, budget: &mut Budget) -> Result<usize, Stop> {
    let before = live_scalars(scop);
    let session = &mut Session::default();
    dead::remove(scop, budget)?;
    within_part(budget, |part| accumulate::share_phi_values(scop, session, part));
    dead::remove(scop, budget)?;
    within_part(budget, |part| forward::forward_trees(scop, session, part));
    within_part(budget, |part| accumulate::map_to_memory(scop, session, Mapped::Computed, part));
    dead::remove(scop, budget)?;
    within_part(budget, |part| reload::reload_carried(scop, session, part));
    dead::remove(scop, budget)?;
    within_part(budget, |part| accumulate::map_to_memory(scop, session, Mapped::All, part));
    dead::remove(scop, budget)?;
    within_part(budget, |part| forward::forward_trees(scop, session, part));
    dead::remove(scop, budget)?;
    within_part(budget, |part| split::split_readers(scop, session, part));
    dead::remove(scop, budget)?;
    within_part(budget, |part| merge::merge_scalars(scop, session, part));
    let has_scalars = scop.arrays.iter().any(crate::Array::is_scalar);
    if has_scalars || fills_blocks(scop) {
        within_part(budget, |part| dead::remove_overwritten_everywhere(scop, session, part));
    }
    if has_scalars {
        within_part(budget, |part| dead::remove_unseen_instances(scop, session, part));
    }
    within_part(budget, |part| choices::simplify_choices(scop, part));
    within_part(budget, |part| speculate::speculate(scop, Reach::Elements, part));
    scop.check_invariants();
    Ok(before.saturating_sub(live_scalars(scop)))
}

/// Whether blocks of memory are filled or copied: what memory is first filled with is often
/// overwritten as a whole.
fn fills_blocks(scop: &Scop) -> bool {
    let is_block = |instr: &crate::Instr| matches!(instr.kind, InstrKind::Write(_)) && instr.operands.len() > 1;
    scop.statements.iter().any(|statement| statement.body.iter().any(is_block))
}

/// One rule may spend this part of what is left. A rule that does not finish has spent its part for
/// nothing, and leaves more statements to dependence analysis and the search, which cost more with
/// each; of three rules that do not finish, something must still be left for these.
const PART: u64 = 3;

/// Applies a rule as far as its part of the budget reaches.
fn within_part<T>(budget: &mut Budget, rule: impl FnOnce(&mut Budget) -> Result<T, Stop>) {
    let mut part = budget.sub(budget.remaining() / PART);
    if rule(&mut part).is_err() {
        tracing::debug!("a rule of simplification has spent its part of the budget");
    }
    budget.absorb(&part);
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
