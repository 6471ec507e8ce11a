//! Wavefronts: parallel loops in bands without one.
//!
//! # Problem
//! A permutable band no member of which is coincident still has parallelism: along the diagonals of
//! its iteration space.
//!
//! # Transformation
//! Replace a member `x` by `x + y` for another member `y` [Lamport1974], [Bondhugula2008]. At equal
//! `x + y`, a pair with a positive distance in `y` would have a negative one in `x`; a permutable
//! band has none. So at equal `x + y`, both distances are zero: `y` is coincident below it.
//!
//! # Legality
//! No pair that reaches the band may have a negative distance in a member. The sum is then not
//! negative either and the band stays permutable. That is tested, for points and for tiles,
//! whatever the band says of itself: flags do not know of the pairs of reductions, which go both
//! ways.

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};
use poly_schedule_tree::Band;

use crate::pairs::Pairs;
use crate::refusal::{Refusal, refusal};

/// The band with `x + y` in place of its first member, `y` its second one, which becomes
/// coincident; or why that is not legal. `pairs` are those that reach the band.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn wavefront(band: &Band, pairs: &Pairs, budget: &mut Budget) -> Result<Result<Band, Refusal>, Stop> {
    if let Some(refusal) = refusal(band, pairs, budget)? {
        return Ok(Err(refusal));
    }
    let mut skewed = band.skew(0, 1, &Int::ONE);
    skewed.coincident = vec![false; band.n_member()];
    skewed.coincident[1] = true;
    Ok(Ok(skewed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::tests::{band, pairs};

    fn of(members: &[&str], dependence: &str) -> Result<Band, Refusal> {
        wavefront(&band(members), &pairs(&[dependence]), &mut Budget::unlimited()).expect("there is no limit")
    }

    const STENCIL: &str = "{ S[t, i] -> S[t + 1, j] : i - 1 <= j <= i + 1 }";

    #[test]
    fn the_second_member_becomes_coincident() {
        let band = of(&["t", "t + i"], STENCIL).expect("no distance is negative");
        assert!(band.permutable);
        assert_eq!(band.coincident, [false, true]);
        let pairs = pairs(&[STENCIL]);
        let sum = pairs.equal(band.schedule.get(0), &mut Budget::unlimited()).expect("there is no limit");
        assert!(sum.expect("the function is defined").is_empty(), "(t + t + i) grows with every pair");
    }

    #[test]
    fn a_member_that_goes_back_is_refused() {
        assert_eq!(of(&["t", "i"], STENCIL), Err(Refusal::Negative { member: 1 }));
        assert_eq!(of(&["t", "t - i", "i"], STENCIL), Err(Refusal::Negative { member: 2 }));
        // The flag is not believed, nor is it enough that the sum does not go back.
        assert_eq!(of(&["2t", "-t"], STENCIL), Err(Refusal::Negative { member: 1 }));
    }

    #[test]
    fn tiles_are_judged_as_they_are() {
        assert!(of(&["floor(t/4)", "floor((t + i)/4)"], STENCIL).is_ok());
        assert_eq!(of(&["floor(t/4)", "floor(i/4)"], STENCIL), Err(Refusal::Negative { member: 1 }));
        // Points go back, tiles do not: all i of a pair are in one tile.
        assert!(of(&["t", "floor(i/4)"], "{ S[t, i] -> S[t + 1, i - 1] : exists k : i = 4k + 1 }").is_ok());
    }

    #[test]
    fn pairs_of_reductions_go_both_ways() {
        let order = poly_dependence::Dependence {
            reduction: true,
            conditional: false,
            ..crate::refusal::tests::dependence("{ S[t, i] -> S[t, j] : j > i }")
        };
        let pairs = Pairs::of(&[order], &["S"]);
        let result = wavefront(&band(&["t", "i"]), &pairs, &mut Budget::unlimited()).expect("there is no limit");
        assert_eq!(result, Err(Refusal::Negative { member: 1 }));
    }

    #[test]
    fn one_loop_has_no_diagonals() {
        assert_eq!(of(&["t"], STENCIL), Err(Refusal::Members(1)));
        let flat = Band { permutable: false, ..band(&["t", "t + i"]) };
        let result = wavefront(&flat, &pairs(&[STENCIL]), &mut Budget::unlimited()).expect("there is no limit");
        assert_eq!(result, Err(Refusal::NotPermutable));
    }
}
