//! Large problems: programs with any number of statements, as the text of their domains and
//! accesses.
//!
//! # Shapes
//! * *pipeline*: each statement is a nest of two loops that reads the results of the one before, at
//!   the same place and at a neighbouring one;
//! * *stencils*: a chain of stencils with five points inside one time loop: each reads what the one
//!   before has made in this step, the first what the last has made in the step before;
//! * *independent*: matrix products that share nothing;
//! * *mixed*: of every eight statements some are products with their initializations, some rows of
//!   a pipeline, some sums, some recurrences; they read what statements somewhere before have
//!   written.

use poly_dependence::{AccessInfo, AccessKind, Options, StatementInfo, analyse};
use poly_presburger::{Budget, Map, Set};

use crate::problem::Problem;

/// The shape of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    Pipeline,
    Stencils,
    Independent,
    Mixed,
}

/// All shapes.
pub(crate) const SHAPES: [Shape; 4] = [Shape::Pipeline, Shape::Stencils, Shape::Independent, Shape::Mixed];

/// A statement as text: loops with their upper bounds, what it writes and what it reads, subscripts
/// over `i0`, `i1`, ...
#[derive(Debug)]
struct Text {
    /// Number of loops around it that are its alone.
    loops: usize,
    /// The element that it writes.
    write: String,
    reads: Vec<String>,
}

impl Shape {
    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Shape::Pipeline => "pipeline",
            Shape::Stencils => "stencils",
            Shape::Independent => "independent",
            Shape::Mixed => "mixed",
        }
    }

    /// The program with so many statements.
    pub(crate) fn problem(self, statements: usize) -> Result<Problem, String> {
        let texts: Vec<Text> = (0..statements).map(|s| self.statement(s, statements)).collect();
        let shared = matches!(self, Shape::Stencils);
        let infos = texts.iter().enumerate().map(|(s, text)| info(s, text, shared)).collect::<Result<Vec<_>, _>>()?;
        let context = parsed::<Set>("[n, t] -> { : n >= 4 and t >= 2 }")?;
        let problem = poly_dependence::Problem { context, statements: infos, overlaps: Vec::new() };
        let dependences = analyse(&problem, &Options::default(), &mut Budget::unlimited());
        Ok(Problem {
            context: problem.context,
            domains: problem.statements.iter().map(|s| s.domain.clone()).collect(),
            times: problem.statements.iter().map(|s| s.time.clone()).collect(),
            dependences: dependences.map_err(|stop| stop.to_string())?.dependences,
        })
    }

    fn statement(self, s: usize, statements: usize) -> Text {
        let before = (s + statements - 1) % statements;
        match self {
            Shape::Pipeline => Text {
                loops: 2,
                write: format!("A{s}[i0, i1]"),
                reads: if s == 0 { Vec::new() } else { neighbours(before, &["i0, i1", "i0, i1 - 1"]) },
            },
            Shape::Stencils => Text {
                loops: 3,
                write: format!("A{s}[i1, i2]"),
                reads: neighbours(before, &["i1, i2", "i1 - 1, i2", "i1 + 1, i2", "i1, i2 - 1", "i1, i2 + 1"]),
            },
            Shape::Independent => product(s),
            Shape::Mixed => mixed(s),
        }
    }
}

fn neighbours(array: usize, subscripts: &[&str]) -> Vec<String> {
    subscripts.iter().map(|subscript| format!("A{array}[{subscript}]")).collect()
}

fn product(s: usize) -> Text {
    Text {
        loops: 3,
        write: format!("A{s}[i0, i1]"),
        reads: vec![format!("A{s}[i0, i1]"), format!("L{s}[i0, i2]"), format!("R{s}[i2, i1]")],
    }
}

/// Statements that read what was written somewhere before. The places are chosen by a linear
/// congruence, the same each time.
fn mixed(s: usize) -> Text {
    let earlier = |step: usize| (s.wrapping_mul(2_654_435_761).wrapping_add(step * 40_503) >> 4) % s.max(1);
    match s % 8 {
        0 | 4 => Text { loops: 2, write: format!("A{s}[i0, i1]"), reads: Vec::new() },
        1 => Text {
            loops: 3,
            write: format!("A{}[i0, i1]", s - 1),
            reads: vec![
                format!("A{}[i0, i1]", s - 1),
                format!("A{}[i0, i2]", earlier(1)),
                format!("A{}[i2, i1]", earlier(2)),
            ],
        },
        2 | 6 => Text {
            loops: 2,
            write: format!("A{s}[i0, i1]"),
            reads: [neighbours(s - 1, &["i0, i1", "i0 - 1, i1"]), neighbours(earlier(3), &["i0, i1"])].concat(),
        },
        5 => Text {
            loops: 2,
            write: format!("A{s}[i0, 0]"),
            reads: vec![format!("A{s}[i0, 0]"), format!("A{}[i0, i1]", earlier(4))],
        },
        7 => Text {
            loops: 2,
            write: format!("A{s}[i0, i1]"),
            reads: vec![format!("A{s}[i0 - 1, i1]"), format!("A{s}[i0, i1 - 1]"), format!("A{}[i1, i0]", earlier(5))],
        },
        _ => Text { loops: 2, write: format!("A{s}[i0, i1]"), reads: neighbours(earlier(6), &["i1, i0", "i0, i1"]) },
    }
}

/// The statement with number `s`; the outermost loop is that of time, around all of them, if it is
/// `shared`.
fn info(s: usize, text: &Text, shared: bool) -> Result<StatementInfo, String> {
    const MOST_LOOPS: usize = 3;
    let names: Vec<String> = (0..text.loops).map(|i| format!("i{i}")).collect();
    let instance = format!("S{s}[{}]", names.join(", "));
    let bound = |i: usize| if shared && i == 0 { "0 <= i0 < t".to_owned() } else { format!("1 <= i{i} < n - 1") };
    let bounds: Vec<String> = (0..text.loops).map(bound).collect();
    let domain = parsed::<Set>(&format!("[n, t] -> {{ {instance} : {} }}", bounds.join(" and ")))?;
    let place = s.to_string();
    let mut time = if shared { vec!["i0".to_owned(), place] } else { vec![place, "i0".to_owned()] };
    time.extend(names.into_iter().skip(1));
    time.resize(1 + MOST_LOOPS, "0".to_owned());
    let time = parsed::<Map>(&format!("[n, t] -> {{ {instance} -> [{}] }}", time.join(", ")))?;
    let time = time.intersect_domain(&domain);
    let reads = text.reads.iter().map(|read| (AccessKind::Read, read));
    let mut accesses = Vec::new();
    for (kind, element) in reads.chain([(AccessKind::MustWrite, &text.write)]) {
        let relation = parsed::<Map>(&format!("[n, t] -> {{ {instance} -> {element} }}"))?;
        accesses.push(AccessInfo { kind, relation: relation.intersect_domain(&domain), group: None });
    }
    Ok(StatementInfo { domain, time, accesses, reductions: Vec::new() })
}

fn parsed<T: std::str::FromStr<Err = poly_presburger::ParseError>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error| format!("{text}: {error}"))
}
