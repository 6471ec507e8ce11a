//! `cargo xtask install` and `cargo xtask deb`: Poly for all users of a machine, and away again.
//!
//! What is installed, below a prefix:
//!
//! | place | what |
//! |---|---|
//! | `lib/poly/llvm19/` to `lib/poly/llvm22/` | `libpoly.so` and `poly.cfg` for each LLVM |
//! | `lib/libpoly_rt.a` | what programs with irregular loops are linked with |
//! | `bin/` | `polycc`, `poly++`, `polyfc`, `poly`, `poly-check` |
//! | `include/poly.h` | for programs that choose tile sizes |
//! | `lib/cmake/Poly/`, `share/pkgconfig/` | for build systems |
//! | `share/bash-completion/`, `share/zsh/`, `share/fish/`, `share/man/` | completions and manual pages of `poly` |
//! | `share/doc/poly/` | README, options, licences |
//! | `share/poly/files` | the list of all of these, which `--uninstall` works from |
//!
//! Every file is written beside its place and then moved there, so that a compiler that has the old
//! one open keeps it whole. The list is written first and names everything, so that an installation
//! that fails half-way can be removed.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};

use crate::build::{self, Profile};
use crate::command;
use crate::llvm::Llvm;
use crate::packages::{self, Purpose};
use crate::progress::Step;
use crate::workspace;

/// Where the list of installed files is, below the prefix.
const LIST: &str = "share/poly/files";

/// Options of `cargo xtask install`.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// The folder to install below
    #[arg(long, default_value = "/usr/local")]
    prefix: PathBuf,
    /// The LLVM versions to install for, such as 19,22; by default those that have a clang here
    #[arg(long, value_delimiter = ',')]
    llvm: Vec<Llvm>,
    /// Remove what an installation has put below the prefix
    #[arg(long)]
    uninstall: bool,
}

/// Options of `cargo xtask deb`.
#[derive(Debug, clap::Args)]
pub(crate) struct DebOptions {
    /// The LLVM versions to package for, such as 19,22; by default those that have a clang here
    #[arg(long, value_delimiter = ',')]
    llvm: Vec<Llvm>,
}

/// Runs `cargo xtask install`.
pub(crate) fn main(options: &Options) -> Result<ExitCode> {
    let prefix = std::path::absolute(&options.prefix)?;
    if options.uninstall {
        let count = remove(&prefix)?;
        println!("removed {count} files from {}", prefix.display());
        return Ok(ExitCode::SUCCESS);
    }
    let items = build_all(&versions(&options.llvm), &prefix)?;
    put(&items, &prefix)?;
    println!(
        "installed {} files below {}; `cargo xtask install --uninstall` removes them",
        items.len(),
        prefix.display()
    );
    let bin = prefix.join("bin");
    let is_on_path = std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|p| p == bin));
    if !is_on_path {
        println!("{} is not on PATH", bin.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs `cargo xtask deb`; the last line printed is the path of the package.
pub(crate) fn deb(options: &DebOptions) -> Result<ExitCode> {
    let versions = versions(&options.llvm);
    let prefix = PathBuf::from("/usr");
    let items = build_all(&versions, &prefix)?;
    let root = workspace::target().join("deb");
    match fs::remove_dir_all(&root) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(error).context("the last package's files remain");
        }
        _ => {}
    }
    put(&items, &root.join("usr"))?;
    // dpkg keeps the list itself.
    fs::remove_file(root.join("usr").join(LIST))?;
    let _ = fs::remove_dir(root.join("usr/share/poly"));
    let architecture = said_by(Command::new("dpkg").arg("--print-architecture"))?;
    let version = env!("CARGO_PKG_VERSION");
    let control = root.join("DEBIAN/control");
    fs::create_dir_all(root.join("DEBIAN"))?;
    fs::write(&control, control_file(version, &architecture, &versions))?;
    let package = workspace::target().join(format!("poly_{version}_{architecture}.deb"));
    said_by(Command::new("dpkg-deb").args(["--root-owner-group", "--build"]).arg(&root).arg(&package))?;
    println!("{}", package.display());
    Ok(ExitCode::SUCCESS)
}

/// What dpkg has to know of the package.
fn control_file(version: &str, architecture: &str, versions: &[Llvm]) -> String {
    let compilers: Vec<String> = versions.iter().map(|llvm| format!("clang-{llvm}")).collect();
    let runtimes: Vec<String> = versions.iter().map(|llvm| format!("libomp-{llvm}-dev")).collect();
    format!(
        "Package: poly\nVersion: {version}\nArchitecture: {architecture}\nSection: devel\nPriority: optional\n\
         Maintainer: The Poly developers <poly@localhost>\nDepends: libc6, libgcc-s1, libstdc++6\nRecommends: {}\n\
         Suggests: {}\nDescription: polyhedral loop optimizer for LLVM\n \
         A pass plugin for clang and flang that makes loops faster and keeps their results,\n \
         bit for bit, with compilers that have it switched on: polycc, poly++ and polyfc.\n",
        compilers.join(" | "),
        runtimes.join(" | "),
    )
}

/// Runs a program and returns what it prints.
fn said_by(command: &mut Command) -> Result<String> {
    let shown = command::shown(command);
    let output = command.output().with_context(|| format!("cannot run {shown}"))?;
    ensure!(output.status.success(), "{shown} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The versions asked for, or those that are here.
fn versions(wanted: &[Llvm]) -> Vec<Llvm> {
    if !wanted.is_empty() {
        return wanted.to_vec();
    }
    let here: Vec<Llvm> = Llvm::ALL.into_iter().filter(|llvm| llvm.prefix().join("bin/clang").is_file()).collect();
    if here.is_empty() { vec![Llvm::V19] } else { here }
}

/// Something to install.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Item {
    /// Where, below the prefix.
    to: PathBuf,
    what: What,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    /// A copy of a file, with its mode.
    File(PathBuf),
    /// A text file.
    Text(String),
    /// A link to a file in the same folder.
    Link(&'static str),
}

/// Builds everything and lists what is to be installed.
fn build_all(versions: &[Llvm], prefix: &Path) -> Result<Vec<Item>> {
    packages::require(Purpose::Build, versions)?;
    let mut plugins = Vec::new();
    for &llvm in versions {
        plugins.push((llvm, build::plugin(llvm, Profile::Release)?));
    }
    let step = Step::begin("building polycc and poly");
    let mut build = Command::new(packages::cargo());
    build.current_dir(workspace::root()).args(["build", "--release", "--package", "poly-cli"]);
    build.arg("--target-dir").arg(workspace::target());
    command::run(step, build, "the programs do not build")?;
    let programs = workspace::target().join("release");
    let mut items = items(&plugins, &programs, prefix);
    for (shell, to) in [
        ("bash", "share/bash-completion/completions/poly"),
        ("zsh", "share/zsh/site-functions/_poly"),
        ("fish", "share/fish/vendor_completions.d/poly.fish"),
    ] {
        let text = said_by(Command::new(programs.join("poly")).args(["completions", shell]))?;
        items.push(Item { to: to.into(), what: What::Text(text + "\n") });
    }
    for (page, program, arguments) in [
        ("poly", "poly", &["manual"][..]),
        ("poly-apply", "poly", &["manual", "apply"]),
        ("poly-ast", "poly", &["manual", "ast"]),
        ("poly-calc", "poly", &["manual", "calc"]),
        ("poly-check", "poly", &["manual", "check"]),
        ("poly-deps", "poly", &["manual", "deps"]),
        ("poly-eq", "poly", &["manual", "eq"]),
        ("poly-explain", "poly", &["manual", "explain"]),
        ("poly-fusion-space", "poly", &["manual", "fusion-space"]),
        ("poly-mpi", "poly", &["manual", "mpi"]),
        ("poly-report", "poly", &["manual", "report"]),
        ("poly-schedule", "poly", &["manual", "schedule"]),
        ("poly-tune", "poly", &["manual", "tune"]),
        ("poly-view", "poly", &["manual", "view"]),
        ("polycc", "polycc", &["--poly-manual"]),
    ] {
        let text = said_by(Command::new(programs.join(program)).args(arguments))?;
        items.push(Item { to: format!("share/man/man1/{page}.1").into(), what: What::Text(text + "\n") });
    }
    Ok(items)
}

/// What is copied or linked.
fn items(plugins: &[(Llvm, PathBuf)], programs: &Path, prefix: &Path) -> Vec<Item> {
    let root = workspace::root();
    let file = |to: String, from: PathBuf| Item { to: PathBuf::from(to), what: What::File(from) };
    let mut items = Vec::new();
    for (llvm, plugin) in plugins {
        for name in ["libpoly.so", "poly.cfg"] {
            items.push(file(format!("lib/poly/llvm{llvm}/{name}"), plugin.with_file_name(name)));
        }
    }
    // It does not depend on the version.
    if let Some((_, plugin)) = plugins.first() {
        items.push(file("lib/libpoly_rt.a".to_owned(), plugin.with_file_name("libpoly_rt.a")));
    }
    for name in ["polycc", "poly", "poly-check"] {
        items.push(file(format!("bin/{name}"), programs.join(name)));
    }
    for name in ["poly++", "polyfc"] {
        items.push(Item { to: format!("bin/{name}").into(), what: What::Link("polycc") });
    }
    items.push(file("include/poly.h".to_owned(), root.join("include/poly.h")));
    items.push(file("lib/cmake/Poly/PolyConfig.cmake".to_owned(), root.join("cmake/PolyConfig.cmake")));
    items.push(Item { to: "share/pkgconfig/poly.pc".into(), what: What::Text(pkg_config(prefix)) });
    for name in ["README.md", "docs/options.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        let last = Path::new(name).file_name().expect("a file has a name").to_string_lossy().into_owned();
        items.push(file(format!("share/doc/poly/{last}"), root.join(name)));
    }
    items
}

/// The file for pkg-config.
fn pkg_config(prefix: &Path) -> String {
    format!(
        "prefix={}\nincludedir=${{prefix}}/include\nplugindir=${{prefix}}/lib/poly\n\nName: Poly\n\
         Description: polyhedral loop optimizer for LLVM\nVersion: {}\nCflags: -I${{includedir}}\n",
        prefix.display(),
        env!("CARGO_PKG_VERSION"),
    )
}

/// Writes everything below a prefix, the list of it first.
fn put(items: &[Item], prefix: &Path) -> Result<()> {
    let mut list: Vec<String> = items.iter().map(|item| item.to.display().to_string()).collect();
    list.push(LIST.to_owned());
    // What an earlier installation has put and this one does not is still removed with the rest.
    list.extend(listed(prefix).unwrap_or_default());
    list.sort();
    list.dedup();
    put_one(&Item { to: LIST.into(), what: What::Text(list.join("\n") + "\n") }, prefix)?;
    items.iter().try_for_each(|item| put_one(item, prefix))
}

fn put_one(item: &Item, prefix: &Path) -> Result<()> {
    let to = prefix.join(&item.to);
    let folder = to.parent().expect("a file is in a folder");
    let advice = || format!("cannot write {}; another place can be chosen with --prefix", to.display());
    fs::create_dir_all(folder).with_context(advice)?;
    let mut name = to.file_name().expect("a file has a name").to_owned();
    name.push(".new");
    let fresh = folder.join(name);
    let _ = fs::remove_file(&fresh);
    match &item.what {
        What::File(from) => _ = fs::copy(from, &fresh).with_context(advice)?,
        What::Text(text) => fs::write(&fresh, text).with_context(advice)?,
        What::Link(target) => std::os::unix::fs::symlink(target, &fresh).with_context(advice)?,
    }
    fs::rename(&fresh, &to).with_context(advice)
}

/// The installed files, below the prefix.
fn listed(prefix: &Path) -> Result<Vec<String>> {
    let list = prefix.join(LIST);
    let text = fs::read_to_string(&list)
        .with_context(|| format!("nothing is installed below {}: there is no {}", prefix.display(), list.display()))?;
    Ok(text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

/// Removes what was installed and the folders that are empty then; the number of files.
fn remove(prefix: &Path) -> Result<usize> {
    let files = listed(prefix)?;
    let escapes =
        |file: &&String| Path::new(file).components().any(|part| !matches!(part, std::path::Component::Normal(_)));
    if let Some(file) = files.iter().find(escapes) {
        bail!("{LIST} names {file:?}, which is no file below the prefix; nothing was removed");
    }
    let mut count = 0;
    // The list goes last: what is interrupted can be repeated.
    for file in files.iter().filter(|file| *file != LIST).map(String::as_str).chain([LIST]) {
        let path = prefix.join(file);
        match fs::remove_file(&path) {
            Ok(()) => count += 1,
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot remove {}", path.display())),
        }
        let mut folder = path.parent();
        while let Some(inner) = folder.filter(|inner| *inner != prefix && fs::remove_dir(inner).is_ok()) {
            folder = inner.parent();
        }
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("poly-install-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).expect("a folder can be made");
            Folder(path)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn text(to: &str, text: &str) -> Item {
        Item { to: to.into(), what: What::Text(text.to_owned()) }
    }

    #[test]
    fn what_was_installed_is_removed_and_nothing_else() {
        let folder = Folder::new("remove");
        let prefix = &folder.0;
        fs::create_dir_all(prefix.join("bin")).expect("a folder can be made");
        fs::write(prefix.join("bin/other"), "other").expect("a file can be written");
        let link = Item { to: "bin/poly++".into(), what: What::Link("polycc") };
        let items = [text("bin/polycc", "program"), link, text("lib/poly/llvm19/poly.cfg", "flags")];
        put(&items, prefix).expect("it can be installed");
        assert_eq!(fs::read_to_string(prefix.join("bin/poly++")).expect("the link works"), "program");
        // Again, with less: the rest is still removed.
        put(&items[..1], prefix).expect("it can be installed again");
        assert_eq!(remove(prefix).expect("it can be removed"), 4);
        assert!(prefix.join("bin/other").exists());
        assert!(!prefix.join("lib").exists() && !prefix.join("share").exists());
        let again = remove(prefix).expect_err("nothing is installed any more").to_string();
        assert!(again.starts_with("nothing is installed below"), "{again}");
    }

    #[test]
    fn a_list_that_leads_elsewhere_is_refused() {
        let folder = Folder::new("escape");
        put(&[text("bin/polycc", "program")], &folder.0).expect("it can be installed");
        fs::write(folder.0.join(LIST), "bin/polycc\n../elsewhere\n").expect("a file can be written");
        let error = remove(&folder.0).expect_err("it names a file outside").to_string();
        assert!(error.contains("nothing was removed"), "{error}");
        assert!(folder.0.join("bin/polycc").exists());
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named() {
        let folder = Folder::new("denied");
        fs::write(folder.0.join("bin"), "a file in the way").expect("a file can be written");
        let error = put(&[text("bin/polycc", "program")], &folder.0).expect_err("bin is a file").to_string();
        assert!(error.contains("bin/polycc") && error.contains("--prefix"), "{error}");
    }

    #[test]
    fn every_version_has_its_plugin() {
        let plugin = PathBuf::from("/built/llvm19/poly/libpoly.so");
        let items = items(&[(Llvm::V19, plugin)], Path::new("/built/release"), Path::new("/usr"));
        let find = |to: &str| items.iter().find(|item| item.to == Path::new(to)).map(|item| item.what.clone());
        assert_eq!(find("lib/poly/llvm19/poly.cfg"), Some(What::File("/built/llvm19/poly/poly.cfg".into())));
        assert_eq!(find("lib/libpoly_rt.a"), Some(What::File("/built/llvm19/poly/libpoly_rt.a".into())));
        assert_eq!(find("bin/polyfc"), Some(What::Link("polycc")));
        let Some(What::Text(pc)) = find("share/pkgconfig/poly.pc") else { panic!("pkg-config has a file") };
        assert!(pc.starts_with("prefix=/usr\n"), "{pc}");
    }
}
