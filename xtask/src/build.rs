//! `cargo xtask build`: the plugin alone.
//!
//! All LLVM versions are built in one cargo target folder, as most crates do not know of LLVM. What
//! a user needs is put together in one folder for each version, `target/llvm19/poly` to
//! `target/llvm22/poly`: `libpoly.so`, `poly.cfg`, the clang configuration file that loads it,
//! `poly.h`, for programs that choose tile sizes, and `libpoly_rt.a`, which programs with irregular
//! loops are linked with.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::command;
use crate::llvm::Llvm;
use crate::packages::{self, Purpose};
use crate::progress::Step;
use crate::workspace;

/// How long writing an archive of one object file may take.
const ARCHIVE_LIMIT: Duration = Duration::from_secs(60);

/// Options of `cargo xtask build`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The LLVM version to build for
    #[arg(long, default_value = "19")]
    llvm: Llvm,
    /// Build with debug assertions and little optimization
    #[arg(long)]
    debug: bool,
}

/// How the plugin is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// As it is used.
    Release,
    /// With debug assertions.
    Debug,
}

impl Profile {
    /// The folder that cargo puts results of this profile in.
    fn folder(self) -> &'static str {
        match self {
            Profile::Release => "release",
            Profile::Debug => "debug",
        }
    }

    /// The folder of the finished plugin.
    fn output_folder(self) -> &'static str {
        match self {
            Profile::Release => "poly",
            Profile::Debug => "poly-debug",
        }
    }
}

/// Runs `cargo xtask build`.
pub(crate) fn main(options: &Options) -> Result<ExitCode> {
    packages::require(Purpose::Build, &[options.llvm])?;
    let profile = if options.debug { Profile::Debug } else { Profile::Release };
    let library = plugin(options.llvm, profile)?;
    println!("{}", library.display());
    Ok(ExitCode::SUCCESS)
}

/// Builds the plugin for one LLVM version and returns the absolute path of `libpoly.so`.
pub(crate) fn plugin(llvm: Llvm, profile: Profile) -> Result<PathBuf> {
    let step = Step::begin(format!("building libpoly.so for LLVM {llvm}"));
    let mut command = Command::new(packages::cargo());
    command.current_dir(workspace::root());
    command.args(["build", "--package", "poly-plugin", "--no-default-features", "--features", &llvm.feature()]);
    command.arg("--target-dir").arg(workspace::target());
    if profile == Profile::Release {
        command.arg("--release");
    }
    let finished = command::logged(&step, command, |_| ())?;
    if !finished.success {
        step.end("failed");
        bail!("the plugin for LLVM {llvm} does not build:\n{}", command::excerpt(&finished.log, 20));
    }
    let output = workspace::target().join(llvm.feature()).join(profile.output_folder());
    let library = put_together(&workspace::target().join(profile.folder()), &output)?;
    step.end(&workspace::shown(&library));
    runtime(llvm, &output.join("libpoly_rt.a"))?;
    Ok(library)
}

/// Builds the run-time library at `output`. It is the same for all LLVM versions and profiles.
///
/// rustc's own archives hold `compiler_builtins` as well, which would answer for what a program
/// needs from the compiler's library (`__modti3`) and then ask for Rust's. So only the one object
/// file of the crate, in which link-time optimization has put what it uses of `core`, becomes an
/// archive.
fn runtime(llvm: Llvm, output: &Path) -> Result<()> {
    let step = Step::begin("building libpoly_rt.a".to_owned());
    let object = workspace::target().join("runtime/poly_runtime.o");
    let mut command = Command::new(packages::cargo());
    command.current_dir(workspace::root());
    command.args(["rustc", "--package", "poly-runtime", "--lib", "--profile", "runtime", "--features", "library"]);
    command.args(["--crate-type", "staticlib"]).arg("--target-dir").arg(workspace::target());
    command.arg("--").arg(format!("--emit=obj={}", object.display()));
    // What a caller says of the plugin's link-time optimization is not about this library.
    command.env_remove("CARGO_PROFILE_RELEASE_LTO");
    command::run(step, command, "the run-time library does not build")?;
    let archive = workspace::target().join("runtime/libpoly_rt.a");
    let mut command = Command::new(llvm.tool("llvm-ar"));
    command.arg("rcsD").arg(&archive).arg(&object);
    let made = command::capture(&mut command, ARCHIVE_LIMIT)?;
    if !made.end.success() {
        bail!("the run-time library does not become an archive: {}\n{}", made.end, command::excerpt(&made.text(), 12));
    }
    replace(&archive, output)
}

/// Builds one of the programs beside the plugin for tests and returns its path.
pub(crate) fn program(name: &str) -> Result<PathBuf> {
    let mut command = Command::new(packages::cargo());
    command.current_dir(workspace::root()).args(["build", "--package", "poly-cli", "--bin", name]);
    command.arg("--target-dir").arg(workspace::target());
    let step = Step::begin(format!("building {name}"));
    command::run(step, command, &format!("{name} does not build"))?;
    Ok(workspace::target().join("debug").join(name))
}

/// Puts the library and its configuration file into one folder.
fn put_together(built: &Path, folder: &Path) -> Result<PathBuf> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let folder = folder.canonicalize()?;
    let library = folder.join("libpoly.so");
    replace(&built.join("libpoly.so"), &library)?;
    replace(&workspace::root().join("cmake/poly.cfg.in"), &folder.join("poly.cfg"))?;
    replace(&workspace::root().join("include/poly.h"), &folder.join("poly.h"))?;
    Ok(library)
}

/// Copies a file so that a process which has the old one open keeps it whole.
fn replace(from: &Path, to: &Path) -> Result<()> {
    let fresh = to.with_extension("new");
    fs::copy(from, &fresh).with_context(|| format!("cannot copy {}", workspace::shown(from)))?;
    fs::rename(&fresh, to).with_context(|| format!("cannot write {}", workspace::shown(to)))
}
