//! The page as a whole: a table of the loop nests, the source, a section for each nest.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{listing, nest};
use crate::explain::words;
use crate::inspect::Input;
use crate::inspect::record::{Function, Record};
use crate::inspect::source::Sources;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// What became of a loop nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// New code was written.
    Optimized,
    /// It was modelled, and left as it is.
    Unchanged,
    /// It could not be modelled.
    Rejected,
}

impl Outcome {
    fn of(record: &Record) -> Outcome {
        let is_modelled = record.model.as_ref().is_some_and(|model| !model.statements.is_empty());
        match (record.is_optimized, is_modelled) {
            (true, _) => Outcome::Optimized,
            (false, true) => Outcome::Unchanged,
            (false, false) => Outcome::Rejected,
        }
    }

    pub(super) fn class(self) -> &'static str {
        match self {
            Outcome::Optimized => "optimized",
            Outcome::Unchanged => "unchanged",
            Outcome::Rejected => "rejected",
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Outcome::Optimized => "optimized",
            Outcome::Unchanged => "left as written",
            Outcome::Rejected => "not understood",
        }
    }

    /// Says the same without colours.
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Outcome::Optimized => "✓",
            Outcome::Unchanged => "=",
            Outcome::Rejected => "✗",
        }
    }
}

/// A loop nest.
pub(super) struct Nest<'a> {
    /// Of its section.
    pub(super) id: String,
    /// The function that it is in.
    pub(super) function: &'a Function,
    /// What is known of it.
    pub(super) record: &'a Record,
    /// What became of it.
    pub(super) outcome: Outcome,
}

impl<'a> Nest<'a> {
    pub(super) fn new(number: usize, function: &'a Function, record: &'a Record) -> Self {
        Self { id: format!("nest{}", number + 1), function, record, outcome: Outcome::of(record) }
    }

    /// Its function and its lines.
    pub(super) fn name(&self) -> String {
        match self.record.lines() {
            Some((_, first, last)) if first == last => format!("{}, line {first}", self.function.shown),
            Some((_, first, last)) => format!("{}, lines {first}–{last}", self.function.shown),
            None => self.function.shown.clone(),
        }
    }
}

/// The page.
pub(super) fn of(input: &Input, functions: &[Function], sources: &mut Sources) -> String {
    let records = functions.iter().flat_map(|function| function.records.iter().map(move |record| (function, record)));
    let nests: Vec<Nest<'_>> =
        records.enumerate().map(|(i, (function, record))| Nest::new(i, function, record)).collect();
    let name = input.file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let flags: Vec<String> = input.flags.iter().map(|flag| flag.to_string_lossy().into_owned()).collect();
    let main = input.file.display().to_string();
    let body = html! {
        header {
            h1 { "What Poly did with " code { (name) } }
            @if !flags.is_empty() { p { "Compiled with " code { (flags.join(" ")) } } }
            p.counts { (counts(&nests)) }
        }
        main {
            @if nests.is_empty() { (nothing()) } @else { (overview(&nests)) }
            section aria-labelledby="source" {
                h2 id="source" { "Source" }
                (listing::of(&nests, &main, sources))
            }
            @for nest in &nests { (nest::section(nest, sources)) }
        }
    };
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Poly: " (name) }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) script { (PreEscaped(SCRIPT)) } }
        }
    }
    .into_string()
}

fn nothing() -> Markup {
    html! {
        p {
            "Poly has found no loops. Functions that are optimized for size, or not at all, are left alone, and so are loops that the compiler removes."
        }
    }
}

fn counts(nests: &[Nest<'_>]) -> String {
    let count = |outcome| nests.iter().filter(|n| n.outcome == outcome).map(|n| n.record.loops).sum::<u64>();
    format!(
        "{} optimized, {} left as written, {} not understood",
        words::counted(count(Outcome::Optimized), "loop"),
        count(Outcome::Unchanged),
        count(Outcome::Rejected)
    )
}

fn overview(nests: &[Nest<'_>]) -> Markup {
    let predicted = |record: &Record| {
        let (original, candidate) = record.model.as_ref()?.predicted.filter(|_| record.is_optimized)?;
        (candidate > 0.0).then(|| format!("{:.1} times as fast", original / candidate))
    };
    html! {
        section aria-labelledby="overview" {
            h2 id="overview" { "Loop nests" }
            div.wide tabindex="0" role="region" aria-labelledby="overview" {
                table {
                    thead { tr { th scope="col" { "where" } th scope="col" { "loops" } th scope="col" { "outcome" } th scope="col" { "predicted" } } }
                    tbody {
                        @for nest in nests {
                            tr {
                                th scope="row" { a href={ "#" (nest.id) } { (nest.name()) } }
                                td { (nest.record.loops) }
                                td { span.{ "badge " (nest.outcome.class()) } { (nest.outcome.symbol()) " " (nest.outcome.word()) } }
                                td { (predicted(nest.record).unwrap_or_default()) }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
