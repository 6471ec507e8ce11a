//! The space of fusion structures of a SCoP: described, searched, and its members as schedules.
//!
//! # Search
//! Members are looked at in their order (many shared loops first), up to a number that the user
//! gives; those that differ from an earlier one only in the order of independent nests are left
//! out. Each gets loop orders, tiles and marks as any schedule does, and the one with the lowest
//! predicted time is taken; the schedule of the default strategy is a candidate too. When its part
//! of the budget runs out the search ends with what it has.

use std::collections::BTreeSet;
use std::fmt::Write;

use poly_presburger::{Budget, Stop};
use poly_schedule_tree::ScheduleTree;
use poly_scheduler as scheduler;
use poly_scheduler::fusion::{FusionSpace, LevelFacts, Structure, Structures};
use poly_scheduler::{NoSpace, ScheduleSpace};

use crate::Scop;
use crate::config::{Config, Fusion};
use crate::driver::{Analysis, Reason, during, schedule};
use crate::lower::lower;
use crate::order::{domains, time_map};
use poly_scheduler::sizes::General;

/// Members of which all but the order was seen before are skipped, up to this many for each one
/// that is looked at.
const SKIPPED: u64 = 8;

/// The part of the budget that a search may use: one half.
const SEARCH_PART: u64 = 2;

/// The fusion structures of a SCoP.
struct Fusions {
    general: General,
    space: FusionSpace,
}

impl Fusions {
    fn new(analysis: &Analysis, budget: &mut Budget) -> Result<Fusions, Stop> {
        let domains = domains(&analysis.scop);
        let times: Vec<_> = analysis.scop.statements.iter().map(|s| time_map(&analysis.scop, s)).collect();
        let general = General::of(&scheduler::Problem {
            context: &analysis.scop.context,
            domains: &domains,
            times: &times,
            dependences: &analysis.dependences.dependences,
        });
        let space = FusionSpace::new(&general.problem(), &scheduler::Options::default(), budget)?;
        Ok(Fusions { general, space })
    }

    fn member(&mut self, number: u64, budget: &mut Budget) -> Result<Option<(Structures, ScheduleTree)>, Stop> {
        let member = self.space.member(number, budget)?;
        Ok(member.map(|member| (member.structure, self.general.specialize(&member.tree))))
    }
}

/// The schedule of the member with a number.
pub(crate) fn member(analysis: &Analysis, number: u64, budget: &mut Budget) -> Result<ScheduleTree, Reason> {
    let mut fusions = Fusions::new(analysis, budget).map_err(during("the search for fusions"))?;
    let member = fusions.member(number, budget).map_err(during("the search for fusions"))?;
    member.map(|(_, tree)| tree).ok_or(Reason::NoFusion(number))
}

/// The schedule with the lowest predicted time among the first members and that of the default
/// strategy.
pub(crate) fn search(analysis: &Analysis, config: &Config, budget: &mut Budget) -> Result<ScheduleTree, Reason> {
    let default = Config { fusion: Fusion::Smart, ..config.clone() };
    let mut best = schedule(analysis, &default, budget)?;
    let mut cycles = lower(analysis, &best, config, budget).map_err(during("transformation"))?.cycles;
    let mut part = budget.sub(budget.remaining() / SEARCH_PART);
    let found = search_members(
        analysis,
        config,
        &mut |tree, candidate| {
            if candidate < cycles {
                (best, cycles) = (tree, candidate);
            }
        },
        &mut part,
    );
    if found.is_err() {
        tracing::debug!(scop = analysis.scop.name, "the search for fusions ended early");
    }
    budget.absorb(&part);
    Ok(best)
}

fn search_members(
    analysis: &Analysis,
    config: &Config,
    found: &mut dyn FnMut(ScheduleTree, f64),
    budget: &mut Budget,
) -> Result<(), Stop> {
    let mut fusions = Fusions::new(analysis, budget)?;
    let mut seen = BTreeSet::new();
    for number in 0..config.fusion_limit.saturating_mul(SKIPPED) {
        let Some((structure, tree)) = fusions.member(number, budget)? else { break };
        if !seen.insert(unordered(&structure)) {
            continue;
        }
        let candidate = lower(analysis, &tree, config, budget)?;
        found(tree, candidate.cycles);
        if seen.len() as u64 >= config.fusion_limit {
            break;
        }
    }
    Ok(())
}

/// The structure without the order of what stands behind each other. The recursion is bounded by
/// the depth of loops.
fn unordered(structures: &Structures) -> Structures {
    let mut parts: Vec<Structure> = structures
        .0
        .iter()
        .map(|part| match part {
            Structure::Loop(inside) => Structure::Loop(unordered(inside)),
            Structure::Statement(s) => Structure::Statement(*s),
        })
        .collect();
    parts.sort();
    Structures(parts)
}

/// What the space looks like, and its first members, for people.
///
/// # Errors
/// The step in which the budget ran out.
pub fn describe_fusions(analysis: &Analysis, config: &Config, budget: &mut Budget) -> Result<String, Reason> {
    let stopped = during("the search for fusions");
    let scop = &analysis.scop;
    let mut fusions = Fusions::new(analysis, budget).map_err(&stopped)?;
    let references: usize = scop.statements.iter().map(|s| s.accesses.len()).sum();
    let mut text =
        format!("loops {}, statements {}, references {references}\n", scop.loops.len(), scop.statements.len());
    let outermost = fusions.space.outermost(budget).map_err(&stopped)?;
    describe_level(&mut text, scop, &outermost);
    let mut members = Vec::new();
    for number in 0..config.fusion_limit {
        match fusions.space.member(number, budget).map_err(&stopped)? {
            Some(member) => members.push(member.structure),
            None => break,
        }
    }
    for level in fusions.space.inner_levels(budget).map_err(&stopped)? {
        describe_level(&mut text, scop, &level);
    }
    let mut part = budget.sub(budget.remaining() / SEARCH_PART);
    match fusions.space.count(&mut part) {
        Ok(count) => writeln!(text, "members {count}"),
        Err(Stop) => writeln!(text, "members: more than the operation budget allows to count"),
    }
    .expect("writing to a String cannot fail");
    budget.absorb(&part);
    for (number, structure) in members.iter().enumerate() {
        writeln!(text, "member {number}: {}", named(structure, scop)).expect("writing to a String cannot fail");
    }
    if let Some(dimensions) = config.fusion_schedules {
        describe_schedules(&mut text, &fusions, dimensions, budget).map_err(&stopped)?;
    }
    Ok(text)
}

/// Most dimensions of schedules whose set is made.
const MAX_DIMENSIONS: u64 = 16;

/// The convex set of all legal schedules of so many dimensions.
fn describe_schedules(text: &mut String, fusions: &Fusions, dimensions: u64, budget: &mut Budget) -> Result<(), Stop> {
    let bounded = usize::try_from(dimensions.min(MAX_DIMENSIONS)).expect("it is small");
    let options = scheduler::Options::default();
    let described = match ScheduleSpace::new(&fusions.general.problem(), bounded, &options, budget) {
        Ok(space) => {
            let size = format!("variables {}, constraints {}", space.variables(), space.constraints());
            format!("schedules of {bounded} dimensions: {size}\n{}", space.to_set())
        }
        Err(NoSpace::Stop) => return Err(Stop),
        Err(other) => format!("schedules of {bounded} dimensions: {other}"),
    };
    writeln!(text, "{described}").expect("writing to a String cannot fail");
    Ok(())
}

fn describe_level(text: &mut String, scop: &Scop, level: &LevelFacts) {
    let names: Vec<&str> = level.statements.iter().map(|&s| scop.statements[s].name.as_str()).collect();
    let (all, points) = &level.unpruned;
    let size = |set: &scheduler::fusion::PreorderSet| {
        format!("dimensions {}, constraints {}", set.dimensions(), set.constraints())
    };
    let pruned = match &level.pruned {
        Some((set, points)) => format!("{}, points {points}", size(set)),
        None => "too large to be counted".to_string(),
    };
    writeln!(text, "level {} of {}", level.depth + 1, names.join(", ")).expect("writing to a String cannot fail");
    writeln!(text, "  O: {}, points {points}", size(all)).expect("writing to a String cannot fail");
    writeln!(text, "  F: {pruned}").expect("writing to a String cannot fail");
}

/// The structure with the names of statements. The recursion is bounded by the depth of loops.
fn named(structures: &Structures, scop: &Scop) -> String {
    let part = |part: &Structure| match part {
        Structure::Statement(s) => scop.statements[*s].name.clone(),
        Structure::Loop(inside) => format!("{{{}}}", named(inside, scop)),
    };
    structures.0.iter().map(part).collect::<Vec<_>>().join(" ")
}
