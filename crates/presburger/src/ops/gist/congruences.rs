//! Congruences of which the context knows a part.
//!
//! # Problem
//! `x mod 6 = 0` is `x mod 3 = 0` where `x` is even, and `a mod 2 = 0` says nothing where `a = c`
//! and `c` is even. Neither follows by elimination: the divisions of the relation and those of the
//! context are different columns.
//!
//! # Algorithm
//! For each congruence, that `m` divides `f`,
//!
//! 1. the integer solutions of all other equalities, of the context and of the relation, are a
//!    lattice, on which the values of `f` are `f(o) + Z f(b_1) + ..`;
//! 2. so `g = gcd(m, f(o), f(b_1), ..)` is known to divide `f`;
//! 3. of `m` those prime powers are left out that `g` has as well: if `m = h k` with coprime `h`
//!    and `k`, and `h` divides `f` anyway, it says that `k` divides `f`.

use poly_arith::Int;

use crate::basic::Row;
use crate::basic::congruences::Congruence;
use crate::budget::{Budget, Stop};
use crate::ops::common::Common;
use crate::row;
use crate::zpoly::Lattice;

/// What is left of a congruence if equalities over `n` variables hold.
fn within(mut congruence: Congruence, eqs: &[Row], n: usize) -> Congruence {
    if let Some(lattice) = Lattice::solutions(n, eqs) {
        let mut form = congruence.form.clone();
        form.resize(1 + n, Int::ZERO);
        let known = row::gcd(&lattice.restrict(&form)).gcd(&congruence.modulus);
        congruence.modulus = congruence.modulus.div_exact(&coprime_part(known, &congruence.modulus));
    }
    congruence
}

/// The greatest divisor of `g` that has no prime in common with what it leaves of `m`.
fn coprime_part(mut g: Int, m: &Int) -> Int {
    loop {
        let common = m.div_exact(&g).gcd(&g);
        if common.is_one() {
            return g;
        }
        g = g.div_exact(&common);
    }
}

/// The equalities without those congruences of which the context knows a part, and what is left of
/// these.
pub(super) fn without_known(
    common: &Common,
    context: &[Row],
    mut eqs: Vec<Row>,
    budget: &mut Budget,
) -> Result<(Vec<Row>, Vec<Congruence>), Stop> {
    let n = common.base.n_col() - 1;
    let mut left = Vec::new();
    let mut i = 0;
    while i < eqs.len() {
        let Some(congruence) = Congruence::of(&common.base, &eqs[i]) else {
            i += 1;
            continue;
        };
        let eq = eqs.remove(i);
        let others = [context, &eqs].concat();
        budget.spend((others.len() * n) as u64)?;
        let before = congruence.modulus.clone();
        let congruence = within(congruence, &others, n);
        if congruence.modulus == before {
            eqs.insert(i, eq);
            i += 1;
        } else if !congruence.modulus.is_one() {
            left.push(congruence);
        }
    }
    Ok((eqs, left))
}

#[cfg(test)]
mod tests {
    use crate::budget::Budget;
    use crate::set::Set;

    fn check(set: &str, context: &str, expected: &str) {
        let [set, context]: [Set; 2] = [set, context].map(|text| text.parse().expect("the test's set parses"));
        let gist = set.gist(&context, &mut Budget::unlimited()).expect("no limit");
        assert_eq!(gist.to_string(), expected, "{set} in {context}");
        let same = gist.intersect(&context).is_equal(&set.intersect(&context), &mut Budget::unlimited());
        assert_eq!(same, Ok(true), "{gist} is {set} in {context}");
    }

    #[test]
    fn known_divisors_are_left_out() {
        check("[n] -> { [x] : x = n and x mod 9 = 0 }", "[n] -> { [x] : x mod 9 = 0 }", "[n] -> { [x = n] }");
        check("{ [a, b] : a mod 4 = 0 and a = b }", "{ [a, b] : b mod 8 = 0 }", "{ [a, b = a] }");
        check("{ [x] : x mod 6 = 0 }", "{ [x] : x mod 2 = 0 }", "{ [x] : (x) mod 3 = 0 }");
        check("{ [x] : x mod 12 = 8 }", "{ [x] : x mod 9 = 5 }", "{ [x] : (x) mod 4 = 0 }");
    }

    #[test]
    fn a_part_of_a_prime_power_is_not_known() {
        check("{ [x] : x mod 8 = 0 }", "{ [x] : x mod 4 = 0 }", "{ [x] : (x) mod 8 = 0 }");
        check("{ [x] : x mod 4 = 2 }", "{ [x] : x mod 2 = 0 }", "{ [x] : (x) mod 4 = 2 }");
    }
}
