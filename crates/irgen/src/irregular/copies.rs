//! The functions of a nest: copies of the loop, entered at any iteration.
//!
//! The *executor* has the whole loop; its outer loop goes through runs of iterations. The
//! *inspectors* have the slice. Both keep the lowest and the highest address of each site that they
//! tell of. One tells of writes only. The other one tells of all sites, and of what is read and
//! written near given addresses it writes records (`crates/runtime`, `records.rs`) to a buffer, and
//! calls the library when that is full. PHI nodes of the header are computed from the number of the
//! iteration, and the latch leads to the next iteration without a condition.

use std::collections::{HashMap, HashSet};

use poly_runtime::END_OF_ITERATION;
use poly_shim::ir::Opcode;
use poly_shim::surgery::promote_slots;
use poly_shim::{Counter, IrregularNest, PassContext, Row, SiteKind};

use super::new_function;
use crate::builder::{self, Block, Builder, Compare, Op, Value};

/// Metadata that is right wherever an iteration runs.
const KEPT: [&str; 4] = ["tbaa", "fpmath", "range", "nonnull"];

/// Writes a function.
pub(super) struct Copy<'c, 'n> {
    pub(super) b: Builder<'c>,
    nest: &'n IrregularNest<'c>,
    pub(super) made: Value<'c>,
    /// What values of the loop, and from outside, are in the function.
    map: HashMap<Value<'c>, Value<'c>>,
    /// First addresses of loads that hand their values on, and what comes behind them.
    pub(super) addresses: Vec<Value<'c>>,
    /// The number of the iteration.
    number: Option<Value<'c>>,
    blocks: HashMap<Block<'c>, Block<'c>>,
    /// Where the copy of a block ends.
    ends: HashMap<Block<'c>, Block<'c>>,
    /// What an inspector knows.
    told: Option<Told<'c>>,
    /// A loop of which only the first and the last element are told.
    rows: Option<Rows<'c, 'n>>,
}

/// The places of what an inspector tells.
enum Told<'c> {
    /// Of each access.
    Sites {
        /// The lowest and the highest address of each site of which it tells.
        bounds: Vec<Option<[Value<'c>; 2]>>,
        /// Where records are written to.
        records: Option<Records<'c>>,
    },
    /// How far iterations read.
    Reach(Reach<'c>),
}

/// Variables of an inspector of how far from its own writes an iteration reads what others write.
#[derive(Clone, Copy)]
pub(super) struct Reach<'c> {
    /// The farthest read, in bytes from where the iteration begins to write.
    pub(super) far: Value<'c>,
    /// How many reads are of what one of the [`NEAR`] iterations before has written.
    pub(super) near: Value<'c>,
    /// Bytes that are loaded in blocks with such reads.
    pub(super) bytes: Value<'c>,
    /// What is written: the first address, and how many bytes.
    pub(super) low: Value<'c>,
    pub(super) span: Value<'c>,
    /// Where the first iteration writes, and by how much that moves.
    pub(super) first: Value<'c>,
    pub(super) stride: i64,
    /// The sites that are told.
    pub(super) kinds: &'static [SiteKind],
}

/// A loop over elements of an index array, and variables of an inspector that looks at the elements
/// of many rows at once: those of rows that lie behind each other are one *span*.
#[derive(Clone, Copy)]
pub(super) struct Rows<'c, 'n> {
    pub(super) row: &'n Row<'c>,
    /// In the original: the address of the first element, and how many follow.
    pub(super) span: [Value<'c>; 2],
    /// In the original: the first address of each read that moves along the row; and variables for
    /// the lowest and the highest address.
    pub(super) moving: &'n [(Value<'c>, [Value<'c>; 2])],
    /// Where the span begins, and where it ends.
    pub(super) open: Value<'c>,
    pub(super) end: Value<'c>,
    /// Looks at the elements from one address up to another one.
    pub(super) scan: Value<'c>,
    pub(super) found: Value<'c>,
    /// Bytes of an element.
    pub(super) size: i128,
}

/// A processor waits where iterations wait for one that is not farther before them. Where they wait
/// for the second one, there are two chains, which are executed at the same time: that is about as
/// fast as several sweeps at once, without what these cost.
const NEAR: u64 = 1;

#[derive(Clone, Copy)]
struct Records<'c> {
    sink: Value<'c>,
    next: Value<'c>,
    end: Value<'c>,
    flush: Value<'c>,
    /// The first address of which there are records, and how many.
    start: Value<'c>,
    span: Value<'c>,
    /// Accesses of the iteration so far.
    count: Value<'c>,
}

/// What an inspector executes outside of the loop over a row, with values of its span; nothing if
/// that needs what is computed in there, or what is not among the values of the nest.
pub(super) fn slice_of_rows<'c>(
    nest: &IrregularNest<'c>,
    row: &Row<'c>,
    span: &[Value<'c>],
) -> Option<HashSet<Value<'c>>> {
    let is_outside = |value: Value<'c>| value.block().is_some_and(|block| !row.inside.contains(&block));
    let told = nest.sites.iter().map(|site| site.access).filter(|access| is_outside(*access));
    let mut needed: Vec<Value<'c>> = told.filter_map(Value::pointer_operand).chain(span.iter().copied()).collect();
    let ends = nest.blocks.iter().filter(|block| Some(**block) != nest.outer.latch());
    needed.extend(ends.map(|block| block.terminator()).filter(|end| is_outside(*end)).filter_map(Value::condition));
    let mut known = HashSet::new();
    while let Some(value) = needed.pop() {
        let Some(block) = value.block() else { continue };
        if nest.values.iter().any(|(given, _)| *given == value) || !known.insert(value) {
            continue;
        }
        if !nest.blocks.contains(&block) || row.inside.contains(&block) {
            return None;
        }
        let is_counter = block == nest.blocks[0] && value.opcode() == Some(Opcode::Phi);
        if !is_counter {
            needed.extend(value.operands().into_iter().filter(|operand| operand.as_block().is_none()));
        }
    }
    Some(known)
}

/// Writes `void inspect(const word *values, i64 from, i64 to, sink *)`.
pub(super) fn inspector<'c>(cx: PassContext<'c>, nest: &IrregularNest<'c>, values: &[Value<'c>]) -> Value<'c> {
    let mut copy = Copy::inspector(cx, nest, values, "inspect");
    let sink = builder::argument(copy.made, 3);
    let b = &copy.b;
    let (pointer, long) = (b.pointer_type(), b.int_type(64));
    let [next, count] = [("next", pointer), ("count", long)].map(|(name, ty)| b.alloca(ty, name));
    // As the library's `Sink` begins.
    let field = |k: i128, ty| b.load(ty, b.offset(long, sink, b.int(64, k)), "");
    b.store(field(0, pointer), next);
    b.store(b.int(64, 0), count);
    let [end, flush, bounds] = [1, 2, 3].map(|k| field(k, pointer));
    let [start, span] = [4, 5].map(|k| field(k, long));
    let records = Some(Records { sink, next, end, flush, start, span, count });
    copy.inspect(cx, bounds, records, &|_| true);
    copy.made
}

/// Writes `void written(const word *values, i64 from, i64 to, bounds *)`.
pub(super) fn writes<'c>(cx: PassContext<'c>, nest: &IrregularNest<'c>, values: &[Value<'c>]) -> Value<'c> {
    let mut copy = Copy::inspector(cx, nest, values, "written");
    let bounds = builder::argument(copy.made, 3);
    copy.inspect(cx, bounds, None, &|kind| kind == SiteKind::Write);
    copy.made
}

/// Writes `void execute(const word *values, const run *runs, i64 count)`.
pub(super) fn executor<'c>(cx: PassContext<'c>, nest: &IrregularNest<'c>, values: &[Value<'c>]) -> Value<'c> {
    let b = Builder::new(cx);
    let (pointer, int, long) = (b.pointer_type(), b.int_type(32), b.int_type(64));
    let ty = b.function_type(b.void_type(), &[pointer, pointer, long], false);
    let mut copy = Copy::new(b, nest, values, "execute", ty);
    let (runs, count) = (builder::argument(copy.made, 1), builder::argument(copy.made, 2));
    let b = &copy.b;
    let entry = b.block();
    let [head, some, done] = ["runs", "run", "done"].map(|name| b.append_block(copy.made, name));
    b.branch(head);
    b.at_end(head);
    let position = b.phi(long, "run");
    builder::add_incoming(position, b.int(64, 0), entry);
    let is_left = b.compare(Compare::LLVMIntULT, position, count);
    b.branch_if(is_left, some, done);
    b.at_end(some);
    let run = b.offset(b.int_type(64), runs, position);
    let first = b.int_cast(b.load(int, run, ""), long, false);
    let length = b.int_cast(b.load(int, b.offset(int, run, b.int(64, 1)), ""), long, false);
    let last = b.arithmetic(Op::Add, first, length, false);
    let end = copy.loop_from(first, last, cx, &|_| true);
    let b = &copy.b;
    b.at_end(end);
    let next = b.arithmetic(Op::Add, position, b.int(64, 1), false);
    builder::add_incoming(position, next, end);
    b.branch(head);
    b.at_end(done);
    b.return_void();
    copy.made
}

impl<'c, 'n> Copy<'c, 'n> {
    /// A function whose entry block loads the values; the builder stands there.
    pub(super) fn new(
        b: Builder<'c>,
        nest: &'n IrregularNest<'c>,
        values: &[Value<'c>],
        what: &str,
        ty: builder::Type<'c>,
    ) -> Self {
        let parent = nest.blocks[0].function();
        let made = new_function(&b, parent, what, ty);
        let entry = b.append_block(made, "entry");
        b.at_end(entry);
        b.use_artificial_place(made);
        let words = builder::argument(made, 0);
        let load = |position: usize, value: Value<'c>| {
            let place = b.offset(b.int_type(64), words, b.int(64, position as i128));
            match value.ty().integer_bits() {
                Some(_) => b.int_cast(b.load(b.int_type(64), place, ""), value.ty(), false),
                None => b.load(value.ty(), place, ""),
            }
        };
        let known = nest.values.len();
        let map = values[..known].iter().enumerate().map(|(k, &value)| (value, load(k, value)));
        let map: HashMap<Value<'c>, Value<'c>> = map.filter(|(value, _)| !value.is_constant()).collect();
        let addresses = values[known..].iter().enumerate().map(|(k, &value)| load(known + k, value)).collect();
        let (blocks, ends) = (HashMap::new(), HashMap::new());
        Self { b, nest, made, map, addresses, number: None, blocks, ends, told: None, rows: None }
    }

    /// A function of iterations from one up to another one, and something to tell.
    pub(super) fn inspector(
        cx: PassContext<'c>,
        nest: &'n IrregularNest<'c>,
        values: &[Value<'c>],
        what: &str,
    ) -> Self {
        let b = Builder::new(cx);
        let (pointer, long) = (b.pointer_type(), b.int_type(64));
        let ty = b.function_type(b.void_type(), &[pointer, long, long, pointer], false);
        Self::new(b, nest, values, what, ty)
    }

    /// Writes the body of an inspector, which tells of sites of these kinds.
    fn inspect(
        &mut self,
        cx: PassContext<'c>,
        bounds: Value<'c>,
        records: Option<Records<'c>>,
        tells: &dyn Fn(SiteKind) -> bool,
    ) {
        let long = self.b.int_type(64);
        let place = |b: &Builder<'c>, site: usize, which: usize| {
            b.offset(long, bounds, b.int(64, 2 * site as i128 + which as i128))
        };
        let slots = |site: usize| {
            ["low", "high"].map(|name| self.b.alloca(long, name)).into_iter().enumerate().map(move |slot| (site, slot))
        };
        let told = |site: &usize| tells(self.nest.sites[*site].kind);
        let mut of_sites = vec![None; self.nest.sites.len()];
        for (site, (which, slot)) in (0..self.nest.sites.len()).filter(told).flat_map(slots) {
            self.b.store(self.b.load(long, place(&self.b, site, which), ""), slot);
            of_sites[site].get_or_insert([slot; 2])[which] = slot;
        }
        self.told = Some(Told::Sites { bounds: of_sites.clone(), records });
        let done = self.visit(cx);
        let b = &self.b;
        b.at_end(done);
        for (site, slots) in of_sites.iter().enumerate() {
            for (which, &slot) in slots.iter().flatten().enumerate() {
                b.store(b.load(long, slot, ""), place(b, site, which));
            }
        }
        let mut all: Vec<Value<'c>> = of_sites.into_iter().flatten().flatten().collect();
        if let Some(Records { sink, next, count, .. }) = records {
            b.store(b.load(b.pointer_type(), next, ""), sink);
            all.extend([next, count]);
        }
        b.return_void();
        promote_slots(self.made, &all);
    }

    /// Writes the body of an inspector of how far iterations read; the builder stands behind it.
    pub(super) fn reach(&mut self, cx: PassContext<'c>, reach: Reach<'c>) {
        self.told = Some(Told::Reach(reach));
        let done = self.visit(cx);
        self.b.at_end(done);
    }

    /// The same, without the loop over a row, of which it looks at spans of elements, and with this
    /// slice.
    pub(super) fn reach_of_rows(
        &mut self,
        cx: PassContext<'c>,
        reach: Reach<'c>,
        rows: Rows<'c, 'n>,
        slice: &HashSet<Value<'c>>,
    ) {
        self.told = Some(Told::Reach(reach));
        self.rows = Some(rows);
        let (from, to) = (builder::argument(self.made, 1), builder::argument(self.made, 2));
        let done = self.loop_from(from, to, cx, &|instruction| slice.contains(&instruction));
        let b = &self.b;
        b.at_end(done);
        self.scan(rows);
    }

    /// In front of the loop over a row: its elements are added to the span, or begin a new one.
    fn tell_row(&self, rows: Rows<'c, 'n>) {
        let b = &self.b;
        b.use_artificial_place(self.made);
        let long = b.int_type(64);
        let (start, pointer) = (self.of(rows.span[0]), b.pointer_type());
        let more = b.int_cast(self.of(rows.span[1]), long, false);
        let count = b.arithmetic(Op::Add, more, b.int(64, 1), false);
        let bytes = b.arithmetic(Op::Mul, count, b.int(64, rows.size), false);
        let end = b.offset(b.int_type(8), start, bytes);
        let follows = b.compare(Compare::LLVMIntEQ, start, b.load(pointer, rows.end, ""));
        let precedes = b.compare(Compare::LLVMIntEQ, end, b.load(pointer, rows.open, ""));
        let [apart, on] = ["apart", "on"].map(|name| b.append_block(self.made, name));
        b.branch_if(b.arithmetic(Op::Or, follows, precedes, false), on, apart);
        let beside = b.block();
        b.at_end(apart);
        self.scan(rows);
        b.branch(on);
        b.at_end(on);
        let is_new = b.phi(b.int_type(1), "new");
        builder::add_incoming(is_new, b.bool(false), beside);
        builder::add_incoming(is_new, b.bool(true), apart);
        let [open, old] = [rows.open, rows.end].map(|slot| b.load(pointer, slot, ""));
        b.store(b.select(b.arithmetic(Op::Or, is_new, precedes, false), start, open), rows.open);
        b.store(b.select(b.arithmetic(Op::Or, is_new, follows, false), end, old), rows.end);
        for (&(start, bounds), moving) in rows.moving.iter().zip(&rows.row.moving) {
            let start = b.ptr_to_int(self.of(start), long);
            let distance = b.arithmetic(Op::Mul, more, b.int(64, i128::from(moving.step)), false);
            let last = b.arithmetic(Op::Add, start, distance, false);
            let [lowest, highest] = if moving.step > 0 { [start, last] } else { [last, start] };
            for (slot, (name, address)) in bounds.into_iter().zip([("llvm.umin", lowest), ("llvm.umax", highest)]) {
                b.store(b.intrinsic(name, &[long], &[b.load(long, slot, ""), address]), slot);
            }
        }
    }

    /// Looks at the elements of the span.
    fn scan(&self, rows: Rows<'c, 'n>) {
        let b = &self.b;
        let pointer = b.pointer_type();
        let ty = b.function_type(b.void_type(), &[pointer; 3], false);
        b.call(ty, rows.scan, &[b.load(pointer, rows.open, ""), b.load(pointer, rows.end, ""), rows.found]);
    }

    /// Writes what iterations between the arguments access.
    fn visit(&mut self, cx: PassContext<'c>) -> Block<'c> {
        let slice: HashSet<Value<'c>> = self.nest.slice.iter().copied().collect();
        let (from, to) = (builder::argument(self.made, 1), builder::argument(self.made, 2));
        self.loop_from(from, to, cx, &|instruction| slice.contains(&instruction))
    }

    /// Writes the iterations from one (which there is) up to another one at the builder's place;
    /// the block where the function goes on.
    pub(super) fn loop_from(
        &mut self,
        from: Value<'c>,
        to: Value<'c>,
        cx: PassContext<'c>,
        keeps: &dyn Fn(Value<'c>) -> bool,
    ) -> Block<'c> {
        let b = &self.b;
        let before = b.block();
        let [head, next, done] = ["iteration", "next", "iterated"].map(|name| b.append_block(self.made, name));
        b.branch(head);
        b.at_end(head);
        let number = b.phi(b.int_type(64), "number");
        builder::add_incoming(number, from, before);
        self.number = Some(number);
        self.begin_iteration(number);
        let inside = self.rows.map_or(&[][..], |rows| &rows.row.inside[..]);
        let blocks: Vec<Block<'c>> = self.nest.blocks.iter().copied().filter(|block| !inside.contains(block)).collect();
        self.blocks =
            blocks.iter().map(|&block| (block, self.b.append_block(self.made, &block.as_value().name()))).collect();
        let header = self.nest.blocks[0];
        self.b.branch(self.blocks[&header]);
        let mut copies = Vec::new();
        for &block in &blocks {
            self.b.at_end(self.blocks[&block]);
            self.copy_block(block, next, &mut copies, keeps);
            self.ends.insert(block, self.b.block());
        }
        for &copy in &copies {
            self.connect(copy, cx);
        }
        let b = &self.b;
        b.at_end(next);
        b.use_artificial_place(self.made);
        self.end_iteration();
        let more = b.arithmetic(Op::Add, number, b.int(64, 1), false);
        builder::add_incoming(number, more, b.block());
        let is_left = b.compare(Compare::LLVMIntULT, more, to);
        b.branch_if(is_left, head, done);
        done
    }

    /// Computes the PHI nodes of the header.
    fn begin_iteration(&mut self, number: Value<'c>) {
        let mut addresses = self.addresses.clone().into_iter();
        for counter in &self.nest.counters {
            let b = &self.b;
            let (phi, value) = match *counter {
                Counter::Sum { phi, start, step } => (phi, self.moved(self.of(start), step, number)),
                Counter::Loaded { phi, start, step, .. } => {
                    let address = addresses.next().expect("every load has an address");
                    let is_first = b.compare(Compare::LLVMIntEQ, number, b.int(64, 0));
                    let before = b.arithmetic(Op::Add, number, b.int(64, -1), false);
                    let before = b.select(is_first, number, before);
                    let loaded = b.load(phi.ty(), self.moved(address, step, before), "");
                    (phi, b.select(is_first, self.of(start), loaded))
                }
            };
            self.map.insert(phi, value);
        }
    }

    /// `start + number * step`
    fn moved(&self, start: Value<'c>, step: i64, number: Value<'c>) -> Value<'c> {
        let b = &self.b;
        let distance = b.arithmetic(Op::Mul, number, b.int(64, i128::from(step)), false);
        match start.ty().integer_bits() {
            Some(_) => b.arithmetic(Op::Add, start, b.int_cast(distance, start.ty(), false), false),
            None => b.offset(b.int_type(8), start, distance),
        }
    }

    /// What a value is in the function.
    pub(super) fn of(&self, value: Value<'c>) -> Value<'c> {
        self.map.get(&value).copied().unwrap_or(value)
    }

    /// Copies the instructions of a block that are kept.
    fn copy_block(
        &mut self,
        block: Block<'c>,
        next: Block<'c>,
        copies: &mut Vec<Value<'c>>,
        keeps: &dyn Fn(Value<'c>) -> bool,
    ) {
        let is_header = block == self.nest.blocks[0];
        let terminator = block.terminator();
        for instruction in block.instructions() {
            if instruction == terminator {
                break;
            }
            let is_counter = is_header && instruction.opcode() == Some(Opcode::Phi);
            if is_counter || instruction.is_call() && instruction.is_mark() {
                continue;
            }
            if let Some(site) = self.nest.sites.iter().position(|site| site.access == instruction) {
                self.tell(site);
            }
            if keeps(instruction) {
                let copy = instruction.clone_instruction();
                self.b.insert(copy);
                copy.copy_place(instruction);
                self.map.insert(instruction, copy);
                copies.push(copy);
            }
        }
        if let Some(rows) = self.rows.filter(|rows| rows.row.preheader == block) {
            self.tell_row(rows);
            self.b.branch(self.blocks[&rows.row.exit]);
        } else if Some(block) == self.nest.outer.latch() {
            self.b.use_artificial_place(self.made);
            self.b.branch(next);
        } else {
            let copy = terminator.clone_instruction();
            self.b.insert(copy);
            copy.copy_place(terminator);
            copies.push(copy);
        }
    }

    /// Gives a copy its operands. Its address was used in a record before, and has a copy already.
    fn connect(&self, copy: Value<'c>, cx: PassContext<'c>) {
        for (position, operand) in copy.operands().into_iter().enumerate() {
            if operand.as_block().is_none()
                && let Some(&value) = self.map.get(&operand)
            {
                builder::set_operand(copy, position, value);
            }
        }
        copy.keep_metadata(cx, &KEPT);
        if copy.opcode() == Some(Opcode::Phi) {
            for (position, (from, _)) in copy.incoming().into_iter().enumerate() {
                copy.set_incoming_block(position, self.ends[&from]);
            }
        }
        if matches!(copy.opcode(), Some(Opcode::Br | Opcode::Switch)) {
            let own = copy.block().expect("it was inserted");
            for next in own.successors() {
                builder::redirect(own, next, self.blocks[&next]);
            }
        }
    }

    /// Tells what a site accesses, if the function is an inspector.
    fn tell(&self, site: usize) {
        match &self.told {
            Some(Told::Sites { bounds, records }) => {
                if let Some(bounds) = bounds[site] {
                    self.tell_site(site, bounds, *records);
                }
            }
            Some(Told::Reach(reach)) if reach.kinds.contains(&self.nest.sites[site].kind) => {
                self.tell_reach(site, *reach);
            }
            _ => {}
        }
    }

    /// Tells how far from what the iteration writes the site reads.
    fn tell_reach(&self, site: usize, reach: Reach<'c>) {
        let b = &self.b;
        b.use_artificial_place(self.made);
        let long = b.int_type(64);
        let number = self.number.expect("it is in an iteration");
        let read = &self.nest.sites[site];
        let (width, size) = (reach.stride.unsigned_abs(), i128::from(read.size));
        let address = b.ptr_to_int(self.of(read.access.pointer_operand().expect("sites are loads and stores")), long);
        let own = b.arithmetic(Op::Mul, number, b.int(64, i128::from(reach.stride)), false);
        let own = b.arithmetic(Op::Add, reach.first, own, false);
        let distance = b.arithmetic(Op::Sub, address, own, false);
        let back = b.arithmetic(Op::Sub, own, address, false);
        // What begins in front of what is written may reach into it.
        let low = b.arithmetic(Op::Sub, reach.low, b.int(64, size - 1), false);
        let span = b.arithmetic(Op::Add, reach.span, b.int(64, size - 1), false);
        let is_written = b.compare(Compare::LLVMIntULT, b.arithmetic(Op::Sub, address, low, false), span);
        let length = b.intrinsic("llvm.smax", &[long], &[distance, back]);
        // An element is read again where the iteration begins that it was handed on to.
        let least = b.int(64, i128::from(read.kind == SiteKind::Index));
        let length = b.intrinsic("llvm.smax", &[long], &[length, least]);
        let length = b.select(is_written, length, b.int(64, 0));
        b.store(b.intrinsic("llvm.umax", &[long], &[b.load(long, reach.far, ""), length]), reach.far);
        // From one byte to NEAR iterations behind.
        let behind = if reach.stride > 0 { back } else { distance };
        let is_near = b.compare(
            Compare::LLVMIntULT,
            b.arithmetic(Op::Sub, behind, b.int(64, 1), false),
            b.int(64, i128::from(NEAR * width)),
        );
        let one = b.select(is_near, b.int(64, 1), b.int(64, 0));
        b.store(b.arithmetic(Op::Add, b.load(long, reach.near, ""), one, false), reach.near);
        let bytes = b.arithmetic(
            Op::Add,
            b.load(long, reach.bytes, ""),
            b.int(64, self.bytes_beside(site, reach.kinds)),
            false,
        );
        b.store(bytes, reach.bytes);
    }

    /// Bytes that are loaded in the block of a site, if no site in front of it says that.
    fn bytes_beside(&self, site: usize, kinds: &[SiteKind]) -> i128 {
        let block = self.nest.sites[site].access.block();
        let mut others = self.nest.sites[..site].iter().filter(|other| kinds.contains(&other.kind));
        if others.any(|other| other.access.block() == block) {
            return 0;
        }
        let loads = block.into_iter().flat_map(|block| block.instructions());
        let loads = loads.filter(|instruction| instruction.opcode() == Some(Opcode::Load));
        loads.filter_map(|load| load.access_type()).map(|ty| i128::from(self.b.store_size(ty))).sum()
    }

    /// Tells what a site accesses.
    fn tell_site(&self, site: usize, bounds: [Value<'c>; 2], records: Option<Records<'c>>) {
        let b = &self.b;
        b.use_artificial_place(self.made);
        let long = b.int_type(64);
        let address = self.nest.sites[site].access.pointer_operand().expect("sites are loads and stores");
        let address = b.ptr_to_int(self.of(address), long);
        for (slot, name) in bounds.into_iter().zip(["llvm.umin", "llvm.umax"]) {
            b.store(b.intrinsic(name, &[long], &[b.load(long, slot, ""), address]), slot);
        }
        let Some(records) = records else { return };
        let Records { count, start, span, .. } = records;
        b.store(b.arithmetic(Op::Add, b.load(long, count, ""), b.int(64, 1), false), count);
        let told = &self.nest.sites[site];
        if told.kind == SiteKind::Index {
            if told.base.is_none() {
                self.record(records, address, site as u64);
            }
            return;
        }
        let distance = b.arithmetic(Op::Sub, address, start, false);
        let is_near = b.compare(Compare::LLVMIntULT, distance, span);
        let [near, on] = ["near", "on"].map(|name| b.append_block(self.made, name));
        b.branch_if(is_near, near, on);
        b.at_end(near);
        self.record(records, distance, site as u64);
        b.branch(on);
        b.at_end(on);
    }

    /// Writes that the iteration ends, with the number of its accesses.
    fn end_iteration(&self) {
        let Some(Told::Sites { records: Some(records), .. }) = self.told else { return };
        let count = self.b.load(self.b.int_type(64), records.count, "");
        self.record(records, count, END_OF_ITERATION);
        self.b.store(self.b.int(64, 0), records.count);
    }

    /// Writes a number and what it is of to the buffer.
    fn record(&self, records: Records<'c>, number: Value<'c>, of: u64) {
        let Records { sink, next, end, flush, .. } = records;
        let b = &self.b;
        let pointer = b.pointer_type();
        let shifted = b.arithmetic(Op::Mul, number, b.int(64, 256), false);
        let word = b.arithmetic(Op::Or, shifted, b.int(64, i128::from(of)), false);
        let place = b.load(pointer, next, "");
        b.store(word, place);
        let behind = b.offset(b.int_type(64), place, b.int(64, 1));
        b.store(behind, next);
        let is_full = b.compare(Compare::LLVMIntEQ, behind, end);
        let [full, on] = ["full", "on"].map(|name| b.append_block(self.made, name));
        b.branch_if(is_full, full, on);
        b.at_end(full);
        let ty = b.function_type(pointer, &[pointer, pointer], false);
        b.store(b.call(ty, flush, &[sink, behind]), next);
        b.branch(on);
        b.at_end(on);
    }
}
