//! What became of the loops of a function, as JSON for other programs (option `report=FOLDER`).
//!
//! There is one file for each function that something can be said of, with a list of records: the
//! remarks, each with the model of its SCoP if there is one and, if code was written, with the
//! plan. docs/explain.md describes the form. Sets and relations are in isl's syntax, SCoPs are
//! JSCoP texts (docs/exchange.md).

use std::fs;
use std::path::Path;

use poly_exchange::{Format, ScopText};
use poly_presburger::Budget;
use poly_scop::{
    AccessKind, Array, ArrayKind, ArrayRange, BandReport, Config, Place, Plan, Prediction, Reason, ScalarKind, Scop,
    Statement, TileShape,
};
use serde_json::{Value, json};

/// The version of the form.
const VERSION: u32 = 1;

/// Longest part of a function's name in the name of a file.
const LONGEST: usize = 150;

/// A place, or null.
pub(crate) fn place(place: Option<&Place>) -> Value {
    place.map_or(Value::Null, |p| json!({ "file": p.file, "line": p.line, "column": p.column }))
}

/// The model of a SCoP for which nothing was done, and the SCoP that its statements are of.
pub(crate) fn unchanged(scop: &Scop, reason: &Reason, config: &Config) -> (Value, Scop) {
    let mut described = scop.clone();
    let mut model = model(scop);
    model["machine"] = machine(config);
    let mut budget = Budget::new(config.budget);
    // A text that costs too much is left out.
    if let Ok((simplified, text)) = poly_scop::original_text(scop, config, &mut budget) {
        model["statements"] = statements(&simplified.statements, &simplified);
        model["scop"] = jscop(&text);
        described = simplified;
    }
    if let Reason::NotProfitable(predicted) = reason {
        model["predicted"] = prediction(predicted);
    }
    (model, described)
}

/// The same with what its statements compute.
pub(crate) fn with_bodies(mut model: Value, bodies: Vec<Value>) -> Value {
    if let Some(statements) = model["statements"].as_array_mut() {
        statements.iter_mut().zip(bodies).for_each(|(statement, body)| statement["body"] = body);
    }
    model
}

/// The model of a SCoP for which code was written, with what was done.
pub(crate) fn planned(plan: &Plan, config: &Config) -> Value {
    let mut source = plan.scop.clone();
    source.statements.truncate(plan.first_of_buffers.index());
    let mut model = model(&source);
    model["machine"] = machine(config);
    model["scop"] = jscop(&poly_scop::plan_text(plan));
    if let Some(predicted) = &plan.report.prediction {
        model["predicted"] = prediction(predicted);
    }
    let report = &plan.report;
    let name = |range: &ArrayRange| plan.scop.arrays[range.array.index()].name.clone();
    let steps: Vec<String> = report.rewrites.steps.iter().map(ToString::to_string).collect();
    model["plan"] = json!({
        "summary": report.to_string(),
        "loops": plan.ast.to_string(),
        "schedule": plan.tree.to_string(),
        "original": poly_scop::original_tree(&source).to_string(),
        "bands": report.bands.iter().map(band).collect::<Vec<_>>(),
        "steps": steps,
        "condition": plan.check.condition.to_string(),
        "sizes": report.condition,
        "disjoint": plan.check.disjoint.iter().map(|(a, b)| [name(a), name(b)]).collect::<Vec<_>>(),
        "distinct_rows": plan.check.distinct_rows.iter().map(name).collect::<Vec<_>>(),
        "inspections": report.inspections,
        "temporaries": report.temporaries,
        "expanded_arrays": report.expanded_arrays,
        "packed_arrays": report.packed_arrays,
        "privatized": report.privatized,
        "index_sets": report.subdomains,
    });
    model
}

/// What both have: loops, statements, arrays, assumptions.
fn model(scop: &Scop) -> Value {
    let loops = scop.loops.iter().map(|l| json!({ "place": place(l.place.as_ref()), "depth": l.depth }));
    let arrays = scop.arrays.iter().map(|array| {
        json!({ "name": array.name, "type": array.element.name, "bytes": array.element.bytes, "dimensions": array.rank, "is_scalar": array.is_scalar(), "is_inner": is_inner(array) })
    });
    let assumptions = scop.assumptions.iter().map(|assumption| {
        json!({
            "kind": format!("{:?}", assumption.kind),
            "reason": assumption.reason,
            "holds": assumption.holds.to_string(),
            "place": place(assumption.place.as_ref()),
        })
    });
    json!({
        "name": scop.name,
        "loops": loops.collect::<Vec<_>>(),
        "parameters": scop.params.iter().map(|p| p.name.clone()).collect::<Vec<_>>(),
        "arrays": arrays.collect::<Vec<_>>(),
        "assumptions": assumptions.collect::<Vec<_>>(),
        "statements": statements(&scop.statements, scop),
    })
}

/// Nobody looks at it after the loops.
fn is_inner(array: &Array) -> bool {
    match array.kind {
        ArrayKind::Scalar { kind, .. } => matches!(kind, ScalarKind::Phi | ScalarKind::Errno),
        ArrayKind::Temporary { .. } | ArrayKind::Errno { .. } => true,
        ArrayKind::Memory { .. } | ArrayKind::Rows { .. } => array.local,
    }
}

/// Places of statements and accesses, in the order of the JSCoP text.
fn statements(list: &[Statement], scop: &Scop) -> Value {
    let access = |access: &poly_scop::Access| {
        let kind = match access.kind {
            AccessKind::Read => "read",
            AccessKind::MustWrite => "write",
            AccessKind::MayWrite => "may_write",
        };
        let array = &scop.arrays[access.array.index()].name;
        json!({ "array": array, "kind": kind, "place": place(access.place.as_ref()) })
    };
    let statement = |s: &Statement| {
        json!({
            "name": s.name,
            "place": place(s.place.as_ref()),
            "loops": s.loops.iter().map(|l| l.index()).collect::<Vec<_>>(),
            "accesses": s.accesses.iter().map(access).collect::<Vec<_>>(),
        })
    };
    list.iter().map(statement).collect()
}

fn jscop(text: &ScopText) -> Value {
    serde_json::from_str(&text.write(Format::Jscop)).expect("JSCoP is JSON")
}

/// What predictions are made for.
fn machine(config: &Config) -> Value {
    let machine = &config.machine;
    json!({
        "name": machine.name,
        "caches": machine.caches.iter().map(|cache| cache.bytes).collect::<Vec<_>>(),
        "vector_bytes": machine.vectors.bytes,
        "vector_registers": machine.vectors.registers,
        "fork_cycles": machine.threads.fork_cycles,
        "threads": config.parallelism != poly_scop::Parallelism::Sequential,
    })
}

fn prediction(predicted: &Prediction) -> Value {
    json!({ "original": predicted.original, "candidate": predicted.candidate })
}

fn band(band: &BandReport) -> Value {
    let shape = match band.shape {
        TileShape::Box => "box",
        TileShape::Wavefront => "wavefront",
        TileShape::PanelUpdate => "panel-update",
        TileShape::Diamond => "diamond",
        TileShape::Doacross => "doacross",
    };
    json!({
        "depth": band.depth,
        "tile": band.tile,
        "register": band.register.map(|(rows, columns)| [rows, columns]),
        "reordered": band.reordered,
        "parallel": band.parallel,
        "vector": band.vector,
        "lanes": band.lanes,
        "shape": shape,
    })
}

/// Writes the file of a function.
///
/// # Errors
/// A sentence about the file that cannot be written.
pub(crate) fn write(folder: &Path, function: &str, records: Vec<Value>) -> Result<(), String> {
    if records.is_empty() {
        return Ok(());
    }
    let path = folder.join(file_name(function));
    let text = json!({ "version": VERSION, "function": function, "records": records });
    fs::write(&path, format!("{text:#}\n")).map_err(|error| format!("{}: {error}", path.display()))
}

/// A file for each name: names of functions may be longer than those of files, and have characters
/// that these must not.
fn file_name(function: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-$".contains(c);
    if function.len() <= LONGEST && function.chars().all(is_plain) {
        return format!("{function}.json");
    }
    let start: String = function.chars().filter(|&c| is_plain(c)).take(LONGEST).collect();
    // FNV-1a: names that begin alike stay apart.
    let hash = function
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{start}-{hash:016x}.json")
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn functions_have_files_of_their_own() {
        assert_eq!(file_name("kernel"), "kernel.json");
        let long = "x".repeat(4000);
        assert!(file_name(&long).len() < 200);
        assert_ne!(file_name(&long), file_name(&format!("{long}y")));
        assert_ne!(file_name("a/b"), file_name("ab"));
        assert!(!file_name("../a").contains('/'));
    }
}
