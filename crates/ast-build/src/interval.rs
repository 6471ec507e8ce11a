//! What loops are made of at one level: polyhedra, and the intervals of counter values in which
//! they have points.
//!
//! A [`Disjunct`] is a conjunction of a statement's domain in the schedule space, a [`Polyhedron`]
//! one with its shadow (its projection) at the current level \[Quillere2000\]. An [`Interval`] is a
//! convex range of counter values, for each value of the outer dimensions, together with the
//! polyhedra that have points in it.

use poly_arith::Int;
use poly_presburger::{BasicSet, Budget, DimKind, Stop};

use crate::atomic::{self, Hull};
use crate::context::Context;
use crate::shadow::Shadow;

/// Instances of a statement: a basic set over schedule dimensions followed by the coordinates of
/// the statement. Different disjuncts have no instance in common.
#[derive(Clone, Debug)]
pub(crate) struct Disjunct {
    /// Number of the statement.
    pub(crate) statement: usize,
    /// The instances; all divs known.
    pub(crate) set: BasicSet,
    /// Number of schedule dimensions before the coordinates.
    pub(crate) offset: usize,
}

/// A disjunct with its shadow at the current level, which is refined in the context.
#[derive(Clone, Debug)]
pub(crate) struct Polyhedron {
    pub(crate) disjunct: Disjunct,
    pub(crate) shadow: Shadow,
    /// What has been subtracted from the counter (see `shift.rs`).
    pub(crate) shift: Int,
}

/// A range of counter values.
#[derive(Clone, Debug)]
pub(crate) struct Interval {
    /// Constraints on the counter that the loop enforces.
    pub(crate) hull: Hull,
    /// What runs in the range.
    pub(crate) polyhedra: Vec<Polyhedron>,
    /// The polyhedra have to be restricted to the range.
    pub(crate) restrict: bool,
    /// Values of the outer dimensions for which the interval does not run: none of these sets.
    pub(crate) unless: Vec<BasicSet>,
}

impl Interval {
    pub(crate) fn atomic(context: &Context, polyhedra: Vec<Polyhedron>, budget: &mut Budget) -> Result<Interval, Stop> {
        let domains: Vec<&BasicSet> = polyhedra.iter().map(|p| &p.shadow.domain).collect();
        let hull = atomic::hull(context, &domains, budget)?;
        Ok(Interval { hull, polyhedra, restrict: false, unless: Vec::new() })
    }
}

/// The polyhedron within a region of counter values.
pub(crate) fn restrict_polyhedron(polyhedron: &Polyhedron, region: &BasicSet) -> Polyhedron {
    let mut polyhedron = polyhedron.clone();
    polyhedron.disjunct = restrict_disjunct(&polyhedron.disjunct, region);
    polyhedron.shadow.domain = polyhedron.shadow.domain.intersect(region);
    polyhedron
}

/// The disjunct with its first dimensions in `region`.
pub(crate) fn restrict_disjunct(disjunct: &Disjunct, region: &BasicSet) -> Disjunct {
    let inner = disjunct.set.n_dim() - region.n_dim();
    let region = region.insert_dims(DimKind::Out, region.n_dim(), inner);
    Disjunct { set: disjunct.set.intersect(&region), ..disjunct.clone() }
}
