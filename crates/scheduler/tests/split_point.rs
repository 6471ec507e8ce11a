//! Loops split at split points: shortest paths, elimination in place, rows that others need.

mod common;

use common::instances::assert_right;
use common::programs::{program, statement};
use common::{Input, run};
use expect_test::{Expect, expect};
use poly_checker::{Coincidence, Legality, check, check_coincidence};
use poly_dependence::Problem;
use poly_presburger::budget::Budget;
use poly_schedule_tree::{NodeKind, ScheduleTree, Tree};
use poly_scheduler::{Options, Subdomains, split_at_point};

/// The nodes of a tree by their depth: bands with the number of their members and of those that are
/// coincident, leaves with the subdomains that reach them.
fn shape(subdomains: &Subdomains, tree: &ScheduleTree) -> String {
    let mut text = String::new();
    let mut open: Vec<(&Tree, usize, Vec<&str>)> = Vec::new();
    let names =
        subdomains.subdomains().iter().filter_map(|subdomain| subdomain.domain.tuple_name()).map(|name| name.as_str());
    open.push((tree.tree().child(), 0, names.collect()));
    while let Some((node, depth, names)) = open.pop() {
        let indent = "  ".repeat(depth);
        let (deeper, here) = match node.kind() {
            NodeKind::Band(band) => {
                let parallel = band.coincident.iter().filter(|c| **c).count();
                text += &format!("{indent}band of {}, {parallel} parallel\n", band.n_member());
                (depth + 1, names)
            }
            NodeKind::Filter(filter) => {
                (depth, names.into_iter().filter(|name| filter.get_named(name).is_some()).collect())
            }
            NodeKind::Leaf => {
                let of = |name: &&str| {
                    let subdomain = subdomains
                        .subdomains()
                        .iter()
                        .find(|p| p.domain.tuple_name().is_some_and(|n| n.as_str() == *name));
                    format!("{indent}{}\n", subdomain.expect("there is one").domain)
                };
                text += &names.iter().map(of).collect::<String>();
                continue;
            }
            _ => (depth, names),
        };
        open.extend(node.children().iter().rev().map(|child| (child, deeper, here.clone())));
    }
    text
}

/// What becomes of the schedule of a program. It must be right for the statements.
fn cut(problem: &Problem, expected: Expect) {
    let mut budget = Budget::unlimited();
    let whole = run(problem, &Options::default(), false);
    let input = Input::of(problem, poly_dependence::Options::default());
    let (domains, dependences) = (&input.domains, &input.dependences);
    let Some(found) = split_at_point(&input.problem(), &whole.tree, &mut budget).expect("no limit") else {
        expected.assert_eq("nothing is cut");
        return;
    };
    assert_eq!(check(&found.tree, found.subdomains.dependences(), &mut budget), Ok(Legality::Legal));
    let joined = found.subdomains.joined(&found.tree, domains, &mut budget).expect("no limit");
    assert_eq!(check(&joined, dependences, &mut budget), Ok(Legality::Legal));
    assert_eq!(check_coincidence(&joined, dependences, &mut budget), Ok(Coincidence::Kept));
    assert_right(problem, &joined, false, "cut");
    expected.assert_eq(&shape(&found.subdomains, &found.tree));
}

const SIZE: &str = "[n] -> { : n >= 1 }";

#[test]
fn shortest_paths() {
    let problem = program(
        SIZE,
        vec![statement(
            "[n] -> { S[k, i, j] : 0 <= k < n and 0 <= i < n and 0 <= j < n }",
            "{ S[k, i, j] -> [k, i, j] }",
            &[
                "read { S[k, i, j] -> A[i, j] }",
                "read { S[k, i, j] -> A[i, k] }",
                "read { S[k, i, j] -> A[k, j] }",
                "write { S[k, i, j] -> A[i, j] }",
            ],
        )],
    );
    cut(
        &problem,
        expect![[r#"
        band of 1, 0 parallel
          band of 1, 1 parallel
            band of 1, 1 parallel
              [n] -> { S_0[k, i, j] : 0 <= k < n and 0 <= i < k and i < n and 0 <= j < k and j < n }
            band of 1, 1 parallel
              [n] -> { S_1[k, i, j = k] : 0 <= k < n and 0 <= i < k and i < n }
            band of 1, 1 parallel
              [n] -> { S_2[k, i, j] : 0 <= k < n and 0 <= i < k and i < n and k < j < n and j >= 0 }
          band of 1, 1 parallel
            [n] -> { S_3[k, i = k, j] : 0 <= k < n and 0 <= j < k and j < n }
          band of 1, 1 parallel
            [n] -> { S_4[k, i = k, j = k] : 0 <= k < n }
          band of 1, 1 parallel
            [n] -> { S_5[k, i = k, j] : 0 <= k < n and k < j < n and j >= 0 }
          band of 1, 1 parallel
            band of 1, 1 parallel
              [n] -> { S_6[k, i, j] : 0 <= k < n and k < i < n and i >= 0 and 0 <= j < k and j < n }
            band of 1, 1 parallel
              [n] -> { S_7[k, i, j = k] : 0 <= k < n and k < i < n and i >= 0 }
            band of 1, 1 parallel
              [n] -> { S_8[k, i, j] : 0 <= k < n and k < i < n and i >= 0 and k < j < n and j >= 0 }
    "#]],
    );
}

#[test]
fn elimination_in_place() {
    let problem = program(
        SIZE,
        vec![
            statement(
                "[n] -> { P[k, j] : 0 <= k < n and 0 <= j < n }",
                "{ P[k, j] -> [k, 0, j, 0] }",
                &["read { P[k, j] -> A[k, k] }", "read { P[k, j] -> A[k, j] }", "write { P[k, j] -> A[k, j] }"],
            ),
            statement(
                "[n] -> { E[k, i, j] : 0 <= k < n and 0 <= j < n and (0 <= i < k or k < i < n) }",
                "{ E[k, i, j] -> [k, 1, i, j] }",
                &[
                    "read { E[k, i, j] -> A[i, j] }",
                    "read { E[k, i, j] -> A[i, k] }",
                    "read { E[k, i, j] -> A[k, j] }",
                    "write { E[k, i, j] -> A[i, j] }",
                ],
            ),
        ],
    );
    cut(
        &problem,
        expect![[r#"
        band of 1, 0 parallel
          band of 1, 1 parallel
            [n] -> { P_0[k, j] : 0 <= k < n and 0 <= j < k and j < n }
          band of 1, 1 parallel
            [n] -> { P_1[k, j = k] : 0 <= k < n }
          band of 1, 1 parallel
            [n] -> { P_2[k, j] : 0 <= k < n and k < j < n and j >= 0 }
          band of 1, 1 parallel
            band of 1, 1 parallel
              [n] -> { E_0[k, i, j] : (0 <= k < n and 0 <= i < k and 0 <= j < k and j < n) or (0 <= k < n and k < i < n and 0 <= j < k and j < n) }
            band of 1, 1 parallel
              [n] -> { E_1[k, i, j = k] : (0 <= k < n and 0 <= i < k) or (0 <= k < n and k < i < n) }
            band of 1, 1 parallel
              [n] -> { E_2[k, i, j] : (0 <= k < n and 0 <= i < k and k < j < n and j >= 0) or (0 <= k < n and k < i < n and k < j < n and j >= 0) }
    "#]],
    );
}

#[test]
fn a_row_that_is_given() {
    let problem = program(
        SIZE,
        vec![statement(
            "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }",
            "{ S[i, j] -> [i, j] }",
            &["read { S[i, j] -> A[i, j] }", "read { S[i, j] -> A[2, j] }", "write { S[i, j] -> A[i, j] }"],
        )],
    );
    cut(
        &problem,
        expect![[r#"
        band of 1, 1 parallel
          band of 1, 1 parallel
            [n] -> { S_0[i, j] : 0 <= i < n and i <= 1 and 0 <= j < n }
          band of 1, 1 parallel
            [n] -> { S_1[i = 2, j] : n >= 3 and 0 <= j < n }
          band of 1, 1 parallel
            [n] -> { S_2[i, j] : 3 <= i < n and 0 <= j < n }
    "#]],
    );
}

#[test]
fn one_loop_is_cut_at_two_places() {
    let problem = program(
        SIZE,
        vec![statement(
            "[n] -> { S[k, i] : 0 <= k < n - 1 and 0 <= i < n }",
            "{ S[k, i] -> [k, i] }",
            &[
                "read { S[k, i] -> A[k] }",
                "read { S[k, i] -> A[k + 1] }",
                "read { S[k, i] -> A[i] }",
                "write { S[k, i] -> A[i] }",
            ],
        )],
    );
    cut(
        &problem,
        expect![[r#"
        band of 1, 0 parallel
          band of 1, 1 parallel
            [n] -> { S_0[k, i] : 0 <= k <= -2 + n and 0 <= i < k and i < n }
          band of 1, 1 parallel
            [n] -> { S_1[k, i = k] : 0 <= k <= -2 + n }
          band of 1, 1 parallel
            [n] -> { S_2[k, i = 1 + k] : 0 <= k <= -2 + n }
          band of 1, 1 parallel
            [n] -> { S_3[k, i] : 0 <= k <= -2 + n and 2 + k <= i < n and i >= 0 }
    "#]],
    );
}

#[test]
fn loops_with_other_dependences_stay_whole() {
    let sweep = program(
        SIZE,
        vec![statement(
            "[n] -> { S[t, i] : 0 <= t < n and 1 <= i < n - 1 }",
            "{ S[t, i] -> [t, i] }",
            &["read { S[t, i] -> A[i - 1] }", "read { S[t, i] -> A[i + 1] }", "write { S[t, i] -> A[i] }"],
        )],
    );
    cut(&sweep, expect!["nothing is cut"]);
    // The first element is needed by all, but so is the one before.
    let sums = program(
        SIZE,
        vec![statement(
            "[n] -> { S[i] : 0 <= i < n }",
            "{ S[i] -> [i] }",
            &["read { S[i] -> A[0] }", "read { S[i] -> A[i - 1] : i >= 1 }", "write { S[i] -> A[i] }"],
        )],
    );
    cut(&sums, expect!["nothing is cut"]);
}
