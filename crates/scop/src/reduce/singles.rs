//! Terms of equations that are combined where the answer is written.
//!
//! # Definitions
//! A term is *single* if an answer has at most one of its points, which is then a function of the
//! answer. A *slice* of a term are the points on a hyperplane parallel to a facet of its domain.
//!
//! # Algorithm
//! A term that is not single is cut along a facet that a direction of accumulation leaves by one
//! step: slice `c` is where the facet's row is `c`. If all of its points are in the first few
//! slices, these are terms in its place, and are cut again if they are not single. So a sum over a
//! window of constant width is as many terms, which is what LLVM makes of it when it unrolls the
//! loop.
//!
//! # Invariants
//! Slices have no point in common, and all points of the term are in one. There are at most
//! [`MAX_SINGLES`].

use poly_arith::Int;
use poly_linalg::kernel;
use poly_presburger::{BasicSet, Budget, Id, Set, Stop};
use poly_reductions::{Function, Term};

/// At most so many points of an answer are combined in one statement.
pub(super) const MAX_SINGLES: usize = 16;

/// The term as single ones, of one point for each answer, each with that point as a function of the
/// answer.
pub(super) fn singles(term: &Term, params: &[Id], budget: &mut Budget) -> Result<Option<Vec<(Term, Function)>>, Stop> {
    let mut open = vec![term.clone()];
    let mut result = Vec::new();
    while let Some(part) = open.pop() {
        if let Some(points) = inverted(&part, params, budget)? {
            result.push((part, points));
        } else {
            let Some(slices) = slices(&part, budget)? else { return Ok(None) };
            open.extend(slices.into_iter().rev());
        }
        if result.len() + open.len() > MAX_SINGLES {
            return Ok(None);
        }
    }
    Ok(Some(result))
}

/// The term in slices along a direction of accumulation, of which each answer has no more than a
/// few.
fn slices(term: &Term, budget: &mut Budget) -> Result<Option<Vec<Term>>, Stop> {
    let [basic] = term.domain.basics() else { return Ok(None) };
    let accumulation = kernel(&term.projection.matrix());
    let first = 1 + term.projection.params;
    let is_unit = |row: &&Vec<Int>| {
        let moves = accumulation.mul_vec(&row[first..first + term.projection.dims]);
        moves.iter().any(|x| x.abs().is_one())
    };
    if basic.n_div() > 0 {
        return Ok(None);
    }
    for row in basic.ineqs().iter().filter(is_unit) {
        let mut slices = Vec::new();
        let mut at = row.clone();
        for _ in 0..=MAX_SINGLES {
            let with = |add: fn(&mut BasicSet, Vec<Int>), row: &Vec<Int>| {
                let mut basic = BasicSet::universe(term.domain.space().clone());
                add(&mut basic, row.clone());
                term.domain.intersect(&Set::from_basic(basic))
            };
            if with(|basic, row| basic.add_ineq(row), &at).is_empty(budget)? {
                return Ok(Some(slices));
            }
            let domain = with(|basic, row| basic.add_eq(row), &at).remove_empty_parts(budget)?;
            slices.push(Term { domain, ..term.clone() });
            at[0] -= &Int::ONE;
        }
    }
    Ok(None)
}

/// The only point of an answer, as a function of the answer.
fn inverted(term: &Term, params: &[Id], budget: &mut Budget) -> Result<Option<Function>, Stop> {
    let map = term.projection.to_map(params).intersect_domain(&term.domain).reverse();
    if !map.is_single_valued(budget)? {
        return Ok(None);
    }
    let map = map.detect_equalities(budget)?;
    let [basic] = map.basics() else { return Ok(None) };
    Ok(Function::from_equalities(basic))
}
