//! From text to tokens.

use winnow::LocatingSlice;
use winnow::combinator::{alt, delimited, opt, preceded, repeat};
use winnow::prelude::*;
use winnow::token::{literal, one_of, take_while};

use crate::diagnostic::{Diagnostic, Flaw, Span};

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A name or a word of the language.
    Word(String),
    /// A number without a fraction, as it is written.
    Integer(String),
    /// A number with a fraction or an exponent.
    Float(f64),
    /// The name of a file, without its quotes.
    Text(String),
    /// A sign.
    Sign(&'static str),
    /// Behind the last one.
    End,
}

/// A token and its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

impl Token {
    /// Whether it is this sign or word.
    pub(crate) fn is(&self, text: &str) -> bool {
        match &self.kind {
            Kind::Sign(sign) => *sign == text,
            Kind::Word(word) => word == text,
            _ => false,
        }
    }

    /// How messages call it.
    pub(crate) fn text(&self) -> String {
        match &self.kind {
            Kind::Word(word) => word.clone(),
            Kind::Integer(number) => number.clone(),
            Kind::Float(number) => number.to_string(),
            Kind::Text(text) => format!("\"{text}\""),
            Kind::Sign(sign) => (*sign).to_owned(),
            Kind::End => "the end".to_owned(),
        }
    }
}

/// Longer signs first.
const SIGNS: [&str; 34] = [
    "->", "..", "<=", ">=", "!=", "<<", ">>", "==", "&&", "||", "{", "}", "[", "]", "(", ")", ";", ":", ",", "=", "<",
    ">", "+", "-", "*", "/", "%", "@", "&", "|", "^", "?", "!", "~",
];

type Input<'a> = LocatingSlice<&'a str>;

fn word(input: &mut Input<'_>) -> winnow::Result<Kind> {
    let first = one_of(|c: char| c.is_ascii_alphabetic() || c == '_');
    let rest = take_while(0.., |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'');
    (first, rest).take().map(|text: &str| Kind::Word(text.to_owned())).parse_next(input)
}

fn digits<'a>(input: &mut Input<'a>) -> winnow::Result<&'a str> {
    take_while(1.., |c: char| c.is_ascii_digit()).parse_next(input)
}

fn float(input: &mut Input<'_>) -> winnow::Result<Kind> {
    let exponent = |input: &mut Input<'_>| -> winnow::Result<()> {
        (one_of(['e', 'E']), opt(one_of(['+', '-'])), digits).void().parse_next(input)
    };
    let fraction = (digits, preceded(".", digits), opt(exponent)).take();
    let scaled = (digits, exponent).take();
    alt((fraction, scaled)).try_map(|text: &str| text.parse().map(Kind::Float)).parse_next(input)
}

fn integer(input: &mut Input<'_>) -> winnow::Result<Kind> {
    digits.map(|text: &str| Kind::Integer(text.to_owned())).parse_next(input)
}

fn sign(input: &mut Input<'_>) -> winnow::Result<Kind> {
    let found = SIGNS.iter().find(|sign| input.starts_with(**sign)).copied();
    let Some(found) = found else { return winnow::combinator::fail.parse_next(input) };
    literal(found).map(|_| Kind::Sign(found)).parse_next(input)
}

/// A name in quotes, within one line.
fn quoted(input: &mut Input<'_>) -> winnow::Result<Kind> {
    let inside = take_while(0.., |c: char| c != '"' && c != '\n').map(|text: &str| Kind::Text(text.to_owned()));
    delimited('"', inside, '"').parse_next(input)
}

/// Blanks and comments to the end of a line.
fn blank(input: &mut Input<'_>) -> winnow::Result<()> {
    let comment = ("//", take_while(0.., |c: char| c != '\n')).void();
    let space = take_while(1.., |c: char| c.is_whitespace()).void();
    repeat(0.., alt((space, comment))).parse_next(input)
}

/// All tokens of a text; the last one is the end.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, Diagnostic> {
    let mut input = LocatingSlice::new(text);
    let mut all = Vec::new();
    loop {
        let start = text.len() - input.len();
        if blank(&mut input).is_err() || input.is_empty() {
            all.push(Token { kind: Kind::End, span: text.len()..text.len() });
            return Ok(all);
        }
        let found: winnow::Result<(Kind, Span)> =
            alt((word, float, integer, quoted, sign)).with_span().parse_next(&mut input);
        match found {
            Ok((kind, span)) => all.push(Token { kind, span }),
            Err(_) => {
                let at = (text.len() - input.len()).max(start);
                let width = text[at..].chars().next().map_or(0, char::len_utf8);
                return Err(Diagnostic::new(Flaw::Character, at..at + width, "this character has no meaning"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_no_fractions() {
        let kinds: Vec<String> = tokens("0..N-1 1.5e-3 2i // x\n<=").unwrap().iter().map(Token::text).collect();
        assert_eq!(kinds, ["0", "..", "N", "-", "1", "0.0015", "2", "i", "<=", "the end"]);
    }

    #[test]
    fn unknown_characters_have_a_place() {
        let error = tokens("a = §;").unwrap_err();
        assert_eq!(error.span, 4..6);
    }
}
