//! The schedules of PolyBench's kernels, as text.

mod common;

use common::programs::loops::loops;
use common::programs::polybench::KERNELS;
use common::run;
use expect_test::expect_file;
use poly_scheduler::Options;

/// The tree without its domain and what is the same everywhere.
fn brief(text: &str) -> String {
    let mut result = String::new();
    for line in text.lines().skip(2) {
        if line.trim() != "permutable: 1" && line.trim() != "child:" {
            result += &line.replace("\"[n] -> ", "\"").replace("\"[t, n] -> ", "\"");
            result.push('\n');
        }
    }
    result
}

#[test]
fn schedules() {
    let mut text = String::new();
    for (name, context, program) in KERNELS {
        let scheduled = run(&loops(context, program), &Options::default(), false);
        scheduled.assert_legal(false);
        text += &format!("{name}\n{}\n", brief(&scheduled.tree.to_string()));
    }
    expect_file!["polybench.txt"].assert_eq(&text);
}
