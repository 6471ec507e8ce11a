//! Operations, counted exactly.
//!
//! A term of `k` factors takes `k - 1` operations for each point to combine them, and one to put
//! them into the answer; the first point of an answer is free. A number of points by which
//! something is repeated is a factor.

use poly_arith::Int;
use poly_counting::{Card, Count};
use poly_presburger::{Budget, DimKind, Set, Stop};

use crate::{Equation, Reduction, System, Term};

/// How much there is to do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    /// By which power of the parameters, all together, the number of operations grows.
    pub degree: u32,
    /// The number of operations at the sizes that were asked for.
    pub operations: Int,
}

/// The operations of a reduction as it is.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn cost(reduction: &Reduction, sizes: &[Int], budget: &mut Budget) -> Result<Cost, Stop> {
    let of = |sizes: &[Int], budget: &mut Budget| operations(&[direct(reduction)], &reduction.answers(), sizes, budget);
    measured(of, sizes, budget)
}

impl System {
    /// The operations of all equations.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn cost(&self, sizes: &[Int], budget: &mut Budget) -> Result<Cost, Stop> {
        let of = |sizes: &[Int], budget: &mut Budget| {
            let mut sum = Int::ZERO;
            for equation in &self.equations {
                sum += &equation.operations(sizes, budget)?;
            }
            Ok(sum)
        };
        measured(of, sizes, budget)
    }
}

impl Equation {
    /// The operations of one equation.
    pub(crate) fn operations(&self, sizes: &[Int], budget: &mut Budget) -> Result<Int, Stop> {
        operations(&self.terms, &self.meaning.answers(), sizes, budget)
    }
}

/// The only term of a reduction that is computed as it is written.
pub(crate) fn direct(reduction: &Reduction) -> Term {
    let Reduction { domain, projection, factors, .. } = reduction.clone();
    Term { domain, projection, factors, inverse: false }
}

/// Sizes are multiplied by this and twice this to see how much more there is to do: what a lower
/// power contributes is too little to matter then.
const FAR: i64 = 1 << 24;

fn measured(
    of: impl Fn(&[Int], &mut Budget) -> Result<Int, Stop>,
    sizes: &[Int],
    budget: &mut Budget,
) -> Result<Cost, Stop> {
    let operations = of(sizes, budget)?;
    let mut at = |factor: i64| {
        let far: Vec<Int> = sizes.iter().map(|size| size * &Int::from(factor)).collect();
        of(&far, budget)
    };
    let (once, twice) = (at(FAR)?, at(2 * FAR)?);
    Ok(Cost { degree: growth(&once, &twice), operations })
}

/// By which power of the parameters, all together, the number of points grows.
pub(crate) fn growth_of(set: &Set, sizes: &[Int], budget: &mut Budget) -> Result<u32, Stop> {
    Ok(measured(|sizes, budget| points(set, sizes, budget), sizes, budget)?.degree)
}

/// The power of two that is nearest to a quotient.
fn growth(once: &Int, twice: &Int) -> u32 {
    let mut power = 0;
    // Nearer to the next power: above three quarters of it.
    while power < 64 && twice * &Int::from(2) > &(once * &Int::from(3)) * &Int::from(1i64 << power.min(61)) {
        power += 1;
    }
    power
}

/// The operations of terms that contribute to answers.
pub(crate) fn operations(terms: &[Term], answers: &Set, sizes: &[Int], budget: &mut Budget) -> Result<Int, Stop> {
    let mut sum = -points(answers, sizes, budget)?;
    for term in terms {
        let each = Int::from(term.factors.len().max(1));
        sum += &(points(&term.domain, sizes, budget)? * each);
    }
    Ok(sum.max(Int::ZERO))
}

/// The number of points at some sizes. What is not bounded has more points than can be counted.
fn points(set: &Set, sizes: &[Int], budget: &mut Budget) -> Result<Int, Stop> {
    let fixed = sizes.iter().enumerate().fold(set.clone(), |set, (i, size)| set.fix(DimKind::Param, i, size.clone()));
    let fixed = fixed.remove_empty_parts(budget)?;
    match fixed.card(budget)?.at(sizes) {
        Count::Finite(points) => Ok(points),
        Count::Infinite => Err(Stop),
    }
}
