//! What Poly and isl make of a problem.

use std::fmt;
use std::time::Duration;

use poly_oracle::clock::thread_time;
use poly_oracle::isl;
use poly_oracle::quality::{Qualities, Quality, carried, qualities};
use poly_presburger::{Budget, DimKind, Map};
use poly_schedule_tree::ScheduleTree;
use poly_scheduler::checker::{Legality, check};

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

/// Sums over the SCoPs of a kernel.
#[derive(Debug, Default)]
pub(crate) struct Kernel {
    scops: usize,
    statements: usize,
    loops: usize,
    ours: [usize; 3],
    theirs: [usize; 3],
    /// Poly's and isl's.
    times: [Duration; 2],
    below: Vec<String>,
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{}\t{}", self.scops, self.statements, self.loops)?;
        for number in self.ours.iter().chain(&self.theirs) {
            write!(f, "\t{number}")?;
        }
        for time in self.times {
            write!(f, "\t{:.1}", time.as_secs_f64() * 1e6)?;
        }
        write!(f, "\t{}", self.below.join("; "))
    }
}

/// Compares both on all SCoPs of a kernel.
pub(crate) fn kernel(problems: &[Problem], rounds: u32, trees: bool) -> Result<Kernel, String> {
    let mut result = Kernel::default();
    for problem in problems {
        let (tree, time, _) = poly(problem, rounds)?;
        let ours = Worth::of(&tree, problem)?;
        result.scops += 1;
        result.statements += problem.domains.len();
        let deepest = problem.domains.iter().map(|domain| domain.dim(DimKind::Out)).max();
        result.loops = result.loops.max(deepest.unwrap_or(0));
        result.times[0] += time;
        if trees {
            println!("{tree}");
        }
        let (text, time) = by_isl(problem, rounds)?;
        result.times[1] += time;
        if trees {
            println!("isl\n{text}");
        }
        let tree: ScheduleTree = text.parse().map_err(|error| format!("Poly cannot read isl's tree: {error}"))?;
        let theirs = Worth::of(&tree, problem)?;
        result.below.extend(ours.below(&theirs));
        add(&mut result.theirs, theirs.numbers());
        add(&mut result.ours, ours.numbers());
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

/// isl's schedule as text, and the least time of several rounds.
fn by_isl(problem: &Problem, rounds: u32) -> Result<(String, Duration), String> {
    let text = problem.text();
    let mut best: Option<(String, Duration)> = None;
    for _ in 0..rounds.max(1) {
        let run = isl::Context::new().timed_schedule(&text);
        let run = run.ok_or_else(|| format!("isl computes no schedule of {text}"))?;
        best = Some(best.filter(|best| best.1 <= run.1).unwrap_or(run));
    }
    Ok(best.expect("there was a round"))
}

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
pub(crate) fn scaling(problem: &Problem, rounds: u32, with_isl: bool, trees: bool) -> Result<Scaling, String> {
    let (tree, time, operations) = poly(problem, rounds)?;
    if trees {
        println!("{tree}");
    }
    let worth = Worth::of(&tree, problem)?;
    let [depth, parallel, _] = worth.numbers();
    let isl = if with_isl { Some(by_isl(problem, 1)?.1) } else { None };
    Ok(Scaling { dependences: problem.dependences.len(), time, operations, depth, parallel, isl })
}
