//! What the machine is and what one of its cores can do at most.

use std::fs;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::configuration::FLAGS;
use crate::command;
use crate::llvm::Llvm;
use crate::progress::Step;
use crate::workspace;

/// The limits of one core, and its name.
#[derive(Debug, Clone)]
pub(super) struct Machine {
    /// What the processor calls itself.
    pub(super) name: String,
    /// How many cores there are.
    pub(super) cores: usize,
    /// Double precision operations per second.
    pub(super) operations: f64,
    /// Bytes per second to and from memory.
    pub(super) bytes: f64,
}

const LIMIT: Duration = Duration::from_secs(120);

/// Measures the machine with a small program.
pub(super) fn measure(llvm: Llvm, march: &str) -> Result<Machine> {
    let step = Step::begin("what one core can do at most");
    let folder = workspace::target().join("polybench");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let binary = folder.join("machine");
    let source = workspace::root().join("xtask/src/bench/polybench/machine.c");
    let mut compile = Command::new(llvm.tool("clang"));
    compile.args(FLAGS).args(["-ffp-contract=fast", "-mprefer-vector-width=512"]).arg(format!("-march={march}"));
    compile.arg(source).arg("-o").arg(&binary);
    let compiled = command::capture(&mut compile, LIMIT)?;
    if !compiled.end.success() {
        bail!("the program that measures the machine does not compile:\n{}", command::excerpt(&compiled.text(), 12));
    }
    let output = command::capture(&mut Command::new(&binary), LIMIT)?;
    let text = output.text();
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [operations, bytes] = numbers[..] else {
        bail!("the program that measures the machine printed `{}`", text.trim());
    };
    step.end(&format!("{:.1} GFLOP/s, {:.1} GB/s", operations / 1e9, bytes / 1e9));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Machine { name: processor(), cores, operations, bytes })
}

/// The name of the processor as the kernel knows it.
pub(in crate::bench) fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or_else(|| "unknown processor".to_owned(), |(_, name)| name.trim().to_owned())
}
