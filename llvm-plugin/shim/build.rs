//! Compiles `cpp/*.cpp` against the LLVM that the cargo feature names.
//!
//! LLVM is found in `LLVM_SYS_191_PREFIX` (to `LLVM_SYS_221_PREFIX`), the variable that llvm-sys
//! reads too, else through `llvm-config-19` (to `-22`) on the `PATH`.
//!
//! All files are compiled as one: reading LLVM's headers takes most of the time, and once is enough
//! (12 seconds in place of 70). So names of static functions must differ between files.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};

/// The supported major versions.
const VERSIONS: [u32; 4] = [19, 20, 21, 22];

/// `PassPluginLibraryInfo` has a function to call before code generation from this version on.
const CODEGEN_HOOK: u32 = 22;

fn main() {
    let version = version();
    println!("cargo:rustc-env=POLY_LLVM_MAJOR={version}");
    println!("cargo:rustc-check-cfg=cfg(llvm_linked, llvm_has_codegen_hook)");
    if is_on(&format!("LLVM{version}_LINK")) {
        println!("cargo:rustc-cfg=llvm_linked");
    }
    if version >= CODEGEN_HOOK {
        println!("cargo:rustc-cfg=llvm_has_codegen_hook");
    }
    let config = llvm_config(version);
    let sources = sources();
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .std("c++17")
        .debug(false)
        .flag("-fno-exceptions")
        .flag("-fno-rtti")
        .flag("-fvisibility=hidden")
        .flag("-fvisibility-inlines-hidden")
        .flag("-isystem")
        .flag(ask(&config, "--includedir"))
        .define("_GNU_SOURCE", None)
        .define("__STDC_CONSTANT_MACROS", None)
        .define("__STDC_FORMAT_MACROS", None)
        .define("__STDC_LIMIT_MACROS", None)
        .file(together(&sources));
    if env::var("PROFILE").as_deref() == Ok("release") {
        build.define("NDEBUG", None);
    }
    build.compile("poly_shim");
    println!("cargo:rerun-if-changed=cpp");
    println!("cargo:rerun-if-changed=build.rs");
}

/// Whether a feature is on.
fn is_on(feature: &str) -> bool {
    env::var(format!("CARGO_FEATURE_{feature}")).is_ok()
}

/// The major version of the one feature that is on.
fn version() -> u32 {
    let is_chosen = |version: &u32| is_on(&format!("LLVM{version}")) || is_on(&format!("LLVM{version}_LINK"));
    let chosen: Vec<u32> = VERSIONS.into_iter().filter(is_chosen).collect();
    match chosen[..] {
        [version] => version,
        [] => fail("poly-shim needs an LLVM version: build with one of the features llvm19 to llvm22"),
        [first, second, ..] => fail(&format!(
            "poly-shim cannot serve two LLVM versions at once: choose one of the features llvm{first} and llvm{second}"
        )),
    }
}

/// The `llvm-config` of the wanted version.
fn llvm_config(version: u32) -> PathBuf {
    let variable = format!("LLVM_SYS_{version}1_PREFIX");
    println!("cargo:rerun-if-env-changed={variable}");
    let in_prefix = env::var_os(&variable).map(|prefix| Path::new(&prefix).join("bin/llvm-config"));
    let candidates = in_prefix.into_iter().chain([PathBuf::from(format!("llvm-config-{version}"))]);
    for candidate in candidates {
        if let Some(found) = run(&candidate, "--version")
            && found.split('.').next() == Some(&version.to_string())
        {
            return candidate;
        }
    }
    fail(&format!("LLVM {version} was not found: install llvm-{version}-dev or set {variable} to its prefix"))
}

fn ask(config: &Path, what: &str) -> String {
    run(config, what).unwrap_or_else(|| fail(&format!("`{} {what}` failed", config.display())))
}

fn run(config: &Path, argument: &str) -> Option<String> {
    let output = Command::new(config).arg(argument).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The C++ files; tests/ alone needs what parses IR and builds pipelines.
fn sources() -> Vec<PathBuf> {
    let linked = env::var("CARGO_FEATURE_LLVM19_LINK").is_ok() || env::var("CARGO_FEATURE_LLVM22_LINK").is_ok();
    let folder = std::fs::read_dir("cpp").unwrap_or_else(|_| fail("the folder cpp is missing"));
    let mut files: Vec<PathBuf> = folder.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "cpp"));
    files.retain(|file| linked || !file.ends_with("testing.cpp"));
    files.sort();
    files
}

/// A file that includes the sources.
fn together(sources: &[PathBuf]) -> PathBuf {
    let path = |source: &PathBuf| source.canonicalize().unwrap_or_else(|_| fail("a source in cpp is missing"));
    let text: String = sources.iter().map(|source| format!("#include \"{}\"\n", path(source).display())).collect();
    let out = env::var_os("OUT_DIR").unwrap_or_else(|| fail("cargo sets OUT_DIR"));
    let file = Path::new(&out).join("shim.cpp");
    if std::fs::write(&file, text).is_err() {
        fail(&format!("cannot write {}", file.display()));
    }
    file
}

fn fail(sentence: &str) -> ! {
    println!("cargo::error={sentence}");
    eprintln!("{sentence}");
    exit(1)
}
