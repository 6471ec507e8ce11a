//! Scenes of small SCoPs, and the SVG that is made of them.

use std::fmt::Write;

use expect_test::{Expect, expect};
use poly_exchange::{AccessText, ArrayText};

use super::super::drawing;
use super::*;

/// A SCoP of statements with domain, original time, and accesses (with `w` in front of those that
/// write).
fn scop(context: &str, statements: &[(&str, &str, &[&str])]) -> ScopText {
    let statement = |(domain, time, accesses): &(&str, &str, &[&str])| {
        let domain: Set = domain.parse().unwrap();
        let access = |text: &&str| {
            let (kind, relation) = match text.strip_prefix("w ") {
                Some(rest) => (poly_dependence::AccessKind::MustWrite, rest),
                None => (poly_dependence::AccessKind::Read, *text),
            };
            AccessText { kind, relation: relation.parse().unwrap() }
        };
        let time: poly_presburger::Map = time.parse().unwrap();
        let time = time.intersect_domain(&domain);
        StatementText {
            name: domain.tuple_name().unwrap().as_str().to_owned(),
            schedule: time.clone(),
            original: Some(time),
            accesses: accesses.iter().map(access).collect(),
            domain,
        }
    };
    let arrays = vec![ArrayText { name: "A".into(), sizes: vec!["*".into()], element: "double".into() }];
    let statements = statements.iter().map(statement).collect();
    ScopText { name: "test".into(), context: context.parse().unwrap(), arrays, statements }
}

fn scene(scop: &ScopText, new: Option<&str>) -> Scene {
    let budget = &mut Budget::new(100_000_000);
    let dependences = scop.dependences(budget).unwrap().unwrap();
    let original = scop.tree(budget).unwrap();
    let new: Option<ScheduleTree> = new.map(|tree| tree.parse().unwrap());
    Scene::of(scop, &dependences, &original, new.as_ref(), budget).unwrap()
}

/// Parameters, statements, arrows and, for two dimensions, the position in the new order and the
/// group of each point.
fn check(scene: &Scene, expect: &Expect) {
    let mut text = String::new();
    for (id, value) in &scene.params {
        let _ = writeln!(text, "{} = {value}", id.as_str());
    }
    for shown in &scene.statements {
        let cut = if shown.is_cut { ", cut" } else { "" };
        let _ = writeln!(text, "{}: {} points, {} hidden{cut}", shown.name, shown.points.len(), shown.hidden);
    }
    let flow = scene.arrows.iter().filter(|arrow| arrow.is_flow).count();
    let _ = writeln!(text, "{flow} arrows of values, {} of memory", scene.arrows.len() - flow);
    if scene.has_new {
        let _ = writeln!(text, "{} groups of {:?}, sizes {:?}", scene.groups, scene.grouping, scene.sizes);
        let mut row = None;
        for point in scene.statements[0].points.iter().filter(|point| point.at.len() == 2) {
            let start = if row == Some(point.at[0]) || row.is_none() { "" } else { "\n" };
            let _ = write!(text, "{start}{:3}{}", point.new.unwrap(), char::from(b'a' + point.group.unwrap() as u8));
            row = Some(point.at[0]);
        }
    }
    expect.assert_eq(text.trim_end());
}

/// `for i < n, j <= i: A[i] = A[i] + ..`, a triangle.
fn triangle() -> ScopText {
    scop(
        "[n] -> { : n > 0 }",
        &[(
            "[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }",
            "[n] -> { S[i, j] -> [i, j] }",
            &["[n] -> { S[i, j] -> A[i] }", "w [n] -> { S[i, j] -> A[i] }"],
        )],
    )
}

const TILED: &str = r#"
domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }"
child:
  schedule: "[n] -> [{ S[i, j] -> [(floor((i)/320))] }, { S[i, j] -> [(floor((j)/64))] }]"
  child:
    schedule: "[n] -> [{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
"#;

#[test]
fn a_tiled_triangle() {
    check(
        &scene(&triangle(), Some(TILED)),
        &expect![[r#"
            n = 12
            S: 78 points, 0 hidden
            66 arrows of values, 0 of memory
            6 groups of Tiles, sizes {("320", "4"), ("64", "4")}
              0a
              1a  2a
              3a  4a  5a
              6a  7a  8a  9a
             10b 11b 12b 13b 26c
             14b 15b 16b 17b 27c 28c
             18b 19b 20b 21b 29c 30c 31c
             22b 23b 24b 25b 32c 33c 34c 35c
             36d 37d 38d 39d 52e 53e 54e 55e 68f
             40d 41d 42d 43d 56e 57e 58e 59e 69f 70f
             44d 45d 46d 47d 60e 61e 62e 63e 71f 72f 73f
             48d 49d 50d 51d 64e 65e 66e 67e 74f 75f 76f 77f"#]],
    );
}

/// The sizes of the program are drawn where small ones would break the order: here the second tile
/// loop runs backwards, and only one of its iterations is in the picture.
#[test]
fn sizes_are_not_changed_where_that_is_wrong() {
    let backwards = TILED.replace("floor((j)/64)", "floor((-1 - j)/64)");
    check(
        &scene(&triangle(), Some(&backwards)),
        &expect![[r#"
            n = 12
            S: 78 points, 0 hidden
            66 arrows of values, 0 of memory
            1 groups of Tiles, sizes {}
              0a
              1a  2a
              3a  4a  5a
              6a  7a  8a  9a
             10a 11a 12a 13a 14a
             15a 16a 17a 18a 19a 20a
             21a 22a 23a 24a 25a 26a 27a
             28a 29a 30a 31a 32a 33a 34a 35a
             36a 37a 38a 39a 40a 41a 42a 43a 44a
             45a 46a 47a 48a 49a 50a 51a 52a 53a 54a
             55a 56a 57a 58a 59a 60a 61a 62a 63a 64a 65a
             66a 67a 68a 69a 70a 71a 72a 73a 74a 75a 76a 77a"#]],
    );
}

#[test]
fn a_wavefront_without_tiles() {
    let sweep = scop(
        "[n] -> { : 0 < n <= 7 }",
        &[(
            "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < 4 }",
            "[n] -> { S[i, j] -> [i, j] }",
            &["[n] -> { S[i, j] -> A[j - 1] }", "[n] -> { S[i, j] -> A[j + 1] }", "w [n] -> { S[i, j] -> A[j] }"],
        )],
    );
    let skewed = r#"
domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < 4 }"
child:
  schedule: "[n] -> [{ S[i, j] -> [(2i + j)] }, { S[i, j] -> [(i)] }]"
"#;
    check(
        &scene(&sweep, Some(skewed)),
        &expect![[r#"
            n = 7
            S: 28 points, 0 hidden
            39 arrows of values, 24 of memory
            16 groups of Iterations, sizes {}
              0a  1b  2c  4d
              3c  5d  6e  8f
              7e  9f 10g 12h
             11g 13h 14i 16j
             15i 17j 18k 20l
             19k 21l 22m 24n
             23m 25n 26o 27p"#]],
    );
}

#[test]
fn constant_bounds_and_deep_nests_are_cut() {
    let deep = scop(
        "{ : }",
        &[(
            "{ S[a, b, c, d] : 0 <= a < 1000 and 0 <= b < 1000 and 0 <= c < 1000 and 0 <= d < 3 }",
            "{ S[a, b, c, d] -> [a, b, c, d] }",
            &["w { S[a, b, c, d] -> A[a + b + c + d] }"],
        )],
    );
    let found = scene(&deep, None);
    check(
        &found,
        &expect![[r#"
            S: 108 points, 1 hidden, cut
            0 arrows of values, 85 of memory"#]],
    );
    let svg = drawing::picture(&found, &[0], "x").into_string();
    assert_eq!(svg.matches("<circle").count(), 108);
    assert_eq!(svg.matches("<line").count(), found.arrows.len());
}

#[test]
fn parameters_need_not_be_equal() {
    // From n to m: nothing runs if they are equal.
    let range = scop(
        "[m, n] -> { : }",
        &[("[m, n] -> { S[i] : 0 <= i < m - n }", "[m, n] -> { S[i] -> [i] }", &["w [m, n] -> { S[i] -> A[i] }"])],
    );
    check(
        &scene(&range, None),
        &expect![[r#"
        m = 21
        n = 1
        S: 20 points, 0 hidden
        0 arrows of values, 0 of memory"#]],
    );
}

#[test]
fn statements_share_a_picture() {
    let two = scop(
        "[n] -> { : n > 0 }",
        &[
            ("[n] -> { S[i] : 0 <= i < n }", "[n] -> { S[i] -> [0, i] }", &["w [n] -> { S[i] -> A[i] }"]),
            ("[n] -> { T[i] : 0 <= i < n }", "[n] -> { T[i] -> [1, i] }", &["[n] -> { T[i] -> A[i] }"]),
        ],
    );
    let found = scene(&two, None);
    check(
        &found,
        &expect![[r#"
        n = 20
        S: 20 points, 0 hidden
        T: 20 points, 0 hidden
        20 arrows of values, 0 of memory"#]],
    );
    assert_eq!(drawing::pictures(&found, |_| Some(0)), [[0, 1]]);
    assert_eq!(drawing::pictures(&found, |shown| Some(shown.position as u64)), [[0], [1]]);
    let svg = drawing::picture(&found, &[0, 1], "x").into_string();
    assert_eq!((svg.matches("<circle").count(), svg.matches("<rect").count()), (20, 20));
    assert!(svg.contains("<title>T(i = 3)</title>"), "{svg}");
    assert!(svg.contains("40 points of 1 dimension (i) and 20 dependences between them"), "{svg}");
}
