//! The passes as LLVM sees them.

use std::any::Any;
use std::cell::Cell;

use poly_shim::PassHost;
use poly_shim::plugin::{Parsed, Plugin, option_value};
use poly_shim::remarks::print_to_error_stream;

use crate::options::{Choice, Options, Parameters, Printed, Value, from_environment, validate_command_line};
use crate::panics;
use crate::pipeline;
use crate::print;
use crate::report;

/// What a pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    /// Optimizes.
    Optimize,
    /// Prints a stage.
    Print(Printed),
}

/// A pass with its options.
#[derive(Debug)]
pub(crate) struct Pass {
    action: Action,
    /// Or what is wrong with POLY_OPTS, which is reported at the first function.
    options: Result<Options, String>,
    parameters: Parameters,
    complained: Cell<bool>,
    /// Rewrites that were applied in the module so far.
    rewrites: Cell<u64>,
}

impl Pass {
    fn new(action: Action, parameters: Parameters) -> Self {
        let mut options = from_environment(std::env::var("POLY_OPTS").ok().as_deref(), option_value);
        if let Ok(options) = &mut options {
            parameters.apply(options);
        }
        Self { action, options, parameters, complained: Cell::new(false), rewrites: Cell::new(0) }
    }
}

/// The plugin.
#[derive(Debug)]
pub(crate) struct Poly;

impl Plugin for Poly {
    type Pass = Pass;

    fn parse_pass(text: &str) -> Parsed<Pass> {
        let parsed = parse(text).and_then(|found| match found {
            Some(pass) => pass.options.as_ref().map_err(String::clone).map(|_| ()).map(|()| Some(pass)),
            None => Ok(None),
        });
        match parsed {
            Ok(None) => Parsed::No,
            Ok(Some(pass)) if pass.action == Action::Optimize => Parsed::Optimization(pass),
            Ok(Some(pass)) => Parsed::Printer(pass),
            Err(wrong) => {
                print_to_error_stream(&format!("error: poly: {wrong}\n"));
                Parsed::No
            }
        }
    }

    fn pipeline_pass(speed_level: u32) -> Option<Pass> {
        let mut pass = Pass::new(Action::Optimize, Parameters::default());
        pass.options = pass.options.map(|options| options.at_level(speed_level));
        let wanted = speed_level >= 2
            && pass.options.as_ref().map_or(true, |options| options.enable || !options.for_functions.is_empty());
        wanted.then_some(pass)
    }

    fn run(pass: &Pass, host: &mut PassHost) -> bool {
        match (&pass.options, pass.action) {
            (Err(wrong), _) => {
                if !pass.complained.replace(true) {
                    host.context().error(&format!("poly: {wrong}"));
                }
                false
            }
            (Ok(options), Action::Optimize) => pipeline::optimize(host, options, &pass.rewrites),
            (Ok(options), Action::Print(stage)) => {
                print::print(host, options, stage);
                false
            }
        }
    }

    fn panicked(pass: &Pass, host: &mut PassHost, payload: &(dyn Any + Send)) {
        let what = panics::describe(payload);
        let warn = pass.options.as_ref().is_ok_and(|options| options.warn_internal);
        report::report_internal_error(&what, host.context(), warn);
    }

    fn wants_functions_without_loops(pass: &Pass) -> bool {
        pass.options.is_err()
    }

    fn print_pipeline(pass: &Pass) -> String {
        let parameters = pass.parameters.show();
        match pass.action {
            Action::Optimize => format!("poly{parameters}"),
            Action::Print(stage) => {
                let parameters = parameters.trim_matches(['<', '>']);
                let separator = if parameters.is_empty() { "" } else { ";" };
                format!("print<poly-{}{separator}{parameters}>", stage.write())
            }
        }
    }

    fn validate_option(name: &str, value: &str) -> Option<String> {
        validate_command_line(name, value)
    }
}

/// Reads `poly<...>` and `print<poly-...>`; `None` for what is not ours.
fn parse(text: &str) -> Result<Option<Pass>, String> {
    if text == "poly" {
        return Ok(Some(Pass::new(Action::Optimize, Parameters::default())));
    }
    if let Some(parameters) = text.strip_prefix("poly<").and_then(|rest| rest.strip_suffix('>')) {
        return Ok(Some(Pass::new(Action::Optimize, Parameters::parse(parameters)?)));
    }
    let Some(printer) = text.strip_prefix("print<poly-").and_then(|rest| rest.strip_suffix('>')) else {
        return Ok(None);
    };
    let (name, parameters) = printer.split_once(';').unwrap_or((printer, ""));
    let Some(&(_, stage)) = Printed::ALL.iter().find(|(printed, _)| *printed == name) else {
        let names = Printed::ALL.iter().map(|(printed, _)| format!("print<poly-{printed}>"));
        let names: Vec<String> = names.collect();
        let names = names.join(", ");
        return Err(format!("unknown printer 'print<poly-{name}>'; there are: {names}"));
    };
    Ok(Some(Pass::new(Action::Print(stage), Parameters::parse(parameters)?)))
}
