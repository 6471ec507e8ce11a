//! Which statements are scheduled together.
//!
//! # Problem
//! The strongly connected components of the dependence graph must each be scheduled as a whole.
//! Scheduling several of them together (*fusion*) shortens reuse distances, but may cost
//! parallelism and permutable loops.
//!
//! # Algorithm, after [Verdoolaege2017]
//! Every component starts as a cluster with a band of its own. While there is one, the most
//! promising pair of clusters that are linked by an edge is merged, together with all clusters on
//! paths between them, if the band of the merged cluster is good enough.
//!
//! For [`Fusion::Smart`] it is if
//!
//! * at least one edge between the clusters has short distances in all members, not only for some
//!   border of the domains (loops that are merely put behind each other by a shift are not fused);
//! * the clusters have equally many iterators left; the band is as deep as each of theirs; if one
//!   of them had an outer parallel member, so has it; if all were completely parallel, so is it
//!   (not with [`Preference::Locality`]).
//!
//! For [`Fusion::Max`] every band will do, all clusters connected by edges are tried at once before
//! anything else, and clusters without an edge between them are tried too, as long as there are
//! few; for [`Fusion::None`], nothing is merged.
//!
//! Where all depend on all, pairs are as many as the square of the clusters, and the more
//! statements are between the two, the longer a search takes and the less it finds. The best pairs
//! come first, so clustering ends when so many merged clusters as [`MAX_REFUSED`] times the
//! clusters have been refused.
//!
//! Where live ranges may change places ([`crate::web`]) and a band is not as deep as it could be,
//! one is looked for that they are local to; the deeper one is taken.
//!
//! A component whose band is not found within its part of the effort has none; a merged cluster
//! whose band is not found is refused.
//!
//! # Invariant
//! The order among clusters remains acyclic, since whole paths are merged.

use std::collections::BTreeSet;

use poly_presburger::budget::{Budget, Stop};

use crate::band::{Band, LiveRanges, grow};
use crate::context::{Context, fixed_dimensions};
use crate::edge::{Edge, Edges, Rows};
use crate::effort::search;
use crate::independence::{History, Region};
use crate::problem::{Fusion, Preference};
use crate::scc;
use crate::web::{distant, free_webs, inside};

/// Distances up to this number are short.
const SHORT: i64 = 4;

/// Up to this many clusters, [`Fusion::Max`] tries pairs that nothing links.
const MAX_UNLINKED: usize = 12;

/// So many merged clusters are refused for each cluster before no more are tried, but at least
/// [`MIN_REFUSED`].
const MAX_REFUSED: usize = 3;
const MIN_REFUSED: usize = 100;

/// Statements that are scheduled together, and their band.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    /// Sorted.
    pub(crate) statements: Vec<usize>,
    pub(crate) band: Band,
    /// The search for a band was given up.
    pub(crate) given_up: bool,
}

#[derive(Debug)]
struct Clustering<'a> {
    context: &'a Context,
    edges: &'a Edges,
    history: &'a History,
    clusters: Vec<Cluster>,
    /// Merged clusters that were refused, by their statements.
    refused: BTreeSet<Vec<usize>>,
}

/// The clusters of a sorted list of statements, in an order in which they can be executed: among
/// those that may come next, the one with the textually first statement.
pub(crate) fn clusters(
    context: &Context,
    statements: &[usize],
    edges: &Edges,
    history: &History,
    budget: &mut Budget,
) -> Result<Vec<Cluster>, Stop> {
    let mut clustering = Clustering { context, edges, history, clusters: Vec::new(), refused: BTreeSet::new() };
    for component in components(statements, edges) {
        let band = clustering.band(&component, budget);
        let given_up = band.is_none();
        clustering.clusters.push(Cluster { statements: component, band: band.unwrap_or_default(), given_up });
    }
    match context.options.fusion {
        Fusion::None => {}
        Fusion::Smart => clustering.merge_pairs(budget)?,
        Fusion::Max => {
            clustering.merge_connected(budget)?;
            clustering.merge_pairs(budget)?;
        }
    }
    let order = scc::topological_order(clustering.clusters.len(), &clustering.order());
    Ok(order.into_iter().map(|c| clustering.clusters[c].clone()).collect())
}

/// The strongly connected components of the order edges.
pub(crate) fn components(statements: &[usize], edges: &Edges) -> Vec<Vec<usize>> {
    let position = |s: usize| statements.binary_search(&s).expect("edges stay within the statements");
    let graph = edges.iter().filter(|e| e.is_ordering()).map(|e| (position(e.source), position(e.sink))).collect();
    let components = scc::components(statements.len(), &graph);
    components.into_iter().map(|c| c.into_iter().map(|p| statements[p]).collect()).collect()
}

impl Clustering<'_> {
    /// The band of some statements, if it is found within the effort of one search.
    fn band(&self, statements: &[usize], budget: &mut Budget) -> Option<Band> {
        let edges = inside(self.edges, statements);
        let grown = |live: &LiveRanges, budget: &mut Budget| {
            search(budget, |part| grow(self.context, statements, &edges, self.history, live, part))
        };
        let plain = grown(&LiveRanges::Ordered, budget)?;
        let missing = |statement: &usize| Region::new(*statement, &self.history[statement]).missing();
        let most = statements.iter().map(missing).max().unwrap_or(0);
        let mut webs = free_webs(&edges);
        while plain.depth() < most && !webs.is_empty() {
            if let Some(band) = grown(&LiveRanges::Local(webs.clone()), budget)
                && band.depth() > plain.depth()
            {
                tracing::debug!(depth = band.depth(), "live ranges change places");
                return Some(band);
            }
            // Not all webs can be local: those that can be are tried without the others.
            let Some(free) = grown(&LiveRanges::Ignored(webs.clone()), budget) else { break };
            let members: Vec<&Rows> = free.dimensions().collect();
            let Some(distant) = search(budget, |part| distant(&edges, &webs, &members, part)) else { break };
            if distant.is_empty() {
                break;
            }
            webs.retain(|web| !distant.contains(web));
        }
        Some(plain)
    }

    fn cluster_of(&self, statement: usize) -> usize {
        let contains = |c: &Cluster| c.statements.binary_search(&statement).is_ok();
        self.clusters.iter().position(contains).expect("every statement is in a cluster")
    }

    /// The clusters linked by order edges.
    fn order(&self) -> BTreeSet<(usize, usize)> {
        let ordered = self.edges.iter().filter(|e| e.is_ordering());
        let links = ordered.map(|e| (self.cluster_of(e.source), self.cluster_of(e.sink)));
        links.filter(|(a, b)| a != b).collect()
    }

    /// Pairs of clusters linked by any edge, those with more aligned dimensions and nearer to each
    /// other first.
    fn candidates(&self) -> Vec<(usize, usize)> {
        let mut alignment = std::collections::BTreeMap::new();
        for edge in self.edges {
            let (a, b) = (self.cluster_of(edge.source), self.cluster_of(edge.sink));
            if a != b {
                let best = alignment.entry((a.min(b), a.max(b))).or_insert(0);
                *best = edge.alignment().max(*best);
            }
        }
        let mut pairs: Vec<((usize, usize), usize)> =
            alignment.iter().map(|(&pair, &aligned)| (pair, aligned)).collect();
        if self.context.options.fusion == Fusion::Max && self.clusters.len() <= MAX_UNLINKED {
            for a in 0..self.clusters.len() {
                let unlinked =
                    (a + 1..self.clusters.len()).map(|b| (a, b)).filter(|pair| !alignment.contains_key(pair));
                pairs.extend(unlinked.map(|pair| (pair, 0)));
            }
        }
        let gap = |(a, b): (usize, usize)| self.clusters[b].statements[0].abs_diff(self.clusters[a].statements[0]);
        pairs.sort_by_key(|&(pair, aligned)| (std::cmp::Reverse(aligned), gap(pair), pair));
        pairs.into_iter().map(|(pair, _)| pair).collect()
    }

    fn merge_pairs(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let most = MIN_REFUSED.max(MAX_REFUSED * self.clusters.len());
        loop {
            let paths = scc::Paths::new(self.clusters.len(), &self.order());
            let mut merged = false;
            for (a, b) in self.candidates() {
                if self.refused.len() >= most {
                    tracing::debug!(clusters = self.clusters.len(), "no more clusters are tried");
                    return Ok(());
                }
                let parts = paths.between(a, b);
                if self.try_merge(&parts, budget)? {
                    merged = true;
                    break;
                }
            }
            if !merged {
                return Ok(());
            }
        }
    }

    /// Tries to merge every set of clusters that is connected by edges.
    fn merge_connected(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        let mut links = BTreeSet::new();
        for edge in self.edges {
            let (a, b) = (self.cluster_of(edge.source), self.cluster_of(edge.sink));
            links.extend([(a, b), (b, a)]);
        }
        let connected = scc::components(self.clusters.len(), &links);
        let by_statement: Vec<Vec<usize>> = connected
            .into_iter()
            .map(|parts| parts.into_iter().map(|c| self.clusters[c].statements[0]).collect())
            .collect();
        for statements in by_statement {
            let parts: Vec<usize> = statements.into_iter().map(|s| self.cluster_of(s)).collect();
            if parts.len() > 1 {
                self.try_merge(&parts, budget)?;
            }
        }
        Ok(())
    }

    fn try_merge(&mut self, parts: &[usize], budget: &mut Budget) -> Result<bool, Stop> {
        let mut statements: Vec<usize> = parts.iter().flat_map(|&p| self.clusters[p].statements.clone()).collect();
        statements.sort_unstable();
        if self.refused.contains(&statements) {
            return Ok(false);
        }
        budget.spend(1)?;
        if self.may_fit(parts)
            && let Some(band) = self.band(&statements, budget)
            && self.is_good(parts, &statements, &band, budget)?
        {
            let mut index = 0;
            self.clusters.retain(|_| {
                index += 1;
                !parts.contains(&(index - 1))
            });
            self.clusters.push(Cluster { statements, band, given_up: false });
            self.clusters.sort_by_key(|c| c.statements[0]);
            return Ok(true);
        }
        self.refused.insert(statements);
        Ok(false)
    }

    /// What can be told before the band is computed.
    fn may_fit(&self, parts: &[usize]) -> bool {
        let missing = |statement: &usize| Region::new(*statement, &self.history[statement]).missing();
        let left: Vec<usize> =
            parts.iter().map(|&p| self.clusters[p].statements.iter().map(missing).max().unwrap_or(0)).collect();
        if left.iter().all(|&n| n == 0) {
            return false;
        }
        self.context.options.fusion == Fusion::Max || left.iter().all(|&n| n == left[0])
    }

    fn is_good(&self, parts: &[usize], statements: &[usize], band: &Band, budget: &mut Budget) -> Result<bool, Stop> {
        if band.depth() == 0 {
            return Ok(false);
        }
        let bands: Vec<&Band> = parts.iter().map(|&p| &self.clusters[p].band).collect();
        let options = &self.context.options;
        if options.fusion == Fusion::Smart && loses(&bands, band, options.preference) {
            return Ok(false);
        }
        if options.fusion == Fusion::Max && !options.maximize_coincidence {
            return Ok(true);
        }
        if options.maximize_coincidence && bands.iter().any(|b| b.coincident() > band.coincident()) {
            return Ok(false);
        }
        for edge in self.edges.iter().filter(|e| e.is_within(statements)) {
            if self.cluster_of(edge.source) != self.cluster_of(edge.sink)
                && is_short(edge, band, budget)?
                && self.is_full(edge, budget)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether sources or sinks of an edge are not only a border of what is executed.
    fn is_full(&self, edge: &Edge, budget: &mut Budget) -> Result<bool, Stop> {
        let source = fixed_dimensions(&edge.relation.domain(), budget)?;
        let sink = fixed_dimensions(&edge.relation.range(), budget)?;
        let statements = &self.context.statements;
        Ok(source <= statements[edge.source].fixed || sink <= statements[edge.sink].fixed)
    }
}

/// Whether fusion costs loops that can be permuted or, unless locality comes first, an outer
/// parallel loop or complete parallelism.
fn loses(parts: &[&Band], band: &Band, preference: Preference) -> bool {
    if parts.iter().any(|b| b.depth() > band.depth()) {
        return true;
    }
    if preference == Preference::Locality {
        return false;
    }
    let is_parallel = |band: &Band| band.coincident() == band.depth();
    let has_outer = |band: &Band| band.members.first().is_some_and(|m| m.coincident);
    (parts.iter().any(|b| has_outer(b)) && !has_outer(band))
        || (parts.iter().all(|b| is_parallel(b)) && !is_parallel(band))
}

fn is_short(edge: &Edge, band: &Band, budget: &mut Budget) -> Result<bool, Stop> {
    for rows in band.dimensions() {
        if !edge.is_within_distance(rows, SHORT, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}
