//! What the program and the library call of each other.
//!
//! The program calls the nest with
//!
//! ```text
//!   if (poly_rt_enter != null) switch (poly_rt_enter(&call, &nest, values, iterations, &threads)) {
//!     case 0: the original loop;
//!     case 1: the original loop; poly_rt_leave(&call);
//!     case 2: on all threads of a parallel region: poly_rt_run(&call, thread, threads); then poly_rt_leave(&call);
//!   }
//! ```
//!
//! `threads` is a function that says how many threads a parallel region would have: asking for it
//! may be what the OpenMP library gets ready for.
//!
//! The symbols are weak in the program, so that it is complete without the library.

use core::mem::offset_of;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::cache::{self, Action};
use crate::entry;
use crate::records::{Bounds, Sink};

pub use crate::schedule::Run;

/// What a site does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum SiteKind {
    /// Reads memory that the nest may write.
    Read = 0,
    /// Writes memory.
    Write = 1,
    /// Reads an index array, which the nest does not write.
    Index = 2,
    /// The same, always and at a place that no index array decides about; the next iteration gets
    /// what was read.
    Handed = 3,
}

/// A load or store of the source that is told.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Site {
    /// The number of the value from which distances are counted; [`NO_BASE`] stands for address 0.
    pub base: u32,
    /// Bytes that are accessed.
    pub size: u32,
    /// A number of [`SiteKind`].
    pub kind: u32,
    /// Of an index array: whether and where it is read depends on index arrays of smaller stages
    /// only.
    pub stage: u32,
}

/// No number of a value.
pub const NO_BASE: u32 = u32::MAX;

impl Site {
    /// It reads an index array at an address that is itself loaded: there are records of it, with
    /// the address in place of a distance. What lies between such addresses is not known.
    pub(crate) fn is_scattered(&self) -> bool {
        self.is_index() && self.base == NO_BASE
    }

    /// It reads an index array.
    pub(crate) fn is_index(&self) -> bool {
        self.kind == SiteKind::Index as u32 || self.kind == SiteKind::Handed as u32
    }
}

/// What is told depends on the value. (Roles with other numbers: addresses are counted from the
/// value, and nothing else is done with it; or it does not matter at all.)
pub const ROLE_SCALAR: u8 = 1;

/// The nest is inspected at once, whether that pays or not.
pub const FLAG_FORCE: u32 = 1;

/// The answer of [`poly_rt_enter`]: the original loop, and [`poly_rt_leave`].
pub const MEASURE: u32 = 1;

/// The answer of [`poly_rt_enter`]: [`poly_rt_run`] on all threads, and [`poly_rt_leave`].
pub const RUN: u32 = 2;

/// How many threads a parallel region would have.
pub type NumberOfThreads = unsafe extern "C" fn() -> u32;

/// A loop nest.
#[repr(C)]
#[derive(Debug)]
pub struct Nest {
    /// Tells what the iterations from the second argument up to the third access.
    pub inspect: unsafe extern "C" fn(*const u64, u64, u64, *mut Sink),
    /// Tells between which addresses these iterations write, of sites that write.
    pub written: unsafe extern "C" fn(*const u64, u64, u64, *mut Bounds),
    /// Executes so many runs of iterations.
    pub execute: unsafe extern "C" fn(*const u64, *const Run, u64),
    /// Sites.
    pub sites: *const Site,
    /// Roles of the values.
    pub roles: *const u8,
    /// Two words, 0 at first: a lock, and what the library knows of the nest.
    pub state: *mut State,
    /// Number of sites.
    pub site_count: u32,
    /// Number of values.
    pub value_count: u32,
    /// Cycles until a thread has seen what another one has written.
    pub wait: u32,
    /// Cycles of a microsecond.
    pub clock: u32,
    /// Cycles that an addition takes.
    pub addition: u32,
    /// Kibibytes of the largest cache that a thread has for itself.
    pub own_cache: u32,
    /// Kibibytes of the largest cache.
    pub cache: u32,
    /// Flags.
    pub flags: u32,
}

/// What the library keeps of a nest.
#[repr(C)]
#[derive(Debug)]
pub struct State {
    pub(crate) lock: AtomicU64,
    pub(crate) known: AtomicUsize,
}

/// An execution of a nest; the program gives memory for it, and nothing else.
#[repr(C)]
#[derive(Debug)]
pub struct Call {
    pub(crate) nest: *const Nest,
    pub(crate) values: *const u64,
    pub(crate) iterations: u64,
    pub(crate) entry: usize,
    pub(crate) key: usize,
    pub(crate) started: u64,
    pub(crate) action: u64,
    /// The program sets this to 0 before the first execution with this call, and keeps it as long
    /// as index arrays, and the values that they and scalars are reached by, are what they were:
    /// then it is the number of the schedule for which they have been compared.
    pub(crate) same: u64,
}

/// Bytes of a [`Call`].
pub const CALL_BYTES: usize = size_of::<Call>();

/// The word of a [`Call`], counted from 0, that says that index arrays are what they were.
pub const SAME_WORD: usize = offset_of!(Call, same) / size_of::<u64>();

/// How often what was done, in this order: inspections, inspections after which the original runs,
/// executions in parallel, executions that found another pattern.
pub(crate) static COUNTS: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];

/// Counts an event.
pub(crate) fn count(event: usize) {
    if let Some(counter) = COUNTS.get(event) {
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

/// What to do with the nest, before it is executed: see [`crate::interface`].
///
/// # Safety
/// `call` is memory for a [`Call`] of which the last word was written, and which is not used before
/// [`poly_rt_leave`]; nest and values are as their types say.
#[cfg_attr(any(feature = "library", test), unsafe(no_mangle))]
pub unsafe extern "C" fn poly_rt_enter(
    call: *mut Call,
    nest: *const Nest,
    values: *const u64,
    iterations: u64,
    threads: NumberOfThreads,
) -> u32 {
    // SAFETY: the caller's promise.
    let action = unsafe { cache::enter(&mut *call, &*nest, values, iterations, threads) };
    match action {
        Action::Original => 0,
        Action::Measure => MEASURE,
        Action::Run => RUN,
    }
}

/// Executes a part of the nest: to be called once by each thread.
///
/// # Safety
/// [`poly_rt_enter`] has answered 2.
#[cfg_attr(any(feature = "library", test), unsafe(no_mangle))]
pub unsafe extern "C" fn poly_rt_run(call: *const Call, thread: u32, threads: u32) {
    // SAFETY: the caller's promise.
    unsafe { entry::run(&*call, thread, threads) }
}

/// The nest has been executed.
///
/// # Safety
/// [`poly_rt_enter`] has answered 1 or 2.
#[cfg_attr(any(feature = "library", test), unsafe(no_mangle))]
pub unsafe extern "C" fn poly_rt_leave(call: *mut Call) {
    // SAFETY: the caller's promise.
    unsafe { cache::leave(&mut *call) }
}

/// Writes how often what was done: inspections, inspections after which the original runs,
/// executions in parallel, and executions that found that index arrays have changed.
///
/// # Safety
/// There is room for four numbers.
#[cfg_attr(any(feature = "library", test), unsafe(no_mangle))]
pub unsafe extern "C" fn poly_rt_statistics(counts: *mut u64) {
    for (k, counter) in COUNTS.iter().enumerate() {
        // SAFETY: the caller's promise.
        unsafe { counts.add(k).write(counter.load(Ordering::Relaxed)) };
    }
}
