//! Unroll-and-jam: neighbouring rows as one row of vector code.
//!
//! # Input
//! A loop over rows: in it, one after the other and perhaps behind conditions, loops that
//! [`crate::vector_row`] writes and whose bounds are the same for all rows.
//!
//! # Output
//! ```text
//!   while there are rows:
//!     if there are R more and all of them satisfy the conditions:
//!       for each of the loops:  its vectors, each for R rows;  row += R
//!     else:
//!       the loops as they are;  row += 1
//! ```
//!
//! # Why
//! What one row loads is loaded by its neighbours, too: a stencil of five points in two dimensions
//! loads three rows, and eight rows together load ten in place of twenty-four. And what a piece of
//! a row costs besides its vectors, its beginning, its end and the branch that nobody foresees, is
//! paid once for R rows.
//!
//! # Legality
//! The loops of the body are executed for R rows before the next one is, and the rows of one of
//! them alternate by vectors. So what is asked of every two instances of different rows of a block
//! is that they touch no common element of which one of them writes it, unless the earlier loop of
//! the body has the earlier row, whose order stays as it is. Two accesses have no common element if
//! some subscript does not move along the rows' points and differs by a constant that no two rows
//! of a block make up for ([`is_disjoint`]). Rows that have no such subscript are not made into
//! blocks.
//!
//! # Loads
//! Loads of the same element by different rows, or by different instructions, are one load if the
//! loop writes nothing to the array: their subscripts differ by zero.

use poly_scop::{AccessKind, InstrKind, JammedLoads, UNROLL_FACTORS};

use crate::builder::{self, Compare, Op, Value};
use crate::code::{Code, Loop, Step, Vector};
use crate::form::{Test, Var};
use crate::generator::Generator;
use crate::linear::Linear;
use crate::loops::Bounds;
use crate::tile::{Location, Part, Tile};

/// Loops over the points of rows that are executed for several rows at a time.
#[derive(Debug)]
pub(crate) struct UnrollAndJam<'a> {
    n_rows: u32,
    /// All of them hold for every row of a block.
    tests: Vec<&'a Test>,
    /// The loops in their order.
    tiles: Vec<Tile<'a>>,
}

/// An access by some row of a block.
struct Touched {
    location: Location,
    writes: bool,
}

/// Recognition.
impl<'c> Generator<'c, '_> {
    /// What a loop over rows consists of, if it can be executed in blocks of rows and some load is
    /// saved by that.
    pub(crate) fn unroll_and_jam<'a>(&self, l: &'a Loop) -> Option<UnrollAndJam<'a>> {
        let is_simple = l.step == Step::ONE
            && !l.parallel
            && l.register.is_none()
            && !l.simd_wavefront
            && l.vector != Vector::Wanted;
        if !is_simple {
            return None;
        }
        let (mut tests, mut loops) = (Vec::new(), Vec::new());
        collect(&l.body, &mut tests, &mut loops)?;
        let moves = |var: Var| var == Var::Iter(l.iter);
        if loops.is_empty() || loops.iter().any(|row| row.lower.mentions(&moves) || row.upper.mentions(&moves)) {
            return None;
        }
        let tiles: Vec<Tile<'a>> = loops.into_iter().map(|row| self.vector_row(row, Some(l))).collect::<Option<_>>()?;
        let range = self.prepared.program.iters[l.iter]?;
        let machine = &self.prepared.options.machine;
        let is_fit = |&n_rows: &u32| {
            let saves =
                |tile: &Tile<'_>| self.loaded(tile, n_rows).all() < n_rows as usize * self.loaded(tile, 1).all();
            range.hi.checked_add(i128::from(n_rows)).is_some_and(|end| end < i128::from(i64::MAX))
                && tiles.iter().all(|tile| self.loaded(tile, n_rows).are_few(machine))
                && tiles.iter().any(saves)
                && self.are_rows_disjoint(&tiles, l.iter, n_rows)
        };
        let n_rows = UNROLL_FACTORS.into_iter().find(is_fit)?;
        let tiles = tiles.into_iter().map(|tile| Tile { n_rows, ..tile }).collect();
        Some(UnrollAndJam { n_rows, tests, tiles })
    }

    /// The different vectors that so many rows load, without those that are the same for all rows:
    /// they are no reason to have several rows under way.
    fn loaded(&self, tile: &Tile<'_>, n_rows: u32) -> JammedLoads<Location> {
        let mut result = JammedLoads::new(n_rows);
        for row in 0..n_rows {
            for (number, (_, parts)) in tile.runs.iter().enumerate() {
                let loads = parts
                    .iter()
                    .enumerate()
                    .filter(|(_, part)| matches!(part, Part::Load { contiguous: true, moves } if moves.row));
                for (position, _) in loads {
                    let Some(location) = self.location_in_row(tile, (number, position), row) else { continue };
                    if self.is_unwritten(tile, (number, position)) {
                        result.add(row, location, Location::is_same);
                    } else {
                        result.add(row, location, |_, _| false);
                    }
                }
            }
        }
        result
    }

    /// The elements that an instruction of a row loop touches in one of the rows of a block.
    pub(crate) fn location_in_row(
        &self,
        tile: &Tile<'_>,
        (number, position): (usize, usize),
        row: u32,
    ) -> Option<Location> {
        let run = tile.runs[number].0;
        let coordinates = run.coordinates.iter().map(Linear::of).collect::<Option<Vec<_>>>()?;
        let (InstrKind::Read(access) | InstrKind::Write(access)) =
            self.prepared.scop.statements[run.statement].body[position].kind
        else {
            return None;
        };
        let mut location = self.location(run, &coordinates, (number, position, access.index()))?;
        for subscript in &mut location.subscripts {
            let slope = tile.rows.map_or(Some(0), |rows| subscript.slope(rows.iter))?;
            subscript.constant = subscript.constant.checked_add(slope.checked_mul(i128::from(row))?)?;
        }
        Some(location)
    }

    /// The loop writes nothing to what an instruction reads.
    pub(crate) fn is_unwritten(&self, tile: &Tile<'_>, (number, position): (usize, usize)) -> bool {
        let statement = &self.prepared.scop.statements[tile.runs[number].0.statement];
        let InstrKind::Read(access) = statement.body[position].kind else { return false };
        let array = statement.accesses[access.index()].array.index();
        tile.results.iter().all(|result| !self.may_share_bytes(array, result.array))
    }

    /// Two arrays are the same, or it is not known that they do not overlap.
    fn may_share_bytes(&self, one: usize, other: usize) -> bool {
        one == other || self.prepared.overlapping.contains(&(one.min(other), one.max(other)))
    }

    /// Rows of a block do not depend on each other, as far as their order changes.
    fn are_rows_disjoint(&self, tiles: &[Tile<'_>], rows: usize, n_rows: u32) -> bool {
        let Some(touched) = tiles.iter().map(|tile| self.touched(tile)).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let pairs = |later: usize| (0..=later).map(move |earlier| (earlier, later));
        (0..tiles.len()).flat_map(pairs).all(|(earlier, later)| {
            touched[earlier].iter().all(|a| {
                touched[later].iter().all(|b| {
                    let conflicts = (a.writes || b.writes) && self.may_share_bytes(a.location.array, b.location.array);
                    let columns = [tiles[earlier].columns.iter, tiles[later].columns.iter];
                    !conflicts || is_disjoint(&a.location, &b.location, (rows, columns), (n_rows, earlier == later))
                })
            })
        })
    }

    /// All accesses of a row loop; `None` if one is not known.
    fn touched(&self, tile: &Tile<'_>) -> Option<Vec<Touched>> {
        let mut result = Vec::new();
        for (number, (run, _)) in tile.runs.iter().enumerate() {
            let statement = &self.prepared.scop.statements[run.statement];
            let coordinates = run.coordinates.iter().map(Linear::of).collect::<Option<Vec<_>>>()?;
            for (index, access) in statement.accesses.iter().enumerate() {
                let location = self.location(run, &coordinates, (number, 0, index))?;
                result.push(Touched { location, writes: access.kind != AccessKind::Read });
            }
        }
        Some(result)
    }
}

/// The access `a` of a row and `b` of an earlier row of the same block (of another row, if
/// `either`) have no common element: some subscript is invariant along the points and is different.
fn is_disjoint(
    a: &Location,
    b: &Location,
    (rows, columns): (usize, [usize; 2]),
    (n_rows, either): (u32, bool),
) -> bool {
    let differs = |(a, b): (&Linear, &Linear)| {
        let stands = |s: &Linear| columns.iter().all(|&columns| s.slope(columns) == Some(0));
        let (Some(distance), Some(slope)) = (a.distance(b), a.slope(rows)) else { return false };
        // With rows r + k and r: the second one's value less the first one's is distance - k *
        // slope.
        let meets = |k: i128| distance == k * slope || (either && distance == -k * slope);
        stands(a) && stands(b) && b.slope(rows) == Some(slope) && !(1..i128::from(n_rows)).any(meets)
    };
    a.array == b.array
        && a.subscripts.len() == b.subscripts.len()
        && a.subscripts.iter().zip(&b.subscripts).any(differs)
}

/// Takes a body apart into conditions and loops; `None` if there is something else in it.
fn collect<'a>(code: &'a Code, tests: &mut Vec<&'a Test>, loops: &mut Vec<&'a Loop>) -> Option<()> {
    match code {
        Code::Block(parts) => parts.iter().try_for_each(|part| collect(part, tests, loops)),
        Code::If { test, then, otherwise: None } => {
            tests.push(test);
            collect(then, tests, loops)
        }
        Code::Loop(l) => {
            loops.push(l);
            Some(())
        }
        Code::If { .. } | Code::Run(_) => None,
    }
}

/// If it holds for two values of a counter it holds for all between them.
fn is_convex(test: &Test, iter: usize) -> bool {
    match test {
        Test::True | Test::False => true,
        Test::All(tests) => tests.iter().all(|test| is_convex(test, iter)),
        Test::NonNegative(form) => Linear::of(form).is_some_and(|linear| linear.slope(iter).is_some()),
        Test::Any(_) | Test::Not(_) | Test::Zero(_) => false,
    }
}

/// Writing.
impl<'c> Generator<'c, '_> {
    /// Writes a loop over rows in blocks; the builder is behind it afterwards.
    pub(crate) fn emit_unroll_and_jam(&mut self, l: &Loop, bounds: Bounds<'c>, block: &UnrollAndJam<'_>) {
        self.emit_in_place_of(l, bounds, |g, (first, end)| {
            let function = g.frame.function;
            let [header, some, several, single, latch, after] = ["rows", "some", "several", "single", "latch", "end"]
                .map(|what| g.b.append_block(function, &format!("poly.c{}.{what}", l.iter)));
            let before = g.b.block();
            g.b.branch(header);
            g.b.at_end(header);
            let row = g.b.phi(g.b.int_type(64), &format!("poly.c{}", l.iter));
            builder::add_incoming(row, first, before);
            let behind = g.beside(row, block.n_rows);
            let enough = g.b.compare(Compare::LLVMIntSLE, behind, end);
            g.b.branch_if(enough, some, single);
            g.b.at_end(some);
            match g.emit_tests(l.iter, row, block) {
                Some(holds) => g.b.branch_if(holds, several, single),
                None => g.b.branch(several),
            };
            g.b.at_end(several);
            for tile in &block.tiles {
                g.iters[l.iter] = Some(row);
                let bounds = g.emit_bounds(tile.columns);
                g.emit_vector_rows(row, bounds, tile);
            }
            let from_several = g.b.block();
            g.b.branch(latch);
            g.b.at_end(single);
            g.iters[l.iter] = Some(row);
            g.emit_code(&l.body);
            let next = g.beside(row, 1);
            let from_single = g.b.block();
            g.b.branch(latch);
            g.b.at_end(latch);
            let left = g.b.phi(g.b.int_type(64), &format!("poly.c{}.next", l.iter));
            builder::add_incoming(left, behind, from_several);
            builder::add_incoming(left, next, from_single);
            builder::add_incoming(row, left, latch);
            let again = g.b.compare(Compare::LLVMIntSLT, left, end);
            let branch = g.b.branch_if(again, header, after);
            let cx = g.prepared.cx;
            branch.set_metadata("llvm.loop", cx.loop_id(&[cx.md_property("llvm.loop.mustprogress", &[])]));
            g.b.at_end(after);
        });
    }

    /// Whether all rows of a block satisfy the conditions; `None` if there are no conditions.
    fn emit_tests(&mut self, iter: usize, row: Value<'c>, block: &UnrollAndJam<'_>) -> Option<Value<'c>> {
        let mut holds: Option<Value<'c>> = None;
        for test in &block.tests {
            let every = if is_convex(test, iter) { block.n_rows - 1 } else { 1 };
            for distance in (0..block.n_rows).step_by(every as usize) {
                self.iters[iter] = Some(self.beside(row, distance));
                let one = self.emit_test(test);
                holds = Some(holds.map_or(one, |all| self.b.arithmetic(Op::And, all, one, false)));
            }
        }
        holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Form;

    const ROW: usize = 0;
    const COLUMN: usize = 1;

    fn iter(i: usize) -> Form {
        Form::Var(Var::Iter(i))
    }

    fn location(row: (i128, i128), column: i128) -> Location {
        let sum = |slope: i128, iter: Form, constant: i128| {
            let form = Form::Sum(vec![Form::Scaled(slope, Box::new(iter)), Form::Const(constant)]);
            Linear::of(&form).expect("small numbers")
        };
        Location {
            array: 0,
            subscripts: vec![sum(row.0, iter(ROW), row.1), sum(1, iter(COLUMN), column)],
            at: (0, 0, 0),
        }
    }

    fn are_disjoint(a: &Location, b: &Location, either: bool) -> bool {
        is_disjoint(a, b, (ROW, [COLUMN; 2]), (4, either))
    }

    #[test]
    fn neighbouring_rows_are_apart_only_at_a_distance_beyond_the_block() {
        let at = |row: i128| location((1, row), 0);
        // The same row, as in an update in place.
        assert!(are_disjoint(&at(0), &at(0), true));
        // A[i] = f(A[i - 1]), A[i + 3], A[i - 4].
        assert!(!are_disjoint(&at(0), &at(-1), true));
        assert!(!are_disjoint(&at(0), &at(3), true));
        assert!(are_disjoint(&at(0), &at(-4), true));
        // Strides of two meet only even distances.
        let even = |row: i128| location((2, row), 0);
        assert!(are_disjoint(&even(0), &even(1), true) && !are_disjoint(&even(0), &even(2), true));
        // One row for all.
        assert!(!are_disjoint(&location((0, 5), 0), &location((0, 5), 0), true));
        assert!(are_disjoint(&location((0, 5), 0), &location((0, 6), 0), true));
    }

    #[test]
    fn later_loops_may_use_what_earlier_ones_have_done_for_earlier_rows() {
        let at = |row: i128| location((1, row), 0);
        // The first loop writes B[i], the second one, behind it, reads B[i - 1] or B[i + 1]: the
        // row after it must not have been written then.
        assert!(are_disjoint(&at(0), &at(-1), false));
        assert!(!are_disjoint(&at(0), &at(1), false));
    }

    #[test]
    fn columns_do_not_tell_rows_apart() {
        // In a vector of one dimension.
        let one = |constant: i128| Location {
            array: 0,
            subscripts: vec![Linear::of(&Form::Sum(vec![iter(COLUMN), Form::Const(constant)])).expect("small numbers")],
            at: (0, 0, 0),
        };
        assert!(!are_disjoint(&one(0), &one(1), true));
    }

    #[test]
    fn conditions_on_both_ends() {
        let at_least = Test::NonNegative(Form::Sum(vec![iter(ROW), Form::Const(-3)]));
        assert!(is_convex(&at_least, ROW));
        assert!(is_convex(&Test::All(vec![at_least.clone(), at_least.clone()]), ROW));
        assert!(!is_convex(&Test::Any(vec![at_least.clone(), at_least]), ROW));
        assert!(!is_convex(&Test::NonNegative(Form::Mod(Box::new(iter(ROW)), 2)), ROW));
    }
}
