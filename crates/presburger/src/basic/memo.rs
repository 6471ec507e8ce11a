//! What is remembered about a basic relation that is shared.
//!
//! Whether a point of a relation is easily seen (see [`crate::solver::sample`]) is a function of the constraints that
//! costs little, but is asked again and again: by a test for emptiness, then by coalescing, and so on, of the same
//! relation. The answer is kept with the relation. It takes no part in comparisons and is not copied with the relation,
//! as a copy is made to be changed; whatever adds to a relation forgets it.
//!
//! Only the answer to this one question is kept, which always costs the same step of a budget, remembered or not: budgets
//! do not depend on what happened before.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use super::BasicMap;
use crate::budget::{Budget, Stop};
use crate::solver::sample::sample_by_solving;

/// Whether a point is easily seen, if that is known.
#[derive(Default)]
pub(crate) struct Memo(AtomicU8);

const UNKNOWN: u8 = 0;
const SEEN: u8 = 1;
const UNSEEN: u8 = 2;

impl Memo {
    pub(super) fn forget(&mut self) {
        *self.0.get_mut() = UNKNOWN;
    }

    fn answer(&self) -> Option<bool> {
        match self.0.load(Ordering::Relaxed) {
            SEEN => Some(true),
            UNSEEN => Some(false),
            _ => None,
        }
    }

    fn keep(&self, seen: bool) {
        self.0.store(if seen { SEEN } else { UNSEEN }, Ordering::Relaxed);
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
    pub(crate) fn has_plain_point(self: &Arc<BasicMap>) -> bool {
        self.memo.answer().unwrap_or_else(|| {
            let seen = self.plain_point().is_some();
            self.memo.keep(seen);
            seen
        })
    }

    /// As [`BasicMap::is_empty`], with the same cost, but what is found out is remembered.
    pub(crate) fn is_empty_shared(self: &Arc<BasicMap>, budget: &mut Budget) -> Result<bool, Stop> {
        if self.memo.answer() != Some(true) && self.is_plainly_empty() {
            return Ok(true);
        }
        budget.spend(1)?;
        if self.has_plain_point() {
            return Ok(false);
        }
        Ok(sample_by_solving(&self.to_system(), budget)?.is_none())
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
        assert_eq!(shared.memo.answer(), Some(true), "reading looks for a point");
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
        for text in ["{ [x] : 3 <= x <= 5 }", "{ [x, y] : 1 <= 3x - 3y + 2z <= 2 and 5 <= 7z + x <= 9 }"] {
            let text = text.replace("[x, y]", "[x, y, z]");
            let set: crate::Set = text.parse().expect("the text is a set");
            let cost = || {
                let mut budget = Budget::unlimited();
                let empty = set.is_empty(&mut budget);
                (empty, budget.spent())
            };
            let fresh = {
                let mut budget = Budget::unlimited();
                let empty = BasicMap::clone(&set.basics()[0]).is_empty(&mut budget);
                (empty, budget.spent())
            };
            assert_eq!(cost(), fresh);
            assert_eq!(cost(), fresh);
        }
    }
}
