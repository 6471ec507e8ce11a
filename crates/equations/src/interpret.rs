//! The meaning of a system: values on demand.
//!
//! # Method
//! Every value is computed when it is asked for, once. A point whose equation reads values that are
//! not there puts them all on a stack and is tried again when they are; so nothing recurs over
//! points, and the depth of dependences does not matter. A point that is met again while it waits
//! depends on itself: the points that wait on the stack are the cycle.
//!
//! Branches of an `if` are asked for when the condition has a value; everything else is strict.
//!
//! # Invariants
//! This is the oracle of everything else: it uses sets to find the points of reductions and of
//! outputs, and nothing of transformations, schedules or code generation beyond the loops over one
//! set.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::ops::ControlFlow;

use poly_picture::{Loops, points};
use poly_presburger::{Budget, Set, Stop};
use poly_reductions::Operator;

use crate::affine::{Form, Guard};
use crate::check::{Class, class};
use crate::domain::{body_context, named};
use crate::program::{Binary, Expr, ExprKind, Role, Scalar, System, Unary, operation};
use crate::value::{Value, binary, neutral, unary};

/// Values of a variable by point.
pub type Table = BTreeMap<Vec<i64>, Value>;

/// Values of variables by name.
pub type Tables = BTreeMap<String, Table>;

/// A function that a system declares.
pub type Function<'a> = &'a dyn Fn(&[f64]) -> f64;

/// Why there are no values.
#[derive(Clone, Debug, PartialEq)]
pub enum RunError {
    /// Values that depend on each other in a circle: each needs the next one, the last one the
    /// first.
    Cycle(Vec<(String, Vec<i64>)>),
    /// A value cannot be computed: the variable, the point, and why.
    Fault(String, Vec<i64>, String),
    /// An input has no value at a point.
    NoInput(String, Vec<i64>),
    /// The limit of operations is reached.
    Stop,
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |(name, point): &(String, Vec<i64>)| place(name, point);
        match self {
            Self::Cycle(points) => {
                let names: Vec<String> = points.iter().chain(points.first()).map(place).collect();
                write!(f, "values depend on themselves: {}", names.join(" needs "))
            }
            Self::Fault(name, point, what) => write!(f, "{}: {what}", self::place(name, point)),
            Self::NoInput(name, point) => write!(f, "the input {} has no value", self::place(name, point)),
            Self::Stop => f.write_str("the limit of operations is reached"),
        }
    }
}

impl std::error::Error for RunError {}

impl From<Stop> for RunError {
    fn from(_: Stop) -> Self {
        Self::Stop
    }
}

fn place(name: &str, point: &[i64]) -> String {
    let point: Vec<String> = point.iter().map(i64::to_string).collect();
    format!("{name}[{}]", point.join(", "))
}

/// A system that is ready to be executed.
#[derive(Debug)]
pub struct Machine<'a> {
    system: &'a System,
    code: Vec<Option<Code>>,
}

/// An expression with numbers of the machine.
#[derive(Debug)]
enum Code {
    Constant(Value),
    Index(Form),
    Read(usize, Vec<Form>),
    Unary(Unary, Box<Code>),
    Binary(Binary, Box<Code>, Box<Code>),
    Call(usize, Vec<Code>),
    If(Box<Code>, Box<Code>, Box<Code>),
    Case(Vec<(Guard, Code)>),
    Reduce { operator: Operator, start: Option<Value>, loops: Option<Loops>, body: Box<Code> },
    At(Vec<Form>, Box<Code>),
}

impl<'a> Machine<'a> {
    /// Prepares a system.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn new(system: &'a System, budget: &mut Budget) -> Result<Self, Stop> {
        let mut code: Vec<Option<Code>> = system.variables.iter().map(|_| None).collect();
        for equation in &system.equations {
            let context = named(&system.variables[equation.variable].domain, &system.scope(&equation.dims));
            code[equation.variable] = Some(compile(system, &equation.body, &context, budget)?);
        }
        Ok(Self { system, code })
    }

    /// All values of the outputs.
    ///
    /// # Errors
    /// What keeps a value from being computed.
    pub fn run(
        &self,
        params: &[i64],
        inputs: &Tables,
        functions: &HashMap<String, Function<'_>>,
        budget: &mut Budget,
    ) -> Result<Tables, RunError> {
        let mut run = Run {
            machine: self,
            params,
            inputs: self.system.variables.iter().map(|v| inputs.get(&v.name)).collect(),
            functions: self.system.externals.iter().map(|e| functions.get(&e.name).copied()).collect(),
            memory: self.system.variables.iter().map(|_| HashMap::new()).collect(),
            needs: Vec::new(),
            fault: None,
            budget,
        };
        let mut results = Tables::new();
        for (variable, declared) in self.system.variables.iter().enumerate() {
            if declared.role != Role::Out {
                continue;
            }
            let mut table = Table::new();
            for point in points(&declared.domain, params, run.budget)? {
                let value = run.demand(variable, point.clone())?;
                table.insert(point, value);
            }
            results.insert(declared.name.clone(), table);
        }
        Ok(results)
    }
}

/// The recursion is bounded by the depth of the expression.
fn compile(system: &System, expr: &Expr, context: &Set, budget: &mut Budget) -> Result<Code, Stop> {
    let inner = |e: &Expr, budget: &mut Budget| Ok::<_, Stop>(Box::new(compile(system, e, context, budget)?));
    Ok(match &expr.kind {
        ExprKind::Int(value) => Code::Constant(Value::Int(*value)),
        ExprKind::Float(value) => Code::Constant(Value::Float(*value)),
        ExprKind::Index(aff) => Code::Index(Form::of(aff).ok_or(Stop)?),
        ExprKind::Read(variable, access) => Code::Read(*variable, Form::all(access).ok_or(Stop)?),
        ExprKind::Unary(operator, e) => Code::Unary(*operator, inner(e, budget)?),
        ExprKind::Binary(operator, a, b) => Code::Binary(*operator, inner(a, budget)?, inner(b, budget)?),
        ExprKind::Call(external, values) => {
            let values = values.iter().map(|e| compile(system, e, context, budget)).collect::<Result<_, _>>()?;
            Code::Call(*external, values)
        }
        ExprKind::If(a, b, c) => Code::If(inner(a, budget)?, inner(b, budget)?, inner(c, budget)?),
        ExprKind::Case(branches) => {
            let mut compiled = Vec::new();
            for branch in branches {
                let own = context.intersect(&branch.domain).compute_divs(budget)?;
                let guard = Guard::of(&branch.domain.clone().compute_divs(budget)?).ok_or(Stop)?;
                compiled.push((guard, compile(system, &branch.body, &own, budget)?));
            }
            Code::Case(compiled)
        }
        ExprKind::Reduce(reduce) => {
            let points = body_context(reduce, context).compute_divs(budget)?.remove_empty_parts(budget)?;
            let loops =
                if points.plain_is_empty() { None } else { Some(Loops::new(&points, context.n_dim(), budget)?) };
            let start = neutral(reduce.operator, class(system, &reduce.body) == Class::Float);
            let body = Box::new(compile(system, &reduce.body, &points, budget)?);
            Code::Reduce { operator: reduce.operator, start, loops, body }
        }
        ExprKind::At { map, body, .. } => {
            let image = map.to_map().intersect_domain(&named(context, &map.domain_space())).range();
            let image = named(&image, &map.range_space()).compute_divs(budget)?;
            Code::At(Form::all(map).ok_or(Stop)?, Box::new(compile(system, body, &image, budget)?))
        }
    })
}

#[derive(Clone, Copy, Debug)]
enum State {
    Waiting,
    Done(Value),
}

struct Run<'a, 'b> {
    machine: &'b Machine<'a>,
    params: &'b [i64],
    inputs: Vec<Option<&'b Table>>,
    functions: Vec<Option<Function<'b>>>,
    memory: Vec<HashMap<Vec<i64>, State>>,
    needs: Vec<(usize, Vec<i64>)>,
    fault: Option<String>,
    budget: &'b mut Budget,
}

impl Run<'_, '_> {
    fn name(&self, variable: usize) -> String {
        self.machine.system.variables[variable].name.clone()
    }

    /// The value of a point, and of all that it needs.
    fn demand(&mut self, variable: usize, point: Vec<i64>) -> Result<Value, RunError> {
        let mut stack = vec![(variable, point.clone())];
        while let Some((variable, point)) = stack.last().cloned() {
            self.budget.spend(1)?;
            if let Some(State::Done(_)) = self.memory[variable].get(&point) {
                stack.pop();
                continue;
            }
            self.memory[variable].insert(point.clone(), State::Waiting);
            match self.attempt(variable, &point)? {
                Some(value) => {
                    let stored = value.stored(self.machine.system.variables[variable].scalar);
                    self.memory[variable].insert(point, State::Done(stored));
                    stack.pop();
                }
                None => {
                    let needs = std::mem::take(&mut self.needs);
                    let waits = |(v, p): &&(usize, Vec<i64>)| matches!(self.memory[*v].get(p), Some(State::Waiting));
                    if let Some(met) = needs.iter().find(waits) {
                        return Err(self.cycle(&stack, met));
                    }
                    stack.extend(needs);
                }
            }
        }
        match self.memory[variable].get(&point) {
            Some(State::Done(value)) => Ok(*value),
            _ => Err(RunError::Stop),
        }
    }

    /// The points that wait, from the one that is met again on.
    fn cycle(&self, stack: &[(usize, Vec<i64>)], met: &(usize, Vec<i64>)) -> RunError {
        let waits = |(v, p): &&(usize, Vec<i64>)| matches!(self.memory[*v].get(p), Some(State::Waiting));
        let mut points: Vec<&(usize, Vec<i64>)> = Vec::new();
        for entry in stack.iter().filter(waits) {
            // A point may have been put on the stack twice: it waits where it came last.
            points.retain(|other| *other != entry);
            points.push(entry);
        }
        let first = points.iter().position(|entry| *entry == met).unwrap_or(0);
        RunError::Cycle(points[first..].iter().map(|(v, p)| (self.name(*v), p.clone())).collect())
    }

    /// The value of an equation, or nothing if something is missing, which is then in `needs`.
    fn attempt(&mut self, variable: usize, point: &[i64]) -> Result<Option<Value>, RunError> {
        let Some(code) = &self.machine.code[variable] else {
            let found = self.inputs[variable].and_then(|table| table.get(point)).copied();
            return found.map(Some).ok_or_else(|| RunError::NoInput(self.name(variable), point.to_vec()));
        };
        self.needs.clear();
        let value = self.value(code, point);
        match self.fault.take() {
            Some(what) => Err(RunError::Fault(self.name(variable), point.to_vec(), what)),
            None => Ok(value),
        }
    }

    fn failed(&mut self, what: &str) -> Option<Value> {
        self.fault.get_or_insert_with(|| what.to_owned());
        None
    }

    fn subscripts(&mut self, forms: &[Form], point: &[i64]) -> Option<Vec<i64>> {
        let values: Option<Vec<i64>> = forms.iter().map(|form| form.at(self.params, point)).collect();
        if values.is_none() {
            self.failed("a subscript has more than 64 bits");
        }
        values
    }

    /// The recursion is bounded by the depth of the expression.
    fn value(&mut self, code: &Code, point: &[i64]) -> Option<Value> {
        match code {
            Code::Constant(value) => Some(*value),
            Code::Index(form) => match form.at(self.params, point) {
                Some(value) => Some(Value::Int(value)),
                None => self.failed("an index has more than 64 bits"),
            },
            Code::Read(variable, forms) => {
                let place = self.subscripts(forms, point)?;
                match self.memory[*variable].get(&place) {
                    Some(State::Done(value)) => Some(*value),
                    _ => {
                        self.needs.push((*variable, place));
                        None
                    }
                }
            }
            Code::Unary(operator, e) => Some(unary(*operator, self.value(e, point)?)),
            Code::Binary(operator, a, b) => {
                let (a, b) = (self.value(a, point), self.value(b, point));
                let (a, b) = (a?, b?);
                match binary(*operator, a, b) {
                    Some(value) => Some(value),
                    None => self.failed("division by zero"),
                }
            }
            Code::Call(external, values) => {
                let values: Vec<Option<Value>> = values.iter().map(|e| self.value(e, point)).collect();
                let values: Vec<Value> = values.into_iter().collect::<Option<_>>()?;
                self.call(*external, &values)
            }
            Code::If(test, a, b) => {
                let chosen = if self.value(test, point)?.is_true() { a } else { b };
                let value = self.value(chosen, point)?;
                Some(value)
            }
            Code::Case(branches) => match branches.iter().find(|(guard, _)| guard.contains(self.params, point)) {
                Some((_, body)) => self.value(body, point),
                None => self.failed("there is no value"),
            },
            Code::Reduce { operator, start, loops, body } => {
                self.reduce(*operator, *start, loops.as_ref(), body, point)
            }
            Code::At(forms, body) => {
                let place = self.subscripts(forms, point)?;
                self.value(body, &place)
            }
        }
    }

    fn call(&mut self, external: usize, values: &[Value]) -> Option<Value> {
        let declared = &self.machine.system.externals[external];
        let Some(function) = self.functions[external] else {
            let what = format!("the function `{}` is not known here", declared.name);
            return self.failed(&what);
        };
        let taken: Vec<f64> = values.iter().zip(&declared.arguments).map(|(v, s)| v.stored(*s).to_f64()).collect();
        let result = Value::Float(function(&taken));
        Some(if declared.result.is_float() {
            result.stored(declared.result)
        } else {
            result.stored(Scalar::I64).stored(declared.result)
        })
    }

    fn reduce(
        &mut self,
        operator: Operator,
        start: Option<Value>,
        loops: Option<&Loops>,
        body: &Code,
        point: &[i64],
    ) -> Option<Value> {
        let values: Vec<i64> = self.params.iter().chain(point).copied().collect();
        let (mut sum, mut complete) = (start, true);
        if let Some(loops) = loops {
            let mut place = point.to_vec();
            let flow = loops.run(&values, &mut |inner| {
                place.truncate(point.len());
                place.extend_from_slice(inner);
                match self.value(body, &place) {
                    None => complete = false,
                    Some(value) => {
                        sum = Some(match sum {
                            None => value,
                            Some(sum) => binary(operation(operator), sum, value).unwrap_or(sum),
                        });
                    }
                }
                if self.budget.spend(1).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            if flow.is_break() {
                return self.failed("the limit of operations is reached");
            }
        }
        match sum {
            _ if !complete => None,
            Some(sum) => Some(sum),
            None => self.failed("a minimum or maximum of nothing"),
        }
    }
}

/// Functions of mathematics that a system may declare and C has under the same names.
pub fn known_functions() -> HashMap<String, Function<'static>> {
    let all: [(&str, Function<'static>); 13] = [
        ("sqrt", &|x| x[0].sqrt()),
        ("exp", &|x| x[0].exp()),
        ("log", &|x| x[0].ln()),
        ("log2", &|x| x[0].log2()),
        ("sin", &|x| x[0].sin()),
        ("cos", &|x| x[0].cos()),
        ("tan", &|x| x[0].tan()),
        ("tanh", &|x| x[0].tanh()),
        ("fabs", &|x| x[0].abs()),
        ("floor", &|x| x[0].floor()),
        ("ceil", &|x| x[0].ceil()),
        ("pow", &|x| x[0].powf(x[1])),
        ("atan2", &|x| x[0].atan2(x[1])),
    ];
    all.into_iter().map(|(name, function)| (name.to_owned(), function)).collect()
}

#[cfg(test)]
pub(crate) mod tests;
