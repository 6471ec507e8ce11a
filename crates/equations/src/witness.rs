//! Points that show a flaw.

use poly_arith::Int;
use poly_presburger::{Budget, DimKind, Set, Stop};

/// Points with coordinates in these ranges are tried first, as examples that people understand.
const RANGES: [(i64, i64); 4] = [(0, 3), (0, 8), (-8, 32), (-1000, 1000)];

/// A point of a set, small if there is one: values of parameters, then of dimensions.
pub(crate) fn point(set: &Set, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
    if set.is_empty(budget)? {
        return Ok(None);
    }
    for (low, high) in RANGES {
        let mut near = set.clone();
        for kind in [DimKind::Param, DimKind::Out] {
            for i in 0..set.dim(kind) {
                near = near.lower_bound(kind, i, low).upper_bound(kind, i, high);
            }
        }
        if let Some(point) = near.sample(budget)? {
            return Ok(Some(point));
        }
    }
    set.sample(budget)
}

/// `i = 0, j = 1 when N = 3`.
pub(crate) fn text(set: &Set, point: &[Int]) -> String {
    let names = set.space().variable_names();
    let n = set.dim(DimKind::Param);
    let list = |range: std::ops::Range<usize>| {
        range.map(|i| format!("{} = {}", names[i], point[i])).collect::<Vec<_>>().join(", ")
    };
    match (n, point.len() - n) {
        (0, 0) => "any time".to_owned(),
        (_, 0) => list(0..n),
        (0, _) => list(0..point.len()),
        _ => format!("{} when {}", list(n..point.len()), list(0..n)),
    }
}

/// A point of a set in words.
pub(crate) fn described(set: &Set, budget: &mut Budget) -> Result<Option<String>, Stop> {
    Ok(point(set, budget)?.map(|point| text(set, &point)))
}

/// A point of one set that is not in another one, in words.
pub(crate) fn outside(set: &Set, of: &Set, budget: &mut Budget) -> Result<Option<String>, Stop> {
    described(&set.subtract(of, budget)?, budget)
}
