//! Installing what a command needs and the machine lacks.
//!
//! A need is looked for by the file or program that is used, not by asking the package manager, so
//! that a tool which came by another way counts too. Missing ones are installed from Debian's
//! packages: directly as root, through `sudo` otherwise. Without the rights, the exact command is
//! printed and nothing is done.

use std::io::IsTerminal;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::command;
use crate::llvm::Llvm;
use crate::progress::Step;

/// Something that must be there, and the package that brings it.
#[derive(Debug, Clone)]
struct Need {
    package: String,
    sign: Sign,
    why: &'static str,
}

/// What tells that a package is there.
#[derive(Debug, Clone)]
enum Sign {
    /// A program on the search path.
    Program(&'static str),
    /// One of these files.
    AnyFile(Vec<String>),
    /// A module that python3 can load.
    Module(&'static str),
}

impl Need {
    fn program(package: &str, program: &'static str, why: &'static str) -> Need {
        Need { package: package.to_owned(), sign: Sign::Program(program), why }
    }

    fn file(package: impl Into<String>, file: impl AsRef<Path>, why: &'static str) -> Need {
        let file = file.as_ref().display().to_string();
        Need { package: package.into(), sign: Sign::AnyFile(vec![file]), why }
    }

    fn is_met(&self) -> bool {
        match &self.sign {
            Sign::Program(name) => on_path(name),
            Sign::AnyFile(files) => files.iter().any(|file| Path::new(file).exists()),
            Sign::Module(name) => {
                let output = Command::new("python3").args(["-c", &format!("import {name}")]).output();
                output.is_ok_and(|output| output.status.success())
            }
        }
    }
}

/// Whether a program of this name is on the search path.
pub(crate) fn on_path(name: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|dir| dir.join(name).is_file()))
}

/// What a command is about to do; from [`Purpose::Build`] on, each needs more than the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purpose {
    /// Build the Python package.
    Wheel,
    /// Build the core, without LLVM, and compare it with isl.
    Compare,
    /// Build the plugin.
    Build,
    /// Compile and run programs with it.
    Run,
    /// Run the tests.
    Test,
}

fn needs(purpose: Purpose, versions: &[Llvm]) -> Vec<Need> {
    let mut needs = vec![
        Need::program("g++", "g++", "compiles the part of the plugin that is C++"),
        Need::file("libc6-dev", "/usr/include/stdlib.h", "the C library's headers"),
        Need::program("make", "make", "builds GMP, the big integers"),
        Need::program("m4", "m4", "builds GMP, the big integers"),
    ];
    if purpose == Purpose::Compare || purpose >= Purpose::Test {
        needs.push(Need::file("libisl-dev", "/usr/include/isl/ctx.h", "isl, which the results are compared with"));
    }
    if purpose == Purpose::Wheel || purpose >= Purpose::Test {
        needs.push(Need::program("python3", "python3", "runs tools and tests written in Python"));
        let sign = Sign::Module("ensurepip");
        needs.push(Need { package: "python3-venv".to_owned(), sign, why: "environments for packages of Python" });
    }
    for &llvm in versions {
        let n = llvm.major();
        let headers = llvm.prefix().join("include/llvm/IR/Function.h");
        needs.push(Need::file(format!("llvm-{n}-dev"), headers, "LLVM's headers"));
        needs.push(Need::file(format!("llvm-{n}"), llvm.tool("opt"), "opt and llvm-config"));
        if purpose >= Purpose::Run {
            needs.push(Need::file(format!("clang-{n}"), llvm.tool("clang"), "compiles the programs"));
        }
        if purpose >= Purpose::Test {
            needs.push(Need::file(format!("llvm-{n}-tools"), llvm.tool("FileCheck"), "FileCheck and lit"));
        }
    }
    if purpose >= Purpose::Run {
        // Version 19's for all: Debian's packages of two versions exclude each other.
        let library = |llvm: Llvm| llvm.prefix().join("lib/libomp.so").display().to_string();
        let sign = Sign::AnyFile(Llvm::ALL.map(library).to_vec());
        needs.push(Need { package: "libomp-19-dev".to_owned(), sign, why: "runs parallel loops" });
    }
    if purpose >= Purpose::Test {
        let numpy = "/usr/lib/python3/dist-packages/numpy/__init__.py";
        needs.push(Need::file("python3-numpy", numpy, "numpy, whose arrays modules of equations take"));
        needs.push(Need::program("codespell", "codespell", "checks the spelling of documents"));
        needs.push(Need::program("openmpi-bin", "mpirun", "runs programs of several processes"));
        needs.push(Need::program("libopenmpi-dev", "mpicc", "compiles programs of several processes"));
    }
    needs
}

/// Makes sure that everything for `purpose` is there, or fails with the command that would install
/// it.
pub(crate) fn require(purpose: Purpose, versions: &[Llvm]) -> Result<()> {
    let missing: Vec<Need> = needs(purpose, versions).into_iter().filter(|need| !need.is_met()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let mut packages: Vec<&str> = missing.iter().map(|need| need.package.as_str()).collect();
    packages.dedup();
    eprintln!("Missing on this machine:");
    for need in &missing {
        eprintln!("  {:<15} {}", need.package, need.why);
    }
    install(&packages)?;
    match missing.iter().find(|need| !need.is_met()) {
        Some(need) => bail!("{} is installed, but what Poly needs of it ({}) is not there", need.package, need.why),
        None => Ok(()),
    }
}

/// Makes sure that Debian packages with these names are installed.
pub(crate) fn require_named(names: &[String]) -> Result<()> {
    let is_missing = |name: &&String| {
        let output = Command::new("dpkg-query").args(["-W", "-f", "${Status}", name]).output();
        !output.is_ok_and(|output| output.stdout.ends_with(b" installed"))
    };
    let missing: Vec<&str> = names.iter().filter(is_missing).map(String::as_str).collect();
    if missing.is_empty() { Ok(()) } else { install(&missing) }
}

fn install(packages: &[&str]) -> Result<()> {
    let install_line = format!("apt-get install -y --no-install-recommends {}", packages.join(" "));
    if !on_path("apt-get") {
        bail!(
            "this is not Debian (no apt-get): install {} by hand, then run the same command again",
            packages.join(", ")
        );
    }
    let Some(prefix) = root_prefix() else {
        bail!(
            "installing packages needs root; run this, then the same command again:\n    \
             sudo apt-get update && sudo {install_line}"
        );
    };
    let update = words(prefix, "apt-get update");
    let install = words(prefix, &install_line);
    eprintln!("Installing them: {}", install.join(" "));
    apt("reading Debian's package lists", &update)?;
    apt("installing packages", &install)
}

/// How to become root: nothing if we are, `sudo` if it lets us, `None` if there is no way.
fn root_prefix() -> Option<&'static str> {
    if is_root() {
        return Some("");
    }
    let sudo = |arguments: &[&str]| {
        let status = Command::new("sudo").args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    if sudo(&["-n", "true"]) {
        return Some("sudo");
    }
    // It may ask for a password, where there is somebody to ask.
    let asked = on_path("sudo") && std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    let granted = asked && Command::new("sudo").arg("-v").status().is_ok_and(|status| status.success());
    granted.then_some("sudo")
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn words(prefix: &str, line: &str) -> Vec<String> {
    prefix.split_whitespace().chain(line.split_whitespace()).map(str::to_owned).collect()
}

fn apt(what: &str, line: &[String]) -> Result<()> {
    let step = Step::begin(what);
    let mut command = Command::new(&line[0]);
    command.args(&line[1..]).env("DEBIAN_FRONTEND", "noninteractive").env("LC_ALL", "C.UTF-8");
    let mut log = String::new();
    let end = command::stream(&mut command, |text| {
        step.note(text);
        log.push_str(text);
        log.push('\n');
    })?;
    if end.success() {
        step.end("done");
        return Ok(());
    }
    step.end("failed");
    bail!("`{}` failed:\n{}", line.join(" "), command::excerpt(&log, 12));
}

/// Makes sure that rustup's components for the checks are there.
pub(crate) fn require_rust_components() -> Result<()> {
    for (component, subcommand) in [("clippy", "clippy"), ("rustfmt", "fmt")] {
        let there = Command::new(cargo()).args([subcommand, "--version"]).output().is_ok_and(|o| o.status.success());
        if there {
            continue;
        }
        if !on_path("rustup") {
            bail!("cargo {subcommand} is missing and there is no rustup to add it with");
        }
        let step = Step::begin(format!("adding {component} to Rust"));
        let output = Command::new("rustup").args(["component", "add", component]).output()?;
        if !output.status.success() {
            step.end("failed");
            bail!(
                "`rustup component add {component}` failed:\n{}",
                command::excerpt(&String::from_utf8_lossy(&output.stderr), 8)
            );
        }
        step.end("done");
    }
    Ok(())
}

/// The cargo that runs this program.
pub(crate) fn cargo() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packages(purpose: Purpose, versions: &[Llvm]) -> Vec<String> {
        needs(purpose, versions).into_iter().map(|need| need.package).collect()
    }

    #[test]
    fn a_build_needs_headers_but_no_clang() {
        let packages = packages(Purpose::Build, &[Llvm::V22]);
        assert!(packages.contains(&"llvm-22-dev".to_owned()));
        assert!(!packages.iter().any(|name| name.contains("19") || name.starts_with("clang")));
    }

    #[test]
    fn a_comparison_needs_isl_but_no_llvm() {
        let packages = packages(Purpose::Compare, &[]);
        assert!(packages.contains(&"libisl-dev".to_owned()));
        assert!(!packages.iter().any(|name| name.starts_with("llvm")));
    }

    #[test]
    fn a_wheel_needs_python_but_no_llvm() {
        let packages = packages(Purpose::Wheel, &[]);
        assert!(packages.contains(&"python3-venv".to_owned()));
        assert!(!packages.iter().any(|name| name.starts_with("llvm") || name.starts_with("libisl")));
    }

    #[test]
    fn both_versions_share_one_openmp_runtime() {
        let packages = packages(Purpose::Test, &Llvm::TESTED);
        assert_eq!(packages.iter().filter(|name| name.starts_with("libomp")).count(), 1);
        assert!(packages.contains(&"libomp-19-dev".to_owned()));
    }

    #[test]
    fn only_tests_need_several_processes() {
        let has_mpi = |purpose| packages(purpose, &[Llvm::V19]).contains(&"libopenmpi-dev".to_owned());
        assert!(has_mpi(Purpose::Test));
        assert!(!has_mpi(Purpose::Run));
    }

    #[test]
    fn programs_are_found_on_the_path() {
        assert!(on_path("sh"));
        assert!(!on_path("no-such-program-of-poly"));
    }
}
