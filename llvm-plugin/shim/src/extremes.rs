//! Loops that look for extremes, and where they are.

use crate::{BlockRef, LoopRef, ScevRef, ValueRef};

/// A loop that compares a value of each iteration with the best one so far, and keeps what belongs
/// to the best one. It stores nothing. Found by detection, read by code generation.
#[derive(Clone, Debug)]
pub struct ExtremeLoop<'c> {
    /// The loop. It leaves from its latch only, to one block.
    pub inner: LoopRef<'c>,
    /// Its blocks. Each but the latch leads to the next one, or from there to the latch.
    pub blocks: Vec<BlockRef<'c>>,
    /// How often the backedge is taken, to be expanded in front of the loop.
    pub backedges: ScevRef<'c>,
    /// PHI nodes that move by a constant.
    pub steppers: Vec<Stepper<'c>>,
    /// What must be true, or false, of an iteration that is compared: each is computed where those
    /// before it are.
    pub guards: Vec<(ValueRef<'c>, bool)>,
    /// What is looked for.
    pub extremes: Vec<Extreme<'c>>,
    /// What PHI nodes of the header get from an iteration, and these.
    pub next: Vec<(ValueRef<'c>, ValueRef<'c>)>,
    /// What is compared, and what that needs but for addresses: all of it has lanes.
    pub compared: Vec<ValueRef<'c>>,
    /// Loads among that which only iterations execute that are compared.
    pub guarded: Vec<ValueRef<'c>>,
    /// Loads among that of which the next iteration loads what lies in front.
    pub backward: Vec<ValueRef<'c>>,
}

/// A PHI node of the header that is `start + iteration * step`.
#[derive(Clone, Copy, Debug)]
pub struct Stepper<'c> {
    /// The PHI node, of an integer type or a pointer.
    pub phi: ValueRef<'c>,
    /// Its value in the first iteration.
    pub start: ValueRef<'c>,
    /// By how much it moves; bytes for a pointer.
    pub step: i64,
}

/// Numbers among which an extreme is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// Integers with signs.
    Signed,
    /// Integers without signs.
    Unsigned,
    /// Floating-point numbers; one that is not a number is never better.
    Float,
}

/// One extreme.
#[derive(Clone, Debug)]
pub struct Extreme<'c> {
    /// What each iteration compares with the best value so far.
    pub value: ValueRef<'c>,
    /// How numbers are compared.
    pub numbers: Numbers,
    /// The smallest one is looked for, not the largest one.
    pub is_least: bool,
    /// Of equal ones the last one is kept, not the first one.
    pub is_last: bool,
    /// The best value so far.
    pub best: Best<'c>,
    /// PHI nodes that keep something when there is a better value, and what they keep.
    pub kept: Vec<(ValueRef<'c>, ValueRef<'c>)>,
}

/// Where the best value so far is.
#[derive(Clone, Debug)]
pub enum Best<'c> {
    /// In a PHI node of the header, which keeps the value that is compared.
    Phi(ValueRef<'c>),
    /// At the place that one of the PHI nodes remembers: the load, behind what its address needs,
    /// in the order of the block.
    Loaded(Vec<ValueRef<'c>>),
}
