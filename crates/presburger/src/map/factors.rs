//! Conditions on the sides of wrapped pairs, and other rearrangements of tuples, under isl's names.

use std::sync::Arc;

use poly_arith::Int;

use crate::basic::BasicMap;
use crate::map::Map;
use crate::row;
use crate::set::Set;
use crate::space::{DimKind, Space, Tuple};

impl Map {
    fn expect_tuple(&self, kind: DimKind) -> Tuple {
        self.space.tuple(kind).unwrap_or_else(|| panic!("{} is not the space of a relation", self.space)).clone()
    }

    fn all_between(&self, domain: Tuple, range: Tuple) -> Map {
        Map::universe(Space::map(self.space.params.clone(), domain, range))
    }

    /// Of `[A -> B] -> C` what has `A -> C` in a relation.
    ///
    /// ```
    /// use poly_presburger::{Budget, Map};
    /// let map: Map = "{ [A[a] -> B[b]] -> C[c] : a, b, c >= 0 }".parse()?;
    /// let part = map.intersect_domain_factor_domain(&"{ A[a] -> C[c] : c = a }".parse()?);
    /// let expected: Map = "{ [A[a] -> B[b]] -> C[a] : a, b >= 0 }".parse()?;
    /// assert!(part.is_equal(&expected, &mut Budget::unlimited()).unwrap());
    /// # Ok::<(), poly_presburger::ParseError>(())
    /// ```
    ///
    /// # Panics
    /// Unless the domain wraps a pair and the spaces fit. So do the other operations for factors.
    pub fn intersect_domain_factor_domain(&self, factor: &Map) -> Map {
        let (_, b) = self.nested_sides(DimKind::In);
        let all = factor.domain_product(&self.all_between(b, self.expect_tuple(DimKind::Out)));
        self.intersect(&all.set_tuple(DimKind::In, self.expect_tuple(DimKind::In)))
    }

    /// Of `[A -> B] -> C` what has `B -> C` in a relation.
    pub fn intersect_domain_factor_range(&self, factor: &Map) -> Map {
        let (a, _) = self.nested_sides(DimKind::In);
        let all = self.all_between(a, self.expect_tuple(DimKind::Out)).domain_product(factor);
        self.intersect(&all.set_tuple(DimKind::In, self.expect_tuple(DimKind::In)))
    }

    /// Of `A -> [B -> C]` what has `A -> B` in a relation.
    ///
    /// ```
    /// # use poly_presburger::{Budget, Map};
    /// let map: Map = "{ A[a] -> [B[b] -> C[c]] : a, b, c >= 0 }".parse()?;
    /// let part = map.intersect_range_factor_domain(&"{ A[a] -> B[b] : b = a }".parse()?);
    /// let expected: Map = "{ A[a] -> [B[a] -> C[c]] : a, c >= 0 }".parse()?;
    /// assert!(part.is_equal(&expected, &mut Budget::unlimited()).unwrap());
    /// # Ok::<(), poly_presburger::ParseError>(())
    /// ```
    pub fn intersect_range_factor_domain(&self, factor: &Map) -> Map {
        let (_, c) = self.nested_sides(DimKind::Out);
        let all = factor.range_product(&self.all_between(self.expect_tuple(DimKind::In), c));
        self.intersect(&all.set_tuple(DimKind::Out, self.expect_tuple(DimKind::Out)))
    }

    /// Of `A -> [B -> C]` what has `A -> C` in a relation.
    pub fn intersect_range_factor_range(&self, factor: &Map) -> Map {
        let (b, _) = self.nested_sides(DimKind::Out);
        let all = self.all_between(self.expect_tuple(DimKind::In), b).range_product(factor);
        self.intersect(&all.set_tuple(DimKind::Out, self.expect_tuple(DimKind::Out)))
    }

    /// Of `[A -> B] -> C` what has `A` in a set.
    ///
    /// ```
    /// # use poly_presburger::{Budget, Map};
    /// let map: Map = "{ [A[a] -> B[b]] -> C[a + b] }".parse()?;
    /// let part = map.intersect_domain_wrapped_domain(&"{ A[a] : 0 <= a <= 5 }".parse()?);
    /// let expected: Map = "{ [A[a] -> B[b]] -> C[a + b] : 0 <= a <= 5 }".parse()?;
    /// assert!(part.is_equal(&expected, &mut Budget::unlimited()).unwrap());
    /// # Ok::<(), poly_presburger::ParseError>(())
    /// ```
    pub fn intersect_domain_wrapped_domain(&self, set: &Set) -> Map {
        self.intersect_domain(&self.wrapped_domain_in(DimKind::In, set))
    }

    /// Of `A -> [B -> C]` what has `B` in a set.
    pub fn intersect_range_wrapped_domain(&self, set: &Set) -> Map {
        self.intersect_range(&self.wrapped_domain_in(DimKind::Out, set))
    }

    /// All pairs of a wrapped tuple whose first side is in a set.
    fn wrapped_domain_in(&self, kind: DimKind, set: &Set) -> Set {
        let (first, second) = self.nested_sides(kind);
        let pairs = self.all_between(first, second).intersect_domain(set).wrap();
        pairs.set_tuple(self.expect_tuple(kind))
    }

    /// `[B -> A] -> C` of `[A -> B] -> C`.
    pub fn domain_reverse(&self) -> Map {
        let (a, b) = self.nested_sides(DimKind::In);
        let (na, nb) = (a.n(), b.n());
        let space = Space::map(self.space.params.clone(), Tuple::wrapping(b, a), self.expect_tuple(DimKind::Out));
        self.with_exchanged(space, self.space.offset(DimKind::In), na, nb)
    }

    /// `A -> [C -> B]` of `A -> [B -> C]`.
    ///
    /// ```
    /// # use poly_presburger::{Budget, Map};
    /// let map: Map = "{ A[a] -> [B[b] -> C[a, b]] }".parse()?;
    /// let expected: Map = "{ A[a] -> [C[a, b] -> B[b]] }".parse()?;
    /// assert!(map.range_reverse().is_equal(&expected, &mut Budget::unlimited()).unwrap());
    /// # Ok::<(), poly_presburger::ParseError>(())
    /// ```
    pub fn range_reverse(&self) -> Map {
        let (b, c) = self.nested_sides(DimKind::Out);
        let (nb, nc) = (b.n(), c.n());
        let space = Space::map(self.space.params.clone(), self.expect_tuple(DimKind::In), Tuple::wrapping(c, b));
        self.with_exchanged(space, self.space.offset(DimKind::Out), nb, nc)
    }

    /// The same rows with two neighbouring ranges of columns exchanged.
    fn with_exchanged(&self, space: Space, first: usize, n: usize, m: usize) -> Map {
        let to = (0..first).chain((0..n).map(|i| first + m + i)).chain((0..m).map(|i| first + i));
        let map: Vec<usize> = to.chain(first + n + m..1 + self.space.n_var()).collect();
        let shared = Arc::new(space.clone());
        self.lift(space, |basic| basic.relayout_vars(shared.clone(), map.clone()).normalized())
    }

    /// `A -> [B -> [C -> D]]` of `A -> [[B -> C] -> D]`.
    pub fn range_curry(&self) -> Map {
        let (pair, d) = self.nested_sides(DimKind::Out);
        let Some(nested) = pair.nested.as_deref().cloned() else { panic!("{} wraps no pair there", self.space) };
        let range = Tuple::wrapping(nested.0, Tuple::wrapping(nested.1, d));
        self.with_space(Space::map(self.space.params.clone(), self.expect_tuple(DimKind::In), range))
    }

    /// `x -> y + z` for `x -> y` here and `x -> z` in `other`.
    ///
    /// ```
    /// # use poly_presburger::{Budget, Map};
    /// let [a, b]: [Map; 2] = ["{ S[i] -> [i] }", "{ S[i] -> [j] : 0 <= j <= 2 }"].map(|text| text.parse().unwrap());
    /// let expected: Map = "{ S[i] -> [j] : i <= j <= i + 2 }".parse().unwrap();
    /// assert!(a.sum(&b).is_equal(&expected, &mut Budget::unlimited()).unwrap());
    /// ```
    ///
    /// # Panics
    /// Unless both relations have the same space.
    pub fn sum(&self, other: &Map) -> Map {
        let tuple = self.expect_tuple(DimKind::Out);
        let pairs = self.range_product(other);
        let n = tuple.n();
        let mut add =
            BasicMap::universe(Space::map(pairs.space.params.clone(), pairs.expect_tuple(DimKind::Out), tuple));
        for i in 0..n {
            let mut r = row::zeros(add.n_col());
            r[add.column(DimKind::Out, i)] = Int::NEG_ONE;
            r[add.column(DimKind::In, i)] = Int::ONE;
            r[add.column(DimKind::In, n + i)] = Int::ONE;
            add.add_eq(r);
        }
        pairs.apply_range(&Map::from_basic(add.normalized()))
    }

    /// `x -> floor(y / d)` for `x -> y`.
    ///
    /// ```
    /// # use poly_presburger::{Budget, Map};
    /// let map: Map = "{ S[i] -> [i, 2i] }".parse().unwrap();
    /// let expected: Map = "{ S[i] -> [floor(i/4), floor(2i/4)] }".parse().unwrap();
    /// assert!(map.floordiv_val(4).is_equal(&expected, &mut Budget::unlimited()).unwrap());
    /// ```
    ///
    /// # Panics
    /// Unless the divisor is positive.
    pub fn floordiv_val(&self, divisor: impl Into<Int>) -> Map {
        let divisor = divisor.into();
        assert!(divisor.is_pos(), "a divisor must be positive");
        let tuple = self.expect_tuple(DimKind::Out);
        let mut divide = BasicMap::universe(Space::map(self.space.params.clone(), tuple.clone(), tuple));
        for i in 0..divide.dim(DimKind::Out) {
            // 0 <= in - d out <= d - 1.
            let mut r = row::zeros(divide.n_col());
            r[divide.column(DimKind::In, i)] = Int::ONE;
            r[divide.column(DimKind::Out, i)] = -&divisor;
            let mut upper = row::negated(&r);
            upper[0] = &divisor - &Int::ONE;
            divide.add_ineq(r);
            divide.add_ineq(upper);
        }
        self.apply_range(&Map::from_basic(divide.normalized()))
    }

    /// The same relation, with disjuncts in which the sign of each of `n` dimensions of a kind from
    /// `first` on is known: not negative, or negative.
    ///
    /// ```
    /// # use poly_presburger::Map;
    /// let map: Map = "{ S[i] -> [j] : -3 <= j <= 3 }".parse().unwrap();
    /// assert_eq!(map.split_dims(poly_presburger::DimKind::Out, 0, 1).to_string(), "{ S[i] -> [j] : 0 <= j <= 3 or -3 <= j < 0 }");
    /// ```
    pub fn split_dims(&self, kind: DimKind, first: usize, n: usize) -> Map {
        (first..first + n).fold(self.clone(), |map, i| map.lower_bound(kind, i, 0).union(&map.upper_bound(kind, i, -1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    fn map(text: &str) -> Map {
        text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    fn check(found: &Map, expected: &str) {
        let expected = map(expected);
        assert!(found.space().has_equal_tuples(expected.space()), "{found} is over {}", expected.space());
        assert_eq!(found.is_equal(&expected, &mut Budget::unlimited()), Ok(true), "{found} is {expected}");
    }

    #[test]
    fn factors_are_restricted() {
        let wide = map("[n] -> { W[A[a, a'] -> B[b]] -> C[c] : 0 <= a, a', b, c <= n }");
        check(
            &wide.intersect_domain_factor_domain(&map("{ A[a, a'] -> C[c] : c <= a' }")),
            "[n] -> { W[A[a, a'] -> B[b]] -> C[c] : 0 <= a, a', b, c <= n and c <= a' }",
        );
        check(
            &wide.intersect_domain_factor_range(&map("{ B[b] -> C[2b] }")),
            "[n] -> { W[A[a, a'] -> B[b]] -> C[2b] : 0 <= a, a', b, 2b <= n }",
        );
        let deep = map("[n] -> { A[a] -> W[B[b, b'] -> C[c]] : 0 <= a, b, b', c <= n }");
        check(
            &deep.intersect_range_factor_domain(&map("{ A[a] -> B[b, a] }")),
            "[n] -> { A[a] -> W[B[b, a] -> C[c]] : 0 <= a, b, c <= n }",
        );
        check(
            &deep.intersect_range_factor_range(&map("{ A[a] -> C[c] : c >= a }")),
            "[n] -> { A[a] -> W[B[b, b'] -> C[c]] : 0 <= a, b, b', c <= n and c >= a }",
        );
        check(
            &deep.intersect_range_wrapped_domain(&"{ B[b, b'] : b < b' }".parse().expect("it can be read")),
            "[n] -> { A[a] -> W[B[b, b'] -> C[c]] : 0 <= a, b, b', c <= n and b < b' }",
        );
        check(
            &wide.intersect_domain_wrapped_domain(&"{ A[a, a] }".parse().expect("it can be read")),
            "[n] -> { W[A[a, a] -> B[b]] -> C[c] : 0 <= a, b, c <= n }",
        );
    }

    #[test]
    fn tuples_are_rearranged() {
        check(
            &map("{ [A[a, b] -> B[c]] -> C[d] : d = a + 2b + 3c }").domain_reverse(),
            "{ [B[c] -> A[a, b]] -> C[d] : d = a + 2b + 3c }",
        );
        check(
            &map("[n] -> { A[a] -> [B[b] -> C[c, d]] : a = b + 2c + 3d + n }").range_reverse(),
            "[n] -> { A[a] -> [C[c, d] -> B[b]] : a = b + 2c + 3d + n }",
        );
        check(
            &map("{ A[a] -> [[B[b] -> C[c]] -> D[d]] : a = b + 2c + 3d }").range_curry(),
            "{ A[a] -> [B[b] -> [C[c] -> D[d]]] : a = b + 2c + 3d }",
        );
        // With existentials, which stay behind the dimensions.
        check(
            &map("{ A[a] -> [B[b] -> C[c]] : b mod 3 = 1 and exists e : 2e <= c <= 3e }").range_reverse(),
            "{ A[a] -> [C[c] -> B[b]] : b mod 3 = 1 and exists e : 2e <= c <= 3e }",
        );
    }

    #[test]
    fn values_are_added_and_divided() {
        check(
            &map("{ S[i] -> T[j, 5] : 0 <= j <= 2; S[i] -> T[0, i] }").sum(&map("{ S[i] -> T[i, i] : i >= 1 }")),
            "{ S[i] -> T[j, i + 5] : i >= 1 and i <= j <= i + 2; S[i] -> T[i, 2i] : i >= 1 }",
        );
        check(
            &map("{ S[i] -> T[j] : i <= j <= i + 9 }").floordiv_val(10),
            "{ S[i] -> T[j] : floor(i/10) <= j <= floor((i + 9)/10) }",
        );
        let parts = map("{ S[i, j] -> T[k] : -2 <= i, j, k <= 2 }").split_dims(DimKind::In, 0, 2);
        assert_eq!(parts.n_basic(), 4);
        check(&parts, "{ S[i, j] -> T[k] : -2 <= i, j, k <= 2 }");
    }
}
