//! Blocks of steps, and lanes that always have points, or never: recurrences along the steps for
//! several iterations of a parallel loop at a time.
//!
//! # Problem
//! In `p[i][j] = c / (a * p[i][j - 1] + b)` every step waits for the one before, but rows do not
//! wait for each other. With rows as lanes the steps along `j` are vector code, and what a step
//! computes stays in a register for the next one. The lanes of `p` are rows apart in memory,
//! though: an element costs an instruction of its own. But each row is contiguous along the steps.
//! The same holds for wavefronts, whose lanes begin one after the other.
//!
//! # Method
//! ```text
//!   what the step before the first one would have handed on is loaded
//!   while there are as many steps as lanes:                          (a block)
//!     for every vector:  load squares, transpose;  the statements, step by step;  transpose, store squares
//!   while there are steps:  the statements, lane by lane
//! ```
//! Of lanes that are the same ones in all steps (*steady*), twice: where all lanes have points, and
//! with masks. Without masks, steps in which some lanes have no points are executed point by point.
//! Of other wavefronts, as long as all lanes have points ([`super::steps`]).
//!
//! # Legality of blocks
//! In a block, all steps of a vector come before those of the next vector, squares are loaded
//! before them, and stored behind them. All of that is right if
//!
//! 1. no element is written twice: steps and lanes tell the elements of each result apart; or every
//!    step writes the same element of a lane, and it is read only as what is handed on;
//! 2. an element that is written in the loop is read in the lane that writes it and in no other
//!    one; or, where there are several vectors, no read of what a further lane has written before,
//!    nor of what a lane before it writes later ([`is_in_order`]);
//! 3. what is loaded in squares is not written in the loop, or not before it is read;
//! 4. what is stored in squares is read in the loop only before it is written, or as what is handed
//!    on; what lanes at the border of the strip load instead was written by a lane outside of it.
//!
//! # What is accessed
//! A square consists of the elements that its steps access, each of which has points in the lanes
//! of the mask. Rows of lanes without a point are loaded from the last lane that has one, and are
//! not stored.

use std::collections::BTreeMap;

use crate::builder::{self, Compare, Op, Value};
use crate::code::{Code, Loop};
use crate::generator::Generator;
use crate::loops::Bounds;
use crate::row_ends::RowEnds;
use crate::simd_wavefront::steps::{Invariants, Points, Step, one_by_one};
use crate::simd_wavefront::{Place, Read, SimdWavefront, Source, Written};
use crate::tile::{Location, Part};
use crate::transpose::LANES;

/// Accesses whose elements are contiguous along the steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Squares {
    /// Numbers of reads and of results, with the sign of the steps' direction in memory.
    reads: BTreeMap<usize, Direction>,
    results: BTreeMap<usize, Direction>,
    /// Results that every step writes anew; the last step of a block stores them.
    invariants: Vec<usize>,
    /// All results that are stored behind the steps.
    delayed: Vec<usize>,
}

/// How the elements of a row follow one another from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
}

/// Values that are handed on, by read and vector.
pub(crate) type Handed<'c> = BTreeMap<(usize, u32), Value<'c>>;

/// Vectors of a block by read and vector: one for each step.
type Loaded<'c> = BTreeMap<(usize, u32), Vec<Value<'c>>>;

/// Recognition.
impl Generator<'_, '_> {
    /// What is loaded and stored in squares, if steps may be executed in blocks.
    pub(crate) fn lane_squares(&self, lanes: &SimdWavefront<'_>, place: Place) -> Option<Squares> {
        let tile = &lanes.tile;
        let in_registers = |result: &Location| {
            let mut reads = lanes.values.iter().filter(|read| read.location.array == result.array);
            reads.all(|read| matches!(read.source, Source::Before(_, 0) | Source::Now(_)))
        };
        let is_orderly = |r: &Location| match r.is_invariant(place) {
            true => lanes.is_steady && in_registers(r),
            false => is_injective(r, place),
        };
        if !LANES.contains(&tile.lanes) || !tile.results.iter().all(is_orderly) {
            return None;
        }
        let is_written = |location: &Location| tile.results.iter().any(|result| result.array == location.array);
        for (number, (_, parts)) in tile.runs.iter().enumerate() {
            for (position, part) in parts.iter().enumerate() {
                let Part::Load { moves, .. } = part else { continue };
                if !moves.column && is_written(&self.operand_location(tile, number, position)?) {
                    return None;
                }
            }
        }
        let is_fit = match lanes.is_steady {
            true => lanes.values.iter().all(stays_in_lane),
            false => lanes.is_convex(place) && lanes.values.iter().all(|read| is_in_order(read, tile.n_vectors)),
        };
        if !is_fit {
            return None;
        }
        let is_old = |read: &Read| matches!(read.written, Some(Written::Never | Written::At(0.., _)));
        let mut squares = Squares::default();
        for (index, read) in lanes.values.iter().enumerate() {
            let is_wide = self.prepared.arrays[read.location.array].element_bytes >= 4;
            if read.source == Source::Memory && is_old(read) && !read.contiguous && is_wide {
                squares.reads.extend(direction(&read.location, place).map(|direction| (index, direction)));
            }
        }
        for (index, result) in tile.results.iter().enumerate() {
            if lanes.kept.iter().any(|&(kept, _)| kept == index) {
                squares.delayed.push(index);
                continue;
            }
            if result.is_invariant(place) {
                squares.invariants.push(index);
                continue;
            }
            let mut reads = lanes.values.iter().filter(|read| read.location.array == result.array);
            let is_wide = self.prepared.arrays[result.array].element_bytes >= 4;
            if !lanes.contiguous_results[index]
                && is_wide
                && reads.all(|read| is_old(read) || read.source != Source::Memory)
            {
                squares.results.extend(direction(result, place).map(|direction| (index, direction)));
            }
        }
        squares.delayed.extend(squares.results.keys().chain(&squares.invariants));
        (!squares.reads.is_empty() || !squares.results.is_empty()).then_some(squares)
    }
}

/// Whether a read finds its values in its own lane, or in memory.
fn stays_in_lane(read: &Read) -> bool {
    let stays = !matches!(read.source, Source::Before(_, shift) if shift != 0);
    stays && matches!(read.written, Some(Written::Never | Written::At(_, 0)))
}

/// Whether a read finds its values where some lanes are ahead of others by a block, vector after
/// vector, and what is written in the block is stored at its end.
fn is_in_order(read: &Read, vectors: u32) -> bool {
    let shift = match read.source {
        Source::Before(_, shift) | Source::Beside(_, shift) => shift,
        Source::Memory | Source::Now(_) => 0,
    };
    // The next vector has not done the step before.
    let is_known = vectors == 1 || shift <= 0 || !matches!(read.source, Source::Before(..));
    is_known
        && match read.written {
            None => false,
            Some(Written::Never) => true,
            // Written before by a further lane, or later by a lane before: no lane may be ahead of
            // that.
            Some(Written::At(steps, by)) if vectors > 1 && steps.signum() * by.signum() < 0 => false,
            // What lanes at the border load must have been written by a lane outside of the strip.
            Some(Written::At(..=-1, by)) => shift == 0 || (by.signum() == shift.signum() && by.abs() >= shift.abs()),
            Some(Written::At(..)) => true,
        }
}

/// Whether an access touches another element in every step and lane.
fn is_injective(location: &Location, place: Place) -> bool {
    let slopes = location.subscripts.iter().map(|s| s.slope(place.steps).zip(s.slope(place.lanes)));
    let Some(slopes) = slopes.collect::<Option<Vec<_>>>() else { return false };
    let differs = |a: &(i128, i128), b: &(i128, i128)| a.0 * b.1 != a.1 * b.0;
    slopes.iter().enumerate().any(|(index, a)| slopes[index + 1..].iter().any(|b| differs(a, b)))
}

/// How a row of an access goes along neighbouring elements, if it does.
fn direction(location: &Location, place: Place) -> Option<Direction> {
    let (last, outer) = location.subscripts.split_last()?;
    if outer.iter().any(|s| s.slope(place.steps) != Some(0)) {
        return None;
    }
    match last.slope(place.steps)? {
        1 => Some(Direction::Up),
        -1 => Some(Direction::Down),
        _ => None,
    }
}

/// Writing.
impl<'c> Generator<'c, '_> {
    /// Writes all steps of lanes that do not change; the builder is behind them afterwards.
    pub(crate) fn emit_steady_steps(
        &mut self,
        l: &Loop,
        steps: (Value<'c>, Value<'c>),
        lanes: &SimdWavefront<'_>,
        invariants: &Invariants<'c>,
    ) {
        let function = self.frame.function;
        let block = |g: &Self, what: &str| g.b.append_block(function, &format!("poly.c{}.{what}", l.iter));
        let [all, some, masked, behind] = ["all", "some", "masked", "behind"].map(|what| block(self, what));
        let range = self.lane_range(lanes);
        self.b.branch_if(self.all_lanes(lanes, invariants, range), all, some);
        self.b.at_end(all);
        self.emit_stretches(l, steps, lanes, invariants, None);
        self.b.branch(behind);
        self.b.at_end(some);
        let is_any = self.b.compare(Compare::LLVMIntSLE, range.first, range.last);
        self.b.branch_if(is_any, masked, behind);
        self.b.at_end(masked);
        match self.lane_ends(lanes) {
            RowEnds::Masked => {
                let points = self.lane_points(lanes, invariants, range);
                self.emit_stretches(l, steps, lanes, invariants, Some(points));
            }
            RowEnds::Pieces => self.emit_steps_of_points(l, steps, lanes),
        }
        self.b.branch(behind);
        self.b.at_end(behind);
    }

    /// Writes all steps of the lanes that have points, point by point.
    fn emit_steps_of_points(&mut self, l: &Loop, (first, end): (Value<'c>, Value<'c>), lanes: &SimdWavefront<'_>) {
        let points = one_by_one(lanes.tile.columns);
        let steps = Loop { simd_wavefront: false, body: Code::Loop(Box::new(points)), ..l.clone() };
        let upper = self.b.arithmetic(Op::Sub, end, self.b.int(64, 1), true);
        self.emit_counted(&steps, Bounds { lower: first, upper, is_entered: true });
    }

    /// Writes all steps for some lanes: blocks, and what is left.
    fn emit_stretches(
        &mut self,
        l: &Loop,
        (first, end): (Value<'c>, Value<'c>),
        lanes: &SimdWavefront<'_>,
        invariants: &Invariants<'c>,
        some: Option<Points<'c>>,
    ) {
        self.iters[l.iter] = Some(first);
        let mut step = Step { some, ..Step::new(lanes, invariants) };
        let handed = self.initially_handed(&mut step);
        let some = step.some;
        let (rest, handed) = match &lanes.squares {
            None => (first, handed),
            Some(squares) => {
                let length = lanes.tile.lanes;
                let goes_on = |g: &mut Self, counter: Value<'c>| g.has_iterations((counter, end), length);
                self.emit_stretch(l, (first, length), handed, goes_on, |g, counter, handed| {
                    g.emit_lane_block((l, counter), (lanes, squares), invariants, &some, handed)
                })
            }
        };
        let goes_on = |g: &mut Self, counter: Value<'c>| g.has_iterations((counter, end), 1);
        let kept: Vec<usize> = lanes.kept.iter().map(|&(result, _)| result).collect();
        let (_, handed) = self.emit_stretch(l, (rest, 1), handed, goes_on, |g, _, handed| {
            let mut step = Step { some: some.clone(), delayed: &kept, handed, ..Step::new(lanes, invariants) };
            g.emit_lane_step(&mut step);
            g.all_handed_on(&step)
        });
        self.iters[l.iter] = Some(first);
        let has_steps = self.b.compare(Compare::LLVMIntSLT, first, end);
        if !lanes.kept.is_empty() {
            self.emit_when(has_steps, |g| g.store_kept(&mut Step { some, ..Step::new(lanes, invariants) }, &handed));
        }
    }

    /// Stores what was handed on last, where steps have stored nothing.
    fn store_kept(&mut self, step: &mut Step<'c, '_>, handed: &Handed<'c>) {
        for &(result, read) in &step.lanes.kept {
            for vector in 0..step.lanes.tile.n_vectors {
                self.lane_store(step, result, vector, handed[&(read, vector)]);
            }
        }
    }

    /// Writes a loop over blocks of so many steps, as long as `goes_on` says of the first one that
    /// there are whole ones. `body` gets this step and what is handed on to it, and gives what it
    /// hands on. Gives the first step that is left and what is handed on to that. The builder is
    /// behind the loop afterwards.
    pub(crate) fn emit_stretch(
        &mut self,
        l: &Loop,
        (first, length): (Value<'c>, u32),
        handed: Handed<'c>,
        goes_on: impl Fn(&mut Self, Value<'c>) -> Value<'c>,
        body: impl FnOnce(&mut Self, Value<'c>, Handed<'c>) -> Handed<'c>,
    ) -> (Value<'c>, Handed<'c>) {
        let function = self.frame.function;
        let name = format!("poly.c{}", l.iter);
        let names = if length == 1 { ["step", "done"] } else { ["block", "rest"] };
        let [header, done] = names.map(|what| self.b.append_block(function, &format!("{name}.{what}")));
        let enters = goes_on(self, first);
        let before = self.b.block();
        self.b.branch_if(enters, header, done);
        self.b.at_end(header);
        let counter = self.b.phi(self.b.int_type(64), &name);
        builder::add_incoming(counter, first, before);
        self.iters[l.iter] = Some(counter);
        let phi = |(&at, value): (&(usize, u32), &Value<'c>)| {
            let phi = self.b.phi(value.ty(), "poly.handed");
            builder::add_incoming(phi, *value, before);
            (at, phi)
        };
        let phis: Handed<'c> = handed.iter().map(phi).collect();
        let left = body(self, counter, phis.clone());
        let next = self.beside(counter, length);
        let goes_on = goes_on(self, next);
        let latch = self.b.block();
        let again = self.b.branch_if(goes_on, header, done);
        builder::add_incoming(counter, next, latch);
        phis.iter().for_each(|(at, &phi)| builder::add_incoming(phi, left[at], latch));
        let cx = self.prepared.cx;
        let properties = ["llvm.loop.mustprogress", "llvm.loop.unroll.disable"].map(|p| cx.md_property(p, &[]));
        again.set_metadata("llvm.loop", cx.loop_id(&properties));
        self.b.at_end(done);
        let merge = |a: Value<'c>, b: Value<'c>, name: &str| {
            let phi = self.b.phi(a.ty(), name);
            builder::add_incoming(phi, a, before);
            builder::add_incoming(phi, b, latch);
            phi
        };
        let rest = merge(first, next, "poly.left");
        (rest, handed.iter().map(|(&at, &value)| (at, merge(value, left[&at], "poly.handed"))).collect())
    }

    pub(crate) fn all_handed_on(&mut self, step: &Step<'c, '_>) -> Handed<'c> {
        step.handed.keys().map(|&(read, vector)| ((read, vector), self.handed_on(step, read, vector))).collect()
    }

    /// Writes a block of steps; gives what it hands on.
    pub(crate) fn emit_lane_block(
        &mut self,
        (l, counter): (&Loop, Value<'c>),
        (lanes, squares): (&SimdWavefront<'_>, &Squares),
        invariants: &Invariants<'c>,
        some: &Option<Points<'c>>,
        handed: Handed<'c>,
    ) -> Handed<'c> {
        let length = lanes.tile.lanes;
        let new = |_| Step { some: some.clone(), delayed: &squares.delayed, ..Step::new(lanes, invariants) };
        let mut steps: Vec<Step<'c, '_>> = (0..length).map(new).collect();
        let mut writers: Vec<_> = steps.iter().map(|step| self.lane_writer(step)).collect();
        let reads = handed.keys().filter(|(_, vector)| *vector == 0).map(|(read, _)| *read).collect::<Vec<_>>();
        steps[0].handed = handed;
        let mut loaded = Loaded::new();
        for vector in 0..lanes.tile.n_vectors {
            // Lanes of the next vector may be asked for, too.
            for near in [vector, vector + 1] {
                let needed = near == vector || lanes.values.iter().any(|r| matches!(r.source, Source::Beside(_, 1..)));
                if needed && near < lanes.tile.n_vectors {
                    self.load_lane_squares((l, counter), (near, squares), &steps[0], &mut loaded);
                }
            }
            for number in 0..length as usize {
                self.iters[l.iter] = Some(self.beside(counter, u32::try_from(number).expect("blocks are short")));
                for (&(read, vector), vectors) in &loaded {
                    steps[number].values.insert((read, vector), vectors[number]);
                }
                if let Some(before) = number.checked_sub(1) {
                    for &read in &reads {
                        let value = self.handed_on(&steps[before], read, vector);
                        steps[number].handed.insert((read, vector), value);
                    }
                }
                self.emit_lane_vectors(&mut steps[number], &mut writers[number], vector..vector + 1);
            }
            self.store_lane_squares((l, counter), (vector, squares), &steps);
            if let Some(last) = steps.last_mut() {
                last.delayed = &[];
                for &result in &squares.invariants {
                    let value = last.results[&(result, vector)];
                    self.lane_store(last, result, vector, value);
                }
                last.delayed = &squares.delayed;
            }
        }
        self.iters[l.iter] = Some(counter);
        let last = steps.last().expect("a block has steps");
        self.all_handed_on(last)
    }

    /// The addresses of the rows of a square: of the first of their elements in memory.
    fn lane_rows(
        &mut self,
        (l, counter): (&Loop, Value<'c>),
        step: &Step<'c, '_>,
        location: &Location,
        (stride, vector, direction): (Value<'c>, u32, Direction),
    ) -> Vec<Value<'c>> {
        let lanes = step.lanes;
        let ty = self.lane_type(lanes, location);
        let lowest = if direction == Direction::Up { 0 } else { lanes.tile.lanes - 1 };
        self.iters[l.iter] = Some(self.beside(counter, lowest));
        if self.has_rows_in_lanes(location, lanes) {
            debug_assert!(step.some.is_none(), "there are no masks where rows lie anywhere");
            let column = |lane: u32| vector * lanes.tile.lanes + lane;
            let columns: Vec<_> =
                (0..lanes.tile.lanes).map(|lane| self.beside(step.invariants.base, column(lane))).collect();
            return columns.into_iter().map(|column| self.lane_address(lanes, location, column)).collect();
        }
        let origin = self.lane_address(lanes, location, step.origin());
        let row = |lane: u32| {
            let number = self.b.int(64, i128::from(vector * lanes.tile.lanes + lane));
            let number = match &step.some {
                None => number,
                Some((range, _)) => {
                    let column = self.b.arithmetic(Op::Add, step.invariants.base, number, true);
                    let column = self.b.intrinsic("llvm.smin", &[column.ty()], &[column, range.last]);
                    let column = self.b.intrinsic("llvm.smax", &[column.ty()], &[column, range.first]);
                    self.b.arithmetic(Op::Sub, column, range.first, true)
                }
            };
            self.b.offset(ty, origin, self.b.arithmetic(Op::Mul, number, stride, false))
        };
        (0..lanes.tile.lanes).map(row).collect()
    }

    /// Loads the squares of a vector that are not loaded yet.
    fn load_lane_squares(
        &mut self,
        place: (&Loop, Value<'c>),
        (vector, squares): (u32, &Squares),
        step: &Step<'c, '_>,
        loaded: &mut Loaded<'c>,
    ) {
        let lanes = step.lanes;
        for (&read, &direction) in
            squares.reads.iter().filter(|(read, _)| !loaded.contains_key(&(**read, vector))).collect::<Vec<_>>()
        {
            let location = &lanes.values[read].location;
            let rows = self.lane_rows(place, step, location, (step.invariants.strides[read], vector, direction));
            let alignment = self.prepared.arrays[location.array].alignment;
            let element = self.lane_type(lanes, location);
            let mut square = self.transposed_rows((element, &rows), |g, ty, address| {
                let load = g.b.load(ty, address, "");
                builder::set_alignment(load, alignment);
                g.mark_lane_access(load, lanes, location);
                load
            });
            if direction == Direction::Down {
                square.reverse();
            }
            loaded.insert((read, vector), square);
        }
    }

    /// Stores what the steps of a block have computed for a vector.
    fn store_lane_squares(
        &mut self,
        place: (&Loop, Value<'c>),
        (vector, squares): (u32, &Squares),
        steps: &[Step<'c, '_>],
    ) {
        let lanes = steps[0].lanes;
        for (&result, &direction) in &squares.results {
            let location = &lanes.tile.results[result];
            let stride = steps[0].invariants.result_strides[result];
            let rows = self.lane_rows(place, &steps[0], location, (stride, vector, direction));
            let mut square: Vec<Value<'c>> = steps.iter().map(|step| step.results[&(result, vector)]).collect();
            if direction == Direction::Down {
                square.reverse();
            }
            self.transpose(&mut square);
            let alignment = self.prepared.arrays[location.array].alignment;
            for (lane, (row, value)) in (0..).zip(rows.into_iter().zip(square)) {
                let store = match &steps[0].some {
                    None => {
                        let store = self.b.store(value, row);
                        builder::set_alignment(store, alignment);
                        store
                    }
                    Some((range, _)) => {
                        let column = self.beside(steps[0].invariants.base, vector * lanes.tile.lanes + lane);
                        let from_first = self.b.compare(Compare::LLVMIntSLE, range.first, column);
                        let to_last = self.b.compare(Compare::LLVMIntSLE, column, range.last);
                        let has_point = self.b.arithmetic(Op::And, from_first, to_last, false);
                        let mask = self.b.splat(has_point, lanes.tile.lanes);
                        self.b.masked_store(value, row, mask, alignment)
                    }
                };
                self.mark_lane_access(store, lanes, location);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{Form, Var};
    use crate::linear::Linear;

    const PLACE: Place = Place { steps: 0, lanes: 1 };

    /// Each subscript by its slopes along steps and lanes.
    fn access(slopes: &[(i128, i128)]) -> Location {
        let subscript = |&(steps, lanes): &(i128, i128)| {
            let term = |iter: usize, by: i128| Form::Scaled(by, Box::new(Form::Var(Var::Iter(iter))));
            Linear::of(&Form::Sum(vec![term(0, steps), term(1, lanes), Form::Const(1)])).expect("small numbers")
        };
        Location { array: 0, subscripts: slopes.iter().map(subscript).collect(), at: (0, 0, 0) }
    }

    #[test]
    fn rows_go_up_or_down() {
        assert_eq!(direction(&access(&[(0, 1), (1, 0)]), PLACE), Some(Direction::Up));
        assert_eq!(direction(&access(&[(0, 1), (-1, 0)]), PLACE), Some(Direction::Down));
        // Every other element, another row in every step, always the same element.
        for other in [[(0, 1), (2, 0)], [(1, 0), (1, 0)], [(0, 1), (0, 0)]] {
            assert_eq!(direction(&access(&other), PLACE), None);
        }
    }

    #[test]
    fn lanes_ahead_of_others_find_their_values() {
        let in_order = |source: Source, written: Written, vectors: u32| {
            let location = access(&[(0, 1), (1, -1)]);
            is_in_order(&Read { location, source, contiguous: false, written: Some(written) }, vectors)
        };
        let from = |shift: i128| Source::Before(crate::simd_wavefront::Handed::Result(0), shift);
        // Above: the lane before has written it in the step before. Below: the next lane writes it
        // in the next step.
        assert!(in_order(from(-1), Written::At(-1, -1), 2));
        assert!(in_order(Source::Memory, Written::At(1, 1), 2));
        // The next vector is a block behind.
        assert!(in_order(from(1), Written::At(-1, 1), 1));
        assert!(!in_order(from(1), Written::At(-1, 1), 2));
        assert!(!in_order(Source::Memory, Written::At(1, -1), 2));
        // What the lane at the border reads was written by a lane that has stored nothing yet.
        assert!(!in_order(from(-1), Written::At(-2, 0), 1));
        assert!(!in_order(from(-2), Written::At(-2, -1), 1));
        assert!(in_order(from(-2), Written::Never, 2));
    }

    #[test]
    fn elements_that_several_lanes_write_are_known() {
        assert!(is_injective(&access(&[(0, 1), (1, 0)]), PLACE));
        assert!(is_injective(&access(&[(0, 1), (1, 1)]), PLACE));
        assert!(!is_injective(&access(&[(1, 1)]), PLACE));
        assert!(!is_injective(&access(&[(1, 1), (2, 2)]), PLACE));
        assert!(!is_injective(&access(&[(0, 1), (0, 0)]), PLACE));
    }
}
