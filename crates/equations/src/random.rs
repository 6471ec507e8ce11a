//! Random systems without flaws, for tests.
//!
//! Inputs are defined on large boxes, local variables on small ones that are read inside only; so
//! every subscript is in a domain by construction. What is generated is text: the parser is tested,
//! too.

use std::fmt::Write;

/// Numbers from a seed \[Steele2014\].
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    pub(crate) fn within(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }
}

/// The seeds of a test: the first `usual` ones, or `POLY_EQUATIONS_SEEDS=100..1000`.
pub(crate) fn seeds(usual: u64) -> std::ops::Range<u64> {
    let given = std::env::var("POLY_EQUATIONS_SEEDS").ok();
    let range = given.as_ref().and_then(|text| text.split_once("..")).map(|(a, b)| (a.parse(), b.parse()));
    match range {
        Some((Ok(first), Ok(last))) => first..last,
        _ => 0..usual,
    }
}

/// A variable: its name and number of dimensions.
type Known = (String, usize);

struct Generator {
    numbers: Numbers,
    /// Inputs, defined on `[-60..60]^n`, and variables, defined on `[0..N]^n`.
    inputs: Vec<Known>,
    locals: Vec<Known>,
    fresh: usize,
}

/// A random system with the parameter `N >= 1`, inputs `A` and `B` and one output. Its size does
/// not depend on the seed much.
pub(crate) fn text(seed: u64) -> String {
    let inputs = vec![("A".to_owned(), 1), ("B".to_owned(), 2)];
    let mut generator = Generator { numbers: Numbers::new(seed), inputs, locals: Vec::new(), fresh: 0 };
    let mut out =
        "system random[N] where 1 <= N <= 4 {\n  in i64 A : [-60..60];\n  in i64 B : [-60..60, -60..60];\n".to_owned();
    let count = generator.numbers.within(1, 3);
    for i in 0..=count {
        let is_last = i == count;
        let dims = generator.numbers.within(1, 2) as usize;
        let name = if is_last { "Out".to_owned() } else { format!("V{i}") };
        let names: Vec<String> = ["i", "j"][..dims].iter().map(ToString::to_string).collect();
        let body = generator.expr(&names, 3, Some(&name));
        let ranges = vec!["0..N"; dims].join(", ");
        let role = if is_last { "out" } else { "let" };
        let _ = writeln!(out, "  {role} i64 {name} : [{ranges}];\n  {name}[{}] = {body};", names.join(", "));
        generator.locals.push((name, dims));
    }
    out.push_str("}\n");
    out
}

impl Generator {
    fn affine(&mut self, scope: &[String]) -> String {
        let mut text = self.numbers.within(-2, 2).to_string();
        for name in scope {
            let factor = self.numbers.within(-2, 2);
            if factor != 0 {
                let _ = write!(text, " + {factor}{name}");
            }
        }
        if self.numbers.below(6) == 0 { format!("floor(({text})/2)") } else { text }
    }

    fn condition(&mut self, scope: &[String]) -> String {
        let affine = self.affine(scope);
        match self.numbers.below(4) {
            0 => format!("({affine}) mod 2 = 0"),
            1 => format!("{affine} = 0"),
            _ => format!("{affine} >= 0"),
        }
    }

    /// An expression in a scope; `own` may be read at smaller points if the scope is that of its
    /// equation.
    fn expr(&mut self, scope: &[String], depth: usize, own: Option<&str>) -> String {
        let choice = if depth == 0 { self.numbers.below(4) } else { self.numbers.below(12) };
        match choice {
            0 => self.numbers.within(-9, 9).to_string(),
            1 => format!("val[{}]", self.affine(scope)),
            2 | 3 => self.read(scope),
            4 | 5 => {
                let operator = ["+", "-", "*", "&", "|", "^"][self.numbers.below(6) as usize];
                let (a, b) = (self.expr(scope, depth - 1, own), self.expr(scope, depth - 1, own));
                format!("({a}) {operator} ({b})")
            }
            6 => {
                let word = ["min", "max"][self.numbers.below(2) as usize];
                format!("{word}({}, {})", self.expr(scope, depth - 1, own), self.expr(scope, depth - 1, own))
            }
            7 => {
                let (a, b) = (self.expr(scope, depth - 1, own), self.expr(scope, depth - 1, own));
                let (c, d) = (self.expr(scope, depth - 1, own), self.expr(scope, depth - 1, own));
                format!("(if ({a}) < ({b}) then ({c}) else ({d}))")
            }
            8 => {
                let condition = self.condition(scope);
                let (a, b) = (self.expr(scope, depth - 1, own), self.expr(scope, depth - 1, own));
                format!("case {{ {condition} : {a}; else : {b}; }}")
            }
            9 => match own.filter(|_| scope[0] == "i") {
                Some(own) => {
                    let rest: Vec<&str> = scope[1..].iter().map(String::as_str).filter(|name| *name == "j").collect();
                    let place = std::iter::once("i - 1").chain(rest).collect::<Vec<_>>().join(", ");
                    format!("case {{ i = 0 : {}; else : {own}[{place}]; }}", self.expr(scope, depth - 1, None))
                }
                None => self.read(scope),
            },
            10 if scope.len() <= 2 => {
                let word = ["sum", "max", "xor", "min", "prod"][self.numbers.below(5) as usize];
                self.fresh += 1;
                let name = format!("k{}", self.fresh);
                let mut inner = scope.to_vec();
                inner.push(name.clone());
                let bound = [scope[0].as_str(), "N", "2"][self.numbers.below(3) as usize].to_owned();
                // Other indices than those of equations may be negative, and the reduction then one
                // of nothing.
                let bound = if bound.starts_with('a') { "2".to_owned() } else { bound };
                let body = self.expr(&inner, depth - 1, None);
                format!("({word}[{name} : 0 <= {name} <= {bound}] ({body}))")
            }
            _ => {
                self.fresh += 1;
                let name = format!("a{}", self.fresh);
                let map = self.affine(scope);
                let body = self.expr(std::slice::from_ref(&name), depth.saturating_sub(1).min(1), None);
                format!("(({body}) @ [{name} = {map}])")
            }
        }
    }

    /// A value of an input anywhere near, or of a variable at a point of its domain.
    fn read(&mut self, scope: &[String]) -> String {
        let locals: Vec<Known> = self.locals.clone();
        if !locals.is_empty() && self.numbers.below(2) == 0 {
            let (name, dims) = locals[self.numbers.below(locals.len() as u64) as usize].clone();
            let places: Vec<String> = (0..dims).map(|_| self.inside(scope)).collect();
            return format!("{name}[{}]", places.join(", "));
        }
        let (name, dims) = self.inputs[self.numbers.below(2) as usize].clone();
        let places: Vec<String> = (0..dims).map(|_| self.affine(scope)).collect();
        format!("{name}[{}]", places.join(", "))
    }

    /// A subscript between 0 and N: an index of an equation, which has that range, or a bound.
    fn inside(&mut self, scope: &[String]) -> String {
        let good: Vec<&String> = scope.iter().filter(|name| *name == "i" || *name == "j").collect();
        match self.numbers.below(4) {
            0 => "0".to_owned(),
            1 => "N".to_owned(),
            _ if good.is_empty() => "1".to_owned(),
            2 => format!("N - {}", good[0]),
            _ => good[self.numbers.below(good.len() as u64) as usize].clone(),
        }
    }
}
