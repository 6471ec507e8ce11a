//! Dependences from accesses: `poly_dependence::UnionAccessInfo`.

use poly_dependence::{FlowError, UnionAccessInfo, UnionFlow};
use pyo3::prelude::*;

use crate::failure::{Failure, run};
use crate::methods::UnionMapArg;
use crate::schedule::PySchedule;
use crate::union_map::PyUnionMap;

/// Accesses and the order of their instances.
#[pyclass(name = "UnionAccessInfo", module = "poly", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct PyUnionAccessInfo(UnionAccessInfo);

/// What reads see.
#[pyclass(name = "UnionFlow", module = "poly", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct PyUnionFlow(UnionFlow);

impl From<FlowError> for Failure {
    fn from(error: FlowError) -> Failure {
        match error {
            FlowError::Stop => Failure::Budget,
            error => Failure::Value(error.to_string()),
        }
    }
}

#[pymethods]
impl PyUnionAccessInfo {
    /// Reads, without writes and without an order.
    #[staticmethod]
    fn from_sink(sink: UnionMapArg) -> PyUnionAccessInfo {
        PyUnionAccessInfo(UnionAccessInfo::from_sink(sink.0))
    }

    /// With writes that certainly happen.
    fn set_must_source(&self, must_source: UnionMapArg) -> PyUnionAccessInfo {
        PyUnionAccessInfo(self.0.clone().with_must_source(must_source.0))
    }

    /// With writes that may happen.
    fn set_may_source(&self, may_source: UnionMapArg) -> PyUnionAccessInfo {
        PyUnionAccessInfo(self.0.clone().with_may_source(may_source.0))
    }

    /// With elements whose values are not used after the instance.
    fn set_kill(&self, kill: UnionMapArg) -> PyUnionAccessInfo {
        PyUnionAccessInfo(self.0.clone().with_kill(kill.0))
    }

    /// In the order of a tree.
    fn set_schedule(&self, py: Python<'_>, schedule: &Bound<'_, PySchedule>) -> PyResult<PyUnionAccessInfo> {
        let tree = &schedule.get().0;
        run(py, |_| Ok(PyUnionAccessInfo(self.0.clone().with_schedule(tree))))
    }

    /// In the lexicographic order of the images.
    fn set_schedule_map(&self, schedule_map: UnionMapArg) -> PyUnionAccessInfo {
        PyUnionAccessInfo(self.0.clone().with_schedule_map(schedule_map.0))
    }

    /// What the reads see.
    fn compute_flow(&self, py: Python<'_>) -> PyResult<PyUnionFlow> {
        run(py, |budget| Ok(PyUnionFlow(self.0.compute_flow(budget)?)))
    }
}

#[pymethods]
impl PyUnionFlow {
    /// From the writes to the reads that are certain to see them.
    fn get_must_dependence(&self, py: Python<'_>) -> PyResult<PyUnionMap> {
        run(py, |_| Ok(PyUnionMap(self.0.must_dependence())))
    }

    /// From the writes to the reads that may see them.
    fn get_may_dependence(&self, py: Python<'_>) -> PyResult<PyUnionMap> {
        run(py, |_| Ok(PyUnionMap(self.0.may_dependence())))
    }

    /// From the writes to the reads, wrapped with the element, that are certain to see them.
    fn get_full_must_dependence(&self) -> PyUnionMap {
        PyUnionMap(self.0.full_must_dependence.clone())
    }

    /// From the writes to the reads, wrapped with the element, that may see them.
    fn get_full_may_dependence(&self) -> PyUnionMap {
        PyUnionMap(self.0.full_may_dependence.clone())
    }

    /// The reads that no write reaches.
    fn get_must_no_source(&self) -> PyUnionMap {
        PyUnionMap(self.0.must_no_source.clone())
    }

    /// The reads that may see what was there before the program began, or nothing after a kill.
    fn get_may_no_source(&self) -> PyUnionMap {
        PyUnionMap(self.0.may_no_source.clone())
    }
}
