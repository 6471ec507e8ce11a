//! The shape of an array, and the subscripts of its accesses.
//!
//! # Problem
//! Offsets do not say where one row ends. [`poly_scop::shape`] proposes shapes; any of them is right in which all subscripts but the outermost are inside their dimensions.
//!
//! # Algorithm
//! 1. Every access is written in every proposed shape. The first shape in which all subscripts are proven to be inside is taken.
//! 2. Else the plausible ones are put in order, those that exclude fewer parameter values first, and the first one is taken for which it can be assumed.
//! 3. Else the array has one dimension, which needs no such proof, if its subscripts are affine.
//! 4. Parameters that are products (`A[r * n + j]`, with a parameter for `r * n`) are written as such where that explains more. What would have to be assumed must leave useful sizes
//!    ([`crate::plausible`]); accesses for which it does not, as those of `for (k = 0; k < n * n; k++) A[k]` beside rows of `n`, are left out, and of these only the rows are known that they may touch.

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
#[derive(Clone)]
struct Fit {
    subscripts: Vec<PwAff>,
    outside: Set,
    is_proven: bool,
}

pub(super) type Recovered = (Shape, Vec<Vec<PwAff>>);

/// What was found out about the accesses of an array.
pub(super) enum Found {
    /// A shape, and the subscripts.
    Shape(Recovered),
    /// A shape is likely in which these accesses, by position, would be outside for all useful sizes.
    Beside(Vec<usize>),
}

/// The shapes that the accesses may have.
#[derive(Default)]
struct Shapes {
    /// One that needs no assumption.
    proven: Option<Recovered>,
    /// Those that need some.
    possible: Vec<(Shape, Vec<Fit>)>,
    /// One dimension, if that explains the strides.
    flat: Vec<Shape>,
    /// The accesses that do not fit in one that fits others; the fewest.
    misfits: Vec<usize>,
}

/// The shape of an array and the subscripts of its accesses. Offsets that the shape explains only with the factors of products get these.
pub(super) fn recover(
    translator: &mut Translator<'_, '_>,
    base: ValueRef<'_>,
    sites: &mut Vec<Site<'_>>,
    budget: &mut Budget,
) -> Result<Found, Blocker> {
    if sites.is_empty() {
        return Ok(Found::Shape((Shape::flat(), Vec::new())));
    }
    let mut shapes = shapes_of(translator, sites, budget)?;
    if let Some(proven) = shapes.proven {
        return Ok(Found::Shape(proven));
    }
    let before = translator.snapshot();
    if let Some(expanded) = with_factors(translator, sites, budget) {
        let found = with_assumptions(translator, base, &expanded, budget)?;
        if let Ok(found) = found {
            *sites = expanded;
            return Ok(Found::Shape(found));
        }
        translator.restore(before);
    }
    let possible = std::mem::take(&mut shapes.possible);
    let failure = match assume_one(translator, base, sites, (possible, &mut shapes.misfits), budget)? {
        Ok(found) => return Ok(Found::Shape(found)),
        Err(failure) => failure,
    };
    for shape in shapes.flat {
        if let Ok(fits) = fit_all(translator, sites, &shape, budget)? {
            return Ok(Found::Shape((shape, fits.into_iter().map(|f| f.subscripts).collect())));
        }
    }
    if !shapes.misfits.is_empty() {
        return Ok(Found::Beside(shapes.misfits));
    }
    Err(failure.unwrap_or_else(|| {
        let message = format!("a subscript of {} is not affine and no array shape explains it", names::quoted(base));
        Blocker::new(RejectKind::NonAffineAccess, message).at(sites[0].place.clone()).in_block(sites[0].block)
    }))
}

/// The accesses with products in place of the parameters that stand for them; nothing if there are none.
fn with_factors<'c>(
    translator: &mut Translator<'_, '_>,
    sites: &[Site<'c>],
    budget: &mut Budget,
) -> Option<Vec<Site<'c>>> {
    let expand = |site: &Site<'c>, translator: &mut Translator<'_, '_>, budget: &mut Budget| {
        let offset = translator.with_factors(&site.offset, budget);
        Site { offset, ..site.clone() }
    };
    let expanded: Vec<Site<'c>> = sites.iter().map(|site| expand(site, translator, budget)).collect();
    let is_new = sites.iter().zip(&expanded).any(|(old, new)| old.offset != new.offset);
    is_new.then_some(expanded)
}

/// A shape of which it is proven or assumed that all subscripts are inside.
fn with_assumptions(
    translator: &mut Translator<'_, '_>,
    base: ValueRef<'_>,
    sites: &[Site<'_>],
    budget: &mut Budget,
) -> Result<Result<Recovered, Option<Blocker>>, Blocker> {
    let mut shapes = shapes_of(translator, sites, budget)?;
    match shapes.proven {
        Some(proven) => Ok(Ok(proven)),
        None => assume_one(translator, base, sites, (shapes.possible, &mut shapes.misfits), budget),
    }
}

/// Looks at all candidates, up to the first one that needs no assumption.
fn shapes_of(translator: &mut Translator<'_, '_>, sites: &[Site<'_>], budget: &mut Budget) -> Result<Shapes, Blocker> {
    let mut offsets: Vec<Polynomial> = sites.iter().map(|s| s.offset.clone()).collect();
    // The pieces of an offset with a minimum or maximum in it show strides that the whole hides.
    offsets.extend(sites.iter().flat_map(|s| translator.pieces(&s.offset, s.loops.len())));
    let (flat, shapes): (Vec<Shape>, Vec<Shape>) =
        shape::candidates(&offsets).into_iter().partition(|s| *s == Shape::flat());
    let mut result = Shapes { flat, ..Shapes::default() };
    for shape in shapes {
        let fits = match fit_all(translator, sites, &shape, budget)? {
            Ok(fits) => fits,
            Err(misfits) => {
                result.add_misfits(misfits, sites.len());
                continue;
            }
        };
        if fits.iter().all(|f| f.is_proven) {
            result.proven = Some((shape, fits.into_iter().map(|f| f.subscripts).collect()));
            return Ok(result);
        }
        if is_plausible(&shape, &fits) {
            result.possible.push((shape, fits));
        }
    }
    Ok(result)
}

impl Shapes {
    fn add_misfits(&mut self, misfits: Vec<usize>, all: usize) {
        let is_better = self.misfits.is_empty() || misfits.len() < self.misfits.len();
        if is_better && misfits.len() < all {
            self.misfits = misfits;
        }
    }
}

/// Makes the assumptions of the first shape for which that is possible and leaves useful sizes; else the first reason why not. Accesses that would leave none are added to the misfits.
fn assume_one(
    translator: &mut Translator<'_, '_>,
    base: ValueRef<'_>,
    sites: &[Site<'_>],
    (possible, misfits): (Vec<(Shape, Vec<Fit>)>, &mut Vec<usize>),
    budget: &mut Budget,
) -> Result<Result<Recovered, Option<Blocker>>, Blocker> {
    let mut failure = None;
    for (shape, fits) in by_assumptions(possible, budget) {
        let useless = useless(translator, &fits, budget)?;
        if !useless.is_empty() {
            tracing::debug!(rank = shape.rank(), "the shape is not plausible for useful sizes");
            let mut new = Shapes { misfits: std::mem::take(misfits), ..Shapes::default() };
            new.add_misfits(useless, sites.len());
            *misfits = new.misfits;
            continue;
        }
        let before = translator.snapshot();
        match assume_bounds(translator, base, sites, &fits, budget) {
            Ok(()) => return Ok(Ok((shape, fits.into_iter().map(|f| f.subscripts).collect()))),
            Err(blocker) => {
                tracing::debug!(reason = %blocker.message, rank = shape.rank(), "the shape is not possible");
                translator.restore(before);
                failure.get_or_insert(blocker);
            }
        }
    }
    Ok(Err(failure))
}

/// The accesses that are outside for all useful sizes; all that may be outside if that is so for all of them together.
fn useless(translator: &Translator<'_, '_>, fits: &[Fit], budget: &mut Budget) -> Result<Vec<usize>, Blocker> {
    if !translator.has_product() {
        return Ok(Vec::new());
    }
    let known = translator.facts.known();
    let open: Vec<usize> = (0..fits.len()).filter(|&k| !fits[k].is_proven).collect();
    let mut alone = Vec::new();
    let mut together = Set::empty(known.space().clone());
    for &k in &open {
        let fails = fits[k].outside.params();
        if !translator.is_plausible(known, &fails, budget)? {
            alone.push(k);
        }
        together = together.union(&fails);
    }
    let is_useless = alone.is_empty() && open.len() > 1 && !translator.is_plausible(known, &together, budget)?;
    Ok(if is_useless { open } else { alone })
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
        let _ = excluded.remove(best);
        result.push(possible.remove(best));
    }
    budget.absorb(&part);
    result
}

/// All accesses in the shape, or those that do not fit.
fn fit_all(
    translator: &mut Translator<'_, '_>,
    sites: &[Site<'_>],
    shape: &Shape,
    budget: &mut Budget,
) -> Result<Result<Vec<Fit>, Vec<usize>>, Blocker> {
    let mut result: Vec<Fit> = Vec::new();
    let mut misfits = Vec::new();
    for (number, site) in sites.iter().enumerate() {
        // A load and a store of one element fit alike.
        let known = sites[..number].iter().position(|other| other.is_alike(site)).filter(|_| misfits.is_empty());
        if let Some(known) = known {
            result.push(result[known].clone());
            continue;
        }
        match fit(translator, site, shape, budget)? {
            Some(fit) => result.push(fit),
            None => misfits.push(number),
        }
    }
    Ok(if misfits.is_empty() { Ok(result) } else { Err(misfits) })
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
    let extents: Option<Vec<PwAff>> = shape.extents().iter().map(|e| translator.to_function(e, depth)).collect();
    let Some(extents) = extents else { return Ok(None) };
    for split in shape::splits(&site.offset, shape) {
        let subscripts: Option<Vec<PwAff>> = split.iter().map(|s| translator.to_function(s, depth)).collect();
        let Some(subscripts) = subscripts else { continue };
        let domain = &site.domain;
        let mut outside = Set::empty(domain.space().clone());
        if let Some(length) = &site.length {
            let Some(end) = end_outside(translator, depth, (&split, length), shape) else { continue };
            end.charge_intersection(domain, budget)?;
            outside = end.intersect(domain);
        }
        for (subscript, extent) in subscripts[1..].iter().zip(&extents) {
            let zero = PwAff::constant(subscript.space().clone(), 0);
            let bad = subscript.lt_set(&zero).union(&subscript.ge_set(extent));
            bad.charge_intersection(domain, budget)?;
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
