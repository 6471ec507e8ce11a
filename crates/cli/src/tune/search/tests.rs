//! Searches over programs whose times are known.

use expect_test::{Expect, expect};
use serde_json::json;

use super::super::variant::Shape;
use super::*;

/// A program that takes as long as its profile says, and a little longer each time, by a fixed
/// sequence.
struct Fake {
    /// The time of a profile.
    seconds: fn(&str) -> f64,
    /// How much is added at most.
    noise: f64,
    runs: u64,
    log: Vec<String>,
}

impl Bench for Fake {
    fn look(&mut self, subject: &Subject) -> Result<Look, Halt> {
        let Subject::Profile(lines) = subject else { return Ok(Look::Loops(0)) };
        if lines.contains("fusion-member=1") {
            return Ok(Look::Impossible("there is no such structure".to_owned()));
        }
        // Only what the words are matters: what is no word of this program changes nothing.
        let words = ["tile-sizes", "no-pack", "disable", "fuse=max"];
        let known: String = lines.split([';', ':', '\n']).filter(|w| words.iter().any(|k| w.contains(k))).collect();
        Ok(Look::Loops(known.bytes().fold(1, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()))))
    }

    fn run(&mut self, subject: &Subject) -> Result<Run, Halt> {
        self.runs += 1;
        let Subject::Profile(lines) = subject else { return Ok(Run::Time(2.0)) };
        self.log.push(lines.trim_end().to_owned());
        if lines.contains("fuse=max") {
            return Ok(Run::Wrong);
        }
        // A multiplicative generator.
        let disturbed = (self.runs * 7919 % 101) as f64 / 101.0;
        Ok(Run::Time((self.seconds)(lines) * (1.0 + self.noise * disturbed)))
    }

    fn runs(&self) -> u64 {
        self.runs
    }
}

fn nest(function: &str) -> Nest {
    Nest {
        function: function.to_owned(),
        fingerprint: "1".to_owned(),
        shown: function.to_owned(),
        weight: 1.0,
        statements: 2,
        shape: Shape { is_optimized: true, tile: vec![32], ..Shape::default() },
    }
}

const SETTINGS: Settings = Settings { repeat: 5, least_gain: 0.01, may_thread: false };

fn found(fake: Fake, budget: u64) -> Found {
    let nests = [nest("f")];
    let mut journal = Journal::open(fake, None, json!({}), budget).expect("there is no file");
    Search::new(&mut journal, &nests, SETTINGS, &mut |_| {}).run().expect("nothing fails")
}

fn check(seconds: fn(&str) -> f64, noise: f64, budget: u64, expected: &Expect) {
    let found = found(Fake { seconds, noise, runs: 0, log: Vec::new() }, budget);
    let cut = if found.is_cut { ", cut" } else { "" };
    expected.assert_eq(&format!(
        "{:?} of {} tried, {} wrong{cut}",
        found.best.words(NestId(0)),
        found.tried,
        found.wrong.len()
    ));
}

/// The larger the tiles the better, up to 128, and it is better not to pack.
fn tiles(lines: &str) -> f64 {
    let size = lines.split("tile-sizes=").nth(1).and_then(|rest| rest.split([';', '\n']).next());
    let size: f64 = size.map_or(32.0, |size| size.parse().expect("one size"));
    let packing = if lines.contains("no-pack") { 0.9 } else { 1.0 };
    let off = if lines.contains("disable") { 2.0 } else { 1.0 };
    (1.0 + (size / 128.0).log2().abs() * 0.1) * packing * off
}

#[test]
fn the_best_of_all_is_found() {
    check(tiles, 0.0, 500, &expect![[r#""no-pack;tile-sizes=128;force" of 17 tried, 1 wrong"#]]);
    check(tiles, 0.03, 500, &expect![[r#""no-pack;tile-sizes=128;force" of 17 tried, 1 wrong"#]]);
}

#[test]
fn noise_wins_nothing() {
    check(|_| 1.0, 0.5, 500, &expect![[r#""" of 9 tried, 1 wrong"#]]);
}

#[test]
fn a_budget_ends_the_search() {
    check(tiles, 0.0, 40, &expect![[r#""tile-sizes=128;force" of 8 tried, 1 wrong, cut"#]]);
}

#[test]
fn both_sides_take_turns() {
    assert_eq!(turns(5), [1, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
    assert_eq!(turns(4).into_iter().filter(|&side| side == 0).count(), 4);
}

#[test]
fn what_is_known_is_not_run() {
    let nests = [nest("f"), nest("f2")];
    let fake = Fake { seconds: |_| 1.0, noise: 0.0, runs: 0, log: Vec::new() };
    let mut journal = Journal::open(fake, None, json!({}), 500).expect("there is no file");
    let mut verdicts = Vec::new();
    let mut say = |event: Event<'_>| {
        if let Event::Tried { words, verdict, .. } = event {
            verdicts.push(format!("{words} {verdict:?}"));
        }
    };
    Search::new(&mut journal, &nests, SETTINGS, &mut say).run().expect("nothing fails");
    assert!(verdicts.contains(&"no-lanes Known".to_owned()), "{verdicts:?}");
    assert!(verdicts.iter().any(|verdict| verdict.starts_with("fusion-member=1;force Impossible")));
    assert!(verdicts.contains(&"fuse=max;force Wrong".to_owned()));
    assert!(journal.bench().log.iter().all(|lines| !lines.contains("no-lanes")));
}
