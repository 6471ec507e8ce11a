//! The look at numbers that are summed up in another order than in the source.
//!
//! # Problem
//! `min over k of c[i] + e[k]` is `c[i] + min over k of e[k]` for numbers, but not modulo a power
//! of two: `min` compares, and a sum that wraps around is another number. That the sums of the
//! source do not overflow is not enough, even if the source promises it: of `(a + b) + c` neither
//! `b + c` nor `a + c` is one.
//!
//! # Definitions
//! A value is a sum of `m` *parts*, each of which is read at few places, compared with the points
//! of the reduction. The elements have `w` bits.
//!
//! # Method
//! 1. Each part must be a number of `w - ceil(log2 m)` bits. Then the sum of any of the parts has
//!    `w` bits, so that no sum of the source and none of the new code overflows, and both are sums
//!    of numbers, for which addition distributes over minima and maxima.
//! 2. Where the element that a part is read from has so few bits that this is known, nothing has to
//!    be done.
//! 3. The others are looked at before the new code runs, by inspections ([`Scop::inspections`]):
//!    one for each part, whose instances are the places at which it is read. A number that has more
//!    bits lets the original run.
//!
//! # Invariants
//! Inspections read what the source reads, as all of its iterations are executed if no other
//! inspection stops before, and nothing that the region writes. Unsigned numbers are not taken off
//! others.

use poly_linalg::gauss;
use poly_presburger::{Budget, Stop, Tuple};
use poly_reductions::Function;

use super::candidate::Part;
use super::write::{Code, Writer};
use crate::{AccessKind, ArrayId, Combination, Instr, InstrKind, LoopId, OperandKind, Scop, Statement};

/// Numbers of so many bits.
#[derive(Clone, Copy)]
struct Range {
    bits: u32,
    signed: bool,
}

impl Writer<'_> {
    /// Adds an inspection for each part that is not known to be small; nothing if a part cannot be
    /// looked at.
    pub(super) fn inspections(&mut self, budget: &mut Budget) -> Result<Option<()>, Stop> {
        let candidate = self.candidate;
        let Some(range) = self.range() else { return Ok(None) };
        for (number, part) in candidate.parts.iter().enumerate() {
            if is_within(&self.scop, &self.statement, part, range) {
                continue;
            }
            let access = candidate.reduction.factors[number].access.clone();
            // As many places as points: to look at them takes as long as the source.
            if gauss::rank(&access.matrix()) == access.dims || self.is_written(part) {
                return Ok(None);
            }
            let places = access.image(&candidate.reduction.domain, &candidate.reduction.params);
            let places = places.compute_divs(budget)?.remove_empty_parts(budget)?.coalesce(budget)?;
            let name = self.name_of_inspection();
            let dims = places.n_dim();
            let mut code = Code::default();
            let at = Function::identity(candidate.reduction.params.len(), dims);
            let value = self.leaf(&mut code, &name, number, &at);
            let (within, stop) = (self.fresh(self.step()), self.fresh(self.step()));
            let within = code.push(InstrKind::Within { bits: range.bits, signed: range.signed }, within, vec![value]);
            code.push(InstrKind::Stop { inverted: true }, stop, vec![within]);
            let position = self.position_of_inspection(dims);
            let place = self.statement.place.clone();
            let domain = places.set_tuple(Tuple::named(&*name, dims));
            let (accesses, body) = (code.accesses, code.body);
            let loops = vec![LoopId(0); dims];
            self.scop.inspections.push(Statement { name, domain, loops, position, accesses, body, place });
        }
        Ok(Some(()))
    }

    /// What each part must be, so that no sum of parts overflows.
    fn range(&self) -> Option<Range> {
        let bits = integer_bits(&self.scop, self.candidate.array).filter(|bits| *bits <= 64)?;
        let signed = matches!(self.candidate.combination, Combination::SignedMin | Combination::SignedMax);
        let parts = u32::try_from(self.candidate.parts.len()).ok()?;
        let bits = bits.checked_sub(parts.next_power_of_two().trailing_zeros())?;
        (bits >= 2).then_some(Range { bits, signed })
    }

    fn is_written(&self, part: &Part) -> bool {
        let arrays: Vec<ArrayId> = part.reads.iter().map(|(a, _)| self.statement.accesses[a.index()].array).collect();
        let mut accesses = self.scop.statements.iter().flat_map(|statement| &statement.accesses);
        accesses.any(|access| access.kind != AccessKind::Read && arrays.contains(&access.array))
    }

    fn name_of_inspection(&self) -> String {
        let all = || self.scop.statements.iter().chain(&self.scop.inspections);
        let mut names = (self.scop.inspections.len()..).map(|number| format!("I{number}"));
        names.find(|name| all().all(|s| s.name != *name)).expect("there are more numbers than names")
    }

    /// The place behind all other inspections.
    fn position_of_inspection(&self, dims: usize) -> Vec<usize> {
        let last = self.scop.inspections.iter().map(|inspection| inspection.position[0] + 1).max();
        let mut position = vec![0; dims + 1];
        position[0] = last.unwrap_or(0);
        position
    }
}

/// Whether the element that a part is read from has so few bits.
fn is_within(scop: &Scop, statement: &Statement, part: &Part, range: Range) -> bool {
    let defining = |value| part.instrs.iter().find(|instr: &&Instr| instr.value == value);
    let Some(Instr { kind: InstrKind::Compute { opcode, .. }, operands, .. }) = defining(part.value.value) else {
        return false;
    };
    let [operand] = operands[..] else { return false };
    let source = defining(operand.value).filter(|_| operand.kind == OperandKind::Local);
    let Some(Instr { kind: InstrKind::Read(access), .. }) = source else { return false };
    let Some(own) = integer_bits(scop, statement.accesses[access.index()].array) else { return false };
    let needed = match (opcode.as_str(), range.signed) {
        ("zext", false) => own,
        ("zext", true) => own + 1,
        ("sext", true) => own + u32::from(part.negated),
        _ => return false,
    };
    needed <= range.bits
}

/// The width of the integers that are the elements of an array.
fn integer_bits(scop: &Scop, array: ArrayId) -> Option<u32> {
    scop.arrays[array.index()].element.name.strip_prefix('i')?.parse().ok()
}
