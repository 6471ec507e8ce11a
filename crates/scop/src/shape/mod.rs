//! Recovery of array shapes from the offsets of accesses.
//!
//! # Problem
//! After lowering, an access of `double A[n][m]` at `[i + 1][j]` is an offset `i*m + j + m` in
//! elements from the base of `A`. Offsets with products of parameters and loop counters are not
//! affine; subscripts are. Given the offsets of all accesses of one base, find strides
//! `s_1 > s_2 > ... > s_r = 1`, each a multiple of the next, and write every offset as
//! `sum(x_k * s_k)` with affine `x_k`.
//!
//! # Why any answer is right
//! Whoever uses a shape must show, or check before the program runs, that
//! `0 <= x_k < s_(k-1) / s_k` for every `k` but the first. Under that condition subscripts and
//! offsets determine each other, whatever the shape was in the source. So this module only
//! proposes: [`candidates`] lists shapes, the most plausible first, and [`splits`] the ways to
//! write an offset in one of them.
//!
//! # Algorithm ([GrosserEtAl2015], with constant strides added)
//! 1. Collect the coefficients of the variables in all offsets. Those with parameters are the
//!    strides of outer dimensions; constant ones those of inner dimensions.
//! 2. Coefficients that differ by a constant factor (`2*m` from `A[2*i][j]`) are one stride, times
//!    the greatest common divisor, with that of rows that are added to them (`2*i*m + m`) or
//!    without. Diagonals walk by a stride and one more or less: constant terms may be left out.
//! 3. Order by degree; a stride enters the shape if the previous one divides it.
//! 4. An offset is split by dividing by the strides, outermost first. A constant part may belong to
//!    either side (`m - 1` in dimension 1 is also `1` in dimension 0 and `-1` in dimension 1), so
//!    neighbours of the quotient are alternatives.

mod polynomial;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use poly_arith::Int;

pub use polynomial::{Monomial, Polynomial, Symbol};

/// Constant strides shorter than this do not make a dimension of their own: one-dimensional
/// subscripts such as `3*i + 2` are as exact.
const SHORTEST_CONSTANT_DIMENSION: i64 = 8;

/// Strides in elements, outermost first; the last one is 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    strides: Vec<Polynomial>,
}

impl Shape {
    /// The shape of a one-dimensional array.
    pub fn flat() -> Self {
        Self { strides: vec![Polynomial::constant(1)] }
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.strides.len()
    }

    /// The strides.
    pub fn strides(&self) -> &[Polynomial] {
        &self.strides
    }

    /// The sizes of the dimensions but the outermost.
    pub fn extents(&self) -> Vec<Polynomial> {
        self.strides.windows(2).map(|w| w[0].div_exact(&w[1]).expect("each stride is a multiple of the next")).collect()
    }

    /// The shape whose strides, innermost first, are 1 and `chain`.
    fn from_chain(chain: &[Polynomial]) -> Self {
        let mut strides: Vec<Polynomial> = chain.iter().rev().cloned().collect();
        strides.push(Polynomial::constant(1));
        Self { strides }
    }
}

/// The coefficients of variables in the offsets, positive, by kind.
struct Strides {
    constants: BTreeSet<Int>,
    /// By primitive part: the gcd of the factors it occurs with.
    parametric: BTreeMap<Polynomial, Int>,
    /// The same with those in the rests of the offsets: the rows between those that a variable
    /// visits, as `2*i*m + m` beside `2*i*m` in a loop over rows that the source has unrolled.
    between: BTreeMap<Polynomial, Int>,
}

impl Strides {
    /// Nothing if an offset has a product of variables.
    fn collect(offsets: &[Polynomial], leading: Leading) -> Option<Self> {
        let mut result = Self { constants: BTreeSet::new(), parametric: BTreeMap::new(), between: BTreeMap::new() };
        let mut rests = Vec::new();
        for offset in offsets {
            let (coefficients, rest) = offset.linear_in_variables()?;
            coefficients.into_values().for_each(|coefficient| result.insert(&coefficient, leading));
            rests.push(rest);
        }
        result.between = result.parametric.clone();
        rests.iter().for_each(|rest| result.add_rows_between(rest));
        Some(result)
    }

    fn insert(&mut self, coefficient: &Polynomial, leading: Leading) {
        if let Some(constant) = coefficient.as_constant() {
            self.constants.insert(constant.abs());
            return;
        }
        let content = coefficient.content();
        let signed = if leading.is_negative(coefficient) { -&content } else { content.clone() };
        let primitive = coefficient.div_int(&signed).expect("the content divides the polynomial");
        let factor = self.parametric.entry(primitive).or_insert(Int::ZERO);
        *factor = factor.gcd(&content);
    }

    /// Looks for rows in the rest of an offset.
    fn add_rows_between(&mut self, rest: &Polynomial) {
        for (primitive, factor) in &mut self.between {
            let Some((monomial, leading)) = primitive.terms().next_back() else { continue };
            let occurs = rest.terms().find(|(other, _)| *other == monomial).map(|(_, coefficient)| coefficient);
            if let Some(occurs) = occurs.filter(|occurs| occurs.is_divisible_by(leading)) {
                *factor = factor.gcd(&occurs.div_floor(leading));
            }
        }
    }

    /// The parametric strides, smallest first.
    fn ordered(&self, form: StrideForm) -> Vec<Polynomial> {
        let mut all: Vec<Polynomial> = Vec::new();
        for (primitive, factor) in &self.parametric {
            let stride = match form {
                StrideForm::BetweenRows => primitive.scale(self.between.get(primitive).unwrap_or(factor)),
                StrideForm::WithFactor => primitive.scale(factor),
                StrideForm::Primitive => primitive.clone(),
                StrideForm::WithoutConstant => primitive.sub(&Polynomial::constant(primitive.constant_term())),
            };
            if !all.contains(&stride) {
                all.push(stride);
            }
        }
        all.sort_by_key(|s| (s.degree(), s.terms().count()));
        all
    }
}

/// The term whose sign is taken for that of a coefficient: the sizes themselves are not known.
/// Where it is the wrong one, bounds of subscripts do not hold.
#[derive(Clone, Copy)]
enum Leading {
    /// The last one in the order of terms.
    Last,
    /// The constant one, if there is one: rows from `a` to `b`, both included, have `b - a + 1`
    /// elements.
    Constant,
}

impl Leading {
    fn is_negative(self, coefficient: &Polynomial) -> bool {
        let constant = coefficient.constant_term();
        match self {
            Self::Constant if !constant.is_zero() => constant.is_neg(),
            _ => coefficient.terms().next_back().is_some_and(|(_, c)| c.is_neg()),
        }
    }
}

/// What is taken for the strides of parametric dimensions.
#[derive(Clone, Copy)]
enum StrideForm {
    /// The coefficients, times the common factor of their occurrences and of rows between them.
    BetweenRows,
    /// The coefficients, times the common factor of their occurrences.
    WithFactor,
    /// Without constant factors.
    Primitive,
    /// Without constant terms: diagonals walk by `n + 1` or `n - 1` through rows of `n`.
    WithoutConstant,
}

/// Shapes that the offsets (in elements) may have, the most plausible first. The flat shape is
/// last, where it is possible at all.
pub fn candidates(offsets: &[Polynomial]) -> Vec<Shape> {
    let Some(strides) = Strides::collect(offsets, Leading::Last) else {
        return Vec::new();
    };
    let mut result: Vec<Shape> = Vec::new();
    let mut push = |shape: Shape| {
        if !result.contains(&shape) {
            result.push(shape);
        }
    };
    if strides.parametric.is_empty() {
        push(Shape::from_chain(&constant_chain(&strides.constants, None)));
        for constant in &strides.constants {
            let alone = constant_chain(&BTreeSet::from([constant.clone()]), None);
            if !alone.is_empty() {
                push(Shape::from_chain(&alone));
            }
        }
        push(Shape::flat());
        return result;
    }
    let with_constants = Strides::collect(offsets, Leading::Constant).filter(|s| s.parametric != strides.parametric);
    let forms = [StrideForm::BetweenRows, StrideForm::WithFactor, StrideForm::Primitive, StrideForm::WithoutConstant];
    let forms = forms.into_iter().flat_map(|form| [(form, false), (form, true)]);
    let last = forms.clone().map(|(form, reversed)| (strides.ordered(form), reversed));
    let constant =
        with_constants.iter().flat_map(|s| forms.clone().map(|(form, reversed)| (s.ordered(form), reversed)));
    for (ordered, reversed) in last.chain(constant) {
        for first in 0..ordered.len() {
            let chain = parametric_chain(&ordered[first..], reversed);
            let mut full = constant_chain(&strides.constants, Some(&chain[0]));
            full.extend(chain.iter().cloned());
            push(Shape::from_chain(&full));
            push(Shape::from_chain(&chain));
        }
    }
    result.retain(|shape| shape.extents().iter().all(Polynomial::is_affine));
    result
}

/// Those of the given strides that are multiples of their predecessors; a quotient with several
/// parameters is taken apart, from its first or from its last.
fn parametric_chain(ordered: &[Polynomial], reversed: bool) -> Vec<Polynomial> {
    let mut chain: Vec<Polynomial> = Vec::new();
    for stride in ordered {
        let last = chain.last().cloned().unwrap_or_else(|| Polynomial::constant(1));
        let Some(quotient) = stride.div_exact(&last) else {
            continue;
        };
        if quotient.as_constant().is_some() {
            continue;
        }
        chain.extend(intermediate(&last, &quotient, reversed));
        chain.push(stride.clone());
    }
    chain
}

/// Strides between `last` and `last * quotient` that make every step affine, if `quotient` is a
/// single product of parameters.
fn intermediate(last: &Polynomial, quotient: &Polynomial, reversed: bool) -> Vec<Polynomial> {
    let mut terms = quotient.terms();
    let (Some((monomial, _)), None) = (terms.next(), terms.next()) else {
        return Vec::new();
    };
    let mut symbols = monomial.symbols().to_vec();
    if reversed {
        symbols.reverse();
    }
    let mut strides = Vec::new();
    let mut stride = last.clone();
    for &symbol in &symbols[..symbols.len().saturating_sub(1)] {
        stride = stride.mul(&Polynomial::symbol(symbol));
        strides.push(stride.clone());
    }
    strides
}

/// Constant strides, smallest first, each a multiple of the one before, all dividing `outer`.
fn constant_chain(constants: &BTreeSet<Int>, outer: Option<&Polynomial>) -> Vec<Polynomial> {
    let mut chain: Vec<Int> = Vec::new();
    for constant in constants {
        let last = chain.last().cloned().unwrap_or(Int::ONE);
        let long_enough = *constant >= &last * SHORTEST_CONSTANT_DIMENSION;
        let divides_outer = outer.is_none_or(|o| o.content().is_divisible_by(constant));
        if long_enough && constant.is_divisible_by(&last) && divides_outer {
            chain.push(constant.clone());
        }
    }
    chain.into_iter().map(Polynomial::constant).collect()
}

/// The subscripts of one offset, outermost first.
pub type Subscripts = Vec<Polynomial>;

/// By how many a subscript differs from the nearest quotient, in the order in which that is tried.
const SHIFTS: [i64; 3] = [0, -1, 1];

/// The ways to write `offset` in `shape`, the most plausible first; empty if a subscript would not
/// be affine. There are `3^(rank - 1)` of them: they are computed one by one.
pub fn splits(offset: &Polynomial, shape: &Shape) -> impl Iterator<Item = Subscripts> {
    let outer = shape.rank() - 1;
    let all = 3_usize.checked_pow(u32::try_from(outer).unwrap_or(u32::MAX)).unwrap_or(usize::MAX);
    (0..all).filter_map(move |number| {
        // The nearest quotient of every alternative comes before its neighbours.
        let mut shifts = number;
        let mut rest = offset.clone();
        let mut subscripts = Vec::with_capacity(outer + 1);
        for stride in &shape.strides[..outer] {
            let (subscript, remainder) = shifted_quotient(&rest, stride, SHIFTS[shifts % 3])?;
            subscripts.push(subscript);
            rest = remainder;
            shifts /= 3;
        }
        subscripts.push(rest);
        subscripts.last()?.is_affine().then_some(subscripts)
    })
}

/// A way to write `offset` in `shape` all of whose inner subscripts are inside of their dimensions,
/// as `is_inside` says, which is given the number of a subscript. At most one is, unless none is
/// ever used. A way is followed only as far as that is so.
///
/// # Errors
/// Those of `is_inside`.
pub fn split_inside<E>(
    offset: &Polynomial,
    shape: &Shape,
    mut is_inside: impl FnMut(usize, &Polynomial) -> Result<bool, E>,
) -> Result<Option<Subscripts>, E> {
    let mut todo: Vec<(Subscripts, Polynomial)> = vec![(Vec::new(), offset.clone())];
    while let Some((done, rest)) = todo.pop() {
        let level = done.len();
        if level + 1 == shape.rank() {
            if level == 0 || rest.is_affine() && is_inside(level, &rest)? {
                return Ok(rest.is_affine().then(|| done.into_iter().chain([rest]).collect()));
            }
            continue;
        }
        let mut next = Vec::new();
        for shift in SHIFTS {
            let Some((subscript, remainder)) = shifted_quotient(&rest, &shape.strides[level], shift) else { break };
            if level == 0 || is_inside(level, &subscript)? {
                next.push((done.iter().cloned().chain([subscript]).collect(), remainder));
            }
        }
        todo.extend(next.into_iter().rev());
    }
    Ok(None)
}

/// The quotient plus `shift`, and what is left.
fn shifted_quotient(offset: &Polynomial, stride: &Polynomial, shift: i64) -> Option<(Polynomial, Polynomial)> {
    let (quotient, remainder) = divide(offset, stride)?;
    if shift == 0 {
        return Some((quotient, remainder));
    }
    Some((quotient.add(&Polynomial::constant(shift)), remainder.sub(&stride.scale(&Int::from(shift)))))
}

/// Divides the coefficients of all variables and the rest by the stride; nothing if the quotient is
/// not affine.
fn divide(offset: &Polynomial, stride: &Polynomial) -> Option<(Polynomial, Polynomial)> {
    let (coefficients, rest) = offset.linear_in_variables()?;
    let (mut quotient, mut remainder) = rest.div_rem(stride);
    for (variable, coefficient) in coefficients {
        let (q, r) = coefficient.div_rem(stride);
        let symbol = Polynomial::symbol(Symbol::Variable(variable));
        quotient = quotient.add(&q.mul(&symbol));
        remainder = remainder.add(&r.mul(&symbol));
    }
    quotient.is_affine().then_some((quotient, remainder))
}
