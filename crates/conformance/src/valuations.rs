//! Values of parameters for which a program can be run.
//!
//! Candidates come from three sources: small numbers from a fixed generator; points of the context,
//! and of the part of it for which there are instances, found by integer programming; and such
//! points with each parameter made larger. Those that are in the context and have few instances are
//! kept, with instances before those without.

use indexmap::IndexMap;
use poly_arith::Int;
use poly_presburger::{Budget, DimKind, Id, Set, Space, Stop, UnionSet};

use crate::run::stopped;

/// Candidates from the generator.
const RANDOM: u64 = 40;

/// Greater values are tried last.
const LARGE: i64 = 10_000;

/// Steps that the instances of one candidate may take to be counted.
const COUNTING_STEPS: u64 = 400_000;

/// Values of all parameters.
pub(crate) type Valuation = IndexMap<Id, Int>;

/// Up to `wanted` valuations in the context for which `domain` has at most `most` points.
pub(crate) fn valuations(
    domain: &UnionSet,
    context: &Set,
    most: usize,
    wanted: usize,
    budget: &mut Budget,
) -> Result<Vec<Valuation>, String> {
    let space = Space::params(domain.param_ids().to_vec()).align(context.space());
    let context = context.with_exact_params(&space.params);
    let domain = domain.with_exact_params(&space.params);
    let mut found: Vec<(Vec<Int>, usize)> = Vec::new();
    for candidate in candidates(&space, &context, &domain, budget)? {
        let full = found.iter().filter(|(_, count)| *count > 0).count();
        if full >= wanted {
            break;
        }
        if found.iter().any(|(values, _)| *values == candidate) || !context.contains(&candidate, &[]) {
            continue;
        }
        // What cannot be counted quickly has too many instances.
        let own = &mut Budget::new(COUNTING_STEPS);
        if let Ok(Some(count)) = instances(&domain, &candidate, most, own) {
            found.push((candidate, count));
        }
    }
    found.sort_by_key(|(_, count)| *count == 0);
    found.truncate(wanted);
    let named = |(values, _): (Vec<Int>, usize)| space.params.iter().cloned().zip(values).collect();
    Ok(found.into_iter().map(named).collect())
}

/// A valuation in the context for which `domain` has points, however many.
pub(crate) fn some_valuation(
    domain: &UnionSet,
    context: &Set,
    budget: &mut Budget,
) -> Result<Option<Valuation>, String> {
    let space = Space::params(domain.param_ids().to_vec()).align(context.space());
    let context = context.with_exact_params(&space.params);
    let domain = domain.with_exact_params(&space.params);
    for candidate in candidates(&space, &context, &domain, budget)? {
        let at = |set: &Set| candidate.iter().enumerate().fold(set.clone(), |s, (i, v)| s.fix(DimKind::Param, i, v));
        if !context.contains(&candidate, &[]) {
            continue;
        }
        for set in domain.iter() {
            if !at(set).is_empty(budget).map_err(stopped)? {
                return Ok(Some(space.params.iter().cloned().zip(candidate).collect()));
            }
        }
    }
    Ok(None)
}

/// The number of instances, if there are at most `most`.
fn instances(domain: &UnionSet, values: &[Int], most: usize, budget: &mut Budget) -> Result<Option<usize>, Stop> {
    let mut total = 0;
    for set in domain.iter() {
        let fixed = values.iter().enumerate().fold(set.clone(), |set, (i, v)| set.fix(DimKind::Param, i, v));
        if !fixed.is_bounded(budget)? {
            return Ok(None);
        }
        match set.count_points(values, most - total, budget)? {
            Some(count) if total + count <= most => total += count,
            _ => return Ok(None),
        }
    }
    Ok(Some(total))
}

fn candidates(space: &Space, context: &Set, domain: &UnionSet, budget: &mut Budget) -> Result<Vec<Vec<Int>>, String> {
    let n = space.params.len();
    let mut candidates: Vec<Vec<Int>> = Vec::new();
    let inhabited = domain.params().intersect(context);
    for part in [&inhabited, context] {
        let mut at_least: Vec<i64> = vec![i64::MIN; n];
        for step in 0..=2 * n {
            let bounded = at_least.iter().enumerate().filter(|(_, v)| **v != i64::MIN);
            let part = bounded.fold(part.clone(), |set, (i, v)| set.lower_bound(DimKind::Param, i, *v));
            let Some(point) = part.sample(budget).map_err(stopped)? else { continue };
            candidates.push(point);
            if n > 0 {
                at_least[step % n] = 3 + 2 * i64::try_from(step).expect("there are few parameters");
            }
        }
    }
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Int::from(i64::try_from((state >> 33) % 13).expect("it is small") - 2)
    };
    let random: Vec<Vec<Int>> = (0..RANDOM).map(|_| (0..n).map(|_| next()).collect()).collect();
    // Alternate, so that neither source is left out.
    let sampled = candidates.len();
    let mut mixed: Vec<Vec<Int>> = Vec::new();
    for i in 0..sampled.max(random.len()) {
        mixed.extend(random.get(i).cloned());
        mixed.extend(candidates.get(i).cloned());
    }
    // With a number near a limit, a loop can have that many iterations in which nothing runs.
    let is_large = |value: &Int| value.abs() > LARGE;
    mixed.sort_by_key(|candidate| candidate.iter().any(is_large));
    Ok(mixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(domain: &str, context: &str, most: usize) -> Vec<Vec<i64>> {
        let domain: UnionSet = domain.parse().expect("the domain can be read");
        let context: Set = context.parse().expect("the context can be read");
        let found = valuations(&domain, &context, most, 6, &mut Budget::unlimited()).expect("there is no limit");
        let small = |v: &Valuation| v.values().map(|x| x.to_i64().expect("it is small")).collect();
        found.iter().map(small).collect()
    }

    #[test]
    fn the_context_is_respected() {
        let found = chosen("[n, m] -> { S[i] : 0 <= i < n - m }", "[n] -> { : n >= 40 }", 100);
        assert!(!found.is_empty() && found.iter().all(|v| v[0] >= 40), "{found:?}");
    }

    #[test]
    fn there_are_instances_but_not_too_many() {
        let found = chosen("[n] -> { S[i, j] : 0 <= i, j < n }", "{ : }", 20);
        assert!(found.contains(&vec![4]) || found.contains(&vec![3]), "{found:?}");
        assert!(found.iter().all(|v| v[0] <= 4), "{found:?}");
        assert_eq!(chosen("{ S[i] : 0 <= i < 10 }", "{ : }", 20), [Vec::<i64>::new()]);
        assert!(chosen("{ S[i] : 0 <= i < 100 }", "{ : }", 20).is_empty());
        assert!(chosen("{ S[i] : 0 <= i }", "{ : }", 20).is_empty());
    }
}
