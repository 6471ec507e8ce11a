//! Relations: unions of basic relations between two tuples.

use poly_counting::Card;
use poly_presburger::{Coalescing, DimKind, Id, Map, Space};
use pyo3::prelude::*;

use crate::basic::BasicMapOut;
use crate::count::{PyPwQPolynomial, finite};
use crate::failure::{Answer, Failure, run};
use crate::function::{PyPwAff, PyPwMultiAff};
use crate::methods::{MapArg, SetArg, methods, value_protocol};
use crate::number::IntArg;
use crate::picture;
use crate::set::{PySet, renamed};
use crate::space::{self, DimType, PySpace, dims, equal_ends, growable, meet, pair, parameters, same_tuples};

/// A relation between integer tuples of two spaces: a union of basic relations.
#[pyclass(name = "Map", module = "poly", frozen, weakref, subclass)]
#[derive(Debug)]
pub(crate) struct PyMap(pub(crate) Map);

value_protocol!(PyMap, Map, MapArg, |map, hasher| (&map.space().domain, &map.space().range).hash(hasher));

#[pymethods]
impl PyMap {
    /// The relation without pairs.
    #[staticmethod]
    fn empty(space: PySpace) -> PyResult<PyMap> {
        space::relation(&space.0)?;
        Ok(PyMap(Map::empty(space.0)))
    }

    /// The relation of all pairs.
    #[staticmethod]
    fn universe(space: PySpace) -> PyResult<PyMap> {
        space::relation(&space.0)?;
        Ok(PyMap(Map::universe(space.0)))
    }

    /// Each element, related to itself.
    #[staticmethod]
    fn identity(py: Python<'_>, space: PySpace) -> PyResult<PyMap> {
        run(py, |_| equal_ends(&space.0).map(|()| Map::identity(&space.0.range_space()))).map(PyMap)
    }

    /// From every point of one set to every point of another one.
    #[staticmethod]
    fn from_domain_and_range(py: Python<'_>, domain: SetArg, range: SetArg) -> PyResult<PyMap> {
        run(py, |_| {
            space::set(domain.0.space()).and(space::set(range.0.space()))?;
            Ok(domain.0.to_map(&range.0))
        })
        .map(PyMap)
    }

    /// From each point of a space of sets to the lexicographically larger ones.
    #[staticmethod]
    fn lex_lt(py: Python<'_>, set_space: PySpace) -> PyResult<PyMap> {
        order_of(py, &set_space.0, Map::lex_lt)
    }

    /// From each point of a space of sets to itself and the lexicographically larger ones.
    #[staticmethod]
    fn lex_le(py: Python<'_>, set_space: PySpace) -> PyResult<PyMap> {
        order_of(py, &set_space.0, Map::lex_le)
    }

    /// From each point of a space of sets to the lexicographically smaller ones.
    #[staticmethod]
    fn lex_gt(py: Python<'_>, set_space: PySpace) -> PyResult<PyMap> {
        order_of(py, &set_space.0, Map::lex_gt)
    }

    /// From each point of a space of sets to itself and the lexicographically smaller ones.
    #[staticmethod]
    fn lex_ge(py: Python<'_>, set_space: PySpace) -> PyResult<PyMap> {
        order_of(py, &set_space.0, Map::lex_ge)
    }

    /// The space.
    fn get_space(&self) -> PySpace {
        PySpace(self.0.space().clone())
    }

    /// The space.
    #[getter(space)]
    fn space_property(&self) -> PySpace {
        self.get_space()
    }

    /// Number of dimensions of a kind.
    fn dim(&self, r#type: DimType) -> usize {
        self.0.dim(r#type.kind())
    }

    /// The name of a dimension, if it has one.
    fn get_dim_name(&self, r#type: DimType, pos: usize) -> PyResult<Option<String>> {
        Ok(space::dim_name(self.0.space(), r#type.kind(), pos)?)
    }

    /// The names of all dimensions of a kind.
    fn get_var_names(&self, r#type: DimType) -> Vec<Option<String>> {
        space::var_names(self.0.space(), r#type.kind())
    }

    /// The name of a tuple, if it has one.
    fn get_tuple_name(&self, r#type: DimType) -> Option<String> {
        self.0.space().tuple_name(r#type.kind()).map(ToString::to_string)
    }

    /// The basic relations whose union this is.
    fn get_basic_maps(&self) -> Vec<BasicMapOut> {
        self.0.basics().iter().map(|basic| BasicMapOut((**basic).clone())).collect()
    }

    /// Calls a function with each basic relation.
    fn foreach_basic_map(&self, callback: &Bound<'_, PyAny>) -> PyResult<()> {
        self.get_basic_maps().into_iter().try_for_each(|basic| callback.call1((basic,)).map(drop))
    }

    /// Number of basic relations.
    fn n_basic_map(&self) -> usize {
        self.0.n_basic()
    }

    /// The pairs that one or more steps connect, and whether they are exact; if not, there may be
    /// too many.
    fn transitive_closure(&self, py: Python<'_>) -> PyResult<(PyMap, bool)> {
        let found = run(py, |budget| Ok(self.0.transitive_closure(budget)?))?;
        Ok((PyMap(found.value), found.exactness.is_exact()))
    }

    /// `[k] -> [x -> y]` for all pairs that `k` steps connect, `k` from 1 on, and whether that is
    /// exact.
    fn power(&self, py: Python<'_>) -> PyResult<(PyMap, bool)> {
        let found = run(py, |budget| Ok(self.0.power(budget)?))?;
        Ok((PyMap(found.value), found.exactness.is_exact()))
    }

    /// The numbers of steps that connect some pair, and whether they are exact.
    fn reaching_path_lengths(&self, py: Python<'_>) -> PyResult<(PySet, bool)> {
        let found = run(py, |budget| Ok(self.0.reaching_path_lengths(budget)?))?;
        Ok((PySet(found.value), found.exactness.is_exact()))
    }

    /// A picture, for notebooks; `None` for relations between tuples of more than two dimensions,
    /// or three if they are of one space.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<Option<String>> {
        run(py, |_| Ok(picture::of_map(&self.0)))
    }

    fn __and__(&self, py: Python<'_>, other: MapArg) -> PyResult<PyMap> {
        self.intersect(py, other)
    }

    fn __or__(&self, py: Python<'_>, other: MapArg) -> PyResult<PyMap> {
        self.union(py, other)
    }

    fn __sub__(&self, py: Python<'_>, other: MapArg) -> PyResult<PyMap> {
        self.subtract(py, other)
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(Failure::Type("a relation is neither true nor false: ask `is_empty()`".to_owned()).into())
    }
}

fn order_of(py: Python<'_>, set_space: &Space, order: fn(&Space) -> Map) -> PyResult<PyMap> {
    run(py, |_| space::set(set_space).map(|()| order(set_space))).map(PyMap)
}

methods! { PyMap;
    /// The pairs in both.
    fn intersect(this, budget, other: MapArg) -> PyMap {
        same_tuples(this.space(), other.0.space(), "intersection")?;
        this.intersect(&other.0)
    }
    /// All pairs of either.
    fn union(this, budget, other: MapArg) -> PyMap {
        same_tuples(this.space(), other.0.space(), "union")?;
        this.union(&other.0)
    }
    /// The pairs here that are not in `other`.
    fn subtract(this, budget, other: MapArg) -> PyMap {
        same_tuples(this.space(), other.0.space(), "difference")?;
        this.subtract(&other.0, budget)?
    }
    /// All other pairs of the space.
    fn complement(this, budget) -> PyMap { this.complement(budget)? }
    /// Whether there is no pair.
    fn is_empty(this, budget) -> bool { this.is_empty(budget)? }
    /// Whether there is no disjunct.
    fn plain_is_empty(this, budget) -> bool { this.plain_is_empty() }
    /// Whether there is a disjunct without constraints.
    fn plain_is_universe(this, budget) -> bool { this.plain_is_universe() }
    /// Whether both have the same pairs; relations in different spaces have not.
    fn is_equal(this, budget, other: MapArg) -> bool {
        this.space().has_equal_tuples(other.0.space()) && this.is_equal(&other.0, budget)?
    }
    /// Whether every pair is in `other`.
    fn is_subset(this, budget, other: MapArg) -> bool {
        same_tuples(this.space(), other.0.space(), "inclusion")?;
        this.is_subset(&other.0, budget)?
    }
    /// Whether every pair is in `other`, which has more.
    fn is_strict_subset(this, budget, other: MapArg) -> bool {
        same_tuples(this.space(), other.0.space(), "inclusion")?;
        this.is_strict_subset(&other.0, budget)?
    }
    /// Whether no pair is in both.
    fn is_disjoint(this, budget, other: MapArg) -> bool {
        same_tuples(this.space(), other.0.space(), "intersection")?;
        this.is_disjoint(&other.0, budget)?
    }
    /// Whether no element of the domain has two images.
    fn is_single_valued(this, budget) -> bool { this.is_single_valued(budget)? }
    /// Whether no two elements of the domain share an image.
    fn is_injective(this, budget) -> bool { this.is_injective(budget)? }
    /// Whether it is single-valued and injective.
    fn is_bijective(this, budget) -> bool { this.is_bijective(budget)? }
    /// Whether for any fixed parameter values there are finitely many pairs.
    fn is_bounded(this, budget) -> bool { this.is_bounded(budget)? }
    /// Domain and range exchanged.
    fn reverse(this, budget) -> PyMap { this.reverse() }
    /// The elements that are related to something.
    fn domain(this, budget) -> PySet { this.domain() }
    /// The elements that something is related to.
    fn range(this, budget) -> PySet { this.range() }
    /// The parameter values for which there is a pair.
    fn params(this, budget) -> PySet { this.params() }
    /// `x -> z` for `x -> y` here and `y -> z` in `other`.
    fn apply_range(this, budget, other: MapArg) -> PyMap {
        meet(this.space(), DimKind::Out, other.0.space(), DimKind::In)?;
        this.apply_range(&other.0)
    }
    /// `y -> z` for `x -> z` here and `x -> y` in `other`.
    fn apply_domain(this, budget, other: MapArg) -> PyMap {
        meet(this.space(), DimKind::In, other.0.space(), DimKind::In)?;
        this.apply_domain(&other.0)
    }
    /// The part whose domain is in a set.
    fn intersect_domain(this, budget, set: SetArg) -> PyMap {
        meet(this.space(), DimKind::In, set.0.space(), DimKind::Out)?;
        this.intersect_domain(&set.0)
    }
    /// The part whose range is in a set.
    fn intersect_range(this, budget, set: SetArg) -> PyMap {
        meet(this.space(), DimKind::Out, set.0.space(), DimKind::Out)?;
        this.intersect_range(&set.0)
    }
    /// The part for the parameter values of a set of them.
    fn intersect_params(this, budget, params: SetArg) -> PyMap {
        parameters(params.0.space())?;
        this.intersect_params(&params.0)
    }
    /// The part whose domain is outside of a set.
    fn subtract_domain(this, budget, set: SetArg) -> PyMap {
        meet(this.space(), DimKind::In, set.0.space(), DimKind::Out)?;
        this.subtract_domain(&set.0, budget)?
    }
    /// The part whose range is outside of a set.
    fn subtract_range(this, budget, set: SetArg) -> PyMap {
        meet(this.space(), DimKind::Out, set.0.space(), DimKind::Out)?;
        this.subtract_range(&set.0, budget)?
    }
    /// A simpler relation with the same pairs inside of the context.
    fn gist(this, budget, context: MapArg) -> PyMap {
        same_tuples(this.space(), context.0.space(), "gist")?;
        this.gist(&context.0, budget)?
    }
    /// A simpler relation with the same pairs for the domain of the context.
    fn gist_domain(this, budget, context: SetArg) -> PyMap {
        meet(this.space(), DimKind::In, context.0.space(), DimKind::Out)?;
        this.gist_domain(&context.0, budget)?
    }
    /// A simpler relation with the same pairs for the range of the context.
    fn gist_range(this, budget, context: SetArg) -> PyMap {
        meet(this.space(), DimKind::Out, context.0.space(), DimKind::Out)?;
        this.gist_range(&context.0, budget)?
    }
    /// A simpler relation with the same pairs for the parameter values of the context.
    fn gist_params(this, budget, context: SetArg) -> PyMap {
        parameters(context.0.space())?;
        this.gist_params(&context.0, budget)?
    }
    /// The differences `y - x` of all `x -> y`.
    fn deltas(this, budget) -> PySet {
        equal_ends(this.space())?;
        this.deltas()
    }
    /// `[x -> y] -> y - x` for all `x -> y`.
    fn deltas_map(this, budget) -> PyMap {
        equal_ends(this.space())?;
        this.deltas_map()
    }
    /// The pairs that exactly so many steps connect; a negative number goes backwards.
    fn fixed_power_val(this, budget, exponent: i64) -> PyMap {
        if exponent == 0 {
            equal_ends(this.space())?;
        }
        this.fixed_power(exponent, budget)?
    }
    /// The set of pairs.
    fn wrap(this, budget) -> PySet { this.wrap() }
    /// `[x -> y] -> x` for all `x -> y`.
    fn domain_map(this, budget) -> PyMap { this.domain_map() }
    /// `[x -> y] -> y` for all `x -> y`.
    fn range_map(this, budget) -> PyMap { this.range_map() }
    /// `A -> [B -> C]` of `[A -> B] -> C`.
    fn curry(this, budget) -> PyMap {
        pair(this.space(), DimKind::In)?;
        this.curry()
    }
    /// `[A -> B] -> C` of `A -> [B -> C]`.
    fn uncurry(this, budget) -> PyMap {
        pair(this.space(), DimKind::Out)?;
        this.uncurry()
    }
    /// `[A -> C] -> [B -> D]` of `[A -> B] -> [C -> D]`.
    fn zip(this, budget) -> PyMap {
        pair(this.space(), DimKind::In).and(pair(this.space(), DimKind::Out))?;
        this.zip()
    }
    /// `A -> B` of `A -> [B -> C]`.
    fn range_factor_domain(this, budget) -> PyMap {
        pair(this.space(), DimKind::Out)?;
        this.range_factor_domain()
    }
    /// `A -> C` of `A -> [B -> C]`.
    fn range_factor_range(this, budget) -> PyMap {
        pair(this.space(), DimKind::Out)?;
        this.range_factor_range()
    }
    /// `A -> C` of `[A -> B] -> C`.
    fn domain_factor_domain(this, budget) -> PyMap {
        pair(this.space(), DimKind::In)?;
        this.domain_factor_domain()
    }
    /// `B -> C` of `[A -> B] -> C`.
    fn domain_factor_range(this, budget) -> PyMap {
        pair(this.space(), DimKind::In)?;
        this.domain_factor_range()
    }
    /// `[A -> C] -> [B -> D]` of `A -> B` and `C -> D`.
    fn product(this, budget, other: MapArg) -> PyMap { this.product(&other.0) }
    /// The same with tuples that are not pairs.
    fn flat_product(this, budget, other: MapArg) -> PyMap { this.flat_product(&other.0) }
    /// `A -> [B -> C]` of `A -> B` and `A -> C`.
    fn range_product(this, budget, other: MapArg) -> PyMap {
        meet(this.space(), DimKind::In, other.0.space(), DimKind::In)?;
        this.range_product(&other.0)
    }
    /// The same with a tuple that is no pair.
    fn flat_range_product(this, budget, other: MapArg) -> PyMap {
        meet(this.space(), DimKind::In, other.0.space(), DimKind::In)?;
        this.flat_range_product(&other.0)
    }
    /// `[A -> B] -> C` of `A -> C` and `B -> C`.
    fn domain_product(this, budget, other: MapArg) -> PyMap {
        meet(this.space(), DimKind::Out, other.0.space(), DimKind::Out)?;
        this.domain_product(&other.0)
    }
    /// The same relation in as few basic relations as are found.
    fn coalesce(this, budget) -> PyMap { this.clone().coalesce_with(Coalescing::Hulls, budget)? }
    /// The same relation without constraints that the others imply.
    fn remove_redundancies(this, budget) -> PyMap { this.clone().remove_redundancies(budget)? }
    /// The same relation with the equalities that inequalities imply.
    fn detect_equalities(this, budget) -> PyMap { this.detect_equalities(budget)? }
    /// The same relation in basic relations that have no pair in common.
    fn make_disjoint(this, budget) -> PyMap { this.clone().make_disjoint(budget)? }
    /// The same relation with a definition for each existential dimension.
    fn compute_divs(this, budget) -> PyMap { this.clone().compute_divs(budget)? }
    /// The lexicographically smallest image of each element of the domain.
    fn lexmin(this, budget) -> PyMap { this.lexmin_map(budget)? }
    /// The lexicographically largest image of each element of the domain.
    fn lexmax(this, budget) -> PyMap { this.lexmax_map(budget)? }
    /// The lexicographically smallest image as a function of parameters and domain.
    fn lexmin_pw_multi_aff(this, budget) -> PyPwMultiAff { this.lexmin(budget)? }
    /// The lexicographically largest image as a function of parameters and domain.
    fn lexmax_pw_multi_aff(this, budget) -> PyPwMultiAff { this.lexmax(budget)? }
    /// The smallest value of a dimension of the images of each element.
    fn dim_min(this, budget, pos: usize) -> PyPwAff {
        dims(this.space(), DimKind::Out, pos, 1)?;
        this.dim_min(pos, budget)?
    }
    /// The largest value of a dimension of the images of each element.
    fn dim_max(this, budget, pos: usize) -> PyPwAff {
        dims(this.space(), DimKind::Out, pos, 1)?;
        this.dim_max(pos, budget)?
    }
    /// A basic relation with one of the pairs, or none if there is none.
    fn sample(this, budget) -> BasicMapOut { this.sample_map(budget)? }
    /// The number of images as a function of parameters and domain.
    fn card(this, budget) -> PyPwQPolynomial { finite(this.card(budget)?, &this.space().domain_space())? }
    /// The relation without `n` of its dimensions: there are values for them.
    fn project_out(this, budget, r#type: DimType, first: usize, n: usize) -> PyMap {
        dims(this.space(), r#type.kind(), first, n)?;
        this.project_out(r#type.kind(), first, n)
    }
    /// The same relation over its parameters and those of another space.
    fn align_params(this, budget, model: PySpace) -> PyMap { this.align_params(&model.0) }
    /// The same relation without parameters that nothing depends on.
    fn drop_unused_params(this, budget) -> PyMap { this.drop_unused_params() }
    /// The same relation with another name for a tuple, or none.
    #[pyo3(signature = (r#type, name))]
    fn set_tuple_name(this, budget, r#type: DimType, name: Option<String>) -> PyMap {
        space::tuple(this.space(), r#type.kind())?;
        this.set_tuple_name(r#type.kind(), name.map(Id::from))
    }
    /// The same relation with another name for a dimension.
    fn set_dim_name(this, budget, r#type: DimType, pos: usize, name: String) -> PyMap {
        renamed(this, r#type.kind(), pos, name)?
    }
    /// The part where a dimension has a value.
    fn fix_val(this, budget, r#type: DimType, pos: usize, value: IntArg) -> PyMap {
        dims(this.space(), r#type.kind(), pos, 1)?;
        this.fix(r#type.kind(), pos, value.0)
    }
    /// The part where a dimension is at least a value.
    fn lower_bound_val(this, budget, r#type: DimType, pos: usize, value: IntArg) -> PyMap {
        dims(this.space(), r#type.kind(), pos, 1)?;
        this.lower_bound(r#type.kind(), pos, value.0)
    }
    /// The part where a dimension is at most a value.
    fn upper_bound_val(this, budget, r#type: DimType, pos: usize, value: IntArg) -> PyMap {
        dims(this.space(), r#type.kind(), pos, 1)?;
        this.upper_bound(r#type.kind(), pos, value.0)
    }
    /// The part where two dimensions are equal.
    fn equate(this, budget, type1: DimType, pos1: usize, type2: DimType, pos2: usize) -> PyMap {
        dims(this.space(), type1.kind(), pos1, 1).and(dims(this.space(), type2.kind(), pos2, 1))?;
        this.equate(type1.kind(), pos1, type2.kind(), pos2)
    }
    /// The part where the first dimension is at least the second.
    fn order_ge(this, budget, type1: DimType, pos1: usize, type2: DimType, pos2: usize) -> PyMap {
        dims(this.space(), type1.kind(), pos1, 1).and(dims(this.space(), type2.kind(), pos2, 1))?;
        this.order_ge(type1.kind(), pos1, type2.kind(), pos2)
    }
    /// The part where the first dimension is greater than the second.
    fn order_gt(this, budget, type1: DimType, pos1: usize, type2: DimType, pos2: usize) -> PyMap {
        dims(this.space(), type1.kind(), pos1, 1).and(dims(this.space(), type2.kind(), pos2, 1))?;
        this.order_gt(type1.kind(), pos1, type2.kind(), pos2)
    }
    /// The relation with `n` dimensions more at the end of a tuple, of any value.
    fn add_dims(this, budget, r#type: DimType, n: usize) -> PyMap {
        growable(this.space(), r#type.kind(), n)?;
        this.add_dims(r#type.kind(), n)
    }
    /// The relation with `n` dimensions more before one of its own, of any value.
    fn insert_dims(this, budget, r#type: DimType, pos: usize, n: usize) -> PyMap {
        growable(this.space(), r#type.kind(), n).and(dims(this.space(), r#type.kind(), pos, 0))?;
        this.insert_dims(r#type.kind(), pos, n)
    }
    /// Whether a constraint uses one of the dimensions.
    fn involves_dims(this, budget, r#type: DimType, first: usize, n: usize) -> bool {
        dims(this.space(), r#type.kind(), first, n)?;
        this.involves_dims(r#type.kind(), first, n)
    }
    /// The smallest affine lattice around the pairs.
    fn affine_hull(this, budget) -> BasicMapOut { this.affine_hull(budget)? }
    /// The smallest convex polyhedron around the rational points of all basic relations.
    fn convex_hull(this, budget) -> BasicMapOut { this.convex_hull(budget)? }
    /// A basic relation around all, of translated constraints of theirs.
    fn simple_hull(this, budget) -> BasicMapOut { (*this.clone().simple_hull(budget)?).clone() }
    /// The pairs of `x` here and `y` in `other` with an image of `x` before one of `y`.
    fn lex_lt_map(this, budget, other: MapArg) -> PyMap { ordered(this, &other.0, Map::lex_lt)? }
    /// The pairs of `x` here and `y` in `other` with an image of `x` before one of `y`, or equal to
    /// it.
    fn lex_le_map(this, budget, other: MapArg) -> PyMap { ordered(this, &other.0, Map::lex_le)? }
    /// The pairs of `x` here and `y` in `other` with an image of `x` after one of `y`.
    fn lex_gt_map(this, budget, other: MapArg) -> PyMap { ordered(this, &other.0, Map::lex_gt)? }
    /// The pairs of `x` here and `y` in `other` with an image of `x` after one of `y`, or equal to
    /// it.
    fn lex_ge_map(this, budget, other: MapArg) -> PyMap { ordered(this, &other.0, Map::lex_ge)? }
    /// The function of which a single-valued relation is the graph.
    fn as_pw_multi_aff(this, budget) -> PyPwMultiAff {
        if !this.is_single_valued(budget)? {
            return Err(Failure::Value("an element of the domain has two images".to_owned()));
        }
        this.lexmin(budget)?
    }
}

fn ordered(a: &Map, b: &Map, order: fn(&Space) -> Map) -> Answer<Map> {
    meet(a.space(), DimKind::Out, b.space(), DimKind::Out)?;
    Ok(a.apply_range(&order(&a.space().range_space())).apply_range(&b.reverse()))
}
