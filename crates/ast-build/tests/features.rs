//! Loop types, marks, strides, unions, and the rarer kinds of nodes.

mod common;

use common::{check, context, executed, params, program, tree};
use expect_test::{Expect, expect};
use poly_arith::Int;
use poly_ast_build::{Ast, AstOptions, Node, Statistics, build, interpret_within};
use poly_presburger::Budget;
use poly_schedule_tree::Mark;

fn shows(text: &str, assumed: &str, range: std::ops::RangeInclusive<i64>, expected: Expect) -> Ast {
    let ast = check(&tree(text), &context(assumed), range);
    expected.assert_eq(&ast.to_string());
    ast
}

/// The instances run for parameter values, as text.
fn trace(ast: &Ast, values: &[(&str, i64)]) -> String {
    let instances = executed(ast, &params(values));
    let show = |(name, point): &common::Instance| {
        let coordinates: Vec<String> = point.iter().map(ToString::to_string).collect();
        format!("{name}({})", coordinates.join(", "))
    };
    instances.iter().map(show).collect::<Vec<_>>().join(" ")
}

fn two_ranges(option: &str) -> String {
    format!(
        r#"{{ domain: "[n, m] -> {{ A[i] : 0 <= i < n; B[i] : 2 <= i < m }}", child: {{
             schedule: "[{{ A[i] -> [(i)]; B[i] -> [(i)] }}]", options: "{{ {option} }}", child: {{
               sequence: [ {{ filter: "{{ A[i] }}" }}, {{ filter: "{{ B[i] }}" }} ] }} }} }}"#
    )
}

#[test]
fn separate_and_atomic() {
    shows(
        &two_ranges(""),
        "[n, m] -> { : n >= 3 and m >= 3 }",
        0..=6,
        expect![[r#"
        for (int c0 = 0; c0 <= 1; c0 += 1)
          A(c0);
        for (int c0 = 2; c0 <= min(m - 1, n - 1); c0 += 1) {
          A(c0);
          B(c0);
        }
        for (int c0 = m; c0 < n; c0 += 1)
          A(c0);
        for (int c0 = n; c0 < m; c0 += 1)
          B(c0);
    "#]],
    );
    shows(
        &two_ranges("separate[0]"),
        "[n, m] -> { : n = m }",
        0..=6,
        expect![[r#"
        for (int c0 = 0; c0 <= min(n - 1, 1); c0 += 1)
          A(c0);
        for (int c0 = 2; c0 < n; c0 += 1) {
          A(c0);
          B(c0);
        }
    "#]],
    );
    shows(
        &two_ranges("atomic[0]"),
        "[n, m] -> { : n >= 3 and m >= 3 }",
        0..=6,
        expect![[r#"
        for (int c0 = 0; c0 <= max(n - 1, m - 1); c0 += 1) {
          if (n > c0)
            A(c0);
          if (c0 >= 2 && m > c0)
            B(c0);
        }
    "#]],
    );
}

#[test]
fn unroll() {
    let text = r#"
domain: "[n] -> { A[i, j] : 0 <= i < n and i <= j < i + 3 }"
child:
  schedule: "[{ A[i, j] -> [(i)] }, { A[i, j] -> [(j)] }]"
  options: "{ unroll[1] }"
"#;
    shows(
        text,
        "[n] -> { : n >= 0 }",
        0..=4,
        expect![[r#"
        for (int c0 = 0; c0 < n; c0 += 1) {
          A(c0, c0);
          A(c0, c0 + 1);
          A(c0, c0 + 2);
        }
    "#]],
    );
    let remainder = r#"
domain: "[n] -> { A[i] : 0 <= i < n }"
child:
  schedule: "[{ A[i] -> [(4*floor(i/4))] }, { A[i] -> [(i)] }]"
  options: "{ unroll[1] }"
"#;
    shows(
        remainder,
        "[n] -> { : n >= 0 }",
        0..=9,
        expect![[r#"
            for (int c0 = 0; c0 < n; c0 += 4) {
              A(c0);
              if (n >= c0 + 2) {
                A(c0 + 1);
                if (n >= c0 + 3) {
                  A(c0 + 2);
                  if (n >= c0 + 4)
                    A(c0 + 3);
                }
              }
            }
        "#]],
    );
    let unbounded = r#"
domain: "[n] -> { A[i] : 0 <= i < n }"
child:
  schedule: "[{ A[i] -> [(i)] }]"
  options: "{ unroll[0] }"
"#;
    shows(
        unbounded,
        "[n] -> { : }",
        0..=3,
        expect![[r#"
        for (int c0 = 0; c0 < n; c0 += 1)
          A(c0);
    "#]],
    );
}

#[test]
fn strides() {
    let even = r#"
domain: "[n] -> { A[i] : 0 <= i < n }"
child:
  schedule: "[{ A[i] -> [(2i + 1)] }]"
"#;
    shows(
        even,
        "[n] -> { : }",
        0..=4,
        expect![[r#"
        for (int c0 = 1; c0 < 2 * n; c0 += 2)
          A(floord(c0 - 1, 2));
    "#]],
    );
    let shifted = r#"
domain: "[n, m] -> { A[i, j] : m <= i < n and m <= j < n and (i + j) mod 3 = 1 }"
child:
  schedule: "[{ A[i, j] -> [(i)] }, { A[i, j] -> [(j)] }]"
"#;
    shows(
        shifted,
        "[n, m] -> { : }",
        -2..=5,
        expect![[r#"
        for (int c0 = m; c0 < n; c0 += 1)
          for (int c1 = m + pmod(1 - c0 - m, 3); c1 < n; c1 += 3)
            A(c0, c1);
    "#]],
    );
    let common = r#"
domain: "[n] -> { A[i] : 0 <= i < n; B[i] : 0 <= i < n }"
child:
  schedule: "[{ A[i] -> [(4i)]; B[i] -> [(4i + 2)] }]"
"#;
    shows(
        common,
        "[n] -> { : }",
        0..=4,
        expect![[r#"
            for (int c0 = 0; c0 <= 4 * n - 4; c0 += 4) {
              A(floord(c0, 4));
              B(floord(c0, 4));
            }
        "#]],
    );
    let parameter = r#"
domain: "[n, m] -> { A[i] : 0 <= i < n and m mod 2 = 0 and i mod 2 = 0 }"
child:
  schedule: "[{ A[i] -> [(-i)] }]"
"#;
    shows(
        parameter,
        "[n, m] -> { : }",
        0..=5,
        expect![[r#"
        if (pmod(m, 2) == 0)
          for (int c0 = pmod(n - 1, 2) + 1 - n; c0 <= 0; c0 += 2)
            A(-c0);
    "#]],
    );
}

#[test]
fn unions_and_divisions() {
    let holes = r#"
domain: "[n] -> { A[i] : 0 <= i < n and (i <= 3 or i >= 6) }"
child:
  schedule: "[{ A[i] -> [(i)] }]"
"#;
    shows(
        holes,
        "[n] -> { : }",
        0..=9,
        expect![[r#"
        for (int c0 = 0; c0 <= min(n - 1, 3); c0 += 1)
          A(c0);
        for (int c0 = 6; c0 < n; c0 += 1)
          A(c0);
    "#]],
    );
    let half = r#"
domain: "[n] -> { A[i, j] : 0 <= i and 2i < n and i <= j <= floor(n/3) }"
child:
  schedule: "[{ A[i, j] -> [(j)] }, { A[i, j] -> [(i)] }]"
"#;
    shows(
        half,
        "[n] -> { : }",
        0..=9,
        expect![[r#"
        if (n >= 1)
          for (int c0 = 0; c0 <= floord(n, 3); c0 += 1)
            for (int c1 = 0; c1 <= c0; c1 += 1)
              A(c1, c0);
    "#]],
    );
    let modulo = r#"
domain: "[n] -> { A[i] : 0 <= i < n and i mod 5 <= 1 }"
child:
  schedule: "[{ A[i] -> [(i)] }]"
"#;
    shows(
        modulo,
        "[n] -> { : }",
        0..=12,
        expect![[r#"
        for (int c0 = 0; c0 < n; c0 += 1)
          if (pmod(c0, 5) <= 1)
            A(c0);
    "#]],
    );
}

#[test]
fn schedules_that_do_not_determine_the_instance() {
    let partial = r#"
domain: "[n] -> { A[i, j] : 0 <= i < n and 0 <= j < n }"
child:
  schedule: "[{ A[i, j] -> [(i + j)] }]"
"#;
    shows(
        partial,
        "[n] -> { : }",
        0..=4,
        expect![[r#"
        for (int c0 = 0; c0 <= 2 * n - 2; c0 += 1)
          for (int c1 = max(c0 + 1 - n, 0); c1 <= min(n - 1, c0); c1 += 1)
            A(c1, c0 - c1);
    "#]],
    );
    let none = r#"
domain: "[n] -> { A[i] : 0 <= i < n; B[] }"
"#;
    shows(
        none,
        "[n] -> { : }",
        0..=4,
        expect![[r#"
        for (int c0 = 0; c0 < n; c0 += 1)
          A(c0);
        B();
    "#]],
    );
}

#[test]
fn marks_stand_around_the_loops_of_the_first_member() {
    let text = r#"
domain: "[n] -> { A[i, j] : 0 <= i < n and 0 <= j < n; B[i, j] : 0 <= i < n and n <= j <= 2n }"
child:
  mark: "parallel"
  child:
    schedule: "[{ A[i, j] -> [(i)]; B[i, j] -> [(i)] }]"
    coincident: [ 1 ]
    child:
      mark: "vector"
      child:
        schedule: "[{ A[i, j] -> [(j)]; B[i, j] -> [(j)] }]"
"#;
    let ast = shows(
        text,
        "[n] -> { : n >= 1 }",
        0..=4,
        expect![[r#"
        // parallel
        for (int c0 = 0; c0 < n; c0 += 1) {
          // vector
          for (int c1 = 0; c1 < n; c1 += 1)
            A(c0, c1);
          // vector
          for (int c1 = n; c1 <= 2 * n; c1 += 1)
            B(c0, c1);
        }
    "#]],
    );
    let Node::Mark { mark, body } = &ast.root else { panic!("a mark is expected at the root") };
    let Node::For(outer) = &**body else { panic!("a loop is expected below the mark") };
    assert!(*mark == Mark::parallel() && outer.coincident);
    let band = outer.band.expect("the loop comes from a band");
    assert_eq!((band.band, band.member, band.members), (0, 0, 1));
    let degenerate = r#"
domain: "{ A[i] : 0 <= i < 5 }"
child:
  mark: "parallel"
  child:
    schedule: "[{ A[i] -> [(0)] }, { A[i] -> [(i)] }]"
    child:
      mark: "note"
"#;
    shows(
        degenerate,
        "{ : }",
        0..=0,
        expect![[r#"
        for (int c1 = 0; c1 <= 4; c1 += 1) {
          // note
          A(c1);
        }
    "#]],
    );
}

#[test]
fn contexts_and_guards() {
    let text = r#"
domain: "[n] -> { A[i] : 0 <= i < n }"
child:
  context: "[n] -> { : n >= 5 }"
  child:
    schedule: "[{ A[i] -> [(i)] }]"
    child:
      guard: "[n] -> { [t] : t >= 2 }"
"#;
    let ast = program(&tree(text), &context("[n] -> { : }"));
    expect![[r#"
        for (int c0 = 0; c0 < n; c0 += 1)
          if (c0 >= 2)
            A(c0);
    "#]]
    .assert_eq(&ast.to_string());
    expect!["A(2) A(3) A(4)"].assert_eq(&trace(&ast, &[("n", 5)]));
}

#[test]
fn extensions_and_expansions() {
    let extended = r#"
domain: "[n] -> { A[i] : 0 <= i < n }"
child:
  schedule: "[{ A[i] -> [(floor(i/2))] }]"
  child:
    extension: "[n] -> { [t] -> Load[e] : 2t <= e <= 2t + 1 }"
    child:
      sequence:
      - filter: "{ Load[e] }"
        child:
          schedule: "[{ Load[e] -> [(e)] }]"
      - filter: "{ A[i] }"
        child:
          schedule: "[{ A[i] -> [(i)] }]"
"#;
    let ast = program(&tree(extended), &context("[n] -> { : n >= 0 }"));
    expect![[r#"
        for (int c0 = 0; c0 <= floord(n - 1, 2); c0 += 1) {
          for (int c1 = 2 * c0; c1 <= 2 * c0 + 1; c1 += 1)
            Load(c1);
          for (int c1 = 2 * c0; c1 <= min(n - 1, 2 * c0 + 1); c1 += 1)
            A(c1);
        }
    "#]]
    .assert_eq(&ast.to_string());
    expect!["Load(0) Load(1) A(0) A(1) Load(2) Load(3) A(2)"].assert_eq(&trace(&ast, &[("n", 3)]));
    let expanded = r#"
domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[{ S[i] -> [(i)] }]"
  child:
    contraction: "{ A[i] -> S[i]; B[i, j] -> S[i] }"
    expansion: "{ S[i] -> A[i]; S[i] -> B[i, j] : 0 <= j <= 1 }"
    child:
      sequence:
      - filter: "{ A[i] }"
      - filter: "{ B[i, j] }"
"#;
    let ast = program(&tree(expanded), &context("[n] -> { : n >= 0 }"));
    expect![[r#"
        for (int c0 = 0; c0 < n; c0 += 1) {
          A(c0);
          for (int c2 = 0; c2 <= 1; c2 += 1)
            B(c0, c2);
        }
    "#]]
    .assert_eq(&ast.to_string());
    expect!["A(0) B(0, 0) B(0, 1) A(1) B(1, 0) B(1, 1)"].assert_eq(&trace(&ast, &[("n", 2)]));
}

#[test]
fn conditions_move_out() {
    let text = r#"
domain: "[n, p] -> { A[i, j] : 0 <= i < n and 0 <= j < n and p >= 3; B[i, j] : 0 <= i < n and 0 <= j < n and p >= 3 }"
child:
  schedule: "[{ A[i, j] -> [(i)]; B[i, j] -> [(i)] }]"
  child:
    sequence:
    - filter: "{ A[i, j] }"
      child:
        schedule: "[{ A[i, j] -> [(j)] }]"
    - filter: "{ B[i, j] }"
      child:
        schedule: "[{ B[i, j] -> [(j)] }]"
"#;
    shows(
        text,
        "[n, p] -> { : n >= 1 }",
        0..=4,
        expect![[r#"
        if (p >= 3)
          for (int c0 = 0; c0 < n; c0 += 1) {
            for (int c1 = 0; c1 < n; c1 += 1)
              A(c0, c1);
            for (int c1 = 0; c1 < n; c1 += 1)
              B(c0, c1);
          }
    "#]],
    );
}

#[test]
fn a_loop_without_bound_is_refused_or_has_no_end() {
    let text = r#"
domain: "[n] -> { A[i] : i >= 3; B[i, j] : 3 <= i < n and j >= i }"
child:
  schedule: "[n] -> [{ A[i] -> [(i)]; B[i, j] -> [(i)] }, { A[i] -> [(0)]; B[i, j] -> [(j)] }]"
  options: "[n] -> { separate[x] }"
"#;
    let built = |text: &str, endless| {
        let options = AstOptions { endless, ..AstOptions::default() };
        build(&tree(text), &context("[n] -> { : n >= 4 }"), &options, &mut Budget::unlimited())
    };
    assert!(built(text, false).is_err());
    let endless = built(text, true).expect("there is no limit");
    expect![[r#"
        for (int c0 = 3; c0 < n; c0 += 1) {
          A(c0);
          for (int c1 = c0; 1; c1 += 1)
            B(c0, c1);
        }
        for (int c0 = n; 1; c0 += 1)
          A(c0);
    "#]]
    .assert_eq(&endless.to_string());
    let mut first = Vec::new();
    let visit = &mut |name: &poly_presburger::Id, point: &[Int]| first.push(format!("{name}{point:?}"));
    let values = [("n".into(), Int::from(9))].into_iter().collect();
    assert!(interpret_within(&endless, &values, &mut Budget::new(40), visit).is_err());
    assert_eq!(first[..4], ["A[3]", "B[3, 3]", "B[3, 4]", "B[3, 5]"]);
    assert!(
        built(r#"{ domain: "[n] -> { A[i] : i <= n }", child: { schedule: "[n] -> [{ A[i] -> [(i)] }]" } }"#, true)
            .is_err()
    );
}

#[test]
fn a_small_budget_stops_generation() {
    let result =
        build(&tree(&two_ranges("")), &context("[n, m] -> { : }"), &AstOptions::default(), &mut Budget::new(50));
    assert!(result.is_err());
}

#[test]
fn tiled_nests_have_no_conditions_inside() {
    let text = r#"
domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
child:
  schedule: "[{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }, { S[i, j] -> [(0)]; T[i, j, k] -> [(k)] }]"
  permutable: 1
  child:
    sequence:
    - filter: "{ S[i, j] }"
    - filter: "{ T[i, j, k] }"
"#;
    let sizes = vec![poly_arith::Int::from(32); 3];
    let tiled = tree(text).band_nodes()[0].band_tile(&sizes).tree();
    let statistics = Statistics::of(&program(&tiled, &context("[n] -> { : n >= 1 }")));
    assert_eq!((statistics.loops, statistics.inner_conditions, statistics.users), (6, 0, 2));
}

#[test]
fn overlapping_disjuncts_of_a_schedule_run_once() {
    let overlapping = r#"{ domain: "[n] -> { A[i] : 0 <= i < n }", child: {
        schedule: "[n] -> [{ A[i] -> [(i)] : i <= 3 or i >= 2 }]" } }"#;
    check(&tree(overlapping), &context("{ : }"), -1..=6);
}

#[test]
fn even_and_odd_share_an_if() {
    shows(
        r#"{ domain: "[n] -> { A[i] : 0 <= i < n and i mod 2 = 0; B[i, j] : 0 <= i < n and i mod 2 = 1 and 0 <= j < n }",
            child: { schedule: "[{ A[i] -> [(i)]; B[i, j] -> [(i)] }, { A[i] -> [(0)]; B[i, j] -> [(floor(i/8))] }]",
            child: { context: "[n] -> { [a, b] : n >= 0 }" } } }"#,
        "[n] -> { : n >= 0 }",
        0..=9,
        expect![[r#"
            for (int c0 = 0; c0 < n; c0 += 1)
              if (pmod(c0, 2) == 0)
                A(c0);
              else
                for (int c3 = 0; c3 < n; c3 += 1)
                  B(c0, c3);
        "#]],
    );
}

#[test]
fn loops_with_one_value_are_no_loops() {
    shows(
        r#"{ domain: "[n] -> { A[i, j] : 0 <= i < n and 3j >= i - 2 and 3j <= i }", child: {
            schedule: "[{ A[i, j] -> [(i)] }, { A[i, j] -> [(j)] }]" } }"#,
        "[n] -> { : }",
        0..=9,
        expect![[r#"
            for (int c0 = 0; c0 < n; c0 += 1)
              A(c0, floord(c0, 3));
        "#]],
    );
    shows(
        r#"{ domain: "[n] -> { A[i, j] : 0 <= i < n and 3j >= i - 1 and 3j <= i }", child: {
            schedule: "[{ A[i, j] -> [(i)] }, { A[i, j] -> [(j)] }]" } }"#,
        "[n] -> { : }",
        0..=9,
        expect![[r#"
            for (int c0 = 0; c0 < n; c0 += 1)
              if (c0 >= 3 * floord(c0 + 1, 3))
                A(c0, floord(c0 + 1, 3));
        "#]],
    );
}

#[test]
fn what_inner_loops_enforce_is_not_separated() {
    shows(
        r#"{ domain: "[n] -> { A[i] : 1 <= i <= n; B[i, j] : 1 <= i < j <= n }", child: {
            schedule: "[{ A[i] -> [(i)]; B[i, j] -> [(i)] }]", options: "{ separate[0] }",
            child: { sequence: [ { filter: "{ A[i] }" }, { filter: "{ B[i, j] }",
              child: { schedule: "[{ B[i, j] -> [(j)] }]" } } ] } } }"#,
        "[n] -> { : }",
        0..=4,
        expect![[r#"
            for (int c0 = 1; c0 <= n; c0 += 1) {
              A(c0);
              for (int c1 = c0 + 1; c1 <= n; c1 += 1)
                B(c0, c1);
            }
        "#]],
    );
}

#[test]
fn strides_may_follow_from_outer_counters() {
    let tiles = |option: &str| {
        format!(
            r#"{{ domain: "[n] -> {{ A[t, i] : t mod 4 = 0 and 0 <= t < n and 0 <= i < n and i mod 4 = 0; B[t, i] : t mod 4 = 0 and 0 <= t < n and i = t }}",
            child: {{ schedule: "[{{ A[t, i] -> [(t)]; B[t, i] -> [(t)] }}, {{ A[t, i] -> [(i)]; B[t, i] -> [(i)] }}]",
            options: "{{ {option} }}" }} }}"#
        )
    };
    shows(
        &tiles("atomic[1]"),
        "[n] -> { : }",
        0..=9,
        expect![[r#"
        for (int c0 = 0; c0 < n; c0 += 4)
          for (int c1 = 0; c1 < n; c1 += 4) {
            A(c0, c1);
            if (c0 == c1)
              B(c0, c0);
          }
    "#]],
    );
    let values = r#"{ domain: "[n, m] -> { A[i] : (i + m) mod 4 = 0 and n <= i < n + 8 }",
        child: { schedule: "[{ A[i] -> [(i)] }]", options: "{ unroll[0] }" } }"#;
    shows(
        values,
        "[n, m] -> { : }",
        -3..=5,
        expect![[r#"
        A(4 * floord(n + m + 3, 4) - m);
        A(4 * floord(n + m + 3, 4) + 4 - m);
    "#]],
    );
}

/// A contraction tiled by 4x8, reduced dimension inside of the tiles.
fn contraction(domain: &str, isolate: &str) -> String {
    format!(
        r#"{{ domain: "[n] -> {{ {domain} }}", child: {{
             schedule: "[{{ S[i, j, k] -> [(floor(i/4))] }}, {{ S[i, j, k] -> [(floor(j/8))] }}]", options: "{{ atomic[0]; atomic[1] }}", child: {{
               schedule: "[{{ S[i, j, k] -> [(k)] }}]", options: "[n] -> {{ {isolate} }}", child: {{
                 schedule: "[{{ S[i, j, k] -> [(i)] }}, {{ S[i, j, k] -> [(j)] }}]" }} }} }} }}"#
    )
}

#[test]
fn full_tiles_of_a_box() {
    shows(
        &contraction(
            "S[i, j, k] : 0 <= i, j, k < n",
            "isolate[[a, b] -> [k]] : 0 <= 4a and 4a + 3 < n and 0 <= 8b and 8b + 7 < n and 0 <= k < n",
        ),
        "[n] -> { : n >= 1 }",
        0..=9,
        expect![[r#"
            for (int c0 = 0; c0 <= floord(n - 1, 4); c0 += 1)
              for (int c1 = 0; c1 <= floord(n - 1, 8); c1 += 1)
                if (n >= 4 * c0 + 4 && n >= 8 * c1 + 8)
                  for (int c2 = 0; c2 < n; c2 += 1)
                    for (int c3 = 4 * c0; c3 <= 4 * c0 + 3; c3 += 1)
                      for (int c4 = 8 * c1; c4 <= 8 * c1 + 7; c4 += 1)
                        S(c3, c4, c2);
                else
                  for (int c2 = 0; c2 < n; c2 += 1)
                    for (int c3 = 4 * c0; c3 <= min(n - 1, 4 * c0 + 3); c3 += 1)
                      for (int c4 = 8 * c1; c4 <= min(n - 1, 8 * c1 + 7); c4 += 1)
                        S(c3, c4, c2);
        "#]],
    );
}

#[test]
fn full_tiles_of_a_pyramid() {
    shows(
        &contraction(
            "S[i, j, k] : 0 <= k < i < n and k < j < n",
            "isolate[[a, b] -> [k]] : 4a + 3 < n and 8b + 7 < n and 0 <= k < 4a and k < 8b",
        ),
        "[n] -> { : n >= 1 }",
        0..=18,
        expect![[r#"
            for (int c0 = 0; c0 <= floord(n - 1, 4); c0 += 1)
              for (int c1 = 0; c1 <= floord(n - 1, 8); c1 += 1)
                if (n >= 4 * c0 + 4 && n >= 8 * c1 + 8) {
                  for (int c2 = 0; c2 <= min(8 * c1 - 1, 4 * c0 - 1); c2 += 1)
                    for (int c3 = 4 * c0; c3 <= 4 * c0 + 3; c3 += 1)
                      for (int c4 = 8 * c1; c4 <= 8 * c1 + 7; c4 += 1)
                        S(c3, c4, c2);
                  for (int c2 = min(8 * c1, 4 * c0); c2 <= min(4 * c0 + 2, 8 * c1 + 6); c2 += 1)
                    for (int c3 = max(c2 + 1, 4 * c0); c3 <= 4 * c0 + 3; c3 += 1)
                      for (int c4 = max(c2 + 1, 8 * c1); c4 <= 8 * c1 + 7; c4 += 1)
                        S(c3, c4, c2);
                } else {
                  for (int c2 = 0; c2 <= min(n - 2, min(4 * c0 + 2, 8 * c1 + 6)); c2 += 1)
                    for (int c3 = max(c2 + 1, 4 * c0); c3 <= min(n - 1, 4 * c0 + 3); c3 += 1)
                      for (int c4 = max(c2 + 1, 8 * c1); c4 <= min(n - 1, 8 * c1 + 7); c4 += 1)
                        S(c3, c4, c2);
                }
        "#]],
    );
}

/// Of two statements that run under the same condition none runs without it.
#[test]
fn every_statement_of_a_sequence_is_guarded() {
    shows(
        r#"{ domain: "[c, p, q] -> { A[i, j] : 32*floor((1 + c)/16) = 2c + i and 0 <= i <= 6 + 2p and 0 <= j <= q - 3; B[i] : 32*floor((1 + c)/16) = 2c + i and 0 <= i <= 6 + 2p }", child: {
             sequence: [ { filter: "{ A[i, j] }", child: { schedule: "[{ A[i, j] -> [(j)] }]" } }, { filter: "{ B[i] }" } ] } }"#,
        "[c, p, q] -> { : -8 <= c <= 7 and p >= -3 + c - 16*floor((1 + c)/16) and q >= 3 }",
        -4..=4,
        expect![[r#"
            if (pmod(c + 1, 16) <= 1 && p + pmod(c + 1, 16) + 2 >= 0) {
              for (int c0 = 0; c0 <= q - 3; c0 += 1)
                A(2 - 2 * pmod(c + 1, 16), c0);
              B(2 - 2 * pmod(c + 1, 16));
            }
        "#]],
    );
}

#[test]
fn a_stride_can_leave_one_value() {
    shows(
        r#"
domain: "[n] -> { A[i, j] : 0 <= i < n and 0 <= j < 3 }"
child:
  schedule: "[n] -> [{ A[i, j] -> [(3i + j)] }, { A[i, j] -> [(i)] }, { A[i, j] -> [(3i)] }]"
"#,
        "[n] -> { : n >= 0 }",
        0..=5,
        expect![[r#"
            for (int c0 = 0; c0 < 3 * n; c0 += 1)
              A(floord(c0, 3), c0 - 3 * floord(c0, 3));
        "#]],
    );
    shows(
        r#"
domain: "[n, m] -> { A[i] : n <= 4i <= n + 3 and 4i <= m }"
child:
  schedule: "[n, m] -> [{ A[i] -> [(4i)] }]"
"#,
        "[n, m] -> { : }",
        -3..=9,
        expect![[r#"
            if (4 * floord(-n, 4) + m >= 0)
              A(-floord(-n, 4));
        "#]],
    );
}

#[test]
fn strides_with_a_factor_of_the_outer_counter() {
    shows(
        r#"
domain: "[n] -> { A[i, j] : 1 <= i <= j <= n and i mod 4 = 1 and (4j - i - 3) mod 12 = 0 }"
child:
  schedule: "[n] -> [{ A[i, j] -> [(i)] }, { A[i, j] -> [(j)] }]"
"#,
        "[n] -> { : n >= 0 }",
        0..=20,
        expect![[r#"
            for (int c0 = 1; c0 <= n; c0 += 4)
              for (int c1 = c0; c1 <= n; c1 += 3)
                A(c0, c1);
        "#]],
    );
}

#[test]
fn copies_under_several_conditions_are_one() {
    shows(
        r#"
domain: "[n, m] -> { A[i, j] : 0 <= i < n and 0 <= j < n and (m = 0 or m >= 2) }"
child:
  schedule: "[n, m] -> [{ A[i, j] -> [(i)] }, { A[i, j] -> [(j)] }]"
  options: "{ atomic[0]; atomic[1] }"
"#,
        "[n, m] -> { : m >= 0 }",
        0..=4,
        expect![[r#"
            if (m == 0 || m >= 2)
              for (int c0 = 0; c0 < n; c0 += 1)
                for (int c1 = 0; c1 < n; c1 += 1)
                  A(c0, c1);
        "#]],
    );
}

#[test]
fn tiles_of_parametric_sizes() {
    // A skewed nest, and one in which two statements have different ranges.
    let skewed = r#"{ domain: "[n] -> { A[t, i] : 0 <= t < n and 1 <= i < n - 1 }", child: {
        schedule: "[{ A[t, i] -> [(t)] }, { A[t, i] -> [(t + i)] }]", permutable: 1, multiples_of: [ p, q ],
        options: "{ atomic[0]; atomic[1] }", child: {
          schedule: "[{ A[t, i] -> [(t)] }, { A[t, i] -> [(t + i)] }]" } } }"#;
    shows(
        skewed,
        "[n, p, q] -> { : p >= 1 and q >= 1 }",
        1..=7,
        expect![[r#"
            for (int c0 = p*ceild(1 - p, p); c0 < n; c0 += p)
              for (int c1 = q*ceild(max(c0 + 2 - q, 2 - q), q); c1 <= min(c0 + n + p - 3, 2 * n - 3); c1 += q)
                for (int c2 = max(c1 + 2 - n, max(c0, 0)); c2 <= min(c1 + q - 2, min(c0 + p - 1, n - 1)); c2 += 1)
                  for (int c3 = max(c2 + 1, c1); c3 <= min(c2 + n - 2, c1 + q - 1); c3 += 1)
                    A(c2, c3 - c2);
        "#]],
    );
    let two = r#"{ domain: "[n] -> { A[i, j] : 0 <= j <= i < n; B[i] : 1 <= i < n }", child: {
        schedule: "[{ A[i, j] -> [(i)]; B[i] -> [(i)] }, { A[i, j] -> [(j)]; B[i] -> [(i)] }]", permutable: 1, multiples_of: [ 1, q ],
        options: "{ atomic[1] }", child: {
          schedule: "[{ A[i, j] -> [(j)]; B[i] -> [(i)] }]", child: { sequence: [ { filter: "{ B[i] }" }, { filter: "{ A[i, j] }" } ] } } } }"#;
    shows(
        two,
        "[n, q] -> { : q >= 1 }",
        1..=7,
        expect![[r#"
        for (int c0 = 0; c0 < n; c0 += 1)
          for (int c1 = q*ceild(1 - q, q); c1 <= c0; c1 += q) {
            if (c0 == 0)
              A(0, 0);
            for (int c2 = max(c1, 0); c2 <= min(c0 - 1, c1 + q - 1); c2 += 1)
              A(c0, c2);
            if (c0 >= 1 && c1 + q > c0) {
              B(c0);
              A(c0, c0);
            }
          }
    "#]],
    );
}
