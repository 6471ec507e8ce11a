//! The loops of a leaf band with the structure that has been chosen.
//!
//! # Method
//! Tiles first, then the points in the chosen order. The mark above the innermost loop says what it
//! is: free of dependences, a few iterations of a chain side by side, or free where only some of
//! the statements are executed ([`crate::distribution`]). For the last, the loops around it are
//! separated by the statements that they have.

use poly_arith::Int;
use poly_presburger::Id;
use poly_schedule_tree::{Band, LoopType, Mark, Tree};
use poly_transform::Choice;

use crate::register;

/// The tree of a leaf band with the chosen structure.
pub(super) fn build(band: &Band, choice: &Choice, innermost: Innermost, child: &Tree) -> Tree {
    let body = points(band, choice, innermost, child);
    match &choice.tiles {
        None => body,
        Some((order, sizes)) => {
            let sizes: Vec<Int> = order.iter().map(|&m| Int::from(sizes[m])).collect();
            let tiles = register::select(band, order).tile(&sizes).0.with_loop_type(LoopType::Atomic);
            Tree::band(tiles, body)
        }
    }
}

/// The loops over the points of a leaf band, in the chosen order.
pub(super) fn points(band: &Band, choice: &Choice, innermost: Innermost, child: &Tree) -> Tree {
    let points = band.permute(&choice.order).with_loop_type(LoopType::Default);
    let is_lanes = matches!(innermost, Innermost::SimdWavefront);
    let mark = match innermost {
        Innermost::Chain => return Tree::band(points, child.clone()),
        Innermost::Vector | Innermost::SimdWavefront => Some(Mark::Vector),
        Innermost::Free => None,
        Innermost::Interleaved => Some(Mark::NoVector),
        Innermost::Distributed(dependent) => Some(Mark::VectorIfDistributed(dependent)),
    };
    let is_free = !matches!(mark, Some(Mark::VectorIfDistributed(_)));
    let (mut outer, mut inner) = points.split(points.n_member() - 1);
    if !is_free {
        outer = outer.with_loop_type(LoopType::Separate);
    }
    inner.coincident = vec![is_free];
    let inner = Tree::band(inner, child.clone());
    let inner = match mark {
        Some(mark) => Tree::mark(mark, inner),
        None => inner,
    };
    let around = |outer: Band, inner: Tree| if outer.n_member() == 0 { inner } else { Tree::band(outer, inner) };
    if !is_lanes {
        return around(outer, inner);
    }
    let (outer, steps) = outer.split(outer.n_member() - 1);
    around(outer, Tree::mark(Mark::SimdWavefront, Tree::band(steps, inner)))
}

/// What an innermost loop is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Innermost {
    /// One iteration after the other.
    Chain,
    /// Free of dependences, over neighbouring elements.
    Vector,
    /// Free of dependences, over elements that are apart: LLVM decides whether vectors pay.
    Free,
    /// A few iterations side by side of a chain, each on its own.
    Interleaved,
    /// The same as lanes of vectors.
    SimdWavefront,
    /// Free of dependences in those parts of the loops around it in which only some of the
    /// statements are executed, none of these pairs together.
    Distributed(Vec<(Id, Id)>),
}

impl Innermost {
    /// It is vector code, or some of its parts are.
    pub(super) fn is_vector(&self) -> bool {
        matches!(self, Self::Vector | Self::SimdWavefront | Self::Distributed(_))
    }
}
