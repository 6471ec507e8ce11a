//! The proof that a system computes what a reduction means.
//!
//! # Definitions
//! The value of a point is a product of leaves; written out, an answer combines *monomials*: the
//! subscripts of all leaves that are multiplied. Two ways to compute an answer are equal for all
//! values of leaves if they combine the same monomials, each as often: the *multiset* of an answer
//! is a relation from the answer and the subscripts to the points that they come from, and its
//! multiplicity the number of these points, a quasi-polynomial. For idempotent operators the set is
//! enough, and so it is where everything is combined once on both sides.
//!
//! # Method
//! Every equation says what it means: a reduction. For each, by induction:
//! 1. the multiset of its meaning is written out, answers of earlier equations being replaced by
//!    their meaning;
//! 2. so is that of its terms, where the equation's own answers are replaced by their meaning, too:
//!    that is the hypothesis of an induction along the recurrence. It is well-founded, since there
//!    are finitely many answers and the neighbour is always another one by the same shift;
//! 3. both are equal, terms that are taken out being counted with a minus sign.
//!
//! What terms read exists: the place is an answer of the equation that is read. Nothing is written
//! elsewhere: terms contribute to the answers that the meaning has. Products with answers are
//! written out by distributivity, which the operators must have.
//!
//! # Limits
//! Numbers that are equal at all integer points of finitely many layers but not as functions
//! (`floor((x + y) / 2)` and `x` where `y` is `x` or `x + 1`) are taken to differ: the system is
//! refuted although it is right.
//!
//! # Invariants
//! No function of the search is used here, only those of sets and of counting.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_counting::{Card, Cardinality, PwQuasiPolynomial};
use poly_presburger::{Budget, Id, Map, Set, Stop};

use crate::{Equation, Factor, Function, LeafId, Operator, Reduction, Source, System, Term};

/// What the proof says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All answers are those of the reduction.
    Proven,
    /// They are not, or it could not be shown: what is wrong.
    Refuted(String),
}

/// Whether the last equation of a system computes a reduction.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn verify(system: &System, reduction: &Reduction, budget: &mut Budget) -> Result<Verdict, Stop> {
    let wrong = |what: &str| Ok(Verdict::Refuted(what.to_owned()));
    let Some(last) = system.equations.last() else { return wrong("there is no equation") };
    if last.meaning != *reduction {
        return wrong("the last equation means something else");
    }
    if (system.operator, system.times) != (reduction.operator, reduction.times) {
        return wrong("the operators are others");
    }
    for (number, equation) in system.equations.iter().enumerate() {
        let proof = Proof { system, earlier: &system.equations[..number], equation };
        if let Some(what) = proof.flaw(budget)? {
            return Ok(Verdict::Refuted(format!("answers {}: {what}", equation.answer.0)));
        }
    }
    Ok(Verdict::Proven)
}

struct Proof<'a> {
    system: &'a System,
    earlier: &'a [Equation],
    equation: &'a Equation,
}

/// Points with monomials: a set, the answer that they contribute to, and the leaves, all functions
/// of the points.
#[derive(Clone)]
struct Expanded {
    points: Set,
    answer: Function,
    leaves: Vec<(LeafId, Function)>,
}

impl Proof<'_> {
    fn params(&self) -> &[Id] {
        &self.system.params
    }

    /// What is wrong, if anything.
    fn flaw(&self, budget: &mut Budget) -> Result<Option<String>, Stop> {
        let some = |what: &str| Ok(Some(what.to_owned()));
        let Equation { meaning, terms, .. } = self.equation;
        if (meaning.operator, meaning.times) != (self.system.operator, self.system.times) {
            return some("it means another operation");
        }
        let answers = meaning.answers();
        for term in terms {
            if term.inverse && !meaning.operator.has_inverse() {
                return some("something is taken out that cannot be");
            }
            if !term.projection.image(&term.domain, self.params()).is_subset(&answers, budget)? {
                return some("a term contributes to what is no answer");
            }
            if let Some(what) = self.flaw_of_reads(term, &answers, budget)? {
                return Ok(Some(what));
            }
        }
        if let Some(what) = self.flaw_of_recurrence(&answers, budget)? {
            return Ok(Some(what));
        }
        let mut before = Vec::new();
        self.expand(&crate::count::direct(meaning), &mut before)?;
        let mut after = Vec::new();
        for term in terms {
            let mut own = Vec::new();
            self.expand(term, &mut own)?;
            after.extend(own.into_iter().map(|expanded| (expanded, term.inverse)));
        }
        let before = before.into_iter().map(|expanded| (expanded, false)).collect();
        self.difference(before, after, budget)
    }

    /// Whether all that a term reads exists, and what is multiplied with answers may be.
    fn flaw_of_reads(&self, term: &Term, answers: &Set, budget: &mut Budget) -> Result<Option<String>, Stop> {
        let System { operator, times, .. } = *self.system;
        let mut sums = false;
        for factor in &term.factors {
            let known = match &factor.source {
                Source::Leaf(_) => continue,
                Source::Repeat(_) => {
                    sums = true;
                    if (operator, times) != (Operator::Add, Operator::Mul) {
                        return Ok(Some("only sums are repeated by a product".to_owned()));
                    }
                    continue;
                }
                Source::Itself => answers.clone(),
                Source::Answer(answer) => match self.earlier.iter().find(|e| e.answer == *answer) {
                    Some(equation) => equation.meaning.answers(),
                    None => return Ok(Some(format!("answers {} are read before they are there", answer.0))),
                },
            };
            sums = true;
            if !factor.access.image(&term.domain, self.params()).is_subset(&known, budget)? {
                return Ok(Some("what is read does not exist".to_owned()));
            }
        }
        if sums && term.factors.len() > 1 && !operator.is_distributed_over(times) {
            return Ok(Some("one operation does not distribute over the other".to_owned()));
        }
        Ok(None)
    }

    /// Whether recurrences have a beginning: finitely many answers, all neighbours by one shift.
    fn flaw_of_recurrence(&self, answers: &Set, budget: &mut Budget) -> Result<Option<String>, Stop> {
        let Equation { meaning, terms, .. } = self.equation;
        let dims = meaning.projection.rows.len();
        let mut shift: Option<&Function> = None;
        for term in terms {
            for factor in term.factors.iter().filter(|factor| factor.source == Source::Itself) {
                let alone = term.factors.len() == 1 && !term.inverse;
                let same = term.projection == Function::identity(self.params().len(), dims);
                let zero = Function::identity(self.params().len(), dims) == factor.access;
                let is_shift = factor.access.matrix().is_identity()
                    && factor.access.rows.iter().all(|row| row[1..=self.params().len()].iter().all(Int::is_zero));
                if !alone
                    || !same
                    || zero
                    || !is_shift
                    || shift.replace(&factor.access).is_some_and(|s| *s != factor.access)
                {
                    return Ok(Some("the recurrence is no shift".to_owned()));
                }
            }
        }
        if shift.is_some() && !answers.is_bounded(budget)? {
            return Ok(Some("the recurrence may have no beginning".to_owned()));
        }
        Ok(None)
    }

    /// A term with all answers replaced by their meaning. Equations read earlier ones only, so
    /// there is an end.
    fn expand(&self, term: &Term, result: &mut Vec<Expanded>) -> Result<(), Stop> {
        let points = term.domain.clone();
        let start = Expanded { points, answer: term.projection.clone(), leaves: Vec::new() };
        result.push(self.expand_factors(start, term.projection.dims, &term.factors)?);
        Ok(())
    }

    fn expand_factors(&self, mut sum: Expanded, dims: usize, factors: &[Factor]) -> Result<Expanded, Stop> {
        // Functions are of the first dimensions; those that come in later are behind them.
        for factor in factors {
            debug_assert_eq!(factor.access.dims, dims, "a factor is a function of its points");
            match &factor.source {
                Source::Leaf(leaf) => sum.leaves.push((*leaf, widened(&factor.access, sum.points.n_dim()))),
                Source::Repeat(map) => {
                    let access = widened(&factor.access, sum.points.n_dim());
                    let pairs = access.to_map(self.params()).apply_range(map);
                    sum = joined(sum, &pairs);
                }
                Source::Answer(answer) => {
                    let equation = self.earlier.iter().find(|e| e.answer == *answer).ok_or(Stop)?;
                    sum = self.expand_answer(sum, &factor.access, &equation.meaning)?;
                }
                Source::Itself => sum = self.expand_answer(sum, &factor.access, &self.equation.meaning)?,
            }
        }
        let all = sum.points.n_dim();
        sum.answer = widened(&sum.answer, all);
        sum.leaves.iter_mut().for_each(|(_, access)| *access = widened(access, all));
        Ok(sum)
    }

    fn expand_answer(&self, sum: Expanded, access: &Function, meaning: &Reduction) -> Result<Expanded, Stop> {
        let before = sum.points.n_dim();
        let of_answer = meaning.projection.to_map(self.params()).intersect_domain(&meaning.domain).reverse();
        let pairs = widened(access, before).to_map(self.params()).apply_range(&of_answer);
        let mut sum = joined(sum, &pairs);
        // The meaning's own factors are functions of the dimensions behind.
        let behind = Function::linear(
            self.params().len(),
            &poly_linalg::Matrix::identity(before + meaning.dims()).submatrix(
                before,
                meaning.dims(),
                0,
                before + meaning.dims(),
            ),
        );
        let own: Vec<Factor> = meaning
            .factors
            .iter()
            .map(|factor| Factor { access: factor.access.after(&behind), ..factor.clone() })
            .collect();
        let all = sum.points.n_dim();
        sum.answer = widened(&sum.answer, all);
        sum.leaves.iter_mut().for_each(|(_, access)| *access = widened(access, all));
        self.expand_factors(sum, all, &own)
    }

    /// Whether two collections of monomials differ.
    fn difference(
        &self,
        before: Vec<(Expanded, bool)>,
        after: Vec<(Expanded, bool)>,
        budget: &mut Budget,
    ) -> Result<Option<String>, Stop> {
        let (before, after) = (self.by_leaves(before), self.by_leaves(after));
        if !before.keys().eq(after.keys()) {
            return Ok(Some("other leaves are combined".to_owned()));
        }
        for (leaves, own) in &before {
            let same = if self.system.operator.is_idempotent() {
                self.same_sets(own, &after[leaves], budget)?
            } else {
                self.same_multisets(own, &after[leaves], budget)?
            };
            if !same {
                return Ok(Some("other values are combined, or others as often".to_owned()));
            }
        }
        Ok(None)
    }

    /// From answers with subscripts to points, by the leaves that are multiplied.
    fn by_leaves(&self, all: Vec<(Expanded, bool)>) -> BTreeMap<Vec<LeafId>, Vec<(Map, bool)>> {
        let mut result: BTreeMap<Vec<LeafId>, Vec<(Map, bool)>> = BTreeMap::new();
        for (mut expanded, inverse) in all {
            expanded.leaves.sort_by_key(|(leaf, _)| *leaf);
            let leaves = expanded.leaves.iter().map(|(leaf, _)| *leaf).collect();
            let rows = expanded.leaves.into_iter().flat_map(|(_, access)| access.rows);
            let rows = expanded.answer.rows.into_iter().chain(rows).collect();
            let function = Function::new(self.params().len(), expanded.points.n_dim(), rows);
            let map = function.to_map(self.params()).intersect_domain(&expanded.points).reverse();
            result.entry(leaves).or_default().push((map, inverse));
        }
        result
    }

    fn same_sets(&self, a: &[(Map, bool)], b: &[(Map, bool)], budget: &mut Budget) -> Result<bool, Stop> {
        let [a, b] = [a, b].map(|all| {
            let sets: Vec<Set> = all.iter().map(|(map, _)| map.domain()).collect();
            sets.into_iter().reduce(|a, b| a.union(&b))
        });
        match (a, b) {
            (Some(a), Some(b)) => a.is_equal(&b, budget),
            _ => Ok(false),
        }
    }

    fn same_multisets(&self, a: &[(Map, bool)], b: &[(Map, bool)], budget: &mut Budget) -> Result<bool, Stop> {
        if let Some(a) = once(a, budget)?
            && let Some(b) = once(b, budget)?
        {
            return a.is_equal(&b, budget);
        }
        let mut sum: Option<PwQuasiPolynomial> = None;
        let both = a.iter().map(|(map, inverse)| (map, *inverse)).chain(b.iter().map(|(map, inverse)| (map, !inverse)));
        for (map, inverse) in both {
            // A part without points has nothing to count, and may have no dimensions that bound it.
            if map.is_empty(budget)? {
                continue;
            }
            let number = match map.card(budget)? {
                Cardinality::Parametric(number) => number,
                Cardinality::Constant(number) => {
                    let space = map.space().domain_space();
                    PwQuasiPolynomial::on(
                        Set::universe(space.clone()),
                        poly_counting::QuasiPolynomial::constant(space, number),
                    )
                }
                Cardinality::Infinite { .. } => return Ok(false),
            };
            let number = if inverse { number.neg() } else { number };
            sum = Some(match sum {
                Some(sum) => sum.add(&number, budget)?,
                None => number,
            });
        }
        sum.map_or(Ok(true), |sum| sum.vanishes(budget))
    }
}

/// What is combined, if everything is combined once: from one point, of one term that is not taken
/// out.
fn once(all: &[(Map, bool)], budget: &mut Budget) -> Result<Option<Set>, Stop> {
    let mut union: Option<Set> = None;
    for (map, inverse) in all {
        if map.is_empty(budget)? {
            continue;
        }
        if *inverse || !map.is_single_valued(budget)? {
            return Ok(None);
        }
        let own = map.domain();
        union = Some(match union {
            Some(others) if !others.intersect(&own).is_empty(budget)? => return Ok(None),
            Some(others) => others.union(&own),
            None => own,
        });
    }
    Ok(union)
}

/// The function with more dimensions, which it does not look at.
fn widened(function: &Function, dims: usize) -> Function {
    let rows = function.rows.iter().map(|row| {
        let mut row = row.clone();
        row.resize(1 + function.params + dims, Int::ZERO);
        row
    });
    Function { params: function.params, dims, rows: rows.collect() }
}

/// Points with more dimensions: those that they are related to.
fn joined(sum: Expanded, pairs: &Map) -> Expanded {
    let together = pairs.intersect_domain(&sum.points);

    Expanded { points: together.flat_wrap(), ..sum }
}
