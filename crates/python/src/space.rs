//! Spaces, kinds of dimensions, and the checks of both.

use poly_presburger::{DimKind, Id, Space, Tuple};
use pyo3::prelude::*;

use crate::failure::{Answer, Failure, run};

/// Which dimensions are meant. The dimensions of a set are `set`, another name for `out`.
#[pyclass(name = "dim_type", module = "poly", eq, frozen, hash, from_py_object)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum DimType {
    /// Parameters.
    #[pyo3(name = "param")]
    Param,
    /// Dimensions of the domain of a relation.
    #[pyo3(name = "in_")]
    In,
    /// Dimensions of the range of a relation, or of a set.
    #[pyo3(name = "out")]
    Out,
    /// Integer divisions of basic sets and relations.
    #[pyo3(name = "div")]
    Div,
}

#[pymethods]
impl DimType {
    #[classattr]
    #[pyo3(name = "set")]
    fn of_sets() -> DimType {
        DimType::Out
    }
}

impl DimType {
    pub(crate) fn kind(self) -> DimKind {
        match self {
            DimType::Param => DimKind::Param,
            DimType::In => DimKind::In,
            DimType::Out => DimKind::Out,
            DimType::Div => DimKind::Div,
        }
    }
}

/// The parameters and tuples of a set or relation.
#[pyclass(name = "Space", module = "poly", frozen, eq, hash, from_py_object)]
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PySpace(pub(crate) Space);

impl From<Space> for PySpace {
    fn from(space: Space) -> PySpace {
        PySpace(space)
    }
}

/// The name of a dimension, or why there is none.
pub(crate) fn dim_name(space: &Space, kind: DimKind, pos: usize) -> Answer<Option<String>> {
    dims(space, kind, pos, 1)?;
    Ok(space.dim_name(kind, pos).map(ToString::to_string))
}

/// The names of all dimensions of a kind; an unnamed one has none.
pub(crate) fn var_names(space: &Space, kind: DimKind) -> Vec<Option<String>> {
    (0..space.dim(kind)).map(|i| space.dim_name(kind, i).map(ToString::to_string)).collect()
}

#[pymethods]
impl PySpace {
    /// The space of sets with these dimensions, or of relations between `in_` and `out`.
    #[staticmethod]
    #[pyo3(signature = (*, set=None, in_=None, out=None, params=Vec::new()))]
    fn create_from_names(
        set: Option<Vec<String>>,
        in_: Option<Vec<String>>,
        out: Option<Vec<String>>,
        params: Vec<String>,
    ) -> PyResult<PySpace> {
        let tuple = |names: Vec<String>| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            Tuple::with_dims(None, &names)
        };
        let params: Vec<Id> = params.into_iter().map(Id::from).collect();
        distinct(&params)?;
        Ok(PySpace(match (set, in_, out) {
            (Some(set), None, None) => Space::set(params, tuple(set)),
            (None, Some(domain), Some(range)) => Space::map(params, tuple(domain), tuple(range)),
            (None, None, None) => Space::params(params),
            _ => return Err(Failure::Value("a space has `set`, or `in_` and `out`, or neither".to_owned()).into()),
        }))
    }

    /// Number of dimensions of a kind.
    fn dim(&self, r#type: DimType) -> usize {
        self.0.dim(r#type.kind())
    }

    /// The name of a dimension, if it has one.
    fn get_dim_name(&self, r#type: DimType, pos: usize) -> PyResult<Option<String>> {
        Ok(dim_name(&self.0, r#type.kind(), pos)?)
    }

    /// The names of all dimensions of a kind.
    fn get_var_names(&self, r#type: DimType) -> Vec<Option<String>> {
        var_names(&self.0, r#type.kind())
    }

    /// The name of a tuple, if it has one.
    fn get_tuple_name(&self, r#type: DimType) -> Option<String> {
        self.0.tuple_name(r#type.kind()).map(ToString::to_string)
    }

    /// Whether this is the space of parameter sets.
    fn is_params(&self) -> bool {
        self.0.is_params()
    }

    /// Whether this is the space of sets.
    fn is_set(&self) -> bool {
        self.0.is_set()
    }

    /// Whether this is the space of relations.
    fn is_map(&self) -> bool {
        self.0.is_map()
    }

    /// Whether this is the space of sets of pairs.
    fn is_wrapping(&self) -> bool {
        self.0.is_wrapping()
    }

    /// The space of the domain of a relation.
    fn domain(&self) -> PyResult<PySpace> {
        relation(&self.0)?;
        Ok(PySpace(self.0.domain_space()))
    }

    /// The space of the range of a relation.
    fn range(&self) -> PyResult<PySpace> {
        relation(&self.0)?;
        Ok(PySpace(self.0.range_space()))
    }

    /// The space of the parameters.
    fn params(&self) -> PySpace {
        PySpace(self.0.params_space())
    }

    /// The space with domain and range exchanged.
    fn reverse(&self) -> PyResult<PySpace> {
        relation(&self.0)?;
        Ok(PySpace(self.0.reverse()))
    }

    /// The space of the relations of a set with itself.
    fn map_from_set(&self) -> PyResult<PySpace> {
        set(&self.0)?;
        Ok(PySpace(self.0.map_from_set()))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        run(py, |_| Ok(self.0.to_string()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Space({:?})", self.__str__(py)?))
    }
}

fn distinct(names: &[Id]) -> Answer<()> {
    match names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        Some((_, name)) => Err(Failure::Value(format!("there are two parameters `{name}`"))),
        None => Ok(()),
    }
}

fn must(holds: bool, message: impl FnOnce() -> String) -> Answer<()> {
    if holds { Ok(()) } else { Err(Failure::Space(message())) }
}

/// Operands of what needs the same tuples on both sides.
pub(crate) fn same_tuples(a: &Space, b: &Space, what: &str) -> Answer<()> {
    must(a.has_equal_tuples(b), || format!("the {what} of {a} and {b} is not defined"))
}

/// Operands of what needs the same parameters, too.
pub(crate) fn same_space(a: &Space, b: &Space, what: &str) -> Answer<()> {
    must(a == b, || format!("the {what} of {a} and {b} is not defined: align their parameters first"))
}

/// A set of parameter values.
pub(crate) fn parameters(space: &Space) -> Answer<()> {
    must(space.is_params(), || format!("a set of parameter values is wanted, as `[n] -> {{ : n > 0 }}`, not {space}"))
}

/// The space of a set with a tuple.
pub(crate) fn set(space: &Space) -> Answer<()> {
    must(space.is_set(), || format!("{space} is not the space of a set"))
}

/// The space of a relation.
pub(crate) fn relation(space: &Space) -> Answer<()> {
    must(space.is_map(), || format!("{space} is not the space of a relation"))
}

/// A set of pairs.
pub(crate) fn wrapping(space: &Space) -> Answer<()> {
    must(space.is_wrapping(), || format!("{space} is not the space of a set of pairs"))
}

/// A tuple of a relation that is a pair.
pub(crate) fn pair(space: &Space, kind: DimKind) -> Answer<()> {
    let nested = space.tuple(kind).is_some_and(|tuple| tuple.nested.is_some());
    must(nested, || format!("the {} of {space} is not a pair", side(kind)))
}

/// Tuples of two spaces that are the same.
pub(crate) fn meet(a: &Space, kind: DimKind, b: &Space, other: DimKind) -> Answer<()> {
    must(a.tuple_is_equal(kind, b, other), || format!("the {} of {a} is not the {} of {b}", side(kind), side(other)))
}

/// A relation between elements of the same number of dimensions in the same tuple.
pub(crate) fn equal_ends(space: &Space) -> Answer<()> {
    must(space.is_map() && space.domain == space.range, || format!("domain and range of {space} differ"))
}

fn side(kind: DimKind) -> &'static str {
    match kind {
        DimKind::In => "domain",
        DimKind::Out => "range",
        DimKind::Param => "parameters",
        DimKind::Div => "divisions",
    }
}

/// Dimensions that are there.
pub(crate) fn dims(space: &Space, kind: DimKind, first: usize, n: usize) -> Answer<()> {
    let there = space.dim(kind);
    if kind == DimKind::Div {
        return Err(Failure::Value("divisions have no names and no positions of their own".to_owned()));
    }
    match first.checked_add(n) {
        Some(end) if end <= there => Ok(()),
        _ => Err(Failure::Index(format!("{space} has {there} dimensions of this kind, not {n} from {first} on"))),
    }
}

/// A tuple that can be given a name or dimensions.
pub(crate) fn tuple(space: &Space, kind: DimKind) -> Answer<()> {
    must(space.tuple(kind).is_some(), || format!("{space} has no {}", side(kind)))
}

/// Most dimensions that are added at once: a wrong number is to be an exception, and not all of the
/// memory.
const MAX_DIMS: usize = 1000;

/// Dimensions that can be added: to a tuple that is not a pair. Parameters have names, see
/// `align_params`.
pub(crate) fn growable(space: &Space, kind: DimKind, n: usize) -> Answer<()> {
    if n > MAX_DIMS {
        return Err(Failure::Value(format!("at most {MAX_DIMS} dimensions are added at once, not {n}")));
    }
    if kind == DimKind::Param {
        return Err(Failure::Value("parameters have names: use `align_params`".to_owned()));
    }
    tuple(space, kind)?;
    let nested = space.tuple(kind).is_some_and(|tuple| tuple.nested.is_some());
    must(!nested, || format!("the dimensions of a pair in {space} are those of its parts"))
}
