//! `polycc`, and under their own names `poly++` and `polyfc`: clang, clang++ and flang with Poly; see `cc`.
#![forbid(unsafe_code)]

mod cc;

use std::process::ExitCode;

fn main() -> ExitCode {
    cc::main(std::env::args_os().collect())
}
