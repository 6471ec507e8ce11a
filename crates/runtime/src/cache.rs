//! What is known of a nest, and what to do with its next execution.
//!
//! # Keys
//! Executions with the same number of iterations and the same scalars have one key. A
//! key has an [`Account`] of what inspections have cost. Addresses are not part of it: a schedule
//! stays right when vectors move, as long as those that depend on each other move together and the
//! others stay apart ([`Entry::fits`]).
//!
//! # When is inspected
//! 1. The first executions are the original, and are measured. Executions shorter than [`SHORT`]
//!    are not worth a thread.
//! 2. When the account allows it, a window of the iterations is inspected, and executed by threads
//!    ([`crate::entry`]). If that is not faster than one thread in a trial, it is forgotten. A
//!    larger window follows, and at last the whole loop.
//! 3. If the inspection of all iterations finds no parallelism, or there is no memory, or the
//!    schedule is not faster, the nest is left alone until there were some times as many executions
//!    as so far.
//! 4. If index arrays have changed, the original order is executed, and the schedule is forgotten.
//!
//! # When is compared
//! All threads compare index arrays with the copies at each execution, first those that decide how
//! long others are ([`Site::stage`](crate::Site::stage)), unless the program says that they are
//! what they were at an earlier one, and those have been compared ([`Call`]).

use core::mem::size_of;
use core::slice;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::account::{Account, MEASURED, Window};
use crate::entry::{Entry, RECENT};
use crate::inspect::{Task, inspect};
use crate::interface::{Call, FLAG_FORCE, Nest, NumberOfThreads, ROLE_SCALAR, State, count};
use crate::shape::Shape;
use crate::{assign, system};

/// Nanoseconds below which an execution is too short for threads: starting and joining them takes
/// some microseconds, and two threads save half of an execution at most.
const SHORT: u64 = 20_000;

/// Executions of a trial. After so many executions each time, their mean is compared with that of
/// the original: one alone may be slow because of other programs.
const TRIAL: u64 = RECENT as u64;

/// A window must be so much faster than one thread in the trial, in percent.
const WORTH: u64 = 105;

/// Nanoseconds that an OpenMP library takes to get ready, if nobody has used it before: it reads
/// its environment, looks at the machine and makes threads, which are some hundreds of system
/// calls.
const START: u64 = 1_000_000;

/// An OpenMP library has been asked for threads.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Fewer iterations are not looked at: a wait for another thread takes as long as some of them.
pub const FEW: u64 = 32;

/// Keys of a nest.
const KEYS: usize = 8;

/// Schedules of a nest.
const ENTRIES: usize = 4;

/// The number of the next entry of any nest.
static NUMBER: AtomicU64 = AtomicU64::new(1);

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
    account: Account,
    /// The shape of tiles that was best for a window that was faster.
    shape: Option<Shape>,
    /// When it was used last.
    used: u64,
}

/// What is known of a nest.
#[derive(Debug, Default)]
pub(crate) struct Known {
    keys: [Key; KEYS],
    pub(crate) entries: [Option<Entry>; ENTRIES],
    clock: u64,
}

/// Before an execution.
///
/// # Safety
/// As for [`crate::poly_rt_enter`].
pub(crate) unsafe fn enter(
    call: &mut Call,
    nest: &Nest,
    values: *const u64,
    iterations: u64,
    threads: NumberOfThreads,
) -> Action {
    let is_forced = nest.flags & FLAG_FORCE != 0;
    let is_small = iterations < FEW && !is_forced;
    if is_small || iterations >= u64::from(u32::MAX) {
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
        Some(known) => unsafe { decide(known, call, nest, values, iterations, threads) },
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

/// An execution of a nest, as the program describes it.
#[derive(Clone, Copy)]
struct Asked<'n> {
    nest: &'n Nest,
    values: *const u64,
    values_now: &'n [u64],
    iterations: u64,
    threads: u32,
    hash: u64,
}

/// # Safety
/// As for [`enter`].
unsafe fn decide(
    known: &mut Known,
    call: &mut Call,
    nest: &Nest,
    values: *const u64,
    iterations: u64,
    threads: NumberOfThreads,
) -> Action {
    // SAFETY: the program gives so many values and their roles.
    let (values_now, roles) = unsafe {
        let count = nest.value_count as usize;
        (slice::from_raw_parts(values, count), slice::from_raw_parts(nest.roles, count))
    };
    let is_forced = nest.flags & FLAG_FORCE != 0;
    let hash = hash(values_now, roles, iterations);
    known.clock += 1;
    call.key = key(&mut known.keys, hash);
    let Some(key) = known.keys.get_mut(call.key) else { return Action::Original };
    key.used = known.clock;
    let account = &mut key.account;
    account.begin();
    if account.fastest() < SHORT && account.measured() >= MEASURED && !account.is_resting() && !is_forced {
        account.rest(2);
    }
    let has_entry = known.entries.iter().flatten().any(|entry| entry.key == hash);
    let extra = if ASKED.load(Ordering::Relaxed) { 0 } else { START };
    if !has_entry && !is_forced && account.next(iterations, FEW, extra).is_none() {
        return if account.is_resting() { Action::Original } else { Action::Measure };
    }
    let started = system::now();
    // SAFETY: the caller's promise.
    let threads = unsafe { threads() }.min(assign::MAX_THREADS);
    if !ASKED.swap(true, Ordering::Relaxed) {
        account.lose(system::now().saturating_sub(started));
    }
    if threads < 2 {
        // In a parallel region, for example.
        if !has_entry {
            account.rest(2);
        }
        return Action::Original;
    }
    let fits = |entry: &Option<Entry>| {
        let fits = |e: &Entry| e.key == hash && e.iterations == iterations && e.schedule.thread_count() == threads;
        entry.as_ref().is_some_and(|e| fits(e) && e.fits(nest, values_now, roles))
    };
    let is_compared = |entry: &Option<Entry>| fits(entry) && entry.as_ref().is_some_and(|e| e.number == call.same);
    let place = known.entries.iter().position(is_compared).or_else(|| known.entries.iter().position(fits));
    if place.and_then(|place| known.entries.get(place)?.as_ref()).is_some_and(|entry| !entry.may_grow()) {
        return place.map_or(Action::Original, |place| start(known, place, call));
    }
    let task = if is_forced { Some((Window::all(iterations), u64::MAX)) } else { account.next(iterations, FEW, 0) };
    let Some((window, limit)) = task else {
        return match place {
            Some(place) => start(known, place, call),
            None if account.is_resting() => Action::Original,
            None => Action::Measure,
        };
    };
    let asked = Asked { nest, values, values_now, iterations, threads, hash };
    // SAFETY: the caller's promise.
    unsafe { grow(known, call, asked, (window, limit), place) }
}

/// Inspects a window; what to do then. The schedule for a smaller one, if there is one, makes room.
///
/// # Safety
/// As for [`enter`].
unsafe fn grow(
    known: &mut Known,
    call: &mut Call,
    asked: Asked<'_>,
    (window, limit): (Window, u64),
    place: Option<usize>,
) -> Action {
    let Asked { nest, values, values_now, iterations, threads, hash } = asked;
    let Some(key) = known.keys.get_mut(call.key) else { return Action::Original };
    let (account, shape) = (&mut key.account, key.shape);
    count(0);
    let started = system::now();
    let until = started.saturating_add(limit);
    let takes = account.takes(window, iterations);
    let task = Task { iterations, window, threads, shape, takes, until };
    // SAFETY: the caller's promise.
    let made = unsafe { inspect(nest, values, values_now, task) };
    let ended = system::now();
    let is_late = made.is_err() && ended > until;
    account.inspected(window, iterations, ended.saturating_sub(started), !is_late);
    match (made, place) {
        (Ok(Some(entry)), _) => {
            let place = place.unwrap_or_else(|| oldest(&known.entries));
            if let Some(free) = known.entries.get_mut(place) {
                let number = NUMBER.fetch_add(1, Ordering::Relaxed);
                *free = Some(Entry { key: hash, number, ..entry });
            }
            start(known, place, call)
        }
        // What there is goes on.
        (Err(_), Some(place)) if is_late => start(known, place, call),
        _ => {
            count(1);
            if !is_late {
                account.give_up(window.len() == iterations);
                key.shape = None;
            }
            if let Some(entry) = place.and_then(|place| known.entries.get_mut(place)) {
                *entry = None;
            }
            Action::Original
        }
    }
}

/// The place of a key, which is made if there is none.
fn key(keys: &mut [Key; KEYS], hash: u64) -> usize {
    if let Some(position) = keys.iter().position(|key| key.hash == hash && key.account.executions() > 0) {
        return position;
    }
    let oldest = keys.iter().enumerate().min_by_key(|(_, key)| key.used).map_or(0, |(position, _)| position);
    if let Some(key) = keys.get_mut(oldest) {
        *key = Key { hash, ..Key::default() };
    }
    oldest
}

/// The place that is free, or was used least recently.
fn oldest(entries: &[Option<Entry>; ENTRIES]) -> usize {
    let used = |entry: &Option<Entry>| entry.as_ref().map_or(0, |entry| entry.used);
    entries.iter().enumerate().min_by_key(|(_, entry)| used(entry)).map_or(0, |(position, _)| position)
}

/// The schedule is going to be executed.
fn start(known: &mut Known, place: usize, call: &mut Call) -> Action {
    let Some(Some(entry)) = known.entries.get_mut(place) else { return Action::Original };
    entry.used = known.clock;
    entry.counters.fill(0);
    // In a trial, both take turns.
    entry.is_original = !entry.trial.is_over && !entry.is_complete() && entry.trial.executions.is_multiple_of(2);
    call.entry = place;
    if call.same != entry.number {
        call.same = 0;
    }
    Action::Run
}

/// A number for what the schedule depends on besides index arrays. Two with the same number are
/// compared.
fn hash(values: &[u64], roles: &[u8], iterations: u64) -> u64 {
    let scalars = values.iter().zip(roles).filter(|(_, role)| **role == ROLE_SCALAR).map(|(value, _)| *value);
    scalars.chain([iterations]).fold(0x9e37_79b9_7f4a_7c15, |sum: u64, word| {
        (sum ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29).wrapping_add(word)
    })
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
            key.account.measure(took);
        }
    }
    // SAFETY: as above.
    unsafe { &*nest.state }.lock.store(0, Ordering::Release);
}

/// A schedule has been executed.
fn executed(known: &mut Known, call: &mut Call, took: u64, is_forced: bool) {
    let (Some(place), Some(key)) = (known.entries.get_mut(call.entry), known.keys.get_mut(call.key)) else { return };
    let Some(entry) = place else { return };
    let account = &mut key.account;
    if entry.differs() {
        count(3);
        call.same = 0;
        *place = None;
        account.executed(account.fastest().min(took), took);
        return;
    }
    count(2);
    if !entry.is_original {
        call.same = entry.number;
    }
    let keeps = match (is_forced, entry.is_complete()) {
        (true, _) => true,
        (false, true) => complete_executed(entry, account, took),
        (false, false) => window_executed(entry, account, took),
    };
    if entry.trial.is_over {
        key.shape = Some(entry.shape);
    }
    if !keeps {
        *place = None;
    }
}

/// A schedule for all iterations has been executed; whether it is kept.
fn complete_executed(entry: &mut Entry, account: &mut Account, took: u64) -> bool {
    let trial = &mut entry.trial;
    trial.executions += 1;
    // The first one brings the schedule to the caches.
    if trial.executions == 1 {
        account.executed(account.fastest(), took.min(account.fastest().saturating_mul(2)));
        return true;
    }
    let Some(mean) = trial.recent.add(took) else { return true };
    account.executed(account.fastest().saturating_mul(TRIAL), mean.saturating_mul(TRIAL));
    let is_faster = mean < account.mean();
    if !is_faster {
        account.give_up(true);
    }
    is_faster
}

/// A schedule for a window has been executed, or the original in its place; whether it is kept.
fn window_executed(entry: &mut Entry, account: &mut Account, took: u64) -> bool {
    let (window, all) = entry.measured();
    // Starting and joining threads, and comparing.
    let besides = took.saturating_sub(all);
    let trial = &mut entry.trial;
    trial.executions += 1;
    if trial.is_over {
        let Some(mean) = trial.recent.add(window.saturating_add(besides)) else { return true };
        account.executed(trial.without.saturating_mul(TRIAL), mean.saturating_mul(TRIAL));
        return mean < trial.without;
    }
    account.lose(besides.min(account.fastest()));
    if entry.is_original {
        trial.original = trial.original.min(window);
    } else {
        trial.scheduled = trial.scheduled.min(window);
        trial.besides = trial.besides.min(besides);
        account.executed(trial.original, window.min(trial.original.saturating_mul(2)));
    }
    trial.executions < TRIAL || end_trial(entry, account)
}

/// Whether a window is executed by threads from now on. The next one will be larger if this one was
/// faster, whether starting threads for so small a part pays or not.
fn end_trial(entry: &mut Entry, account: &mut Account) -> bool {
    let trial = &mut entry.trial;
    if trial.scheduled.saturating_mul(WORTH) >= trial.original.saturating_mul(100) {
        account.give_up(false);
        return false;
    }
    account.advance();
    trial.is_over = true;
    trial.without = trial.original;
    trial.scheduled.saturating_add(trial.besides) < trial.original
}

#[cfg(test)]
mod tests;
