//! Sums of which every thread computes a part.
//!
//! # Problem
//! Threads may share a loop whose iterations update one element, `x = x op e`, if each of them has
//! a value of its own and these are put together behind the loop
//! ([`poly_schedule_tree::Sharing::reductions`]). The result must not depend on which thread is
//! faster.
//!
//! # Code
//! ```text
//!   parent:  n = alone ? 1 : omp_get_max_threads();
//!            char parts[n][64 * k];  memset(parts, 0, ..);
//!            start the threads
//!            for (t = 0; t < n; t++)  if (parts[t].is_there)  x = x op parts[t].value;
//!   subfn:   own = identity of op;  is_there = false;
//!            this thread's iterations, with own instead of x; is_there = true at each update
//!            parts[alone ? 0 : omp_get_thread_num()] = { own, is_there };
//! ```
//!
//! `x` is touched only if some iteration has updated it: it may not be there otherwise. The parts
//! are put together in the order of the threads' numbers, and the static schedule gives each thread
//! always the same iterations, so for a fixed number of threads the result is always the same.
//!
//! # Which loops
//! The address of `x` may depend on the loops around only. That is proven for the elements when the
//! plan is made; here the subscripts themselves must show it, since the address is computed
//! outside. Else the loop is not run by threads.

use poly_scop::{ArrayId, InstrKind, PrivateUpdate, ReductionOperator};

use crate::builder::{self, Compare, Op, Type, Value};
use crate::code::{Code, Loop, Run};
use crate::generator::Generator;
use crate::linear::Linear;
use crate::prepare::StatementCode;
use crate::statement::Instance;

/// An access that goes to a slot of the thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrivateAccess<'c> {
    statement: usize,
    accesses: [usize; 2],
    pub(crate) ty: Type<'c>,
    pub(crate) slot: Value<'c>,
    /// Slot of a truth value: the thread has executed an update.
    pub(crate) is_there: Value<'c>,
}

/// What the threads that share a loop put together.
#[derive(Debug)]
pub(crate) struct Partials<'c> {
    updates: Vec<Part<'c>>,
    /// Bytes between the parts of two threads: a line of the cache, so that they do not disturb
    /// each other.
    line: u64,
    /// Where they put it.
    memory: Option<Memory<'c>>,
}

#[derive(Clone, Debug)]
struct Part<'c> {
    update: PrivateUpdate,
    ty: Type<'c>,
}

#[derive(Clone, Copy, Debug)]
struct Memory<'c> {
    parts: Value<'c>,
    threads: Value<'c>,
    /// What was on the stack before.
    mark: Value<'c>,
}

impl Partials<'_> {
    /// There is nothing to put together.
    pub(crate) fn is_empty(&self) -> bool {
        self.updates.is_empty()
    }

    /// Bytes between the parts of two threads.
    fn stride(&self) -> u64 {
        self.line * self.updates.len() as u64
    }
}

/// The updates in a loop that go to slots of the threads.
pub(crate) fn updates_in(l: &Loop) -> Vec<&PrivateUpdate> {
    l.private.iter().filter(|update| first_run(&l.body, update.statement.index()).is_some()).collect()
}

fn first_run(code: &Code, statement: usize) -> Option<&Run> {
    match code {
        Code::Block(parts) => parts.iter().find_map(|part| first_run(part, statement)),
        Code::Loop(l) => first_run(&l.body, statement),
        Code::If { then, otherwise, .. } => {
            first_run(then, statement).or_else(|| otherwise.as_ref().and_then(|code| first_run(code, statement)))
        }
        Code::Run(run) => (run.statement == statement).then_some(run),
    }
}

/// Whether the subscripts of an update are functions of the loops around `l` only, the same ones
/// for all of its instances.
pub(crate) fn stands_still(l: &Loop, update: &PrivateUpdate, statements: &[StatementCode<'_>]) -> bool {
    let mut inside = vec![l.iter];
    let mut runs = Vec::new();
    collect(&l.body, update.statement.index(), &mut inside, &mut runs);
    let subscripts = &statements[update.statement.index()].subscripts[update.write.index()];
    let of = |run: &Run| -> Option<Vec<Linear>> {
        let coordinates = run.coordinates.iter().map(Linear::of).collect::<Option<Vec<_>>>()?;
        subscripts.iter().map(|form| Linear::of_subscript(form, &coordinates)).collect()
    };
    let all: Option<Vec<Vec<Linear>>> = runs.into_iter().map(of).collect();
    let Some(all) = all else { return subscripts.is_empty() };
    let stands = |subscript: &Linear| inside.iter().all(|&iter| subscript.slope(iter) == Some(0));
    let is_first = |(a, b): (&Linear, &Linear)| a.distance(b) == Some(0);
    all.iter().all(|own| own.iter().all(stands) && own.iter().zip(&all[0]).all(is_first))
}

/// The counters of the loops in a piece of program, and the instances of a statement.
fn collect<'a>(code: &'a Code, statement: usize, iters: &mut Vec<usize>, runs: &mut Vec<&'a Run>) {
    match code {
        Code::Block(parts) => parts.iter().for_each(|part| collect(part, statement, iters, runs)),
        Code::Loop(l) => {
            iters.push(l.iter);
            collect(&l.body, statement, iters, runs);
        }
        Code::If { then, otherwise, .. } => {
            collect(then, statement, iters, runs);
            otherwise.iter().for_each(|code| collect(code, statement, iters, runs));
        }
        Code::Run(run) if run.statement == statement => runs.push(run),
        Code::Run(_) => {}
    }
}

impl<'c> Generator<'c, '_> {
    /// The slot that an access goes to in this frame.
    pub(crate) fn private_access(&self, statement: usize, access: usize) -> Option<PrivateAccess<'c>> {
        let own = |p: &&PrivateAccess<'c>| p.statement == statement && p.accesses.contains(&access);
        self.frame.private.iter().find(own).copied()
    }

    /// In the parent, before the threads are started: memory for their parts.
    pub(crate) fn emit_partials(&mut self, l: &Loop, alone: Value<'c>) -> Partials<'c> {
        let prepared = self.prepared;
        let part = |update: &&PrivateUpdate| {
            let body = &prepared.scop.statements[update.statement.index()].body;
            let read = body.iter().find(|instr| instr.kind == InstrKind::Read(update.read));
            let ty = prepared.value(read.expect("bodies execute their accesses").value).ty();
            Part { update: (*update).clone(), ty }
        };
        let updates: Vec<Part<'c>> = updates_in(l).iter().map(part).collect();
        let mut partials = Partials { updates, line: self.prepared.options.machine.memory.line_bytes, memory: None };
        if partials.is_empty() {
            return partials;
        }
        let threads = self.emit_most_threads();
        let threads = self.b.select(alone, self.b.int(64, 1), threads);
        let bytes = self.b.arithmetic(Op::Mul, threads, self.b.int(64, i128::from(partials.stride())), true);
        let (parts, mark) = self.b.bytes_on_stack(bytes, 64);
        self.b.clear(parts, bytes);
        partials.memory = Some(Memory { parts, threads, mark });
        partials
    }

    /// The largest number of threads that a loop can be shared by.
    pub(crate) fn emit_most_threads(&mut self) -> Value<'c> {
        match self.prepared.options.num_threads {
            Some(number) => self.b.int(64, i128::from(number)),
            None => self.emit_count("omp_get_max_threads"),
        }
    }

    /// In the outlined function, before the first iteration.
    pub(crate) fn begin_partials(&mut self, partials: &Partials<'c>) {
        let function = self.frame.function;
        for part in &partials.updates {
            let slot = self.entry_alloca(function, part.ty, "poly.part");
            let is_there = self.entry_alloca(function, self.b.int_type(1), "poly.is_there");
            self.b.store(self.identity(part), slot);
            self.b.store(self.b.bool(false), is_there);
            self.frame.flags.extend([slot, is_there]);
            let PrivateUpdate { statement, read, write, .. } = part.update;
            let accesses = [read.index(), write.index()];
            self.frame.private.push(PrivateAccess {
                statement: statement.index(),
                accesses,
                ty: part.ty,
                slot,
                is_there,
            });
        }
    }

    /// In the outlined function, behind the last iteration.
    pub(crate) fn end_partials(&mut self, partials: &Partials<'c>, alone: Value<'c>) {
        let Some(memory) = partials.memory else { return };
        let number = self.emit_count("omp_get_thread_num");
        let alone = self.import(alone);
        let number = self.b.select(alone, self.b.int(64, 0), number);
        let parts = self.import(memory.parts);
        for (position, private) in self.frame.private.clone().into_iter().enumerate() {
            let (value, is_there) = self.part_addresses(partials, parts, number, position);
            let own = self.b.load(private.ty, private.slot, "");
            self.b.store(own, value);
            let own = self.b.load(self.b.int_type(1), private.is_there, "");
            self.b.store(self.b.int_cast(own, self.b.int_type(8), false), is_there);
        }
        self.frame.private.clear();
    }

    /// In the parent, when all threads have finished.
    pub(crate) fn emit_combination(&mut self, l: &Loop, partials: Partials<'c>) {
        let Some(memory) = partials.memory else { return };
        let parent = self.frame.function;
        let [combine, done] = ["combine", "combined"].map(|name| self.b.append_block(parent, &format!("poly.{name}")));
        let long = self.b.int_type(64);
        let before = self.b.block();
        self.b.branch(combine);
        self.b.at_end(combine);
        let thread = self.b.phi(long, "poly.thread");
        builder::add_incoming(thread, self.b.int(64, 0), before);
        for (position, part) in partials.updates.iter().enumerate() {
            let (value, is_there) = self.part_addresses(&partials, memory.parts, thread, position);
            let is_there = self.b.load(self.b.int_type(8), is_there, "");
            let is_there = self.b.compare(Compare::LLVMIntNE, is_there, self.b.int(8, 0));
            let [add, next] = ["part", "parted"].map(|name| self.b.append_block(parent, &format!("poly.{name}")));
            self.b.branch_if(is_there, add, next);
            self.b.at_end(add);
            let value = self.b.load(part.ty, value, "");
            self.emit_last_update(l, part, value);
            self.b.branch(next);
            self.b.at_end(next);
        }
        let next = self.b.arithmetic(Op::Add, thread, self.b.int(64, 1), true);
        builder::add_incoming(thread, next, self.b.block());
        let again = self.b.compare(Compare::LLVMIntSLT, next, memory.threads);
        self.b.branch_if(again, combine, done);
        self.b.at_end(done);
        self.b.restore_stack(memory.mark);
    }

    /// `x = x op value`, in the parent.
    fn emit_last_update(&mut self, l: &Loop, part: &Part<'c>, value: Value<'c>) {
        let PrivateUpdate { statement, write, .. } = part.update;
        let access = &self.prepared.scop.statements[statement.index()].accesses[write.index()];
        let array: ArrayId = access.array;
        let is_scalar = self.prepared.scop.arrays[array.index()].is_scalar();
        let address = if is_scalar { self.slot(array) } else { self.emit_invariant_address(l, part) };
        let old = self.b.load(part.ty, address, "");
        let new = self.emit_operation(part, old, value);
        let store = self.b.store(new, address);
        if !is_scalar {
            let alignment = self.prepared.arrays[array.index()].alignment;
            for access in [old, store] {
                builder::set_alignment(access, alignment);
                self.mark_access(access, array.index());
            }
        }
    }

    /// The address of the element, which no loop in `l` moves: any values of their counters will
    /// do.
    fn emit_invariant_address(&mut self, l: &Loop, part: &Part<'c>) -> Value<'c> {
        let PrivateUpdate { statement, write, .. } = part.update;
        let run = first_run(&l.body, statement.index()).expect("the loop has the update");
        let (mut iters, mut runs) = (vec![l.iter], Vec::new());
        collect(&l.body, statement.index(), &mut iters, &mut runs);
        let bounds = |iter: &usize| self.prepared.program.iters[*iter].map_or(0, |range| range.lo);
        let values: Vec<Value<'c>> = iters.iter().map(|iter| self.b.int(64, bounds(iter))).collect();
        for (&iter, &value) in iters.iter().zip(&values) {
            self.iters[iter] = Some(value);
        }
        let coordinates = run.coordinates.iter().map(|form| self.emit_form(form)).collect();
        let instance = Instance {
            statement: statement.index(),
            loops: &self.prepared.statements[statement.index()].loops,
            coordinates,
            ranges: self.prepared.coordinate_ranges(run),
            locals: Vec::new(),
            copied: Vec::new(),
        };
        let body = &self.prepared.scop.statements[statement.index()].body;
        let store =
            body.iter().find(|instr| instr.kind == InstrKind::Write(write)).expect("bodies execute their accesses");
        let address = self.emit_address(store, write.index(), part.ty, &instance);
        for iter in iters {
            self.iters[iter] = None;
        }
        address
    }

    /// Where a thread's part is, and whether it is there.
    fn part_addresses(
        &self,
        partials: &Partials<'c>,
        parts: Value<'c>,
        thread: Value<'c>,
        position: usize,
    ) -> (Value<'c>, Value<'c>) {
        let byte = self.b.int_type(8);
        let stride = self.b.int(64, i128::from(partials.stride()));
        let own = self.b.offset(byte, parts, self.b.arithmetic(Op::Mul, thread, stride, true));
        let first = partials.line * position as u64;
        let at = |bytes: u64| self.b.offset(byte, own, self.b.int(64, i128::from(bytes)));
        (at(first), at(first + partials.line / 2))
    }

    /// `a op b`.
    fn emit_operation(&mut self, part: &Part<'c>, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        let is_float = part.ty.is_float();
        let op = match part.update.operator {
            ReductionOperator::Add if is_float => Op::FAdd,
            ReductionOperator::Add => Op::Add,
            ReductionOperator::Mul if is_float => Op::FMul,
            ReductionOperator::Mul => Op::Mul,
            ReductionOperator::And => Op::And,
            ReductionOperator::Or => Op::Or,
            ReductionOperator::Xor => Op::Xor,
            ReductionOperator::Min | ReductionOperator::Max => {
                let call = self.copy(self.prepared.value(part.update.step));
                builder::set_operand(call, 0, a);
                builder::set_operand(call, 1, b);
                return call;
            }
        };
        self.b.arithmetic(op, a, b, false)
    }

    /// The value that changes nothing.
    fn identity(&self, part: &Part<'c>) -> Value<'c> {
        let ty = part.ty;
        if ty.is_float() {
            let step = self.prepared.value(part.update.step);
            // Infinity may be excluded; then nothing is greater than the greatest number.
            let greatest = match (step.excludes_infinity(), ty.print().as_str()) {
                (false, _) => f64::INFINITY,
                (true, "float") => f64::from(f32::MAX),
                (true, _) => f64::MAX,
            };
            return self.b.float(
                ty,
                match part.update.operator {
                    ReductionOperator::Mul => 1.0,
                    ReductionOperator::Min => greatest,
                    ReductionOperator::Max => -greatest,
                    _ => -0.0,
                },
            );
        }
        let bits = ty.integer_bits().expect("parts are numbers");
        let is_signed = self.is_signed(part);
        let all = |bits: u32| (1i128 << bits) - 1;
        let number = match part.update.operator {
            ReductionOperator::Add | ReductionOperator::Or | ReductionOperator::Xor => 0,
            ReductionOperator::Mul => 1,
            ReductionOperator::And => all(bits),
            ReductionOperator::Min => all(if is_signed { bits - 1 } else { bits }),
            ReductionOperator::Max => {
                if is_signed {
                    1i128 << (bits - 1)
                } else {
                    0
                }
            }
        };
        self.b.int(bits, number)
    }

    fn is_signed(&self, part: &Part<'c>) -> bool {
        let name = self.prepared.value(part.update.step).intrinsic_name().unwrap_or_default();
        matches!(name.as_str(), "llvm.smin" | "llvm.smax")
    }
}

/// Whether parts of this type can be kept.
pub(crate) fn is_supported(ty: Type<'_>) -> bool {
    matches!(ty.print().as_str(), "float" | "double") || matches!(ty.integer_bits(), Some(8 | 16 | 32 | 64))
}
