//! Whether a program whose loops were tiled by hand may be modelled without its tiles.
//!
//! # Problem
//! The program executes `for ii, for jj, for i in tile ii, for j in tile jj`, with tile sizes that
//! are parameters. The model has the same statement instances, but executes them in the order of
//! `i, j`: the order of tiles is not affine. When do both do the same?
//!
//! # Definitions
//! A *tile loop* has *point loops* inside. In the model a tile loop has one iteration, and the
//! counter `g` of a point loop is the *place* in the range of all tiles; in the program the number
//! of the tile is `g / t` rounded down and the counter of the point loop is the rest, where the
//! tile size `t > 0` is the same for all places. A statement is *complete* if for each tile loop
//! around it a point loop of that is around it, too, else *partial*.
//!
//! Relations of partial statements may involve the counter of the tile loop: there it is the place
//! where a tile begins. In the domains it is 0.
//!
//! The *order of the program* is that of `[position[0], c0, position[1], c1, ..]` with the
//! program's counters, the *order of the model* that with the model's.
//!
//! # Algorithm
//! 1. *Promoted elements.* A partial statement loads an element of memory into the PHI node at the
//!    beginning of a point loop. Either another one stores what the last iteration leaves to the
//!    same element, and nothing else touches the element in the same iteration of the loops around
//!    both; or every iteration stores it, and nothing else writes the element in that iteration.
//!    Then the program is the same if every iteration of the point loop loads and stores it; and so
//!    is the model. So the accesses count as if they were made by each iteration.
//! 2. *Values carried on.* A partial statement loads an element into the PHI node, and what the PHI
//!    node is next is, in every iteration, the content of the element that the partial statement
//!    would load if a tile began at the next place: it has just been loaded from there, or stored
//!    to it, or is another PHI node of this kind. If nothing else that is executed in the same
//!    iteration of the point loop writes that element, the program is the same if every iteration
//!    of the point loop loads its element; and so is the model.
//! 3. *Values computed before.* A partial statement reads memory and computes, and only statements
//!    in the same iteration of its loops use what it computes. If nothing that is executed in that
//!    iteration writes what it reads, every iteration of the point loops may execute it for itself,
//!    in the program and in the model. So its reads count as those of the statements that use its
//!    values. Other partial statements are refused.
//! 4. *Scalars of one iteration.* Let all accesses of a scalar be in the same loops, and among
//!    these all tile and point loops around the accesses. If each read has an earlier write in the
//!    same iteration of these loops, nothing of the scalar goes from one such iteration to another,
//!    and both orders execute such an iteration as a whole, with the same order inside. So they
//!    read the same.
//! 5. *Everything else.* Let `p` come before `q` in the order of the model, both touching one
//!    element, one of them writing. For each tile loop `T` around both it must not be that all
//!    counters outside of `T` agree (but those of tile loops) and the place of `q` in `T` is
//!    smaller than that of `p`.
//!
//! # Why 5 is enough
//! Let `p` and `q` be as in 5. Look at the first position in which the vectors of the order of the
//! program differ. All counters before agree, those of tile loops and those of point loops, so the
//! places before agree, too.
//! * If it is the counter of a tile loop, the condition for this loop says that the place of `q` is
//!   not smaller than that of `p`; nor is `place / t`, rounded down. They differ, so `p` comes
//!   first.
//! * If it is the counter of a point loop, its tile loop is outside of it, and the numbers of the
//!   tile agree. So the places differ as the counters do; in the order of the model everything
//!   before agrees, and this is the first difference. `p` comes first in it, so in both.
//! * If it is a position or another counter, it is the first difference of both orders.
//!
//! So all pairs of instances that touch one element have the same order in both, every read sees
//! the write that it has seen, and the last writes are the same.

use poly_arith::Int;
use poly_presburger::{Budget, DimKind, Map, Set, Stop};

use crate::{
    Access, AccessKind, ArrayId, ArrayKind, Instr, InstrKind, LoopId, OperandKind, ScalarKind, Scop, Statement,
};

/// A loop over tiles.
#[derive(Clone, Debug)]
pub struct TileLoop {
    /// The loop, which has one iteration in the model.
    pub tile: LoopId,
    /// The loops over the points of a tile, none of which is inside another.
    pub points: Vec<LoopId>,
}

/// Why the model, which has no tiles, is not the program; nothing if it is.
///
/// # Errors
/// The budget is used up.
pub fn judge_tiles(scop: &Scop, tiles: &[TileLoop], budget: &mut Budget) -> Result<Option<String>, Stop> {
    if tiles.is_empty() {
        return Ok(None);
    }
    let known = scop.assumptions.iter().map(|a| &a.holds).filter(|holds| holds.n_basic() == 1);
    let known = known.fold(scop.context.clone(), |all, holds| all.intersect(holds));
    let mut judge = Judge { scop, tiles, known, left: vec![true; scop.statements.len()], accesses: Vec::new() };
    let mut done = vec![false; scop.arrays.len()];
    let mut found: Vec<Promoted> = Vec::new();
    loop {
        let before = found.len();
        for phi in (0..scop.arrays.len()).map(ArrayId::from) {
            if found.iter().all(|promoted| promoted.phi != phi) {
                found.extend(judge.promoted(phi, &found, budget)?);
            }
        }
        if found.len() == before {
            break;
        }
    }
    for promoted in &found {
        judge.replace(promoted, &mut done);
    }
    for partial in judge.computed(budget)? {
        judge.spread(partial, &mut done);
    }
    if (0..scop.statements.len()).any(|s| judge.left[s] && judge.is_partial(s)) {
        let why = "something is executed in every tile made by hand, outside of the loop over its points";
        return Ok(Some(why.to_string()));
    }
    for (array, done) in done.iter_mut().enumerate() {
        *done = *done || judge.is_of_one_iteration(ArrayId::from(array), budget)?;
    }
    judge.collect(&done);
    let fault = judge.reversed(budget)?;
    Ok(fault.map(|array| {
        let array = &scop.arrays[array.index()];
        let what = if array.is_scalar() { "scalar" } else { "array" };
        format!("the order of tiles made by hand matters, for {what} {}", array.name)
    }))
}

/// A PHI node that has the content of an element of memory in every iteration of a point loop.
struct Promoted {
    /// Loads the first one.
    before: usize,
    /// Writes the PHI node in every iteration.
    inside: usize,
    /// Stores what the last iteration leaves, and the scalar with that; nothing if every iteration
    /// stores it or need not.
    behind: Option<(usize, ArrayId)>,
    /// The iterations count as if they wrote the elements.
    writes: bool,
    array: ArrayId,
    /// From the instances of `inside` to the element.
    relation: Map,
    phi: ArrayId,
}

/// Where a value is the content of an element.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// It has been loaded from it.
    Loaded,
    /// It is stored to it, by the access of the statement.
    Stored(usize, usize),
}

/// An access that counts.
struct Touch {
    statement: usize,
    array: ArrayId,
    /// Restricted to the domain.
    relation: Map,
    writes: bool,
}

struct Judge<'s> {
    scop: &'s Scop,
    tiles: &'s [TileLoop],
    /// What holds for the parameters.
    known: Set,
    /// The statements that count.
    left: Vec<bool>,
    accesses: Vec<Touch>,
}

impl Judge<'_> {
    /// The positions of tile loops around a statement, each with that of its point loop.
    fn pairs(&self, statement: &Statement) -> Vec<(usize, Option<usize>)> {
        let place_of = |wanted: &dyn Fn(LoopId) -> bool| statement.loops.iter().position(|&l| wanted(l));
        let pair = |tile: &TileLoop| Some((place_of(&|l| l == tile.tile)?, place_of(&|l| tile.points.contains(&l))));
        self.tiles.iter().filter_map(pair).collect()
    }

    fn is_empty(&self, pairs: &Map, budget: &mut Budget) -> Result<bool, Stop> {
        Ok(pairs.plain_is_empty() || pairs.intersect_params(&self.known).is_empty(budget)?)
    }

    fn is_part(&self, part: &Set, all: &Set, budget: &mut Budget) -> Result<bool, Stop> {
        part.intersect_params(&self.known).subtract(all, budget)?.is_empty(budget)
    }

    /// The statements with the accesses of an array, by what they do.
    fn statements_of(&self, array: ArrayId, writes: bool) -> Vec<usize> {
        let does = |access: &Access| access.array == array && (access.kind != AccessKind::Read) == writes;
        (0..self.scop.statements.len()).filter(|&s| self.scop.statements[s].accesses.iter().any(does)).collect()
    }

    /// The element that a PHI node stands for while a point loop runs, if it is one of those of the
    /// module's description.
    fn promoted(&self, phi: ArrayId, known: &[Promoted], budget: &mut Budget) -> Result<Option<Promoted>, Stop> {
        if !is_scalar(self.scop, phi, ScalarKind::Phi) {
            return Ok(None);
        }
        let statements = &self.scop.statements;
        let &[first, second] = self.statements_of(phi, true).as_slice() else { return Ok(None) };
        let depth = |s: usize| statements[s].loops.len();
        let (before, inside) = if depth(first) < depth(second) { (first, second) } else { (second, first) };
        let is_entered =
            depth(inside) == depth(before) + 1 && statements[inside].loops.starts_with(&statements[before].loops);
        let is_point = |l: &LoopId| self.tiles.iter().any(|tile| tile.points.contains(l));
        let is_complete = self.pairs(&statements[inside]).iter().all(|(_, point)| point.is_some());
        if !is_entered || !is_complete || !statements[inside].loops.last().is_some_and(is_point) {
            return Ok(None);
        }
        let stays_inside = |s: usize| statements[s].loops.starts_with(&statements[inside].loops);
        if !self.statements_of(phi, false).into_iter().all(stays_inside) {
            return Ok(None);
        }
        let Some(loaded) = moved(self.scop, &statements[before], phi, AccessKind::Read) else { return Ok(None) };
        let Some(relation) = self.at_places(loaded, before, inside) else { return Ok(None) };
        let entered = statements[inside].domain.project_out(DimKind::Out, depth(before), 1);
        if !self.is_same(&statements[before].domain, &entered, budget)? {
            return Ok(None);
        }
        let found = Promoted { before, inside, behind: None, writes: false, array: loaded.array, relation, phi };
        if self.is_carried(&found, known, budget)? {
            return Ok(Some(found));
        }
        if self.is_of_tile(before, loaded) {
            return Ok(None);
        }
        if self.is_stored(&found) {
            let is_written = self.is_touched(&[before, inside], loaded, true, budget)?;
            return Ok((!is_written && self.writes_once(inside, loaded.array)).then_some(found));
        }
        let Some((behind, stored, value)) = self.stored(before, inside, phi) else { return Ok(None) };
        let exit = &statements[behind];
        let own = loaded.relation.set_tuple_name(DimKind::In, Some(exit.name.as_str().into()));
        let is_element = loaded.array == stored.array && own == stored.relation;
        if !is_element
            || !self.is_same(&exit.domain, &entered, budget)?
            || self.is_touched(&[before, behind], loaded, false, budget)?
        {
            return Ok(None);
        }
        Ok(Some(Promoted { behind: Some((behind, value)), writes: true, ..found }))
    }

    /// Whether the relation of an access involves where the tile of a partial statement begins.
    fn is_of_tile(&self, statement: usize, access: &Access) -> bool {
        let mut pairs = self.pairs(&self.scop.statements[statement]).into_iter();
        pairs.any(|(tile, _)| access.relation.involves_dims(DimKind::In, tile, 1))
    }

    /// What a partial statement would load at the places of the iterations of a statement in the
    /// point loop, if a tile began there.
    fn at_places(&self, loaded: &Access, before: usize, inside: usize) -> Option<Map> {
        let (entry, statement) = (&self.scop.statements[before], &self.scop.statements[inside]);
        let place = entry.loops.len();
        let (tile, _) = self.pairs(statement).into_iter().find(|(_, point)| *point == Some(place))?;
        let relation = loaded.relation.insert_dims(DimKind::In, place, 1).equate(DimKind::In, tile, DimKind::In, place);
        let relation = relation.project_out(DimKind::In, tile, 1).insert_dims(DimKind::In, tile, 1);
        let others = self.pairs(entry).into_iter().filter(|(other, _)| *other != tile);
        let is_of_others = others.into_iter().any(|(other, _)| relation.involves_dims(DimKind::In, other, 1));
        (!is_of_others).then(|| relation.set_tuple_name(DimKind::In, Some(statement.name.as_str().into())))
    }

    /// Whether what the PHI node is next is the content of the element of the next place.
    fn is_carried(&self, found: &Promoted, known: &[Promoted], budget: &mut Budget) -> Result<bool, Stop> {
        let statement = &self.scop.statements[found.inside];
        let place = statement.loops.len() - 1;
        let mut offset = vec![Int::ZERO; statement.loops.len()];
        offset[place] = Int::ONE;
        let later = Map::translation(statement.domain.space(), &offset).apply_range(&found.relation);
        let later = later.intersect_domain(&statement.domain);
        let own = match self.source(found, &later, known, budget)? {
            Some(own) => own,
            None => return Ok(false),
        };
        let entry = &self.scop.statements[found.before];
        for (number, other) in self.scop.statements.iter().enumerate() {
            for (position, access) in other.accesses.iter().enumerate() {
                let is_ours = access.array == found.array && access.kind != AccessKind::Read;
                if !is_ours || own == Source::Stored(number, position) {
                    continue;
                }
                if other.loops.starts_with(&statement.loops) {
                    let written = access.relation.intersect_domain(&other.domain);
                    let pairs = equal_prefix(&later.apply_range(&written.reverse()), place + 1);
                    if !self.is_empty(&pairs, budget)? {
                        return Ok(false);
                    }
                } else if other.loops.starts_with(&entry.loops) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Where what the PHI node is next is the content of the elements.
    fn source(
        &self,
        found: &Promoted,
        elements: &Map,
        known: &[Promoted],
        budget: &mut Budget,
    ) -> Result<Option<Source>, Stop> {
        let statement = &self.scop.statements[found.inside];
        let Some(next) = written(statement, found.phi).map(|instr| instr.operands[0].value) else { return Ok(None) };
        for instr in statement.body.iter().filter(|instr| instr.predicate.is_none()) {
            let (access, source) = match instr.kind {
                InstrKind::Read(access) if instr.value == next => (access, Source::Loaded),
                InstrKind::Write(access) if instr.operands.first().is_some_and(|stored| stored.value == next) => {
                    (access, Source::Stored(found.inside, access.index()))
                }
                _ => continue,
            };
            let access = &statement.accesses[access.index()];
            let carried = known.iter().find(|promoted| {
                promoted.phi == access.array && promoted.inside == found.inside && promoted.behind.is_none()
            });
            let relation = match carried {
                Some(carried) if carried.array == found.array && access.kind == AccessKind::Read => &carried.relation,
                _ if access.array == found.array && access.exact && access.kind != AccessKind::MayWrite => {
                    &access.relation
                }
                _ => continue,
            };
            let relation = relation.intersect_domain(&statement.domain);
            if self.is_same(&relation.wrap(), &elements.wrap(), budget)? {
                return Ok(Some(source));
            }
        }
        Ok(None)
    }

    /// Whether the sets have the same points, whatever their names are.
    fn is_same(&self, a: &Set, b: &Set, budget: &mut Budget) -> Result<bool, Stop> {
        let (a, b) = (a.set_tuple_name(None), b.set_tuple_name(None));
        Ok(self.is_part(&a, &b, budget)? && self.is_part(&b, &a, budget)?)
    }

    /// Whether the iterations store what the PHI node will be next to the element that it has been
    /// loaded from.
    fn is_stored(&self, found: &Promoted) -> bool {
        let statement = &self.scop.statements[found.inside];
        let Some(next) = written(statement, found.phi) else { return false };
        let is_store = |access: &Access| {
            let is_same = access.array == found.array && access.exact && access.kind == AccessKind::MustWrite;
            is_same && access.relation == found.relation
        };
        statement.body.iter().any(|instr| match instr.kind {
            InstrKind::Write(access) => {
                instr.predicate.is_none()
                    && instr.operands == next.operands
                    && is_store(&statement.accesses[access.index()])
            }
            _ => false,
        })
    }

    /// Whether a statement has one write of the array.
    fn writes_once(&self, statement: usize, array: ArrayId) -> bool {
        let writes = |access: &&Access| access.array == array && access.kind != AccessKind::Read;
        self.scop.statements[statement].accesses.iter().filter(writes).count() == 1
    }

    /// The statement that stores what the PHI node would be next after a point loop, its store, and
    /// the scalar that carries the value.
    fn stored(&self, before: usize, inside: usize, phi: ArrayId) -> Option<(usize, &Access, ArrayId)> {
        let statements = &self.scop.statements;
        let next = written(&statements[inside], phi)?;
        let carries = |array: &ArrayId| {
            is_scalar(self.scop, *array, ScalarKind::Value)
                && self.statements_of(*array, true) == [inside]
                && written(&statements[inside], *array).is_some_and(|value| value.operands == next.operands)
        };
        let all = (0..self.scop.arrays.len()).map(ArrayId::from);
        all.filter(carries).find_map(|value| {
            let &[behind] = self.statements_of(value, false).as_slice() else { return None };
            let is_there = statements[behind].loops == statements[before].loops;
            let store = moved(self.scop, &statements[behind], value, AccessKind::MustWrite).filter(|_| is_there)?;
            Some((behind, store, value))
        })
    }

    /// Whether something else than the statements `own` touches the element of an access of the
    /// first of them (`is_write`: writes it), in the same iteration of the loops around that.
    fn is_touched(&self, own: &[usize], element: &Access, is_write: bool, budget: &mut Budget) -> Result<bool, Stop> {
        let entry = &self.scop.statements[own[0]];
        let elements = element.relation.intersect_domain(&entry.domain);
        for (number, statement) in self.scop.statements.iter().enumerate() {
            if own.contains(&number) || !statement.loops.starts_with(&entry.loops) {
                continue;
            }
            let touches =
                |access: &&Access| access.array == element.array && !(is_write && access.kind == AccessKind::Read);
            for access in statement.accesses.iter().filter(touches) {
                let other = access.relation.intersect_domain(&statement.domain);
                let pairs = elements.apply_range(&other.reverse());
                if !self.is_empty(&equal_prefix(&pairs, entry.loops.len()), budget)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn is_partial(&self, statement: usize) -> bool {
        self.pairs(&self.scop.statements[statement]).iter().any(|(_, point)| point.is_none())
    }

    /// The partial statements of which every iteration of the point loops could execute its own
    /// copy.
    fn computed(&self, budget: &mut Budget) -> Result<Vec<usize>, Stop> {
        let mut result = Vec::new();
        for statement in (0..self.scop.statements.len()).filter(|&s| self.left[s] && self.is_partial(s)) {
            if self.only_computes(statement) && !self.reads_what_changes(statement, budget)? {
                result.push(statement);
            }
        }
        // Values come from statements of the same kind, and go to such or to points.
        loop {
            let fits = |&s: &usize| {
                let loops = &self.scop.statements[s].loops;
                let is_same = |other: &usize| result.contains(other) && self.scop.statements[*other].loops == *loops;
                let is_inside = |other: &usize| self.scop.statements[*other].loops.starts_with(loops);
                self.scop.statements[s].accesses.iter().all(|access| match access.kind {
                    _ if !self.scop.arrays[access.array.index()].is_scalar() => true,
                    AccessKind::Read => self.statements_of(access.array, true).iter().all(is_same),
                    _ => {
                        self.statements_of(access.array, true) == [s]
                            && self
                                .statements_of(access.array, false)
                                .iter()
                                .all(|user| is_same(user) || (is_inside(user) && !self.is_partial(*user)))
                    }
                })
            };
            let kept: Vec<usize> = result.iter().copied().filter(fits).collect();
            if kept.len() == result.len() {
                return Ok(kept);
            }
            result = kept;
        }
    }

    /// Whether all that a statement does is to read memory and to compute values for others.
    fn only_computes(&self, statement: usize) -> bool {
        let statement = &self.scop.statements[statement];
        let is_plain =
            |instr: &Instr| !instr.sets_errno() && !matches!(instr.kind, InstrKind::Loop { .. } | InstrKind::Result);
        let is_fine =
            |access: &Access| access.kind == AccessKind::Read || is_scalar(self.scop, access.array, ScalarKind::Value);
        statement.body.iter().all(is_plain) && statement.accesses.iter().all(is_fine)
    }

    /// Whether what the statement reads from memory is written in the same iteration of the loops
    /// around it.
    fn reads_what_changes(&self, statement: usize, budget: &mut Budget) -> Result<bool, Stop> {
        let is_memory = |access: &&Access| !self.scop.arrays[access.array.index()].is_scalar();
        for access in self.scop.statements[statement].accesses.iter().filter(is_memory) {
            if self.is_of_tile(statement, access) || self.is_touched(&[statement], access, true, budget)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The statements that use the values of a partial one execute it themselves.
    fn spread(&mut self, partial: usize, done: &mut [bool]) {
        self.left[partial] = false;
        let (mut seen, mut todo) = (vec![partial], vec![partial]);
        while let Some(source) = todo.pop() {
            for access in self.scop.statements[source].accesses.iter().filter(|a| a.kind != AccessKind::Read) {
                done[access.array.index()] = true;
                for user in self.statements_of(access.array, false) {
                    if !seen.contains(&user) {
                        seen.push(user);
                        // Those with points have values that are no longer of a tile.
                        todo.extend(self.is_partial(user).then_some(user));
                    }
                }
            }
        }
        let own = &self.scop.statements[partial];
        seen.retain(|&user| !self.is_partial(user));
        for user in seen {
            let statement = &self.scop.statements[user];
            let (depth, inner) = (own.loops.len(), statement.loops.len() - own.loops.len());
            for access in own.accesses.iter().filter(|a| !self.scop.arrays[a.array.index()].is_scalar()) {
                let relation = access.relation.insert_dims(DimKind::In, depth, inner);
                let relation = relation.set_tuple_name(DimKind::In, Some(statement.name.as_str().into()));
                let relation = relation.intersect_domain(&statement.domain);
                self.accesses.push(Touch { statement: user, array: access.array, relation, writes: false });
            }
        }
    }

    /// The iterations load and store the element.
    fn replace(&mut self, promoted: &Promoted, done: &mut [bool]) {
        self.left[promoted.before] = false;
        done[promoted.phi.index()] = true;
        if let Some((behind, value)) = promoted.behind {
            self.left[behind] = false;
            done[value.index()] = true;
        }
        let relation = promoted.relation.intersect_domain(&self.scop.statements[promoted.inside].domain);
        self.accesses.push(Touch {
            statement: promoted.inside,
            array: promoted.array,
            relation,
            writes: promoted.writes,
        });
    }

    /// Whether all accesses of a scalar are in loops of which each iteration writes it before
    /// reading it.
    fn is_of_one_iteration(&self, scalar: ArrayId, budget: &mut Budget) -> Result<bool, Stop> {
        let is_ours = |kind| is_scalar(self.scop, scalar, kind);
        if !is_ours(ScalarKind::Value) && !is_ours(ScalarKind::Phi) {
            return Ok(false);
        }
        let (writers, readers) = (self.statements_of(scalar, true), self.statements_of(scalar, false));
        let all = || writers.iter().chain(&readers).map(|&s| &self.scop.statements[s]);
        let Some(common) = all().map(|s| s.loops.clone()).reduce(|a, b| common_prefix(&a, &b).to_vec()) else {
            return Ok(true);
        };
        let is_inside = |(_, point): &(usize, Option<usize>)| point.is_some_and(|point| point < common.len());
        if all().all(|s| self.pairs(s).is_empty()) {
            return Ok(true);
        }
        let is_certain = |access: &Access| access.array != scalar || access.kind != AccessKind::MayWrite;
        if !all().all(|s| self.pairs(s).iter().all(is_inside) && s.accesses.iter().all(is_certain)) {
            return Ok(false);
        }
        for &reader in &readers {
            let statement = &self.scop.statements[reader];
            let mut served = Set::empty(statement.domain.space().clone());
            for &writer in &writers {
                let write = &self.scop.statements[writer];
                let pairs = write.domain.to_map(&statement.domain);
                for earlier in before(&equal_prefix(&pairs, common.len()), write, statement, common.len()) {
                    served = served.union(&earlier.range());
                }
            }
            if !self.is_part(&statement.domain, &served, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The accesses that count, but those of the arrays that are `done`.
    fn collect(&mut self, done: &[bool]) {
        for (number, statement) in self.scop.statements.iter().enumerate().filter(|(s, _)| self.left[*s]) {
            for access in statement.accesses.iter().filter(|access| !done[access.array.index()]) {
                self.accesses.push(Touch {
                    statement: number,
                    array: access.array,
                    relation: access.relation.intersect_domain(&statement.domain),
                    writes: access.kind != AccessKind::Read,
                });
            }
        }
    }

    /// An array for which the order of tiles matters.
    fn reversed(&self, budget: &mut Budget) -> Result<Option<ArrayId>, Stop> {
        for first in &self.accesses {
            for second in self.accesses.iter().filter(|second| second.array == first.array) {
                if (first.writes || second.writes) && self.is_reversed(first, second, budget)? {
                    return Ok(Some(first.array));
                }
            }
        }
        Ok(None)
    }

    /// Whether the second access comes after the first, but not outside of some tile loop, and at a
    /// smaller place of that.
    fn is_reversed(&self, first: &Touch, second: &Touch, budget: &mut Budget) -> Result<bool, Stop> {
        let (a, b) = (&self.scop.statements[first.statement], &self.scop.statements[second.statement]);
        let common = common_prefix(&a.loops, &b.loops).len();
        let places = self.pairs(b);
        let mut all = None;
        for (tile, place) in self.pairs(a).into_iter().filter(|(tile, _)| *tile < common) {
            let (_, other) = places.iter().find(|(other, _)| *other == tile).expect("the tile loop is around both");
            let (Some(place), Some(other)) = (place, *other) else { return Ok(true) };
            let all = all.get_or_insert_with(|| first.relation.apply_range(&second.relation.reverse()));
            let smaller = equal_prefix(all, tile).order_gt(DimKind::In, place, DimKind::Out, other);
            for pairs in before(&smaller, a, b, tile) {
                if !self.is_empty(&pairs, budget)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// Those of the pairs that agree in the first `equal` counters of which the first comes before the
/// second in the order of the model.
fn before(pairs: &Map, first: &Statement, second: &Statement, equal: usize) -> Vec<Map> {
    let common = common_prefix(&first.loops, &second.loops).len();
    let mut agree = pairs.clone();
    let mut result = Vec::new();
    for counter in equal..common {
        result.push(agree.order_gt(DimKind::Out, counter, DimKind::In, counter));
        agree = agree.equate(DimKind::In, counter, DimKind::Out, counter);
    }
    if first.position[common] < second.position[common] {
        result.push(agree);
    }
    result
}

fn equal_prefix(pairs: &Map, counters: usize) -> Map {
    (0..counters).fold(pairs.clone(), |pairs, c| pairs.equate(DimKind::In, c, DimKind::Out, c))
}

fn common_prefix<'l>(a: &'l [LoopId], b: &[LoopId]) -> &'l [LoopId] {
    &a[..a.iter().zip(b).take_while(|(a, b)| a == b).count()]
}

/// Whether it is a scalar of that kind that nobody needs after the region.
fn is_scalar(scop: &Scop, array: ArrayId, wanted: ScalarKind) -> bool {
    matches!(scop.arrays[array.index()].kind, ArrayKind::Scalar { kind, live_out: false, .. } if kind == wanted)
}

/// The write of an array, if there is one and it happens.
fn written(statement: &Statement, array: ArrayId) -> Option<&Instr> {
    let writes = |instr: &&Instr| match instr.kind {
        InstrKind::Write(access) => statement.accesses[access.index()].array == array,
        _ => false,
    };
    let mut all = statement.body.iter().filter(writes);
    let found = all.next().filter(|instr| instr.predicate.is_none())?;
    let is_local = matches!(found.operands.as_slice(), [only] if only.kind == OperandKind::Local);
    (is_local && all.next().is_none()).then_some(found)
}

/// The access of memory, of the given kind, of a statement that only moves an element to or from a
/// scalar.
fn moved<'s>(scop: &Scop, statement: &'s Statement, scalar: ArrayId, kind: AccessKind) -> Option<&'s Access> {
    let [read, write] = statement.body.as_slice() else { return None };
    let (InstrKind::Read(from), InstrKind::Write(to)) = (&read.kind, &write.kind) else { return None };
    let moves =
        matches!(write.operands.as_slice(), [only] if only.value == read.value && only.kind == OperandKind::Local);
    let [from, to] = [from, to].map(|access| &statement.accesses[access.index()]);
    let (memory, own) = if kind == AccessKind::Read { (from, to) } else { (to, from) };
    let is_memory = matches!(scop.arrays[memory.array.index()].kind, ArrayKind::Memory { .. });
    let is_element = memory.kind == kind && memory.exact && is_memory && own.array == scalar;
    let happens = read.predicate.is_none() && write.predicate.is_none() && statement.accesses.len() == 2;
    (moves && is_element && happens).then_some(memory)
}
