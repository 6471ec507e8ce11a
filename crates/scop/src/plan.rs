//! What the driver hands to code generation.

use poly_arith::Int;
use poly_ast_build::Ast;
use poly_dependence::ReductionOperator;
use poly_presburger::{Aff, Id, Set};
use poly_schedule_tree::ScheduleTree;
pub use poly_transform::WHOLE;

use crate::reduction::updates;
use crate::report::Report;
use crate::{AccessId, ArrayId, Scop, StmtId, ValueId};

/// One of the outermost elements of what is accessed of an array.
///
/// Its place is the sum of the subscripts times the number of elements in what they step over;
/// inner subscripts that are not inside of their extents stand for the nearest ones that are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The outermost subscript, an integer-valued function of the parameters.
    pub outermost: Aff,
    /// The other ones, as many as the array has extents; `None` stands for those of the end of the
    /// row: the first element of it in [`ArrayRange::first`], the last one in [`ArrayRange::last`].
    pub inner: Option<Vec<Aff>>,
}

/// The part of one array that a SCoP uses.
///
/// Inner subscripts lie inside their extents (that is proven, or part of
/// [`RuntimeCheck::condition`]). The accessed bytes are those of the elements from the smallest
/// place of [`ArrayRange::first`] to the largest one of [`ArrayRange::last`], or some of them. In
/// an array with rows that holds for each of the rows that are accessed, with the pointer to the
/// row for the base. For parameter values for which nothing is accessed, the places mean nothing.
#[derive(Clone, Debug)]
pub struct ArrayRange {
    /// The array.
    pub array: ArrayId,
    /// No element before all of these is accessed.
    pub first: Vec<End>,
    /// No element behind all of these is accessed.
    pub last: Vec<End>,
    /// Which rows are accessed, if the array has rows.
    pub rows: Option<RowRange>,
}

/// The rows of an array that a SCoP accesses: exactly every `step`-th one from `first` to `last`,
/// where `used` holds, else none. The original loads the pointers to all of them, so they may be
/// loaded before.
#[derive(Clone, Debug)]
pub struct RowRange {
    /// A parameter set.
    pub used: Set,
    /// An integer-valued function of the parameters.
    pub first: Aff,
    /// An integer-valued function of the parameters, at least `first`.
    pub last: Aff,
    /// Positive.
    pub step: Int,
}

/// The condition under which the optimized code may run in place of the original.
#[derive(Clone, Debug)]
pub struct RuntimeCheck {
    /// Parameter values for which the model is true; the universe when nothing needs checking.
    pub condition: Set,
    /// The part of it that says from which sizes on the new code pays; it has nothing to do with
    /// legality.
    pub sizes: Option<Set>,
    /// Pairs of accessed ranges that must not share a byte.
    pub disjoint: Vec<(ArrayRange, ArrayRange)>,
    /// Arrays with rows of which no two may share a byte.
    pub distinct_rows: Vec<ArrayRange>,
}

/// An update `x = x op e` of which every thread computes a part, as
/// [`poly_schedule_tree::Sharing::reductions`] says: a thread has a value of its own instead of the
/// element, and all values are put together behind the loop. Within the loop nothing else touches
/// the element, which is the same one for all of its iterations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivateUpdate {
    /// The statement.
    pub statement: StmtId,
    /// The read of `x`.
    pub read: AccessId,
    /// The write of `x`.
    pub write: AccessId,
    /// `op`.
    pub operator: ReductionOperator,
    /// An instruction that computes it.
    pub step: ValueId,
}

impl PrivateUpdate {
    /// The update of a statement that has this write; `None` if there is no such one.
    pub fn of(scop: &Scop, statement: StmtId, write: AccessId) -> Option<PrivateUpdate> {
        let found = updates(&scop.statements[statement.index()]).into_iter().find(|update| update.write == write)?;
        Some(PrivateUpdate {
            statement,
            read: found.read,
            write,
            operator: found.operator,
            step: *found.steps.first()?,
        })
    }
}

/// A band whose tile sizes are known when the program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nest {
    /// The number by which the program changes them; 0 before [`Plan::number_nests`].
    pub id: u32,
    /// The position of the band in [`Report::bands`].
    pub band: usize,
    /// The sizes, those of outer loops over tiles first.
    pub sizes: Vec<TileSize>,
}

/// The statement that says where a local buffer is: a temporary array that holds a part of another
/// one while the statements behind it run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferOrigin {
    /// It has no body. The last coordinates of an instance are the subscripts of the first element
    /// that the local buffer has room for, one for each dimension of the array.
    pub statement: StmtId,
    /// The temporary. Its subscripts are those of the other array: none is smaller than that of the
    /// first element, and all but the outermost are smaller than these plus the extents. Where it
    /// begins is known only behind an instance of the statement, until the next one.
    pub array: ArrayId,
}

/// A tile size that is a parameter of the schedule, but none of the SCoP: from 1 to [`WHOLE`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileSize {
    /// Its name.
    pub param: Id,
    /// Its value as long as the program does not change it.
    pub default: u64,
}

/// Everything that code generation needs to know, decided before the first instruction is written.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The SCoP after simplification; the AST's statements mean its statements.
    pub scop: Scop,
    /// When the optimized code may run.
    pub check: RuntimeCheck,
    /// The schedule that the AST was built from.
    pub tree: ScheduleTree,
    /// The loops to emit.
    pub ast: Ast,
    /// What is executed before, behind all other checks: the instances of the inspections in the
    /// order of the source. They are statements of the SCoP behind all others.
    pub inspection: Option<Ast>,
    /// Instructions of updates that may be executed in another order than in the source: what their
    /// flags promise (no overflow, no infinity) is true in that order only.
    pub reassociated: Vec<(StmtId, ValueId)>,
    /// The bands with tile sizes that are known when the program runs.
    pub nests: Vec<Nest>,
    /// The local buffers.
    pub buffers: Vec<BufferOrigin>,
    /// Statements that wait in a loop with the mark
    /// [`Mark::Doacross`](poly_schedule_tree::Mark::Doacross), for the iteration of it that the
    /// last coordinate says. Where threads do not share the loop, there is nothing to be done.
    pub waits: Vec<StmtId>,
    /// Statements from this one on wait, or open local buffers, fill them and write them back. They
    /// are none of the source: what they read and write may be anything.
    pub first_of_buffers: StmtId,
    /// What was done, for remarks.
    pub report: Report,
}

impl Plan {
    /// Gives the nests their numbers: functions of the name of their function and of the number of
    /// nests that it has before these.
    pub fn number_nests(&mut self, function: &str, before: usize) {
        for (position, nest) in self.nests.iter_mut().enumerate() {
            nest.id = nest_number(function, before + position);
            self.report.bands[nest.band].nest = Some(nest.id);
        }
    }
}

/// The number of a nest of a function (FNV-1a of name and position).
fn nest_number(function: &str, position: usize) -> u32 {
    let position = u32::try_from(position).expect("functions have fewer than 2^32 nests").to_le_bytes();
    let bytes = function.bytes().chain(position);
    bytes.fold(0x811c_9dc5, |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::nest_number;

    #[test]
    fn numbers_of_nests_never_change() {
        // They stand in people's programs.
        assert_eq!(nest_number("kernel", 0), 0x4f0a_6458);
        assert_eq!(nest_number("kernel", 1), 0x9f36_a369);
    }
}
