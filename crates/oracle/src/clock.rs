//! The time that this thread has spent on a processor: on a machine with other work it says what an
//! operation costs, which the time that passes does not.

use std::ffi::{c_int, c_long};
use std::time::Duration;

/// As in C, on Linux with 64 bits.
#[repr(C)]
struct Timespec {
    seconds: c_long,
    nanoseconds: c_long,
}

const CLOCK_THREAD_CPUTIME_ID: c_int = 3;

unsafe extern "C" {
    fn clock_gettime(clock: c_int, time: *mut Timespec) -> c_int;
}

/// Processor time of the calling thread since it began.
pub fn thread_time() -> Duration {
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    // SAFETY: the structure is valid and has the layout of C's.
    let result = unsafe { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(result, 0, "every thread has a clock");
    let seconds = u64::try_from(time.seconds).expect("time does not run backwards");
    Duration::from_secs(seconds) + Duration::from_nanos(u64::try_from(time.nanoseconds).expect("a part of a second"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time_and_sleep_does_not() {
        let start = thread_time();
        std::thread::sleep(Duration::from_millis(60));
        assert!(thread_time() - start < Duration::from_millis(30));
        let mut n = 1u64;
        while thread_time() - start < Duration::from_millis(2) {
            n = std::hint::black_box(n.wrapping_mul(3));
        }
        assert_ne!(n, 0);
    }
}
