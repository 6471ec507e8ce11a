//! Sentences about loop nests.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use super::advice;
use super::measure::Measured;
use crate::inspect::record::{Band, Function, Model, Place, Plan, Record};
use crate::inspect::source::{self, Sources};

/// The largest tile size stands for all iterations.
const WHOLE: u64 = 1 << 30;

/// Most lines of the source that are shown of a loop nest.
const MOST_LINES: u32 = 40;

/// Colours, or none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint {
    /// Escape sequences are understood.
    pub(crate) is_colourful: bool,
}

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        if self.is_colourful { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn heading(self, text: &str, is_good: bool) -> String {
        self.with(if is_good { "1;32" } else { "1;33" }, text)
    }

    fn label(self, text: &str) -> String {
        self.with("1", text)
    }

    fn faint(self, text: &str) -> String {
        self.with("2", text)
    }
}

/// All that is said of a program.
pub(crate) fn explanation(file: &Path, functions: &[Function], sources: &mut Sources, paint: Paint) -> String {
    let records: Vec<(&Function, &Record)> =
        functions.iter().flat_map(|function| function.records.iter().map(move |record| (function, record))).collect();
    if records.is_empty() {
        return format!(
            "{}: Poly has found no loops. (Functions that are optimized for size, or not at all, are left alone, and so are loops that the compiler removes.)\n",
            file.display()
        );
    }
    let texts: Vec<String> =
        records.iter().map(|(function, record)| of_record(function, record, sources, paint)).collect();
    let count = |is_wanted: fn(&Record) -> bool| {
        records.iter().filter(|(_, record)| is_wanted(record)).map(|(_, record)| record.loops).sum::<u64>()
    };
    let (done, left) = (count(|record| record.is_optimized), count(|record| !record.is_optimized));
    format!("{}\n{}: {} optimized, {left} left as written\n", texts.join("\n"), file.display(), counted(done, "loop"))
}

/// A number with its noun.
pub(crate) fn counted(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// What is said of one loop nest.
fn of_record(function: &Function, record: &Record, sources: &mut Sources, paint: Paint) -> String {
    let place = record.lines().map_or_else(String::new, |(file, first, _)| format!("{file}:{first}: "));
    let outcome = if record.is_optimized { "optimized" } else { "not optimized" };
    let what = if record.loops == 0 { String::new() } else { format!(", {}", counted(record.loops, "loop")) };
    let title = format!("{place}{}{what}: {outcome}", function.shown);
    let mut text = format!("{}\n", paint.heading(&title, record.is_optimized));
    text.push_str(&excerpt(record, sources, paint));
    let paragraphs = match record.model.as_ref().and_then(|model| model.plan.as_ref().map(|plan| (model, plan))) {
        Some((model, plan)) if record.is_optimized => of_plan(model, plan, sources),
        _ => of_reason(record, sources),
    };
    for (label, body) in paragraphs {
        let _ = writeln!(text, "  {}", paint.label(label));
        body.lines().for_each(|line| text.push_str(&format!("    {line}\n")));
    }
    text
}

/// The lines of the source.
fn excerpt(record: &Record, sources: &mut Sources, paint: Paint) -> String {
    let Some((file, first, last)) = record.lines() else {
        return "  (there are no line numbers: compile the IR from a source with -g)\n".to_owned();
    };
    let lines = sources.lines(file);
    let index = |line: u32| usize::try_from(line).unwrap_or(usize::MAX).min(lines.len());
    let end = last.min(first.saturating_add(MOST_LINES - 1));
    let shown = &lines[index(first.saturating_sub(1))..index(end)];
    let mut text = String::new();
    for (number, line) in (first..).zip(shown) {
        let _ = writeln!(text, "  {} {line}", paint.faint(&format!("{number:5} |")));
    }
    if end < last {
        let _ = writeln!(text, "  {}", paint.faint(&format!("  ... | to line {last}")));
    }
    text
}

/// Why nothing was done, in a sentence.
pub(crate) fn why(record: &Record, sources: &mut Sources) -> String {
    let reason = record.reason.as_deref().unwrap_or(&record.text);
    let predicted = record.model.as_ref().and_then(|model| model.predicted);
    let mut why = match predicted {
        Some((original, candidate)) if record.kind == "NotProfitable" => format!(
            "no other order is predicted to be clearly faster: the best one takes about {} cycles, the original {}",
            cycles(candidate),
            cycles(original)
        ),
        _ => reason.to_owned(),
    };
    let line = record.place.as_ref().filter(|place| Some(place.line) != record.first_line());
    if let Some(place) = line {
        let _ = write!(why, " (line {}", place.line);
        if let Some(text) = sources.line(&place.file, place.line) {
            let _ = write!(why, ": {text}");
        }
        why.push(')');
    }
    why
}

/// Why nothing was done, and what helps.
fn of_reason(record: &Record, sources: &mut Sources) -> Vec<(&'static str, String)> {
    let mut paragraphs = vec![("Why", why(record, sources))];
    paragraphs.extend(advice::for_record(record).map(|advice| ("What helps", advice)));
    paragraphs
}

/// What was done.
fn of_plan(model: &Model, plan: &Plan, sources: &mut Sources) -> Vec<(&'static str, String)> {
    let mut paragraphs = vec![("What was done", done(plan).join("\n"))];
    paragraphs.push(("New loops", loops(model, plan, sources)));
    let conditions = conditions(model, plan);
    if !conditions.is_empty() {
        let list: String = conditions.iter().map(|condition| format!("- {condition}\n")).collect();
        paragraphs.push(("The new loops run if, and else the original ones", list));
    }
    if let Some((original, candidate)) = model.predicted {
        let times = if candidate > 0.0 { original / candidate } else { 1.0 };
        let text = format!("{} cycles in place of {}: {times:.1} times as fast", cycles(candidate), cycles(original));
        paragraphs.push(("Predicted", text));
    }
    paragraphs
}

/// Cycles, with as many digits as a prediction deserves.
pub(crate) fn cycles(number: f64) -> String {
    if number < 100_000.0 { format!("{number:.0}") } else { format!("{number:.1e}").replace('e', "·10^") }
}

/// What was done, a sentence each.
pub(crate) fn done(plan: &Plan) -> Vec<String> {
    let mut result = Vec::new();
    for band in plan.bands.iter().filter(|band| band.depth > 0) {
        let things = of_band(band);
        let loops = if band.depth == 1 { "1 loop".to_owned() } else { format!("{} loops together", band.depth) };
        result.push(if things.is_empty() {
            format!("{loops}: order kept")
        } else {
            format!("{loops}: {}", things.join("; "))
        });
    }
    let counts = [
        (plan.index_sets, "the iterations are split in", "part"),
        (plan.expanded, "more memory, so that iterations do not wait for each other, for", "scalar or array"),
        (plan.packed, "blocks are copied so that their rows lie side by side, of", "array"),
        (plan.privatized, "every thread computes a part of", "reduction"),
    ];
    let said = counts.iter().filter(|(count, _, _)| *count > 0);
    result
        .extend(said.map(|&(count, text, noun)| format!("{text} {count} {noun}{}", if count == 1 { "" } else { "s" })));
    if !plan.steps.is_empty() {
        result.push(format!("rewrites: {}", plan.steps.join(", ")));
    }
    if result.is_empty() {
        result.push("the order of some statements".to_owned());
    }
    result
}

fn of_band(band: &Band) -> Vec<String> {
    let mut things = Vec::new();
    if band.reordered {
        things.push("in another order".to_owned());
    }
    if !band.tile.is_empty() {
        let size = |&size: &u64| if size == WHOLE { "all".to_owned() } else { size.to_string() };
        let sizes: Vec<String> = band.tile.iter().map(size).collect();
        things.push(format!("in tiles of {} iterations, whose data stay in a cache", sizes.join(" x ")));
    }
    if let Some((rows, columns)) = band.register {
        things.push(format!("{rows} x {columns} results are kept in registers"));
    }
    things.extend(match band.shape.as_str() {
        "wavefront" => Some("along diagonals, which are free of dependences (wavefront)".to_owned()),
        "panel-update" => Some("a panel first, then the rest that it updates".to_owned()),
        "diamond" => Some("in diamonds of space and time that start together".to_owned()),
        "doacross" => Some("tiles wait for those that they need (doacross)".to_owned()),
        _ => None,
    });
    if band.parallel {
        things.push("the outermost loop is shared by threads".to_owned());
    }
    if band.vector {
        things.push("the innermost loop is vector code".to_owned());
    }
    if band.lanes > 0 {
        things.push(format!("{} iterations side by side in a vector (SIMD wavefront)", band.lanes));
    }
    things
}

/// Names of statements with the names of their iterations.
pub(crate) fn dimensions(model: &Model) -> Vec<(String, Vec<String>)> {
    let scop: Option<serde_json::Value> = model.scop.as_ref().and_then(|text| serde_json::from_str(text).ok());
    let statements = scop.as_ref().and_then(|scop| scop["statements"].as_array()).into_iter().flatten();
    let of = |statement: &serde_json::Value| {
        let name = statement["name"].as_str()?;
        Some((name.to_owned(), source::dimensions(statement["domain"].as_str()?, name)))
    };
    statements.filter_map(of).collect()
}

/// The new loops, and what their statements are in the source.
pub(crate) fn loops(model: &Model, plan: &Plan, sources: &mut Sources) -> String {
    let mut text = String::new();
    for (name, place, line) in statements(model, sources) {
        let _ = writeln!(text, "// {name} is line {}: {line}", place.line);
    }
    for sentence in iterations(model) {
        let _ = writeln!(text, "// {sentence}");
    }
    text.push_str(&source::with_dimensions(&plan.loops, &dimensions(model)));
    text
}

/// Which loops the dimensions of statements count, as far as it is known where these are.
pub(crate) fn iterations(model: &Model) -> Vec<String> {
    let mut groups: Vec<(Vec<u32>, Vec<&str>)> = Vec::new();
    for statement in &model.statements {
        let line = |&position: &u64| Some(model.loops.get(usize::try_from(position).ok()?)?.as_ref()?.line);
        let Some(lines) = statement.loops.iter().map(line).collect::<Option<Vec<u32>>>() else { continue };
        match groups.iter_mut().find(|(known, _)| *known == lines) {
            Some((_, names)) => names.push(&statement.name),
            None if lines.is_empty() => {}
            None => groups.push((lines, vec![&statement.name])),
        }
    }
    let is_one = groups.len() == 1;
    let sentence = |(lines, names): &(Vec<u32>, Vec<&str>)| {
        let dims: Vec<String> = (0..lines.len()).map(|i| format!("i{i}")).collect();
        let of = if is_one { String::new() } else { format!(" of {}", names.join(", ")) };
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        let noun = if lines.len() == 1 { "loop at line" } else { "loops at lines" };
        format!("{}{of}: iterations, from 0, of the {noun} {}", dims.join(", "), lines.join(", "))
    };
    groups.iter().map(sentence).collect()
}

/// Where statements are in the source.
pub(crate) fn statements(model: &Model, sources: &mut Sources) -> Vec<(String, Place, String)> {
    let known = model.statements.iter().filter_map(|s| Some((s.name.clone(), s.place.clone()?)));
    let known: Vec<(String, Place)> = known.collect();
    let shown = known.into_iter().filter_map(|(name, place)| {
        let line = sources.line(&place.file, place.line)?.to_owned();
        Some((name, place, line))
    });
    shown.collect()
}

/// What is tested before the new loops run.
pub(crate) fn conditions(model: &Model, plan: &Plan) -> Vec<String> {
    let mut result: Vec<String> = model.assumptions.clone();
    result.extend(plan.disjoint.iter().map(|(a, b)| format!("what is used of {a} and of {b} does not overlap")));
    result.extend(plan.distinct_rows.iter().map(|array| format!("no two rows of {array} overlap")));
    if plan.inspections > 0 {
        let count = counted(plan.inspections, "condition");
        result.push(format!("{count} on data hold{} for all iterations", if plan.inspections == 1 { "s" } else { "" }));
    }
    result.extend(plan.sizes.iter().map(|sizes| format!("the sizes are such that it pays: {}", bare(sizes))));
    result
}

/// The conditions of a parameter set: `n >= 9` of `[n] -> { : n >= 9 }`.
fn bare(set: &str) -> &str {
    let inside = set.split_once('{').and_then(|(_, rest)| rest.rsplit_once('}'));
    inside.map_or(set, |(inside, _)| inside.trim().trim_start_matches(':').trim_start())
}

/// What was measured.
pub(crate) fn measured(measured: &Measured, paint: Paint) -> String {
    let seconds = |times: &[Duration]| {
        let (fastest, median) = (times[0], times[times.len() / 2]);
        format!("{:.4} s fastest, {:.4} s median of {}", fastest.as_secs_f64(), median.as_secs_f64(), times.len())
    };
    let ratio = measured.without[0].as_secs_f64() / measured.with[0].as_secs_f64().max(1e-9);
    let mut text = format!("{}\n", paint.label("Measured"));
    let _ = writeln!(text, "  without Poly: {}", seconds(&measured.without));
    let _ = writeln!(text, "  with Poly:    {}", seconds(&measured.with));
    let _ = writeln!(text, "  {ratio:.2} times as fast");
    let same = if measured.is_same_output {
        "output and exit status are the same".to_owned()
    } else {
        paint.heading(
            "output or exit status differ: the program does not say the same each time, or this is an error of Poly",
            false,
        )
    };
    let _ = writeln!(text, "  {same}");
    text
}
