//! Values that are known to be at least 0.
//!
//! The accesses of a loop are often to the same few addresses, with the same products in them; what
//! was proven or assumed of one use counts for the next. Knowledge only grows, so an answer stays
//! true until the translator goes back to an earlier state, and then this goes back too.

use std::collections::BTreeMap;
use std::rc::Rc;

use poly_presburger::Set;
use poly_scop::shape::Polynomial;

use crate::affine::Use;
use crate::cfg::LoopIndex;

/// Loops, and the values of their counters at which something is looked at.
type Points = (Vec<LoopIndex>, Set);

/// By value, the points at which it is known to be at least 0. Copies share their entries until one
/// of them is changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Naturals(Rc<BTreeMap<Polynomial, Vec<Points>>>);

impl Naturals {
    /// Whether the value is known to be at least 0 wherever the use looks at it.
    pub(crate) fn contains(&self, value: &Polynomial, at: &Use<'_>) -> bool {
        let known = self.0.get(value).map_or(&[][..], Vec::as_slice);
        known.iter().any(|(loops, domain)| loops == at.loops && domain == at.domain)
    }

    /// Adds that the value is at least 0 wherever the use looks at it.
    pub(crate) fn add(&mut self, value: &Polynomial, at: &Use<'_>) {
        if !self.contains(value, at) {
            let points = (at.loops.to_vec(), at.domain.clone());
            Rc::make_mut(&mut self.0).entry(value.clone()).or_default().push(points);
        }
    }
}
