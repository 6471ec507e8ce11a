//! How many operations a system takes, exactly.
//!
//! An operation is one of an expression, or one of a reduction: a reduction of `n` points with a
//! body of `k` operations takes `n k + n - 1`. Subscripts and conditions on indices cost nothing;
//! of an `if`, both values count. The number for a branch is that of its points times that of its
//! operations: a quasi-polynomial \[Verdoolaege2007\].

use std::fmt;

use poly_arith::{Int, Rational};
use poly_counting::{Card, Cardinality, PwQuasiPolynomial, QuasiPolynomial};
use poly_presburger::{Budget, Set, Stop};

use crate::domain::{answers, body_context, named};
use crate::normalize::{branches, normalize};
use crate::program::{Expr, ExprKind, System};

/// The operations of one variable.
#[derive(Clone, Debug)]
pub struct Cost {
    /// Its name.
    pub name: String,
    /// How many, as a function of the parameters.
    pub operations: PwQuasiPolynomial,
}

impl Cost {
    /// The degree in all parameters together.
    pub fn degree(&self) -> u32 {
        degree(&self.operations)
    }
}

/// Operations that the degree of a piece may take; above, divisions count like variables.
const EFFORT: u64 = 100_000;

/// The degree in which a piecewise function grows: the greatest of its pieces.
pub fn degree(function: &PwQuasiPolynomial) -> u32 {
    let of = |piece: &QuasiPolynomial| piece.growth(&mut Budget::new(EFFORT)).unwrap_or_else(|_| piece.degree());
    function.pieces().iter().map(|(_, piece)| of(piece)).max().unwrap_or(0)
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: degree {}, {}", self.name, self.degree(), self.operations)
    }
}

/// The operations of every variable that takes some, in normal form, and their sum.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn cost(system: &System, budget: &mut Budget) -> Result<(Vec<Cost>, PwQuasiPolynomial), Stop> {
    let system = normalize(system, budget)?;
    let space = system.context.space().clone();
    let mut total = PwQuasiPolynomial::zero(space.clone());
    let mut all = Vec::new();
    for equation in &system.equations {
        let context = named(&system.variables[equation.variable].domain, &system.scope(&equation.dims));
        let mut sum = PwQuasiPolynomial::zero(space.clone());
        match &equation.body.kind {
            ExprKind::Reduce(reduce) => {
                let points = body_context(reduce, &context).compute_divs(budget)?;
                let nonempty = answers(&points, context.space());
                sum = sum.add(&points_of(&points, 1, budget)?, budget)?;
                sum = sum.add(&points_of(&nonempty, -1, budget)?, budget)?;
                sum = sum.add(&of_branches(&reduce.body, &points, budget)?, budget)?;
            }
            _ => sum = sum.add(&of_branches(&equation.body, &context, budget)?, budget)?,
        }
        total = total.add(&sum, budget)?;
        if !sum.pieces().is_empty() {
            all.push(Cost { name: system.variables[equation.variable].name.clone(), operations: sum });
        }
    }
    Ok((all, total))
}

fn of_branches(body: &Expr, context: &Set, budget: &mut Budget) -> Result<PwQuasiPolynomial, Stop> {
    let mut sum = PwQuasiPolynomial::zero(context.space().params_space());
    for branch in branches(body, context, budget)? {
        let operations = branch.body.all().iter().filter(|e| is_operation(e)).count();
        sum = sum.add(&points_of(&branch.domain, operations as i64, budget)?, budget)?;
    }
    Ok(sum)
}

fn is_operation(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Call(..) | ExprKind::If(..))
}

/// A multiple of the number of points, as a function of the parameters.
fn points_of(set: &Set, times: i64, budget: &mut Budget) -> Result<PwQuasiPolynomial, Stop> {
    let space = set.space().params_space();
    let zero = PwQuasiPolynomial::zero(space.clone());
    if times == 0 || set.is_empty(budget)? {
        return Ok(zero);
    }
    let number = match set.card(budget)? {
        Cardinality::Parametric(function) => function,
        Cardinality::Constant(number) => constant(&space, number),
        Cardinality::Infinite { .. } => return Err(Stop),
    };
    let factor = constant(&space, Int::from(times));
    number.mul(&factor, budget)
}

fn constant(space: &poly_presburger::Space, number: Int) -> PwQuasiPolynomial {
    let function = QuasiPolynomial::constant(space.clone(), Rational::from(number));
    PwQuasiPolynomial::on(Set::universe(space.clone()), function)
}
