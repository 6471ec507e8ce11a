//! Rows of sparse matrices: loops over neighbouring elements of an index array.
//!
//! In `for k: s -= val[k] * x[col[k]]` the elements `col[k]` lie beside each other, and where the
//! loop reads of `x` is a linear function of them. So the lowest and the highest place that it
//! reads are those of the smallest and the largest element: an inspector finds them without
//! executing the loop, for the elements of many rows at once.

use std::collections::HashSet;

use poly_shim::ir::Opcode;
use poly_shim::{LoopRef, MovingRead, Row, RowRead, ScevKind, Site, SiteKind, ValueRef};

use super::Search;

impl<'c> Search<'c> {
    /// The loop inside of the nest, if it is of this kind.
    pub(super) fn row(&self, sites: &[Site<'c>]) -> Option<Row<'c>> {
        let [inner] = self.outer.subloops()[..] else { return None };
        let (preheader, latch, exit) = (inner.preheader()?, inner.latch()?, inner.exit_block()?);
        let has_form = inner.is_simplified() && inner.subloops().is_empty() && inner.exiting_block() == Some(latch);
        let backedges = self.cx.backedge_taken_count(inner);
        if !has_form || backedges.is_could_not_compute() || !self.is_left_out(inner, sites) {
            return None;
        }
        let of_inner = || sites.iter().filter(|site| site.access.block().is_some_and(|block| inner.contains(block)));
        let mut indices = of_inner().filter(|site| site.kind == SiteKind::Index);
        let (load, None) = (indices.next()?.access, indices.next()) else { return None };
        let address = self.cx.scev(load.pointer_operand()?)?;
        let operands = address.operands();
        let is_counter = address.kind() == ScevKind::AddRec && address.addrec_loop() == Some(inner);
        let size = i64::try_from(self.cx.alloc_size(load.access_type()?)?).ok()?;
        let is_always = load.block().is_some_and(|block| self.cx.dominates(block, latch));
        if !is_counter || !is_always || operands.len() != 2 || operands[1].constant_i64() != Some(size) {
            return None;
        }
        let reads = || of_inner().filter(|site| site.kind == SiteKind::Read);
        let is_read = |site: &&Site<'c>| self.moving_read(inner, site).is_none();
        let moving = reads().filter_map(|site| self.moving_read(inner, site)).collect();
        let found = reads().filter(is_read).map(|site| self.row_read(site, load));
        let found: Vec<(RowRead<'c>, bool)> = found.collect::<Option<_>>()?;
        let is_signed = found.first()?.1;
        let is_one = found.iter().all(|(_, signed)| *signed == is_signed);
        is_one.then(|| Row {
            inside: inner.blocks(),
            preheader,
            exit,
            load,
            span: [operands[0], backedges],
            is_signed,
            reads: found.into_iter().map(|(read, _)| read).collect(),
            moving,
        })
    }

    /// What iterations access elsewhere does not depend on what the loop computes.
    fn is_left_out(&self, inner: LoopRef<'c>, sites: &[Site<'c>]) -> bool {
        let is_outside = |value: ValueRef<'c>| value.block().is_some_and(|block| !inner.contains(block));
        let told = sites.iter().map(|site| site.access).filter(|access| is_outside(*access));
        let mut needed: Vec<ValueRef<'c>> = told.filter_map(ValueRef::pointer_operand).collect();
        let ends = self.blocks.iter().filter(|block| **block != self.latch).map(|block| block.terminator());
        needed.extend(ends.filter(|end| is_outside(*end)).filter_map(ValueRef::condition));
        let header = self.outer.header();
        let mut known = HashSet::new();
        while let Some(value) = needed.pop() {
            if !self.is_inside(value) || !known.insert(value) {
                continue;
            }
            if inner.blocks().iter().any(|block| value.block() == Some(*block)) {
                return false;
            }
            let is_counter = value.opcode() == Some(Opcode::Phi) && value.block() == Some(header);
            if !is_counter {
                needed.extend(value.operands().into_iter().filter(|operand| operand.as_block().is_none()));
            }
        }
        true
    }

    /// Where the site reads, if that moves by a constant from element to element.
    pub(super) fn moving_read(&self, inner: LoopRef<'c>, site: &Site<'c>) -> Option<MovingRead<'c>> {
        let address = self.cx.scev(site.access.pointer_operand()?)?;
        let operands = address.operands();
        let is_counter = address.kind() == ScevKind::AddRec && address.addrec_loop() == Some(inner);
        let step = operands.get(1).and_then(|step| step.constant_i64());
        let step = step.filter(|step| (1..1 << 20).contains(&step.unsigned_abs()))?;
        let (start, size) = (*operands.first()?, site.size);
        (is_counter && operands.len() == 2).then_some(MovingRead { start, step, size })
    }

    /// Where the site reads, as a function of the element, and whether that is a signed number.
    fn row_read(&self, site: &Site<'c>, element: ValueRef<'c>) -> Option<(RowRead<'c>, bool)> {
        let pointer = site.access.pointer_operand()?;
        let [base, mut index] = pointer.operands()[..] else { return None };
        if pointer.opcode() != Some(Opcode::GetElementPtr) || self.is_inside(base) {
            return None;
        }
        let scale = self.cx.alloc_size(pointer.gep_source_type()?)?;
        let mut offset = 0;
        if index.opcode() == Some(Opcode::Add) && index.ty().integer_bits() == Some(64) {
            (index, offset) = (index.operand(0), index.operand(1).constant_int()?);
        }
        let is_extended = matches!(index.opcode(), Some(Opcode::SExt | Opcode::ZExt));
        let is_signed = index.opcode() != Some(Opcode::ZExt);
        let from = if is_extended { index.operand(0) } else { index };
        let bits = element.ty().integer_bits().filter(|bits| matches!(bits, 8 | 16 | 32 | 64))?;
        // Addresses wrap where a sum of this size would.
        let is_small = offset.unsigned_abs() < 1 << 20 && scale < 1 << 20 && bits <= 32;
        (from == element && is_small).then_some((RowRead { base, offset, scale, size: site.size }, is_signed))
    }
}
