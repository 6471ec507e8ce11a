//! Tests of the text form, of band operations and of the schedule map.

use expect_test::{Expect, expect};
use poly_arith::Int;
use poly_presburger::{Budget, UnionMap};

use crate::{LoopType, Mark, Node, NodeKind, ScheduleTree, Tree};

const GEMM: &str = r#"
domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
child:
  schedule: "[{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
  permutable: 1
  coincident: [ 1, 1 ]
  child:
    sequence:
    - filter: "{ S[i, j] }"
    - filter: "{ T[i, j, k] }"
      child:
        mark: "vector"
        child:
          schedule: "[{ T[i, j, k] -> [(k)] }]"
          permutable: 1
"#;

fn tree(text: &str) -> ScheduleTree {
    match text.parse() {
        Ok(tree) => tree,
        Err(error) => panic!("{error}"),
    }
}

fn check(tree: &ScheduleTree, expected: Expect) {
    expected.assert_eq(&tree.to_string());
    assert_eq!(&tree.to_string().parse::<ScheduleTree>().expect("what is printed can be read"), tree);
}

/// The text of the bands in preorder.
fn bands(tree: &ScheduleTree) -> Vec<String> {
    tree.tree().bands().iter().map(|b| b.schedule.to_string()).collect()
}

fn first_band(tree: &ScheduleTree) -> Node {
    tree.band_nodes().into_iter().next().expect("there is a band")
}

fn ints(values: &[i64]) -> Vec<Int> {
    values.iter().map(|&v| Int::from(v)).collect()
}

fn assert_schedule(tree: &ScheduleTree, expected: &str) {
    let map = tree.schedule_map();
    let expected: UnionMap = expected.parse().expect("the expected map can be read");
    let equal = map.is_equal(&expected, &mut Budget::unlimited()).expect("the budget is unlimited");
    assert!(equal, "{map}");
}

#[test]
fn text_round_trip() {
    check(
        &tree(GEMM),
        expect![[r#"
        domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"
        child:
          schedule: "[{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]"
          permutable: 1
          coincident: [ 1, 1 ]
          child:
            sequence:
            - filter: "{ S[i, j] }"
            - filter: "{ T[i, j, k] }"
              child:
                mark: "vector"
                child:
                  schedule: "[{ T[i, j, k] -> [(k)] }]"
                  permutable: 1
    "#]],
    );
}

#[test]
fn flow_style_is_read() {
    let flow = tree(
        r#"{ domain: "{ A[i]: 0 <= i < 4; B[] }", child: { context: "{ : }", child: { set: [ { filter: "{ A[i] }",
          child: { schedule: "[{ A[i] -> [(i)] }]", options: "{ unroll[0] }" } }, { filter: "{ B[] }", child: "leaf" } ] } } }"#,
    );
    check(
        &flow,
        expect![[r#"
        domain: "{ A[i] : 0 <= i <= 3; B[] }"
        child:
          context: "{ : }"
          child:
            set:
            - filter: "{ A[i] }"
              child:
                schedule: "[{ A[i] -> [(i)] }]"
                options: "{ unroll[0] }"
            - filter: "{ B[] }"
    "#]],
    );
}

#[test]
fn reading_reports_what_is_wrong() {
    let message = |text: &str| match text.parse::<ScheduleTree>() {
        Ok(tree) => panic!("this should not be read:\n{tree}"),
        Err(error) => error.to_string(),
    };
    expect!["1:1: the root of a schedule tree needs a domain"].assert_eq(&message("schedule: \"[]\""));
    expect!["4:5: the children of a sequence or set are filters"]
        .assert_eq(&message("domain: \"{ A[] }\"\nchild:\n  sequence:\n  - mark: \"x\""));
    expect![[r#"3:3: no kind of node has the key "colour""#]]
        .assert_eq(&message("domain: \"{ A[] }\"\nchild:\n  colour: \"blue\""));
    expect!["4:15: coincidence is given for 2 of 1 members"].assert_eq(&message(
        "domain: \"{ A[i] }\"\nchild:\n  schedule: \"[{ A[i] -> [(i)] }]\"\n  coincident: [ 1, 1 ]",
    ));
    expect![[r#"1:9: at 6: `]` is expected here (in "{ A[i }")"#]].assert_eq(&message("domain: \"{ A[i }\""));
}

#[test]
fn schedule_map_pads_and_numbers() {
    assert_schedule(
        &tree(GEMM),
        "[n] -> { S[i, j] -> [i, j, 0, 0] : 0 <= i < n and 0 <= j < n;
                  T[i, j, k] -> [i, j, 1, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }",
    );
    assert_schedule(
        &ScheduleTree::from_domain("{ A[i] : 0 <= i < 3 }".parse().expect("a set")),
        "{ A[i] -> [] : 0 <= i < 3 }",
    );
}

#[test]
fn filters_that_split_a_statement() {
    let split = tree(
        r#"
domain: "{ A[i] : 0 <= i < 8 }"
child:
  sequence:
  - filter: "{ A[i] : i >= 4 }"
    child:
      schedule: "[{ A[i] -> [(-i)] }]"
  - filter: "{ A[i] : i < 4 }"
"#,
    );
    assert_schedule(&split, "{ A[i] -> [0, -i] : 4 <= i < 8; A[i] -> [1, 0] : 0 <= i < 4 }");
}

#[test]
fn expansion_replaces_instances() {
    let expanded = tree(
        r#"
domain: "{ S[i] : 0 <= i < 2 }"
child:
  schedule: "[{ S[i] -> [(-i)] }]"
  child:
    contraction: "{ A[i] -> S[i]; B[i] -> S[i] }"
    expansion: "{ S[i] -> A[i]; S[i] -> B[i] }"
    child:
      sequence:
      - filter: "{ A[i] }"
      - filter: "{ B[i] }"
"#,
    );
    assert_schedule(&expanded, "{ A[i] -> [-i, 0] : 0 <= i < 2; B[i] -> [-i, 1] : 0 <= i < 2 }");
}

#[test]
fn tiling_keeps_the_points() {
    let tiled = first_band(&tree(GEMM)).band_tile(&ints(&[32, 1])).tree();
    expect![[r#"
        [{ S[i, j] -> [(floor((i)/32))]; T[i, j, k] -> [(floor((i)/32))] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]
        [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]
        [{ T[i, j, k] -> [(k)] }]"#]]
    .assert_eq(&bands(&tiled).join("\n"));
    assert_schedule(
        &tiled,
        "[n] -> { S[i, j] -> [floor(i/32), j, i, j, 0, 0] : 0 <= i < n and 0 <= j < n;
                  T[i, j, k] -> [floor(i/32), j, i, j, 1, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }",
    );
}

#[test]
fn splitting_permuting_and_skewing() {
    let band = first_band(&tree(GEMM));
    expect![[r#"
        [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }]
        [{ S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }]
        [{ T[i, j, k] -> [(k)] }]"#]]
    .assert_eq(&bands(&band.band_split(1).tree()).join("\n"));
    expect![[r#"
        [{ S[i, j] -> [(j)]; T[i, j, k] -> [(j)] }, { S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }]
        [{ T[i, j, k] -> [(k)] }]"#]]
    .assert_eq(&bands(&band.band_permute(&[1, 0]).tree()).join("\n"));
    let skewed = band.set_band(band.band().expect("a band").skew(1, 0, &Int::from(2)));
    expect![[r#"
        [{ S[i, j] -> [(i)]; T[i, j, k] -> [(i)] }, { S[i, j] -> [(2i + j)]; T[i, j, k] -> [(2i + j)] }]
        [{ T[i, j, k] -> [(k)] }]"#]]
    .assert_eq(&bands(&skewed.tree()).join("\n"));
    let split = band.band_split(1);
    assert_eq!(split.band().expect("outer").coincident, [true]);
    assert_eq!(split.child(0).band().expect("inner").n_member(), 1);
}

#[test]
fn sinking_a_band() {
    let sunk = first_band(&tree(GEMM)).band_sink().tree();
    assert_schedule(
        &sunk,
        "[n] -> { S[i, j] -> [0, i, j, 0] : 0 <= i < n and 0 <= j < n;
                  T[i, j, k] -> [1, k, i, j] : 0 <= i < n and 0 <= j < n and 0 <= k < n }",
    );
}

#[test]
fn cursors_change_one_path() {
    let original = tree(GEMM);
    let node = Node::follow(&original, &[0, 0, 1, 0]).expect("the path exists");
    assert!(matches!(node.kind(), NodeKind::Mark(Mark::Vector)));
    assert_eq!((node.depth(), node.schedule_depth(), node.position()), (4, 2, 0));
    let changed = node.delete().insert_mark(Mark::parallel()).tree();
    assert!(changed.to_string().contains("parallel") && !changed.to_string().contains("vector"));
    assert!(original.to_string().contains("vector"));
    assert_eq!(Node::follow(&original, &[0, 7]).map(|n| n.depth()), None);
    let siblings = Node::follow(&original, &[0, 0, 0]).and_then(|n| n.next_sibling()).expect("a sibling");
    assert_eq!(siblings.shared_depth(&node), 3);
    assert_eq!(siblings.path(), [0, 0, 1]);
}

#[test]
fn bottom_up_rebuilding() {
    let marked = tree(GEMM).map_bottom_up(&mut |t| if t.as_band().is_some() { Tree::mark(Mark::Panel, t) } else { t });
    assert_eq!(marked.to_string().matches("mark: \"panel\"").count(), 2);
    let unchanged = tree(GEMM).map_bottom_up(&mut |t| t);
    assert_eq!(unchanged, tree(GEMM));
}

#[test]
fn prefix_schedules() {
    let tree = tree(GEMM);
    let node = Node::follow(&tree, &[0, 0, 1, 0, 0]).expect("the inner band");
    expect!["[n] -> [{ T[i, j, k] -> [(i)] : 0 <= i < n and 0 <= j < n and 0 <= k < n }, { T[i, j, k] -> [(j)] : 0 <= i < n and 0 <= j < n and 0 <= k < n }]"].assert_eq(&node.prefix_schedule().to_string());
    expect!["[n] -> { T[i, j, k] : 0 <= i < n and 0 <= j < n and 0 <= k < n }"].assert_eq(&node.domain().to_string());
    assert_eq!(tree.root().prefix_schedule().dim(), 0);
}

#[test]
fn isolated_parts_are_kept() {
    let text = "{ domain: \"[n] -> { A[i] : 0 <= i < n }\", child: { schedule: \"[n] -> [{ A[i] -> [(i)] }]\", \
                options: \"[n] -> { atomic[i] : i = 0; isolate[[] -> [x]] : 0 <= x < n; [isolate[] -> unroll[x]] }\" } }";
    let read = tree(text);
    let band = read.band_nodes()[0].band().expect("it is a band").clone();
    assert_eq!(band.options, [LoopType::Atomic]);
    assert_eq!(band.isolate.as_ref().map(|sets| sets.len()), Some(2));
    let again = tree(&read.to_string());
    let kept = again.band_nodes()[0].band().expect("it is a band").clone();
    assert_eq!(
        (kept.options, kept.isolate.map(|s| s.to_string())),
        (band.options, band.isolate.map(|s| s.to_string()))
    );
    let partial = text.replace("i = 0", "i = n");
    assert!(partial.parse::<ScheduleTree>().is_err_and(|e| e.to_string().contains("all values of the parameters")));
}

#[test]
fn tiles_of_parametric_sizes_are_kept() {
    let text = "{ domain: \"[n] -> { S[i, j] : 0 <= i, j < n }\", child: { schedule: \"[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]\", permutable: 1 } }";
    let tree: ScheduleTree = text.parse().expect("the tree can be read");
    let nodes = tree.band_nodes();
    let band = nodes[0].band().expect("it is a band");
    let (tiles, points) = band.tile_by_parameters(&["s", "t"].map(poly_presburger::Id::new));
    assert!(tiles.has_grid() && !points.has_grid());
    let tiled = nodes[0].replace(Tree::band(tiles.clone(), Tree::band(points, Tree::leaf()))).tree();
    let again: ScheduleTree = tiled.to_string().parse().expect("what was printed can be read");
    assert_eq!(again.to_string(), tiled.to_string());
    assert_eq!(again.band_nodes()[0].band().map(|band| band.grids.clone()), Some(tiles.grids.clone()));
    // Members keep their grids when they change places.
    assert_eq!(tiles.permute(&[1, 0]).grids, [tiles.grids[1].clone(), tiles.grids[0].clone()]);
}
