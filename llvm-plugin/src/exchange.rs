//! Schedules written to files and read from them.
//!
//! The file of a SCoP is named after its function, with a number for the SCoPs of the function in the order in which they are looked at:
//! `kernel.0.poly`. Its form is described in `poly_scheduler`.

use std::fs;
use std::path::{Path, PathBuf};

use poly_presburger::Budget;
use poly_scheduler::ScheduleFile;
use poly_scop::{Config, Scheduler, Scop};

use crate::options::{Options, Scheduler as Wanted};
use crate::worker;

/// The file of a SCoP; names of functions may have characters that paths must not.
fn file(folder: &Path, function: &str, number: usize) -> PathBuf {
    let plain = |c: char| if c.is_alphanumeric() || "._-$".contains(c) { c } else { '_' };
    folder.join(format!("{}.{number}.poly", function.chars().map(plain).collect::<String>()))
}

/// Writes and reads what the options ask for: the configuration for this SCoP, or what went wrong.
pub(crate) fn exchange(
    scop: &Scop,
    function: &str,
    number: usize,
    config: &Config,
    options: &Options,
) -> Result<Config, String> {
    let mut config = config.clone();
    if options.scheduler == Wanted::File {
        let folder = options.import.path().ok_or("scheduler=file needs the option import=FOLDER")?;
        let path = file(folder, function, number);
        if path.exists() {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let given: ScheduleFile = text.parse().map_err(|error| format!("{}: {error}", path.display()))?;
            config.given = Some(given.tree);
        }
    }
    if let Some(folder) = options.export.path() {
        let without_file = config.scheduler == Scheduler::Given && config.given.is_none();
        let order = if without_file { Scheduler::Original } else { config.scheduler };
        let exported = Config { scheduler: order, ..config.clone() };
        let text = worker::run(|| poly_scop::export(scop, &exported, &mut Budget::new(exported.budget)))?;
        let text = text.map_err(|reason| reason.to_string())?;
        let path = file(folder, function, number);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(config)
}
