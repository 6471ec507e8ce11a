//! Right programs with one mistake each: the judge and brute force agree.
//!
//! From programs that are generated, all programs with one difference are made: a bound or a
//! coordinate changed by one, another step, a condition or a node left out, a node twice, two nodes
//! swapped, a condition with another constant. Each is run for small parameters and compared with
//! the tree point by point. Where that finds a difference the judge must find one, and where the
//! judge does, the program must be wrong for the parameters of its witness.

#[path = "../../ast-build/tests/common/mod.rs"]
mod common;

use common::{compare, context, parameter_names, program, tree, valuations};
use indexmap::IndexMap;
use poly_arith::Int;
use poly_ast_build::{Ast, Cond, Expr, Node};
use poly_ast_check::{Verdict, judge};
use poly_presburger::{Budget, Id, Stop};
use poly_schedule_tree::ScheduleTree;

/// A change of one place of a program; false if there is nothing to change.
type Change = fn(&mut Node) -> bool;

fn next(expr: &Expr, by: i64) -> Expr {
    Expr::sum([expr.clone(), Expr::int(by)])
}

fn shifted(condition: &mut Cond) -> bool {
    match condition {
        Cond::NonNegative(expr) | Cond::Zero(expr) => {
            *expr = next(expr, 1);
            true
        }
        Cond::And(parts) | Cond::Or(parts) => parts.first_mut().is_some_and(shifted),
        Cond::Not(inner) => shifted(inner),
        Cond::True | Cond::False => false,
    }
}

fn of_loop(node: &mut Node, change: impl Fn(&mut poly_ast_build::For)) -> bool {
    if let Node::For(of) = node {
        change(of);
        return true;
    }
    false
}

fn of_block(node: &mut Node, change: impl Fn(&mut Vec<Node>)) -> bool {
    match node {
        Node::Block(nodes) if nodes.len() > 1 => {
            change(nodes);
            true
        }
        _ => false,
    }
}

const CHANGES: [(&str, Change); 13] = [
    ("the loop begins later", |node| of_loop(node, |of| of.lower = next(&of.lower, 1))),
    ("the loop begins earlier", |node| of_loop(node, |of| of.lower = next(&of.lower, -1))),
    ("the loop ends later", |node| of_loop(node, |of| of.upper = of.upper.as_ref().map(|upper| next(upper, 1)))),
    ("the loop ends earlier", |node| of_loop(node, |of| of.upper = of.upper.as_ref().map(|upper| next(upper, -1)))),
    ("the step is larger", |node| of_loop(node, |of| of.step = &of.step + &Int::ONE)),
    ("the first two are swapped", |node| of_block(node, |nodes| nodes.swap(0, 1))),
    ("the last one is first", |node| of_block(node, |nodes| nodes.rotate_right(1))),
    ("the first one is missing", |node| of_block(node, |nodes| drop(nodes.remove(0)))),
    ("the last one is there twice", |node| of_block(node, |nodes| nodes.extend(nodes.last().cloned()))),
    ("the condition is missing", |node| {
        let Node::If { then, .. } = node else { return false };
        *node = Node::clone(then);
        true
    }),
    ("the condition is negated", |node| {
        let Node::If { condition, .. } = node else { return false };
        *condition = condition.clone().negated();
        true
    }),
    ("the condition is shifted", |node| if let Node::If { condition, .. } = node { shifted(condition) } else { false }),
    ("a coordinate is shifted", |node| {
        let Node::User { coordinates, .. } = node else { return false };
        coordinates.last_mut().is_some_and(|last| {
            *last = next(last, 1);
            true
        })
    }),
];

/// Changes the node with this number in preorder, if there is one.
fn change_at(node: &mut Node, number: &mut usize, change: Change) -> Option<bool> {
    if *number == 0 {
        return Some(change(node));
    }
    *number -= 1;
    match node {
        Node::Block(nodes) => nodes.iter_mut().find_map(|node| change_at(node, number, change)),
        Node::For(of) => change_at(&mut of.body, number, change),
        Node::If { then, otherwise, .. } => {
            change_at(then, number, change).or_else(|| change_at(otherwise.as_mut()?, number, change))
        }
        Node::Mark { body, .. } => change_at(body, number, change),
        Node::User { .. } => None,
    }
}

/// All programs with one change.
fn mutants(ast: &Ast) -> Vec<(String, Ast)> {
    let mut result = Vec::new();
    for (what, change) in CHANGES {
        for number in 0.. {
            let mut mutant = ast.clone();
            match change_at(&mut mutant.root, &mut number.clone(), change) {
                None => break,
                Some(false) => {}
                Some(true) => result.push((format!("{what}, at node {number}"), mutant)),
            }
        }
    }
    result
}

/// How often there is no verdict, of how many mutants, of which so many are wrong.
#[derive(Debug, Default)]
struct Count {
    unknown: usize,
    all: usize,
    wrong: usize,
}

fn judge_mutants(tree: &ScheduleTree, assumed: &str, values: std::ops::RangeInclusive<i64>, count: &mut Count) {
    let context = context(assumed);
    let ast = program(tree, &context);
    let small: Vec<IndexMap<Id, Int>> = valuations(&parameter_names(tree, &context), &context, values);
    assert_eq!(judge(&ast, tree, &context, &mut Budget::new(STEPS)), Ok(Verdict::Right), "{tree}\n{ast}");
    for (what, mutant) in mutants(&ast) {
        count.all += 1;
        let difference = small.iter().find_map(|params| compare(tree, &mutant, params).err());
        let verdict = judge(&mutant, tree, &context, &mut Budget::new(STEPS));
        match &verdict {
            Ok(Verdict::Right) => assert_eq!(difference, None, "{what}\n{tree}\n{mutant}"),
            Ok(Verdict::Wrong(violation)) => {
                count.wrong += 1;
                let params: IndexMap<Id, Int> = violation.params.iter().cloned().collect();
                assert!(compare(tree, &mutant, &params).is_err(), "{what}: {violation}\n{tree}\n{mutant}");
            }
            Ok(Verdict::NotJudged(_)) | Err(Stop) => count.unknown += 1,
        }
    }
}

const STEPS: u64 = 3_000_000;

fn tiled(tree: &ScheduleTree, sizes: &[i64]) -> ScheduleTree {
    let sizes: Vec<Int> = sizes.iter().map(|&s| Int::from(s)).collect();
    tree.band_nodes()[0].band_tile(&sizes).tree()
}

#[test]
fn every_mistake_is_found() {
    let gemm = tree(
        r#"
domain: "[n, m] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < m }"
child:
  schedule: "[{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }, { S[i, j] -> [(0)]; T[i, j, k] -> [(k)] }]"
  permutable: 1
  child:
    sequence:
    - filter: "{ S[i, j] }"
    - filter: "{ T[i, j, k] }"
"#,
    );
    let jacobi = tree(
        r#"
domain: "[n, m] -> { S[t, i] : 0 <= t < m and 1 <= i < n - 1; T[t, i] : 0 <= t < m and 1 <= i < n - 1 }"
child:
  schedule: "[{ S[t, i] -> [(t)]; T[t, i] -> [(t)] }, { S[t, i] -> [(2t + i)]; T[t, i] -> [(2t + i + 1)] }]"
  permutable: 1
  child:
    sequence:
    - filter: "{ S[t, i] }"
    - filter: "{ T[t, i] }"
"#,
    );
    let lu = tree(
        r#"
domain: "[n] -> { S[k, i] : 0 <= k < n and k < i < n; T[k, i, j] : 0 <= k < n and k < i < n and k < j < n }"
child:
  schedule: "[{ S[k, i] -> [(k)]; T[k, i, j] -> [(k)] }, { S[k, i] -> [(i)]; T[k, i, j] -> [(i)] }, { S[k, i] -> [(k)]; T[k, i, j] -> [(j)] }]"
  permutable: 1
  child:
    sequence:
    - filter: "{ S[k, i] }"
    - filter: "{ T[k, i, j] }"
"#,
    );
    let strided = tree(
        r#"
domain: "[n] -> { A[i] : 0 <= i < n and i mod 2 = 0; B[i] : 2 <= i < n and i mod 2 = 1; C[i] : 0 <= i < n and i mod 3 = 0 }"
child:
  sequence:
  - filter: "{ A[i]; B[i] }"
    child:
      schedule: "[{ A[i] -> [(i)]; B[i] -> [(i)] }]"
      options: "{ separate[0] }"
  - filter: "{ C[i] }"
    child:
      schedule: "[{ C[i] -> [(-i)] }]"
"#,
    );
    let mut count = Count::default();
    judge_mutants(&gemm, "[n, m] -> { : n >= 0 }", 0..=4, &mut count);
    judge_mutants(&tiled(&gemm, &[3, 2, 2]), "[n, m] -> { : n >= 1 and m >= 1 }", 1..=5, &mut count);
    judge_mutants(&jacobi, "[n, m] -> { : n >= 3 and m >= 1 }", 1..=6, &mut count);
    judge_mutants(&tiled(&jacobi, &[2, 3]), "[n, m] -> { : n >= 3 and m >= 1 }", 1..=7, &mut count);
    judge_mutants(&lu, "[n] -> { : }", -1..=6, &mut count);
    judge_mutants(&tiled(&lu, &[2, 3, 2]), "[n] -> { : n >= 1 }", 1..=7, &mut count);
    judge_mutants(&strided, "[n] -> { : }", -1..=14, &mut count);
    println!("{count:?}");
    assert!(count.wrong > 150 && count.unknown * 20 < count.all, "{count:?}");
}
