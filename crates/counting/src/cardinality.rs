//! Numbers of points of sets and relations.
//!
//! 1. Divisions without definition are made explicit (quantifier elimination), and the disjuncts
//!    disjoint, so that every point is counted once.
//! 2. Each disjunct is counted (`kernel`). Where it has points and a direction in which they go on,
//!    there are infinitely many.
//! 3. The results are added up, the parameter values with infinitely many points being kept apart.

use std::sync::Arc;

use poly_arith::Int;
use poly_presburger::{BasicMap, BasicSet, Budget, Map, Set, Space, Stop, UnionMap, UnionSet};

use crate::kernel;
use crate::piecewise::PwQuasiPolynomial;

/// The number of points of a set, as a function of the parameters, or the number of images under a
/// relation, as a function of the parameters and the domain.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "operands do not change: the value is all that there is"]
pub enum Cardinality {
    /// The number of points of a set without parameters.
    Constant(Int),
    /// The number of points as a function; it is finite everywhere.
    Parametric(PwQuasiPolynomial),
    /// There are infinitely many points somewhere.
    Infinite {
        /// Where there are infinitely many.
        domain: Set,
        /// The number elsewhere; zero on `domain`.
        finite: PwQuasiPolynomial,
    },
}

/// A number of points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Count {
    /// That many.
    Finite(Int),
    /// Infinitely many.
    Infinite,
}

impl Cardinality {
    /// The number of points of a set without parameters, if it is finite.
    pub fn as_constant(&self) -> Option<&Int> {
        match self {
            Cardinality::Constant(value) => Some(value),
            Cardinality::Parametric(_) | Cardinality::Infinite { .. } => None,
        }
    }

    /// The function, if the number is finite everywhere and there are parameters (or domain
    /// dimensions).
    pub fn as_function(&self) -> Option<&PwQuasiPolynomial> {
        match self {
            Cardinality::Parametric(function) => Some(function),
            Cardinality::Constant(_) | Cardinality::Infinite { .. } => None,
        }
    }

    /// The number at a point: values of the parameters, then of the domain dimensions of a
    /// relation.
    pub fn at(&self, point: &[Int]) -> Count {
        let finite = |function: &PwQuasiPolynomial| {
            let value = function.eval(point).to_int();
            Count::Finite(value.expect("a number of points is an integer"))
        };
        match self {
            Cardinality::Constant(value) => Count::Finite(value.clone()),
            Cardinality::Parametric(function) => finite(function),
            Cardinality::Infinite { domain, finite: function } => {
                let n_param = domain.space().params.len();
                let (params, dims) = point.split_at(n_param);
                if domain.contains(params, dims) { Count::Infinite } else { finite(function) }
            }
        }
    }

    fn of_parts(finite: PwQuasiPolynomial, domain: Set, budget: &mut Budget) -> Result<Cardinality, Stop> {
        if !domain.plain_is_empty() {
            let domain = domain.compute_divs(budget)?.coalesce(budget)?;
            let finite = finite.subtract_domain(&domain, budget)?;
            return Ok(Cardinality::Infinite { domain, finite });
        }
        if finite.space().n_var() > 0 {
            return Ok(Cardinality::Parametric(finite));
        }
        let value = finite.eval(&[]).to_int();
        Ok(Cardinality::Constant(value.expect("a number of points is an integer")))
    }
}

impl std::fmt::Display for Cardinality {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cardinality::Constant(value) => std::fmt::Display::fmt(value, f),
            Cardinality::Parametric(function) => std::fmt::Display::fmt(function, f),
            Cardinality::Infinite { domain, finite } => write!(f, "infinite on {domain}, elsewhere {finite}"),
        }
    }
}

/// Things whose points (for relations: images) can be counted.
pub trait Card {
    /// The exact number of points as a function of the parameters; of a relation, the number of
    /// images as a function of the parameters and the domain.
    ///
    /// For a fixed number of dimensions and disjuncts the work is polynomial in the length of the
    /// coefficients. It grows quickly with the number of dimensions, divisions and disjuncts;
    /// `budget` limits it.
    fn card(&self, budget: &mut Budget) -> Result<Cardinality, Stop>;
}

impl Card for Map {
    fn card(&self, budget: &mut Budget) -> Result<Cardinality, Stop> {
        let space = Arc::new(self.space().domain_space());
        let (finite, infinite) = parts(self, &space, budget)?;
        Cardinality::of_parts(finite, infinite, budget)
    }
}

impl Card for BasicMap {
    fn card(&self, budget: &mut Budget) -> Result<Cardinality, Stop> {
        Map::from_basic(self.clone()).card(budget)
    }
}

impl Card for Set {
    fn card(&self, budget: &mut Budget) -> Result<Cardinality, Stop> {
        self.as_map().card(budget)
    }
}

impl Card for BasicSet {
    fn card(&self, budget: &mut Budget) -> Result<Cardinality, Stop> {
        self.as_basic_map().card(budget)
    }
}

impl Card for UnionSet {
    /// The sum over all tuples.
    fn card(&self, budget: &mut Budget) -> Result<Cardinality, Stop> {
        let space = Arc::new(self.params_space());
        let (mut finite, mut infinite) = (PwQuasiPolynomial::zero(Arc::clone(&space)), Set::empty(Arc::clone(&space)));
        for set in self.iter() {
            let (function, domain) = parts(set, &space, budget)?;
            finite = finite.add(&function, budget)?;
            infinite = infinite.union(&domain);
        }
        Cardinality::of_parts(finite, infinite, budget)
    }
}

/// The number of images under a union of relations, ranges being added up: one function per domain
/// tuple, in the order of the tuples.
pub fn union_map_card(map: &UnionMap, budget: &mut Budget) -> Result<Vec<(Space, Cardinality)>, Stop> {
    let mut sums: Vec<(Arc<Space>, PwQuasiPolynomial, Set)> = Vec::new();
    for member in map.iter() {
        let space = Arc::new(member.space().domain_space());
        let (function, domain) = parts(member, &space, budget)?;
        match sums.iter_mut().find(|(other, _, _)| *other == space) {
            Some((_, finite, infinite)) => {
                *finite = finite.add(&function, budget)?;
                *infinite = infinite.union(&domain);
            }
            None => sums.push((space, function, domain)),
        }
    }
    sums.sort_by(|(a, _, _), (b, _, _)| a.cmp(b));
    let finish = |(space, finite, infinite): (Arc<Space>, PwQuasiPolynomial, Set)| {
        Ok(((*space).clone(), Cardinality::of_parts(finite, infinite, budget)?))
    };
    sums.into_iter().map(finish).collect()
}

/// The number of images where it is finite, and the part of the domain where it is not (the
/// function may be other than zero there).
fn parts(map: &Map, space: &Arc<Space>, budget: &mut Budget) -> Result<(PwQuasiPolynomial, Set), Stop> {
    let mut finite = PwQuasiPolynomial::zero(Arc::clone(space));
    let mut infinite = Set::empty(Arc::clone(space));
    for basic in disjoint_basics(map, budget)? {
        match kernel::count(&basic, space, budget)? {
            Some(function) => finite = finite.add(&function, budget)?,
            None => infinite = infinite.union(&domain_of(&basic)),
        }
    }
    Ok((finite, infinite))
}

/// The domain of a relation, the parameter values of a set.
fn domain_of(basic: &BasicMap) -> Set {
    Set::from_basic(if basic.space().is_map() { basic.domain() } else { basic.params() })
}

/// Disjoint basic maps with known divisions that together are the map.
fn disjoint_basics(map: &Map, budget: &mut Budget) -> Result<Vec<BasicMap>, Stop> {
    let mut done = Vec::new();
    let mut work = vec![map.clone()];
    while let Some(map) = work.pop() {
        budget.spend(1)?;
        let known = map.compute_divs(budget)?.coalesce(budget)?.compute_divs(budget)?;
        for basic in known.make_disjoint(budget)?.basics() {
            if basic.has_known_divs() {
                done.push(BasicMap::clone(basic));
            } else {
                work.push(Map::from_basic(basic.clone()));
            }
        }
    }
    Ok(done)
}
