//! What notebooks show: sets, relations and schedules with few points, as SVG.

use poly_picture::svg;
use poly_presburger::{Budget, Map, Set};
use poly_schedule_tree::ScheduleTree;

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

/// The picture of a schedule, if there is one.
pub(crate) fn of_schedule(tree: &ScheduleTree) -> Option<String> {
    svg::schedule(tree, &mut Budget::new(BUDGET)).ok().flatten()
}
