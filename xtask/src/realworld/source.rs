//! Source packages of Debian, as `apt-get source` brings them.
//!
//! The machine's own configuration of apt need not have sources: a list of them is made from the
//! archives that it takes packages from, and used for these commands alone. Where an archive lacks
//! Debian's changes to a package, the archive of its authors is used as it is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::command::{self, Output};

/// Downloading takes at most this long.
const LIMIT: Duration = Duration::from_secs(1200);

/// A source that is there.
#[derive(Debug)]
pub(super) struct Source {
    /// Where it was unpacked to.
    pub(super) folder: PathBuf,
    /// Its version, as Debian names it.
    pub(super) version: String,
}

/// Fetches and unpacks a source package below `folder`, unless it is there.
pub(super) fn fetch(name: &str, folder: &Path) -> Result<Source> {
    let (source, version) = (folder.join("source"), folder.join("version"));
    if let (true, Ok(version)) = (source.is_dir(), fs::read_to_string(&version)) {
        return Ok(Source { folder: source, version: version.trim().to_owned() });
    }
    let archives = folder.join("archives");
    let lists = folder.parent().unwrap_or(folder).join("apt");
    fs::create_dir_all(&archives).with_context(|| format!("cannot make {}", archives.display()))?;
    let apt = Apt::new(&lists)?;
    let found = download(&apt, name, &archives)?;
    let unpacked = folder.join("unpacked");
    let _ = fs::remove_dir_all(&unpacked);
    let description = with_ending(&archives, ".dsc")?;
    let complete = description.filter(|file| unpack_described(file, &unpacked).is_ok());
    if complete.is_none() {
        unpack_original(&archives, &unpacked)?;
    }
    let _ = fs::remove_dir_all(&source);
    fs::rename(&unpacked, &source).with_context(|| format!("cannot make {}", source.display()))?;
    fs::write(&version, &found).with_context(|| format!("cannot write {}", version.display()))?;
    Ok(Source { folder: source, version: found })
}

/// apt with lists of sources of its own.
#[derive(Debug)]
struct Apt {
    arguments: Vec<String>,
}

impl Apt {
    /// Makes the lists in `folder`, unless they are there.
    fn new(folder: &Path) -> Result<Apt> {
        let lists = folder.join("lists");
        fs::create_dir_all(lists.join("partial")).with_context(|| format!("cannot make {}", lists.display()))?;
        let sources = folder.join("sources.list");
        let mut arguments = Vec::new();
        for option in [
            format!("Dir::Etc::sourcelist={}", sources.display()),
            "Dir::Etc::sourceparts=/dev/null".to_owned(),
            format!("Dir::State::lists={}", lists.display()),
            "APT::Sandbox::User=root".to_owned(),
        ] {
            arguments.extend(["-o".to_owned(), option]);
        }
        let apt = Apt { arguments };
        if !sources.exists() {
            let text = archives()?;
            fs::write(&sources, text).with_context(|| format!("cannot write {}", sources.display()))?;
            let output = apt.run(&["update"], folder)?;
            if !output.end.success() {
                let _ = fs::remove_file(&sources);
                bail!("apt-get update failed:\n{}", command::excerpt(&output.text(), 6));
            }
        }
        Ok(apt)
    }

    fn run(&self, words: &[&str], folder: &Path) -> Result<Output> {
        let mut command = Command::new("apt-get");
        command.args(&self.arguments).args(words).current_dir(folder).env("LC_ALL", "C.UTF-8");
        command::capture(&mut command, LIMIT)
    }
}

/// Lines of a `sources.list` for the sources of all archives of Debian that this machine knows.
fn archives() -> Result<String> {
    let mut command = Command::new("apt-get");
    let format = "$(ORIGIN) $(REPO_URI) $(CODENAME) $(COMPONENT)";
    command.args(["indextargets", "--format", format, "Created-By: Packages"]).env("LC_ALL", "C.UTF-8");
    let output = command::capture(&mut command, LIMIT).context("apt-get cannot be run: this is not Debian")?;
    let text = output.text();
    // In apt's order, as the first archive that has a version is asked for it.
    let mut known: Vec<&str> = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("Debian ")) {
        if !known.contains(&line) {
            known.push(line);
        }
    }
    if known.is_empty() {
        bail!("apt knows no archive of Debian: run `apt-get update` first");
    }
    Ok(known.iter().map(|line| format!("deb-src {line}\n")).collect())
}

/// Downloads what there is of a source package; its version.
fn download(apt: &Apt, name: &str, folder: &Path) -> Result<String> {
    let output = apt.run(&["source", "--only-source", "--download-only", name], folder)?;
    if !output.end.success() {
        let output = apt.run(&["source", "--only-source", "--download-only", "--tar-only", name], folder)?;
        if !output.end.success() {
            bail!("{}", command::excerpt(&output.text(), 3).trim());
        }
    }
    let mut query = Command::new("apt-cache");
    query.args(&apt.arguments).args(["showsrc", "--only-source", name]).env("LC_ALL", "C.UTF-8");
    let text = command::capture(&mut query, LIMIT)?.text();
    let versions: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("Version: ")).collect();
    // The file that was downloaded says which one it is; the epoch is not in its name.
    let files: Vec<String> = names(folder)?;
    let is_here = |version: &&&str| {
        let plain = version.split_once(':').map_or(**version, |(_, rest)| rest);
        files.iter().any(|file| file.ends_with(&format!("_{plain}.dsc")))
    };
    let found = versions.iter().find(is_here).or(versions.first());
    Ok((*found.context("apt knows no version")?).to_owned())
}

fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

fn with_ending(folder: &Path, ending: &str) -> Result<Option<PathBuf>> {
    Ok(names(folder)?.into_iter().rfind(|name| name.ends_with(ending)).map(|name| folder.join(name)))
}

/// Unpacks a source package with Debian's changes.
fn unpack_described(description: &Path, to: &Path) -> Result<()> {
    let mut command = Command::new("dpkg-source");
    command.args(["--no-check", "-x"]).arg(description).arg(to);
    let output = command::capture(&mut command, LIMIT)?;
    if !output.end.success() {
        let _ = fs::remove_dir_all(to);
        bail!("dpkg-source failed:\n{}", command::excerpt(&output.text(), 6));
    }
    Ok(())
}

/// Unpacks the archive of the authors.
fn unpack_original(archives: &Path, to: &Path) -> Result<()> {
    let is_original = |name: &&String| name.contains(".orig.tar.") && !name.ends_with(".asc");
    let all = names(archives)?;
    let Some(archive) = all.iter().find(is_original) else {
        bail!("no archive was downloaded");
    };
    fs::create_dir_all(to).with_context(|| format!("cannot make {}", to.display()))?;
    let mut command = Command::new("tar");
    command.arg("-xf").arg(archives.join(archive)).arg("-C").arg(to).arg("--strip-components=1");
    let output = command::capture(&mut command, LIMIT)?;
    if !output.end.success() {
        bail!("{archive} cannot be unpacked:\n{}", command::excerpt(&output.text(), 6));
    }
    Ok(())
}
