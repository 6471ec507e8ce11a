//! The LLVM side of one SCoP.

use crate::{BlockRef, LoopRef, ScevRef, ValueRef};

/// What the indices of a SCoP's model mean in the function it was found in. Filled by detection, read by code generation.
#[derive(Clone, Debug)]
pub struct Bindings<'c> {
    /// The function.
    pub function: ValueRef<'c>,
    /// The first block inside the region.
    pub entry: BlockRef<'c>,
    /// The first block after the region, outside of it.
    pub exit: BlockRef<'c>,
    /// All blocks of the region in reverse post order.
    pub blocks: Vec<BlockRef<'c>>,
    /// By `ValueId`.
    pub values: Vec<ValueRef<'c>>,
    /// By `ParamId`: the expression whose value is the parameter, to be expanded before the region.
    pub params: Vec<ScevRef<'c>>,
    /// Blocks from which the function does not return. Blocks of the region may branch to them; the model assumes that they do not.
    pub dead_ends: Vec<BlockRef<'c>>,
    /// Stack variables that the region brings to life and that nothing outside of it uses: marks of the beginning of their lifetimes, each with one of their end. The model
    /// has no marks; the variables must be alive while new code runs.
    pub lifetimes: Vec<(ValueRef<'c>, Option<ValueRef<'c>>)>,
    /// By `LoadId`.
    pub loads: Vec<HoistedLoad<'c>>,
    /// By `LoopId`.
    pub loops: Vec<LoopRef<'c>>,
    /// Error blocks of the region: they are not modelled, because they are assumed not to run.
    pub error_blocks: Vec<BlockRef<'c>>,
    /// Non-affine subregions: loops that statements execute as a whole.
    pub subregions: Vec<NonAffineSubregion<'c>>,
}

/// A non-affine subregion: a loop that a statement executes as a whole, with the ways out of it up to where they meet.
#[derive(Clone, Debug)]
pub struct NonAffineSubregion<'c> {
    /// The first block; its terminator stands for the loop in the model. One edge leads to it from elsewhere.
    pub header: BlockRef<'c>,
    /// All blocks, the header first, each behind one from which it is reached.
    pub blocks: Vec<BlockRef<'c>>,
    /// The only block outside that others lead to.
    pub join: BlockRef<'c>,
}

/// Loads of the region that are executed once, before it.
#[derive(Clone, Debug)]
pub struct HoistedLoad<'c> {
    /// The equal loads: instructions of the region.
    pub sites: Vec<ValueRef<'c>>,
    /// PHI nodes of the region that have the same value.
    pub phis: Vec<ValueRef<'c>>,
    /// Values from before the region that must be the same.
    pub known: Vec<ValueRef<'c>>,
    /// The address, of values from before the region and of loads that come earlier in the table.
    pub address: ScevRef<'c>,
}
