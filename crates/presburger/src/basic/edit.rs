//! Adding simple constraints to a basic relation, and dropping constraints.

use poly_arith::Int;

use super::{BasicMap, BasicSet};
use crate::row::{self, Row};
use crate::space::{DimKind, Id, Tuple};

impl BasicMap {
    /// The relation with one more equality `row = 0`, simplified.
    pub fn with_eq(&self, row: Row) -> BasicMap {
        let mut result = self.clone();
        result.add_eq(row);
        result.normalized()
    }

    /// The relation with one more inequality `row >= 0`, simplified.
    pub fn with_ineq(&self, row: Row) -> BasicMap {
        let mut result = self.clone();
        result.add_ineq(row);
        result.normalized()
    }

    /// The points where dimension `i` of a kind has this value.
    pub fn fix(&self, kind: DimKind, i: usize, value: impl Into<Int>) -> BasicMap {
        let mut row = row::unit(self.n_col(), self.column(kind, i));
        row[0] = -&value.into();
        self.with_eq(row)
    }

    /// The points where dimension `i` of a kind is at least `value`.
    pub fn lower_bound(&self, kind: DimKind, i: usize, value: impl Into<Int>) -> BasicMap {
        let mut row = row::unit(self.n_col(), self.column(kind, i));
        row[0] = -&value.into();
        self.with_ineq(row)
    }

    /// The points where dimension `i` of a kind is at most `value`.
    pub fn upper_bound(&self, kind: DimKind, i: usize, value: impl Into<Int>) -> BasicMap {
        let mut row = row::zeros(self.n_col());
        row[self.column(kind, i)] = Int::NEG_ONE;
        row[0] = value.into();
        self.with_ineq(row)
    }

    /// The row of `a - b` for two dimensions.
    pub(crate) fn difference_row(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> Row {
        let mut row = row::zeros(self.n_col());
        row[self.column(kind_a, a)] += &Int::ONE;
        row[self.column(kind_b, b)] -= &Int::ONE;
        row
    }

    /// The points where two dimensions are equal.
    pub fn equate(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> BasicMap {
        self.with_eq(self.difference_row(kind_a, a, kind_b, b))
    }

    /// The points where the first dimension is at least the second.
    pub fn order_ge(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> BasicMap {
        self.with_ineq(self.difference_row(kind_a, a, kind_b, b))
    }

    /// The points where the first dimension is greater than the second.
    pub fn order_gt(&self, kind_a: DimKind, a: usize, kind_b: DimKind, b: usize) -> BasicMap {
        let mut row = self.difference_row(kind_a, a, kind_b, b);
        row[0] -= &Int::ONE;
        self.with_ineq(row)
    }

    /// Whether a row uses any of the columns, directly or through the definition of a div.
    pub(crate) fn row_involves(&self, row: &[Int], at: usize, n: usize) -> bool {
        if !row::is_zero(&row[at..at + n]) {
            return true;
        }
        let first = self.offset(DimKind::Div);
        (first..row.len()).filter(|&c| !row[c].is_zero()).any(|c| {
            let div = self.divs[c - first].as_ref();
            div.is_some_and(|d| self.row_involves(&d.num, at, n))
        })
    }

    /// A superset: without the constraints that use any of `n` dimensions of a kind from `first`
    /// on, directly or through a known div. Divs that use them are dropped as well.
    pub fn drop_constraints_involving(&self, kind: DimKind, first: usize, n: usize) -> BasicMap {
        let at = self.offset(kind) + first;
        let mut result = self.clone();
        result.eqs.retain(|r| !self.row_involves(r, at, n));
        result.ineqs.retain(|r| !self.row_involves(r, at, n));
        for i in 0..self.n_div() {
            let num = self.divs[i].as_ref().map(|d| &d.num);
            if num.is_some_and(|r| self.row_involves(r, at, n)) {
                result.divs[i] = None;
            }
        }
        result.normalized()
    }

    /// A superset: only the constraints that use some of `n` dimensions of a kind from `first`
    /// on, directly or through a known div.
    pub fn drop_constraints_not_involving(&self, kind: DimKind, first: usize, n: usize) -> BasicMap {
        let at = self.offset(kind) + first;
        let mut result = self.clone();
        result.eqs.retain(|r| self.row_involves(r, at, n));
        result.ineqs.retain(|r| self.row_involves(r, at, n));
        result.normalized()
    }

    /// A superset: without the constraints that use unknown divs (directly or through a known
    /// div), and without those divs.
    pub fn drop_unknown_divs(&self) -> BasicMap {
        let mut result = self.clone();
        for i in (0..self.n_div()).filter(|&i| self.divs[i].is_none()) {
            let col = self.offset(DimKind::Div) + i;
            result.eqs.retain(|r| !self.row_involves(r, col, 1));
            result.ineqs.retain(|r| !self.row_involves(r, col, 1));
            for k in i + 1..self.n_div() {
                if self.div_depends_on(k, i) {
                    result.divs[k] = None;
                }
            }
        }
        result.normalized()
    }

    /// The same relation with another tuple of the same arity.
    pub fn set_tuple(&self, kind: DimKind, tuple: Tuple) -> BasicMap {
        assert_eq!(tuple.n(), self.dim(kind), "{tuple} has another arity than the tuple replaced");
        let space = self.space.with_tuple(kind, tuple);
        self.clone().with_space(space.into())
    }

    /// The same relation with another name for a tuple.
    pub fn set_tuple_name(&self, kind: DimKind, name: Option<Id>) -> BasicMap {
        let space = self.space.with_tuple_name(kind, name);
        self.clone().with_space(space.into())
    }
}

/// Give a newtype over a relation the operations that keep its shape.
macro_rules! delegate_same_shape {
    ($ty:ident, $($(#[$doc:meta])* fn $name:ident($($arg:ident: $argty:ty),*);)*) => {
        impl $ty {$(
            $(#[$doc])*
            pub fn $name(&self, $($arg: $argty),*) -> $ty {
                $ty(self.0.$name($($arg),*).into())
            }
        )*}
    };
}
pub(crate) use delegate_same_shape;

delegate_same_shape! { BasicSet,
    /// The set with one more equality `row = 0`, simplified.
    fn with_eq(row: Row);
    /// The set with one more inequality `row >= 0`, simplified.
    fn with_ineq(row: Row);
    /// The points where dimension `i` of a kind has this value.
    fn fix(kind: DimKind, i: usize, value: impl Into<Int>);
    /// The points where dimension `i` of a kind is at least `value`.
    fn lower_bound(kind: DimKind, i: usize, value: impl Into<Int>);
    /// The points where dimension `i` of a kind is at most `value`.
    fn upper_bound(kind: DimKind, i: usize, value: impl Into<Int>);
    /// The points where two dimensions are equal.
    fn equate(kind_a: DimKind, a: usize, kind_b: DimKind, b: usize);
    /// The points where the first dimension is at least the second.
    fn order_ge(kind_a: DimKind, a: usize, kind_b: DimKind, b: usize);
    /// The points where the first dimension is greater than the second.
    fn order_gt(kind_a: DimKind, a: usize, kind_b: DimKind, b: usize);
    /// A superset: without the constraints that use the dimensions, see the basic map operation.
    fn drop_constraints_involving(kind: DimKind, first: usize, n: usize);
    /// A superset: only the constraints that use the dimensions, see the basic map operation.
    fn drop_constraints_not_involving(kind: DimKind, first: usize, n: usize);
    /// A superset without unknown divs, see the basic map operation.
    fn drop_unknown_divs();
    /// The same set with another tuple of the same arity.
    fn set_tuple(kind: DimKind, tuple: Tuple);
    /// The same set with another tuple name.
    fn set_tuple_name(kind: DimKind, name: Option<Id>);
    /// Exact projection, see the basic map operation.
    fn project_out(kind: DimKind, first: usize, n: usize);
    /// Insert unconstrained dimensions.
    fn insert_dims(kind: DimKind, pos: usize, n: usize);
    /// The same set with its parameters and those of `other`.
    fn align_params(other: &crate::space::Space);
    /// Move dimensions between kinds, see the basic map operation.
    fn move_dims(dst: DimKind, dst_pos: usize, src: DimKind, src_pos: usize, n: usize);
}
