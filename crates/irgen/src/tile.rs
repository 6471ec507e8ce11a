//! Recognition of loops that are written as vector code.
//!
//! # Input
//! Instances of statements in a loop over columns, perhaps in one over rows, and around them the
//! loop over the reduced member of a register tile.
//!
//! # Output
//! A [`Tile`]: for every instruction of the bodies what is done for it ([`Part`]), and on which of
//! the loops its value depends ([`Moves`]). [`crate::register`] and [`crate::partial`] write
//! register tiles, [`crate::vector_row`] a loop over columns that stands alone.

use poly_scop::{Instr, InstrKind, Operand, OperandKind, Statement, ValueId};

use crate::builder::Value;
use crate::code::{Code, Kept, Loop, Run, Step};
use crate::generator::Generator;
use crate::linear::Linear;
use crate::loops::{is_integer_extremum, is_lane_instruction, is_vector_element, is_vector_instruction};

/// Most rows, and most vectors side by side.
const MAX_UNROLL: i128 = 32;

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
    pub(crate) fn or(self, other: Self) -> Self {
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
    pub(crate) at: (usize, usize, usize),
}

impl Location {
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let equal = |(a, b): (&Linear, &Linear)| a.distance(b) == Some(0);
        self.array == other.array && self.subscripts.iter().zip(&other.subscripts).all(equal)
    }

    /// Whether the one is never an element of the other, whatever the loop counters are for each.
    pub(crate) fn never_meets(&self, other: &Self) -> bool {
        let differ = |(a, b): (&Linear, &Linear)| a.never_equals(b);
        self.array != other.array || self.subscripts.iter().zip(&other.subscripts).any(differ)
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
pub(crate) fn only_runs(code: &Code) -> Option<Vec<&Run>> {
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
    (stands && l.step == Step::ONE && !l.parallel && count >= 1).then_some(count)
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

    /// What is computed in a loop with the mark [`Mark::RegisterTile`](poly_schedule_tree::Mark),
    /// without numbers of rows and vectors, and the bytes of the widest value.
    pub(crate) fn tile_of<'a>(&self, l: &'a Loop) -> Option<(Tile<'a>, u64)> {
        let kept = l.register.as_ref()?;
        if l.step != Step::ONE || self.prepared.options.tile_vector_bytes == 0 {
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
            bytes = bytes.max(self.widest_element_of(run, is_lane_instruction)?);
            self.add_run(&mut tile, run, l.iter, kept)?;
        }
        if tile.results.is_empty() || self.may_overlap(&tile) {
            return None;
        }
        Some((tile, bytes))
    }

    /// The bytes of the widest value of a statement; `None` if vectors do not hold some value, or
    /// an instruction has no vector form.
    pub(crate) fn widest_element(&self, run: &Run) -> Option<u64> {
        self.widest_element_of(run, |value| is_vector_instruction(value) || is_integer_extremum(value))
    }

    /// The same, where this says what has a vector form; comparisons have values of one bit.
    pub(crate) fn widest_element_of(&self, run: &Run, has_form: impl Fn(Value<'c>) -> bool) -> Option<u64> {
        self.widest_of(self.prepared.scop.statements[run.statement].body.iter(), has_form)
    }

    /// The same for some instructions.
    pub(crate) fn widest_of<'i>(
        &self,
        instrs: impl Iterator<Item = &'i Instr>,
        has_form: impl Fn(Value<'c>) -> bool,
    ) -> Option<u64> {
        let mut widest = 1;
        for instr in instrs {
            let value = match instr.kind {
                InstrKind::Write(_) => self.prepared.value(instr.operands.first()?.value),
                InstrKind::Compute { .. } => {
                    let value = self.prepared.value(instr.value);
                    has_form(value).then_some(value)?
                }
                // A load, or a PHI node whose values are those of an array.
                InstrKind::Read(_) => self.prepared.value(instr.value),
                _ => return None,
            };
            let known = |o: &Operand| o.kind != OperandKind::Synthesized;
            let is_condition = matches!(instr.kind, InstrKind::Compute { .. }) && value.ty().integer_bits() == Some(1);
            if instr.predicate.is_some()
                || !(is_condition || is_vector_element(value))
                || !instr.operands.iter().all(known)
            {
                return None;
            }
            widest = widest.max(self.prepared.cx.alloc_size(value.ty())?);
        }
        Some(widest)
    }

    /// Adds a statement to the tile.
    fn add_run<'a>(&self, tile: &mut Tile<'a>, run: &'a Run, reduced: usize, kept: &Kept) -> Option<()> {
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
                    Part::Update(self.result(tile, run, &coordinates, (position, access.index()), kept)?)
                }
                InstrKind::Read(access) if kept.has(run.statement, access.index()) => {
                    Part::Result(self.result(tile, run, &coordinates, (position, access.index()), kept)?)
                }
                InstrKind::Read(access) => {
                    let location = self.location(run, &coordinates, (tile.runs.len(), position, access.index()))?;
                    let moves = tile.moves(&location, reduced)?;
                    let contiguous = self.is_contiguous(&location, instr.value, tile.columns.iter);
                    Part::Load { moves, contiguous }
                }
                InstrKind::Compute { .. } => Part::Compute(moves_of_operands(statement, instr, &parts)),
                _ => return None,
            };
            parts.push(part);
        }
        tile.runs.push((run, parts));
        Some(())
    }

    pub(crate) fn location(&self, run: &Run, coordinates: &[Linear], at: (usize, usize, usize)) -> Option<Location> {
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
        kept: &Kept,
    ) -> Option<usize> {
        if !kept.has(run.statement, access) {
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
    pub(crate) fn is_contiguous(&self, location: &Location, value: ValueId, columns: usize) -> bool {
        let Some((last, outer)) = location.subscripts.split_last() else { return false };
        let size = self.prepared.cx.alloc_size(self.prepared.value(value).ty());
        last.slope(columns) == Some(1)
            && outer.iter().all(|s| s.slope(columns) == Some(0))
            && size == Some(u64::from(self.prepared.arrays[location.array].element_bytes))
    }

    /// Whether a result may share bytes with another array that the tile accesses.
    pub(crate) fn may_overlap(&self, tile: &Tile<'_>) -> bool {
        let accessed = tile.runs.iter().flat_map(|(run, _)| &self.prepared.scop.statements[run.statement].accesses);
        let accessed: Vec<usize> = accessed.map(|a| a.array.index()).collect();
        tile.results.iter().any(|result| {
            let pair = |&other: &usize| (result.array.min(other), result.array.max(other));
            accessed.iter().map(pair).any(|pair| self.prepared.overlapping.contains(&pair))
        })
    }
}

/// What an instruction's value moves with: what its operands, which come before it, move with.
pub(crate) fn moves_of_operands(statement: &Statement, instr: &Instr, parts: &[Part]) -> Moves {
    let moves = |id: ValueId| {
        let at = statement.body.iter().position(|i| i.value == id && !is_write(i));
        parts[at.expect("bodies use what they have defined")].moves()
    };
    instr.locals().map(moves).fold(Moves::default(), Moves::or)
}

pub(crate) fn is_write(instr: &Instr) -> bool {
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
    pub(crate) fn moves(&self, location: &Location, reduced: usize) -> Option<Moves> {
        let along = |iter: usize| -> Option<bool> {
            let slopes = location.subscripts.iter().map(|s| s.slope(iter)).collect::<Option<Vec<_>>>()?;
            Some(slopes.iter().any(|&slope| slope != 0))
        };
        let row = self.rows.map_or(Some(false), |rows| along(rows.iter))?;
        Some(Moves { row, column: along(self.columns.iter)?, reduced: along(reduced)? })
    }
}
