//! Innermost loops without dependences as vector code.
//!
//! # Input
//! A loop whose iterations do not depend on each other and for which vector code is wanted, with
//! nothing but instances of statements in it, whose accesses are contiguous or invariant.
//!
//! # Output
//! ```text
//!   peel = distance to the next aligned element of what is stored, if the loop is long
//!   if peel > 0:  the first points
//!   for whole vectors:  the statements
//!   if points are left:  the last points
//! ```
//! The first and last points are fewer than a vector has lanes; [`crate::row_ends`] says how they
//! are written.
//!
//! # Why not LLVM's vectorizer
//! It makes the same code for long loops. The rows of tiles are short: their points that do not
//! fill a vector are executed one by one there, which for a row of a hundred points takes as long
//! as the vectors, and its vectors are half as long as those of the processor where it prefers
//! shorter ones. Nor does it execute several rows at a time. Where a loop does not have this form,
//! LLVM does it.
//!
//! # What is accessed
//! Nothing but points of the row, see [`crate::row_ends`]. The statements are executed in their
//! order, each for all lanes of a vector at once, which iterations that do not depend on each other
//! permit. Invariant values in memory are loaded before the loop if the loop does not write their
//! array.

use poly_scop::{ALIGNED_VECTORS, AccessId, Instr, InstrKind};

use crate::builder::{self, Compare, Op, Type, Value};
use crate::code::{Loop, Run, Step, Vector};
use crate::form::Form;
use crate::generator::Generator;
use crate::linear::Linear;
use crate::loops::{Bounds, is_integer_extremum};
use crate::register::Writer;
use crate::tile::{Location, Moves, Part, Tile, is_write, moves_of_operands, only_runs};

/// Recognition.
impl Generator<'_, '_> {
    /// What is computed in a loop that can be written as vector code, in one row or, with a loop
    /// over rows, in each of them.
    pub(crate) fn vector_row<'a>(&self, l: &'a Loop, rows: Option<&'a Loop>) -> Option<Tile<'a>> {
        let vector_bytes = self.prepared.options.tile_vector_bytes;
        let is_wanted = l.coincident && l.vector == Vector::Wanted && l.step == Step::ONE && !l.parallel;
        if !is_wanted {
            return None;
        }
        let mut tile =
            Tile { rows, columns: l, n_rows: 1, n_vectors: 1, lanes: 0, runs: Vec::new(), results: Vec::new() };
        let mut bytes = 1;
        for run in only_runs(&l.body)? {
            bytes = bytes.max(self.widest_element(run)?);
            let accesses = &self.prepared.scop.statements[run.statement].accesses;
            if !accesses.iter().all(|a| matches!(self.prepared.arrays[a.array.index()].element_bytes, 4 | 8)) {
                return None;
            }
            self.add_row_run(&mut tile, run)?;
        }
        let body = |run: &Run| &self.prepared.scop.statements[run.statement].body;
        let is_extremum = |instr: &Instr| {
            matches!(instr.kind, InstrKind::Compute { .. }) && is_integer_extremum(self.prepared.value(instr.value))
        };
        if tile.runs.iter().any(|(run, _)| body(run).iter().any(is_extremum)) {
            return None;
        }
        let computes = |part: &Part| matches!(part, Part::Compute(moves) if moves.column);
        // Copies are LLVM's business, which may call a function for them.
        if tile.results.is_empty() || !tile.runs.iter().any(|(_, parts)| parts.iter().any(computes)) {
            return None;
        }
        tile.lanes = vector_bytes / u32::try_from(bytes).ok().filter(|b| matches!(b, 4 | 8))?;
        (tile.lanes >= 2).then_some(tile)
    }

    fn add_row_run<'a>(&self, tile: &mut Tile<'a>, run: &'a Run) -> Option<()> {
        let statement = &self.prepared.scop.statements[run.statement];
        let coordinates = run.coordinates.iter().map(Linear::of).collect::<Option<Vec<_>>>()?;
        let mut parts: Vec<Part> = Vec::new();
        for (position, instr) in statement.body.iter().enumerate() {
            let part = match instr.kind {
                InstrKind::Read(access) | InstrKind::Write(access) => {
                    self.part_of_access(tile, (run, &coordinates), (position, access))?
                }
                InstrKind::Compute { .. } => Part::Compute(moves_of_operands(statement, instr, &parts)),
                _ => return None,
            };
            parts.push(part);
        }
        tile.runs.push((run, parts));
        Some(())
    }

    /// What a row does for a read or a write of one element by each point: contiguous, or a read of
    /// what is the same for all.
    pub(crate) fn part_of_access(
        &self,
        tile: &mut Tile<'_>,
        (run, coordinates): (&Run, &[Linear]),
        (position, access): (usize, AccessId),
    ) -> Option<Part> {
        let instr = &self.prepared.scop.statements[run.statement].body[position];
        let columns = tile.columns.iter;
        let location = self.location(run, coordinates, (tile.runs.len(), position, access.index()))?;
        let moves = Moves { reduced: false, ..tile.moves(&location, columns)? };
        let value = if is_write(instr) { instr.operands[0].value } else { instr.value };
        let contiguous = self.is_contiguous(&location, value, columns);
        match is_write(instr) {
            true if contiguous => {
                tile.results.push(location);
                Some(Part::Update(tile.results.len() - 1))
            }
            false if contiguous || !moves.column => Some(Part::Load { moves, contiguous }),
            _ => None,
        }
    }
}

/// Writing.
impl<'c> Generator<'c, '_> {
    /// Writes a loop as vector code; the builder is behind it afterwards.
    pub(crate) fn emit_vector_row(&mut self, bounds: Bounds<'c>, tile: &Tile<'_>) {
        self.emit_vector_rows(self.b.int(64, 0), bounds, tile);
    }

    /// The same for all rows of a tile from the first one on.
    pub(crate) fn emit_vector_rows(&mut self, first_row: Value<'c>, bounds: Bounds<'c>, tile: &Tile<'_>) {
        let l = tile.columns;
        self.emit_in_place_of(l, bounds, |g, (first, end)| {
            let mut writer = Writer::of_copy(tile, l.iter, (first_row, first));
            g.share_loads(&mut writer);
            g.load_invariants(&mut writer);
            g.emit_starts(&mut writer);
            let points = g.b.arithmetic(Op::Sub, end, first, true);
            let last = g.b.arithmetic(Op::Sub, points, g.b.int(64, 1), true);
            let first = g.emit_beginning(&writer, points);
            let rest = g.emit_whole_vectors(&writer, (first, last));
            let is_left = g.b.compare(Compare::LLVMIntSLE, rest, last);
            g.emit_when(is_left, |g| g.emit_last_points(&writer, (rest, last)));
        });
        self.allow_wide_vectors(tile);
    }

    /// Loads what is invariant and not written, and computes what depends on nothing else.
    fn load_invariants(&mut self, writer: &mut Writer<'c, '_>) {
        let tile = writer.tile;
        let is_written = |array: usize| {
            let touches = |r: usize| r == array || self.prepared.overlapping.contains(&(r.min(array), r.max(array)));
            tile.results.iter().any(|r| touches(r.array))
        };
        let mut invariants: Vec<(usize, usize)> = Vec::new();
        for (number, (run, parts)) in tile.runs.iter().enumerate() {
            let statement = &self.prepared.scop.statements[run.statement];
            for (position, part) in parts.iter().enumerate() {
                let Part::Load { moves, .. } = part else { continue };
                let InstrKind::Read(access) = statement.body[position].kind else { continue };
                if !moves.column && !is_written(statement.accesses[access.index()].array.index()) {
                    invariants.push((number, position));
                }
            }
        }
        for at in invariants {
            let moves = tile.runs[at.0].1[at.1].moves();
            for row in 0..if moves.row { tile.n_rows } else { 1 } {
                self.tile_value(writer, at, row, 0);
            }
        }
    }

    /// The type of an element that an operand loads.
    fn loaded_type(&self, tile: &Tile<'_>, (number, position): (usize, usize)) -> Type<'c> {
        let instr = &self.prepared.scop.statements[tile.runs[number].0.statement].body[position];
        self.prepared.value(instr.value).ty()
    }

    /// Finds the loads of what another one loads, too.
    fn share_loads(&self, writer: &mut Writer<'c, '_>) {
        let tile = writer.tile;
        let mut known: Vec<(Location, u32)> = Vec::new();
        for row in 0..tile.n_rows {
            for (number, (_, parts)) in tile.runs.iter().enumerate() {
                for (position, part) in parts.iter().enumerate() {
                    let is_vector = matches!(part, Part::Load { contiguous: true, .. });
                    if !is_vector || !self.is_unwritten(tile, (number, position)) {
                        continue;
                    }
                    let Some(location) = self.location_in_row(tile, (number, position), row) else { continue };
                    let ty = self.loaded_type(tile, (number, position));
                    let is_same = |(other, _): &&(Location, u32)| {
                        other.is_same(&location) && self.loaded_type(tile, (other.at.0, other.at.1)) == ty
                    };
                    match known.iter().find(is_same) {
                        Some((first, in_row)) => {
                            writer.set_same((number, position, row), (first.at.0, first.at.1, *in_row));
                        }
                        None => known.push((location, row)),
                    }
                }
            }
        }
    }

    /// Computes the addresses of the first point, in all rows.
    fn emit_starts(&mut self, writer: &mut Writer<'c, '_>) {
        let tile = writer.tile;
        let mut known: Vec<(Location, Value<'c>)> = Vec::new();
        for row in 0..tile.n_rows {
            for (number, (run, parts)) in tile.runs.iter().enumerate() {
                for (position, part) in parts.iter().enumerate() {
                    let instr = &self.prepared.scop.statements[run.statement].body[position];
                    let value = match part {
                        Part::Load { contiguous: true, .. } => instr.value,
                        Part::Update(_) => instr.operands[0].value,
                        _ => continue,
                    };
                    if writer.same((number, position, row)).is_some() {
                        continue;
                    }
                    let ty = self.prepared.value(value).ty();
                    let location = self.location_in_row(tile, (number, position), row);
                    let beside = |(known, start): &(Location, Value<'c>)| {
                        Some((*start, self.elements_between(known, location.as_ref()?, ty)?))
                    };
                    let address = match known.iter().find_map(beside) {
                        Some((start, distance)) => self.b.offset(ty, start, self.b.int(64, distance)),
                        None => self.contiguous_address(writer, (number, position), (row, 0), ty),
                    };
                    known.extend(location.map(|location| (location, address)));
                    writer.set_start((number, position, row), address);
                }
            }
        }
    }

    /// How many elements of a type the second location is behind the first one, if that is a
    /// constant. Addresses are then made one from the other, so that one register holds them all.
    fn elements_between(&self, from: &Location, to: &Location, ty: Type<'c>) -> Option<i128> {
        let array = &self.prepared.arrays[to.array];
        let is_whole = self.prepared.cx.alloc_size(ty) == Some(u64::from(array.element_bytes));
        if from.array != to.array || !is_whole || array.table.is_some() {
            return None;
        }
        let last = to.subscripts.len() - 1;
        let mut elements: i128 = 0;
        for (dimension, (from, to)) in from.subscripts.iter().zip(&to.subscripts).enumerate() {
            let rows = elements.checked_add(from.distance(to)?)?;
            elements = match array.extents.get(dimension) {
                _ if rows == 0 || dimension == last => rows,
                Some(Form::Const(extent)) => rows.checked_mul(*extent)?,
                _ => return None,
            };
        }
        Some(elements)
    }

    /// The number of points before the first one whose store is aligned; zero in short loops.
    fn emit_peel(&mut self, writer: &Writer<'c, '_>, points: Value<'c>) -> Value<'c> {
        let lanes = i128::from(writer.tile.lanes);
        let bytes = i128::from(self.prepared.options.tile_vector_bytes) / lanes;
        let widest = |r: &&Location| i128::from(self.prepared.arrays[r.array].element_bytes) == bytes;
        let Some(result) = writer.tile.results.iter().find(widest) else { return self.b.int(64, 0) };
        let start = writer.start((result.at.0, result.at.1, 0)).expect("the addresses of stores are known");
        let address = self.b.ptr_to_int(start, self.b.int_type(64));
        let element = self.b.arithmetic(Op::AShr, address, self.b.int(64, i128::from(bytes.trailing_zeros())), false);
        let before = self.b.arithmetic(Op::Sub, self.b.int(64, 0), element, false);
        let before = self.b.arithmetic(Op::And, before, self.b.int(64, lanes - 1), false);
        let long = self.b.int(64, i128::from(ALIGNED_VECTORS) * lanes);
        let is_long = self.b.compare(Compare::LLVMIntSGE, points, long);
        self.b.select(is_long, before, self.b.int(64, 0))
    }

    /// Writes the points before the first one whose store is aligned; gives that one.
    fn emit_beginning(&mut self, writer: &Writer<'c, '_>, points: Value<'c>) -> Value<'c> {
        if !self.may_align(writer.tile) {
            return self.b.int(64, 0);
        }
        let peel = self.emit_peel(writer, points);
        let is_peeled = self.b.compare(Compare::LLVMIntNE, peel, self.b.int(64, 0));
        self.emit_when(is_peeled, |g| {
            let last = g.b.arithmetic(Op::Sub, peel, g.b.int(64, 1), true);
            g.emit_first_points(writer, last);
        });
        peel
    }

    /// Writes what is executed if the condition is true; the builder is behind it afterwards.
    pub(crate) fn emit_when<T>(&mut self, condition: Value<'c>, body: impl FnOnce(&mut Self) -> T) -> T {
        let function = self.frame.function;
        let then = self.b.append_block(function, "poly.some");
        let after = self.b.append_block(function, "poly.none");
        self.b.branch_if(condition, then, after);
        self.b.at_end(then);
        let result = body(self);
        self.b.branch(after);
        self.b.at_end(after);
        result
    }

    /// Writes the loop over vectors all of whose lanes are points up to `last`; gives the first
    /// point that is left. Points are counted from the first one of the loop.
    fn emit_whole_vectors(&mut self, writer: &Writer<'c, '_>, (first, last): (Value<'c>, Value<'c>)) -> Value<'c> {
        let function = self.frame.function;
        let name = format!("poly.c{}", writer.tile.columns.iter);
        let lanes = writer.tile.lanes;
        let before = self.b.block();
        let header = self.b.append_block(function, &format!("{name}.vector"));
        let after = self.b.append_block(function, &format!("{name}.rest"));
        let whole = |g: &Self, from: Value<'c>| g.b.compare(Compare::LLVMIntSLE, g.beside(from, lanes - 1), last);
        self.b.branch_if(whole(self, first), header, after);
        self.b.at_end(header);
        let counter = self.b.phi(self.b.int_type(64), &name);
        builder::add_incoming(counter, first, before);
        self.emit_points(&writer.at_distance(counter));
        let next = self.beside(counter, lanes);
        let latch = self.b.block();
        builder::add_incoming(counter, next, latch);
        let branch = self.b.branch_if(whole(self, next), header, after);
        let cx = self.prepared.cx;
        let mut properties = vec![
            cx.md_property("llvm.loop.mustprogress", &[]),
            cx.md_property("llvm.loop.isvectorized", &[cx.md_int(32, 1)]),
        ];
        // Several rows are long enough without: unrolled, they are more than the processor keeps
        // decoded.
        if writer.tile.n_rows > 1 {
            properties.push(cx.md_property("llvm.loop.unroll.disable", &[]));
        }
        branch.set_metadata("llvm.loop", cx.loop_id(&properties));
        self.b.at_end(after);
        let rest = self.b.phi(self.b.int_type(64), "poly.left");
        builder::add_incoming(rest, first, before);
        builder::add_incoming(rest, next, latch);
        rest
    }

    /// Writes the statements for one vector of points of each row.
    pub(crate) fn emit_points(&mut self, writer: &Writer<'c, '_>) {
        let mut writer = writer.clone();
        (0..writer.tile.n_rows).for_each(|row| self.emit_points_of_row(&mut writer, row));
    }

    fn emit_points_of_row(&mut self, writer: &mut Writer<'c, '_>, row: u32) {
        let tile = writer.tile;
        for (number, (run, parts)) in tile.runs.iter().enumerate() {
            for (position, part) in parts.iter().enumerate() {
                let Part::Update(result) = *part else {
                    self.tile_value(writer, (number, position), row, 0);
                    continue;
                };
                let instr = &self.prepared.scop.statements[run.statement].body[position];
                let value = self.tile_operand(writer, number, instr.operands[0], row, 0);
                let value = self.as_vector(writer, value);
                match instr.predicate {
                    None => self.emit_result(writer, (result, row, 0), value),
                    Some(_) => self.emit_conditional_store(writer, (number, instr), result, value),
                }
            }
        }
    }
}
