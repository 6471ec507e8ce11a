//! The search for choices that make a program faster than those of the cost model.
//!
//! # Problem
//! A program has nests, a nest has dimensions ([`super::space`]), and each run costs time and is
//! disturbed. Of all combinations only a few can be run.
//!
//! # Method
//! 1. The program without Poly, and with what the cost model chooses, run in turn. The latter is
//!    the first *champion*.
//! 2. Each nest, those with most predicted work first, each dimension, each answer: the champion
//!    with that one answer is the *challenger*. One with loops that were seen before is not run.
//! 3. A race. Both run in turn, twice in a row (so that both are disturbed alike, and few changes
//!    of the program are needed), the challenger first, until each has its runs. The race is over
//!    as soon as the challenger's least time of half of its runs is above the champion's median, or
//!    it could not win by what is left. A challenger that is better beyond noise
//!    ([`super::sample`]) is the next champion.
//! 4. Again from 2, around what the champion has now, until nothing wins any more or the budget of
//!    runs is used.
//! 5. The champion against the cost model's choice once more, with more runs: many races were run,
//!    and one may have been won by chance. If it is not better beyond noise, the cost model's
//!    choice is the result.
//!
//! # Invariants
//! What was found is at least as good as what the cost model chooses, as far as can be measured. A
//! challenger that prints something else is never champion. The search depends on nothing but what
//! the bench says.

use std::collections::BTreeSet;

use super::bench::{Bench, Halt, Look, Run, Subject};
use super::journal::Journal;
use super::sample::Sample;
use super::space;
use super::variant::{Nest, NestId, Variant};

/// How to search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// Runs of each side in a race.
    pub(super) repeat: usize,
    /// The part of the time that must be gained.
    pub(super) least_gain: f64,
    /// Whether threads may be used where they were not asked for.
    pub(super) may_thread: bool,
}

impl Settings {
    /// Runs of each side in the last race.
    pub(super) fn last_repeat(&self) -> usize {
        2 * self.repeat + 1
    }

    /// Runs that are kept for the last race.
    pub(super) fn reserve(&self) -> u64 {
        2 * self.last_repeat() as u64
    }
}

/// How a race ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict {
    /// The challenger won.
    Better(Sample),
    /// It did not, and took at least so many seconds.
    NotBetter(f64),
    /// Its loops were seen before.
    Known,
    /// It cannot be built, and why.
    Impossible(String),
    /// It printed something else.
    Wrong,
    /// It was stopped.
    TooLong,
}

/// What can be said while the search goes on.
pub(super) enum Event<'a> {
    /// Without Poly, and with the model's choice.
    Begin(&'a Sample, &'a Sample),
    /// An answer for a nest was tried.
    Tried { nest: &'a Nest, words: &'a str, verdict: &'a Verdict, used: u64, gain: f64 },
    /// The last race begins.
    Last,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    /// The choices; none if nothing is better than what the model does.
    pub(super) best: Variant,
    /// Without Poly.
    pub(super) original: Sample,
    /// The times of the model's choice, in the last race if there was one.
    pub(super) model: Sample,
    /// The times of what was found, in the last race; none if there was none.
    pub(super) champion: Option<Sample>,
    /// How many variants were run.
    pub(super) tried: usize,
    /// How many were not, as they give loops that were seen before.
    pub(super) known: usize,
    /// Profiles with which the program printed something else.
    pub(super) wrong: Vec<String>,
    /// All runs were used before everything was tried.
    pub(super) is_cut: bool,
}

/// The state of a search.
pub(super) struct Search<'s, B> {
    pub(super) bench: &'s mut Journal<B>,
    pub(super) nests: &'s [Nest],
    pub(super) settings: Settings,
    pub(super) say: &'s mut dyn FnMut(Event<'_>),
    champion: Variant,
    /// Its times in the last race that it was in.
    level: Sample,
    /// The model's times at the beginning.
    model: Sample,
    /// Loops that were seen.
    loops: BTreeSet<u64>,
    /// Variants that were tried.
    tried: BTreeSet<Variant>,
    runs: usize,
    known: usize,
    wrong: Vec<String>,
    /// Answers that are not possible, or wrong, whatever else is chosen.
    barred: BTreeSet<(NestId, String)>,
}

impl<'s, B: Bench> Search<'s, B> {
    pub(super) fn new(
        bench: &'s mut Journal<B>,
        nests: &'s [Nest],
        settings: Settings,
        say: &'s mut dyn FnMut(Event<'_>),
    ) -> Self {
        Self {
            bench,
            nests,
            settings,
            say,
            champion: Variant::default(),
            level: Sample::default(),
            model: Sample::default(),
            loops: BTreeSet::new(),
            tried: BTreeSet::new(),
            runs: 0,
            known: 0,
            wrong: Vec::new(),
            barred: BTreeSet::new(),
        }
    }

    fn subject(&self, variant: &Variant) -> Subject {
        Subject::Profile(variant.lines(self.nests))
    }

    /// Searches.
    ///
    /// # Errors
    /// A sentence.
    pub(super) fn run(mut self) -> Result<Found, String> {
        let original = match self.begin() {
            Ok(original) => original,
            Err(Halt::Budget) => return Err("the budget is too small for the first runs".to_owned()),
            Err(Halt::Error(what)) => return Err(what),
        };
        (self.say)(Event::Begin(&original, &self.level));
        let is_cut = match self.climb() {
            Ok(()) => false,
            Err(Halt::Budget) => true,
            Err(Halt::Error(what)) => return Err(what),
        };
        let (model, champion) = match self.last_race() {
            Ok(times) => times,
            Err(Halt::Error(what)) => return Err(what),
            Err(Halt::Budget) => (self.model.clone(), None),
        };
        let is_best = champion.as_ref().is_some_and(|times| times.is_better_than(&model, self.settings.least_gain));
        let best = if is_best { self.champion } else { Variant::default() };
        Ok(Found { best, original, model, champion, tried: self.runs, known: self.known, wrong: self.wrong, is_cut })
    }

    /// Runs the program without Poly and with the model's choice, in turn.
    fn begin(&mut self) -> Result<Sample, Halt> {
        let model = self.subject(&Variant::default());
        if let Look::Loops(hash) = self.bench.look(&model)? {
            self.loops.insert(hash);
        }
        let mut samples = [Sample::default(), Sample::default()];
        let subjects = [&Subject::Original, &model];
        for side in turns(self.settings.repeat) {
            match self.bench.run(subjects[side])? {
                Run::Time(seconds) => samples[side].push(seconds),
                Run::TooLong => return Err(Halt::Error("a run took far longer than the ones before".to_owned())),
                Run::Wrong => {
                    return Err(Halt::Error(
                        "the program prints something else with Poly than without, already as the cost model \
                         has it: this is an error of Poly, or the program has undefined behaviour"
                            .to_owned(),
                    ));
                }
            }
        }
        let [original, level] = samples;
        self.model = level.clone();
        self.level = level;
        Ok(original)
    }

    /// Goes from champion to champion.
    fn climb(&mut self) -> Result<(), Halt> {
        loop {
            let before = self.champion.clone();
            for (number, nest) in self.nests.iter().enumerate() {
                for dimension in space::dimensions(nest) {
                    self.try_dimension((NestId(number), nest), dimension)?;
                }
            }
            if self.champion == before {
                return Ok(());
            }
        }
    }

    fn try_dimension(&mut self, (id, nest): (NestId, &Nest), dimension: &'static str) -> Result<(), Halt> {
        for words in space::answers((id, nest), dimension, &self.champion, self.settings.may_thread) {
            let challenger = self.champion.with(id, dimension, &words);
            let is_barred = self.barred.contains(&(id, words.clone()));
            if is_barred || challenger.is_model() || !self.tried.insert(challenger.clone()) {
                continue;
            }
            let verdict = self.race(&challenger)?;
            match &verdict {
                Verdict::Better(times) => {
                    self.champion = challenger;
                    self.level = times.clone();
                }
                Verdict::Wrong | Verdict::Impossible(_) => {
                    self.barred.insert((id, words.clone()));
                }
                Verdict::Known => self.known += 1,
                Verdict::NotBetter(_) | Verdict::TooLong => {}
            }
            let gain = self.model.least() / self.level.least();
            let used = self.bench.used();
            if self.bench.is_replay() {
                continue;
            }
            (self.say)(Event::Tried { nest, words: &words, verdict: &verdict, used, gain });
        }
        Ok(())
    }

    fn race(&mut self, challenger: &Variant) -> Result<Verdict, Halt> {
        let subjects = [self.subject(&self.champion), self.subject(challenger)];
        match self.bench.look(&subjects[1])? {
            Look::Impossible(why) => return Ok(Verdict::Impossible(why)),
            Look::Loops(hash) if !self.loops.insert(hash) => return Ok(Verdict::Known),
            Look::Loops(_) => {}
        }
        self.runs += 1;
        let mut samples = [Sample::default(), Sample::default()];
        let mut level = self.level.median();
        let enough = (self.settings.repeat / 2).max(1);
        for side in turns(self.settings.repeat) {
            match self.bench.run(&subjects[side])? {
                Run::Time(seconds) => samples[side].push(seconds),
                Run::Wrong if side == 1 => {
                    let Subject::Profile(lines) = &subjects[1] else { return Ok(Verdict::Wrong) };
                    self.wrong.push(lines.clone());
                    return Ok(Verdict::Wrong);
                }
                Run::TooLong if side == 1 => return Ok(Verdict::TooLong),
                Run::Wrong => return Err(Halt::Error("the program does not always print the same".to_owned())),
                Run::TooLong => return Err(Halt::Error("a run took far longer than the ones before".to_owned())),
            }
            if samples[0].len() > 0 {
                level = samples[0].median();
            }
            let may_win = samples[1].may_become_better_than(&samples[0], self.settings.repeat);
            if (samples[1].len() >= enough && samples[1].least() > level) || !may_win {
                return Ok(Verdict::NotBetter(samples[1].least()));
            }
        }
        let [champion, times] = samples;
        if times.is_better_than(&champion, self.settings.least_gain) {
            return Ok(Verdict::Better(times));
        }
        Ok(Verdict::NotBetter(times.least()))
    }

    /// The champion against the model, without memory: nothing is decided by it but what is
    /// written.
    fn last_race(&mut self) -> Result<(Sample, Option<Sample>), Halt> {
        if self.champion.is_model() {
            return Ok((self.model.clone(), None));
        }
        (self.say)(Event::Last);
        let subjects = [self.subject(&Variant::default()), self.subject(&self.champion)];
        let mut samples = [Sample::default(), Sample::default()];
        for side in turns(self.settings.last_repeat()) {
            match self.bench.bench().run(&subjects[side])? {
                Run::Time(seconds) => samples[side].push(seconds),
                Run::Wrong | Run::TooLong => {
                    return Err(Halt::Error("the program does not always print the same in the same time".to_owned()));
                }
            }
        }
        let [model, champion] = samples;
        Ok((model, Some(champion)))
    }
}

/// Two sides in turn, each so many times: 1, 1, 0, 0, 1, 1, ...
fn turns(repeat: usize) -> Vec<usize> {
    let mut result = Vec::new();
    for begin in (0..repeat).step_by(2) {
        let times = (repeat - begin).min(2);
        result.extend([1, 0].iter().flat_map(|&side| std::iter::repeat_n(side, times)));
    }
    result
}

#[cfg(test)]
mod tests;
