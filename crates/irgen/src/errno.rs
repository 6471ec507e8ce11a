//! Errors of mathematical functions that threads call.
//!
//! # Problem
//! `sqrt(-1.0)` sets `errno` to `EDOM`, and every thread has an `errno` of its own: what another
//! thread leaves in its own one is lost for the thread that has come to the loops.
//!
//! # Method
//! Threads call only functions that know no other error than this one
//! ([`poly_scop::Instr::needs_own_thread`]). The standard has them return a NaN then, which they
//! return for no other argument than a NaN. So
//!
//! ```text
//!   parent:  failed = 0;  start the threads;  if (failed) f(-inf);
//!   subfn:   y = f(x);  if (isnan(y) && !isnan(x)) failed = 1;
//! ```
//!
//! All of these functions fail for minus infinity, so that the thread that has started the others
//! has the same `errno` behind the loop as if it had made all calls. Which of them fail first does
//! not matter: all leave the same value. Threads may set the flag at the same time, so that is
//! atomic.

use poly_scop::{Instr, InstrKind, MathErrors};

use crate::builder::{self, Op, Value};
use crate::code::{Code, Loop};
use crate::generator::Generator;

impl<'c> Generator<'c, '_> {
    /// A flag for the calls in a parallel loop that may fail, and one of them; none if there are
    /// none.
    pub(crate) fn emit_flag_of_errors(&mut self, l: &Loop) -> Option<(Value<'c>, Value<'c>)> {
        let call = self.prepared.value(self.first_failing(&l.body)?.value);
        let byte = self.b.int_type(8);
        let flag = self.entry_alloca(self.frame.function, byte, "poly.failed");
        self.b.store(self.b.int(8, 0), flag);
        Some((flag, call))
    }

    fn first_failing(&self, code: &Code) -> Option<&Instr> {
        match code {
            Code::Block(parts) => parts.iter().find_map(|part| self.first_failing(part)),
            Code::Loop(l) => self.first_failing(&l.body),
            Code::If { then, otherwise, .. } => {
                self.first_failing(then).or_else(|| otherwise.as_ref().and_then(|code| self.first_failing(code)))
            }
            Code::Run(run) => self.prepared.scop.statements[run.statement].body.iter().find(|instr| may_fail(instr)),
        }
    }

    /// Writes the test of a call that has been written, if threads execute it.
    pub(crate) fn emit_test_of_error(&mut self, instr: &Instr, call: Value<'c>) {
        let Some(flag) = self.frame.failed.filter(|_| may_fail(instr)) else { return };
        // What the flags exclude may be the error.
        call.drop_poison_flags();
        let is_number = self.b.not(self.b.is_unordered(call.operand(0)));
        let fails = self.b.arithmetic(Op::And, self.b.is_unordered(call), is_number, false);
        let [fail, after] =
            ["fail", "no_fail"].map(|name| self.b.append_block(self.frame.function, &format!("poly.{name}")));
        self.b.branch_if(fails, fail, after);
        self.b.at_end(fail);
        let flag = self.import(flag);
        self.b.atomic_store(self.b.int(8, 1), flag);
        self.b.branch(after);
        self.b.at_end(after);
    }

    /// Fails if a thread has failed.
    pub(crate) fn emit_error(&mut self, (flag, call): (Value<'c>, Value<'c>)) {
        let parent = self.frame.function;
        let failed = self.b.load(self.b.int_type(8), flag, "poly.failed");
        let failed = self.b.compare(builder::Compare::LLVMIntNE, failed, self.b.int(8, 0));
        let [fail, after] = ["error", "no_error"].map(|name| self.b.append_block(parent, &format!("poly.{name}")));
        self.b.branch_if(failed, fail, after);
        self.b.at_end(fail);
        let copy = self.copy(call);
        copy.drop_poison_flags();
        builder::set_operand(copy, 0, self.b.float(call.ty(), f64::NEG_INFINITY));
        self.b.branch(after);
        self.b.at_end(after);
    }
}

/// A call that may leave a domain error.
fn may_fail(instr: &Instr) -> bool {
    matches!(instr.kind, InstrKind::Compute { errno: Some(MathErrors::Domain), .. })
}
