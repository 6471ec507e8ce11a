//! An inspection: from what the program says that iterations access to a schedule.

use core::slice;

use crate::account::Window;
use crate::dependences::Recorder;
use crate::entry::{APART, COUNTERS, Entry, Trial};
use crate::interface::{FLAG_FORCE, NO_BASE, Nest, Site, SiteKind};
use crate::memory::{Buffer, Exhausted, Fallible, at, set};
use crate::pattern::{Pattern, Scattered};
use crate::records::{Bounds, Consumer, END_OF_ITERATION, MAX_SITES, Tell, Written, parts};
use crate::schedule::{Threads, best};
use crate::shape::Shape;
use crate::system;

/// Estimated cycles of a jump in the original order where a thread has all data in a cache of its
/// own: about the latency of second caches. Only what is more than that depends on the processor
/// ([`Nest::wait`]).
const NEAR_JUMP: u32 = 16;

/// The search for the best shape takes about this part of what comes before it: a better one saves
/// less than the first one.
const SEARCH: u64 = 4;

/// What is estimated is not believed to be wrong by more than this.
const WRONG: u64 = 16;

/// Cycles of iterations as they are estimated, and as they were measured; 0 if they were not.
struct Scale {
    supposed: u64,
    measured: u64,
}

impl Scale {
    /// So many cycles of a processor in those of the estimate.
    fn of(&self, cycles: u32) -> u32 {
        let cycles = u64::from(cycles);
        let scaled = cycles.saturating_mul(self.supposed).checked_div(self.measured).unwrap_or(cycles);
        u32::try_from(scaled.max(cycles / WRONG).min(cycles * WRONG)).unwrap_or(u32::MAX)
    }
}

/// What is to be inspected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    /// Iterations of the nest.
    pub(crate) iterations: u64,
    /// Those that are inspected.
    pub(crate) window: Window,
    /// Threads of the schedule.
    pub(crate) threads: u32,
    /// What was best for a smaller window.
    pub(crate) shape: Option<Shape>,
    /// Nanoseconds that these iterations take in their original order, or 0.
    pub(crate) takes: u64,
    /// When the inspection is abandoned, by [`crate::system::now`].
    pub(crate) until: u64,
}

/// Reads records.
struct Collect<'s> {
    sites: &'s [Site],
    start: u64,
    recorder: Recorder,
    scattered: Buffer<Scattered>,
    /// One more than the place of the last interval of each site, or 0.
    last: Buffer<u32>,
}

impl<'s> Collect<'s> {
    fn new(sites: &'s [Site], iterations: u64, written: Written, is_once: bool) -> Fallible<Self> {
        let recorder = Recorder::new(iterations as u32, written, is_once)?;
        let last = Buffer::filled(sites.len(), 0)?;
        Ok(Self { sites, start: written.start(), recorder, scattered: Buffer::new(), last })
    }

    /// A site has read an index array at an address that was loaded.
    fn scatter(&mut self, place: usize, site: &Site, address: u64) -> Fallible<()> {
        let length = u64::from(site.size);
        let last = at(&self.last, place as u32).checked_sub(1);
        if let Some(last) = last.and_then(|last| self.scattered.get_mut(last as usize))
            && last.address + last.length == address
        {
            last.length += length;
            return Ok(());
        }
        self.scattered.push(Scattered { stage: site.stage, address, length })?;
        let one_more = u32::try_from(self.scattered.len()).map_err(|_| Exhausted)?;
        set(&mut self.last, place as u32, one_more);
        Ok(())
    }
}

impl Consumer for Collect<'_> {
    fn consume(&mut self, records: &[u64]) -> Fallible<()> {
        let sites = self.sites;
        for &record in records {
            let (place, number) = parts(record);
            if place as u64 == END_OF_ITERATION {
                self.recorder.end(number)?;
                continue;
            }
            let Some(site) = sites.get(place) else { return Err(Exhausted) };
            let (address, size) = (self.start.wrapping_add(number), u64::from(site.size));
            if site.kind == SiteKind::Write as u32 {
                self.recorder.write(address, size)?;
            } else if site.kind == SiteKind::Read as u32 {
                self.recorder.read(address, size)?;
            } else {
                self.scatter(place, site, number)?;
            }
        }
        Ok(())
    }
}

/// Reads nothing.
struct Nothing;

impl Consumer for Nothing {
    fn consume(&mut self, _: &[u64]) -> Fallible<()> {
        Ok(())
    }
}

/// The bounds of sites before anything of the window is told: the iteration in front of it may hand
/// on what it reads of an index array.
///
/// # Safety
/// As for [`inspect`].
unsafe fn handed_on(program: Tell<'_>, first: u64, sites: &[Site], written: Written) -> Fallible<Buffer<Bounds>> {
    let mut bounds = Buffer::filled(sites.len(), Bounds::NONE)?;
    let is_handed = |site: &Site| site.kind == SiteKind::Handed as u32;
    if first > 0 && sites.iter().any(is_handed) {
        let before = Window { first: first - 1, end: first };
        // SAFETY: the caller's promise.
        unsafe { program.tell(before, written, &mut bounds, &mut Nothing)? };
        for (bounds, _) in bounds.iter_mut().zip(sites).filter(|(_, site)| !is_handed(site)) {
            *bounds = Bounds::NONE;
        }
    }
    Ok(bounds)
}

/// Makes a schedule; none if it does not pay.
///
/// # Safety
/// As for [`crate::poly_rt_enter`].
pub(crate) unsafe fn inspect(
    nest: &Nest,
    values: *const u64,
    values_now: &[u64],
    task: Task,
) -> Fallible<Option<Entry>> {
    let Task { iterations, window, threads, until, .. } = task;
    // SAFETY: the program gives so many sites.
    let sites = unsafe { slice::from_raw_parts(nest.sites, nest.site_count as usize) };
    if sites.len() > MAX_SITES {
        return Ok(None);
    }
    let started = system::now();
    let program = Tell { nest, values, until };
    // SAFETY: the caller's promise.
    let written = unsafe { program.written(window, sites)? };
    if written.low >= written.high {
        return Ok(None);
    }
    // SAFETY: as above.
    let before = unsafe { handed_on(program, window.first, sites, written)? };
    let mut bounds = Buffer::new();
    let mut is_once = true;
    let Collect { recorder, scattered, .. } = loop {
        bounds.shorten(0);
        bounds.extend(&before)?;
        let mut all = Collect::new(sites, window.len(), written, is_once)?;
        // SAFETY: as above.
        let told = unsafe { program.tell(window, written, &mut bounds, &mut all) };
        if told.is_err() && is_once && all.recorder.is_twice() {
            is_once = false;
            continue;
        }
        told?;
        break all;
    };
    let (mut low, mut high) = (Buffer::new(), Buffer::new());
    for (site, bounds) in sites.iter().zip(bounds.iter()) {
        let interval = bounds.interval(u64::from(site.size));
        low.push(interval.0)?;
        high.push(interval.1)?;
    }
    let intervals = || sites.iter().zip(low.iter().zip(high.iter()).map(|(&low, &high)| (low, high)));
    // Addresses of records have one byte less.
    if intervals().any(|(site, (_, high))| site.is_scattered() && high >> (u64::BITS - u8::BITS) != 0) {
        return Ok(None);
    }
    // An index array may become memory for something else, behind what has been read of it.
    let is_written = |low: u64, high: u64| low < written.high && written.low < high;
    let is_overwritten =
        intervals().any(|(site, (low, high))| site.is_index() && !site.is_scattered() && is_written(low, high));
    if is_overwritten || scattered.iter().any(|one| is_written(one.address, one.address + one.length)) {
        return Ok(None);
    }
    let dependences = recorder.finish();
    if u64::from(dependences.count()) != window.len() {
        return Ok(None);
    }
    let has_base = |site: &Site| site.base != NO_BASE;
    let spans = intervals().filter(|(site, _)| has_base(site)).map(|(_, (low, high))| high.saturating_sub(low));
    let bytes = spans.chain(scattered.iter().map(|one| one.length)).sum::<u64>();
    let jump = jump(bytes / 1024, nest);
    let is_forced = nest.flags & FLAG_FORCE != 0;
    let measured = task.takes.saturating_mul(u64::from(nest.clock)) / 1000;
    let scale = Scale { supposed: dependences.total, measured };
    let (wait, jump) = (scale.of(nest.wait), scale.of(jump));
    let threads = Threads { count: threads, wait, jump, chains: nest.addition, is_forced };
    let now = system::now();
    let search = until.min(now.saturating_add(now.saturating_sub(started) / SEARCH));
    let Some((mut schedule, shape)) = best(&dependences, threads, task.shape, search)? else { return Ok(None) };
    drop(dependences);
    schedule.runs.iter_mut().for_each(|run| run.first += window.first as u32);
    let mut pattern = Pattern::default();
    for (site, (low, high)) in intervals().filter(|(site, (low, high))| site.is_index() && low < high) {
        if !site.is_scattered() {
            let Some(base) = values_now.get(site.base as usize) else { return Ok(None) };
            pattern.add(site.stage, u64::from(site.base), low.wrapping_sub(*base), high - low)?;
        }
    }
    pattern.add_all(&scattered)?;
    // SAFETY: the inspection has read the first and the last element of each piece, which belong to
    // one array.
    unsafe { pattern.copy(values_now)? };
    let mut copy = Buffer::new();
    for &value in values_now {
        copy.push(value)?;
    }
    let counters = Buffer::filled((schedule.thread_count() as usize + COUNTERS) * APART, 0)?;
    let trial = Trial::default();
    Ok(Some(Entry {
        key: 0,
        number: 0,
        iterations,
        window,
        values: copy,
        written,
        low,
        high,
        pattern,
        schedule,
        shape,
        counters,
        trial,
        is_original: false,
        used: 0,
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
