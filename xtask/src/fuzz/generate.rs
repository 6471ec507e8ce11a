//! Random programs whose behaviour C defines.
//!
//! Every variable has a known range over all calls: parameters by the values they are called with,
//! iterators by interval arithmetic over their bounds. A subscript gets an offset that makes it
//! start at zero, and arrays are made as large as their largest subscript: so nothing is out of
//! bounds. Integers are computed unsigned, iterators are too small to overflow, and products of
//! loop lengths are limited, so that programs end soon.

use super::random::Random;
use super::syntax::{
    Access, Affine, Array, Bound, Call, Condition, Element, Form, Irregular, LOOKED_UP, Layout, Local, Loop, Program,
    Rounding, Statement, Subscript, TABLE, UPDATES, Value, Variable,
};

/// The most iterations of a nest, by the longest that each loop can be.
const MOST_ITERATIONS: i64 = 20_000;

/// The most elements of an array.
const MOST_ELEMENTS: i64 = 4_000;

/// Whether loops of the seed's program depend on data.
pub(crate) fn is_irregular(seed: u64) -> bool {
    Traits::of(seed).irregular
}

/// Whether the seed's program has what few have.
pub(crate) fn is_special(seed: u64) -> bool {
    let traits = Traits::of(seed);
    traits.lookups || traits.tiles || traits.rare
}

/// What only some programs have. It is drawn apart from the program, which is the same where it has
/// none of this.
#[derive(Debug, Clone, Copy)]
struct Traits {
    /// Inner loops may depend on data.
    irregular: bool,
    /// Subscripts may be looked up in a table.
    lookups: bool,
    /// Loops may go over tiles of a size that is a parameter.
    tiles: bool,
    /// In rare cases something is printed, or the program ends.
    rare: bool,
    /// Windows of elements may be summed up.
    windows: bool,
}

impl Traits {
    fn of(seed: u64) -> Traits {
        let mut random = Random::new(!seed);
        let irregular = random.chance(25);
        let (lookups, tiles, rare) = (random.chance(15), random.chance(12), random.chance(12));
        Traits { irregular, lookups, tiles, rare, windows: random.chance(20) }
    }
}

/// The program of a seed.
pub(crate) fn program(seed: u64) -> Program {
    let mut random = Random::new(seed);
    let floating = random.chance(65);
    let elements: &[Element] = if floating {
        if random.chance(80) { &[Element::Double] } else { &[Element::Double, Element::Float] }
    } else {
        &[Element::Byte, Element::Short, Element::Word, Element::Word, Element::Long]
    };
    let arrays: Vec<Array> = (0..random.between(1, 4)).map(|_| array(&mut random, elements)).collect();
    let (parameters, values) = parameters(&mut random);
    let ranges = (0..parameters.len()).map(|k| range_of(values.iter().map(|call| call[k]))).collect();
    let scalars = if random.chance(35) { random.below(2) + 1 } else { 0 };
    let most_statements = random.between(1, 6);
    let mut builder = Builder {
        random,
        parameters: ranges,
        iterators: Vec::new(),
        arrays,
        scalars,
        floating,
        locals: 0,
        known_locals: Vec::new(),
        known_arrays: Vec::new(),
        iterations: 1,
        left: most_statements,
        traits: Traits::of(seed),
    };
    let mut body = Vec::new();
    while builder.left > 0 {
        body.extend(builder.top());
    }
    let Builder { random, arrays, .. } = builder;
    let mut program = Program { parameters, arrays, scalars, floating, body, calls: Vec::new() };
    program.calls = calls(random, &program, values);
    program
}

fn array(random: &mut Random, elements: &[Element]) -> Array {
    let dimensions = *random.pick(&[1, 1, 2, 2, 2, 3]);
    let forms = [Form::Constant, Form::Constant, Form::Variable, Form::Flat, Form::Global, Form::Rows];
    // Rows are inside a table.
    let forms = if dimensions > 1 { &forms[..] } else { &forms[..5] };
    let form = *random.pick(forms);
    Array { element: *random.pick(elements), form, extents: vec![1; dimensions] }
}

/// The types of the parameters, and their values in each call.
fn parameters(random: &mut Random) -> (Vec<&'static str>, Vec<Vec<i64>>) {
    let kinds = ["int", "int", "long", "short", "unsigned char", "signed char"];
    let parameters: Vec<&'static str> = (0..random.between(1, 3)).map(|_| *random.pick(&kinds)).collect();
    let value = |random: &mut Random, kind: &str, call: usize| match call {
        0 => random.between(5, 14),
        1 => random.between(0, 3),
        2 if kind != "unsigned char" => random.between(-4, 12),
        _ => random.between(0, 14),
    };
    let calls = (0..4).map(|call| parameters.iter().map(|kind| value(random, kind, call)).collect()).collect();
    (parameters, calls)
}

/// Calls with separate arrays and rows first, then with arrays placed anywhere in the memory of
/// their type.
fn calls(mut random: Random, program: &Program, values: Vec<Vec<i64>>) -> Vec<Call> {
    let place = |random: &mut Random, apart: bool| {
        let mut next = std::collections::BTreeMap::new();
        let offset = |array: &Array| {
            if !array.is_given() {
                return 0;
            }
            let free = next.entry(array.element as usize).or_insert(0);
            let start = *free;
            *free += array.count();
            if apart { start } else { random.between(0, program.pool(array.element) - array.count()) }
        };
        program.arrays.iter().map(offset).collect()
    };
    let call = |(number, parameters)| {
        let tile = [3, 1, 2, 100][number % 4];
        let offsets = place(&mut random, number < 2);
        let layouts = program.arrays.iter().map(|_| match number {
            0 => Layout::Up,
            1 => Layout::Down,
            _ => *random.pick(&Layout::ALL),
        });
        Call { parameters, tile, layouts: layouts.collect(), offsets }
    };
    values.into_iter().enumerate().map(call).collect()
}

/// The smallest and largest value of something.
type Range = (i64, i64);

fn range_of(values: impl Iterator<Item = i64> + Clone) -> Range {
    let least = values.clone().min().expect("there are calls");
    (least, values.max().expect("there are calls"))
}

/// Builds the body of the kernel.
#[derive(Debug)]
struct Builder {
    random: Random,
    parameters: Vec<Range>,
    /// The ranges of the iterators of the loops around, outermost first.
    iterators: Vec<Range>,
    arrays: Vec<Array>,
    scalars: usize,
    floating: bool,
    /// Temporary numbers made so far, and those of the blocks around.
    locals: usize,
    known_locals: Vec<usize>,
    /// Temporary arrays of the blocks around.
    known_arrays: Vec<usize>,
    /// How often the innermost loop around is run at most.
    iterations: i64,
    /// How many more statements may be made.
    left: i64,
    traits: Traits,
}

impl Builder {
    /// A statement outside of all loops: mostly a nest.
    fn top(&mut self) -> Option<Statement> {
        if self.random.chance(92) { self.new_loop() } else { Some(self.assignment()) }
    }

    fn block(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            statements.extend(self.statement());
            if self.left <= 0 || self.random.chance(60) {
                break;
            }
        }
        if statements.is_empty() {
            statements.push(self.assignment());
        }
        statements
    }

    fn statement(&mut self) -> Option<Statement> {
        let depth = self.iterators.len();
        let deeper = [75, 65, 45, 15, 0];
        if self.random.chance(deeper[depth.min(4)]) {
            return self.new_loop();
        }
        if self.random.chance(18) {
            let condition = self.condition();
            let then = self.block();
            let otherwise = if self.random.chance(40) { self.block() } else { Vec::new() };
            return Some(Statement::If { condition, then, otherwise });
        }
        if depth > 0 && self.random.chance(14) {
            return Some(self.local());
        }
        if self.traits.rare && depth > 0 && self.random.chance(30) {
            return Some(self.rare());
        }
        if self.traits.irregular && depth > 0 && self.random.chance(15) {
            return Some(self.shrink());
        }
        if self.traits.windows && (1..4).contains(&depth) && self.random.chance(60) {
            return Some(self.window());
        }
        if self.scalars > 0 && self.random.chance(30) {
            return Some(self.set_scalar());
        }
        if !self.known_locals.is_empty() && self.random.chance(35) {
            return Some(self.set_local());
        }
        if self.random.chance(25) {
            return Some(self.reduction());
        }
        Some(self.assignment())
    }

    /// A temporary and statements that may use it: mostly a loop first, which often sums up.
    fn local(&mut self) -> Statement {
        let (numbers, arrays) = (self.known_locals.len(), self.known_arrays.len());
        let what = if self.random.chance(60) {
            let value = self.value(1);
            self.known_locals.push(self.locals);
            self.locals += 1;
            Local::Number(self.locals - 1, value)
        } else {
            let elements: Vec<Element> = self.arrays.iter().map(|array| array.element).collect();
            let dimensions = *self.random.pick(&[1, 1, 2]);
            let element = *self.random.pick(&elements);
            self.arrays.push(Array { element, form: Form::Local, extents: vec![1; dimensions] });
            self.known_arrays.push(self.arrays.len() - 1);
            Local::Array(self.arrays.len() - 1)
        };
        let mut body = Vec::new();
        if self.iterators.len() < 4 && self.random.chance(70) {
            body.extend(self.new_loop());
        }
        body.extend(self.block());
        body.push(self.assignment());
        self.known_locals.truncate(numbers);
        self.known_arrays.truncate(arrays);
        Statement::Local { what, body }
    }

    /// A temporary number that a loop halves until it is small.
    fn shrink(&mut self) -> Statement {
        let number = self.locals;
        self.locals += 1;
        let value = Value::Binary('*', Box::new(self.value(1)), Box::new(Value::Number(8)));
        self.known_locals.push(number);
        let inside = if self.random.chance(40) { vec![self.assignment()] } else { Vec::new() };
        let shrink = Statement::Shrink { number, body: inside };
        let body = vec![shrink, self.assignment()];
        self.known_locals.pop();
        Statement::Local { what: Local::Number(number, value), body }
    }

    /// A temporary number that a window of elements is combined in, and an element that takes it.
    fn window(&mut self) -> Statement {
        let number = self.locals;
        self.locals += 1;
        let operator = self.update();
        let begin = if self.random.chance(80) { Value::Number(self.random.between(0, 1)) } else { self.value(0) };
        let before = self.iterations;
        let outside = self.iterators.len();
        let window = self.loop_of_window(number, operator);
        self.iterators.truncate(outside);
        self.iterations = before;
        self.left -= 1;
        self.known_locals.push(number);
        let value = match self.random.between(1, 4) {
            1 => Value::Half(Box::new(Value::Local(number))),
            _ => Value::Local(number),
        };
        let operator = *self.random.pick(&["=", "=", "=", "+="]);
        let body = vec![window, Statement::Assign { target: self.access(), operator, value }];
        self.known_locals.pop();
        Statement::Local { what: Local::Number(number, begin), body }
    }

    /// A loop over a window, or over one of its dimensions: of constant width, as wide as a
    /// parameter says, growing with a loop around, or shrinking.
    fn loop_of_window(&mut self, number: usize, operator: &'static str) -> Statement {
        let depth = self.iterators.len();
        let outer = Variable::Iterator(self.random.below(depth));
        let plain = |constant, terms| Bound(vec![Affine { constant, terms }]);
        let (lower, upper) = match self.random.between(1, 8) {
            1..=4 => (plain(0, Vec::new()), plain(self.random.between(1, 9), Vec::new())),
            5 => (plain(0, Vec::new()), plain(0, vec![(1, Variable::Parameter(0))])),
            6..=7 => (plain(0, Vec::new()), plain(1, vec![(1, outer)])),
            _ => (plain(0, vec![(1, outer)]), plain(0, vec![(1, Variable::Parameter(0))])),
        };
        let (first, _) = self.bound_range(&lower, true);
        let (_, end) = self.bound_range(&upper, false);
        self.iterators.push((first, first.max(end - 1)));
        self.iterations *= (end - first).max(1);
        let deeper = depth < 3 && self.iterations * 9 <= MOST_ITERATIONS && self.random.chance(35);
        let inside = if self.iterations > MOST_ITERATIONS {
            // Too long: nothing is read, so that the loop is gone.
            Statement::SetLocal { number, operator, value: Value::Number(1) }
        } else if deeper {
            self.loop_of_window(number, operator)
        } else {
            let element = Value::Element(self.access_of_window());
            let value = match self.random.between(1, 5) {
                1 => Value::Binary('*', Box::new(element), Box::new(self.value(0))),
                2 => Value::Binary('+', Box::new(element), Box::new(self.value(0))),
                _ => element,
            };
            Statement::SetLocal { number, operator, value }
        };
        let body = vec![inside];
        Statement::Loop(Loop { depth, kind: "int", lower, upper, step: 1, irregular: None, tiled: false, body })
    }

    /// An element at sums of iterators of the window and of the loops around it.
    fn access_of_window(&mut self) -> Access {
        let known: Vec<usize> = (0..self.arrays.len()).filter(|&k| self.arrays[k].form != Form::Local).collect();
        let array = *self.random.pick(&known);
        let dimensions = self.arrays[array].extents.len();
        let depth = self.iterators.len();
        let mut subscripts = Vec::new();
        let mut extents = self.arrays[array].extents.clone();
        for (dimension, extent) in extents.iter_mut().enumerate() {
            // The innermost loops go along the last dimensions.
            let own = (depth + dimension).checked_sub(dimensions).unwrap_or(dimension.min(depth - 1));
            let mut terms = vec![(1, Variable::Iterator(own))];
            let other = self.random.below(depth);
            if other != own && self.random.chance(75) {
                terms.push((*self.random.pick(&[1, 1, 1, -1, 2]), Variable::Iterator(other)));
            }
            let affine = Affine { constant: 0, terms };
            let (low, high) = self.range(&affine);
            let offset = (-low).max(0);
            *extent = (high + offset + 1).max(*extent);
            subscripts.push(Subscript { affine, rounding: Rounding::Plain, offset });
        }
        if extents.iter().product::<i64>() > MOST_ELEMENTS {
            return self.access();
        }
        self.arrays[array].extents = extents;
        Access { array, subscripts }
    }

    /// What happens in few iterations, or in none.
    fn rare(&mut self) -> Statement {
        if self.random.chance(50) {
            let condition = match self.random.chance(30) {
                true => Condition::Data(self.access(), *self.random.pick(&[40, 1_000, 1_000_000])),
                false => Condition::Compare(self.affine(2), "=="),
            };
            return Statement::Report(condition, self.access());
        }
        let (subscript, _) = self.subscript();
        if matches!(subscript.rounding, Rounding::Lookup(_)) {
            return Statement::End(Condition::Beyond(Subscript { offset: 0, ..subscript }));
        }
        let limit = *self.random.pick(&[40, 1_000, 1_000_000, 1_000_000]);
        Statement::End(Condition::Data(self.access(), limit))
    }

    /// A way in which the loop inside of `depth` others depends on data. Its own iterator is known,
    /// but for a limit.
    fn irregularity(&mut self) -> Option<Irregular> {
        let is_inner = self.iterators.len() > 1;
        if !self.traits.irregular || !self.random.chance(if is_inner { 60 } else { 5 }) {
            return None;
        }
        Some(match self.random.between(1, 3) {
            1 => {
                let own = self.iterators.pop();
                let condition = self.data_condition();
                self.iterators.extend(own);
                Irregular::Limit(condition, self.random.between(0, 4), self.random.between(3, 15))
            }
            2 => Irregular::While(self.data_condition()),
            _ => Irregular::Break(self.random.below(2), self.data_condition()),
        })
    }

    fn data_condition(&mut self) -> Condition {
        let data = Condition::Data(self.access(), self.random.between(-3, 5));
        match self.random.between(1, 6) {
            1 => Condition::And(Box::new(data), Box::new(self.simple_condition())),
            2 => Condition::Or(Box::new(self.simple_condition()), Box::new(data)),
            _ => data,
        }
    }

    fn set_local(&mut self) -> Statement {
        self.left -= 1;
        let number = *self.random.pick(&self.known_locals);
        let operator = self.update();
        Statement::SetLocal { number, operator, value: self.value(1) }
    }

    /// An update of an element that several iterations share: subscripts by fewer iterators than
    /// there are.
    fn reduction(&mut self) -> Statement {
        self.left -= 1;
        let inner = if self.iterators.len() > 1 { self.iterators.pop() } else { None };
        let target = self.access();
        self.iterators.extend(inner);
        let operator = self.update();
        Statement::Assign { target, operator, value: self.value(2) }
    }

    /// The operator of an update; minima and the like keep numbers small.
    fn update(&mut self) -> &'static str {
        self.random.pick::<&'static str>(UPDATES[usize::from(self.floating)])
    }

    fn new_loop(&mut self) -> Option<Statement> {
        let depth = self.iterators.len();
        let lower = self.bound(true);
        let upper = self.bound(false);
        let (first, _) = self.bound_range(&lower, true);
        let (_, end) = self.bound_range(&upper, false);
        let length = (end - first).max(1);
        if self.iterations * length > MOST_ITERATIONS {
            self.left -= 1; // give up in the end
            return None;
        }
        let step = *self.random.pick(&[1, 1, 1, 1, 1, 1, 2, 3, -1, -1, -2]);
        let small = first >= 0 && end + 3 <= 255 && step > 0;
        let kinds: &[&'static str] = if small {
            &["int", "int", "long", "short", "unsigned char", "unsigned short"]
        } else {
            &["int", "int", "long", "short"]
        };
        let kind = *self.random.pick(kinds);
        self.iterators.push((first, first.max(end - 1)));
        let before = self.iterations;
        self.iterations *= length;
        let irregular = self.irregularity();
        let tiled = self.traits.tiles && step == 1 && irregular.is_none() && self.random.chance(60);
        let kind = if tiled && kind != "long" { "int" } else { kind };
        let body = self.body_of_loop(tiled);
        self.iterations = before;
        self.iterators.pop();
        Some(Statement::Loop(Loop { depth, kind, lower, upper, step, irregular, tiled, body }))
    }

    /// Loops over tiles come often right inside of each other.
    fn body_of_loop(&mut self, tiled: bool) -> Vec<Statement> {
        if tiled && self.iterators.len() < 4 && self.random.chance(60) {
            let inner = self.new_loop();
            return inner.map_or_else(|| self.block(), |inner| vec![inner]);
        }
        self.block()
    }

    fn bound(&mut self, lower: bool) -> Bound {
        let mut parts = vec![self.bound_part(lower)];
        if self.random.chance(15) {
            parts.push(self.bound_part(lower));
        }
        Bound(parts)
    }

    fn bound_part(&mut self, lower: bool) -> Affine {
        let depth = self.iterators.len();
        let outer = (depth > 0).then(|| self.random.below(depth.max(1)));
        let parameter = self.random.below(self.parameters.len());
        let constant = self.random.between(-2, 3);
        let plain = |constant, variable| Affine { constant, terms: vec![(1, variable)] };
        match (lower, self.random.between(1, 10), outer) {
            (true, 1..=6, _) | (true, _, None) => Affine { constant: constant.max(0), terms: Vec::new() },
            (true, 7..=9, Some(iterator)) => plain(constant, Variable::Iterator(iterator)),
            (true, _, Some(iterator)) => Affine {
                constant,
                terms: vec![(-1, Variable::Iterator(iterator)), (1, Variable::Parameter(parameter))],
            },
            (false, 1..=6, _) | (false, _, None) => plain(constant, Variable::Parameter(parameter)),
            (false, 7, Some(_)) => Affine { constant: constant + 7, terms: Vec::new() },
            (false, 8..=9, Some(iterator)) => plain(constant + 1, Variable::Iterator(iterator)),
            (false, _, Some(iterator)) => {
                Affine { constant, terms: vec![(1, Variable::Iterator(iterator)), (1, Variable::Parameter(parameter))] }
            }
        }
    }

    /// The range of the largest (lower bounds) or smallest (upper bounds) of some expressions.
    fn bound_range(&self, bound: &Bound, lower: bool) -> Range {
        let ranges = bound.0.iter().map(|affine| self.range(affine));
        let combine = |a: Range, b: Range| {
            if lower { (a.0.max(b.0), a.1.max(b.1)) } else { (a.0.min(b.0), a.1.min(b.1)) }
        };
        ranges.reduce(combine).expect("a bound has an expression")
    }

    fn range(&self, affine: &Affine) -> Range {
        let start = (affine.constant, affine.constant);
        affine.terms.iter().fold(start, |(low, high), (factor, variable)| {
            let (a, b) = match *variable {
                Variable::Iterator(depth) => self.iterators[depth],
                Variable::Parameter(k) => self.parameters[k],
            };
            (low + (factor * a).min(factor * b), high + (factor * a).max(factor * b))
        })
    }

    /// An affine expression over what is in scope.
    fn affine(&mut self, most_terms: i64) -> Affine {
        let mut terms: Vec<(i64, Variable)> = Vec::new();
        for _ in 0..self.random.between(1, most_terms) {
            let in_loop = !self.iterators.is_empty() && self.random.chance(85);
            let variable = if in_loop {
                Variable::Iterator(self.random.below(self.iterators.len()))
            } else {
                Variable::Parameter(self.random.below(self.parameters.len()))
            };
            let factor = *self.random.pick(&[1, 1, 1, 1, 1, -1, -1, 2, 3, -2]);
            if !terms.iter().any(|(_, other)| *other == variable) {
                terms.push((factor, variable));
            }
        }
        Affine { constant: self.random.between(-2, 2), terms }
    }

    fn subscript(&mut self) -> (Subscript, i64) {
        let affine = if !self.iterators.is_empty() && self.random.chance(60) {
            self.common_subscript()
        } else {
            let most_terms = *self.random.pick(&[1, 1, 2, 2, 3]);
            self.affine(most_terms)
        };
        let (low, high) = self.range(&affine);
        if self.traits.lookups && high - low < TABLE && self.random.chance(30) {
            let offset = *self.random.pick(&[0, 0, 1]);
            return (Subscript { affine, rounding: Rounding::Lookup(-low), offset }, LOOKED_UP + offset);
        }
        let divisor = self.random.between(2, 5);
        let (rounding, low, high) = match self.random.between(1, 20) {
            1 => (Rounding::Quotient(divisor), low / divisor, high / divisor),
            2 if low >= 0 => (Rounding::Remainder(divisor), 0, divisor - 1),
            2 => (Rounding::Remainder(divisor), 1 - divisor, divisor - 1),
            _ => (Rounding::Plain, low, high),
        };
        // Mostly no larger offset than needed, so that accesses to one array meet.
        let slack = *self.random.pick(&[0, 0, 0, 0, 0, 1, 2]);
        let offset = if low < 0 { -low } else { 0 } + slack;
        (Subscript { affine, rounding, offset }, high + offset + 1)
    }

    /// An iterator, or the element next to it.
    fn common_subscript(&mut self) -> Affine {
        let iterator = Variable::Iterator(self.random.below(self.iterators.len()));
        let constant = *self.random.pick(&[0, 0, 0, 0, 1, -1]);
        Affine { constant, terms: vec![(1, iterator)] }
    }

    fn access(&mut self) -> Access {
        let known = |&k: &usize| self.arrays[k].form != Form::Local || self.known_arrays.contains(&k);
        let known: Vec<usize> = (0..self.arrays.len()).filter(known).collect();
        let array = *self.random.pick(&known);
        for _ in 0..20 {
            let dimensions = self.arrays[array].extents.len();
            let made: Vec<(Subscript, i64)> = (0..dimensions).map(|_| self.subscript()).collect();
            let grown: Vec<i64> =
                made.iter().zip(&self.arrays[array].extents).map(|((_, need), has)| *need.max(has)).collect();
            if grown.iter().product::<i64>() <= MOST_ELEMENTS {
                self.arrays[array].extents = grown;
                return Access { array, subscripts: made.into_iter().map(|(subscript, _)| subscript).collect() };
            }
        }
        let zero =
            Subscript { affine: Affine { constant: 0, terms: Vec::new() }, rounding: Rounding::Plain, offset: 0 };
        Access { array, subscripts: vec![zero; self.arrays[array].extents.len()] }
    }

    fn condition(&mut self) -> Condition {
        match self.random.between(1, 10) {
            1 => Condition::And(Box::new(self.simple_condition()), Box::new(self.simple_condition())),
            2 => Condition::Or(Box::new(self.simple_condition()), Box::new(self.simple_condition())),
            3 => Condition::Data(self.access(), self.random.between(-3, 5)),
            _ => self.simple_condition(),
        }
    }

    fn simple_condition(&mut self) -> Condition {
        let affine = self.affine(2);
        if self.random.chance(20) {
            let divisor = self.random.between(2, 4);
            let remainder = self.random.between(0, divisor - 1);
            return Condition::Congruent(affine, divisor, remainder);
        }
        let operators = ["<", "<=", ">", ">=", "==", "!="];
        let operator: &'static str = operators[self.random.below(operators.len())];
        Condition::Compare(affine, operator)
    }

    fn assignment(&mut self) -> Statement {
        self.left -= 1;
        let target = self.access();
        let operator = *self.random.pick(&["=", "=", "+=", "+=", "-="]);
        // Often the same element, or one near it, on both sides.
        let near = operator == "=" && self.random.chance(50);
        let first = if near { Value::Half(Box::new(Value::Element(self.neighbour(&target)))) } else { self.value(2) };
        let value = if self.random.chance(70) {
            let sign = *self.random.pick(&['+', '-']);
            Value::Binary(sign, Box::new(first), Box::new(Value::Half(Box::new(self.value(1)))))
        } else {
            first
        };
        Statement::Assign { target, operator, value }
    }

    fn set_scalar(&mut self) -> Statement {
        self.left -= 1;
        let scalar = self.random.below(self.scalars);
        let fresh = self.value(1);
        if self.random.chance(40) {
            return Statement::Set { scalar, operator: self.update(), value: fresh };
        }
        let old = Value::Half(Box::new(Value::Scalar(scalar)));
        let value = if self.random.chance(75) { Value::Binary('+', Box::new(old), Box::new(fresh)) } else { fresh };
        Statement::Set { scalar, operator: "=", value }
    }

    /// The same element or one next to it, if that is inside the array.
    fn neighbour(&mut self, access: &Access) -> Access {
        let mut near = access.clone();
        for (d, subscript) in near.subscripts.iter_mut().enumerate() {
            let (low, _) = self.range(&subscript.affine);
            let shift = *self.random.pick(&[0, 0, 1, -1]);
            let plain = subscript.rounding == Rounding::Plain;
            let inside = low + subscript.offset + shift >= 0;
            let fits = self.arrays[near.array].extents.iter().product::<i64>() * 2 <= MOST_ELEMENTS;
            if plain && inside && fits {
                subscript.offset += shift;
                if shift > 0 {
                    let (_, high) = self.range(&subscript.affine);
                    let need = high + subscript.offset + 1;
                    let extent = &mut self.arrays[near.array].extents[d];
                    *extent = need.max(*extent);
                }
            }
        }
        near
    }

    fn value(&mut self, depth: u32) -> Value {
        match self.random.between(1, 20) {
            1 => Value::Number(self.random.between(0, 9)),
            2 if !self.iterators.is_empty() => {
                Value::Variable(Variable::Iterator(self.random.below(self.iterators.len())))
            }
            3 => Value::Variable(Variable::Parameter(self.random.below(self.parameters.len()))),
            4..=6 if !self.known_locals.is_empty() => Value::Local(*self.random.pick(&self.known_locals)),
            4..=6 if self.scalars > 0 => Value::Scalar(self.random.below(self.scalars)),
            7..=10 if depth > 0 => {
                let operator = *self.random.pick(&['+', '-', '*', '*']);
                Value::Binary(operator, Box::new(self.value(depth - 1)), Box::new(self.value(depth - 1)))
            }
            11 if depth > 0 => Value::Select(
                Box::new(self.condition()),
                Box::new(self.value(depth - 1)),
                Box::new(self.value(depth - 1)),
            ),
            _ => Value::Element(self.access()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_program() {
        assert_eq!(program(17), program(17));
        assert_ne!(program(17), program(18));
    }

    #[test]
    fn some_programs_combine_windows() {
        let seeds = (0..100).filter(|&seed| Traits::of(seed).windows);
        let is_window = |statement: &Statement| {
            let Statement::Local { what: Local::Number(..), body } = statement else { return false };
            matches!(&body[..], [Statement::Loop(_), Statement::Assign { value: Value::Local(_), .. }])
        };
        fn any(block: &[Statement], is: &dyn Fn(&Statement) -> bool) -> bool {
            block.iter().any(|statement| match statement {
                Statement::Loop(the_loop) => any(&the_loop.body, is),
                other => is(other),
            })
        }
        assert!(seeds.filter(|&seed| any(&program(seed).body, &is_window)).count() > 5);
    }

    #[test]
    fn every_program_loops_and_stays_small() {
        for seed in 0..500 {
            let program = program(seed);
            assert!(program.arrays.iter().all(|array| array.count() <= MOST_ELEMENTS), "seed {seed}");
            assert!(!program.body.is_empty(), "seed {seed}");
        }
    }
}
