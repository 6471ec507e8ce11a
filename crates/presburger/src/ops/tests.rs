//! Property tests against brute force.

use poly_arith::Int;

use crate::budget::{Budget, SolveError, Stop};
use crate::map::Map;
use crate::set::Set;
use crate::solver::testing::Sampler;
use crate::space::DimKind;
use crate::testing::{Model, Shape, boxed_points, has, ints};

const PARAMS: [i64; 3] = [-2, 0, 3];

/// More than any of the small cases should need.
fn free() -> Budget {
    Budget::new(3_000_000)
}

fn shape(n_dim: usize) -> Shape {
    Shape { n_dim, max_basics: 3, max_exists: 1, bound: None }
}

/// Run a property on many random cases. A few of them may be too hard for the budget.
fn cases(n: u64, property: impl Fn(&mut Sampler) -> Result<(), Stop>) {
    let mut stopped = 0;
    for seed in 0..n {
        let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| property(&mut Sampler::new(seed))));
        match run {
            Ok(Ok(())) => {}
            Ok(Err(Stop)) => stopped += 1,
            Err(panic) => {
                eprintln!("the failing seed is {seed}");
                std::panic::resume_unwind(panic);
            }
        }
    }
    assert!(stopped * 20 <= n, "{stopped} of {n} cases ran out of budget");
}

/// Assert membership at all points of a box for some parameter values.
fn assert_points(map: &Map, size: i64, expected: impl Fn(i64, &[i64]) -> bool, what: &str) {
    let n = map.space().n_var() - map.dim(DimKind::Param);
    for p in PARAMS {
        for point in boxed_points(n, size) {
            assert_eq!(has(map, p, &point), expected(p, &point), "{what} is wrong at p = {p}, {point:?}: {map}");
        }
    }
}

#[test]
fn simplification_keeps_the_points() {
    cases(400, |s| {
        let model = Model::random(s, Shape { max_exists: 2, ..shape(2) });
        let raw = model.set(2);
        assert_points(&raw, 4, |p, x| model.contains(p, x), "the raw set");
        let mut normal = Map::empty(raw.space().clone());
        let mut reduced = normal.clone();
        for b in raw.basics() {
            normal.push((**b).clone().normalized());
            let mut b = (**b).clone();
            b.remove_redundancies(&mut free())?;
            reduced.push(b);
        }
        assert_points(&normal, 4, |p, x| model.contains(p, x), "the normalized set");
        assert_points(&reduced, 4, |p, x| model.contains(p, x), "the reduced set");
        Ok(())
    });
}

#[test]
fn printed_sets_parse_to_the_same_set() {
    cases(200, |s| {
        let model = Model::random(s, Shape { max_exists: 2, ..shape(2) });
        let set = model.set(2);
        let text = set.to_string();
        let again: Set = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_points(&again, 4, |p, x| model.contains(p, x), &text);
        Ok(())
    });
}

#[test]
fn divs_become_explicit() {
    cases(300, |s| {
        let model = Model::random(s, Shape { max_exists: 2, max_basics: 1, ..shape(2) });
        let set = model.set(2);
        let explicit = set.clone().compute_divs(&mut free())?;
        assert!(explicit.has_known_divs(), "{explicit} has unknown divs");
        assert_points(&explicit, 4, |p, x| model.contains(p, x), &format!("{set}"));
        Ok(())
    });
}

#[test]
fn projection_is_exact() {
    cases(300, |s| {
        let shape = Shape { bound: Some(4), max_basics: 2, ..shape(3) };
        let model = Model::random(s, shape);
        let set = model.set(3);
        let at = s.range(0, 2) as usize;
        let projected = set.project_out(DimKind::Out, at, 1);
        let expected = |p: i64, x: &[i64]| {
            (-4..=4).any(|v| {
                let mut full = x.to_vec();
                full.insert(at, v);
                model.contains(p, &full)
            })
        };
        assert_points(&projected, 5, expected, &format!("projection of {set}"));
        let first = set.project_out(DimKind::Out, 1, 2);
        let expected = |p: i64, x: &[i64]| boxed_points(2, 4).iter().any(|y| model.contains(p, &[x, y].concat()));
        assert_points(&first, 5, expected, &format!("second projection of {set}"));
        Ok(())
    });
}

#[test]
fn boolean_algebra() {
    cases(300, |s| {
        let (a, b) = (Model::random(s, shape(2)), Model::random(s, shape(2)));
        let (x, y) = (a.set(2), b.set(2));
        let label = format!("{x} and {y}");
        let check = |result: &Set, f: fn(bool, bool) -> bool| {
            assert_points(result, 4, |p, v| f(a.contains(p, v), b.contains(p, v)), &label);
        };
        check(&x.union(&y), |a, b| a || b);
        check(&x.intersect(&y), |a, b| a && b);
        let difference = x.subtract(&y, &mut free())?;
        check(&difference, |a, b| a && !b);
        check(&y.complement(&mut free())?, |_, b| !b);
        assert!(difference.is_disjoint(&y, &mut free())?, "{label}");
        assert!(difference.is_subset(&x, &mut free())?, "{label}");
        let back = difference.union(&x.intersect(&y));
        assert!(back.is_equal(&x, &mut free())?, "{label}");
        assert_eq!(x.is_subset(&y, &mut free())?, difference.is_empty(&mut free())?, "{label}");
        Ok(())
    });
}

#[test]
fn disjoint_disjuncts_cover_each_point_once() {
    cases(200, |s| {
        let model = Model::random(s, shape(2));
        let set = model.set(2);
        let disjoint = set.clone().make_disjoint(&mut free())?;
        for p in PARAMS {
            for point in boxed_points(2, 4) {
                let n = disjoint.basics().iter().filter(|b| b.contains(&[Int::from(p)], &ints(&point))).count();
                assert_eq!(n, usize::from(model.contains(p, &point)), "{set} at {point:?}");
            }
        }
        Ok(())
    });
}

#[test]
fn coalescing_keeps_the_points() {
    cases(300, |s| {
        let model = Model::random(s, Shape { max_basics: 4, ..shape(2) });
        let set = model.set(2);
        let fewer = set.clone().coalesce(&mut free())?;
        assert!(fewer.n_basic() <= set.n_basic());
        assert_points(&fewer, 5, |p, x| model.contains(p, x), &format!("coalescing of {set}"));
        Ok(())
    });
}

#[test]
fn gist_is_right_within_the_context() {
    cases(400, |s| {
        let (a, c) = (Model::random(s, shape(2)), Model::random(s, shape(2)));
        let (set, context) = (a.set(2), c.set(2));
        let gist = set.gist(&context, &mut free())?;
        let label = format!("gist of {set} in {context}");
        for p in PARAMS {
            for point in boxed_points(2, 5) {
                if c.contains(p, &point) {
                    assert_eq!(has(&gist, p, &point), a.contains(p, &point), "{label}: {gist}");
                }
            }
        }
        Ok(())
    });
}

#[test]
fn hulls_contain_the_set() {
    cases(200, |s| {
        let model = Model::random(s, shape(2));
        let set = model.set(2);
        for hull in [
            set.clone().simple_hull(&mut free())?,
            set.clone().unshifted_simple_hull(&mut free())?,
            set.affine_hull(&mut free())?,
            set.box_hull(&mut free())?,
        ] {
            for p in PARAMS {
                for point in boxed_points(2, 5).iter().filter(|x| model.contains(p, x)) {
                    assert!(has(&Set::from_basic(hull.clone()), p, point), "{hull} of {set}");
                }
            }
        }
        Ok(())
    });
}

#[test]
fn affine_hulls_have_congruences() {
    let hull = |text: &str| text.parse::<crate::Map>().unwrap().affine_hull(&mut free()).unwrap().to_string();
    expect_test::expect!["[n] -> { S[i] -> S[j] : (1 + n) mod 2 = 0 }"]
        .assert_eq(&hull("[n] -> { S[i] -> S[j] : (5 + n + 2i) mod 4 = 0 or n = -1 }"));
    expect_test::expect!["{ A[i0] -> B[2i0] : (1 + i0) mod 6 = 0 }"]
        .assert_eq(&hull("{ A[5] -> B[10]; A[11] -> B[22]; A[i] -> B[j] : j = 2i and i mod 18 = 17 }"));
    // The vertices are the only integer points, and they do not generate all points.
    expect_test::expect!["{ A[x] -> B[y, z] : (z) mod 5 = 0 }"].assert_eq(&hull(
        "{ A[x] -> B[y, z] : z >= 0 and 5x + 5y - z <= 5 and z <= 5x and z <= 5y and exists (e: e = x + y) }",
    ));
    expect_test::expect!["{ A[x] -> B[y, z] : false }"]
        .assert_eq(&hull("{ A[x] -> B[y, z] : 2x + 4y = 2z + 1; A[x] -> B[y, z] : 1 <= 3x <= 2 }"));
}

#[test]
fn relations_compose() {
    cases(200, |s| {
        let shape = Shape { bound: Some(3), max_basics: 2, ..shape(2) };
        let (a, b) = (Model::random(s, shape), Model::random(s, shape));
        let (x, y) = (a.map(1, 1), b.map(1, 1));
        let label = format!("{x} and {y}");
        let expected = |p: i64, v: &[i64]| (-3..=3).any(|m| a.contains(p, &[v[0], m]) && b.contains(p, &[m, v[1]]));
        assert_points(&x.apply_range(&y), 4, expected, &label);
        assert_points(&x.reverse(), 4, |p, v| a.contains(p, &[v[1], v[0]]), &label);
        let in_domain = |p: i64, v: &[i64]| (-3..=3).any(|m| a.contains(p, &[v[0], m]));
        assert_points(&x.domain(), 4, in_domain, &label);
        let in_range = |p: i64, v: &[i64]| (-3..=3).any(|m| a.contains(p, &[m, v[0]]));
        assert_points(&x.range(), 4, in_range, &label);
        let delta = |p: i64, v: &[i64]| (-3..=3).any(|m| a.contains(p, &[m, m + v[0]]));
        assert_points(&x.deltas(), 7, delta, &label);
        let image = |p: i64, v: &[i64]| (-3..=3).any(|m| in_range(p, &[m]) && b.contains(p, &[m, v[0]]));
        assert_points(&x.range().apply(&y), 4, image, &label);
        Ok(())
    });
}

#[test]
fn enumeration_and_emptiness() {
    cases(200, |s| {
        let shape = Shape { bound: Some(3), max_exists: 2, ..shape(2) };
        let model = Model::random(s, shape);
        let set = model.set(2);
        let mut any = false;
        for p in PARAMS {
            let points = set.enumerate(&[Int::from(p)], &mut free())?;
            let expected: Vec<Vec<Int>> =
                boxed_points(2, 3).iter().filter(|x| model.contains(p, x)).map(|x| ints(x)).collect();
            any |= !expected.is_empty();
            assert_eq!(points, expected, "{set} for p = {p}");
        }
        assert!(set.is_bounded(&mut free())?, "{set}");
        if any {
            assert!(!set.is_empty(&mut free())?, "{set}");
        }
        if let Some(point) = set.sample(&mut free())? {
            let values: Vec<i64> = point.iter().map(|x| x.to_i64().unwrap()).collect();
            assert!(model.contains(values[0], &values[1..]), "{set} at {values:?}");
        }
        Ok(())
    });
}

#[test]
fn lexicographic_optima() {
    cases(300, |s| {
        let shape = Shape { bound: Some(3), max_basics: 2, max_exists: 1, ..shape(3) };
        let model = Model::random(s, shape);
        let map = model.map(1, 2);
        let (min, max) = (map.lexmin(&mut free())?, map.lexmax(&mut free())?);
        for p in PARAMS {
            for x in -4..=4 {
                let images: Vec<Vec<i64>> =
                    boxed_points(2, 3).into_iter().filter(|y| model.contains(p, &[x, y[0], y[1]])).collect();
                let value = |f: &crate::PwMultiAff| -> Option<Vec<i64>> {
                    let value = f.eval(&[Int::from(p)], &[Int::from(x)])?;
                    let int = |v: &poly_arith::Rational| v.to_int().unwrap().to_i64().unwrap();
                    Some(value.iter().map(int).collect())
                };
                assert_eq!(value(&min), images.first().cloned(), "{map} at {p}, {x}: {min}");
                assert_eq!(value(&max), images.last().cloned(), "{map} at {p}, {x}: {max}");
            }
        }
        Ok(())
    });
}

#[test]
fn optima_that_do_not_exist() {
    let unbounded = |result: Result<crate::PwMultiAff, SolveError>| assert_eq!(result, Err(SolveError::Unbounded));
    let map: crate::Map = "[n] -> { A[i] -> B[j, k] : 0 <= j <= n and k <= i }".parse().unwrap();
    unbounded(map.lexmin(&mut free()));
    assert!(map.lexmax(&mut free()).is_ok());
    unbounded(map.reverse().lexmax(&mut free()));
    unbounded(crate::PwMultiAff::from_map(&map, &mut free()));
    unbounded(map.partial_lexmin(&map.domain(), &mut free()).map(|found| found.0));
    assert_eq!(crate::UnionMap::from(map.clone()).lexmin(&mut free()), Err(SolveError::Unbounded));
    assert_eq!(map.range().dim_min(1, &mut free()), Err(SolveError::Unbounded));
    assert_eq!(map.range().dim_min(0, &mut free()).unwrap().n_piece(), 1);
    // One disjunct without bound is enough, and one without integer points does not count.
    let set = |text: &str| text.parse::<crate::Set>().unwrap().lexmin(&mut free());
    unbounded(set("{ [i] : i <= 3 or i = 5 }"));
    unbounded(set("[n] -> { [i] : n >= 4 and exists (e: 3e <= i and 5e >= 2i) }"));
    assert_eq!(set("[n] -> { [i, j] : i >= 0 and 2i = 4j + 1; [i, j] : i = n and j = 7 }").unwrap().n_piece(), 1);
    // Whoever only knows `Stop` gets it.
    let passed_on = |map: &crate::Map| -> Result<crate::Map, Stop> { Ok(map.lexmin_map(&mut free())?) };
    assert_eq!(passed_on(&map), Err(Stop));
}

#[test]
fn optima_of_dimensions() {
    cases(300, |s| {
        let shape = Shape { bound: Some(3), max_basics: 2, max_exists: 1, ..shape(2) };
        let model = Model::random(s, shape);
        let set = model.set(2);
        let (min, max) = (set.dim_min(1, &mut free())?, set.dim_max(1, &mut free())?);
        let first = set.lexmin(&mut free())?;
        for p in PARAMS {
            let points: Vec<Vec<i64>> = boxed_points(2, 3).into_iter().filter(|x| model.contains(p, x)).collect();
            let value = |f: &crate::PwAff| f.eval(&[Int::from(p)], &[]);
            let values = || points.iter().map(|x| poly_arith::Rational::from(x[1]));
            assert_eq!(value(&min), values().min(), "{set} at {p}: {min}");
            assert_eq!(value(&max), values().max(), "{set} at {p}: {max}");
            let expected = points.first().map(|x| x.iter().map(|&v| poly_arith::Rational::from(v)).collect::<Vec<_>>());
            assert_eq!(first.eval(&[Int::from(p)], &[]), expected, "{set} at {p}: {first}");
        }
        Ok(())
    });
}

#[test]
fn single_valued_relations() {
    cases(200, |s| {
        let shape = Shape { bound: Some(2), max_basics: 2, ..shape(2) };
        let model = Model::random(s, shape);
        let map = model.map(1, 1);
        let has = |p: i64, x: i64, y: i64| model.contains(p, &[x, y]);
        let single = (-12..=12).all(|p| (-2..=2).all(|x| (-2..=2).filter(|&y| has(p, x, y)).count() <= 1));
        if map.is_single_valued(&mut free())? {
            assert!(single, "{map} is not single-valued");
            let f = crate::PwMultiAff::from_map(&map, &mut free())?;
            assert!(f.to_map().is_equal(&map, &mut free())?, "{map} is not {f}");
        }
        Ok(())
    });
}

#[test]
fn farkas_coefficients_are_those_of_nonnegative_forms() {
    let set: crate::BasicSet = "[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }".parse().unwrap();
    let cone = crate::farkas_coefficients(&set, &mut free()).unwrap();
    expect_test::expect!["{ coefficients[[c_cst, c_n] -> [c_i, c_j]] : c_n >= 0 and c_n >= -c_cst and c_i >= -c_n and c_j >= -c_n - c_i }"].assert_eq(&cone.to_string());
    let set: crate::BasicSet = "{ [i] : i mod 2 = 0 and 3 <= i <= 7 }".parse().unwrap();
    let cone = crate::farkas_coefficients(&set, &mut free()).unwrap();
    expect_test::expect!["{ coefficients[[c_cst] -> [c_i]] : 3c_i >= -c_cst and 7c_i >= -c_cst }"]
        .assert_eq(&cone.to_string());
}

#[test]
fn union_of_functions() {
    let a: crate::PwAff = "[n] -> { [i] -> [i] : 0 <= i < n }".parse().unwrap();
    let b: crate::PwAff = "[n] -> { [i] -> [5] : 3 <= i < 10 }".parse().unwrap();
    for (f, g) in [
        (a.union_add(&b, &mut free()).unwrap(), (|x, y| x + y) as fn(i64, i64) -> i64),
        (a.union_min(&b, &mut free()).unwrap(), |x, y| x.min(y)),
        (a.union_max(&b, &mut free()).unwrap(), |x, y| x.max(y)),
    ] {
        for n in [2, 7, 20] {
            for i in -2..15 {
                let x = (0..n).contains(&i).then_some(i);
                let y = (3..10).contains(&i).then_some(5);
                let expected = match (x, y) {
                    (Some(x), Some(y)) => Some(g(x, y)),
                    (x, y) => x.or(y),
                };
                let value = f.eval(&[Int::from(n)], &[Int::from(i)]);
                assert_eq!(value, expected.map(poly_arith::Rational::from), "{f} at {n}, {i}");
            }
        }
    }
}

#[test]
fn redundancy_that_rests_on_the_bound_of_a_div() {
    // n <= 1 makes an equality of a bound of the div, which in turn implies it.
    let set: Set = "[n] -> { : n <= 1 and n >= 2*floor((2 + n)/3) }".parse().expect("the text is a set");
    let reduced = set.remove_redundancies(&mut free()).expect("the budget suffices");
    for n in -6..7 {
        assert_eq!(reduced.contains(&ints(&[n]), &[]), n == 0, "{reduced} at {n}");
    }
    // An equality that a bound of a div repeats is found only once.
    let even: Set = "[n] -> { : n mod 2 = 0 and n >= 0 }".parse().expect("the text is a set");
    assert_eq!(even.clone().remove_redundancies(&mut free()).expect("the budget suffices"), even);
}

#[test]
fn what_one_constraint_excludes_is_subtracted_without_a_solver() {
    let parts =
        ["3 <= i <= 9 and j = 2i + 1", "i >= 3 and j = 7", "j = 2i + 2", "i = 3", "i <= 2", "i >= 10", "5 <= i <= 9"];
    let set =
        |text: &str| -> Set { format!("{{ [i, j] : {text} and 0 <= j < 100 }}").parse().expect("the text is a set") };
    for (a, b) in parts.iter().flat_map(|a| parts.iter().map(move |b| (set(a), set(b)))) {
        let mut budget = Budget::unlimited();
        let rest = a.subtract(&b, &mut budget).expect("no limit");
        for (i, j) in (-1..12).flat_map(|i| (-1..26).map(move |j| (i, j))) {
            let point = ints(&[i, j]);
            let expected = a.contains(&[], &point) && !b.contains(&[], &point);
            assert_eq!(rest.contains(&[], &point), expected, "{a} - {b} at {i}, {j}");
        }
    }
    let mut budget = Budget::unlimited();
    let rest = set("i <= 2").subtract(&set("i >= 10"), &mut budget).expect("no limit");
    assert_eq!(rest, set("i <= 2"));
    assert!(budget.spent() < 20, "{} steps", budget.spent());
}
