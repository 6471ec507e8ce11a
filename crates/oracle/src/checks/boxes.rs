//! Fixing, bounding, inserting, moving and aligning dimensions.

use poly_presburger::{DimKind, Map, Set};

use super::Check;
use crate::case::{Case, Tuple};
use crate::isl;
use crate::model::ANY;

pub(super) const CHECKS: &[Check] = &[
    Check { name: "set.fix", run: fix },
    Check { name: "set.lower_bound", run: lower_bound },
    Check { name: "set.upper_bound", run: upper_bound },
    Check { name: "set.equate and order", run: order },
    Check { name: "set.insert_dims", run: insert_dims },
    Check { name: "set.move_dims", run: move_dims },
    Check { name: "set.align_params", run: align_params },
    Check { name: "set.drop_constraints", run: drop_constraints },
    Check { name: "set.flatten and rename", run: rename },
];

fn small(value: i64) -> i32 {
    i32::try_from(value).expect("the value is small")
}

fn fix(c: &mut Case<'_>) -> Option<()> {
    let a = c.set_in(&Tuple::Flat("S", 2), ANY)?;
    let (value, at) = (c.random.range(-4, 4), c.random.size(0, 1));
    let k = c.n_param() + at;
    let part = a.set.fix(DimKind::Out, at, value);
    c.same_points(&part, 2, |p| p[k] == value && a.holds(p));
    c.same_set(&part, &a.isl.fix(isl::DIM_SET, at, small(value))?)?;
    if c.n_param() > 0 {
        let part = a.set.fix(DimKind::Param, 0, value);
        c.same_set(&part, &a.isl.fix(isl::DIM_PARAM, 0, small(value))?)?;
    }
    Some(())
}

fn lower_bound(c: &mut Case<'_>) -> Option<()> {
    let a = c.set_in(&Tuple::Flat("S", 2), ANY)?;
    let (value, at) = (c.random.range(-4, 4), c.random.size(0, 1));
    let k = c.n_param() + at;
    let part = a.set.lower_bound(DimKind::Out, at, value);
    c.same_points(&part, 2, |p| p[k] >= value && a.holds(p));
    c.same_set(&part, &a.isl.lower_bound(isl::DIM_SET, at, small(value))?)
}

fn upper_bound(c: &mut Case<'_>) -> Option<()> {
    let a = c.set_in(&Tuple::Flat("S", 2), ANY)?;
    let (value, at) = (c.random.range(-4, 4), c.random.size(0, 1));
    let k = c.n_param() + at;
    let part = a.set.upper_bound(DimKind::Out, at, value);
    c.same_points(&part, 2, |p| p[k] <= value && a.holds(p));
    c.same_set(&part, &a.isl.upper_bound(isl::DIM_SET, at, small(value))?)
}

fn order(c: &mut Case<'_>) -> Option<()> {
    let a = c.set_in(&Tuple::Flat("", 2), ANY)?;
    let k = c.n_param();
    c.same_points(&a.set.order_gt(DimKind::Out, 0, DimKind::Out, 1), 2, |p| p[k] > p[k + 1] && a.holds(p));
    c.same_points(&a.set.order_ge(DimKind::Out, 1, DimKind::Out, 0), 2, |p| p[k + 1] >= p[k] && a.holds(p));
    c.same_points(&a.set.equate(DimKind::Out, 0, DimKind::Out, 1), 2, |p| p[k] == p[k + 1] && a.holds(p));
    if k == 1 {
        c.same_points(&a.set.equate(DimKind::Param, 0, DimKind::Out, 1), 2, |p| p[0] == p[2] && a.holds(p));
    }
    Some(())
}

fn insert_dims(c: &mut Case<'_>) -> Option<()> {
    let a = c.set_in(&Tuple::Flat("", 2), ANY)?;
    let at = c.random.size(0, 2);
    let k = c.n_param() + at;
    let wider = a.set.insert_dims(DimKind::Out, at, 1);
    c.same_points(&wider, 3, |p| a.holds(&[&p[..k], &p[k + 1..]].concat()));
    let back = wider.project_out(DimKind::Out, at, 1);
    c.same_points(&back, 2, |p| a.holds(p));
    Some(())
}

fn move_dims(c: &mut Case<'_>) -> Option<()> {
    let a = c.set_in(&Tuple::Flat("", 3), ANY)?;
    let k = c.n_param();
    let moved = a.set.move_dims(DimKind::Out, 2, DimKind::Out, 0, 1);
    let back = |p: &[i64]| [&p[..k], &[p[k + 2], p[k], p[k + 1]]].concat();
    c.same_points(&moved, 3, |p| a.holds(&back(p)));
    // A dimension becomes the last parameter.
    let param = a.set.move_dims(DimKind::Param, k, DimKind::Out, 0, 1);
    for p in c.points(3) {
        let (params, dims) = p.split_at(k + 1);
        let found = param.contains(&crate::case::ints(params), &crate::case::ints(dims));
        assert!(c.n_param() > 1 || found == a.holds(&p), "{p:?} in {param}");
    }
    Some(())
}

/// Sets over different parameters, and the same parameters in another order.
fn align_params(c: &mut Case<'_>) -> Option<()> {
    c.set_n_param(2);
    let tuple = Tuple::Flat("S", 2);
    let a = c.set_in(&tuple, ANY)?;
    let b = c.set_in(&tuple, ANY)?;
    let both = a.set.intersect(&b.set);
    c.same_points(&both, 2, |p| a.holds(p) && b.holds(p));
    c.set_n_param(1);
    let only_n = c.set_in(&tuple, ANY)?;
    c.set_n_param(2);
    let union = only_n.set.union(&a.set);
    let of_n = |p: &[i64]| only_n.holds(&[&p[..1], &p[2..]].concat());
    c.same_points(&union, 2, |p| a.holds(p) || of_n(p));
    let aligned = only_n.set.align_params(a.set.space());
    c.same_points(&aligned, 2, of_n);
    c.same_set(&union, &only_n.isl.union(&a.isl)?)?;
    let difference = a.set.subtract(&only_n.set, &mut c.budget()).ok()?;
    c.same_set(&difference, &a.isl.subtract(&only_n.isl)?)
}

/// What remains is a superset that does not involve the dimension, or only it.
fn drop_constraints(c: &mut Case<'_>) -> Option<()> {
    let a = c.set_in(&Tuple::Flat("", 3), ANY)?;
    let at = c.random.size(0, 2);
    let without = a.set.drop_constraints_involving(DimKind::Out, at, 1);
    assert!(!without.involves_dims(DimKind::Out, at, 1), "{without} involves {at}");
    let only = a.set.drop_constraints_not_involving(DimKind::Out, at, 1);
    for larger in [&without, &only] {
        assert!(a.set.as_map().is_subset(larger, &mut c.budget()).ok()?, "{larger} is not larger");
    }
    let known = a.set.drop_unknown_divs();
    assert!(known.has_known_divs(), "{known}");
    assert!(a.set.as_map().is_subset(&known, &mut c.budget()).ok()?, "{known} is not larger");
    Some(())
}

fn rename(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(3, ANY)?;
    let flat = a.set.flatten();
    c.same_points(&flat, a.n(), |p| a.holds(p));
    if let Tuple::Pair(..) = a.tuple {
        c.same_set(&flat, &a.isl.flatten()?)?; // isl keeps the name of a tuple that is flat already
    }
    let named: Set = a.set.set_tuple_name(Some("R".into()));
    assert_eq!(named.tuple_name().map(|n| n.as_str()), Some("R"), "{named}");
    let named: Map = named.into();
    c.same_points(&named, a.n(), |p| a.holds(p));
    Some(())
}
