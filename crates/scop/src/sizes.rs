//! What sizes are thought to be that are known only when the program runs, and from which sizes on
//! a new order is used.
//!
//! # Problem
//! The cost model wants numbers where the program has parameters. What pays for matrices of a
//! thousand rows need not pay for ten of them: tiles have beginnings and ends, and conditions have
//! to be tested. A program that is compiled once is executed with both.
//!
//! # Definitions
//! *Sizes* are a value for every parameter. The *usual* ones let the largest array have some
//! megabytes, as its number of unknown extents says. A candidate *pays* at some sizes if it is
//! predicted there to need clearly less time than the original order, both without tiles and with
//! those that the model chooses for these sizes. A *corner* is a vector of sizes at which the
//! candidate pays; it is taken to pay wherever no loop is shorter than there.
//!
//! # Algorithm
//! 1. The candidate is made for the usual sizes; if none pays there and all arrays are rows that
//!    would stay in the first caches, for large ones.
//! 2. All parameters together are halved, as long as the candidate pays; then three quarters are
//!    tried. What was reached is the corner.
//! 3. Each parameter by itself is divided by four as often as the candidate pays, and by two; it
//!    must pay both with the others as they were at first and as they are now. Parameters that
//!    bound rows do not become smaller than a few vectors, as much narrower rows are predicted
//!    badly; numbers of steps in time, of rows, or of problems of a batch may be very few. A loop
//!    may be short for ever, as one over the coefficients of a polynomial is: where the candidate
//!    pays with one parameter half as large as at the corner or smaller and the others as they are
//!    at first, these are halved together as long as it does, also with this parameter as it is at
//!    first. That is a corner of its own. The
//!    smallest sizes that are looked at are a corner where there are register tiles, as loops of
//!    less than a vector are predicted too badly. Where no corner is found as all of them pay, and
//!    reductions have fewer operations, each parameter by itself is doubled from its smallest value
//!    until the candidate pays.
//! 4. Parameters that make loops shorter, such as the width of a window, are small at the usual
//!    sizes (those of windows that borders cut off are found by [`crate::windows`]), but may be the
//!    length of another loop, which LLVM makes vectors of where it is long. Each of these by itself
//!    is a quarter of the usual size, and is halved until the candidate pays: that is the most for
//!    which it is used.
//! 5. All this is done a second time with a weaker notion of what pays: at sizes at which all data
//!    have room in a cache, where the program may find them, it is enough to pay with data there
//!    and to lose nothing with data in memory ([`crate::residence`]). With data in memory both
//!    orders may wait for them, most of the time, and then nothing pays; `a[j][i] += b[j][i]` along
//!    columns was left as it is up to n = 250, and the other order is 4 times as fast for n = 100.
//!    What pays with data in memory must lose nothing with data in a cache either, where all have
//!    room in a cache of one core.
//! 6. The condition: at one of the corners of either time, every loop around a statement that is
//!    executed there has at least as many iterations as there. For a loop between `f <= a x` and `b
//!    x <= g` that is `a g - b f >= a b (iterations - 1)`, one for each pair of bounds, without
//!    integer rounding.
//!
//! Sizes that the budget does not suffice to look at are sizes at which the candidate does not pay.
//!
//! # Invariants
//! The condition decides only which of two equivalent versions runs; none of this is about
//! legality. If nothing smaller pays or all smaller sizes do, it says as much.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_presburger::{BasicSet, Budget, Set, Stop};

use crate::check::bounding_rows;
use crate::config::{Config, Parallelism};
use crate::cost::{Model, Price, Unmarked};
use crate::driver::Analysis;
use crate::facts::{AccessFacts, at, estimates, extents, facts, points};
use crate::inspection;
use crate::lower::{Candidate, Maker, lower, lower_in_tiles};
use crate::residence;
use crate::row_checks;
use crate::temporaries;
use crate::windows;
use crate::{ArrayKind, InstrKind, Scop, Statement};

/// Values for parameters of which nothing is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// For all that have none of their own.
    pub usual: i64,
    /// By position.
    pub own: BTreeMap<usize, i64>,
}

/// A matrix of so many rows and columns does not fit the second cache.
const USUAL: i64 = 1000;
/// The same for more dimensions, of which three and four are unknown.
const USUAL_OF_THREE: i64 = 160;
const USUAL_OF_FOUR: i64 = 50;
/// Rows of lengths that only the data tell.
const ROWS: i64 = 20_000;
/// A row of so many elements does not fit it, either.
const LARGE_ROW: i64 = 1_000_000;

impl Default for Sizes {
    fn default() -> Self {
        Self::all(USUAL)
    }
}

impl Sizes {
    /// One value for all.
    pub(crate) fn all(usual: i64) -> Self {
        Self { usual, own: BTreeMap::new() }
    }

    /// What a parameter is thought to be.
    pub(crate) fn of(&self, param: usize) -> i64 {
        self.own.get(&param).copied().unwrap_or(self.usual)
    }

    /// Iterations of a loop of which nothing is known.
    pub(crate) fn least(&self) -> f64 {
        self.own.values().fold(self.usual, |least, &own| least.min(own)) as f64
    }

    /// The usual sizes of a SCoP. Parameters that make loops shorter, such as their beginnings, are
    /// small, and so are the widths of windows that borders cut off.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub(crate) fn usual(scop: &Scop, budget: &mut Budget) -> Result<Self, Stop> {
        let usual = match unknown_extents(scop) {
            _ if has_rows_of_unknown_lengths(scop) => ROWS,
            0..=2 => USUAL,
            3 => USUAL_OF_THREE,
            _ => USUAL_OF_FOUR,
        };
        let mut sizes = Self::all(usual);
        let mut most = instances(scop, &sizes, budget)?;
        for param in 0..scop.context.space().params.len().min(MAX_PARAMS) {
            let without = sizes.with(param, SMALL);
            let more = instances(scop, &without, budget)?;
            if more > most {
                (sizes, most) = (without, more);
            }
        }
        for param in windows::widths(scop, budget)? {
            sizes.own.entry(param).or_insert(SMALL);
        }
        Ok(sizes)
    }

    /// Large ones, where these are small: if all arrays are rows.
    pub(crate) fn large(&self, scop: &Scop) -> Option<Self> {
        let has_params = !scop.context.space().params.is_empty();
        (has_params && unknown_extents(scop) <= 1).then(|| self.scaled(LARGE_ROW))
    }

    /// The same with parameters that are small, as they make loops shorter, as long as they are
    /// where they are the length of other loops; `None` if there are none.
    pub(crate) fn longer(&self) -> Option<Self> {
        let longest = self.longest();
        let own: BTreeMap<usize, i64> = self.own.keys().map(|&param| (param, longest)).collect();
        (!own.is_empty()).then_some(Self { usual: self.usual, own })
    }

    /// The most that is looked at of parameters that make loops shorter.
    fn longest(&self) -> i64 {
        self.usual.min(USUAL) / 4
    }

    /// Whether a parameter is taken to be no size.
    fn is_small(&self, param: usize) -> bool {
        self.own.get(&param).is_some_and(|value| *value <= SMALL)
    }

    /// The same with another value for all that have none of their own.
    fn scaled(&self, usual: i64) -> Self {
        Self { usual, own: self.own.clone() }
    }

    fn with(&self, param: usize, value: i64) -> Self {
        let mut new = self.clone();
        new.own.insert(param, value);
        new
    }
}

/// One loop runs over rows of lengths that only the data tell: such rows are those of sparse
/// matrices, graphs or texts, of which there are many.
fn has_rows_of_unknown_lengths(scop: &Scop) -> bool {
    let are_flat = scop.statements.iter().all(|s| s.loops.len() <= 1);
    let mut body = scop.statements.iter().flat_map(|s| &s.body);
    are_flat && body.any(|instr| matches!(instr.kind, InstrKind::Loop { .. }))
}

/// The largest number of unknown extents of an array, of which the outermost one is never known.
fn unknown_extents(scop: &Scop) -> usize {
    let memory =
        scop.arrays.iter().filter(|array| matches!(array.kind, ArrayKind::Memory { .. } | ArrayKind::Rows { .. }));
    memory
        .map(|array| 1 + array.row_subscripts() + array.extents.iter().filter(|e| !e.is_constant()).count())
        .max()
        .unwrap_or(0)
}

/// About how many instances are executed.
fn instances(scop: &Scop, sizes: &Sizes, budget: &mut Budget) -> Result<f64, Stop> {
    let values = estimates(scop, sizes, budget)?;
    let mut sum = 0.0;
    for statement in &scop.statements {
        sum += points(&statement.domain, &values, budget)?.unwrap_or(0.0);
    }
    Ok(sum)
}

/// Where the data of the loops are when they begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    /// In memory.
    InMemory,
    /// In memory, or in a cache if they have room there: what pays in one of the cases, and loses
    /// nothing in the other, pays.
    InACache,
}

/// A candidate, and what it replaces.
#[derive(Clone, Copy)]
pub(crate) struct Replacement<'a> {
    /// The SCoP whose original order the candidate is measured by.
    pub(crate) original: &'a Analysis,
    /// The SCoP that the candidate was lowered from.
    pub(crate) analysis: &'a Analysis,
    /// The candidate.
    pub(crate) candidate: &'a Candidate,
    /// How, with the sizes that it was made for.
    pub(crate) config: &'a Config,
    /// For what it has to pay.
    pub(crate) data: Data,
}

/// Sizes below this are not looked at for all parameters together.
const LEAST: i64 = 4;

/// Nor below this for one parameter that bounds rows, except a quarter of what it is at first:
/// loops of less than a few vectors are predicted too badly.
const LEAST_ROW: i64 = 16;

/// At other sizes than those that it was made for, a candidate must be predicted to need at most
/// this part of the original's time: it is predicted there with tiles that were chosen for these
/// sizes, and executed with others.
const SMALLER_GAIN: f64 = 0.75;

/// What a parameter is thought to be that is no size. (A dimension with one point or none may have
/// another structure.)
const SMALL: i64 = 2;

/// More parameters are not looked at one by one.
const MAX_PARAMS: usize = 6;

impl Replacement<'_> {
    /// The parameters for which the new order is to be used; `None` if that is for all that were
    /// looked at.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub(crate) fn worthwhile(&self, budget: &mut Budget) -> Result<Option<Set>, Stop> {
        if self.analysis.scop.context.space().params.is_empty() {
            return Ok(None);
        }
        let Some(cold) = Self { data: Data::InMemory, ..*self }.condition(budget)? else { return Ok(None) };
        // The corners are others there, not only smaller ones.
        let mut part = budget.sub(budget.remaining() / 2);
        let warm = Self { data: Data::InACache, ..*self }.condition(&mut part);
        budget.absorb(&part);
        match warm {
            Ok(Some(warm)) => Ok(Some(cold.union(&warm).coalesce(budget)?)),
            Ok(None) => Ok(None),
            Err(Stop) => Ok(Some(cold)),
        }
    }

    /// The same for data that are where the replacement says.
    fn condition(&self, budget: &mut Budget) -> Result<Option<Set>, Stop> {
        let (long, short) = (self.long_enough(budget)?, self.short_enough(budget)?);
        let Some(short) = short else { return Ok(long) };
        let both = long.map_or(short.clone(), |long| long.intersect(&short));
        Ok(Some(both.gist(&self.analysis.scop.context, budget)?))
    }

    /// The parameters for which loops are long enough for the new order; `None` if all are that
    /// were looked at.
    fn long_enough(&self, budget: &mut Budget) -> Result<Option<Set>, Stop> {
        let scop = &self.analysis.scop;
        let params = scop.context.space().params.len();
        let usual = &self.config.sizes;
        let mut corner = usual.usual;
        while corner / 2 >= LEAST && self.pays_at(&usual.scaled(corner / 2), budget)? {
            corner /= 2;
        }
        if corner / 2 < LEAST && self.candidate.register_tiles.is_empty() {
            return self.each_alone(budget);
        }
        let between = corner / 4 * 3;
        if self.pays_at(&usual.scaled(between), budget)? {
            corner = between;
        }
        let joint = usual.scaled(corner);
        let mut sizes = joint.clone();
        let least = self.least_alone(budget)?;
        for param in (0..params.min(MAX_PARAMS)).filter(|param| !usual.is_small(*param)) {
            sizes = self.with_smallest((param, least[param]), &joint, sizes, budget)?;
        }
        tracing::debug!(?sizes, "the new order pays from these sizes on");
        let sized = self.sized();
        let mut condition = long_loops(sized, &sizes, budget)?;
        for param in (0..params.min(MAX_PARAMS)).filter(|param| params > 1 && !usual.is_small(*param)) {
            if let Some(other) = self.with_few((param, least[param]), &sizes, budget)? {
                tracing::debug!(?other, "and from these on");
                condition = condition.union(&long_loops(sized, &other, budget)?);
            }
        }
        Ok(Some(condition.gist(&scop.context, budget)?.coalesce(budget)?))
    }

    /// The parameters for which those that are small at the usual sizes are small enough; `None` if
    /// a quarter of the usual value is, too.
    fn short_enough(&self, budget: &mut Budget) -> Result<Option<Set>, Stop> {
        let space = self.analysis.scop.context.space();
        let usual = &self.config.sizes;
        let mut condition = None;
        for (&param, &small) in usual.own.iter().filter(|(param, _)| **param < space.params.len()) {
            let longest = usual.longest();
            let mut most = longest;
            if !self.has_longer_loops(&usual.with(param, longest), budget)? {
                continue;
            }
            while most > small && !self.pays_at(&usual.with(param, most), budget)? {
                most /= 2;
            }
            if most < longest {
                let mut row = vec![Int::from(0); 1 + space.params.len()];
                (row[0], row[1 + param]) = (Int::from(most.max(small)), Int::from(-1));
                let known = condition.unwrap_or_else(|| BasicSet::universe(space.clone()));
                condition = Some(known.with_ineq(row));
            }
        }
        Ok(condition.map(Set::from_basic))
    }

    /// Whether some loop has more iterations at these sizes than at the usual ones.
    fn has_longer_loops(&self, sizes: &Sizes, budget: &mut Budget) -> Result<bool, Stop> {
        let scop = &self.analysis.scop;
        let usual = &self.config.sizes;
        let (here, there) = (estimates(scop, sizes, budget)?, estimates(scop, usual, budget)?);
        for Statement { domain, .. } in &scop.statements {
            let (here, there) = (extents(domain, &here, sizes, budget)?, extents(domain, &there, usual, budget)?);
            if here.iter().zip(&there).any(|(here, there)| here > there) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The smallest value of each parameter by itself that is looked at: larger ones for those that
    /// bound rows, loops that go along neighbouring elements, which vectors are made of; rows may
    /// be lanes, too.
    fn least_alone(&self, budget: &mut Budget) -> Result<Vec<i64>, Stop> {
        let scop = &self.analysis.scop;
        let has_lanes = self.candidate.bands.iter().any(|band| band.lanes > 0);
        let mut least = vec![SMALL; scop.context.space().params.len()];
        let facts = facts(scop, &self.config.sizes, &self.config.machine, budget)?;
        for (statement, facts) in scop.statements.iter().zip(&facts) {
            for dimension in 0..statement.loops.len() {
                let goes_along = |access: &AccessFacts| {
                    let step = access.steps[dimension].abs();
                    step == access.bytes || (has_lanes && step != 0.0)
                };
                if !facts.accesses.iter().any(goes_along) {
                    continue;
                }
                for row in rows_of_length(&statement.domain, dimension, 1.0, budget)? {
                    let bounding = least.iter_mut().zip(&row[1..]).filter(|(_, coefficient)| !coefficient.is_zero());
                    bounding.for_each(|(least, _)| *least = LEAST_ROW);
                }
            }
        }
        Ok(least)
    }

    /// Sizes at which the candidate pays with less of one parameter, but not less than a value,
    /// than at a corner, and more of the others.
    fn with_few(
        &self,
        (param, least): (usize, i64),
        corner: &Sizes,
        budget: &mut Budget,
    ) -> Result<Option<Sizes>, Stop> {
        let usual = &self.config.sizes;
        let mut few = corner.of(param);
        while few > least {
            let half = (few / 2).max(least);
            let somewhat_more = usual.with(param, half + half / 3);
            if !self.pays_at(&usual.with(param, half), budget)? || !self.pays_at(&somewhat_more, budget)? {
                break;
            }
            few = half;
        }
        if few == corner.of(param) {
            return Ok(None);
        }
        let mut others = usual.usual;
        // From there on means with more of this parameter, too.
        let ends = [few, usual.usual];
        while others / 2 > few {
            let half = usual.scaled(others / 2);
            let [few, many] = ends.map(|value| half.with(param, value));
            if !self.pays_at(&few, budget)? || !self.pays_at(&many, budget)? {
                break;
            }
            others /= 2;
        }
        // Else it says too little for what it costs to ask.
        Ok((others < usual.usual).then(|| usual.scaled(others).with(param, few)))
    }

    /// The parameters for which reductions with fewer operations pay, if they do for all sizes that
    /// are alike. What they save grows with the loops that become shorter, a window's width for
    /// example, and not with the others: each parameter by itself is doubled until the candidate
    /// pays with the others as usual.
    fn each_alone(&self, budget: &mut Budget) -> Result<Option<Set>, Stop> {
        let scop = &self.analysis.scop;
        if scop.reduced.is_empty() {
            return Ok(None);
        }
        let usual = &self.config.sizes;
        let mut sizes = usual.scaled(SMALL);
        let params = scop.context.space().params.len().min(MAX_PARAMS);
        for param in (0..params).filter(|param| !usual.is_small(*param)) {
            let mut value = SMALL;
            while value < usual.of(param) && !self.pays_at(&usual.with(param, value), budget)? {
                value *= 2;
            }
            sizes = sizes.with(param, value);
        }
        tracing::debug!(?sizes, "fewer operations pay from these sizes on");
        Ok(Some(long_loops(scop, &sizes, budget)?.gist(&scop.context, budget)?))
    }

    /// The sizes with one parameter as small as possible. A somewhat larger one has to pay, too:
    /// rows that hardly fill a vector are far slower in the original order than those that do.
    fn with_smallest(
        &self,
        (param, least): (usize, i64),
        joint: &Sizes,
        sizes: Sizes,
        budget: &mut Budget,
    ) -> Result<Sizes, Stop> {
        let mut best = sizes.clone();
        let first = joint.of(param);
        let (mut value, mut part) = (first, 4);
        loop {
            let smaller = value / part;
            let is_narrow = smaller < SMALL || (smaller < least && value < first);
            let together = sizes.with(param, smaller);
            let pays = !is_narrow
                && self.pays_at(&joint.with(param, smaller), budget)?
                && self.pays_at(&joint.with(param, smaller + smaller / 3), budget)?
                && (sizes == *joint || self.pays_at(&together, budget)?);
            if pays {
                (best, value) = (together, smaller);
            }
            match (pays, part) {
                (true, 4) => {}
                (false, 4) => part = 2,
                _ => break,
            }
        }
        Ok(best)
    }

    /// Whether the candidate is known to pay at some sizes. What the budget does not suffice for is
    /// not known: the condition must be found in any case.
    pub(crate) fn pays_at(&self, sizes: &Sizes, budget: &mut Budget) -> Result<bool, Stop> {
        let mut part = budget.sub(budget.remaining() / 8 * 7);
        let pays = self.is_faster_at(sizes, &mut part);
        budget.absorb(&part);
        Ok(pays.unwrap_or(false))
    }

    /// The SCoP that says which sizes loops have. Statements of a reduction with fewer operations
    /// stand for some sizes each: there it is the original.
    fn sized(&self) -> &Scop {
        if self.analysis.scop.reduced.is_empty() { &self.analysis.scop } else { &self.original.scop }
    }

    /// Whether the candidate is predicted to be clearly faster at some sizes, and the same
    /// statements are executed there as at those that it was made for.
    fn is_faster_at(&self, sizes: &Sizes, budget: &mut Budget) -> Result<bool, Stop> {
        let scop = self.sized();
        let [here, there] = [sizes, &self.config.sizes].map(|sizes| estimates(scop, sizes, budget));
        let (here, there) = (here?, there?);
        for statement in &scop.statements {
            let is_left_out = at(&statement.domain, &here).is_empty(budget)?;
            if is_left_out && !at(&statement.domain, &there).is_empty(budget)? {
                return Ok(false);
            }
        }
        let time_tiles = self.candidate.time_tiles.clone();
        let register_tiles = Some(self.candidate.register_tiles.clone());
        let config = Config { sizes: sizes.clone(), time_tiles, register_tiles, ..self.config.clone() };
        let Some((original, new)) = self.prices(&config, budget)? else { return Ok(false) };
        tracing::debug!(?sizes, original, new, "predicted at other sizes");
        if new <= SMALLER_GAIN * original {
            return self.is_no_slower_in_a_cache(&config, budget);
        }
        if new > original || self.data == Data::InMemory {
            return Ok(false);
        }
        let warm = residence::in_a_cache(self.original, &config, SMALLER_GAIN, budget)?;
        let Some((original, new)) = warm.map(|warm| self.prices(&warm, budget)).transpose()?.flatten() else {
            return Ok(false);
        };
        tracing::debug!(?sizes, original, new, "predicted with data in a cache");
        Ok(new <= SMALLER_GAIN * original)
    }

    /// Whether the candidate is predicted to need no more time than the original where the loops
    /// find their data in a cache, if these have room there.
    fn is_no_slower_in_a_cache(&self, config: &Config, budget: &mut Budget) -> Result<bool, Stop> {
        let Some(warm) = residence::in_an_own_cache(self.original, config, budget)? else { return Ok(true) };
        let Some((original, new)) = self.prices(&warm, budget)? else { return Ok(true) };
        tracing::debug!(original, new, "predicted with data in a cache");
        Ok(new <= original)
    }

    /// The same at the sizes that it was made for, with the tiles that it has.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub(crate) fn keeps_pace_in_a_cache(&self, budget: &mut Budget) -> Result<bool, Stop> {
        let time_tiles = self.candidate.time_tiles.clone();
        let register_tiles = Some(self.candidate.register_tiles.clone());
        let config = Config { time_tiles, register_tiles, ..self.config.clone() };
        self.is_no_slower_in_a_cache(&config, budget)
    }

    /// Predicted cycles of the original order, and of the candidate with all that is done before it
    /// runs, at the sizes of a configuration; `None` if they are not known.
    fn prices(&self, config: &Config, budget: &mut Budget) -> Result<Option<(f64, f64)>, Stop> {
        let original = lower(self.original, &self.original.original, &config.plain(), budget)?.cycles;
        let added = config.machine.code.check_cycles + row_checks::cycles(&self.original.scop, config, budget)?;
        let added = added + inspection::cycles(self.analysis, config, budget)?;
        let added =
            added + temporaries::cycles(temporaries::bytes(&self.analysis.scop, &config.sizes, budget)?, config);
        let new = self.cycles_at(config, SMALLER_GAIN * original - added, budget)?;
        Ok(new.map(|new| (original, new + added)))
    }

    /// Predicted cycles of the candidate at the sizes of a configuration, if they are known; no
    /// tiles are looked for that are better than `enough`.
    fn cycles_at(&self, config: &Config, enough: f64, budget: &mut Budget) -> Result<Option<f64>, Stop> {
        let Candidate { source, around, tree, .. } = self.candidate;
        if self.candidate.maker == Maker::Rewrites {
            let price = Model::new(self.analysis, config, budget)?.cost(tree, Unmarked::AsItIs, budget)?;
            return Ok(match price {
                Price::Known(spent) => Some(spent.cycles),
                Price::Unknown(_) => None,
            });
        }
        // The cycles of several bands are added, and tiles in time are taken whatever else there
        // is.
        let mut bands = 0;
        source.tree().for_each(&mut |node| bands += usize::from(node.as_band().is_some()));
        let is_alone = bands == 1 && around.is_none() && config.time_tiles.is_empty();
        let is_decided = is_alone && config.parallelism == Parallelism::Sequential;
        // A little less, for rounding.
        let enough = if is_decided { (enough * (1.0 - 1e-9)).max(0.0) } else { 0.0 };
        let config = Config { enough, ..config.clone() };
        Ok(Some(lower_in_tiles(self.analysis, source, around.as_ref(), &config, budget)?.cycles))
    }
}

/// The parameters for which every loop around a statement has at least as many iterations as for
/// these sizes.
fn long_loops(scop: &Scop, sizes: &Sizes, budget: &mut Budget) -> Result<Set, Stop> {
    let values = estimates(scop, sizes, budget)?;
    let mut condition = BasicSet::universe(scop.context.space().clone());
    let mut seen: Vec<Vec<Int>> = Vec::new();
    for statement in &scop.statements {
        // What is not executed at these sizes has no loops that could be too short.
        if at(&statement.domain, &values).is_empty(budget)? {
            continue;
        }
        let extents = extents(&statement.domain, &values, sizes, budget)?;
        for (dimension, iterations) in extents.into_iter().enumerate() {
            for row in rows_of_length(&statement.domain, dimension, iterations, budget)? {
                if !seen.contains(&row) {
                    condition = condition.with_ineq(row.clone());
                    seen.push(row);
                }
            }
        }
    }
    Set::from_basic(condition).coalesce(budget)
}

/// Rows over `[const | params]` that are not negative where a dimension has at least so many
/// iterations. None where no parameter bounds it.
fn rows_of_length(domain: &Set, dimension: usize, iterations: f64, budget: &mut Budget) -> Result<Vec<Vec<Int>>, Stop> {
    let params = domain.space().params.len();
    let hull = domain.clone().simple_hull(budget)?;
    let bounds = bounding_rows(&hull.as_basic_map().to_system(), params, dimension, budget)?;
    let distance = Int::from(iterations as i64 - 1);
    let mut result = Vec::new();
    for lower in &bounds.lower {
        for upper in &bounds.upper {
            let (a, b) = (&lower[1 + params], -&upper[1 + params]);
            let mut row: Vec<Int> = (0..=params).map(|i| a * &upper[i] + &b * &lower[i]).collect();
            if row[1..].iter().any(|x| !x.is_zero()) {
                row[0] = &row[0] - &(&(a * &b) * &distance);
                result.push(row);
            }
        }
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(domain: &str, dimension: usize, iterations: f64) -> Set {
        let domain: Set = domain.parse().expect("the set can be read");
        let rows = rows_of_length(&domain, dimension, iterations, &mut Budget::unlimited()).expect("no budget");
        let space = domain.space().params_space();
        Set::from_basic(rows.into_iter().fold(BasicSet::universe(space), |set, row| set.with_ineq(row)))
    }

    #[test]
    fn loops_are_long_where_their_bounds_are_apart() {
        let check = |domain: &str, dimension, iterations, expected: &str| {
            let expected: Set = expected.parse().expect("the set can be read");
            let found = condition(domain, dimension, iterations);
            assert!(found.is_equal(&expected, &mut Budget::unlimited()).unwrap(), "{found}");
        };
        check("[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }", 1, 30.0, "[n] -> { : n >= 30 }");
        check("[lo, hi] -> { S[i] : lo <= i < hi }", 0, 8.0, "[lo, hi] -> { : hi - lo >= 8 }");
        check("[n, m] -> { S[i] : 0 <= i < n and i < m }", 0, 5.0, "[n, m] -> { : n >= 5 and m >= 5 }");
        check("[n] -> { S[i] : 1 <= i < n - 1 and 0 <= 2i }", 0, 10.0, "[n] -> { : n >= 12 and 2n >= 22 }");
        check("[n] -> { S[i, j] : 0 <= i < n and 0 <= j < 7 }", 1, 7.0, "[n] -> { : }");
        check("[n] -> { S[i] : 0 <= 3i <= n }", 0, 4.0, "[n] -> { : n >= 9 }");
    }

    #[test]
    fn one_value_is_for_all_that_have_none_of_their_own() {
        let sizes = Sizes::all(100).with(2, 7);
        assert_eq!((sizes.of(0), sizes.of(2), sizes.least()), (100, 7, 7.0));
        assert_eq!((sizes.scaled(50).of(0), sizes.scaled(50).of(2)), (50, 7));
    }
}
