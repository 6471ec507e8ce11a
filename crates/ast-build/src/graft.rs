//! Pieces of program with the conditions under which they run.
//!
//! A [`Graft`] is a node that has not been put under its conditions yet. Keeping them apart allows
//! conditions to move outwards: when grafts are put together, a condition that all of them have
//! becomes one of the whole; the others are written down where they are, neighbours with a common
//! condition sharing one `if`, neighbours with opposite ones an `else`.

use poly_arith::Int;

use crate::ast::{Cond, Expr, IterId, Node};

/// A node and the conditions under which it runs.
#[derive(Clone, Debug)]
pub(crate) struct Graft {
    pub(crate) guards: Vec<Cond>,
    pub(crate) node: Node,
}

impl Graft {
    /// The node under all conditions.
    fn into_node(self) -> Node {
        self.node.guarded(Cond::all(self.guards))
    }

    fn has(&self, cond: &Cond) -> bool {
        self.guards.contains(cond)
    }

    fn without(mut self, cond: &Cond) -> Graft {
        self.guards.retain(|g| g != cond);
        self
    }

    fn without_opposite(mut self, cond: &Cond) -> Graft {
        self.guards.retain(|g| !are_opposite(g, cond));
        self
    }
}

/// Whether one condition holds exactly where the other does not, as far as their form tells.
fn are_opposite(a: &Cond, b: &Cond) -> bool {
    if let (Some((x, odd_x)), Some((y, odd_y))) = (parity(a), parity(b)) {
        return x == y && odd_x != odd_y;
    }
    *a == b.clone().negated()
}

/// The terms whose sum is odd, or even, if that is what a condition says.
fn parity(cond: &Cond) -> Option<(Vec<&Expr>, bool)> {
    let two = Int::from(2);
    let Cond::Zero(form) = cond else { return None };
    let (remainder, rest) = match form {
        Expr::Add(terms) => match &terms[..] {
            [remainder, Expr::Int(rest)] => (remainder, -rest),
            _ => return None,
        },
        other => (other, Int::ZERO),
    };
    let Expr::Mod(value, modulus) = remainder else { return None };
    let (terms, constant) = split(value);
    (*modulus == two).then(|| (terms, (&rest - &constant).mod_floor(&two).is_one()))
}

/// The terms of a sum without the constant, and the constant.
fn split(form: &Expr) -> (Vec<&Expr>, Int) {
    let terms: Vec<&Expr> = match form {
        Expr::Add(terms) => terms.iter().collect(),
        other => vec![other],
    };
    let constant = terms.iter().find_map(|t| t.as_int()).cloned().unwrap_or(Int::ZERO);
    (terms.into_iter().filter(|t| t.as_int().is_none()).collect(), constant)
}

/// Take conditions that all grafts have and that do not mention the counter.
pub(crate) fn take_common(grafts: &mut [Graft], counter: Option<IterId>) -> Vec<Cond> {
    let Some(first) = grafts.first() else { return Vec::new() };
    let movable = |c: &Cond| counter.is_none_or(|id| !mentions(c, id));
    let common: Vec<Cond> =
        first.guards.iter().filter(|c| movable(c) && grafts.iter().all(|g| g.has(c))).cloned().collect();
    for graft in grafts.iter_mut() {
        graft.guards.retain(|c| !common.contains(c));
    }
    common
}

/// The grafts one after the other, under their conditions.
pub(crate) fn sequence(grafts: Vec<Graft>) -> Node {
    let mut nodes = Vec::new();
    let mut rest = std::collections::VecDeque::from(grafts);
    while let Some(first) = rest.pop_front() {
        let Some((cond, n_then, n_else)) = best_run(&first, rest.make_contiguous()) else {
            nodes.push(first.into_node());
            continue;
        };
        let then: Vec<Graft> =
            std::iter::once(first).chain(rest.drain(..n_then - 1)).map(|g| g.without(&cond)).collect();
        let otherwise: Vec<Graft> = rest.drain(..n_else).map(|g| g.without_opposite(&cond)).collect();
        let node = match (sequence(then), otherwise.is_empty()) {
            (Node::If { condition, then, otherwise: None }, true) => {
                Node::If { condition: Cond::all([cond, condition]), then, otherwise: None }
            }
            (then, true) => Node::If { condition: cond, then: Box::new(then), otherwise: None },
            (then, false) => {
                let otherwise = Some(Box::new(sequence(otherwise)));
                Node::If { condition: cond, then: Box::new(then), otherwise }
            }
        };
        nodes.push(node);
    }
    Node::block(nodes)
}

/// A condition of the first graft that is worth an `if` of its own: how many grafts from the first
/// on have it, and how many after those have its opposite.
fn best_run(first: &Graft, rest: &[Graft]) -> Option<(Cond, usize, usize)> {
    let mut best: Option<(Cond, usize, usize)> = None;
    for cond in &first.guards {
        let n_then = 1 + rest.iter().take_while(|g| g.has(cond)).count();
        let n_else = rest[n_then - 1..].iter().take_while(|g| g.guards.iter().any(|c| are_opposite(c, cond))).count();
        let better = best.as_ref().is_none_or(|(_, t, e)| n_then + n_else > t + e);
        if n_then + n_else > 1 && better {
            best = Some((cond.clone(), n_then, n_else));
        }
    }
    best
}

/// Whether a condition depends on a counter.
fn mentions(cond: &Cond, counter: IterId) -> bool {
    match cond {
        Cond::True | Cond::False => false,
        Cond::And(conds) | Cond::Or(conds) => conds.iter().any(|c| mentions(c, counter)),
        Cond::Not(cond) => mentions(cond, counter),
        Cond::NonNegative(form) | Cond::Zero(form) => form.mentions(counter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(name: &str) -> Node {
        Node::User { statement: name.into(), coordinates: Vec::new() }
    }

    fn graft(guards: &[Cond], name: &str) -> Graft {
        Graft { guards: guards.to_vec(), node: user(name) }
    }

    #[test]
    fn opposite_conditions_share_an_if() {
        let n = || Expr::Param("n".into());
        let low = Cond::NonNegative(Expr::sum([n(), Expr::int(-1)]));
        let high = Cond::NonNegative(n().times(&Int::NEG_ONE));
        let m = Cond::NonNegative(Expr::Param("m".into()));
        assert_eq!(low.clone().negated(), high);
        let node = sequence(vec![
            graft(&[m.clone(), low.clone()], "A"),
            graft(std::slice::from_ref(&low), "B"),
            graft(&[high], "C"),
        ]);
        let then = Node::Block(vec![user("A").guarded(m), user("B")]);
        let expected = Node::If { condition: low, then: Box::new(then), otherwise: Some(Box::new(user("C"))) };
        assert_eq!(node, expected);
    }

    #[test]
    fn even_is_the_opposite_of_odd() {
        let i = || Expr::Iter(IterId(0));
        let two = Int::from(2);
        let even = Cond::Zero(Expr::sum([i(), Expr::int(4)]).modulo(&two));
        let odd = Cond::Zero(Expr::sum([i(), Expr::int(1)]).modulo(&two));
        let also_odd = Cond::Zero(Expr::sum([i().modulo(&two), Expr::int(-1)]));
        let of_thirds = Cond::Zero(Expr::sum([i().modulo(&Int::from(3)), Expr::int(-1)]));
        assert!(are_opposite(&even, &odd) && are_opposite(&also_odd, &even));
        assert!(!are_opposite(&odd, &also_odd) && !are_opposite(&even, &of_thirds) && !are_opposite(&even, &even));
        let node = sequence(vec![graft(&[even], "A"), graft(&[also_odd], "B")]);
        assert!(matches!(node, Node::If { otherwise: Some(_), .. }));
    }

    #[test]
    fn common_conditions_move_out_unless_they_use_the_counter() {
        let i = Cond::NonNegative(Expr::Iter(IterId(0)));
        let p = Cond::NonNegative(Expr::Param("p".into()));
        let mut grafts = [graft(&[i.clone(), p.clone()], "A"), graft(&[p.clone(), i.clone()], "B")];
        assert_eq!(take_common(&mut grafts, Some(IterId(0))), vec![p]);
        assert_eq!(take_common(&mut grafts, None), vec![i]);
        assert!(grafts.iter().all(|g| g.guards.is_empty()));
    }
}
