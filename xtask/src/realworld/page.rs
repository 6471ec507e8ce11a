//! The results: lines for people, and the table of docs/realworld.md.
//!
//! The table has a row for each described package. A run replaces the rows of the packages that it
//! ran and leaves the others, and all text around the table, as they are.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::bench::chart::Bars;
use crate::table::{Align, Table};
use crate::workspace;

/// What became of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// All is as without Poly.
    Passed,
    /// What is not.
    Failed(Vec<String>),
    /// It says nothing about Poly, for this reason.
    Skipped(String),
}

/// All numbers of a package.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) version: String,
    pub(super) flags: String,
    pub(super) verdict: Verdict,
    /// Tests that passed, and all: without Poly, then with it.
    pub(super) tests: Option<(usize, usize, usize, usize)>,
    /// Loops that Poly looked at, and those that it optimized.
    pub(super) loops: Option<(usize, usize)>,
    /// Time of the compiler with Poly divided by that without.
    pub(super) compile: Option<f64>,
    /// The same for bytes of code.
    pub(super) code: Option<f64>,
    /// The same for time of the tests.
    pub(super) test_time: Option<f64>,
    /// Seconds of the benchmark without and with Poly.
    pub(super) benchmark: Option<(f64, f64)>,
    /// Files that take long to compile.
    pub(super) slow: Vec<String>,
}

const TITLES: [&str; 11] = [
    "package",
    "version",
    "flags",
    "result",
    "tests passed without, with",
    "loops",
    "optimized",
    "compile time",
    "code",
    "test time",
    "benchmark",
];

const BEGIN: &str = "<!-- Rows are written by cargo xtask realworld. -->";
const END: &str = "<!-- End of the rows. -->";

impl Row {
    /// A row without numbers.
    pub(super) fn new(name: &str, flags: &str) -> Row {
        Row {
            name: name.to_owned(),
            version: String::new(),
            flags: flags.to_owned(),
            verdict: Verdict::Skipped("not run".to_owned()),
            tests: None,
            loops: None,
            compile: None,
            code: None,
            test_time: None,
            benchmark: None,
            slow: Vec::new(),
        }
    }

    fn result(&self) -> String {
        match &self.verdict {
            Verdict::Passed => "passed".to_owned(),
            Verdict::Failed(reasons) => format!("FAILED: {}", reasons.join("; ")),
            Verdict::Skipped(reason) => format!("skipped: {reason}"),
        }
    }

    /// One line that says what became of it.
    pub(super) fn line(&self) -> String {
        format!("{}: {}", self.name, self.result())
    }

    fn cells(&self) -> Vec<String> {
        let ratio = |value: Option<f64>| value.map(|value| format!("{value:.2}")).unwrap_or_default();
        let tests = match self.tests {
            None => String::new(),
            Some((_, 0, _, 0)) => "none".to_owned(),
            Some((a, b, c, d)) => format!("{a}/{b}, {c}/{d}"),
        };
        let (loops, optimized) = self.loops.map(|(a, b)| (a.to_string(), b.to_string())).unwrap_or_default();
        let measured = self.benchmark.map(|(without, with)| format!("{:.2} ({without:.2} s)", with / without));
        // A table's cell is one line without bars.
        let result = self.result().replace('\n', " ").replace('|', "/");
        let short: String = result.chars().take(120).collect();
        let ratios = [self.compile, self.code, self.test_time].map(ratio);
        let [compile, code, test_time] = ratios;
        vec![
            self.name.clone(),
            self.version.clone(),
            format!("`{}`", self.flags),
            short,
            tests,
            loops,
            optimized,
            compile,
            code,
            test_time,
            measured.unwrap_or_default(),
        ]
    }
}

/// The table as plain text.
pub(super) fn table(rows: &[Row]) -> String {
    let columns = TITLES.map(|title| (title, if TITLES[..5].contains(&title) { Align::Left } else { Align::Right }));
    let mut table = Table::new(&columns);
    for row in rows {
        let mut cells = row.cells();
        cells[3] = cells[3].split(':').next().unwrap_or_default().to_owned();
        table.push(cells);
    }
    table.render()
}

/// Puts a row into the page, with a row for each described package.
pub(super) fn update(page: &Path, names: &[&str], row: &Row) -> Result<()> {
    let text = fs::read_to_string(page).unwrap_or_else(|_| format!("# Real code\n\n{BEGIN}\n{END}\n"));
    let text = updated(&text, names, row, &version()).with_context(|| format!("{} is wrong", page.display()))?;
    fs::write(page, &text).with_context(|| format!("cannot write {}", page.display()))?;
    let figure = page.with_extension("svg");
    fs::write(&figure, figure_of(&text).svg()).with_context(|| format!("cannot write {}", figure.display()))
}

/// The ratios of a page as bars, those of packages that were run.
fn figure_of(page: &str) -> Bars {
    const SHOWN: [&str; 3] = ["compile time", "code", "benchmark"];
    let places = SHOWN.map(|title| TITLES.iter().position(|other| *other == title).unwrap_or_default());
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")).skip(1);
    let groups = rows.map(|row| {
        let cells: Vec<&str> = row.split(" | ").collect();
        let number = |place: usize| cells.get(place)?.split(' ').next()?.parse::<f64>().ok();
        (cells[0].to_owned(), places.map(number).to_vec())
    });
    Bars {
        title: "With Poly divided by without".to_owned(),
        series: SHOWN.map(str::to_owned).to_vec(),
        groups: groups.filter(|(_, values)| values.iter().any(Option::is_some)).collect(),
    }
}

fn updated(text: &str, names: &[&str], row: &Row, version: &str) -> Result<String> {
    let (Some(begin), Some(end)) = (text.find(BEGIN), text.find(END)) else {
        bail!("it has no place for the table: a line `{BEGIN}` and a line `{END}`");
    };
    let (head, old, tail) = (&text[..begin], &text[begin..end], &text[end..]);
    let mut made = format!("{BEGIN}\n\n| {} | Poly |\n|{}\n", TITLES.join(" | "), "---|".repeat(TITLES.len() + 1));
    for name in names {
        let start = format!("| {name} |");
        let line = if *name == row.name {
            format!("| {} | {version} |", row.cells().join(" | "))
        } else {
            let kept = old.lines().find(|line| line.starts_with(&start));
            let unknown = || format!("{start} | | not run |{}", " |".repeat(TITLES.len() - 3));
            kept.map_or_else(unknown, str::to_owned)
        };
        made += &line;
        made.push('\n');
    }
    Ok(format!("{head}{made}\n{tail}"))
}

/// The commit that is checked out, if this is a repository.
fn version() -> String {
    let output = Command::new("git").args(["rev-parse", "--short=7", "HEAD"]).current_dir(workspace::root()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
    if text.is_empty() { "unknown".to_owned() } else { format!("`{text}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str) -> Row {
        Row { verdict: Verdict::Passed, compile: Some(1.5), tests: Some((3, 4, 3, 4)), ..Row::new(name, "-O2") }
    }

    #[test]
    fn rows_of_other_packages_and_text_stay() {
        let page = format!("# T\n\n{BEGIN}\n{END}\n\nfound\n");
        let names = ["a", "b", "c"];
        let first = updated(&page, &names, &row("b"), "`1`").unwrap();
        let second = updated(&first, &names, &row("a"), "`2`").unwrap();
        assert!(second.starts_with("# T\n\n") && second.ends_with("\n\nfound\n"));
        assert!(second.contains("| b |  | `-O2` | passed | 3/4, 3/4 |  |  | 1.50 |  |  |  | `1` |\n"));
        assert!(second.contains("| a |  | `-O2` | passed | 3/4, 3/4 |  |  | 1.50 |  |  |  | `2` |\n"));
        assert!(second.contains("| c | | | not run |"));
        assert_eq!(updated(&second, &names, &row("a"), "`2`").unwrap(), second);
    }

    #[test]
    fn all_rows_have_the_same_number_of_cells() {
        let page = updated(&format!("{BEGIN}\n{END}\n"), &["a", "b"], &row("a"), "`1`").unwrap();
        let counts: Vec<usize> =
            page.lines().filter(|line| line.starts_with('|')).map(|line| line.matches('|').count()).collect();
        assert_eq!(counts, [TITLES.len() + 2; 4]);
    }

    #[test]
    fn the_figure_has_the_packages_with_ratios() {
        let measured = Row { benchmark: Some((2.0, 1.0)), ..row("a") };
        let page = updated(&format!("{BEGIN}\n{END}\n"), &["a", "b"], &measured, "`1`").unwrap();
        let figure = figure_of(&page);
        assert_eq!(figure.groups, [("a".to_owned(), vec![Some(1.5), None, Some(0.5)])]);
    }

    #[test]
    fn a_page_without_a_place_is_refused() {
        assert!(updated("# T\n", &["a"], &row("a"), "").is_err());
    }
}
