//! Scalar promotion undone: PHI nodes that carry an array element through a loop go back to that
//! element.

use poly_arith::Int;
use poly_presburger::{BasicMap, Budget, DimKind, Map, Space, Stop, Tuple};

use super::copies;
use super::flow::{self, Arrays, Flow, Session};
use crate::{Access, AccessId, AccessKind, ArrayId, ArrayKind, InstrKind, ScalarKind, Scop, Statement, ValueId};

/// Lets readers of an updated value read the PHI node that the same statement writes with it.
///
/// LLVM keeps a sum in a PHI node and uses the *updated* value behind the loop. Both scalars then
/// hold the same value whenever the latter is read; with one scalar instead of two, the sum can be
/// mapped to memory.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn share_phi_values(scop: &mut Scop, session: &mut Session, budget: &mut Budget) -> Result<(), Stop> {
    for (value, phi) in shared_pairs(scop) {
        let mut proposal = scop.clone();
        for access in proposal.statements.iter_mut().flat_map(|s| &mut s.accesses) {
            if access.array == value && access.kind == AccessKind::Read {
                access.array = phi;
                access.relation = rename_range(&access.relation, &scop.arrays[phi.index()].name);
            }
        }
        if session.preserves(scop, &proposal, budget)? {
            *scop = proposal;
        }
    }
    Ok(())
}

/// Pairs of a value scalar and a PHI scalar that one statement writes with the same value.
fn shared_pairs(scop: &Scop) -> Vec<(ArrayId, ArrayId)> {
    let mut pairs = Vec::new();
    for statement in &scop.statements {
        let scalars: Vec<(ArrayId, ScalarKind, ValueId)> = (0..statement.accesses.len())
            .filter(|&a| statement.accesses[a].kind == AccessKind::MustWrite)
            .filter_map(|a| match scop.arrays[statement.accesses[a].array.index()].kind {
                ArrayKind::Scalar { kind, live_out: false, .. } => {
                    Some((statement.accesses[a].array, kind, statement.value_of(AccessId::from(a))))
                }
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

/// Whether the scalar only ever holds what has been loaded. It is better read from where that is,
/// if that is possible, than kept in an element that is free for a while.
fn has_only_loads(scop: &Scop, scalar: ArrayId) -> bool {
    let is_loaded = |statement: &Statement, value: ValueId| {
        statement.body.iter().any(|instr| match instr.kind {
            InstrKind::Read(read) => {
                instr.value == value && !scop.arrays[statement.accesses[read.index()].array.index()].is_scalar()
            }
            _ => false,
        })
    };
    scop.statements.iter().all(|statement| {
        let writes = (0..statement.accesses.len()).map(AccessId::from).filter(|a| {
            let access = &statement.accesses[a.index()];
            access.array == scalar && access.kind != AccessKind::Read
        });
        writes.into_iter().all(|write| is_loaded(statement, statement.value_of(write)))
    })
}

fn is_read(scop: &Scop, array: ArrayId) -> bool {
    scop.statements.iter().any(|s| s.accesses.iter().any(|a| a.kind == AccessKind::Read && a.array == array))
}

fn rename_range(relation: &Map, name: &str) -> Map {
    let tuple = Tuple::named(name, 0);
    relation.set_tuple(DimKind::Out, tuple)
}

/// Most elements that are tried for one scalar.
const MAX_TARGETS: usize = 6;

/// So many statements that are looked at for a proposal cost a step.
const STATEMENTS_PER_STEP: u64 = 8;

/// So many targets that are compared cost a step.
const TARGETS_PER_STEP: u64 = 8;

/// Which scalars are mapped to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mapped {
    /// Those that something is computed for.
    Computed,
    /// All of them.
    All,
}

/// Maps scalars to array elements that hold their values. Where a scalar has come to memory, others
/// that it copies or that copy it may follow: the scalars are gone through again.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn map_to_memory(scop: &mut Scop, session: &mut Session, which: Mapped, budget: &mut Budget) -> Result<(), Stop> {
    let mut tried: Vec<(ArrayId, ArrayId, Map)> = Vec::new();
    loop {
        let mut is_mapped = false;
        for scalar in (0..scop.arrays.len()).map(ArrayId::from) {
            if !matches!(scop.arrays[scalar.index()].kind, ArrayKind::Scalar { live_out: false, .. })
                || !is_read(scop, scalar)
                || (which == Mapped::Computed && has_only_loads(scop, scalar))
            {
                continue;
            }
            for target in targets(scop, scalar, budget)? {
                let attempt = (scalar, target.access.array, target.access.relation.clone());
                if tried.contains(&attempt) {
                    continue;
                }
                tried.push(attempt);
                if mapped(scop, (scalar, &target), session, budget)? {
                    is_mapped = true;
                    break;
                }
            }
        }
        if !is_mapped {
            return Ok(());
        }
    }
}

/// Maps a scalar to an element, if that is right. Only the dataflow of the scalar and of the array
/// is looked at: nothing else changes.
fn mapped(
    scop: &mut Scop,
    (scalar, target): (ArrayId, &Target),
    session: &mut Session,
    budget: &mut Budget,
) -> Result<bool, Stop> {
    budget.spend(1 + scop.statements.len() as u64 / STATEMENTS_PER_STEP)?;
    let Some(mut redirection) = redirect(scop, scalar, target) else { return Ok(false) };
    let arrays = Arrays::from([scalar, target.access.array]);
    let is_right = redirection.preserves(scop, &arrays, session, budget)?;
    let mut kept = is_right;
    redirection.exchange(scop);
    if !is_right && copies::has_write_back(scop, &arrays) {
        budget.spend(scop.statements.len() as u64)?;
        let proposal = scop.clone();
        redirection.exchange(scop);
        let found = copies::shortened(scop, proposal, Some(arrays), session, budget)?;
        kept = found.is_some();
        if let Some(mapped) = found {
            *scop = mapped;
        }
    } else if !is_right {
        redirection.exchange(scop);
    }
    let (name, element) = (&scop.arrays[scalar.index()].name, &target.access.relation);
    tracing::debug!(scalar = name, %element, kept, "scalar to memory");
    Ok(kept)
}

/// Other places for the accesses to a scalar, by statement and access.
struct Redirection {
    accesses: Vec<(usize, usize, Access)>,
}

impl Redirection {
    /// Puts the other accesses in the place of those that are there; done again, it brings these
    /// back.
    fn exchange(&mut self, scop: &mut Scop) {
        for (statement, access, other) in &mut self.accesses {
            std::mem::swap(&mut scop.statements[*statement].accesses[*access], other);
        }
    }

    /// Whether every read gets the same value as before, and memory holds the same at the end.
    fn preserves(
        &mut self,
        scop: &mut Scop,
        arrays: &Arrays,
        session: &mut Session,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let writes = self.writes(scop);
        self.exchange(scop);
        let after = flow_after(scop, &writes, arrays, session, budget);
        self.exchange(scop);
        let Some(after) = after? else { return Ok(false) };
        let before = session.analyse_in(scop, Some(arrays), budget)?;
        flow::preserves(&before, &after, budget)
    }

    /// The writes of the scalar, but for those with the name of another write of their statement:
    /// what is left behind under a name is left by all of them together.
    fn writes(&self, scop: &Scop) -> Vec<(usize, usize)> {
        let writes = self.accesses.iter().map(|&(statement, access, _)| (statement, access));
        let is_alone = |&(index, access): &(usize, usize)| {
            let statement = &scop.statements[index];
            let key = flow::key(statement, AccessId::from(access));
            let named = |other: usize| flow::key(statement, AccessId::from(other)) == key;
            key.write && (0..statement.accesses.len()).filter(|&other| named(other)).count() == 1
        };
        writes.filter(is_alone).collect()
    }
}

/// The dataflow of some arrays, unless some writes, which were none to memory before, leave
/// something behind in it: most elements are needed for something else, and the scalar's values
/// would be left behind in them.
fn flow_after(
    scop: &Scop,
    writes: &[(usize, usize)],
    arrays: &Arrays,
    session: &mut Session,
    budget: &mut Budget,
) -> Result<Option<Flow>, Stop> {
    for survivors in session.survivors_of(scop, writes, arrays, budget)?.survivors.values() {
        if !survivors.is_empty(budget)? {
            return Ok(None);
        }
    }
    session.analyse_in(scop, Some(arrays), budget).map(Some)
}

/// A memory element, as seen from one statement: where a scalar may live.
#[derive(Clone, Debug)]
struct Target {
    statement: usize,
    access: Access,
    /// How many of the statement's outer loops the element depends on.
    depth: usize,
}

/// Elements that statements which access the scalar also access, with the scalar's type: most
/// promising first.
///
/// First come stores of the scalar's own values, then other stores, then loads; among each of these
/// what the program accesses itself, then where other scalars have been mapped to. (Where one value
/// begins many sums, it is stored to the elements of all those that have been mapped before.)
///
/// # Errors
/// [`Stop`] when the budget runs out.
fn targets(scop: &Scop, scalar: ArrayId, budget: &mut Budget) -> Result<Vec<Target>, Stop> {
    // With its relation as one of counters without a name, so that targets of different statements
    // can be compared.
    let mut ranked: Vec<(usize, Target, Map)> = Vec::new();
    for (index, statement) in scop.statements.iter().enumerate() {
        let values: Vec<ValueId> = (0..statement.accesses.len())
            .filter(|&a| statement.accesses[a].array == scalar)
            .map(|a| statement.value_of(AccessId::from(a)))
            .collect();
        if values.is_empty() {
            continue;
        }
        for (position, access) in statement.accesses.iter().enumerate() {
            let array = &scop.arrays[access.array.index()];
            // Between two writes of one value to an element, something that overlaps it may be
            // written.
            let is_alone = !scop.is_unchecked(access.array);
            let is_fixed = is_alone && access.exact && !statement.is_conditional(AccessId::from(position));
            if array.is_scalar() || !is_fixed || array.element != scop.arrays[scalar.index()].element {
                continue;
            }
            let rank = match access.kind {
                AccessKind::MustWrite if values.contains(&statement.value_of(AccessId::from(position))) => 0,
                AccessKind::MustWrite => 1,
                AccessKind::Read => 2,
                AccessKind::MayWrite => continue,
            };
            let depth = outer_dimensions(&access.relation);
            budget.spend(ranked.len() as u64 / TARGETS_PER_STEP)?;
            let loops = &statement.loops[..depth];
            let relation = rename_domain(&access.relation, "");
            let known = ranked.iter().any(|(_, t, other)| {
                t.access.array == access.array
                    && t.depth == depth
                    && scop.statements[t.statement].loops[..depth] == *loops
                    && *other == relation
            });
            if !known {
                ranked.push((rank, Target { statement: index, access: access.clone(), depth }, relation));
            }
        }
    }
    ranked.sort_by_key(|(rank, target, _)| (*rank, target.access.demoted));
    Ok(ranked.into_iter().map(|(_, target, _)| target).take(MAX_TARGETS).collect())
}

fn rename_domain(relation: &Map, name: &str) -> Map {
    let count = relation.space().dim(DimKind::In);
    relation.set_tuple(DimKind::In, Tuple::named(name, count))
}

/// One more than the last input dimension that a relation involves.
fn outer_dimensions(relation: &Map) -> usize {
    let count = relation.space().dim(DimKind::In);
    (0..count).rev().find(|&d| relation.involves_dims(DimKind::In, d, 1)).map_or(0, |d| d + 1)
}

/// Every access of `scalar` redirected to `target`'s element in the same iteration of its loops.
/// `None` when a statement that accesses the scalar is not inside all loops that the element
/// depends on.
fn redirect(scop: &Scop, scalar: ArrayId, target: &Target) -> Option<Redirection> {
    let owner = &scop.statements[target.statement];
    let mut accesses = Vec::new();
    for (index, statement) in scop.statements.iter().enumerate() {
        let own: Vec<usize> =
            (0..statement.accesses.len()).filter(|&a| statement.accesses[a].array == scalar).collect();
        if own.is_empty() {
            continue;
        }
        if !statement.loops.starts_with(&owner.loops[..target.depth]) {
            return None;
        }
        let relation = prefix_map(statement, owner, target.depth).apply_range(&target.access.relation);
        accesses.extend(own.into_iter().map(|access| {
            let old = statement.accesses[access].clone();
            let new = Access { array: target.access.array, relation: relation.clone(), demoted: true, ..old };
            (index, access, new)
        }));
    }
    Some(Redirection { accesses })
}

/// `{ inner[i, j, k] -> outer[i, j, 0] }`: the first `shared` counters are equal, further ones of
/// `outer` are zero.
pub(super) fn prefix_map(inner: &Statement, outer: &Statement, shared: usize) -> Map {
    let params = inner.domain.space().params.clone();
    let (from, to) = (inner.loops.len(), outer.loops.len());
    let space = Space::map(params.clone(), Tuple::named(&*inner.name, from), Tuple::named(&*outer.name, to));
    let mut basic = BasicMap::universe(space);
    for dimension in 0..to {
        let mut row = vec![Int::ZERO; 1 + params.len() + from + to];
        row[1 + params.len() + from + dimension] = Int::NEG_ONE;
        if dimension < shared {
            row[1 + params.len() + dimension] = Int::ONE;
        }
        basic.add_eq(row);
    }
    Map::from_basic(basic)
}
