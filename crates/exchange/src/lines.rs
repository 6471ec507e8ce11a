//! A text line by line, without comments.

use crate::{TextError, wrong};

/// The lines that are left to be read.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    lines: Vec<&'a str>,
    /// The next one.
    at: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Lines<'a> {
        Lines { lines: text.lines().collect(), at: 0 }
    }

    /// An error at the line that was read last.
    pub(crate) fn wrong<T>(&self, what: &str) -> Result<T, TextError> {
        wrong(format!("line {}: {what}", self.at.max(1)))
    }

    /// The next line with anything but a comment, without the comment.
    pub(crate) fn next(&mut self, what: &str) -> Result<&'a str, TextError> {
        while let Some(line) = self.lines.get(self.at) {
            self.at += 1;
            let content = line.split('#').next().unwrap_or("").trim();
            if !content.is_empty() {
                return Ok(content);
            }
        }
        self.wrong(&format!("the file ends where {what} should be"))
    }

    /// As [`Lines::next`], without going on.
    pub(crate) fn peek(&mut self, what: &str) -> Result<&'a str, TextError> {
        let before = self.at;
        let line = self.next(what);
        self.at = before;
        line
    }

    /// The numbers of the next line.
    pub(crate) fn numbers<N: std::str::FromStr>(&mut self, what: &str) -> Result<Vec<N>, TextError> {
        let line = self.next(what)?;
        let numbers: Result<Vec<N>, _> = line.split_whitespace().map(str::parse).collect();
        numbers.or_else(|_| self.wrong(&format!("expected {what}, found '{line}'")))
    }

    /// The only number of the next line.
    pub(crate) fn number(&mut self, what: &str) -> Result<usize, TextError> {
        match self.numbers(what)?[..] {
            [number] => Ok(number),
            _ => self.wrong(&format!("expected one number: {what}")),
        }
    }

    /// All lines up to the one with an end tag, as they are but for their ends; the tag is read
    /// too.
    pub(crate) fn until(&mut self, tag: &str) -> Result<Vec<&'a str>, TextError> {
        let from = self.at;
        while let Some(line) = self.lines.get(self.at) {
            self.at += 1;
            if line.trim() == tag {
                return Ok(self.lines[from..self.at - 1].iter().map(|line| line.trim()).collect());
            }
        }
        self.wrong(&format!("the file ends where {tag} should be"))
    }
}
