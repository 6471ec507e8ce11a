//! Branches that end the program, or go where nothing can be modelled.
//!
//! No such branch is taken in a SCoP. Where its condition is affine that is an assumption, exactly,
//! or for all iterations where data decide whether the program comes to the branch; where products
//! of parameters are in it, a condition that is sufficient; where it depends on data it is looked
//! at before ([`crate::inspect`]).

use poly_presburger::{Budget, Set};
use poly_scop::AssumptionKind;
use poly_shim::ir::Opcode;
use poly_shim::{BlockRef, ValueRef};

use super::{Builder, condition_use};
use crate::cfg::BlockId;
use crate::error_blocks;
use crate::facts::Reason;
use crate::names;
use crate::reject::{Blocker, RejectKind};
use crate::values::condition_of;

/// A branch that ends the program by data.
#[derive(Clone, Debug)]
pub(crate) struct EndByData {
    /// It ends the program if its condition is true, else if it is false.
    pub(crate) if_true: bool,
    /// Why that is not known from parameters.
    pub(crate) why: Blocker,
}

impl<'c> Builder<'_, '_, 'c> {
    /// Whether the block is a dead end that does something before the program ends: where it does
    /// nothing the program cannot come.
    pub(super) fn ends_program(&self, block: BlockRef<'c>) -> bool {
        let cfg = self.translator.origins.cfg;
        cfg.number(block).is_none() && !block.is_nowhere()
    }

    /// Assumes that the branch at the end of the block does not go to a dead end.
    pub(super) fn assume_no_end(&mut self, block: BlockId, domain: &Set, budget: &mut Budget) -> Result<(), Blocker> {
        let terminator = self.translator.origins.cfg.blocks[block].terminator();
        let place = names::place(terminator);
        let before = self.translator.snapshot();
        let branches = match self.branches(terminator, block, domain, budget) {
            Err(blocker) if blocker.kind == RejectKind::NonAffineCondition => {
                self.translator.restore(before.clone());
                let blocker = match self.error_block_behind(block) {
                    Some(_) => blocker,
                    None => {
                        let Err(blocker) = self.ensure_no_end(terminator, block, domain, budget) else { return Ok(()) };
                        self.translator.restore(before);
                        blocker
                    }
                };
                if blocker.kind != RejectKind::NonAffineCondition {
                    return Err(blocker.in_block(block));
                }
                let what = match self.error_block_behind(block) {
                    Some(_) => "a branch is taken to what cannot be modelled",
                    None => "the program ends here",
                };
                let message = format!("whether {what} cannot be checked before: {}", blocker.message);
                return self.inspect_end(terminator, block, Blocker { message, ..blocker }.in_block(block));
            }
            branches => branches?,
        };
        let error_block = self.error_block_behind(block).cloned();
        let known = self.translator.facts.assumptions().len();
        let possible = self.translator.facts.restrict(domain);
        let text = error_block.clone().unwrap_or_else(|| "the program does not end inside".to_string());
        let reason = Reason { kind: AssumptionKind::BranchNotTaken, text, place };
        for (_, taken) in branches.iter().filter(|(target, _)| target.is_none()) {
            let outside = domain.intersect(taken);
            self.translator.facts.exclude(&outside, &reason, budget).map_err(|b| b.in_block(block))?;
            if error_block.is_some() {
                let new = &self.translator.facts.assumptions()[known..];
                error_blocks::check_use((&possible, taken), new, &reason, budget).map_err(|b| b.in_block(block))?;
            }
        }
        Ok(())
    }

    /// What assuming that the branch at the end of the block is not taken says, if it leads to an
    /// error block.
    fn error_block_behind(&self, block: BlockId) -> Option<&String> {
        let cfg = self.translator.origins.cfg;
        cfg.blocks[block].successors().into_iter().find_map(|next| cfg.error_block(next))
    }

    /// Remembers a branch that ends the program by data.
    fn inspect_end(&mut self, terminator: ValueRef<'c>, block: BlockId, why: Blocker) -> Result<(), Blocker> {
        let cfg = self.translator.origins.cfg;
        let ends: Vec<bool> = cfg.blocks[block].successors().into_iter().map(|b| cfg.number(b).is_none()).collect();
        match ends.as_slice() {
            &[if_true, otherwise] if if_true != otherwise && terminator.opcode() == Some(Opcode::Br) => {
                self.domains.ends_by_data.insert(block, EndByData { if_true, why });
                Ok(())
            }
            _ => Err(why),
        }
    }

    /// Sees to it that the branch goes where the program goes on, by a condition that is
    /// sufficient.
    fn ensure_no_end(
        &mut self,
        terminator: ValueRef<'c>,
        block: BlockId,
        domain: &Set,
        budget: &mut Budget,
    ) -> Result<(), Blocker> {
        let loops = self.loops_around(block);
        let place = names::place(terminator);
        let at = condition_use(block, &loops, domain, place.as_ref());
        let cfg = self.translator.origins.cfg;
        let goes_on: Vec<bool> = cfg.blocks[block].successors().into_iter().map(|b| cfg.number(b).is_some()).collect();
        let condition = condition_of(terminator).filter(|_| terminator.opcode() == Some(Opcode::Br));
        match (condition, goes_on.as_slice()) {
            (Some(condition), [first, second]) if first != second => {
                self.translator.ensure(condition, *first, &at, budget)
            }
            _ => Err(Blocker::new(RejectKind::NonAffineCondition, "it is a switch").at(place.clone())),
        }
    }
}
