//! Scalars that get an element of memory for each of their lives.
//!
//! # Problem
//! A temporary that every iteration of some loops writes before it reads it has one place in the source. Its anti and output dependences keep the iterations in
//! order, although no value goes from one to another: the loops can neither be distributed nor interchanged nor shared by threads. (The sum in the middle of
//! `symm` is of this kind.)
//!
//! # Method
//! Scalar expansion [Feautrier1988b]: the scalar becomes an array with a dimension for each of the outermost loops that all of its accesses are in. It is a proposal
//! as those of [`super`]: kept if every read still gets its value from the same instance. The deepest array for which that is true is taken; if the scalar is read without having been
//! written, or used after the region, there is none. The new array lives on the heap while the new code runs; without memory, the original runs.
//!
//! Whether that pays is not decided here: the driver compares the best schedules with and without.

use poly_arith::Int;
use poly_presburger::{Aff, BasicMap, Budget, Map, PwAff, Set, SolveError, Space, Stop, Tuple};

use super::flow::{self, Session};
use crate::{AccessId, AccessKind, Array, ArrayId, ArrayKind, Scop, Statement};

/// Most dimensions of a new array.
const MAX_DEPTH: usize = 3;

/// The SCoP with all scalars expanded for which that is right; `None` if there are none.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn expanded(scop: &Scop, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let mut session = Session::default();
    let mut result: Option<Scop> = None;
    for scalar in (0..scop.arrays.len()).map(ArrayId::from) {
        let current = result.as_ref().unwrap_or(scop);
        if let Some(next) = expand(current, scalar, &mut session, budget)? {
            result = Some(next);
        }
    }
    Ok(result)
}

fn expand(scop: &Scop, scalar: ArrayId, session: &mut Session, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let ArrayKind::Scalar { live_out: false, value, .. } = scop.arrays[scalar.index()].kind else { return Ok(None) };
    let users: Vec<&Statement> =
        scop.statements.iter().filter(|s| s.accesses.iter().any(|a| a.array == scalar)).collect();
    let is_read = users.iter().any(|s| s.accesses.iter().any(|a| a.array == scalar && a.kind == AccessKind::Read));
    let depth = common_loops(&users).min(MAX_DEPTH);
    if !is_read || depth == 0 {
        return Ok(None);
    }
    let before = session.analyse(scop, budget)?;
    for user in &users {
        for (number, access) in user.accesses.iter().enumerate() {
            let is_read = access.array == scalar && access.kind == AccessKind::Read;
            let sources = is_read.then(|| before.reads.get(&flow::key(user, AccessId::from(number)))).flatten();
            if let Some(initial) = sources.and_then(|sources| sources.initial.as_ref())
                && !initial.is_empty(budget)?
            {
                return Ok(None);
            }
        }
    }
    for depth in (1..=depth).rev() {
        let Some(sizes) = sizes(scop, &users, depth, budget)? else { continue };
        let mut proposal = scop.clone();
        let rows = sizes[0].clone();
        let array = &mut proposal.arrays[scalar.index()];
        let name = format!("T_{}", array.name);
        let kind = ArrayKind::Temporary { value, rows };
        *array = Array {
            name: name.clone(),
            kind,
            extents: sizes[1..].to_vec(),
            rank: depth,
            element: array.element.clone(),
        };
        for statement in &mut proposal.statements {
            let relation = element(statement, &name, depth);
            for access in statement.accesses.iter_mut().filter(|a| a.array == scalar) {
                access.relation = relation.clone();
                access.exact = true;
            }
        }
        let after = session.analyse(&proposal, budget)?;
        if flow::preserves(&before, &after, budget)? {
            tracing::debug!(array = name, depth, "scalar expanded");
            return Ok(Some(proposal));
        }
    }
    Ok(None)
}

/// Number of outermost loops that all statements are in.
fn common_loops(users: &[&Statement]) -> usize {
    let Some((first, others)) = users.split_first() else { return 0 };
    let common = |other: &&Statement| first.loops.iter().zip(&other.loops).take_while(|(a, b)| a == b).count();
    others.iter().map(common).min().unwrap_or(first.loops.len())
}

/// The numbers of iterations of the outermost loops, over all statements; `None` if they are no affine functions of the parameters.
fn sizes(scop: &Scop, users: &[&Statement], depth: usize, budget: &mut Budget) -> Result<Option<Vec<Aff>>, Stop> {
    let mut result = Vec::new();
    for dimension in 0..depth {
        let mut size: Option<Aff> = None;
        for user in users {
            let domain = user.domain.intersect_params(&scop.context);
            let Some(own) = iterations(&domain, dimension, budget)? else { return Ok(None) };
            size = match size {
                None => Some(own),
                Some(other) if other == own => Some(own),
                Some(other) if other.is_constant() && own.is_constant() => {
                    Some(if own.constant_term() > other.constant_term() { own } else { other })
                }
                Some(_) => return Ok(None),
            };
        }
        let Some(size) = size else { return Ok(None) };
        result.push(size);
    }
    Ok(Some(result))
}

/// One more than the largest value of a counter, which begins at 0.
fn iterations(domain: &Set, dimension: usize, budget: &mut Budget) -> Result<Option<Aff>, Stop> {
    let last: PwAff = match domain.dim_max(dimension, budget) {
        Ok(last) => last,
        Err(SolveError::Unbounded) => return Ok(None),
        Err(SolveError::Stop) => return Err(Stop),
    };
    let Some(last) = last.single_aff().filter(|aff| aff.is_integral_affine()) else { return Ok(None) };
    let mut row = last.row().to_vec();
    row[0] += &Int::ONE;
    Ok(Some(Aff::from_row(last.space().clone(), row, Int::ONE)))
}

/// `{ S[i, j, k] -> T[i, j] }`.
fn element(statement: &Statement, array: &str, depth: usize) -> Map {
    let params = statement.domain.space().params.clone();
    let (first, from) = (1 + params.len(), statement.loops.len());
    let space = Space::map(params, Tuple::named(&*statement.name, from), Tuple::named(array, depth));
    let mut basic = BasicMap::universe(space);
    for dimension in 0..depth.min(from) {
        let mut row = vec![Int::ZERO; first + from + depth];
        row[first + dimension] = Int::ONE;
        row[first + from + dimension] = Int::NEG_ONE;
        basic.add_eq(row);
    }
    Map::from_basic(basic)
}
