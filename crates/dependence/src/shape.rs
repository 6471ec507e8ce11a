//! Accesses that are equal but for a constant distance.
//!
//! # Problem
//! In an unrolled loop one statement has hundreds of accesses `A[i, 0]`, `A[i, 1]`, and so on.
//! Which instances touch the same element of two accesses does not depend on where the elements
//! lie, only on the distance between them.
//!
//! # Definitions
//! The *offset* of an access is the constant part of its subscripts, where these are affine
//! functions of the instance; otherwise it is zero. Its *shape* is the relation moved by the offset
//! to the other side: `{ S[i] -> A[i, 7] }` has the offset `(0, 7)` and the shape of
//! `{ S[i] -> A[i, 0] }`.
//!
//! # Invariant
//! Shape and offset determine the relation: the constraints of the shape hold for an instance and
//! an element exactly if those of the relation hold for the instance and the element plus the
//! offset. That equal relations may be written differently, and have different shapes then, only
//! costs time.

use poly_arith::Int;
use poly_presburger::{BasicMap, DimKind, Div, Map, Row, Tuple};

/// A relation without its offset.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    array: Option<Tuple>,
    parts: Vec<Part>,
}

/// The constraints of one conjunction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Part {
    eqs: Vec<Row>,
    ineqs: Vec<Row>,
    divs: Vec<Option<Div>>,
}

impl Shape {
    /// The shape of a relation the offset of which is known, one number per dimension of its range.
    pub(crate) fn new(relation: &Map, offset: &[Int]) -> Shape {
        let parts = relation.basics().iter().map(|basic| Part::new(basic, offset)).collect();
        Shape { array: relation.space().range.clone(), parts }
    }
}

impl Part {
    fn new(basic: &BasicMap, offset: &[Int]) -> Part {
        let first = basic.offset(DimKind::Out);
        let moved = |row: &Row| {
            let mut row = row.clone();
            let change: Int = row[first..].iter().zip(offset).map(|(factor, by)| factor * by).sum();
            row[0] += &change;
            row
        };
        let div = |div: &Option<Div>| div.as_ref().map(|d| Div { denom: d.denom.clone(), num: moved(&d.num) });
        Part {
            eqs: basic.eqs().iter().map(moved).collect(),
            ineqs: basic.ineqs().iter().map(moved).collect(),
            divs: basic.divs().iter().map(div).collect(),
        }
    }
}

/// The constant part of subscripts that are rows over `[const | params | instance]`; zero for each
/// of `n` dimensions where there are no rows.
pub(crate) fn offset_of(rows: Option<Vec<Row>>, n: usize) -> Vec<Int> {
    match rows {
        Some(rows) => rows.into_iter().map(|mut row| std::mem::take(&mut row[0])).collect(),
        None => vec![Int::ZERO; n],
    }
}

/// Per dimension, how far the second offset is from the first one.
pub(crate) fn distance(from: &[Int], to: &[Int]) -> Vec<Int> {
    from.iter().zip(to).map(|(from, to)| to - from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str, offset: &[i64]) -> Shape {
        let offset: Vec<Int> = offset.iter().map(|&x| Int::from(x)).collect();
        Shape::new(&text.parse().expect("the test's map parses"), &offset)
    }

    #[test]
    fn offsets_make_no_difference() {
        let origin = shape("[n] -> { S[i, j] -> A[i + n, 0] : 0 <= i < n and j > i }", &[0, 0]);
        assert_eq!(shape("[n] -> { S[i, j] -> A[i + n - 1, 7] : 0 <= i < n and j > i }", &[-1, 7]), origin);
        assert_ne!(shape("[n] -> { S[i, j] -> A[i + n - 1, 7] : 0 <= i < n and j > i }", &[-1, 6]), origin);
        assert_ne!(shape("[n] -> { S[i, j] -> A[i - n, 0] : 0 <= i < n and j > i }", &[0, 0]), origin);
        assert_ne!(shape("[n] -> { S[i, j] -> B[i + n, 0] : 0 <= i < n and j > i }", &[0, 0]), origin);
        assert_ne!(shape("[n] -> { S[i, j] -> A[i + n, 0] : 1 <= i < n and j > i }", &[0, 0]), origin);
    }

    #[test]
    fn inequalities_and_divisions_move_too() {
        let origin = shape("{ S[i] -> A[x] : i <= x <= 2i + 9 }", &[0]);
        assert_eq!(shape("{ S[i] -> A[x] : i + 5 <= x <= 2i + 14 }", &[5]), origin);
        assert_ne!(shape("{ S[i] -> A[x] : i + 5 <= x <= 2i + 15 }", &[5]), origin);
        let odd = shape("{ S[i] -> A[x] : (x - i) mod 3 = 0 }", &[0]);
        assert_ne!(shape("{ S[i] -> A[x] : (x - i) mod 3 = 0 }", &[1]), odd);
        assert_ne!(shape("{ S[i] -> A[x] : (x - i - 1) mod 3 = 0 }", &[0]), odd);
    }
}
