//! Approximations contain the exact dependences.

mod common;

use common::random::random_program;
use poly_dependence::{Dependences, Options, Precision, analyse, analyse_within, approximate};
use poly_presburger::budget::Budget;
use poly_presburger::{Map, UnionMap};

fn all(dependences: &Dependences) -> UnionMap {
    let maps = dependences.dependences.iter().map(|d| d.relation.clone());
    UnionMap::from_members(maps.collect::<Vec<Map>>())
}

#[test]
fn each_level_contains_the_one_before() {
    let mut smaller = 0;
    for seed in 0..60 {
        let problem = random_program(seed);
        let budget = &mut Budget::unlimited();
        let exact = analyse(&problem, &Options::default(), budget).expect("no limit");
        let levels = [Precision::Exact, Precision::Distances, Precision::Order];
        let [touching, near, ordered] =
            levels.map(|level| approximate(&problem, level, &mut Budget::unlimited()).expect("no limit"));
        let mut inside = |a: &Dependences, b: &Dependences| all(a).is_subset(&all(b), budget).expect("no limit");
        assert!(inside(&exact, &touching), "{problem:#?}\n{exact}\n{touching}");
        assert!(inside(&touching, &near), "{problem:#?}\n{touching}\n{near}");
        assert!(inside(&near, &ordered), "{problem:#?}\n{near}\n{ordered}");
        smaller += usize::from(!inside(&ordered, &near));
    }
    assert!(smaller > 10, "distances say something: {smaller}");
}

#[test]
fn the_budget_decides() {
    let problem = random_program(3);
    let precision = |operations: u64| {
        analyse_within(&problem, &Options::default(), &mut Budget::new(operations)).map(|(_, precision)| precision)
    };
    let mut found = Vec::new();
    let mut operations = 1 << 24;
    while let Ok(level) = precision(operations) {
        found.push(level);
        operations = operations * 7 / 8;
    }
    found.dedup();
    assert!(found.is_sorted(), "{found:?}");
    assert_eq!((found.first(), found.last()), (Some(&Precision::Exact), Some(&Precision::Order)), "{found:?}");
}
