//! The problem, and how it is solved.

use std::fmt;

use crate::newton::{BOX, Barrier, End, LogSumExp, Steps};
use crate::posynomial::{Monomial, Posynomial};

/// Bounds hold up to this, relatively: sets without an interior, as that of `x <= 1` and
/// `1/x <= 1`, have one.
const SLACK: f64 = 1e-7;

/// Points with so much room, by logarithm, are a good beginning.
const ROOM: f64 = 0.1;

/// A geometric program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// How many variables there are.
    pub variables: usize,
    /// What is to be as small as possible.
    pub objective: Posynomial,
    /// At most 1.
    pub constraints: Vec<Posynomial>,
}

/// How exact a solution is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// By how much the value may be above the least one, relatively.
    pub gap: f64,
    /// Most Newton steps.
    pub steps: u32,
}

impl Default for Accuracy {
    fn default() -> Self {
        Self { gap: 1e-9, steps: 500 }
    }
}

/// The optimum.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The variables.
    pub at: Vec<f64>,
    /// What the objective is there.
    pub value: f64,
    /// Newton steps that it took.
    pub steps: u32,
}

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// No variables satisfy all constraints.
    Infeasible,
    /// Variables grow or shrink without end (beyond a factor of 1e25).
    Unbounded,
    /// So many steps did not suffice.
    Limit,
}

impl fmt::Display for Unsolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unsolved::Infeasible => "no variables satisfy all constraints",
            Unsolved::Unbounded => "the optimum is not reached by any variables",
            Unsolved::Limit => "the limit of steps is reached",
        })
    }
}

impl std::error::Error for Unsolved {}

impl Program {
    /// Asks for `a <= b`.
    pub fn bound(&mut self, smaller: &Posynomial, larger: &Monomial) {
        self.constraints.push(smaller / larger);
    }

    /// Whether some variables satisfy all constraints.
    pub fn is_feasible(&self, at: &[f64]) -> bool {
        self.constraints.iter().all(|constraint| constraint.value(at) <= 1.0)
    }

    /// The least value of the objective, and where it is.
    ///
    /// # Errors
    /// [`Unsolved`]. An objective that is 0 has its optimum at every feasible point: one of them.
    pub fn minimize(&self, accuracy: Accuracy) -> Result<Solution, Unsolved> {
        let mut steps = Steps { taken: 0, most: accuracy.steps };
        let objective = match self.objective.is_zero() {
            true => Posynomial::constant(1.0),
            false => self.objective.clone(),
        };
        let given = || self.constraints.iter().filter(|constraint| !constraint.is_zero());
        let mut y = vec![0.0; self.variables];
        self.make_feasible(&mut y, &mut steps)?;
        let barrier = Barrier {
            objective: LogSumExp::of(&objective, self.variables),
            constraints: given().map(|c| LogSumExp::of(c, self.variables)).collect(),
            slack: SLACK,
        };
        if barrier.minimize(&mut y, accuracy.gap, &mut steps, |_| false) == End::Limit {
            return Err(Unsolved::Limit);
        }
        if y.iter().any(|y| y.abs() > BOX - 1.0) {
            return Err(Unsolved::Unbounded);
        }
        let at: Vec<f64> = y.iter().map(|y| y.exp()).collect();
        Ok(Solution { value: self.objective.value(&at), at, steps: steps.taken })
    }

    /// Moves `y` into the feasible set: the least `s` with `f_i <= s` is a geometric program, too.
    fn make_feasible(&self, y: &mut [f64], steps: &mut Steps) -> Result<(), Unsolved> {
        let (n, s) = (self.variables, Monomial::variable(self.variables));
        let mut space = Vec::new();
        let own: Vec<LogSumExp> =
            self.constraints.iter().filter(|c| !c.is_zero()).map(|c| LogSumExp::of(c, n)).collect();
        let mut worst = |y: &[f64]| own.iter().map(|c| c.value(y, &mut space)).fold(f64::NEG_INFINITY, f64::max);
        let begin = worst(y);
        if begin < -ROOM {
            return Ok(());
        }
        if begin.is_nan() || begin + 1.0 >= BOX {
            return Err(Unsolved::Infeasible);
        }
        let barrier = Barrier {
            objective: LogSumExp::of(&s.clone().into(), n + 1),
            constraints: self
                .constraints
                .iter()
                .filter(|c| !c.is_zero())
                .map(|c| LogSumExp::of(&(c / &s), n + 1))
                .collect(),
            slack: 0.0,
        };
        let mut extended: Vec<f64> = y.iter().copied().chain([begin + 1.0]).collect();
        let end = barrier.minimize(&mut extended, 0.1 * SLACK, steps, |point| point[n] < -ROOM);
        y.copy_from_slice(&extended[..n]);
        match (worst(y) < 0.5 * SLACK, end) {
            (true, _) => Ok(()),
            (false, End::Limit) => Err(Unsolved::Limit),
            (false, _) => Err(Unsolved::Infeasible),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn x(index: usize) -> Posynomial {
        Posynomial::variable(index)
    }

    fn least(variables: usize, objective: Posynomial, constraints: Vec<Posynomial>) -> Result<Solution, Unsolved> {
        Program { variables, objective, constraints }.minimize(Accuracy::default())
    }

    fn inverse(index: usize) -> Posynomial {
        Monomial::variable(index).power(-1.0).into()
    }

    #[track_caller]
    fn assert_near(found: &[f64], expected: &[f64]) {
        let near = found.iter().zip(expected).all(|(a, b)| (a / b - 1.0).abs() < 1e-5);
        assert!(near && found.len() == expected.len(), "{found:?} is not {expected:?}");
    }

    #[test]
    fn a_box_of_a_given_volume_has_equal_sides() {
        // The sum of the sides where the volume is at least 27.
        let volume = Posynomial::of([Monomial { coefficient: 27.0, exponents: vec![-1.0; 3] }]);
        let solution = least(3, x(0) + x(1) + x(2), vec![volume]).expect("there is one");
        assert_near(&solution.at, &[3.0; 3]);
        assert_near(&[solution.value], &[9.0]);
    }

    #[test]
    fn what_has_no_optimum_is_told_apart() {
        let two = Posynomial::constant(2.0);
        assert_eq!(least(1, x(0), vec![two.clone()]), Err(Unsolved::Infeasible));
        // x <= 1/2 and x >= 1.
        assert_eq!(least(1, x(0), vec![&x(0) * 2.0, inverse(0)]), Err(Unsolved::Infeasible));
        assert_eq!(least(1, x(0), vec![]), Err(Unsolved::Unbounded));
        assert_eq!(least(2, &x(0) * &inverse(1), vec![inverse(0)]), Err(Unsolved::Unbounded));
        let program = Program { variables: 2, objective: x(0) + inverse(0), constraints: vec![&x(1) * 2.0] };
        assert_eq!(program.minimize(Accuracy { steps: 3, ..Accuracy::default() }), Err(Unsolved::Limit));
    }

    #[test]
    fn equal_optima_are_decided_and_thin_sets_have_points() {
        // Any x[1] is as good as another, and any x[0] * x[1] = 4: the one nearest to ones.
        let flat = &x(0) * &x(1);
        let above = Posynomial::of([Monomial { coefficient: 4.0, exponents: vec![-1.0, -1.0] }]);
        let solution = least(3, flat, vec![above]).expect("there is one");
        assert_near(&solution.at, &[2.0, 2.0, 1.0]);
        // 3 <= x <= 3.
        let solution = least(1, inverse(0), vec![&inverse(0) * 3.0, &x(0) * (1.0 / 3.0)]).expect("there is one");
        assert_near(&solution.at, &[3.0]);
        // Nothing to minimize, nothing to choose.
        assert_eq!(least(1, Posynomial::default(), vec![]).map(|solution| solution.value), Ok(0.0));
        assert_eq!(least(0, Posynomial::constant(3.0), vec![]).map(|solution| solution.value), Ok(3.0));
    }

    /// Posynomials of two variables with small numbers.
    fn posynomial() -> impl Strategy<Value = Posynomial> {
        let term = (1..50_u32, -4..=4_i32, -4..=4_i32).prop_map(|(c, a, b)| Monomial {
            coefficient: f64::from(c) / 10.0,
            exponents: vec![f64::from(a) / 2.0, f64::from(b) / 2.0],
        });
        prop::collection::vec(term, 1..5).prop_map(Posynomial::of)
    }

    proptest! {
        #[test]
        fn no_point_of_a_grid_is_better(objective in posynomial(), own in prop::collection::vec(posynomial(), 0..3)) {
            let mut program = Program { variables: 2, objective, constraints: own };
            // 1/64 .. 64
            for variable in 0..2 {
                program.bound(&x(variable), &Monomial::constant(64.0));
                program.bound(&inverse(variable), &Monomial::constant(64.0));
            }
            let side = || (0..=96).map(|step| 2.0_f64.powf(f64::from(step) / 8.0 - 6.0));
            let points = side().flat_map(|a| side().map(move |b| [a, b]));
            let feasible = points.filter(|at| program.is_feasible(at));
            let least = feasible.map(|at| program.objective.value(&at)).fold(f64::INFINITY, f64::min);
            match program.minimize(Accuracy::default()) {
                Ok(Solution { at, value, .. }) => {
                    prop_assert!(value <= least * (1.0 + 1e-6), "{value} {least}");
                    for constraint in &program.constraints {
                        prop_assert!(constraint.value(&at) <= 1.0 + 2e-7);
                    }
                    // A point of the grid is within a factor of 2^(1/16) of each variable: no
                    // exponent is above 2, so that where there is room for that, the grid is not
                    // much worse.
                    let room = program.constraints.iter().all(|c| c.value(&at) <= 2.0_f64.powf(-0.25));
                    prop_assert!(!room || least <= value * 2.0_f64.powf(0.25) * (1.0 + 1e-6), "{value} {least}");
                }
                Err(Unsolved::Infeasible) => prop_assert_eq!(least, f64::INFINITY),
                Err(other) => prop_assert!(false, "{}", other),
            }
        }
    }
}
