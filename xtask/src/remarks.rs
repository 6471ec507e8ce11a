//! What Poly says that it did: the optimization record which clang writes beside an object file.
//!
//! The record is a stream of YAML documents of one fixed shape, which LLVM's own writer never
//! wraps:
//!
//! ```text
//! --- !Passed
//! Pass:            poly
//! Name:            Optimized
//! DebugLoc:        { File: gemm.c, Line: 9, Column: 3 }
//! Function:        kernel_gemm
//! Args:
//!   - String:          'optimized '
//!   - Loops:           '3'
//! ...
//! ```

use std::fs;
use std::path::Path;

/// What a remark is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Something was done.
    Passed,
    /// Something was not done.
    Missed,
    /// A fact, mostly the reason for not doing something.
    Analysis,
}

/// One remark of Poly's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Remark {
    pub(crate) kind: Kind,
    /// The remark's name, which says what happened in one word.
    pub(crate) name: String,
    /// The function that it is about.
    pub(crate) function: String,
    /// It says where in the source.
    pub(crate) has_place: bool,
    /// Its named parts, in order; plain text is named `String`.
    pub(crate) arguments: Vec<(String, String)>,
}

impl Remark {
    /// The text that a user sees.
    pub(crate) fn message(&self) -> String {
        self.arguments.iter().map(|(_, value)| value.as_str()).collect()
    }

    /// The value of a named part.
    pub(crate) fn argument(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// The arguments of clang that make it write Poly's remarks to `file`.
pub(crate) fn record_arguments(file: &Path) -> Vec<String> {
    vec![
        "-fsave-optimization-record".to_owned(),
        format!("-foptimization-record-file={}", file.display()),
        "-foptimization-record-passes=poly".to_owned(),
    ]
}

/// Reads a record; a file that is not there has no remarks, since a plugin that said nothing leaves
/// none.
pub(crate) fn read(file: &Path) -> Vec<Remark> {
    read_of(file, "poly")
}

/// The same for the remarks of another pass.
pub(crate) fn read_of(file: &Path, pass: &str) -> Vec<Remark> {
    fs::read_to_string(file).map(|text| parse(&text, pass)).unwrap_or_default()
}

fn parse(text: &str, pass: &str) -> Vec<Remark> {
    let mut remarks: Vec<Remark> = Vec::new();
    let mut is_wanted = false;
    for line in text.lines() {
        if let Some(tag) = line.strip_prefix("--- !") {
            is_wanted = false;
            let kind = match tag.trim() {
                "Passed" => Kind::Passed,
                "Missed" => Kind::Missed,
                _ => Kind::Analysis,
            };
            let (name, function, arguments) = (String::new(), String::new(), Vec::new());
            remarks.push(Remark { kind, name, function, has_place: false, arguments });
            continue;
        }
        if line == "..." && !is_wanted {
            remarks.pop();
        }
        let Some(remark) = remarks.last_mut() else {
            continue;
        };
        let Some((key, value)) = line.split_once(':') else {
            continue;
        };
        let value = unquoted(value.trim());
        match key {
            "Pass" => is_wanted = value == pass,
            "Name" => remark.name = value,
            "Function" => remark.function = value,
            "DebugLoc" => remark.has_place = true,
            _ => {
                if let Some(key) = key.trim_start().strip_prefix("- ") {
                    remark.arguments.push((key.to_owned(), value));
                }
            }
        }
    }
    remarks
}

fn unquoted(value: &str) -> String {
    let inside = |quote: char| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    if let Some(text) = inside('\'') {
        text.replace("''", "'")
    } else if let Some(text) = inside('"') {
        text.replace("\\\"", "\"").replace("\\\\", "\\")
    } else {
        value.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: &str = "\
--- !Passed
Pass:            poly
Name:            Optimized
DebugLoc:        { File: gemm.c, Line: 9, Column: 3 }
Function:        kernel_gemm
Args:
  - String:          'optimized '
  - Loops:           '3'
  - String:          ' loops of clang''s'
...
--- !Missed
Pass:            loop-vectorize
Name:            MissedDetails
Function:        main
Args:
  - String:          loop not vectorized
...
--- !Missed
Pass:            poly
Name:            NonAffine
Function:        other
Args:
  - String:          \"a \\\"b\\\": c\"
...
";

    #[test]
    fn only_poly_s_remarks_are_kept() {
        let remarks = parse(RECORD, "poly");
        assert_eq!(remarks.len(), 2);
        assert_eq!(remarks[0].kind, Kind::Passed);
        assert_eq!(remarks[0].function, "kernel_gemm");
        assert_eq!(remarks[0].message(), "optimized 3 loops of clang's");
        assert_eq!(remarks[0].argument("Loops"), Some("3"));
        assert_eq!(remarks[1].kind, Kind::Missed);
        assert_eq!(remarks[1].message(), "a \"b\": c");
    }

    #[test]
    fn a_missing_record_has_no_remarks() {
        assert_eq!(read(Path::new("/no/such/record.yaml")), []);
    }
}
