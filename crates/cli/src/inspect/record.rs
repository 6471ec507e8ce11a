//! What the plugin writes about the loops of a function (option `report`), read.
//!
//! Keys that are not there are as good as empty ones, so that a program of one version reads what a
//! plugin of another one writes.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::names;

/// The version of the form that is read.
const VERSION: u64 = 1;

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The file, as the compiler names it.
    pub(crate) file: String,
    /// From 1.
    pub(crate) line: u32,
}

/// A function with loops.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// Its name in the object file.
    pub(crate) name: String,
    /// Its name in the source, as far as the one in the object file tells.
    pub(crate) shown: String,
    /// What is said of its loops.
    pub(crate) records: Vec<Record>,
}

/// What became of one or several loops.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// New code was written.
    pub(crate) is_optimized: bool,
    /// The kind of reason, if not.
    pub(crate) kind: String,
    /// The remark.
    pub(crate) text: String,
    /// Why nothing was done.
    pub(crate) reason: Option<String>,
    /// How many loops it is about.
    pub(crate) loops: u64,
    /// Where they are, or what the reason is.
    pub(crate) place: Option<Place>,
    /// What is known of them.
    pub(crate) model: Option<Model>,
}

/// A SCoP, or the loop that is in none.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// Its loops.
    pub(crate) loops: Vec<Option<Place>>,
    /// The last line of their source, if that is said.
    pub(crate) last_line: Option<u32>,
    /// Its statements.
    pub(crate) statements: Vec<Statement>,
    /// What must hold for the model to be true, in words.
    pub(crate) assumptions: Vec<String>,
    /// Cycles of the original and of the new loops.
    pub(crate) predicted: Option<(f64, f64)>,
    /// What it is predicted for.
    pub(crate) machine: Option<Machine>,
    /// What tells it from other ones (docs/tune.md).
    pub(crate) fingerprint: Option<String>,
    /// Bytes of the largest elements of its arrays.
    pub(crate) element_bytes: u64,
    /// Its arrays.
    pub(crate) arrays: Vec<Array>,
    /// The JSCoP text.
    pub(crate) scop: Option<String>,
    /// What was done.
    pub(crate) plan: Option<Plan>,
}

/// An array.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    /// Its name.
    pub(crate) name: String,
    /// LLVM's name for the type of its elements.
    pub(crate) element: String,
    /// Nobody looks at it after the loops.
    pub(crate) is_inner: bool,
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    /// Its name in the loops.
    pub(crate) name: String,
    /// Where its first access is, or it itself.
    pub(crate) place: Option<Place>,
    /// The places of its accesses.
    pub(crate) accesses: Vec<Place>,
    /// The loops around it, outermost first, by their positions in the list of loops.
    pub(crate) loops: Vec<u64>,
    /// What it computes, if that is said.
    pub(crate) body: Value,
}

/// A processor.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// Its name in Poly's table.
    pub(crate) name: String,
    /// Bytes of a vector.
    pub(crate) vector_bytes: u64,
    /// Its vector registers.
    pub(crate) vector_registers: u64,
    /// Bytes of its caches, nearest first.
    pub(crate) caches: Vec<u64>,
    /// Cycles to start and join threads.
    pub(crate) fork_cycles: f64,
    /// Threads were asked for.
    pub(crate) has_threads: bool,
}

/// What was done.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// All of it, as it was written.
    pub(crate) text: String,
    /// The loops in C.
    pub(crate) loops: String,
    /// The schedule tree.
    pub(crate) schedule: String,
    /// The one of the original order.
    pub(crate) original: String,
    /// Its bands.
    pub(crate) bands: Vec<Band>,
    /// The steps that made it.
    pub(crate) steps: Vec<String>,
    /// From which sizes on the new loops are used.
    pub(crate) sizes: Option<String>,
    /// Arrays that must not overlap.
    pub(crate) disjoint: Vec<(String, String)>,
    /// Arrays whose rows must not overlap.
    pub(crate) distinct_rows: Vec<String>,
    /// Conditions on data.
    pub(crate) inspections: u64,
    /// Scalars and arrays with more memory.
    pub(crate) expanded: u64,
    /// Arrays with copies.
    pub(crate) packed: u64,
    /// Reductions of which threads have parts.
    pub(crate) privatized: u64,
    /// Subdomains.
    pub(crate) index_sets: u64,
}

/// A band of loops.
#[derive(Clone, Debug)]
pub(crate) struct Band {
    /// How many.
    pub(crate) depth: u64,
    /// Their tile sizes.
    pub(crate) tile: Vec<u64>,
    /// Their register tiles.
    pub(crate) register: Option<(u64, u64)>,
    /// In another order.
    pub(crate) reordered: bool,
    /// By threads.
    pub(crate) parallel: bool,
    /// By vectors.
    pub(crate) vector: bool,
    /// Lanes of a SIMD wavefront.
    pub(crate) lanes: u64,
    /// How tiles lie.
    pub(crate) shape: String,
}

impl Record {
    /// The lines of its loops and statements in the file in which the loops begin, from the first
    /// to the last.
    pub(crate) fn lines(&self) -> Option<(&str, u32, u32)> {
        let model = self.model.iter();
        let places: Vec<&Place> = model
            .flat_map(|m| {
                m.loops.iter().flatten().chain(m.statements.iter().flat_map(|s| s.place.iter().chain(&s.accesses)))
            })
            .collect();
        let loops = self.model.iter().flat_map(|m| m.loops.iter().flatten());
        let first = loops.min_by_key(|place| place.line).or(self.place.as_ref())?;
        let own = places.into_iter().chain(&self.place).filter(|place| place.file == first.file);
        let last = own.map(|place| place.line).max().unwrap_or(first.line);
        let last = self.model.iter().filter_map(|model| model.last_line).fold(last, u32::max);
        Some((&first.file, first.line, last.max(first.line)))
    }

    /// The line in which it begins.
    pub(crate) fn first_line(&self) -> Option<u32> {
        self.lines().map(|(_, first, _)| first)
    }
}

/// The files of a folder, the functions in the order of the source.
///
/// # Errors
/// A sentence about a file that cannot be read.
pub(crate) fn read_folder(folder: &Path) -> Result<Vec<Function>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut functions = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        functions.push(function(&text).map_err(|what| format!("{}: {what}", path.display()))?);
    }
    let line = |function: &Function| function.records.iter().filter_map(Record::first_line).min();
    functions.sort_by(|a, b| (line(a), &a.name).cmp(&(line(b), &b.name)));
    Ok(functions)
}

/// Reads what is said of a function.
///
/// # Errors
/// What is wrong with the text.
pub(crate) fn function(text: &str) -> Result<Function, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match value["version"].as_u64() {
        Some(VERSION) => {}
        Some(other) => {
            return Err(format!("the plugin writes reports of version {other}, and this program reads {VERSION}"));
        }
        None => return Err("this is no report of Poly".to_owned()),
    }
    let mut records: Vec<Record> = list(&value["records"]).map(record).collect();
    records.sort_by_key(Record::first_line);
    let name = string(&value["function"]);
    Ok(Function { shown: names::of_source(&name), name, records })
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

fn place(value: &Value) -> Option<Place> {
    let line = u32::try_from(value["line"].as_u64()?).ok()?;
    Some(Place { file: string(&value["file"]), line })
}

fn record(value: &Value) -> Record {
    Record {
        is_optimized: value["outcome"] == "optimized",
        kind: string(&value["kind"]),
        text: string(&value["text"]),
        reason: value["reason"].as_str().map(str::to_owned),
        loops: number(&value["loops"]),
        place: place(&value["place"]),
        model: value["model"].is_object().then(|| model(&value["model"])),
    }
}

fn model(value: &Value) -> Model {
    let predicted = &value["predicted"];
    let mut assumptions: Vec<String> = Vec::new();
    for reason in list(&value["assumptions"]).map(|assumption| string(&assumption["reason"])) {
        if !assumptions.contains(&reason) {
            assumptions.push(reason);
        }
    }
    Model {
        loops: list(&value["loops"]).map(|l| place(&l["place"])).collect(),
        last_line: list(&value["loops"]).filter_map(|l| u32::try_from(l["last_line"].as_u64()?).ok()).max(),
        statements: list(&value["statements"]).map(statement).collect(),
        assumptions,
        predicted: predicted["original"].as_f64().zip(predicted["candidate"].as_f64()),
        machine: value["machine"].is_object().then(|| machine(&value["machine"])),
        fingerprint: value["fingerprint"].as_str().map(str::to_owned),
        element_bytes: list(&value["arrays"]).map(|array| number(&array["bytes"])).max().unwrap_or(0),
        arrays: list(&value["arrays"]).map(array).collect(),
        scop: value["scop"].is_object().then(|| value["scop"].to_string()),
        plan: value["plan"].is_object().then(|| plan(&value["plan"])),
    }
}

fn machine(value: &Value) -> Machine {
    Machine {
        name: string(&value["name"]),
        vector_bytes: number(&value["vector_bytes"]),
        vector_registers: number(&value["vector_registers"]),
        caches: list(&value["caches"]).map(number).collect(),
        fork_cycles: value["fork_cycles"].as_f64().unwrap_or(f64::INFINITY),
        has_threads: value["threads"] == true,
    }
}

fn array(value: &Value) -> Array {
    let (name, element) = (string(&value["name"]), string(&value["type"]));
    Array { name, element, is_inner: value["is_inner"] == true }
}

fn statement(value: &Value) -> Statement {
    let accesses: Vec<Place> = list(&value["accesses"]).filter_map(|access| place(&access["place"])).collect();
    // What is written says most about a statement.
    let written = list(&value["accesses"]).filter(|access| access["kind"] != "read").find_map(|a| place(&a["place"]));
    let loops = list(&value["loops"]).map(number).collect();
    let (name, body) = (string(&value["name"]), value["body"].clone());
    Statement { name, place: written.or_else(|| place(&value["place"])), accesses, loops, body }
}

fn plan(value: &Value) -> Plan {
    let pair = |pair: &Value| (string(&pair[0]), string(&pair[1]));
    Plan {
        text: value.to_string(),
        loops: string(&value["loops"]),
        schedule: string(&value["schedule"]),
        original: string(&value["original"]),
        bands: list(&value["bands"]).map(band).collect(),
        steps: list(&value["steps"]).map(string).collect(),
        sizes: value["sizes"].as_str().map(str::to_owned),
        disjoint: list(&value["disjoint"]).map(pair).collect(),
        distinct_rows: list(&value["distinct_rows"]).map(string).collect(),
        inspections: number(&value["inspections"]),
        expanded: number(&value["temporaries"]) + number(&value["expanded_arrays"]),
        packed: number(&value["packed_arrays"]),
        privatized: number(&value["privatized"]),
        index_sets: number(&value["index_sets"]),
    }
}

fn band(value: &Value) -> Band {
    let register = &value["register"];
    Band {
        depth: number(&value["depth"]),
        tile: list(&value["tile"]).map(number).collect(),
        register: register[0].as_u64().zip(register[1].as_u64()),
        reordered: value["reordered"] == true,
        parallel: value["parallel"] == true,
        vector: value["vector"] == true,
        lanes: number(&value["lanes"]),
        shape: string(&value["shape"]),
    }
}
