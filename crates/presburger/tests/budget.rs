//! Every operation with every budget that is too small, and with the smallest that is not.
//!
//! Work is counted in steps, so an operation that needs `n` of them on given operands has to stop
//! with any budget below `n`, and to give the same with `n` as without a limit. After each stop the
//! operands have to be what they were, and the operation has to give what it gave before.

use poly_arith::Int;
use poly_presburger::zpoly::ZUnion;
use poly_presburger::{
    Aff, Budget, DimKind, Map, MultiAff, PwAff, PwMultiAff, Set, SolveError, Stop, UnionMap, UnionPwAff,
    UnionPwMultiAff, UnionSet, farkas_coefficients, farkas_cone,
};

/// What an operation gives, as text.
type Outcome = Result<String, Stop>;

/// Text of a result.
fn text(value: impl ToString) -> Outcome {
    Ok(value.to_string())
}

/// Text of an optimum, or that there is none.
fn optimum(value: Result<impl ToString, SolveError>) -> Outcome {
    match value {
        Ok(value) => text(value),
        Err(SolveError::Unbounded) => text("unbounded"),
        Err(SolveError::Stop) => Err(Stop),
    }
}

/// Text of something that can only be shown for debugging.
fn shown(value: impl std::fmt::Debug) -> Outcome {
    Ok(format!("{value:?}"))
}

/// Budgets below the cost are all tried up to this many, and beyond it as many spread evenly.
const EVERY: u64 = 300;

/// Runs an operation with the budgets that do not suffice and with the first that does.
fn check(name: &str, run: impl Fn(&mut Budget) -> Outcome) {
    let mut budget = Budget::unlimited();
    let expected = run(&mut budget).unwrap_or_else(|Stop| panic!("{name} stops without a limit"));
    let cost = budget.spent();
    let step = cost.div_ceil(EVERY).max(1);
    for limit in (0..cost.min(EVERY)).chain((EVERY..cost).step_by(usize::try_from(step).expect("a step is small"))) {
        let mut budget = Budget::new(limit);
        assert_eq!(run(&mut budget), Err(Stop), "{name} costs {cost} steps, not {limit}");
        assert_eq!(budget.spend(0), Err(Stop), "{name} stops with steps left");
    }
    let mut exact = Budget::new(cost);
    assert_eq!(run(&mut exact).as_ref(), Ok(&expected), "{name} with the {cost} steps that it needs");
    assert_eq!(exact.spent(), cost, "{name} costs the same each time");
}

/// Operands: bounded ones of all shapes, with divisions that are known and that are not, several
/// disjuncts, coefficients for which 64 bits do not suffice.
const SETS: &[[&str; 2]] = &[
    ["[n] -> { [i, j] : 0 <= i <= n and i <= 2j <= i + 7 }", "[n] -> { [i, j] : i >= 3 and 2i + j <= n + 4 }"],
    [
        "[n] -> { [i, j] : 0 <= i <= 9 and exists (e : i = 3e and j <= 5e <= j + 2) or (i = j and 4 <= j <= n) }",
        "[n] -> { [i, j] : (i + n) mod 4 <= 1 and 0 <= j <= 6 or i = 2 and 5 <= j <= 12 }",
    ],
    [
        "{ [i, j] : 1 <= 4000000007i - 4000000009j <= 3 and 0 <= i <= 3000000000 and j <= 5000000000 }",
        "{ [i, j] : 0 <= i <= 7000000001 and 0 <= 3037000500j <= 3037000499i + 1 }",
    ],
];

const MAPS: &[[&str; 2]] = &[
    [
        "[n] -> { S[i] -> A[a, b] : 0 <= i < n and a = i + b and 0 <= b <= 3 and 2b <= i }",
        "[n] -> { S[i] -> A[a, b] : 0 <= i <= 5 and 0 <= a <= n and b <= a <= b + 4 }",
    ],
    [
        "{ S[i] -> A[a, b] : 0 <= i <= 12 and a = i mod 4 and exists (e : i <= 3e + b <= i + 1 and 0 <= b <= 2) }",
        "{ S[i] -> A[a, b] : 2 <= i <= 9 and 0 <= a <= 3 and b = 1 or i = 5 and a = b and 0 <= a <= 8 }",
    ],
];

#[test]
fn sets() {
    for [a, b] in SETS {
        let (x, y): (Set, Set) = (a.parse().unwrap(), b.parse().unwrap());
        let kept = (x.to_string(), y.to_string());
        let on = |name: &str| format!("{name} of {a}");
        check(&on("is_empty"), |u| text(x.is_empty(u)?));
        check(&on("sample"), |u| shown(x.sample(u)?));
        check(&on("sample_set"), |u| text(x.sample_set(u)?));
        check(&on("subtract"), |u| text(x.subtract(&y, u)?));
        check(&on("complement"), |u| text(x.complement(u)?));
        check(&on("is_subset"), |u| text(x.is_subset(&y, u)?));
        check(&on("is_strict_subset"), |u| text(x.is_strict_subset(&y, u)?));
        check(&on("is_equal"), |u| text(x.is_equal(&y, u)?));
        check(&on("is_disjoint"), |u| text(x.is_disjoint(&y, u)?));
        check(&on("is_bounded"), |u| text(x.is_bounded(u)?));
        check(&on("coalesce"), |u| text(x.union(&y).coalesce(u)?));
        check(&on("make_disjoint"), |u| text(x.union(&y).make_disjoint(u)?));
        check(&on("remove_empty_parts"), |u| text(x.remove_empty_parts(u)?));
        check(&on("remove_redundancies"), |u| text(x.clone().remove_redundancies(u)?));
        check(&on("detect_equalities"), |u| text(x.detect_equalities(u)?));
        check(&on("compute_divs"), |u| text(x.clone().compute_divs(u)?));
        check(&on("gist"), |u| text(x.gist(&y, u)?));
        check(&on("gist_params"), |u| text(x.gist_params(&y.params(), u)?));
        check(&on("affine_hull"), |u| text(x.affine_hull(u)?));
        check(&on("simple_hull"), |u| text(x.union(&y).simple_hull(u)?));
        check(&on("unshifted_simple_hull"), |u| text(x.union(&y).unshifted_simple_hull(u)?));
        check(&on("convex_hull"), |u| text(x.union(&y).convex_hull(u)?));
        check(&on("box_hull"), |u| text(x.box_hull(u)?));
        check(&on("dim_bounds"), |u| shown(x.dim_bounds(0..2, u)?));
        check(&on("lattice_hull"), |u| shown(x.lattice_hull(u)?));
        check(&on("stride"), |u| text(x.stride(0, u)?));
        check(&on("stride_info"), |u| shown(x.stride_info(1, u)?));
        check(&on("lexmin"), |u| optimum(x.lexmin(u)));
        check(&on("lexmax"), |u| optimum(x.lexmax(u)));
        check(&on("lexmin_set"), |u| optimum(x.lexmin_set(u)));
        check(&on("partial_lexmin"), |u| {
            optimum(x.partial_lexmin(&y.params(), u).map(|(f, without)| format!("{f} and none for {without}")))
        });
        check(&on("dim_min"), |u| optimum(x.dim_min(0, u)));
        check(&on("dim_max"), |u| optimum(x.dim_max(1, u)));
        check(&on("min_multi"), |u| optimum(x.min_multi(u)));
        check(&on("project_out and lexmax"), |u| optimum(x.project_out(DimKind::Out, 0, 1).lexmax(u)));
        let zone = |u: &mut Budget| ZUnion::from_set(&x, u);
        let other = ZUnion::from_set(&y, &mut Budget::unlimited()).unwrap();
        check(&on("ZUnion::from_set"), |u| text(zone(u)?.to_set()));
        check(&on("ZUnion::intersect"), |u| text(zone(u)?.intersect(&other, u)?.to_set()));
        check(&on("ZUnion::subtract"), |u| text(zone(u)?.subtract(&other, u)?.to_set()));
        for basic in x.basic_sets() {
            let context = y.basic_sets().next().expect("no operand is empty");
            check(&on("BasicSet::gist"), |u| text(basic.gist(&context, u)?));
            check(&on("BasicSet::simplify"), |u| {
                let mut copy = basic.clone();
                copy.simplify(u)?;
                text(copy)
            });
            check(&on("BasicSet::remove_redundancies"), |u| {
                let mut copy = basic.clone();
                copy.remove_redundancies(u)?;
                text(copy)
            });
            check(&on("farkas_coefficients"), |u| text(farkas_coefficients(&basic, u)?));
            check(&on("farkas_cone"), |u| text(farkas_cone(&basic, u)?));
        }
        assert_eq!((x.to_string(), y.to_string()), kept, "the operands are what they were");
    }
}

#[test]
fn relations() {
    for [a, b] in MAPS {
        let (x, y): (Map, Map) = (a.parse().unwrap(), b.parse().unwrap());
        let kept = (x.to_string(), y.to_string());
        let on = |name: &str| format!("{name} of {a}");
        check(&on("is_single_valued"), |u| text(x.is_single_valued(u)?));
        check(&on("is_injective"), |u| text(x.is_injective(u)?));
        check(&on("is_bijective"), |u| text(x.is_bijective(u)?));
        check(&on("subtract"), |u| text(x.subtract(&y, u)?));
        check(&on("subtract_domain"), |u| text(x.subtract_domain(&y.domain(), u)?));
        check(&on("subtract_range"), |u| text(x.subtract_range(&y.range(), u)?));
        check(&on("gist_domain"), |u| text(x.gist_domain(&y.domain(), u)?));
        check(&on("gist_range"), |u| text(x.gist_range(&y.range(), u)?));
        check(&on("coalesce"), |u| text(x.union(&y).coalesce(u)?));
        check(&on("compute_divs"), |u| text(x.clone().compute_divs(u)?));
        check(&on("lexmin"), |u| optimum(x.lexmin(u)));
        check(&on("lexmax"), |u| optimum(x.lexmax(u)));
        check(&on("lexmin of a union"), |u| optimum(x.union(&y).lexmin(u)));
        check(&on("lexmax_map"), |u| optimum(x.lexmax_map(u)));
        check(&on("partial_lexmax"), |u| {
            let (best, without) = match x.partial_lexmax(&y.domain(), u) {
                Err(SolveError::Stop) => return Err(Stop),
                Err(SolveError::Unbounded) => return text("unbounded"),
                Ok(found) => found,
            };
            Ok(format!("{best} and none for {without}"))
        });
        check(&on("from_map"), |u| optimum(PwMultiAff::from_map(&x, u)));
        check(&on("max_multi"), |u| optimum(x.max_multi(u)));
        check(&on("range_stride_info"), |u| shown(x.range_stride_info(0, u)?));
        check(&on("sample_map"), |u| text(x.sample_map(u)?));
        check(&on("enumerate"), |u| {
            let params = vec![Int::from(4); x.space().dim(DimKind::Param)];
            optimum(x.enumerate(&params, u).map(|points| format!("{points:?}")))
        });
        assert_eq!((x.to_string(), y.to_string()), kept, "the operands are what they were");
    }
}

#[test]
fn unions_over_spaces() {
    let a: UnionMap =
        "[n] -> { S[i] -> A[j] : 0 <= i, j < n; S[i] -> B[j] : 0 <= 3j <= i < n; T[] -> A[0] }".parse().unwrap();
    let b: UnionMap = "[n] -> { S[i] -> A[j] : i = 2j and 0 <= i < n; T[] -> A[i] : 0 <= i <= 5 }".parse().unwrap();
    check("UnionMap::subtract", |u| text(a.subtract(&b, u)?));
    check("UnionMap::is_subset", |u| text(b.is_subset(&a, u)?));
    check("UnionMap::coalesce", |u| text(a.union(&b).coalesce(u)?));
    check("UnionMap::lexmin", |u| optimum(a.lexmin(u)));
    check("UnionMap::is_single_valued", |u| text(a.is_single_valued(u)?));
    check("UnionMap::gist", |u| text(b.gist(&a, u)?));
    check("UnionMap::simple_hull", |u| text(a.union(&b).simple_hull(u)?));
    check("UnionPwMultiAff::from_union_map", |u| optimum(UnionPwMultiAff::from_union_map(&b, u)));
    let (d, e): (UnionSet, UnionSet) = (a.domain(), b.range());
    check("UnionSet::is_empty", |u| text(d.intersect(&e).is_empty(u)?));
    check("UnionSet::lexmax", |u| optimum(d.union(&e).lexmax(u)));
    check("UnionSet::make_disjoint", |u| text(d.union(&e).make_disjoint(u)?));
    check("UnionSet::sample", |u| shown(e.sample(u)?));
    check("UnionMap::subtract_domain", |u| text(a.subtract_domain(&b.domain(), u)?));
}

#[test]
fn functions() {
    let f: PwAff = "[n] -> { S[i] -> [(i + n)] : 0 <= i <= n; S[i] -> [(floor((i)/3))] : i < 0 }".parse().unwrap();
    let g: PwAff = "[n] -> { S[i] -> [(2i - 5)] : i >= 2 and i <= 4n }".parse().unwrap();
    check("PwAff::union_add", |u| text(f.union_add(&g, u)?));
    check("PwAff::union_min", |u| text(f.union_min(&g, u)?));
    check("PwAff::union_max", |u| text(f.union_max(&g, u)?));
    check("PwAff::coalesce", |u| text(f.min(&g).coalesce(u)?));
    check("PwAff::is_equal", |u| text(f.add(&g).is_equal(&g.add(&f), u)?));
    check("PwAff::gist", |u| text(f.gist(&g.domain(), u)?));
    check("PwAff::subtract_domain", |u| text(f.subtract_domain(&g.domain(), u)?));
    check("PwAff::indicator", |u| text(PwAff::indicator(&g.domain(), u)?));
    check("PwAff::min_over_domain", |u| shown(g.min_over_domain(u)?.map(|least| least.to_string())));
    let box_: Set = "[n] -> { S[i] : 0 <= 2i <= n }".parse().unwrap();
    let form: Aff = "[n] -> { S[i] -> [(floor((7i - n)/2))] }".parse().unwrap();
    check("Set::min_of", |u| shown(box_.min_of(&form, u)?.map(|least| least.to_string())));
    check("Set::max_value", |u| shown(box_.max_value(&form, u)?));
    let p: PwMultiAff = "[n] -> { S[i] -> A[(i), (n - i)] : 0 <= i <= n }".parse().unwrap();
    let q: PwMultiAff = "[n] -> { S[i] -> A[(3), (i)] : i >= 4 }".parse().unwrap();
    check("PwMultiAff::union_lexmin", |u| text(p.union_lexmin(&q, u)?));
    check("PwMultiAff::union_add", |u| text(p.union_add(&q, u)?));
    check("PwMultiAff::gist", |u| text(p.gist(&q.domain(), u)?));
    let many: UnionPwAff = "[n] -> { S[i] -> [(i)] : i <= n; T[i, j] -> [(i + j)] }".parse().unwrap();
    let less: UnionPwAff = "[n] -> { S[i] -> [(2)] : i >= 0 }".parse().unwrap();
    check("UnionPwAff::union_add", |u| text(many.union_add(&less, u)?));
    check("UnionPwAff::union_min", |u| text(many.union_min(&less, u)?));
    let by: MultiAff = "[n] -> { R[x] -> S[(2x + 1)] }".parse().unwrap();
    check("ZUnion::preimage", |u| text(ZUnion::from_set(&box_, u)?.preimage(&by, u)?.to_set()));
    let image: MultiAff = "[n] -> { S[i] -> R[(3i + n), (2)] }".parse().unwrap();
    check("ZUnion::image", |u| text(ZUnion::from_set(&box_, u)?.image(&image, u)?.to_set()));
}
