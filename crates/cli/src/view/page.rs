//! The page with the editor.

use maud::{DOCTYPE, PreEscaped, html};

use crate::inspect::Input;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// An editor with a program, and a place for what is said about it.
pub(super) fn editor(input: &Input, source: &str) -> String {
    let name = input.file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let flags: Vec<String> = input.flags.iter().map(|flag| flag.to_string_lossy().into_owned()).collect();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "Poly: " (name) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                section aria-label="Program" {
                    label for="source" { code { (name) } @if !flags.is_empty() { " with " code { (flags.join(" ")) } } }
                    // A line break at the beginning of a text area is not part of it.
                    textarea id="source" spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" { "\n" (source) }
                    p id="state" role="status" {}
                }
                section aria-label="What Poly does with it" {
                    pre id="message" hidden {}
                    iframe id="report" title="What Poly does with the program" sandbox="allow-scripts" {}
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
    .into_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_text() {
        let input = Input { file: "a<b>.c".into(), flags: vec!["-O2".into()] };
        let page = editor(&input, "\nint x; // </textarea><script>");
        assert!(page.contains("wrap=\"off\">\n\nint x; // &lt;/textarea&gt;&lt;script&gt;</textarea>"), "{page}");
        assert!(page.contains("a&lt;b&gt;.c</code> with <code>-O2</code>"));
        assert!(!page.contains("http"), "nothing is loaded from elsewhere");
    }
}
