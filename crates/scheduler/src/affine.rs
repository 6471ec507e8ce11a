//! One dimension of a schedule for one statement.

use poly_arith::Int;
use poly_presburger::{DimKind, Row, Space};

/// The affine form `iterators . i + parameters . n + constant`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Affine {
    pub(crate) iterators: Vec<Int>,
    pub(crate) parameters: Vec<Int>,
    pub(crate) constant: Int,
}

impl Affine {
    /// The form of a row over `[const | params | iterators]`.
    pub(crate) fn from_row(row: &[Int], params: usize) -> Affine {
        let (invariant, iterators) = row.split_at(1 + params);
        Affine { iterators: iterators.to_vec(), parameters: invariant[1..].to_vec(), constant: invariant[0].clone() }
    }

    /// Whether no iterator occurs.
    pub(crate) fn is_invariant(&self) -> bool {
        self.iterators.iter().all(Int::is_zero)
    }
}

/// `sink - source` over the columns of relations in `space`, without divs.
pub(crate) fn distance(source: &Affine, sink: &Affine, space: &Space) -> Row {
    let mut row = vec![Int::ZERO; 1 + space.n_var()];
    row[0] = &sink.constant - &source.constant;
    for (p, (b, a)) in sink.parameters.iter().zip(&source.parameters).enumerate() {
        row[1 + p] = b - a;
    }
    for (kind, affine, negative) in [(DimKind::In, source, true), (DimKind::Out, sink, false)] {
        let at = space.offset(kind);
        for (d, value) in affine.iterators.iter().enumerate() {
            row[at + d] = if negative { -value } else { value.clone() };
        }
    }
    row
}
