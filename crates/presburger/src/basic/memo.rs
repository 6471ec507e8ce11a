//! What is remembered about a basic relation that is shared.
//!
//! Whether a point of a relation is easily seen (see [`crate::solver::sample`]) is a function of
//! the constraints that costs little, but is asked again and again: by a test for emptiness, then
//! by coalescing, and so on, of the same relation. If none is seen, whether there is one is found
//! out at a higher price. Both answers are kept with the relation. They take no part in comparisons
//! and are not copied with the relation, as a copy is made to be changed; whatever adds to a
//! relation forgets them.
//!
//! An answer always costs the same steps of a budget, remembered or not: budgets do not depend on
//! what happened before. To this end the price of the second answer is kept with it; it is a
//! function of the constraints, too.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use poly_arith::Int;

use super::BasicMap;
use crate::budget::{Budget, Stop};
use crate::solver::sample::sample_by_solving;

/// What is known, in the low bits, and above them what a solver spent to know it.
#[derive(Default)]
pub(crate) struct Memo(AtomicU64);

/// How many bits say what is known.
const BITS: u32 = 3;
const UNKNOWN: u64 = 0;
const SEEN: u64 = 1;
const UNSEEN: u64 = 2;
const EMPTY: u64 = 3;
const INHABITED: u64 = 4;

/// What is known about the points of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Nothing,
    /// Whether a point is easily seen.
    Seen(bool),
    /// No point is easily seen; whether there is none, and the steps it took to find out.
    Solved {
        empty: bool,
        cost: u64,
    },
}

impl Memo {
    pub(super) fn forget(&mut self) {
        *self.0.get_mut() = UNKNOWN;
    }

    #[inline]
    fn get(&self) -> Known {
        let bits = self.0.load(Ordering::Relaxed);
        let cost = bits >> BITS;
        match bits & ((1 << BITS) - 1) {
            SEEN => Known::Seen(true),
            UNSEEN => Known::Seen(false),
            EMPTY => Known::Solved { empty: true, cost },
            INHABITED => Known::Solved { empty: false, cost },
            _ => Known::Nothing,
        }
    }

    fn keep(&self, known: Known) {
        let bits = match known {
            Known::Nothing => UNKNOWN,
            Known::Seen(true) => SEEN,
            Known::Seen(false) => UNSEEN,
            // A price that does not fit is never paid twice.
            Known::Solved { cost, .. } if cost > u64::MAX >> BITS => UNSEEN,
            Known::Solved { empty: true, cost } => EMPTY | cost << BITS,
            Known::Solved { empty: false, cost } => INHABITED | cost << BITS,
        };
        self.0.store(bits, Ordering::Relaxed);
    }
}

impl Clone for Memo {
    fn clone(&self) -> Memo {
        Memo::default()
    }
}

impl PartialEq for Memo {
    fn eq(&self, _: &Memo) -> bool {
        true
    }
}

impl Eq for Memo {}

impl Hash for Memo {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl PartialOrd for Memo {
    fn partial_cmp(&self, other: &Memo) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Memo {
    fn cmp(&self, _: &Memo) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}

impl BasicMap {
    /// Whether a point is easily seen; the answer is remembered.
    #[inline]
    pub(crate) fn has_plain_point(self: &Arc<BasicMap>) -> bool {
        self.memo.get() == Known::Seen(true) || self.look_for_point()
    }

    #[inline(never)]
    fn look_for_point(self: &Arc<BasicMap>) -> bool {
        let known = self.memo.get();
        if known == Known::Nothing {
            let seen = self.plain_point().is_some();
            self.memo.keep(Known::Seen(seen));
            return seen;
        }
        known == Known::Seen(true)
    }

    /// As [`BasicMap::is_empty`], with the same cost, but what is found out is remembered.
    pub(crate) fn is_empty_shared(self: &Arc<BasicMap>, budget: &mut Budget) -> Result<bool, Stop> {
        let known = self.memo.get();
        if let Known::Solved { empty, cost } = known {
            budget.spend(cost)?;
            return Ok(empty);
        }
        if known != Known::Seen(true) && self.is_plainly_empty() {
            return Ok(true);
        }
        budget.spend(1)?;
        if self.has_plain_point() {
            return Ok(false);
        }
        let before = budget.spent();
        let empty = sample_by_solving(&self.to_system(), budget)?.is_none();
        self.memo.keep(Known::Solved { empty, cost: 1 + budget.spent() - before });
        Ok(empty)
    }

    /// As [`BasicMap::sample`], with the same cost, unless it is remembered that there is no point.
    pub(crate) fn sample_shared(self: &Arc<BasicMap>, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
        match self.memo.get() {
            Known::Solved { empty: true, cost } => budget.spend(cost).map(|()| None),
            _ => self.sample(budget),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row;

    #[test]
    fn what_is_added_is_not_overlooked() {
        let budget = &mut Budget::unlimited();
        let set: crate::Set = "{ [x, y] : 0 <= x <= y <= 9 }".parse().expect("the text is a set");
        let shared = Arc::clone(&set.basics()[0]);
        assert_eq!(shared.memo.get(), Known::Seen(true), "reading looks for a point");
        drop(set);
        let mut owned = Arc::try_unwrap(shared).expect("there is no other reference");
        let mut below = row::zeros(owned.n_col());
        below[0] = poly_arith::Int::from(-5);
        below[1] = poly_arith::Int::NEG_ONE;
        owned.add_ineq(below);
        assert_eq!(Arc::new(owned).is_empty_shared(budget), Ok(true));
    }

    #[test]
    fn answers_cost_the_same_the_second_time() {
        for text in [
            "{ [x] : 3 <= x <= 5 }",
            "{ [x, y, z] : 1 <= 3x - 3y + 2z <= 2 and 5 <= 7z + x <= 9 }",
            "{ [x, y, z] : 5 <= 7x + 3y <= 6 and x - 5y + 2z = 2 and 0 <= x <= 9 }",
            "{ [x, y] : x >= 0 and y >= x + 2 and 2y <= x }",
            "{ [x, y, z] : 4 <= 6x + 10y + 15z <= 7 and x < y and y < z and z < x + 9 and 1 <= x + y + z <= 2 }",
        ] {
            let set: crate::Set = text.parse().expect("the text is a set");
            let cost = || {
                let mut budget = Budget::unlimited();
                let empty = set.is_empty(&mut budget);
                let first = budget.spent();
                let sample = set.sample(&mut budget).expect("no limit");
                assert_eq!(empty, Ok(sample.is_none()));
                assert_eq!(budget.spent(), 2 * first, "both questions have the same price");
                (empty, first)
            };
            let one = set.basics().first().expect("the set is not plainly empty");
            let fresh = {
                let mut budget = Budget::unlimited();
                let empty = BasicMap::clone(one).is_empty(&mut budget);
                (empty, budget.spent())
            };
            assert_eq!(cost(), fresh);
            assert_eq!(cost(), fresh);
        }
    }
}
