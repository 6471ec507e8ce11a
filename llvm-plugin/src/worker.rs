//! A thread of its own for the pure part of the work.
//!
//! The host may call from a thread with a small stack (ThinLTO, rustc), and the depth of the data (schedule trees, generated programs) is the
//! user's. Nothing of LLVM is touched there.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use crate::panics;

/// Address space for the stack; only what is used becomes memory.
const STACK_BYTES: usize = 64 << 20;

/// Runs `work` and waits for it. The error describes a panic.
pub(crate) fn run<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R, String> {
    // Described there: the place is remembered by thread.
    let contained = || catch_unwind(AssertUnwindSafe(work)).map_err(|payload| panics::describe(payload.as_ref()));
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("poly".to_owned()).stack_size(STACK_BYTES);
        match builder.spawn_scoped(scope, contained) {
            Ok(worker) => worker.join().expect("panics are caught inside"),
            Err(error) => Err(format!("no thread for planning: {error}")),
        }
    })
}
