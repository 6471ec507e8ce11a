//! The compilers and libraries that are compared, and how each is called.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::ValueEnum;

use crate::command;
use crate::llvm::{self, Llvm};
use crate::workspace;

/// Who makes a program fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::bench) enum Peer {
    /// `clang -O3 -march=native`, what everything is compared with
    Clang,
    /// The same with Poly
    Poly,
    /// The same with Polly, which Debian's clang contains
    Polly,
    /// Polly, with its choice of vector loops
    PollyStripmine,
    /// Polly at the early place of the pipeline
    PollyEarly,
    /// `gcc -O3 -march=native`
    Gcc,
    /// The same with GCC's polyhedral passes
    Graphite,
    /// Calls of OpenBLAS, for the kernels that are in it
    Openblas,
}

/// A peer on a number of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bench) struct Configuration {
    /// Who.
    pub(in crate::bench) peer: Peer,
    /// How many threads the program may use.
    pub(in crate::bench) threads: u32,
}

/// The flags of every compiler.
pub(in crate::bench) const FLAGS: [&str; 2] = ["-O3", "-march=native"];

const PROBE_LIMIT: Duration = Duration::from_secs(60);

impl Configuration {
    /// Its title in tables and the name of its programs.
    pub(in crate::bench) fn name(self) -> String {
        let peer = self.peer.to_possible_value().expect("no peer is hidden");
        match self.threads {
            1 => peer.get_name().to_owned(),
            n => format!("{}-{n}", peer.get_name()),
        }
    }

    /// Whether there is such a thing: clang and GCC alone use one thread.
    pub(in crate::bench) fn exists(self) -> bool {
        self.threads == 1 || !matches!(self.peer, Peer::Clang | Peer::Gcc)
    }

    /// The source file of a kernel; none if the library does not have it.
    pub(in crate::bench) fn source(self, kernel: &str) -> Option<PathBuf> {
        let folder = workspace::root().join("test/kernels");
        let folder = if self.peer == Peer::Openblas { folder.join("openblas") } else { folder };
        Some(folder.join(format!("{kernel}.c"))).filter(|path| path.exists())
    }

    /// The compiler with the flags that make the configuration what it is.
    pub(in crate::bench) fn compiler(self, llvm: Llvm, plugin: &Path, poly_options: &str) -> Command {
        let program = match self.peer {
            Peer::Gcc | Peer::Graphite => PathBuf::from("gcc"),
            _ => llvm.tool("clang"),
        };
        let mut command = Command::new(program);
        command.env_remove("POLY_OPTS").env_remove("CCC_OVERRIDE_OPTIONS").args(FLAGS);
        let polly: &[&str] = match self.peer {
            Peer::Polly => &["-polly"],
            Peer::PollyStripmine => &["-polly", "-polly-vectorizer=stripmine"],
            Peer::PollyEarly => &["-polly", "-polly-position=early"],
            _ => &[],
        };
        for option in polly {
            command.args(["-mllvm", option]);
        }
        match self.peer {
            Peer::Poly => {
                command.arg(format!("-fpass-plugin={}", plugin.display()));
                let parallel = format!("parallel;num-threads={}", self.threads);
                let words = [poly_options, &parallel];
                let words =
                    words.into_iter().take(if self.threads > 1 { 2 } else { 1 }).filter(|text| !text.is_empty());
                command.env("POLY_OPTS", words.collect::<Vec<_>>().join(";"));
            }
            Peer::Polly | Peer::PollyStripmine | Peer::PollyEarly if self.threads > 1 => {
                command.args(["-mllvm", "-polly-parallel"]);
            }
            Peer::Graphite => {
                command.arg("-floop-nest-optimize");
                if self.threads > 1 {
                    command.arg("-floop-parallelize-all").arg(format!("-ftree-parallelize-loops={}", self.threads));
                }
            }
            _ => {}
        }
        command
    }

    /// What links its programs, if Poly is this one.
    pub(in crate::bench) fn libraries(self, plugin: &Path) -> Vec<String> {
        let mut libraries = Vec::new();
        match self.peer {
            Peer::Openblas => libraries.push("-lopenblas".to_owned()),
            Peer::Graphite if self.threads > 1 => libraries.push("-fopenmp".to_owned()),
            _ if self.threads > 1 => libraries.extend(llvm::openmp_arguments()),
            _ => {}
        }
        if self.peer == Peer::Poly && self.threads > 1 {
            // What is weak is only linked if somebody asks for it.
            libraries.push("-Wl,-u,poly_rt_enter".to_owned());
            libraries.push(plugin.with_file_name("libpoly_rt.a").display().to_string());
        }
        libraries.push("-lm".to_owned());
        libraries
    }

    /// What the machine lacks for it, and the package that has it. Poly itself is never lacking.
    pub(in crate::bench) fn lacks(self, llvm: Llvm) -> Result<Option<String>> {
        if self.peer == Peer::Poly {
            return Ok(None);
        }
        let folder = workspace::target().join("polybench");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let source = folder.join("empty.c");
        let text =
            if self.peer == Peer::Openblas { "#include <cblas.h>\nint main(void) {}" } else { "int main(void) {}" };
        fs::write(&source, text).with_context(|| format!("cannot write {}", source.display()))?;
        let mut command = self.compiler(llvm, Path::new(""), "");
        command.arg(&source).arg("-o").arg(folder.join("empty")).args(self.libraries(Path::new("")));
        let works = command::capture(&mut command, PROBE_LIMIT).is_ok_and(|output| output.end.success());
        Ok((!works).then(|| format!("{}: not on this machine; {}", self.name(), self.remedy(llvm))))
    }

    fn remedy(self, llvm: Llvm) -> String {
        match self.peer {
            Peer::Gcc | Peer::Graphite => "`apt-get install gcc` brings it".to_owned(),
            Peer::Openblas => "`apt-get install libopenblas-dev` brings it".to_owned(),
            Peer::Polly | Peer::PollyStripmine | Peer::PollyEarly => {
                format!("Debian's clang-{llvm} contains Polly (`apt-get install clang-{llvm}`), others may not")
            }
            Peer::Clang | Peer::Poly => format!("`apt-get install clang-{llvm}` brings it"),
        }
    }
}

/// The configurations of Poly and these peers that this machine has, clang on one thread first, and
/// a line about each that it lacks.
pub(in crate::bench) fn present(
    llvm: Llvm,
    threads: &[u32],
    peers: &[Peer],
) -> Result<(Vec<Configuration>, Vec<String>)> {
    let mut present = vec![Configuration { peer: Peer::Clang, threads: 1 }];
    let mut absent: Vec<String> = Vec::new();
    for &threads in threads {
        let peers = [Peer::Poly].iter().chain(peers).copied();
        for configuration in peers.map(|peer| Configuration { peer, threads }) {
            if present.contains(&configuration) || !configuration.exists() {
                continue;
            }
            match configuration.lacks(llvm)? {
                None => present.push(configuration),
                Some(what) if absent.contains(&what) => {}
                Some(what) => absent.push(what),
            }
        }
    }
    Ok((present, absent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_has_a_name_with_its_threads() {
        assert_eq!(Configuration { peer: Peer::PollyStripmine, threads: 1 }.name(), "polly-stripmine");
        assert_eq!(Configuration { peer: Peer::Poly, threads: 2 }.name(), "poly-2");
        assert!(!Configuration { peer: Peer::Gcc, threads: 2 }.exists());
    }

    #[test]
    fn options_for_poly_reach_it() {
        let command = Configuration { peer: Peer::Poly, threads: 2 }.compiler(Llvm::V19, Path::new("p.so"), "force");
        let value = command.get_envs().find(|(key, _)| *key == "POLY_OPTS").and_then(|(_, value)| value);
        assert_eq!(value.expect("it is set"), "force;parallel;num-threads=2");
        let libraries = Configuration { peer: Peer::Poly, threads: 2 }.libraries(Path::new("built/p.so"));
        assert!(libraries.contains(&"built/libpoly_rt.a".to_owned()), "{libraries:?}");
        let libraries = Configuration { peer: Peer::Poly, threads: 1 }.libraries(Path::new("built/p.so"));
        assert_eq!(libraries, ["-lm"]);
    }
}
