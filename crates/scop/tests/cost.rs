//! What is predicted of a finished tree, the steps that explain it, and the search that goes by
//! both.

mod support;

use poly_presburger::Budget;
use poly_schedule_tree::{Mark, ScheduleTree};
use poly_scop::{
    Analysis, Config, Outcome, Parallelism, Plan, Price, Profitability, Rewriting, Scheduler, Scop, Tiling, Unknown,
    analyse, executed, lower, optimize, predict, schedule,
};
use poly_transform::RegisterChoice;
use poly_transform::rewrite::without_flags;
use support::execution::assert_same_results;
use support::{
    Builder, half_promoted_matmul, hoisted_product, invariant, jacobi_2d, local, lu, promoted_matmul, two_products,
};

/// `for i, j B[j][i] = B[j][i] + A[j][i]`: along the columns.
fn columns(n: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let (to, from) = (b.array("B", &[n]), b.array("A", &[n]));
    let loops = b.loops(&[0, 1]);
    let mut s = b.statement(&format!("{{ S[i, j] : 0 <= i, j < {n} }}"), &loops, &[0, 0, 0]);
    let old = s.read(to, "{ S[i, j] -> B[j, i] }");
    let new = s.read(from, "{ S[i, j] -> A[j, i] }");
    let sum = s.compute("fadd", &[local(old), local(new)]);
    s.write(to, "{ S[i, j] -> B[j, i] }", local(sum));
    s.done();
    b.finish()
}

/// `for i, j <= i { y[i] += L[i][j] x[j]; z[j] += L[i][j] }`.
fn triangle(n: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let (y, z, l, x) = (b.array("y", &[]), b.array("z", &[]), b.array("L", &[n]), b.array("x", &[]));
    let loops = b.loops(&[0, 1]);
    let mut s = b.statement(&format!("{{ S[i, j] : 0 <= i < {n} and 0 <= j <= i }}"), &loops, &[0, 0, 0]);
    let (old, a) = (s.read(y, "{ S[i, j] -> y[i] }"), s.read(l, "{ S[i, j] -> L[i, j] }"));
    let factor = s.read(x, "{ S[i, j] -> x[j] }");
    let new = s.compute("llvm.fmuladd.f64", &[local(a), local(factor), local(old)]);
    s.write(y, "{ S[i, j] -> y[i] }", local(new));
    s.done();
    let mut s = b.statement(&format!("{{ T[i, j] : 0 <= i < {n} and 0 <= j <= i }}"), &loops, &[0, 0, 1]);
    let (old, a) = (s.read(z, "{ T[i, j] -> z[j] }"), s.read(l, "{ T[i, j] -> L[i, j] }"));
    let new = s.compute("fadd", &[local(old), local(a)]);
    s.write(z, "{ T[i, j] -> z[j] }", local(new));
    s.done();
    b.finish()
}

/// `for t, i, j a[i][j] = a[i][j] + a[i - 1][j] * b[j][i]`: chains along `i`, and none along `j`.
fn recurrence(n: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let (a, other) = (b.array("a", &[n]), b.array("b", &[n]));
    let loops = b.loops(&[0, 1, 2]);
    let domain = format!("{{ S[t, i, j] : 0 <= t < 9 and 1 <= i < {n} and 0 <= j < {n} }}");
    let mut s = b.statement(&domain, &loops, &[0, 0, 0, 0]);
    let (old, before) = (s.read(a, "{ S[t, i, j] -> a[i, j] }"), s.read(a, "{ S[t, i, j] -> a[i - 1, j] }"));
    let factor = s.read(other, "{ S[t, i, j] -> b[j, i] }");
    let new = s.compute("llvm.fmuladd.f64", &[local(before), local(factor), local(old)]);
    s.write(a, "{ S[t, i, j] -> a[i, j] }", local(new));
    s.done();
    b.finish()
}

/// `for i { s[i] = 0; for j s[i] += A[j][i]; } for i, j B[i][j] = s[i]`.
fn sums(n: i64) -> Scop {
    let mut b = Builder::new("{ : }");
    let (s, a, to) = (b.array("s", &[]), b.array("A", &[n]), b.array("B", &[n]));
    let loops = b.loops(&[0, 1, 0, 1]);
    let zero = b.value();
    let mut first = b.statement(&format!("{{ R[i] : 0 <= i < {n} }}"), &loops[..1], &[0, 0]);
    first.write(s, "{ R[i] -> s[i] }", invariant(zero));
    first.done();
    let mut sum = b.statement(&format!("{{ S[i, j] : 0 <= i, j < {n} }}"), &loops[..2], &[0, 1, 0]);
    let (old, x) = (sum.read(s, "{ S[i, j] -> s[i] }"), sum.read(a, "{ S[i, j] -> A[j, i] }"));
    let new = sum.compute("fadd", &[local(old), local(x)]);
    sum.write(s, "{ S[i, j] -> s[i] }", local(new));
    sum.done();
    let mut copy = b.statement(&format!("{{ T[i, j] : 0 <= i, j < {n} }}"), &loops[2..], &[1, 0, 0]);
    let x = copy.read(s, "{ T[i, j] -> s[i] }");
    copy.write(to, "{ T[i, j] -> B[i, j] }", local(x));
    copy.done();
    b.finish()
}

fn programs() -> Vec<(&'static str, Scop)> {
    vec![
        ("promoted_matmul", promoted_matmul(1000)),
        ("short matmul", promoted_matmul(20)),
        ("half_promoted_matmul", half_promoted_matmul(700)),
        ("hoisted_product", hoisted_product(900)),
        ("two_products", two_products()),
        ("columns", columns(2000)),
        ("triangle", triangle(1500)),
        ("recurrence", recurrence(800)),
        ("sums", sums(1200)),
        ("lu", lu(400)),
        ("jacobi_2d", jacobi_2d(50, 500)),
    ]
}

fn configs() -> Vec<(&'static str, Config)> {
    let standard = || Config { strip_fusion: false, ..Config::standard() };
    let plain = || Config { register: RegisterChoice::Off, time_tiling: false, ..standard() };
    let threads = Parallelism::Threads { expected: 4 };
    vec![
        ("standard", standard()),
        ("plain", plain()),
        ("tiles of given sizes", Config { tiling: Tiling::Sizes(vec![8, 16, 64]), ..plain() }),
        ("no tiles", Config { tiling: Tiling::Off, ..plain() }),
        ("the original order", Config { scheduler: Scheduler::Original, ..standard() }),
        ("threads", Config { parallelism: threads, ..plain() }),
        ("forced threads", Config { parallelism: threads, profitability: Profitability::Ignored, ..plain() }),
    ]
}

fn scheduled(scop: &Scop, config: &Config) -> (Analysis, ScheduleTree) {
    let budget = &mut Budget::new(config.budget);
    let analysis = analyse(scop.clone(), true, budget).expect("the budget is enough");
    let tree = schedule(&analysis, config, budget).expect("the budget is enough");
    (analysis, tree)
}

#[test]
fn a_tree_costs_what_lowering_has_added_up() {
    let mut known = 0;
    let mut unknown = Vec::new();
    for (config_name, config) in configs() {
        for (name, scop) in programs() {
            let (analysis, tree) = scheduled(&scop, &config);
            let budget = &mut Budget::new(config.budget);
            let lowered = lower(&analysis, &tree, &config, budget).expect("the budget is enough");
            match predict(&analysis, &lowered.tree, &config, budget).expect("the budget is enough") {
                Price::Known(spent) => {
                    let error = (spent.cycles - lowered.cycles).abs() / lowered.cycles;
                    let cycles = (spent.cycles, lowered.cycles);
                    assert!(error < 1e-9, "{name}, {config_name}: {cycles:?}\n{}", lowered.tree);
                    known += 1;
                }
                Price::Unknown(why) => unknown.push((name, config_name, why)),
            }
        }
    }
    // What has a model of its own.
    let is_special = |(_, _, why): &(&str, &str, Unknown)| match why {
        Unknown::Mark(mark) => matches!(mark, Mark::RegisterTile(_) | Mark::SimdWavefront),
        Unknown::Slanted | Unknown::Shared => true,
        _ => false,
    };
    assert!(unknown.iter().all(is_special), "{unknown:#?}");
    assert!(known >= 55, "only {known} of {} trees have a price", known + unknown.len());
}

fn plan(scop: Scop, config: &Config) -> Plan {
    match optimize(scop, config) {
        Outcome::Optimized(plan) => *plan,
        Outcome::Unchanged(reason) => panic!("{reason}"),
    }
}

#[test]
fn the_steps_of_lowering_make_its_tree() {
    let mut explained = Vec::new();
    for (config_name, config) in configs() {
        let config = Config { profitability: Profitability::Ignored, ..config };
        for (name, scop) in programs() {
            let Outcome::Optimized(lowered) = optimize(scop.clone(), &config) else { continue };
            let log = lowered.report.rewrites.clone();
            if log.steps.is_empty() {
                continue;
            }
            let given = Config { rewriting: Rewriting::Given(log.clone()), ..config.clone() };
            let rewritten = plan(scop, &given);
            assert_eq!(without_flags(&rewritten.tree), without_flags(&lowered.tree), "{name}, {config_name}: {log}");
            let [before, after] = [&lowered, &rewritten].map(|plan| plan.report.prediction.map(|p| p.candidate));
            let before = before.expect("lowering predicts its trees");
            match after {
                Some(after) => {
                    assert!((before - after).abs() < 1e-9 * before, "{name}, {config_name}: {before} {after}")
                }
                None => assert!(rewritten.report.unpredicted.is_some(), "{}", rewritten.report),
            }
            explained.push(format!("{name}, {config_name}: {log}"));
        }
    }
    assert!(explained.len() >= 25, "{explained:#?}");
    for step in ["interchange", "tile", "split", "vectorize", "parallelize"] {
        assert!(explained.iter().any(|text| text.contains(step)), "{step}: {explained:#?}");
    }
}

#[test]
fn the_search_interchanges_and_tiles() {
    let standard = || Config { scheduler: Scheduler::Original, tiling: Tiling::Off, ..Config::standard() };
    let Outcome::Unchanged(_) = optimize(columns(2000), &standard()) else { panic!("the order is not to be changed") };
    let found = plan(columns(2000), &Config { rewrite_search: true, ..standard() });
    assert_eq!(found.report.rewrites.to_string(), "interchange(S[0], 1, 0); vectorize(S[0])");
    let given = Config { rewriting: Rewriting::Given(found.report.rewrites.clone()), ..standard() };
    assert_eq!(plan(columns(2000), &given).tree, found.tree);
}

#[test]
fn what_the_search_finds_has_the_same_results() {
    let config =
        Config { rewrite_search: true, tiling: Tiling::Off, register: RegisterChoice::Off, ..Config::standard() };
    let mut config = Config { scheduler: Scheduler::Original, profitability: Profitability::Ignored, ..config };
    // So few elements lie near in any order, unless the caches hold even fewer.
    for cache in &mut config.machine.caches {
        cache.bytes = 512;
    }
    for (name, scop, instances) in [("columns", columns(20), 400), ("sums", sums(13), 13 + 2 * 169)] {
        let found = plan(scop, &config);
        assert!(!found.report.rewrites.steps.is_empty(), "{name}: {}", found.report);
        assert_same_results(&found, instances);
    }
}

/// What may be spent on loops goes with what they execute, which must not itself cost much.
#[test]
fn what_the_original_executes_is_estimated() {
    let of = |scop: &Scop| {
        let mut budget = Budget::new(2_000);
        executed(scop, &mut budget).expect("an estimate costs little")
    };
    // Two reads, a sum and a write at each point.
    assert_eq!(of(&columns(1000)), 4e6);
    assert_eq!(of(&columns(3)), 36.0);
    let (small, large) = (of(&triangle(10)), of(&triangle(1000)));
    assert!((5e3..2e4).contains(&(large / small)), "half of a square: {small}, {large}");
    // A size that is not known is the usual one.
    let mut b = Builder::new("[n] -> { : n >= 1 }");
    let x = b.array("x", &[]);
    let loops = b.loops(&[0]);
    let mut s = b.statement("[n] -> { S[i] : 0 <= i < n }", &loops, &[0, 0]);
    let old = s.read(x, "{ S[i] -> x[i] }");
    s.write(x, "{ S[i] -> x[i + 1] }", local(old));
    s.done();
    assert_eq!(of(&b.finish()), 2e3);
}
