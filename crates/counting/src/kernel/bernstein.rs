//! Upper bounds of a polynomial on a parametric polytope.
//!
//! # Algorithm
//! Every point of a polytope is a convex combination `z = a_1 v_1 + .. + a_m v_m` of its vertices,
//! which are functions of the parameters. With `d` the degree of the polynomial in `z`:
//!
//! 1. Put the combination in place of `z`, and multiply each term of degree `e` in the `a` by
//!    `(a_1 + .. + a_m)^(d - e) = 1`.
//! 2. What stands before `a^b = a_1^b_1 .. a_m^b_m`, divided by the multinomial coefficient
//!    `d! / b!`, is the *Bernstein coefficient* of `b`: a polynomial in the parameters.
//! 3. The value of the polynomial is a convex combination of the Bernstein coefficients, so the
//!    largest one bounds it.
//!
//! The coefficient of `d` times one vertex is the value there. If the largest is one of these, and
//! the vertex an integer point, the bound is attained \[ClaussTchoupaeva2004\].

use std::collections::BTreeMap;
use std::sync::Arc;

use poly_arith::{Int, Rational};
use poly_presburger::{BasicMap, Budget, Set, Space, Stop};

use super::chambers::{self, Vertex};
use super::conditions;
use super::lift::{self, Lifted};
use crate::polynomial::{Monomial, Polynomial};
use crate::quasi::QuasiPolynomial;
use crate::quasi::floors::Floors;

/// An upper bound for some parameters.
pub(crate) struct Bounds {
    /// The parameters.
    pub(crate) domain: Set,
    /// Functions whose maximum is a bound, and whether each of them is the value at a point.
    pub(crate) candidates: Vec<(QuasiPolynomial, bool)>,
}

/// Upper bounds of a polynomial over the columns of a conjunction with known divisions, by chamber;
/// `None` if the conjunction is not bounded.
pub(crate) fn bounds(
    basic: &BasicMap,
    polynomial: &Polynomial,
    space: &Arc<Space>,
    budget: &mut Budget,
) -> Result<Option<Vec<Bounds>>, Stop> {
    let Some(Lifted { polytope, origin, columns }) = lift::lift(basic, space, budget)? else {
        return Ok(Some(Vec::new()));
    };
    if !polytope.is_bounded(budget)? {
        return Ok(if basic.is_empty(budget)? { Some(Vec::new()) } else { None });
    }
    let images: Vec<Polynomial> = columns.iter().map(|form| Polynomial::affine(form, &Int::ONE)).collect();
    let polynomial = polynomial.substitute(&images, budget)?;
    let decomposition = chambers::decompose(&polytope, budget)?;
    let floors = Floors::new(polytope.n_param);
    let mut result = Vec::new();
    for chamber in &decomposition.chambers {
        let domain = origin.domain(&conditions(chamber), budget)?;
        if domain.plain_is_empty() {
            continue;
        }
        let vertices: Vec<&Vertex> = chamber.vertices.iter().map(|&number| &decomposition.vertices[number]).collect();
        let mut candidates = Vec::new();
        for (coefficient, is_value) in coefficients(&polynomial, polytope.n_param, &vertices, budget)? {
            candidates.push((origin.pull_back(&floors, &coefficient, budget)?, is_value));
        }
        result.push(Bounds { domain, candidates });
    }
    Ok(Some(result))
}

/// The Bernstein coefficients of a polynomial over `[t | z]`, and whether each of them is the value
/// at an integer point.
fn coefficients(
    polynomial: &Polynomial,
    n_param: usize,
    vertices: &[&Vertex],
    budget: &mut Budget,
) -> Result<Vec<(Polynomial, bool)>, Stop> {
    let of_vars = |monomial: &Monomial| monomial.factors().iter().filter(|(var, _)| *var >= n_param).map(|f| f.1).sum();
    let degree: u32 = polynomial.terms().map(|(monomial, _)| of_vars(monomial)).max().unwrap_or(0);
    if degree == 0 {
        // Wherever there are points, each has this value.
        return Ok(vec![(polynomial.clone(), true)]);
    }
    let combined = combined(polynomial, n_param, vertices, budget)?;
    let homogeneous = homogenized(&combined, n_param, vertices.len(), degree, budget)?;
    let mut by_weights: BTreeMap<Monomial, Polynomial> = BTreeMap::new();
    for (monomial, value) in homogeneous.terms() {
        let (of_params, weights): (Vec<_>, Vec<_>) = monomial.factors().iter().partition(|(var, _)| *var < n_param);
        let term = Polynomial::monomial(Monomial::from_factors(of_params));
        by_weights.entry(Monomial::from_factors(weights)).or_default().add_multiple(value, &term);
    }
    let n_coefficient = multisets(vertices.len(), degree);
    let mut result = Vec::with_capacity(by_weights.len() + 1);
    if Int::from(by_weights.len() as u64) < n_coefficient {
        // The others are zero, perhaps the one of an integer vertex, too.
        let is_zero_at = |k: &usize| !by_weights.contains_key(&Monomial::from_factors(vec![(n_param + k, degree)]));
        let is_value = (0..vertices.len()).filter(|&k| vertices[k].denom.is_one()).any(|k| is_zero_at(&k));
        result.push((Polynomial::zero(), is_value));
    }
    for (weights, sum) in by_weights {
        let powers: Int = weights.factors().iter().map(|&(_, exponent)| factorial(exponent)).product();
        let is_value = match weights.factors() {
            [(vertex, _)] => vertices[vertex - n_param].denom.is_one(),
            _ => false,
        };
        result.push((sum.scale(&Rational::new(powers, factorial(degree))), is_value));
    }
    Ok(result)
}

/// The polynomial over `[t | a]` with the combination of the vertices in place of `z`.
fn combined(
    polynomial: &Polynomial,
    n_param: usize,
    vertices: &[&Vertex],
    budget: &mut Budget,
) -> Result<Polynomial, Stop> {
    let n_var = vertices.first().map_or(0, |vertex| vertex.num.len());
    let mut images: Vec<Polynomial> = (0..n_param).map(Polynomial::var).collect();
    for i in 0..n_var {
        let mut image = Polynomial::zero();
        for (k, vertex) in vertices.iter().enumerate() {
            let coordinate = Polynomial::affine(&vertex.num[i], &vertex.denom);
            let part = coordinate.mul(&Polynomial::var(n_param + k), budget)?;
            image.add_multiple(&Rational::ONE, &part);
        }
        images.push(image);
    }
    polynomial.substitute(&images, budget)
}

/// The polynomial with all terms multiplied by powers of the sum of the `a` up to one degree in
/// them.
fn homogenized(
    polynomial: &Polynomial,
    n_param: usize,
    n_vertex: usize,
    degree: u32,
    budget: &mut Budget,
) -> Result<Polynomial, Stop> {
    let mut by_degree = vec![Polynomial::zero(); degree as usize + 1];
    for (monomial, value) in polynomial.terms() {
        let own: u32 = monomial.factors().iter().filter(|(var, _)| *var >= n_param).map(|f| f.1).sum();
        by_degree[own as usize].add_multiple(value, &Polynomial::monomial(monomial.clone()));
    }
    let mut one = Polynomial::zero();
    (0..n_vertex).for_each(|k| one.add_multiple(&Rational::ONE, &Polynomial::var(n_param + k)));
    // Horner's scheme: the sum so far is of degree e, and is multiplied once for every degree
    // above.
    let mut result = Polynomial::zero();
    for part in by_degree {
        result = result.mul(&one, budget)?.add(&part);
    }
    Ok(result)
}

fn factorial(n: u32) -> Int {
    (1..=n).map(Int::from).product()
}

/// The number of products of so many variables of one degree.
fn multisets(n: usize, degree: u32) -> Int {
    let upper: Int = (0..degree).map(|i| Int::from(n as u64 + u64::from(i))).product();
    upper.div_exact(&factorial(degree))
}
