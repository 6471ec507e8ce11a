//! From tokens to a syntax tree, by recursive descent.
//!
//! A parenthesis may open a formula or an expression; the parser first tries a comparison and
//! goes back if that fails.

use poly_arith::Int;

use super::ParseError;
use super::lexer::{Token, tokens};
use crate::space::Id;

/// How deep formulas and expressions may be nested.
const MAX_DEPTH: usize = 200;

type Parsed<T> = Result<T, ParseError>;

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Expr {
    Number(Int),
    /// A variable, with its position for error messages.
    Var(String, usize),
    /// A dimension of the tuple, by its number; texts have none.
    Dim(usize),
    Neg(Box<Expr>),
    /// Terms, those with `true` subtracted.
    Sum(Vec<(bool, Expr)>),
    Mul(Box<Expr>, Box<Expr>, usize),
    Div(Box<Expr>, Int),
    Mod(Box<Expr>, Int),
    Floor(Box<Expr>),
    Ceil(Box<Expr>),
    Min(Box<Expr>, Box<Expr>),
    Max(Box<Expr>, Box<Expr>),
    Cond(Box<Formula>, Box<Expr>, Box<Expr>),
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
}

/// A formula.
#[derive(Clone, Debug)]
pub(super) enum Formula {
    True,
    False,
    /// Every pair of the two lists is in the relation.
    Compare(Vec<Expr>, Comparison, Vec<Expr>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Not(Box<Formula>),
    /// Variables, possibly with a value.
    Exists(Vec<(String, Option<Expr>)>, Box<Formula>),
}

/// A dimension of a tuple: a name, a value, or both. A value may be a range, from `value` to
/// `last`.
#[derive(Clone, Debug)]
pub(super) struct Dim {
    pub(super) name: Option<String>,
    pub(super) value: Option<Expr>,
    pub(super) last: Option<Expr>,
}

/// A tuple.
#[derive(Clone, Debug)]
pub(super) struct TupleSyntax {
    pub(super) name: Option<Id>,
    pub(super) content: TupleContent,
}

/// What is between the brackets of a tuple.
#[derive(Clone, Debug)]
pub(super) enum TupleContent {
    Dims(Vec<Dim>),
    Nested(Box<(TupleSyntax, TupleSyntax)>),
}

/// `tuple -> tuple : formula`.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) first: Option<TupleSyntax>,
    pub(super) second: Option<TupleSyntax>,
    pub(super) condition: Formula,
    pub(super) position: usize,
    /// Whether it begins with `rat:`.
    pub(super) rational: bool,
}

/// `[params] -> { items }`.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) params: Vec<Id>,
    pub(super) items: Vec<Item>,
}

/// `[params] -> name[{ ... }, ...]`.
pub(super) struct MultiUnion {
    pub(super) params: Vec<Id>,
    pub(super) name: Option<Id>,
    pub(super) members: Vec<Source>,
    pub(super) domain: Option<Source>,
}

/// A cursor over the tokens.
pub(super) struct Parser {
    tokens: Vec<(Token, usize)>,
    at: usize,
    depth: usize,
    /// For each token, whether a `?` follows before an expression that starts there can be over.
    conditional: Vec<bool>,
}

const KEYWORDS: [&str; 9] = ["and", "or", "not", "exists", "mod", "implies", "true", "false", "rat"];

/// For each token, whether a `?` follows outside of parentheses before something that ends an
/// expression.
fn conditionals(tokens: &[(Token, usize)]) -> Vec<bool> {
    let mut found = vec![false; tokens.len() + 1];
    let mut closed = Vec::new(); // the closing parentheses whose opening ones are not reached yet
    for (i, (token, _)) in tokens.iter().enumerate().rev() {
        found[i] = match token {
            Token::Symbol("?") => true,
            Token::Symbol(")" | "]") => {
                closed.push(i);
                false
            }
            Token::Symbol("(" | "[") => closed.pop().is_some_and(|end| found[end + 1]),
            Token::Symbol("," | ":" | ";" | "}" | "{") | Token::End => false,
            Token::Word(word) if word == "and" || word == "or" => false,
            _ => found[i + 1],
        };
    }
    found
}

impl Parser {
    pub(super) fn new(text: &str) -> Parsed<Parser> {
        let tokens = tokens(text)?;
        let conditional = conditionals(&tokens);
        Ok(Parser { tokens, at: 0, depth: 0, conditional })
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn peek_at(&self, ahead: usize) -> &Token {
        let at = (self.at + ahead).min(self.tokens.len() - 1);
        &self.tokens[at].0
    }

    fn position(&self) -> usize {
        self.tokens[self.at].1
    }

    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(ParseError::new(self.position(), message))
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].0.clone();
        if token != Token::End {
            self.at += 1;
        }
        token
    }

    fn is(&self, symbol: &str) -> bool {
        matches!(self.peek(), Token::Symbol(s) if *s == symbol)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if w == word)
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let found = self.is(symbol);
        if found {
            self.at += 1;
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.at += 1;
        }
        found
    }

    fn expect(&mut self, symbol: &str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { self.error(format!("`{symbol}` is expected here")) }
    }

    pub(super) fn expect_end(&self) -> Parsed<()> {
        if *self.peek() == Token::End { Ok(()) } else { self.error("nothing more is expected here") }
    }

    /// Run a parser one level deeper.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return self.error("this is nested too deeply");
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// Run a parser, and go back to where it started if it fails.
    fn attempt<T>(&mut self, f: impl FnOnce(&mut Parser) -> Parsed<T>) -> Option<T> {
        let (start, depth) = (self.at, self.depth);
        match f(self) {
            Ok(value) => Some(value),
            Err(_) => {
                (self.at, self.depth) = (start, depth);
                None
            }
        }
    }

    /// `[params] -> { items }`
    pub(super) fn source(&mut self) -> Parsed<Source> {
        let params = self.params()?;
        self.braced(params)
    }

    fn braced(&mut self, params: Vec<Id>) -> Parsed<Source> {
        self.expect("{")?;
        let mut items = Vec::new();
        while !self.is("}") {
            items.push(self.item()?);
            if !self.eat(";") {
                break;
            }
        }
        self.expect("}")?;
        Ok(Source { params, items })
    }

    /// `[n, m] ->`, or nothing.
    fn params(&mut self) -> Parsed<Vec<Id>> {
        let list = |p: &mut Parser| {
            p.expect("[")?;
            let mut names = Vec::new();
            while let Token::Word(name) = p.peek().clone() {
                p.next();
                names.push(Id::from(name));
                if !p.eat(",") {
                    break;
                }
            }
            p.expect("]")?;
            p.expect("->")?;
            Ok(names)
        };
        Ok(self.attempt(list).unwrap_or_default())
    }

    /// `[params] -> name[{...}, ...]` or `([params] -> name[] : {...})`.
    pub(super) fn multi_union(&mut self) -> Parsed<MultiUnion> {
        let params = self.params()?;
        let parenthesis = self.eat("(");
        let name = self.tuple_name();
        self.expect("[")?;
        let mut members = Vec::new();
        while !self.is("]") {
            members.push(self.braced(params.clone())?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect("]")?;
        let mut domain = None;
        if parenthesis {
            self.expect(":")?;
            domain = Some(self.braced(params.clone())?);
            self.expect(")")?;
        }
        Ok(MultiUnion { params, name, members, domain })
    }

    fn item(&mut self) -> Parsed<Item> {
        let position = self.position();
        let rational = self.is_word("rat") && *self.peek_at(1) == Token::Symbol(":");
        if rational {
            self.next();
            self.next();
        }
        let mut item = Item { first: None, second: None, condition: Formula::True, position, rational };
        if !self.is(":") {
            item.first = Some(self.tuple()?);
            if self.eat("->") {
                item.second = Some(self.tuple()?);
            }
        }
        if self.eat(":") && !self.is("}") && !self.is(";") {
            item.condition = self.formula()?;
        }
        Ok(item)
    }

    fn tuple_name(&mut self) -> Option<Id> {
        let Token::Word(word) = self.peek().clone() else { return None };
        let name = (*self.peek_at(1) == Token::Symbol("[")).then(|| Id::from(word))?;
        self.next();
        Some(name)
    }

    fn tuple(&mut self) -> Parsed<TupleSyntax> {
        self.nested(|p| {
            let name = p.tuple_name();
            if let Some(pair) = p.attempt(Parser::nested_pair) {
                return Ok(TupleSyntax { name, content: TupleContent::Nested(Box::new(pair)) });
            }
            p.expect("[")?;
            let mut dims = Vec::new();
            while !p.is("]") {
                dims.push(p.dim()?);
                if !p.eat(",") {
                    break;
                }
            }
            p.expect("]")?;
            Ok(TupleSyntax { name, content: TupleContent::Dims(dims) })
        })
    }

    fn nested_pair(&mut self) -> Parsed<(TupleSyntax, TupleSyntax)> {
        self.expect("[")?;
        let a = self.tuple()?;
        self.expect("->")?;
        let b = self.tuple()?;
        self.expect("]")?;
        Ok((a, b))
    }

    fn dim(&mut self) -> Parsed<Dim> {
        if let Token::Word(name) = self.peek().clone() {
            match self.peek_at(1) {
                Token::Symbol("=") => {
                    self.next();
                    self.next();
                    return self.dim_value(Some(name));
                }
                Token::Symbol("," | "]") => {
                    self.next();
                    return Ok(Dim { name: Some(name), value: None, last: None });
                }
                _ => {}
            }
        }
        if self.is("*") {
            self.next();
            return Ok(Dim { name: None, value: None, last: None });
        }
        self.dim_value(None)
    }

    /// `value` or `first : last`.
    fn dim_value(&mut self, name: Option<String>) -> Parsed<Dim> {
        let value = Some(self.expr()?);
        let last = if self.eat(":") { Some(self.expr()?) } else { None };
        Ok(Dim { name, value, last })
    }

    /// A disjunction, lowest precedence.
    pub(super) fn formula(&mut self) -> Parsed<Formula> {
        self.nested(|p| {
            let first = p.disjunction()?;
            if p.eat_word("implies") {
                let second = p.formula()?;
                return Ok(Formula::Or(vec![Formula::Not(Box::new(first)), second]));
            }
            Ok(first)
        })
    }

    fn disjunction(&mut self) -> Parsed<Formula> {
        let mut parts = vec![self.conjunction()?];
        while self.eat_word("or") || self.eat("||") || self.eat("|") {
            parts.push(self.conjunction()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Formula::Or(parts) })
    }

    fn conjunction(&mut self) -> Parsed<Formula> {
        let mut parts = vec![self.atom()?];
        while self.eat_word("and") || self.eat("&&") || self.eat("&") {
            parts.push(self.atom()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Formula::And(parts) })
    }

    fn atom(&mut self) -> Parsed<Formula> {
        if self.eat_word("not") || self.eat("!") {
            return Ok(Formula::Not(Box::new(self.nested(Parser::atom)?)));
        }
        if self.eat_word("exists") || self.eat_word("Exists") {
            return self.nested(Parser::exists);
        }
        if self.eat_word("true") {
            return Ok(Formula::True);
        }
        if self.eat_word("false") {
            return Ok(Formula::False);
        }
        if self.is("(") {
            if let Some(comparison) = self.attempt(Parser::comparison) {
                return Ok(comparison);
            }
            self.expect("(")?;
            let inner = self.formula()?;
            self.expect(")")?;
            return Ok(inner);
        }
        self.comparison()
    }

    /// `(a, b = expr : formula)`, or without parentheses up to the end of the conjunction.
    fn exists(&mut self) -> Parsed<Formula> {
        let parenthesis = self.eat("(");
        let mut vars = Vec::new();
        loop {
            let Token::Word(name) = self.next() else {
                self.at -= 1;
                return self.error("the name of a variable is expected here");
            };
            let value = if self.eat("=") { Some(self.expr()?) } else { None };
            vars.push((name, value));
            if !self.eat(",") {
                break;
            }
        }
        let body = if self.eat(":") { self.formula()? } else { Formula::True };
        if parenthesis {
            self.expect(")")?;
        }
        Ok(Formula::Exists(vars, Box::new(body)))
    }

    /// A chain `a <= b < c` of lists of expressions.
    fn comparison(&mut self) -> Parsed<Formula> {
        self.comparison_of(Parser::expr)
    }

    fn comparison_of(&mut self, operand: fn(&mut Parser) -> Parsed<Expr>) -> Parsed<Formula> {
        let mut left = self.list_of(operand)?;
        let mut parts = Vec::new();
        while let Some(op) = self.comparison_operator() {
            let right = self.list_of(operand)?;
            parts.push(Formula::Compare(left, op, right.clone()));
            left = right;
        }
        match parts.len() {
            0 => self.error("a comparison is expected here"),
            1 => Ok(parts.remove(0)),
            _ => Ok(Formula::And(parts)),
        }
    }

    fn comparison_operator(&mut self) -> Option<Comparison> {
        let op = match self.peek() {
            Token::Symbol("<") => Comparison::Lt,
            Token::Symbol("<=") => Comparison::Le,
            Token::Symbol(">") => Comparison::Gt,
            Token::Symbol(">=") => Comparison::Ge,
            Token::Symbol("=" | "==") => Comparison::Eq,
            Token::Symbol("!=" | "<>") => Comparison::Ne,
            _ => return None,
        };
        self.next();
        Some(op)
    }

    fn list_of(&mut self, operand: fn(&mut Parser) -> Parsed<Expr>) -> Parsed<Vec<Expr>> {
        let mut list = vec![operand(self)?];
        while self.eat(",") {
            list.push(operand(self)?);
        }
        Ok(list)
    }

    /// A sum, lowest precedence, or `condition ? a : b`.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.nested(|p| {
            if !p.conditional[p.at] {
                return p.sum();
            }
            let condition = p.comparison_of(Parser::sum)?;
            p.expect("?")?;
            let a = p.expr()?;
            p.expect(":")?;
            let b = p.expr()?;
            Ok(Expr::Cond(Box::new(condition), Box::new(a), Box::new(b)))
        })
    }

    fn sum(&mut self) -> Parsed<Expr> {
        let mut terms = vec![(false, self.product()?)];
        loop {
            if self.eat("+") {
                terms.push((false, self.product()?));
            } else if self.eat("-") {
                terms.push((true, self.product()?));
            } else {
                return Ok(if terms.len() == 1 { terms.remove(0).1 } else { Expr::Sum(terms) });
            }
        }
    }

    /// A product; each operator is one level, as it makes the tree deeper.
    fn product(&mut self) -> Parsed<Expr> {
        let mut value = self.factor()?;
        for _ in self.depth..MAX_DEPTH {
            let position = self.position();
            if self.eat("*") {
                value = Expr::Mul(Box::new(value), Box::new(self.factor()?), position);
            } else if self.eat("/") {
                value = Expr::Div(Box::new(value), self.divisor()?);
            } else if self.eat("%") || self.eat_word("mod") {
                value = Expr::Mod(Box::new(value), self.divisor()?);
            } else {
                return Ok(value);
            }
        }
        self.error("this is nested too deeply")
    }

    /// A positive constant, possibly in parentheses.
    fn divisor(&mut self) -> Parsed<Int> {
        let parenthesis = self.eat("(");
        let value = match self.peek().clone() {
            Token::Number(n) if n.is_pos() => n,
            _ => return self.error("a positive constant is expected here"),
        };
        self.next();
        if parenthesis {
            self.expect(")")?;
        }
        Ok(value)
    }

    fn factor(&mut self) -> Parsed<Expr> {
        if self.eat("-") {
            let inner = self.nested(Parser::factor)?;
            return Ok(Expr::Neg(Box::new(inner)));
        }
        if self.eat("+") {
            return self.nested(Parser::factor);
        }
        let position = self.position();
        match self.peek().clone() {
            Token::Number(n) => {
                self.next();
                let multiplied = match self.peek() {
                    Token::Word(w) => !KEYWORDS.contains(&w.as_str()),
                    Token::Symbol("(") => true,
                    _ => false,
                };
                if multiplied {
                    let operand = self.nested(Parser::factor)?;
                    let number = Box::new(Expr::Number(n));
                    return Ok(Expr::Mul(number, Box::new(operand), position));
                }
                Ok(Expr::Number(n))
            }
            Token::Word(name) => self.word(&name, position),
            Token::Symbol("(") => {
                self.next();
                let inner = self.expr()?;
                self.expect(")")?;
                Ok(inner)
            }
            Token::Symbol("[") => {
                self.next();
                let inner = self.expr()?;
                self.expect("]")?;
                Ok(Expr::Floor(Box::new(inner)))
            }
            _ => self.error("an expression is expected here"),
        }
    }

    /// A variable or a function call.
    fn word(&mut self, name: &str, position: usize) -> Parsed<Expr> {
        if KEYWORDS.contains(&name) {
            return self.error("an expression is expected here");
        }
        self.next();
        if !self.is("(") {
            return Ok(Expr::Var(name.to_owned(), position));
        }
        self.expect("(")?;
        let value = match name {
            "floor" => Expr::Floor(Box::new(self.expr()?)),
            "ceil" => Expr::Ceil(Box::new(self.expr()?)),
            "floord" | "ceild" => {
                let value = Box::new(self.expr()?);
                self.expect(",")?;
                let quotient = Box::new(Expr::Div(value, self.divisor()?));
                if name == "floord" { Expr::Floor(quotient) } else { Expr::Ceil(quotient) }
            }
            "min" | "max" => {
                let mut value = self.expr()?;
                let mut levels = self.depth..MAX_DEPTH;
                while self.eat(",") {
                    if levels.next().is_none() {
                        return self.error("this is nested too deeply");
                    }
                    let other = Box::new(self.expr()?);
                    value = if name == "min" {
                        Expr::Min(Box::new(value), other)
                    } else {
                        Expr::Max(Box::new(value), other)
                    };
                }
                value
            }
            _ => return Err(ParseError::new(position, format!("`{name}` is not a function"))),
        };
        self.expect(")")?;
        Ok(value)
    }
}
