//! From a plan to LLVM IR.
//!
//! # Problem
//! A [`Plan`](poly_scop::Plan) says which loops to run in place of a region and when that is right.
//! [`generate`] writes them beside the original region:
//!
//! ```text
//!       outside            outside
//!          |                  |
//!        region             poly.check --(false)--> region
//!          |                  |(true)                 |
//!         exit              poly.opt ...              |
//!                             \------> poly.merge <---/
//!                                          |
//!                                         exit
//! ```
//!
//! # Order of work
//! 1. [`prepare`] resolves names, proves that no generated arithmetic overflows, finds an address
//!    for each access, a way to compute each value that is recomputed, and a source for each value
//!    used after the region. All errors but one come from here; the IR is untouched.
//! 2. [`region`] inserts `poly.check` and `poly.merge`.
//! 3. [`check`] and [`rows`] write the run-time condition; [`loops`], [`statement`], [`scev`] and
//!    [`parallel`] write the program.
//! 4. Slots of scalars become values, the functions are verified. An error here means that Poly is
//!    wrong: [`CodegenError::Invalid`].

mod alias;
mod builder;
mod check;
mod code;
mod doacross;
mod ends;
mod errno;
mod error;
mod extremes;
mod form;
mod generator;
mod inspection;
mod interval;
mod irregular;
mod lane_guard;
mod lane_loop;
mod lane_row;
mod linear;
mod local_buffers;
mod loops;
mod nests;
mod non_affine;
mod options;
mod pack;
mod parallel;
mod partial;
mod partials;
mod prepare;
mod privacy;
mod region;
mod register;
mod row_ends;
mod rows;
mod rows_apart;
mod scev;
mod share;
mod simd_wavefront;
mod statement;
mod subscripts;
mod temporaries;
mod threads;
mod tile;
mod trace;
mod transpose;
mod unroll_and_jam;
mod vector_row;
mod work;

pub use error::CodegenError;
pub use extremes::generate_extremes;
pub use generator::generate;
pub use irregular::{generate_apart, generate_irregular, generate_sweeps};
pub use nests::define_interface;
pub use options::{CodegenOptions, Generated, Runtime, Schedule};
pub use temporaries::may_allocate;
pub use trace::define_printing;
