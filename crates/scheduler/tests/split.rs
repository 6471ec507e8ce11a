//! Statements split into subdomains: stencils on rings and tori, and mirror images.

mod common;

use common::instances::assert_right;
use common::programs::{program, statement};
use common::{Input, run};
use expect_test::{Expect, expect};
use poly_checker::{Coincidence, Legality, check, check_coincidence};
use poly_dependence::Problem;
use poly_presburger::budget::Budget;
use poly_schedule_tree::ScheduleTree;
use poly_scheduler::{Options, is_free, split};

/// Bands with the number of their members, permutable ones with `*`, coincident members; outermost
/// first.
fn bands(tree: &ScheduleTree) -> String {
    let describe = |node: &poly_schedule_tree::Node| {
        let band = node.band().expect("a band");
        let names: Vec<String> = band
            .schedule
            .get(0)
            .iter()
            .filter_map(|f| f.domain_space().tuple_name(poly_presburger::DimKind::Out))
            .map(ToString::to_string)
            .collect();
        let parallel = band.coincident.iter().filter(|c| **c).count();
        format!("{}: depth {}, parallel {parallel}\n", names.join(" "), band.n_member())
    };
    tree.band_nodes().iter().map(describe).collect()
}

/// The schedule of the statements and the one of the subdomains, which must be legal for the
/// statements, too.
fn before_and_after(problem: &Problem, expected: Expect) -> Option<ScheduleTree> {
    let mut budget = Budget::unlimited();
    let whole = run(problem, &Options::default(), false);
    let input = Input::of(problem, poly_dependence::Options::default());
    let (domains, dependences) = (&input.domains, &input.dependences);
    let mut text = bands(&whole.tree);
    let Some(folding) = split(&input.problem(), &mut budget).expect("no limit") else {
        expected.assert_eq(&text);
        return None;
    };
    let tree = folding.schedule(&Options::default(), &mut budget).expect("no limit");
    let subdomains = folding.subdomains();
    assert_eq!(check(&tree, subdomains.dependences(), &mut budget), Ok(Legality::Legal));
    let joined = subdomains.joined(&tree, domains, &mut budget).expect("no limit");
    assert_eq!(check(&joined, dependences, &mut budget), Ok(Legality::Legal));
    assert_eq!(check_coincidence(&joined, dependences, &mut budget), Ok(Coincidence::Kept));
    text += &format!("{} subdomains\n{}", subdomains.subdomains().len(), bands(&tree));
    let improves = folding.improves(&tree, &whole.tree, domains);
    assert!(!improves || !is_free(&whole.tree, domains), "what is free cannot become better");
    text += if improves { "better" } else { "not better" };
    expected.assert_eq(&text);
    Some(joined)
}

/// Whether the schedule of one statement that reads `read` and writes `A[i, j]` is free.
fn is_free_with(read: &str) -> bool {
    let accesses = [read, "write { S[i, j] -> A[i, j] }"];
    let domain = "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }";
    let problem = program("[n] -> { : n >= 4 }", vec![statement(domain, "{ S[i, j] -> [i, j] }", &accesses)]);
    let whole = run(&problem, &Options::default(), false);
    is_free(&whole.tree, &Input::of(&problem, poly_dependence::Options::default()).domains)
}

#[test]
fn loops_without_dependences_are_free() {
    assert!(is_free_with("read { S[i, j] -> B[j, i] }"));
    assert!(!is_free_with("read { S[i, j] -> A[i, j - 1] }"));
    assert!(!is_free_with("read { S[i, j] -> A[j, i] }"));
}

const RING: &str = "[n, k] -> { : n >= 4 and k >= 1 }";

/// `B[i] = A[i-1] + A[i] + A[i+1]` on a ring of `n` elements, and `A = B`, `k` times.
fn ring(n: &str) -> Problem {
    program(
        RING,
        vec![
            statement(
                &format!("[n, k] -> {{ S[t, i] : 0 <= t < k and 0 <= i < {n} }}"),
                "{ S[t, i] -> [t, 0, i] }",
                &[
                    &format!("read [n] -> {{ S[t, i] -> A[i - 1] : i >= 1; S[t, 0] -> A[{n} - 1] }}"),
                    "read { S[t, i] -> A[i] }",
                    &format!("read [n] -> {{ S[t, i] -> A[i + 1] : i < {n} - 1; S[t, i] -> A[0] : i = {n} - 1 }}"),
                    "write { S[t, i] -> B[i] }",
                ],
            ),
            statement(
                &format!("[n, k] -> {{ T[t, i] : 0 <= t < k and 0 <= i < {n} }}"),
                "{ T[t, i] -> [t, 1, i] }",
                &["read { T[t, i] -> B[i] }", "write { T[t, i] -> A[i] }"],
            ),
        ],
    )
}

#[test]
fn a_ring_is_folded() {
    before_and_after(
        &ring("n"),
        expect![[r#"
        S T: depth 1, parallel 0
        S: depth 1, parallel 1
        T: depth 1, parallel 1
        4 subdomains
        S_0 S_1 T_0 T_1: depth 2, parallel 0
        better"#]],
    );
}

/// A ring whose first and last iteration are statements of their own, the first one without a loop,
/// and the last one too or not.
fn peeled_ring(last_in_loop: bool) -> Problem {
    let (last, domain, place) = if last_in_loop { ("t, i", "i = n - 2", "1, i") } else { ("t", "n >= 2", "2, 0") };
    let sweep = |s: usize, from: &str, to: &str| {
        vec![
            statement(
                &format!("[n, k] -> {{ F{s}[t] : 0 <= t < k }}"),
                &format!("{{ F{s}[t] -> [t, {s}, 0, 0] }}"),
                &[
                    &format!("read [n] -> {{ F{s}[t] -> {from}[n - 1] }}"),
                    &format!("read {{ F{s}[t] -> {from}[0] }}"),
                    &format!("read {{ F{s}[t] -> {from}[1] }}"),
                    &format!("write {{ F{s}[t] -> {to}[0] }}"),
                ],
            ),
            statement(
                &format!("[n, k] -> {{ M{s}[t, i] : 0 <= t < k and 0 <= i < n - 2 }}"),
                &format!("{{ M{s}[t, i] -> [t, {s}, 1, i] }}"),
                &[
                    &format!("read {{ M{s}[t, i] -> {from}[i] }}"),
                    &format!("read {{ M{s}[t, i] -> {from}[i + 1] }}"),
                    &format!("read {{ M{s}[t, i] -> {from}[i + 2] }}"),
                    &format!("write {{ M{s}[t, i] -> {to}[i + 1] }}"),
                ],
            ),
            statement(
                &format!("[n, k] -> {{ L{s}[{last}] : 0 <= t < k and {domain} }}"),
                &format!("{{ L{s}[{last}] -> [t, {s}, {place}] }}"),
                &[
                    &format!("read [n] -> {{ L{s}[{last}] -> {from}[n - 2] }}"),
                    &format!("read [n] -> {{ L{s}[{last}] -> {from}[n - 1] }}"),
                    &format!("read {{ L{s}[{last}] -> {from}[0] }}"),
                    &format!("write [n] -> {{ L{s}[{last}] -> {to}[n - 1] }}"),
                ],
            ),
        ]
    };
    program(RING, [sweep(0, "A", "B"), sweep(1, "B", "A")].concat())
}

#[test]
fn a_ring_with_peeled_ends_is_folded() {
    for last_in_loop in [true, false] {
        before_and_after(
            &peeled_ring(last_in_loop),
            expect![[r#"
                F0 F1 L0 L1 M0 M1: depth 1, parallel 0
                M0: depth 1, parallel 1
                M1: depth 1, parallel 1
                8 subdomains
                F0 F1 L0 L1 M0_0 M0_1 M1_0 M1_1: depth 2, parallel 0
                better"#]],
        );
    }
}

#[test]
fn a_ring_of_known_size_is_folded() {
    let tree = before_and_after(
        &ring("1000"),
        expect![[r#"
        S T: depth 1, parallel 0
        S: depth 1, parallel 1
        T: depth 1, parallel 1
        4 subdomains
        S_0 S_1 T_0 T_1: depth 2, parallel 0
        better"#]],
    )
    .expect("it is split");
    assert!(tree.to_string().contains("2i <= 999"), "{tree}");
}

#[test]
fn a_mirrored_row_becomes_parallel() {
    let problem = program(
        "[n] -> { : n >= 1 }",
        vec![statement(
            "[n] -> { S[i] : 0 <= i < n }",
            "{ S[i] -> [i] }",
            &["read [n] -> { S[i] -> A[n - 1 - i] }", "write { S[i] -> A[i] }"],
        )],
    );
    let tree = before_and_after(
        &problem,
        expect![[r#"
        S: depth 1, parallel 0
        2 subdomains
        S_0: depth 1, parallel 1
        S_1: depth 1, parallel 1
        better"#]],
    )
    .expect("it is split");
    assert_right(&problem, &tree, false, "a mirrored row");
}

#[test]
fn reversal_is_enough_for_two_sweeps() {
    let problem = program(
        "[n, k] -> { : n >= 1 and k >= 1 }",
        vec![
            statement(
                "[n, k] -> { S[t, i] : 0 <= t < k and 0 <= i < n }",
                "{ S[t, i] -> [t, 0, i] }",
                &["read { S[t, i] -> A[i] }", "write { S[t, i] -> B[i] }"],
            ),
            statement(
                "[n, k] -> { T[t, i] : 0 <= t < k and 0 <= i < n }",
                "{ T[t, i] -> [t, 1, i] }",
                &["read [n] -> { T[t, i] -> B[n - 1 - i] }", "write [n] -> { T[t, i] -> A[n - 1 - i] }"],
            ),
        ],
    );
    assert!(
        before_and_after(
            &problem,
            expect![[r#"
        S T: depth 2, parallel 1
    "#]]
        )
        .is_none()
    );
}

#[test]
fn a_torus_is_folded_twice() {
    let problem = program(
        RING,
        vec![
            statement(
                "[n, k] -> { S[t, i, j] : 0 <= t < k and 0 <= i < n and 0 <= j < n }",
                "{ S[t, i, j] -> [t, 0, i, j] }",
                &[
                    "read [n] -> { S[t, i, j] -> A[i - 1, j] : i >= 1; S[t, 0, j] -> A[n - 1, j] }",
                    "read [n] -> { S[t, i, j] -> A[i + 1, j] : i < n - 1; S[t, i, j] -> A[0, j] : i = n - 1 }",
                    "read [n] -> { S[t, i, j] -> A[i, j - 1] : j >= 1; S[t, i, 0] -> A[i, n - 1] }",
                    "read [n] -> { S[t, i, j] -> A[i, j + 1] : j < n - 1; S[t, i, j] -> A[i, 0] : j = n - 1 }",
                    "read { S[t, i, j] -> A[i, j] }",
                    "write { S[t, i, j] -> B[i, j] }",
                ],
            ),
            statement(
                "[n, k] -> { T[t, i, j] : 0 <= t < k and 0 <= i < n and 0 <= j < n }",
                "{ T[t, i, j] -> [t, 1, i, j] }",
                &["read { T[t, i, j] -> B[i, j] }", "write { T[t, i, j] -> A[i, j] }"],
            ),
        ],
    );
    before_and_after(
        &problem,
        expect![[r#"
        S T: depth 1, parallel 0
        S: depth 2, parallel 2
        T: depth 2, parallel 2
        8 subdomains
        S_0 S_1 S_2 S_3 T_0 T_1 T_2 T_3: depth 3, parallel 0
        better"#]],
    );
}
