//! Arithmetic of tuples of piecewise expressions, and of unions of functions with tuples as values.

use poly_arith::{Int, Rational};

use crate::budget::{Budget, Stop};
use crate::pw::PwAff;
use crate::pw_multi::PwMultiAff;
use crate::set::Set;
use crate::space::{Space, merge_params};
use crate::union::UnionSet;
use crate::union_pw_multi::{MultiPwAff, UnionPwMultiAff};

impl MultiPwAff {
    /// The negation.
    pub fn neg(&self) -> MultiPwAff {
        self.map_members(PwAff::neg)
    }

    /// The function times an integer.
    pub fn scale(&self, factor: impl Into<Int>) -> MultiPwAff {
        let factor = factor.into();
        self.map_members(|m| m.scale(&factor))
    }

    /// The function divided (as a rational) by a nonzero integer.
    pub fn scale_down(&self, divisor: impl Into<Int>) -> MultiPwAff {
        let divisor = divisor.into();
        self.map_members(|m| m.scale_down(&divisor))
    }

    /// The largest integers not above the values.
    pub fn floor(&self) -> MultiPwAff {
        self.map_members(PwAff::floor)
    }

    /// The smallest integers not below the values.
    pub fn ceil(&self) -> MultiPwAff {
        self.map_members(PwAff::ceil)
    }

    /// The nonnegative remainders of the division by a positive integer.
    pub fn mod_val(&self, modulus: impl Into<Int>) -> MultiPwAff {
        let modulus = modulus.into();
        self.map_members(|m| m.mod_val(&modulus))
    }

    /// The smaller values, dimension by dimension, where both are defined.
    pub fn min(&self, other: &MultiPwAff) -> MultiPwAff {
        self.zip_with(other, PwAff::min)
    }

    /// The larger values, dimension by dimension, where both are defined.
    pub fn max(&self, other: &MultiPwAff) -> MultiPwAff {
        self.zip_with(other, PwAff::max)
    }

    /// The values at a point, where all members are defined.
    pub fn eval(&self, params: &[Int], point: &[Int]) -> Option<Vec<Rational>> {
        self.domain.contains(params, point).then_some(())?;
        self.members.iter().map(|m| m.eval(params, point)).collect()
    }

    /// The points of the domain where both are defined and equal.
    pub fn eq_set(&self, other: &MultiPwAff) -> Set {
        let both = self.domain().intersect(&other.domain());
        self.members.iter().zip(&other.members).fold(both, |all, (a, b)| all.intersect(&a.eq_set(b)))
    }

    fn change(
        &self,
        f: impl Fn(&PwAff, &mut Budget) -> Result<PwAff, Stop>,
        budget: &mut Budget,
    ) -> Result<MultiPwAff, Stop> {
        let members: Result<Vec<PwAff>, Stop> = self.members.iter().map(|m| f(m, budget)).collect();
        Ok(MultiPwAff { members: members?, ..self.clone() })
    }

    /// The same function without empty pieces and with coalesced domains. Cost: some linear
    /// programs for each pair of disjuncts, again after each success \[Verdoolaege2015\].
    pub fn coalesce(&self, budget: &mut Budget) -> Result<MultiPwAff, Stop> {
        let mut result = self.change(PwAff::coalesce, budget)?;
        result.domain = self.domain.clone().coalesce(budget)?;
        Ok(result)
    }

    /// A function with simpler domains, equal on the context; pieces outside of it are dropped.
    /// Cost: a linear program for each constraint, and an integer program to drop what is outside
    /// of the context \[Verdoolaege2010\].
    pub fn gist(&self, context: &Set, budget: &mut Budget) -> Result<MultiPwAff, Stop> {
        let domain = self.domain.gist(context, budget)?;
        let members: Result<Vec<PwAff>, Stop> = self.members.iter().map(|m| m.gist(context, budget)).collect();
        let mut result = MultiPwAff::new(self.space.align(context.space()), members?);
        result.domain = result.domain.intersect(&domain);
        Ok(result)
    }
}

impl UnionPwMultiAff {
    fn map_members(&self, f: impl Fn(&PwMultiAff) -> PwMultiAff) -> UnionPwMultiAff {
        let mut result = UnionPwMultiAff::empty(self.params.clone());
        self.iter().for_each(|m| result.add(f(m)));
        result
    }

    /// The function times an integer.
    pub fn scale(&self, factor: impl Into<Int>) -> UnionPwMultiAff {
        let factor = factor.into();
        self.map_members(|m| m.scale(&factor))
    }

    /// The function divided (as a rational) by a nonzero integer.
    pub fn scale_down(&self, divisor: impl Into<Int>) -> UnionPwMultiAff {
        let divisor = divisor.into();
        self.map_members(|m| m.scale_down(&divisor))
    }

    /// The largest integers not above the values.
    pub fn floor(&self) -> UnionPwMultiAff {
        self.map_members(PwMultiAff::floor)
    }

    /// The nonnegative remainders of the division by a positive integer.
    pub fn mod_val(&self, modulus: impl Into<Int>) -> UnionPwMultiAff {
        let modulus = modulus.into();
        self.map_members(|m| m.mod_val(&modulus))
    }

    /// Restrict the function to parameter values.
    pub fn intersect_params(&self, params: &Set) -> UnionPwMultiAff {
        let mut result = UnionPwMultiAff::empty(merge_params(&self.params, &params.space().params));
        self.iter().for_each(|m| result.add(m.intersect_params(params)));
        result
    }

    /// A function with simpler domains, equal on the context; members and pieces outside of it are
    /// dropped. Cost: a linear program for each constraint, and an integer program to drop what is
    /// outside of the context \[Verdoolaege2010\].
    pub fn gist(&self, context: &UnionSet, budget: &mut Budget) -> Result<UnionPwMultiAff, Stop> {
        let mut result = UnionPwMultiAff::empty(merge_params(&self.params, context.param_ids()));
        for member in self.iter() {
            if let Some(set) = context.get(&member.domain_space()) {
                result.add(member.gist(set, budget)?);
            }
        }
        Ok(result)
    }

    /// Combines the members over the same domain.
    fn over_common_domains(
        &self,
        other: &UnionPwMultiAff,
        f: impl Fn(&PwMultiAff, &PwMultiAff) -> PwMultiAff,
    ) -> UnionPwMultiAff {
        let mut result = UnionPwMultiAff::empty(merge_params(&self.params, &other.params));
        let same = |a: &Space, b: &Space| a.domain == b.domain;
        for a in self.iter() {
            other.iter().filter(|b| same(a.space(), b.space())).for_each(|b| result.add(f(a, b)));
        }
        result
    }

    /// The pair of the values, where both are defined.
    pub fn range_product(&self, other: &UnionPwMultiAff) -> UnionPwMultiAff {
        self.over_common_domains(other, PwMultiAff::range_product)
    }

    /// The values one after the other in an anonymous tuple, where both are defined.
    pub fn flat_range_product(&self, other: &UnionPwMultiAff) -> UnionPwMultiAff {
        self.over_common_domains(other, PwMultiAff::flat_range_product)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn tuples_are_combined_by_dimension() {
        let budget = &mut Budget::unlimited();
        let read = |text: &str| MultiPwAff::from(&text.parse::<PwMultiAff>().unwrap());
        let a = read("[n] -> { S[i] -> T[i, 3] : i >= 0 }");
        let b = read("[n] -> { S[i] -> T[5, i] : i <= 9 }");
        let least = a.min(&b);
        let at = |f: &MultiPwAff, i: i64| f.eval(&[Int::ZERO], &[Int::from(i)]).map(|v| [v[0].clone(), v[1].clone()]);
        assert_eq!(at(&least, 7), Some([5.into(), 3.into()]));
        assert_eq!(at(&a.max(&b), 2), Some([5.into(), 3.into()]));
        assert_eq!(at(&least, 10), None);
        assert_eq!(at(&a.scale(-3).scale_down(2).floor(), 3), Some([Int::from(-5).into(), Int::from(-5).into()]));
        assert_eq!(at(&a.neg().mod_val(4), 3), Some([1.into(), 1.into()]));
        let context: Set = "[n] -> { S[i] : 0 <= i <= n }".parse().unwrap();
        expect!["[n] -> { S[i] -> T[(i), (3)] }"]
            .assert_eq(&a.gist(&context, budget).unwrap().coalesce(budget).unwrap().to_pw_multi_aff().to_string());
        let other = read("[n] -> { S[i] -> T[2i - 5, 3] : i <= 9 }");
        expect!["[n] -> { S[i = 5] }"].assert_eq(&a.eq_set(&other).coalesce(budget).unwrap().to_string());
    }

    #[test]
    fn unions_are_combined_by_domain() {
        let budget = &mut Budget::unlimited();
        let read = |text: &str| text.parse::<UnionPwMultiAff>().unwrap();
        let a = read("{ S[i] -> A[i] : i >= 0; T[i, j] -> B[j] }");
        let b = read("{ S[i] -> C[2i] : i <= 4; R[i] -> B[i] }");
        assert!(a.range_product(&b).is_equal(&read("{ S[i] -> [A[i] -> C[2i]] : 0 <= i <= 4 }"), budget).unwrap());
        assert!(a.flat_range_product(&b).is_equal(&read("{ S[i] -> [i, 2i] : 0 <= i <= 4 }"), budget).unwrap());
        let halved = a.scale(3).scale_down(2).floor().mod_val(5);
        let expected = read("{ S[i] -> A[floor(3i/2) mod 5] : i >= 0; T[i, j] -> B[floor(3j/2) mod 5] }");
        assert!(halved.is_equal(&expected, budget).unwrap(), "{halved}");
        let context: UnionSet = "{ S[i] : i >= 2 }".parse().unwrap();
        expect!["{ S[i] -> A[(i)] }"].assert_eq(&a.gist(&context, budget).unwrap().to_string());
    }
}
