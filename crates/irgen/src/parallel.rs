//! Parallel loops: outlined functions run by the threads of an OpenMP runtime.
//!
//! The loop `for (i = lower; i <= upper; i += step) body` becomes, with LLVM's runtime,
//!
//! ```text
//!   parent:     if (lower <= upper) {
//!                 alone = is one iteration || is in a parallel loop already || is little work;
//!                 fill the struct;
//!                 if (alone) subfn(null, null, &struct); else __kmpc_fork_call(&ident, 1, subfn, &struct);
//!               }
//!   subfn(gtid, btid, struct):
//!               this thread's iterations
//! ```
//!
//! With GNU's runtime, `subfn` has only the struct as argument, and `GOMP_parallel` calls it. Which
//! iterations a thread has is written by [`crate::share`]; whether the loop is worth the threads is
//! estimated by [`crate::work`]; a thread that is one of several starts no further ones. The call
//! returns when all threads have finished, so the struct lives on the parent's stack. What calls
//! leave in `errno` is brought to the parent's thread by [`crate::errno`]. Scalars have slots of
//! their own in the outlined function ([`crate::privacy`] says where that is right), and so have
//! sums whose parts threads compute on their own ([`crate::partials`]).

use indexmap::IndexMap;
use poly_shim::debug::describe_function;
use poly_shim::surgery::promote_slots;

use crate::builder::{self, Compare, Value};
use crate::code::Loop;
use crate::generator::{Captures, Frame, Generator};
use crate::loops::Bounds;
use crate::options::Runtime;
use crate::partials::Partials;
use crate::share::Deal;
use crate::threads;

/// What the outlined function has to do with its parent.
struct Inside<'c, 'a> {
    /// Scalars that are copied, with their contents.
    copied: &'a [(usize, Value<'c>)],
    partials: &'a Partials<'c>,
    /// The flag for calls that fail.
    failed: Option<Value<'c>>,
    /// Whether there is only one thread.
    alone: Value<'c>,
}

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
        let alone = self.emit_runs_alone(l, bounds);
        let copied: Vec<(usize, Value<'c>)> = self.load_copied_scalars(l);
        let partials = self.emit_partials(l, alone);
        let errors = self.emit_flag_of_errors(l);
        let here = self.b.block();
        let inside = Inside { copied: &copied, partials: &partials, failed: errors.map(|(flag, _)| flag), alone };
        let (subfn, captures) = self.emit_outlined(l, bounds, inside);
        self.b.at_end(here);
        self.b.use_artificial_place(parent);
        self.emit_fork(subfn, &captures, alone);
        self.emit_combination(l, partials);
        if let Some(errors) = errors {
            self.emit_error(errors);
        }
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
        Inside { copied, partials, failed, alone }: Inside<'c, '_>,
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
            pointer: builder::argument(subfn, if self.prepared.options.runtime == Runtime::Gnu { 0 } else { 2 }),
            before: self.b.branch(begin),
        };
        let slots = vec![None; self.prepared.arrays.len()];
        let outer = std::mem::replace(
            &mut self.frame,
            Frame {
                function: subfn,
                slots,
                buffer: None,
                flags: Vec::new(),
                private: Vec::new(),
                thread: None,
                doacross: None,
                failed,
                captures: Some(captures),
            },
        );
        let outer_groups = std::mem::take(&mut self.groups);
        let outer_buffers = std::mem::take(&mut self.buffers);
        self.b.at_end(begin);
        for &(array, content) in copied {
            let content = self.import(content);
            let slot = self.slot(poly_scop::ArrayId::from(array));
            self.b.store(content, slot);
        }
        self.begin_partials(partials);
        self.number_thread_for_buffers(l, alone);
        self.allocate_panels(self.panel_bytes_of_loop(l));
        // Where parts are combined in a fixed order, each thread must always have the same ones.
        let deal = if partials.is_empty() || l.doacross { Deal::of(l, self.prepared.options) } else { Deal::BLOCKS };
        self.emit_share(l, bounds, deal, alone);
        self.free_panels();
        self.end_partials(partials, alone);
        self.b.return_void();
        let frame = std::mem::replace(&mut self.frame, outer);
        self.groups = outer_groups;
        self.buffers = outer_buffers;
        let slots: Vec<Value<'c>> = frame.slots.into_iter().flatten().chain(frame.flags).collect();
        promote_slots(subfn, &slots);
        debug_assert_eq!(self.frame.function, parent);
        (subfn, frame.captures.expect("outlined functions have captures"))
    }

    fn declare_outlined(&mut self) -> Value<'c> {
        let parent = self.frame.function;
        let pointer = self.b.pointer_type();
        let arguments = match self.prepared.options.runtime {
            Runtime::Llvm => vec![pointer; 3],
            Runtime::Gnu => vec![pointer],
        };
        let ty = self.b.function_type(self.b.void_type(), &arguments, false);
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

    /// Fills the struct and starts the threads, or none.
    fn emit_fork(&mut self, subfn: Value<'c>, captures: &Captures<'c>, alone: Value<'c>) {
        let parent = self.frame.function;
        let byte = self.b.int_type(8);
        let shared = self.entry_alloca(parent, self.b.array_type(byte, captures.size.max(1)), "poly.shared");
        builder::set_alignment(shared, captures.alignment);
        for (&value, &(offset, _)) in &captures.values {
            let address = self.b.offset(byte, shared, self.b.int(64, i128::from(offset)));
            self.b.store(value, address);
        }
        let [one, all, joined] =
            ["alone", "threads", "joined"].map(|name| self.b.append_block(parent, &format!("poly.{name}")));
        self.b.branch_if(alone, one, all);
        self.b.at_end(one);
        let (pointer, void) = (self.b.pointer_type(), self.b.void_type());
        let nothing = self.b.null(pointer);
        let (arguments, types) = match self.prepared.options.runtime {
            Runtime::Llvm => (vec![nothing, nothing, shared], vec![pointer; 3]),
            Runtime::Gnu => (vec![shared], vec![pointer]),
        };
        self.b.call(self.b.function_type(void, &types, false), subfn, &arguments);
        self.b.branch(joined);
        self.b.at_end(all);
        threads::fork(&self.b, self.prepared.options, subfn, shared);
        self.b.branch(joined);
        self.b.at_end(joined);
    }

    /// The `ident_t` that runtime calls refer to.
    pub(crate) fn ident(&self) -> Value<'c> {
        threads::ident(&self.b)
    }
}
