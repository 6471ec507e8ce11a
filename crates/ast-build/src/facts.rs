//! What is known of parameters and counters at a place of a finished program.
//!
//! [`Facts`] is a conjunction of affine constraints over the parameters and the counters of the
//! loops around. Quotients of expressions become further columns, with the two inequalities that
//! define them; sums in a quotient are split into a multiple of the divisor and the rest first, so
//! that quotients that differ by an integer share a column. An expression with a minimum or maximum
//! in it is not affine; a fact that would need one is left out, which loses knowledge only.
//!
//! [`Knowledge`] is a disjunction of such cases: what holds where a conjunction does not hold is
//! one.

use poly_arith::Int;
use poly_presburger::{BasicSet, Budget, Div, Id, Row, Stop};

use crate::ast::{Cond, Expr, For, IterId};
use crate::constraint_system::{ConstraintSystem, complement};

/// More cases than these are not told apart.
const MAX_CASES: usize = 6;

/// Constraints that hold together.
#[derive(Clone, Debug)]
pub(crate) struct Facts<'a> {
    params: &'a [Id],
    /// The counters of the loops around, from the outermost on.
    counters: Vec<IterId>,
    system: ConstraintSystem,
}

impl<'a> Facts<'a> {
    /// What a set of parameter values says, in a program whose loops are nested `depth` deep.
    pub(crate) fn new(context: &BasicSet, params: &'a [Id], depth: usize) -> Facts<'a> {
        let mut system = ConstraintSystem::new(1 + params.len() + depth);
        system.constrain(context);
        Facts { params, counters: Vec::new(), system }
    }

    /// Can this not be?
    fn is_empty(&self, budget: &mut Budget) -> Result<bool, Stop> {
        self.system.is_empty(budget)
    }

    /// An expression as a row; `None` if it is not quasi-affine.
    fn form(&mut self, expr: &Expr) -> Option<Row> {
        let unit = |at: usize, value: Int| {
            let mut row = vec![Int::ZERO; at + 1];
            row[at] = value;
            row
        };
        Some(match expr {
            Expr::Int(value) => unit(0, value.clone()),
            Expr::Param(id) => unit(1 + self.params.iter().position(|p| p == id)?, Int::ONE),
            Expr::Iter(id) => unit(1 + self.params.len() + self.counters.iter().position(|c| c == id)?, Int::ONE),
            Expr::Add(terms) => {
                let mut sum = Vec::new();
                for term in terms {
                    sum = combined(&sum, &self.form(term)?, &Int::ONE);
                }
                sum
            }
            Expr::Mul(factor, inner) => combined(&[], &self.form(inner)?, factor),
            Expr::FloorDiv(inner, divisor) => {
                let row = self.form(inner)?;
                self.quotient(&row, divisor)
            }
            Expr::Mod(inner, divisor) => {
                let row = self.form(inner)?;
                let quotient = self.quotient(&row, divisor);
                combined(&row, &quotient, &-divisor)
            }
            Expr::Min(_) | Expr::Max(_) => return None,
        })
    }

    /// The row of `floor(row / divisor)`.
    fn quotient(&mut self, row: &[Int], divisor: &Int) -> Row {
        let mut whole: Row = row.iter().map(|x| x.div_floor(divisor)).collect();
        let mut rest: Row = row.iter().map(|x| x.mod_floor(divisor)).collect();
        let gcd = rest.iter().skip(1).fold(Int::ZERO, |g, x| g.gcd(x));
        if gcd.is_zero() {
            return whole;
        }
        let gcd = gcd.gcd(divisor);
        // floor((g x + c) / (g d)) = floor((x + floor(c / g)) / d)
        rest.iter_mut().for_each(|x| *x = x.div_floor(&gcd));
        let column = self.system.div_column(Some(Div { denom: divisor.div_exact(&gcd), num: rest }));
        whole.resize(whole.len().max(column + 1), Int::ZERO);
        whole[column] += &Int::ONE;
        whole
    }

    /// The row of `a - b`.
    fn difference(&mut self, a: &Expr, b: &Expr) -> Option<Row> {
        let (a, b) = (self.form(a)?, self.form(b)?);
        Some(combined(&a, &b, &Int::NEG_ONE))
    }

    /// Add `a >= b`, if both are affine. A greatest or least value is at least (at most) each of
    /// its parts.
    fn assume_at_least(&mut self, a: &Expr, b: &Expr) {
        match (a, b) {
            (Expr::Min(parts), _) => parts.iter().for_each(|part| self.assume_at_least(part, b)),
            (_, Expr::Max(parts)) => parts.iter().for_each(|part| self.assume_at_least(a, part)),
            _ => {
                if let Some(row) = self.difference(a, b) {
                    self.system.add_ineq(row);
                }
            }
        }
    }

    /// Is `a >= b` certain?
    pub(crate) fn is_at_least(&self, a: &Expr, b: &Expr, budget: &mut Budget) -> Result<bool, Stop> {
        let all = |list: &[Expr], test: &mut dyn FnMut(&Expr) -> Result<bool, Stop>| {
            list.iter().try_fold(true, |yes, e| Ok::<bool, Stop>(yes && test(e)?))
        };
        let any = |list: &[Expr], test: &mut dyn FnMut(&Expr) -> Result<bool, Stop>| {
            list.iter().try_fold(false, |yes, e| Ok::<bool, Stop>(yes || test(e)?))
        };
        match (a, b) {
            (Expr::Min(parts), _) => all(parts, &mut |part| self.is_at_least(part, b, budget)),
            (_, Expr::Max(parts)) => all(parts, &mut |part| self.is_at_least(a, part, budget)),
            (Expr::Max(parts), _) => any(parts, &mut |part| self.is_at_least(part, b, budget)),
            (_, Expr::Min(parts)) => any(parts, &mut |part| self.is_at_least(a, part, budget)),
            _ => {
                let mut facts = self.clone();
                match facts.difference(a, b) {
                    Some(row) => {
                        facts.system.add_ineq(complement(&row));
                        facts.system.is_empty(budget)
                    }
                    None => Ok(false),
                }
            }
        }
    }

    /// Add a condition, as far as it is a conjunction of affine constraints.
    fn assume(&mut self, cond: &Cond) {
        match cond {
            Cond::And(conds) => conds.iter().for_each(|c| self.assume(c)),
            Cond::NonNegative(form) => {
                if let Some(row) = self.form(form) {
                    self.system.add_ineq(row);
                }
            }
            Cond::Zero(form) => {
                if let Some(row) = self.form(form) {
                    self.system.add_eq(row);
                }
            }
            Cond::False => self.system.add_ineq(vec![Int::NEG_ONE]),
            Cond::True | Cond::Or(_) | Cond::Not(_) => {}
        }
    }

    /// These facts where a form is positive, and where it is negative.
    fn nonzero(&self, form: &Expr) -> Vec<Facts<'a>> {
        let mut positive = self.clone();
        let Some(mut row) = positive.form(form) else { return vec![self.clone()] };
        let mut negative = positive.clone();
        negative.system.add_ineq(complement(&row));
        row[0] -= &Int::ONE;
        positive.system.add_ineq(row);
        // A remainder is not negative.
        if is_remainder(form) { vec![positive] } else { vec![positive, negative] }
    }

    /// Inside a loop.
    fn enter(&mut self, f: &For) {
        self.counters.push(f.iterator);
        let counter = Expr::Iter(f.iterator);
        self.assume_at_least(&counter, &f.lower);
        if let Some(upper) = &f.upper {
            self.assume_at_least(upper, &counter);
        }
        if f.step > Int::ONE
            && let Some(first) = self.common_residue(&f.lower, &f.step)
        {
            let column = self.system.div_column(None);
            let mut row = self.difference_row(&counter, &first);
            row.resize(row.len().max(column + 1), Int::ZERO);
            row[column] = -&f.step;
            self.system.add_eq(row);
        }
    }

    fn difference_row(&mut self, counter: &Expr, first: &[Int]) -> Row {
        let counter = self.form(counter).expect("a counter is affine");
        combined(&counter, first, &Int::NEG_ONE)
    }

    /// The first of the values of a lower bound, if the others differ from it by multiples of the
    /// step.
    pub(crate) fn common_residue(&mut self, lower: &Expr, step: &Int) -> Option<Row> {
        let parts = parts(lower, true);
        let first = self.form(&parts[0])?;
        for part in &parts[1..] {
            let row = self.form(part)?;
            if !combined(&row, &first, &Int::NEG_ONE).iter().all(|x| x.is_divisible_by(step)) {
                return None;
            }
        }
        Some(first)
    }
}

/// `a + factor b`.
fn combined(a: &[Int], b: &[Int], factor: &Int) -> Row {
    let mut sum = a.to_vec();
    sum.resize(a.len().max(b.len()).max(1), Int::ZERO);
    sum.iter_mut().zip(b).for_each(|(x, y)| *x += &(y * factor));
    sum
}

fn is_remainder(form: &Expr) -> bool {
    matches!(form, Expr::Mod(..))
}

/// The values of which an expression is the greatest (or least).
pub(crate) fn parts(expr: &Expr, greatest: bool) -> &[Expr] {
    match expr {
        Expr::Max(parts) if greatest => parts,
        Expr::Min(parts) if !greatest => parts,
        other => std::slice::from_ref(other),
    }
}

/// One of several cases holds.
#[derive(Clone, Debug)]
pub(crate) struct Knowledge<'a> {
    pub(crate) cases: Vec<Facts<'a>>,
}

impl<'a> Knowledge<'a> {
    /// Only one case.
    pub(crate) fn of(facts: Facts<'a>) -> Knowledge<'a> {
        Knowledge { cases: vec![facts] }
    }

    /// Inside a loop.
    pub(crate) fn inside(&self, f: &For) -> Knowledge<'a> {
        self.changed(|facts| facts.enter(f))
    }

    /// Where a condition holds.
    pub(crate) fn with(&self, cond: &Cond) -> Knowledge<'a> {
        match cond {
            Cond::And(conds) => conds.iter().fold(self.clone(), |known, cond| known.with(cond)),
            Cond::Not(cond) => self.without(cond),
            Cond::Or(conds) => {
                let cases: Vec<Facts<'a>> = conds.iter().flat_map(|cond| self.with(cond).cases).collect();
                if cases.len() <= MAX_CASES { Knowledge { cases } } else { self.clone() }
            }
            _ => self.changed(|facts| facts.assume(cond)),
        }
    }

    fn changed(&self, change: impl Fn(&mut Facts<'a>)) -> Knowledge<'a> {
        let mut result = self.clone();
        result.cases.iter_mut().for_each(change);
        result
    }

    /// Where a condition does not hold.
    pub(crate) fn without(&self, cond: &Cond) -> Knowledge<'a> {
        let cases: Vec<Facts<'a>> = self.cases.iter().flat_map(|facts| negated(facts, cond)).collect();
        if cases.len() <= MAX_CASES { Knowledge { cases } } else { self.clone() }
    }

    /// Is a condition certainly false?
    pub(crate) fn excludes(&self, cond: &Cond, budget: &mut Budget) -> Result<bool, Stop> {
        self.with(cond).is_empty(budget)
    }

    /// Is a condition certainly true?
    pub(crate) fn implies(&self, cond: &Cond, budget: &mut Budget) -> Result<bool, Stop> {
        self.without(cond).is_empty(budget)
    }

    /// Can this not be?
    pub(crate) fn is_empty(&self, budget: &mut Budget) -> Result<bool, Stop> {
        self.in_all(&mut |facts| facts.is_empty(budget))
    }

    /// Does something hold in all cases?
    pub(crate) fn in_all(&self, test: &mut dyn FnMut(&Facts<'a>) -> Result<bool, Stop>) -> Result<bool, Stop> {
        for facts in &self.cases {
            if !test(facts)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The cases in which a condition does not hold.
fn negated<'a>(facts: &Facts<'a>, cond: &Cond) -> Vec<Facts<'a>> {
    let with = |cond: &Cond| {
        let mut facts = facts.clone();
        facts.assume(cond);
        facts
    };
    match cond {
        Cond::True => vec![with(&Cond::False)],
        Cond::False => vec![facts.clone()],
        Cond::NonNegative(_) => vec![with(&cond.clone().negated())],
        Cond::Zero(form) => facts.nonzero(form),
        Cond::Not(inner) => vec![with(inner)],
        Cond::And(conds) => conds.iter().flat_map(|c| negated(facts, c)).collect(),
        Cond::Or(conds) => {
            conds.iter().fold(vec![facts.clone()], |cases, c| cases.iter().flat_map(|f| negated(f, c)).collect())
        }
    }
}
