//! Scalar promotion undone: PHI nodes that carry an array element through a loop go back to that element.

use poly_arith::Int;
use poly_presburger::{BasicMap, Budget, Map, Space, Stop, Tuple};

use super::flow;
use crate::{AccessId, AccessKind, ArrayId, ArrayKind, InstrKind, ScalarKind, Scop, Statement, ValueId};

/// Lets readers of an updated value read the PHI node that the same statement writes with it.
///
/// LLVM keeps a sum in a PHI node and uses the *updated* value behind the loop. Both scalars then hold the same value whenever the
/// latter is read; with one scalar instead of two, the sum can be mapped to memory.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn share_phi_values(scop: &mut Scop, budget: &mut Budget) -> Result<(), Stop> {
    for (value, phi) in shared_pairs(scop) {
        let mut proposal = scop.clone();
        for access in proposal.statements.iter_mut().flat_map(|s| &mut s.accesses) {
            if access.array == value && access.kind == AccessKind::Read {
                access.array = phi;
                access.relation = rename_range(&access.relation, &scop.arrays[phi.index()].name);
            }
        }
        let before = flow::analyse(scop, budget)?;
        let after = flow::analyse(&proposal, budget)?;
        if flow::preserves(&before, &after, budget)? {
            *scop = proposal;
        }
    }
    Ok(())
}

/// Pairs of a value scalar and a PHI scalar that one statement writes with the same value.
fn shared_pairs(scop: &Scop) -> Vec<(ArrayId, ArrayId)> {
    let mut pairs = Vec::new();
    for statement in &scop.statements {
        let scalars: Vec<(ArrayId, ScalarKind, ValueId)> = statement
            .accesses
            .iter()
            .filter(|a| a.kind == AccessKind::MustWrite)
            .filter_map(|a| match scop.arrays[a.array.index()].kind {
                ArrayKind::Scalar { kind, live_out: false, .. } => Some((a.array, kind, a.value)),
                _ => None,
            })
            .collect();
        for &(value, kind, written) in &scalars {
            if kind != ScalarKind::Value || !is_read(scop, value) {
                continue;
            }
            let phi = scalars.iter().find(|&&(_, kind, other)| kind == ScalarKind::Phi && other == written);
            if let Some(&(phi, ..)) = phi {
                pairs.push((value, phi));
            }
        }
    }
    pairs
}

fn is_read(scop: &Scop, array: ArrayId) -> bool {
    scop.statements.iter().any(|s| s.accesses.iter().any(|a| a.kind == AccessKind::Read && a.array == array))
}

fn rename_range(relation: &Map, name: &str) -> Map {
    let tuple = Tuple::named(name, 0);
    relation.set_tuple(poly_presburger::DimKind::Out, tuple)
}

/// Maps scalars to the array elements that their values are stored to.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn map_to_memory(scop: &mut Scop, budget: &mut Budget) -> Result<(), Stop> {
    let mut before = None;
    for scalar in (0..scop.arrays.len()).map(ArrayId::from) {
        if !matches!(scop.arrays[scalar.index()].kind, ArrayKind::Scalar { live_out: false, .. }) || !is_read(scop, scalar) {
            continue;
        }
        for target in targets(scop, scalar) {
            let Some(proposal) = redirect(scop, scalar, target) else { continue };
            let flow = match before.take() {
                Some(flow) => flow,
                None => flow::analyse(scop, budget)?,
            };
            let after = flow::analyse(&proposal, budget)?;
            if flow::preserves(&flow, &after, budget)? {
                *scop = proposal;
                before = Some(after);
                break;
            }
            before = Some(flow);
        }
    }
    Ok(())
}

/// A store of the content of a scalar: where that scalar may live.
#[derive(Clone, Copy, Debug)]
struct Target {
    statement: usize,
    access: usize,
}

/// Stores to memory of a value that was read from `scalar`, or written to it, with the scalar's type.
fn targets(scop: &Scop, scalar: ArrayId) -> Vec<Target> {
    let mut result = Vec::new();
    for (index, statement) in scop.statements.iter().enumerate() {
        let values: Vec<ValueId> =
            statement.accesses.iter().filter(|a| a.array == scalar).map(|a| a.value).collect();
        for instr in &statement.body {
            let InstrKind::Write(access) = instr.kind else { continue };
            let target = &statement.accesses[access.index()];
            let array = &scop.arrays[target.array.index()];
            let stores_it = instr.operands.first().is_some_and(|o| values.contains(&o.value));
            if stores_it
                && target.kind == AccessKind::MustWrite
                && !array.is_scalar()
                && array.element == scop.arrays[scalar.index()].element
            {
                result.push(Target { statement: index, access: access.index() });
            }
        }
    }
    result
}

/// The SCoP with every access of `scalar` redirected to the element that `target` stores to in the same iteration of its loops.
/// `None` when a statement that accesses the scalar is not inside all of these loops.
fn redirect(scop: &Scop, scalar: ArrayId, target: Target) -> Option<Scop> {
    let store = &scop.statements[target.statement];
    let element = store.accesses[target.access].clone();
    let mut proposal = scop.clone();
    for statement in &mut proposal.statements {
        if !statement.accesses.iter().any(|a| a.array == scalar) {
            continue;
        }
        if !statement.loops.starts_with(&store.loops) {
            return None;
        }
        let relation = prefix_map(statement, store).apply_range(&element.relation);
        for access in statement.accesses.iter_mut().filter(|a| a.array == scalar) {
            access.array = element.array;
            access.relation = relation.clone();
        }
    }
    Some(proposal)
}

/// `{ inner[i, j, k] -> outer[i, j] }` for a statement `inner` inside all loops of `outer`.
pub(super) fn prefix_map(inner: &Statement, outer: &Statement) -> Map {
    let params = inner.domain.space().params.clone();
    let (deep, flat) = (inner.loops.len(), outer.loops.len());
    let space = Space::map(params.clone(), Tuple::named(&*inner.name, deep), Tuple::named(&*outer.name, flat));
    let mut basic = BasicMap::universe(space);
    for dimension in 0..flat {
        let mut row = vec![Int::ZERO; 1 + params.len() + deep + flat];
        row[1 + params.len() + dimension] = Int::ONE;
        row[1 + params.len() + deep + dimension] = Int::NEG_ONE;
        basic.add_eq(row);
    }
    Map::from(basic)
}

/// Whether the body of a statement executes an access.
pub(super) fn executes(statement: &Statement, access: AccessId) -> bool {
    statement.body.iter().any(|i| matches!(i.kind, InstrKind::Read(a) | InstrKind::Write(a) if a == access))
}
