//! Affine forms that are not negative on a dependence.
//!
//! # Problem
//! Whether `f(x, y) = c0 + cp . n + cx . x + cy . y >= 0` holds on all points of a polyhedron is a linear condition on the
//! coefficients (Farkas' lemma): `f` must be a non-negative combination of the constraints and the constant 1. The set of
//! these coefficients is a cone; its constraints, with the multipliers eliminated, are computed once per dependence and
//! then filled with the unknown coefficients of schedules, as in [Feautrier1992a] and [Bondhugula2008].
//!
//! Integer divisions of the dependence do not occur in schedules: their coefficients are zero.

use poly_presburger::budget::{Budget, Stop};
use poly_presburger::solver::{System, farkas};
use poly_presburger::{BasicMap, DimKind};

/// The cone over `[c0, cp, cx, cy]` of the forms that are not negative on a relation.
pub(crate) fn cone(relation: &BasicMap, budget: &mut Budget) -> Result<System, Stop> {
    let all = farkas::coefficients(&relation.to_system(), budget)?;
    let kept = 1 + relation.offset(DimKind::Div);
    let cut = |rows: Vec<Vec<poly_arith::Int>>| {
        let rows = rows.into_iter().map(|row| row[..kept].to_vec());
        rows.filter(|row| row.iter().any(|x| !x.is_zero())).collect()
    };
    Ok(System { n: kept - 1, eqs: cut(all.eqs), ineqs: cut(all.ineqs) })
}
