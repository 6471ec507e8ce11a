//! The beginning of an execution that is too long to be run.
//!
//! # Problem
//! Given a schedule tree and values of the parameters for which it has many instances, or
//! infinitely many, find a set of instances that is not too large and runs before all the others.
//!
//! # Algorithm
//! Dimension by dimension of the time, from the outermost: with the least value `low`, look for the
//! greatest `k` of the form `2^i - 1` such that not too many instances have a time in
//! `low ..= low + k`. If there is one, these are the first instances; if not, fix the dimension to
//! `low` and go on with the next one.

use indexmap::IndexMap;
use poly_arith::Int;
use poly_presburger::solver::IntOptimum;
use poly_presburger::{Budget, DimKind, Id, UnionMap, UnionSet};
use poly_schedule_tree::ScheduleTree;

use crate::run::stopped;

/// Greatest number of doublings of a range of time.
const DOUBLINGS: usize = 24;

/// Instances of the tree, at most `most`, that run before all others for these values of the
/// parameters. `None` if there are none, or if those at the same time are too many.
pub(super) fn beginning(
    tree: &ScheduleTree,
    params: &IndexMap<Id, Int>,
    most: usize,
    budget: &mut Budget,
) -> Result<Option<UnionSet>, String> {
    let fixed = params.iter().fold(tree.schedule_map(), |map, (name, value)| map.fix_param(name.as_str(), value));
    let Some(n) = fixed.iter().next().map(|map| map.dim(DimKind::Out)) else { return Ok(None) };
    let mut times = fixed.map_members(|map| map.drop_unused_params());
    for dim in 0..n {
        let Some(low) = least(&times, dim, budget)? else { return Ok(None) };
        let until = |k: &Int| times.map_members(|map| map.upper_bound(DimKind::Out, dim, &low + k));
        let mut found = None;
        let mut k = Int::ZERO;
        for _ in 0..DOUBLINGS {
            let instances = until(&k).domain();
            if !has_at_most(&instances, params, most, budget)? {
                break;
            }
            found = Some(instances);
            k = &(&k + &k) + &Int::ONE;
        }
        if found.is_some() {
            return Ok(found);
        }
        times = times.map_members(|map| map.fix(DimKind::Out, dim, &low));
    }
    Ok(None)
}

/// The least value of a time dimension.
fn least(times: &UnionMap, dim: usize, budget: &mut Budget) -> Result<Option<Int>, String> {
    let mut least: Option<Int> = None;
    for basic in times.basics() {
        let mut form = vec![Int::ZERO; basic.n_col()];
        form[basic.offset(DimKind::Out) + dim] = Int::ONE;
        match basic.int_min(&form, budget).map_err(stopped)? {
            IntOptimum::Bounded(value) => least = Some(least.map_or(value.clone(), |other| other.min(value))),
            IntOptimum::Empty => {}
            IntOptimum::Unbounded => return Err("the execution has no beginning".to_owned()),
        }
    }
    Ok(least)
}

fn has_at_most(
    instances: &UnionSet,
    params: &IndexMap<Id, Int>,
    most: usize,
    budget: &mut Budget,
) -> Result<bool, String> {
    let mut left = most;
    for set in instances.iter() {
        if !set.is_bounded(budget).map_err(stopped)? {
            return Ok(false);
        }
        let values: Vec<Int> = set.space().params.iter().map(|p| params.get(p).cloned().unwrap_or(Int::ZERO)).collect();
        match set.count_points(&values, left, budget).map_err(stopped)? {
            Some(count) if count <= left => left -= count,
            _ => return Ok(false),
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(domain: &str, schedule: &str, most: usize) -> Option<String> {
        let text = format!("{{ domain: \"{domain}\", child: {{ schedule: \"{schedule}\" }} }}");
        let tree: ScheduleTree = text.parse().expect("the tree can be read");
        let params = IndexMap::from([(Id::new("n"), Int::from(1000))]);
        let budget = &mut Budget::unlimited();
        beginning(&tree, &params, most, budget).expect("there is no limit").map(|set| {
            let points = set.iter().flat_map(|s| s.enumerate(&vec![Int::from(1000); s.space().params.len()], budget));
            let points: Vec<String> = points.flatten().map(|p| format!("{p:?}")).collect();
            points.join(" ")
        })
    }

    #[test]
    fn the_first_instances_of_long_executions() {
        let square = "[n] -> { A[i, j] : 0 <= i, j < n }";
        let skewed = "[{ A[i, j] -> [(i + j)] }]";
        assert_eq!(first(square, skewed, 5).as_deref(), Some("[0, 0] [0, 1] [1, 0]"));
        let rows = "[{ A[i, j] -> [(7)] }, { A[i, j] -> [(-i)] }, { A[i, j] -> [(j)] }]";
        assert_eq!(first(square, rows, 4).as_deref(), Some("[999, 0] [999, 1] [999, 2] [999, 3]"));
        assert_eq!(first("{ A[i, j] : 3 <= i }", "[{ A[i, j] -> [(i)] }]", 4), None);
        assert_eq!(first("{ A[i] : 3 <= i }", "[{ A[i] -> [(i)] }]", 1).as_deref(), Some("[3]"));
    }
}
