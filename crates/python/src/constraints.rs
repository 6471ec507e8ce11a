//! What a schedule has to satisfy, and the scheduler: `poly_scheduler::ScheduleConstraints`.

use std::collections::BTreeMap;

use poly_scheduler::{Algorithm, Cost, CostOrder, Fusion, Options, ScheduleConstraints, ScheduleError};
use pyo3::prelude::*;

use crate::failure::{Answer, Failure, run};
use crate::function::FunctionsArg;
use crate::methods::{SetArg, UnionMapArg, UnionSetArg};
use crate::schedule::PySchedule;
use crate::set::PySet;
use crate::space::parameters;
use crate::union_map::PyUnionMap;
use crate::union_set::PyUnionSet;

/// What a schedule has to satisfy.
#[pyclass(name = "ScheduleConstraints", module = "poly", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct PyScheduleConstraints(ScheduleConstraints);

impl From<ScheduleError> for Failure {
    fn from(error: ScheduleError) -> Failure {
        match error {
            ScheduleError::Stop => Failure::Budget,
            ScheduleError::UnknownCost(_) | ScheduleError::PrefixDomain => Failure::Value(error.to_string()),
            error => Failure::Schedule(error.to_string()),
        }
    }
}

#[pymethods]
impl PyScheduleConstraints {
    /// No constraints on these instances.
    #[staticmethod]
    fn on_domain(domain: UnionSetArg) -> PyScheduleConstraints {
        PyScheduleConstraints(ScheduleConstraints::on_domain(domain.0))
    }

    /// With what is known of the parameters.
    fn set_context(&self, context: SetArg) -> PyResult<PyScheduleConstraints> {
        parameters(context.0.space())?;
        Ok(PyScheduleConstraints(self.0.clone().with_context(context.0)))
    }

    /// With pairs of which the first runs before the second.
    fn set_validity(&self, validity: UnionMapArg) -> PyScheduleConstraints {
        PyScheduleConstraints(self.0.clone().with_validity(validity.0))
    }

    /// With pairs of which the first runs before the second if `condition` has distances. All of
    /// them are kept in order.
    fn set_conditional_validity(&self, condition: UnionMapArg, validity: UnionMapArg) -> PyScheduleConstraints {
        PyScheduleConstraints(self.0.clone().with_conditional_validity(condition.0, validity.0))
    }

    /// With pairs that loops without distances (parallel ones) have in one iteration.
    fn set_coincidence(&self, coincidence: UnionMapArg) -> PyScheduleConstraints {
        PyScheduleConstraints(self.0.clone().with_coincidence(coincidence.0))
    }

    /// With pairs that are to be near each other.
    fn set_proximity(&self, proximity: UnionMapArg) -> PyScheduleConstraints {
        PyScheduleConstraints(self.0.clone().with_proximity(proximity.0))
    }

    /// Below an outer schedule, which orders instances first.
    fn set_prefix(&self, prefix: FunctionsArg) -> PyScheduleConstraints {
        PyScheduleConstraints(self.0.clone().with_prefix(prefix.0))
    }

    /// With one more cost of schedule dimensions: weights times absolute values of coefficients,
    /// which are named by statement and number of the iterator, or `None` for the constant. It
    /// counts after the distances of dependences, or with `first` before them.
    #[pyo3(signature = (terms, *, first=false))]
    fn add_cost(&self, terms: BTreeMap<(String, Option<usize>), u32>, first: bool) -> PyScheduleConstraints {
        let cost = Cost::new(if first { CostOrder::First } else { CostOrder::AfterDistances });
        let cost = terms.into_iter().fold(cost, |cost, ((statement, iterator), weight)| match iterator {
            Some(i) => cost.with_iterator(statement, i, weight),
            None => cost.with_constant(statement, weight),
        });
        PyScheduleConstraints(self.0.clone().with_cost(cost))
    }

    /// The same for the images of the instances, without a prefix and costs.
    fn apply(&self, py: Python<'_>, map: UnionMapArg) -> PyResult<PyScheduleConstraints> {
        run(py, |_| Ok(PyScheduleConstraints(self.0.apply(&map.0))))
    }

    /// The instances.
    fn get_domain(&self) -> PyUnionSet {
        PyUnionSet(self.0.domain().clone())
    }

    /// What is known of the parameters.
    fn get_context(&self) -> PySet {
        PySet(self.0.context().clone())
    }

    /// The pairs of which the first runs before the second.
    fn get_validity(&self) -> PyUnionMap {
        PyUnionMap(self.0.validity().clone())
    }

    /// The pairs that are kept in order if those of the condition have distances.
    fn get_conditional_validity(&self) -> PyUnionMap {
        PyUnionMap(self.0.conditional_validity().clone())
    }

    /// The condition of the conditional validity.
    fn get_conditional_validity_condition(&self) -> PyUnionMap {
        PyUnionMap(self.0.condition().clone())
    }

    /// The pairs that parallel loops have in one iteration.
    fn get_coincidence(&self) -> PyUnionMap {
        PyUnionMap(self.0.coincidence().clone())
    }

    /// The pairs that are to be near each other.
    fn get_proximity(&self) -> PyUnionMap {
        PyUnionMap(self.0.proximity().clone())
    }

    /// A schedule that satisfies the constraints. Members of bands are coincident if they carry no
    /// pair of validity or coincidence.
    ///
    /// `algorithm` is `pluto` or `feautrier`, `fusion` is `max`, `smart` or `none`;
    /// `max_coefficient` is the greatest absolute value of a factor, `max_constant` that of a
    /// constant (any if it is `None`); with `maximize_coincidence`, statements share loops only
    /// where that costs no parallel one; with `outer_coincidence`, a band whose outermost member is
    /// not coincident is replaced by a loop that carries dependences; with `carry_self_first`, such
    /// loops carry those of statements on themselves, if there are any.
    #[pyo3(signature = (*, algorithm="pluto", fusion="smart", max_coefficient=8, max_constant=None, maximize_coincidence=false, outer_coincidence=false, carry_self_first=false))]
    #[allow(clippy::too_many_arguments, reason = "each is a keyword in Python")]
    fn compute_schedule(
        &self,
        py: Python<'_>,
        algorithm: &str,
        fusion: &str,
        max_coefficient: u32,
        max_constant: Option<u32>,
        maximize_coincidence: bool,
        outer_coincidence: bool,
        carry_self_first: bool,
    ) -> PyResult<PySchedule> {
        let options = Options {
            algorithm: algorithm_of(algorithm)?,
            fusion: fusion_of(fusion)?,
            max_coefficient,
            max_constant,
            maximize_coincidence,
            outer_coincidence,
            carry_self_first,
            ..Options::default()
        };
        run(py, |budget| Ok(self.0.compute_schedule(&options, budget)?)).map(PySchedule)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let domain = run(py, |_| Ok(self.0.domain().to_string()))?;
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
