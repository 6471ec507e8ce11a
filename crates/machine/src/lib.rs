//! What Poly knows of processors.
//!
//! # Problem
//! The cost model, the choice of tiles and code generation need numbers about the processor: how
//! large its caches are, how many operations start per cycle, how long a thread takes to start. All
//! of them are in [`Machine`], and nowhere else.
//!
//! # Where they come from
//! 1. [`Processor`]: a table of common processors, each number with its source.
//! 2. [`Target`]: what the function that is compiled says: its `target-cpu` picks the processor,
//!    its features say which vectors there are.
//! 3. [`Override`]: a file, or the name of a processor, that the user gives. Then the function is
//!    not asked.
//!
//! A machine is plain data. It is written as text, one line for each number, and such a text can be
//! read back ([`Machine::read`]); `poly-machine`, a program, measures the processor that it runs on
//! and writes one.
//!
//! Cycles are those of the core, at the clock that it has under load. Numbers about vectors are
//! those of the widest ones, if nothing else is said.
#![forbid(unsafe_code)]

mod fields;
mod model;
mod processors;
mod target;
mod text;

pub use model::{Cache, Code, Core, Divider, Latency, Machine, Memory, Pages, Prefetch, Threads, Vectors};
pub use processors::{PROCESSORS, Processor};
pub use target::{Override, Target};
pub use text::Wrong;
