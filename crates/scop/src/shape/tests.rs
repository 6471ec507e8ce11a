//! Shapes of the usual source forms, and the identity that every split must satisfy.

use expect_test::{Expect, expect};
use poly_arith::Int;
use proptest::prelude::*;

use super::*;

/// Parses sums of products such as `2*i0*p1 - p0 + 3`.
fn poly(text: &str) -> Polynomial {
    let mut sum = Polynomial::zero();
    for term in text.replace("- ", "+ -").split('+').map(str::trim).filter(|t| !t.is_empty()) {
        let (sign, term) = match term.strip_prefix('-') {
            Some(rest) => (-1, rest),
            None => (1, term),
        };
        let mut product = Polynomial::constant(sign);
        for factor in term.split('*').map(str::trim) {
            product = product.mul(&match factor.split_at(1) {
                ("p", number) => Polynomial::symbol(Symbol::Param(number.parse().unwrap())),
                ("i", number) => Polynomial::symbol(Symbol::Variable(number.parse().unwrap())),
                _ => Polynomial::constant(factor.parse::<i64>().unwrap()),
            });
        }
        sum = sum.add(&product);
    }
    sum
}

fn describe(offsets: &[&str]) -> String {
    let offsets: Vec<Polynomial> = offsets.iter().map(|t| poly(t)).collect();
    let mut text = String::new();
    for shape in candidates(&offsets) {
        let extents: Vec<String> = shape.extents().iter().map(|e| format!("[{e}]")).collect();
        text += &format!("[*]{}\n", extents.concat());
        for offset in &offsets {
            let first = splits(offset, &shape).next();
            let subscripts = first
                .map_or("no split".to_string(), |s| s.iter().map(|x| format!("[{x}]")).collect::<Vec<_>>().concat());
            text += &format!("  {offset}: {subscripts}\n");
        }
    }
    text
}

fn check(offsets: &[&str], expected: Expect) {
    expected.assert_eq(&describe(offsets));
}

#[test]
fn a_symbol_is_replaced_in_all_powers() {
    let (n, by) = (Symbol::Param(0), poly("p1 + 2"));
    assert_eq!(poly("p0*p0 - p0*i0 + 3").replace(n, &by), poly("p1*p1 + 4*p1 + 4 - p1*i0 - 2*i0 + 3"));
    assert_eq!(poly("p2*p3").replace(n, &by), poly("p2*p3"));
    assert_eq!(poly("p0*p0*p0").replace(n, &Polynomial::zero()), Polynomial::zero());
}

#[test]
fn two_parametric_dimensions() {
    check(
        &["i0*p0 + i1", "i0*p0 + p0 + i1 - 1"],
        expect![[r#"
            [*][p0]
              p0*i0 + i1: [i0][i1]
              p0*i0 + i1 + p0 - 1: [i0 + 1][i1 - 1]
        "#]],
    );
}

#[test]
fn three_parametric_dimensions() {
    check(
        &["i0*p0*p1 + i1*p1 + i2"],
        expect![[r#"
            [*][p0][p1]
              p0*p1*i0 + p1*i1 + i2: [i0][i1][i2]
            [*][p1][p0]
              p0*p1*i0 + p1*i1 + i2: no split
        "#]],
    );
}

#[test]
fn a_diagonal_does_not_hide_the_stride() {
    check(
        &["i0*p0 + i0", "i0*p0 + i1"],
        expect![[r#"
        [*][p0]
          p0*i0 + i0: [i0][i0]
          p0*i0 + i1: [i0][i1]
        [*][p0 + 1]
          p0*i0 + i0: [i0][0]
          p0*i0 + i1: [i0][i1 - i0]
    "#]],
    );
}

#[test]
fn a_stride_with_a_constant_part() {
    check(
        &["i0*p0 + 2*i0 + i1"],
        expect![[r#"
            [*][p0 + 2]
              p0*i0 + i1 + 2*i0: [i0][i1]
            [*][p0]
              p0*i0 + i1 + 2*i0: [i0][i1 + 2*i0]
        "#]],
    );
}

#[test]
fn an_inner_constant_dimension() {
    check(
        &["3*i0*p0 + 3*i1 + i2", "16*i0*p0 + 16*i1 + i2"],
        expect![[r#"
        [*][p0]
          3*p0*i0 + i2 + 3*i1: [3*i0][i2 + 3*i1]
          16*p0*i0 + i2 + 16*i1: [16*i0][i2 + 16*i1]
    "#]],
    );
    check(
        &["16*i0*p0 + 16*i1 + i2"],
        expect![[r#"
        [*][p0][16]
          16*p0*i0 + i2 + 16*i1: [i0][i1][i2]
        [*][16*p0]
          16*p0*i0 + i2 + 16*i1: [i0][i2 + 16*i1]
        [*][p0]
          16*p0*i0 + i2 + 16*i1: [16*i0][i2 + 16*i1]
    "#]],
    );
}

#[test]
fn only_every_other_row() {
    check(
        &["2*i0*p0 + i1", "2*i0*p0 + p0 + i1"],
        expect![[r#"
        [*][p0]
          2*p0*i0 + i1: [2*i0][i1]
          2*p0*i0 + i1 + p0: [2*i0 + 1][i1]
        [*][2*p0]
          2*p0*i0 + i1: [i0][i1]
          2*p0*i0 + i1 + p0: [i0][i1 + p0]
    "#]],
    );
    check(
        &["2*i0*p0 + i1", "3*i0*p0 + i1"],
        expect![[r#"
        [*][p0]
          2*p0*i0 + i1: [2*i0][i1]
          3*p0*i0 + i1: [3*i0][i1]
    "#]],
    );
}

#[test]
fn constant_dimensions() {
    check(
        &["200*i0 + i1 - 3", "20000*i0 + 200*i1 + i2 + 205"],
        expect![[r#"
            [*][100][200]
              i1 + 200*i0 - 3: [0][i0][i1 - 3]
              i2 + 200*i1 + 20000*i0 + 205: [i0][i1 + 1][i2 + 5]
            [*][200]
              i1 + 200*i0 - 3: [i0][i1 - 3]
              i2 + 200*i1 + 20000*i0 + 205: [i1 + 100*i0 + 1][i2 + 5]
            [*][20000]
              i1 + 200*i0 - 3: [0][i1 + 200*i0 - 3]
              i2 + 200*i1 + 20000*i0 + 205: [i0][i2 + 200*i1 + 205]
            [*]
              i1 + 200*i0 - 3: [i1 + 200*i0 - 3]
              i2 + 200*i1 + 20000*i0 + 205: [i2 + 200*i1 + 20000*i0 + 205]
        "#]],
    );
    check(
        &["3*i0", "3*i0 + 1"],
        expect![[r#"
        [*]
          3*i0: [3*i0]
          3*i0 + 1: [3*i0 + 1]
    "#]],
    );
}

#[test]
fn a_product_of_variables_has_no_shape() {
    check(&["i0*i1"], expect![""]);
}

#[test]
fn only_rows_of_a_cube() {
    check(
        &["i0*p0*p1 + i1"],
        expect![[r#"
            [*][p1][p0]
              p0*p1*i0 + i1: [i0][0][i1]
            [*][p0][p1]
              p0*p1*i0 + i1: [i0][0][i1]
        "#]],
    );
}

#[test]
fn the_last_column_belongs_to_the_inner_dimension() {
    let shape = &candidates(&[poly("i0*p0 + p0 - 1 - i1")])[0];
    let all: Vec<String> = splits(&poly("i0*p0 + p0 - 1 - i1"), shape)
        .map(|s| s.iter().map(|x| format!("[{x}]")).collect::<Vec<_>>().concat())
        .collect();
    expect![[r#"
        [i0 + 1][-i1 - 1]
        [i0][-i1 + p0 - 1]
        [i0 + 2][-i1 - p0 - 1]"#]]
    .assert_eq(&all.join("\n"));
}

fn small_polynomial() -> impl Strategy<Value = Polynomial> {
    let term = (proptest::collection::vec(0u32..2, 0..3), proptest::option::of(0u32..3), -5i64..6);
    proptest::collection::vec(term, 0..5).prop_map(|terms| {
        let mut sum = Polynomial::zero();
        for (params, variable, coefficient) in terms {
            let mut product = Polynomial::constant(coefficient);
            for p in params {
                product = product.mul(&Polynomial::symbol(Symbol::Param(p)));
            }
            if let Some(v) = variable {
                product = product.mul(&Polynomial::symbol(Symbol::Variable(v)));
            }
            sum = sum.add(&product);
        }
        sum
    })
}

proptest! {
    #[test]
    fn division_is_the_inverse_of_multiplication(p in small_polynomial(), d in small_polynomial()) {
        prop_assume!(!d.is_zero());
        let (q, r) = p.div_rem(&d);
        prop_assert_eq!(q.mul(&d).add(&r), p.clone());
        prop_assert_eq!(p.mul(&d).div_exact(&d), Some(p));
    }

    #[test]
    fn subscripts_give_the_offset_back(offsets in proptest::collection::vec(small_polynomial(), 1..4)) {
        for shape in candidates(&offsets) {
            for offset in &offsets {
                for subscripts in splits(offset, &shape) {
                    let mut sum = Polynomial::zero();
                    for (x, s) in subscripts.iter().zip(shape.strides()) {
                        prop_assert!(x.is_affine());
                        sum = sum.add(&x.mul(s));
                    }
                    prop_assert_eq!(&sum, offset);
                }
            }
        }
    }

    /// For constant offsets in constant dimensions, where it can be decided.
    #[test]
    fn the_split_inside_is_the_only_one(
        offset in -500_i64..500,
        extents in proptest::collection::vec(1_i64..9, 1..4),
    ) {
        let strides = (0..=extents.len()).map(|k| Polynomial::constant(extents[k..].iter().product::<i64>()));
        let shape = Shape { strides: strides.collect() };
        let is_inside = |k: usize, s: &Polynomial| {
            let value = s.as_constant().expect("all is constant");
            value >= Int::ZERO && value < extents[k - 1]
        };
        let offset = Polynomial::constant(offset);
        let all: Vec<Subscripts> = splits(&offset, &shape)
            .filter(|split| split.iter().enumerate().skip(1).all(|(k, s)| is_inside(k, s)))
            .collect();
        prop_assert_eq!(all.len(), 1);
        let found = split_inside(&offset, &shape, |k, s| Ok::<bool, ()>(is_inside(k, s)));
        prop_assert_eq!(found, Ok(all.into_iter().next()));
    }

    #[test]
    fn reduction_is_the_identity_on_small_coefficients(p in small_polynomial()) {
        prop_assert_eq!(p.reduce(8), p.clone());
        let wrapped = p.add(&p.scale(&Int::from(256)));
        prop_assert_eq!(wrapped.reduce(8), p);
    }
}

// Modulo 2, a parameter of one bit is itself, not its negative value, which would be outside of its
// range.
#[test]
fn reduction_prefers_positive_coefficients() {
    let p = Polynomial::symbol(Symbol::Param(0));
    assert_eq!(p.reduce(1), p);
    assert_eq!(p.scale(&Int::NEG_ONE).reduce(1), p);
    let half = p.scale(&Int::from(128));
    assert_eq!(half.reduce(8), half);
    assert_eq!(half.with_halves_negated(8), half.scale(&Int::NEG_ONE));
    let next = Polynomial::constant(1).add(&p);
    assert_eq!(next.with_halves_negated(1), Polynomial::constant(1).sub(&p));
    assert_eq!(next.with_halves_negated(2), next);
}

#[test]
fn rows_from_one_number_to_another() {
    // `p0 - p1 + 1` rows, upwards and downwards through the columns: which of the two is greater
    // is not known.
    check(
        &["i1 + i0*p0 - i0*p1 + i0"],
        expect![[r#"
            [*][p1 - p0 - 1]
              -p1*i0 + p0*i0 + i1 + i0: [-i0][i1]
            [*][p1 - p0]
              -p1*i0 + p0*i0 + i1 + i0: [-i0][i1 + i0]
            [*][-p1 + p0 + 1]
              -p1*i0 + p0*i0 + i1 + i0: [i0][i1]
            [*][-p1 + p0]
              -p1*i0 + p0*i0 + i1 + i0: [i0][i1 + i0]
        "#]],
    );
    check(
        &["i1 - i0*p0 + i0*p1 - i0"],
        expect![[r#"
            [*][p1 - p0 - 1]
              p1*i0 - p0*i0 + i1 - i0: [i0][i1]
            [*][p1 - p0]
              p1*i0 - p0*i0 + i1 - i0: [i0][i1 - i0]
            [*][-p1 + p0 + 1]
              p1*i0 - p0*i0 + i1 - i0: [-i0][i1]
            [*][-p1 + p0]
              p1*i0 - p0*i0 + i1 - i0: [-i0][i1 - i0]
        "#]],
    );
    check(
        &["i1 + i0*p0 - i0*p1"],
        expect![[r#"
            [*][p1 - p0]
              -p1*i0 + p0*i0 + i1: [-i0][i1]
        "#]],
    );
}
