//! The bodies of the fuzz targets: what is done with some bytes, panicking where something is
//! wrong.
//!
//! [`parser`] takes them as text. The others take them as the choices of a case
//! ([`Random::replay`]), the first being the choice of the check, so that a fuzzer which changes
//! bytes changes the input of an operation a little. The targets themselves are in
//! `crates/presburger/fuzz`; tests run the bodies over fixed input.

use std::fmt::Display;
use std::str::FromStr;

use poly_presburger::{
    Aff, BasicMap, BasicSet, Map, MultiAff, ParseError, PwAff, PwMultiAff, Set, UnionMap, UnionPwAff, UnionPwMultiAff,
    UnionSet,
};

use crate::checks::{self, Check};
use crate::isl;
use crate::random::Random;

/// A fuzz target.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub run: fn(&[u8]),
}

/// All fuzz targets.
pub const TARGETS: &[Target] = &[
    Target { name: "parser", run: parser },
    Target { name: "algebra", run: algebra },
    Target { name: "lexmin", run: lexmin },
    Target { name: "coalesce", run: coalesce },
];

/// Longer texts are not looked at.
const MOST_BYTES: usize = 2000;

/// A text is read or refused as every type; what is read is printed and read again, and printing is
/// stable then.
pub fn parser(data: &[u8]) {
    let Some(text) = std::str::from_utf8(data).ok().filter(|text| text.len() <= MOST_BYTES) else { return };
    let readers = [
        read::<BasicSet>,
        read::<BasicMap>,
        read::<Set>,
        read::<Map>,
        read::<UnionSet>,
        read::<UnionMap>,
        read::<Aff>,
        read::<PwAff>,
        read::<MultiAff>,
        read::<PwMultiAff>,
        read::<UnionPwAff>,
        read::<UnionPwMultiAff>,
    ];
    readers.iter().for_each(|reader| reader(text));
}

fn read<T: FromStr<Err = ParseError> + Display>(text: &str) {
    let Ok(value) = text.parse::<T>() else { return };
    let printed = value.to_string();
    if let Err(error) = printed.parse::<T>() {
        panic!("{text:?} is printed as {printed:?}, which is not read: {error}");
    }
}

/// A case of an operation on sets, relations or unions of them.
pub fn algebra(data: &[u8]) {
    run_one(data, |name| {
        let kind = name.split('.').next().unwrap_or_default();
        ["set", "map", "union-set", "union-map"].contains(&kind) && !is_optimum(name) && !name.contains("coalesce")
    });
}

/// A case of an optimum, parametric or not.
pub fn lexmin(data: &[u8]) {
    run_one(data, is_optimum);
}

/// A case of coalescing.
pub fn coalesce(data: &[u8]) {
    run_one(data, |name| name.contains("coalesce"));
}

fn is_optimum(name: &str) -> bool {
    ["lexm", "min_of", "max_of", "min_over", "min_value", "dim_min"].iter().any(|part| name.contains(part))
}

fn run_one(data: &[u8], wanted: fn(&str) -> bool) {
    let Some((&first, rest)) = data.split_first() else { return };
    let checks: Vec<Check> = checks::all().into_iter().filter(|check| wanted(check.name)).collect();
    let draws = rest.iter().map(|&byte| u64::from(byte)).collect();
    checks::run_or_panic(&checks[usize::from(first) % checks.len()], Random::replay(draws), &isl::Context::new());
}
