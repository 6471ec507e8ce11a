//! From the syntax tree to systems: what names mean.
//!
//! Constants stand for their numbers. A system that uses another one gets its variables and
//! equations, under names of their own (`use1_X`), with the parameters replaced by the arguments;
//! so there is no use left. Of the systems that a file has, none may use itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use poly_arith::Int;
use poly_presburger::{Aff, Budget, Id, MultiAff, Set, Space, Tuple};
use poly_reductions::Operator;

use crate::diagnostic::{Diagnostic, Flaw, Span};
use crate::domain::domain;
use crate::program::{
    Binary, Branch, Equation, Expr, ExprKind, External, Reduce, Role, Scalar, System, Unary, Variable, scope,
};
use crate::syntax::lexer::{Kind, Token};
use crate::syntax::tree::{self, Affine, Domain, File, Name, Statement};

mod usage;

type Result<T> = std::result::Result<T, Diagnostic>;

/// All systems of a file, or of files one after the other.
pub(crate) fn elaborate(file: &File, budget: &mut Budget) -> Result<Vec<System>> {
    once(file.systems.iter().map(|system| &system.name), "systems")?;
    for system in &file.systems {
        once(system.constants.iter().map(|(name, _)| name), "constants")?;
    }
    let externals = Arc::new(externals(file)?);
    file.systems.iter().map(|system| whole(file, system, &externals, budget)).collect()
}

/// Refuses two things with one name.
fn once<'a>(names: impl Iterator<Item = &'a Name>, what: &str) -> Result<()> {
    let mut known: BTreeMap<&str, &Span> = BTreeMap::new();
    for name in names {
        if let Some(other) = known.insert(&name.text, &name.span) {
            let message = format!("there are two {what} `{}`", name.text);
            return Err(
                Diagnostic::new(Flaw::Twice, name.span.clone(), message).with_place(other.clone(), "the other one")
            );
        }
    }
    Ok(())
}

fn externals(file: &File) -> Result<Vec<External>> {
    let scalar = |name: &Name| {
        Scalar::of_word(&name.text).ok_or_else(|| {
            Diagnostic::new(Flaw::UnknownType, name.span.clone(), format!("no type is called `{}`", name.text))
        })
    };
    let one = |external: &tree::Extern| -> Result<External> {
        Ok(External {
            name: external.name.text.clone(),
            result: scalar(&external.result)?,
            arguments: external.arguments.iter().map(scalar).collect::<Result<_>>()?,
        })
    };
    let mut all: Vec<(External, &Span)> = Vec::new();
    for external in &file.externs {
        let (new, span) = (one(external)?, &external.name.span);
        match all.iter().find(|(known, _)| known.name == new.name) {
            // Files may say the same.
            Some((known, _)) if *known == new => {}
            Some((_, other)) => {
                let message = format!("there are two functions `{}`", new.name);
                let other = (*other).clone();
                return Err(Diagnostic::new(Flaw::Twice, span.clone(), message).with_place(other, "the other one"));
            }
            None => all.push((new, span)),
        }
    }
    Ok(all.into_iter().map(|(external, _)| external).collect())
}

fn whole(file: &File, system: &tree::System, externals: &Arc<Vec<External>>, budget: &mut Budget) -> Result<System> {
    let mut params: Vec<Id> = Vec::new();
    for param in &system.params {
        if params.iter().any(|p| p.as_str() == param.text) {
            return Err(Diagnostic::new(
                Flaw::Twice,
                param.span.clone(),
                format!("there are two parameters `{}`", param.text),
            ));
        }
        params.push(Id::new(&param.text));
    }
    let context = Set::universe(Space::params(params.clone()));
    let result = System {
        name: system.name.text.clone(),
        params,
        context,
        variables: Vec::new(),
        equations: Vec::new(),
        externals: Arc::clone(externals),
    };
    let mut builder = Builder { file, system: result, uses: 0, budget };
    let names = Names { substitution: constants(system), variables: BTreeMap::new() };
    if let Some(context) = &system.context {
        let found = builder.context(context, &names);
        builder.system.context = found.map_err(|flaw| flaw.within(&context.span))?;
    }
    builder.body(system, names, &BTreeMap::new(), &mut vec![system.name.text.clone()])?;
    Ok(builder.system)
}

/// The constants that a system knows, as tokens.
fn constants(system: &tree::System) -> BTreeMap<String, Vec<Token>> {
    let token = |(name, value): &(Name, String)| {
        let kind = Kind::Integer(value.clone());
        (name.text.clone(), vec![Token { kind, span: name.span.clone() }])
    };
    system.constants.iter().map(token).collect()
}

/// What words mean inside of a system or of a use of one.
#[derive(Clone, Debug, Default)]
struct Names {
    /// Constants, and parameters of a system that is used.
    substitution: BTreeMap<String, Vec<Token>>,
    /// Positions of variables.
    variables: BTreeMap<String, usize>,
}

struct Builder<'a> {
    file: &'a File,
    system: System,
    uses: usize,
    budget: &'a mut Budget,
}

/// Text for `poly_presburger`, with the places of its parts.
struct Text {
    text: String,
    places: Vec<(usize, Span)>,
    /// A variable in it, which is no part of an affine expression.
    variable: Option<Name>,
}

impl Text {
    fn new(text: String) -> Self {
        Self { text, places: Vec::new(), variable: None }
    }

    fn push(&mut self, affine: &Affine, names: &Names) {
        for (position, token) in affine.tokens.iter().enumerate() {
            let is_read = affine.tokens.get(position + 1).is_some_and(|next| next.is("["));
            if let Kind::Word(word) = &token.kind
                && is_read
                && names.variables.contains_key(word)
            {
                self.variable = Some(Name { text: word.clone(), span: token.span.clone() });
            }
            self.places.push((self.text.len(), token.span.clone()));
            let meaning = match &token.kind {
                Kind::Word(word) => names.substitution.get(word),
                _ => None,
            };
            match meaning {
                Some(tokens) => {
                    let words: Vec<String> = tokens.iter().map(Token::text).collect();
                    self.text.push_str(&format!("({}) ", words.join(" ")));
                }
                None if token.is("==") => self.text.push_str("= "),
                None if token.is("&&") => self.text.push_str("and "),
                None if token.is("||") => self.text.push_str("or "),
                None => self.text.push_str(&format!("{} ", token.text())),
            }
        }
    }

    fn error(&self, error: &poly_presburger::ParseError, whole: &Span) -> Diagnostic {
        if let Some(Name { text, span }) = &self.variable {
            let message = format!("`{text}` is a variable: this depends on indices and parameters only, not on values");
            let flaw = Diagnostic::new(Flaw::Affine, span.clone(), message);
            return flaw.with_note("`if` chooses by values");
        }
        let place = self.places.iter().rev().find(|(at, _)| *at <= error.position);
        let inside = place.filter(|_| error.position < self.text.len().saturating_sub(2));
        Diagnostic::new(
            Flaw::Affine,
            inside.map_or_else(|| whole.clone(), |(_, span)| span.clone()),
            error.message.clone(),
        )
    }
}

fn names_of(names: &[Name]) -> Vec<String> {
    names.iter().map(|name| name.text.clone()).collect()
}

impl Builder<'_> {
    fn header(&self) -> String {
        let params: Vec<&str> = self.system.params.iter().map(Id::as_str).collect();
        format!("[{}] -> {{ ", params.join(", "))
    }

    fn context(&mut self, condition: &Affine, names: &Names) -> Result<Set> {
        let mut text = Text::new(format!("{}: ", self.header()));
        text.push(condition, names);
        text.text.push('}');
        let set: Set = text.text.parse().map_err(|error| text.error(&error, &condition.span))?;
        Ok(set.compute_divs(self.budget)?)
    }

    /// A set over a scope.
    fn set(&mut self, dims: &[String], condition: Option<&Affine>, names: &Names, span: &Span) -> Result<Set> {
        let mut text = Text::new(format!("{}[{}]", self.header(), dims.join(", ")));
        if let Some(condition) = condition {
            text.text.push_str(" : ");
            text.push(condition, names);
        }
        text.text.push('}');
        let set: Set = text.text.parse().map_err(|error| text.error(&error, span))?;
        Ok(set
            .compute_divs(self.budget)?
            .set_tuple(scope(&self.system.params, dims).range.expect("a scope has a tuple")))
    }

    /// An affine function of a scope, rounded down, and where it is an integer if it may be none.
    fn aff(&mut self, dims: &[String], affine: &Affine, names: &Names) -> Result<(Aff, Option<Set>)> {
        let mut text = Text::new(format!("{}[{}] -> [", self.header(), dims.join(", ")));
        text.push(affine, names);
        text.text.push_str("] }");
        let function: poly_presburger::PwAff = text.text.parse().map_err(|error| text.error(&error, &affine.span))?;
        let Some(aff) = function.as_aff() else {
            let message = "a subscript is one affine expression: choose between several with `case`";
            return Err(Diagnostic::new(Flaw::Affine, affine.span.clone(), message));
        };
        if aff.denom().is_one() {
            return Ok((aff.clone(), None));
        }
        let denom = aff.denom().clone();
        let whole = aff.scale(denom.clone()).mod_val(denom).zero_basic_set();
        Ok((aff.floor(), Some(Set::from_basic(whole).compute_divs(self.budget)?)))
    }

    /// Several, as a function into an anonymous tuple.
    fn map(&mut self, dims: &[String], affines: &[Affine], names: &Names) -> Result<(MultiAff, Option<Set>)> {
        let (mut affs, mut condition): (Vec<Aff>, Option<Set>) = (Vec::new(), None);
        for affine in affines {
            let (aff, integral) = self.aff(dims, affine, names)?;
            affs.push(aff);
            condition = match (condition, integral) {
                (Some(a), Some(b)) => Some(a.intersect(&b)),
                (a, b) => a.or(b),
            };
        }
        let domain = scope(&self.system.params, dims);
        Ok((MultiAff::into_tuple(&domain, Tuple::anonymous(affs.len()), affs), condition))
    }

    /// Declarations and equations of a system. Inputs and outputs that are given are variables that
    /// are there. The recursion is bounded by the number of systems: none uses itself.
    fn body(
        &mut self,
        system: &tree::System,
        mut names: Names,
        given: &BTreeMap<String, String>,
        chain: &mut Vec<String>,
    ) -> Result<()> {
        for declaration in &system.declarations {
            let place = declaration.names.first().map_or(0..0, |name| name.span.clone());
            self.declare(declaration, &mut names, given).map_err(|flaw| flaw.within(&place))?;
        }
        let first = self.system.equations.len();
        for statement in &system.equations {
            match statement {
                Statement::Equation { variable, dims, body, span } => {
                    let made = self.equation(variable, dims.as_deref(), body, span, &names);
                    made.map_err(|flaw| flaw.within(span))?;
                }
                Statement::Use { results, system, params, arguments, span } => {
                    let made = self.usage(results, system, params, arguments, span, &names, chain);
                    made.map_err(|flaw| flaw.within(span))?;
                }
            }
        }
        self.defined(system, &names, first, given)
    }

    /// Every variable has an equation, and only one.
    fn defined(
        &mut self,
        system: &tree::System,
        names: &Names,
        first: usize,
        given: &BTreeMap<String, String>,
    ) -> Result<()> {
        for name in system.declarations.iter().flat_map(|d| &d.names) {
            let variable = names.variables[&name.text];
            let mut equations = self.system.equations[first..].iter().filter(|e| e.variable == variable);
            let is_input = self.system.variables[variable].role == Role::In && !given.contains_key(&name.text);
            let text = &name.text;
            let flaw = match (equations.next(), equations.next()) {
                (Some(equation), _) if is_input => {
                    let message = format!("`{text}` is an input, with another value");
                    Diagnostic::new(Flaw::InputDefined, equation.span.clone(), message)
                }
                (None, _) if !is_input && !self.system.equations.iter().any(|e| e.variable == variable) => {
                    Diagnostic::new(Flaw::NoEquation, name.span.clone(), format!("`{text}` has no equation, no value"))
                }
                (Some(a), Some(b)) => {
                    let message = format!("`{text}` has two equations, two values");
                    let flaw = Diagnostic::new(Flaw::TwoEquations, b.span.clone(), message);
                    flaw.with_place(a.span.clone(), "the other one")
                }
                _ => continue,
            };
            let domain = self.system.variables[variable].domain.clone();
            return Err(flaw.at_point_of(&domain, self.budget)?);
        }
        Ok(())
    }

    fn declare(
        &mut self,
        declaration: &tree::Declaration,
        names: &mut Names,
        given: &BTreeMap<String, String>,
    ) -> Result<()> {
        let role = match declaration.kind.text.as_str() {
            "in" => Role::In,
            "out" => Role::Out,
            _ => Role::Let,
        };
        let word = &declaration.scalar;
        let Some(scalar) = Scalar::of_word(&word.text) else {
            let known: Vec<&str> = Scalar::ALL.iter().map(|s| s.word()).collect();
            let message = format!("no type is called `{}`", word.text);
            return Err(Diagnostic::new(Flaw::UnknownType, word.span.clone(), message)
                .with_note(format!("types: {}", known.join(", "))));
        };
        let mut domain: Option<Set> = None;
        for part in &declaration.domain {
            let set = self.domain(part, names)?;
            domain = Some(match domain {
                None => set,
                Some(all) if all.n_dim() == set.n_dim() => all.union(&set),
                Some(_) => {
                    let span = declaration.names.last().map_or(word.span.clone(), |n| n.span.clone());
                    return Err(Diagnostic::new(
                        Flaw::Parts,
                        span,
                        "the parts of a domain have different numbers of dimensions",
                    ));
                }
            });
        }
        let domain = domain.expect("there is at least one part").intersect_params(&self.system.context);
        let domain = domain.compute_divs(self.budget)?.coalesce(self.budget)?.compute_divs(self.budget)?;
        for name in &declaration.names {
            if let Some(&other) = names.variables.get(&name.text) {
                let place = self.system.variables[other].span.clone();
                let message = format!("there are two variables `{}`", name.text);
                return Err(Diagnostic::new(Flaw::Twice, name.span.clone(), message).with_place(place, "the other one"));
            }
            let used = names.substitution.contains_key(&name.text);
            if used || self.system.params.iter().any(|p| p.as_str() == name.text) {
                let message = format!("`{}` is a parameter or a constant", name.text);
                return Err(Diagnostic::new(Flaw::Taken, name.span.clone(), message));
            }
            let inner = if given.is_empty() && self.uses == 0 { None } else { given.get(&name.text) };
            let is_inner = inner.is_some() || !given.is_empty();
            let full = match inner {
                Some(full) => full.clone(),
                None if is_inner => self.system.fresh_name(&format!("use{}_{}", self.uses, name.text)),
                None => name.text.clone(),
            };
            let role = if is_inner { Role::Let } else { role };
            names.variables.insert(name.text.clone(), self.system.variables.len());
            let span = name.span.clone();
            self.system.variables.push(Variable { name: full, role, scalar, domain: domain.clone(), span });
        }
        Ok(())
    }

    fn domain(&mut self, part: &Domain, names: &Names) -> Result<Set> {
        match part {
            Domain::Set { dims, constraints, span } => {
                let dims = self.distinct(dims, &[])?;
                self.set(&dims, constraints.as_ref(), names, span)
            }
            Domain::Box { bounds, span } => {
                let dims: Vec<String> = (0..bounds.len()).map(|i| format!("i{i}")).collect();
                let mut text = Text::new(format!("{}[{}]", self.header(), dims.join(", ")));
                for (i, (lower, upper)) in bounds.iter().enumerate() {
                    text.text.push_str(if i == 0 { " : (" } else { " and (" });
                    text.push(lower, names);
                    text.text.push_str(&format!(") <= {} <= (", dims[i]));
                    text.push(upper, names);
                    text.text.push(')');
                }
                text.text.push('}');
                let set: Set = text.text.parse().map_err(|error| text.error(&error, span))?;
                Ok(set.compute_divs(self.budget)?)
            }
        }
    }

    /// The names, if they are different ones and no parameters.
    fn distinct(&self, dims: &[Name], scope: &[String]) -> Result<Vec<String>> {
        for (i, name) in dims.iter().enumerate() {
            let taken = dims[..i].iter().any(|d| d.text == name.text) || scope.contains(&name.text);
            if taken || self.system.params.iter().any(|p| p.as_str() == name.text) {
                let what = if taken { "an index" } else { "a parameter" };
                return Err(Diagnostic::new(
                    Flaw::Taken,
                    name.span.clone(),
                    format!("`{}` is already the name of {what}", name.text),
                ));
            }
        }
        Ok(names_of(dims))
    }

    fn equation(
        &mut self,
        variable: &Name,
        dims: Option<&[Name]>,
        body: &tree::Expr,
        span: &Span,
        names: &Names,
    ) -> Result<()> {
        let Some(&position) = names.variables.get(&variable.text) else {
            let message = format!("no variable is called `{}`", variable.text);
            return Err(Diagnostic::new(Flaw::UnknownName, variable.span.clone(), message));
        };
        let wanted = self.system.variables[position].dims();
        let dims = match dims {
            Some(dims) => self.distinct(dims, &[])?,
            None => (0..wanted).map(|i| format!("i{i}")).collect(),
        };
        if dims.len() != wanted {
            let message = format!("`{}` has {wanted} dimensions, not {}", variable.text, dims.len());
            let place = self.system.variables[position].span.clone();
            return Err(
                Diagnostic::new(Flaw::Dimensions, variable.span.clone(), message).with_place(place, "declared here")
            );
        }
        let body = self.expr(body, &dims, names)?;
        self.system.equations.push(Equation { variable: position, dims, body, span: span.clone() });
        Ok(())
    }

    /// An expression. The recursion is bounded by the parser's bound on nesting.
    fn expr(&mut self, expr: &tree::Expr, dims: &[String], names: &Names) -> Result<Expr> {
        let span = &expr.span;
        let kind = match &expr.kind {
            tree::ExprKind::Integer(text) => match text.parse() {
                Ok(value) => ExprKind::Int(value),
                Err(_) => return Err(Diagnostic::new(Flaw::Number, span.clone(), "the number has more than 63 bits")),
            },
            tree::ExprKind::Float(value) => ExprKind::Float(*value),
            tree::ExprKind::Name(name) => return self.name(name, span, dims, names),
            tree::ExprKind::Read(name, subscripts) => return self.read(name, subscripts, span, dims, names),
            tree::ExprKind::Index(affine) => {
                let (aff, condition) = self.aff(dims, affine, names)?;
                return Ok(restricted(ExprKind::Index(aff), condition, span));
            }
            tree::ExprKind::Unary(sign, operand) => {
                let operator = match *sign {
                    "-" => Unary::Neg,
                    "~" => Unary::BitNot,
                    _ => Unary::Not,
                };
                ExprKind::Unary(operator, Box::new(self.expr(operand, dims, names)?))
            }
            tree::ExprKind::Binary(sign, a, b) => {
                let operator =
                    Binary::INFIX.into_iter().find(|(_, text, _)| text == sign).expect("the parser knows it").0;
                let (a, b) = (self.expr(a, dims, names)?, self.expr(b, dims, names)?);
                ExprKind::Binary(operator, Box::new(a), Box::new(b))
            }
            tree::ExprKind::Call(name, arguments) => return self.call(name, arguments, span, dims, names),
            tree::ExprKind::If(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|e| self.expr(e, dims, names));
                ExprKind::If(Box::new(a?), Box::new(b?), Box::new(c?))
            }
            tree::ExprKind::Case(branches) => self.case(branches, span, dims, names)?,
            tree::ExprKind::Reduce { operator, dims: reduced, constraints, body } => {
                let operator = reduction_operator(operator)?;
                let reduced = self.distinct(reduced, dims)?;
                let inner: Vec<String> = dims.iter().chain(&reduced).cloned().collect();
                let body = self.expr(body, &inner, names)?;
                let domain = match constraints {
                    Some(constraints) => self.set(&inner, Some(constraints), names, span)?,
                    None => domain(&self.system, &body, &scope(&self.system.params, &inner), self.budget)?,
                };
                ExprKind::Reduce(Box::new(Reduce { operator, dims: reduced, domain, body }))
            }
            tree::ExprKind::Project { operator, dims: reduced, map, body } => {
                self.project(operator, reduced, map, body, span, dims, names)?
            }
            tree::ExprKind::At(body, map) => {
                let (inner, affines): (Vec<Name>, Vec<Affine>) = map.iter().cloned().unzip();
                let inner = self.distinct(&inner, &[])?;
                let (map, condition) = self.map(dims, &affines, names)?;
                let body = self.expr(body, &inner, names)?;
                return Ok(restricted(ExprKind::At { map, dims: inner, body: Box::new(body) }, condition, span));
            }
        };
        Ok(Expr::new(kind, span))
    }

    /// `reduce(op, [x] -> [f], e)`: all points whose image is the point of the scope.
    #[allow(clippy::too_many_arguments, reason = "the parts of a reduction, and what is around it")]
    fn project(
        &mut self,
        operator: &Name,
        reduced: &[Name],
        map: &[Affine],
        body: &tree::Expr,
        span: &Span,
        dims: &[String],
        names: &Names,
    ) -> Result<ExprKind> {
        let operator = reduction_operator(operator)?;
        let own = self.distinct(reduced, &[])?;
        if map.len() != dims.len() {
            let message = format!("the projection has {} values where {} dimensions are", map.len(), dims.len());
            return Err(Diagnostic::new(Flaw::Dimensions, span.clone(), message));
        }
        let inner = self.expr(body, &own, names)?;
        let (projection, condition) = self.map(&own, map, names)?;
        let params = self.system.params.clone();
        let own_space = scope(&params, &own);
        let mut points = domain(&self.system, &inner, &own_space, self.budget)?;
        if let Some(condition) = condition {
            points = points.intersect(&condition);
        }
        let fresh = crate::program::distinct(&own, dims);
        let all: Vec<String> = dims.iter().chain(&fresh).cloned().collect();
        let graph = projection.to_map().reverse().intersect_range(&points);
        let whole = scope(&params, &all);
        let set = graph.flat_wrap().set_tuple(whole.range.clone().expect("a scope has a tuple"));
        let set = set.align_params(&whole).compute_divs(self.budget)?;
        let to_own = MultiAff::projection(&whole, dims.len(), own.len()).set_range_tuple(Tuple::anonymous(own.len()));
        let body = Expr::new(ExprKind::At { map: to_own, dims: own, body: Box::new(inner) }, span);
        Ok(ExprKind::Reduce(Box::new(Reduce { operator, dims: fresh, domain: set, body })))
    }

    fn case(
        &mut self,
        branches: &[(Option<Affine>, tree::Expr)],
        span: &Span,
        dims: &[String],
        names: &Names,
    ) -> Result<ExprKind> {
        let space = scope(&self.system.params, dims);
        let mut sets: Vec<Option<Set>> = Vec::new();
        for (condition, _) in branches {
            sets.push(match condition {
                Some(condition) => Some(self.set(dims, Some(condition), names, &condition.span)?),
                None => None,
            });
        }
        if sets.iter().filter(|set| set.is_none()).count() > 1 {
            return Err(Diagnostic::new(Flaw::Elses, span.clone(), "a case has one `else` at most"));
        }
        let known = sets.iter().flatten().cloned().fold(Set::empty(space), |all, set| all.union(&set));
        let rest = known.complement(self.budget)?.coalesce(self.budget)?;
        let rest = rest.compute_divs(self.budget)?;
        let mut result = Vec::new();
        for ((_, body), set) in branches.iter().zip(sets) {
            let body = self.expr(body, dims, names)?;
            result.push(Branch { domain: set.unwrap_or_else(|| rest.clone()), body });
        }
        Ok(ExprKind::Case(result))
    }

    fn name(&mut self, name: &str, span: &Span, dims: &[String], names: &Names) -> Result<Expr> {
        let space = scope(&self.system.params, dims);
        if let Some(position) = dims.iter().position(|dim| dim == name) {
            let aff = Aff::var(space, poly_presburger::DimKind::Out, position);
            return Ok(Expr::new(ExprKind::Index(aff), span));
        }
        let is_param = self.system.params.iter().any(|p| p.as_str() == name);
        if names.substitution.contains_key(name) || (is_param && !names.variables.contains_key(name)) {
            let token = Token { kind: Kind::Word(name.to_owned()), span: span.clone() };
            let (aff, condition) = self.aff(dims, &Affine { tokens: vec![token], span: span.clone() }, names)?;
            let constant = aff.constant_value().and_then(|value| value.to_int()).as_ref().and_then(Int::to_i64);
            let kind = constant.map_or_else(|| ExprKind::Index(aff), ExprKind::Int);
            return Ok(restricted(kind, condition, span));
        }
        let Some(&variable) = names.variables.get(name) else {
            return Err(Diagnostic::new(Flaw::UnknownName, span.clone(), format!("nothing is called `{name}` here")));
        };
        let wanted = self.system.variables[variable].dims();
        if wanted != 0 && wanted != dims.len() {
            let message = format!("`{name}` without subscripts has {wanted} dimensions, not {}", dims.len());
            return Err(Diagnostic::new(Flaw::Dimensions, span.clone(), message));
        }
        let access = if wanted == 0 {
            MultiAff::into_tuple(&space, Tuple::anonymous(0), Vec::new())
        } else {
            MultiAff::identity(&space).set_range_tuple(Tuple::anonymous(wanted))
        };
        Ok(Expr::new(ExprKind::Read(variable, access), span))
    }

    fn read(
        &mut self,
        name: &Name,
        subscripts: &[Affine],
        span: &Span,
        dims: &[String],
        names: &Names,
    ) -> Result<Expr> {
        let Some(&variable) = names.variables.get(&name.text) else {
            let message = format!("no variable is called `{}`", name.text);
            return Err(Diagnostic::new(Flaw::UnknownName, name.span.clone(), message));
        };
        let wanted = self.system.variables[variable].dims();
        if subscripts.len() != wanted {
            let message = format!("`{}` has {wanted} dimensions, not {}", name.text, subscripts.len());
            let place = self.system.variables[variable].span.clone();
            return Err(Diagnostic::new(Flaw::Dimensions, span.clone(), message).with_place(place, "declared here"));
        }
        let (access, condition) = self.map(dims, subscripts, names)?;
        Ok(restricted(ExprKind::Read(variable, access), condition, span))
    }

    fn call(
        &mut self,
        name: &Name,
        arguments: &[tree::Expr],
        span: &Span,
        dims: &[String],
        names: &Names,
    ) -> Result<Expr> {
        let values: Vec<Expr> = arguments.iter().map(|e| self.expr(e, dims, names)).collect::<Result<_>>()?;
        let operator = match name.text.as_str() {
            "min" => Some(Binary::Min),
            "max" => Some(Binary::Max),
            "xor" => Some(Binary::BitXor),
            _ => None,
        };
        if let Some(operator) = operator {
            let combined =
                values.into_iter().reduce(|a, b| Expr::new(ExprKind::Binary(operator, Box::new(a), Box::new(b)), span));
            return combined
                .ok_or_else(|| Diagnostic::new(Flaw::Arguments, span.clone(), format!("`{}` of nothing", name.text)));
        }
        if let Some(scalar) = Scalar::of_word(&name.text) {
            let [value] = <[Expr; 1]>::try_from(values).map_err(|values| {
                let message = format!("`{scalar}` converts one value, not {}", values.len());
                Diagnostic::new(Flaw::Arguments, span.clone(), message)
            })?;
            return Ok(Expr::new(ExprKind::Unary(Unary::To(scalar), Box::new(value)), span));
        }
        let Some(position) = self.system.externals.iter().position(|external| external.name == name.text) else {
            let message = format!("no function is called `{}`", name.text);
            return Err(Diagnostic::new(Flaw::UnknownFunction, name.span.clone(), message)
                .with_note("declare it: `extern f64 g(f64);`"));
        };
        let wanted = self.system.externals[position].arguments.len();
        if wanted != values.len() {
            let message = format!("`{}` has {wanted} arguments, not {}", name.text, values.len());
            return Err(Diagnostic::new(Flaw::Arguments, span.clone(), message));
        }
        Ok(Expr::new(ExprKind::Call(position, values), span))
    }
}

fn reduction_operator(name: &Name) -> Result<Operator> {
    Ok(match name.text.as_str() {
        "sum" => Operator::Add,
        "prod" => Operator::Mul,
        "min" => Operator::Min,
        "max" => Operator::Max,
        "and" => Operator::And,
        "or" => Operator::Or,
        "xor" => Operator::Xor,
        _ => {
            return Err(Diagnostic::new(
                Flaw::UnknownReduction,
                name.span.clone(),
                format!("nothing is reduced by `{}`", name.text),
            ));
        }
    })
}

/// An expression inside of a branch, if there is a condition.
fn restricted(kind: ExprKind, condition: Option<Set>, span: &Span) -> Expr {
    let body = Expr::new(kind, span);
    match condition {
        None => body,
        Some(domain) => Expr::new(ExprKind::Case(vec![Branch { domain, body }]), span),
    }
}
