//! Several basic relations over common divs.
//!
//! Known divs are functions of the point, so any relation may be given the divs of another. After
//! that the relations are polyhedra over the same columns and can be compared by linear
//! programming; divs with equal definitions are shared.

use std::sync::Arc;

use poly_arith::Int;

use crate::basic::{BasicMap, Row};
use crate::budget::{Budget, Stop};
use crate::row;
use crate::solver::System;

/// Constraints of basic relations over the columns of one base.
#[derive(Clone, Debug)]
pub(crate) struct Common {
    /// The relation with all divs and no constraints.
    pub(crate) base: BasicMap,
    /// The constraints of each relation.
    pub(crate) parts: Vec<Part>,
    /// The bounds of the known divs.
    pub(crate) div_bounds: Vec<Row>,
}

/// The constraints of one of the relations.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) eqs: Vec<Row>,
    pub(crate) ineqs: Vec<Row>,
}

/// So many comparisons of two constraints, most of which end with the first coefficients, take as
/// long as a step of a budget.
const COMPARISONS: u64 = 4;

/// Pays for the comparison of all constraints of two relations, as [`plainly_disjoint`] makes it.
///
/// # Errors
/// [`Stop`] when the budget does not do for it.
pub(crate) fn charge_comparison(a: &BasicMap, b: &BasicMap, budget: &mut Budget) -> Result<(), Stop> {
    let rows = |basic: &BasicMap| (basic.eqs.len() + basic.ineqs.len()) as u64;
    budget.spend(1 + rows(a) * rows(b) / COMPARISONS)
}

/// Whether opposite constraints, or equalities with different constants, show a gap of more than
/// `steps` between relations over the same columns, whose divs have the same definitions. With a
/// gap of more than none they have no point in common.
pub(crate) fn plainly_disjoint(a: &BasicMap, b: &BasicMap, steps: &Int) -> bool {
    let least = -steps;
    let gap = |x: &Row, y: &Row| row::opposite(x, y).is_some_and(|sum| sum < least);
    let parallel_gap = |x: &Row, y: &Row| {
        let beside = x[1..] == y[1..] && (&x[0] - &y[0]).abs() > *steps;
        beside || row::opposite(x, y).is_some_and(|sum| sum.abs() > *steps)
    };
    // An equality x = 0 against y >= 0: with y = x + c it is off by -c, with y = -x + c likewise.
    let off = |x: &Row, y: &Row| {
        let below = x[1..] == y[1..] && &y[0] - &x[0] < least;
        below || gap(x, y)
    };
    a.eqs.iter().any(|x| b.eqs.iter().any(|y| parallel_gap(x, y)))
        || a.eqs.iter().any(|x| b.ineqs.iter().any(|y| off(x, y)))
        || b.eqs.iter().any(|x| a.ineqs.iter().any(|y| off(x, y)))
        || a.ineqs.iter().any(|x| b.ineqs.iter().any(|y| gap(x, y)))
}

impl Part {
    /// All constraints as inequalities, an equality giving two.
    pub(crate) fn as_ineqs(&self) -> Vec<Row> {
        let mut rows = Vec::with_capacity(2 * self.eqs.len() + self.ineqs.len());
        for eq in &self.eqs {
            rows.push(eq.clone());
            rows.push(row::negated(eq));
        }
        rows.extend(self.ineqs.iter().cloned());
        rows
    }
}

impl Common {
    /// Bring basic relations of one space to common columns. At most the first may have unknown
    /// divs.
    pub(crate) fn of(basics: &[&BasicMap]) -> Common {
        let first = basics[0];
        let plain: Vec<usize> = (0..1 + first.n_var()).collect();
        let mut joint = BasicMap::universe(Arc::clone(&first.space));
        let mut counts = Vec::with_capacity(basics.len());
        for basic in basics {
            debug_assert!(*basic.space == *first.space, "{} is not {}", basic.space, first.space);
            joint.absorb(basic, &plain);
            counts.push((basic.eqs.len(), basic.ineqs.len()));
        }
        joint.canonicalize_divs();
        let mut eqs = std::mem::take(&mut joint.eqs).into_iter();
        let mut ineqs = std::mem::take(&mut joint.ineqs).into_iter();
        let part = |(e, i): &(usize, usize)| Part {
            eqs: eqs.by_ref().take(*e).collect(),
            ineqs: ineqs.by_ref().take(*i).collect(),
        };
        let parts = counts.iter().map(part).collect();
        let bounds = (0..joint.n_div()).flat_map(|i| joint.div_bounds(i)).flatten();
        Common { div_bounds: bounds.collect(), parts, base: joint }
    }

    /// The constraints of a relation, with the bounds of the divs after its own inequalities.
    pub(crate) fn system(&self, i: usize) -> System {
        let mut ineqs = self.parts[i].ineqs.clone();
        ineqs.extend(self.div_bounds.iter().cloned());
        System { n: self.base.n_col() - 1, eqs: self.parts[i].eqs.clone(), ineqs }
    }

    /// The relation with the common divs and these constraints, simplified.
    pub(crate) fn build(&self, eqs: Vec<Row>, ineqs: Vec<Row>) -> BasicMap {
        let mut basic = self.base.clone();
        basic.eqs = eqs;
        basic.ineqs = ineqs;
        basic.normalized()
    }

    /// The relation `i` with the common divs, not simplified.
    pub(crate) fn basic(&self, i: usize) -> BasicMap {
        let mut basic = self.base.clone();
        basic.eqs = self.parts[i].eqs.clone();
        basic.ineqs = self.parts[i].ineqs.clone();
        basic
    }
}
