//! What the source asks for a function: its attribute `poly` and its annotations.
//!
//! An annotation of C and C++ is a text at a function; `poly:` before it says that it is for Poly:
//! `__attribute__((annotate("poly: tile=64,64,8")))`, `[[clang::annotate("poly: off")]]`. Its words
//! are those of all options, and `off`, `parallel`, `tile=SIZES` as people say them. The attribute
//! is for those who write IR. It counts after the annotations.
//!
//! `independent` is understood and refused: that iterations do not depend on each other is proven,
//! or tested while the program runs, and never taken from a promise.

use poly_shim::ValueRef;

/// What begins an annotation for Poly.
const PREFIX: &str = "poly:";

/// What is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// Words of options, separated by semicolons.
    pub(crate) words: String,
    /// The independence of iterations was promised.
    pub(crate) promises: bool,
    /// There are annotations among it.
    pub(crate) is_annotated: bool,
}

impl Asked {
    /// What the source says of the function.
    pub(crate) fn of(function: ValueRef<'_>) -> Asked {
        Asked::said(&function.function_annotations(), function.function_attribute("poly").as_deref())
    }

    fn said(annotations: &[String], attribute: Option<&str>) -> Asked {
        let own: Vec<&str> = annotations.iter().filter_map(|text| text.trim_start().strip_prefix(PREFIX)).collect();
        let is_annotated = !own.is_empty();
        let all: Vec<&str> = own.into_iter().chain(attribute).flat_map(|text| text.split([';', ' ', '\t'])).collect();
        let kept = all.iter().filter(|word| !word.is_empty() && **word != "independent").map(|word| option(word));
        let words = kept.collect::<Vec<_>>().join(";");
        Asked { words, promises: all.contains(&"independent"), is_annotated }
    }
}

/// The option that a word of the source stands for.
fn option(word: &str) -> String {
    match word.split_once('=') {
        None if word == "off" => "disable".to_owned(),
        Some(("tile", sizes)) if !matches!(sizes, "true" | "false") => format!("tile-sizes={sizes}"),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(annotations: &[&str], attribute: Option<&str>) -> String {
        let annotations: Vec<String> = annotations.iter().map(|&text| text.to_owned()).collect();
        Asked::said(&annotations, attribute).words
    }

    #[test]
    fn annotations_are_words_of_options() {
        assert_eq!(words(&["poly: off"], None), "disable");
        assert_eq!(words(&["poly:tile=64,64,8  parallel"], None), "tile-sizes=64,64,8;parallel");
        assert_eq!(words(&["poly: tile=false; fuse=max"], None), "tile=false;fuse=max");
        assert_eq!(words(&["some other tool: off", "polyp: off"], None), "");
    }

    #[test]
    fn the_attribute_comes_after_annotations() {
        assert_eq!(words(&["poly: fuse=max"], Some("fuse=no")), "fuse=max;fuse=no");
        assert_eq!(words(&[], Some("off")), "disable");
    }

    #[test]
    fn promises_are_no_options() {
        let asked = Asked::said(&["poly: independent parallel".to_owned()], None);
        assert_eq!(asked, Asked { words: "parallel".to_owned(), promises: true, is_annotated: true });
    }
}
