//! Ends of the program that depend on data: conditions that are looked at, for all iterations,
//! before new code runs.
//!
//! # Problem
//! `if (x[i] < 0) abort();` or a bounds check of an index that is loaded: whether an iteration ends
//! the program is no affine condition. A model without such ends is right if the condition holds
//! nowhere, which a look at the data tells ([`poly_scop::Scop::inspections`] says when and how that
//! is done).
//!
//! # What can be inspected
//! The condition is computed anew, from what it is computed from in the program: computations and
//! loads of the block with the branch and of blocks that are always executed before it in the same
//! iterations of the loops around them. Where data decide whether the program comes to the branch,
//! the conditions that do so are computed in the same way, and loads are executed only where they
//! let the program come to them. Not allowed are
//! * PHI nodes and values that loops leave behind: they depend on the way that control has taken,
//! * `freeze`, of which two copies may differ, calls that look at memory or set `errno`, and loops
//!   that are executed as a whole,
//! * loads from arrays that the region writes: what they read is known only when it has been
//!   written.
//!
//! Nor may there be arrays with rows: the check that rows do not overlap comes before, and loads
//! pointers that the original might not come to.
//!
//! Addresses of these loads are those of the model, or data like in statements ([`crate::access`]).

use std::collections::HashSet;

use poly_scop::OperandKind;
use poly_shim::ValueRef;
use poly_shim::ir::Opcode;

use crate::access::{self, Accesses, Role};
use crate::cfg::BlockId;
use crate::domains::Domains;
use crate::errno;
use crate::names;
use crate::needs::Needs;
use crate::parts::{self, Node};
use crate::reject::Blocker;
use crate::validity;
use crate::values::{Origins, condition_of};

/// Most steps of one inspection.
const MAX_STEPS: usize = 64;

/// All instructions that inspections consist of.
pub(crate) fn instructions<'c>(
    origins: Origins<'_, 'c>,
    domains: &Domains,
    needs: &Needs<'c>,
) -> Result<HashSet<ValueRef<'c>>, Blocker> {
    let mut result = HashSet::new();
    for &block in domains.ends_by_data.keys().filter(|&&block| domains.runs(block)) {
        result.extend(steps(origins, domains, needs, block)?);
    }
    Ok(result)
}

/// What an inspection does.
pub(crate) fn nodes<'c>(
    origins: Origins<'_, 'c>,
    domains: &Domains,
    needs: &Needs<'c>,
    accesses: &Accesses<'c>,
    block: BlockId,
) -> Result<Vec<Node<'c>>, Blocker> {
    let end = &domains.ends_by_data[&block];
    if let Some(rows) = accesses.arrays.iter().find(|array| array.table.is_some()) {
        let why = format!("the rows of '{}' would have to be looked up before", rows.name);
        return Err(because(end.why.clone(), &why));
    }
    let steps = steps(origins, domains, needs, block)?;
    for &load in steps.iter().filter(|step| step.opcode() == Some(Opcode::Load)) {
        let array = &accesses.arrays[accesses.array_of(load, Role::Main)];
        if array.is_written {
            return Err(because(end.why.clone(), &format!("it depends on '{}', which is written", array.name)));
        }
    }
    Ok(parts::of_inspection(origins, domains, needs, &steps, (block, end.if_true)))
}

/// The instructions that the condition at the end of the block is computed from, and what decides
/// whether the block runs, each behind its operands.
fn steps<'c>(
    origins: Origins<'_, 'c>,
    domains: &Domains,
    needs: &Needs<'c>,
    block: BlockId,
) -> Result<Vec<ValueRef<'c>>, Blocker> {
    let why = &domains.ends_by_data[&block].why;
    let condition = condition_of(origins.cfg.blocks[block].terminator()).expect("the block decides by a condition");
    let mut roots = parts::deciding(origins, &domains.units, block);
    roots.push((condition, block));
    let mut result: Vec<ValueRef<'c>> = Vec::new();
    // Values, the blocks where they are used, and whether their operands have been visited.
    let mut todo: Vec<(ValueRef<'c>, BlockId, bool)> = roots.into_iter().rev().map(|(v, b)| (v, b, false)).collect();
    let mut visited = 0;
    while let Some((value, block, is_ready)) = todo.pop() {
        if is_ready {
            if !result.contains(&value) {
                result.push(value);
            }
            continue;
        }
        if result.contains(&value) || origins.operand_kind(value, block) != OperandKind::Local {
            continue;
        }
        visited += 1;
        if visited > MAX_STEPS {
            return Err(because(why.clone(), "too much would have to be computed"));
        }
        if !can_be_repeated(origins, domains, value, block) {
            return Err(because(why.clone(), &format!("it depends on {}", names::quoted(value))));
        }
        todo.push((value, block, true));
        todo.extend(needs.data_operands(value).into_iter().rev().map(|operand| (operand, block, false)));
    }
    Ok(result)
}

/// Whether an instruction that is executed before the end of the block, in the same iterations,
/// gives the same value when it is executed before the region.
fn can_be_repeated<'c>(origins: Origins<'_, 'c>, domains: &Domains, value: ValueRef<'c>, block: BlockId) -> bool {
    let (cfg, region) = (origins.cfg, origins.region);
    let Some(definition) = origins.defining_block(value) else { return false };
    let is_executed = cfg.dominates(definition, block)
        && region.loops_around(cfg, block).starts_with(&region.loops_around(cfg, definition))
        && cfg.subregion_at(definition).is_none()
        && domains.runs(definition);
    let is_pure = match value.opcode() {
        Some(Opcode::Load) => true,
        Some(Opcode::Phi | Opcode::Freeze | Opcode::Store) | None => false,
        Some(Opcode::Call) => {
            !access::sees_memory(value)
                && access::transfer(value).is_none()
                && !errno::is_set_by(origins.ctx, value)
                && !validity::is_dropped_mark(value)
                && !value.effects().has_side_effects()
        }
        _ => !value.effects().has_side_effects(),
    };
    is_executed && is_pure
}

/// The reason with why a look at the data does not tell either.
fn because(mut blocker: Blocker, why: &str) -> Blocker {
    blocker.message = format!("{}; nor by a look at the data: {why}", blocker.message);
    blocker
}
