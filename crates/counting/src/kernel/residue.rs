//! The number of points from the generating functions of unimodular cones.
//!
//! For a cone with the rays `g_j` and its first integer point `w`, `sum of x^y over its points y`
//! is `x^w / product of (1 - x^(g_j))`. The sum of these functions over all cones of all vertices
//! is a polynomial whose value at `x = 1` is the number of points; each summand has a pole there.
//! With `x = e^(s l)` for a vector `l` such that all `c_j = l . g_j` differ from 0, and
//! `a = l . w`, a summand becomes
//!
//! ```text
//! e^(s a) / product of (1 - e^(s c_j))  =  (-1)^d / (s^d product of c_j) * e^(s a) * product of T(s c_j)
//! ```
//!
//! where `T(x) = x / (e^x - 1)`, and the sum of the constant terms in `s` is the number sought:
//! with `T_k` the coefficient of `s^k` in the product of the `T(s c_j)`, a summand contributes
//!
//! ```text
//! (-1)^d / product of c_j * sum over k = 0..d of a^k / k! * T_(d - k)
//! ```
//!
//! The vertex `v(t)` enters through `w` only: for the dual rays `b_j` it is the sum of
//! `ceil(b_j . v(t)) g_j`. So `a` is a quasi-affine form of the parameters, and the result a
//! quasi-polynomial of degree at most `d` \[Barvinok1994\], \[Verdoolaege2007\].

use poly_arith::{Int, Rational};
use poly_linalg::vector;
use poly_presburger::{Budget, Stop};

use super::chambers::Vertex;
use super::cone::Unimodular;
use crate::polynomial::Polynomial;
use crate::quasi::floors::Floors;

/// A vector whose scalar product with none of the given vectors, all of them nonzero, is zero.
///
/// Its entries are chosen one after the other, as small as possible: an entry only has to respect
/// the vectors that are zero after it, and each of them excludes one value.
pub(crate) fn generic_vector(n: usize, vectors: &[&[Int]], budget: &mut Budget) -> Result<Vec<Int>, Stop> {
    let mut chosen: Vec<Int> = Vec::with_capacity(n);
    for i in 0..n {
        let last = |v: &&&[Int]| !v[i].is_zero() && vector::is_zero(&v[i + 1..]);
        let active: Vec<&&[Int]> = vectors.iter().filter(last).collect();
        let rests: Vec<Int> = active.iter().map(|v| vector::dot(&v[..i], &chosen)).collect();
        let mut value = Int::ONE;
        loop {
            budget.spend(1 + active.len() as u64)?;
            if active.iter().zip(&rests).all(|(v, rest)| !(&(&v[i] * &value) + rest).is_zero()) {
                break;
            }
            // 1, -1, 2, -2, ...
            value = if value.is_pos() { -value } else { Int::ONE - value };
        }
        chosen.push(value);
    }
    Ok(chosen)
}

/// The coefficients of `x / (e^x - 1)` up to the power `n`.
pub(crate) fn todd_series(n: usize) -> Vec<Rational> {
    // The product with (e^x - 1) / x = sum of x^k / (k + 1)! is 1.
    let mut inverse_factorials = vec![Rational::ONE];
    for k in 2..=n + 1 {
        let last = inverse_factorials.last().expect("the list is not empty");
        inverse_factorials.push(last * &Rational::new(Int::ONE, Int::from(k)));
    }
    let mut series: Vec<Rational> = vec![Rational::ONE];
    for m in 1..=n {
        let mut sum = Rational::ZERO;
        for k in 1..=m {
            sum = &sum + &(&series[m - k] * &inverse_factorials[k]);
        }
        series.push(-sum);
    }
    series
}

/// The coefficients of the product of `T(s c_j)` up to the power `n`.
fn todd_product(series: &[Rational], factors: &[Int]) -> Vec<Rational> {
    let mut product = vec![Rational::ZERO; series.len()];
    product[0] = Rational::ONE;
    for factor in factors {
        let mut next = vec![Rational::ZERO; series.len()];
        for (i, a) in product.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
            for (k, b) in series.iter().enumerate().take(series.len() - i) {
                let term = &(a * b) * &Rational::from(factor.pow(k as u32));
                next[i + k] = &next[i + k] + &term;
            }
        }
        product = next;
    }
    product
}

/// The contribution of a cone at a vertex, in the parameters and divisions of the table.
pub(crate) fn contribution(
    vertex: &Vertex,
    cone: &Unimodular,
    direction: &[Int],
    series: &[Rational],
    floors: &mut Floors,
    budget: &mut Budget,
) -> Result<Polynomial, Stop> {
    let n = direction.len();
    let factors = cone.rays.mul_vec(direction);
    let mut exponent = vec![Int::ZERO; floors.n_col()];
    for (dual, factor) in cone.dual.iter_rows().zip(&factors) {
        // ceil(x) = -floor(-x)
        let mut form = vec![Int::ZERO; 1 + floors.n_var()];
        for (x, coordinate) in dual.iter().zip(&vertex.num) {
            vector::add_multiple(&mut form, &-x, coordinate);
        }
        let floor = floors.floor(&form, &vertex.denom);
        exponent.resize(floor.len().max(exponent.len()), Int::ZERO);
        vector::add_multiple(&mut exponent[..floor.len()], &-factor, &floor);
    }
    let exponent = Polynomial::affine(&exponent, &Int::ONE);
    let todd = todd_product(series, &factors);
    budget.spend((n * n * n) as u64)?;
    let mut factorial = Int::ONE;
    let mut coefficients = Vec::with_capacity(n + 1);
    for k in 0..=n {
        factorial *= &Int::from(k.max(1));
        coefficients.push(&todd[n - k] * &Rational::new(Int::ONE, factorial.clone()));
    }
    let mut sum = Polynomial::zero();
    for coefficient in coefficients.into_iter().rev() {
        sum = sum.mul(&exponent, budget)?.add(&Polynomial::constant(coefficient));
    }
    let mut scale = Rational::new(Int::ONE, factors.into_iter().product());
    if (n % 2 == 1) != cone.negative {
        scale = -scale;
    }
    Ok(sum.scale(&scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_has_bernoulli_numbers() {
        let texts: Vec<String> = todd_series(6).iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["1", "-1/2", "1/12", "0", "-1/720", "0", "1/30240"]);
    }

    #[test]
    fn generic_vectors_meet_none_of_the_given_ones() {
        let mut rows = Vec::new();
        for x in -3..4 {
            for y in -3..4 {
                for z in -3..4 {
                    if (x, y, z) != (0, 0, 0) {
                        rows.push([x, y, z].map(Int::from));
                    }
                }
            }
        }
        let slices: Vec<&[Int]> = rows.iter().map(|row| &row[..]).collect();
        let found = generic_vector(3, &slices, &mut Budget::unlimited()).unwrap();
        assert!(rows.iter().all(|row| !vector::dot(row, &found).is_zero()));
        assert_eq!(generic_vector(3, &slices, &mut Budget::new(10)), Err(Stop));
    }
}
