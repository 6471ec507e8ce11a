//! Removing redundant constraints and finding implicit equalities of a whole system.
//!
//! Both exist for integer points, the usual case, and for rational points. For integer points the
//! inequalities are first tightened: `c + g (a . x) >= 0` becomes `floor(c / g) + a . x >= 0`,
//! which keeps all integer points; the answers then use that affine forms take integer values. The
//! set of integer (rational) points is never changed.
//!
//! An empty system becomes the canonical empty one: the single equality `1 = 0`.

use poly_arith::{Coeff, Int};
use smallvec::SmallVec;

use super::lp::{ConId, Grid};
use super::{Interrupt, System, Tableau, widen};
use crate::budget::{Budget, Stop};
use crate::row;

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
            let gcd = row::gcd(&row[1..]);
            contradiction |= !row[0].is_divisible_by(&gcd);
            if gcd.is_zero() || contradiction {
                return false;
            }
            row::div_exact(row, &gcd);
            true
        });
        self.ineqs.retain_mut(|row| {
            let gcd = row::gcd(&row[1..]);
            if gcd.is_zero() {
                contradiction |= row[0].is_neg();
                return false;
            }
            row::tighten(row, &gcd);
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
        // Few rows have the same hash value up to sign.
        let hash = |row: &[Int]| row::normal_hash(row, None).unwrap_or(0);
        let mut hashes: SmallVec<[(u64, usize); 16]> =
            self.ineqs.iter().enumerate().map(|(i, row)| (hash(row), i)).collect();
        hashes.sort_unstable();
        if hashes.windows(2).all(|pair| pair[0].0 != pair[1].0) {
            return true;
        }
        let mut keep = vec![true; self.ineqs.len()];
        let mut joined = Vec::new();
        for alike in hashes.chunk_by(|a, b| a.0 == b.0).filter(|alike| alike.len() > 1) {
            let mut distinct: Vec<usize> = Vec::with_capacity(alike.len());
            for &(_, i) in alike {
                match distinct.iter().find(|&&first| self.ineqs[first][1..] == self.ineqs[i][1..]) {
                    Some(&first) => {
                        keep[i] = false;
                        if self.ineqs[i][0] < self.ineqs[first][0] {
                            self.ineqs[first][0] = self.ineqs[i][0].clone();
                        }
                    }
                    None => distinct.push(i),
                }
            }
            for (position, &i) in distinct.iter().enumerate() {
                let room = |&j: &usize| row::opposite(&self.ineqs[i], &self.ineqs[j]).map(|room| (j, room));
                let Some((j, room)) = distinct[position + 1..].iter().find_map(room) else { continue };
                if room.is_neg() {
                    return false;
                }
                if room.is_zero() {
                    joined.push(i);
                    (keep[i], keep[j]) = (false, false);
                }
            }
        }
        joined.sort_unstable();
        self.eqs.extend(joined.into_iter().map(|i| self.ineqs[i].clone()));
        let mut keep = keep.into_iter();
        self.ineqs.retain(|_| keep.next().expect("one mark per row"));
        true
    }
}

/// Removes inequalities that are implied, for integer points, by the other constraints. Equalities
/// are kept as they are, up to tightening. Cost: a linear program for each inequality, beginning
/// where the last one ended \[DetlefsNelsonSaxe2005\].
pub fn remove_redundant(system: &mut System, budget: &mut Budget) -> Result<(), Stop> {
    system.tighten();
    simplify(system, Grid::Integer, false, budget)
}

/// Removes inequalities that are implied, for rational points, by the other constraints. Cost: a
/// linear program for each inequality, beginning where the last one ended
/// \[DetlefsNelsonSaxe2005\].
pub fn remove_redundant_rational(system: &mut System, budget: &mut Budget) -> Result<(), Stop> {
    simplify(system, Grid::Rational, false, budget)
}

/// Turns inequalities that, at integer points, hold with equality only into equalities. Cost: a
/// linear program for each inequality, again for all after one was found \[DetlefsNelsonSaxe2005\].
pub fn implicit_equalities(system: &mut System, budget: &mut Budget) -> Result<(), Stop> {
    system.tighten();
    simplify(system, Grid::Integer, true, budget)
}

/// Turns inequalities that, at rational points, hold with equality only into equalities. Cost: a
/// linear program for each inequality, again for all after one was found \[DetlefsNelsonSaxe2005\].
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::testing::*;

    /// What is left: no two parallel inequalities in the same direction, none that is opposite to
    /// another without room.
    fn assert_tight(s: &System, shown: &str) {
        for (i, row) in s.ineqs.iter().enumerate() {
            for other in &s.ineqs[i + 1..] {
                assert_ne!(row[1..], other[1..], "{shown}\n{s}");
                assert!(row::opposite(row, other).is_none_or(|room| room.is_pos()), "{shown}\n{s}");
            }
        }
    }

    #[test]
    fn tightening_keeps_the_points_and_joins_what_is_parallel() {
        let mut sampler = Sampler::new(11);
        for _ in 0..2000 {
            let mut system = sampler.boxed_system(2, 4);
            for _ in 0..3 {
                let mut row = sampler.row(2, 2, 6);
                system.add_ineq(row.clone());
                let factor = Int::from(sampler.range(-2, 3));
                row.iter_mut().for_each(|x| *x = &*x * &factor);
                row[0] += Int::from(sampler.range(-1, 2));
                system.add_ineq(row);
            }
            let shown = system.to_string();
            let before = points_of(&system, 5);
            system.tighten();
            assert_eq!(points_of(&system, 5), before, "{shown}\n{system}");
            assert_tight(&system, &shown);
        }
    }

    #[test]
    fn rows_with_large_numbers_are_joined_like_others() {
        let large = Int::from(3).pow(60);
        let row = |constant: i64, sign: i64, second: i64| {
            vec![Int::from(constant), &large * &Int::from(sign), Int::from(second * sign)]
        };
        let mut joined =
            System { n: 2, eqs: Vec::new(), ineqs: vec![row(4, 1, 2), row(9, 1, 5), row(3, 1, 2), row(-3, -1, 2)] };
        joined.tighten();
        assert_eq!((joined.eqs, joined.ineqs), (vec![row(3, 1, 2)], vec![row(9, 1, 5)]));
        let mut empty = System { n: 2, eqs: Vec::new(), ineqs: vec![row(3, 1, 2), row(-4, -1, 2)] };
        empty.tighten();
        assert_eq!(empty.eqs, System::empty(2).eqs);
    }
}
