//! Substitution: an expression, or the constraints of a set, with the dimensions replaced by
//! expressions over another space.
//!
//! Let the dimension `x_i` be replaced by `r_i / d_i`. With `D` the least common multiple of the
//! `d_i`, a row `a` over the old columns becomes `sum_c a_c S_c` over the new ones, `S_c` being `D`
//! times the replacement of column `c`; the value is thereby scaled by `D`. The divs of the old
//! expression are replayed in order, each denominator scaled by `D`.

use std::sync::Arc;

use poly_arith::Int;

use crate::aff::Aff;
use crate::basic::{BasicMap, Div, Row};
use crate::row;
use crate::space::{DimKind, Space};

/// The replacement of all columns of rows over one space by rows over another.
pub(crate) struct Substitution {
    /// The basic set over the new space that carries the divs met so far.
    pub(crate) carrier: BasicMap,
    /// `scale` times the replacement of each old column.
    columns: Vec<Row>,
    /// The common scale of all replacements.
    pub(crate) scale: Int,
    /// Denominators and rows of replacements that are not plainly integer.
    pub(crate) fractions: Vec<(Int, Row)>,
}

impl Substitution {
    /// Replace the dimensions of a space with parameters `old_params` by `affs`, which are over
    /// `space`; that space must have all of the old parameters.
    pub(crate) fn new(old: &Space, space: &Arc<Space>, affs: &[&Aff]) -> Substitution {
        let (carrier, rows) = Aff::carrier(space, affs);
        let scale = affs.iter().fold(Int::ONE, |d, a| d.lcm(&a.denom));
        let n = carrier.n_col();
        let scaled_unit = |c| {
            let mut r = row::unit(n, c);
            row::scale(&mut r, &scale);
            r
        };
        let mut columns = vec![scaled_unit(0)];
        for p in &old.params {
            let at = space.find_param(p.as_str()).expect("the new space has all parameters");
            columns.push(scaled_unit(1 + at));
        }
        let mut fractions = Vec::new();
        for (aff, r) in affs.iter().zip(&rows) {
            let mut r = r.clone();
            if !aff.denom.is_one() {
                fractions.push((aff.denom.clone(), r.clone()));
            }
            row::scale(&mut r, &scale.div_exact(&aff.denom));
            columns.push(r);
        }
        Substitution { carrier, columns, scale, fractions }
    }

    /// `scale` times the row with all columns replaced.
    pub(crate) fn row(&self, old: &[Int]) -> Row {
        let mut new = row::zeros(self.carrier.n_col());
        for (x, column) in old.iter().zip(&self.columns) {
            row::add_scaled(&mut new, x, column);
        }
        new
    }

    /// Replay the definition of the next old div.
    pub(crate) fn push_div(&mut self, div: Option<&Div>) {
        let col = match div {
            Some(div) => {
                let num = self.row(&div.num);
                self.carrier.add_div(&div.denom * &self.scale, num)
            }
            None => self.carrier.add_unknown_div(),
        };
        let mut unit = row::unit(self.carrier.n_col(), col);
        row::scale(&mut unit, &self.scale);
        self.columns.push(unit);
    }
}

impl Aff {
    /// The expression with the dimensions of its domain replaced by `affs`, which are all over
    /// the domain space `space`.
    pub(crate) fn substitute(&self, space: &Arc<Space>, affs: &[&Aff]) -> Aff {
        assert_eq!(affs.len(), self.space.dim(DimKind::Out), "one expression per dimension");
        let mut s = Substitution::new(&self.space, space, affs);
        for div in &self.divs {
            s.push_div(Some(div));
        }
        let row = s.row(&self.row);
        Aff::from_carrier(&s.carrier, &row, &self.denom * &s.scale)
    }
}

impl BasicMap {
    /// The points of `space` whose image under `affs` is in this set. Values of `affs` that are no
    /// integers are in no set.
    pub(crate) fn preimage(&self, space: &Arc<Space>, affs: &[&Aff]) -> BasicMap {
        let mut s = Substitution::new(&self.space, space, affs);
        for div in &self.divs {
            s.push_div(div.as_ref());
        }
        let eqs: Vec<Row> = self.eqs.iter().map(|r| s.row(r)).collect();
        let ineqs: Vec<Row> = self.ineqs.iter().map(|r| s.row(r)).collect();
        let mut result = s.carrier;
        result.eqs.extend(eqs);
        result.ineqs.extend(ineqs);
        for (denom, num) in s.fractions {
            let col = result.add_unknown_div();
            let mut eq = num;
            eq.resize(result.n_col(), Int::ZERO);
            eq[col] = -denom;
            result.eqs.push(eq);
        }
        result.normalized()
    }
}
