//! `poly report FILE`: a page about what Poly did with a program.
//!
//! # Method
//! 1. `inspect` compiles the file and reads what the plugin says of each loop nest, as
//!    `poly explain` does.
//! 2. [`page`] makes one HTML page of it: [`listing`] is the source, [`nest`] the section about a
//!    loop nest.
//! 3. [`scene`] enumerates the points of a SCoP at small sizes, its dependences and both orders;
//!    [`drawing`] makes SVG of that, which a script in the page steps through.
//! 4. The page is written beside its place and renamed, so that nothing half-written is left.
//!
//! # Invariants
//! The page needs nothing but itself: no network, no fonts, no other files. The same program gives
//! the same page.

mod drawing;
mod listing;
mod nest;
mod page;
mod scene;
mod tree;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::inspect::record::Function;
use crate::inspect::source::Sources;
use crate::inspect::{Input, compile};

const EXAMPLES: &str = "Examples:
  poly report kernel.c
  poly report kernel.cpp -o kernel.html -- -O2 -march=native --poly-parallel
  poly report --function init solver.f90
  poly report kernel.ll -o - > kernel.html";

/// Options of `poly report`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    #[command(flatten)]
    input: Input,
    /// The file to write; - is the standard output
    #[arg(short, long, value_name = "FILE", default_value = "report.html")]
    output: PathBuf,
    /// Only functions whose name contains this
    #[arg(long)]
    function: Option<String>,
}

/// Runs `poly report`.
pub(crate) fn main(options: &Options) -> ExitCode {
    let output = &options.output;
    if let Err(what) = check_output(&options.input.file, output) {
        eprintln!("error: {what}");
        return ExitCode::FAILURE;
    }
    let mut functions = match compile::functions(&options.input) {
        Ok(functions) => functions,
        Err(failure) => return failure.report(),
    };
    let chosen = options.function.as_ref().map_or(Ok(()), |part| compile::only(&mut functions, part));
    let page = chosen.map(|()| {
        let sources = &mut Sources::near(&options.input.file);
        page::of(&options.input, &functions, sources)
    });
    match page.and_then(|page| write(output, &page)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("error: {what}");
            ExitCode::FAILURE
        }
    }
}

/// The page about functions.
pub(crate) fn page(input: &Input, functions: &[Function]) -> String {
    page::of(input, functions, &mut Sources::near(&input.file))
}

/// Refuses what cannot be written or must not be.
fn check_output(input: &Path, output: &Path) -> Result<(), String> {
    if output.as_os_str() == "-" {
        return Ok(());
    }
    let shown = output.display();
    if output.is_dir() {
        return Err(format!("{shown} is a folder: name a file for the page"));
    }
    if let (Ok(from), Ok(to)) = (input.canonicalize(), output.canonicalize())
        && from == to
    {
        return Err(format!("{shown} is the program itself: name another file for the page"));
    }
    match output.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => Err(format!("there is no folder {} for the page", folder.display())),
        _ => Ok(()),
    }
}

/// Writes the page, all or nothing.
fn write(output: &Path, page: &str) -> Result<(), String> {
    if output.as_os_str() == "-" {
        let written = std::io::stdout().lock().write_all(page.as_bytes());
        return written.map_err(|error| format!("the page cannot be written: {error}"));
    }
    let mut name = output.file_name().ok_or("the page needs a file name")?.to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = output.with_file_name(name);
    let written = fs::write(&temporary, page).and_then(|()| fs::rename(&temporary, output));
    written.map_err(|error| {
        // There may be no such file.
        let _ = fs::remove_file(&temporary);
        format!("{} cannot be written: {error}", output.display())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_written_as_a_whole_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("poly-report-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let (input, page) = (folder.join("a.c"), folder.join("a.html"));
        fs::write(&input, "int x;").unwrap();
        assert_eq!(check_output(&input, &page), Ok(()));
        write(&page, "<!doctype html>").unwrap();
        assert_eq!(fs::read_to_string(&page).unwrap(), "<!doctype html>");
        assert!(check_output(&input, &folder).unwrap_err().contains("is a folder"));
        assert!(check_output(&input, &input).unwrap_err().contains("is the program itself"));
        assert!(check_output(&input, &folder.join("none/a.html")).unwrap_err().contains("there is no folder"));
        assert!(write(&folder.join("none/a.html"), "x").unwrap_err().contains("cannot be written"));
        let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["a.c", "a.html"]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
