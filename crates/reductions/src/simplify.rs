//! The search for the best system.
//!
//! # Algorithm
//! A reduction is tried as it is, decomposed in every way ([`crate::decompose`]), and as a
//! recurrence along every reuse vector ([`crate::recurrence`]), or in blocks where that is none
//! ([`crate::blocks`]), and from intervals whose widths are powers of two ([`crate::doubling`]).
//! What comes in and goes out, and inner and outer parts, are reductions of fewer dimensions or of
//! fewer factors and are treated in the same way. Results are remembered by reduction. The best one
//! has the lowest degree, then the fewest operations.
//!
//! # Bounds
//! The depth is bounded by [`Options::depth`], the number of reductions that are looked at by
//! [`Options::reductions`], everything by the budget. When a bound is reached, the rest stays as it
//! is.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_linalg::Matrix;
use poly_presburger::{Budget, Stop};

use crate::blocks::{Blocks, blocks};
use crate::count::{direct, growth_of};
use crate::decompose::{decompose, spaces};
use crate::directions::representatives;
use crate::doubling::{Cover, Doubling, doubling};
use crate::recurrence::{plain, step};
use crate::{AnswerId, Cost, Equation, Factor, Function, Reduction, Source, System, Term, cost};

/// What a search may do.
#[derive(Clone, Debug)]
pub struct Options {
    /// A value for each parameter, at which operations are counted.
    pub sizes: Vec<Int>,
    /// How often a part of a part is looked at.
    pub depth: usize,
    /// Most reductions that are looked at.
    pub reductions: usize,
    /// Whether the number by which sums of equal values are multiplied is known
    /// ([`Source::Repeat`]); else it is a reduction of its own, a sum of ones.
    pub repeats: bool,
    /// Whether windows of operators without inverse are cut into blocks.
    pub blocks: bool,
    /// So many levels of intervals of operators without inverse, each twice as wide as the one
    /// before, are made ([`crate::doubling`]).
    pub levels: u32,
    /// Whether what was combined may be taken out again, where the operator has an inverse. Sums of
    /// rounded numbers may not.
    pub inverses: bool,
    /// Whether sums of equal values may become products with their number at all.
    pub numbers: bool,
    /// Which of systems with as many operations is taken: they may differ in what their recurrences
    /// run along.
    pub tie: Tie,
    /// Which recurrences are tried.
    pub shifts: Shifts,
}

/// Which of systems with as many operations is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// The one found first.
    First,
    /// The one found last.
    Last,
}

/// Which recurrences are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shifts {
    /// All.
    All,
    /// Those from a neighbour with the same last coordinate: the answers of a row do not wait for
    /// each other, and are vectors where rows lie in memory.
    BetweenRows,
}

impl Shifts {
    /// Whether a neighbour may be that far away.
    fn allow(self, shift: &[Int]) -> bool {
        self == Self::All || shift.last().is_none_or(Int::is_zero)
    }
}

impl Options {
    /// Usual bounds.
    pub fn at(sizes: Vec<Int>) -> Self {
        Self {
            sizes,
            depth: 8,
            reductions: 150,
            repeats: true,
            blocks: true,
            levels: 0,
            inverses: true,
            numbers: true,
            tie: Tie::First,
            shifts: Shifts::All,
        }
    }
}

/// The best system for a reduction; `None` if nothing is better than the reduction itself. The last
/// equation is the reduction's own.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn simplify(reduction: &Reduction, options: &Options, budget: &mut Budget) -> Result<Option<System>, Stop> {
    let domain = plain(&reduction.domain, budget)?;
    if !matches!(domain.basics(), [basic] if basic.n_div() == 0) {
        return Ok(None);
    }
    let given = reduction;
    let reduction = Reduction { domain, ..reduction.clone() };
    let mut search = Search { options, known: BTreeMap::new(), answers: 1, looked_at: 0 };
    let found = search.solve(&reduction, options.depth, budget)?;
    if found.before.is_empty() && found.terms == [direct(&reduction)] {
        return Ok(None);
    }
    let mut equations: Vec<Equation> = Vec::new();
    for equation in found.before {
        if equations.iter().all(|known| known.answer != equation.answer) {
            equations.push(equation);
        }
    }
    let Reduction { params, operator, times, .. } = reduction;
    equations.push(Equation { answer: AnswerId(0), meaning: given.clone(), terms: found.terms });
    Ok(Some(System { params, operator, times, equations, wide: found.wide }))
}

/// How the answers of a reduction are computed.
#[derive(Clone, Debug)]
struct Found {
    cost: Cost,
    terms: Vec<Term>,
    /// What the terms read.
    before: Vec<Equation>,
    /// Terms that only wide intervals need.
    wide: Vec<Term>,
}

impl Found {
    /// Terms that read no other answers, of which nothing has been counted.
    fn of(terms: Vec<Term>) -> Self {
        let cost = Cost { degree: 0, operations: Int::ZERO };
        Self { cost, terms, before: Vec::new(), wide: Vec::new() }
    }
}

struct Search<'o> {
    options: &'o Options,
    /// By reduction: the depth it was looked at with, and what was found.
    known: BTreeMap<String, (usize, Found)>,
    /// The next number of an answer.
    answers: usize,
    looked_at: usize,
}

impl Search<'_> {
    /// The best that is found for a reduction. Recursion is bounded by `depth`.
    fn solve(&mut self, reduction: &Reduction, depth: usize, budget: &mut Budget) -> Result<Found, Stop> {
        let key = format!("{} {:?} {:?}", reduction.domain, reduction.projection, reduction.factors);
        if let Some((_, known)) = self.known.get(&key).filter(|(known, _)| *known >= depth) {
            return Ok(known.clone());
        }
        let cost = cost(reduction, &self.options.sizes, budget)?;
        let mut best = Found { cost, terms: vec![direct(reduction)], before: Vec::new(), wide: Vec::new() };
        self.looked_at += 1;
        let looked_for = depth;
        let is_number = reduction.factors.is_empty();
        let depth = if is_number { depth.min(self.surplus(reduction, &best, budget)?) } else { depth };
        if depth > 0 && self.looked_at <= self.options.reductions && reduction.accumulation().rows() > 0 {
            // Numbers of points are recurrences; there are too many ways to cut them into parts.
            for space in if is_number { Vec::new() } else { spaces(reduction) } {
                if let Some(found) = self.in_two(reduction, &space, depth, budget)? {
                    best = self.better(best, found);
                }
            }
            if let Some(found) = self.doubled(reduction, budget)? {
                best = self.better(best, found);
            }
            let is_forward = |shift: &[Int]| shift.iter().find(|x| !x.is_zero()).is_some_and(Int::is_pos);
            let mut vectors = representatives(&reduction.reuse(), &reduction.normals(), budget)?;
            vectors.sort_by_key(|rho| !is_forward(&reduction.projection.direction(rho)));
            for rho in vectors {
                let shift = reduction.projection.direction(&rho);
                if !self.options.shifts.allow(&shift) {
                    continue;
                }
                let mut found = self.along(reduction, &rho, depth, budget)?;
                if self.options.blocks && found.is_none() && reduction.operator.is_idempotent() {
                    found = self.in_blocks(reduction, &rho, depth, budget)?;
                }
                let Some(found) = found else { continue };
                // Backwards only if that is less: who reads the answers may do so while they are
                // made.
                best = if is_forward(&shift) { self.better(best, found) } else { fewer(best, found) };
            }
        }
        self.known.insert(key, (looked_for, best.clone()));
        Ok(best)
    }

    /// By how much the degree of a number of points is above that of its answers: each recurrence
    /// takes away one, and the degree is all that matters of numbers.
    fn surplus(&self, reduction: &Reduction, direct: &Found, budget: &mut Budget) -> Result<usize, Stop> {
        let least = growth_of(&reduction.answers(), &self.options.sizes, budget)?;
        Ok(direct.cost.degree.saturating_sub(least) as usize)
    }

    fn better(&self, known: Found, new: Found) -> Found {
        let is_last = self.options.tie == Tie::Last && !known.before.is_empty() && new.cost == known.cost;
        if new.cost < known.cost || is_last { new } else { known }
    }

    fn in_two(
        &mut self,
        reduction: &Reduction,
        space: &Matrix,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Option<Found>, Stop> {
        let answer = AnswerId(self.answers);
        let Some(parts) = decompose(reduction, space, answer, self.options.repeats, budget)? else { return Ok(None) };
        let is_number = |factor: &Factor| matches!(factor.source, Source::Repeat(_));
        let has_number =
            parts.outer.factors.iter().any(is_number) || parts.reads_inner && parts.inner.factors.is_empty();
        if has_number && !self.options.numbers {
            return Ok(None);
        }
        self.answers += 1;
        let outer = self.solve(&parts.outer, depth - 1, budget)?;
        if !parts.reads_inner {
            return Ok(Some(outer));
        }
        let inner = self.solve(&parts.inner, depth - 1, budget)?;
        let cost = sum(&outer.cost, &inner.cost);
        let mut before = inner.before;
        before.push(Equation { answer, meaning: parts.inner, terms: inner.terms });
        before.extend(outer.before);
        let wide = [inner.wide, outer.wide].concat();
        Ok(Some(Found { cost, terms: outer.terms, before, wide }))
    }

    fn along(
        &mut self,
        reduction: &Reduction,
        rho: &[Int],
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Option<Found>, Stop> {
        let Some(step) = step(reduction, rho, budget)? else { return Ok(None) };
        if !self.options.inverses && !step.outgoing.is_empty() {
            return Ok(None);
        }
        let mut found = Found::of(vec![step.carry]);
        for (sets, inverse) in [(step.incoming, false), (step.outgoing, true)] {
            for domain in sets {
                if domain.basics().iter().any(|basic| basic.n_div() > 0) {
                    return Ok(None);
                }
                let residue = Reduction { domain, ..reduction.clone() };
                let part = self.solve(&residue, depth - 1, budget)?;
                self.add(&mut found, &residue, part, inverse);
            }
        }
        self.count(reduction, &mut found, budget)?;
        Ok(Some(found))
    }

    fn in_blocks(
        &mut self,
        reduction: &Reduction,
        rho: &[Int],
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Option<Found>, Stop> {
        let Some(Blocks { parts, projection }) = blocks(reduction, rho, budget)? else { return Ok(None) };
        let mut found = Found::of(Vec::new());
        for meaning in parts {
            let part = self.solve(&meaning, depth - 1, budget)?;
            let (answer, dims) = (AnswerId(self.answers), meaning.projection.rows.len());
            self.answers += 1;
            let access = Function::identity(meaning.params.len(), dims);
            let factors = vec![Factor { source: Source::Answer(answer), access }];
            let (domain, projection) = (meaning.answers(), projection.clone());
            found.terms.push(Term { domain, projection, factors, inverse: false });
            found.before.extend(part.before);
            found.wide.extend(part.wide);
            found.before.push(Equation { answer, meaning, terms: part.terms });
        }
        self.count(reduction, &mut found, budget)?;
        Ok(Some(found))
    }

    fn doubled(&mut self, reduction: &Reduction, budget: &mut Budget) -> Result<Option<Found>, Stop> {
        let cover = match reduction.operator.is_idempotent() {
            true => Cover::Overlapping,
            false if reduction.operator.has_inverse() && self.options.inverses => return Ok(None),
            false => Cover::Disjoint,
        };
        let found = doubling(reduction, self.options.levels, cover, self.answers, budget)?;
        let Some(Doubling { levels, terms, wide }) = found else { return Ok(None) };
        self.answers += levels.len();
        let mut found = Found { before: levels, wide, ..Found::of(terms) };
        self.count(reduction, &mut found, budget)?;
        Ok(Some(found))
    }

    /// Adds a residue: its points themselves, or answers of its own.
    fn add(&mut self, found: &mut Found, residue: &Reduction, part: Found, inverse: bool) {
        if part.before.is_empty() && part.terms == [direct(residue)] {
            found.terms.push(Term { inverse, ..direct(residue) });
            return;
        }
        let (answer, params) = (AnswerId(self.answers), residue.params.len());
        self.answers += 1;
        let access = Function::identity(params, residue.projection.rows.len());
        let factors = vec![Factor { source: Source::Answer(answer), access: access.clone() }];
        found.before.extend(part.before);
        found.wide.extend(part.wide);
        found.before.push(Equation { answer, meaning: residue.clone(), terms: part.terms });
        found.terms.push(Term { domain: residue.answers(), projection: access, factors, inverse });
    }

    fn count(&self, reduction: &Reduction, found: &mut Found, budget: &mut Budget) -> Result<(), Stop> {
        let Reduction { params, operator, times, .. } = reduction.clone();
        let own = Equation { answer: AnswerId(usize::MAX), meaning: reduction.clone(), terms: found.terms.clone() };
        let equations = found.before.iter().cloned().chain([own]).collect();
        let system = System { params, operator, times, equations, wide: Vec::new() };
        found.cost = system.cost(&self.options.sizes, budget)?;
        Ok(())
    }
}

fn fewer(known: Found, new: Found) -> Found {
    if new.cost < known.cost { new } else { known }
}

fn sum(a: &Cost, b: &Cost) -> Cost {
    Cost { degree: a.degree.max(b.degree), operations: &a.operations + &b.operations }
}
