//! Tokens.

use poly_arith::Int;

use super::ParseError;

/// A token of the text syntax.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name or keyword.
    Word(String),
    /// A nonnegative number.
    Number(Int),
    /// An operator or bracket.
    Symbol(&'static str),
    /// The end of the text.
    End,
}

/// Longest first.
const SYMBOLS: [&str; 30] = [
    "->", "<=", ">=", "==", "!=", "<>", "&&", "||", "{", "}", "[", "]", "(", ")", ",", ";", ":", "<", ">", "=", "+",
    "-", "*", "/", "%", "!", "?", "&", "|", "^",
];

/// Split a text into tokens with their positions.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, usize)>, ParseError> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut result = Vec::new();
    while at < bytes.len() {
        let c = bytes[at];
        if c.is_ascii_whitespace() {
            at += 1;
        } else if c == b'#' {
            at += text[at..].find('\n').unwrap_or(text.len() - at);
        } else if c.is_ascii_digit() {
            let n = text[at..].bytes().take_while(u8::is_ascii_digit).count();
            let value = text[at..at + n].parse::<Int>().expect("digits are a number");
            result.push((Token::Number(value), at));
            at += n;
        } else if c.is_ascii_alphabetic() || c == b'_' {
            let n = text[at..].bytes().take_while(is_word_byte).count();
            result.push((Token::Word(text[at..at + n].to_owned()), at));
            at += n;
        } else if c == b'"' {
            let n = text[at + 1..].find('"');
            let n = n.ok_or_else(|| ParseError::new(at, "a quoted name is not closed"))?;
            result.push((Token::Word(text[at + 1..at + 1 + n].to_owned()), at));
            at += n + 2;
        } else if let Some(s) = SYMBOLS.iter().find(|s| text[at..].starts_with(**s)) {
            result.push((Token::Symbol(s), at));
            at += s.len();
        } else {
            return Err(ParseError::new(at, "unexpected character"));
        }
    }
    result.push((Token::End, text.len()));
    Ok(result)
}

fn is_word_byte(b: &u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'\'' | b'$' | b'.')
}
