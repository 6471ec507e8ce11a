//! Panel and update: blocked factorizations for threads [Dongarra1998].
//!
//! # Problem
//! In `A[i][j] -= A[i][k] * A[k][j]` with `k < min(i, j)`, blocks of rows and columns depend on
//! each other for one block of values of `k`. [Wavefronts](crate::wavefront()) of blocks begin with
//! one block and end with one, and are many. But blocks wait only for the rows and the columns that
//! the block of `k` makes factors of; the others are free of each other.
//!
//! # Definitions
//! `K` is the number of a block of `s` values of the reduced loop. A row or a column is *behind*
//! `K` if its number is at least `s (K + 1)`. The *phase* of an instance is
//! `[its row is behind] + 2 [its column is behind]`: 0 at the diagonal, 1 in the panel of columns
//! below, 2 in the panel of rows to the right, 3 in the rest.
//!
//! # Algorithm
//! For each `K`, run one phase after the other. Side by side are blocks of rows in phase 1, blocks
//! of columns in phases 2 and 3; phase 0 is one block. What has the same number there runs in the
//! order of the loops inside. Four phases instead of as many wavefronts as there are blocks along
//! two sides.
//!
//! What phase 0 has is executed by one thread while the others wait. It may be divided in the same
//! way again, by blocks of `s' < s` values.
//!
//! # Legality
//! Decided for the pairs that reach the band. In no member may a pair have a negative distance;
//! with equal `K`, none may have a negative distance in the phase, and with equal phase all must
//! have distance zero in the number of the block that runs side by side with others. The same for
//! the division of phase 0, whose numbers are zero in the other phases.
//!
//! # Reference
//! The right-looking variants of blocked factorizations [Dongarra1998].

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, MultiUnionPwAff, PwAff, Set, Tuple, UnionPwAff};
use poly_schedule_tree::Band;

use crate::pairs::{Distances, Pairs};
use crate::refusal::{Refusal, refusal};

/// What is executed in phases.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a> {
    /// Rows, columns and the reduced member.
    pub members: &'a Band,
    /// How they are divided.
    pub division: Division,
    /// How phase 0 is divided again.
    pub inner: Option<Division>,
}

/// Sizes of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    /// Values of the reduced member in a block.
    pub size: u64,
    /// Rows in a block of phase 1, and columns in one of phases 2 and 3.
    pub sides: [u64; 2],
}

/// Loops over phases and over the blocks of one, which are coincident, inside of one over blocks of
/// the reduced member, and where phase 0 is divided again those over its blocks, their phases and
/// what these have side by side; or why that is not legal. `pairs` are those that reach the band.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn panel_update(blocks: &Blocks<'_>, pairs: &Pairs, budget: &mut Budget) -> Result<Result<Band, Refusal>, Stop> {
    if let Some(refusal) = refusal(blocks.members, pairs, budget)? {
        return Ok(Err(refusal));
    }
    let refused = |member| Ok(Err(Refusal::Negative { member }));
    let Some(numbers) = Numbers::of(blocks) else { return refused(0) };
    let (mut pairs, mut members, mut coincident) = (pairs.clone(), Vec::new(), Vec::new());
    for (at, Numbers { reduced, phase, shared }) in numbers.into_iter().enumerate() {
        let first = members.len();
        // No member itself has a negative distance.
        let is_ordered =
            at == 0 || matches!(pairs.distances(&reduced, budget)?, Some(Distances::Zero | Distances::Forward));
        if !is_ordered {
            return refused(first);
        }
        let Some(same) = pairs.equal(&reduced, budget)? else { return refused(first) };
        if !matches!(same.distances(&phase, budget)?, Some(Distances::Zero | Distances::Forward)) {
            return refused(first);
        }
        let Some(same) = same.equal(&phase, budget)? else { return refused(first + 1) };
        if !matches!(same.distances(&shared, budget)?, Some(Distances::Zero)) {
            return refused(first + 1);
        }
        // The outer blocks of the reduced member are a loop around these.
        if at > 0 {
            members.push(reduced);
            coincident.push(false);
        }
        members.extend([phase, shared]);
        coincident.extend([false, true]);
        pairs = same;
    }
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(members.len()), members);
    Ok(Ok(Band { coincident, ..Band::new(schedule) }))
}

/// Of each instance: the block of the reduced member, the phase, and the number among those that
/// run side by side.
struct Numbers {
    reduced: UnionPwAff,
    phase: UnionPwAff,
    shared: UnionPwAff,
}

impl Numbers {
    /// Those of the blocks, and of the division of phase 0; `None` if the members are not defined
    /// for the same statements.
    fn of(blocks: &Blocks<'_>) -> Option<Vec<Numbers>> {
        let members = &blocks.members.schedule;
        let none = || UnionPwAff::empty(members.get(2).param_ids().to_vec());
        let empty = || Numbers { reduced: none(), phase: none(), shared: none() };
        let mut all: Vec<Numbers> = std::iter::once(empty()).chain(blocks.inner.map(|_| empty())).collect();
        for reduced in members.get(2).iter() {
            let tuple = reduced.domain_space().tuple(DimKind::Out)?;
            let sides = [members.get(0).get(tuple)?, members.get(1).get(tuple)?];
            let outer = Own::of((sides, reduced), blocks.division);
            let inner = blocks.inner.map(|division| Own::of((sides, reduced), division).within(&outer));
            for (numbers, own) in all.iter_mut().zip(std::iter::once(outer).chain(inner)) {
                numbers.reduced.add(own.block);
                numbers.phase.add(own.phase);
                numbers.shared.add(own.shared);
            }
        }
        Some(all)
    }
}

/// The numbers of one statement's instances.
struct Own {
    block: PwAff,
    phase: PwAff,
    shared: PwAff,
    /// The instances of phase 0, and the others.
    diagonal: Set,
    others: Set,
}

impl Own {
    fn of(([rows, columns], reduced): ([&PwAff; 2], &PwAff), division: Division) -> Own {
        let constant = |value: u64| PwAff::constant(reduced.domain_space().clone(), value);
        let block = reduced.floor_div(Int::from(division.size));
        let last = block.scale(Int::from(division.size)).add(&constant(division.size - 1));
        let [below, right] = [rows, columns].map(|side| side.gt_set(&last));
        let [above, left] = [rows, columns].map(|side| side.le_set(&last));
        let is_in = |yes: &Set, no: &Set| PwAff::one_on(yes).union_disjoint(&constant(0).intersect_domain(no));
        let phase = is_in(&below, &above).add(&is_in(&right, &left).scale(2));
        let [rows, columns] = [(rows, 0), (columns, 1)].map(|(f, side)| f.floor_div(Int::from(division.sides[side])));
        let diagonal = above.intersect(&left);
        let lower = below.intersect(&left);
        let beside = rows.intersect_domain(&lower).union_disjoint(&columns.intersect_domain(&right));
        let shared = block.intersect_domain(&diagonal).union_disjoint(&beside);
        Own { block, phase, shared, diagonal, others: lower.union(&right) }
    }

    /// These where other numbers have phase 0, and zero elsewhere.
    fn within(self, outer: &Own) -> Own {
        let zero = PwAff::constant(self.block.domain_space().clone(), 0).intersect_domain(&outer.others);
        let within = |f: PwAff| f.intersect_domain(&outer.diagonal).union_disjoint(&zero);
        Own { block: within(self.block), phase: within(self.phase), shared: within(self.shared), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::tests::{band, pairs};

    /// The loops of blocks of three rows and columns for a statement `S[t, i]`, with `t` reduced,
    /// in blocks of so many.
    fn of_blocks(size: u64, rows: &str, columns: &str, dependences: &[&str]) -> Result<Band, Refusal> {
        let members = band(&[rows, columns, "t"]);
        let blocks = Blocks { members: &members, division: Division { size, sides: [3; 2] }, inner: None };
        panel_update(&blocks, &pairs(dependences), &mut Budget::unlimited()).expect("there is no limit")
    }

    fn of(rows: &str, columns: &str, dependences: &[&str]) -> Result<Band, Refusal> {
        of_blocks(3, rows, columns, dependences)
    }

    /// The value of a member of a band at a point.
    fn at(band: &Band, member: usize, t: i64, i: i64) -> String {
        let function = band.schedule.get(member).get_named("S").expect("it is defined");
        function.eval(&[], &[t.into(), i.into()]).expect("it is defined there").to_string()
    }

    #[test]
    fn panels_wait_for_the_diagonal_and_the_rest_for_panels() {
        let dependence = "{ S[t, i] -> S[t + 1, i] : 0 <= i <= t <= 1 }";
        let points = [(0, 0), (0, 2), (1, 2), (1, 3)];
        let below = of("t + i", "i", &[dependence]).expect("nothing goes back");
        assert_eq!(below.coincident, [false, true]);
        assert_eq!(points.map(|(t, i)| at(&below, 0, t, i)), ["0", "0", "1", "3"]);
        let right = of("i", "t + i", &[dependence]).expect("nothing goes back");
        assert_eq!(points.map(|(t, i)| at(&right, 0, t, i)), ["0", "0", "2", "3"]);
    }

    #[test]
    fn a_block_of_the_reduced_loop_is_as_long_as_several_of_rows_and_columns() {
        // From block to block of rows at the diagonal, where they run in their order.
        let inside = "{ S[t, i] -> S[t, i + 1] : 0 <= t <= 5 and 0 <= i <= 7 }";
        assert_eq!(of("i", "t", &[inside]), Err(Refusal::Negative { member: 1 }));
        let band = of_blocks(6, "i", "t", &[inside]).expect("all of it is one block");
        let points = [(0, 0), (7, 3), (1, 5), (1, 6), (1, 9)];
        assert_eq!(points.map(|(t, i)| at(&band, 0, t, i)), ["0", "0", "0", "1", "1"]);
        assert_eq!(points.map(|(t, i)| at(&band, 1, t, i)), ["0", "1", "0", "2", "3"]);
    }

    #[test]
    fn the_block_at_the_diagonal_is_divided_again() {
        let members = band(&["t + i", "i", "t"]);
        let (division, inner) = (Division { size: 6, sides: [3; 2] }, Division { size: 2, sides: [1; 2] });
        let blocks = Blocks { members: &members, division, inner: Some(inner) };
        let of = |dependence: &str| {
            panel_update(&blocks, &pairs(&[dependence]), &mut Budget::unlimited()).expect("no limit")
        };
        let band = of("{ S[t, i] -> S[t + 1, i] : 0 <= i <= t <= 1 }").expect("nothing goes back");
        assert_eq!(band.coincident, [false, true, false, false, true]);
        // At the diagonal, below it in the same block, in the panel below, in the rest.
        let points = [(0, 1), (0, 2), (2, 3), (0, 5), (5, 1), (1, 7)];
        let values = |member| points.map(|(t, i)| at(&band, member, t, i));
        assert_eq!(values(0), ["0", "0", "0", "0", "1", "3"]);
        assert_eq!(values(2), ["0", "0", "1", "0", "0", "0"]);
        assert_eq!(values(3), ["0", "3", "1", "3", "0", "0"]);
        assert_eq!(values(4), ["0", "2", "5", "5", "0", "0"]);
        // Between columns of one phase inside of the block at the diagonal.
        let refused = of("{ S[t, i] -> S[t, i + 1] : 2 <= i <= 4 and 0 <= t <= 1 and t + i <= 4 }");
        assert_eq!(refused, Err(Refusal::Negative { member: 3 }));
    }

    #[test]
    fn blocks_of_one_phase_are_free_of_each_other() {
        // Both in the last phase, in the next block of columns.
        let neighbours = "{ S[t, i] -> S[t, i + 1] : i > t + 3 }";
        assert_eq!(of("i", "i", &[neighbours]), Err(Refusal::Negative { member: 1 }));
        assert!(of("i", "t + 3", &[neighbours]).is_ok(), "blocks of rows run in their order");
        assert_eq!(of("-i", "t", &[neighbours]), Err(Refusal::Negative { member: 0 }));
    }
}
