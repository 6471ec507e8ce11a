//! Execution of reductions and systems, for tests: values by name, answers by point.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_presburger::{Budget, SolveError};

use crate::{AnswerId, Equation, Factor, LeafId, Operator, Reduction, Source, System, Term};

/// The values of leaves.
pub trait Leaves {
    /// The value of a leaf at a place.
    fn value(&self, leaf: LeafId, at: &[Int]) -> i64;
}

impl<F: Fn(LeafId, &[Int]) -> i64> Leaves for F {
    fn value(&self, leaf: LeafId, at: &[Int]) -> i64 {
        self(leaf, at)
    }
}

/// Answers by point.
type Answers = BTreeMap<Vec<Int>, i64>;

struct Machine<'a> {
    leaves: &'a dyn Leaves,
    params: &'a [Int],
    operator: Operator,
    times: Operator,
    answers: BTreeMap<AnswerId, Answers>,
    operations: u64,
}

/// The answers of a reduction as it is written, and the operations that this takes.
///
/// # Errors
/// If a domain is not bounded, or the budget runs out.
pub fn evaluate(
    reduction: &Reduction,
    params: &[Int],
    leaves: &dyn Leaves,
    budget: &mut Budget,
) -> Result<(BTreeMap<Vec<Int>, i64>, u64), SolveError> {
    let Reduction { operator, times, .. } = *reduction;
    let mut machine = Machine { leaves, params, operator, times, answers: BTreeMap::new(), operations: 0 };
    let answers = machine.collect(&[crate::count::direct(reduction)], budget)?;
    Ok((answers, machine.operations))
}

impl System {
    /// The answers of the last equation, and the operations that all of them take.
    ///
    /// # Errors
    /// If a domain is not bounded, or the budget runs out.
    pub fn evaluate(
        &self,
        params: &[Int],
        leaves: &dyn Leaves,
        budget: &mut Budget,
    ) -> Result<(BTreeMap<Vec<Int>, i64>, u64), SolveError> {
        let (operator, times) = (self.operator, self.times);
        let mut machine = Machine { leaves, params, operator, times, answers: BTreeMap::new(), operations: 0 };
        let mut last = AnswerId(0);
        for equation in &self.equations {
            let answers = machine.solve(equation, budget)?;
            last = equation.answer;
            machine.answers.insert(last, answers);
        }
        Ok((machine.answers.remove(&last).unwrap_or_default(), machine.operations))
    }
}

impl Machine<'_> {
    /// The answers of one equation: those that need no other one first.
    fn solve(&mut self, equation: &Equation, budget: &mut Budget) -> Result<Answers, SolveError> {
        let is_carry = |term: &&Term| term.factors.iter().any(|factor| factor.source == Source::Itself);
        let (carries, others): (Vec<&Term>, Vec<&Term>) = equation.terms.iter().partition(is_carry);
        let (outgoing, incoming): (Vec<Term>, Vec<Term>) = others.into_iter().cloned().partition(|term| term.inverse);
        let mut incoming = self.collect(&incoming, budget)?;
        let mut outgoing = self.values(&outgoing, budget)?;
        let mut neighbours: BTreeMap<Vec<Int>, Vec<Int>> = BTreeMap::new();
        for term in carries {
            for point in term.domain.enumerate(self.params, budget)? {
                let neighbour = term.factors[0].access.eval(self.params, &point);
                neighbours.insert(point, neighbour);
            }
        }
        let mut answers = Answers::new();
        let mut waiting: Vec<Vec<Int>> = incoming
            .keys()
            .chain(neighbours.keys())
            .cloned()
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect();
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut still = Vec::new();
            for z in waiting {
                let neighbour = match neighbours.get(&z) {
                    Some(neighbour) => match answers.get(neighbour) {
                        Some(value) => Some(*value),
                        None => {
                            still.push(z);
                            continue;
                        }
                    },
                    None => None,
                };
                let mut value = match (neighbour, incoming.remove(&z)) {
                    (Some(a), Some(b)) => {
                        self.operations += 1;
                        self.operator.combine(a, b)
                    }
                    (Some(a), None) | (None, Some(a)) => a,
                    (None, None) => continue,
                };
                for out in outgoing.remove(&z).unwrap_or_default() {
                    self.operations += 1;
                    value = self.operator.remove(value, out).expect("only what has an inverse is taken out");
                }
                answers.insert(z, value);
            }
            assert!(still.len() < before, "a recurrence has no beginning");
            waiting = still;
        }
        Ok(answers)
    }

    /// What terms contribute, combined.
    fn collect(&mut self, terms: &[Term], budget: &mut Budget) -> Result<Answers, SolveError> {
        let values = self.values(terms, budget)?;
        let mut result = Answers::new();
        for (z, values) in values {
            self.operations += values.len() as u64 - 1;
            let value = values.into_iter().reduce(|a, b| self.operator.combine(a, b));
            result.insert(z, value.expect("there is a point for every answer"));
        }
        Ok(result)
    }

    fn values(&mut self, terms: &[Term], budget: &mut Budget) -> Result<BTreeMap<Vec<Int>, Vec<i64>>, SolveError> {
        let mut result: BTreeMap<Vec<Int>, Vec<i64>> = BTreeMap::new();
        for term in terms {
            for point in term.domain.enumerate(self.params, budget)? {
                let z = term.projection.eval(self.params, &point);
                let value = self.product(&term.factors, &point, budget)?;
                result.entry(z).or_default().push(value);
            }
        }
        Ok(result)
    }

    fn product(&mut self, factors: &[Factor], point: &[Int], budget: &mut Budget) -> Result<i64, SolveError> {
        let mut value: Option<i64> = None;
        let mut times = 1;
        for factor in factors {
            let at = factor.access.eval(self.params, point);
            let read = match &factor.source {
                Source::Leaf(leaf) => self.leaves.value(*leaf, &at),
                Source::Answer(answer) => self.answers[answer][&at],
                Source::Itself => unreachable!("recurrences are solved apart"),
                Source::Repeat(points) => {
                    let here = (0..at.len())
                        .fold(points.clone(), |map, d| map.fix(poly_presburger::DimKind::In, d, at[d].clone()));
                    times *= here.range().enumerate(self.params, budget)?.len() as u64;
                    self.operations += u64::from(factors.len() > 1);
                    continue;
                }
            };
            value = Some(match value {
                Some(other) => {
                    self.operations += 1;
                    self.times.combine(other, read)
                }
                None => read,
            });
        }
        Ok(match value {
            Some(value) => self.operator.repeat(value, times),
            None => times as i64,
        })
    }
}
