//! What is used of the C library.

use core::ffi::{c_int, c_long, c_void};

#[repr(C)]
struct Time {
    seconds: i64,
    nanoseconds: c_long,
}

const CLOCK_MONOTONIC: c_int = 1;

unsafe extern "C" {
    fn malloc(bytes: usize) -> *mut c_void;
    fn calloc(count: usize, bytes: usize) -> *mut c_void;
    fn realloc(at: *mut c_void, bytes: usize) -> *mut c_void;
    fn free(at: *mut c_void);
    fn clock_gettime(clock: c_int, time: *mut Time) -> c_int;
    fn sched_yield() -> c_int;
    #[cfg(all(feature = "library", not(test)))]
    #[link_name = "abort"]
    fn end() -> !;
}

/// New memory, or null.
pub(crate) fn allocate(bytes: usize) -> *mut c_void {
    // SAFETY: any number may be asked for.
    unsafe { malloc(bytes) }
}

/// New memory of which all bytes are zero, or null.
pub(crate) fn allocate_zeroed(bytes: usize) -> *mut c_void {
    // SAFETY: any number may be asked for.
    unsafe { calloc(1, bytes) }
}

/// Memory with the same contents, as far as there is room, in place of this; or null, and it stays.
///
/// # Safety
/// It comes from one of these functions and is not used any more if there is other memory.
pub(crate) unsafe fn resize(at: *mut c_void, bytes: usize) -> *mut c_void {
    // SAFETY: the caller's promise.
    unsafe { realloc(at, bytes) }
}

/// Gives memory back.
///
/// # Safety
/// It comes from one of these functions and is not used any more.
pub(crate) unsafe fn give_back(at: *mut c_void) {
    // SAFETY: the caller's promise.
    unsafe { free(at) }
}

/// Nanoseconds since some point in time.
pub(crate) fn now() -> u64 {
    let mut time = Time { seconds: 0, nanoseconds: 0 };
    // SAFETY: the place is valid.
    unsafe { clock_gettime(CLOCK_MONOTONIC, &raw mut time) };
    (time.seconds as u64).wrapping_mul(1_000_000_000).wrapping_add(time.nanoseconds as u64)
}

/// Lets another thread run.
pub(crate) fn let_others_run() {
    // SAFETY: it has no arguments.
    unsafe { sched_yield() };
}

/// Ends the program.
#[cfg(all(feature = "library", not(test)))]
pub(crate) fn abort() -> ! {
    // SAFETY: it has no arguments.
    unsafe { end() }
}
