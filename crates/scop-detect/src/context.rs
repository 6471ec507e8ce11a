//! What the program has checked before it comes to a region.
//!
//! # Algorithm
//! A branch whose one side dominates the region has decided its condition when the region is
//! entered; so has an `llvm.assume` before it. Such conditions are added to the context if they can
//! be translated without any assumption and speak of nothing but values that matter inside the
//! region.

use std::collections::HashSet;

use poly_presburger::{Budget, Set};
use poly_shim::ir::Opcode;
use poly_shim::{ScevRef, ValueRef};

use crate::affine::{Products, Translator, Use};
use crate::cfg::BlockId;
use crate::reject::{Blocker, RejectKind};
use crate::values::{Origins, condition_of};

/// How many dominating blocks are looked at.
const MAX_DOMINATORS: usize = 64;
/// How much of a condition is looked at.
const MAX_PARTS: usize = 32;

/// A value of type `i1` and what it is known to be.
type Decided<'c> = (ValueRef<'c>, bool);

/// Adds what is known at the region's entry to the facts.
pub(crate) fn learn(translator: &mut Translator<'_, '_>, budget: &mut Budget) -> Result<(), Blocker> {
    let relevant = relevant_values(translator.origins);
    for (condition, holds) in decided(translator.origins) {
        let values = values_of_condition(translator.origins, condition);
        if values.is_empty() || !values.is_subset(&relevant) {
            continue;
        }
        let before = translator.snapshot();
        let everywhere = Set::universe(translator.space(0));
        let at = Use {
            block: translator.origins.region.entry,
            loops: &[],
            domain: &everywhere,
            what: "a condition before the region",
            place: None,
            kind: RejectKind::NonAffineCondition,
            may_assume: false,
            products: Products::Refused,
        };
        match translator.condition(condition, &at, budget) {
            Ok(split) => {
                let decided = if holds { split.holds } else { split.fails };
                let joined = remove_impossible(translator, decided.params(), budget)?;
                translator.facts.learn(&joined);
            }
            Err(blocker) if blocker.kind == RejectKind::Complexity => return Err(blocker),
            Err(_) => translator.restore(before),
        }
    }
    Ok(())
}

/// Without disjuncts that the context excludes (what is only assumed is no fact), joined.
fn remove_impossible(translator: &Translator<'_, '_>, set: Set, budget: &mut Budget) -> Result<Set, Blocker> {
    let mut result = Set::empty(set.space().clone());
    for basic in set.basic_sets() {
        let basic = Set::from_basic(basic);
        if !basic.intersect(translator.facts.context()).is_empty(budget)? {
            result = result.union(&basic);
        }
    }
    Ok(result.coalesce(budget)?)
}

/// Conditions that are decided at the entry, the nearest first.
fn decided<'c>(origins: Origins<'_, 'c>) -> Vec<Decided<'c>> {
    let cfg = origins.cfg;
    let entry = origins.region.entry;
    let mut result = Vec::new();
    let mut next = cfg.dominator[entry];
    for _ in 0..MAX_DOMINATORS {
        let Some(block) = next else { break };
        next = cfg.dominator[block];
        for call in cfg.blocks[block].instructions() {
            if call.opcode() == Some(Opcode::Call) && call.intrinsic_name().as_deref() == Some("llvm.assume") {
                result.push((call.operand(0), true));
            }
        }
        let terminator = cfg.blocks[block].terminator();
        let Some(condition) = condition_of(terminator).filter(|_| terminator.opcode() == Some(Opcode::Br)) else {
            continue;
        };
        let targets: Vec<Option<BlockId>> = cfg.blocks[block].successors().into_iter().map(|b| cfg.number(b)).collect();
        let decides = |target: BlockId| cfg.predecessors[target] == [block] && cfg.dominates(target, entry);
        match targets.as_slice() {
            // The other way does not come here.
            [Some(_), None] => result.push((condition, true)),
            [None, Some(_)] => result.push((condition, false)),
            [Some(then), Some(otherwise)] if then != otherwise && decides(*then) => result.push((condition, true)),
            [Some(then), Some(otherwise)] if then != otherwise && decides(*otherwise) => {
                result.push((condition, false))
            }
            _ => {}
        }
    }
    result
}

/// The values that trip counts, conditions and addresses inside the region depend on.
fn relevant_values<'c>(origins: Origins<'_, 'c>) -> HashSet<ValueRef<'c>> {
    let mut result = HashSet::new();
    for &l in &origins.region.loops {
        add_values(origins.ctx.backedge_taken_count(origins.cfg.loops[l].handle), &mut result);
    }
    for &block in &origins.region.blocks {
        for instruction in origins.cfg.instructions(block) {
            if let Some(scev) = instruction.pointer_operand().and_then(|p| origins.scev_in(p, block)) {
                add_values(scev, &mut result);
            }
            if let Some(condition) = condition_of(instruction) {
                result.extend(values_of_condition(origins, condition));
            }
        }
    }
    result
}

/// The values that the expressions compared in a condition consist of.
fn values_of_condition<'c>(origins: Origins<'_, 'c>, condition: ValueRef<'c>) -> HashSet<ValueRef<'c>> {
    let mut result = HashSet::new();
    let mut todo = vec![condition];
    for _ in 0..MAX_PARTS {
        let Some(value) = todo.pop() else { break };
        match value.opcode() {
            Some(Opcode::ICmp) => {
                for scev in value.operands().into_iter().filter_map(|o| origins.ctx.scev(o)) {
                    add_values(origins.canonical(scev), &mut result);
                }
            }
            Some(Opcode::And | Opcode::Or | Opcode::Xor | Opcode::Select) => todo.extend(value.operands()),
            _ if value.is_constant() => {}
            _ => {
                result.insert(value);
            }
        }
    }
    result
}

fn add_values<'c>(scev: ScevRef<'c>, into: &mut HashSet<ValueRef<'c>>) {
    let mut todo = vec![scev];
    // Written out as trees expressions may be exponentially large.
    let mut seen = HashSet::new();
    while let Some(part) = todo.pop() {
        if !seen.insert(part) {
            continue;
        }
        into.extend(part.unknown_value());
        // A loop counter is represented by its loop.
        into.extend(part.addrec_loop().map(|l| l.header().as_value()));
        todo.extend(part.operands());
    }
}
