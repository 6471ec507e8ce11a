//! Rows of which each begins where the one before it ends.
//!
//! In `for (k = row[i]; k < row[i + 1]; k++)` the elements of rows from one number up to another
//! one are all those from `row[from]` up to `row[to]`, if `row` does not decrease in between:
//! nothing has to be done for each row but to see that.

use poly_shim::ir::{Opcode, Predicate};
use poly_shim::{BlockRef, Chain, Counter, LoopRef, Row, Site, SiteKind, ValueRef};

use super::Search;

impl<'c> Search<'c> {
    /// The rows, if they are of this kind, and all else that an iteration reads moves by a
    /// constant.
    pub(super) fn chain(&self, row: &Row<'c>, sites: &[Site<'c>], counters: &[Counter<'c>]) -> Option<Chain<'c>> {
        let [inner] = self.outer.subloops()[..] else { return None };
        let number = self.element_number(inner, row)?;
        let chained = |counter: &&Counter<'c>| matches!(counter, Counter::Loaded { phi, .. } if *phi == number.from);
        let counter = counters.iter().find(chained)?;
        let Counter::Loaded { load, .. } = *counter else { return None };
        if load != number.to || !self.is_guard(row.preheader, &number) {
            return None;
        }
        let of_inner = |site: &&Site<'c>| site.access.block().is_some_and(|block| inner.contains(block));
        let moving = sites.iter().filter(of_inner).filter(|site| site.kind == SiteKind::Read);
        let moving = moving.filter(|site| self.moving_read(inner, site).is_some()).map(|site| site.access);
        let along = moving.chain([row.load]).map(|access| self.along(access, number.counter));
        let along = along.collect::<Option<Vec<_>>>()?;
        let others = sites.iter().filter(|site| !of_inner(site) && site.kind != SiteKind::Write);
        let others = others.filter(|site| !self.is_own(site)).map(|site| {
            let address = self.cx.scev(site.access.pointer_operand()?)?;
            Some((*address.operands().first()?, self.step(address)?, site.size))
        });
        let others = others.collect::<Option<Vec<_>>>()?;
        Some(Chain { counter: *counter, is_signed: number.is_signed, along, others })
    }

    /// The counter of the loop over a row, and between which values it runs.
    fn element_number(&self, inner: LoopRef<'c>, row: &Row<'c>) -> Option<Numbers<'c>> {
        let latch = inner.latch()?;
        let condition = latch.terminator().condition().filter(|c| c.opcode() == Some(Opcode::ICmp))?;
        let counted = |phi: &ValueRef<'c>| {
            let value = |from: BlockRef<'c>| phi.incoming().into_iter().find(|(block, _)| *block == from);
            let (start, next) = (value(row.preheader)?.1, value(latch)?.1);
            let is_next = next.opcode() == Some(Opcode::Add)
                && next.operand(0) == *phi
                && next.operand(1).constant_int() == Some(1);
            let bound = condition.operands().into_iter().find(|operand| *operand != next)?;
            (is_next && condition.operands().contains(&next)).then_some((*phi, start, bound))
        };
        let (counter, start, bound) = inner.header().phis().iter().find_map(counted)?;
        let leaves = match condition.predicate()? {
            Predicate::Eq => 0,
            Predicate::Ne => 1,
            _ => return None,
        };
        let is_left = latch.successors().get(leaves) == Some(&row.exit);
        let extension = start.opcode().filter(|opcode| matches!(opcode, Opcode::SExt | Opcode::ZExt));
        let is_narrow = extension.is_some();
        let is_alike = if is_narrow { bound.opcode() == extension } else { true };
        let of = |value: ValueRef<'c>| if is_narrow { value.operand(0) } else { value };
        let is_signed = extension != Some(Opcode::ZExt);
        (is_left && is_alike).then(|| Numbers { counter, from: of(start), to: of(bound), is_signed })
    }

    /// Iterations come to the block if and only if the row has elements.
    fn is_guard(&self, preheader: BlockRef<'c>, number: &Numbers<'c>) -> bool {
        let [guard] = preheader.predecessors()[..] else { return false };
        let Some(condition) = guard.terminator().condition() else { return false };
        let [one, other] = condition.operands()[..] else { return false };
        let Some(predicate) = condition.predicate().filter(|_| condition.opcode() == Some(Opcode::ICmp)) else {
            return false;
        };
        let predicate = match (one == number.from && other == number.to, one == number.to && other == number.from) {
            (true, _) => predicate,
            (_, true) => predicate.swapped(),
            _ => return false,
        };
        let goes = match predicate {
            Predicate::Ne => 0,
            Predicate::Eq => 1,
            Predicate::Slt if number.is_signed => 0,
            Predicate::Sge if number.is_signed => 1,
            Predicate::Ult if !number.is_signed => 0,
            Predicate::Uge if !number.is_signed => 1,
            _ => return false,
        };
        self.cx.dominates(guard, self.latch)
            && guard.successors().get(goes) == Some(&preheader)
            && guard.successors().get(1 - goes) != Some(&preheader)
    }

    /// From where the access counts elements by the counter, and by how many bytes.
    fn along(&self, access: ValueRef<'c>, counter: ValueRef<'c>) -> Option<(ValueRef<'c>, i64)> {
        let pointer = access.pointer_operand()?;
        let [base, index] = pointer.operands()[..] else { return None };
        let is_element = pointer.opcode() == Some(Opcode::GetElementPtr) && index == counter && !self.is_inside(base);
        let scale = i64::try_from(self.cx.alloc_size(pointer.gep_source_type()?)?).ok()?;
        (is_element && scale < 1 << 20).then_some((base, scale))
    }

    /// The site reads what its own iteration writes first, and nobody else writes.
    fn is_own(&self, site: &Site<'c>) -> bool {
        let address = |access: ValueRef<'c>| access.pointer_operand().and_then(|pointer| self.cx.scev(pointer));
        let is_same = |store: &ValueRef<'c>| address(*store).is_some() && address(*store) == address(site.access);
        site.kind == SiteKind::Read && self.stores.iter().any(is_same)
    }
}

/// The counter of a loop, and between which values it runs.
struct Numbers<'c> {
    counter: ValueRef<'c>,
    from: ValueRef<'c>,
    to: ValueRef<'c>,
    is_signed: bool,
}
