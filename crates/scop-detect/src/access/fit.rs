//! The shape of an array, and the subscripts of its accesses.
//!
//! # Problem
//! Offsets do not say where one row ends. [`poly_scop::shape`] proposes shapes; any of them is
//! right in which all subscripts but the outermost are inside their dimensions.
//!
//! # Algorithm
//! 1. Every access is written in every proposed shape. The first shape in which all subscripts are
//!    proven to be inside is taken.
//! 2. Else the plausible ones are put in order, those that exclude fewer parameter values first,
//!    and the first one is taken for which it can be assumed.
//! 3. Else the array has one dimension, which needs no such proof, if its subscripts are affine.
//! 4. Parameters that are products (`A[r * n + j]`, with a parameter for `r * n`) are written as
//!    such where that explains more, and so are strides that are assumed to be products
//!    ([`Translator::with_nested_strides`]). What would have to be assumed must leave useful sizes
//!    ([`crate::plausible`]); accesses for which it does not, as those of
//!    `for (k = 0; k < n * n; k++) A[k]` beside rows of `n`, are left out, and of these only the
//!    rows are known that they may touch.

use std::collections::{BTreeMap, BTreeSet, HashMap};

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
/// Operations for each division of an offset by a stride, beside those for its terms.
const SPLIT: u64 = 10;
/// The part of the budget (one in so many) for putting possible shapes in order.
const ORDER_PART: u64 = 16;

/// One access in a shape: its subscripts, and the questions to which the answer is that it may be
/// outside.
#[derive(Clone)]
struct Fit {
    subscripts: Vec<PwAff>,
    open: Vec<usize>,
}

impl Fit {
    fn is_proven(&self) -> bool {
        self.open.is_empty()
    }
}

/// All accesses in a shape.
struct Fits {
    each: Vec<Fit>,
    questions: Vec<Question>,
}

/// Whether a subscript, or all that a transfer touches, is inside its dimension. Accesses to the
/// neighbours of an element share most of their subscripts, so that each question is asked once.
struct Question {
    /// The iterations in which it is outside.
    outside: Set,
    is_proven: bool,
}

impl Fits {
    fn is_proven(&self) -> bool {
        self.each.iter().all(Fit::is_proven)
    }

    /// The parameter values for which an access may be outside.
    fn fails(&self, open: &[usize]) -> Option<Set> {
        open.iter().map(|&k| self.questions[k].outside.params()).reduce(|a, b| a.union(&b))
    }

    /// All questions that are open for some access, each once.
    fn open(&self) -> Vec<usize> {
        let open: BTreeSet<usize> = self.each.iter().flat_map(|fit| fit.open.iter().copied()).collect();
        open.into_iter().collect()
    }

    fn into_subscripts(self) -> Vec<Vec<PwAff>> {
        self.each.into_iter().map(|fit| fit.subscripts).collect()
    }
}

pub(super) type Recovered = (Shape, Vec<Vec<PwAff>>);

/// What was found out about the accesses of an array.
pub(super) enum Found {
    /// A shape, and the subscripts.
    Shape(Recovered),
    /// A shape is likely in which these accesses, by position, would be outside for all useful
    /// sizes.
    Beside(Vec<usize>),
}

/// The shapes that the accesses may have.
#[derive(Default)]
struct Shapes {
    /// One that needs no assumption.
    proven: Option<Recovered>,
    /// Those that need some.
    possible: Vec<(Shape, Fits)>,
    /// One dimension, if that explains the strides.
    flat: Vec<Shape>,
    /// The accesses that do not fit in one that fits others; the fewest.
    misfits: Vec<usize>,
}

/// The shape of an array and the subscripts of its accesses. Offsets that the shape explains only
/// with the factors of products get these.
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
    let before = translator.snapshot();
    if let Some(nested) = with_nested_strides(translator, sites, budget)? {
        if let Ok(found) = with_assumptions(translator, base, &nested, budget)? {
            *sites = nested;
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
            return Ok(Found::Shape((shape, fits.into_subscripts())));
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

/// The accesses with products in place of the parameters that stand for them; nothing if there are
/// none.
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

/// The accesses with products of strides in place of those of outer dimensions; nothing if there
/// are no such strides.
fn with_nested_strides<'c>(
    translator: &mut Translator<'_, '_>,
    sites: &[Site<'c>],
    budget: &mut Budget,
) -> Result<Option<Vec<Site<'c>>>, Blocker> {
    let offsets: Vec<&Polynomial> = sites.iter().map(|site| &site.offset).collect();
    let nested = translator.with_nested_strides(&offsets, budget)?;
    let site = |(site, offset): (&Site<'c>, Polynomial)| Site { offset, ..site.clone() };
    Ok(nested.map(|offsets| sites.iter().zip(offsets).map(site).collect()))
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
        if fits.is_proven() {
            result.proven = Some((shape, fits.into_subscripts()));
            return Ok(result);
        }
        if is_plausible(&shape, &fits.each) {
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

/// Makes the assumptions of the first shape for which that is possible and leaves useful sizes;
/// else the first reason why not. Accesses that would leave none are added to the misfits.
fn assume_one(
    translator: &mut Translator<'_, '_>,
    base: ValueRef<'_>,
    sites: &[Site<'_>],
    (possible, misfits): (Vec<(Shape, Fits)>, &mut Vec<usize>),
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
            Ok(()) => return Ok(Ok((shape, fits.into_subscripts()))),
            Err(blocker) => {
                tracing::debug!(reason = %blocker.message, rank = shape.rank(), "the shape is not possible");
                translator.restore(before);
                failure.get_or_insert(blocker);
            }
        }
    }
    Ok(Err(failure))
}

/// The accesses that are outside for all useful sizes; all that may be outside if that is so for
/// all of them together.
fn useless(translator: &Translator<'_, '_>, fits: &Fits, budget: &mut Budget) -> Result<Vec<usize>, Blocker> {
    if !translator.has_product() {
        return Ok(Vec::new());
    }
    let known = translator.facts.known();
    let open: Vec<usize> = (0..fits.each.len()).filter(|&k| !fits.each[k].is_proven()).collect();
    let mut alone = Vec::new();
    for &k in &open {
        let fails = fits.fails(&fits.each[k].open).expect("some question is open");
        if !translator.is_plausible(known, &fails, budget)? {
            alone.push(k);
        }
    }
    if !alone.is_empty() || open.len() < 2 {
        return Ok(alone);
    }
    let together = fits.fails(&fits.open()).expect("some question is open");
    Ok(if translator.is_plausible(known, &together, budget)? { Vec::new() } else { open })
}

/// Whether it is worth to assume that subscripts are inside the shape. Constant strides can as well
/// belong to a one-dimensional array that is accessed in steps, unless one access walks in both
/// dimensions. Where all accesses go through a dimension in large steps, these are the rows of an
/// array and the other stride is something else.
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

/// The possible shapes, those that leave more parameter values first where one set of values
/// contains the other. Every order is right, so a part of the budget has to do.
fn by_assumptions(mut possible: Vec<(Shape, Fits)>, budget: &mut Budget) -> Vec<(Shape, Fits)> {
    if possible.len() < 2 {
        return possible;
    }
    let mut part = budget.sub(budget.remaining() / ORDER_PART);
    let excluded = possible.iter().map(|(_, fits)| fits.fails(&fits.open()).expect("a shape is not proven"));
    let mut excluded: Vec<Set> = excluded.collect();
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
) -> Result<Result<Fits, Vec<usize>>, Blocker> {
    let mut asker = Asker::new(sites);
    let mut each: Vec<Fit> = Vec::new();
    let mut misfits = Vec::new();
    // A load and a store of one element fit alike.
    let mut known: BTreeMap<(usize, &Polynomial, Option<&Polynomial>), Option<Fit>> = BTreeMap::new();
    for (number, site) in sites.iter().enumerate() {
        let key = (asker.with_same_domain(number), &site.offset, site.length.as_ref());
        let fit = match known.get(&key) {
            Some(fit) => fit.clone(),
            None => {
                let fit = asker.fit(translator, number, shape, budget)?;
                known.insert(key, fit.clone());
                fit
            }
        };
        match fit {
            Some(fit) => each.push(fit),
            None => misfits.push(number),
        }
    }
    Ok(if misfits.is_empty() { Ok(Fits { each, questions: asker.questions }) } else { Err(misfits) })
}

/// Asks whether subscripts are inside.
struct Asker<'a, 'c> {
    sites: &'a [Site<'c>],
    /// The first access with each domain.
    domains: HashMap<&'a Set, usize>,
    /// The questions about a subscript and an extent in the domain of an access.
    known: HashMap<(usize, PwAff, PwAff), usize>,
    questions: Vec<Question>,
}

impl<'a, 'c> Asker<'a, 'c> {
    fn new(sites: &'a [Site<'c>]) -> Self {
        Self { sites, domains: HashMap::new(), known: HashMap::new(), questions: Vec::new() }
    }

    /// The best way to write one offset in the shape: the first one inside the bounds, else the
    /// first one.
    fn fit(
        &mut self,
        translator: &mut Translator<'_, '_>,
        number: usize,
        shape: &Shape,
        budget: &mut Budget,
    ) -> Result<Option<Fit>, Blocker> {
        let site = &self.sites[number];
        let depth = site.loops.len();
        budget.spend(shape.rank() as u64 * (SPLIT + site.offset.terms().count() as u64))?;
        let extents: Option<Vec<PwAff>> = shape.extents().iter().map(|e| translator.to_function(e, depth)).collect();
        let Some(extents) = extents else { return Ok(None) };
        let inside = shape::split_inside(&site.offset, shape, |k, subscript| {
            let Some(function) = translator.to_function(subscript, depth) else { return Ok(false) };
            let question = self.is_inside(translator, number, (function, extents[k - 1].clone()), budget)?;
            Ok::<bool, Blocker>(self.questions[question].is_proven)
        })?;
        let mut first = None;
        for split in inside.into_iter().chain(shape::splits(&site.offset, shape)) {
            let Some(fit) = self.fit_split(translator, number, (&split, shape, &extents), budget)? else { continue };
            if fit.is_proven() {
                return Ok(Some(fit));
            }
            first.get_or_insert(fit);
            // Others are inside only if that has been found already.
            if site.length.is_none() {
                break;
            }
        }
        Ok(first)
    }

    /// The offset in the shape, in this way; nothing if that is not possible.
    fn fit_split(
        &mut self,
        translator: &Translator<'_, '_>,
        number: usize,
        (split, shape, extents): (&[Polynomial], &Shape, &[PwAff]),
        budget: &mut Budget,
    ) -> Result<Option<Fit>, Blocker> {
        let site = &self.sites[number];
        let depth = site.loops.len();
        let subscripts: Option<Vec<PwAff>> = split.iter().map(|s| translator.to_function(s, depth)).collect();
        let Some(subscripts) = subscripts else { return Ok(None) };
        let mut open = Vec::new();
        if let Some(length) = &site.length {
            let Some(end) = end_outside(translator, depth, (split, length), shape) else { return Ok(None) };
            open.push(self.ask(translator, number, end, budget)?);
        }
        for (subscript, extent) in subscripts[1..].iter().zip(extents) {
            open.push(self.is_inside(translator, number, (subscript.clone(), extent.clone()), budget)?);
        }
        open.retain(|&question| !self.questions[question].is_proven);
        Ok(Some(Fit { subscripts, open }))
    }

    /// Whether the subscript of an access is inside the dimension of this extent.
    fn is_inside(
        &mut self,
        translator: &Translator<'_, '_>,
        number: usize,
        (subscript, extent): (PwAff, PwAff),
        budget: &mut Budget,
    ) -> Result<usize, Blocker> {
        let site = self.with_same_domain(number);
        let about = (site, subscript, extent);
        if let Some(&known) = self.known.get(&about) {
            return Ok(known);
        }
        let zero = PwAff::constant(about.1.space().clone(), 0);
        let bad = about.1.lt_set(&zero).union(&about.1.ge_set(&about.2));
        let question = self.ask(translator, site, bad, budget)?;
        self.known.insert(about, question);
        Ok(question)
    }

    /// The first access with the domain of this one.
    fn with_same_domain(&mut self, number: usize) -> usize {
        *self.domains.entry(&self.sites[number].domain).or_insert(number)
    }

    fn ask(
        &mut self,
        translator: &Translator<'_, '_>,
        site: usize,
        bad: Set,
        budget: &mut Budget,
    ) -> Result<usize, Blocker> {
        let domain = &self.sites[site].domain;
        bad.charge_intersection(domain, budget)?;
        let outside = bad.intersect(domain);
        let is_proven = translator.facts.is_impossible(&outside, budget)?;
        self.questions.push(Question { outside, is_proven });
        Ok(self.questions.len() - 1)
    }
}

/// Assumes that no access is outside: for each of them, what has not been assumed for one before
/// it.
fn assume_bounds(
    translator: &mut Translator<'_, '_>,
    base: ValueRef<'_>,
    sites: &[Site<'_>],
    fits: &Fits,
    budget: &mut Budget,
) -> Result<(), Blocker> {
    let mut assumed = BTreeSet::new();
    for (site, fit) in sites.iter().zip(&fits.each) {
        let new = fit.open.iter().filter(|&&k| assumed.insert(k)).map(|&k| fits.questions[k].outside.clone());
        let Some(outside) = new.reduce(|a, b| a.union(&b)) else { continue };
        let text = format!("subscripts of {} are inside its inner dimensions", names::quoted(base));
        let reason = Reason { kind: AssumptionKind::InBounds, text, place: site.place.clone() };
        translator.facts.exclude(&outside, &reason, budget).map_err(|b| b.in_block(site.block))?;
    }
    Ok(())
}
