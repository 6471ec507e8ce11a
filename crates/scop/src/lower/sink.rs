//! Outer bands whose last members move into the nests below.
//!
//! # Problem
//! The scheduler makes bands as deep as it can. Where a sequence of nests is below a band, the
//! loops of its last members are shared by all of them, and none of the nests can change places
//! with its own loops. Distributed, every nest has a band of its own that can be reordered, tiled,
//! and made vectors of.
//!
//! # Method
//! Let `x` be the last members of a band above a sequence. Inside of the other members,
//!
//! 1. `x` can be distributed over the sequence if no dependence between instances with equal outer
//!    loops goes back to an earlier child;
//! 2. a child whose own loops are one band gets one band with `x`. It is permutable if no
//!    dependence between instances with equal outer loops has a negative distance in any member; a
//!    member is coincident if none has a distance in it. Both are decided exactly;
//! 3. in a child in which the outer loops determine `x`, it is left out.
//!
//! Whether the result is better is for the cost model to say.

use poly_presburger::{Budget, Map, MultiUnionPwAff, Stop, Tuple, UnionPwAff};
use poly_schedule_tree::{Band, NodeKind, Tree};
use poly_transform::{Sign, value_map};

use super::{Lowering, has_sign, is_leaf_below};
use crate::cost::{Place, member_of, points_of};

impl Lowering<'_> {
    /// The band without its last `count` members, which have moved into the children of the
    /// sequence below; `None` if that is not legal.
    pub(super) fn sunk(
        &self,
        node: &Tree,
        band: &Band,
        count: usize,
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Option<(Band, Tree)>, Stop> {
        let (above, moved) = band.split(band.n_member() - count);
        let sequence = node.child();
        let mut outer = place.outer.clone();
        if above.n_member() > 0 {
            outer.push(above.clone());
        }
        let scop = &self.analysis.scop;
        let mut active: Vec<Vec<usize>> = Vec::new();
        for child in sequence.children() {
            let NodeKind::Filter(filter) = child.kind() else { return Ok(None) };
            let is_here = |&s: &usize| filter.get_named(&scop.statements[s].name).is_some();
            active.push(place.active.iter().copied().filter(is_here).collect());
        }
        let Some(dependences) = self.inside(&outer, &place.active, budget)? else { return Ok(None) };
        let child_of = |s: usize| active.iter().position(|statements| statements.contains(&s));
        if dependences.iter().any(|(source, sink, _)| child_of(*source) > child_of(*sink)) {
            return Ok(None);
        }
        let mut children = Vec::new();
        for (child, statements) in sequence.children().iter().zip(&active) {
            let own: Vec<&Inside> = dependences.iter().filter(|(source, _, _)| statements.contains(source)).collect();
            let own: Vec<&Inside> = own.into_iter().filter(|(_, sink, _)| statements.contains(sink)).collect();
            let tree = self.with_members(child.child(), &moved, &outer, statements, &own, budget)?;
            children.push(child.with_child(tree));
        }
        Ok(Some((above, sequence.with_children(children))))
    }

    /// The ordering dependences between instances that agree in the members of all `outer` bands;
    /// `None` if the order of some of them may have been changed.
    fn inside(&self, outer: &[Band], active: &[usize], budget: &mut Budget) -> Result<Option<Vec<Inside>>, Stop> {
        let mut result = Vec::new();
        let dependences = self.analysis.dependences.dependences.iter().enumerate();
        for (number, dependence) in dependences.filter(|(_, d)| d.is_ordering()) {
            let (source, sink) = (dependence.source.0, dependence.sink.0);
            if !active.contains(&source) || !active.contains(&sink) {
                continue;
            }
            if let Some(pairs) = self.pairs_inside(number, points_of(outer), budget)? {
                if dependence.conditional {
                    return Ok(None);
                }
                result.push((source, sink, pairs));
            }
        }
        Ok(Some(result))
    }

    /// A child with the moved members around its loops.
    fn with_members(
        &self,
        tree: &Tree,
        moved: &Band,
        outer: &[Band],
        statements: &[usize],
        own: &[&Inside],
        budget: &mut Budget,
    ) -> Result<Tree, Stop> {
        let mut free = Vec::new();
        for member in 0..moved.n_member() {
            if !self.is_determined(moved, member, outer, statements, budget)? {
                free.push(member);
            }
        }
        if free.is_empty() {
            return Ok(tree.clone());
        }
        let functions = free.iter().map(|&member| self.restricted(moved, member, statements)).collect();
        let around = Band::new(MultiUnionPwAff::new(Tuple::anonymous(free.len()), functions));
        let inner = tree.as_band().filter(|_| is_leaf_below(tree));
        let (mut band, child) = match inner {
            Some(inner) => (around.concat(inner), tree.child().clone()),
            None => (around, tree.clone()),
        };
        band.permutable = true;
        for member in 0..band.n_member() {
            let function = band.schedule.get(member);
            band.coincident[member] = true;
            for (_, _, pairs) in own {
                let back = has_sign(pairs, function, Sign::Negative, budget)?;
                band.permutable &= !back;
                band.coincident[member] &= !back && !has_sign(pairs, function, Sign::Positive, budget)?;
            }
        }
        if band.permutable || inner.is_none() {
            return Ok(Tree::band(band, child));
        }
        let (around, _) = band.split(free.len());
        Ok(Tree::band(Band { permutable: true, ..around }, tree.clone()))
    }

    /// Instances that agree in all outer loops agree in the member.
    fn is_determined(
        &self,
        moved: &Band,
        member: usize,
        outer: &[Band],
        statements: &[usize],
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        for &s in statements {
            let statement = &self.analysis.scop.statements[s];
            let Some(function) = member_of(moved, member, &statement.name) else { return Ok(false) };
            let mut times: Option<Map> = None;
            for (band, m) in outer.iter().flat_map(|band| (0..band.n_member()).map(move |m| (band, m))) {
                let Some(around) = member_of(band, m, &statement.name) else { return Ok(false) };
                let around = value_map(around);
                times = Some(times.map_or(around.clone(), |times| times.flat_range_product(&around)));
            }
            let Some(times) = times else { return Ok(false) };
            let times = times.intersect_domain(&statement.domain);
            if !times.reverse().apply_range(&value_map(function)).is_single_valued(budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A member as function of some statements only.
    fn restricted(&self, band: &Band, member: usize, statements: &[usize]) -> UnionPwAff {
        let function = band.schedule.get(member);
        let mut result = UnionPwAff::empty(function.param_ids().to_vec());
        for &s in statements {
            if let Some(own) = member_of(band, member, &self.analysis.scop.statements[s].name) {
                result.add(own.clone());
            }
        }
        result
    }
}

/// Source, sink, and the pairs of instances.
type Inside = (usize, usize, Map);
