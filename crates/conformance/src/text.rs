//! Reading a file object by object.
//!
//! isl's test inputs are sequences of objects without separators: sets and relations in isl's
//! syntax, which end with their closing brace, matrices in PolyLib's format (see
//! [`crate::polylib`]) and single words. `#` begins a comment.

use crate::polylib::{self, Matrix};

/// A place in a file.
#[derive(Debug)]
pub(crate) struct Scanner<'a> {
    rest: &'a str,
}

/// An object of either format.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Object<'a> {
    /// Text in isl's syntax.
    Isl(&'a str),
    /// A matrix, and its text.
    Matrix(Matrix, &'a str),
}

impl<'a> Scanner<'a> {
    /// The beginning of a text.
    pub(crate) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { rest: text }
    }

    /// What is left, without leading blanks and comments.
    pub(crate) fn rest(&mut self) -> &'a str {
        loop {
            self.rest = self.rest.trim_start();
            if !self.rest.starts_with('#') {
                return self.rest;
            }
            self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
        }
    }

    /// Whether nothing is left.
    pub(crate) fn is_at_end(&mut self) -> bool {
        self.rest().is_empty()
    }

    /// The next object, whichever format it has.
    pub(crate) fn object(&mut self) -> Result<Object<'a>, String> {
        if self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            let start = self.rest;
            let matrix = polylib::matrix(&mut self.rest)?;
            return Ok(Object::Matrix(matrix, &start[..start.len() - self.rest.len()]));
        }
        self.isl_text().map(Object::Isl)
    }

    /// Text in isl's syntax up to the brace that closes it.
    pub(crate) fn isl_text(&mut self) -> Result<&'a str, String> {
        let text = self.rest();
        let open = text.find('{').ok_or_else(|| format!("a set is expected at {:?}", first_line(text)))?;
        let mut depth = 0usize;
        let mut in_comment = false;
        for (at, c) in text[open..].char_indices() {
            match c {
                '\n' => in_comment = false,
                _ if in_comment => {}
                '#' => in_comment = true,
                '{' => depth += 1,
                '}' => {
                    depth -= 1;
                    if depth == 0 {
                        let end = open + at + 1;
                        self.rest = &text[end..];
                        return Ok(&text[..end]);
                    }
                }
                _ => {}
            }
        }
        Err(format!("the brace after {:?} is not closed", first_line(text)))
    }

    /// The next word.
    pub(crate) fn word(&mut self) -> Option<&'a str> {
        let text = self.rest();
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        self.rest = &text[end..];
        (end > 0).then(|| &text[..end])
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("the end")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_end_with_their_brace() {
        let text = "# one {\n[n] -> { [i] : # }\n i < n }{[x]->[y]}\n  -1 # minus\n 1 3 # rows\n 1 2 -3\n Maximize";
        let mut scanner = Scanner::new(text);
        assert_eq!(scanner.object(), Ok(Object::Isl("[n] -> { [i] : # }\n i < n }")));
        assert_eq!(scanner.isl_text(), Ok("{[x]->[y]}"));
        assert_eq!(scanner.word(), Some("-1"));
        let Ok(Object::Matrix(matrix, text)) = scanner.object() else { panic!("a matrix follows") };
        assert_eq!((matrix.rows.len(), text.lines().count()), (1, 2));
        assert_eq!(scanner.word(), Some("Maximize"));
        assert!(scanner.is_at_end() && scanner.word().is_none());
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(
            Scanner::new("{ [i] : i\n").isl_text(),
            Err("the brace after \"{ [i] : i\" is not closed".to_owned())
        );
        assert_eq!(Scanner::new("no set").isl_text(), Err("a set is expected at \"no set\"".to_owned()));
    }
}
