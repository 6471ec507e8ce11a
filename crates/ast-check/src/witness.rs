//! What is wrong with a program, for people: instances, where the program executes them, and their
//! times in the tree.

use std::fmt;

use poly_arith::Int;
use poly_presburger::{Aff, Budget, DimKind, Id, Set, Space, Stop};

use crate::program::{Execution, Step};
use crate::schedule::Time;

/// Values below this are tried first for each coordinate of a witness.
const SMALL: i64 = 12;

/// A difference between a program and the tree that it was generated from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What differs.
    pub kind: Difference,
    /// The values of the parameters.
    pub params: Vec<(Id, Int)>,
}

/// What a program does that its tree does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// An instance is not executed.
    Missing(Instance),
    /// Something is executed that is no instance.
    Foreign(Executed),
    /// An instance is executed in two places.
    Twice(Executed, Executed),
    /// The first one is executed before the second one, and its time is later.
    Order(Executed, Executed),
}

/// An instance of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The statement.
    pub statement: Id,
    /// The coordinates.
    pub coordinates: Vec<Int>,
}

/// An instance that the program executes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    /// The instance.
    pub instance: Instance,
    /// Where the program does so: numbers of children in blocks, and counters of loops, from the
    /// root on.
    pub position: Vec<Int>,
    /// When the tree does: values of members of bands, and numbers of children, from the root on;
    /// empty if it does not.
    pub time: Vec<Int>,
}

impl Violation {
    fn new(kind: Difference, point: &[Int], space: &Space) -> Violation {
        Violation { kind, params: space.params.iter().cloned().zip(point.iter().cloned()).collect() }
    }

    pub(crate) fn missing(statement: &Id, arity: usize, point: &[Int], space: &Space) -> Violation {
        let first = space.params.len();
        let coordinates = point[first..first + arity].to_vec();
        Violation::new(Difference::Missing(Instance { statement: statement.clone(), coordinates }), point, space)
    }

    pub(crate) fn foreign(executed: Executed, point: &[Int], space: &Space) -> Violation {
        Violation::new(Difference::Foreign(executed), point, space)
    }

    pub(crate) fn order(earlier: Executed, later: Executed, point: &[Int], space: &Space) -> Violation {
        Violation::new(Difference::Order(earlier, later), point, space)
    }

    pub(crate) fn twice(first: Executed, second: Executed, point: &[Int], space: &Space) -> Violation {
        Violation::new(Difference::Twice(first, second), point, space)
    }
}

impl Executed {
    /// What an execution does for values `[params | counters]`.
    pub(crate) fn of(execution: &Execution, values: &[Int], space: &Space) -> Executed {
        let own = &execution.coordinates[..execution.arity];
        let executed = Executed::foreign(&execution.statement, own, &execution.path, values, space);
        let time = execution.times.iter().map(|time| match time {
            Time::Child { index, .. } => Int::from(*index),
            Time::Value(value) => evaluate(value, values, space),
        });
        Executed { time: time.collect(), ..executed }
    }

    /// What a user node executes, without a time.
    pub(crate) fn foreign(
        statement: &Id,
        coordinates: &[Aff],
        path: &[Step],
        values: &[Int],
        space: &Space,
    ) -> Executed {
        let first = space.params.len();
        let coordinates = coordinates.iter().map(|value| evaluate(value, values, space)).collect();
        let position = path.iter().map(|step| match step {
            Step::Child(number) => Int::from(*number),
            Step::Iteration(depth) => values[first + depth].clone(),
        });
        let instance = Instance { statement: statement.clone(), coordinates };
        Executed { instance, position: position.collect(), time: Vec::new() }
    }
}

fn evaluate(value: &Aff, values: &[Int], space: &Space) -> Int {
    let (params, dims) = values.split_at(space.params.len());
    value.eval(params, dims).to_int().expect("instances and times are integers")
}

/// A point `[params | dims]` of a set, with small values if they do.
pub(crate) fn point(set: &Set, budget: &mut Budget) -> Result<Option<Vec<Int>>, Stop> {
    if set.is_empty(budget)? {
        return Ok(None);
    }
    let mut set = set.clone();
    let dims = |kind| (0..set.dim(kind)).map(move |i| (kind, i));
    let places: Vec<(DimKind, usize)> = dims(DimKind::Param).chain(dims(DimKind::Out)).collect();
    for (kind, i) in places {
        for value in 0..SMALL {
            let fixed = set.fix(kind, i, value);
            if !fixed.is_empty(budget)? {
                set = fixed;
                break;
            }
        }
    }
    set.sample(budget)
}

fn list(values: &[Int]) -> String {
    let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.statement, list(&self.coordinates))
    }
}

impl fmt::Display for Executed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at ({})", self.instance, list(&self.position))
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Difference::Missing(instance) => write!(f, "{instance} is not executed")?,
            Difference::Foreign(executed) => write!(f, "{executed} is executed and is no instance")?,
            Difference::Twice(a, b) => write!(
                f,
                "{} is executed twice, at ({}) and at ({})",
                a.instance,
                list(&a.position),
                list(&b.position)
            )?,
            Difference::Order(a, b) => {
                write!(
                    f,
                    "{a} is executed before {b}, but their times are ({}) and ({})",
                    list(&a.time),
                    list(&b.time)
                )?;
            }
        }
        if !self.params.is_empty() {
            let texts: Vec<String> = self.params.iter().map(|(id, value)| format!("{id} = {value}")).collect();
            write!(f, ", for {}", texts.join(", "))?;
        }
        Ok(())
    }
}
