//! The look at data before new code runs.
//!
//! Inspections ([`poly_scop::Scop::inspections`]) are statements that only read; their loops are
//! written like others, without threads, tiles and vectors, and stand behind the rest of the check.
//! Where a condition holds control leaves the loops for the original code. What comes behind a
//! branch that does not leave goes on in a new block.

use poly_scop::Instr;

use crate::generator::Generator;
use crate::region::Skeleton;
use crate::statement::Instance;

impl<'c> Generator<'c, '_> {
    /// Writes the inspections; the builder is behind them afterwards. `versioned` says whether the
    /// original can run already; the result, whether it can now.
    pub(crate) fn emit_inspection(&mut self, skeleton: &Skeleton<'c>, versioned: bool) -> bool {
        let prepared = self.prepared;
        let Some(code) = &prepared.program.inspection else { return versioned };
        self.stops = Some((skeleton.original, Vec::new()));
        self.emit_code(code);
        let (_, stops) = self.stops.take().expect("it has just been set");
        let mut further = versioned;
        for block in stops {
            match further {
                true => self.add_edge_to_original(skeleton, block),
                false => self.enter_first_from(block, skeleton),
            }
            further = true;
        }
        further
    }

    /// Leaves for the original code if the operand is true, or false if `inverted`.
    pub(crate) fn emit_stop(&mut self, instr: &Instr, inverted: bool, instance: &Instance<'c, '_>) {
        let condition = self.emit_operand(instr.operands[0], instance);
        let goes_on = if inverted { condition } else { self.b.not(condition) };
        self.count_unless(goes_on, "data end the program or lead to what is not modelled");
        let next = self.b.append_block(self.frame.function, "poly.inspected");
        let here = self.b.block();
        let (original, stops) = self.stops.as_mut().expect("only inspections stop");
        stops.push(here);
        let (then, otherwise) = if inverted { (next, *original) } else { (*original, next) };
        self.b.branch_if(condition, then, otherwise);
        self.b.at_end(next);
    }
}
