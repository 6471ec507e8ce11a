//! Checks of the repository's texts, as tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::workspace;

/// The Rust and Markdown files of the repository.
fn sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders: Vec<PathBuf> =
        ["crates", "llvm-plugin", "xtask", "docs"].iter().map(|name| workspace::root().join(name)).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let kept = |extension: &str| path.extension().is_some_and(|found| found == extension);
            if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
                folders.push(path);
            } else if kept("rs") || kept("md") {
                files.push(path);
            }
        }
    }
    files
}

/// The keys of papers in a text: a name and a year in brackets, without a link behind them.
fn keys(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (start, _) in text.match_indices('[') {
        let rest = &text[start + 1..];
        let Some(end) = rest.find(']') else { continue };
        let key = &rest[..end];
        let letters = key.chars().take_while(char::is_ascii_alphabetic).count();
        let digits = key[letters..].chars().take_while(char::is_ascii_digit).count();
        let suffix = &key[letters + digits..];
        let capital = key.starts_with(|c: char| c.is_ascii_uppercase());
        if capital && letters > 2 && digits == 4 && suffix.chars().all(|c| c.is_ascii_lowercase()) {
            found.push(key);
        }
    }
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

#[test]
fn cited_papers_are_in_the_references() {
    let references = read(&workspace::root().join("docs/references.md"));
    let entries = references.lines().filter_map(|line| line.strip_prefix("| ["));
    let known: BTreeSet<&str> = entries.filter_map(|line| line.split_once(']')).map(|(key, _)| key).collect();
    assert!(known.len() > 20, "docs/references.md has its table");
    let mut missing: BTreeMap<String, String> = BTreeMap::new();
    for path in sources() {
        let text = read(&path);
        for key in keys(&text).into_iter().filter(|key| !known.contains(key)) {
            missing.insert(key.to_owned(), workspace::shown(&path));
        }
    }
    assert!(missing.is_empty(), "not in docs/references.md: {missing:#?}");
}

/// The documents: `docs`, and those beside the code.
fn documents() -> Vec<PathBuf> {
    let docs = workspace::root().join("docs");
    let mut files: Vec<PathBuf> = sources().into_iter().filter(|path| path.starts_with(&docs)).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files.extend(["README.md", "CONTRIBUTING.md", "test/README.md"].map(|name| workspace::root().join(name)));
    files
}

/// The lines of a document that are not in a fenced block.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let is_prose = |line: &&str| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    };
    text.lines().filter(is_prose).collect::<Vec<_>>().join("\n")
}

/// What the links of a document lead to, other than to the web: a path from its folder, and a
/// heading if there is one.
fn links(text: &str) -> Vec<(String, Option<String>)> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    let local = targets.filter(|target| !target.contains("://") && !target.contains(char::is_whitespace));
    let parts = |target: &str| match target.split_once('#') {
        Some((path, heading)) => (path.to_owned(), Some(heading.to_owned())),
        None => (target.to_owned(), None),
    };
    local.map(parts).collect()
}

/// The names by which the headings of a document can be linked.
fn headings(text: &str) -> BTreeSet<String> {
    let titles = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let name = |title: &str| {
        let kept = title.to_lowercase().replace(' ', "-");
        kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
    };
    titles.map(name).collect()
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut broken = Vec::new();
    let mut count = 0;
    for document in documents() {
        let text = prose(&read(&document));
        for (path, heading) in links(&text) {
            count += 1;
            let target = document.parent().map(|folder| folder.join(&path)).filter(|_| !path.is_empty());
            let target = target.unwrap_or_else(|| document.clone());
            let is_there = target.exists();
            let has = |heading: &String| headings(&prose(&read(&target))).contains(heading);
            if !is_there || heading.as_ref().is_some_and(|heading| !has(heading)) {
                broken.push(format!("{}: {path}#{}", workspace::shown(&document), heading.unwrap_or_default()));
            }
        }
    }
    assert!(count > 50, "documents have links");
    assert!(broken.is_empty(), "links that lead nowhere: {broken:#?}");
}

/// The pages of the book in a summary, in their order.
fn pages(summary: &str) -> Vec<String> {
    links(summary).into_iter().map(|(path, _)| path).collect()
}

#[test]
fn every_document_is_a_page_of_the_book() {
    let docs = workspace::root().join("docs");
    let mut listed = pages(&read(&docs.join("SUMMARY.md")));
    let inside = sources().into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let inside = inside.filter_map(|path| Some(path.strip_prefix(&docs).ok()?.display().to_string()));
    let mut there: Vec<String> = inside.filter(|name| name != "SUMMARY.md").collect();
    listed.sort();
    there.sort();
    assert_eq!(listed, there, "docs/SUMMARY.md lists every page once");
}

#[test]
fn messages_in_troubleshooting_are_those_of_the_programs() {
    let page = read(&workspace::root().join("docs/troubleshooting.md"));
    let (_, page) = page.split_once("## Why a loop is left").expect("the page has this part");
    let (page, _) = page.split_once("\n## ").expect("another part follows");
    let quoted = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let code: String = sources().iter().filter(|path| !path.ends_with("tidy.rs")).map(|path| rust(path)).collect();
    let parts = quoted.flat_map(|message| message.split("...").map(|part| part.trim_matches([' ', '(', ')', '\''])));
    let missing: Vec<&str> = parts.filter(|part| !part.is_empty() && !code.contains(part)).collect();
    assert!(missing.is_empty(), "nobody says: {missing:?}");
}

/// The text of a file of Rust on one line, as strings are broken.
fn rust(path: &Path) -> String {
    let is_rust = path.extension().is_some_and(|extension| extension == "rs");
    let text = if is_rust { read(path) } else { String::new() };
    text.replace("\\\n", "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Words that codespell takes for others.
const SPELLED_RIGHT: &str = "crate,crates,langage";

/// Columns of a line of documentation.
const MAX_COLUMNS: usize = 100;

/// The number of the first line of documentation that is too long and could be broken. Tables,
/// code, and words that cannot be broken may be longer.
fn too_long(text: &str) -> Option<usize> {
    let mut is_code = false;
    text.lines().position(|line| {
        let doc = line.trim_start();
        let Some(words) = doc.strip_prefix("///").or_else(|| doc.strip_prefix("//!")) else { return false };
        let is_fence = words.trim_start().starts_with("```");
        is_code ^= is_fence;
        let is_free = is_fence || is_code || words.trim_start().starts_with('|') || words.starts_with("     ");
        let mut quotes = 0;
        let breaks = words.trim().chars().any(|char| {
            quotes += usize::from(char == '`');
            char == ' ' && quotes % 2 == 0
        });
        !is_free && breaks && line.chars().count() > MAX_COLUMNS
    })
}

#[test]
fn documentation_has_at_most_a_hundred_columns() {
    let rust = sources().into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let long: Vec<String> =
        rust.filter_map(|path| Some(format!("{}:{}", workspace::shown(&path), too_long(&read(&path))? + 1))).collect();
    assert!(long.is_empty(), "longer than {MAX_COLUMNS} columns: {long:#?}");
}

#[test]
fn long_lines_are_found() {
    let long = format!("/// {}", "word ".repeat(20));
    assert_eq!(too_long(&format!("/// Short.\n{long}\n")), Some(1));
    assert_eq!(too_long(&format!("/// ```text\n{long}\n/// ```\n")), None);
    assert_eq!(too_long(&format!("/// | {long} |\n/// `{long}`\n{}\n", "let x = 1; ".repeat(12))), None);
}

#[test]
fn documents_are_spelled_right() {
    let files = documents();
    let output = std::process::Command::new("codespell").arg("-L").arg(SPELLED_RIGHT).args(&files).output();
    // Debian's package codespell; where it is not there, nobody looks.
    let Ok(output) = output else { return };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.is_empty(), "codespell says:\n{said}");
}

#[test]
fn links_have_paths_and_headings() {
    let text = "see [a](b.md#c-d), [e](https://f.g/h), `x[i](y)` and [this](#top)";
    let found = links(text);
    assert_eq!(found[0], ("b.md".to_owned(), Some("c-d".to_owned())));
    assert_eq!(found.last(), Some(&(String::new(), Some("top".to_owned()))));
    assert!(headings("# What *it* is\n## `a`, b").contains("what-it-is"));
}

#[test]
fn keys_are_names_with_years() {
    let text = "after [Feautrier1992b], see [`Int`], [1988], [A2000] and [Grosser2015](x)";
    assert_eq!(keys(text), ["Feautrier1992b", "Grosser2015"]);
}
