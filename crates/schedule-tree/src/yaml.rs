//! The part of YAML in which schedule trees are written.
//!
//! Problem: isl exchanges schedule trees as YAML documents. Only a small part of YAML occurs: block
//! mappings and block sequences (by indentation), flow mappings `{ a: b }` and flow sequences
//! `[ a, b ]`, plain and double quoted scalars, comments.
//!
//! Algorithm: a recursive descent over characters. Block collections are delimited by the column of
//! their first key or dash: an entry belongs to the collection as long as it stands in that column.
//! Nesting is limited by [`MAX_NESTING`], so recursion is bounded.

use std::fmt;

/// Deepest nesting of collections that is read.
const MAX_NESTING: usize = 4096;

/// A YAML value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Text, quoted or not.
    Scalar(String, Place),
    /// Keys with their values, in order.
    Mapping(Vec<(String, Value)>, Place),
    /// Values in order.
    Sequence(Vec<Value>, Place),
}

/// Line and column of a place in the text, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Line.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The text of a schedule tree cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeParseError {
    /// Where in the text.
    pub place: Place,
    /// What is wrong.
    pub message: String,
}

impl TreeParseError {
    pub(crate) fn new(place: Place, message: impl Into<String>) -> TreeParseError {
        TreeParseError { place, message: message.into() }
    }
}

impl fmt::Display for TreeParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for TreeParseError {}

impl Value {
    /// Where the value begins.
    pub(crate) fn place(&self) -> Place {
        match self {
            Value::Scalar(_, place) | Value::Mapping(_, place) | Value::Sequence(_, place) => *place,
        }
    }
}

/// Read one document.
pub(crate) fn parse(text: &str) -> Result<Value, TreeParseError> {
    let mut reader = Reader { chars: text.chars().collect(), pos: 0, line: 1, column: 1, nesting: 0 };
    reader.skip_blank();
    if reader.rest_starts_with("---") {
        (0..3).for_each(|_| reader.advance());
    }
    let value = reader.value(0)?;
    reader.skip_blank();
    if reader.rest_starts_with("...") || reader.peek().is_none() {
        Ok(value)
    } else {
        Err(reader.error("this does not belong to the document"))
    }
}

struct Reader {
    chars: Vec<char>,
    pos: usize,
    line: usize,
    column: usize,
    nesting: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.pos).copied()
    }

    fn peek_at(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.pos + ahead).copied()
    }

    fn advance(&mut self) {
        match self.peek() {
            Some('\n') => {
                self.line += 1;
                self.column = 1;
            }
            Some(_) => self.column += 1,
            None => return,
        }
        self.pos += 1;
    }

    fn place(&self) -> Place {
        Place { line: self.line, column: self.column }
    }

    fn error(&self, message: &str) -> TreeParseError {
        TreeParseError::new(self.place(), message)
    }

    fn rest_starts_with(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(i, c)| self.peek_at(i) == Some(c))
    }

    /// Skip white space, line ends and comments.
    fn skip_blank(&mut self) {
        while let Some(c) = self.peek() {
            if c == '#' {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.advance();
                }
            } else if c.is_whitespace() {
                self.advance();
            } else {
                return;
            }
        }
    }

    /// A value in a column greater than `parent`.
    fn value(&mut self, parent: usize) -> Result<Value, TreeParseError> {
        self.skip_blank();
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.error("collections are nested too deeply"));
        }
        let value = match self.peek() {
            None => Err(self.error("a value is missing")),
            Some(_) if self.column <= parent => {
                Err(self.error("a value is missing (it would have to be indented more)"))
            }
            Some('{') => self.flow_mapping(),
            Some('[') => self.flow_sequence(),
            Some('-') if self.peek_at(1).is_none_or(char::is_whitespace) => self.block_sequence(),
            Some(_) => self.scalar_or_mapping(),
        };
        self.nesting -= 1;
        value
    }

    fn block_sequence(&mut self) -> Result<Value, TreeParseError> {
        let place = self.place();
        let mut values = Vec::new();
        while self.column == place.column && self.peek() == Some('-') && self.peek_at(1).is_none_or(char::is_whitespace)
        {
            self.advance();
            values.push(self.value(place.column)?);
            self.skip_blank();
        }
        Ok(Value::Sequence(values, place))
    }

    /// A scalar; if a colon follows it is the first key of a block mapping in its column.
    fn scalar_or_mapping(&mut self) -> Result<Value, TreeParseError> {
        let place = self.place();
        let first = self.scalar(false)?;
        if !self.at_colon() {
            return Ok(Value::Scalar(first, place));
        }
        let mut entries = Vec::new();
        let mut key = first;
        loop {
            self.advance();
            entries.push((key, self.mapped_value(place.column)?));
            self.skip_blank();
            if self.column != place.column || self.peek().is_none() || self.rest_starts_with("...") {
                return Ok(Value::Mapping(entries, place));
            }
            key = self.scalar(false)?;
            if !self.at_colon() {
                return Err(self.error("a key must be followed by a colon"));
            }
        }
    }

    /// The value of a key in column `column`. A block sequence may stand in the column of the key.
    fn mapped_value(&mut self, column: usize) -> Result<Value, TreeParseError> {
        self.skip_blank();
        let dash = self.peek() == Some('-') && self.peek_at(1).is_none_or(char::is_whitespace);
        self.value(if dash { column - 1 } else { column })
    }

    fn at_colon(&mut self) -> bool {
        while self.peek() == Some(' ') {
            self.advance();
        }
        self.peek() == Some(':')
    }

    /// A quoted scalar, or a plain one up to the end of the line, a comment, a colon with white
    /// space, and inside flow collections a comma or closing bracket.
    fn scalar(&mut self, flow: bool) -> Result<String, TreeParseError> {
        match self.peek() {
            Some(quote @ ('"' | '\'')) => return self.quoted(quote),
            None => return Err(self.error("a value is missing")),
            Some(_) => {}
        }
        let mut text = String::new();
        while let Some(c) = self.peek() {
            let colon = c == ':' && self.peek_at(1).is_none_or(|n| n.is_whitespace() || n == '{' || n == '[');
            if c == '\n' || colon || (flow && matches!(c, ',' | '}' | ']')) || (c == '#' && text.ends_with(' ')) {
                break;
            }
            text.push(c);
            self.advance();
        }
        Ok(text.trim_end().to_string())
    }

    fn quoted(&mut self, quote: char) -> Result<String, TreeParseError> {
        let start = self.place();
        self.advance();
        let mut text = String::new();
        while let Some(c) = self.peek() {
            self.advance();
            if c == quote {
                return Ok(text);
            }
            if c == '\\' && quote == '"' {
                let escaped = self.peek().ok_or_else(|| TreeParseError::new(start, "the quoted text does not end"))?;
                self.advance();
                match escaped {
                    'n' => text.push('\n'),
                    '\n' => {}
                    other => text.push(other),
                }
            } else {
                text.push(if c == '\n' { ' ' } else { c });
            }
        }
        Err(TreeParseError::new(start, "the quoted text does not end"))
    }

    fn flow_mapping(&mut self) -> Result<Value, TreeParseError> {
        let place = self.place();
        self.advance();
        let mut entries = Vec::new();
        loop {
            self.skip_blank();
            if self.peek() == Some('}') {
                self.advance();
                return Ok(Value::Mapping(entries, place));
            }
            let key = self.scalar(true)?;
            if !self.at_colon() {
                return Err(self.error("a key must be followed by a colon"));
            }
            self.advance();
            entries.push((key, self.flow_value()?));
            self.flow_separator('}')?;
        }
    }

    fn flow_sequence(&mut self) -> Result<Value, TreeParseError> {
        let place = self.place();
        self.advance();
        let mut values = Vec::new();
        loop {
            self.skip_blank();
            if self.peek() == Some(']') {
                self.advance();
                return Ok(Value::Sequence(values, place));
            }
            values.push(self.flow_value()?);
            self.flow_separator(']')?;
        }
    }

    fn flow_value(&mut self) -> Result<Value, TreeParseError> {
        self.skip_blank();
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(self.error("collections are nested too deeply"));
        }
        let place = self.place();
        let value = match self.peek() {
            Some('{') => self.flow_mapping(),
            Some('[') => self.flow_sequence(),
            _ => self.scalar(true).map(|text| Value::Scalar(text, place)),
        };
        self.nesting -= 1;
        value
    }

    fn flow_separator(&mut self, close: char) -> Result<(), TreeParseError> {
        self.skip_blank();
        match self.peek() {
            Some(',') => {
                self.advance();
                Ok(())
            }
            Some(c) if c == close => Ok(()),
            _ => Err(self.error("a comma or a closing bracket is missing")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value in flow style.
    fn show(value: &Value) -> String {
        match value {
            Value::Scalar(text, _) => format!("{text:?}"),
            Value::Mapping(entries, _) => {
                let parts: Vec<String> = entries.iter().map(|(k, v)| format!("{k}: {}", show(v))).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Value::Sequence(values, _) => {
                let parts: Vec<String> = values.iter().map(show).collect();
                format!("[{}]", parts.join(", "))
            }
        }
    }

    fn check(text: &str, expected: &str) {
        let shown = match parse(text) {
            Ok(value) => show(&value),
            Err(error) => error.to_string(),
        };
        assert_eq!(shown, expected);
    }

    #[test]
    fn block_and_flow() {
        check("a: 1\nb:\n  c: \"x: y\"\n  d: [ 1, 0 ]\n", r#"{a: "1", b: {c: "x: y", d: ["1", "0"]}}"#);
        check("{ a: 1, b: { c: 2 } }", r#"{a: "1", b: {c: "2"}}"#);
        check("s:\n- f: 1\n  c:\n    m: x\n- f: 2\n", r#"{s: [{f: "1", c: {m: "x"}}, {f: "2"}]}"#);
        check("s:\n  - f: 1\n  - f: 2 # two\nt: 3\n", r#"{s: [{f: "1"}, {f: "2"}], t: "3"}"#);
        check("s: [ { f: \"{ S[] }\" },\n  { f: 2 } ]", r#"{s: [{f: "{ S[] }"}, {f: "2"}]}"#);
        check("--- # document\na: 'x'\n...\n", r#"{a: "x"}"#);
    }

    #[test]
    fn errors_have_places() {
        check("a: \"x", "1:4: the quoted text does not end");
        check("a:\nb: 1", "2:1: a value is missing (it would have to be indented more)");
        check("a: [ 1, 2", "1:10: a comma or a closing bracket is missing");
        check("", "1:1: a value is missing");
        check("a: 1\n  b: 2", "2:3: this does not belong to the document");
    }
}
