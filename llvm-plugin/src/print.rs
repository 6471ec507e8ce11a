//! The printers, `print<poly-...>`: what each stage knows about a function. They change nothing.

use std::fmt::Write;

use poly_presburger::{Budget, Stop};
use poly_scop::{Analysis, Config, Outcome, Scop, describe_dependences};
use poly_scop_detect::{detect, is_head};
use poly_shim::remarks::print_to_error_stream;
use poly_shim::{PassContext, PassHost};

use crate::asked::Asked;
use crate::config;
use crate::expenses::PER_SCOP;
use crate::options::{Options, Printed};

/// Prints a stage for the SCoPs of the function.
pub(crate) fn print(host: &mut PassHost, options: &Options, printed: Printed) {
    let function = host.context().function();
    let own = options.of_function(&function.name(), Some(&Asked::of(function).words));
    let options = own.as_deref().unwrap_or(options);
    let heads = host.split_off_terminators(is_head);
    print_to_error_stream(&of_function(host.context(), options, printed));
    host.join(heads);
}

fn of_function(cx: PassContext<'_>, options: &Options, printed: Printed) -> String {
    if printed == Printed::Machine {
        // The form that the option `machine` reads.
        return format!(
            "# {} of function '{}'\n{}",
            title(printed),
            cx.function().name(),
            config::machine(options, cx)
        );
    }
    let detection = detect(&cx, &config::detection(options), &mut Budget::new(options.budget.unwrap_or(PER_SCOP)));
    let mut text = format!("{} of function '{}':\n", title(printed), cx.function().name());
    if printed == Printed::Scops {
        text.push_str(&detection.to_string());
    } else {
        let config = config::driver(options, cx);
        for (scop, _) in &detection.scops {
            writeln!(text, "scop \"{}\"", scop.name).expect("writing to a String cannot fail");
            let details = Details {
                distances: options.distances,
                input: options.input_dependences,
                conditional: options.conditional_dependences,
            };
            text.push_str(&of_scop(scop, printed, details, &config));
        }
    }
    text
}

fn title(printed: Printed) -> &'static str {
    match printed {
        Printed::Scops => "SCoPs",
        Printed::Dependences => "Dependences",
        Printed::Schedule => "Schedules",
        Printed::Ast => "Loops",
        Printed::FusionSpace => "Fusion space",
        Printed::Machine => "Machine",
    }
}

/// How much is shown of dependences.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Details {
    /// Distance, direction and depth.
    pub(crate) distances: bool,
    /// Those between reads.
    pub(crate) input: bool,
    /// Those that only keep live ranges apart as conditional ones.
    pub(crate) conditional: bool,
}

/// The text of one stage after detection.
pub(crate) fn of_scop(scop: &Scop, printed: Printed, details: Details, config: &Config) -> String {
    let mut budget = Budget::new(config.budget);
    let text = match printed {
        Printed::Scops | Printed::Machine => scop.to_string(),
        Printed::Dependences => match poly_scop::analyse(scop.clone(), config.reductions, &mut budget) {
            Ok(analysis) => of_dependences(&analysis, details, &mut budget)
                .unwrap_or_else(|Stop| "the operation budget ran out\n".to_string()),
            Err(reason) => reason.to_string(),
        },
        Printed::Schedule => {
            let analysis = poly_scop::analyse(scop.clone(), config.reductions, &mut budget);
            let schedule = analysis.and_then(|analysis| poly_scop::schedule(&analysis, config, &mut budget));
            schedule.map_or_else(|reason| reason.to_string(), |tree| tree.to_string())
        }
        Printed::FusionSpace => poly_scop::analyse(scop.clone(), config.reductions, &mut budget)
            .and_then(|analysis| poly_scop::describe_fusions(&analysis, config, &mut budget))
            .unwrap_or_else(|reason| reason.to_string()),
        Printed::Ast => match poly_scop::optimize(scop.clone(), config) {
            Outcome::Optimized(plan) => plan.ast.to_string(),
            Outcome::Unchanged(reason) => format!("unchanged: {reason}"),
        },
    };
    if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" }
}

fn of_dependences(analysis: &Analysis, details: Details, budget: &mut Budget) -> Result<String, Stop> {
    let conditional = if details.conditional { analysis.with_live_ranges(budget)? } else { None };
    let analysis = conditional.as_ref().unwrap_or(analysis);
    if details.distances {
        describe_dependences(analysis, details.input, budget)
    } else {
        Ok(analysis.dependences.to_string())
    }
}
