//! Schedule trees: the nodes and their constructors.
//!
//! A schedule tree [Verdoolaege2014] says in which order the instances of statements run.
//! Its nodes, from the root down, successively restrict and order a set of instances:
//!
//! * *domain* (the root): all instances;
//! * *context*, *guard*: conditions on parameters and outer schedule dimensions that are known, or
//!   have to be tested;
//! * *band*: orders its instances by a (multi-dimensional, piecewise quasi-affine) schedule;
//! * *filter*: keeps some of the instances;
//! * *sequence*: its children, all of them filters, run one after the other;
//! * *set*: its children, all of them filters, run in any order;
//! * *mark*: something that is said about the subtree, see [`Mark`];
//! * *expansion*: replaces each instance by a group of others;
//! * *extension*: adds instances that are not in the domain;
//! * *leaf*: nothing further; instances that reach the same leaf with equal schedule are not
//!   ordered.
//!
//! Invariants (checked on construction): a leaf has no child, sequences and sets have filters as
//! children, every other node has one child, the domain is at the root and only there. Trees are
//! immutable and share their nodes, so a changed tree costs one path from the root. A tree is no
//! higher than [`MAX_HEIGHT`], which bounds every recursion over it.

use std::sync::Arc;

use poly_presburger::{Set, UnionMap, UnionSet};

use crate::band::Band;
use crate::mark::Mark;

/// Greatest number of nodes on a path from the root to a leaf.
pub const MAX_HEIGHT: usize = 512;

/// What a node of a schedule tree does.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// The instances that the tree orders; the root.
    Domain(UnionSet),
    /// Known conditions on parameters and outer schedule dimensions (the set's tuple).
    Context(Set),
    /// A partial schedule.
    Band(Band),
    /// Children that run one after the other.
    Sequence,
    /// Children that run in any order.
    Set,
    /// The instances that go further down.
    Filter(UnionSet),
    /// Something that is said about the subtree.
    Mark(Mark),
    /// Each instance stands for a group of others.
    Expansion {
        /// From each new instance to the one it is grouped under; single valued.
        contraction: UnionMap,
        /// From each instance to the new ones.
        expansion: UnionMap,
    },
    /// From outer schedule dimensions to additional instances.
    Extension(UnionMap),
    /// Conditions on parameters and outer schedule dimensions under which the subtree runs.
    Guard(Set),
    /// The end of a branch.
    Leaf,
}

#[derive(Debug, PartialEq)]
struct Inner {
    kind: NodeKind,
    children: Vec<Tree>,
    height: usize,
}

/// A node with all that is below it. Cheap to clone.
#[derive(Clone, Debug)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct Tree(Arc<Inner>);

impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl Tree {
    /// A node of any kind. The constructors for single kinds are easier to read.
    pub fn new(kind: NodeKind, children: Vec<Tree>) -> Tree {
        match kind {
            NodeKind::Leaf => assert!(children.is_empty(), "a leaf has no children"),
            NodeKind::Sequence | NodeKind::Set => {
                let filters = children.iter().all(|c| matches!(c.kind(), NodeKind::Filter(_)));
                assert!(filters, "the children of a sequence or set are filters");
            }
            _ => assert_eq!(children.len(), 1, "this kind of node has exactly one child"),
        }
        let rooted = children.iter().any(|c| matches!(c.kind(), NodeKind::Domain(_)));
        assert!(!rooted, "a domain can only be the root");
        let height = 1 + children.iter().map(Tree::height).max().unwrap_or(0);
        assert!(height <= MAX_HEIGHT, "a schedule tree is at most {MAX_HEIGHT} nodes high");
        Tree(Arc::new(Inner { kind, children, height }))
    }

    /// The end of a branch.
    pub fn leaf() -> Tree {
        Tree::new(NodeKind::Leaf, Vec::new())
    }

    /// A band above `child`.
    pub fn band(band: Band, child: Tree) -> Tree {
        Tree::new(NodeKind::Band(band), vec![child])
    }

    /// A filter above `child`.
    pub fn filter(filter: UnionSet, child: Tree) -> Tree {
        Tree::new(NodeKind::Filter(filter), vec![child])
    }

    /// Filtered children that run one after the other.
    pub fn sequence(children: impl IntoIterator<Item = (UnionSet, Tree)>) -> Tree {
        Tree::new(NodeKind::Sequence, children.into_iter().map(|(f, c)| Tree::filter(f, c)).collect())
    }

    /// Filtered children that run in any order.
    pub fn set(children: impl IntoIterator<Item = (UnionSet, Tree)>) -> Tree {
        Tree::new(NodeKind::Set, children.into_iter().map(|(f, c)| Tree::filter(f, c)).collect())
    }

    /// A mark above `child`.
    pub fn mark(mark: Mark, child: Tree) -> Tree {
        Tree::new(NodeKind::Mark(mark), vec![child])
    }

    /// A known condition above `child`.
    pub fn context(context: Set, child: Tree) -> Tree {
        Tree::new(NodeKind::Context(context), vec![child])
    }

    /// A condition to test above `child`.
    pub fn guard(guard: Set, child: Tree) -> Tree {
        Tree::new(NodeKind::Guard(guard), vec![child])
    }

    /// Additional instances for `child`.
    pub fn extension(extension: UnionMap, child: Tree) -> Tree {
        Tree::new(NodeKind::Extension(extension), vec![child])
    }

    /// What the node does.
    pub fn kind(&self) -> &NodeKind {
        &self.0.kind
    }

    /// The children, in order.
    pub fn children(&self) -> &[Tree] {
        &self.0.children
    }

    /// The first child; every node but a leaf (or an empty sequence) has one.
    pub fn child(&self) -> &Tree {
        self.0.children.first().expect("only a leaf has no child, and nobody asks a leaf")
    }

    /// Number of nodes on the longest path down, counting this one.
    pub fn height(&self) -> usize {
        self.0.height
    }

    /// The band, if the node is one.
    pub fn as_band(&self) -> Option<&Band> {
        match self.kind() {
            NodeKind::Band(band) => Some(band),
            _ => None,
        }
    }

    /// The mark, if the node is one.
    pub fn as_mark(&self) -> Option<&Mark> {
        match self.kind() {
            NodeKind::Mark(mark) => Some(mark),
            _ => None,
        }
    }

    /// Whether this is a leaf.
    pub fn is_leaf(&self) -> bool {
        matches!(self.kind(), NodeKind::Leaf)
    }

    /// The same node with other children.
    pub fn with_children(&self, children: Vec<Tree>) -> Tree {
        Tree::new(self.kind().clone(), children)
    }

    /// The same node with another only child.
    pub fn with_child(&self, child: Tree) -> Tree {
        self.with_children(vec![child])
    }

    /// The same children under another node.
    pub fn with_kind(&self, kind: NodeKind) -> Tree {
        Tree::new(kind, self.children().to_vec())
    }

    /// Rebuild the tree from its leaves up: `f` is given each node with its children already
    /// rebuilt, and returns what stands in its place.
    pub fn map_bottom_up(&self, f: &mut dyn FnMut(Tree) -> Tree) -> Tree {
        let result = self.try_map_bottom_up(&mut |tree| Ok::<Tree, std::convert::Infallible>(f(tree)));
        match result {
            Ok(tree) => tree,
            Err(never) => match never {},
        }
    }

    /// As [`Tree::map_bottom_up`], for functions that can fail.
    pub fn try_map_bottom_up<E>(&self, f: &mut dyn FnMut(Tree) -> Result<Tree, E>) -> Result<Tree, E> {
        let mut children = Vec::with_capacity(self.children().len());
        for child in self.children() {
            children.push(child.try_map_bottom_up(f)?);
        }
        let unchanged = children.iter().zip(self.children()).all(|(a, b)| Arc::ptr_eq(&a.0, &b.0));
        f(if unchanged { self.clone() } else { self.with_children(children) })
    }

    /// Visit all nodes, parents before their children, children in order.
    pub fn for_each(&self, f: &mut dyn FnMut(&Tree)) {
        let mut stack = vec![self];
        while let Some(tree) = stack.pop() {
            f(tree);
            stack.extend(tree.children().iter().rev());
        }
    }

    /// All marks in preorder.
    pub fn marks(&self) -> Vec<&Mark> {
        let mut marks = Vec::new();
        let mut stack = vec![self];
        while let Some(tree) = stack.pop() {
            marks.extend(tree.as_mark());
            stack.extend(tree.children().iter().rev());
        }
        marks
    }

    /// All bands in preorder.
    pub fn bands(&self) -> Vec<&Band> {
        let mut bands = Vec::new();
        let mut stack = vec![self];
        while let Some(tree) = stack.pop() {
            bands.extend(tree.as_band());
            stack.extend(tree.children().iter().rev());
        }
        bands
    }
}
