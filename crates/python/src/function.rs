//! Functions: piecewise quasi-affine expressions, tuples of them, and those of several statements.

use poly_arith::{Int, Rational};
use poly_presburger::{Aff, Budget, DimKind, MultiUnionPwAff, PwAff, PwMultiAff, Set, Space, UnionMap, UnionPwAff};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::failure::{Answer, Failure, run};
use crate::map::PyMap;
use crate::methods::UnionMapArg;
use crate::number::{IntArg, Number};
use crate::set::PySet;
use crate::space::{self, PySpace, same_tuples};
use crate::union_map::PyUnionMap;
use crate::union_set::PyUnionSet;

/// The values of dimensions, given in order, and of parameters, given by name, for a domain.
pub(crate) fn arguments(
    domain: &Space,
    dims: &Bound<'_, PyTuple>,
    params: Option<&Bound<'_, PyDict>>,
) -> PyResult<(Vec<Int>, Vec<Int>)> {
    let dims: Vec<Int> =
        dims.iter().map(|value| value.extract::<IntArg>().map(|v| v.0)).collect::<PyResult<Vec<Int>>>()?;
    let wanted = domain.dim(DimKind::Out);
    if dims.len() != wanted {
        return Err(Failure::Value(format!("{domain} has {wanted} dimensions, not {}", dims.len())).into());
    }
    let mut values = Vec::new();
    for id in &domain.params {
        let given = params.map(|all| all.get_item(id.as_str())).transpose()?.flatten();
        let given = given.ok_or_else(|| Failure::Value(format!("the parameter `{id}` has no value")))?;
        values.push(given.extract::<IntArg>()?.0);
    }
    for name in params.map(|all| all.keys()).into_iter().flatten() {
        let name = name.extract::<String>()?;
        if domain.find_param(&name).is_none() {
            return Err(Failure::Value(format!("there is no parameter `{name}`")).into());
        }
    }
    Ok((values, dims))
}

/// What functions have in common: texts and equality.
macro_rules! function_protocol {
    ($class:ident, $value:ident, $name:literal, $text:literal) => {
        impl From<$value> for $class {
            fn from(value: $value) -> $class {
                $class(value)
            }
        }

        #[pymethods]
        impl $class {
            #[doc = concat!("Reads a text in isl's syntax, as `", $text, "`.")]
            #[new]
            fn new(py: Python<'_>, text: String) -> PyResult<$class> {
                run(py, |_| text.parse().map_err(|e| Failure::parse(&text, e))).map($class)
            }

            /// Reads a text in isl's syntax.
            #[staticmethod]
            fn read_from_str(py: Python<'_>, text: String) -> PyResult<$class> {
                $class::new(py, text)
            }

            /// The text in isl's syntax.
            fn to_str(&self, py: Python<'_>) -> PyResult<String> {
                run(py, |_| Ok(self.0.to_string()))
            }

            fn __str__(&self, py: Python<'_>) -> PyResult<String> {
                self.to_str(py)
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                Ok(format!(concat!($name, "({:?})"), self.to_str(py)?))
            }
        }
    };
}

/// A piecewise quasi-affine function.
#[pyclass(name = "PwAff", module = "poly", frozen)]
#[derive(Debug)]
pub(crate) struct PyPwAff(pub(crate) PwAff);

function_protocol!(PyPwAff, PwAff, "PwAff", "[n] -> { [i] -> [(floor(i/2) + n)] : i >= 0 }");

/// A tuple of piecewise quasi-affine functions.
#[pyclass(name = "PwMultiAff", module = "poly", frozen)]
#[derive(Debug)]
pub(crate) struct PyPwMultiAff(pub(crate) PwMultiAff);

function_protocol!(PyPwMultiAff, PwMultiAff, "PwMultiAff", "{ S[i] -> [(i), (i + 1)] : i >= 0 }");

/// A tuple of functions of the instances of several statements.
#[pyclass(name = "MultiUnionPwAff", module = "poly", frozen)]
#[derive(Debug)]
pub(crate) struct PyMultiUnionPwAff(pub(crate) MultiUnionPwAff);

function_protocol!(PyMultiUnionPwAff, MultiUnionPwAff, "MultiUnionPwAff", "[{ S[i] -> [(i)]; T[i] -> [(i + 1)] }]");

#[pymethods]
impl PyPwAff {
    /// The space of the domain.
    fn get_domain_space(&self) -> PySpace {
        PySpace(self.0.domain_space().clone())
    }

    /// Where it is defined.
    fn domain(&self, py: Python<'_>) -> PyResult<PySet> {
        run(py, |_| Ok(self.0.domain())).map(PySet)
    }

    /// Number of pieces.
    fn n_piece(&self) -> usize {
        self.0.n_piece()
    }

    /// The pieces: parts of the domain, with the function on each.
    fn get_pieces(&self, py: Python<'_>) -> PyResult<Vec<(PySet, PyPwAff)>> {
        let piece = |(set, aff): &(Set, Aff)| (PySet(set.clone()), PyPwAff(PwAff::from_aff(aff.clone())));
        run(py, |_| Ok(self.0.pieces().iter().map(piece).collect()))
    }

    /// The value for dimensions in order and parameters by name; `None` outside of the domain.
    #[pyo3(signature = (*dims, **params))]
    fn __call__(
        &self,
        py: Python<'_>,
        dims: &Bound<'_, PyTuple>,
        params: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<Number>> {
        let (params, dims) = arguments(self.0.domain_space(), dims, params)?;
        run(py, |_| Ok(self.0.eval(&params, &dims).map(Number::from)))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyPwAff>) -> PyResult<bool> {
        let other = &other.get().0;
        run(py, |budget| {
            Ok(self.0.domain_space().has_equal_tuples(other.domain_space()) && self.0.is_equal(other, budget)?)
        })
    }
}

#[pymethods]
impl PyPwMultiAff {
    /// The space.
    fn get_space(&self) -> PySpace {
        PySpace(self.0.space().clone())
    }

    /// Where it is defined.
    fn domain(&self, py: Python<'_>) -> PyResult<PySet> {
        run(py, |_| Ok(self.0.domain())).map(PySet)
    }

    /// Number of pieces.
    fn n_piece(&self) -> usize {
        self.0.n_piece()
    }

    /// One of the functions.
    fn get_pw_aff(&self, py: Python<'_>, pos: usize) -> PyResult<PyPwAff> {
        run(py, |_| {
            space::dims(self.0.space(), DimKind::Out, pos, 1)?;
            Ok(self.0.get(pos))
        })
        .map(PyPwAff)
    }

    /// The graph of a function of a tuple.
    fn as_map(&self, py: Python<'_>) -> PyResult<PyMap> {
        run(py, |_| space::relation(self.0.space()).map(|()| self.0.to_map())).map(PyMap)
    }

    /// The values of a function of the parameters alone.
    fn as_set(&self, py: Python<'_>) -> PyResult<PySet> {
        run(py, |_| space::set(self.0.space()).map(|()| self.0.to_set())).map(PySet)
    }

    /// The values for dimensions in order and parameters by name; `None` outside of the domain.
    #[pyo3(signature = (*dims, **params))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        dims: &Bound<'py, PyTuple>,
        params: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let (params, dims) = arguments(&self.0.domain_space(), dims, params)?;
        let values: Option<Vec<Rational>> = run(py, |_| Ok(self.0.eval(&params, &dims)))?;
        values.map(|all| PyTuple::new(py, all.into_iter().map(Number::from).collect::<Vec<_>>())).transpose()
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyPwMultiAff>) -> PyResult<bool> {
        let other = &other.get().0;
        run(py, |budget| Ok(self.0.space().has_equal_tuples(other.space()) && self.0.is_equal(other, budget)?))
    }
}

#[pymethods]
impl PyMultiUnionPwAff {
    /// The function of which a relation is the graph: it is single-valued, and its ranges are all
    /// in one space without a name.
    #[staticmethod]
    fn from_union_map(py: Python<'_>, map: UnionMapArg) -> PyResult<PyMultiUnionPwAff> {
        run(py, |budget| graph(&map.0, budget)).map(PyMultiUnionPwAff)
    }

    /// Number of functions.
    fn size(&self) -> usize {
        self.0.dim()
    }

    /// Where it is defined.
    fn domain(&self, py: Python<'_>) -> PyResult<PyUnionSet> {
        run(py, |_| Ok(self.0.domain())).map(PyUnionSet)
    }

    /// The graph.
    fn as_union_map(&self, py: Python<'_>) -> PyResult<PyUnionMap> {
        run(py, |_| Ok(self.0.to_union_map())).map(PyUnionMap)
    }
}

pub(crate) fn graph(map: &UnionMap, budget: &mut Budget) -> Answer<MultiUnionPwAff> {
    let mut parts: Vec<PwMultiAff> = Vec::new();
    for member in map.iter() {
        if let Some(first) = parts.first() {
            same_tuples(&first.space().range_space(), &member.space().range_space(), "union of the ranges")?;
        }
        if !member.is_single_valued(budget)? {
            return Err(Failure::Value(format!("the relation is not single-valued: {member}")));
        }
        parts.push(PwMultiAff::from_map(member, budget)?);
    }
    let Some(range) = parts.first().and_then(|part| part.space().range.clone()) else {
        return Err(Failure::Value("the relation is empty, so nothing says how many functions there are".to_owned()));
    };
    if range.is_empty() {
        return Ok(MultiUnionPwAff::zero_dim_on(range, map.domain()));
    }
    let member = |i: usize| UnionPwAff::from_members(parts.iter().map(|part| part.get(i)));
    Ok(MultiUnionPwAff::new(range.clone(), (0..range.n()).map(member).collect()))
}

/// Functions that are an argument.
#[derive(Debug)]
pub(crate) struct FunctionsArg(pub(crate) MultiUnionPwAff);

impl<'py> FromPyObject<'_, 'py> for FunctionsArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<FunctionsArg> {
        Ok(FunctionsArg(object.cast::<PyMultiUnionPwAff>()?.get().0.clone()))
    }
}
