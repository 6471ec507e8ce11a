//! The report: geometric means of each field, a line for each kernel, and a figure.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::measure::{Bench, Measured, Outcome};
use crate::bench::chart::Bars;
use crate::bench::markdown::{markdown, mean_text};
use crate::bench::polybench::configuration::Peer;
use crate::bench::polybench::machine::processor;
use crate::demo;

/// Everything that was measured.
#[derive(Debug)]
pub(super) struct Report<'a> {
    pub(super) bench: &'a Bench<'a>,
    /// A line about each configuration that this machine lacks.
    pub(super) absent: &'a [String],
    pub(super) results: &'a [Measured],
}

/// A kernel slower than this against clang is listed.
const NEVER_SLOWER: f64 = 0.98;
/// A kernel slower than this against the fastest other compiler is listed.
const AGAINST_PEERS: f64 = 0.95;

impl Report<'_> {
    /// Whether Poly's programs computed what clang's did.
    pub(super) fn is_right(&self) -> bool {
        self.poly_places().iter().all(|&place| {
            let is_same = |m: &Measured| m.outcomes[place].hash().is_some_and(|h| m.outcomes[0].hash() == Some(h));
            self.results.iter().all(is_same)
        })
    }

    fn poly_places(&self) -> Vec<usize> {
        let configurations = self.bench.configurations.iter().enumerate();
        configurations.filter(|(_, c)| c.peer == Peer::Poly).map(|(place, _)| place).collect()
    }

    fn names(&self) -> Vec<String> {
        self.bench.configurations.iter().map(|configuration| configuration.name()).collect()
    }

    fn speedup(measured: &Measured, place: usize) -> Option<f64> {
        Some(measured.outcomes[0].seconds()? / measured.outcomes[place].seconds()?)
    }

    /// The whole report as Markdown, without the figure.
    pub(super) fn tables(&self) -> String {
        let options = self.bench.options;
        let mut text = format!(
            "# Kernels of many fields, LLVM {}, -march={}\n\n\
             `cargo xtask bench kernels`: the kernels of `test/fields`, sizes known only at run time; `-O3`, no \
             `-ffast-math`. Speed-up over clang: the least time of {} runs in turn. {}.\n\n",
            options.llvm,
            options.march,
            options.rounds,
            processor(),
        );
        for line in self.absent {
            text += &format!("- {line}\n");
        }
        text += &self.means();
        text += &self.lists();
        text += &self.each();
        text
    }

    /// Writes the report and its figure; the paths of the files.
    pub(super) fn write(&self, file: &Path) -> Result<Vec<PathBuf>> {
        let figure = file.with_extension("svg");
        let name = figure.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = format!("{}\n![speed-up over clang]({name})\n", self.tables());
        let files = [(file.to_owned(), text), (figure, self.bars().svg())];
        let mut paths = Vec::new();
        for (path, content) in files {
            fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
            paths.push(path);
        }
        Ok(paths)
    }

    /// Geometric means of fields, of all, and of what is held out and what is not.
    fn means(&self) -> String {
        let mut titles = vec!["field".to_owned()];
        titles.extend(self.names().into_iter().skip(1));
        let mut fields: Vec<&str> = self.results.iter().map(|m| m.field.as_str()).collect();
        fields.dedup();
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut row = |name: &str, is_in: &dyn Fn(&Measured) -> bool| {
            let chosen: Vec<&Measured> = self.results.iter().filter(|m| is_in(m)).collect();
            let mean = |place| mean_text(chosen.iter().filter_map(|m| Self::speedup(m, place)));
            let means = (1..self.bench.configurations.len()).map(mean);
            rows.push([name.to_owned()].into_iter().chain(means).collect());
        };
        for &field in &fields {
            row(field, &|m| m.field == field);
        }
        row("**all**", &|_| true);
        row("held out", &|m| m.held_out);
        row("not held out", &|m| !m.held_out);
        format!("## Geometric means\n\n{}", markdown(&titles, &rows))
    }

    /// Who falls short of what is aimed at, and what is wrong.
    fn lists(&self) -> String {
        let mut text = String::new();
        for place in self.poly_places() {
            let name = self.bench.configurations[place].name();
            let of = |bound: f64, ratio: &dyn Fn(&Measured) -> Option<f64>| {
                let below = self.results.iter().filter_map(|m| Some((m, ratio(m)?))).filter(|(_, r)| *r < bound);
                shown(below.map(|(m, r)| format!("{} ({r:.2})", m.name)).collect())
            };
            let against_clang = of(NEVER_SLOWER, &|m| Self::speedup(m, place));
            text += &format!("\nBelow {NEVER_SLOWER} of clang ({name}): {against_clang}.\n");
            let against_peers = of(AGAINST_PEERS, &|m| self.against_peers(m, place));
            text += &format!("\nBelow {AGAINST_PEERS} of the fastest compiler ({name}): {against_peers}.\n");
            let is_other = |m: &&Measured| m.outcomes[place].hash() != m.outcomes[0].hash();
            let wrong = shown(self.results.iter().filter(is_other).map(|m| m.name.clone()).collect());
            text += &format!("\nOther results than clang's ({name}): {wrong}.\n");
        }
        text
    }

    /// Poly's speed against the fastest other compiler on as many threads at most.
    fn against_peers(&self, measured: &Measured, poly: usize) -> Option<f64> {
        let threads = self.bench.configurations[poly].threads;
        let others = self.bench.configurations.iter().enumerate();
        let others = others.filter(|(_, c)| c.peer != Peer::Poly && c.threads <= threads);
        let least = others.filter_map(|(place, _)| measured.outcomes[place].seconds()).min_by(f64::total_cmp)?;
        Some(least / measured.outcomes[poly].seconds()?)
    }

    fn each(&self) -> String {
        let mut titles: Vec<String> = ["field", "kernel", "class"].map(str::to_owned).into();
        titles.extend(self.names());
        titles.push("what Poly did on one thread".to_owned());
        let rows = self.results.iter().map(|m| {
            let mut row = vec![m.field.clone(), m.name.clone(), m.class.clone()];
            row.extend((0..m.outcomes.len()).map(|place| cell(m, place)));
            row.push(if m.held_out { "(held out)".to_owned() } else { demo::deeds(&m.remarks) });
            row
        });
        format!("\n## Each kernel\n\n{}", markdown(&titles, &rows.collect::<Vec<_>>()))
    }

    fn bars(&self) -> Bars {
        let places = 1..self.bench.configurations.len();
        let group = |m: &Measured| (m.name.clone(), places.clone().map(|place| Self::speedup(m, place)).collect());
        Bars {
            title: format!("Speed-up over clang -O3 -march={}, kernels of many fields", self.bench.options.march),
            series: self.names().into_iter().skip(1).collect(),
            groups: self.results.iter().map(group).collect(),
        }
    }
}

/// The time of the first configuration, the speed-up of others; `!` if the results differ from
/// clang's.
fn cell(measured: &Measured, place: usize) -> String {
    let outcome = &measured.outcomes[place];
    match outcome {
        Outcome::Failed(why) => (*why).to_owned(),
        Outcome::Ran { seconds, .. } if place == 0 => format!("{:.3} ms", seconds * 1e3),
        Outcome::Ran { .. } => {
            let mark = if outcome.hash() == measured.outcomes[0].hash() { "" } else { " !" };
            Report::speedup(measured, place).map_or_else(String::new, |ratio| format!("{ratio:.2}{mark}"))
        }
    }
}

fn shown(list: Vec<String>) -> String {
    if list.is_empty() { "none".to_owned() } else { list.join(", ") }
}
