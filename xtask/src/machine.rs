//! `cargo xtask machine`: measures this processor and writes a file for the option `machine`.
//!
//! The work is done by the program `poly-machine`, compiled for the processor that it measures.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::packages;
use crate::workspace;

/// Options of `cargo xtask machine`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The file; without it, the numbers are printed
    #[arg(short, long)]
    output: Option<PathBuf>,
}

/// Runs `cargo xtask machine`.
pub(crate) fn main(options: &Options) -> Result<ExitCode> {
    let mut command = Command::new(packages::cargo());
    command.current_dir(workspace::root());
    command.env("RUSTFLAGS", "-C target-cpu=native");
    // Not what others are built with: it is built for this processor.
    let target = workspace::target().join("machine");
    command.args(["run", "--release", "--quiet", "--package", "poly-machine", "--bin", "poly-machine", "--target-dir"]);
    command.arg(target).arg("--");
    if let Some(file) = &options.output {
        let folder = std::env::current_dir().context("the current folder cannot be found")?;
        command.arg("-o").arg(absolute(&folder, file));
    }
    let status = command.status().context("cargo could not be started")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

fn absolute(folder: &Path, file: &Path) -> PathBuf {
    if file.is_absolute() { file.to_path_buf() } else { folder.join(file) }
}
