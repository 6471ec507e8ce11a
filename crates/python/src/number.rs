//! Numbers: integers of any size are Python's `int`, others its `fractions.Fraction`.

use poly_arith::{Int, Rational};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt};

/// An integer argument.
#[derive(Debug)]
pub(crate) struct IntArg(pub(crate) Int);

impl<'py> FromPyObject<'_, 'py> for IntArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<IntArg> {
        if object.is_instance_of::<PyBool>() || !object.is_instance_of::<PyInt>() {
            return Err(PyTypeError::new_err(format!("an integer is wanted, not {}", object.get_type())));
        }
        if let Ok(value) = object.extract::<i64>() {
            return Ok(IntArg(value.into()));
        }
        let digits = object.str()?.to_string();
        let value = digits.parse().map_err(|_| PyTypeError::new_err(format!("{digits} is not an integer")))?;
        Ok(IntArg(value))
    }
}

/// A number that is returned.
#[derive(Debug)]
pub(crate) struct Number(Rational);

impl From<Rational> for Number {
    fn from(value: Rational) -> Number {
        Number(value)
    }
}

impl From<Int> for Number {
    fn from(value: Int) -> Number {
        Number(Rational::from(value))
    }
}

fn integer<'py>(value: &Int, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
    match value.to_i64() {
        Some(small) => Ok(small.into_pyobject(py)?.into_any()),
        None => py.get_type::<PyInt>().call1((value.to_string(),)),
    }
}

impl<'py> IntoPyObject<'py> for Number {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numerator = integer(self.0.num(), py)?;
        if self.0.den().is_one() {
            return Ok(numerator);
        }
        py.import("fractions")?.getattr("Fraction")?.call1((numerator, integer(self.0.den(), py)?))
    }
}
