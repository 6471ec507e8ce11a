//! What an inspection may cost.
//!
//! # Problem
//! An inspection takes as long as some executions of the loop, and whether it pays is only known
//! behind it: how often the loop will be executed nobody says, and threads that wait for the same
//! memory are no faster than one.
//!
//! # The bound
//! Each nest has a *credit*, in nanoseconds:
//!
//! 1. every execution adds a part, one in [`SHARE`], of what the original takes at least;
//! 2. what executions by a schedule save is added, what they lose is subtracted;
//! 3. what an inspection takes is subtracted. It begins when the credit is at least what it is
//!    predicted to take, and is abandoned when it has taken all of it.
//!
//! So at any time, what inspections have cost is at most one part in [`SHARE`] of what the original
//! would have taken, plus what schedules have saved, plus what is lost between two looks at the
//! clock and in the executions by which a schedule is tried.
//!
//! # Steps
//! To save something early, and to know what it is before much is paid, only a [`Window`] of the
//! iterations is inspected at first: one in the middle, the others are executed in their original
//! order. A larger one follows when the credit suffices, which is soon if the window is faster by a
//! schedule, and the last one is the whole loop. (A small window that is not faster says little:
//! independent iterations may be far apart.)
//!
//! The credit has a limit, so that what was saved in an hour is not lost in a minute.

/// Of what the original takes, one part in so many may be lost: less than two percent, which is
/// about what one execution differs from the next one.
pub const SHARE: u64 = 64;

/// Before an inspection its time for all iterations is supposed to be that of so many executions:
/// it writes down, sorts and places what the loop only reads. A wrong guess costs no more than the
/// credit, and the first window replaces it.
const SUPPOSED: u64 = 16;

/// An inspection begins with this many fourths of what it is predicted to take: what is abandoned
/// because other programs, or pages that are new, made it slower is paid for twice.
const FOURTHS: u64 = 5;

/// Executions that are measured before anything is inspected: as many as a trial has, so that both
/// means are as good.
pub const MEASURED: u64 = 8;

/// After how many times as many executions as so far a nest that was given up is looked at again:
/// the number of inspections grows with the logarithm of that of executions.
pub const AGAIN: u64 = 4;

/// Nanoseconds that the credit may always reach.
const LEAST: u64 = 10_000_000;

/// Binary logarithms of the parts of the iterations that are inspected, one after the other.
const PARTS: [u32; 3] = [4, 2, 0];

/// Iterations that are inspected: from the first number up to the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// The first.
    pub first: u64,
    /// Behind the last.
    pub end: u64,
}

impl Window {
    /// All of so many iterations.
    pub fn all(iterations: u64) -> Self {
        Self { first: 0, end: iterations }
    }

    /// How many they are.
    pub fn len(self) -> u64 {
        self.end.saturating_sub(self.first)
    }

    /// There are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// What inspections of a nest have cost, and what they may cost.
#[derive(Clone, Copy, Debug)]
pub struct Account {
    /// Executions so far.
    executions: u64,
    /// Originals that were measured, the nanoseconds of all of them, and of the fastest.
    measured: u64,
    spent: u64,
    fastest: u64,
    credit: i64,
    /// What an inspection of all iterations is predicted to take.
    expected: u64,
    /// The place of the next part in [`PARTS`].
    step: usize,
    /// Not looked at before there were so many executions.
    resume_at: u64,
}

impl Default for Account {
    fn default() -> Self {
        let (executions, measured, spent, credit, expected, step, resume_at) = (0, 0, 0, 0, 0, 0, 0);
        Self { executions, measured, spent, fastest: u64::MAX, credit, expected, step, resume_at }
    }
}

impl Account {
    /// Executions so far.
    pub fn executions(&self) -> u64 {
        self.executions
    }

    /// The nest is executed once more.
    pub fn begin(&mut self) {
        self.executions += 1;
        if self.measured > 0 {
            self.add(self.fastest / SHARE);
        }
    }

    /// The original has taken so long.
    pub fn measure(&mut self, nanoseconds: u64) {
        self.fastest = self.fastest.min(nanoseconds);
        // The first one brings data to the caches.
        if self.executions > 1 || self.measured > 0 {
            (self.measured, self.spent) = (self.measured + 1, self.spent.saturating_add(nanoseconds));
        }
    }

    /// What the fastest original took; the largest number if none was measured.
    pub fn fastest(&self) -> u64 {
        self.fastest
    }

    /// What so many of all iterations take in the fastest original; 0 if none was measured.
    pub fn takes(&self, window: Window, iterations: u64) -> u64 {
        if self.fastest == u64::MAX {
            return 0;
        }
        let part = u128::from(self.fastest) * u128::from(window.len()) / u128::from(iterations.max(1));
        u64::try_from(part).unwrap_or(u64::MAX)
    }

    /// What an original took in the mean; the largest number if none was measured.
    pub fn mean(&self) -> u64 {
        self.spent.checked_div(self.measured).unwrap_or(u64::MAX)
    }

    /// How many originals were measured.
    pub fn measured(&self) -> u64 {
        self.measured
    }

    /// Nothing is inspected or measured for now.
    pub fn is_resting(&self) -> bool {
        self.executions < self.resume_at
    }

    /// What may be inspected now, and how long that may take, if so much has to be paid besides.
    pub fn next(&self, iterations: u64, fewest: u64, extra: u64) -> Option<(Window, u64)> {
        if self.is_resting() || self.measured < MEASURED {
            return None;
        }
        let window = self.window(iterations, fewest);
        let needed = u128::from(self.predicted()) * u128::from(FOURTHS) / 4;
        let part = needed * u128::from(window.len()) / u128::from(iterations.max(1));
        let credit = u64::try_from(self.credit).unwrap_or(0);
        (part + u128::from(extra) <= u128::from(credit)).then_some((window, credit - extra))
    }

    /// The next window: in the middle, or everything if it would have fewer iterations.
    fn window(&self, iterations: u64, fewest: u64) -> Window {
        let part = PARTS.get(self.step).copied().unwrap_or(0);
        let length = iterations >> part;
        if part == 0 || length < fewest {
            return Window::all(iterations);
        }
        let first = (iterations - length) / 2;
        Window { first, end: first + length }
    }

    /// What an inspection of all iterations takes.
    fn predicted(&self) -> u64 {
        if self.expected > 0 { self.expected } else { self.fastest.saturating_mul(SUPPOSED) }
    }

    /// An inspection of so many of all iterations has taken so long.
    pub fn inspected(&mut self, window: Window, iterations: u64, nanoseconds: u64, is_complete: bool) {
        self.lose(nanoseconds);
        let all = u128::from(nanoseconds) * u128::from(iterations) / u128::from(window.len().max(1));
        let all = u64::try_from(all).unwrap_or(u64::MAX);
        // What was abandoned takes longer than it was allowed to.
        let longer = self.predicted().max(all).saturating_mul(2);
        self.expected = if is_complete { all.max(1) } else { longer };
    }

    /// The next window is larger: this one was faster in the trial, or too small to say.
    pub fn advance(&mut self) {
        self.step = (self.step + 1).min(PARTS.len() - 1);
    }

    /// There is nothing to gain with this window; after the last one there is nothing for now.
    pub fn give_up(&mut self, is_last: bool) {
        if is_last {
            self.step = 0;
            self.rest(AGAIN);
        } else {
            self.advance();
        }
    }

    /// Nothing is done before there were so many times as many executions.
    pub fn rest(&mut self, times: u64) {
        self.resume_at = self.executions.saturating_mul(times);
    }

    /// An execution would have taken so many nanoseconds, and has taken so many.
    pub fn executed(&mut self, without: u64, with: u64) {
        if with <= without {
            self.add(without - with);
        } else {
            self.lose(with - without);
        }
    }

    /// So many nanoseconds were lost.
    pub fn lose(&mut self, nanoseconds: u64) {
        self.credit = self.credit.saturating_sub_unsigned(nanoseconds);
    }

    /// More than two complete inspections are not saved for.
    fn add(&mut self, nanoseconds: u64) {
        let most = i64::try_from(self.predicted().saturating_mul(2).max(LEAST)).unwrap_or(i64::MAX);
        self.credit = self.credit.saturating_add_unsigned(nanoseconds).min(most.max(self.credit));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A nest whose executions take 1000 ns, in units of which everything else is said.
    struct Program {
        account: Account,
        /// What an inspection of everything costs.
        inspection: u64,
        /// Nanoseconds that a schedule for everything saves; negative if it is slower.
        saves: i64,
        taken: u64,
        window: Option<Window>,
        inspections: Vec<(u64, Window)>,
    }

    const TIME: u64 = 1000;
    const ALL: u64 = 1 << 20;

    impl Program {
        fn new(inspection: u64, saves: i64) -> Self {
            let account = Account::default();
            Self { account, inspection, saves, taken: 0, window: None, inspections: Vec::new() }
        }

        fn execute(&mut self) {
            self.account.begin();
            if let Some((window, limit)) = self.account.next(ALL, 32, 0)
                && self.window.is_none_or(|known| known.len() < window.len())
            {
                let costs = self.inspection * window.len() / ALL;
                let is_complete = costs <= limit;
                self.taken += costs.min(limit);
                self.account.inspected(window, ALL, costs.min(limit), is_complete);
                self.inspections.push((self.account.executions(), window));
                match (is_complete, self.saves > 0) {
                    (true, true) => {
                        self.window = Some(window);
                        self.account.advance();
                    }
                    (true, false) => self.account.give_up(window.len() == ALL),
                    _ => {}
                }
            }
            match self.window {
                Some(window) => {
                    let time = TIME.saturating_sub_signed(self.saves * window.len() as i64 / ALL as i64);
                    self.account.executed(TIME, time);
                    self.taken += time;
                }
                None => {
                    self.account.measure(TIME);
                    self.taken += TIME;
                }
            }
        }
    }

    #[test]
    fn what_does_not_pay_costs_less_than_two_percent() {
        for inspection in [100, 3 * TIME, 16 * TIME, 90 * TIME, 5000 * TIME] {
            for saves in [-500, 0] {
                let mut program = Program::new(inspection, saves);
                for executions in 1..10_000 {
                    program.execute();
                    assert!(program.taken * 50 <= 51 * TIME * executions, "{inspection} {executions}");
                }
            }
        }
    }

    #[test]
    fn what_pays_is_never_slower_and_gets_faster() {
        for (inspection, percent) in [(3 * TIME, 64), (8 * TIME, 65), (16 * TIME, 68), (40 * TIME, 85)] {
            let mut program = Program::new(inspection, 400);
            for executions in 1..2000 {
                program.execute();
                assert!(program.taken * 50 <= 51 * TIME * executions, "{inspection} {executions}");
            }
            let windows: Vec<u64> = program.inspections.iter().map(|(_, window)| window.len()).collect();
            assert!(windows.ends_with(&[ALL / 16, ALL / 4, ALL]), "{windows:?}");
            assert!(program.taken < 2000 * TIME * percent / 100, "{inspection}: {}", program.taken);
        }
    }

    #[test]
    fn a_window_lies_in_the_middle_or_is_everything() {
        let account = Account::default();
        assert_eq!(account.window(1600, 32), Window { first: 750, end: 850 });
        assert_eq!(account.window(500, 32), Window::all(500));
        assert_eq!(account.window(0, 32), Window::all(0));
    }

    #[test]
    fn what_is_given_up_rests() {
        let mut program = Program::new(TIME, 0);
        (0..1000).for_each(|_| program.execute());
        let when: Vec<u64> = program.inspections.iter().map(|(when, _)| *when).collect();
        let complete = program.inspections.iter().position(|(_, window)| window.len() == ALL).expect("it has time");
        assert!(when[complete + 1] >= AGAIN * when[complete], "{when:?}");
    }

    #[test]
    fn what_was_saved_long_ago_is_not_spent_at_once() {
        let mut program = Program::new(8 * TIME, 400);
        (0..100_000).for_each(|_| program.execute());
        assert!(program.account.credit <= LEAST as i64, "{:?}", program.account);
    }
}
