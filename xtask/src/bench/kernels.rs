//! `cargo xtask bench kernels`: the kernels of `test/fields`, written as people write them, with Poly and other compilers.
//!
//! 1. Each file of `test/fields` holds the kernels of one field. It is compiled in every configuration ([`configuration`]).
//! 2. Its kernels run one after the other, each in all configurations in turn, several rounds ([`measure`]); the hash of
//!    all results must be that of clang's program, bit for bit.
//! 3. The report ([`report`]) has geometric means for each field and a line for each kernel.
//!
//! A quarter of the kernels is held out ([`is_held_out`]): nobody looks at them while Poly is tuned, and the report says how
//! they differ from the others.

mod measure;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, bail};

use super::polybench::configuration::{self, Peer};
use crate::build::{self, Profile};
use crate::llvm::Llvm;
use crate::packages::{self, Purpose};
use crate::workspace;
use measure::Bench;

/// Options of `cargo xtask bench kernels`.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// The LLVM version whose clang is used
    #[arg(long, default_value = "19")]
    llvm: Llvm,
    /// The processor that all compilers generate code for
    #[arg(long, default_value = "native")]
    march: String,
    /// The fields to measure, by the names of their files in test/fields; `all` for every one
    #[arg(long, value_delimiter = ',', default_value = "all")]
    fields: Vec<String>,
    /// Only kernels with this in their names
    #[arg(long, default_value = "")]
    filter: String,
    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_value = "1")]
    threads: Vec<u32>,
    /// What Poly is compared with, besides clang alone
    #[arg(long, value_delimiter = ',', default_value = "clang")]
    peers: Vec<Peer>,
    /// How often each program runs
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// Use this plugin instead of building one
    #[arg(long)]
    plugin: Option<PathBuf>,
    /// Options for Poly, as in POLY_OPTS
    #[arg(long, default_value = "")]
    poly_options: String,
    /// Leave out the kernels that are held out: for work on Poly
    #[arg(long)]
    tuning: bool,
    /// The file that the report is written to, beside a figure of the same name
    #[arg(long, default_value = "docs/benchmarks/kernels.md")]
    out: PathBuf,
    /// Print the tables without writing a report
    #[arg(long)]
    dry: bool,
}

/// Runs `cargo xtask bench kernels`.
pub(super) fn main(options: &Options) -> Result<ExitCode> {
    packages::require(Purpose::Run, &[options.llvm])?;
    let plugin = match &options.plugin {
        Some(given) => given.canonicalize()?,
        None => build::plugin(options.llvm, Profile::Release)?,
    };
    // No library has these kernels.
    let peers: Vec<Peer> = options.peers.iter().copied().filter(|&peer| peer != Peer::Openblas).collect();
    let (configurations, absent) = configuration::present(options.llvm, &options.threads, &peers)?;
    let bench = Bench { options, plugin: &plugin, configurations: &configurations };
    let mut results = Vec::new();
    for source in measure::fields(&options.fields)? {
        results.extend(bench.field(&source)?);
    }
    if results.is_empty() {
        bail!("no kernel has \"{}\" in its name", options.filter);
    }
    let report = report::Report { bench: &bench, absent: &absent, results: &results };
    println!("\n{}", report.tables());
    if !options.dry {
        for file in report.write(&workspace::root().join(&options.out))? {
            println!("{}", workspace::shown(&file));
        }
    }
    if !report.is_right() {
        bail!("a program computed something else with Poly than without");
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether a kernel is among the quarter that nobody looks at while Poly is tuned: its name decides.
fn is_held_out(name: &str) -> bool {
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    // The bits of such a hash are mixed once more.
    (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 62 == 0
}
