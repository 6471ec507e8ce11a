//! What the iterations of a nest access, as the program's own code tells it.
//!
//! # Form
//! The code keeps the lowest and the highest address of each site (a load or store of the source,
//! [`Site`]). Of accesses near what is written it writes *records* to a buffer, and calls a
//! function of the library when that is full; that function is in the [`Sink`], so the program need
//! not be linked with it. A record is a word: the lowest byte is the number of the site, the rest
//! the distance of the address from [`Sink::start`]. [`END_OF_ITERATION`] in place of a site says
//! that the iteration is complete; the rest is then how often it has accessed anything.

use core::fmt;

use crate::account::Window;
use crate::interface::{Nest, Site, SiteKind};
use crate::memory::{Buffer, Exhausted, Fallible, Plain};
use crate::system;

/// The place of a site's number: the iteration is complete.
pub const END_OF_ITERATION: u64 = 0xff;

/// The most sites of a nest.
pub const MAX_SITES: usize = 0xff;

/// Records of the buffer.
const CAPACITY: usize = 4096;

/// Iterations after which it is asked whether anything failed.
const AT_ONCE: u64 = 1 << 10;

/// No access has more bytes.
pub const MAX_BYTES: u64 = 64;

/// The lowest and the highest address that a site accesses; the highest is lower if there is none.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The lowest.
    pub low: u64,
    /// The highest.
    pub high: u64,
}

// SAFETY: integers.
unsafe impl Plain for Bounds {}

impl Bounds {
    /// Those of nothing.
    pub const NONE: Self = Self { low: u64::MAX, high: 0 };

    /// The first address, and that behind the last byte of accesses of this size.
    pub fn interval(self, size: u64) -> (u64, u64) {
        if self.low <= self.high { (self.low, self.high.saturating_add(size)) } else { (u64::MAX, 0) }
    }
}

/// Where the code of the program writes what it tells.
#[repr(C)]
pub struct Sink {
    /// The first free place.
    pub next: *mut u64,
    /// Behind the last place.
    pub end: *mut u64,
    /// Called when `end` is reached; returns the first free place.
    pub flush: unsafe extern "C" fn(sink: *mut Sink, next: *mut u64) -> *mut u64,
    /// Of each site.
    pub bounds: *mut Bounds,
    /// There are records of reads and writes from this address on.
    pub start: u64,
    /// Of so many bytes.
    pub span: u64,
    records: *mut u64,
    consumer: *mut (dyn Consumer + 'static),
    until: u64,
    failed: bool,
}

impl fmt::Debug for Sink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sink").field("failed", &self.failed).finish_non_exhaustive()
    }
}

/// Somebody reads records.
pub trait Consumer {
    /// Reads some of them.
    fn consume(&mut self, records: &[u64]) -> Fallible<()>;
}

unsafe extern "C" fn flush(sink: *mut Sink, next: *mut u64) -> *mut u64 {
    // SAFETY: `tell` made the sink, and the code got it from there.
    let sink = unsafe { &mut *sink };
    if !sink.failed {
        // SAFETY: the code has written all places from the first one up to `next`.
        let length = unsafe { next.offset_from(sink.records) };
        // SAFETY: as above.
        let records = unsafe { core::slice::from_raw_parts(sink.records, usize::try_from(length).unwrap_or(0)) };
        // SAFETY: the consumer lives as long as the sink.
        sink.failed = unsafe { (*sink.consumer).consume(records) }.is_err() || system::now() > sink.until;
    }
    sink.records
}

/// The code of the nest, which tells what iterations access.
#[derive(Clone, Copy, Debug)]
pub struct Tell<'n> {
    /// The nest.
    pub nest: &'n Nest,
    /// Its values.
    pub values: *const u64,
    /// When it is too late, by [`crate::system::now`].
    pub until: u64,
}

impl Tell<'_> {
    /// Lets it tell of some iterations: the bounds of all sites, and records of what is near the
    /// written addresses.
    ///
    /// # Safety
    /// The nest and the values are those that the program has given, and there are bounds for each
    /// site.
    pub unsafe fn tell<C: Consumer + 'static>(
        &self,
        window: Window,
        written: Written,
        bounds: &mut [Bounds],
        consumer: &mut C,
    ) -> Fallible<()> {
        let mut buffer = Buffer::filled(CAPACITY, 0_u64)?;
        let records = buffer.as_mut_ptr();
        let mut sink = Sink {
            next: records,
            end: records.wrapping_add(CAPACITY),
            flush,
            bounds: bounds.as_mut_ptr(),
            start: written.start(),
            span: written.high.wrapping_sub(written.start()),
            records,
            consumer: core::ptr::from_mut(consumer),
            until: self.until,
            failed: false,
        };
        for part in parts_of(window) {
            // SAFETY: the caller's promise.
            unsafe { (self.nest.inspect)(self.values, part.first, part.end, &raw mut sink) };
            if sink.failed {
                return Err(Exhausted);
            }
        }
        // SAFETY: the code has left the first free place here.
        unsafe { flush(&raw mut sink, sink.next) };
        if sink.failed { Err(Exhausted) } else { Ok(()) }
    }

    /// Lets it tell what iterations write.
    ///
    /// # Safety
    /// As for `tell`.
    pub unsafe fn written(&self, window: Window, sites: &[Site]) -> Fallible<Written> {
        let mut bounds = Buffer::filled(sites.len(), Bounds::NONE)?;
        for part in parts_of(window) {
            // SAFETY: the caller's promise.
            unsafe { (self.nest.written)(self.values, part.first, part.end, bounds.as_mut_ptr()) };
            if system::now() > self.until {
                return Err(Exhausted);
            }
        }
        let mut found = Written { low: u64::MAX, high: 0, size: u64::MAX };
        for (site, bounds) in sites.iter().zip(bounds.iter()).filter(|(site, _)| site.kind == SiteKind::Write as u32) {
            let (low, high) = bounds.interval(u64::from(site.size));
            if low < high {
                let size = found.size.min(u64::from(site.size));
                found = Written { low: found.low.min(low), high: found.high.max(high), size };
            }
        }
        Ok(found)
    }
}

/// The iterations of which is told at once.
fn parts_of(window: Window) -> impl Iterator<Item = Window> {
    let mut first = window.first;
    core::iter::from_fn(move || {
        let part = Window { first, end: window.end.min(first.saturating_add(AT_ONCE)) };
        first = part.end;
        (!part.is_empty()).then_some(part)
    })
}

/// The number of the site, and what is said of it.
#[inline]
pub fn parts(record: u64) -> (usize, u64) {
    ((record & 0xff) as usize, record >> 8)
}

/// The addresses that are written, from the first up to behind the last, and the size of the
/// smallest write.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// The first.
    pub low: u64,
    /// Behind the last.
    pub high: u64,
    /// Bytes of the smallest.
    pub size: u64,
}

impl Written {
    /// What begins in front of this address does not reach what is written.
    pub fn start(&self) -> u64 {
        self.low.saturating_sub(MAX_BYTES)
    }
}
