//! Programs as equations: dataflow to single assignment \[Feautrier1991\].
//!
//! # Method
//! Every write of a statement becomes a variable over the statement's instances: the value that an
//! instance writes. If the statement's body is known, that is the expression that it computes
//! ([`body`]), else a function, which is not known here, of its indices and of what it reads. A
//! read is a case over the writes that its value may come from, by exact dataflow analysis, and
//! over the elements that were there before (`A_in`). The last write of every element is its value
//! at the end (`A`).
//!
//! A write that may not happen writes, where it does not happen, what was there: it becomes a read
//! and a write that happens. So its body must be known.
//!
//! # Limits
//! An access touches one element.

pub mod body;

use std::collections::BTreeMap;
use std::sync::Arc;

use poly_dependence::{AccessInfo, AccessKind, Problem, ReadSource, StatementInfo, dataflow, live_out};
use poly_presburger::{Aff, Budget, DimKind, Id, Map, MultiAff, PwMultiAff, Set, Space, Stop, Tuple};

use crate::domain::named;
use crate::program::{Branch, Equation, Expr, ExprKind, External, Role, Scalar, System, Variable};
use crate::syntax::parser::is_reserved;
use crate::transform::{Refusal, pieces};
use body::{Action, Step};

/// What is known of a program beside its accesses.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The types of arrays.
    pub types: BTreeMap<String, Scalar>,
    /// Arrays that nobody looks at afterwards.
    pub inner: Vec<String>,
    /// What statements do, with the positions of accesses; `None` if that is not known.
    pub bodies: Vec<Option<Vec<Step>>>,
}

/// The equations of a program; statements of which nothing is known have floating-point values, and
/// one function `f_S` for each of them.
///
/// # Errors
/// What the program has that equations lack.
pub fn equations(name: &str, problem: &Problem, known: &Known, budget: &mut Budget) -> Result<System, Refusal> {
    let mut known = known.clone();
    known.bodies.resize(problem.statements.len(), None);
    let (problem, conditional) = &with_certain_writes(problem, &mut known.bodies);
    let spaces = problem.statements.iter().map(|s| s.domain.space());
    let params = spaces.fold(problem.context.space().params_space(), |all, space| all.align(space)).params;
    let system = System {
        name: c_word(name),
        context: problem.context.align_params(&Space::params(params.clone())),
        params,
        variables: Vec::new(),
        equations: Vec::new(),
        externals: Arc::new(Vec::new()),
    };
    let (writes, inputs, outside) = (Vec::new(), Vec::new(), Vec::new());
    let externals = Vec::new();
    let mut builder = Builder { problem, known: &known, conditional, system, externals, writes, inputs, outside };
    builder.declare(budget)?;
    builder.define(budget)?;
    builder.results(budget)?;
    builder.system.externals = Arc::new(builder.externals);
    Ok(builder.system)
}

/// The same with a read in front of each write that may not happen, and a write that does happen,
/// if the body is known; and which statements have such writes.
fn with_certain_writes(problem: &Problem, bodies: &mut [Option<Vec<Step>>]) -> (Problem, Vec<bool>) {
    let mut certain = problem.clone();
    let is_conditional = |s: &StatementInfo| s.accesses.iter().any(|a| a.kind == AccessKind::MayWrite);
    let conditional = problem.statements.iter().map(is_conditional).collect();
    for (statement, body) in certain.statements.iter_mut().zip(bodies) {
        let has_condition = |access: usize, steps: &[Step]| {
            steps.iter().any(|step| step.action == Action::Write(access) && step.condition.is_some())
        };
        let Some(steps) = body else { continue };
        let mut unsure = statement.accesses.iter().enumerate().filter(|(_, a)| a.kind == AccessKind::MayWrite);
        if !unsure.all(|(access, _)| has_condition(access, steps)) {
            *body = None;
            continue;
        }
        let mut places = Vec::new();
        let mut accesses: Vec<AccessInfo> = Vec::new();
        for mut access in std::mem::take(&mut statement.accesses) {
            if access.kind == AccessKind::MayWrite {
                accesses.push(AccessInfo { kind: AccessKind::Read, ..access.clone() });
                access.kind = AccessKind::MustWrite;
            }
            places.push(accesses.len());
            accesses.push(access);
        }
        statement.accesses = accesses;
        for step in steps {
            match &mut step.action {
                // What is beyond the list has no value.
                Action::Read(access) | Action::Write(access) => {
                    *access = places.get(*access).copied().unwrap_or(usize::MAX);
                }
                _ => {}
            }
        }
    }
    (certain, conditional)
}

/// A name of the language like this one.
pub fn word_like(name: &str) -> String {
    c_word(name)
}

fn c_word(name: &str) -> String {
    let word: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let is_word = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if is_word && !is_reserved(&word) { word } else { format!("s_{word}") }
}

struct Builder<'a> {
    problem: &'a Problem,
    known: &'a Known,
    /// By statement: it has writes that may not happen.
    conditional: &'a [bool],
    system: System,
    externals: Vec<External>,
    /// The variable of a write: statement, access, position.
    writes: Vec<(usize, usize, usize)>,
    /// The variable of what an array holds before.
    inputs: Vec<(String, usize)>,
    /// The variable of a number from before the loops.
    outside: Vec<(String, usize)>,
}

/// What the body of a statement is translated with.
struct Reads<'b, 'a> {
    builder: &'b mut Builder<'a>,
    statement: usize,
    /// The value that each access finds.
    values: &'b [(usize, Expr)],
}

impl body::Context for Reads<'_, '_> {
    fn read(&self, access: usize) -> Option<Expr> {
        self.values.iter().find(|(read, _)| *read == access).map(|(_, value)| value.clone())
    }

    fn before(&self, write: usize) -> Option<Expr> {
        self.read(write.checked_sub(1)?)
    }

    fn outside(&mut self, name: &str, scalar: Scalar) -> Expr {
        let builder = &mut *self.builder;
        let found = builder.outside.iter().find(|(known, _)| known == name).map(|(_, variable)| *variable);
        let variable = found.unwrap_or_else(|| {
            let own = builder.system.fresh_name(&c_word(name));
            let point = Space::set(builder.system.params.clone(), Tuple::anonymous(0));
            let domain = Set::universe(point).intersect_params(&builder.system.context);
            builder.system.variables.push(Variable { name: own, role: Role::In, scalar, domain, span: 0..0 });
            builder.outside.push((name.to_owned(), builder.system.variables.len() - 1));
            builder.system.variables.len() - 1
        });
        let scope = builder.system.scope(&builder.dims(self.statement));
        Expr::new(ExprKind::Read(variable, MultiAff::into_tuple(&scope, Tuple::anonymous(0), Vec::new())), &(0..0))
    }

    fn affine(&self, affine: &body::Affine) -> Option<Expr> {
        let system = &self.builder.system;
        let scope = system.scope(&self.builder.dims(self.statement));
        let mut sum = Aff::constant(scope.clone(), affine.constant);
        for (name, factor) in &affine.params {
            let param = system.params.iter().position(|param| param.as_str() == name)?;
            sum = sum.add(&Aff::var(scope.clone(), DimKind::Param, param).scale(*factor));
        }
        for (dim, factor) in affine.loops.iter().enumerate().filter(|(_, factor)| **factor != 0) {
            sum = sum.add(&Aff::var(scope.clone(), DimKind::Out, dim).scale(*factor));
        }
        (affine.loops.len() == scope.dim(DimKind::Out)).then(|| Expr::new(ExprKind::Index(sum), &(0..0)))
    }

    fn function(&mut self, external: External) -> usize {
        self.builder.function(external)
    }
}

fn stopped(stop: Stop) -> Refusal {
    stop.to_string()
}

impl Builder<'_> {
    fn statement_name(&self, statement: usize) -> String {
        let tuple = self.problem.statements[statement].domain.tuple_name().map(|id| c_word(id.as_str()));
        tuple.unwrap_or_else(|| format!("S{statement}"))
    }

    /// Names of the dimensions of a statement's scope.
    fn dims(&self, statement: usize) -> Vec<String> {
        let n = self.problem.statements[statement].domain.n_dim();
        let taken: Vec<String> = self.system.params.iter().map(|p| p.as_str().to_owned()).collect();
        crate::program::distinct(&(0..n).map(|i| format!("i{i}")).collect::<Vec<_>>(), &taken)
    }

    fn variable(
        &mut self,
        (name, array): (&str, &str),
        role: Role,
        domain: &Set,
        budget: &mut Budget,
    ) -> Result<usize, Refusal> {
        let anonymous = domain.set_tuple(Tuple::anonymous(domain.n_dim()));
        let space = Space::params(self.system.params.clone());
        let domain = anonymous.align_params(&space).with_exact_params(&self.system.params);
        let domain = domain.intersect_params(&self.system.context).compute_divs(budget);
        let domain =
            domain.and_then(|set| set.coalesce(budget)).and_then(|set| set.compute_divs(budget)).map_err(stopped)?;
        let name = self.system.fresh_name(name);
        let scalar = self.known.types.get(array).copied().unwrap_or(Scalar::F64);
        self.system.variables.push(Variable { name, role, scalar, domain, span: 0..0 });
        Ok(self.system.variables.len() - 1)
    }

    /// A variable for every write.
    fn declare(&mut self, budget: &mut Budget) -> Result<(), Refusal> {
        for s in 0..self.problem.statements.len() {
            let statement = &self.problem.statements[s];
            if statement.accesses.iter().any(|a| a.kind == AccessKind::MayWrite) {
                return Err(format!("{} has a write that may not happen", self.statement_name(s)));
            }
            let writes: Vec<usize> = (0..statement.accesses.len())
                .filter(|&a| statement.accesses[a].kind == AccessKind::MustWrite)
                .collect();
            let domain = statement.domain.clone();
            for &access in &writes {
                let name = self.statement_name(s);
                let name = if writes.len() == 1 { name } else { format!("{name}_{access}") };
                let array = array_of(&statement.accesses[access]);
                let variable = self.variable((&name, &array), Role::Let, &domain, budget)?;
                self.writes.push((s, access, variable));
            }
        }
        Ok(())
    }

    /// The variable of what an array holds before the program; its domain grows with what is read.
    fn before(&mut self, array: &str, elements: &Set, budget: &mut Budget) -> Result<usize, Refusal> {
        if let Some((_, variable)) = self.inputs.iter().find(|(name, _)| name == array) {
            let own = &mut self.system.variables[*variable].domain;
            let more = named(&elements.set_tuple(Tuple::anonymous(elements.n_dim())), own.space());
            let more = more.with_exact_params(&self.system.params).intersect_params(&self.system.context);
            let all = own.union(&more).compute_divs(budget).and_then(|set| set.coalesce(budget));
            *own = all.and_then(|set| set.compute_divs(budget)).map_err(stopped)?;
            return Ok(*variable);
        }
        let name = format!("{}_in", c_word(array));
        let variable = self.variable((&name, array), Role::In, elements, budget)?;
        self.inputs.push((array.to_owned(), variable));
        Ok(variable)
    }

    /// The equations of all writes.
    fn define(&mut self, budget: &mut Budget) -> Result<(), Refusal> {
        let sources = dataflow(self.problem, budget).map_err(stopped)?;
        for statement in 0..self.problem.statements.len() {
            let writes: Vec<_> = self.writes.iter().filter(|write| write.0 == statement).copied().collect();
            let Some(&(_, _, first)) = writes.first() else { continue };
            let mut values: Vec<(usize, Expr)> = Vec::new();
            for read in sources.iter().filter(|read| read.statement == statement) {
                values.push((read.access, self.read(read, first, budget)?));
            }
            let known = self.known;
            let body = known.bodies[statement].as_ref();
            let mut translated = body.and_then(|steps| {
                let translated = body::values(steps, &mut Reads { builder: self, statement, values: &values }).ok()?;
                writes
                    .iter()
                    .all(|(_, access, _)| translated.iter().any(|(own, _)| own == access))
                    .then_some(translated)
            });
            for (_, access, variable) in writes {
                let body = match &mut translated {
                    Some(all) => all.iter_mut().find(|(own, _)| *own == access).map(|(_, value)| value.clone()),
                    None => None,
                };
                let body = body.map_or_else(|| self.unknown((statement, access, variable), &values), Ok)?;
                let dims = self.dims(statement);
                self.system.equations.push(Equation { variable, dims, body, span: 0..0 });
            }
        }
        Ok(())
    }

    /// A function of indices and of what is read.
    fn unknown(
        &mut self,
        (statement, access, variable): (usize, usize, usize),
        reads: &[(usize, Expr)],
    ) -> Result<Expr, Refusal> {
        let accesses = &self.problem.statements[statement].accesses;
        if self.conditional[statement] {
            return Err(format!("{} has a write that may not happen", self.statement_name(statement)));
        }
        let dims = self.dims(statement);
        let scope = self.system.scope(&dims);
        let index = |d: usize| Expr::new(ExprKind::Index(Aff::var(scope.clone(), DimKind::Out, d)), &(0..0));
        let mut values: Vec<Expr> = (0..dims.len()).map(index).collect();
        let mut types = vec![Scalar::I64; dims.len()];
        for (read, value) in reads.iter().filter(|(read, _)| *read < access) {
            values.push(value.clone());
            types.push(self.known.types.get(&array_of(&accesses[*read])).copied().unwrap_or(Scalar::F64));
        }
        let Variable { name, scalar, .. } = &self.system.variables[variable];
        let external = External { name: format!("f_{name}"), result: *scalar, arguments: types };
        Ok(Expr::new(ExprKind::Call(self.function(external), values), &(0..0)))
    }

    /// The position of a function.
    fn function(&mut self, external: External) -> usize {
        self.externals.iter().position(|known| *known == external).unwrap_or_else(|| {
            self.externals.push(external);
            self.externals.len() - 1
        })
    }

    /// The value that a read finds, for the equation of a variable over the instances of its
    /// statement.
    fn read(&mut self, read: &ReadSource, defined: usize, budget: &mut Budget) -> Result<Expr, Refusal> {
        if !read.overlapping.is_empty() {
            return Err("arrays may overlap".to_owned());
        }
        let dims = self.dims(read.statement);
        let mut branches = Vec::new();
        for source in &read.sources {
            let written = self.writes.iter().find(|w| (w.0, w.1) == (source.statement, source.access));
            let written = written.ok_or("a value comes from a write that may not happen")?.2;
            self.branches(&source.relation.reverse(), written, (defined, &dims), &mut branches, budget)?;
        }
        if !read.uninitialized.is_empty(budget).map_err(stopped)? {
            let access = &self.problem.statements[read.statement].accesses[read.access];
            let relation = access.relation.intersect_domain(&read.uninitialized);
            let input = self.before(&array_of(access), &relation.range(), budget)?;
            self.branches(&relation, input, (defined, &dims), &mut branches, budget)?;
        }
        Ok(chosen(branches))
    }

    /// One branch for each piece of a function from points of the variable that is defined, with
    /// names for its dimensions, to points of a variable.
    fn branches(
        &self,
        relation: &Map,
        variable: usize,
        (defined, dims): (usize, &[String]),
        all: &mut Vec<Branch>,
        budget: &mut Budget,
    ) -> Result<(), Refusal> {
        let scope = self.system.scope(dims);
        let (n, m) = (relation.dim(DimKind::In), relation.dim(DimKind::Out));
        let plain = relation.set_tuple(DimKind::In, Tuple::anonymous(n)).set_tuple(DimKind::Out, Tuple::anonymous(m));
        let space = Space::params(self.system.params.clone());
        let plain = plain.align_params(&space).with_exact_params(&self.system.params);
        let function = PwMultiAff::from_map(&plain, budget);
        let function = function.map_err(|error| format!("an access touches more than one element: {error}"))?;
        let whole = named(&self.system.variables[defined].domain, &scope);
        for (domain, map) in pieces(&function, &scope, budget).map_err(stopped)? {
            // What holds for all points need not be said.
            let domain = domain.gist(&whole, budget).and_then(|set| set.compute_divs(budget)).map_err(stopped)?;
            let identity = MultiAff::identity(&scope).set_range_tuple(Tuple::anonymous(n));
            let access = crate::pullback::after(&map, &identity);
            all.push(Branch { domain, body: Expr::new(ExprKind::Read(variable, access), &(0..0)) });
        }
        Ok(())
    }

    /// What every element that is written holds at the end.
    fn results(&mut self, budget: &mut Budget) -> Result<(), Refusal> {
        let survivors = live_out(self.problem, budget).map_err(stopped)?;
        let mut arrays: Vec<(String, Vec<(Map, usize)>)> = Vec::new();
        for survivor in survivors {
            let written = self.writes.iter().find(|w| (w.0, w.1) == (survivor.statement, survivor.access));
            let written = written.ok_or("a write may not happen")?.2;
            let array = survivor.relation.space().tuple_name(DimKind::Out).map_or("memory", Id::as_str).to_owned();
            match arrays.iter_mut().find(|(name, _)| *name == array) {
                Some((_, all)) => all.push((survivor.relation, written)),
                None => arrays.push((array, vec![(survivor.relation, written)])),
            }
        }
        let is_seen = |array: &String| !self.known.inner.contains(array);
        for (array, parts) in arrays.into_iter().filter(|(array, _)| is_seen(array)) {
            let elements = parts.iter().map(|(relation, _)| relation.range()).reduce(|a, b| a.union(&b));
            let Some(elements) = elements else { continue };
            let variable = self.variable((&c_word(&array), &array), Role::Out, &elements, budget)?;
            let taken: Vec<String> = self.system.params.iter().map(|p| p.as_str().to_owned()).collect();
            let dims = (0..elements.n_dim()).map(|i| format!("x{i}")).collect::<Vec<_>>();
            let dims = crate::program::distinct(&dims, &taken);
            let mut branches = Vec::new();
            for (relation, written) in &parts {
                self.branches(&relation.reverse(), *written, (variable, &dims), &mut branches, budget)?;
            }
            self.system.equations.push(Equation { variable, dims, body: chosen(branches), span: 0..0 });
        }
        Ok(())
    }
}

/// The array of an access.
fn array_of(access: &AccessInfo) -> String {
    access.relation.space().tuple_name(DimKind::Out).map_or("memory", Id::as_str).to_owned()
}

/// The value of the branch that counts.
fn chosen(branches: Vec<Branch>) -> Expr {
    match <[Branch; 1]>::try_from(branches) {
        Ok([one]) => one.body,
        Err(branches) => Expr::new(ExprKind::Case(branches), &(0..0)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};

    use super::*;
    use crate::value::Value;
    use crate::{Machine, Tables, check, normalize, points};
    use poly_arith::Int;

    fn statement(domain: &str, time: &str, accesses: &[(AccessKind, &str)]) -> StatementInfo {
        let access = |(kind, text): &(AccessKind, &str)| AccessInfo {
            kind: *kind,
            relation: text.parse().expect("a relation"),
            group: None,
        };
        StatementInfo {
            domain: domain.parse().expect("a set"),
            time: time.parse().expect("a relation"),
            accesses: accesses.iter().map(access).collect(),
            reductions: Vec::new(),
        }
    }

    /// `for i: for j <= i: A[j] = f(A[j], A[i - j]); for i: B[2i] = g(A[i])`.
    fn program() -> Problem {
        use AccessKind::{MustWrite, Read};
        let first = statement(
            "[n] -> { S[i, j] : 0 <= j <= i < n }",
            "[n] -> { S[i, j] -> [0, i, j] }",
            &[(Read, "{ S[i, j] -> A[j] }"), (Read, "{ S[i, j] -> A[i - j] }"), (MustWrite, "{ S[i, j] -> A[j] }")],
        );
        let second = statement(
            "[n] -> { T[i] : 0 <= i < n }",
            "[n] -> { T[i] -> [1, i, 0] }",
            &[(Read, "{ T[i] -> A[i] }"), (MustWrite, "{ T[i] -> B[2i] }")],
        );
        let context = "[n] -> { : n >= 1 }".parse().expect("a set");
        Problem { context, statements: vec![first, second], overlaps: Vec::new() }
    }

    fn mixed(arguments: &[f64]) -> f64 {
        arguments.iter().fold(1.0, |sum, x| (sum * 3.0 + x) % 1009.0)
    }

    /// `for i: if (i * 2 > A[i]) A[i] = A[i] + alpha`, with numbers from before and functions of
    /// indices.
    #[test]
    fn bodies_become_expressions() {
        use AccessKind::{MayWrite, Read};
        use body::{Affine, Number, Operand};
        let budget = &mut Budget::unlimited();
        let accesses = [(Read, "{ S[i] -> A[i] }"), (MayWrite, "{ S[i] -> A[i] }")];
        let only = statement("[n] -> { S[i] : 0 <= i < n }", "[n] -> { S[i] -> [i] }", &accesses);
        let context = "[n] -> { : n >= 1 }".parse().expect("a set");
        let problem = Problem { context, statements: vec![only], overlaps: Vec::new() };
        let integer = Number::Bits(32);
        let step = |action, result, number, operands| {
            let (condition, no_wrap) = (None, false);
            Step { action, result, number: Some(number), operands, condition, no_wrap }
        };
        let compute =
            |opcode: &str, result, number, operands| step(Action::Compute(opcode.to_owned()), result, number, operands);
        let twice = Affine { constant: 0, params: Vec::new(), loops: vec![2] };
        let test = vec![Operand::Affine(twice, integer, true), Operand::Step(0)];
        let outside = Operand::Outside("alpha".to_owned(), integer);
        let write = step(Action::Write(1), 3, integer, vec![Operand::Step(2)]);
        let body = vec![
            step(Action::Read(0), 0, integer, Vec::new()),
            compute("icmp sgt", 1, Number::Bits(1), test),
            compute("add", 2, integer, vec![Operand::Step(0), outside]),
            Step { condition: Some(1), ..write },
        ];
        let types = BTreeMap::from([("A".to_owned(), Scalar::I32)]);
        let known = Known { types, inner: Vec::new(), bodies: vec![Some(body)] };
        let system = equations("example", &problem, &known, budget).unwrap();
        let flaws = check(&system, budget).unwrap();
        assert!(flaws.is_empty(), "{}\n{system}", flaws[0]);
        let text = system.to_string();
        assert!(text.contains("S[i0] = if val[2i0] > A_in[i0] then A_in[i0] + alpha else A_in[i0];"), "{text}");
        assert!(text.contains("in i32 alpha : { [] };"), "{text}");
        // Without its body the write is refused.
        let known = Known { bodies: Vec::new(), ..known };
        assert!(equations("example", &problem, &known, budget).unwrap_err().contains("may not happen"));
    }

    #[test]
    fn equations_compute_what_the_program_does() {
        let budget = &mut Budget::unlimited();
        let system = equations("example", &program(), &Known::default(), budget).unwrap();
        let flaws = check(&system, budget).unwrap();
        assert!(flaws.is_empty(), "{}\n{system}", flaws[0]);
        let again = crate::tests::system(&system.to_string());
        assert_eq!(again.to_string(), system.to_string());
        let n = 6i64;
        let mut memory: BTreeMap<(char, i64), f64> = (0..n).map(|i| (('A', i), i as f64 + 2.0)).collect();
        let input = &system.variables[system.find("A_in").unwrap()];
        let table = points(&input.domain, &[n], budget).unwrap();
        let table = table.into_iter().map(|p| (p.clone(), Value::Float(p[0] as f64 + 2.0))).collect();
        for i in 0..n {
            for j in 0..=i {
                let value = mixed(&[i as f64, j as f64, memory[&('A', j)], memory[&('A', i - j)]]);
                memory.insert(('A', j), value);
            }
        }
        for i in 0..n {
            memory.insert(('B', 2 * i), mixed(&[i as f64, memory[&('A', i)]]));
        }
        let functions: HashMap<String, crate::Function<'_>> =
            [("f_S".to_owned(), &mixed as crate::Function<'_>), ("f_T".to_owned(), &mixed)].into_iter().collect();
        let inputs = Tables::from([("A_in".to_owned(), table)]);
        for system in [&system, &normalize(&system, budget).unwrap()] {
            let found = Machine::new(system, budget).unwrap().run(&[n], &inputs, &functions, budget).unwrap();
            for (array, name) in [('A', "A"), ('B', "B")] {
                let expected: Vec<f64> = memory.iter().filter(|((a, _), _)| *a == array).map(|(_, v)| *v).collect();
                let values: Vec<f64> = found[name].values().map(|v| v.to_f64()).collect();
                assert_eq!(values, expected, "{name}\n{system}");
            }
        }
        assert!(!system.context.contains(&[Int::from(0)], &[]));
    }

    #[test]
    fn writes_that_may_not_happen_are_refused() {
        let mut problem = program();
        problem.statements[1].accesses[1].kind = AccessKind::MayWrite;
        let why = equations("example", &problem, &Known::default(), &mut Budget::unlimited()).unwrap_err();
        assert_eq!(why, "T has a write that may not happen");
    }
}
