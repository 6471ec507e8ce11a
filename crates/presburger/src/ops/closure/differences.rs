//! Paths made of the differences of steps alone.
//!
//! # Problem
//! Of a relation `R`, forget where a step `x -> y` begins and keep only `y - x`. All sums of such
//! differences, between points of the domain and of the range of `R`, contain the paths of `R`.
//!
//! # Algorithm
//! For one conjunction of constraints on a difference `d` and the parameters `p`, let `f` be the
//! sum of `k >= 1` such differences.
//!
//! * `A d + b >= 0` without parameters holds `k` times: `A f + k b >= 0`.
//! * A constraint on parameters alone stays as it is.
//! * `A d + c(p) >= 0` with both: let `m` be the largest value of `c` where there are differences.
//!   With `m <= 0`, `A f >= -k c(p) >= -c(p)`, so the constraint holds for `f`. A finite `m` gives
//!   `A f + k m >= 0`, too. Without, nothing follows.
//!
//! Integer divisions are dimensions of differences like others: the sum of the quotients takes the
//! place of the quotient. Equalities with parameters are two inequalities. No difference at all,
//! `k = 0`, is in the same conjunction if `f = 0` follows from it, and a disjunct of its own
//! otherwise. Different conjunctions follow each other in a fixed order, since sums do not depend
//! on the order of what is summed up.
//!
//! # Invariants
//! The result contains all paths: every rule above is an implication. The length of paths is a
//! dimension like others.
//!
//! The method is that of \[VerdoolaegeCohenBeletska2011\]; the idea of summing up differences is
//! older \[Kelly1996\].

use poly_arith::Int;

use crate::basic::{BasicMap, Row};
use crate::budget::{Budget, Stop};
use crate::map::Map;
use crate::row;
use crate::set::Set;
use crate::solver::Optimum;
use crate::space::DimKind;

use super::simpler;

/// More conjunctions of differences are replaced by their hull.
const MAX_KINDS: usize = 5;

/// Paths of steps with lengths, by their differences.
pub(super) fn along_differences(steps: &Map, budget: &mut Budget) -> Result<Map, Stop> {
    let mut differences = simpler(Map::clone(&steps.deltas()), budget)?;
    if differences.n_basic() > MAX_KINDS {
        differences = Map::from_basic(differences.simple_hull(budget)?);
    }
    let mut paths = Map::identity(steps.space());
    for kind in differences.basics() {
        let repeated = repeated(kind, steps, budget)?;
        paths.charge_intersection(&repeated, budget)?;
        paths = simpler(paths.apply_range(&repeated), budget)?;
    }
    let length = steps.dim(DimKind::In) - 1;
    let longer = paths.order_gt(DimKind::Out, length, DimKind::In, length);
    let [domain, range] = [steps.domain(), steps.range()].map(|set| set.as_map().clone());
    let [domain, range] = [simpler(domain, budget)?, simpler(range, budget)?].map(Set::from_map);
    longer.charge_intersection(&domain, budget)?;
    let from = longer.intersect_domain(&domain);
    from.charge_intersection(&range, budget)?;
    simpler(from.intersect_range(&range), budget)
}

/// `x -> x + f` for all sums `f` of none or more differences of one kind.
fn repeated(kind: &BasicMap, steps: &Map, budget: &mut Budget) -> Result<Map, Stop> {
    let sums = Sums::of(kind, budget)?;
    let identity = Map::identity(steps.space());
    let any = Map::from_basic(sums.paths(steps, Count::Any));
    let none = Map::from_basic(sums.paths(steps, Count::None));
    if sums.constant_in_params && none.is_subset(&identity, budget)? {
        return Ok(any);
    }
    let some = Map::from_basic(sums.paths(steps, Count::Some));
    Ok(some.union(&identity))
}

/// How many differences are summed up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    None,
    Any,
    Some,
}

/// Constraints on sums of differences: rows over
/// `[1 | parameters | sum | sums of quotients | number of summands]`.
struct Sums {
    eqs: Vec<Row>,
    ineqs: Vec<Row>,
    /// Whether no row has parameters: then the rows hold for a sum of nothing, too.
    constant_in_params: bool,
}

impl Sums {
    fn of(kind: &BasicMap, budget: &mut Budget) -> Result<Sums, Stop> {
        let system = kind.to_system();
        let first = kind.offset(DimKind::Out);
        let has = |row: &Row| (!row::is_zero(&row[1..first]), !row::is_zero(&row[first..]));
        let mut sums = Sums { eqs: Vec::new(), ineqs: Vec::new(), constant_in_params: true };
        let mut mixed = Vec::new();
        for (row, is_equality) in
            system.eqs.iter().map(|row| (row, true)).chain(system.ineqs.iter().map(|row| (row, false)))
        {
            let (has_params, has_dims) = has(row);
            let sum = match (has_params, has_dims) {
                (true, true) => {
                    mixed.push(row.clone());
                    if is_equality {
                        mixed.push(row::negated(row));
                    }
                    continue;
                }
                (true, false) => followed_by(row.clone(), Int::ZERO),
                (false, _) => times_count(row, row[0].clone()),
            };
            sums.constant_in_params &= !has_params;
            if is_equality { sums.eqs.push(sum) } else { sums.ineqs.push(sum) }
        }
        for row in mixed {
            sums.add_mixed(&row, kind, first, budget)?;
        }
        Ok(sums)
    }

    /// What follows for sums from a constraint with parameters and dimensions.
    fn add_mixed(&mut self, row: &Row, kind: &BasicMap, first: usize, budget: &mut Budget) -> Result<(), Stop> {
        let mut of_params = row.clone();
        of_params[first..].fill(Int::ZERO);
        let Optimum::Bounded(largest) = kind.rational_max(&of_params, budget)? else { return Ok(()) };
        let largest = largest.floor();
        if !largest.is_pos() {
            self.constant_in_params = false;
            self.ineqs.push(followed_by(row.clone(), Int::ZERO));
        }
        let mut of_dims = row.clone();
        of_dims[..first].fill(Int::ZERO);
        self.ineqs.push(times_count(&of_dims, largest));
        Ok(())
    }

    /// The relation `x -> x + f`.
    fn paths(&self, steps: &Map, count: Count) -> BasicMap {
        let mut paths = BasicMap::universe(steps.space().clone());
        let n = steps.dim(DimKind::In);
        let (input, output) = (paths.offset(DimKind::In), paths.offset(DimKind::Out));
        let width = self.eqs.iter().chain(&self.ineqs).map(Vec::len).max().unwrap_or(input + n + 1);
        let existentials: Vec<usize> = (input + n..width).map(|_| paths.add_unknown_div()).collect();
        let placed = |row: &Row| {
            let mut placed = row::zeros(paths.n_col());
            placed[..input].clone_from_slice(&row[..input]);
            for (i, factor) in row[input..input + n].iter().enumerate() {
                placed[output + i] = factor.clone();
                placed[input + i] = -factor;
            }
            for (factor, &column) in row[input + n..].iter().zip(&existentials) {
                placed[column] = factor.clone();
            }
            placed
        };
        let (eqs, ineqs): (Vec<Row>, Vec<Row>) =
            (self.eqs.iter().map(placed).collect(), self.ineqs.iter().map(placed).collect());
        let mut number = row::zeros(paths.n_col());
        number[*existentials.last().expect("the number of summands is an existential")] = Int::ONE;
        eqs.into_iter().for_each(|row| paths.add_eq(row));
        ineqs.into_iter().for_each(|row| paths.add_ineq(row));
        match count {
            Count::None => paths.add_eq(number),
            Count::Any => paths.add_ineq(number),
            Count::Some => {
                number[0] = Int::NEG_ONE;
                paths.add_ineq(number);
            }
        }
        paths.normalized()
    }
}

/// A row with one more entry.
fn followed_by(mut row: Row, last: Int) -> Row {
    row.push(last);
    row
}

/// `A f + k b` of `A d + b`.
fn times_count(row: &Row, constant: Int) -> Row {
    let mut row = row.clone();
    row[0] = Int::ZERO;
    followed_by(row, constant)
}
