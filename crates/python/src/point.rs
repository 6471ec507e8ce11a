//! Points: the values of parameters and dimensions.

use poly_arith::Int;
use poly_presburger::{DimKind, Set, Space};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::number::Number;
use crate::set::PySet;
use crate::space::{DimType, PySpace, dims};

/// An integer point of a space of sets, with values of the parameters.
#[pyclass(name = "Point", module = "poly", frozen, eq, hash, from_py_object)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PyPoint {
    space: Space,
    /// Parameters, then dimensions.
    values: Vec<Int>,
}

impl PyPoint {
    pub(crate) fn new(space: Space, values: Vec<Int>) -> PyPoint {
        debug_assert_eq!(space.n_var(), values.len(), "a point has all coordinates");
        PyPoint { space, values }
    }

    /// The set of the point alone.
    pub(crate) fn to_set(&self) -> Set {
        let n = self.space.params.len();
        let place = |i: usize| if i < n { (DimKind::Param, i) } else { (DimKind::Out, i - n) };
        let all = Set::universe(self.space.clone());
        self.values.iter().enumerate().fold(all, |set, (i, value)| {
            let (kind, pos) = place(i);
            set.fix(kind, pos, value.clone())
        })
    }

    /// The space of the point.
    pub(crate) fn space(&self) -> &Space {
        &self.space
    }

    /// The value of a parameter, if it has one.
    pub(crate) fn param(&self, name: &str) -> Option<&Int> {
        self.space.find_param(name).map(|i| &self.values[i])
    }

    /// The values of the dimensions.
    pub(crate) fn dims(&self) -> &[Int] {
        &self.values[self.space.params.len()..]
    }
}

#[pymethods]
impl PyPoint {
    /// The space.
    fn get_space(&self) -> PySpace {
        PySpace(self.space.clone())
    }

    /// The value of a parameter or dimension.
    fn get_coordinate_val(&self, r#type: DimType, pos: usize) -> PyResult<Number> {
        dims(&self.space, r#type.kind(), pos, 1)?;
        Ok(Number::from(self.values[self.space.offset(r#type.kind()) - 1 + pos].clone()))
    }

    /// The values of the dimensions.
    #[getter]
    fn coordinates<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.dims().iter().map(|value| Number::from(value.clone())).collect::<Vec<_>>())
    }

    /// The values of the parameters by name.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let result = PyDict::new(py);
        for (name, value) in self.space.params.iter().zip(&self.values) {
            result.set_item(name.to_string(), Number::from(value.clone()))?;
        }
        Ok(result)
    }

    /// The set of the point alone.
    #[pyo3(name = "to_set")]
    fn as_set(&self) -> PySet {
        PySet(self.to_set())
    }

    fn __str__(&self) -> String {
        let params: Vec<String> =
            self.space.params.iter().zip(&self.values).map(|(name, value)| format!("{name} = {value}")).collect();
        let header = if params.is_empty() { String::new() } else { format!("[{}] -> ", params.join(", ")) };
        let dims: Vec<String> = self.dims().iter().map(ToString::to_string).collect();
        match &self.space.range {
            None => format!("{header}{{ : }}"),
            Some(tuple) => format!("{header}{{ {}[{}] }}", tuple.name_str().unwrap_or(""), dims.join(", ")),
        }
    }

    fn __repr__(&self) -> String {
        format!("Point({:?})", self.__str__())
    }
}
