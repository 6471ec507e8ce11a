//! Wavefronts and chains side by side as vectors whose lanes hand values on from step to step:
//! recognition.
//!
//! # Input
//! A loop with the mark [`Mark::SimdWavefront`](poly_schedule_tree::Mark) over the steps of a
//! wavefront, in it a loop over diagonals whose iterations do not depend on each other, in that
//! instances of statements. The diagonals lie in a strip of a constant number of columns that does
//! not move with the steps: each column is a *lane*. In a Gauss-Seidel sweep a lane is a row of the
//! array, and a step moves all lanes one element to the right. Or the diagonals are iterations of a
//! parallel loop around a chain of dependences: then the lanes are *steady*, the same ones in all
//! steps.
//!
//! # Problem
//! Neighbouring lanes are rows apart in memory, so every operand would be loaded lane by lane. But
//! most of what a step reads is in registers: an earlier step has read or computed it, in the same
//! lane or in one beside it.
//!
//! # Reuse
//! Let `z = (step, lane)`. Two accesses `a`, `b` to one array whose subscripts differ by constants
//! touch the same element at `z` and at `z + d(a, b)`. With `d(a, b) = (-1, s)`, a lane's value of
//! `a` is what the lane `s` further had as value of `b` one step before; with `(0, s)`, what that
//! has now. Lanes at the border of the strip have no such neighbour and load the element.
//!
//! Rows of a temporary may share cells, each with those whose numbers leave the same remainder.
//! Subscripts here are those of elements; strips in which elements share a cell are refused.
//!
//! # Legality
//! No two writes of the loop touch the same element, in whatever steps and lanes
//! ([`Location::never_meets`]), and an array that is written shares no byte with other arrays. So
//! there is at most one write `w` that writes what `a` reads; where it is not known which one, `a`
//! is loaded where it is read. The element that `a` reads at `z` is written at `z + d(a, w)`, so it
//! is *old* if that step is not before, and *new* if it is. A value is handed on from an old one to
//! an old one and from a new one to a new one, and the value that `w` writes becomes a new one. A
//! write that steps do not move replaces an element of its lane in every step: a read of that finds
//! what the step before has written, or this one if the write comes first. What has another
//! relation to the write is loaded where it is read. Whether all lanes had points in the steps that
//! hand on is decided where the steps are written, see [`crate::simd_wavefront::steps`].

mod blocks;
mod steps;

use indexmap::IndexMap;
use poly_scop::{ArrayKind, Instr, InstrKind, Operand, OperandKind};

use crate::code::{Loop, Run, Step, Vector};
use crate::form::{Form, Var};
use crate::generator::Generator;
use crate::linear::Linear;
use crate::loops::{is_lane_instruction, is_vector_element};
use crate::simd_wavefront::blocks::Squares;
use crate::tile::{Location, Moves, Part, Tile, is_write, moves_of_operands, only_loop, only_runs};

/// Most vectors side by side.
const MAX_VECTORS: u32 = 8;
/// Values are handed on to lanes at most this far away.
const MAX_SHIFT: i128 = 2;
/// How far a read may be from the write of its array, in steps and in lanes, to be known as old or
/// new.
const FAR: i128 = 16;

/// Numbers of values, by run and position of the instruction in it.
pub(crate) type Positions = IndexMap<(usize, usize), usize>;

/// A wavefront that can be written.
#[derive(Debug)]
pub(crate) struct SimdWavefront<'a> {
    /// Its columns are the lanes.
    pub(crate) tile: Tile<'a>,
    /// The first lane.
    pub(crate) base: &'a Form,
    /// What is read lane by lane.
    pub(crate) values: Vec<Read>,
    /// The number of what an instruction reads, by run and position.
    pub(crate) reads: Positions,
    /// Results that are stored behind the last step, and the reads that they are handed on to.
    pub(crate) kept: Vec<(usize, usize)>,
    /// Of each result: the elements of neighbouring lanes are neighbours.
    pub(crate) contiguous_results: Vec<bool>,
    /// All steps have the same lanes.
    pub(crate) is_steady: bool,
    /// What is loaded and stored for several steps at a time, if steps are executed in blocks.
    pub(crate) squares: Option<Squares>,
}

/// Reads of the same elements.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) location: Location,
    pub(crate) source: Source,
    /// The elements of neighbouring lanes are neighbours.
    pub(crate) contiguous: bool,
    /// Where its elements are written, if it is known: steps and lanes from where they are read.
    /// Zero for arrays that are not written.
    pub(crate) written: Option<Written>,
}

/// When the elements of a read are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Never,
    /// So many steps later, so many lanes further.
    At(i128, i128),
}

/// Where the values of a read come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Memory, in every lane.
    Memory,
    /// What a lane at this distance had one step before.
    Before(Handed, i128),
    /// What a lane at this distance has of another read.
    Beside(usize, i128),
    /// What this step has computed.
    Now(usize),
}

/// A value that is handed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handed {
    Read(usize),
    Result(usize),
}

/// The loops of a wavefront.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) steps: usize,
    pub(crate) lanes: usize,
}

impl SimdWavefront<'_> {
    /// Number of lanes.
    pub(crate) fn count(&self) -> u32 {
        self.tile.lanes * self.tile.n_vectors
    }

    /// Whether all lanes have points in a step if they have in one before and in one behind it:
    /// bounds are extrema of linear combinations.
    pub(crate) fn is_convex(&self, place: Place) -> bool {
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        largest_of(&self.tile.columns.lower, &mut lower);
        smallest_of(&self.tile.columns.upper, &mut upper);
        let is_linear = |form: &&Form| Linear::of(form).is_some_and(|linear| linear.slope(place.steps).is_some());
        lower.iter().chain(&upper).all(is_linear)
    }
}

impl Generator<'_, '_> {
    /// The wavefront that a loop is, if it can be written as one.
    pub(crate) fn simd_wavefront<'a>(&self, l: &'a Loop) -> Option<SimdWavefront<'a>> {
        let vector_bytes = self.prepared.options.tile_vector_bytes;
        if !l.simd_wavefront || l.step != Step::ONE || l.parallel {
            return None;
        }
        let columns = only_loop(&l.body)?;
        if !columns.coincident || columns.vector != Vector::Wanted || columns.step != Step::ONE || columns.parallel {
            return None;
        }
        let mut tile =
            Tile { rows: None, columns, n_rows: 1, n_vectors: 1, lanes: 0, runs: Vec::new(), results: Vec::new() };
        let mut bytes = 1;
        for run in only_runs(&columns.body)? {
            bytes = bytes.max(self.widest_in_lanes(run)?);
            self.add_lane_run(&mut tile, run, l.iter)?;
        }
        tile.lanes = vector_bytes / u32::try_from(bytes).ok().filter(|b| matches!(b, 4 | 8))?;
        if tile.lanes < 2 {
            return None;
        }
        let (base, vectors) = strip(columns, l.iter, tile.lanes)?;
        tile.n_vectors = vectors;
        if tile.results.is_empty() || self.may_overlap(&tile) {
            return None;
        }
        let place = Place { steps: l.iter, lanes: columns.iter };
        let (mut values, reads) = self.lane_reads(&tile, place)?;
        if !self.have_cells_of_their_own(&tile, &values, place) {
            return None;
        }
        find_sources(&mut values, &tile.results, place);
        let contiguous = |result: &Location| {
            let (run, position, _) = result.at;
            let instr = &self.prepared.scop.statements[tile.runs[run].0.statement].body[position];
            self.is_contiguous(result, instr.operands[0].value, columns.iter)
        };
        let contiguous_results = tile.results.iter().map(contiguous).collect();
        let moves = |form: &Form| form.mentions(&|var| var == Var::Iter(l.iter));
        let is_steady = !moves(&columns.lower) && !moves(&columns.upper);
        let kept = Vec::new();
        let mut lanes = SimdWavefront { tile, base, values, reads, contiguous_results, is_steady, kept, squares: None };
        lanes.kept = if is_steady { self.kept_results(&lanes, place)? } else { Vec::new() };
        lanes.squares = self.lane_squares(&lanes, place);
        Some(lanes)
    }

    /// The bytes of the widest element that a statement has in a lane, if all that it does has a
    /// vector form.
    fn widest_in_lanes(&self, run: &Run) -> Option<u64> {
        let body = &self.prepared.scop.statements[run.statement].body;
        let is_choice = |instr: &&Instr| matches!(instr.kind, InstrKind::Choose);
        let is_decision =
            |instr: &&Instr| matches!(instr.kind, InstrKind::Holds { .. } | InstrKind::Matches { .. } | InstrKind::Any);
        let mut widest =
            self.widest_of(body.iter().filter(|i| !is_choice(i) && !is_decision(i)), is_lane_instruction)?;
        for instr in body.iter().filter(|i| is_choice(i) || is_decision(i)) {
            let known = |o: &Operand| o.kind != OperandKind::Synthesized;
            if instr.predicate.is_some() || !instr.operands.iter().all(known) {
                return None;
            }
            if is_choice(&instr) {
                let value = self.prepared.value(instr.value);
                widest = widest.max(self.prepared.cx.alloc_size(value.ty()).filter(|_| is_vector_element(value))?);
            }
        }
        Some(widest)
    }

    fn add_lane_run<'a>(&self, tile: &mut Tile<'a>, run: &'a Run, steps: usize) -> Option<()> {
        let scop = self.prepared.scop;
        let statement = &scop.statements[run.statement];
        let coordinates = run.coordinates.iter().map(Linear::of).collect::<Option<Vec<_>>>()?;
        let mut parts: Vec<Part> = Vec::new();
        for (position, instr) in statement.body.iter().enumerate() {
            let part = match instr.kind {
                InstrKind::Read(access) | InstrKind::Write(access) => {
                    let location = self.location(run, &coordinates, (tile.runs.len(), position, access.index()))?;
                    let location = self.of_elements(location)?;
                    let value = if is_write(instr) { instr.operands[0].value } else { instr.value };
                    let array = &self.prepared.arrays[location.array];
                    let size = self.prepared.cx.alloc_size(self.prepared.value(value).ty());
                    let moves = tile.moves(&location, steps)?;
                    let fits =
                        matches!(array.element_bytes, 1 | 2 | 4 | 8) && size == Some(u64::from(array.element_bytes));
                    let is_known = tile.results.iter().all(|result| result.never_meets(&location));
                    let is_mixed = scop.arrays[location.array].element.is_mixed();
                    match (is_write(instr), moves.column) {
                        // Values of an element have one type, so that they can be handed on.
                        (_, true) if !fits || is_mixed => return None,
                        // One write of each element.
                        (true, moving) if !moving || !is_known => return None,
                        (true, _) => {
                            tile.results.push(location);
                            Part::Update(tile.results.len() - 1)
                        }
                        (false, _) => Part::Load { moves, contiguous: false },
                    }
                }
                InstrKind::Compute { .. }
                | InstrKind::Holds { .. }
                | InstrKind::Matches { .. }
                | InstrKind::Any
                | InstrKind::Choose => Part::Compute(moves_of_operands(statement, instr, &parts)),
                _ => return None,
            };
            parts.push(part);
        }
        tile.runs.push((run, parts));
        Some(())
    }

    /// How many rows of an array share memory with others, row `r` with those that leave the same
    /// remainder.
    pub(crate) fn rows_in_use(&self, array: usize) -> Option<i128> {
        match self.prepared.scop.arrays[array].kind {
            ArrayKind::Temporary { in_use, .. } => in_use.map(i128::from),
            _ => None,
        }
    }

    /// The elements of an access, where cells are shared by rows.
    fn of_elements(&self, mut location: Location) -> Option<Location> {
        if let Some(rows) = self.rows_in_use(location.array) {
            location.subscripts[0] = location.subscripts[0].dividend(rows)?;
        }
        Some(location)
    }

    /// Whether no two of the elements that the lanes of a strip access share a cell: they are of
    /// fewer rows than there are cells for.
    fn have_cells_of_their_own(&self, tile: &Tile<'_>, values: &[Read], place: Place) -> bool {
        let accessed = || values.iter().map(|read| &read.location).chain(&tile.results);
        let lanes = i128::from(tile.lanes * tile.n_vectors);
        let mut broadcast = tile.runs.iter().enumerate().flat_map(|(number, (_, parts))| {
            let is_broadcast = |part: &Part| matches!(part, Part::Load { moves: Moves { column: false, .. }, .. });
            let positions = (0..parts.len()).filter(move |&position| is_broadcast(&parts[position]));
            positions.map(move |position| (number, position))
        });
        let is_shared = |location: &Location| self.rows_in_use(location.array).is_some();
        if broadcast.any(|(number, at)| self.operand_location(tile, number, at).is_none_or(|l| is_shared(&l))) {
            return false;
        }
        accessed().filter(|location| is_shared(location)).all(|location| {
            let first = &location.subscripts[0];
            let (rows, slope) = (self.rows_in_use(location.array), first.slope(place.lanes));
            let others = accessed().filter(|other| other.array == location.array);
            let distances: Option<Vec<i128>> = others.map(|other| first.distance(&other.subscripts[0])).collect();
            let (Some(rows), Some(slope), Some(distances)) = (rows, slope, distances) else { return false };
            let farthest = distances.into_iter().map(i128::abs).max().unwrap_or(0);
            first.slope(place.steps) == Some(0) && farthest + slope.abs() * (lanes - 1) < rows
        })
    }

    /// The results that steps only replace, each with the read that it is handed on to: they are
    /// stored behind the last step.
    fn kept_results(&self, lanes: &SimdWavefront<'_>, place: Place) -> Option<Vec<(usize, usize)>> {
        let mut broadcast: Vec<Location> = Vec::new();
        for (number, (_, parts)) in lanes.tile.runs.iter().enumerate() {
            for (position, part) in parts.iter().enumerate() {
                if matches!(part, Part::Load { moves: Moves { column: false, .. }, .. }) {
                    broadcast.push(self.of_elements(self.operand_location(&lanes.tile, number, position)?)?);
                }
            }
        }
        let kept = lanes.tile.results.iter().enumerate().filter_map(|(index, result)| {
            let meets = |location: &Location| !location.never_meets(result);
            let in_register = |read: &Read| matches!(read.source, Source::Before(_, 0) | Source::Now(_));
            let mut reads = lanes.values.iter().filter(|read| meets(&read.location));
            let is_kept = result.is_invariant(place) && reads.all(in_register) && !broadcast.iter().any(meets);
            let takes = |read: &Read| read.source == Source::Before(Handed::Result(index), 0);
            Some((index, lanes.values.iter().position(takes).filter(|_| is_kept)?))
        });
        Some(kept.collect())
    }

    /// What is read lane by lane.
    fn lane_reads(&self, tile: &Tile<'_>, place: Place) -> Option<(Vec<Read>, Positions)> {
        let mut values: Vec<Read> = Vec::new();
        let mut reads = Positions::new();
        for (number, (_, parts)) in tile.runs.iter().enumerate() {
            for (position, part) in parts.iter().enumerate() {
                let Part::Load { moves: Moves { column: true, .. }, .. } = part else { continue };
                let location = self.of_elements(self.operand_location(tile, number, position)?)?;
                let mut met = (0..tile.results.len()).filter(|&result| !tile.results[result].never_meets(&location));
                let (result, written) = match (met.next(), met.next()) {
                    (None, _) => (None, Some(Written::Never)),
                    (Some(result), None) => (Some(result), written(&location, &tile.results[result], place)),
                    (Some(_), Some(_)) => (None, None),
                };
                let is_later = |&result: &usize| {
                    let result = &tile.results[result];
                    let in_this_step =
                        written == Some(Written::At(0, 0)) || (written.is_some() && result.is_invariant(place));
                    in_this_step && (result.at.0, result.at.1) < (number, position)
                };
                let now = result.filter(is_later);
                let source = now.map_or(Source::Memory, Source::Now);
                let is_same = |known: &Read| {
                    let is_old = matches!(known.source, Source::Memory) == now.is_none();
                    is_old && known.written.is_some() && known.location.is_same(&location)
                };
                let known = values.iter().position(is_same).filter(|_| written.is_some());
                let index = known.unwrap_or_else(|| {
                    let value = self.prepared.scop.statements[tile.runs[number].0.statement].body[position].value;
                    let contiguous = self.is_contiguous(&location, value, place.lanes);
                    values.push(Read { location, source, contiguous, written });
                    values.len() - 1
                });
                reads.insert((number, position), index);
            }
        }
        Some((values, reads))
    }
}

/// The columns in which all iterations of a loop lie whatever the counter `steps` is: the first
/// one, and how many vectors they are. The smallest strip, if there are several.
fn strip(columns: &Loop, steps: usize, lanes: u32) -> Option<(&Form, u32)> {
    let stands = |form: &&Form| !form.mentions(&|var| var == Var::Iter(steps));
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    largest_of(&columns.lower, &mut lower);
    smallest_of(&columns.upper, &mut upper);
    let mut smallest: Option<(&Form, u32)> = None;
    for &first in lower.iter().filter(|form| stands(form)) {
        for &last in upper.iter().filter(|form| stands(form)) {
            let length = Linear::of(first).zip(Linear::of(last)).and_then(|(first, last)| first.distance(&last));
            let length = length.and_then(|length| u32::try_from(length).ok()?.checked_add(1));
            let Some(length) = length.filter(|length| length.is_multiple_of(lanes) && length / lanes <= MAX_VECTORS)
            else {
                continue;
            };
            if smallest.is_none_or(|(_, vectors)| length / lanes < vectors) {
                smallest = Some((first, length / lanes));
            }
        }
    }
    smallest
}

/// The forms of which one is the maximum.
fn largest_of<'a>(form: &'a Form, to: &mut Vec<&'a Form>) {
    match form {
        Form::Max(forms) => forms.iter().for_each(|form| largest_of(form, to)),
        _ => to.push(form),
    }
}

/// The forms of which one is the minimum.
fn smallest_of<'a>(form: &'a Form, to: &mut Vec<&'a Form>) {
    match form {
        Form::Min(forms) => forms.iter().for_each(|form| smallest_of(form, to)),
        _ => to.push(form),
    }
}

/// Whether two accesses to one array touch the same element, the first one at some place and the
/// second one `steps` and `lanes` from there.
fn meet(first: &Location, second: &Location, place: Place, (steps, lanes): (i128, i128)) -> bool {
    first.array == second.array
        && first.subscripts.iter().zip(&second.subscripts).all(|(a, b)| {
            let slopes = b.slope(place.steps).zip(b.slope(place.lanes));
            let moved = slopes.map(|(by_step, by_lane)| by_step * steps + by_lane * lanes);
            moved.is_some() && b.distance(a) == moved
        })
}

impl Location {
    /// A step does not move it, but every lane has an element of its own.
    pub(crate) fn is_invariant(&self, place: Place) -> bool {
        self.subscripts.iter().all(|s| s.slope(place.steps) == Some(0) && s.slope(place.lanes).is_some())
            && self.subscripts.iter().any(|s| s.slope(place.lanes) != Some(0))
    }
}

/// When the elements of a read are written: known if that is one time, and near, or in every step.
fn written(read: &Location, write: &Location, place: Place) -> Option<Written> {
    if write.is_invariant(place) {
        return read.is_same(write).then_some(Written::At(-1, 0));
    }
    let slope = |s: &Linear| s.slope(place.steps).zip(s.slope(place.lanes));
    let slopes: Vec<(i128, i128)> = write.subscripts.iter().map(slope).collect::<Option<_>>()?;
    let differs = |a: &(i128, i128), b: &(i128, i128)| a.0 * b.1 != a.1 * b.0;
    if !slopes.iter().enumerate().any(|(index, a)| slopes[index + 1..].iter().any(|b| differs(a, b))) {
        return None;
    }
    let near = || -FAR..=FAR;
    let mut places = near().flat_map(|steps| near().map(move |lanes| (steps, lanes)));
    let (steps, lanes) = places.find(|&at| meet(read, write, place, at))?;
    Some(Written::At(steps, lanes))
}

/// Distances between lanes, the near ones first. A vector of neighbours is better loaded than made
/// of others.
fn shifts(read: &Read) -> impl Iterator<Item = i128> + use<> {
    let farthest = if read.contiguous { 0 } else { MAX_SHIFT };
    (0..=farthest).flat_map(|shift| [shift, -shift])
}

/// Finds out for every read what can be handed on.
fn find_sources(values: &mut [Read], results: &[Location], place: Place) {
    for index in 0..values.len() {
        if values[index].source != Source::Memory {
            continue;
        }
        if let Some((handed, shift)) = handed(values, index, results, place) {
            values[index].source = Source::Before(handed, shift);
        }
    }
    let mut loaded: Vec<usize> = Vec::new();
    for index in 0..values.len() {
        if values[index].source != Source::Memory {
            continue;
        }
        let is_stable = |read: &Read| match read.written {
            Some(Written::Never) => true,
            Some(Written::At(steps, _)) => steps != 0,
            None => false,
        };
        let beside = |&&other: &&usize, shift: i128| {
            let (read, other) = (&values[index], &values[other]);
            is_stable(read) && is_stable(other) && meet(&read.location, &other.location, place, (0, shift))
        };
        let found =
            shifts(&values[index]).find_map(|shift| Some((*loaded.iter().find(|other| beside(other, shift))?, shift)));
        match found {
            Some((other, shift)) => values[index].source = Source::Beside(other, shift),
            None => loaded.push(index),
        }
    }
}

/// The value that is handed on to a read from the step before, and the distance to its lane.
fn handed(values: &[Read], index: usize, results: &[Location], place: Place) -> Option<(Handed, i128)> {
    let read = &values[index];
    let meets = |other: &Location, shift: i128| meet(&read.location, other, place, (-1, shift));
    let is_alike = |other: &Read| match (read.written?, other.written?) {
        (Written::Never, Written::Never) => Some(()),
        // Both old, or both new. What the write of the step before replaces is not the element any
        // more.
        (Written::At(own, _), Written::At(others, _)) => ((own >= 0) == (others >= 0)).then_some(()),
        _ => None,
    };
    shifts(read).find_map(|shift| {
        let result = results.iter().position(|result| read.written.is_some() && meets(result, shift));
        let is_other = |other: &Read| !matches!(other.source, Source::Now(_)) && is_alike(other).is_some();
        let other = || values.iter().position(|other| is_other(other) && meets(&other.location, shift));
        let handed = result.map(Handed::Result).or_else(|| other().map(Handed::Read))?;
        Some((handed, shift))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = Place { steps: 0, lanes: 1 };

    fn linear(constant: i128, terms: &[(usize, i128)]) -> Linear {
        let terms = terms.iter().map(|&(iter, by)| Form::Scaled(by, Box::new(Form::Var(Var::Iter(iter)))));
        Linear::of(&Form::Sum(terms.chain([Form::Const(constant)]).collect())).expect("small numbers")
    }

    /// `A[x + i][w - 2x + j]`, as a sweep over rows has it whose lanes are rows.
    fn access(array: usize, i: i128, j: i128) -> Location {
        let subscripts = vec![linear(i, &[(1, 1)]), linear(j, &[(0, 1), (1, -2)])];
        Location { array, subscripts, at: (0, 0, 0) }
    }

    /// Sources of reads at these distances from the write of their array, if it has one.
    fn sources(array: usize, reads: &[(i128, i128)]) -> Vec<Source> {
        let write = access(0, 0, 0);
        let read = |&(i, j): &(i128, i128)| {
            let location = access(array, i, j);
            let written = if array == 0 { written(&location, &write, PLACE) } else { Some(Written::Never) };
            Read { location, source: Source::Memory, contiguous: false, written }
        };
        let mut values: Vec<Read> = reads.iter().map(read).collect();
        find_sources(&mut values, &[write], PLACE);
        values.iter().map(|read| read.source).collect()
    }

    #[test]
    fn nine_points_load_one() {
        let points: Vec<(i128, i128)> = (-1..=1).flat_map(|i| (-1..=1).map(move |j| (i, j))).collect();
        let (read, result) = (Handed::Read, Handed::Result(0));
        let expected = [
            // Above: what was handed on, at last by the lane before, whose result it is.
            Source::Before(read(1), 0),
            Source::Before(read(2), 0),
            Source::Before(result, -1),
            Source::Before(result, 0),
            Source::Before(read(5), 0),
            // To the right: what the lane before has loaded two steps before.
            Source::Before(read(7), -1),
            Source::Before(read(7), 0),
            Source::Before(read(8), 0),
            Source::Memory,
        ];
        assert_eq!(sources(0, &points), expected);
    }

    #[test]
    fn old_values_do_not_become_new_ones() {
        // What is read at the place of the write is replaced in the same step.
        assert_eq!(sources(0, &[(0, -1), (0, 0)]), [Source::Before(Handed::Result(0), 0), Source::Memory]);
        // Two steps after the write nothing hands the value on.
        assert_eq!(sources(0, &[(0, -2), (0, 0)]), [Source::Memory, Source::Memory]);
        assert_eq!(sources(1, &[(0, -1), (0, 0)]), [Source::Before(Handed::Read(1), 0), Source::Memory]);
    }

    #[test]
    fn values_of_the_same_step_come_from_other_lanes() {
        // `A[i][j + 2]` is `A[i + 1][j]` of the lane before.
        assert_eq!(sources(0, &[(0, 2), (1, 0)]), [Source::Memory, Source::Beside(0, 1)]);
        assert_eq!(sources(1, &[(1, 0), (0, 2)]), [Source::Memory, Source::Beside(0, -1)]);
    }

    #[test]
    fn what_every_step_writes_is_handed_on() {
        let of_lanes =
            |constant: i128| Location { array: 0, subscripts: vec![linear(constant, &[(1, 1)])], at: (0, 0, 0) };
        let write = of_lanes(3);
        assert!(write.is_invariant(PLACE) && !access(0, 0, 0).is_invariant(PLACE));
        assert_eq!(written(&of_lanes(3), &write, PLACE), Some(Written::At(-1, 0)));
        // The element of another lane.
        assert_eq!(written(&of_lanes(4), &write, PLACE), None);
        let written = written(&of_lanes(3), &write, PLACE);
        let mut values = [Read { location: of_lanes(3), source: Source::Memory, contiguous: true, written }];
        find_sources(&mut values, &[write], PLACE);
        assert_eq!(values[0].source, Source::Before(Handed::Result(0), 0));
        // All lanes write one element.
        let one = Location { array: 0, subscripts: vec![linear(3, &[])], at: (0, 0, 0) };
        assert!(!one.is_invariant(PLACE));
    }

    #[test]
    fn neighbours_are_loaded() {
        // `A[j][i + 1]` with `i` along the lanes is a vector in memory, not one made of two others.
        let read = |i: i128, contiguous: bool| {
            let location =
                Location { array: 1, subscripts: vec![linear(0, &[(0, 1)]), linear(i, &[(1, 1)])], at: (0, 0, 0) };
            Read { location, source: Source::Memory, contiguous, written: Some(Written::Never) }
        };
        let sources = |contiguous: bool| {
            let mut values = [read(0, contiguous), read(1, contiguous)];
            find_sources(&mut values, &[access(0, 0, 0)], PLACE);
            values.map(|read| read.source)
        };
        assert_eq!(sources(true), [Source::Memory, Source::Memory]);
        assert_eq!(sources(false), [Source::Memory, Source::Beside(0, 1)]);
    }

    #[test]
    fn what_is_written_at_several_times_is_not_known() {
        let read = access(0, 0, 0);
        assert_eq!(written(&read, &access(0, 1, 1), PLACE), Some(Written::At(-3, -1)));
        let moved = |subscripts: Vec<Linear>| Location { array: 0, subscripts, at: (0, 0, 0) };
        // All steps write one element of a lane: the one before is the last that has.
        let same = moved(vec![linear(0, &[(1, 1)]), linear(0, &[(1, 1)])]);
        assert_eq!(written(&same, &same, PLACE), Some(Written::At(-1, 0)));
        assert_eq!(written(&read, &same, PLACE), None);
        let other = moved(vec![linear(0, &[(1, 1)]), linear(1, &[(1, 1)])]);
        assert_eq!(written(&other, &same, PLACE), None);
        let transposed = moved(vec![linear(0, &[(0, 1), (1, -2)]), linear(0, &[(1, 1)])]);
        assert_eq!(written(&transposed, &read, PLACE), None);
        let between = moved(vec![linear(0, &[(1, 2)]), linear(1, &[(0, 2), (1, -4)])]);
        assert_eq!(written(&between, &between, PLACE), Some(Written::At(0, 0)));
        let even = moved(vec![linear(0, &[(1, 2)]), linear(0, &[(0, 2), (1, -4)])]);
        assert_eq!(written(&between, &even, PLACE), None);
    }

    #[test]
    fn strips_are_invariant() {
        let iter = |i: usize| Form::Var(Var::Iter(i));
        let sum =
            |by: i128, constant: i128| Form::Sum(vec![Form::Scaled(by, Box::new(iter(2))), Form::Const(constant)]);
        let columns = |lower: Vec<Form>, upper: Vec<Form>| Loop {
            iter: 1,
            lower: Form::Max(lower),
            upper: Form::Min(upper),
            step: Step::ONE,
            coincident: true,
            vector: Vector::Wanted,
            parallel: false,
            doacross: false,
            work: poly_schedule_tree::Trend::Even,
            private: Vec::new(),
            register: None,
            panel: false,
            simd_wavefront: false,
            body: crate::code::Code::Block(Vec::new()),
        };
        let of = |l: &Loop| strip(l, 0, 8).map(|(base, vectors)| (base.clone(), vectors));
        let strip = columns(vec![iter(0), Form::Max(vec![sum(16, 0), iter(3)])], vec![sum(16, 15), iter(0)]);
        assert_eq!(of(&strip), Some((sum(16, 0), 2)));
        // A tile in the strip that no vectors fill, and one that they do.
        let tiles = columns(vec![sum(16, 0), sum(16, 1), sum(16, 8)], vec![sum(16, 15), sum(16, 12)]);
        assert_eq!(of(&tiles), Some((sum(16, 8), 1)));
        let moving = Form::Sum(vec![iter(0), Form::Const(7)]);
        assert_eq!(of(&columns(vec![iter(0)], vec![moving])), None);
        assert_eq!(of(&columns(vec![sum(16, 0)], vec![sum(16, 9)])), None);
    }
}
