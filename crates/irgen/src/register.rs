//! Full register tiles as vector code.
//!
//! # Input
//! A loop over the reduced member that carries the mark `register`, in it loops over rows and columns with constant trip counts, in those
//! instances of statements. [`poly_scop::Plan::in_registers`] says which accesses touch elements that are different for every point of the tile, do not
//! depend on the reduced member and are touched by nothing else in the loop: the *results*.
//!
//! # Output
//! Full tiles, whose loops have constant trip counts:
//! ```text
//!   preheader:  results = vector loads; what the reduced member does not change
//!   header:     results = phi;  for every row and vector: the statements, lane by lane of the columns
//!   done:       vector stores of the results
//! ```
//!
//! Values that do not depend on columns are computed once for each row, as scalars; those that do not depend on rows once for each vector. Each
//! point of the tile executes the same operations on the same operands in the same order as before.
//!
//! Vectors that move along the reduced member are prefetched some iterations ahead: rows of a matrix are pages apart, and the hardware
//! does not see that one follows the other (6 to 9 percent of products of 1000 x 1000 matrices).
//!
//! [`crate::partial`] writes partial tiles in the same way, with masks. A loop that does not have this form (a type that vectors do not
//! hold, bounds that move with the reduced member) is written as any other loop.

use indexmap::IndexMap;
use poly_scop::{AccessId, Instr, InstrKind, Operand, OperandKind, StmtId, ValueId};
use poly_shim::ir::Opcode;

use crate::builder::{self, Compare, Op, Type, Value};
use crate::code::{Code, Loop, Run};
use crate::generator::Generator;
use crate::linear::Linear;
use crate::loops::{Bounds, is_vector_element, is_vector_instruction};
use crate::pack::{self, Panels};
use crate::statement::Instance;

/// Most rows, and most vectors side by side.
const MAX_UNROLL: i128 = 32;

/// How many iterations of the reduced loop ahead operands are prefetched.
const PREFETCH: u32 = 8;

/// A tile that can be written.
#[derive(Clone, Debug)]
pub(crate) struct Tile<'a> {
    /// Absent if there is one row.
    pub(crate) rows: Option<&'a Loop>,
    pub(crate) columns: &'a Loop,
    pub(crate) n_rows: u32,
    pub(crate) n_vectors: u32,
    pub(crate) lanes: u32,
    pub(crate) runs: Vec<(&'a Run, Vec<Part>)>,
    pub(crate) results: Vec<Location>,
}

/// The points of a tile that are executed.
#[derive(Clone, Debug)]
pub(crate) struct Masks<'c> {
    /// By row and vector: the points.
    pub(crate) points: Vec<Vec<Value<'c>>>,
    /// By vector: the columns that some row has.
    pub(crate) columns: Vec<Value<'c>>,
    /// By row: whether it has points; empty where all rows have.
    pub(crate) rows: Vec<Value<'c>>,
    /// The last column that some row has.
    pub(crate) last: Value<'c>,
}

/// What a value depends on.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Moves {
    pub(crate) row: bool,
    pub(crate) column: bool,
    pub(crate) reduced: bool,
}

impl Moves {
    fn or(self, other: Self) -> Self {
        Self { row: self.row || other.row, column: self.column || other.column, reduced: self.reduced || other.reduced }
    }
}

/// What is done for an instruction of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// The current value of a result.
    Result(usize),
    /// A load; neighbouring columns are neighbours in memory, or each lane is loaded on its own.
    Load {
        moves: Moves,
        contiguous: bool,
    },
    Compute(Moves),
    /// A new value of a result.
    Update(usize),
}

/// The elements of an access.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub(crate) array: usize,
    pub(crate) subscripts: Vec<Linear>,
    /// Where it is accessed: run, instruction and access.
    at: (usize, usize, usize),
}

impl Location {
    fn is_same(&self, other: &Self) -> bool {
        let equal = |(a, b): (&Linear, &Linear)| a.distance(b) == Some(0);
        self.array == other.array && self.subscripts.iter().zip(&other.subscripts).all(equal)
    }
}

/// The loop that a piece of program consists of.
pub(crate) fn only_loop(code: &Code) -> Option<&Loop> {
    match code {
        Code::Loop(l) => Some(l),
        Code::Block(parts) if parts.len() == 1 => only_loop(&parts[0]),
        _ => None,
    }
}

/// The instances that a piece of program consists of.
fn only_runs(code: &Code) -> Option<Vec<&Run>> {
    match code {
        Code::Run(run) => Some(vec![run]),
        Code::Block(parts) => {
            let runs: Option<Vec<_>> = parts.iter().map(only_runs).collect();
            Some(runs?.concat())
        }
        _ => None,
    }
}

/// The number of iterations of a loop in which no counter of `outer` moves its bounds.
fn trip_count(l: &Loop, outer: &[usize]) -> Option<i128> {
    let (lower, upper) = (Linear::of(&l.lower)?, Linear::of(&l.upper)?);
    let stands = outer.iter().all(|&iter| lower.slope(iter) == Some(0));
    let count = lower.distance(&upper)? + 1;
    (stands && l.step == 1 && !l.parallel && count >= 1).then_some(count)
}

/// Recognition.
impl<'c> Generator<'c, '_> {
    /// The full register tile that a loop is, if it can be written as one.
    pub(crate) fn register_tile<'a>(&self, l: &'a Loop) -> Option<Tile<'a>> {
        let (mut tile, bytes) = self.tile_of(l)?;
        let n_rows = tile.rows.map_or(Some(1), |rows| trip_count(rows, &[l.iter]))?;
        let around: Vec<usize> = tile.rows.map(|rows| rows.iter).into_iter().chain([l.iter]).collect();
        let n_columns = trip_count(tile.columns, &around)?;
        let mut lanes = i128::from(u64::from(self.prepared.options.tile_vector_bytes) / bytes);
        while lanes > 1 && n_columns % lanes != 0 {
            lanes /= 2;
        }
        if lanes < 2 || n_rows > MAX_UNROLL || n_columns / lanes > MAX_UNROLL {
            return None;
        }
        tile.n_rows = u32::try_from(n_rows).ok()?;
        tile.n_vectors = u32::try_from(n_columns / lanes).ok()?;
        tile.lanes = u32::try_from(lanes).ok()?;
        Some(tile)
    }

    /// What is computed in a loop with the mark `register`, without numbers of rows and vectors, and the bytes of the widest value.
    pub(crate) fn tile_of<'a>(&self, l: &'a Loop) -> Option<(Tile<'a>, u64)> {
        if !l.register || l.step != 1 || self.prepared.options.tile_vector_bytes == 0 {
            return None;
        }
        let outer = only_loop(&l.body)?;
        let (rows, columns) = match only_loop(&outer.body) {
            Some(inner) => (Some(outer), inner),
            None => (None, outer),
        };
        let mut tile = Tile { rows, columns, n_rows: 0, n_vectors: 0, lanes: 0, runs: Vec::new(), results: Vec::new() };
        let mut bytes = 1;
        for run in only_runs(&columns.body)? {
            bytes = bytes.max(self.widest_element(run)?);
            self.add_run(&mut tile, run, l.iter)?;
        }
        if tile.results.is_empty() || self.may_overlap(&tile) {
            return None;
        }
        Some((tile, bytes))
    }

    /// The bytes of the widest value of a statement; `None` if vectors do not hold some value, or an instruction has no vector form.
    fn widest_element(&self, run: &Run) -> Option<u64> {
        let mut widest = 1;
        for instr in &self.prepared.scop.statements[run.statement].body {
            let value = match instr.kind {
                InstrKind::Write(_) => self.prepared.value(instr.operands.first()?.value),
                InstrKind::Compute { .. } => {
                    let value = self.prepared.value(instr.value);
                    is_vector_instruction(value).then_some(value)?
                }
                // A load, or a PHI node whose values are those of an array.
                InstrKind::Read(_) => self.prepared.value(instr.value),
                _ => return None,
            };
            let known = |o: &Operand| o.kind != OperandKind::Synthesized;
            if instr.guard.is_some() || !is_vector_element(value) || !instr.operands.iter().all(known) {
                return None;
            }
            widest = widest.max(self.prepared.cx.alloc_size(value.ty())?);
        }
        Some(widest)
    }

    /// Adds a statement to the tile.
    fn add_run<'a>(&self, tile: &mut Tile<'a>, run: &'a Run, reduced: usize) -> Option<()> {
        let scop = self.prepared.scop;
        let statement = &scop.statements[run.statement];
        let coordinates = run.coordinates.iter().map(Linear::of).collect::<Option<Vec<_>>>()?;
        let mut parts: Vec<Part> = Vec::new();
        // Results are known from the writes, which come last.
        for (position, instr) in statement.body.iter().enumerate() {
            if let InstrKind::Write(access) = instr.kind {
                let location = self.location(run, &coordinates, (tile.runs.len(), position, access.index()))?;
                self.add_result(tile, location, reduced)?;
            }
        }
        for (position, instr) in statement.body.iter().enumerate() {
            let part = match instr.kind {
                InstrKind::Write(access) => {
                    Part::Update(self.result(tile, run, &coordinates, (position, access.index()))?)
                }
                InstrKind::Read(access) if self.is_in_register(run.statement, access.index()) => {
                    Part::Result(self.result(tile, run, &coordinates, (position, access.index()))?)
                }
                InstrKind::Read(access) => {
                    let location = self.location(run, &coordinates, (tile.runs.len(), position, access.index()))?;
                    let moves = tile.moves(&location, reduced)?;
                    let contiguous = self.is_contiguous(&location, instr.value, tile.columns.iter);
                    Part::Load { moves, contiguous }
                }
                InstrKind::Compute { .. } => {
                    let used = instr.locals().map(|id| {
                        let at = statement.body.iter().position(|i| i.value == id && !is_write(i));
                        parts[at.expect("bodies use what they have defined")].moves()
                    });
                    Part::Compute(used.fold(Moves::default(), Moves::or))
                }
                _ => return None,
            };
            parts.push(part);
        }
        tile.runs.push((run, parts));
        Some(())
    }

    fn is_in_register(&self, statement: usize, access: usize) -> bool {
        self.prepared.in_registers.contains(&(StmtId::from(statement), AccessId::from(access)))
    }

    fn location(&self, run: &Run, coordinates: &[Linear], at: (usize, usize, usize)) -> Option<Location> {
        let access = &self.prepared.scop.statements[run.statement].accesses[at.2];
        let array = access.array.index();
        if !access.exact || self.prepared.scop.arrays[array].is_scalar() {
            return None;
        }
        let forms = &self.prepared.statements[run.statement].subscripts[at.2];
        let subscripts = forms.iter().map(|f| Linear::of_subscript(f, coordinates)).collect::<Option<Vec<_>>>()?;
        Some(Location { array, subscripts, at })
    }

    /// Notes the results of a write. One array has only one kind of results in a tile.
    fn add_result(&self, tile: &mut Tile<'_>, location: Location, reduced: usize) -> Option<()> {
        let known = tile.results.iter().find(|known| known.array == location.array);
        if let Some(known) = known {
            return known.is_same(&location).then_some(());
        }
        let moves = tile.moves(&location, reduced)?;
        if moves.reduced || !moves.column {
            return None;
        }
        tile.results.push(location);
        Some(())
    }

    /// The number of the result that an access touches.
    fn result(
        &self,
        tile: &Tile<'_>,
        run: &Run,
        coordinates: &[Linear],
        (position, access): (usize, usize),
    ) -> Option<usize> {
        if !self.is_in_register(run.statement, access) {
            return None;
        }
        let location = self.location(run, coordinates, (tile.runs.len(), position, access))?;
        let instr = &self.prepared.scop.statements[run.statement].body[position];
        let value = if is_write(instr) { instr.operands[0].value } else { instr.value };
        if !self.is_contiguous(&location, value, tile.columns.iter) {
            return None;
        }
        tile.results.iter().position(|known| known.is_same(&location))
    }

    /// Neighbouring columns are neighbouring elements.
    fn is_contiguous(&self, location: &Location, value: ValueId, columns: usize) -> bool {
        let Some((last, outer)) = location.subscripts.split_last() else { return false };
        let size = self.prepared.cx.alloc_size(self.prepared.value(value).ty());
        last.slope(columns) == Some(1)
            && outer.iter().all(|s| s.slope(columns) == Some(0))
            && size == Some(u64::from(self.prepared.arrays[location.array].element_bytes))
    }

    /// Whether a result may share bytes with another array that the tile accesses.
    fn may_overlap(&self, tile: &Tile<'_>) -> bool {
        let accessed = tile.runs.iter().flat_map(|(run, _)| &self.prepared.scop.statements[run.statement].accesses);
        let accessed: Vec<usize> = accessed.map(|a| a.array.index()).collect();
        tile.results.iter().any(|result| {
            let pair = |&other: &usize| (result.array.min(other), result.array.max(other));
            accessed.iter().map(pair).any(|pair| self.prepared.overlapping.contains(&pair))
        })
    }
}

fn is_write(instr: &Instr) -> bool {
    matches!(instr.kind, InstrKind::Write(_))
}

impl Part {
    pub(crate) fn moves(self) -> Moves {
        match self {
            Self::Load { moves, .. } | Self::Compute(moves) => moves,
            Self::Result(_) | Self::Update(_) => Moves { row: true, column: true, reduced: true },
        }
    }
}

impl Tile<'_> {
    fn moves(&self, location: &Location, reduced: usize) -> Option<Moves> {
        let along = |iter: usize| -> Option<bool> {
            let slopes = location.subscripts.iter().map(|s| s.slope(iter)).collect::<Option<Vec<_>>>()?;
            Some(slopes.iter().any(|&slope| slope != 0))
        };
        let row = self.rows.map_or(Some(false), |rows| along(rows.iter))?;
        Some(Moves { row, column: along(self.columns.iter)?, reduced: along(reduced)? })
    }
}

/// The state of writing a tile.
pub(crate) struct Writer<'c, 't> {
    tile: &'t Tile<'t>,
    /// The first row and the first column.
    first: (Value<'c>, Value<'c>),
    /// The counter of the reduced loop.
    reduced: usize,
    /// The points of a partial tile.
    masks: Option<Masks<'c>>,
    /// What was copied.
    panels: Option<Panels<'c>>,
    /// By run, instruction, row and vector (0 where the value does not depend on it).
    known: IndexMap<(usize, usize, u32, u32), Value<'c>>,
    splats: IndexMap<Value<'c>, Value<'c>>,
    /// By result, row and vector.
    results: IndexMap<(usize, u32, u32), Value<'c>>,
}

impl<'c, 't> Writer<'c, 't> {
    /// For what is loaded as the source says.
    pub(crate) fn of_copy(tile: &'t Tile<'t>, reduced: usize, first: (Value<'c>, Value<'c>)) -> Self {
        let (known, splats, results) = (IndexMap::new(), IndexMap::new(), IndexMap::new());
        Self { tile, first, reduced, masks: None, panels: None, known, splats, results }
    }
}

/// Writing.
impl<'c> Generator<'c, '_> {
    /// Writes a full tile; the builder is behind it afterwards.
    pub(crate) fn emit_register_tile(&mut self, l: &Loop, bounds: Bounds<'c>, tile: &Tile<'_>) {
        let function = self.frame.function;
        let name = format!("poly.c{}", l.iter);
        let preheader = self.b.append_block(function, &format!("{name}.preheader"));
        let after = self.b.append_block(function, &format!("{name}.after"));
        let end = self.enter(bounds, preheader, after);
        let outer = self.iters[l.iter].replace(bounds.lower);
        let first_row = match tile.rows {
            Some(rows) => self.emit_form(&rows.lower),
            None => self.b.int(64, 0),
        };
        let first = (first_row, self.emit_form(&tile.columns.lower));
        match self.packing_of_tile(l) {
            Some(packing) => self.emit_packed_tile(l, (bounds.lower, end), tile, first, packing),
            None => self.emit_reduced(l, (bounds.lower, end), tile, first, None, None),
        }
        self.b.branch(after);
        self.b.at_end(after);
        self.iters[l.iter] = outer;
        self.allow_wide_vectors(tile);
    }

    /// Writes the reduced loop for the points of a tile, all of them or those of the masks. It runs at least once.
    pub(crate) fn emit_reduced(
        &mut self,
        l: &Loop,
        (lower, end): (Value<'c>, Value<'c>),
        tile: &Tile<'_>,
        first: (Value<'c>, Value<'c>),
        masks: Option<Masks<'c>>,
        panels: Option<Panels<'c>>,
    ) {
        let function = self.frame.function;
        let name = format!("poly.c{}", l.iter);
        let block = |g: &Self, what: &str| g.b.append_block(function, &format!("{name}.{what}"));
        let (header, done) = (block(self, "tile"), block(self, "done"));
        self.iters[l.iter] = Some(lower);
        let mut writer = self.begin_tile(tile, l.iter, first, (masks, panels));
        let preheader = self.b.block();
        self.b.branch(header);
        self.b.at_end(header);
        let counter = self.b.phi(self.b.int_type(64), &name);
        builder::add_incoming(counter, lower, preheader);
        let phis: Vec<Value<'c>> = writer.results.values().map(|v| self.b.phi(v.ty(), "poly.result")).collect();
        for (result, &phi) in writer.results.values_mut().zip(&phis) {
            builder::add_incoming(phi, *result, preheader);
            *result = phi;
        }
        self.iters[l.iter] = Some(counter);
        for row in 0..tile.n_rows {
            for vector in 0..tile.n_vectors {
                self.emit_point(&mut writer, row, vector);
            }
        }
        for (&phi, &result) in phis.iter().zip(writer.results.values()) {
            builder::add_incoming(phi, result, header);
        }
        let next = self.b.arithmetic(Op::Add, counter, self.b.int(64, 1), true);
        let again = self.b.compare(Compare::LLVMIntSLT, next, end);
        let branch = self.b.branch_if(again, header, done);
        builder::add_incoming(counter, next, header);
        let cx = self.prepared.cx;
        let properties = ["llvm.loop.mustprogress", "llvm.loop.unroll.disable"].map(|p| cx.md_property(p, &[]));
        branch.set_metadata("llvm.loop", cx.loop_id(&properties));
        self.b.at_end(done);
        self.iters[l.iter] = Some(lower);
        self.end_tile(&writer);
    }

    /// Loads the results and what the reduced member does not change.
    fn begin_tile<'t>(
        &mut self,
        tile: &'t Tile<'t>,
        reduced: usize,
        first: (Value<'c>, Value<'c>),
        (masks, panels): (Option<Masks<'c>>, Option<Panels<'c>>),
    ) -> Writer<'c, 't> {
        let mut writer = Writer { masks, panels, ..Writer::of_copy(tile, reduced, first) };
        for (number, result) in tile.results.iter().enumerate() {
            let ty = self.result_type(tile, result);
            for row in 0..tile.n_rows {
                for vector in 0..tile.n_vectors {
                    let (address, original) = self.result_address(&writer, result, (row, vector), ty);
                    let mask = writer.masks.as_ref().map(|masks| masks.points[row as usize][vector as usize]);
                    let ty = self.b.vector_type(ty, tile.lanes);
                    let loaded = self.vector_load(ty, address, mask, original, result.array);
                    writer.results.insert((number, row, vector), loaded);
                }
            }
        }
        for (run, (_, parts)) in tile.runs.iter().enumerate() {
            for (position, part) in parts.iter().enumerate() {
                let Part::Load { moves, .. } = part else { continue };
                let (rows, vectors) =
                    (if moves.row { tile.n_rows } else { 1 }, if moves.column { tile.n_vectors } else { 1 });
                for (row, vector) in (0..rows).flat_map(|r| (0..vectors).map(move |v| (r, v))) {
                    if !moves.reduced {
                        self.tile_value(&mut writer, (run, position), row, vector);
                    }
                }
            }
        }
        writer
    }

    fn result_type(&self, tile: &Tile<'_>, result: &Location) -> Type<'c> {
        let (run, position, _) = result.at;
        let instr = &self.prepared.scop.statements[tile.runs[run].0.statement].body[position];
        self.prepared.value(instr.operands[0].value).ty()
    }

    /// The address of a result, and the original store.
    fn result_address(
        &mut self,
        writer: &Writer<'c, '_>,
        result: &Location,
        (row, vector): (u32, u32),
        ty: Type<'c>,
    ) -> (Value<'c>, ValueId) {
        let (run, position, access) = result.at;
        let prepared = self.prepared;
        let run = writer.tile.runs[run].0;
        let instr = &prepared.scop.statements[run.statement].body[position];
        let instance = self.tile_instance(writer, run, row, vector * writer.tile.lanes);
        (self.emit_address(instr, access, ty, &instance), instr.value)
    }

    fn end_tile(&mut self, writer: &Writer<'c, '_>) {
        for (&(number, row, vector), &value) in &writer.results {
            let result = &writer.tile.results[number];
            let ty = self.result_type(writer.tile, result);
            let (address, original) = self.result_address(writer, result, (row, vector), ty);
            match &writer.masks {
                None => {
                    let store = self.b.store(value, address);
                    builder::set_alignment(store, self.prepared.arrays[result.array].alignment);
                    self.mark_tile_access(store, original, result.array);
                }
                Some(masks) => {
                    let mask = masks.points[row as usize][vector as usize];
                    let alignment = self.prepared.arrays[result.array].alignment;
                    let store = self.b.masked_store(value, address, mask, alignment);
                    self.mark_tile_access(store, original, result.array);
                }
            }
        }
    }

    /// Loads a vector, or those lanes of it for which the mask is true.
    fn vector_load(
        &mut self,
        ty: Type<'c>,
        address: Value<'c>,
        mask: Option<Value<'c>>,
        original: ValueId,
        array: usize,
    ) -> Value<'c> {
        let alignment = self.prepared.arrays[array].alignment;
        let load = match mask {
            None => {
                let load = self.b.load(ty, address, "");
                builder::set_alignment(load, alignment);
                load
            }
            Some(mask) => self.b.masked_load(ty, address, mask, alignment),
        };
        self.mark_tile_access(load, original, array);
        load
    }

    /// Metadata of a vector access made from an access of one element.
    fn mark_tile_access(&mut self, access: Value<'c>, original: ValueId, array: usize) {
        let original = self.prepared.bindings.values.get(original.index()).copied();
        let original = original.filter(|o| matches!(o.opcode(), Some(Opcode::Load | Opcode::Store)));
        if let Some(types) = original.and_then(|o| o.metadata("tbaa")) {
            access.set_metadata("tbaa", types);
        }
        self.mark_access(access, array);
    }

    /// The instance of a point of the tile.
    fn tile_instance(&mut self, writer: &Writer<'c, '_>, run: &Run, row: u32, column: u32) -> Instance<'c, 'c> {
        let column = self.beside(writer.first.1, column);
        self.instance_at(writer, run, row, column)
    }

    /// The value that is larger by a distance.
    pub(crate) fn beside(&self, first: Value<'c>, distance: u32) -> Value<'c> {
        match distance {
            0 => first,
            _ => self.b.arithmetic(Op::Add, first, self.b.int(64, i128::from(distance)), true),
        }
    }

    /// The instance of a row of the tile and any column.
    fn instance_at(&mut self, writer: &Writer<'c, '_>, run: &Run, row: u32, column: Value<'c>) -> Instance<'c, 'c> {
        let tile = writer.tile;
        if let Some(rows) = tile.rows {
            self.iters[rows.iter] = Some(self.beside(writer.first.0, row));
        }
        self.iters[tile.columns.iter] = Some(column);
        let coordinates = run.coordinates.iter().map(|f| self.emit_form(f)).collect();
        let ranges = self.prepared.coordinate_ranges(run);
        if let Some(rows) = tile.rows {
            self.iters[rows.iter] = None;
        }
        self.iters[tile.columns.iter] = None;
        Instance { statement: run.statement, loops: &[], coordinates, ranges, locals: Vec::new() }
    }

    /// Writes the statements for the lanes of one vector.
    fn emit_point(&mut self, writer: &mut Writer<'c, '_>, row: u32, vector: u32) {
        let tile = writer.tile;
        for (number, (run, parts)) in tile.runs.iter().enumerate() {
            for (position, part) in parts.iter().enumerate() {
                match *part {
                    Part::Update(result) => {
                        let operand = self.prepared.scop.statements[run.statement].body[position].operands[0];
                        let value = self.tile_operand(writer, number, operand, row, vector);
                        let value = self.as_vector(writer, value);
                        writer.results.insert((result, row, vector), value);
                    }
                    Part::Result(result) => {
                        let value = writer.results[&(result, row, vector)];
                        writer.known.insert((number, position, row, vector), value);
                    }
                    Part::Load { .. } | Part::Compute(_) => {
                        self.tile_value(writer, (number, position), row, vector);
                    }
                }
            }
        }
    }

    /// The value of an instruction: a vector if it depends on columns, else a scalar.
    fn tile_value(
        &mut self,
        writer: &mut Writer<'c, '_>,
        (number, position): (usize, usize),
        row: u32,
        vector: u32,
    ) -> Value<'c> {
        let (run, parts) = &writer.tile.runs[number];
        let (run, part): (&Run, Part) = (run, parts[position]);
        let moves = part.moves();
        let row = if moves.row { row } else { 0 };
        let vector = if moves.column { vector } else { 0 };
        let key = (number, position, row, vector);
        if let Some(&known) = writer.known.get(&key) {
            return known;
        }
        let prepared = self.prepared;
        let instr = &prepared.scop.statements[run.statement].body[position];
        let value = match part {
            Part::Load { .. } if writer.panels.as_ref().is_some_and(|panels| panels.of(number, position).is_some()) => {
                self.packed_load(writer, (number, position), vector)
            }
            Part::Load { contiguous, .. } => self.tile_load(writer, run, instr, (row, vector), moves, contiguous),
            Part::Compute(_) => self.tile_compute(writer, number, instr, (row, vector), moves.column),
            Part::Result(_) | Part::Update(_) => unreachable!("results are known by point"),
        };
        writer.known.insert(key, value);
        value
    }

    /// A vector from the copy.
    fn packed_load(&mut self, writer: &Writer<'c, '_>, (run, position): (usize, usize), vector: u32) -> Value<'c> {
        let panels = writer.panels.as_ref().expect("there is a copy");
        let counter = self.iters[writer.reduced].expect("the reduced loop has a counter");
        let address = self.panel_address(panels, writer.tile, (run, position), vector, counter);
        let instr = &self.prepared.scop.statements[writer.tile.runs[run].0.statement].body[position];
        let ty = self.b.vector_type(self.prepared.value(instr.value).ty(), writer.tile.lanes);
        let load = self.b.load(ty, address, "");
        builder::set_alignment(load, pack::panel_alignment(writer.tile, panels, (run, position)));
        load
    }

    /// A vector of an operand from where the source has it.
    pub(crate) fn unpacked_vector(
        &mut self,
        writer: &Writer<'c, '_>,
        (run, position): (usize, usize),
        vector: u32,
    ) -> Value<'c> {
        let (run, part) = (writer.tile.runs[run].0, writer.tile.runs[run].1[position]);
        let Part::Load { moves, contiguous } = part else { unreachable!("operands are loaded") };
        let instr = &self.prepared.scop.statements[run.statement].body[position];
        self.tile_load(writer, run, instr, (0, vector), moves, contiguous)
    }

    /// The elements that an operand loads.
    pub(crate) fn operand_location(&self, tile: &Tile<'_>, number: usize, position: usize) -> Option<Location> {
        let run = tile.runs[number].0;
        let coordinates = run.coordinates.iter().map(Linear::of).collect::<Option<Vec<_>>>()?;
        let InstrKind::Read(access) = self.prepared.scop.statements[run.statement].body[position].kind else {
            return None;
        };
        self.location(run, &coordinates, (number, position, access.index()))
    }

    /// The bytes of what an operand loads.
    pub(crate) fn load_bytes(&self, tile: &Tile<'_>, (number, position): (usize, usize)) -> Option<u64> {
        let instr = &self.prepared.scop.statements[tile.runs[number].0.statement].body[position];
        self.prepared.cx.alloc_size(self.prepared.value(instr.value).ty())
    }

    fn tile_load(
        &mut self,
        writer: &Writer<'c, '_>,
        run: &Run,
        instr: &Instr,
        (row, vector): (u32, u32),
        moves: Moves,
        contiguous: bool,
    ) -> Value<'c> {
        let InstrKind::Read(access) = instr.kind else { unreachable!("loads are reads") };
        let lanes = writer.tile.lanes;
        let array = self.prepared.scop.statements[run.statement].accesses[access.index()].array.index();
        let element = self.prepared.value(instr.value).ty();
        let masks = writer.masks.as_ref();
        if !moves.column {
            let instance = self.tile_instance(writer, run, row, 0);
            let mut address = self.emit_address(instr, access.index(), element, &instance);
            // What a row without points would read is not read.
            if let Some(masks) = masks {
                let rows = if moves.row { masks.rows.get(row as usize..=row as usize) } else { Some(&masks.rows[..]) };
                let has_points = rows.unwrap_or_default().iter().copied();
                if let Some(some) = has_points.reduce(|a, b| self.b.arithmetic(Op::Or, a, b, false)) {
                    address = self.b.select(some, address, self.zeros());
                }
            }
            return self.vector_load(element, address, None, instr.value, array);
        }
        let ty = self.b.vector_type(element, lanes);
        if contiguous {
            let instance = self.tile_instance(writer, run, row, vector * lanes);
            let address = self.emit_address(instr, access.index(), element, &instance);
            if masks.is_none() && moves.reduced && !moves.row {
                self.prefetch(writer, run, instr, access.index(), (row, vector), element);
            }
            let mask = masks.map(|masks| match moves.row {
                true => masks.points[row as usize][vector as usize],
                false => masks.columns[vector as usize],
            });
            return self.vector_load(ty, address, mask, instr.value, array);
        }
        let mut result = self.b.poison(ty);
        for lane in 0..lanes {
            let mut column = self.beside(writer.first.1, vector * lanes + lane);
            if let Some(masks) = masks {
                // Lanes without a point read what the last column reads.
                column = self.b.intrinsic("llvm.smin", &[column.ty()], &[column, masks.last]);
            }
            let instance = self.instance_at(writer, run, row, column);
            let address = self.emit_address(instr, access.index(), element, &instance);
            let one = self.vector_load(element, address, None, instr.value, array);
            result = self.b.insert_element(result, one, lane);
        }
        result
    }

    /// Prefetches the vector that a later iteration of the reduced loop loads. The rows of a matrix are too far apart for the hardware to
    /// see that they follow one another.
    fn prefetch(
        &mut self,
        writer: &Writer<'c, '_>,
        run: &Run,
        instr: &Instr,
        access: usize,
        (row, vector): (u32, u32),
        element: Type<'c>,
    ) {
        let Some(now) = self.iters[writer.reduced] else { return };
        self.iters[writer.reduced] = Some(self.beside(now, PREFETCH));
        let instance = self.tile_instance(writer, run, row, vector * writer.tile.lanes);
        let address = self.emit_address(instr, access, element, &instance);
        self.iters[writer.reduced] = Some(now);
        let numbers = [0, 3, 1].map(|number| self.b.int(32, number));
        self.b.intrinsic("llvm.prefetch", &[address.ty()], &[address, numbers[0], numbers[1], numbers[2]]);
    }

    /// The address of a constant of bytes zero, as many as a value of a tile has.
    fn zeros(&self) -> Value<'c> {
        self.b.private_constant("poly.zeros", self.b.int(64, 0), 8)
    }

    fn tile_compute(
        &mut self,
        writer: &mut Writer<'c, '_>,
        number: usize,
        instr: &Instr,
        (row, vector): (u32, u32),
        is_vector: bool,
    ) -> Value<'c> {
        if !is_vector {
            let mut instance = Instance::outside();
            instance.statement = writer.tile.runs[number].0.statement;
            for operand in instr.operands.iter().filter(|o| o.kind == OperandKind::Local) {
                let value = self.tile_operand(writer, number, *operand, row, vector);
                instance.locals.push((operand.value, value));
            }
            return self.emit_copy(instr, &instance);
        }
        let original = self.prepared.value(instr.value);
        let mut arguments = original.operands();
        if original.is_call() {
            arguments.pop();
        }
        let mut operands = Vec::new();
        for argument in arguments {
            let named = instr.operands.iter().find(|o| self.prepared.value(o.value) == argument).copied();
            let value = match named {
                Some(operand) => self.tile_operand(writer, number, operand, row, vector),
                None => self.import(argument),
            };
            operands.push(self.as_vector(writer, value));
        }
        let wide = self.b.widen(original, &operands, writer.tile.lanes);
        self.forget_order(wide, writer.tile.runs[number].0.statement, instr.value);
        wide
    }

    fn tile_operand(
        &mut self,
        writer: &mut Writer<'c, '_>,
        number: usize,
        operand: Operand,
        row: u32,
        vector: u32,
    ) -> Value<'c> {
        if operand.kind != OperandKind::Local {
            return self.import(self.prepared.value(operand.value));
        }
        let run = writer.tile.runs[number].0;
        let body = &self.prepared.scop.statements[run.statement].body;
        let position = body.iter().position(|i| i.value == operand.value && !is_write(i));
        let position = position.expect("bodies use what they have defined");
        match writer.tile.runs[number].1[position] {
            Part::Result(_) => writer.known[&(number, position, row, vector)],
            _ => self.tile_value(writer, (number, position), row, vector),
        }
    }

    /// The value in all lanes, unless it is a vector already.
    fn as_vector(&mut self, writer: &mut Writer<'c, '_>, value: Value<'c>) -> Value<'c> {
        if value.ty().kind() == poly_shim::ir::TypeKind::Vector {
            return value;
        }
        if let Some(&known) = writer.splats.get(&value) {
            return known;
        }
        let splat = self.b.splat(value, writer.tile.lanes);
        writer.splats.insert(value, splat);
        splat
    }

    /// The function may use vectors of this width although others are preferred for the target.
    pub(crate) fn allow_wide_vectors(&self, tile: &Tile<'_>) {
        const ATTRIBUTE: &str = "min-legal-vector-width";
        let bytes = tile.results.iter().map(|r| self.prepared.cx.alloc_size(self.result_type(tile, r)).unwrap_or(8));
        let bits = 8 * u64::from(tile.lanes) * bytes.max().unwrap_or(8);
        let function = self.frame.function;
        let allowed = function.function_attribute(ATTRIBUTE).and_then(|text| text.parse::<u64>().ok());
        if allowed.is_some_and(|allowed| allowed < bits) {
            function.set_function_attribute(ATTRIBUTE, &bits.to_string());
        }
    }
}
