//! Strides and lattices.

use poly_arith::Int;

use super::Check;
use crate::case::{Case, ints};
use crate::model::{ANY, Kind};

pub(super) const CHECKS: &[Check] =
    &[Check { name: "set.stride_info", run: stride_info }, Check { name: "set.lattice_hull", run: lattice_hull }];

/// Every point has a dimension that is the offset plus a multiple of the stride.
fn stride_info(c: &mut Case<'_>) -> Option<()> {
    let kind = Kind { boxed: c.random.one_in(2), ..ANY };
    let a = c.set(2, kind)?;
    if a.n() == 0 {
        return Some(());
    }
    let set = c.exact(&a.set).into_set();
    let last = a.n() - 1;
    let found = set.stride_info(last, &mut c.budget()).ok()?;
    for p in c.points(a.n()).iter().filter(|p| a.holds(p)) {
        let (params, dims) = p.split_at(c.n_param());
        let offset = found.offset.eval(&ints(params), &ints(dims)).to_int().expect("offsets are integers");
        let rest = Int::from(dims[last]) - offset;
        let fits = if found.stride.is_zero() { rest.is_zero() } else { rest.mod_floor(&found.stride).is_zero() };
        assert!(fits, "{p:?}: stride {} from {}", found.stride, found.offset);
    }
    Some(())
}

/// Every point is in the lattice.
fn lattice_hull(c: &mut Case<'_>) -> Option<()> {
    let kind = Kind { boxed: c.random.one_in(2), ..ANY };
    let a = c.set(2, kind)?;
    let set = c.exact(&a.set);
    match set.lattice_hull(&mut c.budget()).ok()? {
        None => assert!(a.isl.is_empty()?, "{set} is not empty"),
        Some(hull) => {
            for p in c.points(a.n()).iter().filter(|p| a.holds(p)) {
                assert!(hull.contains(&ints(p)), "{p:?} is not in {hull:?}");
            }
        }
    }
    Some(())
}
