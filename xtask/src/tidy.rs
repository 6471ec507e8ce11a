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

#[test]
fn keys_are_names_with_years() {
    let text = "after [Feautrier1992b], see [`Int`], [1988], [A2000] and [Grosser2015](x)";
    assert_eq!(keys(text), ["Feautrier1992b", "Grosser2015"]);
}
