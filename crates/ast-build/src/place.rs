//! Places of a finished program, what is known there, and how functions of instances become
//! expressions: isl's callbacks of `isl_ast_build`.
//!
//! isl calls back while it generates. Here the program is finished first and then walked
//! ([`Ast::visited`]), so that a visitor sees the loops that there are, and may put another node in
//! the place of each. What isl's build tells at a node, the [`Place`] does: the loops around, and
//! what follows from them and from the conditions around.

use poly_arith::Int;
use poly_presburger::{Aff, BasicSet, Budget, DimKind, Id, PwAff, PwMultiAff, Set, Space, Stop, Tuple};
use poly_schedule_tree::Mark;

use crate::ast::{Ast, Cond, Expr, For, IterId, Node};
use crate::columns::Columns;
use crate::facts::{Facts, Knowledge};

/// A place of a program.
#[derive(Debug)]
pub struct Place<'a> {
    known: Knowledge<'a>,
    loops: Vec<IterId>,
}

/// What is done at the nodes of a program, from the outside in and, with the inner nodes done,
/// outwards again. By default nothing is.
pub trait AstVisitor {
    /// Before a loop is visited.
    ///
    /// # Errors
    /// Whatever ends the walk.
    fn before_each_for(&mut self, node: &For, place: &Place<'_>, budget: &mut Budget) -> Result<(), Stop> {
        let _ = (node, place, budget);
        Ok(())
    }

    /// What stands in the place of a loop, the body of which has been visited.
    ///
    /// # Errors
    /// Whatever ends the walk.
    fn after_each_for(&mut self, node: For, place: &Place<'_>, budget: &mut Budget) -> Result<Node, Stop> {
        let _ = (place, budget);
        Ok(Node::For(Box::new(node)))
    }

    /// Before the branches of a condition are visited.
    ///
    /// # Errors
    /// Whatever ends the walk.
    fn before_each_if(&mut self, condition: &Cond, place: &Place<'_>, budget: &mut Budget) -> Result<(), Stop> {
        let _ = (condition, place, budget);
        Ok(())
    }

    /// Before a mark is visited.
    ///
    /// # Errors
    /// Whatever ends the walk.
    fn before_each_mark(&mut self, mark: &Mark, place: &Place<'_>, budget: &mut Budget) -> Result<(), Stop> {
        let _ = (mark, place, budget);
        Ok(())
    }

    /// What stands in the place of a mark, what it marks having been visited.
    ///
    /// # Errors
    /// Whatever ends the walk.
    fn after_each_mark(
        &mut self,
        mark: Mark,
        body: Node,
        place: &Place<'_>,
        budget: &mut Budget,
    ) -> Result<Node, Stop> {
        let _ = (place, budget);
        Ok(Node::Mark { mark, body: Box::new(body) })
    }

    /// What stands in the place of an instance.
    ///
    /// # Errors
    /// Whatever ends the walk.
    fn at_each_domain(
        &mut self,
        statement: Id,
        coordinates: Vec<Expr>,
        place: &Place<'_>,
        budget: &mut Budget,
    ) -> Result<Node, Stop> {
        let _ = (place, budget);
        Ok(Node::User { statement, coordinates })
    }
}

impl Ast {
    /// The program with what a visitor puts in the place of its nodes, for parameter values in
    /// `context` (a parameter set).
    ///
    /// ```
    /// use poly_ast_build::{AstOptions, AstVisitor, Expr, Node, Place, build};
    /// use poly_presburger::{Budget, Id, PwMultiAff, Stop};
    /// use poly_schedule_tree::ScheduleTree;
    ///
    /// /// Statements are called with the element that they write instead of the instance.
    /// struct Writes(PwMultiAff);
    ///
    /// impl AstVisitor for Writes {
    ///     fn at_each_domain(
    ///         &mut self,
    ///         statement: Id,
    ///         instance: Vec<Expr>,
    ///         place: &Place<'_>,
    ///         budget: &mut Budget,
    ///     ) -> Result<Node, Stop> {
    ///         let mut cases = place.access_from(&self.0, &instance, budget)?;
    ///         assert_eq!(cases.len(), 1, "of both pieces, one is certain at each place");
    ///         Ok(Node::User { statement, coordinates: cases.remove(0).1 })
    ///     }
    /// }
    ///
    /// let tree: ScheduleTree = r#"{ domain: "{ S[i] : 0 <= i <= 9 }", child: { sequence: [
    ///     { filter: "{ S[i] : i <= 4 }", child: { schedule: "[{ S[i] -> [(i)] }]" } },
    ///     { filter: "{ S[i] : i >= 5 }", child: { schedule: "[{ S[i] -> [(i)] }]" } } ] } }"#.parse()?;
    /// let context = "{ : }".parse()?;
    /// let budget = &mut Budget::unlimited();
    /// let ast = build(&tree, &context, &AstOptions::default(), budget)?;
    /// let mut writes = Writes("{ S[i] -> A[(2i)] : i <= 4; S[i] -> A[(i - 5)] : i >= 5 }".parse()?);
    /// let ast = ast.visited(&context, &mut writes, budget)?;
    /// assert_eq!(
    ///     ast.to_string(),
    ///     "for (int c0 = 0; c0 <= 4; c0 += 1)\n  S(2 * c0);\nfor (int c0 = 5; c0 <= 9; c0 += 1)\n  S(c0 - 5);\n"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out, or a visitor says so.
    pub fn visited(&self, context: &Set, visitor: &mut dyn AstVisitor, budget: &mut Budget) -> Result<Ast, Stop> {
        let context = self.known(context, budget)?;
        let params = &context.space().params;
        let facts = Facts::new(&context, params, depth(&self.root));
        let place = Place { known: Knowledge::of(facts), loops: Vec::new() };
        let root = Walk { visitor, budget }.node(&place, self.root.clone())?;
        Ok(Ast { root, iterators: self.iterators.clone() })
    }

    /// What is known of all parameters that occur.
    fn known(&self, context: &Set, budget: &mut Budget) -> Result<BasicSet, Stop> {
        let mut params = context.space().params.clone();
        collect_params(&self.root, &mut params);
        let aligned = context.align_params(&Space::params(params));
        let hull = match aligned.basics() {
            [only] if only.has_known_divs() => BasicSet::from_basic_map((**only).clone()),
            _ => BasicSet::from_basic_map(aligned.simple_hull(budget)?.into_basic_map().drop_unknown_divs()),
        };
        Ok(hull)
    }
}

/// How deep loops are nested.
pub(crate) fn depth(node: &Node) -> usize {
    match node {
        Node::Block(nodes) => nodes.iter().map(depth).max().unwrap_or(0),
        Node::For(f) => 1 + depth(&f.body),
        Node::If { then, otherwise, .. } => depth(then).max(otherwise.as_deref().map_or(0, depth)),
        Node::Mark { body, .. } => depth(body),
        Node::User { .. } => 0,
    }
}

fn collect_params(node: &Node, params: &mut Vec<Id>) {
    let mut add = |expr: &Expr| {
        expr.for_each(&mut |part| {
            if let Expr::Param(id) = part
                && !params.contains(id)
            {
                params.push(id.clone());
            }
        });
    };
    match node {
        Node::Block(nodes) => nodes.iter().for_each(|node| collect_params(node, params)),
        Node::For(f) => {
            f.upper.iter().chain([&f.lower]).for_each(&mut add);
            f.grid.iter().for_each(|grid| add(&Expr::Param(grid.clone())));
            collect_params(&f.body, params);
        }
        Node::If { condition, then, otherwise } => {
            condition.for_each(&mut add);
            collect_params(then, params);
            otherwise.iter().for_each(|node| collect_params(node, params));
        }
        Node::Mark { body, .. } => collect_params(body, params),
        Node::User { coordinates, .. } => coordinates.iter().for_each(add),
    }
}

struct Walk<'v> {
    visitor: &'v mut dyn AstVisitor,
    budget: &'v mut Budget,
}

impl Walk<'_> {
    fn node(&mut self, place: &Place<'_>, node: Node) -> Result<Node, Stop> {
        self.budget.spend(1)?;
        Ok(match node {
            Node::Block(nodes) => {
                let mut done = Vec::with_capacity(nodes.len());
                for node in nodes {
                    done.push(self.node(place, node)?);
                }
                Node::block(done)
            }
            Node::For(mut f) => {
                self.visitor.before_each_for(&f, place, self.budget)?;
                let inside = place.inside(&f);
                let body = std::mem::replace(&mut f.body, Node::Block(Vec::new()));
                f.body = self.node(&inside, body)?;
                self.visitor.after_each_for(*f, place, self.budget)?
            }
            Node::If { condition, then, otherwise } => {
                self.visitor.before_each_if(&condition, place, self.budget)?;
                let inside = Place { known: place.known.with(&condition), loops: place.loops.clone() };
                let outside = Place { known: place.known.without(&condition), loops: place.loops.clone() };
                let then = Box::new(self.node(&inside, *then)?);
                let otherwise = match otherwise {
                    Some(node) => Some(Box::new(self.node(&outside, *node)?)),
                    None => None,
                };
                Node::If { condition, then, otherwise }
            }
            Node::Mark { mark, body } => {
                self.visitor.before_each_mark(&mark, place, self.budget)?;
                let body = self.node(place, *body)?;
                self.visitor.after_each_mark(mark, body, place, self.budget)?
            }
            Node::User { statement, coordinates } => {
                self.visitor.at_each_domain(statement, coordinates, place, self.budget)?
            }
        })
    }
}

impl<'a> Place<'a> {
    fn inside(&self, f: &For) -> Place<'a> {
        let mut loops = self.loops.clone();
        loops.push(f.iterator);
        Place { known: self.known.inside(f), loops }
    }

    /// The counters of the loops around, from the outermost on.
    pub fn loops(&self) -> &[IterId] {
        &self.loops
    }

    /// Is a condition certainly true here?
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn implies(&self, condition: &Cond, budget: &mut Budget) -> Result<bool, Stop> {
        self.known.implies(condition, budget)
    }

    /// The condition that an instance is in a set: isl's `expr_from_set`. What is certain here is
    /// left out.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    ///
    /// # Panics
    /// Unless there is one expression for each dimension of the set.
    pub fn condition_from(&self, set: &Set, instance: &[Expr], budget: &mut Budget) -> Result<Cond, Stop> {
        assert_eq!(set.n_dim(), instance.len(), "one expression per dimension");
        let set = if set.has_known_divs() { set.clone() } else { set.clone().compute_divs(budget)? };
        let columns = Columns { params: &set.space().params, values: instance };
        let mut cases = Vec::new();
        for basic in set.basic_sets() {
            let mut needed = Vec::new();
            for condition in columns.guards(&basic, None) {
                if !self.implies(&condition, budget)? {
                    needed.push(condition);
                }
            }
            let case = Cond::all(needed);
            if !self.known.excludes(&case, budget)? {
                cases.push(case);
            }
        }
        Ok(Cond::any(cases))
    }

    /// The value of a function of an instance: isl's `expr_from_pw_aff`. One expression for each
    /// piece that the instance may be in, with the condition for that; a piece that is certain has
    /// the condition `True`, and stands alone.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    ///
    /// # Panics
    /// Unless there is one expression for each dimension of the domain.
    pub fn expr_from(&self, f: &PwAff, instance: &[Expr], budget: &mut Budget) -> Result<Vec<(Cond, Expr)>, Stop> {
        self.cases(f.pieces().iter().map(|(domain, aff)| (domain, value(aff, instance))), instance, budget)
    }

    /// The element that an instance accesses: isl's `access_from_pw_multi_aff`. Cases are as with
    /// [`Place::expr_from`].
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    ///
    /// # Panics
    /// Unless there is one expression for each dimension of the domain.
    pub fn access_from(
        &self,
        f: &PwMultiAff,
        instance: &[Expr],
        budget: &mut Budget,
    ) -> Result<Vec<(Cond, Vec<Expr>)>, Stop> {
        let element = |affs: &[Aff]| affs.iter().map(|aff| value(aff, instance)).collect();
        self.cases(f.pieces().iter().map(|(domain, affs)| (domain, element(affs.affs()))), instance, budget)
    }

    fn cases<'s, T>(
        &self,
        pieces: impl Iterator<Item = (&'s Set, T)>,
        instance: &[Expr],
        budget: &mut Budget,
    ) -> Result<Vec<(Cond, T)>, Stop> {
        let mut cases = Vec::new();
        for (domain, value) in pieces {
            match self.condition_from(domain, instance, budget)? {
                Cond::False => {}
                Cond::True => return Ok(vec![(Cond::True, value)]),
                condition => cases.push((condition, value)),
            }
        }
        Ok(cases)
    }
}

/// The value of a function at an instance.
fn value(aff: &Aff, instance: &[Expr]) -> Expr {
    let space = aff.domain_space();
    let first_div = 1 + space.params.len() + instance.len();
    assert_eq!(space.tuple(DimKind::Out).map_or(0, Tuple::n), instance.len(), "one expression per dimension");
    let mut quotients: Vec<Expr> = Vec::new();
    let sum = |row: &[Int], quotients: &[Expr]| {
        let params = space.params.iter().map(|id| Expr::Param(id.clone()));
        let values = instance.iter().cloned().chain(params.collect::<Vec<_>>());
        let columns = (1 + space.params.len()..first_div).chain(1..1 + space.params.len());
        let linear = values.zip(columns).map(|(value, column)| value.times(&row[column]));
        let divs = quotients.iter().zip(&row[first_div.min(row.len())..]).map(|(q, factor)| q.clone().times(factor));
        Expr::sum(linear.chain(divs).chain([Expr::Int(row[0].clone())]))
    };
    for div in aff.divs() {
        let quotient = sum(&div.num, &quotients).floor_div(&div.denom);
        quotients.push(quotient);
    }
    sum(aff.row(), &quotients).floor_div(aff.denom())
}
