//! Innermost loops without dependences whose statements execute whole loops, as vector code.
//!
//! # Input
//! As for [`crate::vector_row`], but some statements execute loops as wholes, and there may be
//! conditions on data. [`poly_scop::lanes`] says which bodies have lanes; here types and addresses
//! are looked at.
//!
//! # Output
//! As for [`crate::vector_row`]: each vector of neighbouring points executes the loops in lanes
//! ([`crate::lane_loop`]). The last points of a row are one vector under a mask on every processor:
//! what loads and stores with masks cost is little beside a loop. No row has an aligned beginning,
//! which would be one more execution of the loops.
//!
//! # Operands
//! What is computed from loop counters is computed for every lane, and put together.

use poly_scop::lanes::{in_lanes, is_row_instruction, stores_under_conditions};
use poly_scop::{AccessId, Instr, InstrKind, Operand, OperandKind};
use poly_shim::ir::TypeKind;

use crate::builder::{self, Compare, Op, Value};
use crate::code::{Loop, Run, Step, Vector};
use crate::generator::Generator;
use crate::lane_guard::{LoopCycles, LoopWork};
use crate::lane_loop::{Inputs, Lanes, Row, is_lane_type};
use crate::linear::Linear;
use crate::non_affine;
use crate::register::Writer;
use crate::scev;
use crate::statement::Instance;
use crate::tile::{Moves, Part, Tile, moves_of_operands, only_runs};

/// What loads with a condition are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConditionalLoads {
    /// Values that are computed where their condition is known, not before the vectors or for
    /// several of them.
    Computed,
}

/// Recognition.
impl Generator<'_, '_> {
    /// What is computed in a loop whose points can execute whole loops in lanes.
    pub(crate) fn lane_row<'a>(&self, l: &'a Loop) -> Option<Tile<'a>> {
        let vector_bytes = self.prepared.options.tile_vector_bytes;
        let is_wanted = l.coincident && l.vector == Vector::Wanted && l.step == Step::ONE && !l.parallel;
        if !is_wanted {
            return None;
        }
        let mut tile =
            Tile { rows: None, columns: l, n_rows: 1, n_vectors: 1, lanes: 0, runs: Vec::new(), results: Vec::new() };
        let mut bytes = 4;
        for run in only_runs(&l.body)? {
            let statement = &self.prepared.scop.statements[run.statement];
            bytes = bytes.max(in_lanes(self.prepared.scop, statement)?.bytes);
            if !statement.body.iter().all(|instr| self.is_lane_instruction(instr)) {
                return None;
            }
            self.add_run_of_lanes(&mut tile, run, ConditionalLoads::Computed)?;
        }
        tile.lanes = vector_bytes / bytes;
        (tile.lanes >= 2 && !tile.results.is_empty()).then_some(tile)
    }

    /// What is computed in a loop that stores under conditions, where it is better to look at masks
    /// first. Without masked loads, nothing may be loaded under conditions.
    pub(crate) fn conditional_row<'a>(&self, l: &'a Loop) -> Option<Tile<'a>> {
        let options = &self.prepared.options;
        let is_wanted = l.coincident && l.vector == Vector::Wanted && l.step == Step::ONE && !l.parallel;
        if !is_wanted || !options.machine.looks_at_masks() {
            return None;
        }
        let mut tile =
            Tile { rows: None, columns: l, n_rows: 1, n_vectors: 1, lanes: 0, runs: Vec::new(), results: Vec::new() };
        let (mut bytes, mut some) = (4, false);
        for run in only_runs(&l.body)? {
            let statement = &self.prepared.scop.statements[run.statement];
            some |= stores_under_conditions(self.prepared.scop, statement).is_some();
            if !options.machine.vectors.masked_accesses && self.loads_under_conditions(run.statement) {
                return None;
            }
            if !statement.body.iter().all(|instr| is_row_instruction(instr) && self.is_lane_instruction(instr)) {
                return None;
            }
            let elements = statement.accesses.iter().map(|a| self.prepared.arrays[a.array.index()].element_bytes);
            bytes = elements.fold(bytes, |widest, bytes| widest.max(bytes));
            self.add_run_of_lanes(&mut tile, run, ConditionalLoads::Computed)?;
        }
        tile.lanes = options.tile_vector_bytes / Some(bytes).filter(|bytes| matches!(bytes, 4 | 8))?;
        (some && tile.lanes >= 2).then_some(tile)
    }

    /// Vectors hold its value.
    fn is_lane_instruction(&self, instr: &Instr) -> bool {
        let holds = |value| is_lane_type(self.prepared.value(value).ty());
        let is_known = |operand: &Operand| !self.prepared.value(operand.value).is_function();
        match instr.kind {
            // Operands may be addresses.
            InstrKind::Loop { .. } => true,
            InstrKind::Read(_) => holds(instr.value),
            InstrKind::Write(_) => instr.operands.iter().all(|operand| holds(operand.value)),
            InstrKind::Holds { .. } | InstrKind::Any => true,
            InstrKind::Result | InstrKind::Choose => holds(instr.value),
            _ => {
                let operands = instr.operands.iter();
                holds(instr.value) && operands.clone().all(is_known) && operands.clone().all(|o| holds(o.value))
            }
        }
    }

    fn add_run_of_lanes<'a>(&self, tile: &mut Tile<'a>, run: &'a Run, conditional: ConditionalLoads) -> Option<()> {
        let statement = &self.prepared.scop.statements[run.statement];
        let coordinates = run.coordinates.iter().map(Linear::of).collect::<Option<Vec<_>>>()?;
        let mut parts: Vec<Part> = Vec::new();
        for (position, instr) in statement.body.iter().enumerate() {
            let part = match instr.kind {
                // A place of the frame, which may be read whatever the condition is.
                InstrKind::Read(access) if self.is_scalar_access(run.statement, access) => {
                    Part::Load { moves: Moves::default(), contiguous: false }
                }
                InstrKind::Read(access) | InstrKind::Write(access) => {
                    let part = self.part_of_access(tile, (run, &coordinates), (position, access))?;
                    let is_computed = conditional == ConditionalLoads::Computed && instr.predicate.is_some();
                    match part {
                        Part::Load { .. } if is_computed => Part::Compute(Moves { column: true, ..Moves::default() }),
                        part => part,
                    }
                }
                _ => {
                    let is_computed = |o: &Operand| o.kind == OperandKind::Synthesized;
                    let is_own = matches!(instr.kind, InstrKind::Loop { .. } | InstrKind::Result);
                    let moves = Moves { column: is_own || instr.operands.iter().any(is_computed), ..Moves::default() };
                    Part::Compute(moves.or(moves_of_operands(statement, instr, &parts)))
                }
            };
            parts.push(part);
        }
        tile.runs.push((run, parts));
        Some(())
    }

    fn loads_under_conditions(&self, statement: usize) -> bool {
        let is_load = |instr: &Instr| match instr.kind {
            InstrKind::Read(access) => !self.is_scalar_access(statement, access),
            _ => false,
        };
        self.prepared.scop.statements[statement].body.iter().any(|i| i.predicate.is_some() && is_load(i))
    }

    fn is_scalar_access(&self, statement: usize, access: AccessId) -> bool {
        let scop = self.prepared.scop;
        scop.arrays[scop.statements[statement].accesses[access.index()].array.index()].is_scalar()
    }

    /// Whether points of a tile execute whole loops.
    pub(crate) fn executes_loops(&self, tile: &Tile<'_>) -> bool {
        let body = |run: &Run| self.prepared.scop.statements[run.statement].body.iter();
        tile.runs.iter().any(|(run, _)| body(run).any(|instr| matches!(instr.kind, InstrKind::Loop { .. })))
    }
}

/// Writing.
impl<'c> Generator<'c, '_> {
    /// The value of an instruction that is no operation of the source, for a vector of lanes; rows
    /// with whole loops have one.
    pub(crate) fn lane_step(
        &mut self,
        writer: &mut Writer<'c, '_>,
        number: usize,
        instr: &Instr,
        vector: u32,
    ) -> Value<'c> {
        match instr.kind {
            InstrKind::Loop { .. } => self.emit_loop_of_lanes(writer, number, instr),
            InstrKind::Read(access) => self.emit_conditional_load(writer, number, instr, access),
            InstrKind::Result => {
                let of = instr.operands[0].value;
                let position = self.body_of(writer, number).iter().position(|i| i.value == of);
                let position = position.expect("a loop comes before its results");
                self.tile_value(writer, (number, position), 0, 0);
                writer.left(number, position, self.prepared.value(instr.value))
            }
            InstrKind::Holds { inverted } => {
                let values = self.lane_operands(writer, number, instr, vector);
                let (&last, first) = values.split_last().expect("there is something that holds");
                let last = if inverted { self.b.not(last) } else { last };
                // Not `and`: the last one may be poison where the first is false.
                first.first().map_or(last, |&first| self.b.select(first, last, self.b.null(last.ty())))
            }
            InstrKind::Matches { ref cases, inverted } => {
                let values = self.lane_operands(writer, number, instr, vector);
                let (&last, first) = values.split_last().expect("there is something to compare");
                let bits = self.prepared.value(instr.operands[values.len() - 1].value).ty().integer_bits();
                let bits = bits.expect("cases are integers");
                let case = |case: &i128| self.b.splat(self.b.int(bits, *case), writer.tile.lanes);
                let is = |number: &i128| self.b.compare(Compare::LLVMIntEQ, last, case(number));
                let any = cases.iter().map(is).reduce(|a, b| self.b.arithmetic(Op::Or, a, b, false));
                let any = any.unwrap_or_else(|| self.b.splat(self.b.bool(false), writer.tile.lanes));
                let holds = if inverted { self.b.not(any) } else { any };
                first.first().map_or(holds, |&first| self.b.select(first, holds, self.b.null(holds.ty())))
            }
            InstrKind::Any => {
                let values = self.lane_operands(writer, number, instr, vector);
                let either = |a: Value<'c>, b| {
                    let every = self.b.splat(self.b.bool(true), writer.tile.lanes);
                    self.b.select(a, every, b)
                };
                values.into_iter().reduce(either).expect("there is a way to every block")
            }
            InstrKind::Choose => {
                let mut values = self.lane_operands(writer, number, instr, vector);
                let mut result = values.pop().expect("there is a last choice");
                while let (Some(value), Some(condition)) = (values.pop(), values.pop()) {
                    result = self.b.select(condition, value, result);
                }
                result
            }
            _ => unreachable!("recognition has refused what has no lanes"),
        }
    }

    fn body_of(&self, writer: &Writer<'c, '_>, number: usize) -> &'_ [Instr] {
        &self.prepared.scop.statements[writer.tile.runs[number].0.statement].body
    }

    /// The operands, each as a vector.
    fn lane_operands(
        &mut self,
        writer: &mut Writer<'c, '_>,
        number: usize,
        instr: &Instr,
        vector: u32,
    ) -> Vec<Value<'c>> {
        let mut values = Vec::new();
        for &operand in &instr.operands {
            let value = self.tile_operand(writer, number, operand, 0, vector);
            values.push(self.as_vector(writer, value));
        }
        values
    }

    /// Executes a whole loop; keeps what it leaves behind. The value stands for the execution,
    /// nobody looks at it.
    fn emit_loop_of_lanes(&mut self, writer: &mut Writer<'c, '_>, number: usize, instr: &Instr) -> Value<'c> {
        let terminator = self.prepared.value(instr.value);
        let part = non_affine::of(&self.prepared.bindings.subregions, terminator);
        let part = part.expect("preparation has found the loop").clone();
        let mut inputs = Inputs::default();
        for &operand in &instr.operands {
            let original = self.prepared.value(operand.value);
            if original.ty().is_pointer()
                && operand.kind == OperandKind::Synthesized
                && let Some(bytes) = self.bytes_between_lanes(writer, number, operand)
            {
                let first = self.lane_counter(writer, number, operand, 0);
                inputs.rows.insert(original, Row { first, bytes });
            }
            let value = self.tile_operand(writer, number, operand, 0, 0);
            inputs.values.insert(original, value);
        }
        let lanes = self.lanes_of(writer, number, instr);
        let left = self.emit_lane_loop(&part, inputs, lanes);
        let position = self.body_of(writer, number).iter().position(|i| i.value == instr.value);
        writer.set_left((number, position.expect("the instruction is in its body")), left);
        self.b.bool(true)
    }

    /// Loads for the lanes that a condition holds for: neighbouring elements, or one element if
    /// that is the same for all.
    fn emit_conditional_load(
        &mut self,
        writer: &mut Writer<'c, '_>,
        number: usize,
        instr: &Instr,
        access: AccessId,
    ) -> Value<'c> {
        let (active, _) = self.active_lanes(writer, number, instr);
        let (run, prepared) = (writer.tile.runs[number].0, self.prepared);
        let element = prepared.value(instr.value).ty();
        let array = prepared.scop.statements[run.statement].accesses[access.index()].array.index();
        let position = self.body_of(writer, number).iter().position(|i| i.value == instr.value);
        let location = self.operand_location(writer.tile, number, position.expect("it is in its body"));
        let columns = writer.tile.columns.iter;
        let is_row = location.is_some_and(|location| self.is_contiguous(&location, instr.value, columns));
        let column = self.first_column(writer);
        let instance = self.instance_at(writer, run, 0, column);
        if is_row {
            let address = self.emit_address(instr, access.index(), element, &instance);
            let ty = self.b.vector_type(element, writer.tile.lanes);
            return self.vector_load(ty, address, Some(active), instr.value, array);
        }
        let some = self.b.intrinsic("llvm.vector.reduce.or", &[active.ty()], &[active]);
        let before = self.b.block();
        let (loaded, end) = self.emit_when(some, |g| {
            let address = g.emit_address(instr, access.index(), element, &instance);
            (g.vector_load(element, address, None, instr.value, array), g.b.block())
        });
        let value = self.b.phi(element, "");
        builder::add_incoming(value, loaded, end);
        builder::add_incoming(value, self.b.null(element), before);
        value
    }

    /// Stores a vector in the lanes that a condition holds for. Where masks of stores are slow, it
    /// looks at the mask first: mostly all lanes are stored, or none.
    pub(crate) fn emit_conditional_store(
        &mut self,
        writer: &mut Writer<'c, '_>,
        (number, instr): (usize, &Instr),
        result: usize,
        value: Value<'c>,
    ) {
        let (active, _) = self.active_lanes(writer, number, instr);
        if writer.masks().is_some() {
            self.emit_result_in_lanes(writer, (result, 0, 0), value, Some(active));
            return;
        }
        let function = self.frame.function;
        let [all, some, part, after] =
            ["all", "some", "part", "stored"].map(|what| self.b.append_block(function, &format!("poly.{what}")));
        let is_all = self.b.intrinsic("llvm.vector.reduce.and", &[active.ty()], &[active]);
        self.b.branch_if(is_all, all, some);
        self.b.at_end(all);
        self.emit_result_in_lanes(writer, (result, 0, 0), value, None);
        self.b.branch(after);
        self.b.at_end(some);
        let is_some = self.b.intrinsic("llvm.vector.reduce.or", &[active.ty()], &[active]);
        self.b.branch_if(is_some, part, after);
        self.b.at_end(part);
        self.emit_result_in_lanes(writer, (result, 0, 0), value, Some(active));
        self.b.branch(after);
        self.b.at_end(after);
    }

    /// The column of the first lane.
    fn first_column(&self, writer: &Writer<'c, '_>) -> Value<'c> {
        match writer.distance() {
            Some(distance) => self.b.arithmetic(Op::Add, writer.first.1, distance, true),
            None => writer.first.1,
        }
    }

    /// The lanes that execute an instruction, and whether all of them do.
    fn active_lanes(&mut self, writer: &mut Writer<'c, '_>, number: usize, instr: &Instr) -> (Value<'c>, bool) {
        let count = writer.tile.lanes;
        let points = writer.masks().map(|masks| masks.points[0][0]);
        let predicate = instr.predicate.map(|value| {
            let predicate = Operand { value, kind: OperandKind::Local };
            let value = self.tile_operand(writer, number, predicate, 0, 0);
            self.as_vector(writer, value)
        });
        let active = match (points, predicate) {
            (Some(points), Some(predicate)) => self.b.select(points, predicate, self.b.null(points.ty())),
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => self.b.splat(self.b.bool(true), count),
        };
        (active, points.is_none() && predicate.is_none())
    }

    /// The lanes that execute a loop.
    fn lanes_of(&mut self, writer: &mut Writer<'c, '_>, number: usize, instr: &Instr) -> Lanes<'c> {
        let count = writer.tile.lanes;
        let (active, all) = self.active_lanes(writer, number, instr);
        Lanes { count, active, all, cycles: self.loop_cycles(instr, count) }
    }

    /// What the loop takes: the operations of an iteration, or those that wait for each other. In
    /// lanes, what is done with masks comes to it.
    fn loop_cycles(&self, instr: &Instr, lanes: u32) -> LoopCycles {
        let machine = &self.prepared.options.machine;
        let InstrKind::Loop { operations, lanes: Some(lane_loop), .. } = instr.kind else {
            unreachable!("the loop has lanes")
        };
        let each = |of_all: f64| of_all / f64::from(lane_loop.iterations.max(1));
        let work = LoopWork {
            operations: each(f64::from(operations)),
            mask_operations: each(f64::from(lane_loop.mask_operations)),
            chain: each(lane_loop.chain.cycles(machine)),
        };
        LoopCycles::new(machine, lanes, work)
    }

    /// What is computed from loop counters: a vector, or a scalar if it is the same in all lanes.
    pub(crate) fn lane_counters(&mut self, writer: &Writer<'c, '_>, number: usize, operand: Operand) -> Value<'c> {
        let lanes: Vec<Value<'c>> =
            (0..writer.tile.lanes).map(|lane| self.lane_counter(writer, number, operand, lane)).collect();
        if lanes.iter().all(|&value| value == lanes[0]) {
            return lanes[0];
        }
        let mut result = self.b.poison(self.b.vector_type(lanes[0].ty(), writer.tile.lanes));
        for (lane, value) in (0..).zip(lanes) {
            result = self.b.insert_element(result, value, lane);
        }
        debug_assert_eq!(result.ty().kind(), TypeKind::Vector, "there are several lanes");
        result
    }

    /// The same in one lane.
    fn lane_counter(&mut self, writer: &Writer<'c, '_>, number: usize, operand: Operand, lane: u32) -> Value<'c> {
        let prepared = self.prepared;
        let run = writer.tile.runs[number].0;
        let code = &prepared.statements[run.statement];
        let column = self.beside(self.first_column(writer), lane);
        let point = self.instance_at(writer, run, 0, column);
        self.emit_scev(code.synthesized[&operand.value], &Instance { loops: &code.loops, ..point })
    }

    /// By how many bytes an address that is computed from loop counters differs from that in the
    /// lane before, if it is the same number for all lanes.
    fn bytes_between_lanes(&self, writer: &Writer<'c, '_>, number: usize, operand: Operand) -> Option<i128> {
        let run = writer.tile.runs[number].0;
        let code = &self.prepared.statements[run.statement];
        let slopes: Vec<Option<i128>> =
            run.coordinates.iter().map(|coordinate| Linear::of(coordinate)?.slope(writer.tile.columns.iter)).collect();
        scev::distance(code.synthesized[&operand.value], &|l| {
            let dimension = code.loops.iter().position(|&own| own == l)?;
            slopes[dimension]
        })
    }
}
