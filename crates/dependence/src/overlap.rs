//! Conflicts between arrays that may share bytes in a way that nobody knows.
//!
//! # Problem
//! Two arrays are reached from two pointers, and neither analysis nor a test can say that they lie
//! apart. Then any element of the one may be, or share some bytes with, any element of the other.
//!
//! # Definition
//! Two accesses, at least one of which writes, *may overlap* if their arrays are a pair of
//! [`Problem::overlaps`](crate::Problem::overlaps). All pairs of their instances conflict.
//!
//! # Method
//! No elements are compared, so there is nothing to solve: a conflict relates all instances of one
//! statement to all later ones of the other, level by level of time. One such relation does for all
//! accesses of two statements. A write of the one array may change an element of the other, but
//! need not, so it kills nothing: for dataflow *all* earlier writes of arrays that may overlap are
//! sources, beside those that are found among the accesses of the array itself.
//!
//! # Invariants
//! Accesses of one array are not concerned: what is said about them by their elements remains true.
//! What [`approximate`](crate::approximate()) finds for such a pair is the same.

use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Id, Map, Space};
use rustc_hash::FxHashMap;

use crate::constraints::{Placed, Sign, constant_sign, difference, positive, zero};
use crate::dataflow::WriteSource;
use crate::dependence::{Dependence, DependenceKind};
use crate::nearest::both;
use crate::prepare::Program;
use crate::problem::AccessKind;

/// Statement and access.
type Place = (usize, usize);

impl Program {
    /// Whether the arrays of two accesses, at least one of which writes, may share bytes although
    /// they are not the same.
    pub(crate) fn may_overlap(&self, one: Place, other: Place) -> bool {
        let kinds = [one, other].map(|place| self.access(place).kind);
        if self.overlaps.is_empty() || kinds == [AccessKind::Read; 2] {
            return false;
        }
        let [one, other] = [one, other].map(|place| self.array(place));
        let (Some(one), Some(other)) = (one, other) else { return false };
        self.overlaps.iter().any(|(a, b)| (a == one && b == other) || (a == other && b == one))
    }

    /// Whether the array of an access may share bytes with another one.
    pub(crate) fn overlaps_others(&self, place: Place) -> bool {
        let own = self.array(place);
        self.overlaps.iter().any(|(a, b)| own == Some(a) || own == Some(b))
    }

    fn array(&self, place: Place) -> Option<&Id> {
        self.access(place).relation.space().tuple_name(DimKind::Out)
    }
}

/// All pairs of instances of two statements, the first one executed before the second one.
fn ordered(program: &Program, source: usize, sink: usize, budget: &mut Budget) -> Result<Map, Stop> {
    let [from, to] = [source, sink].map(|statement| &program.statements[statement]);
    from.domain.charge_intersection(&to.domain, budget)?;
    let space = Space::map(program.params.clone(), from.tuple.clone(), to.tuple.clone());
    let mut equal = Map::universe(space.clone()).intersect_domain(&from.domain).intersect_range(&to.domain);
    let mut result = Map::empty(space.clone());
    let earlier = Placed { time: &from.time, at: space.offset(DimKind::In) };
    let later = Placed { time: &to.time, at: space.offset(DimKind::Out) };
    for level in 0..from.time.len().min(to.time.len()) {
        let row = difference(later, earlier, level, program.params.len(), 1 + space.n_var());
        match constant_sign(&row) {
            Sign::Zero => continue,
            Sign::Negative => break,
            Sign::Positive => {
                result = result.union(&equal);
                break;
            }
            Sign::Unknown => {
                result = result.union(&both(&equal, &positive(&space, row.clone()), budget)?);
                equal = both(&equal, &zero(&space, row), budget)?;
            }
        }
    }
    result.coalesce(budget)?.remove_redundancies(budget)
}

/// Adds a dependence for each pair of statements and each kind of conflict that accesses of theirs
/// have because they may overlap.
pub(crate) fn add(program: &Program, dependences: &mut Vec<Dependence>, budget: &mut Budget) -> Result<(), Stop> {
    if program.overlaps.is_empty() {
        return Ok(());
    }
    let count = |statement: usize| program.statements[statement].accesses.len();
    for source in 0..program.statements.len() {
        for sink in 0..program.statements.len() {
            let accesses = (0..count(source)).flat_map(|a| (0..count(sink)).map(move |b| ((source, a), (sink, b))));
            let mut conflicts: Vec<(DependenceKind, Place, Place)> = Vec::new();
            for (from, to) in accesses.filter(|&(from, to)| program.may_overlap(from, to)) {
                budget.spend(1)?;
                let kind = match [from, to].map(|place| program.access(place).kind) {
                    [AccessKind::Read, _] => DependenceKind::Anti,
                    [_, AccessKind::Read] => DependenceKind::Flow,
                    _ => DependenceKind::Output,
                };
                if conflicts.iter().all(|(known, ..)| *known != kind) {
                    conflicts.push((kind, from, to));
                }
            }
            if conflicts.is_empty() {
                continue;
            }
            let relation = ordered(program, source, sink, budget)?;
            if relation.is_empty(budget)? {
                continue;
            }
            let dependence = |(kind, source, sink)| Dependence {
                kind,
                source,
                sink,
                relation: relation.clone(),
                reduction: false,
                conditional: false,
            };
            dependences.extend(conflicts.into_iter().map(dependence));
        }
    }
    dependences.sort_by_key(|d| match d.kind {
        _ if d.reduction => 3,
        DependenceKind::Flow => 0,
        DependenceKind::Anti | DependenceKind::Output => 1,
        DependenceKind::Input => 2,
    });
    Ok(())
}

/// Earlier instances by statement, for statements of equal domain and time once.
#[derive(Debug, Default)]
pub(crate) struct Earlier {
    known: FxHashMap<(u32, u32), Map>,
}

impl Earlier {
    /// The writes to arrays that may overlap that of a read, from writing to reading instances.
    pub(crate) fn writes(
        &mut self,
        program: &Program,
        read: Place,
        budget: &mut Budget,
    ) -> Result<Vec<WriteSource>, Stop> {
        let mut result = Vec::new();
        if !program.overlaps_others(read) {
            return Ok(result);
        }
        for write in program.accesses(|kind| kind != AccessKind::Read) {
            if !program.may_overlap(write, read) {
                continue;
            }
            let key = (program.statements[write.0].place, program.statements[read.0].place);
            let mut relation = match self.known.get(&key) {
                Some(known) => known.clone(),
                None => {
                    let found = ordered(program, write.0, read.0, budget)?;
                    self.known.insert(key, found.clone());
                    found
                }
            };
            if write.0 == read.0 && write.1 < read.1 {
                let domain = &program.statements[read.0].domain;
                relation = relation.union(&domain.identity()).coalesce(budget)?;
            }
            if !relation.is_empty(budget)? {
                result.push(WriteSource { statement: write.0, access: write.1, relation });
            }
        }
        Ok(result)
    }
}
