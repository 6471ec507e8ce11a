//! Z-polyhedra: the points of a lattice whose coordinates are in a polyhedron.
//!
//! A [`ZPolyhedron`] is `{ o + B t : t integer, A t + c >= 0 }`.
//!
//! **Canonical form.** The lattice is in Hermite normal form, and the smallest one that the
//! rational shape of the polyhedron asks for: no inequality holds with equality for all
//! coordinates. Inequalities are divided by the gcd of their coefficients (constants rounded down),
//! not redundant, and sorted. It is reached by turning implicit equalities into a lattice of lower
//! rank until there are none; the empty Z-polyhedron is not represented.
//!
//! **Forms.** A coordinate is a rational affine form of the point, valid on the lattice
//! ([`Lattice::coordinate_forms`]). So an inequality over coordinates is one over points, up to a
//! positive factor, and can be carried over to the coordinates of any lattice inside.

use std::fmt;

use poly_arith::Int;
use poly_linalg::{Matrix, hermite};

use super::lattice::{Fraction, Lattice};
use crate::basic::Row;
use crate::budget::{Budget, Stop};
use crate::print::affine_text;
use crate::row;
use crate::solver::{System, ilp_is_empty, implicit_equalities, remove_redundant};

/// A lattice and a polyhedron of its coordinates, see the [module documentation](self).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ZPolyhedron {
    lattice: Lattice,
    /// Inequalities over `[1 | coordinates]`.
    ineqs: Vec<Row>,
}

/// A form over coordinates as an integer form over points: their quotient is the positive `scale`.
pub(super) struct PointForm {
    row: Row,
    scale: Int,
}

impl PointForm {
    /// The form over `[1 | coordinates]` of a lattice with these coordinate forms.
    pub(super) fn of(form: &[Int], coordinates: &[Fraction], n: usize) -> PointForm {
        let used = form[1..].iter().zip(coordinates).filter(|(x, _)| !x.is_zero());
        let scale = used.clone().fold(Int::ONE, |scale, (_, t)| scale.lcm(&t.denom));
        let mut row = row::zeros(1 + n);
        row[0] = &form[0] * &scale;
        for (x, t) in used {
            row::add_scaled(&mut row, &(x * &scale.div_exact(&t.denom)), &t.row);
        }
        PointForm { row, scale }
    }

    /// The inequality that the form is not negative.
    pub(super) fn nonnegative(&self) -> Row {
        self.row.clone()
    }

    /// The inequality that the form over coordinates is at most -1.
    pub(super) fn negative(&self) -> Row {
        let mut row = row::negated(&self.row);
        row[0] -= &self.scale;
        row
    }
}

impl ZPolyhedron {
    /// The points of a lattice.
    pub fn from_lattice(lattice: Lattice) -> ZPolyhedron {
        ZPolyhedron { lattice, ineqs: Vec::new() }
    }

    /// The integer points of a system; `None` if there are no rational ones on the lattice of its
    /// equalities. A linear program per inequality and step.
    pub fn from_system(system: &System, budget: &mut Budget) -> Result<Option<ZPolyhedron>, Stop> {
        match Lattice::solutions(system.n, &system.eqs) {
            Some(lattice) => ZPolyhedron::within(lattice, &system.ineqs, budget),
            None => Ok(None),
        }
    }

    /// The points of a lattice that satisfy inequalities over `[1 | point]`, in canonical form;
    /// `None` if the polyhedron of the coordinates has no rational point. Cost: a linear program
    /// for each inequality, beginning where the last one ended \[DetlefsNelsonSaxe2005\].
    pub fn within(mut lattice: Lattice, ineqs: &[Row], budget: &mut Budget) -> Result<Option<ZPolyhedron>, Stop> {
        loop {
            let mut inner = System::new(lattice.rank());
            inner.ineqs.extend(ineqs.iter().map(|r| lattice.restrict(r)));
            implicit_equalities(&mut inner, budget)?;
            if inner.eqs.is_empty() {
                remove_redundant(&mut inner, budget)?;
                inner.ineqs.sort_unstable();
                return Ok(Some(ZPolyhedron { lattice, ineqs: inner.ineqs }));
            }
            let Some(part) = Lattice::solutions(inner.n, &inner.eqs) else { return Ok(None) };
            lattice = part.image(&lattice.matrix(), lattice.origin());
        }
    }

    /// The lattice.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// The inequalities over `[1 | coordinates]`.
    pub fn ineqs(&self) -> &[Row] {
        &self.ineqs
    }

    /// Dimension of the space around.
    pub fn n(&self) -> usize {
        self.lattice.n()
    }

    /// Whether a point belongs to the Z-polyhedron.
    pub fn contains(&self, point: &[Int]) -> bool {
        let inside = |t: Vec<Int>| self.ineqs.iter().all(|r| !row::evaluate(r, &t).is_neg());
        self.lattice.coordinates(point).is_some_and(inside)
    }

    /// Whether there is no point: integer programming over the coordinates.
    pub fn is_empty(&self, budget: &mut Budget) -> Result<bool, Stop> {
        let system = System { n: self.lattice.rank(), eqs: Vec::new(), ineqs: self.ineqs.clone() };
        ilp_is_empty(&system, budget)
    }

    /// The inequalities as forms over points.
    pub(super) fn point_forms(&self) -> Vec<PointForm> {
        let coordinates = self.lattice.coordinate_forms();
        self.ineqs.iter().map(|r| PointForm::of(r, &coordinates, self.n())).collect()
    }

    /// The inequalities over `[1 | point]`, valid on the lattice.
    pub fn point_ineqs(&self) -> Vec<Row> {
        self.point_forms().iter().map(PointForm::nonnegative).collect()
    }

    /// The points in both.
    /// Cost: Hermite normal forms, and that of [`ZPolyhedron::within`].
    pub fn intersect(&self, other: &ZPolyhedron, budget: &mut Budget) -> Result<Option<ZPolyhedron>, Stop> {
        let Some(lattice) = self.lattice.intersect(&other.lattice) else { return Ok(None) };
        let ineqs: Vec<Row> = self.point_ineqs().into_iter().chain(other.point_ineqs()).collect();
        ZPolyhedron::within(lattice, &ineqs, budget)
    }

    /// The points here that are not in `other`, as disjoint pieces: those outside of its lattice,
    /// then for each of its inequalities those that violate it and satisfy the earlier ones. Pieces
    /// without integer points are left out. Cost: an integer program for each piece; there is one
    /// for each inequality and each coset of the lattice \[CookRutherford1993\].
    pub fn subtract(&self, other: &ZPolyhedron, budget: &mut Budget) -> Result<Vec<ZPolyhedron>, Stop> {
        let Some(common) = self.intersect(other, budget)? else { return Ok(vec![self.clone()]) };
        if common.is_empty(budget)? {
            return Ok(vec![self.clone()]);
        }
        let own = self.point_ineqs();
        let mut pieces = Vec::new();
        let inner = self.lattice.coordinates_of(&other.lattice).expect("the lattices have a point in common");
        let forms = self.lattice.coordinate_forms();
        for (lattice, ineq) in inner.complement(budget)? {
            budget.spend(1)?;
            let image = lattice.image(&self.lattice.matrix(), self.lattice.origin());
            let added = ineq.iter().map(|r| PointForm::of(r, &forms, self.n()).nonnegative());
            let rows: Vec<Row> = own.iter().cloned().chain(added).collect();
            pieces.extend(ZPolyhedron::within(image, &rows, budget)?);
        }
        let lattice = inner.image(&self.lattice.matrix(), self.lattice.origin());
        let mut rows = own;
        for form in other.point_forms() {
            rows.push(form.negative());
            pieces.extend(ZPolyhedron::within(lattice.clone(), &rows, budget)?);
            rows.pop();
            rows.push(form.nonnegative());
        }
        let mut result = Vec::with_capacity(pieces.len());
        for piece in pieces {
            budget.spend(1)?;
            if !piece.is_empty(budget)? {
                result.push(piece);
            }
        }
        Ok(result)
    }

    /// The integer points whose image under `x -> matrix x + offset` belongs to the Z-polyhedron.
    /// Cost: Hermite normal forms, and that of [`ZPolyhedron::within`].
    pub fn preimage(&self, matrix: &Matrix, offset: &[Int], budget: &mut Budget) -> Result<Option<ZPolyhedron>, Stop> {
        let Some(lattice) = self.lattice.preimage(matrix, offset) else { return Ok(None) };
        let compose = |form: Row| -> Row {
            let constant = row::evaluate(&form, offset);
            std::iter::once(constant).chain(matrix.vec_mul(&form[1..])).collect()
        };
        let ineqs: Vec<Row> = self.point_ineqs().into_iter().map(compose).collect();
        ZPolyhedron::within(lattice, &ineqs, budget)
    }

    /// The image under `x -> matrix x + offset`, if the function is injective on the lattice;
    /// `None` if it is not, in which case the image need not be a single Z-polyhedron. Cost:
    /// Hermite normal forms; the inequalities are kept.
    pub fn injective_image(
        &self,
        matrix: &Matrix,
        offset: &[Int],
        budget: &mut Budget,
    ) -> Result<Option<ZPolyhedron>, Stop> {
        let columns = matrix.mul(&self.lattice.matrix());
        let form = hermite::left_hermite(&columns);
        if form.rank < self.lattice.rank() {
            return Ok(None);
        }
        let lattice = self.lattice.image(matrix, offset);
        let base = Lattice::generated(self.lattice.origin().to_vec(), &[]).image(matrix, offset);
        // The old coordinates of a new point.
        let old = |point: &[Int]| -> Vec<Int> {
            let difference: Vec<Int> = point.iter().zip(base.origin()).map(|(x, o)| x - o).collect();
            form.particular_solution(&difference).expect("the point is an image")
        };
        let zero = old(lattice.origin());
        let unit = |k: usize| -> Vec<Int> {
            let mut coordinates = row::zeros(lattice.rank());
            coordinates[k] = Int::ONE;
            old(&lattice.point(&coordinates)).iter().zip(&zero).map(|(a, b)| a - b).collect()
        };
        let units: Vec<Vec<Int>> = (0..lattice.rank()).map(unit).collect();
        let new_forms = lattice.coordinate_forms();
        let translate = |r: &Row| -> Row {
            let mut over_new = vec![row::evaluate(r, &zero)];
            over_new.extend(units.iter().map(|u| poly_linalg::vector::dot(&r[1..], u)));
            PointForm::of(&over_new, &new_forms, lattice.n()).nonnegative()
        };
        let ineqs: Vec<Row> = self.ineqs.iter().map(translate).collect();
        ZPolyhedron::within(lattice, &ineqs, budget)
    }
}

impl fmt::Display for ZPolyhedron {
    /// The point as a function of the coordinates, and the inequalities.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = (0..self.lattice.rank()).map(|k| format!("t{k}")).collect();
        let entry = |i: usize| {
            let mut form = vec![self.lattice.origin()[i].clone()];
            form.extend(self.lattice.basis().iter().map(|column| column[i].clone()));
            affine_text(&form, &names)
        };
        let entries: Vec<String> = (0..self.n()).map(entry).collect();
        write!(f, "[{}]", entries.join(", "))?;
        for (i, r) in self.ineqs.iter().enumerate() {
            write!(f, "{}{} >= 0", if i == 0 { " : " } else { " and " }, affine_text(r, &names))?;
        }
        Ok(())
    }
}

impl fmt::Debug for ZPolyhedron {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
