//! From a function to a better function: detection, plan, code.
//!
//! # Invariants
//! Everything up to the plan only reads. Code is written with a copy of the function at hand: whatever fails from then on
//! (an error, a panic, LLVM's verifier) brings the copy back.

use poly_shim::PassHost;
use poly_shim::remarks::{Part, RemarkKind, RemarkPlace};

use crate::gate::{Admission, admit};
use crate::options::{Options, Stage};

/// What a printing pass prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Printed {
    /// The SCoPs, and why other loops are none.
    Scops,
    /// Their dependences.
    Dependences,
    /// The new schedule.
    Schedule,
    /// The new loops.
    Ast,
}

impl Printed {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::Scops, Self::Dependences, Self::Schedule, Self::Ast];

    /// As in `print<poly-NAME>`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scops => "scops",
            Self::Dependences => "dependences",
            Self::Schedule => "schedule",
            Self::Ast => "ast",
        }
    }
}

/// Fails if the user asked for a failure in this stage.
fn enter(stage: Stage, options: &Options) {
    assert!(
        options.debug_panic != Some(stage),
        "asked for by the option debug-panic"
    );
}

/// Optimizes the function; true if anything was changed.
pub(crate) fn optimize(host: &mut PassHost, options: &Options) -> bool {
    match admit(host.context().function(), options) {
        Admission::Unwanted => return false,
        Admission::Impossible(reason) => {
            let text = format!("function cannot be optimized: {reason}");
            host.context().remark(
                RemarkKind::Missed,
                "Function",
                RemarkPlace::Function,
                &[Part::plain(&text)],
            );
            return false;
        }
        Admission::Outlined => {
            host.clean_up();
            return true;
        }
        Admission::Welcome => {}
    }
    enter(Stage::Detect, options);
    false
}

/// Prints a stage for the SCoPs of the function.
pub(crate) fn print(_host: &mut PassHost, _options: &Options, _stage: Printed) {}
