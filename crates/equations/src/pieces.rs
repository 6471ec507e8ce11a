//! Systems as statements: what a scheduler and code generation see.
//!
//! # Definitions
//! Every branch of an equation in normal form is a *statement*, or several: its domain is cut into
//! disjoint Z-polyhedra, and each has the coordinates of its own lattice \[GautamRajopadhye2007\].
//! So a schedule is a function of lattice coordinates, and holes of a domain cost nothing: `X` at
//! multiples of 6 and at their successors are two statements, each without holes.
//!
//! A reduction is a statement that gives answers their first value, and one for each branch of its
//! body that combines a point with its answer.
//!
//! # Invariants
//! The dependences are exact, since every value has one equation: from what computes a value to
//! what reads it. Updates of one answer depend on each other in no particular order.
//!
//! Where a lattice says something about the parameters, the coordinates stay those of the text.

use poly_arith::Int;
use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::{Aff, Budget, DimKind, Id, Map, MultiAff, Set, Stop, Tuple};
use poly_reductions::Operator;

use crate::domain::{body_context, named};
use crate::normalize::{branches, identity_read, normalize};
use crate::program::{Expr, ExprKind, System, distinct};
use crate::pullback::{after, pullback};

mod accumulate;
mod lattices;

/// What a statement does with its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It is the value.
    Assign,
    /// It is the first value of a reduction: the body, or the neutral element.
    Begin(Operator),
    /// It is combined with what is there.
    Update(Operator),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// `S0`, `S1`, ..
    pub name: Id,
    /// The variable that it computes.
    pub variable: usize,
    /// What it does.
    pub action: Action,
    /// Names of its coordinates.
    pub dims: Vec<String>,
    /// Its instances: coordinates in the statement's tuple.
    pub domain: Set,
    /// The point of the scope that an instance is for; names of the scope are `scope`.
    pub point: MultiAff,
    /// Names of that scope.
    pub scope: Vec<String>,
    /// Subscripts of what is computed, functions of the coordinates.
    pub target: MultiAff,
    /// The value, over the coordinates; a first value may have none.
    pub body: Option<Expr>,
}

impl Statement {
    /// The variables that are read, and where.
    pub fn reads(&self) -> Vec<(usize, MultiAff)> {
        let all = self.body.iter().flat_map(|body| body.all());
        all.filter_map(|e| if let ExprKind::Read(v, access) = &e.kind { Some((*v, access.clone())) } else { None })
            .collect()
    }

    /// From instances to subscripts, for a function of the coordinates.
    pub(crate) fn relation(&self, function: &MultiAff) -> Map {
        let tuple = self.domain.space().range.clone().expect("a set has a tuple");
        function.to_map().set_tuple(DimKind::In, tuple).intersect_domain(&self.domain)
    }
}

/// A system in normal form, its statements, and what depends on what.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// The system in normal form.
    pub system: System,
    /// Its statements.
    pub statements: Vec<Statement>,
    /// Source before sink.
    pub dependences: Vec<Dependence>,
}

impl Pieces {
    /// The statements of a system.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn new(system: &System, budget: &mut Budget) -> Result<Self, Stop> {
        let system = normalize(system, budget)?;
        let mut pieces = Self { system, statements: Vec::new(), dependences: Vec::new() };
        for equation in pieces.system.equations.clone() {
            let system = &pieces.system;
            let context = named(&system.variables[equation.variable].domain, &system.scope(&equation.dims));
            let n = equation.dims.len();
            let mut found: Vec<(Action, Vec<String>, Set, Option<Expr>)> = Vec::new();
            match &equation.body.kind {
                ExprKind::Reduce(reduce) => {
                    found.push((Action::Begin(reduce.operator), equation.dims.clone(), context.clone(), None));
                    let points = body_context(reduce, &context);
                    let dims: Vec<String> = equation.dims.iter().chain(&reduce.dims).cloned().collect();
                    for branch in branches(&reduce.body, &points, budget)? {
                        found.push((Action::Update(reduce.operator), dims.clone(), branch.domain, Some(branch.body)));
                    }
                }
                _ => {
                    for branch in branches(&equation.body, &context, budget)? {
                        found.push((Action::Assign, equation.dims.clone(), branch.domain, Some(branch.body)));
                    }
                }
            }
            for (action, dims, domain, body) in found {
                pieces.cut(equation.variable, n, action, &dims, &domain, body.as_ref(), budget)?;
            }
        }
        pieces.dependences = pieces.find_dependences(budget)?;
        Ok(pieces)
    }

    /// The disjoint parts of a branch as statements.
    #[allow(clippy::too_many_arguments, reason = "all that a statement is made of")]
    fn cut(
        &mut self,
        variable: usize,
        n: usize,
        action: Action,
        dims: &[String],
        domain: &Set,
        body: Option<&Expr>,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let domain = domain.clone().compute_divs(budget)?.coalesce(budget)?;
        let parts = domain.make_disjoint(budget)?.remove_empty_parts(budget)?;
        // A chain of values may stay inside of the remainders that a domain leaves out.
        let chained = body.is_some_and(|body| body.reads().iter().any(|&read| self.system.reaches(read, variable)));
        for basic in parts.basic_sets() {
            let part = Set::from_basic(basic).compute_divs(budget)?;
            let found = lattices::coordinates(&part, &self.system.params, chained, budget)?;
            if found.is_empty() {
                let scope = self.system.scope(dims);
                let identity = MultiAff::identity(&scope).set_range_tuple(Tuple::anonymous(dims.len()));
                self.statement(variable, n, action, dims, (dims.to_vec(), part, identity), body);
            }
            for (inside, point) in found {
                let names = coordinate_names(&point, dims, &self.system);
                self.statement(variable, n, action, dims, (names, inside, point), body);
            }
        }
        Ok(())
    }

    /// A statement over coordinates, of which the points of the scope are functions.
    fn statement(
        &mut self,
        variable: usize,
        n: usize,
        action: Action,
        dims: &[String],
        (names, inside, point): (Vec<String>, Set, MultiAff),
        body: Option<&Expr>,
    ) {
        let own = self.system.scope(&names);
        let name = Id::new(&format!("S{}", self.statements.len()));
        let tuple = own.range.clone().expect("a scope has a tuple").renamed(Some(name.clone()));
        let point = after(&point, &MultiAff::identity(&own).set_range_tuple(Tuple::anonymous(names.len())));
        let target = point.slice(0, n).set_range_tuple(Tuple::anonymous(n));
        let body = body.map(|body| pullback(body, &point, &names, &self.system.params));
        let domain = inside.set_tuple(tuple);
        let scope = dims.to_vec();
        self.statements.push(Statement { name, variable, action, dims: names, domain, point, scope, target, body });
    }

    fn find_dependences(&self, budget: &mut Budget) -> Result<Vec<Dependence>, Stop> {
        let mut all = Vec::new();
        let mut add = |source: usize, sink: usize, relation: Map, reduction: bool, budget: &mut Budget| {
            let relation = relation.compute_divs(budget)?.remove_empty_parts(budget)?;
            if !relation.plain_is_empty() {
                let kind = if reduction { DependenceKind::Output } else { DependenceKind::Flow };
                let (source, sink) = ((source, 0), (sink, 0));
                all.push(Dependence { kind, source, sink, relation, reduction, conditional: false });
            }
            Ok::<(), Stop>(())
        };
        for (s, sink) in self.statements.iter().enumerate() {
            for (variable, access) in sink.reads() {
                let reads = sink.relation(&access);
                for (w, source) in self.statements.iter().enumerate().filter(|(_, w)| w.variable == variable) {
                    let pairs = source.relation(&source.target).apply_range(&reads.reverse());
                    add(w, s, pairs, false, budget)?;
                }
            }
            if !matches!(sink.action, Action::Update(_)) {
                continue;
            }
            for (w, source) in self.statements.iter().enumerate().filter(|(_, w)| w.variable == sink.variable) {
                let same = source.relation(&source.target).apply_range(&sink.relation(&sink.target).reverse());
                match source.action {
                    Action::Begin(_) => add(w, s, same, false, budget)?,
                    Action::Update(_) if w < s => add(w, s, same, true, budget)?,
                    Action::Update(_) if w == s => {
                        let later = Map::lex_lt(&sink.domain.space().clone());
                        add(w, s, same.intersect(&later), true, budget)?;
                    }
                    _ => {}
                }
            }
        }
        Ok(all)
    }

    /// A statement instance in words: the value that it computes.
    pub fn instance(&self, statement: usize, params: &[Int], coordinates: &[Int]) -> String {
        let statement = &self.statements[statement];
        let name = &self.system.variables[statement.variable].name;
        let values = statement.point.eval(params, coordinates);
        let words: Vec<String> = values.iter().map(ToString::to_string).collect();
        let n = statement.target.n_out();
        let place = format!("{name}[{}]", words[..n].join(", "));
        match statement.action {
            Action::Assign => place,
            Action::Begin(_) => format!("{place} (its first value)"),
            Action::Update(_) => {
                let inner: Vec<String> = statement.scope[n..]
                    .iter()
                    .zip(&words[n..])
                    .map(|(name, value)| format!("{name} = {value}"))
                    .collect();
                format!("{place} (its point {})", inner.join(", "))
            }
        }
    }

    /// The statement as an equation: what it computes, and where.
    pub fn statement_text(&self, statement: usize) -> String {
        let statement = &self.statements[statement];
        let name = &self.system.variables[statement.variable].name;
        let list = |map: &MultiAff| {
            let texts: Vec<String> =
                map.affs().iter().map(|aff| crate::print::aff_text(aff, &statement.dims, &self.system)).collect();
            texts.join(", ")
        };
        let value = match &statement.body {
            Some(body) => crate::print::expr_text(&self.system, body, &statement.dims),
            None => "the value of nothing".to_owned(),
        };
        let sign = match statement.action {
            Action::Assign | Action::Begin(_) => "=".to_owned(),
            Action::Update(operator) => format!("{}=", crate::program::reduction_word(operator)),
        };
        let condition = statement.domain.condition_text();
        let condition = if condition.is_empty() { String::new() } else { format!(" for {condition}") };
        format!("{}: {name}[{}] {sign} {value}{condition}", statement.name, list(&statement.target))
    }

    /// The value of a variable as an expression of the scope of its equation.
    pub fn read(&self, variable: usize, dims: &[String]) -> Expr {
        identity_read(&self.system, variable, dims, &(0..0))
    }
}

/// Names for coordinates: those of the scope where a coordinate is one of its dimensions.
fn coordinate_names(point: &MultiAff, dims: &[String], system: &System) -> Vec<String> {
    let space = point.domain_space();
    let n = space.dim(DimKind::Out);
    let of = |i: usize| {
        let var = Aff::var(space.clone(), DimKind::Out, i);
        let alone = point.affs().iter().position(|aff| *aff == var);
        alone.map_or_else(|| format!("t{i}"), |d| dims[d].clone())
    };
    let taken: Vec<String> = system.params.iter().map(|p| p.as_str().to_owned()).collect();
    distinct(&(0..n).map(of).collect::<Vec<_>>(), &taken)
}
