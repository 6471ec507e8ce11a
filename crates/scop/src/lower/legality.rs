//! What lowering asks about dependences: one oracle for a lowering, so that what was found out at a place is known at the next one.
//!
//! Every question is about the pairs of one dependence that agree in the loops around a place ([`Lowering::pairs_inside`]), and most about the signs of their distances in one more function
//! ([`Lowering::signs_inside`]). Places, bands and candidates differ; the questions are mostly the same.

use poly_presburger::{Budget, Map, Stop, UnionPwAff};
use poly_transform::rewrite::Signs;

use super::Lowering;

impl Lowering<'_> {
    /// The pairs of a dependence, by its position, that have distance zero in some functions; `None` if there are none.
    pub(super) fn pairs_inside<'f>(
        &self,
        dependence: usize,
        functions: impl IntoIterator<Item = &'f UnionPwAff>,
        budget: &mut Budget,
    ) -> Result<Option<Map>, Stop> {
        let mut oracle = self.oracle.borrow_mut();
        let prefix = oracle.prefix(functions);
        oracle.pairs(dependence, prefix, budget)
    }

    /// The signs of the distances in one more function of the pairs that have distance zero in others; `None` if there are no such pairs.
    pub(super) fn signs_inside<'f>(
        &self,
        dependence: usize,
        functions: impl IntoIterator<Item = &'f UnionPwAff>,
        function: &UnionPwAff,
        budget: &mut Budget,
    ) -> Result<Option<Signs>, Stop> {
        let mut oracle = self.oracle.borrow_mut();
        let prefix = oracle.prefix(functions);
        if oracle.pairs(dependence, prefix, budget)?.is_none() {
            return Ok(None);
        }
        oracle.signs(dependence, prefix, function, budget).map(Some)
    }
}
