//! A stream of random choices that can be recorded, replayed and made smaller.
//!
//! Everything random in this crate is drawn from a [`Random`]. It is either the stream of a seed or
//! the replay of recorded draws, where draws beyond the end are zero. A draw of zero is the
//! simplest choice (the number nearest to zero, the first of several values, the common case), so
//! that shortening and lowering the draws of a failing case makes its input simpler without knowing
//! what it is ([`smaller`]).

/// A deterministic stream of choices: SplitMix64 for a seed, or recorded draws.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    replay: Option<Vec<u64>>,
    drawn: Vec<u64>,
}

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Random {
        let state = seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x5851_f42d_4c95_7f2d;
        Random { state, replay: None, drawn: Vec::new() }
    }

    /// The same choices again; draws that are too large for a choice are reduced.
    pub fn replay(draws: Vec<u64>) -> Random {
        Random { state: 0, replay: Some(draws), drawn: Vec::new() }
    }

    /// What has been drawn.
    pub fn drawn(&self) -> &[u64] {
        &self.drawn
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    fn below(&mut self, n: u64) -> u64 {
        let draw = match &self.replay {
            Some(draws) => draws.get(self.drawn.len()).copied().unwrap_or(0) % n,
            None => self.next() % n,
        };
        self.drawn.push(draw);
        draw
    }

    /// A number in `low..=high`; simplest is the one nearest to zero.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        let n = u64::try_from(high - low + 1).expect("the range is not empty");
        let draw = i64::try_from(self.below(n)).expect("the range is short");
        if low >= 0 {
            return low + draw;
        }
        if high <= 0 {
            return high - draw;
        }
        let both = high.min(-low); // this many on either side of zero
        match draw {
            d if d <= 2 * both && d % 2 == 1 => (d + 1) / 2,
            d if d <= 2 * both => -(d / 2),
            d if high > both => d - both,
            d => both - d,
        }
    }

    /// A number in `low..=high`, as a size.
    pub fn size(&mut self, low: usize, high: usize) -> usize {
        let range = self.range(low as i64, high as i64);
        usize::try_from(range).expect("the range is not negative")
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == n - 1
    }

    /// One of several values; simplest is the first.
    pub fn pick<'a, T>(&mut self, values: &'a [T]) -> &'a T {
        let i = self.below(values.len() as u64);
        &values[usize::try_from(i).expect("the index is below the length")]
    }
}

/// Draws that are smaller and still `fail`, found in at most `trials` trials: ranges of draws are
/// left out, single draws set to zero or halved, until nothing helps any more.
pub fn smaller(draws: Vec<u64>, trials: usize, mut fail: impl FnMut(&[u64]) -> bool) -> Vec<u64> {
    let mut best = draws;
    let mut left = trials;
    loop {
        let before = best.clone();
        for size in [32, 16, 8, 4, 2, 1] {
            let mut start = 0;
            while start < best.len() && left > 0 {
                let mut candidate = best.clone();
                candidate.drain(start..(start + size).min(best.len()));
                left -= 1;
                if fail(&candidate) {
                    best = candidate;
                } else {
                    start += size;
                }
            }
        }
        for i in 0..best.len() {
            for value in [0, best[i] / 2, best[i].saturating_sub(1)] {
                if value >= best[i] || left == 0 {
                    continue;
                }
                let mut candidate = best.clone();
                candidate[i] = value;
                left -= 1;
                if fail(&candidate) {
                    best = candidate;
                }
            }
        }
        if best == before || left == 0 {
            return best;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_a_range_is_drawn_and_zero_is_simplest() {
        for (low, high) in [(-3, 3), (-1, 4), (-5, 2), (2, 6), (-6, -2), (0, 0)] {
            let n = u64::try_from(high - low + 1).unwrap();
            let mut all: Vec<i64> = (0..n).map(|draw| Random::replay(vec![draw]).range(low, high)).collect();
            let nearest = if low > 0 { low } else { high.min(0) };
            assert_eq!(all[0], nearest);
            all.sort_unstable();
            assert_eq!(all, (low..=high).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_replay_makes_the_same_choices() {
        let draw = |r: &mut Random| (r.range(-9, 9), r.one_in(3), *r.pick(&[1, 2, 3, 4]), r.range(5, 500));
        let mut first = Random::new(17);
        let choices: Vec<_> = (0..20).map(|_| draw(&mut first)).collect();
        let mut second = Random::replay(first.drawn().to_vec());
        assert_eq!((0..20).map(|_| draw(&mut second)).collect::<Vec<_>>(), choices);
    }

    #[test]
    fn failing_draws_become_small() {
        let fails = |draws: &[u64]| draws.iter().any(|&d| d >= 10) && draws.len() >= 2;
        let start = Random::new(3);
        let mut random = start;
        (0..50).for_each(|_| {
            random.range(0, 1000);
        });
        assert_eq!(smaller(random.drawn().to_vec(), 1000, fails).iter().sum::<u64>(), 10);
    }
}
