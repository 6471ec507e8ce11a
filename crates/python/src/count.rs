//! Numbers of points, and bounds of functions: piecewise quasi-polynomials and folds.

use poly_arith::{Int, Rational};
use poly_counting::{Cardinality, PwFold, PwQuasiPolynomial, QuasiPolynomial};
use poly_presburger::{Set, Space};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::failure::{Answer, Failure, run};
use crate::function::arguments;
use crate::methods::{SetArg, methods};
use crate::number::{IntArg, Number};
use crate::point::PyPoint;
use crate::set::PySet;
use crate::space::{PySpace, parameters, same_space, same_tuples};

/// A piecewise quasi-polynomial: a polynomial with rational factors in the dimensions of a space
/// and in integer divisions of them, for each part of the space; zero elsewhere.
#[pyclass(name = "PwQPolynomial", module = "poly", frozen)]
#[derive(Debug)]
pub(crate) struct PyPwQPolynomial(pub(crate) PwQuasiPolynomial);

impl From<PwQuasiPolynomial> for PyPwQPolynomial {
    fn from(value: PwQuasiPolynomial) -> PyPwQPolynomial {
        PyPwQPolynomial(value)
    }
}

/// A number of points as a function, if there are nowhere infinitely many.
pub(crate) fn finite(count: Cardinality, space: &Space) -> Answer<PwQuasiPolynomial> {
    match count {
        Cardinality::Constant(value) => {
            let value = QuasiPolynomial::constant(space.clone(), value);
            Ok(PwQuasiPolynomial::on(Set::universe(space.clone()), value))
        }
        Cardinality::Parametric(function) => Ok(function),
        Cardinality::Infinite { domain, .. } => Err(infinite(&domain)),
    }
}

/// A number of points without parameters.
pub(crate) fn number(count: Cardinality) -> Answer<Int> {
    match count {
        Cardinality::Constant(value) => Ok(value),
        Cardinality::Infinite { domain, .. } => Err(infinite(&domain)),
        Cardinality::Parametric(function) => Err(Failure::Value(format!("the number has parameters: {function}"))),
    }
}

fn infinite(domain: &Set) -> Failure {
    Failure::Unbounded(format!("there are infinitely many points for {domain}"))
}

/// Numbers and points in the order of a space.
fn place(space: &Space, point: &PyPoint) -> Answer<Vec<Int>> {
    same_tuples(space, point.space(), "value")?;
    let value = |id: &poly_presburger::Id| {
        let value = point.param(id.as_str()).cloned();
        value.ok_or_else(|| Failure::Value(format!("the parameter `{id}` has no value")))
    };
    let params: Answer<Vec<Int>> = space.params.iter().map(value).collect();
    Ok([params?, point.dims().to_vec()].concat())
}

#[pymethods]
impl PyPwQPolynomial {
    /// Reads a text in isl's syntax, as `[n] -> { [i] -> i^2 + n : 0 <= i < n }`.
    #[new]
    fn new(py: Python<'_>, text: String) -> PyResult<PyPwQPolynomial> {
        run(py, |_| text.parse().map_err(|e| Failure::parse(&text, e))).map(PyPwQPolynomial)
    }

    /// Reads a text in isl's syntax.
    #[staticmethod]
    fn read_from_str(py: Python<'_>, text: String) -> PyResult<PyPwQPolynomial> {
        PyPwQPolynomial::new(py, text)
    }

    /// The text in isl's syntax.
    fn to_str(&self, py: Python<'_>) -> PyResult<String> {
        run(py, |_| Ok(self.0.to_string()))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.to_str(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("PwQPolynomial({:?})", self.to_str(py)?))
    }

    /// The space of the domain.
    fn get_domain_space(&self) -> PySpace {
        PySpace(self.0.space().clone())
    }

    /// Number of pieces.
    fn n_piece(&self) -> usize {
        self.0.pieces().len()
    }

    /// The pieces: disjoint parts of the domain, with the function on each.
    fn get_pieces(&self, py: Python<'_>) -> PyResult<Vec<(PySet, PyPwQPolynomial)>> {
        let piece = |(set, function): &(Set, QuasiPolynomial)| {
            let everywhere = PwQuasiPolynomial::on(Set::universe(set.space().clone()), function.clone());
            (PySet(set.clone()), PyPwQPolynomial(everywhere))
        };
        run(py, |_| Ok(self.0.pieces().iter().map(piece).collect()))
    }

    /// The value at a point.
    fn eval(&self, py: Python<'_>, point: PyPoint) -> PyResult<Number> {
        run(py, |_| Ok(Number::from(self.0.eval(&place(self.0.space(), &point)?))))
    }

    /// The value for dimensions in order and parameters by name.
    #[pyo3(signature = (*dims, **params))]
    fn __call__(
        &self,
        py: Python<'_>,
        dims: &Bound<'_, PyTuple>,
        params: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Number> {
        let (params, dims) = arguments(self.0.space(), dims, params)?;
        run(py, |_| Ok(Number::from(self.0.eval(&[params, dims].concat()))))
    }

    /// The sum over the domain: a function of the parameters.
    fn sum(&self, py: Python<'_>) -> PyResult<PyPwQPolynomial> {
        run(py, |budget| Ok(self.0.sum(budget)?)).map(PyPwQPolynomial)
    }

    /// An upper bound over the domain as a function of the parameters, and whether it is reached;
    /// isl's `bound(isl_fold_max)`.
    fn upper_bound(&self, py: Python<'_>) -> PyResult<(PyPwQPolynomialFold, bool)> {
        let found = run(py, |budget| Ok(self.0.upper_bound(budget)?))?;
        Ok((PyPwQPolynomialFold(found.value), found.exactness.is_exact()))
    }

    /// A lower bound over the domain as a function of the parameters, and whether it is reached;
    /// isl's `bound(isl_fold_min)`.
    fn lower_bound(&self, py: Python<'_>) -> PyResult<(PyPwQPolynomialFold, bool)> {
        let found = run(py, |budget| Ok(self.0.lower_bound(budget)?))?;
        Ok((PyPwQPolynomialFold(found.value), found.exactness.is_exact()))
    }

    fn __eq__(&self, py: Python<'_>, other: Function) -> PyResult<bool> {
        run(py, |budget| {
            if !self.0.space().has_equal_tuples(other.0.space()) {
                return Ok(false);
            }
            same_space(self.0.space(), other.0.space(), "comparison")?;
            Ok(self.0.sub(&other.0, budget)?.vanishes(budget)?)
        })
    }

    fn __add__(&self, py: Python<'_>, other: Function) -> PyResult<PyPwQPolynomial> {
        self.add(py, other)
    }

    fn __sub__(&self, py: Python<'_>, other: Function) -> PyResult<PyPwQPolynomial> {
        self.sub(py, other)
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<PyPwQPolynomial> {
        self.neg(py)
    }

    fn __mul__(&self, py: Python<'_>, other: Factor) -> PyResult<PyPwQPolynomial> {
        run(py, |budget| match other {
            Factor::Number(factor) => Ok(self.0.scale(&factor)),
            Factor::Function(other) => {
                same_space(self.0.space(), other.space(), "product")?;
                Ok(self.0.mul(&other, budget)?)
            }
        })
        .map(PyPwQPolynomial)
    }

    fn __rmul__(&self, py: Python<'_>, other: Factor) -> PyResult<PyPwQPolynomial> {
        self.__mul__(py, other)
    }
}

/// A function that is an argument.
#[derive(Debug)]
struct Function(PwQuasiPolynomial);

impl<'py> FromPyObject<'_, 'py> for Function {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Function> {
        Ok(Function(object.cast::<PyPwQPolynomial>()?.get().0.clone()))
    }
}

/// What a function is multiplied by.
#[derive(Debug)]
enum Factor {
    Number(Rational),
    Function(PwQuasiPolynomial),
}

impl<'py> FromPyObject<'_, 'py> for Factor {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Factor> {
        if let Ok(function) = object.extract::<Function>() {
            return Ok(Factor::Function(function.0));
        }
        let part = |name: &str| object.getattr(name)?.extract::<IntArg>().map(|value| value.0);
        match (part("numerator"), part("denominator")) {
            (Ok(numerator), Ok(denominator)) => Ok(Factor::Number(Rational::new(numerator, denominator))),
            _ => Err(PyTypeError::new_err(format!("a number or function is wanted, not {}", object.get_type()))),
        }
    }
}

methods! { PyPwQPolynomial;
    /// The sum.
    fn add(this, budget, other: Function) -> PyPwQPolynomial {
        same_space(this.space(), other.0.space(), "sum")?;
        this.add(&other.0, budget)?
    }
    /// The difference.
    fn sub(this, budget, other: Function) -> PyPwQPolynomial {
        same_space(this.space(), other.0.space(), "difference")?;
        this.sub(&other.0, budget)?
    }
    /// The product.
    fn mul(this, budget, other: Function) -> PyPwQPolynomial {
        same_space(this.space(), other.0.space(), "product")?;
        this.mul(&other.0, budget)?
    }
    /// The negative.
    fn neg(this, budget) -> PyPwQPolynomial { this.neg() }
    /// Whether the value is zero everywhere.
    fn is_zero(this, budget) -> bool { this.vanishes(budget)? }
    /// The union of the pieces' domains.
    fn domain(this, budget) -> PySet {
        let all = Set::empty(this.space().clone());
        this.pieces().iter().fold(all, |all, (domain, _)| all.union(domain))
    }
    /// The same function on a set, and zero elsewhere.
    fn intersect_domain(this, budget, set: SetArg) -> PyPwQPolynomial {
        same_space(this.space(), set.0.space(), "restriction")?;
        this.intersect_domain(&set.0, budget)?
    }
    /// The same function outside of a set, and zero on it.
    fn subtract_domain(this, budget, set: SetArg) -> PyPwQPolynomial {
        same_space(this.space(), set.0.space(), "restriction")?;
        this.subtract_domain(&set.0, budget)?
    }
    /// The same function for the parameter values of a set, and zero elsewhere.
    fn intersect_params(this, budget, params: SetArg) -> PyPwQPolynomial {
        parameters(params.0.space())?;
        let set = Set::universe(this.space().clone()).intersect_params(&params.0);
        same_space(this.space(), set.space(), "restriction")?;
        this.intersect_domain(&set, budget)?
    }
    /// The same function in as few pieces as are found.
    fn coalesce(this, budget) -> PyPwQPolynomial { this.coalesce(budget)? }
}

/// The largest, or smallest, of several quasi-polynomials for each part of a space.
#[pyclass(name = "PwQPolynomialFold", module = "poly", frozen)]
#[derive(Debug)]
pub(crate) struct PyPwQPolynomialFold(pub(crate) PwFold);

#[pymethods]
impl PyPwQPolynomialFold {
    /// The text in isl's syntax.
    fn to_str(&self, py: Python<'_>) -> PyResult<String> {
        run(py, |_| Ok(self.0.to_string()))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.to_str(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<PwQPolynomialFold {}>", self.to_str(py)?))
    }

    /// `max` or `min`.
    fn get_type(&self) -> &'static str {
        self.0.fold().as_str()
    }

    /// The value for dimensions in order and parameters by name; `None` outside of all pieces.
    #[pyo3(signature = (*dims, **params))]
    fn __call__(
        &self,
        py: Python<'_>,
        dims: &Bound<'_, PyTuple>,
        params: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<Number>> {
        let (params, dims) = arguments(self.0.space(), dims, params)?;
        run(py, |_| Ok(self.0.eval(&[params, dims].concat()).map(Number::from)))
    }
}
