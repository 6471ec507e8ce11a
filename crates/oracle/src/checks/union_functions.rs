//! Unions of piecewise functions over several spaces, beside isl.

use poly_presburger::{MultiUnionPwAff, Tuple as Shape, UnionMap, UnionPwAff, UnionPwMultiAff};

use super::Check;
use crate::case::{Case, Tuple};
use crate::function::Form;
use crate::isl;
use crate::model::FEW;

pub(super) const CHECKS: &[Check] = &[
    Check { name: "union-pw-aff.add and sub", run: sums },
    Check { name: "union-pw-aff.union_add", run: union_add },
    Check { name: "union-pw-aff.neg, floor, zero set", run: rounding },
    Check { name: "union-pw-aff.intersect and subtract domain", run: domains },
    Check { name: "union-pw-aff.coalesce", run: coalesce },
    Check { name: "union-pw-aff.pullback", run: pullback },
    Check { name: "union-pw-aff.comparisons", run: comparisons },
    Check { name: "union-pw-aff.gist", run: gist },
    Check { name: "union-pw-multi-aff.union_add", run: tuple_union_add },
    Check { name: "union-pw-multi-aff.products", run: tuple_products },
    Check { name: "union-pw-multi-aff.gist", run: tuple_gist },
    Check { name: "union-pw-multi-aff.scale, floor, mod", run: tuple_scale },
    Check { name: "union-map.preimage_domain and preimage_range", run: preimages },
    Check { name: "union-pw-multi-aff.pullback", run: tuple_pullback },
    Check { name: "union-pw-multi-aff.intersect and subtract domain", run: tuple_domains },
    Check { name: "union-pw-multi-aff.from_union_map", run: from_union_map },
    Check { name: "multi-union-pw-aff", run: multi },
];

/// A union of functions on `S[i0]`, `T[i0, i1]` or both.
fn items(c: &mut Case<'_>, range: &'static str, n_out: usize) -> String {
    let domains = [Tuple::Flat("S", 1), Tuple::Flat("T", 2)];
    let chosen: &[Tuple] = match c.random.range(0, 3) {
        0 | 1 => &domains,
        2 => &domains[..1],
        _ => &domains[1..],
    };
    let mut items = Vec::new();
    for domain in chosen {
        let mut f = c.function(domain, Form { n_out, rational: false });
        f.range = range;
        items.push(f.items(c));
    }
    format!("{}{{ {} }}", c.header(), items.join("; "))
}

fn function(c: &mut Case<'_>) -> Option<(UnionPwAff, isl::UnionPwAff)> {
    let text = items(c, "", 1);
    let ours = c.read(&text);
    Some((ours, isl::UnionPwAff::read(c.context, &text)?))
}

fn tuple(c: &mut Case<'_>, range: &'static str, n_out: usize) -> Option<(UnionPwMultiAff, isl::UnionPwMultiAff)> {
    let text = items(c, range, n_out);
    let ours = c.read(&text);
    Some((ours, isl::UnionMap::read(c.context, &text)?.as_union_pw_multi_aff()?))
}

fn same(c: &mut Case<'_>, ours: &UnionPwAff, theirs: &isl::UnionPwAff) -> Option<()> {
    c.same_union_map(&ours.to_union_map(), &theirs.as_union_map()?)?;
    if theirs.as_union_map()?.is_empty()? {
        return Some(()); // isl does not read functions without a point
    }
    let text = ours.to_string();
    let read = isl::UnionPwAff::read(c.context, &text);
    assert!(read.is_some() || c.context.limit_was_reached(), "isl rejects {text}");
    assert!(read?.as_union_map()?.is_equal(&theirs.as_union_map()?)?, "isl reads something else: {text}");
    Some(())
}

fn same_tuple(c: &mut Case<'_>, ours: &UnionPwMultiAff, theirs: &isl::UnionPwMultiAff) -> Option<()> {
    c.same_union_map(&ours.to_union_map(), &theirs.as_union_map()?)
}

/// A union of sets in the domains.
fn set(c: &mut Case<'_>) -> Option<(poly_presburger::UnionSet, isl::UnionSet)> {
    let mut items = Vec::new();
    for tuple in [Tuple::Flat("S", 1), Tuple::Flat("T", 2)] {
        let model = c.model(tuple.n(), FEW);
        items.push(c.set_item(&tuple, &model));
    }
    let text = format!("{}{{ {} }}", c.header(), items.join("; "));
    let ours = c.read(&text);
    Some((ours, isl::UnionSet::read(c.context, &text)?))
}

fn sums(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (y, q)) = (function(c)?, function(c)?);
    same(c, &x.add_pointwise(&y), &p.add(&q)?)?;
    same(c, &x.sub_pointwise(&y), &p.sub(&q)?)
}

fn union_add(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (y, q)) = (function(c)?, function(c)?);
    let sum = x.union_add(&y, &mut c.budget()).ok()?;
    same(c, &sum, &p.union_add(&q)?)?;
    let (least, most) = (x.union_min(&y, &mut c.budget()).ok()?, x.union_max(&y, &mut c.budget()).ok()?);
    let both = least.union_add(&most, &mut c.budget()).ok()?;
    // Where both are defined, the least and the largest together are the sum; elsewhere twice the
    // one.
    let common = x.add_pointwise(&y).domain();
    let (a, b) = (both.intersect_domain(&common), sum.intersect_domain(&common));
    assert!(a.is_equal(&b, &mut c.budget()).ok()?, "{a} is not {b}");
    Some(())
}

fn rounding(c: &mut Case<'_>) -> Option<()> {
    let (x, p) = function(c)?;
    same(c, &x.neg(), &p.neg()?)?;
    same(c, &x.floor(), &p.floor()?)?;
    c.same_union_set(&x.zero_set(), &p.zero_union_set()?)?;
    c.same_union_set(&x.domain(), &p.domain()?)
}

fn domains(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (s, t)) = (function(c)?, set(c)?);
    same(c, &x.intersect_domain(&s), &p.intersect_domain(&t)?)?;
    let outside = x.subtract_domain(&s, &mut c.budget()).ok()?;
    same(c, &outside, &p.subtract_domain(&t)?)
}

fn coalesce(c: &mut Case<'_>) -> Option<()> {
    let (x, p) = function(c)?;
    let result = x.coalesce(&mut c.budget()).ok()?;
    same(c, &result, &p)?;
    assert!(result.is_equal(&x, &mut c.budget()).ok()?, "{result} is not {x}");
    Some(())
}

fn pullback(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (by, q)) = (function(c)?, tuple(c, "T", 2)?);
    same(c, &x.pullback(&by), &p.pullback_union_pw_multi_aff(&q)?)
}

fn tuple_union_add(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (y, q)) = (tuple(c, "R", 2)?, tuple(c, "R", 2)?);
    same_tuple(c, &x.add_pointwise(&y), &p.add(&q)?)?;
    same_tuple(c, &x.sub_pointwise(&y), &p.sub(&q)?)?;
    same_tuple(c, &x.neg(), &p.neg()?)?;
    let sum = x.union_add(&y, &mut c.budget()).ok()?;
    same_tuple(c, &sum, &p.union_add(&q)?)?;
    let result = sum.coalesce(&mut c.budget()).ok()?;
    assert!(result.is_equal(&sum, &mut c.budget()).ok()?, "{result} is not {sum}");
    Some(())
}

/// Less, equal and greater are a partition of the common domain; less is where the smaller one is
/// not the larger.
fn comparisons(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (y, q)) = (function(c)?, function(c)?);
    let equal = p.sub(&q)?.zero_union_set()?;
    let common = p.domain()?.intersect(&q.domain()?)?;
    c.same_union_set(&x.eq_set(&y), &equal)?;
    c.same_union_set(&x.ne_set(&y), &common.subtract(&equal)?)?;
    c.same_union_set(&x.lt_set(&y).union(&x.ge_set(&y)), &common)?;
    c.same_union_set(&x.gt_set(&y).union(&x.le_set(&y)), &common)?;
    assert!(x.lt_set(&y).is_disjoint(&x.ge_set(&y), &mut c.budget()).ok()?, "less, and not less");
    assert!(x.gt_set(&y).is_disjoint(&x.le_set(&y), &mut c.budget()).ok()?, "greater, and not greater");
    let (less, greater) = (x.lt_set(&y), x.gt_set(&y));
    let least = x.min(&y);
    same(c, &least.intersect_domain(&less), &p.intersect_domain(&isl::UnionSet::read(c.context, &less.to_string())?)?)?;
    same(
        c,
        &least.intersect_domain(&greater),
        &q.intersect_domain(&isl::UnionSet::read(c.context, &greater.to_string())?)?,
    )
}

fn gist(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (s, t)) = (function(c)?, set(c)?);
    let gist = x.gist(&s, &mut c.budget()).ok()?;
    same(c, &gist.intersect_domain(&s), &p.intersect_domain(&t)?)
}

fn tuple_products(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (y, q)) = (tuple(c, "R", 2)?, tuple(c, "Q", 1)?);
    same_tuple(c, &x.range_product(&y), &p.range_product(&q)?)?;
    same_tuple(c, &x.flat_range_product(&y), &p.flat_range_product(&q)?)
}

fn tuple_gist(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (s, t)) = (tuple(c, "R", 2)?, set(c)?);
    let gist = x.gist(&s, &mut c.budget()).ok()?;
    same_tuple(c, &gist.intersect_domain(&s), &p.intersect_domain(&t)?)?;
    let (_, params, isl) = c.params_set(FEW)?;
    let part = p.as_union_map()?.intersect_params(&isl)?;
    c.same_union_map(&x.intersect_params(&params).to_union_map(), &part)
}

/// A number is its quotient times the divisor, and the remainder.
fn tuple_scale(c: &mut Case<'_>) -> Option<()> {
    let (x, p) = tuple(c, "R", 2)?;
    let d = c.random.range(1, 5);
    let whole = x.scale_down(d).floor().scale(d).add_pointwise(&x.mod_val(d));
    same_tuple(c, &whole, &p)?;
    let rest = x.mod_val(d).scale_down(d).floor();
    assert!(rest.is_equal(&x.scale(0), &mut c.budget()).ok()?, "remainders modulo {d} of {x}");
    Some(())
}

fn preimages(c: &mut Case<'_>) -> Option<()> {
    let (by, q) = tuple(c, "R", 1)?;
    let mut items = Vec::new();
    for (domain, range) in [(Tuple::Flat("R", 1), Tuple::Flat("R", 1)), (Tuple::Flat("S", 1), Tuple::Flat("R", 1))] {
        let model = c.model(2, FEW);
        items.push(c.map_item(&domain, &range, &model));
    }
    let text = format!("{}{{ {} }}", c.header(), items.join("; "));
    let map: UnionMap = c.read(&text);
    let isl = isl::UnionMap::read(c.context, &text)?;
    c.same_union_map(&map.preimage_domain(&by), &isl.preimage_domain_union_pw_multi_aff(&q)?)?;
    c.same_union_map(&map.preimage_range(&by), &isl.preimage_range_union_pw_multi_aff(&q)?)?;
    c.same_union_set(&by.preimage(&map.domain()), &isl.domain()?.preimage_union_pw_multi_aff(&q)?)
}

fn tuple_pullback(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (by, q)) = (tuple(c, "R", 1)?, tuple(c, "T", 2)?);
    same_tuple(c, &x.pullback(&by), &p.pullback_union_pw_multi_aff(&q)?)
}

fn tuple_domains(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (s, t)) = (tuple(c, "R", 2)?, set(c)?);
    same_tuple(c, &x.intersect_domain(&s), &p.intersect_domain(&t)?)?;
    let outside = x.subtract_domain(&s, &mut c.budget()).ok()?;
    same_tuple(c, &outside, &p.subtract_domain(&t)?)?;
    c.same_union_set(&x.domain(), &p.domain()?)
}

fn from_union_map(c: &mut Case<'_>) -> Option<()> {
    let (x, p) = tuple(c, "R", 2)?;
    let map: UnionMap = x.to_union_map();
    let back = UnionPwMultiAff::from_union_map(&map, &mut c.budget()).ok()?;
    same_tuple(c, &back, &p)?;
    assert!(back.is_equal(&x, &mut c.budget()).ok()?, "{back} is not {x}");
    Some(())
}

fn multi(c: &mut Case<'_>) -> Option<()> {
    let ((a, p), (b, q)) = (function(c)?, function(c)?);
    let pair = MultiUnionPwAff::new(Shape::anonymous(2), vec![a, b]);
    let joined = p.as_union_map()?.flat_range_product(&q.as_union_map()?)?;
    c.same_union_map(&pair.to_union_map(), &joined)?;
    let (s, t) = set(c)?;
    let inside = pair.intersect_domain(&s);
    c.same_union_map(&inside.to_union_map(), &joined.intersect_domain(&t)?)?;
    let swapped = MultiUnionPwAff::new(Shape::anonymous(2), vec![pair.get(1).clone(), pair.get(0).clone()]);
    let both = pair.min(&swapped).add(&pair.max(&swapped));
    assert!(both.is_equal(&pair.add(&swapped), &mut c.budget()).ok()?, "least and largest of {pair}: {both}");
    let zero = pair.sub(&pair);
    assert!(zero.is_equal(&pair.scale(0), &mut c.budget()).ok()?, "{pair} less itself is {zero}");
    Some(())
}
