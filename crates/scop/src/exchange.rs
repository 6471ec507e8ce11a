//! SCoPs in the formats of other tools.

use poly_exchange::{AccessText, ArrayText, Format, ScopText, StatementText, schedule_of};
use poly_presburger::{Budget, Map, Space, Tuple};
use poly_schedule_tree::ScheduleTree;
use poly_scheduler::ScheduleFile;

use crate::driver::{Reason, analyse, schedule};
use crate::order::time_map;
use crate::{Access, AccessKind, Array, ArrayId, Config, Plan, Scop, Statement};

/// How schedules are written and read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeFormat {
    /// The schedule tree with the dependences that it must respect.
    Poly,
    /// A SCoP with its schedule, as other tools have it.
    Other(Format),
}

impl ExchangeFormat {
    /// How names of files end.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Poly => "poly",
            Self::Other(format) => format.extension(),
        }
    }
}

/// A schedule that was given.
#[derive(Clone, Debug)]
pub enum Given {
    /// As a tree.
    Tree(ScheduleTree),
    /// With the SCoP that it is for.
    Text(ScopText),
}

impl Given {
    /// Reads what [`export`] writes.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(text: &str, format: ExchangeFormat, budget: &mut Budget) -> Result<Self, String> {
        match format {
            ExchangeFormat::Poly => {
                let file: ScheduleFile = text.parse().map_err(|e: poly_scheduler::ScheduleFileError| e.to_string())?;
                Ok(Self::Tree(file.tree))
            }
            ExchangeFormat::Other(format) => {
                ScopText::read(text, format, budget).map(Self::Text).map_err(|error| error.to_string())
            }
        }
    }
}

/// The text of a SCoP's schedule, with what it must respect, which can be edited and given back.
///
/// # Errors
/// The step in which the budget ran out.
pub fn export(scop: &Scop, config: &Config, format: ExchangeFormat, budget: &mut Budget) -> Result<String, Reason> {
    let analysis = analyse(scop.clone(), config.reductions, budget)?;
    let tree = schedule(&analysis, config, budget)?;
    Ok(match format {
        ExchangeFormat::Other(format) => scop_text(&analysis.scop, &tree).write(format),
        ExchangeFormat::Poly => {
            let dependences = analysis.dependences.dependences;
            ScheduleFile { scop: analysis.scop.name, context: analysis.scop.context, dependences, tree }.to_string()
        }
    })
}

/// A SCoP after simplification, and its text with the original order as its schedule.
///
/// # Errors
/// The step in which the budget ran out.
pub fn original_text(scop: &Scop, config: &Config, budget: &mut Budget) -> Result<(Scop, ScopText), Reason> {
    let analysis = analyse(scop.clone(), config.reductions, budget)?;
    let text = scop_text(&analysis.scop, &analysis.original);
    Ok((analysis.scop, text))
}

/// The SCoP of a plan with its new schedule, without statements that the source does not have.
pub fn plan_text(plan: &Plan) -> ScopText {
    let mut text = scop_text(&plan.scop, &plan.tree);
    text.statements.truncate(plan.first_of_buffers.index());
    text
}

/// A SCoP with a schedule.
pub(crate) fn scop_text(scop: &Scop, tree: &ScheduleTree) -> ScopText {
    let statement = |s: &Statement| {
        let original = time_map(scop, s);
        StatementText {
            name: s.name.clone(),
            domain: s.domain.clone(),
            schedule: schedule_of(tree, &s.domain).unwrap_or_else(|| original.clone()),
            original: Some(original),
            accesses: s.accesses.iter().map(access_text).chain(overlapping(scop, s)).collect(),
        }
    };
    ScopText {
        name: scop.name.clone(),
        context: scop.context.clone(),
        arrays: scop.arrays.iter().map(array_text).collect(),
        statements: scop.statements.iter().map(statement).collect(),
    }
}

fn access_text(access: &Access) -> AccessText {
    let kind = match access.kind {
        AccessKind::Read => poly_dependence::AccessKind::Read,
        AccessKind::MustWrite => poly_dependence::AccessKind::MustWrite,
        AccessKind::MayWrite => poly_dependence::AccessKind::MayWrite,
    };
    AccessText { kind, relation: access.relation.clone() }
}

/// What accesses to arrays that may overlap others in a way that nobody checks are for tools that
/// know only elements: accesses to any element of the others. Of two such arrays, these are said of
/// the one of which less is known.
fn overlapping(scop: &Scop, statement: &Statement) -> Vec<AccessText> {
    let is_exact = |array: ArrayId| {
        let mut accesses = scop.statements.iter().flat_map(|s| &s.accesses).filter(|access| access.array == array);
        accesses.all(|access| access.exact)
    };
    let mut result: Vec<AccessText> = Vec::new();
    for &(a, b) in &scop.unchecked {
        let (from, to) = if is_exact(a) { (b, a) } else { (a, b) };
        let other = &scop.arrays[to.index()];
        let tuples = (statement.domain.tuple(), Tuple::named(&*other.name, other.rank));
        let (Some(instances), elements) = tuples else { continue };
        let params = statement.domain.space().params.clone();
        let relation = Map::universe(Space::map(params, instances.clone(), elements));
        for access in statement.accesses.iter().filter(|access| access.array == from) {
            let kind = match access.kind {
                AccessKind::Read => poly_dependence::AccessKind::Read,
                AccessKind::MustWrite | AccessKind::MayWrite => poly_dependence::AccessKind::MayWrite,
            };
            if !result.iter().any(|known| known.kind == kind && known.relation == relation) {
                result.push(AccessText { kind, relation: relation.clone() });
            }
        }
    }
    result
}

fn array_text(array: &Array) -> ArrayText {
    let mut sizes: Vec<String> = vec!["*".to_string(); array.rank.min(1) + array.row_subscripts()];
    sizes.extend(array.extents.iter().map(ToString::to_string));
    ArrayText { name: array.name.clone(), sizes, element: array.element.name.clone() }
}
