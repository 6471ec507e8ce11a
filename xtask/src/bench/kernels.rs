//! `cargo xtask bench kernels`: the kernels of `test/fields`, written as people write them, with
//! Poly and other compilers.
//!
//! 1. Each file of `test/fields` holds the kernels of one field. It is compiled in every
//!    configuration ([`configuration`]).
//! 2. Its kernels run one after the other, each in all configurations in turn, several rounds
//!    ([`measure`]); the hash of all results must be that of clang's program, bit for bit.
//! 3. The report ([`report`]) has geometric means for each field and a line for each kernel.
//!
//! A quarter of the kernels is held out ([`is_held_out`]): nobody looks at them while Poly is
//! tuned, and the report says how they differ from the others.

pub(super) mod measure;
mod report;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};

use super::polybench::configuration::{self, Configuration, Peer};
use crate::build::{self, Profile};
use crate::llvm::Llvm;
use crate::packages::{self, Purpose};
use crate::workspace;
use measure::{Bench, Measured, Outcome};

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

/// What [`pairs`] are measured with.
#[derive(Debug)]
pub(super) struct Pairs<'a> {
    pub(super) llvm: Llvm,
    pub(super) plugin: &'a Path,
    pub(super) march: &'a str,
    pub(super) poly_options: &'a str,
    /// Of Poly's programs.
    pub(super) threads: u32,
    pub(super) filter: &'a str,
    pub(super) rounds: u32,
}

/// A kernel of a file, compiled by clang alone and with Poly.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) name: String,
    /// The least times in seconds; none if a program failed.
    pub(super) seconds: [Option<f64>; 2],
    /// Both have computed the same bits.
    pub(super) is_same: bool,
}

/// Measures the kernels of a file with Poly beside those of clang on one thread, in turn.
pub(super) fn pairs(of: &Pairs<'_>, source: &Path) -> Result<Vec<Pair>> {
    let options = Options {
        llvm: of.llvm,
        march: of.march.to_owned(),
        fields: Vec::new(),
        filter: of.filter.to_owned(),
        threads: vec![of.threads],
        peers: vec![Peer::Clang],
        rounds: of.rounds,
        plugin: None,
        poly_options: of.poly_options.to_owned(),
        tuning: false,
        out: PathBuf::new(),
        dry: true,
    };
    let configurations =
        [Configuration { peer: Peer::Clang, threads: 1 }, Configuration { peer: Peer::Poly, threads: of.threads }];
    let bench = Bench { options: &options, plugin: of.plugin, configurations: &configurations };
    let pair = |measured: Measured| {
        let [clang, poly] = [0, 1].map(|place| measured.outcomes.get(place));
        let seconds = [clang, poly].map(|outcome| outcome.and_then(Outcome::seconds));
        let [one, other] = [clang, poly].map(|outcome| outcome.and_then(Outcome::hash));
        Pair { name: measured.name, seconds, is_same: one.is_some() && one == other }
    };
    Ok(bench.field(source)?.into_iter().map(pair).collect())
}

/// Whether a kernel is among the quarter that nobody looks at while Poly is tuned: its name
/// decides.
fn is_held_out(name: &str) -> bool {
    let hash = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    // The bits of such a hash are mixed once more.
    (hash ^ (hash >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 62 == 0
}
