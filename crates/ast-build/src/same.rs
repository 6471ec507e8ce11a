//! Whether one piece of program can stand for another.
//!
//! Two nodes are the same, for the parameters and outer counters that some [`Knowledge`] allows, if
//! they have the same loops, conditions and statements, and all expressions in them have the same
//! values. Counters of corresponding loops are identified. Affine expressions are compared by the
//! solver, others (and conditions) by their form.

use poly_presburger::{Budget, Stop};

use crate::ast::{Cond, Expr, For, IterId, Node};
use crate::facts::Knowledge;

/// Corresponding counters: of the first node, of the second.
type Pairs = Vec<(IterId, IterId)>;

/// Does `a` run what `b` runs, in the same order, wherever something is known?
pub(crate) fn same(known: &Knowledge<'_>, a: &Node, b: &Node, budget: &mut Budget) -> Result<bool, Stop> {
    Ok(alike(a, b) && same_nodes(known, a, b, &mut Vec::new(), budget)?)
}

/// Have the nodes the same form, apart from expressions?
fn alike(a: &Node, b: &Node) -> bool {
    match (a, b) {
        (Node::Block(a), Node::Block(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b)),
        (Node::For(a), Node::For(b)) => {
            let loops = |l: &For| (l.step.clone(), l.grid.clone(), l.band, l.coincident);
            loops(a) == loops(b) && alike(&a.body, &b.body)
        }
        (Node::If { then: a, otherwise: c, .. }, Node::If { then: b, otherwise: d, .. }) => {
            let others = match (c, d) {
                (Some(c), Some(d)) => alike(c, d),
                (None, None) => true,
                _ => false,
            };
            others && alike(a, b)
        }
        (Node::Mark { mark: a, body: c }, Node::Mark { mark: b, body: d }) => a == b && alike(c, d),
        (Node::User { statement: a, coordinates: c }, Node::User { statement: b, coordinates: d }) => {
            a == b && c.len() == d.len()
        }
        _ => false,
    }
}

fn same_nodes(known: &Knowledge<'_>, a: &Node, b: &Node, pairs: &mut Pairs, budget: &mut Budget) -> Result<bool, Stop> {
    match (a, b) {
        (Node::Block(a), Node::Block(b)) => {
            for (a, b) in a.iter().zip(b) {
                if !same_nodes(known, a, b, pairs, budget)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Node::For(a), Node::For(b)) => {
            if !same_bounds(known, a, b, pairs, budget)? {
                return Ok(false);
            }
            pairs.push((a.iterator, b.iterator));
            let result = same_nodes(&known.inside(a), &a.body, &b.body, pairs, budget);
            pairs.pop();
            result
        }
        (Node::If { condition, then: a, otherwise: c }, Node::If { condition: other, then: b, otherwise: d }) => {
            if *condition != renamed_condition(other, pairs)
                || !same_nodes(&known.with(condition), a, b, pairs, budget)?
            {
                return Ok(false);
            }
            match (c, d) {
                (Some(c), Some(d)) => same_nodes(&known.without(condition), c, d, pairs, budget),
                _ => Ok(true),
            }
        }
        (Node::Mark { body: a, .. }, Node::Mark { body: b, .. }) => same_nodes(known, a, b, pairs, budget),
        (Node::User { coordinates: a, .. }, Node::User { coordinates: b, .. }) => {
            for (a, b) in a.iter().zip(b) {
                if !same_values(known, a, &renamed(b, pairs), budget)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        _ => Ok(false),
    }
}

fn same_bounds(known: &Knowledge<'_>, a: &For, b: &For, pairs: &Pairs, budget: &mut Budget) -> Result<bool, Stop> {
    let uppers = match (&a.upper, &b.upper) {
        (Some(a), Some(b)) => same_values(known, a, &renamed(b, pairs), budget)?,
        (None, None) => true,
        _ => false,
    };
    Ok(uppers && same_values(known, &a.lower, &renamed(&b.lower, pairs), budget)?)
}

fn same_values(known: &Knowledge<'_>, a: &Expr, b: &Expr, budget: &mut Budget) -> Result<bool, Stop> {
    if a == b {
        return Ok(true);
    }
    known.in_all(&mut |facts| Ok(facts.is_at_least(a, b, budget)? && facts.is_at_least(b, a, budget)?))
}

/// The expression with the counters of the first node.
fn renamed(expr: &Expr, pairs: &Pairs) -> Expr {
    let all = |list: &[Expr]| list.iter().map(|e| renamed(e, pairs)).collect();
    match expr {
        Expr::Int(_) | Expr::Param(_) => expr.clone(),
        Expr::Iter(id) => Expr::Iter(pairs.iter().find(|(_, b)| b == id).map_or(*id, |(a, _)| *a)),
        Expr::Add(terms) => Expr::Add(all(terms)),
        Expr::Mul(factor, inner) => Expr::Mul(factor.clone(), Box::new(renamed(inner, pairs))),
        Expr::FloorDiv(inner, divisor) => Expr::FloorDiv(Box::new(renamed(inner, pairs)), divisor.clone()),
        Expr::Mod(inner, divisor) => Expr::Mod(Box::new(renamed(inner, pairs)), divisor.clone()),
        Expr::Min(parts) => Expr::Min(all(parts)),
        Expr::Max(parts) => Expr::Max(all(parts)),
    }
}

fn renamed_condition(cond: &Cond, pairs: &Pairs) -> Cond {
    let all = |list: &[Cond]| list.iter().map(|c| renamed_condition(c, pairs)).collect();
    match cond {
        Cond::True | Cond::False => cond.clone(),
        Cond::And(conds) => Cond::And(all(conds)),
        Cond::Or(conds) => Cond::Or(all(conds)),
        Cond::Not(cond) => Cond::Not(Box::new(renamed_condition(cond, pairs))),
        Cond::NonNegative(form) => Cond::NonNegative(renamed(form, pairs)),
        Cond::Zero(form) => Cond::Zero(renamed(form, pairs)),
    }
}
