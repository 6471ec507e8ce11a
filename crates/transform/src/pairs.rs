//! Pairs of dependent instances at one place of a schedule tree.
//!
//! # Definitions
//! A pair of a dependence *reaches* a place if both instances do, at equal time in everything
//! above. The *distance* of a pair in a function of the instances is its value at the sink minus
//! its value at the source.
//!
//! # Method
//! For affine functions with integer coefficients a sign of the distance is one constraint on the
//! pair. For all others (pieces, integer divisions) the function is a relation from instances to
//! values, which is composed with the order of values.
//!
//! # Invariants
//! Everything is exact, or `None` where a function is not defined for the statements of a pair.

use poly_arith::Int;
use poly_dependence::Dependence;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::solver::IntOptimum;
use poly_presburger::{Aff, DimKind, Map, MultiAff, PwAff, Row, Space, Tuple, UnionPwAff, UnionSet};
use poly_schedule_tree::Band;

/// The pairs that reach a place.
#[derive(Clone, Debug)]
pub struct Pairs {
    relations: Vec<Map>,
}

/// What distances pairs have in a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distances {
    /// All of them are zero.
    Zero,
    /// Some are positive, none is negative.
    Forward,
    /// Some are negative.
    Backward,
}

/// The sign of a distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The sink comes earlier.
    Negative,
    /// Both are at the same time.
    Zero,
    /// The sink comes later.
    Positive,
}

/// The pairs of a relation whose distance in a function has a sign; `None` if the function is not
/// defined for their statements.
pub fn with_sign(relation: &Map, function: &UnionPwAff, sign: Sign) -> Option<Map> {
    let space = relation.space();
    if let Some(mut row) = distance(space, function) {
        if sign == Sign::Zero {
            return Some(relation.with_eq(row));
        }
        if sign == Sign::Negative {
            row = row.iter().map(|x| -x).collect();
        }
        row[0] -= Int::ONE;
        return Some(relation.with_ineq(row));
    }
    let from = value_map(function.get(space.tuple(DimKind::In)?)?);
    let to = value_map(function.get(space.tuple(DimKind::Out)?)?);
    let values = Space::set(Vec::new(), Tuple::anonymous(1));
    let order = match sign {
        Sign::Negative => Map::lex_gt(&values),
        Sign::Zero => Map::identity(&values),
        Sign::Positive => Map::lex_lt(&values),
    };
    Some(relation.intersect(&from.apply_range(&order).apply_range(&to.reverse())))
}

/// The pairs of a relation with distance zero in all functions that are defined for their
/// statements; `None` if there are none.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn agreeing<'a>(
    relation: &Map,
    functions: impl IntoIterator<Item = &'a UnionPwAff>,
    budget: &mut Budget,
) -> Result<Option<Map>, Stop> {
    let mut pairs = relation.clone();
    for function in functions {
        let Some(equal) = with_sign(&pairs, function, Sign::Zero) else { continue };
        pairs = equal;
        if pairs.is_empty(budget)? {
            return Ok(None);
        }
    }
    Ok((!pairs.is_empty(budget)?).then_some(pairs))
}

/// A schedule function as a relation to a one-dimensional space.
pub fn value_map(function: &PwAff) -> Map {
    let space = function.domain_space();
    let parts = function.pieces().iter().map(|(domain, aff)| {
        MultiAff::into_tuple(space, Tuple::anonymous(1), vec![aff.clone()]).to_map().intersect_domain(domain)
    });
    let target = Space::from_domain_and_range(space, &Space::set(space.params.clone(), Tuple::anonymous(1)));
    parts.fold(Map::empty(target), |all, part| all.union(&part))
}

impl Pairs {
    /// The pairs of the dependences that order their ends, both ends of which are statements given
    /// by name. Those of reductions and conditional ones, the order of which may have been changed,
    /// are there in both directions.
    pub fn of(dependences: &[Dependence], statements: &[&str]) -> Pairs {
        let known = |relation: &Map, kind| {
            let name = relation.space().tuple(kind).and_then(Tuple::name_str);
            name.is_some_and(|name| statements.contains(&name))
        };
        let relations = dependences
            .iter()
            .filter(|d| d.is_ordering() && known(&d.relation, DimKind::In) && known(&d.relation, DimKind::Out))
            .flat_map(|d| {
                let backward = (d.reduction || d.conditional).then(|| d.relation.reverse());
                std::iter::once(d.relation.clone()).chain(backward)
            });
        Pairs { relations: relations.collect() }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.relations.is_empty()
    }

    /// The relations, each of them not empty.
    pub fn relations(&self) -> &[Map] {
        &self.relations
    }

    /// The pairs with distance zero in a function.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn equal(&self, function: &UnionPwAff, budget: &mut Budget) -> Result<Option<Pairs>, Stop> {
        let mut relations = Vec::new();
        for relation in &self.relations {
            let Some(equal) = with_sign(relation, function, Sign::Zero) else { return Ok(None) };
            if !equal.is_empty(budget)? {
                relations.push(equal);
            }
        }
        Ok(Some(Pairs { relations }))
    }

    /// The pairs with distance zero in all members of a band but one.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn equal_but(&self, band: &Band, but: Option<usize>, budget: &mut Budget) -> Result<Option<Pairs>, Stop> {
        let mut result = self.clone();
        for (member, function) in band.schedule.members().iter().enumerate() {
            if Some(member) != but {
                let Some(equal) = result.equal(function, budget)? else { return Ok(None) };
                result = equal;
            }
        }
        Ok(Some(result))
    }

    /// The pairs both ends of which are in one of the sets.
    pub fn within(&self, filter: &UnionSet) -> Pairs {
        let inside =
            |relation: &&Map, kind| relation.space().tuple(kind).is_some_and(|t| filter.get_tuple(t).is_some());
        let kept = self.relations.iter().filter(|r| inside(r, DimKind::In) && inside(r, DimKind::Out));
        Pairs { relations: kept.cloned().collect() }
    }

    /// The signs of the distances in a function.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn distances(&self, function: &UnionPwAff, budget: &mut Budget) -> Result<Option<Distances>, Stop> {
        let mut result = Distances::Zero;
        for relation in &self.relations {
            let Some(backward) = with_sign(relation, function, Sign::Negative) else { return Ok(None) };
            if !backward.is_empty(budget)? {
                return Ok(Some(Distances::Backward));
            }
            if result == Distances::Forward {
                continue;
            }
            let Some(forward) = with_sign(relation, function, Sign::Positive) else { return Ok(None) };
            if !forward.is_empty(budget)? {
                result = Distances::Forward;
            }
        }
        Ok(Some(result))
    }

    /// The largest amount by which the first function's value at the source exceeds the second
    /// function's value at the sink, over all pairs with a positive distance in the first one;
    /// `None` if there is no such pair, no limit, or no way to tell.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn lag(&self, first: &UnionPwAff, second: &UnionPwAff, budget: &mut Budget) -> Result<Option<Int>, Stop> {
        let mut lag: Option<Int> = None;
        for relation in &self.relations {
            let Some(forward) = with_sign(relation, first, Sign::Positive) else { return Ok(None) };
            if forward.is_empty(budget)? {
                continue;
            }
            let Some(row) = difference(forward.space(), first, second) else { return Ok(None) };
            let row: Row = row.iter().map(|x| -x).collect();
            let Some(most) = greatest(&forward, &row, budget)? else { return Ok(None) };
            lag = Some(lag.map_or(most.clone(), |known| known.max(most)));
        }
        Ok(lag)
    }

    /// The first member of a band in which some pair goes backwards; `None` if there is none: for
    /// these pairs the members may be interchanged, tiled and added to each other. A member that is
    /// not defined for all statements counts as one that goes backwards.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn goes_back_in(&self, band: &Band, budget: &mut Budget) -> Result<Option<usize>, Stop> {
        for (member, function) in band.schedule.members().iter().enumerate() {
            // Quotients grow with what is divided: where that has no negative distances, they have
            // none either.
            let dividend = match dividend(function) {
                Some(dividend) => self.distances(&dividend, budget)?,
                None => None,
            };
            if !matches!(dividend, Some(Distances::Zero | Distances::Forward))
                && !matches!(self.distances(function, budget)?, Some(Distances::Zero | Distances::Forward))
            {
                return Ok(Some(member));
            }
        }
        Ok(None)
    }
}

/// With `floor(f / d)` given, `f`; `None` if the function has another form, or not the same `d` for
/// all statements.
pub(crate) fn dividend(function: &UnionPwAff) -> Option<UnionPwAff> {
    let mut divisor: Option<&Int> = None;
    let mut result = UnionPwAff::empty(function.param_ids().to_vec());
    for quotient in function.iter() {
        let aff = quotient.single_aff()?;
        let [div] = aff.divs() else { return None };
        let (last, before) = aff.row().split_last()?;
        let is_quotient = aff.denom().is_one() && last.is_one() && before.iter().all(Int::is_zero);
        if !is_quotient || divisor.is_some_and(|known| *known != div.denom) {
            return None;
        }
        divisor = Some(&div.denom);
        let row = div.num[..before.len()].to_vec();
        let aff = Aff::from_row(quotient.domain_space().clone(), row, Int::ONE);
        result.add(PwAff::new(quotient.domain(), aff));
    }
    Some(result)
}

/// The greatest value of an affine form over `[const | params | in | out]` on a relation; `None` if
/// there is none.
pub(crate) fn greatest(relation: &Map, form: &Row, budget: &mut Budget) -> Result<Option<Int>, Stop> {
    let mut result: Option<Int> = None;
    for basic in relation.basics() {
        let mut row = form.clone();
        row.resize(basic.n_col(), Int::ZERO);
        match basic.int_max(&row, budget)? {
            IntOptimum::Empty => {}
            IntOptimum::Unbounded => return Ok(None),
            IntOptimum::Bounded(value) => result = Some(result.map_or(value.clone(), |best| best.max(value))),
        }
    }
    Ok(result)
}

/// The distance in a function as an affine form over `[const | params | in | out]`.
pub(crate) fn distance(space: &Space, function: &UnionPwAff) -> Option<Row> {
    difference(space, function, function)
}

/// The value of a function at the sink, less that of another one at the source, as an affine form
/// over `[const | params | in | out]`.
fn difference(space: &Space, at_source: &UnionPwAff, at_sink: &UnionPwAff) -> Option<Row> {
    let mut row = vec![Int::ZERO; 1 + space.n_var()];
    for (kind, function, sink) in [(DimKind::In, at_source, false), (DimKind::Out, at_sink, true)] {
        let aff = function.get(space.tuple(kind)?)?.single_aff()?;
        if !aff.is_integral_affine() {
            return None;
        }
        let mut add = |column: usize, value: &Int| {
            if sink {
                row[column] += value;
            } else {
                row[column] -= value;
            }
        };
        add(0, &aff.row()[0]);
        let from = aff.domain_space();
        for (position, name) in from.params.iter().enumerate() {
            let value = &aff.row()[1 + position];
            if !value.is_zero() {
                add(1 + space.find_param(name.as_str())?, value);
            }
        }
        let (source, target) = (from.offset(DimKind::Out), space.offset(kind));
        for d in 0..space.dim(kind) {
            add(target + d, &aff.row()[source + d]);
        }
    }
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::tests::{band, dependence};
    use poly_dependence::DependenceKind;

    fn function(text: &str) -> UnionPwAff {
        text.parse().expect("the function can be read")
    }

    /// Updates of `x[t]`, for each `i` one.
    fn updates() -> Dependence {
        let relation = "[n] -> { S[t, i] -> S[t, k] : 0 <= t < n and 0 <= i < k < n }";
        Dependence { reduction: true, ..dependence(relation) }
    }

    fn distances(pairs: &Pairs, text: &str) -> Option<Distances> {
        pairs.distances(&function(text), &mut Budget::unlimited()).expect("no limit")
    }

    #[test]
    fn what_may_be_in_any_order_is_there_both_ways() {
        let ordered = Dependence { reduction: false, ..updates() };
        let conditional = Dependence { conditional: true, kind: DependenceKind::Output, ..ordered.clone() };
        for (dependence, expected) in
            [(ordered, Distances::Forward), (updates(), Distances::Backward), (conditional, Distances::Backward)]
        {
            let pairs = Pairs::of(&[dependence], &["S"]);
            assert_eq!(distances(&pairs, "{ S[t, i] -> [(t)] }"), Some(Distances::Zero));
            assert_eq!(distances(&pairs, "{ S[t, i] -> [(i)] }"), Some(expected));
            assert_eq!(distances(&pairs, "{ S[t, i] -> [(-i)] }"), Some(Distances::Backward));
            // Pieces and divisions are relations to values.
            assert_eq!(distances(&pairs, "{ S[t, i] -> [(floor(i/4))] }"), Some(expected));
            assert_eq!(distances(&pairs, "{ S[t, i] -> [(floor(t/4))] }"), Some(Distances::Zero));
        }
    }

    #[test]
    fn members_that_updates_go_along_are_not_permutable() {
        let (rows, both) = (band(&["t"]), band(&["t", "t + i"]));
        let back = |pairs: &Pairs, band: &Band| pairs.goes_back_in(band, &mut Budget::unlimited()).expect("no limit");
        let (free, ordered) = (updates(), Dependence { reduction: false, ..updates() });
        let (free, ordered) = (Pairs::of(&[free], &["S"]), Pairs::of(&[ordered], &["S"]));
        assert_eq!((back(&free, &rows), back(&free, &both)), (None, Some(1)));
        assert_eq!((back(&ordered, &rows), back(&ordered, &both)), (None, None));
        // Between equal sums of t and i there are none: t is the same in all pairs.
        let on_diagonals = free.equal_but(&both, Some(0), &mut Budget::unlimited()).expect("no limit");
        assert!(on_diagonals.expect("the members are defined").is_empty());
    }

    #[test]
    fn only_pairs_of_the_given_statements_that_order_them_count() {
        let between = dependence("{ S[i] -> T[i] : 0 <= i < 9 }");
        let input = Dependence { kind: DependenceKind::Input, ..dependence("{ S[i] -> S[k] : 0 <= i < k < 9 }") };
        let all = [between, input];
        assert_eq!(Pairs::of(&all, &["S", "T"]).relations().len(), 1);
        assert!(Pairs::of(&all, &["S"]).is_empty());
        assert!(Pairs::of(&all, &["T"]).is_empty());
        let pairs = Pairs::of(&all, &["S", "T"]);
        assert_eq!(distances(&pairs, "{ S[i] -> [(i)]; T[i] -> [(i + 1)] }"), Some(Distances::Forward));
        assert_eq!(distances(&pairs, "{ S[i] -> [(i)] }"), None);
    }

    #[test]
    fn the_lag_of_a_function_is_that_behind_what_moves_forward() {
        let lag = |relation: &str| {
            let pairs = Pairs::of(&[dependence(relation)], &["S"]);
            let (first, second) = (function("{ S[t, i] -> [(i)] }"), function("{ S[t, i] -> [(t)] }"));
            pairs.lag(&first, &second, &mut Budget::unlimited()).expect("no limit").and_then(|lag| lag.to_i64())
        };
        assert_eq!(lag("[n] -> { S[t, i = t] -> S[t, j] : 0 <= t < j < n }"), Some(0));
        assert_eq!(lag("[n] -> { S[t, i] -> S[u, j] : 0 <= t < u < j < n and t <= i <= u + 3 and i < j }"), Some(3));
        assert_eq!(lag("[n] -> { S[t, i] -> S[t + 1, i + 1] : 0 <= t, i < n }"), None, "no limit");
        assert_eq!(lag("[n] -> { S[t, i] -> S[t + 1, i] : 0 <= t, i < n }"), None, "nothing moves forward");
    }
}
