//! Accesses that never touch the same element.
//!
//! # Problem
//! Structures in an array are elements of one array, several for each field: `b[7 i + 3]` and `b[7
//! i + 4]`. What is done with one of them may be done beside the other one, in whatever iterations.
//!
//! # Method
//! In some dimension, both subscripts are integer combinations of counters, parameters and
//! quotients. If all coefficients are multiples of a number, and the difference of the constants is
//! none, no values of these make the subscripts equal, though they are other ones in each access.
//! It is the GCD test [Banerjee1988].

use poly_arith::Int;
use poly_presburger::{BasicMap, DimKind, Map, Row};

use crate::Access;

/// Whether two accesses are known to never touch the same element, each in whatever iteration.
pub(crate) fn never_meet(first: &Access, second: &Access) -> bool {
    if first.array != second.array {
        return true;
    }
    first.exact && second.exact && differ(&first.relation, &second.relation)
}

/// The same of two relations to one array.
fn differ(first: &Map, second: &Map) -> bool {
    let ([first], [second]) = (first.basics(), second.basics()) else { return false };
    let rank = first.space().dim(DimKind::Out);
    (0..rank).any(|dimension| match (subscript(first, dimension), subscript(second, dimension)) {
        (Some((of_first, first)), Some((of_second, second))) => {
            let (common, distance) = (of_first.gcd(&of_second), &first - &second);
            if common.is_zero() { !distance.is_zero() } else { !distance.is_divisible_by(&common) }
        }
        _ => false,
    })
}

/// What all coefficients of a subscript are multiples of, and its constant; `None` if it is no
/// integer combination.
pub(crate) fn subscript(relation: &BasicMap, dimension: usize) -> Option<(Int, Int)> {
    let outputs = relation.space().offset(DimKind::Out);
    let outputs = outputs..outputs + relation.space().dim(DimKind::Out);
    let own = outputs.start + dimension;
    let is_defining = |row: &&Row| {
        (row[own].is_one() || (-&row[own]).is_one()) && outputs.clone().all(|o| o == own || row[o].is_zero())
    };
    let row = relation.eqs().iter().find(is_defining)?;
    let others = (1..row.len()).filter(|&column| column != own);
    let common = others.fold(Int::ZERO, |common, column| common.gcd(&row[column]));
    let constant = if row[own].is_one() { -&row[0] } else { row[0].clone() };
    Some((common, constant))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_told_apart_by_what_coefficients_have_in_common() {
        let check = |first: &str, second: &str, expected: bool| {
            let map = |text: &str| -> Map { text.parse().expect("the map can be read") };
            assert_eq!(differ(&map(first), &map(second)), expected, "{first} {second}");
        };
        check("[n] -> { S[i, j] -> b[7i + 3] }", "[n] -> { S[i, j] -> b[7i + 4] }", true);
        check("[n] -> { S[i, j] -> b[7i + 3] }", "[n] -> { S[i, j] -> b[7j] }", true);
        check("[n] -> { S[i, j] -> b[7i + 3] }", "[n] -> { S[i, j] -> b[7j + 10] }", false);
        check("[n] -> { S[i, j] -> b[6i + 1] }", "[n] -> { S[i, j] -> b[4j + 8n + 2] }", true);
        check("[n] -> { S[i, j] -> b[6i + 1] }", "[n] -> { S[i, j] -> b[4j + n + 2] }", false);
        check("[n] -> { S[i, j] -> b[i, 3] }", "[n] -> { S[i, j] -> b[j, 4] }", true);
        check("[n] -> { S[i, j] -> b[i, j] }", "[n] -> { S[i, j] -> b[i, j + 1] }", false);
        // Not one function, and not an integer one.
        check("[n] -> { S[i, j] -> b[o] : 7i <= o < 7i + 2 }", "[n] -> { S[i, j] -> b[7i + 4] }", false);
        check("[n] -> { S[i, j] -> b[o] : 2o = 4i + 2j }", "[n] -> { S[i, j] -> b[2i + 1] }", false);
    }
}
