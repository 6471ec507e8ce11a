//! What a schedule has to satisfy, and the scheduler.
//!
//! # Problem
//! isl's interface: instances (*domain*); pairs of which the first runs before the second (*validity*); pairs that a parallel loop has in one
//! iteration (*coincidence*); pairs that should be near each other (*proximity*). Poly's scheduler knows dependences, which are all of these, those of
//! reductions, which cost parallelism and no order, and input dependences.
//!
//! # Method
//! 1. Pairs outside of the domain, and those of an instance with itself, say nothing.
//! 2. Validity becomes dependences; coincidence without validity dependences between updates of a reduction; proximity input dependences.
//!    Conditional validity is kept as a whole, which is legal.
//! 3. The schedule is judged by `poly-checker`, which shares no code with the scheduler. For constraints that no order satisfies, and that is
//!    how one finds out, there is none.

use poly_checker::{Legality, check};
use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::{Budget, DimKind, Map, Set, Space, Tuple, UnionMap, UnionSet};
use poly_schedule_tree::ScheduleTree;
use poly_scheduler::{Algorithm, Fusion, Options, Problem, schedule};
use pyo3::prelude::*;

use crate::failure::{Answer, Failure, run};
use crate::methods::{SetArg, UnionMapArg, UnionSetArg};
use crate::schedule::PySchedule;
use crate::set::PySet;
use crate::space::parameters;
use crate::union_map::PyUnionMap;
use crate::union_set::PyUnionSet;

/// What a schedule has to satisfy.
#[pyclass(name = "ScheduleConstraints", module = "poly", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct PyScheduleConstraints {
    domain: UnionSet,
    context: Set,
    validity: UnionMap,
    conditional_validity: UnionMap,
    coincidence: UnionMap,
    proximity: UnionMap,
}

#[pymethods]
impl PyScheduleConstraints {
    /// No constraints on these instances.
    #[staticmethod]
    fn on_domain(domain: UnionSetArg) -> PyScheduleConstraints {
        let none = || UnionMap::empty(Vec::new());
        PyScheduleConstraints {
            domain: domain.0,
            context: Set::universe(Space::params(Vec::new())),
            validity: none(),
            conditional_validity: none(),
            coincidence: none(),
            proximity: none(),
        }
    }

    /// With what is known of the parameters.
    fn set_context(&self, context: SetArg) -> PyResult<PyScheduleConstraints> {
        parameters(context.0.space())?;
        Ok(PyScheduleConstraints { context: context.0, ..self.clone() })
    }

    /// With pairs of which the first runs before the second.
    fn set_validity(&self, validity: UnionMapArg) -> PyScheduleConstraints {
        PyScheduleConstraints { validity: validity.0, ..self.clone() }
    }

    /// With pairs of which the first runs before the second if `condition` has distances. All of them are kept in order.
    fn set_conditional_validity(&self, condition: UnionMapArg, validity: UnionMapArg) -> PyScheduleConstraints {
        drop(condition);
        PyScheduleConstraints { conditional_validity: validity.0, ..self.clone() }
    }

    /// With pairs that loops without distances (parallel ones) have in one iteration.
    fn set_coincidence(&self, coincidence: UnionMapArg) -> PyScheduleConstraints {
        PyScheduleConstraints { coincidence: coincidence.0, ..self.clone() }
    }

    /// With pairs that are to be near each other.
    fn set_proximity(&self, proximity: UnionMapArg) -> PyScheduleConstraints {
        PyScheduleConstraints { proximity: proximity.0, ..self.clone() }
    }

    /// The instances.
    fn get_domain(&self) -> PyUnionSet {
        PyUnionSet(self.domain.clone())
    }

    /// What is known of the parameters.
    fn get_context(&self) -> PySet {
        PySet(self.context.clone())
    }

    /// The pairs of which the first runs before the second.
    fn get_validity(&self) -> PyUnionMap {
        PyUnionMap(self.validity.clone())
    }

    /// The pairs that parallel loops have in one iteration.
    fn get_coincidence(&self) -> PyUnionMap {
        PyUnionMap(self.coincidence.clone())
    }

    /// The pairs that are to be near each other.
    fn get_proximity(&self) -> PyUnionMap {
        PyUnionMap(self.proximity.clone())
    }

    /// A schedule that satisfies the constraints. Members of bands are coincident if they carry no pair of validity or coincidence.
    ///
    /// `algorithm` is `pluto` or `feautrier`, `fusion` is `max`, `smart` or `none`; `max_coefficient` is the greatest absolute value of a
    /// factor; with `maximize_coincidence`, statements share loops only where that costs no parallel one.
    #[pyo3(signature = (*, algorithm="pluto", fusion="smart", max_coefficient=8, maximize_coincidence=false))]
    fn compute_schedule(
        &self,
        py: Python<'_>,
        algorithm: &str,
        fusion: &str,
        max_coefficient: u32,
        maximize_coincidence: bool,
    ) -> PyResult<PySchedule> {
        let options = Options {
            algorithm: algorithm_of(algorithm)?,
            fusion: fusion_of(fusion)?,
            relax_reductions: true,
            max_coefficient,
            maximize_coincidence,
            ..Options::default()
        };
        run(py, |budget| self.solved(&options, budget)).map(PySchedule)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let domain = run(py, |_| Ok(self.domain.to_string()))?;
        Ok(format!("<ScheduleConstraints on {domain}>"))
    }
}

fn algorithm_of(name: &str) -> Answer<Algorithm> {
    match name {
        "pluto" => Ok(Algorithm::Pluto),
        "feautrier" => Ok(Algorithm::Feautrier),
        _ => Err(Failure::Value(format!("the algorithm `{name}` is none of pluto, feautrier"))),
    }
}

fn fusion_of(name: &str) -> Answer<Fusion> {
    match name {
        "max" => Ok(Fusion::Max),
        "smart" => Ok(Fusion::Smart),
        "none" => Ok(Fusion::None),
        _ => Err(Failure::Value(format!("the fusion `{name}` is none of max, smart, none"))),
    }
}

impl PyScheduleConstraints {
    fn solved(&self, options: &Options, budget: &mut Budget) -> Answer<ScheduleTree> {
        let domains: Vec<Set> = self.domain.iter().cloned().collect();
        // There is no original order; whoever asks for it gets none.
        let untimed = |domain: &Set| {
            let times = Space::set(Vec::new(), Tuple::anonymous(0));
            Map::empty(Space::from_domain_and_range(domain.space(), &times))
        };
        let times: Vec<Map> = domains.iter().map(untimed).collect();
        let dependences = self.dependences(&domains, budget)?;
        let problem = Problem { context: &self.context, domains: &domains, times: &times, dependences: &dependences };
        let tree = schedule(&problem, options, budget)?;
        let ordered: Vec<Dependence> = dependences.into_iter().filter(|d| d.is_ordering() && !d.reduction).collect();
        match check(&tree, &ordered, budget)? {
            Legality::Legal => Ok(tree),
            Legality::Violated { dependence, .. } => {
                let relation = &ordered[dependence].relation;
                Err(Failure::Schedule(format!("no schedule was found that satisfies {relation}")))
            }
        }
    }

    fn dependences(&self, domains: &[Set], budget: &mut Budget) -> Answer<Vec<Dependence>> {
        let mut inside = |map: &UnionMap| {
            let between = map.intersect_domain(&self.domain).intersect_range(&self.domain);
            between.intersect_params(&self.context).subtract(&self.domain.identity(), budget)
        };
        let validity = inside(&self.validity.union(&self.conditional_validity))?;
        let coincidence = inside(&self.coincidence)?;
        let proximity = inside(&self.proximity)?;
        let unordered = coincidence.subtract(&validity, budget)?;
        let kinds = [
            (&validity, DependenceKind::Flow, false),
            (&unordered, DependenceKind::Flow, true),
            (&proximity, DependenceKind::Input, false),
        ];
        let mut all = Vec::new();
        for (relation, kind, reduction) in kinds {
            for map in relation.iter().filter(|map| !map.plain_is_empty()) {
                let place = |kind| domains.iter().position(|domain| domain.tuple() == map.space().tuple(kind));
                let (Some(source), Some(sink)) = (place(DimKind::In), place(DimKind::Out)) else { continue };
                let (source, sink) = ((source, 0), (sink, 0));
                let relation = map.clone();
                all.push(Dependence { kind, source, sink, relation, reduction, conditional: false });
            }
        }
        Ok(all)
    }
}
