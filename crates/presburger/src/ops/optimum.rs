//! Lexicographic optima as functions of parameters and domain.
//!
//! # Algorithm
//! 1. A basic relation whose output dimensions are all defined by equalities with unit coefficient *is* a function; no search is needed.
//! 2. Otherwise parametric integer programming \[Feautrier1988\], with parameters and domain dimensions as symbols and output dimensions followed by
//!    existentials as variables. What it says about the existentials is dropped.
//! 3. The optima of several disjuncts are compared piece by piece: a piece of one holds where no other disjunct has a better one.

use std::sync::Arc;

use poly_arith::Int;

use crate::aff::Aff;
use crate::basic::{BasicMap, BasicSet, Row};
use crate::budget::{Budget, Stop};
use crate::map::Map;
use crate::multi::MultiAff;
use crate::pw::PwAff;
use crate::pw_multi::PwMultiAff;
use crate::row;
use crate::set::Set;
use crate::solver::{System, pip};
use crate::space::{DimKind, Space, Tuple};

/// Smallest or largest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Min,
    Max,
}

impl Map {
    /// The lexicographically smallest image of each domain element.
    ///
    /// # Panics
    /// If there is an element whose images have no smallest one.
    pub fn lexmin(&self, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
        lexopt(self, Direction::Min, budget)
    }

    /// The lexicographically largest image of each domain element.
    ///
    /// # Panics
    /// If there is an element whose images have no largest one.
    pub fn lexmax(&self, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
        lexopt(self, Direction::Max, budget)
    }

    /// Whether no domain element has two images.
    pub fn is_single_valued(&self, budget: &mut Budget) -> Result<bool, Stop> {
        if let [basic] = self.basics()
            && as_function(basic).is_some()
        {
            return Ok(true);
        }
        let pairs = self.reverse().apply_range(self);
        pairs.is_subset(&Map::identity(&self.space().range_space()), budget)
    }

    /// Whether no two domain elements share an image.
    pub fn is_injective(&self, budget: &mut Budget) -> Result<bool, Stop> {
        self.reverse().is_single_valued(budget)
    }

    /// Whether the relation is single-valued and injective.
    pub fn is_bijective(&self, budget: &mut Budget) -> Result<bool, Stop> {
        Ok(self.is_single_valued(budget)? && self.is_injective(budget)?)
    }
}

impl Set {
    /// The set as a relation from nothing, so that optima are functions of the parameters.
    fn as_relation(&self) -> Map {
        self.as_range_of(Tuple::anonymous(0))
    }

    /// The lexicographically smallest point as function of the parameters; the domain of the function is the zero-dimensional anonymous
    /// space.
    pub fn lexmin(&self, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
        self.as_relation().lexmin(budget)
    }

    /// The lexicographically largest point as function of the parameters.
    pub fn lexmax(&self, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
        self.as_relation().lexmax(budget)
    }

    /// The smallest value of dimension `i` as function of the parameters, over the parameter space.
    pub fn dim_min(&self, i: usize, budget: &mut Budget) -> Result<PwAff, Stop> {
        self.dim_opt(i, Direction::Min, budget)
    }

    /// The largest value of dimension `i` as function of the parameters, over the parameter space.
    pub fn dim_max(&self, i: usize, budget: &mut Budget) -> Result<PwAff, Stop> {
        self.dim_opt(i, Direction::Max, budget)
    }

    fn dim_opt(&self, i: usize, direction: Direction, budget: &mut Budget) -> Result<PwAff, Stop> {
        let n = self.n_dim();
        let alone = self.as_map().project_out(DimKind::Out, i + 1, n - i - 1).project_out(DimKind::Out, 0, i).into_set();
        let optimum = lexopt(&alone.as_relation(), direction, budget)?;
        let space = Arc::new(optimum.space().params_space());
        let pieces = optimum.pieces().iter().map(|(domain, value)| {
            (domain.params(), over_params(value.get(0), &space))
        });
        Ok(PwAff::from_pieces(Arc::clone(&space), pieces.collect()))
    }
}

/// A function of a zero-dimensional set space as function of the parameters.
fn over_params(value: &Aff, space: &Arc<Space>) -> Aff {
    Aff { space: Arc::clone(space), ..value.clone() }
}

fn lexopt(map: &Map, direction: Direction, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
    let mut result: Option<PwMultiAff> = None;
    for basic in map.basics() {
        budget.spend(1)?;
        if basic.is_plainly_empty() {
            continue;
        }
        let part = basic_opt(basic, direction, budget)?;
        result = Some(match result {
            None => part,
            Some(so_far) => better(&so_far, &part, direction, budget)?,
        });
    }
    Ok(result.unwrap_or_else(|| PwMultiAff::empty(map.space().clone())))
}

/// The better one of two functions at each point.
fn better(a: &PwMultiAff, b: &PwMultiAff, direction: Direction, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
    let (domain_a, domain_b) = (a.domain(), b.domain());
    let mut pieces = Vec::new();
    let mut push = |domain: Set, function: &MultiAff, budget: &mut Budget| -> Result<(), Stop> {
        let domain = domain.coalesce(budget)?;
        if !domain.is_empty(budget)? {
            pieces.push((domain, function.clone()));
        }
        Ok(())
    };
    for (set, function) in a.pieces() {
        push(set.subtract(&domain_b, budget)?, function, budget)?;
    }
    for (set, function) in b.pieces() {
        push(set.subtract(&domain_a, budget)?, function, budget)?;
    }
    for (set_a, function_a) in a.pieces() {
        for (set_b, function_b) in b.pieces() {
            let common = set_a.intersect(set_b);
            if common.is_empty(budget)? {
                continue;
            }
            let (a_wins, b_wins) = match direction {
                Direction::Min => (function_a.lex_le_set(function_b), function_b.lex_lt_set(function_a)),
                Direction::Max => (function_b.lex_le_set(function_a), function_a.lex_lt_set(function_b)),
            };
            push(common.intersect(&a_wins), function_a, budget)?;
            push(common.intersect(&b_wins), function_b, budget)?;
        }
    }
    Ok(PwMultiAff::from_pieces(a.space().clone(), pieces))
}

fn basic_opt(basic: &BasicMap, direction: Direction, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
    if let Some(function) = as_function(basic) {
        let domain = Map::from_basic(basic.clone()).domain().compute_divs(budget)?;
        return Ok(PwMultiAff::from_pieces(basic.space().clone(), vec![(domain, function)]));
    }
    let space = basic.space();
    let symbols = space.dim(DimKind::Param) + space.dim(DimKind::In);
    let context = System { n: symbols, eqs: Vec::new(), ineqs: Vec::new() };
    let system = basic.to_system();
    let pieces = match direction {
        Direction::Min => pip::lexmin(&system, &context, symbols, budget)?,
        Direction::Max => pip::lexmax(&system, &context, symbols, budget)?,
    };
    let outputs = space.dim(DimKind::Out);
    let mut result = Vec::new();
    for piece in pieces {
        assert!(!piece.unbounded, "a relation without bound has no lexicographic optimum: {basic}");
        let Some(solution) = piece.solution else { continue };
        let (domain, carrier) = piece_domain(space, &piece.divs, &piece.domain);
        let affs = solution[..outputs].iter().map(|row| Aff::from_carrier(&carrier, row, Int::ONE)).collect();
        let function = MultiAff::new(space.clone(), affs);
        result.push((Set::from_basic(domain), function));
    }
    Ok(PwMultiAff::from_pieces(space.clone(), result))
}

/// The part of the domain where a solution holds, and a carrier of its divs.
fn piece_domain(space: &Space, divs: &[(Int, Vec<Int>)], constraints: &System) -> (BasicSet, BasicMap) {
    let mut domain = BasicMap::universe(domain_of(space));
    for (denominator, numerator) in divs {
        domain.add_div(denominator.clone(), numerator.clone());
    }
    let carrier = domain.clone();
    constraints.eqs.iter().for_each(|row| domain.add_eq(row.clone()));
    constraints.ineqs.iter().for_each(|row| domain.add_ineq(row.clone()));
    (BasicSet(domain.normalized()), carrier)
}

fn domain_of(space: &Space) -> Space {
    space.domain_space()
}

/// The function that equalities with unit coefficients define, if they define every output.
fn as_function(basic: &BasicMap) -> Option<MultiAff> {
    let space = basic.space();
    let (first, outputs) = (space.offset(DimKind::Out), space.dim(DimKind::Out));
    let mut equalities: Vec<Row> = basic.eqs().to_vec();
    let mut solved: Vec<Option<Row>> = vec![None; outputs];
    for output in 0..outputs {
        let column = first + output;
        let usable = |row: &Row| row[column].abs().is_one();
        let position = equalities.iter().position(usable)?;
        let pivot = equalities.swap_remove(position);
        for other in equalities.iter_mut().chain(solved.iter_mut().flatten()) {
            eliminate(other, &pivot, column);
        }
        solved[output] = Some(pivot);
    }
    let domain = Arc::new(domain_of(space));
    let affs: Option<Vec<Aff>> = solved
        .into_iter()
        .enumerate()
        .map(|(output, row)| {
            let row = row.expect("every output has been solved");
            let column = first + output;
            let rest_is_clean = row.iter().enumerate().skip(first).all(|(c, x)| c == column || x.is_zero());
            rest_is_clean.then(|| {
                let mut form: Row = row[..first].to_vec();
                if row[column].is_pos() {
                    form = row::negated(&form);
                }
                Aff::from_row(Arc::clone(&domain), form, Int::ONE)
            })
        })
        .collect();
    Some(MultiAff::new(space.clone(), affs?))
}

/// Removes `column` from `row` with the help of `pivot`, whose coefficient there is 1 or -1.
fn eliminate(row: &mut Row, pivot: &Row, column: usize) {
    if row[column].is_zero() {
        return;
    }
    let factor = if pivot[column].is_pos() { row[column].clone() } else { -&row[column] };
    for (x, p) in row.iter_mut().zip(pivot) {
        *x -= &(&factor * p);
    }
}
