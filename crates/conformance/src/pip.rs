//! Parametric integer programs: the suite `pip`.
//!
//! A file has a context, the number -1, a set, and options. The dimensions of the context are
//! parameters; the last dimensions of the set are the same parameters. If both are written with
//! parameters, nothing is moved. Options, which begin a line and are read without regard to case:
//!
//! * `Maximize`: the largest point, not the smallest;
//! * `Urs_parms`: parameters may be negative, which they may not otherwise;
//! * `Urs_unknowns`: so may the dimensions of the set;
//! * `Rational`: the optimum over the rationals.
//!
//! A case passes if Poly's optimum is the same function of the parameters as isl's, with the same
//! domain: the two graphs are compared by isl and by Poly. Where the context has no optimum is
//! compared as well.

use std::path::Path;

use poly_oracle::isl;
use poly_presburger::{Budget, DimKind, Set};

use crate::folder::{self, Input};
use crate::run::{Case, Outcome, stopped};
use crate::same;
use crate::text::{Object, Scanner};

/// An integer program.
#[derive(Clone, Debug)]
struct Program {
    context: Set,
    set: Set,
    maximize: bool,
}

/// The cases of the suite.
pub(crate) fn cases(dir: &Path) -> Result<Vec<Case>, String> {
    let case = |input: Input| Case::new(input.name.clone(), move |budget| check(&input.read()?, budget));
    Ok(folder::inputs(dir, &["."], &["pip"])?.into_iter().map(case).collect())
}

/// The programs of the suite as operations, each written like a line of a trace; files that cannot
/// be read are left out.
pub(crate) fn problems(dir: &Path) -> Result<Vec<String>, String> {
    let line = |input: Input| {
        let program = read(&input.read().ok()?).ok()?;
        let operation = if program.maximize { "set.lexmax" } else { "set.lexmin" };
        Some(format!("{operation}\t{}", program.set.intersect_params(&program.context)))
    };
    Ok(folder::inputs(dir, &["."], &["pip"])?.into_iter().filter_map(line).collect())
}

fn check(text: &str, budget: &mut Budget) -> Outcome {
    let Program { context, set, maximize } = read(text)?;
    let bounded = set.intersect_params(&context);
    let optimum = if maximize { bounded.lexmax(budget) } else { bounded.lexmin(budget) }.map_err(stopped)?;
    let graph = optimum.to_set();
    let without = context.subtract(&graph.params(), budget).map_err(stopped)?;
    let isl = isl::Context::new();
    same::limit(&isl);
    let (domain, problem) = (same::to_isl(&isl, &context)?, same::to_isl(&isl, &set)?);
    let found = if maximize { problem.partial_lexmax(&domain) } else { problem.partial_lexmin(&domain) };
    let (theirs, none) = found.ok_or("isl finds no optimum")?;
    same::sets("the optimum", &graph, &theirs, &isl, budget)?;
    same::sets("the part of the context without optimum", &without, &none, &isl, budget)?;
    Ok(Vec::new())
}

fn read(text: &str) -> Result<Program, String> {
    let mut scanner = Scanner::new(text);
    let context = scanner.object()?;
    match scanner.word() {
        Some("-1") => {}
        other => return Err(format!("-1 is expected, not {:?}", other.unwrap_or("the end"))),
    }
    let set = scanner.object()?;
    let options = options(scanner.rest())?;
    let (context, set) = match (context, set) {
        (Object::Matrix(context, _), Object::Matrix(set, _)) => {
            (context.to_set(context.dims)?, set.to_set(context.dims)?)
        }
        (Object::Isl(context), Object::Isl(set)) => (same::from_text(context)?, same::from_text(set)?),
        _ => return Err("the context and the set are written in different formats".to_owned()),
    };
    // Parameters that are written as such are free; the sign restriction is for dimensions of the
    // context.
    let free = options.free_parameters || text.trim_start().starts_with(['[', '{']);
    let context = if free { context } else { nonnegative(&context, DimKind::Param) };
    let set = if options.free_unknowns { set } else { nonnegative(&set, DimKind::Out) };
    Ok(Program { context: context.params(), set, maximize: options.maximize })
}

#[derive(Debug, Default)]
struct Options {
    maximize: bool,
    free_parameters: bool,
    free_unknowns: bool,
}

fn options(text: &str) -> Result<Options, String> {
    let mut options = Options::default();
    for line in text.lines() {
        let line = line.to_ascii_lowercase();
        let is = |option: &str| line.starts_with(option);
        options.maximize |= is("maximize");
        options.free_parameters |= is("urs_parms");
        options.free_unknowns |= is("urs_unknowns");
        if is("rational") {
            return Err("optima over the rationals are not offered".to_owned());
        }
    }
    Ok(options)
}

fn nonnegative(set: &Set, kind: DimKind) -> Set {
    let n = set.dim(kind);
    (0..n).fold(set.clone(), |set, i| set.lower_bound(kind, i, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: &str = "1 3\n1 1 -2\n-1\n2 4\n1 1 -1 3 # i >= n - 3\n1 -1 0 9\n";

    fn program(text: &str) -> Program {
        read(text).expect("the program can be read")
    }

    fn optimum(program: &Program) -> String {
        let bounded = program.set.intersect_params(&program.context);
        let budget = &mut Budget::unlimited();
        let optimum = if program.maximize { bounded.lexmax(budget) } else { bounded.lexmin(budget) };
        let graph = optimum.expect("there is no limit").to_set();
        graph.fix(DimKind::Param, 0, 2).to_string()
    }

    #[test]
    fn options_change_the_problem() {
        assert_eq!(optimum(&program(TRIANGLE)), "[p0] -> { [i0 = 0] : p0 = 2 }");
        assert_eq!(optimum(&program(&format!("{TRIANGLE}\nurs_Unknowns\n"))), "[p0] -> { [i0 = -1] : p0 = 2 }");
        assert_eq!(optimum(&program(&format!("{TRIANGLE}\nMaximize\n"))), "[p0] -> { [i0 = 9] : p0 = 2 }");
        assert!(read(&format!("{TRIANGLE}\nRational\n")).is_err());
    }

    #[test]
    fn parameters_are_nonnegative_unless_said_otherwise() {
        let context = |text: &str| program(text).context.to_string();
        assert_eq!(context("0 3\n-1\n0 4\n"), "[p0] -> { : p0 >= 0 }");
        assert_eq!(context("0 3\n-1\n0 4\nUrs_parms\n"), "[p0] -> { : }");
        assert_eq!(context("[n] -> { : }\n-1\n[n] -> { [i] }"), "[n] -> { : }");
    }

    #[test]
    fn a_whole_program_is_compared_with_isl() {
        assert_eq!(check(TRIANGLE, &mut Budget::unlimited()), Ok(Vec::new()));
        assert!(read("1 3\n1 1 -2\n-2\n").is_err());
    }
}
