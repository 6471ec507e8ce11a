//! Names of the language as names of C.

/// Words of C, and what the code defines itself.
const TAKEN: [&str; 59] = [
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float",
    "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof",
    "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "min", "max", "minf",
    "maxf", "floord", "pmod", "shl", "trunc64", "malloc", "free", "main", "j0", "j1", "jn", "y0", "y1", "yn", "gamma",
    "INFINITY", "NAN", "errno", "abs", "exp", "log", "div",
];

/// The name, or one like it that C does not use.
pub(crate) fn c_name(name: &str) -> String {
    let name = name.replace('\'', "_q");
    let counter =
        name.strip_prefix('c').is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()));
    if TAKEN.contains(&name.as_str()) || counter { format!("{name}_v") } else { name }
}
