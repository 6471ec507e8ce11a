//! A number that tells whether a SCoP is the one that something was found out about.
//!
//! # Problem
//! What a tuner has measured for a loop nest (docs/tune.md) must not be used for another one that
//! stands in its place after the source was changed. Lines, and names of variables, say nothing
//! about that: they change with every edit, and names are only known with debug information.
//!
//! # Method
//! 1. The model is written as people see it, without places, reasons and its own name.
//! 2. Names of parameters, arrays and loads are replaced by numbers, in the order in which they
//!    come first.
//! 3. The fingerprint is the hash of that text (FNV-1a, 64 bits).
//!
//! # Invariants
//! Equal models have equal fingerprints, whatever their names. Different ones may share a
//! fingerprint by chance; since whatever is done with a SCoP is judged anew, that costs time, not
//! correctness.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::model::Scop;

/// The number of a SCoP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub u64);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The fingerprint of a SCoP as detection found it.
pub fn fingerprint(scop: &Scop) -> Fingerprint {
    let text = nameless(&anonymous(scop).to_string(), &names(scop));
    // FNV-1a.
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    Fingerprint(text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

/// The SCoP without what is not part of the model.
fn anonymous(scop: &Scop) -> Scop {
    let mut scop = scop.clone();
    scop.name.clear();
    scop.place = None;
    for assumption in &mut scop.assumptions {
        assumption.place = None;
        assumption.reason.clear();
    }
    for load in &mut scop.loads {
        load.place = None;
    }
    for statement in scop.statements.iter_mut().chain(&mut scop.inspections) {
        statement.place = None;
    }
    scop
}

fn names(scop: &Scop) -> BTreeSet<String> {
    let params = scop.params.iter().map(|param| &param.name);
    let arrays = scop.arrays.iter().map(|array| &array.name);
    params.chain(arrays).chain(scop.loads.iter().map(|load| &load.name)).cloned().collect()
}

/// The text with numbers in place of names.
fn nameless(text: &str, names: &BTreeSet<String>) -> String {
    let is_part = |c: char| c.is_alphanumeric() || "_.$'".contains(c);
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut result = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_part(c) != is_part(first)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if is_part(first) && names.contains(word) {
            let next = numbers.len();
            let number = *numbers.entry(word).or_insert(next);
            result.push_str(&format!("#{number}"));
        } else {
            result.push_str(word);
        }
        rest = after;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_numbers() {
        let names: BTreeSet<String> = ["n", "A.addr", "B"].map(str::to_owned).into();
        let text = "[n] -> { S0[i] -> B[i + n] : n >= 2 } fadd A.addr[i]";
        assert_eq!(nameless(text, &names), "[#0] -> { S0[i] -> #1[i + #0] : #0 >= 2 } fadd #2[i]");
    }
}
