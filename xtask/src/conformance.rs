//! `cargo xtask conformance`: the files of isl's own tests, scored by what Poly makes of them.
//!
//! The work is done by the program `poly-conformance`; it links isl, so this one, which must build
//! on a machine that has nothing yet, only builds and starts it.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::packages::{self, Purpose};
use crate::workspace;

/// Options of `cargo xtask conformance`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The part of the files to run: codegen, schedule, flow, pip, sets, coalesce, gist or hull
    #[arg(long)]
    suite: String,
    /// Only files whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// A line for every file, not only for those that fail
    #[arg(long)]
    verbose: bool,
    /// A table of the files whose numbers differ from isl's, those with most in excess first
    #[arg(long)]
    table: bool,
    /// Suite codegen: the generated programs, too; suite pip: only the problems
    #[arg(long)]
    print: bool,
    /// A folder in the layout of isl's `test_inputs`; for coalesce, gist and hull, the folder of
    /// `isl_test.c`
    dir: PathBuf,
}

/// Runs `cargo xtask conformance`.
pub(crate) fn main(options: &Options) -> Result<ExitCode> {
    if !options.dir.is_dir() {
        bail!("{} is not a folder", options.dir.display());
    }
    let dir = options.dir.canonicalize().with_context(|| format!("{} cannot be found", options.dir.display()))?;
    packages::require(Purpose::Compare, &[])?;
    let mut command = Command::new(packages::cargo());
    command.current_dir(workspace::root());
    command.args(["run", "--release", "--quiet", "--package", "poly-conformance", "--"]);
    command.args(["--suite", &options.suite, "--filter", &options.filter]).arg(dir);
    let switches = [(options.verbose, "--verbose"), (options.table, "--table"), (options.print, "--print")];
    command.args(switches.iter().filter(|(on, _)| *on).map(|(_, switch)| switch));
    let status = command.status().context("cargo could not be started")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
