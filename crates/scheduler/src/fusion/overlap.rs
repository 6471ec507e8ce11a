//! Which statements of a loop overlap.
//!
//! # Definition
//! Two statements *overlap* in a schedule dimension if, at equal values of the dimensions outside,
//! some instance of the first comes before some instance of the second, and some instance of the
//! second before some instance of the first [Pouchet2011]: otherwise the loop first runs all
//! instances of one, and then all of the other. The constants of the rows must not be what decides
//! that: the pairs are in this order without them, too. So two loops of which one is reversed, and
//! that meet in a few iterations because of a shift, do not overlap.
//!
//! # Constraints
//! `f`, the time of the second minus that of the first, has to be negative somewhere on the pairs
//! of instances, and positive somewhere. An affine form is negative somewhere on a polyhedron iff
//! it is negative at one of its vertices or along one of its rays, which are what the cone of
//! non-negative forms consists of ([`Edge::cone`]). At each of them that is a linear constraint on
//! the coefficients of the rows; one of these *alternatives* has to hold. The paper enumerates
//! pairs of vertices of the domains; here parameters take part, and dimensions outside.
//!
//! Without the constants `f` is another form with the same smallest points, so both are asked to be
//! negative at the same one.

use std::collections::{BTreeMap, BTreeSet};

use poly_arith::Int;
use poly_presburger::Row;
use poly_presburger::budget::{Budget, Stop};

use crate::affine::Affine;
use crate::constraints::distance_form;
use crate::context::Context;
use crate::edge::{Edge, Edges, Rows};
use crate::layout::Layout;
use crate::row::Alternative;

/// Two statements, the first with the smaller number, and which of them is to come first somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Order {
    pub(super) pair: (usize, usize),
    pub(super) first: First,
}

/// The statement that comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum First {
    Smaller,
    Larger,
}

impl Order {
    /// What two statements that overlap have.
    pub(super) fn both(a: usize, b: usize) -> [Order; 2] {
        let pair = (a.min(b), a.max(b));
        [First::Smaller, First::Larger].map(|first| Order { pair, first })
    }

    /// The factor with which the distance from the smaller to the larger statement is negative.
    fn sign(self) -> Int {
        match self.first {
            First::Smaller => Int::NEG_ONE,
            First::Larger => Int::ONE,
        }
    }
}

/// The pairs of instances of the statements of one level.
#[derive(Debug)]
pub(super) struct Overlaps {
    /// The loops outside.
    outer: Vec<Rows>,
    /// The pairs of instances at equal time in all loops outside, as far as they were asked for.
    pairs: BTreeMap<(usize, usize), Edges>,
}

impl Overlaps {
    pub(super) fn new(outer: Vec<Rows>) -> Overlaps {
        Overlaps { outer, pairs: BTreeMap::new() }
    }

    fn pairs(&mut self, context: &Context, (a, b): (usize, usize), budget: &mut Budget) -> Result<&Edges, Stop> {
        if !self.pairs.contains_key(&(a, b)) {
            let domain = |s: usize| context.statements[s].domain.intersect_params(&context.assumed);
            let mut edges = Edges::new();
            for edge in Edge::all_pairs((a, b), &domain(a).to_map(&domain(b)), budget)? {
                edges.extend(edge.restrict(self.outer.iter(), budget)?);
            }
            self.pairs.insert((a, b), edges);
        }
        Ok(&self.pairs[&(a, b)])
    }

    /// Whether an order occurs with given rows.
    pub(super) fn occurs(
        &mut self,
        context: &Context,
        order: Order,
        rows: &Rows,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let sign = order.sign();
        let unshifted = without_constants(rows, order.pair);
        let edges = self.pairs(context, order.pair, budget)?;
        for edge in edges {
            budget.spend(1)?;
            let negative = |rows: &Rows| {
                let mut row: Row = edge.distance(rows).iter().map(|x| -&(x * &sign)).collect();
                row[0] -= &Int::ONE;
                row
            };
            let found = edge.relation.with_ineq(negative(rows)).with_ineq(negative(&unshifted));
            if !found.is_empty(budget)? {
                return Ok(true);
            }
        }
        // What a vertex that is not integer says is enough, as it is where rows are searched.
        for edge in edges {
            let forms = [edge.distance(rows), edge.distance(&unshifted)];
            let cone = edge.cone(budget)?;
            let negative = |generator: &[Int], form: &Row| {
                let value = generator[1..].iter().zip(form).fold(Int::ZERO, |sum, (a, b)| sum + a * b);
                (value * &sign).is_neg()
            };
            if cone.ineqs.iter().any(|generator| forms.iter().all(|form| negative(generator, form))) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Constraints on the rows of a layout of which one has to hold for an order to occur.
    pub(super) fn alternatives(
        &mut self,
        context: &Context,
        layout: &Layout,
        order: Order,
        budget: &mut Budget,
    ) -> Result<Vec<Alternative>, Stop> {
        let sign = order.sign();
        let mut found = BTreeSet::new();
        for edge in self.pairs(context, order.pair, budget)? {
            let cone = edge.cone(budget)?;
            let lines = cone.eqs.iter().flat_map(|line| [line.clone(), line.iter().map(|x| -x).collect()]);
            for generator in cone.ineqs.iter().cloned().chain(lines) {
                budget.spend(1)?;
                let mut unshifted = generator.clone();
                unshifted[1] = Int::ZERO;
                let negative = [generator, unshifted].map(|generator| {
                    let form = distance_form(layout, edge, &generator);
                    let mut row: Row = form.iter().map(|x| -&(x * &sign)).collect();
                    row[0] -= &Int::ONE;
                    row
                });
                if negative[1][1..].iter().any(|x| !x.is_zero()) {
                    found.insert(Vec::from(negative));
                }
            }
        }
        Ok(found.into_iter().collect())
    }
}

/// The rows of a pair of statements without what does not depend on iterators.
fn without_constants(rows: &Rows, (a, b): (usize, usize)) -> Rows {
    let unshifted = |s: usize| {
        let Affine { iterators, parameters, .. } = rows[&s].clone();
        (s, Affine { iterators, parameters: vec![Int::ZERO; parameters.len()], constant: Int::ZERO })
    };
    [unshifted(a), unshifted(b)].into()
}
