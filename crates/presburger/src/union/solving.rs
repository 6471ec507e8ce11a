//! Operations on unions that work member by member and need a solver.

use poly_arith::Int;

use crate::basic::{BasicMap, BasicSet};
use crate::budget::{Budget, SolveError, Stop};
use crate::map::Map;
use crate::set::Set;
use crate::space::{DimKind, Tuple};
use crate::union::{UnionMap, UnionSet};

impl Map {
    /// The same relation with the equalities that inequalities imply, in each disjunct; empty
    /// disjuncts go. Cost: a linear program for each inequality, again for all after one was found
    /// \[DetlefsNelsonSaxe2005\].
    pub fn detect_equalities(&self, budget: &mut Budget) -> Result<Map, Stop> {
        self.change_basics(BasicMap::detect_equalities, budget)
    }

    fn change_basics(
        &self,
        f: impl Fn(&mut BasicMap, &mut Budget) -> Result<(), Stop>,
        budget: &mut Budget,
    ) -> Result<Map, Stop> {
        let mut basics = Vec::with_capacity(self.n_basic());
        for basic in self.basics() {
            let mut basic = BasicMap::clone(basic);
            f(&mut basic, budget)?;
            basics.push(basic);
        }
        Ok(Map::from_basics(self.space_arc(), basics))
    }

    /// The smallest box with constant bounds on the dimensions, where there are bounds, that
    /// contains the rational relaxation of the relation, parameters being free. Cost: two linear
    /// programs for each dimension and disjunct \[DetlefsNelsonSaxe2005\].
    pub fn box_hull(&self, budget: &mut Budget) -> Result<BasicMap, Stop> {
        if !self.space().is_map() {
            return Ok(self.clone().into_set().box_hull(budget)?.into_basic_map());
        }
        Ok(self.wrap().box_hull(budget)?.unwrap())
    }

    /// One pair as a relation with a single pair, empty if there is none.
    /// Cost: that of [`Map::sample`].
    pub fn sample_map(&self, budget: &mut Budget) -> Result<BasicMap, Stop> {
        let Some(point) = self.sample(budget)? else { return Ok(BasicMap::empty(self.space_arc())) };
        let mut single = BasicMap::universe(self.space_arc());
        for (i, value) in point.iter().enumerate() {
            let mut eq = crate::row::unit(single.n_col(), 1 + i);
            eq[0] = -value;
            single.add_eq(eq);
        }
        Ok(single)
    }
}

impl Set {
    /// The same set with the equalities that inequalities imply, in each disjunct; empty disjuncts
    /// go. Cost: a linear program for each inequality, again for all after one was found
    /// \[DetlefsNelsonSaxe2005\].
    pub fn detect_equalities(&self, budget: &mut Budget) -> Result<Set, Stop> {
        Ok(self.as_map().detect_equalities(budget)?.into_set())
    }

    /// The same set without implied constraints, in each disjunct. Cost: a linear program for each
    /// inequality, beginning where the last one ended \[DetlefsNelsonSaxe2005\].
    pub fn remove_redundancies(self, budget: &mut Budget) -> Result<Set, Stop> {
        Ok(Set(self.0.remove_redundancies(budget)?))
    }

    /// A set with one of the points and one of the values of the parameters, empty if there is
    /// none. Cost: that of [`Map::sample`].
    pub fn sample_set(&self, budget: &mut Budget) -> Result<BasicSet, Stop> {
        Ok(self.as_map().sample_map(budget)?.into_basic_set())
    }
}

/// What sets, basic sets and basic relations have through the union with one disjunct.
macro_rules! through_unions {
    ($basic:ident, $set:ident, $($(#[$doc:meta])* fn $name:ident($($arg:ident: $argty:ty),*) -> $result:ty;)*) => {
        impl $basic {$(
            $(#[$doc])*
            pub fn $name(&self $(, $arg: $argty)*, budget: &mut Budget) -> $result {
                $set::from(self.clone()).$name($($arg,)* budget)
            }
        )*}
    };
}
through_unions! { BasicSet, Set,
    /// Whether for any fixed parameter values there are finitely many points.
    fn is_bounded() -> Result<bool, Stop>;
    /// The smallest box with constant bounds that contains the set, see [`Set::box_hull`].
    fn box_hull() -> Result<BasicSet, Stop>;
    /// The points here that are not in `other`.
    fn subtract(other: &Set) -> Result<Set, Stop>;
    /// All other points of the space.
    fn complement() -> Result<Set, Stop>;
    /// The smallest point for each value of the parameters, see [`Map::lexmin`].
    fn lexmin() -> Result<crate::pw_multi::PwMultiAff, SolveError>;
    /// The largest point for each value of the parameters, see [`Map::lexmax`].
    fn lexmax() -> Result<crate::pw_multi::PwMultiAff, SolveError>;
}
through_unions! { BasicMap, Map,
    /// Whether for any fixed parameter values there are finitely many pairs.
    fn is_bounded() -> Result<bool, Stop>;
    /// Whether no domain element has two images.
    fn is_single_valued() -> Result<bool, Stop>;
    /// Whether no two domain elements share an image.
    fn is_injective() -> Result<bool, Stop>;
    /// The smallest box with constant bounds that contains the relation, see [`Map::box_hull`].
    fn box_hull() -> Result<BasicMap, Stop>;
    /// The pairs here that are not in `other`.
    fn subtract(other: &Map) -> Result<Map, Stop>;
    /// All other pairs of the space.
    fn complement() -> Result<Map, Stop>;
    /// The smallest image of each domain element, see [`Map::lexmin`].
    fn lexmin() -> Result<crate::pw_multi::PwMultiAff, SolveError>;
    /// The largest image of each domain element, see [`Map::lexmax`].
    fn lexmax() -> Result<crate::pw_multi::PwMultiAff, SolveError>;
}

macro_rules! union_solving {
    ($union:ident, $member:ident) => {
        impl $union {
            fn change(
                &self,
                f: impl Fn(&$member, &mut Budget) -> Result<$member, Stop>,
                budget: &mut Budget,
            ) -> Result<$union, Stop> {
                let members: Result<Vec<$member>, Stop> = self.iter().map(|m| f(m, budget)).collect();
                Ok(self.rebuilt(members?))
            }

            /// Whether for any fixed parameter values there are finitely many points. Cost: an
            /// integer program, and two linear programs for each dimension, for each disjunct
            /// \[DetlefsNelsonSaxe2005\].
            pub fn is_bounded(&self, budget: &mut Budget) -> Result<bool, Stop> {
                for member in self.iter() {
                    if !member.is_bounded(budget)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }

            /// Whether every point here is in `other`, which has more.
            /// Cost: that of [`Map::is_subset`] in both directions.
            pub fn is_strict_subset(&self, other: &$union, budget: &mut Budget) -> Result<bool, Stop> {
                Ok(self.is_subset(other, budget)? && !other.is_subset(self, budget)?)
            }

            /// The first member that has a point, with that point; `None` for an empty union. Cost:
            /// an integer program for each disjunct, until one has a point \[CookRutherford1993\].
            pub fn sample(&self, budget: &mut Budget) -> Result<Option<(&$member, Vec<Int>)>, Stop> {
                for member in self.iter() {
                    if let Some(point) = member.sample(budget)? {
                        return Ok(Some((member, point)));
                    }
                }
                Ok(None)
            }

            /// The same union with the equalities that inequalities imply. Cost: a linear program
            /// for each inequality, again for all after one was found \[DetlefsNelsonSaxe2005\].
            pub fn detect_equalities(&self, budget: &mut Budget) -> Result<$union, Stop> {
                self.change($member::detect_equalities, budget)
            }

            /// The same union without implied constraints. Cost: a linear program for each
            /// inequality, beginning where the last one ended \[DetlefsNelsonSaxe2005\].
            pub fn remove_redundancies(&self, budget: &mut Budget) -> Result<$union, Stop> {
                self.change(|m, budget| m.clone().remove_redundancies(budget), budget)
            }

            /// The smallest convex polyhedron around the rational relaxation of each member. Cost:
            /// double description, exponential in the number of dimensions \[Motzkin1953\],
            /// \[Chernikova1965\].
            pub fn convex_hull(&self, budget: &mut Budget) -> Result<$union, Stop> {
                self.change(|m, budget| Ok($member::from(m.convex_hull(budget)?)), budget)
            }

            /// The smallest affine lattice around the integer points of each member.
            /// Cost: that of [`Map::lattice_hull`] \[Karr1976\].
            pub fn affine_hull(&self, budget: &mut Budget) -> Result<$union, Stop> {
                self.change(|m, budget| Ok($member::from(m.affine_hull(budget)?)), budget)
            }

            /// One basic member around each member, see the operation on members. Cost: nothing for
            /// one disjunct; otherwise a linear program for each constraint and disjunct
            /// \[Verdoolaege2010\].
            pub fn simple_hull(&self, budget: &mut Budget) -> Result<$union, Stop> {
                self.change(|m, budget| Ok($member::from_basic(m.clone().simple_hull(budget)?)), budget)
            }

            /// One basic member around each member, see the operation on members. Cost: nothing for
            /// one disjunct; otherwise a linear program for each constraint and disjunct
            /// \[Verdoolaege2010\].
            pub fn unshifted_simple_hull(&self, budget: &mut Budget) -> Result<$union, Stop> {
                self.change(|m, budget| Ok($member::from_basic(m.clone().unshifted_simple_hull(budget)?)), budget)
            }

            /// A box with constant bounds around each member.
            /// Cost: two linear programs for each dimension and disjunct \[DetlefsNelsonSaxe2005\].
            pub fn box_hull(&self, budget: &mut Budget) -> Result<$union, Stop> {
                self.change(|m, budget| Ok($member::from(m.box_hull(budget)?)), budget)
            }

            /// The part where a parameter has this value. Without such a parameter nothing changes.
            pub fn fix_param(&self, name: &str, value: impl Into<Int>) -> $union {
                let Some(i) = self.param_ids().iter().position(|p| p == name) else { return self.clone() };
                let value = value.into();
                self.map_members(|m| m.fix(DimKind::Param, i, &value))
            }

            /// Existential quantification of a parameter. Without such a parameter nothing changes.
            pub fn project_out_param(&self, name: &str) -> $union {
                let keep: Vec<_> = self.param_ids().iter().filter(|p| *p != name).cloned().collect();
                self.with_exact_params(&keep)
            }
        }
    };
}
union_solving!(UnionSet, Set);
union_solving!(UnionMap, Map);

impl UnionMap {
    /// The pairs whose domain element is not in a set.
    /// Cost: that of [`Map::subtract`].
    pub fn subtract_domain(&self, domain: &UnionSet, budget: &mut Budget) -> Result<UnionMap, Stop> {
        self.subtract(&self.intersect_domain(domain), budget)
    }

    /// The pairs whose range element is not in a set.
    /// Cost: that of [`Map::subtract`].
    pub fn subtract_range(&self, range: &UnionSet, budget: &mut Budget) -> Result<UnionMap, Stop> {
        self.subtract(&self.intersect_range(range), budget)
    }

    /// The member between two tuples, over the common parameters; empty if there is none.
    pub fn between(&self, domain: &Tuple, range: &Tuple) -> Map {
        self.extract(&crate::space::Space::map(self.param_ids().to_vec(), domain.clone(), range.clone()))
    }
}

impl Map {
    /// The pairs whose domain element is not in a set.
    /// Cost: that of [`Map::subtract`].
    pub fn subtract_domain(&self, domain: &Set, budget: &mut Budget) -> Result<Map, Stop> {
        self.subtract(&self.intersect_domain(domain), budget)
    }

    /// The pairs whose range element is not in a set.
    /// Cost: that of [`Map::subtract`].
    pub fn subtract_range(&self, range: &Set, budget: &mut Budget) -> Result<Map, Stop> {
        self.subtract(&self.intersect_range(range), budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn union(text: &str) -> UnionMap {
        text.parse().unwrap()
    }

    #[test]
    fn members_are_changed_one_by_one() {
        let b = &mut Budget::unlimited();
        let map = union("[n] -> { A[i] -> B[j] : 0 <= i <= 5 and i <= j <= i; B[i] -> A[] : 0 <= i <= n }");
        assert!(map.is_bounded(b).unwrap());
        assert!(!union("{ A[i] -> B[j] : j >= i }").is_bounded(b).unwrap());
        assert!(map.detect_equalities(b).unwrap().is_equal(&map, b).unwrap());
        assert!(
            map.box_hull(b)
                .unwrap()
                .is_equal(&union("[n] -> { A[i] -> B[j] : 0 <= i, j <= 5; B[i] -> A[] : i >= 0 }"), b)
                .unwrap()
        );
        let domain: UnionSet = "{ A[i] : i <= 3 }".parse().unwrap();
        let rest = union("[n] -> { A[i] -> B[i] : 4 <= i <= 5; B[i] -> A[] : 0 <= i <= n }");
        assert!(map.subtract_domain(&domain, b).unwrap().is_equal(&rest, b).unwrap());
        assert!(
            map.fix_param("n", -1).is_equal(&union("[n] -> { A[i] -> B[i] : 0 <= i <= 5 and n = -1 }"), b).unwrap()
        );
        let (member, point) = map.sample(b).unwrap().unwrap();
        assert!(member.contains(&point[..1], &point[1..]));
        assert!(rest.is_strict_subset(&map, b).unwrap());
    }

    #[test]
    fn samples_are_single_points() {
        let b = &mut Budget::unlimited();
        let map: Map = "[n] -> { [i] -> [j] : 2i = 3j + n and 5 <= i <= 9 }".parse().unwrap();
        let single = Map::from_basic(map.sample_map(b).unwrap());
        assert!(single.is_subset(&map, b).unwrap() && !single.is_empty(b).unwrap());
        assert_eq!(single.enumerate(&single.sample(b).unwrap().unwrap()[..1], b).unwrap().len(), 1);
        let none: Set = "{ [i] : 2i = 1 }".parse().unwrap();
        assert!(none.sample_set(b).unwrap().is_plainly_empty());
    }
}
