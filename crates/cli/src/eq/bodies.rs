//! What the plugin's report says that statements compute, for their equations.

use poly_equations::dataflow::Known;
use poly_equations::dataflow::body::{Action, Affine, Number, Operand, Step};
use serde_json::Value;

use crate::inspect::record::Model;

/// What is known of a SCoP with statements of these names.
pub(crate) fn known(model: &Model, statements: &[String]) -> Known {
    let mut known = Known::default();
    for array in &model.arrays {
        // Elements that no variable can have are those of a program that has no bodies, either.
        let number = Number::of_llvm(&array.element);
        if let Some(scalar) = number.and_then(Number::scalar) {
            known.types.insert(array.name.clone(), scalar);
        }
        if array.is_inner {
            known.inner.push(array.name.clone());
        }
    }
    let has_type = |name: &str| known.types.contains_key(name);
    let all_typed = model.arrays.iter().all(|array| has_type(&array.name));
    for name in statements {
        let body = model.statements.iter().find(|statement| statement.name == *name).map(|found| &found.body);
        let steps = body.and_then(Value::as_array).and_then(|steps| steps.iter().map(step).collect());
        known.bodies.push(steps.filter(|_| all_typed));
    }
    known
}

fn step(value: &Value) -> Option<Step> {
    let position = || value["of"].as_u64().and_then(|position| usize::try_from(position).ok());
    let action = match value["step"].as_str()? {
        "read" => Action::Read(position()?),
        "write" => Action::Write(position()?),
        "compute" => Action::Compute(value["of"].as_str()?.to_owned()),
        "neutral" => Action::Neutral(value["of"].as_str()?.to_owned()),
        "holds" => Action::Holds,
        "holds not" => Action::HoldsNot,
        "any" => Action::Any,
        "choose" => Action::Choose,
        _ => return None,
    };
    Some(Step {
        action,
        result: value["result"].as_u64()?,
        number: value["type"].as_str().and_then(Number::of_llvm),
        operands: value["operands"].as_array()?.iter().map(operand).collect::<Option<_>>()?,
        condition: value["if"].as_u64(),
        no_wrap: value["no_wrap"] == true,
    })
}

fn integer(value: &Value) -> Option<i64> {
    value.as_str()?.parse().ok()
}

fn operand(value: &Value) -> Option<Operand> {
    if let Some(result) = value["step"].as_u64() {
        return Some(Operand::Step(result));
    }
    let number = Number::of_llvm(value["type"].as_str()?)?;
    if let Some(value) = integer(&value["integer"]) {
        return Some(Operand::Integer(value, number));
    }
    if let Some(bits) = value["float"].as_str() {
        return Some(Operand::Float(f64::from_bits(u64::from_str_radix(bits, 16).ok()?), number));
    }
    if let Some(name) = value["outside"].as_str() {
        return Some(Operand::Outside(name.to_owned(), number));
    }
    let param = |pair: &Value| Some((pair[0].as_str()?.to_owned(), integer(&pair[1])?));
    let affine = Affine {
        constant: integer(&value["constant"])?,
        params: value["params"].as_array()?.iter().map(param).collect::<Option<_>>()?,
        loops: value["loops"].as_array()?.iter().map(integer).collect::<Option<_>>()?,
    };
    Some(Operand::Affine(affine, number, value["exact"] == true))
}
