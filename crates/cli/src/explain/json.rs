//! The same as JSON, for other programs: one object for each loop nest.

use serde_json::{Value, json};

use super::{advice, words};
use crate::inspect::record::{Function, Model, Plan, Record};
use crate::inspect::source::{self, Sources};

/// All that is said of a program.
pub(crate) fn of_functions(functions: &[Function], sources: &mut Sources) -> Value {
    let mut all = Vec::new();
    for function in functions {
        all.extend(function.records.iter().map(|record| of_record(function, record, sources)));
    }
    Value::Array(all)
}

fn of_record(function: &Function, record: &Record, sources: &mut Sources) -> Value {
    let lines = record.lines();
    let mut value = json!({
        "function": function.shown,
        "symbol": function.name,
        "file": lines.map(|(file, _, _)| file),
        "first_line": lines.map(|(_, first, _)| first),
        "last_line": lines.map(|(_, _, last)| last),
        "loops": record.loops,
        "outcome": if record.is_optimized { "optimized" } else { "unchanged" },
        "processor": record.model.as_ref().and_then(|model| model.machine.as_ref()).map(|machine| {
            json!({ "name": machine.name, "caches": machine.caches })
        }),
        "predicted": record.model.as_ref().and_then(|model| model.predicted).map(|(original, candidate)| {
            json!({ "original": original, "candidate": candidate })
        }),
    });
    match record.model.as_ref().and_then(|model| Some((model, model.plan.as_ref()?))) {
        Some((model, plan)) if record.is_optimized => add_plan(&mut value, model, plan),
        _ => {
            value["kind"] = json!(record.kind);
            value["reason"] = json!(words::why(record, sources));
            value["advice"] = json!(advice::for_record(record));
        }
    }
    value
}

fn add_plan(value: &mut Value, model: &Model, plan: &Plan) {
    value["done"] = json!(words::done(plan));
    value["new_loops"] = json!(source::with_dimensions(&plan.loops, &words::dimensions(model)));
    value["conditions"] = json!(words::conditions(model, plan));
}
