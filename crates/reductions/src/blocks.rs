//! Windows of operators without inverse, in blocks.
//!
//! # Problem
//! Nothing can be taken out of a maximum, so `Y[i] = max of x[i..i + w]` is no recurrence along
//! `i`: each window loses an element. For windows of constant width the answers are cut into blocks
//! instead.
//!
//! # Definitions
//! For a reuse vector `rho`, a *window* is a pair of facets `0 <= k(x) <= w - 1` with a constant
//! `w` and `k(rho) = -1`, which accumulation moves across: what is combined leaves the window at
//! one end while another point comes in at the other. `u` is a coordinate of answers that grows by
//! one along `rho`. `u + k` stays the same along `rho`: it is where in the sequence of values the
//! point is.
//!
//! # Algorithm \[vanHerk1992, GilWerman1993\]
//! 1. Answers are cut into blocks of `w`: `u = w b + r` with `0 <= r < w`.
//! 2. A window that begins in block `b` ends there or in the next one. Its *left* part,
//!    `k + r < w`, is a suffix of the block: a recurrence against `rho`, in which nothing goes out.
//!    Its *right* part, `k + r >= w`, is a prefix of the next block: a recurrence along `rho`. Both
//!    are reductions of the points with `b` as one more coordinate, and their answers are at
//!    `(b, r)` in place of `u`.
//! 3. The answer at `w b + r` combines the two: for one dimension `3 w - 4` operations in a block
//!    of `w` answers, instead of `w (w - 1)`.
//!
//! # Invariants
//! Both parts are polyhedra without divisions, as `w` is a number. Every point is in exactly one of
//! them. Only idempotent operators are cut into blocks: the proof of others counts points, and does
//! not see that the numbers are equal.

use poly_arith::Int;
use poly_linalg::vector;
use poly_presburger::{BasicSet, Budget, Set, Space, Stop, Tuple};

use crate::recurrence::plain;
use crate::{Factor, Function, Reduction};

/// A reduction in two, both over the points of its windows.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    /// The parts of windows in the block in which they begin, and in the next one.
    pub(crate) parts: [Reduction; 2],
    /// Which answer of the reduction an answer of the parts contributes to.
    pub(crate) projection: Function,
}

/// Blocks along a reuse vector; `None` if there is no window along it.
pub(crate) fn blocks(reduction: &Reduction, rho: &[Int], budget: &mut Budget) -> Result<Option<Blocks>, Stop> {
    let [basic] = reduction.domain.basics() else { return Ok(None) };
    if basic.n_div() > 0 || reduction.forward > 0 {
        return Ok(None);
    }
    let Some(window) = Window::along(reduction, rho, basic.ineqs()) else { return Ok(None) };
    let rows: Vec<Vec<Int>> = basic.ineqs().to_vec();
    let mut parts = Vec::new();
    for right in [false, true] {
        let mut domain = BasicSet::universe(window.space(reduction));
        basic.eqs().iter().for_each(|row| domain.add_eq(window.widened(row)));
        rows.iter().for_each(|row| domain.add_ineq(window.widened(row)));
        window.constraints(right).into_iter().for_each(|row| domain.add_ineq(row));
        let domain = plain(&Set::from_basic(domain), budget)?;
        if domain.is_empty(budget)? {
            return Ok(None);
        }
        parts.push(window.part(reduction, domain));
    }
    let projection = window.answers(reduction);
    Ok(parts.try_into().ok().map(|parts| Blocks { parts, projection }))
}

/// A window, in the coordinates of the points.
struct Window {
    /// Numbers of parameters, and of dimensions that stay outside of everything.
    params: usize,
    fixed: usize,
    /// Its width.
    width: Int,
    /// `k`, as a row.
    position: Vec<Int>,
    /// The coordinate of answers that blocks are made of.
    coordinate: usize,
    /// By what it grows along the vector: one, or minus one.
    sign: Int,
    /// `u`, as a row of the points.
    begin: Vec<Int>,
}

impl Window {
    fn along(reduction: &Reduction, rho: &[Int], ineqs: &[Vec<Int>]) -> Option<Self> {
        let first = 1 + reduction.params.len();
        let shift = reduction.projection.direction(rho);
        let is_unit = |m: &usize| shift[*m].abs().is_one();
        let coordinate = (reduction.fixed..shift.len()).find(is_unit)?;
        let sign = shift[coordinate].clone();
        let accumulation = reduction.accumulation();
        let width = |row: &Vec<Int>| {
            let moves = vector::dot(&row[first..], rho) == Int::NEG_ONE;
            let is_strong = accumulation.mul_vec(&row[first..]).iter().all(Int::is_zero);
            if !moves || is_strong {
                return None;
            }
            let is_opposite = |other: &&Vec<Int>| row[1..].iter().zip(&other[1..]).all(|(a, b)| *a == -b);
            let widths = ineqs.iter().filter(is_opposite).map(|other| &(&row[0] + &other[0]) + &Int::ONE);
            widths.min().filter(|width| *width > Int::ONE)
        };
        let (position, width) = ineqs.iter().find_map(|row| Some((row.clone(), width(row)?)))?;
        let begin = reduction.projection.rows[coordinate].iter().map(|x| x * &sign).collect();
        let (params, fixed) = (reduction.params.len(), reduction.fixed);
        Some(Self { params, fixed, width, position, coordinate, sign, begin })
    }

    /// The column of `b`.
    fn block(&self) -> usize {
        1 + self.params + self.fixed
    }

    /// A row of the points with `b` as one more coordinate.
    fn widened(&self, row: &[Int]) -> Vec<Int> {
        let mut row = row.to_vec();
        row.insert(self.block(), Int::ZERO);
        row
    }

    fn space(&self, reduction: &Reduction) -> Space {
        Space::set(reduction.params.clone(), Tuple::anonymous(reduction.dims() + 1))
    }

    /// `r = u - w b`.
    fn rest(&self) -> Vec<Int> {
        let mut row = self.widened(&self.begin);
        row[self.block()] = -&self.width;
        row
    }

    /// `0 <= r < w`, and on which side of the end of the block the point is.
    fn constraints(&self, right: bool) -> [Vec<Int>; 3] {
        let rest = self.rest();
        let last = &self.width - &Int::ONE;
        let up_to = |row: &[Int]| {
            let mut negated: Vec<Int> = row.iter().map(|x| -x).collect();
            negated[0] += &last;
            negated
        };
        let mut sum: Vec<Int> = self.widened(&self.position).iter().zip(&rest).map(|(a, b)| a + b).collect();
        let side = if right {
            sum[0] -= &self.width;
            sum
        } else {
            up_to(&sum)
        };
        [up_to(&rest), rest, side]
    }

    /// One of the two reductions.
    fn part(&self, reduction: &Reduction, domain: Set) -> Reduction {
        let dims = reduction.dims() + 1;
        let function = |rows: Vec<Vec<Int>>| Function::new(self.params, dims, rows);
        let mut rows: Vec<Vec<Int>> = reduction.projection.rows.iter().map(|row| self.widened(row)).collect();
        rows[self.coordinate] = self.rest();
        let mut block = vec![Int::ZERO; 1 + self.params + dims];
        block[self.block()] = Int::ONE;
        rows.insert(self.fixed, block);
        let factor = |factor: &Factor| {
            let rows = factor.access.rows.iter().map(|row| self.widened(row)).collect();
            Factor { access: function(rows), ..factor.clone() }
        };
        let factors = reduction.factors.iter().map(factor).collect();
        Reduction { domain, projection: function(rows), factors, ..reduction.clone() }
    }

    /// From answers of the parts to those of the reduction.
    fn answers(&self, reduction: &Reduction) -> Function {
        let count = reduction.projection.rows.len();
        let mut rows = Vec::new();
        for answer in 0..count {
            let mut row = vec![Int::ZERO; 1 + self.params + count + 1];
            let behind = 1 + self.params + answer + usize::from(answer >= self.fixed);
            row[behind] = Int::ONE;
            if answer == self.coordinate {
                row[behind] = self.sign.clone();
                row[self.block()] = &self.sign * &self.width;
            }
            rows.push(row);
        }
        Function::new(self.params, count + 1, rows)
    }
}
