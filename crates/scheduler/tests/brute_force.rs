//! Schedules of random programs against the definition, instance by instance; see
//! `common::instances`.

mod common;

use common::instances::assert_right;
use common::programs::random::random_program;
use common::run;
use poly_scheduler::{Algorithm, Fusion, Options};

fn check(seed: u64, options: &Options) {
    let problem = random_program(seed);
    let scheduled = run(&problem, options, false);
    scheduled.assert_legal(false);
    assert_right(&problem, &scheduled.tree, false, &format!("seed {seed}"));
}

#[test]
fn smart_fusion() {
    for seed in 0..100 {
        check(seed, &Options::default());
    }
}

#[test]
fn maximal_fusion() {
    for seed in 0..60 {
        check(seed, &Options { fusion: Fusion::Max, ..Options::default() });
    }
}

#[test]
fn no_fusion_and_no_negative_coefficients() {
    for seed in 0..60 {
        check(seed, &Options { fusion: Fusion::None, negative_coefficients: false, ..Options::default() });
    }
}

#[test]
fn least_latency() {
    for seed in 0..40 {
        check(seed, &Options { algorithm: Algorithm::Feautrier, ..Options::default() });
    }
}
