//! Programs as loops.
//!
//! ```text
//! for i in 0..n {
//!     S: x[i] = b[i];
//!     for j in 0..i { T: x[i] = x[i], L[i, j], x[j]; }
//! }
//! ```
//! A statement names what it writes, then all that it reads; with `+=` it is a reassociable sum,
//! with `*=` a product. `..` excludes the upper bound, `..=` includes it.

use poly_dependence::{Problem, ReductionOperator, StatementInfo};

use super::{program, statement, with_reduction};

/// The program of a text; `context` constrains the parameters: `"[n] -> { : n >= 1 }"`.
pub fn loops(context: &str, text: &str) -> Problem {
    let (params, _) = context.split_once("->").expect("the context names the parameters");
    let mut parser = Parser {
        rest: text,
        params: params.to_string(),
        iterators: Vec::new(),
        bounds: Vec::new(),
        place: vec![0],
        found: Vec::new(),
    };
    parser.body();
    assert!(parser.rest.trim().is_empty(), "this is left: {}", parser.rest);
    let levels = parser.found.iter().map(|f| f.time.len()).max().unwrap_or(0);
    program(context, parser.found.iter().map(|f| f.info(levels)).collect())
}

struct Found {
    instance: String,
    domain: String,
    time: Vec<String>,
    accesses: Vec<String>,
    operator: Option<ReductionOperator>,
}

impl Found {
    fn info(&self, levels: usize) -> StatementInfo {
        let mut time = self.time.clone();
        time.resize(levels, "0".to_string());
        let accesses: Vec<&str> = self.accesses.iter().map(String::as_str).collect();
        let info = statement(&self.domain, &format!("{{ {} -> [{}] }}", self.instance, time.join(", ")), &accesses);
        match self.operator {
            Some(operator) => with_reduction(info, operator, 0, accesses.len() - 1),
            None => info,
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
    params: String,
    iterators: Vec<String>,
    bounds: Vec<String>,
    place: Vec<usize>,
    found: Vec<Found>,
}

impl<'a> Parser<'a> {
    fn until(&mut self, end: &str) -> &'a str {
        let (before, after) = self.rest.split_once(end).unwrap_or_else(|| panic!("no {end} in {}", self.rest));
        self.rest = after;
        before.trim()
    }

    fn body(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || self.rest.starts_with('}') {
                return;
            }
            if let Some(rest) = self.rest.strip_prefix("for ") {
                self.rest = rest;
                self.nest();
            } else {
                self.statement();
            }
            *self.place.last_mut().expect("there is always a place") += 1;
        }
    }

    fn nest(&mut self) {
        let iterator = self.until(" in ").to_string();
        let range = self.until("{");
        let (low, high) = range.split_once("..").expect("a range");
        let bound = match high.strip_prefix('=') {
            Some(high) => format!("{low} <= {iterator} <= {high}"),
            None => format!("{low} <= {iterator} < {high}"),
        };
        self.iterators.push(iterator);
        self.bounds.push(bound);
        self.place.push(0);
        self.body();
        self.rest = self.rest.strip_prefix('}').expect("a loop ends");
        self.iterators.pop();
        self.bounds.pop();
        self.place.pop();
    }

    fn statement(&mut self) {
        let name = self.until(":");
        let write = self.until("=");
        let (write, operator) = match (write.strip_suffix('+'), write.strip_suffix('*')) {
            (Some(write), _) => (write.trim(), Some(ReductionOperator::Add)),
            (_, Some(write)) => (write.trim(), Some(ReductionOperator::Mul)),
            _ => (write, None),
        };
        let reads = self.until(";");
        let instance = format!("{name}[{}]", self.iterators.join(", "));
        let condition =
            if self.bounds.is_empty() { String::new() } else { format!(" : {}", self.bounds.join(" and ")) };
        let domain = format!("{} -> {{ {instance}{condition} }}", self.params);
        let access = |kind: &str, element: &str| format!("{kind} {} -> {{ {instance} -> {element} }}", self.params);
        let updated = operator.map(|_| write);
        let mut accesses: Vec<String> = updated.into_iter().chain(elements(reads)).map(|e| access("read", e)).collect();
        accesses.push(access("write", write));
        let mut time = Vec::new();
        for (depth, place) in self.place.iter().enumerate() {
            time.push(place.to_string());
            time.extend(self.iterators.get(depth).cloned());
        }
        self.found.push(Found { instance, domain, time, accesses, operator });
    }
}

/// `A[i, j], x[j]` at the commas outside of brackets.
fn elements(text: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = text.split_inclusive(']').collect();
    for part in &mut parts {
        *part = part.trim_start_matches(',').trim();
    }
    parts.retain(|part| !part.is_empty());
    parts
}
