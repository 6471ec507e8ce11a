//! What a package is: the entries of `test/realworld/packages.toml`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// How a package's tests say what passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Results {
    /// Lines `PASS: name` and `FAIL: name`, as automake writes them.
    Automake,
    /// Lines `1/3 Test #1: name ... Passed`, as ctest writes them.
    Ctest,
    /// Lines `ok 1 - name` and `not ok 1 - name` (Test Anything Protocol).
    Tap,
    /// The exit status says it for all of them.
    Exit,
}

/// One package.
///
/// `configure`, `build`, `test`, `compare` and `benchmark` are scripts for bash, executed in the
/// build's folder, where the source lies. They find `CC`, `CXX`, `FC`, `CFLAGS`, `CXXFLAGS`,
/// `FFLAGS` and `JOBS` in their environment.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Package {
    /// Its name here.
    pub(super) name: String,
    /// What it is, in a few words.
    pub(super) what: String,
    /// The name of Debian's source package.
    pub(super) source: String,
    /// Debian packages that the build needs.
    #[serde(default)]
    pub(super) needs: Vec<String>,
    /// The compiler's flags, if its own are to be used.
    pub(super) flags: Option<String>,
    /// Prepares the build; what it compiles is not counted.
    #[serde(default)]
    pub(super) configure: String,
    /// Compiles the package and its tests.
    pub(super) build: String,
    /// Runs its tests.
    #[serde(default)]
    pub(super) test: String,
    /// How they say what passed.
    #[serde(default = "exit")]
    pub(super) results: Results,
    /// Prints what must be the same with Poly as without.
    #[serde(default)]
    pub(super) compare: String,
    /// What is measured.
    #[serde(default)]
    pub(super) benchmark: String,
}

fn exit() -> Results {
    Results::Exit
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Functions that all scripts may use.
    #[serde(default)]
    functions: String,
    package: Vec<Package>,
}

/// Reads the descriptions.
pub(super) fn read(file: &Path) -> Result<Vec<Package>> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    parse(&text).with_context(|| format!("{} is wrong", file.display()))
}

fn parse(text: &str) -> Result<Vec<Package>> {
    let File { functions, package: mut packages } = toml::from_str(text)?;
    for (place, package) in packages.iter().enumerate() {
        if packages[..place].iter().any(|other| other.name == package.name) {
            bail!("there are two packages {}", package.name);
        }
    }
    for package in &mut packages {
        for script in [&mut package.test, &mut package.compare, &mut package.benchmark] {
            if !script.is_empty() {
                script.insert_str(0, &functions);
            }
        }
    }
    Ok(packages)
}

/// The packages with these names, in the order of the descriptions; all without names.
pub(super) fn chosen<'a>(packages: &'a [Package], names: &[String]) -> Result<Vec<&'a Package>> {
    if let Some(unknown) = names.iter().find(|name| packages.iter().all(|package| package.name != **name)) {
        let known: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
        bail!("there is no package `{unknown}`; there are {}", known.join(", "));
    }
    Ok(packages.iter().filter(|package| names.is_empty() || names.contains(&package.name)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace;

    #[test]
    fn the_descriptions_can_be_read() {
        let packages = read(&workspace::root().join("test/realworld/packages.toml")).unwrap();
        assert!(packages.len() >= 5);
        assert!(packages.iter().all(|package| !package.build.is_empty()));
    }

    #[test]
    fn an_unknown_name_is_told_the_others() {
        let packages = parse("[[package]]\nname = 'a'\nwhat = ''\nsource = 'a'\nbuild = 'make'\n").unwrap();
        assert_eq!(chosen(&packages, &[]).unwrap().len(), 1);
        let error = chosen(&packages, &["b".to_owned()]).unwrap_err().to_string();
        assert_eq!(error, "there is no package `b`; there are a");
    }

    #[test]
    fn names_are_used_once_and_keys_are_known() {
        let entry = "[[package]]\nname = 'a'\nwhat = ''\nsource = 'a'\nbuild = 'make'\n";
        assert!(parse(&entry.repeat(2)).is_err());
        assert!(parse(&format!("{entry}tests = 'make check'\n")).is_err());
    }
}
