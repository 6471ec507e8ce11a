//! Rows of numbers as expressions and conditions of the program.
//!
//! A row over the columns of a basic set becomes a sum: dimensions are replaced by the values they
//! have in the program (a loop counter, or what was substituted for it), known divs by floor
//! divisions. `num - m floor(num / m)` is recognized as a remainder.

use poly_arith::Int;
use poly_presburger::{BasicSet, DimKind, Id, Row};

use crate::ast::{Cond, Expr};

/// What the parameters and the outer schedule dimensions are in the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Columns<'a> {
    pub(crate) params: &'a [Id],
    pub(crate) values: &'a [Expr],
}

impl Columns<'_> {
    /// The value of a row over (a prefix of) the columns of `set`, whose dimensions beyond the
    /// known ones must not occur.
    pub(crate) fn form(&self, set: &BasicSet, row: &[Int]) -> Expr {
        let mut row = row.to_vec();
        row.resize(set.n_col(), Int::ZERO);
        let remainders = self.remainders(set, &mut row);
        let first_dim = set.offset(DimKind::Out);
        let first_div = set.offset(DimKind::Div);
        let mut terms = Vec::new();
        for (k, factor) in row[first_dim..first_div].iter().enumerate().filter(|(_, x)| !x.is_zero()) {
            let value = self.values.get(k).expect("only outer dimensions have a value");
            terms.push(value.clone().times(factor));
        }
        for (k, factor) in row[1..first_dim].iter().enumerate().filter(|(_, x)| !x.is_zero()) {
            terms.push(Expr::Param(self.params[k].clone()).times(factor));
        }
        for (i, factor) in row[first_div..].iter().enumerate().filter(|(_, x)| !x.is_zero()) {
            let div = crate::shadow::known_div(set, i);
            terms.push(self.form(set, &div.num[..first_div + i]).floor_div(&div.denom).times(factor));
        }
        terms.extend(remainders);
        terms.push(Expr::Int(row[0].clone()));
        Expr::sum(terms)
    }

    /// Take remainders out of a row: multiples of `num - m floor(num / m)` whose variables all
    /// occur in the row with the matching coefficients.
    fn remainders(&self, set: &BasicSet, row: &mut Row) -> Vec<Expr> {
        let first_div = set.offset(DimKind::Div);
        let mut terms = Vec::new();
        for i in (0..set.n_div()).rev() {
            let coefficient = row[first_div + i].clone();
            if coefficient.is_zero() {
                continue;
            }
            let div = crate::shadow::known_div(set, i);
            if !coefficient.is_divisible_by(&div.denom) {
                continue;
            }
            let factor = -coefficient.div_exact(&div.denom);
            let matches = |c: usize| div.num[c].is_zero() || row[c] == &factor * &div.num[c];
            if !(1..first_div + i).all(matches) {
                continue;
            }
            for (value, part) in row.iter_mut().zip(&div.num[..first_div + i]) {
                *value -= &(&factor * part);
            }
            row[first_div + i] = Int::ZERO;
            terms.push(self.form(set, &div.num[..first_div + i]).modulo(&div.denom).times(&factor));
        }
        terms
    }

    /// The condition that a row is not negative.
    pub(crate) fn non_negative(&self, set: &BasicSet, row: &[Int]) -> Cond {
        match self.form(set, row) {
            Expr::Int(value) if value.is_neg() => Cond::False,
            Expr::Int(_) => Cond::True,
            form => Cond::NonNegative(form),
        }
    }

    /// The condition that a row is zero.
    pub(crate) fn zero(&self, set: &BasicSet, row: &[Int]) -> Cond {
        let lead = row[1..].iter().find(|x| !x.is_zero());
        let form = if lead.is_some_and(Int::is_neg) {
            let negated: Row = row.iter().map(|x| -x).collect();
            self.form(set, &negated)
        } else {
            self.form(set, row)
        };
        match form {
            Expr::Int(value) if value.is_zero() => Cond::True,
            Expr::Int(_) => Cond::False,
            Expr::Mul(_, inner) => Cond::Zero(*inner),
            form => Cond::Zero(form),
        }
    }

    /// The conditions of all constraints that do not involve dimension `d`, if it is given.
    pub(crate) fn guards(&self, set: &BasicSet, d: Option<usize>) -> Vec<Cond> {
        let col = d.map(|d| set.offset(DimKind::Out) + d);
        let is_outer = |row: &&Row| col.is_none_or(|c| row[c].is_zero());
        let eqs = set.eqs().iter().filter(is_outer).map(|row| self.zero(set, row));
        let ineqs = set.ineqs().iter().filter(is_outer).map(|row| self.non_negative(set, row));
        eqs.chain(ineqs).collect()
    }

    /// The least value of dimension `d` by the constraint `row >= 0`, in which it has a positive
    /// coefficient.
    pub(crate) fn lower_bound(&self, set: &BasicSet, row: &[Int], d: usize) -> Expr {
        let col = set.offset(DimKind::Out) + d;
        let a = row[col].clone();
        let mut rest: Row = row.iter().map(|x| -x).collect();
        rest[col] = Int::ZERO;
        rest[0] += &(&a - &Int::ONE);
        self.form(set, &rest).floor_div(&a)
    }

    /// The greatest value of dimension `d` by the constraint `row >= 0`, in which it has a negative
    /// coefficient.
    pub(crate) fn upper_bound(&self, set: &BasicSet, row: &[Int], d: usize) -> Expr {
        let col = set.offset(DimKind::Out) + d;
        let b = -&row[col];
        let mut rest: Row = row.to_vec();
        rest[col] = Int::ZERO;
        self.form(set, &rest).floor_div(&b)
    }
}
