//! Reductions: which orders the scheduler makes of them, and which the checker accepts.

mod common;

use common::instances::assert_right;
use common::programs::loops::loops;
use common::run;
use poly_checker::{Coincidence, Legality, check, check_coincidence};
use poly_dependence::{Dependence, analyse};
use poly_presburger::budget::Budget;
use poly_schedule_tree::ScheduleTree;
use poly_scheduler::{Algorithm, Fusion, Options, with_properties};

const PROGRAMS: [&str; 15] = [
    "S: s[] = ; for i in 0..n { for j in 0..n { T: s[] += A[i, j]; } } U: x[] = s[];",
    "for i in 0..n { S: C[i] = ; for j in 0..n { T: C[i] += A[i, j]; } U: D[i] = C[i]; }",
    "for i in 0..n { for j in 0..n { T: C[j] += A[i, j]; } } for i in 0..n { U: D[i] = C[i]; }",
    "for i in 0..n { for j in 0..n { T: C[i + j] += A[i, j]; } } for i in 0..n { U: D[i] = C[i]; }",
    "for i in 0..n { for j in 0..n { T: s[] += A[i, j]; U: A[j, i] = B[i, j]; } }",
    "for i in 0..n { T: s[] += A[i]; U: B[i] = s[]; }",
    "for i in 0..n { T: s[] += A[i]; U: s[] += B[i]; }",
    "for i in 0..n { for j in 0..n { T: s[i] += A[i, j]; } U: s[i + 1] = s[i]; }",
    "for i in 0..n { for j in 0..i { T: x[i] += x[j]; } U: x[i] = b[i]; }",
    "for k in 0..n { for i in 0..n { for j in 0..n { T: C[i, j] += A[i, k], B[k, j]; } } }",
    "for i in 0..n { for j in 0..i { S: x[i] += x[j]; } T: x[i] += x[i - 1]; for j in 0..i { U: x[i] += b[j]; } }",
    "for i in 0..n { for j in 0..n { S: s[] += A[i, j]; } T: s[] *= b[i]; for j in 0..n { U: s[] += B[j, i]; } }",
    "for i in 0..n { for j in 0..n { S: C[i] += A[i, j]; T: C[j] += A[j, i]; U: D[i] += C[j]; } }",
    "for i in 0..n { for j in i..n { S: C[i, j] += C[i, j - 1]; T: C[i, j] += C[i - 1, j]; \
     for k in i..j { U: C[i, j] += C[i, k], C[k + 1, j]; } } }",
    "for i in 0..n { S: x[i] = ; for j in 0..n { T: x[j] += a[i]; U: x[i] += b[j]; } V: x[0] += x[i]; }",
];

#[test]
fn schedules_respect_everything_but_the_order_of_updates() {
    let ways = [
        Options::default(),
        Options { fusion: Fusion::Max, ..Options::default() },
        Options { fusion: Fusion::None, effort: 40, ..Options::default() },
        Options { algorithm: Algorithm::Feautrier, ..Options::default() },
    ];
    for text in PROGRAMS {
        let problem = loops("[n] -> { : n >= 0 }", text);
        for options in ways {
            let options = Options { relax_reductions: true, ..options };
            let scheduled = run(&problem, &options, false);
            scheduled.assert_legal(true);
            assert_right(&problem, &scheduled.tree, true, text);
        }
    }
}

#[test]
fn updates_of_several_statements_change_places() {
    // By columns, all of a row come at once only if the updates of each element are exchanged.
    let problem = loops(
        "[n] -> { : n >= 0 }",
        "for i in 0..n { for j in 0..i { S: x[i] += x[j - 1]; } T: x[i] += x[i - 1]; for j in 0..i { U: x[i] += b[j]; } }",
    );
    let options = Options { relax_reductions: true, ..Options::default() };
    let scheduled = run(&problem, &options, false);
    scheduled.assert_legal(true);
    assert!(assert_right(&problem, &scheduled.tree, true, "several") > 0, "{}", scheduled.tree);
}

/// The sum of a matrix, which is filled before.
fn sum() -> Vec<Dependence> {
    let problem = loops("[n] -> { : n >= 3 }", "for i in 0..n { for j in 0..n { T: s[] += A[i, j]; } } U: x[] = s[];");
    let options = poly_dependence::Options { reductions: true, input: false };
    analyse(&problem, &options, &mut Budget::unlimited()).expect("no limit").dependences
}

fn tree(members: &str, coincident: &str) -> ScheduleTree {
    let text = format!(
        "domain: \"[n] -> {{ T[i, j] : 0 <= i, j < n; U[] }}\"\nchild:\n  sequence:\n  - filter: \"{{ T[i, j] }}\"\n    child:\n      \
         schedule: \"[{members}]\"\n      coincident: [ {coincident} ]\n  - filter: \"{{ U[] }}\"\n"
    );
    text.parse().expect("the tree parses")
}

fn verdict(tree: &ScheduleTree) -> (bool, bool) {
    let (sum, budget) = (sum(), &mut Budget::unlimited());
    let legal = check(tree, &sum, budget).expect("no limit") == Legality::Legal;
    (legal, check_coincidence(tree, &sum, budget).expect("no limit") == Coincidence::Kept)
}

#[test]
fn any_order_of_the_updates_is_legal() {
    let reversed = tree("{ T[i, j] -> [(-j)] }, { T[i, j] -> [(i)] }", "0, 0");
    assert_eq!(verdict(&reversed), (true, true));
    // Permuted and tiled at will, but no loop is parallel.
    let known = with_properties(&reversed, &sum(), &mut Budget::unlimited()).expect("no limit");
    let text = known.to_string();
    assert!(text.contains("permutable: 1") && !text.contains("coincident"), "{text}");
}

#[test]
fn the_reader_still_comes_last() {
    let text = tree("{ T[i, j] -> [(i)] }, { T[i, j] -> [(j)] }", "0, 0").to_string();
    let (first, second) = (text.find("  - filter").expect("a filter"), text.rfind("  - filter").expect("a filter"));
    let swapped = format!("{}{}\n{}", &text[..first], text[second..].trim_end(), &text[first..second]);
    assert_eq!(verdict(&swapped.parse().expect("the tree parses")), (false, true), "{swapped}");
}

#[test]
fn two_updates_at_the_same_time_are_not() {
    assert_eq!(verdict(&tree("{ T[i, j] -> [(i + j)] }", "0")), (false, true));
}

#[test]
fn parallel_updates_that_are_not_neighbours_are_found() {
    // (0, 1) and (1, 0) are at the same outer time; between them in the original order, and no
    // longer here, stand others.
    let diagonal = tree("{ T[i, j] -> [(i + j)] }, { T[i, j] -> [(i)] }", "0, 1");
    assert_eq!(verdict(&diagonal), (true, false));
}

/// Nussinov's table: with rows alone outside, columns and cuts are one band.
#[test]
fn single_outer_members_leave_deeper_bands_inside() {
    let problem = loops(
        "[n] -> { : n >= 0 }",
        "for i in 0..n { for j in 0..i { S: C[i, j] += C[i, j - 1]; for k in 0..j { U: C[i, j] += C[i, k], C[i - k - 1, j]; } } }",
    );
    let depths = |single_outer_members| {
        let options = Options { relax_reductions: true, single_outer_members, ..Options::default() };
        let scheduled = run(&problem, &options, false);
        scheduled.assert_legal(true);
        assert_right(&problem, &scheduled.tree, true, "table");
        scheduled.tree.band_nodes().iter().map(|node| node.band().expect("a band").n_member()).collect::<Vec<_>>()
    };
    let (deep, single) = (depths(false), depths(true));
    assert_eq!((deep[0], single[0]), (2, 1), "{deep:?} {single:?}");
    assert!(single.contains(&2), "{single:?}");
}
