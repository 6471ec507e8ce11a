//! Innermost loops that are free of dependences because only some of the statements are in them.
//!
//! # Problem
//! In a factorization, `A[i][k] /= A[k][k]` and `A[i][j] -= A[i][k] * A[k][j]` are statements of one band, and along `j` the second one waits for the first one: the loop over `j` is not free. But
//! the first statement has one point for each `k`, and the AST generator writes it before the loop over `j`, in which nothing depends on anything else.
//!
//! # Method
//! Lowering puts the mark [`APART`] above such a member and lists the pairs of statements, exactly decided, of which an instance depends on one of another iteration of that loop alone. In the AST, the mark
//! becomes [`VECTOR`] where it stands above an innermost loop with no such pair in it, and goes away elsewhere.
//!
//! # Legality
//! That such a loop carries no other dependences than those of the pairs is decided once more, from the final tree, by [`poly_scheduler::checker::check_loops_apart`].

use std::collections::BTreeSet;

use poly_ast_build::{Ast, Node};

use crate::Scop;
use crate::lower::VECTOR;

/// Mark above an innermost loop that is free of dependences if some statements are not in it together.
pub(crate) const APART: &str = "apart";

/// The AST without the marks; `bound` are the pairs of statements that depend on each other.
pub(crate) fn decided(mut ast: Ast, scop: &Scop, bound: &BTreeSet<(usize, usize)>) -> Ast {
    let pair = |&(a, b): &(usize, usize)| (&*scop.statements[a].name, &*scop.statements[b].name);
    let bound: Vec<(&str, &str)> = bound.iter().map(pair).collect();
    ast.root = decide(ast.root, &bound);
    ast
}

/// The recursion is bounded by the depth of the AST.
fn decide(node: Node, bound: &[(&str, &str)]) -> Node {
    let boxed = |node: Box<Node>| Box::new(decide(*node, bound));
    match node {
        Node::Block(nodes) => Node::Block(nodes.into_iter().map(|node| decide(node, bound)).collect()),
        Node::For(mut l) => {
            l.body = decide(l.body, bound);
            Node::For(l)
        }
        Node::If { condition, then, otherwise } => {
            Node::If { condition, then: boxed(then), otherwise: otherwise.map(boxed) }
        }
        Node::Mark { mark, body } if mark.as_str() == APART => match *body {
            Node::For(mut l) if is_free(&l.body, bound) => {
                l.coincident = true;
                Node::Mark { mark: VECTOR.into(), body: Box::new(Node::For(l)) }
            }
            other => decide(other, bound),
        },
        Node::Mark { mark, body } => Node::Mark { mark, body: boxed(body) },
        Node::User { .. } => node,
    }
}

/// Whether the body of a loop has no loop in it, and none of the pairs.
fn is_free(body: &Node, bound: &[(&str, &str)]) -> bool {
    let mut statements = Vec::new();
    if !collect(body, &mut statements) {
        return false;
    }
    let has = |name: &str| statements.iter().any(|own| own == name);
    !bound.iter().any(|(a, b)| has(a) && has(b))
}

/// Adds the names of the statements; whether there is no loop.
fn collect(node: &Node, statements: &mut Vec<String>) -> bool {
    match node {
        Node::Block(nodes) => nodes.iter().all(|node| collect(node, statements)),
        Node::For(_) => false,
        Node::If { then, otherwise, .. } => {
            collect(then, statements) && otherwise.as_ref().is_none_or(|otherwise| collect(otherwise, statements))
        }
        Node::Mark { body, .. } => collect(body, statements),
        Node::User { statement, .. } => {
            statements.push(statement.to_string());
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use poly_arith::Int;
    use poly_ast_build::{Expr, For, IterId};

    fn user(name: &str) -> Node {
        Node::User { statement: name.into(), coordinates: Vec::new() }
    }

    fn marked(body: Node) -> Node {
        let l = For {
            iterator: IterId(0),
            lower: Expr::Int(Int::ZERO),
            upper: Some(Expr::Int(Int::from(9))),
            step: Int::ONE,
            grid: None,
            coincident: false,
            band: None,
            body,
        };
        Node::Mark { mark: APART.into(), body: Box::new(Node::For(Box::new(l))) }
    }

    /// Whether a loop is free.
    fn freed(body: Node, bound: &[(&str, &str)]) -> bool {
        match decide(marked(body), bound) {
            Node::Mark { mark, body } => {
                assert_eq!(mark.as_str(), VECTOR);
                assert!(matches!(*body, Node::For(l) if l.coincident));
                true
            }
            Node::For(l) => {
                assert!(!l.coincident);
                false
            }
            other => panic!("{other:?} is no loop"),
        }
    }

    #[test]
    fn a_loop_is_free_without_the_other_statement() {
        let bound = [("Divide", "Update"), ("Sum", "Sum")];
        assert!(freed(user("Update"), &bound));
        assert!(freed(user("Divide"), &bound));
        assert!(!freed(Node::Block(vec![user("Divide"), user("Update")]), &bound));
        assert!(!freed(Node::Block(vec![user("Update"), user("Divide")]), &bound));
        assert!(!freed(user("Sum"), &bound));
    }

    #[test]
    fn only_innermost_loops_are_free() {
        assert!(!freed(marked(user("Update")), &[]));
        let conditional = Node::If {
            condition: poly_ast_build::Cond::True,
            then: Box::new(user("Divide")),
            otherwise: Some(Box::new(user("Update"))),
        };
        assert!(freed(conditional.clone(), &[]));
        assert!(!freed(conditional, &[("Divide", "Update")]));
    }
}
