//! Bounds of functions over their domains.
//!
//! # Problem
//! Given a piecewise quasi-polynomial over a set with parameters, find functions of the parameters
//! whose maximum is at least every value: how much memory does a program need at most, how long
//! does a loop run at most?
//!
//! # Algorithm
//! 1. Divisions that a polynomial uses become dimensions, which have one value per point.
//! 2. Each conjunction of the domain is a polytope over a lattice; the Bernstein coefficients of
//!    the polynomial on it bound its values (`kernel/bernstein.rs`).
//! 3. Where the parameters of two conjunctions meet, the maximum is that of both.
//! 4. A function that is nowhere larger than another one is left out: their difference has no
//!    negative coefficient in the distances of the parameters from their least values, or is affine
//!    and has no negative value.
//!
//! # Invariants
//! The maximum is at least every value. It is called exact only if every function in it is the
//! value at a point.
//!
//! Reference: \[ClaussTchoupaeva2004\].

use std::fmt;
use std::sync::Arc;

use poly_arith::{Int, Rational};
use poly_presburger::solver::IntOptimum;
use poly_presburger::{BasicSet, Budget, Containing, DimKind, Exactness, Row, Set, SolveError, Space, Stop};

use crate::kernel::{self, Bounds};
use crate::piecewise::PwQuasiPolynomial;
use crate::polynomial::Polynomial;
use crate::print;
use crate::quasi::QuasiPolynomial;
use crate::sum::with_floors;

/// Which of several functions counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fold {
    /// The largest value.
    Max,
    /// The smallest value.
    Min,
}

impl Fold {
    /// `max` or `min`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Fold::Max => "max",
            Fold::Min => "min",
        }
    }
}

/// The largest or smallest of some quasi-polynomials for each part of a set or parameter space.
#[derive(Clone, PartialEq, Eq, Hash)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct PwFold {
    space: Arc<Space>,
    fold: Fold,
    pieces: Vec<(Set, Vec<QuasiPolynomial>)>,
}

impl PwFold {
    /// The set or parameter space that it is defined on.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Which of the functions of a piece counts.
    #[must_use]
    pub fn fold(&self) -> Fold {
        self.fold
    }

    /// The pieces: disjoint domains with the functions on them.
    pub fn pieces(&self) -> &[(Set, Vec<QuasiPolynomial>)] {
        &self.pieces
    }

    /// The value at a point: values of the parameters, then of the dimensions; `None` outside of
    /// all pieces.
    #[must_use]
    pub fn eval(&self, point: &[Int]) -> Option<Rational> {
        let (params, dims) = point.split_at(self.space.dim(DimKind::Param));
        let (_, functions) = self.pieces.iter().find(|(domain, _)| domain.contains(params, dims))?;
        let values = functions.iter().map(|function| function.eval(point));
        match self.fold {
            Fold::Max => values.max(),
            Fold::Min => values.min(),
        }
    }

    /// The larger values of two maxima, or the smaller ones of two minima; where only one is
    /// defined, that one.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    ///
    /// # Panics
    /// If one is a maximum and the other one a minimum, or their spaces differ.
    pub fn folded_with(&self, other: &PwFold, budget: &mut Budget) -> Result<PwFold, Stop> {
        assert!(self.fold == other.fold && self.space == other.space, "{self} and {other} have no common fold");
        let piece = |(domain, functions): &(Set, Vec<QuasiPolynomial>)| Piece {
            domain: domain.clone(),
            candidates: functions.iter().map(|function| (function.clone(), false)).collect(),
        };
        let mut pieces: Vec<Piece> = self.pieces.iter().map(piece).collect();
        for other in &other.pieces {
            pieces = joined(pieces, piece(other), budget)?;
        }
        let mut result = PwFold { pieces: Vec::new(), ..self.clone() };
        for piece in pieces {
            let functions = match self.fold {
                Fold::Max => piece.undominated(budget)?,
                // Which functions are never the smallest is the same question about their
                // negatives.
                Fold::Min => piece.neg().undominated(budget)?.into_iter().map(|(f, known)| (f.neg(), known)).collect(),
            };
            let functions = functions.into_iter().map(|(function, _)| function).collect();
            result.pieces.push((piece.domain, functions));
        }
        Ok(result)
    }

    /// The negatives: a minimum becomes a maximum.
    fn neg(&self) -> PwFold {
        let fold = if self.fold == Fold::Max { Fold::Min } else { Fold::Max };
        let negated = |functions: &Vec<QuasiPolynomial>| functions.iter().map(QuasiPolynomial::neg).collect();
        let pieces = self.pieces.iter().map(|(domain, functions)| (domain.clone(), negated(functions))).collect();
        PwFold { space: Arc::clone(&self.space), fold, pieces }
    }
}

impl PwQuasiPolynomial {
    /// Functions of the parameters of which the largest bounds the values at all points of the
    /// domain from above.
    ///
    /// ```
    /// use poly_counting::PwQuasiPolynomial;
    /// use poly_presburger::Budget;
    ///
    /// let live: PwQuasiPolynomial = "[n] -> { [i] -> i * (n - i) : 0 <= i <= n }".parse()?;
    /// let bound = live.upper_bound(&mut Budget::new(1_000_000))?;
    /// assert_eq!(bound.value.to_string(), "[n] -> { max(1/2 * n^2) : n >= 0 }");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Cost: that of parametric vertices, and a coefficient for every choice, with repetition, of
    /// as many vertices as the degree.
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if a piece has infinitely many points for some parameter values.
    pub fn upper_bound(&self, budget: &mut Budget) -> Result<Containing<PwFold>, SolveError> {
        let space = Arc::new(self.space().params_space());
        let mut pieces: Vec<Piece> = Vec::new();
        for (domain, function) in self.pieces() {
            let lifted = with_floors(domain, function).compute_divs(budget)?;
            for basic in lifted.as_map().basics() {
                let found = kernel::bounds(basic, &function.polynomial, &space, budget)?;
                let known = basic.params();
                for Bounds { domain, candidates } in found.ok_or(SolveError::Unbounded)? {
                    let params = Set::from_basic(known.clone());
                    let domain = domain.intersect_params(&params).compute_divs(budget)?;
                    pieces = joined(pieces, Piece { domain, candidates }, budget)?;
                }
            }
        }
        let mut exactness = Exactness::Exact;
        let mut result = PwFold { space, fold: Fold::Max, pieces: Vec::new() };
        for piece in pieces {
            let kept = piece.undominated(budget)?;
            if kept.iter().any(|(_, is_value)| !is_value) {
                exactness = Exactness::Larger;
            }
            let functions = kept.into_iter().map(|(function, _)| function).collect();
            result.pieces.push((piece.domain.coalesce(budget)?, functions));
        }
        Ok(Containing { value: result, exactness })
    }

    /// Functions of the parameters of which the smallest bounds the values at all points of the
    /// domain from below; see [`PwQuasiPolynomial::upper_bound`].
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if a piece has infinitely many points for some parameter values.
    pub fn lower_bound(&self, budget: &mut Budget) -> Result<Containing<PwFold>, SolveError> {
        let bound = self.neg().upper_bound(budget)?;
        Ok(Containing { value: bound.value.neg(), exactness: bound.exactness })
    }
}

/// Functions whose maximum is a bound on a set, and whether each of them is a value.
struct Piece {
    domain: Set,
    candidates: Vec<(QuasiPolynomial, bool)>,
}

/// The pieces with one more; where domains meet, all functions of both are candidates.
fn joined(pieces: Vec<Piece>, new: Piece, budget: &mut Budget) -> Result<Vec<Piece>, Stop> {
    let mut result = Vec::new();
    let mut alone = new.domain.clone();
    for piece in pieces {
        let both = piece.domain.intersect(&new.domain).remove_empty_parts(budget)?;
        if both.plain_is_empty() {
            result.push(piece);
            continue;
        }
        alone = alone.subtract(&both, budget)?;
        let rest = piece.domain.subtract(&both, budget)?.remove_empty_parts(budget)?;
        let mut candidates = piece.candidates.clone();
        for candidate in &new.candidates {
            match candidates.iter_mut().find(|(function, _)| *function == candidate.0) {
                Some((_, is_value)) => *is_value |= candidate.1,
                None => candidates.push(candidate.clone()),
            }
        }
        result.push(Piece { domain: both, candidates });
        if !rest.plain_is_empty() {
            result.push(Piece { domain: rest, candidates: piece.candidates });
        }
    }
    let alone = alone.remove_empty_parts(budget)?;
    if !alone.plain_is_empty() {
        result.push(Piece { domain: alone, candidates: new.candidates });
    }
    Ok(result)
}

impl Piece {
    /// The same with the negatives of all functions.
    fn neg(&self) -> Piece {
        let candidates = self.candidates.iter().map(|(function, is_value)| (function.neg(), *is_value)).collect();
        Piece { domain: self.domain.clone(), candidates }
    }

    /// The functions that may be the largest somewhere.
    fn undominated(&self, budget: &mut Budget) -> Result<Vec<(QuasiPolynomial, bool)>, Stop> {
        let mut kept: Vec<(QuasiPolynomial, bool)> = Vec::new();
        // Of equal functions, one that is a value says more.
        let mut candidates = self.candidates.clone();
        candidates.sort_by_key(|(_, is_value)| !is_value);
        for candidate in candidates {
            let mut is_dominated = false;
            for (other, _) in &kept {
                if self.is_nowhere_negative(&other.sub(&candidate.0), budget)? {
                    is_dominated = true;
                    break;
                }
            }
            if is_dominated {
                continue;
            }
            let mut rest = Vec::new();
            for other in kept {
                if !self.is_nowhere_negative(&candidate.0.sub(&other.0), budget)? {
                    rest.push(other);
                }
            }
            kept = rest;
            kept.push(candidate);
        }
        kept.sort();
        Ok(kept)
    }

    /// Whether a function is found to have no negative value on the domain.
    fn is_nowhere_negative(&self, function: &QuasiPolynomial, budget: &mut Budget) -> Result<bool, Stop> {
        if let Some(value) = function.as_constant() {
            return Ok(!value.is_neg());
        }
        if function.n_div() > 0 {
            return Ok(false);
        }
        if function.degree() == 1 {
            return self.is_affine_nowhere_negative(&function.polynomial, budget);
        }
        self.has_no_negative_coefficient(function, budget)
    }

    fn is_affine_nowhere_negative(&self, affine: &Polynomial, budget: &mut Budget) -> Result<bool, Stop> {
        for basic in self.domain.basic_sets() {
            let form = row_of(affine, &basic);
            match basic.as_basic_map().int_min(&form, budget)? {
                IntOptimum::Bounded(least) if least.is_neg() => return Ok(false),
                IntOptimum::Unbounded => return Ok(false),
                IntOptimum::Bounded(_) | IntOptimum::Empty => {}
            }
        }
        Ok(true)
    }

    /// Whether the polynomial in the distances of all variables from their least values has no
    /// negative coefficient.
    fn has_no_negative_coefficient(&self, function: &QuasiPolynomial, budget: &mut Budget) -> Result<bool, Stop> {
        let n = function.space().n_var();
        let mut images: Vec<Polynomial> = (0..n).map(Polynomial::var).collect();
        for var in function.polynomial.vars() {
            let mut least: Option<Int> = None;
            for basic in self.domain.basic_sets() {
                let form = row_of(&Polynomial::var(var), &basic);
                match basic.as_basic_map().int_min(&form, budget)? {
                    IntOptimum::Bounded(value) => least = Some(least.map_or(value.clone(), |other| other.min(value))),
                    IntOptimum::Unbounded => return Ok(false),
                    IntOptimum::Empty => {}
                }
            }
            let Some(least) = least else { return Ok(true) };
            images[var] = Polynomial::var(var).add(&Polynomial::constant(Rational::from(least)));
        }
        let moved = function.polynomial.substitute(&images, budget)?;
        Ok(moved.terms().all(|(_, coefficient)| !coefficient.is_neg()))
    }
}

/// A positive multiple of an affine polynomial as a row over the columns of a set.
fn row_of(affine: &Polynomial, basic: &BasicSet) -> Row {
    let denom = affine.terms().fold(Int::ONE, |denom, (_, value)| denom.lcm(value.den()));
    let mut row = vec![Int::ZERO; basic.as_basic_map().n_col()];
    for (monomial, value) in affine.terms() {
        let column = monomial.factors().first().map_or(0, |(var, _)| 1 + var);
        row[column] = value.num() * &denom.div_exact(value.den());
    }
    row
}

impl fmt::Display for PwFold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::write_pieces(
            f,
            &self.space,
            self.pieces.iter().map(|(domain, functions)| {
                let texts: Vec<String> = functions.iter().map(print::expression).collect();
                (domain, format!("{}({})", self.fold.as_str(), texts.join(", ")))
            }),
        )
    }
}

impl fmt::Debug for PwFold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bound, compared with all values for some values of one parameter.
    fn bound(text: &str) -> Containing<PwFold> {
        let budget = &mut Budget::new(50_000_000);
        let function: PwQuasiPolynomial = text.parse().expect("the function can be read");
        let bound = function.upper_bound(budget).expect("it is bounded");
        for n in -2..9i64 {
            let params = [Int::from(n)];
            let mut largest: Option<Rational> = None;
            for (domain, piece) in function.pieces() {
                for point in domain.enumerate(&params, budget).expect("it is bounded") {
                    let value = piece.eval(&[&params[..], &point[..]].concat());
                    largest = Some(largest.map_or(value.clone(), |other| other.max(value)));
                }
            }
            let found = bound.value.eval(&params);
            let Some(largest) = largest else { continue };
            let found = found.unwrap_or_else(|| panic!("{text} has no bound for {n}: {}", bound.value));
            assert!(found >= largest, "{text} for {n}: {largest} is above {}", bound.value);
            if bound.exactness.is_exact() {
                assert_eq!(found, largest, "{text} for {n}: {} is not attained", bound.value);
            }
        }
        bound
    }

    #[test]
    fn functions_that_are_largest_at_a_vertex_have_exact_bounds() {
        let found = bound("[n] -> { [i, j] -> i + 2 * j : 0 <= i <= n and 0 <= j <= i }");
        assert_eq!(found.value.to_string(), "[n] -> { max(3 * n) : n >= 0 }");
        assert_eq!(found.exactness, Exactness::Exact);
        let found = bound("[n] -> { [i] -> i^2 + i : 0 <= i <= n }");
        assert_eq!(found.value.to_string(), "[n] -> { max(n + n^2) : n >= 0 }");
        assert_eq!(found.exactness, Exactness::Exact);
    }

    #[test]
    fn functions_that_are_largest_inside_have_larger_bounds() {
        let found = bound("[n] -> { [i] -> i * (n - i) : 0 <= i <= n }");
        assert_eq!(found.value.to_string(), "[n] -> { max(1/2 * n^2) : n >= 0 }");
        assert_eq!(found.exactness, Exactness::Larger);
    }

    #[test]
    fn chambers_have_functions_of_their_own() {
        let found = bound("[n] -> { [i] -> i : 0 <= i <= n and i <= 4 }");
        assert_eq!(found.exactness, Exactness::Exact);
        assert_eq!(found.value.eval(&[Int::from(9)]), Some(Rational::from(4)));
        assert_eq!(found.value.eval(&[Int::from(3)]), Some(Rational::from(3)));
        assert_eq!(found.value.eval(&[Int::from(-1)]), None);
    }

    #[test]
    fn several_pieces_have_the_largest_of_their_bounds() {
        bound("[n] -> { [i] -> i^2 - 3 * i : 0 <= i <= n; [i] -> n - i : n < i <= 12 }");
        bound("[n] -> { [i, j] -> i * j - j : -3 <= i <= n and -i <= j <= 5 }");
        bound("[n] -> { [i] -> i - 2 * n : 0 <= i <= n; [i] -> n : n < i < 5 }");
    }

    #[test]
    fn divisions_are_dimensions() {
        bound("[n] -> { [i] -> i - 2 * floor(i/2) : 0 <= i <= n }");
        bound("[n] -> { [i] -> i * floor((n - i)/3) : 0 <= i <= n and i mod 2 = 0 }");
    }

    #[test]
    fn lower_bounds_are_below() {
        let function: PwQuasiPolynomial = "[n] -> { [i] -> i^2 - n : 1 <= i <= n }".parse().expect("it can be read");
        let found = function.lower_bound(&mut Budget::new(1_000_000)).expect("it is bounded");
        assert_eq!(found.value.eval(&[Int::from(5)]), Some(Rational::from(-4)));
        assert_eq!(found.value.fold(), Fold::Min);
    }

    #[test]
    fn infinite_domains_have_no_bounds() {
        let function: PwQuasiPolynomial = "[n] -> { [i] -> -i : i >= n }".parse().expect("it can be read");
        assert_eq!(function.upper_bound(&mut Budget::unlimited()), Err(SolveError::Unbounded));
        assert_eq!(function.upper_bound(&mut Budget::new(2)), Err(SolveError::Stop));
    }
}
