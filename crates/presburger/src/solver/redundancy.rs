//! Removing redundant constraints and finding implicit equalities of a whole system.
//!
//! Both exist for integer points, the usual case, and for rational points. For integer points the
//! inequalities are first tightened: `c + g (a . x) >= 0` becomes `floor(c / g) + a . x >= 0`, which
//! keeps all integer points; the answers then use that affine forms take integer values. The set
//! of integer (rational) points is never changed.
//!
//! An empty system becomes the canonical empty one: the single equality `1 = 0`.

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
        if !contradiction {
            self.drop_parallel();
            contradiction = !self.join_opposite();
        }
        if contradiction {
            *self = System::empty(self.n);
        }
    }

    /// Turns pairs `f >= 0`, `-f >= 0` into equalities; false if a pair `f >= 0`, `-f - c >= 0` with
    /// positive `c` is found. No two inequalities have the same coefficients.
    fn join_opposite(&mut self) -> bool {
        let index: std::collections::BTreeMap<&[Int], usize> =
            self.ineqs.iter().enumerate().map(|(i, row)| (&row[1..], i)).collect();
        let mut keep = vec![true; self.ineqs.len()];
        let mut joined = Vec::new();
        for (i, row) in self.ineqs.iter().enumerate() {
            let opposite: Vec<Int> = row[1..].iter().map(|value| -value).collect();
            let Some(&j) = index.get(&opposite[..]).filter(|j| **j > i) else { continue };
            let room = &row[0] + &self.ineqs[j][0];
            if room.is_neg() {
                return false;
            }
            if room.is_zero() {
                joined.push(row.clone());
                (keep[i], keep[j]) = (false, false);
            }
        }
        drop(index);
        let mut keep = keep.into_iter();
        self.ineqs.retain(|_| keep.next().expect("one mark per row"));
        self.eqs.extend(joined);
        true
    }

    /// Keeps of inequalities with equal coefficients only the one with the smallest constant, at
    /// the place of the first.
    fn drop_parallel(&mut self) {
        let mut first = std::collections::BTreeMap::<Vec<Int>, usize>::new();
        let mut kept: Vec<Vec<Int>> = Vec::with_capacity(self.ineqs.len());
        for row in self.ineqs.drain(..) {
            match first.get(&row[1..]) {
                Some(&index) => {
                    if row[0] < kept[index][0] {
                        kept[index] = row;
                    }
                }
                None => {
                    first.insert(row[1..].to_vec(), kept.len());
                    kept.push(row);
                }
            }
        }
        self.ineqs = kept;
    }
}

/// Removes inequalities that are implied, for integer points, by the other constraints. Equalities
/// are kept as they are, up to tightening.
pub fn remove_redundant(system: &mut System, budget: &mut Budget) -> Result<(), Stop> {
    system.tighten();
    simplify(system, Grid::Integer, false, budget)
}

/// Removes inequalities that are implied, for rational points, by the other constraints.
pub fn remove_redundant_rational(system: &mut System, budget: &mut Budget) -> Result<(), Stop> {
    simplify(system, Grid::Rational, false, budget)
}

/// Turns inequalities that, at integer points, hold with equality only into equalities.
pub fn implicit_equalities(system: &mut System, budget: &mut Budget) -> Result<(), Stop> {
    system.tighten();
    simplify(system, Grid::Integer, true, budget)
}

/// Turns inequalities that, at rational points, hold with equality only into equalities.
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
