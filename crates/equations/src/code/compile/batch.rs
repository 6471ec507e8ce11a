//! Many systems in one program, as compilers take long to start.

use std::fmt::Write;

use poly_presburger::Budget;

use super::{
    Case, Folder, Launch, Values, cases, compare, compile, executed, harness, question, without_macros, write,
};
use crate::code::{Code, HELPERS, c_name};
use crate::memory::Storage;
use crate::pieces::Pieces;
use crate::program::System;
use crate::transform::Refusal;

/// A system and its code.
pub(crate) struct Member {
    pub(crate) original: System,
    pub(crate) pieces: Pieces,
    pub(crate) storage: Vec<Storage>,
    pub(crate) code: Code,
}

/// Compares the code of systems with the interpreter, as [`super::verify`] does, compiled with a
/// level of optimization (`-O0`): how many values were compared.
///
/// # Errors
/// The first difference, or what kept the test from being made.
pub(crate) fn verify_all(
    members: &[Member],
    params: &[Vec<i64>],
    level: &str,
    values: Values<'_>,
) -> Result<usize, Refusal> {
    let budget = &mut Budget::unlimited();
    let (mut text, mut calls, mut input) = (String::new(), String::new(), String::new());
    let _ = write!(text, "#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>\n{HELPERS}");
    let mut all: Vec<Vec<Case>> = Vec::new();
    for (i, member) in members.iter().enumerate() {
        let found = cases(&member.original, params, values, budget)?;
        input.extend(found.iter().map(|case| question(&member.pieces, &member.storage, case)));
        text.push_str(&part(i, member)?);
        let _ = writeln!(calls, "  if (test{i}({})) return {};", found.len(), 10 + i % 100);
        all.push(found);
    }
    let _ = write!(text, "int main(void) {{\n{calls}  return 0;\n}}\n");
    let folder = Folder::new()?;
    write(&folder.0.join("all.c"), &text)?;
    let program = folder.0.join("all");
    compile(&folder.0, "all", &[level], &program)?;
    let answer = executed(&program, &input)?;
    let mut numbers = answer.split_whitespace();
    let mut count = 0;
    for (member, cases) in members.iter().zip(&all) {
        for case in cases {
            let compared = compare(&member.pieces, &member.storage, case, &mut numbers);
            count += compared.map_err(|why| format!("{why}\n{}\n{}", member.original, member.code.source))?;
        }
    }
    Ok(count)
}

/// The function of a system and its test, under names with a number.
fn part(number: usize, member: &Member) -> Result<String, Refusal> {
    let system = &member.pieces.system;
    let name = c_name(&system.name);
    let (_, function) = member.code.source.split_once(HELPERS).ok_or("the code has no helpers")?;
    let mut text = function.replacen(&format!("int {name}("), &format!("static int own{number}("), 1);
    text.push_str(&without_macros(&member.code.source));
    let test = harness(&member.pieces, Launch::Alone);
    let (head, test) = test.split_once("int main(void) {\n  for (;;) {\n").ok_or("the test has no beginning")?;
    if number == 0 {
        text.push_str(head);
    }
    let _ = writeln!(text, "static int test{number}(int cases_) {{\n  for (int case_ = 0; case_ < cases_; case_++) {{");
    text.push_str(&test.replacen(&format!("if ({name}("), &format!("if (own{number}("), 1));
    Ok(text)
}
