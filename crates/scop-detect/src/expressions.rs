//! What scalar evolution says of a function's values, asked once.
//!
//! Regions of a function share most of their blocks, and each of them is read several times. What
//! is kept here depends on the function only, not on a region, and the function does not change
//! while SCoPs are looked for: all graphs of it share one table.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use poly_shim::{PassContext, ScevRef, ValueRef};

use crate::cfg::LoopIndex;

/// A value, and the loop from inside of which it is looked at.
type Place<'c> = (ValueRef<'c>, Option<LoopIndex>);

/// Answers of scalar evolution.
#[derive(Debug, Default)]
pub(crate) struct Expressions<'c> {
    by_place: RefCell<HashMap<Place<'c>, Option<ScevRef<'c>>>>,
    values: RefCell<HashMap<ScevRef<'c>, Rc<[ValueRef<'c>]>>>,
}

impl<'c> Expressions<'c> {
    /// The answer for a place; it is asked for with `ask` the first time.
    pub(crate) fn at(&self, place: Place<'c>, ask: impl FnOnce() -> Option<ScevRef<'c>>) -> Option<ScevRef<'c>> {
        if let Some(&known) = self.by_place.borrow().get(&place) {
            return known;
        }
        let answer = ask();
        self.by_place.borrow_mut().insert(place, answer);
        answer
    }

    /// The values that occur in an expression.
    pub(crate) fn values(&self, scev: ScevRef<'c>) -> Rc<[ValueRef<'c>]> {
        if let Some(known) = self.values.borrow().get(&scev) {
            return Rc::clone(known);
        }
        let values: Rc<[ValueRef<'c>]> = scev.values().into();
        self.values.borrow_mut().insert(scev, Rc::clone(&values));
        values
    }

    /// The expression with other values in place of some: `replaced` says which.
    pub(crate) fn replace(
        &self,
        ctx: PassContext<'c>,
        scev: ScevRef<'c>,
        replaced: &HashMap<ValueRef<'c>, ValueRef<'c>>,
    ) -> ScevRef<'c> {
        // Most expressions have none of them, and of many values each has few.
        let own = |from: &ValueRef<'c>| replaced.get(from).map(|to| (*from, *to));
        let own: Vec<(ValueRef<'c>, ValueRef<'c>)> = self.values(scev).iter().filter_map(own).collect();
        if own.is_empty() { scev } else { ctx.scev_replace(scev, &own) }
    }
}
