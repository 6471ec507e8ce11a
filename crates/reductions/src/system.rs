//! Systems of equations that compute the answers of a reduction.

use poly_presburger::{Id, Set};

use crate::{AnswerId, Factor, Function, Operator, Reduction};

/// Contributions to answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The points; several pieces have nothing in common.
    pub domain: Set,
    /// Which answer a point contributes to.
    pub projection: Function,
    /// Its value.
    pub factors: Vec<Factor>,
    /// It is taken out of the answer, not put in.
    pub inverse: bool,
}

/// The answers of one reduction as combination of terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Equation {
    /// The name of the answers.
    pub answer: AnswerId,
    /// What the answers are. The factors are leaves, and answers of earlier equations.
    pub meaning: Reduction,
    /// How they are computed. A term that reads [`Source::Itself`](crate::Source::Itself) reads
    /// another answer, by a shift.
    pub terms: Vec<Term>,
}

/// Equations, each of which reads answers of earlier ones only; those of the last one are asked
/// for.
#[derive(Clone, Debug, PartialEq)]
pub struct System {
    /// Names of the parameters.
    pub params: Vec<Id>,
    /// What combines the points of answers.
    pub operator: Operator,
    /// What combines factors.
    pub times: Operator,
    /// In the order of evaluation.
    pub equations: Vec<Equation>,
    /// Those of their terms, as the search has found them, that only intervals need which are at
    /// least twice as wide as the widest level's.
    pub wide: Vec<Term>,
}

impl System {
    /// The system without the terms that only wide intervals need; `None` if there are no such.
    pub fn without_wide(&self) -> Option<System> {
        let mut result = self.clone();
        for equation in &mut result.equations {
            equation.terms.retain(|term| !self.wide.contains(term));
        }
        (result.equations != self.equations).then_some(result)
    }

    /// The equation of an answer.
    pub fn equation(&self, answer: AnswerId) -> Option<&Equation> {
        self.equations.iter().find(|equation| equation.answer == answer)
    }
}
