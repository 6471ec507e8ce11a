//! Parameters that are widths of windows.
//!
//! # Problem
//! Windows are narrow beside what they move over, and the cost model has to know: it chooses other
//! loops for a window of a thousand columns than for one of five. Where a window stays inside, a
//! wider one has fewer places, and the usual sizes ([`crate::sizes`]) see that from the number of
//! instances. A window that borders cut off is everywhere:
//!
//! ```text
//! for y, x: for dy = -r .. r, dx = -r .. r:
//!   if (0 <= y + dy < h && 0 <= x + dx < w) out[y][x] += in[y + dy][x + dx] * k[dy + r][dx + r]
//! ```
//!
//! # Rule
//! Let two loops move one subscript of an access, and let a bound of the statement's domain be
//! about this sum of them: it cuts the window off. Both loops have bounds of their own besides, in
//! which no other loop is. (The second loop of a triangle has none.) Then the inner one goes over
//! the window, and the parameters of its own bounds that are in none of the outer one's are the
//! width.
//!
//! Nothing here is about legality.

use std::collections::BTreeSet;

use poly_arith::Int;
use poly_presburger::{Budget, DimKind, Stop};

use crate::facts::{subscript_slope, to_f64};
use crate::{Scop, Statement};

/// The parameters that are widths of windows which borders cut off.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn widths(scop: &Scop, budget: &mut Budget) -> Result<BTreeSet<usize>, Stop> {
    let mut widths = BTreeSet::new();
    for statement in &scop.statements {
        widths_of(statement, &mut widths, budget)?;
    }
    Ok(widths)
}

fn widths_of(statement: &Statement, widths: &mut BTreeSet<usize>, budget: &mut Budget) -> Result<(), Stop> {
    let sums = sums(statement);
    if sums.is_empty() {
        return Ok(());
    }
    let hull = statement.domain.clone().simple_hull(budget)?;
    let bounds = Bounds { rows: hull.as_basic_map().to_system().ineqs, params: hull.space().params.len() };
    let depth = statement.loops.len();
    for row in &bounds.rows {
        budget.spend(1)?;
        let slopes: Vec<f64> = (0..depth).map(|l| to_f64(&bounds.of_loop(row, l).clone().into())).collect();
        let &[outer, inner] = &moving(&slopes)[..] else { continue };
        let is_cut = |sum: &Vec<f64>| sum[outer] != 0.0 && sum[outer] * slopes[inner] == sum[inner] * slopes[outer];
        if sums.iter().any(is_cut)
            && let (Some(around), Some(own)) = (bounds.own(outer), bounds.own(inner))
        {
            widths.extend(own.difference(&around));
        }
    }
    Ok(())
}

/// How much each loop moves a subscript, for subscripts that several loops move.
fn sums(statement: &Statement) -> Vec<Vec<f64>> {
    let depth = statement.loops.len();
    let basics = statement.accesses.iter().filter_map(|access| access.relation.basics().first());
    let subscripts = basics.flat_map(|basic| (0..basic.space().dim(DimKind::Out)).map(move |at| (basic, at)));
    let slopes = subscripts.map(|(basic, at)| (0..depth).map(|l| subscript_slope(basic, at, l)).collect());
    slopes.filter(|slopes: &Vec<f64>| moving(slopes).len() > 1).collect()
}

/// The loops with a slope.
fn moving(slopes: &[f64]) -> Vec<usize> {
    (0..slopes.len()).filter(|&l| slopes[l] != 0.0).collect()
}

/// Rows over `[const | params | loops | ..]` that are not negative.
struct Bounds {
    rows: Vec<Vec<Int>>,
    params: usize,
}

impl Bounds {
    fn of_loop<'a>(&self, row: &'a [Int], number: usize) -> &'a Int {
        &row[1 + self.params + number]
    }

    /// The parameters of the bounds of a loop in which there is no other one, if it has such bounds
    /// on both sides.
    fn own(&self, number: usize) -> Option<BTreeSet<usize>> {
        let at = 1 + self.params + number;
        let is_own = |row: &&Vec<Int>| (1 + self.params..row.len()).all(|other| (other == at) != row[other].is_zero());
        let own: Vec<&Vec<Int>> = self.rows.iter().filter(is_own).collect();
        let is_on_both_sides = [1, -1].iter().all(|&side| own.iter().any(|row| row[at].signum() == side));
        let params = own.iter().flat_map(|row| (0..self.params).filter(|&p| !row[1 + p].is_zero()));
        is_on_both_sides.then(|| params.collect())
    }
}
