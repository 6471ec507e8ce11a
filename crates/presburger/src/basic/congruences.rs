//! Equalities that say that a number divides a form.
//!
//! A *congruence* is an equality `f = m q` for a division `q` that is `floor(f / m)` up to less
//! than one, where `f` has no divisions: it says no more than that `m` divides `f`. Two of them are
//! one, modulo the least common multiple (Chinese remainder theorem), if the form of one is a
//! multiple of the other's modulo its own modulus, up to a constant: `x mod 2 = 1 and x mod 3 = 0`
//! is `x mod 6 = 3`, and `(x + y) mod 2 = 0 and (x - y) mod 3 = 0` is `(x - y) mod 6 = 0`.

use poly_arith::Int;

use super::{BasicMap, Row};
use crate::row;
use crate::space::DimKind;
use crate::zpoly::Lattice;

/// For greater moduli no factors are tried: all smaller numbers would be, for each pair of
/// congruences.
const MAX_MODULUS: i64 = 64;

/// That a number divides a form over parameters and dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Congruence {
    /// Without columns of divisions.
    pub(crate) form: Row,
    /// Positive.
    pub(crate) modulus: Int,
}

impl Congruence {
    /// What an equality says, if it is a congruence.
    pub(crate) fn of(basic: &BasicMap, eq: &Row) -> Option<Congruence> {
        let first = basic.offset(DimKind::Div);
        let mut used = (first..eq.len()).filter(|c| !eq[*c].is_zero());
        let col = used.next()?;
        let div = basic.divs[col - first].as_ref()?;
        if used.next().is_some() || !row::is_zero(&div.num[first..]) {
            return None;
        }
        let modulus = eq[col].abs();
        let mut form = if eq[col].is_neg() { eq.clone() } else { row::negated(eq) };
        form[col] = Int::ZERO;
        // The division has the value f / m wherever that is an integer: num / d - f / m is a
        // constant from 0 on, and less than one.
        let apart = row::combination(&modulus, &div.num, &-&div.denom, &form);
        let is_small = !apart[0].is_neg() && apart[0] < &modulus * &div.denom;
        form.truncate(first);
        (row::is_zero(&apart[1..]) && is_small).then_some(Congruence { form, modulus })
    }

    /// The equality of this meaning over so many columns, of which the last one is a new division.
    pub(crate) fn over(mut self, n_col: usize) -> Row {
        self.form.resize(n_col, Int::ZERO);
        self.form[n_col - 1] = -self.modulus;
        self.form
    }

    /// Both, if the other form is a multiple of this one up to a constant, modulo its modulus; the
    /// inner `None` means that they contradict each other.
    fn both(&self, other: &Congruence) -> Option<Option<Congruence>> {
        let rest = other.in_terms_of(&self.form)?;
        // The values of the form are multiples of one modulus, and this constant from multiples of
        // the other one.
        let values = Lattice::generated(vec![Int::ZERO], &[vec![self.modulus.clone()]]);
        let of_other = Lattice::generated(vec![rest], &[vec![other.modulus.clone()]]);
        let Some(common) = values.intersect(&of_other) else { return Some(None) };
        let mut form = self.form.clone();
        form[0] -= &common.origin()[0];
        Some(Some(Congruence { form, modulus: common.basis()[0][0].clone() }))
    }

    /// If this says the same as that a form has the value `r` up to multiples of the modulus: this
    /// `r`.
    fn in_terms_of(&self, form: &[Int]) -> Option<Int> {
        let m = &self.modulus;
        let is_multiple =
            |k: &Int| form[1..].iter().zip(&self.form[1..]).all(|(x, y)| (&(k * x) - y).is_divisible_by(m));
        let most = m.to_i64().filter(|m| *m <= MAX_MODULUS)?;
        let k = (1..most).map(Int::from).find(|k| k.gcd(m).is_one() && is_multiple(k))?;
        let inverse = (1..most).map(Int::from).find(|j| (&k * j).mod_floor(m).is_one())?;
        // k f + c is divisible by m just if f is -c / k modulo m.
        let c = &self.form[0] - &(&k * &form[0]);
        Some((-&(&c * &inverse)).mod_floor(m))
    }
}

impl BasicMap {
    /// Add a congruence; the relation has to be simplified afterwards.
    pub(crate) fn add_congruence(&mut self, congruence: Congruence) {
        self.add_unknown_div();
        self.add_eq(congruence.over(self.n_col()));
    }

    /// The same points with fewer congruences, where two are one. Simplified if anything changes.
    pub(crate) fn merge_congruences(&mut self) {
        if self.eqs.len() < 2 || self.n_div() < 2 {
            return;
        }
        while let Some((i, k, both)) = self.first_two_congruences() {
            let Some(both) = both else { return self.set_to_empty() };
            self.eqs.remove(k);
            self.eqs.remove(i);
            self.add_congruence(both);
            self.normalize();
        }
    }

    fn first_two_congruences(&self) -> Option<(usize, usize, Option<Congruence>)> {
        let all: Vec<Option<Congruence>> = self.eqs.iter().map(|eq| Congruence::of(self, eq)).collect();
        for (k, second) in all.iter().enumerate() {
            for (i, first) in all[..k].iter().enumerate() {
                if let Some(both) = joined(first.as_ref(), second.as_ref()) {
                    return Some((i, k, both));
                }
            }
        }
        None
    }
}

/// What two congruences make together, if they are one.
fn joined(first: Option<&Congruence>, second: Option<&Congruence>) -> Option<Option<Congruence>> {
    let (first, second) = first.zip(second)?;
    first.both(second).or_else(|| second.both(first))
}

#[cfg(test)]
mod tests {
    use crate::BasicSet;

    #[test]
    fn congruences_of_one_form_are_merged() {
        let merged = |text: &str| {
            let mut basic = text.parse::<BasicSet>().expect("the test's set parses").into_basic_map();
            basic.merge_congruences();
            basic.into_basic_set().to_string()
        };
        assert_eq!(merged("{ [x] : x mod 2 = 1 and x mod 3 = 0 }"), "{ [x] : (3 + x) mod 6 = 0 }");
        assert_eq!(merged("{ [x] : x mod 4 = 2 and x mod 6 = 4 and x mod 5 = 0 }"), "{ [x] : (50 + x) mod 60 = 0 }");
        assert_eq!(
            merged("[n] -> { [x] : (n - x) mod 2 = 0 and (x - n) mod 3 = 1 }"),
            "[n] -> { [x] : (4 + n - x) mod 6 = 0 }"
        );
        assert_eq!(merged("{ [x, y] : (x + y) mod 2 = 0 and (x - y) mod 3 = 0 }"), "{ [x, y] : (x - y) mod 6 = 0 }");
        assert_eq!(merged("{ [x] : x mod 2 = 0 and (2x) mod 9 = 1 }"), "{ [x] : (4 + x) mod 18 = 0 }");
        assert_eq!(merged("{ [x] : x mod 4 = 2 and x mod 6 = 3 }"), "{ [x] : false }");
        assert_eq!(merged("{ [x, y] : x mod 2 = 0 and y mod 3 = 0 }"), "{ [x, y] : (x) mod 2 = 0 and (y) mod 3 = 0 }");
    }
}
