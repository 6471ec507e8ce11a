//! What memory costs that only the new code has.
//!
//! # Problem
//! A temporary is allocated each time the new code runs. For small ones that is a call of the
//! allocator; large ones come from the system, which clears their pages. A short nest pays for
//! neither, so the cost belongs to the candidate's, at all sizes that are looked at.

use poly_presburger::{Aff, Budget, Stop};

use crate::config::{Config, Profitability};
use crate::facts::{estimates, to_f64};
use crate::sizes::Sizes;
use crate::{ArrayKind, Scop};

/// An estimate of the bytes of all temporaries.
pub(crate) fn bytes(scop: &Scop, sizes: &Sizes, budget: &mut Budget) -> Result<f64, Stop> {
    if !scop.arrays.iter().any(|array| array.is_temporary()) {
        return Ok(0.0);
    }
    let values = estimates(scop, sizes, budget)?;
    let size = |aff: &Aff| to_f64(&aff.eval(&values, &[])).max(0.0);
    let bytes = scop.arrays.iter().filter_map(|array| match &array.kind {
        ArrayKind::Temporary { rows, in_use, .. } => {
            let rows = in_use.map_or_else(|| size(rows), |in_use| in_use as f64);
            Some(rows * array.extents.iter().map(size).product::<f64>() * f64::from(array.element.bytes))
        }
        _ => None,
    });
    Ok(bytes.sum())
}

/// Predicted cycles to allocate them, to touch them for the first time and to free them; none where
/// losses are to be ignored.
pub(crate) fn cycles(bytes: f64, config: &Config) -> f64 {
    match config.profitability {
        Profitability::Required => config.machine.memory.temporary_cycles(bytes),
        Profitability::Ignored => 0.0,
    }
}
