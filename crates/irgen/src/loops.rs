//! Loops and conditions.
//!
//! A loop is written in rotated form, as LLVM's loop passes want it:
//!
//! ```text
//!   here:    br (lower <= upper), preheader, after
//!   header:  i = phi [lower, preheader], [next, latch]
//!            body
//!   latch:   next = i + step;  br (next <= upper), header, after
//! ```
//!
//! Counters have 64 bits and `nsw`: lowering has proven that `upper + step` fits. A guard that is
//! always true is left out.

use poly_shim::plugin::LLVM_MAJOR;
use poly_shim::write::MetadataRef;

use crate::builder::{self, Block, Compare, Op, Value};
use crate::code::{Code, Loop, Step, Vector};
use crate::form::{Test, Var};
use crate::generator::Generator;
use crate::interval::Interval;
use crate::prepare::for_each_run;
use poly_scop::{Access, AccessKind, ArrayId};

/// The first and last value of a counter, and whether the loop runs at least once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds<'c> {
    pub(crate) lower: Value<'c>,
    /// Inclusive.
    pub(crate) upper: Value<'c>,
    pub(crate) is_entered: bool,
}

impl<'c> Generator<'c, '_> {
    /// Writes a loop.
    pub(crate) fn emit_loop(&mut self, l: &Loop) {
        let bounds = self.emit_bounds(l);
        if self.stops.is_some() {
            self.emit_counted(l, bounds);
        } else if self.is_shared(l) {
            self.emit_parallel(l, bounds);
        } else if let Some(tile) = self.register_tile(l) {
            self.emit_register_tile(l, bounds, &tile);
        } else if let Some(tile) = self.partial_tile(l) {
            self.emit_partial_tile(l, bounds, &tile);
        } else if let Some(lanes) = self.simd_wavefront(l) {
            self.emit_simd_wavefront(l, bounds, &lanes);
        } else if let Some(row) = self.vector_row(l, None) {
            self.emit_vector_row(bounds, &row);
        } else if let Some(row) = self.conditional_row(l) {
            self.emit_vector_row(bounds, &row);
        } else if let Some(row) = self.lane_row(l) {
            self.emit_lane_row(l, bounds, &row);
        } else if let Some(block) = self.unroll_and_jam(l) {
            self.emit_unroll_and_jam(l, bounds, &block);
        } else {
            self.emit_counted(l, bounds);
        }
    }

    /// Whether threads share a loop.
    pub(crate) fn is_shared(&self, l: &Loop) -> bool {
        l.parallel && self.prepared.parallel.contains_key(&l.iter)
    }

    pub(crate) fn emit_bounds(&mut self, l: &Loop) -> Bounds<'c> {
        let range =
            |form: &crate::form::Form| -> Option<Interval> { form.range(64, &|var| self.prepared.program.range(var)) };
        let is_entered = matches!((range(&l.lower), range(&l.upper)), (Some(first), Some(last)) if first.hi <= last.lo);
        let (lower, upper) = (self.emit_form(&l.lower), self.emit_form(&l.upper));
        match l.step {
            Step::By(_) => Bounds { lower, upper, is_entered },
            Step::Multiples(size) => {
                let size = self.variable(Var::Param(size));
                Bounds { lower: self.emit_next_multiple(lower, size), upper, is_entered: false }
            }
        }
    }

    /// The first multiple of a positive number that is not less than a value.
    fn emit_next_multiple(&self, value: Value<'c>, of: Value<'c>) -> Value<'c> {
        let zero = self.b.int(64, 0);
        // Of the sign of the value.
        let rest = self.b.arithmetic(Op::SRem, value, of, false);
        let down = self.b.arithmetic(Op::Sub, value, rest, true);
        let up = self.b.arithmetic(Op::Add, down, of, true);
        let is_between = self.b.compare(Compare::LLVMIntSGT, rest, zero);
        self.b.select(is_between, up, down)
    }

    /// How far it is to the next value of the counter.
    pub(crate) fn emit_step(&mut self, l: &Loop) -> Value<'c> {
        match l.step {
            Step::By(step) => self.b.int(64, step),
            Step::Multiples(size) => self.variable(Var::Param(size)),
        }
    }

    /// Writes a loop that this frame runs on its own; the builder is behind it afterwards.
    pub(crate) fn emit_counted(&mut self, l: &Loop, bounds: Bounds<'c>) {
        self.emit_counted_while(l, bounds, Compare::LLVMIntSLT);
    }

    /// The same for a loop with step one that is known to run: LLVM sees how often without a
    /// maximum, and unrolls the loop where it would unroll the original one.
    pub(crate) fn emit_entered(&mut self, l: &Loop, (lower, upper): (Value<'c>, Value<'c>)) {
        debug_assert!(l.step == Step::ONE, "the end is met");
        self.emit_counted_while(l, Bounds { lower, upper, is_entered: true }, Compare::LLVMIntNE);
    }

    fn emit_counted_while(&mut self, l: &Loop, bounds: Bounds<'c>, goes_on: Compare) {
        let name = format!("poly.c{}", l.iter);
        let preheader = self.b.append_block(self.frame.function, &format!("{name}.preheader"));
        let header = self.b.append_block(self.frame.function, &format!("{name}.header"));
        let after = self.b.append_block(self.frame.function, &format!("{name}.after"));
        let end = self.enter(bounds, preheader, after);
        let step = self.emit_step(l);
        let packing = self.enter_packing(l);
        self.b.branch(header);
        self.b.at_end(header);
        let counter = self.b.phi(self.b.int_type(64), &name);
        builder::add_incoming(counter, bounds.lower, preheader);
        let outer = self.iters[l.iter].replace(counter);
        let is_parallel = l.coincident && !self.touches_parts_of_what_it_writes(&l.body);
        let group = is_parallel.then(|| self.prepared.cx.access_group());
        self.groups.extend(group);
        self.emit_code(&l.body);
        self.groups.truncate(self.groups.len() - usize::from(group.is_some()));
        self.iters[l.iter] = outer;
        let latch = self.b.block();
        let next = self.b.arithmetic(Op::Add, counter, step, true);
        builder::set_name(next, &format!("{name}.next"));
        let again = self.b.compare(goes_on, next, end);
        let branch = self.b.branch_if(again, header, after);
        builder::add_incoming(counter, next, latch);
        self.mark_loop(branch, l, group);
        self.leave_packing(packing);
        self.b.at_end(after);
    }

    /// Writes code that takes the place of a loop: `body` is executed once, with the counter at its
    /// first value, if the loop runs at all. It gets that value and the first one that is too
    /// large. The builder is behind it afterwards.
    pub(crate) fn emit_in_place_of(
        &mut self,
        l: &Loop,
        bounds: Bounds<'c>,
        body: impl FnOnce(&mut Self, (Value<'c>, Value<'c>)),
    ) {
        let function = self.frame.function;
        let name = format!("poly.c{}", l.iter);
        let preheader = self.b.append_block(function, &format!("{name}.preheader"));
        let after = self.b.append_block(function, &format!("{name}.after"));
        let end = self.enter(bounds, preheader, after);
        let outer = self.iters[l.iter].replace(bounds.lower);
        body(self, (bounds.lower, end));
        self.b.branch(after);
        self.b.at_end(after);
        self.iters[l.iter] = outer;
    }

    /// Goes to the preheader of a loop if that runs at all, else behind the loop; the builder is in
    /// the preheader afterwards. Returns the first value of the counter that is too large.
    fn enter(&self, bounds: Bounds<'c>, preheader: Block<'c>, after: Block<'c>) -> Value<'c> {
        let end = self.b.arithmetic(Op::Add, bounds.upper, self.b.int(64, 1), true);
        if bounds.is_entered {
            self.b.branch(preheader);
        } else {
            let runs = self.b.compare(Compare::LLVMIntSLT, bounds.lower, end);
            self.b.branch_if(runs, preheader, after);
        }
        self.b.at_end(preheader);
        end
    }

    /// Gives the loop with this backedge its id and properties.
    fn mark_loop(&self, branch: Value<'c>, l: &Loop, group: Option<MetadataRef<'c>>) {
        let cx = self.prepared.cx;
        let mut properties = vec![cx.md_property("llvm.loop.mustprogress", &[])];
        if let Some(group) = group {
            properties.push(cx.md_property("llvm.loop.parallel_accesses", &[group]));
        }
        let vectorize = |on: bool| cx.md_property("llvm.loop.vectorize.enable", &[cx.md_int(1, u64::from(on))]);
        match l.vector {
            Vector::Wanted if l.coincident && MAY_BE_FORCED && self.is_vectorizable(&l.body) => {
                // It is withdrawn if the clean-up makes it impossible, which is not done with
                // requests of the source.
                properties.extend([vectorize(true), cx.md_property("poly.vector", &[])]);
            }
            Vector::Refused => properties.push(vectorize(false)),
            Vector::Wanted | Vector::Open => {}
        }
        branch.set_metadata("llvm.loop", cx.loop_id(&properties));
    }

    /// Some access is not to one whole element of an array that is written here, or to an array
    /// that may overlap one. That the iterations do not depend on each other must then not be said:
    /// LLVM's vectorizer takes it to mean that accesses of one iteration may be moved across each
    /// other, too, unless they are plainly of the same element, and joins stores to neighbours
    /// across a load of both.
    fn touches_parts_of_what_it_writes(&self, body: &Code) -> bool {
        let mut accesses: Vec<&Access> = Vec::new();
        for_each_run(body, &mut |run| accesses.extend(&self.prepared.scop.statements[run.statement].accesses));
        let is_written = |array| accesses.iter().any(|a| a.array == array && a.kind != AccessKind::Read);
        let overlaps = |&(a, b): &(usize, usize)| {
            let is_touched = |array: usize| accesses.iter().any(|access| access.array.index() == array);
            let is_written = |array: usize| is_written(ArrayId::from(array));
            (is_written(a) && is_touched(b)) || (is_written(b) && is_touched(a))
        };
        accesses.iter().any(|access| !access.exact && is_written(access.array))
            || self.prepared.overlapping.iter().any(overlaps)
    }

    /// LLVM can be told to vectorize: it warns the user where it was told so and cannot. Only
    /// iterations that do not depend on each other qualify (else a forced vectorization may reorder
    /// floating-point sums).
    fn is_vectorizable(&self, body: &Code) -> bool {
        match body {
            Code::Block(parts) => parts.iter().all(|c| self.is_vectorizable(c)),
            Code::Loop(_) | Code::If { .. } => false,
            Code::Run(run) => self.prepared.scop.statements[run.statement].body.iter().all(|instr| match instr.kind {
                // What is not executed always is left to LLVM's own judgement.
                _ if instr.predicate.is_some() => false,
                poly_scop::InstrKind::Compute { .. } => is_vector_instruction(self.prepared.value(instr.value)),
                poly_scop::InstrKind::Read(access) | poly_scop::InstrKind::Write(access)
                    if !self.prepared.scop.statements[run.statement].accesses[access.index()].exact =>
                {
                    false
                }
                poly_scop::InstrKind::Read(_) | poly_scop::InstrKind::Write(_) => {
                    let ty = instr.operands.first().map_or(instr.value, |o| o.value);
                    is_vector_element(self.prepared.value(ty))
                }
                _ => false,
            }),
        }
    }

    /// Writes a condition; the builder is behind it afterwards.
    pub(crate) fn emit_if(&mut self, test: &Test, then: &Code, otherwise: Option<&Code>) {
        let function = self.frame.function;
        let condition = self.emit_test(test);
        let yes = self.b.append_block(function, "poly.then");
        let no = otherwise.map(|code| (code, self.b.append_block(function, "poly.else")));
        let after = self.b.append_block(function, "poly.endif");
        self.b.branch_if(condition, yes, no.map_or(after, |(_, block)| block));
        self.b.at_end(yes);
        self.emit_code(then);
        self.b.branch(after);
        if let Some((code, block)) = no {
            self.b.at_end(block);
            self.emit_code(code);
            self.b.branch(after);
        }
        self.b.at_end(after);
    }
}

/// LLVM 22 finds out that single copies of a loop are shorter than a vector, and warns the user
/// that it was told to vectorize them; there it has to judge by itself. LLVM 19 has code for short
/// loops beside the vectors.
const MAY_BE_FORCED: bool = LLVM_MAJOR < 22;

/// Integers and floating-point numbers that vector registers hold.
pub(crate) fn is_vector_element(value: Value<'_>) -> bool {
    let ty = value.ty();
    matches!(ty.print().as_str(), "float" | "double") || matches!(ty.integer_bits(), Some(8 | 16 | 32 | 64))
}

pub(crate) fn is_vector_instruction(instruction: Value<'_>) -> bool {
    let simple = instruction.opcode().is_some_and(|opcode| opcode.is_elementwise());
    let known_call = || {
        let name = instruction.intrinsic_name();
        matches!(name.as_deref(), Some("llvm.fmuladd" | "llvm.fma" | "llvm.sqrt" | "llvm.fabs"))
    };
    is_vector_element(instruction) && (simple || known_call())
}

/// The least or the greatest of two integers: a vector instruction in register tiles. In other
/// loops LLVM decides by itself, which takes several vectors at a time.
pub(crate) fn is_integer_extremum(instruction: Value<'_>) -> bool {
    let name = instruction.intrinsic_name();
    matches!(name.as_deref(), Some("llvm.smax" | "llvm.smin" | "llvm.umax" | "llvm.umin"))
}

/// What lanes of wavefronts execute: these, and comparisons and choices, also of floating-point
/// numbers.
pub(crate) fn is_lane_instruction(instruction: Value<'_>) -> bool {
    use poly_shim::ir::Opcode;
    if instruction.ty().integer_bits() == Some(1) {
        let conditions = [Opcode::ICmp, Opcode::FCmp, Opcode::Select, Opcode::And, Opcode::Or, Opcode::Xor];
        return instruction.opcode().is_some_and(|opcode| conditions.contains(&opcode));
    }
    let is_extremum = || matches!(instruction.intrinsic_name().as_deref(), Some("llvm.minnum" | "llvm.maxnum"));
    let is_other = || instruction.opcode() == Some(Opcode::Select) || is_extremum() || is_integer_extremum(instruction);
    is_vector_instruction(instruction) || (is_vector_element(instruction) && is_other())
}
