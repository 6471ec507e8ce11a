//! Relations: composition, products, nesting, and what they share with sets.

use poly_presburger::{Budget, DimKind, Map, Stop};

use super::Check;
use crate::case::{Case, MapInput, Tuple};
use crate::isl;
use crate::model::{ANY, BOX, BOXED, FEW, PARAMS};

pub(super) const CHECKS: &[Check] = &[
    Check { name: "map.union", run: |c| binary(c, Map::union, isl::Map::union, |a, b| a || b) },
    Check { name: "map.intersect", run: |c| binary(c, Map::intersect, isl::Map::intersect, |a, b| a && b) },
    Check { name: "map.subtract", run: subtract },
    Check { name: "map.complement", run: complement },
    Check { name: "map.reverse", run: reverse },
    Check { name: "map.domain and range", run: domain_range },
    Check { name: "map.apply_range", run: apply_range },
    Check { name: "map.apply_range, enumerated", run: apply_range_boxed },
    Check { name: "map.apply_domain", run: apply_domain },
    Check { name: "map.deltas", run: deltas },
    Check { name: "map.wrap and unwrap", run: wrap },
    Check { name: "map.product", run: product },
    Check { name: "map.range_product", run: range_product },
    Check { name: "map.domain_product", run: domain_product },
    Check { name: "map.curry, uncurry, zip", run: nesting },
    Check { name: "map.factors of domain and range", run: factors },
    Check { name: "map.domain_map and range_map", run: projections },
    Check { name: "map.intersect and subtract domain or range", run: restrict },
    Check { name: "map.project_out and fix", run: project_out },
    Check { name: "map.gist", run: gist },
    Check { name: "map.coalesce", run: |c| unchanged(c, |m, b| m.clone().coalesce(b)) },
    Check { name: "map.compute_divs", run: |c| unchanged(c, |m, b| m.clone().compute_divs(b)) },
    Check { name: "map.detect_equalities", run: |c| unchanged(c, |m, b| m.detect_equalities(b)) },
    Check { name: "map.remove_redundancies", run: |c| unchanged(c, |m, b| m.clone().remove_redundancies(b)) },
    Check { name: "map.make_disjoint", run: |c| unchanged(c, |m, b| m.clone().make_disjoint(b)) },
    Check { name: "map.hulls", run: hulls },
    Check { name: "map.is_single_valued", run: is_single_valued },
    Check { name: "map.is_injective", run: is_injective },
    Check { name: "map.comparisons", run: comparisons },
    Check { name: "map.lexicographic orders", run: orders },
    Check { name: "map.translation and identity", run: translation },
];

type OfTwo = fn(&Map, &Map) -> Map;
type IslOfTwo = fn(&isl::Map, &isl::Map) -> Option<isl::Map>;

fn binary(c: &mut Case<'_>, ours: OfTwo, theirs: IslOfTwo, holds: fn(bool, bool) -> bool) -> Option<()> {
    let (a, b) = c.two_maps(2, ANY)?;
    let result = ours(&a.map, &b.map);
    c.same_points(&result, a.n(), |p| holds(a.holds(p), b.holds(p)));
    c.same_map(&result, &theirs(&a.isl, &b.isl)?)
}

fn subtract(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = c.two_maps(2, FEW)?;
    let result = a.map.subtract(&b.map, &mut c.budget()).ok()?;
    c.same_points(&result, a.n(), |p| a.holds(p) && !b.holds(p));
    c.same_map(&result, &a.isl.subtract(&b.isl)?)
}

fn complement(c: &mut Case<'_>) -> Option<()> {
    let a = c.map(2, FEW)?;
    let result = a.map.complement(&mut c.budget()).ok()?;
    c.same_points(&result, a.n(), |p| !a.holds(p));
    c.same_map(&result, &a.isl.complement()?)
}

fn reverse(c: &mut Case<'_>) -> Option<()> {
    let a = c.map(2, ANY)?;
    let reverse = a.map.reverse();
    let (k, n) = (c.n_param(), a.range.n());
    c.same_points(&reverse, a.n(), |p| a.holds(&[&p[..k], &p[k + n..], &p[k..k + n]].concat()));
    c.same_map(&reverse, &a.isl.reverse()?)
}

fn domain_range(c: &mut Case<'_>) -> Option<()> {
    let a = c.map(2, ANY)?;
    c.same_set(&a.map.domain(), &a.isl.domain()?)?;
    c.same_set(&a.map.range(), &a.isl.range()?)?;
    c.same_set(&a.map.params(), &a.isl.params()?)
}

fn tuple(c: &mut Case<'_>, most: usize) -> Tuple {
    let n = c.n_dim(most);
    Tuple::random(&mut c.random, n)
}

fn apply_range(c: &mut Case<'_>) -> Option<()> {
    let a = c.map(2, FEW)?;
    let range = tuple(c, 2);
    let b = c.map_in(&a.range, &range, FEW)?;
    c.same_map(&a.map.apply_range(&b.map), &a.isl.apply_range(&b.isl)?)
}

fn apply_range_boxed(c: &mut Case<'_>) -> Option<()> {
    let one = Tuple::Flat("", 1);
    let (a, b) = (c.map_in(&one, &one, BOXED)?, c.map_in(&one, &one, BOXED)?);
    let composed = a.map.apply_range(&b.map);
    let k = c.n_param();
    let with = |p: &[i64], i: i64, j: i64| [&p[..k], &[i, j]].concat();
    let holds = |p: &[i64]| (-BOX..=BOX).any(|x| a.holds(&with(p, p[k], x)) && b.holds(&with(p, x, p[k + 1])));
    c.same_points(&composed, 2, holds);
    let explicit = composed.compute_divs(&mut c.budget()).ok()?;
    c.same_points(&explicit, 2, holds);
    Some(())
}

fn apply_domain(c: &mut Case<'_>) -> Option<()> {
    let a = c.map(2, FEW)?;
    let range = tuple(c, 2);
    let b = c.map_in(&a.domain, &range, FEW)?;
    c.same_map(&a.map.apply_domain(&b.map), &a.isl.apply_domain(&b.isl)?)
}

fn deltas(c: &mut Case<'_>) -> Option<()> {
    let space = tuple(c, 2);
    let a = c.map_in(&space, &space, FEW)?;
    c.same_set(&a.map.deltas(), &a.isl.deltas()?)?;
    c.same_map(&a.map.deltas_map(), &a.isl.deltas_map()?)?;
    let one = Tuple::Flat("", 1);
    let b = c.map_in(&one, &one, BOXED)?;
    let k = c.n_param();
    let holds = |p: &[i64]| (-BOX..=BOX).any(|i| b.holds(&[&p[..k], &[i, i + p[k]]].concat()));
    c.same_points(&b.map.deltas(), 1, holds);
    Some(())
}

fn wrap(c: &mut Case<'_>) -> Option<()> {
    let a = c.map(2, ANY)?;
    let wrapped = a.map.wrap();
    c.same_points(&wrapped, a.n(), |p| a.holds(p));
    c.same_set(&wrapped, &a.isl.wrap()?)?;
    c.same_map(&wrapped.unwrap(), &a.isl)?;
    let flat = a.map.flat_wrap();
    c.same_points(&flat, a.n(), |p| a.holds(p));
    Some(())
}

fn two_any(c: &mut Case<'_>) -> Option<(MapInput, MapInput)> {
    Some((c.map(1, FEW)?, c.map(1, FEW)?))
}

fn product(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = two_any(c)?;
    c.same_map(&a.map.product(&b.map), &a.isl.product(&b.isl)?)?;
    c.same_map(&a.map.flat_product(&b.map), &a.isl.flat_product(&b.isl)?)
}

fn range_product(c: &mut Case<'_>) -> Option<()> {
    let a = c.map(1, FEW)?;
    let range = tuple(c, 1);
    let b = c.map_in(&a.domain, &range, FEW)?;
    let (nested, flat) = (a.map.range_product(&b.map), a.map.flat_range_product(&b.map));
    let (k, m) = (c.n_param() + a.domain.n(), c.n_param() + a.n());
    let holds = |p: &[i64]| a.holds(&p[..m]) && b.holds(&[&p[..k], &p[m..]].concat());
    c.same_points(&nested, a.n() + range.n(), holds);
    c.same_points(&flat, a.n() + range.n(), holds);
    c.same_map(&nested, &a.isl.range_product(&b.isl)?)?;
    c.same_map(&flat, &a.isl.flat_range_product(&b.isl)?)
}

fn domain_product(c: &mut Case<'_>) -> Option<()> {
    let a = c.map(1, FEW)?;
    let domain = tuple(c, 1);
    let b = c.map_in(&domain, &a.range, FEW)?;
    c.same_map(&a.map.domain_product(&b.map), &a.isl.domain_product(&b.isl)?)?;
    c.same_map(&a.map.flat_domain_product(&b.map), &a.isl.flat_domain_product(&b.isl)?)
}

fn pair(c: &mut Case<'_>) -> Tuple {
    let (a, b) = (tuple(c, 1), tuple(c, 1));
    Tuple::Pair("", Box::new((a, b)))
}

fn nesting(c: &mut Case<'_>) -> Option<()> {
    let (x, y) = (pair(c), pair(c));
    let a = c.map_in(&x, &y, FEW)?;
    c.same_map(&a.map.zip(), &a.isl.zip()?)?;
    c.same_map(&a.map.curry(), &a.isl.curry()?)?;
    c.same_map(&a.map.uncurry(), &a.isl.uncurry()?)?;
    c.same_points(&a.map.curry(), a.n(), |p| a.holds(p));
    c.same_points(&a.map.uncurry(), a.n(), |p| a.holds(p));
    Some(())
}

fn factors(c: &mut Case<'_>) -> Option<()> {
    let (x, y) = (pair(c), pair(c));
    let a = c.map_in(&x, &y, FEW)?;
    c.same_map(&a.map.factor_domain(), &a.isl.factor_domain()?)?;
    c.same_map(&a.map.factor_range(), &a.isl.factor_range()?)?;
    c.same_map(&a.map.domain_factor_domain(), &a.isl.domain_factor_domain()?)?;
    c.same_map(&a.map.domain_factor_range(), &a.isl.domain_factor_range()?)?;
    c.same_map(&a.map.range_factor_domain(), &a.isl.range_factor_domain()?)?;
    c.same_map(&a.map.range_factor_range(), &a.isl.range_factor_range()?)
}

fn projections(c: &mut Case<'_>) -> Option<()> {
    let a = c.map(2, FEW)?;
    c.same_map(&a.map.domain_map(), &a.isl.domain_map()?)?;
    c.same_map(&a.map.range_map(), &a.isl.range_map()?)?;
    let back = a.map.domain_map().reverse().apply_range(&a.map.range_map());
    assert!(back.is_equal(&a.map, &mut c.budget()).ok()?, "{back} is not {}", a.map);
    Some(())
}

fn restrict(c: &mut Case<'_>) -> Option<()> {
    let a = c.map(2, FEW)?;
    let (domain, range) = (c.set_in(&a.domain, FEW)?, c.set_in(&a.range, FEW)?);
    c.same_map(&a.map.intersect_domain(&domain.set), &a.isl.intersect_domain(&domain.isl)?)?;
    c.same_map(&a.map.intersect_range(&range.set), &a.isl.intersect_range(&range.isl)?)?;
    let outside = a.map.subtract_domain(&domain.set, &mut c.budget()).ok()?;
    c.same_map(&outside, &a.isl.subtract_domain(&domain.isl)?)?;
    let outside = a.map.subtract_range(&range.set, &mut c.budget()).ok()?;
    c.same_map(&outside, &a.isl.subtract_range(&range.isl)?)?;
    let (_, params, isl) = c.params_set(FEW)?;
    c.same_map(&a.map.intersect_params(&params), &a.isl.intersect_params(&isl)?)?;
    c.same_map(&domain.set.to_map(&range.set), &isl_product(c, &domain.isl, &range.isl)?)
}

fn isl_product(c: &Case<'_>, domain: &isl::Set, range: &isl::Set) -> Option<isl::Map> {
    assert!(c.context.error().is_none(), "isl is well");
    domain.product(range)?.unwrap()
}

fn project_out(c: &mut Case<'_>) -> Option<()> {
    let (n_in, n_out) = (c.random.size(1, 2), c.random.size(1, 2));
    let a = c.map_in(&Tuple::Flat("", n_in), &Tuple::Flat("", n_out), FEW)?;
    let (i, o) = (c.random.size(0, n_in - 1), c.random.size(0, n_out - 1));
    c.same_map(&a.map.project_out(DimKind::In, i, 1), &a.isl.project_out_of(isl::DIM_IN, i, 1)?)?;
    c.same_map(&a.map.project_out(DimKind::Out, o, 1), &a.isl.project_out_of(isl::DIM_SET, o, 1)?)?;
    let value = c.random.range(-4, 4);
    let number = i32::try_from(value).expect("the value is small");
    c.same_map(&a.map.fix(DimKind::In, i, value), &a.isl.fix(isl::DIM_IN, i, number)?)?;
    c.same_map(&a.map.fix(DimKind::Out, o, value), &a.isl.fix(isl::DIM_SET, o, number)?)
}

fn gist(c: &mut Case<'_>) -> Option<()> {
    let (a, within) = c.two_maps(2, FEW)?;
    let gist = a.map.gist(&within.map, &mut c.budget()).ok()?;
    c.same_map(&gist.intersect(&within.map), &a.isl.intersect(&within.isl)?)?;
    let (domain, range) = (c.set_in(&a.domain, FEW)?, c.set_in(&a.range, FEW)?);
    let gist = a.map.gist_domain(&domain.set, &mut c.budget()).ok()?;
    c.same_map(&gist.intersect_domain(&domain.set), &a.isl.intersect_domain(&domain.isl)?)?;
    let gist = a.map.gist_range(&range.set, &mut c.budget()).ok()?;
    c.same_map(&gist.intersect_range(&range.set), &a.isl.intersect_range(&range.isl)?)?;
    let (_, params, isl) = c.params_set(FEW)?;
    let gist = a.map.gist_params(&params, &mut c.budget()).ok()?;
    c.same_map(&gist.intersect_params(&params), &a.isl.intersect_params(&isl)?)
}

fn unchanged(c: &mut Case<'_>, operation: fn(&Map, &mut Budget) -> Result<Map, Stop>) -> Option<()> {
    let a = c.map(2, ANY)?;
    let result = operation(&a.map, &mut c.budget()).ok()?;
    c.same_points(&result, a.n(), |p| a.holds(p));
    c.same_map(&result, &a.isl)
}

fn hulls(c: &mut Case<'_>) -> Option<()> {
    let a = c.map(2, ANY)?;
    let affine = Map::from_basic(a.map.affine_hull(&mut c.budget()).ok()?);
    let hulls = [
        Map::from_basic(a.map.clone().simple_hull(&mut c.budget()).ok()?),
        Map::from_basic(a.map.clone().unshifted_simple_hull(&mut c.budget()).ok()?),
        Map::from_basic(a.map.box_hull(&mut c.budget()).ok()?),
        affine.clone(),
    ];
    for hull in &hulls {
        let read = isl::Map::read(c.context, &hull.to_string())?;
        assert!(a.isl.is_subset(&read)?, "{hull} does not contain the relation");
    }
    let (ours, theirs) = (isl::Map::read(c.context, &affine.to_string())?, a.isl.affine_hull()?);
    if !ours.is_subset(&theirs)? {
        // isl's hull is one over the floors of the disjuncts, which need not be a lattice.
        let lattice = Map::from_basic(c.read::<Map>(&theirs.text()).affine_hull(&mut c.budget()).ok()?);
        let within = affine.is_subset(&lattice, &mut c.budget()).ok()?;
        assert!(within, "{affine} is larger than isl's {}", theirs.text());
    }
    Some(())
}

fn is_single_valued(c: &mut Case<'_>) -> Option<()> {
    let kind = if c.random.one_in(2) { BOXED } else { FEW };
    let a = c.map_in(&Tuple::Flat("", 1), &Tuple::Flat("", 1), kind)?;
    let single = a.map.is_single_valued(&mut c.budget()).ok()?;
    assert_eq!(single, a.isl.is_single_valued()?, "whether it is single-valued");
    if c.n_param() == 1 {
        let images = |n: i64, i: i64| (-BOX..=BOX).filter(|&j| a.holds(&[n, i, j])).count();
        let twice = PARAMS.iter().any(|&n| (-BOX..=BOX).any(|i| images(n, i) > 1));
        assert!(!single || !twice, "it is not single-valued");
    }
    let larger = c.map(2, FEW)?;
    let single = larger.map.is_single_valued(&mut c.budget()).ok()?;
    assert_eq!(single, larger.isl.is_single_valued()?, "whether it is single-valued");
    Some(())
}

fn is_injective(c: &mut Case<'_>) -> Option<()> {
    let kind = if c.random.one_in(2) { BOXED } else { FEW };
    let a = c.map(2, kind)?;
    assert_eq!(a.map.is_injective(&mut c.budget()).ok()?, a.isl.is_injective()?, "whether it is injective");
    assert_eq!(a.map.is_bijective(&mut c.budget()).ok()?, a.isl.is_bijective()?, "whether it is bijective");
    Some(())
}

fn comparisons(c: &mut Case<'_>) -> Option<()> {
    let (mut a, mut b) = c.two_maps(2, FEW)?;
    match c.random.range(0, 2) {
        0 => (b.map, b.isl) = (a.map.union(&b.map), a.isl.union(&b.isl)?),
        1 => (a.map, a.isl) = (a.map.intersect(&b.map), a.isl.intersect(&b.isl)?),
        _ => {}
    }
    let (x, y) = (&a.map, &b.map);
    assert_eq!(x.is_subset(y, &mut c.budget()).ok()?, a.isl.is_subset(&b.isl)?, "{x} in {y}");
    assert_eq!(x.is_equal(y, &mut c.budget()).ok()?, a.isl.is_equal(&b.isl)?, "{x} is {y}");
    assert_eq!(x.is_disjoint(y, &mut c.budget()).ok()?, a.isl.is_disjoint(&b.isl)?, "{x} and {y}");
    let strict = a.isl.is_strict_subset(&b.isl)?;
    assert_eq!(x.is_strict_subset(y, &mut c.budget()).ok()?, strict, "{x} in {y}");
    assert_eq!(x.is_empty(&mut c.budget()).ok()?, a.isl.is_empty()?, "{x}");
    Some(())
}

fn orders(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(2, FEW)?;
    let k = c.n_param();
    let (n, space) = (a.n(), c.exact(&a.set).space().clone());
    let (less, at_most) = (Map::lex_lt(&space), Map::lex_le(&space));
    let (more, at_least) = (Map::lex_gt(&space), Map::lex_ge(&space));
    c.same_points(&less, 2 * n, |p| p[k..k + n] < p[k + n..]);
    c.same_points(&at_most, 2 * n, |p| p[k..k + n] <= p[k + n..]);
    c.same_points(&more, 2 * n, |p| p[k..k + n] > p[k + n..]);
    c.same_points(&at_least, 2 * n, |p| p[k..k + n] >= p[k + n..]);
    c.same_map(&a.set.lex_lt_pairs(), &a.isl.lex_lt_set(&a.isl)?)
}

fn translation(c: &mut Case<'_>) -> Option<()> {
    let a = c.set_in(&Tuple::Flat("S", 2), FEW)?;
    let offset = [c.random.range(-3, 3), c.random.range(-3, 3)];
    let moved = a.set.apply(&Map::translation(a.set.space(), &crate::case::ints(&offset)));
    let k = c.n_param();
    let back = |p: &[i64]| [&p[..k], &[p[k] - offset[0], p[k + 1] - offset[1]]].concat();
    c.same_points(&moved, 2, |p| a.holds(&back(p)));
    c.same_map(&a.set.identity(), &a.isl.identity()?)
}
