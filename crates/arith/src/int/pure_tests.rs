//! The integers in Rust against GMP's.

use std::fmt::Debug;

use proptest::prelude::*;
use rug::ops::Pow;

use super::pure;

type Gmp = rug::Integer;
type Pure = pure::Integer;

/// The same value twice: small ones, around powers of 2, and up to 512 bits.
fn any_value() -> impl Strategy<Value = (Gmp, Pure)> {
    let value = prop_oneof![
        (-20i64..20).prop_map(Gmp::from),
        any::<i64>().prop_map(Gmp::from),
        (0u32..300, -2i64..3, any::<bool>()).prop_map(|(bits, more, negative)| {
            let value: Gmp = (Gmp::from(1) << bits) + more;
            if negative { -value } else { value }
        }),
        (any::<[i128; 4]>(), 1usize..5)
            .prop_map(|(digits, n)| digits[..n].iter().fold(Gmp::from(1), |product, digit| product * digit)),
    ];
    value.prop_map(|value| {
        let text = value.to_string();
        (value, text.parse().expect("a number"))
    })
}

fn same(gmp: &Gmp, pure: &Pure) -> bool {
    gmp.to_string() == pure.to_string()
}

fn both<T: PartialEq + Debug>(gmp: T, pure: T) {
    assert_eq!(gmp, pure);
}

proptest! {
    #[test]
    fn values(pair in any_value(), other in any_value(), small in any::<i64>()) {
        let ((a, x), (b, y)) = (pair, other);
        both(a.to_i64(), x.to_i64());
        both(a.to_i128(), x.to_i128());
        both(a.to_u64(), x.to_u64());
        both(a.cmp0(), x.cmp0());
        both(a.significant_bits(), x.significant_bits());
        both(a.cmp(&b), x.cmp(&y));
        both(a.cmp_abs(&b), x.cmp_abs(&y));
        both(a == b, x == y);
        both(a.partial_cmp(&small), x.partial_cmp(&small));
        both(small.partial_cmp(&a), small.partial_cmp(&x));
        both(a == small, x == small);
        both(format!("{a:>80}|{a:<9}|{a:+}"), format!("{x:>80}|{x:<9}|{x:+}"));
    }

    #[test]
    fn ring((a, x) in any_value(), (b, y) in any_value(), small in any::<i64>(), exponent in 0u32..6) {
        prop_assert!(same(&Gmp::from(&a + &b), &(&x + &y)));
        prop_assert!(same(&Gmp::from(&a - &b), &(&x - &y)));
        prop_assert!(same(&Gmp::from(&a * &b), &(&x * &y)));
        prop_assert!(same(&Gmp::from(small - &a), &(small - &x)));
        prop_assert!(same(&Gmp::from(&a - small), &(&x - small)));
        let (mut c, mut z) = (a.clone(), x.clone());
        c *= small;
        z *= small;
        c -= &b;
        z -= &y;
        prop_assert!(same(&c, &z));
        prop_assert!(same(&Gmp::from(-&a), &-&x));
        prop_assert!(same(&a.clone().abs(), &x.clone().abs()));
        prop_assert!(same(&Gmp::from((&a).pow(exponent)), &pure::power(&x, exponent)));
    }

    #[test]
    fn division((a, x) in any_value(), (b, y) in any_value(), small in 1u64..) {
        both(a.is_divisible(&b), x.is_divisible(&y));
        prop_assert!(same(&Gmp::from(a.gcd_ref(&b)), &x.gcd_ref(&y)));
        prop_assert!(same(&Gmp::from(&a % small), &(&x % small)));
        let (gcd, s, t) = x.clone().extended_gcd(y.clone(), Pure::new());
        prop_assert!(same(&Gmp::from(a.gcd_ref(&b)), &gcd));
        prop_assert_eq!(&(&s * &x) + &(&t * &y), gcd);
        prop_assume!(b != 0);
        let (quotient, remainder) = a.clone().div_rem_floor(b.clone());
        let (q, r) = x.clone().div_rem_floor(y.clone());
        prop_assert!(same(&quotient, &q) && same(&remainder, &r));
        prop_assert!(same(&a, &(&x * &y).div_exact(&y)));
    }
}
