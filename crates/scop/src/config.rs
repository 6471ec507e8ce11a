//! What a user can choose about the pipeline.

use poly_scheduler::{Preference, Proximity};
use poly_transform::rewrite::Log;
use poly_transform::{Machine, RegisterChoice};

use crate::exchange::Given;
use crate::lower::{KeptTile, KeptTimeTiles};
use crate::sizes::Sizes;

/// Where new schedules come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduler {
    /// Pluto-style integer programming.
    Pluto,
    /// As few time steps as possible, by integer programming; what time does not order is parallel.
    Feautrier,
    /// The original order is kept; loops may still be tiled, run in parallel and marked for vectors
    /// where that is legal.
    Original,
    /// The one in [`Config::given`].
    Given,
}

impl Scheduler {
    /// It looks for an order by itself, so that it may be asked again for another SCoP.
    pub(crate) fn is_search(&self) -> bool {
        matches!(self, Self::Pluto | Self::Feautrier)
    }
}

/// How eagerly loops are fused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fusion {
    /// As much as is legal.
    Max,
    /// Where nothing is lost: statements of equal depth, no parallel loop given up.
    Smart,
    /// Never across strongly connected components.
    No,
    /// As the cost model predicts to be best, among the first members of the space of all legal
    /// structures.
    Search,
}

/// What to do with a transformation that the cost model predicts not to pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profitability {
    /// Leave the function as it is.
    Required,
    /// Apply the best one all the same (tests, experiments).
    Ignored,
}

/// Threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallelism {
    /// One thread.
    Sequential,
    /// The outermost parallel loops are run by OpenMP threads.
    Threads {
        /// How many to expect when predicting; the runtime decides how many there are.
        expected: u32,
    },
}

/// Tiling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tiling {
    /// Never.
    Off,
    /// Where the model predicts a gain, with sizes from the model.
    Model,
    /// Every permutable band of two loops and more, with these sizes; the last one is repeated.
    Sizes(Vec<u64>),
}

/// Blocks of a loop above nests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// Never.
    Off,
    /// Where the model predicts a gain.
    Model,
    /// Wherever possible, of so many iterations.
    Size(u64),
}

/// Where the structure of the new order comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rewriting {
    /// The best that the search finds.
    Search,
    /// The schedule after these steps.
    Given(Log),
    /// The schedule after random legal steps.
    Random {
        /// What is drawn depends on this number and the SCoP only.
        seed: u64,
    },
}

/// Configuration of [`crate::optimize`].
#[derive(Clone, Debug)]
pub struct Config {
    /// Where schedules come from.
    pub scheduler: Scheduler,
    /// The schedule for [`Scheduler::Given`].
    pub given: Option<Given>,
    /// Fusion.
    pub fusion: Fusion,
    /// The number of a member of the space of all legal fusion structures, which is to be taken
    /// whatever else is said about fusion.
    pub fusion_member: Option<u64>,
    /// How many members of that space are looked at or described.
    pub fusion_limit: u64,
    /// The convex set of the schedules of so many dimensions is described, too.
    pub fusion_schedules: Option<u64>,
    /// Tiles, loop orders and marks.
    pub rewriting: Rewriting,
    /// The trees that rewrites make of the schedule are searched, too.
    pub rewrite_search: bool,
    /// So many steps of [`Config::rewriting`] at most.
    pub rewrite_limit: Option<u64>,
    /// The updates of sums, products, minima, maxima and the like may change their order where that
    /// changes no result, or is allowed.
    pub reductions: bool,
    /// Statements may be split into subdomains where dependences point both ways over long
    /// distances, or have one iteration of a loop at one end.
    pub splitting: bool,
    /// Live ranges of scalars and temporaries may change places.
    pub live_ranges: bool,
    /// Try statements with early reads, and statements that write one thing each.
    pub fission: bool,
    /// Writes under conditions that leave no case out become one, where that pays
    /// ([`crate::simplify::if_conversion`]).
    pub if_conversion: bool,
    /// Scalars may be expanded: get memory for each of their live ranges.
    pub expansion: bool,
    /// Arrays that only the SCoP sees may have fewer rows.
    pub contraction: bool,
    /// Reductions may be computed with fewer operations, from neighbouring results and parts that
    /// several have in common.
    pub simplify_reductions: bool,
    /// Tiling.
    pub tiling: Tiling,
    /// Every permutable band of two loops and more is tiled by sizes that the program can change
    /// when it runs; [`Config::tiling`] says what they are at first.
    pub parametric_tiles: bool,
    /// Blocks of one loop of bands above several nests.
    pub blocks: Blocks,
    /// Copies of what such blocks touch, with rows side by side.
    pub pack_blocks: bool,
    /// Tiles over several time steps of stencils.
    pub time_tiling: bool,
    /// Diagonals as parallel loops, of tiles for threads and of points where rows are not free of
    /// dependences.
    pub wavefront: bool,
    /// Wavefronts of points as vectors whose lanes hand values on from step to step, and whole
    /// loops of neighbouring instances in lanes.
    pub lanes: bool,
    /// The outermost loops of neighbouring nests as one loop over strips of their iterations.
    pub strip_fusion: bool,
    /// Diamond tiles for threads.
    pub diamond: bool,
    /// Register tiles.
    pub register: RegisterChoice,
    /// Threads.
    pub parallelism: Parallelism,
    /// Between which instances the scheduler makes distances short.
    pub proximity: Proximity,
    /// Whether it keeps parallel loops where distances could be shorter.
    pub preference: Preference,
    /// Reads of the same element are to be near each other, too.
    pub reuse: bool,
    /// Predicted losses.
    pub profitability: Profitability,
    /// What parameters are thought to be when cycles are predicted.
    pub sizes: Sizes,
    /// Tiles of bands that are tiled in time, where they are not to be chosen again: for
    /// predictions at other sizes.
    pub time_tiles: Vec<KeptTimeTiles>,
    /// The register tiles that there are, where none are to be chosen: for predictions at other
    /// sizes.
    pub register_tiles: Option<Vec<KeptTile>>,
    /// No better tiles are looked for than those with which a band takes so many cycles.
    pub enough: f64,
    /// The new order is used only from the sizes on at which it is predicted to pay.
    pub size_checks: bool,
    /// The processor, as candidates are predicted for it: see [`Config::for_machine`].
    pub machine: Machine,
    /// The same for the original order.
    pub original_machine: Machine,
    /// What a masked store takes on the processor, whoever makes the code.
    pub masked_store_cycles: f64,
    /// It is the original order that is priced, which LLVM vectorizes behind checks of its own.
    pub original_order: bool,
    /// Operations that the analysis of one SCoP may spend.
    pub budget: u64,
}

impl Config {
    /// The plugin's defaults.
    pub fn standard() -> Self {
        Self {
            scheduler: Scheduler::Pluto,
            given: None,
            fusion: Fusion::Smart,
            fusion_member: None,
            fusion_schedules: None,
            fusion_limit: 16,
            rewriting: Rewriting::Search,
            rewrite_search: false,
            rewrite_limit: None,
            reductions: true,
            splitting: true,
            live_ranges: true,
            fission: true,
            if_conversion: true,
            expansion: true,
            contraction: true,
            simplify_reductions: true,
            tiling: Tiling::Model,
            parametric_tiles: false,
            blocks: Blocks::Model,
            pack_blocks: true,
            time_tiling: true,
            wavefront: true,
            lanes: true,
            strip_fusion: true,
            diamond: true,
            register: RegisterChoice::Model,
            parallelism: Parallelism::Sequential,
            proximity: Proximity::All,
            preference: Preference::Parallel,
            reuse: false,
            profitability: Profitability::Required,
            sizes: Sizes::default(),
            time_tiles: Vec::new(),
            register_tiles: None,
            enough: 0.0,
            size_checks: true,
            machine: Machine::default().without_overlap(),
            original_machine: Machine::default(),
            masked_store_cycles: Machine::default().vectors.masked_store_cycles,
            original_order: false,
            budget: 50_000_000,
        }
    }

    /// The same for a processor. Only the original order is credited with short loops that overlap:
    /// a candidate, whose loops are others, must be better even so. For the same reason only a
    /// candidate pays for points that do not fill several vectors. Only code of ours has masks,
    /// and keeps scalars of the source in memory.
    pub fn for_machine(self, machine: Machine) -> Self {
        let masked_store_cycles = machine.vectors.masked_store_cycles;
        let mut original_machine = machine.with_conditional_stores(false);
        original_machine.vectors.masks = false;
        original_machine.latency.demoted = 0.0;
        original_machine.vectors.interleaved = 1.0;
        let machine = machine.without_overlap().with_conditional_stores(true);
        Self { machine, original_machine, masked_store_cycles, ..self }
    }

    /// The processor as it is.
    pub fn processor(&self) -> Machine {
        let mut machine = self.machine.clone();
        machine.core.window = self.original_machine.core.window;
        machine.vectors.masked_store_cycles = self.masked_store_cycles;
        machine
    }

    /// The same without tiles, threads and lanes: what the original order is measured by.
    pub fn plain(&self) -> Self {
        let machine = self.original_machine.clone();
        let (tiling, parallelism) = (Tiling::Off, Parallelism::Sequential);
        Self { tiling, parallelism, lanes: false, machine, original_order: true, ..self.clone() }
    }
}
