//! The stages on texts of SCoPs: JSCoP, OpenScop, and Poly's schedule trees with dependences
//! (docs/exchange.md).
//!
//! Nothing is compiled. `deps` computes dependences from the accesses and the original order,
//! `schedule` asks the scheduler for a new order, `ast` generates the loops of the schedule that
//! stands in the file. A schedule tree has its dependences with it, and no original order:
//! `schedule` prints the tree as it stands.

use std::fmt::Write;
use std::path::Path;

use poly_ast_build::{AstOptions, build};
use poly_cli::judge;
use poly_dependence::Dependence;
use poly_exchange::ScopText;
use poly_presburger::{Budget, Map, Set};
use poly_schedule_tree::ScheduleTree;
use poly_scheduler::fusion::{FusionSpace, Structure, Structures};
use poly_scheduler::{Options, Problem, ScheduleFile};
use poly_transform::rewrite::{Context, Failure, Log, Oracle, replay};

use super::{BUDGET, Stage};

/// A SCoP that was read.
pub(crate) enum Text {
    /// With accesses.
    Scop(Box<ScopText>),
    /// With dependences.
    Tree(Box<ScheduleFile>),
}

/// Whether a file has the name of a text of a SCoP.
pub(crate) fn is_text(file: &Path) -> bool {
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    ["jscop", "scop", "poly"].contains(&extension)
}

fn too_hard<E>(_: E) -> String {
    "the question is too hard".to_owned()
}

impl Text {
    /// Reads a file; `original` names one with the original order.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn read(file: &Path, original: Option<&Path>) -> Result<Text, String> {
        let text = judge::read(file)?;
        if poly_exchange::Format::of(&text).is_none() {
            return Ok(Text::Tree(Box::new(judge::tree(&text)?)));
        }
        judge::scop(&text, original, &mut Budget::new(BUDGET)).map(|scop| Text::Scop(Box::new(scop)))
    }

    /// The text of a stage.
    ///
    /// # Errors
    /// A sentence.
    pub(crate) fn stage(&self, stage: Stage) -> Result<String, String> {
        let budget = &mut Budget::new(BUDGET);
        match stage {
            Stage::Dependences => Ok(super::listed(&self.dependences(budget)?)),
            Stage::Schedule => match self {
                Text::Tree(file) => Ok(file.tree.to_string()),
                Text::Scop(_) => {
                    let (scop, dependences) = self.problem(budget)?;
                    scop.with(&dependences, |problem| {
                        let tree = poly_scheduler::schedule(problem, &Options::default(), budget);
                        tree.map(|tree| tree.to_string()).map_err(too_hard)
                    })
                }
            },
            Stage::Loops => loops(&self.tree(budget)?, self.context(), budget),
        }
    }

    /// The dependences.
    fn dependences(&self, budget: &mut Budget) -> Result<Vec<Dependence>, String> {
        match self {
            Text::Tree(file) => Ok(file.dependences.clone()),
            Text::Scop(scop) => scop.dependences(budget).map_err(|error| error.to_string())?.ok_or_else(no_original),
        }
    }

    /// The schedule that stands there.
    fn tree(&self, budget: &mut Budget) -> Result<ScheduleTree, String> {
        match self {
            Text::Tree(file) => Ok(file.tree.clone()),
            Text::Scop(scop) => scop.tree(budget).map_err(|error| error.to_string()),
        }
    }

    fn context(&self) -> &Set {
        match self {
            Text::Tree(file) => &file.context,
            Text::Scop(scop) => &scop.context,
        }
    }

    /// What a scheduler wants to know.
    fn problem(&self, budget: &mut Budget) -> Result<(Program, Vec<Dependence>), String> {
        let Text::Scop(scop) = self else {
            return Err(
                "a schedule tree does not say what the original order is; a JSCoP or OpenScop file does".to_owned()
            );
        };
        let problem = scop.problem(budget).map_err(|error| error.to_string())?.ok_or_else(no_original)?;
        let program = Program {
            context: problem.context.clone(),
            names: scop.statements.iter().map(|statement| statement.name.to_string()).collect(),
            domains: problem.statements.iter().map(|statement| statement.domain.clone()).collect(),
            times: problem.statements.iter().map(|statement| statement.time.clone()).collect(),
        };
        Ok((program, self.dependences(budget)?))
    }

    /// How many fusion structures are legal, and the first ones.
    ///
    /// # Errors
    /// A sentence.
    pub(crate) fn fusion_space(&self, limit: u64) -> Result<String, String> {
        let budget = &mut Budget::new(BUDGET);
        let (program, dependences) = self.problem(budget)?;
        program.with(&dependences, |problem| {
            let mut space = FusionSpace::new(problem, &Options::default(), budget).map_err(too_hard)?;
            let mut text = match space.count(&mut budget.sub(budget.remaining() / 4)) {
                Ok(count) => format!("members {count}\n"),
                Err(_) => "members: more than the operation budget allows to count\n".to_owned(),
            };
            for number in 0..limit {
                let Some(member) = space.member(number, budget).map_err(too_hard)? else { break };
                writeln!(text, "member {number}: {}", named(&member.structure, &program.names))
                    .expect("it is a String");
            }
            Ok(text)
        })
    }

    /// The schedule after rewrites, and its loops.
    ///
    /// # Errors
    /// Which step is not legal, and why.
    pub(crate) fn apply(&self, log: &Log) -> Result<(String, String), String> {
        let budget = &mut Budget::new(BUDGET);
        let dependences = self.dependences(budget)?;
        let mut context = Context { oracle: Oracle::new(&dependences), unshared: None };
        let tree = replay(&mut context, &self.tree(budget)?, log, budget).map_err(|refused| match refused.why {
            Failure::Refused(why) => format!("{} is refused: {why}", log.steps[refused.position]),
            Failure::Stop => too_hard(()),
        })?;
        Ok((tree.to_string(), loops(&tree, self.context(), budget)?))
    }
}

fn no_original() -> String {
    "the file does not say what the original order is; --original=FILE names one that does".to_owned()
}

/// The loops of a schedule.
fn loops(tree: &ScheduleTree, context: &Set, budget: &mut Budget) -> Result<String, String> {
    let ast = build(tree, context, &AstOptions::default(), budget);
    ast.map(|ast| ast.to_string()).map_err(|_| "no loops: one has no bounds, or it is too hard".to_owned())
}

/// The statements of a program.
struct Program {
    context: Set,
    names: Vec<String>,
    domains: Vec<Set>,
    times: Vec<Map>,
}

impl Program {
    fn with<R>(&self, dependences: &[Dependence], work: impl FnOnce(&Problem<'_>) -> R) -> R {
        let Program { context, domains, times, .. } = self;
        work(&Problem { context, domains, times, dependences })
    }
}

/// The structure with the names of statements. The recursion is bounded by the depth of loops.
fn named(structures: &Structures, names: &[String]) -> String {
    let part = |part: &Structure| match part {
        Structure::Statement(s) => names[*s].clone(),
        Structure::Loop(inside) => format!("{{{}}}", named(inside, names)),
    };
    structures.0.iter().map(part).collect::<Vec<_>>().join(" ")
}
