//! Size of a generated program.

use std::ops::AddAssign;

use crate::ast::{Ast, Cond, Expr, Node};

/// Number of nodes of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Loops.
    pub loops: usize,
    /// Conditions (nodes, not their terms).
    pub conditions: usize,
    /// Conditions inside a loop that has no loop in it.
    pub inner_conditions: usize,
    /// Statement instances.
    pub users: usize,
    /// Minima.
    pub minima: usize,
    /// Maxima.
    pub maxima: usize,
    /// Floor divisions and remainders.
    pub divisions: usize,
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Statistics) {
        self.loops += other.loops;
        self.conditions += other.conditions;
        self.inner_conditions += other.inner_conditions;
        self.users += other.users;
        self.minima += other.minima;
        self.maxima += other.maxima;
        self.divisions += other.divisions;
    }
}

impl Statistics {
    /// Count the nodes of a program.
    pub fn of(ast: &Ast) -> Statistics {
        count(&ast.root)
    }
}

fn count(node: &Node) -> Statistics {
    let mut total = Statistics::default();
    match node {
        Node::Block(nodes) => nodes.iter().for_each(|n| total += count(n)),
        Node::For(f) => {
            let mut body = count(&f.body);
            if body.loops == 0 {
                body.inner_conditions = body.conditions;
            }
            total.loops = 1;
            total += body;
            count_expr(&f.lower, &mut total);
            f.upper.iter().for_each(|upper| count_expr(upper, &mut total));
        }
        Node::If { condition, then, otherwise } => {
            total.conditions = 1;
            count_cond(condition, &mut total);
            total += count(then);
            if let Some(node) = otherwise {
                total += count(node);
            }
        }
        Node::Mark { body, .. } => total += count(body),
        Node::User { coordinates, .. } => {
            total.users = 1;
            coordinates.iter().for_each(|e| count_expr(e, &mut total));
        }
    }
    total
}

fn count_expr(expr: &Expr, total: &mut Statistics) {
    match expr {
        Expr::Int(_) | Expr::Param(_) | Expr::Iter(_) => {}
        Expr::Add(terms) => terms.iter().for_each(|e| count_expr(e, total)),
        Expr::Mul(_, inner) => count_expr(inner, total),
        Expr::FloorDiv(inner, _) | Expr::Mod(inner, _) => {
            total.divisions += 1;
            count_expr(inner, total);
        }
        Expr::Min(values) => {
            total.minima += 1;
            values.iter().for_each(|e| count_expr(e, total));
        }
        Expr::Max(values) => {
            total.maxima += 1;
            values.iter().for_each(|e| count_expr(e, total));
        }
    }
}

fn count_cond(cond: &Cond, total: &mut Statistics) {
    match cond {
        Cond::True | Cond::False => {}
        Cond::And(conds) | Cond::Or(conds) => conds.iter().for_each(|c| count_cond(c, total)),
        Cond::Not(cond) => count_cond(cond, total),
        Cond::NonNegative(expr) | Cond::Zero(expr) => count_expr(expr, total),
    }
}
