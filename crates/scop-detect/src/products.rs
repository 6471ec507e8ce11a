//! Checks before the loops for conditions with products, `i * n + j < length`, and for products
//! that must not wrap around.
//!
//! # Problem
//! A bounds check of a linearized subscript compares a polynomial that is not affine. For which
//! parameters it holds in all iterations is no Presburger set; but a set of parameters for which it
//! does can be written down, and that is all that an assumption needs.
//!
//! # Algorithm
//! That a condition always has the wanted value is brought into the form `Q >= 0` for polynomials
//! `Q` over counters and parameters, whose integer values are those of the program: `Range`
//! assumptions keep the terms small enough. What no counter occurs in but is not affine without
//! division (the length of a vector is a difference of pointers, divided by the size of an element)
//! is one symbol of `Q`. Then
//! 1. counters are eliminated from the inside out. Where `Q = Q0 + Q1 * c` with `Q1 >= 0`
//!    everywhere, the smallest value is at `c = 0`; with `Q1 <= 0` it is at the last iteration,
//!    itself a polynomial in outer counters and parameters. (A bound, not the minimum: not every
//!    such iteration need exist.) If neither is known and `Q1` depends on parameters only, one of
//!    them is assumed: that for which the parameters are positive.
//! 2. What is left are parameters; each of their products becomes one more parameter, and the
//!    assumption is affine.
//!
//! Nothing here is a proof that the condition may fail: a check that is too strong only lets the
//! original code run.

use poly_arith::Int;
use poly_presburger::{Budget, DimKind, PwAff, Stop};
use poly_scop::AssumptionKind;
use poly_scop::shape::{Monomial, Polynomial, Symbol};
use poly_shim::ScevRef;
use poly_shim::ValueRef;
use poly_shim::ir::{Opcode, Predicate};

use crate::affine::{FIRST_QUASI, Products, Translator, Use};
use crate::facts::Reason;
use crate::reject::{Blocker, RejectKind};

/// Deepest nesting of `&&` and `||`.
const MAX_DEPTH: usize = 16;
/// Polynomials stay below 2 to this power, so that sums of two are exact in 64 bits.
const VALUE_BITS: u32 = 61;
/// Products of parameters that become parameters have at most this many factors.
const MAX_FACTORS: usize = 4;

/// Parameters are not known to be more than this.
const LARGEST_LEAST: i64 = 4;

/// Up to which number it is learned that the square of a parameter is above a line.
const LARGEST_ROOT: i64 = 3;

/// On which side of zero a factor is.
enum Sign {
    NotNegative,
    NotPositive,
}

impl<'c> Translator<'_, 'c> {
    /// Sees to it that a condition has the wanted value wherever it is looked at: proves it, or
    /// records assumptions that are sufficient.
    pub(crate) fn ensure(
        &mut self,
        condition: ValueRef<'c>,
        wanted: bool,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<(), Blocker> {
        self.ensure_below(condition, wanted, at, MAX_DEPTH, budget)
    }

    fn ensure_below(
        &mut self,
        condition: ValueRef<'c>,
        wanted: bool,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<(), Blocker> {
        let before = self.snapshot();
        let reason = match self.condition(condition, at, budget) {
            Ok(split) => {
                let fails = if wanted { &split.fails } else { &split.holds };
                return self.facts.exclude(&at.domain.intersect(fails), &reason(at), budget);
            }
            Err(blocker) if blocker.kind == RejectKind::Complexity || depth == 0 => return Err(blocker),
            Err(blocker) => blocker,
        };
        self.restore(before);
        let is = |v: ValueRef<'c>, truth: bool| v.constant_int().is_some_and(|c| (c != 0) == truth);
        let operand = |position: u32| condition.operand(position);
        // Both operands must have the wanted value.
        let both = match condition.opcode() {
            Some(Opcode::And) if wanted => Some((operand(0), operand(1))),
            Some(Opcode::Or) if !wanted => Some((operand(0), operand(1))),
            Some(Opcode::Select) if wanted && is(operand(2), false) => Some((operand(0), operand(1))),
            Some(Opcode::Select) if !wanted && is(operand(1), true) => Some((operand(0), operand(2))),
            _ => None,
        };
        if let Some((first, second)) = both {
            self.ensure_below(first, wanted, at, depth - 1, budget)?;
            return self.ensure_below(second, wanted, at, depth - 1, budget);
        }
        match condition.opcode() {
            Some(Opcode::Xor) if is(operand(1), true) => self.ensure_below(operand(0), !wanted, at, depth - 1, budget),
            Some(Opcode::Freeze) => self.ensure_below(operand(0), wanted, at, depth - 1, budget),
            Some(Opcode::ICmp) => self.ensure_comparison(condition, wanted, at, budget)?.ok_or(reason),
            _ => Err(reason),
        }
    }

    /// Nothing if the comparison is of no kind that is handled here.
    fn ensure_comparison(
        &mut self,
        comparison: ValueRef<'c>,
        wanted: bool,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<()>, Blocker> {
        let predicate = comparison.predicate().expect("an integer comparison has a predicate");
        let predicate = if wanted { predicate } else { predicate.inverse() };
        let (left, right) = (comparison.operand(0), comparison.operand(1));
        let (small, large, is_strict) = match predicate {
            Predicate::Ult | Predicate::Slt => (left, right, true),
            Predicate::Ule | Predicate::Sle => (left, right, false),
            Predicate::Ugt | Predicate::Sgt => (right, left, true),
            Predicate::Uge | Predicate::Sge => (right, left, false),
            Predicate::Eq | Predicate::Ne => return Ok(None),
        };
        if small.ty().integer_bits().is_none_or(|bits| bits > 64) {
            return Ok(None);
        }
        let Some(small) = self.exact_polynomial(small, at, budget)? else { return Ok(None) };
        let Some(large) = self.exact_polynomial(large, at, budget)? else { return Ok(None) };
        let difference = large.sub(&small).sub(&Polynomial::constant(i64::from(is_strict)));
        // 0 <= small < large says the same about signed and unsigned numbers.
        if predicate.is_unsigned() && !self.ensure_not_negative(&small, &reason(at), at, budget)? {
            return Ok(None);
        }
        Ok(self.ensure_not_negative(&difference, &reason(at), at, budget)?.then_some(()))
    }

    /// The signed value of an integer as polynomial, with products; it is below 2 to the power
    /// [`VALUE_BITS`].
    fn exact_polynomial(
        &mut self,
        value: ValueRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        let Some(scev) = self.origins.scev_in(value, at.block) else { return Ok(None) };
        let bits = self.origins.ctx.scev_bits(scev);
        let with_products = Use { products: Products::Proven, ..*at };
        let (polynomial, is_signed_value) = self.congruent(scev, &with_products, budget)?;
        let polynomial = if is_signed_value { polynomial } else { polynomial.reduce(bits) };
        // Congruent modulo 2^bits to the signed value, and less than half of it apart from 0:
        // equal.
        let limit = if is_signed_value { VALUE_BITS } else { VALUE_BITS.min(bits.saturating_sub(2)) };
        self.limit(&polynomial, limit, at.loops, at.what, budget)?;
        self.pin(&polynomial);
        Ok(Some(self.before_all_loops(&polynomial)))
    }

    /// The same value; what no counter occurs in (the length of a vector, a difference of pointers
    /// divided by the size of an element) is a function before all loops.
    fn before_all_loops(&mut self, value: &Polynomial) -> Polynomial {
        let mut result = Polynomial::zero();
        for (monomial, coefficient) in value.terms() {
            let factors = monomial.symbols().iter().map(|&s| Polynomial::symbol(self.before_loops(s).unwrap_or(s)));
            let term = factors.fold(Polynomial::constant(coefficient.clone()), |product, factor| product.mul(&factor));
            result = result.add(&term);
        }
        result
    }

    /// Sees to it that the value is at least 0 at all points of the use, by an assumption with the
    /// reason; false if that is not possible.
    pub(crate) fn ensure_not_negative(
        &mut self,
        value: &Polynomial,
        reason: &Reason,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<bool, Blocker> {
        if self.naturals.contains(value, at) || self.is_at_least_zero(value, at, budget)? {
            self.naturals.add(value, at);
            return Ok(true);
        }
        if let Some(are_natural) = self.ensure_pieces_not_negative(value, reason, at, budget)? {
            return Ok(are_natural);
        }
        let Some(least) = self.lower_bound(value, at, budget)? else { return Ok(false) };
        let Some(least) = self.without_products(&least, at, budget)? else { return Ok(false) };
        let function = self.to_function(&least, 0).expect("products have become parameters");
        let zero = PwAff::constant(function.space().clone(), 0);
        self.facts.exclude(&function.lt_set(&zero), reason, budget)?;
        self.naturals.add(value, at);
        Ok(true)
    }

    /// The same for a value with a factor that has several affine pieces, piece by piece: the row
    /// of a neighbour around a border, times the length of rows. Nothing if there is no such
    /// factor.
    fn ensure_pieces_not_negative(
        &mut self,
        value: &Polynomial,
        reason: &Reason,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<bool>, Blocker> {
        let is_quasi = |s: &Symbol| matches!(s, Symbol::Variable(v) if *v >= FIRST_QUASI);
        let mut symbols = value.symbols().into_iter().filter(|s| is_quasi(s) && !self.is_before_loops(*s));
        let found = symbols.find_map(|symbol| Some((symbol, self.pieces_of(symbol, at.depth())?)));
        let Some((symbol, pieces)) = found else { return Ok(None) };
        for (domain, piece) in pieces {
            let domain = at.domain.intersect_within(&domain, budget)?;
            if self.facts.is_impossible(&domain, budget)? {
                continue;
            }
            let value = value.replace(symbol, &piece);
            if !self.ensure_not_negative(&value, reason, &Use { domain: &domain, ..*at }, budget)? {
                return Ok(Some(false));
            }
        }
        self.naturals.add(value, at);
        Ok(Some(true))
    }

    fn is_at_least_zero(&self, value: &Polynomial, at: &Use<'_>, budget: &mut Budget) -> Result<bool, Blocker> {
        if self.interval(value, at.loops).min.is_some_and(|min| !min.is_neg()) {
            return Ok(true);
        }
        let Some(function) = self.to_function(value, at.depth()) else {
            return Ok(self.is_sum_of_naturals(value, budget)?);
        };
        let zero = PwAff::constant(function.space().clone(), 0);
        Ok(self.facts.is_impossible(&at.domain.intersect(&function.lt_set(&zero)), budget)?)
    }

    /// Whether the value has no negative coefficient when it is written in the distances of the
    /// parameters from what they are at least.
    fn is_sum_of_naturals(&self, value: &Polynomial, budget: &mut Budget) -> Result<bool, Stop> {
        let mut result = value.clone();
        for symbol in value.symbols() {
            let least = match symbol {
                Symbol::Param(param) => self.least(param, budget)?,
                Symbol::Variable(v) if v < FIRST_QUASI => Some(Int::ZERO),
                Symbol::Variable(_) => None,
            };
            let Some(least) = least else { return Ok(false) };
            result = result.replace(symbol, &Polynomial::symbol(symbol).add(&Polynomial::constant(least)));
        }
        Ok(result.terms().all(|(_, coefficient)| !coefficient.is_neg()))
    }

    /// What the parameter is known to be at least, up to some small number; nothing if it may be
    /// negative.
    fn least(&self, param: u32, budget: &mut Budget) -> Result<Option<Int>, Stop> {
        let value = self.to_function(&Polynomial::symbol(Symbol::Param(param)), 0).expect("a parameter is affine");
        let mut least = None;
        let entry = self.params.entry(param);
        for candidate in 0..=LARGEST_LEAST {
            // Sets need not be asked for what the range says.
            if entry.min >= candidate {
                least = Some(Int::from(candidate));
                continue;
            }
            let smaller = value.lt_set(&PwAff::constant(value.space().clone(), candidate));
            if !self.facts.is_impossible(&smaller, budget)? {
                break;
            }
            least = Some(Int::from(candidate));
        }
        Ok(least)
    }

    /// A polynomial in the parameters that is nowhere larger.
    pub(crate) fn lower_bound(
        &mut self,
        value: &Polynomial,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        let mut value = value.clone();
        for depth in (0..at.depth()).rev() {
            let symbol = Symbol::Variable(u32::try_from(depth).expect("nests are not deep"));
            let Some((rest, factor)) = self.divided(&value, symbol) else { return Ok(None) };
            value = if factor.is_zero() || self.is_at_least_zero(&factor, at, budget)? {
                rest
            } else if self.is_at_least_zero(&factor.scale(&Int::NEG_ONE), at, budget)? {
                let Some(last) = self.last_iteration_of(at.loops[depth]) else { return Ok(None) };
                rest.add(&factor.mul(&self.settled(last, depth, at, budget)?))
            } else if factor.symbols().iter().all(|s| matches!(s, Symbol::Param(_))) {
                match self.assume_sign(&factor, at, budget)? {
                    None => return Ok(None),
                    Some(Sign::NotNegative) => rest,
                    Some(Sign::NotPositive) => {
                        let Some(last) = self.last_iteration_of(at.loops[depth]) else { return Ok(None) };
                        rest.add(&factor.mul(&self.settled(last, depth, at, budget)?))
                    }
                }
            } else {
                return Ok(None);
            };
        }
        let is_known = |s: &Symbol| matches!(s, Symbol::Param(_)) || self.is_before_loops(*s);
        Ok(value.symbols().iter().all(is_known).then_some(value))
    }

    /// Assumes that a factor that depends on parameters has the sign that it has for positive
    /// parameters. Of one that is not affine, it is assumed that no parameter is negative; that
    /// need not be enough.
    fn assume_sign(&mut self, factor: &Polynomial, at: &Use<'_>, budget: &mut Budget) -> Result<Option<Sign>, Blocker> {
        let is_negative = factor.terms().all(|(monomial, c)| monomial.degree() == 0 || c.is_neg());
        let (sign, magnitude) = match is_negative {
            true => (Sign::NotPositive, factor.scale(&Int::NEG_ONE)),
            false => (Sign::NotNegative, factor.clone()),
        };
        let text = format!("a factor in {} is not negative", at.what);
        let reason = Reason { kind: AssumptionKind::NonNegative, text, place: at.place.cloned() };
        let values: Vec<PwAff> = match self.to_function(&magnitude, 0) {
            Some(function) => vec![function],
            None => {
                let symbols = magnitude.symbols().into_iter().map(Polynomial::symbol);
                symbols.map(|symbol| self.to_function(&symbol, 0).expect("a parameter is affine")).collect()
            }
        };
        for value in values {
            let zero = PwAff::constant(value.space().clone(), 0);
            self.facts.exclude(&value.lt_set(&zero), &reason, budget)?;
        }
        Ok((magnitude.is_affine() || self.is_sum_of_naturals(&magnitude, budget)?).then_some(sign))
    }

    /// The same value, with a parameter for each product of parameters.
    fn without_products(
        &mut self,
        value: &Polynomial,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        let mut result = Polynomial::zero();
        let terms: Vec<(Monomial, Int)> = value.terms().map(|(m, c)| (m.clone(), c.clone())).collect();
        for (monomial, coefficient) in terms {
            if monomial.degree() < 2 {
                result.add_term(monomial, coefficient);
                continue;
            }
            let are_params = monomial.symbols().iter().all(|s| matches!(s, Symbol::Param(_)));
            if monomial.degree() > MAX_FACTORS || !are_params {
                return Ok(None);
            }
            let mut product = Polynomial::zero();
            product.add_term(monomial.clone(), Int::ONE);
            self.limit(&product, VALUE_BITS, &[], at.what, budget)?;
            self.pin(&product);
            let factors: Vec<ScevRef<'c>> = monomial.symbols().iter().map(|s| self.wide(*s)).collect();
            let whole = factors.into_iter().reduce(|a, b| self.origins.ctx.scev_mul(a, b));
            let whole = whole.expect("a product has factors");
            let (symbol, _) = self.congruent_param(whole, at, budget)?;
            self.relate(&symbol, &monomial, budget)?;
            result = result.add(&symbol.scale(&coefficient));
        }
        Ok(Some(result))
    }

    /// Learns that a parameter is equal to a polynomial of others.
    pub(crate) fn equate(&mut self, param: u32, value: &Polynomial, at: &Use<'_>, budget: &mut Budget) {
        let before = self.snapshot();
        let assumptions = self.facts.assumptions().len();
        let symbol = Polynomial::symbol(Symbol::Param(param));
        let difference = match self.without_products(value, at, budget) {
            Ok(Some(plain)) => self.to_function(&symbol.sub(&plain), 0),
            _ => None,
        };
        match difference {
            Some(difference) if self.facts.assumptions().len() == assumptions => {
                let zero = PwAff::constant(difference.space().clone(), 0);
                self.facts.follow(&difference.eq_set(&zero).params());
            }
            _ => self.restore(before),
        }
    }

    /// The polynomial that a value in the outer `depth` loops is wherever the use is executed, if
    /// its table entry has more pieces.
    fn settled(&self, value: &Polynomial, depth: usize, at: &Use<'_>, budget: &mut Budget) -> Result<Polynomial, Stop> {
        let Some(function) = self.to_function(value, depth).filter(|function| function.n_piece() > 1) else {
            return Ok(value.clone());
        };
        let executed = at.domain.project_out(DimKind::Out, depth, at.depth() - depth);
        for (_, aff) in function.pieces() {
            let Some(polynomial) = self.plain_polynomial(aff) else { continue };
            let only = PwAff::from_aff(aff.clone());
            let differs = function.lt_set(&only).union(&function.gt_set(&only));
            if self.facts.is_impossible(&differs.intersect(&executed), budget)? {
                return Ok(polynomial);
            }
        }
        Ok(value.clone())
    }

    /// Learns what follows for a parameter that is the product of two others:
    /// `(a - k) (b - l) >= 0` for `a >= k` and `b >= l`, and `(a - k) (a - k - 1) >= 0` for
    /// squares.
    fn relate(&mut self, product: &Polynomial, factors: &Monomial, budget: &mut Budget) -> Result<(), Stop> {
        let &[Symbol::Param(first), Symbol::Param(second)] = factors.symbols() else { return Ok(()) };
        let [a, b] = [first, second].map(|param| Polynomial::symbol(Symbol::Param(param)));
        let mut pairs: Vec<(Int, Int)> = Vec::new();
        if first == second {
            pairs.extend((-1..=LARGEST_ROOT).map(|k| (Int::from(k), Int::from(k + 1))));
        }
        if let (Some(k), Some(l)) = (self.least(first, budget)?, self.least(second, budget)?) {
            pairs.push((k, l));
        }
        for (k, l) in pairs {
            let value = product.sub(&a.scale(&l)).sub(&b.scale(&k)).add(&Polynomial::constant(&k * &l));
            let Some(function) = self.to_function(&value, 0) else { return Ok(()) };
            let zero = PwAff::constant(function.space().clone(), 0);
            self.facts.follow(&function.ge_set(&zero).params());
        }
        Ok(())
    }

    /// The expression of a parameter in 64 bits.
    fn wide(&self, symbol: Symbol) -> ScevRef<'c> {
        let Symbol::Param(number) = symbol else { unreachable!("only parameters are left") };
        let entry = self.params.entry(number);
        let (ctx, scev) = (self.origins.ctx, entry.scev);
        let wide = ctx.integer_type(64);
        match entry.param.bits {
            64 => scev,
            _ if entry.param.unsigned => ctx.scev_zext(scev, wide),
            _ => ctx.scev_sext(scev, wide),
        }
    }

    /// A polynomial as `rest + factor * symbol`; nothing if the symbol occurs in a higher power, or
    /// if something occurs that is no plain counter or parameter and not known before all loops.
    fn divided(&self, value: &Polynomial, symbol: Symbol) -> Option<(Polynomial, Polynomial)> {
        let (mut rest, mut factor) = (Polynomial::zero(), Polynomial::zero());
        for (monomial, coefficient) in value.terms() {
            let is_quasi = |s: &Symbol| matches!(s, Symbol::Variable(v) if *v >= FIRST_QUASI);
            if monomial.symbols().iter().any(|s| is_quasi(s) && !self.is_before_loops(*s)) {
                return None;
            }
            let others: Vec<Symbol> = monomial.symbols().iter().copied().filter(|s| *s != symbol).collect();
            let constant = Polynomial::constant(coefficient.clone());
            let term = others.iter().fold(constant, |product, &other| product.mul(&Polynomial::symbol(other)));
            match monomial.degree() - others.len() {
                0 => rest = rest.add(&term),
                1 => factor = factor.add(&term),
                _ => return None,
            }
        }
        Some((rest, factor))
    }
}

fn reason(at: &Use<'_>) -> Reason {
    let text = "the program does not end inside".to_string();
    Reason { kind: AssumptionKind::BranchNotTaken, text, place: at.place.cloned() }
}
