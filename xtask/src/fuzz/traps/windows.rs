//! Reductions whose answers have much in common: prefix sums, sliding sums and extremes, boxes.
//!
//! # Problem
//! Poly computes such reductions with fewer operations, takes windows apart that are written out,
//! and looks at numbers before it changes the order of sums inside of minima. Nests at random
//! hardly ever have their form.
//!
//! # Definitions
//! An answer combines the points of a *window*: of constant width, as wide as a parameter says,
//! growing, shrinking, or cut at the borders. The window is a loop, or written out as one
//! expression, with a hole or a point that comes twice now and then.

use super::function::{Element, Form};
use super::integers::{Expression, INT, Integer, Operator};
use super::make::Maker;
use super::nest::{Head, Shape, Step, Test};

/// What a window is combined by.
const OPERATORS: [&str; 10] = ["+", "+", "+", "-", "^", "|", "&", "*", "min", "max"];

/// A reduction.
struct Reduction {
    operator: &'static str,
    /// The type that it is computed in.
    kind: Integer,
    /// The array that values are read from, and one that is added to them or multiplied with.
    values: usize,
    factors: Option<usize>,
    answers: usize,
}

/// What the points of a window are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// So many, from where the answer is.
    Width,
    /// On both sides of the answer, cut at the borders.
    Centred,
    /// An interval of subscripts.
    Interval,
}

fn number(value: i64) -> Expression {
    Expression::Number(value)
}

fn sum(left: Expression, right: Expression) -> Expression {
    Expression::binary(Operator::Add, left, right)
}

impl Maker<'_> {
    /// A nest that computes windows.
    pub(super) fn windows(&mut self) -> Step {
        if self.random.chance(60) { self.windows_of_line() } else { self.boxes() }
    }

    /// `for (first <= counter < limit)`, or `<= limit`.
    pub(super) fn count(&mut self, kind: Integer, first: Expression, (test, limit): (Test, Expression)) -> Head {
        let counter = self.counter(kind);
        let next = sum(Expression::Variable(counter), number(1));
        let shape = *self.random.pick(&[Shape::For, Shape::For, Shape::For, Shape::While]);
        Head { counter, first, test, limit, next, shape }
    }

    /// How long something is: a number, or what depends on a parameter.
    pub(super) fn length(&mut self, most: i64) -> Expression {
        match self.random.between(1, 4) {
            1 => number(self.random.between(0, most)),
            2 => number(self.random.between(most / 2, most)),
            3 => self.parameter(),
            _ => sum(self.parameter(), number(self.random.between(-2, most / 2))),
        }
    }

    fn reduction(&mut self, form: Form) -> Reduction {
        let kind = *self.random.pick(&Integer::ALL);
        let forms = [form, form, if form.dimensions() == 1 { Form::Global } else { Form::Flat }];
        let of_values = *self.random.pick(&forms);
        let values = self.new_array(Element::Integer(kind), of_values);
        let operator = *self.random.pick(&OPERATORS);
        let is_extreme = matches!(operator, "min" | "max");
        // Sums of numbers of all bits overflow where they are signed.
        let may_be_signed = is_extreme && kind.bits < 32;
        let signed = may_be_signed && self.random.chance(70);
        let bits = if kind.bits == 64 || self.random.chance(25) { 64 } else { 32 };
        let of_answers = if self.random.chance(70) { Integer { bits, signed } } else { kind };
        let form_of_answers = *self.random.pick(&forms);
        let answers = self.new_array(Element::Integer(of_answers), form_of_answers);
        let with_factors = form.dimensions() == 1 && self.random.chance(if is_extreme { 50 } else { 20 });
        let factors = with_factors.then(|| self.new_array(Element::Integer(kind), Form::Own));
        Reduction { operator, kind: Integer { bits, signed }, values, factors, answers }
    }

    /// A line of windows.
    fn windows_of_line(&mut self) -> Step {
        let form = *self.random.pick(&[Form::Shared, Form::Own]);
        let reduction = self.reduction(form);
        let kind = *self.random.pick(&Integer::ALL);
        let limit = self.length(60);
        let outer = self.count(kind, number(0), (Test::Less, limit.clone()));
        let i = || Expression::Variable(outer.counter);
        if self.random.chance(30) {
            let body = self.written_out(&reduction, outer.counter);
            return Step::Loop(outer, vec![body]);
        }
        let (extent, first, end) = self.extent(i(), limit.clone());
        let inner = self.count(INT, first, end);
        let place = self.place(extent, i(), Expression::Variable(inner.counter));
        let value = self.index_of(reduction.values, 0, place.clone(), 1);
        let factor = reduction.factors.map(|array| {
            let own = if self.random.chance(50) { i() } else { Expression::Variable(inner.counter) };
            let offset = if extent == Extent::Centred { number(3) } else { number(0) };
            (array, self.index_of(array, 0, sum(own, offset), 1))
        });
        let value = self.value_of(&reduction, &format!("[{value}]"), factor);
        let mut body = vec![self.combined(&reduction, &value)];
        if extent == Extent::Centred {
            body =
                vec![Step::If(place.clone(), Test::AtLeast, number(0), vec![Step::If(place, Test::Less, limit, body)])];
        }
        let target = self.index_of(reduction.answers, 0, i(), 1);
        let answer = self.answer(&reduction, &format!("[{target}]"), vec![Step::Loop(inner, body)]);
        Step::Loop(outer, vec![answer])
    }

    /// The numbers of the points of a window of answer `i`, and where it ends; there are `limit`
    /// answers.
    fn extent(&mut self, i: Expression, limit: Expression) -> (Extent, Expression, (Test, Expression)) {
        use Extent::{Centred, Interval, Width};
        use Operator::{Multiply, Subtract};
        let width = if self.random.chance(60) { number(self.random.between(1, 20)) } else { self.parameter() };
        match self.random.between(1, 10) {
            1..=4 => (Width, number(0), (Test::Less, width)),
            5..=6 => (Interval, number(0), (Test::AtMost, i)),
            7 => (Interval, i, (Test::Less, limit)),
            8 => (Interval, i.clone(), (Test::AtMost, Expression::binary(Multiply, i, number(2)))),
            9 => (Interval, number(0), (Test::Less, Expression::binary(Subtract, limit, i))),
            _ => (Centred, number(-3), (Test::AtMost, number(self.random.between(0, 4)))),
        }
    }

    /// The subscript of point `k` of the window of answer `i`.
    fn place(&mut self, extent: Extent, i: Expression, k: Expression) -> Expression {
        let twice = |of| Expression::binary(Operator::Multiply, of, number(2));
        match (extent, self.random.between(1, 6)) {
            (Extent::Centred, _) | (Extent::Width, 1..=4) => sum(i, k),
            (Extent::Width, 5) => sum(twice(i), k),
            (Extent::Width, _) => sum(i, twice(k)),
            (Extent::Interval, _) => k,
        }
    }

    /// Boxes of a matrix.
    fn boxes(&mut self) -> Step {
        let reduction = self.reduction(Form::Matrix);
        let (limits, kind) = ([self.length(14), self.length(14)], *self.random.pick(&Integer::ALL));
        let [rows, columns] = limits;
        let outer = self.count(kind, number(0), (Test::Less, rows));
        let inner = self.count(INT, number(0), (Test::Less, columns));
        let (i, j) = (Expression::Variable(outer.counter), Expression::Variable(inner.counter));
        let mut width = || match self.random.chance(75) {
            true => number(self.random.between(1, 6)),
            false => self.parameter(),
        };
        let widths = [width(), width()];
        let grows = self.random.chance(20);
        let [high, wide] = if grows { [sum(i.clone(), number(1)), sum(j.clone(), number(1))] } else { widths };
        let down = self.count(INT, number(0), (Test::Less, high));
        let along = self.count(INT, number(0), (Test::Less, wide));
        let (p, q) = (Expression::Variable(down.counter), Expression::Variable(along.counter));
        let [row, column] = if grows { [p, q] } else { [sum(i.clone(), p), sum(j.clone(), q)] };
        let subscripts = self.element(reduction.values, [row, column]);
        let value = self.value_of(&reduction, &subscripts, None);
        let body = self.combined(&reduction, &value);
        let target = self.element(reduction.answers, [i, j]);
        let window = Step::Loop(down, vec![Step::Loop(along, vec![body])]);
        let answer = self.answer(&reduction, &target, vec![window]);
        Step::Loop(outer, vec![Step::Loop(inner, vec![answer])])
    }

    /// The subscripts of an element of a matrix.
    fn element(&mut self, array: usize, [row, column]: [Expression; 2]) -> String {
        let (row, column) = (self.index_of(array, 0, row, 1), self.index_of(array, 1, column, 1));
        match self.function.arrays[array].form {
            Form::Flat => format!("[({row}) * w{array} + ({column})]"),
            _ => format!("[{row}][{column}]"),
        }
    }

    fn name(&self, array: usize) -> String {
        format!("a{}_{array}", self.function.number)
    }

    /// A value of the reduction, in its type.
    fn value_of(&mut self, reduction: &Reduction, subscripts: &str, factor: Option<(usize, String)>) -> String {
        let value = format!("({}){}{subscripts}", reduction.kind.name(), self.name(reduction.values));
        let Some((array, place)) = factor else { return value };
        let operator = if matches!(reduction.operator, "min" | "max" | "^") { "+" } else { "*" };
        format!("({value} {operator} ({}){}[{place}])", reduction.kind.name(), self.name(array))
    }

    /// The update of `w` by a value.
    fn combined(&mut self, reduction: &Reduction, value: &str) -> Step {
        let kind = reduction.kind.name();
        Step::Text(match reduction.operator {
            "min" | "max" => {
                let test = if reduction.operator == "min" { "<" } else { ">" };
                if self.random.chance(50) {
                    format!("if ({value} {test} w) w = {value};")
                } else {
                    format!("{{ {kind} v = {value}; w = w {test} v ? w : v; }}")
                }
            }
            operator => format!("w {operator}= {value};"),
        })
    }

    /// What is done with the answer of a window.
    fn answer(&mut self, reduction: &Reduction, subscripts: &str, window: Vec<Step>) -> Step {
        let (kind, target) = (reduction.kind, format!("{}{subscripts}", self.name(reduction.answers)));
        let begin = match reduction.operator {
            "*" => "1",
            "&" => "-1",
            "min" if kind.signed => "1 << 20",
            "max" if kind.signed => "-(1 << 20)",
            "min" => "-1",
            _ => "0",
        };
        let begin = if self.random.chance(15) { "s2" } else { begin };
        let operator = *self.random.pick(&["=", "=", "=", "^=", "|="]);
        let used = *self.random.pick(&["w", "w", "w", "w / 3", "(w >> 1)"]);
        let head = format!("{{ {} w = {begin};", kind.name());
        Step::Block { head, body: window, tail: format!("{target} {operator} {used}; }}") }
    }

    /// A window as one expression.
    fn written_out(&mut self, reduction: &Reduction, counter: usize) -> Step {
        let width = self.random.between(2, 14);
        let mut places: Vec<i64> = (0..width).collect();
        if self.random.chance(25) && width > 3 {
            places.remove(self.random.below(places.len()));
        }
        if self.random.chance(20) {
            let again = *self.random.pick(&places);
            places.push(again);
        }
        if self.random.chance(20) {
            places.reverse();
        }
        let mut text = String::new();
        for (k, place) in places.into_iter().enumerate() {
            let subscript = sum(Expression::Variable(counter), number(place));
            let subscript = self.index_of(reduction.values, 0, subscript, 1);
            let value = self.value_of(reduction, &format!("[{subscript}]"), None);
            if k == 0 {
                text = format!("w = {value};");
            } else {
                let Step::Text(more) = self.combined(reduction, &value) else { continue };
                text.push(' ');
                text.push_str(&more);
            }
        }
        let target = self.index_of(reduction.answers, 0, Expression::Variable(counter), 1);
        self.answer(reduction, &format!("[{target}]"), vec![Step::Text(text)])
    }
}
