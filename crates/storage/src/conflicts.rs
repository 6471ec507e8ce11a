//! Which values are live at once.
//!
//! # Problem
//! Times are vectors, as a flattened schedule tree gives them. In some dimensions iterations come
//! one after the other; in others, those of parallel loops and of vectors, nobody knows which comes
//! first. Two accesses are *ordered* if the first dimension in which their times differ is of the
//! first kind. A value `w` must not be overwritten by `v` if some read of `w` is not surely before
//! the write of `v`, and `v` is not surely written before `w` and all reads of `v`.
//!
//! # Algorithm
//! 1. `late = { (t, t') : t is not surely before t' }`, one disjunct for each dimension and one for
//!    equal times.
//! 2. `before(w, v) = { (w, v) : some use of w is late for the write of v }`, by composition. The
//!    write of a value is a use of it, so a value that nobody reads is live at its write.
//! 3. Conflicts are `before(w, v)` with the inverse of `before(v, w)`.
//!
//! There is no need of the last use: a value that has a late use has a late last use.

use poly_arith::Int;
use poly_presburger::{Budget, DimKind, Map, Space, Stop};

/// In which order points come that differ first in a dimension of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The smaller one comes first.
    Ordered,
    /// Nobody knows: iterations of a parallel loop.
    Unordered,
    /// Other numbers are compared, the smaller one first, of which the dimension gives an idea: the
    /// tile of an iteration. Where these are equal, the values of the dimension differ by at most
    /// `equal`; the later one has a value that is more by at least `later`.
    Coarse {
        /// The greatest difference within one number.
        equal: i64,
        /// The least difference to a later one; it may be negative.
        later: i64,
    },
}

/// What equal times mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// Nothing is known of their order.
    Unordered,
    /// They are those of one instance, which reads before it writes.
    ReadFirst,
}

/// The order that times stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// By dimension of time.
    pub dimensions: Vec<Progress>,
    /// Where all dimensions are equal.
    pub ties: Ties,
}

impl Order {
    /// Times that are compared lexicographically; nothing is known of equal ones.
    pub fn sequential(dimensions: usize) -> Order {
        Order { dimensions: vec![Progress::Ordered; dimensions], ties: Ties::Unordered }
    }

    /// The pairs of times of which the first one is not surely before the second one.
    fn late(&self, space: &Space) -> Map {
        let n = self.dimensions.len();
        debug_assert_eq!(n, space.dim(DimKind::Out), "one kind for each dimension of {space}");
        // Pairs that may be equal in the dimensions so far.
        let mut equal = Map::universe(space.map_from_set());
        let mut late = Map::empty(space.map_from_set());
        for (dimension, progress) in self.dimensions.iter().enumerate() {
            let (within, later) = match *progress {
                Progress::Coarse { equal, later } => (equal, later),
                Progress::Ordered | Progress::Unordered => (0, 1),
            };
            late = late.union(&equal.with_ineq(apart(space, dimension, 1, -later)));
            if *progress == Progress::Unordered {
                late = late.union(&equal.with_ineq(apart(space, dimension, -1, -1)));
            }
            equal = match within {
                0 => equal.with_eq(apart(space, dimension, 1, 0)),
                _ => equal.with_ineq(apart(space, dimension, 1, within)).with_ineq(apart(space, dimension, -1, within)),
            };
        }
        let is_coarse = self.dimensions.iter().any(|progress| matches!(progress, Progress::Coarse { .. }));
        if self.ties == Ties::Unordered || is_coarse {
            late = late.union(&equal);
        }
        late
    }
}

/// The row of `sign * (t - t') + constant >= 0` for a dimension of two times.
fn apart(space: &Space, dimension: usize, sign: i64, constant: i64) -> Vec<Int> {
    let (params, n) = (space.params.len(), space.dim(DimKind::Out));
    let mut row = vec![Int::ZERO; 1 + params + 2 * n];
    row[0] = constant.into();
    row[1 + params + dimension] = sign.into();
    row[1 + params + n + dimension] = (-sign).into();
    row
}

/// When the values of one name (an access that writes, an array, a variable) are written and used.
#[derive(Clone, Debug)]
pub struct Life {
    /// From values to the times of their writes.
    pub written: Map,
    /// From values to the times of all their uses; the write is one.
    pub used: Map,
}

impl Life {
    /// The life of values with these writes and reads.
    pub fn new(written: Map, read: Option<&Map>) -> Life {
        let used = read.map_or_else(|| written.clone(), |read| written.union(read));
        Life { written, used }
    }
}

/// The pairs of values that are live at once, those of a value with itself among them. The values
/// of all lives are of one space; `order` says how times of two lives compare, given by their
/// positions.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn conflicts(
    lives: &[Life],
    order: &dyn Fn(usize, usize) -> Order,
    budget: &mut Budget,
) -> Result<Option<Map>, Stop> {
    let mut late: Option<Map> = None;
    for (i, one) in lives.iter().enumerate() {
        for (k, other) in lives.iter().enumerate() {
            let found = late_uses(&one.used, &other.written, &order(i, k), budget)?;
            late = Some(late.map_or(found.clone(), |late| late.union(&found)));
        }
    }
    let Some(late) = late else { return Ok(None) };
    let late = late.coalesce(budget)?;
    late.charge_intersection(&late, budget)?;
    late.intersect(&late.reverse()).remove_empty_parts(budget)?.coalesce(budget).map(Some)
}

/// From values to those that are written while they are perhaps still used.
fn late_uses(used: &Map, written: &Map, order: &Order, budget: &mut Budget) -> Result<Map, Stop> {
    let space = used.space().range_space();
    let used = used.clone().coalesce(budget)?;
    let writes = written.clone().coalesce(budget)?;
    let late = used.apply_range(&order.late(&space)).compute_divs(budget)?.coalesce(budget)?;
    late.apply_range(&writes.reverse()).compute_divs(budget)?.coalesce(budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn life(written: &str, read: &str) -> Life {
        Life::new(written.parse().unwrap(), Some(&read.parse().unwrap()))
    }

    fn text(life: &Life, order: &Order) -> String {
        let budget = &mut Budget::unlimited();
        let map = conflicts(std::slice::from_ref(life), &|_, _| order.clone(), budget).unwrap().unwrap();
        let space = map.space().domain_space();
        map.subtract(&Map::identity(&space), budget).unwrap().coalesce(budget).unwrap().to_string()
    }

    #[test]
    fn the_last_read_of_one_value_may_be_the_write_of_the_next() {
        // An instance reads (0) before it writes (1).
        let next = life("{ f[i] -> [i, 1] : 0 <= i < 9 }", "{ f[i] -> [i + 1, 0] : 0 <= i < 8 }");
        assert_eq!(text(&next, &Order::sequential(2)), "{ f[i] -> f[i'] : false }");
        let at_once = life("{ f[i] -> [i] : 0 <= i < 9 }", "{ f[i] -> [i + 1] : 0 <= i < 8 }");
        assert_eq!(
            text(&at_once, &Order { ties: Ties::ReadFirst, ..Order::sequential(1) }),
            "{ f[i] -> f[i'] : false }"
        );
        assert_ne!(text(&at_once, &Order::sequential(1)), "{ f[i] -> f[i'] : false }");
        let later = life("{ f[i] -> [i, 0] : 0 <= i < 9 }", "{ f[i] -> [i + 1, 1] : 0 <= i < 8 }");
        let found = text(&later, &Order::sequential(2));
        let expected: Map = "{ f[i] -> f[i + 1] : 0 <= i < 8; f[i] -> f[i - 1] : 1 <= i <= 8 }".parse().unwrap();
        let found: Map = found.parse().unwrap();
        assert!(found.is_equal(&expected, &mut Budget::unlimited()).unwrap(), "{found}");
    }

    #[test]
    fn iterations_in_parallel_are_live_at_once() {
        let rows = life("{ t[i] -> [i, 0] : 0 <= i < 5 }", "{ t[i] -> [i, 1] : 0 <= i < 5 }");
        assert_eq!(text(&rows, &Order::sequential(2)), "{ t[i] -> t[i'] : false }");
        let dimensions = vec![Progress::Unordered, Progress::Ordered];
        let parallel = Order { dimensions, ..Order::sequential(2) };
        let found: Map = text(&rows, &parallel).parse().unwrap();
        let all: Map = "{ t[i] -> t[k] : 0 <= i < 5 and 0 <= k < 5 and i != k }".parse().unwrap();
        assert!(found.is_equal(&all, &mut Budget::unlimited()).unwrap(), "{found}");
    }

    #[test]
    fn tiles_are_known_by_their_iterations() {
        // Tiles of 4: what is read in the next iteration may be read in the next tile, so up to 7
        // more values are in its way.
        let next = life("{ f[i] -> [i] : 0 <= i < 99 }", "{ f[i] -> [i + 1] : 0 <= i < 98 }");
        let coarse =
            |equal, later| Order { dimensions: vec![Progress::Coarse { equal, later }], ties: Ties::Unordered };
        let budget = &mut Budget::unlimited();
        let found = conflicts(std::slice::from_ref(&next), &|_, _| coarse(3, 1), budget).unwrap().unwrap();
        let exact: Map = "{ f[i] -> f[k] : exists (a, b, c, d : 0 <= i < 99 and 0 <= k < 99 and 4a <= i <= 4a + 3 and
            4b <= k <= 4b + 3 and 4c <= i + 1 <= 4c + 3 and 4d <= k + 1 <= 4d + 3 and b <= c and a <= d) }"
            .parse()
            .unwrap();
        // The last value has no reader, which makes no difference for others.
        let inside: Map = "{ f[i] -> f[k] : 0 <= i < 98 and 0 <= k < 98 }".parse().unwrap();
        let exact = exact.intersect(&inside);
        assert!(exact.is_subset(&found, budget).unwrap(), "{found}");
        let near: Map = "{ f[i] -> f[k] : i - 5 < k < i + 5 }".parse().unwrap();
        assert!(found.is_subset(&near, budget).unwrap(), "{found}");
        let plain = conflicts(std::slice::from_ref(&next), &|_, _| coarse(0, 1), budget).unwrap().unwrap();
        let sequential = conflicts(std::slice::from_ref(&next), &|_, _| Order::sequential(1), budget).unwrap().unwrap();
        assert!(plain.is_equal(&sequential, budget).unwrap());
    }

    #[test]
    fn what_nobody_reads_is_live_when_it_is_written() {
        // a[0] is live from 0 to 5; the dead a[1] is written at 3, the dead a[2] at 7.
        let life = life("{ a[0] -> [0]; a[1] -> [3]; a[2] -> [7] }", "{ a[0] -> [5] }");
        let found: Map = text(&life, &Order::sequential(1)).parse().unwrap();
        let expected: Map = "{ a[0] -> a[1]; a[1] -> a[0] }".parse().unwrap();
        assert!(found.is_equal(&expected, &mut Budget::unlimited()).unwrap(), "{found}");
    }
}
