//! What dependences allow in the original order.

mod common;

use common::programs::{program, statement};
use expect_test::{Expect, expect};
use poly_checker::{Coincidence, Legality, check, check_coincidence};
use poly_dependence::{Problem, analyse};
use poly_presburger::budget::Budget;
use poly_presburger::{MultiUnionPwAff, UnionSet};
use poly_schedule_tree::{Band, ScheduleTree, Tree};
use poly_scheduler::with_properties;

/// One band for each function, one below the other; checked with the independent checker.
fn shows(problem: &Problem, functions: &[&str], expected: Expect) {
    let budget = &mut Budget::unlimited();
    let dependences = analyse(problem, &poly_dependence::Options::default(), budget).expect("no limit").dependences;
    let domain = UnionSet::from_members(problem.statements.iter().map(|s| s.domain.clone()));
    let below = |child: Tree, text: &&str| {
        let schedule: MultiUnionPwAff = text.parse().expect("it is a schedule");
        Tree::band(Band::new(schedule), child)
    };
    let original = ScheduleTree::new(domain, functions.iter().rev().fold(Tree::leaf(), below));
    let tree = with_properties(&original, &dependences, budget).expect("no limit");
    assert_eq!(check(&tree, &dependences, budget), Ok(Legality::Legal));
    assert_eq!(check_coincidence(&tree, &dependences, budget), Ok(Coincidence::Kept));
    // Permutable means that any order of the members is legal.
    let reversed = tree.map_bottom_up(&mut |node| match node.as_band() {
        Some(band) if band.permutable => {
            let order: Vec<usize> = (0..band.n_member()).rev().collect();
            Tree::band(band.permute(&order), node.child().clone())
        }
        _ => node,
    });
    assert_eq!(check(&reversed, &dependences, budget), Ok(Legality::Legal));
    let text = tree.to_string();
    let (_, text) = text.split_once('\n').expect("the first line is the domain");
    expected.assert_eq(text);
}

fn nest(reads: &[&str]) -> Problem {
    let mut accesses = reads.to_vec();
    accesses.push("write { S[i, j] -> A[i, j] }");
    program(
        "[n] -> { : n >= 1 }",
        vec![statement("[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }", "{ S[i, j] -> [i, j] }", &accesses)],
    )
}

const LOOPS: [&str; 2] = ["[{ S[i, j] -> [(i)] }]", "[{ S[i, j] -> [(j)] }]"];

#[test]
fn loops_without_dependences_are_one_parallel_band() {
    shows(
        &nest(&[]),
        &LOOPS,
        expect![[r#"
        child:
          schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
          permutable: 1
          coincident: [ 1, 1 ]
    "#]],
    );
}

#[test]
fn distances_that_are_not_negative_allow_one_band() {
    let reads = ["read { S[i, j] -> A[i - 1, j] }", "read { S[i, j] -> A[i - 1, j - 1] }"];
    shows(
        &nest(&reads),
        &LOOPS,
        expect![[r#"
        child:
          schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
          permutable: 1
    "#]],
    );
}

#[test]
fn a_negative_distance_keeps_bands_apart() {
    shows(
        &nest(&["read { S[i, j] -> A[i - 1, j + 1] }"]),
        &LOOPS,
        expect![[r#"
        child:
          schedule: "[{ S[i, j] -> [(i)] }]"
          permutable: 1
          child:
            schedule: "[{ S[i, j] -> [(j)] }]"
            permutable: 1
            coincident: [ 1 ]
    "#]],
    );
}
