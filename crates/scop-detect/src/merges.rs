//! PHI nodes where several ways meet: values that depend on the way by which control has come.
//!
//! # Problem
//! Where optimizers have taken loops apart (one version for `m > 0`, one for other `m`), conditions, bounds and addresses that both need are merged behind them.
//! Scalar evolution does not look into such PHI nodes.
//!
//! # Algorithm
//! The edges into the block of the PHI node have domains ([`crate::domains`]). If they are disjoint, the value is that of the edge whose domain contains the iteration. A PHI node of a
//! loop's header is not of this kind, nor one behind a branch that depends on data: the domains of such edges overlap.
//!
//! An address that is merged from addresses in one array is one in that array. If its offset is not affine but the same on all edges, the edges do not matter.

use poly_presburger::{Budget, DimKind, Set};
use poly_scop::shape::Polynomial;
use poly_shim::ir::Opcode;
use poly_shim::{ScevKind, ValueRef};

use crate::affine::{Sign, Translator, Use};
use crate::cfg::{BlockId, LoopIndex};
use crate::conditions::Split;
use crate::names;
use crate::reject::Blocker;
use crate::values::Origins;

/// A way to the block of a PHI node.
struct Way<'c> {
    /// The iterations of the loops around the block in which control comes by it.
    domain: Set,
    value: ValueRef<'c>,
}

/// The loops around a block, and what something is on the ways to it, each with its domain.
type OnWays<T> = (Vec<LoopIndex>, Vec<(Set, T)>);

/// The ways to a block.
struct Meeting<'c> {
    block: BlockId,
    /// The loops around it.
    loops: Vec<LoopIndex>,
    ways: Vec<Way<'c>>,
}

/// The block of the region in which a PHI node merges several ways of one iteration.
fn merging_block<'c>(origins: Origins<'_, 'c>, phi: ValueRef<'c>) -> Option<BlockId> {
    let cfg = origins.cfg;
    let block = origins.defining_block(phi).filter(|_| phi.opcode() == Some(Opcode::Phi))?;
    let is_header = cfg.loop_of[block].is_some_and(|l| cfg.loops[l].header == block);
    // What is executed as a whole has ways of its own.
    (!is_header && !origins.is_closed(block)).then_some(block)
}

/// The pointer that all addresses merged by a PHI node, also by several, are relative to.
pub(crate) fn common_base<'c>(origins: Origins<'_, 'c>, phi: ValueRef<'c>) -> Option<ValueRef<'c>> {
    let block = merging_block(origins, phi)?;
    let mut base = None;
    for (_, value) in phi.incoming() {
        let own = origins.ctx.pointer_base(origins.scev_in(value, block)?);
        let own = own.unknown_value().filter(|own| origins.defining_block(*own).is_none())?;
        if *base.get_or_insert(own) != own {
            return None;
        }
    }
    base
}

impl<'c> Translator<'_, 'c> {
    /// The ways that meet at a PHI node, if the iteration tells which one was taken.
    fn meeting(&self, phi: ValueRef<'c>, at: &Use<'_>, budget: &mut Budget) -> Result<Option<Meeting<'c>>, Blocker> {
        let origins = self.origins;
        let Some(block) = merging_block(origins, phi) else { return Ok(None) };
        let loops = origins.region.loops_around(origins.cfg, block);
        if !at.loops.starts_with(&loops) {
            return Ok(None);
        }
        let inner = at.loops.len() - loops.len();
        let domain = at.domain.project_out(DimKind::Out, loops.len(), inner);
        let mut ways: Vec<Way<'c>> = Vec::new();
        let mut seen = Vec::new();
        for (from, value) in phi.incoming() {
            let from = origins.cfg.number(from);
            let part = from.and_then(|from| origins.cfg.closed_at(from));
            if part.is_some_and(|part| part.chosen.contains(&phi)) {
                return Ok(None);
            }
            if seen.contains(&from) {
                continue;
            }
            seen.push(from);
            let Some(edge) = from.and_then(|from| self.edges.get(&(from, block))) else { return Ok(None) };
            let way = edge.project_out(DimKind::Out, loops.len(), edge.n_dim() - loops.len()).intersect(&domain);
            if self.facts.is_impossible(&way, budget)? {
                continue;
            }
            for other in &ways {
                if !self.facts.is_impossible(&way.intersect(&other.domain), budget)? {
                    return Ok(None);
                }
            }
            ways.push(Way { domain: way, value });
        }
        Ok((!ways.is_empty()).then_some(Meeting { block, loops, ways }))
    }

    /// What a merged value is on each way, with the iterations in which it is taken; nothing if the ways are not known.
    fn on_each_way<T>(
        &mut self,
        phi: ValueRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
        value_of: impl Fn(&mut Self, ValueRef<'c>, &Use<'_>, &mut Budget) -> Result<T, Blocker>,
    ) -> Result<Option<OnWays<T>>, Blocker> {
        let Some(meeting) = self.meeting(phi, at, budget)? else { return Ok(None) };
        let mut values = Vec::new();
        for way in meeting.ways {
            let inside = Use { block: meeting.block, loops: &meeting.loops, domain: &way.domain, ..*at };
            let value = value_of(self, way.value, &inside, budget)?;
            values.push((way.domain, value));
        }
        Ok(Some((meeting.loops, values)))
    }

    /// When a merged condition holds; nothing if the ways are not known.
    pub(crate) fn merged_condition(
        &mut self,
        phi: ValueRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Split>, Blocker> {
        let splits = self.on_each_way(phi, at, budget, |this, value, at, budget| this.condition(value, at, budget))?;
        let Some((loops, splits)) = splits else { return Ok(None) };
        let depth = loops.len();
        let empty = Set::empty(self.space(depth));
        let mut result = Split { holds: empty.clone(), fails: empty };
        for (domain, split) in &splits {
            result.holds = result.holds.union(&domain.intersect(&split.holds));
            result.fails = result.fails.union(&domain.intersect(&split.fails));
        }
        let lifted = |set: Set| set.insert_dims(DimKind::Out, depth, at.depth() - depth);
        Ok(Some(Split { holds: lifted(result.holds.coalesce(budget)?), fails: lifted(result.fails.coalesce(budget)?) }))
    }

    /// The signed value of a merged integer; nothing if the ways are not known.
    pub(crate) fn merged_integer(
        &mut self,
        phi: ValueRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        let values = self.on_each_way(phi, at, budget, |this, value, at, budget| {
            let scev = this.origins.scev_in(value, at.block);
            let scev = scev.ok_or_else(|| at.blocker(format!("{} is not an integer expression", at.what)))?;
            this.integer(scev, Sign::Signed, at, budget)
        })?;
        let Some((loops, values)) = values else { return Ok(None) };
        self.chosen(&values, &loops, at, budget).map(Some)
    }

    /// A polynomial congruent to what a merged address adds to the pointer that all of the merged addresses are relative to.
    pub(crate) fn merged_offset(
        &mut self,
        phi: ValueRef<'c>,
        base: ValueRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Polynomial, Blocker> {
        let unknown = || at.blocker(format!("{} depends on {}", at.what, names::quoted(phi)));
        let block = merging_block(self.origins, phi).ok_or_else(unknown)?;
        let loops = self.origins.region.loops_around(self.origins.cfg, block);
        if !at.loops.starts_with(&loops) {
            return Err(unknown());
        }
        let meeting = self.meeting(phi, at, budget)?;
        let everywhere = Set::universe(self.space(loops.len()));
        let ways = match &meeting {
            Some(meeting) => meeting.ways.iter().map(|way| (way.domain.clone(), way.value)).collect(),
            None => phi.incoming().into_iter().map(|(_, value)| (everywhere.clone(), value)).collect::<Vec<_>>(),
        };
        let mut offsets = Vec::new();
        for (domain, value) in &ways {
            let may_assume = at.may_assume && meeting.is_some();
            let inside = Use { block, loops: &loops, domain, may_assume, ..*at };
            let (Some(address), Some(start)) = (self.origins.scev_in(*value, block), self.origins.ctx.scev(base))
            else {
                return Err(unknown());
            };
            let distance = self.origins.ctx.scev_minus(address, start);
            if distance.kind() == ScevKind::CouldNotCompute {
                return Err(unknown());
            }
            offsets.push((domain.clone(), self.offset(distance, &inside, budget)?.0));
        }
        let (_, first) = offsets.first().ok_or_else(unknown)?;
        if offsets.iter().all(|(_, offset)| offset == first) {
            return Ok(first.clone());
        }
        meeting.ok_or_else(unknown)?;
        self.chosen(&offsets, &loops, at, budget)
    }

    /// The polynomial that has one of the values on each of the disjoint domains.
    fn chosen(
        &mut self,
        values: &[(Set, Polynomial)],
        loops: &[LoopIndex],
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Polynomial, Blocker> {
        let mut result = None;
        for (domain, polynomial) in values {
            let value = self.function(polynomial, &Use { loops, domain, ..*at })?.intersect_domain(domain);
            let bounds = self.interval(polynomial, loops);
            result = Some(match result {
                None => (value, bounds),
                Some((others, interval)) => (value.union_disjoint(&others), bounds.hull(&interval)),
            });
        }
        let (value, bounds) = result.ok_or_else(|| at.blocker(format!("{} is never computed", at.what)))?;
        let domain = at.domain.project_out(DimKind::Out, loops.len(), at.depth() - loops.len());
        self.polynomial_of(&value, bounds, &Use { loops, domain: &domain, ..*at }, budget)
    }
}
