//! What stays in a cache.

/// Part of a cache that holds what the model sees; the rest is for what it does not see, and for
/// conflicts.
pub const USABLE: f64 = 0.7;

/// Data of so many times the size of a cache are always gone before they are used again.
const EXCEEDED: f64 = 1.3;

/// Part of so many bytes that is no longer in a cache of a size when they are gone through again.
/// Caches do not fail all at once: their policies of replacement keep some of what is a little too
/// large for them.
pub(crate) fn lost(bytes: f64, cache: u64) -> f64 {
    ((bytes / cache as f64 - USABLE) / (EXCEEDED - USABLE)).clamp(0.0, 1.0)
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::Machine;

    /// The usual machine, as candidates see it: their short loops do not overlap.
    pub(crate) fn usual() -> Machine {
        Machine::default().without_overlap()
    }

    /// The same with masks and vectors of 64 bytes, of which LLVM makes no loops.
    pub(crate) fn wide() -> Machine {
        let mut machine = usual();
        (machine.vectors.bytes, machine.vectors.registers, machine.vectors.masks) = (64, 32, true);
        machine
    }

    #[test]
    fn caches_lose_little_by_little() {
        let lost = |bytes: f64| super::lost(bytes, 1000);
        assert_eq!((lost(700.0), lost(1000.0), lost(1300.0)), (0.0, 0.5, 1.0));
    }
}
