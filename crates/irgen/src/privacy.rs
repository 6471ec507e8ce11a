//! Which scalars the threads of a parallel loop may have copies of.
//!
//! Scalars (values and PHI nodes carried between statements) live in one stack slot each. Threads
//! need their own, which is right exactly when no value goes through the slot from one iteration to
//! another or from an iteration to code after the loop. For a scalar `s` and a loop `L`:
//!
//! * `s` is not written in `L`: each thread gets a copy that is initialized from outside;
//! * else, in one iteration of `L` no read may see a value that this iteration has not written, and
//!   outside of `L` no read, nor the use after the region, may see a value that `L` has written.
//!
//! Scalars that are updated by the threads' parts of a sum ([`crate::partials`]) are in slots of
//! their own meanwhile.
//!
//! Both are decided by a forward walk with one bit, "the slot may hold a foreign value"
//! ([`Walk::dirty`]): set where the walk enters an iteration or passes `L`, cleared by a write,
//! joined at conditions and around loops, which may run zero times. A read under the bit is a
//! violation.

use std::collections::BTreeMap;

use poly_scop::{AccessId, ArrayId, ArrayKind, InstrKind, PrivateUpdate, Scop};

use crate::code::{Code, Loop, Run};

/// The parallel loops that threads can run and whose scalars can be copied, by counter, each with
/// the scalars that are initialized from outside.
pub(crate) fn parallel_loops(code: &Code, scop: &Scop, runs: &dyn Fn(&Loop) -> bool) -> BTreeMap<usize, Vec<ArrayId>> {
    let mut loops = Vec::new();
    collect_parallel(code, &mut loops);
    loops.retain(|l| runs(l));
    let copied = |l: &Loop| copied_in(code, l, Around { scop, private: &l.private });
    loops.into_iter().filter_map(|l| Some((l.iter, copied(l)?))).collect()
}

/// What the accesses of scalars are looked up in.
#[derive(Clone, Copy)]
struct Around<'a> {
    scop: &'a Scop,
    /// Updates whose scalars are in slots of the threads while these share the loop: none of the
    /// accesses that are looked at.
    private: &'a [PrivateUpdate],
}

fn collect_parallel<'a>(code: &'a Code, into: &mut Vec<&'a Loop>) {
    match code {
        Code::Block(parts) => parts.iter().for_each(|c| collect_parallel(c, into)),
        Code::If { then, otherwise, .. } => {
            collect_parallel(then, into);
            otherwise.iter().for_each(|c| collect_parallel(c, into));
        }
        Code::Loop(l) if l.parallel => into.push(l),
        Code::Loop(l) => collect_parallel(&l.body, into),
        Code::Run(_) => {}
    }
}

/// The scalars that are only read in `l`; `None` if some scalar cannot be copied.
fn copied_in(root: &Code, l: &Loop, around: Around<'_>) -> Option<Vec<ArrayId>> {
    let mut result = Vec::new();
    for (index, array) in around.scop.arrays.iter().enumerate() {
        let ArrayKind::Scalar { live_out, .. } = array.kind else { continue };
        let scalar = ArrayId::from(index);
        if !mentions(&l.body, around, scalar, Event::Write) {
            if mentions(&l.body, around, scalar, Event::Read) {
                result.push(scalar);
            }
            continue;
        }
        let mut inside = Walk { around, scalar, passed: None, dirty: true, violated: false };
        inside.code(&l.body);
        let mut outside = Walk { around, scalar, passed: Some(l.iter), dirty: false, violated: false };
        outside.code(root);
        if inside.violated || outside.violated || (live_out && outside.dirty) {
            return None;
        }
    }
    Some(result)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Event {
    Read,
    Write,
}

/// The reads and writes of a scalar by one instance, in order.
fn events<'a>(run: &Run, around: Around<'a>, scalar: ArrayId) -> impl Iterator<Item = Event> + 'a {
    let statement = &around.scop.statements[run.statement];
    let own = around.private.iter().filter({
        let number = run.statement;
        move |update| update.statement.index() == number
    });
    let private: Vec<AccessId> = own.flat_map(|update| [update.read, update.write]).collect();
    statement.body.iter().filter_map(move |instr| match instr.kind {
        InstrKind::Read(a) | InstrKind::Write(a) if private.contains(&a) => None,
        InstrKind::Read(a) if statement.accesses[a.index()].array == scalar => Some(Event::Read),
        InstrKind::Write(a) if statement.accesses[a.index()].array == scalar => Some(Event::Write),
        _ => None,
    })
}

fn mentions(code: &Code, around: Around<'_>, scalar: ArrayId, event: Event) -> bool {
    contains(code, &|run| events(run, around, scalar).any(|e| e == event))
}

/// Whether some instance of the code has the property.
fn contains(code: &Code, property: &dyn Fn(&Run) -> bool) -> bool {
    match code {
        Code::Block(parts) => parts.iter().any(|c| contains(c, property)),
        Code::Loop(l) => contains(&l.body, property),
        Code::If { then, otherwise, .. } => {
            contains(then, property) || otherwise.as_ref().is_some_and(|c| contains(c, property))
        }
        Code::Run(run) => property(run),
    }
}

struct Walk<'a> {
    around: Around<'a>,
    scalar: ArrayId,
    /// The counter of the loop `L` when the walk is about the code outside of it.
    passed: Option<usize>,
    /// The slot may hold a foreign value.
    dirty: bool,
    violated: bool,
}

impl Walk<'_> {
    fn code(&mut self, code: &Code) {
        match code {
            Code::Block(parts) => parts.iter().for_each(|c| self.code(c)),
            Code::Loop(l) if self.passed == Some(l.iter) => self.dirty = true,
            Code::Loop(l) => {
                let before = self.dirty;
                self.code(&l.body);
                if self.dirty && !before {
                    self.code(&l.body);
                }
                self.dirty |= before;
            }
            Code::If { then, otherwise, .. } => {
                let before = self.dirty;
                self.code(then);
                let after_then = std::mem::replace(&mut self.dirty, before);
                if let Some(otherwise) = otherwise {
                    self.code(otherwise);
                }
                self.dirty |= after_then;
            }
            Code::Run(run) => {
                for event in events(run, self.around, self.scalar) {
                    match event {
                        Event::Read => self.violated |= self.dirty,
                        Event::Write => self.dirty = false,
                    }
                }
            }
        }
    }
}
