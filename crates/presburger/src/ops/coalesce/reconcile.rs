//! What equalities say about integer divisions.
//!
//! # Problem
//! Relations over common divs are compared as polyhedra. Where one has the equality `i = 4 e` and
//! the other one a div `q = floor((i + 3) / 4)`, linear programming does not see that `q = e` in
//! the first one, nor that `i <= 15` follows from `i <= 16` if `i = 2 e - 1`.
//!
//! # Method
//! 1. Solve the equalities of a relation for columns with a coefficient of one or minus one. What
//!    is left of every numerator and of every inequality is a form over the other columns, which
//!    may have any integer values.
//! 2. A div is an affine form if the denominator divides all that is left of the coefficients of
//!    its numerator; two divs with the same denominator have an affine difference if it divides the
//!    difference of what is left. Both are equalities, and are used in turn. So they are if linear
//!    programming shows that they have one integer value only, such as `floor(i / 16)` for
//!    `1 <= i <= 15`; that is tried for divs, and for sums and differences of two whose numerators
//!    are the same or opposite up to multiples of the denominator and the constant.
//! 3. Inequalities are divided by the greatest common divisor of what is left of their
//!    coefficients, the constant being rounded.
//! 4. Divs that the other relation does not use are replaced by those that it uses, where an
//!    equality of step 2 has both.
//!
//! Steps 1 to 3 describe the same integer points. Step 4 forgets what the replaced divs are, so the
//! result may have more.

use poly_arith::Int;

use crate::basic::Row;
use crate::budget::{Budget, Stop};
use crate::ops::common::Common;
use crate::row;
use crate::solver::{Optimum, System, lp_max, lp_min};
use crate::space::DimKind;

/// A relation over common divs, with what follows from its equalities.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Strong {
    /// Equalities, those of divs last.
    eqs: Vec<Row>,
    ineqs: Vec<Row>,
    /// How many of the equalities are of divs.
    derived: usize,
}

/// Equalities, each solved for a column with a unit coefficient that occurs in no other.
#[derive(Default)]
pub(super) struct Solved(Vec<(usize, Row)>);

impl Solved {
    pub(super) fn of(eqs: &[Row]) -> Solved {
        let mut solved = Solved::default();
        eqs.iter().for_each(|eq| solved.add(eq));
        // Equalities without a unit coefficient at first may have one after others have been used.
        eqs.iter().for_each(|eq| solved.add(eq));
        solved
    }

    /// Whether no equality has a unit coefficient.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is left of a row.
    pub(super) fn reduce(&self, form: &mut Row) {
        for (col, eq) in &self.0 {
            row::eliminate(form, *col, eq);
        }
    }

    /// Solves one more equality, if it has a unit coefficient; the first one counts.
    fn add(&mut self, eq: &Row) {
        let mut eq = eq.clone();
        self.reduce(&mut eq);
        let g = row::gcd(&eq);
        if g.is_zero() {
            return;
        }
        row::div_exact(&mut eq, &g);
        let is_unit = |col: &usize| eq[*col].is_one() || eq[*col].is_neg_one();
        let Some(col) = (1..eq.len()).find(is_unit) else { return };
        for (_, other) in &mut self.0 {
            row::eliminate(other, col, &eq);
        }
        self.0.push((col, eq));
    }
}

impl Strong {
    /// Steps 1 to 3 for the relation `i`. Nothing changes without equalities.
    pub(super) fn of(common: &Common, i: usize, budget: &mut Budget) -> Result<Strong, Stop> {
        let part = &common.parts[i];
        let mut result = Strong { eqs: part.eqs.clone(), ineqs: part.ineqs.clone(), derived: 0 };
        let mut solved = Solved::of(&part.eqs);
        if solved.is_empty() && common.base.n_div() == 0 {
            return Ok(result);
        }
        result.derive(common, &mut solved);
        result.derive_by_bounds(common, &mut solved, budget)?;
        for form in &mut result.ineqs {
            let mut left = form.clone();
            solved.reduce(&mut left);
            let g = row::gcd(&left[1..]);
            if !g.is_zero() && !g.is_one() {
                row::tighten(&mut left, &g);
                *form = left;
            }
        }
        Ok(result)
    }

    /// Step 2, by linear programming.
    fn derive_by_bounds(&mut self, common: &Common, solved: &mut Solved, budget: &mut Budget) -> Result<(), Stop> {
        let (first, n_div) = (common.base.offset(DimKind::Div), common.base.n_div());
        let all = vec![true; n_div];
        let left = |i: usize, solved: &Solved| {
            let div = common.base.divs[i].as_ref()?;
            let mut left = div.num.clone();
            solved.reduce(&mut left);
            Some((left, div.denom.clone()))
        };
        let mut forms = Vec::new();
        for i in 0..n_div {
            let Some((own, denom)) = left(i, solved) else { continue };
            for k in 0..i {
                let Some((other, _)) = left(k, solved).filter(|(_, d)| *d == denom) else { continue };
                for sign in [Int::ONE, Int::NEG_ONE] {
                    let sum = row::combination(&Int::ONE, &own, &sign, &other);
                    if sum[1..].iter().all(|x| x.is_divisible_by(&denom)) {
                        let mut form: Row = sum.iter().map(|x| -x.div_floor(&denom)).collect();
                        form[0] = Int::ZERO;
                        form[first + i] += Int::ONE;
                        form[first + k] += &sign;
                        forms.push(form);
                    }
                }
            }
            forms.push(row::unit(common.base.n_col(), first + i));
        }
        for mut form in forms {
            let mut left = form.clone();
            solved.reduce(&mut left);
            if row::is_zero(&left[1..]) {
                continue;
            }
            let system = self.system(common, &all);
            let Optimum::Bounded(least) = lp_min(&system, &form, budget)? else { continue };
            let least = least.ceil();
            form[0] = -(&least + &Int::ONE);
            if !matches!(lp_max(&system, &form, budget)?, Optimum::Bounded(most) if most.signum() < 0) {
                continue;
            }
            form[0] = -least;
            solved.add(&form);
            self.eqs.push(form);
            self.derived += 1;
        }
        Ok(())
    }

    /// Step 2.
    fn derive(&mut self, common: &Common, solved: &mut Solved) {
        let (first, n_div) = (common.base.offset(DimKind::Div), common.base.n_div());
        for i in 0..n_div {
            let left = |k: usize, solved: &Solved| {
                let div = common.base.divs[k].as_ref()?;
                let mut left = div.num.clone();
                solved.reduce(&mut left);
                Some((left, div.denom.clone()))
            };
            let Some((own, denom)) = left(i, solved) else { continue };
            let divisible = |form: &[Int]| form.iter().all(|x| x.is_divisible_by(&denom));
            let mut eq = None;
            if divisible(&own[1..]) {
                let mut form: Row = own.iter().map(|x| x.div_floor(&denom)).collect();
                form[first + i] -= Int::ONE;
                eq = Some(form);
            }
            for k in 0..i {
                if eq.is_some() {
                    break;
                }
                let Some((other, other_denom)) = left(k, solved) else { continue };
                let difference = row::combination(&Int::ONE, &own, &Int::NEG_ONE, &other);
                if denom == other_denom && divisible(&difference) {
                    let mut form: Row = difference.iter().map(|x| x.div_floor(&denom)).collect();
                    form[first + k] += Int::ONE;
                    form[first + i] -= Int::ONE;
                    eq = Some(form);
                }
            }
            let Some(eq) = eq else { continue };
            let mut left = eq.clone();
            solved.reduce(&mut left);
            if !row::is_zero(&left) {
                solved.add(&eq);
                self.eqs.push(eq);
                self.derived += 1;
            }
        }
    }

    /// The equalities, solved.
    pub(super) fn solved(&self) -> Solved {
        Solved::of(&self.eqs)
    }

    /// The relation over one more column, for which an equality holds, and with the bounds of a div
    /// that it is to replace.
    pub(super) fn with_derived(&self, eq: Row, bounds: [Row; 2]) -> Strong {
        let mut result = self.clone();
        result.eqs.iter_mut().chain(&mut result.ineqs).for_each(|row| row.push(Int::ZERO));
        result.ineqs.extend(bounds);
        result.eqs.push(eq);
        result.derived += 1;
        result
    }

    /// Whether the column of a div is used.
    pub(super) fn uses(&self, common: &Common) -> Vec<bool> {
        let (first, own) = (common.base.offset(DimKind::Div), self.eqs.len() - self.derived);
        let rows = || self.eqs[..own].iter().chain(&self.ineqs);
        let mut used: Vec<bool> = (0..common.base.n_div()).map(|i| rows().any(|r| !r[first + i].is_zero())).collect();
        for i in (0..used.len()).rev() {
            if let (true, Some(div)) = (used[i], &common.base.divs[i]) {
                (0..i).for_each(|k| used[k] |= !div.num[first + k].is_zero());
            }
        }
        used
    }

    /// Step 4: without divs that the other relation does not use, where that is possible.
    pub(super) fn without_own_divs(&self, common: &Common, used_by_other: &[bool]) -> Strong {
        let first = common.base.offset(DimKind::Div);
        let mut result = self.clone();
        while result.derived > 0 {
            let own = result.eqs.len() - result.derived;
            let replaced = |eq: &Row| {
                let is_foreign = |i: &usize| !eq[first + i].is_zero() && !used_by_other[*i];
                let mut foreign = (0..used_by_other.len()).filter(is_foreign);
                let i = foreign.next()?;
                let is_unit = eq[first + i].is_one() || eq[first + i].is_neg_one();
                (foreign.next().is_none() && is_unit).then_some(first + i)
            };
            let found = (own..result.eqs.len()).find_map(|at| Some((at, replaced(&result.eqs[at])?)));
            let Some((at, col)) = found else { break };
            let eq = result.eqs.remove(at);
            result.derived -= 1;
            for other in result.eqs.iter_mut().chain(&mut result.ineqs) {
                row::eliminate(other, col, &eq);
            }
            // Zero rows at the beginning are those that have just been used up.
            let zero = result.eqs[..own].iter().filter(|eq| row::is_zero(eq)).count();
            let derived_zero = result.eqs[own..].iter().filter(|eq| row::is_zero(eq)).count();
            debug_assert!(zero <= own, "rows are counted once");
            result.eqs.retain(|eq| !row::is_zero(eq));
            result.derived -= derived_zero;
        }
        result
    }

    /// The relation with the bounds of the divs that are used.
    pub(super) fn system(&self, common: &Common, used: &[bool]) -> System {
        let mut ineqs = self.ineqs.clone();
        let bounds = (0..common.base.n_div()).filter(|i| used[*i]).flat_map(|i| common.base.div_bounds(i));
        ineqs.extend(bounds.flatten());
        System { n: common.base.n_col() - 1, eqs: self.eqs.clone(), ineqs }
    }

    /// All constraints as inequalities, an equality giving two; equalities of divs only if asked
    /// for.
    pub(super) fn as_ineqs(&self) -> Vec<Row> {
        let eqs = self.eqs.iter().flat_map(|eq| [eq.clone(), row::negated(eq)]);
        eqs.chain(self.ineqs.iter().cloned()).collect()
    }

    /// Whether something has been found that is not in the constraints.
    pub(super) fn is_stronger(&self, common: &Common, i: usize) -> bool {
        self.derived > 0 || self.ineqs != common.parts[i].ineqs
    }
}

/// Both relations after step 4, in which the divs of the one that is named stay, and which divs are
/// still used.
pub(super) fn reconciled(common: &Common, strong: &[Strong; 2], stays: usize) -> ([Strong; 2], Vec<bool>) {
    let mut result = strong.clone();
    let other = 1 - stays;
    result[other] = strong[other].without_own_divs(common, &strong[stays].uses(common));
    result[stays] = strong[stays].without_own_divs(common, &result[other].uses(common));
    let uses = [result[0].uses(common), result[1].uses(common)];
    let used = uses[0].iter().zip(&uses[1]).map(|(x, y)| *x || *y).collect();
    (result, used)
}
