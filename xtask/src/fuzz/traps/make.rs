//! Functions at random: arrays, parameters, nests of loops.

use super::function::{Array, CALLS, Element, Form, Function, Parameter};
use super::integers::{Expression, INT, Integer, Operator, Variable};
use super::nest::{Head, Index, Shape, Step, Test, Walk};
use crate::fuzz::random::Random;

/// How often a nest is made anew before a plain one takes its place.
const MOST_TRIALS: usize = 12;

/// How often the bodies of a nest are executed at most, in one call.
const MOST_ITERATIONS: u64 = 3_000;

/// The same for nests of a certain form, which do little in an iteration.
const MOST_FORMED: u64 = 20_000;

/// A function at random.
pub(super) fn function(random: &mut Random, number: usize) -> Function {
    let mut maker = Maker::new(random, number);
    let mut steps = Vec::new();
    for _ in 0..maker.random.between(1, 3) {
        if maker.random.chance(25) {
            steps.push(maker.leaf());
        }
        steps.push(maker.nest());
    }
    finished(maker.function, steps)
}

/// A way to make nests of a certain form.
pub(super) type NestForm = fn(&mut Maker<'_>) -> Step;

/// A function with a nest of a certain form, made by one of the methods of [`Maker`], and not much
/// else.
pub(super) fn formed(random: &mut Random, number: usize, form: NestForm) -> Function {
    let mut maker = Maker::new(random, number);
    maker.most_iterations = MOST_FORMED;
    let before = if maker.random.chance(15) { vec![maker.leaf()] } else { Vec::new() };
    let nest = maker.tried(form).unwrap_or_else(|| maker.plain());
    finished(maker.function, before.into_iter().chain([nest]).collect())
}

/// The function with these steps, and with arrays that are large enough.
fn finished(mut function: Function, steps: Vec<Step>) -> Function {
    for index in &mut function.indices {
        index.settle();
    }
    function.steps = steps;
    for index in &function.indices {
        let extent = &mut function.arrays[index.array].extents[index.dimension];
        *extent = index.extent().max(*extent);
    }
    function
}

/// What makes a function.
#[derive(Debug)]
pub(super) struct Maker<'r> {
    pub(super) random: &'r mut Random,
    pub(super) function: Function,
    /// The counters of the loops around, outermost first.
    pub(super) counters: Vec<usize>,
    /// How the loops around are written.
    pub(super) shapes: Vec<Shape>,
    /// Inside of a `switch`, where `break` means something else.
    pub(super) in_switch: bool,
    /// How many statements the nest may still get.
    pub(super) left: i64,
    next_counter: usize,
    most_iterations: u64,
}

impl<'r> Maker<'r> {
    fn new(random: &'r mut Random, number: usize) -> Maker<'r> {
        let mut scope = Vec::new();
        let mut parameters = Vec::new();
        for k in 0..random.between(1, 3) {
            let kind = *random.pick(&Integer::ALL);
            let is_global = random.chance(20);
            let name = if is_global { format!("q{number}_{k}") } else { format!("p{k}") };
            let least = if kind.signed { -3 } else { 0 };
            let values = [random.between(5, 12), random.between(0, 3), random.between(least, 9), random.between(0, 14)];
            scope.push(Variable { name, kind });
            parameters.push(Parameter { is_global, values });
        }
        let arrays: Vec<Array> = (0..random.between(2, 5)).map(|_| array(random)).collect();
        let places = arrays.iter().map(|_| [0; CALLS].map(|_: i128| i128::from(random.between(0, 255)))).collect();
        let function = Function { number, scope, parameters, arrays, indices: Vec::new(), steps: Vec::new(), places };
        Maker {
            random,
            function,
            counters: Vec::new(),
            shapes: Vec::new(),
            in_switch: false,
            left: 0,
            next_counter: 0,
            most_iterations: MOST_ITERATIONS,
        }
    }

    /// A nest that ends soon and has no undefined behaviour.
    fn nest(&mut self) -> Step {
        let made = self.tried(|maker| {
            maker.left = maker.random.between(1, 5);
            maker.new_loop()
        });
        made.unwrap_or_else(|| self.plain())
    }

    /// What is made, if one of several trials ends soon and has no undefined behaviour.
    fn tried(&mut self, make: impl Fn(&mut Self) -> Step) -> Option<Step> {
        for _ in 0..MOST_TRIALS {
            let (variables, indices) = (self.function.scope.len(), self.function.indices.len());
            let arrays = self.function.arrays.len();
            let step = make(self);
            if self.is_fine(&step) {
                return Some(step);
            }
            self.function.scope.truncate(variables);
            self.function.indices.truncate(indices);
            self.function.arrays.truncate(arrays);
            self.function.places.truncate(arrays);
        }
        None
    }

    /// A nest that is always fine.
    fn plain(&mut self) -> Step {
        let plain = Head {
            counter: self.counter(INT),
            first: Expression::Number(0),
            test: Test::Less,
            limit: Expression::Number(7),
            next: Expression::Number(0),
            shape: Shape::For,
        };
        let next = Expression::binary(Operator::Add, Expression::Variable(plain.counter), Expression::Number(1));
        self.counters.push(plain.counter);
        self.shapes.push(Shape::For);
        let body = vec![self.assignment(), self.assignment()];
        self.counters.pop();
        self.shapes.pop();
        let step = Step::Loop(Head { next, ..plain }, body);
        assert!(self.is_fine(&step), "seven iterations are not too many");
        step
    }

    /// Walks through a step as often as the function is called.
    fn is_fine(&mut self, step: &Step) -> bool {
        let Function { scope, parameters, indices, .. } = &mut self.function;
        (0..CALLS).all(|call| {
            let mut values: Vec<i128> = vec![0; scope.len()];
            for (value, parameter) in values.iter_mut().zip(parameters.iter()) {
                *value = i128::from(parameter.values[call]);
            }
            let mut walk = Walk { scope, values, indices: indices.as_mut_slice(), left: self.most_iterations };
            walk.run(std::slice::from_ref(step)).is_some()
        })
    }

    pub(super) fn counter(&mut self, kind: Integer) -> usize {
        let name = format!("i{}", self.next_counter);
        self.next_counter += 1;
        self.function.scope.push(Variable { name, kind });
        self.function.scope.len() - 1
    }

    /// A loop and what is in it.
    pub(super) fn new_loop(&mut self) -> Step {
        let kind = *self.random.pick(&Integer::ALL);
        let counter = self.counter(kind);
        let (first, test, limit, next) = self.range(counter, kind);
        let shape = *self.random.pick(&[Shape::For, Shape::For, Shape::For, Shape::For, Shape::While, Shape::DoWhile]);
        let was_in_switch = std::mem::replace(&mut self.in_switch, false);
        self.counters.push(counter);
        self.shapes.push(shape);
        let body = self.block();
        self.shapes.pop();
        self.counters.pop();
        self.in_switch = was_in_switch;
        Step::Loop(Head { counter, first, test, limit, next, shape }, body)
    }

    /// Where a counter begins, what it goes on with, and its next value.
    fn range(&mut self, counter: usize, kind: Integer) -> (Expression, Test, Expression, Expression) {
        use Expression::{Number, Variable};
        let i = || Variable(counter);
        let by = |operator, number| Expression::binary(operator, i(), Number(number));
        let (low, high) = (self.low(), self.high());
        let step = *self.random.pick(&[1, 1, 1, 1, 2, 3]);
        match self.random.between(1, 20) {
            1..=9 => {
                let test = *self.random.pick(&[Test::Less, Test::Less, Test::AtMost]);
                (low, test, high, by(Operator::Add, step))
            }
            10..=12 => {
                let test = *self.random.pick(&[Test::AtLeast, Test::Greater]);
                (high, test, low, by(Operator::Subtract, step))
            }
            // Down to 0, and then around it.
            13 if !kind.signed => {
                let first = Expression::binary(Operator::Subtract, high.clone(), Number(1));
                let size = Expression::Cast(kind, Box::new(high));
                (first, Test::Less, size, by(Operator::Subtract, step))
            }
            13..=14 => (low, Test::NotEqual, high, by(Operator::Add, 1)),
            15 => (Number(step), Test::Less, high, by(Operator::Multiply, 2)),
            16 => (high, Test::Greater, Number(0), by(Operator::ShiftRight, 1)),
            17 => {
                let twice = Expression::binary(Operator::Add, by(Operator::Multiply, 2), Number(1));
                (Number(0), Test::AtMost, high, twice)
            }
            // Around the largest value.
            18 => (Number(-step - 1), Test::NotEqual, Number(4), by(Operator::Add, 1)),
            _ => {
                let p = self.parameter();
                (low, Test::Less, high, Expression::binary(Operator::Add, i(), p))
            }
        }
    }

    pub(super) fn parameter(&mut self) -> Expression {
        Expression::Variable(self.random.below(self.function.parameters.len()))
    }

    /// A counter of a loop around, else a parameter.
    fn outer(&mut self) -> Expression {
        if self.counters.is_empty() {
            self.parameter()
        } else {
            Expression::Variable(*self.random.pick(&self.counters))
        }
    }

    fn low(&mut self) -> Expression {
        let number = Expression::Number(self.random.between(0, 3));
        match self.random.between(1, 10) {
            1..=6 => Expression::Number(self.random.between(-1, 2).max(0)),
            7..=8 => self.outer(),
            9 => Expression::binary(Operator::Add, self.outer(), number),
            _ => Expression::binary(Operator::ShiftRight, self.outer(), Expression::Number(1)),
        }
    }

    fn high(&mut self) -> Expression {
        use Operator::{Add, Multiply, Remainder, Subtract};
        let (outer, parameter) = (self.outer(), self.parameter());
        let number = |number| Expression::Number(number);
        match self.random.between(1, 14) {
            1..=5 => parameter,
            6 => number(self.random.between(3, 12)),
            7 => Expression::binary(Add, parameter, number(self.random.between(-2, 4))),
            8 => Expression::binary(Add, outer, number(self.random.between(0, 4))),
            9 => Expression::binary(Subtract, parameter, outer),
            10 => Expression::binary(Add, Expression::binary(Remainder, outer, number(5)), number(2)),
            11 => Expression::binary(Remainder, Expression::binary(Multiply, outer.clone(), outer), number(7)),
            12 => Expression::binary(Add, Expression::binary(Operator::Divide, parameter, number(3)), outer),
            13 => Expression::Cast(*self.random.pick(&Integer::ALL), Box::new(parameter)),
            _ => Expression::binary(Subtract, Expression::binary(Multiply, parameter, number(2)), outer),
        }
    }

    /// What is in a loop or a branch.
    pub(super) fn block(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        loop {
            steps.push(self.step());
            if self.left <= 0 || self.random.chance(55) {
                return steps;
            }
        }
    }

    fn step(&mut self) -> Step {
        let deeper = [0, 60, 40, 12];
        if self.random.chance(*deeper.get(self.counters.len()).unwrap_or(&0)) {
            return self.new_loop();
        }
        if self.random.chance(8) && self.left > 1 {
            let test = *self.random.pick(&[Test::Less, Test::AtMost, Test::Greater, Test::NotEqual]);
            let (left, right) = (self.index_expression(), self.high());
            return Step::If(left, test, right, self.block());
        }
        self.leaf()
    }

    /// An expression over counters and parameters.
    pub(super) fn index_expression(&mut self) -> Expression {
        use Operator::{Add, And, Divide, Multiply, Remainder, ShiftRight, Subtract, Xor};
        let variable = self.outer();
        let other = if self.random.chance(70) { self.outer() } else { self.parameter() };
        let number = |number| Expression::Number(number);
        let small = self.random.between(1, 4);
        match self.random.between(1, 40) {
            1..=16 => variable,
            17..=23 => Expression::binary(Add, variable, number(small - 2)),
            24..=27 => Expression::binary(Add, variable, other),
            28..=29 => Expression::binary(Subtract, other, variable),
            30 => Expression::binary(Multiply, variable, number(small)),
            31 => Expression::binary(Add, Expression::binary(Multiply, variable, number(small)), other),
            32 => Expression::binary(Multiply, variable, other),
            33 => Expression::binary(Divide, variable, number(small + 1)),
            34 => Expression::binary(Remainder, variable, number(small + 1)),
            35 => Expression::binary(ShiftRight, variable, number(1)),
            36 => Expression::binary(And, variable, number(6)),
            37 => Expression::binary(Xor, variable, number(1)),
            38 => {
                let product = Expression::binary(Multiply, variable, number(37));
                Expression::Cast(Integer { bits: 8, signed: false }, Box::new(product))
            }
            39 => Expression::Cast(
                *self.random.pick(&Integer::ALL),
                Box::new(Expression::binary(Subtract, variable, other)),
            ),
            _ => Expression::Table(Box::new(variable)),
        }
    }

    /// A subscript at random: its mark in texts.
    pub(super) fn index(&mut self, array: usize, dimension: usize, span: i128) -> String {
        let expression = self.index_expression();
        self.index_of(array, dimension, expression, span)
    }

    /// A subscript, of so many elements from there on: its mark in texts.
    pub(super) fn index_of(&mut self, array: usize, dimension: usize, expression: Expression, span: i128) -> String {
        self.function.indices.push(Index { array, dimension, expression, span, range: None, is_undefined: false });
        format!("@{}@", self.function.indices.len() - 1)
    }
}

impl Maker<'_> {
    /// One more array.
    pub(super) fn new_array(&mut self, element: Element, form: Form) -> usize {
        self.function.arrays.push(Array { element, form, extents: vec![1; form.dimensions()] });
        self.function.places.push([0; CALLS].map(|_: i128| i128::from(self.random.between(0, 255))));
        self.function.arrays.len() - 1
    }
}

fn array(random: &mut Random) -> Array {
    use Form::{Flat, Global, Matrix, Own, Record, Shared, Text, Union, Volatile};
    let forms = [
        Shared, Shared, Shared, Shared, Own, Own, Global, Global, Global, Matrix, Matrix, Flat, Flat, Record, Union,
        Text, Volatile,
    ];
    let form = *random.pick(&forms);
    let integer = Element::Integer(*random.pick(&Integer::ALL));
    let element = match form {
        Text => Element::Integer(Integer { bits: 8, signed: true }),
        Shared | Record | Union => integer,
        _ => *random.pick(&[integer, integer, Element::Double, Element::Double, Element::Float]),
    };
    Array { element, form, extents: vec![1; form.dimensions()] }
}
