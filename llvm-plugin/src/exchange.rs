//! Schedules written to files and read from them.
//!
//! The file of a SCoP is named after its function, with a number for the SCoPs of the function in
//! the order in which they are looked at: `kernel.0.poly`, `kernel.0.jscop` or `kernel.0.scop`.
//! Their forms are described in `poly_scheduler` and `poly_exchange`.

use std::fs;
use std::path::{Path, PathBuf};

use poly_presburger::Budget;
use poly_scop::{Config, ExchangeFormat, Given, Scheduler, Scop};

use crate::options::{Options, Scheduler as Wanted};
use crate::worker;

/// The file of a SCoP; names of functions may have characters that paths must not.
fn file(folder: &Path, function: &str, number: usize, format: ExchangeFormat) -> PathBuf {
    let plain = |c: char| if c.is_alphanumeric() || "._-$".contains(c) { c } else { '_' };
    let function: String = function.chars().map(plain).collect();
    folder.join(format!("{function}.{number}.{}", format.extension()))
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
        let path = file(folder, function, number, options.exchange_format);
        if path.exists() {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let (format, limit) = (options.exchange_format, config.budget);
            let given = worker::run(|| Given::read(&text, format, &mut Budget::new(limit)))?;
            config.given = Some(given.map_err(|error| format!("{}: {error}", path.display()))?);
        }
    }
    if let Some(folder) = options.export.path() {
        let without_file = config.scheduler == Scheduler::Given && config.given.is_none();
        let order = if without_file { Scheduler::Original } else { config.scheduler };
        let exported = Config { scheduler: order, ..config.clone() };
        let format = options.exchange_format;
        let text = worker::run(|| poly_scop::export(scop, &exported, format, &mut Budget::new(exported.budget)))?;
        let text = text.map_err(|reason| reason.to_string())?;
        let path = file(folder, function, number, options.exchange_format);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(config)
}
