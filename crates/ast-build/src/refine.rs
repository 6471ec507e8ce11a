//! What a set says that its context does not say already.
//!
//! `refine(context, domain)` returns the constraints of `domain` that are needed, given those of
//! `context` (over a prefix of the dimensions): implied ones are dropped, inequalities that can only
//! hold with equality become equalities. Over the integer points of the context the result equals the
//! domain.
//!
//! Which of several sufficient subsets of constraints is kept matters for the program: conditions on
//! outer dimensions go first, because the bounds of a loop test them for free, then constraints
//! with many variables and large coefficients.

use std::cmp::Reverse;

use poly_arith::Int;
use poly_presburger::{BasicSet, Budget, DimKind, Row, Stop};

use crate::joint::{Fate, Joint};

/// Rounds of turning inequalities into equalities; more would only sharpen the result.
const MAX_ROUNDS: usize = 4;

/// The needed constraints; `None` if there are no (rational) points.
pub(crate) fn refine(context: &BasicSet, domain: &BasicSet, budget: &mut Budget) -> Result<Option<BasicSet>, Stop> {
    let mut domain = domain.clone();
    for round in 0..MAX_ROUNDS {
        if domain.is_plainly_empty() {
            return Ok(None);
        }
        let mut joint = Joint::new(1 + domain.n_var());
        joint.constrain(context);
        let map = joint.columns(&domain);
        for eq in domain.eqs() {
            joint.add_eq(joint.place(eq, &map));
        }
        let order = order_of_removal(&domain);
        let rows: Vec<Row> = order.iter().map(|&i| joint.place(&domain.ineqs()[i], &map)).collect();
        let Some(fates) = joint.test_rows(&rows, budget)? else { return Ok(None) };
        let with_fate = |fate: Fate| -> Vec<usize> {
            let mut found: Vec<usize> = (0..order.len()).filter(|&k| fates[k] == fate).map(|k| order[k]).collect();
            found.sort_unstable();
            found
        };
        let equalities = with_fate(Fate::Equality);
        let needed = with_fate(Fate::Needed);
        if equalities.is_empty() || round + 1 == MAX_ROUNDS {
            let kept = [needed, equalities].concat();
            let eqs = needed_equalities(context, &domain, budget)?;
            return Ok(Some(with_rows(&domain, &eqs, &kept, &[])));
        }
        let all_eqs: Vec<usize> = (0..domain.eqs().len()).collect();
        let all: Vec<usize> = (0..domain.ineqs().len()).filter(|i| !equalities.contains(i)).collect();
        domain = with_rows(&domain, &all_eqs, &all, &equalities);
        domain.simplify(budget)?;
    }
    unreachable!("the last round returns")
}

/// The set with the equalities and inequalities given by number; `promoted` inequalities hold with
/// equality.
fn with_rows(set: &BasicSet, eqs: &[usize], ineqs: &[usize], promoted: &[usize]) -> BasicSet {
    let mut result = without_constraints(set);
    eqs.iter().for_each(|&i| result.add_eq(set.eqs()[i].clone()));
    promoted.iter().for_each(|&i| result.add_eq(set.ineqs()[i].clone()));
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
    let mut joint = Joint::new(1 + domain.n_var());
    joint.constrain(context);
    let map = joint.columns(domain);
    let mut needed = Vec::new();
    for (i, eq) in domain.eqs().iter().enumerate() {
        let row = joint.place(eq, &map);
        if !joint.implies_zero(&row, budget)? {
            joint.add_eq(row);
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
        let mut joint = Joint::new(1 + domain.n_var());
        joint.constrain(context);
        let others: Vec<usize> = kept.iter().copied().filter(|&k| k != i).collect();
        let map = joint.constrain(&with_rows(domain, &all_eqs, &others, &[]));
        if joint.implies(&joint.place(&domain.ineqs()[i], &map), budget)? {
            kept = others;
        }
    }
    Ok(with_rows(domain, &all_eqs, &kept, &[]))
}
