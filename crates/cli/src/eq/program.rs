//! The loops of a program as equations.
//!
//! # Method
//! The file is compiled with the plugin, as for `poly deps` ([`crate::inspect`]). For every part
//! that the plugin has modelled it reports a SCoP, in the form of JSCoP, and this becomes a system
//! of its own.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use poly_equations::System;
use poly_equations::dataflow::word_like;
use poly_equations::program::External;
use poly_exchange::ScopText;

use super::Options;
use crate::inspect::Input;
use crate::inspect::compile::{self, Failure};

/// Whether this is a file for a compiler.
pub(crate) fn is_program(file: &Path) -> bool {
    compile::is_program(file)
}

/// The equations of a part of a program.
pub(crate) struct Found {
    /// The function that it is a part of.
    pub(crate) function: String,
    /// The same, and the line.
    pub(crate) place: String,
    /// What must hold for them to be true, in words.
    pub(crate) assumptions: Vec<String>,
    /// They themselves.
    pub(crate) system: System,
}

/// The equations of all SCoPs of a program, or of a function of it, and why others have none.
///
/// # Errors
/// Why nothing is known of the program.
pub(crate) fn systems(
    input: &Input,
    wanted: Option<&str>,
    operations: u64,
) -> Result<(Vec<Found>, Vec<String>), Failure> {
    let (mut found, mut failed): (Vec<Found>, Vec<String>) = (Vec::new(), Vec::new());
    let functions = compile::functions(input)?;
    for function in functions.into_iter().filter(|function| wanted.is_none_or(|name| function.name == name)) {
        for record in &function.records {
            let Some(model) = &record.model else { continue };
            let Some(scop) = &model.scop else { continue };
            let line = record.first_line().map_or(String::new(), |line| format!(", line {line}"));
            let place = format!("{}{line}", function.name);
            let known = |text: &ScopText| {
                let names: Vec<String> = text.statements.iter().map(|statement| statement.name.clone()).collect();
                super::bodies::known(model, &names)
            };
            match super::equations(&place, scop, known, operations) {
                Ok(mut system) => {
                    rename(&mut system, &function.name, &found);
                    let (function, assumptions) = (function.name.clone(), model.assumptions.clone());
                    found.push(Found { function, place, assumptions, system });
                }
                Err(why) => failed.push(format!("{place}: no equations: {why}")),
            }
        }
    }
    Ok((found, failed))
}

/// The equations of all SCoPs of a program as a text; with `--system`, those of one function.
///
/// # Errors
/// Why there are none.
pub(crate) fn equations(options: &Options) -> Result<String, Failure> {
    let flags: Vec<OsString> = options.arguments.iter().map(OsString::from).collect();
    let input = Input { file: options.file.clone(), flags };
    let (found, failed) = systems(&input, options.system.as_deref(), options.operations)?;
    if found.is_empty() {
        let what = options.system.as_ref().map_or_else(String::new, |name| format!(" of `{name}`"));
        let nothing = format!("Poly has modelled no loops{what} in {}", options.file.display());
        return Err(Failure::Request(if failed.is_empty() { nothing } else { failed.join("\n") }));
    }
    let text = |Found { place, assumptions, system, .. }: &Found| {
        let assumed: String = assumptions.iter().map(|assumption| format!("\n// true if: {assumption}")).collect();
        format!("// {place}{assumed}\n{system}")
    };
    let failed = failed.iter().map(|failed| format!("// {failed}\n"));
    Ok(failed.chain(found.iter().map(text)).collect::<Vec<_>>().join("\n"))
}

/// Names for a system and the functions of its statements that no other one has.
fn rename(system: &mut System, function: &str, others: &[Found]) {
    let word = word_like(function);
    let numbered = (2..).map(|number| format!("{word}_{number}"));
    let is_free = |name: &String| !others.iter().any(|other| other.system.name == *name);
    system.name = std::iter::once(word.clone()).chain(numbered).find(is_free).expect("there is always one more");
    let renamed = system.externals.iter().map(|external| External {
        name: external.name.replacen("f_", &format!("f_{}_", system.name), 1),
        ..external.clone()
    });
    system.externals = Arc::new(renamed.collect());
}
