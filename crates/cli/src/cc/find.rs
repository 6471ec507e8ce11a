//! Where plugin and compiler are.
//!
//! A plugin works in the LLVM version that it was built for, so both are looked for together: for
//! each version, newest first, the plugin beside this program, as `cargo xtask install`
//! (`../lib/poly/llvmN`) or `cargo xtask build` (`../llvmN/poly`) puts it, then the compiler where
//! Debian has it (`/usr/lib/llvm-N/bin`), or under its name with the version on `PATH`.

use std::path::{Path, PathBuf};

use super::Compiler;
use super::arguments::Request;

/// The versions that there are plugins for, newest first.
const VERSIONS: &[u32] = &[22, 21, 20, 19];

/// What a machine has.
pub(super) trait Host {
    /// Whether a file exists.
    fn has(&self, file: &Path) -> bool;
    /// The text of a file, if it can be read.
    fn text(&self, file: &Path) -> Option<String>;
    /// The folder of this program, links resolved.
    fn own_folder(&self) -> Option<PathBuf>;
    /// The folders that programs are looked for in.
    fn path(&self) -> Vec<PathBuf>;
}

/// The machine that this program runs on.
pub(super) struct Machine;

impl Host for Machine {
    fn has(&self, file: &Path) -> bool {
        file.is_file()
    }

    fn text(&self, file: &Path) -> Option<String> {
        std::fs::read_to_string(file).ok()
    }

    fn own_folder(&self) -> Option<PathBuf> {
        let program = std::env::current_exe().ok()?;
        let program = program.canonicalize().unwrap_or(program);
        program.parent().map(Path::to_path_buf)
    }

    fn path(&self) -> Vec<PathBuf> {
        std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default()
    }
}

/// What is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tools {
    pub(super) compiler: PathBuf,
    /// `libpoly.so`.
    pub(super) plugin: PathBuf,
    /// The folder with the OpenMP runtime, if it is not where linkers look anyway.
    pub(super) libraries: Option<PathBuf>,
}

/// Finds plugin and compiler.
///
/// # Errors
/// A sentence about what is missing, where it was looked for, and what to do.
pub(super) fn tools(compiler: Compiler, request: &Request, host: &dyn Host) -> Result<Tools, String> {
    if let Some(version) = request.llvm
        && !VERSIONS.contains(&version)
        && request.plugin.is_none()
    {
        return Err(format!("there is no Poly for LLVM {version}, but for {}", listed(VERSIONS, "and")));
    }
    let versions: Vec<u32> = request.llvm.map_or_else(|| VERSIONS.to_vec(), |version| vec![version]);
    if let Some(plugin) = &request.plugin {
        return with_plugin(compiler, request, plugin, &versions, host);
    }
    let mut without_compiler = None;
    for &version in &versions {
        let Some(plugin) = places(&version.to_string(), host).into_iter().find(|file| host.has(file)) else { continue };
        match request.compiler.clone().or_else(|| installed(compiler, version, host)) {
            Some(program) => return Ok(Tools { compiler: program, plugin, libraries: libraries(version, host) }),
            None => without_compiler = without_compiler.or(Some(version)),
        }
    }
    let name = compiler.programs()[0];
    if let Some(version) = without_compiler {
        return Err(format!(
            "Poly is there for LLVM {version}, but {name}-{version} is not: install it, or name a compiler with --poly-clang=FILE"
        ));
    }
    let looked: Vec<String> = places("N", host).iter().map(|file| file.display().to_string()).collect();
    Err(format!(
        "libpoly.so was not found ({} with {} for N): run `cargo xtask build` or `cargo xtask install`, or name it with --poly-plugin=FILE",
        looked.join(" or "),
        listed(&versions, "or"),
    ))
}

/// Versions as one writes them: `22, 21 and 19`.
fn listed(versions: &[u32], last: &str) -> String {
    let words: Vec<String> = versions.iter().map(u32::to_string).collect();
    match words.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} {last} {end}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// The compiler for a plugin that is named.
fn with_plugin(
    compiler: Compiler,
    request: &Request,
    plugin: &Path,
    versions: &[u32],
    host: &dyn Host,
) -> Result<Tools, String> {
    if !host.has(plugin) {
        return Err(format!("--poly-plugin={}: there is no such file", plugin.display()));
    }
    // Its folder tells the version, where Poly's own commands put it.
    let named = versions.iter().find(|version| {
        let folder = format!("llvm{version}");
        plugin.components().any(|part| part.as_os_str() == folder.as_str())
    });
    let version = *named.or(versions.first()).expect("there is a version");
    let program = request.compiler.clone().or_else(|| installed(compiler, version, host));
    let name = compiler.programs()[0];
    let program = program.ok_or_else(|| format!("{name}-{version} was not found: name it with --poly-clang=FILE"))?;
    Ok(Tools { compiler: program, plugin: plugin.to_path_buf(), libraries: libraries(version, host) })
}

/// The places of a plugin, the best one first.
fn places(version: &str, host: &dyn Host) -> Vec<PathBuf> {
    let Some(prefix) = host.own_folder().and_then(|folder| folder.parent().map(Path::to_path_buf)) else {
        return Vec::new();
    };
    vec![
        prefix.join(format!("lib/poly/llvm{version}/libpoly.so")),
        prefix.join(format!("llvm{version}/poly/libpoly.so")),
    ]
}

/// The plugins that there are, newest first.
pub(super) fn plugins(host: &dyn Host) -> Vec<(u32, PathBuf)> {
    let of =
        |version: u32| Some((version, places(&version.to_string(), host).into_iter().find(|file| host.has(file))?));
    VERSIONS.iter().filter_map(|&version| of(version)).collect()
}

fn installed(compiler: Compiler, version: u32, host: &dyn Host) -> Option<PathBuf> {
    let folder = PathBuf::from(format!("/usr/lib/llvm-{version}/bin"));
    let own = compiler.programs().iter().map(|name| folder.join(name));
    let path = host.path();
    let on_path = compiler.programs().iter().flat_map(|name| {
        let name = format!("{name}-{version}");
        path.iter().map(move |folder| folder.join(&name))
    });
    own.chain(on_path).find(|program| host.has(program))
}

fn libraries(version: u32, host: &dyn Host) -> Option<PathBuf> {
    // One runtime serves every version.
    let newest_last = VERSIONS.iter().rev().filter(|other| **other != version);
    let folders = std::iter::once(&version).chain(newest_last).map(|v| PathBuf::from(format!("/usr/lib/llvm-{v}/lib")));
    folders.into_iter().find(|folder| host.has(&folder.join("libomp.so")))
}
