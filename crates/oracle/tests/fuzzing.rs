//! The fuzz targets on the texts of the corpus and on some bytes that are always the same.

use std::path::Path;

use poly_oracle::fuzzing::{TARGETS, Target};
use poly_oracle::random::Random;

fn target(name: &str) -> Target {
    *TARGETS.iter().find(|target| target.name == name).expect("the target is there")
}

/// The files that are kept for a target.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../presburger/fuzz/corpus").join(name);
    let mut files: Vec<_> = std::fs::read_dir(&folder).into_iter().flatten().map(|f| f.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).unwrap()).collect()
}

fn bytes(seed: u64, n: usize) -> Vec<u8> {
    let mut r = Random::new(seed);
    (0..n).map(|_| u8::try_from(r.range(0, 255)).unwrap()).collect()
}

#[test]
fn parser_on_its_corpus() {
    let texts = corpus("parser");
    assert!(texts.len() >= 10, "the corpus is there");
    for text in &texts {
        (target("parser").run)(text);
        // Cut short anywhere, and with a byte changed, a text is still only read or refused.
        for at in 0..text.len() {
            (target("parser").run)(&text[..at]);
            let mut changed = text.clone();
            changed[at] = b"()[]{};:->=<,*/%0i "[at % 19];
            (target("parser").run)(&changed);
        }
    }
}

#[test]
fn parser_on_deep_nesting() {
    for (open, close) in [("(", ")"), ("[", "]"), ("-(", ")"), ("not (", ")"), ("floor(", ")"), ("exists (a: ", ")")] {
        for (head, inner, tail) in [("{ [i] : ", "i >= 0", " }"), ("{ [i] -> [", "i", "] }"), ("{ ", "[i]", " }")] {
            for depth in [10, 100, 100_000] {
                let text = format!("{head}{}{inner}{}{tail}", open.repeat(depth), close.repeat(depth));
                let _ = text.parse::<poly_presburger::UnionMap>();
                let _ = text.parse::<poly_presburger::UnionSet>();
                let _ = text.parse::<poly_presburger::PwMultiAff>();
                let _ = format!("{head}{}", open.repeat(depth)).parse::<poly_presburger::UnionSet>();
            }
        }
    }
}

#[test]
fn targets_on_fixed_bytes() {
    for name in ["algebra", "lexmin", "coalesce"] {
        corpus(name).iter().for_each(|data| (target(name).run)(data));
        (0..40).for_each(|seed| (target(name).run)(&bytes(seed, 200)));
    }
}
