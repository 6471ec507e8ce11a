//! Transitive closures and powers.
//!
//! # Problem
//! `R+` relates `x` to `y` if a path of one or more steps of `R` leads from `x` to `y`; `R^k` if
//! one of exactly `k` steps does. The closure of an affine relation need not be affine, and whether
//! a given relation is the closure cannot be decided in general. What can be computed is an affine
//! relation that contains the closure, and often a proof that it is the closure.
//!
//! # Definitions
//! * Tuples get one more dimension, the *length* of a path: a step is `[x, l] -> [y, l + 1]`. A
//!   relation between such tuples that contains all paths, with lengths that rise by at least one,
//!   is a set of *paths* here.
//! * Two disjuncts of `R` are *connected* if a step of the one may be followed by a step of the
//!   other.
//!
//! # Algorithm
//! Following \[VerdoolaegeCohenBeletska2011\]:
//!
//! 1. Cut `R` into strongly connected components of its disjuncts. The paths of all components are
//!    those of the first ones in topological order, of the next one, and those that go from the
//!    first ones into the next one.
//! 2. For one component, [`along_differences`] makes paths of the differences `y - x` alone,
//!    between points of the domain and of the range. This contains all paths.
//! 3. Paths `P` are exact if `P` is contained in the union of `R` and `R` after `P`: by induction
//!    over the length, every pair of `P` is then a path.
//! 4. If they are not, and the closure of one disjunct `A` is exact, eliminate it: the paths of `A`
//!    and the rest `B` are those of `A`, and those of `A* B A*`, which is cut into components
//!    again. `(A + B)+ = A+ + (A* B A*)+` is an identity, so nothing is lost.
//! 5. Where lengths do not matter, and paths of up to some length connect all pairs that longer
//!    ones connect, these are the closure.
//! 6. What is not exact then is kept as it is and said to be larger.
//!
//! # Invariants
//! The result contains all paths. It is called exact only if it was proven to be.

mod differences;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use poly_arith::Int;

use crate::basic::BasicMap;
use crate::budget::{Budget, Stop};
use crate::map::Map;
use crate::set::Set;
use crate::space::{DimKind, Space, Tuple};
use crate::trace;
use crate::union::UnionMap;
use differences::along_differences;

/// Disjuncts of a component are eliminated one inside the other up to this depth.
const MAX_DEPTH: usize = 3;

/// Paths of up to `2^n` steps are tried where there is no other proof.
const MAX_DOUBLINGS: usize = 3;

/// Components of more disjuncts are not looked at disjunct by disjunct.
const MAX_DISJUNCTS: usize = 24;

/// How well a result is known that need not be affine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exactness {
    /// The result is what was asked for.
    Exact,
    /// The result contains what was asked for; whether it contains more is not known.
    Larger,
}

impl Exactness {
    /// Whether the result is known to be what was asked for.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self == Exactness::Exact
    }

    /// What is known of a result made of two others.
    fn and(self, other: Exactness) -> Exactness {
        if self.is_exact() { other } else { self }
    }
}

/// A set or relation that contains what was asked for, and whether it is just that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Containing<T> {
    /// The set or relation.
    pub value: T,
    /// Whether it contains more.
    pub exactness: Exactness,
}

impl<T> Containing<T> {
    fn exact(value: T) -> Containing<T> {
        Containing { value, exactness: Exactness::Exact }
    }

    fn try_map<S>(self, f: impl FnOnce(T) -> Result<S, Stop>) -> Result<Containing<S>, Stop> {
        Ok(Containing { value: f(self.value)?, exactness: self.exactness })
    }
}

impl Map {
    /// The pairs that are connected by one or more steps of the relation.
    ///
    /// ```
    /// # use poly_presburger::{Budget, Map};
    /// let step: Map = "[n] -> { [i] -> [i + 2] : 0 <= i < n }".parse()?;
    /// let closure = step.transitive_closure(&mut Budget::unlimited()).unwrap();
    /// assert!(closure.exactness.is_exact());
    /// let expected: Map = "[n] -> { [i] -> [j] : 0 <= i < j <= n + 1 and (j - i) mod 2 = 0 }".parse()?;
    /// assert!(closure.value.is_equal(&expected, &mut Budget::unlimited()).unwrap());
    /// # Ok::<(), poly_presburger::ParseError>(())
    /// ```
    ///
    /// Cost: that of [`Map::compute_divs`], [`Map::is_subset`] and [`Map::coalesce`] on relations
    /// with two more dimensions, some for each disjunct.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn transitive_closure(&self, budget: &mut Budget) -> Result<Containing<Map>, Stop> {
        let _running = trace::operation("transitive_closure", &[self]);
        if !self.has_equal_ends() {
            return Ok(Containing::exact(self.clone()));
        }
        let paths = paths(&lengthened(self), budget)?;
        if !paths.exactness.is_exact()
            && let Some(all) = saturated(self, budget)?
        {
            return Ok(Containing::exact(all));
        }
        paths.try_map(|paths| simpler(without_lengths(&paths, self.space()), budget))
    }

    /// `[k] -> [x -> y]` for all `x` and `y` that are connected by `k` steps of the relation, for
    /// `k` from 1 on. Cost: that of [`Map::transitive_closure`].
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn power(&self, budget: &mut Budget) -> Result<Containing<Map>, Stop> {
        let _running = trace::operation("power", &[self]);
        let paths = match self.has_equal_ends() {
            true => paths(&lengthened(self), budget)?,
            false => Containing::exact(lengthened(self)),
        };
        paths.try_map(|paths| simpler(with_length_first(&paths, self.space()), budget))
    }

    /// The numbers of steps of the relation that connect some pair, as `{ [k] }`.
    /// Cost: that of [`Map::transitive_closure`].
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn reaching_path_lengths(&self, budget: &mut Budget) -> Result<Containing<Set>, Stop> {
        let power = self.power(budget)?;
        power.try_map(|power| Ok(Set::from_map(simpler(Map::clone(&power.domain()), budget)?)))
    }

    /// The pairs that are connected by exactly so many steps of the relation, exactly; negative
    /// numbers go backwards. Cost: compositions, about two for each binary digit of the number.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    ///
    /// # Panics
    /// If no step is asked for and the tuples differ: there is no identity relation then.
    pub fn fixed_power(&self, exponent: i64, budget: &mut Budget) -> Result<Map, Stop> {
        let _running = trace::operation("fixed_power", &[self]);
        let mut square = if exponent < 0 { self.reverse() } else { self.clone() };
        let mut left = exponent.unsigned_abs();
        let mut result = (left == 0).then(|| Map::identity(self.space()));
        if left > 1 && !self.has_equal_ends() {
            return Ok(Map::empty(square.space().clone()));
        }
        while left > 0 {
            if left & 1 == 1 {
                result = Some(match result {
                    Some(result) => composed(&result, &square, budget)?,
                    None => square.clone(),
                });
            }
            left >>= 1;
            if left > 0 {
                square = composed(&square, &square, budget)?;
            }
        }
        Ok(result.expect("a power has no or some factors"))
    }

    /// Whether a step may be followed by another one.
    fn has_equal_ends(&self) -> bool {
        assert!(self.space().is_map(), "{} is not the space of a relation", self.space());
        self.space().tuple_is_equal(DimKind::In, self.space(), DimKind::Out)
    }
}

impl UnionMap {
    /// The pairs that are connected by one or more steps, also across spaces.
    ///
    /// The spaces are eliminated one after the other \[Warshall1962\]: between two others lead the
    /// paths that there are, and those that enter the space, stay in it for a while and leave it.
    /// Cost: that of [`Map::transitive_closure`] for every space, and compositions for every pair
    /// of others.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn transitive_closure(&self, budget: &mut Budget) -> Result<Containing<UnionMap>, Stop> {
        let mut tuples: Vec<Tuple> = Vec::new();
        for map in self.iter() {
            for kind in [DimKind::In, DimKind::Out] {
                let tuple = map.space().tuple(kind).expect("a relation has both tuples");
                if !tuples.contains(tuple) {
                    tuples.push(tuple.clone());
                }
            }
        }
        let mut known = self.clone();
        let mut exactness = Exactness::Exact;
        for tuple in &tuples {
            let params = known.param_ids().to_vec();
            let at = Space::map(params.clone(), tuple.clone(), tuple.clone());
            let within = known.extract(&at).transitive_closure(budget)?;
            exactness = exactness.and(within.exactness);
            let stay = within.value.union(&Map::identity(&at));
            let ends_at = |kind| known.filter(|map| map.space().tuple(kind) == Some(tuple));
            let (enter, leave) = (ends_at(DimKind::Out), ends_at(DimKind::In));
            let mut next = known.clone();
            for first in enter.iter() {
                let until = composed(first, &stay, budget)?;
                for last in leave.iter() {
                    next = next.union(&UnionMap::from_members([composed(&until, last, budget)?]));
                }
            }
            next = next.union(&UnionMap::from_members([within.value]));
            known = next.coalesce(budget)?;
        }
        Ok(Containing { value: known.filter(|map| !map.plain_is_empty()), exactness })
    }
}

/// The steps, with their length, between anonymous tuples.
fn lengthened(map: &Map) -> Map {
    let flat = |map: Map, kind: DimKind| {
        let n = map.dim(kind);
        map.set_tuple(kind, Tuple::anonymous(n))
    };
    let flat = flat(flat(map.clone(), DimKind::In), DimKind::Out);
    let one = Map::translation(&Space::set(map.space().params.clone(), Tuple::anonymous(1)), &[Int::ONE]);
    flat.flat_product(&one)
}

/// The pairs of paths of any length.
fn without_lengths(paths: &Map, space: &Space) -> Map {
    let n = space.dim(DimKind::In);
    let ends = paths.project_out(DimKind::In, n, 1).project_out(DimKind::Out, n, 1);
    ends.with_space(space.with_params(paths.space().params.clone()))
}

/// `[k] -> [x -> y]` for all paths of length `k`.
fn with_length_first(paths: &Map, space: &Space) -> Map {
    let (n_in, n_out) = (space.dim(DimKind::In), space.dim(DimKind::Out));
    let [domain, range] = [DimKind::In, DimKind::Out].map(|kind| space.tuple(kind).expect("both tuples").clone());
    let space = Space::map(paths.space().params.clone(), Tuple::anonymous(1), Tuple::wrapping(domain, range));
    let from_zero = paths.fix(DimKind::In, n_in, 0).project_out(DimKind::In, n_in, 1);
    let base = space.offset(DimKind::In);
    let columns: Vec<usize> = (0..base).chain(base + 1..=base + n_in + n_out).chain([base]).collect();
    let shared = Arc::new(space.clone());
    from_zero.lift(space, |basic: &BasicMap| basic.relayout_vars(Arc::clone(&shared), columns.clone()))
}

/// The same relation without existentials of which nothing is known, in few disjuncts.
fn simpler(map: Map, budget: &mut Budget) -> Result<Map, Stop> {
    map.compute_divs(budget)?.remove_empty_parts(budget)?.coalesce(budget)?.remove_redundancies(budget)
}

/// The composition, simplified.
fn composed(first: &Map, then: &Map, budget: &mut Budget) -> Result<Map, Stop> {
    first.charge_intersection(then, budget)?;
    simpler(first.apply_range(then), budget)
}

/// Paths of steps with lengths: component by component.
fn paths(steps: &Map, budget: &mut Budget) -> Result<Containing<Map>, Stop> {
    paths_at_depth(steps, 0, budget)
}

fn paths_at_depth(steps: &Map, depth: usize, budget: &mut Budget) -> Result<Containing<Map>, Stop> {
    let steps = simpler(steps.clone(), budget)?;
    let mut result = Containing::exact(Map::empty(steps.space().clone()));
    for component in components(&steps, budget)? {
        let own = paths_of_component(&component, depth, budget)?;
        let entered = composed(&result.value, &own.value, budget)?;
        let all = result.value.union(&own.value).union(&entered);
        result = Containing { value: simpler(all, budget)?, exactness: result.exactness.and(own.exactness) };
    }
    Ok(result)
}

/// All pairs that are connected, if those that few steps connect are all.
fn saturated(step: &Map, budget: &mut Budget) -> Result<Option<Map>, Stop> {
    let mut known = simpler(step.clone(), budget)?;
    for _ in 0..MAX_DOUBLINGS {
        if known.n_basic() > MAX_DISJUNCTS {
            return Ok(None);
        }
        let longer = composed(&known, &known, budget)?;
        if longer.is_subset(&known, budget)? {
            return Ok(Some(known));
        }
        known = simpler(known.union(&longer), budget)?;
    }
    Ok(None)
}

/// Some disjuncts; a path may begin with any of them and go on with any of them.
struct Component {
    steps: Map,
    /// Whether a step may be followed by one of the same component.
    is_cyclic: bool,
}

/// The strongly connected components of the disjuncts, in topological order.
fn components(steps: &Map, budget: &mut Budget) -> Result<Vec<Component>, Stop> {
    let n = steps.n_basic();
    if n > MAX_DISJUNCTS {
        return Ok(vec![Component { steps: steps.clone(), is_cyclic: true }]);
    }
    let single = |i: usize| Map::from_basic(Arc::clone(&steps.basics()[i]));
    let mut reaches = vec![vec![false; n]; n];
    for (i, row) in reaches.iter_mut().enumerate() {
        for (j, follows) in row.iter_mut().enumerate() {
            let (first, then) = (single(i), single(j));
            first.charge_intersection(&then, budget)?;
            *follows = !first.apply_range(&then).is_empty(budget)?;
        }
    }
    for via in 0..n {
        let onward = reaches[via].clone();
        for row in reaches.iter_mut().filter(|row| row[via]) {
            row.iter_mut().zip(&onward).for_each(|(reached, &next)| *reached |= next);
        }
    }
    // A disjunct comes before those that it reaches: they are reached from more.
    let reached_from = |i: usize| (0..n).filter(|&j| reaches[j][i]).count();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&i| (reached_from(i), i));
    let mut result: Vec<(usize, Component)> = Vec::new();
    for i in order {
        match result.iter_mut().find(|(first, _)| reaches[*first][i] && reaches[i][*first]) {
            Some((_, component)) => component.steps = component.steps.union(&single(i)),
            None => result.push((i, Component { steps: single(i), is_cyclic: reaches[i][i] })),
        }
    }
    Ok(result.into_iter().map(|(_, component)| component).collect())
}

fn paths_of_component(component: &Component, depth: usize, budget: &mut Budget) -> Result<Containing<Map>, Stop> {
    let steps = &component.steps;
    if !component.is_cyclic {
        return Ok(Containing::exact(steps.clone()));
    }
    let direct = direct(steps, budget)?;
    if direct.exactness.is_exact() || depth == MAX_DEPTH {
        return Ok(direct);
    }
    Ok(eliminated(steps, depth, budget)?.map_or(direct, Containing::exact))
}

/// Paths by the differences of steps, and whether they are exact.
fn direct(steps: &Map, budget: &mut Budget) -> Result<Containing<Map>, Stop> {
    let value = along_differences(steps, budget)?;
    let longer = composed(&value, steps, budget)?;
    let is_exact = value.is_subset(&steps.union(&longer), budget)?;
    Ok(Containing { value, exactness: if is_exact { Exactness::Exact } else { Exactness::Larger } })
}

/// The exact paths with one disjunct eliminated whose closure is exact, if there is one.
fn eliminated(steps: &Map, depth: usize, budget: &mut Budget) -> Result<Option<Map>, Stop> {
    let n = steps.n_basic();
    if !(2..=MAX_DISJUNCTS).contains(&n) {
        return Ok(None);
    }
    for i in 0..n {
        let of = |keep: &dyn Fn(usize) -> bool| {
            let kept = steps.basics().iter().enumerate().filter(|(j, _)| keep(*j)).map(|(_, basic)| Arc::clone(basic));
            Map::from_basics(steps.space().clone(), kept.collect())
        };
        let (one, others) = (of(&|j| j == i), of(&|j| j != i));
        let own = direct(&one, budget)?;
        if !own.exactness.is_exact() {
            continue;
        }
        let star = own.value.union(&Map::identity(steps.space()));
        let around = composed(&composed(&star, &others, budget)?, &star, budget)?;
        let rest = paths_at_depth(&around, depth + 1, budget)?;
        if rest.exactness.is_exact() {
            return Ok(Some(simpler(own.value.union(&rest.value), budget)?));
        }
    }
    Ok(None)
}
