//! Pairs of dependent instances at one place of a schedule tree.
//!
//! # Definitions
//! A pair of a dependence *reaches* a place if both instances do, at equal time in everything above. The *distance* of a pair in a
//! function of the instances is its value at the sink minus its value at the source.
//!
//! # Invariants
//! Everything is exact, or `None`: functions that are not affine with integer coefficients (pieces, integer divisions) are not looked at.

use poly_arith::Int;
use poly_dependence::Dependence;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::solver::IntOptimum;
use poly_presburger::{DimKind, Map, Row, Space, Tuple, UnionPwAff, UnionSet};
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

impl Pairs {
    /// The pairs of the dependences that order their ends, both ends of which are statements given by name. Those of reductions, the order of which
    /// may have been changed, are there in both directions.
    pub fn of(dependences: &[Dependence], statements: &[&str]) -> Pairs {
        let known = |relation: &Map, kind| {
            let name = relation.space().tuple(kind).and_then(Tuple::name_str);
            name.is_some_and(|name| statements.contains(&name))
        };
        let relations = dependences
            .iter()
            .filter(|d| d.is_ordering() && known(&d.relation, DimKind::In) && known(&d.relation, DimKind::Out))
            .map(|d| if d.reduction { d.relation.union(&d.relation.reverse()) } else { d.relation.clone() });
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
            let Some(row) = distance(relation.space(), function) else { return Ok(None) };
            let equal = relation.with_eq(row);
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
            let Some(row) = distance(relation.space(), function) else { return Ok(None) };
            let mut backward: Row = row.iter().map(|x| -x).collect();
            backward[0] -= Int::ONE;
            if !relation.with_ineq(backward).is_empty(budget)? {
                return Ok(Some(Distances::Backward));
            }
            let mut forward = row;
            forward[0] -= Int::ONE;
            if result == Distances::Zero && !relation.with_ineq(forward).is_empty(budget)? {
                result = Distances::Forward;
            }
        }
        Ok(Some(result))
    }
}

/// The greatest value of an affine form over `[const | params | in | out]` on a relation; `None` if there is none.
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
    let mut row = vec![Int::ZERO; 1 + space.n_var()];
    for (kind, sink) in [(DimKind::In, false), (DimKind::Out, true)] {
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
