//! Phases: blocks of factorizations for threads.
//!
//! # Problem
//! In `A[i][j] -= A[i][k] * A[k][j]` with `k < min(i, j)`, blocks of rows and columns depend on each other for one block of values of `k`. [Waves](crate::wavefront()) of blocks begin with one block and
//! end with one, and are many. But blocks wait only for the rows and the columns that the block of `k` makes factors of; the others are free of each other.
//!
//! # Definitions
//! `K`, `x` and `y` are the numbers of blocks of the reduced loop, the rows and the columns; a block of the reduced loop is as long as `r` blocks of rows and as `c` blocks of columns. Rows are *behind*
//! `K` if `x >= r (K + 1)`, columns if `y >= c (K + 1)`. The *phase* of a block is `[x is behind] + 2 [y is behind]`: 0 at the diagonal, 1 in the panel of columns below, 2 in the panel of rows to the right, 3 in
//! the rest.
//!
//! # Algorithm
//! For each `K`, run one phase after the other. Blocks side by side are those of rows in phase 1, those of columns in phases 2 and 3; phase 0 is one block. What has the same number there runs in the order of the
//! loops inside. Four phases instead of as many waves as there are blocks along two sides.
//!
//! # Legality
//! Decided for the pairs that reach the band. In no member of the blocks may a pair have a negative distance; with equal `K`, none may have a negative distance in the phase, and with equal phase all must have
//! distance zero in the number of the block that runs side by side with others.
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
    /// The loop over blocks of the reduced member.
    pub reduced: &'a Band,
    /// The loops over blocks of rows and of columns.
    pub sides: &'a Band,
    /// How many blocks of rows and of columns are as long as one of the reduced member.
    pub per_reduced: [u64; 2],
}

/// Loops over phases and over the blocks of one, which are coincident, in place of two loops over blocks, rows first, inside of one over blocks of the reduced member; or why that is not legal. `pairs`
/// are those that reach the band.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn phases(blocks: &Blocks<'_>, pairs: &Pairs, budget: &mut Budget) -> Result<Result<Band, Refusal>, Stop> {
    if let Some(refusal) = refusal(blocks.sides, pairs, budget)? {
        return Ok(Err(refusal));
    }
    let refused = |member| Ok(Err(Refusal::Negative { member }));
    let Some((phase, shared)) = numbers(blocks) else { return refused(0) };
    let Some(pairs) = pairs.equal_but(blocks.reduced, None, budget)? else { return refused(0) };
    if !matches!(pairs.distances(&phase, budget)?, Some(Distances::Zero | Distances::Forward)) {
        return refused(0);
    }
    let Some(pairs) = pairs.equal(&phase, budget)? else { return refused(1) };
    if !matches!(pairs.distances(&shared, budget)?, Some(Distances::Zero)) {
        return refused(1);
    }
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(2), vec![phase, shared]);
    Ok(Ok(Band { coincident: vec![false, true], ..Band::new(schedule) }))
}

/// The phase of each instance, and the number of its block among those that run side by side; `None` if the members are not defined for the same statements.
fn numbers(blocks: &Blocks<'_>) -> Option<(UnionPwAff, UnionPwAff)> {
    let reduced = blocks.reduced.schedule.get(0);
    let mut phase = UnionPwAff::empty(reduced.param_ids().to_vec());
    let mut shared = phase.clone();
    for reduced in reduced.iter() {
        let tuple = reduced.domain_space().tuple(DimKind::Out)?;
        let side = |side: usize| {
            let number = blocks.sides.schedule.get(side).get(tuple)?;
            let per_reduced = Int::from(blocks.per_reduced[side]);
            let last = PwAff::constant(reduced.domain_space().clone(), &per_reduced - &Int::ONE);
            let last = reduced.scale(per_reduced).add(&last);
            Some((number, number.le_set(&last), number.gt_set(&last)))
        };
        let ((rows, rows_reached, rows_behind), (columns, columns_reached, columns_behind)) = (side(0)?, side(1)?);
        let behind = |reached: &Set, behind: &Set| {
            let zero = PwAff::constant(reduced.domain_space().clone(), 0).intersect_domain(reached);
            zero.union_disjoint(&PwAff::one_on(behind))
        };
        let across = behind(&columns_reached, &columns_behind).scale(2);
        phase.add(behind(&rows_reached, &rows_behind).add(&across));
        let at_diagonal = reduced.intersect_domain(&rows_reached.intersect(&columns_reached));
        let below = rows.intersect_domain(&rows_behind.intersect(&columns_reached));
        let right = columns.intersect_domain(&columns_behind);
        shared.add(at_diagonal.union_disjoint(&below).union_disjoint(&right));
    }
    Some((phase, shared))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::tests::{band, pairs};

    /// The loops of blocks of three rows and columns for a statement `S[t, i]`, with `t` reduced, in blocks of so many times three.
    fn of_blocks(per_reduced: u64, rows: &str, columns: &str, dependences: &[&str]) -> Result<Band, Refusal> {
        let block = |member: &str| format!("floor(({member})/3)");
        let sides = band(&[&block(rows), &block(columns)]);
        let reduced = band(&[&format!("floor(t/{})", 3 * per_reduced)]);
        let blocks = Blocks { reduced: &reduced, sides: &sides, per_reduced: [per_reduced; 2] };
        phases(&blocks, &pairs(dependences), &mut Budget::unlimited()).expect("there is no limit")
    }

    fn of(rows: &str, columns: &str, dependences: &[&str]) -> Result<Band, Refusal> {
        of_blocks(1, rows, columns, dependences)
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
        let band = of_blocks(2, "i", "t", &[inside]).expect("all of it is one block");
        let points = [(0, 0), (7, 3), (1, 5), (1, 6), (1, 9)];
        assert_eq!(points.map(|(t, i)| at(&band, 0, t, i)), ["0", "0", "0", "1", "1"]);
        assert_eq!(points.map(|(t, i)| at(&band, 1, t, i)), ["0", "1", "0", "2", "3"]);
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
