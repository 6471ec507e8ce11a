//! The nearest accesses of the same element in the past or in the future.
//!
//! # Problem
//! Given an access, the *query* (see [`crate::prepare`]), and *candidates*, accesses of which some
//! *kill* what lies behind them: for every query instance, find the nearest killing candidate
//! instance that is executed before (or after) it and touches the same element, and all instances
//! of the other candidates that are nearer.
//!
//! # Algorithm, after [Feautrier1991]
//! Two instances are *ordered at level* `l` when their times agree before `l` and differ at `l`.
//! The deeper the level, the nearer the instances; deepest of all are two accesses of the same
//! instance. From the deepest level outwards:
//!
//! 0. Where the times of all killing candidates at this level are constants, as those of places in
//!    the text are, groups of equal times are treated one after the other, the nearest first, each
//!    for the queries that are left by the ones before; it ends when none is left. Else all are one
//!    group.
//! 1. Per killing candidate, the lexicographically last (first) instance ordered at this level, as
//!    a function of the query.
//! 2. Where several candidates have one, compare their times level by level, and for equal times
//!    the positions of the accesses in the statement; the nearer one remains.
//! 3. Other candidates contribute all their instances at this level that are nearer than the result
//!    of step 2.
//! 4. Queries with a killing candidate are finished; the rest goes on to the next level outwards.
//!
//! # Invariants
//! The functions collected at one level have disjoint domains. What is left in [`Nearest::rest`] at
//! the end has no killing candidate.

use std::collections::BTreeMap;

use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Map, Set, Space};

use crate::constraints::{Placed, Sign, constant_sign, difference, negative, positive, zero};
use crate::prepare::Program;

/// Where to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Towards {
    /// Among what is executed before the query.
    Past,
    /// Among what is executed after it.
    Future,
}

/// An access that may be found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    /// Statement and position.
    pub(crate) access: (usize, usize),
    /// It kills what lies behind it.
    pub(crate) kills: bool,
}

/// Instances of a candidate.
#[derive(Debug)]
pub(crate) struct Found {
    /// Index of the candidate.
    pub(crate) candidate: usize,
    /// From query instances (not pairs) to candidate instances.
    pub(crate) relation: Map,
    /// Query and candidate belong to the same instance.
    pub(crate) same_instance: bool,
}

/// The answer for one query.
#[derive(Debug)]
pub(crate) struct Nearest {
    /// What was found, deepest level first.
    pub(crate) found: Vec<Found>,
    /// Query instances (not pairs) for which no killing candidate exists.
    pub(crate) rest: Set,
}

/// The instance of a candidate as a function of the query.
#[derive(Debug)]
struct Winner {
    candidate: usize,
    domain: Set,
    graph: Map,
}

/// So many winners are taken away together.
const MANY_WINNERS: usize = 8;

struct Search<'a> {
    program: &'a Program,
    query: (usize, usize),
    candidates: &'a [Candidate],
    towards: Towards,
    /// Per candidate and level: pairs that touch the same element and agree in time before the
    /// level.
    prefixes: Vec<Vec<Map>>,
}

/// Solves the problem of the module for one query.
pub(crate) fn nearest(
    program: &Program,
    query: (usize, usize),
    candidates: &[Candidate],
    towards: Towards,
    budget: &mut Budget,
) -> Result<Nearest, Stop> {
    let mut search = Search { program, query, candidates, towards, prefixes: Vec::new() };
    for candidate in candidates {
        let prefixes = search.prefixes(*candidate, budget)?;
        search.prefixes.push(prefixes);
    }
    let mut rest = program.access(query).query.domain();
    let mut found = Vec::new();
    for level in (0..=program.levels).rev() {
        if search.prefixes.iter().all(|p| p.len() <= level) {
            continue;
        }
        budget.spend(1)?;
        rest = search.level(level, rest, &mut found, budget)?;
        if rest.is_empty(budget)? {
            break;
        }
    }
    for entry in &mut found {
        entry.relation = search.unpaired(&entry.relation).coalesce(budget)?;
    }
    Ok(Nearest { found, rest: search.unpaired_set(rest).coalesce(budget)? })
}

/// The queries (pairs, where the query is paired) for which no candidate exists on the searched
/// side.
pub(crate) fn uncovered(
    program: &Program,
    query: (usize, usize),
    candidates: &[Candidate],
    towards: Towards,
    budget: &mut Budget,
) -> Result<Set, Stop> {
    let mut search = Search { program, query, candidates, towards, prefixes: Vec::new() };
    let mut rest = program.access(query).query.domain();
    for (index, candidate) in candidates.iter().enumerate() {
        let prefixes = search.prefixes(*candidate, budget)?;
        search.prefixes.push(prefixes);
        if rest.is_empty(budget)? {
            break;
        }
        for level in (0..=program.levels).rev() {
            if let Some(pairs) = search.ordered(index, level, budget)? {
                rest = rest.subtract(&pairs.domain(), budget)?.coalesce(budget)?;
            }
        }
    }
    Ok(rest)
}

/// The pairs whose queries are in a set. Every piece of the one meets every piece of the other, of
/// which there may be thousands.
fn within(pairs: &Map, queries: &Set, budget: &mut Budget) -> Result<Map, Stop> {
    pairs.charge_intersection(queries, budget)?;
    Ok(pairs.intersect_domain(queries))
}

/// The pairs of both relations.
pub(crate) fn both(a: &Map, b: &Map, budget: &mut Budget) -> Result<Map, Stop> {
    a.charge_intersection(b, budget)?;
    Ok(a.intersect(b))
}

impl Search<'_> {
    /// The pairs of query and candidate that touch the same element, restricted level by level to
    /// equal times; ends before the first empty relation.
    fn prefixes(&self, candidate: Candidate, budget: &mut Budget) -> Result<Vec<Map>, Stop> {
        let query = self.program.access(self.query);
        let other = self.program.access(candidate.access);
        let mut result = Vec::new();
        if query.relation.space().range != other.relation.space().range {
            return Ok(result);
        }
        if query.is_plainly_elsewhere(other) {
            return Ok(result);
        }
        query.query.charge_intersection(&other.relation, budget)?;
        let mut pairs = query.query.apply_range(&other.relation.reverse());
        if pairs.is_empty(budget)? {
            return Ok(result);
        }
        result.push(pairs.clone());
        for level in 0..self.program.levels {
            let row = self.to_candidate(candidate, level, pairs.space());
            match constant_sign(&row) {
                Sign::Zero => {}
                Sign::Positive | Sign::Negative => break,
                Sign::Unknown => {
                    pairs = both(&pairs, &zero(pairs.space(), row), budget)?;
                    if pairs.is_empty(budget)? {
                        break;
                    }
                }
            }
            result.push(pairs.clone());
        }
        Ok(result)
    }

    /// Time of the candidate minus time of the query.
    fn to_candidate(&self, candidate: Candidate, level: usize, space: &Space) -> Vec<poly_arith::Int> {
        let time = &self.program.statements[candidate.access.0].time;
        let later = Placed { time, at: space.offset(DimKind::Out) };
        let time = &self.program.statements[self.query.0].time;
        let earlier = Placed { time, at: space.offset(DimKind::In) };
        difference(later, earlier, level, self.program.params.len(), 1 + space.n_var())
    }

    /// The pairs that are ordered in the direction of the search at a level.
    fn ordered(&self, index: usize, level: usize, budget: &mut Budget) -> Result<Option<Map>, Stop> {
        let candidate = self.candidates[index];
        let Some(prefix) = self.prefixes[index].get(level) else { return Ok(None) };
        if level == self.program.levels {
            return Ok(self.is_ahead_in_instance(candidate).then(|| prefix.clone()));
        }
        let row = self.to_candidate(candidate, level, prefix.space());
        let (wanted, constraint) = match self.towards {
            Towards::Past => (Sign::Negative, negative(prefix.space(), row.clone())),
            Towards::Future => (Sign::Positive, positive(prefix.space(), row.clone())),
        };
        let pairs = match constant_sign(&row) {
            Sign::Unknown => both(prefix, &constraint, budget)?,
            sign if sign == wanted => prefix.clone(),
            _ => return Ok(None),
        };
        Ok(if pairs.is_empty(budget)? { None } else { Some(pairs) })
    }

    /// Within one instance: the candidate is another access on the side of the query that is
    /// searched.
    fn is_ahead_in_instance(&self, candidate: Candidate) -> bool {
        candidate.access.0 == self.query.0
            && match self.towards {
                Towards::Past => candidate.access.1 < self.query.1,
                Towards::Future => candidate.access.1 > self.query.1,
            }
    }

    /// Steps 0 to 4 at one level. Returns the queries that are not finished.
    fn level(&self, level: usize, rest: Set, found: &mut Vec<Found>, budget: &mut Budget) -> Result<Set, Stop> {
        let same_instance = level == self.program.levels;
        let mut winners: Vec<Winner> = Vec::new();
        let mut left = rest.clone();
        for group in self.groups(level) {
            let mut nearest: Vec<Winner> = Vec::new();
            for index in group {
                let Some(pairs) = self.ordered(index, level, budget)? else { continue };
                let pairs = within(&pairs, &left, budget)?;
                if pairs.is_empty(budget)? {
                    continue;
                }
                let graph = self.optimum(self.candidates[index].access.0, &pairs, budget)?;
                let domain = graph.domain();
                self.insert(&mut nearest, Winner { candidate: index, domain, graph }, level, budget)?;
            }
            if nearest.is_empty() {
                continue;
            }
            left = without_domains(left, &nearest, budget)?;
            winners.append(&mut nearest);
            if left.is_empty(budget)? {
                break;
            }
        }
        for (index, _) in self.candidates.iter().enumerate().filter(|(_, candidate)| !candidate.kills) {
            let Some(pairs) = self.ordered(index, level, budget)? else { continue };
            let pairs = within(&pairs, &rest, budget)?;
            let relation = self.nearer_than(&winners, index, pairs, level, budget)?;
            push_found(found, index, relation, same_instance, budget)?;
        }
        winners.sort_by_key(|winner| winner.candidate);
        for winner in winners {
            push_found(found, winner.candidate, winner.graph, same_instance, budget)?;
        }
        Ok(left)
    }

    /// The killing candidates that may be ordered at a level, in groups of equal times there, the
    /// nearest one first.
    fn groups(&self, level: usize) -> Vec<Vec<usize>> {
        let killing = self.candidates.iter().enumerate().filter(|(_, candidate)| candidate.kills);
        let possible = killing.filter(|(index, _)| self.prefixes[*index].len() > level);
        let all: Vec<usize> = possible.map(|(index, _)| index).collect();
        let mut groups: BTreeMap<&poly_arith::Int, Vec<usize>> = BTreeMap::new();
        for &index in &all {
            let time = self.program.statements[self.candidates[index].access.0].time.get(level);
            match time.and_then(|row| row.split_first()) {
                Some((constant, rest)) if rest.iter().all(poly_arith::Int::is_zero) => {
                    groups.entry(constant).or_default().push(index);
                }
                _ => return vec![all],
            }
        }
        match self.towards {
            Towards::Past => groups.into_values().rev().collect(),
            Towards::Future => groups.into_values().collect(),
        }
    }

    /// The nearest instance per query, among instances of one statement.
    fn optimum(&self, statement: usize, pairs: &Map, budget: &mut Budget) -> Result<Map, Stop> {
        let statement = &self.program.statements[statement];
        if statement.lexicographic {
            return self.lexicographic_optimum(pairs, budget);
        }
        let space = pairs.space();
        let levels = self.program.levels;
        let timed = pairs.insert_dims(DimKind::Out, 0, levels);
        let at = timed.space().offset(DimKind::Out);
        let columns = 1 + timed.space().n_var();
        let instance = Placed { time: &statement.time, at: at + levels };
        let identity: Vec<Vec<poly_arith::Int>> = (0..levels)
            .map(|l| {
                let mut row = vec![poly_arith::Int::ZERO; 1 + self.program.params.len() + levels];
                row[1 + self.program.params.len() + l] = poly_arith::Int::ONE;
                row
            })
            .collect();
        let time = Placed { time: &identity, at };
        let timed = (0..levels).fold(timed.clone(), |map, level| {
            let row = difference(time, instance, level, self.program.params.len(), columns);
            map.intersect(&zero(timed.space(), row))
        });
        let best = self.lexicographic_optimum(&timed, budget)?;
        let tuple = space.range.clone().expect("a map has a range");
        Ok(best.project_out(DimKind::Out, 0, levels).set_tuple(DimKind::Out, tuple))
    }

    fn lexicographic_optimum(&self, pairs: &Map, budget: &mut Budget) -> Result<Map, Stop> {
        Ok(match self.towards {
            Towards::Past => pairs.lexmax(budget)?,
            Towards::Future => pairs.lexmin(budget)?,
        }
        .to_map())
    }

    /// Adds a winner; where it meets others the nearer one remains.
    fn insert(
        &self,
        winners: &mut Vec<Winner>,
        mut new: Winner,
        level: usize,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        for old in winners.iter_mut() {
            let old_place = self.candidates[old.candidate].access;
            let new_place = self.candidates[new.candidate].access;
            // A query touches one element.
            if self.program.access(old_place).is_plainly_elsewhere(self.program.access(new_place)) {
                continue;
            }
            if both(&old.domain, &new.domain, budget)?.is_empty(budget)? {
                continue;
            }
            old.graph.charge_intersection(&new.graph, budget)?;
            let pairs = old.graph.flat_range_product(&new.graph);
            let (new_nearer, old_nearer) = self.split(&pairs, old_place, new_place, level, budget)?;
            let (old_loses, new_loses) = (new_nearer.domain(), old_nearer.domain());
            old.remove(&old_loses, budget)?;
            new.remove(&new_loses, budget)?;
        }
        winners.retain(|winner| !winner.domain.plain_is_empty());
        if !new.domain.is_empty(budget)? {
            winners.push(new);
        }
        Ok(())
    }

    /// Splits triples `query -> [a, b]` of two candidates ordered at the same level: where `b` is
    /// nearer, and where `a` is.
    fn split(
        &self,
        triples: &Map,
        a: (usize, usize),
        b: (usize, usize),
        level: usize,
        budget: &mut Budget,
    ) -> Result<(Map, Map), Stop> {
        let space = triples.space().clone();
        let at = space.offset(DimKind::Out);
        let [a_time, b_time] = [a, b].map(|access| &self.program.statements[access.0].time);
        let a_dims = self.program.statements[a.0].tuple.n();
        let (a_placed, b_placed) = (Placed { time: a_time, at }, Placed { time: b_time, at: at + a_dims });
        let mut b_later = Map::empty(space.clone());
        let mut a_later = Map::empty(space.clone());
        let mut equal = triples.clone();
        for k in level..self.program.levels {
            let row = difference(b_placed, a_placed, k, self.program.params.len(), 1 + space.n_var());
            match constant_sign(&row) {
                Sign::Zero => continue,
                Sign::Positive => b_later = b_later.union(&equal),
                Sign::Negative => a_later = a_later.union(&equal),
                Sign::Unknown => {
                    b_later = b_later.union(&both(&equal, &positive(&space, row.clone()), budget)?);
                    a_later = a_later.union(&both(&equal, &negative(&space, row.clone()), budget)?);
                    equal = both(&equal, &zero(&space, row), budget)?;
                    if !equal.is_empty(budget)? {
                        continue;
                    }
                }
            }
            equal = Map::empty(space.clone());
            break;
        }
        // Equal times: the same instance, so the positions of the accesses decide.
        if a.1 <= b.1 {
            b_later = b_later.union(&equal);
        } else {
            a_later = a_later.union(&equal);
        }
        Ok(match self.towards {
            Towards::Past => (b_later, a_later),
            Towards::Future => (a_later, b_later),
        })
    }

    /// The part of `pairs` of a candidate that kills nothing which is not killed by the winners.
    fn nearer_than(
        &self,
        winners: &[Winner],
        index: usize,
        pairs: Map,
        level: usize,
        budget: &mut Budget,
    ) -> Result<Map, Stop> {
        let mut result = Map::empty(pairs.space().clone());
        let mut free = pairs.domain();
        for winner in winners {
            let place = self.candidates[winner.candidate].access;
            let met = within(&pairs, &winner.domain, budget)?;
            if met.is_empty(budget)? {
                continue;
            }
            winner.graph.charge_intersection(&met, budget)?;
            let triples = winner.graph.flat_range_product(&met);
            let (nearer, _) = self.split(&triples, place, self.candidates[index].access, level, budget)?;
            let dims = self.program.statements[place.0].tuple.n();
            let tuple = pairs.space().range.clone().expect("a map has a range");
            let nearer = nearer.project_out(DimKind::Out, 0, dims).set_tuple(DimKind::Out, tuple);
            result = result.union(&nearer);
            free = free.subtract(&winner.domain, budget)?;
        }
        Ok(result.union(&within(&pairs, &free, budget)?))
    }

    /// A relation on queries as a relation on the instances they belong to.
    fn unpaired(&self, relation: &Map) -> Map {
        if !self.program.access(self.query).paired {
            return relation.clone();
        }
        let tuple = &self.program.statements[self.query.0].tuple;
        let elements = relation.space().dim(DimKind::In) - tuple.n();
        relation.project_out(DimKind::In, tuple.n(), elements).set_tuple(DimKind::In, tuple.clone())
    }

    /// A set of queries as the set of the instances they belong to.
    fn unpaired_set(&self, set: Set) -> Set {
        if !self.program.access(self.query).paired {
            return set;
        }
        let tuple = &self.program.statements[self.query.0].tuple;
        let elements = set.space().dim(DimKind::Out) - tuple.n();
        set.project_out(DimKind::Out, tuple.n(), elements).set_tuple(tuple.clone())
    }
}

impl Winner {
    fn remove(&mut self, part: &Set, budget: &mut Budget) -> Result<(), Stop> {
        if part.is_empty(budget)? {
            return Ok(());
        }
        self.domain = self.domain.subtract(part, budget)?.coalesce(budget)?;
        self.graph = within(&self.graph, &self.domain, budget)?;
        Ok(())
    }
}

/// The queries for which there is no winner. Many winners, as the elements of an unrolled loop are,
/// mostly have domains that together say less than one by one, and would cut what is left in as
/// many pieces.
fn without_domains(left: Set, winners: &[Winner], budget: &mut Budget) -> Result<Set, Stop> {
    let mut domains = winners.iter().map(|winner| winner.domain.clone());
    let left = if winners.len() < MANY_WINNERS {
        domains.try_fold(left, |left, domain| left.subtract(&domain, budget))?
    } else {
        let none = Set::empty(left.space().clone());
        left.subtract(&none.union_all(domains).coalesce(budget)?, budget)?
    };
    left.coalesce(budget)
}

fn push_found(
    found: &mut Vec<Found>,
    candidate: usize,
    relation: Map,
    same_instance: bool,
    budget: &mut Budget,
) -> Result<(), Stop> {
    if !relation.is_empty(budget)? {
        found.push(Found { candidate, relation, same_instance });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `count` far intervals in one line.
    fn intervals(count: usize) -> Set {
        let pieces: Vec<String> = (0..count).map(|i| format!("{} <= i <= {}", 10 * i, 10 * i + 5)).collect();
        format!("{{ S[i] : {} }}", pieces.join(" or ")).parse().expect("the test's set parses")
    }

    #[test]
    fn what_meets_is_paid() {
        let queries = intervals(60);
        let pairs: Map = "{ S[i] -> T[i] }".parse().expect("the test's map parses");
        let pairs = pairs.intersect_domain(&queries);
        let mut budget = Budget::unlimited();
        let all = within(&pairs, &queries, &mut budget).expect("no limit");
        assert!(all.is_equal(&pairs, &mut Budget::unlimited()).expect("no limit"));
        assert!(budget.spent() >= 60 * 60 * 16, "{} steps", budget.spent());
        assert_eq!(within(&pairs, &queries, &mut Budget::new(50_000)), Err(Stop));
        assert_eq!(both(&pairs, &pairs.clone().union(&pairs), &mut Budget::new(50_000)), Err(Stop));
    }
}
