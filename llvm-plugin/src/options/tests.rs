use expect_test::{expect, expect_file};

use super::values::Pattern;
use super::*;

fn environment(text: &str) -> Result<Options, String> {
    from_environment(Some(text), |_| None)
}

fn pattern(text: &str) -> Pattern {
    values::Value::read(text).expect("a pattern")
}

#[test]
fn words_of_the_environment() {
    let options = environment("parallel; no-tile\ttile-sizes=5,3:7 fuse=max").expect("right words");
    assert!(options.parallel && !options.tile);
    assert_eq!(options.tile_sizes, [5, 3, 7]);
    assert_eq!(options.fuse, Fuse::Max);
    assert_eq!(environment("").expect("nothing is right"), Options::default());
    assert!(!environment("disable").expect("a right word").enable);
}

#[test]
fn wrong_words() {
    let wrong = |text| environment(text).expect_err("wrong words");
    expect![[r#"wrong value 'seldom' for option 'fuse': expected one of max, smart, no, search (in POLY_OPTS)"#]]
        .assert_eq(&wrong("fuse=seldom"));
    expect![[r#"wrong value '0' for option 'budget': expected a whole number from 1 (in POLY_OPTS)"#]]
        .assert_eq(&wrong("budget=0"));
    expect![[
        r#"wrong value '3:-1' for option 'tile-sizes': expected a list (a:b:c) of a whole number from 1 (in POLY_OPTS)"#
    ]]
    .assert_eq(&wrong("tile-sizes=3:-1"));
    expect!["option 'fuse' needs a value: fuse=max|smart|no|search (in POLY_OPTS)"].assert_eq(&wrong("fuse"));
    expect!["unknown option 'no-fuse'; there are: enable, only-func, ignore-func, tile, tile-sizes, parametric-tiles, block, block-size, pack-blocks, time-tile, wavefront, lanes, strip-fusion, diamond, register-tile, register-tile-sizes, pack, parallel, num-threads, machine, omp-schedule, omp-chunk, omp-runtime, parallel-threshold, inspectors, extremes, recurrences, narrow-integers, element-loops, order-lanes, fuse, fusion-member, fusion-limit, fusion-schedules, scheduler, rewrites, random-rewrites, rewrite-search, rewrite-limit, proximity, prefer, reuse, reductions, splitting, live-ranges, fission, if-conversion, simplify-reductions, expansion, contraction, size-checks, unroll-rotations, whole-loops, process-unprofitable, force, math-errno, effort, budget, time-report, verify, export, import, exchange-format, report, profile, distances, input-dependences, conditional-dependences, outline, trace-versions, remark-details, warn-internal (switches also as no-...) (in POLY_OPTS)"]
        .assert_eq(&wrong("no-fuse"));
    expect![[r#"wrong value 'maybe' for option 'tile': expected true or false"#]]
        .assert_eq(&validate_command_line("poly-tile", "maybe").expect("a wrong value"));
}

#[test]
fn the_nearer_place_wins() {
    let given = |number: usize| (table::TABLE[number].name == "num-threads").then(|| "8".to_owned());
    let mut options = from_environment(Some("num-threads=2;budget=77"), given).expect("right words");
    assert_eq!((options.num_threads, options.budget), (8, Some(77)));
    Parameters::parse("num-threads=16").expect("right words").apply(&mut options);
    assert_eq!((options.num_threads, options.budget), (16, Some(77)));
}

#[test]
fn parameters_are_shown_as_they_are_read() {
    let parameters = Parameters::parse("fuse=no;no-parallel;;tile-sizes=32:8;tile=false").expect("right words");
    assert_eq!(parameters.show(), "<no-tile;tile-sizes=32:8;no-parallel;fuse=no>");
    assert_eq!(Parameters::parse(parameters.show().trim_matches(['<', '>'])), Ok(parameters));
    assert_eq!(Parameters::default().show(), "");
}

#[test]
fn words_for_some_functions() {
    let options = environment("fuse=max; k*/scheduler=original k1/no-tile;import=a/b").expect("right words");
    assert_eq!(options.fuse, Fuse::Max);
    let of = |name: &str, attribute: Option<&str>| options.of_function(name, attribute).expect("right words");
    assert_eq!((of("k1", None).scheduler, of("k1", None).tile), (Scheduler::Original, false));
    assert_eq!((of("k2", None).scheduler, of("k2", None).tile), (Scheduler::Original, true));
    assert_eq!(*of("main", Some("off")), options);
    let own = of("k1", Some("scheduler=feautrier; fuse=no"));
    assert_eq!((own.scheduler, own.fuse, own.tile), (Scheduler::Feautrier, Fuse::No, false));
    assert!(options.of_function("main", Some("often")).is_err_and(|wrong| wrong.contains("unknown option 'often'")));
    assert!(environment("k*/fuse=seldom").is_err_and(|wrong| wrong.contains("wrong value 'seldom'")));
    let parameters = Parameters::parse("tile;k*/no-tile").expect("right words");
    assert_eq!(parameters.show(), "<tile;k*/no-tile>");
    let mut all = Options::default();
    parameters.apply(&mut all);
    assert!(all.tile && !all.of_function("k", None).expect("right words").tile);
}

#[test]
fn effort_goes_with_the_level_unless_it_is_said() {
    let effort = |words: &str, level| environment(words).expect("right words").at_level(level).effort;
    assert_eq!([2, 3].map(|level| effort("", level)), [Effort::Moderate, Effort::OfLevel]);
    assert_eq!([2, 3].map(|level| effort("effort=full", level)), [Effort::Full; 2]);
    assert_eq!([2, 3].map(|level| effort("effort=moderate;parallel", level)), [Effort::Moderate; 2]);
    assert_eq!(effort("parallel", 2), Effort::OfLevel);
    let is_moderate = |words: &str| environment(words).expect("right words").at_level(2).is_moderate();
    assert!(is_moderate("no-tile"));
    for asked in ["force", "process-unprofitable", "budget=7", "random-rewrites=1", "scheduler=file;import=a"] {
        assert!(!is_moderate(asked), "{asked}");
    }
}

#[test]
fn every_option_reads_what_it_shows() {
    let mut options = Options {
        only_func: vec![pattern("kernel_*"), pattern("main")],
        tile_sizes: vec![4],
        register_tile_sizes: vec![6, 2],
        fusion_member: Some(Number(0)),
        fusion_schedules: Some(Number(2)),
        rewrites: "tile(S0[0], 32, 64); skew(S0[1], 1, 0, -1)".parse().expect("steps"),
        random_rewrites: Some(Number(7)),
        rewrite_limit: Some(Number(0)),
        block_size: Some(Number(8)),
        budget: Some(1000),
        debug_purse: Some(10),
        debug_dump: vec![Printed::Ast],
        debug_panic: Some(Stage::Codegen),
        ..Options::default()
    };
    options.ignore_func = options.only_func.clone();
    let mut copy = Options::default();
    for spec in table::TABLE {
        (spec.set)(&mut copy, &(spec.show)(&options)).unwrap_or_else(|wrong| panic!("{}: {wrong}", spec.name));
    }
    assert_eq!(copy, options);
}

#[test]
fn patterns() {
    for (text, name, fits) in [
        ("main", "main", true),
        ("main", "main2", false),
        ("*", "", true),
        ("k*", "kernel", true),
        ("k*l", "kernel", true),
        ("k*r*l", "kernel", true),
        ("k*x*l", "kernel", false),
        ("*nel", "kernel", true),
        ("kernel*kernel", "kernel", false),
    ] {
        assert_eq!(pattern(text).matches(name), fits, "{text} and {name}");
    }
    let options = Options { only_func: vec![pattern("k*")], ignore_func: vec![pattern("*2")], ..Options::default() };
    assert!(options.concerns("k1") && !options.concerns("k2") && !options.concerns("main"));
}

#[test]
fn the_reference_is_up_to_date() {
    expect_file!["../../../docs/options.md"].assert_eq(&options_reference());
}
