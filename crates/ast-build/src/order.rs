//! The order of disjoint ranges of a counter.
//!
//! Range `b` must come after range `a` if, for some values of the outer dimensions, a value of `a` is
//! less than one of `b`. Where both orders occur (for different outer values, or because ranges
//! interleave) the ranges cannot be loops after each other; they end up in one group. Groups are the
//! strongly connected components of "comes before", in topological order; among groups in no
//! particular order the one with the smallest number is first.

use poly_arith::Int;
use poly_presburger::{BasicSet, Budget, Stop};

use crate::context::Context;
use crate::joint::Joint;

/// Groups of ranges in order. Each range is a union of convex sets.
pub(crate) fn ordered_groups(context: &Context, ranges: &[Vec<&BasicSet>], budget: &mut Budget) -> Result<Vec<Vec<usize>>, Stop> {
    let n = ranges.len();
    let mut reaches = vec![vec![false; n]; n];
    for a in 0..n {
        for b in 0..n {
            reaches[a][b] = a != b && any_before(context, &ranges[a], &ranges[b], budget)?;
        }
    }
    let direct = reaches.clone();
    for via in 0..n {
        for a in 0..n {
            for b in 0..n {
                reaches[a][b] |= reaches[a][via] && reaches[via][b];
            }
        }
    }
    let mut done = vec![false; n];
    let mut groups = Vec::new();
    while let Some(first) = next_ready(&done, &direct, &reaches) {
        let group: Vec<usize> = (0..n).filter(|&k| k == first || (reaches[first][k] && reaches[k][first])).collect();
        group.iter().for_each(|&k| done[k] = true);
        groups.push(group);
    }
    Ok(groups)
}

/// The first range none of whose predecessors, other than those in its own group, is still to come.
fn next_ready(done: &[bool], direct: &[Vec<bool>], reaches: &[Vec<bool>]) -> Option<usize> {
    let n = done.len();
    let blocks = |p: usize, member: usize, k: usize| direct[p][member] && !done[p] && !(reaches[k][p] && reaches[p][k]);
    (0..n).find(|&k| {
        let same = |m: usize| m == k || (reaches[k][m] && reaches[m][k]);
        !done[k] && (0..n).filter(|&m| same(m)).all(|m| (0..n).all(|p| p == k || !blocks(p, m, k)))
    })
}

fn any_before(context: &Context, a: &[&BasicSet], b: &[&BasicSet], budget: &mut Budget) -> Result<bool, Stop> {
    for x in a {
        for y in b {
            if is_before(context, x, y, budget)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Is there a value in `a` that is less than one in `b`, for the same outer values?
fn is_before(context: &Context, a: &BasicSet, b: &BasicSet, budget: &mut Budget) -> Result<bool, Stop> {
    let last = a.n_var();
    let mut joint = Joint::new(last + 2);
    joint.constrain(&context.generated);
    joint.constrain(a);
    let mut map = joint.columns(b);
    map[last] = last + 1;
    joint.constrain_at(b, &map);
    let mut less = vec![Int::ZERO; last + 2];
    less[0] = Int::NEG_ONE;
    less[last] = Int::NEG_ONE;
    less[last + 1] = Int::ONE;
    joint.add_ineq(less);
    Ok(!joint.is_empty(budget)?)
}
