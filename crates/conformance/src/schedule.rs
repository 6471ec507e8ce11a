//! Schedules computed from dependences: the suite `schedule`.
//!
//! # Problem
//! A file `*.sc` gives the instances (`domain`) and relations between them: the source of a pair in `validity` runs before
//! its sink, a loop is *coincident* (parallel) if no pair in `coincidence` has a distance in it, and pairs in `proximity`
//! should be near each other. The file `*.st` beside it is a schedule by isl; a comment `OPTIONS:` says with which options.
//!
//! A case passes if Poly's schedule is legal in the opinion of the independent checker and has, for each statement, at
//! least the [`Quality`] of isl's: of the schedule beside the file, and of those that isl computes with the options of the
//! file, once for whole components and once incrementally, as isl's own test does.
//!
//! # Definitions
//! A member of a band is a *loop* of a statement if its value is not determined by the parameters and the members outside of
//! it. The *depth* of a band is the number of loops in it, 1 at most if it is not permutable. Loops are *parallel* if no
//! pair of `coincidence` that reaches the band has a distance in them; this is decided here, from the definition, for both
//! schedules, and flags are not looked at. That permutable bands are permutable is decided as well.
//!
//! # Algorithm
//! Pairs of `validity` become dependences of Poly's scheduler. Those that are only in `coincidence` become dependences
//! between updates of a reduction, which may be in any order but not at the same time. Pairs outside of the domain, and those
//! of an instance with itself, which no order satisfies, say nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use poly_dependence::{Dependence, DependenceKind};
use poly_oracle::isl;
use poly_presburger::{Budget, DimKind, Map, Set, Space, Tuple, UnionMap, UnionSet};
use poly_schedule_tree::{Band, Node, ScheduleTree};
use poly_scheduler::checker::{Legality, check};
use poly_scheduler::{Options, schedule};

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

/// What a schedule does for a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Quality {
    /// Depth of the deepest band.
    depth: usize,
    /// Number of parallel loops.
    parallel: usize,
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "band depth {}, {} parallel", self.depth, self.parallel)
    }
}

/// By the name of the statement.
type Qualities = BTreeMap<String, Quality>;

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
    let domains: Vec<Set> = input.domain.iter().cloned().collect();
    // There is no original order; whoever asks for it gets none.
    let untimed = |domain: &Set| {
        Map::empty(Space::from_domain_and_range(domain.space(), &Space::set(Vec::new(), Tuple::anonymous(0))))
    };
    let times: Vec<Map> = domains.iter().map(untimed).collect();
    let unordered = input.coincidence.subtract(&input.validity, budget).map_err(stopped)?;
    let mut dependences = Vec::new();
    let kinds = [
        (&input.validity, DependenceKind::Flow, false),
        (&unordered, DependenceKind::Flow, true),
        (&input.proximity, DependenceKind::Input, false),
    ];
    for (relation, kind, reduction) in kinds {
        for map in relation.iter().filter(|map| !map.plain_is_empty()) {
            let place = |kind| domains.iter().position(|d| d.tuple() == map.space().tuple(kind));
            let (Some(source), Some(sink)) = (place(DimKind::In), place(DimKind::Out)) else { continue };
            dependences.push(Dependence {
                kind,
                source: (source, 0),
                sink: (sink, 0),
                relation: map.clone(),
                reduction,
            });
        }
    }
    let mut options = Options { relax_reductions: true, ..Options::default() };
    for option in &input.options {
        if let Some(value) = option.strip_prefix("--schedule-max-coefficient=") {
            options.max_coefficient = value.parse().map_err(|_| format!("{option:?} has no number"))?;
        }
        if option == "--schedule-maximize-coincidence" {
            options.maximize_coincidence = true;
        }
    }
    let context = Set::universe(Space::params(Vec::new()));
    let problem =
        poly_scheduler::Problem { context: &context, domains: &domains, times: &times, dependences: &dependences };
    let tree = schedule(&problem, &options, budget).map_err(stopped)?;
    let ordered: Vec<Dependence> = dependences.iter().filter(|d| d.is_ordering() && !d.reduction).cloned().collect();
    match check(&tree, &ordered, budget).map_err(stopped)? {
        Legality::Legal => Ok(tree),
        violated => Err(format!("the schedule is not legal: {violated:?}: {tree}")),
    }
}

/// What a schedule does for each statement. Fails if a permutable band is not permutable.
fn qualities(tree: &ScheduleTree, input: &Constraints, budget: &mut Budget) -> Result<Qualities, String> {
    let name = |set: &Set| set.tuple().and_then(Tuple::name_str).unwrap_or("").to_owned();
    let mut result: Qualities = input.domain.iter().map(|set| (name(set), Quality::default())).collect();
    for node in tree.band_nodes() {
        let band = node.band().expect("these are the nodes with bands");
        if band.permutable {
            check_permutable(&node, band, input, budget)?;
        }
        let pairs = reaching(&input.coincidence, &node);
        let mut coincident = Vec::new();
        for i in 0..band.n_member() {
            coincident.push(!has_distance(&pairs, band, i, &[Sign::Positive, Sign::Negative], budget)?);
        }
        for set in node.domain().iter() {
            let loops = loops(&node, band, set, budget).map_err(stopped)?;
            let depth = loops.iter().filter(|l| **l).count();
            let quality = result.entry(name(set)).or_default();
            quality.depth = quality.depth.max(if band.permutable { depth } else { depth.min(1) });
            quality.parallel += loops.iter().zip(&coincident).filter(|(l, c)| **l && **c).count();
        }
    }
    Ok(result)
}

/// Which members of a band are loops of a statement.
fn loops(node: &Node, band: &Band, domain: &Set, budget: &mut Budget) -> Result<Vec<bool>, poly_presburger::Stop> {
    let only = UnionSet::from_members([domain.clone()]);
    let mut outside = node.prefix_schedule_map().intersect_domain(&only);
    let mut result = Vec::new();
    for member in band.schedule.members() {
        let value = member.to_union_map().intersect_domain(&only);
        result.push(!outside.reverse().apply_range(&value).is_single_valued(budget)?);
        outside = outside.flat_range_product(&value);
    }
    Ok(result)
}

/// The pairs of instances that reach a node at equal times.
fn reaching(pairs: &UnionMap, node: &Node) -> UnionMap {
    let prefix = node.prefix_schedule_map();
    let domain = prefix.domain();
    let inside = pairs.intersect_domain(&domain).intersect_range(&domain);
    inside.intersect(&prefix.apply_range(&prefix.reverse()))
}

#[derive(Clone, Copy, Debug)]
enum Sign {
    Positive,
    Negative,
}

/// Whether a pair has a distance of one of the signs in a member.
fn has_distance(
    pairs: &UnionMap,
    band: &Band,
    member: usize,
    signs: &[Sign],
    budget: &mut Budget,
) -> Result<bool, String> {
    let value = band.schedule.get(member).to_union_map();
    for sign in signs {
        for times in value.range().iter() {
            let order = match sign {
                Sign::Positive => Map::lex_lt(times.space()),
                Sign::Negative => Map::lex_gt(times.space()),
            };
            let order = UnionMap::from_members([order]);
            let apart = pairs.intersect(&value.apply_range(&order).apply_range(&value.reverse()));
            if !apart.is_empty(budget).map_err(stopped)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn check_permutable(node: &Node, band: &Band, input: &Constraints, budget: &mut Budget) -> Result<(), String> {
    let pairs = reaching(&input.validity, node);
    for i in 0..band.n_member() {
        if has_distance(&pairs, band, i, &[Sign::Negative], budget)? {
            return Err(format!("a band is not permutable: member {i} of {}", band.schedule));
        }
    }
    Ok(())
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

    fn stencil(schedule: &str, permutable: bool) -> Result<Quality, String> {
        let flag = if permutable { ", permutable: 1" } else { "" };
        quality(
            &format!(
                "{{ domain: \"[n] -> {{ S[t, i] : 0 <= t, i < n }}\", child: {{ schedule: \"{schedule}\"{flag} }} }}"
            ),
            STENCIL,
        )
    }

    #[test]
    fn qualities_follow_from_the_definitions() {
        let straight = "[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(i)] }]";
        assert_eq!(stencil(straight, false), Ok(Quality { depth: 1, parallel: 0 }));
        assert!(stencil(straight, true).is_err_and(|reason| reason.contains("not permutable")));
        let skewed = "[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }]";
        assert_eq!(stencil(skewed, true), Ok(Quality { depth: 2, parallel: 0 }));
        // What is determined by outer members is not a loop.
        let more = "[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }, { S[t, i] -> [(2t + i)] }]";
        assert_eq!(stencil(more, true), Ok(Quality { depth: 2, parallel: 0 }));
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
