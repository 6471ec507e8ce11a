//! When statements are shifted against each other.

mod common;

use common::programs::{program, statement};
use common::run_with_sizes;
use expect_test::expect;
use poly_scheduler::Options;

/// Row by row, as `ludcmp` computes it: the quotients are not shifted against the updates, although
/// the longest distance would be shorter by one.
#[test]
fn lu_by_rows() {
    let problem = program(
        "{ : }",
        vec![
            statement(
                "{ L[i, j, k] : 0 < i < 2000 and 0 < j < i and 0 <= k < j }",
                "{ L[i, j, k] -> [i, 0, j, 0, k] }",
                &[
                    "read { L[i, j, k] -> A[i, j] }",
                    "read { L[i, j, k] -> A[i, k] }",
                    "read { L[i, j, k] -> A[k, j] }",
                    "write { L[i, j, k] -> A[i, j] }",
                ],
            ),
            statement(
                "{ Q[i, j] : 0 < i < 2000 and 0 <= j < i }",
                "{ Q[i, j] -> [i, 0, j, 1, 0] }",
                &["read { Q[i, j] -> A[i, j] }", "read { Q[i, j] -> A[j, j] }", "write { Q[i, j] -> A[i, j] }"],
            ),
            statement(
                "{ U[i, j, k] : 0 < i < 2000 and 0 <= j < 2000 - i and 0 <= k < i }",
                "{ U[i, j, k] -> [i, 1, j, 0, k] }",
                &[
                    "read { U[i, j, k] -> A[i, i + j] }",
                    "read { U[i, j, k] -> A[i, k] }",
                    "read { U[i, j, k] -> A[k, i + j] }",
                    "write { U[i, j, k] -> A[i, i + j] }",
                ],
            ),
            // A size that is a little smaller: the distances are longer than the parameter that
            // stands for both.
            statement("{ B[i] : 0 <= i < 1998 }", "{ B[i] -> [2000 + i, 0, 0, 0, 0] }", &["write { B[i] -> b[i] }"]),
        ],
    );
    let large = run_with_sizes(&problem, &Options::default());
    large.assert_legal(false);
    expect![[r#"
        child:
          sequence:
          - filter: "{ L[i, j, k] : 0 < i <= 1999 and 0 < j < i and 0 <= k < j; Q[i, j] : 0 < i <= 1999 and 0 <= j < i; U[i, j, k] : 0 < i <= 1999 and 0 <= j <= 1999 - i and 0 <= k < i }"
            child:
              schedule: "[{ L[i, j, k] -> [(k)]; Q[i, j] -> [(j)]; U[i, j, k] -> [(k)] }, { L[i, j, k] -> [(i)]; Q[i, j] -> [(i)]; U[i, j, k] -> [(i)] }, { L[i, j, k] -> [(j)]; Q[i, j] -> [(j)]; U[i, j, k] -> [(i + j)] }]"
              permutable: 1
              child:
                sequence:
                - filter: "{ L[i, j, k] : 0 < i <= 1999 and 0 < j < i and 0 <= k < j }"
                - filter: "{ Q[i, j] : 0 < i <= 1999 and 0 <= j < i }"
                - filter: "{ U[i, j, k] : 0 < i <= 1999 and 0 <= j <= 1999 - i and 0 <= k < i }"
          - filter: "{ B[i] : 0 <= i <= 1997 }"
            child:
              schedule: "[{ B[i] -> [(i)] }]"
              permutable: 1
              coincident: [ 1 ]
    "#]].assert_eq(large.tree.to_string().split_once('\n').expect("trees have children").1);
}
