use expect_test::expect;
use poly_presburger::Id;

use super::*;

fn space() -> Arc<Space> {
    Arc::new(Space::params(vec![Id::new("n"), Id::new("m")]))
}

fn free() -> Budget {
    Budget::unlimited()
}

/// `floor((row . [1, n, m]) / denom)`
fn floor(row: &[i64], denom: i64) -> QuasiPolynomial {
    let row = row.iter().map(|&x| Int::from(x)).collect();
    QuasiPolynomial::from_aff(&Aff::from_row(space(), row, Int::from(denom)).floor())
}

fn n() -> QuasiPolynomial {
    QuasiPolynomial::var(space(), DimKind::Param, 0)
}

#[test]
fn arithmetic_agrees_with_evaluation() {
    let a = floor(&[1, 2, 3], 4).add(&n());
    let b = floor(&[0, 1, 0], 2).sub(&floor(&[3, 2, 3], 4)).scale(&Rational::new(Int::ONE, Int::from(3)));
    let product = a.mul(&b, &mut free()).unwrap();
    let square = product.mul(&product, &mut free()).unwrap();
    for x in -5..6 {
        for y in -5..6 {
            let at = [Int::from(x), Int::from(y)];
            let (u, v) = (a.eval(&at), b.eval(&at));
            assert_eq!(product.eval(&at), &u * &v);
            assert_eq!(square.eval(&at), &(&u * &v) * &(&u * &v));
            assert_eq!(a.add(&b).eval(&at), &u + &v);
            assert_eq!(a.sub(&b).eval(&at), &u - &v);
            assert_eq!(a.neg().eval(&at), -u);
        }
    }
}

#[test]
fn powers_of_a_division_are_lowered() {
    let half = floor(&[0, 1, 0], 2);
    let square = half.mul(&half, &mut free()).unwrap();
    expect!["[n, m] -> { 1/4 * n - 1/2 * floor((n)/2) + n * floor((n)/2) - 1/4 * n^2 }"].assert_eq(&square.to_string());
    let rest = n().sub(&half.scale(&Rational::from(2)));
    assert_eq!(rest.mul(&rest, &mut free()).unwrap(), rest);
}

#[test]
fn cancelled_divisions_are_dropped() {
    let half = floor(&[0, 1, 0], 2).add(&floor(&[1, 1, 0], 2));
    assert_eq!(half, n());
    assert_eq!(half.n_div(), 0);
    assert_eq!(half.sub(&n()).as_constant(), Some(Rational::ZERO));
}

#[test]
fn divisions_of_divisions() {
    let space = space();
    let inner = Aff::param(Arc::clone(&space), "n").scale_down(2).floor();
    let outer = inner.add(&Aff::param(space, "m")).scale_down(3).floor();
    let f = QuasiPolynomial::from_aff(&outer);
    expect!["[n, m] -> { floor((n + 2m)/6) }"].assert_eq(&f.to_string());
    assert_eq!(f.eval(&[Int::from(9), Int::from(-6)]), Rational::from(-1));
}

#[test]
fn sums_over_a_period_are_affine() {
    for d in 2..13 {
        let sum = (0..d).fold(QuasiPolynomial::zero(space()), |sum, c| sum.add(&floor(&[c, 1, 3], d)));
        assert_eq!(sum.to_string(), "[n, m] -> { n + 3 * m }", "period {d}");
    }
    // floor(2 n / 5) - 2 floor(n / 5) is 1 where n mod 5 >= 3, and 0 elsewhere.
    let twice = floor(&[0, 2, 0], 5).sub(&floor(&[0, 1, 0], 5).scale(&Rational::from(2)));
    assert_eq!(twice, floor(&[2, 1, 0], 5).sub(&floor(&[0, 1, 0], 5)));
}

#[test]
fn products_within_a_family_keep_their_values() {
    for d in 2..9 {
        let factors =
            [floor(&[1, 2, 1], d), floor(&[d - 1, d - 2, d - 1], d), floor(&[0, 2, 1], d), floor(&[0, 1, 0], d)];
        let mut product = QuasiPolynomial::constant(space(), 1);
        for factor in &factors {
            product = product.mul(factor, &mut free()).unwrap();
        }
        for x in -9..10 {
            for y in -3..9 {
                let at = [Int::from(x), Int::from(y)];
                let expected = factors.iter().fold(Rational::ONE, |value, factor| &value * &factor.eval(&at));
                assert_eq!(product.eval(&at), expected, "{product} at {x}, {y}");
            }
        }
    }
}

#[test]
fn quotients_that_cancel_do_not_grow() {
    let budget = &mut free();
    let half = floor(&[0, 1, 0], 2);
    let odd = n().sub(&half.scale(&Rational::from(2)));
    assert_eq!((odd.degree(), odd.growth(budget).unwrap()), (1, 0));
    assert_eq!(n().mul(&odd, budget).unwrap().growth(budget).unwrap(), 1);
    let square = half.mul(&n(), budget).unwrap();
    assert_eq!((square.degree(), square.growth(budget).unwrap()), (2, 2));
    assert_eq!(QuasiPolynomial::zero(space()).growth(budget).unwrap(), 0);
}
