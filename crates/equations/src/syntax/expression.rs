//! Expressions.
//!
//! From weak to strong: `if` and reductions, which reach as far as they can; `or`; `and`; `not`;
//! comparisons; `|`; `^`; `&`; shifts; `+ -`; `* / %`; signs.

use crate::diagnostic::{Diagnostic, Flaw};
use crate::syntax::lexer::Kind;
use crate::syntax::parser::{MAX_DEPTH, Parser};
use crate::syntax::tree::{Expr, ExprKind, Name};

type Parsed<T> = Result<T, Diagnostic>;

/// Operators by how strongly they bind, weakest first.
const LEVELS: [&[&str]; 9] = [
    &["or"],
    &["and"],
    &["=", "!=", "<", "<=", ">", ">="],
    &["|"],
    &["^"],
    &["&"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// The level of comparisons, of which there is at most one.
const COMPARISON: usize = 2;

/// Names of operators of reductions.
const REDUCTIONS: [&str; 7] = ["sum", "prod", "max", "min", "and", "or", "xor"];

impl Parser {
    pub(crate) fn expression(&mut self) -> Parsed<Expr> {
        self.binary(0)
    }

    pub(crate) fn expressions_until(&mut self, end: &str) -> Parsed<Vec<Expr>> {
        let mut all = Vec::new();
        if self.accept(end) {
            return Ok(all);
        }
        loop {
            all.push(self.expression()?);
            if self.accept(end) {
                return Ok(all);
            }
            self.expect(",")?;
        }
    }

    /// Operators of a level and of stronger ones. The recursion is bounded by the number of levels,
    /// and by the depth of nesting.
    fn binary(&mut self, level: usize) -> Parsed<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let start = self.peek().span.start;
        let mut left = self.binary(level + 1)?;
        let mut chain = 0;
        while let Some(operator) = operators.iter().find(|operator| self.is(operator)) {
            if level == COMPARISON && chain > 0 {
                return Err(self.unexpected("`and` between comparisons"));
            }
            chain += 1;
            if chain > MAX_DEPTH {
                return Err(self.unexpected("fewer terms in one expression (parentheses help)"));
            }
            self.next();
            let right = self.binary(level + 1)?;
            let kind = ExprKind::Binary((*operator).to_owned(), Box::new(left), Box::new(right));
            left = Expr { kind, span: self.since(start) };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.peek().span.start;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.unexpected(&format!("an expression that is nested at most {MAX_DEPTH} deep is")));
        }
        let sign = ["-", "~", "not"].into_iter().find(|sign| self.is(sign));
        let result = match sign {
            Some(sign) => {
                self.next();
                let operand = self.unary()?;
                Expr { kind: ExprKind::Unary(sign, Box::new(operand)), span: self.since(start) }
            }
            None => self.postfix()?,
        };
        self.depth -= 1;
        Ok(result)
    }

    /// An expression at another place: `(e) @ [x = i + 1]`.
    fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.peek().span.start;
        let mut result = self.primary()?;
        while self.accept("@") {
            self.expect("[")?;
            let mut map = Vec::new();
            while !self.accept("]") {
                let name = self.name("the name of an index")?;
                self.expect("=")?;
                map.push((name, self.affine(&[",", "]"], "an affine expression")?));
                if !self.is("]") {
                    self.expect(",")?;
                }
            }
            result = Expr { kind: ExprKind::At(Box::new(result), map), span: self.since(start) };
        }
        Ok(result)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek().clone();
        let start = token.span.start;
        let kind = match &token.kind {
            Kind::Integer(number) => {
                self.next();
                ExprKind::Integer(number.clone())
            }
            Kind::Float(number) => {
                self.next();
                ExprKind::Float(*number)
            }
            Kind::Sign("(") => {
                self.next();
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(inner);
            }
            Kind::Word(word) => match word.as_str() {
                "case" => self.case()?,
                "if" => self.conditional()?,
                "reduce" => self.projection()?,
                "val" => {
                    self.next();
                    self.expect("[")?;
                    let affine = self.affine(&["]"], "an affine expression")?;
                    self.expect("]")?;
                    ExprKind::Index(affine)
                }
                word if REDUCTIONS.contains(&word) && self.ahead(1).is("[") => self.reduction()?,
                _ => self.reference()?,
            },
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn reference(&mut self) -> Parsed<ExprKind> {
        let token = self.peek().clone();
        // The names of operators are functions, too.
        let name = match &token.kind {
            Kind::Word(word) if matches!(word.as_str(), "max" | "min") => {
                self.next();
                Name { text: word.clone(), span: token.span }
            }
            _ => self.name("an expression")?,
        };
        if self.accept("(") {
            return Ok(ExprKind::Call(name, self.expressions_until(")")?));
        }
        if self.accept("[") {
            let subscripts = self.affines_until("]")?;
            // A condition stands behind the indices of a reduction only.
            if subscripts.iter().any(|affine| affine.tokens.iter().any(|token| token.is(":"))) {
                let message = format!("nothing is reduced by `{}`", name.text);
                let flaw = Diagnostic::new(Flaw::UnknownReduction, name.span, message);
                return Err(flaw.with_note(format!("reductions: {}", REDUCTIONS.join(", "))));
            }
            return Ok(ExprKind::Read(name, subscripts));
        }
        Ok(ExprKind::Name(name.text))
    }

    fn case(&mut self) -> Parsed<ExprKind> {
        self.next();
        self.expect("{")?;
        let mut branches = Vec::new();
        while !self.accept("}") {
            let condition = if self.accept("else") { None } else { Some(self.affine(&[":"], "a condition")?) };
            self.expect(":")?;
            let body = self.expression()?;
            self.expect(";")?;
            branches.push((condition, body));
        }
        if branches.is_empty() {
            return Err(self.unexpected("a branch before it is"));
        }
        Ok(ExprKind::Case(branches))
    }

    fn conditional(&mut self) -> Parsed<ExprKind> {
        self.next();
        let condition = self.expression()?;
        self.expect("then")?;
        let then = self.expression()?;
        self.expect("else")?;
        let otherwise = self.expression()?;
        Ok(ExprKind::If(Box::new(condition), Box::new(then), Box::new(otherwise)))
    }

    fn reduction(&mut self) -> Parsed<ExprKind> {
        let token = self.next();
        let operator = Name { text: token.text(), span: token.span };
        self.expect("[")?;
        let mut dims = vec![self.name("the name of an index")?];
        while self.accept(",") {
            dims.push(self.name("the name of an index")?);
        }
        let constraints = if self.accept(":") { Some(self.affine(&["]"], "a condition")?) } else { None };
        self.expect("]")?;
        let body = Box::new(self.expression()?);
        Ok(ExprKind::Reduce { operator, dims, constraints, body })
    }

    /// `reduce(op, [x, y] -> [f], e)`.
    fn projection(&mut self) -> Parsed<ExprKind> {
        self.next();
        self.expect("(")?;
        let token = self.next();
        let text = match token.text().as_str() {
            "+" => "sum".to_owned(),
            "*" => "prod".to_owned(),
            other => other.to_owned(),
        };
        let operator = Name { text, span: token.span };
        self.expect(",")?;
        self.expect("[")?;
        let dims = self.names_until("]", "the name of an index")?;
        self.expect("->")?;
        self.expect("[")?;
        let map = self.affines_until("]")?;
        self.expect(",")?;
        let body = Box::new(self.expression()?);
        self.expect(")")?;
        Ok(ExprKind::Project { operator, dims, map, body })
    }
}
