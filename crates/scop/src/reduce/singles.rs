//! Terms of equations that are combined where the answer is written.
//!
//! # Definitions
//! A term is *single* if an answer has at most one of its points, which is then a function of the answer.
//! A *slice* of a term are the points on a hyperplane parallel to a facet of its domain.
//!
//! # Algorithm
//! A term that is not single is cut along a facet that a direction of accumulation leaves by one step:
//! slice `c` is where the facet's row is `c`. If all of its points are in the first few slices, these
//! are terms in its place, and are cut again if they are not single. So a sum over a window of
//! constant width is as many terms, which is what LLVM makes of it when it unrolls the loop.
//!
//! # Invariants
//! Slices have no point in common, and all points of the term are in one. There are at most
//! [`MAX_SINGLES`].

use poly_arith::Int;
use poly_linalg::{Matrix, kernel, solve_integer};
use poly_presburger::{BasicMap, BasicSet, Budget, DimKind, Id, Set, Stop};
use poly_reductions::{Function, Term};

/// At most so many points of an answer are combined in one statement.
pub(super) const MAX_SINGLES: usize = 16;

/// The term as single ones, of one point for each answer, each with that point as a function of the answer.
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

/// The term in slices along a direction of accumulation, of which each answer has no more than a few.
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
    Ok(from_equalities(basic))
}

/// The results of a relation as functions of its arguments, as far as its equalities say.
fn from_equalities(basic: &BasicMap) -> Option<Function> {
    let (params, dims, results) = (basic.dim(DimKind::Param), basic.dim(DimKind::In), basic.dim(DimKind::Out));
    let first = basic.offset(DimKind::Out);
    let uses_division = |eq: &&Vec<Int>| eq[first + results..].iter().any(|x| !x.is_zero());
    let eqs: Vec<&Vec<Int>> = basic.eqs().iter().filter(|eq| !uses_division(eq)).collect();
    let out = Matrix::from_rows(eqs.iter().map(|eq| eq[first..first + results].to_vec()).collect(), results);
    let mut rows = Vec::new();
    for result in 0..results {
        let unit: Vec<Int> = (0..results).map(|r| Int::from(i64::from(r == result))).collect();
        let factors = solve_integer(&out.transpose(), &unit)?.particular;
        let mut row = vec![Int::ZERO; 1 + params + dims];
        for (eq, factor) in eqs.iter().zip(&factors) {
            row.iter_mut().zip(&eq[..1 + params + dims]).for_each(|(sum, x)| *sum -= &(x * factor));
        }
        rows.push(row);
    }
    Some(Function::new(params, dims, rows))
}
