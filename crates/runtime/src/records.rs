//! What the iterations of a nest access, as the program's own code tells it.
//!
//! # Form
//! A record is a word: the lowest byte is the number of a site (a load or store of the source,
//! [`Site`]), the rest the distance in bytes from the site's base to the address.
//! [`NEXT_ITERATION`] in place of a site says that what follows belongs to the next iteration. The
//! code writes to a buffer, and calls a function of the library when it is full; that function is
//! in the [`Sink`], so the program need not be linked with it.

use core::fmt;

use crate::interface::{Nest, Site, SiteKind};
use crate::memory::{Buffer, Fallible};

/// The place of a site's number: an iteration begins.
pub const NEXT_ITERATION: u64 = 0xff;

/// The most sites of a nest.
pub const MAX_SITES: usize = 0xff;

/// Records of the buffer.
const CAPACITY: usize = 4096;

/// Iterations after which it is asked whether anything failed.
const AT_ONCE: u64 = 1 << 16;

/// Where the code of the program writes records to.
#[repr(C)]
pub struct Sink {
    /// The first free place.
    pub next: *mut u64,
    /// Behind the last place.
    pub end: *mut u64,
    /// Called when `end` is reached; returns the first free place.
    pub flush: unsafe extern "C" fn(sink: *mut Sink, next: *mut u64) -> *mut u64,
    start: *mut u64,
    consumer: *mut (dyn Consumer + 'static),
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
        // SAFETY: the code has written all places from `start` up to `next`.
        let length = unsafe { next.offset_from(sink.start) };
        // SAFETY: as above.
        let records = unsafe { core::slice::from_raw_parts(sink.start, usize::try_from(length).unwrap_or(0)) };
        // SAFETY: the consumer lives as long as the sink.
        sink.failed = unsafe { (*sink.consumer).consume(records) }.is_err();
    }
    sink.start
}

/// Lets the code of the nest tell what its iterations access.
///
/// # Safety
/// The nest and the values are those that the program has given.
pub unsafe fn tell<C: Consumer + 'static>(
    nest: &Nest,
    values: *const u64,
    iterations: u64,
    consumer: &mut C,
) -> Fallible<()> {
    let mut buffer = Buffer::filled(CAPACITY, 0_u64)?;
    let start = buffer.as_mut_ptr();
    let end = start.wrapping_add(CAPACITY);
    let mut sink = Sink { next: start, end, flush, start, consumer: core::ptr::from_mut(consumer), failed: false };
    let mut from = 0;
    while from < iterations && !sink.failed {
        let to = iterations.min(from.saturating_add(AT_ONCE));
        // SAFETY: the caller's promise.
        unsafe { (nest.inspect)(values, from, to, &raw mut sink) };
        from = to;
    }
    // SAFETY: the code has left the first free place here.
    unsafe { flush(&raw mut sink, sink.next) };
    if sink.failed { Err(crate::memory::Exhausted) } else { Ok(()) }
}

/// The number of the site and the distance to its base.
#[inline]
pub fn parts(record: u64) -> (usize, u64) {
    ((record & 0xff) as usize, ((record as i64) >> 8) as u64)
}

/// The addresses that are written, from the first up to behind the last, and the size of the smallest write.
#[derive(Clone, Copy, Debug)]
pub struct Written {
    /// The first.
    pub low: u64,
    /// Behind the last.
    pub high: u64,
    /// Bytes of the smallest.
    pub size: u64,
}

/// Finds out what is written.
#[derive(Debug)]
pub(crate) struct FindWritten {
    bases: Buffer<u64>,
    /// Bytes of sites that write, 0 of others.
    sizes: Buffer<u64>,
    pub(crate) found: Written,
}

impl FindWritten {
    pub(crate) fn new(sites: &[Site], values: &[u64]) -> Fallible<Self> {
        let (bases, mut sizes) = bases_and_sizes(sites, values)?;
        for (size, site) in sizes.iter_mut().zip(sites) {
            *size = if site.kind == SiteKind::Write as u32 { *size } else { 0 };
        }
        Ok(Self { bases, sizes, found: Written { low: u64::MAX, high: 0, size: u64::MAX } })
    }
}

/// Base and size of each site.
pub(crate) fn bases_and_sizes(sites: &[Site], values: &[u64]) -> Fallible<(Buffer<u64>, Buffer<u64>)> {
    let (mut bases, mut sizes) = (Buffer::new(), Buffer::new());
    for site in sites {
        bases.push(values.get(site.base as usize).copied().unwrap_or(0))?;
        sizes.push(u64::from(site.size))?;
    }
    Ok((bases, sizes))
}

impl Consumer for FindWritten {
    fn consume(&mut self, records: &[u64]) -> Fallible<()> {
        for &record in records {
            let (site, distance) = parts(record);
            let size = self.sizes.get(site).copied().unwrap_or(0);
            if let Some(base) = self.bases.get(site).filter(|_| size > 0) {
                let address = base.wrapping_add(distance);
                self.found.low = self.found.low.min(address);
                self.found.high = self.found.high.max(address.saturating_add(size));
                self.found.size = self.found.size.min(size);
            }
        }
        Ok(())
    }
}
