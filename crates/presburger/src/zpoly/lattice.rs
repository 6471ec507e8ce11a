//! Affine lattices in Hermite normal form.
//!
//! A lattice is `{ o + B t : t in Z^r }` in `Z^n`, the columns of `B` being independent. They are
//! kept in column echelon form: column `k` is zero above its *pivot row* `p_k`, `p_0 < p_1 < ...`,
//! pivots are positive, entries of a pivot row left of the pivot are in `0..pivot`; and
//! `0 <= o[p_k] < pivot`. With that equal lattices are equal values \[Schrijver1986\], section 4.1.
//!
//! The coordinate `t_k` of a point is found by forward substitution from its first `p_k + 1`
//! entries: as a rational affine form of the point it is valid on the whole lattice.
//!
//! **Lattice hull.** The smallest affine lattice that contains the integer points of a set is found
//! from below: start with one point, ask for a point outside of the lattice so far, add it. A point
//! outside violates an equation or has a wrong remainder at one pivot, which are linear constraints
//! over the point and its coordinates ([`Lattice::outside`]). Each addition raises the rank or
//! divides the index, so this ends.

use poly_arith::{Coeff, Int};
use poly_linalg::{Matrix, hermite};

use crate::basic::Row;
use crate::budget::{Budget, Stop};
use crate::solver::{System, ilp_sample};

/// An affine lattice `{ origin + basis t }` in Hermite normal form.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lattice {
    origin: Vec<Int>,
    /// The columns of the basis.
    basis: Vec<Vec<Int>>,
    /// The pivot row of each column.
    pivots: Vec<usize>,
}

/// The points outside of a lattice that fail at one row: a system over the point, followed by the
/// coordinates of the pivots above the row, and more variables.
#[derive(Clone, Debug)]
pub struct Outside {
    /// Number of coordinates, which are the variables after the point.
    pub n_coordinate: usize,
    /// The constraints.
    pub system: System,
}

/// An affine form with a denominator: `(row . [1, x]) / denom`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fraction {
    /// Numerator over `[1 | x]`.
    pub row: Row,
    /// Positive denominator.
    pub denom: Int,
}

impl Lattice {
    /// The lattice of all integer points.
    pub fn all(n: usize) -> Lattice {
        Lattice::generated(vec![Int::ZERO; n], &Matrix::identity(n).to_rows())
    }

    /// The lattice `origin + integer combinations of the generators`, which may be dependent.
    pub fn generated(origin: Vec<Int>, generators: &[Vec<Int>]) -> Lattice {
        let n = origin.len();
        let columns = Matrix::from_rows(generators.to_vec(), n).transpose();
        let form = hermite::left_hermite(&columns);
        let basis = (0..form.rank).map(|k| form.h.col(k)).collect();
        let mut lattice = Lattice { origin, basis, pivots: form.pivot_rows };
        for k in 0..lattice.rank() {
            let column = lattice.basis[k].clone();
            let row = lattice.pivots[k];
            let factor = lattice.origin[row].div_floor(&column[row]);
            poly_linalg::vector::add_multiple(&mut lattice.origin, &-factor, &column);
        }
        lattice
    }

    /// The integer solutions of `row . [1, x] = 0` for all rows; `None` if there are none.
    pub fn solutions(n: usize, eqs: &[Row]) -> Option<Lattice> {
        let rows = eqs.iter().map(|r| r[1..].to_vec()).collect();
        let rhs: Vec<Int> = eqs.iter().map(|r| -&r[0]).collect();
        let found = hermite::solve_integer(&Matrix::from_rows(rows, n), &rhs)?;
        Some(Lattice::generated(found.particular, &found.kernel.to_rows()))
    }

    /// Dimension of the space around.
    pub fn n(&self) -> usize {
        self.origin.len()
    }

    /// Number of coordinates.
    pub fn rank(&self) -> usize {
        self.basis.len()
    }

    /// The point with coordinates zero.
    pub fn origin(&self) -> &[Int] {
        &self.origin
    }

    /// The columns of the basis.
    pub fn basis(&self) -> &[Vec<Int>] {
        &self.basis
    }

    /// The pivot row of each column.
    pub fn pivots(&self) -> &[usize] {
        &self.pivots
    }

    /// Whether this is the lattice of all integer points.
    pub fn is_all(&self) -> bool {
        self.rank() == self.n() && self.basis.iter().zip(&self.pivots).all(|(c, &p)| c[p].is_one())
    }

    /// The point with the given coordinates.
    pub fn point(&self, coordinates: &[Int]) -> Vec<Int> {
        let mut point = self.origin.clone();
        for (column, t) in self.basis.iter().zip(coordinates) {
            poly_linalg::vector::add_multiple(&mut point, t, column);
        }
        point
    }

    /// The coordinates of a point, `None` if it is not in the lattice.
    pub fn coordinates(&self, point: &[Int]) -> Option<Vec<Int>> {
        let mut rest: Vec<Int> = point.iter().zip(&self.origin).map(|(x, o)| x - o).collect();
        let mut coordinates = Vec::with_capacity(self.rank());
        for (column, &row) in self.basis.iter().zip(&self.pivots) {
            let t = rest[row].div_floor(&column[row]);
            poly_linalg::vector::add_multiple(&mut rest, &-&t, column);
            coordinates.push(t);
        }
        poly_linalg::vector::is_zero(&rest).then_some(coordinates)
    }

    /// Whether a point is in the lattice.
    pub fn contains(&self, point: &[Int]) -> bool {
        self.coordinates(point).is_some()
    }

    /// Whether every point of `other` is in this lattice.
    pub fn includes(&self, other: &Lattice) -> bool {
        let moved = |c: &Vec<Int>| -> Vec<Int> { c.iter().zip(&other.origin).map(|(a, b)| a + b).collect() };
        self.contains(&other.origin) && other.basis.iter().all(|c| self.contains(&moved(c)))
    }

    /// A form over the points as a form over the coordinates.
    pub fn restrict(&self, row: &[Int]) -> Row {
        let mut result = vec![poly_linalg::vector::dot(&row[1..], &self.origin) + &row[0]];
        result.extend(self.basis.iter().map(|c| poly_linalg::vector::dot(&row[1..], c)));
        result
    }

    /// The coordinates as rational affine forms of the point, valid on the lattice.
    pub fn coordinate_forms(&self) -> Vec<Fraction> {
        let mut forms: Vec<Fraction> = Vec::with_capacity(self.rank());
        for (k, &row) in self.pivots.iter().enumerate() {
            let form = self.remainder_form(row, &forms[..k]);
            let denom = &form.denom * &self.basis[k][row];
            forms.push(Fraction::new(form.row, denom));
        }
        forms
    }

    /// `x[row] - origin[row] - sum of basis[row][j] t_j` over the coordinates known so far.
    pub(super) fn remainder_form(&self, row: usize, known: &[Fraction]) -> Fraction {
        let mut num = vec![Int::ZERO; 1 + self.n()];
        num[0] = -&self.origin[row];
        num[1 + row] = Int::ONE;
        let mut denom = Int::ONE;
        for (t, column) in known.iter().zip(&self.basis) {
            if column[row].is_zero() {
                continue;
            }
            let common = (&denom * &t.denom).div_exact(&denom.gcd(&t.denom));
            let (a, b) = (common.div_exact(&denom), &common.div_exact(&t.denom) * &column[row]);
            poly_linalg::vector::combine(&mut num, &a, &t.row, &-b);
            denom = common;
        }
        Fraction::new(num, denom)
    }

    /// The equations of the affine space that the lattice spans.
    pub fn span(&self) -> Vec<Row> {
        let forms = self.coordinate_forms();
        let others = (0..self.n()).filter(|r| !self.pivots.contains(r));
        others.map(|row| self.remainder_form(row, &forms[..self.pivots_above(row)]).row).collect()
    }

    fn pivots_above(&self, row: usize) -> usize {
        self.pivots.iter().filter(|&&p| p < row).count()
    }

    /// The points in both lattices; `None` if there are none.
    pub fn intersect(&self, other: &Lattice) -> Option<Lattice> {
        assert_eq!(self.n(), other.n(), "the lattices are in different spaces");
        let inner = self.coordinates_of(other)?;
        Some(inner.image(&self.matrix(), &self.origin))
    }

    /// The lattice of the coordinates here of those points that are in `other` too; `None` if
    /// there are none.
    pub fn coordinates_of(&self, other: &Lattice) -> Option<Lattice> {
        let r = self.rank();
        let total = r + other.rank();
        let eqs: Vec<Row> = (0..self.n())
            .map(|i| {
                let mut eq = vec![&self.origin[i] - &other.origin[i]];
                eq.extend(self.basis.iter().map(|c| c[i].clone()));
                eq.extend(other.basis.iter().map(|c| -&c[i]));
                eq
            })
            .collect();
        Some(Lattice::solutions(total, &eqs)?.project(0, r))
    }

    /// The basis as a matrix: one column per coordinate.
    pub fn matrix(&self) -> Matrix {
        Matrix::from_rows(self.basis.clone(), self.n()).transpose()
    }

    /// The image under `x -> matrix x + offset`.
    pub fn image(&self, matrix: &Matrix, offset: &[Int]) -> Lattice {
        let mut origin = matrix.mul_vec(&self.origin);
        for (x, by) in origin.iter_mut().zip(offset) {
            *x += by;
        }
        let generators: Vec<Vec<Int>> = self.basis.iter().map(|c| matrix.mul_vec(c)).collect();
        Lattice::generated(origin, &generators)
    }

    /// The integer points whose image under `x -> matrix x + offset` is in the lattice; `None` if
    /// there are none.
    pub fn preimage(&self, matrix: &Matrix, offset: &[Int]) -> Option<Lattice> {
        let n = matrix.cols();
        let eqs: Vec<Row> = (0..self.n())
            .map(|i| {
                let mut eq = vec![&offset[i] - &self.origin[i]];
                eq.extend(matrix.row(i).iter().cloned());
                eq.extend(self.basis.iter().map(|c| -&c[i]));
                eq
            })
            .collect();
        Some(Lattice::solutions(n + self.rank(), &eqs)?.project(0, n))
    }

    /// The lattice of the `n` entries from `first` on.
    pub fn project(&self, first: usize, n: usize) -> Lattice {
        let cut = |v: &Vec<Int>| v[first..first + n].to_vec();
        let generators: Vec<Vec<Int>> = self.basis.iter().map(cut).collect();
        Lattice::generated(cut(&self.origin), &generators)
    }

    /// The smallest lattice that contains both.
    pub fn join(&self, other: &Lattice) -> Lattice {
        let mut generators: Vec<Vec<Int>> = self.basis.iter().chain(&other.basis).cloned().collect();
        generators.push(other.origin.iter().zip(&self.origin).map(|(a, b)| a - b).collect());
        Lattice::generated(self.origin.clone(), &generators)
    }

    /// The integer points outside of the lattice, as disjoint systems: for each row those that are
    /// right in the rows above and wrong in this one.
    pub fn outside(&self) -> Vec<Outside> {
        let mut pieces = Vec::new();
        let mut eqs: Vec<(usize, Option<usize>)> = Vec::new();
        let mut known = 0;
        for row in 0..self.n() {
            let pivot = (self.pivots.get(known) == Some(&row)).then_some(known);
            match pivot {
                Some(k) if self.basis[k][row].is_one() => {}
                Some(k) => pieces.push(self.wrong_remainder(&eqs, row, k)),
                None => pieces.extend(self.wrong_value(&eqs, row, known)),
            }
            eqs.push((row, pivot));
            known += usize::from(pivot.is_some());
        }
        pieces
    }

    /// `x[row] - origin[row] - sum of basis[row][j] t_j` over `[1 | x | t | extra]`.
    fn residual(&self, row: usize, coordinates: usize, extra: usize) -> Row {
        let mut form = vec![Int::ZERO; 1 + self.n() + coordinates + extra];
        form[0] = -&self.origin[row];
        form[1 + row] = Int::ONE;
        for j in 0..coordinates {
            form[1 + self.n() + j] = -&self.basis[j][row];
        }
        form
    }

    /// The rows above hold with the coordinates `t`.
    fn right_so_far(&self, above: &[(usize, Option<usize>)], coordinates: usize, extra: usize) -> System {
        let mut system = System::new(self.n() + coordinates + extra);
        for (row, _) in above {
            system.add_eq(self.residual(*row, coordinates, extra));
        }
        system
    }

    fn wrong_remainder(&self, above: &[(usize, Option<usize>)], row: usize, k: usize) -> Outside {
        let mut system = self.right_so_far(above, k, 1);
        let mut low = self.residual(row, k, 1);
        let pivot = &self.basis[k][row];
        *low.last_mut().expect("there is a variable for the quotient") = -pivot;
        let mut high: Row = low.iter().map(|x| -x).collect();
        low[0] -= &Int::ONE;
        high[0] += &(pivot - &Int::ONE);
        system.add_ineq(low);
        system.add_ineq(high);
        Outside { n_coordinate: k, system }
    }

    fn wrong_value(&self, above: &[(usize, Option<usize>)], row: usize, known: usize) -> [Outside; 2] {
        [1, -1].map(|sign| {
            let mut system = self.right_so_far(above, known, 0);
            let form = self.residual(row, known, 0);
            let mut ineq: Row = form.iter().map(|x| x * &Int::from(sign)).collect();
            ineq[0] -= &Int::ONE;
            system.add_ineq(ineq);
            Outside { n_coordinate: known, system }
        })
    }

    /// The smallest lattice that contains the first `n` variables of all integer points of the
    /// systems; `None` if they have no point.
    ///
    /// A point of each system is a beginning; points outside are added until there are none. No
    /// search is needed once the lattice has all solutions of the equalities, which points near
    /// those that were found usually show. Cost: an integer program for each step \[Karr1976\].
    pub fn hull(n: usize, systems: &[System], budget: &mut Budget) -> Result<Option<Lattice>, Stop> {
        let mut hull: Option<Lattice> = None;
        for system in systems {
            budget.spend(1)?;
            let Some(around) = Lattice::solutions(system.n, &system.eqs) else { continue };
            let around = around.project(0, n);
            if hull.as_ref().is_some_and(|lattice| lattice.includes(&around)) {
                continue;
            }
            let Some(point) = ilp_sample(system, budget)? else { continue };
            let near = Lattice::near(system, &point, n);
            let mut inner = hull.map_or_else(|| near.clone(), |lattice| lattice.join(&near));
            while !inner.includes(&around) {
                let Some(point) = inner.point_outside(system, budget)? else { break };
                inner = inner.join(&Lattice::near(system, &point, n));
            }
            hull = Some(inner);
        }
        Ok(hull)
    }

    /// The lattice of the first `n` variables of a point of a system and of those next to it along
    /// the equalities.
    fn near(system: &System, point: &[Int], n: usize) -> Lattice {
        let steps: Vec<Row> =
            directions(system).into_iter().filter(|step| has_neighbour(system, point, step)).collect();
        let steps: Vec<Row> = steps.iter().map(|step| step[..n].to_vec()).collect();
        Lattice::generated(point[..n].to_vec(), &steps)
    }

    /// Whether points next to a point of a system show that it has a point in each direction of its
    /// equalities, so that the lattice of all solutions of the equalities is the smallest around
    /// its points.
    pub(crate) fn is_all_near(system: &System, point: &[Int]) -> bool {
        directions(system).iter().all(|step| has_neighbour(system, point, step))
    }

    /// A point of the system whose first variables are not in the lattice.
    fn point_outside(&self, system: &System, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
        let n = self.n();
        for piece in self.outside() {
            let extra = piece.system.n - n;
            let mut both = System::new(system.n + extra);
            let own = |r: &Row| -> Row { r.iter().cloned().chain(vec![Int::ZERO; extra]).collect() };
            let added = |r: &Row| -> Row {
                let hidden = vec![Int::ZERO; system.n - n];
                r[..=n].iter().chain(&hidden).chain(&r[n + 1..]).cloned().collect()
            };
            both.eqs.extend(system.eqs.iter().map(own).chain(piece.system.eqs.iter().map(added)));
            both.ineqs.extend(system.ineqs.iter().map(own).chain(piece.system.ineqs.iter().map(added)));
            if let Some(mut point) = ilp_sample(&both, budget)? {
                point.truncate(system.n);
                return Ok(Some(point));
            }
        }
        Ok(None)
    }
}

/// A basis of the differences of integer solutions of the equalities.
fn directions(system: &System) -> Vec<Row> {
    let rows = system.eqs.iter().map(|r| r[1..].to_vec()).collect();
    hermite::kernel(&Matrix::from_rows(rows, system.n)).to_rows()
}

/// Whether a step from a point of a system, forward or backward, leads to a point.
fn has_neighbour(system: &System, point: &[Int], step: &[Int]) -> bool {
    [Int::ONE, Int::NEG_ONE].iter().any(|sign| {
        let moved: Row = point.iter().zip(step).map(|(p, d)| p + &(sign * d)).collect();
        system.contains(&moved)
    })
}

impl Fraction {
    /// The form in lowest terms.
    pub fn new(mut row: Row, mut denom: Int) -> Fraction {
        let common = Int::row_gcd(&row).gcd(&denom);
        if !common.is_one() {
            row.iter_mut().for_each(|x| *x = x.div_exact(&common));
            denom = denom.div_exact(&common);
        }
        Fraction { row, denom }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(values: &[i64]) -> Vec<Int> {
        values.iter().map(|&x| Int::from(x)).collect()
    }

    fn lattice(origin: &[i64], generators: &[&[i64]]) -> Lattice {
        let generators: Vec<Vec<Int>> = generators.iter().map(|g| ints(g)).collect();
        Lattice::generated(ints(origin), &generators)
    }

    fn points(size: i64) -> impl Iterator<Item = Vec<Int>> {
        (-size..=size).flat_map(move |x| (-size..=size).map(move |y| ints(&[x, y])))
    }

    /// Whether a point is `origin + a g + b h` for small `a` and `b`.
    fn brute(point: &[Int], origin: &[i64], generators: &[&[i64]]) -> bool {
        let zero: &[i64] = &[0, 0];
        let (g, h) = (generators.first().unwrap_or(&zero), generators.get(1).unwrap_or(&zero));
        (-30..=30).any(|a| (-30..=30).any(|b| (0..2).all(|i| point[i] == origin[i] + a * g[i] + b * h[i])))
    }

    const CASES: [(&[i64], &[&[i64]]); 5] = [
        (&[1, 0], &[&[2, 1], &[0, 3]]),
        (&[0, 0], &[&[4, 6], &[6, 4]]),
        (&[5, -3], &[&[2, 4]]),
        (&[1, 1], &[]),
        (&[3, 2], &[&[0, 2], &[3, 1]]),
    ];

    #[test]
    fn membership_and_outside_agree_with_enumeration() {
        for (origin, generators) in CASES {
            let l = lattice(origin, generators);
            for p in points(5) {
                let inside = brute(&p, origin, generators);
                assert_eq!(l.contains(&p), inside, "{p:?} in {l:?}");
                let fixed = |s: &System| {
                    let mut s = s.clone();
                    for (i, x) in p.iter().enumerate() {
                        let mut eq = vec![Int::ZERO; 1 + s.n];
                        eq[0] = -x;
                        eq[1 + i] = Int::ONE;
                        s.add_eq(eq);
                    }
                    ilp_sample(&s, &mut Budget::unlimited()).unwrap().is_some()
                };
                let out = l.outside().iter().filter(|o| fixed(&o.system)).count();
                assert_eq!(out, usize::from(!inside), "{p:?} outside {l:?}");
            }
        }
    }

    #[test]
    fn intersection_join_and_preimage() {
        let matrix = Matrix::from_rows(vec![ints(&[1, 2]), ints(&[0, 3])], 2);
        let offset = ints(&[1, 0]);
        for (o1, g1) in CASES {
            for (o2, g2) in CASES {
                let (a, b) = (lattice(o1, g1), lattice(o2, g2));
                let both = a.intersect(&b);
                for p in points(6) {
                    let expected = a.contains(&p) && b.contains(&p);
                    assert_eq!(both.as_ref().is_some_and(|l| l.contains(&p)), expected, "{a:?} {b:?} {p:?}");
                }
                let join = a.join(&b);
                assert!(join.includes(&a) && join.includes(&b));
            }
            let a = lattice(o1, g1);
            let pre = a.preimage(&matrix, &offset);
            for p in points(4) {
                let mut image = matrix.mul_vec(&p);
                image[0] += &Int::ONE;
                assert_eq!(pre.as_ref().is_some_and(|l| l.contains(&p)), a.contains(&image), "{p:?}");
            }
        }
    }

    #[test]
    fn coordinates_are_affine_forms() {
        let l = lattice(&[1, 0], &[&[2, 1], &[0, 3]]);
        let forms = l.coordinate_forms();
        for t in points(3) {
            let point = l.point(&t);
            assert_eq!(l.coordinates(&point), Some(t.clone()));
            for (form, t) in forms.iter().zip(&t) {
                let value = poly_linalg::vector::dot(&form.row[1..], &point) + &form.row[0];
                assert_eq!(value, &form.denom * t);
            }
        }
    }

    #[test]
    fn hull_of_points_that_lie_sparsely_by_accident() {
        // 0 <= x <= 10, 3x <= 2y <= 3x: y = 3x/2, so x is even and y divisible by 3.
        let mut system = System::new(2);
        system.add_ineq(ints(&[0, 1, 0]));
        system.add_ineq(ints(&[10, -1, 0]));
        system.add_ineq(ints(&[0, -3, 2]));
        system.add_ineq(ints(&[0, 3, -2]));
        let hull = Lattice::hull(2, &[system], &mut Budget::unlimited()).unwrap().unwrap();
        assert_eq!(hull, lattice(&[0, 0], &[&[2, 3]]));
    }
}
