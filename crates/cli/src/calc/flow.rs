//! What the calculator asks of dependence analysis and of program generation.

use poly_ast_build::{AstOptions, build};
use poly_dependence::{AccessInfo, AccessKind, Problem, StatementInfo, dataflow};
use poly_presburger::{
    Budget, DimKind, Map, MultiUnionPwAff, PwMultiAff, Set, Space, Tuple, UnionMap, UnionPwAff, UnionSet,
};
use poly_schedule_tree::{Band, LoopType, ScheduleTree, Tree};

use super::value::Value;

/// What an operation gives, or a sentence.
type Result<T> = std::result::Result<T, String>;

/// Sources of values: writes that may and that must happen, reads, and when instances run.
pub(crate) struct FlowInput<'a> {
    pub(crate) may: Option<&'a UnionMap>,
    pub(crate) must: Option<&'a UnionMap>,
    pub(crate) sink: &'a UnionMap,
    pub(crate) schedule: &'a UnionMap,
}

/// The dependences of a question: a relation for sources that may happen only; else a list of the
/// relation for the last sources, with that for those that may happen if there are any, and the
/// accesses of sinks without a source that must happen.
pub(crate) fn dependences(input: &FlowInput<'_>, budget: &mut Budget) -> Result<Value> {
    let times = same_times(input.schedule)?;
    let statements: Vec<StatementInfo> = times.iter().map(|time| statement(input, time)).collect();
    let context = Set::universe(Space::params(input.schedule.param_ids().to_vec()));
    let problem = Problem { context, statements, overlaps: Vec::new() };
    if !is_one_after_the_other(&times, budget)? {
        return Err("the schedule gives two instances the same time".to_owned());
    }
    let reads = dataflow(&problem, budget).map_err(|stop| stop.to_string())?;
    let mut found = [UnionMap::empty(Vec::new()), UnionMap::empty(Vec::new())];
    for source in reads.into_iter().flat_map(|read| read.sources) {
        let writer = &problem.statements[source.statement].accesses[source.access];
        found[usize::from(writer.kind == AccessKind::MayWrite)].add(source.relation);
    }
    let tidy = |map: UnionMap, budget: &mut Budget| {
        let map = map.coalesce(budget).and_then(|map| map.remove_empty_parts(budget));
        map.map(Value::Map).map_err(|stop| stop.to_string())
    };
    let [must, may] = found;
    // An element that a source of the reading instance writes has been written.
    let sinks = input.sink.intersect_domain(&input.schedule.domain());
    let written = input.must.map(|writes| must.reverse().apply_range(writes));
    let written = written.unwrap_or_else(|| UnionMap::empty(Vec::new()));
    let without = sinks.subtract(&written, budget).map_err(|stop| stop.to_string())?;
    Ok(match (input.must, input.may) {
        (None, _) => tidy(may, budget)?,
        (Some(_), None) => Value::List(vec![tidy(must, budget)?, tidy(without, budget)?]),
        (Some(_), Some(_)) => Value::List(vec![tidy(must, budget)?, tidy(may, budget)?, tidy(without, budget)?]),
    })
}

/// The accesses of the instances that a member of the schedule is for. An instance reads before it
/// writes.
fn statement(input: &FlowInput<'_>, time: &Map) -> StatementInfo {
    let domain = time.domain();
    let mut accesses = Vec::new();
    let kinds =
        [(Some(input.sink), AccessKind::Read), (input.must, AccessKind::MustWrite), (input.may, AccessKind::MayWrite)];
    for (relation, kind) in kinds {
        let all = relation.into_iter().flat_map(UnionMap::iter);
        for map in all.filter(|map| map.space().tuple(DimKind::In) == domain.tuple()) {
            accesses.push(AccessInfo { kind, relation: map.intersect_domain(&domain), group: None });
        }
    }
    StatementInfo { domain, time: time.clone(), accesses, reductions: Vec::new() }
}

/// The members of a schedule, which have all the same anonymous tuple of times.
fn same_times(schedule: &UnionMap) -> Result<Vec<Map>> {
    let times = schedule.range();
    if times.len() > 1 {
        return Err("a schedule has all times in one space".to_owned());
    }
    let n = times.iter().next().map_or(0, Set::n_dim);
    Ok(schedule.iter().map(|map| map.set_tuple(DimKind::Out, Tuple::anonymous(n))).collect())
}

/// Whether no two instances have the same time.
fn is_one_after_the_other(times: &[Map], budget: &mut Budget) -> Result<bool> {
    let all = UnionMap::from_members(times.iter().cloned());
    all.reverse().is_single_valued(budget).map_err(|stop| stop.to_string())
}

/// A program that runs the instances of a schedule in its order.
pub(crate) fn program(
    schedule: &Value,
    context: Option<&Value>,
    options: Option<&Value>,
    budget: &mut Budget,
) -> Result<Value> {
    let context = match context {
        None => Set::universe(Space::params(Vec::new())),
        Some(Value::Set(set)) => set.params(),
        Some(other) => return Err(format!("a context is a set, not a {}", other.kind())),
    };
    let options = match options {
        None => UnionMap::empty(Vec::new()),
        Some(Value::Map(map)) => map.clone(),
        Some(other) => return Err(format!("options are a map, not a {}", other.kind())),
    };
    let tree = match schedule {
        Value::Schedule(tree) => tree.clone(),
        Value::Map(map) => tree_of(map, &options, budget)?,
        Value::Set(set) => tree_of(&set.identity(), &options, budget)?,
        other => return Err(format!("code is generated from a map or a schedule, not from a {}", other.kind())),
    };
    let ast = build(&tree, &context, &AstOptions::default(), budget);
    let ast = ast.map_err(|_| "no code is generated: a loop has no bounds, or it is too hard".to_owned())?;
    Ok(Value::Program(Box::new(ast)))
}

/// The tree with one band that a relation to times stands for.
fn tree_of(schedule: &UnionMap, options: &UnionMap, budget: &mut Budget) -> Result<ScheduleTree> {
    // The identity on a set has times with the names of the set.
    let times = same_times(schedule)?;
    let n = times.first().map_or(0, |map| map.dim(DimKind::Out));
    let functions: std::result::Result<Vec<PwMultiAff>, _> =
        times.iter().map(|map| PwMultiAff::from_map(map, budget)).collect();
    let functions = functions.map_err(|_| "every instance of a schedule has one time".to_owned())?;
    if times.iter().any(|map| map.space().tuple_name(DimKind::In).is_none()) {
        return Err("the instances of a program have the name of a statement: `S[i]`, not `[i]`".to_owned());
    }
    let domain = UnionSet::from_members(times.iter().map(Map::domain));
    if n == 0 {
        return Ok(ScheduleTree::from_domain(domain));
    }
    let member = |i: usize| UnionPwAff::from_members(functions.iter().map(|function| function.get(i)));
    let band = Band::new(MultiUnionPwAff::new(Tuple::anonymous(n), (0..n).map(member).collect()));
    let types = (0..n).map(|i| loop_type(i, options)).collect();
    Ok(ScheduleTree::new(domain, Tree::band(band.with_options(types), Tree::leaf())))
}

/// The option for a member, of those for all times.
fn loop_type(member: usize, options: &UnionMap) -> LoopType {
    let mut found = LoopType::Default;
    for option in options.iter().filter(|option| option.dim(DimKind::Out) == 1) {
        let kind = match option.space().tuple_name(DimKind::Out).map_or("", |name| name.as_str()) {
            "atomic" => LoopType::Atomic,
            "separate" => LoopType::Separate,
            "unroll" => LoopType::Unroll,
            _ => continue,
        };
        if !option.fix(DimKind::Out, 0, member as i64).plain_is_empty() {
            found = kind;
        }
    }
    found
}
