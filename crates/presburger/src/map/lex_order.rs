//! Lexicographic order relations.
//!
//! `x lex< y` holds iff for some position `p` the first `p` dimensions are equal and `x_p < y_p`;
//! each position gives one disjunct.

use crate::basic::BasicMap;
use crate::map::Map;
use crate::space::{DimKind, Space};

impl Map {
    /// Pairs that agree before `pos` and are strictly increasing at `pos`.
    pub fn lex_lt_at(space: &Space, pos: usize) -> Map {
        Map::from_basic(first_difference(&space.map_from_set(), pos, false))
    }

    /// Pairs that agree before `pos` and are strictly decreasing at `pos`.
    pub fn lex_gt_at(space: &Space, pos: usize) -> Map {
        Map::from_basic(first_difference(&space.map_from_set(), pos, true))
    }

    /// Pairs that agree in the first `n` dimensions.
    pub fn equal_prefix(space: &Space, n: usize) -> Map {
        let mut basic = BasicMap::universe(space.map_from_set());
        equate_prefix(&mut basic, n);
        Map::from_basic(basic)
    }

    /// The relation `x lex< y` over a set space.
    pub fn lex_lt(space: &Space) -> Map {
        Map::lex_first(space, space.dim(DimKind::Out), false)
    }

    /// The relation `x lex> y` over a set space.
    pub fn lex_gt(space: &Space) -> Map {
        Map::lex_first(space, space.dim(DimKind::Out), true)
    }

    /// The relation `x lex<= y` over a set space.
    pub fn lex_le(space: &Space) -> Map {
        Map::lex_lt(space).union(&Map::identity(space))
    }

    /// The relation `x lex>= y` over a set space.
    pub fn lex_ge(space: &Space) -> Map {
        Map::lex_gt(space).union(&Map::identity(space))
    }

    /// The relation `x lex< y` that only looks at the first `n` dimensions.
    pub fn lex_lt_first(space: &Space, n: usize) -> Map {
        Map::lex_first(space, n, false)
    }

    /// The relation `x lex> y` that only looks at the first `n` dimensions.
    pub fn lex_gt_first(space: &Space, n: usize) -> Map {
        Map::lex_first(space, n, true)
    }

    fn lex_first(space: &Space, n: usize, decreasing: bool) -> Map {
        let space = space.map_from_set();
        let basics = (0..n).map(|pos| first_difference(&space, pos, decreasing)).collect();
        Map::from_basics(space.clone(), basics)
    }
}

fn equate_prefix(basic: &mut BasicMap, n: usize) {
    for i in 0..n {
        let row = basic.difference_row(DimKind::Out, i, DimKind::In, i);
        basic.add_eq(row);
    }
}

fn first_difference(space: &Space, pos: usize, decreasing: bool) -> BasicMap {
    let mut basic = BasicMap::universe(space.clone());
    equate_prefix(&mut basic, pos);
    let (big, small) = if decreasing { (DimKind::In, DimKind::Out) } else { (DimKind::Out, DimKind::In) };
    let mut row = basic.difference_row(big, pos, small, pos);
    row[0] = poly_arith::Int::NEG_ONE;
    basic.add_ineq(row);
    basic
}
