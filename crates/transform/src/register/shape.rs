//! What a register tile consists of, and what an iteration of its reduced member takes.
//!
//! # Prediction
//! Instructions of full tiles wait for nothing but the accumulators, so that an iteration takes as
//! long as the part of the processor that has the most to do: the units that compute, those that
//! load, the front end, or the chain of an accumulator ([`Shape::at_once`]). Under masks, and in
//! the few iterations of partial tiles, this overlap is not reached: there the instructions are
//! counted one after the other ([`Shape::in_turn`]). The latter also chooses between sizes, as of
//! two tiles that keep the units busy the one with fewer instructions is better.
//!
//! Operations are told apart by what they are computed from ([`crate::cost::Operation`]): those
//! that move along rows and columns are executed for every point, others once for each vector of
//! columns, or once for each row as a scalar.

use super::Roles;
use crate::Machine;
use crate::choose::BandStatement;
use crate::cost::{Operation, Reference};

/// Numbers of operations by the units that execute them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Slots {
    /// Operations on floating-point numbers.
    pub(super) floats: f64,
    /// Operations on integers.
    pub(super) integers: f64,
}

impl Slots {
    fn add(&mut self, operation: &Operation) {
        let sum = if operation.integer { &mut self.integers } else { &mut self.floats };
        *sum += operation.weight;
    }

    fn all(self) -> f64 {
        self.floats + self.integers
    }

    /// Cycles for which they keep their units busy.
    fn busy(self, machine: &Machine) -> f64 {
        let core = &machine.core;
        (self.floats / core.flops_per_cycle).max(self.integers / core.integers_per_cycle)
    }

    /// The larger numbers of both.
    pub(super) fn most(self, other: Self) -> Self {
        Self { floats: self.floats.max(other.floats), integers: self.integers.max(other.integers) }
    }
}

impl std::ops::Mul<f64> for Slots {
    type Output = Self;

    fn mul(self, times: f64) -> Self {
        Self { floats: self.floats * times, integers: self.integers * times }
    }
}

impl std::ops::Add for Slots {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { floats: self.floats + other.floats, integers: self.integers + other.integers }
    }
}

/// What one register tile consists of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) rows: u64,
    pub(super) vectors: u64,
    pub(super) lanes: u64,
    /// Every lane follows a line of its own through memory.
    pub(super) streams: bool,
    /// What an iteration of the reduced member needs.
    pub(super) needs: Needs,
    /// Iterations of the rows that share what is packed.
    pub(super) sharing_rows: f64,
}

/// What a statement needs per iteration of the reduced member.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
    /// Results per row and vector.
    pub(super) accumulators: u64,
    /// Operations that differ for all points of the tile.
    pub(super) points: Slots,
    /// Operations that are the same for all rows.
    pub(super) columns: Slots,
    /// Operations that are the same for all columns: scalars.
    pub(super) per_row: Slots,
    /// Vectors read per column vector.
    pub(super) vectors: u64,
    /// Cycles of the longest chain of operations from a result to itself, where that is known.
    pub(super) chain: f64,
    /// Different rows among the vectors that are read, and among those whose lanes are loaded one
    /// by one. Elements beside each other are used one after the other, in one register.
    pub(super) rows_of_vectors: u64,
    pub(super) rows_of_gathers: u64,
    /// Vectors per column vector whose lanes are loaded one by one.
    pub(super) gathers: u64,
    /// Those of them that code generation packs: loaded lane by lane once for all tiles of a
    /// column.
    pub(super) packed: u64,
    /// Those whose lanes are rows along the reduced member, where the tile has one row and leaves
    /// registers for squares of them, which are transposed.
    pub(super) squares: u64,
    /// Values read per row.
    pub(super) broadcasts: u64,
    /// Values from before the nest.
    pub(super) invariants: u64,
    pub(super) bytes: f64,
}

impl Needs {
    /// Registers for what a value of a row is computed from before it is repeated in all lanes: the
    /// values from before the nest, and its own scalar. Where operations repeat an operand in
    /// memory, what has no register costs nothing there.
    fn registers_of_rows(&self, machine: &Machine) -> u64 {
        match self.invariants {
            0 => 0,
            _ if machine.vectors.embedded_broadcast => 0,
            invariants => invariants + 1,
        }
    }

    /// Counts the operations of a statement by what they move along. Those that do not change from
    /// one iteration of the reduced member to the next are executed before.
    fn count_operations(&mut self, statement: &BandStatement, roles: Roles) {
        let moves = |member: usize, access: usize| {
            statement.members[member].strides.get(access).is_some_and(|&stride| stride != 0.0)
        };
        for operation in &statement.work.operations {
            let any = |member: usize| {
                operation.accesses.positions(statement.accesses.len()).any(|access| moves(member, access))
            };
            let is_result = |access: usize| moves(roles.columns, access) && !moves(roles.reduced, access);
            let updates = operation.accesses.positions(statement.accesses.len()).any(is_result);
            let along_rows = roles.rows.is_none_or(any);
            match (along_rows, any(roles.columns)) {
                _ if !updates && !any(roles.reduced) => {}
                (true, true) => self.points.add(operation),
                (false, true) => self.columns.add(operation),
                (true, false) => self.per_row.add(operation),
                (false, false) => {}
            }
        }
        // Nothing is known of them: one for each result.
        if statement.work.operations.is_empty() {
            self.points.floats = 1.0;
        }
    }
}

/// What stays in registers for a point of the tile while the reduced member runs: by group of
/// accesses, the number of elements. Statements that update the same results share the registers.
#[derive(Clone, Debug, Default)]
pub(super) struct Results(Vec<(usize, u64)>);

impl Results {
    /// A statement has these elements; each is in the list of their groups as often as there are
    /// different ones.
    fn add(&mut self, groups: &[usize]) {
        for &group in groups {
            let elements = groups.iter().filter(|other| **other == group).count() as u64;
            match self.0.iter_mut().find(|(known, _)| *known == group) {
                Some((_, most)) => *most = elements.max(*most),
                None => self.0.push((group, elements)),
            }
        }
    }

    /// Registers for each row and vector.
    pub(super) fn registers(&self) -> u64 {
        self.0.iter().map(|(_, elements)| elements).sum()
    }
}

/// What a statement needs with these roles; its results are added. `None` if it does not fit them.
pub(super) fn needs_of(statement: &BandStatement, roles: Roles, results: &mut Results) -> Option<Needs> {
    let stride = |member: usize, access: usize| statement.members[member].strides.get(access).copied().unwrap_or(0.0);
    let mut needs = Needs::default();
    let (mut seen, mut kept): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    if !statement.work.divisions.is_none() {
        return None;
    }
    needs.chain = statement.work.chain;
    let (mut contracts, mut accumulates) = (false, false);
    for (access, &Reference { bytes, write, group, .. }) in statement.accesses.iter().enumerate() {
        let row = roles.rows.map(|rows| stride(rows, access));
        let along = [row.unwrap_or(0.0), stride(roles.columns, access), stride(roles.reduced, access)];
        if write && (row == Some(0.0) || along[1] != bytes || along[2] != 0.0) {
            return None;
        }
        needs.bytes = needs.bytes.max(bytes);
        contracts |= !write && along[2] != 0.0;
        if statement.repeated.get(access) == Some(&true) {
            continue;
        }
        let is_row = !seen.contains(&group);
        seen.push(group);
        match along {
            [_, column, 0.0] => {
                if column != 0.0 {
                    kept.push(group);
                    accumulates = true;
                }
            }
            [_, 0.0, _] => needs.broadcasts += 1,
            [0.0, column, _] if column == bytes => {
                needs.vectors += 1;
                needs.rows_of_vectors += u64::from(is_row);
            }
            [0.0, _, _] => {
                needs.gathers += 1;
                needs.rows_of_gathers += u64::from(is_row);
                let packed = row.is_some() && statement.constant.get(access) == Some(&true);
                needs.packed += u64::from(packed);
                needs.squares += u64::from(row.is_none() && along[2] == bytes);
            }
            // A vector of its own for each row: nothing is reused.
            _ => return None,
        }
    }
    needs.count_operations(statement, roles);
    results.add(&kept);
    (contracts && accumulates && needs.vectors + needs.gathers > 0).then_some(needs)
}

/// Rows of the tiles that share packed operands.
pub(super) const SHARING_ROWS: f64 = 128.0;

/// The number of rows and vectors.
pub(super) fn shape(
    needs: Needs,
    rows: Option<f64>,
    (columns, hollow): (f64, f64),
    machine: &Machine,
) -> Option<Shape> {
    let lanes = machine.vectors.bytes / (needs.bytes as u64).max(1);
    if lanes < 2 || columns < lanes as f64 || rows.is_some_and(|rows| rows < 2.0) {
        return None;
    }
    let most = rows.unwrap_or(1.0);
    let counts = if rows.is_some() { 2..=14 } else { 1..=1u64 };
    let registers = machine.vectors.registers;
    let streams = rows.is_none() && needs.gathers > 0;
    // Fewer and longer tiles where nothing is to be used again by other rows.
    let most_vectors = if rows.is_none() && !streams { registers } else { 8 };
    let mut best: Option<(Shape, f64)> = None;
    for vectors in 1..=most_vectors {
        for count in counts.clone() {
            let accumulators = count * vectors * needs.accumulators;
            // What only one row uses is an operand in memory.
            let loaded = if rows.is_some() || streams { vectors } else { 1 };
            let computed = needs.registers_of_rows(machine);
            let fits = accumulators + loaded * (needs.rows_of_vectors + needs.rows_of_gathers) + computed < registers;
            if streams && vectors > 1 && vectors * lanes * needs.rows_of_gathers > machine.prefetch.streams {
                continue;
            }
            if !fits || (vectors * lanes) as f64 > columns || count as f64 > most {
                continue;
            }
            let sharing_rows = most.min(SHARING_ROWS);
            let shape = Shape { rows: count, vectors, lanes, streams, needs, sharing_rows };
            let cycles = shape.in_turn(machine);
            let per_result = cycles / (count * vectors) as f64;
            let per_result = match rows {
                None if !streams => {
                    per_result * (1.0 + (MASKED_ROW - 1.0) * partial_share(columns, hollow, vectors * lanes))
                }
                _ => per_result,
            };
            if best.is_none_or(|(_, known)| per_result < 0.999 * known) {
                best = Some((shape, per_result));
            }
        }
    }
    best.map(|(shape, _)| shape)
}

impl Shape {
    /// A tile of other rows and vectors with the same statements, for which nothing is packed.
    pub(super) fn part(&self, rows: u64, vectors: u64, lanes: u64) -> Shape {
        let needs = Needs { packed: 0, ..self.needs };
        Shape { rows, vectors, lanes, needs, ..*self }
    }

    /// Results of an iteration of the reduced member.
    fn results(&self) -> f64 {
        (self.rows * self.vectors) as f64
    }

    /// Operations to load vectors lane by lane, or through squares or packed columns.
    fn gathers(&self) -> f64 {
        let Needs { gathers, packed, squares, .. } = self.needs;
        // A load and an insertion for each lane; of packed ones once for a column of tiles, and a
        // vector for each tile.
        let gather = 1.5 * (self.vectors * self.lanes) as f64;
        let sharing = (self.sharing_rows / self.rows as f64).max(1.0);
        gather * gathers.saturating_sub(packed + squares) as f64
            + square_cycles(self.lanes) * (self.vectors * squares) as f64
            + (gather / sharing + (2 * self.vectors) as f64) * packed as f64
    }

    /// Operations more for lanes that are loaded one by one where not all of them have points: the
    /// address of each is that of the last one at most.
    pub(super) fn bounded_lanes(&self) -> f64 {
        1.5 * (self.vectors * self.lanes * self.needs.gathers) as f64
    }

    /// Cycles more for vectors that are loaded under masks.
    pub(super) fn masked_load_cycles(&self, machine: &Machine) -> f64 {
        let cycles = if machine.vectors.masks { 0.0 } else { machine.vectors.masked_load_cycles };
        cycles * (self.vectors * self.needs.vectors) as f64
    }

    /// Cycles of an iteration of the reduced member as the chain of an accumulator has them: a sum
    /// waits for its previous addition, or for all of them that one iteration adds.
    fn chain(&self, machine: &Machine) -> f64 {
        (machine.latency.flop * self.needs.accumulators as f64).max(self.needs.chain)
    }

    /// Cycles of an iteration of the reduced member where instructions hardly overlap: each takes
    /// its place in the units that compute, loads and repetitions two.
    pub(super) fn in_turn(&self, machine: &Machine) -> f64 {
        let broadcasts = (2 * self.rows * self.needs.broadcasts) as f64;
        let loads = (2 * self.vectors * self.needs.vectors) as f64;
        let work = self.results() * self.needs.accumulators as f64;
        let busy = (work + broadcasts + loads + self.gathers()) / machine.core.flops_per_cycle;
        busy.max(self.chain(machine))
    }

    /// Cycles of an iteration of the reduced member where the busiest part of the processor
    /// decides.
    pub(super) fn at_once(&self, machine: &Machine) -> f64 {
        let (core, needs) = (&machine.core, &self.needs);
        let (rows, vectors) = (self.rows as f64, self.vectors as f64);
        let in_vectors = needs.points * self.results() + needs.columns * vectors;
        let passes = if self.lanes > 1 { machine.vectors.passes } else { 1.0 };
        let units = in_vectors * passes + needs.per_row * rows;
        let gathers = self.gathers();
        let units = units.busy(machine) + gathers / core.flops_per_cycle;
        let (broadcasts, loads) = (rows * needs.broadcasts as f64, vectors * needs.vectors as f64);
        let loading = (broadcasts + passes * loads) / core.loads_per_cycle;
        let started = in_vectors.all() + needs.per_row.all() * rows + broadcasts + loads + gathers;
        units.max(loading).max(started / core.width).max(self.chain(machine))
    }
}

/// What a vector of lanes costs that are rows along the reduced member: two halves of rows are
/// loaded, one of them into the other's register, and then exchanged with other vectors in steps of
/// half the distance. Vectors of two lanes have no halves.
pub(crate) fn square_cycles(lanes: u64) -> f64 {
    if lanes < 4 { 1.5 * lanes as f64 } else { 2.0 + f64::from(lanes.ilog2()) }
}

/// The part of the instances that lies in partial tiles of one row: at the end of the columns, or
/// all over the rows that bounds cut, which are half as long as the others in the mean.
pub(super) fn partial_share(columns: f64, hollow: f64, size: u64) -> f64 {
    let size = size as f64;
    let rows = (2.0 * hollow).min(1.0);
    let instances = (rows / 2.0) / (1.0 - rows / 2.0);
    let at_end = 1.0 - (columns / size).floor() * size / columns;
    instances * (size / columns).min(1.0) + (1.0 - instances) * at_end
}

/// An instance in a partial tile of one row with masks, in instances of full tiles.
pub(super) const MASKED_ROW: f64 = 2.0;

/// Iterations of the reduced member and of the rows in a cache tile.
pub(super) fn cache_sizes(shape: &Shape, bytes: f64, machine: &Machine) -> (u64, u64) {
    let [first, second] = [machine.first(), machine.second()].map(|cache| cache.counted_bytes() as f64);
    let by_rows = first / 3.0 / (shape.rows as f64 * bytes);
    let by_columns = second / 8.0 / ((shape.vectors * shape.lanes) as f64 * bytes);
    let reduced = (by_rows.min(by_columns) as u64).clamp(32, 512).next_multiple_of(32) / 64 * 64;
    let reduced = reduced.max(64);
    let block = second / 4.0 / (reduced as f64 * bytes);
    let block = (block as u64).clamp(2 * shape.rows, 256) / shape.rows * shape.rows;
    (reduced, block)
}
