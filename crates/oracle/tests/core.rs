//! A few random cases of every operation, always the same; `cargo xtask fuzz core` runs many.

use poly_oracle::checks::{self, Tally};
use poly_oracle::isl;

/// Cases of each operation.
const CASES: u64 = 30;

/// Runs the operations of one half, so that the halves run side by side.
fn run(half: usize) {
    let context = isl::Context::new();
    let mut wrong = Vec::new();
    for check in checks::all().into_iter().skip(half).step_by(2) {
        let mut tally = Tally::default();
        (0..CASES).for_each(|seed| checks::run_case(&check, seed, &context, &mut tally));
        wrong.extend(tally.failed.iter().map(|f| format!("{} --case {}: {}", check.name, f.seed, f.message)));
        let given_up = tally.stopped + tally.unknown;
        assert!(given_up * 4 <= CASES, "{}: {given_up} of {CASES} cases were given up", check.name);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn operations_agree_with_the_oracles() {
    run(0);
}

#[test]
fn other_operations_agree_with_the_oracles() {
    run(1);
}
