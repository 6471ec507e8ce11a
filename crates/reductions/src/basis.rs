//! The same equations with other coordinates of answers.
//!
//! # Problem
//! The coordinates of inner answers are those that the search came across. What is next to what in
//! memory, and along which direction a loop can read everything side by side, depends on them.
//!
//! # Method
//! A unimodular matrix gives every answer of one equation another name. Its equation contributes to
//! the new names; who reads it reads at the new names, and its points are named anew as well where
//! each of them reads the answer of its own name.
//!
//! # Invariants
//! Nothing else changes: as many operations as before, and [`crate::verify`] proves the new system
//! like any other.

use poly_linalg::Matrix;

use crate::{AnswerId, Equation, Factor, Function, Reduction, Source, System, Term};

/// A change of names, and back.
struct Names {
    answer: AnswerId,
    by: Function,
    back: Function,
}

impl System {
    /// The system in which answer `z` of an equation is called `by z`; `None` if the equation is
    /// not there, is the last one, or `by` is not unimodular.
    pub fn in_basis(&self, answer: AnswerId, by: &Matrix) -> Option<System> {
        let (_, before) = self.equations.split_last()?;
        let equation = before.iter().find(|equation| equation.answer == answer)?;
        let dims = equation.meaning.projection.rows.len();
        if by.rows() != dims || by.cols() != dims {
            return None;
        }
        let params = self.params.len();
        let by = Function::linear(params, by);
        let back = Function::identity(params, dims).through(&by)?;
        let names = Names { answer, by, back };
        let equations = self.equations.iter().map(|equation| names.equation(self, equation)).collect();
        Some(System { equations, ..self.clone() })
    }
}

impl Names {
    fn equation(&self, system: &System, equation: &Equation) -> Equation {
        let is_own = equation.answer == self.answer;
        let mut meaning: Reduction = equation.meaning.clone();
        meaning.factors.iter_mut().for_each(|factor| self.read(factor));
        if is_own {
            meaning.projection = self.by.after(&meaning.projection);
        }
        let terms = equation.terms.iter().map(|term| self.term(system, term, is_own)).collect();
        Equation { meaning, terms, ..equation.clone() }
    }

    fn read(&self, factor: &mut Factor) {
        if factor.source == Source::Answer(self.answer) {
            factor.access = self.by.after(&factor.access);
        }
    }

    fn term(&self, system: &System, term: &Term, is_own: bool) -> Term {
        let mut term = term.clone();
        let dims = self.by.dims;
        let itself = Function::identity(self.by.params, dims);
        let is_carry = is_own && term.factors.iter().any(|factor| factor.source == Source::Itself);
        let reads = |factor: &Factor| factor.source == Source::Answer(self.answer) && factor.access == itself;
        let is_reader = term.factors.iter().any(reads);
        term.factors.iter_mut().for_each(|factor| self.read(factor));
        if is_carry || is_reader {
            term.domain = self.by.image(&term.domain, &system.params);
            term.projection = term.projection.after(&self.back);
            term.factors.iter_mut().for_each(|factor| factor.access = factor.access.after(&self.back));
        }
        if is_own {
            term.projection = self.by.after(&term.projection);
            let own = term.factors.iter_mut().filter(|factor| factor.source == Source::Itself);
            own.for_each(|factor| factor.access = self.by.after(&factor.access));
        }
        term
    }
}
