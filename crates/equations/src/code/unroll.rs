//! Loops that choose between a few cells are unrolled, so that every copy has cells of its own.
//!
//! # Problem
//! `X[t, i]` kept in cell `(t mod 2, i)` costs a remainder for each access, and hides from
//! compilers that one step reads one buffer and writes the other one.
//!
//! # Algorithm
//! A loop with step 1 from a number on whose counter has the factor 1 or -1 in subscripts with a
//! constant modulus `m`, at most [`MOST`], becomes one with step `m` and `m` copies of its body,
//! with the counter plus `0 .. m-1`, and the iterations that are left behind it. [`Residues`] then
//! knows the remainders of these subscripts.
//!
//! # Invariants
//! The instances and their order stay. The text grows by at most twice the largest modulus in each
//! nest: only the outermost such loop of a nest is unrolled.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_ast_build::{Ast, Cond, Expr, For, IterId, Node};
use poly_presburger::Id;

use super::substitute;

/// The largest modulus for which loops are unrolled.
const MOST: i64 = 3;

/// What is known of counters: their remainder by a modulus.
pub(crate) type Residues = BTreeMap<IterId, (Int, Int)>;

/// Subscripts with a constant modulus, of an instance of a statement, with the modulus.
pub(crate) type Subscripts<'a> = &'a dyn Fn(&Id, &[Expr]) -> Vec<(Expr, Int)>;

/// Unrolls the loops of a program, and says what the counters of the new ones are.
pub(crate) fn unrolled(ast: &Ast, subscripts: Subscripts<'_>) -> (Ast, Residues) {
    let mut residues = Residues::new();
    let root = node(&ast.root, subscripts, &mut residues);
    (Ast { root, ..ast.clone() }, residues)
}

/// The remainder of an expression, if it is known.
pub(crate) fn remainder(expr: &Expr, modulus: &Int, residues: &Residues) -> Option<Int> {
    Some(match expr {
        Expr::Int(value) => value.mod_floor(modulus),
        Expr::Mul(factor, _) if factor.is_divisible_by(modulus) => Int::ZERO,
        Expr::Mul(factor, inner) => (factor * &remainder(inner, modulus, residues)?).mod_floor(modulus),
        Expr::Add(terms) => {
            let mut sum = Int::ZERO;
            for term in terms {
                sum = &sum + &remainder(term, modulus, residues)?;
            }
            sum.mod_floor(modulus)
        }
        Expr::Iter(counter) => match residues.get(counter)? {
            (known, value) if known == modulus => value.clone(),
            _ => return None,
        },
        _ => return None,
    })
}

/// The recursion is bounded by the depth of the loops.
fn node(node: &Node, subscripts: Subscripts<'_>, residues: &mut Residues) -> Node {
    let inner = |child: &Node, residues: &mut Residues| self::node(child, subscripts, residues);
    match node {
        Node::Block(all) => Node::Block(all.iter().map(|child| inner(child, residues)).collect()),
        Node::For(f) => {
            let mut moduli = Vec::new();
            let fits = collect(&f.body, f.iterator, subscripts, &mut moduli);
            match (moduli.as_slice(), &f.lower, &f.upper) {
                ([modulus], Expr::Int(lower), Some(upper)) if fits && f.step.is_one() && f.grid.is_none() => {
                    residues.insert(f.iterator, (modulus.clone(), lower.mod_floor(modulus)));
                    copies(f, lower, upper, modulus)
                }
                _ => Node::For(Box::new(For { body: inner(&f.body, residues), ..(**f).clone() })),
            }
        }
        Node::If { condition, then, otherwise } => Node::If {
            condition: condition.clone(),
            then: Box::new(inner(then, residues)),
            otherwise: otherwise.as_ref().map(|node| Box::new(inner(node, residues))),
        },
        Node::Mark { mark, body } => Node::Mark { mark: mark.clone(), body: Box::new(inner(body, residues)) },
        Node::User { .. } => node.clone(),
    }
}

/// The different moduli of subscripts that move with a counter; false if one does otherwise than by
/// steps of 1, or is too large.
fn collect(node: &Node, counter: IterId, subscripts: Subscripts<'_>, moduli: &mut Vec<Int>) -> bool {
    match node {
        Node::Block(all) => all.iter().all(|child| collect(child, counter, subscripts, moduli)),
        Node::For(f) => collect(&f.body, counter, subscripts, moduli),
        Node::If { then, otherwise, .. } => {
            let both = std::iter::once(then).chain(otherwise);
            both.into_iter().all(|child| collect(child, counter, subscripts, moduli))
        }
        Node::Mark { body, .. } => collect(body, counter, subscripts, moduli),
        Node::User { statement, coordinates } => {
            for (subscript, modulus) in subscripts(statement, coordinates) {
                if !subscript.mentions(counter) {
                    continue;
                }
                if modulus > MOST || !steps(&subscript, counter) {
                    return false;
                }
                if !moduli.contains(&modulus) {
                    moduli.push(modulus);
                }
            }
            true
        }
    }
}

/// Whether an expression is the counter, or its negative, and a number.
fn steps(expr: &Expr, counter: IterId) -> bool {
    match expr {
        Expr::Iter(id) => *id == counter,
        Expr::Mul(factor, inner) => factor.abs().is_one() && steps(inner, counter),
        Expr::Add(terms) => match terms.as_slice() {
            [term, Expr::Int(_)] | [Expr::Int(_), term] => steps(term, counter),
            _ => false,
        },
        _ => false,
    }
}

/// The loop with copies of its body, and what is left behind it.
fn copies(f: &For, lower: &Int, upper: &Expr, modulus: &Int) -> Node {
    let counter = Expr::Iter(f.iterator);
    let count = modulus.to_i64().unwrap_or(1);
    let at = |start: &Expr, by: i64| Expr::sum([start.clone(), Expr::int(by)]);
    let body = (0..count).map(|by| substituted(&f.body, f.iterator, &at(&counter, by)));
    let main = For {
        upper: Some(Expr::sum([upper.clone(), Expr::int(1 - count)])),
        step: modulus.clone(),
        coincident: false,
        body: Node::block(body),
        ..f.clone()
    };
    // The first iteration that is left: `lower + m floor((upper - lower + 1) / m)`.
    let length = Expr::sum([upper.clone(), Expr::Int(&Int::ONE - lower)]);
    let first = Expr::sum([Expr::Int(lower.clone()), length.floor_div(modulus).times(modulus)]);
    let left = (0..count - 1).map(|by| {
        let this = at(&first, by);
        let gap = Expr::sum([upper.clone(), this.clone().times(&Int::NEG_ONE)]);
        let is_there =
            Cond::all([Cond::NonNegative(gap), Cond::NonNegative(Expr::sum([upper.clone(), Expr::Int(-lower)]))]);
        substituted(&f.body, f.iterator, &this).guarded(is_there)
    });
    Node::block(std::iter::once(Node::For(Box::new(main))).chain(left))
}

fn substituted(node: &Node, counter: IterId, by: &Expr) -> Node {
    substitute::node(node, &|leaf| (*leaf == Expr::Iter(counter)).then(|| by.clone()))
}
