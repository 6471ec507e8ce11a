//! The loops of a program as equations.
//!
//! # Method
//! The file is compiled with the plugin, as for `poly deps` ([`crate::inspect`]). For every part that the plugin has modelled
//! it reports a SCoP, in the form of JSCoP, and this becomes a system of its own.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use poly_equations::System;
use poly_equations::dataflow::word_like;
use poly_equations::program::External;

use super::Options;
use crate::inspect::Input;
use crate::inspect::compile::{self, Failure};

/// Whether this is a file for a compiler.
pub(crate) fn is_program(file: &Path) -> bool {
    compile::is_program(file)
}

/// The equations of all SCoPs of a program; with `--system`, those of one function.
///
/// # Errors
/// Why there are none.
pub(crate) fn equations(options: &Options) -> Result<String, Failure> {
    let flags: Vec<OsString> = options.arguments.iter().map(OsString::from).collect();
    let input = Input { file: options.file.clone(), flags };
    let mut systems: Vec<(String, System)> = Vec::new();
    for function in compile::functions(&input)? {
        if options.system.as_ref().is_some_and(|wanted| *wanted != function.name) {
            continue;
        }
        for record in &function.records {
            let Some(model) = &record.model else { continue };
            let Some(scop) = &model.scop else { continue };
            let line = record.first_line().map_or(String::new(), |line| format!(", line {line}"));
            let place = format!("{}{line}", function.name);
            let mut system = super::equations(&place, scop, options.operations).map_err(Failure::Request)?;
            rename(&mut system, &function.name, &systems);
            let assumed = model.assumptions.iter().map(|assumption| format!("\n// true if: {assumption}"));
            systems.push((format!("{place}{}", assumed.collect::<String>()), system));
        }
    }
    if systems.is_empty() {
        let what = options.system.as_ref().map_or_else(String::new, |name| format!(" of `{name}`"));
        return Err(Failure::Request(format!("Poly has modelled no loops{what} in {}", options.file.display())));
    }
    let texts: Vec<String> = systems.iter().map(|(place, system)| format!("// {place}\n{system}")).collect();
    Ok(texts.join("\n"))
}

/// Names for a system and the functions of its statements that no other one has.
fn rename(system: &mut System, function: &str, others: &[(String, System)]) {
    let word = word_like(function);
    let numbered = (2..).map(|number| format!("{word}_{number}"));
    let is_free = |name: &String| !others.iter().any(|(_, other)| other.name == *name);
    system.name = std::iter::once(word.clone()).chain(numbered).find(is_free).expect("there is always one more");
    let renamed = system.externals.iter().map(|external| External {
        name: external.name.replacen("f_", &format!("f_{}_", system.name), 1),
        ..external.clone()
    });
    system.externals = Arc::new(renamed.collect());
}
