//! `libpoly_rt`: what programs with irregular loops call at run time.
//!
//! # Problem
//! In `for i: for k = row[i] .. row[i+1]: s -= val[k] * x[col[k]]; x[i] = s`, which iterations
//! depend on which others is in the array `col`. Iterations that do not depend on each other can
//! run on several threads, and the result stays the same in every bit: each iteration computes what
//! it computed before, from the same values. Which ones those are has to be found out when the
//! program runs (an *inspector*), and is worth it where the loop runs often with the same index
//! arrays.
//!
//! # What the program gives
//! A [`Nest`] for each loop nest: code that says which addresses an iteration accesses
//! ([`Nest::inspect`]), code that executes given iterations ([`Nest::execute`]), and a table of the
//! accesses. Each time it comes to the nest it calls [`poly_rt_enter`], which says what to do
//! ([`cache`] decides that): run the original loop, or run [`poly_rt_run`] with several threads;
//! afterwards [`poly_rt_leave`], which measures.
//!
//! # Steps of an inspection
//! 1. [`records`]: the code of the program writes what every iteration accesses to a buffer.
//! 2. [`dependences`]: from that, the iterations that every iteration has to wait for.
//! 3. [`schedule`]: iterations become tasks, as large as is best ([`shape`]), tasks get threads
//!    ([`assign`]) and waits.
//!
//! # Invariants
//! - No global constructors, no threads of its own, no panics; memory comes from `malloc`, and
//!   never more than [`memory::LIMIT`]. If there is none, the original loop runs.
//! - A schedule is only used for index arrays with the contents that it was made from: they are
//!   compared with a copy each time, by all threads. If they differ, the original order is
//!   executed.
//! - A nest that is being worked on by another thread of the program runs in its original order.
//!
//! Inspectors and wavefronts: [SaltzMirchandaneyCrowley1991]; waits for other threads instead of
//! barriers: [Park2014]; wavefronts made coarser: [Zarebavani2022].
#![cfg_attr(not(test), no_std)]
#![warn(clippy::indexing_slicing, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(
    test,
    allow(
        clippy::indexing_slicing,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        reason = "a test may panic"
    )
)]

pub mod account;
pub mod assign;
pub mod cache;
pub mod dependences;
mod entry;
mod inspect;
mod interface;
mod interleave;
pub mod memory;
pub mod pattern;
pub mod records;
pub mod schedule;
pub mod shape;
mod system;
mod wait;

pub use cache::FEW;
pub use interface::{
    CALL_BYTES, Call, FLAG_FORCE, MEASURE, NO_BASE, Nest, NumberOfThreads, ROLE_SCALAR, RUN, Run, SAME_WORD, Site,
    SiteKind, poly_rt_enter, poly_rt_leave, poly_rt_run, poly_rt_statistics,
};
pub use records::{Bounds, END_OF_ITERATION};

/// Nothing here panics; if it did, the program could not go on.
#[cfg(all(feature = "library", not(test)))]
#[panic_handler]
fn panicked(_: &core::panic::PanicInfo<'_>) -> ! {
    system::abort()
}
