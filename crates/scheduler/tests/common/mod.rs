//! Programs with their schedules, for the tests.

#![allow(dead_code, unreachable_pub, reason = "every test file uses a part of this")]

pub mod instances;
pub mod preorders;
#[path = "../../../dependence/tests/common/mod.rs"]
pub mod programs;

use poly_checker::{Coincidence, Legality, check, check_coincidence};
use poly_dependence::Problem;
use poly_dependence::{Dependence, analyse};
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{Map, Set};
use poly_schedule_tree::ScheduleTree;
use poly_scheduler::{Options, schedule, schedule_with_sizes};

/// Dependences and schedule of a program.
pub struct Scheduled {
    pub dependences: Vec<Dependence>,
    pub tree: ScheduleTree,
}

/// Analyses and schedules a program.
pub fn run(problem: &Problem, options: &Options, input: bool) -> Scheduled {
    run_by(schedule, problem, options, input)
}

/// The same with large constants taken for parameters.
pub fn run_with_sizes(problem: &Problem, options: &Options) -> Scheduled {
    run_by(schedule_with_sizes, problem, options, false)
}

/// One of the functions that make schedules.
type Schedule = fn(&poly_scheduler::Problem<'_>, &Options, &mut Budget) -> Result<ScheduleTree, Stop>;

fn run_by(schedule: Schedule, problem: &Problem, options: &Options, input: bool) -> Scheduled {
    let input = Input::of(problem, poly_dependence::Options { input, reductions: options.relax_reductions });
    let tree = schedule(&input.problem(), options, &mut Budget::unlimited()).expect("no limit");
    Scheduled { dependences: input.dependences, tree }
}

/// What the scheduler is told of a program.
pub struct Input<'a> {
    context: &'a Set,
    pub domains: Vec<Set>,
    times: Vec<Map>,
    pub dependences: Vec<Dependence>,
}

impl<'a> Input<'a> {
    /// With these dependences.
    pub fn of(problem: &'a Problem, options: poly_dependence::Options) -> Input<'a> {
        Input {
            context: &problem.context,
            domains: problem.statements.iter().map(|s| s.domain.clone()).collect(),
            times: problem.statements.iter().map(|s| s.time.clone()).collect(),
            dependences: analyse(problem, &options, &mut Budget::unlimited()).expect("no limit").dependences,
        }
    }

    /// The scheduler's view of it.
    pub fn problem(&self) -> poly_scheduler::Problem<'_> {
        let Input { context, domains, times, dependences } = self;
        poly_scheduler::Problem { context, domains, times, dependences }
    }
}

impl Scheduled {
    /// Panics unless the checker accepts the schedule; reductions need not be in order when they
    /// are relaxed.
    pub fn assert_legal(&self, relax_reductions: bool) {
        let ordered = |d: &&Dependence| !(relax_reductions && d.reduction);
        let kept: Vec<Dependence> = self.dependences.iter().filter(ordered).cloned().collect();
        let mut budget = Budget::unlimited();
        assert_eq!(check(&self.tree, &kept, &mut budget), Ok(Legality::Legal), "{}", self.tree);
        let coincidence = check_coincidence(&self.tree, &self.dependences, &mut budget);
        assert_eq!(coincidence, Ok(Coincidence::Kept), "{}", self.tree);
    }
}
