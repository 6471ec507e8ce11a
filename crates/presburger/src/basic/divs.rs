//! Integer divisions: canonical definitions, and the elimination of existentials where that is
//! exact over the integers.
//!
//! **Canonical definition** of `q = floor(num / denom)`: the gcd of denominator and coefficients
//! is 1, the coefficients lie in `(-denom/2, denom/2]` and the constant in `[0, denom)` (multiples
//! of the denominator move out of the division), the first coefficient is positive
//! (`floor(e/d) = -floor((-e + d - 1)/d)`), a numerator that contains another division with
//! coefficient one is merged with it (`floor((f + floor(g/m))/d) = floor((m f + g)/(m d))`), no
//! two divs have the same definition and none is constant or unused.
//!
//! **Exact elimination** of `q` with lower bounds `a q + alpha >= 0` and upper bounds
//! `-b q + beta >= 0` replaces each pair by `b alpha + a beta >= 0`. This is exact if for every
//! pair `a = 1` or `b = 1`, or the combination is a constant of at least `(a - 1)(b - 1)` (the dark
//! shadow is then the real shadow, \[Pugh1991\]).

use poly_arith::Int;
use smallvec::SmallVec;

use super::simplify::{Contradiction, Elimination, Step};
use super::{BasicMap, Div};
use crate::row::{self, Row};
use crate::space::DimKind;

/// One mark per div.
type Marks = SmallVec<[bool; 32]>;

impl BasicMap {
    fn div_col(&self, i: usize) -> usize {
        self.offset(DimKind::Div) + i
    }

    /// Whether the value of div `i` depends on that of div `j` through definitions.
    pub(crate) fn div_depends_on(&self, i: usize, j: usize) -> bool {
        let Some(div) = &self.divs[i] else { return false };
        (j..i).any(|k| !div.num[self.div_col(k)].is_zero() && (k == j || self.div_depends_on(k, j)))
    }

    /// Give up the definition of a div: its bounds become constraints.
    pub(crate) fn forget_div(&mut self, i: usize) {
        let bounds = self.div_bounds(i);
        self.ineqs.extend(bounds.into_iter().flatten());
        self.divs[i] = None;
    }

    /// Order the divs: unknown ones first, then known ones after those they use.
    pub(crate) fn order_divs(&mut self) {
        let n = self.n_div();
        if self.divs.iter().all(Option::is_none) {
            return;
        }
        let mut order: Vec<usize> = (0..n).filter(|&i| self.divs[i].is_none()).collect();
        let mut rest: Vec<usize> = (0..n).filter(|&i| self.divs[i].is_some()).collect();
        while !rest.is_empty() {
            let ready = |&i: &usize| {
                let num = &self.divs[i].as_ref().expect("the rest are known divs").num;
                (0..n).all(|k| num[self.div_col(k)].is_zero() || order.contains(&k))
            };
            let at = rest.iter().position(ready).expect("definitions of divs have no cycle");
            order.push(rest.remove(at));
        }
        self.permute_divs(&order);
    }

    /// Add `row[col] * expr` to every row and definition, clearing `col`: the column takes the
    /// value `expr`, which does not use it.
    pub(crate) fn substitute_column(&mut self, col: usize, expr: &[Int]) {
        debug_assert!(expr[col].is_zero(), "a column cannot be replaced by itself");
        let apply = |row: &mut Row| {
            let k = std::mem::replace(&mut row[col], Int::ZERO);
            row::add_scaled(row, &k, expr);
        };
        self.eqs.iter_mut().chain(&mut self.ineqs).for_each(apply);
        self.divs.iter_mut().flatten().for_each(|d| apply(&mut d.num));
    }

    /// Solve the equalities that involve unknown divs (step 2 of simplification).
    pub(crate) fn solve_unknown_divs(&mut self) -> Step {
        if self.has_known_divs() {
            return Ok(false);
        }
        self.order_divs();
        let mut changed = self.substitute_unit_unknowns();
        let mut e = 0;
        while e < self.eqs.len() {
            if self.solve_unknown_in(e)? {
                changed = true;
                e = 0;
            } else {
                e += 1;
            }
        }
        if changed {
            self.tighten()?;
        }
        Ok(changed)
    }

    /// Substitute the unknown divs that no definition uses and that have a unit coefficient in an
    /// equality.
    fn substitute_unit_unknowns(&mut self) -> bool {
        let first = self.offset(DimKind::Div);
        let mut gone: Marks = SmallVec::from_elem(false, self.n_div());
        let mut e = 0;
        while e < self.eqs.len() {
            let eq = &self.eqs[e];
            let usable = |&i: &usize| {
                let x = &eq[first + i];
                self.divs[i].is_none() && (x.is_one() || x.is_neg_one()) && self.is_free_div(i)
            };
            let Some(i) = (0..self.n_div()).find(usable) else {
                e += 1;
                continue;
            };
            let eq = self.eqs.remove(e);
            let col = first + i;
            for row in self.eqs.iter_mut().chain(&mut self.ineqs).filter(|r| !r[col].is_zero()) {
                row::eliminate(row, col, &eq);
            }
            gone[i] = true;
            e = 0;
        }
        self.remove_marked_divs(&gone)
    }

    /// Remove the marked divs, which must not be in use. Returns whether there are any.
    fn remove_marked_divs(&mut self, gone: &Marks) -> bool {
        if !gone.contains(&true) {
            return false;
        }
        let first = self.offset(DimKind::Div);
        let compact = |row: &mut Row| {
            let mut to = first;
            for (i, gone) in gone.iter().enumerate() {
                if !gone {
                    row.swap(to, first + i);
                    to += 1;
                }
            }
            debug_assert!(row::is_zero(&row[to..]), "a div in use cannot be removed");
            row.truncate(to);
        };
        let mut marks = gone.iter();
        self.divs.retain(|_| !*marks.next().expect("one mark per div"));
        self.eqs.iter_mut().chain(&mut self.ineqs).for_each(compact);
        self.divs.iter_mut().flatten().for_each(|d| compact(&mut d.num));
        true
    }

    fn unknown_divs_in(&self, row: &[Int]) -> Vec<usize> {
        let used = |&i: &usize| self.divs[i].is_none() && !row[self.div_col(i)].is_zero();
        (0..self.n_div()).filter(used).collect()
    }

    /// Solve equality `e` for one of its unknown divs. Returns whether a div is gone or defined.
    fn solve_unknown_in(&mut self, e: usize) -> Step {
        let is_unit = |&i: &usize| {
            let x = &self.eqs[e][self.div_col(i)];
            self.divs[i].is_none() && (x.is_one() || x.is_neg_one())
        };
        if let Some(i) = (0..self.n_div()).find(is_unit) {
            self.eliminate_unit_unknown(e, i);
            return Ok(true);
        }
        let unknown = self.unknown_divs_in(&self.eqs[e]);
        if unknown.is_empty() {
            return Ok(false);
        }
        let g = row::gcd(&self.eqs[e][1..]);
        if !self.eqs[e][0].is_divisible_by(&g) {
            return Err(Contradiction);
        }
        row::div_exact(&mut self.eqs[e], &g);
        let i = self.isolate_unknown(e, unknown);
        let col = self.div_col(i);
        if self.eqs[e][col].is_one() || self.eqs[e][col].is_neg_one() {
            self.eliminate_unit_unknown(e, i);
            return Ok(true);
        }
        Ok(self.define_by_equality(e, i))
    }

    /// Change variables among the unknown divs of equality `e` so that one of them is left.
    fn isolate_unknown(&mut self, e: usize, mut unknown: Vec<usize>) -> usize {
        while unknown.len() > 1 {
            let size = |i: &usize| self.eqs[e][self.div_col(*i)].abs();
            let a = *unknown.iter().min_by_key(|i| size(i)).expect("there are at least two");
            let col_a = self.div_col(a);
            for &b in unknown.iter().filter(|&&b| b != a) {
                let col_b = self.div_col(b);
                let k = self.eqs[e][col_b].div_floor(&self.eqs[e][col_a]);
                self.shear_columns(col_a, col_b, &-k);
            }
            unknown.retain(|&i| !self.eqs[e][self.div_col(i)].is_zero());
        }
        unknown[0]
    }

    /// Replace the variable of column `a` by `a + k b`.
    fn shear_columns(&mut self, a: usize, b: usize, k: &Int) {
        let apply = |row: &mut Row| {
            if !row[a].is_zero() {
                let add = k * &row[a];
                row[b] += &add;
            }
        };
        self.eqs.iter_mut().chain(&mut self.ineqs).for_each(apply);
        self.divs.iter_mut().flatten().for_each(|d| apply(&mut d.num));
    }

    /// Substitute the unknown div `i`, which has a unit coefficient in equality `e`.
    fn eliminate_unit_unknown(&mut self, e: usize, i: usize) {
        let col = self.div_col(i);
        let mut expr = self.eqs.remove(e);
        if expr[col].is_one() {
            row::negate(&mut expr);
        }
        expr[col] = Int::ZERO;
        for r in i + 1..self.n_div() {
            let uses = self.divs[r].as_ref().is_some_and(|d| !d.num[col].is_zero());
            if uses && self.row_depends_on(&expr, r) {
                self.forget_div(r);
            }
        }
        self.order_divs_after_substitution(col, &expr, i);
    }

    /// Substitute and remove div `i`, then bring definitions back into order.
    fn order_divs_after_substitution(&mut self, col: usize, expr: &[Int], i: usize) {
        self.substitute_column(col, expr);
        self.remove_div(i);
        self.order_divs();
    }

    /// Whether a row uses div `r`, directly or through the definition of another div.
    fn row_depends_on(&self, expr: &[Int], r: usize) -> bool {
        (0..self.n_div()).any(|k| !expr[self.div_col(k)].is_zero() && (k == r || self.div_depends_on(k, r)))
    }

    /// Define the only unknown div `i` of equality `e`, where it has coefficient `a`, `|a| > 1`, as
    /// `floor(-rest / a)`, unless the rest depends on it through definitions.
    fn define_by_equality(&mut self, e: usize, i: usize) -> bool {
        let col = self.div_col(i);
        let mut num = self.eqs[e].clone();
        let mut denom = std::mem::replace(&mut num[col], Int::ZERO);
        if denom.is_neg() {
            denom = -denom;
        } else {
            num = row::negated(&num);
        }
        self.define(i, Div { denom, num })
    }

    /// Give the unknown div `i` a definition, unless that would be circular.
    fn define(&mut self, i: usize, div: Div) -> bool {
        if self.row_depends_on(&div.num, i) {
            return false;
        }
        self.divs[i] = Some(div);
        self.order_divs();
        true
    }

    /// Bring all definitions into canonical form (step 4 of simplification).
    pub(crate) fn canonicalize_divs(&mut self) -> bool {
        let mut changed = false;
        let mut i = 0;
        while i < self.n_div() {
            if self.divs[i].is_some() {
                changed |= self.merge_nested_div(i);
                changed |= self.reduce_div(i);
                if self.remove_trivial_div(i) {
                    changed = true;
                    continue;
                }
            }
            i += 1;
        }
        changed
    }

    /// `floor((f + floor(g/m)) / d)` becomes `floor((m f + g) / (m d))`.
    fn merge_nested_div(&mut self, i: usize) -> bool {
        let mut changed = false;
        while let Some(inner) = self.mergeable_div(i) {
            let col = self.div_col(inner);
            let nested = self.divs[inner].clone().expect("only known divs are merged");
            let div = self.divs[i].as_mut().expect("the outer div is known");
            div.num[col] = Int::ZERO;
            row::scale(&mut div.num, &nested.denom);
            row::add_scaled(&mut div.num, &Int::ONE, &nested.num);
            div.denom = &div.denom * &nested.denom;
            changed = true;
        }
        changed
    }

    /// A known div with coefficient one in the definition of div `i`.
    fn mergeable_div(&self, i: usize) -> Option<usize> {
        let num = &self.divs[i].as_ref()?.num;
        (0..i).find(|&k| self.divs[k].is_some() && num[self.div_col(k)].is_one())
    }

    /// Reduce gcd, coefficients, constant and sign of the definition of div `i`.
    fn reduce_div(&mut self, i: usize) -> bool {
        let col = self.div_col(i);
        let div = self.divs[i].as_mut().expect("only known divs are reduced");
        let g = row::gcd(&div.num[1..]).gcd(&div.denom);
        let mut changed = !g.is_one();
        if changed {
            div.num[0] = div.num[0].div_floor(&g);
            row::div_exact(&mut div.num[1..], &g);
            div.denom = div.denom.div_exact(&g);
        }
        let mut shift = reduce_coefficients(div);
        let lead = row::first_column(&div.num);
        let flip = lead.is_some_and(|c| div.num[c].is_neg());
        let mut expr = row::zeros(shift.len());
        if flip {
            div.num = row::negated(&div.num);
            div.num[0] += &(&div.denom - &Int::ONE);
            let again = reduce_coefficients(div);
            row::add_scaled(&mut shift, &Int::NEG_ONE, &again);
        }
        std::mem::swap(&mut expr, &mut shift);
        if !flip && row::is_zero(&expr) {
            return changed;
        }
        changed = true;
        self.rewrite_uses(col, &expr, flip);
        changed
    }

    /// Replace the variable of column `col` by itself, or its negation, plus `expr`.
    fn rewrite_uses(&mut self, col: usize, expr: &[Int], flip: bool) {
        let apply = |row: &mut Row| {
            let k = row[col].clone();
            if flip {
                row[col] = -&k;
            }
            row::add_scaled(row, &k, expr);
        };
        self.eqs.iter_mut().chain(&mut self.ineqs).for_each(apply);
        self.divs.iter_mut().flatten().for_each(|d| apply(&mut d.num));
    }

    /// Remove div `i` if its denominator is one, it is constant, or an earlier one is the same.
    fn remove_trivial_div(&mut self, i: usize) -> bool {
        let col = self.div_col(i);
        let div = self.divs[i].as_ref().expect("only known divs are tested");
        let expr = if div.denom.is_one() {
            div.num.clone()
        } else if row::is_zero(&div.num[1..]) {
            let mut constant = row::zeros(div.num.len());
            constant[0] = div.num[0].div_floor(&div.denom);
            constant
        } else if let Some(same) = (0..i).find(|&k| self.divs[k].as_ref() == Some(div)) {
            row::unit(div.num.len(), self.div_col(same))
        } else {
            return false;
        };
        self.substitute_column(col, &expr);
        self.remove_div(i);
        true
    }

    /// Eliminate unused divs, and eliminate or define one other div (step 6 of simplification).
    pub(crate) fn eliminate_divs(&mut self) -> Elimination {
        self.drop_unused_divs();
        let free: SmallVec<[usize; 16]> = (0..self.n_div()).rev().filter(|&i| self.is_free_div(i)).collect();
        for &i in &free {
            if self.eliminate_known_unit(i) {
                return Elimination::Other;
            }
            if self.eliminate_exactly(i) {
                return Elimination::OfInequalities;
            }
        }
        if free.iter().any(|&i| self.divs[i].is_none() && self.define_by_single_bound(i)) {
            return Elimination::Other;
        }
        Elimination::None
    }

    /// Whether no definition uses div `i`.
    fn is_free_div(&self, i: usize) -> bool {
        let col = self.div_col(i);
        self.divs[i + 1..].iter().flatten().all(|d| d.num[col].is_zero())
    }

    /// Substitute a known div that has a unit coefficient in an equality; the bounds of its
    /// definition become constraints.
    fn eliminate_known_unit(&mut self, i: usize) -> bool {
        let col = self.div_col(i);
        let is_unit = |r: &Row| r[col].is_one() || r[col].is_neg_one();
        let Some(e) = self.eqs.iter().position(is_unit) else { return false };
        if self.divs[i].is_none() {
            return false;
        }
        self.forget_div(i);
        self.eliminate_unit_unknown(e, i);
        true
    }

    /// Fourier-Motzkin elimination of div `i` if it is exact and does not cost too much.
    fn eliminate_exactly(&mut self, i: usize) -> bool {
        let col = self.div_col(i);
        if self.eqs.iter().any(|r| !r[col].is_zero()) {
            return false;
        }
        let Some(rows) = self.exact_shadow(i) else { return false };
        self.ineqs.retain(|r| r[col].is_zero());
        self.ineqs.extend(rows);
        self.divs[i] = None;
        self.remove_div(i);
        true
    }

    /// The constraints that replace those on div `i`, if elimination is exact and cheap.
    fn exact_shadow(&self, i: usize) -> Option<Vec<Row>> {
        let col = self.div_col(i);
        let bounds = self.div_bounds(i);
        let known = bounds.is_some();
        let real = || self.ineqs.iter().filter(|r| !r[col].is_zero());
        let count = |pos: bool| real().filter(|r| r[col].is_pos() == pos).count();
        let (n_low, n_up) = (count(true), count(false));
        let affordable = if known { n_low * n_up <= 1 } else { n_low * n_up <= n_low + n_up + 4 };
        if !affordable {
            return None;
        }
        let extra: Vec<Row> = bounds.into_iter().flatten().collect();
        let all = || real().chain(&extra);
        let mut shadow = Vec::new();
        for low in all().filter(|r| r[col].is_pos()) {
            for up in all().filter(|r| r[col].is_neg()) {
                shadow.extend(exact_combination(low, up, col)?);
            }
        }
        Some(shadow)
    }

    /// Define the unknown div `i` by the only upper or the only lower bound it has: if any value
    /// satisfies all bounds then the largest (smallest) that satisfies this one does.
    fn define_by_single_bound(&mut self, i: usize) -> bool {
        let col = self.div_col(i);
        if self.eqs.iter().any(|r| !r[col].is_zero()) {
            return false;
        }
        for positive in [false, true] {
            let mut bounds = self.ineqs.iter().filter(|r| !r[col].is_zero() && r[col].is_pos() == positive);
            let (Some(bound), None) = (bounds.next(), bounds.next()) else { continue };
            if self.unknown_divs_in(bound).len() > 1 {
                continue;
            }
            let bound = bound.clone();
            if self.define_by_bound(i, &bound) {
                return true;
            }
        }
        false
    }

    /// Define unknown divs of which the inequalities leave one value at most, as
    /// `e <= 4 q <= e + 3` does. The relation has to be simplified afterwards if any is.
    pub(crate) fn define_by_bounds(&mut self) -> bool {
        let mut changed = false;
        for i in 0..self.n_div() {
            let col = self.div_col(i);
            if self.divs[i].is_some() {
                continue;
            }
            let is_tight = |up: &&Row| {
                let coefficient = -&up[col];
                let fits = |low: &Row| row::opposite(low, up).is_some_and(|sum| sum < coefficient);
                coefficient.is_pos() && self.unknown_divs_in(up).len() == 1 && self.ineqs.iter().any(fits)
            };
            let Some(bound) = self.ineqs.iter().find(is_tight).cloned() else { continue };
            changed |= self.define_by_bound(i, &bound);
        }
        changed
    }

    /// Define the unknown div `i` as the extreme value that satisfies `bound`. The bound stays
    /// among the constraints; it is then implied.
    pub(crate) fn define_by_bound(&mut self, i: usize, bound: &Row) -> bool {
        let col = self.div_col(i);
        let mut num = bound.clone();
        let coefficient = std::mem::replace(&mut num[col], Int::ZERO);
        if coefficient.is_pos() {
            // q >= -num / a: go over to -q <= num / a.
            if self.row_depends_on(&num, i) {
                return false;
            }
            self.rewrite_uses(col, &row::zeros(num.len()), true);
        }
        self.define(i, Div { denom: coefficient.abs(), num })
    }
}

/// The combination of a lower and an upper bound on `col`: nothing if it is trivially true.
/// `None` if the elimination by this pair is not exact.
fn exact_combination(low: &Row, up: &Row, col: usize) -> Option<Option<Row>> {
    let (a, b) = (low[col].clone(), -&up[col]);
    let combined = row::combination(&b, low, &a, up);
    let constant = row::is_zero(&combined[1..]);
    let gap = &(&a - &Int::ONE) * &(&b - &Int::ONE);
    if constant && combined[0] >= gap {
        return Some(None);
    }
    gap.is_zero().then_some(Some(combined))
}

/// Move multiples of the denominator out of the numerator; returns the affine form moved out.
pub(crate) fn reduce_coefficients(div: &mut Div) -> Row {
    let mut out = row::zeros(div.num.len());
    for (c, x) in div.num.iter_mut().enumerate() {
        if x.is_zero() {
            continue;
        }
        let mut rest = x.mod_floor(&div.denom);
        if c > 0 && &rest + &rest > div.denom {
            rest -= &div.denom;
        }
        out[c] = (&*x - &rest).div_exact(&div.denom);
        *x = rest;
    }
    out
}

impl BasicMap {
    /// Remove the divs that neither a constraint nor a div in use needs, without giving up any
    /// constraint.
    pub(crate) fn drop_unused_divs(&mut self) {
        let mut gone: Marks = SmallVec::from_elem(false, self.n_div());
        for i in (0..self.n_div()).rev() {
            let col = self.div_col(i);
            let in_rows = self.eqs.iter().chain(&self.ineqs).any(|r| !r[col].is_zero());
            let later = self.divs.iter().enumerate().skip(i + 1).filter(|(k, _)| !gone[*k]);
            let in_definitions = later.filter_map(|(_, d)| d.as_ref()).any(|d| !d.num[col].is_zero());
            gone[i] = !in_rows && !in_definitions;
        }
        self.remove_marked_divs(&gone);
    }
}
