//! What Poly and isl make of a problem.

use std::fmt;
use std::time::Duration;

use poly_checker::{Legality, check};
use poly_oracle::clock::thread_time;
use poly_oracle::isl;
use poly_oracle::quality::{Qualities, Quality, carried, qualities};
use poly_presburger::{Budget, DimKind, Map};
use poly_schedule_tree::ScheduleTree;

use crate::problem::Problem;

/// What compiling one SCoP may spend.
const BUDGET: u64 = 50_000_000;

/// A schedule's worth.
#[derive(Clone, Debug)]
struct Worth {
    statements: Qualities,
    carried: usize,
}

impl Worth {
    fn of(tree: &ScheduleTree, problem: &Problem) -> Result<Worth, String> {
        let relations = problem.relations();
        let budget = &mut Budget::unlimited();
        let statements = qualities(tree, &problem.domain(), &relations, &relations, budget)?;
        let members: Vec<Map> = relations.iter().cloned().collect();
        let carried = carried(tree, &members, budget).map_err(|stop| stop.to_string())?;
        Ok(Worth { statements, carried })
    }

    fn sum(&self, what: fn(&Quality) -> usize) -> usize {
        self.statements.values().map(what).sum()
    }

    fn numbers(&self) -> [usize; 3] {
        [self.sum(|q| q.depth), self.sum(|q| q.parallel), self.carried]
    }

    /// Where this is less than isl's.
    fn below(&self, other: &Worth) -> Vec<String> {
        let mut result = Vec::new();
        for (statement, theirs) in &other.statements {
            let ours = self.statements.get(statement).copied().unwrap_or_default();
            if ours.depth < theirs.depth || ours.parallel < theirs.parallel {
                result.push(format!("{statement}: {ours} (isl: {theirs})"));
            }
        }
        if self.carried < other.carried {
            result.push(format!("{} carried (isl: {})", self.carried, other.carried));
        }
        result
    }
}

/// A way to ask isl.
#[derive(Debug)]
struct Variant {
    name: &'static str,
    options: &'static [&'static str],
}

/// isl as it is, and with coefficients bounded, bands as deep as possible: with parameters the
/// first often needs very long.
const VARIANTS: [Variant; 2] = [
    Variant { name: "isl", options: &[] },
    Variant {
        name: "isl, bounded",
        options: &[
            "--schedule-max-coefficient=20",
            "--schedule-max-constant-term=20",
            "--schedule-maximize-band-depth",
        ],
    },
];

/// Sums over the SCoPs of a kernel.
#[derive(Debug, Default)]
pub(crate) struct Kernel {
    scops: usize,
    statements: usize,
    loops: usize,
    /// Of the SCoPs for which isl computes a schedule, as those of isl.
    ours: [usize; 3],
    theirs: [usize; 3],
    time: Duration,
    /// Of each variant.
    times: [Duration; VARIANTS.len()],
    /// SCoPs for which a variant computes no schedule.
    stopped: [usize; VARIANTS.len()],
    /// SCoPs for which none does.
    alone: usize,
    below: Vec<String>,
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{}\t{}", self.scops, self.statements, self.loops)?;
        for number in self.ours.iter().chain(&self.theirs) {
            write!(f, "\t{number}")?;
        }
        for time in std::iter::once(&self.time).chain(&self.times) {
            write!(f, "\t{:.1}", time.as_secs_f64() * 1e6)?;
        }
        for number in self.stopped.iter().chain([&self.alone]) {
            write!(f, "\t{number}")?;
        }
        write!(f, "\t{}", self.below.join("; "))
    }
}

/// How to compare.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    /// How often each problem is scheduled by either.
    pub(crate) rounds: u32,
    /// Steps after which isl gives up, 0 for none.
    pub(crate) isl_operations: u64,
    /// Print all schedules.
    pub(crate) trees: bool,
}

/// Compares both on all SCoPs of a kernel.
pub(crate) fn kernel(problems: &[Problem], how: How) -> Result<Kernel, String> {
    let mut result = Kernel::default();
    for problem in problems {
        let (tree, time, _) = poly(problem, how.rounds)?;
        let ours = Worth::of(&tree, problem)?;
        result.scops += 1;
        result.statements += problem.domains.len();
        let deepest = problem.domains.iter().map(|domain| domain.dim(DimKind::Out)).max();
        result.loops = result.loops.max(deepest.unwrap_or(0));
        result.time += time;
        if how.trees {
            println!("{tree}");
        }
        let mut first = None;
        for (number, variant) in VARIANTS.iter().enumerate() {
            let (text, time) = by_isl(problem, variant, how)?;
            result.times[number] += time;
            let Some(text) = text else {
                result.stopped[number] += 1;
                continue;
            };
            if how.trees {
                println!("{}\n{text}", variant.name);
            }
            let tree: ScheduleTree = text.parse().map_err(|error| format!("Poly cannot read isl's tree: {error}"))?;
            let theirs = Worth::of(&tree, problem)?;
            result.below.extend(ours.below(&theirs).into_iter().map(|what| format!("{what} ({})", variant.name)));
            first.get_or_insert(theirs);
        }
        match first {
            Some(theirs) => {
                add(&mut result.theirs, theirs.numbers());
                add(&mut result.ours, ours.numbers());
            }
            None => result.alone += 1,
        }
    }
    Ok(result)
}

fn add(sums: &mut [usize; 3], more: [usize; 3]) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// Poly's schedule, the least time of several rounds, and the operations that one spends.
fn poly(problem: &Problem, rounds: u32) -> Result<(ScheduleTree, Duration, u64), String> {
    let mut least = Duration::MAX;
    let mut result = None;
    for _ in 0..rounds.max(1) {
        let mut budget = Budget::new(BUDGET);
        let start = thread_time();
        let tree = problem.schedule(&mut budget).map_err(|stop| stop.to_string())?;
        least = least.min(thread_time() - start);
        result = Some((tree, budget.spent()));
    }
    let (tree, operations) = result.expect("there was a round");
    match check(&tree, &problem.dependences, &mut Budget::unlimited()) {
        Ok(Legality::Legal) => Ok((tree, least, operations)),
        verdict => Err(format!("Poly's schedule is not legal: {verdict:?}: {tree}")),
    }
}

/// isl's schedule as text if it computes one within the limit, and the least time of several
/// rounds; one round is enough if it does not.
fn by_isl(problem: &Problem, variant: &Variant, how: How) -> Result<(Option<String>, Duration), String> {
    let text = problem.text();
    let mut best: Option<(String, Duration)> = None;
    for _ in 0..how.rounds.max(1) {
        let isl = isl::Context::new();
        for option in variant.options {
            assert!(isl.set_schedule_option(option), "isl has the option {option}");
        }
        isl.set_max_operations(how.isl_operations);
        let (tree, time) = isl.schedule_or_time(&text).ok_or_else(|| format!("isl does not read {text}"))?;
        let Some(tree) = tree else {
            if how.isl_operations == 0 || !isl.limit_was_reached() {
                return Err(format!("isl computes no schedule of {text}"));
            }
            return Ok((None, time));
        };
        best = Some(best.filter(|best| best.1 <= time).unwrap_or((tree, time)));
        if time > LONG {
            break;
        }
    }
    let (tree, time) = best.expect("there was a round");
    Ok((Some(tree), time))
}

/// What takes longer than this is measured once.
const LONG: Duration = Duration::from_secs(1);

/// What a large problem costs.
#[derive(Debug)]
pub(crate) struct Scaling {
    dependences: usize,
    time: Duration,
    operations: u64,
    depth: usize,
    parallel: usize,
    isl: Option<Duration>,
}

impl fmt::Display for Scaling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let microseconds = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1e6);
        let isl = self.isl.map_or_else(|| "-".to_owned(), microseconds);
        write!(f, "{}\t{}\t{}", self.dependences, microseconds(self.time), self.operations)?;
        write!(f, "\t{}\t{}\t{isl}", self.depth, self.parallel)
    }
}

/// Schedules a large problem.
pub(crate) fn scaling(problem: &Problem, how: How, with_isl: bool) -> Result<Scaling, String> {
    let (tree, time, operations) = poly(problem, how.rounds)?;
    if how.trees {
        println!("{tree}");
    }
    let worth = Worth::of(&tree, problem)?;
    let [depth, parallel, _] = worth.numbers();
    let isl = if with_isl { Some(by_isl(problem, &VARIANTS[0], how)?.1) } else { None };
    Ok(Scaling { dependences: problem.dependences.len(), time, operations, depth, parallel, isl })
}
