//! Tables in the source of isl's own test program: the suites `coalesce`, `gist` and `hull`.
//!
//! # Problem
//! isl's operations that only change a description are tested by tables of texts in a C file,
//! `isl_test.c`. What counts is how good the results are: a result with the right points, but with
//! more disjuncts or constraints than isl's, is worse.
//!
//! # Algorithm
//! 1. [`rows`] finds an array by its name and reads its rows: string literals, of which neighbours
//!    are one, numbers and names.
//! 2. Each row is a case. Poly and isl compute the same operation, the results must have the same
//!    points, where the operation says so, and Poly's may have neither more disjuncts than isl's
//!    nor, if it has as many, more constraints.
//!
//! Constraints are counted after both results have been read by Poly, which leaves out what the
//! definitions of integer divisions say.

use std::fs;
use std::path::Path;

use poly_oracle::isl;
use poly_presburger::{Budget, Coalescing, RationalSet, Set};

use crate::run::{Case, Measure, Outcome, stopped};
use crate::same;

/// An entry of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Field {
    /// A string literal.
    Text(String),
    /// Anything else.
    Word(String),
}

/// The cases of the suite `coalesce`.
pub(crate) fn coalesce_cases(dir: &Path) -> Result<Vec<Case>, String> {
    let source = source(dir)?;
    let names = ["coalesce_unbounded_tests", "coalesce_tests"];
    cases(&source, &names, |row| {
        let [text] = texts(&row)?;
        Ok(Box::new(move |isl: &isl::Context, budget: &mut Budget| {
            if text.contains(RATIONAL) {
                return coalesce_rational(isl, &text, budget);
            }
            let (ours, theirs) = both(isl, &text)?;
            let result = ours.coalesce_with(Coalescing::Hulls, budget).map_err(stopped)?;
            let expected = theirs.coalesce().ok_or("isl does not coalesce it")?;
            same::sets("the coalesced set", &result, &expected, isl, budget)?;
            compare(&result, &expected)
        }))
    })
}

/// What marks the items of a rational set.
const RATIONAL: &str = "rat:";

/// A case of the suite `coalesce` with rational points.
fn coalesce_rational(isl: &isl::Context, text: &str, budget: &mut Budget) -> Outcome {
    let ours: RationalSet = same::from_text(text)?;
    let result = ours.coalesce(budget).map_err(stopped)?;
    let theirs = isl::Set::read(isl, text).ok_or_else(|| format!("isl does not read {text}"))?;
    let expected = theirs.coalesce().ok_or("isl does not coalesce it")?;
    let read: RationalSet = same::from_text(&expected.text())?;
    if same::to_isl(isl, &result)?.is_equal(&theirs) != Some(true)
        || !read.is_equal(&result, budget).map_err(stopped)?
    {
        return Err(format!("the coalesced set differs: {result} (isl: {})", expected.text()));
    }
    let constraints = |set: &RationalSet| set.systems().iter().map(|s| s.eqs.len() + s.ineqs.len()).sum::<usize>();
    let disjuncts = Measure { what: "disjuncts", ours: result.systems().len(), theirs: expected.n_basic() };
    let constraints = Measure { what: "constraints", ours: constraints(&result), theirs: constraints(&read) };
    judged([disjuncts, constraints], || format!("{result} (isl: {})", expected.text()))
}

/// The cases of the suite `gist`.
pub(crate) fn gist_cases(dir: &Path) -> Result<Vec<Case>, String> {
    let source = source(dir)?;
    cases(&source, &["gist_fail_tests", "gist_tests"], |row| {
        let texts: Vec<String> = row.iter().filter_map(Field::text).collect();
        let [set, context, ..] = &texts[..] else { return Err(format!("a row has too few texts: {row:?}")) };
        let (set, context) = (set.clone(), context.clone());
        Ok(Box::new(move |isl: &isl::Context, budget: &mut Budget| {
            let ((set, their_set), (context, their_context)) = (both(isl, &set)?, both(isl, &context)?);
            let result = set.gist(&context, budget).map_err(stopped)?;
            let expected = their_set.gist(&their_context).ok_or("isl finds no gist")?;
            let inside = their_set.intersect(&their_context).ok_or("isl does not intersect them")?;
            same::sets("the gist in its context", &result.intersect(&context), &inside, isl, budget)?;
            compare(&result, &expected)
        }))
    })
}

/// The cases of the suite `hull`.
pub(crate) fn hull_cases(dir: &Path) -> Result<Vec<Case>, String> {
    let source = source(dir)?;
    cases(&source, &["simple_hull_tests", "convex_hull_tests"], |row| {
        let [text, _] = texts(&row)?;
        let function = row.iter().find_map(|field| match field {
            Field::Word(word) => Some(word.trim_start_matches('&').to_owned()),
            Field::Text(_) => None,
        });
        Ok(Box::new(move |isl: &isl::Context, budget: &mut Budget| {
            let (ours, theirs) = both(isl, &text)?;
            let (result, expected) = match function.as_deref() {
                None => (ours.convex_hull(budget), theirs.convex_hull()),
                Some("isl_set_simple_hull") => (ours.simple_hull(budget), theirs.simple_hull()),
                Some(_) => (ours.unshifted_simple_hull(budget), theirs.unshifted_simple_hull()),
            };
            let result = Set::from_basic(result.map_err(stopped)?);
            let expected = expected.ok_or("isl finds no hull")?;
            let is_within = same::to_isl(isl, &result)?.is_subset(&expected);
            if is_within != Some(true) {
                return Err(format!("{result} is not in isl's {}", expected.text()));
            }
            compare(&result, &expected)
        }))
    })
}

/// What a row is turned into.
type Body = Box<dyn Fn(&isl::Context, &mut Budget) -> Outcome + Send>;

/// A case for each row of some arrays.
fn cases(source: &str, names: &[&str], body: impl Fn(Vec<Field>) -> Result<Body, String>) -> Result<Vec<Case>, String> {
    let mut result = Vec::new();
    for name in names {
        for (i, row) in rows(source, name)?.into_iter().enumerate() {
            let body = body(row)?;
            result.push(Case::new(format!("{name}[{i}]"), move |budget| {
                let isl = isl::Context::new();
                same::limit(&isl);
                body(&isl, budget)
            }));
        }
    }
    Ok(result)
}

/// The text of `isl_test.c`, in a folder or in the one above.
fn source(dir: &Path) -> Result<String, String> {
    let places = [dir.join("isl_test.c"), dir.join("..").join("isl_test.c")];
    let found = places.iter().find_map(|place| fs::read_to_string(place).ok());
    found.ok_or_else(|| format!("there is no isl_test.c in {} or above", dir.display()))
}

/// The set that a text describes, in both libraries.
fn both(isl: &isl::Context, text: &str) -> Result<(Set, isl::Set), String> {
    let theirs = isl::Set::read(isl, text).ok_or_else(|| format!("isl does not read {text}"))?;
    Ok((same::from_text(text)?, theirs))
}

/// Fails if a result has more disjuncts than isl's, or as many and more constraints.
fn compare(ours: &Set, theirs: &isl::Set) -> Outcome {
    let read: Set = same::from_text(&theirs.text())?;
    let constraints = |set: &Set| set.basics().iter().map(|b| b.constraints().count()).sum::<usize>();
    let disjuncts = Measure { what: "disjuncts", ours: ours.n_basic(), theirs: theirs.n_basic() };
    let constraints = Measure { what: "constraints", ours: constraints(ours), theirs: constraints(&read) };
    judged([disjuncts, constraints], || format!("{ours} (isl: {})", theirs.text()))
}

/// Fails if there are more disjuncts, or as many and more constraints.
fn judged([disjuncts, constraints]: [Measure; 2], results: impl Fn() -> String) -> Outcome {
    let is_worse = disjuncts.ours > disjuncts.theirs
        || (disjuncts.ours == disjuncts.theirs && constraints.ours > constraints.theirs);
    if is_worse {
        let counts = |m: &Measure| format!("{} {} (isl: {})", m.ours, m.what, m.theirs);
        return Err(format!("{}, {}: {}", counts(&disjuncts), counts(&constraints), results()));
    }
    Ok(vec![disjuncts, constraints])
}

impl Field {
    fn text(&self) -> Option<String> {
        match self {
            Field::Text(text) => Some(text.clone()),
            Field::Word(_) => None,
        }
    }
}

/// The texts of a row, which has just so many.
fn texts<const N: usize>(row: &[Field]) -> Result<[String; N], String> {
    let texts: Vec<String> = row.iter().filter_map(Field::text).collect();
    texts.try_into().map_err(|_| format!("a row has another number of texts than {N}: {row:?}"))
}

/// The rows of `NAME[] = { { .., .. }, .. };`.
fn rows(source: &str, name: &str) -> Result<Vec<Vec<Field>>, String> {
    let head = format!(" {name}[] = {{");
    let start = source.find(&head).ok_or_else(|| format!("there is no array {name}"))? + head.len();
    let mut reader = Reader { rest: &source[start..] };
    let mut result = Vec::new();
    loop {
        match reader.next() {
            Some('{') => result.push(reader.row()?),
            Some(',') => reader.skip(),
            Some('}') => return Ok(result),
            other => return Err(format!("{other:?} in the array {name} is not understood")),
        }
    }
}

/// A place in C source.
struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    /// The next character that is neither blank nor in a comment.
    fn next(&mut self) -> Option<char> {
        loop {
            self.rest = self.rest.trim_start();
            let Some(comment) = self.rest.strip_prefix("/*") else { return self.rest.chars().next() };
            self.rest = comment.split_once("*/").map_or("", |(_, rest)| rest);
        }
    }

    fn skip(&mut self) {
        let mut chars = self.rest.chars();
        chars.next();
        self.rest = chars.as_str();
    }

    /// The fields between braces; the reader stands at the first one.
    fn row(&mut self) -> Result<Vec<Field>, String> {
        self.skip();
        let mut fields = Vec::new();
        loop {
            match self.next() {
                Some('}') => {
                    self.skip();
                    return Ok(fields);
                }
                Some(',') => self.skip(),
                Some('"') => {
                    let mut text = String::new();
                    while self.next() == Some('"') {
                        text.push_str(&self.literal()?);
                    }
                    fields.push(Field::Text(text));
                }
                Some(_) => {
                    let end = self.rest.find([',', '}']).ok_or("a row does not end")?;
                    fields.push(Field::Word(self.rest[..end].trim().to_owned()));
                    self.rest = &self.rest[end..];
                }
                None => return Err("a row does not end".to_owned()),
            }
        }
    }

    /// A string literal; the reader stands at the first quote.
    fn literal(&mut self) -> Result<String, String> {
        self.skip();
        let (mut text, mut escaped) = (String::new(), false);
        for (at, c) in self.rest.char_indices() {
            match c {
                '"' if !escaped => {
                    self.rest = &self.rest[at + 1..];
                    return Ok(text);
                }
                '\\' if !escaped => escaped = true,
                _ => {
                    text.push(if escaped && c == 'n' { '\n' } else { c });
                    escaped = false;
                }
            }
        }
        Err("a literal does not end".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_arrays_are_read() {
        let source = "int x;\nstruct {\n} some_tests[] = {\n\t/* a { comment */\n\t{ 1, \"{ [i] : \"\n\t\t\"i = 0 }\" },\n\t{ &f, \"a\", \"b\\\"c\" },\n};";
        let rows = rows(source, "some_tests").expect("the array is there");
        let text = |text: &str| Field::Text(text.to_owned());
        let word = |text: &str| Field::Word(text.to_owned());
        assert_eq!(rows, [vec![word("1"), text("{ [i] : i = 0 }")], vec![word("&f"), text("a"), text("b\"c")]]);
        assert!(super::rows(source, "other_tests").is_err());
    }

    #[test]
    fn worse_results_are_noticed() {
        let isl = isl::Context::new();
        let (ours, theirs) = both(&isl, "{ [i] : 0 <= i <= 4; [i] : 5 <= i <= 9 }").expect("it is a set");
        let theirs = theirs.coalesce().expect("isl does it");
        assert!(compare(&ours, &theirs).is_err_and(|reason| reason.starts_with("2 disjuncts (isl: 1)")));
        let ours = ours.coalesce_with(Coalescing::Hulls, &mut Budget::unlimited()).expect("no limit");
        assert!(compare(&ours, &theirs).is_ok());
    }
}
