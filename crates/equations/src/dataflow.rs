//! Programs as equations: dataflow to single assignment \[Feautrier1991\].
//!
//! # Method
//! Every write of a statement becomes a variable over the statement's instances: the value that an instance writes, as a function, which is not known here, of its indices and of what it reads. A read is a case over the writes that its value may come
//! from, by exact dataflow analysis, and over the elements that were there before (`A_in`). The last write of every element is its value at the end (`A`).
//!
//! # Limits
//! Writes happen for certain, and an access touches one element.

use std::sync::Arc;

use poly_dependence::{AccessKind, Problem, dataflow, live_out};
use poly_presburger::{Aff, Budget, DimKind, Id, Map, MultiAff, PwMultiAff, Set, Space, Stop, Tuple};

use crate::domain::named;
use crate::program::{Branch, Equation, Expr, ExprKind, External, Role, Scalar, System, Variable};
use crate::transform::{Refusal, pieces};

/// The equations of a program, with floating-point values and one function `f_S` for each statement.
///
/// # Errors
/// What the program has that equations lack.
pub fn equations(name: &str, problem: &Problem, budget: &mut Budget) -> Result<System, Refusal> {
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
    let mut builder = Builder { problem, system, externals: Vec::new(), writes: Vec::new(), inputs: Vec::new() };
    builder.declare(budget)?;
    builder.define(budget)?;
    builder.results(budget)?;
    builder.system.externals = Arc::new(builder.externals);
    Ok(builder.system)
}

/// A name of the language like this one.
pub fn word_like(name: &str) -> String {
    c_word(name)
}

fn c_word(name: &str) -> String {
    let word: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') { word } else { format!("s_{word}") }
}

struct Builder<'a> {
    problem: &'a Problem,
    system: System,
    externals: Vec<External>,
    /// The variable of a write: statement, access, position.
    writes: Vec<(usize, usize, usize)>,
    /// The variable of what an array holds before.
    inputs: Vec<(String, usize)>,
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

    fn variable(&mut self, name: &str, role: Role, domain: &Set, budget: &mut Budget) -> Result<usize, Refusal> {
        let anonymous = domain.set_tuple(Tuple::anonymous(domain.n_dim()));
        let space = Space::params(self.system.params.clone());
        let domain = anonymous.align_params(&space).with_exact_params(&self.system.params);
        let domain = domain.intersect_params(&self.system.context).compute_divs(budget);
        let domain =
            domain.and_then(|set| set.coalesce(budget)).and_then(|set| set.compute_divs(budget)).map_err(stopped)?;
        let name = self.system.fresh_name(name);
        self.system.variables.push(Variable { name, role, scalar: Scalar::F64, domain, span: 0..0 });
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
                let variable = self.variable(&name, Role::Let, &domain, budget)?;
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
        let variable = self.variable(&format!("{array}_in"), Role::In, elements, budget)?;
        self.inputs.push((array.to_owned(), variable));
        Ok(variable)
    }

    /// The equations of all writes.
    fn define(&mut self, budget: &mut Budget) -> Result<(), Refusal> {
        let sources = dataflow(self.problem, budget).map_err(stopped)?;
        for (statement, access, variable) in self.writes.clone() {
            let dims = self.dims(statement);
            let scope = self.system.scope(&dims);
            let index = |d: usize| Expr::new(ExprKind::Index(Aff::var(scope.clone(), DimKind::Out, d)), &(0..0));
            let mut values: Vec<Expr> = (0..dims.len()).map(index).collect();
            let mut types = vec![Scalar::I64; dims.len()];
            for read in sources.iter().filter(|read| read.statement == statement && read.access < access) {
                if !read.overlapping.is_empty() {
                    return Err("arrays may overlap".to_owned());
                }
                let mut branches = Vec::new();
                for source in &read.sources {
                    let written = self.writes.iter().find(|w| (w.0, w.1) == (source.statement, source.access));
                    let written = written.ok_or("a value comes from a write that may not happen")?.2;
                    self.branches(&source.relation.reverse(), written, (variable, &dims), &mut branches, budget)?;
                }
                if !read.uninitialized.is_empty(budget).map_err(stopped)? {
                    let relation = &self.problem.statements[statement].accesses[read.access].relation;
                    let relation = relation.intersect_domain(&read.uninitialized);
                    let array = relation.space().tuple_name(DimKind::Out).map_or("memory", Id::as_str).to_owned();
                    let input = self.before(&c_word(&array), &relation.range(), budget)?;
                    self.branches(&relation, input, (variable, &dims), &mut branches, budget)?;
                }
                values.push(chosen(branches));
                types.push(Scalar::F64);
            }
            let name = format!("f_{}", self.system.variables[variable].name);
            let body = Expr::new(ExprKind::Call(self.externals.len(), values), &(0..0));
            self.externals.push(External { name, result: Scalar::F64, arguments: types });
            self.system.equations.push(Equation { variable, dims, body, span: 0..0 });
        }
        Ok(())
    }

    /// One branch for each piece of a function from points of the variable that is defined, with names for its dimensions, to points of a variable.
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
        for (array, parts) in arrays {
            let elements = parts.iter().map(|(relation, _)| relation.range()).reduce(|a, b| a.union(&b));
            let Some(elements) = elements else { continue };
            let variable = self.variable(&c_word(&array), Role::Out, &elements, budget)?;
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

    use poly_arith::Int;
    use poly_dependence::{AccessInfo, StatementInfo};

    use super::*;
    use crate::value::Value;
    use crate::{Machine, Tables, check, normalize, points};

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

    #[test]
    fn equations_compute_what_the_program_does() {
        let budget = &mut Budget::unlimited();
        let system = equations("example", &program(), budget).unwrap();
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
        let why = equations("example", &problem, &mut Budget::unlimited()).unwrap_err();
        assert_eq!(why, "T has a write that may not happen");
    }
}
