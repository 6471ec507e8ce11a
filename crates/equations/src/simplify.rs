//! Reductions with fewer operations \[GautamRajopadhye2006\].
//!
//! # Method
//! Every reduction of the normal form is given to `poly_reductions`: its points, and its body as a
//! product of *leaves*. A leaf is a part of the body; its place is the list of all subscripts in
//! it, so that its reuse space is their common kernel. What comes back, a small system of terms, is
//! proven there to combine the same values, and written as equations: answers become variables, a
//! term is a branch where it has one point for each answer and a reduction where it has more.
//!
//! A body that does not simplify is tried as one reduction for each polyhedron of its points, as
//! `sum a + sum b`, and as one for each branch of a case.
//!
//! # What is left alone
//! * Floating-point sums from which something would have to be subtracted: what is left would have
//!   lost digits.
//! * Reductions whose values depend on their own answers, unless the new system has a legal
//!   schedule ([`crate::schedule`] proves that no value depends on itself).
//! * Points that are no single polyhedron without divisions.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_counting::{Card, Cardinality};
use poly_presburger::{Budget, DimKind, Map, MultiAff, PwMultiAff, Set, Stop, Tuple};
use poly_reductions::{
    AnswerId, Factor, Function, LeafId, Operator, Options, Reduction, Source, System as Answers, Term, Verdict,
};

use crate::check::{Class, class};
use crate::domain::{body_context, has_neutral, named};
use crate::normalize::{assembled, normalize};
use crate::program::{
    Binary, Branch, Equation, Expr, ExprKind, Reduce, Role, Scalar, System, Variable, distinct, operation,
};
use crate::range::sums_fit;
use crate::transform::{permute_case, remove_unused, split_body, split_points};
use crate::value::neutral;

/// What became of a reduction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The variable that it defined.
    pub name: String,
    /// In words.
    pub what: String,
}

/// The system with fewer operations at these sizes, one for each parameter, and what became of
/// every reduction. `legal` says whether a system has no value that depends on itself.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn simplify(
    system: &System,
    sizes: &[i64],
    legal: &mut dyn FnMut(&System, &mut Budget) -> bool,
    budget: &mut Budget,
) -> Result<(System, Vec<Note>), Stop> {
    let mut current = normalize(system, budget)?;
    let mut notes = Vec::new();
    let mut pending: Vec<String> = reductions(&current);
    let options = Options::at(sizes.iter().map(|&size| Int::from(size)).collect());
    let mut rounds = 0;
    while let Some(name) = pending.pop() {
        rounds += 1;
        if rounds > 200 {
            break;
        }
        let found = one(&current, &name, &options, legal, budget)?;
        match found {
            Ok(next) => {
                notes.push(Note { name, what: "fewer operations".to_owned() });
                current = next;
            }
            Err(why) => match in_parts(&current, &name, budget)? {
                Some(parts) => {
                    let before = reductions(&current);
                    let (next, changed) = tried(&parts, &before, &options, legal, budget)?;
                    if changed {
                        notes.push(Note { name, what: "in parts, with fewer operations".to_owned() });
                        current = next;
                    } else {
                        notes.push(Note { name, what: why });
                    }
                }
                None => notes.push(Note { name, what: why }),
            },
        }
    }
    Ok((normalize(&remove_unused(&current), budget)?, notes))
}

/// Names of variables that are reductions.
fn reductions(system: &System) -> Vec<String> {
    let is = |e: &&Equation| matches!(e.body.kind, ExprKind::Reduce(_));
    system.equations.iter().filter(is).map(|e| system.variables[e.variable].name.clone()).rev().collect()
}

/// The reduction as several ones.
fn in_parts(system: &System, name: &str, budget: &mut Budget) -> Result<Option<System>, Stop> {
    let parts = split_points(system, name, budget);
    let parts = parts.or_else(|_| split_body(system, name)).or_else(|_| permute_case(system, name));
    parts.ok().map(|parts| normalize(&parts, budget)).transpose()
}

/// Simplifies all reductions that were not there before; whether one of them became cheaper.
fn tried(
    parts: &System,
    before: &[String],
    options: &Options,
    legal: &mut dyn FnMut(&System, &mut Budget) -> bool,
    budget: &mut Budget,
) -> Result<(System, bool), Stop> {
    let (mut current, mut changed) = (parts.clone(), false);
    let mut pending: Vec<String> = reductions(parts).into_iter().filter(|name| !before.contains(name)).collect();
    let mut known = before.to_vec();
    while let Some(name) = pending.pop() {
        known.push(name.clone());
        if let Ok(next) = one(&current, &name, options, legal, budget)? {
            current = next;
            changed = true;
        } else if let Some(split) = in_parts(&current, &name, budget)? {
            let fresh: Vec<String> = reductions(&split).into_iter().filter(|n| !known.contains(n)).collect();
            if known.len() + pending.len() + fresh.len() < 60 {
                pending.extend(fresh);
                current = split;
            }
        }
    }
    Ok((current, changed))
}

/// Simplifies the reduction of a variable, or says why not.
fn one(
    system: &System,
    name: &str,
    options: &Options,
    legal: &mut dyn FnMut(&System, &mut Budget) -> bool,
    budget: &mut Budget,
) -> Result<Result<System, String>, Stop> {
    let refuse = |why: &str| Ok(Err(why.to_owned()));
    let Some(target) = system.find(name) else { return refuse("it is gone") };
    let Some(position) = system.equations.iter().position(|e| e.variable == target) else { return refuse("an input") };
    let equation = &system.equations[position];
    let ExprKind::Reduce(reduce) = &equation.body.kind else { return refuse("no reduction") };
    let is_float = class(system, &reduce.body) == Class::Float;
    let context = named(&system.variables[target].domain, &system.scope(&equation.dims));
    let points = body_context(reduce, &context).compute_divs(budget)?.coalesce(budget)?;
    let points = points.remove_empty_parts(budget)?;
    if !matches!(points.basics(), [basic] if basic.n_div() == 0) {
        return refuse("its points are no single polyhedron");
    }
    let (times, parts) = factors(system, &reduce.body, reduce.operator, is_float);
    let n = equation.dims.len();
    let mut leaves = Vec::new();
    let mut factors = Vec::new();
    for part in parts {
        let Some(leaf) = Leaf::of(part, system.params.len(), points.n_dim()) else {
            return refuse("its body has divisions or cases");
        };
        factors.push(Factor { source: Source::Leaf(LeafId(leaves.len())), access: leaf.access.clone() });
        leaves.push(leaf);
    }
    let dims = points.n_dim();
    let rows = (0..n).map(|i| {
        let mut row = vec![Int::ZERO; 1 + system.params.len() + dims];
        row[1 + system.params.len() + i] = Int::ONE;
        row
    });
    let reduction = Reduction {
        params: system.params.clone(),
        operator: reduce.operator,
        times,
        domain: points.set_tuple(Tuple::anonymous(dims)),
        projection: Function::new(system.params.len(), dims, rows.collect()),
        factors,
        forward: 0,
        fixed: 0,
    };
    let Some(found) = poly_reductions::simplify(&reduction, options, budget)? else {
        return refuse("no sharing between its answers saves operations");
    };
    if poly_reductions::verify(&found, &reduction, budget)? != Verdict::Proven {
        return refuse("that the simpler form is the same could not be proven");
    }
    if is_float && found.equations.iter().any(|e| e.terms.iter().any(|term| term.inverse)) {
        return refuse("floating-point values would have to be subtracted again");
    }
    let before = poly_reductions::cost(&reduction, &options.sizes, budget)?;
    if found.cost(&options.sizes, budget)? >= before {
        return refuse("no sharing between its answers saves operations");
    }
    let mut writer = Writer { system: system.clone(), position, leaves, is_float, variables: BTreeMap::new(), times };
    let Some(written) = writer.write(&found, budget)? else {
        return refuse("a number of points has no simple expression");
    };
    let written = normalize(&written, budget)?;
    if system.depends_on_itself(target) && !legal(&written, budget) {
        return refuse("its values depend on its own answers, in an order that sharing would break");
    }
    Ok(Ok(written))
}

/// The operands of the operation that the reduction distributes over, and that operation.
fn factors<'e>(system: &System, body: &'e Expr, operator: Operator, is_float: bool) -> (Operator, Vec<&'e Expr>) {
    let times = match operator {
        Operator::Add => (Operator::Mul, Binary::Mul),
        Operator::Min | Operator::Max => {
            let terms = operands(body, Binary::Add);
            if terms.len() > 1 && (is_float || sums_fit(system, &terms)) {
                return (Operator::Add, terms);
            }
            // Sums that may wrap are no longer in the order of what is added.
            match operator {
                Operator::Min => (Operator::Max, Binary::Max),
                _ => (Operator::Min, Binary::Min),
            }
        }
        Operator::Or | Operator::Xor => (Operator::And, Binary::BitAnd),
        Operator::And => (Operator::Or, Binary::BitOr),
        Operator::Mul => return (Operator::Mul, vec![body]),
    };
    (times.0, operands(body, times.1))
}

/// The operands of an associative operation.
fn operands(body: &Expr, operation: Binary) -> Vec<&Expr> {
    let (mut parts, mut stack) = (Vec::new(), vec![body]);
    while let Some(part) = stack.pop() {
        match &part.kind {
            ExprKind::Binary(operator, a, b) if *operator == operation => stack.extend([&**b, &**a]),
            _ => parts.push(part),
        }
    }
    parts
}

/// A part of a body: an expression over places.
struct Leaf {
    template: Expr,
    access: Function,
}

impl Leaf {
    /// The part, with the list of all its subscripts; none if one of them is no plain affine
    /// function.
    fn of(part: &Expr, params: usize, dims: usize) -> Option<Self> {
        let mut rows = Vec::new();
        for expr in part.all() {
            match &expr.kind {
                ExprKind::Read(_, access) => rows.extend(access.plain_rows()?),
                ExprKind::Index(aff) if aff.is_integral_affine() => rows.push(aff.row().to_vec()),
                ExprKind::Index(_) | ExprKind::Case(_) | ExprKind::Reduce(_) | ExprKind::At { .. } => return None,
                _ => {}
            }
        }
        Some(Self { template: part.clone(), access: Function::new(params, dims, rows) })
    }

    /// The expression where its subscripts have these values, functions of a scope.
    fn at(&self, rows: &[Vec<Int>], scope: &poly_presburger::Space) -> Expr {
        let mut result = self.template.clone();
        // The order is that of `Expr::all`: breadth first.
        let mut level: Vec<&mut Expr> = vec![&mut result];
        let mut next = 0;
        while !level.is_empty() {
            let mut below = Vec::new();
            for expr in level {
                match &mut expr.kind {
                    ExprKind::Read(_, access) => {
                        let n = access.n_out();
                        *access = MultiAff::from_rows(scope, Tuple::anonymous(n), &rows[next..next + n]);
                        next += n;
                    }
                    ExprKind::Index(aff) => {
                        *aff = poly_presburger::Aff::from_row(scope.clone(), rows[next].clone(), Int::ONE);
                        next += 1;
                    }
                    _ => below.extend(expr.children_mut()),
                }
            }
            level = below;
        }
        result
    }
}

/// Writes answers as equations.
struct Writer {
    system: System,
    position: usize,
    leaves: Vec<Leaf>,
    is_float: bool,
    variables: BTreeMap<AnswerId, usize>,
    times: Operator,
}

impl Writer {
    fn write(&mut self, found: &Answers, budget: &mut Budget) -> Result<Option<System>, Stop> {
        let target = self.system.equations[self.position].variable;
        let span = self.system.equations[self.position].span.clone();
        for (i, equation) in found.equations.iter().enumerate() {
            let is_last = i + 1 == found.equations.len();
            let dims = equation.meaning.projection.rows.len();
            let variable = if is_last {
                target
            } else {
                let name = format!("{}_part{}", self.system.variables[target].name, i + 1);
                let scalar = if self.is_float { Scalar::F64 } else { Scalar::I64 };
                let domain = equation.meaning.answers().compute_divs(budget)?.coalesce(budget)?.compute_divs(budget)?;
                let name = self.system.fresh_name(&name);
                self.system.variables.push(Variable { name, role: Role::Let, scalar, domain, span: span.clone() });
                self.system.variables.len() - 1
            };
            self.variables.insert(equation.answer, variable);
            let names = if is_last {
                self.system.equations[self.position].dims.clone()
            } else {
                let taken: Vec<String> = self.system.params.iter().map(|p| p.as_str().to_owned()).collect();
                distinct(&(0..dims).map(|d| format!("z{d}")).collect::<Vec<_>>(), &taken)
            };
            let Some(body) = self.equation(&equation.terms, variable, &names, &span, budget)? else { return Ok(None) };
            if is_last {
                self.system.equations[self.position].body = body;
            } else {
                self.system.equations.push(Equation { variable, dims: names, body, span: span.clone() });
            }
        }
        Ok(Some(self.system.clone()))
    }

    /// The value of a variable from its terms: for every set of terms that contribute, their
    /// combination.
    fn equation(
        &self,
        terms: &[Term],
        variable: usize,
        names: &[String],
        span: &crate::Span,
        budget: &mut Budget,
    ) -> Result<Option<Expr>, Stop> {
        let scope = self.system.scope(names);
        let context = named(&self.system.variables[variable].domain, &scope);
        let mut cells: Vec<(Set, Option<Expr>)> = vec![(context.clone(), None)];
        // What is put in comes before what is taken out.
        let mut order: Vec<&Term> = terms.iter().filter(|term| !term.inverse).collect();
        order.extend(terms.iter().filter(|term| term.inverse));
        for term in order {
            let answers = named(&term.projection.image(&term.domain, &self.system.params), &scope);
            let answers = answers.compute_divs(budget)?.coalesce(budget)?;
            let Some(value) = self.term(term, variable, names, span, budget)? else { return Ok(None) };
            let mut next = Vec::new();
            for (cell, known) in cells {
                let inside = cell.intersect(&answers).remove_empty_parts(budget)?;
                if !inside.plain_is_empty() {
                    next.push((inside, Some(self.combined(known.clone(), value.clone(), term.inverse, span))));
                }
                let outside = cell.subtract(&answers, budget)?.remove_empty_parts(budget)?;
                if !outside.plain_is_empty() {
                    next.push((outside, known));
                }
            }
            cells = next;
        }
        let mut branches = Vec::new();
        for (domain, value) in cells {
            let Some(body) = value.or_else(|| self.neutral(span)) else { return Ok(None) };
            branches.push(Branch { domain, body });
        }
        assembled(branches, &context, span, budget).map(Some)
    }

    fn operator(&self) -> Operator {
        match &self.system.equations[self.position].body.kind {
            ExprKind::Reduce(reduce) => reduce.operator,
            _ => Operator::Add,
        }
    }

    fn neutral(&self, span: &crate::Span) -> Option<Expr> {
        let kind = match neutral(self.operator(), self.is_float)? {
            crate::Value::Float(value) => ExprKind::Float(value),
            crate::Value::Int(value) => ExprKind::Int(value),
            crate::Value::Bool(_) => return None,
        };
        has_neutral(self.operator()).then(|| Expr::new(kind, span))
    }

    fn combined(&self, known: Option<Expr>, value: Expr, inverse: bool, span: &crate::Span) -> Expr {
        let plain = operation(self.operator());
        let sign = match (inverse, plain) {
            (true, Binary::Add) => Binary::Sub,
            (_, plain) => plain,
        };
        let known = if inverse { known.or_else(|| self.neutral(span)) } else { known };
        match known {
            None => value,
            Some(known) => Expr::new(ExprKind::Binary(sign, Box::new(known), Box::new(value)), span),
        }
    }

    /// What a term contributes to the answers that it has.
    fn term(
        &self,
        term: &Term,
        variable: usize,
        names: &[String],
        span: &crate::Span,
        budget: &mut Budget,
    ) -> Result<Option<Expr>, Stop> {
        let params = &self.system.params;
        let scope = self.system.scope(names);
        let graph = term.projection.to_map(params).intersect_domain(&term.domain);
        let points = graph.reverse();
        if points.is_single_valued(budget)? {
            let function = PwMultiAff::from_map(&points, budget)?;
            let pieces = crate::transform::pieces(&function, &scope, budget)?;
            let mut branches = Vec::new();
            for (domain, map) in pieces {
                let Some(body) = self.product(term, variable, &term_scope(&map, &scope), &scope, span, budget)? else {
                    return Ok(None);
                };
                branches.push(Branch { domain, body });
            }
            return Ok(match <[Branch; 1]>::try_from(branches) {
                Ok([one]) => Some(one.body),
                Err(all) => Some(Expr::new(ExprKind::Case(all), span)),
            });
        }
        let own: Vec<String> = (0..term.projection.dims).map(|d| format!("x{d}")).collect();
        let taken: Vec<String> = names.iter().cloned().chain(params.iter().map(|p| p.as_str().to_owned())).collect();
        let own = distinct(&own, &taken);
        let all: Vec<String> = names.iter().chain(&own).cloned().collect();
        let whole = self.system.scope(&all);
        let set = points.flat_wrap().set_tuple(whole.range.clone().expect("a scope has a tuple"));
        let domain = named(&set.compute_divs(budget)?, &whole);
        let place = MultiAff::projection(&whole, names.len(), own.len()).set_range_tuple(Tuple::anonymous(own.len()));
        let Some(body) = self.product(term, variable, &place, &whole, span, budget)? else { return Ok(None) };
        let reduce = Reduce { operator: self.operator(), dims: own, domain, body };
        Ok(Some(Expr::new(ExprKind::Reduce(Box::new(reduce)), span)))
    }

    /// The product of a term's factors at a point that is a function of the scope.
    fn product(
        &self,
        term: &Term,
        variable: usize,
        point: &MultiAff,
        scope: &poly_presburger::Space,
        span: &crate::Span,
        budget: &mut Budget,
    ) -> Result<Option<Expr>, Stop> {
        let mut product: Option<Expr> = None;
        let own = point.range_space();
        for factor in &term.factors {
            let access = MultiAff::from_rows(&own, Tuple::anonymous(factor.access.rows.len()), &factor.access.rows);
            let access = crate::pullback::after(&access, point);
            let read = |variable: usize| Expr::new(ExprKind::Read(variable, access.clone()), span);
            let value = match &factor.source {
                Source::Leaf(leaf) => match access.plain_rows() {
                    Some(rows) => self.leaves[leaf.0].at(&rows, scope),
                    None => return Ok(None),
                },
                Source::Answer(answer) => read(self.variables[answer]),
                Source::Itself => read(variable),
                Source::Repeat(map) => match self.repeat(map, &access, scope, span, budget)? {
                    Some(value) => value,
                    None => return Ok(None),
                },
            };
            product = Some(match product {
                None => value,
                Some(product) => {
                    Expr::new(ExprKind::Binary(operation(self.times), Box::new(product), Box::new(value)), span)
                }
            });
        }
        Ok(product)
    }

    /// The number of images of a point.
    fn repeat(
        &self,
        map: &Map,
        access: &MultiAff,
        scope: &poly_presburger::Space,
        span: &crate::Span,
        budget: &mut Budget,
    ) -> Result<Option<Expr>, Stop> {
        let number = match map.card(budget)? {
            Cardinality::Constant(number) => return Ok(number.to_i64().map(|n| Expr::new(ExprKind::Int(n), span))),
            Cardinality::Parametric(number) => number,
            Cardinality::Infinite { .. } => return Ok(None),
        };
        let dims: Vec<String> = (0..access.n_out()).map(|i| format!("y{i}")).collect();
        let place = self.system.scope(&dims);
        let mut branches = Vec::new();
        let mut rest = Set::universe(place.clone());
        for (domain, function) in number.pieces() {
            let Some(body) = crate::polynomial::expression(function, &place, span) else { return Ok(None) };
            let domain = named(domain, &place);
            rest = rest.subtract(&domain, budget)?;
            branches.push(Branch { domain, body });
        }
        branches.push(Branch { domain: rest.compute_divs(budget)?, body: Expr::new(ExprKind::Int(0), span) });
        let whole = Expr::new(ExprKind::Case(branches), span);
        let dims = (0..scope.dim(DimKind::Out)).map(|i| scope.variable_names()[scope.params.len() + i].clone());
        Ok(Some(crate::pullback::pullback(&whole, access, &dims.collect::<Vec<_>>(), &self.system.params)))
    }
}

/// A function of the scope, under its names.
fn term_scope(map: &MultiAff, scope: &poly_presburger::Space) -> MultiAff {
    let identity = MultiAff::identity(scope).set_range_tuple(Tuple::anonymous(scope.dim(DimKind::Out)));
    crate::pullback::after(map, &identity)
}

#[cfg(test)]
mod tests;
