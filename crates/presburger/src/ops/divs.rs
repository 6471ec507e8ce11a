//! Explicit divisions: from existentials to definitions.
//!
//! A relation with unknown divs cannot be complemented constraint by constraint. `compute_divs`
//! finds an equivalent union in which every div has a definition:
//!
//! 1. simplification solves equalities, eliminates exactly and defines divs with a single bound on
//!    one side (see `basic/divs.rs`);
//! 2. an unknown div `q` that no definition uses, with upper bounds `b_j q <= u_j` free of other
//!    unknown divs: if any value is right then the largest one within all bounds is, and that is
//!    `floor(u_j / b_j)` for some `j`; one disjunct per `j` with this definition and all
//!    constraints kept is therefore the same set (lower bounds likewise);
//! 3. otherwise (unknown divs in each other's bounds) definitions that use unknown divs are given
//!    up and one unknown div `q` is eliminated: for lower bounds `a q >= l` and upper bounds
//!    `b q <= u` the *dark shadow* `a u - b l >= (a - 1)(b - 1)` for all pairs is sufficient for a
//!    value to exist; where it does not hold, a value that exists is close to a lower bound:
//!    `a q = l + i` for one of the lower bounds and some `0 <= i <= (a b - a - b) / b`, `b` the
//!    largest upper coefficient. Each of these *splinters* has an equality that determines an
//!    unknown div, so every branch has fewer of them \[Pugh1991\]. If that would need many
//!    splinters, parametric integer programming is tried first: the lexicographic minimum of the
//!    unknown divs as a function of everything else exists exactly on the set asked for, and its
//!    pieces have explicit divs \[Feautrier1988\].

use poly_arith::Int;

use crate::basic::{BasicMap, BasicSet, Row};
use crate::budget::{Budget, Stop};
use crate::map::{Collection, Map};
use crate::ops::optimum::quantify_by_pip;
use crate::row;
use crate::set::Set;
use crate::space::DimKind;
use crate::trace;
use crate::union::{UnionMap, UnionSet};

/// An unknown div with more splinters than this is left to parametric integer programming.
const MAX_SPLINTERS: i64 = 8;

/// So many coefficients of a constraint cost a step when it is brought into its simplest form.
const COEFFICIENTS: usize = 2;

/// Steps after which parametric integer programming is given up in favour of splinters.
const PIP_STEPS: u64 = 200_000;

impl BasicMap {
    /// The same relation as a union of basic relations all of whose divs have definitions. Cost:
    /// nothing where all divs are known; otherwise exact eliminations, and a parametric integer
    /// program over what is left \[Pugh1991\], \[Feautrier1988\].
    pub fn compute_divs(&self, budget: &mut Budget) -> Result<Map, Stop> {
        let _running = trace::operation("compute_divs", &[self]);
        let mut result = Collection::new(Map::empty(self.space_arc()), 1);
        let mut work = vec![self.clone().normalized()];
        while let Some(mut basic) = work.pop() {
            budget.spend(basic.simplification_steps())?;
            if basic.is_plainly_empty() {
                continue;
            }
            if basic.has_known_divs() {
                result.push(basic);
                continue;
            }
            basic.remove_redundancies(budget)?;
            if basic.has_known_divs() {
                work.push(basic);
                continue;
            }
            let parts = match basic.split_on_bounds() {
                Some(parts) => parts,
                None => basic.split_coupled(budget)?,
            };
            work.extend(parts.into_iter().rev());
        }
        Ok(result.into_map())
    }

    /// The steps that it takes to bring a relation of this size into its simplest form, roughly.
    fn simplification_steps(&self) -> u64 {
        let rows = self.eqs.len() + self.ineqs.len() + self.n_div();
        let columns = self.offset(DimKind::Div) + self.n_div();
        1 + (rows * (1 + self.eqs.len()) * (1 + columns / COEFFICIENTS)) as u64
    }

    /// Step 2: one disjunct per bound on the side of an unknown div that has fewest of them.
    fn split_on_bounds(&self) -> Option<Vec<BasicMap>> {
        let candidates = (0..self.n_div()).filter_map(|i| self.defining_bounds(i).map(|b| (i, b)));
        let (i, bounds) = candidates.min_by_key(|(_, bounds)| bounds.len())?;
        let define = |bound: &Row| {
            let mut part = self.clone();
            part.define_by_bound(i, bound).then(|| part.normalized())
        };
        bounds.iter().map(define).collect()
    }

    /// The bounds on the unknown div `i` of one side, if they can define it: no definition and no
    /// equality uses the div, and the bounds use no other unknown div.
    fn defining_bounds(&self, i: usize) -> Option<Vec<Row>> {
        let first = self.offset(DimKind::Div);
        let col = first + i;
        if self.divs()[i].is_some()
            || self.eqs.iter().any(|r| !r[col].is_zero())
            || self.divs().iter().flatten().any(|d| !d.num[col].is_zero())
        {
            return None;
        }
        let unknown = |r: &Row, k: usize| k != i && self.divs()[k].is_none() && self.row_involves(r, first + k, 1);
        let side = |positive: bool| -> Option<Vec<Row>> {
            let on_side = |r: &&Row| !r[col].is_zero() && r[col].is_pos() == positive;
            let rows: Vec<Row> = self.ineqs.iter().filter(on_side).cloned().collect();
            let free = |r: &Row| (0..self.n_div()).all(|k| !unknown(r, k));
            rows.iter().all(free).then_some(rows)
        };
        let sides = [side(false), side(true)];
        sides.into_iter().flatten().min_by_key(Vec::len)
    }
}

/// The bounds on one unknown div, and what its elimination costs.
struct Shadow {
    div: usize,
    lowers: Vec<Row>,
    uppers: Vec<Row>,
    splinters: Int,
}

impl BasicMap {
    /// Step 3: relations without coupled unknown divs, or with fewer of them.
    fn split_coupled(&self, budget: &mut Budget) -> Result<Vec<BasicMap>, Stop> {
        let mut basic = self.clone();
        if basic.forget_dependent_divs() {
            return Ok(vec![basic.normalized()]);
        }
        let unknown = (0..basic.n_div()).filter(|&i| basic.divs()[i].is_none());
        let shadows = unknown.map(|i| basic.shadow(i));
        let shadow = shadows.min_by(|a, b| a.splinters.cmp(&b.splinters));
        let shadow = shadow.expect("there is an unknown div");
        if shadow.splinters > MAX_SPLINTERS {
            let mut part = budget.sub(PIP_STEPS);
            let pieces = quantify_by_pip(&basic, &mut part);
            budget.absorb(&part);
            if let Ok(pieces) = pieces {
                return Ok(pieces);
            }
        }
        basic.split_on_shadow(&shadow, budget)
    }

    /// The dark shadow of an unknown div and its splinters.
    fn split_on_shadow(&self, shadow: &Shadow, budget: &mut Budget) -> Result<Vec<BasicMap>, Stop> {
        let col = self.offset(DimKind::Div) + shadow.div;
        let mut dark = self.clone();
        dark.ineqs.retain(|r| r[col].is_zero());
        for low in &shadow.lowers {
            for up in &shadow.uppers {
                budget.spend(1)?;
                let (a, b) = (&low[col], &-&up[col]);
                let mut pair = row::combination(b, low, a, up);
                pair[0] -= &(&(a - &Int::ONE) * &(b - &Int::ONE));
                dark.ineqs.push(pair);
            }
        }
        let mut parts = vec![dark.normalized()];
        let largest = shadow.uppers.iter().map(|r| -&r[col]).max();
        let largest = largest.expect("without upper bounds elimination is exact");
        for low in &shadow.lowers {
            let last = last_splinter(&low[col], &largest);
            let mut i = Int::ZERO;
            while i <= last {
                budget.spend(self.simplification_steps())?;
                let mut splinter = self.clone();
                let mut eq = low.clone();
                eq[0] -= &i;
                splinter.eqs.push(eq);
                parts.push(splinter.normalized());
                i += &Int::ONE;
            }
        }
        Ok(parts)
    }

    /// Give up definitions that use unknown divs. Returns whether there were any.
    fn forget_dependent_divs(&mut self) -> bool {
        let mut any = false;
        for i in 0..self.n_div() {
            let depends = (0..i).any(|k| self.divs()[k].is_none() && self.div_depends_on(i, k));
            if depends {
                self.forget_div(i);
                any = true;
            }
        }
        any
    }

    fn shadow(&self, div: usize) -> Shadow {
        let col = self.offset(DimKind::Div) + div;
        let side = |positive: bool| -> Vec<Row> {
            let on_side = |r: &&Row| !r[col].is_zero() && r[col].is_pos() == positive;
            self.ineqs.iter().filter(on_side).cloned().collect()
        };
        let (lowers, uppers) = (side(true), side(false));
        let largest = uppers.iter().map(|r| -&r[col]).max().unwrap_or(Int::ONE);
        let count = |r: &Row| &last_splinter(&r[col], &largest) + &Int::ONE;
        let splinters = lowers.iter().map(count).sum();
        Shadow { div, lowers, uppers, splinters }
    }
}

/// The last splinter of a lower bound with coefficient `a`, `b` being the largest upper one.
fn last_splinter(a: &Int, b: &Int) -> Int {
    (&(&(a * b) - a) - b).div_floor(b)
}

impl BasicSet {
    /// The same set as a union of basic sets all of whose divs have definitions. Cost: nothing
    /// where all divs are known; otherwise exact eliminations, and a parametric integer program
    /// over what is left \[Pugh1991\], \[Feautrier1988\].
    pub fn compute_divs(&self, budget: &mut Budget) -> Result<Set, Stop> {
        Ok(self.0.compute_divs(budget)?.into_set())
    }
}

impl Map {
    /// The same relation with a definition for every div.
    ///
    /// The relation is taken over, as most often nothing has to be done; a copy costs next to
    /// nothing. Cost: nothing where all divs are known; otherwise exact eliminations, and a
    /// parametric integer program over what is left \[Pugh1991\], \[Feautrier1988\].
    #[inline]
    pub fn compute_divs(self, budget: &mut Budget) -> Result<Map, Stop> {
        let _running = trace::operation("compute_divs", &[&self]);
        if self.has_known_divs() {
            return Ok(self);
        }
        self.compute_unknown_divs(budget)
    }

    /// As [`Map::compute_divs`], where something has to be done.
    #[inline(never)]
    fn compute_unknown_divs(&self, budget: &mut Budget) -> Result<Map, Stop> {
        let mut result = Collection::new(Map::empty(self.space_arc()), self.n_basic());
        for basic in &self.basics {
            for part in basic.compute_divs(budget)?.basics {
                result.push(part);
            }
        }
        Ok(result.into_map())
    }
}

impl Set {
    /// The same set with a definition for every div. Cost: nothing where all divs are known;
    /// otherwise exact eliminations, and a parametric integer program over what is left
    /// \[Pugh1991\], \[Feautrier1988\].
    #[inline]
    pub fn compute_divs(self, budget: &mut Budget) -> Result<Set, Stop> {
        Ok(Set(self.0.compute_divs(budget)?))
    }
}

impl UnionMap {
    /// The same relation with a definition for every div. Cost: nothing where all divs are known;
    /// otherwise exact eliminations, and a parametric integer program over what is left
    /// \[Pugh1991\], \[Feautrier1988\].
    pub fn compute_divs(&self, budget: &mut Budget) -> Result<UnionMap, Stop> {
        let _running = trace::operation("compute_divs", &[self]);
        let members: Result<Vec<Map>, Stop> = self.iter().map(|m| m.clone().compute_divs(budget)).collect();
        Ok(self.rebuilt(members?))
    }
}

impl UnionSet {
    /// The same set with a definition for every div. Cost: nothing where all divs are known;
    /// otherwise exact eliminations, and a parametric integer program over what is left
    /// \[Pugh1991\], \[Feautrier1988\].
    pub fn compute_divs(&self, budget: &mut Budget) -> Result<UnionSet, Stop> {
        let _running = trace::operation("compute_divs", &[self]);
        let members: Result<Vec<Set>, Stop> = self.iter().map(|m| m.clone().compute_divs(budget)).collect();
        Ok(self.rebuilt(members?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_paid_by_their_size() {
        let set: Set = "[n] -> { [i, j] : exists (a, b, c, d: 0 <= a, b, c, d < n and 3a + 5b - 7c + 2d >= i and \
            4a - 3b + 9c - 5d <= j and 11a - 2b - 3c + 7d <= i + j and 5a + 8b - 3c - 4d >= j - i) }"
            .parse()
            .expect("the test's set parses");
        let mut budget = Budget::unlimited();
        let pieces = set.compute_divs(&mut budget).expect("no limit");
        let steps: u64 = pieces.0.basics.iter().map(|piece| piece.simplification_steps()).sum();
        assert!(pieces.0.basics.len() > 1, "the set falls into pieces");
        assert!(budget.spent() >= steps, "{} steps for pieces of {steps}", budget.spent());
    }
}
