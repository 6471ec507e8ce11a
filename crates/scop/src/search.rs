//! A search for a better tree among those that rewrites make of a schedule.
//!
//! # Problem
//! Lowering knows many structures, each with a place of its own, and tries those that it knows.
//! Rewrites ([`poly_transform::rewrite`]) are few, compose, and decide themselves whether they are
//! legal; the cost of a tree is a function of the tree ([`crate::cost`]). So what is the best of
//! all trees that a few rewrites make?
//!
//! # Algorithm
//! A beam search, the same for every program:
//!
//! 1. *Start*: bands directly below each other are joined, so that every order of their loops is
//!    one interchange away.
//! 2. *Moves*: interchange, skew, tile and distribute a band, distribute its last loops only, fuse
//!    it with the next nest. Whatever a rewrite refuses is no move. Bands directly below each other
//!    are joined again, but for those over tiles.
//! 3. *Rounds*: all moves of the best [`WIDTH`] trees are made, and the best ones kept; a tree is
//!    priced as if its innermost loops were vector code where that is legal. Rounds end when none
//!    was better than the one before by [`STEP_GAIN`].
//! 4. *Finish*: innermost loops of the best tree are vectorized where that is legal; for threads,
//!    the outermost loop is shared that is predicted to gain most. The result is priced as it is.
//!
//! Trees of which nothing is predicted are no candidates. Among equals the one found first is
//! taken, so the result depends on the program and the sizes only.
//!
//! # Complexity
//! At most [`ROUNDS`] rounds of [`WIDTH`] trees with [`MAX_MOVES`] moves each, within the budget.

use poly_presburger::{Budget, Id, Stop};
use poly_schedule_tree::{NodeKind, ScheduleTree};
use poly_transform::rewrite::{
    Context, Failure, Located, Log, Oracle, REWRITES, Site, Step, apply, sites, without_flags,
};

use crate::config::{Config, Parallelism};
use crate::cost::{Model, Price, Unmarked};
use crate::driver::Analysis;
use crate::lower::Candidate;
use crate::rewriting::{bands, unshared};

/// Trees that are kept from round to round.
const WIDTH: usize = 3;

/// Rounds at most: steps of a tree, but for the first and the last ones.
const ROUNDS: usize = 6;

/// Moves of a tree at most.
const MAX_MOVES: usize = 160;

/// A round must be predicted to leave at most this part of the time.
const STEP_GAIN: f64 = 0.97;

/// A tree on the way.
#[derive(Clone)]
struct Found {
    tree: ScheduleTree,
    log: Log,
    cycles: f64,
}

struct Search<'m, 'a> {
    model: &'m Model<'a>,
    context: Context<'a>,
}

/// The best tree that rewrites make of a schedule; `None` if nothing is predicted of it, or no move
/// is better.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn search(
    analysis: &Analysis,
    tree: &ScheduleTree,
    config: &Config,
    budget: &mut Budget,
) -> Result<Option<Candidate>, Stop> {
    let unshared: Vec<Id> = unshared(analysis);
    let has_threads = config.parallelism != Parallelism::Sequential;
    let model = Model::new(analysis, config, budget)?;
    let context = Context {
        oracle: Oracle::new(&analysis.dependences.dependences),
        unshared: has_threads.then_some(&unshared[..]),
    };
    let mut search = Search { model: &model, context };
    let Some(best) = search.best(tree, budget)? else { return Ok(None) };
    let best = search.finished(best, budget)?;
    let price = model.cost(&best.tree, Unmarked::AsItIs, budget)?;
    let bands = bands(&best.tree);
    Ok(Some(Candidate { bands, log: best.log, ..Candidate::of(best.tree, tree.clone(), price) }))
}

impl Search<'_, '_> {
    /// The best unfinished tree.
    fn best(&mut self, tree: &ScheduleTree, budget: &mut Budget) -> Result<Option<Found>, Stop> {
        let start = self.joined(Found { tree: tree.clone(), log: Log::default(), cycles: f64::INFINITY }, budget)?;
        let Some(start) = self.priced(start, budget)? else { return Ok(None) };
        let mut seen = vec![without_flags(&start.tree)];
        let mut beam = vec![start.clone()];
        let mut best = start;
        for round in 0..ROUNDS {
            let mut next: Vec<Found> = Vec::new();
            for from in &beam {
                for steps in moves(&from.tree) {
                    let Some(found) = self.made(from, &steps, budget)? else { continue };
                    let key = without_flags(&found.tree);
                    if seen.contains(&key) {
                        continue;
                    }
                    seen.push(key);
                    next.extend(self.priced(found, budget)?);
                }
            }
            next.sort_by(|a, b| a.cycles.total_cmp(&b.cycles));
            next.truncate(WIDTH);
            tracing::debug!(round, trees = seen.len(), cycles = next.first().map(|found| found.cycles), "search");
            let Some(first) = next.first().filter(|first| first.cycles < STEP_GAIN * best.cycles) else { break };
            best = first.clone();
            beam = next;
        }
        Ok(Some(best))
    }

    /// The tree after some steps, bands joined again; `None` if one is refused.
    fn made(&mut self, from: &Found, steps: &[Step], budget: &mut Budget) -> Result<Option<Found>, Stop> {
        let mut found = from.clone();
        for step in steps {
            match self.with(&found, step.clone(), budget)? {
                Some(after) => found = after,
                None => return Ok(None),
            }
        }
        self.joined(found, budget).map(Some)
    }

    fn with(&mut self, from: &Found, step: Step, budget: &mut Budget) -> Result<Option<Found>, Stop> {
        match apply(&mut self.context, &from.tree, &step, budget) {
            Ok(tree) => {
                let mut log = from.log.clone();
                log.steps.push(step);
                Ok(Some(Found { tree, log, cycles: from.cycles }))
            }
            Err(Failure::Refused(_)) => Ok(None),
            Err(Failure::Stop) => Err(Stop),
        }
    }

    /// The tree with all bands joined that are directly below others, but for loops over tiles.
    fn joined(&mut self, mut found: Found, budget: &mut Budget) -> Result<Found, Stop> {
        while let Some(site) = sites(&found.tree).into_iter().find(|site| is_above_band(&found.tree, site)) {
            match self.with(&found, step("join", &site, []), budget)? {
                Some(joined) => found = joined,
                None => break,
            }
        }
        Ok(found)
    }

    /// The tree with what is predicted of it, if anything is.
    fn priced(&self, found: Found, budget: &mut Budget) -> Result<Option<Found>, Stop> {
        match self.model.cost(&found.tree, Unmarked::Vector, budget)? {
            Price::Known(spent) => Ok(Some(Found { cycles: spent.cycles, ..found })),
            Price::Unknown(_) => Ok(None),
        }
    }

    /// The tree with its marks.
    fn finished(&mut self, mut found: Found, budget: &mut Budget) -> Result<Found, Stop> {
        for site in sites(&found.tree).into_iter().rev() {
            let is_innermost =
                Located::find(&found.tree, &site).is_ok_and(|at| at.node.subtree().child().bands().is_empty());
            if is_innermost && let Some(vector) = self.with(&found, step("vectorize", &site, []), budget)? {
                found = vector;
            }
        }
        if self.context.unshared.is_some() {
            found = self.shared(found, budget)?;
        }
        Ok(found)
    }

    /// The tree with loops that threads share, as long as each is predicted to gain.
    fn shared(&mut self, mut found: Found, budget: &mut Budget) -> Result<Found, Stop> {
        let Price::Known(spent) = self.model.cost(&found.tree, Unmarked::AsItIs, budget)? else { return Ok(found) };
        let mut cycles = spent.cycles;
        for site in sites(&found.tree) {
            let Some(shared) = self.with(&found, step("parallelize", &site, []), budget)? else { continue };
            let Price::Known(spent) = self.model.cost(&shared.tree, Unmarked::AsItIs, budget)? else { continue };
            if spent.cycles < cycles {
                (found, cycles) = (shared, spent.cycles);
            }
        }
        Ok(found)
    }
}

fn step(rewrite: &str, site: &Site, arguments: impl IntoIterator<Item = i64>) -> Step {
    Step { rewrite: rewrite.to_owned(), site: site.clone(), arguments: arguments.into_iter().collect() }
}

/// A band with another one directly below it, neither of which goes over tiles.
fn is_above_band(tree: &ScheduleTree, site: &Site) -> bool {
    let Ok(at) = Located::find(tree, site) else { return false };
    let below = at.node.subtree().child();
    let is_over_points = !at.is_over_tiles();
    is_over_points && matches!(below.kind(), NodeKind::Band(band) if !band.has_grid())
}

/// What may be done to a tree next: a few steps each.
fn moves(tree: &ScheduleTree) -> Vec<Vec<Step>> {
    let mut all = Vec::new();
    for site in sites(tree) {
        let Ok(at) = Located::find(tree, &site) else { continue };
        if at.is_over_tiles() {
            continue;
        }
        for rewrite in REWRITES.iter().filter(|rewrite| !rewrite.finishes()) {
            all.extend(rewrite.moves(&at).into_iter().map(|arguments| vec![step(rewrite.name(), &site, arguments)]));
        }
        // The last loops alone.
        if matches!(at.node.subtree().child().kind(), NodeKind::Sequence) {
            let inner = Site { band: site.band + 1, ..site.clone() };
            let split = |count| vec![step("split", &site, [count]), step("distribute", &inner, [])];
            all.extend((1..at.band().n_member() as i64).map(split));
        }
    }
    all.truncate(MAX_MOVES);
    all
}
