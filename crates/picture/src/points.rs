//! Loops over the points of a set, in lexicographic order.

use std::ops::ControlFlow;

use poly_arith::Int;
use poly_ast_build::{Ast, AstOptions, Cond, Expr, Node, build};
use poly_presburger::{Budget, DimKind, Id, MultiAff, MultiUnionPwAff, Set, Space, Stop, Tuple, UnionSet};
use poly_schedule_tree::{Band, ScheduleTree, Tree};

/// Loops over the last dimensions of a set, for given values of parameters and of the dimensions
/// before.
#[derive(Clone, Debug)]
pub struct Loops {
    ast: Ast,
    params: Vec<Id>,
}

impl Loops {
    /// Loops over all dimensions but the first `outer` ones. The set must have finitely many points
    /// for each value of these.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn new(set: &Set, outer: usize, budget: &mut Budget) -> Result<Self, Stop> {
        let n = set.n_dim();
        let names: Vec<String> = (0..n).map(|i| if i < outer { format!("z.{i}") } else { format!("x{i}") }).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let set = set.set_tuple(Tuple::with_dims(None, &names));
        let params = set.space().params.len();
        let set = set.move_dims(DimKind::Param, params, DimKind::Out, 0, outer);
        let inner: Vec<&str> = names[outer..].to_vec();
        let set = set.set_tuple(Tuple::with_dims(Some(Id::new("point")), &inner)).coalesce(budget)?;
        let space = set.space().clone();
        let context = Set::universe(Space::params(space.params.clone()));
        let union = UnionSet::from_members([set]);
        let tree = if n == outer {
            ScheduleTree::from_domain(union)
        } else {
            let identity = MultiAff::identity(&space).set_range_tuple(Tuple::anonymous(n - outer));
            let band = Band::new(MultiUnionPwAff::from_multi_affs(Tuple::anonymous(n - outer), [identity]));
            ScheduleTree::new(union, Tree::band(band, Tree::leaf()))
        };
        let ast = build(&tree, &context, &AstOptions::default(), budget)?;
        Ok(Self { ast, params: space.params })
    }

    /// Visits the points for values of parameters and outer dimensions, until told to stop or a
    /// number does not fit.
    pub fn run(&self, values: &[i64], visit: &mut dyn FnMut(&[i64]) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut machine = Machine { loops: self, values, counters: vec![0; self.ast.iterators.len()], visit };
        machine.node(&self.ast.root)
    }
}

/// The points of a set for parameter values, in lexicographic order.
///
/// # Errors
/// [`Stop`] when the budget runs out or the domain is not finite.
pub fn points(set: &Set, params: &[i64], budget: &mut Budget) -> Result<Vec<Vec<i64>>, Stop> {
    let mut all = Vec::new();
    if set.plain_is_empty() {
        return Ok(all);
    }
    let loops = Loops::new(set, 0, budget)?;
    let flow = loops.run(params, &mut |point| {
        all.push(point.to_vec());
        if budget.spend(1).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    if flow.is_break() { Err(Stop) } else { Ok(all) }
}

struct Machine<'a> {
    loops: &'a Loops,
    values: &'a [i64],
    counters: Vec<i64>,
    visit: &'a mut dyn FnMut(&[i64]) -> ControlFlow<()>,
}

impl Machine<'_> {
    /// The recursion is bounded by the depth of the loops.
    fn node(&mut self, node: &Node) -> ControlFlow<()> {
        match node {
            Node::Block(nodes) => nodes.iter().try_for_each(|node| self.node(node)),
            Node::For(f) => {
                let Some(upper) = &f.upper else { return ControlFlow::Break(()) };
                let (mut value, upper, step) = (self.value(&f.lower), self.value(upper), number(&f.step));
                while value <= upper {
                    self.counters[f.iterator.0] = value;
                    self.node(&f.body)?;
                    value += step;
                }
                ControlFlow::Continue(())
            }
            Node::If { condition, then, otherwise } => match (self.holds(condition), otherwise) {
                (true, _) => self.node(then),
                (false, Some(otherwise)) => self.node(otherwise),
                (false, None) => ControlFlow::Continue(()),
            },
            Node::Mark { body, .. } => self.node(body),
            Node::User { coordinates, .. } => {
                let point: Vec<i64> = coordinates.iter().map(|e| self.value(e)).collect();
                (self.visit)(&point)
            }
        }
    }

    fn value(&self, expr: &Expr) -> i64 {
        match expr {
            Expr::Int(value) => number(value),
            Expr::Param(id) => {
                let position =
                    self.loops.params.iter().position(|p| p == id).expect("the program knows its parameters");
                self.values[position]
            }
            Expr::Iter(id) => self.counters[id.0],
            Expr::Add(terms) => terms.iter().map(|term| self.value(term)).sum(),
            Expr::Mul(factor, inner) => number(factor) * self.value(inner),
            Expr::FloorDiv(inner, by) => self.value(inner).div_euclid(number(by)),
            Expr::Mod(inner, by) => self.value(inner).rem_euclid(number(by)),
            Expr::Min(all) => all.iter().map(|e| self.value(e)).min().expect("there are two values"),
            Expr::Max(all) => all.iter().map(|e| self.value(e)).max().expect("there are two values"),
        }
    }

    fn holds(&self, condition: &Cond) -> bool {
        match condition {
            Cond::True => true,
            Cond::False => false,
            Cond::And(all) => all.iter().all(|c| self.holds(c)),
            Cond::Or(all) => all.iter().any(|c| self.holds(c)),
            Cond::Not(inner) => !self.holds(inner),
            Cond::NonNegative(expr) => self.value(expr) >= 0,
            Cond::Zero(expr) => self.value(expr) == 0,
        }
    }
}

/// Bounds of loops that people write fit; others end in an overflow check.
fn number(value: &Int) -> i64 {
    value.to_i64().unwrap_or(i64::MAX)
}
