//! Rational sets: formulas as unions of systems of linear constraints, without rounding.

use std::str::FromStr;

use poly_arith::Int;

use super::grammar::{Comparison, Expr, Formula, Item, Parser};
use super::lower::{Scope, bind_dims, build_tuple, with_bound_names};
use super::{ParseError, Parsed};
use crate::basic::Row;
use crate::budget::Budget;
use crate::rational::{RationalSet, both};
use crate::row;
use crate::solver::{System, fm};
use crate::space::{DimKind, Id, Space};

/// The steps that the elimination of a quantifier may take: less than a second. A parser has no
/// budget of its own, and an elimination may square the number of inequalities each time.
const QUANTIFIER: u64 = 2_000_000;

impl FromStr for RationalSet {
    type Err = ParseError;

    fn from_str(text: &str) -> Parsed<RationalSet> {
        let mut parser = Parser::new(text)?;
        let source = parser.source()?;
        parser.expect_end()?;
        let mut result: Option<RationalSet> = None;
        for item in &source.items {
            let part = lower_item(&source.params, item)?;
            result = Some(match result {
                None => part,
                Some(all) if all.space() == part.space() => all.union(&part),
                Some(_) => return Err(ParseError::new(item.position, "the items are over different spaces")),
            });
        }
        result.ok_or_else(|| ParseError::new(0, "a set needs at least one item"))
    }
}

fn lower_item(params: &[Id], item: &Item) -> Parsed<RationalSet> {
    if !item.rational {
        return Err(ParseError::new(item.position, "the items of a rational set begin with `rat:`"));
    }
    if item.second.is_some() {
        return Err(ParseError::new(item.position, "this is not a set"));
    }
    let mut dims = Vec::new();
    let tuple = item.first.as_ref().map(|t| build_tuple(t, &mut dims));
    let mut scope = Scope::new(params, Vec::new());
    let values = bind_dims(&mut scope, dims);
    let reader = Reader { scope: &scope, position: item.position };
    let mut parts = reader.formula(&item.condition)?;
    for (i, value) in values.iter().enumerate() {
        let Some((first, last)) = value else { continue };
        let var = Expr::Dim(i);
        let fixed = match last {
            None => reader.comparison(&var, Comparison::Eq, first)?,
            Some(last) => {
                both(&reader.comparison(first, Comparison::Le, &var)?, &reader.comparison(&var, Comparison::Le, last)?)
            }
        };
        parts = parts.iter().map(|part| both(part, &fixed)).collect();
    }
    let space = match tuple {
        None => Space::params(params.to_vec()),
        Some(tuple) => Space::set(params.to_vec(), with_bound_names(tuple, &scope, 0)),
    };
    Ok(RationalSet::from_systems(space, parts))
}

/// Reads formulas over the variables of a scope.
struct Reader<'a> {
    scope: &'a Scope,
    /// For error messages.
    position: usize,
}

/// A form with a positive denominator.
type Form = (Row, Int);

impl Reader<'_> {
    fn n(&self) -> usize {
        self.scope.space.n_var()
    }

    fn error<T>(&self, message: &str) -> Parsed<T> {
        Err(ParseError::new(self.position, message))
    }

    fn formula(&self, formula: &Formula) -> Parsed<Vec<System>> {
        Ok(match formula {
            Formula::True => vec![System::new(self.n())],
            Formula::False => Vec::new(),
            Formula::Compare(left, op, right) => {
                let mut all = System::new(self.n());
                for a in left {
                    for b in right {
                        all = both(&all, &self.comparison(a, *op, b)?);
                    }
                }
                vec![all]
            }
            Formula::And(parts) => {
                let mut all = vec![System::new(self.n())];
                for part in parts {
                    let part = self.formula(part)?;
                    all = all.iter().flat_map(|a| part.iter().map(move |b| both(a, b))).collect();
                }
                all
            }
            Formula::Or(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.formula(part)?);
                }
                all
            }
            Formula::Not(_) => return self.error("what a rational set negates is not closed"),
            Formula::Exists(vars, body) => self.exists(vars, body)?,
        })
    }

    fn exists(&self, vars: &[(String, Option<Expr>)], body: &Formula) -> Parsed<Vec<System>> {
        let inner = self.scope.extended(vars.iter().map(|(name, _)| name.clone()));
        let reader = Reader { scope: &inner, position: self.position };
        let mut parts = reader.formula(body)?;
        for (i, (_, value)) in vars.iter().enumerate() {
            let Some(value) = value else { continue };
            let fixed = reader.comparison(value, Comparison::Eq, &Expr::Dim(self.scope.len() + i))?;
            parts = parts.iter().map(|part| both(part, &fixed)).collect();
        }
        let visible: Vec<usize> = (0..self.n()).collect();
        let budget = &mut Budget::new(QUANTIFIER);
        let projected: Result<Vec<System>, _> = parts.iter().map(|part| fm::project(part, &visible, budget)).collect();
        projected.or_else(|_| self.error("the elimination of a quantifier takes too many steps"))
    }

    fn comparison(&self, a: &Expr, op: Comparison, b: &Expr) -> Parsed<System> {
        let (a, b) = (self.form(a)?, self.form(b)?);
        // b - a, times both denominators.
        let difference = row::combination(&a.1, &b.0, &-&b.1, &a.0);
        let mut system = System::new(self.n());
        match op {
            Comparison::Le => system.add_ineq(difference),
            Comparison::Ge => system.add_ineq(row::negated(&difference)),
            Comparison::Eq => system.add_eq(row::negated(&difference)),
            Comparison::Lt | Comparison::Gt | Comparison::Ne => {
                return self.error("a rational set is closed: it has no strict comparisons");
            }
        }
        Ok(system)
    }

    fn form(&self, expr: &Expr) -> Parsed<Form> {
        let n_col = 1 + self.n();
        Ok(match expr {
            Expr::Number(n) => {
                let mut form = row::zeros(n_col);
                form[0] = n.clone();
                (form, Int::ONE)
            }
            Expr::Dim(i) => (row::unit(n_col, self.scope.space.offset(DimKind::Out) + i), Int::ONE),
            Expr::Var(name, position) => {
                let Some((kind, i)) = self.scope.place(name) else {
                    return Err(ParseError::new(*position, format!("`{name}` is not known here")));
                };
                (row::unit(n_col, self.scope.space.offset(kind) + i), Int::ONE)
            }
            Expr::Neg(a) => {
                let (form, denom) = self.form(a)?;
                (row::negated(&form), denom)
            }
            Expr::Sum(terms) => {
                let mut sum = (row::zeros(n_col), Int::ONE);
                for (negative, term) in terms {
                    let (form, denom) = self.form(term)?;
                    let factor = if *negative { -&sum.1 } else { sum.1.clone() };
                    sum = (row::combination(&denom, &sum.0, &factor, &form), &sum.1 * &denom);
                }
                sum
            }
            Expr::Mul(a, b, position) => {
                let (a, b) = (self.form(a)?, self.form(b)?);
                let is_constant = |form: &Form| row::is_zero(&form.0[1..]);
                let (factor, mut form) = if is_constant(&a) { (a, b) } else { (b, a) };
                if !is_constant(&factor) {
                    return Err(ParseError::new(*position, "one factor must be constant"));
                }
                row::scale(&mut form.0, &factor.0[0]);
                (form.0, &form.1 * &factor.1)
            }
            Expr::Div(a, d) => {
                let (form, denom) = self.form(a)?;
                if d.is_neg() { (row::negated(&form), &denom * &-d) } else { (form, &denom * d) }
            }
            _ => return self.error("a rational set has linear expressions only"),
        })
    }
}
