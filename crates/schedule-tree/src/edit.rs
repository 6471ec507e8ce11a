//! Changes of order at a node, and of whole trees, after isl's functions of the same names
//! \[Verdoolaege2014\].
//!
//! None of them asks whether the new order is legal: the caller has to know.
//!
//! | operation | what becomes of the order |
//! |---|---|
//! | [`Node::band_scale`] | the same, with larger values |
//! | [`Node::band_scale_down`], [`Node::band_mod`] | instances with the same quotient, or remainder, are no longer apart in the member |
//! | [`Node::band_shift`] | each instance's values move by those of a function of it |
//! | [`Node::order_before`], [`Node::order_after`] | some of the instances that reach a node run before, or after, the others |
//! | [`Node::graft_before`], [`Node::graft_after`] | instances that are not in the domain run before, or after, those that reach a node |
//! | [`ScheduleTree::sequence`], [`ScheduleTree::set`] | two trees become one |
//! | [`Node::group`], [`ScheduleTree::expand`] | the same, with one instance for several, and several for one |
//! | [`ScheduleTree::pullback`] | other instances run in the order of their images |

use poly_arith::Int;
use poly_presburger::{Budget, MultiUnionPwAff, Set, Stop, UnionMap, UnionPwMultiAff, UnionSet};

use crate::band::Band;
use crate::cursor::Node;
use crate::schedule::ScheduleTree;
use crate::tree::{NodeKind, Tree};

impl Band {
    /// The same properties with other functions, which have to be as many.
    fn with_functions(&self, schedule: MultiUnionPwAff) -> Band {
        assert!(!self.has_grid(), "members with a grid have no other values");
        assert_eq!(schedule.dim(), self.n_member(), "one function per member");
        Band { schedule, isolate: None, ..self.clone() }
    }

    /// One positive number per member.
    fn expect_positive(&self, numbers: &[Int]) {
        assert_eq!(numbers.len(), self.n_member(), "one number per member");
        assert!(numbers.iter().all(Int::is_pos), "the numbers must be positive");
    }

    /// Each member times a positive number. The order stays as it is, so the properties do, too.
    ///
    /// # Panics
    /// Unless there is one positive number per member, and no member has a grid.
    pub fn scale(&self, factors: &[Int]) -> Band {
        self.expect_positive(factors);
        self.with_functions(self.schedule.map_members(|i, member| member.scale(factors[i].clone())))
    }

    /// Each member divided by a positive number and rounded down. Properties stay as they are: what
    /// holds for distances holds for their quotients.
    ///
    /// # Panics
    /// Unless there is one positive number per member, and no member has a grid.
    pub fn scale_down(&self, divisors: &[Int]) -> Band {
        self.expect_positive(divisors);
        let divided = self.schedule.map_members(|i, member| {
            if divisors[i].is_one() { member.clone() } else { member.map_members(|f| f.floor_div(divisors[i].clone())) }
        });
        self.with_functions(divided)
    }

    /// The remainder of each member by a positive number. The band is no longer permutable:
    /// remainders of greater values may be smaller. Coincident members remain so.
    ///
    /// # Panics
    /// Unless there is one positive number per member, and no member has a grid.
    pub fn modulo(&self, moduli: &[Int]) -> Band {
        self.expect_positive(moduli);
        let remainders = self.schedule.map_members(|i, member| member.mod_val(moduli[i].clone()));
        Band { permutable: false, ..self.with_functions(remainders) }
    }

    /// The sum with a function of as many members; where that is not defined, instances keep their
    /// values. Neither permutable nor coincident unless said so afterwards.
    /// Cost: differences of the domains, for each pair of pieces.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    ///
    /// # Panics
    /// Unless there are as many members, and none has a grid.
    pub fn shift(&self, by: &MultiUnionPwAff, budget: &mut Budget) -> Result<Band, Stop> {
        assert_eq!(by.dim(), self.n_member(), "one function per member");
        let domain = self.schedule.domain();
        let mut members = Vec::with_capacity(self.n_member());
        for (member, by) in self.schedule.members().iter().zip(by.members()) {
            members.push(member.union_add(&by.intersect_domain(&domain), budget)?);
        }
        let shifted = if members.is_empty() {
            self.schedule.clone()
        } else {
            MultiUnionPwAff::new(self.schedule.tuple().clone(), members)
        };
        let coincident = vec![false; self.n_member()];
        Ok(Band { permutable: false, coincident, ..self.with_functions(shifted) })
    }
}

impl Node {
    fn expect_band_here(&self) -> &Band {
        self.band().expect("the cursor must be at a band")
    }

    /// Multiply the members of the band at this place ([`Band::scale`]).
    ///
    /// ```
    /// use poly_schedule_tree::ScheduleTree;
    /// let tree: ScheduleTree = r#"{ domain: "{ S[i] : 0 <= i <= 9 }", child: { schedule: "[{ S[i] -> [(i)] }]" } }"#.parse()?;
    /// let scaled = tree.root().child(0).band_scale(&[4.into()]);
    /// assert_eq!(scaled.band().unwrap().schedule.to_string(), "[{ S[i] -> [(4i)] }]");
    /// # Ok::<(), poly_schedule_tree::TreeParseError>(())
    /// ```
    pub fn band_scale(&self, factors: &[Int]) -> Node {
        self.set_band(self.expect_band_here().scale(factors))
    }

    /// Divide the members of the band at this place, rounding down ([`Band::scale_down`]).
    ///
    /// ```
    /// # use poly_schedule_tree::ScheduleTree;
    /// # let tree: ScheduleTree = r#"{ domain: "{ S[i] : 0 <= i <= 9 }", child: { schedule: "[{ S[i] -> [(i)] }]" } }"#.parse()?;
    /// let coarse = tree.root().child(0).band_scale_down(&[4.into()]);
    /// assert_eq!(coarse.band().unwrap().schedule.to_string(), "[{ S[i] -> [(floor((i)/4))] }]");
    /// # Ok::<(), poly_schedule_tree::TreeParseError>(())
    /// ```
    pub fn band_scale_down(&self, divisors: &[Int]) -> Node {
        self.set_band(self.expect_band_here().scale_down(divisors))
    }

    /// Take the remainders of the members of the band at this place ([`Band::modulo`]).
    pub fn band_mod(&self, moduli: &[Int]) -> Node {
        self.set_band(self.expect_band_here().modulo(moduli))
    }

    /// Add a function to the band at this place ([`Band::shift`]).
    ///
    /// ```
    /// # use poly_presburger::Budget;
    /// # use poly_schedule_tree::ScheduleTree;
    /// # let tree: ScheduleTree = r#"{ domain: "{ S[i] : 0 <= i <= 9 }", child: { schedule: "[{ S[i] -> [(i)] }]" } }"#.parse()?;
    /// let by = "[{ S[i] -> [(5 - 2i)] }]".parse().unwrap();
    /// let shifted = tree.root().child(0).band_shift(&by, &mut Budget::unlimited()).unwrap();
    /// assert_eq!(shifted.band().unwrap().schedule.to_string(), "[{ S[i] -> [(5 - i)] }]");
    /// # Ok::<(), poly_schedule_tree::TreeParseError>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn band_shift(&self, by: &MultiUnionPwAff, budget: &mut Budget) -> Result<Node, Stop> {
        Ok(self.set_band(self.expect_band_here().shift(by, budget)?))
    }

    /// A known condition on parameters above this subtree; the cursor is then at the context.
    pub fn insert_context(&self, context: Set) -> Node {
        self.replace(Tree::context(context, self.subtree().clone()))
    }

    /// A condition on parameters that is tested, above this subtree; the cursor is then at the
    /// guard.
    pub fn insert_guard(&self, guard: Set) -> Node {
        self.replace(Tree::guard(guard, self.subtree().clone()))
    }

    /// Of the instances that reach this node, those in a set run before the others, each part in
    /// the order of this subtree. The cursor is at the subtree of the others; nothing changes if
    /// one part is empty.
    /// Cost: a difference of sets, and whether it is empty.
    ///
    /// ```
    /// # use poly_presburger::Budget;
    /// # use poly_schedule_tree::ScheduleTree;
    /// # let tree: ScheduleTree = r#"{ domain: "{ S[i] : 0 <= i <= 9 }", child: { schedule: "[{ S[i] -> [(i)] }]" } }"#.parse()?;
    /// let last = "{ S[i] : i >= 7 }".parse().unwrap();
    /// let changed = tree.root().child(0).order_before(&last, &mut Budget::unlimited()).unwrap().tree();
    /// let order = "{ S[i] -> [0, i] : 7 <= i <= 9; S[i] -> [1, i] : 0 <= i <= 6 }".parse().unwrap();
    /// assert!(changed.schedule_map().is_equal(&order, &mut Budget::unlimited()).unwrap());
    /// # Ok::<(), poly_schedule_tree::TreeParseError>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    ///
    /// # Panics
    /// At the root, and at a child of a sequence or set.
    pub fn order_before(&self, first: &UnionSet, budget: &mut Budget) -> Result<Node, Stop> {
        Ok(match self.parts(first, budget)? {
            Some([inside, outside]) => self.insert_sequence([inside, outside]).child(1).child(0),
            None => self.clone(),
        })
    }

    /// As [`Node::order_before`], but those in the set run after the others. The cursor is at the
    /// subtree of the others.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    ///
    /// # Panics
    /// At the root, and at a child of a sequence or set.
    pub fn order_after(&self, last: &UnionSet, budget: &mut Budget) -> Result<Node, Stop> {
        Ok(match self.parts(last, budget)? {
            Some([inside, outside]) => self.insert_sequence([outside, inside]).child(0).child(0),
            None => self.clone(),
        })
    }

    /// What reaches this node inside of a set and outside of it, unless one of them is empty.
    fn parts(&self, set: &UnionSet, budget: &mut Budget) -> Result<Option<[UnionSet; 2]>, Stop> {
        self.expect_place();
        let domain = self.domain();
        let inside = domain.intersect(set);
        let outside = domain.subtract(set, budget)?;
        let both = !inside.is_empty(budget)? && !outside.is_empty(budget)?;
        Ok(both.then_some([inside, outside]))
    }

    /// Instances that are not in the domain run before those that reach this node: for each value
    /// of the outer schedule dimensions those that `extension` gives, in the order of `graft`. The
    /// cursor is at what was here.
    ///
    /// ```
    /// # use poly_schedule_tree::{ScheduleTree, Tree};
    /// let text = r#"{ domain: "{ S[t, i] : 0 <= t, i <= 9 }", child: { schedule: "[{ S[t, i] -> [(t)] }]", child: { schedule: "[{ S[t, i] -> [(i)] }]" } } }"#;
    /// let tree: ScheduleTree = text.parse()?;
    /// let copies = "{ [t] -> copy[t] : 0 <= t <= 9 }".parse().unwrap();
    /// let changed = tree.root().child(0).child(0).graft_before(copies, Tree::leaf());
    /// assert_eq!(changed.domain().to_string(), "{ S[t, i] : 0 <= t <= 9 and 0 <= i <= 9 }");
    /// assert_eq!(changed.depth(), 5); // domain, band, extension, sequence, filter
    /// # Ok::<(), poly_schedule_tree::TreeParseError>(())
    /// ```
    ///
    /// # Panics
    /// At the root, and at a child of a sequence or set.
    pub fn graft_before(&self, extension: UnionMap, graft: Tree) -> Node {
        self.grafted(extension, graft, true)
    }

    /// As [`Node::graft_before`], but the new instances run after those that reach this node.
    ///
    /// # Panics
    /// At the root, and at a child of a sequence or set.
    pub fn graft_after(&self, extension: UnionMap, graft: Tree) -> Node {
        self.grafted(extension, graft, false)
    }

    fn grafted(&self, extension: UnionMap, graft: Tree, before: bool) -> Node {
        self.expect_place();
        let new = (extension.range(), graft);
        let old = (self.domain(), self.subtree().clone());
        let at = usize::from(before);
        let sequence = Tree::sequence(if before { [new, old] } else { [old, new] });
        self.replace(Tree::extension(extension, sequence)).child(0).child(at).child(0)
    }

    /// Other nodes than filters may stand here.
    pub(crate) fn expect_place(&self) {
        let parent = self.ancestor_kinds().next_back();
        let below_order = matches!(parent, None | Some(NodeKind::Sequence | NodeKind::Set));
        assert!(!below_order, "nothing stands above the root, and the children of a sequence or set are filters");
    }
}

impl ScheduleTree {
    /// Everything here runs before everything there. The domains have no instance in common.
    ///
    /// ```
    /// use poly_presburger::Budget;
    /// use poly_schedule_tree::ScheduleTree;
    /// let a: ScheduleTree = r#"{ domain: "{ A[i] : 0 <= i <= 9 }", child: { schedule: "[{ A[i] -> [(i)] }]" } }"#.parse()?;
    /// let b = ScheduleTree::from_domain("{ B[] }".parse().unwrap());
    /// let order = "{ A[i] -> [0, i] : 0 <= i <= 9; B[] -> [1, 0] }".parse().unwrap();
    /// assert!(a.sequence(&b).schedule_map().is_equal(&order, &mut Budget::unlimited()).unwrap());
    /// # Ok::<(), poly_schedule_tree::TreeParseError>(())
    /// ```
    pub fn sequence(&self, other: &ScheduleTree) -> ScheduleTree {
        self.combined(other, Tree::sequence)
    }

    /// What is here and what is there may run in any order. The domains have no instance in common.
    pub fn set(&self, other: &ScheduleTree) -> ScheduleTree {
        self.combined(other, Tree::set)
    }

    fn combined(&self, other: &ScheduleTree, join: impl FnOnce([(UnionSet, Tree); 2]) -> Tree) -> ScheduleTree {
        let parts = [self, other].map(|tree| (tree.domain().clone(), tree.tree().child().clone()));
        ScheduleTree::new(self.domain().union(other.domain()), join(parts))
    }

    /// The same order for those instances that are in a set.
    pub fn intersect_domain(&self, set: &UnionSet) -> ScheduleTree {
        ScheduleTree::new(self.domain().intersect(set), self.tree().child().clone())
    }

    /// The order of the instances that a function maps to those here: they run as their images do.
    /// Those with the same image are not ordered.
    ///
    /// ```
    /// # use poly_presburger::Budget;
    /// # use poly_schedule_tree::ScheduleTree;
    /// # let tree: ScheduleTree = r#"{ domain: "{ S[i] : 0 <= i <= 9 }", child: { schedule: "[{ S[i] -> [(i)] }]" } }"#.parse()?;
    /// let pulled = tree.pullback(&"{ T[x, y] -> S[(x + 2y)] }".parse().unwrap());
    /// let order = "{ T[x, y] -> [x + 2y] : 0 <= x + 2y <= 9 }".parse().unwrap();
    /// assert!(pulled.schedule_map().is_equal(&order, &mut Budget::unlimited()).unwrap());
    /// # Ok::<(), poly_schedule_tree::TreeParseError>(())
    /// ```
    ///
    /// # Panics
    /// If there are expansions or extensions: the instances that these add are no images.
    pub fn pullback(&self, by: &UnionPwMultiAff) -> ScheduleTree {
        let root = self.tree().map_bottom_up(&mut |tree| {
            let kind = match tree.kind() {
                NodeKind::Domain(domain) => NodeKind::Domain(by.preimage(domain)),
                NodeKind::Filter(filter) => NodeKind::Filter(by.preimage(filter)),
                NodeKind::Band(band) => NodeKind::Band(Band { schedule: band.schedule.pullback(by), ..band.clone() }),
                NodeKind::Expansion { .. } | NodeKind::Extension(_) => {
                    panic!("instances that a tree adds have no preimages")
                }
                _ => return tree,
            };
            tree.with_kind(kind)
        });
        ScheduleTree::from_root(root)
    }

    /// A shorter description of the domain and of filters, for parameter values in a context.
    /// Cost: that of [`UnionSet::gist_params`] for each of them.
    ///
    /// ```
    /// # use poly_presburger::Budget;
    /// # use poly_schedule_tree::ScheduleTree;
    /// let tree = ScheduleTree::from_domain("[n] -> { S[i] : 0 <= i < n and n >= 1 }".parse().unwrap());
    /// let context = "[n] -> { : n >= 1 }".parse().unwrap();
    /// let shorter = tree.gist_domain_params(&context, &mut Budget::unlimited()).unwrap();
    /// assert_eq!(shorter.domain().to_string(), "[n] -> { S[i] : 0 <= i < n }");
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn gist_domain_params(&self, context: &Set, budget: &mut Budget) -> Result<ScheduleTree, Stop> {
        let root = self.tree().try_map_bottom_up(&mut |tree| -> Result<Tree, Stop> {
            Ok(match tree.kind() {
                NodeKind::Domain(domain) => {
                    let kind = NodeKind::Domain(domain.gist_params(context, budget)?);
                    tree.with_kind(kind)
                }
                NodeKind::Filter(filter) => {
                    let kind = NodeKind::Filter(filter.gist_params(context, budget)?);
                    tree.with_kind(kind)
                }
                _ => tree,
            })
        })?;
        Ok(ScheduleTree::from_root(root))
    }

    /// Filters without what is known of the instances that reach them; those that let everything
    /// through are left out where no sequence or set needs them.
    /// Cost: a gist and an inclusion for each filter.
    ///
    /// ```
    /// # use poly_presburger::Budget;
    /// # use poly_schedule_tree::ScheduleTree;
    /// let text = r#"{ domain: "{ S[i] : 0 <= i <= 9 }", child: { filter: "{ S[i] : i <= 20 }", child: { schedule: "[{ S[i] -> [(i)] }]" } } }"#;
    /// let tree: ScheduleTree = text.parse()?;
    /// assert!(tree.gist(&mut Budget::unlimited()).unwrap().root().child(0).band().is_some());
    /// # Ok::<(), poly_schedule_tree::TreeParseError>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn gist(&self, budget: &mut Budget) -> Result<ScheduleTree, Stop> {
        let child = without_known(self.tree().child(), self.domain(), false, budget)?;
        Ok(ScheduleTree::new(self.domain().clone(), child))
    }
}

/// A subtree that these instances reach, with shorter filters.
fn without_known(tree: &Tree, reaching: &UnionSet, needed: bool, budget: &mut Budget) -> Result<Tree, Stop> {
    let ordered = matches!(tree.kind(), NodeKind::Sequence | NodeKind::Set);
    let mut inside = reaching.clone();
    match tree.kind() {
        NodeKind::Filter(filter) => {
            if !needed && reaching.is_subset(filter, budget)? {
                return without_known(tree.child(), reaching, false, budget);
            }
            inside = reaching.intersect(filter);
        }
        // What is added below is not among the instances that are known here.
        NodeKind::Expansion { .. } | NodeKind::Extension(_) => return Ok(tree.clone()),
        _ => {}
    }
    let mut children = Vec::with_capacity(tree.children().len());
    for child in tree.children() {
        children.push(without_known(child, &inside, ordered, budget)?);
    }
    let tree = tree.with_children(children);
    Ok(match tree.kind() {
        NodeKind::Filter(filter) => {
            let kind = NodeKind::Filter(filter.gist(reaching, budget)?);
            tree.with_kind(kind)
        }
        _ => tree,
    })
}
