//! Moving columns: alignment, insertion, removal, reordering, and the embedding of one basic
//! relation into another.
//!
//! Everything here is a column map: old column `c` goes to `map[c]`, or away if that is
//! `usize::MAX` (such a column must not be in use). Divs that must stay behind others keep their
//! relative order, so definitions stay over earlier columns.

use std::sync::Arc;

use poly_arith::Int;
use smallvec::SmallVec;

use super::{BasicMap, Div};
use crate::row::{self, Row};
use crate::space::{DimKind, Id, Space, merge_params};
use crate::trace;

/// In a column map: the column is dropped.
pub(crate) const DROPPED: usize = usize::MAX;

/// The column map from rows over `old` to rows over `new` parameters, the rest of the columns
/// being `rest` in number. All old parameters must be among the new ones.
pub(crate) fn param_map(old: &[Id], new: &[Id], rest: usize) -> Vec<usize> {
    let mut map = vec![0];
    for p in old {
        let at = new.iter().position(|q| q == p).expect("parameters are only added");
        map.push(1 + at);
    }
    map.extend((0..rest).map(|i| 1 + new.len() + i));
    map
}

impl Div {
    pub(crate) fn scattered(&self, map: &[usize], len: usize) -> Div {
        Div { denom: self.denom.clone(), num: row::scatter(&self.num, map, len) }
    }

    fn lengthened(&self, len: usize) -> Div {
        Div { denom: self.denom.clone(), num: row::lengthened(&self.num, len) }
    }
}

impl BasicMap {
    /// The same constraints in another column layout: column `c` becomes `map[c]` and the new
    /// div `k` is the old div `divs[k]`, or an unknown one.
    pub(crate) fn relayout(&self, space: Arc<Space>, map: &[usize], divs: &[Option<usize>]) -> BasicMap {
        let len = 1 + space.n_var() + divs.len();
        let scatter = |rows: &[Row]| rows.iter().map(|r| row::scatter(r, map, len)).collect();
        let new_div = |d: &Option<usize>| d.and_then(|d| self.divs[d].as_ref()).map(|d| d.scattered(map, len));
        let divs = divs.iter().map(new_div).collect();
        BasicMap::from_parts(space, divs, scatter(&self.eqs), scatter(&self.ineqs))
    }

    /// As [`BasicMap::relayout`] where the divs stay what they are: `map` covers the columns
    /// before the divs.
    pub(crate) fn relayout_vars(&self, space: Arc<Space>, mut map: Vec<usize>) -> BasicMap {
        let first_div = 1 + space.n_var();
        map.extend((0..self.n_div()).map(|i| first_div + i));
        let divs: Vec<Option<usize>> = (0..self.n_div()).map(Some).collect();
        self.relayout(space, &map, &divs)
    }

    /// The same rows over a space of the same shape.
    pub(crate) fn with_space(mut self, space: Arc<Space>) -> BasicMap {
        assert_eq!(self.n_var(), space.n_var(), "{} and {space} differ in dimensions", self.space);
        self.space = space;
        self
    }

    /// Add the constraints of `other`, whose columns before the divs become the columns `map` of
    /// this relation; its divs are appended.
    pub(crate) fn absorb(&mut self, other: &BasicMap, map: &[usize]) {
        self.absorb_all(&[(other, map)]);
    }

    /// As [`BasicMap::absorb`], for several relations; so rows are not made longer again and again.
    pub(crate) fn absorb_all(&mut self, others: &[(&BasicMap, &[usize])]) {
        let mut first = self.n_col();
        let total = |count: fn(&BasicMap) -> usize| others.iter().map(|(other, _)| count(other)).sum::<usize>();
        let len = first + total(BasicMap::n_div);
        if len > first {
            for r in self.eqs.iter_mut().chain(&mut self.ineqs) {
                r.resize(len, Int::ZERO);
            }
            for d in self.divs.iter_mut().flatten() {
                d.num.resize(len, Int::ZERO);
            }
        }
        self.eqs.reserve(total(|other| other.eqs.len()));
        self.ineqs.reserve(total(|other| other.ineqs.len()));
        for (other, map) in others {
            let mut full: SmallVec<[usize; 32]> = SmallVec::from_slice(map);
            full.extend(first..first + other.n_div());
            first += other.n_div();
            self.divs.extend(other.divs.iter().map(|d| d.as_ref().map(|d| d.scattered(&full, len))));
            self.eqs.extend(other.eqs.iter().map(|r| row::scatter(r, &full, len)));
            self.ineqs.extend(other.ineqs.iter().map(|r| row::scatter(r, &full, len)));
        }
    }

    /// A copy with the constraints and divs of `other` added, whose columns before the divs become
    /// the columns `map`.
    pub(crate) fn joined(&self, other: &BasicMap, map: &[usize]) -> BasicMap {
        let len = self.n_col() + other.n_div();
        let copies = |rows: &[Row], more: usize| {
            let mut copies = Vec::with_capacity(rows.len() + more);
            copies.extend(rows.iter().map(|r| row::lengthened(r, len)));
            copies
        };
        let (eqs, ineqs) = (copies(&self.eqs, other.eqs.len()), copies(&self.ineqs, other.ineqs.len()));
        let divs = self.divs.iter().map(|d| d.as_ref().map(|d| d.lengthened(len))).collect();
        let mut result = BasicMap::from_parts(Arc::clone(&self.space), divs, eqs, ineqs);
        let mut full: SmallVec<[usize; 32]> = SmallVec::from_slice(map);
        full.extend(self.n_col()..len);
        result.divs.extend(other.divs.iter().map(|d| d.as_ref().map(|d| d.scattered(&full, len))));
        result.eqs.extend(other.eqs.iter().map(|r| row::scatter(r, &full, len)));
        result.ineqs.extend(other.ineqs.iter().map(|r| row::scatter(r, &full, len)));
        result
    }

    /// The same relation over more parameters: those of `params`, which has all of this one's.
    pub(crate) fn over_params(&self, params: &[Id]) -> BasicMap {
        if self.space.params == params {
            return self.clone();
        }
        let space = Arc::new(self.space.with_params(params.to_vec()));
        self.over_params_in(space)
    }

    pub(crate) fn over_params_in(&self, space: Arc<Space>) -> BasicMap {
        let rest = self.n_var() - self.dim(DimKind::Param);
        let map = param_map(&self.space.params, &space.params, rest);
        self.relayout_vars(space, map)
    }

    /// The same relation with its parameters and those of `other`, its own first.
    pub fn align_params(&self, other: &Space) -> BasicMap {
        self.over_params(&merge_params(&self.space.params, &other.params))
    }

    /// Insert `n` unconstrained dimensions before dimension `pos` of a tuple.
    pub fn insert_dims(&self, kind: DimKind, pos: usize, n: usize) -> BasicMap {
        let tuple = self.space.tuple(kind).expect("dimensions are inserted into a tuple");
        let space = Arc::new(self.space.with_tuple(kind, tuple.with_inserted(pos, n)));
        self.insert_columns(space, self.offset(kind) + pos, n)
    }

    pub(crate) fn insert_columns(&self, space: Arc<Space>, at: usize, n: usize) -> BasicMap {
        let map = (0..1 + self.n_var()).map(|c| if c < at { c } else { c + n }).collect();
        self.relayout_vars(space, map)
    }

    /// The column map that takes the columns `at..at + n` out, with the div columns still to come.
    fn removal_map(&self, at: usize, n: usize) -> Vec<usize> {
        let to = |c| {
            if c < at {
                c
            } else if c < at + n {
                DROPPED
            } else {
                c - n
            }
        };
        (0..1 + self.n_var()).map(to).collect()
    }

    /// Existentially quantify the columns `at..at + n`, which are none of the divs, going over to
    /// `space`. They become unknown divs before all others. Nothing is simplified.
    pub(crate) fn quantify(&self, space: Arc<Space>, at: usize, n: usize) -> BasicMap {
        if !self.uses_columns(at, n) {
            return self.relayout_vars(space, self.removal_map(at, n));
        }
        let first_div = 1 + space.n_var();
        let mut map = self.removal_map(at, n);
        map.reserve(self.n_div());
        for (k, to) in map[at..at + n].iter_mut().enumerate() {
            *to = first_div + k;
        }
        map.extend((0..self.n_div()).map(|i| first_div + n + i));
        let divs: Vec<Option<usize>> = std::iter::repeat_n(None, n).chain((0..self.n_div()).map(Some)).collect();
        self.relayout(space, &map, &divs)
    }

    /// Whether any of the columns `at..at + n` occurs in a constraint or definition.
    pub(crate) fn uses_columns(&self, at: usize, n: usize) -> bool {
        let used = |r: &Row| !row::is_zero(&r[at..at + n]);
        self.eqs.iter().any(used) || self.ineqs.iter().any(used) || self.divs.iter().flatten().any(|d| used(&d.num))
    }

    /// Whether any of `n` dimensions of a kind from `first` on occurs in a constraint or the
    /// definition of a div.
    pub fn involves_dims(&self, kind: DimKind, first: usize, n: usize) -> bool {
        assert!(first + n <= self.dim(kind), "there are not that many dimensions");
        self.uses_columns(self.offset(kind) + first, n)
    }

    /// Exact projection: the points that have some value for `n` dimensions of a kind from
    /// `first` on. What cannot be eliminated at once stays as existential divs.
    pub fn project_out(&self, kind: DimKind, first: usize, n: usize) -> BasicMap {
        let _running = trace::operation("project_out", &[self, &kind, &first, &n]);
        if n == 0 {
            return self.clone();
        }
        self.project_out_in(Arc::new(space_without(&self.space, kind, first, n)), kind, first, n)
    }

    /// As [`BasicMap::project_out`] with the space of the result.
    pub(crate) fn project_out_in(&self, space: Arc<Space>, kind: DimKind, first: usize, n: usize) -> BasicMap {
        self.quantify(space, self.offset(kind) + first, n).normalized()
    }

    /// The same relation without `n` dimensions of a kind from `first` on, none of which may be
    /// in use.
    pub fn drop_unused_dims(&self, kind: DimKind, first: usize, n: usize) -> BasicMap {
        assert!(!self.involves_dims(kind, first, n), "a dimension in use cannot be dropped");
        let space = Arc::new(space_without(&self.space, kind, first, n));
        self.quantify(space, self.offset(kind) + first, n)
    }

    /// Move `n` dimensions from position `src_pos` of one kind to position `dst_pos` (counted
    /// after their removal) of another.
    pub fn move_dims(&self, dst: DimKind, dst_pos: usize, src: DimKind, src_pos: usize, n: usize) -> BasicMap {
        let space = Arc::new(moved_space(&self.space, dst, dst_pos, src, src_pos, n));
        let map = moved_columns(&self.space, &space, dst, dst_pos, src, src_pos, n);
        self.relayout_vars(space, map).normalized()
    }

    /// Remove div column `i`, which must not be in use, with its definition.
    pub(crate) fn remove_div(&mut self, i: usize) {
        let col = self.offset(DimKind::Div) + i;
        self.divs.remove(i);
        debug_assert!(!self.uses_columns(col, 1), "a div in use cannot be removed");
        for r in self.eqs.iter_mut().chain(&mut self.ineqs) {
            r.remove(col);
        }
        for d in self.divs.iter_mut().flatten() {
            d.num.remove(col);
        }
    }

    /// Put the divs into the given order (a permutation of old positions).
    pub(crate) fn permute_divs(&mut self, order: &[usize]) {
        if order.iter().enumerate().all(|(i, &o)| i == o) {
            return;
        }
        let first = self.offset(DimKind::Div);
        let mut map: Vec<usize> = (0..self.n_col()).collect();
        for (new, &old) in order.iter().enumerate() {
            map[first + old] = first + new;
        }
        let divs: Vec<Option<usize>> = order.iter().map(|&o| Some(o)).collect();
        *self = self.relayout(Arc::clone(&self.space), &map, &divs);
    }
}

/// The space without `n` dimensions of a kind from `first` on.
pub(crate) fn space_without(space: &Space, kind: DimKind, first: usize, n: usize) -> Space {
    assert!(first + n <= space.dim(kind), "there are not that many dimensions in {space}");
    let mut space = space.clone();
    match kind {
        DimKind::Param => {
            space.params.drain(first..first + n);
        }
        DimKind::In => space.domain = space.domain.map(|t| t.without(first, n)),
        DimKind::Out => space.range = space.range.map(|t| t.without(first, n)),
        DimKind::Div => panic!("divs are no dimensions of a space"),
    }
    space
}

/// The space after moving dimensions as in [`BasicMap::move_dims`].
pub(crate) fn moved_space(
    space: &Space,
    dst: DimKind,
    dst_pos: usize,
    src: DimKind,
    src_pos: usize,
    n: usize,
) -> Space {
    let names: Vec<Option<Id>> = (src_pos..src_pos + n).map(|i| space.dim_name(src, i).cloned()).collect();
    let mut moved = space_without(space, src, src_pos, n);
    match dst {
        DimKind::Param => {
            let name = |(i, id): (usize, Option<Id>)| {
                let id = id.unwrap_or_else(|| Id::from(format!("p{i}")));
                let clash = moved.params.contains(&id);
                if clash { Id::from(format!("{id}'")) } else { id }
            };
            let ids: Vec<Id> = names.into_iter().enumerate().map(name).collect();
            moved.params.splice(dst_pos..dst_pos, ids);
        }
        DimKind::In | DimKind::Out => {
            let tuple = moved.tuple(dst).expect("dimensions are moved into a tuple");
            let mut tuple = tuple.with_inserted(dst_pos, n);
            tuple.dims.splice(dst_pos..dst_pos + n, names);
            moved = moved.with_tuple(dst, tuple);
        }
        DimKind::Div => panic!("divs are no dimensions of a space"),
    }
    moved
}

/// The column map of [`BasicMap::move_dims`], without divs.
pub(crate) fn moved_columns(
    old: &Space,
    new: &Space,
    dst: DimKind,
    dst_pos: usize,
    src: DimKind,
    src_pos: usize,
    n: usize,
) -> Vec<usize> {
    let from = old.offset(src) + src_pos;
    let to = new.offset(dst) + dst_pos;
    let mut order: Vec<usize> = (0..1 + old.n_var()).filter(|c| *c < from || *c >= from + n).collect();
    let at = to.min(order.len());
    order.splice(at..at, from..from + n);
    let mut map = vec![0; 1 + old.n_var()];
    for (new_col, &old_col) in order.iter().enumerate() {
        map[old_col] = new_col;
    }
    map
}
