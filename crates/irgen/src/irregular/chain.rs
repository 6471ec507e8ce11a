//! An inspector of rows of which each begins where the one before it ends ([`Chain`]).
//!
//! If no row of some ends before it begins, their elements are all those from the first one of the
//! first row up to the last one of the last row, and nothing else has to be done for each row. A
//! row that has no elements because its end comes first would break that: then nothing is told.

use poly_shim::{Chain, Counter, IrregularNest, PassContext, Row};

use super::copies::Copy;
use super::reads::{FAR, HIGHEST, LOW, LOWEST, SPAN, begin, demand, end, scan, word};
use crate::builder::{self, Builder, Compare, Op, Value};

/// Writes `i1 chain(const word *values, i64 from, i64 to, word *found)`: false if nothing was told.
pub(super) fn chain_inspector<'c>(
    cx: PassContext<'c>,
    nest: &IrregularNest<'c>,
    row: &Row<'c>,
    chain: &Chain<'c>,
    values: &[Value<'c>],
) -> Value<'c> {
    let size = i128::from(row.load.ty().integer_bits().unwrap_or(0) / 8);
    let scan = scan(&Builder::new(cx), nest.outer.header().function(), row, size);
    let b = Builder::new(cx);
    let (pointer, long) = (b.pointer_type(), b.int_type(64));
    let ty = b.function_type(b.int_type(1), &[pointer, long, long, pointer], false);
    let inspector = Inspector { copy: Copy::new(b, nest, values, "chain", ty), nest, row, chain };
    inspector.write(scan, size);
    inspector.copy.made
}

struct Inspector<'c, 'n> {
    copy: Copy<'c, 'n>,
    nest: &'n IrregularNest<'c>,
    row: &'n Row<'c>,
    chain: &'n Chain<'c>,
}

impl<'c> Inspector<'c, '_> {
    fn write(&self, scan: Value<'c>, size: i128) {
        let b = &self.copy.b;
        let (pointer, long) = (b.pointer_type(), b.int_type(64));
        let [from, to, found] = [1, 2, 3].map(|k| builder::argument(self.copy.made, k));
        let declined = b.append_block(self.copy.made, "declined");
        let ends = self.ends(from, to, declined);
        let [first, behind] = ends.map(|number| b.int_cast(number, long, self.chain.is_signed));
        let (base, _) = self.chain.along[self.row.moving.len() - 1];
        let place = |number| {
            let distance = b.arithmetic(Op::Mul, number, b.int(64, size), false);
            b.offset(b.int_type(8), self.copy.of(base), distance)
        };
        let ty = b.function_type(b.void_type(), &[pointer; 3], false);
        b.call(ty, scan, &[place(first), place(behind), found]);
        self.tell_along(first, behind, found);
        self.tell_others(from, to, found);
        b.return_value(b.bool(true));
        b.at_end(declined);
        b.return_value(b.bool(false));
    }

    /// The numbers of the first element of the first row, and behind the last one of the last row,
    /// if numbers do not decrease in between.
    fn ends(&self, from: Value<'c>, to: Value<'c>, declined: builder::Block<'c>) -> [Value<'c>; 2] {
        let Counter::Loaded { phi, start, step, .. } = self.chain.counter else {
            unreachable!("rows are chained by what a load hands on");
        };
        let b = &self.copy.b;
        let ty = phi.ty();
        let address = self.copy.addresses[self.place_of_counter()];
        let load = |row| {
            let distance = b.arithmetic(Op::Mul, row, b.int(64, i128::from(step)), false);
            b.load(ty, b.offset(b.int_type(8), address, distance), "")
        };
        let is_first = b.compare(Compare::LLVMIntEQ, from, b.int(64, 0));
        let before = b.arithmetic(Op::Sub, from, b.int(64, 1), false);
        let first = b.select(is_first, self.copy.of(start), load(b.select(is_first, from, before)));
        let entry = b.block();
        let rows = begin(&self.copy, from, to);
        // The builder stands behind the comparison; PHI nodes come first.
        let inside = b.block();
        b.before(rows.counter);
        let known = b.phi(ty, "known");
        let decreases = b.phi(b.int_type(1), "decreases");
        b.at_end(inside);
        builder::add_incoming(known, first, entry);
        builder::add_incoming(decreases, b.bool(false), entry);
        let next = load(rows.counter);
        let less = if self.chain.is_signed { Compare::LLVMIntSLT } else { Compare::LLVMIntULT };
        let is_less = b.arithmetic(Op::Or, decreases, b.compare(less, next, known), false);
        builder::add_incoming(known, next, b.block());
        builder::add_incoming(decreases, is_less, b.block());
        end(&self.copy, &rows, b.int(64, 1));
        demand(&self.copy, b.not(decreases), declined);
        [first, known]
    }

    /// The place of the counter's first address.
    fn place_of_counter(&self) -> usize {
        let phi_of = |counter: &Counter<'c>| match *counter {
            Counter::Loaded { phi, .. } => Some(phi),
            Counter::Sum { .. } => None,
        };
        let own = phi_of(&self.chain.counter);
        let loaded = self.nest.counters.iter().filter_map(phi_of);
        loaded.take_while(|phi| Some(*phi) != own).count()
    }

    /// Tells what is read along the rows.
    fn tell_along(&self, first: Value<'c>, behind: Value<'c>, found: Value<'c>) {
        let b = &self.copy.b;
        let long = b.int_type(64);
        let is_any = b.compare(Compare::LLVMIntSLT, first, behind);
        let last = b.arithmetic(Op::Sub, behind, b.int(64, 1), false);
        for (k, &(base, scale)) in (0..).zip(&self.chain.along) {
            let base = b.ptr_to_int(self.copy.of(base), long);
            let place = |number| {
                let distance = b.arithmetic(Op::Mul, number, b.int(64, i128::from(scale)), false);
                b.arithmetic(Op::Add, base, distance, false)
            };
            let [lowest, highest] = [LOWEST, HIGHEST].map(|which| word(b, found, which + 2 * k));
            b.store(b.select(is_any, place(first), b.int(64, -1)), lowest);
            b.store(b.select(is_any, place(last), b.int(64, 0)), highest);
        }
    }

    /// Tells if something else meets what is written.
    fn tell_others(&self, from: Value<'c>, to: Value<'c>, found: Value<'c>) {
        let b = &self.copy.b;
        let long = b.int_type(64);
        let known = |which: i128| b.load(long, word(b, found, which), "");
        let (low, behind) = (known(LOW), b.arithmetic(Op::Add, known(LOW), known(SPAN), false));
        let last = b.arithmetic(Op::Sub, to, b.int(64, 1), false);
        let counted = self.nest.counters.iter().filter(|counter| matches!(counter, Counter::Loaded { .. })).count();
        for (&(_, step, size), &start) in self.chain.others.iter().zip(&self.copy.addresses[counted..]) {
            let place = |row| {
                let distance = b.arithmetic(Op::Mul, row, b.int(64, i128::from(step)), false);
                b.arithmetic(Op::Add, b.ptr_to_int(start, long), distance, false)
            };
            let [lowest, highest] = if step > 0 { [place(from), place(last)] } else { [place(last), place(from)] };
            let end = b.arithmetic(Op::Add, highest, b.int(64, i128::from(size)), false);
            let reaches = b.compare(Compare::LLVMIntULT, low, end);
            let meets = b.arithmetic(Op::And, reaches, b.compare(Compare::LLVMIntULT, lowest, behind), false);
            let far = b.select(meets, b.int(64, 1), b.int(64, 0));
            b.store(b.intrinsic("llvm.umax", &[long], &[known(FAR), far]), word(b, found, FAR));
        }
    }
}
