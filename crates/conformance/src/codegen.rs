//! Programs generated from schedules: the suite `codegen`.
//!
//! A file `*.st` is a schedule tree. A file `*.in` is a relation from instances to times, a
//! context, and a relation from times to options (see [`problem`] for how they are read). The file
//! `*.c` beside it is isl's program.
//!
//! A case passes if Poly's program runs the instances of the schedule, each once and in its order,
//! for several values of the parameters: those of [`crate::valuations`]. Order and instances are
//! computed point by point from the schedule by [`expected`], which shares nothing with the
//! generator. Programs that run too many instances for all values are compared at their beginning
//! (see [`beginning`]). The checker of programs must not find a difference either, for all values
//! at once. Loops, conditions, minima and maxima are counted in the texts of both programs.

mod beginning;
mod expected;
mod problem;

use std::collections::BTreeMap;
use std::path::Path;

use indexmap::IndexMap;
use poly_arith::Int;
use poly_ast_build::{Ast, AstOptions, build, interpret_within};
use poly_ast_check::Verdict;
use poly_presburger::{Budget, Id, Stop};
use poly_schedule_tree::ScheduleTree;

use crate::folder::{self, Input};
use crate::run::{Case, Measure, Outcome, stopped};
use crate::valuations::{some_valuation, valuations};

use beginning::beginning;
use expected::{Instance, scheduled};
use problem::Problem;

/// Values of the parameters that are tried.
const VALUATIONS: usize = 8;

/// Instances that are compared for one valuation.
const MOST_INSTANCES: usize = 2500;

/// Steps that the checker of programs may take.
const JUDGEMENT_STEPS: u64 = 3_000_000;

/// Steps of a program that is not run to its end.
const BEGINNING_STEPS: u64 = 1 << 20;

/// The cases of the suite.
pub(crate) fn cases(dir: &Path, print: bool) -> Result<Vec<Case>, String> {
    let folders = ["codegen", "codegen/cloog", "codegen/omega", "codegen/pldi2012", "."];
    let case = |input: Input| Case::new(input.name.clone(), move |budget| check_file(&input, print, budget));
    Ok(folder::inputs(dir, &folders, &["st", "in"])?.into_iter().map(case).collect())
}

fn check_file(input: &Input, print: bool, budget: &mut Budget) -> Outcome {
    let text = input.read()?;
    let is_tree = input.path.extension().is_some_and(|e| e == "st");
    let problem = if is_tree { Problem::from_tree(&text)? } else { Problem::from_relations(&text, budget)? };
    let ast = generate(&problem, budget)?;
    if print {
        println!("{}:\n{ast}", input.name);
    }
    check(&problem, &ast, budget)?;
    judge(&problem, &ast)?;
    let theirs = folder::read(&input.beside("c"))?;
    Ok(measures(&ast.to_string(), &theirs))
}

fn generate(problem: &Problem, budget: &mut Budget) -> Result<Ast, String> {
    let options = AstOptions { endless: true, ..AstOptions::default() };
    let ast = build(&problem.tree, &problem.context, &options, budget);
    ast.map_err(|_| "no program: a loop has no bound, or the budget is used up".to_owned())
}

/// Has the checker of programs judge it, for all values of the parameters.
fn judge(problem: &Problem, ast: &Ast) -> Result<(), String> {
    match poly_ast_check::judge(ast, &problem.tree, &problem.context, &mut Budget::new(JUDGEMENT_STEPS)) {
        Ok(verdict @ Verdict::Wrong(_)) => Err(format!("the checker of programs: {verdict}")),
        Ok(verdict) => {
            tracing::info!(%verdict, "the checker of programs");
            Ok(())
        }
        Err(Stop) => {
            tracing::info!("the checker of programs has no time");
            Ok(())
        }
    }
}

/// Runs the program.
fn check(problem: &Problem, ast: &Ast, budget: &mut Budget) -> Result<(), String> {
    let chosen = valuations(problem.meaning.domain(), &problem.context, MOST_INSTANCES, VALUATIONS, budget)?;
    if chosen.is_empty() {
        return check_beginning(problem, ast, budget);
    }
    chosen.iter().try_for_each(|params| {
        let wanted = scheduled(&problem.meaning, params, budget)?;
        compare(&wanted, ast, params, Extent::Whole, budget)
    })
}

/// Runs the beginning of the program where the whole is too long.
fn check_beginning(problem: &Problem, ast: &Ast, budget: &mut Budget) -> Result<(), String> {
    let params = some_valuation(problem.meaning.domain(), &problem.context, budget)?;
    let params = params.ok_or("no values of the parameters were found")?;
    let first = beginning(&problem.meaning, &params, MOST_INSTANCES, budget)?;
    let first = first.ok_or_else(|| format!("more than {MOST_INSTANCES} instances run first for {params:?}"))?;
    let part = ScheduleTree::new(first, problem.meaning.tree().child().clone());
    let wanted = scheduled(&part, &params, budget)?;
    compare(&wanted, ast, &params, Extent::Beginning, budget)
}

/// What is known of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// All of its instances.
    Whole,
    /// The first ones.
    Beginning,
}

/// Fails unless the program runs these instances, and no other before the last of them, in the
/// order of their times. Instances with the same time may come in any order.
fn compare(
    wanted: &[(Vec<Int>, Instance)],
    ast: &Ast,
    params: &IndexMap<Id, Int>,
    extent: Extent,
    budget: &mut Budget,
) -> Result<(), String> {
    let mut actual: Vec<Instance> = Vec::new();
    // Additional coordinates say the time; see [`problem`].
    let coordinates: BTreeMap<&str, usize> = wanted.iter().map(|(_, (name, point))| (&**name, point.len())).collect();
    let visit = &mut |id: &Id, point: &[Int]| {
        let n = coordinates.get(id.as_str()).copied().unwrap_or(point.len());
        actual.push((id.as_str().to_owned(), point[..n].to_vec()));
    };
    match extent {
        Extent::Whole => interpret_within(ast, params, budget, visit).map_err(stopped)?,
        // It may go on for long, or for ever.
        Extent::Beginning => drop(interpret_within(ast, params, &mut Budget::new(BEGINNING_STEPS), visit)),
    }
    let mut open: BTreeMap<&Instance, &Vec<Int>> = wanted.iter().map(|(time, instance)| (instance, time)).collect();
    let mut last: Option<&Vec<Int>> = None;
    for instance in &actual {
        if open.is_empty() && extent == Extent::Beginning {
            return Ok(());
        }
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
        let ast = generate(&problem, budget).expect("there are bounds");
        assert_eq!(check(&problem, &ast, budget), Ok(()));
        let chosen = valuations(problem.meaning.domain(), &problem.context, 100, VALUATIONS, budget).expect("no limit");
        assert!(chosen.len() >= 3 && chosen.iter().any(|v| v[0] > Int::from(1)), "{chosen:?}");
    }

    #[test]
    fn a_program_in_another_order_is_refused() {
        let (problem, other) = (tree(TWO), tree(&TWO.replace("(-i)", "(i)")));
        let budget = &mut Budget::unlimited();
        let ast = build(&other.tree, &other.context, &AstOptions::default(), budget).expect("no limit");
        let params = IndexMap::from([(Id::new("n"), Int::from(3))]);
        let wanted = scheduled(&problem.tree, &params, budget).expect("no limit");
        let verdict = compare(&wanted, &ast, &params, Extent::Whole, budget);
        assert!(verdict.is_err_and(|reason| reason.contains("too late")));
        // The other program begins with A(0), which should come last.
        let first: Vec<_> = wanted.iter().filter(|(_, instance)| instance.1[0] == Int::from(2)).cloned().collect();
        assert!(compare(&first, &ast, &params, Extent::Beginning, budget).is_err());
    }

    #[test]
    fn long_programs_are_compared_at_their_beginning() {
        let budget = &mut Budget::unlimited();
        let long = "domain: \"{ A[i, j] : 0 <= i, j < 100000 }\"\nchild:\n  \
                    schedule: \"[{ A[i, j] -> [(i)] }, { A[i, j] -> [(SIGN j)] }]\"\n";
        let (problem, other) = (tree(&long.replace("SIGN ", "-")), tree(&long.replace("SIGN ", "")));
        let (ast, wrong) = (generate(&problem, budget), generate(&other, budget));
        assert_eq!(check(&problem, &ast.expect("there are bounds"), budget), Ok(()));
        assert!(check(&problem, &wrong.expect("there are bounds"), budget).is_err());
    }

    #[test]
    fn relations_need_not_be_functions() {
        let text =
            "[n] -> { A[i] -> [t, 0] : 0 <= i <= t <= n; B[j] -> [j, 1] : 0 <= j <= n }\n[n] -> { : n >= 2 }\n{ }";
        let budget = &mut Budget::unlimited();
        let problem = Problem::from_relations(text, budget).expect("the relations can be read");
        let ast = generate(&problem, budget).expect("there are bounds");
        assert_eq!(check(&problem, &ast, budget), Ok(()));
    }
}
