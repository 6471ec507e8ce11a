//! The affine forms that are nonnegative on a polyhedron.
//!
//! By the affine form of Farkas' lemma, `c_0 + c . x` is nonnegative on a nonempty polyhedron
//! `{ x : E x + e = 0, A x + b >= 0 }` iff it is a nonnegative constant plus a nonnegative
//! combination of the inequalities plus any combination of the equalities. Instead of introducing
//! these multipliers and eliminating them again, the cone of coefficients is described directly:
//! `(c_0, c)` has to be nonnegative on every generator of the polyhedron, where
//!
//! * a vertex `v / w` asks for `c_0 w + c . v >= 0`,
//! * a ray `r` asks for `c . r >= 0`,
//! * a line `l` asks for `c . l = 0`.
//!
//! The generators are those of the cone `{ (w, x) : E x + e w = 0, A x + b w >= 0, w >= 0 }`
//! ([`cone::generators`]); being minimal, they give a description without redundant constraints.
//!
//! Reference: \[Feautrier1992\], \[Schrijver1986\] section 7.

use poly_arith::Int;

use super::{Optimum, System, cone, lp_min};
use crate::budget::{Budget, Stop};

/// The system over the coefficients `(c_0, c_1, .., c_n)` of all affine forms
/// `c_0 + c_1 x_1 + .. + c_n x_n` that are nonnegative on the rational points of `system`. On an
/// empty polyhedron every form is.
///
/// Constraints of the result have constant 0, and none of them is redundant. Cost: double
/// description, exponential in the number of dimensions \[Motzkin1953\], \[Chernikova1965\].
pub fn coefficients(system: &System, budget: &mut Budget) -> Result<System, Stop> {
    system.check();
    let n = system.n + 1;
    let mut result = System::new(n);
    if lp_min(system, &vec![Int::ZERO; n], budget)? == Optimum::Empty {
        return Ok(result);
    }
    let mut ineqs = system.ineqs.clone();
    let mut positive = vec![Int::ZERO; n];
    positive[0] = Int::ONE;
    ineqs.push(positive);
    let generators = cone::generators(n, &system.eqs, &ineqs, budget)?;
    let homogeneous = |coefficients: Vec<Int>| {
        let mut row = vec![Int::ZERO];
        row.extend(coefficients);
        row
    };
    result.eqs = generators.lines.into_iter().map(homogeneous).collect();
    result.ineqs = generators.rays.into_iter().map(homogeneous).collect();
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::testing::*;

    #[test]
    fn a_form_is_a_solution_iff_its_minimum_is_nonnegative() {
        let mut sampler = Sampler::new(40);
        let (mut good, mut bad) = (0, 0);
        for round in 0..200 {
            let n = 1 + round % 3;
            let mut system = sampler.system(n);
            if round % 2 == 0 {
                add_box(&mut system, 4);
            }
            let budget = &mut Budget::unlimited();
            let forms = coefficients(&system, budget).unwrap();
            for _ in 0..20 {
                let form = sampler.row(n, 3, 12);
                let expected = match lp_min(&system, &form, budget).unwrap() {
                    Optimum::Empty => true,
                    Optimum::Unbounded => false,
                    Optimum::Bounded(min) => !min.is_neg(),
                };
                assert_eq!(forms.contains(&form), expected, "{form:?} on\n{system}");
                good += usize::from(expected);
                bad += usize::from(!expected);
            }
        }
        assert!(good > 500 && bad > 500, "lopsided: {good} good, {bad} bad");
    }

    #[test]
    fn forms_on_an_interval_with_a_parameter() {
        // 0 <= i < N, variables (N, i): the vertex N = 1, i = 0 and two rays.
        let interval = system(2, &[], &[&[0, 0, 1], &[-1, 1, -1]]);
        let forms = coefficients(&interval, &mut Budget::unlimited()).unwrap();
        assert!(forms.eqs.is_empty());
        let mut rows = forms.ineqs;
        rows.sort();
        assert_eq!(rows, [ints(&[0, 0, 1, 0]), ints(&[0, 0, 1, 1]), ints(&[0, 1, 1, 0])]);
    }

    #[test]
    fn every_form_is_nonnegative_on_the_empty_set() {
        let empty = system(1, &[], &[&[-1, 1], &[0, -1]]);
        let forms = coefficients(&empty, &mut Budget::unlimited()).unwrap();
        assert_eq!(forms, System::new(2));
    }
}
