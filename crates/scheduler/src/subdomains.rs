//! Index-set splitting: statements and their subdomains.
//!
//! # Definitions
//! A *subdomain* is a statement of its own with a part of the instances of one. Subdomains are
//! scheduled and lowered as statements; what comes out is *joined*: in the tree, subdomains become
//! parts of their statements again, filters on instances and functions by subdomains.
//!
//! # Invariants
//! The subdomains of a statement are disjoint and together they are the statement; so a legal tree
//! of the subdomains is a legal tree of the statements.

use std::collections::BTreeMap;

use poly_dependence::Dependence;
use poly_presburger::{
    Budget, DimKind, Id, Map, MultiUnionPwAff, PwAff, Set, Space, Stop, Tuple, UnionPwAff, UnionSet,
};
use poly_schedule_tree::{Band, NodeKind, ScheduleTree, Tree};

use crate::problem::Problem;

/// Programs are not split into more subdomains.
pub(crate) const MAX_SUBDOMAINS: usize = 24;
/// Nor where that makes more dependences: statements that an unrolled loop has made have hundreds,
/// and scheduling all of their subdomains would take longer than everything else.
pub(crate) const MAX_DEPENDENCES: usize = 512;

/// A part of a statement.
#[derive(Clone, Debug)]
pub struct Subdomain {
    /// The number of the statement.
    pub statement: usize,
    /// Its instances, with a name of their own, or that of the statement if it is not cut.
    pub domain: Set,
    /// The same under the name of the statement, without what is known of its domain.
    pub(crate) side: Set,
}

/// Statements split into subdomains, with the dependences between those.
#[derive(Debug)]
pub struct Subdomains {
    subdomains: Vec<Subdomain>,
    dependences: Vec<Dependence>,
}

impl Subdomains {
    pub(crate) fn new(subdomains: Vec<Subdomain>, dependences: Vec<Dependence>) -> Subdomains {
        Subdomains { subdomains, dependences }
    }

    /// The subdomains.
    pub fn subdomains(&self) -> &[Subdomain] {
        &self.subdomains
    }

    /// The dependences between subdomains, which are named by their positions.
    pub fn dependences(&self) -> &[Dependence] {
        &self.dependences
    }

    /// A schedule of the subdomains as one of the statements, given by their domains.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn joined(&self, tree: &ScheduleTree, domains: &[Set], budget: &mut Budget) -> Result<ScheduleTree, Stop> {
        let root = tree.tree().child().try_map_bottom_up(&mut |node: Tree| {
            Ok::<Tree, Stop>(match node.kind() {
                NodeKind::Filter(filter) => {
                    node.with_kind(NodeKind::Filter(self.joined_filter(filter, domains, budget)?))
                }
                NodeKind::Band(band) => node.with_kind(NodeKind::Band(self.joined_band(band, domains))),
                _ => node,
            })
        })?;
        Ok(ScheduleTree::new(UnionSet::from_members(domains.iter().cloned()), root))
    }

    /// For each statement the positions of its subdomains that a test holds for.
    fn by_statement(&self, mut is_here: impl FnMut(&Tuple) -> bool) -> BTreeMap<usize, Vec<usize>> {
        let mut result: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (position, subdomain) in self.subdomains.iter().enumerate() {
            if subdomain.domain.tuple().is_some_and(&mut is_here) {
                result.entry(subdomain.statement).or_default().push(position);
            }
        }
        result
    }

    fn joined_filter(&self, filter: &UnionSet, domains: &[Set], budget: &mut Budget) -> Result<UnionSet, Stop> {
        let here = self.by_statement(|tuple| filter.get_tuple(tuple).is_some());
        let all = |statement: usize| self.subdomains.iter().filter(|p| p.statement == statement).count();
        let mut result = Vec::new();
        for (&statement, positions) in &here {
            if positions.len() == all(statement) {
                result.push(Set::universe(domains[statement].space().clone()));
                continue;
            }
            let sides = positions.iter().map(|&position| self.subdomains[position].side.clone());
            let union = sides.reduce(|a, b| a.union(&b)).expect("there is a subdomain");
            result.push(union.coalesce(budget)?);
        }
        Ok(UnionSet::from_members(result))
    }

    fn joined_band(&self, band: &Band, domains: &[Set]) -> Band {
        let members = band.schedule.members().iter().map(|member| {
            let here = self.by_statement(|tuple| member.get(tuple).is_some());
            UnionPwAff::from_members(here.iter().map(|(&statement, positions)| {
                let name = domains[statement].tuple_name().cloned();
                let own = |&position: &usize| {
                    let tuple = self.subdomains[position].domain.tuple().expect("a subdomain has a tuple");
                    member.get(tuple).expect("the function is defined here").set_domain_tuple_name(name.clone())
                };
                let functions: Vec<PwAff> = positions.iter().map(own).collect();
                if functions.iter().all(|function| *function == functions[0]) {
                    return functions[0].clone();
                }
                let parts = functions.iter().zip(positions).map(|(f, &p)| f.intersect_domain(&self.subdomains[p].side));
                parts.reduce(|a, b| a.union_disjoint(&b)).expect("there is a subdomain")
            }))
        });
        let schedule = MultiUnionPwAff::new(band.schedule.tuple().clone(), members.collect());
        Band { schedule, isolate: None, ..band.clone() }
    }
}

/// Names of statements and their subdomains.
pub(crate) struct Names {
    pub(crate) of: Vec<Id>,
}

impl Names {
    pub(crate) fn of(problem: &Problem<'_>) -> Names {
        let name = |domain: &Set| domain.tuple_name().cloned().unwrap_or_else(|| Id::new("S"));
        Names { of: problem.domains.iter().map(name).collect() }
    }

    /// A name that no statement has.
    pub(crate) fn subdomain(&self, statement: usize, number: usize) -> Id {
        let base = format!("{}_{number}", self.of[statement].as_str());
        let candidates = std::iter::once(base.clone()).chain((0..).map(|n| format!("{base}_{n}")));
        let mut free = candidates.filter(|name| !self.of.iter().any(|other| other.as_str() == name));
        Id::new(&free.next().expect("there are enough names"))
    }
}

/// All parameters of a problem, as a space.
pub(crate) fn parameters(problem: &Problem<'_>) -> Space {
    let mut params = problem.context.space().params_space();
    let spaces = problem.domains.iter().map(|d| d.space()).chain(problem.times.iter().map(Map::space));
    for space in spaces.chain(problem.dependences.iter().map(|d| d.relation.space())) {
        params = params.align(space).params_space();
    }
    params
}

/// The subdomains of the ends of a dependence, in all combinations.
pub(crate) fn pairs(subdomains: &[Subdomain], dependence: &Dependence) -> Vec<(usize, usize)> {
    let of = |statement: usize| (0..subdomains.len()).filter(move |&p| subdomains[p].statement == statement);
    of(dependence.source.0).flat_map(|source| of(dependence.sink.0).map(move |sink| (source, sink))).collect()
}

/// A dependence between two subdomains.
pub(crate) fn between(dependence: &Dependence, (source, sink): (usize, usize), domains: &[Set]) -> Dependence {
    let name = |p: usize| domains[p].tuple_name().cloned();
    let relation = dependence
        .relation
        .set_tuple_name(DimKind::In, name(source))
        .set_tuple_name(DimKind::Out, name(sink))
        .intersect_domain(&domains[source])
        .intersect_range(&domains[sink]);
    let (source, sink) = ((source, dependence.source.1), (sink, dependence.sink.1));
    Dependence { source, sink, relation, ..dependence.clone() }
}
