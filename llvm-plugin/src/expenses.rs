//! What the work on one function may cost, and what it has cost.
//!
//! # Problem
//! A budget bounds the work on one SCoP. A function may have hundreds of SCoPs, and hundreds of
//! budgets are minutes. How long people wait for a function must go with its size.
//!
//! # Definitions
//! The *purse* of a function is a number of operations ([`poly_presburger::budget`]): so many for
//! every function ([`Worth`]), and so many for each of its instructions ([`PER_INSTRUCTION`]). All
//! that is done for the function draws from it. If the option `budget` names a number, SCoPs get
//! that number each, and there is no purse.
//!
//! # Algorithm
//! 1. Detection may spend a quarter of what is left, a region half of what is left of that; what is
//!    too large is modelled in parts.
//! 2. A SCoP may spend the part of what is left that its blocks are of all blocks of SCoPs that
//!    wait, itself included; three quarters of that if it has several nests, as these are looked at
//!    one by one if nothing is done for them together.
//! 3. It may not spend more than its loops are worth ([`Worth`]), which goes with the square root
//!    of the operations that they execute when they run once. How often they will run is not known:
//!    between once, and as often as takes hours. The geometric mean of both times is what an
//!    optimizer may bet on, and part of what it may win is what it may cost. With moderate effort
//!    ([`Effort`](crate::options::Effort)) it is a fortieth of that.
//! 4. What was not spent stays in the purse.
//!
//! Who gets nothing any more gives up at once, with the remark that every used-up budget gives.
//!
//! # Invariants
//! Operations are counted, never timed: what is done does not depend on the machine or its load.
//! The clock is read for the option `time-report` only, and nothing but its text depends on it.

use std::fmt::Write;
use std::time::{Duration, Instant};

use poly_presburger::Budget;

use crate::options::Options;

/// Operations for each instruction: about as long as LLVM itself works on one.
const PER_INSTRUCTION: u64 = 200;

/// Operations for a SCoP where nobody counts those of the function.
pub(crate) const PER_SCOP: u64 = 50_000_000;

/// How many operations may be spent on a function, and on a SCoP.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worth {
    /// For a function, however small.
    allowance: u64,
    /// Where its loops execute nothing to speak of.
    least: f64,
    /// More for each of its statements.
    of_statement: f64,
    /// More for the square root of an operation that is executed.
    of_root: f64,
}

impl Worth {
    /// For loops over a thousand elements as many as take a tenth of a second, for loops over a
    /// million pairs of them half a purse. A purse is about a second; deep nests with many
    /// dependences need most of it, and most functions spend a thousandth.
    pub(crate) const FULL: Worth =
        Worth { allowance: 10_000_000, least: 20_000.0, of_statement: 2_000.0, of_root: 4_000.0 };

    /// For loops over a million pairs of elements as many as take a twentieth of a second, for
    /// loops over a thousand millions of triples a purse.
    pub(crate) const MODERATE: Worth =
        Worth { allowance: 2_000_000, least: 2_000.0, of_statement: 200.0, of_root: 100.0 };

    /// Where so much effort is to be made.
    pub(crate) fn with(options: &Options) -> Self {
        if options.is_moderate() { Self::MODERATE } else { Self::FULL }
    }

    /// Operations for a SCoP of so many statements whose loops execute so many operations when they
    /// run once.
    pub(crate) fn of(self, statements: usize, executed: f64) -> u64 {
        (self.least + self.of_statement * statements as f64 + self.of_root * executed.sqrt()) as u64
    }
}

/// How much is left, and what was spent on what.
#[derive(Debug)]
pub(crate) struct Expenses {
    /// Nothing if the option `budget` says what SCoPs get.
    purse: Option<Budget>,
    per_scop: u64,
    ledger: Option<Ledger>,
}

impl Expenses {
    /// Those of a function with so many instructions.
    pub(crate) fn new(instructions: usize, options: &Options) -> Self {
        let usual = Worth::with(options).allowance + PER_INSTRUCTION * instructions as u64;
        Self {
            purse: options.budget.is_none().then(|| Budget::new(options.debug_purse.unwrap_or(usual))),
            per_scop: options.budget.unwrap_or(PER_SCOP),
            ledger: options.time_report.then(|| Ledger { instructions, ..Ledger::default() }),
        }
    }

    /// What detection may spend.
    pub(crate) fn for_detection(&self) -> Budget {
        match &self.purse {
            Some(purse) => purse.sub(purse.remaining() / 4),
            None => Budget::new(self.per_scop),
        }
    }

    /// What a SCoP of `own` of the `waiting` blocks may spend; `worth` says with how much of that
    /// what its loops are worth.
    pub(crate) fn for_scop(
        &self,
        (own, waiting): (usize, usize),
        nests: usize,
        worth: impl FnOnce(&mut Budget) -> u64,
    ) -> Budget {
        let Some(purse) = &self.purse else { return Budget::new(self.per_scop) };
        assert!(own <= waiting, "a SCoP of {own} blocks is one of those that wait, which have {waiting}");
        let whole = u128::from(purse.remaining());
        let part = whole * own as u128 / waiting.max(1) as u128;
        let part = if nests > 1 { part * 3 / 4 } else { part };
        let part = u64::try_from(part).expect("a part is not more than the whole").min(self.per_scop);
        let mut asked = purse.sub(part);
        let worth = worth(&mut asked);
        let mut own = purse.sub(part.min(worth));
        own.absorb(&asked);
        own
    }

    /// Counts what was spent.
    pub(crate) fn pay(&mut self, spent: &Budget) {
        if let Some(purse) = &mut self.purse {
            purse.absorb(spent);
        }
    }

    /// A step begins, and the one before ends, when this much of the step's budget is spent.
    pub(crate) fn enter(&mut self, step: &'static str, spent: u64) {
        if let Some(ledger) = &mut self.ledger {
            ledger.enter(Some(step), spent);
        }
    }

    /// The step ends.
    pub(crate) fn leave(&mut self, spent: u64) {
        if let Some(ledger) = &mut self.ledger {
            ledger.enter(None, spent);
        }
    }

    /// What was spent on what, if that is to be said.
    pub(crate) fn report(&self, function: &str) -> Option<String> {
        let ledger = self.ledger.as_ref()?;
        let allowed = self.purse.as_ref().map(|purse| purse.spent() + purse.remaining());
        Some(ledger.report(function, allowed))
    }
}

/// A step of the work.
#[derive(Debug)]
struct Entry {
    name: &'static str,
    times: usize,
    operations: u64,
    time: Duration,
}

/// What each step cost.
#[derive(Debug, Default)]
struct Ledger {
    instructions: usize,
    entries: Vec<Entry>,
    /// The step that goes on: its entry, what its budget had spent when it began, and when that
    /// was.
    open: Option<(usize, u64, Instant)>,
}

impl Ledger {
    fn enter(&mut self, step: Option<&'static str>, spent: u64) {
        let now = Instant::now();
        if let Some((entry, before, began)) = self.open.take() {
            self.entries[entry].operations += spent.saturating_sub(before);
            self.entries[entry].time += now - began;
        }
        let Some(name) = step else { return };
        let known = self.entries.iter().position(|entry| entry.name == name);
        let entry = known.unwrap_or_else(|| {
            self.entries.push(Entry { name, times: 0, operations: 0, time: Duration::ZERO });
            self.entries.len() - 1
        });
        self.entries[entry].times += 1;
        self.open = Some((entry, spent, now));
    }

    fn report(&self, function: &str, allowed: Option<u64>) -> String {
        let total = self.entries.iter().map(|entry| entry.operations).sum();
        let of = allowed.map_or_else(String::new, |allowed| format!(" of {allowed}"));
        let mut text = format!(
            "Time report of function '{function}': {} instructions, {total}{of} operations\n{:24}{:>7}{:>13}{:>10}\n",
            self.instructions, "", "times", "operations", "seconds",
        );
        let all = Entry {
            name: "all",
            times: self.entries.iter().map(|entry| entry.times).sum(),
            operations: total,
            time: self.entries.iter().map(|entry| entry.time).sum(),
        };
        for Entry { name, times, operations, time } in self.entries.iter().chain([&all]) {
            let line = writeln!(text, "  {name:22}{times:>7}{operations:>13}{:>10.3}", time.as_secs_f64());
            line.expect("writing to a String cannot fail");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Effort;

    const ALLOWANCE: u64 = Worth::FULL.allowance;

    fn of(instructions: usize) -> Expenses {
        Expenses::new(instructions, &Options::default())
    }

    #[test]
    fn the_purse_goes_with_the_size() {
        let (small, large) = (of(0).for_scop((1, 1), 1, |_| u64::MAX), of(10_000).for_scop((1, 1), 1, |_| u64::MAX));
        assert_eq!(small.remaining(), ALLOWANCE);
        assert_eq!(large.remaining(), ALLOWANCE + 10_000 * PER_INSTRUCTION);
        let little = Options { effort: Effort::Moderate, ..Options::default() };
        let purse = Expenses::new(0, &little).for_scop((1, 1), 1, |_| u64::MAX).remaining();
        assert_eq!(purse, Worth::MODERATE.allowance);
    }

    #[test]
    fn what_is_left_goes_to_those_who_wait() {
        let mut expenses = of(0);
        let mut first = expenses.for_scop((1, 4), 1, |_| u64::MAX);
        assert_eq!(first.remaining(), ALLOWANCE / 4);
        assert_eq!(first.spend(ALLOWANCE), Err(poly_presburger::Stop));
        expenses.pay(&first);
        // It has not got more than its part.
        assert_eq!(expenses.for_scop((3, 3), 1, |_| u64::MAX).remaining(), ALLOWANCE - ALLOWANCE / 4);
        assert_eq!(expenses.for_scop((3, 3), 2, |_| u64::MAX).remaining(), (ALLOWANCE - ALLOWANCE / 4) * 3 / 4);
    }

    #[test]
    fn loops_that_hardly_run_are_worth_little() {
        // Three statements, two microseconds or hours.
        let worth = |operations| Worth::FULL.of(3, operations);
        assert!(worth(1e4) < ALLOWANCE / 20, "{}", worth(1e4));
        assert!(worth(1e12) > ALLOWANCE, "{}", worth(1e12));
        let moderate = |operations| Worth::MODERATE.of(3, operations);
        assert!(moderate(1e4) < worth(1e4) / 10 && moderate(1e9) > ALLOWANCE / 4, "{}", moderate(1e9));
        let expenses = of(0);
        let mut asked = 0;
        let own = expenses.for_scop((1, 2), 1, |budget| {
            asked = budget.remaining();
            budget.spend(300).expect("there is enough");
            1000
        });
        assert_eq!((asked, own.remaining(), own.spent()), (ALLOWANCE / 2, 700, 300), "asking is paid for");
        // What a SCoP is worth does not give it more than there is.
        assert_eq!(expenses.for_scop((1, 2), 1, |_| u64::MAX).remaining(), ALLOWANCE / 2);
    }

    #[test]
    fn hundreds_of_scops_spend_one_purse() {
        let mut expenses = of(1000);
        let mut spent = 0;
        for waiting in (1..=500).rev() {
            for mut budget in [expenses.for_detection(), expenses.for_scop((1, waiting), 3, |_| u64::MAX)] {
                while budget.spend(1000).is_ok() {}
                spent += budget.spent().min(budget.spent() - 1000 + budget.remaining());
                expenses.pay(&budget);
            }
        }
        assert!(spent <= ALLOWANCE + 1000 * PER_INSTRUCTION, "{spent}");
    }

    #[test]
    fn a_number_for_scops_is_one_for_each() {
        let mut expenses = Expenses::new(10, &Options { budget: Some(77), ..Options::default() });
        for _ in 0..3 {
            let mut budget = expenses.for_scop((1, 5), 2, |_| u64::MAX);
            assert_eq!(budget.spend(77), Ok(()));
            assert_eq!(budget.spend(1), Err(poly_presburger::Stop));
            expenses.pay(&budget);
        }
    }

    #[test]
    fn steps_are_counted_together() {
        let mut expenses =
            Expenses::new(3, &Options { debug_purse: Some(100), time_report: true, ..Options::default() });
        for _ in 0..2 {
            expenses.enter("first", 0);
            expenses.enter("second", 7);
            expenses.leave(9);
        }
        let report = expenses.report("f").expect("it is wanted");
        let counted: Vec<Vec<&str>> = report.lines().map(|line| line.split_whitespace().take(3).collect()).collect();
        assert_eq!(counted[2..], [["first", "2", "14"], ["second", "2", "4"], ["all", "4", "18"]]);
        assert!(report.starts_with("Time report of function 'f': 3 instructions, 18 of 100 operations\n"), "{report}");
        assert_eq!(of(3).report("f"), None);
    }
}
