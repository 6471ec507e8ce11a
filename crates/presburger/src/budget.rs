//! Bounded work.
//!
//! Exact integer programming has no useful worst-case bound, so every costly function of the core
//! takes a [`Budget`] as its last argument and gives up with [`Stop`] when it is used up. The unit
//! is a *step*: roughly the update of one tableau row. Steps are counted, never timed, so that a
//! result does not depend on the machine. Whoever receives [`Stop`] knows nothing about the answer
//! and has to act as if the question had not been asked. Only optima, and lists of all points, can
//! fail in another way, as they need not exist: [`SolveError`].

use std::fmt;

/// The work was given up because the budget is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop;

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the budget of operations is used up")
    }
}

impl std::error::Error for Stop {}

/// Why there is no optimum, or no list of all points.
///
/// A function whose only error is [`Stop`] may pass this on with `?`: to the one who asked, an
/// optimum that does not exist is an answer that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// The budget is used up; nothing is known.
    Stop,
    /// For some parameters or some element of the domain there are points, and none is the smallest
    /// (or largest).
    Unbounded,
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Stop => Stop.fmt(f),
            SolveError::Unbounded => f.write_str("there is no bound"),
        }
    }
}

impl std::error::Error for SolveError {}

impl From<Stop> for SolveError {
    fn from(_: Stop) -> SolveError {
        SolveError::Stop
    }
}

impl From<SolveError> for Stop {
    fn from(_: SolveError) -> Stop {
        Stop
    }
}

/// A number of steps that may be spent.
///
/// ```
/// use poly_presburger::budget::{Budget, Stop};
///
/// let mut budget = Budget::new(10);
/// assert_eq!(budget.spend(7), Ok(()));
/// assert_eq!(budget.remaining(), 3);
/// assert_eq!(budget.spend(4), Err(Stop));
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    limit: u64,
    spent: u64,
}

impl Budget {
    /// A budget of `ops` steps.
    pub fn new(ops: u64) -> Budget {
        Budget { limit: ops, spent: 0 }
    }

    /// A budget that is never used up.
    pub fn unlimited() -> Budget {
        Budget::new(u64::MAX)
    }

    /// Spends `ops` steps. Once this has failed it keeps failing, whatever the amount.
    #[inline]
    pub fn spend(&mut self, ops: u64) -> Result<(), Stop> {
        self.spent = self.spent.saturating_add(ops);
        if self.spent > self.limit { Err(Stop) } else { Ok(()) }
    }

    /// The steps spent so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }

    /// The steps left.
    pub fn remaining(&self) -> u64 {
        self.limit.saturating_sub(self.spent)
    }

    /// A budget for a part of the work: at most `limit` steps and not more than are left here.
    /// What it spends has to be brought back by [`Budget::absorb`].
    pub fn sub(&self, limit: u64) -> Budget {
        Budget::new(limit.min(self.remaining()))
    }

    /// Counts what a part of the work (see [`Budget::sub`]) has spent. A part that ran dry counts
    /// with its own limit.
    pub fn absorb(&mut self, part: &Budget) {
        self.spent = self.spent.saturating_add(part.spent.min(part.limit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exhausted_budget_stays_exhausted() {
        let mut budget = Budget::new(3);
        assert_eq!(budget.spend(3), Ok(()));
        assert_eq!(budget.spend(1), Err(Stop));
        assert_eq!(budget.spend(0), Err(Stop));
        assert_eq!(budget.remaining(), 0);
    }

    #[test]
    fn a_part_is_counted_in_the_whole() {
        let mut budget = Budget::new(10);
        let mut part = budget.sub(4);
        assert_eq!(part.spend(5), Err(Stop));
        budget.absorb(&part);
        assert_eq!(budget.remaining(), 6);
        assert_eq!(budget.sub(100).remaining(), 6);
    }
}
