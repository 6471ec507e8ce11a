//! Large programs in C, and how long they take to compile.
//!
//! The whole way counts, not the scheduler alone: clang with Poly and without, processor time of
//! the compiler. The programs are made, the same each time:
//!
//! * *pipeline*: nests one after the other, each reads what the one before has written;
//! * *stencils*: a time loop around stencils, each of which reads the one before, the first one the
//!   last: all depend on all;
//! * *streams*: loops over vectors, each reads its predecessor's result;
//! * *one nest*: all statements in the body of one nest of two loops;
//! * *dense*: of every eight nests two initializations, a matrix product, sums and recurrences,
//!   transposed copies, which read what nests somewhere before have written.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::super::LIMIT;
use crate::command;

/// The shape of a program.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    Pipeline,
    Stencils,
    Streams,
    OneNest,
    Dense,
}

/// All shapes.
pub(super) const SHAPES: [Shape; 5] = [Shape::Pipeline, Shape::Stencils, Shape::Streams, Shape::OneNest, Shape::Dense];

/// Rows and columns of the arrays.
const SIZE: usize = 300;

impl Shape {
    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Shape::Pipeline => "pipeline",
            Shape::Stencils => "stencils",
            Shape::Streams => "streams",
            Shape::OneNest => "one nest",
            Shape::Dense => "dense",
        }
    }

    /// The program with so many statements.
    pub(super) fn text(self, statements: usize) -> String {
        let arrays = statements + 2;
        let mut text =
            format!("void kernel(int t, int n, double A[{arrays}][{SIZE}][{SIZE}], double V[{arrays}][1 << 20]) {{\n");
        let around = match self {
            Shape::Stencils => "for (int k = 0; k < t; k++) {\n".to_owned(),
            Shape::OneNest => nest(1, 1, "{\n"),
            Shape::Pipeline | Shape::Streams | Shape::Dense => String::new(),
        };
        text += &around;
        for s in 0..statements {
            text += &self.statement(s, statements);
            text.push('\n');
        }
        text += if around.is_empty() { "}\n" } else { "}\n}\n" };
        text
    }

    fn statement(self, s: usize, statements: usize) -> String {
        let before = (s + statements - 1) % statements;
        let next = s + 1;
        match self {
            Shape::Pipeline => nest(0, 1, &format!("A[{next}][i][j] = A[{s}][i][j] * 0.5 + A[{s}][i][j - 1];")),
            Shape::Stencils => {
                let mut sum = format!("A[{before}][i][j]");
                for (i, j) in [("i - 1", "j"), ("i + 1", "j"), ("i", "j - 1"), ("i", "j + 1")] {
                    let _ = write!(sum, " + A[{before}][{i}][{j}]");
                }
                nest(1, 1, &format!("A[{s}][i][j] = 0.2 * ({sum});"))
            }
            Shape::Streams => format!("for (int i = 0; i < n; i++) V[{next}][i] = V[{s}][i] * 1.5 + V[0][i];"),
            Shape::OneNest => format!("A[{next}][i][j] = A[{s}][i][j] * 0.5 + A[{s}][i][j - 1];"),
            Shape::Dense => dense(s),
        }
    }
}

/// Two loops, from the given numbers to as much before the size.
fn nest(i: usize, j: usize, body: &str) -> String {
    let (rows, columns) = (SIZE - i, SIZE - j);
    format!("for (int i = {i}; i < {rows}; i++) for (int j = {j}; j < {columns}; j++) {body}")
}

fn dense(s: usize) -> String {
    // A linear congruence, the same each time.
    let earlier = |step: usize| (s.wrapping_mul(2_654_435_761).wrapping_add(step * 40_503) >> 4) % (s + 1);
    let own = s + 1;
    match s % 8 {
        0 | 4 => nest(0, 0, &format!("A[{own}][i][j] = 0;")),
        1 => {
            let (left, right) = (earlier(1), earlier(2));
            let product =
                format!("for (int k = 0; k < {SIZE}; k++) A[{s}][i][j] += A[{left}][i][k] * A[{right}][k][j];");
            nest(0, 0, &product)
        }
        2 | 6 => nest(1, 1, &format!("A[{own}][i][j] = A[{s}][i][j] + A[{s}][i - 1][j] + A[{}][i][j];", earlier(3))),
        5 => nest(0, 0, &format!("A[{own}][i][0] += A[{}][i][j];", earlier(4))),
        7 => {
            nest(1, 1, &format!("A[{own}][i][j] = A[{own}][i - 1][j] + A[{own}][i][j - 1] + A[{}][j][i];", earlier(5)))
        }
        _ => nest(0, 0, &format!("A[{own}][i][j] = A[{0}][j][i] + A[{0}][i][j];", earlier(6))),
    }
}

/// Processor seconds of clang without and with the plugin.
pub(super) fn compile_times(
    clang: &Path,
    plugin: &Path,
    folder: &Path,
    shape: Shape,
    statements: usize,
) -> Result<[f64; 2]> {
    let source = folder.join(format!("{}-{statements}.c", shape.name().replace(' ', "-")));
    fs::write(&source, shape.text(statements)).with_context(|| format!("{} could not be written", source.display()))?;
    let mut times = [0.0; 2];
    for (with_plugin, time) in [false, true].into_iter().zip(&mut times) {
        let mut command = Command::new(clang);
        if with_plugin {
            command.arg(format!("-fpass-plugin={}", plugin.display()));
        }
        command.args(["-O3", "-march=native", "-c"]).arg(&source).arg("-o").arg(source.with_extension("o"));
        command.env_remove("POLY_OPTS");
        let before = time_of_children()?;
        let output = command::capture(&mut command, LIMIT)?;
        *time = time_of_children()? - before;
        if !output.end.success() {
            bail!("{} does not compile: {}", source.display(), command::excerpt(&output.text(), 12));
        }
    }
    Ok(times)
}

/// The processor time in seconds that programs have used that were started here and have ended.
fn time_of_children() -> Result<f64> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let text = fs::read_to_string("/proc/self/stat").context("the kernel says nothing about processor time")?;
    children_ticks(&text).map(|ticks| ticks / TICKS_PER_SECOND).context("/proc/self/stat has another form")
}

/// The fields `cutime` and `cstime`, behind the name in parentheses.
fn children_ticks(stat: &str) -> Option<f64> {
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let field = |number: usize| fields.get(number)?.parse::<f64>().ok();
    Some(field(13)? + field(14)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_children_is_found() {
        let stat = "12 (a) b) S 1 2 3 4 5 6 7 8 9 10 11 12 340 56 20 0 1";
        assert_eq!(children_ticks(stat), Some(396.0));
        assert_eq!(children_ticks("12 S"), None);
    }

    #[test]
    fn programs_have_as_many_statements_as_they_should() {
        for shape in SHAPES {
            let text = shape.text(24);
            assert_eq!(text.matches('{').count(), text.matches('}').count(), "{text}");
            let assignments = text.lines().filter(|line| line.ends_with(';')).count();
            assert_eq!(assignments, 24, "{text}");
        }
    }
}
