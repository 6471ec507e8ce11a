//! Coordinates of answers along which loops read what is side by side in memory.
//!
//! # Problem
//! A temporary has an element for each answer, the last coordinate side by side, and the loop along
//! it is the innermost one. Which coordinates answers have is of no importance for the equations,
//! but a loop of vectors should read neighbouring elements of all that it reads. For `min(a[i][j -
//! l], b[i + l][j])` at answers `(i, l, j)` it does, at answers `(i, j, l)` or `(i, j, j - l)` it
//! does not.
//!
//! # Definitions
//! A read *stays close* along a direction of answers if it moves by nothing, or by one element of
//! the last subscript. The *carry* of a recurrence is the direction to the neighbour.
//!
//! # Algorithm
//! 1. For every direction with coordinates of at most one, other than the carry, the reads of the
//!    program's elements, by the equation and by who reads its answers, that do not stay close are
//!    counted.
//! 2. If one has fewer of them than the last coordinate, it becomes the last coordinate, and the
//!    other ones are those that it leaves as they are: single coordinates, then sums and
//!    differences of two.
//!
//! # Invariants
//! The loops outside keep their coordinates. The proof is made for the system in its new
//! coordinates.

use poly_arith::Int;
use poly_linalg::{Matrix, gauss, solve_integer, unimodular_complete, vector};
use poly_reductions::{Equation, Factor, Source, System, Term};

use super::candidate::Candidate;

/// The system in better coordinates.
pub(super) fn arranged(system: System, candidate: &Candidate) -> System {
    let mut result = system;
    for number in 0..result.equations.len().saturating_sub(1) {
        let equation = &result.equations[number];
        let better = direction(&result, equation, candidate)
            .and_then(|direction| basis(&direction, candidate.at))
            .and_then(|basis| result.in_basis(equation.answer, &basis));
        if let Some(better) = better {
            result = better;
        }
    }
    result
}

/// The direction to go along, if it is better than the last coordinate.
fn direction(system: &System, equation: &Equation, candidate: &Candidate) -> Option<Vec<Int>> {
    let dims = equation.meaning.projection.rows.len();
    let fixed = candidate.at;
    if dims < fixed + 2 {
        return None;
    }
    let carry = carry(equation);
    let is_carry = |v: &[Int]| {
        let both = carry.as_ref().map(|carry| Matrix::from_rows(vec![carry.clone(), v.to_vec()], dims));
        both.is_some_and(|both| gauss::rank(&both) < 2)
    };
    let readers = |term: &&Term| term.factors.iter().any(|f| f.source == Source::Answer(equation.answer));
    let own: Vec<&Term> = equation.terms.iter().collect();
    let others: Vec<&Term> = system.equations.iter().flat_map(|e| &e.terms).filter(readers).collect();
    let away = |v: &[Int]| {
        let of_own = own.iter().map(|term| far(term, &moves_of_answer(term, v), candidate));
        let of_others = others.iter().map(|term| far(term, &moves_of_read(term, equation, v), candidate));
        of_own.chain(of_others).sum::<usize>()
    };
    let last: Vec<Int> = (0..dims).map(|k| Int::from(i64::from(k + 1 == dims))).collect();
    let known = if is_carry(&last) { usize::MAX } else { away(&last) };
    let all = directions(fixed, dims).into_iter().filter(|v| !is_carry(v));
    let (best, v) = all.map(|v| (away(&v), v)).min_by_key(|(away, v)| (*away, hits(v)))?;
    (best < known).then_some(v)
}

/// The direction to the neighbour of a recurrence.
fn carry(equation: &Equation) -> Option<Vec<Int>> {
    let mut factors = equation.terms.iter().flat_map(|term| &term.factors);
    let neighbour = factors.find(|factor| factor.source == Source::Itself)?;
    Some(neighbour.access.rows.iter().map(|row| row[0].clone()).collect())
}

fn hits(v: &[Int]) -> usize {
    v.iter().filter(|x| !x.is_zero()).count()
}

/// All directions with coordinates of at most one, of the first one of which that is not zero the
/// sign is plus.
fn directions(fixed: usize, dims: usize) -> Vec<Vec<Int>> {
    let mut result = vec![vec![Int::ZERO; fixed]];
    for _ in fixed..dims {
        let longer =
            |v: &Vec<Int>| [0i64, 1, -1].map(|x| v.iter().cloned().chain([Int::from(x)]).collect::<Vec<Int>>());
        result = result.iter().flat_map(longer).collect();
    }
    result.retain(|v| v.iter().find(|x| !x.is_zero()).is_some_and(Int::is_pos));
    result
}

/// The direction in which the point of an answer moves; nothing if that is not one direction.
fn moves_of_answer(term: &Term, v: &[Int]) -> Option<Vec<Int>> {
    solved(term, &term.projection.matrix(), v)
}

/// The direction in which points move that read answers; nothing if that is not one direction.
fn moves_of_read(term: &Term, equation: &Equation, v: &[Int]) -> Option<Vec<Int>> {
    let read = term.factors.iter().find(|factor| factor.source == Source::Answer(equation.answer))?;
    solved(term, &read.access.matrix(), v)
}

fn solved(term: &Term, matrix: &Matrix, v: &[Int]) -> Option<Vec<Int>> {
    let params = term.projection.params;
    let [basic] = term.domain.basics() else { return None };
    let dims = term.projection.dims;
    let mut all = matrix.clone();
    let mut wanted = v.to_vec();
    for eq in basic.eqs() {
        all.push_row(&eq[1 + params..1 + params + dims]);
        wanted.push(Int::ZERO);
    }
    let solution = solve_integer(&all, &wanted)?;
    (solution.kernel.rows() == 0).then_some(solution.particular)
}

/// How many of a term's reads of elements do not stay close along a direction of its points; of an
/// unknown one none is known to.
fn far(term: &Term, moves: &Option<Vec<Int>>, candidate: &Candidate) -> usize {
    let statement_reads = |factor: &Factor| match factor.source {
        Source::Leaf(leaf) => candidate.parts[leaf.0].reads.iter().map(|(_, rank)| *rank).collect(),
        _ => Vec::new(),
    };
    let mut count = 0;
    for factor in &term.factors {
        let reads: Vec<usize> = statement_reads(factor);
        let Some(moves) = moves else {
            count += reads.len();
            continue;
        };
        let delta = factor.access.direction(moves);
        let mut first = 0;
        for rank in reads {
            let own = &delta[first..first + rank];
            first += rank;
            count += usize::from(!stays_close(own));
        }
    }
    count
}

fn stays_close(delta: &[Int]) -> bool {
    delta.split_last().is_none_or(|(last, rest)| vector::is_zero(rest) && last.abs() <= Int::ONE)
}

/// A unimodular matrix whose last row, alone, grows along a direction.
fn basis(direction: &[Int], fixed: usize) -> Option<Matrix> {
    let dims = direction.len();
    let unit = |k: usize| -> Vec<Int> { (0..dims).map(|d| Int::from(i64::from(d == k))).collect() };
    let mut candidates: Vec<Vec<Int>> = (0..dims).map(unit).collect();
    for a in fixed..dims {
        for b in (a + 1)..dims {
            for sign in [Int::NEG_ONE, Int::ONE] {
                candidates.push(unit(a).iter().zip(&unit(b)).map(|(x, y)| x + &(y * &sign)).collect());
            }
        }
    }
    let mut rows = Matrix::new(0, dims);
    for row in candidates.iter().filter(|row| vector::dot(row, direction).is_zero()) {
        let mut longer = rows.clone();
        longer.push_row(row);
        if gauss::rank(&longer) == longer.rows() && unimodular_complete(&longer).is_some() {
            rows = longer;
        }
    }
    if rows.rows() + 1 != dims {
        return None;
    }
    let last = (fixed..dims).rev().find(|&k| direction[k].abs().is_one()).map(unit)?;
    rows.push_row(&last);
    unimodular_complete(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(values: &[i64]) -> Vec<Int> {
        values.iter().map(|&value| Int::from(value)).collect()
    }

    #[test]
    fn the_last_coordinate_grows_alone() {
        for (direction, wanted) in [
            (vec![0, 1, 1], vec![vec![1, 0, 0], vec![0, 1, -1], vec![0, 0, 1]]),
            (vec![1, 0, 0], vec![vec![0, 1, 0], vec![0, 0, 1], vec![1, 0, 0]]),
            (vec![1, -1], vec![vec![1, 1], vec![0, 1]]),
        ] {
            let found = basis(&ints(&direction), 0).expect("there is a basis");
            let wanted = wanted.iter().map(|row| ints(row)).collect();
            assert_eq!(found, Matrix::from_rows(wanted, direction.len()));
        }
    }

    #[test]
    fn reads_that_stay_close() {
        for (delta, wanted) in
            [(vec![], true), (vec![0, 1], true), (vec![0, -1], true), (vec![0, 2], false), (vec![1, 0], false)]
        {
            assert_eq!(stays_close(&ints(&delta)), wanted, "{delta:?}");
        }
    }
}
