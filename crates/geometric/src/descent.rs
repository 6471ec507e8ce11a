//! Integer points around a real optimum.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Where a descent ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Descended {
    /// Multiples of the steps.
    pub at: Vec<u64>,
    /// What they cost.
    pub cost: f64,
    /// How often the cost was asked for.
    pub evaluated: usize,
}

/// From a real point to an integer one whose neighbours are not cheaper: variables are multiples of
/// `steps`, a neighbour differs by at most one step in each, and `cost` is `None` where a point is
/// not possible. A descent begins at each point next to the real one, the cheapest first, as
/// valleys may be narrower than a step. It ends when so many costs have been asked for. `None` if
/// no point at the beginning is possible.
///
/// For convex costs this is nearly always the integer optimum; nothing guarantees it.
pub fn descend(from: &[f64], steps: &[u64], most: usize, cost: impl FnMut(&[u64]) -> Option<f64>) -> Option<Descended> {
    let mut costs = Costs { cost, most, seen: BTreeSet::new() };
    let down = |(&x, &step): (&f64, &u64)| ((x / step as f64).floor() as u64).max(1) * step;
    let corner: Vec<u64> = from.iter().zip(steps).map(down).collect();
    let mut beginnings = costs.of(points(&corner, steps, 0..=1));
    beginnings.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best: Option<(f64, Vec<u64>)> = None;
    for mut here in beginnings {
        while let Some(next) = cheapest(costs.of(points(&here.1, steps, -1..=1)))
            && next.0 < here.0
        {
            here = next;
        }
        if best.as_ref().is_none_or(|best| here.0 < best.0) {
            best = Some(here);
        }
    }
    let evaluated = costs.seen.len();
    best.map(|(cost, at)| Descended { at, cost, evaluated })
}

/// The first of the cheapest points.
fn cheapest(points: Vec<(f64, Vec<u64>)>) -> Option<(f64, Vec<u64>)> {
    points.into_iter().reduce(|best, point| if point.0 < best.0 { point } else { best })
}

/// Costs, each asked for once.
struct Costs<F> {
    cost: F,
    most: usize,
    seen: BTreeSet<Vec<u64>>,
}

impl<F: FnMut(&[u64]) -> Option<f64>> Costs<F> {
    /// Those of these points that are new and possible.
    fn of(&mut self, points: Vec<Vec<u64>>) -> Vec<(f64, Vec<u64>)> {
        let mut result = Vec::with_capacity(points.len());
        for point in points {
            if self.seen.len() < self.most && self.seen.insert(point.clone()) {
                result.extend((self.cost)(&point).map(|cost| (cost, point)));
            }
        }
        result
    }
}

/// The points that are some steps from a center, in each variable, the first one varying fastest.
fn points(center: &[u64], steps: &[u64], offsets: RangeInclusive<i64>) -> Vec<Vec<u64>> {
    let mut result = vec![Vec::new()];
    for (&middle, &step) in center.iter().zip(steps) {
        let values = offsets.clone().filter_map(|offset| {
            let value = middle.checked_add_signed(offset * step as i64)?;
            (value > 0).then_some(value)
        });
        result = values
            .flat_map(|value| result.iter().map(move |point| point.iter().copied().chain([value]).collect()))
            .collect();
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descents_end_where_no_neighbour_is_cheaper() {
        let bowl = |at: &[u64]| Some((at[0] as f64 - 40.0).powi(2) + (at[1] as f64 - 9.0).powi(2));
        let found = descend(&[35.5, 12.2], &[1, 1], 1000, bowl).expect("all points are possible");
        assert_eq!((found.at, found.cost), (vec![40, 9], 0.0));
        let steps = descend(&[35.5, 12.2], &[8, 4], 1000, bowl).expect("all points are possible");
        assert_eq!(steps.at, [40, 8]);
        let short = descend(&[35.5, 12.2], &[1, 1], 5, bowl).expect("all points are possible");
        assert_eq!((short.evaluated, short.at), (5, vec![36, 12]));
        assert_eq!(descend(&[3.0], &[1], 10, |_| None), None);
        // Nothing is below one step.
        assert_eq!(descend(&[0.2], &[4], 10, |at| Some(at[0] as f64)).map(|found| found.at), Some(vec![4]));
    }
}
