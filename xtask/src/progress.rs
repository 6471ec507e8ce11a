//! One line per step: a spinner with the elapsed time on a terminal, plain lines in a log.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// A step of a command that is under way.
#[derive(Debug)]
pub(crate) struct Step {
    what: String,
    started: Instant,
    bar: Option<ProgressBar>,
}

impl Step {
    /// Says that a step begins.
    pub(crate) fn begin(what: impl Into<String>) -> Step {
        let what = what.into();
        let bar = std::io::stderr().is_terminal().then(|| spinner(&what));
        if bar.is_none() {
            eprintln!("{what} ...");
        }
        Step { what, started: Instant::now(), bar }
    }

    /// Says that a step of `length` parts begins.
    pub(crate) fn begin_counted(what: impl Into<String>, length: usize) -> Step {
        let step = Step::begin(what);
        if let Some(bar) = &step.bar {
            bar.set_length(length as u64);
            bar.set_style(style("{spinner} {prefix} [{pos}/{len}] {wide_msg} {elapsed}"));
        }
        step
    }

    /// Shows what the step is doing at the moment; only on a terminal.
    pub(crate) fn note(&self, message: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(message.trim().to_owned());
        }
    }

    /// Says that one more part of a counted step is done.
    pub(crate) fn advance(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// Says how the step ended.
    pub(crate) fn end(self, result: &str) {
        let seconds = shown_duration(self.started.elapsed());
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        eprintln!("{}: {result} ({seconds})", self.what);
    }
}

fn spinner(what: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.set_style(style("{spinner} {prefix} {wide_msg} {elapsed}"));
    bar.set_prefix(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates of this file are well formed")
}

fn shown_duration(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{}:{:02} min", seconds / 60, seconds % 60)
    }
}
