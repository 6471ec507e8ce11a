//! What is known of a nest, and what to do with its next execution.
//!
//! # Keys
//! Executions with the same numbers of iterations and threads and the same scalars have one key. A
//! key knows how often the nest was executed and how long the original took. Addresses are not part
//! of it: a schedule stays right when vectors move, as long as those that depend on each other move
//! together and the others stay apart ([`Entry::fits`]).
//!
//! # When is inspected
//! 1. The first [`PATIENCE`] executions are the original: an inspection takes about as long as that
//!    many. Executions shorter than [`SHORT`] are not worth a thread.
//! 2. If the inspection finds no parallelism, or there is no memory, or the schedule is slower than
//!    the original, it is only looked at again after [`AGAIN`] times as many executions as so far.
//! 3. If index arrays have changed, the original order is executed, and the schedule is forgotten.
//!    After each inspection it takes twice as many executions until the next one.
//!
//! # When is compared
//! All threads compare index arrays with the copies at each execution, first those that decide how
//! long others are ([`Site::stage`]), unless the program says that they are what they were at an
//! earlier one, and those have been compared ([`Call`]).

use core::mem::size_of;
use core::slice;
use core::sync::atomic::{AtomicU64, Ordering};

use crate::dependences::Recorder;
use crate::interface::{Call, FLAG_FORCE, Nest, ROLE_SCALAR, Run, Site, SiteKind, State, count};
use crate::memory::{Buffer, Exhausted, Fallible};
use crate::pattern::Pattern;
use crate::records::{Consumer, FindWritten, MAX_SITES, NEXT_ITERATION, Written, bases_and_sizes, parts, tell};
use crate::schedule::{Schedule, Threads, best};
use crate::{assign, system, wait};

/// Executions before the first inspection.
const PATIENCE: u64 = 32;

/// Nanoseconds below which an execution is too short for threads: starting and joining them takes
/// some microseconds, and two threads save half of an execution at most.
const SHORT: u64 = 20_000;

/// After how many times as many executions as so far a nest that was given up is looked at again:
/// what is lost by looking stays below a few percent, as an inspection takes about [`PATIENCE`]
/// executions.
const AGAIN: u64 = 32;

/// After so many executions each time, their mean is compared with that of the original: one alone
/// may be slow because of other programs.
const TRIAL: u64 = 8;

/// Fewer iterations are not looked at: a wait for another thread takes as long as some of them.
pub const FEW: u64 = 32;

/// Estimated cycles of a jump in the original order where a thread has all data in a cache of its
/// own: about the latency of second caches. Only what is more than that depends on the processor
/// ([`Nest::wait`]).
const NEAR_JUMP: u32 = 16;

/// Keys of a nest.
const KEYS: usize = 8;

/// Schedules of a nest.
const ENTRIES: usize = 4;

/// The number of the next entry of any nest.
static NUMBER: AtomicU64 = AtomicU64::new(1);

/// Words between counters that different threads write.
const APART: usize = 8;

/// What to do with an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The original loop.
    Original,
    /// The original loop, and measure it.
    Measure,
    /// The schedule.
    Run,
}

/// Executions of the same size.
#[derive(Clone, Copy, Debug, Default)]
struct Key {
    hash: u64,
    executions: u64,
    /// Inspected when there were so many executions.
    inspect_at: u64,
    /// Inspections so far.
    inspections: u32,
    /// How many originals were measured, the nanoseconds of all of them, and of the fastest.
    measured: u64,
    spent: u64,
    fastest: u64,
    /// When it was used last.
    used: u64,
}

/// A schedule, and for what it is right.
#[derive(Debug)]
struct Entry {
    key: u64,
    /// No other entry has had this number.
    number: u64,
    iterations: u64,
    values: Buffer<u64>,
    written: Written,
    /// Addresses that each site accesses: the first, and behind the last.
    low: Buffer<u64>,
    high: Buffer<u64>,
    pattern: Pattern,
    schedule: Schedule,
    /// For each thread, how many of its tasks are done; how many threads have compared, of all
    /// stages; the number of the stage in which one has found a difference. Each has a line of its
    /// own.
    counters: Buffer<u64>,
    executions: u64,
    /// Nanoseconds of the executions since the last trial ended.
    spent: u64,
    used: u64,
}

/// What is known of a nest.
#[derive(Debug, Default)]
struct Known {
    keys: [Key; KEYS],
    entries: [Option<Entry>; ENTRIES],
    clock: u64,
}

/// Before an execution.
///
/// # Safety
/// As for [`crate::poly_rt_enter`].
pub(crate) unsafe fn enter(call: &mut Call, nest: &Nest, values: *const u64, iterations: u64, threads: u32) -> Action {
    let is_forced = nest.flags & FLAG_FORCE != 0;
    let is_small = iterations < FEW && !is_forced;
    if is_small || iterations >= u64::from(u32::MAX) || threads < 2 {
        return Action::Original;
    }
    // SAFETY: the nest has two words for the library.
    let state = unsafe { &*nest.state };
    if state.lock.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
        return Action::Original;
    }
    // SAFETY: this thread has the lock.
    let action = match unsafe { known(state) } {
        // SAFETY: the caller's promise.
        Some(known) => unsafe { decide(known, call, nest, values, iterations, threads.min(assign::MAX_THREADS)) },
        None => Action::Original,
    };
    if action == Action::Original {
        state.lock.store(0, Ordering::Release);
        return action;
    }
    (call.nest, call.values, call.iterations) = (nest, values, iterations);
    call.action = action as u64;
    call.started = system::now();
    action
}

/// What is known of the nest.
///
/// # Safety
/// The thread has the lock.
unsafe fn known<'k>(state: *const State) -> Option<&'k mut Known> {
    // SAFETY: the nest has two words for the library.
    let place = unsafe { &(*state).known };
    let mut at = place.load(Ordering::Relaxed) as *mut Known;
    if at.is_null() {
        at = system::allocate(size_of::<Known>()).cast();
        if at.is_null() {
            return None;
        }
        // SAFETY: it is new memory of this size.
        unsafe { at.write(Known::default()) };
        place.store(at as usize, Ordering::Relaxed);
    }
    // SAFETY: it was made here, and the thread has the lock.
    Some(unsafe { &mut *at })
}

/// # Safety
/// As for [`enter`].
unsafe fn decide(
    known: &mut Known,
    call: &mut Call,
    nest: &Nest,
    values: *const u64,
    iterations: u64,
    threads: u32,
) -> Action {
    // SAFETY: the program gives so many values and their roles.
    let (values_now, roles) = unsafe {
        let count = nest.value_count as usize;
        (slice::from_raw_parts(values, count), slice::from_raw_parts(nest.roles, count))
    };
    let is_forced = nest.flags & FLAG_FORCE != 0;
    let hash = hash(values_now, roles, iterations, threads);
    known.clock += 1;
    let clock = known.clock;
    let position = key(&mut known.keys, hash, if is_forced { 0 } else { PATIENCE });
    let Some(key) = known.keys.get_mut(position) else { return Action::Original };
    key.used = clock;
    key.executions += 1;
    call.key = position;
    let fits = |entry: &Option<Entry>| {
        entry.as_ref().is_some_and(|e| e.key == hash && e.iterations == iterations && e.fits(nest, values_now, roles))
    };
    let is_compared = |entry: &Option<Entry>| fits(entry) && entry.as_ref().is_some_and(|e| e.number == call.same);
    let place = known.entries.iter().position(is_compared).or_else(|| known.entries.iter().position(fits));
    if let Some(place) = place {
        return start(&mut known.entries, place, clock, call);
    }
    if key.executions <= key.inspect_at {
        return if key.executions + PATIENCE > key.inspect_at { Action::Measure } else { Action::Original };
    }
    if !is_forced && key.fastest < SHORT {
        key.inspect_at = key.executions.saturating_mul(2);
        return Action::Measure;
    }
    count(0);
    key.inspections = (key.inspections + 1).min(30);
    let pause = if is_forced { 0 } else { PATIENCE << key.inspections };
    key.inspect_at = key.executions.saturating_add(pause);
    // SAFETY: the caller's promise.
    let made = unsafe { inspect(nest, values, values_now, (iterations, threads)) };
    match made {
        Ok(Some(entry)) => {
            let place = oldest(&known.entries);
            if let Some(free) = known.entries.get_mut(place) {
                let number = NUMBER.fetch_add(1, Ordering::Relaxed);
                *free = Some(Entry { key: hash, number, ..entry });
            }
            start(&mut known.entries, place, clock, call)
        }
        _ => {
            count(1);
            key.inspect_at = key.executions.saturating_mul(AGAIN);
            Action::Original
        }
    }
}

/// The place of a key, which is made if there is none.
fn key(keys: &mut [Key; KEYS], hash: u64, patience: u64) -> usize {
    if let Some(position) = keys.iter().position(|key| key.hash == hash && key.executions > 0) {
        return position;
    }
    let oldest = keys.iter().enumerate().min_by_key(|(_, key)| key.used).map_or(0, |(position, _)| position);
    if let Some(key) = keys.get_mut(oldest) {
        *key = Key { hash, inspect_at: patience, fastest: u64::MAX, ..Key::default() };
    }
    oldest
}

/// The place that is free, or was used least recently.
fn oldest(entries: &[Option<Entry>; ENTRIES]) -> usize {
    let used = |entry: &Option<Entry>| entry.as_ref().map_or(0, |entry| entry.used);
    entries.iter().enumerate().min_by_key(|(_, entry)| used(entry)).map_or(0, |(position, _)| position)
}

/// The schedule is going to be executed.
fn start(entries: &mut [Option<Entry>; ENTRIES], place: usize, clock: u64, call: &mut Call) -> Action {
    let Some(Some(entry)) = entries.get_mut(place) else { return Action::Original };
    entry.used = clock;
    entry.counters.fill(0);
    call.entry = place;
    if call.same != entry.number {
        call.same = 0;
    }
    Action::Run
}

/// A number for what the schedule depends on besides index arrays. Two with the same number are compared.
fn hash(values: &[u64], roles: &[u8], iterations: u64, threads: u32) -> u64 {
    let scalars = values.iter().zip(roles).filter(|(_, role)| **role == ROLE_SCALAR).map(|(value, _)| *value);
    scalars.chain([iterations, u64::from(threads)]).fold(0x9e37_79b9_7f4a_7c15, |sum: u64, word| {
        (sum ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29).wrapping_add(word)
    })
}

impl Entry {
    /// Whether the schedule is right for these values if index arrays have the same contents.
    ///
    /// Sites that access what is written, or lie between, have moved by the same distance as the
    /// writes; the others are still apart from them.
    fn fits(&self, nest: &Nest, values: &[u64], roles: &[u8]) -> bool {
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

    fn counter(&self, position: u32) -> Option<&AtomicU64> {
        let word = self.counters.get(position as usize * APART)?;
        // SAFETY: during an execution counters are only used as atomics.
        Some(unsafe { AtomicU64::from_ptr(core::ptr::from_ref(word).cast_mut()) })
    }
}

/// Reads all accesses.
struct Collect {
    bases: Buffer<u64>,
    sizes: Buffer<u64>,
    kinds: Buffer<u32>,
    low: Buffer<u64>,
    high: Buffer<u64>,
    recorder: Recorder,
}

impl Consumer for Collect {
    fn consume(&mut self, records: &[u64]) -> Fallible<()> {
        for &record in records {
            let (site, distance) = parts(record);
            if site as u64 == NEXT_ITERATION {
                self.recorder.begin()?;
                continue;
            }
            let (Some(&base), Some(&size), Some(&kind)) =
                (self.bases.get(site), self.sizes.get(site), self.kinds.get(site))
            else {
                return Err(Exhausted);
            };
            let address = base.wrapping_add(distance);
            let end = address.checked_add(size).ok_or(Exhausted)?;
            if let (Some(low), Some(high)) = (self.low.get_mut(site), self.high.get_mut(site)) {
                (*low, *high) = ((*low).min(address), (*high).max(end));
            }
            match kind {
                _ if kind == SiteKind::Write as u32 => self.recorder.write(address, size)?,
                _ if kind == SiteKind::Read as u32 => self.recorder.read(address, size)?,
                _ => self.recorder.count(),
            }
        }
        Ok(())
    }
}

/// Makes a schedule; none if it does not pay.
///
/// # Safety
/// As for [`enter`].
unsafe fn inspect(
    nest: &Nest,
    values: *const u64,
    values_now: &[u64],
    (iterations, threads): (u64, u32),
) -> Fallible<Option<Entry>> {
    // SAFETY: the program gives so many sites.
    let sites = unsafe { slice::from_raw_parts(nest.sites, nest.site_count as usize) };
    if sites.len() > MAX_SITES {
        return Ok(None);
    }
    let mut written = FindWritten::new(sites, values_now)?;
    // SAFETY: the caller's promise.
    unsafe { tell(nest, values, iterations, &mut written)? };
    let written = written.found;
    if written.low >= written.high {
        return Ok(None);
    }
    let (bases, sizes) = bases_and_sizes(sites, values_now)?;
    let mut kinds = Buffer::new();
    for site in sites {
        kinds.push(site.kind)?;
    }
    let mut all = Collect {
        bases,
        sizes,
        kinds,
        low: Buffer::filled(sites.len(), u64::MAX)?,
        high: Buffer::filled(sites.len(), 0)?,
        recorder: Recorder::new(iterations as u32, written)?,
    };
    // SAFETY: the caller's promise.
    unsafe { tell(nest, values, iterations, &mut all)? };
    let Collect { low, high, recorder, .. } = all;
    // An index array may become memory for something else, behind what has been read of it.
    let is_overwritten = sites
        .iter()
        .zip(low.iter().zip(high.iter()))
        .any(|(site, (&low, &high))| site.kind == SiteKind::Index as u32 && low < written.high && written.low < high);
    if is_overwritten {
        return Ok(None);
    }
    let dependences = recorder.finish()?;
    if u64::from(dependences.count()) != iterations {
        return Ok(None);
    }
    let bytes: u64 = low.iter().zip(high.iter()).map(|(low, high)| high.saturating_sub(*low)).sum();
    let jump = jump(bytes / 1024, nest);
    let is_forced = nest.flags & FLAG_FORCE != 0;
    let threads = Threads { count: threads, wait: nest.wait, jump, is_forced };
    let Some(schedule) = best(&dependences, threads)? else { return Ok(None) };
    drop(dependences);
    let mut pattern = Pattern::default();
    for (site, (&low, &high)) in sites.iter().zip(low.iter().zip(high.iter())) {
        if site.kind == SiteKind::Index as u32 && low < high {
            let Some(base) = values_now.get(site.base as usize) else { return Ok(None) };
            pattern.add(site.stage, u64::from(site.base), low.wrapping_sub(*base), high - low)?;
        }
    }
    // SAFETY: the inspection has read the first and the last element of each piece, which belong to one array.
    unsafe { pattern.copy(values_now)? };
    let mut copy = Buffer::new();
    for &value in values_now {
        copy.push(value)?;
    }
    let counters = Buffer::filled((schedule.thread_count() as usize + 2) * APART, 0)?;
    let (key, number, executions, spent, used) = (0, 0, 0, 0, 0);
    Ok(Some(Entry {
        key,
        number,
        iterations,
        values: copy,
        written,
        low,
        high,
        pattern,
        schedule,
        counters,
        executions,
        spent,
        used,
    }))
}

/// Estimated cycles of a jump in the original order, with data of so many kibibytes. Several
/// streams of data begin anew; what is in the cache that threads share comes from there about as
/// fast as from another thread, what is in none takes some times as long.
fn jump(kibibytes: u64, nest: &Nest) -> u32 {
    if kibibytes <= u64::from(nest.own_cache) {
        NEAR_JUMP
    } else if kibibytes <= u64::from(nest.cache) {
        nest.wait / 2
    } else {
        nest.wait.saturating_mul(2)
    }
}

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
    let own = entry.schedule.thread_count();
    let is_complete = threads == own;
    // SAFETY: the program gives so many values.
    let values = unsafe { slice::from_raw_parts(call.values, nest.value_count as usize) };
    let is_same = if call.same != 0 {
        true
    } else if is_complete {
        // SAFETY: the addresses are those of arrays of the program.
        unsafe { compare(entry, values, thread) }
    } else {
        // SAFETY: as above; what is of a stage can be read if what is of smaller ones is what it was.
        thread == 0 && entry.pattern.stages().all(|stage| unsafe { entry.pattern.is_same(values, stage, (0, 1)) })
    };
    if is_complete && is_same {
        // SAFETY: the order is a legal one.
        unsafe { execute(entry, nest, call.values, thread) };
    } else if thread == 0 {
        if !is_same && let Some(differs) = entry.counter(own + 1) {
            differs.store(1, Ordering::Relaxed);
        }
        let all = Run { first: 0, count: call.iterations as u32 };
        // SAFETY: this is the original order.
        unsafe { (nest.execute)(call.values, &raw const all, 1) };
    }
}

/// All threads together compare the index arrays with the copies, one stage after the other.
///
/// # Safety
/// The index arrays of a stage can be read if those of smaller ones are what they were.
unsafe fn compare(entry: &Entry, values: &[u64], thread: u32) -> bool {
    let threads = entry.schedule.thread_count();
    let (Some(arrived), Some(differs)) = (entry.counter(threads), entry.counter(threads + 1)) else { return false };
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

/// # Safety
/// The schedule is right.
unsafe fn execute(entry: &Entry, nest: &Nest, values: *const u64, thread: u32) {
    let Some(own) = entry.counter(thread) else { return };
    for (position, task) in entry.schedule.of(thread).iter().enumerate() {
        for wait in crate::memory::part(&entry.schedule.waits, task.first_wait, task.first_wait + task.waits) {
            if let Some(other) = entry.counter(wait.thread) {
                wait::until(other, u64::from(wait.count));
            }
        }
        let runs = crate::memory::part(&entry.schedule.runs, task.first_run, task.first_run + task.runs);
        // SAFETY: all that these iterations depend on has been executed.
        unsafe { (nest.execute)(values, runs.as_ptr(), runs.len() as u64) };
        own.store(position as u64 + 1, Ordering::Release);
    }
}

/// After an execution.
///
/// # Safety
/// As for [`crate::poly_rt_leave`].
pub(crate) unsafe fn leave(call: &mut Call) {
    let took = system::now().saturating_sub(call.started);
    // SAFETY: the caller's promise.
    let nest = unsafe { &*call.nest };
    // SAFETY: this thread has the lock.
    if let Some(known) = unsafe { known(nest.state) } {
        if call.action == Action::Run as u64 {
            executed(known, call, took, nest.flags & FLAG_FORCE != 0);
        } else if let Some(key) = known.keys.get_mut(call.key) {
            key.fastest = key.fastest.min(took);
            (key.measured, key.spent) = (key.measured + 1, key.spent.saturating_add(took));
        }
    }
    // SAFETY: as above.
    unsafe { &*nest.state }.lock.store(0, Ordering::Release);
}

/// A schedule has been executed.
fn executed(known: &mut Known, call: &mut Call, took: u64, is_forced: bool) {
    let (Some(place), Some(key)) = (known.entries.get_mut(call.entry), known.keys.get_mut(call.key)) else { return };
    let Some(entry) = place else { return };
    let differs = entry.counter(entry.schedule.thread_count() + 1).is_some_and(|c| c.load(Ordering::Relaxed) != 0);
    if differs {
        count(3);
        call.same = 0;
        *place = None;
        return;
    }
    count(2);
    call.same = entry.number;
    entry.executions += 1;
    entry.spent = entry.spent.saturating_add(took);
    // The first one brings the schedule to the caches.
    if entry.executions % TRIAL == 1 {
        let is_slower = entry.executions > 1 && entry.spent / TRIAL >= key.spent / key.measured.max(1);
        entry.spent = 0;
        if is_slower && key.measured > 0 && !is_forced {
            key.inspect_at = key.executions.saturating_mul(AGAIN);
            *place = None;
        }
    }
}

#[cfg(test)]
mod tests;
