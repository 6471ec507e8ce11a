//! How much memory the operations take.
//!
//! What is counted is the largest resident set of the process from a certain moment on: heap,
//! stack, and the pages of code that run. The heap may have room at this moment that has been in
//! use before, such as for reading the traces; what goes into this room would not show. So it is
//! given back first.

use std::ffi::c_int;

mod ffi {
    use super::c_int;

    unsafe extern "C" {
        /// Gives free memory of the C library's heap back to the system, all but `keep` bytes at
        /// its end.
        pub(super) safe fn malloc_trim(keep: usize) -> c_int;
    }
}

/// The resident set at some moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before {
    kib: u64,
}

impl Before {
    /// Give free memory back and let the largest resident set be counted from now on.
    pub(crate) fn now() -> Result<Before, String> {
        ffi::malloc_trim(0);
        // Not every system allows this; without it the peak of reading the traces counts, for both
        // libraries.
        drop(std::fs::write("/proc/self/clear_refs", "5"));
        Ok(Before { kib: status_kib("VmRSS:")? })
    }

    /// The largest resident set since then, and how much more this is, in KiB.
    pub(crate) fn peak(self) -> Result<(u64, u64), String> {
        let peak = status_kib("VmHWM:")?;
        Ok((peak, peak.saturating_sub(self.kib)))
    }
}

/// A number of KiB that the system tells about this process.
fn status_kib(name: &str) -> Result<u64, String> {
    let status = std::fs::read_to_string("/proc/self/status").map_err(|e| format!("/proc/self/status: {e}"))?;
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).ok_or_else(|| format!("{name} is not told"))
}
