//! Affine functions and sets as rows of machine numbers, to be evaluated at many points.

use poly_arith::Int;
use poly_presburger::{Aff, BasicMap, MultiAff, Set};

/// A row `[1 | parameters | dimensions | divisions]` and the divisions in it.
#[derive(Clone, Debug)]
struct Row(Vec<i64>);

impl Row {
    fn of(row: &[Int]) -> Option<Self> {
        row.iter().map(Int::to_i64).collect::<Option<Vec<i64>>>().map(Row)
    }

    fn at(&self, values: &[i128]) -> i128 {
        let terms = self.0[1..].iter().zip(values).filter(|(factor, _)| **factor != 0);
        terms.fold(i128::from(self.0[0]), |sum, (factor, value)| sum + i128::from(*factor) * value)
    }
}

/// Divisions, each a function of what stands before it.
#[derive(Clone, Debug, Default)]
struct Divisions(Vec<(Row, i128)>);

impl Divisions {
    fn values(&self, params: &[i64], point: &[i64]) -> Vec<i128> {
        let mut values: Vec<i128> = params.iter().chain(point).map(|&value| i128::from(value)).collect();
        for (row, denom) in &self.0 {
            values.push(row.at(&values).div_euclid(*denom));
        }
        values
    }
}

/// An affine function with integer values.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    divisions: Divisions,
    row: Row,
}

impl Form {
    /// The function, if its numbers are those of the machine.
    pub(crate) fn of(aff: &Aff) -> Option<Self> {
        let division = |div: &poly_presburger::Div| Some((Row::of(&div.num)?, i128::from(div.denom.to_i64()?)));
        let divisions = aff.divs().iter().map(division).collect::<Option<Vec<_>>>()?;
        debug_assert!(aff.denom().is_one(), "functions have integer values");
        Some(Self { divisions: Divisions(divisions), row: Row::of(aff.row())? })
    }

    pub(crate) fn all(map: &MultiAff) -> Option<Vec<Self>> {
        map.affs().iter().map(Self::of).collect()
    }

    /// The value, if it is a number of the machine.
    pub(crate) fn at(&self, params: &[i64], point: &[i64]) -> Option<i64> {
        self.row.at(&self.divisions.values(params, point)).try_into().ok()
    }
}

/// A set, to ask whether points are in it.
#[derive(Clone, Debug)]
pub(crate) struct Guard(Vec<Part>);

#[derive(Clone, Debug)]
struct Part {
    divisions: Divisions,
    zero: Vec<Row>,
    nonnegative: Vec<Row>,
}

impl Guard {
    /// The set, if its divisions are known and its numbers are those of the machine.
    pub(crate) fn of(set: &Set) -> Option<Self> {
        set.basics().iter().map(|basic| part(basic)).collect::<Option<Vec<_>>>().map(Guard)
    }

    pub(crate) fn contains(&self, params: &[i64], point: &[i64]) -> bool {
        self.0.iter().any(|part| {
            let values = part.divisions.values(params, point);
            part.zero.iter().all(|row| row.at(&values) == 0) && part.nonnegative.iter().all(|row| row.at(&values) >= 0)
        })
    }
}

fn part(basic: &BasicMap) -> Option<Part> {
    let division = |div: &Option<poly_presburger::Div>| {
        let div = div.as_ref()?;
        Some((Row::of(&div.num)?, i128::from(div.denom.to_i64()?)))
    };
    Some(Part {
        divisions: Divisions(basic.divs().iter().map(division).collect::<Option<Vec<_>>>()?),
        zero: basic.eqs().iter().map(|row| Row::of(row)).collect::<Option<Vec<_>>>()?,
        nonnegative: basic.ineqs().iter().map(|row| Row::of(row)).collect::<Option<Vec<_>>>()?,
    })
}
