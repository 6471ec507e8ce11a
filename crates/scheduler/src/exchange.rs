//! Schedules with their dependences as text files, to be edited and judged.
//!
//! # Form
//! Lines `key: value`, in this order; lines that begin with `#` are comments. Sets, relations and
//! the tree are in isl's syntax, the tree with nothing but bands, filters, sequences and sets below
//! its domain.
//!
//! ```text
//! poly-schedule: 1
//! scop: kernel
//! context: [n] -> { : n >= 1 }
//! dependence: flow S0.1 -> S1.0: [n] -> { S0[i] -> S1[i] : 0 <= i < n }
//! schedule:
//! domain: "[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }"
//! child:
//!   schedule: "[n] -> [{ S0[i] -> [(i)]; S1[i] -> [(i)] }]"
//! ```
//!
//! What the context says of the parameters holds in any case; without the line nothing is known.
//! The numbers name statement and access for people; what counts are the relations.

use std::fmt;
use std::str::FromStr;

use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Map, Set, Space, Tuple};
use poly_schedule_tree::{NodeKind, ScheduleTree};

use poly_checker::{Coincidence, Legality, check, check_coincidence};

/// A schedule and what it must respect.
#[derive(Clone, Debug, PartialEq)]
pub struct ScheduleFile {
    /// The name of the SCoP; one line.
    pub scop: String,
    /// What is known of the parameters: a parameter set.
    pub context: Set,
    /// The dependences.
    pub dependences: Vec<Dependence>,
    /// The schedule.
    pub tree: ScheduleTree,
}

/// Why a text is no schedule file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleFileError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for ScheduleFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ScheduleFileError {}

impl fmt::Display for ScheduleFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "poly-schedule: 1")?;
        writeln!(f, "scop: {}", self.scop)?;
        if !self.context.plain_is_universe() {
            writeln!(f, "context: {}", self.context)?;
        }
        for dependence in &self.dependences {
            writeln!(f, "dependence: {dependence}")?;
        }
        write!(f, "schedule:\n{}", self.tree)
    }
}

impl FromStr for ScheduleFile {
    type Err = ScheduleFileError;

    fn from_str(text: &str) -> Result<ScheduleFile, ScheduleFileError> {
        let error = |index: usize, message: String| ScheduleFileError { line: index + 1, message };
        let lines: Vec<&str> = text.lines().collect();
        let mut scop = None;
        let mut context = Set::universe(Space::params(Vec::new()));
        let mut dependences = Vec::new();
        let mut version = None;
        for (index, line) in lines.iter().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let Some((key, value)) = line.split_once(':') else {
                return Err(error(index, format!("expected 'key: value', found '{line}'")));
            };
            let value = value.trim();
            match key {
                "poly-schedule" if value == "1" => version = Some(1),
                "poly-schedule" => return Err(error(index, format!("version {value} is not known, only 1 is"))),
                "scop" => scop = Some(value.to_string()),
                "context" => context = value.parse().map_err(|e| error(index, format!("{e}")))?,
                "dependence" => dependences.push(dependence(value).map_err(|message| error(index, message))?),
                "schedule" => {
                    version.ok_or_else(|| error(0, "the file does not begin with 'poly-schedule: 1'".to_string()))?;
                    let rest = lines[index + 1..].join("\n");
                    let tree: ScheduleTree = rest
                        .parse()
                        .map_err(|e: poly_schedule_tree::TreeParseError| error(index + e.place.line, e.message))?;
                    plain(&tree).map_err(|message| error(index + 1, message))?;
                    return Ok(ScheduleFile { scop: scop.unwrap_or_default(), context, dependences, tree });
                }
                other => return Err(error(index, format!("'{other}' is not known"))),
            }
        }
        Err(error(lines.len(), "there is no 'schedule:'".to_string()))
    }
}

/// Reads what [`Dependence`] writes.
fn dependence(text: &str) -> Result<Dependence, String> {
    let form = || format!("expected 'kind S.a -> S.a: relation', found '{text}'");
    let (ends, relation) = text.split_once(':').ok_or_else(form)?;
    let words: Vec<&str> = ends.split_whitespace().collect();
    let (kind, note, from, to) = match words[..] {
        [kind, from, "->", to] => (kind, "", from, to),
        [kind, note @ ("(reduction)" | "(conditional)"), from, "->", to] => (kind, note, from, to),
        _ => return Err(form()),
    };
    let (reduction, conditional) = (note == "(reduction)", note == "(conditional)");
    let kind = match kind {
        "flow" => DependenceKind::Flow,
        "anti" => DependenceKind::Anti,
        "output" => DependenceKind::Output,
        "input" => DependenceKind::Input,
        _ => return Err(form()),
    };
    let end = |text: &str| {
        let (statement, access) = text.split_once('.')?;
        Some((statement.parse().ok()?, access.parse().ok()?))
    };
    let (source, sink) = (end(from).ok_or_else(form)?, end(to).ok_or_else(form)?);
    let relation: Map = relation.trim().parse().map_err(|e| format!("{e}"))?;
    Ok(Dependence { kind, source, sink, relation, reduction, conditional })
}

/// Nothing but domain, bands, filters, sequences, sets and leaves.
fn plain(tree: &ScheduleTree) -> Result<(), String> {
    let mut found = None;
    tree.tree().for_each(&mut |node| {
        let name = match node.kind() {
            NodeKind::Context(_) => "a context",
            NodeKind::Mark(_) => "a mark",
            NodeKind::Expansion { .. } => "an expansion",
            NodeKind::Extension(_) => "an extension",
            NodeKind::Guard(_) => "a guard",
            NodeKind::Domain(_)
            | NodeKind::Band(_)
            | NodeKind::Sequence
            | NodeKind::Set
            | NodeKind::Filter(_)
            | NodeKind::Leaf => return,
        };
        found.get_or_insert(name);
    });
    found.map_or(Ok(()), |name| Err(format!("{name} cannot be part of a schedule that is given")))
}

/// What is wrong with a schedule that was written by hand, in words; `None` if it executes every
/// instance of its domain once, respects all dependences and carries none in loops that it calls
/// coincident.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn why_illegal(
    tree: &ScheduleTree,
    dependences: &[Dependence],
    budget: &mut Budget,
) -> Result<Option<String>, Stop> {
    match ill_formed(tree, budget)? {
        Some(what) => Ok(Some(what)),
        None => violation(tree, dependences, budget),
    }
}

/// Whether instances of the domain have no time, or several.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn ill_formed(tree: &ScheduleTree, budget: &mut Budget) -> Result<Option<String>, Stop> {
    let times = tree.schedule_map();
    if !tree.domain().is_subset(&times.domain(), budget)? {
        return Ok(Some("it leaves out instances".to_string()));
    }
    for time in times.iter() {
        if !time.is_single_valued(budget)? {
            return Ok(Some("it executes instances more than once".to_string()));
        }
    }
    Ok(None)
}

/// A dependence that a schedule does not respect, or carries in a loop that it calls coincident, in
/// words.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn violation(tree: &ScheduleTree, dependences: &[Dependence], budget: &mut Budget) -> Result<Option<String>, Stop> {
    if let Legality::Violated { dependence, source, sink, params } = check(tree, dependences, budget)? {
        let (source, sink, values) = named(&dependences[dependence], &source, &sink, &params);
        let what = &dependences[dependence].kind;
        if dependences[dependence].reduction {
            return Ok(Some(format!("{source} and {sink} update the same element at the same time{values}")));
        }
        if dependences[dependence].conditional {
            return Ok(Some(format!(
                "the live range of {source} overlaps with the one that {sink} begins ({what} dependence){values}"
            )));
        }
        return Ok(Some(format!("{source} must run before {sink} ({what} dependence){values}")));
    }
    if let Coincidence::Violated { dimension, dependence, source, sink, params } =
        check_coincidence(tree, dependences, budget)?
    {
        let (source, sink, values) = named(&dependences[dependence], &source, &sink, &params);
        return Ok(Some(format!(
            "the loop of time dimension {dimension} is called coincident, but orders {source} before {sink}{values}"
        )));
    }
    Ok(None)
}

/// A pair with the names of its statements and parameters.
fn named<T: fmt::Display>(dependence: &Dependence, source: &[T], sink: &[T], params: &[T]) -> (String, String, String) {
    let space = dependence.relation.space();
    let list = |values: &[T]| values.iter().map(T::to_string).collect::<Vec<_>>().join(", ");
    let instance = |kind, values: &[T]| {
        let name = space.tuple(kind).and_then(Tuple::name_str).unwrap_or("");
        format!("{name}[{}]", list(values))
    };
    let values: Vec<String> =
        space.params.iter().zip(params).map(|(name, value)| format!("{name} = {value}")).collect();
    let values = if values.is_empty() { String::new() } else { format!(" for {}", values.join(", ")) };
    (instance(DimKind::In, source), instance(DimKind::Out, sink), values)
}
