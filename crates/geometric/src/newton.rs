//! One barrier problem after the other, by damped Newton steps.
//!
//! # Problem
//! For convex `F_0 .. F_m` of the form `log sum exp(A y + b)`: the `y` in a box around 0 with the
//! least `F_0(y) + TIE/2 |y|^2` of those with `F_i(y) < slack`, from a `y` that has that.
//!
//! # Algorithm
//! `t (F_0 + TIE/2 |y|^2) - sum log(slack - F_i) - sum log(BOX - y_j) - sum log(BOX + y_j)` is
//! minimized for `t`, `20 t`, `400 t`, .. by Newton steps that are halved until the function falls
//! by a part of what its slope promises; then `F_0` is within `(m + 2 n) / t` of the least value
//! ([BoydVandenberghe2004], chapter 11).

use crate::posynomial::Posynomial;

/// Bound of all logarithms: what leads beyond has no bound. `e^60` is more than any size or number
/// of cycles, and its square is far from the end of the numbers.
pub(crate) const BOX: f64 = 60.0;

/// Weight of the distance from all ones: among equal optima there is one that is best.
const TIE: f64 = 1e-9;

/// How much steeper the barrier becomes: from 10 to 20 is usual, and nothing depends on it but the
/// number of steps [BoydVandenberghe2004, section 11.3.1].
const GROWTH: f64 = 20.0;

/// Part of the promised descent with which a step is content: from 0.01 to 0.3 is usual
/// [BoydVandenberghe2004, section 9.2].
const CONTENT: f64 = 0.1;

/// Shortest part of a step: below, rounding decides whether the function falls.
const SHORTEST: f64 = 1e-12;

/// `log sum exp(A y + b)`.
#[derive(Clone, Debug)]
pub(crate) struct LogSumExp {
    /// Rows of `A`, one after the other.
    slopes: Vec<f64>,
    offsets: Vec<f64>,
    variables: usize,
}

impl LogSumExp {
    /// A posynomial of so many variables, which is not 0, in logarithms.
    pub(crate) fn of(posynomial: &Posynomial, variables: usize) -> Self {
        let mut slopes = Vec::with_capacity(posynomial.terms().len() * variables);
        for term in posynomial.terms() {
            slopes.extend((0..variables).map(|v| term.exponents.get(v).copied().unwrap_or(0.0)));
        }
        let offsets = posynomial.terms().iter().map(|term| term.coefficient.ln()).collect();
        Self { slopes, offsets, variables }
    }

    fn exponents(&self, y: &[f64], into: &mut Vec<f64>) -> f64 {
        into.clear();
        let rows = self.slopes.chunks_exact(self.variables.max(1));
        match self.variables {
            0 => into.extend(&self.offsets),
            _ => into.extend(rows.zip(&self.offsets).map(|(row, offset)| offset + dot(row, y))),
        }
        into.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    pub(crate) fn value(&self, y: &[f64], space: &mut Vec<f64>) -> f64 {
        let most = self.exponents(y, space);
        most + space.iter().map(|z| (z - most).exp()).sum::<f64>().ln()
    }

    /// The value, and `gradient` and `hessian` (the lower half) are set.
    fn derive(&self, y: &[f64], space: &mut Vec<f64>, gradient: &mut [f64], hessian: &mut [f64]) -> f64 {
        let n = self.variables;
        let most = self.exponents(y, space);
        space.iter_mut().for_each(|z| *z = (*z - most).exp());
        let sum: f64 = space.iter().sum();
        gradient.fill(0.0);
        hessian.fill(0.0);
        for (row, weight) in self.slopes.chunks_exact(n.max(1)).zip(space.iter().map(|e| e / sum)) {
            for (i, &slope) in row.iter().enumerate().filter(|(_, slope)| **slope != 0.0) {
                gradient[i] += weight * slope;
                (0..=i).for_each(|j| hessian[i * n + j] += weight * slope * row[j]);
            }
        }
        for i in 0..n {
            (0..=i).for_each(|j| hessian[i * n + j] -= gradient[i] * gradient[j]);
        }
        most + sum.ln()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// A problem in logarithms.
#[derive(Clone, Debug)]
pub(crate) struct Barrier {
    pub(crate) objective: LogSumExp,
    /// At most the slack.
    pub(crate) constraints: Vec<LogSumExp>,
    pub(crate) slack: f64,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The least value is known as exactly as asked for.
    Converged,
    /// The caller has what it wants.
    Stopped,
    /// All steps are taken.
    Limit,
}

/// What a search has room for.
pub(crate) struct Steps {
    pub(crate) taken: u32,
    pub(crate) most: u32,
}

impl Barrier {
    fn variables(&self) -> usize {
        self.objective.variables
    }

    /// Moves a strictly feasible `y` to the optimum, up to `gap`, unless `enough` says that it will
    /// do.
    pub(crate) fn minimize(&self, y: &mut [f64], gap: f64, steps: &mut Steps, enough: impl Fn(&[f64]) -> bool) -> End {
        let barriers = (self.constraints.len() + 2 * self.variables()) as f64;
        let mut t = 1.0;
        loop {
            loop {
                if enough(y) {
                    return End::Stopped;
                }
                if steps.taken >= steps.most {
                    return End::Limit;
                }
                steps.taken += 1;
                if !self.step(y, t) {
                    break;
                }
            }
            if barriers <= gap * t {
                return End::Converged;
            }
            t *= GROWTH;
        }
    }

    /// A Newton step; false if nothing is left to gain.
    fn step(&self, y: &mut [f64], t: f64) -> bool {
        let n = self.variables();
        let (here, gradient, mut hessian) = self.derive(y, t);
        factorize(&mut hessian, n);
        let mut direction: Vec<f64> = gradient.iter().map(|slope| -slope).collect();
        solve(&hessian, &mut direction);
        let promised = -dot(&gradient, &direction);
        // What is below the rounding of the function cannot be seen in it.
        if promised.is_nan() || promised <= 1e-9_f64.max(1e-14 * here.abs()) {
            return false;
        }
        let mut part = 1.0;
        while part > SHORTEST {
            let there: Vec<f64> = y.iter().zip(&direction).map(|(y, d)| y + part * d).collect();
            if self.value(&there, t).is_some_and(|value| value <= here - CONTENT * part * promised) {
                y.copy_from_slice(&there);
                return true;
            }
            part *= 0.5;
        }
        false
    }

    /// The function with the barrier; `None` outside of it.
    fn value(&self, y: &[f64], t: f64) -> Option<f64> {
        if y.iter().any(|y| y.is_nan() || y.abs() >= BOX) {
            return None;
        }
        let mut space = Vec::new();
        let mut result = t * (self.objective.value(y, &mut space) + 0.5 * TIE * dot(y, y));
        for constraint in &self.constraints {
            let room = self.slack - constraint.value(y, &mut space);
            if room.is_nan() || room <= 0.0 {
                return None;
            }
            result -= room.ln();
        }
        y.iter().for_each(|y| result -= (BOX - y).ln() + (BOX + y).ln());
        Some(result)
    }

    /// The function, its gradient, and the lower half of its Hessian matrix.
    fn derive(&self, y: &[f64], t: f64) -> (f64, Vec<f64>, Vec<f64>) {
        let n = self.variables();
        let mut space = Vec::new();
        let (mut gradient, mut hessian) = (vec![0.0; n], vec![0.0; n * n]);
        let mut result =
            t * (self.objective.derive(y, &mut space, &mut gradient, &mut hessian) + 0.5 * TIE * dot(y, y));
        gradient.iter_mut().zip(y).for_each(|(slope, y)| *slope = t * (*slope + TIE * y));
        hessian.iter_mut().for_each(|entry| *entry *= t);
        let (mut own, mut bent) = (vec![0.0; n], vec![0.0; n * n]);
        for constraint in &self.constraints {
            let room = self.slack - constraint.derive(y, &mut space, &mut own, &mut bent);
            result -= room.ln();
            for i in 0..n {
                gradient[i] += own[i] / room;
                for j in 0..=i {
                    hessian[i * n + j] += bent[i * n + j] / room + own[i] * own[j] / (room * room);
                }
            }
        }
        for (i, &y) in y.iter().enumerate() {
            let (below, above) = (BOX + y, BOX - y);
            result -= below.ln() + above.ln();
            gradient[i] += 1.0 / above - 1.0 / below;
            hessian[i * n + i] += t * TIE + 1.0 / (above * above) + 1.0 / (below * below);
        }
        (result, gradient, hessian)
    }
}

/// The Cholesky factor in the place of the lower half of a matrix, which is positive definite up to
/// rounding: pivots that are lost to it become small ones.
fn factorize(matrix: &mut [f64], n: usize) {
    for j in 0..n {
        let own = matrix[j * n + j];
        let pivot = own - (0..j).map(|k| matrix[j * n + k].powi(2)).sum::<f64>();
        let pivot = pivot.max(1e-13 * own).max(f64::MIN_POSITIVE).sqrt();
        matrix[j * n + j] = pivot;
        for i in j + 1..n {
            let inner: f64 = (0..j).map(|k| matrix[i * n + k] * matrix[j * n + k]).sum();
            matrix[i * n + j] = (matrix[i * n + j] - inner) / pivot;
        }
    }
}

/// Solves with a Cholesky factor.
fn solve(factor: &[f64], x: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        let inner: f64 = (0..i).map(|k| factor[i * n + k] * x[k]).sum();
        x[i] = (x[i] - inner) / factor[i * n + i];
    }
    for i in (0..n).rev() {
        let inner: f64 = (i + 1..n).map(|k| factor[k * n + i] * x[k]).sum();
        x[i] = (x[i] - inner) / factor[i * n + i];
    }
}
