//! Schedule trees and cursors into them.

use poly_arith::Int;
use poly_presburger::{Budget, Set};
use poly_schedule_tree::{Band, LoopType, Mark, Node, NodeKind, ScheduleTree, Tree};
use pyo3::prelude::*;

use crate::failure::{Answer, Failure, run};
use crate::function::{FunctionsArg, PyMultiUnionPwAff};
use crate::methods::{SetArg, UnionMapArg, UnionSetArg, methods};
use crate::number::IntArg;
use crate::picture;
use crate::set::PySet;
use crate::union_map::PyUnionMap;
use crate::union_set::PyUnionSet;

/// A schedule tree: the order in which the instances of statements run.
#[pyclass(name = "Schedule", module = "poly", frozen)]
#[derive(Debug)]
pub(crate) struct PySchedule(pub(crate) ScheduleTree);

impl From<ScheduleTree> for PySchedule {
    fn from(tree: ScheduleTree) -> PySchedule {
        PySchedule(tree)
    }
}

#[pymethods]
impl PySchedule {
    /// Reads a text in isl's YAML.
    #[new]
    fn new(py: Python<'_>, text: String) -> PyResult<PySchedule> {
        run(py, |_| text.parse().map_err(|e| Failure::parse_tree(&text, e))).map(PySchedule)
    }

    /// Reads a text in isl's YAML.
    #[staticmethod]
    fn read_from_str(py: Python<'_>, text: String) -> PyResult<PySchedule> {
        PySchedule::new(py, text)
    }

    /// The tree that does not order its instances.
    #[staticmethod]
    fn from_domain(domain: UnionSetArg) -> PySchedule {
        PySchedule(ScheduleTree::from_domain(domain.0))
    }

    /// The text in isl's YAML.
    fn to_str(&self, py: Python<'_>) -> PyResult<String> {
        run(py, |_| Ok(self.0.to_string()))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.to_str(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Schedule({:?})", self.to_str(py)?))
    }

    /// A picture, for notebooks: instances in their order. `None` for more than four statements, or
    /// more than three dimensions.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<Option<String>> {
        run(py, |_| Ok(picture::of_schedule(&self.0)))
    }

    fn __eq__(&self, other: &Bound<'_, PySchedule>) -> bool {
        self.0 == other.get().0
    }
}

methods! { PySchedule;
    /// The instances that the tree orders.
    fn get_domain(this, budget) -> PyUnionSet { this.domain().clone() }
    /// The order as a relation: instances run in the lexicographic order of their images.
    fn get_map(this, budget) -> PyUnionMap { this.schedule_map() }
    /// The root.
    fn get_root(this, budget) -> PyScheduleNode { this.root() }
    /// Everything here runs before everything there; the domains have no instance in common.
    fn sequence(this, budget, other: ScheduleArg) -> PySchedule { this.sequence(apart(this, &other.0, budget)?) }
    /// What is here and what is there may run in any order; the domains have no instance in common.
    fn set(this, budget, other: ScheduleArg) -> PySchedule { this.set(apart(this, &other.0, budget)?) }
    /// The same order for those instances that are in a set.
    fn intersect_domain(this, budget, domain: UnionSetArg) -> PySchedule { this.intersect_domain(&domain.0) }
    /// A shorter description of the domain and of filters, for parameter values in a context.
    fn gist_domain_params(this, budget, context: SetArg) -> PySchedule {
        this.gist_domain_params(parameters(&context.0)?, budget)?
    }
    /// The same tree without what filters say of instances that is known where they stand.
    fn gist(this, budget) -> PySchedule { this.gist(budget)? }
}

/// An argument that is a schedule tree.
#[derive(Debug)]
pub(crate) struct ScheduleArg(ScheduleTree);

impl<'py> FromPyObject<'_, 'py> for ScheduleArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<ScheduleArg> {
        Ok(ScheduleArg(object.cast::<PySchedule>()?.get().0.clone()))
    }
}

/// The other tree, whose domain has to be apart from that of the first.
fn apart<'a>(tree: &ScheduleTree, other: &'a ScheduleTree, budget: &mut Budget) -> Answer<&'a ScheduleTree> {
    if !tree.domain().is_disjoint(other.domain(), budget)? {
        return Err(Failure::Value("the domains have instances in common".to_owned()));
    }
    Ok(other)
}

/// A set of parameter values.
fn parameters(set: &Set) -> Answer<&Set> {
    if !set.space().is_params() {
        return Err(Failure::Value("a set of parameter values is wanted".to_owned()));
    }
    Ok(set)
}

/// One positive number for each member of a band.
fn numbers(node: &Node, numbers: Vec<IntArg>) -> Answer<Vec<Int>> {
    let n = plain_band(node)?.n_member();
    let numbers: Vec<Int> = numbers.into_iter().map(|number| number.0).collect();
    if numbers.len() != n || !numbers.iter().all(Int::is_pos) {
        return Err(Failure::Value(format!("a band of {n} members has {n} positive numbers")));
    }
    Ok(numbers)
}

/// A band whose members have no grid.
fn plain_band(node: &Node) -> Answer<&Band> {
    let band = band(node)?;
    if band.has_grid() {
        return Err(Failure::Value("members with a grid have no other values".to_owned()));
    }
    Ok(band)
}

/// A place in a schedule tree. Changes give a cursor at the same place of the changed tree.
#[pyclass(name = "ScheduleNode", module = "poly", frozen)]
#[derive(Debug)]
pub(crate) struct PyScheduleNode(Node);

impl From<Node> for PyScheduleNode {
    fn from(node: Node) -> PyScheduleNode {
        PyScheduleNode(node)
    }
}

/// isl's name of a kind of node.
fn kind_name(kind: &NodeKind) -> &'static str {
    match kind {
        NodeKind::Domain(_) => "domain",
        NodeKind::Context(_) => "context",
        NodeKind::Band(_) => "band",
        NodeKind::Sequence => "sequence",
        NodeKind::Set => "set",
        NodeKind::Filter(_) => "filter",
        NodeKind::Mark(_) => "mark",
        NodeKind::Expansion { .. } => "expansion",
        NodeKind::Extension(_) => "extension",
        NodeKind::Guard(_) => "guard",
        NodeKind::Leaf => "leaf",
    }
}

fn band(node: &Node) -> Answer<&Band> {
    node.band().ok_or_else(|| Failure::Type(format!("this is a {}, not a band", kind_name(node.kind()))))
}

fn member(node: &Node, pos: usize) -> Answer<&Band> {
    let band = band(node)?;
    if pos >= band.n_member() {
        return Err(Failure::Index(format!("the band has {} members", band.n_member())));
    }
    Ok(band)
}

/// A place where nodes can be put: below the root.
fn below_root(node: &Node) -> Answer<()> {
    match node.kind() {
        NodeKind::Domain(_) => Err(Failure::Type("nothing stands above the domain".to_owned())),
        _ => Ok(()),
    }
}

/// A place where other nodes than filters can be put, too: not below a sequence or set.
fn free(node: &Node) -> Answer<()> {
    below_root(node)?;
    match node.ancestor_kinds().next_back() {
        Some(NodeKind::Sequence | NodeKind::Set) => {
            Err(Failure::Type("a sequence or set has filters for children: change what is below the filter".to_owned()))
        }
        _ => Ok(()),
    }
}

/// The isl names of loop types.
pub(crate) fn loop_type(name: &str) -> Answer<LoopType> {
    match name {
        "default" => Ok(LoopType::Default),
        "atomic" => Ok(LoopType::Atomic),
        "separate" => Ok(LoopType::Separate),
        "unroll" => Ok(LoopType::Unroll),
        _ => Err(Failure::Value(format!("`{name}` is none of default, atomic, separate, unroll"))),
    }
}

#[pymethods]
impl PyScheduleNode {
    /// The kind: `domain`, `band`, `sequence`, `set`, `filter`, `mark`, `leaf`, ...
    fn get_type(&self) -> &'static str {
        kind_name(self.0.kind())
    }

    /// Number of children. A leaf is a child.
    fn n_children(&self) -> usize {
        self.0.n_children()
    }

    /// Number of nodes above.
    fn get_tree_depth(&self) -> usize {
        self.0.depth()
    }

    /// Number of members of the bands above.
    fn get_schedule_depth(&self) -> usize {
        self.0.schedule_depth()
    }

    /// Which child of its parent it is.
    fn get_child_position(&self) -> usize {
        self.0.position()
    }

    /// Number of members of a band.
    fn band_n_member(&self) -> PyResult<usize> {
        Ok(band(&self.0)?.n_member())
    }

    /// Whether the members of a band may change places.
    fn band_get_permutable(&self) -> PyResult<bool> {
        Ok(band(&self.0)?.permutable)
    }

    /// Whether a member of a band carries no dependence.
    fn band_member_get_coincident(&self, pos: usize) -> PyResult<bool> {
        Ok(member(&self.0, pos)?.coincident[pos])
    }

    /// The text of a mark.
    fn mark_get_id(&self) -> PyResult<String> {
        match self.0.kind() {
            NodeKind::Mark(mark) => Ok(mark.to_string()),
            other => Err(Failure::Type(format!("this is a {}, not a mark", kind_name(other))).into()),
        }
    }

    fn __repr__(&self) -> String {
        format!("<ScheduleNode {}, {} nodes below the root>", self.get_type(), self.0.depth())
    }
}

methods! { PyScheduleNode;
    /// The tree with all changes.
    fn get_schedule(this, budget) -> PySchedule { this.tree() }
    /// A child.
    fn child(this, budget, pos: usize) -> PyScheduleNode {
        if pos >= this.n_children() {
            return Err(Failure::Index(format!("there are {} children", this.n_children())));
        }
        this.child(pos)
    }
    /// The node above.
    fn parent(this, budget) -> PyScheduleNode {
        this.parent().ok_or_else(|| Failure::Index("the root has no parent".to_owned()))?
    }
    /// The root.
    fn root(this, budget) -> PyScheduleNode { this.root() }
    /// The next child of the parent, or `None`.
    fn next_sibling(this, budget) -> Option<PyScheduleNode> { this.next_sibling().map(PyScheduleNode) }
    /// The instances that reach this node.
    fn get_domain(this, budget) -> PyUnionSet { this.domain() }
    /// From these instances to the members of the bands above.
    fn get_prefix_schedule_union_map(this, budget) -> PyUnionMap { this.prefix_schedule_map() }
    /// The functions of a band.
    fn band_get_partial_schedule(this, budget) -> PyMultiUnionPwAff { band(this)?.schedule.clone() }
    /// The functions of a band as a relation.
    fn band_get_partial_schedule_union_map(this, budget) -> PyUnionMap { band(this)?.schedule.to_union_map() }
    /// The instances that a filter lets through.
    fn filter_get_filter(this, budget) -> PyUnionSet {
        match this.kind() {
            NodeKind::Filter(filter) => filter.clone(),
            other => return Err(Failure::Type(format!("this is a {}, not a filter", kind_name(other)))),
        }
    }
    /// The parameter values that a context or guard lets through.
    fn context_get_context(this, budget) -> PySet {
        let found: Set = match this.kind() {
            NodeKind::Context(set) | NodeKind::Guard(set) => set.clone(),
            other => return Err(Failure::Type(format!("this is a {}, not a context", kind_name(other)))),
        };
        found
    }
    /// Tiles of these sizes: the cursor is at the band over the tiles, that over the points in a
    /// tile is its child.
    fn band_tile(this, budget, sizes: Vec<IntArg>) -> PyScheduleNode {
        let n = band(this)?.n_member();
        let sizes: Vec<Int> = sizes.into_iter().map(|size| size.0).collect();
        if sizes.len() != n || !sizes.iter().all(Int::is_pos) {
            return Err(Failure::Value(format!("a band of {n} members has {n} positive tile sizes")));
        }
        this.band_tile(&sizes)
    }
    /// The first members, and the others in a band below.
    fn band_split(this, budget, pos: usize) -> PyScheduleNode {
        let n = band(this)?.n_member();
        if pos > n {
            return Err(Failure::Index(format!("the band has {n} members")));
        }
        this.band_split(pos)
    }
    /// The members of a band times positive numbers.
    fn band_scale(this, budget, factors: Vec<IntArg>) -> PyScheduleNode { this.band_scale(&numbers(this, factors)?) }
    /// The members of a band divided by positive numbers and rounded down.
    fn band_scale_down(this, budget, divisors: Vec<IntArg>) -> PyScheduleNode {
        this.band_scale_down(&numbers(this, divisors)?)
    }
    /// The remainders of the members of a band by positive numbers.
    fn band_mod(this, budget, moduli: Vec<IntArg>) -> PyScheduleNode { this.band_mod(&numbers(this, moduli)?) }
    /// The sum of the members of a band with as many functions; where these are not defined,
    /// instances keep their values.
    fn band_shift(this, budget, shift: FunctionsArg) -> PyScheduleNode {
        let n = plain_band(this)?.n_member();
        if shift.0.dim() != n {
            return Err(Failure::Value(format!("the band has {n} members")));
        }
        this.band_shift(&shift.0, budget)?
    }
    /// The members of a band in another order.
    fn band_permute(this, budget, order: Vec<usize>) -> PyScheduleNode {
        let mut sorted = order.clone();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..band(this)?.n_member()) {
            return Err(Failure::Value("the order has each member once".to_owned()));
        }
        this.band_permute(&order)
    }
    /// The band moved down to the leaves.
    fn band_sink(this, budget) -> PyScheduleNode {
        band(this)?;
        this.band_sink()
    }
    /// The band with another promise about its members.
    fn band_set_permutable(this, budget, permutable: bool) -> PyScheduleNode {
        this.set_band(Band { permutable, ..band(this)?.clone() })
    }
    /// The band with another promise about a member.
    fn band_member_set_coincident(this, budget, pos: usize, coincident: bool) -> PyScheduleNode {
        let mut changed = member(this, pos)?.clone();
        changed.coincident[pos] = coincident;
        this.set_band(changed)
    }
    /// The band with a form for the loop of a member: `default`, `atomic`, `separate`, `unroll`.
    fn band_member_set_ast_loop_type(this, budget, pos: usize, r#type: String) -> PyScheduleNode {
        let mut changed = member(this, pos)?.clone();
        changed.options[pos] = loop_type(&r#type)?;
        this.set_band(changed)
    }
    /// A mark above the node.
    fn insert_mark(this, budget, mark: String) -> PyScheduleNode {
        free(this)?;
        let Ok(mark) = mark.parse::<Mark>();
        this.insert_mark(mark)
    }
    /// A band above the node.
    fn insert_partial_schedule(this, budget, schedule: FunctionsArg) -> PyScheduleNode {
        free(this)?;
        this.insert_band(Band::new(schedule.0))
    }
    /// A filter above the node.
    fn insert_filter(this, budget, filter: UnionSetArg) -> PyScheduleNode {
        free(this)?;
        this.insert_filter(filter.0)
    }
    /// A known condition on parameters above the node.
    fn insert_context(this, budget, context: SetArg) -> PyScheduleNode {
        free(this)?;
        this.insert_context(parameters(&context.0)?.clone())
    }
    /// A condition on parameters that is tested, above the node.
    fn insert_guard(this, budget, guard: SetArg) -> PyScheduleNode {
        free(this)?;
        this.insert_guard(parameters(&guard.0)?.clone())
    }
    /// Of the instances that reach the node, those in a set run before the others; the cursor is at
    /// the node of the others.
    fn order_before(this, budget, filter: UnionSetArg) -> PyScheduleNode {
        free(this)?;
        this.order_before(&filter.0, budget)?
    }
    /// Of the instances that reach the node, those in a set run after the others; the cursor is at
    /// the node of the others.
    fn order_after(this, budget, filter: UnionSetArg) -> PyScheduleNode {
        free(this)?;
        this.order_after(&filter.0, budget)?
    }
    /// Other instances, given for each value of the outer schedule dimensions, run before those
    /// that reach the node.
    fn graft_before(this, budget, extension: UnionMapArg) -> PyScheduleNode {
        free(this)?;
        this.graft_before(extension.0, Tree::leaf())
    }
    /// Other instances, given for each value of the outer schedule dimensions, run after those that
    /// reach the node.
    fn graft_after(this, budget, extension: UnionMapArg) -> PyScheduleNode {
        free(this)?;
        this.graft_after(extension.0, Tree::leaf())
    }
    /// The instances that reach the node, one of a new statement for those with equal values of the
    /// bands above; the cursor is at the node, below the expansion.
    fn group(this, budget, name: String) -> PyScheduleNode {
        free(this)?;
        if this.ancestor_kinds().any(|kind| matches!(kind, NodeKind::Expansion { .. })) {
            return Err(Failure::Type("what is below an expansion is grouped already".to_owned()));
        }
        if this.tree().statements().iter().any(|tuple| tuple.name_str() == Some(&*name)) {
            return Err(Failure::Value(format!("there is a statement {name} already")));
        }
        this.group(name.into(), budget)?
    }
    /// The order of the instances that reach the node by what is below it, as a relation.
    fn get_subtree_schedule_union_map(this, budget) -> PyUnionMap { this.subtree_schedule_map() }
    /// A sequence of filters above the node, each with a copy of it.
    fn insert_sequence(this, budget, filters: Vec<UnionSetArg>) -> PyScheduleNode {
        free(this)?;
        this.insert_sequence(filters.into_iter().map(|filter| filter.0))
    }
    /// The tree without the node; its child takes its place.
    fn delete(this, budget) -> PyScheduleNode {
        free(this)?;
        if this.n_children() != 1 {
            return Err(Failure::Type(format!("a {} has no child to take its place", kind_name(this.kind()))));
        }
        this.delete()
    }
    /// The tree with a leaf in place of the node and all below it.
    fn cut(this, budget) -> PyScheduleNode {
        free(this)?;
        this.cut()
    }
}
