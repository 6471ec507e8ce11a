//! How much work a loop is, estimated when the program runs.
//!
//! Starting threads for a loop of a few iterations takes longer than the loop, and how many
//! iterations there are is often known only then. The estimate is the number of instructions of the
//! model that the loop executes if every loop in it runs as often as in the middle of the loops
//! around it: exact for boxes, half of the box for triangles. An instruction on a vector counts
//! once, and in register tiles, where hardly anything but the operation itself is left of an
//! instance, a part of that. A write counts as several: the line of memory is fetched before and
//! goes back after it, which threads share as well as they share computing where it is the first
//! touch of a page. Conditions count as true. It is computed with floating-point numbers, which do
//! not overflow.

use crate::builder::{self, Op, Value};
use crate::code::{Code, Loop, Step, Vector};
use crate::generator::Generator;
use crate::loops::Bounds;
use poly_scop::InstrKind;

/// Instructions of an instance for each that is left of them in a register tile. (Full and partial
/// tiles have loops of their own, both of which are counted.)
const IN_REGISTERS: u32 = 8;

/// Instructions that take as long as a write.
const WRITE: usize = 4;

/// Bytes of an element of vectors.
const ELEMENT: u32 = 8;

impl<'c> Generator<'c, '_> {
    /// Whether the thread that comes to a parallel loop is to run it alone: there is only one
    /// iteration, or little work, or it is one of several threads already.
    pub(crate) fn emit_runs_alone(&mut self, l: &Loop, bounds: Bounds<'c>) -> Value<'c> {
        let int = self.b.int_type(32);
        let one = self.b.compare(builder::Compare::LLVMIntEQ, bounds.lower, bounds.upper);
        let ask = self.b.function_type(int, &[], false);
        let among = self.b.call(ask, self.b.runtime_function("omp_in_parallel", ask), &[]);
        let among = self.b.compare(builder::Compare::LLVMIntNE, among, self.b.int(32, 0));
        let alone = self.b.arithmetic(Op::Or, one, among, false);
        let threshold = self.prepared.options.threshold;
        if threshold == 0 {
            return alone;
        }
        let work = self.emit_work_of_loop(l, bounds);
        let little = self.b.is_less(work, self.b.float(self.b.double_type(), threshold as f64));
        self.b.arithmetic(Op::Or, alone, little, false)
    }

    fn emit_work_of_loop(&mut self, l: &Loop, bounds: Bounds<'c>) -> Value<'c> {
        let double = self.b.double_type();
        let [first, last] = [bounds.lower, bounds.upper].map(|bound| self.b.int_to_float(bound, double));
        let step = self.emit_step(l);
        let step = self.b.int_to_float(step, double);
        let negative = self.b.arithmetic(Op::FMul, first, self.b.float(double, -1.0), false);
        let length = self.b.arithmetic(Op::FAdd, last, negative, false);
        let length = self.b.arithmetic(Op::FAdd, length, step, false);
        let count = match l.step {
            Step::By(constant) => {
                self.b.arithmetic(Op::FMul, length, self.b.float(double, 1.0 / constant as f64), false)
            }
            Step::Multiples(_) => self.b.arithmetic(Op::FDiv, length, step, false),
        };
        let none = self.b.is_less(count, self.b.float(double, 0.0));
        let count = self.b.select(none, self.b.float(double, 0.0), count);
        let middle = self.emit_middle(l, bounds);
        let outer = self.iters[l.iter].replace(middle);
        let body = self.emit_work(&l.body);
        self.iters[l.iter] = outer;
        let work = self.b.arithmetic(Op::FMul, count, body, false);
        match self.instances_together(l) {
            1 => work,
            together => {
                let part = self.b.float(double, 1.0 / f64::from(together));
                self.b.arithmetic(Op::FMul, work, part, false)
            }
        }
    }

    /// How many instances in a loop have the instructions of one, apart from what loops inside of
    /// it make of them.
    fn instances_together(&self, l: &Loop) -> u32 {
        let lanes = (self.prepared.options.tile_vector_bytes / ELEMENT).max(1);
        match l.vector {
            Vector::Wanted => lanes,
            _ if l.register.is_some() && has_vectors(&l.body) => IN_REGISTERS,
            _ if l.register.is_some() => IN_REGISTERS * lanes,
            _ => 1,
        }
    }

    /// A value between the bounds, inside the range that the counter is known to have.
    fn emit_middle(&mut self, l: &Loop, bounds: Bounds<'c>) -> Value<'c> {
        let long = self.b.int_type(64);
        // Without overflow: what both have, and half of what one of them has.
        let both = self.b.arithmetic(Op::And, bounds.lower, bounds.upper, false);
        let one = self.b.arithmetic(Op::Xor, bounds.lower, bounds.upper, false);
        let half = self.b.arithmetic(Op::AShr, one, self.b.int(64, 1), false);
        let middle = self.b.arithmetic(Op::Add, both, half, false);
        let range = self.prepared.program.range(crate::form::Var::Iter(l.iter));
        let middle = self.b.intrinsic("llvm.smax", &[long], &[middle, self.b.int(64, range.lo)]);
        self.b.intrinsic("llvm.smin", &[long], &[middle, self.b.int(64, range.hi)])
    }

    fn emit_work(&mut self, code: &Code) -> Value<'c> {
        let double = self.b.double_type();
        match code {
            Code::Block(parts) => {
                let parts: Vec<Value<'c>> = parts.iter().map(|part| self.emit_work(part)).collect();
                let sum = parts.into_iter().reduce(|a, b| self.b.arithmetic(Op::FAdd, a, b, false));
                sum.unwrap_or_else(|| self.b.float(double, 0.0))
            }
            Code::Loop(l) => {
                let bounds = self.emit_bounds(l);
                self.emit_work_of_loop(l, bounds)
            }
            Code::If { then, otherwise, .. } => {
                let then = self.emit_work(then);
                match otherwise {
                    Some(otherwise) => {
                        let otherwise = self.emit_work(otherwise);
                        self.b.arithmetic(Op::FAdd, then, otherwise, false)
                    }
                    None => then,
                }
            }
            Code::Run(run) => {
                let body = &self.prepared.scop.statements[run.statement].body;
                let writes = body.iter().filter(|instr| matches!(instr.kind, InstrKind::Write(_))).count();
                self.b.float(double, (body.len() + writes * (WRITE - 1)) as f64)
            }
        }
    }
}

/// There is a loop that is to be vectors.
fn has_vectors(code: &Code) -> bool {
    match code {
        Code::Block(parts) => parts.iter().any(has_vectors),
        Code::Loop(l) => l.vector == Vector::Wanted || has_vectors(&l.body),
        Code::If { then, otherwise, .. } => {
            has_vectors(then) || otherwise.as_ref().is_some_and(|code| has_vectors(code))
        }
        Code::Run(_) => false,
    }
}
