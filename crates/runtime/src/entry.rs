//! A schedule in use: for what it is right, and its execution.
//!
//! # Execution
//! All threads compare index arrays with the copies ([`compare`]). Then thread 0 executes the
//! iterations in front of the [`Window`] in their original order, all threads those of the window
//! by the schedule, and thread 0, when the others have finished, those behind it. If anything
//! differs, or there are fewer threads than the schedule is for, thread 0 executes all iterations
//! in their original order.
//!
//! # Trial
//! While a window is tried, executions by the schedule and in the original order take turns, in
//! which thread 0 measures the window: so both are measured at the same time, with the same code,
//! and with what other programs do meanwhile.

use core::slice;
use core::sync::atomic::{AtomicU64, Ordering};

use crate::account::Window;
use crate::cache::Known;
use crate::interface::{Call, Nest, ROLE_SCALAR, Run, Site};
use crate::memory::{Buffer, part};
use crate::pattern::Pattern;
use crate::records::Written;
use crate::schedule::Schedule;
use crate::shape::Shape;
use crate::{system, wait};

/// Words between counters that different threads write.
pub(crate) const APART: usize = 8;

/// Counters besides those of threads, in this order: how many threads have compared, of all stages;
/// the number of the stage in which one has found a difference; whether what is in front of the
/// window has been executed; nanoseconds of the window, and of all iterations.
pub(crate) const COUNTERS: usize = 5;

/// A schedule, and for what it is right.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    /// No other entry has had this number.
    pub(crate) number: u64,
    pub(crate) iterations: u64,
    /// The iterations of the schedule.
    pub(crate) window: Window,
    pub(crate) values: Buffer<u64>,
    pub(crate) written: Written,
    /// Addresses that each site accesses: the first, and behind the last.
    pub(crate) low: Buffer<u64>,
    pub(crate) high: Buffer<u64>,
    pub(crate) pattern: Pattern,
    pub(crate) schedule: Schedule,
    /// The shape of its tiles.
    pub(crate) shape: Shape,
    /// For each thread, how many of its tasks are done; then [`COUNTERS`] more. Each has a line of
    /// its own.
    pub(crate) counters: Buffer<u64>,
    pub(crate) trial: Trial,
    /// This execution is one in the original order, to be measured.
    pub(crate) is_original: bool,
    pub(crate) used: u64,
}

/// Executions whose mean is looked at.
pub(crate) const RECENT: usize = 8;

/// Nanoseconds of the executions since their mean was looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Recent {
    count: u64,
    sum: u64,
    worst: u64,
}

impl Recent {
    /// Adds one; the mean if there are enough, which are forgotten. The worst one does not count:
    /// something else may have happened meanwhile.
    pub(crate) fn add(&mut self, time: u64) -> Option<u64> {
        (self.count, self.sum) = (self.count + 1, self.sum.saturating_add(time));
        self.worst = self.worst.max(time);
        if self.count < RECENT as u64 {
            return None;
        }
        let mean = (self.sum - self.worst.min(self.sum)) / (self.count - 1);
        *self = Self::default();
        Some(mean)
    }
}

/// What was measured of executions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trial {
    /// How many there were.
    pub(crate) executions: u64,
    /// The least nanoseconds of the window in the original order, and by the schedule, in the
    /// trial, and of what comes with the threads.
    pub(crate) original: u64,
    pub(crate) scheduled: u64,
    pub(crate) besides: u64,
    /// The trial is over.
    pub(crate) is_over: bool,
    /// What the window takes in the original order.
    pub(crate) without: u64,
    pub(crate) recent: Recent,
}

impl Default for Trial {
    fn default() -> Self {
        let (original, scheduled, besides) = (u64::MAX, u64::MAX, u64::MAX);
        let (executions, is_over, without, recent) = (0, false, 0, Recent::default());
        Self { executions, original, scheduled, besides, is_over, without, recent }
    }
}

impl Entry {
    /// Whether the schedule is right for these values if index arrays have the same contents.
    ///
    /// Sites that access what is written, or lie between, have moved by the same distance as the
    /// writes; the others are still apart from them.
    pub(crate) fn fits(&self, nest: &Nest, values: &[u64], roles: &[u8]) -> bool {
        let same = |(k, role): (usize, &u8)| *role != ROLE_SCALAR || values.get(k) == self.values.get(k);
        if !roles.iter().enumerate().all(same) {
            return false;
        }
        // SAFETY: the program gives so many sites.
        let sites = unsafe { slice::from_raw_parts(nest.sites, nest.site_count as usize) };
        let moved = |site: &Site| {
            let base = |values: &[u64]| values.get(site.base as usize).copied().unwrap_or(0);
            base(values).wrapping_sub(base(&self.values))
        };
        let Written { low, high, .. } = self.written;
        let mut distance = None;
        let touches = |low_of: u64, high_of: u64| low_of < high && low < high_of;
        let intervals =
            || sites.iter().zip(self.low.iter().zip(self.high.iter())).filter(|(_, (low, high))| low < high);
        for (site, (&low_of, &high_of)) in intervals() {
            if touches(low_of, high_of) && *distance.get_or_insert(moved(site)) != moved(site) {
                return false;
            }
        }
        let by = distance.unwrap_or(0);
        let (low, high) = (low.wrapping_add(by), high.wrapping_add(by));
        intervals().filter(|(_, (low, high))| !touches(**low, **high)).all(|(site, (low_of, high_of))| {
            let by = moved(site);
            low_of.wrapping_add(by) >= high || high_of.wrapping_add(by) <= low
        })
    }

    pub(crate) fn counter(&self, position: u32) -> Option<&AtomicU64> {
        let word = self.counters.get(position as usize * APART)?;
        // SAFETY: during an execution counters are only used as atomics.
        Some(unsafe { AtomicU64::from_ptr(core::ptr::from_ref(word).cast_mut()) })
    }

    /// One of the counters that are not a thread's.
    fn common(&self, number: u32) -> Option<&AtomicU64> {
        self.counter(self.schedule.thread_count() + number)
    }

    /// Some thread has found that index arrays are not what they were.
    pub(crate) fn differs(&self) -> bool {
        self.common(DIFFERS).is_some_and(|counter| counter.load(Ordering::Relaxed) != 0)
    }

    /// What the last execution of the window has taken, and that of all iterations.
    pub(crate) fn measured(&self) -> (u64, u64) {
        let of = |number: u32| self.common(number).map_or(0, |counter| counter.load(Ordering::Relaxed));
        (of(WINDOW), of(ITERATIONS))
    }

    /// A schedule for more iterations may follow.
    pub(crate) fn may_grow(&self) -> bool {
        self.trial.is_over && !self.is_complete()
    }

    /// The schedule is for all iterations.
    pub(crate) fn is_complete(&self) -> bool {
        self.window.len() == self.iterations
    }
}

const ARRIVED: u32 = 0;
const DIFFERS: u32 = 1;
const BEGUN: u32 = 2;
const WINDOW: u32 = 3;
const ITERATIONS: u32 = 4;

/// A thread's part of an execution.
///
/// # Safety
/// As for [`crate::poly_rt_run`].
pub(crate) unsafe fn run(call: &Call, thread: u32, threads: u32) {
    // SAFETY: the caller's promise; the nest is locked until the execution ends.
    let nest = unsafe { &*call.nest };
    // SAFETY: as above; all threads only read.
    let known = unsafe { &*((*nest.state).known.load(Ordering::Relaxed) as *const Known) };
    let Some(Some(entry)) = known.entries.get(call.entry) else { return };
    let is_complete = threads == entry.schedule.thread_count();
    // SAFETY: the program gives so many values.
    let values = unsafe { slice::from_raw_parts(call.values, nest.value_count as usize) };
    let is_same = if call.same != 0 || entry.is_original {
        true
    } else if is_complete {
        // SAFETY: the addresses are those of arrays of the program.
        unsafe { compare(entry, values, thread) }
    } else {
        // SAFETY: as above; what is of a stage can be read if what is of smaller ones is what it
        // was.
        thread == 0 && entry.pattern.stages().all(|stage| unsafe { entry.pattern.is_same(values, stage, (0, 1)) })
    };
    if !is_same
        && thread == 0
        && let Some(differs) = entry.common(DIFFERS)
    {
        differs.store(1, Ordering::Relaxed);
    }
    let work = Work { entry, nest, values: call.values, iterations: call.iterations };
    // SAFETY: the order is a legal one.
    unsafe {
        match (is_complete && is_same && !entry.is_original, thread) {
            (true, 0) => work.lead(),
            (true, _) => work.follow(thread),
            (false, 0) => work.original(),
            (false, _) => {}
        }
    }
}

/// What the threads of an execution do.
struct Work<'e> {
    entry: &'e Entry,
    nest: &'e Nest,
    values: *const u64,
    iterations: u64,
}

impl Work<'_> {
    /// Executes iterations in their original order.
    ///
    /// # Safety
    /// All before them have been executed, and nothing else is being executed.
    unsafe fn in_order(&self, first: u64, end: u64) {
        if first < end {
            let run = Run { first: first as u32, count: (end - first) as u32 };
            // SAFETY: the caller's promise.
            unsafe { (self.nest.execute)(self.values, &raw const run, 1) };
        }
    }

    /// Thread 0: what is around the window, and its part of that.
    ///
    /// # Safety
    /// The schedule is right.
    unsafe fn lead(&self) {
        let window = self.entry.window;
        let started = system::now();
        // SAFETY: nobody else begins before.
        unsafe { self.in_order(0, window.first) };
        let begun = if window.first > 0 { system::now() } else { started };
        if let Some(counter) = self.entry.common(BEGUN) {
            counter.store(1, Ordering::Release);
        }
        // SAFETY: the caller's promise.
        unsafe { self.scheduled(0) };
        if !self.entry.is_complete() {
            for thread in 1..self.entry.schedule.thread_count() {
                if let Some(counter) = self.entry.counter(thread) {
                    wait::until(counter, self.entry.schedule.of(thread).len() as u64);
                }
            }
        }
        let ended = system::now();
        // SAFETY: all threads have finished, or there is nothing left.
        unsafe { self.in_order(window.end, self.iterations) };
        self.measured(started, begun, ended);
    }

    /// Another thread.
    ///
    /// # Safety
    /// As for `lead`.
    unsafe fn follow(&self, thread: u32) {
        if self.entry.window.first > 0
            && let Some(counter) = self.entry.common(BEGUN)
        {
            wait::until(counter, 1);
        }
        // SAFETY: the caller's promise.
        unsafe { self.scheduled(thread) };
    }

    /// Everything in its original order.
    ///
    /// # Safety
    /// Nothing else is being executed.
    unsafe fn original(&self) {
        let window = self.entry.window;
        let started = system::now();
        // SAFETY: this is the original order.
        unsafe { self.in_order(0, window.first) };
        let begun = system::now();
        // SAFETY: as above.
        unsafe { self.in_order(window.first, window.end) };
        let ended = system::now();
        // SAFETY: as above.
        unsafe { self.in_order(window.end, self.iterations) };
        self.measured(started, begun, ended);
    }

    /// Keeps times: when everything, and the window, have begun, and when the window has ended.
    fn measured(&self, started: u64, begun: u64, ended: u64) {
        let now = if self.entry.is_complete() { ended } else { system::now() };
        for (number, time) in [(WINDOW, ended.saturating_sub(begun)), (ITERATIONS, now.saturating_sub(started))] {
            if let Some(counter) = self.entry.common(number) {
                counter.store(time, Ordering::Relaxed);
            }
        }
    }

    /// The tasks of a thread.
    ///
    /// # Safety
    /// The schedule is right, and what is in front of the window has been executed.
    unsafe fn scheduled(&self, thread: u32) {
        let Some(own) = self.entry.counter(thread) else { return };
        let schedule = &self.entry.schedule;
        for (position, task) in schedule.of(thread).iter().enumerate() {
            for wait in part(&schedule.waits, task.first_wait, task.first_wait + task.waits) {
                if let Some(other) = self.entry.counter(wait.thread) {
                    wait::until(other, u64::from(wait.count));
                }
            }
            let runs = part(&schedule.runs, task.first_run, task.first_run + task.runs);
            // SAFETY: all that these iterations depend on has been executed.
            unsafe { (self.nest.execute)(self.values, runs.as_ptr(), runs.len() as u64) };
            own.store(position as u64 + 1, Ordering::Release);
        }
    }
}

/// All threads together compare the index arrays with the copies, one stage after the other.
///
/// # Safety
/// The index arrays of a stage can be read if those of smaller ones are what they were.
unsafe fn compare(entry: &Entry, values: &[u64], thread: u32) -> bool {
    let threads = entry.schedule.thread_count();
    let (Some(arrived), Some(differs)) = (entry.common(ARRIVED), entry.common(DIFFERS)) else { return false };
    for (done, stage) in (1..).zip(entry.pattern.stages()) {
        // SAFETY: the caller's promise.
        if !unsafe { entry.pattern.is_same(values, stage, (thread, threads)) } {
            differs.store(done, Ordering::Relaxed);
        }
        arrived.fetch_add(1, Ordering::AcqRel);
        wait::until(arrived, u64::from(threads) * done);
        // Who is faster may have found a difference in the next stage already.
        if (1..=done).contains(&differs.load(Ordering::Relaxed)) {
            return false;
        }
    }
    true
}
