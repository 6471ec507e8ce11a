//! Closures against paths that are followed point by point.

use std::collections::BTreeSet;

use poly_arith::Int;

use crate::budget::{Budget, Stop};
use crate::map::Map;
use crate::set::Set;
use crate::solver::testing::Sampler;
use crate::space::DimKind;
use crate::union::UnionMap;

use super::{Containing, Exactness};

fn free() -> Budget {
    Budget::unlimited()
}

fn map(text: &str) -> Map {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

#[track_caller]
fn closure_is(step: &str, expected: &str) {
    let closure = map(step).transitive_closure(&mut free()).unwrap();
    assert!(closure.value.is_equal(&map(expected), &mut free()).unwrap(), "{step}: {}", closure.value);
    assert_eq!(closure.exactness, Exactness::Exact, "{step}: {}", closure.value);
}

#[test]
fn steps_of_one_distance() {
    closure_is("{ [i] -> [i + 1] }", "{ [i] -> [j] : j > i }");
    closure_is(
        "[n] -> { S[i, j] -> S[i + 1, j - 2] : 0 <= i < n and j <= n }",
        "[n] -> { S[i, j] -> S[a, b] : 0 <= i < a <= n and j <= n and b = j - 2a + 2i }",
    );
}

#[test]
fn steps_of_several_distances() {
    closure_is(
        "{ [i, j] -> [i + 1, j]; [i, j] -> [i, j + 1] }",
        "{ [i, j] -> [a, b] : a >= i and b >= j and a + b > i + j }",
    );
    closure_is("{ [i] -> [j] : i + 2 <= j <= i + 3 }", "{ [i] -> [j] : j >= i + 2 }");
    closure_is("{ [i] -> [i + 2]; [i] -> [i + 3] }", "{ [i] -> [j] : j >= i + 2 }");
}

#[test]
fn steps_of_a_symbolic_distance() {
    closure_is("[n] -> { [i] -> [i + n] : 0 <= i < n }", "[n] -> { [i] -> [i + n] : 0 <= i < n }");
    closure_is("[n] -> { [i] -> [j] : i < j <= n }", "[n] -> { [i] -> [j] : i < j <= n }");
}

#[test]
fn phases_that_follow_each_other() {
    closure_is(
        "{ [i] -> [i + 1] : 0 <= i < 10; [i] -> [i + 2] : 10 <= i < 20 }",
        "{ [i] -> [j] : 0 <= i < j <= 10; [i] -> [j] : 10 <= i < j <= 21 and (j - i) mod 2 = 0 and i < 20 and j <= 21;
           [i] -> [j] : 0 <= i < 10 and 10 < j <= 20 and j mod 2 = 0 }",
    );
}

#[test]
fn steps_without_a_common_difference() {
    // The length of a path decides where it ends: halves.
    let halves = map("{ [i] -> [j] : 2j = i and 1 <= i <= 64 }");
    let closure = halves.transitive_closure(&mut free()).unwrap();
    assert_contains_paths(&halves, &closure.value, closure.exactness, &[], "halves");
}

#[test]
fn a_relation_that_cannot_go_on() {
    closure_is("{ A[i] -> B[i + 1] }", "{ A[i] -> B[i + 1] }");
    closure_is("{ [i] -> [i + 10] : 0 <= i < 10 }", "{ [i] -> [i + 10] : 0 <= i < 10 }");
    closure_is("{ [i] -> [j] : false }", "{ [i] -> [j] : false }");
}

#[test]
fn cycles() {
    closure_is("{ [0] -> [1]; [1] -> [0] }", "{ [i] -> [j] : 0 <= i <= 1 and 0 <= j <= 1 }");
    closure_is("{ [i] -> [i] : i >= 0 }", "{ [i] -> [i] : i >= 0 }");
}

#[test]
fn the_length_of_paths() {
    let power = map("[n] -> { A[i] -> A[i + 3] : 0 <= i < n }").power(&mut free()).unwrap();
    let expected = map("[n] -> { [k] -> [A[i] -> A[i + 3k]] : k >= 1 and 0 <= i and i + 3k < n + 3 }");
    assert!(power.value.is_equal(&expected, &mut free()).unwrap(), "{}", power.value);
    assert!(power.exactness.is_exact());
    let lengths = map("{ [i] -> [i + 3] : 0 <= i < 10 }").reaching_path_lengths(&mut free()).unwrap();
    let expected: Set = "{ [k] : 1 <= k <= 4 }".parse().unwrap();
    assert!(lengths.value.is_equal(&expected, &mut free()).unwrap(), "{}", lengths.value);
}

#[test]
fn fixed_powers() {
    let step = map("{ [i] -> [2i] : 0 <= i <= 100 }");
    for (exponent, expected) in [
        (0, "{ [i] -> [i] }"),
        (1, "{ [i] -> [2i] : 0 <= i <= 100 }"),
        (3, "{ [i] -> [8i] : 0 <= i <= 25 }"),
        (-2, "{ [4i] -> [i] : 0 <= i <= 50 }"),
    ] {
        let power = step.fixed_power(exponent, &mut free()).unwrap();
        assert!(power.is_equal(&map(expected), &mut free()).unwrap(), "{exponent}: {power}");
    }
    let across = map("{ A[i] -> B[i] }");
    assert!(across.fixed_power(2, &mut free()).unwrap().plain_is_empty());
}

#[test]
fn paths_across_spaces() {
    let steps: UnionMap =
        "[n] -> { A[i] -> B[i] : 0 <= i < n; B[i] -> A[i + 1] : 0 <= i < n; B[i] -> C[] : i = n }".parse().unwrap();
    let closure = steps.transitive_closure(&mut free()).unwrap();
    let expected: UnionMap = "[n] -> { A[i] -> A[j] : 0 <= i < j <= n; B[i] -> B[j] : 0 <= i < j < n;
        A[i] -> B[j] : 0 <= i <= j < n; B[i] -> A[j] : 0 <= i < j <= n and i < n; B[i] -> C[] : i = n }"
        .parse()
        .unwrap();
    assert!(closure.value.is_equal(&expected, &mut free()).unwrap(), "{}", closure.value);
    assert_eq!(closure.exactness, Exactness::Exact);
}

/// The relation at some parameter values, as pairs.
fn pairs(relation: &Map, params: &[Int]) -> Option<BTreeSet<(Vec<Int>, Vec<Int>)>> {
    let n = relation.dim(DimKind::In);
    let points = relation.enumerate(params, &mut free()).ok()?;
    Some(points.into_iter().map(|point| (point[..n].to_vec(), point[n..].to_vec())).collect())
}

fn assert_contains_paths(step: &Map, closure: &Map, exactness: Exactness, params: &[Int], what: &str) {
    let steps = pairs(step, params).expect("the steps are bounded");
    let mut paths = steps.clone();
    loop {
        let longer: BTreeSet<_> = (paths.iter())
            .flat_map(|(x, y)| steps.iter().filter(move |(from, _)| from == y).map(|(_, to)| (x.clone(), to.clone())))
            .collect();
        let before = paths.len();
        paths.extend(longer);
        if paths.len() == before {
            break;
        }
    }
    let found = pairs(closure, params).expect("paths are between points of the domain and of the range");
    assert!(found.is_superset(&paths), "{what} at {params:?}: {step} has more paths than {closure}");
    if exactness.is_exact() {
        assert_eq!(found, paths, "{what} at {params:?}: {closure} is not exactly the closure of {step}");
    }
}

/// A random relation within a box, of one to three disjuncts.
fn random_step(sampler: &mut Sampler) -> Map {
    let n = sampler.range(1, 2);
    let dims = |prefix: &str| (0..n).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>();
    let (input, output) = (dims("i"), dims("o"));
    let within = input.iter().chain(&output).map(|d| format!("0 <= {d} <= 4")).collect::<Vec<_>>().join(" and ");
    let disjuncts: Vec<String> = (0..sampler.range(1, 3))
        .map(|_| {
            let mut conditions = vec![within.clone()];
            for (i, o) in input.iter().zip(&output) {
                let offset = sampler.range(-2, 2);
                conditions.push(match sampler.range(0, 4) {
                    0 => format!("{o} >= {i} + {offset}"),
                    1 => format!("{o} <= {i} + p + {offset}"),
                    _ => format!("{o} = {i} + {offset}"),
                });
            }
            if sampler.range(0, 2) == 0 {
                conditions.push(format!("{} <= {}", input[0], sampler.range(0, 4)));
            }
            if sampler.range(0, 4) == 0 {
                conditions.push(format!("({}) mod 2 = 0", output[0]));
            }
            conditions.join(" and ")
        })
        .collect();
    let [input, output] = [input, output].map(|names| names.join(", "));
    let parts = disjuncts.iter().map(|c| format!("[{input}] -> [{output}] : {c}")).collect::<Vec<_>>();
    map(&format!("[p] -> {{ {} }}", parts.join("; ")))
}

#[test]
fn random_closures_contain_all_paths_and_exact_ones_nothing_else() -> Result<(), Stop> {
    let (mut exact, mut stopped) = (0, 0);
    for seed in 0..60 {
        let step = random_step(&mut Sampler::new(seed));
        let Ok(Containing { value, exactness }) = step.transitive_closure(&mut Budget::new(3_000_000)) else {
            stopped += 1;
            continue;
        };
        exact += usize::from(exactness.is_exact());
        for p in [-1, 0, 2] {
            assert_contains_paths(&step, &value, exactness, &[Int::from(p)], &format!("seed {seed}"));
        }
    }
    assert!(exact >= 40, "only {exact} closures are exact");
    assert!(stopped <= 15, "{stopped} closures ran out of budget");
    Ok(())
}

#[test]
fn powers_agree_with_compositions() {
    for seed in 0..12 {
        let step = random_step(&mut Sampler::new(seed));
        let Ok(power) = step.power(&mut Budget::new(3_000_000)) else { continue };
        for k in 1..4 {
            let composed = step.fixed_power(k, &mut free()).unwrap();
            let of_length = Set::from_map(power.value.fix(DimKind::In, 0, k).range().as_map().clone()).unwrap();
            assert!(composed.is_subset(&of_length, &mut free()).unwrap(), "seed {seed}, {k} steps of {step}");
            if power.exactness.is_exact() {
                assert!(of_length.is_subset(&composed, &mut free()).unwrap(), "seed {seed}, {k} steps of {step}");
            }
        }
    }
}

#[test]
fn a_small_budget_stops() {
    let step = map("[n] -> { [i, j] -> [i + 1, j]; [i, j] -> [i, j + 1] : i < n }");
    assert_eq!(step.transitive_closure(&mut Budget::new(3)), Err(Stop));
}
