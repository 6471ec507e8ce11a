//! Arithmetic, comparison and choice of piecewise tuples.

use poly_arith::Int;

use crate::budget::{Budget, Stop};
use crate::multi::MultiAff;
use crate::pw::PwAff;
use crate::pw_multi::PwMultiAff;
use crate::set::Set;
use crate::space::{DimKind, Space};

impl PwMultiAff {
    /// A tuple of piecewise expressions: one for each range dimension of `space`, defined where all
    /// of them are.
    pub fn from_pw_affs(space: Space, members: &[PwAff]) -> PwMultiAff {
        assert_eq!(members.len(), space.dim(DimKind::Out), "{space} needs one expression per dimension");
        let space = members.iter().fold(space, |s, m| s.align(m.space()));
        let mut pieces = vec![(Set::universe(space.domain_space()), Vec::new())];
        for member in members {
            let mut extended = Vec::new();
            for (set, affs) in &pieces {
                for (s, a) in member.pieces() {
                    let mut affs = affs.clone();
                    affs.push(a.clone());
                    extended.push((set.intersect(s), affs));
                }
            }
            pieces = extended;
        }
        let build = |(set, affs)| (set, MultiAff::new(space.clone(), affs));
        PwMultiAff::from_pieces(space.clone(), pieces.into_iter().map(build).collect())
    }

    fn map_same(&self, f: impl Fn(&MultiAff) -> MultiAff) -> PwMultiAff {
        self.map_pieces(self.space().clone(), f)
    }

    /// The negation.
    pub fn neg(&self) -> PwMultiAff {
        self.map_same(MultiAff::neg)
    }

    /// Every expression times an integer.
    pub fn scale(&self, factor: impl Into<Int>) -> PwMultiAff {
        let factor = factor.into();
        self.map_same(|m| m.scale(&factor))
    }

    /// Every expression divided (as a rational) by a nonzero integer.
    pub fn scale_down(&self, divisor: impl Into<Int>) -> PwMultiAff {
        let divisor = divisor.into();
        self.map_same(|m| m.scale_down(&divisor))
    }

    /// Every expression rounded down.
    pub fn floor(&self) -> PwMultiAff {
        self.map_same(MultiAff::floor)
    }

    /// The nonnegative remainders of the division by a positive integer.
    pub fn mod_val(&self, modulus: impl Into<Int>) -> PwMultiAff {
        let modulus = modulus.into();
        self.map_same(|m| m.mod_val(&modulus))
    }

    /// The points where both are defined and `relation` holds.
    fn compare(&self, other: &PwMultiAff, relation: impl Fn(&MultiAff, &MultiAff) -> Set) -> Set {
        let mut result = Set::empty(self.domain_space().align(&other.domain_space()));
        for (s, a) in self.pieces() {
            for (t, b) in other.pieces() {
                result = result.union(&s.intersect(t).intersect(&relation(a, b)));
            }
        }
        result
    }

    /// The points where the function is lexicographically smaller than `other`.
    pub fn lt_set(&self, other: &PwMultiAff) -> Set {
        self.compare(other, MultiAff::less_than)
    }

    /// The points where the function is lexicographically not larger than `other`.
    pub fn le_set(&self, other: &PwMultiAff) -> Set {
        self.compare(other, MultiAff::at_most)
    }

    /// The points where both functions are equal.
    pub fn eq_set(&self, other: &PwMultiAff) -> Set {
        self.compare(other, MultiAff::equal_set)
    }

    /// `both` where both functions are defined, and the one that is defined elsewhere.
    fn union_with(
        &self,
        other: &PwMultiAff,
        both: impl Fn(&PwMultiAff, &PwMultiAff) -> PwMultiAff,
        budget: &mut Budget,
    ) -> Result<PwMultiAff, Stop> {
        let here = self.subtract_domain(&other.domain(), budget)?;
        let there = other.subtract_domain(&self.domain(), budget)?;
        Ok(both(self, other).union_disjoint(&here).union_disjoint(&there))
    }

    /// The sum, an undefined value counting as zero unless both are undefined. Cost: that of
    /// [`Map::subtract`](crate::Map::subtract) for the domains of each pair of pieces.
    pub fn union_add(&self, other: &PwMultiAff, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
        self.union_with(other, PwMultiAff::add, budget)
    }

    /// The lexicographically smaller value, or the one that is defined. Cost: that of
    /// [`Map::subtract`](crate::Map::subtract) for the domains of each pair of pieces.
    pub fn union_lexmin(&self, other: &PwMultiAff, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
        self.union_with(other, |a, b| a.choose(b, &a.le_set(b), &b.lt_set(a)), budget)
    }

    /// The lexicographically larger value, or the one that is defined. Cost: that of
    /// [`Map::subtract`](crate::Map::subtract) for the domains of each pair of pieces.
    pub fn union_lexmax(&self, other: &PwMultiAff, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
        self.union_with(other, |a, b| a.choose(b, &b.le_set(a), &a.lt_set(b)), budget)
    }

    fn choose(&self, other: &PwMultiAff, here: &Set, there: &Set) -> PwMultiAff {
        self.intersect_domain(here).union_disjoint(&other.intersect_domain(there))
    }

    /// `[A -> C] -> [B -> D]` of `A -> B` and `C -> D`.
    pub fn product(&self, other: &PwMultiAff) -> PwMultiAff {
        let mut pieces = Vec::new();
        for (s, a) in self.pieces() {
            for (t, b) in other.pieces() {
                pieces.push((s.product(t), a.product(b)));
            }
        }
        PwMultiAff::from_pieces(self.space().product(other.space()), pieces)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn f(text: &str) -> PwMultiAff {
        text.parse().unwrap()
    }

    #[test]
    fn operations_are_pointwise() {
        let a = f("[n] -> { [i] -> [(i), (n)] : i >= 0; [i] -> [(-2i), (3)] : i < 0 }");
        let b = f("[n] -> { [i] -> [(2), (i)] : -3 <= i <= 3 }");
        let budget = &mut Budget::unlimited();
        let (sum, least, most) = (
            a.union_add(&b, budget).unwrap(),
            a.union_lexmin(&b, budget).unwrap(),
            a.union_lexmax(&b, budget).unwrap(),
        );
        let floors = a.scale_down(3).floor();
        let pair = a.product(&b);
        let back = a.pullback_pw(&f("[n] -> { [k] -> [(k - n)] : k >= 1 }"));
        let n = [Int::from(2)];
        for i in -6..=6 {
            let x = [Int::from(i)];
            let (p, q) = (a.eval(&n, &x).unwrap(), b.eval(&n, &x));
            assert_eq!(least.eval(&n, &x).unwrap(), q.clone().map_or(p.clone(), |q| q.min(p.clone())));
            assert_eq!(most.eval(&n, &x).unwrap(), q.clone().map_or(p.clone(), |q| q.max(p.clone())));
            let zero = vec![poly_arith::Rational::from(0); 2];
            let added: Vec<_> = p.iter().zip(&q.clone().unwrap_or(zero)).map(|(x, y)| x + y).collect();
            assert_eq!(sum.eval(&n, &x).unwrap(), added);
            let floored: Vec<_> = p.iter().map(|x| (x / &poly_arith::Rational::from(3)).floor().into()).collect();
            assert_eq!(floors.eval(&n, &x).unwrap(), floored);
            assert_eq!(a.lt_set(&b).contains(&n, &x), q.clone().is_some_and(|q| p < q));
            assert_eq!(a.eq_set(&b).contains(&n, &x), q.clone().is_some_and(|q| p == q));
            let both = q.map(|q| p.iter().cloned().chain(q).collect::<Vec<_>>());
            assert_eq!(pair.eval(&n, &[x[0].clone(), x[0].clone()]), both);
            let shifted = [Int::from(i + 2)];
            assert_eq!(back.eval(&n, &shifted), (i + 2 >= 1).then_some(p));
        }
    }

    #[test]
    fn tuples_of_piecewise_expressions() {
        let a: PwAff = "{ [i] -> [(i)] : i >= 0; [i] -> [(-i)] : i < 0 }".parse().unwrap();
        let b: PwAff = "{ [i] -> [(1)] : i <= 5 }".parse().unwrap();
        let space = f("{ [i] -> T[(i), (i)] }").space().clone();
        let pair = PwMultiAff::from_pw_affs(space, &[a, b]);
        let expected = f("{ [i] -> T[(i), (1)] : 0 <= i <= 5; [i] -> T[(-i), (1)] : i < 0 }");
        assert!(pair.is_equal(&expected, &mut Budget::unlimited()).unwrap());
    }
}
