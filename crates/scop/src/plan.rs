//! What the driver hands to code generation.

use poly_arith::Int;
use poly_ast_build::Ast;
use poly_dependence::ReductionOperator;
use poly_presburger::{Aff, Set};
use poly_schedule_tree::ScheduleTree;

use crate::report::Report;
use crate::{AccessId, ArrayId, Scop, StmtId, ValueId};

/// The outermost subscripts that a SCoP uses of one array.
///
/// Inner subscripts lie inside their extents (that is proven, or part of [`RuntimeCheck::condition`]), so the accessed bytes are contained in
/// `[base + lo * stride, base + (hi + 1) * stride)` with `lo` = minimum over [`ArrayRange::min`], `hi` = maximum over [`ArrayRange::max`] and
/// `stride` = product of the array's extents times the bytes of an element. In an array with rows that holds for each of the rows that are accessed, with the pointer
/// to the row for `base`.
#[derive(Clone, Debug)]
pub struct ArrayRange {
    /// The array.
    pub array: ArrayId,
    /// Integer-valued functions of the parameters; their minimum is a lower bound of the outermost subscript.
    pub min: Vec<Aff>,
    /// Integer-valued functions of the parameters; their maximum is an upper bound of the outermost subscript.
    pub max: Vec<Aff>,
    /// Which rows are accessed, if the array has rows.
    pub rows: Option<RowRange>,
}

/// The rows of an array that a SCoP accesses: exactly every `step`-th one from `first` to `last`, where `used` holds, else none. The original loads the pointers to all of
/// them, so they may be loaded before.
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
    /// Pairs of accessed ranges that must not share a byte.
    pub disjoint: Vec<(ArrayRange, ArrayRange)>,
    /// Arrays with rows of which no two may share a byte.
    pub distinct_rows: Vec<ArrayRange>,
}

/// An update `x = x op e` of which every thread computes a part.
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
    /// Accesses whose elements stay in registers within a full register tile (a loop marked [`crate::REGISTER`]): there, no other access
    /// touches them, and different iterations of the loops inside have different ones.
    pub in_registers: Vec<(StmtId, AccessId)>,
    /// Statements whose [`Plan::in_registers`] are so in partial register tiles, too: in every loop marked [`crate::REGISTER`] that has them.
    pub in_partial_tiles: Vec<StmtId>,
    /// Instructions of updates that may be executed in another order than in the source: what their flags promise (no overflow, no infinity) is true in that
    /// order only.
    pub reassociated: Vec<(StmtId, ValueId)>,
    /// Updates whose loop is marked [`crate::PARALLEL`] although only they depend on each other in it: every thread has a value of its own instead of the element, and all values are put
    /// together behind the loop. Within the loop nothing else touches the element, which is the same one for all of its iterations.
    pub private: Vec<PrivateUpdate>,
    /// What was done, for remarks.
    pub report: Report,
}
