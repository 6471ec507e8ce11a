//! Unions of sets and of relations over several named spaces, beside isl.

use poly_presburger::{Budget, Stop, UnionMap, UnionSet};

use super::Check;
use crate::case::{Case, Tuple};
use crate::isl;
use crate::model::{FEW, Kind};

pub(super) const CHECKS: &[Check] = &[
    Check { name: "union-set.union and intersect", run: set_algebra },
    Check { name: "union-set.subtract", run: set_subtract },
    Check { name: "union-set.apply", run: apply },
    Check { name: "union-set.product", run: set_product },
    Check { name: "union-set.gist", run: set_gist },
    Check { name: "union-set.coalesce", run: |c| same_set(c, |s, b| s.coalesce(b)) },
    Check { name: "union-set.compute_divs", run: |c| same_set(c, |s, b| s.compute_divs(b)) },
    Check { name: "union-set.detect_equalities", run: |c| same_set(c, |s, b| s.detect_equalities(b)) },
    Check { name: "union-set.remove_redundancies", run: |c| same_set(c, |s, b| s.remove_redundancies(b)) },
    Check { name: "union-set.make_disjoint", run: |c| same_set(c, |s, b| s.make_disjoint(b)) },
    Check { name: "union-set.lexmin and lexmax", run: set_optima },
    Check { name: "union-set.hulls", run: set_hulls },
    Check { name: "union-set.comparisons", run: set_comparisons },
    Check { name: "union-set.sample", run: sample },
    Check { name: "union-set.identity and universe", run: set_functions },
    Check { name: "union-map.union and intersect", run: algebra },
    Check { name: "union-map.subtract", run: subtract },
    Check { name: "union-map.apply_range", run: composition },
    Check { name: "union-map.domain, range, reverse", run: sides },
    Check { name: "union-map.deltas", run: deltas },
    Check { name: "union-map.products", run: products },
    Check { name: "union-map.intersect and subtract domain or range", run: restrict },
    Check { name: "union-map.gist", run: gist },
    Check { name: "union-map.coalesce", run: |c| same_map(c, |m, b| m.coalesce(b)) },
    Check { name: "union-map.compute_divs", run: |c| same_map(c, |m, b| m.compute_divs(b)) },
    Check { name: "union-map.detect_equalities", run: |c| same_map(c, |m, b| m.detect_equalities(b)) },
    Check { name: "union-map.remove_redundancies", run: |c| same_map(c, |m, b| m.remove_redundancies(b)) },
    Check { name: "union-map.make_disjoint", run: |c| same_map(c, |m, b| m.make_disjoint(b)) },
    Check { name: "union-map.lexmin and lexmax", run: optima },
    Check { name: "union-map.hulls", run: hulls },
    Check { name: "union-map.single-valued and injective", run: functions },
    Check { name: "union-map.comparisons", run: comparisons },
    Check { name: "union-map.curry, zip, factors", run: nesting },
    Check { name: "union-map.fix_param and project_out_param", run: params },
];

const SMALL: Kind = Kind { disjuncts: 1, ..FEW };

/// The tuples that members are made of: the same name may have several shapes.
fn pool() -> [Tuple; 5] {
    let pair = |a, b| Tuple::Pair("", Box::new((a, b)));
    [
        Tuple::Flat("S", 1),
        Tuple::Flat("T", 2),
        Tuple::Flat("S", 2),
        Tuple::Flat("", 1),
        pair(Tuple::Flat("S", 1), Tuple::Flat("T", 1)),
    ]
}

fn set(c: &mut Case<'_>) -> Option<(UnionSet, isl::UnionSet)> {
    let mut items = Vec::new();
    for _ in 0..c.random.size(1, 3) {
        let tuple = c.random.pick(&pool()).clone();
        let model = c.model(tuple.n(), FEW);
        items.push(c.set_item(&tuple, &model));
    }
    let text = format!("{}{{ {} }}", c.header(), items.join("; "));
    let ours = c.read(&text);
    Some((ours, isl::UnionSet::read(c.context, &text)?))
}

fn map_of(c: &mut Case<'_>, domains: &[Tuple], ranges: &[Tuple]) -> Option<(UnionMap, isl::UnionMap)> {
    let mut items = Vec::new();
    for _ in 0..c.random.size(1, 3) {
        let (domain, range) = (c.random.pick(domains).clone(), c.random.pick(ranges).clone());
        let kind = if items.is_empty() { FEW } else { SMALL };
        let model = c.model(domain.n() + range.n(), kind);
        items.push(c.map_item(&domain, &range, &model));
    }
    let text = format!("{}{{ {} }}", c.header(), items.join("; "));
    let ours = c.read(&text);
    Some((ours, isl::UnionMap::read(c.context, &text)?))
}

fn map(c: &mut Case<'_>) -> Option<(UnionMap, isl::UnionMap)> {
    map_of(c, &pool()[..3], &pool()[..4])
}

fn set_algebra(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (y, q)) = (set(c)?, set(c)?);
    c.same_union_set(&x.union(&y), &p.union(&q)?)?;
    c.same_union_set(&x.intersect(&y), &p.intersect(&q)?)?;
    let (_, params, isl) = c.params_set(FEW)?;
    c.same_union_set(&x.intersect_params(&params), &p.intersect_params(&isl)?)?;
    c.same_set(&x.params(), &p.params()?)
}

fn set_subtract(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (y, q)) = (set(c)?, set(c)?);
    let difference = x.subtract(&y, &mut c.budget()).ok()?;
    c.same_union_set(&difference, &p.subtract(&q)?)
}

fn apply(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (m, q)) = (set(c)?, map(c)?);
    c.same_union_set(&x.apply(&m), &p.apply(&q)?)
}

fn set_product(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (y, q)) = (set(c)?, set(c)?);
    c.same_union_set(&x.product(&y), &p.product(&q)?)?;
    let (flat, nested) = (x.flat_product(&y), x.product(&y));
    let mut flattened = UnionSet::empty(flat.param_ids().to_vec());
    nested.iter().for_each(|set| flattened.add(set.flatten().set_tuple_name(None)));
    assert!(flat.is_equal(&flattened, &mut c.budget()).ok()?, "{flat} is not {flattened}");
    Some(())
}

fn set_gist(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (y, q)) = (set(c)?, set(c)?);
    let gist = x.gist(&y, &mut c.budget()).ok()?;
    c.same_union_set(&gist.intersect(&y), &p.intersect(&q)?)?;
    let (_, params, isl) = c.params_set(FEW)?;
    let gist = x.gist_params(&params, &mut c.budget()).ok()?;
    c.same_union_set(&gist.intersect_params(&params), &p.intersect_params(&isl)?)
}

fn same_set(c: &mut Case<'_>, operation: fn(&UnionSet, &mut Budget) -> Result<UnionSet, Stop>) -> Option<()> {
    let (x, p) = set(c)?;
    let result = operation(&x, &mut c.budget()).ok()?;
    c.same_union_set(&result, &p)
}

/// Members with bounded dimensions, so that there are optima.
fn bounded(c: &mut Case<'_>, x: &UnionSet) -> (UnionSet, Option<isl::UnionSet>) {
    let text = "{ S[i] : -5 <= i <= 5; T[i, j] : -5 <= i, j <= 5; S[i, j] : -5 <= i, j <= 5; [i] : -5 <= i <= 5; \
                [S[i] -> T[j]] : -5 <= i, j <= 5 }";
    let boxes: UnionSet = c.read(text);
    (x.intersect(&boxes), isl::UnionSet::read(c.context, text))
}

/// Compare the smallest and the largest elements.
macro_rules! same_optima {
    ($case:ident, $same:ident, $ours:ident, $theirs:ident) => {{
        let least = $ours.lexmin(&mut $case.budget()).ok()?;
        $case.$same(&least, &$theirs.lexmin()?)?;
        let most = $ours.lexmax(&mut $case.budget()).ok()?;
        $case.$same(&most, &$theirs.lexmax()?)
    }};
}

fn set_optima(c: &mut Case<'_>) -> Option<()> {
    let (x, p) = set(c)?;
    let (x, boxes) = bounded(c, &x);
    let p = p.intersect(&boxes?)?;
    same_optima!(c, same_union_set, x, p)
}

/// Define the check that hulls contain what they are hulls of, and that the affine one is the
/// smallest.
macro_rules! check_hulls {
    ($name:ident, $draw:ident, $union:ident) => {
        fn $name(c: &mut Case<'_>) -> Option<()> {
            let (x, p) = $draw(c)?;
            let affine = x.affine_hull(&mut c.budget()).ok()?;
            let hulls = [
                x.simple_hull(&mut c.budget()).ok()?,
                x.unshifted_simple_hull(&mut c.budget()).ok()?,
                x.box_hull(&mut c.budget()).ok()?,
                x.universe(),
                affine.clone(),
            ];
            for hull in &hulls {
                let read = isl::$union::read(c.context, &hull.to_string())?;
                assert!(p.is_subset(&read)?, "{hull} does not contain {x}");
            }
            let (ours, theirs) = (isl::$union::read(c.context, &affine.to_string())?, p.affine_hull()?);
            if !ours.is_subset(&theirs)? {
                // isl's hull is one over the floors of the disjuncts, which need not be a lattice.
                let lattice = c.read::<$union>(&theirs.text()).affine_hull(&mut c.budget()).ok()?;
                let within = affine.is_subset(&lattice, &mut c.budget()).ok()?;
                assert!(within, "{affine} is larger than isl's {}", theirs.text());
            }
            Some(())
        }
    };
}

check_hulls!(set_hulls, set, UnionSet);
check_hulls!(hulls, map, UnionMap);

fn set_comparisons(c: &mut Case<'_>) -> Option<()> {
    let ((mut x, mut p), (mut y, mut q)) = (set(c)?, set(c)?);
    match c.random.range(0, 2) {
        0 => (y, q) = (x.union(&y), p.union(&q)?),
        1 => (x, p) = (x.intersect(&y), p.intersect(&q)?),
        _ => {}
    }
    assert_eq!(x.is_subset(&y, &mut c.budget()).ok()?, p.is_subset(&q)?, "{x} in {y}");
    assert_eq!(x.is_strict_subset(&y, &mut c.budget()).ok()?, p.is_strict_subset(&q)?, "{x} in {y}");
    assert_eq!(x.is_equal(&y, &mut c.budget()).ok()?, p.is_equal(&q)?, "{x} is {y}");
    assert_eq!(x.is_disjoint(&y, &mut c.budget()).ok()?, p.is_disjoint(&q)?, "{x} and {y}");
    assert_eq!(x.is_empty(&mut c.budget()).ok()?, p.is_empty()?, "{x}");
    Some(())
}

fn sample(c: &mut Case<'_>) -> Option<()> {
    let (x, p) = set(c)?;
    match x.sample(&mut c.budget()).ok()? {
        None => assert!(p.is_empty()?, "no sample of {x}"),
        Some((member, point)) => {
            let (params, dims) = point.split_at(x.param_ids().len());
            assert!(member.contains(params, dims), "{point:?} is not in {member}");
        }
    }
    Some(())
}

fn set_functions(c: &mut Case<'_>) -> Option<()> {
    let (x, p) = set(c)?;
    c.same_union_map(&x.identity(), &p.identity()?)?;
    let universe = isl::UnionSet::read(c.context, &x.universe().to_string())?;
    assert!(p.is_subset(&universe)?, "{} does not contain the set", x.universe());
    Some(())
}

fn algebra(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (y, q)) = (map(c)?, map(c)?);
    c.same_union_map(&x.union(&y), &p.union(&q)?)?;
    c.same_union_map(&x.intersect(&y), &p.intersect(&q)?)?;
    let (_, params, isl) = c.params_set(FEW)?;
    c.same_union_map(&x.intersect_params(&params), &p.intersect_params(&isl)?)?;
    c.same_set(&x.params(), &p.params()?)
}

fn subtract(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (y, q)) = (map(c)?, map(c)?);
    let difference = x.subtract(&y, &mut c.budget()).ok()?;
    c.same_union_map(&difference, &p.subtract(&q)?)
}

fn composition(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (y, q)) = (map(c)?, map(c)?);
    c.same_union_map(&x.apply_range(&y), &p.apply_range(&q)?)?;
    c.same_union_map(&x.apply_domain(&y), &p.apply_domain(&q)?)
}

fn sides(c: &mut Case<'_>) -> Option<()> {
    let (x, p) = map(c)?;
    c.same_union_map(&x.reverse(), &p.reverse()?)?;
    c.same_union_set(&x.domain(), &p.domain()?)?;
    c.same_union_set(&x.range(), &p.range()?)?;
    c.same_union_map(&x.domain_map(), &p.domain_map()?)?;
    c.same_union_map(&x.range_map(), &p.range_map()?)?;
    c.same_union_set(&x.wrap(), &p.wrap()?)?;
    c.same_union_map(&x.wrap().unwrap(), &p)
}

fn deltas(c: &mut Case<'_>) -> Option<()> {
    let (x, p) = map(c)?;
    c.same_union_set(&x.deltas(), &p.deltas()?)?;
    c.same_union_map(&x.deltas_map(), &p.deltas_map()?)?;
    let ((s, t), (u, v)) = (set(c)?, set(c)?);
    c.same_union_map(&s.lex_lt_pairs(&u), &t.lex_lt_union_set(&v)?)?;
    c.same_union_map(&s.lex_le_pairs(&u), &t.lex_le_union_set(&v)?)?;
    c.same_union_map(&s.lex_gt_pairs(&u), &t.lex_gt_union_set(&v)?)?;
    c.same_union_map(&s.lex_ge_pairs(&u), &t.lex_ge_union_set(&v)?)
}

fn products(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (y, q)) = (map(c)?, map(c)?);
    c.same_union_map(&x.range_product(&y), &p.range_product(&q)?)?;
    c.same_union_map(&x.flat_range_product(&y), &p.flat_range_product(&q)?)?;
    c.same_union_map(&x.domain_product(&y), &p.domain_product(&q)?)?;
    c.same_union_map(&x.flat_domain_product(&y), &p.flat_domain_product(&q)?)?;
    c.same_union_map(&x.product(&y), &p.product(&q)?)?;
    // isl has none of unions: its product of each pair of members.
    let flat = x.flat_product(&y);
    let mut joined = UnionMap::empty(flat.param_ids().to_vec());
    for a in x.iter() {
        for b in y.iter() {
            let isl = |map: &poly_presburger::Map| isl::Map::read(c.context, &map.to_string());
            joined.add(c.read(&isl(a)?.flat_product(&isl(b)?)?.text()));
        }
    }
    assert!(flat.is_equal(&joined, &mut c.budget()).ok()?, "{flat} is not {joined}");
    Some(())
}

fn restrict(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (s, q)) = (map(c)?, set(c)?);
    c.same_union_map(&x.intersect_domain(&s), &p.intersect_domain(&q)?)?;
    c.same_union_map(&x.intersect_range(&s), &p.intersect_range(&q)?)?;
    let outside = x.subtract_domain(&s, &mut c.budget()).ok()?;
    c.same_union_map(&outside, &p.subtract_domain(&q)?)?;
    let outside = x.subtract_range(&s, &mut c.budget()).ok()?;
    c.same_union_map(&outside, &p.subtract_range(&q)?)
}

fn gist(c: &mut Case<'_>) -> Option<()> {
    let ((x, p), (y, q)) = (map(c)?, map(c)?);
    let gist = x.gist(&y, &mut c.budget()).ok()?;
    c.same_union_map(&gist.intersect(&y), &p.intersect(&q)?)?;
    let (s, t) = set(c)?;
    let gist = x.gist_domain(&s, &mut c.budget()).ok()?;
    c.same_union_map(&gist.intersect_domain(&s), &p.intersect_domain(&t)?)?;
    let gist = x.gist_range(&s, &mut c.budget()).ok()?;
    c.same_union_map(&gist.intersect_range(&s), &p.intersect_range(&t)?)?;
    let (_, params, isl) = c.params_set(FEW)?;
    let gist = x.gist_params(&params, &mut c.budget()).ok()?;
    c.same_union_map(&gist.intersect_params(&params), &p.intersect_params(&isl)?)
}

fn same_map(c: &mut Case<'_>, operation: fn(&UnionMap, &mut Budget) -> Result<UnionMap, Stop>) -> Option<()> {
    let (x, p) = map(c)?;
    let result = operation(&x, &mut c.budget()).ok()?;
    c.same_union_map(&result, &p)
}

fn optima(c: &mut Case<'_>) -> Option<()> {
    let (x, p) = map(c)?;
    let (range, _) = bounded(c, &x.range().universe());
    let boxes = isl::UnionSet::read(c.context, &range.to_string())?;
    let (x, p) = (x.intersect_range(&range), p.intersect_range(&boxes)?);
    same_optima!(c, same_union_map, x, p)
}

fn functions(c: &mut Case<'_>) -> Option<()> {
    let (x, p) = map(c)?;
    assert_eq!(x.is_single_valued(&mut c.budget()).ok()?, p.is_single_valued()?, "whether {x} is single-valued");
    assert_eq!(x.is_injective(&mut c.budget()).ok()?, p.is_injective()?, "whether {x} is injective");
    assert_eq!(x.is_bijective(&mut c.budget()).ok()?, p.is_bijective()?, "whether {x} is bijective");
    Some(())
}

fn comparisons(c: &mut Case<'_>) -> Option<()> {
    let ((mut x, mut p), (mut y, mut q)) = (map(c)?, map(c)?);
    match c.random.range(0, 2) {
        0 => (y, q) = (x.union(&y), p.union(&q)?),
        1 => (x, p) = (x.intersect(&y), p.intersect(&q)?),
        _ => {}
    }
    assert_eq!(x.is_subset(&y, &mut c.budget()).ok()?, p.is_subset(&q)?, "{x} in {y}");
    assert_eq!(x.is_strict_subset(&y, &mut c.budget()).ok()?, p.is_strict_subset(&q)?, "{x} in {y}");
    assert_eq!(x.is_equal(&y, &mut c.budget()).ok()?, p.is_equal(&q)?, "{x} is {y}");
    assert_eq!(x.is_disjoint(&y, &mut c.budget()).ok()?, p.is_disjoint(&q)?, "{x} and {y}");
    assert_eq!(x.is_empty(&mut c.budget()).ok()?, p.is_empty()?, "{x}");
    Some(())
}

fn nesting(c: &mut Case<'_>) -> Option<()> {
    let (x, p) = map_of(c, &pool(), &pool())?;
    c.same_union_map(&x.curry(), &p.curry()?)?;
    c.same_union_map(&x.uncurry(), &p.uncurry()?)?;
    c.same_union_map(&x.zip(), &p.zip()?)?;
    c.same_union_map(&x.factor_domain(), &p.factor_domain()?)?;
    c.same_union_map(&x.factor_range(), &p.factor_range()?)?;
    c.same_union_map(&x.range_factor_domain(), &p.range_factor_domain()?)?;
    c.same_union_map(&x.range_factor_range(), &p.range_factor_range()?)?;
    c.same_union_map(&x.domain_factor_domain(), &p.domain_factor_domain()?)?;
    c.same_union_map(&x.domain_factor_range(), &p.domain_factor_range()?)
}

fn params(c: &mut Case<'_>) -> Option<()> {
    let (x, p) = map(c)?;
    let (name, value) = (*c.random.pick(&["n", "m", "k"]), c.random.range(-3, 5));
    let there = c.params().iter().any(|param| param == name);
    let fixed = x.fix_param(name, value);
    if there {
        let text = format!("[{name}] -> {{ : {name} = {value} }}");
        c.same_union_map(&fixed, &p.intersect_params(&isl::Set::read(c.context, &text)?)?)?;
    } else {
        assert_eq!(fixed, x, "there is no parameter {name}");
    }
    let without = x.project_out_param(name);
    assert!(!without.param_ids().iter().any(|param| param == name), "{name} is still there: {without}");
    let theirs = match p.find_param(name) {
        Some(i) => p.project_out_params(i, 1)?,
        None => p,
    };
    c.same_union_map(&without, &theirs)?;
    let used = x.drop_unused_params();
    assert!(used.is_equal(&x, &mut c.budget()).ok()?, "{used} is not {x}");
    Some(())
}
