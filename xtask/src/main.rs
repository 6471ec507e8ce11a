//! Poly's build, test and demo commands: `cargo xtask <command>`.
//!
//! This program is the first thing that runs on a fresh machine, so it depends on nothing of Poly
//! and on nothing but Rust and a linker. It installs what a command needs ([`packages`]), runs
//! compilers and programs with their output captured ([`command`]), and shows one line of progress
//! per step ([`progress`]). Whatever fails is reported as one sentence and the lines that matter.

mod bench;
mod build;
mod campaign;
mod command;
mod conformance;
mod coverage;
mod demo;
mod fuzz;
mod install;
mod llvm;
mod machine;
mod packages;
mod progress;
mod realworld;
mod remarks;
mod robustness;
mod suite;
mod table;
#[cfg(test)]
mod tidy;
mod wheel;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Build, test and try Poly.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Build the plugin; the last line printed is the path of libpoly.so
    Build(build::Options),
    /// Compile kernels with and without Poly, run both, compare the outputs, print a table
    Demo(demo::Options),
    /// Build everything and put it below a prefix, or remove it from there
    Install(install::Options),
    /// Build everything and make a Debian package; the last line printed is its path
    Deb(install::DebOptions),
    /// Build the package of Python; the last line printed is the path of the wheel
    Wheel(wheel::Options),
    /// Run every test; the last line printed is `N passed, N failed`
    Test(suite::Options),
    /// Test Poly with random input
    Fuzz(fuzz::Options),
    /// Measure parts of Poly beside what others do
    Bench(bench::Options),
    /// Score Poly on the input files of isl's own tests; the last line is `N passed, N failed`
    Conformance(conformance::Options),
    /// Measure this processor; the file that is written is for Poly's option `machine`
    Machine(machine::Options),
    /// Print which shapes of loops Poly and Polly accept, and why not the others
    Coverage(coverage::Options),
    /// Compile and run all C and C++ programs of a folder with and without Poly; the last line
    /// printed is `N passed, N failed`
    Campaign(campaign::Options),
    /// Run LLVM's -O3 with Poly on all .ll files of a folder; the last line printed is
    /// `N passed, N failed`
    Robustness(robustness::Options),
    /// Build packages of Debian with and without Poly, run their own tests, print a table; the last
    /// line printed is `N passed, N failed`
    Realworld(realworld::Options),
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().task {
        Task::Build(options) => build::main(&options),
        Task::Install(options) => install::main(&options),
        Task::Deb(options) => install::deb(&options),
        Task::Wheel(options) => wheel::main(&options),
        Task::Demo(options) => demo::main(&options),
        Task::Test(options) => suite::main(&options),
        Task::Fuzz(options) => fuzz::main(&options),
        Task::Bench(options) => bench::main(&options),
        Task::Conformance(options) => conformance::main(&options),
        Task::Machine(options) => machine::main(&options),
        Task::Coverage(options) => coverage::main(&options),
        Task::Campaign(options) => campaign::main(&options),
        Task::Robustness(options) => robustness::main(&options),
        Task::Realworld(options) => realworld::main(&options),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
