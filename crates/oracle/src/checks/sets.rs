//! Set algebra, projection, and what keeps a set as it is.

use poly_arith::Int;
use poly_presburger::solver::Optimum;
use poly_presburger::zpoly::Lattice;
use poly_presburger::{BasicSet, DimKind, Set};

use super::Check;
use crate::case::{Case, SetInput, Tuple, ints};
use crate::isl;
use crate::model::{ANY, BOX, BOXED, FEW, Kind, all_points};

pub(super) const CHECKS: &[Check] = &[
    Check { name: "set.union", run: union },
    Check { name: "set.intersect", run: intersect },
    Check { name: "set.subtract", run: subtract },
    Check { name: "set.complement", run: complement },
    Check { name: "set.product", run: product },
    Check { name: "set.apply", run: apply },
    Check { name: "set.params", run: params },
    Check { name: "set.intersect_params", run: intersect_params },
    Check { name: "set.project_out", run: project_out },
    Check { name: "set.project_out, enumerated", run: project_out_boxed },
    Check { name: "set.compute_divs", run: compute_divs },
    Check { name: "set.gist", run: gist },
    Check { name: "set.gist_params", run: gist_params },
    Check { name: "set.coalesce", run: |c| unchanged(c, |s, b| s.clone().coalesce(b)) },
    Check { name: "set.coalesce, adjacent pieces", run: coalesce_pieces },
    Check { name: "set.remove_redundancies", run: |c| unchanged(c, |s, b| s.clone().remove_redundancies(b)) },
    Check { name: "set.detect_equalities", run: detect_equalities },
    Check { name: "set.remove_empty_parts", run: |c| unchanged(c, |s, b| s.remove_empty_parts(b)) },
    Check { name: "set.make_disjoint", run: make_disjoint },
    Check { name: "basic.simplify", run: simplify },
    Check { name: "basic.equate_quotients", run: equate_quotients },
    Check { name: "set.affine_hull", run: affine_hull },
    Check { name: "set.affine_hull, enumerated", run: affine_hull_boxed },
    Check { name: "set.simple_hull", run: simple_hull },
    Check { name: "set.convex_hull", run: convex_hull },
    Check { name: "set.enumerate", run: enumerate },
];

fn union(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = c.two_sets(3, ANY)?;
    let union = a.set.union(&b.set);
    c.same_points(&union, a.n(), |p| a.holds(p) || b.holds(p));
    c.same_set(&union, &a.isl.union(&b.isl)?)
}

fn intersect(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = c.two_sets(4, ANY)?;
    let both = a.set.intersect(&b.set);
    c.same_points(&both, a.n(), |p| a.holds(p) && b.holds(p));
    c.same_set(&both, &a.isl.intersect(&b.isl)?)
}

fn subtract(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = c.two_sets(3, ANY)?;
    let difference = a.set.subtract(&b.set, &mut c.budget()).ok()?;
    c.same_points(&difference, a.n(), |p| a.holds(p) && !b.holds(p));
    c.same_set(&difference, &a.isl.subtract(&b.isl)?)?;
    assert!(difference.is_disjoint(&b.set, &mut c.budget()).ok()?, "{difference} meets {}", b.set);
    let back = difference.union(&a.set.intersect(&b.set));
    assert!(back.is_equal(&a.set, &mut c.budget()).ok()?, "the parts {back} are not {}", a.set);
    Some(())
}

fn complement(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(3, ANY)?;
    let complement = a.set.complement(&mut c.budget()).ok()?;
    c.same_points(&complement, a.n(), |p| !a.holds(p));
    c.same_set(&complement, &a.isl.complement()?)?;
    let twice = complement.complement(&mut c.budget()).ok()?;
    assert!(twice.is_equal(&a.set, &mut c.budget()).ok()?, "{twice} is not {}", a.set);
    Some(())
}

fn product(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = (c.set(2, ANY)?, c.set(2, ANY)?);
    let (nested, flat) = (a.set.product(&b.set), a.set.flat_product(&b.set));
    let (k, n) = (c.n_param() + a.n(), c.n_param());
    let holds = |p: &[i64]| a.holds(&p[..k]) && b.holds(&[&p[..n], &p[k..]].concat());
    c.same_points(&nested, a.n() + b.n(), holds);
    c.same_points(&flat, a.n() + b.n(), holds);
    c.same_set(&nested, &a.isl.product(&b.isl)?)?;
    c.same_set(&flat, &a.isl.flat_product(&b.isl)?)
}

fn apply(c: &mut Case<'_>) -> Option<()> {
    let set = c.set(2, ANY)?;
    let n = c.n_dim(2);
    let range = Tuple::random(&mut c.random, n);
    let map = c.map_in(&set.tuple, &range, FEW)?;
    let image = set.set.apply(&map.map);
    c.same_set(&image, &set.isl.apply(&map.isl)?)?;
    let restricted = map.map.intersect_domain(&set.set).range();
    assert!(restricted.is_equal(&image, &mut c.budget()).ok()?, "{restricted} is not {image}");
    Some(())
}

fn params(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(3, ANY)?;
    c.same_set(&a.set.params(), &a.isl.params()?)
}

fn intersect_params(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(3, ANY)?;
    let (model, params, isl) = c.params_set(ANY)?;
    let part = a.set.intersect_params(&params);
    let n = c.n_param();
    c.same_points(&part, a.n(), |p| a.holds(p) && model.holds(&p[..n]));
    c.same_set(&part, &a.isl.intersect_params(&isl)?)
}

/// A set, and a range of its dimensions.
fn with_range(c: &mut Case<'_>, kind: Kind) -> Option<(SetInput, usize, usize)> {
    let dims = c.random.size(1, 4);
    let a = c.set_in(&Tuple::Flat("", dims), kind)?;
    let first = c.random.size(0, dims - 1);
    let n = c.random.size(1, (dims - first).min(2));
    Some((a, first, n))
}

fn project_out(c: &mut Case<'_>) -> Option<()> {
    let (a, first, n) = with_range(c, FEW)?;
    let ours = a.set.project_out(DimKind::Out, first, n);
    c.same_set(&ours, &a.isl.project_out(first, n)?)?;
    if c.n_param() > 0 {
        let ours = a.set.project_out(DimKind::Param, 0, 1);
        c.same_set(&ours, &a.isl.project_out_of(isl::DIM_PARAM, 0, 1)?)?;
    }
    Some(())
}

fn project_out_boxed(c: &mut Case<'_>) -> Option<()> {
    let a = c.set_in(&Tuple::Flat("", 2), BOXED)?;
    let at = c.random.size(0, 1);
    let shadow = a.set.project_out(DimKind::Out, at, 1);
    let k = c.n_param() + at;
    let holds = |p: &[i64]| (-BOX..=BOX).any(|x| a.holds(&[&p[..k], &[x], &p[k..]].concat()));
    c.same_points(&shadow, 1, holds);
    let explicit = shadow.compute_divs(&mut c.budget()).ok()?;
    c.same_points(&explicit, 1, holds);
    Some(())
}

fn compute_divs(c: &mut Case<'_>) -> Option<()> {
    let (a, first, n) = with_range(c, FEW)?;
    let shadow = if c.random.one_in(3) { a.set.clone() } else { a.set.project_out(DimKind::Out, first, n) };
    let explicit = shadow.clone().compute_divs(&mut c.budget()).ok()?;
    assert!(explicit.has_known_divs(), "{explicit}");
    let theirs = isl::Set::read(c.context, &shadow.to_string())?;
    c.same_set(&explicit, &theirs)
}

fn gist(c: &mut Case<'_>) -> Option<()> {
    let (a, context) = c.two_sets(3, FEW)?;
    let gist = a.set.gist(&context.set, &mut c.budget()).ok()?;
    let inside = gist.intersect(&context.set);
    c.same_points(&inside, a.n(), |p| a.holds(p) && context.holds(p));
    c.same_set(&inside, &a.isl.intersect(&context.isl)?)
}

fn gist_params(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(3, FEW)?;
    let (_, params, isl) = c.params_set(FEW)?;
    let gist = a.set.gist_params(&params, &mut c.budget()).ok()?;
    c.same_set(&gist.intersect_params(&params), &a.isl.intersect_params(&isl)?)
}

type Change = fn(&Set, &mut poly_presburger::Budget) -> Result<Set, poly_presburger::Stop>;

/// An operation that changes only the representation; never to more disjuncts.
fn unchanged(c: &mut Case<'_>, operation: Change) -> Option<()> {
    let a = c.set(3, ANY)?;
    let result = operation(&a.set, &mut c.budget()).ok()?;
    assert!(result.n_basic() <= a.set.n_basic(), "{} became {result}", a.set);
    c.same_points(&result, a.n(), |p| a.holds(p));
    c.same_set(&result, &a.isl)
}

/// The pieces of a subtraction are put together again, and not worse than isl does on the whole.
fn coalesce_pieces(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = c.two_sets(3, FEW)?;
    let part = a.set.subtract(&b.set, &mut c.budget()).ok()?;
    let pieces = part.union(&a.set.intersect(&b.set));
    c.note(&pieces);
    let result = pieces.clone().coalesce(&mut c.budget()).ok()?;
    assert!(result.n_basic() <= pieces.n_basic(), "{pieces} became {result}");
    c.same_points(&result, a.n(), |p| a.holds(p));
    c.same_set(&result, &a.isl)
}

/// No equality of the affine hull of a disjunct is missing.
fn detect_equalities(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(3, ANY)?;
    let result = a.set.detect_equalities(&mut c.budget()).ok()?;
    c.same_points(&result, a.n(), |p| a.holds(p));
    c.same_set(&result, &a.isl)?;
    for basic in result.basic_sets().filter(|b| b.n_div() == 0) {
        let hull = Set::from_basic(basic.affine_hull(&mut c.budget()).ok()?);
        let plain = Set::from_basic(basic.clone()).affine_hull(&mut c.budget()).ok()?;
        match hull.basics().first() {
            Some(found) => assert_eq!(found.eqs().len(), plain.eqs().len(), "{basic}: {hull}"),
            // No point at all, which the other hull has to know as well.
            None => assert!(plain.is_empty(&mut c.budget()).ok()?, "{basic}: {plain}"),
        }
    }
    Some(())
}

fn make_disjoint(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(3, ANY)?;
    let disjoint = a.set.clone().make_disjoint(&mut c.budget()).ok()?;
    c.same_set(&disjoint, &a.isl)?;
    let exact = c.exact(&disjoint);
    for p in c.points(a.n()) {
        let (params, dims) = p.split_at(c.n_param());
        let (params, dims) = (crate::case::ints(params), crate::case::ints(dims));
        let times = exact.basics().iter().filter(|b| b.contains(&params, &dims)).count();
        assert_eq!(times, usize::from(a.holds(&p)), "{p:?} in {disjoint}");
    }
    Some(())
}

fn simplify(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(3, ANY)?;
    for basic in a.set.basic_sets() {
        let mut simple = basic.clone();
        simple.simplify(&mut c.budget()).ok()?;
        assert!(simple.is_equal(&basic, &mut c.budget()).ok()?, "{basic} became {simple}");
        simple.check_invariants();
        let theirs = isl::Set::read(c.context, &basic.to_string())?;
        c.same_set(&Set::from_basic(simple), &theirs)?;
    }
    Some(())
}

/// Dimensions that are quotients of forms by numbers, some of them the same, and something else.
fn equate_quotients(c: &mut Case<'_>) -> Option<()> {
    let (names, params) = (c.names(3), c.params());
    let form = c.linear(1);
    let k = params.len();
    let mut conditions = vec![format!("-9 <= {} <= 9", names[k])];
    for name in &names[k + 1..] {
        let (d, shift) = (c.random.range(1, 5), if c.random.one_in(3) { c.random.range(-3, 3) } else { 0 });
        let value = format!("{} {shift:+}", form.text(&names[..=k]));
        conditions.push(format!("{d}{name} <= {value} <= {d}{name} + {}", d - 1 + c.random.range(0, 1)));
    }
    if c.random.one_in(2) {
        let other = c.linear(3);
        conditions.push(format!("{} >= 0", other.text(&names)));
    }
    let text = format!("{}{{ [{}] : {} }}", c.header(), names[k..].join(", "), conditions.join(" and "));
    let set: Set = c.read(&text);
    let theirs = isl::Set::read(c.context, &text)?;
    for basic in set.basic_sets() {
        let result = basic.equate_quotients();
        assert!(result.eqs().len() >= basic.eqs().len(), "{basic} became {result}");
        c.same_set(&Set::from_basic(result), &theirs)?;
    }
    Some(())
}

/// The same equalities as isl's, at least.
fn affine_hull(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(3, ANY)?;
    let hull = Set::from_basic(a.set.affine_hull(&mut c.budget()).ok()?);
    let ours = isl::Set::read(c.context, &hull.to_string())?;
    assert!(a.isl.is_subset(&ours)?, "{hull} does not contain the set");
    let theirs = a.isl.affine_hull()?;
    if !ours.is_subset(&theirs)? {
        // isl's hull is one over the floors of the disjuncts, which need not be a lattice.
        let lattice = Set::from_basic(c.read::<Set>(&theirs.text()).affine_hull(&mut c.budget()).ok()?);
        let within = hull.is_subset(&lattice, &mut c.budget()).ok()?;
        assert!(within, "{hull} is larger than isl's {}", theirs.text());
    }
    Some(())
}

/// The hull is the lattice of all the points, and of no others.
fn affine_hull_boxed(c: &mut Case<'_>) -> Option<()> {
    c.set_n_param(0);
    let n = c.random.size(1, 2);
    let a = c.set_in(&Tuple::Flat("", n), BOXED)?;
    let hull = Set::from_basic(a.set.affine_hull(&mut c.budget()).ok()?);
    let points: Vec<Vec<i64>> = all_points(0, n).into_iter().filter(|p| a.holds(p)).collect();
    let Some(first) = points.first() else {
        assert!(hull.is_empty(&mut c.budget()).ok()?, "{hull} of nothing");
        return Some(());
    };
    let steps: Vec<Vec<Int>> =
        points.iter().map(|p| ints(&p.iter().zip(first).map(|(x, y)| x - y).collect::<Vec<_>>())).collect();
    let lattice = Lattice::generated(ints(first), &steps);
    c.same_points(&hull, n, |p| lattice.contains(&ints(p)));
    Some(())
}

fn simple_hull(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(3, ANY)?;
    let simple = Set::from_basic(a.set.clone().simple_hull(&mut c.budget()).ok()?);
    let unshifted = Set::from_basic(a.set.clone().unshifted_simple_hull(&mut c.budget()).ok()?);
    let boxed = Set::from_basic(a.set.box_hull(&mut c.budget()).ok()?);
    for hull in [&simple, &unshifted, &boxed] {
        let read = isl::Set::read(c.context, &hull.to_string())?;
        assert!(a.isl.is_subset(&read)?, "{hull} does not contain the set");
    }
    assert!(simple.is_subset(&unshifted, &mut c.budget()).ok()?, "{simple} is not in {unshifted}");
    Some(())
}

/// A form is not smaller on the hull than on the relaxations of the disjuncts that have points. (It
/// may be larger, as constraints are rounded to the integers.)
fn convex_hull(c: &mut Case<'_>) -> Option<()> {
    let divisions = c.random.one_in(3);
    let kind = Kind { divisions, boxed: c.random.one_in(2), ..FEW };
    let a = c.set(2, kind)?;
    let basic = a.set.convex_hull(&mut c.budget()).ok()?;
    let hull = Set::from_basic(basic.clone());
    let read = isl::Set::read(c.context, &hull.to_string())?;
    assert!(a.isl.is_subset(&read)?, "{hull} does not contain the set");
    let mut parts: Vec<BasicSet> = Vec::new();
    for part in a.set.basic_sets() {
        if !part.is_empty(&mut c.budget()).ok()? {
            parts.push(part);
        }
    }
    let n = 1 + c.n_param() + a.n();
    for _ in 0..6 {
        let form: Vec<Int> = (0..n).map(|_| Int::from(c.random.range(-4, 4))).collect();
        let least = |part: &BasicSet, c: &Case<'_>| {
            let mut row = form.clone();
            row.resize(part.n_col(), Int::ZERO);
            part.rational_min(&row, &mut c.budget()).ok()
        };
        let mut wanted = Optimum::Empty;
        for part in &parts {
            wanted = match (wanted, least(part, c)?) {
                (Optimum::Unbounded, _) | (_, Optimum::Unbounded) => Optimum::Unbounded,
                (Optimum::Bounded(x), Optimum::Bounded(y)) => Optimum::Bounded(x.min(y)),
                (Optimum::Empty, other) | (other, Optimum::Empty) => other,
            };
        }
        match (least(&basic, c)?, wanted) {
            (Optimum::Bounded(found), Optimum::Bounded(low)) => assert!(found >= low, "{form:?} is {found} on {hull}"),
            (found, wanted) => assert_eq!(found, wanted, "the least value of {form:?} on {hull}"),
        }
    }
    Some(())
}

fn enumerate(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(2, BOXED)?;
    let params: Vec<i64> = (0..c.n_param()).map(|_| c.random.range(-3, 6)).collect();
    let set = Set::from_map(c.exact(&a.set));
    let found = set.enumerate(&crate::case::ints(&params), &mut c.budget()).ok()?;
    c.set_n_param(0);
    let wanted: Vec<_> = crate::model::all_points(0, a.n())
        .into_iter()
        .filter(|p| a.holds(&[&params[..], &p[..]].concat()))
        .map(|p| crate::case::ints(&p))
        .collect();
    assert_eq!(found, wanted, "the points for {params:?}");
    let n = wanted.len();
    let count = set.count_points(&crate::case::ints(&params), 1000, &mut c.budget()).ok()?;
    assert_eq!(count, Some(n), "the number of points for {params:?}");
    Some(())
}
