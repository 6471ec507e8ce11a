//! One function of a generated program, its arrays, and the text of both.

use std::fmt::{self, Write as _};

use super::integers::{Integer, Variable};
use super::nest::{Head, Index, Shape, Step, indices_in};

/// The type of an array's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Integer(Integer),
    Float,
    Double,
}

impl Element {
    pub(super) fn name(self) -> &'static str {
        match self {
            Element::Integer(kind) => kind.name(),
            Element::Float => "float",
            Element::Double => "double",
        }
    }

    pub(super) fn is_floating(self) -> bool {
        !matches!(self, Element::Integer(_))
    }

    fn bytes(self) -> i128 {
        match self {
            Element::Integer(kind) => i128::from(kind.bits / 8),
            Element::Float => 4,
            Element::Double => 8,
        }
    }
}

/// How an array is declared and reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A global array.
    Global,
    /// A pointer to memory that others may share.
    Shared,
    /// A `restrict` pointer.
    Own,
    /// A pointer to rows of constant length.
    Matrix,
    /// A pointer with two subscripts made into one, by a length that is a parameter.
    Flat,
    /// A global array of structures with bit-fields.
    Record,
    /// A global array of unions.
    Union,
    /// A global array that is volatile.
    Volatile,
    /// A string.
    Text,
}

impl Form {
    pub(super) fn dimensions(self) -> usize {
        if matches!(self, Form::Matrix | Form::Flat) { 2 } else { 1 }
    }

    fn is_global(self) -> bool {
        matches!(self, Form::Global | Form::Record | Form::Union | Form::Volatile | Form::Text)
    }
}

/// An array of a function.
#[derive(Debug, Clone)]
pub(super) struct Array {
    pub(super) element: Element,
    pub(super) form: Form,
    pub(super) extents: Vec<i128>,
}

impl Array {
    fn count(&self) -> i128 {
        self.extents.iter().product()
    }

    /// Bytes of the memory that is shared, a multiple of all alignments.
    fn shared_bytes(&self) -> i128 {
        (self.count() * self.element.bytes() + 7) / 8 * 8
    }
}

/// A parameter: a variable of the scope, and whether it is a global variable instead.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parameter {
    pub(super) is_global: bool,
    /// Its values in the calls.
    pub(super) values: [i64; CALLS],
}

/// How often each function is called.
pub(super) const CALLS: usize = 4;

/// A function.
#[derive(Debug, Clone)]
pub(super) struct Function {
    pub(super) number: usize,
    /// The parameters come first.
    pub(super) scope: Vec<Variable>,
    pub(super) parameters: Vec<Parameter>,
    pub(super) arrays: Vec<Array>,
    pub(super) indices: Vec<Index>,
    pub(super) steps: Vec<Step>,
    /// Where the shared arrays begin in each call, as parts of 256 of what is free; those of the
    /// first two calls do not overlap.
    pub(super) places: Vec<[i128; CALLS]>,
}

impl Function {
    /// The function and what it needs.
    pub(super) fn write(&self, out: &mut String) -> fmt::Result {
        let f = self.number;
        for (k, array) in self.arrays.iter().enumerate() {
            self.write_storage(k, array, out)?;
        }
        let shared = self.shared_size();
        writeln!(out, "static union {{ unsigned char bytes[{}]; long align; }} memory_{f};", shared.max(8))?;
        for (k, parameter) in self.parameters.iter().enumerate().filter(|(_, parameter)| parameter.is_global) {
            let _ = parameter;
            writeln!(out, "static {} {};", self.scope[k].kind.name(), self.scope[k].name)?;
        }
        writeln!(out, "__attribute__((noinline)) static void f{f}({}) {{", self.formal_parameters())?;
        out.push_str(
            "  uint32_t s0 = 1;\n  uint64_t s1 = 2;\n  int8_t s2 = 3;\n  double d0 = 0.5;\n  float d1 = 1.5f;\n",
        );
        self.block(&self.steps, 1, out)?;
        out.push_str("out:\n  keep(s0, s1, s2, d0, d1);\n}\n\n");
        Ok(())
    }

    fn storage(&self, k: usize) -> String {
        format!("b{}_{k}", self.number)
    }

    fn write_storage(&self, k: usize, array: &Array, out: &mut String) -> fmt::Result {
        let (name, element, count) = (self.storage(k), array.element.name(), array.count());
        match array.form {
            Form::Shared => Ok(()),
            Form::Record => writeln!(out, "static struct record {name}[{count}];"),
            Form::Union => writeln!(out, "static union word {name}[{count}];"),
            Form::Volatile => writeln!(out, "static volatile {element} {name}[{count}];"),
            Form::Text => writeln!(out, "static char {name}[{}];", count + 1),
            _ => writeln!(out, "static {element} {name}[{count}];"),
        }?;
        if array.form.is_global() { writeln!(out, "#define a{}_{k} {name}", self.number) } else { Ok(()) }
    }

    fn formal_parameters(&self) -> String {
        let mut parts = Vec::new();
        for (k, parameter) in self.parameters.iter().enumerate().filter(|(_, parameter)| !parameter.is_global) {
            let _ = parameter;
            parts.push(format!("{} {}", self.scope[k].kind.name(), self.scope[k].name));
        }
        for (k, array) in self.arrays.iter().enumerate() {
            let (name, element) = (format!("a{}_{k}", self.number), array.element.name());
            match array.form {
                Form::Shared => parts.push(format!("{element} *{name}")),
                Form::Own => parts.push(format!("{element} *restrict {name}")),
                Form::Matrix => parts.push(format!("{element} (*{name})[{}]", array.extents[1])),
                Form::Flat => parts.push(format!("{element} *{name}, int w{k}")),
                _ => {}
            }
        }
        if parts.is_empty() { "void".to_owned() } else { parts.join(", ") }
    }

    fn shared_size(&self) -> i128 {
        self.arrays.iter().filter(|array| array.form == Form::Shared).map(Array::shared_bytes).sum()
    }

    /// What `main` does with the function.
    pub(super) fn write_calls(&self, out: &mut String) -> fmt::Result {
        let f = self.number;
        for call in 0..CALLS {
            writeln!(out, "  printf(\"f{f}, call {call}\\n\");\n  FILL_BYTES(memory_{f}.bytes, {call});")?;
            for (k, array) in self.arrays.iter().enumerate() {
                let name = self.storage(k);
                match array.form {
                    Form::Shared => {}
                    Form::Record => writeln!(out, "  FILL_RECORDS({name}, {call});")?,
                    Form::Union => writeln!(out, "  FILL_BYTES({name}, {call});")?,
                    Form::Text => writeln!(out, "  FILL_TEXT({name}, {call});")?,
                    _ if array.element.is_floating() => writeln!(out, "  FILL_FLOATING({name}, {call});")?,
                    _ => writeln!(out, "  FILL({name}, {call});")?,
                }
            }
            for (k, parameter) in self.parameters.iter().enumerate().filter(|(_, parameter)| parameter.is_global) {
                writeln!(out, "  {} = HIDDEN({});", self.scope[k].name, parameter.values[call])?;
            }
            let actual = self.actual_parameters(call);
            writeln!(out, "  if (!setjmp(escape))\n    f{f}({actual});\n  else\n    printf(\"escaped\\n\");")?;
            self.write_shown(out)?;
        }
        Ok(())
    }

    fn write_shown(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "  SHOW_BYTES(memory_{}.bytes);", self.number)?;
        for (k, array) in self.arrays.iter().enumerate() {
            let name = self.storage(k);
            match array.form {
                Form::Shared => Ok(()),
                Form::Record => writeln!(out, "  SHOW_RECORDS({name});"),
                Form::Union => writeln!(out, "  SHOW_BYTES({name});"),
                _ if array.element.is_floating() => writeln!(out, "  SHOW_FLOATING({name});"),
                _ => writeln!(out, "  SHOW({name});"),
            }?;
        }
        out.push_str("  show_kept();\n");
        Ok(())
    }

    fn actual_parameters(&self, call: usize) -> String {
        let own = self.parameters.iter().filter(|parameter| !parameter.is_global);
        let mut parts: Vec<String> = own.map(|parameter| format!("HIDDEN({})", parameter.values[call])).collect();
        let mut next = 0;
        for (k, array) in self.arrays.iter().enumerate() {
            let name = self.storage(k);
            match array.form {
                Form::Shared => {
                    let free = (self.shared_size() - array.shared_bytes()) / 8;
                    let place = if call < 2 { next } else { free * self.places[k][call] / 256 * 8 };
                    next += array.shared_bytes();
                    parts.push(format!("(void *)(memory_{}.bytes + HIDDEN({place}))", self.number));
                }
                Form::Own => parts.push(name),
                Form::Matrix => parts.push(format!("(void *){name}")),
                Form::Flat => parts.push(format!("{name}, HIDDEN({})", array.extents[1])),
                _ => {}
            }
        }
        parts.join(", ")
    }

    fn block(&self, steps: &[Step], indent: usize, out: &mut String) -> fmt::Result {
        steps.iter().try_for_each(|step| self.step(step, indent, out))
    }

    fn step(&self, step: &Step, indent: usize, out: &mut String) -> fmt::Result {
        let space = "  ".repeat(indent);
        match step {
            Step::Text(text) => writeln!(out, "{space}{}", self.with_indices(text)),
            Step::Block { head, body, tail } => {
                writeln!(out, "{space}{}", self.with_indices(head))?;
                self.block(body, indent + 1, out)?;
                writeln!(out, "{space}{}", self.with_indices(tail))
            }
            Step::If(left, test, right, body) => {
                let (left, right) = (left.text(&self.scope), right.text(&self.scope));
                writeln!(out, "{space}if (({left}) {} ({right})) {{", test.text())?;
                self.block(body, indent + 1, out)?;
                writeln!(out, "{space}}}")
            }
            Step::Loop(head, body) => self.loop_text(head, body, indent, out),
        }
    }

    fn loop_text(&self, head: &Head, body: &[Step], indent: usize, out: &mut String) -> fmt::Result {
        let space = "  ".repeat(indent);
        let Variable { name, kind } = &self.scope[head.counter];
        let first = format!("{} {name} = {};", kind.name(), head.first.text(&self.scope));
        let test = format!("{name} {} ({})", head.test.text(), head.limit.text(&self.scope));
        let next = format!("{name} = {}", head.next.text(&self.scope));
        match head.shape {
            Shape::For => writeln!(out, "{space}for ({first} {test}; {next}) {{")?,
            Shape::While => writeln!(out, "{space}{{ {first}\n{space}while ({test}) {{")?,
            Shape::DoWhile => writeln!(out, "{space}{{ {first}\n{space}if ({test}) do {{")?,
        }
        self.block(body, indent + 1, out)?;
        match head.shape {
            Shape::For => writeln!(out, "{space}}}"),
            Shape::While => writeln!(out, "{space}  {next};\n{space}}}\n{space}s1 += (uint64_t){name}; }}"),
            Shape::DoWhile => {
                writeln!(out, "{space}  {next};\n{space}}} while ({test});\n{space}s1 += (uint64_t){name}; }}")
            }
        }
    }

    /// The text with the subscripts in it.
    fn with_indices(&self, text: &str) -> String {
        let mut result = text.to_owned();
        for k in indices_in(text) {
            result = result.replace(&format!("@{k}@"), &self.indices[k].expression.text(&self.scope));
        }
        result
    }
}

/// What every program begins with.
pub(super) const PROLOGUE: &str = include_str!("prologue.h");
