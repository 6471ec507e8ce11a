//! The input of dependence analysis.

use poly_presburger::{Id, Map, Set};

/// How an access touches the elements it is related to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessKind {
    /// Reads (some of) them.
    Read,
    /// Writes all of them.
    MustWrite,
    /// Writes some of them.
    MayWrite,
}

/// An access of a statement.
#[derive(Clone, Debug, PartialEq)]
pub struct AccessInfo {
    /// How.
    pub kind: AccessKind,
    /// From instances to elements: `{ S[i, j] -> A[i, j + 1] }`. Accesses conflict when their range
    /// tuples are equal.
    pub relation: Map,
    /// Writes of one group write one and the same value, so their order does not matter to anybody.
    /// Only for [`AccessKind::MayWrite`], which kill nothing.
    pub group: Option<u32>,
}

/// The operator of a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReductionOperator {
    /// Sum.
    Add,
    /// Product.
    Mul,
    /// Bitwise conjunction.
    And,
    /// Bitwise disjunction.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
}

/// An update `x = x op e` inside a statement: `x` is the same element in the read and in the write,
/// the read's value is used for nothing else, and the update's value neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReductionInfo {
    /// Position in [`StatementInfo::accesses`] of the read of `x`.
    pub read: usize,
    /// Position of the write of `x`.
    pub write: usize,
    /// `op`.
    pub operator: ReductionOperator,
    /// The updates may be executed in any order. If not, the reduction is an ordinary statement.
    pub reassociable: bool,
    /// Reassociable updates of one group, also those of different statements, may change places
    /// with each other: they are updates by the same operation on the same type.
    pub group: usize,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct StatementInfo {
    /// Its instances: `[n] -> { S[i, j] : ... }`.
    pub domain: Set,
    /// When they run: an affine function of the instance, `{ S[i, j] -> [t0, .., tm] }`, with the
    /// same `m` for all statements, injective over all statements together.
    pub time: Map,
    /// Its accesses, in the order in which one instance executes them: a read sees what an earlier
    /// must-write of the same instance has written.
    pub accesses: Vec<AccessInfo>,
    /// Reductions among its accesses.
    pub reductions: Vec<ReductionInfo>,
}

/// A program.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What is known of the parameters: a parameter set.
    pub context: Set,
    /// The statements.
    pub statements: Vec<StatementInfo>,
    /// Pairs of arrays, by the names of the range tuples of their accesses, of which any element of
    /// the one may share bytes with any element of the other ([`crate::overlap`]).
    pub overlaps: Vec<(Id, Id)>,
}
