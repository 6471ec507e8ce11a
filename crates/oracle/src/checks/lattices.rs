//! Strides, lattices and unions of Z-polyhedra.

use poly_arith::Int;
use poly_presburger::zpoly::ZUnion;
use poly_presburger::{DimKind, MultiAff};

use super::Check;
use crate::case::{Case, SetInput, Tuple, ints};
use crate::isl;
use crate::model::{ANY, BOX, BOXED, FEW, Kind, Linear, all_points};

pub(super) const CHECKS: &[Check] = &[
    Check { name: "set.stride_info", run: stride_info },
    Check { name: "set.stride, enumerated", run: stride },
    Check { name: "map.range_stride_info", run: range_stride_info },
    Check { name: "set.lattice_hull", run: lattice_hull },
    Check { name: "z-polyhedra.from_set and to_set", run: conversion },
    Check { name: "z-polyhedra.intersect, union, subtract", run: algebra },
    Check { name: "z-polyhedra.preimage", run: preimage },
    Check { name: "z-polyhedra.image", run: image },
];

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

/// The greatest common divisor of the differences of all values.
fn stride(c: &mut Case<'_>) -> Option<()> {
    c.set_n_param(0);
    let a = c.set_in(&Tuple::Flat("", 1), BOXED)?;
    let found = a.set.stride(0, &mut c.budget()).ok()?;
    let values: Vec<i64> = (-BOX..=BOX).filter(|&x| a.holds(&[x])).collect();
    let differences = values.iter().map(|x| Int::from(x - values[0]));
    let wanted = differences.fold(Int::ZERO, |gcd, x| gcd.gcd(&x));
    assert_eq!(found, if values.is_empty() { Int::ONE } else { wanted }, "the stride of {values:?}");
    Some(())
}

/// Every image is the offset plus a multiple of the stride, which the domain says.
fn range_stride_info(c: &mut Case<'_>) -> Option<()> {
    let kind = Kind { boxed: c.random.one_in(2), ..ANY };
    let a = c.map_in(&Tuple::Flat("A", 1), &Tuple::Flat("B", 2), kind)?;
    let map = c.exact(&a.map);
    let at = c.random.size(0, 1);
    let found = map.range_stride_info(at, &mut c.budget()).ok()?;
    let n = c.n_param();
    for p in c.points(3).iter().filter(|p| a.holds(p)) {
        let offset = found.offset.eval(&ints(&p[..n]), &ints(&p[n..=n])).to_int().expect("offsets are integers");
        let rest = Int::from(p[n + 1 + at]) - offset;
        let fits = if found.stride.is_zero() { rest.is_zero() } else { rest.mod_floor(&found.stride).is_zero() };
        assert!(fits, "{p:?}: stride {} from {}", found.stride, found.offset);
    }
    // With the domain as dimensions of a set, nothing more is known.
    let other = map.project_out(DimKind::Out, 1 - at, 1).flat_wrap();
    let wanted = other.stride(1, &mut c.budget()).ok()?;
    assert_eq!(found.stride, wanted, "the stride in {other}");
    Some(())
}

fn z_union(c: &Case<'_>, a: &SetInput) -> Option<ZUnion> {
    ZUnion::from_set(&c.exact(&a.set).into_set(), &mut c.budget()).ok()
}

/// A union of Z-polyhedra has to have the points that a predicate says.
fn same(c: &mut Case<'_>, union: &ZUnion, n: usize, wanted: impl Fn(&[i64]) -> bool) -> Option<()> {
    for p in c.points(n) {
        let (params, dims) = p.split_at(c.n_param());
        assert_eq!(union.contains(&ints(params), &ints(dims)), wanted(&p), "whether {p:?} is in {union}");
    }
    c.same_points(&union.to_set(), n, wanted);
    Some(())
}

fn conversion(c: &mut Case<'_>) -> Option<()> {
    let n = c.random.size(1, 3);
    let a = c.set_in(&Tuple::Flat("", n), FEW)?;
    let union = z_union(c, &a)?;
    same(c, &union, n, |p| a.holds(p))?;
    assert_eq!(union.is_empty(&mut c.budget()).ok()?, a.isl.is_empty()?, "whether {union} is empty");
    c.same_set(&union.to_set(), &a.isl)
}

fn algebra(c: &mut Case<'_>) -> Option<()> {
    let tuple = Tuple::Flat("", c.random.size(1, 2));
    let (a, b) = (c.set_in(&tuple, FEW)?, c.set_in(&tuple, FEW)?);
    let (x, y) = (z_union(c, &a)?, z_union(c, &b)?);
    let both = x.intersect(&y, &mut c.budget()).ok()?;
    same(c, &both, a.n(), |p| a.holds(p) && b.holds(p))?;
    same(c, &x.union(&y), a.n(), |p| a.holds(p) || b.holds(p))?;
    let difference = x.subtract(&y, &mut c.budget()).ok()?;
    same(c, &difference, a.n(), |p| a.holds(p) && !b.holds(p))?;
    c.same_set(&difference.to_set(), &a.isl.subtract(&b.isl)?)
}

/// A function with this many arguments and values, its text, and its values at a point.
fn function(c: &mut Case<'_>, n: usize, n_out: usize) -> (MultiAff, String, Vec<Linear>) {
    let forms: Vec<Linear> = (0..n_out).map(|_| c.linear(n)).collect();
    let names = c.names(n);
    let params = c.params();
    let header = if params.is_empty() { String::new() } else { format!("[{}] -> ", params.join(", ")) };
    let values: Vec<String> = forms.iter().map(|form| form.text(&names)).collect();
    let text = format!("{header}{{ [{}] -> [{}] }}", names[params.len()..].join(", "), values.join(", "));
    (c.read(&text), text, forms)
}

fn value(forms: &[Linear], n_param: usize, point: &[i64]) -> Vec<i64> {
    let values = forms.iter().map(|form| i64::try_from(form.eval(point)).expect("values are small"));
    point[..n_param].iter().copied().chain(values).collect()
}

fn preimage(c: &mut Case<'_>) -> Option<()> {
    let (n, n_out) = (c.random.size(1, 2), c.random.size(1, 2));
    let a = c.set_in(&Tuple::Flat("", n_out), FEW)?;
    let (by, text, forms) = function(c, n, n_out);
    let found = z_union(c, &a)?.preimage(&by, &mut c.budget()).ok()?;
    let n_param = c.n_param();
    same(c, &found, n, |p| a.holds(&value(&forms, n_param, p)))?;
    let map = isl::Map::read(c.context, &text)?;
    c.same_set(&found.to_set(), &a.isl.apply(&map.reverse()?)?)
}

fn image(c: &mut Case<'_>) -> Option<()> {
    let (n, n_out) = (c.random.size(1, 2), c.random.size(1, 2));
    let kind = if c.random.one_in(2) { BOXED } else { FEW };
    let a = c.set_in(&Tuple::Flat("", n), kind)?;
    let (by, text, forms) = function(c, n, n_out);
    let found = z_union(c, &a)?.image(&by, &mut c.budget()).ok()?;
    let n_param = c.n_param();
    for params in c.points(0) {
        let points = all_points(0, n).into_iter().map(|q| [&params[..], &q[..]].concat());
        for p in points.filter(|p| a.holds(p)) {
            let image = value(&forms, n_param, &p);
            assert!(found.contains(&ints(&params), &ints(&image[n_param..])), "the image of {p:?} in {found}");
        }
    }
    let map = isl::Map::read(c.context, &text)?;
    c.same_set(&found.to_set(), &a.isl.apply(&map)?)
}
