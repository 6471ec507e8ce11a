//! What a set says that its context does not say already.
//!
//! `refine(context, domain)` returns the constraints of `domain` that are needed, given those of
//! `context` (over a prefix of the dimensions): implied ones are dropped, inequalities that can
//! only hold with equality become equalities. Over the integer points of the context the result
//! equals the domain.
//!
//! Which of several sufficient subsets of constraints is kept matters for the program: conditions
//! on outer dimensions go first, because the bounds of a loop test them for free, then constraints
//! with many variables and large coefficients.

use std::cmp::Reverse;

use poly_arith::Int;
use poly_presburger::{BasicSet, Budget, DimKind, Row, Stop};

use crate::constraint_system::ConstraintSystem;

/// Rounds of turning inequalities into equalities; more would only sharpen the result.
const MAX_ROUNDS: usize = 4;

/// The needed constraints; `None` if there are no (rational) points.
pub(crate) fn refine(context: &BasicSet, domain: &BasicSet, budget: &mut Budget) -> Result<Option<BasicSet>, Stop> {
    let mut domain = domain.clone();
    for _ in 0..MAX_ROUNDS {
        match sharpened(context, &domain, budget)? {
            Sharpened::Empty => return Ok(None),
            Sharpened::Changed(set) => domain = set,
            Sharpened::Unchanged => break,
        }
    }
    let Some(kept) = irredundant(context, &domain, budget)? else { return Ok(None) };
    let eqs = needed_equalities(context, &domain, budget)?;
    Ok(Some(with_rows(&domain, &eqs, &kept)))
}

/// The domain without implied inequalities. Unlike [`refine`] this introduces nothing.
pub(crate) fn without_implied(
    context: &BasicSet,
    domain: &BasicSet,
    budget: &mut Budget,
) -> Result<Option<BasicSet>, Stop> {
    let all_eqs: Vec<usize> = (0..domain.eqs().len()).collect();
    Ok(irredundant(context, domain, budget)?.map(|kept| with_rows(domain, &all_eqs, &kept)))
}

/// The inequalities that the context and the others do not imply; `None` if there are no points.
fn irredundant(context: &BasicSet, domain: &BasicSet, budget: &mut Budget) -> Result<Option<Vec<usize>>, Stop> {
    let (system, map) = system_with_equalities(context, domain);
    let order = order_of_removal(domain);
    let rows: Vec<Row> = order.iter().map(|&i| system.place(&domain.ineqs()[i], &map)).collect();
    let Some(redundant) = system.redundant(&rows, budget)? else { return Ok(None) };
    let mut kept: Vec<usize> = (0..order.len()).filter(|&k| !redundant[k]).map(|k| order[k]).collect();
    kept.sort_unstable();
    Ok(Some(kept))
}

/// What looking for equalities among the constraints led to.
enum Sharpened {
    Empty,
    Changed(BasicSet),
    Unchanged,
}

/// The context and the equalities of the domain; where the columns of the domain are.
fn system_with_equalities(context: &BasicSet, domain: &BasicSet) -> (ConstraintSystem, Vec<usize>) {
    let mut system = ConstraintSystem::new(1 + domain.n_var());
    system.constrain(context);
    let map = system.columns(domain);
    for eq in domain.eqs() {
        system.add_eq(system.place(eq, &map));
    }
    (system, map)
}

/// Turn inequalities of the domain that only hold with equality into equalities. Inequalities of
/// the context (without divs) for which that is so in the domain become equalities of the domain.
fn sharpened(context: &BasicSet, domain: &BasicSet, budget: &mut Budget) -> Result<Sharpened, Stop> {
    if domain.is_plainly_empty() {
        return Ok(Sharpened::Empty);
    }
    let (system, map) = system_with_equalities(context, domain);
    let n_own = domain.ineqs().len();
    let n_fixed = 1 + domain.n_var();
    let known: Vec<&Row> = system.given_ineqs().iter().filter(|r| r.iter().skip(n_fixed).all(Int::is_zero)).collect();
    let mut rows: Vec<Row> = domain.ineqs().iter().map(|r| system.place(r, &map)).collect();
    rows.extend(known.iter().map(|r| (*r).clone()));
    let Some(equal) = system.equalities(&rows, budget)? else { return Ok(Sharpened::Empty) };
    let found: Vec<usize> = (0..rows.len()).filter(|&i| equal[i]).collect();
    if found.is_empty() {
        return Ok(Sharpened::Unchanged);
    }
    let all_eqs: Vec<usize> = (0..domain.eqs().len()).collect();
    let others: Vec<usize> = (0..n_own).filter(|i| !equal[*i]).collect();
    let mut result = with_rows(domain, &all_eqs, &others);
    for i in found {
        let row = if i < n_own { domain.ineqs()[i].clone() } else { rows[i][..n_fixed].to_vec() };
        result.add_eq(row);
    }
    result.simplify(budget)?;
    if result == *domain { Ok(Sharpened::Unchanged) } else { Ok(Sharpened::Changed(result)) }
}

/// The set with the equalities and inequalities given by number.
pub(crate) fn with_rows(set: &BasicSet, eqs: &[usize], ineqs: &[usize]) -> BasicSet {
    let mut result = without_constraints(set);
    eqs.iter().for_each(|&i| result.add_eq(set.eqs()[i].clone()));
    ineqs.iter().for_each(|&i| result.add_ineq(set.ineqs()[i].clone()));
    result
}

/// The same space and divs, no constraints.
pub(crate) fn without_constraints(set: &BasicSet) -> BasicSet {
    let mut result = BasicSet::universe(set.space().clone());
    for div in set.divs() {
        match div {
            Some(div) => {
                let n = result.n_col();
                result.add_div(div.denom.clone(), div.num[..n].to_vec());
            }
            None => {
                result.add_unknown_div();
            }
        }
    }
    result
}

/// Equalities that do not follow from the context and the equalities kept before.
fn needed_equalities(context: &BasicSet, domain: &BasicSet, budget: &mut Budget) -> Result<Vec<usize>, Stop> {
    let mut system = ConstraintSystem::new(1 + domain.n_var());
    system.constrain(context);
    let map = system.columns(domain);
    let mut needed = Vec::new();
    for (i, eq) in domain.eqs().iter().enumerate() {
        let row = system.place(eq, &map);
        if !system.implies_zero(&row, budget)? {
            system.add_eq(row);
            needed.push(i);
        }
    }
    Ok(needed)
}

/// The inequalities in the order in which they are tested: those removed more gladly first.
fn order_of_removal(domain: &BasicSet) -> Vec<usize> {
    let first_div = domain.offset(DimKind::Div);
    let last_dim = first_div - 1;
    let has_dims = domain.n_dim() > 0;
    let size = |row: &Row| -> u32 {
        let weight = |(c, x): (usize, &Int)| match x.is_zero() {
            true => 0,
            false => x.bits() + if c >= first_div { 4 } else { 1 },
        };
        row.iter().enumerate().skip(1).map(weight).sum()
    };
    let mut order: Vec<usize> = (0..domain.ineqs().len()).collect();
    order.sort_by_key(|&i| {
        let row = &domain.ineqs()[i];
        (has_dims && !row[last_dim].is_zero(), Reverse(size(row)), i)
    });
    order
}

/// The inequalities of `domain` that do not hold at all integer points of the context and the other
/// constraints. Finds what the rational test of [`refine`] misses where divs are involved.
pub(crate) fn refine_integrally(context: &BasicSet, domain: &BasicSet, budget: &mut Budget) -> Result<BasicSet, Stop> {
    let all_eqs: Vec<usize> = (0..domain.eqs().len()).collect();
    let mut kept: Vec<usize> = (0..domain.ineqs().len()).collect();
    for i in order_of_removal(domain) {
        let mut system = ConstraintSystem::new(1 + domain.n_var());
        system.constrain(context);
        let others: Vec<usize> = kept.iter().copied().filter(|&k| k != i).collect();
        let map = system.constrain(&with_rows(domain, &all_eqs, &others));
        if system.implies(&system.place(&domain.ineqs()[i], &map), budget)? {
            kept = others;
        }
    }
    Ok(with_rows(domain, &all_eqs, &kept))
}
