//! The cone of affine forms that are nonnegative on a set.

use poly_arith::Int;

use crate::basic::{BasicMap, BasicSet, Row};
use crate::budget::{Budget, Stop};
use crate::row;
use crate::solver::{System, farkas};
use crate::space::{DimKind, Id, Space, Tuple};
use crate::trace;

/// The coefficients `(c_cst, c_p, c_x)` of all affine forms `c_cst + c_p . p + c_x . x` that are
/// nonnegative on the rational relaxation of a basic set over parameters `p` and dimensions `x`, in
/// the space `{ coefficients[[c_cst, params] -> [dims]] }`. Divs of the set take part as variables
/// with coefficient zero. Cost: double description, exponential in the number of dimensions
/// \[Feautrier1992\], \[Chernikova1965\].
pub fn farkas_coefficients(set: &BasicSet, budget: &mut Budget) -> Result<BasicSet, Stop> {
    let _running = trace::operation("farkas_coefficients", &[set]);
    let n = set.n_var();
    let cone = farkas::coefficients(&set.to_system(), budget)?;
    let width = n + 2;
    let without_divs = |rows: Vec<Row>| -> Vec<Row> {
        rows.into_iter()
            .map(|mut r| {
                r.truncate(width);
                r
            })
            .collect()
    };
    let mut system = System { n: n + 1, eqs: without_divs(cone.eqs), ineqs: without_divs(cone.ineqs) };
    if set.n_div() > 0 {
        crate::solver::redundancy::implicit_equalities_rational(&mut system, budget)?;
        crate::solver::redundancy::remove_redundant_rational(&mut system, budget)?;
    }
    let mut result = BasicMap::universe(coefficient_space(set.space()));
    system.eqs.into_iter().filter(|r| !row::is_zero(r)).for_each(|r| result.add_eq(r));
    let needed = |r: &Row| r[1..].iter().any(|x| *x != Int::ZERO);
    system.ineqs.into_iter().filter(needed).for_each(|r| result.add_ineq(r));
    Ok(result.normalized().into_basic_set())
}

/// The cone over `[c_cst, c_p, c_in, c_out]` of the affine forms over the parameters and dimensions
/// of a basic relation that are nonnegative on its rational relaxation. As in
/// [`farkas_coefficients`], divs take part with coefficient zero; constraints that become trivial
/// are left out. Implied constraints may be left. Cost: double description, exponential in the
/// number of dimensions \[Feautrier1992\], \[Chernikova1965\].
pub fn farkas_cone(relation: &BasicMap, budget: &mut Budget) -> Result<System, Stop> {
    let _running = trace::operation("farkas_cone", &[relation]);
    let all = farkas::coefficients(&relation.to_system(), budget)?;
    let kept = 1 + relation.offset(DimKind::Div);
    let cut = |rows: Vec<Row>| {
        let rows = rows.into_iter().map(|row| row[..kept].to_vec());
        rows.filter(|row| !row::is_zero(row)).collect()
    };
    Ok(System { n: kept - 1, eqs: cut(all.eqs), ineqs: cut(all.ineqs) })
}

/// The space of the coefficients of affine forms over a set space.
fn coefficient_space(space: &Space) -> Space {
    let mut first = Tuple::anonymous(1 + space.dim(DimKind::Param));
    first.dims[0] = Some(Id::new("c_cst"));
    for (dim, p) in first.dims[1..].iter_mut().zip(&space.params) {
        *dim = Some(Id::from(format!("c_{p}")));
    }
    let mut second = Tuple::anonymous(space.dim(DimKind::Out));
    for (i, dim) in second.dims.iter_mut().enumerate() {
        let name = match space.dim_name(DimKind::Out, i) {
            Some(id) => format!("c_{id}"),
            None => format!("c_{i}"),
        };
        *dim = Some(Id::from(name));
    }
    let tuple = Tuple { name: Some(Id::new("coefficients")), ..Tuple::wrapping(first, second) };
    Space::set(Vec::new(), tuple)
}
