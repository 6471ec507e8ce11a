//! Programs generated from schedules: the suite `codegen`.
//!
//! A file `*.st` is a schedule tree. A file `*.in` is a relation from instances to times, a context, and a relation
//! from times to options (see [`problem`] for how they are read). The file `*.c` beside it is isl's program.
//!
//! A case passes if Poly's program runs the instances of the schedule, each once and in its order, for several values of
//! the parameters: those of [`crate::valuations`]. Order and instances are computed point by point from the schedule by
//! [`expected`], which shares nothing with the generator. Loops, conditions, minima and maxima are counted in the
//! texts of both programs.

mod expected;
mod problem;

use std::collections::BTreeMap;
use std::path::Path;

use indexmap::IndexMap;
use poly_arith::Int;
use poly_ast_build::{Ast, AstOptions, build, interpret_within};
use poly_presburger::{Budget, Id};

use crate::folder::{self, Input};
use crate::run::{Case, Measure, Outcome, stopped};
use crate::valuations::valuations;

use expected::{Instance, scheduled};
use problem::Problem;

/// Values of the parameters that are tried.
const VALUATIONS: usize = 8;

/// Instances that are run for one valuation. Larger ones are not tried.
const MOST_INSTANCES: usize = 2500;

/// The cases of the suite.
pub(crate) fn cases(dir: &Path) -> Result<Vec<Case>, String> {
    let folders = ["codegen", "codegen/cloog", "codegen/omega", "codegen/pldi2012", "."];
    let case = |input: Input| Case::new(input.name.clone(), move |budget| check_file(&input, budget));
    Ok(folder::inputs(dir, &folders, &["st", "in"])?.into_iter().map(case).collect())
}

fn check_file(input: &Input, budget: &mut Budget) -> Outcome {
    let text = input.read()?;
    let is_tree = input.path.extension().is_some_and(|e| e == "st");
    let problem = if is_tree { Problem::from_tree(&text)? } else { Problem::from_relations(&text, budget)? };
    let ast = check(&problem, budget)?;
    let theirs = folder::read(&input.beside("c"))?;
    Ok(measures(&ast.to_string(), &theirs))
}

/// Generates the program and runs it.
fn check(problem: &Problem, budget: &mut Budget) -> Result<Ast, String> {
    let ast = build(&problem.tree, &problem.context, &AstOptions::default(), budget)
        .map_err(|_| "no program: a loop has no bound, or the budget is used up")?;
    let chosen = valuations(problem.tree.domain(), &problem.context, MOST_INSTANCES, VALUATIONS, budget)?;
    if chosen.is_empty() {
        return Err(format!("no values of the parameters were found with at most {MOST_INSTANCES} instances"));
    }
    for params in &chosen {
        compare(problem, &ast, params, budget)?;
    }
    Ok(ast)
}

/// Fails unless the program runs the instances of the schedule in its order. Instances with the same time may come in
/// any order.
fn compare(problem: &Problem, ast: &Ast, params: &IndexMap<Id, Int>, budget: &mut Budget) -> Result<(), String> {
    let wanted = scheduled(&problem.tree, params, budget)?;
    let mut actual: Vec<Instance> = Vec::new();
    interpret_within(ast, params, budget, &mut |id, point| actual.push((id.as_str().to_owned(), point.to_vec())))
        .map_err(stopped)?;
    let mut open: BTreeMap<&Instance, &Vec<Int>> = wanted.iter().map(|(time, instance)| (instance, time)).collect();
    let mut last: Option<&Vec<Int>> = None;
    for instance in &actual {
        let shown = || format!("{}{:?} for {params:?}", instance.0, instance.1);
        let Some(time) = open.remove(instance) else {
            return Err(format!("the program runs {}, which is not to be run, or not again", shown()));
        };
        if last.is_some_and(|last| time < last) {
            return Err(format!("the program runs {} too late", shown()));
        }
        last = Some(time);
    }
    match open.keys().next() {
        Some((name, point)) => Err(format!("the program does not run {name}{point:?} for {params:?}")),
        None => Ok(()),
    }
}

/// Counts of the same words in both programs.
fn measures(ours: &str, theirs: &str) -> Vec<Measure> {
    let count = |text: &str, words: &[&str]| words.iter().map(|word| text.matches(word).count()).sum();
    let measure = |what, words: &[&str]| Measure { what, ours: count(ours, words), theirs: count(theirs, words) };
    vec![
        measure("loops", &["for ("]),
        measure("conditions", &["if ("]),
        measure("minima and maxima", &["min(", "max("]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Problem {
        Problem::from_tree(text).expect("the tree can be read")
    }

    const TWO: &str = "domain: \"[n] -> { A[i] : 0 <= i < n; B[i] : 0 <= i < n }\"\nchild:\n  sequence:\n\
                       \x20 - filter: \"[n] -> { A[i] }\"\n    child:\n      schedule: \"[n] -> [{ A[i] -> [(-i)] }]\"\n\
                       \x20 - filter: \"[n] -> { B[i] }\"\n    child:\n      schedule: \"[n] -> [{ B[i] -> [(i)] }]\"\n";

    #[test]
    fn programs_are_run_for_several_parameters() {
        let problem = tree(TWO);
        let budget = &mut Budget::unlimited();
        assert!(check(&problem, budget).is_ok());
        let chosen = valuations(problem.tree.domain(), &problem.context, 100, VALUATIONS, budget).expect("no limit");
        assert!(chosen.len() >= 3 && chosen.iter().any(|v| v[0] > Int::from(1)), "{chosen:?}");
    }

    #[test]
    fn a_program_in_another_order_is_refused() {
        let (problem, other) = (tree(TWO), tree(&TWO.replace("(-i)", "(i)")));
        let budget = &mut Budget::unlimited();
        let ast = build(&other.tree, &other.context, &AstOptions::default(), budget).expect("no limit");
        let params = IndexMap::from([(Id::new("n"), Int::from(3))]);
        let verdict = compare(&problem, &ast, &params, budget);
        assert!(verdict.is_err_and(|reason| reason.contains("too late")));
    }

    #[test]
    fn relations_need_not_be_functions() {
        let text =
            "[n] -> { A[i] -> [t, 0] : 0 <= i <= t <= n; B[j] -> [j, 1] : 0 <= j <= n }\n[n] -> { : n >= 2 }\n{ }";
        let budget = &mut Budget::unlimited();
        let problem = Problem::from_relations(text, budget).expect("the relations can be read");
        assert!(check(&problem, budget).is_ok());
    }
}
