//! The loops of a tree that something is promised of: members of bands, by their place among the
//! time dimensions and by the instances that reach them.
//!
//! The time of an instance has a dimension for each member of a band and for each sequence or set
//! on its way from the root, as [`ScheduleTree::schedule_map`] has.

use std::sync::Arc;

use poly_presburger::{Id, Set, Tuple, UnionSet};
use poly_schedule_tree::{Mark, Node, NodeKind, ScheduleTree};

/// A member of a band.
pub(crate) struct Loop {
    /// Number of time dimensions outside of it.
    pub(crate) dimension: usize,
    /// The instances that reach it.
    pub(crate) domain: Arc<UnionSet>,
}

impl Loop {
    pub(crate) fn instances(&self, tuple: &Tuple) -> Option<&Set> {
        self.domain.get_tuple(tuple)
    }
}

/// The members of bands that are flagged coincident.
pub(crate) fn coincident_loops(tree: &ScheduleTree) -> Vec<Loop> {
    let mut loops = Vec::new();
    for node in tree.band_nodes() {
        let outside = time_dimensions_above(&node);
        let band = node.band().expect("these are the nodes with bands");
        if !band.coincident.contains(&true) {
            continue;
        }
        let domain = Arc::new(instances(&node));
        for (member, _) in band.coincident.iter().enumerate().filter(|(_, coincident)| **coincident) {
            loops.push(Loop { dimension: outside + member, domain: Arc::clone(&domain) });
        }
    }
    loops
}

/// The members of bands that have a grid.
pub(crate) fn loops_with_grid(tree: &ScheduleTree) -> Vec<(Loop, Id)> {
    let mut loops = Vec::new();
    for node in tree.band_nodes() {
        let band = node.band().expect("these are the nodes with bands");
        if !band.has_grid() {
            continue;
        }
        let (outside, domain) = (time_dimensions_above(&node), Arc::new(instances(&node)));
        for (member, grid) in band.grids.iter().enumerate() {
            let this = || Loop { dimension: outside + member, domain: Arc::clone(&domain) };
            loops.extend(grid.iter().map(|grid| (this(), grid.clone())));
        }
    }
    loops
}

/// The first members of the bands that stand directly below a mark, or below several ones, with
/// what is known of the mark.
pub(crate) fn loops_below<T>(tree: &ScheduleTree, of: impl Fn(&Mark) -> Option<T>) -> Vec<(Loop, T)> {
    let mut loops = Vec::new();
    for node in tree.band_nodes() {
        for data in marks_above(&node).iter().filter_map(|mark| of(mark)) {
            let this = Loop { dimension: time_dimensions_above(&node), domain: Arc::new(instances(&node)) };
            loops.push((this, data));
        }
    }
    loops
}

/// The marks directly above a node.
pub(crate) fn marks_above(node: &Node) -> Vec<&Mark> {
    let mut marks = Vec::new();
    for kind in node.ancestor_kinds() {
        match kind {
            NodeKind::Mark(mark) => marks.push(mark),
            _ => marks.clear(),
        }
    }
    marks
}

/// The instances that reach a node.
pub(crate) fn instances(node: &Node) -> UnionSet {
    let mut domain = UnionSet::empty(Vec::new());
    for kind in node.ancestor_kinds() {
        match kind {
            NodeKind::Domain(all) => domain = all.clone(),
            NodeKind::Filter(filter) => domain = domain.intersect(filter),
            NodeKind::Expansion { .. } => return node.domain(),
            _ => {}
        }
    }
    domain
}

/// Number of time dimensions that the nodes above append: one per member of a band, one per
/// sequence or set.
pub(crate) fn time_dimensions_above(node: &Node) -> usize {
    let dimensions = |kind: &NodeKind| match kind {
        NodeKind::Band(band) => band.n_member(),
        NodeKind::Sequence | NodeKind::Set => 1,
        _ => 0,
    };
    node.ancestor_kinds().map(dimensions).sum()
}
