//! Operations of [`Int`] against those of big integers on random values around the 64-bit border.

use proptest::prelude::*;

use super::Int;
use super::big::Integer;

/// Values of every size class: small, around 2^31, around 2^63, beyond.
fn any_int() -> impl Strategy<Value = Int> {
    prop_oneof![
        (-20i128..20).prop_map(Int::from),
        any::<i32>().prop_map(Int::from),
        any::<i64>().prop_map(Int::from),
        Just(Int::from(i64::MIN)),
        Just(Int::from(i64::MAX)),
        (-4i128..4).prop_map(|d| Int::from((1i128 << 63) + d)),
        (-4i128..4).prop_map(|d| Int::from(-(1i128 << 63) + d)),
        any::<i128>().prop_map(Int::from),
        Just(Int::from(i128::MIN)),
        (any::<i128>(), any::<i128>()).prop_map(|(a, b)| Int::from(a) * Int::from(b)),
    ]
}

proptest! {
    #[test]
    fn ring_operations_agree_with_those_of_big_integers(a in any_int(), b in any_int()) {
        let (x, y) = (a.to_big(), b.to_big());
        prop_assert_eq!(a.is_opposite_of(&b), (&a + &b).is_zero());
        prop_assert!(a.is_opposite_of(&-&a));
        for (ours, theirs) in [
            (&a + &b, Integer::from(&x + &y)),
            (&a - &b, Integer::from(&x - &y)),
            (&a * &b, Integer::from(&x * &y)),
            (a.clone() + &b, Integer::from(&x + &y)),
            (a.clone() - &b, Integer::from(&x - &y)),
            (a.clone() * &b, Integer::from(&x * &y)),
            (-&a, Integer::from(-&x)),
            (a.abs(), x.clone().abs()),
            (a.gcd(&b), Integer::from(x.gcd_ref(&y))),
            (a.gcd(&b) * a.lcm(&b), Integer::from(&x * &y).abs()),
        ] {
            prop_assert!(ours.is_canonical());
            prop_assert_eq!(ours.to_big(), theirs);
        }
        prop_assert_eq!(a.cmp(&b), x.cmp(&y));
        prop_assert_eq!(a == b, x == y);
        prop_assert_eq!(a.bits(), x.significant_bits());
    }

    #[test]
    fn division_is_floored(a in any_int(), b in any_int()) {
        prop_assume!(!b.is_zero());
        let (quotient, remainder) = (a.div_floor(&b), a.mod_floor(&b));
        prop_assert!(quotient.is_canonical() && remainder.is_canonical());
        prop_assert_eq!(&quotient * &b + &remainder, a.clone());
        prop_assert!(remainder.is_zero() || remainder.is_neg() == b.is_neg());
        prop_assert!(remainder.abs() < b.abs());
        let expected = if remainder.is_zero() { quotient.clone() } else { &quotient + 1 };
        prop_assert_eq!(a.div_ceil(&b), expected);
        prop_assert_eq!(a.is_divisible_by(&b), remainder.is_zero());
        prop_assert_eq!((&a * &b).is_divisible_by(&b), true);
        prop_assert_eq!((&a * &b).div_exact(&b), a);
    }

    #[test]
    fn bezout_identity(a in any_int(), b in any_int()) {
        let (g, x, y) = a.ext_gcd(&b);
        prop_assert_eq!(&g, &a.gcd(&b));
        prop_assert_eq!(&a * &x + &b * &y, g);
    }

    #[test]
    fn text_round_trip(a in any_int()) {
        prop_assert_eq!(a.to_string().parse::<Int>().unwrap(), a);
    }
}

#[test]
fn border_of_the_small_form() {
    let max = Int::from(i64::MAX);
    let above = &max + 1;
    assert_eq!(above.to_i64(), None);
    assert_eq!((&above - 1).to_i64(), Some(i64::MAX));
    assert_eq!(-&above, Int::from(i64::MIN));
    assert_eq!((-Int::from(i64::MIN)).to_i64(), None);
    assert_eq!(Int::from(i64::MIN).div_floor(&Int::NEG_ONE), above);
    assert_eq!(Int::from(i64::MIN).gcd(&Int::ZERO), above);
    assert_eq!(Int::from(2).pow(63), above);
    assert_eq!(Int::from(u64::MAX).to_string(), "18446744073709551615");
    assert_eq!(std::mem::size_of::<Int>(), 16);
}

#[test]
fn malformed_text_is_refused() {
    for text in ["", "-", "+", "1a", "0x10", " 1", "1_0", "--1"] {
        assert!(text.parse::<Int>().is_err(), "{text:?}");
    }
    assert_eq!("-00000000000000000000012".parse::<Int>().unwrap(), Int::from(-12));
}
