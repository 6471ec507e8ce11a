//! What it costs to look at the pointers to rows before the new code runs.
//!
//! # Problem
//! Where an array has rows that a table of pointers leads to, the check loads the pointer to every
//! row that is accessed. That is nothing beside the elements of long rows, but it is of the order
//! of the work where rows are short.
//!
//! # Method
//! Rows are looked at if they are written, or compared with another array. Their number is the
//! distance of the first one and the last one for given sizes, divided by the stride.

use poly_arith::Int;
use poly_presburger::{Budget, DimKind, Set, Stop};

use crate::check::{is_accessed, is_needed};
use crate::config::Config;
use crate::facts::{at, estimates, extents};
use crate::sizes::Sizes;
use crate::{ArrayId, Scop};

/// Predicted cycles of looking at all pointers, at the sizes of the configuration.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn cycles(scop: &Scop, config: &Config, budget: &mut Budget) -> Result<f64, Stop> {
    Ok(config.machine.code.check_row_cycles * rows(scop, &config.sizes, budget)?)
}

/// The number of pointers that the check loads.
fn rows(scop: &Scop, sizes: &Sizes, budget: &mut Budget) -> Result<f64, Stop> {
    let is_looked_at = |array: &ArrayId| {
        let mut pairs = scop.may_alias.iter();
        let is_compared = pairs.any(|&(a, b)| (a == *array || b == *array) && is_needed(scop, a, b));
        scop.arrays[array.index()].table().is_some() && (is_compared || is_accessed(scop, *array, true))
    };
    let arrays: Vec<ArrayId> = (0..scop.arrays.len()).map(ArrayId::from).filter(is_looked_at).collect();
    if arrays.is_empty() {
        return Ok(0.0);
    }
    let values = estimates(scop, sizes, budget)?;
    let mut total = 0.0;
    for array in arrays {
        let mut most: f64 = 0.0;
        for statement in scop.statements.iter().chain(&scop.inspections) {
            for access in statement.accesses.iter().filter(|access| access.array == array) {
                let elements = access.relation.intersect_domain(&statement.domain).range().set_tuple_name(None);
                let numbers = at(&elements.project_out(DimKind::Out, 1, elements.n_dim() - 1), &values);
                most = most.max(count(&numbers, &values, sizes, budget)?);
            }
        }
        total += most;
    }
    Ok(total)
}

/// How many numbers there are, if they are every so many of a range.
fn count(numbers: &Set, values: &[Int], sizes: &Sizes, budget: &mut Budget) -> Result<f64, Stop> {
    if numbers.is_empty(budget)? {
        return Ok(0.0);
    }
    let stride = numbers.stride(0, budget)?.to_i64().filter(|&stride| stride > 1).unwrap_or(1);
    let extent = extents(numbers, values, sizes, budget)?[0];
    Ok((extent / stride as f64).ceil())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_by_strides() {
        let number = |text: &str| {
            let set: Set = text.parse().expect("the set can be read");
            let values = [Int::from(100)];
            count(&at(&set, &values), &values, &Sizes::default(), &mut Budget::unlimited()).unwrap()
        };
        assert_eq!(number("[n] -> { [x] : 0 <= x < n }"), 100.0);
        assert_eq!(number("[n] -> { [x] : exists k : x = 3k + 1 and 0 <= k < n }"), 100.0);
        assert_eq!(number("[n] -> { [x] : x = n }"), 1.0);
        assert_eq!(number("[n] -> { [x] : 0 <= x < n and n < 0 }"), 0.0);
    }
}
