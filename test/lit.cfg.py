"""lit configuration of Poly's pass tests.

Run by `cargo xtask test`, once per LLVM version. By hand:

    python3 /usr/lib/llvm-19/build/utils/lit/lit.py -v test \
        -Dllvm=/usr/lib/llvm-19 -Dllvm_version=19 -Dplugin=target/llvm19/poly/libpoly.so

Parameters
    llvm          prefix of the LLVM installation whose opt, clang and FileCheck are used
    llvm_version  its major version; tests can `REQUIRES: llvm22`
    plugin        the plugin built for that version
    polycc        the program polycc; without it, its tests are left out
    poly          the program poly; without it, its tests are left out
    libomp        folder with libomp.so (found in the usual places if not given)
"""

import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "poly"
config.test_format = lit.formats.ShTest(execute_external=True)
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.suffixes = [".ll", ".c", ".cpp", ".test", ".f90", ".rs"]
# Programs that are run, not checked by FileCheck: `cargo xtask test` drives them itself.
config.excludes = ["coverage", "e2e", "fields", "kernels", "sparse", "Inputs", "README.md"]

version = lit_config.params.get("llvm_version", "19")
prefix = os.path.abspath(lit_config.params.get("llvm", "/usr/lib/llvm-" + version))
plugin = lit_config.params.get("plugin")
if plugin is None:
    lit_config.fatal("give the plugin to test: -Dplugin=PATH/libpoly.so")
plugin = os.path.abspath(plugin)
bin_dir = os.path.join(prefix, "bin")
if not os.path.exists(os.path.join(bin_dir, "opt")):
    lit_config.fatal("no opt in " + bin_dir + "; give -Dllvm=PREFIX")

# Outputs go outside of the sources, apart for each version.
default_exec_root = os.path.join(config.test_source_root, "..", "target", "lit-llvm" + version)
config.test_exec_root = os.path.abspath(lit_config.params.get("exec_root", default_exec_root))

config.available_features.add("llvm" + version)
if shutil.which("cmake"):
    config.available_features.add("cmake")


def libomp_folder():
    """The folder to link OpenMP programs from, or None. One runtime serves every version."""
    named = lit_config.params.get("libomp")
    for folder in [named, os.path.join(prefix, "lib"), "/usr/lib/llvm-19/lib", "/usr/lib/llvm-22/lib"]:
        if folder and os.path.exists(os.path.join(folder, "libomp.so")):
            return folder
    return None


def rustc_of_same_llvm():
    """Debian's rustc, if it uses the LLVM under test. (That of rustup has an LLVM of its own.)"""
    rustc = "/usr/bin/rustc"
    if not os.path.exists(rustc):
        return None
    told = subprocess.run([rustc, "--version", "--verbose"], capture_output=True, text=True).stdout
    return rustc if "LLVM version: %s." % version in told else None


flang = os.path.join(bin_dir, "flang-new")
if os.path.exists(flang):
    config.available_features.add("flang")
rustc = rustc_of_same_llvm()
if rustc:
    config.available_features.add("rustc")

libomp = libomp_folder()
if libomp:
    config.available_features.add("omp")

polycc = lit_config.params.get("polycc")
if polycc:
    config.available_features.add("polycc")
poly = lit_config.params.get("poly")
if poly:
    config.available_features.add("poly")

# GNU's OpenMP runtime belongs to gcc, whose folders clang knows.
libgomp = subprocess.run([os.path.join(bin_dir, "clang"), "-print-file-name=libgomp.so"], capture_output=True, text=True)
if os.path.isabs(libgomp.stdout.strip()):
    config.available_features.add("gomp")

# The tools are LLVM's own: a test says itself that it wants Poly, with %loadpoly (opt) or %withpoly (clang).
# lit replaces in the order of this list: a name that begins another one comes after it.
config.substitutions += [
    (r"%loadpoly", "-load-pass-plugin=" + plugin),
    (r"%withpoly", "-fpass-plugin=" + plugin),
    (r"%poly-dir", os.path.dirname(plugin)),  # holds libpoly.so, poly.cfg and poly.h
    (r"%program-poly", poly or "poly"),
    (r"%polycc", "%s --poly-plugin=%s --poly-clang=%s" % (polycc, plugin, os.path.join(bin_dir, "clang"))),
    (r"%poly", plugin),
    (r"%python", sys.executable),
    (r"%flang", flang),
    (r"%rustc", rustc or "rustc"),
    (r"%libomp", "-L%s -Wl,-rpath,%s -lomp" % (libomp, libomp)),
] + [("%" + name, os.path.join(bin_dir, name)) for name in ("opt", "clang", "FileCheck", "not", "split-file")]

# Nothing of the caller's environment may change what a test sees.
for name in list(config.environment):
    if name.startswith("POLY_") or name in ("CCC_OVERRIDE_OPTIONS",):
        del config.environment[name]
config.environment["RUST_BACKTRACE"] = "0"
config.environment["PATH"] = os.pathsep.join([bin_dir, config.environment.get("PATH", "")])

