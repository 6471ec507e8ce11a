//! Places of rewrites in schedule trees.
//!
//! # Problem
//! A log is text that people read and write, and that is replayed on a tree that is built again.
//! Paths of child numbers say nothing to people, and node numbers change with every step.
//!
//! # Definition
//! `S[k]` is the `k`-th band, from 0 and in preorder, that executes instances of the statement `S`.
//! Where a statement is not cut by filters, these are the bands around it from the outermost one
//! on.

use std::fmt;

use poly_presburger::{DimKind, Id, Set, Tuple, UnionPwAff, UnionSet};
use poly_schedule_tree::{Band, Node, NodeKind, ScheduleTree};

use crate::refusal::Refusal;

/// A band, by one of its statements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// The statement.
    pub statement: Id,
    /// Its how manyth band this is.
    pub band: usize,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.statement, self.band)
    }
}

/// A band with what is above it.
#[derive(Clone, Debug)]
pub struct Located {
    /// The statement that it was found by.
    pub statement: Id,
    /// The cursor at the band.
    pub node: Node,
    /// The bands above, outermost first.
    pub outer: Vec<Band>,
    /// The instances that reach it.
    pub reach: UnionSet,
    /// Filters above leave only some of the instances of a statement that reaches it.
    pub is_cut: bool,
}

impl Located {
    /// The band of a site.
    ///
    /// # Errors
    /// [`Refusal::NoSite`] if the tree has no such band, [`Refusal::Instances`] if nodes above
    /// change the instances.
    pub fn find(tree: &ScheduleTree, site: &Site) -> Result<Located, Refusal> {
        let bands = tree.band_nodes().into_iter().filter_map(|node| Located::at(node, &site.statement));
        let mut of_statement = bands.filter(|at| has(&at.reach, &site.statement));
        match of_statement.nth(site.band) {
            Some(at) => Ok(at),
            None if has(tree.domain(), &site.statement) => Err(Refusal::NoSite(site.clone())),
            None => Err(Refusal::NoStatement(site.statement.clone())),
        }
    }

    /// The band at a cursor, with a statement that it is called by; `None` below nodes that add or
    /// replace instances.
    pub fn at(node: Node, statement: &Id) -> Option<Located> {
        let (reach, is_cut) = reach(&node)?;
        Some(Located { statement: statement.clone(), outer: outer(&node), node, reach, is_cut })
    }

    /// The band.
    pub fn band(&self) -> &Band {
        self.node.band().expect("a site is a band")
    }

    /// The functions of the loops above, outermost first, but those whose values are rounded to
    /// multiples of a parameter.
    pub fn prefix(&self) -> Vec<&UnionPwAff> {
        let members =
            |band: &'_ Band| -> Vec<usize> { (0..band.n_member()).filter(|&m| band.grids[m].is_none()).collect() };
        self.outer.iter().flat_map(|band| members(band).into_iter().map(|m| band.schedule.get(m))).collect()
    }

    /// Whether a loop of the band goes over tiles.
    pub fn is_over_tiles(&self) -> bool {
        self.band().has_grid() || self.band().schedule.members().iter().any(super::oracle::is_quotient)
    }

    /// Whether a statement reaches the band.
    pub fn executes(&self, tuple: &Tuple) -> bool {
        self.reach.get_tuple(tuple).is_some()
    }

    /// The names of the statements that reach it.
    pub fn statements(&self) -> Vec<Id> {
        names(&self.reach)
    }
}

/// All sites of a tree, each named by the first statement that reaches it.
pub fn sites(tree: &ScheduleTree) -> Vec<Site> {
    let mut seen: Vec<(Id, usize)> = Vec::new();
    let mut sites = Vec::new();
    for node in tree.band_nodes() {
        let Some((reach, _)) = reach(&node) else { continue };
        for (position, statement) in names(&reach).into_iter().enumerate() {
            let known = seen.iter().position(|(name, _)| *name == statement);
            let at = known.unwrap_or_else(|| {
                seen.push((statement.clone(), 0));
                seen.len() - 1
            });
            if position == 0 {
                sites.push(Site { statement, band: seen[at].1 });
            }
            seen[at].1 += 1;
        }
    }
    sites
}

fn names(instances: &UnionSet) -> Vec<Id> {
    let tuples = instances.iter().filter_map(|set| set.space().tuple(DimKind::Out));
    tuples.filter_map(Tuple::name_str).map(Id::new).collect()
}

fn has(instances: &UnionSet, statement: &Id) -> bool {
    instances.get_named(statement.as_str()).is_some()
}

fn outer(node: &Node) -> Vec<Band> {
    let band = |kind: &NodeKind| if let NodeKind::Band(band) = kind { Some(band.clone()) } else { None };
    node.ancestor_kinds().filter_map(band).collect()
}

/// The instances that reach a node, and whether filters cut those of a statement apart; `None`
/// below nodes that add or replace instances.
fn reach(node: &Node) -> Option<(UnionSet, bool)> {
    let mut reach: Option<UnionSet> = None;
    let mut is_cut = false;
    for kind in node.ancestor_kinds() {
        match kind {
            NodeKind::Domain(domain) => reach = Some(domain.clone()),
            NodeKind::Filter(filter) => {
                let before = reach?;
                let whole = |set: &Set| {
                    let tuple = set.space().tuple(DimKind::Out);
                    let own = tuple.and_then(|tuple| filter.get_tuple(tuple));
                    own.is_none_or(|own| own.plain_is_universe() || own == set)
                };
                is_cut |= !before.iter().all(whole);
                reach = Some(before.intersect(filter));
            }
            NodeKind::Expansion { .. } | NodeKind::Extension(_) => return None,
            _ => {}
        }
    }
    reach.map(|reach| (reach.filter(|set| !set.basics().is_empty()), is_cut))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The only band of a tree with two loops.
    pub(in crate::rewrite) fn located() -> Located {
        let text = r#"
            domain: "[n] -> { S[t, i] : 0 <= t < n and 0 <= i < n }"
            child:
              schedule: "[n] -> [{ S[t, i] -> [(t)] }, { S[t, i] -> [(i)] }]"
        "#;
        let tree: ScheduleTree = text.parse().expect("the tree can be read");
        Located::find(&tree, &Site { statement: Id::new("S"), band: 0 }).expect("there is a band")
    }

    #[test]
    fn bands_are_counted_for_each_statement() {
        let text = r#"
            domain: "{ S[i] : 0 <= i < 9; T[i, j] : 0 <= i, j < 9 }"
            child:
              schedule: "[{ S[i] -> [(i)]; T[i, j] -> [(i)] }]"
              child:
                sequence:
                - filter: "{ S[i] }"
                - filter: "{ T[i, j] : j < 4 }"
                  child:
                    schedule: "[{ T[i, j] -> [(j)] }]"
                - filter: "{ T[i, j] : j >= 4 }"
                  child:
                    schedule: "[{ T[i, j] -> [(j)] }]"
        "#;
        let tree: ScheduleTree = text.parse().expect("the tree can be read");
        let all: Vec<String> = sites(&tree).iter().map(Site::to_string).collect();
        assert_eq!(all, ["S[0]", "T[1]", "T[2]"]);
        let site = |band| Site { statement: Id::new("T"), band };
        let cut = Located::find(&tree, &site(2)).expect("it is there");
        assert!(cut.is_cut && cut.statements() == [Id::new("T")] && cut.outer.len() == 1);
        assert!(!Located::find(&tree, &site(0)).expect("it is there").is_cut);
        assert!(matches!(Located::find(&tree, &site(3)), Err(Refusal::NoSite(_))));
    }
}
