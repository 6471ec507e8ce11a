//! Sets: unions of basic sets in one space.

use poly_arith::Int;
use poly_counting::Card;
use poly_presburger::{Coalescing, DimKind, Id, Map, Set, Space, Tuple};
use pyo3::prelude::*;

use crate::basic::BasicSetOut;
use crate::count::{PyPwQPolynomial, finite, number};
use crate::failure::{Answer, Failure, run};
use crate::function::{PyPwAff, PyPwMultiAff};
use crate::map::PyMap;
use crate::methods::{MapArg, SetArg, methods, value_protocol};
use crate::number::{IntArg, Number};
use crate::picture;
use crate::point::PyPoint;
use crate::space::{self, DimType, PySpace, dims, growable, parameters, same_tuples};

/// A set of integer tuples in one space: a union of basic sets.
#[pyclass(name = "Set", module = "poly", frozen, weakref, subclass)]
#[derive(Debug)]
pub(crate) struct PySet(pub(crate) Set);

value_protocol!(PySet, Set, SetArg, |set, hasher| set.space().range.hash(hasher));

#[pymethods]
impl PySet {
    /// The set without points.
    #[staticmethod]
    fn empty(space: PySpace) -> PyResult<PySet> {
        of_a_set(&space.0)?;
        Ok(PySet(Set::empty(space.0)))
    }

    /// The set of all points.
    #[staticmethod]
    fn universe(space: PySpace) -> PyResult<PySet> {
        of_a_set(&space.0)?;
        Ok(PySet(Set::universe(space.0)))
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

    /// The name of the tuple, if it has one.
    fn get_tuple_name(&self) -> Option<String> {
        self.0.tuple_name().map(ToString::to_string)
    }

    /// The basic sets whose union this is.
    fn get_basic_sets(&self) -> Vec<BasicSetOut> {
        self.0.basic_sets().map(BasicSetOut).collect()
    }

    /// Calls a function with each basic set.
    fn foreach_basic_set(&self, callback: &Bound<'_, PyAny>) -> PyResult<()> {
        self.get_basic_sets().into_iter().try_for_each(|basic| callback.call1((basic,)).map(drop))
    }

    /// Number of basic sets.
    fn n_basic_set(&self) -> usize {
        self.0.n_basic()
    }

    /// All points, in lexicographic order; parameters count as dimensions before the others.
    fn get_points(&self, py: Python<'_>) -> PyResult<Vec<PyPoint>> {
        let points = run(py, |budget| Ok(all_dims(&self.0).enumerate(&[], budget)?))?;
        Ok(points.into_iter().map(|values| PyPoint::new(self.0.space().clone(), values)).collect())
    }

    /// Calls a function with each point, in lexicographic order.
    fn foreach_point(&self, py: Python<'_>, callback: &Bound<'_, PyAny>) -> PyResult<()> {
        self.get_points(py)?.into_iter().try_for_each(|point| callback.call1((point,)).map(drop))
    }

    /// A picture, for notebooks; `None` for sets of more than three dimensions.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<Option<String>> {
        run(py, |_| Ok(picture::of_set(&self.0)))
    }

    fn __and__(&self, py: Python<'_>, other: SetArg) -> PyResult<PySet> {
        self.intersect(py, other)
    }

    fn __or__(&self, py: Python<'_>, other: SetArg) -> PyResult<PySet> {
        self.union(py, other)
    }

    fn __sub__(&self, py: Python<'_>, other: SetArg) -> PyResult<PySet> {
        self.subtract(py, other)
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(Failure::Type("a set is neither true nor false: ask `is_empty()`".to_owned()).into())
    }

    fn __contains__(&self, py: Python<'_>, point: PyPoint) -> PyResult<bool> {
        run(py, |budget| {
            let other = point.to_set();
            same_tuples(self.0.space(), other.space(), "inclusion")?;
            Ok(other.is_subset(&self.0, budget)?)
        })
    }
}

/// The space of a set or of parameter values.
pub(crate) fn of_a_set(space: &Space) -> Answer<()> {
    if space.is_map() { Err(Failure::Space(format!("{space} is not the space of a set"))) } else { Ok(()) }
}

/// The set over one tuple of parameters and dimensions.
pub(crate) fn all_dims(set: &Set) -> Set {
    let n = set.space().params.len();
    let tuple = Tuple::anonymous(set.n_dim());
    let set = if set.space().is_params() { Set::from_params(set, tuple) } else { set.set_tuple(tuple) };
    set.move_dims(DimKind::Out, 0, DimKind::Param, 0, n)
}

methods! { PySet;
    /// The points in both.
    fn intersect(this, budget, other: SetArg) -> PySet {
        same_tuples(this.space(), other.0.space(), "intersection")?;
        this.intersect(&other.0)
    }
    /// All points of either.
    fn union(this, budget, other: SetArg) -> PySet {
        same_tuples(this.space(), other.0.space(), "union")?;
        this.union(&other.0)
    }
    /// The points here that are not in `other`.
    fn subtract(this, budget, other: SetArg) -> PySet {
        same_tuples(this.space(), other.0.space(), "difference")?;
        this.subtract(&other.0, budget)?
    }
    /// All other points of the space.
    fn complement(this, budget) -> PySet { this.complement(budget)? }
    /// Whether there is no point.
    fn is_empty(this, budget) -> bool { this.is_empty(budget)? }
    /// Whether there is no disjunct.
    fn plain_is_empty(this, budget) -> bool { this.plain_is_empty() }
    /// Whether there is a disjunct without constraints.
    fn plain_is_universe(this, budget) -> bool { this.plain_is_universe() }
    /// Whether both have the same points; sets in different spaces have not.
    fn is_equal(this, budget, other: SetArg) -> bool {
        this.space().has_equal_tuples(other.0.space()) && this.is_equal(&other.0, budget)?
    }
    /// Whether every point is in `other`.
    fn is_subset(this, budget, other: SetArg) -> bool {
        same_tuples(this.space(), other.0.space(), "inclusion")?;
        this.is_subset(&other.0, budget)?
    }
    /// Whether every point is in `other`, which has more.
    fn is_strict_subset(this, budget, other: SetArg) -> bool {
        same_tuples(this.space(), other.0.space(), "inclusion")?;
        this.is_strict_subset(&other.0, budget)?
    }
    /// Whether no point is in both.
    fn is_disjoint(this, budget, other: SetArg) -> bool {
        same_tuples(this.space(), other.0.space(), "intersection")?;
        this.is_disjoint(&other.0, budget)?
    }
    /// Whether for any fixed parameter values there are finitely many points.
    fn is_bounded(this, budget) -> bool { this.is_bounded(budget)? }
    /// The same set in as few basic sets as are found.
    fn coalesce(this, budget) -> PySet { this.clone().coalesce_with(Coalescing::Hulls, budget)? }
    /// The same set without constraints that the others imply.
    fn remove_redundancies(this, budget) -> PySet { this.clone().remove_redundancies(budget)? }
    /// The same set with the equalities that inequalities imply.
    fn detect_equalities(this, budget) -> PySet { this.detect_equalities(budget)? }
    /// The same set in basic sets that have no point in common.
    fn make_disjoint(this, budget) -> PySet { this.clone().make_disjoint(budget)? }
    /// The same set with a definition for each existential dimension.
    fn compute_divs(this, budget) -> PySet { this.clone().compute_divs(budget)? }
    /// A simpler set with the same points inside of the context.
    fn gist(this, budget, context: SetArg) -> PySet {
        same_tuples(this.space(), context.0.space(), "gist")?;
        this.gist(&context.0, budget)?
    }
    /// A simpler set with the same points for the parameter values of the context.
    fn gist_params(this, budget, context: SetArg) -> PySet {
        parameters(context.0.space())?;
        this.gist_params(&context.0, budget)?
    }
    /// A basic set with one of the points, or none if there is none.
    fn sample(this, budget) -> BasicSetOut { this.sample_set(budget)? }
    /// One of the points, or `None` if there is none.
    fn sample_point(this, budget) -> Option<PyPoint> {
        this.sample(budget)?.map(|values| PyPoint::new(this.space().clone(), values))
    }
    /// The lexicographically smallest point for each value of the parameters.
    fn lexmin(this, budget) -> PySet { this.lexmin_set(budget)? }
    /// The lexicographically largest point for each value of the parameters.
    fn lexmax(this, budget) -> PySet { this.lexmax_set(budget)? }
    /// The lexicographically smallest point as a function of the parameters.
    fn lexmin_pw_multi_aff(this, budget) -> PyPwMultiAff {
        space::set(this.space())?;
        this.lexmin(budget)?
    }
    /// The lexicographically largest point as a function of the parameters.
    fn lexmax_pw_multi_aff(this, budget) -> PyPwMultiAff {
        space::set(this.space())?;
        this.lexmax(budget)?
    }
    /// The smallest value of a dimension as a function of the parameters.
    fn dim_min(this, budget, pos: usize) -> PyPwAff {
        dims(this.space(), DimKind::Out, pos, 1)?;
        this.dim_min(pos, budget)?
    }
    /// The largest value of a dimension as a function of the parameters.
    fn dim_max(this, budget, pos: usize) -> PyPwAff {
        dims(this.space(), DimKind::Out, pos, 1)?;
        this.dim_max(pos, budget)?
    }
    /// The number of points as a function of the parameters.
    fn card(this, budget) -> PyPwQPolynomial { finite(this.card(budget)?, &this.space().params_space())? }
    /// The number of points for all values of the parameters together.
    fn count_val(this, budget) -> Number { number(all_dims(this).card(budget)?)? }
    /// The images of the points.
    fn apply(this, budget, map: MapArg) -> PySet {
        space::relation(map.0.space())?;
        space::meet(map.0.space(), DimKind::In, this.space(), DimKind::Out)?;
        this.apply(&map.0)
    }
    /// The set without `n` of its dimensions: there are values for them.
    fn project_out(this, budget, r#type: DimType, first: usize, n: usize) -> PySet {
        dims(this.space(), r#type.kind(), first, n)?;
        this.project_out(r#type.kind(), first, n)
    }
    /// The parameter values for which there is a point.
    fn params(this, budget) -> PySet { this.params() }
    /// The part for the parameter values of a set of them.
    fn intersect_params(this, budget, params: SetArg) -> PySet {
        parameters(params.0.space())?;
        this.intersect_params(&params.0)
    }
    /// Each point, related to itself.
    fn identity(this, budget) -> PyMap {
        space::set(this.space())?;
        this.identity()
    }
    /// The relation of which this is the set of pairs.
    fn unwrap(this, budget) -> PyMap {
        space::wrapping(this.space())?;
        this.unwrap()
    }
    /// The same set in a tuple without name and structure.
    fn flatten(this, budget) -> PySet { this.flatten() }
    /// The set of pairs of a point here and one in `other`.
    fn product(this, budget, other: SetArg) -> PySet {
        space::set(this.space()).and(space::set(other.0.space()))?;
        this.product(&other.0)
    }
    /// The set of points here followed by points in `other`.
    fn flat_product(this, budget, other: SetArg) -> PySet {
        space::set(this.space()).and(space::set(other.0.space()))?;
        this.flat_product(&other.0)
    }
    /// The same set over its parameters and those of another space.
    fn align_params(this, budget, model: PySpace) -> PySet { this.align_params(&model.0) }
    /// The same set without parameters that nothing depends on.
    fn drop_unused_params(this, budget) -> PySet { this.drop_unused_params() }
    /// The same set with another name for its tuple, or none.
    #[pyo3(signature = (name))]
    fn set_tuple_name(this, budget, name: Option<String>) -> PySet {
        space::set(this.space())?;
        this.set_tuple_name(name.map(Id::from))
    }
    /// The same set with another name for a dimension.
    fn set_dim_name(this, budget, r#type: DimType, pos: usize, name: String) -> PySet {
        renamed(this, r#type.kind(), pos, name)?.into_set()
    }
    /// The part where a dimension has a value.
    fn fix_val(this, budget, r#type: DimType, pos: usize, value: IntArg) -> PySet {
        dims(this.space(), r#type.kind(), pos, 1)?;
        this.fix(r#type.kind(), pos, value.0)
    }
    /// The part where a dimension is at least a value.
    fn lower_bound_val(this, budget, r#type: DimType, pos: usize, value: IntArg) -> PySet {
        dims(this.space(), r#type.kind(), pos, 1)?;
        this.lower_bound(r#type.kind(), pos, value.0)
    }
    /// The part where a dimension is at most a value.
    fn upper_bound_val(this, budget, r#type: DimType, pos: usize, value: IntArg) -> PySet {
        dims(this.space(), r#type.kind(), pos, 1)?;
        this.upper_bound(r#type.kind(), pos, value.0)
    }
    /// The part where two dimensions are equal.
    fn equate(this, budget, type1: DimType, pos1: usize, type2: DimType, pos2: usize) -> PySet {
        dims(this.space(), type1.kind(), pos1, 1).and(dims(this.space(), type2.kind(), pos2, 1))?;
        this.equate(type1.kind(), pos1, type2.kind(), pos2)
    }
    /// The set with `n` dimensions more at the end, of any value.
    fn add_dims(this, budget, r#type: DimType, n: usize) -> PySet {
        growable(this.space(), r#type.kind(), n)?;
        this.add_dims(r#type.kind(), n)
    }
    /// The set with `n` dimensions more before one of its own, of any value.
    fn insert_dims(this, budget, r#type: DimType, pos: usize, n: usize) -> PySet {
        growable(this.space(), r#type.kind(), n).and(dims(this.space(), r#type.kind(), pos, 0))?;
        this.insert_dims(r#type.kind(), pos, n)
    }
    /// Whether a constraint uses one of the dimensions.
    fn involves_dims(this, budget, r#type: DimType, first: usize, n: usize) -> bool {
        dims(this.space(), r#type.kind(), first, n)?;
        this.involves_dims(r#type.kind(), first, n)
    }
    /// A larger set: without the constraints that use one of the dimensions.
    fn drop_constraints_involving_dims(this, budget, r#type: DimType, first: usize, n: usize) -> PySet {
        dims(this.space(), r#type.kind(), first, n)?;
        this.drop_constraints_involving(r#type.kind(), first, n)
    }
    /// The smallest affine lattice around the points.
    fn affine_hull(this, budget) -> BasicSetOut { this.affine_hull(budget)? }
    /// The smallest convex polyhedron around the rational points of all basic sets.
    fn convex_hull(this, budget) -> BasicSetOut { this.convex_hull(budget)? }
    /// A basic set around all, of translated constraints of theirs.
    fn simple_hull(this, budget) -> BasicSetOut { this.clone().simple_hull(budget)? }
    /// A basic set around all, of constraints of theirs.
    fn unshifted_simple_hull(this, budget) -> BasicSetOut { this.clone().unshifted_simple_hull(budget)? }
    /// The smallest box with constant bounds around the rational points.
    fn box_hull(this, budget) -> BasicSetOut { this.box_hull(budget)? }
    /// The pairs of a point here and a lexicographically larger one in `other`.
    fn lex_lt_set(this, budget, other: SetArg) -> PyMap { ordered(this, &other.0, Map::lex_lt)? }
    /// The pairs of a point here and an equal or lexicographically larger one in `other`.
    fn lex_le_set(this, budget, other: SetArg) -> PyMap { ordered(this, &other.0, Map::lex_le)? }
    /// The pairs of a point here and a lexicographically smaller one in `other`.
    fn lex_gt_set(this, budget, other: SetArg) -> PyMap { ordered(this, &other.0, Map::lex_gt)? }
    /// The pairs of a point here and an equal or lexicographically smaller one in `other`.
    fn lex_ge_set(this, budget, other: SetArg) -> PyMap { ordered(this, &other.0, Map::lex_ge)? }
    /// By how much the values of a dimension differ at least: the greatest common divisor of all
    /// differences.
    fn get_stride(this, budget, pos: usize) -> Number {
        dims(this.space(), DimKind::Out, pos, 1)?;
        let stride: Int = this.stride(pos, budget)?;
        stride
    }
}

/// The relation with another name for a dimension.
pub(crate) fn renamed(map: &Map, kind: DimKind, pos: usize, name: String) -> Answer<Map> {
    dims(map.space(), kind, pos, 1)?;
    let taken = kind == DimKind::Param && map.space().find_param(&name).is_some_and(|other| other != pos);
    if taken {
        return Err(Failure::Value(format!("there is another parameter `{name}`")));
    }
    Ok(map.set_dim_name(kind, pos, name))
}

fn ordered(a: &Set, b: &Set, order: fn(&Space) -> Map) -> Answer<Map> {
    space::set(a.space())?;
    same_tuples(a.space(), b.space(), "order")?;
    Ok(order(a.space()).intersect_domain(a).intersect_range(b))
}
