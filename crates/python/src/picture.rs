//! What notebooks show: sets and relations with few points, as SVG.

use poly_picture::svg;
use poly_presburger::{Budget, Map, Set};

/// What a picture may cost; what costs more has none.
const BUDGET: u64 = 4_000_000;

/// The picture of a set, if there is one.
pub(crate) fn of_set(set: &Set) -> Option<String> {
    svg::set(set, &mut Budget::new(BUDGET)).ok().flatten()
}

/// The picture of a relation, if there is one.
pub(crate) fn of_map(map: &Map) -> Option<String> {
    svg::relation(map, &mut Budget::new(BUDGET)).ok().flatten()
}
