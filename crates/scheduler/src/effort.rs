//! Searches that may be given up.
//!
//! # Problem
//! Integer programs grow with the statements of a component, and the time for them grows faster.
//! Programs of hundreds of statements must get a schedule all the same, quickly, and the same one
//! on every machine.
//!
//! # Method
//! All searches together may spend [`crate::Options::effort`]. One of them (the band of a
//! component, the band of clusters to be merged, a dimension that carries) gets at most the
//! [`PART`]th part of what is left, so that the first ones leave something for those behind. What
//! is given up is replaced: by separate clusters, at last by the original order, which is always
//! legal.

use poly_presburger::budget::{Budget, Stop};

/// The part of what is left that one search may spend.
const PART: u64 = 8;

/// What `run` finds within so many operations; `None` if it does not end within them.
pub(crate) fn within<T>(
    operations: u64,
    budget: &mut Budget,
    run: impl FnOnce(&mut Budget) -> Result<T, Stop>,
) -> Option<T> {
    let mut part = budget.sub(operations.min(budget.remaining()));
    let result = run(&mut part);
    budget.absorb(&part);
    result.ok()
}

/// The result of one search among others.
pub(crate) fn search<T>(budget: &mut Budget, run: impl FnOnce(&mut Budget) -> Result<T, Stop>) -> Option<T> {
    within(budget.remaining() / PART, budget, run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_spends_a_part() {
        let mut budget = Budget::new(800);
        let spend = |operations: u64| move |part: &mut Budget| part.spend(operations).map(|()| operations);
        assert_eq!(search(&mut budget, spend(100)), Some(100));
        assert_eq!(budget.remaining(), 700);
        assert_eq!(search(&mut budget, spend(100)), None);
        assert_eq!(within(1000, &mut budget, spend(300)), Some(300));
        assert!(budget.remaining() >= 300, "{}", budget.remaining());
    }
}
