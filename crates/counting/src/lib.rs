//! Numbers of integer points of sets and relations, exactly.
//!
//! [`Card::card`] counts the points of a set as a function of its parameters, and the images of
//! each point of the domain of a relation. The result is a piecewise quasi-polynomial: for each
//! part of the parameter space a polynomial in the parameters and in integer divisions of them.
//! Nothing is approximated, nothing is enumerated: the work depends on the shape of a set, not on
//! the number of its points.
//!
//! # Tutorial
//!
//! A triangle with `n` points on each side:
//!
//! ```
//! use poly_arith::{Int, Rational};
//! use poly_counting::{Card, Cardinality, Count, PwQuasiPolynomial};
//! use poly_presburger::{Budget, Map, Set};
//!
//! let mut budget = Budget::new(1_000_000);
//! let triangle: Set = "[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }".parse()?;
//! let card = triangle.card(&mut budget)?;
//! assert_eq!(card.to_string(), "[n] -> { 1/2 * n + 1/2 * n^2 : n > 0 }");
//! assert_eq!(card.at(&[Int::from(1_000_000)]), Count::Finite(Int::from(500_000_500_000i64)));
//!
//! // Without parameters the result is a number.
//! let square: Set = "{ [i, j] : 0 <= i, j < 1000000 }".parse()?;
//! assert_eq!(square.card(&mut budget)?.as_constant(), Some(&Int::from(1_000_000_000_000i64)));
//!
//! // Divisions, and several cases.
//! let even: Set = "[n] -> { [i] : 0 <= i <= n and i <= 20 and i mod 2 = 0 }".parse()?;
//! assert_eq!(even.card(&mut budget)?.to_string(), "[n] -> { 1 + floor((n)/2) : 0 <= n <= 20; 11 : n >= 21 }");
//!
//! // Images of a relation: how many elements of A an iteration reads.
//! let read: Map = "[n] -> { S[i] -> A[j] : i <= j < n and j <= i + 2 }".parse()?;
//! let per_iteration = read.card(&mut budget)?;
//! assert_eq!(per_iteration.to_string(), "[n] -> { S[i] -> n - i : -3 + n <= i < n; S[i] -> 3 : i <= -4 + n }");
//!
//! // Infinitely many points, for some parameter values.
//! let rest: Set = "[n] -> { [i] : i >= n and n >= 0 }".parse()?;
//! let Cardinality::Infinite { domain, .. } = rest.card(&mut budget)? else { panic!("there is no upper bound") };
//! assert_eq!(domain.to_string(), "[n] -> { : n >= 0 }");
//!
//! // The results are functions that can be added, multiplied and evaluated.
//! let count = card.as_function().expect("the triangle is bounded");
//! let twice = count.add(count, &mut budget)?;
//! assert_eq!(twice.eval(&[Int::from(4)]), Rational::from(20));
//!
//! // They are read from the text that they print.
//! let function: PwQuasiPolynomial = "[n] -> { 1/2 * n^2 + 1/2 * n : n > 0 }".parse()?;
//! assert_eq!(&function, count);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Algorithm
//!
//! 1. Quantifiers are eliminated and the disjuncts made disjoint (`poly_presburger`), so that the
//!    points of each can be counted on their own (`cardinality.rs`).
//! 2. Divisions are counted along, each having one value per point; equalities are removed by a
//!    change of variables (`kernel/lift.rs`).
//! 3. The parameter space is cut into chambers, in each of which the vertices of the polytope are
//!    certain affine functions of the parameters (`kernel/chambers.rs`) \[ClaussLoechner1998\].
//! 4. The number of points is a sum over the cones at the vertices (Brion's theorem). Each cone is
//!    a signed sum of unimodular ones (`kernel/cone.rs`) \[Barvinok1994\],
//!    \[BarvinokPommersheim1999\].
//! 5. The generating function of a unimodular cone is a simple fraction; the constant terms of
//!    these at the pole `x = 1` add up to the number of points, a quasi-polynomial
//!    (`kernel/residue.rs`) \[Verdoolaege2007\].
//!
//! All choices (directions, points inside of chambers) are deterministic, all numbers are exact.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod bound;
mod cardinality;
mod kernel;
mod parse;
mod piecewise;
mod polynomial;
mod print;
mod quasi;
mod split;
mod sum;
mod vanish;

pub use bound::{Fold, PwFold};
pub use cardinality::{Card, Cardinality, Count, union_map_card};
pub use piecewise::PwQuasiPolynomial;
pub use quasi::QuasiPolynomial;

/// The examples of the package's README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
