//! Cursors into schedule trees.
//!
//! A [`Node`] is a position: the path from the root with every subtree on it (a zipper). Moving
//! gives another cursor, changing the subtree gives a cursor at the same place of a new tree; old
//! trees and cursors stay valid. A change costs one path from the position to the root, paid when
//! the changed tree is asked for ([`Node::tree`]) or the cursor moves up.

use poly_presburger::UnionSet;

use crate::band::Band;
use crate::mark::Mark;
use crate::schedule::ScheduleTree;
use crate::tree::{NodeKind, Tree};

/// A position in a schedule tree.
#[derive(Clone, Debug)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct Node {
    /// The subtrees from the root to the parent of the position, with the number of the child that
    /// was taken. Subtrees above a change are out of date until the cursor moves up.
    ancestors: Vec<(Tree, usize)>,
    here: Tree,
}

impl Node {
    pub(crate) fn at_root(root: Tree) -> Node {
        Node { ancestors: Vec::new(), here: root }
    }

    /// The subtree at the position.
    pub fn subtree(&self) -> &Tree {
        &self.here
    }

    /// What the node at the position does.
    pub fn kind(&self) -> &NodeKind {
        self.here.kind()
    }

    /// The band at the position, if it is one.
    pub fn band(&self) -> Option<&Band> {
        self.here.as_band()
    }

    /// Number of children.
    pub fn n_children(&self) -> usize {
        self.here.children().len()
    }

    /// Number of nodes above.
    pub fn depth(&self) -> usize {
        self.ancestors.len()
    }

    /// The numbers of the children taken from the root down to here.
    pub fn path(&self) -> Vec<usize> {
        self.ancestors.iter().map(|(_, child)| *child).collect()
    }

    /// Number of this node among the children of its parent (0 for the root).
    pub fn position(&self) -> usize {
        self.ancestors.last().map_or(0, |(_, child)| *child)
    }

    /// Number of band members above.
    pub fn schedule_depth(&self) -> usize {
        self.ancestors.iter().filter_map(|(tree, _)| tree.as_band()).map(Band::n_member).sum()
    }

    /// The kinds of the nodes above, from the root down.
    pub fn ancestor_kinds(&self) -> impl DoubleEndedIterator<Item = &NodeKind> {
        self.ancestors.iter().map(|(tree, _)| tree.kind())
    }

    /// The domain at the root, which no change below alters.
    pub(crate) fn root_domain(&self) -> &UnionSet {
        let root = self.ancestors.first().map_or(&self.here, |(tree, _)| tree);
        let NodeKind::Domain(domain) = root.kind() else { unreachable!("the root is a domain") };
        domain
    }

    /// The cursor at child `i`.
    pub fn child(&self, i: usize) -> Node {
        assert!(i < self.n_children(), "there is no child {i}");
        let mut ancestors = self.ancestors.clone();
        ancestors.push((self.here.clone(), i));
        Node { here: self.here.children()[i].clone(), ancestors }
    }

    /// The cursors at all children, in order.
    pub fn children(&self) -> impl Iterator<Item = Node> + '_ {
        (0..self.n_children()).map(|i| self.child(i))
    }

    /// The cursor at the parent; `None` at the root.
    pub fn parent(&self) -> Option<Node> {
        let mut ancestors = self.ancestors.clone();
        let (tree, i) = ancestors.pop()?;
        let mut children = tree.children().to_vec();
        if children[i] == self.here {
            return Some(Node { ancestors, here: tree });
        }
        children[i] = self.here.clone();
        Some(Node { ancestors, here: tree.with_children(children) })
    }

    /// The cursor `generation` nodes further up.
    pub fn ancestor(&self, generation: usize) -> Option<Node> {
        let mut node = self.clone();
        for _ in 0..generation {
            node = node.parent()?;
        }
        Some(node)
    }

    /// The cursor at the root.
    pub fn root(&self) -> Node {
        let mut node = self.clone();
        while let Some(parent) = node.parent() {
            node = parent;
        }
        node
    }

    /// The next child of the parent.
    pub fn next_sibling(&self) -> Option<Node> {
        let parent = self.parent()?;
        let next = self.position() + 1;
        (next < parent.n_children()).then(|| parent.child(next))
    }

    /// The tree, with all changes made at this cursor.
    pub fn tree(&self) -> ScheduleTree {
        ScheduleTree::from_root(self.root().here)
    }

    /// The cursor at the same path of another tree; `None` where that tree has no such path.
    pub fn follow(tree: &ScheduleTree, path: &[usize]) -> Option<Node> {
        let mut node = tree.root();
        for &i in path {
            if i >= node.n_children() {
                return None;
            }
            node = node.child(i);
        }
        Some(node)
    }

    /// Another subtree in this place.
    pub fn replace(&self, subtree: Tree) -> Node {
        let domain = matches!(subtree.kind(), NodeKind::Domain(_));
        assert_eq!(domain, self.ancestors.is_empty(), "a domain must be the root, and the root a domain");
        Node { ancestors: self.ancestors.clone(), here: subtree }
    }

    /// A mark above this subtree; the cursor is then at the mark.
    pub fn insert_mark(&self, mark: Mark) -> Node {
        self.replace(Tree::mark(mark, self.here.clone()))
    }

    /// A band above this subtree; the cursor is then at the band.
    pub fn insert_band(&self, band: Band) -> Node {
        self.replace(Tree::band(band, self.here.clone()))
    }

    /// A filter above this subtree; the cursor is then at the filter.
    pub fn insert_filter(&self, filter: UnionSet) -> Node {
        self.replace(Tree::filter(filter, self.here.clone()))
    }

    /// A sequence above copies of this subtree, one for each filter; the cursor is at the sequence.
    pub fn insert_sequence(&self, filters: impl IntoIterator<Item = UnionSet>) -> Node {
        self.replace(Tree::sequence(filters.into_iter().map(|f| (f, self.here.clone()))))
    }

    /// Remove this node; its only child takes its place.
    pub fn delete(&self) -> Node {
        assert_eq!(self.n_children(), 1, "only a node with one child can be deleted");
        self.replace(self.here.child().clone())
    }

    /// Remove everything below and including this node.
    pub fn cut(&self) -> Node {
        self.replace(Tree::leaf())
    }

    /// Change the band at this place.
    pub fn set_band(&self, band: Band) -> Node {
        assert!(self.band().is_some(), "there is no band at this place");
        self.replace(self.here.with_kind(NodeKind::Band(band)))
    }

    /// The same place with other nodes above, which keep their children. `f` is given them from the
    /// root down.
    pub(crate) fn with_ancestors<E>(&self, f: &mut dyn FnMut(&NodeKind) -> Result<NodeKind, E>) -> Result<Node, E> {
        let mut ancestors = Vec::with_capacity(self.ancestors.len());
        for (tree, child) in &self.ancestors {
            ancestors.push((tree.with_kind(f(tree.kind())?), *child));
        }
        Ok(Node { ancestors, here: self.here.clone() })
    }

    /// The next cursor in preorder.
    pub fn next_in_preorder(&self) -> Option<Node> {
        if self.n_children() > 0 {
            return Some(self.child(0));
        }
        let mut node = self.clone();
        loop {
            if let Some(sibling) = node.next_sibling() {
                return Some(sibling);
            }
            node = node.parent()?;
        }
    }

    /// The depth of the closest node that is above (or at) both cursors of one tree.
    pub fn shared_depth(&self, other: &Node) -> usize {
        self.ancestors.iter().zip(&other.ancestors).take_while(|(a, b)| a.1 == b.1).count()
    }
}
