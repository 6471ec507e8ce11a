//! Groups of instances that further scheduling treats as one, and what a tree says below a node,
//! after isl's functions of the same names \[Verdoolaege2014\].
//!
//! # Groups
//! Let `D` be the instances that reach a node and `p` the members of the bands above it. Grouping
//! gives a new statement `G` with the instances `G[p(d)]` for `d` in `D`. Above the node, `G`
//! stands in the place of `D`: it is part of the domain, filters let it through, and each band
//! gives it the coordinates that are its members. At the node, an expansion replaces each `G[x]` by
//! those `d` with `p(d) = x`. The order of the instances stays as it is; operations on the bands
//! above then move whole groups.
//!
//! The converse is [`ScheduleTree::expand`]: each instance of a tree stands for several of another
//! one.

use poly_presburger::{
    Budget, DimKind, Id, MultiUnionPwAff, Stop, Tuple, UnionMap, UnionPwAff, UnionPwMultiAff, UnionSet,
};

use crate::band::Band;
use crate::cursor::Node;
use crate::schedule::{ScheduleTree, step, unordered};
use crate::tree::{NodeKind, Tree};

/// What stands in the place of the instances that reach a node.
struct Group {
    /// The new statement.
    tuple: Tuple,
    /// The instances that reach the node.
    members: UnionSet,
    /// From each of them to its group.
    contraction: UnionMap,
    /// The groups, and each coordinate as a function of them.
    functions: MultiUnionPwAff,
}

impl Group {
    fn new(node: &Node, name: Id) -> Group {
        let depth = node.schedule_depth();
        let tuple = Tuple::named(name, depth);
        let contraction = prefix(node).map_members(|map| map.set_tuple(DimKind::Out, tuple.clone()));
        let groups = contraction.range();
        let functions = UnionPwMultiAff::identity_on(&groups.universe());
        let functions = match depth {
            0 => MultiUnionPwAff::zero_dim_on(Tuple::anonymous(0), groups),
            n => {
                let coordinate = |i: usize| UnionPwAff::from_members(functions.iter().map(|f| f.get(i)));
                MultiUnionPwAff::new(Tuple::anonymous(n), (0..n).map(coordinate).collect())
            }
        };
        Group { tuple, members: contraction.domain(), contraction, functions }
    }

    /// The groups of some instances.
    fn of(&self, instances: &UnionSet) -> UnionSet {
        instances.apply(&self.contraction)
    }

    /// A node above, of which the members from number `depth` of the prefix on are those of this
    /// band.
    fn above(&self, kind: &NodeKind, depth: usize, made: &mut UnionSet, budget: &mut Budget) -> Result<NodeKind, Stop> {
        Ok(match kind {
            NodeKind::Domain(domain) => {
                let groups = self.of(domain);
                *made = made.union(&groups);
                NodeKind::Domain(domain.subtract(&self.members, budget)?.union(&groups))
            }
            NodeKind::Extension(extension) => {
                let grouped = extension.intersect_range(&self.members).apply_range(&self.contraction);
                let grouped = grouped.subtract_range(made, budget)?;
                *made = made.union(&grouped.range());
                NodeKind::Extension(extension.subtract_range(&self.members, budget)?.union(&grouped))
            }
            // The instances in the group do not come here any more, so it does not matter that they
            // are let through.
            NodeKind::Filter(filter) => NodeKind::Filter(filter.union(&self.functions.domain().universe())),
            NodeKind::Band(band) => NodeKind::Band(self.scheduled(band, depth)),
            other => other.clone(),
        })
    }

    fn scheduled(&self, band: &Band, depth: usize) -> Band {
        let schedule = match band.n_member() {
            0 => {
                let domain = band.schedule.domain().union(&self.functions.domain());
                MultiUnionPwAff::zero_dim_on(band.schedule.tuple().clone(), domain)
            }
            _ => band.schedule.map_members(|i, member| {
                let mut member = member.clone();
                self.functions.get(depth + i).iter().for_each(|f| member.add(f.clone()));
                member
            }),
        };
        Band { schedule, ..band.clone() }
    }
}

/// The instances that reach a node, also those that are added above, mapped to the band members
/// above.
fn prefix(node: &Node) -> UnionMap {
    let mut prefix = unordered(node.root_domain());
    for kind in node.ancestor_kinds() {
        prefix = match kind {
            NodeKind::Extension(extension) => prefix.union(&extension.reverse()),
            kind => step(kind, &prefix, 0).0,
        };
    }
    prefix
}

impl Node {
    /// Make one instance of a new statement of those that have the same values of all band members
    /// above (see the module documentation). The cursor is at the node as before, below the new
    /// expansion. Nothing changes if a tree has no instance here. Cost: a difference of sets at the
    /// root and at each extension above.
    ///
    /// ```
    /// use poly_presburger::Budget;
    /// use poly_schedule_tree::ScheduleTree;
    /// let text = r#"{ domain: "{ S[i, j] : 0 <= i, j <= 9 }", child: { schedule: "[{ S[i, j] -> [(i)] }]", child: { schedule: "[{ S[i, j] -> [(j)] }]" } } }"#;
    /// let tree: ScheduleTree = text.parse()?;
    /// let grouped = tree.root().child(0).child(0).group("row".into(), &mut Budget::unlimited()).unwrap();
    /// assert_eq!(grouped.tree().domain().to_string(), "{ row[i0] : 0 <= i0 <= 9 }");
    /// let order = "{ S[i, j] -> [i, j] : 0 <= i, j <= 9 }".parse().unwrap();
    /// assert!(grouped.tree().schedule_map().is_equal(&order, &mut Budget::unlimited()).unwrap());
    /// # Ok::<(), poly_schedule_tree::TreeParseError>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    ///
    /// # Panics
    /// At the root, at a child of a sequence or set, below an expansion, and if the tree has a
    /// statement of that name and number of coordinates.
    pub fn group(&self, name: Id, budget: &mut Budget) -> Result<Node, Stop> {
        self.expect_place();
        let expanded = self.ancestor_kinds().any(|kind| matches!(kind, NodeKind::Expansion { .. }));
        assert!(!expanded, "what is below an expansion is grouped already");
        let group = Group::new(self, name);
        if group.members.is_empty(budget)? {
            return Ok(self.clone());
        }
        let tuple = &group.tuple;
        let taken = self.tree().domain().get_tuple(tuple).is_some() || group.members.get_tuple(tuple).is_some();
        assert!(!taken, "there is a statement {tuple} already");
        let expansion =
            NodeKind::Expansion { contraction: group.contraction.clone(), expansion: group.contraction.reverse() };
        let here = Tree::new(expansion, vec![self.subtree().clone()]);
        let (mut depth, mut made) = (0, UnionSet::empty(Vec::new()));
        let grouped = self.replace(here).with_ancestors(&mut |kind| {
            let above = group.above(kind, depth, &mut made, budget)?;
            depth += if let NodeKind::Band(band) = kind { band.n_member() } else { 0 };
            Ok::<NodeKind, Stop>(above)
        })?;
        Ok(grouped.child(0))
    }

    /// The order of the instances that reach this node by what is below it, as a relation.
    /// Instances that expansions below give come in the place of those they are grouped under.
    ///
    /// ```
    /// # use poly_presburger::Budget;
    /// # use poly_schedule_tree::ScheduleTree;
    /// # let text = r#"{ domain: "{ S[i, j] : 0 <= i, j <= 9 }", child: { schedule: "[{ S[i, j] -> [(i)] }]", child: { schedule: "[{ S[i, j] -> [(j)] }]" } } }"#;
    /// # let tree: ScheduleTree = text.parse()?;
    /// let below = tree.root().child(0).child(0).subtree_schedule_map();
    /// let order = "{ S[i, j] -> [j] : 0 <= i, j <= 9 }".parse().unwrap();
    /// assert!(below.is_equal(&order, &mut Budget::unlimited()).unwrap());
    /// # Ok::<(), poly_schedule_tree::TreeParseError>(())
    /// ```
    pub fn subtree_schedule_map(&self) -> UnionMap {
        match self.kind() {
            NodeKind::Domain(_) => self.tree().schedule_map(),
            _ => ScheduleTree::new(self.domain(), self.subtree().clone()).schedule_map(),
        }
    }
}

impl ScheduleTree {
    /// The tree in which each instance stands for those of `inner` that `contraction` maps to it;
    /// they run in the order of `inner` where they have the same image.
    ///
    /// ```
    /// # use poly_presburger::Budget;
    /// # use poly_schedule_tree::ScheduleTree;
    /// let rows: ScheduleTree = r#"{ domain: "{ row[i] : 0 <= i <= 9 }", child: { schedule: "[{ row[i] -> [(-i)] }]" } }"#.parse()?;
    /// let inner: ScheduleTree = r#"{ domain: "{ S[i, j] : 0 <= j <= i <= 9 }", child: { schedule: "[{ S[i, j] -> [(j)] }]" } }"#.parse()?;
    /// let both = rows.expand(&"{ S[i, j] -> row[(i)] }".parse().unwrap(), &inner);
    /// let order = "{ S[i, j] -> [-i, j] : 0 <= j <= i <= 9 }".parse().unwrap();
    /// assert!(both.schedule_map().is_equal(&order, &mut Budget::unlimited()).unwrap());
    /// # Ok::<(), poly_schedule_tree::TreeParseError>(())
    /// ```
    ///
    /// # Panics
    /// If there are expansions or extensions in the outer tree.
    pub fn expand(&self, contraction: &UnionPwMultiAff, inner: &ScheduleTree) -> ScheduleTree {
        let outer = self.pullback(contraction).intersect_domain(inner.domain());
        outer.map_bottom_up(&mut |tree| if tree.is_leaf() { inner.tree().child().clone() } else { tree })
    }
}
