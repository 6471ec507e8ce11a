//! Lines of source files, and what is read from them for people.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The files that were asked for.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    files: BTreeMap<String, Vec<String>>,
    /// The folders around the file that was compiled, from the inside out.
    around: Vec<PathBuf>,
}

impl Sources {
    /// Files beside the one that was compiled. The compiler leaves out of the names of files what
    /// they have in common with the folder that it ran in, so a relative name may belong to any
    /// folder around this file.
    pub(crate) fn near(compiled: &Path) -> Self {
        let folders = compiled.canonicalize().ok();
        let around = folders.iter().flat_map(|file| file.ancestors().skip(1)).map(Path::to_owned).collect();
        Self { around, ..Self::default() }
    }

    /// The lines of a file; none if it cannot be read.
    pub(crate) fn lines(&mut self, file: &str) -> &[String] {
        let around = &self.around;
        self.files.entry(file.to_owned()).or_insert_with(|| {
            let found = around.iter().map(|folder| folder.join(file)).find(|path| path.is_file());
            let text = fs::read(found.unwrap_or_else(|| PathBuf::from(file)))
                .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
                .unwrap_or_default();
            text.lines().map(|line| line.replace('\t', "    ")).collect()
        })
    }

    /// A line, from 1, without the blanks around it.
    pub(crate) fn line(&mut self, file: &str, line: u32) -> Option<&str> {
        let text = self.lines(file).get(usize::try_from(line).ok()?.checked_sub(1)?)?;
        Some(text.trim()).filter(|text| !text.is_empty())
    }
}

/// The names of the dimensions of a statement, as the domain of a JSCoP text has them:
/// `[n] -> { S0[i, j] : .. }`.
pub(crate) fn dimensions(domain: &str, statement: &str) -> Vec<String> {
    let Some(start) = domain.find(&format!("{statement}[")) else { return Vec::new() };
    let rest = &domain[start + statement.len() + 1..];
    let Some(end) = rest.find(']') else { return Vec::new() };
    let names = rest[..end].split(',').map(|name| name.split('=').next().unwrap_or_default().trim().to_owned());
    names.filter(|name| !name.is_empty()).collect()
}

/// Generated loops with the iterations of the source: `S0(c0, c1)` becomes `S0(i = c0, j = c1)`.
pub(crate) fn with_dimensions(loops: &str, statements: &[(String, Vec<String>)]) -> String {
    let line = |line: &str| {
        let text = line.trim_start();
        let call = text.strip_suffix(");").and_then(|rest| rest.split_once('('));
        let Some((name, arguments)) = call else { return format!("{line}\n") };
        let Some((_, names)) = statements.iter().find(|(known, _)| known == name) else { return format!("{line}\n") };
        let values = arguments_of(arguments);
        if values.len() != names.len() || values.is_empty() {
            return format!("{line}\n");
        }
        let named = |(name, value): (&String, &str)| {
            if name == value { value.to_owned() } else { format!("{name} = {value}") }
        };
        let named: Vec<String> = names.iter().zip(values).map(named).collect();
        format!("{}{name}({});\n", &line[..line.len() - text.len()], named.join(", "))
    };
    loops.lines().map(line).collect()
}

/// Arguments, at commas outside of parentheses.
fn arguments_of(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut result) = (0_usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                result.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() {
        result.push(last);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_relative_to_a_folder_around_the_compiled_file() {
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/inspect/source.rs");
        let mut sources = Sources::near(&own);
        for name in ["source.rs", "inspect/source.rs", "cli/src/inspect/source.rs"] {
            assert_eq!(sources.line(name, 4), Some("use std::fs;"), "{name}");
        }
        assert!(sources.lines("no such file").is_empty());
    }

    #[test]
    fn calls_get_names() {
        let domain = "[n] -> { S0[i, j] : 0 <= i < n and 0 <= j < n }";
        assert_eq!(dimensions(domain, "S0"), ["i", "j"]);
        assert_eq!(dimensions("{ S1[] }", "S1"), Vec::<String>::new());
        assert_eq!(dimensions("{ S[i, j = 0] }", "S"), ["i", "j"]);
        let known = [("S0".to_owned(), dimensions(domain, "S0"))];
        let loops = "for (int c0 = 0; c0 < n; c0 += 1)\n  S0(min(c0, 4), 2 * c0);\nS1(c0);\n";
        assert_eq!(
            with_dimensions(loops, &known),
            "for (int c0 = 0; c0 < n; c0 += 1)\n  S0(i = min(c0, 4), j = 2 * c0);\nS1(c0);\n"
        );
    }
}
