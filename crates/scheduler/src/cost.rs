//! Costs that a user gives for the coefficients of schedule dimensions, as in PolyTOPS
//! \[Consolaro2024\].
//!
//! A cost is a sum of weights times the absolute values of coefficients; constants have weights,
//! too. Each is one more variable of the integer program of a schedule dimension
//! ([`crate::layout`]), minimized before the distances of dependences or after them, in the order
//! in which the costs are given. They say nothing about which rows are legal.

use poly_presburger::Id;

/// When a cost counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CostOrder {
    /// Before the distances of dependences.
    First,
    /// Among rows with equal distances.
    AfterDistances,
}

/// A coefficient of the row of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Coefficient {
    /// Of an iterator.
    Iterator(usize),
    /// The constant, which is not negative.
    Constant,
}

/// A cost of a schedule dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "operands do not change: the value is all that there is"]
pub struct Cost {
    order: CostOrder,
    terms: Vec<(Id, Coefficient, u32)>,
}

/// A cost with the numbers of its statements.
#[derive(Clone, Debug)]
pub(crate) struct NumberedCost {
    pub(crate) order: CostOrder,
    /// Statement, coefficient and weight.
    pub(crate) terms: Vec<(usize, Coefficient, u32)>,
}

impl Cost {
    /// No cost at all.
    pub fn new(order: CostOrder) -> Cost {
        Cost { order, terms: Vec::new() }
    }

    /// With `weight` times the absolute value of the coefficient of an iterator.
    pub fn with_iterator(mut self, statement: impl Into<Id>, iterator: usize, weight: u32) -> Cost {
        self.terms.push((statement.into(), Coefficient::Iterator(iterator), weight));
        self
    }

    /// With `weight` times the constant, which is not negative.
    pub fn with_constant(mut self, statement: impl Into<Id>, weight: u32) -> Cost {
        self.terms.push((statement.into(), Coefficient::Constant, weight));
        self
    }

    /// The cost with numbers in the place of names; the name of a statement that `number` does not
    /// find with that iterator, if there is one.
    pub(crate) fn numbered(&self, number: impl Fn(&Id, Option<usize>) -> Option<usize>) -> Result<NumberedCost, Id> {
        let mut terms = Vec::with_capacity(self.terms.len());
        for (name, coefficient, weight) in &self.terms {
            let iterator = match coefficient {
                Coefficient::Iterator(i) => Some(*i),
                Coefficient::Constant => None,
            };
            let found = number(name, iterator);
            terms.push((found.ok_or_else(|| name.clone())?, *coefficient, *weight));
        }
        Ok(NumberedCost { order: self.order, terms })
    }
}
