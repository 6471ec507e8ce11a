//! Basic sets and relations: one conjunction of constraints. Their classes are subclasses of `Set`
//! and `Map`.

use std::sync::Arc;

use poly_presburger::{BasicMap, BasicSet, ConstraintKind, Map, Row, Set};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::{Failure, run};
use crate::map::PyMap;
use crate::number::Number;
use crate::set::PySet;
use crate::space::{DimType, PySpace, dims};

/// A set of integer tuples that one conjunction of affine constraints describes.
#[pyclass(name = "BasicSet", module = "poly", frozen, extends = PySet)]
#[derive(Debug)]
pub(crate) struct PyBasicSet(BasicSet);

/// A relation that one conjunction of affine constraints describes.
#[pyclass(name = "BasicMap", module = "poly", frozen, extends = PyMap)]
#[derive(Debug)]
pub(crate) struct PyBasicMap(BasicMap);

/// A basic set that is returned.
#[derive(Debug)]
pub(crate) struct BasicSetOut(pub(crate) BasicSet);

/// A basic relation that is returned.
#[derive(Debug)]
pub(crate) struct BasicMapOut(pub(crate) BasicMap);

/// Conversions of what is returned to the class and its base class.
macro_rules! with_base {
    ($out:ident, $value:ident, $class:ident, $base:ident, $wide:ident) => {
        impl From<$value> for $out {
            fn from(value: $value) -> $out {
                $out(value)
            }
        }

        impl $out {
            fn parts(self) -> PyClassInitializer<$class> {
                PyClassInitializer::from($base($wide::from(self.0.clone()))).add_subclass($class(self.0))
            }
        }

        impl<'py> IntoPyObject<'py> for $out {
            type Target = $class;
            type Output = Bound<'py, $class>;
            type Error = PyErr;

            fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, $class>> {
                Bound::new(py, self.parts())
            }
        }

        #[pymethods]
        impl $class {
            /// Reads a text in isl's syntax.
            #[new]
            fn new(py: Python<'_>, text: String) -> PyResult<PyClassInitializer<$class>> {
                let read = |_: &mut poly_presburger::Budget| text.parse().map_err(|e| Failure::parse(&text, e));
                run(py, read).map(|value| $out(value).parts())
            }

            /// Reads a text in isl's syntax.
            #[staticmethod]
            fn read_from_str(py: Python<'_>, text: String) -> PyResult<$out> {
                let read = |_: &mut poly_presburger::Budget| text.parse().map_err(|e| Failure::parse(&text, e));
                run(py, read).map($out)
            }

            /// The constraints, without those that define integer divisions.
            fn get_constraints(&self) -> Vec<PyConstraint> {
                constraints(&self.0)
            }

            /// Calls a function with each constraint.
            fn foreach_constraint(&self, callback: &Bound<'_, PyAny>) -> PyResult<()> {
                constraints(&self.0).into_iter().try_for_each(|one| callback.call1((one,)).map(drop))
            }

            /// Number of integer divisions.
            fn n_div(&self) -> usize {
                self.0.n_div()
            }
        }
    };
}
with_base!(BasicSetOut, BasicSet, PyBasicSet, PySet, Set);
with_base!(BasicMapOut, BasicMap, PyBasicMap, PyMap, Map);

#[pymethods]
impl PyBasicSet {
    /// The same as a set.
    fn to_set(&self) -> PySet {
        PySet(Set::from(self.0.clone()))
    }
}

#[pymethods]
impl PyBasicMap {
    /// The same as a relation.
    fn to_map(&self) -> PyMap {
        PyMap(Map::from(self.0.clone()))
    }
}

/// An affine constraint: an expression that is zero, or not negative.
#[pyclass(name = "Constraint", module = "poly", frozen)]
#[derive(Debug)]
pub(crate) struct PyConstraint {
    of: Arc<BasicMap>,
    kind: ConstraintKind,
    row: Row,
}

fn constraints(basic: &BasicMap) -> Vec<PyConstraint> {
    let of = Arc::new(basic.clone());
    let all = of.constraints().map(|constraint| (constraint.kind, constraint.row.to_vec())).collect::<Vec<_>>();
    all.into_iter().map(|(kind, row)| PyConstraint { of: Arc::clone(&of), kind, row }).collect()
}

#[pymethods]
impl PyConstraint {
    /// Whether the expression is zero; otherwise it is not negative.
    fn is_equality(&self) -> bool {
        self.kind == ConstraintKind::Eq
    }

    /// The constant of the expression.
    fn get_constant_val(&self) -> Number {
        Number::from(self.row[0].clone())
    }

    /// The factor of a dimension in the expression.
    fn get_coefficient_val(&self, r#type: DimType, pos: usize) -> PyResult<Number> {
        let kind = r#type.kind();
        if r#type != DimType::Div {
            dims(self.of.space(), kind, pos, 1)?;
        } else if pos >= self.of.n_div() {
            return Err(Failure::Index(format!("there are {} divisions", self.of.n_div())).into());
        }
        Ok(Number::from(self.row[self.of.column(kind, pos)].clone()))
    }

    /// The factors other than zero of the dimensions that have names, and the constant under the
    /// key 1.
    fn get_coefficients_by_name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let result = PyDict::new(py);
        for kind in [DimType::Param, DimType::In, DimType::Out] {
            for pos in 0..self.of.dim(kind.kind()) {
                let factor = &self.row[self.of.column(kind.kind(), pos)];
                if let Some(name) = self.of.space().dim_name(kind.kind(), pos).filter(|_| !factor.is_zero()) {
                    result.set_item(name.to_string(), Number::from(factor.clone()))?;
                }
            }
        }
        if !self.row[0].is_zero() {
            result.set_item(1, self.get_constant_val())?;
        }
        Ok(result)
    }

    /// The space.
    fn get_space(&self) -> PySpace {
        PySpace(self.of.space().clone())
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        run(py, |_| {
            let mut alone = BasicMap::new(self.of.space().clone());
            for div in self.of.divs() {
                match div {
                    Some(div) => alone.add_div(div.denom.clone(), div.num[..alone.n_col()].to_vec()),
                    None => alone.add_unknown_div(),
                };
            }
            if self.is_equality() {
                alone.add_eq(self.row.clone());
            } else {
                alone.add_ineq(self.row.clone());
            }
            Ok(if alone.space().is_map() { alone.to_string() } else { alone.into_basic_set().to_string() })
        })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Constraint({:?})", self.__str__(py)?))
    }
}
