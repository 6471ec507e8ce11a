//! Evaluating statements.

use std::collections::BTreeMap;
use std::fs;

use poly_arith::{Int, Rational};
use poly_counting::{Card, Cardinality, PwFold, PwQuasiPolynomial, union_map_card};
use poly_presburger::{Budget, Coalescing, Containing, Map, ParseError, Set, SolveError, Stop, UnionMap, UnionSet};
use poly_schedule_tree::ScheduleTree;

use super::flow::{self, FlowInput};
use super::syntax::{Expr, ExprKind, Statement, SyntaxError, UNARY, statements};
use super::value::Value;

/// What went wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The byte where it was found.
    pub(crate) at: usize,
    /// A sentence.
    pub(crate) message: String,
    /// Whether more text may help.
    pub(crate) is_incomplete: bool,
}

impl From<SyntaxError> for Failure {
    fn from(error: SyntaxError) -> Failure {
        Failure { at: error.at, message: error.message, is_incomplete: error.is_incomplete }
    }
}

/// Whether more is to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// Go on.
    Continue,
    /// The end was asked for.
    Quit,
}

/// Files may read others to this depth.
const MAX_DEPTH: usize = 16;

/// The variables, and what an operation may cost.
#[derive(Debug)]
pub(crate) struct Session {
    variables: BTreeMap<String, Value>,
    operations: u64,
    depth: usize,
}

/// What an operation gives, or a sentence.
type Result<T> = std::result::Result<T, String>;

fn stopped(stop: Stop) -> String {
    format!("it is given up: {stop}")
}

fn unsolved(error: SolveError) -> String {
    match error {
        SolveError::Stop => stopped(Stop),
        SolveError::Unbounded => "there is no optimum: it is unbounded".to_owned(),
    }
}

impl Session {
    /// A session in which each operation may take so many steps.
    pub(crate) fn new(operations: u64) -> Session {
        Session { variables: BTreeMap::new(), operations, depth: 0 }
    }

    /// The names of all variables.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.variables.keys()
    }

    /// Runs the statements of a text; what they print goes to `print`, also that of those before a
    /// failure.
    pub(crate) fn run(&mut self, text: &str, print: &mut dyn FnMut(&str)) -> std::result::Result<Flow, Failure> {
        for (at, statement) in statements(text)? {
            let fail = |message| Failure { at, message, is_incomplete: false };
            match statement {
                Statement::Quit => return Ok(Flow::Quit),
                Statement::Help(topic) => print(&help(topic.as_deref())),
                Statement::Print(expr) => print(&self.evaluate(&expr)?.to_string()),
                Statement::Assign(names, expr) => {
                    let value = self.evaluate(&expr)?;
                    self.assign(names, value).map_err(fail)?;
                }
                Statement::Source(path) => {
                    if self.depth == MAX_DEPTH {
                        return Err(fail("files read each other too deeply".to_owned()));
                    }
                    let text = fs::read_to_string(&path).map_err(|error| fail(format!("{path}: {error}")))?;
                    self.depth += 1;
                    let result = self.run(&text, print);
                    self.depth -= 1;
                    let inner = |failure: Failure| fail(format!("{path}: {}", place(&text, &failure)));
                    if result.map_err(inner)? == Flow::Quit {
                        return Ok(Flow::Quit);
                    }
                }
            }
        }
        Ok(Flow::Continue)
    }

    fn assign(&mut self, names: Vec<String>, value: Value) -> Result<()> {
        if let [name] = &names[..] {
            self.variables.insert(name.clone(), value);
            return Ok(());
        }
        match value {
            Value::List(values) if values.len() == names.len() => {
                self.variables.extend(names.into_iter().zip(values));
                Ok(())
            }
            Value::List(values) => Err(format!("the list has {} values for {} names", values.len(), names.len())),
            other => Err(format!("several names are given the values of a list, not a {}", other.kind())),
        }
    }

    fn evaluate(&self, expr: &Expr) -> std::result::Result<Value, Failure> {
        let fail = |message: String| Failure { at: expr.at, message, is_incomplete: false };
        let budget = &mut Budget::new(self.operations);
        match &expr.kind {
            ExprKind::Number(digits) => {
                let number = digits.parse().map_err(|_| fail("this is not a number".to_owned()))?;
                Ok(Value::Number(number))
            }
            ExprKind::Text(text) => Ok(Value::Text(text.clone())),
            ExprKind::Object(text) => object(text).map_err(|error| Failure {
                at: expr.at + error.position,
                message: error.message,
                is_incomplete: false,
            }),
            ExprKind::Name(name) => match name.as_str() {
                "True" => Ok(Value::Bool(true)),
                "False" => Ok(Value::Bool(false)),
                _ => self.variables.get(name).cloned().ok_or_else(|| fail(format!("`{name}` has no value"))),
            },
            ExprKind::Unary(operation, operand) => {
                let operand = self.evaluate(operand)?;
                unary(operation, operand, budget).map_err(fail)
            }
            ExprKind::Binary(operation, left, right) => {
                let (left, right) = (self.evaluate(left)?, self.evaluate(right)?);
                binary(operation, &left, &right, budget).map_err(fail)
            }
            ExprKind::Power(base, exponent) => power(self.evaluate(base)?, *exponent, budget).map_err(fail),
            ExprKind::Closure(base) => match self.evaluate(base)? {
                Value::Map(map) => closure(&map, budget).map_err(fail),
                other => Err(fail(format!("a {} has no transitive closure", other.kind()))),
            },
            ExprKind::Apply(function, argument) => {
                let (function, argument) = (self.evaluate(function)?, self.evaluate(argument)?);
                apply(&function, &argument, budget).map_err(fail)
            }
            ExprKind::Element(list, index) => match self.evaluate(list)? {
                Value::List(mut values) if *index < values.len() => Ok(values.swap_remove(*index)),
                Value::List(values) => Err(fail(format!("the list has {} values", values.len()))),
                other => Err(fail(format!("a {} has no elements that are numbered", other.kind()))),
            },
            ExprKind::Dataflow { may, must, sink, schedule } => {
                let map = |expr: &Expr| match self.evaluate(expr)? {
                    Value::Map(map) => Ok(map),
                    other => Err(fail(format!("this is a {}, not a map", other.kind()))),
                };
                let may = may.as_deref().map(map).transpose()?;
                let must = must.as_deref().map(map).transpose()?;
                let (sink, schedule) = (map(sink)?, map(schedule)?);
                let input = FlowInput { may: may.as_ref(), must: must.as_ref(), sink: &sink, schedule: &schedule };
                flow::dependences(&input, budget).map_err(fail)
            }
            ExprKind::Codegen { schedule, context, options } => {
                let schedule = self.evaluate(schedule)?;
                let context = context.as_deref().map(|expr| self.evaluate(expr)).transpose()?;
                let options = options.as_deref().map(|expr| self.evaluate(expr)).transpose()?;
                flow::program(&schedule, context.as_ref(), options.as_ref(), budget).map_err(fail)
            }
        }
    }
}

/// A failure in the words for people: line and column, and what is wrong.
pub(crate) fn place(text: &str, failure: &Failure) -> String {
    let before = text.get(..failure.at.min(text.len())).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
    format!("line {line}, column {column}: {}", failure.message)
}

/// What a text in braces describes.
fn object(text: &str) -> std::result::Result<Value, ParseError> {
    let first = match text.parse::<UnionSet>() {
        Ok(set) => return Ok(Value::Set(set)),
        Err(error) => error,
    };
    if let Ok(map) = text.parse::<UnionMap>() {
        return Ok(Value::Map(map));
    }
    match text.parse::<PwQuasiPolynomial>() {
        Ok(function) => Ok(Value::Functions(vec![function])),
        Err(other) if other.position > first.position => Err(other),
        Err(_) => Err(text.parse::<UnionMap>().err().filter(|e| e.position >= first.position).unwrap_or(first)),
    }
}

fn functions(all: impl IntoIterator<Item = Cardinality>) -> Result<Value> {
    let (mut result, mut number) = (Vec::new(), Int::ZERO);
    for one in all {
        match one {
            Cardinality::Constant(value) => number += &value,
            Cardinality::Parametric(function) => result.push(function),
            Cardinality::Infinite { domain, .. } => return Err(format!("there are infinitely many for {domain}")),
        }
    }
    Ok(if result.is_empty() { Value::Number(number) } else { Value::Functions(result) })
}

/// The number of elements of a set: a function of the parameters.
fn card_of_set(set: &UnionSet, budget: &mut Budget) -> Result<Value> {
    let params = set.params_space();
    let mut sum: Option<PwQuasiPolynomial> = None;
    let mut number = Int::ZERO;
    for member in set.iter() {
        match member.align_params(&params).card(budget).map_err(stopped)? {
            Cardinality::Constant(value) => number += &value,
            Cardinality::Parametric(function) => {
                sum = Some(match sum {
                    None => function,
                    Some(sum) => sum.add(&function, budget).map_err(stopped)?,
                });
            }
            Cardinality::Infinite { domain, .. } => return Err(format!("there are infinitely many for {domain}")),
        }
    }
    Ok(sum.map_or(Value::Number(number), |function| Value::Functions(vec![function])))
}

/// The sum of functions over their domains.
fn sum(all: &[PwQuasiPolynomial], budget: &mut Budget) -> Result<Value> {
    let mut total: Option<PwQuasiPolynomial> = None;
    for function in all {
        let sum = function.sum(budget).map_err(|error| match error {
            SolveError::Stop => stopped(Stop),
            SolveError::Unbounded => "the domain is infinite".to_owned(),
        })?;
        total = Some(match total {
            None => sum,
            Some(total) => total.add(&sum, budget).map_err(stopped)?,
        });
    }
    Ok(match total {
        None => Value::Number(Int::ZERO),
        Some(total) if total.space().n_var() > 0 => Value::Functions(vec![total]),
        Some(total) => {
            let value = total.eval(&[]);
            value.to_int().map_or(Value::Rational(value), Value::Number)
        }
    })
}

fn basic_hull(
    set: &UnionSet,
    hull: impl Fn(&Set, &mut Budget) -> std::result::Result<poly_presburger::BasicSet, Stop>,
    budget: &mut Budget,
) -> Result<Value> {
    let members: std::result::Result<Vec<Set>, Stop> =
        set.iter().map(|set| Ok(Set::from_basic(hull(set, budget)?))).collect();
    Ok(Value::Set(UnionSet::from_members(members.map_err(stopped)?)))
}

fn unary(operation: &str, operand: Value, budget: &mut Budget) -> Result<Value> {
    match (operation, operand) {
        ("typeof", value) => Ok(Value::Text(value.kind().to_owned())),
        ("not", Value::Bool(value)) => Ok(Value::Bool(!value)),
        (_, Value::Set(set)) => unary_of_set(operation, &set, budget),
        (_, Value::Map(map)) => unary_of_map(operation, &map, budget),
        ("coalesce", Value::Functions(all)) => {
            let all: std::result::Result<Vec<_>, Stop> = all.iter().map(|f| f.coalesce(budget)).collect();
            Ok(Value::Functions(all.map_err(stopped)?))
        }
        ("dom" | "domain", Value::Functions(all)) => {
            let domain = |f: &PwQuasiPolynomial| f.pieces().iter().map(|(set, _)| set.clone()).collect::<Vec<_>>();
            Ok(Value::Set(UnionSet::from_members(all.iter().flat_map(domain))))
        }
        ("sum", Value::Functions(all)) => sum(&all, budget),
        ("ub", Value::Functions(all)) => bound(&all, PwQuasiPolynomial::upper_bound, budget),
        ("lb", Value::Functions(all)) => bound(&all, PwQuasiPolynomial::lower_bound, budget),
        ("schedule", Value::Text(text)) => {
            let tree = text.parse::<ScheduleTree>().map(Value::Schedule);
            tree.map_err(|error| error.to_string())
        }
        ("map", Value::Schedule(tree)) => Ok(Value::Map(tree.schedule_map())),
        ("dom" | "domain", Value::Schedule(tree)) => Ok(Value::Set(tree.domain().clone())),
        (_, other) => Err(format!("`{operation}` is not defined for a {}", other.kind())),
    }
}

fn unary_of_set(operation: &str, set: &UnionSet, budget: &mut Budget) -> Result<Value> {
    Ok(match operation {
        "aff" => Value::Set(set.affine_hull(budget).map_err(stopped)?),
        "card" => return card_of_set(set, budget),
        "coalesce" => Value::Set(set.coalesce_with(Coalescing::Hulls, budget).map_err(stopped)?),
        "complement" => {
            let members: std::result::Result<Vec<Set>, Stop> = set.iter().map(|m| m.complement(budget)).collect();
            Value::Set(UnionSet::from_members(members.map_err(stopped)?))
        }
        "convex" | "poly" => return basic_hull(set, |set, budget| set.convex_hull(budget), budget),
        "empty" => Value::Bool(set.is_empty(budget).map_err(stopped)?),
        "hull" => Value::Set(set.simple_hull(budget).map_err(stopped)?),
        "identity" => Value::Map(set.identity()),
        "lexmax" => Value::Set(set.lexmax(budget).map_err(unsolved)?),
        "lexmin" => Value::Set(set.lexmin(budget).map_err(unsolved)?),
        "params" => Value::Set(UnionSet::from_members([set.params()])),
        "sample" => {
            let sample = |m: &Set| Ok(Set::from_basic(m.sample_set(budget)?));
            let mut members =
                set.iter().map(sample).collect::<std::result::Result<Vec<Set>, Stop>>().map_err(stopped)?;
            members.retain(|m| !m.plain_is_empty());
            members.truncate(1);
            Value::Set(UnionSet::from_members(members))
        }
        "simple" => {
            let simple = |m: &Set| Ok(Set::from_map(m.as_map().clone().remove_redundancies(budget)?));
            let members: std::result::Result<Vec<Set>, Stop> = set.iter().map(simple).collect();
            Value::Set(UnionSet::from_members(members.map_err(stopped)?))
        }
        "unwrap" => {
            if set.iter().any(|m| !m.space().is_wrapping()) {
                return Err("this is not a set of pairs".to_owned());
            }
            Value::Map(set.unwrap())
        }
        _ => return Err(format!("`{operation}` is not defined for a set")),
    })
}

fn unary_of_map(operation: &str, map: &UnionMap, budget: &mut Budget) -> Result<Value> {
    Ok(match operation {
        "aff" => Value::Map(map.affine_hull(budget).map_err(stopped)?),
        "card" => {
            let all = union_map_card(map, budget).map_err(stopped)?;
            return functions(all.into_iter().map(|(_, one)| one));
        }
        "coalesce" => Value::Map(map.coalesce_with(Coalescing::Hulls, budget).map_err(stopped)?),
        "deltas" => Value::Set(only_equal_spaces(map)?.deltas()),
        "deltas_map" => Value::Map(only_equal_spaces(map)?.deltas_map()),
        "dom" | "domain" => Value::Set(map.domain()),
        "domain_map" => Value::Map(map.domain_map()),
        "empty" => Value::Bool(map.is_empty(budget).map_err(stopped)?),
        "hull" => Value::Map(map.simple_hull(budget).map_err(stopped)?),
        "lexmax" => Value::Map(map.lexmax(budget).map_err(unsolved)?),
        "lexmin" => Value::Map(map.lexmin(budget).map_err(unsolved)?),
        "params" => Value::Set(UnionSet::from_members([map.params()])),
        "pow" => return any_power(map, budget),
        "ran" | "range" => Value::Set(map.range()),
        "range_map" => {
            let members = map.iter().map(Map::range_map).collect::<Vec<Map>>();
            Value::Map(UnionMap::from_members(members))
        }
        "sample" => {
            let sample = |m: &Map| Ok(Map::from_basic(m.sample_map(budget)?));
            let mut members =
                map.iter().map(sample).collect::<std::result::Result<Vec<Map>, Stop>>().map_err(stopped)?;
            members.retain(|m| !m.plain_is_empty());
            members.truncate(1);
            Value::Map(UnionMap::from_members(members))
        }
        "simple" => {
            let members: std::result::Result<Vec<Map>, Stop> =
                map.iter().map(|m| m.clone().remove_redundancies(budget)).collect();
            Value::Map(UnionMap::from_members(members.map_err(stopped)?))
        }
        "wrap" => Value::Set(map.wrap()),
        "zip" => Value::Map(map.zip()),
        _ => return Err(format!("`{operation}` is not defined for a map")),
    })
}

/// The relation, if its pairs have differences.
fn only_equal_spaces(map: &UnionMap) -> Result<UnionMap> {
    let fits =
        |m: &&Map| m.space().tuple(poly_presburger::DimKind::In) == m.space().tuple(poly_presburger::DimKind::Out);
    let members: Vec<Map> = map.iter().filter(fits).cloned().collect();
    if members.is_empty() && map.len() > 0 {
        return Err("no pair has both elements in one space".to_owned());
    }
    Ok(UnionMap::from_members(members))
}

fn binary(operation: &str, left: &Value, right: &Value, budget: &mut Budget) -> Result<Value> {
    let undefined = || Err(format!("`{operation}` is not defined for a {} and a {}", left.kind(), right.kind()));
    Ok(match (left, right) {
        (Value::Number(a), Value::Number(b)) => match operation {
            "+" => Value::Number(a + b),
            "-" => Value::Number(a - b),
            "*" => Value::Number(a * b),
            "=" => Value::Bool(a == b),
            "<=" => Value::Bool(a <= b),
            ">=" => Value::Bool(a >= b),
            "<" => Value::Bool(a < b),
            ">" => Value::Bool(a > b),
            _ => return undefined(),
        },
        (Value::Set(a), Value::Set(b)) => match operation {
            "+" => Value::Set(a.union(b)),
            "-" => Value::Set(a.subtract(b, budget).map_err(stopped)?),
            "*" => Value::Set(a.intersect(b)),
            "%" => Value::Set(a.gist(b, budget).map_err(stopped)?),
            "->" => Value::Map(pairs(a, b)),
            "cross" => Value::Set(pairs(a, b).wrap()),
            "=" => Value::Bool(a.is_equal(b, budget).map_err(stopped)?),
            "<=" => Value::Bool(a.is_subset(b, budget).map_err(stopped)?),
            ">=" => Value::Bool(b.is_subset(a, budget).map_err(stopped)?),
            "<" => Value::Bool(is_less(a.is_subset(b, budget), b.is_subset(a, budget))?),
            ">" => Value::Bool(is_less(b.is_subset(a, budget), a.is_subset(b, budget))?),
            "<<" => Value::Map(a.lex_lt_pairs(b)),
            "<<=" => Value::Map(a.lex_le_pairs(b)),
            ">>" => Value::Map(a.lex_gt_pairs(b)),
            ">>=" => Value::Map(a.lex_ge_pairs(b)),
            _ => return undefined(),
        },
        (Value::Map(a), Value::Map(b)) => match operation {
            "+" => Value::Map(a.union(b)),
            "-" => Value::Map(a.subtract(b, budget).map_err(stopped)?),
            "*" => Value::Map(a.intersect(b)),
            "%" => Value::Map(a.gist(b, budget).map_err(stopped)?),
            "." => Value::Map(a.apply_range(b)),
            "cross" => Value::Map(products(a, b)),
            "=" => Value::Bool(a.is_equal(b, budget).map_err(stopped)?),
            "<=" => Value::Bool(a.is_subset(b, budget).map_err(stopped)?),
            ">=" => Value::Bool(b.is_subset(a, budget).map_err(stopped)?),
            "<" => Value::Bool(is_less(a.is_subset(b, budget), b.is_subset(a, budget))?),
            ">" => Value::Bool(is_less(b.is_subset(a, budget), a.is_subset(b, budget))?),
            _ => return undefined(),
        },
        (Value::Map(map), Value::Set(set)) => match operation {
            "*" => Value::Map(map.intersect_domain(set)),
            "%" => Value::Map(map.gist_domain(set, budget).map_err(stopped)?),
            "@" => Value::Set(set.apply(map)),
            _ => return undefined(),
        },
        (Value::Functions(a), Value::Functions(b)) => match (operation, &a[..], &b[..]) {
            ("+", _, _) => Value::Functions(merged(a, b, |x, y| x.add(y, budget))?),
            ("-", _, _) => {
                let negated: Vec<PwQuasiPolynomial> = b.iter().map(PwQuasiPolynomial::neg).collect();
                Value::Functions(merged(a, &negated, |x, y| x.add(y, budget))?)
            }
            ("*", [a], [b]) => Value::Functions(vec![a.mul(b, budget).map_err(stopped)?]),
            ("=", [a], [b]) => {
                let difference = a.sub(b, budget).and_then(|d| d.coalesce(budget)).map_err(stopped)?;
                Value::Bool(difference.pieces().iter().all(|(_, f)| f.is_zero()))
            }
            _ => return undefined(),
        },
        (Value::Functions(all), Value::Number(n)) | (Value::Number(n), Value::Functions(all)) if operation == "*" => {
            Value::Functions(all.iter().map(|f| f.scale(&Rational::from(n.clone()))).collect())
        }
        (Value::Functions(all), Value::Set(set)) if operation == "*" => {
            let mut result = Vec::new();
            for function in all {
                if let Some(part) = set.get(function.space()) {
                    result.push(function.intersect_domain(part, budget).map_err(stopped)?);
                }
            }
            Value::Functions(result)
        }
        (Value::Functions(_), Value::Set(_)) if operation == "@" => return apply(left, right, budget),
        _ => return undefined(),
    })
}

fn is_less(below: std::result::Result<bool, Stop>, above: std::result::Result<bool, Stop>) -> Result<bool> {
    Ok(below.map_err(stopped)? && !above.map_err(stopped)?)
}

/// All pairs of elements.
fn pairs(a: &UnionSet, b: &UnionSet) -> UnionMap {
    UnionMap::from_members(a.iter().flat_map(|x| b.iter().map(move |y| x.to_map(y))))
}

/// `[A -> C] -> [B -> D]` for all pairs of members.
fn products(a: &UnionMap, b: &UnionMap) -> UnionMap {
    UnionMap::from_members(a.iter().flat_map(|x| b.iter().map(move |y| x.product(y))))
}

/// Functions over one space put together.
fn merged(
    a: &[PwQuasiPolynomial],
    b: &[PwQuasiPolynomial],
    mut join: impl FnMut(&PwQuasiPolynomial, &PwQuasiPolynomial) -> std::result::Result<PwQuasiPolynomial, Stop>,
) -> Result<Vec<PwQuasiPolynomial>> {
    let mut result = a.to_vec();
    for function in b {
        match result.iter_mut().find(|other| other.space().has_equal_tuples(function.space())) {
            Some(other) => *other = join(other, function).map_err(stopped)?,
            None => result.push(function.clone()),
        }
    }
    Ok(result)
}

/// A bound of functions over their domains, and whether it is a value of theirs.
fn bound(
    all: &[PwQuasiPolynomial],
    of: fn(&PwQuasiPolynomial, &mut Budget) -> std::result::Result<Containing<PwFold>, SolveError>,
    budget: &mut Budget,
) -> Result<Value> {
    let mut result: Option<Containing<PwFold>> = None;
    for function in all {
        let found = of(function, budget).map_err(unsolved)?;
        result = Some(match result {
            None => found,
            Some(known) if known.value.space() != found.value.space() => {
                return Err("the functions have different parameters".to_owned());
            }
            Some(known) => Containing {
                value: known.value.folded_with(&found.value, budget).map_err(stopped)?,
                exactness: if found.exactness.is_exact() { known.exactness } else { found.exactness },
            },
        });
    }
    let (folds, is_value) = result.map_or((Vec::new(), true), |one| (vec![one.value], one.exactness.is_exact()));
    Ok(Value::List(vec![Value::Folds(folds), Value::Bool(is_value)]))
}

/// Greatest exponent of a relation.
const MAX_EXPONENT: i64 = 64;

fn power(base: Value, exponent: i64, budget: &mut Budget) -> Result<Value> {
    match base {
        Value::Map(map) => {
            if exponent == 0 || exponent.abs() > MAX_EXPONENT {
                return Err(format!("exponents of maps are from 1 to {MAX_EXPONENT}, or negative"));
            }
            let map = if exponent < 0 { map.reverse() } else { map };
            let mut result = map.clone();
            for _ in 1..exponent.abs() {
                result = result.apply_range(&map).coalesce(budget).map_err(stopped)?;
            }
            Ok(Value::Map(result))
        }
        Value::Number(number) => match u32::try_from(exponent) {
            Ok(exponent) if i64::from(exponent) <= MAX_EXPONENT => Ok(Value::Number(number.pow(exponent))),
            _ => Err(format!("exponents of numbers are from 0 to {MAX_EXPONENT}")),
        },
        other => Err(format!("a {} has no powers", other.kind())),
    }
}

/// The transitive closure, and whether it is exact.
fn closure(map: &UnionMap, budget: &mut Budget) -> Result<Value> {
    let found = map.transitive_closure(budget).map_err(stopped)?;
    Ok(Value::List(vec![Value::Map(found.value), Value::Bool(found.exactness.is_exact())]))
}

/// The pairs that any number of steps connects, by that number, and whether they are exact.
fn any_power(map: &UnionMap, budget: &mut Budget) -> Result<Value> {
    let mut members = map.iter();
    let (Some(one), None) = (members.next(), members.next()) else {
        return Err("`pow` is defined for a map between two spaces".to_owned());
    };
    let found = one.power(budget).map_err(stopped)?;
    Ok(Value::List(vec![Value::Map(UnionMap::from_members([found.value])), Value::Bool(found.exactness.is_exact())]))
}

/// The image of a set, or the value of a function at the only element of one.
fn apply(function: &Value, argument: &Value, budget: &mut Budget) -> Result<Value> {
    match (function, argument) {
        (Value::Map(map), Value::Set(set)) => Ok(Value::Set(set.apply(map))),
        (Value::Map(map), Value::Map(other)) => Ok(Value::Map(other.apply_range(map))),
        (Value::Functions(all), Value::Set(set)) => {
            let Some((member, point)) = set.sample(budget).map_err(stopped)? else {
                return Err("the set is empty".to_owned());
            };
            let function = all.iter().find(|f| f.space().has_equal_tuples(member.space()));
            let function = function.ok_or("the function is not defined on this set")?;
            let point = reordered(function, member, &point)?;
            let value = function.eval(&point);
            Ok(value.to_int().map_or(Value::Rational(value), Value::Number))
        }
        _ => Err(format!("a {} cannot be applied to a {}", function.kind(), argument.kind())),
    }
}

/// A point of a set with the parameters in the order of a function's.
fn reordered(function: &PwQuasiPolynomial, member: &Set, point: &[Int]) -> Result<Vec<Int>> {
    let given = &member.space().params;
    let (values, dims) = point.split_at(given.len());
    let mut result = Vec::new();
    for id in &function.space().params {
        let at = given.iter().position(|other| other == id);
        result.push(values[at.ok_or_else(|| format!("the parameter `{id}` has no value"))?].clone());
    }
    result.extend(dims.iter().cloned());
    Ok(result)
}

/// What the calculator says about itself.
fn help(topic: Option<&str>) -> String {
    if let Some(topic) = topic {
        return match UNARY.iter().find(|(name, _)| *name == topic) {
            Some((name, what)) => format!("{name} X: {what}"),
            None => format!("there is no operation `{topic}`"),
        };
    }
    let mut lines = vec![
        "NAME := X;          gives a value a name; [A, B] := L; the values of a list".to_owned(),
        "X;                  prints a value".to_owned(),
        "X + Y, X - Y, X * Y union, difference, intersection; sums and products of functions".to_owned(),
        "X % Y               gist in a context".to_owned(),
        "A . B, M(S), F @ S  composition, image, value".to_owned(),
        "X -> Y, X cross Y   all pairs".to_owned(),
        "M^-1, M^n, M^+      inverse, power, transitive closure".to_owned(),
        "X = Y, <=, <, >=, > comparisons; <<, <<=, >>, >>= pairs in lexicographic order".to_owned(),
        "codegen S over C using O".to_owned(),
        "any A last B before C under S".to_owned(),
        "source \"FILE\"; help OPERATION; quit;".to_owned(),
    ];
    lines.extend(UNARY.iter().map(|(name, what)| format!("{name:<19} {what}")));
    lines.join("\n")
}
