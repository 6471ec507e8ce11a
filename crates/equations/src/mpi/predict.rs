//! How long code for MPI would take on many ranks: a simulation of the ranks and of the network
//! between them.
//!
//! # Problem
//! Nobody has a thousand machines at hand to find out whether a thousand would be of use, and a
//! formula for the time of a pipeline of tiles is wrong as soon as tiles differ.
//!
//! # Algorithm
//! 1. The code is written as for MPI, with the same tiles, flow-out sets and sources, but with
//!    `simulation.c` in place of the runtime. It is one process, which computes every tile once, in
//!    the order of places, and measures it.
//! 2. For every number of ranks, tiles are dealt out as MPI's ranks would do it. A rank does its
//!    tiles in order; a tile begins when the rank is free and the messages with what it reads have
//!    come. A message costs sender and receiver an *overhead*, its bytes follow each other on the
//!    sender's link, and it arrives after the *latency*: the model LogGP \[Alexandrov1995\].
//!    Messages travel while ranks compute.
//! 3. The end is when rank 0 has all outputs.
//!
//! # Limits
//! Every rank is as fast as the process that measures; that ranks on one machine share caches and
//! memory is left out, and so is that messages may meet inside of the network.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use poly_presburger::Budget;
use poly_schedule_tree::ScheduleTree;

use super::{TileOptions, written};
use crate::code::compile::{Folder, arrays_of, compile_c, compile_mpi, launched, without_macros};
use crate::code::{c_name, c_type};
use crate::memory;
use crate::pieces::Pieces;
use crate::program::Role;
use crate::transform::{Refusal, stopped};

/// What messages cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    /// Seconds until a message arrives.
    pub latency: f64,
    /// Bytes in a second.
    pub bandwidth: f64,
    /// Seconds that sender and receiver have to do with a message.
    pub overhead: f64,
}

impl Default for Network {
    /// A cluster with a fast network.
    fn default() -> Self {
        Self { latency: 2e-6, bandwidth: 1e10, overhead: 5e-7 }
    }
}

/// What is to be expected of a number of ranks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// The number of ranks.
    pub ranks: usize,
    /// Seconds.
    pub seconds: f64,
    /// Messages of all ranks.
    pub messages: u64,
    /// Bytes in them.
    pub bytes: u64,
}

/// What is to be expected for values of the parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// How many tiles there are.
    pub tiles: u64,
    /// Seconds that all of them take, one after the other.
    pub work: f64,
    /// For every number of ranks.
    pub expected: Vec<Expected>,
}

/// The code of a system as a program that has a `main` function.
struct Program {
    folder: Folder,
    /// Parameters and sizes of arrays.
    words: Vec<String>,
}

impl Program {
    fn path(&self) -> PathBuf {
        self.folder.path().join("program")
    }
}

/// Simulates the code on numbers of ranks.
///
/// # Errors
/// Why the system cannot be distributed, or what kept the simulation from running.
pub fn predict(
    pieces: &Pieces,
    tree: &ScheduleTree,
    options: &TileOptions,
    params: &[i64],
    (network, ranks): (Network, &[usize]),
    budget: &mut Budget,
) -> Result<Prediction, Refusal> {
    let code = written(pieces, tree, options, (false, true), budget)?;
    let (words, main) = main_function(pieces, params, MAIN_OF_SIMULATION, "0", budget)?;
    let program = Program { folder: Folder::new()?, words };
    compile_c(
        program.folder.path(),
        &format!("{}\n{}{main}", code.source, without_macros(&code.source)),
        &program.path(),
    )?;
    let mut arguments = vec![network.latency, 1.0 / network.bandwidth, network.overhead];
    arguments.push(ranks.len() as f64);
    let mut words: Vec<String> = arguments.iter().map(f64::to_string).collect();
    words.extend(ranks.iter().map(usize::to_string));
    words.extend(program.words.iter().cloned());
    let answer = crate::code::compile::said(&program.path(), &words)?;
    read(&answer).ok_or_else(|| format!("the simulation says `{answer}`"))
}

/// The least and the greatest length of tiles that is tried.
const LENGTHS: std::ops::RangeInclusive<u32> = 3..=10;

/// Lengths of tiles for a number of ranks: powers of two, with the least predicted time.
///
/// The handbook's model of a pipeline of tiles has one kind of tile, and a closed form for its
/// time: what ranks wait for at first, and then the work and the messages of every tile. The
/// simulation counts the same for tiles as they are. First all lengths are equal; then each is
/// doubled and halved as long as that helps.
///
/// # Errors
/// Why the system cannot be distributed, or what kept the simulation from running.
pub fn lengths(
    pieces: &Pieces,
    order: &dyn Fn(&TileOptions, &mut Budget) -> Result<ScheduleTree, Refusal>,
    grid: usize,
    params: &[i64],
    (network, ranks): (Network, usize),
    budget: &mut Budget,
) -> Result<Vec<i64>, Refusal> {
    let mut known: BTreeMap<Vec<u32>, f64> = BTreeMap::new();
    let mut members = 1;
    let mut seconds = |lengths: &[u32], members: &mut usize, budget: &mut Budget| -> Result<f64, Refusal> {
        if let Some(&seconds) = known.get(lengths) {
            return Ok(seconds);
        }
        let options = TileOptions { sizes: lengths.iter().map(|&k| 1i64 << k).collect(), grid };
        let tree = order(&options, budget)?;
        let blocks = super::blocks::Blocks::new(pieces, &tree, &options, budget)?;
        *members = blocks.all.iter().map(super::blocks::Block::cut).max().unwrap_or(1);
        let found = predict(pieces, &tree, &options, params, (network, &[ranks]), budget)?;
        let seconds = found.expected.first().map_or(f64::INFINITY, |expected| expected.seconds);
        known.insert(lengths.to_vec(), seconds);
        Ok(seconds)
    };
    let mut best = vec![*LENGTHS.start()];
    let mut least = f64::INFINITY;
    for k in LENGTHS {
        let found = seconds(&[k], &mut members, budget)?;
        if found < least {
            (best, least) = (vec![k], found);
        }
    }
    best.resize(members.max(1), best[0]);
    // Both are the same tiles, with one time.
    let mut member = 0;
    while members > 1 && member < members {
        let mut moved = false;
        for step in [1i32, -1] {
            let mut next = best.clone();
            let Some(k) = next[member].checked_add_signed(step).filter(|k| LENGTHS.contains(k)) else { continue };
            next[member] = k;
            let found = seconds(&next, &mut members, budget)?;
            if found < least {
                (best, least, moved) = (next, found, true);
                break;
            }
        }
        member += usize::from(!moved);
    }
    Ok(best.iter().map(|&k| 1i64 << k).collect())
}

fn read(answer: &str) -> Option<Prediction> {
    let mut lines = answer.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let [tiles, work] = lines.next()?[..] else { return None };
    let expected = |line: Vec<&str>| {
        let [ranks, seconds, messages, bytes] = line[..] else { return None };
        Some(Expected {
            ranks: ranks.parse().ok()?,
            seconds: seconds.parse().ok()?,
            messages: messages.parse().ok()?,
            bytes: bytes.parse().ok()?,
        })
    };
    let (tiles, work) = (tiles.parse().ok()?, work.parse().ok()?);
    Some(Prediction { tiles, work, expected: lines.map(expected).collect::<Option<_>>()? })
}

/// Seconds that the code takes on numbers of ranks of this machine.
///
/// # Errors
/// Why the system cannot be distributed, or what kept it from being run.
pub fn measure(
    pieces: &Pieces,
    tree: &ScheduleTree,
    options: &TileOptions,
    params: &[i64],
    ranks: &[usize],
    budget: &mut Budget,
) -> Result<Vec<f64>, Refusal> {
    let code = written(pieces, tree, options, (false, false), budget)?;
    let (words, main) = main_function(pieces, params, MAIN_OF_MPI, "MPI_COMM_WORLD", budget)?;
    let program = Program { folder: Folder::new()?, words };
    let folder: &Path = program.folder.path();
    let header = folder.join(format!("{}_mpi.h", c_name(&pieces.system.name)));
    std::fs::write(&header, &code.header).map_err(|error| format!("{}: {error}", header.display()))?;
    compile_mpi(folder, &format!("{}\n{}{main}", code.source, without_macros(&code.source)), &program.path(), &[])?;
    let mut found = Vec::new();
    for &ranks in ranks {
        let answer = launched(folder, &program.path(), ranks, &program.words)?;
        found.push(answer.trim().parse().map_err(|_| format!("the program says `{answer}`"))?);
    }
    Ok(found)
}

const MAIN_OF_SIMULATION: [&str; 2] = [
    "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {\n  char **word = argv + 1;\n\
     \x20 if (argc < 5) return 5;\n  poly_latency = atof(*word++);\n  poly_byte = atof(*word++);\n\
     \x20 poly_overhead = atof(*word++);\n  poly_rank_counts = atoi(*word++);\n\
     \x20 poly_ranks = malloc(((size_t)poly_rank_counts + 1) * sizeof *poly_ranks);\n\
     \x20 for (int k = 0; k < poly_rank_counts; k++) poly_ranks[k] = atoi(*word++);\n",
    "  return CALL;\n}\n",
];

const MAIN_OF_MPI: [&str; 2] = [
    "#include <stdio.h>\nint main(int argc, char **argv) {\n  MPI_Init(&argc, &argv);\n  char **word = argv + 1;\n\
     \x20 int me_;\n  MPI_Comm_rank(MPI_COMM_WORLD, &me_);\n",
    "  MPI_Barrier(MPI_COMM_WORLD);\n  double time_ = MPI_Wtime(), all_ = 0;\n  if (CALL) return 4;\n\
     \x20 time_ = MPI_Wtime() - time_;\n  MPI_Reduce(&time_, &all_, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);\n\
     \x20 if (me_ == 0) printf(\"%.9g\\n\", all_);\n  return MPI_Finalize();\n}\n",
];

/// The arguments of a `main` function, and its text: it takes parameters and the sizes of arrays,
/// fills inputs, and calls the code.
fn main_function(
    pieces: &Pieces,
    params: &[i64],
    [head, tail]: [&str; 2],
    comm: &str,
    budget: &mut Budget,
) -> Result<(Vec<String>, String), Refusal> {
    let storage = memory::full(&pieces.system, budget).map_err(stopped)?;
    let mut words: Vec<String> = params.iter().map(i64::to_string).collect();
    let mut text = head.to_owned();
    let mut arguments = vec![comm.to_owned()];
    for k in 0..params.len() {
        text.push_str(&format!("  const int64_t p{k}_ = atoll(*word++);\n"));
        arguments.push(format!("p{k}_"));
    }
    for role in [Role::In, Role::Out] {
        for (k, (variable, count)) in arrays_of(pieces, &storage, role, params).into_iter().enumerate() {
            let (kind, name) = (c_type(variable.scalar), format!("{}{k}_", role.word()));
            words.push(count.to_string());
            text.push_str(&format!(
                "  const size_t {name}n = strtoull(*word++, NULL, 10);\n  {kind} *{name} = calloc({name}n + 1, sizeof *{name});\n  if (!{name}) return 6;\n"
            ));
            if role == Role::In {
                // Nothing that is zero, infinite or subnormal, which would cost other times.
                let value = if variable.scalar.is_float() { "1 + 0.125 * (double)(k % 7)" } else { "k % 7 + 1" };
                text.push_str(&format!("  for (size_t k = 0; k < {name}n; k++) {name}[k] = ({kind})({value});\n"));
            }
            arguments.push(name);
        }
    }
    let call = format!("{}_mpi({})", c_name(&pieces.system.name), arguments.join(", "));
    text.push_str(&tail.replace("CALL", &call));
    Ok((words, text))
}
