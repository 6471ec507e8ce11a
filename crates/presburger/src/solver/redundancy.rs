//! Removing redundant constraints and finding implicit equalities of a whole system.
//!
//! Both exist for integer points, the usual case, and for rational points. For integer points the
//! inequalities are first tightened: `c + g (a . x) >= 0` becomes `floor(c / g) + a . x >= 0`, which
//! keeps all integer points; the answers then use that affine forms take integer values. The set
//! of integer (rational) points is never changed.
//!
//! An empty system becomes the canonical empty one: the single equality `1 = 0`.

use std::cmp::Ordering;

use poly_arith::{Coeff, Int};

use super::lp::{ConId, Grid};
use super::{Interrupt, System, Tableau, widen};
use crate::budget::{Budget, Stop};

impl System {
    /// The canonical system without points: the equality `1 = 0`.
    pub fn empty(n: usize) -> System {
        let mut row = vec![Int::ZERO; n + 1];
        row[0] = Int::ONE;
        System { n, eqs: vec![row], ineqs: Vec::new() }
    }

    /// Divides rows by the gcd of their coefficients, rounding the constants of inequalities down;
    /// keeps the integer points. Trivially true rows and exact duplicates are dropped, of parallel
    /// inequalities only the tightest is kept, and opposite inequalities become an equality if they
    /// leave no room. A contradiction found makes the system [`System::empty`].
    pub fn tighten(&mut self) {
        let mut contradiction = false;
        self.eqs.retain_mut(|row| {
            let gcd = poly_linalg::vector::gcd(&row[1..]);
            contradiction |= !row[0].is_divisible_by(&gcd);
            if gcd.is_zero() || contradiction {
                return false;
            }
            row.iter_mut().for_each(|value| *value = value.div_exact(&gcd));
            true
        });
        self.ineqs.retain_mut(|row| {
            let gcd = poly_linalg::vector::gcd(&row[1..]);
            if gcd.is_zero() {
                contradiction |= row[0].is_neg();
                return false;
            }
            row[0] = row[0].div_floor(&gcd);
            row[1..].iter_mut().for_each(|value| *value = value.div_exact(&gcd));
            true
        });
        if contradiction || !self.join_parallel() {
            *self = System::empty(self.n);
        }
    }

    /// Keeps of inequalities with equal coefficients only the one with the smallest constant, at
    /// the place of the first, and turns pairs `f >= 0`, `-f >= 0` into equalities. False if a pair
    /// `f >= 0`, `-f - c >= 0` with positive `c` is found.
    fn join_parallel(&mut self) -> bool {
        let mut order: Vec<usize> = (0..self.ineqs.len()).collect();
        order.sort_by(|&i, &j| self.ineqs[i][1..].cmp(&self.ineqs[j][1..]).then(i.cmp(&j)));
        let mut keep = vec![true; self.ineqs.len()];
        let mut distinct: Vec<usize> = Vec::with_capacity(order.len());
        for i in order {
            match distinct.last() {
                Some(&first) if self.ineqs[first][1..] == self.ineqs[i][1..] => {
                    keep[i] = false;
                    if self.ineqs[i][0] < self.ineqs[first][0] {
                        self.ineqs[first][0] = self.ineqs[i][0].clone();
                    }
                }
                _ => distinct.push(i),
            }
        }
        let mut joined = Vec::new();
        for &i in &distinct {
            let opposite = distinct.binary_search_by(|&j| cmp_negated(&self.ineqs[j][1..], &self.ineqs[i][1..]));
            let Some(j) = opposite.ok().map(|position| distinct[position]).filter(|&j| j > i) else { continue };
            let room = &self.ineqs[i][0] + &self.ineqs[j][0];
            if room.is_neg() {
                return false;
            }
            if room.is_zero() {
                joined.push(i);
                (keep[i], keep[j]) = (false, false);
            }
        }
        joined.sort_unstable();
        self.eqs.extend(joined.into_iter().map(|i| self.ineqs[i].clone()));
        let mut keep = keep.into_iter();
        self.ineqs.retain(|_| keep.next().expect("one mark per row"));
        true
    }
}

/// Compares a row with the negative of another.
fn cmp_negated(row: &[Int], other: &[Int]) -> Ordering {
    row.iter().zip(other).map(|(a, b)| a.cmp(&-b)).find(|ordering| ordering.is_ne()).unwrap_or(Ordering::Equal)
}

/// Removes inequalities that are implied, for integer points, by the other constraints. Equalities
/// are kept as they are, up to tightening.
/// Cost: a linear program for each inequality, beginning where the last one ended \[DetlefsNelsonSaxe2005\].
pub fn remove_redundant(system: &mut System, budget: &mut Budget) -> Result<(), Stop> {
    system.tighten();
    simplify(system, Grid::Integer, false, budget)
}

/// Removes inequalities that are implied, for rational points, by the other constraints.
/// Cost: a linear program for each inequality, beginning where the last one ended \[DetlefsNelsonSaxe2005\].
pub fn remove_redundant_rational(system: &mut System, budget: &mut Budget) -> Result<(), Stop> {
    simplify(system, Grid::Rational, false, budget)
}

/// Turns inequalities that, at integer points, hold with equality only into equalities.
/// Cost: a linear program for each inequality, again for all after one was found \[DetlefsNelsonSaxe2005\].
pub fn implicit_equalities(system: &mut System, budget: &mut Budget) -> Result<(), Stop> {
    system.tighten();
    simplify(system, Grid::Integer, true, budget)
}

/// Turns inequalities that, at rational points, hold with equality only into equalities.
/// Cost: a linear program for each inequality, again for all after one was found \[DetlefsNelsonSaxe2005\].
pub fn implicit_equalities_rational(system: &mut System, budget: &mut Budget) -> Result<(), Stop> {
    simplify(system, Grid::Rational, true, budget)
}

/// What becomes of an inequality.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    Keep,
    Drop,
    Equality,
}

fn simplify(system: &mut System, grid: Grid, equalities: bool, budget: &mut Budget) -> Result<(), Stop> {
    fn run<T: Coeff>(
        system: &System,
        grid: Grid,
        equalities: bool,
        budget: &mut Budget,
    ) -> Result<Option<Vec<Fate>>, Interrupt> {
        let mut tableau = Tableau::<T>::from_system(system, grid, budget)?;
        if equalities {
            tableau.detect_implicit_equalities(budget)?;
        } else {
            tableau.detect_redundant(budget)?;
        }
        let fate = |con: ConId| match () {
            () if tableau.is_marked_redundant(con) => Fate::Drop,
            () if tableau.is_equality(con) => Fate::Equality,
            () => Fate::Keep,
        };
        let first = system.eqs.len();
        let fates = (first..first + system.ineqs.len()).map(|con| fate(ConId(con))).collect();
        Ok((!tableau.is_empty()).then_some(fates))
    }
    let input: &System = system;
    let fates = widen(
        budget,
        |budget| run::<i64>(input, grid, equalities, budget),
        |budget| run::<Int>(input, grid, equalities, budget),
    )?;
    let Some(fates) = fates else {
        *system = System::empty(system.n);
        return Ok(());
    };
    let rows = std::mem::take(&mut system.ineqs);
    for (row, fate) in rows.into_iter().zip(fates) {
        match fate {
            Fate::Keep => system.ineqs.push(row),
            Fate::Equality => system.eqs.push(row),
            Fate::Drop => {}
        }
    }
    Ok(())
}
