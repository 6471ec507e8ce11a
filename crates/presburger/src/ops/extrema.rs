//! The smallest and largest values of expressions on a set, and partial lexicographic optima.
//!
//! The values of an expression `e` on a set `S` are the set `e(S)`, one-dimensional; its minimum
//! for each value of the parameters is a parametric integer program \[Feautrier1988\], its minimum
//! over everything an integer program. An expression with a denominator is scaled first, so the
//! optimum is exact.

use poly_arith::{Int, Rational};

use crate::aff::Aff;
use crate::basic::BasicMap;
use crate::budget::{Budget, SolveError, Stop};
use crate::map::Map;
use crate::multi::MultiAff;
use crate::ops::hull::minima;
use crate::pw::PwAff;
use crate::pw_multi::PwMultiAff;
use crate::row;
use crate::set::Set;
use crate::solver::{IntOptimum, Optimum};
use crate::space::{DimKind, Tuple};

impl Map {
    /// The lexicographically smallest image of each element of `domain`, and the elements that have
    /// no image.
    /// Cost: that of [`Map::lexmin`] and of [`Map::subtract`] for the elements without image.
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if there is an element whose images have no smallest one.
    pub fn partial_lexmin(&self, domain: &Set, budget: &mut Budget) -> Result<(PwMultiAff, Set), SolveError> {
        let best = self.intersect_domain(domain).lexmin(budget)?;
        let without = domain.subtract(&best.domain(), budget)?;
        Ok((best, without))
    }

    /// The lexicographically largest image of each element of `domain`, and the elements that have
    /// no image.
    /// Cost: that of [`Map::lexmin`] and of [`Map::subtract`] for the elements without image.
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if there is an element whose images have no largest one.
    pub fn partial_lexmax(&self, domain: &Set, budget: &mut Budget) -> Result<(PwMultiAff, Set), SolveError> {
        let best = self.intersect_domain(domain).lexmax(budget)?;
        let without = domain.subtract(&best.domain(), budget)?;
        Ok((best, without))
    }
}

impl Set {
    /// The lexicographically smallest point for each value of the parameters in `context`, and the
    /// values for which there is no point. For errors see [`Map::partial_lexmin`].
    /// Cost: that of [`Map::lexmin`] and of [`Map::subtract`] for the elements without image.
    pub fn partial_lexmin(&self, context: &Set, budget: &mut Budget) -> Result<(PwMultiAff, Set), SolveError> {
        let best = self.intersect_params(context).lexmin(budget)?;
        let without = context.subtract(&best.domain(), budget)?;
        Ok((best, without))
    }

    /// The lexicographically largest point for each value of the parameters in `context`, and the
    /// values for which there is no point. For errors see [`Map::partial_lexmin`].
    /// Cost: that of [`Map::lexmin`] and of [`Map::subtract`] for the elements without image.
    pub fn partial_lexmax(&self, context: &Set, budget: &mut Budget) -> Result<(PwMultiAff, Set), SolveError> {
        let best = self.intersect_params(context).lexmax(budget)?;
        let without = context.subtract(&best.domain(), budget)?;
        Ok((best, without))
    }

    /// The values of `denom * aff`, an integer, on the set.
    fn scaled_values(&self, aff: &Aff) -> Set {
        let scaled = aff.scale(aff.denom());
        let value = MultiAff::into_tuple(aff.domain_space(), Tuple::anonymous(1), vec![scaled]);
        self.apply(&value.to_map())
    }

    /// The smallest value of an expression on the set for each value of the parameters; `None` if
    /// for some values of the parameters there is no bound. Exact, over the integer points. Cost: a
    /// parametric integer program in one dimension for each disjunct \[Feautrier1988\].
    pub fn min_of(&self, aff: &Aff, budget: &mut Budget) -> Result<Option<PwAff>, Stop> {
        let values = self.scaled_values(aff);
        for basic in values.basics() {
            if !basic.is_bounded_below(budget)? && !basic.is_empty(budget)? {
                return Ok(None);
            }
        }
        let least = values.remove_empty_parts(budget)?.dim_min(0, budget)?;
        Ok(Some(least.scale_down(aff.denom())))
    }

    /// The largest value of an expression on the set for each value of the parameters; `None` if
    /// for some values of the parameters there is no bound. Exact, over the integer points. Cost: a
    /// parametric integer program in one dimension for each disjunct \[Feautrier1988\].
    pub fn max_of(&self, aff: &Aff, budget: &mut Budget) -> Result<Option<PwAff>, Stop> {
        Ok(self.min_of(&aff.neg(), budget)?.map(|least| least.neg()))
    }

    /// The smallest value of an expression over all points and all values of the parameters.
    /// Cost: that of [`BasicMap::int_min`] for each disjunct.
    pub fn min_value(&self, aff: &Aff, budget: &mut Budget) -> Result<Optimum, Stop> {
        let values = self.scaled_values(aff);
        let mut best = Optimum::Empty;
        for basic in values.basics() {
            let form = row::unit(basic.n_col(), basic.column(DimKind::Out, 0));
            match (basic.int_min(&form, budget)?, &best) {
                (IntOptimum::Unbounded, _) => return Ok(Optimum::Unbounded),
                (IntOptimum::Empty, _) => {}
                (IntOptimum::Bounded(value), _) => {
                    let value = Rational::new(value, aff.denom().clone());
                    if !matches!(&best, Optimum::Bounded(old) if *old <= value) {
                        best = Optimum::Bounded(value);
                    }
                }
            }
        }
        Ok(best)
    }

    /// The largest value of an expression over all points and all values of the parameters.
    /// Cost: that of [`BasicMap::int_min`] for each disjunct.
    pub fn max_value(&self, aff: &Aff, budget: &mut Budget) -> Result<Optimum, Stop> {
        Ok(match self.min_value(&aff.neg(), budget)? {
            Optimum::Bounded(value) => Optimum::Bounded(-value),
            other => other,
        })
    }
}

impl BasicMap {
    /// Whether the one output dimension cannot decrease forever while the parameters stay.
    fn is_bounded_below(&self, budget: &mut Budget) -> Result<bool, Stop> {
        let mut cone = self.to_system();
        cone.eqs.iter_mut().chain(&mut cone.ineqs).for_each(|r| r[0] = Int::ZERO);
        let len = cone.n + 1;
        cone.eqs.extend((1..=self.dim(DimKind::Param)).map(|c| row::unit(len, c)));
        let form = row::unit(len, self.column(DimKind::Out, 0));
        let found = minima(&cone, &[form], budget)?.expect("a cone contains its apex");
        Ok(found[0].is_some())
    }
}

impl PwAff {
    /// The smallest value on the domain for each value of the parameters; `None` if for some values
    /// of the parameters there is no bound. Cost: that of [`Set::min_of`] for each piece, and the
    /// comparison of their values.
    pub fn min_over_domain(&self, budget: &mut Budget) -> Result<Option<PwAff>, Stop> {
        let mut best = PwAff::empty(self.domain_space().params_space());
        for (set, aff) in self.pieces() {
            let Some(least) = set.min_of(aff, budget)? else { return Ok(None) };
            best = best.union_min(&least, budget)?.drop_empty_pieces(budget)?;
        }
        Ok(Some(best))
    }

    /// The largest value on the domain for each value of the parameters; `None` if for some values
    /// of the parameters there is no bound. Cost: that of [`Set::min_of`] for each piece, and the
    /// comparison of their values.
    pub fn max_over_domain(&self, budget: &mut Budget) -> Result<Option<PwAff>, Stop> {
        Ok(self.neg().min_over_domain(budget)?.map(|least| least.neg()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn set(text: &str) -> Set {
        text.parse().unwrap()
    }

    fn least(text: &str, aff: &str) -> String {
        let found = set(text).min_of(&aff.parse().unwrap(), &mut Budget::unlimited()).unwrap();
        found.map_or("unbounded".to_owned(), |f| f.to_string())
    }

    #[test]
    fn parametric_minima() {
        expect!["[n] -> { [(-n)] : n >= 0 }"]
            .assert_eq(&least("[n] -> { [i, j] : 0 <= i, j <= n }", "[n] -> { [i, j] -> [(i - j)] }"));
        expect!["[n] -> { [((n)/2)] }"].assert_eq(&least("[n] -> { [i] : 2i >= n }", "[n] -> { [i] -> [((n)/2)] }"));
        expect!["unbounded"].assert_eq(&least("[n] -> { [i] : i <= n }", "[n] -> { [i] -> [(i)] }"));
    }

    #[test]
    fn optima_over_everything() {
        let triangle = set("{ [i, j] : 0 <= i and 3i <= 2j <= 7 }");
        let aff: Aff = "{ [i, j] -> [((i - j)/3)] }".parse().unwrap();
        let budget = &mut Budget::unlimited();
        assert_eq!(triangle.min_value(&aff, budget), Ok(Optimum::Bounded(Rational::new(Int::from(-3), Int::from(3)))));
        assert_eq!(triangle.max_value(&aff, budget), Ok(Optimum::Bounded(Rational::from(0))));
        assert_eq!(set("{ [i, j] : i > j }").max_value(&aff, budget), Ok(Optimum::Unbounded));
        assert_eq!(set("{ [i, j] : 2i = 2j + 1 }").max_value(&aff, budget), Ok(Optimum::Empty));
    }

    #[test]
    fn partial_minima_name_what_is_left() {
        let map: Map = "[n] -> { [i] -> [j] : i <= j <= n and j mod 2 = 0 }".parse().unwrap();
        let domain = set("[n] -> { [i] : 0 <= i <= 10 }");
        let (best, without) = map.partial_lexmin(&domain, &mut Budget::unlimited()).unwrap();
        let n: Vec<Int> = vec![Int::from(5)];
        for i in 0..=10 {
            let point = [Int::from(i)];
            let value = best.eval(&n, &point).map(|v| v[0].clone());
            let expected = (i <= 4).then(|| Rational::from(i + i % 2));
            assert_eq!(value, expected);
            assert_eq!(without.contains(&n, &point), i > 4);
        }
    }
}
