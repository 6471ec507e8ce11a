//! Linear forms of periodic functions.
//!
//! Divisions `floor((u . x + c) / d)` with the same `d` and with vectors `u` that are multiples of
//! each other modulo `d` are a *family*: all of them are affine forms plus functions of one
//! remainder `r = (l . x) mod d`, where `l` is the smallest of the multiples of `u` by units modulo
//! `d`. Functions of `r` are linear combinations of 1 and the *steps* `s_j = (1 if r >= j else 0)`
//! for `j = 1, ..., d - 1`, and as `s_i s_j = s_max(i, j)`, so are their products. Hence a
//! polynomial in the divisions of a family is linear in the steps, in one way only. With
//! `f_c = floor((l . x + c) / d)`, the sum of which over `c = 0, ..., d - 1` is `l . x`,
//!
//! ```text
//! s_j = f_(d - j) - f_0  for j > 1,    s_1 = l . x - f_0 - (f_0 + ... + f_(d - 2)),
//! ```
//!
//! so that it is linear in `f_0, ..., f_(d - 2)`, in one way only. This is done for the families
//! with `d = 2`, and for others where it does not make the polynomial longer: the sum of the
//! contributions of many cones often gets much shorter, down to a polynomial without divisions.

use std::collections::BTreeMap;

use poly_arith::{Int, Rational};
use poly_presburger::{Budget, Stop};

use super::floors::Floors;
use crate::polynomial::{Monomial, Polynomial};

/// Families up to this denominator are always made linear.
const ALWAYS: i64 = 2;

/// Families above this denominator are left alone.
const NEVER: i64 = 32;

/// Steps per term that may be spent on a family that may be left alone.
const STEPS_PER_TERM: u64 = 200;

/// The divisions of one family.
#[derive(Debug)]
struct Family {
    denom: i64,
    /// The vector `l`, one entry per variable.
    direction: Vec<i64>,
    members: Vec<Member>,
}

/// `floor((u . x + c) / d)` with `u = factor * l` modulo `d`.
#[derive(Debug)]
struct Member {
    /// The variable of the polynomial that stands for it.
    var: usize,
    factor: i64,
    /// The numerator `[c, u]`.
    num: Vec<i64>,
}

/// Makes the polynomial linear in the divisions of its families, as described above.
pub(crate) fn linearize(floors: &mut Floors, polynomial: Polynomial, budget: &mut Budget) -> Result<Polynomial, Stop> {
    let mut polynomial = polynomial;
    for family in families(floors, &polynomial) {
        if family.is_linear(&polynomial) {
            continue;
        }
        if family.denom <= ALWAYS {
            polynomial = family.rewrite(floors, &polynomial, budget)?;
            continue;
        }
        let mut part = budget.sub(STEPS_PER_TERM * (16 + polynomial.len() as u64));
        let mut extended = floors.clone();
        let attempt = family.rewrite(&mut extended, &polynomial, &mut part);
        budget.absorb(&part);
        budget.spend(0)?;
        if let Some(shorter) = attempt.ok().filter(|other| other.len() <= polynomial.len()) {
            (*floors, polynomial) = (extended, shorter);
        }
    }
    Ok(polynomial)
}

/// The families of the divisions in a polynomial, in a fixed order. Divisions of divisions have
/// none.
fn families(floors: &Floors, polynomial: &Polynomial) -> Vec<Family> {
    let n = floors.n_var();
    let mut families: BTreeMap<(i64, Vec<i64>), Vec<Member>> = BTreeMap::new();
    for var in polynomial.vars().into_iter().filter(|&var| var >= n) {
        let floor = &floors.list()[var - n];
        let Some(denom) = floor.denom.to_i64().filter(|&d| d <= NEVER) else { continue };
        if floor.num.len() > n + 1 {
            continue;
        }
        // The entries of a canonical numerator are in 0..denom.
        let mut num: Vec<i64> = floor.num.iter().map(|x| x.to_i64().expect("the entry is below the limit")).collect();
        num.resize(n + 1, 0);
        let times = |k: i64| -> Vec<i64> { num[1..].iter().map(|x| k * x % denom).collect() };
        let units = (1..denom).filter(|&k| inverse(k, denom).is_some());
        let (direction, unit) = units.map(|k| (times(k), k)).min().expect("1 is a unit");
        let factor = inverse(unit, denom).expect("the factor is a unit");
        families.entry((denom, direction)).or_default().push(Member { var, factor, num });
    }
    families.into_iter().map(|((denom, direction), members)| Family { denom, direction, members }).collect()
}

/// The inverse modulo `d`, if there is one.
fn inverse(k: i64, d: i64) -> Option<i64> {
    (1..d).find(|x| k * x % d == 1)
}

impl Family {
    fn exponent(&self, monomial: &Monomial) -> u32 {
        self.members.iter().map(|member| monomial.exponent(member.var)).sum()
    }

    /// Is the polynomial linear in `f_0, ..., f_(d - 2)` and free of the other divisions of the
    /// family?
    fn is_linear(&self, polynomial: &Polynomial) -> bool {
        let in_basis = |member: &Member| member.num[1..] == self.direction && member.num[0] <= self.denom - 2;
        self.members.iter().all(in_basis) && polynomial.terms().all(|(monomial, _)| self.exponent(monomial) <= 1)
    }

    /// The member as a polynomial in the variables and steps, step `j` being variable `first + j`.
    fn in_steps(&self, member: &Member, first: usize) -> Polynomial {
        let (d, constant) = (self.denom, member.num[0]);
        let remainder = |r: i64| (member.factor * r + constant) % d;
        let mut row: Vec<Int> = member.num.iter().map(|&x| Int::from(x)).collect();
        row[0] -= remainder(0);
        let mut result = Polynomial::affine(&row, &Int::from(d));
        for j in 1..d {
            let change = Rational::new(Int::from(remainder(j - 1) - remainder(j)), Int::from(d));
            result.add_multiple(&change, &Polynomial::var(first + j as usize));
        }
        result
    }

    /// Step `j` as an affine form over the columns of the table, to which divisions are added.
    fn step(&self, j: i64, floors: &mut Floors) -> Polynomial {
        let d = self.denom;
        let mut sum = Polynomial::zero();
        let mut add = |factor: i64, c: i64| {
            let row: Vec<Int> = std::iter::once(c).chain(self.direction.iter().copied()).map(Int::from).collect();
            let floor = floors.floor(&row, &Int::from(d));
            sum.add_multiple(&Rational::from(factor), &Polynomial::affine(&floor, &Int::ONE));
        };
        add(-1, 0);
        if j > 1 {
            add(1, d - j);
            return sum;
        }
        (0..d - 1).for_each(|c| add(-1, c));
        let row: Vec<Int> = std::iter::once(0).chain(self.direction.iter().copied()).map(Int::from).collect();
        sum.add(&Polynomial::affine(&row, &Int::ONE))
    }

    /// The polynomial, linear in the basis of the family.
    fn rewrite(&self, floors: &mut Floors, polynomial: &Polynomial, budget: &mut Budget) -> Result<Polynomial, Stop> {
        let d = usize::try_from(self.denom).expect("a denominator is positive");
        let first = floors.n_col() + d;
        let images: BTreeMap<usize, Polynomial> =
            self.members.iter().map(|member| (member.var, self.in_steps(member, first))).collect();
        let mut powers: BTreeMap<Vec<(usize, u32)>, Polynomial> = BTreeMap::new();
        let mut in_steps = Polynomial::zero();
        for (monomial, value) in polynomial.terms() {
            let (own, rest): (Vec<_>, Vec<_>) = monomial.factors().iter().partition(|(v, _)| images.contains_key(v));
            if !powers.contains_key(&own) {
                let mut product = Polynomial::constant(Rational::ONE);
                for &(var, exponent) in &own {
                    for _ in 0..exponent {
                        product = product.mul(&images[&var], budget)?.with_single_step(first);
                    }
                }
                powers.insert(own.clone(), product);
            }
            let rest = Polynomial::monomial(Monomial::from_factors(rest)).scale(value);
            in_steps.add_multiple(&Rational::ONE, &rest.mul(&powers[&own], budget)?);
        }
        let steps: Vec<Polynomial> = (1..self.denom).map(|j| self.step(j, floors)).collect();
        let mut images: Vec<Polynomial> = (0..=first).map(Polynomial::var).collect();
        images.extend(steps);
        in_steps.substitute(&images, budget)
    }
}

impl Polynomial {
    /// Of the variables after `first`, which are steps, only the last one is left in each term.
    fn with_single_step(&self, first: usize) -> Polynomial {
        let mut result = Polynomial::zero();
        for (monomial, value) in self.terms() {
            let mut factors: Vec<(usize, u32)> =
                monomial.factors().iter().copied().filter(|(var, _)| *var <= first).collect();
            factors.extend(monomial.factors().last().filter(|(var, _)| *var > first).map(|(var, _)| (*var, 1)));
            result.add_multiple(value, &Polynomial::monomial(Monomial::from_factors(factors)));
        }
        result
    }
}
