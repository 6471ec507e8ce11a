//! From an expression to a polynomial congruent to it.

use poly_arith::Int;
use poly_presburger::{Budget, PwAff, Set};
use poly_scop::AssumptionKind;
use poly_scop::shape::{Monomial, Polynomial, Symbol};
use poly_shim::ir::Opcode;
use poly_shim::{LoopRef, ScevKind, ScevRef, ValueRef};

use super::type_range::constant;
use super::{Interval, Products, Sign, Translator, Use};
use crate::facts::Reason;
use crate::names;
use crate::params::type_range;
use crate::plausible::is_product;
use crate::reject::{Blocker, RejectKind};

/// Deepest nesting of values chosen by conditions.
const MAX_SELECTIONS: usize = 4;
/// Parameters are integers of at most this width.
const WORD_BITS: u32 = 64;
/// Largest number of terms of a polynomial.
const MAX_TERMS: usize = 64;
/// Most parts of an expression that are looked at.
const MAX_PARTS: usize = 32;

/// A polynomial, and whether it is the signed value itself and not only congruent to it.
type Congruent = (Polynomial, bool);

impl<'c> Translator<'_, 'c> {
    /// A polynomial congruent to the expression modulo 2 to its width. An expression that is no
    /// polynomial but the same in the whole region becomes a parameter.
    pub(super) fn ring(
        &mut self,
        scev: ScevRef<'c>,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Congruent, Blocker> {
        let is_leaf = matches!(scev.kind(), ScevKind::Constant | ScevKind::Unknown);
        if is_leaf || !self.origins.is_invariant(scev) {
            return self.structure(scev, at, depth, budget);
        }
        let before = self.snapshot();
        match self.structure(scev, at, depth, budget) {
            Err(blocker) if blocker.kind != RejectKind::Complexity => {
                self.restore(before);
                self.as_param(scev, at, budget)
            }
            result => result,
        }
    }

    fn structure(
        &mut self,
        scev: ScevRef<'c>,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Congruent, Blocker> {
        let operands = scev.operands();
        match scev.kind() {
            ScevKind::Constant => {
                let value = scev
                    .constant()
                    .ok_or_else(|| at.blocker(format!("{} has a constant of more than 128 bits", at.what)))?;
                Ok((Polynomial::constant(Int::from(value)), true))
            }
            ScevKind::Unknown => self.unknown(scev, at, depth, budget),
            ScevKind::AddRec => self.recurrence(scev, &operands, at, depth, budget),
            ScevKind::Add => self.sum(scev, operands, at, depth, budget),
            ScevKind::Mul => self.product(scev, &operands, at, depth, budget),
            ScevKind::UDiv if self.is_distance(scev) => self.as_param(scev, at, budget),
            ScevKind::UDiv => self.quotient(&operands, at, depth, budget),
            ScevKind::SMax | ScevKind::SMin => self.extremum(scev.kind(), &operands, Sign::Signed, at, depth, budget),
            ScevKind::UMax | ScevKind::UMin | ScevKind::SequentialUMin => {
                self.extremum(scev.kind(), &operands, Sign::Unsigned, at, depth, budget)
            }
            ScevKind::SExt => Ok((self.viewed(operands[0], Sign::Signed, at, depth + 1, budget)?, true)),
            ScevKind::ZExt => Ok((self.zero_extension(operands[0], at, depth, budget)?, true)),
            ScevKind::Trunc if self.origins.is_invariant(scev) => self.as_param(scev, at, budget),
            ScevKind::Trunc => Ok((self.ring(operands[0], at, depth + 1, budget)?.0, false)),
            ScevKind::PtrToInt if self.origins.is_invariant(scev) => self.as_param(scev, at, budget),
            ScevKind::PtrToInt | ScevKind::VScale | ScevKind::CouldNotCompute | ScevKind::Other => {
                Err(at.blocker(format!("{} is not an affine expression of loop counters and parameters", at.what)))
            }
        }
    }

    /// A sum. What comes from addresses in it is one parameter: the number of bytes between two
    /// pointers.
    fn sum(
        &mut self,
        scev: ScevRef<'c>,
        operands: Vec<ScevRef<'c>>,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Congruent, Blocker> {
        if let Some(sum) = self.with_unsigned_remainder(scev, at, depth, budget)? {
            return self.bounded((sum, false), at);
        }
        let mut sum = (Polynomial::zero(), scev.wrap_flags().no_signed_wrap);
        let (addresses, mut terms): (Vec<_>, Vec<_>) = operands.into_iter().partition(|&o| self.is_distance(o));
        match addresses.split_first() {
            Some((&first, others)) if !others.is_empty() => {
                let distance = others.iter().fold(first, |sum, &other| self.origins.ctx.scev_add(sum, other));
                let (term, exact) = self.as_param(distance, at, budget)?;
                sum = (term, sum.1 && exact);
            }
            _ => terms.extend(addresses),
        }
        for operand in terms {
            let (term, exact) = self.ring(operand, at, depth + 1, budget)?;
            sum = (sum.0.add(&term), sum.1 && exact);
        }
        self.bounded(sum, at)
    }

    fn bounded(&self, value: Congruent, at: &Use<'_>) -> Result<Congruent, Blocker> {
        if value.0.terms().count() <= MAX_TERMS {
            return Ok(value);
        }
        Err(Blocker::new(RejectKind::Complexity, format!("{} has too many terms", at.what))
            .at(at.place.cloned())
            .in_block(at.block))
    }

    pub(super) fn as_param(
        &mut self,
        scev: ScevRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Congruent, Blocker> {
        let bits = self.origins.ctx.scev_bits(scev);
        if (WORD_BITS + 1..=2 * WORD_BITS).contains(&bits) {
            return self.as_words(scev, bits, at, budget);
        }
        let id = self.param(scev, at, budget)?;
        let entry = self.params.entry(id.0);
        let is_signed_value = entry.max <= type_range(entry.param.bits, false).1;
        Ok((Polynomial::symbol(Symbol::Param(id.0)), is_signed_value))
    }

    /// A parameter that is computed from products as polynomial in other parameters, under the
    /// assumption that it does not wrap around; nothing if it is no such parameter.
    fn definition(&mut self, param: u32, budget: &mut Budget) -> Option<Polynomial> {
        let entry = self.params.entry(param);
        let (scev, sign) = (entry.scev, if entry.param.unsigned { Sign::Unsigned } else { Sign::Signed });
        if !is_product(scev) {
            return None;
        }
        let everywhere = Set::universe(self.space(0));
        let at = Use {
            block: self.origins.region.entry,
            loops: &[],
            domain: &everywhere,
            what: "a product of sizes",
            place: None,
            kind: RejectKind::NonAffineAccess,
            may_assume: true,
            products: Products::Assumed,
        };
        let before = self.snapshot();
        match self.viewed(scev, sign, &at, 0, budget) {
            Ok(polynomial) if polynomial.degree() > 1 => {
                self.equate(param, &polynomial, &at, budget);
                Some(polynomial)
            }
            _ => {
                self.restore(before);
                None
            }
        }
    }

    /// Learns what follows for all parameters that are computed from products.
    pub(crate) fn know_products(&mut self, budget: &mut Budget) {
        for param in 0..u32::try_from(self.params.entries().len()).expect("there are few parameters") {
            self.definition(param, budget);
        }
    }

    /// The polynomial with the factors of products in place of the parameters that stand for
    /// products.
    pub(crate) fn with_factors(&mut self, value: &Polynomial, budget: &mut Budget) -> Polynomial {
        let mut result = value.clone();
        for symbol in value.symbols() {
            let Symbol::Param(param) = symbol else { continue };
            if let Some(definition) = self.definition(param, budget) {
                result = result.replace(symbol, &definition);
            }
        }
        result
    }

    /// An integer of more than 64 bits as its upper part, times 2^64, and its lower part.
    fn as_words(
        &mut self,
        scev: ScevRef<'c>,
        bits: u32,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Congruent, Blocker> {
        let ctx = self.origins.ctx;
        let half = ctx.scev_int(ctx.integer_type(bits), 1 << (WORD_BITS / 2));
        let low = ctx.scev_trunc(scev, ctx.integer_type(WORD_BITS));
        let high = ctx.scev_udiv(ctx.scev_udiv(scev, half), half);
        let high = ctx.scev_trunc(high, ctx.integer_type(bits - WORD_BITS));
        self.params.prefer_unsigned(low);
        let low = Polynomial::symbol(Symbol::Param(self.param(low, at, budget)?.0));
        let high = self.param(high, at, budget)?;
        let is_signed = !self.params.entry(high.0).param.unsigned;
        let high = Polynomial::symbol(Symbol::Param(high.0)).scale(&Int::from(2).pow(WORD_BITS));
        let (high, is_zero) = self.without_upper_part((high, is_signed), bits, at, budget)?;
        Ok((high.add(&low), is_zero))
    }

    /// A term of an integer of more than 64 bits, or 0 for a multiple of 2^64: that there is none
    /// is assumed. New code computes with 64 bits.
    fn without_upper_part(
        &mut self,
        term: Congruent,
        bits: u32,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Congruent, Blocker> {
        let word = Int::from(2).pow(WORD_BITS);
        let is_upper = |(monomial, coefficient): (&Monomial, &Int)| {
            matches!(monomial.symbols(), [Symbol::Param(_)]) && coefficient.is_divisible_by(&word)
        };
        if bits <= WORD_BITS || !at.may_assume || !term.0.terms().all(is_upper) {
            return Ok(term);
        }
        for symbol in term.0.symbols() {
            let value = self.function(&Polynomial::symbol(symbol), at)?;
            let text = format!("an integer of {bits} bits has a value of {WORD_BITS}");
            let reason = Reason { kind: AssumptionKind::NoWrap, text, place: at.place.cloned() };
            self.facts.exclude(&value.non_zero_set(), &reason, budget).map_err(|b| b.in_block(at.block))?;
        }
        self.pin(&term.0);
        Ok((Polynomial::zero(), true))
    }

    /// `{start,+,step}<loop>` is `start + step * counter`.
    fn recurrence(
        &mut self,
        scev: ScevRef<'c>,
        operands: &[ScevRef<'c>],
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Congruent, Blocker> {
        let l = scev.addrec_loop().expect("a recurrence has a loop");
        let [start, step] = operands else {
            return Err(at.blocker(format!("{} grows faster than linearly", at.what)));
        };
        let position = self.origins.cfg.loop_number(l).and_then(|l| at.loops.iter().position(|&around| around == l));
        if let Some(position) = position.filter(|&position| self.tiles.has(at.loops[position])) {
            return self.recurrence_of_tiles(scev, (*start, *step), position, at, depth, budget);
        }
        let counter = self.counter(scev, l, at, budget)?;
        let (start, start_is_exact) = self.ring(*start, at, depth + 1, budget)?;
        let (step, step_is_exact) = self.ring(*step, at, depth + 1, budget)?;
        let product = step.mul(&counter);
        if product.degree() > 1 && at.products == Products::Refused {
            return Err(at.blocker(format!("{} grows by a step that is not constant", at.what)));
        }
        let exact = scev.wrap_flags().no_signed_wrap && start_is_exact && step_is_exact;
        self.bounded((start.add(&product), exact), at)
    }

    /// A recurrence of a loop over tiles is `start + way`, where the way is a multiple of the
    /// tile's offset.
    fn recurrence_of_tiles(
        &mut self,
        scev: ScevRef<'c>,
        (start, growth): (ScevRef<'c>, ScevRef<'c>),
        position: usize,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Congruent, Blocker> {
        let (start, start_is_exact) = self.ring(start, at, depth + 1, budget)?;
        let (growth, growth_is_exact) = self.ring(growth, at, depth + 1, budget)?;
        let way = self.tiles.way(at.loops[position], &growth, position);
        let way = way.ok_or_else(|| at.blocker(format!("{} depends on the number of a tile", at.what)))?;
        let exact = scev.wrap_flags().no_signed_wrap && start_is_exact && growth_is_exact;
        self.bounded((start.add(&way), exact), at)
    }

    /// The counter of a loop around the use; that of a loop around the whole region is a parameter.
    fn counter(
        &mut self,
        like: ScevRef<'c>,
        l: LoopRef<'c>,
        at: &Use<'_>,
        budget: &mut Budget,
    ) -> Result<Polynomial, Blocker> {
        let number = self.origins.cfg.loop_number(l);
        if let Some(position) = at.loops.iter().position(|&around| Some(around) == number) {
            return Ok(self.tiles.number(at.loops, position));
        }
        let counter = self.origins.ctx.loop_counter(l, like);
        if self.origins.is_invariant(counter) {
            return Ok(self.as_param(counter, at, budget)?.0);
        }
        Err(at.blocker(format!("{} depends on the end of another loop", at.what)))
    }

    fn product(
        &mut self,
        scev: ScevRef<'c>,
        operands: &[ScevRef<'c>],
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Congruent, Blocker> {
        let mut product = (Polynomial::constant(1), scev.wrap_flags().no_signed_wrap);
        for &operand in operands {
            let (factor, exact) = self.ring(operand, at, depth + 1, budget)?;
            product = self.bounded((product.0.mul(&factor), product.1 && exact), at)?;
        }
        if product.0.is_affine() || at.products != Products::Refused {
            return self.without_upper_part(product, self.origins.ctx.scev_bits(scev), at, budget);
        }
        if !self.origins.is_invariant(scev) {
            return Err(at.blocker(format!("{} has a product of values that are not constant", at.what)));
        }
        // Without its constant factor, the product may be common to several expressions.
        let (constants, factors): (Vec<ScevRef<'c>>, Vec<ScevRef<'c>>) =
            operands.iter().partition(|o| o.kind() == ScevKind::Constant);
        let coefficient = constants.iter().map(|c| c.constant().map(Int::from)).product::<Option<Int>>();
        let (Some(coefficient), Some((first, others))) = (coefficient, factors.split_first()) else {
            return self.as_param(scev, at, budget);
        };
        let rest = others.iter().fold(*first, |product, &factor| self.origins.ctx.scev_mul(product, factor));
        let (rest, _) = self.as_param(rest, at, budget)?;
        Ok((rest.scale(&coefficient), false))
    }

    /// Whether it is computed from addresses and the same in the whole region, as the number of
    /// elements between two pointers. The numbers of their bytes, which are no numbers of anything
    /// in the program, need not be known.
    fn is_distance(&self, scev: ScevRef<'c>) -> bool {
        let mut todo = vec![scev];
        for _ in 0..MAX_PARTS {
            let Some(part) = todo.pop() else { return false };
            if part.kind() == ScevKind::PtrToInt {
                return self.origins.is_invariant(scev);
            }
            todo.extend(part.operands());
        }
        false
    }

    /// Unsigned division by a constant.
    fn quotient(
        &mut self,
        operands: &[ScevRef<'c>],
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Congruent, Blocker> {
        let bits = self.origins.ctx.scev_bits(operands[0]);
        let divisor = operands[1].constant().filter(|&d| d > 1 && i64::try_from(d).is_ok());
        let divisor = Int::from(
            divisor.ok_or_else(|| at.blocker(format!("{} has a division by a value that is not constant", at.what)))?,
        );
        let dividend = self.viewed(operands[0], Sign::Unsigned, at, depth + 1, budget)?;
        if let Some(exact) = self.exact_quotient(&dividend, &divisor, at, budget)? {
            return Ok((exact, true));
        }
        let value = self.function(&dividend, at)?.floor_div(divisor.clone());
        let max = type_range(bits, true).1.div_floor(&divisor);
        let bounds = self.interval(&dividend, at.loops);
        let max = bounds.max.map_or(max.clone(), |m| m.div_floor(&divisor).min(max));
        Ok((self.polynomial_of(&value, Interval { min: Some(Int::ZERO), max: Some(max) }, at, budget)?, true))
    }

    /// Minimum or maximum.
    fn extremum(
        &mut self,
        kind: ScevKind,
        operands: &[ScevRef<'c>],
        sign: Sign,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Congruent, Blocker> {
        let is_max = matches!(kind, ScevKind::SMax | ScevKind::UMax);
        let mut result: Option<(PwAff, Interval)> = None;
        for &operand in operands {
            let polynomial = self.viewed(operand, sign, at, depth + 1, budget)?;
            let value = self.function(&polynomial, at)?;
            let bounds = self.interval(&polynomial, at.loops);
            result = Some(match result {
                None => (value, bounds),
                Some((so_far, interval)) => {
                    let value = if is_max { so_far.max(&value) } else { so_far.min(&value) };
                    (self.pruned(&value, at, budget)?, interval.hull(&bounds))
                }
            });
        }
        let (value, bounds) = result.expect("an extremum has operands");
        let bits = self.origins.ctx.scev_bits(operands[0]);
        let is_signed_value =
            bounds.max.as_ref().is_some_and(|m| *m <= type_range(bits, false).1) || sign == Sign::Signed;
        Ok((self.polynomial_of(&value, bounds, at, budget)?, is_signed_value))
    }

    /// The unsigned value.
    fn zero_extension(
        &mut self,
        operand: ScevRef<'c>,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Polynomial, Blocker> {
        if operand.kind() == ScevKind::Trunc && self.origins.is_invariant(operand) {
            if let Some(value) = self.without_sign(operand, at, depth, budget)? {
                return Ok(value);
            }
            self.params.prefer_unsigned(operand);
        }
        self.viewed(operand, Sign::Unsigned, at, depth + 1, budget)
    }

    /// All bits but the sign of an integer, under the assumption that it is not negative: then they
    /// are the integer. LLVM so narrows what it knows to be at least 0, for example the number of
    /// iterations where `int n = v.size()`, while conditions and other loops use the whole integer.
    fn without_sign(
        &mut self,
        narrow: ScevRef<'c>,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Option<Polynomial>, Blocker> {
        let ctx = self.origins.ctx;
        let bits = ctx.scev_bits(narrow) + 1;
        let whole = narrow.operands()[0];
        if !at.may_assume || !matches!(bits, 16 | 32 | 64) || ctx.scev_bits(whole) < bits {
            return Ok(None);
        }
        let integer = if ctx.scev_bits(whole) == bits { whole } else { ctx.scev_trunc(whole, ctx.integer_type(bits)) };
        let before = self.snapshot();
        let text = format!("an integer of {bits} bits of which {} are used is not negative", bits - 1);
        let reason = Reason { kind: AssumptionKind::NonNegative, text, place: at.place.cloned() };
        let value = self.viewed(integer, Sign::Signed, at, depth + 1, budget)?;
        if self.ensure_not_negative(&value, &reason, at, budget)? {
            return Ok(Some(value));
        }
        self.restore(before);
        Ok(None)
    }

    pub(crate) fn function(&self, polynomial: &Polynomial, at: &Use<'_>) -> Result<PwAff, Blocker> {
        self.to_function(polynomial, at.depth()).ok_or_else(|| at.blocker(format!("{} is not affine", at.what)))
    }

    /// A value that scalar evolution does not look into.
    fn unknown(
        &mut self,
        scev: ScevRef<'c>,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Congruent, Blocker> {
        let value = scev.unknown_value().expect("an unknown has a value");
        if value.ty().integer_bits().is_none() {
            return Err(at.blocker(format!("{} is computed from the address {}", at.what, names::quoted(value))));
        }
        if self.origins.is_invariant(scev) {
            return self.as_param(scev, at, budget);
        }
        match value.opcode() {
            Some(Opcode::Freeze) if value.operand(0).ty().integer_bits().is_some() => {
                let frozen = self.origins.scev_in(value.operand(0), at.block);
                let frozen = frozen.ok_or_else(|| at.blocker(format!("{} is not an integer expression", at.what)))?;
                // If it is poison, flags say nothing about it.
                Ok((self.ring(frozen, at, depth + 1, budget)?.0, false))
            }
            Some(opcode @ (Opcode::SDiv | Opcode::SRem | Opcode::AShr)) => {
                self.signed_division(value, opcode, at, depth, budget)
            }
            Some(Opcode::Select) if self.selections < MAX_SELECTIONS => {
                self.selections += 1;
                let result = self.selection(value, at, budget);
                self.selections -= 1;
                result
            }
            Some(Opcode::Phi) if let Some(left) = self.origins.left_behind(value, at.block) => {
                self.ring(left, at, depth + 1, budget)
            }
            Some(Opcode::Phi) if self.selections < MAX_SELECTIONS => {
                self.selections += 1;
                let merged = self.merged_integer(value, at, budget);
                self.selections -= 1;
                let unknown = || {
                    let what = names::quoted(value);
                    at.blocker(format!("{} depends on {what}, which is computed inside the region", at.what))
                };
                merged?.ok_or_else(unknown)
            }
            _ => Err(at.blocker(format!(
                "{} depends on {}, which is computed inside the region",
                at.what,
                names::quoted(value)
            ))),
        }
    }

    /// The value that a condition chooses, each translated for the points at which it is chosen.
    fn selection(&mut self, select: ValueRef<'c>, at: &Use<'_>, budget: &mut Budget) -> Result<Congruent, Blocker> {
        let split = self.condition(select.operand(0), at, budget)?;
        let mut values = Vec::new();
        for (position, chosen) in [(2, split.fails), (1, split.holds)] {
            let domain = at.domain.intersect_within(&chosen, budget)?;
            let value = self.reduced(select.operand(position), &Use { domain: &domain, ..*at }, budget)?;
            values.push((chosen, value));
        }
        self.chosen_integer(values, at.loops, at, budget)
    }

    /// Division that rounds towards zero, its remainder, and the shift that rounds down, all by
    /// constants; or a remainder by what is the same in the whole region.
    fn signed_division(
        &mut self,
        value: ValueRef<'c>,
        opcode: Opcode,
        at: &Use<'_>,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<Congruent, Blocker> {
        if opcode == Opcode::SRem
            && let Some(remainder) = self.signed_remainder(value, at, depth, budget)?
        {
            return Ok((remainder, true));
        }
        let amount = value.operand(1).constant_int().filter(|&a| a > 0 && (opcode != Opcode::AShr || a < 62));
        let amount = amount.ok_or_else(|| {
            at.blocker(format!("{} has a division by a value that is not a positive constant", at.what))
        })?;
        let divisor = if opcode == Opcode::AShr {
            Int::from(2).pow(u32::try_from(amount).expect("below 62"))
        } else {
            Int::from(amount)
        };
        let dividend = self.origins.scev_in(value.operand(0), at.block);
        let dividend = dividend.ok_or_else(|| at.blocker(format!("{} is not an integer expression", at.what)))?;
        let polynomial = self.viewed(dividend, Sign::Signed, at, depth + 1, budget)?;
        if opcode != Opcode::SRem
            && let Some(quotient) = self.exact_quotient(&polynomial, &divisor, at, budget)?
        {
            return Ok((quotient, true));
        }
        let function = self.function(&polynomial, at)?;
        let bits = self.origins.ctx.scev_bits(dividend);
        let (type_min, type_max) = type_range(bits, false);
        let (result, bounds) = match opcode {
            Opcode::SRem => {
                let last = &divisor - &Int::ONE;
                (
                    function.sub(&rounded_to_zero(&function, &divisor).scale(divisor)),
                    Interval { min: Some(-&last), max: Some(last) },
                )
            }
            Opcode::SDiv => {
                (rounded_to_zero(&function, &divisor), Interval { min: Some(type_min), max: Some(type_max) })
            }
            _ => (function.floor_div(divisor), Interval { min: Some(type_min), max: Some(type_max) }),
        };
        Ok((self.polynomial_of(&result, bounds, at, budget)?, true))
    }
}

/// `value / divisor` without its fraction.
fn rounded_to_zero(value: &PwAff, divisor: &Int) -> PwAff {
    let zero = constant(value, &Int::ZERO);
    let positive = value.intersect_domain(&value.ge_set(&zero)).floor_div(divisor.clone());
    let negative = value.intersect_domain(&value.lt_set(&zero)).neg().floor_div(divisor.clone()).neg();
    positive.union_disjoint(&negative)
}

impl Interval {
    /// The smallest interval that contains both.
    pub(crate) fn hull(&self, other: &Self) -> Self {
        let both = |a: &Option<Int>, b: &Option<Int>, pick: fn(Int, Int) -> Int| Some(pick(a.clone()?, b.clone()?));
        Self { min: both(&self.min, &other.min, Ord::min), max: both(&self.max, &other.max, Ord::max) }
    }
}
