//! What the scheduler is asked.

use poly_dependence::Dependence;
use poly_presburger::{Map, Set};

/// Which statements share loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fusion {
    /// Everything that can share a band does.
    Max,
    /// Only where it shortens reuse distances and costs no outer parallelism and no permutable
    /// loop.
    Smart,
    /// Only statements that depend on each other in a cycle.
    None,
}

/// What a schedule is to be good at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Algorithm {
    /// Short distances, outer parallel loops and permutable bands [Bondhugula2008].
    Pluto,
    /// As few time steps as possible [Feautrier1992a], [Feautrier1992b].
    Feautrier,
}

/// Between which instances distances are to be short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proximity {
    /// All that depend on each other.
    All,
    /// Where values are written and read. Dependences that only protect memory may become long.
    Flow,
}

/// What comes first where both cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// Loops without dependences, then short distances between instances that read the same (input
    /// dependences).
    Parallel,
    /// Short distances of all kinds alike.
    Locality,
}

/// How to schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What the schedule is to be good at.
    pub algorithm: Algorithm,
    /// Which statements share loops.
    pub fusion: Fusion,
    /// Between which instances distances are to be short. Input dependences count if there are any.
    pub proximity: Proximity,
    /// What comes first.
    pub preference: Preference,
    /// Greatest absolute value of a coefficient of an iterator or parameter.
    pub max_coefficient: u32,
    /// Greatest constant of a row; any, if there is none. isl's `schedule_max_constant_term`.
    pub max_constant: Option<u32>,
    /// Where no non-negative coefficients do, try negative ones (loop reversal) and shifts by
    /// parameters.
    pub negative_coefficients: bool,
    /// Let updates of a reduction change their order. They still count when it comes to
    /// parallelism.
    pub relax_reductions: bool,
    /// Let live ranges that are local to a band change places there, if that makes it deeper: see
    /// [`poly_dependence::Dependence::conditional`].
    pub live_ranges: bool,
    /// Fuse only where no statement has fewer parallel loops than without.
    pub maximize_coincidence: bool,
    /// Where the outermost member of a band is not coincident, one dimension that carries
    /// dependences takes its place, below which there may be coincident ones. isl's
    /// `schedule_outer_coincidence`.
    pub outer_coincidence: bool,
    /// Dimensions that carry dependences carry those of statements on themselves, if there are any.
    /// isl's `schedule_carry_self_first`.
    pub carry_self_first: bool,
    /// Bands that do not complete their statements end after the first member: what it carries does
    /// not constrain the bands below any more, which may so be deeper.
    pub single_outer_members: bool,
    /// Operations that all searches together may spend. What is not found within them keeps its
    /// original order.
    pub effort: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            algorithm: Algorithm::Pluto,
            fusion: Fusion::Smart,
            proximity: Proximity::All,
            preference: Preference::Parallel,
            max_coefficient: 8,
            max_constant: None,
            negative_coefficients: true,
            relax_reductions: false,
            live_ranges: true,
            maximize_coincidence: false,
            outer_coincidence: false,
            carry_self_first: false,
            single_outer_members: false,
            effort: 4_000_000,
        }
    }
}

/// A program to schedule.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// What is known of the parameters.
    pub context: &'a Set,
    /// The domains of the statements, in textual order.
    pub domains: &'a [Set],
    /// The original order: as [`poly_dependence::StatementInfo::time`].
    pub times: &'a [Map],
    /// The dependences between them; statements are named by their position in `domains`.
    pub dependences: &'a [Dependence],
}
