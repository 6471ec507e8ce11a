//! Unions of sets in several spaces.

use poly_counting::Card;
use poly_presburger::{Coalescing, Set, UnionSet};
use pyo3::prelude::*;

use crate::count::{PyPwQPolynomial, finite};
use crate::failure::{Failure, run};
use crate::methods::{SetArg, UnionMapArg, UnionSetArg, methods, value_protocol};
use crate::point::PyPoint;
use crate::set::{PySet, of_a_set};
use crate::space::{PySpace, parameters};
use crate::union_map::PyUnionMap;

/// A union of sets in several spaces.
#[pyclass(name = "UnionSet", module = "poly", frozen, weakref)]
#[derive(Debug)]
pub(crate) struct PyUnionSet(pub(crate) UnionSet);

// Members may be empty, so the spaces say nothing.
value_protocol!(PyUnionSet, UnionSet, UnionSetArg, |_, hasher| 0.hash(hasher));

#[pymethods]
impl PyUnionSet {
    /// The space of the parameters.
    fn get_space(&self) -> PySpace {
        PySpace(self.0.params_space())
    }

    /// The sets, one for each space.
    fn get_sets(&self) -> Vec<PySet> {
        self.0.iter().cloned().map(PySet).collect()
    }

    /// Calls a function with the set of each space.
    fn foreach_set(&self, callback: &Bound<'_, PyAny>) -> PyResult<()> {
        self.get_sets().into_iter().try_for_each(|set| callback.call1((set,)).map(drop))
    }

    /// Number of spaces.
    fn n_set(&self) -> usize {
        self.0.len()
    }

    /// The part in a space.
    fn extract_set(&self, py: Python<'_>, space: PySpace) -> PyResult<PySet> {
        run(py, |_| of_a_set(&space.0).map(|()| self.0.extract(&space.0))).map(PySet)
    }

    fn __and__(&self, py: Python<'_>, other: UnionSetArg) -> PyResult<PyUnionSet> {
        self.intersect(py, other)
    }

    fn __rand__(&self, py: Python<'_>, other: UnionSetArg) -> PyResult<PyUnionSet> {
        self.intersect(py, other)
    }

    fn __or__(&self, py: Python<'_>, other: UnionSetArg) -> PyResult<PyUnionSet> {
        self.union(py, other)
    }

    fn __ror__(&self, py: Python<'_>, other: UnionSetArg) -> PyResult<PyUnionSet> {
        self.union(py, other)
    }

    fn __sub__(&self, py: Python<'_>, other: UnionSetArg) -> PyResult<PyUnionSet> {
        self.subtract(py, other)
    }

    fn __rsub__(&self, py: Python<'_>, other: UnionSetArg) -> PyResult<PyUnionSet> {
        PyUnionSet(other.0).subtract(py, UnionSetArg(self.0.clone()))
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(Failure::Type("a set is neither true nor false: ask `is_empty()`".to_owned()).into())
    }
}

methods! { PyUnionSet;
    /// The points in both.
    fn intersect(this, budget, other: UnionSetArg) -> PyUnionSet { this.intersect(&other.0) }
    /// All points of either.
    fn union(this, budget, other: UnionSetArg) -> PyUnionSet { this.union(&other.0) }
    /// The points here that are not in `other`.
    fn subtract(this, budget, other: UnionSetArg) -> PyUnionSet { this.subtract(&other.0, budget)? }
    /// Whether there is no point.
    fn is_empty(this, budget) -> bool { this.is_empty(budget)? }
    /// Whether both have the same points.
    fn is_equal(this, budget, other: UnionSetArg) -> bool { this.is_equal(&other.0, budget)? }
    /// Whether every point is in `other`.
    fn is_subset(this, budget, other: UnionSetArg) -> bool { this.is_subset(&other.0, budget)? }
    /// Whether every point is in `other`, which has more.
    fn is_strict_subset(this, budget, other: UnionSetArg) -> bool { this.is_strict_subset(&other.0, budget)? }
    /// Whether no point is in both.
    fn is_disjoint(this, budget, other: UnionSetArg) -> bool { this.is_disjoint(&other.0, budget)? }
    /// The same points in as few basic sets as are found.
    fn coalesce(this, budget) -> PyUnionSet { this.coalesce_with(Coalescing::Hulls, budget)? }
    /// A simpler union with the same points inside of the context.
    fn gist(this, budget, context: UnionSetArg) -> PyUnionSet { this.gist(&context.0, budget)? }
    /// A simpler union with the same points for the parameter values of the context.
    fn gist_params(this, budget, context: SetArg) -> PyUnionSet {
        parameters(context.0.space())?;
        this.gist_params(&context.0, budget)?
    }
    /// The images of the points.
    fn apply(this, budget, map: UnionMapArg) -> PyUnionSet { this.apply(&map.0) }
    /// Each point, related to itself.
    fn identity(this, budget) -> PyUnionMap { this.identity() }
    /// The relations of which members are sets of pairs.
    fn unwrap(this, budget) -> PyUnionMap { this.unwrap() }
    /// All points of the spaces.
    fn universe(this, budget) -> PyUnionSet { this.universe() }
    /// The parameter values for which there is a point.
    fn params(this, budget) -> PySet { this.params() }
    /// The part for the parameter values of a set of them.
    fn intersect_params(this, budget, params: SetArg) -> PyUnionSet {
        parameters(params.0.space())?;
        this.intersect_params(&params.0)
    }
    /// The union without a parameter: there is a value for it.
    fn project_out_param(this, budget, name: String) -> PyUnionSet { this.project_out_param(&name) }
    /// The lexicographically smallest point of each space.
    fn lexmin(this, budget) -> PyUnionSet { this.lexmin(budget)? }
    /// The lexicographically largest point of each space.
    fn lexmax(this, budget) -> PyUnionSet { this.lexmax(budget)? }
    /// One of the points, or `None` if there is none.
    fn sample_point(this, budget) -> Option<PyPoint> {
        let found: Option<(&Set, Vec<poly_arith::Int>)> = this.sample(budget)?;
        found.map(|(member, values)| PyPoint::new(member.space().clone(), values))
    }
    /// The number of points of all spaces together, as a function of the parameters.
    fn card(this, budget) -> PyPwQPolynomial { finite(this.card(budget)?, &this.params_space())? }
    /// From every point to every point of another union.
    fn to_union_map(this, budget, range: UnionSetArg) -> PyUnionMap { this.to_map(&range.0) }
    /// The pairs of a point here and a lexicographically larger one in `other`.
    fn lex_lt_union_set(this, budget, other: UnionSetArg) -> PyUnionMap { this.lex_lt_pairs(&other.0) }
    /// The pairs of a point here and an equal or lexicographically larger one in `other`.
    fn lex_le_union_set(this, budget, other: UnionSetArg) -> PyUnionMap { this.lex_le_pairs(&other.0) }
    /// The pairs of a point here and a lexicographically smaller one in `other`.
    fn lex_gt_union_set(this, budget, other: UnionSetArg) -> PyUnionMap { this.lex_gt_pairs(&other.0) }
    /// The pairs of a point here and an equal or lexicographically smaller one in `other`.
    fn lex_ge_union_set(this, budget, other: UnionSetArg) -> PyUnionMap { this.lex_ge_pairs(&other.0) }
    /// A box with constant bounds around the points of each space.
    fn box_hull(this, budget) -> PyUnionSet { this.box_hull(budget)? }
    /// The smallest affine lattice around the points of each space.
    fn affine_hull(this, budget) -> PyUnionSet { this.affine_hull(budget)? }
    /// The same union over its parameters and those of another space.
    fn align_params(this, budget, model: PySpace) -> PyUnionSet { this.align_params(&model.0) }
}
