//! What inequalities say about the integer points that satisfy the equalities.
//!
//! `a >= 4` is `a >= 5` where `a = 2 q + 1`, and from `-31 <= i - k <= 31` follows `i = k` where `i
//! = 32 p` and `k = 32 q`. Equalities are solved for columns with a coefficient of one or minus
//! one, which are replaced in the inequalities; what is left is divided by the greatest common
//! divisor of the coefficients, the constant being rounded. Opposite inequalities may have become
//! an equality by that, so it is done again.

use poly_arith::Int;

use super::reconcile::Solved;
use crate::basic::BasicMap;
use crate::row;

/// So often, at most: each round that changes something makes an inequality stronger, which may go
/// on for as long as coefficients are large. More would only sharpen the result.
const MAX_ROUNDS: usize = 8;

/// The same integer points, with inequalities that are as strong as the equalities allow.
pub(super) fn tightened(mut basic: BasicMap) -> BasicMap {
    for _ in 0..MAX_ROUNDS {
        let solved = Solved::of(&basic.eqs);
        if solved.is_empty() {
            break;
        }
        let mut changed = false;
        for form in &mut basic.ineqs {
            let mut left = form.clone();
            solved.reduce(&mut left);
            let g = row::gcd(&left[1..]);
            if g > Int::ONE && !left[0].is_divisible_by(&g) {
                row::tighten(&mut left, &g);
                *form = left;
                changed = true;
            }
        }
        if !changed {
            break;
        }
        basic.normalize();
    }
    basic
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BasicSet;

    #[test]
    fn bounds_are_rounded_to_the_points_of_equalities() {
        let tight = |text: &str| {
            let basic = text.parse::<BasicSet>().expect("the test's set parses").into_basic_map();
            tightened(basic).into_basic_set().to_string()
        };
        assert_eq!(tight("{ [a] : a mod 2 = 1 and 4 <= a <= 6 }"), "{ [a = 5] }");
        assert_eq!(
            tight("{ [i, k] : i mod 32 = 0 and k mod 32 = 0 and -31 <= i - k <= 31 and i >= 1 }"),
            "{ [i, k = i] : (i) mod 32 = 0 and i >= 32 }"
        );
        assert_eq!(tight("{ [a] : a mod 2 = 1 and 5 <= a <= 9 }"), "{ [a] : (a) mod 2 = 1 and 5 <= a <= 9 }");
    }
}
