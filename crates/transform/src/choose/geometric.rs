//! Sizes of tiles as geometric programs.
//!
//! # Problem
//! For given orders of the loops over tiles and of the points: the sizes with the least cost.
//!
//! # Model
//! Variables are the sizes `s`, one for each member; there are `N / s` tiles along it. For each
//! cache a *box* of inner loops is fixed that stays in it:
//! 1. *Capacity*: the lines that all references touch in the box fit into the part of the cache
//!    that the cost model counts on.
//! 2. *Traffic*: the loop around the box finds what it touches again; each execution of that loop
//!    brings the lines of a reference in it once, times the cycles for a line.
//! 3. *Rows*: each execution of the innermost loop costs its overhead, so that short ones are dear.
//!
//! The lines of a reference in a box are `bytes of a piece / bytes of a line + 1` along the loops
//! with small strides, times the sizes of the others: a posynomial, and so are all others of these
//! ([Renganarayanan2004]). Which boxes stay is a choice like that of the orders, each a program of
//! its own ([LiEtAl2021]). What is not posynomial (partial tiles, pages, rows that meet, caches
//! that keep a part) is left to the cost model, which ranks the points around the optima.

use poly_geometric::{Accuracy, Monomial, Posynomial, Program, Solution, Unsolved};

use super::{BandFacts, BandStatement};
use crate::Machine;
use crate::cost::{Reference, SAME_ROWS};
use crate::machine::USABLE;

/// Solutions are rounded to whole vectors: so much above the optimum will do.
const GAP: f64 = 0.01;

/// Most Newton steps of one program.
const STEPS: u32 = 80;

/// The loops of a tiled band: members, outermost first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Structure<'a> {
    pub(super) tiles: &'a [usize],
    pub(super) points: &'a [usize],
}

/// A reference of the band.
struct Moving<'a> {
    statement: &'a BandStatement,
    reference: Reference,
    /// Its number among the accesses of the statement.
    access: usize,
}

/// What programs for one band have in common.
pub(super) struct Sizes<'a> {
    band: &'a BandFacts,
    machine: &'a Machine,
    references: Vec<Moving<'a>>,
    /// Iterations of each member, of the statement with the most.
    trips: Vec<f64>,
}

impl<'a> Sizes<'a> {
    pub(super) fn of(band: &'a BandFacts, machine: &'a Machine) -> Self {
        let members = band.coincident.len();
        let trip = |member: usize| band.statements.iter().map(|s| s.members[member].trip).fold(1.0, f64::max);
        let mut references: Vec<Moving<'a>> = Vec::new();
        for statement in &band.statements {
            for (access, &reference) in statement.accesses.iter().enumerate() {
                let own = Moving { statement, reference, access };
                let known = references.iter_mut().find(|known| {
                    let same = (0..members).all(|member| known.stride(member) == own.stride(member));
                    known.reference.group == reference.group && same
                });
                match known {
                    Some(known) => known.reference.write |= reference.write,
                    None => references.push(own),
                }
            }
        }
        Self { band, machine, references, trips: (0..members).map(trip).collect() }
    }

    /// The caches that do not keep all data of the band, the first ones.
    pub(super) fn small_caches(&self) -> usize {
        let order: Vec<usize> = (0..self.trips.len()).collect();
        let structure = Structure { tiles: &order, points: &order };
        let bytes = self.bytes(structure, 2 * order.len()).value(&[]);
        let is_small = |cache: &&poly_machine::Cache| bytes > USABLE * cache.counted_bytes() as f64;
        self.machine.caches.iter().take_while(is_small).count()
    }

    /// The best sizes where each cache keeps a box of so many inner loops.
    ///
    /// # Errors
    /// [`Unsolved`]: mostly because the smallest box does not fit.
    pub(super) fn optimum(&self, structure: Structure<'_>, kept: &[usize]) -> Result<Solution, Unsolved> {
        self.program(structure, kept).minimize(Accuracy { gap: GAP, steps: STEPS })
    }

    fn program(&self, structure: Structure<'_>, kept: &[usize]) -> Program {
        let members = self.trips.len();
        let mut program = Program { variables: members, ..Program::default() };
        for (level, (cache, &kept)) in self.machine.caches.iter().zip(kept).enumerate() {
            let room = USABLE * cache.counted_bytes() as f64;
            program.bound(&self.bytes(structure, kept), &Monomial::constant(room));
            for reference in self.references.iter().filter(|r| r.reference.kept.is_none_or(|cache| level < cache)) {
                let write_back = if reference.reference.write { 1.5 } else { 1.0 };
                program.objective +=
                    &(&self.traffic(reference, structure, kept + 1) * (cache.fill_cycles * write_back));
            }
        }
        let innermost = structure.points[members - 1];
        program.objective += &self.rows(innermost);
        for (member, &trip) in self.trips.iter().enumerate() {
            program.bound(&Posynomial::variable(member), &Monomial::constant(trip));
            let least = if member == innermost { self.lanes().min(trip) } else { 1.0 };
            program.bound(&Posynomial::constant(least), &Monomial::variable(member));
        }
        program
    }

    /// Lanes of vectors of the widest element.
    pub(super) fn lanes(&self) -> f64 {
        let bytes = self.references.iter().map(|r| r.reference.bytes).fold(1.0, f64::max);
        (self.machine.vectors.loop_bytes as f64 / bytes).max(1.0)
    }

    /// Cycles that executions of the innermost loop cost beside their iterations.
    fn rows(&self, innermost: usize) -> Posynomial {
        let code = self.machine.code;
        let end = if self.machine.vectors.masks { code.mask_lane_cycles * self.lanes() } else { 0.0 };
        let instances: f64 = self.band.statements.iter().map(|s| s.instances).sum();
        &Posynomial::constant(instances * (code.loop_cycles + end)) / &Monomial::variable(innermost)
    }

    /// How often the loops around a box of inner loops are executed, for the statement of a
    /// reference, times the lines in it.
    fn traffic(&self, reference: &Moving<'_>, structure: Structure<'_>, kept: usize) -> Posynomial {
        let statement = reference.statement;
        let inside = |member: usize| self.trip(statement, structure, member, kept);
        let boxes = (0..self.trips.len()).map(inside).fold(Monomial::constant(1.0), |all, trip| &all * &trip);
        &(&self.lines(reference, structure, kept) * statement.instances) / &boxes
    }

    /// Iterations of a member in a box of so many inner loops, of a statement.
    fn trip(&self, statement: &BandStatement, structure: Structure<'_>, member: usize, kept: usize) -> Monomial {
        let members = structure.points.len();
        let is_in = |order: &[usize], count: usize| order[members - count.min(members)..].contains(&member);
        let trip = statement.members[member].trip;
        match (is_in(structure.points, kept), is_in(structure.tiles, kept.saturating_sub(members))) {
            _ if trip <= 1.0 => Monomial::constant(1.0),
            (false, _) => Monomial::constant(1.0),
            (true, false) => Monomial::variable(member),
            (true, true) => Monomial::constant(trip),
        }
    }

    /// Lines that a reference touches in a box of so many inner loops. Skewed loops go along the
    /// rows of the others.
    fn lines(&self, reference: &Moving<'_>, structure: Structure<'_>, kept: usize) -> Posynomial {
        let line = self.machine.memory.line_bytes as f64;
        let mut moving: Vec<(f64, Posynomial)> = (0..self.trips.len())
            .map(|member| (reference.stride(member), self.trip(reference.statement, structure, member, kept)))
            .filter(|(stride, trip)| *stride != 0.0 && *trip != Monomial::constant(1.0))
            .map(|(stride, trip)| (stride, trip.into()))
            .collect();
        moving.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut piece = Posynomial::constant(1.0);
        let mut rows: Vec<(f64, Posynomial)> = Vec::new();
        for (stride, trip) in moving {
            let mut rest = stride;
            let mut met = Vec::new();
            for (index, (step, _)) in rows.iter().enumerate().rev() {
                let steps = (rest / step).round();
                if (1.0..=SAME_ROWS).contains(&steps) {
                    rest = (rest - steps * step).abs();
                    met.push((index, steps));
                }
            }
            if rest >= line {
                rows.push((stride, trip));
                continue;
            }
            piece += &(&trip * (rest / line));
            met.into_iter().for_each(|(index, steps)| rows[index].1 += &(&trip * steps));
        }
        rows.iter().fold(piece, |lines, (_, count)| &lines * count)
    }

    /// Bytes that all references touch in a box of so many inner loops.
    fn bytes(&self, structure: Structure<'_>, kept: usize) -> Posynomial {
        let mut lines = Posynomial::default();
        self.references.iter().for_each(|reference| lines += &self.lines(reference, structure, kept));
        &lines * self.machine.memory.line_bytes as f64
    }
}

impl Moving<'_> {
    fn stride(&self, member: usize) -> f64 {
        self.statement.members[member].strides.get(self.access).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choose::tests::matmul;
    use crate::machine::tests::usual;

    /// A machine with one cache of so many words, and lines of a word.
    fn one_cache(words: u64) -> Machine {
        let mut machine = usual();
        machine.memory.line_bytes = 8;
        machine.caches.truncate(1);
        machine.caches[0].bytes = words * 8;
        machine.caches[0].sharers = 1;
        machine.caches[0].fill_cycles = 1.0;
        machine.code.loop_cycles = 0.0;
        machine
    }

    #[test]
    fn a_product_whose_result_stays_moves_little_more_than_it_must() {
        let (machine, words) = (one_cache(4096), USABLE * 4096.0);
        let band = matmul();
        let sizes = Sizes::of(&band, &machine);
        // Tiles of the result, k in the innermost loop over tiles: what is in a tile stays.
        let structure = Structure { tiles: &[0, 1, 2], points: &[2, 0, 1] };
        let program = sizes.program(structure, &[3]);
        let solution = program.minimize(Accuracy::default()).expect("tiles fit");
        // The model counts a word more for each piece, and the result one and a half times, once.
        let bound = 2.0 * 1e9 / words.sqrt();
        let [i, j, k] = solution.at[..] else { panic!("{solution:?}") };
        assert!((i / j - 1.0).abs() < 0.05 && k < 1.1, "{solution:?}");
        let moved = 1e9 / i + 1e9 / j;
        assert!(moved > bound && moved < 1.06 * bound, "{moved} {bound} {solution:?}");
    }

    #[test]
    fn what_is_larger_than_a_cache_has_no_tiles_for_it() {
        let band = matmul();
        let machine = one_cache(2);
        let structure = Structure { tiles: &[0, 1, 2], points: &[2, 0, 1] };
        assert_eq!(Sizes::of(&band, &machine).optimum(structure, &[3]), Err(Unsolved::Infeasible));
        assert_eq!(Sizes::of(&band, &one_cache(1 << 26)).small_caches(), 0);
        assert_eq!(Sizes::of(&band, &one_cache(1 << 20)).small_caches(), 1);
    }
}
