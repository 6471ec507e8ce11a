//! From scalar evolution to exact quasi-affine functions of loop counters and parameters.
//!
//! # Problem
//! An expression of `N` bits is arithmetic modulo `2^N`; the model is arithmetic of integers. The
//! two agree where nothing wraps around. An expression has two values as a number: the signed and
//! the unsigned one ([`Sign`]).
//!
//! # Algorithm
//! 1. [`ring`](self::ring): the expression becomes a polynomial `P` over parameters and counters
//!    that is congruent to it modulo `2^N`. Sums, products and recurrences need no care here,
//!    because the integers modulo `2^N` are a ring; casts, divisions and extrema are the places
//!    where values matter, and they translate their operands by 2.
//! 2. [`type_range`](self::type_range): the wanted value is `P` itself if `P` lies in the range of
//!    values of `N` bits (`-2^(N-1) .. 2^(N-1) - 1` or `0 .. 2^N - 1`) wherever it is evaluated.
//!    That is shown by flags of the program (`nsw`), by intervals, or by emptiness of the set of
//!    counter-examples; narrow integers (at most 16 bits) are reduced exactly, and so is what range
//!    tests (`(unsigned)(i - a) < b`) compare; otherwise the parameter values without
//!    counter-examples become an assumption. For values that are not affine that is a set of
//!    parameter values that is sufficient ([`crate::products`]).
//!
//! So `i + 1 - 1` needs no assumption even where `i + 1` wraps, and every assumption concerns a
//! value that is used.
//!
//! # Symbols
//! `Param(p)` is parameter `p`. `Variable(d)` below [`FIRST_QUASI`] is the counter of the `d`-th
//! loop around the place of use, from outside; above, it stands for a quasi-affine function kept in
//! a table (a rounded quotient, a maximum, ...).

mod quotients;
mod remainders;
mod ring;
mod sizes;
mod strides;
mod type_range;

use std::collections::BTreeMap;
use std::rc::Rc;

use poly_arith::Int;
use poly_presburger::{Aff, Budget, DimKind, MultiAff, PwAff, Set, Space, Tuple};
use poly_scop::shape::{Polynomial, Symbol};
use poly_scop::{ParamId, Place};
use poly_shim::ScevRef;
pub(crate) use poly_shim::scev::Sign;

use crate::cfg::{BlockId, LoopIndex};
use crate::facts::Facts;
use crate::names::Names;
use crate::naturals::Naturals;
use crate::params::Params;
use crate::reject::{Blocker, RejectKind};
use crate::steps::Walk;
use crate::tiles::Tiles;
use crate::values::Origins;

/// Variables from this number on are entries of the table of quasi-affine functions.
pub(crate) const FIRST_QUASI: u32 = 1 << 16;

/// What to do about products of parameters with other symbols, which array shapes are recovered
/// from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Products {
    /// They are not wanted.
    Refused,
    /// They are if they are known not to wrap around.
    Proven,
    /// They are, and that they do not wrap around may be assumed.
    Assumed,
}

/// Where and what for an expression is translated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use<'u> {
    /// The block that evaluates it.
    pub(crate) block: BlockId,
    /// The region's loops around it, outermost first.
    pub(crate) loops: &'u [LoopIndex],
    /// When it is evaluated: a set over the counters of these loops.
    pub(crate) domain: &'u Set,
    /// For people: `the number of iterations`, `a subscript of 'A'`.
    pub(crate) what: &'u str,
    /// The source place.
    pub(crate) place: Option<&'u Place>,
    /// The reason to give if it is not affine.
    pub(crate) kind: RejectKind,
    /// Whether assumptions may be made.
    pub(crate) may_assume: bool,
    /// Products of parameters with other symbols.
    pub(crate) products: Products,
}

impl Use<'_> {
    /// Number of counters.
    pub(crate) fn depth(&self) -> usize {
        self.loops.len()
    }

    pub(crate) fn blocker(&self, message: impl Into<String>) -> Blocker {
        Blocker::new(self.kind, message).at(self.place.cloned()).in_block(self.block)
    }
}

/// A quasi-affine function in the table.
#[derive(Clone, Debug)]
struct Quasi {
    value: PwAff,
    depth: usize,
}

/// Bounds of a value; `None` is unbounded.
#[derive(Clone, Debug)]
pub(crate) struct Interval {
    pub(crate) min: Option<Int>,
    pub(crate) max: Option<Int>,
}

/// The last iteration of a loop as polynomial in parameters and outer counters, and an upper bound.
type LastIteration = (Polynomial, Option<Int>);

/// Translates the expressions of one region.
#[derive(Clone, Debug)]
pub(crate) struct Translator<'a, 'c> {
    /// The region.
    pub(crate) origins: Origins<'a, 'c>,
    /// Its parameters.
    pub(crate) params: Params<'c>,
    /// What is known about them.
    pub(crate) facts: Facts,
    /// Names of the SCoP.
    pub(crate) names: Names,
    /// By loop: the last iteration as polynomial in parameters and outer counters, and an upper
    /// bound of it.
    last_iteration: Rc<Vec<Option<LastIteration>>>,
    quasi: Vec<Quasi>,
    /// What is known of the values of these functions, by number.
    quasi_bounds: Rc<Vec<Interval>>,
    /// What is known to be at least 0.
    pub(crate) naturals: Naturals,
    /// The domains of the edges between the blocks of the region, as far as they are known.
    pub(crate) edges: BTreeMap<(BlockId, BlockId), Set>,
    /// Counters with steps that are parameters.
    pub(crate) walks: Vec<Walk<'c>>,
    /// Loops over tiles made by hand.
    pub(crate) tiles: Tiles,
    /// How many values chosen by conditions are being translated.
    selections: usize,
    /// Strides that descriptors of arrays hold.
    pub(crate) strides: Vec<strides::DescribedStride<'c>>,
}

/// The state of a [`Translator`] before an attempt. It shares with the translator what has not
/// changed since.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot<'c> {
    params: Params<'c>,
    facts: Facts,
    names: Names,
    last_iteration: Rc<Vec<Option<LastIteration>>>,
    quasi_bounds: Rc<Vec<Interval>>,
    naturals: Naturals,
}

impl Snapshot<'_> {
    /// What was known.
    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }
}

impl<'a, 'c> Translator<'a, 'c> {
    /// For a region about which nothing is known yet.
    pub(crate) fn new(origins: Origins<'a, 'c>) -> Self {
        Self {
            origins,
            params: Params::default(),
            facts: Facts::new(),
            names: Names::default(),
            last_iteration: Rc::new(vec![None; origins.cfg.loops.len()]),
            quasi: Vec::new(),
            quasi_bounds: Rc::default(),
            naturals: Naturals::default(),
            edges: BTreeMap::new(),
            walks: Vec::new(),
            tiles: Tiles::default(),
            selections: 0,
            strides: Vec::new(),
        }
    }

    /// What an attempt may change.
    pub(crate) fn snapshot(&self) -> Snapshot<'c> {
        Snapshot {
            params: self.params.clone(),
            facts: self.facts.clone(),
            names: self.names.clone(),
            last_iteration: self.last_iteration.clone(),
            quasi_bounds: self.quasi_bounds.clone(),
            naturals: self.naturals.clone(),
        }
    }

    /// As if the attempt had not been made.
    pub(crate) fn restore(&mut self, before: Snapshot<'c>) {
        self.params = before.params;
        self.facts = before.facts;
        self.names = before.names;
        self.last_iteration = before.last_iteration;
        self.quasi.truncate(before.quasi_bounds.len());
        self.quasi_bounds = before.quasi_bounds;
        self.naturals = before.naturals;
    }

    /// The space of functions of `depth` counters.
    pub(crate) fn space(&self, depth: usize) -> Space {
        Space::set(self.params.ids(), Tuple::anonymous(depth))
    }

    /// The value of an expression, exactly, as a function on the points of the use's domain.
    pub(crate) fn value(
        &mut self,
        scev: ScevRef<'c>,
        sign: Sign,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<PwAff, Blocker> {
        let polynomial = self.integer(scev, sign, at, budget)?;
        self.to_function(&polynomial, at.depth()).ok_or_else(|| at.blocker(format!("{} is not affine", at.what)))
    }

    /// The same as polynomial.
    pub(crate) fn integer(
        &mut self,
        scev: ScevRef<'c>,
        sign: Sign,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Polynomial, Blocker> {
        self.viewed(scev, sign, at, 0, budget)
    }

    /// A polynomial that is congruent to the expression modulo 2 to its width, and whether it is
    /// known to be its signed value.
    pub(crate) fn congruent(
        &mut self,
        scev: ScevRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<(Polynomial, bool), Blocker> {
        self.ring(scev, at, 0, budget)
    }

    /// An affine polynomial (also one with quasi-affine symbols) as function of `depth` counters.
    pub(crate) fn to_function(&self, polynomial: &Polynomial, depth: usize) -> Option<PwAff> {
        if !polynomial.is_affine() {
            return None;
        }
        let space = self.space(depth);
        let (params, counters) = (space.offset(DimKind::Param), space.offset(DimKind::Out));
        let mut row = vec![Int::ZERO; 1 + space.n_var()];
        let mut sum: Option<PwAff> = None;
        for (monomial, coefficient) in polynomial.terms() {
            match monomial.symbols() {
                [] => row[0] = coefficient.clone(),
                [Symbol::Param(p)] => row[params + *p as usize] = coefficient.clone(),
                [Symbol::Variable(v)] if *v < FIRST_QUASI => row[counters + *v as usize] = coefficient.clone(),
                [Symbol::Variable(v)] => {
                    let quasi = self.lifted(&self.quasi[(v - FIRST_QUASI) as usize], depth).scale(coefficient.clone());
                    sum = Some(sum.map_or(quasi.clone(), |s| s.add(&quasi)));
                }
                _ => unreachable!("affine polynomials have terms of at most one factor"),
            }
        }
        let affine = PwAff::from_aff(Aff::from_row(space, row, Int::ONE));
        Some(sum.map_or(affine.clone(), |s| s.add(&affine)))
    }

    /// The function of the outer counters as one of more counters.
    fn lifted(&self, quasi: &Quasi, depth: usize) -> PwAff {
        if quasi.depth == depth {
            return quasi.value.clone();
        }
        let space = self.space(depth);
        quasi.value.pullback(&MultiAff::projection(&space, 0, quasi.depth))
    }

    /// A number that a function does not exceed, by the bounds of what it consists of.
    pub(crate) fn largest(&self, value: &PwAff, loops: &[LoopIndex]) -> Option<Int> {
        let of_piece = |(_, aff): &(Set, Aff)| self.interval(&self.plain_polynomial(aff)?, loops).max;
        let all: Option<Vec<Int>> = value.pieces().iter().map(of_piece).collect();
        all?.into_iter().max()
    }

    /// A number of iterations, at most `max`, as polynomial.
    pub(crate) fn count_of(
        &mut self,
        value: &PwAff,
        max: Int,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Polynomial, Blocker> {
        let bounds = Interval { min: Some(Int::ZERO), max: Some(max) };
        self.polynomial_of(value, bounds, at, budget)
    }

    /// The polynomial of a function: its own terms if it is plainly affine on the use's domain,
    /// else a symbol for it.
    pub(crate) fn polynomial_of(
        &mut self,
        value: &PwAff,
        bounds: Interval,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Polynomial, Blocker> {
        let value = self.pruned(value, at, budget)?;
        if let [(_, aff)] = value.pieces()
            && let Some(polynomial) = self.plain_polynomial(aff)
        {
            return Ok(polynomial);
        }
        let value = match value.pieces() {
            [(_, aff)] => PwAff::from_aff(aff.clone()),
            _ => value,
        };
        let known = self.quasi.iter().position(|q| q.depth == at.depth() && q.value == value);
        let number = known.unwrap_or_else(|| {
            self.quasi.push(Quasi { value, depth: at.depth() });
            Rc::make_mut(&mut self.quasi_bounds).push(bounds);
            self.quasi.len() - 1
        });
        let number = u32::try_from(number).expect("expressions are small");
        Ok(Polynomial::symbol(Symbol::Variable(FIRST_QUASI + number)))
    }

    /// Without the pieces that are never evaluated.
    fn pruned(&self, value: &PwAff, at: &Use<'_>, budget: &mut Budget) -> Result<PwAff, Blocker> {
        if value.n_piece() < 2 {
            return Ok(value.clone());
        }
        let mut pieces = Vec::new();
        for (set, aff) in value.pieces() {
            if !self.facts.is_impossible(&set.intersect_within(at.domain, budget)?, budget)? {
                pieces.push((set.clone(), aff.clone()));
            }
        }
        Ok(PwAff::from_pieces(value.space().clone(), pieces))
    }

    /// The affine polynomials that a polynomial with quasi-affine symbols is made of, if it has
    /// several pieces.
    pub(crate) fn pieces(&self, polynomial: &Polynomial, depth: usize) -> Vec<Polynomial> {
        match self.to_function(polynomial, depth) {
            Some(function) if function.n_piece() > 1 => {
                function.pieces().iter().filter_map(|(_, aff)| self.plain_polynomial(aff)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// What a symbol that stands for a function of several affine pieces is on each of them, and
    /// where; nothing if it stands for something else.
    pub(crate) fn pieces_of(&self, symbol: Symbol, depth: usize) -> Option<Vec<(Set, Polynomial)>> {
        let function = self.to_function(&Polynomial::symbol(symbol), depth)?;
        if function.n_piece() < 2 {
            return None;
        }
        let piece = |(domain, aff): &(Set, Aff)| Some((domain.clone(), self.plain_polynomial(aff)?));
        function.pieces().iter().map(piece).collect()
    }

    pub(crate) fn plain_polynomial(&self, aff: &Aff) -> Option<Polynomial> {
        if !aff.is_integral_affine() {
            return None;
        }
        let space = aff.space();
        let row = aff.row();
        let mut result = Polynomial::constant(row[0].clone());
        for (position, entry) in self.params.entries().iter().enumerate() {
            if let Some(column) = space.find_param(&entry.param.name) {
                let number = u32::try_from(position).expect("there are few parameters");
                result = result.add(&Polynomial::symbol(Symbol::Param(number)).scale(&row[1 + column]));
            }
        }
        for dim in 0..space.dim(DimKind::Out) {
            let number = u32::try_from(dim).expect("nests are not deep");
            result =
                result.add(&Polynomial::symbol(Symbol::Variable(number)).scale(&row[space.offset(DimKind::Out) + dim]));
        }
        Some(result)
    }

    /// Bounds of a polynomial from those of its symbols.
    pub(crate) fn interval(&self, polynomial: &Polynomial, loops: &[LoopIndex]) -> Interval {
        let mut total = Interval { min: Some(Int::ZERO), max: Some(Int::ZERO) };
        for (monomial, coefficient) in polynomial.terms() {
            let mut term = Interval { min: Some(coefficient.clone()), max: Some(coefficient.clone()) };
            for symbol in monomial.symbols() {
                term = term.times(&self.symbol_interval(*symbol, loops));
            }
            total = total.plus(&term);
        }
        total
    }

    fn symbol_interval(&self, symbol: Symbol, loops: &[LoopIndex]) -> Interval {
        match symbol {
            Symbol::Param(p) => {
                let entry = self.params.entry(p);
                Interval { min: Some(entry.min.clone()), max: Some(entry.max.clone()) }
            }
            Symbol::Variable(v) if v < FIRST_QUASI => Interval {
                min: Some(Int::ZERO),
                max: self.last_iteration[loops[v as usize]].as_ref().and_then(|l| l.1.clone()),
            },
            Symbol::Variable(v) => self.quasi_bounds[(v - FIRST_QUASI) as usize].clone(),
        }
    }

    /// The last iteration of a loop as polynomial in parameters and the counters around it.
    pub(crate) fn last_iteration_of(&self, l: LoopIndex) -> Option<&Polynomial> {
        self.last_iteration[l].as_ref().map(|(last, _)| last)
    }

    /// A parameter for an expression that does not change in the region, and whether it is its
    /// signed value.
    pub(crate) fn congruent_param(
        &mut self,
        scev: ScevRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<(Polynomial, bool), Blocker> {
        self.as_param(scev, at, budget)
    }

    /// Records the last iteration of a loop; `outer` are the loops around it.
    pub(crate) fn set_last_iteration(&mut self, l: LoopIndex, last: Polynomial, outer: &[LoopIndex]) {
        let max = self.interval(&last, outer).max;
        Rc::make_mut(&mut self.last_iteration)[l] = Some((last, max));
    }

    /// Sees to it that the value stays below 2 to the power `bits` in absolute value, by `Range`
    /// assumptions on the parameters it depends on.
    pub(crate) fn limit(
        &mut self,
        polynomial: &Polynomial,
        bits: u32,
        loops: &[LoopIndex],
        why: &str,
        budget: &mut Budget,
    ) -> Result<(), Blocker> {
        let limit = Int::from(2).pow(bits);
        if self.interval(polynomial, loops).is_within(&-&limit, &limit) {
            return Ok(());
        }
        let too_large = || {
            Blocker::new(
                RejectKind::Complexity,
                format!("it cannot be checked that numbers are small enough for {why}"),
            )
        };
        // Every term gets the same share of the limit; 2^k terms take k bits.
        let small = |n: usize| u32::try_from(n).expect("polynomials are small");
        let log2 = |n: &Int| (&n.abs() - &Int::ONE).bits();
        let share = bits.checked_sub(log2(&Int::from(polynomial.terms().count()))).ok_or_else(too_large)?;
        if polynomial.constant_term().bits() > share {
            return Err(too_large());
        }
        let coefficients = polynomial.terms().filter(|(m, _)| m.degree() > 0).map(|(_, c)| log2(c)).max().unwrap_or(0);
        let degree = small(polynomial.degree()).max(1);
        let each = share
            .checked_sub(coefficients)
            .map(|rest| rest / degree)
            .filter(|&each| each >= 8)
            .ok_or_else(too_large)?;
        for symbol in polynomial.symbols() {
            match symbol {
                Symbol::Param(p) => self.params.limit(p, each, why, &mut self.facts, budget)?,
                Symbol::Variable(v) if v < FIRST_QUASI => {
                    let l = loops[v as usize];
                    let (last, _) = self.last_iteration[l].clone().ok_or_else(too_large)?;
                    self.limit(&last, each, &loops[..v as usize], why, budget)?;
                    self.set_last_iteration(l, last, &loops[..v as usize]);
                }
                Symbol::Variable(v) => {
                    let limited = self.limit_quasi((v - FIRST_QUASI) as usize, each, loops, why, budget)?;
                    limited.then_some(()).ok_or_else(too_large)?;
                }
            }
        }
        Ok(())
    }

    /// The same for a function of the table, by its pieces; false if one of them is no polynomial.
    fn limit_quasi(
        &mut self,
        number: usize,
        bits: u32,
        loops: &[LoopIndex],
        why: &str,
        budget: &mut Budget,
    ) -> Result<bool, Blocker> {
        let limit = Int::from(2).pow(bits);
        if self.quasi_bounds[number].is_within(&-&limit, &limit) {
            return Ok(true);
        }
        let Quasi { value, depth } = &self.quasi[number];
        let Some(loops) = loops.get(..*depth) else { return Ok(false) };
        let pieces: Option<Vec<_>> = value.pieces().iter().map(|(_, aff)| self.terms_of(aff)).collect();
        let Some(pieces) = pieces else { return Ok(false) };
        for terms in pieces {
            let share = bits.checked_sub(Int::from(terms.len().next_power_of_two()).bits() - 1);
            for (term, factor) in terms {
                let Some(bits) = share.and_then(|share| share.checked_sub(factor)) else { return Ok(false) };
                self.limit(&term, bits, loops, why, budget)?;
            }
        }
        Rc::make_mut(&mut self.quasi_bounds)[number] = Interval { min: Some(-&limit), max: Some(limit) };
        Ok(true)
    }

    /// Polynomials the sum of which a function of one piece cannot exceed in absolute value, each
    /// multiplied by 2 to some power. A quotient is smaller than twice its dividend, or 1.
    fn terms_of(&self, aff: &Aff) -> Option<Vec<(Polynomial, u32)>> {
        if let Some(polynomial) = self.plain_polynomial(aff) {
            return Some(vec![(polynomial, 0)]);
        }
        let plain = 1 + aff.space().n_var();
        let of_row = |row: &[Int]| self.plain_polynomial(&Aff::from_row(aff.space().clone(), row.to_vec(), Int::ONE));
        let mut terms = vec![(of_row(&aff.row()[..plain])?, 0)];
        for (div, coefficient) in aff.divs().iter().zip(&aff.row()[plain..]) {
            if div.num[plain..].iter().any(|x| !x.is_zero()) {
                return None;
            }
            terms.push((of_row(&div.num[..plain])?, 1 + coefficient.bits()));
        }
        aff.denom().is_one().then_some(terms)
    }

    /// What is made of the value depends on the ranges of its parameters.
    pub(crate) fn pin(&mut self, value: &Polynomial) {
        for symbol in value.symbols() {
            match symbol {
                Symbol::Param(number) => self.facts.pin(&self.params.entry(number).param.name),
                Symbol::Variable(v) if v >= FIRST_QUASI => {
                    let value = &self.quasi[(v - FIRST_QUASI) as usize].value;
                    for (position, id) in value.space().params.iter().enumerate() {
                        if value.involves_dims(DimKind::Param, position, 1) {
                            self.facts.pin(id.as_str());
                        }
                    }
                }
                Symbol::Variable(_) => {}
            }
        }
    }

    /// Whether the symbol stands for a function before all loops that is no plain sum of
    /// parameters.
    pub(crate) fn is_before_loops(&self, symbol: Symbol) -> bool {
        let Symbol::Variable(v) = symbol else { return false };
        v.checked_sub(FIRST_QUASI).is_some_and(|number| self.quasi[number as usize].depth == 0)
    }

    /// A symbol of the table for the same function before all loops, if no counter occurs in it.
    pub(crate) fn before_loops(&mut self, symbol: Symbol) -> Option<Symbol> {
        let Symbol::Variable(v) = symbol else { return None };
        let number = v.checked_sub(FIRST_QUASI)? as usize;
        let Quasi { value, depth } = self.quasi.get(number)?;
        if *depth == 0 {
            return Some(symbol);
        }
        if value.involves_dims(DimKind::Out, 0, *depth) {
            return None;
        }
        let space = Space::set(value.space().params.clone(), Tuple::anonymous(0));
        let zeros = (0..*depth).map(|_| Aff::zero(space.clone())).collect();
        let value = value.pullback(&MultiAff::into_tuple(&space, Tuple::anonymous(*depth), zeros));
        let known = self.quasi.iter().position(|q| q.depth == 0 && q.value == value);
        let number = known.unwrap_or_else(|| {
            self.quasi.push(Quasi { value, depth: 0 });
            let bounds = self.quasi_bounds[number].clone();
            Rc::make_mut(&mut self.quasi_bounds).push(bounds);
            self.quasi.len() - 1
        });
        Some(Symbol::Variable(FIRST_QUASI + u32::try_from(number).expect("expressions are small")))
    }

    /// The parameter whose value is the expression.
    fn param(&mut self, scev: ScevRef<'c>, at: &Use<'_>, budget: &mut Budget) -> Result<ParamId, Blocker> {
        let result = self.params.get(self.origins.ctx, scev, &mut self.facts, &mut self.names, budget);
        result.map_err(|b| b.at(at.place.cloned()).in_block(at.block))
    }
}

impl Interval {
    fn plus(&self, other: &Self) -> Self {
        let sum = |a: &Option<Int>, b: &Option<Int>| Some(a.as_ref()? + b.as_ref()?);
        Self { min: sum(&self.min, &other.min), max: sum(&self.max, &other.max) }
    }

    fn times(&self, other: &Self) -> Self {
        let is_zero = |i: &Self| i.min.as_ref().zip(i.max.as_ref()).is_some_and(|(a, b)| a.is_zero() && b.is_zero());
        if is_zero(self) || is_zero(other) {
            return Self { min: Some(Int::ZERO), max: Some(Int::ZERO) };
        }
        let corners: Option<Vec<Int>> = [&self.min, &self.max]
            .into_iter()
            .flat_map(|a| [&other.min, &other.max].map(|b| Some(a.as_ref()? * b.as_ref()?)))
            .collect();
        match corners {
            Some(corners) => Self { min: corners.iter().min().cloned(), max: corners.into_iter().max() },
            None => Self { min: None, max: None },
        }
    }

    /// Whether all values lie between the bounds.
    pub(crate) fn is_within(&self, min: &Int, max: &Int) -> bool {
        self.min.as_ref().is_some_and(|m| m >= min) && self.max.as_ref().is_some_and(|m| m <= max)
    }
}
