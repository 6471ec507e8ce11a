//! Unions of relations in several spaces.

use poly_counting::union_map_card;
use poly_presburger::{Coalescing, UnionMap};
use pyo3::prelude::*;

use crate::count::{PyPwQPolynomial, finite};
use crate::failure::{Failure, run};
use crate::map::PyMap;
use crate::methods::{SetArg, UnionMapArg, UnionSetArg, methods, value_protocol};
use crate::set::PySet;
use crate::space::{PySpace, parameters, relation};
use crate::union_set::PyUnionSet;

/// A union of relations in several spaces.
#[pyclass(name = "UnionMap", module = "poly", frozen, weakref)]
#[derive(Debug)]
pub(crate) struct PyUnionMap(pub(crate) UnionMap);

// Members may be empty, so the spaces say nothing.
value_protocol!(PyUnionMap, UnionMap, UnionMapArg, |_, hasher| 0.hash(hasher));

#[pymethods]
impl PyUnionMap {
    /// The space of the parameters.
    fn get_space(&self) -> PySpace {
        PySpace(self.0.params_space())
    }

    /// The relations, one for each space.
    fn get_maps(&self) -> Vec<PyMap> {
        self.0.iter().cloned().map(PyMap).collect()
    }

    /// Calls a function with the relation of each space.
    fn foreach_map(&self, callback: &Bound<'_, PyAny>) -> PyResult<()> {
        self.get_maps().into_iter().try_for_each(|map| callback.call1((map,)).map(drop))
    }

    /// Number of spaces.
    fn n_map(&self) -> usize {
        self.0.len()
    }

    /// The part in a space.
    fn extract_map(&self, py: Python<'_>, space: PySpace) -> PyResult<PyMap> {
        run(py, |_| relation(&space.0).map(|()| self.0.extract(&space.0))).map(PyMap)
    }

    /// The pairs that one or more steps connect, and whether they are exact; if not, there may be
    /// too many.
    fn transitive_closure(&self, py: Python<'_>) -> PyResult<(PyUnionMap, bool)> {
        let found = run(py, |budget| Ok(self.0.transitive_closure(budget)?))?;
        Ok((PyUnionMap(found.value), found.exactness.is_exact()))
    }

    /// The number of images as functions of parameters and domain, one for each space of domains.
    fn card(&self, py: Python<'_>) -> PyResult<Vec<PyPwQPolynomial>> {
        run(py, |budget| {
            let all = union_map_card(&self.0, budget)?;
            all.into_iter().map(|(space, count)| finite(count, &space).map(PyPwQPolynomial)).collect()
        })
    }

    fn __and__(&self, py: Python<'_>, other: UnionMapArg) -> PyResult<PyUnionMap> {
        self.intersect(py, other)
    }

    fn __rand__(&self, py: Python<'_>, other: UnionMapArg) -> PyResult<PyUnionMap> {
        self.intersect(py, other)
    }

    fn __or__(&self, py: Python<'_>, other: UnionMapArg) -> PyResult<PyUnionMap> {
        self.union(py, other)
    }

    fn __ror__(&self, py: Python<'_>, other: UnionMapArg) -> PyResult<PyUnionMap> {
        self.union(py, other)
    }

    fn __sub__(&self, py: Python<'_>, other: UnionMapArg) -> PyResult<PyUnionMap> {
        self.subtract(py, other)
    }

    fn __rsub__(&self, py: Python<'_>, other: UnionMapArg) -> PyResult<PyUnionMap> {
        PyUnionMap(other.0).subtract(py, UnionMapArg(self.0.clone()))
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(Failure::Type("a relation is neither true nor false: ask `is_empty()`".to_owned()).into())
    }
}

methods! { PyUnionMap;
    /// The pairs in both.
    fn intersect(this, budget, other: UnionMapArg) -> PyUnionMap { this.intersect(&other.0) }
    /// All pairs of either.
    fn union(this, budget, other: UnionMapArg) -> PyUnionMap { this.union(&other.0) }
    /// The pairs here that are not in `other`.
    fn subtract(this, budget, other: UnionMapArg) -> PyUnionMap { this.subtract(&other.0, budget)? }
    /// Whether there is no pair.
    fn is_empty(this, budget) -> bool { this.is_empty(budget)? }
    /// Whether both have the same pairs.
    fn is_equal(this, budget, other: UnionMapArg) -> bool { this.is_equal(&other.0, budget)? }
    /// Whether every pair is in `other`.
    fn is_subset(this, budget, other: UnionMapArg) -> bool { this.is_subset(&other.0, budget)? }
    /// Whether every pair is in `other`, which has more.
    fn is_strict_subset(this, budget, other: UnionMapArg) -> bool { this.is_strict_subset(&other.0, budget)? }
    /// Whether no pair is in both.
    fn is_disjoint(this, budget, other: UnionMapArg) -> bool { this.is_disjoint(&other.0, budget)? }
    /// Whether no element of the domain has two images.
    fn is_single_valued(this, budget) -> bool { this.is_single_valued(budget)? }
    /// Whether no two elements of the domain share an image.
    fn is_injective(this, budget) -> bool { this.is_injective(budget)? }
    /// Whether it is single-valued and injective.
    fn is_bijective(this, budget) -> bool { this.is_bijective(budget)? }
    /// Domain and range exchanged.
    fn reverse(this, budget) -> PyUnionMap { this.reverse() }
    /// The elements that are related to something.
    fn domain(this, budget) -> PyUnionSet { this.domain() }
    /// The elements that something is related to.
    fn range(this, budget) -> PyUnionSet { this.range() }
    /// The parameter values for which there is a pair.
    fn params(this, budget) -> PySet { this.params() }
    /// `x -> z` for `x -> y` here and `y -> z` in `other`.
    fn apply_range(this, budget, other: UnionMapArg) -> PyUnionMap { this.apply_range(&other.0) }
    /// `y -> z` for `x -> z` here and `x -> y` in `other`.
    fn apply_domain(this, budget, other: UnionMapArg) -> PyUnionMap { this.apply_domain(&other.0) }
    /// The part whose domain is in a set.
    fn intersect_domain(this, budget, set: UnionSetArg) -> PyUnionMap { this.intersect_domain(&set.0) }
    /// The part whose range is in a set.
    fn intersect_range(this, budget, set: UnionSetArg) -> PyUnionMap { this.intersect_range(&set.0) }
    /// The part for the parameter values of a set of them.
    fn intersect_params(this, budget, params: SetArg) -> PyUnionMap {
        parameters(params.0.space())?;
        this.intersect_params(&params.0)
    }
    /// The part whose domain is outside of a set.
    fn subtract_domain(this, budget, set: UnionSetArg) -> PyUnionMap { this.subtract_domain(&set.0, budget)? }
    /// The part whose range is outside of a set.
    fn subtract_range(this, budget, set: UnionSetArg) -> PyUnionMap { this.subtract_range(&set.0, budget)? }
    /// A simpler union with the same pairs inside of the context.
    fn gist(this, budget, context: UnionMapArg) -> PyUnionMap { this.gist(&context.0, budget)? }
    /// A simpler union with the same pairs for the domain of the context.
    fn gist_domain(this, budget, context: UnionSetArg) -> PyUnionMap { this.gist_domain(&context.0, budget)? }
    /// A simpler union with the same pairs for the range of the context.
    fn gist_range(this, budget, context: UnionSetArg) -> PyUnionMap { this.gist_range(&context.0, budget)? }
    /// A simpler union with the same pairs for the parameter values of the context.
    fn gist_params(this, budget, context: SetArg) -> PyUnionMap {
        parameters(context.0.space())?;
        this.gist_params(&context.0, budget)?
    }
    /// The differences `y - x` of all `x -> y` in one space.
    fn deltas(this, budget) -> PyUnionSet {
        this.filter(|map| map.space().domain == map.space().range).deltas()
    }
    /// `[x -> y] -> y - x` for all `x -> y` in one space.
    fn deltas_map(this, budget) -> PyUnionMap { this.deltas_map() }
    /// The set of pairs.
    fn wrap(this, budget) -> PyUnionSet { this.wrap() }
    /// `[x -> y] -> x` for all `x -> y`.
    fn domain_map(this, budget) -> PyUnionMap { this.domain_map() }
    /// `[x -> y] -> y` for all `x -> y`.
    fn range_map(this, budget) -> PyUnionMap { this.range_map() }
    /// `A -> [B -> C]` of the members `[A -> B] -> C`.
    fn curry(this, budget) -> PyUnionMap { this.curry() }
    /// `[A -> B] -> C` of the members `A -> [B -> C]`.
    fn uncurry(this, budget) -> PyUnionMap { this.uncurry() }
    /// `[A -> C] -> [B -> D]` of the members `[A -> B] -> [C -> D]`.
    fn zip(this, budget) -> PyUnionMap { this.zip() }
    /// `[A -> C] -> [B -> D]` of `A -> B` and `C -> D`.
    fn product(this, budget, other: UnionMapArg) -> PyUnionMap { this.product(&other.0) }
    /// `A -> [B -> C]` of `A -> B` and `A -> C`.
    fn range_product(this, budget, other: UnionMapArg) -> PyUnionMap { this.range_product(&other.0) }
    /// The same with a tuple that is no pair.
    fn flat_range_product(this, budget, other: UnionMapArg) -> PyUnionMap { this.flat_range_product(&other.0) }
    /// `[A -> B] -> C` of `A -> C` and `B -> C`.
    fn domain_product(this, budget, other: UnionMapArg) -> PyUnionMap { this.domain_product(&other.0) }
    /// `A -> B` of the members `A -> [B -> C]`.
    fn range_factor_domain(this, budget) -> PyUnionMap { this.range_factor_domain() }
    /// `A -> C` of the members `A -> [B -> C]`.
    fn range_factor_range(this, budget) -> PyUnionMap { this.range_factor_range() }
    /// `A -> C` of the members `[A -> B] -> C`.
    fn domain_factor_domain(this, budget) -> PyUnionMap { this.domain_factor_domain() }
    /// `B -> C` of the members `[A -> B] -> C`.
    fn domain_factor_range(this, budget) -> PyUnionMap { this.domain_factor_range() }
    /// All pairs of the spaces.
    fn universe(this, budget) -> PyUnionMap { this.universe() }
    /// The same pairs in as few basic relations as are found.
    fn coalesce(this, budget) -> PyUnionMap { this.coalesce_with(Coalescing::Hulls, budget)? }
    /// The same pairs with a definition for each existential dimension.
    fn compute_divs(this, budget) -> PyUnionMap { this.compute_divs(budget)? }
    /// The lexicographically smallest image of each element, for each space of images.
    fn lexmin(this, budget) -> PyUnionMap { this.lexmin(budget)? }
    /// The lexicographically largest image of each element, for each space of images.
    fn lexmax(this, budget) -> PyUnionMap { this.lexmax(budget)? }
    /// The union without a parameter: there is a value for it.
    fn project_out_param(this, budget, name: String) -> PyUnionMap { this.project_out_param(&name) }
    /// The smallest affine lattice around the pairs of each space.
    fn affine_hull(this, budget) -> PyUnionMap { this.affine_hull(budget)? }
    /// The same union over its parameters and those of another space.
    fn align_params(this, budget, model: PySpace) -> PyUnionMap { this.align_params(&model.0) }
}
