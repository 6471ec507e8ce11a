//! The compiler as a package sees it: a script that adds the plugin, takes times, and keeps
//! remarks.
//!
//! While a package is configured it only runs the compiler. While it is built, the variable
//! `REALWORLD_LOG` names a folder, where each compilation leaves a file `*.time` (user and system
//! time, the folder where it ran, the source) and, from Poly, remarks in `*.yaml`. A compilation
//! that takes longer than [`LIMIT_SECONDS`] is stopped: then the build fails.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Result};

use crate::command::quoted;
use crate::remarks::{self, Kind};

/// No file takes so long, unless the compiler does not end.
const LIMIT_SECONDS: u32 = 1200;

const SCRIPT: &str = r#"#!/bin/bash
# Made by cargo xtask realworld.
compiler=(@COMPILER@)
plugin=(@PLUGIN@)
if [[ -z "$REALWORLD_LOG" ]]; then
  exec "${compiler[@]}" "${plugin[@]}" "$@"
fi
sources=()
for word in "$@"; do
  case "$word" in
    *.c|*.cc|*.cpp|*.cxx|*.C|*.f|*.f90|*.F|*.F90) sources+=("$word") ;;
  esac
done
if [[ ${#sources[@]} != 1 ]]; then
  exec "${compiler[@]}" "${plugin[@]}" "$@"
fi
log="$REALWORLD_LOG/$$-$RANDOM$RANDOM"
record=(-fsave-optimization-record "-foptimization-record-file=$log.yaml" -foptimization-record-passes=poly)
TIMEFORMAT='%U %S'
exec 3>&2
{ time timeout @LIMIT@ "${compiler[@]}" "${plugin[@]}" "${record[@]}" "$@" 2>&3; } 2>"$log.time"
status=$?
printf '%s\n%s\n' "$PWD" "${sources[0]}" >>"$log.time"
exit $status
"#;

/// Writes the script `file` for a compiler, with a plugin or without.
pub(super) fn write(file: &Path, compiler: &Path, plugin: Option<&Path>) -> Result<()> {
    // clang warns of what it does not need, say when it only links; configure scripts take that for
    // a failure.
    let is_clang = compiler.file_name().is_some_and(|name| name.to_string_lossy().starts_with("clang"));
    let quiet = if is_clang { " -Qunused-arguments" } else { "" };
    let plugin = plugin.map(|plugin| quoted(&format!("-fpass-plugin={}", plugin.display()))).unwrap_or_default();
    let script = SCRIPT
        .replace("@COMPILER@", &format!("{}{quiet}", quoted(&compiler.display().to_string())))
        .replace("@PLUGIN@", &plugin)
        .replace("@LIMIT@", &LIMIT_SECONDS.to_string());
    fs::write(file, script).with_context(|| format!("cannot write {}", file.display()))?;
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(file, executable).with_context(|| format!("cannot write {}", file.display()))
}

/// What the compiler did in one build.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    /// Processor time of all files.
    pub(super) seconds: f64,
    /// The longest compilation of each file, by its name from the build's folder on.
    files: BTreeMap<String, f64>,
    /// How many loops Poly looked at.
    pub(super) loops: usize,
    /// How many of them it optimized.
    pub(super) optimized: usize,
    /// What Poly says of errors in itself.
    pub(super) internal_errors: Vec<String>,
}

/// Reads what the script left in `log` while a package was built in `folder`.
pub(super) fn read(log: &Path, folder: &Path) -> Result<Compiled> {
    let mut compiled = Compiled::default();
    let entries = fs::read_dir(log).with_context(|| format!("cannot read {}", log.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "time") {
            let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            if let Some((seconds, file)) = timed(&text, folder) {
                compiled.seconds += seconds;
                // Some are compiled several times, with other definitions.
                let longest = compiled.files.entry(file).or_default();
                *longest = longest.max(seconds);
            }
        } else {
            compiled.count(&remarks::read(&path));
        }
    }
    compiled.internal_errors.sort();
    Ok(compiled)
}

impl Compiled {
    fn count(&mut self, remarks: &[remarks::Remark]) {
        for remark in remarks {
            let loops: usize = remark.argument("Loops").and_then(|loops| loops.parse().ok()).unwrap_or(0);
            self.loops += loops;
            if remark.kind == Kind::Passed {
                self.optimized += loops;
            }
            if remark.name == "InternalError" {
                self.internal_errors.push(format!("{}: {}", remark.function, remark.message()));
            }
        }
    }
}

/// Processor time, and the source from the build's folder on.
fn timed(text: &str, folder: &Path) -> Option<(f64, String)> {
    // The limit's message, if there is one, comes before.
    let lines: Vec<&str> = text.lines().collect();
    let [.., times, place, source] = lines.as_slice() else {
        return None;
    };
    let mut seconds = 0.0;
    for word in times.split_whitespace() {
        seconds += word.parse::<f64>().ok()?;
    }
    let path = Path::new(place).join(source);
    let path = path.strip_prefix(folder).unwrap_or(&path);
    Some((seconds, path.display().to_string()))
}

/// The files that take more than twice the time with Poly, and a second.
pub(super) fn slow(without: &Compiled, with: &Compiled) -> Vec<String> {
    let mut found: Vec<(f64, String)> = Vec::new();
    for (file, &seconds) in &with.files {
        let plain = without.files.get(file).copied().unwrap_or(0.0);
        if seconds > 2.0 * plain + 1.0 {
            found.push((seconds, format!("{file}: {seconds:.1} s, {plain:.1} s without Poly")));
        }
    }
    found.sort_by(|left, right| right.0.total_cmp(&left.0));
    found.into_iter().map(|(_, text)| text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_path_of_the_source() {
        let text = "1.25 0.50\n/b/with/lib\n../src/a.c\n";
        assert_eq!(timed(text, Path::new("/b/with")), Some((1.75, "lib/../src/a.c".to_owned())));
        assert_eq!(timed("x", Path::new("/b")), None);
    }

    #[test]
    fn slow_files_are_named_the_slowest_first() {
        let with_files = |files: &[(&str, f64)]| {
            let files = files.iter().map(|(name, seconds)| ((*name).to_owned(), *seconds)).collect();
            Compiled { files, ..Compiled::default() }
        };
        let without = with_files(&[("a.c", 1.0), ("b.c", 1.0), ("c.c", 0.1)]);
        let with = with_files(&[("a.c", 2.9), ("b.c", 3.1), ("c.c", 9.0)]);
        let expected = ["c.c: 9.0 s, 0.1 s without Poly", "b.c: 3.1 s, 1.0 s without Poly"];
        assert_eq!(slow(&without, &with), expected);
    }
}
