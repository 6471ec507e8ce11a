//! Reductions that begin with what their answer is combined with.
//!
//! # Problem
//! `U[i, j] = A[i, j] - sum[k : ..] L[i, k] * U[k, j]` gives a sum its first value 0, and has a
//! pass that subtracts it. Code written by hand begins with `A[i, j]` and subtracts every term.
//!
//! # Definitions
//! A reduction `R` by `op` that is a guest of `X` ([`crate::memory::accumulate_in_place`]) is read
//! once by each equation of `X` that reads it, as an operand of `op`, or as one of a difference if
//! `op` is the sum. The other operand is its *origin* there.
//!
//! # Algorithm
//! For each reader: a statement gives `R` its origin as the first value, in the place of the
//! neutral element; terms are negated where they were subtracted; the reader keeps what is around
//! the operation.
//!
//! # Invariants
//! * Integers have the same values, as their operations are associative. Floating-point numbers
//!   have another order of the same terms, which the language leaves open for sums, products and
//!   extrema.
//! * An origin reads inputs only, so nothing has to wait for it.
//! * An origin has no calls and no quotients of integers: it may be computed where it is not
//!   needed.

use poly_presburger::{Budget, Id, Stop};
use poly_reductions::Operator;

use super::{Action, Pieces, Statement};
use crate::check::{Class, class};
use crate::memory::hosts;
use crate::program::{Binary, Expr, ExprKind, Role, System, Unary, operation};

impl Pieces {
    /// The same values, with reductions that begin with what they are combined with.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn accumulating(&self, budget: &mut Budget) -> Result<Self, Stop> {
        let mut result = self.clone();
        for (guest, host) in hosts(self, budget)?.into_iter().enumerate() {
            if host.is_some() {
                result.begin_with_origin(guest);
            }
        }
        for (i, statement) in result.statements.iter_mut().enumerate() {
            statement.rename(&format!("S{i}"));
        }
        result.dependences = result.find_dependences(budget)?;
        Ok(result)
    }

    /// Rewrites one reduction, if all its readers have origins with one sign.
    fn begin_with_origin(&mut self, guest: usize) {
        let operator = self.statements.iter().find_map(|s| match s.action {
            Action::Begin(operator) if s.variable == guest => Some(operator),
            _ => None,
        });
        let Some(operator) = operator else { return };
        let mut found = Vec::new();
        for (i, statement) in self.statements.iter().enumerate() {
            let reads = statement.reads().iter().filter(|(variable, _)| *variable == guest).count();
            match (reads, &statement.body) {
                (0, _) => {}
                (1, Some(body)) => match origin(&self.system, body, guest, operator) {
                    Some(origin) => found.push((i, origin)),
                    None => return,
                },
                _ => return,
            }
        }
        let Some((_, first)) = found.first() else { return };
        let negated = first.negated;
        if found.iter().any(|(_, origin)| origin.negated != negated) {
            return;
        }
        let begins = found.iter().map(|(i, origin)| Statement {
            variable: guest,
            action: Action::Begin(operator),
            body: Some(origin.value.clone()),
            ..self.statements[*i].clone()
        });
        let begins: Vec<Statement> = begins.collect();
        for (i, origin) in found {
            self.statements[i].body = Some(origin.rest);
        }
        for statement in self.statements.iter_mut().filter(|s| s.variable == guest && negated) {
            if let (Action::Update(_), Some(body)) = (statement.action, statement.body.take()) {
                let span = body.span.clone();
                statement.body = Some(Expr::new(ExprKind::Unary(Unary::Neg, Box::new(body)), &span));
            }
        }
        let is_begin = |s: &Statement| s.variable == guest && matches!(s.action, Action::Begin(_));
        let at = self.statements.iter().position(is_begin).unwrap_or(0);
        self.statements.retain(|statement| !is_begin(statement));
        self.statements.splice(at..at, begins);
    }
}

impl Statement {
    fn rename(&mut self, name: &str) {
        self.name = Id::new(name);
        let tuple = self.domain.space().range.clone().expect("a set has a tuple");
        self.domain = self.domain.set_tuple(tuple.renamed(Some(self.name.clone())));
    }
}

/// What a reduction is combined with.
struct Origin {
    /// The value.
    value: Expr,
    /// The terms are subtracted from it.
    negated: bool,
    /// The equation with the reduction alone in the place of the operation.
    rest: Expr,
}

/// The origin of a reduction in the equation that reads it. The recursion is bounded by the depth
/// of the expression.
fn origin(system: &System, body: &Expr, guest: usize, operator: Operator) -> Option<Origin> {
    if let ExprKind::Binary(sign, a, b) = &body.kind {
        let is_guest = |e: &Expr| matches!(&e.kind, ExprKind::Read(variable, _) if *variable == guest);
        let (other, read, is_left) = match (is_guest(a), is_guest(b)) {
            (true, false) => (b, a, true),
            (false, true) => (a, b, false),
            _ => (a, b, false),
        };
        if is_guest(read) {
            return combined(system, *sign, other, read, is_left, operator);
        }
    }
    let children = body.children();
    let place = children.iter().position(|child| child.reads().contains(&guest))?;
    let inner = origin(system, children[place], guest, operator)?;
    let mut rest = body.clone();
    *rest.children_mut().swap_remove(place) = inner.rest;
    Some(Origin { rest, ..inner })
}

fn combined(
    system: &System,
    sign: Binary,
    other: &Expr,
    read: &Expr,
    is_left: bool,
    operator: Operator,
) -> Option<Origin> {
    let is_safe = other.all().into_iter().all(|e| match &e.kind {
        ExprKind::Read(variable, _) => system.variables[*variable].role == Role::In,
        ExprKind::Call(..) | ExprKind::Case(_) | ExprKind::Reduce(_) | ExprKind::At { .. } => false,
        ExprKind::Binary(Binary::Div | Binary::Rem, ..) => class(system, e) == Class::Float,
        _ => true,
    });
    let is_float = |e: &Expr| class(system, e) == Class::Float;
    if !is_safe || (is_float(other) && !is_float(read)) {
        return None;
    }
    let (value, negated) = match (sign, operator) {
        (Binary::Sub, Operator::Add) if is_left => {
            (Expr::new(ExprKind::Unary(Unary::Neg, Box::new(other.clone())), &other.span), false)
        }
        (Binary::Sub, Operator::Add) => (other.clone(), true),
        _ if sign == operation(operator) => (other.clone(), false),
        _ => return None,
    };
    Some(Origin { value, negated, rest: read.clone() })
}
