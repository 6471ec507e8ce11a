//! The number of points of one conjunction.
//!
//! [`count`] lifts the conjunction to a parametric polytope (`lift.rs`), which may be a product of
//! several; for each it finds the vertices and chambers (`chambers.rs`), decomposes the cones of
//! the vertices (`cone.rs`, with lattice reduction of \[Cohen1993\] in [`poly_linalg::lll`]), and
//! adds up for each chamber what the cones of its vertices contribute (`residue.rs`).

mod bernstein;
mod chambers;
mod cone;
mod lift;
mod residue;

use std::sync::Arc;

use poly_arith::{Int, Rational};
use poly_linalg::vector;
use poly_presburger::{BasicMap, Budget, Row, Space, Stop};

use crate::piecewise::PwQuasiPolynomial;
use crate::polynomial::Polynomial;
use crate::quasi::floors::Floors;
pub(crate) use bernstein::{Bounds, bounds};
use chambers::{Chamber, Decomposition};
use cone::Unimodular;
use lift::{Lifted, Origin, Parametric};

/// The number of range points for each point of the domain `space` (parameters only for a set) of a
/// basic map all of whose divisions are known; `None` if there are infinitely many for every point
/// of the domain that has any.
pub(crate) fn count(
    basic: &BasicMap,
    space: &Arc<Space>,
    budget: &mut Budget,
) -> Result<Option<PwQuasiPolynomial>, Stop> {
    let zero = || Some(PwQuasiPolynomial::zero(Arc::clone(space)));
    let Some(Lifted { polytope, origin, .. }) = lift::lift(basic, space, budget)? else { return Ok(zero()) };
    if !polytope.is_bounded(budget)? {
        return Ok(if basic.is_empty(budget)? { zero() } else { None });
    }
    let mut factors = polytope.factors().into_iter();
    let first = factors.next().expect("there is at least one factor");
    let mut product = count_points(&first, &origin, budget)?;
    for factor in factors {
        product = product.mul(&count_points(&factor, &origin, budget)?, budget)?;
    }
    Ok(Some(product))
}

/// The number of integer points of a bounded polytope.
fn count_points(polytope: &Parametric, origin: &Origin, budget: &mut Budget) -> Result<PwQuasiPolynomial, Stop> {
    let mut result = PwQuasiPolynomial::zero(Arc::clone(origin.space()));
    let decomposition = chambers::decompose(polytope, budget)?;
    let (floors, functions) = functions(polytope, &decomposition, budget)?;
    for chamber in &decomposition.chambers {
        let domain = origin.domain(&conditions(chamber), budget)?;
        if domain.plain_is_empty() {
            continue;
        }
        let mut sum = Polynomial::zero();
        for &vertex in &chamber.vertices {
            budget.spend(functions[vertex].len() as u64)?;
            sum.add_multiple(&Rational::ONE, &functions[vertex]);
        }
        result.push_disjoint(domain, origin.pull_back(&floors, &sum, budget)?);
    }
    Ok(result)
}

/// The integer points of a chamber: rows over `[1 | t]`.
fn conditions(chamber: &Chamber) -> Vec<Row> {
    let condition = |wall: &chambers::Wall| {
        let mut row = wall.row.clone();
        if !wall.closed {
            row[0] -= &Int::ONE;
        }
        row
    };
    chamber.walls.iter().map(condition).collect()
}

/// What each vertex contributes, over one table of divisions of the parameters `t`.
fn functions(
    polytope: &Parametric,
    decomposition: &Decomposition,
    budget: &mut Budget,
) -> Result<(Floors, Vec<Polynomial>), Stop> {
    let n = polytope.n_var;
    let mut cones: Vec<Vec<Unimodular>> = Vec::with_capacity(decomposition.vertices.len());
    for vertex in &decomposition.vertices {
        let normal = |&i: &usize| polytope.rows[i][1 + polytope.n_param..].to_vec();
        let normals: Vec<Row> = vertex.tight.iter().map(normal).filter(|row| !vector::is_zero(row)).collect();
        cones.push(cone::decompose(n, &normals, budget)?);
    }
    let rays: Vec<&[Int]> = cones.iter().flatten().flat_map(|cone| cone.rays.iter_rows()).collect();
    let direction = residue::generic_vector(n, &rays, budget)?;
    let series = residue::todd_series(n);
    let mut floors = Floors::new(polytope.n_param);
    let mut functions = Vec::with_capacity(cones.len());
    for (vertex, cones) in decomposition.vertices.iter().zip(&cones) {
        let mut sum = Polynomial::zero();
        for cone in cones {
            let part = residue::contribution(vertex, cone, &direction, &series, &mut floors, budget)?;
            sum.add_multiple(&Rational::ONE, &part);
        }
        functions.push(sum);
    }
    Ok((floors, functions))
}
