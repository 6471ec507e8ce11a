//! Names from the source, and places.
//!
//! Arrays, parameters and dimensions get the names that the programmer gave them where debug
//! information, value names or symbols tell; they are made valid identifiers of the text syntax and
//! unique in the SCoP.

use std::collections::BTreeSet;
use std::rc::Rc;

use poly_scop::Place;
use poly_shim::debug::SourcePlace;
use poly_shim::ir::Opcode;
use poly_shim::{LoopRef, ScevKind, ScevRef, ValueRef};

/// Words with a meaning of their own in the syntax of sets.
const RESERVED: [&str; 16] = [
    "and", "ceil", "ceild", "exists", "false", "floor", "floord", "if", "implies", "inf", "infty", "max", "min", "mod",
    "not", "or",
];
/// Longest name.
const MAX_LENGTH: usize = 40;

/// The place of an instruction.
pub(crate) fn place(instruction: ValueRef<'_>) -> Option<Place> {
    instruction.place().map(convert)
}

/// The place where a loop begins.
pub(crate) fn loop_place(l: LoopRef<'_>) -> Option<Place> {
    l.place().map(convert)
}

fn convert(place: SourcePlace) -> Place {
    Place { file: place.file, line: place.line, column: place.column }
}

/// What the source calls a value; empty if it has no name.
pub(crate) fn source_name(value: ValueRef<'_>) -> String {
    value.variable_name().filter(|name| !name.is_empty()).unwrap_or_else(|| value.name())
}

/// A name for people, in quotes, with a substitute for values without name.
pub(crate) fn quoted(value: ValueRef<'_>) -> String {
    let name = source_name(value);
    if !name.is_empty() {
        return format!("'{name}'");
    }
    match value.opcode() {
        Some(Opcode::Load) => {
            value.pointer_operand().map_or("a value".into(), |p| format!("the value loaded from {}", quoted_base(p)))
        }
        Some(Opcode::Call) => {
            value.callee().map_or("the result of a call".into(), |f| format!("the result of '{}'", f.name()))
        }
        Some(_) => format!("the result of '{}'", value.opcode_name().unwrap_or("?")),
        None => "an unnamed value".into(),
    }
}

fn quoted_base(pointer: ValueRef<'_>) -> String {
    let name = source_name(pointer.underlying_object());
    if name.is_empty() { "memory".into() } else { format!("'{name}'") }
}

/// A name for the expression of a parameter: that of its only value, or else built from the names
/// in it.
pub(crate) fn expression_name(scev: ScevRef<'_>) -> String {
    let mut names = Vec::new();
    let mut todo = vec![scev];
    while let Some(part) = todo.pop() {
        if let Some(value) = part.unknown_value() {
            let name = source_name(value);
            let name = if value.ty().is_pointer() && !name.is_empty() { format!("{name}_address") } else { name };
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        } else if part.kind() == ScevKind::AddRec && names.len() < 3 {
            names.extend(part.addrec_loop().and_then(counter_name));
            todo.extend(part.operands().into_iter().filter(|o| o.kind() != ScevKind::Constant));
        } else {
            todo.extend(part.operands().into_iter().rev());
        }
    }
    names.truncate(3);
    names.join("_")
}

/// The name of the first integer counter of a loop.
fn counter_name(l: LoopRef<'_>) -> Option<String> {
    let counter = l.header().phis().into_iter().find(|p| p.ty().integer_bits().is_some())?;
    Some(source_name(counter)).filter(|name| !name.is_empty())
}

/// Hands out unique identifiers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    used: Rc<BTreeSet<String>>,
}

impl Names {
    /// An identifier like `wish`, or like `fallback` and a number if there is nothing to wish.
    pub(crate) fn unique(&mut self, wish: &str, fallback: &str) -> String {
        let wish = identifier(wish);
        let used = Rc::make_mut(&mut self.used);
        if !wish.is_empty() && !RESERVED.contains(&wish.as_str()) && used.insert(wish.clone()) {
            return wish;
        }
        let (stem, separator) = if wish.is_empty() { (fallback, "") } else { (wish.as_str(), "_") };
        (0..)
            .map(|number| format!("{stem}{separator}{number}"))
            .find(|name| used.insert(name.clone()))
            .expect("there are more numbers than names")
    }
}

/// The letters, digits and underscores of a text; not beginning with a digit.
fn identifier(text: &str) -> String {
    let mut result: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(MAX_LENGTH).collect();
    if result.starts_with(|c: char| c.is_ascii_digit()) {
        result.insert(0, '_');
    }
    if result.chars().all(|c| c == '_') { String::new() } else { result }
}
