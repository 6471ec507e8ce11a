//! Local buffers: temporaries with a part of an array, at another place in each iteration of the
//! loops around.
//!
//! Elements of a local buffer have the subscripts of the array. With the sizes of the local buffer
//! as extents, the place of an element is `begin + (s - o)`, for its subscripts `s` and those of
//! the origin `o` as numbers of elements: linear in both, so what is emitted when the local buffer
//! is opened is `begin - o`, the address of an element that has all subscripts 0 and that there
//! need not be. It is kept in a slot of the frame, as it is not known to the generator which
//! openings come before which use, but to the schedule.
//!
//! Threads that open a local buffer have copies of it, side by side in one block, by the number of
//! the thread.

use crate::builder::{Op, Value};
use crate::code::{Code, Loop, Run};
use crate::generator::Generator;
use crate::prepare::for_each_run;

impl<'c> Generator<'c, '_> {
    /// Writes the instance of a statement that opens a local buffer.
    pub(crate) fn place_buffer(&mut self, array: usize, run: &Run) {
        let code = &self.prepared.arrays[array];
        let (_, origin) = run.coordinates.split_at(run.coordinates.len() - 1 - code.extents.len());
        let mut distance = self.b.int(64, 0);
        for (dimension, subscript) in origin.iter().enumerate() {
            if dimension > 0 {
                let extent = self.emit_form(&code.extents[dimension - 1]);
                distance = self.b.arithmetic(Op::Mul, distance, extent, false);
            }
            let subscript = self.emit_form(subscript);
            distance = self.b.arithmetic(Op::Add, distance, subscript, false);
        }
        let bytes = self.b.arithmetic(Op::Mul, distance, self.b.int(64, -i128::from(code.element_bytes)), false);
        let begin = self.import(self.temporaries[&array]);
        let begin = match (self.frame.thread, self.bytes_of_threads.get(&array).copied()) {
            (Some(thread), Some(bytes)) => {
                let bytes = self.import(bytes);
                let before = self.b.arithmetic(Op::Mul, thread, bytes, false);
                self.b.offset(self.b.int_type(8), begin, before)
            }
            _ => begin,
        };
        let first = self.b.offset(self.b.int_type(8), begin, bytes);
        let slot = self.buffer(array);
        self.b.store(first, slot);
    }

    /// The address that subscripts of a temporary are counted from; nothing for other arrays.
    pub(crate) fn memory_of_temporary(&mut self, array: usize) -> Option<Value<'c>> {
        if self.prepared.buffers.iter().any(|buffer| buffer.array.index() == array) {
            let slot = self.buffer(array);
            return Some(self.b.load(self.b.pointer_type(), slot, "poly.buffer"));
        }
        self.temporaries.get(&array).copied()
    }

    /// At the beginning of an outlined function: which of the copies of local buffers are those of
    /// the thread, if it opens any.
    pub(crate) fn number_thread_for_buffers(&mut self, l: &Loop, alone: Value<'c>) {
        if self.prepared.buffers.iter().any(|buffer| runs_in(&l.body, buffer.statement.index())) {
            let number = self.emit_count("omp_get_thread_num");
            let alone = self.import(alone);
            self.frame.thread = Some(self.b.select(alone, self.b.int(64, 0), number));
        }
    }

    /// Whether threads have copies of a local buffer.
    pub(crate) fn is_of_threads(&self, array: usize) -> bool {
        let mut buffers = self.prepared.buffers.iter().filter(|buffer| buffer.array.index() == array);
        buffers.any(|buffer| self.is_opened_by_threads(&self.prepared.program.code, buffer.statement.index()))
    }

    fn is_opened_by_threads(&self, code: &Code, statement: usize) -> bool {
        let inside = |code: &Code| self.is_opened_by_threads(code, statement);
        match code {
            Code::Block(parts) => parts.iter().any(inside),
            Code::If { then, otherwise, .. } => inside(then) || otherwise.iter().any(|code| inside(code)),
            Code::Loop(l) if self.is_shared(l) => runs_in(&l.body, statement),
            Code::Loop(l) => inside(&l.body),
            Code::Run(_) => false,
        }
    }

    fn buffer(&mut self, array: usize) -> Value<'c> {
        if let Some(&slot) = self.buffers.get(&array) {
            return slot;
        }
        let slot = self.entry_alloca(self.frame.function, self.b.pointer_type(), "poly.buffer");
        self.frame.flags.push(slot);
        self.buffers.insert(array, slot);
        slot
    }
}

/// Whether some instance of the code is one of a statement.
fn runs_in(code: &Code, statement: usize) -> bool {
    let mut found = false;
    for_each_run(code, &mut |run| found |= run.statement == statement);
    found
}
