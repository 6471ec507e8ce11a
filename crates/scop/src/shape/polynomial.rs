//! Polynomials with integer coefficients over the parameters and variables of an address.
//!
//! # Definitions
//! A *symbol* is a parameter (fixed while the region runs) or a variable (a loop counter or another
//! quasi-affine value). A *monomial* is a product of symbols, kept as a sorted list; the empty list
//! is 1. A [`Polynomial`] maps monomials to nonzero coefficients, so equal polynomials have equal
//! representations.
//!
//! # Division
//! [`Polynomial::div_rem`] divides by the leading term in the graded order (degree first, then the
//! list of symbols), with coefficients rounded to the nearest integer: `p = q * d + r`. For a
//! constant divisor that is ordinary division coefficient by coefficient.

use std::collections::BTreeMap;
use std::fmt;

use poly_arith::Int;

/// A factor of a monomial.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Symbol {
    /// A parameter, by its number.
    Param(u32),
    /// A loop counter or another value that varies inside the region, by its number.
    Variable(u32),
}

/// A product of symbols.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Monomial(Vec<Symbol>);

impl Monomial {
    /// The empty product.
    pub fn one() -> Self {
        Self::default()
    }

    /// The product of the symbols.
    pub fn product(mut symbols: Vec<Symbol>) -> Self {
        symbols.sort_unstable();
        Self(symbols)
    }

    /// The factors in ascending order, with repetitions.
    pub fn symbols(&self) -> &[Symbol] {
        &self.0
    }

    /// The number of factors.
    pub fn degree(&self) -> usize {
        self.0.len()
    }

    fn times(&self, other: &Self) -> Self {
        Self::product(self.0.iter().chain(&other.0).copied().collect())
    }

    /// `self / other` where it is a product of symbols.
    fn divided_by(&self, other: &Self) -> Option<Self> {
        let mut rest = self.0.clone();
        for symbol in &other.0 {
            let position = rest.iter().position(|s| s == symbol)?;
            rest.remove(position);
        }
        Some(Self(rest))
    }

    /// Splits off the variables.
    fn split(&self) -> (Vec<u32>, Self) {
        let mut variables = Vec::new();
        let mut params = Vec::new();
        for &symbol in &self.0 {
            match symbol {
                Symbol::Param(_) => params.push(symbol),
                Symbol::Variable(v) => variables.push(v),
            }
        }
        (variables, Self(params))
    }
}

impl PartialOrd for Monomial {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The graded order: a product by more symbols is larger, which makes division terminate.
impl Ord for Monomial {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.degree(), &self.0).cmp(&(other.degree(), &other.0))
    }
}

/// A polynomial with integer coefficients.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Polynomial(BTreeMap<Monomial, Int>);

impl Polynomial {
    /// The polynomial 0.
    pub fn zero() -> Self {
        Self::default()
    }

    /// A constant.
    pub fn constant(value: impl Into<Int>) -> Self {
        let mut result = Self::zero();
        result.add_term(Monomial::one(), value.into());
        result
    }

    /// A single symbol.
    pub fn symbol(symbol: Symbol) -> Self {
        let mut result = Self::zero();
        result.add_term(Monomial(vec![symbol]), Int::ONE);
        result
    }

    /// Adds `coefficient * monomial`.
    pub fn add_term(&mut self, monomial: Monomial, coefficient: Int) {
        let sum = match self.0.get(&monomial) {
            Some(old) => old + &coefficient,
            None => coefficient,
        };
        if sum.is_zero() {
            self.0.remove(&monomial);
        } else {
            self.0.insert(monomial, sum);
        }
    }

    /// The terms, smallest monomial first.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = (&Monomial, &Int)> {
        self.0.iter()
    }

    /// Whether this is 0.
    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a polynomial without symbols.
    pub fn as_constant(&self) -> Option<Int> {
        if self.0.keys().all(|m| m.degree() == 0) { Some(self.constant_term()) } else { None }
    }

    /// The coefficient of the empty monomial.
    pub fn constant_term(&self) -> Int {
        self.0.get(&Monomial::one()).cloned().unwrap_or(Int::ZERO)
    }

    /// The largest number of factors of a term (0 for constants).
    pub fn degree(&self) -> usize {
        self.0.keys().map(Monomial::degree).max().unwrap_or(0)
    }

    /// Whether no term has more than one factor.
    pub fn is_affine(&self) -> bool {
        self.degree() <= 1
    }

    /// The symbols that occur, ascending.
    pub fn symbols(&self) -> Vec<Symbol> {
        let mut all: Vec<Symbol> = self.0.keys().flat_map(|m| m.symbols().iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// `self + other`.
    pub fn add(&self, other: &Self) -> Self {
        let mut result = self.clone();
        for (monomial, coefficient) in &other.0 {
            result.add_term(monomial.clone(), coefficient.clone());
        }
        result
    }

    /// `self - other`.
    pub fn sub(&self, other: &Self) -> Self {
        self.add(&other.scale(&Int::NEG_ONE))
    }

    /// `factor * self`.
    pub fn scale(&self, factor: &Int) -> Self {
        let mut result = Self::zero();
        for (monomial, coefficient) in &self.0 {
            result.add_term(monomial.clone(), coefficient * factor);
        }
        result
    }

    /// `self * other`.
    pub fn mul(&self, other: &Self) -> Self {
        let mut result = Self::zero();
        for (a, x) in &self.0 {
            for (b, y) in &other.0 {
                result.add_term(a.times(b), x * y);
            }
        }
        result
    }

    /// The polynomial with another one in place of a symbol.
    pub fn replace(&self, symbol: Symbol, by: &Self) -> Self {
        let mut result = Self::zero();
        for (monomial, coefficient) in &self.0 {
            let others: Vec<Symbol> = monomial.0.iter().copied().filter(|s| *s != symbol).collect();
            let times = monomial.degree() - others.len();
            let mut term = Self::zero();
            term.add_term(Monomial(others), coefficient.clone());
            result = (0..times).fold(term, |product, _| product.mul(by)).add(&result);
        }
        result
    }

    /// The coefficients reduced modulo `2^bits` to the representatives nearest 0
    /// (`-2^(bits-1) < c <= 2^(bits-1)`).
    pub fn reduce(&self, bits: u32) -> Self {
        let modulus = Int::from(2).pow(bits);
        let half = Int::from(2).pow(bits.saturating_sub(1));
        let mut result = Self::zero();
        for (monomial, coefficient) in &self.0 {
            let reduced = &half - &(&half - coefficient).mod_floor(&modulus);
            result.add_term(monomial.clone(), reduced);
        }
        result
    }

    /// The polynomial with the opposite sign of every coefficient that is half of `2^bits`. It is
    /// the same modulo `2^bits`: `1 + p` is `1 - p` modulo 2.
    pub fn with_halves_negated(&self, bits: u32) -> Self {
        let half = Int::from(2).pow(bits.saturating_sub(1));
        let mut result = Self::zero();
        for (monomial, coefficient) in &self.0 {
            let is_half = monomial.degree() > 0 && *coefficient == half;
            result.add_term(monomial.clone(), if is_half { -&half } else { coefficient.clone() });
        }
        result
    }

    /// The greatest common divisor of the coefficients (0 for the polynomial 0).
    pub fn content(&self) -> Int {
        self.0.values().fold(Int::ZERO, |gcd, c| gcd.gcd(c))
    }

    /// The polynomial divided by a common divisor of its coefficients, if it is one.
    pub fn div_int(&self, divisor: &Int) -> Option<Self> {
        let mut result = Self::zero();
        for (monomial, coefficient) in &self.0 {
            if !coefficient.is_divisible_by(divisor) {
                return None;
            }
            result.add_term(monomial.clone(), coefficient.div_exact(divisor));
        }
        Some(result)
    }

    /// `(q, r)` with `self = q * divisor + r`, see the module's description. The divisor must not
    /// be 0.
    pub fn div_rem(&self, divisor: &Self) -> (Self, Self) {
        let (lead, factor) = divisor.0.last_key_value().expect("the divisor of a polynomial is not 0");
        let mut quotient = Self::zero();
        let mut todo = self.clone();
        let mut rest = Self::zero();
        while let Some((monomial, coefficient)) = todo.0.pop_last() {
            let part = monomial.divided_by(lead).map(|m| (m, round_div(&coefficient, factor)));
            match part {
                Some((m, q)) if !q.is_zero() => {
                    let mut step = Self::zero();
                    step.add_term(m, q);
                    let mut product = step.mul(divisor);
                    let leftover = &coefficient - product.0.get(&monomial).expect("the leading terms multiply to it");
                    rest.add_term(monomial.clone(), leftover);
                    product.0.remove(&monomial);
                    todo = todo.sub(&product);
                    quotient = quotient.add(&step);
                }
                _ => rest.add_term(monomial, coefficient),
            }
        }
        (quotient, rest)
    }

    /// `self / divisor` where the division leaves no rest.
    pub fn div_exact(&self, divisor: &Self) -> Option<Self> {
        let (quotient, rest) = self.div_rem(divisor);
        rest.is_zero().then_some(quotient)
    }

    /// The polynomial as `sum(coefficient[v] * v) + rest` with coefficients and rest free of
    /// variables; nothing if a term has more than one variable.
    pub fn linear_in_variables(&self) -> Option<(BTreeMap<u32, Polynomial>, Polynomial)> {
        let mut coefficients: BTreeMap<u32, Polynomial> = BTreeMap::new();
        let mut rest = Self::zero();
        for (monomial, coefficient) in &self.0 {
            let (variables, params) = monomial.split();
            match variables.as_slice() {
                [] => rest.add_term(params, coefficient.clone()),
                [v] => coefficients.entry(*v).or_default().add_term(params, coefficient.clone()),
                _ => return None,
            }
        }
        Some((coefficients, rest))
    }
}

/// The quotient rounded to the nearest integer, halves downwards.
fn round_div(a: &Int, b: &Int) -> Int {
    let twice = a * 2;
    (&twice + b).div_floor(&(b * 2)) - if (&twice + b).is_divisible_by(&(b * 2)) { Int::ONE } else { Int::ZERO }
}

impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_zero() {
            return f.write_str("0");
        }
        for (position, (monomial, coefficient)) in self.0.iter().rev().enumerate() {
            let sign = if coefficient.is_neg() { "-" } else { "+" };
            match position {
                0 if coefficient.is_neg() => f.write_str("-")?,
                0 => {}
                _ => write!(f, " {sign} ")?,
            }
            let size = coefficient.abs();
            if monomial.degree() == 0 || !size.is_one() {
                write!(f, "{size}")?;
            }
            for (factor, symbol) in monomial.symbols().iter().enumerate() {
                if factor > 0 || !size.is_one() {
                    f.write_str("*")?;
                }
                match symbol {
                    Symbol::Param(p) => write!(f, "p{p}")?,
                    Symbol::Variable(v) => write!(f, "i{v}")?,
                }
            }
        }
        Ok(())
    }
}
