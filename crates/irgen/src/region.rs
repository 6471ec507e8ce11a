//! The control flow around the new code.
//!
//! # The check block
//! If all edges into the region's entry come from outside, the entry block is split behind its PHI
//! nodes and allocas; the upper half becomes the check block. Otherwise the entry is a loop header:
//! a new block takes over the edges from outside.
//!
//! # The merge block
//! A new block takes over all edges from the region to the exit block. It has a PHI node for each
//! PHI node of the exit block and for each value of the region with other uses behind it; the end
//! of the new code becomes one more predecessor ([`crate::generator`] adds its values). If the exit
//! block is the header of a loop around the region, the edge from the merge block becomes its
//! backedge and gets the loop's metadata.

use indexmap::IndexMap;
use poly_shim::expand::Expander;
use poly_shim::{BlockRef, ScevRef, ValueRef};

use crate::builder::{self, Block, Builder, Value};
use crate::prepare::{Prepared, Source, entry_is_straight, is_outside_use, stays_before_check};

/// The blocks that connect new and original code.
#[derive(Debug)]
pub(crate) struct Skeleton<'c> {
    /// Ends with a branch to `original`.
    pub(crate) check: Block<'c>,
    /// The entry of the original code.
    pub(crate) original: Block<'c>,
    /// Where both meet.
    pub(crate) merge: Block<'c>,
    /// PHI nodes of `merge`, each with the source of its value on the new path.
    pub(crate) merged: Vec<(Value<'c>, Source<'c>)>,
    /// What LLVM has expanded in the check block, by expression.
    pub(crate) expansions: IndexMap<*const std::ffi::c_void, Value<'c>>,
}

/// Inserts check and merge blocks. The function stays valid and equivalent.
pub(crate) fn insert<'c>(prepared: &Prepared<'c, '_>) -> Skeleton<'c> {
    let (check, original) = split_entry(prepared);
    let mut region: Vec<BlockRef<'c>> = prepared.bindings.blocks.clone();
    region.retain(|b| *b != check);
    if !region.contains(&original) {
        region.push(original);
    }
    let expansions = expand(prepared, check);
    let (merge, merged) = split_exit(prepared, &region);
    Skeleton { check, original, merge, merged, expansions }
}

fn split_entry<'c>(prepared: &Prepared<'c, '_>) -> (Block<'c>, Block<'c>) {
    let (cx, entry) = (prepared.cx, prepared.bindings.entry);
    if !entry_is_straight(prepared.bindings, &prepared.region) {
        let mut outside: Vec<BlockRef<'c>> = Vec::new();
        for block in entry.predecessors() {
            if !prepared.region.contains(&block) && !outside.contains(&block) {
                outside.push(block);
            }
        }
        let check = cx.split_predecessors(entry, &outside);
        builder::set_name(check.as_value(), "poly.check");
        return (check, entry);
    }
    let name = entry.as_value().name();
    let first = entry.instructions().into_iter().find(|&i| !stays_before_check(i));
    let original = cx.split_block(first.expect("blocks have a terminator"), "poly.original");
    builder::set_name(entry.as_value(), "poly.check");
    if !name.is_empty() {
        builder::set_name(original.as_value(), &name);
    }
    (entry, original)
}

/// Expands the expressions that preparation has collected, in the check block. LLVM's expander asks
/// the analyses, which are kept right so far.
fn expand<'c>(prepared: &Prepared<'c, '_>, check: Block<'c>) -> IndexMap<*const std::ffi::c_void, Value<'c>> {
    let mut expander = Expander::new(prepared.cx);
    let at = check.terminator();
    let expand = |scev: &ScevRef<'c>| (scev.raw(), expander.expand_own(*scev, at));
    prepared.expanded.iter().map(expand).collect()
}

fn split_exit<'c>(prepared: &Prepared<'c, '_>, region: &[BlockRef<'c>]) -> (Block<'c>, Vec<(Value<'c>, Source<'c>)>) {
    let exit = prepared.bindings.exit;
    let b = Builder::new(prepared.cx);
    let merge = b.append_block(prepared.bindings.function, "poly.merge");
    builder::move_block_before(merge, exit);
    b.at_end(merge);
    let mut exiting: Vec<BlockRef<'c>> = Vec::new();
    for block in exit.predecessors() {
        if region.contains(&block) {
            exiting.push(block);
        }
    }
    let mut merged = Vec::new();
    for &(phi, source) in &prepared.exit_phis {
        merged.push((merge_phi(&b, phi, merge, region), source));
    }
    for &(value, source) in &prepared.escaping {
        let phi = b.phi(value.ty(), &format!("{}.merge", value.name()));
        exiting.iter().for_each(|&from| builder::add_incoming(phi, value, from));
        replace_outside_uses(prepared, value, phi, merge, region);
        merged.push((phi, source));
    }
    b.use_artificial_place(prepared.bindings.function);
    let edge = b.branch(exit);
    for block in exiting {
        let terminator = block.terminator();
        if let (1, Some(id)) = (block.successors().len(), terminator.metadata("llvm.loop")) {
            edge.set_metadata("llvm.loop", id);
            terminator.remove_metadata("llvm.loop");
        }
        builder::redirect(block, exit, merge);
    }
    (merge, merged)
}

/// Moves the edges from the region of an exit PHI to a new PHI node of the merge block.
fn merge_phi<'c>(b: &Builder<'c>, phi: ValueRef<'c>, merge: Block<'c>, region: &[BlockRef<'c>]) -> Value<'c> {
    let merged = b.phi(phi.ty(), &format!("{}.merge", phi.name()));
    let edges = phi.incoming();
    for (position, (from, value)) in edges.into_iter().enumerate().rev() {
        if region.contains(&from) {
            builder::add_incoming(merged, value, from);
            phi.remove_incoming(position);
        }
    }
    builder::add_incoming(phi, merged, merge);
    merged
}

fn replace_outside_uses<'c>(
    prepared: &Prepared<'c, '_>,
    value: ValueRef<'c>,
    with: Value<'c>,
    merge: Block<'c>,
    region: &[BlockRef<'c>],
) {
    let exit = prepared.bindings.exit;
    for user in value.users() {
        let in_region = user.block().is_none_or(|b| b == merge || region.contains(&b));
        if in_region || !is_outside_use(user, value, exit, (&prepared.region, &prepared.dead_ends)) {
            continue;
        }
        for (position, operand) in user.operands().into_iter().enumerate() {
            if operand == value {
                builder::set_operand(user, position, with);
            }
        }
    }
}

/// The original code is entered from another block than the check block.
pub(crate) fn rename_check<'c>(skeleton: &Skeleton<'c>, now: Block<'c>) {
    for phi in skeleton.original.phis().into_iter().filter(|_| now != skeleton.check) {
        let edges = phi.incoming();
        let check = edges.iter().position(|(from, _)| *from == skeleton.check);
        let position = check.expect("the original code was entered from the check");
        builder::add_incoming(phi, edges[position].1, now);
        phi.remove_incoming(position);
    }
}

/// The original code is not reachable any more: its PHI nodes lose the edges from the check.
pub(crate) fn disconnect(skeleton: &Skeleton<'_>) {
    for phi in skeleton.original.phis() {
        let edges = phi.incoming();
        for (position, (from, _)) in edges.into_iter().enumerate().rev() {
            if from == skeleton.check {
                phi.remove_incoming(position);
            }
        }
    }
}
