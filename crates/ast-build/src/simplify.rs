//! Simplification of a finished program: conditions and bounds that make no difference are left
//! out.
//!
//! The generator tests each constraint of an instance once, in the outermost place where it can be
//! told. What it tests may still make no difference: because the loops within would not run anyway,
//! because it follows over the integers but not over the rationals, or because neighbours are
//! tested for conditions that exclude each other. From the inside out, with the [`Knowledge`] of
//! the loops and conditions around a node (as they are written):
//!
//! * a term of a condition goes if, where it does not hold but what is known does, the node runs no
//!   instance: either that cannot be, or on the way to every instance there is a loop without
//!   iterations;
//! * a value in the maximum of a lower bound, or in the minimum of an upper bound, goes if the
//!   counter satisfies it by the other bounds;
//! * an `if` whose condition implies that of the `if` before it moves into it, or the other way
//!   around; one whose condition excludes that of the `if` before moves into its `else`, where less
//!   is left to test, or where both run the same, one of them is left, for either condition;
//! * two `if` with the same condition become one if what is between them would not run anything
//!   where the condition does not hold.
//!
//! A condition on counters is only left out in favour of loops directly below it: a test that saves
//! the iterations of a loop around empty loops is worth having. For a condition on parameters this
//! does not matter, it is met once.
//!
//! Correctness: each step by itself leaves the instances and their order as they are. Every
//! question is to the solver; one that is not answered within the budget counts as answered with
//! no.

use poly_presburger::{BasicSet, Budget, Stop};

use crate::ast::{Ast, Cond, Expr, For, Node};
use crate::facts::{Facts, Knowledge, parts};
use crate::place::depth;
use crate::same::same;

/// The program without what makes no difference for parameter values in `context`.
pub(crate) fn simplify(ast: Ast, context: &BasicSet, budget: &mut Budget) -> Ast {
    let params = &context.space().params;
    let known = Knowledge::of(Facts::new(context, params, depth(&ast.root)));
    let root = Simplifier { budget }.node(&known, ast.root);
    Ast { root, iterators: ast.iterators }
}

struct Simplifier<'b> {
    budget: &'b mut Budget,
}

/// Asks whether a value is not needed beside others.
type Follows<'a, S> = dyn FnMut(&mut S, &[Expr], &Expr) -> Result<bool, Stop> + 'a;

impl Simplifier<'_> {
    fn node(&mut self, known: &Knowledge<'_>, node: Node) -> Node {
        match node {
            Node::Block(nodes) => {
                let mut done = Vec::new();
                for node in nodes {
                    let node = self.node(known, node);
                    self.append(known, &mut done, node);
                    self.gather(known, &mut done);
                }
                Node::block(done)
            }
            Node::For(f) => self.looped(known, *f),
            Node::If { condition, then, otherwise } => {
                let then = self.node(&known.with(&condition), *then);
                let otherwise = otherwise.map(|node| self.node(&known.without(&condition), *node));
                self.tested(known, condition, then, otherwise)
            }
            Node::Mark { mark, body } => {
                let body = self.node(known, *body);
                if body.is_empty() { body } else { Node::Mark { mark, body: Box::new(body) } }
            }
            user @ Node::User { .. } => user,
        }
    }

    fn looped(&mut self, known: &Knowledge<'_>, mut f: For) -> Node {
        let inside = known.inside(&f);
        self.bounds(known, &mut f);
        let body = std::mem::replace(&mut f.body, Node::Block(Vec::new()));
        f.body = self.node(&inside, body);
        if f.body.is_empty() { f.body } else { Node::For(Box::new(f)) }
    }

    /// Leaves out bounds that follow from the others.
    fn bounds(&mut self, known: &Knowledge<'_>, f: &mut For) {
        let is_aligned = f.step.is_one()
            || known.cases.iter().all(|facts| facts.clone().common_residue(&f.lower, &f.step).is_some());
        if is_aligned {
            let mut kept = parts(&f.lower, true).to_vec();
            self.retain_needed(&mut kept, &mut |this, rest, part| {
                let candidate = For { lower: Expr::max(rest.to_vec()), body: Node::Block(Vec::new()), ..f.clone() };
                let counter = Expr::Iter(f.iterator);
                let inside = known.inside(&candidate);
                inside.in_all(&mut |facts| facts.is_at_least(&counter, part, this.budget))
            });
            f.lower = Expr::max(kept);
        }
        if let Some(upper) = &f.upper {
            let mut kept = parts(upper, false).to_vec();
            self.retain_needed(&mut kept, &mut |this, rest, part| {
                let upper = Some(Expr::min(rest.to_vec()));
                let candidate = For { upper, body: Node::Block(Vec::new()), ..f.clone() };
                let counter = Expr::Iter(f.iterator);
                let inside = known.inside(&candidate);
                inside.in_all(&mut |facts| facts.is_at_least(part, &counter, this.budget))
            });
            f.upper = Some(Expr::min(kept));
        }
        let (lower, upper) = (f.lower.clone(), f.upper.clone());
        f.lower = self.without_cases(known, lower, false);
        f.upper = upper.map(|upper| self.without_cases(known, upper, true));
    }

    /// Takes values out of a list, the most complicated ones first, while one is left and the test
    /// (of the others and the one) says that it is not needed.
    fn retain_needed(&mut self, list: &mut Vec<Expr>, follows: &mut Follows<'_, Self>) {
        let mut candidates = list.clone();
        candidates.sort_by_key(|e| std::cmp::Reverse(size(e)));
        for part in candidates {
            if list.len() == 1 {
                break;
            }
            let rest: Vec<Expr> = list.iter().filter(|e| **e != part).cloned().collect();
            if certain(follows(self, &rest, &part)) {
                *list = rest;
            }
        }
    }

    /// A bound whose parts are minima (or maxima) of cases, without cases that another one is never
    /// beyond.
    fn without_cases(&mut self, known: &Knowledge<'_>, bound: Expr, of_maxima: bool) -> Expr {
        let all: Vec<Expr> = parts(&bound, !of_maxima)
            .iter()
            .map(|part| {
                let mut cases = parts(part, of_maxima).to_vec();
                self.retain_needed(&mut cases, &mut |this, rest, case| {
                    let other = if of_maxima { Expr::max(rest.to_vec()) } else { Expr::min(rest.to_vec()) };
                    known.in_all(&mut |facts| match of_maxima {
                        true => facts.is_at_least(&other, case, this.budget),
                        false => facts.is_at_least(case, &other, this.budget),
                    })
                });
                if of_maxima { Expr::max(cases) } else { Expr::min(cases) }
            })
            .collect();
        if of_maxima { Expr::min(all) } else { Expr::max(all) }
    }

    /// A node under a condition, of which only the terms that make a difference are tested.
    fn tested(&mut self, known: &Knowledge<'_>, condition: Cond, then: Node, otherwise: Option<Node>) -> Node {
        let otherwise = otherwise.filter(|node| !node.is_empty());
        if then.is_empty() {
            let Some(otherwise) = otherwise else { return then };
            return self.tested(known, condition.negated(), otherwise, None);
        }
        if certain(known.excludes(&condition, self.budget)) {
            return otherwise.unwrap_or(Node::Block(Vec::new()));
        }
        let mut kept: Vec<Cond> = match condition {
            Cond::And(conds) => conds,
            other => vec![other],
        };
        let mut candidates = kept.clone();
        candidates.sort_by_key(|cond| std::cmp::Reverse(size_of_condition(cond)));
        for cond in candidates {
            let rest: Vec<Cond> = kept.iter().filter(|c| **c != cond).cloned().collect();
            let violated = known.with(&Cond::all(rest.clone())).without(&cond);
            let reach = if mentions_counter(&cond) { Reach::Near } else { Reach::Far };
            let idle = match otherwise {
                None => self.is_idle(&violated, &then, reach),
                Some(_) => violated.is_empty(self.budget),
            };
            if certain(idle) {
                kept = rest;
            }
        }
        match (Cond::all(kept), then, otherwise) {
            (Cond::True, then, _) => then,
            (condition, then, Some(Node::If { condition: other, then: second, otherwise }))
                if certain(same(&known.without(&condition).with(&other), &then, &second, self.budget)) =>
            {
                Node::If { condition: Cond::any([condition, other]), then: Box::new(then), otherwise }
            }
            (condition, Node::If { condition: inner, then, otherwise: None }, None) => {
                Node::If { condition: Cond::all([condition, inner]), then, otherwise: None }
            }
            (condition, then, otherwise) => {
                Node::If { condition, then: Box::new(then), otherwise: otherwise.map(Box::new) }
            }
        }
    }

    /// Does a node run no instance in any of the cases?
    fn is_idle(&mut self, known: &Knowledge<'_>, node: &Node, reach: Reach) -> Result<bool, Stop> {
        Ok(known.is_empty(self.budget)? || self.runs_nothing(known, node, reach)?)
    }

    /// Does a node run no instance in any of the cases, one of which is possible?
    fn runs_nothing(&mut self, known: &Knowledge<'_>, node: &Node, reach: Reach) -> Result<bool, Stop> {
        match node {
            Node::User { .. } => Ok(false),
            Node::Block(nodes) => {
                if nodes.iter().any(|node| matches!(node, Node::User { .. })) {
                    return Ok(false);
                }
                for node in nodes {
                    if !self.runs_nothing(known, node, reach)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Node::For(f) => match reach {
                Reach::Near => known.inside(f).is_empty(self.budget),
                Reach::Far => self.is_idle(&known.inside(f), &f.body, reach),
            },
            Node::If { condition, then, otherwise } => {
                let otherwise = otherwise.as_deref();
                Ok(self.is_idle(&known.with(condition), then, reach)?
                    && match otherwise {
                        Some(node) => self.is_idle(&known.without(condition), node, reach)?,
                        None => true,
                    })
            }
            Node::Mark { body, .. } => self.runs_nothing(known, body, reach),
        }
    }

    /// Puts a node behind others; a condition moves into the one before where it can.
    fn append(&mut self, known: &Knowledge<'_>, nodes: &mut Vec<Node>, node: Node) {
        let Node::If { condition, then, otherwise: None } = node else {
            match node {
                Node::Block(inner) => inner.into_iter().for_each(|node| self.append(known, nodes, node)),
                node => nodes.push(node),
            }
            return;
        };
        let Some(Node::If { .. }) = nodes.last() else {
            nodes.push(Node::If { condition, then, otherwise: None });
            return;
        };
        let Some(Node::If { condition: before, then: first, otherwise: second }) = nodes.pop() else {
            unreachable!("the last node is a condition")
        };
        let here = known.with(&condition);
        let joined = if certain(here.implies(&before, self.budget)) {
            // if (before) { first; if (condition) then }
            let known = known.with(&before);
            let first = Box::new(self.followed(&known, Some(first), condition, *then));
            Node::If { condition: before, then: first, otherwise: second }
        } else if certain(here.excludes(&before, self.budget)) {
            let is_alone = second.as_ref().is_none_or(|node| certain(self.is_idle(&here, node, Reach::Far)));
            if is_alone && certain(same(&here, &first, &then, self.budget)) {
                // if (before || condition) first
                Node::If { condition: Cond::any([before, condition]), then: first, otherwise: second }
            } else {
                // if (before) first else { second; if (condition) then }
                let known = known.without(&before);
                let second = Some(Box::new(self.followed(&known, second, condition, *then)));
                Node::If { condition: before, then: first, otherwise: second }
            }
        } else if second.is_none() && certain(known.with(&before).implies(&condition, self.budget)) {
            // if (condition) { if (before) first; then }
            let inner = known.with(&condition);
            let first = self.tested(&inner, before, *first, None);
            Node::If { condition, then: Box::new(Node::block([first, *then])), otherwise: None }
        } else {
            nodes.push(Node::If { condition: before, then: first, otherwise: second });
            Node::If { condition, then, otherwise: None }
        };
        nodes.push(joined);
    }

    /// A branch, and then a node under a condition.
    fn followed(&mut self, known: &Knowledge<'_>, branch: Option<Box<Node>>, condition: Cond, then: Node) -> Node {
        let mut inner = match branch.map(|node| *node) {
            Some(Node::Block(nodes)) => nodes,
            Some(node) => vec![node],
            None => Vec::new(),
        };
        let node = self.tested(known, condition, then, None);
        self.append(known, &mut inner, node);
        Node::block(inner)
    }

    /// Where the last node and an earlier one have the same condition, and what stands between them
    /// runs nothing without it, one condition stands around all of them.
    fn gather(&mut self, known: &Knowledge<'_>, nodes: &mut Vec<Node>) {
        let Some(Node::If { condition, otherwise: None, .. }) = nodes.last() else { return };
        let is_same = |node: &Node| matches!(node, Node::If { condition: c, otherwise: None, .. } if c == condition);
        let Some(from) = nodes[..nodes.len() - 1].iter().rposition(is_same) else { return };
        let condition = condition.clone();
        let violated = known.without(&condition);
        let between = &nodes[from + 1..nodes.len() - 1];
        if !between.iter().all(|node| certain(self.is_idle(&violated, node, Reach::Near))) {
            return;
        }
        let inside = nodes.drain(from..).flat_map(|node| match node {
            Node::If { condition: c, then, otherwise: None } if c == condition => vec![*then],
            other => vec![other],
        });
        let then = Box::new(Node::block(inside.collect::<Vec<Node>>()));
        nodes.push(Node::If { condition, then, otherwise: None });
    }
}

/// How far below a condition loops may be that make it superfluous.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Directly below.
    Near,
    /// Anywhere.
    Far,
}

/// An answer; no answer counts as no.
fn certain(answer: Result<bool, Stop>) -> bool {
    answer.unwrap_or(false)
}

fn mentions_counter(cond: &Cond) -> bool {
    match cond {
        Cond::True | Cond::False => false,
        Cond::And(conds) | Cond::Or(conds) => conds.iter().any(mentions_counter),
        Cond::Not(cond) => mentions_counter(cond),
        Cond::NonNegative(form) | Cond::Zero(form) => has_counter(form),
    }
}

fn has_counter(expr: &Expr) -> bool {
    match expr {
        Expr::Int(_) | Expr::Param(_) => false,
        Expr::Iter(_) => true,
        Expr::Mul(_, inner) | Expr::FloorDiv(inner, _) | Expr::Mod(inner, _) => has_counter(inner),
        Expr::Add(parts) | Expr::Min(parts) | Expr::Max(parts) => parts.iter().any(has_counter),
    }
}

/// How complicated an expression is.
fn size(expr: &Expr) -> usize {
    match expr {
        Expr::Int(_) => 1,
        Expr::Param(_) | Expr::Iter(_) => 2,
        Expr::Mul(_, inner) => 1 + size(inner),
        Expr::FloorDiv(inner, _) | Expr::Mod(inner, _) => 8 + size(inner),
        Expr::Add(parts) | Expr::Min(parts) | Expr::Max(parts) => parts.iter().map(size).sum(),
    }
}

fn size_of_condition(cond: &Cond) -> usize {
    match cond {
        Cond::True | Cond::False => 0,
        Cond::And(conds) | Cond::Or(conds) => conds.iter().map(size_of_condition).sum(),
        Cond::Not(cond) => 1 + size_of_condition(cond),
        Cond::NonNegative(form) => size(form),
        Cond::Zero(form) => 1 + size(form),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use indexmap::IndexMap;
    use poly_arith::Int;
    use poly_presburger::{Id, Space, Tuple};
    use proptest::prelude::*;

    use super::*;
    use crate::ast::{IterId, LoopIterator};
    use crate::interpret::interpret;

    fn n() -> Expr {
        Expr::Param("n".into())
    }

    fn counter(i: usize) -> Expr {
        Expr::Iter(IterId(i))
    }

    fn plus(a: Expr, b: i64) -> Expr {
        Expr::sum([a, Expr::int(b)])
    }

    fn minus(a: Expr, b: Expr) -> Expr {
        Expr::sum([a, b.times(&Int::NEG_ONE)])
    }

    fn at_least(a: Expr, b: Expr) -> Cond {
        Cond::NonNegative(minus(a, b))
    }

    fn user(name: &str, coordinates: Vec<Expr>) -> Node {
        Node::User { statement: name.into(), coordinates }
    }

    fn looped(i: usize, lower: Expr, upper: Expr, step: i64, body: Node) -> Node {
        Node::For(Box::new(For {
            iterator: IterId(i),
            lower,
            upper: Some(upper),
            step: Int::from(step),
            grid: None,
            coincident: false,
            band: None,
            body,
        }))
    }

    fn simplified(root: Node) -> Ast {
        let iterators = (0..4).map(|i| LoopIterator { name: format!("c{i}").into() }).collect();
        let context = BasicSet::universe(Space::set(vec!["n".into()], Tuple::anonymous(0)));
        simplify(Ast { root, iterators }, &context, &mut Budget::unlimited())
    }

    #[test]
    fn loops_test_conditions_on_parameters() {
        let inner = looped(1, Expr::int(0), plus(n(), -1), 1, user("A", vec![counter(0), counter(1)]));
        let outer = looped(0, Expr::int(0), Expr::int(9), 1, inner);
        let program = Node::block([outer.guarded(at_least(n(), Expr::int(1))), user("B", vec![])]);
        expect![[r#"
            for (int c0 = 0; c0 <= 9; c0 += 1)
              for (int c1 = 0; c1 < n; c1 += 1)
                A(c0, c1);
            B();
        "#]]
        .assert_eq(&simplified(program).to_string());
    }

    #[test]
    fn tests_that_save_iterations_stay() {
        let around = |inner: Node| looped(0, Expr::int(0), n(), 1, inner.guarded(at_least(n(), plus(counter(0), 1))));
        let loop_over = |i: usize, from: Expr, body: Node| looped(i, from, n(), 1, body);
        let near = loop_over(1, plus(counter(0), 1), user("A", vec![counter(1)]));
        let far = loop_over(1, Expr::int(0), loop_over(2, plus(counter(0), 1), user("B", vec![counter(2)])));
        expect![[r#"
            for (int c0 = 0; c0 <= n; c0 += 1)
              for (int c1 = c0 + 1; c1 <= n; c1 += 1)
                A(c1);
            for (int c0 = 0; c0 <= n; c0 += 1)
              if (n > c0)
                for (int c1 = 0; c1 <= n; c1 += 1)
                  for (int c2 = c0 + 1; c2 <= n; c2 += 1)
                    B(c2);
        "#]]
        .assert_eq(&simplified(Node::block([around(near), around(far)])).to_string());
    }

    #[test]
    fn conditions_that_exclude_each_other_are_a_chain() {
        let low = user("A", vec![]).guarded(at_least(Expr::int(4), counter(0)));
        let middle = user("B", vec![]).guarded(Cond::Zero(plus(counter(0), -5)));
        let high = user("C", vec![]).guarded(at_least(counter(0), Expr::int(6)));
        let program = looped(0, Expr::int(0), n(), 1, Node::block([low, high, middle]));
        expect![[r#"
            for (int c0 = 0; c0 <= n; c0 += 1)
              if (c0 <= 4)
                A();
              else
                if (c0 >= 6)
                  C();
                else
                  B();
        "#]]
        .assert_eq(&simplified(program).to_string());
    }

    #[test]
    fn equal_conditions_stand_around_what_is_between() {
        let test = || at_least(n(), Expr::int(1));
        let between = looped(0, Expr::int(2), n(), 1, user("B", vec![counter(0)]));
        let program = [user("A", vec![]).guarded(test()), between, user("C", vec![]).guarded(test())];
        expect![[r#"
            if (n >= 1) {
              A();
              for (int c0 = 2; c0 <= n; c0 += 1)
                B(c0);
              C();
            }
        "#]]
        .assert_eq(&simplified(Node::block(program)).to_string());
        let always = [user("A", vec![]).guarded(test()), user("B", vec![]), user("C", vec![]).guarded(test())];
        assert_eq!(simplified(Node::block(always.clone())).root, Node::block(always));
    }

    #[test]
    fn equal_programs_are_joined() {
        let loop_over = |i: usize, value: Expr| looped(i, Expr::int(0), n(), 1, user("A", vec![value, counter(i)]));
        let first = loop_over(1, counter(0)).guarded(at_least(Expr::int(2), counter(0)));
        let second = loop_over(2, Expr::int(5)).guarded(Cond::Zero(plus(counter(0), -5)));
        let third = loop_over(3, Expr::int(4)).guarded(Cond::Zero(plus(counter(0), -6)));
        expect![[r#"
            for (int c0 = 0; c0 <= 9; c0 += 1)
              if (c0 <= 2 || c0 == 5)
                for (int c1 = 0; c1 <= n; c1 += 1)
                  A(c0, c1);
              else
                if (c0 == 6)
                  for (int c3 = 0; c3 <= n; c3 += 1)
                    A(4, c3);
        "#]]
        .assert_eq(
            &simplified(looped(0, Expr::int(0), Expr::int(9), 1, Node::block([first, second, third]))).to_string(),
        );
    }

    #[test]
    fn bounds_that_others_imply_go() {
        let third = Expr::FloorDiv(Box::new(n()), Int::from(3));
        let upper = Expr::min(vec![n(), plus(third.clone().times(&Int::from(3)), 2)]);
        let lower = Expr::max(vec![Expr::int(-1), minus(n(), plus(third.times(&Int::from(3)), 3)), Expr::int(-2)]);
        let rest = Cond::Zero(Expr::Mod(Box::new(plus(counter(0), 1)), Int::from(2)));
        let even = looped(0, Expr::int(1), n(), 2, user("A", vec![counter(0)]).guarded(rest));
        let program = Node::block([looped(1, lower, upper, 1, user("B", vec![counter(1)])), even]);
        expect![[r#"
            for (int c1 = -1; c1 <= n; c1 += 1)
              B(c1);
            for (int c0 = 1; c0 <= n; c0 += 2)
              A(c0);
        "#]]
        .assert_eq(&simplified(program).to_string());
    }

    /// Affine expressions, with a quotient or remainder at times, of the parameter and the first
    /// `depth` counters.
    fn expression(depth: usize) -> BoxedStrategy<Expr> {
        let terms = proptest::collection::vec(-2i64..=2, depth + 1);
        (terms, -4i64..=4, 0usize..8, 2i64..=4)
            .prop_map(|(factors, constant, kind, divisor)| {
                let (of_n, of_counters) = factors.split_first().expect("the parameter has a factor");
                let terms = of_counters.iter().enumerate().map(|(i, f)| counter(i).times(&Int::from(*f)));
                let sum = Expr::sum(terms.chain([n().times(&Int::from(*of_n)), Expr::int(constant)]));
                match kind {
                    0 => sum.floor_div(&Int::from(divisor)),
                    1 => plus(sum.modulo(&Int::from(divisor)), -1),
                    _ => sum,
                }
            })
            .boxed()
    }

    fn condition(depth: usize) -> BoxedStrategy<Cond> {
        let atom = (expression(depth), 0..4).prop_map(|(e, kind)| match kind {
            0 => Cond::Zero(e),
            1 => Cond::Not(Box::new(Cond::Zero(e))),
            _ => Cond::NonNegative(e),
        });
        (proptest::collection::vec(atom, 1..3), any::<bool>(), 0..8)
            .prop_map(|(atoms, all, negate)| {
                let cond = if all { Cond::all(atoms) } else { Cond::any(atoms) };
                if negate == 0 { cond.negated() } else { cond }
            })
            .boxed()
    }

    fn program(depth: usize, size: u32) -> BoxedStrategy<Node> {
        let leaf = (0..3usize).prop_map(move |k| user(["A", "B", "C"][k], (0..depth).map(counter).collect()));
        if size == 0 {
            return leaf.boxed();
        }
        let block = proptest::collection::vec(program(depth, size - 1), 1..4).prop_map(Node::block);
        let test = (condition(depth), program(depth, size - 1), proptest::option::of(program(depth, size - 1)));
        let test = test.prop_map(|(condition, then, otherwise)| Node::If {
            condition,
            then: Box::new(then),
            otherwise: otherwise.map(Box::new),
        });
        if depth == 2 {
            return prop_oneof![1 => leaf, 2 => block, 3 => test].boxed();
        }
        let bounds = || proptest::collection::vec(expression(depth), 1..4);
        let nest = (bounds(), bounds(), bounds(), 1i64..=3, program(depth + 1, size - 1));
        let nest = nest.prop_map(move |(lower, cases, upper, step, body)| {
            let lower = Expr::max(lower.into_iter().chain([Expr::int(-3), Expr::min(cases)]).collect());
            let upper = Expr::min(upper.into_iter().chain([Expr::int(5)]).collect());
            looped(depth, lower, upper, step, body)
        });
        prop_oneof![1 => leaf, 2 => block, 3 => test, 3 => nest].boxed()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn programs_run_the_same_instances(root in program(0, 5)) {
            let runs = |ast: &Ast, value: i64| {
                let params = IndexMap::from([(Id::new("n"), Int::from(value))]);
                let mut trace = Vec::new();
                interpret(ast, &params, &mut |id, point| trace.push((id.clone(), point.to_vec())));
                trace
            };
            let simple = simplified(root.clone());
            let original = Ast { root, iterators: simple.iterators.clone() };
            for value in -4..=6 {
                prop_assert_eq!(runs(&original, value), runs(&simple, value), "n = {}\n{}{}", value, original, simple);
            }
        }
    }
}
