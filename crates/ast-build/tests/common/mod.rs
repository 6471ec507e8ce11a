//! Running generated programs against the definition: the sorted instances of the schedule map.

#![allow(dead_code, reason = "every test file uses a part of this")]

use indexmap::IndexMap;
use poly_arith::Int;
use poly_ast_build::{Ast, AstOptions, build, interpret};
use poly_ast_check::Verdict;
use poly_presburger::{Budget, Id, Set, Space, Stop, Tuple};
use poly_schedule_tree::{NodeKind, ScheduleTree, Tree};

/// An instance: name of the statement and coordinates.
pub(crate) type Instance = (String, Vec<Int>);

/// The tree of a text.
pub(crate) fn tree(text: &str) -> ScheduleTree {
    match text.parse() {
        Ok(tree) => tree,
        Err(error) => panic!("{error}"),
    }
}

/// The parameter set of a text.
pub(crate) fn context(text: &str) -> Set {
    text.parse().expect("the context can be read")
}

/// The generated program.
pub(crate) fn program(tree: &ScheduleTree, context: &Set) -> Ast {
    build(tree, context, &AstOptions::default(), &mut Budget::unlimited()).expect("every loop has a bound")
}

/// The instances that a program runs, in order.
pub(crate) fn executed(ast: &Ast, params: &IndexMap<Id, Int>) -> Vec<Instance> {
    let mut instances = Vec::new();
    interpret(ast, params, &mut |id, point| instances.push((id.as_str().to_string(), point.to_vec())));
    instances
}

/// The instances of a tree with their place in the execution order, sorted by it: computed point by
/// point from the definition of the nodes.
pub(crate) fn scheduled(tree: &ScheduleTree, params: &IndexMap<Id, Int>) -> Vec<(Vec<Int>, Instance)> {
    let mut instances = Vec::new();
    for set in tree.domain().iter() {
        let tuple = set.tuple().expect("statements have tuples");
        let values: Vec<Int> = set.space().params.iter().map(|p| params[p].clone()).collect();
        let points = set.enumerate(&values, &mut Budget::unlimited()).expect("the budget is unlimited");
        instances.extend(points.into_iter().map(|p| (Vec::new(), tuple.clone(), p)));
    }
    let placed = place(tree.tree(), instances, params);
    let name = |t: &Tuple| t.name_str().expect("statements have names").to_string();
    let mut result: Vec<(Vec<Int>, Instance)> = placed.into_iter().map(|(time, t, p)| (time, (name(&t), p))).collect();
    result.sort();
    result
}

type Placed = (Vec<Int>, Tuple, Vec<Int>);

/// Append to the places of instances what a subtree says about them.
fn place(tree: &Tree, mut instances: Vec<Placed>, params: &IndexMap<Id, Int>) -> Vec<Placed> {
    let values = |space: &Space| -> Vec<Int> { space.params.iter().map(|p| params[p].clone()).collect() };
    match tree.kind() {
        NodeKind::Leaf => return instances,
        NodeKind::Band(band) => {
            for (time, tuple, point) in &mut instances {
                for (member, grid) in band.schedule.members().iter().zip(&band.grids) {
                    let function = member.get(tuple).expect("the band schedules the statement");
                    let value = function.eval(&values(function.space()), point).expect("the schedule is defined");
                    let value = value.to_int().expect("schedules are integer");
                    let size = grid.as_ref().map_or(Int::ONE, |grid| params[grid].clone());
                    time.push(&value.div_floor(&size) * &size);
                }
            }
        }
        NodeKind::Filter(filter) => {
            instances.retain(|(_, tuple, point)| {
                filter.get_tuple(tuple).is_some_and(|set| set.contains(&values(set.space()), point))
            });
        }
        NodeKind::Sequence | NodeKind::Set => {
            let mut result = Vec::new();
            for (i, child) in tree.children().iter().enumerate() {
                let copies = instances.iter().cloned().map(|(mut time, tuple, point)| {
                    time.push(Int::from(i));
                    (time, tuple, point)
                });
                result.extend(place(child, copies.collect(), params));
            }
            return result;
        }
        _ => {}
    }
    place(tree.child(), instances, params)
}

/// Compare a program with the schedule for one valuation of the parameters. Instances with equal
/// schedule may come in any order.
pub(crate) fn compare(tree: &ScheduleTree, ast: &Ast, params: &IndexMap<Id, Int>) -> Result<(), String> {
    let expected = scheduled(tree, params);
    let order: std::collections::BTreeMap<&Instance, &Vec<Int>> = expected.iter().map(|(t, i)| (i, t)).collect();
    assert_eq!(order.len(), expected.len(), "each instance has one place");
    let actual = executed(ast, params);
    let mut last: Option<&Vec<Int>> = None;
    for instance in &actual {
        let Some(time) = order.get(instance) else {
            return Err(format!("{instance:?} is no instance, for {params:?}"));
        };
        if last.is_some_and(|l| *time < l) {
            return Err(format!("{instance:?} comes too late, for {params:?}"));
        }
        last = Some(time);
    }
    let mut sorted = actual;
    sorted.sort();
    let mut wanted: Vec<Instance> = expected.into_iter().map(|(_, i)| i).collect();
    wanted.sort();
    if sorted == wanted {
        return Ok(());
    }
    let missing = wanted.iter().find(|i| !sorted.contains(i));
    Err(format!("{} instances run, {} expected (missing: {missing:?}), for {params:?}", sorted.len(), wanted.len()))
}

/// Parameter values.
pub(crate) fn params(values: &[(&str, i64)]) -> IndexMap<Id, Int> {
    values.iter().map(|(name, v)| (Id::new(name), Int::from(*v))).collect()
}

/// All valuations of the parameters with values in `range` that are in the context.
pub(crate) fn valuations(names: &[Id], context: &Set, range: std::ops::RangeInclusive<i64>) -> Vec<IndexMap<Id, Int>> {
    let mut all: Vec<IndexMap<Id, Int>> = vec![IndexMap::new()];
    for name in names {
        let extend = |v: &IndexMap<Id, Int>| -> Vec<IndexMap<Id, Int>> {
            range
                .clone()
                .map(|x| v.iter().map(|(k, v)| (k.clone(), v.clone())).chain([(name.clone(), Int::from(x))]).collect())
                .collect()
        };
        all = all.iter().flat_map(extend).collect();
    }
    all.retain(|v| {
        let values: Vec<Int> = context.space().params.iter().map(|p| v[p].clone()).collect();
        context.contains(&values, &[])
    });
    all
}

/// All parameters of a tree and its context.
pub(crate) fn parameter_names(tree: &ScheduleTree, context: &Set) -> Vec<Id> {
    let mut names: Vec<Id> = context.space().params.clone();
    for id in tree.domain().param_ids() {
        if !names.contains(id) {
            names.push(id.clone());
        }
    }
    for band in tree.tree().bands() {
        for id in band.schedule.space().params.iter().chain(band.grids.iter().flatten()) {
            if !names.contains(id) {
                names.push(id.clone());
            }
        }
    }
    names
}

/// The steps that judging a program may take.
const JUDGEMENT: u64 = 3_000_000;

/// Has a program judged for all parameter values at once. Programs that are not judged are told.
pub(crate) fn judge(tree: &ScheduleTree, context: &Set, ast: &Ast) {
    let mut budget = Budget::new(JUDGEMENT);
    match poly_ast_check::judge(ast, tree, context, &mut budget) {
        Ok(Verdict::Right) => {}
        Ok(verdict @ Verdict::Wrong(_)) => panic!("{verdict}\n{tree}\n{ast}"),
        Ok(verdict @ Verdict::NotJudged(_)) => println!("{verdict}"),
        Err(Stop) => println!("not judged: too much work"),
    }
}

/// Generate and compare for all parameter values in `range`.
pub(crate) fn check(tree: &ScheduleTree, context: &Set, range: std::ops::RangeInclusive<i64>) -> Ast {
    check_some(tree, context, range, 1, 0)
}

/// As `check`, for every `step`-th valuation, beginning with number `first`.
pub(crate) fn check_some(
    tree: &ScheduleTree,
    context: &Set,
    range: std::ops::RangeInclusive<i64>,
    step: usize,
    first: usize,
) -> Ast {
    let ast = program(tree, context);
    judge(tree, context, &ast);
    for values in valuations(&parameter_names(tree, context), context, range).into_iter().skip(first).step_by(step) {
        if let Err(message) = compare(tree, &ast, &values) {
            panic!("{message}\n{tree}\n{ast}");
        }
    }
    ast
}
