//! Whole schedule trees, and the order they stand for.
//!
//! The *schedule map* of a tree maps every instance to a point of one anonymous space such that the
//! instances run in the lexicographic order of their images. On the way from the root to a leaf,
//! each band appends its members and each sequence (or set) the position of the child; shorter
//! images are padded with zeros. Instances with equal images are not ordered by the tree.
//!
//! Members with a grid ([`crate::Band::grids`]) are not affine. Their functions stand in the map
//! without being rounded; whoever uses the map of a tree with such members has to account for that.

use poly_presburger::{DimKind, MultiUnionPwAff, Tuple, UnionMap, UnionSet};

use crate::cursor::Node;
use crate::tree::{NodeKind, Tree};

/// A schedule tree with its domain. Immutable and cheap to clone.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct ScheduleTree {
    root: Tree,
}

impl ScheduleTree {
    /// The tree that does not order its instances.
    pub fn from_domain(domain: UnionSet) -> ScheduleTree {
        ScheduleTree::new(domain, Tree::leaf())
    }

    /// The tree that orders `domain` by `child`.
    pub fn new(domain: UnionSet, child: Tree) -> ScheduleTree {
        ScheduleTree { root: Tree::new(NodeKind::Domain(domain), vec![child]) }
    }

    pub(crate) fn from_root(root: Tree) -> ScheduleTree {
        assert!(matches!(root.kind(), NodeKind::Domain(_)), "the root of a schedule tree is a domain");
        ScheduleTree { root }
    }

    /// The instances that the tree orders.
    pub fn domain(&self) -> &UnionSet {
        match self.root.kind() {
            NodeKind::Domain(domain) => domain,
            other => unreachable!("the root is a domain, not {other:?}"),
        }
    }

    /// The tuples of the statements.
    pub fn statements(&self) -> Vec<Tuple> {
        self.domain().iter().filter_map(|set| set.tuple().cloned()).collect()
    }

    /// The root with everything below it.
    pub fn tree(&self) -> &Tree {
        &self.root
    }

    /// A cursor at the root.
    pub fn root(&self) -> Node {
        Node::at_root(self.root.clone())
    }

    /// Cursors at all nodes, in preorder.
    pub fn nodes(&self) -> Vec<Node> {
        let mut nodes = Vec::new();
        let mut next = Some(self.root());
        while let Some(node) = next {
            next = node.next_in_preorder();
            nodes.push(node);
        }
        nodes
    }

    /// Cursors at all bands, in preorder.
    pub fn band_nodes(&self) -> Vec<Node> {
        self.nodes().into_iter().filter(|n| n.band().is_some()).collect()
    }

    /// Rebuild what is below the root from the leaves up; see [`Tree::map_bottom_up`].
    pub fn map_bottom_up(&self, f: &mut dyn FnMut(Tree) -> Tree) -> ScheduleTree {
        ScheduleTree { root: self.root.with_child(self.root.child().map_bottom_up(f)) }
    }

    /// The order as a relation; see the module documentation. Instances that extension nodes add
    /// are not part of it.
    pub fn schedule_map(&self) -> UnionMap {
        let mut leaves = Vec::new();
        let mut stack = vec![(&self.root, unordered(self.domain()), 0)];
        while let Some((tree, prefix, depth)) = stack.pop() {
            if tree.is_leaf() {
                leaves.push((prefix, depth));
                continue;
            }
            let ordered = matches!(tree.kind(), NodeKind::Sequence | NodeKind::Set);
            let (prefix, depth) = step(tree.kind(), &prefix, depth);
            for (i, child) in tree.children().iter().enumerate().rev() {
                let below = if ordered { append_constant(&prefix, depth, i) } else { prefix.clone() };
                stack.push((child, below, depth + usize::from(ordered)));
            }
        }
        let width = leaves.iter().map(|(_, depth)| *depth).max().unwrap_or(0);
        let mut result = UnionMap::empty(self.domain().param_ids().to_vec());
        for (prefix, depth) in leaves {
            let padded = (depth..width).fold(prefix, |map, at| append_constant(&map, at, 0));
            result = result.union(&padded);
        }
        result
    }
}

/// The instances, mapped to the point without dimensions.
pub(crate) fn unordered(domain: &UnionSet) -> UnionMap {
    MultiUnionPwAff::zero_dim_on(Tuple::anonymous(0), domain.clone()).to_union_map()
}

/// What a node other than a sequence or set does to the images of instances.
pub(crate) fn step(kind: &NodeKind, prefix: &UnionMap, depth: usize) -> (UnionMap, usize) {
    match kind {
        NodeKind::Band(band) if band.n_member() > 0 => {
            let members = band.schedule.to_union_map();
            (prefix.flat_range_product(&members), depth + band.n_member())
        }
        NodeKind::Filter(filter) => (prefix.intersect_domain(filter), depth),
        NodeKind::Expansion { contraction, .. } => (contraction.apply_range(prefix), depth),
        _ => (prefix.clone(), depth),
    }
}

/// Append a constant to the images, which have `depth` dimensions.
fn append_constant(map: &UnionMap, depth: usize, value: usize) -> UnionMap {
    map.map_members(|m| m.insert_dims(DimKind::Out, depth, 1).fix(DimKind::Out, depth, value))
}

impl Node {
    /// The instances that reach this node.
    pub fn domain(&self) -> UnionSet {
        self.prefix_schedule_map().domain()
    }

    /// The instances that reach this node, mapped to the values of the band members above it.
    pub fn prefix_schedule_map(&self) -> UnionMap {
        let mut prefix = unordered(self.root_domain());
        for kind in self.ancestor_kinds() {
            prefix = step(kind, &prefix, 0).0;
        }
        prefix
    }

    /// The band members above this node as one function of the instances.
    pub fn prefix_schedule(&self) -> MultiUnionPwAff {
        let bands = self.ancestor_kinds().filter_map(|kind| match kind {
            NodeKind::Band(band) => Some(&band.schedule),
            _ => None,
        });
        let domain = self.domain();
        let start = MultiUnionPwAff::zero_dim_on(Tuple::anonymous(0), domain.clone());
        bands.fold(
            start,
            |all, band| {
                if band.dim() == 0 { all } else { all.flat_range_product(&band.intersect_domain(&domain)) }
            },
        )
    }

    /// Tile the band at this place (see [`crate::Band::tile`]): the cursor is then at the tile
    /// band, its child is the point band.
    pub fn band_tile(&self, sizes: &[poly_arith::Int]) -> Node {
        let (tiles, points) = self.expect_band().tile(sizes);
        self.replace(Tree::band(tiles, Tree::band(points, self.subtree().child().clone())))
    }

    /// Split the band at this place before member `pos`: the cursor is at the outer part, its child
    /// is the inner part.
    pub fn band_split(&self, pos: usize) -> Node {
        let (outer, inner) = self.expect_band().split(pos);
        self.replace(Tree::band(outer, Tree::band(inner, self.subtree().child().clone())))
    }

    /// Reorder the members of the band at this place (see [`crate::Band::permute`]).
    pub fn band_permute(&self, order: &[usize]) -> Node {
        self.set_band(self.expect_band().permute(order))
    }

    /// Move the band at this place below its subtree: above every leaf that its instances reach.
    pub fn band_sink(&self) -> Node {
        let band = self.expect_band().clone();
        let sunk = self.subtree().child().map_bottom_up(&mut |tree| {
            if tree.is_leaf() { Tree::band(band.clone(), tree) } else { tree }
        });
        self.replace(sunk)
    }

    fn expect_band(&self) -> &crate::Band {
        self.band().expect("the cursor must be at a band")
    }
}
