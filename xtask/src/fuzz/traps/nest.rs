//! Loops over counters of every type, and which values their variables and subscripts take.
//!
//! # Problem
//! Subscripts must be inside of arrays, whatever the counters do: wrap around, run backwards, skip.
//!
//! # Algorithm
//! Loops are executed here for the parameters of each call ([`Walk`]), with everything in them that
//! depends on data assumed to happen. The least and the largest value of each subscript are noted;
//! arrays are made as large as they need to be. Whatever is undefined or takes too long makes the
//! nest worthless, and another one is made.

use super::integers::{Expression, Integer, Variable};

/// A comparison that a loop goes on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Test {
    Less,
    AtMost,
    Greater,
    AtLeast,
    NotEqual,
}

impl Test {
    pub(super) fn text(self) -> &'static str {
        match self {
            Test::Less => "<",
            Test::AtMost => "<=",
            Test::Greater => ">",
            Test::AtLeast => ">=",
            Test::NotEqual => "!=",
        }
    }

    fn holds(self, a: i128, b: i128) -> bool {
        match self {
            Test::Less => a < b,
            Test::AtMost => a <= b,
            Test::Greater => a > b,
            Test::AtLeast => a >= b,
            Test::NotEqual => a != b,
        }
    }
}

/// How a loop is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// `for (T i = first; test; step)`
    For,
    /// The counter lives on behind a `while`.
    While,
    /// `if (test) do ... while (test)`
    DoWhile,
}

/// The head of a loop.
#[derive(Debug, Clone)]
pub(super) struct Head {
    /// The variable that counts.
    pub(super) counter: usize,
    pub(super) first: Expression,
    pub(super) test: Test,
    pub(super) limit: Expression,
    /// The counter's next value.
    pub(super) next: Expression,
    pub(super) shape: Shape,
}

/// A subscript of an array in one of its dimensions.
#[derive(Debug, Clone)]
pub(super) struct Index {
    pub(super) array: usize,
    pub(super) dimension: usize,
    pub(super) expression: Expression,
    /// So many elements from here on are accessed.
    pub(super) span: i128,
    /// The least and the largest value; none if it is never executed.
    pub(super) range: Option<(i128, i128)>,
    /// It is undefined somewhere.
    pub(super) is_undefined: bool,
}

/// What is executed.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Loop(Head, Vec<Step>),
    /// `if (left test right)`
    If(Expression, Test, Expression, Vec<Step>),
    /// What stands in front of a block and behind it, with the subscripts in it.
    Block {
        head: String,
        body: Vec<Step>,
        tail: String,
    },
    /// Text; `@k@` in it stands for the subscript with the number `k`.
    Text(String),
}

/// The numbers of the subscripts in a text.
pub(super) fn indices_in(text: &str) -> impl Iterator<Item = usize> {
    text.split('@').skip(1).step_by(2).map(|number| number.parse().expect("between two signs is a number"))
}

/// A walk through nests with certain values of the parameters.
#[derive(Debug)]
pub(super) struct Walk<'w> {
    pub(super) scope: &'w [Variable],
    pub(super) values: Vec<i128>,
    pub(super) indices: &'w mut [Index],
    /// How often bodies may be executed.
    pub(super) left: u64,
}

impl Walk<'_> {
    /// Executes; none if something is undefined or there are too many iterations.
    pub(super) fn run(&mut self, steps: &[Step]) -> Option<()> {
        steps.iter().try_for_each(|step| match step {
            Step::Loop(head, body) => self.run_loop(head, body),
            Step::If(left, test, right, body) => {
                if self.compare(left, *test, right)? {
                    self.run(body)?;
                }
                Some(())
            }
            Step::Block { head, body, tail } => {
                self.note(head);
                self.note(tail);
                self.run(body)
            }
            Step::Text(text) => {
                self.note(text);
                Some(())
            }
        })
    }

    fn run_loop(&mut self, head: &Head, body: &[Step]) -> Option<()> {
        let kind = self.scope[head.counter].kind;
        self.values[head.counter] = kind.wrap(head.first.value(self.scope, &self.values)?);
        while self.compare(&Expression::Variable(head.counter), head.test, &head.limit)? {
            self.left = self.left.checked_sub(1)?;
            self.run(body)?;
            self.values[head.counter] = kind.wrap(head.next.value(self.scope, &self.values)?);
        }
        Some(())
    }

    fn compare(&self, left: &Expression, test: Test, right: &Expression) -> Option<bool> {
        let kind: Integer = left.kind(self.scope).common(right.kind(self.scope));
        let value = |of: &Expression| Some(kind.wrap(of.value(self.scope, &self.values)?));
        Some(test.holds(value(left)?, value(right)?))
    }

    fn note(&mut self, text: &str) {
        for k in indices_in(text) {
            let index = &mut self.indices[k];
            match index.expression.value(self.scope, &self.values) {
                Some(value) => {
                    let (low, high) = index.range.unwrap_or((value, value));
                    index.range = Some((low.min(value), high.max(value)));
                }
                None => index.is_undefined = true,
            }
        }
    }
}

/// The largest subscript that an array is made for.
const MOST_ELEMENTS: i128 = 600;

impl Index {
    /// Makes the subscript one that is never negative and not too large, after all walks.
    pub(super) fn settle(&mut self) {
        use super::integers::Operator::{Add, And};
        if self.is_undefined || self.range.is_none() {
            self.expression = Expression::Number(0);
            self.range = Some((0, 0));
        }
        let (low, high) = self.range.expect("there is one now");
        let old = std::mem::replace(&mut self.expression, Expression::Number(0));
        let size = MOST_ELEMENTS;
        (self.expression, self.range) = if low < -size || high > size {
            (Expression::binary(And, old, Expression::Number(15)), Some((0, 15)))
        } else if low < 0 {
            let shift = i64::try_from(-low).expect("it is small");
            (Expression::binary(Add, old, Expression::Number(shift)), Some((0, high - low)))
        } else {
            (old, Some((low, high)))
        };
    }

    /// How many elements the array needs in this dimension.
    pub(super) fn extent(&self) -> i128 {
        self.range.map_or(0, |(_, high)| high) + self.span
    }
}

#[cfg(test)]
mod tests {
    use super::super::integers::{INT, Operator};
    use super::*;

    /// `for (unsigned char i = 250; i != limit; i += 3)` with `A[i - 4]` in it.
    fn walked(limit: i64) -> (Option<()>, Index) {
        let scope = [Variable { name: "i".to_owned(), kind: Integer { bits: 8, signed: false } }];
        let i = || Expression::Variable(0);
        let plus = |number| Expression::binary(Operator::Add, i(), Expression::Number(number));
        let head = Head {
            counter: 0,
            first: Expression::Number(250),
            test: Test::NotEqual,
            limit: Expression::Number(limit),
            next: plus(3),
            shape: Shape::For,
        };
        let index = Index { array: 0, dimension: 0, expression: plus(-4), span: 1, range: None, is_undefined: false };
        let mut indices = [index];
        let steps = [Step::Loop(head, vec![Step::Text("A[@0@] = 1;".to_owned())])];
        let mut walk = Walk { scope: &scope, values: vec![0], indices: &mut indices, left: 3_000 };
        let ended = walk.run(&steps);
        let [index] = indices;
        (ended, index)
    }

    #[test]
    fn counters_wrap_around() {
        let (ended, mut index) = walked(6);
        assert!(ended.is_some());
        assert_eq!(index.range, Some((-4, 249)), "250, 253, 0, 3");
        index.settle();
        assert_eq!((index.range, index.extent()), (Some((0, 253)), 254));
    }

    #[test]
    fn what_does_not_end_is_noticed() {
        let (ended, _) = walked(300);
        assert!(ended.is_none());
        let _ = INT;
    }
}
