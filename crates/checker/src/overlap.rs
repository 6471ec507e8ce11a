//! Live ranges that overlap.
//!
//! # Problem
//! A conditional dependence `x -> y` may run backwards if that moves the live range that begins at
//! `y` as a whole before the one that `x` belongs to. `y` is a write. `x` is a read, the live range
//! of which began at a write `w` with a flow dependence `w -> x`; or a write that no other instance
//! reads, which is its own live range.
//!
//! # Algorithm
//! Of the pairs that run backwards, those are violations
//!
//! * the ends of which have the same time;
//! * for which `w` is not later than `y`: `y` is between `w` and `x`;
//! * for which a read of `y`'s value is not earlier than `w` (or than `x`, if that is a write).
//!
//! All three are relations between two instances, by composition with the flow dependences of the
//! two accesses.

use poly_arith::Int;
use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::Map;
use poly_presburger::budget::{Budget, Stop};

use crate::order::{Comparison, Times, unscheduled, witness};

impl Times {
    /// A pair of a conditional dependence that runs backwards, or at the same time, while its live
    /// ranges overlap; or that is not scheduled.
    pub(crate) fn overlap(
        &mut self,
        dependence: &Dependence,
        dependences: &[Dependence],
        budget: &mut Budget,
    ) -> Result<Option<Vec<Int>>, Stop> {
        let pairs = &dependence.relation;
        let Some(ends) = self.ends(pairs) else { return witness(pairs, budget) };
        let (source, sink) = (&self.statements[ends.0], &self.statements[ends.1]);
        if let Some(bad) = unscheduled(pairs, source, sink, budget)? {
            return Ok(Some(bad));
        }
        let (backward, equal) = self.backward(pairs, budget)?;
        if let Some(bad) = witness(&equal, budget)? {
            return Ok(Some(bad));
        }
        if backward.is_empty(budget)? {
            return Ok(None);
        }
        let flows = || dependences.iter().filter(|d| d.kind == DependenceKind::Flow);
        // From the write that a live range begins with to `y`, and back to the pairs that it is
        // about.
        let mut begins: Vec<(Option<&Map>, Map)> = Vec::new();
        if dependence.kind == DependenceKind::Anti {
            for flow in flows().filter(|flow| flow.sink == dependence.source) {
                let begin = flow.relation.apply_range(&backward);
                let bad = self.not_before(&begin.reverse(), budget)?.reverse();
                if let Some(bad) = witness(&concerned(&backward, Some(&flow.relation), &bad), budget)? {
                    return Ok(Some(bad));
                }
                begins.push((Some(&flow.relation), begin));
            }
        } else {
            begins.push((None, backward.clone()));
        }
        for (flow, begin) in begins {
            for other in flows().filter(|other| other.source == dependence.sink) {
                let ends = begin.apply_range(&other.relation);
                let bad = self.not_before(&ends.reverse(), budget)?.reverse();
                let bad = bad.apply_range(&other.relation.reverse()).intersect(&begin);
                if let Some(bad) = witness(&concerned(&backward, flow, &bad), budget)? {
                    return Ok(Some(bad));
                }
            }
        }
        Ok(None)
    }

    /// The pairs whose second instance is earlier than the first one, and those at the same time.
    fn backward(&mut self, pairs: &Map, budget: &mut Budget) -> Result<(Map, Map), Stop> {
        let mut backward = Map::empty(pairs.space().clone());
        let Some(ends) = self.ends(pairs) else { return Ok((backward, pairs.clone())) };
        let mut equal = pairs.clone();
        for dimension in 0..self.dimensions {
            let after = self.restrict(&equal, ends, dimension, Comparison::After);
            if !after.is_empty(budget)? {
                backward = backward.union(&after);
            }
            equal = self.restrict(&equal, ends, dimension, Comparison::Equal);
            if equal.is_empty(budget)? {
                break;
            }
        }
        Ok((backward, equal))
    }

    /// The pairs whose first instance is not earlier than the second one.
    fn not_before(&mut self, pairs: &Map, budget: &mut Budget) -> Result<Map, Stop> {
        let (backward, equal) = self.backward(pairs, budget)?;
        Ok(backward.union(&equal))
    }
}

/// The pairs `x -> y` that some `w -> y` are about, where `flow` leads from `w` to `x`; without one
/// `w` is `x`.
fn concerned(pairs: &Map, flow: Option<&Map>, begins: &Map) -> Map {
    match flow {
        Some(flow) => flow.reverse().apply_range(begins).intersect(pairs),
        None => begins.intersect(pairs),
    }
}
