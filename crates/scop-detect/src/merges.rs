//! PHI nodes where several ways meet: values that depend on the way by which control has come.
//!
//! # Problem
//! Where optimizers have taken loops apart (one version for `m > 0`, one for other `m`),
//! conditions, bounds and addresses that both need are merged behind them. Scalar evolution does
//! not look into such PHI nodes.
//!
//! # Algorithm
//! The edges into the block of the PHI node have domains ([`crate::domains`]). If they are
//! disjoint, the value is that of the edge whose domain contains the iteration. A PHI node of a
//! loop's header is not of this kind, nor one behind a branch that depends on data: the domains of
//! such edges overlap.
//!
//! Values may be polynomials: rows of a linearized array begin at `i * n`, and where `i` is 0
//! optimizers write 0. They are sorted by parameters, `sum(parameters * value)`, and for each of
//! the products of parameters the values, which are affine then, are chosen among by themselves. If
//! one of them is equal to every other one where that is chosen (`i` where `i = 0` to 0), it stands
//! for all, and the edges do not matter; else a piecewise function does.
//!
//! An address that is merged from addresses in one array is one in that array. If its offset is not
//! affine but the same on all edges, the edges do not matter.

use indexmap::IndexMap;
use poly_arith::Int;
use poly_presburger::{Budget, DimKind, Set};
use poly_scop::shape::{Monomial, Polynomial, Symbol};
use poly_shim::ir::Opcode;
use poly_shim::{ScevKind, ValueRef};

use crate::affine::{Translator, Use};
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
struct Merge<'c> {
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
    (!is_header && !origins.is_subregion(block)).then_some(block)
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
    fn merge(&self, phi: ValueRef<'c>, at: &Use<'_>, budget: &mut Budget) -> Result<Option<Merge<'c>>, Blocker> {
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
            if origins.cfg.error_block(from).is_some() {
                continue;
            }
            let from = origins.cfg.number(from);
            let part = from.and_then(|from| origins.cfg.subregion_at(from));
            if part.is_some_and(|part| part.chosen.contains(&phi)) {
                return Ok(None);
            }
            if seen.contains(&from) {
                continue;
            }
            seen.push(from);
            let Some(edge) = from.and_then(|from| self.edges.get(&(from, block))) else { return Ok(None) };
            let way = edge.project_out(DimKind::Out, loops.len(), edge.n_dim() - loops.len());
            let way = way.intersect_within(&domain, budget)?;
            if self.facts.is_impossible(&way, budget)? {
                continue;
            }
            for other in &ways {
                if !self.facts.is_impossible(&way.intersect_within(&other.domain, budget)?, budget)? {
                    return Ok(None);
                }
            }
            ways.push(Way { domain: way, value });
        }
        Ok((!ways.is_empty()).then_some(Merge { block, loops, ways }))
    }

    /// What a merged value is on each way, with the iterations in which it is taken; nothing if the
    /// ways are not known.
    fn on_each_way<T>(
        &mut self,
        phi: ValueRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
        value_of: impl Fn(&mut Self, ValueRef<'c>, &Use<'_>, &mut Budget) -> Result<T, Blocker>,
    ) -> Result<Option<OnWays<T>>, Blocker> {
        let Some(merge) = self.merge(phi, at, budget)? else { return Ok(None) };
        let mut values = Vec::new();
        for way in merge.ways {
            let inside = Use { block: merge.block, loops: &merge.loops, domain: &way.domain, ..*at };
            let value = value_of(self, way.value, &inside, budget)?;
            values.push((way.domain, value));
        }
        Ok(Some((merge.loops, values)))
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
            result.holds = result.holds.union(&domain.intersect_within(&split.holds, budget)?);
            result.fails = result.fails.union(&domain.intersect_within(&split.fails, budget)?);
        }
        let lifted = |set: Set| set.insert_dims(DimKind::Out, depth, at.depth() - depth);
        Ok(Some(Split { holds: lifted(result.holds.coalesce(budget)?), fails: lifted(result.fails.coalesce(budget)?) }))
    }

    /// A polynomial congruent to a merged integer, and whether it is its signed value; nothing if
    /// the ways are not known.
    pub(crate) fn merged_integer(
        &mut self,
        phi: ValueRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<(Polynomial, bool)>, Blocker> {
        let values = self.on_each_way(phi, at, budget, |this, value, at, budget| this.reduced(value, at, budget))?;
        let Some((loops, values)) = values else { return Ok(None) };
        self.chosen_integer(values, &loops, at, budget).map(Some)
    }

    /// A polynomial congruent to an integer, with small coefficients unless it is its signed value,
    /// and whether it is.
    pub(crate) fn reduced(
        &mut self,
        value: ValueRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<(Polynomial, bool), Blocker> {
        let scev = self.origins.scev_in(value, at.block);
        let scev = scev.ok_or_else(|| at.blocker(format!("{} is not an integer expression", at.what)))?;
        let (polynomial, is_exact) = self.congruent(scev, at, budget)?;
        let bits = self.origins.ctx.scev_bits(scev);
        Ok((if is_exact { polynomial } else { polynomial.reduce(bits) }, is_exact))
    }

    /// What is congruent to one of the integers on each of the disjoint domains, and whether it is
    /// the signed value everywhere.
    pub(crate) fn chosen_integer(
        &mut self,
        values: Vec<(Set, (Polynomial, bool))>,
        loops: &[LoopIndex],
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<(Polynomial, bool), Blocker> {
        let is_exact = values.iter().all(|(_, (_, is_exact))| *is_exact);
        let values: Vec<(Set, Polynomial)> = values.into_iter().map(|(domain, (value, _))| (domain, value)).collect();
        Ok((self.chosen(&values, loops, at, budget)?, is_exact))
    }

    /// A polynomial congruent to what a merged address adds to the pointer that all of the merged
    /// addresses are relative to.
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
        let merge = self.merge(phi, at, budget)?;
        let everywhere = Set::universe(self.space(loops.len()));
        let ways = match &merge {
            Some(merge) => merge.ways.iter().map(|way| (way.domain.clone(), way.value)).collect(),
            None => phi.incoming().into_iter().map(|(_, value)| (everywhere.clone(), value)).collect::<Vec<_>>(),
        };
        let mut offsets = Vec::new();
        for (domain, value) in &ways {
            let may_assume = at.may_assume && merge.is_some();
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
        merge.ok_or_else(unknown)?;
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
        if values.is_empty() {
            return Err(at.blocker(format!("{} is never computed", at.what)));
        }
        let mut result = Polynomial::zero();
        for (factor, parts) in by_factor(values) {
            let parts: Vec<(Set, Polynomial)> = values.iter().map(|(domain, _)| domain.clone()).zip(parts).collect();
            let part = self.chosen_affine(&parts, loops, at, budget)?;
            result = result.add(&part.mul(&factor));
        }
        Ok(result)
    }

    /// The same for affine values.
    fn chosen_affine(
        &mut self,
        values: &[(Set, Polynomial)],
        loops: &[LoopIndex],
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Polynomial, Blocker> {
        for (_, candidate) in values {
            if self.is_equal_to_all(candidate, values, loops, budget)? {
                return Ok(candidate.clone());
            }
        }
        let mut result = None;
        for (domain, polynomial) in values {
            let value = self.function(polynomial, &Use { loops, domain, ..*at })?.intersect_domain(domain);
            let bounds = self.interval(polynomial, loops);
            result = Some(match result {
                None => (value, bounds),
                Some((others, interval)) => (value.union_disjoint(&others), bounds.hull(&interval)),
            });
        }
        let (value, bounds) = result.expect("there is a value");
        let domain = at.domain.project_out(DimKind::Out, loops.len(), at.depth() - loops.len());
        self.polynomial_of(&value, bounds, &Use { loops, domain: &domain, ..*at }, budget)
    }

    /// Whether each of the values is that of the candidate, where it is chosen.
    fn is_equal_to_all(
        &self,
        candidate: &Polynomial,
        values: &[(Set, Polynomial)],
        loops: &[LoopIndex],
        budget: &mut Budget,
    ) -> Result<bool, Blocker> {
        for (domain, value) in values {
            let difference = candidate.sub(value);
            if difference.is_zero() {
                continue;
            }
            let Some(function) = self.to_function(&difference, loops.len()) else { return Ok(false) };
            if !self.facts.is_impossible(&function.non_zero_set().intersect_within(domain, budget)?, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Polynomials as sums of products of a factor that they have in common with affine polynomials: by
/// factor, the affine polynomial of each. Factors are products of parameters; where counters are
/// multiplied with each other they belong to the factor, too.
fn by_factor(values: &[(Set, Polynomial)]) -> Vec<(Polynomial, Vec<Polynomial>)> {
    let mut result: IndexMap<Monomial, Vec<Polynomial>> = IndexMap::new();
    let none = vec![Polynomial::zero(); values.len()];
    let products = |(_, value): &(Set, Polynomial)| -> Vec<Monomial> {
        let products = value.terms().filter(|(monomial, _)| monomial.degree() > 1);
        products.map(|(monomial, _)| split(monomial).0).collect()
    };
    for factor in values.iter().flat_map(products) {
        result.entry(factor).or_insert_with(|| none.clone());
    }
    for (position, (_, value)) in values.iter().enumerate() {
        for (monomial, coefficient) in value.terms() {
            // Parameters that are factors elsewhere are so by themselves.
            let (factor, rest) = match result.contains_key(monomial) {
                true => (monomial.clone(), Monomial::one()),
                false => split(monomial),
            };
            result.entry(factor).or_insert_with(|| none.clone())[position].add_term(rest, coefficient.clone());
        }
    }
    let as_polynomial = |factor: &Monomial| {
        let mut polynomial = Polynomial::zero();
        polynomial.add_term(factor.clone(), Int::ONE);
        polynomial
    };
    result.into_iter().map(|(factor, parts)| (as_polynomial(&factor), parts)).collect()
}

/// A product as factor and symbol: the counter if there is one, and nothing of several. An affine
/// term has no factor.
fn split(monomial: &Monomial) -> (Monomial, Monomial) {
    if monomial.degree() < 2 {
        return (Monomial::one(), monomial.clone());
    }
    let is_variable = |symbol: &Symbol| matches!(symbol, Symbol::Variable(_));
    match monomial.symbols().iter().filter(|symbol| is_variable(symbol)).count() {
        1 => {
            let (variables, params) = monomial.symbols().iter().copied().partition(is_variable);
            (Monomial::product(params), Monomial::product(variables))
        }
        _ => (monomial.clone(), Monomial::one()),
    }
}
