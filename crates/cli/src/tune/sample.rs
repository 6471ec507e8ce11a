//! Times that were measured, and when one list of them is better than another one.
//!
//! # Problem
//! The same program takes another time in every run. What disturbs it (other programs, interrupts,
//! a cold cache, a lower clock) only ever adds time, in some runs more than in others.
//!
//! # Definitions
//! The *interval* of a sample goes from its least time to its median. The least one is closest to
//! what the program takes when nothing disturbs it; the median says how much is usually added.
//!
//! # Method
//! A sample is *better beyond noise* if its interval lies wholly below that of the other one: more
//! than half of its times are less than every time of the other one. Of two samples of five times
//! each of one and the same program, that is so in 21 of 252 orders, of two of eleven times in 4368
//! of 705432. Nothing is assumed about how times are distributed, except that both samples meet the
//! same disturbances, for which their runs have to take turns.

/// Times in seconds, sorted.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Sample(Vec<f64>);

impl Sample {
    /// With one more time.
    pub(super) fn push(&mut self, seconds: f64) {
        let at = self.0.partition_point(|&known| known <= seconds);
        self.0.insert(at, seconds);
    }

    /// How many times there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The least time; infinite if there is none.
    pub(super) fn least(&self) -> f64 {
        self.0.first().copied().unwrap_or(f64::INFINITY)
    }

    /// The median, the lower one of two; infinite if there is none.
    pub(super) fn median(&self) -> f64 {
        self.0.get(self.0.len().saturating_sub(1) / 2).copied().unwrap_or(f64::INFINITY)
    }

    /// Whether it can still become better than another one by more than noise, when both are to
    /// have so many times.
    pub(super) fn may_become_better_than(&self, other: &Sample, times: usize) -> bool {
        let below = self.0.partition_point(|&known| known < other.least());
        below + times.saturating_sub(self.len()) > times.saturating_sub(1) / 2
    }

    /// Whether it is better than another one by more than noise, and by so great a part of the
    /// time.
    pub(super) fn is_better_than(&self, other: &Sample, least_gain: f64) -> bool {
        self.median() < other.least() && self.least() <= other.least() * (1.0 - least_gain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(times: &[f64]) -> Sample {
        let mut sample = Sample::default();
        times.iter().for_each(|&time| sample.push(time));
        sample
    }

    #[test]
    fn intervals_go_from_the_least_time_to_the_median() {
        let five = sample(&[5.0, 1.0, 4.0, 2.0, 3.0]);
        assert_eq!((five.least(), five.median(), five.len()), (1.0, 3.0, 5));
        assert_eq!(sample(&[2.0, 1.0]).median(), 1.0);
        assert_eq!(Sample::default().least(), f64::INFINITY);
    }

    #[test]
    fn more_than_noise() {
        let slow = sample(&[1.0, 1.1, 1.2, 1.5, 3.0]);
        assert!(sample(&[0.8, 0.9, 0.95, 1.3, 2.0]).is_better_than(&slow, 0.01));
        // Its median is not below the least time of the other one.
        assert!(!sample(&[0.8, 0.9, 1.05, 1.1, 1.1]).is_better_than(&slow, 0.01));
        // Below, but by too little.
        assert!(!sample(&[0.995, 0.996, 0.997]).is_better_than(&slow, 0.01));
        assert!(!slow.is_better_than(&slow, 0.0));
    }

    #[test]
    fn a_race_is_over_when_nothing_can_win_it() {
        let champion = sample(&[1.0, 1.0]);
        // Three of five times have to be below.
        assert!(sample(&[1.1]).may_become_better_than(&champion, 5));
        assert!(sample(&[1.1, 1.1]).may_become_better_than(&champion, 5));
        assert!(!sample(&[1.1, 1.1, 1.1]).may_become_better_than(&champion, 5));
        assert!(sample(&[0.9, 1.1, 0.9, 1.1]).may_become_better_than(&champion, 5));
    }

    /// The number in the module's text.
    #[test]
    fn equal_programs_seldom_win() {
        let (mut wins, mut all) = (0, 0);
        for choice in 0_u32..1 << 10 {
            if choice.count_ones() != 5 {
                continue;
            }
            all += 1;
            let (mut a, mut b) = (Sample::default(), Sample::default());
            for rank in 0..10 {
                let side = if choice >> rank & 1 == 1 { &mut a } else { &mut b };
                side.push(f64::from(rank) + 1.0);
            }
            wins += u32::from(a.is_better_than(&b, 0.0));
        }
        assert_eq!((wins, all), (21, 252));
    }
}
