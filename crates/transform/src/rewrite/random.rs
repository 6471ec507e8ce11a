//! Random legal rewrites: orders that no cost model would choose.
//!
//! # Problem
//! What comes behind the search (the checkers, the AST builder, code generation) sees only orders
//! that the cost model likes. Its mistakes with others stay hidden until the model changes.
//!
//! # Algorithm
//! So many times: a site, a rewrite and one of its argument lists are drawn, each with equal
//! probability; the step is kept if it is legal. Rewrites that finish a loop
//! ([`Rewrite::finishes`]) are drawn in the last third only. What is drawn depends on the seed and
//! the tree only.

use poly_presburger::budget::{Budget, Stop};
use poly_schedule_tree::ScheduleTree;

use super::{Context, Failure, Located, Log, REWRITES, Rewrite, Step, apply, sites};

/// Most bands of a tree that further steps may be applied to: tiles of tiles multiply code and
/// checks.
const MAX_SITES: usize = 24;

/// A tree after random legal steps, of which `attempts` are tried; with those that were legal.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn random(
    context: &mut Context<'_>,
    tree: &ScheduleTree,
    seed: u64,
    attempts: u32,
    budget: &mut Budget,
) -> Result<(ScheduleTree, Log), Stop> {
    let mut numbers = fastrand::Rng::with_seed(seed);
    let (mut tree, mut log) = (tree.clone(), Log::default());
    for attempt in 0..attempts {
        let is_late = attempt >= attempts - attempts / 3;
        let rewrites: Vec<&dyn Rewrite> = REWRITES.iter().copied().filter(|r| r.finishes() == is_late).collect();
        let sites = sites(&tree);
        if sites.is_empty() || sites.len() > MAX_SITES {
            break;
        }
        let site = sites[numbers.usize(..sites.len())].clone();
        let rewrite = rewrites[numbers.usize(..rewrites.len())];
        let Ok(at) = Located::find(&tree, &site) else { continue };
        let parameters = rewrite.parameters(&at);
        if parameters.is_empty() {
            continue;
        }
        let arguments = parameters[numbers.usize(..parameters.len())].clone();
        let step = Step { rewrite: rewrite.name().to_owned(), site, arguments };
        match apply(context, &tree, &step, budget) {
            Ok(after) => {
                tree = after;
                log.steps.push(step);
            }
            Err(Failure::Refused(_)) => {}
            Err(Failure::Stop) => return Err(Stop),
        }
    }
    Ok((tree, log))
}

#[cfg(test)]
mod tests {
    use super::super::{Oracle, replay};
    use super::*;
    use crate::refusal::tests::dependence;
    use std::collections::BTreeSet;

    const LOOPS: &str = r#"
        domain: "{ S[t, i] : 0 <= t < 12 and 0 <= i < 12 }"
        child:
          schedule: "[{ S[t, i] -> [(t)] }, { S[t, i] -> [(i)] }]"
    "#;

    /// The points in the order of a tree.
    fn order(tree: &ScheduleTree) -> Vec<Vec<i64>> {
        let times = tree.schedule_map();
        let mut all = Vec::new();
        for (t, i) in (0..12).flat_map(|t| (0..12).map(move |i| (t, i))) {
            let point: poly_presburger::UnionSet = format!("{{ S[{t}, {i}] }}").parse().expect("a point");
            let time = times.intersect_domain(&point).range();
            let time = time.sample(&mut Budget::unlimited()).expect("no limit").expect("it is executed").1;
            all.push((time, vec![t, i]));
        }
        all.sort();
        all.into_iter().map(|(_, point)| point).collect()
    }

    #[test]
    fn random_steps_keep_every_order_and_replay() {
        let relation = "{ S[t, i] -> S[t + 1, k] : 0 <= t < 11 and 0 <= i, k < 12 and i <= k <= i + 1 }";
        let dependences = [dependence(relation)];
        let tree: ScheduleTree = LOOPS.parse().expect("the tree can be read");
        let budget = &mut Budget::unlimited();
        let mut orders = BTreeSet::new();
        let mut names = BTreeSet::new();
        for seed in 0..60 {
            let mut context = Context { oracle: Oracle::new(&dependences), unshared: Some(&[]) };
            let (after, log) = random(&mut context, &tree, seed, 18, budget).expect("no limit");
            let again: Log = log.to_string().parse().expect("the log can be read");
            let mut fresh = Context { oracle: Oracle::new(&dependences), unshared: Some(&[]) };
            assert_eq!(replay(&mut fresh, &tree, &again, budget).as_ref(), Ok(&after), "{log}");
            let points = order(&after);
            let place = |point: &[i64]| points.iter().position(|p| p == point).expect("it is executed");
            for (t, i) in (0..11).flat_map(|t| (0..12).map(move |i| (t, i))) {
                for k in [i, i + 1].into_iter().filter(|k| (0..12).contains(k)) {
                    assert!(place(&[t, i]) < place(&[t + 1, k]), "{log}");
                }
            }
            orders.insert(points);
            names.extend(log.steps.into_iter().map(|step| step.rewrite));
        }
        assert!(orders.len() > 12, "only {} orders", orders.len());
        assert!(names.len() >= 7, "{names:?}");
    }
}
