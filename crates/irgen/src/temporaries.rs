//! Memory that only the new code has: an element for each live range of what was a scalar.
//!
//! All of it is one block from `malloc`, allocated when the run-time check has passed and freed
//! behind the new code. Where there is no memory the original code runs; where a gigabyte would not
//! be enough `malloc` is not even called.

use poly_scop::{ArrayId, ArrayKind, BeginningRows};
use poly_shim::PassContext;

use crate::builder::{Builder, Compare, Op, Value};
use crate::form::Form;
use crate::generator::Generator;

/// Bytes that a program does not expect to be taken beside its own arrays; up to here products of
/// sizes do not overflow.
const TOO_MUCH: f64 = 1e9;

/// Whether new code of the function may call `malloc` and `free`: they are the library's, with
/// 64-bit sizes, and nothing hints at a function from which they must not be called.
pub fn may_allocate(cx: PassContext<'_>) -> bool {
    let b = Builder::new(cx);
    let (long, pointer) = (b.int_type(64), b.pointer_type());
    cx.alloc_size(pointer) == Some(8)
        && cx.may_allocate()
        && b.is_library_function("malloc", b.function_type(pointer, &[long], false))
        && b.is_library_function("free", b.function_type(b.void_type(), &[pointer], false))
}

/// Where temporaries are in their block.
pub(crate) struct Room<'c> {
    /// The temporaries, with where they begin.
    offsets: Vec<(usize, Value<'c>)>,
    /// Size of the block.
    bytes: Value<'c>,
    /// It is not too much.
    pub(crate) is_sane: Value<'c>,
}

impl<'c> Generator<'c, '_> {
    /// What buffers and temporaries begin at a multiple of: lines, in which whole vectors lie.
    pub(crate) fn buffer_alignment(&self) -> u32 {
        let machine = &self.prepared.options.machine;
        u32::try_from(machine.memory.line_bytes.max(machine.vectors.bytes).next_power_of_two()).unwrap_or(64)
    }

    /// The temporaries that statements access.
    fn used_temporaries(&self) -> Vec<usize> {
        let scop = self.prepared.scop;
        let is_accessed = |array: ArrayId| scop.statements.iter().any(|s| s.accesses.iter().any(|a| a.array == array));
        let is_used = |&array: &usize| scop.arrays[array].is_temporary() && is_accessed(ArrayId::from(array));
        (0..scop.arrays.len()).filter(is_used).collect()
    }

    /// Computes how much memory the temporaries need that statements access; nothing if there are
    /// none.
    pub(crate) fn emit_room(&mut self) -> Option<Room<'c>> {
        let used = self.used_temporaries();
        if used.is_empty() {
            return None;
        }
        let double = self.b.double_type();
        let mut offsets = Vec::new();
        let alignment = i128::from(self.buffer_alignment());
        let mut bytes = self.b.int(64, alignment);
        let mut estimate = self.b.float(double, 0.0);
        let mut threads = None;
        for &array in &used {
            offsets.push((array, bytes));
            let (own, mut estimated) = self.size_of_temporary(array);
            let up = self.b.arithmetic(Op::Add, own, self.b.int(64, alignment - 1), false);
            let mut up = self.b.arithmetic(Op::And, up, self.b.int(64, -alignment), false);
            if self.is_of_threads(array) {
                self.bytes_of_threads.insert(array, up);
                let threads = *threads.get_or_insert_with(|| self.emit_most_threads());
                up = self.b.arithmetic(Op::Mul, up, threads, false);
                let threads = self.b.int_to_float(threads, double);
                estimated = self.b.arithmetic(Op::FMul, estimated, threads, false);
            }
            estimate = self.b.arithmetic(Op::FAdd, estimate, estimated, false);
            bytes = self.b.arithmetic(Op::Add, bytes, up, false);
        }
        let is_sane = self.b.is_less(estimate, self.b.float(double, TOO_MUCH));
        Some(Room { offsets, bytes, is_sane })
    }

    /// Allocates the temporaries; whether they are there.
    pub(crate) fn allocate_temporaries(&mut self, room: Room<'c>) -> Value<'c> {
        let (long, pointer) = (self.b.int_type(64), self.b.pointer_type());
        let ty = self.b.function_type(pointer, &[long], false);
        let allocated = self.b.call(ty, self.b.runtime_function("malloc", ty), &[room.bytes]);
        crate::builder::set_name(allocated, "poly.temporaries");
        self.frame.function.drop_inferred_effects();
        let address = self.b.ptr_to_int(allocated, long);
        let negated = self.b.arithmetic(Op::Sub, self.b.int(64, 0), address, false);
        let alignment = i128::from(self.buffer_alignment());
        let gap = self.b.arithmetic(Op::And, negated, self.b.int(64, alignment - 1), false);
        let byte = self.b.int_type(8);
        // The first array begins behind the gap, within as many bytes as its address is a multiple
        // of.
        let aligned = self.b.offset(byte, allocated, gap);
        for (array, offset) in room.offsets {
            let offset = self.b.arithmetic(Op::Sub, offset, self.b.int(64, alignment), false);
            let begin = self.b.offset(byte, aligned, offset);
            self.temporaries.insert(array, begin);
        }
        self.block_of_temporaries = Some(allocated);
        self.b.compare(Compare::LLVMIntNE, allocated, self.b.null(pointer))
    }

    /// The bytes of a temporary, modulo 2^64 and as a floating-point number.
    fn size_of_temporary(&mut self, array: usize) -> (Value<'c>, Value<'c>) {
        let code = &self.prepared.arrays[array];
        let (long, double) = (self.b.int_type(64), self.b.double_type());
        let mut bytes = self.b.int(64, i128::from(code.element_bytes));
        let mut estimate = self.b.float(double, f64::from(code.element_bytes));
        for size in code.rows.iter().chain(&code.extents) {
            let size = self.emit_form(size);
            let size = self.b.intrinsic("llvm.smax", &[long], &[size, self.b.int(64, 0)]);
            bytes = self.b.arithmetic(Op::Mul, bytes, size, false);
            let size = self.b.int_to_float(size, double);
            estimate = self.b.arithmetic(Op::FMul, estimate, size, false);
        }
        (bytes, estimate)
    }

    /// Copies to the first rows of temporaries what they begin with.
    pub(crate) fn emit_beginnings(&mut self) {
        let prepared = self.prepared;
        for (array, temporary) in prepared.scop.arrays.iter().enumerate() {
            let ArrayKind::Temporary { begins_with: Some(from), .. } = temporary.kind else { continue };
            let memory = *self.temporaries.get(&array).expect("a row that is read has memory");
            let bytes = self.bytes_of_row(array);
            let source = self.import(prepared.arrays[from.array.index()].value);
            self.copy_row(memory, source, bytes);
            if from.rows == BeginningRows::All {
                self.copy_first_row(array, memory, bytes);
            }
        }
    }

    /// Copies the first row of a temporary with a constant number of rows to all others: first to
    /// one, then both to two ..
    fn copy_first_row(&mut self, array: usize, memory: Value<'c>, bytes: Value<'c>) {
        let Some(Form::Const(rows)) = self.prepared.arrays[array].rows else {
            unreachable!("rows that all begin with something are those in use")
        };
        let mut done = 1;
        while done < rows {
            let count = done.min(rows - done);
            let [begin, size] = [done, count].map(|n| self.b.arithmetic(Op::Mul, bytes, self.b.int(64, n), false));
            let to = self.b.offset(self.b.int_type(8), memory, begin);
            self.copy_row(to, memory, size);
            done += count;
        }
    }

    fn copy_row(&mut self, to: Value<'c>, from: Value<'c>, bytes: Value<'c>) {
        let (pointer, long) = (self.b.pointer_type(), self.b.int_type(64));
        let arguments = [to, from, bytes, self.b.int(1, 0)];
        self.b.intrinsic("llvm.memcpy", &[pointer, pointer, long], &arguments);
    }

    /// The bytes of a row of a temporary.
    fn bytes_of_row(&mut self, array: usize) -> Value<'c> {
        let code = &self.prepared.arrays[array];
        let mut bytes = self.b.int(64, i128::from(code.element_bytes));
        for extent in &code.extents {
            let extent = self.emit_form(extent);
            bytes = self.b.arithmetic(Op::Mul, bytes, extent, false);
        }
        bytes
    }

    /// Copies the last rows of temporaries to the arrays that hold the results.
    pub(crate) fn emit_results(&mut self) {
        let prepared = self.prepared;
        for (array, temporary) in prepared.scop.arrays.iter().enumerate() {
            let ArrayKind::Temporary { result: Some(result), .. } = &temporary.kind else { continue };
            let memory = *self.temporaries.get(&array).expect("what is copied has been written");
            let code = &prepared.arrays[array];
            let bytes = self.bytes_of_row(array);
            let row = self.emit_form(code.last_row.as_ref().expect("a result has a row"));
            let rows = self.emit_form(code.rows.as_ref().expect("a temporary has rows"));
            let row = self.b.arithmetic(Op::URem, row, rows, false);
            let offset = self.b.arithmetic(Op::Mul, row, bytes, false);
            let last = self.b.offset(self.b.int_type(8), memory, offset);
            let ends = code.last_elements.as_ref().map(|ends| {
                ends.each_ref().map(|form| {
                    let element = self.emit_form(form);
                    self.b.arithmetic(Op::Mul, element, self.b.int(64, i128::from(code.element_bytes)), false)
                })
            });
            for target in std::iter::once(&result.array).chain(&result.also) {
                let target = self.import(prepared.arrays[target.index()].value);
                let Some([first, end]) = ends else {
                    self.copy_row(target, last, bytes);
                    continue;
                };
                let byte = self.b.int_type(8);
                let [target, last] = [target, last].map(|row| self.b.offset(byte, row, first));
                let bytes = self.b.arithmetic(Op::Sub, end, first, false);
                self.copy_row(target, last, bytes);
            }
        }
    }

    /// Frees them.
    pub(crate) fn free_temporaries(&mut self) {
        if let Some(block) = self.block_of_temporaries.take() {
            let ty = self.b.function_type(self.b.void_type(), &[self.b.pointer_type()], false);
            self.b.call(ty, self.b.runtime_function("free", ty), &[block]);
        }
    }
}
