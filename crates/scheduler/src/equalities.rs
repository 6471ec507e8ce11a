//! Equalities of a conjunction, solved.

use poly_arith::Int;
use poly_presburger::{BasicMap, DimKind, Row};

/// Equalities over `[const | known columns | others]`, solved for columns that are not known.
pub(crate) struct Equalities {
    /// Rows with the column each is solved for; that column is zero in all other rows.
    rows: Vec<(usize, Row)>,
    /// Number of columns of the constant and what is known.
    known: usize,
}

impl Equalities {
    /// Those of a relation; its parameters are known.
    pub(crate) fn of_parameters(basic: &BasicMap) -> Equalities {
        Equalities::new(basic.eqs().iter().cloned(), 1 + basic.dim(DimKind::Param))
    }

    /// Of these rows, which are zero, the first `known` columns are known, with that of the
    /// constant.
    pub(crate) fn new(equal: impl IntoIterator<Item = Row>, known: usize) -> Equalities {
        let mut result = Equalities { rows: Vec::new(), known };
        for row in equal {
            let row = result.reduced(&row).1;
            let Some(pivot) = (result.known..row.len()).find(|&c| !row[c].is_zero()) else { continue };
            for (_, other) in &mut result.rows {
                *other = eliminated(other, &row, pivot).1;
            }
            result.rows.push((pivot, row));
        }
        result
    }

    /// The row with the solved columns eliminated, and what it has been multiplied by.
    fn reduced(&self, row: &Row) -> (Int, Row) {
        let mut result = (Int::ONE, row.clone());
        for (pivot, by) in &self.rows {
            let (factor, row) = eliminated(&result.1, by, *pivot);
            result = (&result.0 * &factor, row);
        }
        result
    }

    /// The value of a form, over `[const | known columns]`, if it is a function of what is known
    /// with integer coefficients.
    pub(crate) fn value(&self, form: &Row) -> Option<Row> {
        let (factor, row) = self.reduced(form);
        let (known, rest) = row.split_at(self.known);
        let is_known = rest.iter().all(Int::is_zero) && known.iter().all(|x| x.is_divisible_by(&factor));
        is_known.then(|| known.iter().map(|x| x.div_exact(&factor)).collect())
    }
}

/// `row`, multiplied by the first result, minus a multiple of `by`, so that a column becomes zero.
fn eliminated(row: &Row, by: &Row, column: usize) -> (Int, Row) {
    if row[column].is_zero() {
        return (Int::ONE, row.clone());
    }
    let (factor, other) = (by[column].clone(), row[column].clone());
    let result = row.iter().zip(by).map(|(x, y)| &(&factor * x) - &(&other * y)).collect();
    (factor, result)
}
