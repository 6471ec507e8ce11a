//! Dynamic programming of which only the last rows of the table are kept.
//!
//! # Problem
//! Poly gives every iteration a row of its own where the program swaps the pointers of two rows,
//! copies one to the other, or updates one in place. What makes that wrong is in details: which
//! elements are written, what rows begin with, what is read of them behind the loops, and by which
//! iteration.
//!
//! # Definitions
//! A cell is made of the one *above* (row before, same column), the one *before* (same row, column
//! before), and the *diagonal* one, with a *cost* that depends on its row and its column.

use super::function::{Element, Form};
use super::integers::{Expression, INT, Integer, Operator};
use super::make::Maker;
use super::nest::{Head, Step, Test};

/// How many elements a row has, which is more than are used.
const ROW: i64 = 64;

/// The longest row that is used, and the most rows.
const LONGEST: i64 = 48;

/// The way to declare rows that needs `free`.
const HEAP: i64 = 4;

/// How an iteration gets the row of the one before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Handing {
    Swapped,
    Copied,
    /// `row[i % 2]`
    Remainder,
    /// One row that is updated.
    InPlace,
    /// Three rows that change places.
    Three,
}

/// A table, with the texts of its cells.
struct Table {
    handing: Handing,
    element: Element,
    /// The cells at a subscript: of this row, and of the one before.
    own: fn(&str, &str) -> String,
    above: fn(&str, &str) -> String,
}

impl Maker<'_> {
    /// A table of which some rows are kept.
    pub(super) fn rows(&mut self) -> Step {
        use Handing::{Copied, InPlace, Remainder, Swapped, Three};
        let handing = *self.random.pick(&[Swapped, Swapped, Swapped, Copied, Remainder, InPlace, InPlace, Three]);
        let element = match self.random.between(1, 10) {
            1 => Element::Double,
            2 => Element::Float,
            3..=5 => Element::Integer(INT),
            _ => Element::Integer(*self.random.pick(&Integer::ALL)),
        };
        let table = match handing {
            InPlace => Table { handing, element, own: |_, j| format!("r0[{j}]"), above: |_, j| format!("r0[{j}]") },
            Remainder => Table {
                handing,
                element,
                own: |i, j| format!("rows[{i} % 2u][{j}]"),
                above: |i, j| format!("rows[({i} + 1u) % 2u][{j}]"),
            },
            _ => Table { handing, element, own: |_, j| format!("cur[{j}]"), above: |_, j| format!("prev[{j}]") },
        };
        let kinds = [INT, *self.random.pick(&Integer::ALL)];
        let limits = [self.length(LONGEST), self.length(LONGEST)];
        let [rows, columns] = limits.clone();
        let outer = self.count(kinds[0], Expression::Number(1), (Test::AtMost, rows));
        let inner = self.count(kinds[1], Expression::Number(1), (Test::AtMost, columns));
        let (head, freed) = self.storage(&table);
        let body = self.row(&table, &outer, inner);
        let tail = self.results(&table, &limits);
        Step::Block { head, body: vec![Step::Loop(outer, body)], tail: format!("{tail}{freed}}}") }
    }

    /// What declares rows and fills them, and what frees them.
    fn storage(&mut self, table: &Table) -> (String, String) {
        let element = table.element.name();
        let count = match table.handing {
            Handing::InPlace => 1,
            Handing::Three => 3,
            _ => 2,
        };
        let (mut text, mut freed) = ("{ ".to_owned(), String::new());
        if table.handing == Handing::Remainder {
            text.push_str(&format!("{element} rows[2][{ROW}]; "));
        }
        let way = self.random.between(1, 5);
        for k in 0..count {
            text.push_str(&self.memory(table, k, way));
            if way == HEAP && table.handing != Handing::Remainder {
                freed.push_str(&format!("free(r{k}); "));
            }
        }
        for k in 0..count {
            let begin = *self.random.pick(&["q", "q", "0", "2 * q", "q % 5", "q == 0 ? 0 : 50"]);
            text.push_str(&format!("for (int q = 0; q < {ROW}; q++) r{k}[q] = ({element})({begin}); "));
        }
        if !matches!(table.handing, Handing::InPlace | Handing::Remainder) {
            text.push_str(&format!("{element} *prev = r0, *cur = r1; "));
        }
        if table.handing == Handing::Three {
            text.push_str(&format!("{element} *old = r2; "));
        }
        (text + &format!("{element} best = 0;"), freed)
    }

    /// What declares row `k`, in one of several ways.
    fn memory(&mut self, table: &Table, k: usize, way: i64) -> String {
        let element = table.element.name();
        match (table.handing, way) {
            (Handing::Remainder, _) => format!("{element} *r{k} = rows[{k}]; "),
            (_, HEAP) => format!("{element} *r{k} = malloc({ROW} * sizeof({element})); "),
            (_, 1) => format!("{element} r{k}[{ROW}]; "),
            (_, 2) => format!("static {element} r{k}[{ROW}]; "),
            (_, 3) => format!("int size{k} = {ROW} + (int)(s0 & 3); {element} r{k}[size{k}]; "),
            _ => {
                // Shared memory has integers only, and memcpy wants memory that does not overlap.
                let is_own = table.element.is_floating() || table.handing == Handing::Copied;
                let shared = if is_own { Form::Own } else { Form::Shared };
                let form = *self.random.pick(&[Form::Own, shared, Form::Global]);
                let array = self.new_array(table.element, form);
                let first = self.index_of(array, 0, Expression::Number(0), i128::from(ROW));
                format!("{element} *r{k} = &a{}_{array}[{first}]; ", self.function.number)
            }
        }
    }

    /// What an iteration of the loop over rows does.
    fn row(&mut self, table: &Table, outer: &Head, inner: Head) -> Vec<Step> {
        let element = table.element.name();
        let name_of = |counter: usize| self.function.scope[counter].name.clone();
        let (i, j) = (name_of(outer.counter), name_of(inner.counter));
        let (own, above) = (|place: &str| (table.own)(&i, place), |place: &str| (table.above)(&i, place));
        let before = format!("{j} - 1");
        let diagonal = if table.handing == Handing::InPlace { "diagonal".to_owned() } else { above(&before) };
        let cost = self.cost(outer.counter, inner.counter);
        let cell = self.cell(table, [&above(&j), &own(&before), &diagonal, &cost]);
        let mut steps = Vec::new();
        if table.handing == Handing::InPlace {
            steps.push(Step::Text(format!("{element} diagonal = r0[0];")));
        }
        steps.push(Step::Text(match self.random.between(1, 5) {
            1..=2 => format!("{} = ({element}){i};", own("0")),
            3 => format!("{} = 0;", own("0")),
            4 => format!("{} = ({element})({} + 1);", own("0"), above("0")),
            _ => String::new(),
        }));
        let target = own(&j);
        let mut body = match table.handing {
            Handing::InPlace => vec![format!("{element} kept = r0[{j}]; {target} = {cell}; diagonal = kept;")],
            _ => vec![format!("{target} = {cell};")],
        };
        if self.random.chance(25) {
            body.push(format!("if ({target} > best) best = {target};"));
        }
        steps.push(Step::Loop(inner, body.into_iter().map(Step::Text).collect()));
        if self.random.chance(10) {
            steps.push(Step::Text(format!("if ({} > 45) break;", own("5"))));
        }
        steps.push(Step::Text(match table.handing {
            Handing::Swapped => format!("{element} *t = prev; prev = cur; cur = t;"),
            Handing::Three => format!("{element} *t = old; old = prev; prev = cur; cur = t;"),
            Handing::Copied if self.random.chance(50) => format!("memcpy(prev, cur, {ROW} * sizeof({element}));"),
            Handing::Copied => format!("for (int q = 0; q < {ROW}; q++) prev[q] = cur[q];"),
            Handing::Remainder | Handing::InPlace => String::new(),
        }));
        steps
    }

    /// What a cell costs: it depends on the row, the column, or both.
    fn cost(&mut self, row: usize, column: usize) -> String {
        let kind = *self.random.pick(&Integer::ALL);
        let form = *self.random.pick(&[Form::Own, Form::Own, Form::Shared, Form::Global]);
        let of = |maker: &mut Self, counter: usize| {
            let array = maker.new_array(Element::Integer(kind), form);
            let place = Expression::binary(Operator::Subtract, Expression::Variable(counter), Expression::Number(1));
            let place = maker.index_of(array, 0, place, 1);
            format!("a{}_{array}[{place}]", maker.function.number)
        };
        let (a, b) = (of(self, row), of(self, column));
        match self.random.between(1, 5) {
            1 => format!("({a} != {b})"),
            2 => format!("(({a} & 3) == ({b} & 3) ? 2 : 0)"),
            3 => format!("(int)({b} & 3)"),
            4 => format!("(int)({a} & 3)"),
            _ => format!("({a} > {b} ? 3 : 1)"),
        }
    }

    /// The value of a cell.
    fn cell(&mut self, table: &Table, [above, before, diagonal, cost]: [&str; 4]) -> String {
        let element = table.element.name();
        let test = *self.random.pick(&["<", ">"]);
        // Arguments are named: they are long, and each is needed twice.
        let best = |a: &str, b: &str| format!("({{ {element} x = {a}, y = {b}; x {test} y ? x : y; }})");
        let gap = self.random.between(0, 3);
        let is_unsigned = matches!(table.element, Element::Integer(kind) if !kind.signed);
        let value = match self.random.between(1, 9) {
            1..=3 => {
                format!("({{ {element} u = {}, v = {diagonal} + {cost}; u {test} v ? u : v; }})", {
                    let neighbours = best(above, before);
                    format!("{neighbours} + {gap}")
                })
            }
            4 => format!("({cost} != 0 ? {diagonal} + 1 : {})", best(above, before)),
            5 => format!("{} + {cost}", best(above, before)),
            6 => format!("{} + {gap}", best(above, diagonal)),
            7 if is_unsigned => format!("{above} + {before}"),
            8 if table.handing == Handing::Three => best(above, "old[5]"),
            8 => format!("{above} + {cost}"),
            _ => {
                format!("({{ {element} u = {}; u {test} {diagonal} ? u : {diagonal}; }}) + {cost}", best(above, before))
            }
        };
        format!("({element})({value})")
    }

    /// What is read of the rows behind the loops.
    fn results(&mut self, table: &Table, [_, columns]: &[Expression; 2]) -> String {
        let length = columns.text(&self.function.scope);
        let sum = |row: &str, to: &str| {
            format!("for (int q = 0; q < {to}; q++) s1 = s1 * 31 + (uint64_t)(int64_t){row}[q]; ")
        };
        let all = ROW.to_string();
        let mut text = "s0 += (uint32_t)(int64_t)best; ".to_owned();
        let last = match table.handing {
            Handing::InPlace => "r0",
            Handing::Remainder => "rows[1]",
            _ => "prev",
        };
        text += &match self.random.between(1, 3) {
            1 => sum(last, &all),
            2 => format!(
                "for (int q = 0; q < {ROW} && q <= (int)({length}); q++) s1 ^= (uint64_t)(int64_t){last}[q] << (q & 31); "
            ),
            _ if table.handing == Handing::InPlace => sum(last, &all),
            _ => sum("r0", &all) + &sum("r1", &all),
        };
        text
    }
}
