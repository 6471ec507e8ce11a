//! New loops and original ones, executed on memory.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use poly_arith::Int;
use poly_presburger::{Budget, DimKind, Id, Map};
use poly_scop::{Access, AccessId, InstrKind, Plan, Scop, Statement, ValueId};

/// Statement and coordinates.
pub(crate) type Instance = (String, Vec<i64>);
/// Array and subscripts.
pub(crate) type Element = (u32, Vec<i64>);

/// The instances in the order of the new loops.
pub(crate) fn new_order(plan: &Plan) -> Vec<Instance> {
    order_with(plan, &IndexMap::new())
}

/// The same for some values of the parameters.
pub(crate) fn order_with(plan: &Plan, params: &IndexMap<Id, Int>) -> Vec<Instance> {
    let mut order = Vec::new();
    poly_ast_build::interpret(&plan.ast, params, &mut |statement, point| {
        let point = point.iter().map(|x| x.to_i64().expect("small numbers"));
        order.push((statement.as_str().to_string(), point.collect()));
    });
    order
}

fn statement<'a>(scop: &'a Scop, name: &str) -> &'a Statement {
    scop.statements.iter().find(|s| s.name == name).expect("the statement exists")
}

/// The same instances in the original order.
pub(crate) fn original_order(scop: &Scop, mut instances: Vec<Instance>) -> Vec<Instance> {
    instances.sort_by_key(|(name, point)| {
        let position = &statement(scop, name).position;
        let mut time = vec![position[0] as i64];
        point.iter().zip(&position[1..]).for_each(|(x, p)| time.extend([*x, *p as i64]));
        time
    });
    instances
}

fn element(access: &Access, point: &[i64]) -> Element {
    let basic = &access.relation.basics()[0];
    if basic.n_div() > 0 {
        let at = |relation: Map, (i, x): (usize, &i64)| relation.fix(DimKind::In, i, Int::from(*x));
        let only = point.iter().enumerate().fold(access.relation.clone(), at).range();
        let found = only.sample(&mut Budget::unlimited()).expect("no limit").expect("an access touches an element");
        let subscripts = found[only.space().dim(DimKind::Param)..].iter();
        return (access.array.0, subscripts.map(|x| x.to_i64().expect("small numbers")).collect());
    }
    let (from, to) = (basic.offset(DimKind::In), basic.offset(DimKind::Out));
    let subscripts = (0..basic.dim(DimKind::Out)).map(|d| {
        let row = basic.eqs().iter().find(|row| !row[to + d].is_zero()).expect("every subscript is defined");
        let sum: Int = point.iter().enumerate().map(|(i, x)| &row[from + i] * &Int::from(*x)).sum();
        let value = &(&row[0] + &sum) * &-&row[to + d];
        value.to_i64().expect("small numbers")
    });
    (access.array.0, subscripts.collect())
}

/// Executes instances on memory whose values are hashes of what they were computed from.
pub(crate) fn execute(scop: &Scop, order: &[Instance]) -> BTreeMap<Element, u64> {
    let mix = |hash: u64, value: u64| (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    let mut memory: BTreeMap<Element, u64> = BTreeMap::new();
    for (name, point) in order {
        let statement = statement(scop, name);
        let element = |access: AccessId| element(&statement.accesses[access.index()], point);
        let mut values: BTreeMap<ValueId, u64> = BTreeMap::new();
        for instr in &statement.body {
            let mut operands =
                instr.operands.iter().map(|o| values.get(&o.value).copied().unwrap_or(u64::from(o.value.0)));
            match instr.kind {
                InstrKind::Read(access) => {
                    let element = element(access);
                    let initial = mix(u64::from(element.0), element.1.iter().fold(7, |h, x| mix(h, *x as u64)));
                    let value = *memory.get(&element).unwrap_or(&initial);
                    values.insert(instr.value, value);
                }
                InstrKind::Write(access) => {
                    let value = operands.next_back().expect("a write has an operand");
                    memory.insert(element(access), value);
                }
                InstrKind::Choose if instr.operands.len() == 1 => {
                    let value = operands.next().expect("it is one");
                    values.insert(instr.value, value);
                }
                _ => {
                    let value = operands.fold(u64::from(instr.value.0), mix);
                    values.insert(instr.value, value);
                }
            }
        }
    }
    memory
}

/// Every instance is executed once, and memory ends up as in the original order.
pub(crate) fn assert_same_results(plan: &Plan, instances: usize) {
    assert_same_results_with(plan, instances, &IndexMap::new());
}

/// The same for some values of the parameters.
pub(crate) fn assert_same_results_with(plan: &Plan, instances: usize, params: &IndexMap<Id, Int>) {
    let order = order_with(plan, params);
    let mut unique = order.clone();
    unique.sort();
    unique.dedup();
    assert_eq!((order.len(), unique.len()), (instances, instances), "{}", plan.ast);
    let expected = execute(&plan.scop, &original_order(&plan.scop, unique));
    assert!(execute(&plan.scop, &order) == expected, "{}", plan.ast);
}

/// All instances in their order, parts under the name of the whole.
pub(crate) fn sequence(scop: &Scop) -> Vec<Instance> {
    let mut instances = Vec::new();
    for statement in &scop.statements {
        let points = statement.domain.as_map().enumerate(&[], &mut Budget::unlimited()).expect("a finite set");
        for point in points {
            let point = point.iter().map(|x| x.to_i64().expect("small numbers")).collect();
            instances.push((statement.name.clone(), point));
        }
    }
    let ordered = original_order(scop, instances).into_iter();
    ordered.map(|(name, point)| (whole(&name).to_string(), point)).collect()
}

/// The name of the statement that one is a part of.
pub(crate) fn whole(name: &str) -> &str {
    name.split('_').next().unwrap_or_default()
}
