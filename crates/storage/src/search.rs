//! Mappings that are tried, and the smallest one.
//!
//! # Algorithm: successive modulo \[LefebvreFeautrier1998\]
//! Given rows `c_1, c_2, ..`: `m_k = 1 + max { c_k d : d in D, c_1 d = .. = c_(k-1) d = 0 }`, a
//! function of the parameters by parametric integer programming \[Feautrier1988\]. Rows with the
//! modulus one are left out; it ends when no difference other than zero is left. If two elements in
//! conflict had one cell, `|c_1 d| < m_1` and `m_1` divides `c_1 d`, so `c_1 d = 0`, and so on: `d`
//! would be left.
//!
//! # Which rows
//! The unit vectors in every order; the loops of a schedule that somebody gives, before these; and
//! each vector with small coefficients before the unit vectors, which finds mappings to one
//! dimension where there are some \[DarteSchreiberVillard2005\]. Of all legal mappings the one with
//! the fewest cells at given parameter values is taken, and of these the first one.

use poly_arith::Int;
use poly_presburger::{Budget, Stop};

use crate::verify::Verdict;
use crate::{Differences, Mapping, Row, is_legal};

/// The moduli for rows, in their order; `None` if a row has no largest difference, or if the rows
/// do not tell all elements in conflict apart.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn successive(differences: &Differences, rows: &[Vec<Int>], budget: &mut Budget) -> Result<Option<Mapping>, Stop> {
    let mut mapping = Mapping::default();
    let mut rest = differences.clone();
    for coefficients in rows {
        if rest.is_trivial(budget)? {
            return Ok(Some(mapping));
        }
        let Some(modulus) = rest.modulus(coefficients, budget)? else { return Ok(None) };
        let row = Row { coefficients: coefficients.clone(), modulus };
        if row.constant_modulus().is_none_or(|modulus| !modulus.is_one()) {
            mapping.rows.push(row);
        }
        rest = rest.on(coefficients);
    }
    Ok(rest.is_trivial(budget)?.then_some(mapping))
}

/// What is tried.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// Rows that come before the unit vectors: the loops of a schedule as functions of the element.
    pub given: Vec<Vec<Vec<Int>>>,
    /// The largest absolute coefficient of a single first row; 0 for none.
    pub largest: u32,
    /// Arrays of more dimensions have only the unit vectors in their own order, and what is given.
    pub dimensions: usize,
}

impl Default for Candidates {
    fn default() -> Candidates {
        Candidates { given: Vec::new(), largest: 2, dimensions: 3 }
    }
}

impl Candidates {
    /// The lists of rows, for an array of `n` dimensions.
    fn rows(&self, n: usize) -> Vec<Vec<Vec<Int>>> {
        let units = units(n);
        let mut result = vec![units.clone()];
        let before_units = |first: &[Vec<Int>]| first.iter().cloned().chain(units.iter().cloned()).collect();
        result.extend(self.given.iter().map(|rows| before_units(rows)));
        if n > self.dimensions {
            return result;
        }
        result.extend(orders(&units).into_iter().skip(1));
        for first in small(n, self.largest) {
            if first.iter().filter(|c| !c.is_zero()).count() > 1 {
                result.push(before_units(&[first]));
            }
        }
        result
    }
}

/// The unit vectors.
fn units(n: usize) -> Vec<Vec<Int>> {
    let unit = |k: usize| (0..n).map(|i| if i == k { Int::ONE } else { Int::ZERO }).collect();
    (0..n).map(unit).collect()
}

/// All orders of some rows, the given one first.
fn orders(rows: &[Vec<Int>]) -> Vec<Vec<Vec<Int>>> {
    let mut result: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..rows.len() {
        let longer = |order: &Vec<usize>| {
            let order = order.clone();
            let more = (0..rows.len()).filter(|k| !order.contains(k)).collect::<Vec<_>>();
            more.into_iter().map(move |k| order.iter().copied().chain([k]).collect())
        };
        result = result.iter().flat_map(longer).collect();
    }
    result.into_iter().map(|order| order.into_iter().map(|k| rows[k].clone()).collect()).collect()
}

/// The vectors of small coefficients without a common factor, one of each opposite pair: the last
/// coefficient other than zero is positive.
fn small(n: usize, largest: u32) -> Vec<Vec<Int>> {
    let largest = i64::from(largest);
    let mut result: Vec<Vec<i64>> = vec![Vec::new()];
    for _ in 0..n {
        let longer = |row: &Vec<i64>| {
            let row = row.clone();
            (-largest..=largest).map(move |c| row.iter().copied().chain([c]).collect())
        };
        result = result.iter().flat_map(longer).collect();
    }
    let gcd = |row: &Vec<i64>| row.iter().fold(Int::ZERO, |gcd, &c| gcd.gcd(&Int::from(c)));
    let is_first = |row: &Vec<i64>| row.iter().rev().find(|c| **c != 0).is_some_and(|c| *c > 0);
    result.retain(|row| is_first(row) && gcd(row).is_one());
    result.into_iter().map(|row| row.into_iter().map(Int::from).collect()).collect()
}

/// The legal mapping with the fewest cells at these parameter values, of those that are tried
/// before the budget runs out; `None` if there is none.
pub fn smallest(
    differences: &Differences,
    candidates: &Candidates,
    params: &[Int],
    budget: &mut Budget,
) -> Option<Mapping> {
    let mut best: Option<(Int, Mapping)> = None;
    for rows in candidates.rows(differences.n_dim()) {
        match checked(differences, &rows, budget) {
            Err(Stop) => break,
            Ok(None) => {}
            Ok(Some(mapping)) => {
                let Some(cells) = mapping.cells_at(params) else { continue };
                if best.as_ref().is_none_or(|(fewest, _)| cells < *fewest) {
                    best = Some((cells, mapping));
                }
            }
        }
    }
    best.map(|(_, mapping)| mapping)
}

/// The mapping for rows, if the check agrees.
fn checked(differences: &Differences, rows: &[Vec<Int>], budget: &mut Budget) -> Result<Option<Mapping>, Stop> {
    let Some(mapping) = successive(differences, rows, budget)? else { return Ok(None) };
    let verdict = is_legal(&mapping, differences, budget)?;
    debug_assert_eq!(verdict, Verdict::Legal, "{mapping} of {}", differences.set());
    Ok((verdict == Verdict::Legal).then_some(mapping))
}
