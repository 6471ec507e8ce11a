//! Parallel loops: outlined functions run by the threads of LLVM's OpenMP runtime.
//!
//! The loop `for (i = lower; i <= upper; i += step) body` becomes
//!
//! ```text
//!   parent:     if (lower <= upper) { fill the struct; __kmpc_fork_call(&ident, 1, subfn, &struct); }
//!   subfn(gtid, btid, struct):
//!               first = lower; last = upper;
//!               __kmpc_for_static_init_8(&ident, *gtid, 34, .., &first, &last, .., step, 1);
//!               for (i = max(first, lower); i <= min(last, upper); i += step) body
//!               __kmpc_for_static_fini(&ident, *gtid);
//! ```
//!
//! with schedule 34 = static, one block of iterations a thread. The call returns when all threads have finished, so the struct lives on the parent's
//! stack. Scalars have slots of their own in the outlined function ([`crate::privacy`] says where that is right).

use indexmap::IndexMap;
use poly_shim::debug::describe_function;
use poly_shim::surgery::promote_slots;

use crate::builder::{self, Compare, Value};
use crate::code::Loop;
use crate::generator::{Captures, Frame, Generator};
use crate::loops::Bounds;

/// `kmp_sch_static`.
const STATIC_SCHEDULE: i128 = 34;
/// `ident_t::flags`: the location describes a call made by a compiler for LLVM's runtime.
const FLAG_KMPC: i128 = 2;

impl<'c> Generator<'c, '_> {
    /// Writes a loop that all threads run together.
    pub(crate) fn emit_parallel(&mut self, l: &Loop, bounds: Bounds<'c>) {
        let parent = self.frame.function;
        let fork = self.b.append_block(parent, &format!("poly.c{}.fork", l.iter));
        let after = self.b.append_block(parent, &format!("poly.c{}.join", l.iter));
        if bounds.is_entered {
            self.b.branch(fork);
        } else {
            let runs = self.b.compare(Compare::LLVMIntSLE, bounds.lower, bounds.upper);
            self.b.branch_if(runs, fork, after);
        }
        self.b.at_end(fork);
        let copied: Vec<(usize, Value<'c>)> = self.load_copied_scalars(l);
        let (subfn, captures) = self.emit_outlined(l, bounds, &copied);
        self.b.at_end(fork);
        self.b.use_artificial_place(parent);
        self.emit_fork(subfn, &captures);
        self.b.branch(after);
        self.b.at_end(after);
        self.outlined.push(subfn);
        parent.drop_inferred_effects();
    }

    /// The contents of the scalars that threads get copies of.
    fn load_copied_scalars(&mut self, l: &Loop) -> Vec<(usize, Value<'c>)> {
        let prepared = self.prepared;
        let mut result = Vec::new();
        for &array in &prepared.parallel[&l.iter] {
            let slot = self.slot(array);
            let ty = prepared.arrays[array.index()].value.ty();
            result.push((array.index(), self.b.load(ty, slot, "")));
        }
        result
    }

    /// Writes the outlined function; the builder's place is lost.
    fn emit_outlined(
        &mut self,
        l: &Loop,
        bounds: Bounds<'c>,
        copied: &[(usize, Value<'c>)],
    ) -> (Value<'c>, Captures<'c>) {
        let parent = self.frame.function;
        let subfn = self.declare_outlined();
        let entry = self.b.append_block(subfn, "entry");
        let begin = self.b.append_block(subfn, "poly.begin");
        self.b.at_end(entry);
        self.b.use_artificial_place(subfn);
        let captures = Captures {
            values: IndexMap::new(),
            size: 0,
            alignment: 16,
            pointer: builder::argument(subfn, 2),
            before: self.b.branch(begin),
        };
        let slots = vec![None; self.prepared.arrays.len()];
        let outer = std::mem::replace(
            &mut self.frame,
            Frame { function: subfn, slots, buffer: None, flags: Vec::new(), captures: Some(captures) },
        );
        let outer_groups = std::mem::take(&mut self.groups);
        self.b.at_end(begin);
        for &(array, content) in copied {
            let content = self.import(content);
            let slot = self.slot(poly_scop::ArrayId::from(array));
            self.b.store(content, slot);
        }
        self.allocate_panels(self.panel_bytes_of_loop(l));
        self.emit_share(l, bounds);
        self.free_panels();
        self.b.return_void();
        let frame = std::mem::replace(&mut self.frame, outer);
        self.groups = outer_groups;
        let slots: Vec<Value<'c>> = frame.slots.into_iter().flatten().chain(frame.flags).collect();
        promote_slots(subfn, &slots);
        debug_assert_eq!(self.frame.function, parent);
        (subfn, frame.captures.expect("outlined functions have captures"))
    }

    /// This thread's part of the iterations.
    fn emit_share(&mut self, l: &Loop, bounds: Bounds<'c>) {
        let subfn = self.frame.function;
        let (int, long, pointer) = (self.b.int_type(32), self.b.int_type(64), self.b.pointer_type());
        let (lower, upper) = (self.import(bounds.lower), self.import(bounds.upper));
        let step = self.b.int(64, l.step);
        let slot = |g: &Self, ty, name, content| {
            let slot = g.entry_alloca(subfn, ty, name);
            g.b.store(content, slot);
            slot
        };
        let is_last = slot(self, int, "poly.is_last", self.b.int(32, 0));
        let first = slot(self, long, "poly.first", lower);
        let last = slot(self, long, "poly.last", upper);
        let stride = slot(self, long, "poly.stride", step);
        let thread = self.b.load(int, builder::argument(subfn, 0), "poly.thread");
        let ident = self.ident();
        let void = self.b.void_type();
        let init =
            self.b.function_type(void, &[pointer, int, int, pointer, pointer, pointer, pointer, long, long], false);
        let schedule = self.b.int(32, STATIC_SCHEDULE);
        let arguments = [ident, thread, schedule, is_last, first, last, stride, step, self.b.int(64, 1)];
        self.b.call(init, self.b.runtime_function("__kmpc_for_static_init_8", init), &arguments);
        let first = self.b.load(long, first, "");
        let first = self.b.intrinsic("llvm.smax", &[long], &[first, lower]); // it is; LLVM does not know
        let last = self.b.load(long, last, "");
        let last = self.b.intrinsic("llvm.smin", &[long], &[last, upper]);
        self.emit_counted(l, Bounds { lower: first, upper: last, is_entered: false });
        let fini = self.b.function_type(void, &[pointer, int], false);
        self.b.call(fini, self.b.runtime_function("__kmpc_for_static_fini", fini), &[ident, thread]);
    }

    fn declare_outlined(&mut self) -> Value<'c> {
        let parent = self.frame.function;
        let pointer = self.b.pointer_type();
        let ty = self.b.function_type(self.b.void_type(), &[pointer, pointer, pointer], false);
        let mut number = self.outlined.len();
        let name = loop {
            let name = format!("{}_poly_subfn_{number}", parent.name());
            if !self.b.has_function(&name) {
                break name;
            }
            number += 1;
        };
        let subfn = self.b.internal_function(&name, ty);
        parent.copy_codegen_attributes(subfn);
        self.b.add_function_attribute(subfn, "nounwind");
        subfn.set_function_attribute("poly.subfn", "");
        describe_function(parent, subfn);
        subfn
    }

    /// Fills the struct and starts the threads.
    fn emit_fork(&mut self, subfn: Value<'c>, captures: &Captures<'c>) {
        let parent = self.frame.function;
        let byte = self.b.int_type(8);
        let shared = self.entry_alloca(parent, self.b.array_type(byte, captures.size.max(1)), "poly.shared");
        builder::set_alignment(shared, captures.alignment);
        for (&value, &(offset, _)) in &captures.values {
            let address = self.b.offset(byte, shared, self.b.int(64, i128::from(offset)));
            self.b.store(value, address);
        }
        let ident = self.ident();
        let (int, pointer, void) = (self.b.int_type(32), self.b.pointer_type(), self.b.void_type());
        if let Some(threads) = self.prepared.options.num_threads {
            let number = self.b.function_type(int, &[pointer], false);
            let thread = self.b.call(number, self.b.runtime_function("__kmpc_global_thread_num", number), &[ident]);
            let push = self.b.function_type(void, &[pointer, int, int], false);
            let threads = self.b.int(32, i128::from(threads));
            self.b.call(push, self.b.runtime_function("__kmpc_push_num_threads", push), &[ident, thread, threads]);
        }
        let fork = self.b.function_type(void, &[pointer, int, pointer], true);
        let one = self.b.int(32, 1);
        self.b.call(fork, self.b.runtime_function("__kmpc_fork_call", fork), &[ident, one, subfn, shared]);
    }

    /// The `ident_t` that runtime calls refer to.
    fn ident(&self) -> Value<'c> {
        let text = self.b.private_constant("poly.location", self.b.string_constant(";unknown;unknown;0;0;;"), 1);
        let zero = self.b.int(32, 0);
        let fields = [zero, self.b.int(32, FLAG_KMPC), zero, self.b.int(32, 22), text];
        self.b.private_constant("poly.ident", self.b.struct_constant(&fields), 8)
    }
}
