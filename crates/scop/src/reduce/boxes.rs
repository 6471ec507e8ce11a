//! Boxes of integer points.
//!
//! # Definitions
//! A *box* is `{ origin + k1 d1 + .. + kn dn : 0 <= ki < wi }` for *directions* `di` and *widths*
//! `wi`, such that no two choices of the `ki` are the same point. Directions may be any vectors: a
//! window of an array whose rows are 640 elements apart has the directions 640 and 1.
//!
//! # Algorithm
//! 1. The differences of points that are neighbours in lexicographic order, most frequent first,
//!    are tried as the innermost direction.
//! 2. Along a direction the points are *runs*. The starts of all runs of one width are points
//!    again, of which the largest box is looked for in the same way.
//! 3. The box with most points is the result. A box with a hole is several boxes, which are found
//!    one behind the other, as whoever asks takes the points away.

use std::collections::{BTreeMap, BTreeSet};

use poly_presburger::{Budget, Stop};

/// A point, or a vector.
pub(super) type Point = Vec<i64>;

/// A box: see the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PointBox {
    pub(super) origin: Point,
    /// Directions with widths of at least two, outermost first.
    pub(super) directions: Vec<(Point, usize)>,
}

/// Boxes have at most so many directions, one for each loop that may have been unrolled: this
/// bounds the recursion.
const MAX_DIRECTIONS: usize = 4;

/// So many differences are tried as innermost direction.
const MAX_STEPS: usize = 3;

/// The starts of runs of so many widths are looked at.
const MAX_WIDTHS: usize = 2;

impl PointBox {
    /// Number of points.
    pub(super) fn len(&self) -> usize {
        self.directions.iter().map(|(_, width)| width).product()
    }

    /// All points, the last direction being the fastest.
    pub(super) fn points(&self) -> Vec<Point> {
        let mut points = vec![self.origin.clone()];
        for (direction, width) in &self.directions {
            let at = |point: &Point, k: usize| {
                let k = i64::try_from(k).expect("widths are small");
                point.iter().zip(direction).map(|(x, d)| x + k * d).collect()
            };
            points = points.iter().flat_map(|point| (0..*width).map(move |k| at(point, k))).collect();
        }
        points
    }
}

/// The largest box that is found; `None` if there are no points. Coordinates are of 32 bits.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(super) fn largest(points: &BTreeSet<Point>, budget: &mut Budget) -> Result<Option<PointBox>, Stop> {
    largest_within(points, MAX_DIRECTIONS, budget)
}

/// Recursion is bounded by the number of directions.
fn largest_within(points: &BTreeSet<Point>, directions: usize, budget: &mut Budget) -> Result<Option<PointBox>, Stop> {
    let Some(first) = points.first() else { return Ok(None) };
    let mut best = PointBox { origin: first.clone(), directions: Vec::new() };
    if directions == 0 {
        return Ok(Some(best));
    }
    for direction in steps(points) {
        budget.spend(points.len() as u64)?;
        for (width, starts) in runs(points, &direction) {
            if width * starts.len() <= best.len() {
                continue;
            }
            let Some(mut found) = largest_within(&starts, directions - 1, budget)? else { continue };
            found.directions.push((direction.clone(), width));
            if found.len() > best.len() {
                best = found;
            }
        }
    }
    Ok(Some(best))
}

fn difference(a: &Point, b: &Point) -> Point {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// Differences of neighbours, most frequent first.
fn steps(points: &BTreeSet<Point>) -> Vec<Point> {
    let mut count: BTreeMap<Point, usize> = BTreeMap::new();
    for (point, next) in points.iter().zip(points.iter().skip(1)) {
        *count.entry(difference(next, point)).or_default() += 1;
    }
    let mut steps: Vec<(Point, usize)> = count.into_iter().collect();
    steps.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    steps.truncate(MAX_STEPS);
    steps.into_iter().map(|(step, _)| step).collect()
}

/// The starts of runs of at least two points, by width; those of most points first.
fn runs(points: &BTreeSet<Point>, direction: &Point) -> Vec<(usize, BTreeSet<Point>)> {
    let mut by_width: BTreeMap<usize, BTreeSet<Point>> = BTreeMap::new();
    for start in points.iter().filter(|point| !points.contains(&difference(point, direction))) {
        let mut width = 1;
        let mut next = start.clone();
        loop {
            next.iter_mut().zip(direction).for_each(|(x, d)| *x += d);
            if !points.contains(&next) {
                break;
            }
            width += 1;
        }
        by_width.entry(width).or_default().insert(start.clone());
    }
    let mut runs: Vec<_> = by_width.into_iter().filter(|(width, _)| *width > 1).collect();
    runs.sort_by_key(|(width, starts)| std::cmp::Reverse(width * starts.len()));
    runs.truncate(MAX_WIDTHS);
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The boxes of points, each behind the one before: origin, then directions with widths.
    fn boxes(points: impl IntoIterator<Item = Point>) -> Vec<String> {
        let mut rest: BTreeSet<Point> = points.into_iter().collect();
        let mut result = Vec::new();
        while let Some(found) = largest(&rest, &mut Budget::unlimited()).expect("no limit") {
            let points = found.points();
            assert_eq!(points.iter().collect::<BTreeSet<_>>().len(), found.len(), "points are distinct");
            for point in points {
                assert!(rest.remove(&point), "{point:?} is no point");
            }
            result.push(format!("{:?} {:?}", found.origin, found.directions));
        }
        result
    }

    fn product(rows: &[i64], columns: &[i64]) -> Vec<Point> {
        rows.iter().flat_map(|&a| columns.iter().map(move |&b| vec![a, b])).collect()
    }

    #[test]
    fn products_of_intervals_are_one_box() {
        assert_eq!(boxes((0..5).map(|k| vec![k])), ["[0] [([1], 5)]"]);
        assert_eq!(boxes(product(&[-1, 0, 1], &[-2, -1, 0, 1])), ["[-1, -2] [([1, 0], 3), ([0, 1], 4)]"]);
        assert_eq!(boxes(product(&[3], &[0, 4, 8])), ["[3, 0] [([0, 4], 3)]"]);
        assert_eq!(boxes(product(&[0, 2], &[0, 2])), ["[0, 0] [([2, 0], 2), ([0, 2], 2)]"]);
        let cube = (0..2).flat_map(|a| product(&[0, 1, 2], &[5, 6]).into_iter().map(move |p| vec![a, p[0], p[1]]));
        assert_eq!(boxes(cube), ["[0, 0, 5] [([1, 0, 0], 2), ([0, 1, 0], 3), ([0, 0, 1], 2)]"]);
    }

    #[test]
    fn directions_are_any_vectors() {
        let flat = (0..3).flat_map(|a| (0..4).map(move |b| vec![640 * a + b]));
        assert_eq!(boxes(flat), ["[0] [([640], 3), ([1], 4)]"]);
        assert_eq!(boxes((0..4).map(|k| vec![k, 7 - k])), ["[0, 7] [([1, -1], 4)]"]);
        assert_eq!(boxes((0..4).map(|k| vec![k, k])), ["[0, 0] [([1, 1], 4)]"]);
        // Columns that are less far apart than they are long: points of two boxes, each once.
        assert_eq!(boxes((0..6).map(|k| vec![k])), ["[0] [([1], 6)]"]);
    }

    #[test]
    fn a_hole_makes_several_boxes() {
        let all = product(&[0, 1, 2, 3, 4], &[0, 1, 2, 3, 4]);
        let ring = all.into_iter().filter(|point| point != &vec![2, 2]);
        assert_eq!(
            boxes(ring),
            ["[0, 0] [([3, 0], 2), ([1, 0], 2), ([0, 1], 5)]", "[2, 0] [([0, 3], 2), ([0, 1], 2)]"]
        );
    }

    #[test]
    fn what_is_no_box_is_smaller_ones_and_points() {
        assert_eq!(boxes([]), Vec::<String>::new());
        assert_eq!(boxes([vec![4]]), ["[4] []"]);
        let cross = [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]].map(|p| p.to_vec());
        assert_eq!(boxes(cross), ["[-1, 0] [([1, 1], 2), ([1, -1], 2)]", "[0, 0] []"]);
    }
}
