//! Which iterations of a parallel loop a thread runs.
//!
//! Inside of the outlined function. A thread that [runs the loop alone](crate::work) has all
//! iterations:
//!
//! ```text
//!   begin:  br alone, body, share
//!   share:  ask for the first portion;  br there is one, body, end
//!   body:   for (i = first; i <= last; i += step) ..;  br alone or static, end, next
//!   next:   ask for the next portion;  br there is one, body, end
//! ```
//!
//! Where iterations have different work, threads take portions one after the other, those with the
//! longest iterations first: as the runtimes deal from the first iteration on, a loop whose last
//! iterations are the longest is dealt backwards (`first, last` stand for as many iterations from
//! the end).
//!
//! | schedule | LLVM's runtime | GNU's runtime |
//! |---|---|---|
//! | static | `__kmpc_for_static_init_8`, schedule 34: one block a thread | computed from the number of the thread |
//! | dynamic | `__kmpc_dispatch_init_8` with 35, `__kmpc_dispatch_next_8` | `GOMP_loop_dynamic_start`, `.._next`, `GOMP_loop_end_nowait` |
//! | guided | the same with 36 | the same with `guided` |

use poly_schedule_tree::Trend;

use crate::builder::{self, Block, Compare, Op, Value};
use crate::code::Loop;
use crate::doacross::Doacross;
use crate::generator::Generator;
use crate::loops::Bounds;
use crate::options::{CodegenOptions, Runtime, Schedule};

/// `kmp_sch_static`, `kmp_sch_dynamic_chunked` and `kmp_sch_guided_chunked`.
const KMPC_SCHEDULES: [i128; 3] = [34, 35, 36];

/// Bit of a schedule of LLVM's runtime: later portions have later iterations.
const KMPC_MONOTONIC: i128 = 1 << 29;

/// How a runtime deals iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dealing {
    Static,
    Dynamic,
    Guided,
    /// Dynamic, in order, with waiting inside ([`crate::doacross`]).
    Doacross,
}

/// How iterations are dealt, how many at a time, and from which end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deal {
    dealing: Dealing,
    /// The fewest at a time; 0 for a certain part of all.
    chunk: u32,
    from_end: bool,
}

impl Deal {
    /// One block for each thread, always the same.
    pub(crate) const BLOCKS: Deal = Deal { dealing: Dealing::Static, chunk: 1, from_end: false };

    /// For a loop.
    pub(crate) fn of(l: &Loop, options: &CodegenOptions) -> Deal {
        let chunk = options.chunk.max(1);
        let from_end = l.work == Trend::Rising;
        match options.schedule {
            _ if l.doacross => Deal { dealing: Dealing::Doacross, chunk: 1, from_end: false },
            Schedule::ByWork if l.work != Trend::Even => Deal { dealing: Dealing::Dynamic, chunk: 0, from_end },
            Schedule::ByWork | Schedule::Static => Deal::BLOCKS,
            Schedule::Dynamic => Deal { dealing: Dealing::Dynamic, chunk, from_end },
            Schedule::Guided => Deal { dealing: Dealing::Guided, chunk, from_end: false },
        }
    }
}

/// Portions for each thread where iterations have different work, if there are so many iterations.
const PORTIONS: i128 = 16;

/// How a thread asks for portions.
struct Portions<'c> {
    deal: Deal,
    lower: Value<'c>,
    upper: Value<'c>,
    step: Value<'c>,
    /// Slots that the runtime writes a portion into.
    first: Value<'c>,
    last: Value<'c>,
    /// What else LLVM's runtime writes.
    stride: Value<'c>,
    is_last: Value<'c>,
    /// Where a thread goes that gets nothing more.
    finish: Block<'c>,
}

impl<'c> Generator<'c, '_> {
    /// Writes this thread's part of the iterations; the builder is behind it afterwards.
    pub(crate) fn emit_share(&mut self, l: &Loop, bounds: Bounds<'c>, deal: Deal, alone: Value<'c>) {
        let subfn = self.frame.function;
        let block = |g: &Self, name: &str| g.b.append_block(subfn, &format!("poly.{name}"));
        let [share, body, next, finish, end] = ["share", "body", "next", "finish", "end"].map(|name| block(self, name));
        let (lower, upper) = (self.import(bounds.lower), self.import(bounds.upper));
        let alone = self.import(alone);
        let step = self.emit_step(l);
        let portions = self.portions(deal, (lower, upper, step), finish);
        let begin = self.b.block();
        self.b.branch_if(alone, body, share);
        self.b.at_end(body);
        let long = self.b.int_type(64);
        let from = self.b.phi(long, "poly.from");
        let to = self.b.phi(long, "poly.to");
        let enter = |edge: Block<'c>, first: Value<'c>, last: Value<'c>| {
            builder::add_incoming(from, first, edge);
            builder::add_incoming(to, last, edge);
        };
        enter(begin, lower, upper);
        self.b.at_end(share);
        let (first, last) = self.emit_first_portion(&portions);
        enter(self.b.block(), first, last);
        self.b.branch(body);
        self.b.at_end(body);
        let doacross = Doacross { alone, lower, step };
        self.frame.doacross = (deal.dealing == Dealing::Doacross).then_some(doacross);
        self.emit_counted(l, Bounds { lower: from, upper: to, is_entered: false });
        self.b.branch_if(alone, end, next);
        self.b.at_end(next);
        match deal.dealing {
            Dealing::Static => _ = self.b.branch(finish),
            Dealing::Dynamic | Dealing::Guided | Dealing::Doacross => {
                if deal.dealing == Dealing::Doacross {
                    self.emit_post(doacross, from);
                }
                let (first, last) = self.emit_next_portion(&portions);
                enter(self.b.block(), first, last);
                self.b.branch(body);
            }
        }
        self.b.at_end(finish);
        self.emit_end_of_portions(deal.dealing);
        self.b.branch(end);
        self.b.at_end(end);
    }

    fn portions(
        &mut self,
        deal: Deal,
        (lower, upper, step): (Value<'c>, Value<'c>, Value<'c>),
        finish: Block<'c>,
    ) -> Portions<'c> {
        let (int, long) = (self.b.int_type(32), self.b.int_type(64));
        let slot = |name, ty, content| {
            let slot = self.entry_alloca(self.frame.function, ty, name);
            self.b.store(content, slot);
            slot
        };
        Portions {
            deal,
            lower,
            upper,
            step,
            first: slot("poly.first", long, lower),
            last: slot("poly.last", long, upper),
            stride: slot("poly.stride", long, step),
            is_last: slot("poly.is_last", int, self.b.int(32, 0)),
            finish,
        }
    }

    /// Asks for the first portion: its first and last iteration. The builder is where there is one.
    fn emit_first_portion(&mut self, p: &Portions<'c>) -> (Value<'c>, Value<'c>) {
        match (self.prepared.options.runtime, p.deal.dealing) {
            (Runtime::Llvm, Dealing::Static) => {
                self.emit_static_init(p);
                self.clipped(p)
            }
            (Runtime::Llvm, dealing) => {
                if dealing == Dealing::Doacross {
                    let length = self.b.arithmetic(Op::Sub, p.upper, p.lower, true);
                    self.emit_doacross_init(self.b.arithmetic(Op::SDiv, length, p.step, false));
                }
                self.emit_dispatch_init(p);
                self.emit_next_portion(p)
            }
            (Runtime::Gnu, Dealing::Static) => self.emit_block_of_thread(p),
            (Runtime::Gnu, Dealing::Doacross) => self.emit_first_turn(p),
            (Runtime::Gnu, Dealing::Dynamic | Dealing::Guided) => {
                let (long, pointer) = (self.b.int_type(64), self.b.pointer_type());
                let truth = self.b.int_type(8);
                let start = self.b.function_type(truth, &[long, long, long, long, pointer, pointer], false);
                let end = self.b.arithmetic(Op::Add, p.upper, self.b.int(64, 1), true);
                let (step, chunk) = (p.step, self.emit_chunk(p));
                let arguments = [p.lower, end, step, chunk, p.first, p.last];
                let function = self.b.runtime_function(&format!("GOMP_loop_{}_start", gnu_name(p.deal.dealing)), start);
                let more = self.b.call(start, function, &arguments);
                self.half_open(p, more)
            }
        }
    }

    /// Asks GNU's runtime for the first iteration of a DOACROSS loop.
    fn emit_first_turn(&mut self, p: &Portions<'c>) -> (Value<'c>, Value<'c>) {
        let (int, long, pointer) = (self.b.int_type(32), self.b.int_type(64), self.b.pointer_type());
        let start = self.b.function_type(self.b.int_type(8), &[int, pointer, long, pointer, pointer], false);
        let length = self.b.arithmetic(Op::Sub, p.upper, p.lower, true);
        let last = self.b.arithmetic(Op::SDiv, length, p.step, false);
        let count = self.b.arithmetic(Op::Add, last, self.b.int(64, 1), true);
        let counts = self.entry_alloca(self.frame.function, long, "poly.count");
        self.b.store(count, counts);
        let arguments = [self.b.int(32, 1), counts, self.b.int(64, 1), p.first, p.last];
        let function = self.b.runtime_function("GOMP_loop_doacross_dynamic_start", start);
        let more = self.b.call(start, function, &arguments);
        self.half_open(p, more)
    }

    /// Asks for another portion.
    fn emit_next_portion(&mut self, p: &Portions<'c>) -> (Value<'c>, Value<'c>) {
        let (int, pointer) = (self.b.int_type(32), self.b.pointer_type());
        match self.prepared.options.runtime {
            Runtime::Llvm => {
                let next = self.b.function_type(int, &[pointer, int, pointer, pointer, pointer, pointer], false);
                let (ident, thread) = (self.ident(), self.emit_thread());
                let arguments = [ident, thread, p.is_last, p.first, p.last, p.stride];
                let more = self.b.call(next, self.b.runtime_function("__kmpc_dispatch_next_8", next), &arguments);
                let more = self.b.compare(Compare::LLVMIntNE, more, self.b.int(32, 0));
                self.emit_test_of_portion(p, more);
                self.clipped(p)
            }
            Runtime::Gnu => {
                let next = self.b.function_type(self.b.int_type(8), &[pointer, pointer], false);
                let function = self.b.runtime_function(&format!("GOMP_loop_{}_next", gnu_name(p.deal.dealing)), next);
                let more = self.b.call(next, function, &[p.first, p.last]);
                self.half_open(p, more)
            }
        }
    }

    /// What a thread says when it has run all of its portions.
    fn emit_end_of_portions(&mut self, dealing: Dealing) {
        let (int, pointer, void) = (self.b.int_type(32), self.b.pointer_type(), self.b.void_type());
        match (self.prepared.options.runtime, dealing) {
            (Runtime::Llvm, Dealing::Static) => {
                let fini = self.b.function_type(void, &[pointer, int], false);
                let arguments = [self.ident(), self.emit_thread()];
                self.b.call(fini, self.b.runtime_function("__kmpc_for_static_fini", fini), &arguments);
            }
            (Runtime::Llvm, Dealing::Doacross) => self.emit_doacross_fini(),
            (Runtime::Gnu, Dealing::Dynamic | Dealing::Guided | Dealing::Doacross) => {
                let end = self.b.function_type(void, &[], false);
                self.b.call(end, self.b.runtime_function("GOMP_loop_end_nowait", end), &[]);
            }
            (Runtime::Llvm, Dealing::Dynamic | Dealing::Guided) | (Runtime::Gnu, Dealing::Static) => {}
        }
    }

    fn emit_static_init(&mut self, p: &Portions<'c>) {
        let (int, long) = (self.b.int_type(32), self.b.int_type(64));
        let (pointer, void) = (self.b.pointer_type(), self.b.void_type());
        let init =
            self.b.function_type(void, &[pointer, int, int, pointer, pointer, pointer, pointer, long, long], false);
        let (ident, thread, schedule) = (self.ident(), self.emit_thread(), self.b.int(32, KMPC_SCHEDULES[0]));
        let (step, one) = (p.step, self.b.int(64, 1));
        let arguments = [ident, thread, schedule, p.is_last, p.first, p.last, p.stride, step, one];
        self.b.call(init, self.b.runtime_function("__kmpc_for_static_init_8", init), &arguments);
    }

    fn emit_dispatch_init(&mut self, p: &Portions<'c>) {
        let (int, long) = (self.b.int_type(32), self.b.int_type(64));
        let (pointer, void) = (self.b.pointer_type(), self.b.void_type());
        let init = self.b.function_type(void, &[pointer, int, int, long, long, long, long], false);
        let number = match p.deal.dealing {
            Dealing::Guided => KMPC_SCHEDULES[2],
            Dealing::Doacross => KMPC_SCHEDULES[1] | KMPC_MONOTONIC,
            Dealing::Static | Dealing::Dynamic => KMPC_SCHEDULES[1],
        };
        let (ident, thread, schedule) = (self.ident(), self.emit_thread(), self.b.int(32, number));
        let (step, chunk) = (p.step, self.emit_chunk(p));
        let arguments = [ident, thread, schedule, p.lower, p.upper, step, chunk];
        self.b.call(init, self.b.runtime_function("__kmpc_dispatch_init_8", init), &arguments);
    }

    /// One of as many blocks as there are threads; the first ones are longer by an iteration if
    /// that does not come out even.
    fn emit_block_of_thread(&mut self, p: &Portions<'c>) -> (Value<'c>, Value<'c>) {
        let [number, threads] = ["omp_get_thread_num", "omp_get_num_threads"].map(|name| self.emit_count(name));
        let step = p.step;
        let one = self.b.int(64, 1);
        let length = self.b.arithmetic(Op::Sub, p.upper, p.lower, true);
        let count = self.b.arithmetic(Op::Add, self.b.arithmetic(Op::SDiv, length, step, false), one, true);
        let each = self.b.arithmetic(Op::SDiv, count, threads, false);
        let rest = self.b.arithmetic(Op::SRem, count, threads, false);
        let is_longer = self.b.compare(Compare::LLVMIntSLT, number, rest);
        let before = self.b.select(is_longer, number, rest);
        let before = self.b.arithmetic(Op::Add, self.b.arithmetic(Op::Mul, each, number, true), before, true);
        let own = self.b.select(is_longer, self.b.arithmetic(Op::Add, each, one, true), each);
        let last = self.b.arithmetic(Op::Add, before, own, true);
        let last = self.b.arithmetic(Op::Sub, last, one, true);
        let at = |of| self.b.arithmetic(Op::Add, p.lower, self.b.arithmetic(Op::Mul, of, step, true), true);
        (at(before), at(last))
    }

    /// Goes on if there is a portion.
    fn emit_test_of_portion(&mut self, p: &Portions<'c>, more: Value<'c>) {
        let there = self.b.append_block(self.frame.function, "poly.portion");
        self.b.branch_if(more, there, p.finish);
        self.b.at_end(there);
    }

    /// A portion of LLVM's runtime, whose bounds are inclusive.
    fn clipped(&self, p: &Portions<'c>) -> (Value<'c>, Value<'c>) {
        let long = self.b.int_type(64);
        // It is inside of the loop; LLVM does not know.
        let first = self.b.load(long, p.first, "");
        let first = self.b.intrinsic("llvm.smax", &[long], &[first, p.lower]);
        let last = self.b.load(long, p.last, "");
        let last = self.b.intrinsic("llvm.smin", &[long], &[last, p.upper]);
        self.emit_from_end(p, (first, last))
    }

    /// The iterations that a portion stands for.
    fn emit_from_end(&self, p: &Portions<'c>, (first, last): (Value<'c>, Value<'c>)) -> (Value<'c>, Value<'c>) {
        if !p.deal.from_end {
            return (first, last);
        }
        // Bounds may lie between two iterations.
        let last_from = |from: Value<'c>, bound: Value<'c>| {
            let length = self.b.arithmetic(Op::Sub, bound, from, true);
            let rest = self.b.arithmetic(Op::SRem, length, p.step, false);
            self.b.arithmetic(Op::Sub, bound, rest, true)
        };
        let (end, last) = (last_from(p.lower, p.upper), last_from(first, last));
        let mirrored = |at| {
            let distance = self.b.arithmetic(Op::Sub, at, p.lower, true);
            self.b.arithmetic(Op::Sub, end, distance, true)
        };
        (mirrored(last), mirrored(first))
    }

    /// A portion of GNU's runtime, if there is one; its second bound is exclusive.
    fn half_open(&mut self, p: &Portions<'c>, more: Value<'c>) -> (Value<'c>, Value<'c>) {
        let more = self.b.compare(Compare::LLVMIntNE, more, self.b.int(8, 0));
        self.emit_test_of_portion(p, more);
        let long = self.b.int_type(64);
        let first = self.b.load(long, p.first, "");
        if p.deal.dealing == Dealing::Doacross {
            // It is the number of an iteration.
            let first = self.b.arithmetic(Op::Add, p.lower, self.b.arithmetic(Op::Mul, first, p.step, true), true);
            let first = self.b.intrinsic("llvm.smin", &[long], &[first, p.upper]);
            return (first, first);
        }
        let first = self.b.intrinsic("llvm.smax", &[long], &[first, p.lower]);
        let last = self.b.arithmetic(Op::Sub, self.b.load(long, p.last, ""), self.b.int(64, 1), true);
        let last = self.b.intrinsic("llvm.smin", &[long], &[last, p.upper]);
        self.emit_from_end(p, (first, last))
    }

    /// How many iterations a portion has.
    fn emit_chunk(&self, p: &Portions<'c>) -> Value<'c> {
        if p.deal.chunk > 0 {
            return self.b.int(64, i128::from(p.deal.chunk));
        }
        let portions =
            self.b.arithmetic(Op::Mul, self.emit_count("omp_get_num_threads"), self.b.int(64, PORTIONS), true);
        let length = self.b.arithmetic(Op::Sub, p.upper, p.lower, true);
        let count = self.b.arithmetic(Op::SDiv, length, p.step, false);
        let each = self.b.arithmetic(Op::SDiv, count, portions, false);
        self.b.intrinsic("llvm.smax", &[self.b.int_type(64)], &[each, self.b.int(64, 1)])
    }

    /// The number of the thread as LLVM's runtime counts.
    pub(crate) fn emit_thread(&self) -> Value<'c> {
        self.b.load(self.b.int_type(32), builder::argument(self.frame.function, 0), "poly.thread")
    }

    /// What a function of OpenMP's interface without arguments returns, as 64 bits.
    pub(crate) fn emit_count(&self, name: &str) -> Value<'c> {
        let int = self.b.int_type(32);
        let ask = self.b.function_type(int, &[], false);
        let count = self.b.call(ask, self.b.runtime_function(name, ask), &[]);
        self.b.int_cast(count, self.b.int_type(64), true)
    }
}

fn gnu_name(dealing: Dealing) -> &'static str {
    match dealing {
        Dealing::Static => "static",
        Dealing::Dynamic | Dealing::Doacross => "dynamic",
        Dealing::Guided => "guided",
    }
}
