//! The LLVM side of one SCoP.

use crate::{BlockRef, LoopRef, ScevRef, ValueRef};

/// What the indices of a SCoP's model mean in the function it was found in. Filled by detection,
/// read by code generation.
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
    /// Blocks from which the function does not return. Blocks of the region may branch to them; the
    /// model assumes that they do not.
    pub dead_ends: Vec<BlockRef<'c>>,
    /// Stack variables that the region brings to life and that nothing outside of it uses: marks of
    /// the beginning of their lifetimes, each with one of their end. The model has no marks; the
    /// variables must be alive while new code runs.
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

/// A non-affine subregion: a loop that a statement executes as a whole, with the ways out of it up
/// to where they meet.
#[derive(Clone, Debug)]
pub struct NonAffineSubregion<'c> {
    /// The first block; its terminator stands for the loop in the model. One edge leads to it from
    /// elsewhere.
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

/// A loop in which what an iteration accesses depends on index arrays, which it does not write:
/// iterations may depend on each other, which ones is known when the program runs.
#[derive(Clone, Debug)]
pub struct IrregularNest<'c> {
    /// The loop. It leaves from its latch only, to one block.
    pub outer: LoopRef<'c>,
    /// All blocks in reverse post order; the first is the header.
    pub blocks: Vec<BlockRef<'c>>,
    /// How often the backedge is taken, to be expanded in front of the loop.
    pub backedges: ScevRef<'c>,
    /// The PHI nodes of the header.
    pub counters: Vec<Counter<'c>>,
    /// Values from outside that are used inside, and the bases of sites.
    pub values: Vec<(ValueRef<'c>, Role)>,
    /// Loads and stores that an inspector tells.
    pub sites: Vec<Site<'c>>,
    /// The outermost loop around it in which nothing changes that an inspector reads, nor the
    /// values from outside that this depends on.
    pub steady: Option<LoopRef<'c>>,
    /// What an inspector executes of the loop: addresses of sites, conditions of branches, and what
    /// these need.
    pub slice: Vec<ValueRef<'c>>,
    /// A loop around it executes it again and again, and nothing else.
    pub sweeps: Option<Sweeps<'c>>,
    /// Iterations write to places of their own. They are independent if none reads there what
    /// another one writes, which is not certain: nothing says that arrays do not overlap.
    pub apart: Option<Places<'c>>,
}

/// A loop around an irregular nest that does nothing but execute it, with the same index arrays and
/// the same values from outside. What an iteration of the nest writes moves by a constant.
#[derive(Clone, Debug)]
pub struct Sweeps<'c> {
    /// The loop. It leaves from its latch only, to one block.
    pub around: LoopRef<'c>,
    /// It comes to the nest if this value from outside is true, or false.
    pub guard: Option<(ValueRef<'c>, bool)>,
    /// Values of the nest that it loads, from one place each: they can be loaded in front of it.
    pub loads: Vec<ValueRef<'c>>,
    /// How often its backedge is taken, to be expanded in front of it.
    pub backedges: ScevRef<'c>,
    /// Where the nest writes.
    pub places: Places<'c>,
}

/// Where iterations of an irregular nest write, each executing all stores, and the loop over what
/// they read.
#[derive(Clone, Debug)]
pub struct Places<'c> {
    /// Where the stores write in the first iteration of the nest, to be expanded in front of the
    /// loop, and how many bytes.
    pub starts: Vec<(ScevRef<'c>, u32)>,
    /// By how many bytes all of them move with each iteration of the nest; not 0.
    pub stride: i64,
    /// The loop inside of the nest, if it is one over the elements of an index array.
    pub row: Option<Row<'c>>,
    /// Each row begins where the one before it ends.
    pub chain: Option<Chain<'c>>,
}

/// Rows of which each begins with the element behind the last one of the row before.
#[derive(Clone, Debug)]
pub struct Chain<'c> {
    /// The number of the first element, and the load of the number behind the last one.
    pub counter: Counter<'c>,
    /// These are signed numbers.
    pub is_signed: bool,
    /// What sites read along a row, those of [`Row::moving`]: from where elements are counted, and
    /// by how many bytes.
    pub along: Vec<(ValueRef<'c>, i64)>,
    /// What others read, but for the own places of iterations: the place in the first iteration, to
    /// be expanded in front of the nest, by how many bytes it moves, and how many are read.
    pub others: Vec<(ScevRef<'c>, i64, u32)>,
}

/// A loop over neighbouring elements of an index array: those of a row.
#[derive(Clone, Debug)]
pub struct Row<'c> {
    /// Its blocks.
    pub inside: Vec<BlockRef<'c>>,
    /// The blocks in front of it, and behind it.
    pub preheader: BlockRef<'c>,
    /// The only block behind it.
    pub exit: BlockRef<'c>,
    /// The load of the element, which each iteration executes.
    pub load: ValueRef<'c>,
    /// The address of the first element, and how many follow; to be expanded in front of the loop.
    pub span: [ScevRef<'c>; 2],
    /// Elements are signed numbers.
    pub is_signed: bool,
    /// What sites in the loop read, as a function of the element.
    pub reads: Vec<RowRead<'c>>,
    /// What others read, from one place after the other.
    pub moving: Vec<MovingRead<'c>>,
}

/// A site that reads at places which move by a constant.
#[derive(Clone, Copy, Debug)]
pub struct MovingRead<'c> {
    /// The first place, to be expanded in front of the loop.
    pub start: ScevRef<'c>,
    /// By how many bytes it moves.
    pub step: i64,
    /// Bytes that are read.
    pub size: u32,
}

/// A site that reads at `base + (element + offset) * scale`.
#[derive(Clone, Copy, Debug)]
pub struct RowRead<'c> {
    /// A value from outside of the nest.
    pub base: ValueRef<'c>,
    /// What is added to the element.
    pub offset: i64,
    /// In bytes.
    pub scale: u64,
    /// Bytes that are read.
    pub size: u32,
}

/// A PHI node of the header, as a function of the iteration.
#[derive(Clone, Copy, Debug)]
pub enum Counter<'c> {
    /// The value at first, and what is added each time.
    Sum {
        /// The PHI node.
        phi: ValueRef<'c>,
        /// Its value in the first iteration.
        start: ValueRef<'c>,
        /// What is added (to a pointer: in bytes).
        step: i64,
    },
    /// What a load has found in the iteration before: it is executed in every iteration, and its
    /// address moves by a constant.
    Loaded {
        /// The PHI node.
        phi: ValueRef<'c>,
        /// Its value in the first iteration.
        start: ValueRef<'c>,
        /// The load.
        load: ValueRef<'c>,
        /// Its address in the first iteration, to be expanded in front of the loop.
        address: ScevRef<'c>,
        /// By how many bytes it moves.
        step: i64,
    },
}

/// What a value from outside means for what an inspector tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing.
    None,
    /// What is told depends on it.
    Scalar,
    /// Addresses are counted from it, and nothing else is done with it.
    Base,
}

/// A load or store that an inspector tells.
#[derive(Clone, Copy, Debug)]
pub struct Site<'c> {
    /// The instruction.
    pub access: ValueRef<'c>,
    /// The place in the list of values of what its address is counted from.
    pub base: Option<usize>,
    /// Bytes.
    pub size: u32,
    /// What it does.
    pub kind: SiteKind,
    /// Of an index array: it may be compared with what it was when those of smaller stages are what
    /// they were.
    pub stage: u32,
}

/// What a site does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteKind {
    /// It reads what the loop may write.
    Read = 0,
    /// It writes.
    Write = 1,
    /// It reads an index array.
    Index = 2,
}
