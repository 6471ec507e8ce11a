//! `--poly-report=FILE`: the page of `poly report` beside an ordinary compilation.
//!
//! The program `poly` beside this one compiles the source once more, with the same flags, and
//! writes the page; nothing of the compilation itself changes. Where there is no source (linking)
//! or no compilation (`-E`), there is no page.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::arguments::Request;
use super::compiler_of;

/// Flags with which nothing is compiled.
const NO_CODE: &[&str] = &["-E", "-M", "-MM", "-fsyntax-only", "--analyze", "--version", "--help", "-###"];

/// Flags that say what becomes of the object, with how many words follow them.
const PRODUCT: &[(&str, usize)] =
    &[("-o", 1), ("-c", 0), ("-S", 0), ("-MD", 0), ("-MMD", 0), ("-MF", 1), ("-MT", 1), ("-MQ", 1)];

/// The arguments of `poly` that write the page; `None` if there is no page to write.
///
/// # Errors
/// A sentence if there are several sources, and one page.
pub(super) fn arguments(request: &Request, page: &Path) -> Result<Option<Vec<OsString>>, String> {
    if request.rest.iter().any(|argument| argument.to_str().is_some_and(|text| NO_CODE.contains(&text))) {
        return Ok(None);
    }
    let (mut sources, mut flags) = (Vec::new(), Vec::new());
    let mut rest = request.rest.iter();
    while let Some(argument) = rest.next() {
        let text = argument.to_str().unwrap_or_default();
        if let Some((_, more)) = PRODUCT.iter().find(|(flag, _)| *flag == text) {
            rest.by_ref().take(*more).for_each(drop);
        } else if !text.starts_with('-') && compiler_of(Path::new(argument)).is_some() {
            sources.push(argument);
        } else {
            flags.push(argument.clone());
        }
    }
    let source = match sources[..] {
        [] => return Ok(None),
        [source] => source,
        _ => {
            return Err(format!(
                "--poly-report={}: there are {} source files, and one page",
                page.display(),
                sources.len()
            ));
        }
    };
    let mut all = vec!["report".into(), source.clone(), "-o".into(), page.as_os_str().to_owned(), "--".into()];
    all.extend(flags);
    all.extend(request.words.iter().map(|word| OsString::from(format!("--poly-opts={word}"))));
    all.extend(request.llvm.map(|version| OsString::from(format!("--poly-llvm={version}"))));
    let named = [("--poly-plugin=", &request.plugin), ("--poly-clang=", &request.compiler)];
    all.extend(named.iter().filter_map(|(flag, file)| Some(super::joined(flag, file.as_deref()?))));
    Ok(Some(all))
}

/// Writes the page.
///
/// # Errors
/// Why there is none. A program that does not compile is no error here: the compiler will say so.
pub(super) fn write(request: &Request, page: &Path, folder: Option<PathBuf>) -> Result<(), String> {
    let Some(arguments) = arguments(request, page)? else { return Ok(()) };
    let poly = folder.unwrap_or_default().join("poly");
    let output = Command::new(&poly).args(arguments).output();
    let output = output.map_err(|error| format!("{} cannot be executed: {error}", poly.display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().last().unwrap_or_default();
    if output.status.success() || last.ends_with("the program does not compile") {
        return Ok(());
    }
    Err(format!("--poly-report: {}", last.strip_prefix("error: ").unwrap_or(last)))
}
