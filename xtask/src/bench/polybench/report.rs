//! The report of a benchmark: a Markdown file with tables, beside three figures.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::configuration::{Configuration, Peer};
use super::machine::Machine;
use super::measure::{Agreement, Bench, Measured, Outcome, duration};
use super::prediction::Prediction;
use crate::bench::chart::{self, Bars, Comparison, Roofline};
use crate::bench::markdown::{markdown, mean_text};
use crate::demo;

/// Everything that was measured for one problem size.
#[derive(Debug)]
pub(super) struct Report<'a> {
    pub(super) bench: &'a Bench<'a>,
    pub(super) machine: &'a Machine,
    /// A line about each configuration that this machine lacks.
    pub(super) absent: &'a [String],
    pub(super) results: &'a [Measured],
}

/// A kernel slower than this against clang is listed.
const NEVER_SLOWER: f64 = 0.98;
/// A kernel slower than this against the fastest other is listed.
const AGAINST_PEERS: f64 = 0.95;
/// A compilation that takes longer than this many seconds is listed.
const LONG_COMPILATION: f64 = 1.0;

impl Report<'_> {
    /// Whether Poly's programs printed what clang's did.
    pub(super) fn is_right(&self) -> bool {
        let is_poly = |place: &usize| self.bench.configurations[*place].peer == Peer::Poly;
        let places: Vec<usize> = (0..self.bench.configurations.len()).filter(is_poly).collect();
        self.results.iter().all(|measured| {
            let right = |&place: &usize| {
                matches!(measured.outcomes[place], Outcome::SameCode | Outcome::Ran { agreement: Agreement::Same, .. })
            };
            places.iter().all(right)
        })
    }

    /// The whole report as Markdown, without the figures.
    pub(super) fn tables(&self) -> String {
        let mut text = self.heading();
        text += &self.times();
        text += &self.lists();
        text += &self.compilation();
        text += &self.deeds();
        text += &self.predictions();
        text
    }

    /// Writes the report and its figures; the paths of the files.
    pub(super) fn write(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let stem = self.stem();
        let bars = format!("{stem}-speedup.svg");
        let roofline = format!("{stem}-roofline.svg");
        let predictions = format!("{stem}-predictions.svg");
        let figures = format!(
            "\n![speed-up over clang]({bars})\n\n![roofline]({roofline})\n\n![predicted and measured speed-up]({predictions})\n"
        );
        let files = [
            (format!("{stem}.md"), self.tables() + &figures),
            (bars, self.bars().svg()),
            (roofline, self.roofline().svg()),
            (predictions, self.comparison().svg()),
        ];
        let mut paths = Vec::new();
        for (name, content) in files {
            let path = folder.join(name);
            fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
            paths.push(path);
        }
        Ok(paths)
    }

    fn stem(&self) -> String {
        let symbolic = if self.bench.symbolic { "-symbolic" } else { "" };
        let march = if self.bench.march == "native" { String::new() } else { format!("-{}", self.bench.march) };
        format!("llvm{}-{}{symbolic}{march}", self.bench.llvm, self.bench.size.to_lowercase())
    }

    /// The flags of every compiler.
    fn flags(&self) -> String {
        format!("-O3 -march={}", self.bench.march)
    }

    fn names(&self) -> Vec<String> {
        self.bench.configurations.iter().map(|configuration| configuration.name()).collect()
    }

    /// Speed-up of a configuration over clang.
    fn speedup(measured: &Measured, place: usize) -> Option<f64> {
        Some(measured.least(0)? / measured.least(place)?)
    }

    fn heading(&self) -> String {
        let sizes = if self.bench.symbolic { "parameters that the compiler does not know" } else { "constants" };
        let machine = self.machine;
        let mut text = format!(
            "# {} size, LLVM {}\n\nSizes are {sizes}. Flags: `{}`; no `-ffast-math`. Time in the kernel, the least of several runs in turn; \
             in brackets the speed-up over clang.\n`=`: the same machine code as clang's; `*`: the output differs from clang's in how sums are rounded; `!`: it differs more.\n\n\
             {}, {} cores. One core does at most {:.1} GFLOP/s in double precision and {:.1} GB/s to and from memory (measured).\n\n",
            self.bench.size,
            self.bench.llvm,
            self.flags(),
            machine.name,
            machine.cores,
            machine.operations / 1e9,
            machine.bytes / 1e9,
        );
        for line in self.absent {
            text += &format!("- {line}\n");
        }
        if !self.absent.is_empty() {
            text.push('\n');
        }
        text
    }

    /// The table of least times, with geometric means, and the one of medians.
    fn times(&self) -> String {
        let mut titles = vec!["kernel".to_owned()];
        titles.extend(self.names());
        titles.push("GFLOP/s with Poly".to_owned());
        let mut rows: Vec<Vec<String>> = self.results.iter().map(|measured| self.row(measured)).collect();
        let mut means = vec!["geometric mean".to_owned()];
        for place in 0..self.bench.configurations.len() {
            means.push(mean_text(self.results.iter().filter_map(|measured| Self::speedup(measured, place))));
        }
        means.push(String::new());
        rows.push(means);
        let mut text = format!("## Times\n\n{}", markdown(&titles, &rows));

        titles.pop();
        let medians = self.results.iter().map(|measured| {
            let median = |place| measured.median(place).map_or_else(String::new, duration);
            let each = (0..measured.outcomes.len()).map(median);
            [measured.name.clone()].into_iter().chain(each).collect()
        });
        text += &format!("\nMedians:\n\n{}", markdown(&titles, &medians.collect::<Vec<_>>()));
        text
    }

    fn row(&self, measured: &Measured) -> Vec<String> {
        let mut row = vec![measured.name.clone()];
        for (place, outcome) in measured.outcomes.iter().enumerate() {
            row.push(match outcome {
                Outcome::Missing => String::new(),
                Outcome::SameCode => "=".to_owned(),
                Outcome::Failed(why) => (*why).to_owned(),
                Outcome::Ran { seconds, agreement } => {
                    let mark = match agreement {
                        Agreement::Same => "",
                        Agreement::Close(_) => "*",
                        Agreement::Different => "!",
                    };
                    let ratio = Self::speedup(measured, place).filter(|_| place > 0);
                    let ratio = ratio.map_or_else(String::new, |ratio| format!(" ({ratio:.2})"));
                    format!("{}{ratio}{mark}", duration(seconds[0]))
                }
            });
        }
        let poly = self.place(Peer::Poly).and_then(|place| measured.least(place));
        row.push(poly.map_or_else(String::new, |time| format!("{:.1}", measured.operations / time / 1e9)));
        row
    }

    /// Where a peer on one thread is.
    fn place(&self, peer: Peer) -> Option<usize> {
        self.bench.configurations.iter().position(|c| *c == Configuration { peer, threads: 1 })
    }

    /// Who falls short of what is aimed at.
    fn lists(&self) -> String {
        let mut slow = Vec::new();
        let mut behind = Vec::new();
        for measured in self.results {
            for (place, configuration) in self.bench.configurations.iter().enumerate() {
                if configuration.peer != Peer::Poly {
                    continue;
                }
                let Some(ratio) = Self::speedup(measured, place) else {
                    continue;
                };
                let name = format!("{} ({}, {ratio:.2})", measured.name, configuration.name());
                if ratio < NEVER_SLOWER {
                    slow.push(name);
                }
                if let Some((peer, ratio)) = self.fastest_peer(measured, place).filter(|(_, r)| *r < AGAINST_PEERS) {
                    behind.push(format!("{} ({}, {ratio:.2} of {peer})", measured.name, configuration.name()));
                }
            }
        }
        let shown = |list: &[String]| if list.is_empty() { "none".to_owned() } else { list.join(", ") };
        let mut text = format!("\nBelow {NEVER_SLOWER} of clang: {}.\n", shown(&slow));
        if self.bench.configurations.iter().any(|c| !matches!(c.peer, Peer::Clang | Peer::Poly)) {
            text += &format!("\nBelow {AGAINST_PEERS} of the fastest compiler: {}.\n", shown(&behind));
        }
        text
    }

    /// The fastest other compiler on as many threads at most, and Poly's speed against it.
    fn fastest_peer(&self, measured: &Measured, poly: usize) -> Option<(String, f64)> {
        let threads = self.bench.configurations[poly].threads;
        let others = self
            .bench
            .configurations
            .iter()
            .enumerate()
            .filter(|(_, c)| !matches!(c.peer, Peer::Clang | Peer::Poly | Peer::Openblas) && c.threads <= threads);
        let times = others.filter_map(|(place, c)| Some((c.name(), measured.least(place)?)));
        let (name, time) = times.min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((name, time / measured.least(poly)?))
    }

    fn compilation(&self) -> String {
        let mut titles = vec!["compiling".to_owned()];
        titles.extend(self.names());
        let column = |place: usize| -> Vec<f64> { self.results.iter().filter_map(|m| m.compiling[place]).collect() };
        let places = 0..self.bench.configurations.len();
        let sums: Vec<f64> = places.clone().map(|place| column(place).iter().sum()).collect();
        let mut sum = vec!["sum".to_owned()];
        sum.extend(sums.iter().map(|own| format!("{own:.2} ({:.1}x)", own / sums[0])));
        let mut most = vec!["longest".to_owned()];
        for place in places {
            let compiled = self.results.iter().filter_map(|m| Some((m.compiling[place]?, &m.name)));
            let longest = compiled.max_by(|a, b| a.0.total_cmp(&b.0));
            most.push(longest.map_or_else(String::new, |(time, name)| format!("{time:.2} ({name})")));
        }
        let mut text = format!("\n## Seconds of compilation\n\n{}", markdown(&titles, &[sum, most]));
        let poly = self.place(Peer::Poly).expect("Poly is always measured");
        let long: Vec<String> = self
            .results
            .iter()
            .filter_map(|m| Some((m.compiling[poly]?, &m.name)))
            .filter(|(time, _)| *time > LONG_COMPILATION)
            .map(|(time, name)| format!("{name} ({time:.2})"))
            .collect();
        text += &format!(
            "\nLonger than {LONG_COMPILATION} s: {}.\n",
            if long.is_empty() { "none".to_owned() } else { long.join(", ") }
        );
        text
    }

    /// What Poly did to each kernel.
    fn deeds(&self) -> String {
        let titles = ["kernel".to_owned(), "what Poly did on one thread".to_owned()];
        let rows = self.results.iter().map(|m| vec![m.name.clone(), demo::deeds(&m.remarks)]);
        format!("\n## What was done\n\n{}", markdown(&titles, &rows.collect::<Vec<_>>()))
    }

    /// What the cost model said, and what is true: loops that were left alone, too.
    fn predictions(&self) -> String {
        let poly = self.place(Peer::Poly).expect("Poly is always measured");
        let titles =
            ["kernel", "cycles predicted", "of the original", "speed-up predicted", "measured"].map(str::to_owned);
        let rows = self.results.iter().filter_map(|measured| {
            let Prediction { original, candidate } = Prediction::of(&measured.remarks)?;
            let is_left = matches!(measured.outcomes[poly], Outcome::SameCode);
            let measured_ratio = match Self::speedup(measured, poly) {
                _ if is_left => "=".to_owned(),
                Some(ratio) => format!("{ratio:.2}"),
                None => String::new(),
            };
            Some(vec![
                measured.name.clone(),
                format!("{candidate:.2e}"),
                format!("{original:.2e}"),
                format!("{:.2}", original / candidate),
                measured_ratio,
            ])
        });
        format!("\n## Predictions\n\n{}", markdown(&titles, &rows.collect::<Vec<_>>()))
    }

    fn comparison(&self) -> Comparison {
        let poly = self.place(Peer::Poly).expect("Poly is always measured");
        let changed = self.results.iter().filter(|measured| !matches!(measured.outcomes[poly], Outcome::SameCode));
        let points = changed.filter_map(|measured| {
            let Prediction { original, candidate } = Prediction::of(&measured.remarks)?;
            Some((measured.name.clone(), original / candidate, Self::speedup(measured, poly)?))
        });
        Comparison {
            title: format!("Speed-up over clang, {} size, LLVM {}", self.bench.size, self.bench.llvm),
            axes: ("predicted", "measured"),
            points: points.collect(),
        }
    }

    fn bars(&self) -> Bars {
        let places: Vec<usize> = (1..self.bench.configurations.len()).collect();
        let names = self.names();
        Bars {
            title: format!("Speed-up over clang {}, {} size, LLVM {}", self.flags(), self.bench.size, self.bench.llvm),
            series: places.iter().map(|&place| names[place].clone()).collect(),
            groups: self
                .results
                .iter()
                .map(|measured| {
                    let values = places.iter().map(|&place| Self::speedup(measured, place));
                    (measured.name.clone(), values.collect())
                })
                .collect(),
        }
    }

    fn roofline(&self) -> Roofline {
        let shown = [Peer::Clang, Peer::Poly].map(|peer| (peer, self.place(peer).expect("both are always measured")));
        Roofline {
            title: format!("Roofline of one core, {} size, LLVM {}", self.bench.size, self.bench.llvm),
            operations: self.machine.operations,
            bytes: self.machine.bytes,
            series: shown
                .map(|(_, place)| {
                    let points = self.results.iter().filter(|m| m.operations > 0.0 && m.bytes > 0.0).filter_map(|m| {
                        let time = m.least(place)?;
                        Some((m.name.clone(), m.operations / m.bytes, m.operations / time))
                    });
                    chart::Points { name: self.names()[place].clone(), points: points.collect() }
                })
                .into(),
        }
    }
}
