//! Programs with other expressions in the place of counters or parameters.

use poly_ast_build::{Ast, Cond, Expr, For, Node};
use poly_presburger::Id;

use super::names::c_name;

/// What takes the place of a counter or a parameter; nothing where it stays.
pub(crate) type Leaves<'a> = &'a dyn Fn(&Expr) -> Option<Expr>;

/// The program with the parameters under their names in C.
pub(crate) fn with_c_names(ast: Ast) -> Ast {
    let leaves = |leaf: &Expr| match leaf {
        Expr::Param(id) => Some(Expr::Param(Id::new(&c_name(id.as_str())))),
        _ => None,
    };
    Ast { root: node(&ast.root, &leaves), ..ast }
}

/// The recursion is bounded by the depth of the loops.
pub(crate) fn node(node: &Node, leaves: Leaves<'_>) -> Node {
    let inner = |child: &Node| self::node(child, leaves);
    let expr = |e: &Expr| expr(e, leaves);
    match node {
        Node::Block(all) => Node::Block(all.iter().map(inner).collect()),
        Node::For(f) => Node::For(Box::new(For {
            lower: expr(&f.lower),
            upper: f.upper.as_ref().map(expr),
            body: inner(&f.body),
            ..(**f).clone()
        })),
        Node::If { condition, then, otherwise } => Node::If {
            condition: self::condition(condition, leaves),
            then: Box::new(inner(then)),
            otherwise: otherwise.as_ref().map(|node| Box::new(inner(node))),
        },
        Node::Mark { mark, body } => Node::Mark { mark: mark.clone(), body: Box::new(inner(body)) },
        Node::User { statement, coordinates } => {
            Node::User { statement: statement.clone(), coordinates: coordinates.iter().map(expr).collect() }
        }
    }
}

/// The recursion is bounded by the depth of the expression.
fn expr(e: &Expr, leaves: Leaves<'_>) -> Expr {
    let inner = |e: &Expr| expr(e, leaves);
    match e {
        Expr::Int(_) => e.clone(),
        Expr::Param(_) | Expr::Iter(_) => leaves(e).unwrap_or_else(|| e.clone()),
        Expr::Add(terms) => Expr::sum(terms.iter().map(inner)),
        Expr::Mul(factor, e) => inner(e).times(factor),
        Expr::FloorDiv(e, divisor) => inner(e).floor_div(divisor),
        Expr::Mod(e, divisor) => inner(e).modulo(divisor),
        Expr::Min(all) => Expr::min(all.iter().map(inner).collect()),
        Expr::Max(all) => Expr::max(all.iter().map(inner).collect()),
    }
}

/// The recursion is bounded by the depth of the condition.
fn condition(c: &Cond, leaves: Leaves<'_>) -> Cond {
    let inner = |c: &Cond| condition(c, leaves);
    match c {
        Cond::True | Cond::False => c.clone(),
        Cond::And(all) => Cond::And(all.iter().map(inner).collect()),
        Cond::Or(all) => Cond::Or(all.iter().map(inner).collect()),
        Cond::Not(c) => Cond::Not(Box::new(inner(c))),
        Cond::NonNegative(e) => Cond::NonNegative(expr(e, leaves)),
        Cond::Zero(e) => Cond::Zero(expr(e, leaves)),
    }
}
