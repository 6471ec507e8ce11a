//! Wavefronts as vectors whose lanes hand values on from step to step: writing.
//!
//! # Output
//! ```text
//!   step = first
//!   while there are steps:
//!     if all lanes have points:
//!       load what the step before would have handed on
//!       do:  load what enters; the statements, without masks; hand on;  step += 1
//!       while there are steps and all lanes have points
//!     else:
//!       if some lane has a point: the statements point by point
//!       step += 1
//! ```
//!
//! # What is accessed
//! A lane loads and stores only where it has a point. What is handed on to the first of the steps
//! in which all lanes have points is loaded where that step itself would load it, at a time when
//! memory holds the same: everything before has been stored.
//!
//! Addresses of masked lanes are computed from that of the first lane that has a point, modulo
//! 2^64, so that no index is computed for a point that does not exist.

use std::collections::BTreeMap;

use poly_scop::InstrKind;

use crate::builder::{self, Compare, Op, Value};
use crate::code::{Loop, Vector};
use crate::generator::Generator;
use crate::linear::Linear;
use crate::loops::Bounds;
use crate::partial::Range;
use crate::register::Writer;
use crate::row_ends::RowEnds;
use crate::simd_wavefront::{Handed, SimdWavefront, Source};
use crate::tile::{Location, Part};

/// What stays the same in all steps.
pub(crate) struct Invariants<'c> {
    /// The first lane.
    pub(crate) base: Value<'c>,
    /// One more than the last step.
    end: Value<'c>,
    /// Elements from lane to lane, by read and by result.
    pub(crate) strides: Vec<Value<'c>>,
    pub(crate) result_strides: Vec<Value<'c>>,
}

/// The columns that have points, and by vector the lanes.
pub(crate) type Points<'c> = (Range<'c>, Vec<Value<'c>>);

/// A step that is being written.
pub(crate) struct Step<'c, 'l> {
    pub(crate) lanes: &'l SimdWavefront<'l>,
    pub(crate) invariants: &'l Invariants<'c>,
    /// The lanes that have points; absent if all have.
    pub(crate) some: Option<Points<'c>>,
    /// Results that somebody else stores.
    pub(crate) delayed: &'l [usize],
    /// What was handed on, by read and vector.
    pub(crate) handed: BTreeMap<(usize, u32), Value<'c>>,
    /// What is known in this step, by read and vector.
    pub(crate) values: BTreeMap<(usize, u32), Value<'c>>,
    /// What was computed, by result and vector.
    pub(crate) results: BTreeMap<(usize, u32), Value<'c>>,
}

impl<'c, 'l> Step<'c, 'l> {
    pub(crate) fn new(lanes: &'l SimdWavefront<'l>, invariants: &'l Invariants<'c>) -> Self {
        let (handed, values, results) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { lanes, invariants, some: None, delayed: &[], handed, values, results }
    }

    /// Where the values of a read come from. Where some lanes have no points, only lanes that
    /// always have the same ones hand something on, each to itself.
    pub(crate) fn source(&self, read: usize) -> Source {
        match self.lanes.values[read].source {
            source if self.some.is_none() => source,
            source @ Source::Now(_) => source,
            source @ Source::Before(_, 0) if self.lanes.is_steady => source,
            _ => Source::Memory,
        }
    }

    /// The reads that get their values from the step before.
    pub(crate) fn handed_reads(&self) -> Vec<usize> {
        (0..self.lanes.values.len()).filter(|&read| matches!(self.source(read), Source::Before(..))).collect()
    }

    /// A column of which the addresses of all lanes are computed: it has a point.
    pub(crate) fn origin(&self) -> Value<'c> {
        self.some.as_ref().map_or(self.invariants.base, |(range, _)| range.first)
    }
}

/// The loop over the points of some lanes, which is not worth being made vectors of.
pub(crate) fn one_by_one(columns: &Loop) -> Loop {
    Loop { vector: Vector::Refused, coincident: false, ..columns.clone() }
}

impl<'c> Generator<'c, '_> {
    /// Writes a wavefront; the builder is behind it afterwards.
    pub(crate) fn emit_simd_wavefront(&mut self, l: &Loop, bounds: Bounds<'c>, lanes: &SimdWavefront<'_>) {
        self.emit_in_place_of(l, bounds, |g, (first, end)| {
            let invariants = Invariants {
                base: g.emit_form(lanes.base),
                end,
                strides: lanes.values.iter().map(|read| g.lane_stride(&read.location, lanes)).collect(),
                result_strides: lanes.tile.results.iter().map(|result| g.lane_stride(result, lanes)).collect(),
            };
            match lanes.is_steady {
                true => g.emit_steady_steps(l, (first, end), lanes, &invariants),
                false => g.emit_steps(l, first, lanes, &invariants),
            }
        });
        self.allow_wide_vectors(&lanes.tile);
    }

    /// How steps are executed in which some lanes have no points: point by point, unless lanes are
    /// the same ones in all steps. (Where they begin one after the other, half of them have points
    /// in the mean, and gathers and scatters of all operands of a vector take longer than these
    /// points.) There are no gathers and scatters of less than four bytes, either, and some
    /// processors have slow ones.
    pub(crate) fn lane_ends(&self, lanes: &SimdWavefront<'_>) -> RowEnds {
        let gathers = lanes.values.iter().any(|read| !read.contiguous) || lanes.contiguous_results.contains(&false);
        let is_slow = gathers && self.prepared.options.machine.vectors.slow_gathers;
        if lanes.is_steady && self.has_gathers(lanes) && !is_slow { RowEnds::Masked } else { RowEnds::Pieces }
    }

    /// Whether the processor has gathers and scatters under masks for all that is accessed.
    fn has_gathers(&self, lanes: &SimdWavefront<'_>) -> bool {
        let mut accessed = lanes.values.iter().map(|read| &read.location).chain(&lanes.tile.results);
        let fits = |location: &Location| {
            self.prepared.arrays[location.array].element_bytes >= 4 && !self.has_rows_in_lanes(location, lanes)
        };
        self.row_ends() == RowEnds::Masked && accessed.all(fits)
    }

    /// Whether vectors of what lies apart are loaded and stored lane by lane in a step.
    fn goes_lane_by_lane(&self, step: &Step<'c, '_>) -> bool {
        let are_slow = step.some.is_none() && self.prepared.options.machine.vectors.slow_gathers;
        are_slow || !self.has_gathers(step.lanes)
    }

    /// Whether lanes have rows of a table of pointers, which may lie anywhere, or such that share
    /// cells with others, where the row behind the last cells is the first one.
    pub(crate) fn has_rows_in_lanes(&self, location: &Location, lanes: &SimdWavefront<'_>) -> bool {
        let moves = |s: &Linear| s.slope(lanes.tile.columns.iter) != Some(0);
        let lies_anywhere =
            self.prepared.arrays[location.array].table.is_some() || self.rows_in_use(location.array).is_some();
        lies_anywhere && location.subscripts.first().is_some_and(moves)
    }

    /// How many elements neighbouring lanes are apart; nothing where they have rows that may lie
    /// anywhere.
    fn lane_stride(&mut self, location: &Location, lanes: &SimdWavefront<'_>) -> Value<'c> {
        let prepared = self.prepared;
        if self.has_rows_in_lanes(location, lanes) {
            return self.b.int(64, 0);
        }
        let slope = |s: &Linear| s.slope(lanes.tile.columns.iter).expect("recognition has asked for it");
        let mut stride = self.b.int(64, 0);
        let (last, outer) = location.subscripts.split_last().expect("memory arrays have at least one dimension");
        let rows = usize::from(prepared.arrays[location.array].table.is_some());
        for (dimension, subscript) in outer[rows..].iter().enumerate() {
            let sum = self.b.arithmetic(Op::Add, stride, self.b.int(64, slope(subscript)), false);
            let extent = self.emit_form(&prepared.arrays[location.array].extents[dimension]);
            stride = self.b.arithmetic(Op::Mul, sum, extent, false);
        }
        self.b.arithmetic(Op::Add, stride, self.b.int(64, slope(last)), false)
    }

    /// Writes all steps; the builder is behind them afterwards.
    fn emit_steps(&mut self, l: &Loop, first: Value<'c>, lanes: &SimdWavefront<'_>, invariants: &Invariants<'c>) {
        let function = self.frame.function;
        let name = format!("poly.c{}", l.iter);
        let block = |g: &Self, what: &str| g.b.append_block(function, &format!("{name}.{what}"));
        let [step, all, some, masked, next] = ["step", "all", "some", "masked", "next"].map(|what| block(self, what));
        let behind = block(self, "behind");
        let before = self.b.block();
        self.b.branch(step);
        self.b.at_end(step);
        let counter = self.b.phi(self.b.int_type(64), &name);
        builder::add_incoming(counter, first, before);
        self.iters[l.iter] = Some(counter);
        let range = self.lane_range(lanes);
        let is_full = self.all_lanes(lanes, invariants, range);
        self.b.branch_if(is_full, all, some);
        self.b.at_end(some);
        let is_any = self.b.compare(Compare::LLVMIntSLE, range.first, range.last);
        self.b.branch_if(is_any, masked, next);
        self.b.at_end(masked);
        self.emit_points_of_lanes(lanes);
        self.b.branch(next);
        self.b.at_end(next);
        let following = self.beside(counter, 1);
        builder::add_incoming(counter, following, next);
        self.b.branch_if(self.b.compare(Compare::LLVMIntSLT, following, invariants.end), step, behind);
        self.b.at_end(all);
        let left = self.emit_full_steps(l, counter, lanes, invariants, (step, behind));
        builder::add_incoming(counter, left.0, left.1);
        self.b.at_end(behind);
    }

    /// Writes the steps in which all lanes have points, from `first` on, which is one of them. Goes
    /// to the blocks of another step or behind all of them; gives that step and from where it is
    /// gone to.
    fn emit_full_steps(
        &mut self,
        l: &Loop,
        first: Value<'c>,
        lanes: &SimdWavefront<'_>,
        invariants: &Invariants<'c>,
        (another, behind): (builder::Block<'c>, builder::Block<'c>),
    ) -> (Value<'c>, builder::Block<'c>) {
        let handed = self.initially_handed(&mut Step::new(lanes, invariants));
        let (rest, handed) = match &lanes.squares {
            None => (first, handed),
            Some(squares) => {
                let length = lanes.tile.lanes;
                let goes_on = |g: &mut Self, counter: Value<'c>| g.are_full((l, lanes), invariants, (counter, length));
                self.emit_stretch(l, (first, length), handed, goes_on, |g, counter, handed| {
                    g.emit_lane_block((l, counter), (lanes, squares), invariants, &None, handed)
                })
            }
        };
        let goes_on = |g: &mut Self, counter: Value<'c>| g.are_full((l, lanes), invariants, (counter, 1));
        let (left, _) = self.emit_stretch(l, (rest, 1), handed, goes_on, |g, _, handed| {
            let mut step = Step { handed, ..Step::new(lanes, invariants) };
            g.emit_lane_step(&mut step);
            g.all_handed_on(&step)
        });
        let from = self.b.block();
        self.b.branch_if(self.b.compare(Compare::LLVMIntSLT, left, invariants.end), another, behind);
        (left, from)
    }

    /// Whether there are so many steps from one on in whose last one all lanes have points. (If
    /// they have in the first one, too, they have in all between.) Bounds are computed for steps
    /// that there are, for others nothing depends on them.
    fn are_full(
        &mut self,
        (l, lanes): (&Loop, &SimdWavefront<'_>),
        invariants: &Invariants<'c>,
        (first, count): (Value<'c>, u32),
    ) -> Value<'c> {
        let known = self.iters[l.iter];
        let last = self.b.arithmetic(Op::Add, first, self.b.int(64, i128::from(count - 1)), false);
        let is_step = self.b.compare(Compare::LLVMIntSLT, last, invariants.end);
        let greatest = self.b.arithmetic(Op::Sub, invariants.end, self.b.int(64, 1), true);
        let step = self.b.intrinsic("llvm.smin", &[last.ty()], &[last, greatest]);
        self.iters[l.iter] = Some(step);
        let range = self.lane_range(lanes);
        let is_full = self.all_lanes(lanes, invariants, range);
        self.iters[l.iter] = known;
        self.b.arithmetic(Op::And, is_step, is_full, false)
    }

    /// What the step before the current one would have handed on, from memory.
    pub(crate) fn initially_handed(&mut self, step: &mut Step<'c, '_>) -> BTreeMap<(usize, u32), Value<'c>> {
        let mut initial = BTreeMap::new();
        for read in step.handed_reads() {
            for vector in 0..step.lanes.tile.n_vectors {
                initial.insert((read, vector), self.lane_load(step, read, vector));
            }
        }
        initial
    }

    /// The columns that have points in a step.
    pub(crate) fn lane_range(&mut self, lanes: &SimdWavefront<'_>) -> Range<'c> {
        let columns = lanes.tile.columns;
        Range { first: self.emit_form(&columns.lower), last: self.emit_form(&columns.upper) }
    }

    /// Whether all lanes have points.
    pub(crate) fn all_lanes(
        &self,
        lanes: &SimdWavefront<'_>,
        invariants: &Invariants<'c>,
        range: Range<'c>,
    ) -> Value<'c> {
        let from_first = self.b.compare(Compare::LLVMIntEQ, range.first, invariants.base);
        let last = self.beside(invariants.base, lanes.count() - 1);
        let to_last = self.b.compare(Compare::LLVMIntEQ, range.last, last);
        self.b.arithmetic(Op::And, from_first, to_last, false)
    }

    /// Writes the points of the lanes that have some, one by one: they do not depend on each other.
    fn emit_points_of_lanes(&mut self, lanes: &SimdWavefront<'_>) {
        let points = one_by_one(lanes.tile.columns);
        let bounds = self.emit_bounds(&points);
        self.emit_counted(&points, bounds);
    }

    /// The lanes that have points.
    pub(crate) fn lane_points(
        &self,
        lanes: &SimdWavefront<'_>,
        invariants: &Invariants<'c>,
        range: Range<'c>,
    ) -> Points<'c> {
        let mask = |vector: u32| {
            let column = self.beside(invariants.base, vector * lanes.tile.lanes);
            self.emit_mask(&lanes.tile, column, range, false)
        };
        (range, (0..lanes.tile.n_vectors).map(mask).collect())
    }

    /// Writes the statements for all lanes.
    pub(crate) fn emit_lane_step(&mut self, step: &mut Step<'c, '_>) {
        let mut writer = self.lane_writer(step);
        let n_vectors = step.lanes.tile.n_vectors;
        self.emit_lane_vectors(step, &mut writer, 0..n_vectors);
    }

    pub(crate) fn lane_writer<'l>(&self, step: &Step<'c, 'l>) -> Writer<'c, 'l> {
        let tile = &step.lanes.tile;
        Writer::of_copy(tile, tile.columns.iter, (self.b.int(64, 0), step.origin()))
    }

    /// Writes the statements for the lanes of some vectors.
    pub(crate) fn emit_lane_vectors<'l>(
        &mut self,
        step: &mut Step<'c, 'l>,
        writer: &mut Writer<'c, 'l>,
        vectors: std::ops::Range<u32>,
    ) {
        let lanes = step.lanes;
        for (number, (run, parts)) in lanes.tile.runs.iter().enumerate() {
            for (position, part) in parts.iter().enumerate() {
                for vector in vectors.clone() {
                    if let Part::Update(result) = *part {
                        let operand = self.prepared.scop.statements[run.statement].body[position].operands[0];
                        let value = self.tile_operand(writer, number, operand, 0, vector);
                        let value = self.as_vector(writer, value);
                        self.lane_store(step, result, vector, value);
                        continue;
                    }
                    if let Some(&read) = lanes.reads.get(&(number, position)) {
                        let value = self.lane_value(step, read, vector);
                        writer.set_value((number, position), vector, value);
                    }
                    self.tile_value(writer, (number, position), 0, vector);
                }
            }
        }
    }

    /// A vector of a read.
    fn lane_value(&mut self, step: &mut Step<'c, '_>, read: usize, vector: u32) -> Value<'c> {
        if let Some(&known) = step.values.get(&(read, vector)) {
            return known;
        }
        let value = match step.source(read) {
            Source::Memory => self.lane_load(step, read, vector),
            Source::Now(result) => step.results[&(result, vector)],
            Source::Before(_, shift) => {
                let handed = step.handed[&(read, vector)];
                self.with_border(step, read, vector, (handed, shift))
            }
            Source::Beside(other, shift) => {
                let around = self.neighbours(step, vector, shift, |g, step, vector| g.lane_value(step, other, vector));
                self.with_border(step, read, vector, (around, shift))
            }
        };
        step.values.insert((read, vector), value);
        value
    }

    /// What is handed on to a read of the next step, but for lanes at the border.
    pub(crate) fn handed_on(&mut self, step: &Step<'c, '_>, read: usize, vector: u32) -> Value<'c> {
        let Source::Before(handed, shift) = step.lanes.values[read].source else {
            unreachable!("only what comes from the step before is handed on")
        };
        let value = |vector: u32| match handed {
            Handed::Read(other) => step.values[&(other, vector)],
            Handed::Result(result) => step.results[&(result, vector)],
        };
        self.shifted(step.lanes, vector, shift, value)
    }

    /// The vectors beside a vector, shifted; they are asked for before.
    fn neighbours(
        &mut self,
        step: &mut Step<'c, '_>,
        vector: u32,
        shift: i128,
        mut value: impl FnMut(&mut Self, &mut Step<'c, '_>, u32) -> Value<'c>,
    ) -> Value<'c> {
        let last = step.lanes.tile.n_vectors - 1;
        let (from, to) = match shift {
            0 => (vector, vector),
            1.. => (vector, (vector + 1).min(last)),
            _ => (vector.saturating_sub(1), vector),
        };
        let known: BTreeMap<u32, Value<'c>> = (from..=to).map(|vector| (vector, value(self, step, vector))).collect();
        self.shifted(step.lanes, vector, shift, |vector| known[&vector])
    }

    /// The lanes of a vector at a distance; undefined where that leaves the strip.
    fn shifted(
        &self,
        lanes: &SimdWavefront<'_>,
        vector: u32,
        shift: i128,
        value: impl Fn(u32) -> Value<'c>,
    ) -> Value<'c> {
        let own = value(vector);
        let width = lanes.tile.lanes;
        let distance = u32::try_from(shift.unsigned_abs()).expect("values go to near lanes");
        let missing = || self.b.poison(own.ty());
        match shift {
            0 => own,
            1.. => {
                let next = if vector + 1 < lanes.tile.n_vectors { value(vector + 1) } else { missing() };
                self.b.shuffle(own, next, &(distance..distance + width).collect::<Vec<_>>())
            }
            _ => {
                let previous = if vector > 0 { value(vector - 1) } else { missing() };
                self.b.shuffle(previous, own, &(width - distance..2 * width - distance).collect::<Vec<_>>())
            }
        }
    }

    /// A vector with the lanes at the border of the strip, which nothing is handed on to, loaded.
    fn with_border(
        &mut self,
        step: &Step<'c, '_>,
        read: usize,
        vector: u32,
        (mut value, shift): (Value<'c>, i128),
    ) -> Value<'c> {
        let width = step.lanes.tile.lanes;
        let strip = 0..i128::from(step.lanes.count());
        for lane in 0..width {
            let column = vector * width + lane;
            if !strip.contains(&(i128::from(column) + shift)) {
                let location = &step.lanes.values[read].location;
                let at = self.beside(step.invariants.base, column);
                let address = self.lane_address(step.lanes, location, at);
                let (run, position, _) = location.at;
                let ty = self.lane_type(step.lanes, location);
                let load = self.b.load(ty, address, "");
                builder::set_alignment(load, self.prepared.arrays[location.array].alignment);
                let statement = step.lanes.tile.runs[run].0.statement;
                let original = self.prepared.scop.statements[statement].body[position].value;
                self.mark_tile_access(load, original, location.array);
                value = self.b.insert_element(value, load, lane);
            }
        }
        value
    }

    /// Loads a vector of a read, lane by lane.
    fn lane_load(&mut self, step: &mut Step<'c, '_>, read: usize, vector: u32) -> Value<'c> {
        let lanes = step.lanes;
        let location = &lanes.values[read].location;
        let ty = self.b.vector_type(self.lane_type(lanes, location), lanes.tile.lanes);
        let alignment = self.prepared.arrays[location.array].alignment;
        let start = self.lane_start(step, location, step.invariants.strides[read], vector);
        let load = match (lanes.values[read].contiguous, step.some.is_some()) {
            (true, false) => {
                let load = self.b.load(ty, start, "");
                builder::set_alignment(load, alignment);
                load
            }
            (true, true) => self.b.masked_load(ty, start, self.lane_mask(step, vector), alignment),
            (false, _) if self.goes_lane_by_lane(step) => {
                return self.load_scalarized(step, location, (start, step.invariants.strides[read]), vector);
            }
            (false, _) => {
                let addresses = self.lane_addresses(step, location, (start, step.invariants.strides[read]));
                self.b.masked_gather(ty, addresses, self.lane_mask(step, vector), alignment)
            }
        };
        self.mark_lane_access(load, lanes, location);
        load
    }

    /// Stores a vector of a result, lane by lane, unless somebody else does.
    pub(crate) fn lane_store(&mut self, step: &mut Step<'c, '_>, result: usize, vector: u32, value: Value<'c>) {
        step.results.insert((result, vector), value);
        if step.delayed.contains(&result) {
            return;
        }
        let lanes = step.lanes;
        let location = &lanes.tile.results[result];
        let alignment = self.prepared.arrays[location.array].alignment;
        let start = self.lane_start(step, location, step.invariants.result_strides[result], vector);
        let store = match (lanes.contiguous_results[result], step.some.is_some()) {
            (true, false) => {
                let store = self.b.store(value, start);
                builder::set_alignment(store, alignment);
                store
            }
            (true, true) => self.b.masked_store(value, start, self.lane_mask(step, vector), alignment),
            (false, _) if self.goes_lane_by_lane(step) => {
                let stride = step.invariants.result_strides[result];
                return self.store_scalarized(step, location, (start, stride), (vector, value));
            }
            (false, _) => {
                let addresses = self.lane_addresses(step, location, (start, step.invariants.result_strides[result]));
                self.b.masked_scatter(value, addresses, self.lane_mask(step, vector), alignment)
            }
        };
        self.mark_lane_access(store, lanes, location);
    }

    /// Loads the lanes of a vector one by one, from the first one's address on; all of them have
    /// points.
    fn load_scalarized(
        &mut self,
        step: &Step<'c, '_>,
        location: &Location,
        from: (Value<'c>, Value<'c>),
        vector: u32,
    ) -> Value<'c> {
        debug_assert!(step.some.is_none(), "lanes without points are not loaded");
        let ty = self.lane_type(step.lanes, location);
        let mut loaded = self.b.poison(self.b.vector_type(ty, step.lanes.tile.lanes));
        for lane in 0..step.lanes.tile.lanes {
            let address = self.lane_scalarized(step, location, from, (vector, lane));
            let load = self.b.load(ty, address, "");
            builder::set_alignment(load, self.prepared.arrays[location.array].alignment);
            self.mark_lane_access(load, step.lanes, location);
            loaded = self.b.insert_element(loaded, load, lane);
        }
        loaded
    }

    /// Stores the lanes of a vector one by one.
    fn store_scalarized(
        &mut self,
        step: &Step<'c, '_>,
        location: &Location,
        from: (Value<'c>, Value<'c>),
        (vector, value): (u32, Value<'c>),
    ) {
        debug_assert!(step.some.is_none(), "lanes without points are not stored");
        for lane in 0..step.lanes.tile.lanes {
            let element = self.b.extract_element(value, lane);
            let address = self.lane_scalarized(step, location, from, (vector, lane));
            let store = self.b.store(element, address);
            builder::set_alignment(store, self.prepared.arrays[location.array].alignment);
            self.mark_lane_access(store, step.lanes, location);
        }
    }

    /// The address of a lane of a vector, with that of the first one and how far they are apart, if
    /// that is known.
    fn lane_scalarized(
        &mut self,
        step: &Step<'c, '_>,
        location: &Location,
        (start, stride): (Value<'c>, Value<'c>),
        (vector, lane): (u32, u32),
    ) -> Value<'c> {
        if self.has_rows_in_lanes(location, step.lanes) {
            let column = self.beside(step.invariants.base, vector * step.lanes.tile.lanes + lane);
            return self.lane_address(step.lanes, location, column);
        }
        let ty = self.lane_type(step.lanes, location);
        let elements = self.b.arithmetic(Op::Mul, stride, self.b.int(64, i128::from(lane)), false);
        self.b.offset(ty, start, elements)
    }

    /// Metadata of what is loaded or stored for several lanes.
    pub(crate) fn mark_lane_access(&mut self, access: Value<'c>, lanes: &SimdWavefront<'_>, location: &Location) {
        let (run, position, _) = location.at;
        let original = self.prepared.scop.statements[lanes.tile.runs[run].0.statement].body[position].value;
        self.mark_tile_access(access, original, location.array);
    }

    /// The lanes of a vector that have points.
    fn lane_mask(&self, step: &Step<'c, '_>, vector: u32) -> Value<'c> {
        match &step.some {
            Some((_, masks)) => masks[vector as usize],
            None => self.b.splat(self.b.bool(true), step.lanes.tile.lanes),
        }
    }

    /// The type of the elements of an access.
    pub(crate) fn lane_type(&self, lanes: &SimdWavefront<'_>, location: &Location) -> builder::Type<'c> {
        let (run, position, _) = location.at;
        let instr = &self.prepared.scop.statements[lanes.tile.runs[run].0.statement].body[position];
        let value = if matches!(instr.kind, InstrKind::Write(_)) { instr.operands[0].value } else { instr.value };
        self.prepared.value(value).ty()
    }

    /// The address of what an access touches in a column that has a point.
    pub(crate) fn lane_address(
        &mut self,
        lanes: &SimdWavefront<'_>,
        location: &Location,
        column: Value<'c>,
    ) -> Value<'c> {
        let tile = &lanes.tile;
        let (number, position, access) = location.at;
        let run = tile.runs[number].0;
        let ty = self.lane_type(lanes, location);
        let writer = Writer::of_copy(tile, tile.columns.iter, (self.b.int(64, 0), column));
        let instance = self.instance_at(&writer, run, 0, column);
        let instr = &self.prepared.scop.statements[run.statement].body[position];
        self.emit_address(instr, access, ty, &instance)
    }

    /// The address of what an access touches in the first lane of a vector; it may have no point.
    fn lane_start(&mut self, step: &Step<'c, '_>, location: &Location, stride: Value<'c>, vector: u32) -> Value<'c> {
        let lanes = step.lanes;
        let ty = self.lane_type(lanes, location);
        let first = self.b.arithmetic(
            Op::Add,
            step.invariants.base,
            self.b.int(64, i128::from(vector * lanes.tile.lanes)),
            false,
        );
        match &step.some {
            None => self.lane_address(lanes, location, first),
            Some((range, _)) => {
                let origin = self.lane_address(lanes, location, range.first);
                let distance = self.b.arithmetic(Op::Sub, first, range.first, false);
                let elements = self.b.arithmetic(Op::Mul, distance, stride, false);
                self.b.offset(ty, origin, elements)
            }
        }
    }

    /// The addresses of what an access touches in the lanes of a vector, with that of the first one
    /// and how far they are apart.
    fn lane_addresses(
        &mut self,
        step: &Step<'c, '_>,
        location: &Location,
        (start, stride): (Value<'c>, Value<'c>),
    ) -> Value<'c> {
        let lanes = step.lanes;
        let ty = self.lane_type(lanes, location);
        let numbers = self.b.lane_numbers(64, lanes.tile.lanes);
        let places = self.b.arithmetic(Op::Mul, numbers, self.b.splat(stride, lanes.tile.lanes), false);
        self.b.offset(ty, start, places)
    }
}
