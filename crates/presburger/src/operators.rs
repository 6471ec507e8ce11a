//! Operators: `&a | &b` and `&a & &b` for unions and intersections.
//!
//! There is none for differences: they need a solver, and so a [`crate::Budget`].
//!
//! ```
//! use poly_presburger::{Budget, Set};
//! let (a, b): (Set, Set) = ("{ [i] : 0 <= i < 6 }".parse()?, "{ [i] : 4 <= i < 9 }".parse()?);
//! assert_eq!((&a & &b).to_string(), "{ [i] : 4 <= i <= 5 }");
//! let all: Set = "{ [i] : 0 <= i < 9 }".parse()?;
//! assert!((&a | &b).is_equal(&all, &mut Budget::unlimited()).unwrap());
//! # Ok::<(), poly_presburger::ParseError>(())
//! ```

use std::ops::{BitAnd, BitOr};

use crate::map::Map;
use crate::set::Set;
use crate::union::{UnionMap, UnionSet};

macro_rules! operators {
    ($($value:ident: $panics:literal;)*) => {$(
        impl BitOr for &$value {
            type Output = $value;

            #[doc = concat!("See [`", stringify!($value), "::union`].")]
            #[doc = $panics]
            fn bitor(self, other: &$value) -> $value {
                self.union(other)
            }
        }

        impl BitAnd for &$value {
            type Output = $value;

            #[doc = concat!("See [`", stringify!($value), "::intersect`].")]
            #[doc = $panics]
            fn bitand(self, other: &$value) -> $value {
                self.intersect(other)
            }
        }
    )*};
}
operators! {
    Set: "\n# Panics\nIf the spaces have different tuples.";
    Map: "\n# Panics\nIf the spaces have different tuples.";
    UnionSet: "";
    UnionMap: "";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    #[test]
    fn operators_are_unions_and_intersections() {
        let budget = &mut Budget::unlimited();
        let parse = |text: &str| text.parse::<UnionMap>().unwrap();
        let (a, b) = (parse("{ A[i] -> B[j] : i < j; C[] -> C[] }"), parse("[n] -> { A[i] -> B[j] : j < n }"));
        assert!((&a | &b).is_equal(&a.union(&b), budget).unwrap());
        assert!((&a & &b).is_equal(&parse("[n] -> { A[i] -> B[j] : i < j < n }"), budget).unwrap());
        let (a, b): (Map, Map) = ("{ [i] -> [i + 1] }".parse().unwrap(), "{ [i] -> [5] }".parse().unwrap());
        assert_eq!((&a & &b).to_string(), a.intersect(&b).to_string());
        assert_eq!((&a | &b).n_basic(), 2);
        let (a, b): (UnionSet, UnionSet) = ("{ A[i] : i > 3 }".parse().unwrap(), "{ B[] }".parse().unwrap());
        assert!((&a & &b).plain_is_empty());
        assert_eq!((&a | &b).len(), 2);
    }

    #[test]
    #[should_panic(expected = "is not defined")]
    fn operands_are_in_one_space() {
        let (a, b): (Set, Set) = ("{ A[i] }".parse().unwrap(), "{ B[i] }".parse().unwrap());
        let _ = &a | &b;
    }
}
