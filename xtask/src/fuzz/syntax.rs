//! The programs that are generated, as trees, and their C text.
//!
//! A program is one function, the kernel, with loops over arrays, affine but for some that depend
//! on data, and a `main` that calls it several times with different parameters and differently
//! placed arrays, and prints all memory after each call. Some kernels print or end the program in
//! rare cases, have subscripts that are looked up in a table, or loops over tiles of a size that is
//! a parameter.

use std::fmt::{self, Write as _};

use super::{Generated, generate, reduce};

/// An iterator or a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variable {
    /// The iterator of the loop at this depth, 0 outermost.
    Iterator(usize),
    /// A parameter of the kernel.
    Parameter(usize),
}

/// `constant + sum of factor * variable`
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Affine {
    pub(crate) constant: i64,
    pub(crate) terms: Vec<(i64, Variable)>,
}

/// A subscript: an affine expression, its quotient or its remainder, and an offset that keeps it
/// inside the array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Subscript {
    pub(crate) affine: Affine,
    pub(crate) rounding: Rounding,
    pub(crate) offset: i64,
}

/// What is done with an affine expression; division as in C, towards zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    Plain,
    Quotient(i64),
    Remainder(i64),
    /// The number of the table at the place that the expression and this offset give.
    Lookup(i64),
}

/// How many numbers the table of subscripts has.
pub(crate) const TABLE: i64 = 64;

/// The numbers in the table are from 0 up to this, which is not included.
pub(crate) const LOOKED_UP: i64 = 8;

/// An element of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Access {
    pub(crate) array: usize,
    pub(crate) subscripts: Vec<Subscript>,
}

/// The largest (of lower bounds) or smallest (of upper bounds) of some expressions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bound(pub(crate) Vec<Affine>);

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    /// `affine OP 0`
    Compare(Affine, &'static str),
    /// `affine % divisor == remainder`
    Congruent(Affine, i64, i64),
    /// `element > number`: depends on data
    Data(Access, i64),
    /// The subscript is beyond what the table has.
    Beyond(Subscript),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Number(i64),
    Variable(Variable),
    Scalar(usize),
    /// A temporary number.
    Local(usize),
    Element(Access),
    /// `left OP right` with `+`, `-` or `*`
    Binary(char, Box<Value>, Box<Value>),
    /// Half of a floating-point value; an integer shifted right.
    Half(Box<Value>),
    Select(Box<Condition>, Box<Value>, Box<Value>),
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Statement {
    Loop(Loop),
    If {
        condition: Condition,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    /// `target OP value` with `=` or an operator of updates: see [`UPDATES`].
    Assign {
        target: Access,
        operator: &'static str,
        value: Value,
    },
    /// Sets a scalar of the kernel, with the same operators.
    Set {
        scalar: usize,
        operator: &'static str,
        value: Value,
    },
    /// A temporary that lives in one execution of the block: a number, or an array of
    /// [`Form::Local`].
    Local {
        what: Local,
        body: Vec<Statement>,
    },
    /// Sets a temporary number, with the same operators.
    SetLocal {
        number: usize,
        operator: &'static str,
        value: Value,
    },
    /// A loop that ends when a temporary number, which it halves, is small.
    Shrink {
        number: usize,
        body: Vec<Statement>,
    },
    /// Prints an element where the condition holds.
    Report(Condition, Access),
    /// Ends the program where the condition holds.
    End(Condition),
}

/// A temporary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Local {
    /// A number, with its first value.
    Number(usize, Value),
    /// An array.
    Array(usize),
}

/// The operators of updates: of integers, and of floating-point numbers.
pub(crate) const UPDATES: [&[&str]; 2] =
    [&["+=", "-=", "*=", "&=", "|=", "^=", "min=", "max="], &["+=", "-=", "+=", "-=", "max="]];

/// A loop over `lower <= iterator < upper`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Loop {
    pub(crate) depth: usize,
    /// The C type of the iterator.
    pub(crate) kind: &'static str,
    pub(crate) lower: Bound,
    pub(crate) upper: Bound,
    /// Negative: from the last iteration down.
    pub(crate) step: i64,
    /// How the number of iterations depends on data.
    pub(crate) irregular: Option<Irregular>,
    /// It goes over tiles of a size that is a parameter, outside of the points of all loops that
    /// are tiled with it.
    pub(crate) tiled: bool,
    pub(crate) body: Vec<Statement>,
}

/// How the number of iterations of a loop depends on data, within its bounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Irregular {
    /// The upper bound is at most the first number if the condition holds, else the second one.
    Limit(Condition, i64, i64),
    /// It goes on while the condition holds.
    While(Condition),
    /// It is left where the condition holds, before this statement of its body.
    Break(usize, Condition),
}

/// The type of an array's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    Double,
    Float,
    Byte,
    Short,
    Word,
    Long,
}

impl Element {
    pub(crate) const ALL: [Element; 6] =
        [Element::Double, Element::Float, Element::Byte, Element::Short, Element::Word, Element::Long];

    pub(crate) fn is_floating(self) -> bool {
        matches!(self, Element::Double | Element::Float)
    }

    fn name(self) -> &'static str {
        match self {
            Element::Double => "double",
            Element::Float => "float",
            Element::Byte => "uint8_t",
            Element::Short => "int16_t",
            Element::Word => "uint32_t",
            Element::Long => "uint64_t",
        }
    }
}

/// How an array is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `T A[N][M]` with constant extents.
    Constant,
    /// `T A[n][m]` with extents that are parameters.
    Variable,
    /// `T *A`, subscripts made into one.
    Flat,
    /// A global variable.
    Global,
    /// `T **A`: a table of pointers to rows; what is inside a row is made into one subscript.
    Rows,
    /// A temporary of a block.
    Local,
}

/// Where the rows of an array lie that is reached through a table, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// One behind the other.
    Up,
    /// One in front of the other.
    Down,
    /// Distinct, but not in order.
    Turned,
    /// Two numbers mean the same row.
    Shared,
}

impl Layout {
    pub(crate) const ALL: [Layout; 4] = [Layout::Up, Layout::Down, Layout::Turned, Layout::Shared];

    /// The place of row `r_` of `rows`.
    fn place(self, rows: i64) -> String {
        match self {
            Layout::Up => "r_".to_owned(),
            Layout::Down => format!("{rows} - 1 - r_"),
            Layout::Turned => format!("(r_ + 1) % {rows}"),
            Layout::Shared => "r_ / 2".to_owned(),
        }
    }
}

/// An array of the kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Array {
    pub(crate) element: Element,
    pub(crate) form: Form,
    pub(crate) extents: Vec<i64>,
}

impl Array {
    pub(crate) fn count(&self) -> i64 {
        self.extents.iter().product()
    }

    /// The caller provides its memory.
    pub(crate) fn is_given(&self) -> bool {
        !matches!(self.form, Form::Global | Form::Local)
    }
}

/// One call of the kernel: the parameters, and where each array begins in the memory of its element
/// type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) parameters: Vec<i64>,
    /// The size of tiles.
    pub(crate) tile: i64,
    pub(crate) offsets: Vec<i64>,
    /// Where the rows of each array lie; of use for those that have a table.
    pub(crate) layouts: Vec<Layout>,
}

/// A whole program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program {
    /// The C types of the parameters.
    pub(crate) parameters: Vec<&'static str>,
    pub(crate) arrays: Vec<Array>,
    pub(crate) scalars: usize,
    /// Whether scalars and plain numbers are floating-point: those of a kernel with integer arrays
    /// are not.
    pub(crate) floating: bool,
    pub(crate) body: Vec<Statement>,
    pub(crate) calls: Vec<Call>,
}

impl Generated for Program {
    const FLAGS: &'static [&'static str] = &[];
    const NAME: &'static str = "seed";

    fn of_seed(seed: u64) -> Program {
        generate::program(seed)
    }

    fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text).expect("writing to a string does not fail");
        text
    }

    fn simpler(&self) -> Vec<Program> {
        reduce::candidates(self)
    }
}

impl Program {
    /// The elements of the memory that arrays of this type lie in.
    pub(crate) fn pool(&self, element: Element) -> i64 {
        let own = self.arrays.iter().filter(|array| array.element == element && array.is_given());
        own.map(Array::count).sum()
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        out.push_str(PROLOGUE);
        for (k, array) in self.arrays.iter().enumerate().filter(|(_, array)| array.form == Form::Global) {
            writeln!(out, "{};", self.declaration(k, array))?;
        }
        writeln!(out, "\n__attribute__((noinline)) void kernel({}) {{", self.formal_parameters())?;
        for k in 0..self.scalars {
            writeln!(out, "  {} s{k} = {};", self.scalar_type(), k + 1)?;
        }
        self.block(&self.body, 1, out)?;
        for k in 0..self.scalars {
            writeln!(out, "  result[{k}] = s{k};")?;
        }
        out.push_str("}\n\n");
        self.main(out)
    }

    fn scalar_type(&self) -> &'static str {
        if self.floating { "double" } else { "uint32_t" }
    }

    fn declaration(&self, k: usize, array: &Array) -> String {
        let name = array.element.name();
        let extent = |d: usize| match array.form {
            Form::Variable => format!("[e{k}_{d}]"),
            _ => format!("[{}]", array.extents[d]),
        };
        match array.form {
            Form::Flat => format!("{name} *A{k}"),
            Form::Rows => format!("{name} **A{k}"),
            _ => format!("{name} A{k}{}", (0..array.extents.len()).map(extent).collect::<String>()),
        }
    }

    fn formal_parameters(&self) -> String {
        let mut parts: Vec<String> =
            self.parameters.iter().enumerate().map(|(k, kind)| format!("{kind} p{k}")).collect();
        for (k, array) in self.arrays.iter().enumerate() {
            if matches!(array.form, Form::Variable | Form::Flat | Form::Rows) {
                parts.extend((0..array.extents.len()).map(|d| format!("int e{k}_{d}")));
            }
            if array.is_given() {
                parts.push(self.declaration(k, array));
            }
        }
        parts.push(format!("{} *result", self.scalar_type()));
        parts.extend(["int tile".to_owned(), "const int *table".to_owned()]);
        parts.join(", ")
    }

    fn main(&self, out: &mut String) -> fmt::Result {
        let pools: Vec<Element> = Element::ALL.into_iter().filter(|&element| self.pool(element) > 0).collect();
        for &element in &pools {
            writeln!(out, "static {0} pool_{0}[{1}];", element.name(), self.pool(element))?;
        }
        for (k, array) in self.arrays.iter().enumerate().filter(|(_, array)| array.form == Form::Rows) {
            writeln!(out, "static {} *table_{k}[{}];", array.element.name(), array.extents[0])?;
        }
        writeln!(out, "static int looked_up[{TABLE}];")?;
        writeln!(out, "static {} result[{}];\n\nint main(void) {{", self.scalar_type(), self.scalars.max(1))?;
        writeln!(out, "  for (long i_ = 0; i_ < {TABLE}; i_++)")?;
        writeln!(out, "    looked_up[i_] = (int)HIDDEN((i_ * 5 + i_ / 3) % {LOOKED_UP});")?;
        for (number, call) in self.calls.iter().enumerate() {
            for &element in &pools {
                writeln!(out, "  FILL(pool_{}, {number});", element.name())?;
            }
            let globals = self.arrays.iter().enumerate().filter(|(_, array)| array.form == Form::Global);
            let globals: Vec<(usize, &Array)> = globals.collect();
            for (k, array) in &globals {
                writeln!(out, "  FILL_FIRST({} *, A{k}, {}, {number});", array.element.name(), array.count())?;
            }
            for (k, array) in self.arrays.iter().enumerate().filter(|(_, array)| array.form == Form::Rows) {
                let (rows, length) = (array.extents[0], array.count() / array.extents[0]);
                let (pool, place) = (array.element.name(), call.layouts[k].place(rows));
                let offset = call.offsets[k];
                writeln!(out, "  for (long r_ = 0; r_ < {rows}; r_++)")?;
                writeln!(out, "    table_{k}[r_] = pool_{pool} + HIDDEN({offset}) + ({place}) * {length};")?;
            }
            writeln!(out, "  kernel({});", self.actual_parameters(call))?;
            for &element in &pools {
                writeln!(out, "  SHOW(pool_{}, {});", element.name(), u8::from(element.is_floating()))?;
            }
            for (k, array) in &globals {
                let floating = u8::from(array.element.is_floating());
                writeln!(out, "  SHOW_FIRST({} *, A{k}, {}, {floating});", array.element.name(), array.count())?;
            }
            writeln!(out, "  SHOW(result, {});", u8::from(self.floating))?;
        }
        out.push_str("  return 0;\n}\n");
        Ok(())
    }

    fn actual_parameters(&self, call: &Call) -> String {
        let mut parts: Vec<String> = call.parameters.iter().map(|value| format!("HIDDEN({value})")).collect();
        for (k, (array, offset)) in self.arrays.iter().zip(&call.offsets).enumerate() {
            if matches!(array.form, Form::Variable | Form::Flat | Form::Rows) {
                parts.extend(array.extents.iter().map(|extent| format!("HIDDEN({extent})")));
            }
            if array.form == Form::Rows {
                parts.push(format!("table_{k}"));
            } else if array.is_given() {
                parts.push(format!("(void *)(pool_{} + HIDDEN({offset}))", array.element.name()));
            }
        }
        parts.push("result".to_owned());
        parts.extend([format!("HIDDEN({})", call.tile), "looked_up".to_owned()]);
        parts.join(", ")
    }

    fn block(&self, statements: &[Statement], indent: usize, out: &mut String) -> fmt::Result {
        statements.iter().try_for_each(|statement| self.statement(statement, indent, out))
    }

    fn statement(&self, statement: &Statement, indent: usize, out: &mut String) -> fmt::Result {
        let space = "  ".repeat(indent);
        match statement {
            Statement::Loop(the_loop) => {
                let mut body = &the_loop.body;
                if the_loop.tiled {
                    let nest = tiled_nest(the_loop);
                    nest.iter().try_for_each(|tiled| writeln!(out, "{space}{}", tile_head(tiled)))?;
                    let (innermost, others) = nest.split_last().expect("the loop itself is one");
                    others.iter().try_for_each(|tiled| writeln!(out, "{space}{}", point_head(tiled)))?;
                    writeln!(out, "{space}{} {{", point_head(innermost))?;
                    body = &innermost.body;
                } else {
                    writeln!(out, "{space}{} {{", self.loop_head(the_loop))?;
                }
                if let Some(Irregular::Break(place, condition)) = &the_loop.irregular {
                    let (first, rest) = body.split_at((*place).min(body.len()));
                    self.block(first, indent + 1, out)?;
                    writeln!(out, "{space}  if ({})\n{space}    break;", self.condition(condition))?;
                    self.block(rest, indent + 1, out)?;
                } else {
                    self.block(body, indent + 1, out)?;
                }
                writeln!(out, "{space}}}")
            }
            Statement::Report(condition, access) => {
                let condition = self.condition(condition);
                writeln!(out, "{space}if ({condition}) {{\n{space}  printf(\"report\");")?;
                writeln!(out, "{space}  show((double){});\n{space}}}", self.access(access))
            }
            Statement::End(condition) => {
                writeln!(out, "{space}if ({})\n{space}  exit(7);", self.condition(condition))
            }
            Statement::Shrink { number, body } => {
                // Infinity does not shrink.
                let (head, half) = match self.floating {
                    true => (format!("t{number} > 1.0 && t{number} < 1e9"), "* 0.5"),
                    false => (format!("t{number} > 1"), "/ 2"),
                };
                writeln!(out, "{space}while ({head}) {{")?;
                self.block(body, indent + 1, out)?;
                writeln!(out, "{space}  t{number} = t{number} {half};\n{space}}}")
            }
            Statement::If { condition, then, otherwise } => {
                writeln!(out, "{space}if ({}) {{", self.condition(condition))?;
                self.block(then, indent + 1, out)?;
                if !otherwise.is_empty() {
                    writeln!(out, "{space}}} else {{")?;
                    self.block(otherwise, indent + 1, out)?;
                }
                writeln!(out, "{space}}}")
            }
            Statement::Assign { target, operator, value } => {
                let floating = self.arrays[target.array].element.is_floating();
                let (target, value) = (self.access(target), self.value(value, floating));
                let element = self.arrays[target_array(statement)].element.name();
                // Spelled out, because of what C converts to before it computes.
                let new = update(operator, &self.read(&target, floating), value);
                writeln!(out, "{space}{target} = ({element})({new});")
            }
            Statement::Set { scalar, operator, value } => {
                let new = update(operator, &format!("s{scalar}"), self.value(value, self.floating));
                writeln!(out, "{space}s{scalar} = {new};")
            }
            Statement::SetLocal { number, operator, value } => {
                let new = update(operator, &format!("t{number}"), self.value(value, self.floating));
                writeln!(out, "{space}t{number} = {new};")
            }
            Statement::Local { what, body } => {
                writeln!(out, "{space}{{")?;
                match what {
                    Local::Number(number, value) => {
                        let (of, value) = (self.scalar_type(), self.value(value, self.floating));
                        writeln!(out, "{space}  {of} t{number} = {value};")?;
                    }
                    Local::Array(k) => {
                        let (array, element) = (&self.arrays[*k], self.arrays[*k].element.name());
                        writeln!(out, "{space}  {};", self.declaration(*k, array))?;
                        writeln!(out, "{space}  for (long q = 0; q < {}; q++)", array.count())?;
                        writeln!(out, "{space}    (({element} *)A{k})[q] = ({element})(q % 5);")?;
                    }
                }
                self.block(body, indent + 1, out)?;
                writeln!(out, "{space}}}")
            }
        }
    }

    fn loop_head(&self, the_loop: &Loop) -> String {
        let Loop { depth, kind, lower, upper, step, .. } = the_loop;
        let (lower, mut upper) = (lower.text("MAX"), upper.text("MIN"));
        let mut goes_on = String::new();
        match &the_loop.irregular {
            Some(Irregular::Limit(condition, yes, no)) => {
                upper = format!("MIN({upper}, ({} ? {yes} : {no}))", self.condition(condition));
            }
            Some(Irregular::While(condition)) => goes_on = format!(" && ({})", self.condition(condition)),
            Some(Irregular::Break(..)) | None => {}
        }
        if *step > 0 {
            format!("for ({kind} i{depth} = ({kind})({lower}); i{depth} < {upper}{goes_on}; i{depth} += {step})")
        } else {
            let first = format!("({kind})({upper} - 1)");
            format!("for ({kind} i{depth} = {first}; i{depth} >= {lower}{goes_on}; i{depth} -= {})", -step)
        }
    }

    fn access(&self, access: &Access) -> String {
        let array = &self.arrays[access.array];
        let subscripts: Vec<String> = access.subscripts.iter().map(Subscript::to_string).collect();
        let k = access.array;
        // ((i) * e1 + j) * e2 + k
        let flat = |from: usize| {
            let rest = subscripts[from + 1..].iter().enumerate();
            rest.fold(format!("({})", subscripts[from]), |text, (d, subscript)| {
                format!("({text} * e{k}_{} + ({subscript}))", from + d + 1)
            })
        };
        if array.form == Form::Flat {
            format!("A{k}[{}]", flat(0))
        } else if array.form == Form::Rows {
            format!("A{k}[{}][{}]", subscripts[0], flat(1))
        } else {
            format!("A{k}{}", subscripts.iter().map(|subscript| format!("[{subscript}]")).collect::<String>())
        }
    }

    /// An element as an operand: integers are unsigned, so that no result is undefined.
    fn read(&self, element: &str, floating: bool) -> String {
        if floating { element.to_owned() } else { format!("(uint32_t){element}") }
    }

    fn value(&self, value: &Value, floating: bool) -> String {
        let cast = if floating { "(double)" } else { "(uint32_t)" };
        match value {
            Value::Number(number) if floating => format!("{number}.0"),
            Value::Number(number) => format!("(uint32_t){number}"),
            Value::Variable(variable) => format!("{cast}{variable}"),
            Value::Scalar(scalar) => format!("s{scalar}"),
            Value::Local(number) => format!("t{number}"),
            Value::Element(access) => self.read(&self.access(access), floating),
            Value::Binary(operator, left, right) => {
                format!("({} {operator} {})", self.value(left, floating), self.value(right, floating))
            }
            Value::Half(value) if floating => format!("{} * 0.5", self.value(value, floating)),
            Value::Half(value) => format!("({} >> 1)", self.value(value, floating)),
            Value::Select(condition, yes, no) => {
                let (yes, no) = (self.value(yes, floating), self.value(no, floating));
                format!("({} ? {yes} : {no})", self.condition(condition))
            }
        }
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Compare(affine, operator) => format!("{affine} {operator} 0"),
            Condition::Congruent(affine, divisor, remainder) => {
                format!("({affine}) % {divisor} == {remainder}")
            }
            Condition::Data(access, number) => format!("{} > {number}", self.access(access)),
            Condition::Beyond(subscript) => format!("{subscript} >= {LOOKED_UP}"),
            Condition::And(left, right) => {
                format!("({}) && ({})", self.condition(left), self.condition(right))
            }
            Condition::Or(left, right) => {
                format!("({}) || ({})", self.condition(left), self.condition(right))
            }
        }
    }
}

/// The loops that are tiled together, outermost first: each alone in the one around, with bounds
/// that do not depend on it.
fn tiled_nest(outermost: &Loop) -> Vec<&Loop> {
    let mut nest = vec![outermost];
    while let [Statement::Loop(inner)] = nest[nest.len() - 1].body.as_slice() {
        let is_free = |affine: &Affine| {
            affine.terms.iter().all(|(_, variable)| match variable {
                Variable::Iterator(depth) => *depth < outermost.depth,
                Variable::Parameter(_) => true,
            })
        };
        if !inner.tiled || !inner.lower.0.iter().chain(&inner.upper.0).all(is_free) {
            break;
        }
        nest.push(inner);
    }
    nest
}

fn tile_head(the_loop: &Loop) -> String {
    let Loop { depth, kind, lower, upper, .. } = the_loop;
    let (lower, upper) = (lower.text("MAX"), upper.text("MIN"));
    format!("for ({kind} o{depth} = {lower}; o{depth} < {upper}; o{depth} += tile)")
}

fn point_head(the_loop: &Loop) -> String {
    let Loop { depth, kind, upper, .. } = the_loop;
    let upper = upper.text("MIN");
    format!("for ({kind} i{depth} = o{depth}; i{depth} < MIN(o{depth} + tile, {upper}); i{depth}++)")
}

/// What is stored instead of `old`.
fn update(operator: &str, old: &str, value: String) -> String {
    match operator {
        "=" => value,
        "min=" => format!("{value} < {old} ? {value} : {old}"),
        "max=" => format!("{value} > {old} ? {value} : {old}"),
        other => format!("{old} {} ({value})", &other[..1]),
    }
}

fn target_array(statement: &Statement) -> usize {
    match statement {
        Statement::Assign { target, .. } => target.array,
        _ => unreachable!("only assignments have a target"),
    }
}

impl Bound {
    fn text(&self, function: &str) -> String {
        let mut parts = self.0.iter().map(Affine::to_string);
        let first = parts.next().expect("a bound has an expression");
        parts.fold(first, |text, part| format!("{function}({text}, {part})"))
    }
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Variable::Iterator(depth) => write!(f, "i{depth}"),
            Variable::Parameter(k) => write!(f, "p{k}"),
        }
    }
}

impl fmt::Display for Affine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (factor, variable) in &self.terms {
            let sign = match (first, *factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            match factor.abs() {
                1 => write!(f, "{sign}{variable}")?,
                size => write!(f, "{sign}{size} * {variable}")?,
            }
            first = false;
        }
        match self.constant {
            0 if !first => Ok(()),
            constant if first => write!(f, "{constant}"),
            constant if constant < 0 => write!(f, " - {}", -constant),
            constant => write!(f, " + {constant}"),
        }
    }
}

impl fmt::Display for Subscript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rounding {
            Rounding::Plain => {
                let mut whole = self.affine.clone();
                whole.constant += self.offset;
                return write!(f, "{whole}");
            }
            Rounding::Quotient(divisor) => write!(f, "({}) / {divisor}", self.affine)?,
            Rounding::Remainder(divisor) => write!(f, "({}) % {divisor}", self.affine)?,
            Rounding::Lookup(shift) => {
                let mut place = self.affine.clone();
                place.constant += shift;
                write!(f, "table[{place}]")?;
            }
        }
        match self.offset {
            0 => Ok(()),
            offset if offset < 0 => write!(f, " - {}", -offset),
            offset => write!(f, " + {offset}"),
        }
    }
}

/// What every program begins with.
const PROLOGUE: &str = r#"#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static long hidden(long value) {
  volatile long copy = value;
  return copy;
}
#define HIDDEN(value) hidden(value)

#define FILL_FIRST(pointer, array, count, seed)                                                                \
  for (long i_ = 0; i_ < (count); i_++)                                                                        \
  ((pointer)array)[i_] = (i_ * 37 + 11 * (seed)) % 23 - (sizeof *(pointer)array > 2 ? 11 : 0)
#define FILL(array, seed) FILL_FIRST(typeof(&array[0]), array, (long)(sizeof array / sizeof *array), seed)

// The sign of a NaN is no result.
static void show(double value) {
  if (isnan(value))
    printf(" nan");
  else
    printf(" %a", value);
}

#define SHOW_FIRST(pointer, array, count, floating)                                                            \
  for (long i_ = 0; i_ < (count); i_++) {                                                                      \
    if (i_ % 8 == 0)                                                                                           \
      printf("\n" #array "[%ld]", i_);                                                                         \
    if (floating)                                                                                              \
      show((double)((pointer)array)[i_]);                                                                      \
    else                                                                                                       \
      printf(" %llu", (unsigned long long)((pointer)array)[i_]);                                               \
  }                                                                                                            \
  printf("\n")
#define SHOW(array, floating) SHOW_FIRST(typeof(&array[0]), array, (long)(sizeof array / sizeof *array), floating)

"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn affine_expressions_read_well() {
        let affine = |constant, terms: &[(i64, Variable)]| Affine { constant, terms: terms.to_vec() };
        assert_eq!(affine(0, &[]).to_string(), "0");
        assert_eq!(
            affine(-2, &[(1, Variable::Iterator(0)), (-3, Variable::Parameter(1))]).to_string(),
            "i0 - 3 * p1 - 2"
        );
        assert_eq!(affine(5, &[(-1, Variable::Iterator(2))]).to_string(), "-i2 + 5");
    }

    #[test]
    fn flat_arrays_have_one_subscript() {
        let array = Array { element: Element::Double, form: Form::Flat, extents: vec![4, 5] };
        let plain = |depth| Subscript {
            affine: Affine { constant: 0, terms: vec![(1, Variable::Iterator(depth))] },
            rounding: Rounding::Plain,
            offset: 0,
        };
        let access = Access { array: 0, subscripts: vec![plain(0), plain(1)] };
        let body = vec![Statement::Assign { target: access, operator: "+=", value: Value::Number(1) }];
        let program =
            Program { parameters: vec![], arrays: vec![array], scalars: 0, floating: true, body, calls: vec![] };
        assert!(program.text().contains("A0[((i0) * e0_1 + (i1))] = (double)(A0[((i0) * e0_1 + (i1))] + (1.0));"));
    }
}
