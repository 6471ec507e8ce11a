//! `polycc`, and under their own names `poly++` and `polyfc`: clang, clang++ and flang with Poly;
//! see `cc`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    poly_cli::cc::main(std::env::args_os().collect())
}
