//! Full register tiles as vector code.
//!
//! # Input
//! A loop over the reduced member that carries the mark
//! [`Mark::RegisterTile`](poly_schedule_tree::Mark), in it loops over rows and columns with
//! constant trip counts, in those instances of statements. [`poly_schedule_tree::RegisterTile`]
//! says which accesses touch elements that are different for every point of the tile, do not depend
//! on the reduced member and are touched by nothing else in the loop: the *results*.
//!
//! # Output
//! Full tiles, whose loops have constant trip counts:
//! ```text
//!   preheader:  results = vector loads; what the reduced member does not change
//!   header:     results = phi;  for every row and vector: the statements, lane by lane of the columns
//!   done:       vector stores of the results
//! ```
//!
//! Values that do not depend on columns are computed once for each row, as scalars; those that do
//! not depend on rows once for each vector. Each point of the tile executes the same operations on
//! the same operands in the same order as before.
//!
//! Vectors that move along the reduced member are prefetched some iterations ahead: rows of a
//! matrix are pages apart, and the hardware does not see that one follows the other (6 to 9 percent
//! of products of 1000 x 1000 matrices).
//!
//! [`crate::partial`] writes partial tiles in the same way, with masks. A loop that does not have
//! this form (a type that vectors do not hold, bounds that move with the reduced member) is written
//! as any other loop.

use indexmap::IndexMap;
use poly_scop::{Instr, InstrKind, Operand, OperandKind, ValueId};
use poly_shim::ir::Opcode;

use crate::builder::{self, Block, Compare, Op, Type, Value};
use crate::code::{Loop, Run};
use crate::generator::Generator;
use crate::linear::Linear;
use crate::loops::Bounds;
use crate::pack::Panels;
use crate::statement::Instance;
use crate::tile::{Location, Masks, Moves, Part, Tile, is_write};
use crate::transpose::Place;

/// A part of the iterations of the reduced member.
struct Stretch<'a> {
    /// Operands that are loaded for a block of iterations at a time; none if iterations are
    /// executed one by one.
    squares: &'a [Place],
    /// It has iterations.
    is_entered: bool,
}

/// The state of writing a tile.
#[derive(Clone)]
pub(crate) struct Writer<'c, 't> {
    pub(crate) tile: &'t Tile<'t>,
    /// The first row and the first column.
    pub(crate) first: (Value<'c>, Value<'c>),
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
    /// The addresses of the first column, by run, instruction and row, where they are known, and
    /// the distance of the columns to be written from it.
    starts: IndexMap<(usize, usize, u32), Value<'c>>,
    distance: Option<Value<'c>>,
    /// Loads, by run, instruction and row, of what another one before them loads.
    same: IndexMap<(usize, usize, u32), (usize, usize, u32)>,
    /// What whole loops have left behind, by run and instruction, and by original value.
    left: IndexMap<(usize, usize), IndexMap<Value<'c>, Value<'c>>>,
}

impl<'c, 't> Writer<'c, 't> {
    /// For what is loaded as the source says.
    pub(crate) fn of_copy(tile: &'t Tile<'t>, reduced: usize, first: (Value<'c>, Value<'c>)) -> Self {
        let (known, splats, results) = (IndexMap::new(), IndexMap::new(), IndexMap::new());
        let (starts, same, left) = (IndexMap::new(), IndexMap::new(), IndexMap::new());
        let (masks, panels, distance) = (None, None, None);
        Self { tile, first, reduced, masks, panels, known, splats, results, starts, distance, same, left }
    }

    /// Keeps what a whole loop has left behind.
    pub(crate) fn set_left(&mut self, at: (usize, usize), values: IndexMap<Value<'c>, Value<'c>>) {
        self.left.insert(at, values);
    }

    /// What a whole loop has left behind as the value.
    pub(crate) fn left(&self, run: usize, position: usize, original: Value<'c>) -> Value<'c> {
        self.left[&(run, position)][&original]
    }

    /// The distance of the columns to be written from the first one.
    pub(crate) fn distance(&self) -> Option<Value<'c>> {
        self.distance
    }

    /// Keeps the value of an instruction for a vector.
    pub(crate) fn set_value(&mut self, (run, position): (usize, usize), vector: u32, value: Value<'c>) {
        self.known.insert((run, position, 0, vector), value);
    }

    /// The points of a partial tile.
    pub(crate) fn masks(&self) -> Option<&Masks<'c>> {
        self.masks.as_ref()
    }

    /// An operand is in the copy.
    pub(crate) fn is_packed(&self, (run, position): Place) -> bool {
        self.panels.as_ref().is_some_and(|panels| panels.of(run, position).is_some())
    }

    fn values_of_results(&self) -> Vec<Value<'c>> {
        self.results.values().copied().collect()
    }

    /// Keeps the address of the first column.
    pub(crate) fn set_start(&mut self, at: (usize, usize, u32), address: Value<'c>) {
        self.starts.insert(at, address);
    }

    /// The address of the first column, if it is kept.
    pub(crate) fn start(&self, at: (usize, usize, u32)) -> Option<Value<'c>> {
        self.starts.get(&at).copied()
    }

    /// A load takes the value of another one.
    pub(crate) fn set_same(&mut self, at: (usize, usize, u32), other: (usize, usize, u32)) {
        self.same.insert(at, other);
    }

    /// The load whose value a load takes, if there is one.
    pub(crate) fn same(&self, at: (usize, usize, u32)) -> Option<(usize, usize, u32)> {
        self.same.get(&at).copied()
    }

    /// The same for columns at this distance from the first ones; the addresses of what moves with
    /// the columns are those that are kept.
    pub(crate) fn at_distance(&self, distance: Value<'c>) -> Self {
        Self { distance: Some(distance), ..self.clone() }
    }

    /// The same for some points of the vectors; nothing else is accessed.
    pub(crate) fn with_masks(self, masks: Masks<'c>) -> Self {
        Self { masks: Some(masks), ..self }
    }

    /// The same for vectors with another number of lanes; nothing that moves with the columns is
    /// known yet.
    pub(crate) fn for_tile<'n>(&self, tile: &'n Tile<'n>) -> Writer<'c, 'n>
    where
        't: 'n,
    {
        debug_assert!(self.splats.is_empty() && self.results.is_empty(), "vectors of another number of lanes");
        Writer { tile, ..self.clone() }
    }
}

/// Writing.
impl<'c> Generator<'c, '_> {
    /// Writes a full tile; the builder is behind it afterwards.
    pub(crate) fn emit_register_tile(&mut self, l: &Loop, bounds: Bounds<'c>, tile: &Tile<'_>) {
        self.emit_in_place_of(l, bounds, |g, counter| {
            let first_row = match tile.rows {
                Some(rows) => g.emit_form(&rows.lower),
                None => g.b.int(64, 0),
            };
            let first = (first_row, g.emit_form(&tile.columns.lower));
            match g.packing_of_tile(l) {
                Some(packing) => g.emit_packed_tile(l, counter, tile, first, packing),
                None => g.emit_reduced(l, counter, tile, first, None, None),
            }
        });
        self.allow_wide_vectors(tile);
    }

    /// Writes the reduced loop for the points of a tile, all of them or those of the masks. It runs
    /// at least once.
    pub(crate) fn emit_reduced(
        &mut self,
        l: &Loop,
        (lower, end): (Value<'c>, Value<'c>),
        tile: &Tile<'_>,
        first: (Value<'c>, Value<'c>),
        masks: Option<Masks<'c>>,
        panels: Option<Panels<'c>>,
    ) {
        self.iters[l.iter] = Some(lower);
        let mut writer = self.begin_tile(tile, l.iter, first, (masks, panels));
        let squares = self.square_operands(&writer, l.iter);
        let single = Stretch { squares: &[], is_entered: squares.is_empty() };
        let rest = match squares.is_empty() {
            true => lower,
            false => {
                let blocks = Stretch { squares: &squares, is_entered: false };
                self.emit_iterations(&mut writer, l, (lower, end), &blocks)
            }
        };
        self.iters[l.iter] = Some(rest);
        self.emit_iterations(&mut writer, l, (rest, end), &single);
        self.iters[l.iter] = Some(lower);
        self.end_tile(&writer);
    }

    /// Writes a loop over the iterations of the reduced member from the first one on: in blocks for
    /// operands in squares, as long as there are whole ones, or one by one. Gives the first
    /// iteration that is left. The builder is behind the loop afterwards.
    fn emit_iterations(
        &mut self,
        writer: &mut Writer<'c, '_>,
        l: &Loop,
        (first, end): (Value<'c>, Value<'c>),
        stretch: &Stretch<'_>,
    ) -> Value<'c> {
        let function = self.frame.function;
        let (step, names) = match stretch.squares {
            [] => (1, ["tile", "done"]),
            _ => (writer.tile.lanes, ["squares", "rest"]),
        };
        let [header, done] = names.map(|what| self.b.append_block(function, &format!("poly.c{}.{what}", l.iter)));
        let before = self.b.block();
        if stretch.is_entered {
            self.b.branch(header);
        } else {
            let runs = self.has_iterations((first, end), step);
            self.b.branch_if(runs, header, done);
        }
        self.b.at_end(header);
        let counter = self.b.phi(self.b.int_type(64), &format!("poly.c{}", l.iter));
        builder::add_incoming(counter, first, before);
        let entered = writer.values_of_results();
        let phis = self.merge_results(writer, &[(before, &entered)]);
        match stretch.squares {
            [] => self.emit_iteration(writer, l.iter, counter),
            squares => self.emit_squares(writer, l.iter, counter, squares),
        }
        let (left, latch) = (writer.values_of_results(), self.b.block());
        phis.iter().zip(&left).for_each(|(&phi, &result)| builder::add_incoming(phi, result, latch));
        let next = self.b.arithmetic(Op::Add, counter, self.b.int(64, i128::from(step)), true);
        let branch = self.b.branch_if(self.has_iterations((next, end), step), header, done);
        builder::add_incoming(counter, next, latch);
        let cx = self.prepared.cx;
        let properties = ["llvm.loop.mustprogress", "llvm.loop.unroll.disable"].map(|p| cx.md_property(p, &[]));
        branch.set_metadata("llvm.loop", cx.loop_id(&properties));
        self.b.at_end(done);
        if stretch.is_entered {
            return next;
        }
        let rest = self.b.phi(self.b.int_type(64), &format!("poly.c{}.left", l.iter));
        builder::add_incoming(rest, first, before);
        builder::add_incoming(rest, next, latch);
        self.merge_results(writer, &[(before, &entered), (latch, &left)]);
        rest
    }

    /// There is a block of so many iterations.
    pub(crate) fn has_iterations(&self, (first, end): (Value<'c>, Value<'c>), block: u32) -> Value<'c> {
        match block {
            1 => self.b.compare(Compare::LLVMIntSLT, first, end),
            _ => {
                let left = self.b.arithmetic(Op::Sub, end, first, true);
                self.b.compare(Compare::LLVMIntSGE, left, self.b.int(64, i128::from(block)))
            }
        }
    }

    /// PHI nodes for all results, with their values at some edges.
    fn merge_results(&self, writer: &mut Writer<'c, '_>, edges: &[(Block<'c>, &[Value<'c>])]) -> Vec<Value<'c>> {
        let merge = |(number, result): (usize, &mut Value<'c>)| {
            let phi = self.b.phi(result.ty(), "poly.result");
            edges.iter().for_each(|(edge, values)| builder::add_incoming(phi, values[number], *edge));
            *result = phi;
            phi
        };
        writer.results.values_mut().enumerate().map(merge).collect()
    }

    /// Writes all points of the tile for one iteration of the reduced member.
    fn emit_iteration(&mut self, writer: &mut Writer<'c, '_>, reduced: usize, counter: Value<'c>) {
        self.iters[reduced] = Some(counter);
        let before = (writer.known.clone(), writer.splats.clone());
        for row in 0..writer.tile.n_rows {
            for vector in 0..writer.tile.n_vectors {
                self.emit_point(writer, row, vector);
            }
        }
        (writer.known, writer.splats) = before;
    }

    /// The same for a block of iterations, as many as there are lanes, vector after vector.
    fn emit_squares(&mut self, writer: &mut Writer<'c, '_>, reduced: usize, counter: Value<'c>, squares: &[Place]) {
        let tile = writer.tile;
        let before = (writer.known.clone(), writer.splats.clone());
        // By iteration.
        let mut known = vec![before.0.clone(); tile.lanes as usize];
        for vector in 0..tile.n_vectors {
            self.iters[reduced] = Some(counter);
            for &at in squares {
                let loaded = self.load_square(writer, at, vector);
                for (known, value) in known.iter_mut().zip(loaded) {
                    known.insert((at.0, at.1, 0, vector), value);
                }
            }
            for (distance, known) in (0..).zip(&mut known) {
                self.iters[reduced] = Some(self.beside(counter, distance));
                std::mem::swap(&mut writer.known, known);
                (0..tile.n_rows).for_each(|row| self.emit_point(writer, row, vector));
                std::mem::swap(&mut writer.known, known);
            }
        }
        (writer.known, writer.splats) = before;
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

    pub(crate) fn result_type(&self, tile: &Tile<'_>, result: &Location) -> Type<'c> {
        let (run, position, _) = result.at;
        let instr = &self.prepared.scop.statements[tile.runs[run].0.statement].body[position];
        self.prepared.value(instr.operands[0].value).ty()
    }

    /// The address of a result, and the original store.
    pub(crate) fn result_address(
        &mut self,
        writer: &Writer<'c, '_>,
        result: &Location,
        (row, vector): (u32, u32),
        ty: Type<'c>,
    ) -> (Value<'c>, ValueId) {
        let (run, position, _) = result.at;
        let original = self.prepared.scop.statements[writer.tile.runs[run].0.statement].body[position].value;
        (self.contiguous_address(writer, (run, position), (row, vector), ty), original)
    }

    /// The address of the first lane of an access to neighbouring elements.
    pub(crate) fn contiguous_address(
        &mut self,
        writer: &Writer<'c, '_>,
        at: (usize, usize),
        (row, vector): (u32, u32),
        ty: Type<'c>,
    ) -> Value<'c> {
        if let (Some(start), Some(distance)) = (writer.start((at.0, at.1, row)), writer.distance) {
            return self.b.offset(ty, start, distance);
        }
        let prepared = self.prepared;
        let run = writer.tile.runs[at.0].0;
        let instr = &prepared.scop.statements[run.statement].body[at.1];
        let (InstrKind::Read(access) | InstrKind::Write(access)) = instr.kind else {
            unreachable!("reads and writes have addresses")
        };
        let instance = self.tile_instance(writer, run, row, vector * writer.tile.lanes);
        self.emit_address(instr, access.index(), ty, &instance)
    }

    fn end_tile(&mut self, writer: &Writer<'c, '_>) {
        for (&at, &value) in &writer.results {
            self.emit_result(writer, at, value);
        }
    }

    /// Stores a result by its number, row and vector.
    pub(crate) fn emit_result(
        &mut self,
        writer: &Writer<'c, '_>,
        (number, row, vector): (usize, u32, u32),
        value: Value<'c>,
    ) {
        let mask = writer.masks.as_ref().map(|masks| masks.points[row as usize][vector as usize]);
        self.emit_result_in_lanes(writer, (number, row, vector), value, mask);
    }

    /// The same for the lanes of a mask.
    pub(crate) fn emit_result_in_lanes(
        &mut self,
        writer: &Writer<'c, '_>,
        (number, row, vector): (usize, u32, u32),
        value: Value<'c>,
        mask: Option<Value<'c>>,
    ) {
        let result = &writer.tile.results[number];
        let ty = self.result_type(writer.tile, result);
        let (address, original) = self.result_address(writer, result, (row, vector), ty);
        let alignment = self.prepared.arrays[result.array].alignment;
        let store = match mask {
            None => {
                let store = self.b.store(value, address);
                builder::set_alignment(store, alignment);
                store
            }
            Some(mask) => self.b.masked_store(value, address, mask, alignment),
        };
        self.mark_tile_access(store, original, result.array);
    }

    /// Loads a vector, or those lanes of it for which the mask is true.
    pub(crate) fn vector_load(
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
    pub(crate) fn mark_tile_access(&mut self, access: Value<'c>, original: ValueId, array: usize) {
        let original = self.prepared.bindings.values.get(original.index()).copied();
        let is_temporary = self.prepared.scop.arrays[array].is_temporary();
        let original = original.filter(|o| !is_temporary && matches!(o.opcode(), Some(Opcode::Load | Opcode::Store)));
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
    pub(crate) fn instance_at(
        &mut self,
        writer: &Writer<'c, '_>,
        run: &Run,
        row: u32,
        column: Value<'c>,
    ) -> Instance<'c, 'c> {
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
        Instance { statement: run.statement, loops: &[], coordinates, ranges, locals: Vec::new(), copied: Vec::new() }
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
    pub(crate) fn tile_value(
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
        if let Some((number, position, row)) = writer.same((number, position, row)) {
            return self.tile_value(writer, (number, position), row, vector);
        }
        let prepared = self.prepared;
        let instr = &prepared.scop.statements[run.statement].body[position];
        let value = match part {
            Part::Load { .. } if writer.panels.as_ref().is_some_and(|panels| panels.of(number, position).is_some()) => {
                self.packed_load(writer, (number, position), vector)
            }
            Part::Load { contiguous, .. } => {
                self.tile_load(writer, (number, position), (row, vector), moves, contiguous)
            }
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
        builder::set_alignment(load, self.panel_alignment(writer.tile, panels, (run, position)));
        load
    }

    /// A vector of an operand from where the source has it.
    pub(crate) fn unpacked_vector(
        &mut self,
        writer: &Writer<'c, '_>,
        (run, position): (usize, usize),
        vector: u32,
    ) -> Value<'c> {
        let Part::Load { moves, contiguous } = writer.tile.runs[run].1[position] else {
            unreachable!("operands are loaded")
        };
        self.tile_load(writer, (run, position), (0, vector), moves, contiguous)
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
        at: (usize, usize),
        (row, vector): (u32, u32),
        moves: Moves,
        contiguous: bool,
    ) -> Value<'c> {
        let prepared = self.prepared;
        let run = writer.tile.runs[at.0].0;
        let instr = &prepared.scop.statements[run.statement].body[at.1];
        let InstrKind::Read(access) = instr.kind else { unreachable!("loads are reads") };
        let lanes = writer.tile.lanes;
        let array = self.prepared.scop.statements[run.statement].accesses[access.index()].array.index();
        let element = self.prepared.value(instr.value).ty();
        let masks = writer.masks.as_ref();
        if !moves.column {
            let instance = self.tile_instance(writer, run, row, 0);
            if prepared.scop.arrays[array].is_scalar() {
                return self.emit_read(instr, access.index(), &instance);
            }
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
            let address = self.contiguous_address(writer, at, (row, vector), element);
            if masks.is_none() && moves.reduced && !moves.row {
                self.prefetch(writer, run, instr, access.index(), (row, vector), element);
            }
            let mask = masks.map(|masks| match moves.row {
                true => masks.points[row as usize][vector as usize],
                false => masks.columns[vector as usize],
            });
            return self.vector_load(ty, address, mask, instr.value, array);
        }
        if lanes == 1 {
            let address = self.operand_address(writer, at, (row, vector), 0);
            return self.load_of_operand(writer, at, element, address);
        }
        let mut result = self.b.poison(ty);
        for lane in 0..lanes {
            let address = self.operand_address(writer, at, (row, vector), lane);
            let one = self.load_of_operand(writer, at, element, address);
            result = self.b.insert_element(result, one, lane);
        }
        result
    }

    /// The address of an operand for a lane of a vector of columns, in the current iteration of the
    /// reduced loop.
    pub(crate) fn operand_address(
        &mut self,
        writer: &Writer<'c, '_>,
        at: Place,
        (row, vector): (u32, u32),
        lane: u32,
    ) -> Value<'c> {
        let run = writer.tile.runs[at.0].0;
        let instr = &self.prepared.scop.statements[run.statement].body[at.1];
        let InstrKind::Read(access) = instr.kind else { unreachable!("loads are reads") };
        let mut column = self.beside(writer.first.1, vector * writer.tile.lanes + lane);
        if let Some(masks) = &writer.masks {
            // Lanes without a point read what the last column reads.
            column = self.b.intrinsic("llvm.smin", &[column.ty()], &[column, masks.last]);
        }
        let instance = self.instance_at(writer, run, row, column);
        self.emit_address(instr, access.index(), self.prepared.value(instr.value).ty(), &instance)
    }

    /// A load for an operand.
    pub(crate) fn load_of_operand(
        &mut self,
        writer: &Writer<'c, '_>,
        at: Place,
        ty: Type<'c>,
        address: Value<'c>,
    ) -> Value<'c> {
        let statement = &self.prepared.scop.statements[writer.tile.runs[at.0].0.statement];
        let instr = &statement.body[at.1];
        let InstrKind::Read(access) = instr.kind else { unreachable!("loads are reads") };
        self.vector_load(ty, address, None, instr.value, statement.accesses[access.index()].array.index())
    }

    /// Prefetches the vector that a later iteration of the reduced loop loads. The rows of a matrix
    /// are too far apart for the hardware to see that they follow one another.
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
        let ahead = u32::try_from(self.prepared.options.machine.prefetch.ahead_iterations).unwrap_or(0);
        self.iters[writer.reduced] = Some(self.beside(now, ahead));
        let instance = self.tile_instance(writer, run, row, vector * writer.tile.lanes);
        let address = self.emit_address(instr, access, element, &instance);
        self.iters[writer.reduced] = Some(now);
        self.prefetch_for_reading(address);
    }

    /// Asks for the line at an address, to be read and kept in all caches.
    pub(crate) fn prefetch_for_reading(&self, address: Value<'c>) {
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
        if !matches!(instr.kind, InstrKind::Compute { .. }) {
            return self.lane_step(writer, number, instr, vector);
        }
        if !is_vector || writer.tile.lanes == 1 {
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

    pub(crate) fn tile_operand(
        &mut self,
        writer: &mut Writer<'c, '_>,
        number: usize,
        operand: Operand,
        row: u32,
        vector: u32,
    ) -> Value<'c> {
        match operand.kind {
            OperandKind::Local => {}
            OperandKind::Constant | OperandKind::Invariant => return self.import(self.prepared.value(operand.value)),
            OperandKind::Synthesized => return self.lane_counters(writer, number, operand),
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
    pub(crate) fn as_vector(&mut self, writer: &mut Writer<'c, '_>, value: Value<'c>) -> Value<'c> {
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
        let bits = match self.executes_loops(tile) {
            true => 8 * u64::from(self.prepared.options.tile_vector_bytes),
            false => 8 * u64::from(tile.lanes) * bytes.max().unwrap_or(8),
        };
        let function = self.frame.function;
        let allowed = function.function_attribute(ATTRIBUTE).and_then(|text| text.parse::<u64>().ok());
        if allowed.is_some_and(|allowed| allowed < bits) {
            function.set_function_attribute(ATTRIBUTE, &bits.to_string());
        }
    }
}
