//! Candidates made by rewrites that were given, or drawn at random, in place of those of the
//! search.
//!
//! # Problem
//! A person wants another structure than the cost model's, or to know which step of one makes a
//! program wrong; a test wants orders that the model would never choose. Both name the steps
//! ([`poly_transform::rewrite`]) and leave the rest, legality included, to the usual way.
//!
//! # Algorithm
//! The steps are applied to the schedule, one after the other, as far as [`Config::rewrite_limit`]
//! allows. A given step that is refused ends it with the reason; a random one is drawn again. What
//! the tree costs is predicted ([`crate::cost`]) and said, but nothing is asked about gain.

use poly_presburger::{Budget, Id};
use poly_schedule_tree::{Mark, NodeKind, ScheduleTree};
use poly_transform::rewrite::{Context, Failure, Log, Oracle, Refused, random, replay};

use crate::config::{Config, Parallelism, Rewriting};
use crate::cost::predict;
use crate::driver::{Analysis, Reason, during};
use crate::lower::Candidate;
use crate::report::BandReport;

/// Random steps that are tried for each SCoP.
const ATTEMPTS: u32 = 24;

/// The candidate of a schedule after the configured steps, of which a search has none.
pub(crate) fn rewritten(
    analysis: &Analysis,
    tree: &ScheduleTree,
    config: &Config,
    budget: &mut Budget,
) -> Result<Candidate, Reason> {
    let unshared = unshared(analysis);
    let has_threads = config.parallelism != Parallelism::Sequential;
    let mut context = Context {
        oracle: Oracle::new(&analysis.dependences.dependences),
        unshared: has_threads.then_some(&unshared[..]),
    };
    let limit = usize::try_from(config.rewrite_limit.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
    let limited = |log: &Log| Log { steps: log.steps.iter().take(limit).cloned().collect() };
    let log = match &config.rewriting {
        Rewriting::Search => Log::default(),
        Rewriting::Given(log) => limited(log),
        Rewriting::Random { seed } => {
            let found = random(&mut context, tree, *seed, ATTEMPTS, budget).map_err(during("rewriting"))?;
            limited(&found.1)
        }
    };
    tracing::debug!(%log, "rewrites");
    let rewritten = replay(&mut context, tree, &log, budget).map_err(|Refused { position, why }| match why {
        Failure::Refused(why) => Reason::Rewrite { step: log.steps[position].to_string(), why: why.to_string() },
        Failure::Stop => Reason::Budget("rewriting"),
    })?;
    let price = predict(analysis, &rewritten, config, budget).map_err(during("cost prediction"))?;
    Ok(Candidate { bands: bands(&rewritten), log, ..Candidate::of(rewritten, tree.clone(), price) })
}

/// The statements whose loops threads must not share.
pub(crate) fn unshared(analysis: &Analysis) -> Vec<Id> {
    let statements = analysis.scop.statements.iter().filter(|s| s.needs_own_thread());
    statements.map(|s| Id::new(&s.name)).collect()
}

/// What the bands of a tree look like.
pub(crate) fn bands(tree: &ScheduleTree) -> Vec<BandReport> {
    let nodes = tree.band_nodes().into_iter();
    let report = nodes.filter_map(|node| {
        let depth = node.band()?.n_member();
        let mark = node.parent().and_then(|parent| match parent.kind() {
            NodeKind::Mark(mark) => Some(mark.clone()),
            _ => None,
        });
        let (parallel, vector) = (matches!(mark, Some(Mark::Parallel(_))), mark == Some(Mark::Vector));
        Some(BandReport { depth, parallel, vector, ..BandReport::default() })
    });
    report.collect()
}
