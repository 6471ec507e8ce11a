//! The table of classes.

use std::fmt::Write as _;

use indexmap::IndexMap;

use crate::Measured;
use crate::trace::Case;

/// What the cases of a class showed.
#[derive(Clone, Debug, Default)]
struct Class {
    cases: u64,
    calls: u64,
    /// Nanoseconds in Poly and in isl, each case once.
    once: [u64; 2],
    /// The same, each case as often as it occurs.
    all: [u64; 2],
    /// Sum of the logarithms of the cases' ratios.
    logarithms: f64,
    /// The smallest ratio of a case that takes long enough for one (see [`SMALL`]).
    worst: Option<f64>,
    checked: u64,
    different: u64,
}

/// Cases below this many nanoseconds in isl do not count for the worst ratio.
const SMALL: u64 = 20_000;

impl Class {
    fn add(&mut self, weight: u64, measured: &Measured) {
        self.cases += 1;
        self.calls += weight;
        for (side, time) in measured.nanoseconds.into_iter().enumerate() {
            self.once[side] += time;
            self.all[side] += time * weight;
        }
        self.logarithms += ratio(measured.nanoseconds).ln();
        if measured.nanoseconds[1].max(measured.nanoseconds[0]) >= SMALL {
            let ratio = ratio(measured.nanoseconds);
            self.worst = Some(self.worst.map_or(ratio, |worst| worst.min(ratio)));
        }
        self.checked += u64::from(measured.same.is_some());
        self.different += u64::from(measured.same == Some(false));
    }

    fn geomean(&self) -> f64 {
        (self.logarithms / self.cases as f64).exp()
    }

    /// The row of a Markdown table.
    fn markdown(&self, name: &str) -> String {
        let microseconds = |time: u64| time as f64 / 1000.0;
        let [ours, theirs] = self.once.map(microseconds);
        let (once, all, geomean) = (ratio(self.once), ratio(self.all), self.geomean());
        let worst = self.worst.map_or_else(String::new, |worst| format!("{worst:.2}"));
        format!(
            "| {name} | {} | {} | {ours:.1} | {theirs:.1} | {once:.2} | {all:.2} | {geomean:.2} | {worst} |\n",
            self.cases, self.calls,
        )
    }

    fn row(&self, name: &str) -> String {
        let microseconds = |time: u64| time as f64 / 1000.0;
        let geomean = self.geomean();
        let worst = self.worst.map_or_else(|| "-".to_owned(), |worst| format!("{worst:.2}"));
        format!(
            "{name:<28} {:>7} {:>8} {:>12.1} {:>12.1} {:>7.2} {:>8.2} {:>8.2} {worst:>7} {:>8} {:>6}\n",
            self.cases,
            self.calls,
            microseconds(self.once[0]),
            microseconds(self.once[1]),
            ratio(self.once),
            ratio(self.all),
            geomean,
            self.checked,
            self.different,
        )
    }
}

/// isl's time in Poly's: above 1, Poly is faster.
fn ratio(nanoseconds: [u64; 2]) -> f64 {
    nanoseconds[1].max(1) as f64 / nanoseconds[0].max(1) as f64
}

/// All that was measured.
#[derive(Debug, Default)]
pub(crate) struct Report {
    classes: IndexMap<String, Class>,
    total: Class,
    without: IndexMap<String, u64>,
    lines: Vec<(f64, String)>,
    different: Vec<String>,
}

impl Report {
    /// Take up a case.
    pub(crate) fn add(&mut self, case: &Case, measured: &Measured) {
        self.classes.entry(case.class.clone()).or_default().add(case.weight, measured);
        self.total.add(case.weight, measured);
        let lost = measured.nanoseconds[0] as f64 - measured.nanoseconds[1] as f64;
        let [ours, theirs] = measured.nanoseconds.map(|time| time as f64 / 1000.0);
        self.lines.push((lost, format!("{ours:.3} us, isl {theirs:.3} us: {}", case.line())));
        if measured.same == Some(false) {
            self.different.push(case.line());
        }
    }

    /// Note a case that isl has no function for.
    pub(crate) fn without_counterpart(&mut self, case: &Case) {
        *self.without.entry(case.class.clone()).or_default() += 1;
    }

    /// Whether no result was found to differ.
    pub(crate) fn all_agree(&self) -> bool {
        self.different.is_empty()
    }

    /// The table in Markdown, without the cases that isl has no function for.
    pub(crate) fn markdown(&mut self) -> String {
        let mut out =
            "| class | operations | calls | Poly, µs | isl, µs | ratio | weighted | geomean | least ratio |\n"
                .to_owned();
        out += "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";
        self.classes.sort_by(|_, a, _, b| b.all[1].cmp(&a.all[1]));
        for (name, class) in &self.classes {
            out += &class.markdown(&format!("`{name}`"));
        }
        out += &self.total.markdown("**all**");
        let (compared, different) = (self.total.checked, self.different.len());
        writeln!(out, "\nResults compared: {compared}, of which {different} differ.")
            .expect("a string takes everything");
        out
    }

    /// The table; after it the cases in which most time was lost against isl.
    pub(crate) fn render(&mut self, slowest: usize) -> String {
        let mut out = format!(
            "{:<28} {:>7} {:>8} {:>12} {:>12} {:>7} {:>8} {:>8} {:>7} {:>8} {:>6}\n",
            "class",
            "cases",
            "calls",
            "Poly, us",
            "isl, us",
            "ratio",
            "weighted",
            "geomean",
            "worst",
            "compared",
            "differ"
        );
        self.classes.sort_by(|_, a, _, b| b.all[1].cmp(&a.all[1]));
        for (name, class) in &self.classes {
            out += &class.row(name);
        }
        for (class, cases) in &self.without {
            writeln!(out, "{class:<28} {cases:>7} cases without counterpart in isl")
                .expect("a string takes everything");
        }
        self.lines.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, line) in self.lines.iter().take(slowest) {
            writeln!(out, "{line}").expect("a string takes everything");
        }
        for line in &self.different {
            writeln!(out, "differs: {line}").expect("a string takes everything");
        }
        out + &self.total.row("all")
    }
}
