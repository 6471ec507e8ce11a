//! Parts of a page, from records written by hand.

use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};

use super::*;
use crate::inspect::record::{self, Function};

/// A function with one loop at two lines of this file that was left alone.
fn function(kind: &str, first: u32, last: u32) -> Function {
    let text = serde_json::json!({
        "version": 1,
        "function": "_Z4initi",
        "records": [{
            "outcome": "unchanged",
            "kind": kind,
            "text": "loops not optimized: a < b & c",
            "reason": "a < b & c",
            "loops": 1,
            "place": { "file": "tests.rs", "line": first, "column": 1 },
            "model": { "loops": [{ "place": { "file": "tests.rs", "line": first, "column": 1 }, "depth": 0, "last_line": last }] },
        }],
    });
    record::function(&text.to_string()).unwrap()
}

fn sources() -> Sources {
    Sources::near(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report/page/tests.rs"))
}

/// The page's text from one mark to another, tags at the beginnings of lines.
fn check(functions: &[Function], from: &str, to: &str, expect: &Expect) {
    let input = Input { file: PathBuf::from("src/report/page/tests.rs"), flags: vec!["-O2".into()] };
    let page = of(&input, functions, &mut sources());
    let start = page.find(from).expect("the part begins");
    let end = start + page[start..].find(to).expect("the part ends");
    expect.assert_eq(&page[start..end].replace("><", ">\n<"));
}

#[test]
fn a_loop_that_was_rejected_has_a_section() {
    check(
        &[function("Call", 1, 3)],
        "<section class=\"nest\"",
        "</main>",
        &expect![[r#"
        <section class="nest" aria-labelledby="nest1">
        <h2 id="nest1">init(int), lines 1–3 <span class="badge rejected">✗ not understood</span>
        </h2>
        <p>
        <small>in the object file <code>_Z4initi</code>
        </small>
        </p>
        <h3>Why nothing was done</h3>
        <p>a &lt; b &amp; c</p>
        <h3>What helps</h3>
        <p>make the function visible so that it is inlined, declare it __attribute__((const)) if it only computes, or move the call out of the loop</p>
        </section>"#]],
    );
}

#[test]
fn lines_are_marked() {
    let functions = [function("Call", 1, 2)];
    check(
        &functions,
        "<pre class=\"source\"",
        "<span class=\"number\">    4",
        &expect![[r##"
        <pre class="source" tabindex="0" role="region" aria-label="Source of tests.rs">
        <span class="line rejected">
        <span class="number">    1</span> //! Parts of a page, from records written by hand. <a class="badge" href="#nest1">✗ not understood</a>
        </span>
        <span class="line rejected">
        <span class="number">    2</span> </span>
        <span class="line ">
        <span class="number">    3</span> use std::path::{Path, PathBuf};</span>
        <span class="line ">"##]],
    );
}

#[test]
fn the_table_names_all() {
    check(
        &[function("Call", 5, 5)],
        "<tbody>",
        "</tbody>",
        &expect![[r##"
        <tbody>
        <tr>
        <th scope="row">
        <a href="#nest1">init(int), line 5</a>
        </th>
        <td>1</td>
        <td>
        <span class="badge rejected">✗ not understood</span>
        </td>
        <td>
        </td>
        </tr>"##]],
    );
}

#[test]
fn a_program_without_loops() {
    check(
        &[],
        "<main>",
        "<section",
        &expect![[r#"
        <main>
        <p>Poly has found no loops. Functions that are optimized for size, or not at all, are left alone, and so are loops that the compiler removes.</p>"#]],
    );
    check(
        &[],
        "<h1>",
        "</header>",
        &expect![[r#"
        <h1>What Poly did with <code>tests.rs</code>
        </h1>
        <p>Compiled with <code>-O2</code>
        </p>
        <p class="counts">0 loops optimized, 0 left as written, 0 not understood</p>"#]],
    );
}
