//! Options for single loop nests, as `poly tune` finds them, in a file.
//!
//! # Form
//! The first line is `poly profile 1`. Each other line is about one nest, which it names by its
//! function and by the fingerprint of its model ([`poly_scop::fingerprint`]):
//!
//! ```text
//! nest 3fc2a1b09d7e4456 of kernel: tile-sizes=64:32;no-pack
//! ```
//!
//! `#` begins a line that is a comment.
//!
//! # Invariants
//! A profile that was read has no wrong words, and none that names a profile.

use std::collections::BTreeMap;

use poly_scop::Fingerprint;

use super::{Options, Value, source};

/// The first line.
const HEADER: &str = "poly profile 1";

/// What a file says of nests; nothing by default.
#[derive(Clone, Debug, Default)]
pub(crate) struct Profile {
    /// Its path.
    path: String,
    /// The words for a nest of a function.
    nests: BTreeMap<String, BTreeMap<Fingerprint, Vec<String>>>,
}

impl Profile {
    /// Where it was read.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// What is said of the nests of a function, if anything is.
    pub(crate) fn of_function(&self, name: &str) -> Option<&BTreeMap<Fingerprint, Vec<String>>> {
        self.nests.get(name)
    }

    /// Reads the text of a file.
    fn parse(text: &str) -> Result<BTreeMap<String, BTreeMap<Fingerprint, Vec<String>>>, String> {
        let mut lines = text.lines().enumerate();
        if lines.next().map(|(_, line)| line.trim()) != Some(HEADER) {
            return Err(format!("its first line is not `{HEADER}`"));
        }
        let mut nests: BTreeMap<String, BTreeMap<Fingerprint, Vec<String>>> = BTreeMap::new();
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')) {
            let at = |what: String| format!("line {}: {what}", number + 1);
            let (fingerprint, function, words) =
                split(line).ok_or_else(|| at("it is not `nest FINGERPRINT of FUNCTION: OPTIONS`".to_owned()))?;
            let words: Vec<String> = source::words_of(words).map(str::to_owned).collect();
            words.iter().try_for_each(|word| check(word)).map_err(at)?;
            nests.entry(function.to_owned()).or_default().entry(fingerprint).or_default().extend(words);
        }
        Ok(nests)
    }
}

/// The parts of a line.
fn split(line: &str) -> Option<(Fingerprint, &str, &str)> {
    let (fingerprint, rest) = line.strip_prefix("nest ")?.split_once(" of ")?;
    // Words have no blank behind a colon, but names may.
    let (function, words) = rest.rsplit_once(": ")?;
    Some((Fingerprint(u64::from_str_radix(fingerprint, 16).ok()?), function, words))
}

/// Whether a word can be said of a nest.
fn check(word: &str) -> Result<(), String> {
    if word.split('=').next() == Some("profile") {
        return Err("a profile names no other one".to_owned());
    }
    source::apply(&mut Options::default(), word)
}

impl PartialEq for Profile {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path
    }
}

impl Eq for Profile {}

impl Value for Profile {
    fn read(path: &str) -> Result<Self, String> {
        if path.is_empty() {
            return Ok(Self::default());
        }
        if path.contains([';', '>', ',', '(', ')']) {
            return Err("a file whose name has none of ; > , ( )".to_owned());
        }
        let text = std::fs::read_to_string(path).map_err(|wrong| format!("a file that can be read ({wrong})"))?;
        let nests = Self::parse(&text).map_err(|wrong| format!("a file that poly tune wrote, but {wrong}"))?;
        Ok(Self { path: path.to_owned(), nests })
    }

    fn write(&self) -> String {
        self.path.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nests_have_words() {
        let text = "poly profile 1\n# why\nnest 00ff of f: no-tile;fuse=max\nnest 1 of -[A b: c]: disable\n";
        let nests = Profile::parse(text).expect("a right text");
        assert_eq!(nests["f"][&Fingerprint(255)], ["no-tile", "fuse=max"]);
        assert_eq!(nests["-[A b: c]"][&Fingerprint(1)], ["disable"]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |text: &str| Profile::parse(text).expect_err("a wrong text");
        assert_eq!(wrong(""), "its first line is not `poly profile 1`");
        assert!(wrong("poly profile 1\n\nf: no-tile").starts_with("line 3: it is not `nest"));
        assert!(wrong("poly profile 1\nnest 1 of f: seldom").starts_with("line 2: unknown option 'seldom'"));
        assert_eq!(wrong("poly profile 1\nnest 1 of f: profile=x"), "line 2: a profile names no other one");
    }
}
