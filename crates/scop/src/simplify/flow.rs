//! Where every read gets its value from, and which writes survive: what a proposal must not change.
//!
//! Reads and writes are named by [`AccessKey`], the statement's name and the IR value that is read or written, so that a SCoP
//! before and after a proposal can be compared although indices have moved. Two writes of one instance with equal keys write the same
//! value, so they need not be told apart.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

use poly_dependence as dependence;
use poly_presburger::{Budget, Map, Set, Stop};

use crate::order::time_dimensions;
use crate::problem::{ordering_info, overlaps};
use crate::{AccessId, AccessKind, ArrayKind, Scop, Statement, ValueId};

/// Names what an access reads or writes independently of its index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AccessKey {
    /// Statement name.
    pub statement: String,
    /// Value read, or written.
    pub value: ValueId,
    /// It is a write.
    pub write: bool,
}

/// The values that reads get.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// By write: instances of the reading statement to instances of the writing one.
    pub writes: BTreeMap<AccessKey, Map>,
    /// The same for all earlier writes to arrays that may overlap the one that is read ([`Scop::unchecked`]).
    pub overlapping: BTreeMap<AccessKey, Map>,
    /// Reading instances that see what was there before the SCoP.
    pub initial: Option<Set>,
}

/// Dataflow of a whole SCoP.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// Per read.
    pub reads: BTreeMap<AccessKey, Sources>,
    /// Per write and array: pairs of writing instance and element that hold at the end.
    pub survivors: BTreeMap<(AccessKey, String), Map>,
}

/// The key of an access.
pub fn key(statement: &Statement, access: AccessId) -> AccessKey {
    let write = statement.accesses[access.index()].kind != AccessKind::Read;
    AccessKey { statement: statement.name.clone(), value: statement.value_of(access), write }
}

/// Computes the dataflow of a SCoP again and again, while it changes a little: what has been found out is kept.
#[derive(Debug, Default)]
pub struct Session {
    memo: dependence::Memo,
    /// By what they follow from.
    infos: HashMap<InfoKey, dependence::StatementInfo>,
}

/// Domain, place, number of time dimensions, accesses.
type InfoKey = (Set, Vec<usize>, usize, Vec<(AccessKind, Map)>);

impl Session {
    /// The dataflow of a SCoP.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn analyse(&mut self, scop: &Scop, budget: &mut Budget) -> Result<Flow, Stop> {
        let problem = self.problem(scop);
        let reads = self.memo.dataflow(&problem, budget)?;
        let survivors = self.memo.live_out(&problem, budget)?;
        Ok(flow(scop, reads, survivors))
    }

    /// Whether the writes that are named by statement and access leave behind what `expected` says. This is a part of
    /// [`preserves`] that is quickly decided.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn leave_behind(
        &mut self,
        scop: &Scop,
        writes: &[(usize, usize)],
        expected: &Flow,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let problem = self.problem(scop);
        let found = flow(scop, Vec::new(), self.memo.live_out_of(&problem, writes, budget)?);
        for (key, survivors) in &found.survivors {
            if !same_map(expected.survivors.get(key), Some(survivors), budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn problem(&mut self, scop: &Scop) -> dependence::Problem {
        let length = time_dimensions(scop);
        let statements = scop.statements.iter().map(|statement| {
            let accesses = statement.accesses.iter().map(|a| (a.kind, a.relation.clone())).collect();
            let key = (statement.domain.clone(), statement.position.clone(), length, accesses);
            self.infos.entry(key).or_insert_with(|| ordering_info(scop, statement)).clone()
        });
        dependence::Problem {
            context: scop.context.clone(),
            statements: statements.collect(),
            overlaps: overlaps(scop),
        }
    }
}

/// The answers by what they are about.
fn flow(scop: &Scop, reads: Vec<dependence::ReadSource>, survivors: Vec<dependence::Survivor>) -> Flow {
    let key_of = |statement: usize, access: usize| key(&scop.statements[statement], AccessId::from(access));
    let mut flow = Flow::default();
    for read in reads {
        let entry = flow.reads.entry(key_of(read.statement, read.access)).or_default();
        let lists = [(read.sources, &mut entry.writes), (read.overlapping, &mut entry.overlapping)];
        for (sources, by_key) in lists {
            for source in sources {
                add(by_key, key_of(source.statement, source.access), source.relation.reverse());
            }
        }
        entry.initial = Some(match entry.initial.take() {
            Some(set) => set.union(&read.uninitialized),
            None => read.uninitialized,
        });
    }
    for survivor in survivors {
        let statement = &scop.statements[survivor.statement];
        let array = &scop.arrays[statement.accesses[survivor.access].array.index()];
        let seen = match array.kind {
            ArrayKind::Memory { .. } | ArrayKind::Rows { .. } => true,
            ArrayKind::Scalar { live_out, .. } => live_out,
            ArrayKind::Temporary { .. } => false,
        };
        if seen {
            let slot = flow.survivors.entry((key_of(survivor.statement, survivor.access), array.name.clone()));
            match slot {
                Entry::Vacant(slot) => {
                    slot.insert(survivor.relation);
                }
                Entry::Occupied(mut slot) => {
                    *slot.get_mut() = slot.get().union(&survivor.relation);
                }
            }
        }
    }
    flow
}

/// Adds a relation to that of a key.
pub(super) fn add(all: &mut BTreeMap<AccessKey, Map>, key: AccessKey, relation: Map) {
    match all.entry(key) {
        Entry::Vacant(slot) => _ = slot.insert(relation),
        Entry::Occupied(mut slot) => {
            *slot.get_mut() = slot.get().union(&relation);
        }
    }
}

/// Whether two relations are equal; absent ones count as empty.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn same_map(a: Option<&Map>, b: Option<&Map>, budget: &mut Budget) -> Result<bool, Stop> {
    match (a, b) {
        (Some(a), Some(b)) => Ok(a == b || a.is_equal(b, budget)?),
        (None, None) => Ok(true),
        (Some(one), None) | (None, Some(one)) => one.is_empty(budget),
    }
}

/// Whether two reads get the same values.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn same_sources(a: &Sources, b: &Sources, budget: &mut Budget) -> Result<bool, Stop> {
    for (a, b) in [(&a.writes, &b.writes), (&a.overlapping, &b.overlapping)] {
        for key in a.keys().chain(b.keys()) {
            if !same_map(a.get(key), b.get(key), budget)? {
                return Ok(false);
            }
        }
    }
    match (&a.initial, &b.initial) {
        (Some(a), Some(b)) => Ok(a == b || a.is_equal(b, budget)?),
        (None, None) => Ok(true),
        (Some(one), None) | (None, Some(one)) => one.is_empty(budget),
    }
}

/// Whether `after` gives every read of `before` the same value and leaves the same memory behind.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn preserves(before: &Flow, after: &Flow, budget: &mut Budget) -> Result<bool, Stop> {
    for (key, sources) in &before.reads {
        let Some(now) = after.reads.get(key) else {
            return Ok(false);
        };
        if !same_sources(sources, now, budget)? {
            return Ok(false);
        }
    }
    for key in before.survivors.keys().chain(after.survivors.keys()) {
        if !same_map(before.survivors.get(key), after.survivors.get(key), budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}
