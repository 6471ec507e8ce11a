//! Names of functions as people know them.
//!
//! Compilers write the types of a function's parameters, its namespace and more into the name that
//! linkers see. A name of an unknown form is shown as it is.

/// The name in the source of a function with this name in the object file.
pub(crate) fn of_source(name: &str) -> String {
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        // Without the number that tells versions of a crate apart.
        return format!("{rust:#}");
    }
    if let Ok(symbol) = cpp_demangle::Symbol::new(name)
        && let Ok(cpp) = symbol.demangle(&cpp_demangle::DemangleOptions::default())
    {
        return cpp;
    }
    of_fortran(name).unwrap_or_else(|| name.to_owned())
}

/// Names as flang writes them: `_QPf`, `_QMmPf` for procedure `f` of module `m`, `_QQmain`.
fn of_fortran(name: &str) -> Option<String> {
    if name == "_QQmain" {
        return Some("main program".to_owned());
    }
    let is_word =
        |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || "_0123456789".contains(c));
    let rest = name.strip_prefix("_Q")?;
    let (module, procedure) = match rest.strip_prefix('M') {
        Some(rest) => rest.split_once('P').map(|(module, procedure)| (Some(module), procedure))?,
        None => (None, rest.strip_prefix('P')?),
    };
    // Capital letters begin further parts, which are left as they are.
    (module.is_none_or(is_word) && is_word(procedure))
        .then(|| module.map_or_else(|| procedure.to_owned(), |module| format!("{module}::{procedure}")))
}

#[cfg(test)]
mod tests {
    use super::of_source;

    #[test]
    fn names_of_each_language() {
        for (name, shown) in [
            ("gemm", "gemm"),
            ("_Z4gemmiPdS_", "gemm(int, double*, double*)"),
            ("_ZN3lib6MatrixIdE5scaleEd", "lib::Matrix<double>::scale(double)"),
            ("_ZN4core3ops4main17h05af221e174051e9E", "core::ops::main"),
            ("_RNvC7mycrate3foo", "mycrate::foo"),
            ("_QPsaxpy", "saxpy"),
            ("_QMlinear_algebraPgemm2", "linear_algebra::gemm2"),
            ("_QQmain", "main program"),
            ("_QMmFouterPinner", "_QMmFouterPinner"),
            ("_Znot a name", "_Znot a name"),
            ("", ""),
        ] {
            assert_eq!(of_source(name), shown, "{name}");
        }
    }
}
