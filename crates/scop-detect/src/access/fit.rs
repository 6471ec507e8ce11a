//! The shape of an array, and the subscripts of its accesses.
//!
//! # Problem
//! Offsets do not say where one row ends. [`poly_scop::shape`] proposes shapes; any of them is right in which all subscripts but the outermost are inside their dimensions.
//!
//! # Algorithm
//! 1. Every access is written in every proposed shape. The first shape in which all subscripts are proven to be inside is taken.
//! 2. Else the plausible ones are put in order, those that exclude fewer parameter values first, and the first one is taken for which it can be assumed.
//! 3. Else the array has one dimension, which needs no such proof, if its subscripts are affine.

use poly_arith::Int;
use poly_presburger::{Budget, DimKind, PwAff, Set};
use poly_scop::AssumptionKind;
use poly_scop::shape::{self, Polynomial, Shape};
use poly_shim::ValueRef;

use super::Site;
use super::transfer::end_outside;
use crate::affine::Translator;
use crate::facts::Reason;
use crate::names;
use crate::reject::{Blocker, RejectKind};

/// Dimensions of which only every so many-th element is used are not assumed.
const LONGEST_STEP: i64 = 64;
/// The part of the budget (one in so many) for putting possible shapes in order.
const ORDER_PART: u64 = 16;

/// One access in a shape: its subscripts and what is outside of the bounds.
struct Fit {
    subscripts: Vec<PwAff>,
    outside: Set,
    is_proven: bool,
}

pub(super) type Recovered = (Shape, Vec<Vec<PwAff>>);

/// The shape of an array and the subscripts of its accesses.
pub(super) fn recover(
    translator: &mut Translator<'_, '_>,
    base: ValueRef<'_>,
    sites: &[Site<'_>],
    budget: &mut Budget,
) -> Result<Recovered, Blocker> {
    if sites.is_empty() {
        return Ok((Shape::flat(), Vec::new()));
    }
    let mut offsets: Vec<Polynomial> = sites.iter().map(|s| s.offset.clone()).collect();
    // The pieces of an offset with a minimum or maximum in it show strides that the whole hides.
    offsets.extend(sites.iter().flat_map(|s| translator.pieces(&s.offset, s.loops.len())));
    let (flat, shapes): (Vec<Shape>, Vec<Shape>) =
        shape::candidates(&offsets).into_iter().partition(|s| *s == Shape::flat());
    let mut possible: Vec<(Shape, Vec<Fit>)> = Vec::new();
    for shape in shapes {
        let Some(fits) = fit_all(translator, sites, &shape, budget)? else { continue };
        if fits.iter().all(|f| f.is_proven) {
            return Ok((shape, fits.into_iter().map(|f| f.subscripts).collect()));
        }
        if is_plausible(&shape, &fits) {
            possible.push((shape, fits));
        }
    }
    let mut failure = None;
    for (shape, fits) in by_assumptions(possible, budget) {
        let before = translator.snapshot();
        match assume_bounds(translator, base, sites, &fits, budget) {
            Ok(()) => return Ok((shape, fits.into_iter().map(|f| f.subscripts).collect())),
            Err(blocker) => {
                tracing::debug!(reason = %blocker.message, rank = shape.rank(), "the shape is not possible");
                translator.restore(before);
                failure.get_or_insert(blocker);
            }
        }
    }
    for shape in flat {
        if let Some(fits) = fit_all(translator, sites, &shape, budget)? {
            return Ok((shape, fits.into_iter().map(|f| f.subscripts).collect()));
        }
    }
    Err(failure.unwrap_or_else(|| {
        let message = format!("a subscript of {} is not affine and no array shape explains it", names::quoted(base));
        Blocker::new(RejectKind::NonAffineAccess, message).at(sites[0].place.clone()).in_block(sites[0].block)
    }))
}

/// Whether it is worth to assume that subscripts are inside the shape. Constant strides can as well belong to a one-dimensional array that is accessed in steps,
/// unless one access walks in both dimensions. Where all accesses go through a dimension in large steps, these are the rows of an array and the other stride is something else.
fn is_plausible(shape: &Shape, fits: &[Fit]) -> bool {
    let extents = shape.extents();
    let steps = |k: usize| fits.iter().fold(Int::ZERO, |gcd, fit| gcd.gcd(&content(&fit.subscripts[k])));
    if (1..shape.rank()).any(|k| steps(k) >= LONGEST_STEP) {
        return false;
    }
    let walks = |subscript: &PwAff| subscript.involves_dims(DimKind::Out, 0, subscript.space().dim(DimKind::Out));
    (1..shape.rank())
        .filter(|k| extents[k - 1].as_constant().is_some())
        .all(|k| fits.iter().any(|fit| walks(&fit.subscripts[k]) && fit.subscripts[..k].iter().any(walks)))
}

/// The greatest common divisor of the coefficients of a function.
fn content(function: &PwAff) -> Int {
    let rows = function.pieces().iter().map(|(_, aff)| if aff.is_integral_affine() { Some(aff.row()) } else { None });
    rows.fold(Int::ZERO, |gcd, row| match row {
        Some(row) => row.iter().fold(gcd, |gcd, coefficient| gcd.gcd(coefficient)),
        None => Int::ONE,
    })
}

/// The possible shapes, those that leave more parameter values first where one set of values contains the other. Every order is right, so a part of the
/// budget has to do.
fn by_assumptions(mut possible: Vec<(Shape, Vec<Fit>)>, budget: &mut Budget) -> Vec<(Shape, Vec<Fit>)> {
    let mut part = budget.sub(budget.remaining() / ORDER_PART);
    let mut excluded = Vec::new();
    for (_, fits) in &possible {
        let sets = fits.iter().map(|fit| fit.outside.params());
        excluded.push(sets.reduce(|a, b| a.union(&b)).expect("arrays have accesses"));
    }
    let mut result = Vec::new();
    while !possible.is_empty() {
        let mut best = 0;
        for k in 1..possible.len() {
            if excluded[k].is_strict_subset(&excluded[best], &mut part).unwrap_or(false) {
                best = k;
            }
        }
        excluded.remove(best);
        result.push(possible.remove(best));
    }
    budget.absorb(&part);
    result
}

/// All accesses in the shape; nothing if one does not fit.
fn fit_all(
    translator: &mut Translator<'_, '_>,
    sites: &[Site<'_>],
    shape: &Shape,
    budget: &mut Budget,
) -> Result<Option<Vec<Fit>>, Blocker> {
    let mut result = Vec::new();
    for site in sites {
        match fit(translator, site, shape, budget)? {
            Some(fit) => result.push(fit),
            None => return Ok(None),
        }
    }
    Ok(Some(result))
}

/// The best way to write one offset in the shape: the first one inside the bounds, else the first one.
fn fit(
    translator: &mut Translator<'_, '_>,
    site: &Site<'_>,
    shape: &Shape,
    budget: &mut Budget,
) -> Result<Option<Fit>, Blocker> {
    let depth = site.loops.len();
    let mut first = None;
    for split in shape::splits(&site.offset, shape) {
        let subscripts: Option<Vec<PwAff>> = split.iter().map(|s| translator.to_function(s, depth)).collect();
        let extents: Option<Vec<PwAff>> = shape.extents().iter().map(|e| translator.to_function(e, depth)).collect();
        let (Some(subscripts), Some(extents)) = (subscripts, extents) else { continue };
        let domain = &site.domain;
        let mut outside = Set::empty(domain.space().clone());
        if let Some(length) = &site.length {
            let Some(end) = end_outside(translator, depth, (&split, length), shape) else { continue };
            end.pay_meeting(domain, budget)?;
            outside = end.intersect(domain);
        }
        for (subscript, extent) in subscripts[1..].iter().zip(&extents) {
            let zero = PwAff::constant(subscript.space().clone(), 0);
            let bad = subscript.lt_set(&zero).union(&subscript.ge_set(extent));
            bad.pay_meeting(domain, budget)?;
            outside = outside.union(&bad.intersect(domain));
        }
        let is_proven = translator.facts.is_impossible(&outside, budget)?;
        let fit = Fit { subscripts, outside, is_proven };
        if is_proven {
            return Ok(Some(fit));
        }
        first.get_or_insert(fit);
    }
    Ok(first)
}

fn assume_bounds(
    translator: &mut Translator<'_, '_>,
    base: ValueRef<'_>,
    sites: &[Site<'_>],
    fits: &[Fit],
    budget: &mut Budget,
) -> Result<(), Blocker> {
    for (site, fit) in sites.iter().zip(fits).filter(|(_, fit)| !fit.is_proven) {
        let text = format!("subscripts of {} are inside its inner dimensions", names::quoted(base));
        let reason = Reason { kind: AssumptionKind::InBounds, text, place: site.place.clone() };
        translator.facts.exclude(&fit.outside, &reason, budget).map_err(|b| b.in_block(site.block))?;
    }
    Ok(())
}
