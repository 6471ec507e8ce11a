//! Packing: what the columns of register tiles load, copied to where it lies side by side.
//!
//! # Problem
//! The tiles of one column of tiles load the same vectors for the same values of the reduced
//! member. A factor that is stored the other way round (`A[j][k]`, where `j` gives the columns) is
//! loaded lane by lane. Copied once to a buffer in the order of use, it is loaded in vectors from
//! consecutive aligned addresses by all tiles of the column. Vectors that are contiguous anyway are
//! not copied: with prefetching that was measured not to pay.
//!
//! # When
//! Let `P` be the loop directly around the reduced loop `l` of a full tile, as a rule the one over
//! rows of tiles. An operand is packed if
//!
//! * its elements are functions of columns, the reduced member and loops around `P` only, and
//!   neither the bounds of `l` nor the first column move with `P`: all full tiles in `P` load
//!   exactly the same elements;
//! * no statement in `P` writes to its array, unless `P` is marked as a
//!   [`Mark::Panel`](poly_schedule_tree::Mark), or to one that may share bytes with it: they load
//!   the same values;
//! * the trip count of `l` has a constant bound, so the buffer has a constant size.
//!
//! # How
//! ```text
//!   P:    packed = false
//!         for .. in P:   if (buffer) { if (!packed) { copy; packed = true; }  tile that loads from the buffer }
//!                        else tile that loads from the array
//! ```
//! The first full tile that is executed makes the copy, so nothing is read that it would not have
//! read. Each function with such tiles (the region's own one, or one that a thread runs) allocates
//! one buffer at its beginning and frees it at its only end. Without memory, tiles load from the
//! arrays.
//!
//! Reference: the panels of [GotoVanDeGeijn2008].

use crate::builder::{self, Compare, Op, Value};
use crate::code::{Code, Loop};
use crate::form::{Form, Var};
use crate::generator::Generator;
use crate::linear::Linear;
use crate::register::Writer;
use crate::tile::{Part, Tile};

/// Fewer tiles than these do not pay for a copy.
const MIN_TILES: i128 = 3;

/// The operands of a full tile that are packed within a loop.
#[derive(Clone, Debug)]
pub(crate) struct Packing<'c> {
    /// The counter of the reduced loop.
    reduced: usize,
    /// Run and instruction of each operand, where its panel begins, and the bytes of its elements.
    operands: Vec<(usize, usize, u64, u64)>,
    /// Bytes in total.
    bytes: u64,
    /// Slot of the flag that says that the copy was made.
    flag: Option<Value<'c>>,
}

/// The buffer of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffer<'c> {
    /// What is freed.
    allocated: Value<'c>,
    /// Where panels begin.
    aligned: Value<'c>,
    /// It is there.
    exists: Value<'c>,
}

/// Where a tile finds what was packed.
#[derive(Clone, Debug)]
pub(crate) struct Panels<'c> {
    pub(crate) packing: Packing<'c>,
    pub(crate) base: Value<'c>,
    /// The first value of the reduced member.
    pub(crate) lower: Value<'c>,
}

impl Panels<'_> {
    /// Where the panel of an operand begins, and the bytes of its elements.
    pub(crate) fn of(&self, run: usize, position: usize) -> Option<(u64, u64)> {
        let found = self.packing.operands.iter().find(|operand| (operand.0, operand.1) == (run, position));
        found.map(|operand| (operand.2, operand.3))
    }
}

fn mentions(form: &Form, iter: usize) -> bool {
    form.mentions(&|var| var == Var::Iter(iter))
}

/// A bound on the trip count of a loop, if there is a constant one.
fn most_iterations(l: &Loop) -> Option<i128> {
    let list = |form: &Form| match form {
        Form::Min(forms) | Form::Max(forms) => forms.clone(),
        other => vec![other.clone()],
    };
    let lower = match &l.lower {
        Form::Min(_) => vec![l.lower.clone()],
        other => list(other),
    };
    let upper = match &l.upper {
        Form::Max(_) => vec![l.upper.clone()],
        other => list(other),
    };
    let pairs = lower.iter().flat_map(|a| upper.iter().map(move |b| (a, b)));
    pairs.filter_map(|(a, b)| Some(Linear::of(a)?.distance(&Linear::of(b)?)? + 1)).min()
}

/// The reduced loops of register tiles directly in a piece of program.
fn register_loops<'a>(code: &'a Code, found: &mut Vec<&'a Loop>) {
    match code {
        Code::Block(parts) => parts.iter().for_each(|part| register_loops(part, found)),
        Code::If { then, otherwise, .. } => {
            register_loops(then, found);
            otherwise.iter().for_each(|code| register_loops(code, found));
        }
        Code::Loop(l) if l.register.is_some() => found.push(l),
        Code::Loop(_) | Code::Run(_) => {}
    }
}

/// The statements in a piece of program.
fn statements(code: &Code, found: &mut Vec<usize>) {
    match code {
        Code::Block(parts) => parts.iter().for_each(|part| statements(part, found)),
        Code::If { then, otherwise, .. } => {
            statements(then, found);
            otherwise.iter().for_each(|code| statements(code, found));
        }
        Code::Loop(l) => statements(&l.body, found),
        Code::Run(run) => found.push(run.statement),
    }
}

/// What to pack.
impl<'c> Generator<'c, '_> {
    /// What is packed for the first full tile directly in a loop.
    pub(crate) fn packing(&self, around: &Loop) -> Option<Packing<'c>> {
        if !self.packs || most_iterations(around).is_some_and(|most| most < MIN_TILES) {
            return None;
        }
        let mut inside = Vec::new();
        register_loops(&around.body, &mut inside);
        let (l, tile) = inside.into_iter().find_map(|l| self.register_tile(l).map(|tile| (l, tile)))?;
        let moved = [&l.lower, &l.upper, &tile.columns.lower].into_iter().any(|form| mentions(form, around.iter));
        let most = u64::try_from(most_iterations(l)?).ok()?;
        if moved {
            return None;
        }
        // The buffer is to stay in the second cache beside what the tiles touch.
        let most_bytes = self.prepared.options.machine.second().counted_bytes() / 2;
        let mut packing = Packing { reduced: l.iter, operands: Vec::new(), bytes: 0, flag: None };
        for (number, (_, parts)) in tile.runs.iter().enumerate() {
            for (position, part) in parts.iter().enumerate() {
                let Part::Load { moves, contiguous: false } = part else { continue };
                if moves.row || !moves.column || !moves.reduced || !self.is_constant(around, &tile, (number, position))
                {
                    continue;
                }
                let element = self.load_bytes(&tile, (number, position))?;
                let bytes = most * u64::from(tile.n_vectors * tile.lanes) * element;
                if packing.bytes + bytes <= most_bytes {
                    packing.operands.push((number, position, packing.bytes, element));
                    packing.bytes = (packing.bytes + bytes).next_multiple_of(u64::from(self.buffer_alignment()));
                }
            }
        }
        (!packing.operands.is_empty()).then_some(packing)
    }

    /// The elements of an operand do not depend on the loop, and nothing in it writes to them.
    fn is_constant(&self, around: &Loop, tile: &Tile<'_>, (number, position): (usize, usize)) -> bool {
        let Some(location) = self.operand_location(tile, number, position) else { return false };
        if location.subscripts.iter().any(|subscript| subscript.slope(around.iter) != Some(0)) {
            return false;
        }
        let mut inside = Vec::new();
        statements(&around.body, &mut inside);
        let accesses = inside.iter().flat_map(|&s| &self.prepared.scop.statements[s].accesses);
        let mut written = accesses.filter(|a| a.kind != poly_scop::AccessKind::Read).map(|a| a.array.index());
        let own = location.array;
        !written.any(|other| {
            (other == own && !around.panel) || self.prepared.overlapping.contains(&(own.min(other), own.max(other)))
        })
    }

    /// The bytes of the largest buffer that the loops of a function need, without those that other
    /// functions run.
    pub(crate) fn panel_bytes(&self, code: &Code) -> u64 {
        match code {
            Code::Block(parts) => parts.iter().map(|part| self.panel_bytes(part)).max().unwrap_or(0),
            Code::If { then, otherwise, .. } => {
                self.panel_bytes(then).max(otherwise.as_ref().map_or(0, |code| self.panel_bytes(code)))
            }
            Code::Loop(l) if l.parallel && self.prepared.parallel.contains_key(&l.iter) => 0,
            Code::Loop(l) => self.panel_bytes_of_loop(l),
            Code::Run(_) => 0,
        }
    }

    /// The same for a loop, whoever runs it.
    pub(crate) fn panel_bytes_of_loop(&self, l: &Loop) -> u64 {
        self.packing(l).map_or(0, |packing| packing.bytes).max(self.panel_bytes(&l.body))
    }
}

/// The buffer.
impl<'c> Generator<'c, '_> {
    /// Whether buffers may be allocated: `malloc` is the library's, which freestanding programs do
    /// not have.
    pub(crate) fn may_allocate(&self) -> bool {
        self.prepared.options.pack && crate::temporaries::may_allocate(self.prepared.cx)
    }

    /// Allocates the buffer of the function, if it needs one.
    pub(crate) fn allocate_panels(&mut self, bytes: u64) {
        self.frame.buffer = None;
        if bytes == 0 {
            return;
        }
        let (long, pointer) = (self.b.int_type(64), self.b.pointer_type());
        let alignment = self.buffer_alignment();
        let ty = self.b.function_type(pointer, &[long], false);
        let malloc = self.b.runtime_function("malloc", ty);
        let allocated = self.b.call(ty, malloc, &[self.b.int(64, i128::from(bytes + u64::from(alignment)))]);
        builder::set_name(allocated, "poly.buffer");
        let exists = self.b.compare(Compare::LLVMIntNE, allocated, self.b.null(pointer));
        let address = self.b.ptr_to_int(allocated, long);
        let negated = self.b.arithmetic(Op::Sub, self.b.int(64, 0), address, false);
        let gap = self.b.arithmetic(Op::And, negated, self.b.int(64, i128::from(alignment - 1)), false);
        let aligned = self.b.offset(self.b.int_type(8), allocated, gap);
        self.frame.buffer = Some(Buffer { allocated, aligned, exists });
    }

    /// Frees the buffer of the function.
    pub(crate) fn free_panels(&mut self) {
        if let Some(buffer) = self.frame.buffer.take() {
            let ty = self.b.function_type(self.b.void_type(), &[self.b.pointer_type()], false);
            self.b.call(ty, self.b.runtime_function("free", ty), &[buffer.allocated]);
            self.frame.function.drop_inferred_effects();
        }
    }

    /// Before a loop: nothing is packed yet. Gives what was packed around it, for
    /// [`Generator::leave_packing`].
    pub(crate) fn enter_packing(&mut self, l: &Loop) -> Option<Packing<'c>> {
        let mut packing = self.frame.buffer.and_then(|_| self.packing(l));
        if let Some(packing) = &mut packing {
            let flag = self.entry_alloca(self.frame.function, self.b.int_type(1), "poly.packed");
            self.b.store(self.b.bool(false), flag);
            self.frame.flags.push(flag);
            packing.flag = Some(flag);
        }
        std::mem::replace(&mut self.packing, packing)
    }

    /// Behind the loop.
    pub(crate) fn leave_packing(&mut self, outer: Option<Packing<'c>>) {
        self.packing = outer;
    }

    /// What is packed for a full tile, and the buffer.
    pub(crate) fn packing_of_tile(&self, l: &Loop) -> Option<(Packing<'c>, Buffer<'c>)> {
        let packing = self.packing.as_ref().filter(|packing| packing.reduced == l.iter)?;
        Some((packing.clone(), self.frame.buffer?))
    }

    /// Writes a full tile that finds its operands in the buffer, making the copy if it is the first
    /// one, and the same tile without buffer. The builder is at the end of the tile afterwards.
    pub(crate) fn emit_packed_tile(
        &mut self,
        l: &Loop,
        (lower, end): (Value<'c>, Value<'c>),
        tile: &Tile<'_>,
        first: (Value<'c>, Value<'c>),
        (packing, buffer): (Packing<'c>, Buffer<'c>),
    ) {
        let function = self.frame.function;
        let block = |g: &Self, what: &str| g.b.append_block(function, &format!("poly.c{}.{what}", l.iter));
        let (with, copy, ready) = (block(self, "buffer"), block(self, "copy"), block(self, "packed"));
        let (without, merge) = (block(self, "unpacked"), block(self, "merge"));
        self.b.branch_if(buffer.exists, with, without);
        self.b.at_end(with);
        let flag = packing.flag.expect("flags are made when the loop is entered");
        let done = self.b.load(self.b.int_type(1), flag, "");
        self.b.branch_if(done, ready, copy);
        self.b.at_end(copy);
        let panels = Panels { packing, base: buffer.aligned, lower };
        self.emit_copies(l, (lower, end), tile, first, &panels);
        self.b.store(self.b.bool(true), flag);
        self.b.branch(ready);
        self.b.at_end(ready);
        self.emit_reduced(l, (lower, end), tile, first, None, Some(panels));
        self.b.branch(merge);
        self.b.at_end(without);
        self.emit_reduced(l, (lower, end), tile, first, None, None);
        self.b.branch(merge);
        self.b.at_end(merge);
    }

    /// Copies all operands to their panels.
    fn emit_copies(
        &mut self,
        l: &Loop,
        (lower, end): (Value<'c>, Value<'c>),
        tile: &Tile<'_>,
        first: (Value<'c>, Value<'c>),
        panels: &Panels<'c>,
    ) {
        let function = self.frame.function;
        let before = self.b.block();
        let header = self.b.append_block(function, &format!("poly.c{}.panel", l.iter));
        let done = self.b.append_block(function, &format!("poly.c{}.copied", l.iter));
        self.b.branch(header);
        self.b.at_end(header);
        let counter = self.b.phi(self.b.int_type(64), "poly.copied");
        builder::add_incoming(counter, lower, before);
        let outer = self.iters[l.iter].replace(counter);
        let writer = Writer::of_copy(tile, l.iter, first);
        for &(run, position, ..) in &panels.packing.operands {
            for vector in 0..tile.n_vectors {
                let value = self.unpacked_vector(&writer, (run, position), vector);
                let address = self.panel_address(panels, tile, (run, position), vector, counter);
                let store = self.b.store(value, address);
                builder::set_alignment(store, self.panel_alignment(tile, panels, (run, position)));
            }
        }
        self.iters[l.iter] = outer;
        let next = self.b.arithmetic(Op::Add, counter, self.b.int(64, 1), true);
        let again = self.b.compare(Compare::LLVMIntSLT, next, end);
        builder::add_incoming(counter, next, self.b.block());
        self.b.branch_if(again, header, done);
        self.b.at_end(done);
    }

    /// Where a vector of an operand lies for a value of the reduced member.
    pub(crate) fn panel_address(
        &self,
        panels: &Panels<'c>,
        tile: &Tile<'_>,
        (run, position): (usize, usize),
        vector: u32,
        reduced: Value<'c>,
    ) -> Value<'c> {
        let (begin, element) = panels.of(run, position).expect("only packed operands are asked for");
        let row = u64::from(tile.n_vectors * tile.lanes) * element;
        let distance = self.b.arithmetic(Op::Sub, reduced, panels.lower, true);
        let offset = self.b.arithmetic(Op::Mul, distance, self.b.int(64, i128::from(row)), true);
        let fixed = begin + u64::from(vector * tile.lanes) * element;
        let offset = self.b.arithmetic(Op::Add, offset, self.b.int(64, i128::from(fixed)), true);
        self.b.offset(self.b.int_type(8), panels.base, offset)
    }
}

impl Generator<'_, '_> {
    /// What the address of a vector of a panel is a multiple of.
    pub(crate) fn panel_alignment(&self, tile: &Tile<'_>, panels: &Panels<'_>, (run, position): (usize, usize)) -> u32 {
        let (_, element) = panels.of(run, position).expect("only packed operands are asked for");
        let bytes = tile.lanes * u32::try_from(element).expect("elements are small");
        bytes.min(self.buffer_alignment())
    }
}
