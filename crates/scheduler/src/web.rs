//! Live ranges that may change places in a band.
//!
//! # Problem
//! A conditional dependence `x -> y` (see [`poly_dependence::with_live_ranges`]) keeps two live
//! ranges of an element apart. Where both are executed at one point of a band, all of their
//! instances at equal values of all members, the points of the band may be executed in any order:
//! the live ranges stay apart whichever comes first.
//!
//! # Definitions
//! A *web* is a set of accesses connected by conditional dependences and by the flow dependences of
//! their live ranges; in most cases all accesses of an array. A web is *local* to a band if none of
//! its flow dependences has a distance in any member.
//!
//! # Method [Verdoolaege2016]
//! The conditional edges of a web are ignored in a band that is made such that the web is local to
//! it, and keep their order in all others. Which of the two is decided for a whole band, not member
//! by member: of two live ranges that are at equal values of one member and not local to it,
//! another member must not change the order.
//!
//! Below a band that a web is not local to, its conditional edges are ordinary ones: the live
//! ranges reach beyond what is scheduled there. So they are for statements that are put in sequence
//! with the other end of a flow edge of their web.

use std::collections::{BTreeMap, BTreeSet};

use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::budget::{Budget, Stop};

use crate::edge::{Edge, Edges, Role, Rows};

/// The number of a web by statement and access, for all accesses that belong to one.
#[derive(Debug, Default)]
pub(crate) struct Webs(BTreeMap<(usize, usize), usize>);

impl Webs {
    /// The webs of a list of dependences.
    pub(crate) fn of(dependences: &[Dependence]) -> Webs {
        let mut webs = Webs::default();
        for dependence in dependences.iter().filter(|d| d.conditional) {
            webs.join(dependence.source, dependence.sink);
        }
        loop {
            let before = (webs.0.len(), webs.count());
            for flow in dependences.iter().filter(|d| d.kind == DependenceKind::Flow) {
                if webs.0.contains_key(&flow.source) || webs.0.contains_key(&flow.sink) {
                    webs.join(flow.source, flow.sink);
                }
            }
            if (webs.0.len(), webs.count()) == before {
                return webs;
            }
        }
    }

    fn count(&self) -> usize {
        self.0.values().collect::<BTreeSet<_>>().len()
    }

    fn join(&mut self, a: (usize, usize), b: (usize, usize)) {
        let next = self.0.values().max().map_or(0, |last| last + 1);
        let [a, b] = [a, b].map(|access| self.0.get(&access).copied().ok_or(access));
        let web = a.or(b).unwrap_or(next);
        for end in [a, b] {
            match end {
                Ok(old) => self.0.values_mut().filter(|w| **w == old).for_each(|w| *w = web),
                Err(access) => {
                    self.0.insert(access, web);
                }
            }
        }
    }

    /// The web of a conditional dependence, or of a flow dependence of its live ranges.
    pub(crate) fn of_dependence(&self, dependence: &Dependence) -> Option<usize> {
        let counts = dependence.conditional || dependence.kind == DependenceKind::Flow;
        self.0.get(&dependence.source).copied().filter(|_| counts)
    }
}

/// The webs that have conditional edges among these.
pub(crate) fn free_webs(edges: &Edges) -> BTreeSet<usize> {
    edges.iter().filter(|e| e.role == Role::Conditional).filter_map(|e| e.web).collect()
}

/// The edges within a sorted list of statements, which are scheduled apart from the others.
pub(crate) fn inside(edges: &Edges, statements: &[usize]) -> Edges {
    let is_cut = |e: &&std::sync::Arc<Edge>| e.role == Role::Order && e.touches(statements) && !e.is_within(statements);
    let cut: BTreeSet<usize> = edges.iter().filter(is_cut).filter_map(|e| e.web).collect();
    let own: Edges = edges.iter().filter(|e| e.is_within(statements)).cloned().collect();
    ordered(own, &cut)
}

/// The edges below a band: the conditional ones of webs that are not local to it are ordinary ones.
/// (Pairs that are not at equal time are still there.)
pub(crate) fn below(edges: &Edges, members: &[&Rows], budget: &mut Budget) -> Result<Edges, Stop> {
    let free = free_webs(edges);
    let far = distant(edges, &free, members, budget)?;
    Ok(ordered(edges.clone(), &far))
}

/// Those of some webs that are not local to a band.
pub(crate) fn distant(
    edges: &Edges,
    webs: &BTreeSet<usize>,
    members: &[&Rows],
    budget: &mut Budget,
) -> Result<BTreeSet<usize>, Stop> {
    let mut result = BTreeSet::new();
    for edge in edges.iter().filter(|e| e.role == Role::Order) {
        let Some(web) = edge.web.filter(|web| webs.contains(web) && !result.contains(web)) else { continue };
        for rows in members {
            if !edge.is_coincident(rows, budget)? {
                result.insert(web);
                break;
            }
        }
    }
    Ok(result)
}

/// The edges, with the conditional ones of some webs as ordinary ones.
fn ordered(edges: Edges, webs: &BTreeSet<usize>) -> Edges {
    let is_free = |e: &Edge| e.role == Role::Conditional && e.web.is_some_and(|web| webs.contains(&web));
    edges.into_iter().map(|e| if is_free(&e) { e.ordered() } else { e }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dependence(kind: DependenceKind, source: (usize, usize), sink: (usize, usize), conditional: bool) -> Dependence {
        let relation = "{ S[i] -> S[i] }".parse().expect("a relation");
        Dependence { kind, source, sink, relation, reduction: false, conditional }
    }

    #[test]
    fn webs_are_connected_accesses() {
        let list = [
            // Two webs that a flow dependence joins, one of its own, and a flow dependence of none.
            dependence(DependenceKind::Anti, (1, 0), (0, 0), true),
            dependence(DependenceKind::Output, (3, 1), (3, 1), true),
            dependence(DependenceKind::Flow, (3, 1), (1, 0), false),
            dependence(DependenceKind::Anti, (5, 0), (4, 0), true),
            dependence(DependenceKind::Flow, (4, 0), (6, 0), false),
            dependence(DependenceKind::Flow, (7, 0), (8, 0), false),
            dependence(DependenceKind::Anti, (1, 0), (9, 0), false),
        ];
        let webs = Webs::of(&list);
        let numbers: Vec<Option<usize>> = list.iter().map(|d| webs.of_dependence(d)).collect();
        assert!(numbers[0].is_some() && numbers[3].is_some());
        assert_eq!(numbers, [numbers[0], numbers[0], numbers[0], numbers[3], numbers[3], None, None]);
        assert_ne!(numbers[0], numbers[3]);
    }
}
