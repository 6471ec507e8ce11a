//! The language of the calculator: statements, expressions, and how they are read.
//!
//! ```text
//! statement  = [ target ":=" ] expression ";"  |  "print" expression ";"
//! target     = name  |  "[" name { "," name } "]"
//! expression = sum { ( "=" | "<=" | ">=" | "<" | ">" | "<<" | "<<=" | ">>" | ">>=" ) sum }
//! sum        = product { ( "+" | "-" ) product }
//! product    = prefix { ( "*" | "%" | "." | "->" | "@" | "cross" ) prefix }
//! prefix     = operation prefix  |  postfix
//! postfix    = primary { "^" "+" | "^" [ "-" ] number | "(" expression ")" | "[" number "]" }
//! primary    = number | string | name | "(" expression ")" | set, relation or function in isl's syntax
//! dataflow   = ( "any" | "last" ) sum [ ( "any" | "last" ) sum ] "before" sum "under" sum
//! codegen    = "codegen" sum [ "over" sum ] [ "using" sum ]
//! ```
//!
//! Objects begin with `{`, or with `[` if an arrow and a brace follow the list of parameters. `#`
//! begins a comment, which ends with the line.

/// A piece of text, with the place where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) at: usize,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// A name or a word of the language.
    Word(String),
    /// Digits.
    Number(String),
    /// A quoted string.
    Text(String),
    /// A set, relation or function in isl's syntax.
    Object(String),
    /// Punctuation.
    Sign(&'static str),
}

/// Why a text is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    /// The byte where.
    pub(crate) at: usize,
    /// A sentence.
    pub(crate) message: String,
    /// Whether more text may help.
    pub(crate) is_incomplete: bool,
}

impl SyntaxError {
    fn new(at: usize, message: impl Into<String>) -> SyntaxError {
        SyntaxError { at, message: message.into(), is_incomplete: false }
    }

    fn incomplete(at: usize, message: impl Into<String>) -> SyntaxError {
        SyntaxError { at, message: message.into(), is_incomplete: true }
    }
}

/// Operators of several characters come first.
const SIGNS: &[&str] = &[
    ":=", "<<=", ">>=", "<<", ">>", "<=", ">=", "->", "<", ">", "=", "+", "-", "*", "%", ".", "@", "^", "(", ")", "[",
    "]", ",", ";",
];

/// The tokens of a text.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut result = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        if c == '#' {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let (kind, length) = if c == '{' || (c == '[' && begins_object(rest)) {
            let end = object_end(rest).ok_or_else(|| SyntaxError::incomplete(at, "a brace is not closed"))?;
            (TokenKind::Object(rest[..end].to_owned()), end)
        } else if c == '"' {
            let end = rest[1..].find('"').ok_or_else(|| SyntaxError::incomplete(at, "a string is not closed"))? + 1;
            (TokenKind::Text(rest[1..end].to_owned()), end + 1)
        } else if c.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            (TokenKind::Number(rest[..end].to_owned()), end)
        } else if c.is_alphabetic() || c == '_' {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\'')).unwrap_or(rest.len());
            (TokenKind::Word(rest[..end].to_owned()), end)
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign = sign.ok_or_else(|| SyntaxError::new(at, format!("{c:?} is not expected here")))?;
            (TokenKind::Sign(sign), sign.len())
        };
        result.push(Token { kind, at });
        at += length;
    }
    Ok(result)
}

/// Whether a list of parameters and an arrow to a brace follow.
fn begins_object(text: &str) -> bool {
    let after = text.find(']').map(|end| text[end + 1..].trim_start());
    after.and_then(|rest| rest.strip_prefix("->")).is_some_and(|rest| rest.trim_start().starts_with('{'))
}

/// Behind the brace that closes the first one.
fn object_end(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// An expression, with the place where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) at: usize,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExprKind {
    /// Digits.
    Number(String),
    /// A string.
    Text(String),
    /// An object in isl's syntax.
    Object(String),
    /// The value of a variable.
    Name(String),
    /// An operation written before its operand.
    Unary(&'static str, Box<Expr>),
    /// An operation between its operands.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// The power of a relation; negative ones are powers of the inverse.
    Power(Box<Expr>, i64),
    /// The transitive closure of a relation.
    Closure(Box<Expr>),
    /// The value of a function at a point, or the image of a set.
    Apply(Box<Expr>, Box<Expr>),
    /// An element of a list, counted from zero.
    Element(Box<Expr>, usize),
    /// Dataflow: sources that may and that must, sinks, schedule; whether sources are the last
    /// ones.
    Dataflow { may: Option<Box<Expr>>, must: Option<Box<Expr>>, sink: Box<Expr>, schedule: Box<Expr> },
    /// A program: schedule, context, options.
    Codegen { schedule: Box<Expr>, context: Option<Box<Expr>>, options: Option<Box<Expr>> },
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Statement {
    /// Print a value.
    Print(Expr),
    /// Assign a value, or the elements of a list.
    Assign(Vec<String>, Expr),
    /// Run the statements of a file.
    Source(String),
    /// Say what there is.
    Help(Option<String>),
    /// End.
    Quit,
}

/// Operations that are written before their operand, and what they do.
pub(crate) const UNARY: &[(&str, &str)] = &[
    ("aff", "the affine hull"),
    ("card", "the number of elements, or of images"),
    ("coalesce", "the same with fewer disjuncts"),
    ("complement", "what is not in a set or relation"),
    ("convex", "the convex hull"),
    ("deltas", "the differences of the pairs of a relation"),
    ("deltas_map", "the pairs of a relation with their differences"),
    ("dom", "the domain of a relation"),
    ("domain", "the domain of a relation"),
    ("domain_map", "from pairs to their first elements"),
    ("empty", "whether there is no element"),
    ("hull", "the simple hull"),
    ("identity", "the identity relation on a set"),
    ("lexmax", "the lexicographically largest elements or images"),
    ("lexmin", "the lexicographically smallest elements or images"),
    ("lb", "a lower bound of a function over its domain, and whether it is the least value"),
    ("map", "the relation of instances and times of a schedule"),
    ("not", "the other answer"),
    ("params", "the parameter values for which there are elements"),
    ("poly", "the convex hull"),
    ("pow", "the pairs that are connected by k steps of a relation, for every k, and whether that is exact"),
    ("ran", "the range of a relation"),
    ("range", "the range of a relation"),
    ("range_map", "from pairs to their second elements"),
    ("sample", "one element"),
    ("schedule", "the schedule tree that a string describes, in YAML"),
    ("simple", "the same without redundant constraints"),
    ("sum", "the sum of a function over its domain"),
    ("typeof", "the kind of a value"),
    ("ub", "an upper bound of a function over its domain, and whether it is the largest value"),
    ("unwrap", "the relation that a set of pairs is"),
    ("wrap", "the set of pairs that a relation is"),
    ("zip", "[[A -> B] -> [C -> D]] as [[A -> C] -> [B -> D]]"),
];

const COMPARISONS: &[&str] = &["=", "<=", ">=", "<", ">", "<<", "<<=", ">>", ">>="];
const SUMS: &[&str] = &["+", "-"];
const PRODUCTS: &[&str] = &["*", "%", ".", "->", "@", "cross"];

/// How deep expressions may be nested.
const MAX_DEPTH: usize = 100;

/// Reads the statements of a text.
pub(crate) fn statements(text: &str) -> Result<Vec<(usize, Statement)>, SyntaxError> {
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens: &tokens, next: 0, end: text.len(), depth: 0 };
    let mut result = Vec::new();
    while parser.next < tokens.len() {
        if parser.take(";") {
            continue;
        }
        let at = parser.at();
        result.push((at, parser.statement()?));
    }
    Ok(result)
}

struct Parser<'a> {
    tokens: &'a [Token],
    next: usize,
    end: usize,
    depth: usize,
}

type Parsed<T> = Result<T, SyntaxError>;

impl Parser<'_> {
    fn peek(&self) -> Option<&TokenKind> {
        self.tokens.get(self.next).map(|token| &token.kind)
    }

    fn at(&self) -> usize {
        self.tokens.get(self.next).map_or(self.end, |token| token.at)
    }

    fn fail<T>(&self, message: &str) -> Parsed<T> {
        let make = if self.next < self.tokens.len() { SyntaxError::new } else { SyntaxError::incomplete };
        Err(make(self.at(), message))
    }

    /// Whether the next token is this word or sign; it is taken then.
    fn take(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.next += usize::from(found);
        found
    }

    fn is(&self, text: &str) -> bool {
        match self.peek() {
            Some(TokenKind::Word(word)) => word == text,
            Some(TokenKind::Sign(sign)) => *sign == text,
            _ => false,
        }
    }

    fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.take(text) { Ok(()) } else { self.fail(&format!("`{text}` is expected here")) }
    }

    fn word(&mut self) -> Parsed<String> {
        match self.peek() {
            Some(TokenKind::Word(word)) => {
                let word = word.clone();
                self.next += 1;
                Ok(word)
            }
            _ => self.fail("a name is expected here"),
        }
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let statement = if self.take("quit") || self.take("exit") {
            Statement::Quit
        } else if self.take("help") {
            let topic = matches!(self.peek(), Some(TokenKind::Word(_))).then(|| self.word()).transpose()?;
            Statement::Help(topic)
        } else if self.take("source") {
            match self.peek() {
                Some(TokenKind::Text(path)) => {
                    let path = path.clone();
                    self.next += 1;
                    Statement::Source(path)
                }
                _ => return self.fail("the name of a file is expected here, as a string"),
            }
        } else if let Some(names) = self.targets()? {
            Statement::Assign(names, self.expression()?)
        } else {
            self.take("print");
            Statement::Print(self.expression()?)
        };
        self.expect(";")?;
        Ok(statement)
    }

    /// `a :=` or `[a, b] :=`, if that comes next.
    fn targets(&mut self) -> Parsed<Option<Vec<String>>> {
        let assigns = |i: usize| self.tokens.get(i).is_some_and(|t| t.kind == TokenKind::Sign(":="));
        if assigns(self.next + 1) {
            let name = self.word()?;
            self.next += 1;
            return Ok(Some(vec![name]));
        }
        let close = |t: &Token| t.kind == TokenKind::Sign("]");
        let end = self.tokens[self.next..].iter().position(close).map(|i| self.next + i + 1);
        if !self.is("[") || !end.is_some_and(assigns) {
            return Ok(None);
        }
        self.next += 1;
        let mut names = vec![self.word()?];
        while self.take(",") {
            names.push(self.word()?);
        }
        self.expect("]")?;
        self.expect(":=")?;
        Ok(Some(names))
    }

    fn expression(&mut self) -> Parsed<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(SyntaxError::new(self.at(), "this is nested too deeply"));
        }
        let result = self.binary(COMPARISONS, Parser::sum);
        self.depth -= 1;
        result
    }

    fn sum(&mut self) -> Parsed<Expr> {
        self.binary(SUMS, |parser| parser.binary(PRODUCTS, Parser::prefix))
    }

    fn binary(&mut self, operators: &[&'static str], operand: fn(&mut Self) -> Parsed<Expr>) -> Parsed<Expr> {
        let mut left = operand(self)?;
        loop {
            let at = self.at();
            let Some(operator) = operators.iter().find(|operator| self.take(operator)) else { return Ok(left) };
            let right = operand(self)?;
            left = Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), at };
        }
    }

    fn prefix(&mut self) -> Parsed<Expr> {
        let at = self.at();
        if self.is("any") || self.is("last") {
            return self.dataflow();
        }
        if self.take("codegen") {
            let schedule = Box::new(self.sum()?);
            let context = self.take("over").then(|| self.sum()).transpose()?.map(Box::new);
            let options = self.take("using").then(|| self.sum()).transpose()?.map(Box::new);
            return Ok(Expr { kind: ExprKind::Codegen { schedule, context, options }, at });
        }
        if let Some((name, _)) = UNARY.iter().find(|(name, _)| self.is(name)) {
            self.next += 1;
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(SyntaxError::new(at, "this is nested too deeply"));
            }
            let operand = self.prefix()?;
            self.depth -= 1;
            return Ok(Expr { kind: ExprKind::Unary(name, Box::new(operand)), at });
        }
        self.postfix()
    }

    fn dataflow(&mut self) -> Parsed<Expr> {
        let at = self.at();
        let (mut may, mut must) = (None, None);
        loop {
            let place = if self.take("any") {
                &mut may
            } else if self.take("last") {
                &mut must
            } else {
                break;
            };
            if place.is_some() {
                return self.fail("there are two lists of sources of one kind");
            }
            let sources = self.sum()?;
            *place = Some(Box::new(sources));
        }
        self.expect("before")?;
        let sink = Box::new(self.sum()?);
        self.expect("under")?;
        let schedule = Box::new(self.sum()?);
        Ok(Expr { kind: ExprKind::Dataflow { may, must, sink, schedule }, at })
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut result = self.primary()?;
        loop {
            let at = self.at();
            let kind = if self.take("^") {
                self.exponent(result)?
            } else if self.take("(") {
                let argument = self.expression()?;
                self.expect(")")?;
                ExprKind::Apply(Box::new(result), Box::new(argument))
            } else if self.take("[") {
                let index = self.number()?;
                self.expect("]")?;
                ExprKind::Element(Box::new(result), usize::try_from(index).unwrap_or(usize::MAX))
            } else {
                return Ok(result);
            };
            result = Expr { kind, at };
        }
    }

    fn exponent(&mut self, base: Expr) -> Parsed<ExprKind> {
        if self.take("+") {
            return Ok(ExprKind::Closure(Box::new(base)));
        }
        let sign = if self.take("-") { -1 } else { 1 };
        Ok(ExprKind::Power(Box::new(base), sign * self.number()?))
    }

    fn number(&mut self) -> Parsed<i64> {
        let Some(TokenKind::Number(digits)) = self.peek() else { return self.fail("a number is expected here") };
        let number = digits.parse();
        let Ok(number) = number else { return self.fail("this number is too large") };
        self.next += 1;
        Ok(number)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let at = self.at();
        if self.take("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let kind = match self.peek() {
            Some(TokenKind::Number(digits)) => ExprKind::Number(digits.clone()),
            Some(TokenKind::Text(text)) => ExprKind::Text(text.clone()),
            Some(TokenKind::Object(text)) => ExprKind::Object(text.clone()),
            Some(TokenKind::Word(name)) => ExprKind::Name(name.clone()),
            _ => return self.fail("a value is expected here"),
        };
        self.next += 1;
        Ok(Expr { kind, at })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Statement {
        let mut all = statements(text).expect("the text is understood");
        assert_eq!(all.len(), 1);
        all.remove(0).1
    }

    #[test]
    fn products_bind_more_than_sums_and_these_more_than_comparisons() {
        let Statement::Print(expr) = one("a + b * c = d;") else { panic!("it is an expression") };
        let ExprKind::Binary("=", left, _) = expr.kind else { panic!("{expr:?}") };
        let ExprKind::Binary("+", _, right) = left.kind else { panic!("{left:?}") };
        assert!(matches!(right.kind, ExprKind::Binary("*", ..)));
    }

    #[test]
    fn objects_end_with_their_brace() {
        let Statement::Print(expr) = one("[n] -> { [i] : i < n } - { [4] }; # rest") else { panic!("an expression") };
        assert!(matches!(expr.kind, ExprKind::Binary("-", ..)));
        assert!(
            matches!(one("[a, b] := any x last y before z under s;"), Statement::Assign(names, _) if names.len() == 2)
        );
    }

    #[test]
    fn what_is_missing_may_follow() {
        for text in ["a +", "{ [i] :", "card (a;", "f(x"] {
            let error = statements(text).expect_err("something is missing");
            assert_eq!(error.is_incomplete, text != "card (a;", "{text}: {error:?}");
        }
        assert!(statements(&"(".repeat(5000)).is_err());
        assert!(statements(&"card ".repeat(5000)).is_err());
    }
}
