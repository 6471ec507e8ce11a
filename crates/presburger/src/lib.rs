//! Integer sets and relations defined by affine constraints (Presburger sets).
//!
//! A loop nest's iterations, the accesses of a statement, the dependences between two of them: all
//! are sets of integer tuples described by affine inequalities, with parameters such as array
//! sizes. This crate computes with such sets exactly, over the integers and not the rationals.
//! Vocabulary, text syntax and the meaning of operations are those of isl \[Verdoolaege2010\], so
//! that whoever knows one knows the other.
//!
//! # A tour
//!
//! Sets and relations are read from text, and print as text that can be read again.
//!
//! ```
//! use poly_presburger::{Budget, DimKind, Map, Set};
//!
//! let triangle: Set = "[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }".parse()?;
//! let even: Set = "{ S[i, j] : i mod 2 = 0 }".parse()?;
//! let both = triangle.intersect(&even);
//! assert_eq!(both.to_string(), "[n] -> { S[i, j] : (i) mod 2 = 0 and 0 <= i < n and 0 <= j <= i }");
//! # Ok::<(), poly_presburger::ParseError>(())
//! ```
//!
//! **Budgets.** Questions about integer points have no useful bound on their cost. Whatever needs a
//! solver takes a [`Budget`], which counts steps and not time, and returns [`Stop`] when it is used
//! up; operands are never changed.
//!
//! ```
//! # use poly_presburger::{Budget, Set, SolveError, Stop};
//! let budget = &mut Budget::new(1_000_000);
//! let strip: Set = "{ [x, y] : 1 <= 3x - 3y <= 2 }".parse().unwrap();
//! assert!(strip.is_empty(budget)?); // there are rational points, and no integer ones
//! let cone: Set = "[n] -> { [x, y] : 2x >= 3y + n and 5y >= 3x - n }".parse().unwrap();
//! assert_eq!(cone.lexmin(&mut Budget::new(0)), Err(SolveError::Stop));
//! let ray: Set = "{ [x] : x <= 7 }".parse().unwrap();
//! assert_eq!(ray.lexmin(budget), Err(SolveError::Unbounded));
//! # Ok::<(), Stop>(())
//! ```
//!
//! **Relations** are composed, inverted and applied. Which iterations of
//! `A[i] = A[i - 1] + A[i - 2]` depend on each other?
//!
//! ```
//! # use poly_presburger::{Budget, Map};
//! let writes: Map = "[n] -> { S[i] -> A[i] : 2 <= i < n }".parse()?;
//! let reads: Map = "[n] -> { S[i] -> A[i - 1] : 2 <= i < n; S[i] -> A[i - 2] : 2 <= i < n }".parse()?;
//! let same_element = writes.apply_range(&reads.reverse());
//! let distances = same_element.deltas().coalesce(&mut Budget::unlimited()).unwrap();
//! let expected: poly_presburger::Set = "[n] -> { S[d] : 1 <= d <= 2 and d <= n - 3 }".parse()?;
//! assert!(distances.is_equal(&expected, &mut Budget::unlimited()).unwrap());
//! # Ok::<(), poly_presburger::ParseError>(())
//! ```
//!
//! **Optima** are functions of the parameters, found by parametric integer programming
//! \[Feautrier1988\]. For each `n` the smallest multiple of five from `n` on:
//!
//! ```
//! # use poly_presburger::{Budget, Set};
//! let multiples: Set = "[n] -> { [x] : x >= n and x mod 5 = 0 }".parse()?;
//! let least = multiples.lexmin(&mut Budget::unlimited()).unwrap();
//! let at = |n: i64| least.eval(&[n.into()], &[]).unwrap()[0].clone();
//! assert_eq!([at(-3), at(7), at(10)], [0.into(), 10.into(), 10.into()]);
//! # Ok::<(), poly_presburger::ParseError>(())
//! ```
//!
//! **Simplification** keeps the points and changes the description: [`Map::coalesce`] joins
//! disjuncts, [`Map::gist`] drops what is known from a context, [`Map::compute_divs`] eliminates
//! quantifiers. Those that most often have nothing to do take their operand over and give it back;
//! a clone, to keep it, counts two references up.
//!
//! ```
//! # use poly_presburger::{Budget, Set};
//! # let budget = &mut Budget::unlimited();
//! let pieces: Set = "{ [i] : 0 <= i <= 4 or 5 <= i <= 9 or i = 10 }".parse()?;
//! let joined = pieces.coalesce(budget).unwrap();
//! assert_eq!(joined.to_string(), "{ [i] : 0 <= i <= 10 }");
//! let context: Set = "{ [i] : i >= 0 }".parse()?;
//! assert_eq!(joined.gist(&context, budget).unwrap().to_string(), "{ [i] : i <= 10 }");
//! # Ok::<(), poly_presburger::ParseError>(())
//! ```
//!
//! # Types
//!
//! | type | what it is |
//! |---|---|
//! | [`Space`], [`Tuple`], [`Id`] | names and numbers of parameters and dimensions; tuples may be named and nested |
//! | [`BasicSet`], [`BasicMap`] | one conjunction of affine constraints, with integer divisions, known or not |
//! | [`Set`], [`Map`] | a union of them in one space |
//! | [`UnionSet`], [`UnionMap`] | a union over several spaces |
//! | [`Aff`], [`MultiAff`] | a quasi-affine expression, a tuple of them |
//! | [`PwAff`], [`PwMultiAff`], [`MultiPwAff`] | the same, piecewise |
//! | [`UnionPwAff`], [`UnionPwMultiAff`], [`MultiUnionPwAff`] | the same, over several spaces |
//! | [`RationalSet`] | a union of polyhedra of rational points |
//! | [`zpoly`] | lattices and Z-polyhedra, which make divisibility explicit |
//! | [`solver`] | linear and integer programming on rows of numbers |
//!
//! # Cost
//!
//! What takes no budget is cheap: polynomial in the size of the operands; for pairs of unions, in
//! the product of the numbers of disjuncts. What needs a solver takes a budget. Sources are those
//! of `docs/references.md`; each module says more.
//!
//! | operation | work, for each disjunct or pair of disjuncts | source |
//! |---|---|---|
//! | `union`, `intersect`, `product`, `reverse`, `fix`, ... | rows are copied | |
//! | `project_out`, `domain`, `range`, `apply_range`, `deltas` | rows are copied, dimensions become existential: the cost comes when somebody asks | |
//! | `is_empty`, `sample` | an integer program: linear programs, then a search along a reduced basis, polynomial for a fixed number of dimensions | \[CookRutherford1993\], \[Verdoolaege2010\] |
//! | `subtract`, `complement`, `is_subset`, `is_equal`, `make_disjoint` | an integer program for each piece; exponential in the number of constraints of the subtrahend in the worst case | \[Verdoolaege2010\] |
//! | `lexmin`, `lexmax`, `dim_min`, `min_of`, ... | a parametric integer program; the number of pieces can be exponential | \[Feautrier1988\], \[Gomory1963\] |
//! | `compute_divs` (quantifier elimination) | the same over the existential dimensions, after exact eliminations | \[Pugh1991\], \[Feautrier1988\] |
//! | `remove_redundancies`, `detect_equalities`, `gist` | a linear program for each constraint, warm-started | \[DetlefsNelsonSaxe2005\] |
//! | `coalesce`, `coalesce_with` | some linear programs for each pair of disjuncts, with hulls a double description of bounded size, too | \[Verdoolaege2015\] |
//! | `simple_hull`, `box_hull` | a linear program for each constraint and disjunct | \[Verdoolaege2010\] |
//! | `affine_hull`, `lattice_hull`, `stride_info` | an integer program; if its solution and those near it do not suffice, a few for each dimension | \[Karr1976\] |
//! | `transitive_closure`, `power`, `reaching_path_lengths` | inclusions and eliminations, for each kind of step | \[VerdoolaegeCohenBeletska2011\] |
//! | `convex_hull`, `farkas_coefficients` | generators by double description: exponential in the dimension | \[Motzkin1953\], \[Chernikova1965\], \[Feautrier1992\] |
//! | `enumerate`, `count_points` | an integer program for each point; `poly-counting` counts without enumerating | |
//! | [`zpoly`] | Hermite normal forms, a linear program for each inequality | \[GautamRajopadhye2007\] |
//!
//! Everything is deterministic: the same operands give the same text, whatever the machine and the
//! number of threads. Values are immutable, cheap to clone in comparison with what is done to them,
//! and `Send + Sync`.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod budget;
pub mod solver;

pub mod aff;
pub mod basic;
pub mod map;
pub mod multi;
mod operators;
mod ops;
pub mod parse;
mod print;
pub mod pw;
pub mod pw_multi;
pub mod rational;
mod row;
pub mod set;
pub mod space;
mod trace;
pub mod union;
pub mod union_pw;
pub mod union_pw_multi;
pub mod zpoly;

pub use aff::Aff;
pub use basic::{BasicMap, BasicSet, Constraint, ConstraintKind, Div, Row};
pub use budget::{Budget, SolveError, Stop};
pub use map::Map;
pub use multi::MultiAff;
pub use ops::{Bounds, Coalescing, Containing, Exactness, FixedBox, Stride, Vertex, farkas_coefficients, farkas_cone};
pub use parse::ParseError;
pub use print::affine_text;
pub use pw::PwAff;
pub use pw_multi::PwMultiAff;
pub use rational::RationalSet;
pub use set::Set;
pub use space::{DimKind, Id, Space, Tuple};
pub use union::{UnionMap, UnionSet};
pub use union_pw::{MultiUnionPwAff, UnionPwAff};
pub use union_pw_multi::{MultiPwAff, UnionPwMultiAff};

/// The examples of the package's README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod testing;
