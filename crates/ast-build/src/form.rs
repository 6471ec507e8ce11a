//! The form of conditions: programs without `else`, or without `or`, for those who cannot have
//! them.
//!
//! * `if (c) A else B` becomes `if (c) A; if (not c) B`. Conditions do not change between the two:
//!   they are about parameters and counters.
//! * `if (a or b) A` becomes `if (a) A; if (not a and b) A`: the condition as a union of disjoint
//!   conjunctions. `A` is copied, but each instance runs once, as before, since all of it is of the
//!   same values of the counters.

use crate::ast::{Ast, Cond, For, Node};
use crate::options::AstOptions;

/// A program whose conditions have the form that is asked for.
pub(crate) fn in_form(ast: Ast, options: &AstOptions) -> Ast {
    if options.allow_else && options.allow_or {
        return ast;
    }
    Ast { root: formed(ast.root, options), iterators: ast.iterators }
}

fn formed(node: Node, options: &AstOptions) -> Node {
    match node {
        Node::Block(nodes) => Node::block(nodes.into_iter().map(|node| formed(node, options))),
        Node::For(f) => {
            let body = formed(f.body, options);
            Node::For(Box::new(For { body, ..*f }))
        }
        Node::Mark { mark, body } => Node::Mark { mark, body: Box::new(formed(*body, options)) },
        user @ Node::User { .. } => user,
        Node::If { condition, then, otherwise } => {
            let then = formed(*then, options);
            let otherwise = otherwise.map(|node| formed(*node, options));
            tested(condition, then, otherwise, options)
        }
    }
}

fn tested(condition: Cond, then: Node, otherwise: Option<Node>, options: &AstOptions) -> Node {
    let Some(otherwise) = otherwise else {
        return if options.allow_or { then.guarded(condition) } else { once(&condition, true, &then) };
    };
    if !options.allow_or {
        return Node::block([once(&condition, true, &then), once(&condition, false, &otherwise)]);
    }
    if options.allow_else {
        return Node::If { condition, then: Box::new(then), otherwise: Some(Box::new(otherwise)) };
    }
    Node::block([then.guarded(condition.clone()), otherwise.guarded(condition.negated())])
}

/// The node for each of the disjoint conjunctions in which a condition holds, or does not.
fn once(condition: &Cond, holds: bool, node: &Node) -> Node {
    Node::block(disjoint(condition, holds).into_iter().map(|case| node.clone().guarded(case)))
}

/// Disjoint conjunctions of tests, one of which is true if a condition holds, or does not.
fn disjoint(condition: &Cond, holds: bool) -> Vec<Cond> {
    match (condition, holds) {
        (Cond::Not(inner), _) => disjoint(inner, !holds),
        (Cond::And(conds), true) | (Cond::Or(conds), false) => {
            let all = conds.iter().map(|cond| disjoint(cond, holds));
            all.fold(vec![Cond::True], |cases, next| {
                let both = |a: &Cond, b: &Cond| Cond::all([a.clone(), b.clone()]);
                cases.iter().flat_map(|a| next.iter().map(move |b| both(a, b))).collect()
            })
        }
        (Cond::Or(conds), true) | (Cond::And(conds), false) => {
            let (mut cases, mut before) = (Vec::new(), vec![Cond::True]);
            for cond in conds {
                let both = |list: &[Cond], next: &[Cond]| -> Vec<Cond> {
                    list.iter().flat_map(|a| next.iter().map(move |b| Cond::all([a.clone(), b.clone()]))).collect()
                };
                cases.extend(both(&before, &disjoint(cond, holds)));
                before = both(&before, &disjoint(cond, !holds));
            }
            cases
        }
        // `not (x = 0)` is a test of its own.
        (test, true) => vec![test.clone()],
        (test, false) => vec![test.clone().negated()],
    }
    .into_iter()
    .filter(|case| *case != Cond::False)
    .collect()
}
