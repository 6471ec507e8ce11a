//! The functions of `test/coverage`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// A file of shapes.
#[derive(Debug)]
pub(super) struct Source {
    /// Its name without the folder.
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// What a line `// flags: ...` asks for.
    pub(super) flags: Vec<String>,
    pub(super) shapes: Vec<Shape>,
}

impl Source {
    /// Whether it is C++.
    pub(super) fn is_cpp(&self) -> bool {
        self.path.extension().is_some_and(|extension| extension == "cpp")
    }
}

/// One function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) function: String,
    /// What it is, in words.
    pub(super) what: String,
}

impl Shape {
    /// Whether the function has this symbol, which C++ makes of its name and its types.
    pub(super) fn is_called(&self, symbol: &str) -> bool {
        let mangled = format!("_Z{}{}", self.function.len(), self.function);
        symbol == self.function || symbol.starts_with(&mangled)
    }
}

/// The files of the folder, by name.
pub(super) fn read(folder: &Path) -> Result<Vec<Source>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c" || extension == "cpp"));
    paths.sort();
    paths.iter().map(|path| source(path)).collect()
}

fn source(path: &Path) -> Result<Source> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let shapes = shapes(&text).with_context(|| name.clone())?;
    let flags = text.lines().filter_map(|line| line.strip_prefix("// flags: "));
    let flags = flags.flat_map(str::split_whitespace).map(str::to_owned).collect();
    Ok(Source { name, path: path.to_path_buf(), flags, shapes })
}

fn shapes(text: &str) -> Result<Vec<Shape>> {
    let mut result = Vec::new();
    let mut what = None;
    for line in text.lines() {
        if let Some(words) = line.strip_prefix("// shape: ") {
            what = Some(words.to_owned());
        } else if let Some(function) = defined(line)
            && let Some(what) = what.take()
        {
            result.push(Shape { function: function.to_owned(), what });
        }
    }
    if result.is_empty() {
        bail!("there is no shape in it");
    }
    match what {
        Some(what) => bail!("no function follows '{what}'"),
        None => Ok(result),
    }
}

/// The function whose definition begins in the line.
fn defined(line: &str) -> Option<&str> {
    if line.starts_with(char::is_whitespace) || line.starts_with("//") || !line.ends_with('{') {
        return None;
    }
    let (before, _) = line.split_once('(')?;
    before.rsplit([' ', '*', '&']).next().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_under_their_descriptions() {
        let text = "// shape: one thing\nstruct s { int a; };\nvoid one(int n) {\n  for (;;) {\n  }\n}\n\
                    // shape: another\ndouble *other(double *p) {\n}\nvoid none(void) {\n}\n";
        let shape = |function: &str, what: &str| Shape { function: function.into(), what: what.into() };
        assert_eq!(shapes(text).unwrap(), [shape("one", "one thing"), shape("other", "another")]);
        assert!(shapes("int main(void) {\n}\n").is_err());
    }

    #[test]
    fn symbols_of_cpp_are_recognized() {
        let shape = Shape { function: "range_for".into(), what: String::new() };
        assert!(shape.is_called("_Z9range_forRSt6vectorIdSaIdEE"));
        assert!(shape.is_called("range_for"));
        assert!(!shape.is_called("range_form"));
    }
}
