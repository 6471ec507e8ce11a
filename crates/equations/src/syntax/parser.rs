//! From tokens to the syntax tree: files, systems, declarations, equations.
//!
//! A parser by descent. Expressions may be nested [`MAX_DEPTH`] deep; deeper ones are an error, so
//! that recursion over expressions is bounded everywhere.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Flaw, Span};
use crate::program::Scalar;
use crate::syntax::lexer::{Kind, Token, tokens};
use crate::syntax::tree::{Affine, Declaration, Domain, Extern, File, Name, Statement, System};

/// How deep expressions may be nested.
pub(crate) const MAX_DEPTH: usize = 120;

/// Words that are no names.
pub(crate) const RESERVED: [&str; 16] = [
    "system", "where", "in", "out", "let", "case", "else", "if", "then", "reduce", "val", "const", "extern", "when",
    "while", "over",
];

/// Words with a meaning in expressions or constraints, so that a variable is better called
/// something else.
const MEANING: [&str; 15] = [
    "sum", "prod", "min", "max", "and", "or", "xor", "not", "mod", "floor", "ceil", "exists", "true", "false",
    "implies",
];

/// Whether no variable can have this name, or nobody could read what is written about it.
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word) || MEANING.contains(&word) || Scalar::of_word(word).is_some()
}

type Parsed<T> = Result<T, Diagnostic>;

/// The file that a text is.
pub(crate) fn parse(text: &str) -> Parsed<File> {
    parse_at(text, 0)
}

/// The file that a text is whose first byte has a position behind other texts.
pub(crate) fn parse_at(text: &str, start: usize) -> Parsed<File> {
    let moved = |span: Span| span.start + start..span.end + start;
    let tokens = tokens(text).map_err(|flaw| Diagnostic { span: moved(flaw.span.clone()), ..flaw })?;
    let tokens = tokens.into_iter().map(|token| Token { span: moved(token.span), ..token });
    Parser { tokens: tokens.collect(), position: 0, depth: 0 }.file()
}

/// Tokens, and how many have been read.
pub(crate) struct Parser {
    tokens: Vec<Token>,
    position: usize,
    pub(crate) depth: usize,
}

impl Parser {
    pub(crate) fn peek(&self) -> &Token {
        &self.tokens[self.position.min(self.tokens.len() - 1)]
    }

    pub(crate) fn ahead(&self, by: usize) -> &Token {
        &self.tokens[(self.position + by).min(self.tokens.len() - 1)]
    }

    pub(crate) fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.position += 1;
        token
    }

    pub(crate) fn is(&self, text: &str) -> bool {
        self.peek().is(text)
    }

    /// Reads this sign or word if it comes next.
    pub(crate) fn accept(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.position += usize::from(found);
        found
    }

    pub(crate) fn expect(&mut self, text: &str) -> Parsed<Span> {
        if self.is(text) { Ok(self.next().span) } else { Err(self.unexpected(&format!("`{text}`"))) }
    }

    pub(crate) fn unexpected(&self, wanted: &str) -> Diagnostic {
        let token = self.peek();
        let found = if token.kind == Kind::End { token.text() } else { format!("`{}`", token.text()) };
        Diagnostic::new(Flaw::Syntax, token.span.clone(), format!("{wanted} expected, not {found}"))
    }

    /// From the beginning of a token to the end of the last one that was read.
    pub(crate) fn since(&self, start: usize) -> Span {
        let end = self.tokens[self.position.saturating_sub(1).min(self.tokens.len() - 1)].span.end;
        start..end.max(start)
    }

    pub(crate) fn name(&mut self, what: &str) -> Parsed<Name> {
        match &self.peek().kind {
            Kind::Word(text) if !RESERVED.contains(&text.as_str()) => {
                let text = text.clone();
                Ok(Name { text, span: self.next().span })
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// Names with commas between, up to a sign that is read, too.
    pub(crate) fn names_until(&mut self, end: &str, what: &str) -> Parsed<Vec<Name>> {
        let mut names = Vec::new();
        if self.accept(end) {
            return Ok(names);
        }
        loop {
            names.push(self.name(what)?);
            if self.accept(end) {
                return Ok(names);
            }
            self.expect(",")?;
        }
    }

    /// Tokens up to one of some signs outside of all brackets, which is left.
    pub(crate) fn affine(&mut self, ends: &[&str], what: &str) -> Parsed<Affine> {
        let (first, start) = (self.position, self.peek().span.start);
        let mut open: Vec<&str> = Vec::new();
        loop {
            let token = self.peek();
            if token.kind == Kind::End || token.is(";") {
                return Err(self.unexpected(&format!("{what} ends with `{}`, which is", ends.join("` or `"))));
            }
            if open.is_empty() && ends.iter().any(|end| token.is(end)) {
                break;
            }
            match &token.kind {
                Kind::Sign(sign @ ("(" | "[" | "{")) => open.push(sign),
                Kind::Sign(")" | "]" | "}") if open.pop().is_none() => {
                    return Err(self.unexpected(&format!("{what} with `{}` behind it", ends.join("` or `"))));
                }
                _ => {}
            }
            self.position += 1;
        }
        if self.position == first {
            return Err(self.unexpected(what));
        }
        let tokens = self.tokens[first..self.position].to_vec();
        Ok(Affine { tokens, span: self.since(start) })
    }

    fn file(&mut self) -> Parsed<File> {
        let mut file = File::default();
        while self.peek().kind != Kind::End {
            if self.accept("const") {
                let name = self.name("the name of a constant")?;
                self.expect("=")?;
                let sign = if self.accept("-") { "-" } else { "" };
                let Kind::Integer(value) = self.peek().kind.clone() else {
                    return Err(self.unexpected("a number"));
                };
                self.position += 1;
                self.expect(";")?;
                file.constants.push((name, format!("{sign}{value}")));
            } else if self.accept("extern") {
                let result = self.name("the type of what the function returns")?;
                let name = self.name("the name of a function")?;
                self.expect("(")?;
                let arguments = self.names_until(")", "a type")?;
                self.accept("pure");
                self.expect(";")?;
                file.externs.push(Extern { name, result, arguments });
            } else if self.accept("use") {
                let Kind::Text(text) = self.peek().kind.clone() else {
                    return Err(self.unexpected("the name of a file, `\"lib.eq\"`,"));
                };
                file.uses.push(Name { text, span: self.next().span });
                self.expect(";")?;
            } else if self.accept("system") {
                let system = self.system()?;
                file.systems.push(system);
            } else {
                return Err(self.unexpected("`system`, `const`, `extern` or `use`"));
            }
        }
        file.share_constants(&[]);
        Ok(file)
    }

    fn system(&mut self) -> Parsed<System> {
        let name = self.name("the name of a system")?;
        let params = if self.accept("[") { self.names_until("]", "the name of a parameter")? } else { Vec::new() };
        let context = if self.accept("where") { Some(self.affine(&["{"], "a condition on parameters")?) } else { None };
        self.expect("{")?;
        let (mut declarations, mut equations) = (Vec::new(), Vec::new());
        while !self.accept("}") {
            if ["in", "out", "let"].iter().any(|word| self.is(word)) {
                declarations.push(self.declaration()?);
            } else {
                equations.push(self.statement()?);
            }
        }
        let constants = Arc::default();
        Ok(System { name, params, context, declarations, equations, constants })
    }

    fn declaration(&mut self) -> Parsed<Declaration> {
        let token = self.next();
        let kind = Name { text: token.text(), span: token.span };
        let scalar = self.name("a type")?;
        let names = self.names_until(":", "the name of a variable")?;
        let mut domain = vec![self.domain()?];
        while self.accept("or") {
            domain.push(self.domain()?);
        }
        self.expect(";")?;
        Ok(Declaration { kind, scalar, names, domain })
    }

    fn domain(&mut self) -> Parsed<Domain> {
        let start = self.peek().span.start;
        if self.accept("[") {
            let mut bounds = Vec::new();
            while !self.accept("]") {
                let lower = self.affine(&[".."], "the first index")?;
                self.expect("..")?;
                let upper = self.affine(&[",", "]"], "the last index")?;
                bounds.push((lower, upper));
                if !self.is("]") {
                    self.expect(",")?;
                }
            }
            return Ok(Domain::Box { bounds, span: self.since(start) });
        }
        if !self.accept("{") {
            return Err(self.unexpected("a domain, `{ [i] : .. }` or `[a..b]`,"));
        }
        self.expect("[")?;
        let dims = self.names_until("]", "the name of an index")?;
        let constraints = if self.accept(":") { Some(self.affine(&["}"], "a condition")?) } else { None };
        self.expect("}")?;
        Ok(Domain::Set { dims, constraints, span: self.since(start) })
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.peek().span.start;
        if self.accept("(") {
            let results = self.names_until(")", "the name of a variable")?;
            self.expect("=")?;
            let system = self.name("the name of a system")?;
            let params = if self.accept("[") { self.affines_until("]")? } else { Vec::new() };
            self.expect("(")?;
            let arguments = self.expressions_until(")")?;
            self.expect(";")?;
            return Ok(Statement::Use { results, system, params, arguments, span: self.since(start) });
        }
        let variable = self.name("a declaration or an equation")?;
        let dims = if self.accept("[") { Some(self.names_until("]", "the name of an index")?) } else { None };
        self.expect("=")?;
        let body = self.expression()?;
        let span = self.since(start);
        self.expect(";")?;
        Ok(Statement::Equation { variable, dims, body, span })
    }

    /// Affine expressions with commas between, up to a sign that is read, too.
    pub(crate) fn affines_until(&mut self, end: &str) -> Parsed<Vec<Affine>> {
        let mut all = Vec::new();
        if self.accept(end) {
            return Ok(all);
        }
        loop {
            all.push(self.affine(&[",", end], "an affine expression")?);
            if self.accept(end) {
                return Ok(all);
            }
            self.expect(",")?;
        }
    }
}
