//! DOACROSS loops: iterations wait for earlier ones.
//!
//! The iterations have numbers, from 0 on in order. Threads get them one at a time, and in order:
//! so all that come before one that a thread has got are finished or are run by some thread, and
//! the thread with the first one that is not finished does not wait. The runtimes know what is
//! finished ([Cytron1986]: *doacross* loops): a thread *posts* the number of an iteration when it
//! has run it, and *waits* for numbers inside of the loop. Both order the memory accesses around
//! them.
//!
//! * LLVM: `__kmpc_doacross_init` with the range of the numbers, before the loop is begun, by each
//!   thread; then `__kmpc_doacross_wait`, `__kmpc_doacross_post` and, when the thread gets nothing
//!   more, `__kmpc_doacross_fini`. The schedule is dynamic and has to be called monotonic: the
//!   runtime may change the order of others.
//! * GNU: `GOMP_loop_doacross_dynamic_start` in place of the function that begins other dynamic
//!   loops; `GOMP_doacross_wait`, `GOMP_doacross_post`.
//!
//! Where there is only one thread, nothing is said to the runtime.

use crate::builder::{Compare, Op, Value};
use crate::code::Run;
use crate::generator::Generator;
use crate::options::Runtime;

/// A DOACROSS loop, in the outlined function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Doacross<'c> {
    /// Whether there is only one thread.
    pub(crate) alone: Value<'c>,
    /// The counter's value in iteration 0.
    pub(crate) lower: Value<'c>,
    pub(crate) step: Value<'c>,
}

impl<'c> Generator<'c, '_> {
    /// Writes the instance of a statement that waits for an iteration.
    pub(crate) fn emit_wait(&mut self, run: &Run) {
        let (Some(doacross), Some(counter)) = (self.frame.doacross, run.coordinates.last()) else { return };
        let counter = self.emit_form(counter);
        let [wait, after] =
            ["wait", "waited"].map(|name| self.b.append_block(self.frame.function, &format!("poly.{name}")));
        let is_before = self.b.compare(Compare::LLVMIntSLT, counter, doacross.lower);
        let skips = self.b.arithmetic(Op::Or, doacross.alone, is_before, false);
        self.b.branch_if(skips, after, wait);
        self.b.at_end(wait);
        let number = self.number_of_iteration(doacross, counter);
        self.emit_doacross("wait", number);
        self.b.branch(after);
        self.b.at_end(after);
    }

    /// Says that this thread has run an iteration.
    pub(crate) fn emit_post(&mut self, doacross: Doacross<'c>, counter: Value<'c>) {
        let number = self.number_of_iteration(doacross, counter);
        self.emit_doacross("post", number);
    }

    /// With LLVM's runtime, before the first portion: the numbers are from 0 to this.
    pub(crate) fn emit_doacross_init(&mut self, last: Value<'c>) {
        let (int, long) = (self.b.int_type(32), self.b.int_type(64));
        let (pointer, void) = (self.b.pointer_type(), self.b.void_type());
        let numbers = self.entry_alloca(self.frame.function, self.b.array_type(long, 3), "poly.numbers");
        for (position, value) in [self.b.int(64, 0), last, self.b.int(64, 1)].into_iter().enumerate() {
            let place = self.b.offset(long, numbers, self.b.int(64, position as i128));
            self.b.store(value, place);
        }
        let init = self.b.function_type(void, &[pointer, int, int, pointer], false);
        let arguments = [self.ident(), self.emit_thread(), self.b.int(32, 1), numbers];
        self.b.call(init, self.b.runtime_function("__kmpc_doacross_init", init), &arguments);
    }

    /// With LLVM's runtime, behind the last portion.
    pub(crate) fn emit_doacross_fini(&mut self) {
        let (int, pointer, void) = (self.b.int_type(32), self.b.pointer_type(), self.b.void_type());
        let fini = self.b.function_type(void, &[pointer, int], false);
        let arguments = [self.ident(), self.emit_thread()];
        self.b.call(fini, self.b.runtime_function("__kmpc_doacross_fini", fini), &arguments);
    }

    fn number_of_iteration(&self, doacross: Doacross<'c>, counter: Value<'c>) -> Value<'c> {
        let distance = self.b.arithmetic(Op::Sub, counter, doacross.lower, true);
        self.b.arithmetic(Op::SDiv, distance, doacross.step, false)
    }

    fn emit_doacross(&mut self, what: &str, number: Value<'c>) {
        let (int, long) = (self.b.int_type(32), self.b.int_type(64));
        let (pointer, void) = (self.b.pointer_type(), self.b.void_type());
        let in_memory = |g: &mut Self| {
            let slot = g.entry_alloca(g.frame.function, long, "poly.number");
            g.b.store(number, slot);
            slot
        };
        match (self.prepared.options.runtime, what) {
            (Runtime::Llvm, _) => {
                let number = in_memory(self);
                let ty = self.b.function_type(void, &[pointer, int, pointer], false);
                let arguments = [self.ident(), self.emit_thread(), number];
                self.b.call(ty, self.b.runtime_function(&format!("__kmpc_doacross_{what}"), ty), &arguments);
            }
            (Runtime::Gnu, "wait") => {
                let ty = self.b.function_type(void, &[long], true);
                self.b.call(ty, self.b.runtime_function("GOMP_doacross_wait", ty), &[number]);
            }
            (Runtime::Gnu, _) => {
                let number = in_memory(self);
                let ty = self.b.function_type(void, &[pointer], false);
                self.b.call(ty, self.b.runtime_function("GOMP_doacross_post", ty), &[number]);
            }
        }
    }
}
