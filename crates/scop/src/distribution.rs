//! Innermost loops that are free of dependences because only some of the statements are in them.
//!
//! # Problem
//! In a factorization, `A[i][k] /= A[k][k]` and `A[i][j] -= A[i][k] * A[k][j]` are statements of
//! one band, and along `j` the second one waits for the first one: the loop over `j` is not free.
//! But the first statement has one point for each `k`, and the AST generator writes it before the
//! loop over `j`, in which nothing depends on anything else.
//!
//! # Method
//! Lowering puts the mark [`Mark::VectorIfDistributed`] above such a member, with the pairs of
//! statements, exactly decided, of which an instance depends on one of another iteration of that
//! loop alone. The AST generator distributes statements to different loops where their domains
//! allow it. In the AST, the mark becomes [`Mark::Vector`] where it stands above an innermost loop
//! with no such pair in it, and goes away elsewhere.
//!
//! # Legality
//! That such a loop carries no other dependences than those of the pairs is decided once more, from
//! the final tree, by the checker.

use poly_ast_build::{Ast, Node};
use poly_presburger::Id;
use poly_schedule_tree::Mark;

/// The AST with [`Mark::Vector`] or nothing in place of [`Mark::VectorIfDistributed`].
pub(crate) fn decided(mut ast: Ast) -> Ast {
    ast.root = decide(ast.root);
    ast
}

/// The recursion is bounded by the depth of the AST.
fn decide(node: Node) -> Node {
    let boxed = |node: Box<Node>| Box::new(decide(*node));
    match node {
        Node::Block(nodes) => Node::Block(nodes.into_iter().map(decide).collect()),
        Node::For(mut l) => {
            l.body = decide(l.body);
            Node::For(l)
        }
        Node::If { condition, then, otherwise } => {
            Node::If { condition, then: boxed(then), otherwise: otherwise.map(boxed) }
        }
        Node::Mark { mark: Mark::VectorIfDistributed(dependent), body } => match *body {
            Node::For(mut l) if is_free(&l.body, &dependent) => {
                l.coincident = true;
                Node::Mark { mark: Mark::Vector, body: Box::new(Node::For(l)) }
            }
            other => decide(other),
        },
        Node::Mark { mark, body } => Node::Mark { mark, body: boxed(body) },
        Node::User { .. } => node,
    }
}

/// Whether the body of a loop has no loop in it, and none of the pairs.
fn is_free(body: &Node, dependent: &[(Id, Id)]) -> bool {
    let mut statements: Vec<&Id> = Vec::new();
    if !collect(body, &mut statements) {
        return false;
    }
    let has = |name: &Id| statements.contains(&name);
    !dependent.iter().any(|(a, b)| has(a) && has(b))
}

/// Adds the names of the statements; whether there is no loop.
fn collect<'a>(node: &'a Node, statements: &mut Vec<&'a Id>) -> bool {
    match node {
        Node::Block(nodes) => nodes.iter().all(|node| collect(node, statements)),
        Node::For(_) => false,
        Node::If { then, otherwise, .. } => {
            collect(then, statements) && otherwise.as_ref().is_none_or(|otherwise| collect(otherwise, statements))
        }
        Node::Mark { body, .. } => collect(body, statements),
        Node::User { statement, .. } => {
            statements.push(statement);
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

    fn marked(body: Node, bound: &[(&str, &str)]) -> Node {
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
        let bound = bound.iter().map(|(a, b)| (Id::new(a), Id::new(b))).collect();
        Node::Mark { mark: Mark::VectorIfDistributed(bound), body: Box::new(Node::For(Box::new(l))) }
    }

    /// Whether a loop is free.
    fn freed(body: Node, bound: &[(&str, &str)]) -> bool {
        match decide(marked(body, bound)) {
            Node::Mark { mark, body } => {
                assert_eq!(mark, Mark::Vector);
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
        assert!(!freed(marked(user("Update"), &[]), &[]));
        let conditional = Node::If {
            condition: poly_ast_build::Cond::True,
            then: Box::new(user("Divide")),
            otherwise: Some(Box::new(user("Update"))),
        };
        assert!(freed(conditional.clone(), &[]));
        assert!(!freed(conditional, &[("Divide", "Update")]));
    }
}
