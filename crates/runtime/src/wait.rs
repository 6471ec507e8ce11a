//! Waiting for other threads.

use core::hint::spin_loop;
use core::sync::atomic::{AtomicU64, Ordering};

use crate::system;

/// How often is looked before another thread may have the processor.
const LOOKS: u32 = 4096;

/// Returns when the counter has at least this value.
pub(crate) fn until(counter: &AtomicU64, value: u64) {
    let mut looks = 0;
    while counter.load(Ordering::Acquire) < value {
        looks += 1;
        if looks < LOOKS {
            spin_loop();
        } else {
            system::let_others_run();
        }
    }
}
