//! A small generator of pseudo-random numbers: the same seed gives the same program on every
//! machine.

/// The state of SplitMix64 [Steele2014].
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    /// A generator for a seed.
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        assert!(low <= high, "an empty range has no number");
        let count = high.abs_diff(low) + 1;
        low + i64::try_from(self.next() % count).expect("the ranges of this program are small")
    }

    /// A number from 0 up to `count`, which is not included.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.between(0, count as i64 - 1)).expect("the range begins at 0")
    }

    /// True in `percent` of a hundred cases.
    pub(crate) fn chance(&mut self, percent: i64) -> bool {
        self.between(1, 100) <= percent
    }

    /// One of several things.
    pub(crate) fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_their_range_and_reach_its_ends() {
        let mut random = Random::new(1);
        let numbers: Vec<i64> = (0..1000).map(|_| random.between(-3, 4)).collect();
        assert_eq!(numbers.iter().min(), Some(&-3));
        assert_eq!(numbers.iter().max(), Some(&4));
    }

    #[test]
    fn a_seed_determines_the_numbers() {
        let take = |seed| (0..4).map(|_| Random::new(seed).between(0, 1 << 40)).collect::<Vec<_>>();
        assert_eq!(take(7), take(7));
        assert_ne!(take(7), take(8));
    }
}
