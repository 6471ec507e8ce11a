//! What is said while options are looked for, and in the end.

use std::path::Path;

use super::sample::Sample;
use super::search::{Event, Found, Verdict};
use super::variant::Nest;

/// How many nests are named at the beginning.
const MOST_NAMED: usize = 8;

/// The first lines.
pub(super) fn start(nests: &[Nest], known: u64) -> String {
    let mut text = format!("{} to tune:\n", counted(nests.len(), "loop nest"));
    for nest in nests.iter().take(MOST_NAMED) {
        let what = if nest.shape.is_optimized { "optimized" } else { "left as written" };
        text.push_str(&format!("  {} ({what})\n", nest.shown));
    }
    if nests.len() > MOST_NAMED {
        text.push_str(&format!("  and {} with less work\n", nests.len() - MOST_NAMED));
    }
    if known > 0 {
        text.push_str(&format!("{} from before\n", counted(known, "measured run")));
    }
    text
}

/// A line about what has happened.
pub(super) fn event(event: &Event<'_>, budget: u64) -> String {
    match event {
        Event::Begin(original, model) => {
            format!("without Poly {}, as the cost model has it {}\n", times(original), times(model))
        }
        // Nothing was run.
        Event::Tried { verdict: Verdict::Known | Verdict::Impossible(_), .. } => String::new(),
        Event::Tried { nest, words, verdict, used, gain } => {
            let words = if words.is_empty() { "as the cost model has it" } else { words };
            format!(
                "run {used} of {budget}: {}: {words}: {}; best so far {gain:.2} times as fast as the model's choice\n",
                nest.shown,
                verdict_in_words(verdict)
            )
        }
        Event::Last => "comparing the best with the cost model's choice once more\n".to_owned(),
    }
}

fn verdict_in_words(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Better(sample) => format!("{}, better", times(sample)),
        Verdict::NotBetter(seconds) => format!("{}, not better", time(*seconds)),
        Verdict::Known => "loops that were seen before".to_owned(),
        Verdict::Impossible(why) => format!("not possible: {}", why.lines().last().unwrap_or_default()),
        Verdict::Wrong => "WRONG, it prints something else".to_owned(),
        Verdict::TooLong => "stopped, it takes too long".to_owned(),
    }
}

/// The result.
pub(super) fn result(found: &Found, nests: &[Nest], profile: &Path) -> String {
    let mut text =
        format!("without Poly          {}\nthe model's choice    {}\n", times(&found.original), times(&found.model));
    let shown = profile.display();
    match &found.champion {
        Some(champion) if !found.best.is_model() => {
            let gain = found.model.least() / champion.least();
            text.push_str(&format!("the best              {}: {gain:.2} times as fast\n", times(champion)));
            for line in chosen(found, nests) {
                text.push_str(&format!("  {line}\n"));
            }
            text.push_str(&format!(
                "{shown} is written; it is used with --poly-profile={shown} or POLY_OPTS=profile={shown}\n"
            ));
        }
        Some(champion) => text.push_str(&format!(
            "the best              {}: not better beyond noise\n{shown} is written without options\n",
            times(champion)
        )),
        None => text.push_str(&format!("nothing is better beyond noise\n{shown} is written without options\n")),
    }
    let (tried, known) = (counted(found.tried, "variant"), found.known);
    text.push_str(&format!("{tried} were run; {known} more give loops that were seen before\n"));
    if found.is_cut {
        text.push_str("not everything was tried: a larger --budget goes on from here\n");
    }
    for lines in &found.wrong {
        text.push_str(&format!("WRONG: the program prints something else with this; please report it:\n{lines}"));
    }
    text
}

/// What a profile says of itself.
pub(super) fn comments(found: &Found, nests: &[Nest]) -> Vec<String> {
    let mut comments = vec![format!("written by poly tune {}", env!("CARGO_PKG_VERSION"))];
    comments.extend(chosen(found, nests));
    comments
}

fn chosen(found: &Found, nests: &[Nest]) -> Vec<String> {
    let line = |id: super::variant::NestId| format!("{}: {}", nests[id.0].shown, found.best.words(id));
    found.best.nests().into_iter().map(line).collect()
}

/// A sample: its least time, and how far it goes.
fn times(sample: &Sample) -> String {
    format!("{} (median {}, {})", time(sample.least()), time(sample.median()), counted(sample.len(), "run"))
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.3} s"),
    }
}

fn counted<N: std::fmt::Display + PartialEq + From<u8>>(number: N, what: &str) -> String {
    let ending = if number == N::from(1) { "" } else { "s" };
    format!("{number} {what}{ending}")
}

#[cfg(test)]
mod tests {
    use super::{counted, time};

    #[test]
    fn times_have_units() {
        assert_eq!([time(2.5e-6), time(0.0125), time(1.5)], ["2.5 µs", "12.50 ms", "1.500 s"]);
        assert_eq!([counted(1_u64, "run"), counted(2_usize, "run")], ["1 run", "2 runs"]);
    }
}
