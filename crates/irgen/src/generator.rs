//! The state of code generation, and its course.
//!
//! # Frames
//! Code is written into the region's function or, inside a parallel loop, into an outlined one; a
//! [`Frame`] is what belongs to one of them. A value of the region's function that outlined code
//! needs is *captured*: stored into a struct before the call, loaded at the beginning of the
//! outlined function ([`Generator::import`]).
//!
//! # Slots
//! A scalar lives in a stack slot of its frame; each access is a load or store. At the end the
//! slots become values and PHI nodes.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use poly_scop::{ArrayId, Plan};
use poly_shim::surgery::promote_slots;
use poly_shim::write::MetadataRef;
use poly_shim::{Bindings, PassContext};

use crate::CodegenError;
use crate::alias::AliasScopes;
use crate::builder::{self, Block, Builder, Compare, Op, Type, Value};
use crate::code::Code;
use crate::doacross::Doacross;
use crate::form::{Evaluation, Form, Test, Var};
use crate::interval::Interval;
use crate::lane_guard::LaneCount;
use crate::options::{CodegenOptions, Generated};
use crate::pack::{Buffer, Packing};
use crate::partials::PrivateAccess;
use crate::prepare::{Prepared, Source};
use crate::region::{self, Skeleton};
use crate::statement::Instance;

/// The function that code is being written into.
#[derive(Debug)]
pub(crate) struct Frame<'c> {
    pub(crate) function: Value<'c>,
    /// By array.
    pub(crate) slots: Vec<Option<Value<'c>>>,
    /// What packed operands are copied to.
    pub(crate) buffer: Option<Buffer<'c>>,
    /// Slots of flags.
    pub(crate) flags: Vec<Value<'c>>,
    /// Accesses of updates that go to slots of the thread.
    pub(crate) private: Vec<PrivateAccess<'c>>,
    /// For an outlined function with local buffers: the number of the thread.
    pub(crate) thread: Option<Value<'c>>,
    /// For an outlined function with a DOACROSS loop: what that is.
    pub(crate) doacross: Option<Doacross<'c>>,
    /// For an outlined function: the parent's flag for calls that fail, if there are such.
    pub(crate) failed: Option<Value<'c>>,
    /// For an outlined function: values of the parent and what they are here.
    pub(crate) captures: Option<Captures<'c>>,
}

/// The values that an outlined function gets in a struct.
#[derive(Debug)]
pub(crate) struct Captures<'c> {
    /// By value of the parent: byte offset in the struct and the value here.
    pub(crate) values: IndexMap<Value<'c>, (u64, Value<'c>)>,
    /// Bytes used.
    pub(crate) size: u64,
    /// What the struct's address must be a multiple of.
    pub(crate) alignment: u32,
    /// The struct.
    pub(crate) pointer: Value<'c>,
    /// Loads stand before this instruction.
    pub(crate) before: Value<'c>,
}

/// The state of code generation.
#[derive(Debug)]
pub(crate) struct Generator<'c, 'p> {
    pub(crate) prepared: &'p Prepared<'c, 'p>,
    pub(crate) b: Builder<'c>,
    pub(crate) frame: Frame<'c>,
    /// Values of the parameters, and of the tile sizes behind them, as 64-bit integers, in the
    /// region's function; none while they wait for a load.
    params: Vec<Option<Value<'c>>>,
    /// Instructions of the region that are executed before it, with their results in new code.
    loaded: IndexMap<Value<'c>, Value<'c>>,
    /// By load before the region: its address.
    addresses: Vec<Value<'c>>,
    /// What LLVM has expanded, by expression.
    pub(crate) expansions: IndexMap<*const std::ffi::c_void, Value<'c>>,
    /// Values of the loop counters around the builder's place.
    pub(crate) iters: Vec<Option<Value<'c>>>,
    pub(crate) alias: AliasScopes<'c>,
    /// Access groups of the coincident loops around the builder's place.
    pub(crate) groups: Vec<MetadataRef<'c>>,
    pub(crate) outlined: Vec<Value<'c>>,
    /// By array: where temporaries are, in the region's function.
    pub(crate) temporaries: BTreeMap<usize, Value<'c>>,
    /// By array: the bytes that each thread's copy of a local buffer has, where threads have such.
    pub(crate) bytes_of_threads: BTreeMap<usize, Value<'c>>,
    /// By array: the slot of the frame with the address of the element of a local buffer with all
    /// subscripts 0.
    pub(crate) buffers: BTreeMap<usize, Value<'c>>,
    /// The block that they are in.
    pub(crate) block_of_temporaries: Option<Value<'c>>,
    /// The block from which the original code is entered first, if it is not the check's.
    pub(crate) first_entry: Option<Block<'c>>,
    /// Operands of register tiles may be packed.
    pub(crate) packs: bool,
    /// While inspections are written: the original code, and the blocks that branch to it so far.
    /// What whole loops in lanes count.
    pub(crate) lane_counts: Vec<LaneCount<'c>>,
    pub(crate) stops: Option<(Block<'c>, Vec<Block<'c>>)>,
    /// What is packed for tiles in the innermost loop around the builder's place.
    pub(crate) packing: Option<Packing<'c>>,
}

/// The bindings with the values that only the plan has, each bound to one of the same type.
fn with_copies<'c>(bindings: &Bindings<'c>, plan: &Plan) -> Bindings<'c> {
    let mut result = bindings.clone();
    for (copy, original) in &plan.scop.copies {
        let original = bindings.values[original.index()];
        if copy.index() >= result.values.len() {
            result.values.resize(copy.index() + 1, original);
        }
        result.values[copy.index()] = original;
    }
    result
}

/// Writes the code of a plan beside the region it was made from.
///
/// Analyses of the function must be fresh; all are outdated afterwards, as are the bindings.
pub fn generate<'c>(
    cx: PassContext<'c>,
    plan: &Plan,
    bindings: &Bindings<'c>,
    options: &CodegenOptions,
) -> Result<Generated<'c>, CodegenError> {
    let extended = with_copies(bindings, plan);
    let bindings = &extended;
    let prepared = Prepared::new(cx, plan, bindings, options)?;
    let mut skeleton = region::insert(&prepared);
    let b = Builder::new(cx);
    b.use_artificial_place(bindings.function);
    let mut generator = Generator {
        prepared: &prepared,
        frame: Frame {
            function: bindings.function,
            slots: vec![None; plan.scop.arrays.len()],
            buffer: None,
            flags: Vec::new(),
            private: Vec::new(),
            thread: None,
            doacross: None,
            failed: None,
            captures: None,
        },
        params: vec![None; prepared.program.params.len()],
        loaded: IndexMap::new(),
        addresses: Vec::new(),
        expansions: std::mem::take(&mut skeleton.expansions),
        iters: vec![None; prepared.program.iters.len()],
        alias: AliasScopes::none(plan.scop.arrays.len()),
        groups: Vec::new(),
        outlined: Vec::new(),
        temporaries: BTreeMap::new(),
        bytes_of_threads: BTreeMap::new(),
        buffers: BTreeMap::new(),
        block_of_temporaries: None,
        first_entry: None,
        packs: false,
        lane_counts: Vec::new(),
        stops: None,
        packing: None,
        b,
    };
    let versioned = generator.emit_check(&skeleton);
    generator.count("new code");
    for (start, _) in &bindings.lifetimes {
        generator.emit_mark(*start);
    }
    generator.load_tile_sizes();
    generator.alias = AliasScopes::declare(cx, &generator.b, &plan.scop, &prepared.overlapping);
    generator.packs = generator.may_allocate();
    generator.allocate_panels(generator.panel_bytes(&prepared.program.code));
    generator.emit_code(&prepared.program.code);
    generator.free_panels();
    for end in bindings.lifetimes.iter().filter_map(|(_, end)| *end) {
        generator.emit_mark(end);
    }
    generator.finish(&skeleton);
    let outlined = generator.outlined.clone();
    drop(generator);
    verify(bindings.function, &outlined)?;
    Ok(Generated { versioned, outlined })
}

fn verify(function: Value<'_>, outlined: &[Value<'_>]) -> Result<(), CodegenError> {
    for f in std::iter::once(&function).chain(outlined) {
        f.verify().map_err(|message| CodegenError::Invalid { message })?;
    }
    Ok(())
}

/// The frame of the new code.
impl<'c> Generator<'c, '_> {
    /// Writes the run-time check; the builder is then at the beginning of the new code. Whether the
    /// original code can still run.
    fn emit_check(&mut self, skeleton: &Skeleton<'c>) -> bool {
        let prepared = self.prepared;
        self.b.at_end(skeleton.check);
        builder::erase(skeleton.check.terminator());
        let stages = prepared.check.stages();
        let optimized = self.b.append_block(self.frame.function, "poly.opt");
        builder::move_block_before(optimized, skeleton.merge);
        self.emit_params();
        let mut is_guarded = self.emit_loads(optimized, skeleton);
        if let Some(reached) = prepared.check.emit_least(&self.b, &self.params) {
            let next = self.b.append_block(self.frame.function, "poly.check");
            builder::move_block_before(next, optimized);
            self.branch_to_new(reached, next, skeleton, is_guarded);
            self.b.at_end(next);
            is_guarded = true;
        }
        if stages.has_condition {
            let condition = prepared.check.emit_condition(&self.b, &self.params);
            if prepared.options.trace_versions {
                self.count_first_failure(&prepared.check.emit_parts(&self.b, &self.params));
            }
            let next = if stages.has_disjoint {
                let next = self.b.append_block(self.frame.function, "poly.check.alias");
                builder::move_block_before(next, optimized);
                next
            } else {
                optimized
            };
            self.branch_to_new(condition, next, skeleton, is_guarded);
            self.b.at_end(next);
        }
        if stages.has_disjoint {
            let base = |array: usize| self.emit_base(ArrayId::from(array));
            let disjoint = prepared.check.emit_disjoint(&self.b, &self.params, &base, optimized);
            self.count_first_failure(&disjoint.parts);
            let further = is_guarded || stages.has_condition;
            self.branch_to_new(disjoint.holds, optimized, skeleton, further);
            if !further {
                self.enter_first_from(self.b.block(), skeleton);
            }
        }
        let is_tested = stages.has_condition || stages.has_disjoint;
        if !is_tested {
            // The last of the loads, if there are any, has its guard before it and nothing behind
            // it.
            self.b.branch(optimized);
        }
        let versioned = is_guarded || is_tested;
        self.b.at_end(optimized);
        let versioned = self.emit_inspection(skeleton, versioned);
        if let Some(room) = self.emit_room() {
            self.count_unless(room.is_sane, "temporaries would be too large");
            self.branch_behind_check(room.is_sane, "poly.room", skeleton, versioned);
            let exists = self.allocate_temporaries(room);
            self.count_unless(exists, "there is no memory");
            self.branch_behind_check(exists, "poly.ready", skeleton, true);
            self.emit_beginnings();
            return true;
        }
        if !versioned {
            region::disconnect(skeleton);
        }
        versioned
    }

    /// Where an array begins that is checked for overlap.
    fn emit_base(&self, array: ArrayId) -> Value<'c> {
        let prepared = self.prepared;
        if let Some(load) = prepared.scop.load_of(array) {
            return self.emit_frozen(self.addresses[load.index()]);
        }
        if prepared.scop.arrays[array.index()].is_errno_object() {
            let name = prepared.cx.errno_location().expect("this has been asked before the first change");
            let ty = self.b.function_type(self.b.pointer_type(), &[], false);
            return self.b.call(ty, self.b.runtime_function(&name, ty), &[]);
        }
        self.emit_frozen(self.loaded_value(prepared.arrays[array.index()].value))
    }

    /// Goes on in a new block if the condition holds, else to the original.
    fn branch_behind_check(&mut self, condition: Value<'c>, name: &str, skeleton: &Skeleton<'c>, further: bool) {
        let here = self.b.block();
        let next = self.b.append_block(self.frame.function, name);
        builder::move_block_before(next, skeleton.merge);
        self.branch_to_new(condition, next, skeleton, further);
        if !further {
            self.enter_first_from(here, skeleton);
        }
        self.b.at_end(next);
    }

    /// The first branch to the original code is one of this block, which need not be the check's.
    pub(crate) fn enter_first_from(&mut self, block: Block<'c>, skeleton: &Skeleton<'c>) {
        region::rename_check(skeleton, block);
        self.first_entry = Some(block);
    }

    /// `br condition, new, original`; for a `further` branch the original's PHI nodes get one more
    /// edge.
    fn branch_to_new(&mut self, condition: Value<'c>, new: Block<'c>, skeleton: &Skeleton<'c>, further: bool) {
        let here = self.b.block();
        let branch = self.b.branch_if(condition, new, skeleton.original);
        if self.prepared.options.outline {
            branch.mark_new_code();
        }
        if further {
            self.add_edge_to_original(skeleton, here);
        }
    }

    /// The original's PHI nodes get one more edge, from this block, with the values that they get
    /// from the check.
    pub(crate) fn add_edge_to_original(&self, skeleton: &Skeleton<'c>, here: Block<'c>) {
        for phi in skeleton.original.phis() {
            let first = self.first_entry.unwrap_or(skeleton.check);
            let known = phi.incoming().into_iter().find(|(from, _)| *from == first);
            let (_, value) = known.expect("the original code was entered from the check");
            builder::add_incoming(phi, value, here);
        }
    }

    /// Executes the loads that come before the region, each behind its guard. Whether there are
    /// guards.
    fn emit_loads(&mut self, optimized: Block<'c>, skeleton: &Skeleton<'c>) -> bool {
        let prepared = self.prepared;
        let mut is_guarded = false;
        for (number, load) in prepared.loads.iter().enumerate() {
            if let Some(guard) = prepared.check.emit_load_guard(&self.b, &self.params, number) {
                self.count_unless(guard, "a value that would be loaded before is not loaded for sure");
                let next = self.b.append_block(self.frame.function, "poly.load");
                builder::move_block_before(next, optimized);
                self.branch_to_new(guard, next, skeleton, is_guarded);
                is_guarded = true;
                self.b.at_end(next);
            }
            let address = self.emit_scev(load.address, &Instance::outside());
            let value = self.b.load(load.sites[0].ty(), address, &load.sites[0].name());
            builder::set_alignment(value, load.alignment);
            let value = self.emit_frozen(value);
            self.addresses.push(address);
            self.loaded.extend(load.sites.iter().chain(&load.phis).map(|&same| (same, value)));
            is_guarded |= self.emit_comparison(value, &load.known, optimized, (skeleton, is_guarded));
            self.emit_params();
        }
        is_guarded
    }

    /// Goes on only if what was loaded is what the program has loaded before. Whether there is
    /// something to compare.
    fn emit_comparison(
        &mut self,
        loaded: Value<'c>,
        known: &[Value<'c>],
        optimized: Block<'c>,
        (skeleton, further): (&Skeleton<'c>, bool),
    ) -> bool {
        let equal = known.iter().map(|&value| {
            let value = self.emit_frozen(value);
            self.b.compare(Compare::LLVMIntEQ, loaded, value)
        });
        let equal: Vec<Value<'c>> = equal.collect();
        let Some(equal) = equal.into_iter().reduce(|all, next| self.b.arithmetic(Op::And, all, next, false)) else {
            return false;
        };
        self.count_unless(equal, "a value has changed since it was loaded");
        let next = self.b.append_block(self.frame.function, "poly.same");
        builder::move_block_before(next, optimized);
        self.branch_to_new(equal, next, skeleton, further);
        self.b.at_end(next);
        true
    }

    /// Gives values to the parameters that do not depend on loads still to be executed, as 64-bit
    /// integers. What may be poison is frozen, as base pointers are: the check must not branch on
    /// poison where the original did not.
    fn emit_params(&mut self) {
        let prepared = self.prepared;
        let wide = self.b.int_type(64);
        for (number, (param, &scev)) in prepared.scop.params.iter().zip(&prepared.bindings.params).enumerate() {
            let waits = |value: Value<'c>| {
                let is_loaded = prepared.loads.iter().any(|load| load.sites.contains(&value));
                is_loaded && !self.loaded.contains_key(&value)
            };
            if self.params[number].is_some() || scev.values().into_iter().any(waits) {
                continue;
            }
            let value = self.emit_scev(scev, &Instance::outside());
            let wide = self.b.int_cast(value, wide, !param.unsigned);
            self.params[number] = Some(self.emit_frozen(wide));
        }
    }

    /// Gives a value to a parameter that is a tile size.
    pub(crate) fn set_tile_size(&mut self, param: usize, size: Value<'c>) {
        self.params[param] = Some(size);
    }

    /// What new code has in place of a value of the region that is loaded before it; other values
    /// as they are.
    fn loaded_value(&self, value: Value<'c>) -> Value<'c> {
        self.loaded.get(&value).copied().unwrap_or(value)
    }

    /// A copy of the mark of a lifetime.
    fn emit_mark(&mut self, mark: Value<'c>) {
        let copy = mark.clone_instruction();
        self.b.insert(copy);
        copy.keep_metadata(self.prepared.cx, &[]);
    }

    /// The value, or any value if it is poison.
    pub(crate) fn emit_frozen(&self, value: Value<'c>) -> Value<'c> {
        let certain = value.is_constant() && !value.is_undef();
        if certain || self.prepared.cx.is_never_poison(value, None) { value } else { self.b.freeze(value) }
    }

    /// Connects the end of the new code with what follows the region.
    fn finish(&mut self, skeleton: &Skeleton<'c>) {
        for &(phi, source) in &skeleton.merged {
            let value = match source {
                Source::Same(value) => self.loaded_value(value),
                Source::Scev(scev) => self.emit_scev(scev, &Instance::outside()),
                Source::Scalar(array) => {
                    let slot = self.slot(array);
                    self.b.load(phi.ty(), slot, "")
                }
            };
            builder::add_incoming(phi, value, self.b.block());
        }
        self.emit_results();
        self.free_temporaries();
        self.b.branch(skeleton.merge);
        let slots = self.frame.slots.iter().flatten().chain(&self.frame.flags);
        let slots: Vec<Value<'c>> = slots.copied().collect();
        promote_slots(self.frame.function, &slots);
    }
}

/// Values.
impl<'c> Generator<'c, '_> {
    /// A value of the region's function as it is known in the frame. Addresses of thread-local
    /// variables are those of the thread that entered the region.
    pub(crate) fn import(&mut self, value: Value<'c>) -> Value<'c> {
        let value = self.loaded_value(value);
        let Some(captures) = &mut self.frame.captures else { return value };
        let is_same_here = match builder::owner(value) {
            Some(owner) => owner == self.frame.function,
            None => !value.is_thread_bound(),
        };
        if is_same_here {
            return value;
        }
        captures.get(self.prepared.cx, &self.b, value)
    }

    /// The slot of a scalar in the frame.
    pub(crate) fn slot(&mut self, array: ArrayId) -> Value<'c> {
        if let Some(slot) = self.frame.slots[array.index()] {
            return slot;
        }
        let ty = self.prepared.arrays[array.index()].value.ty();
        let slot = self.entry_alloca(self.frame.function, ty, &self.prepared.scop.arrays[array.index()].name);
        self.frame.slots[array.index()] = Some(slot);
        slot
    }

    /// A stack slot at the beginning of a function.
    pub(crate) fn entry_alloca(&self, function: Value<'c>, ty: Type<'c>, name: &str) -> Value<'c> {
        let entry = Builder::new(self.prepared.cx);
        entry.before(builder::entry_block(function).first_insertion_point());
        entry.use_artificial_place(function);
        entry.alloca(ty, name)
    }

    /// A parameter or loop counter.
    pub(crate) fn variable(&mut self, var: Var) -> Value<'c> {
        let value = match var {
            Var::Param(p) => self.params[p].expect("all loads have been executed"),
            Var::Iter(i) => self.iters[i].expect("counters are used inside of their loop"),
            Var::Coordinate(_) => unreachable!("coordinates belong to instances"),
        };
        self.import(value)
    }

    /// The value of a form over parameters and loop counters.
    pub(crate) fn emit_form(&mut self, form: &Form) -> Value<'c> {
        form.emit(&mut InProgram { generator: self })
    }

    pub(crate) fn emit_test(&mut self, test: &Test) -> Value<'c> {
        test.emit(&mut InProgram { generator: self })
    }

    /// Writes a piece of program.
    pub(crate) fn emit_code(&mut self, code: &Code) {
        match code {
            Code::Block(parts) => parts.iter().for_each(|c| self.emit_code(c)),
            Code::Loop(l) => self.emit_loop(l),
            Code::If { test, then, otherwise } => self.emit_if(test, then, otherwise.as_deref()),
            Code::Run(run) => self.emit_run(run),
        }
    }
}

impl<'c> Captures<'c> {
    /// The value of the parent, loaded at the beginning of the outlined function.
    pub(crate) fn get(&mut self, cx: PassContext<'c>, b: &Builder<'c>, value: Value<'c>) -> Value<'c> {
        if let Some(&(_, known)) = self.values.get(&value) {
            return known;
        }
        let ty = value.ty();
        let size = cx.alloc_size(ty).expect("values that are captured have a size");
        let alignment = cx.abi_alignment(ty);
        self.alignment = self.alignment.max(alignment);
        let offset = self.size.next_multiple_of(u64::from(alignment));
        self.size = offset + size;
        let here = b.block();
        b.before(self.before);
        b.use_artificial_place(self.before.block().expect("instructions stand in blocks").function());
        let address = b.offset(b.int_type(8), self.pointer, b.int(64, i128::from(offset)));
        let loaded = b.load(ty, address, &value.name());
        b.at_end(here);
        self.values.insert(value, (offset, loaded));
        loaded
    }
}

/// Forms over parameters and loop counters.
struct InProgram<'g, 'c, 'p> {
    generator: &'g mut Generator<'c, 'p>,
}

impl<'c> Evaluation<'c> for InProgram<'_, 'c, '_> {
    fn builder(&self) -> &Builder<'c> {
        &self.generator.b
    }

    fn bits(&self) -> u32 {
        64
    }

    fn value(&mut self, var: Var) -> Value<'c> {
        self.generator.variable(var)
    }

    fn range(&self, var: Var) -> Interval {
        self.generator.prepared.program.range(var)
    }
}
