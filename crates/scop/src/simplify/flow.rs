//! Where every read gets its value from, and which writes survive: what a proposal must not change.
//!
//! Reads and writes are named by [`AccessKey`], the statement's name and the IR value that is read
//! or written, so that a SCoP before and after a proposal can be compared although indices have
//! moved. Two writes of one instance with equal keys write the same value, so they need not be told
//! apart.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use poly_dependence as dependence;
use poly_presburger::{Budget, Map, Set, Stop};
use rustc_hash::FxHashMap;

use crate::order::time_dimensions;
use crate::problem::{ordering_info_of, overlaps};
use crate::{Access, AccessId, AccessKind, ArrayId, ArrayKind, Scop, Statement, ValueId};

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
    /// The same for all earlier writes to arrays that may overlap the one that is read
    /// ([`Scop::unchecked`]).
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

/// Computes the dataflow of a SCoP again and again, while it changes a little: what has been found
/// out is kept.
#[derive(Debug, Default)]
pub struct Session {
    memo: dependence::Memo,
    /// By what they follow from.
    infos: FxHashMap<InfoKey, dependence::StatementInfo>,
}

/// Domain, place, number of time dimensions, accesses.
type InfoKey = (Set, Vec<usize>, usize, Vec<(AccessKind, Map)>);

/// Arrays of a SCoP, by position.
pub(super) type Arrays = BTreeSet<ArrayId>;

/// A part of a SCoP as dependence analysis sees it.
struct Part {
    problem: dependence::Problem,
    /// Statements and accesses of the SCoP by those of the problem.
    places: Vec<(usize, Vec<usize>)>,
}

impl Session {
    /// The dataflow of a SCoP.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn analyse(&mut self, scop: &Scop, budget: &mut Budget) -> Result<Flow, Stop> {
        self.analyse_in(scop, None, budget)
    }

    /// Whether a proposal gives every read the value that it had and leaves the same memory behind.
    /// Only what the proposal changes is looked at.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub(crate) fn preserves(&mut self, scop: &Scop, proposal: &Scop, budget: &mut Budget) -> Result<bool, Stop> {
        let arrays = changed_arrays(scop, proposal);
        let arrays = arrays.as_ref();
        let (before, after) = (self.analyse_in(scop, arrays, budget)?, self.analyse_in(proposal, arrays, budget)?);
        preserves(&before, &after, budget)
    }

    /// The dataflow of some arrays, or of all. What accesses to an array get and leave behind
    /// depends on other accesses to it, and to arrays that may overlap it; that of arrays which
    /// overlap nothing is the same whatever else there is.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub(super) fn analyse_in(
        &mut self,
        scop: &Scop,
        arrays: Option<&Arrays>,
        budget: &mut Budget,
    ) -> Result<Flow, Stop> {
        let part = self.part(scop, arrays);
        self.analyse_part(scop, &part, budget)
    }

    fn analyse_part(&mut self, scop: &Scop, part: &Part, budget: &mut Budget) -> Result<Flow, Stop> {
        budget.spend(part.places.len() as u64)?;
        let reads = self.memo.dataflow(&part.problem, budget)?;
        let survivors = self.memo.live_out(&part.problem, budget)?;
        Ok(flow(scop, &part.places, reads, survivors))
    }

    /// What reads get that are named by statement and access; nothing is said of other accesses.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub(super) fn sources_of(
        &mut self,
        scop: &Scop,
        reads: &[(usize, usize)],
        budget: &mut Budget,
    ) -> Result<Flow, Stop> {
        let part = self.part(scop, None);
        let sources = self.memo.dataflow_of(&part.problem, reads, budget)?;
        Ok(flow(scop, &part.places, sources, Vec::new()))
    }

    /// What some writes to some of the arrays, named by statement and access, leave behind; see
    /// [`Session::analyse_in`].
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub(super) fn survivors_of(
        &mut self,
        scop: &Scop,
        writes: &[(usize, usize)],
        arrays: &Arrays,
        budget: &mut Budget,
    ) -> Result<Flow, Stop> {
        let part = self.part(scop, Some(arrays));
        budget.spend(part.places.len() as u64)?;
        let writes: Vec<(usize, usize)> = writes.iter().map(|&write| part.position(write)).collect();
        let survivors = self.memo.live_out_of(&part.problem, &writes, budget)?;
        Ok(flow(scop, &part.places, Vec::new(), survivors))
    }

    /// The accesses to some arrays, or all; statements without any are left out.
    fn part(&mut self, scop: &Scop, arrays: Option<&Arrays>) -> Part {
        let length = time_dimensions(scop);
        let is_wanted = |access: &Access| arrays.is_none_or(|arrays| arrays.contains(&access.array));
        let (mut statements, mut places) = (Vec::new(), Vec::new());
        for (index, statement) in scop.statements.iter().enumerate() {
            let wanted: Vec<usize> =
                (0..statement.accesses.len()).filter(|&a| is_wanted(&statement.accesses[a])).collect();
            if wanted.is_empty() && arrays.is_some() {
                continue;
            }
            let accesses = wanted.iter().map(|&a| &statement.accesses[a]);
            let accesses = accesses.map(|a| (a.kind, a.relation.clone())).collect();
            let key = (statement.domain.clone(), statement.position.clone(), length, accesses);
            let info = || ordering_info_of(scop, statement, wanted.iter().copied());
            statements.push(self.infos.entry(key).or_insert_with(info).clone());
            places.push((index, wanted));
        }
        let problem = dependence::Problem { context: scop.context.clone(), statements, overlaps: overlaps(scop) };
        Part { problem, places }
    }
}

impl Part {
    /// A statement and an access of the SCoP, as those of the problem.
    fn position(&self, (statement, access): (usize, usize)) -> (usize, usize) {
        let found = self.places.iter().position(|(own, _)| *own == statement);
        let place = found.expect("the part has the statements of its arrays");
        let access = self.places[place].1.iter().position(|&own| own == access);
        (place, access.expect("the part has all accesses of its arrays"))
    }
}

/// The arrays whose accesses a proposal changes, if it changes nothing else and none of them may
/// overlap others.
///
/// What accesses to an array depend on are other accesses to it. So the dataflow of all other
/// arrays is the same.
pub(super) fn changed_arrays(scop: &Scop, proposal: &Scop) -> Option<Arrays> {
    let mut changed = Arrays::new();
    if scop.statements.len() != proposal.statements.len() || scop.unchecked != proposal.unchecked {
        return None;
    }
    for (old, new) in scop.statements.iter().zip(&proposal.statements) {
        let is_same = old.name == new.name && old.domain == new.domain && old.position == new.position;
        if !is_same || old.accesses.len() != new.accesses.len() || old.body != new.body {
            return None;
        }
        for (old, new) in old.accesses.iter().zip(&new.accesses) {
            if old.kind != new.kind {
                return None;
            }
            if old.array != new.array || old.relation != new.relation {
                changed.extend([old.array, new.array]);
            }
        }
    }
    let is_alone = changed.iter().all(|&array| !scop.is_unchecked(array));
    is_alone.then_some(changed)
}

/// The answers by what they are about.
fn flow(
    scop: &Scop,
    places: &[(usize, Vec<usize>)],
    reads: Vec<dependence::ReadSource>,
    survivors: Vec<dependence::Survivor>,
) -> Flow {
    let place = |statement: usize, access: usize| (&scop.statements[places[statement].0], places[statement].1[access]);
    let key_of = |statement: usize, access: usize| {
        let (statement, access) = place(statement, access);
        key(statement, AccessId::from(access))
    };
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
        let (statement, access) = place(survivor.statement, survivor.access);
        let array = &scop.arrays[statement.accesses[access].array.index()];
        let seen = match array.kind {
            ArrayKind::Memory { .. } | ArrayKind::Rows { .. } => true,
            ArrayKind::Scalar { live_out, .. } => live_out,
            ArrayKind::Temporary { .. } | ArrayKind::Errno { .. } => false,
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
