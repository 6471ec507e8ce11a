//! Schedules computed from dependences: the suite `schedule`.
//!
//! # Problem
//! A file `*.sc` gives the instances (`domain`) and relations between them: the source of a pair in
//! `validity` runs before its sink, a loop is *coincident* (parallel) if no pair in `coincidence`
//! has a distance in it, and pairs in `proximity` should be near each other. The file `*.st` beside
//! it is a schedule by isl; a comment `OPTIONS:` says with which options.
//!
//! A case passes if Poly's schedule is legal in the opinion of the independent checker and has, for
//! each statement, at least the [`quality::Quality`] of isl's: of the schedule beside the file, and
//! of those that isl computes with the options of the file, once for whole components and once
//! incrementally, as isl's own test does.
//!
//! What these are is defined in [`poly_oracle::quality`]; flags are not looked at, for neither
//! schedule.
//!
//! Poly's schedule is that of [`ScheduleConstraints`].

use std::path::Path;

use poly_oracle::isl;
use poly_oracle::quality::{self, Qualities, Quality};
use poly_presburger::{Budget, Stop, UnionMap, UnionSet};
use poly_schedule_tree::ScheduleTree;
use poly_scheduler::{Options, ScheduleConstraints, ScheduleError};

use crate::fields::fields;
use crate::folder::{self, Input};
use crate::run::{Case, Measure, Outcome, stopped};
use crate::same;

/// The content of a file.
#[derive(Debug)]
struct Constraints {
    domain: UnionSet,
    validity: UnionMap,
    coincidence: UnionMap,
    proximity: UnionMap,
    /// Of isl's command line.
    options: Vec<String>,
}

/// The cases of the suite.
pub(crate) fn cases(dir: &Path) -> Result<Vec<Case>, String> {
    let case = |input: Input| {
        Case::new(input.name.clone(), move |budget| {
            let reference = folder::read(&input.beside("st")).ok();
            check_text(&input.read()?, reference.as_deref(), budget)
        })
    };
    Ok(folder::inputs(dir, &["schedule", "."], &["sc"])?.into_iter().map(case).collect())
}

fn check_text(text: &str, reference: Option<&str>, budget: &mut Budget) -> Outcome {
    let input = read(text)?;
    let ours = poly(&input, budget)?;
    let ours_quality = qualities(&ours, &input, budget)?;
    let mut theirs: Vec<(String, ScheduleTree)> = Vec::new();
    if let Some(reference) = reference {
        theirs.push(("the reference".to_owned(), tree(reference)?));
    }
    for how in ["--schedule-whole-component", "--no-schedule-whole-component"] {
        theirs.push((format!("isl {how}"), by_isl(text, how, &input)?));
    }
    let mut best = Qualities::new();
    for (name, their_tree) in &theirs {
        for (statement, quality) in qualities(their_tree, &input, budget)? {
            let own = ours_quality.get(&statement).copied().unwrap_or_default();
            if own.depth < quality.depth || own.parallel < quality.parallel {
                return Err(format!("{statement}: {own} in Poly's schedule, {quality} in {name}: {ours}"));
            }
            let entry = best.entry(statement).or_default();
            entry.depth = entry.depth.max(quality.depth);
            entry.parallel = entry.parallel.max(quality.parallel);
        }
    }
    let sum = |all: &Qualities, what: fn(&Quality) -> usize| all.values().map(what).sum();
    let measure =
        |what, of: fn(&Quality) -> usize| Measure { what, ours: sum(&ours_quality, of), theirs: sum(&best, of) };
    Ok(vec![measure("band depth", |q| q.depth), measure("parallel loops", |q| q.parallel)])
}

fn read(text: &str) -> Result<Constraints, String> {
    let empty = || UnionMap::empty(Vec::new());
    let (mut domain, mut validity, mut coincidence, mut proximity) = (None, empty(), empty(), empty());
    for (key, value) in fields(text)? {
        match key.as_str() {
            "domain" => domain = Some(same::from_text(&value)?),
            "validity" | "conditional_validity" => validity = validity.union(&same::from_text(&value)?),
            "coincidence" => coincidence = same::from_text(&value)?,
            "proximity" => proximity = same::from_text(&value)?,
            // Without them, all of the conditional validity has to be kept, which it is.
            "condition" => {}
            "context" => {}
            _ => return Err(format!("no meaning is known for the key {key:?}")),
        }
    }
    let domain: UnionSet = domain.ok_or("there is no domain")?;
    let options = text.lines().filter_map(|line| line.strip_prefix('#')?.trim_start().strip_prefix("OPTIONS:"));
    let options = options.flat_map(str::split_whitespace).map(str::to_owned).collect();
    let budget = &mut Budget::new(1 << 24);
    let mut inside = |map: UnionMap| {
        let between = map.intersect_domain(&domain).intersect_range(&domain);
        between.subtract(&domain.identity(), budget).map_err(stopped)
    };
    let (validity, coincidence, proximity) = (inside(validity)?, inside(coincidence)?, inside(proximity)?);
    Ok(Constraints { domain, validity, coincidence, proximity, options })
}

fn tree(text: &str) -> Result<ScheduleTree, String> {
    text.parse().map_err(|error| format!("Poly cannot read isl's tree: {error}"))
}

/// isl's schedule.
fn by_isl(text: &str, how: &str, input: &Constraints) -> Result<ScheduleTree, String> {
    let isl = isl::Context::new();
    same::limit(&isl);
    for option in std::iter::once(how).chain(input.options.iter().map(String::as_str)) {
        if !isl.set_schedule_option(option) {
            return Err(format!("the option {option:?} is not known"));
        }
    }
    tree(&isl.compute_schedule(text).ok_or("isl computes no schedule")?)
}

/// Poly's schedule, which is legal.
fn poly(input: &Constraints, budget: &mut Budget) -> Result<ScheduleTree, String> {
    let mut options = Options::default();
    for option in &input.options {
        if let Some(value) = option.strip_prefix("--schedule-max-coefficient=") {
            options.max_coefficient = value.parse().map_err(|_| format!("{option:?} has no number"))?;
        }
        if option == "--schedule-maximize-coincidence" {
            options.maximize_coincidence = true;
        }
    }
    let constraints = ScheduleConstraints::on_domain(input.domain.clone())
        .with_validity(input.validity.clone())
        .with_coincidence(input.coincidence.clone())
        .with_proximity(input.proximity.clone());
    constraints.compute_schedule(&options, budget).map_err(|error| match error {
        ScheduleError::Stop => stopped(Stop),
        error => error.to_string(),
    })
}

/// What a schedule does for each statement. Fails if a permutable band is not permutable.
fn qualities(tree: &ScheduleTree, input: &Constraints, budget: &mut Budget) -> Result<Qualities, String> {
    quality::qualities(tree, &input.domain, &input.validity, &input.coincidence, budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STENCIL: &str = "domain: [n] -> { S[t, i] : 0 <= t, i < n }\n\
                           validity: { S[t, i] -> S[t + 1, i']: i - 1 <= i' <= i + 1 }\n\
                           coincidence: { S[t, i] -> S[t + 1, i']: i - 1 <= i' <= i + 1 }\n";

    fn quality(tree: &str, input: &str) -> Result<Quality, String> {
        let input = read(input).expect("the constraints can be read");
        let tree = super::tree(tree).expect("the tree can be read");
        qualities(&tree, &input, &mut Budget::unlimited()).map(|all| all["S"])
    }

    #[test]
    fn pairs_in_validity_only_cost_no_parallelism() {
        let ordered = "domain: { S[i] : 0 <= i < 9 }\nvalidity: { S[i] -> S[i + 1] }\n";
        let tree = "{ domain: \"{ S[i] : 0 <= i < 9 }\", child: { schedule: \"[{ S[i] -> [(i)] }]\" } }";
        assert_eq!(quality(tree, ordered), Ok(Quality { depth: 1, parallel: 1 }));
        let unordered = ordered.replace("validity", "coincidence");
        assert_eq!(quality(tree, &unordered), Ok(Quality { depth: 1, parallel: 0 }));
    }

    #[test]
    fn schedules_are_as_good_as_those_of_isl() {
        assert!(check_text(STENCIL, None, &mut Budget::unlimited()).is_ok());
        let better = "{ domain: \"[n] -> { S[t, i] : 0 <= t, i < n }\", \
                      child: { schedule: \"[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }]\", permutable: 1 } }";
        assert!(check_text(STENCIL, Some(better), &mut Budget::unlimited()).is_ok());
        let cyclic = "domain: { S[i] : 0 <= i < 9 }\nvalidity: { S[0] -> S[1]; S[1] -> S[0] }\n";
        assert!(check_text(cyclic, None, &mut Budget::unlimited()).is_err());
    }

    #[test]
    fn a_shallower_schedule_fails() {
        let chain = STENCIL.replace("coincidence: {", "coincidence: { S[t, i] -> S[t, i + 1];");
        let parallel = "{ domain: \"[n] -> { S[t, i] : 0 <= t, i < n }\", \
                        child: { schedule: \"[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(i)] }]\" } }";
        assert!(check_text(&chain, Some(parallel), &mut Budget::unlimited()).is_ok());
        let easier = "domain: [n] -> { S[t, i] : 0 <= t, i < n }\nvalidity: { S[t, i] -> S[t + 1, i] }\n";
        let shallow = "{ domain: \"[n] -> { S[t, i] : 0 <= t, i < n }\", child: { schedule: \"[n] -> [{ S[t, i] -> [(t)] }]\" } }";
        let input = read(easier).expect("the constraints can be read");
        let own =
            qualities(&tree(shallow).expect("it can be read"), &input, &mut Budget::unlimited()).expect("no limit");
        assert_eq!(own["S"], Quality { depth: 1, parallel: 1 });
    }
}
