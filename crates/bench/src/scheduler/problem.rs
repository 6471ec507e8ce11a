//! Scheduling problems: read from files, and as isl's input.

use std::fs;
use std::path::Path;

use poly_dependence::Dependence;
use poly_presburger::{Budget, Map, Set, Space, Stop, Tuple, UnionMap, UnionSet};
use poly_schedule_tree::ScheduleTree;
use poly_scheduler::{Options, ScheduleFile};

/// The domains, dependences and original order of a SCoP.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) context: Set,
    pub(crate) domains: Vec<Set>,
    pub(crate) times: Vec<Map>,
    pub(crate) dependences: Vec<Dependence>,
}

/// The problems in a folder, by the names of their files; only those of the kernel itself, not
/// those of the program around it.
pub(crate) fn folder(folder: &Path) -> Result<Vec<Problem>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with("kernel") && name.ends_with(".poly") {
            paths.push(path);
        }
    }
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Result<Problem, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(path).map_err(|error| failed(&error))?;
    let file: ScheduleFile = text.parse().map_err(|error| failed(&error))?;
    Problem::from_file(file).ok_or_else(|| failed(&"a dependence is of no statement"))
}

impl Problem {
    /// The problem of a file whose schedule is the original order.
    fn from_file(file: ScheduleFile) -> Option<Problem> {
        let domains: Vec<Set> = file.tree.domain().iter().cloned().collect();
        let order = file.tree.schedule_map();
        let time = |domain: &Set| order.iter().find(|map| map.space().domain.as_ref() == domain.tuple()).cloned();
        let times = domains.iter().map(time).collect::<Option<Vec<Map>>>()?;
        let place = |tuple: Option<&Tuple>| domains.iter().position(|domain| domain.tuple() == tuple);
        let mut dependences = file.dependences;
        for dependence in &mut dependences {
            dependence.source.0 = place(dependence.relation.space().domain.as_ref())?;
            dependence.sink.0 = place(dependence.relation.space().range.as_ref())?;
        }
        Some(Problem { context: file.context, domains, times, dependences })
    }

    /// Poly's schedule, made as in a compilation.
    pub(crate) fn schedule(&self, budget: &mut Budget) -> Result<ScheduleTree, Stop> {
        let problem = poly_scheduler::Problem {
            context: &self.context,
            domains: &self.domains,
            times: &self.times,
            dependences: &self.dependences,
        };
        poly_scheduler::schedule_with_sizes(&problem, &Options::default(), budget)
    }

    /// All instances.
    pub(crate) fn domain(&self) -> UnionSet {
        UnionSet::from_members(self.domains.iter().cloned())
    }

    /// The pairs whose order matters, united by their statements.
    pub(crate) fn relations(&self) -> UnionMap {
        UnionMap::from_members(self.dependences.iter().filter(|d| d.is_ordering()).map(|d| d.relation.clone()))
    }

    /// The problem as isl reads it.
    pub(crate) fn text(&self) -> String {
        let relations = self.relations();
        let mut text = format!("domain: \"{}\"\n", self.domain());
        let params: Space = self.context.space().params_space();
        if !params.params.is_empty() {
            text += &format!("context: \"{}\"\n", self.context);
        }
        for key in ["validity", "coincidence", "proximity"] {
            text += &format!("{key}: \"{relations}\"\n");
        }
        text
    }
}
