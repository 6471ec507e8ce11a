//! Unions of many disjuncts.
//!
//! # Problem
//! The disjuncts of a relation are different from each other. To compare each new one with all
//! others is cheap for a few; for thousands, as the meeting of two unions has, it costs more than
//! to compute them.
//!
//! # Algorithm
//! From [`FEW`] disjuncts on, their positions are kept by a hash of their constraints. The result
//! is the same as that of comparing with all, in the same order.

use std::hash::BuildHasher;
use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use crate::basic::BasicMap;
use crate::budget::{Budget, Stop};
use crate::map::Map;

/// So many disjuncts are compared one by one.
const FEW: usize = 24;

/// What the meeting of two disjuncts costs apart from their constraints.
const INTERSECTION: u64 = 16;
/// What each constraint of two disjuncts that meet costs, apart from its length.
const CONSTRAINT: u64 = 2;
/// So many coefficients cost a step.
const COEFFICIENTS: u64 = 8;

/// A relation to which disjuncts are added.
pub(crate) struct Collection {
    map: Map,
    /// Positions by hash, once there are several disjuncts.
    places: FxHashMap<u64, SmallVec<[u32; 1]>>,
}

impl Collection {
    /// Begins with the disjuncts of a relation, to which `expected` others will be added.
    pub(crate) fn new(map: Map, expected: usize) -> Collection {
        let mut result = Collection { map, places: FxHashMap::default() };
        if result.map.basics.len() >= FEW && expected > 1 {
            result.find_places();
        }
        result
    }

    fn find_places(&mut self) {
        for (place, basic) in (0..).zip(&self.map.basics) {
            self.places.entry(hash(basic)).or_default().push(place);
        }
    }

    /// Adds a disjunct unless it is plainly empty or already there.
    pub(crate) fn push(&mut self, basic: impl Into<Arc<BasicMap>>) {
        let basic: Arc<BasicMap> = basic.into();
        if self.places.is_empty() {
            let before = self.map.basics.len();
            self.map.push(basic);
            if self.map.basics.len() > before && self.map.basics.len() == FEW {
                self.find_places();
            }
            return;
        }
        if basic.is_plainly_empty() {
            return;
        }
        if basic.is_universe() {
            // It may take the place of all others.
            self.places.clear();
            self.map.push(basic);
            if self.map.basics.len() >= FEW {
                self.find_places();
            }
            return;
        }
        let places = self.places.entry(hash(&basic)).or_default();
        if !places.iter().any(|&place| self.map.basics[place as usize] == basic) {
            places.push(u32::try_from(self.map.basics.len()).expect("memory has fewer disjuncts"));
            self.map.append(basic);
        }
    }

    pub(crate) fn into_map(self) -> Map {
        self.map
    }
}

fn hash(basic: &BasicMap) -> u64 {
    FxBuildHasher.hash_one((&basic.eqs, &basic.ineqs))
}

impl Map {
    /// All pairs of this relation and of the others: what [`Map::union`] gives with one after the
    /// other, but no disjunct is copied or looked up again for each of them.
    pub fn union_all(self, others: impl IntoIterator<Item = Map>) -> Map {
        let mut result = Collection::new(self, usize::MAX);
        for other in others {
            result.map.assert_same_tuples(&other, "union");
            if result.map.space.params == other.space.params {
                other.basics.into_iter().for_each(|basic| result.push(basic));
            } else {
                result = Collection::new(result.into_map().union(&other), usize::MAX);
            }
        }
        result.into_map()
    }

    /// Pays for an operation that meets every disjunct with every one of another relation, which
    /// itself takes no budget: intersection and composition.
    ///
    /// # Errors
    /// [`Stop`] when the budget does not do for it.
    pub fn charge_intersection(&self, other: &Map, budget: &mut Budget) -> Result<(), Stop> {
        let [own, others] = [self, other].map(|map| map.basics.len() as u64);
        let [own_rows, other_rows] = [self, other].map(|map| map.basics.iter().map(|b| rows(b)).sum::<u64>());
        let intersections = own.saturating_mul(others).saturating_mul(INTERSECTION);
        let constraints = own_rows.saturating_mul(others).saturating_add(other_rows.saturating_mul(own));
        let columns = (self.space.n_var().max(other.space.n_var())) as u64;
        budget.spend(intersections.saturating_add(constraints.saturating_mul(CONSTRAINT + columns / COEFFICIENTS)))
    }
}

fn rows(basic: &BasicMap) -> u64 {
    (basic.eqs.len() + basic.ineqs.len() + basic.divs.len()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Set;

    fn intervals(count: usize, step: usize) -> Map {
        let pieces: Vec<String> = (0..count).map(|i| format!("{} <= i <= {}", i * step, i * step + 5)).collect();
        let set: Set = format!("{{ [i] : {} }}", pieces.join(" or ")).parse().expect("the test's set parses");
        Map::clone(&set)
    }

    /// As [`Map::push`] does it one by one.
    fn slowly(map: &Map, more: &Map) -> Map {
        let mut result = map.clone();
        more.basics.iter().for_each(|basic| result.push(Arc::clone(basic)));
        result
    }

    #[test]
    fn many_disjuncts_are_those_of_few() {
        for (a, b) in [(3, 5), (30, 40), (1, 60), (60, 1), (23, 2), (24, 24)] {
            for (first, second) in [(7, 14), (7, 7), (11, 13)] {
                let (x, y) = (intervals(a, first), intervals(b, second));
                assert_eq!(x.union(&y), slowly(&x, &y), "{a} and {b} of {first} and {second}");
                let meeting = x.intersect(&y);
                assert_eq!(meeting, slowly(&Map::empty(x.space_arc()), &meeting));
            }
        }
    }

    #[test]
    fn many_relations_are_united_as_one_by_one() {
        let parts: Vec<Map> = (1..60).map(|i| intervals(i % 4, 1 + i % 7)).collect();
        let other: Map = Map::clone(&"[n] -> { [i] : i >= n or i = 3 }".parse::<Set>().expect("the test's set parses"));
        let all = Map::universe(parts[0].space_arc());
        for parts in [
            vec![],
            parts.clone(),
            [&parts[..], &[other], &parts[20..]].concat(),
            [&parts[..], &[all], &parts].concat(),
        ] {
            let first = intervals(2, 9);
            let slowly = parts.iter().fold(first.clone(), |map, part| map.union(part));
            assert_eq!(first.union_all(parts), slowly);
        }
    }

    #[test]
    fn the_universe_takes_the_place_of_all() {
        let (many, all) = (intervals(40, 7), Map::universe(intervals(1, 1).space_arc()));
        let both = all.union(&many);
        assert_eq!(many.union(&both), slowly(&many, &both));
    }

    #[test]
    fn intersections_are_charged() {
        let (a, b) = (intervals(100, 7), intervals(50, 7));
        let mut budget = Budget::unlimited();
        a.charge_intersection(&b, &mut budget).expect("no limit");
        // Two constraints in each.
        assert_eq!(budget.spent(), 100 * 50 * (16 + 2 * 4));
        assert_eq!(a.charge_intersection(&b, &mut Budget::new(100_000)), Err(Stop));
    }
}
