//! Distance and direction vectors.
//!
//! The *distance* of a pair of instances is the difference of their coordinates, sink minus source,
//! in the dimensions that both statements have. Where all pairs of a dependence agree it is a
//! number, otherwise its sign is what can be told.

use std::fmt;

use poly_arith::Int;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Map, Row, Space};

use crate::constraints::{negative, positive};
use crate::dependence::Dependence;

/// What is known of the distance in one dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Always this number.
    Exactly(Int),
    /// Different positive numbers.
    Positive,
    /// Zero and positive numbers.
    NonNegative,
    /// Different negative numbers.
    Negative,
    /// Zero and negative numbers.
    NonPositive,
    /// Numbers of both signs.
    Any,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Direction::Exactly(distance) => write!(f, "{distance}"),
            Direction::Positive => f.write_str("+"),
            Direction::NonNegative => f.write_str("0+"),
            Direction::Negative => f.write_str("-"),
            Direction::NonPositive => f.write_str("0-"),
            Direction::Any => f.write_str("*"),
        }
    }
}

impl Direction {
    /// The direction as compilers write it: how the source's coordinate compares with the sink's.
    pub fn symbol(&self) -> &'static str {
        match self {
            Direction::Exactly(distance) if distance.is_zero() => "=",
            Direction::Exactly(distance) if distance.is_neg() => ">",
            Direction::Exactly(_) | Direction::Positive => "<",
            Direction::NonNegative => "<=",
            Direction::Negative => ">",
            Direction::NonPositive => ">=",
            Direction::Any => "*",
        }
    }
}

/// Directions, outermost common dimension first. Printed like `(0, 1, +)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distance(pub Vec<Direction>);

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (i, direction) in self.0.iter().enumerate() {
            let separator = if i == 0 { "" } else { ", " };
            write!(f, "{separator}{direction}")?;
        }
        f.write_str(")")
    }
}

impl Distance {
    /// The signs alone. Printed like `(=, <, *)`.
    pub fn directions(&self) -> String {
        let symbols: Vec<&str> = self.0.iter().map(Direction::symbol).collect();
        format!("({})", symbols.join(", "))
    }
}

/// Which loops order the pairs of a dependence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Depth {
    /// The common loops that carry a pair, from 1 for the outermost: all outer ones are at equal
    /// values, this one is not.
    pub carried: Vec<usize>,
    /// There are pairs at equal values of all common loops.
    pub independent: bool,
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = self.carried.iter().map(usize::to_string).collect();
        if self.independent {
            parts.push("independent".to_string());
        }
        f.write_str(&parts.join(", "))
    }
}

impl Dependence {
    /// The loops that carry pairs, of the outermost `common` ones.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn depth(&self, common: usize, budget: &mut Budget) -> Result<Depth, Stop> {
        let space = self.relation.space();
        let mut equal = self.relation.clone();
        let mut carried = Vec::new();
        for dimension in 0..common {
            let row = difference(space, dimension);
            let apart = equal.intersect(&positive(space, row.clone()));
            let back = equal.intersect(&negative(space, row.clone()));
            if !apart.is_empty(budget)? || !back.is_empty(budget)? {
                carried.push(dimension + 1);
            }
            equal = equal.intersect(&crate::constraints::zero(space, row));
        }
        Ok(Depth { carried, independent: !equal.is_empty(budget)? })
    }

    /// The distance in the dimensions common to source and sink.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn distance(&self, budget: &mut Budget) -> Result<Distance, Stop> {
        let space = self.relation.space();
        let common = space.dim(DimKind::In).min(space.dim(DimKind::Out));
        (0..common).map(|d| direction(&self.relation, d, budget)).collect::<Result<_, _>>().map(Distance)
    }
}

/// Sink minus source in one dimension.
fn difference(space: &Space, dimension: usize) -> Row {
    let mut row: Row = vec![Int::ZERO; 1 + space.n_var()];
    row[space.offset(DimKind::In) + dimension] = Int::NEG_ONE;
    row[space.offset(DimKind::Out) + dimension] = Int::ONE;
    row
}

fn direction(relation: &Map, dimension: usize, budget: &mut Budget) -> Result<Direction, Stop> {
    let space = relation.space();
    let row = difference(space, dimension);
    if let Some(distance) = constant(relation, &row, budget)? {
        return Ok(Direction::Exactly(distance));
    }
    let forward = !relation.intersect(&positive(space, row.clone())).is_empty(budget)?;
    let backward = !relation.intersect(&negative(space, row.clone())).is_empty(budget)?;
    let equal = !relation.intersect(&crate::constraints::zero(space, row)).is_empty(budget)?;
    Ok(match (forward, equal, backward) {
        (true, false, false) => Direction::Positive,
        (true, true, false) => Direction::NonNegative,
        (false, false, true) => Direction::Negative,
        (false, true, true) => Direction::NonPositive,
        _ => Direction::Any,
    })
}

/// The value of an affine form when it is the same everywhere: that of a sample, if no other value
/// is taken.
fn constant(relation: &Map, row: &Row, budget: &mut Budget) -> Result<Option<Int>, Stop> {
    let Some(sample) = relation.sample(budget)? else { return Ok(None) };
    let value: Int = row[1..].iter().zip(&sample).map(|(a, x)| a * x).sum();
    let mut shifted = row.clone();
    shifted[0] = -&value;
    let space = relation.space();
    let above = relation.intersect(&positive(space, shifted.clone()));
    let below = relation.intersect(&negative(space, shifted));
    Ok((above.is_empty(budget)? && below.is_empty(budget)?).then_some(value))
}
