//! Statements at random: what is in the loops.
//!
//! Integers are computed in `uint32_t` or `uint64_t`, where nothing is undefined, and divided by
//! odd numbers only. `s0`, `s1`, `s2`, `d0` and `d1` are variables of each function that live
//! across its loops.

use super::function::{Element, Form};
use super::make::Maker;
use super::nest::{Shape, Step};

impl Maker<'_> {
    /// A statement without loops of the nest in it.
    pub(super) fn leaf(&mut self) -> Step {
        self.left -= 1;
        let in_loop = !self.counters.is_empty();
        match self.random.between(1, 100) {
            1..=36 => self.assignment(),
            37..=48 => self.accumulation(),
            49..=55 => self.memory_block(),
            56..=58 => self.text(),
            59..=61 => self.neighbour(),
            62..=64 => self.assembly(),
            65..=69 => self.temporary(),
            70..=74 => self.call(),
            75..=81 if in_loop => self.leave(),
            82..=87 => self.inner_loop(),
            88..=90 if self.left > 0 => self.switch(),
            91..=94 if self.left > 0 => self.branch(),
            95..=97 => self.pointer_walk(),
            _ => self.assignment(),
        }
    }

    /// An element of an array, so many from there on if it has one dimension.
    fn element_of(&mut self, array: usize, span: i128) -> String {
        let (form, f) = (self.function.arrays[array].form, self.function.number);
        let name = format!("a{f}_{array}");
        let first = self.index(array, 0, if form.dimensions() == 1 { span } else { 1 });
        match form {
            Form::Matrix => format!("{name}[{first}][{}]", self.index(array, 1, span)),
            Form::Flat => format!("{name}[({first}) * w{array} + ({})]", self.index(array, 1, span)),
            Form::Record => format!("{name}[{first}].{}", self.random.pick(&["a", "b", "c", "d", "e"])),
            Form::Union => {
                format!("{name}[{first}].{}", self.random.pick(&["d", "w[1]", "h[1]", "h[2]", "b[3]", "b[0]"]))
            }
            _ => format!("{name}[{first}]"),
        }
    }

    fn arrays(&self, wanted: impl Fn(Element, Form) -> bool) -> Vec<usize> {
        let arrays = self.function.arrays.iter().enumerate();
        arrays.filter(|(_, array)| wanted(array.element, array.form)).map(|(k, _)| k).collect()
    }

    fn access(&mut self, floating: bool) -> Option<String> {
        let arrays = self.arrays(|element, _| element.is_floating() == floating);
        if arrays.is_empty() {
            return None;
        }
        let array = *self.random.pick(&arrays);
        Some(self.element_of(array, 1))
    }

    fn counter_name(&mut self) -> String {
        if self.counters.is_empty() {
            return "7".to_owned();
        }
        let counter = *self.random.pick(&self.counters);
        self.function.scope[counter].name.clone()
    }

    /// An unsigned integer.
    pub(super) fn integer(&mut self, depth: u32) -> String {
        let cast = if self.random.chance(70) { "(uint32_t)" } else { "(uint64_t)" };
        match self.random.between(1, 24) {
            1..=2 => format!("{}u", self.random.between(0, 300)),
            3..=4 => format!("{cast}{}", self.counter_name()),
            5 => self.random.pick(&["s0", "(uint32_t)s1", "(uint32_t)s2"]).to_string(),
            6..=13 if depth > 0 => {
                let operator = *self.random.pick(&["+", "-", "*", "^", "&", "|", "+", "-"]);
                format!("({} {operator} {})", self.integer(depth - 1), self.integer(depth - 1))
            }
            14 if depth > 0 => format!("({} >> {})", self.integer(depth - 1), self.random.between(1, 9)),
            15 if depth > 0 => {
                let operator = *self.random.pick(&["/", "%"]);
                format!("({} {operator} ({} | 1u))", self.integer(depth - 1), self.integer(depth - 1))
            }
            16 if depth > 0 => {
                let condition = self.condition();
                format!("({condition} ? {} : {})", self.integer(depth - 1), self.integer(depth - 1))
            }
            17 if depth > 0 => {
                let function = *self.random.pick(&["__builtin_popcountll", "__builtin_bswap32", "pure"]);
                format!("(uint32_t){function}({})", self.integer(depth - 1))
            }
            _ => self.access(false).map_or_else(|| "(s0 >> 3)".to_owned(), |access| format!("{cast}{access}")),
        }
    }

    /// A floating-point number.
    fn floating(&mut self, depth: u32) -> String {
        match self.random.between(1, 20) {
            1 => self.random.pick(&["0.5", "-0.0", "NAN", "INFINITY", "1e-310", "3.0f", "1e-45f"]).to_string(),
            2 => format!("(double){}", self.counter_name()),
            3 => self.random.pick(&["d0", "d1"]).to_string(),
            4..=9 if depth > 0 => {
                let operator = *self.random.pick(&["+", "-", "*", "+", "/"]);
                format!("({} {operator} {})", self.floating(depth - 1), self.floating(depth - 1))
            }
            10 if depth > 0 => {
                let condition = self.condition();
                format!("({condition} ? {} : {})", self.floating(depth - 1), self.floating(depth - 1))
            }
            11 if depth > 0 => {
                let function = *self.random.pick(&["fabs", "sqrt", "floor", "-", "exp", "fabs"]);
                format!("{function}({})", self.floating(depth - 1))
            }
            _ => self.access(true).unwrap_or_else(|| format!("(double)({} & 31)", self.integer(0))),
        }
    }

    /// A condition that depends on data.
    fn condition(&mut self) -> String {
        if self.random.chance(35) && !self.arrays(|element, _| element.is_floating()).is_empty() {
            let operator = *self.random.pick(&["<", "<=", ">", "==", "!="]);
            return format!("({} {operator} {})", self.floating(0), self.floating(0));
        }
        let operator = *self.random.pick(&["<", ">", "==", "!=", ">="]);
        format!("({} {operator} {}u)", self.integer(1), self.random.between(0, 20))
    }

    pub(super) fn assignment(&mut self) -> Step {
        let all = self.arrays(|_, form| form != Form::Text);
        if all.is_empty() {
            return self.accumulation();
        }
        let array = *self.random.pick(&all);
        let element = self.function.arrays[array].element;
        let target = self.element_of(array, 1);
        let value = if element.is_floating() { self.floating(2) } else { self.integer(2) };
        let operators: &[&str] = match (element.is_floating(), element) {
            (true, _) => &["=", "=", "+=", "-=", "*="],
            (_, Element::Integer(kind)) if !kind.signed => &["=", "=", "+=", "-=", "^=", "*=", "|=", "&="],
            _ => &["=", "=", "^=", "|=", "&="],
        };
        let operator = *self.random.pick(operators);
        // The halves of products may be so large that an int overflows.
        let value = if operator == "*=" && !element.is_floating() { format!("(uint64_t){value}") } else { value };
        Step::Text(format!("{target} {operator} {value};"))
    }

    fn accumulation(&mut self) -> Step {
        let value = self.integer(2);
        Step::Text(match self.random.between(1, 8) {
            1..=2 => format!("s0 += {value};"),
            3 => format!("s1 = s1 * 3 + {value};"),
            4 => format!("s2 = (int8_t)((uint32_t)s2 ^ (uint32_t)({value}));"),
            5 => format!("s0 = s0 < {value} ? s0 : {value};"),
            6 => format!("d0 += {};", self.floating(1)),
            7 => {
                let value = self.floating(1);
                format!("d1 = {value} > d1 ? {value} : d1;")
            }
            _ => format!("s1 ^= s0, s0 = {value};"),
        })
    }

    /// `memset`, `memmove`, `memcpy`, `memcmp`.
    fn memory_block(&mut self) -> Step {
        let plain = |form| matches!(form, Form::Global | Form::Shared | Form::Own | Form::Matrix | Form::Flat);
        let all = self.arrays(|_, form| plain(form));
        if all.is_empty() {
            return self.accumulation();
        }
        let array = *self.random.pick(&all);
        let length = self.random.between(1, 6);
        let first = self.element_of(array, i128::from(length));
        let element = self.function.arrays[array].element;
        let size = format!("{length} * sizeof({})", element.name());
        let distinct = |form| matches!(form, Form::Global | Form::Own | Form::Matrix | Form::Flat);
        let others = self.arrays(|other, form| other == element && distinct(form));
        let is_distinct = distinct(self.function.arrays[array].form);
        let others: Vec<usize> = others.into_iter().filter(|&other| other != array && is_distinct).collect();
        Step::Text(match self.random.between(1, 4) {
            1 => {
                let byte = if element.is_floating() { 0 } else { self.random.between(0, 255) };
                format!("memset(&{first}, {byte}, {size});")
            }
            2 if !element.is_floating() => {
                let other = self.element_of(array, i128::from(length));
                format!("s0 += memcmp(&{first}, &{other}, {size}) < 0;")
            }
            3 if !others.is_empty() => {
                let other = *self.random.pick(&others);
                format!("memcpy(&{first}, &{}, {size});", self.element_of(other, i128::from(length)))
            }
            _ => format!("memmove(&{first}, &{}, {size});", self.element_of(array, i128::from(length))),
        })
    }

    fn text(&mut self) -> Step {
        let all = self.arrays(|_, form| form == Form::Text);
        if all.is_empty() {
            return self.neighbour();
        }
        let array = *self.random.pick(&all);
        let place = self.element_of(array, 2);
        Step::Text(match self.random.between(1, 5) {
            1..=2 => format!("s0 += (uint32_t)strlen(&{place});"),
            3 => format!("s0 += strcmp(&{place}, \"hov\") < 0;"),
            4 => format!("s1 += memchr(&{place}, 'e', 2) != 0;"),
            _ => format!("{place} = (char)('a' + {} % 26u);", self.integer(1)),
        })
    }

    /// Volatile and atomic accesses beside the others.
    fn neighbour(&mut self) -> Step {
        let value = self.integer(1);
        Step::Text(match self.random.between(1, 3) {
            1 => format!("spot = (int)({value} & 1023);"),
            2 => "s0 += (uint32_t)spot;".to_owned(),
            _ => format!("__atomic_fetch_add(&counter, (uint32_t)({value}), __ATOMIC_RELAXED);"),
        })
    }

    fn assembly(&mut self) -> Step {
        let text = match self.random.between(1, 4) {
            1 => "__asm__ volatile(\"\" ::: \"memory\");".to_owned(),
            2 => "__asm__(\"\" : \"+r\"(s0));".to_owned(),
            3 => "__asm__ volatile(\"\" : \"+r\"(s1) : : \"memory\");".to_owned(),
            _ => {
                let value = self.integer(1);
                format!("{{ uint32_t v = (uint32_t)({value}); __asm__(\"\" : \"+r\"(v)); s0 += v; }}")
            }
        };
        Step::Text(text)
    }

    /// Memory that lives in one iteration.
    fn temporary(&mut self) -> Step {
        let (value, place) = (self.integer(1), self.integer(1));
        let memory = match self.random.between(1, 3) {
            1 => "uint32_t *t = __builtin_alloca(6 * sizeof *t);".to_owned(),
            2 => "uint32_t t[6];".to_owned(),
            _ => format!("int m = 6 + (int)({} & 3); uint32_t t[m];", self.integer(0)),
        };
        let fill = format!("for (int q = 0; q < 6; q++) t[q] = (uint32_t)({value}) + q;");
        let target = self.access(false).unwrap_or_else(|| "s1".to_owned());
        Step::Text(format!("{{ {memory} {fill} s0 += t[({place}) % 6u]; {target} ^= t[5]; }}"))
    }

    fn call(&mut self) -> Step {
        let value = self.integer(1);
        Step::Text(match self.random.between(1, 5) {
            1 => format!("s0 += effect((uint32_t)({value}));"),
            2 => format!("s0 += recursive(({value}) % 5u);"),
            3 => format!("s1 += through((uint32_t)({value}));"),
            4 => "for (struct link *l = links; l; l = l->next) s0 += l->value;".to_owned(),
            _ => format!("for (struct link *l = links; l; l = l->next) l->value ^= ({value}) & 7u;"),
        })
    }

    /// A way out of the loop, or to its next iteration.
    fn leave(&mut self) -> Step {
        let condition = self.condition();
        // Mostly something rare.
        let condition = if self.random.chance(60) { format!("({condition} && s0 % 5u == 3u)") } else { condition };
        let is_for = self.shapes.last() == Some(&Shape::For);
        let how = match self.random.between(1, 6) {
            1..=3 if !self.in_switch => "break;",
            4 if is_for => "continue;",
            5 => "longjmp(escape, 1);",
            _ => "goto out;",
        };
        Step::Text(format!("if ({condition}) {how}"))
    }

    /// A loop whose iterations depend on data.
    fn inner_loop(&mut self) -> Step {
        let value = self.integer(1);
        let plain = |form| matches!(form, Form::Global | Form::Shared | Form::Own | Form::Text);
        let all = self.arrays(|element, form| plain(form) && !element.is_floating());
        if all.is_empty() || self.random.chance(40) {
            let less = *self.random.pick(&["w / 2", "w & (w - 1)", "w - 1 - w / 3"]);
            let target = self.access(false).unwrap_or_else(|| "s0".to_owned());
            return Step::Text(format!(
                "for (uint32_t w = (uint32_t)({value}); w > 3; w = {less}) {{ s0 += w; {target} ^= w; }}"
            ));
        }
        let array = *self.random.pick(&all);
        let first = self.element_of(array, 6);
        let number = self.random.between(0, 9);
        Step::Text(match self.random.between(1, 2) {
            1 => format!("{{ int q = 0; while (q < 6 && (&{first})[q] > {number}) q++; s0 = s0 * 7 + (uint32_t)q; }}"),
            _ => format!(
                "{{ int q = 5; do s1 += (uint64_t)(&{first})[q]; while ((&{first})[q] != {number} && q-- > 0); }}"
            ),
        })
    }

    fn switch(&mut self) -> Step {
        let value = self.integer(1);
        let cases = self.random.between(2, 4);
        let was_in_switch = std::mem::replace(&mut self.in_switch, true);
        let body = (0..cases).map(|number| {
            let label = if number + 1 == cases { "default: {".to_owned() } else { format!("case {number}: {{") };
            let tail = if self.random.chance(80) { "} break;" } else { "}" };
            Step::Block { head: label, body: vec![self.leaf()], tail: tail.to_owned() }
        });
        let body = body.collect();
        self.in_switch = was_in_switch;
        Step::Block { head: format!("switch (({value}) % 5u) {{"), body, tail: "}".to_owned() }
    }

    fn branch(&mut self) -> Step {
        let head = format!("if ({}) {{", self.condition());
        let mut body = vec![self.leaf()];
        if self.random.chance(50) {
            body.push(Step::Text("} else {".to_owned()));
            body.push(self.leaf());
        }
        Step::Block { head, body, tail: "}".to_owned() }
    }

    /// A pointer that is moved on.
    fn pointer_walk(&mut self) -> Step {
        let plain = |form| matches!(form, Form::Global | Form::Shared | Form::Own | Form::Matrix | Form::Flat);
        let all = self.arrays(|element, form| plain(form) && !element.is_floating());
        if all.is_empty() {
            return self.assignment();
        }
        let array = *self.random.pick(&all);
        let length = self.random.between(2, 8);
        let first = self.element_of(array, i128::from(length));
        let (element, value) = (self.function.arrays[array].element.name(), self.integer(1));
        let begin = format!("{element} *p = &{first};");
        Step::Text(match self.random.between(1, 3) {
            1 => format!("{{ {begin} for (int q = 0; q < {length}; q++) *p++ = ({element})({value} + q); }}"),
            2 => format!("{{ {begin} {element} *e = p + {length}; while (p != e) s0 += (uint32_t)*p++; }}"),
            _ => format!(
                "{{ {begin} {element} *b = p; p += {length}; while (p > b) {{ p--; *p = ({element})(*p ^ {value}); }} }}"
            ),
        })
    }
}
