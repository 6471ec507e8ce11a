//! What an AST means: an interpreter over exact integers.

use indexmap::IndexMap;
use poly_arith::Int;
use poly_presburger::{Budget, Id, Stop};

use crate::ast::{Ast, Cond, Expr, For, IterId, Node};

/// Values of parameters and of the counters of the loops around.
#[derive(Debug)]
struct Environment<'a> {
    params: &'a IndexMap<Id, Int>,
    iterators: Vec<Option<Int>>,
}

/// Run `ast` with the given values of the parameters and call `visit` with the statement and the
/// coordinates of each instance, in the order of execution.
///
/// # Panics
/// If the program mentions a parameter that has no value.
pub fn interpret(ast: &Ast, params: &IndexMap<Id, Int>, visit: &mut dyn FnMut(&Id, &[Int])) {
    let run = interpret_within(ast, params, &mut Budget::unlimited(), visit);
    run.expect("an unlimited budget does not stop");
}

/// As [`interpret`], with a budget: each node that is run and each iteration is a step.
///
/// # Errors
/// [`Stop`] when the budget runs out.
///
/// # Panics
/// If the program mentions a parameter that has no value.
pub fn interpret_within(
    ast: &Ast,
    params: &IndexMap<Id, Int>,
    budget: &mut Budget,
    visit: &mut dyn FnMut(&Id, &[Int]),
) -> Result<(), Stop> {
    let mut env = Environment { params, iterators: vec![None; ast.iterators.len()] };
    env.run(&ast.root, budget, visit)
}

/// The value of an expression without loop counters.
pub fn evaluate(expr: &Expr, params: &IndexMap<Id, Int>) -> Int {
    Environment { params, iterators: Vec::new() }.value(expr)
}

/// The truth of a condition without loop counters.
pub fn holds(cond: &Cond, params: &IndexMap<Id, Int>) -> bool {
    Environment { params, iterators: Vec::new() }.truth(cond)
}

impl Environment<'_> {
    fn run(&mut self, node: &Node, budget: &mut Budget, visit: &mut dyn FnMut(&Id, &[Int])) -> Result<(), Stop> {
        budget.spend(1)?;
        match node {
            Node::Block(nodes) => nodes.iter().try_for_each(|n| self.run(n, budget, visit)),
            Node::For(f) => self.run_loop(f, budget, visit),
            Node::If { condition, then, otherwise } => {
                if self.truth(condition) {
                    return self.run(then, budget, visit);
                }
                otherwise.as_ref().map_or(Ok(()), |node| self.run(node, budget, visit))
            }
            Node::Mark { body, .. } => self.run(body, budget, visit),
            Node::User { statement, coordinates } => {
                let point: Vec<Int> = coordinates.iter().map(|e| self.value(e)).collect();
                visit(statement, &point);
                Ok(())
            }
        }
    }

    fn run_loop(&mut self, f: &For, budget: &mut Budget, visit: &mut dyn FnMut(&Id, &[Int])) -> Result<(), Stop> {
        assert!(f.step.is_pos(), "the step of a loop must be positive");
        let upper = f.upper.as_ref().map(|bound| self.value(bound));
        let mut value = self.value(&f.lower);
        let mut step = f.step.clone();
        if let Some(grid) = &f.grid {
            step = self.value(&Expr::Param(grid.clone()));
            assert!(step.is_pos(), "tiles have at least one point");
            value = &-&(-&value).div_floor(&step) * &step;
        }
        let IterId(slot) = f.iterator;
        while upper.as_ref().is_none_or(|upper| value <= *upper) {
            budget.spend(1)?;
            self.iterators[slot] = Some(value.clone());
            self.run(&f.body, budget, visit)?;
            value += &step;
        }
        self.iterators[slot] = None;
        Ok(())
    }

    fn value(&self, expr: &Expr) -> Int {
        match expr {
            Expr::Int(value) => value.clone(),
            Expr::Param(id) => match self.params.get(id) {
                Some(value) => value.clone(),
                None => panic!("parameter {id} has no value"),
            },
            Expr::Iter(IterId(slot)) => self.iterators[*slot].clone().expect("a counter is only used inside its loop"),
            Expr::Add(terms) => terms.iter().fold(Int::ZERO, |sum, t| &sum + &self.value(t)),
            Expr::Mul(k, inner) => k * &self.value(inner),
            Expr::FloorDiv(inner, d) => self.value(inner).div_floor(d),
            Expr::Mod(inner, d) => self.value(inner).mod_floor(d),
            Expr::Min(values) => values.iter().map(|e| self.value(e)).min().expect("a minimum has operands"),
            Expr::Max(values) => values.iter().map(|e| self.value(e)).max().expect("a maximum has operands"),
        }
    }

    fn truth(&self, cond: &Cond) -> bool {
        match cond {
            Cond::True => true,
            Cond::False => false,
            Cond::And(conds) => conds.iter().all(|c| self.truth(c)),
            Cond::Or(conds) => conds.iter().any(|c| self.truth(c)),
            Cond::Not(cond) => !self.truth(cond),
            Cond::NonNegative(expr) => !self.value(expr).is_neg(),
            Cond::Zero(expr) => self.value(expr).is_zero(),
        }
    }
}
