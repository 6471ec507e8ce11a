//! An inspection: from what the program says that iterations access to a schedule.

use core::slice;

use crate::account::Window;
use crate::dependences::Recorder;
use crate::entry::{APART, COUNTERS, Entry, Trial};
use crate::interface::{FLAG_FORCE, Nest, Site, SiteKind};
use crate::memory::{Buffer, Fallible};
use crate::pattern::Pattern;
use crate::records::{Bounds, Consumer, END_OF_ITERATION, MAX_SITES, Tell, Written, parts};
use crate::schedule::{Shape, Threads, best};

/// Estimated cycles of a jump in the original order where a thread has all data in a cache of its
/// own: about the latency of second caches. Only what is more than that depends on the processor
/// ([`Nest::wait`]).
const NEAR_JUMP: u32 = 16;

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
    /// When the inspection is abandoned, by [`crate::system::now`].
    pub(crate) until: u64,
}

/// Reads records.
struct Collect {
    /// Twice the bytes that a site accesses, and one more if it writes.
    kinds: [u32; 1 << u8::BITS],
    start: u64,
    recorder: Recorder,
}

impl Collect {
    fn new(sites: &[Site], iterations: u64, written: Written, is_once: bool) -> Fallible<Self> {
        let mut kinds = [0; 1 << u8::BITS];
        for (kind, site) in kinds.iter_mut().zip(sites) {
            *kind = 2 * site.size + u32::from(site.kind == SiteKind::Write as u32);
        }
        let recorder = Recorder::new(iterations as u32, written, is_once)?;
        Ok(Self { kinds, start: written.start(), recorder })
    }
}

impl Consumer for Collect {
    fn consume(&mut self, records: &[u64]) -> Fallible<()> {
        for &record in records {
            let (site, number) = parts(record);
            if site as u64 == END_OF_ITERATION {
                self.recorder.end(number)?;
                continue;
            }
            let kind = self.kinds.get(site).copied().unwrap_or(0);
            let (address, size) = (self.start.wrapping_add(number), u64::from(kind / 2));
            if kind % 2 == 1 {
                self.recorder.write(address, size)?;
            } else {
                self.recorder.read(address, size)?;
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
    let recorder = loop {
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
        break all.recorder;
    };
    let (mut low, mut high) = (Buffer::new(), Buffer::new());
    for (site, bounds) in sites.iter().zip(bounds.iter()) {
        let interval = bounds.interval(u64::from(site.size));
        low.push(interval.0)?;
        high.push(interval.1)?;
    }
    // An index array may become memory for something else, behind what has been read of it.
    let is_overwritten = sites
        .iter()
        .zip(low.iter().zip(high.iter()))
        .any(|(site, (&low, &high))| site.is_index() && low < written.high && written.low < high);
    if is_overwritten {
        return Ok(None);
    }
    let dependences = recorder.finish();
    if u64::from(dependences.count()) != window.len() {
        return Ok(None);
    }
    let bytes: u64 = low.iter().zip(high.iter()).map(|(low, high)| high.saturating_sub(*low)).sum();
    let jump = jump(bytes / 1024, nest);
    let is_forced = nest.flags & FLAG_FORCE != 0;
    let threads = Threads { count: threads, wait: nest.wait, jump, is_forced };
    let Some((mut schedule, shape)) = best(&dependences, threads, task.shape, until)? else { return Ok(None) };
    drop(dependences);
    schedule.runs.iter_mut().for_each(|run| run.first += window.first as u32);
    let mut pattern = Pattern::default();
    for (site, (&low, &high)) in sites.iter().zip(low.iter().zip(high.iter())) {
        if site.is_index() && low < high {
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
