//! Tables of integer divisions `floor(affine / d)`.
//!
//! The columns of a table are `[1 | variables | floors]`; the numerator of a floor uses the
//! variables and earlier floors. [`Floors::floor`] adds a division in canonical form and returns
//! the affine form that has its value:
//!
//! 1. numerator and denominator are divided by the gcd of the denominator and all coefficients, the
//!    constant being rounded down;
//! 2. multiples of the denominator move out of the numerator, which leaves coefficients in `0..d`;
//! 3. `floor(e / d) = -floor((-e + d - 1) / d)`, so there are two such forms; the one with the
//!    smaller numerator, its constant compared last, is taken.
//!
//! Hence divisions that differ by an affine form, like `floor(n / 2)` and `floor((n + 1) / 2)`,
//! have one entry.

use poly_arith::Int;
use poly_linalg::vector;

/// `floor(num / denom)`; `num` is over the columns of the table, without trailing zeros.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Floor {
    pub(crate) denom: Int,
    pub(crate) num: Vec<Int>,
}

/// A table of integer divisions of `n_var` variables and of each other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Floors {
    n_var: usize,
    list: Vec<Floor>,
}

impl Floors {
    /// The empty table over `n_var` variables.
    pub(crate) fn new(n_var: usize) -> Floors {
        Floors { n_var, list: Vec::new() }
    }

    /// The divisions; number `k` is column `1 + n_var + k`.
    pub(crate) fn list(&self) -> &[Floor] {
        &self.list
    }

    /// Number of variables.
    pub(crate) fn n_var(&self) -> usize {
        self.n_var
    }

    /// Number of columns: the constant, the variables and the divisions.
    pub(crate) fn n_col(&self) -> usize {
        1 + self.n_var + self.list.len()
    }

    /// The row of a single column.
    pub(crate) fn unit(&self, column: usize) -> Vec<Int> {
        let mut row = vec![Int::ZERO; self.n_col()];
        row[column] = Int::ONE;
        row
    }

    /// Adds `floor(row / denom)` unless it is there, and returns its value as an affine form.
    pub(crate) fn floor(&mut self, row: &[Int], denom: &Int) -> Vec<Int> {
        assert!(denom.is_pos(), "the denominator of a division must be positive");
        let common = vector::gcd(&row[1..]).gcd(denom);
        let denom = denom.div_exact(&common);
        let mut num = vec![row[0].div_floor(&common)];
        num.extend(row[1..].iter().map(|x| x.div_exact(&common)));
        num.resize(self.n_col(), Int::ZERO);
        let mut outside = split_multiples(&mut num, &denom);
        if vector::is_zero(&num[1..]) {
            return outside;
        }
        let mut flipped: Vec<Int> = num.iter().map(|x| -x).collect();
        flipped[0] += &(&denom - &Int::ONE);
        let flipped_outside = split_multiples(&mut flipped, &denom);
        let flip = (&flipped[1..], &flipped[0]) < (&num[1..], &num[0]);
        if flip {
            num = flipped;
            vector::add_multiple(&mut outside, &Int::NEG_ONE, &flipped_outside);
        }
        while num.last().is_some_and(Int::is_zero) {
            num.pop();
        }
        let column = self.column_of(Floor { denom, num });
        outside.resize(self.n_col(), Int::ZERO);
        outside[column] += if flip { &Int::NEG_ONE } else { &Int::ONE };
        outside
    }

    fn column_of(&mut self, floor: Floor) -> usize {
        let found = self.list.iter().position(|f| *f == floor);
        let position = found.unwrap_or_else(|| {
            self.list.push(floor);
            self.list.len() - 1
        });
        1 + self.n_var + position
    }

    /// The row over the columns of another table as one over the columns here, `images` being its
    /// columns.
    pub(crate) fn translate(row: &[Int], images: &[Vec<Int>]) -> Vec<Int> {
        let len = images.iter().map(Vec::len).max().unwrap_or(0);
        let mut result = vec![Int::ZERO; len];
        for (factor, image) in row.iter().zip(images) {
            vector::add_multiple(&mut result[..image.len()], factor, image);
        }
        result
    }

    /// Adds the divisions of a table over the same variables. Returns its columns as rows here.
    pub(crate) fn import(&mut self, other: &Floors) -> Vec<Vec<Int>> {
        assert_eq!(self.n_var, other.n_var, "the tables are over different variables");
        let mut images: Vec<Vec<Int>> = (0..1 + self.n_var).map(|column| self.unit(column)).collect();
        for floor in &other.list {
            let num = Floors::translate(&floor.num, &images);
            images.push(self.floor(&num, &floor.denom));
        }
        images
    }

    /// The point with the values of the divisions appended.
    pub(crate) fn extend(&self, point: &[Int]) -> Vec<Int> {
        assert_eq!(point.len(), self.n_var, "one value per variable");
        let mut values = point.to_vec();
        for floor in &self.list {
            let (constant, coefficients) = floor.num.split_first().expect("a numerator has a constant");
            let sum = vector::dot(coefficients, &values[..coefficients.len()]) + constant;
            values.push(sum.div_floor(&floor.denom));
        }
        values
    }

    /// Which divisions are needed for the variables in `used` (counted from 0, divisions after the
    /// variables), those that definitions use included.
    pub(crate) fn needed(&self, used: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut needed: Vec<bool> = (0..self.list.len()).map(|k| used(self.n_var + k)).collect();
        for k in (0..self.list.len()).rev().filter(|&k| needed[k]).collect::<Vec<usize>>() {
            self.mark(k, &mut needed);
        }
        needed
    }

    fn mark(&self, k: usize, needed: &mut [bool]) {
        let mut work = vec![k];
        while let Some(k) = work.pop() {
            let first = 1 + self.n_var;
            for (i, x) in self.list[k].num.iter().enumerate().skip(first) {
                if !x.is_zero() && !std::mem::replace(&mut needed[i - first], true) {
                    work.push(i - first);
                }
            }
        }
    }

    /// A table with the needed divisions only, in an order that depends on nothing but themselves,
    /// and the columns here as rows there (those of divisions that are not needed being zero).
    pub(crate) fn sorted(&self, needed: &[bool]) -> (Floors, Vec<Vec<Int>>) {
        let mut table = Floors::new(self.n_var);
        let first = 1 + self.n_var;
        let mut images: Vec<Option<Vec<Int>>> = vec![None; self.list.len()];
        let known = |images: &[Option<Vec<Int>>], table: &Floors| -> Vec<Vec<Int>> {
            let plain = (0..first).map(|column| table.unit(column));
            plain.chain(images.iter().map(|image| image.clone().unwrap_or_default())).collect()
        };
        loop {
            let ready = |k: &usize| {
                let uses = self.list[*k].num.iter().enumerate().skip(first).filter(|(_, x)| !x.is_zero());
                needed[*k] && images[*k].is_none() && uses.into_iter().all(|(i, _)| images[i - first].is_some())
            };
            let columns = known(&images, &table);
            let translated = |k: usize| (self.list[k].denom.clone(), Floors::translate(&self.list[k].num, &columns), k);
            let next = (0..self.list.len()).filter(ready).map(translated).min();
            let Some((denom, num, k)) = next else { break };
            images[k] = Some(table.floor(&num, &denom));
        }
        let images = known(&images, &table);
        (table, images)
    }
}

/// Reduces all entries to `0..denom`; returns what was taken out, divided by the denominator.
fn split_multiples(num: &mut [Int], denom: &Int) -> Vec<Int> {
    let split = |x: &mut Int| {
        let quotient = x.div_floor(denom);
        *x = x.mod_floor(denom);
        quotient
    };
    num.iter_mut().map(split).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(values: &[i64]) -> Vec<Int> {
        values.iter().map(|&x| Int::from(x)).collect()
    }

    #[test]
    fn divisions_that_differ_by_an_affine_form_are_one() {
        let mut floors = Floors::new(1);
        assert_eq!(floors.floor(&row(&[0, 1]), &Int::from(2)), row(&[0, 0, 1]));
        assert_eq!(floors.floor(&row(&[1, 1]), &Int::from(2)), row(&[0, 1, -1]));
        assert_eq!(floors.floor(&row(&[7, -6]), &Int::from(4)), row(&[1, -1, -1]));
        assert_eq!(floors.list().len(), 1);
        assert_eq!(floors.floor(&row(&[5, 6]), &Int::from(3)), row(&[1, 2, 0]));
    }

    #[test]
    fn random_divisions_keep_their_values() {
        let mut state = 1_i64;
        let mut next = |range: i64| {
            state = (state * 1_103_515_245 + 12345) % (1 << 31);
            (state >> 8) % range
        };
        for _ in 0..200 {
            let mut floors = Floors::new(2);
            let mut values: Vec<(Vec<i64>, i64, Vec<Int>)> = Vec::new();
            for _ in 0..4 {
                let num: Vec<i64> = (0..floors.n_col()).map(|_| next(13) - 6).collect();
                let denom = next(6) + 1;
                let image = floors.floor(&row(&num), &Int::from(denom));
                values.push((num, denom, image));
            }
            let needed = floors.needed(|k| k == floors.n_var() + floors.list().len().saturating_sub(1));
            let (sorted, images) = floors.sorted(&needed);
            for x in -4..5 {
                for y in -4..5 {
                    let all = floors.extend(&row(&[x, y]));
                    for (num, denom, image) in &values {
                        let value = |form: &[Int]| vector::dot(&form[1..], &all[..form.len() - 1]) + &form[0];
                        assert_eq!(value(image), value(&row(num)).div_floor(&Int::from(*denom)));
                    }
                    let there = sorted.extend(&row(&[x, y]));
                    for (k, image) in images.iter().enumerate().skip(3).filter(|(k, _)| needed[k - 3]) {
                        let value = vector::dot(&image[1..], &there[..image.len() - 1]) + &image[0];
                        assert_eq!(value, all[k - 1]);
                    }
                }
            }
        }
    }
}
