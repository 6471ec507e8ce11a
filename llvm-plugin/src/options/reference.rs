//! The reference of options, docs/options.md.

use std::fmt::Write;

use super::Options;
use super::source::COMMAND_LINE_PREFIX;
use super::table::TABLE;

const INTRODUCTION: &str = "# Options

<!-- Made from the table in llvm-plugin/src/options/table.rs: `UPDATE_EXPECT=1 cargo test` of poly-plugin rewrites it. -->

An option is a word: a switch `name` (off: `no-name`) or `name=value`. It can be given

| where | how | works in |
|---|---|---|
| parameters of the pass | `opt -load-pass-plugin libpoly.so -passes='poly<tile;no-parallel>'` | opt |
| command line | `opt -load-pass-plugin libpoly.so -passes=poly -poly-tile-sizes=32,64` | opt |
| command line of clang | `clang -fplugin=libpoly.so -fpass-plugin=libpoly.so -mllvm -poly-parallel` (both flags; not for `.s` files) | clang |
| configuration file of clang | `clang --config=poly.cfg -mllvm -poly-parallel`, with the `poly.cfg` beside `libpoly.so` | clang |
| environment | `POLY_OPTS='parallel;tile-sizes=32,64'`, words separated by `;` or blanks | everywhere |

Pass parameters win over the command line, that wins over `POLY_OPTS`. In pass parameters the elements of a list are separated by `:`,
elsewhere also by `,`. A wrong word is an error.

A word counts for some functions only if their names stand before it, in pass parameters and in `POLY_OPTS`:
`POLY_OPTS='fuse=max;kernel_*/scheduler=feautrier;main/disable'`. The function attribute `\"poly\"` has such words for its function
(`\"poly\"=\"scheduler=original;no-tile\"`). Both win over what is said for all functions. What a profile ([tune.md](tune.md)) says of a
loop nest stands between.

In C and C++ annotations say the same: `[[clang::annotate(\"poly: WORDS\")]]` or `__attribute__((annotate(\"poly: WORDS\")))` before a
function, with the words of all options and these:

| annotation | what it does |
|---|---|
| `poly: off` | leaves the function as it is |
| `poly: parallel` | runs its outermost parallel loops with threads; link with `-fopenmp` or `-lomp` |
| `poly: tile=64,64,8` | these tile sizes, as `tile-sizes` |
| `poly: independent` | refused with a remark: independence is proven or tested at run time, never believed |

They count for the function itself. Where it is inlined into another one, that one's words count; `noinline` prevents that.

From weakest to strongest: defaults, `POLY_OPTS`, the command line, pass parameters, the profile, words for functions by name,
annotations, the attribute. `#pragma clang loop` hints (`vectorize`, `interleave`, `unroll`, `distribute`) are LLVM's: the original
loops keep them. Where Poly writes new loops, these have other iterations, so the hints are not used there, and the remark says so.

A single function is left alone with the function attribute `\"poly\"=\"off\"`; `optnone`, `optsize` and `minsize` functions always are.
`POLY_LOG=debug` (or `info`, `trace`) shows what Poly does while it does it.

";

/// The reference as Markdown.
pub(crate) fn options_reference() -> String {
    let mut text = INTRODUCTION.to_owned();
    let defaults = Options::default();
    for hidden in [false, true] {
        if hidden {
            text.push_str("\nFor the development of Poly:\n\n");
        }
        text.push_str("| option | on a command line | default | what it does |\n|---|---|---|---|\n");
        for spec in TABLE.iter().filter(|spec| spec.hidden == hidden) {
            let name = spec.name;
            let value = spec.value_name.map(|value| format!("={value}").replace('|', "\\|")).unwrap_or_default();
            let default = (spec.show)(&defaults);
            let default = if default.is_empty() { "none".to_owned() } else { format!("`{default}`") };
            // Outside of code, Markdown takes `print<poly-loops>` for a tag of HTML.
            let help = spec.help.replace('<', "\\<");
            writeln!(text, "| `{name}{value}` | `-{COMMAND_LINE_PREFIX}{name}{value}` | {default} | {help} |")
                .expect("writing to a String cannot fail");
        }
    }
    text
}
