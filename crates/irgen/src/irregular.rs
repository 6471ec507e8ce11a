//! Loops that depend on themselves through index arrays: an inspector and an executor for the
//! run-time library.
//!
//! # What is written
//! ```text
//!   before:    if (poly_rt_enter == null || there are few iterations) goto original;        // weak: not linked
//!   ask:       fill the values;
//!              action = poly_rt_enter(&call, &nest, values, iterations, &threads);
//!              if (action == 2) goto run;
//!   original:  the loop, as it was
//!   measured:  if (action == 1) poly_rt_leave(&call);
//!              goto joined;
//!   run:       all threads: poly_rt_run(&call, thread, threads);
//!              poly_rt_leave(&call);
//!   joined:    what comes behind the loop
//! ```
//!
//! The nest is a constant with tables and three functions, which [`copies`] writes. What the
//! library does with them is in its own documentation (`crates/runtime`); types here must be those
//! of its `interface.rs`.

mod apart;
mod chain;
mod copies;
mod reads;
mod sweeps;

pub use apart::generate_apart;
pub use sweeps::generate_sweeps;

use poly_runtime::{CALL_BYTES, FEW, FLAG_FORCE, MEASURE, NO_BASE, ROLE_SCALAR, RUN, SAME_WORD};
use poly_shim::debug::describe_function;
use poly_shim::expand::Expander;
use poly_shim::{Counter, IrregularNest, PassContext, Role, ScevRef, SiteKind};

use crate::builder::{self, Block, Builder, Compare, Op, Type, Value};
use crate::error::CodegenError;
use crate::options::{CodegenOptions, Runtime};
use crate::threads;

/// Writes the inspector, the executor and the call of the library. The function was not changed if
/// the result is false.
pub fn generate_irregular<'c>(
    cx: PassContext<'c>,
    nest: &IrregularNest<'c>,
    options: &CodegenOptions,
    is_forced: bool,
) -> Result<bool, CodegenError> {
    let (Some(preheader), Some(latch), Some(exit)) =
        (nest.outer.preheader(), nest.outer.latch(), nest.outer.exit_block())
    else {
        return Ok(false);
    };
    let mut expander = Expander::new(cx);
    let at = preheader.terminator();
    let expanded: Vec<ScevRef<'c>> = nest.counters.iter().filter_map(first_address).collect();
    let is_safe = |scev: &ScevRef<'c>| expander.is_safe_at(*scev, at);
    let b = Builder::new(cx);
    if !expanded.iter().chain([&nest.backedges]).all(is_safe) || !has_library(&b) {
        return Ok(false);
    }
    let backedges = expander.expand_own(nest.backedges, at);
    let addresses: Vec<Value<'c>> = expanded.iter().map(|scev| expander.expand_own(*scev, at)).collect();
    drop(expander);
    let parent = preheader.function();
    let mut values: Vec<Value<'c>> = nest.values.iter().map(|(value, _)| *value).collect();
    values.extend(&addresses);
    let inspect = copies::inspector(cx, nest, &values);
    let functions = [inspect, copies::writes(cx, nest, &values), copies::executor(cx, nest, &values)];
    let table = table(&b, nest, functions, values.len(), options, is_forced);
    // The library says no to fewer, too.
    let fewest = if is_forced { 0 } else { i128::from(FEW) - 1 };
    let call = Call { b, parent, options, values, table, backedges, fewest };
    call.write(cx, (preheader, latch, exit), nest);
    parent.drop_inferred_effects();
    for function in functions.into_iter().chain([parent]) {
        function.verify().map_err(|message| CodegenError::Invalid { message })?;
    }
    Ok(true)
}

/// The address in the first iteration of a load that hands its value on.
fn first_address<'c>(counter: &Counter<'c>) -> Option<ScevRef<'c>> {
    match *counter {
        Counter::Loaded { address, .. } => Some(address),
        Counter::Sum { .. } => None,
    }
}

/// The library's number for what a site does.
fn kind<'c>(of: &poly_shim::Site<'c>, counters: &[Counter<'c>]) -> u64 {
    let hands_on = |counter: &Counter<'c>| matches!(*counter, Counter::Loaded { load, .. } if load == of.access);
    let kind = match of.kind {
        SiteKind::Read => poly_runtime::SiteKind::Read,
        SiteKind::Write => poly_runtime::SiteKind::Write,
        SiteKind::Index if counters.iter().any(hands_on) => poly_runtime::SiteKind::Handed,
        SiteKind::Index => poly_runtime::SiteKind::Index,
    };
    kind as u64
}

/// The types of the library's functions.
fn enter_type<'c>(b: &Builder<'c>) -> Type<'c> {
    let (pointer, int, long) = (b.pointer_type(), b.int_type(32), b.int_type(64));
    b.function_type(int, &[pointer, pointer, pointer, long, pointer], false)
}

fn leave_type<'c>(b: &Builder<'c>) -> Type<'c> {
    b.function_type(b.void_type(), &[b.pointer_type()], false)
}

fn run_type<'c>(b: &Builder<'c>) -> Type<'c> {
    b.function_type(b.void_type(), &[b.pointer_type(), b.int_type(32), b.int_type(32)], false)
}

/// The names of the library mean its functions.
fn has_library(b: &Builder<'_>) -> bool {
    b.is_library_function("poly_rt_enter", enter_type(b))
        && b.is_library_function("poly_rt_leave", leave_type(b))
        && b.is_library_function("poly_rt_run", run_type(b))
}

/// A free name of a function or variable.
fn free_name(b: &Builder<'_>, parent: Value<'_>, what: &str) -> String {
    let mut number = 0;
    loop {
        let name = format!("{}_poly_{what}_{number}", parent.name());
        if !b.has_function(&name) {
            return name;
        }
        number += 1;
    }
}

/// A function for code of the parent.
fn new_function<'c>(b: &Builder<'c>, parent: Value<'c>, what: &str, of: Type<'c>) -> Value<'c> {
    let made = b.internal_function(&free_name(b, parent, what), of);
    parent.copy_codegen_attributes(made);
    b.add_function_attribute(made, "nounwind");
    made.set_function_attribute("poly.subfn", "");
    describe_function(parent, made);
    made
}

/// Stores values as the functions of a nest load them.
fn store_words<'c>(b: &Builder<'c>, values: &[Value<'c>], words: Value<'c>) {
    for (position, &value) in values.iter().enumerate() {
        let place = b.offset(b.int_type(64), words, b.int(64, position as i128));
        let is_integer = value.ty().integer_bits().is_some();
        if value.ty().is_float() {
            b.store(b.int(64, 0), place);
        }
        b.store(if is_integer { b.int_cast(value, b.int_type(64), false) } else { value }, place);
    }
}

/// The constant that describes the nest.
fn table<'c>(
    b: &Builder<'c>,
    nest: &IrregularNest<'c>,
    functions: [Value<'c>; 3],
    values: usize,
    options: &CodegenOptions,
    is_forced: bool,
) -> Value<'c> {
    let [inspect, written, execute] = functions;
    let int = |number: u64| b.int(32, i128::from(number));
    let site = |site: &poly_shim::Site<'c>| {
        let base = site.base.map_or(u64::from(NO_BASE), |base| base as u64);
        b.struct_constant(&[
            int(base),
            int(u64::from(site.size)),
            int(kind(site, &nest.counters)),
            int(u64::from(site.stage)),
        ])
    };
    let sites: Vec<Value<'c>> = nest.sites.iter().map(site).collect();
    let roles: Vec<Value<'c>> = (0..values)
        .map(|k| nest.values.get(k).is_some_and(|(_, role)| *role == Role::Scalar))
        .map(|is_scalar| b.int(8, if is_scalar { i128::from(ROLE_SCALAR) } else { 0 }))
        .collect();
    let constant = |what: &str, content: Value<'c>| {
        let made = b.internal_variable(&format!("{}.{what}", inspect.name()), content);
        builder::set_constant(made);
        made
    };
    let sites = constant("sites", b.struct_constant(&sites));
    let roles = constant("roles", b.struct_constant(&roles));
    let state =
        b.internal_variable(&format!("{}.state", inspect.name()), b.struct_constant(&[b.int(64, 0), b.int(64, 0)]));
    let machine = &options.machine;
    let largest = |is_own: bool| {
        let caches = machine.caches.iter().filter(|cache| !is_own || cache.sharers <= 1);
        caches.map(|cache| cache.bytes / 1024).max().unwrap_or(0)
    };
    let flags = b.int(32, if is_forced { i128::from(FLAG_FORCE) } else { 0 });
    let wait = int(machine.threads.wait_cycles as u64);
    let clock = int((machine.core.cycles_per_nanosecond * 1000.0) as u64);
    let addition = int(machine.latency.flop as u64);
    let caches = [int(largest(true)), int(largest(false))];
    let counts = [int(nest.sites.len() as u64), int(values as u64)];
    let pointers = [inspect, written, execute, sites, roles, state];
    let numbers = [counts[0], counts[1], wait, clock, addition, caches[0], caches[1], flags];
    let fields = [&pointers[..], &numbers].concat();
    constant("nest", b.struct_constant(&fields))
}

/// What is needed to write the call.
struct Call<'c, 'o> {
    b: Builder<'c>,
    parent: Value<'c>,
    options: &'o CodegenOptions,
    values: Vec<Value<'c>>,
    table: Value<'c>,
    backedges: Value<'c>,
    /// With fewer backedges the library is not asked.
    fewest: i128,
}

impl<'c> Call<'c, '_> {
    fn write(
        &self,
        cx: PassContext<'c>,
        (preheader, latch, exit): (Block<'c>, Block<'c>, Block<'c>),
        nest: &IrregularNest<'c>,
    ) {
        let b = &self.b;
        let header = nest.outer.header();
        let joined = cx.split_edge(latch, exit, "poly.joined");
        let [ask, original, measured, left, run] = ["ask", "original", "measured", "left", "run"]
            .map(|name| b.append_block(self.parent, &format!("poly.{name}")));
        let byte = b.int_type(8);
        let threads = number_of_threads(b, self.parent, self.options);
        let entry = builder::entry_block(self.parent);
        b.before(entry.first_insertion_point());
        b.use_artificial_place(self.parent);
        let call = b.alloca(b.array_type(byte, CALL_BYTES as u64), "poly.call");
        let words = b.alloca(b.array_type(b.int_type(64), self.values.len().max(1) as u64), "poly.values");
        [call, words].into_iter().for_each(|slot| builder::set_alignment(slot, 8));
        let enter = b.weak_function("poly_rt_enter", enter_type(b));
        // Index arrays may be others than at the last call.
        match nest.steady.and_then(|around| around.preheader()) {
            Some(before) => b.before(before.terminator()),
            None => b.before(preheader.terminator()),
        }
        b.store(b.int(64, 0), b.offset(b.int_type(64), call, b.int(64, SAME_WORD as i128)));
        // In front of the loop.
        let old = preheader.terminator();
        b.before(old);
        let is_there = b.compare(Compare::LLVMIntNE, enter, b.null(b.pointer_type()));
        let backedges = b.int_cast(self.backedges, b.int_type(64), false);
        let is_long = b.compare(Compare::LLVMIntUGE, backedges, b.int(64, self.fewest));
        let asks = b.arithmetic(Op::And, is_there, is_long, false);
        b.branch_if(asks, ask, original);
        builder::erase(old);
        b.at_end(ask);
        let action = self.emit_ask(enter, (call, words, threads));
        let runs = b.compare(Compare::LLVMIntEQ, action, b.int(32, i128::from(RUN)));
        b.branch_if(runs, run, original);
        b.at_end(original);
        let known = b.phi(b.int_type(32), "poly.action");
        builder::add_incoming(known, b.int(32, 0), preheader);
        builder::add_incoming(known, action, ask);
        b.branch(header);
        for phi in header.phis() {
            let edge = phi.incoming().iter().position(|(from, _)| *from == preheader);
            phi.set_incoming_block(edge.expect("the loop was entered from there"), original);
        }
        // Behind it.
        builder::redirect(latch, joined, measured);
        b.at_end(measured);
        let is_measured = b.compare(Compare::LLVMIntEQ, known, b.int(32, i128::from(MEASURE)));
        b.branch_if(is_measured, left, joined);
        b.at_end(left);
        self.emit_leave(call);
        b.branch(joined);
        b.at_end(run);
        let body = thread_function(b, self.parent, self.options, &|b, arguments| {
            b.call(run_type(b), b.weak_function("poly_rt_run", run_type(b)), &arguments);
        });
        b.at_end(run);
        b.use_artificial_place(self.parent);
        threads::fork(b, self.options, body, call);
        self.emit_leave(call);
        b.branch(joined);
    }

    /// Asks the library what to do.
    fn emit_ask(&self, enter: Value<'c>, (call, words, threads): (Value<'c>, Value<'c>, Value<'c>)) -> Value<'c> {
        let b = &self.b;
        store_words(b, &self.values, words);
        let backedges = b.int_cast(self.backedges, b.int_type(64), false);
        let iterations = b.arithmetic(Op::Add, backedges, b.int(64, 1), false);
        b.call(enter_type(b), enter, &[call, self.table, words, iterations, threads])
    }

    fn emit_leave(&self, call: Value<'c>) {
        let ty = leave_type(&self.b);
        self.b.call(ty, self.b.weak_function("poly_rt_leave", ty), &[call]);
    }
}

/// Writes the function that says how many threads a parallel region would have here.
fn number_of_threads<'c>(b: &Builder<'c>, parent: Value<'c>, options: &CodegenOptions) -> Value<'c> {
    let int = b.int_type(32);
    let number = b.function_type(int, &[], false);
    let made = new_function(b, parent, "threads", number);
    let entry = b.append_block(made, "entry");
    b.at_end(entry);
    b.use_artificial_place(made);
    let ask = |name: &str| b.call(number, b.runtime_function(name, number), &[]);
    let inside = b.compare(Compare::LLVMIntNE, ask("omp_in_parallel"), b.int(32, 0));
    let most = match options.num_threads {
        Some(threads) => b.int(32, i128::from(threads)),
        None => ask("omp_get_max_threads"),
    };
    b.return_value(b.select(inside, b.int(32, 1), most));
    made
}

/// Writes the function that each thread executes: with what threads share, the number of the
/// thread, and how many there are.
fn thread_function<'c>(
    b: &Builder<'c>,
    parent: Value<'c>,
    options: &CodegenOptions,
    body: &dyn Fn(&Builder<'c>, [Value<'c>; 3]),
) -> Value<'c> {
    let (pointer, int) = (b.pointer_type(), b.int_type(32));
    let arguments = match options.runtime {
        Runtime::Llvm => vec![pointer; 3],
        Runtime::Gnu => vec![pointer],
    };
    let ty = b.function_type(b.void_type(), &arguments, false);
    let made = new_function(b, parent, "subfn", ty);
    let entry = b.append_block(made, "entry");
    b.at_end(entry);
    b.use_artificial_place(made);
    let shared = builder::argument(made, arguments.len() as u32 - 1);
    let number = b.function_type(int, &[], false);
    let ask = |name: &str| b.call(number, b.runtime_function(name, number), &[]);
    body(b, [shared, ask("omp_get_thread_num"), ask("omp_get_num_threads")]);
    b.return_void();
    made
}
