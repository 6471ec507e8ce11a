//! Random systems and brute-force answers for the tests of the solvers.
//!
//! A [`Sampler`] is a small deterministic generator. [`Case`] bundles a system with what is known
//! about it; [`disguise`] turns a system into an equivalent one with huge numbers, which forces the
//! wide kernels.

use poly_arith::Int;

use super::System;

/// A deterministic generator of small numbers (the SplitMix64 sequence).
#[derive(Clone, Debug)]
pub(crate) struct Sampler(u64);

impl Sampler {
    pub(crate) fn new(seed: u64) -> Sampler {
        Sampler(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `lower..=upper`.
    pub(crate) fn range(&mut self, lower: i64, upper: i64) -> i64 {
        lower + (self.next() % (upper - lower + 1) as u64) as i64
    }

    /// A row over `n` variables with coefficients up to `coefficient` and constants up to
    /// `constant` in magnitude.
    pub(crate) fn row(&mut self, n: usize, coefficient: i64, constant: i64) -> Vec<Int> {
        let mut row = vec![Int::from(self.range(-constant, constant))];
        row.extend((0..n).map(|_| Int::from(self.range(-coefficient, coefficient))));
        row
    }

    /// A random system over `n` variables.
    pub(crate) fn system(&mut self, n: usize) -> System {
        let coefficient = [1, 2, 3, 7][self.range(0, 3) as usize];
        let mut system = System::new(n);
        for _ in 0..[0, 0, 0, 1, 1, 2][self.range(0, 5) as usize] {
            system.add_eq(self.row(n, coefficient, 6));
        }
        for _ in 0..self.range(0, 2 + 2 * n as i64) {
            system.add_ineq(self.row(n, coefficient, 8));
        }
        system
    }

    /// A random system inside the box `-size <= x <= size`.
    pub(crate) fn boxed_system(&mut self, n: usize, size: i64) -> System {
        let mut system = self.system(n);
        add_box(&mut system, size);
        system
    }
}

/// Adds `-size <= x <= size` for all variables.
pub(crate) fn add_box(system: &mut System, size: i64) {
    for var in 0..system.n {
        for sign in [1, -1] {
            let mut row = vec![Int::ZERO; system.n + 1];
            row[0] = Int::from(size);
            row[var + 1] = Int::from(sign);
            system.add_ineq(row);
        }
    }
}

/// A row from machine integers.
pub(crate) fn ints(values: &[i64]) -> Vec<Int> {
    values.iter().map(|&value| Int::from(value)).collect()
}

/// A system from machine integers.
pub(crate) fn system(n: usize, eqs: &[&[i64]], ineqs: &[&[i64]]) -> System {
    let rows = |rows: &[&[i64]]| rows.iter().map(|row| ints(row)).collect();
    System { n, eqs: rows(eqs), ineqs: rows(ineqs) }
}

/// All integer points in the box `-size <= x <= size`, in lexicographic order.
pub(crate) fn points(n: usize, size: i64) -> impl Iterator<Item = Vec<Int>> {
    let base = 2 * size + 1;
    (0..base.pow(n as u32)).map(move |mut code| {
        let mut point = vec![Int::ZERO; n];
        for value in point.iter_mut().rev() {
            *value = Int::from(code % base - size);
            code /= base;
        }
        point
    })
}

/// The integer points of a system within a box, in lexicographic order.
pub(crate) fn points_of(system: &System, size: i64) -> Vec<Vec<Int>> {
    points(system.n, size).filter(|point| system.contains(point)).collect()
}

/// The same set moved by `shift` in every variable, with rows multiplied by `factor`.
pub(crate) fn disguise(system: &System, shift: &Int, factor: &Int) -> System {
    let transform = |row: &Vec<Int>| {
        let sum: Int = row[1..].iter().sum();
        let mut row: Vec<Int> = row.iter().map(|value| value * factor).collect();
        row[0] -= sum * shift * factor;
        row
    };
    System {
        n: system.n,
        eqs: system.eqs.iter().map(transform).collect(),
        ineqs: system.ineqs.iter().map(transform).collect(),
    }
}

/// Shifts and factors that leave the numbers small, bring them close to the limits of 32 and of 64
/// bits, and exceed them.
pub(crate) fn disguises() -> Vec<(Int, Int)> {
    vec![
        (Int::ZERO, Int::ONE),
        (Int::from((1i64 << 31) - 3), Int::from(3)),
        (Int::from(-(1i64 << 40)), Int::from((1i64 << 21) + 1)),
        (Int::from(i64::MAX - 2), Int::ONE),
        (Int::from(1i128 << 90), Int::from(-(1i128 << 65)).abs()),
    ]
}
