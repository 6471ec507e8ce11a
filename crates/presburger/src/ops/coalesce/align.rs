//! Divisions by the same number with other offsets.
//!
//! # Problem
//! `i mod 4 = 0` is a constraint on `i - 4 floor(i / 4)`, and `1 <= i mod 4 <= 2` may have been
//! written with `floor((i + 3) / 4)`, where the remainders are -3 and -2. In neither of these
//! divisions, nor in both, is the union a conjunction; in `floor(i / 4)`, where the remainders are
//! 0, and 1 and 2, it is.
//!
//! # Algorithm
//! For a division `q` of one relation and a division `p` of the other one, by the same number `d`:
//!
//! 1. let `f` be the numerator of `q` without its constant; by the equalities of the other
//!    relation, `f = +-g + d h` up to a constant, where `g` is the numerator of `p` and `h` has
//!    integer coefficients, or there is nothing to do;
//! 2. linear programming gives the least and the greatest value of the remainders, `f - d q` on the
//!    one relation and `f - d (+-p + h)` on the other one;
//! 3. if both intervals, one shifted by a multiple `d t`, have no gap between them and together at
//!    most `d` integers, the smallest of which is `m`, then `floor((f - m) / d)` is `q` on the one
//!    relation, and `+-p + h - t` on the other one.
//!
//! The same is tried with the roles exchanged. The cases of \[Verdoolaege2015\] with integer
//! divisions that differ in their constants are of this kind.

use poly_arith::Int;

use super::reconcile::Strong;
use crate::basic::Row;
use crate::budget::{Budget, Stop};
use crate::ops::common::Common;
use crate::row;
use crate::solver::{Optimum, lp_max, lp_min};
use crate::space::DimKind;

/// What is tried for two relations.
pub(super) struct Aligned {
    /// With the new divisions.
    pub(super) common: Common,
    /// In terms of them.
    pub(super) strong: [Strong; 2],
    /// Which divisions are still used.
    pub(super) used: Vec<bool>,
}

/// A division that serves both relations.
struct Shared {
    num: Row,
    denom: Int,
    /// What the divisions are in terms of it, for each relation: these forms, with the new column
    /// last, are zero.
    eqs: [Row; 2],
    /// The divisions that it stands for, in each relation.
    replaced: [usize; 2],
}

/// Whether the relations use different divisions by the same number.
pub(super) fn may_align(common: &Common) -> bool {
    let n = common.base.n_div();
    n > 1 && pairs(common, &[uses(common, 0), uses(common, 1)]).next().is_some()
}

/// Which divisions the constraints of a relation use.
fn uses(common: &Common, part: usize) -> Vec<bool> {
    let (first, part) = (common.base.offset(DimKind::Div), &common.parts[part]);
    let uses = |i: usize| part.eqs.iter().chain(&part.ineqs).any(|r| !r[first + i].is_zero());
    (0..common.base.n_div()).map(uses).collect()
}

/// Pairs of different divisions by the same number, one of each relation.
fn pairs<'a>(common: &'a Common, used: &'a [Vec<bool>; 2]) -> impl Iterator<Item = [usize; 2]> + 'a {
    let n = common.base.n_div();
    let denom = |i: usize| common.base.divs[i].as_ref().map(|div| &div.denom);
    let all = (0..n).flat_map(move |i| (0..n).map(move |k| [i, k]));
    all.filter(move |&[i, k]| i != k && used[0][i] && used[1][k] && denom(i).is_some() && denom(i) == denom(k))
}

/// Both relations in terms of divisions that serve both, if there are any.
pub(super) fn aligned(common: &Common, strong: &[Strong; 2], budget: &mut Budget) -> Result<Option<Aligned>, Stop> {
    let used = [strong[0].uses(common), strong[1].uses(common)];
    let mut result: Option<Aligned> = None;
    let mut done = [Vec::new(), Vec::new()];
    for [i, k] in pairs(common, &used) {
        if done[0].contains(&i) || done[1].contains(&k) {
            continue;
        }
        let (common, strong) = result.as_ref().map_or((common, strong), |r| (&r.common, &r.strong));
        let found = match shared(common, strong, [i, k], 0, budget)? {
            Some(found) => Some(found),
            None => shared(common, strong, [i, k], 1, budget)?,
        };
        if let Some(found) = found {
            done[0].push(i);
            done[1].push(k);
            result = Some(applied(common, strong, found));
        }
    }
    Ok(result)
}

/// Steps 1 to 3 with the numerator of the division of relation `own`.
fn shared(
    common: &Common,
    strong: &[Strong; 2],
    divs: [usize; 2],
    own: usize,
    budget: &mut Budget,
) -> Result<Option<Shared>, Stop> {
    let (first, other) = (common.base.offset(DimKind::Div), 1 - own);
    let [q, p] =
        [divs[own], divs[other]].map(|i| common.base.divs[i].as_ref().expect("only defined ones are compared"));
    let d = &q.denom;
    let mut f = q.num.clone();
    f[0] = Int::ZERO;
    let Some((sign, h)) = in_terms_of(&strong[other], &f, &p.num, d) else { return Ok(None) };
    // f minus d times the division, on either side.
    let mut of_own = f.clone();
    of_own[first + divs[own]] -= d;
    let mut quotient = h;
    quotient[first + divs[other]] += &sign;
    let of_other = row::combination(&Int::ONE, &f, &-d, &quotient);
    let Some((low, high)) = interval(common, &strong[own], &of_own, budget)? else { return Ok(None) };
    let Some((other_low, other_high)) = interval(common, &strong[other], &of_other, budget)? else { return Ok(None) };
    // The smallest shift that leaves no gap below, and the next one.
    let least = -(&(&other_high + &Int::ONE) - &low).div_floor(d);
    for t in [least.clone(), &least + &Int::ONE] {
        let by = d * &t;
        let (from, to) = (&other_low + &by, &other_high + &by);
        let is_near = from <= &high + &Int::ONE && low <= &to + &Int::ONE;
        let m = low.clone().min(from);
        if !is_near || &(high.clone().max(to)) - &m >= *d {
            continue;
        }
        let mut num = f;
        num[0] = -m;
        let n = num.len();
        let own_eq =
            row::combination(&Int::ONE, &row::unit(n + 1, n), &Int::NEG_ONE, &row::unit(n + 1, first + divs[own]));
        quotient[0] -= &t;
        quotient = row::negated(&quotient);
        quotient.push(Int::ONE);
        let eqs = if own == 0 { [own_eq, quotient] } else { [quotient, own_eq] };
        return Ok(Some(Shared { num, denom: d.clone(), eqs, replaced: divs }));
    }
    Ok(None)
}

/// A sign and a form `h` such that `f = sign g + d h` up to a constant, by the equalities of a
/// relation.
fn in_terms_of(strong: &Strong, f: &Row, g: &Row, d: &Int) -> Option<(Int, Row)> {
    let solved = strong.solved();
    let [mut f, mut g] = [f.clone(), g.clone()];
    solved.reduce(&mut f);
    solved.reduce(&mut g);
    for sign in [Int::ONE, Int::NEG_ONE] {
        let rest = row::combination(&Int::ONE, &f, &-&sign, &g);
        if rest[1..].iter().all(|x| x.is_divisible_by(d)) {
            let mut h: Row = rest.iter().map(|x| x.div_floor(d)).collect();
            h[0] = Int::ZERO;
            return Some((sign, h));
        }
    }
    None
}

/// The least and the greatest integer value of a form.
fn interval(common: &Common, strong: &Strong, form: &Row, budget: &mut Budget) -> Result<Option<(Int, Int)>, Stop> {
    let system = strong.system(common, &vec![true; common.base.n_div()]);
    let Optimum::Bounded(low) = lp_min(&system, form, budget)? else { return Ok(None) };
    let Optimum::Bounded(high) = lp_max(&system, form, budget)? else { return Ok(None) };
    let (low, high) = (low.ceil(), high.floor());
    Ok((low <= high).then_some((low, high)))
}

/// Both relations with one more division, in terms of it.
fn applied(common: &Common, strong: &[Strong; 2], shared: Shared) -> Aligned {
    let mut common = common.clone();
    common.base.add_div(shared.denom, shared.num);
    let n = common.base.n_div();
    for row in common.parts.iter_mut().flat_map(|part| part.eqs.iter_mut().chain(&mut part.ineqs)) {
        row.push(Int::ZERO);
    }
    common.div_bounds = (0..n).flat_map(|i| common.base.div_bounds(i)).flatten().collect();
    let Shared { eqs, replaced, .. } = shared;
    let mut eqs = eqs.into_iter();
    let strong = [0, 1].map(|i| {
        let mut others = vec![true; n];
        others[replaced[i]] = false;
        let eq = eqs.next().expect("there is one for each");
        let bounds = common.base.div_bounds(replaced[i]).expect("only defined ones are replaced");
        strong[i].with_derived(eq, bounds).without_own_divs(&common, &others)
    });
    let uses = [strong[0].uses(&common), strong[1].uses(&common)];
    let used = uses[0].iter().zip(&uses[1]).map(|(x, y)| *x || *y).collect();
    Aligned { common, strong, used }
}

#[cfg(test)]
mod tests {
    use crate::budget::Budget;
    use crate::ops::coalesce::Coalescing;
    use crate::set::Set;

    fn check(text: &str, disjuncts: usize, constraints: usize) {
        let set: Set = text.parse().expect("the test's set parses");
        let joined = set.clone().coalesce_with(Coalescing::Hulls, &mut Budget::unlimited()).expect("no limit");
        assert_eq!(joined.is_equal(&set, &mut Budget::unlimited()), Ok(true), "{set} became {joined}");
        let size: usize = joined.basics().iter().map(|b| b.constraints().count()).sum();
        assert!(joined.n_basic() <= disjuncts && size <= constraints, "{set} became {joined}");
    }

    #[test]
    fn remainders_that_are_neighbours_are_joined() {
        check("{ [i] : i mod 5 = 0 and 0 <= i <= 99; [i] : exists j : 1 <= i <= 99 and 5j + 1 <= i <= 5j + 2 }", 1, 3);
        check("{ [i] : exists j : 5j + 3 <= i <= 5j + 4; [i] : exists j : 5j <= i <= 5j + 1 }", 1, 1);
        check("{ [i, k] : exists j : 7j + 4 <= i + k <= 7j + 5; [i, k] : exists j : 7j + 6 <= i + k <= 7j + 9 }", 1, 1);
        // The opposite sign, and an equality that brings the forms together.
        check("{ [a, c] : 0 < a <= 3 and (5a - c) mod 7 <= 4; [a, c] : a = 4 and (c - 16) mod 7 <= 4 }", 1, 3);
    }

    #[test]
    fn others_are_not() {
        check("{ [i] : i mod 5 = 0; [i] : i mod 5 = 2 }", 2, 2);
        check("{ [i] : exists j : 5j <= i <= 5j + 1; [i] : exists j : 6j + 2 <= i <= 6j + 3 }", 2, 2);
    }
}
