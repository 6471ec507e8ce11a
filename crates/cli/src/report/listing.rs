//! The source, its loops marked by what became of them.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::page::Nest;
use crate::inspect::source::Sources;

/// A file of more lines is shown only around its loops.
const WHOLE: usize = 1_500;
/// Lines that are shown around loops then.
const AROUND: usize = 12;

/// The files with loops, in the order of the nests; `main` is shown if no nest has a line.
pub(super) fn of(nests: &[Nest<'_>], main: &str, sources: &mut Sources) -> Markup {
    let mut files: Vec<&str> = Vec::new();
    for nest in nests {
        if let Some((file, _, _)) = nest.record.lines()
            && !files.contains(&file)
        {
            files.push(file);
        }
    }
    if files.is_empty() {
        files.push(main);
    }
    html! {
        @for file in files { (file_with_marks(file, nests, sources)) }
    }
}

fn file_with_marks(file: &str, nests: &[Nest<'_>], sources: &mut Sources) -> Markup {
    let lines = sources.lines(file);
    let mut marks: BTreeMap<usize, &Nest<'_>> = BTreeMap::new();
    for nest in nests {
        let Some((own, first, last)) = nest.record.lines() else { continue };
        if own == file {
            // Of nests that overlap, as those of several copies of a function do, the first is
            // linked.
            (first..=last.min(first.saturating_add(10_000))).for_each(|line| {
                marks.entry(line as usize).or_insert(nest);
            });
        }
    }
    let shown = shown_lines(lines.len(), &marks);
    html! {
        h3 { (file) }
        @if lines.is_empty() { p { "This file cannot be read." } }
        pre.source tabindex="0" role="region" aria-label={ "Source of " (file) } {
            @for range in &shown {
                @if range.0 > 1 { span.gap { "⋯" } "\n" }
                @for number in range.0..=range.1 {
                    (line(number, &lines[number - 1], &marks))
                }
            }
            @if shown.last().is_some_and(|range| range.1 < lines.len()) { span.gap { "⋯" } }
        }
    }
}

/// The ranges of lines that are shown, from 1.
fn shown_lines(count: usize, marks: &BTreeMap<usize, &Nest<'_>>) -> Vec<(usize, usize)> {
    if count == 0 {
        return Vec::new();
    }
    if count <= WHOLE {
        return vec![(1, count)];
    }
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for &line in marks.keys() {
        let (from, to) = (line.saturating_sub(AROUND).max(1), (line + AROUND).min(count));
        match ranges.last_mut() {
            Some(last) if from <= last.1 + 1 => last.1 = last.1.max(to),
            _ if from <= to => ranges.push((from, to)),
            _ => {}
        }
    }
    ranges
}

fn line(number: usize, text: &str, marks: &BTreeMap<usize, &Nest<'_>>) -> Markup {
    let nest = marks.get(&number);
    let class = nest.map_or("", |nest| nest.outcome.class());
    let begins = nest.filter(|nest| marks.get(&(number - 1)).is_none_or(|before| before.id != nest.id));
    html! {
        span.{ "line " (class) } {
            span.number { (format!("{number:5}")) } " " (text)
            @if let Some(nest) = begins {
                " " a.badge href={ "#" (nest.id) } { (nest.outcome.symbol()) " " (nest.outcome.word()) }
            }
        }
        "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_shown_around_loops() {
        let file = crate::inspect::record::function(r#"{ "version": 1, "function": "f", "records": [{}] }"#).unwrap();
        let nest = Nest::new(0, &file, &file.records[0]);
        let marked = |lines: &[usize]| -> BTreeMap<usize, &Nest<'_>> { lines.iter().map(|&l| (l, &nest)).collect() };
        assert_eq!(shown_lines(10, &marked(&[3])), [(1, 10)]);
        assert_eq!(shown_lines(0, &marked(&[3])), []);
        assert_eq!(shown_lines(5000, &marked(&[3, 20, 4000])), [(1, 32), (3988, 4012)]);
        assert_eq!(shown_lines(5000, &marked(&[4999, 9000])), [(4987, 5000)]);
    }
}
