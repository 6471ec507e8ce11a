//! Which integers beyond 64 bits there are: GMP's, or with the feature `pure` alone those that are
//! written in Rust.

#[cfg(feature = "gmp")]
pub(super) use rug::Integer;

#[cfg(not(feature = "gmp"))]
pub(super) use super::pure::{Integer, power};

/// `base` to the power `exponent`.
#[cfg(feature = "gmp")]
pub(super) fn power(base: &Integer, exponent: u32) -> Integer {
    Integer::from(rug::ops::Pow::pow(base, exponent))
}

#[cfg(not(any(feature = "gmp", feature = "pure")))]
compile_error!("poly-arith needs one of its features `gmp` and `pure`");
