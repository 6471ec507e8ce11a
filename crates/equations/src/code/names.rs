//! Names of the language as names of C.

/// Words of C and of its library, and what the code defines itself.
const TAKEN: [&str; 91] = [
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
    "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "min", "max", "minf",
    "maxf", "floord", "pmod", "shl", "trunc64", "malloc", "free", "main", "j0", "j1", "jn", "y0", "y1", "yn", "gamma",
    "INFINITY", "NAN", "errno", "abs", "exp", "log", "div", "sqrt", "sin", "cos", "tan", "pow", "floor", "ceil",
    "round", "fabs", "fmin", "fmax", "exit", "abort", "printf", "puts", "rand", "time", "NULL", "int8_t", "int16_t",
    "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "size_t", "stdin", "stdout", "stderr", "asm",
    "linux",
];

/// Longer ones.
const LIMITS: [&str; 2] = ["INT64_MAX", "INT64_MIN"];

/// The name, or one like it that C does not use.
pub(crate) fn c_name(name: &str) -> String {
    let name = name.replace('\'', "_q");
    let counter =
        name.strip_prefix('c').is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()));
    let is_taken = TAKEN.contains(&name.as_str()) || LIMITS.contains(&name.as_str());
    if is_taken || counter || is_of_array(&name) { format!("{name}_v") } else { name }
}

/// Whether the code gives such names to the arrays of variables, their sizes and lower bounds:
/// `X_`, `X_n1`, `X_l1`.
fn is_of_array(name: &str) -> bool {
    let Some((_, end)) = name.rsplit_once('_') else { return false };
    let number = end.strip_prefix(['n', 'l']).unwrap_or("none");
    end.is_empty() || (!number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
}
