//! `cargo xtask wheel`: the core as a package of Python.
//!
//! maturin builds it, in a virtual environment below `target/python`: nothing is installed on the
//! machine but Debian's python3-venv. The wheel is for the stable interface of CPython (abi3), so
//! one serves all versions from 3.9 on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::build::Profile;
use crate::command;
use crate::packages::{self, Purpose};
use crate::progress::Step;
use crate::workspace;

/// Builds wheels.
const MATURIN: &str = "maturin==1.16.0";
/// The package, as it is in the names of wheels.
const PACKAGE: &str = "poly_presburger";

/// Options of `cargo xtask wheel`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Build with debug assertions and little optimization
    #[arg(long)]
    debug: bool,
}

/// Runs `cargo xtask wheel`.
pub(crate) fn main(options: &Options) -> Result<ExitCode> {
    packages::require(Purpose::Wheel, &[])?;
    let profile = if options.debug { Profile::Debug } else { Profile::Release };
    println!("{}", wheel(profile)?.display());
    Ok(ExitCode::SUCCESS)
}

/// Builds the wheel and returns its path.
pub(crate) fn wheel(profile: Profile) -> Result<PathBuf> {
    let tools = environment("tools", &[MATURIN])?;
    let (cargo_profile, folder) = match profile {
        Profile::Release => ("release", "wheels"),
        Profile::Debug => ("dev", "wheels-debug"),
    };
    let folder = workspace::target().join(folder);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for old in wheels(&folder)? {
        fs::remove_file(&old).with_context(|| format!("cannot remove {}", old.display()))?;
    }
    let mut command = Command::new(tools.join("bin/maturin"));
    command.args(["build", "--profile", cargo_profile, "--interpreter"]).arg(tools.join("bin/python"));
    command.arg("--manifest-path").arg(workspace::root().join("crates/python/Cargo.toml"));
    command.arg("--out").arg(&folder);
    command.current_dir(workspace::root()).env("CARGO_TARGET_DIR", workspace::target());
    run("building the wheel", command)?;
    match &wheels(&folder)?[..] {
        [wheel] => Ok(wheel.clone()),
        found => bail!("maturin has left {} wheels in {}", found.len(), folder.display()),
    }
}

/// The wheels of the package in a folder.
fn wheels(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with(PACKAGE) && name.ends_with(".whl") {
            found.push(path);
        }
    }
    Ok(found)
}

/// A virtual environment with packages, made if it is not there; the path of its folder.
pub(crate) fn environment(name: &str, requirements: &[&str]) -> Result<PathBuf> {
    let folder = workspace::target().join("python").join(name);
    let (stamp, content) = (folder.join("requirements"), requirements.join("\n"));
    if fs::read_to_string(&stamp).is_ok_and(|there| there == content) {
        return Ok(folder);
    }
    let mut make = Command::new("python3");
    make.args(["-m", "venv"]).arg(&folder);
    run(&format!("making an environment of Python for {name}"), make)?;
    let mut install = pip(&folder);
    install.args(["install", "--quiet"]).args(requirements);
    run(&format!("installing {}", requirements.join(", ")), install)?;
    fs::write(&stamp, content).with_context(|| format!("cannot write {}", stamp.display()))?;
    Ok(folder)
}

/// Puts a wheel into an environment, in place of what is there.
pub(crate) fn install(wheel: &Path, environment: &Path) -> Result<()> {
    let mut command = pip(environment);
    command.args(["install", "--quiet", "--force-reinstall", "--no-deps", "--no-index"]).arg(wheel);
    run("installing the wheel", command)
}

fn pip(environment: &Path) -> Command {
    let mut command = Command::new(environment.join("bin/python"));
    command.args(["-m", "pip", "--disable-pip-version-check", "--no-input"]);
    command
}

fn run(what: &str, command: Command) -> Result<()> {
    let failure = format!("`{}` failed", command::shown(&command));
    command::run(Step::begin(what), command, &failure)
}
