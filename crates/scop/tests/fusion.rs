//! Fusion structures of models: described, chosen by number, searched.

mod support;

use expect_test::expect;
use poly_checker::{Legality, check};
use poly_presburger::Budget;
use poly_scop::{Config, Fusion, Outcome, Profitability, Reason, analyse, describe_fusions, lower, optimize, schedule};
use support::{lu, promoted_matmul};

fn config() -> Config {
    Config { profitability: Profitability::Ignored, ..Config::standard() }
}

#[test]
fn the_space_of_a_matrix_product() {
    let mut budget = Budget::unlimited();
    let analysis = analyse(promoted_matmul(1000), false, &mut budget).expect("no limit");
    let text = describe_fusions(&analysis, &config(), &mut budget).expect("no limit");
    expect![[r#"
        loops 3, statements 2, references 5
        level 1 of Init, Update
          O: dimensions 2, constraints 3, points 3
          F: dimensions 1, constraints 2, points 2
        level 2 of Init, Update
          O: dimensions 2, constraints 3, points 3
          F: dimensions 1, constraints 2, points 2
        level 3 of Init, Update
          O: dimensions 2, constraints 3, points 3
          F: dimensions 0, constraints 0, points 1
        members 3
        member 0: {{Init {Update}}}
        member 1: {{Init} {{Update}}}
        member 2: {{Init}} {{{Update}}}
    "#]]
    .assert_eq(&text);
}

#[test]
fn the_set_of_all_schedules_of_a_matrix_product() {
    let mut budget = Budget::unlimited();
    let analysis = analyse(promoted_matmul(1000), false, &mut budget).expect("no limit");
    let config = Config { fusion_limit: 0, fusion_schedules: Some(3), ..config() };
    let text = describe_fusions(&analysis, &config, &mut budget).expect("no limit");
    let lines: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("schedules")).collect();
    let [size, set] = lines[..] else { panic!("{text}") };
    expect!["schedules of 3 dimensions: variables 33, constraints 97"].assert_eq(size);
    assert!(set.contains("S1_2_i2"), "{set}");
    let analysis = analyse(promoted_matmul(1000), false, &mut Budget::unlimited()).expect("no limit");
    assert!(describe_fusions(&analysis, &config, &mut Budget::new(50)).is_err());
}

#[test]
fn members_are_taken_by_number() {
    let mut budget = Budget::unlimited();
    let analysis = analyse(promoted_matmul(1000), false, &mut budget).expect("no limit");
    let dependences = &analysis.dependences.dependences;
    let mut trees = Vec::new();
    for number in 0.. {
        let config = Config { fusion_member: Some(number), ..config() };
        match schedule(&analysis, &config, &mut budget) {
            Ok(tree) => {
                assert_eq!(check(&tree, dependences, &mut budget), Ok(Legality::Legal));
                assert!(!trees.contains(&tree.to_string()), "member {number} was there before");
                trees.push(tree.to_string());
            }
            Err(reason) => {
                assert_eq!(reason, Reason::NoFusion(number));
                break;
            }
        }
    }
    assert!(trees.len() > 1);
    let wanted = Config { fusion_member: Some(trees.len() as u64), ..config() };
    let Outcome::Unchanged(reason) = optimize(promoted_matmul(1000), &wanted) else {
        panic!("there is no such member")
    };
    assert_eq!(reason.to_string(), format!("there is no fusion structure with number {}", trees.len()));
}

#[test]
fn the_search_finds_nothing_worse_than_any_member_or_the_default() {
    for scop in [promoted_matmul(1000), lu(500)] {
        let mut budget = Budget::unlimited();
        let analysis = analyse(scop, false, &mut budget).expect("no limit");
        let mut cycles = |config: &Config| {
            let tree = schedule(&analysis, config, &mut budget).ok()?;
            Some(lower(&analysis, &tree, config, &mut budget).expect("no limit").cycles)
        };
        let found = cycles(&Config { fusion: Fusion::Search, ..config() }).expect("a schedule");
        let others = (0..4).filter_map(|number| cycles(&Config { fusion_member: Some(number), ..config() }));
        let best = others.fold(f64::INFINITY, f64::min);
        assert!(found <= best, "{found} and {best}");
        assert!(found <= cycles(&config()).expect("a schedule"));
    }
}

#[test]
fn a_search_of_one_member_is_possible() {
    let mut config = Config { fusion: Fusion::Search, ..config() };
    config.fusion_limit = 1;
    assert!(matches!(optimize(promoted_matmul(100), &config), Outcome::Optimized(_)));
}
