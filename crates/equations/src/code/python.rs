//! A Python module for a system: a function that takes and gives numpy arrays, through ctypes.
//!
//! # Problem
//! The compiled function trusts its caller: a wrong type or shape ends in wrong memory. The module
//! checks both, and the parameters, before it calls.
//!
//! # Meaning
//! Arrays hold the boxes of domains, as those of C: index 0 of a numpy array is the lowest
//! subscript. Variables without subscripts are numbers. What is in the box of an output, but not in
//! its domain, is 0. Inputs that are not contiguous are copied.

use std::fmt::Write;

use super::affine::Language;
use super::names::c_name;
use crate::memory::Storage;
use crate::pieces::Pieces;
use crate::program::{Role, Scalar, Variable};

/// Words of Python, and names that the module uses.
const TAKEN: [&str; 48] = [
    "False",
    "None",
    "True",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "max",
    "int",
    "len",
    "tuple",
    "str",
    "ctypes",
    "np",
    "os",
    "ValueError",
    "TypeError",
    "MemoryError",
    "OverflowError",
    "isinstance",
];

/// What every module has.
const HELPERS: &str = r#"

def _integer(name, value):
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}")
    if not -2**63 <= value < 2**63:
        raise OverflowError(f"{name} must have 64 bits, not be {value}")
    return int(value)


def _array(name, value, dtype, shape):
    dtype = np.dtype(dtype)
    if shape == ():
        value = _number(name, value, dtype)
    elif not isinstance(value, np.ndarray):
        raise TypeError(f"{name} must be a numpy array, not {type(value).__name__}")
    if value.dtype != dtype:
        raise TypeError(f"{name} must have the dtype {dtype}, not {value.dtype}")
    if value.shape != shape:
        raise ValueError(f"{name} must have the shape {shape}, not {value.shape}")
    return np.ascontiguousarray(value)


def _number(name, value, dtype):
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value)
    if isinstance(value, bool) or not isinstance(value, (int, float) if dtype.kind == "f" else int):
        raise TypeError(f"{name} must be a number for {dtype}, not {type(value).__name__}")
    if dtype.kind != "f" and not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
        raise OverflowError(f"{name} must fit into {dtype}, not be {value}")
    return np.asarray(value, dtype=dtype)


def _pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)
"#;

/// The name, or one like it that Python does not use.
fn py_name(name: &str) -> String {
    let name = name.replace('\'', "_q");
    if TAKEN.contains(&name.as_str()) || name.starts_with('_') { format!("{name}_v") } else { name }
}

fn dtype(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I8 => "int8",
        Scalar::I16 => "int16",
        Scalar::I32 => "int32",
        Scalar::I64 => "int64",
        Scalar::U8 => "uint8",
        Scalar::U16 => "uint16",
        Scalar::U32 => "uint32",
        Scalar::F32 => "float32",
        Scalar::F64 => "float64",
    }
}

/// The module; `library` is the name of the shared library in the same folder.
pub fn module(pieces: &Pieces, storage: &[Storage], library: &str) -> String {
    let system = &pieces.system;
    let params: Vec<String> = system.params.iter().map(|p| py_name(p.as_str())).collect();
    let of = |role: Role| {
        let all = system.variables.iter().zip(storage).filter(move |(v, _)| v.role == role);
        all.collect::<Vec<_>>()
    };
    let (inputs, outputs) = (of(Role::In), of(Role::Out));
    let name = py_name(&system.name);
    let mut text = format!(
        "\"\"\"{}: equations, compiled.\"\"\"\n\nimport ctypes\nimport os\n\nimport numpy as np\n\n",
        system.name
    );
    let _ = write!(
        text,
        "_library = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), \"{library}\"))\n\
         _function = _library.{}\n_function.restype = ctypes.c_int\n_function.argtypes = [ctypes.c_int64] * {} + [ctypes.c_void_p] * {}\n{HELPERS}\n\n",
        c_name(&system.name),
        params.len(),
        inputs.len() + outputs.len()
    );
    let names = inputs.iter().map(|(v, _)| py_name(&v.name));
    let _ = writeln!(text, "def {name}({}):", params.iter().cloned().chain(names).collect::<Vec<_>>().join(", "));
    text.push_str(&documentation(&params, &inputs, &outputs));
    for param in &params {
        let _ = writeln!(text, "    {param} = _integer(\"{param}\", {param})");
    }
    text.push_str(&context(pieces, &params));
    for (variable, storage) in &inputs {
        let name = py_name(&variable.name);
        let (dtype, shape) = (dtype(variable.scalar), shape(storage, &params));
        let _ = writeln!(text, "    {name} = _array(\"{name}\", {name}, \"{dtype}\", {shape})");
    }
    for (variable, storage) in &outputs {
        let (dtype, shape) = (dtype(variable.scalar), shape(storage, &params));
        let _ = writeln!(text, "    {} = np.zeros({shape}, dtype=\"{dtype}\")", py_name(&variable.name));
    }
    let arrays = inputs.iter().chain(&outputs).map(|(v, _)| format!("_pointer({})", py_name(&v.name)));
    let arguments: Vec<String> = params.iter().cloned().chain(arrays).collect();
    let _ = writeln!(text, "    if _function({}) != 0:", arguments.join(", "));
    let _ = writeln!(text, "        raise MemoryError(\"{name}: there is no memory for local variables\")");
    let results: Vec<String> = outputs.iter().map(|(v, storage)| result(v, storage)).collect();
    let _ = writeln!(text, "    return {}", results.join(", "));
    text
}

/// An array, or the number of a variable without subscripts.
fn result(variable: &Variable, storage: &Storage) -> String {
    let name = py_name(&variable.name);
    if storage.extents.is_empty() { format!("{name}[()]") } else { name }
}

fn shape(storage: &Storage, params: &[String]) -> String {
    let size = |extent: &crate::memory::Extent| {
        let size = extent.upper.sub(&extent.lower).add_constant(1);
        format!("max(0, {})", Language::Python.value(&size, params))
    };
    match storage.extents.iter().map(size).collect::<Vec<_>>().as_slice() {
        [] => "()".to_owned(),
        [one] => format!("({one},)"),
        all => format!("({})", all.join(", ")),
    }
}

/// The check that the system is meant for the parameters.
fn context(pieces: &Pieces, params: &[String]) -> String {
    let system = &pieces.system;
    let condition = Language::Python.condition(&system.context, params);
    if condition == "(True)" || params.is_empty() {
        return String::new();
    }
    let values: Vec<String> = params.iter().map(|p| format!("{p} = {{{p}}}")).collect();
    format!(
        "    if not {condition}:\n        raise ValueError(f\"{} is for {}, not for {}\")\n",
        system.name,
        system.context.condition_text().replace('{', "{{").replace('}', "}}"),
        values.join(", ")
    )
}

/// What the arguments are; index 0 is the first subscript.
fn documentation(params: &[String], inputs: &[(&Variable, &Storage)], outputs: &[(&Variable, &Storage)]) -> String {
    let line = |(variable, storage): &(&Variable, &Storage)| {
        let range = |extent: &crate::memory::Extent| {
            let value = |function| Language::Python.value(function, params);
            format!("[{} .. {}]", value(&extent.lower), value(&extent.upper))
        };
        let ranges: String = storage.extents.iter().map(range).collect();
        format!("    {} {}{ranges}: {}\n", variable.role.word(), py_name(&variable.name), dtype(variable.scalar))
    };
    let lines: String = inputs.iter().chain(outputs).map(line).collect();
    format!(
        "    \"\"\"The outputs of the equations, in this order; index 0 of an array is its lowest subscript.\n\n{lines}    \"\"\"\n"
    )
}
