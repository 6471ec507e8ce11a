//! False dependences that only keep live ranges apart.
//!
//! # Problem
//! Anti and output dependences order everything that uses an element of memory, although all that
//! matters is that every read sees the value that it saw in the original order, and that memory
//! ends up with the same contents. Whole live ranges of an element may change places.
//!
//! # Definitions
//! The *live range* of a write to an element is the write with all reads that see its value. Live
//! ranges are kept *apart* by an order in which no write lies between another write of its element
//! and a read of that one. The *last* write of an element is the one that no other overwrites.
//!
//! # Method: live-range reordering [Verdoolaege2016]
//! For an array in which every access touches at most one element and every write happens, anti and
//! output dependences are replaced by these, each between *all* pairs of instances and not only the
//! nearest, because others are the nearest in another order:
//!
//! * from a read that sees the value of another instance to every later write: an anti dependence,
//!   *conditional* ([`Dependence::conditional`]) unless the write is the last one of an array that
//!   is read afterwards;
//! * from a write that no other instance reads to every later write: the same as an output
//!   dependence;
//! * from a read that sees what was there before the program to every later write: an anti
//!   dependence.
//!
//! A conditional dependence may run backwards where it moves one live range as a whole over
//! another.
//!
//! # Why these are enough
//! Take an order that respects all flow dependences and the unconditional ones, and in which for
//! each conditional pair `x -> y` that runs backwards no write of one of the two live ranges lies
//! within the other. Let `r` see the value of `w` in the original order, and let another write `v`
//! lie between them in the new one. If `v` is later than `r` in the original order, the pair
//! `r -> v` says that it does not. Otherwise `v` is earlier than `w`; if an instance `s` reads it,
//! `s -> w` says that the two live ranges are apart (or `s` is the instance of `w`, which is behind
//! `v`); if none does, `v -> w` says so. For the last write likewise, by pairs that are not
//! conditional.
//!
//! # What is left alone
//! Arrays with accesses of reassociable reductions that are relaxed (their flow is not what it
//! seems), with writes that may not happen, with accesses to several elements at once, those that
//! may overlap others, and those where nothing would be conditional.

use std::collections::BTreeMap;

use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Map, Set, Tuple};

use crate::constraints::{Placed, Sign, constant_sign, difference, positive, zero};
use crate::dependence::{Dependence, DependenceKind, Dependences};
use crate::prepare::Program;
use crate::problem::{AccessKind, Problem};

/// Arrays with more pairs of accesses keep their dependences.
const MAX_PAIRS: usize = 256;

/// Statement and access.
type Place = (usize, usize);

/// The dependences of a program with those that only keep live ranges apart as conditional ones;
/// `None` if there are none of them. `dependences` are the exact ones of [`crate::analyse`];
/// `is_temporary` says of which arrays nobody reads the contents after the program, unless it is
/// executed again and reads them before it writes them.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn with_live_ranges(
    problem: &Problem,
    dependences: &Dependences,
    is_temporary: &dyn Fn(&Tuple) -> bool,
    budget: &mut Budget,
) -> Result<Option<Dependences>, Stop> {
    let program = Program::new(problem, budget)?;
    let mut kept = dependences.dependences.clone();
    let mut is_any = false;
    for (array, places) in arrays(&program) {
        let own = Own { program: &program, places: &places, dependences: &dependences.dependences };
        if !own.is_fit(budget)? {
            continue;
        }
        let new = own.dependences(is_temporary(&array), budget)?;
        if new.iter().any(|d| d.conditional) {
            is_any = true;
            kept.retain(|d| !(is_false(d) && (own.is_own(d.source) || own.is_own(d.sink))));
            kept.extend(new);
        }
    }
    if !is_any {
        return Ok(None);
    }
    // Flow first, as everywhere.
    kept.sort_by_key(|d| match d.kind {
        _ if d.reduction => 3,
        DependenceKind::Flow => 0,
        DependenceKind::Anti | DependenceKind::Output => 1,
        DependenceKind::Input => 2,
    });
    Ok(Some(Dependences { dependences: kept }))
}

fn is_false(dependence: &Dependence) -> bool {
    matches!(dependence.kind, DependenceKind::Anti | DependenceKind::Output)
}

/// The accesses by array, those that are never executed left out.
fn arrays(program: &Program) -> Vec<(Tuple, Vec<Place>)> {
    let mut result: Vec<(Tuple, Vec<Place>)> = Vec::new();
    for place in program.accesses(|_| true) {
        let Some(array) = program.access(place).relation.space().tuple(DimKind::Out) else { continue };
        if program.statements[place.0].time.is_empty() && program.levels > 0 {
            continue;
        }
        match result.iter_mut().find(|(known, _)| known == array) {
            Some((_, places)) => places.push(place),
            None => result.push((array.clone(), vec![place])),
        }
    }
    result
}

/// One array.
struct Own<'a> {
    program: &'a Program,
    /// Its accesses.
    places: &'a [Place],
    dependences: &'a [Dependence],
}

impl Own<'_> {
    fn is_own(&self, place: Place) -> bool {
        self.places.contains(&place)
    }

    fn relation(&self, place: Place) -> &Map {
        &self.program.access(place).relation
    }

    fn of_kind(&self, kind: AccessKind) -> impl Iterator<Item = Place> {
        self.places.iter().copied().filter(move |&place| self.program.access(place).kind == kind)
    }

    /// Whether live ranges are what the module says.
    fn is_fit(&self, budget: &mut Budget) -> Result<bool, Stop> {
        if self.places.iter().any(|&place| self.program.overlaps_others(place)) {
            return Ok(false);
        }
        let writes = self.of_kind(AccessKind::MustWrite).count();
        let is_ordered = self.dependences.iter().any(|d| is_false(d) && self.is_own(d.source));
        let is_relaxed = self.dependences.iter().any(|d| d.reduction && self.is_own(d.source));
        if !is_ordered || is_relaxed || writes * self.places.len() > MAX_PAIRS {
            return Ok(false);
        }
        for &place in self.places {
            let access = self.program.access(place);
            if access.kind == AccessKind::MayWrite || !access.relation.is_single_valued(budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What takes the place of the anti and output dependences.
    fn dependences(&self, is_temporary: bool, budget: &mut Budget) -> Result<Vec<Dependence>, Stop> {
        let writes: Vec<Place> = self.of_kind(AccessKind::MustWrite).collect();
        let mut later: BTreeMap<(Place, Place), Map> = BTreeMap::new();
        for &place in self.places {
            for &write in &writes {
                let pairs = self.later(place, write);
                if !pairs.is_empty(budget)? {
                    later.insert((place, write), pairs);
                }
            }
        }
        // If the program is executed again, it may find what it has left.
        let mut is_temporary = is_temporary;
        for read in self.of_kind(AccessKind::Read) {
            is_temporary = is_temporary && self.sources(read, budget)?.1.is_empty(budget)?;
        }
        let mut last: BTreeMap<Place, Set> = BTreeMap::new();
        for &write in &writes {
            let mut own = self.relation(write).domain();
            if is_temporary {
                own = Set::empty(own.space().clone());
            } else {
                for &other in &writes {
                    if let Some(pairs) = later.get(&(write, other)) {
                        own = own.subtract(&pairs.domain(), budget)?;
                    }
                }
            }
            last.insert(write, own);
        }
        let mut result = Vec::new();
        for (&(source, sink), pairs) in &later {
            let (free, fixed) = self.sources(source, budget)?;
            let is_read = self.program.access(source).kind == AccessKind::Read;
            let kind = if is_read { DependenceKind::Anti } else { DependenceKind::Output };
            let from_free = pairs.intersect_domain(&free);
            let to_last = from_free.intersect_range(&last[&sink]);
            let conditional = if is_temporary { from_free } else { from_free.subtract(&to_last, budget)? };
            let ordered = pairs.intersect_domain(&fixed).union(&to_last);
            for (relation, conditional) in [(conditional, true), (ordered, false)] {
                let relation = relation.coalesce(budget)?.remove_redundancies(budget)?;
                if !relation.is_empty(budget)? {
                    result.push(Dependence { kind, source, sink, relation, reduction: false, conditional });
                }
            }
        }
        Ok(result)
    }

    /// The instances of an access whose live ranges may move: reads that see the value of another
    /// instance, and writes that no other instance reads. And those that stay before every later
    /// write: reads of what was there before the program. Other instances need no dependences: that
    /// their own ends are in order says it all.
    fn sources(&self, place: Place, budget: &mut Budget) -> Result<(Set, Set), Stop> {
        let access = self.program.access(place);
        let all = access.relation.domain();
        let none = Set::empty(all.space().clone());
        let flows = self.dependences.iter().filter(|d| d.kind == DependenceKind::Flow);
        if access.kind != AccessKind::Read {
            let read = flows.filter(|d| d.source == place).fold(none.clone(), |all, d| all.union(&d.relation.domain()));
            return Ok((all.subtract(&read, budget)?, none));
        }
        let known = flows.filter(|d| d.sink == place).fold(none, |all, d| all.union(&d.relation.range()));
        let mut fixed = all.subtract(&known, budget)?;
        // What an instance has written itself before it reads is its own matter.
        for write in self.of_kind(AccessKind::MustWrite).filter(|write| write.0 == place.0 && write.1 < place.1) {
            let same = self.relation(write).intersect(&access.relation);
            fixed = fixed.subtract(&same.domain(), budget)?;
        }
        Ok((known, fixed))
    }

    /// All pairs of instances that access the same element, the second, a write, later than the
    /// first one.
    fn later(&self, first: Place, second: Place) -> Map {
        let [a, b] = [first, second].map(|place| &self.program.statements[place.0]);
        let mut equal = self.relation(first).apply_range(&self.relation(second).reverse());
        let space = equal.space().clone();
        let earlier = Placed { time: &a.time, at: space.offset(DimKind::In) };
        let later = Placed { time: &b.time, at: space.offset(DimKind::Out) };
        let mut result = Map::empty(space.clone());
        for level in 0..self.program.levels {
            let row = difference(later, earlier, level, self.program.params.len(), 1 + space.n_var());
            match constant_sign(&row) {
                Sign::Zero => continue,
                Sign::Positive => return result.union(&equal),
                Sign::Negative => return result,
                Sign::Unknown => {}
            }
            result = result.union(&equal.intersect(&positive(&space, row.clone())));
            equal = equal.intersect(&zero(&space, row));
        }
        result
    }
}
