//! `cargo xtask bench polybench`: the kernels of `test/kernels`, with Poly and with what else makes
//! loops faster.
//!
//! 1. Every configuration ([`configuration`]) that is asked for is tried on an empty program; what
//!    this machine lacks is reported as absent, with the package that brings it.
//! 2. Each kernel is compiled in every configuration, and the programs run in turn, several rounds
//!    ([`measure`]): what disturbs the machine disturbs all. Outputs are compared with those of
//!    clang, bit for bit.
//! 3. What the machine can do at most is measured ([`machine`]).
//! 4. A report with tables ([`report`]) with what the cost model predicted ([`prediction`]), and
//!    figures ([`super::chart`]) are written.

pub(super) mod configuration;
pub(super) mod machine;
mod measure;
mod prediction;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::build::{self, Profile};
use crate::demo;
use crate::llvm::Llvm;
use crate::packages::{self, Purpose};
use crate::progress::Step;
use crate::workspace;
use configuration::Peer;
use measure::Bench;

/// Options of `cargo xtask bench polybench`.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// The LLVM version whose clang is used
    #[arg(long, default_value = "19")]
    llvm: Llvm,
    /// The processor that all compilers generate code for
    #[arg(long, default_value = "native")]
    march: String,
    /// Problem sizes: MINI, SMALL, MEDIUM, LARGE or EXTRALARGE; a report for each
    #[arg(long, value_delimiter = ',', default_value = "LARGE", value_parser = ["MINI", "SMALL", "MEDIUM", "LARGE", "EXTRALARGE"])]
    size: Vec<String>,
    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_value = "1")]
    threads: Vec<u32>,
    /// What Poly is compared with, besides clang alone
    #[arg(long, value_delimiter = ',', default_value = "clang")]
    peers: Vec<Peer>,
    /// The kernels to run, by the names of their files in test/kernels; `all` for every one
    #[arg(long, value_delimiter = ',', default_value = "all")]
    kernels: Vec<String>,
    /// How often each program runs at least
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Compile kernels whose sizes are parameters that the compiler does not know
    #[arg(long)]
    symbolic: bool,
    /// Use this plugin instead of building one
    #[arg(long)]
    plugin: Option<PathBuf>,
    /// Options for Poly, as in POLY_OPTS
    #[arg(long, default_value = "")]
    poly_options: String,
    /// The folder that reports are written to
    #[arg(long, default_value = "docs/benchmarks")]
    out: PathBuf,
    /// Print the tables without writing a report
    #[arg(long)]
    dry: bool,
}

/// Runs `cargo xtask bench polybench`.
pub(super) fn main(options: &Options) -> Result<ExitCode> {
    packages::require(Purpose::Run, &[options.llvm])?;
    let plugin = match &options.plugin {
        Some(given) => given.canonicalize()?,
        None => build::plugin(options.llvm, Profile::Release)?,
    };
    let kernels = demo::kernels(&options.kernels)?;
    let (configurations, absent) = configuration::present(options.llvm, &options.threads, &options.peers)?;
    let machine = machine::measure(options.llvm, &options.march)?;
    let mut all_same = true;
    for size in &options.size {
        let bench = Bench {
            llvm: options.llvm,
            plugin: &plugin,
            poly_options: &options.poly_options,
            march: &options.march,
            size,
            symbolic: options.symbolic,
            rounds: options.rounds,
            configurations: &configurations,
        };
        let mut results = Vec::new();
        for name in &kernels {
            let step = Step::begin(format!("{name}, {size}"));
            let measured = bench.kernel(name, &step)?;
            step.end(&measured.summary(&configurations));
            results.push(measured);
        }
        let report = report::Report { bench: &bench, machine: &machine, absent: &absent, results: &results };
        all_same &= report.is_right();
        println!("\n{}", report.tables());
        if !options.dry {
            for file in report.write(&workspace::root().join(&options.out))? {
                println!("{}", workspace::shown(&file));
            }
        }
    }
    if !all_same {
        bail!("a program printed something else with Poly than without");
    }
    Ok(ExitCode::SUCCESS)
}
