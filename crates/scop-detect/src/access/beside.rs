//! Accesses that no shape explains, beside others that one does.
//!
//! # Problem
//! `for (k = 0; k < n * n; k++) A[k] = 0;` passes through an array whose other accesses have rows
//! of `n`. Its offset is affine, but `k / n` and `k % n` are no subscripts. What can be said is
//! which rows it may touch.
//!
//! # Algorithm
//! The offset has a smallest and a largest value that are polynomials in the parameters, `0` and
//! `n * n - 1` ([`Translator::lower_bound`]). Written in the shape, with the inner subscripts
//! proven to be inside of their extents, they are the first and the last element: no row before
//! that of the first and behind that of the last is touched.

use poly_arith::Int;
use poly_presburger::{Budget, PwAff};
use poly_scop::ElementType;
use poly_scop::shape::{self, Polynomial, Shape};

use super::{Anywhere, Site};
use crate::affine::{Products, Translator, Use};
use crate::reject::{Blocker, RejectKind};

/// The first and the last subscript of the outermost dimension, affine in the parameters, as far as
/// they are known.
#[derive(Debug, Default)]
pub(super) struct Ends {
    pub(super) first: Option<Polynomial>,
    pub(super) last: Option<Polynomial>,
}

impl Anywhere<'_> {
    /// The rows that may be touched in an array of more than one dimension.
    pub(super) fn rows(
        &self,
        translator: &mut Translator<'_, '_>,
        shape: &Shape,
        element: &ElementType,
        budget: &mut Budget,
    ) -> Result<Ends, Blocker> {
        let Some(site) = self.site.as_ref().filter(|_| shape.rank() > 1) else { return Ok(Ends::default()) };
        let Some(offset) = site.offset.div_int(&Int::from(i64::from(element.bytes))) else {
            return Ok(Ends::default());
        };
        let opposite = |value: &Polynomial| value.scale(&Int::NEG_ONE);
        let first = row_of_least(translator, site, &offset, (shape, false), budget)?;
        let last = row_of_least(translator, site, &opposite(&offset), (shape, true), budget)?;
        Ok(Ends { first, last })
    }
}

/// The outermost subscript of the smallest value of an offset; if `is_opposite`, of the offset with
/// the other sign.
fn row_of_least(
    translator: &mut Translator<'_, '_>,
    site: &Site<'_>,
    offset: &Polynomial,
    (shape, is_opposite): (&Shape, bool),
    budget: &mut Budget,
) -> Result<Option<Polynomial>, Blocker> {
    let at = Use {
        block: site.block,
        loops: &site.loops,
        domain: &site.domain,
        what: "a subscript",
        place: site.place.as_ref(),
        kind: RejectKind::NonAffineAccess,
        may_assume: true,
        products: Products::Assumed,
    };
    let before = translator.snapshot();
    translator.know_products(budget);
    if let Some(least) = translator.lower_bound(offset, &at, budget)? {
        let end = if is_opposite { least.scale(&Int::NEG_ONE) } else { least };
        let end = translator.with_factors(&end, budget);
        for split in shape::splits(&end, shape) {
            if is_inside(translator, site, &split, shape, budget)? {
                return Ok(split.into_iter().next());
            }
        }
    }
    translator.restore(before);
    Ok(None)
}

/// Whether subscripts that depend on parameters only are inside of the inner dimensions, and the
/// outermost one is affine.
fn is_inside(
    translator: &Translator<'_, '_>,
    site: &Site<'_>,
    split: &[Polynomial],
    shape: &Shape,
    budget: &mut Budget,
) -> Result<bool, Blocker> {
    let function = |value: &Polynomial| translator.to_function(value, 0);
    let subscripts: Option<Vec<PwAff>> = split.iter().map(function).collect();
    let extents: Option<Vec<PwAff>> = shape.extents().iter().map(function).collect();
    let (Some(subscripts), Some(extents)) = (subscripts, extents) else { return Ok(false) };
    let executed = site.domain.params();
    for (subscript, extent) in subscripts[1..].iter().zip(&extents) {
        let zero = PwAff::constant(subscript.space().clone(), 0);
        let outside = subscript.lt_set(&zero).union(&subscript.ge_set(extent));
        if !translator.facts.is_impossible(&outside.params().intersect(&executed), budget)? {
            return Ok(false);
        }
    }
    Ok(split[0].is_affine() && split[0].symbols().iter().all(|s| matches!(s, shape::Symbol::Param(_))))
}
