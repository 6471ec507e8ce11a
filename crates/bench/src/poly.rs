//! The operations in Poly.

use std::time::Instant;

use poly_presburger::{Budget, DimKind, Map, Set, Stop, UnionMap, UnionSet, farkas_coefficients, farkas_cone};

use crate::class::{self, Sort};
use crate::trace::Case;

/// What an operation gives, in a form that isl can read.
#[derive(Clone, Debug)]
pub(crate) enum Result {
    /// A set or relation.
    Text(String),
    /// The answer to a question.
    Answer(bool),
    /// Something that is not determined by the operands.
    Other,
}

/// An operand.
#[derive(Clone, Debug)]
enum Value {
    Set(Set),
    Map(Map),
    UnionSet(UnionSet),
    UnionMap(UnionMap),
}

impl Value {
    fn read(sort: Sort, text: &str) -> std::result::Result<Value, String> {
        let wrong = |e: poly_presburger::ParseError| e.to_string();
        Ok(match sort {
            Sort::Set => Value::Set(text.parse().map_err(wrong)?),
            Sort::Map => Value::Map(text.parse().map_err(wrong)?),
            Sort::UnionSet => Value::UnionSet(text.parse().map_err(wrong)?),
            Sort::UnionMap => Value::UnionMap(text.parse().map_err(wrong)?),
        })
    }
}

/// The operands of a case.
#[derive(Clone, Debug)]
struct Operands {
    first: Value,
    second: Option<Value>,
}

impl Operands {
    fn read(case: &Case) -> std::result::Result<Operands, String> {
        let (sort, operation) = class::split(&case.class).expect("cases are operations");
        let first = Value::read(sort, &case.operands[0])?;
        let second = match &case.operands[1..] {
            [text] if text.parse::<usize>().is_err() => Some(Value::read(class::second(sort, operation), text)?),
            _ => None,
        };
        Ok(Operands { first, second })
    }

    fn run(self, case: &Case) -> Timed {
        let (_, operation) = class::split(&case.class).expect("cases are operations");
        let (second, rest) = (self.second.as_ref(), &case.operands[1..]);
        let budget = &mut Budget::unlimited();
        match self.first {
            Value::Set(set) => of_set(set, operation, second, rest, budget),
            Value::Map(map) => of_map(map, operation, second, rest, budget),
            Value::UnionSet(set) => of_union_set(&set, operation, second, budget),
            Value::UnionMap(map) => of_union_map(&map, operation, second, budget),
        }
    }
}

/// Run a case twice, each time on operands of its own, which are read before; the second result,
/// and the nanoseconds it took.
pub(crate) fn time(case: &Case) -> std::result::Result<(Result, u64), String> {
    let (practice, operands) = (Operands::read(case)?, Operands::read(case)?);
    drop(practice.run(case));
    match operands.run(case) {
        Some(Ok((result, nanoseconds))) => Ok((result(), nanoseconds)),
        Some(Err(Stop)) => Err("Poly stops".to_owned()),
        None => Err("Poly has no such operation".to_owned()),
    }
}

/// Run a case once; before that `warm_up` times on the same operands, so that a profiler sees the
/// operation and not the reading of its operands.
pub(crate) fn run(case: &Case, warm_up: u32) {
    let Ok(operands) = Operands::read(case) else { return };
    for _ in 0..warm_up {
        drop(operands.clone().run(case));
    }
    drop(operands.run(case));
}

/// What is to be called for the result, and the nanoseconds.
type Timed = Option<std::result::Result<(Box<dyn FnOnce() -> Result>, u64), Stop>>;

/// Time an expression and turn its value into a result.
macro_rules! timed {
    ($value:expr, $to_result:expr) => {{
        let begin = Instant::now();
        let value = $value;
        let nanoseconds = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        Some(Ok((Box::new(move || $to_result(&value)), nanoseconds)))
    }};
    (? $value:expr, $to_result:expr) => {{
        let begin = Instant::now();
        let value = $value;
        let nanoseconds = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        Some(value.map_err(Stop::from).map(|value| {
            let result: Box<dyn FnOnce() -> Result> = Box::new(move || $to_result(&value));
            (result, nanoseconds)
        }))
    }};
}

fn text(value: &impl ToString) -> Result {
    Result::Text(value.to_string())
}

fn answer(value: &bool) -> Result {
    Result::Answer(*value)
}

fn other<T>(_: &T) -> Result {
    Result::Other
}

fn found<T>(value: &Option<T>) -> Result {
    Result::Answer(value.is_some())
}

fn kind(name: &str) -> DimKind {
    match name {
        "param" => DimKind::Param,
        "in" => DimKind::In,
        "out" => DimKind::Out,
        _ => DimKind::Div,
    }
}

fn number(text: &str) -> usize {
    text.parse().expect("the operand is a number")
}

fn of_set(set: Set, operation: &str, second: Option<&Value>, rest: &[String], budget: &mut Budget) -> Timed {
    match (operation, second) {
        ("apply", Some(Value::Map(map))) => timed!(set.apply(map), text),
        ("intersect_params", Some(Value::Set(o))) => timed!(set.intersect_params(o), text),
        ("intersect", Some(Value::Set(o))) => timed!(set.intersect(o), text),
        ("union", Some(Value::Set(o))) => timed!(set.union(o), text),
        ("subtract", Some(Value::Set(o))) => timed!(? set.subtract(o, budget), text),
        ("gist", Some(Value::Set(o))) => timed!(? set.gist(o, budget), text),
        ("gist_params", Some(Value::Set(o))) => timed!(? set.gist_params(o, budget), text),
        ("is_subset", Some(Value::Set(o))) => timed!(? set.is_subset(o, budget), answer),
        ("is_equal", Some(Value::Set(o))) => timed!(? set.is_equal(o, budget), answer),
        ("is_disjoint", Some(Value::Set(o))) => timed!(? set.is_disjoint(o, budget), answer),
        ("params", None) => timed!(set.params(), text),
        ("project_out", None) => {
            timed!(set.project_out(kind(&rest[0]), number(&rest[1]), number(&rest[2])), text)
        }
        ("complement", None) => timed!(? set.complement(budget), text),
        ("make_disjoint", None) => timed!(? set.make_disjoint(budget), text),
        ("coalesce", None) => timed!(? set.coalesce(budget), text),
        ("compute_divs", None) => timed!(? set.compute_divs(budget), text),
        ("remove_redundancies", None) => timed!(? set.remove_redundancies(budget), text),
        ("simple_hull", None) => timed!(? set.simple_hull(budget), other),
        ("unshifted_simple_hull", None) => timed!(? set.unshifted_simple_hull(budget), other),
        ("affine_hull", None) => timed!(? set.affine_hull(budget), other),
        ("is_empty", None) => timed!(? set.is_empty(budget), answer),
        ("sample", None) => timed!(? set.sample(budget), found),
        ("lexmin", None) => timed!(? set.lexmin(budget), text),
        ("lexmax", None) => timed!(? set.lexmax(budget), text),
        ("dim_min", None) => timed!(? set.dim_min(number(&rest[0]), budget), text),
        ("dim_max", None) => timed!(? set.dim_max(number(&rest[0]), budget), text),
        ("farkas_coefficients", None) => {
            let basic = set.basic_sets().next()?;
            timed!(?farkas_coefficients(&basic, budget), other)
        }
        _ => None,
    }
}

fn of_map(map: Map, operation: &str, second: Option<&Value>, rest: &[String], budget: &mut Budget) -> Timed {
    match (operation, second) {
        ("apply_range", Some(Value::Map(o))) => timed!(map.apply_range(o), text),
        ("intersect_params", Some(Value::Set(o))) => timed!(map.intersect_params(o), text),
        ("intersect_domain", Some(Value::Set(o))) => timed!(map.intersect_domain(o), text),
        ("intersect_range", Some(Value::Set(o))) => timed!(map.intersect_range(o), text),
        ("intersect", Some(Value::Map(o))) => timed!(map.intersect(o), text),
        ("union", Some(Value::Map(o))) => timed!(map.union(o), text),
        ("subtract", Some(Value::Map(o))) => timed!(? map.subtract(o, budget), text),
        ("gist", Some(Value::Map(o))) => timed!(? map.gist(o, budget), text),
        ("gist_params", Some(Value::Set(o))) => timed!(? map.gist_params(o, budget), text),
        ("gist_domain", Some(Value::Set(o))) => timed!(? map.gist_domain(o, budget), text),
        ("gist_range", Some(Value::Set(o))) => timed!(? map.gist_range(o, budget), text),
        ("is_subset", Some(Value::Map(o))) => timed!(? map.is_subset(o, budget), answer),
        ("is_equal", Some(Value::Map(o))) => timed!(? map.is_equal(o, budget), answer),
        ("is_disjoint", Some(Value::Map(o))) => timed!(? map.is_disjoint(o, budget), answer),
        ("domain", None) => timed!(map.domain(), text),
        ("range", None) => timed!(map.range(), text),
        ("params", None) => timed!(map.params(), text),
        ("deltas", None) => timed!(map.deltas(), text),
        ("project_out", None) => {
            timed!(map.project_out(kind(&rest[0]), number(&rest[1]), number(&rest[2])), text)
        }
        ("complement", None) => timed!(? map.complement(budget), text),
        ("make_disjoint", None) => timed!(? map.make_disjoint(budget), text),
        ("coalesce", None) => timed!(? map.coalesce(budget), text),
        ("compute_divs", None) => timed!(? map.compute_divs(budget), text),
        ("remove_redundancies", None) => timed!(? map.remove_redundancies(budget), text),
        ("simple_hull", None) => timed!(? map.simple_hull(budget), other),
        ("unshifted_simple_hull", None) => timed!(? map.unshifted_simple_hull(budget), other),
        ("affine_hull", None) => timed!(? map.affine_hull(budget), other),
        ("is_empty", None) => timed!(? map.is_empty(budget), answer),
        ("sample", None) => timed!(? map.sample(budget), found),
        ("lexmin", None) => timed!(? map.lexmin(budget), text),
        ("lexmax", None) => timed!(? map.lexmax(budget), text),
        ("is_single_valued", None) => timed!(? map.is_single_valued(budget), answer),
        ("is_injective", None) => timed!(? map.is_injective(budget), answer),
        ("farkas_cone", None) => {
            let basic = map.basics().first()?;
            timed!(?farkas_cone(basic, budget), other)
        }
        _ => None,
    }
}

fn of_union_set(set: &UnionSet, operation: &str, second: Option<&Value>, budget: &mut Budget) -> Timed {
    match (operation, second) {
        ("apply", Some(Value::UnionMap(map))) => timed!(set.apply(map), text),
        ("intersect", Some(Value::UnionSet(o))) => timed!(set.intersect(o), text),
        ("intersect_params", Some(Value::Set(o))) => timed!(set.intersect_params(o), text),
        ("union", Some(Value::UnionSet(o))) => timed!(set.union(o), text),
        ("subtract", Some(Value::UnionSet(o))) => timed!(? set.subtract(o, budget), text),
        ("gist", Some(Value::UnionSet(o))) => timed!(? set.gist(o, budget), text),
        ("gist_params", Some(Value::Set(o))) => timed!(? set.gist_params(o, budget), text),
        ("is_subset", Some(Value::UnionSet(o))) => timed!(? set.is_subset(o, budget), answer),
        ("is_equal", Some(Value::UnionSet(o))) => timed!(? set.is_equal(o, budget), answer),
        ("is_disjoint", Some(Value::UnionSet(o))) => timed!(? set.is_disjoint(o, budget), answer),
        ("params", None) => timed!(set.params(), text),
        ("coalesce", None) => timed!(? set.coalesce(budget), text),
        ("compute_divs", None) => timed!(? set.compute_divs(budget), text),
        ("is_empty", None) => timed!(? set.is_empty(budget), answer),
        ("lexmin", None) => timed!(? set.lexmin(budget), text),
        ("lexmax", None) => timed!(? set.lexmax(budget), text),
        _ => None,
    }
}

fn of_union_map(map: &UnionMap, operation: &str, second: Option<&Value>, budget: &mut Budget) -> Timed {
    match (operation, second) {
        ("apply_range", Some(Value::UnionMap(o))) => timed!(map.apply_range(o), text),
        ("intersect", Some(Value::UnionMap(o))) => timed!(map.intersect(o), text),
        ("intersect_params", Some(Value::Set(o))) => timed!(map.intersect_params(o), text),
        ("intersect_domain", Some(Value::UnionSet(o))) => timed!(map.intersect_domain(o), text),
        ("intersect_range", Some(Value::UnionSet(o))) => timed!(map.intersect_range(o), text),
        ("union", Some(Value::UnionMap(o))) => timed!(map.union(o), text),
        ("subtract", Some(Value::UnionMap(o))) => timed!(? map.subtract(o, budget), text),
        ("gist", Some(Value::UnionMap(o))) => timed!(? map.gist(o, budget), text),
        ("gist_params", Some(Value::Set(o))) => timed!(? map.gist_params(o, budget), text),
        ("gist_domain", Some(Value::UnionSet(o))) => timed!(? map.gist_domain(o, budget), text),
        ("gist_range", Some(Value::UnionSet(o))) => timed!(? map.gist_range(o, budget), text),
        ("is_subset", Some(Value::UnionMap(o))) => timed!(? map.is_subset(o, budget), answer),
        ("is_equal", Some(Value::UnionMap(o))) => timed!(? map.is_equal(o, budget), answer),
        ("is_disjoint", Some(Value::UnionMap(o))) => timed!(? map.is_disjoint(o, budget), answer),
        ("params", None) => timed!(map.params(), text),
        ("domain", None) => timed!(map.domain(), text),
        ("range", None) => timed!(map.range(), text),
        ("deltas", None) => timed!(map.deltas(), text),
        ("coalesce", None) => timed!(? map.coalesce(budget), text),
        ("compute_divs", None) => timed!(? map.compute_divs(budget), text),
        ("is_empty", None) => timed!(? map.is_empty(budget), answer),
        ("lexmin", None) => timed!(? map.lexmin(budget), text),
        ("lexmax", None) => timed!(? map.lexmax(budget), text),
        ("is_single_valued", None) => timed!(? map.is_single_valued(budget), answer),
        ("is_injective", None) => timed!(? map.is_injective(budget), answer),
        _ => None,
    }
}
