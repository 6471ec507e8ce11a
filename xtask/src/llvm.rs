//! The LLVM versions that Poly is built for and tested with, as Debian installs them.

use std::fmt;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

/// A supported major version of LLVM.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Llvm {
    /// LLVM 19, the default
    #[value(name = "19")]
    V19,
    /// LLVM 20
    #[value(name = "20")]
    V20,
    /// LLVM 21
    #[value(name = "21")]
    V21,
    /// LLVM 22
    #[value(name = "22")]
    V22,
}

impl Llvm {
    /// Every supported version, oldest first.
    pub(crate) const ALL: [Llvm; 4] = [Llvm::V19, Llvm::V20, Llvm::V21, Llvm::V22];

    /// The versions that Debian 12 has packages of: all tests run with these.
    pub(crate) const TESTED: [Llvm; 2] = [Llvm::V19, Llvm::V22];

    /// The major version.
    pub(crate) fn major(self) -> u32 {
        match self {
            Llvm::V19 => 19,
            Llvm::V20 => 20,
            Llvm::V21 => 21,
            Llvm::V22 => 22,
        }
    }

    /// The cargo feature of the crates that link against this version.
    pub(crate) fn feature(self) -> String {
        format!("llvm{}", self.major())
    }

    /// The folder that Debian's packages install this version to.
    pub(crate) fn prefix(self) -> PathBuf {
        let variable = format!("LLVM_SYS_{}1_PREFIX", self.major());
        std::env::var_os(variable).map_or_else(|| format!("/usr/lib/llvm-{}", self.major()).into(), PathBuf::from)
    }

    /// The path of one of its programs.
    pub(crate) fn tool(self, name: &str) -> PathBuf {
        self.prefix().join("bin").join(name)
    }
}

impl fmt::Display for Llvm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.major())
    }
}

/// The folder that holds LLVM's OpenMP runtime, `libomp.so`.
///
/// Debian's development packages of two versions exclude each other; the runtime's interface is the
/// same in both, so that one serves all.
pub(crate) fn openmp_folder() -> Option<PathBuf> {
    let candidates = Llvm::ALL.map(|llvm| llvm.prefix().join("lib"));
    candidates.into_iter().find(|folder| folder.join("libomp.so").exists())
}

/// The arguments that link a program with LLVM's OpenMP runtime.
pub(crate) fn openmp_arguments() -> Vec<String> {
    let folder = openmp_folder().unwrap_or_else(|| Path::new("/usr/lib/llvm-19/lib").to_path_buf());
    vec![format!("-L{}", folder.display()), format!("-Wl,-rpath,{}", folder.display()), "-lomp".to_owned()]
}

/// The test driver `lit`, a Python program that comes with LLVM's tools.
pub(crate) fn lit() -> Option<PathBuf> {
    let candidates = Llvm::ALL.iter().flat_map(|llvm| {
        let prefix = llvm.prefix();
        [prefix.join("build/utils/lit/lit.py"), prefix.join("bin/lit")]
    });
    candidates.into_iter().find(|path| path.exists())
}
