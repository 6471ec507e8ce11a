//! Coordinates in which a bounded polyhedron is round.
//!
//! Basis reduction by linear programs ([`super::basis`]) takes many of them, with long numbers,
//! when a polyhedron is very thin in directions that are no unit vectors. So the polyhedron `P`,
//! full-dimensional and bounded, is made round before:
//!
//! 1. Find points of `P` that are far apart: for `k = 1, .., n` a form `f_k` that vanishes on the
//!    differences `v_1, .., v_k-1` found so far, and a point where it is smallest and one where it
//!    is largest; their difference is `v_k`.
//! 2. The width of `P` along a vector `b` is within a factor, depending on `n` only, of the length
//!    of `(v_1 . b, .., v_n . b)`. Reduce the unit vectors as a lattice basis for this length
//!    ([`poly_linalg::lll`]).
//! 3. The products with the basis vectors are new integer coordinates, the thin ones first.
//!
//! Whatever basis is found, the integer points are the same: how good it is matters for speed only.
//! So forms and differences are rounded: exact ones have numbers as long as the determinants of the
//! constraints.

use poly_arith::{Coeff, Int, Rational};
use poly_linalg::{Matrix, lll, row_echelon, vector};

use super::Compression;
use crate::budget::{Budget, Stop};
use crate::solver::lp::Grid;
use crate::solver::{Interrupt, Optimum, System, Tableau, widen};

/// Coordinates in which a system is round, looked for when they are needed for the first time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coordinates(Option<Option<Compression>>);

impl Coordinates {
    /// Below this number of variables other coordinates are not worthwhile.
    const FEW: usize = 3;

    /// Whether there are coordinates, and they have been found.
    pub(super) fn are_known(&self) -> bool {
        matches!(self.0, Some(Some(_)))
    }

    /// The coordinates, if there are any, for a system that is the same each time or has more
    /// constraints.
    pub(super) fn of(&mut self, system: &System, budget: &mut Budget) -> Result<Option<&Compression>, Stop> {
        if self.0.is_none() {
            self.0 = Some(if system.n < Coordinates::FEW { None } else { round(system, budget)? });
        }
        Ok(self.0.as_ref().and_then(Option::as_ref))
    }
}

/// The old coordinates in terms of new ones; `None` if the polyhedron of a system is not
/// full-dimensional and bounded.
fn round(system: &System, budget: &mut Budget) -> Result<Option<Compression>, Stop> {
    fn run<T: Coeff>(system: &System, budget: &mut Budget) -> Result<Option<Compression>, Interrupt> {
        let mut tableau = Tableau::<T>::from_system(system, Grid::Rational, budget)?;
        round_coordinates(&mut tableau, budget)
    }
    widen(budget, |budget| run::<i64>(system, budget), |budget| run::<Int>(system, budget))
}

/// The old coordinates in terms of new ones; `None` if the polyhedron of the tableau is not
/// full-dimensional and bounded.
pub(super) fn round_coordinates<T: Coeff>(
    tableau: &mut Tableau<T>,
    budget: &mut Budget,
) -> Result<Option<Compression>, Interrupt> {
    let n = tableau.n_var();
    let mut differences = Matrix::new(0, n);
    let mut rows: Vec<Vec<Rational>> = Vec::with_capacity(n);
    for k in 0..n as u64 {
        budget.spend(16 * k * k)?;
        let Some(difference) = extent(tableau, &annihilator(&differences), budget)? else { return Ok(None) };
        differences.push_row(&rounded(&difference, SHORT, size(&difference)));
        rows.push(difference);
    }
    let size = rows.iter().map(|row| size(row)).max().unwrap_or(0);
    let columns: Vec<Vec<Int>> = rows.iter().map(|row| rounded(row, LONG, size)).collect();
    // Row i has the products of the i-th unit vector with the differences, and a unit vector, which
    // is short and keeps the rows independent.
    let unit = |i: usize| (0..n).map(move |j| Int::from(i64::from(i == j)));
    let products = (0..n).map(|i| columns.iter().map(|column| column[i].clone()).chain(unit(i)).collect()).collect();
    let reduction = lll::reduce(&Matrix::from_rows(products, 2 * n));
    budget.spend(4 * reduction.steps * (n * n) as u64)?;
    Ok(Some(Compression { origin: vec![Int::ZERO; n], directions: reduction.cotransform }))
}

/// Bits of a number in a vector of which only the direction counts.
const SHORT: i64 = 60;
/// Bits of the longest product in the lattice, so that widths may differ by many orders of
/// magnitude.
const LONG: i64 = 120;

/// The bits before the point of the largest number, roughly; negative if all are small.
fn size(numbers: &[Rational]) -> i64 {
    let bits = |x: &Rational| i64::from(x.num().bits()) - i64::from(x.den().bits());
    numbers.iter().filter(|x| !x.num().is_zero()).map(bits).max().unwrap_or(0)
}

/// Numbers of so many bits before the point times the power of two that makes them integers of
/// `bits` bits, rounded.
fn rounded(numbers: &[Rational], bits: i64, size: i64) -> Vec<Int> {
    let power =
        |exponent: i64| Int::from(2).pow(u32::try_from(exponent.max(0)).expect("numbers in memory have fewer bits"));
    let (up, down) = (power(bits - size), power(size - bits));
    numbers.iter().map(|x| (x.num() * &up).div_floor(&(x.den() * &down))).collect()
}

/// A vector that is orthogonal, up to rounding, to all rows, of which there are fewer than columns.
fn annihilator(rows: &Matrix) -> Vec<Int> {
    let echelon = row_echelon(rows);
    let free =
        (0..rows.cols()).find(|col| !echelon.pivot_cols.contains(col)).expect("there are fewer rows than columns");
    let pivots = || echelon.rows.iter_rows().zip(&echelon.pivot_cols);
    let multiple = pivots().fold(Int::ONE, |all, (row, &col)| all.lcm(&row[col]));
    let mut vector = vec![Int::ZERO; rows.cols()];
    for (row, &col) in pivots() {
        vector[col] = -(&row[free] * &multiple.div_exact(&row[col]));
    }
    vector[free] = multiple;
    vector::normalize(&mut vector);
    let numbers: Vec<Rational> = vector.iter().map(|x| Rational::from(x.clone())).collect();
    match size(&numbers) {
        short if short <= SHORT => vector,
        long => rounded(&numbers, SHORT, long),
    }
}

/// The difference of a point where a form is largest and one where it is smallest; `None` if the
/// form is constant or has no bound.
fn extent<T: Coeff>(
    tableau: &mut Tableau<T>,
    form: &[Int],
    budget: &mut Budget,
) -> Result<Option<Vec<Rational>>, Interrupt> {
    let mut row = vec![T::zero()];
    row.extend(T::row_from_ints(form)?);
    let (low, bottom) = (tableau.minimize(&row, budget)?, tableau.sample());
    let (high, top) = (tableau.maximize(&row, budget)?, tableau.sample());
    let (Optimum::Bounded(low), Optimum::Bounded(high), Some(bottom), Some(top)) = (low, high, bottom, top) else {
        return Ok(None);
    };
    Ok((low != high).then(|| top.iter().zip(&bottom).map(|(x, y)| x - y).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use poly_linalg::det;

    fn system(n: usize, ineqs: &[&[i64]]) -> System {
        let mut system = System::new(n);
        ineqs.iter().for_each(|row| system.add_ineq(row.iter().map(|&x| Int::from(x)).collect()));
        system
    }

    #[test]
    fn the_thin_direction_of_a_parallelogram_comes_first() {
        // 0 <= x <= 1000 and 0 <= 1000 y - 999 x <= 500: the difference of x and y takes few
        // values.
        let thin = system(2, &[&[0, 1, 0], &[1000, -1, 0], &[0, -999, 1000], &[500, 999, -1000]]);
        let change = round(&thin, &mut Budget::unlimited()).expect("no limit").expect("it is bounded");
        assert!(det(&change.directions).abs().is_one(), "{change:?}");
        let round = change.compress(&thin);
        let first = [Int::ZERO, Int::ONE, Int::ZERO];
        let end = |find: fn(&System, &[Int], &mut Budget) -> Result<Optimum, Stop>| match find(
            &round,
            &first,
            &mut Budget::unlimited(),
        ) {
            Ok(Optimum::Bounded(value)) => value,
            other => panic!("{other:?}"),
        };
        let width = &end(crate::solver::lp_max) - &end(crate::solver::lp_min);
        assert!(width <= Rational::from(2), "{width}: {round}");
    }

    #[test]
    fn long_numbers_are_rounded() {
        // 0 <= x, z <= 10^60 and 0 <= 10^60 y - (10^60 - 1) x <= 10^59.
        let long = Int::from(10).pow(60);
        let mut thin = System::new(3);
        let mut add = |constant: Int, x: Int, y: Int, z: Int| thin.add_ineq(vec![constant, x, y, z]);
        let (zero, one) = (|| Int::ZERO, || Int::ONE);
        add(zero(), one(), zero(), zero());
        add(long.clone(), -one(), zero(), zero());
        add(zero(), zero(), zero(), one());
        add(long.clone(), zero(), zero(), -one());
        add(zero(), &one() - &long, long.clone(), zero());
        add(Int::from(10).pow(59), &long - &one(), -&long, zero());
        let mut budget = Budget::new(100_000);
        let change = round(&thin, &mut budget).expect("it is within the budget").expect("it is bounded");
        assert!(det(&change.directions).abs().is_one(), "{change:?}");
        let numbers = |vector: &[i64]| vector.iter().map(|&x| Rational::from(x)).collect::<Vec<_>>();
        assert_eq!(rounded(&numbers(&[1 << 20, -3, 0]), 10, size(&numbers(&[1 << 20]))), [1024, -1, 0].map(Int::from));
        assert_eq!(size(&[Rational::new(Int::from(1), Int::from(1024))]), -10);
    }

    #[test]
    fn only_bounded_full_dimensional_polyhedra_are_made_round() {
        let half_plane = system(2, &[&[0, 1, 0]]);
        assert!(round(&half_plane, &mut Budget::unlimited()).expect("no limit").is_none());
        let segment = system(2, &[&[0, 1, 0], &[9, -1, 0], &[0, 1, -1], &[0, -1, 1]]);
        assert!(round(&segment, &mut Budget::unlimited()).expect("no limit").is_none());
    }
}
