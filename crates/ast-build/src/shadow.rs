//! Shadows: what a set of instances looks like from one loop.
//!
//! Let a disjunct be a basic set over the schedule dimensions `t_0, ..., t_d, ...` followed by the
//! coordinates of a statement. Its *shadow* at level `d` is a convex set over the parameters and
//! `t_0, ..., t_d` that contains the exact projection of the disjunct, together with the *stride*:
//! a congruence `t_d = offset (mod modulus)` that all its points satisfy.
//!
//! Algorithm:
//!
//! 1. project exactly onto the first `d + 1` dimensions; what cannot be eliminated stays as divs;
//! 2. read the stride from equalities over the remaining divs: with `g` the gcd of the coefficients
//!    of all divs that are not determined by the outer dimensions, the rest is a multiple of `g`;
//! 3. eliminate those divs over the rationals (Fourier-Motzkin), which can only enlarge the set. As
//!    constants are rounded after every step, the order matters: if there are such divs, the
//!    dimensions are also eliminated one by one from the inside out, and both results are
//!    intersected.
//!
//! Divs that are determined by parameters and outer dimensions are kept: they are constants from
//! the point of view of the loop. As the shadow may be larger than the projection, whoever uses it
//! still has to test the disjunct itself in the end.

use std::collections::BTreeSet;

use poly_arith::Int;
use poly_presburger::solver::{System, remove_redundant};
use poly_presburger::{BasicSet, Budget, DimKind, Div, Row, Stop};

/// `t_d = offset (mod modulus)`: `offset` is a row over the constant, the parameters and the outer
/// dimensions; a modulus of one says nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stride {
    pub(crate) modulus: Int,
    pub(crate) offset: Row,
}

/// A convex set around the values of a loop counter, and their stride.
#[derive(Clone, Debug)]
pub(crate) struct Shadow {
    /// Over parameters and dimensions up to the counter; all divs are determined by outer ones.
    pub(crate) domain: BasicSet,
    pub(crate) stride: Stride,
}

impl Stride {
    /// The stride that says nothing, over `n` columns.
    pub(crate) fn trivial(n: usize) -> Stride {
        Stride { modulus: Int::ONE, offset: vec![Int::ZERO; n] }
    }

    /// The finest stride that both sets of values satisfy.
    pub(crate) fn common(&self, other: &Stride) -> Stride {
        let mut modulus = self.modulus.gcd(&other.modulus);
        for (a, b) in self.offset.iter().zip(&other.offset) {
            modulus = modulus.gcd(&(a - b));
        }
        Stride { offset: reduced(&self.offset, &modulus), modulus }
    }

    /// The coarsest stride that follows from both holding at once. Where the two cannot be
    /// combined the coarser one is returned.
    fn both(self, other: Stride) -> Stride {
        if other.modulus.is_one() {
            return self;
        }
        if self.modulus.is_one() {
            return other;
        }
        let g = self.modulus.gcd(&other.modulus);
        let difference: Row = self.offset.iter().zip(&other.offset).map(|(a, b)| b - a).collect();
        if !difference.iter().all(|x| x.is_divisible_by(&g)) {
            return if self.modulus >= other.modulus { self } else { other };
        }
        // t = a + m x with m x = b - a (mod n): x = (b - a)/g * (m/g)^-1 (mod n/g).
        let (_, inverse, _) = self.modulus.div_exact(&g).ext_gcd(&other.modulus.div_exact(&g));
        let factor = &self.modulus * &inverse;
        let offset: Row = self.offset.iter().zip(&difference).map(|(a, x)| a + &(&factor * &x.div_exact(&g))).collect();
        let modulus = self.modulus.lcm(&other.modulus);
        Stride { offset: reduced(&offset, &modulus), modulus }
    }
}

/// The row with all coefficients in `0..modulus`; near zero is preferred for the variables.
fn reduced(row: &[Int], modulus: &Int) -> Row {
    let centered = |(i, x): (usize, &Int)| {
        let rest = x.mod_floor(modulus);
        if i > 0 && &(&rest + &rest) > modulus { &rest - modulus } else { rest }
    };
    row.iter().enumerate().map(centered).collect()
}

/// Whether the value of div `i` of `set` is determined by parameters and the first `n_dim`
/// dimensions.
pub(crate) fn is_determined_div(set: &BasicSet, i: usize, n_dim: usize) -> bool {
    let first_inner = set.offset(DimKind::Out) + n_dim;
    let first_div = set.offset(DimKind::Div);
    let mut stack = vec![i];
    while let Some(i) = stack.pop() {
        let Some(div) = &set.divs()[i] else { return false };
        if div.num[first_inner..first_div].iter().any(|x| !x.is_zero()) {
            return false;
        }
        stack.extend((0..i).filter(|k| !div.num[first_div + k].is_zero()));
    }
    true
}

/// The shadow of a disjunct at level `d`; `None` where it is empty on the face of it.
pub(crate) fn shadow(disjunct: &BasicSet, d: usize, budget: &mut Budget) -> Result<Option<Shadow>, Stop> {
    let mut exact = disjunct.clone();
    for dim in (d + 1..disjunct.n_dim()).rev() {
        exact = project_last(&exact, dim, budget)?;
    }
    if exact.is_plainly_empty() {
        return Ok(None);
    }
    let inner = inner_divs(&exact, d);
    let stride = find_stride(&exact, d, &inner);
    let mut domain = drop_divs(&exact, &inner, budget)?;
    if !inner.is_empty() {
        let mut rational = disjunct.clone();
        for dim in (d + 1..disjunct.n_dim()).rev() {
            rational = project_last(&rational, dim, budget)?;
            rational = drop_divs(&rational, &inner_divs(&rational, d), budget)?;
        }
        domain = domain.intersect(&rational);
    }
    let domain = rounded_to_stride(&domain, d, &stride, budget)?;
    Ok((!domain.is_plainly_empty()).then_some(Shadow { domain, stride }))
}

/// The constraints of a disjunct on dimensions up to `d` that do not follow from constraints on
/// inner ones: equalities are used to eliminate inner dimensions, what still mentions one is
/// dropped. `None` where that is empty on the face of it.
pub(crate) fn explicit(disjunct: &BasicSet, d: usize, budget: &mut Budget) -> Result<Option<BasicSet>, Stop> {
    let first_div = disjunct.offset(DimKind::Div);
    let inner: Vec<usize> = (d + 1..disjunct.n_dim()).map(|dim| disjunct.offset(DimKind::Out) + dim).collect();
    let divs: Vec<usize> = inner_divs(disjunct, d).into_iter().map(|i| first_div + i).collect();
    let system = disjunct.to_system();
    let mut rows = Rows { eqs: system.eqs, ineqs: system.ineqs };
    let columns: Vec<usize> = inner.into_iter().chain(divs).rev().collect();
    for &col in &columns {
        if rows.eqs.iter().any(|row| !row[col].is_zero()) {
            rows.eliminate(col, budget)?;
        }
    }
    let is_outer = |row: &Row| columns.iter().all(|&c| row[c].is_zero());
    let kept: Vec<usize> = (0..disjunct.n_div()).filter(|i| !columns.contains(&(first_div + i))).collect();
    let space = BasicSet::universe(disjunct.space().clone()).project_out(DimKind::Out, d + 1, disjunct.n_dim() - d - 1);
    let mut result = BasicSet::universe(space.space().clone());
    let mut map: Vec<usize> = (0..disjunct.offset(DimKind::Out) + d + 1).collect();
    for &i in &kept {
        let div = known_div(disjunct, i);
        result.add_div(div.denom.clone(), gather(&div.num, &map));
        map.push(first_div + i);
    }
    rows.eqs.into_iter().filter(is_outer).for_each(|row| result.add_eq(gather(&row, &map)));
    rows.ineqs.into_iter().filter(is_outer).for_each(|row| result.add_ineq(gather(&row, &map)));
    result.simplify(budget)?;
    Ok((!result.is_plainly_empty()).then_some(result))
}

/// The set with its bounds on dimension `d` moved to the nearest values that have the stride, where
/// the distance is the same for all outer values.
fn rounded_to_stride(set: &BasicSet, d: usize, stride: &Stride, budget: &mut Budget) -> Result<BasicSet, Stop> {
    let col = set.offset(DimKind::Out) + d;
    if stride.modulus.is_one() {
        return Ok(set.clone());
    }
    let mut result = crate::refine::without_constraints(set);
    set.eqs().iter().for_each(|eq| result.add_eq(eq.clone()));
    for row in set.ineqs() {
        let mut row = row.clone();
        if let Some(distance) = distance_to_stride(&row, col, stride) {
            row[0] -= &distance;
        }
        result.add_ineq(row);
    }
    result.simplify(budget)?;
    Ok(result)
}

/// How far the bound `row >= 0` on column `col` (with coefficient 1 or -1) is from the first value
/// with the stride, if that is a constant.
pub(crate) fn distance_to_stride(row: &[Int], col: usize, stride: &Stride) -> Option<Int> {
    let unit = row[col].is_one() || row[col].is_neg_one();
    if !unit || row[col + 1..].iter().any(|x| !x.is_zero()) {
        return None;
    }
    // t >= -rest: (offset + rest) mod m; t <= rest: (rest - offset) mod m.
    let sign = &row[col];
    let difference: Row =
        row[..col].iter().zip(&stride.offset).map(|(r, o)| (r + &(sign * o)).mod_floor(&stride.modulus)).collect();
    difference[1..].iter().all(Int::is_zero).then(|| difference[0].clone())
}

/// Exact projection onto the dimensions before `dim`, the last one.
fn project_last(set: &BasicSet, dim: usize, budget: &mut Budget) -> Result<BasicSet, Stop> {
    budget.spend(1 + set.ineqs().len() as u64)?;
    Ok(set.project_out(DimKind::Out, dim, 1))
}

/// The divs that are not determined by the dimensions before `d`.
fn inner_divs(set: &BasicSet, d: usize) -> Vec<usize> {
    (0..set.n_div()).filter(|&i| !is_determined_div(set, i, d)).collect()
}

/// The number of an equality that gives dimension `d` in terms of what comes before it.
pub(crate) fn value_equality(set: &BasicSet, d: usize) -> Option<usize> {
    let col = set.offset(DimKind::Out) + d;
    let first_div = set.offset(DimKind::Div);
    let inner = inner_divs(set, d);
    set.eqs().iter().position(|eq| !eq[col].is_zero() && inner.iter().all(|&i| eq[first_div + i].is_zero()))
}

/// A set from which the range of dimension `d` can be read: where no equality gives the dimension,
/// divs that depend on it are eliminated, which can enlarge the set. (Simplifying a shadow can
/// express a div over outer dimensions by way of an equality with `d`.)
pub(crate) fn without_inner_divs(mut set: BasicSet, d: usize, budget: &mut Budget) -> Result<BasicSet, Stop> {
    for _ in 0..=set.n_div() {
        let inner = inner_divs(&set, d);
        if inner.is_empty() || value_equality(&set, d).is_some() {
            break;
        }
        set = drop_divs(&set, &inner, budget)?;
    }
    Ok(set)
}

/// The stride of dimension `d` by the equalities over `inner` divs.
fn find_stride(set: &BasicSet, d: usize, inner: &[usize]) -> Stride {
    let col = set.offset(DimKind::Out) + d;
    let first_div = set.offset(DimKind::Div);
    let mut stride = Stride::trivial(col);
    for row in set.eqs() {
        let modulus = inner.iter().fold(Int::ZERO, |g, &i| g.gcd(&row[first_div + i]));
        if modulus > Int::ONE
            && let Some(found) = congruence(set, row, col, inner, modulus)
        {
            stride = stride.both(found);
        }
    }
    stride
}

/// The stride by `row = 0`, whose inner divs have coefficients with gcd `modulus`.
fn congruence(set: &BasicSet, row: &Row, col: usize, inner: &[usize], modulus: Int) -> Option<Stride> {
    let first_div = set.offset(DimKind::Div);
    // Modulo a part of the modulus that has no factor in common with a.
    let mut modulus = modulus;
    let mut gcd = row[col].gcd(&modulus);
    while !gcd.is_one() {
        modulus = modulus.div_exact(&gcd);
        gcd = row[col].gcd(&modulus);
    }
    let outer_divs = (0..set.n_div()).any(|i| !inner.contains(&i) && !row[first_div + i].is_divisible_by(&modulus));
    if outer_divs || modulus.is_one() {
        return None;
    }
    let (_, inverse, _) = row[col].ext_gcd(&modulus);
    // a t + rest = 0 (mod m) and a^-1 a = 1 (mod m): t = -a^-1 rest.
    let factor = -inverse;
    let offset: Row = row[..col].iter().map(|x| x * &factor).collect();
    Some(Stride { offset: reduced(&offset, &modulus), modulus })
}

/// Eliminate divs over the rationals.
fn drop_divs(set: &BasicSet, drop: &[usize], budget: &mut Budget) -> Result<BasicSet, Stop> {
    if drop.is_empty() {
        return Ok(set.clone());
    }
    let first_div = set.offset(DimKind::Div);
    let system = set.to_system();
    let mut rows = Rows { eqs: system.eqs, ineqs: system.ineqs };
    let mut columns: Vec<usize> = drop.iter().map(|i| first_div + i).collect();
    while !columns.is_empty() {
        let (at, _) = columns.iter().enumerate().min_by_key(|(_, c)| rows.cost(**c)).expect("there are columns left");
        rows.eliminate(columns.swap_remove(at), budget)?;
    }
    let kept: Vec<usize> = (0..set.n_div()).filter(|i| !drop.contains(i)).collect();
    let mut result = BasicSet::universe(set.space().clone());
    let mut map: Vec<usize> = (0..first_div).collect();
    for &i in &kept {
        let div = set.divs()[i].as_ref().expect("determined divs have definitions");
        let num = gather(&div.num, &map);
        result.add_div(div.denom.clone(), num);
        map.push(first_div + i);
    }
    rows.eqs.into_iter().for_each(|row| result.add_eq(gather(&row, &map)));
    rows.ineqs.into_iter().for_each(|row| result.add_ineq(gather(&row, &map)));
    result.simplify(budget)?;
    Ok(result)
}

fn gather(row: &[Int], columns: &[usize]) -> Row {
    columns.iter().map(|&c| row[c].clone()).collect()
}

/// Constraints under rational elimination of columns.
struct Rows {
    eqs: Vec<Row>,
    ineqs: Vec<Row>,
}

impl Rows {
    /// Number of rows that the elimination of a column adds.
    fn cost(&self, col: usize) -> usize {
        if self.eqs.iter().any(|r| !r[col].is_zero()) {
            return 0;
        }
        let count =
            |positive: bool| self.ineqs.iter().filter(|r| r[col].signum() == if positive { 1 } else { -1 }).count();
        count(true) * count(false)
    }

    fn eliminate(&mut self, col: usize, budget: &mut Budget) -> Result<(), Stop> {
        budget.spend(1 + self.cost(col) as u64)?;
        if let Some(at) = self.eqs.iter().position(|r| !r[col].is_zero()) {
            let eq = self.eqs.swap_remove(at);
            for row in self.eqs.iter_mut().chain(&mut self.ineqs).filter(|r| !r[col].is_zero()) {
                *row = combine(&eq[col].abs(), row, &(&row[col] * &Int::from(-eq[col].signum())), &eq);
            }
            return Ok(());
        }
        let before = self.ineqs.len();
        let (with, mut without): (Vec<Row>, Vec<Row>) = self.ineqs.drain(..).partition(|r| !r[col].is_zero());
        let mut seen: BTreeSet<Row> = without.iter().cloned().collect();
        for low in with.iter().filter(|r| r[col].is_pos()) {
            for up in with.iter().filter(|r| r[col].is_neg()) {
                let mut row = combine(&-&up[col], low, &low[col], up);
                let gcd = row[1..].iter().fold(Int::ZERO, |g, x| g.gcd(x));
                if gcd.is_zero() && !row[0].is_neg() {
                    continue;
                }
                if gcd > Int::ONE {
                    row[0] = row[0].div_floor(&gcd);
                    row[1..].iter_mut().for_each(|x| *x = x.div_exact(&gcd));
                }
                if seen.insert(row.clone()) {
                    without.push(row);
                }
            }
        }
        let grows = without.len() > before;
        self.ineqs = without;
        if grows { self.remove_redundant(budget) } else { Ok(()) }
    }

    /// Removes inequalities that follow from the others; without this their number can be squared
    /// with each column.
    fn remove_redundant(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let n = self.eqs.iter().chain(&self.ineqs).next().map_or(0, |row| row.len() - 1);
        let mut system = System { n, eqs: std::mem::take(&mut self.eqs), ineqs: std::mem::take(&mut self.ineqs) };
        remove_redundant(&mut system, budget)?;
        (self.eqs, self.ineqs) = (system.eqs, system.ineqs);
        Ok(())
    }
}

/// `a x + b y`, divided by the gcd of all disjuncts.
fn combine(a: &Int, x: &[Int], b: &Int, y: &[Int]) -> Row {
    let mut row: Row = x.iter().zip(y).map(|(x, y)| &(a * x) + &(b * y)).collect();
    let gcd = row.iter().fold(Int::ZERO, |g, x| g.gcd(x));
    if gcd > Int::ONE {
        row.iter_mut().for_each(|x| *x = x.div_exact(&gcd));
    }
    row
}

/// Whether the dimensions from `first` on are determined by equalities over the parameters and the
/// dimensions before.
pub(crate) fn determines_rest(set: &BasicSet, first: usize) -> bool {
    (first..set.n_dim()).all(|dim| defining_equality(set, first, dim).is_some())
}

/// An equality that gives dimension `dim` in terms of parameters and the first `outer` dimensions.
pub(crate) fn defining_equality(set: &BasicSet, outer: usize, dim: usize) -> Option<&Row> {
    let first_dim = set.offset(DimKind::Out);
    let first_div = set.offset(DimKind::Div);
    set.eqs().iter().find(|row| {
        !row[first_dim + dim].is_zero()
            && (outer..set.n_dim()).all(|k| k == dim || row[first_dim + k].is_zero())
            && (0..set.n_div()).all(|i| row[first_div + i].is_zero() || is_determined_div(set, i, outer))
    })
}

/// The definition of a div as expression rows need it.
pub(crate) fn known_div(set: &BasicSet, i: usize) -> &Div {
    set.divs()[i].as_ref().expect("divs that are left in shadows have definitions")
}
