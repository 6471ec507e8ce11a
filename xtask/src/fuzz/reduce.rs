//! Making a failing program smaller: every way to leave something out is tried, and kept if it
//! still fails.

use super::Generated;
use super::syntax::{Access, Affine, Element, Form, Local, Loop, Program, Rounding, Statement, Subscript, Value};

/// The smallest program found that still fails, after at most `most_trials` trials.
pub(crate) fn reduce<G: Generated>(program: G, most_trials: usize, fails: impl Fn(&G) -> bool) -> G {
    let mut best = program;
    let mut trials = 0;
    loop {
        let mut better = None;
        for candidate in best.simpler() {
            if trials == most_trials {
                return best;
            }
            trials += 1;
            if fails(&candidate) {
                better = Some(candidate);
                break;
            }
        }
        match better {
            Some(program) => best = program,
            None => return best,
        }
    }
}

/// Programs that are a little simpler, the simplest first.
pub(super) fn candidates(program: &Program) -> Vec<Program> {
    let mut found = Vec::new();
    for body in smaller_blocks(&program.body) {
        if !body.is_empty() {
            found.push(Program { body, ..program.clone() });
        }
    }
    for k in 0..program.calls.len() {
        if program.calls.len() > 1 {
            let mut smaller = program.clone();
            smaller.calls.remove(k);
            found.push(smaller);
        }
    }
    for (k, array) in program.arrays.iter().enumerate() {
        if !matches!(array.form, Form::Constant | Form::Local) {
            let mut simpler = program.clone();
            simpler.arrays[k].form = Form::Constant;
            found.push(simpler);
        }
        if array.element == Element::Float {
            let mut simpler = program.clone();
            simpler.arrays[k].element = Element::Double;
            found.push(simpler);
        }
    }
    for (k, kind) in program.parameters.iter().enumerate() {
        if *kind != "int" {
            let mut simpler = program.clone();
            simpler.parameters[k] = "int";
            found.push(simpler);
        }
    }
    found
}

/// Blocks with one statement left out or made simpler.
fn smaller_blocks(block: &[Statement]) -> Vec<Vec<Statement>> {
    let mut found = Vec::new();
    for k in 0..block.len() {
        let mut without = block.to_vec();
        without.remove(k);
        found.push(without);
    }
    for (k, statement) in block.iter().enumerate() {
        for replacement in smaller_statements(statement) {
            let mut changed = block.to_vec();
            changed.splice(k..=k, replacement);
            found.push(changed);
        }
    }
    found
}

/// What may stand in place of a statement.
fn smaller_statements(statement: &Statement) -> Vec<Vec<Statement>> {
    match statement {
        Statement::Loop(the_loop) => smaller_loops(the_loop).into_iter().map(|l| vec![Statement::Loop(l)]).collect(),
        Statement::If { condition, then, otherwise } => {
            let mut found = vec![then.clone(), otherwise.clone()];
            let with = |then: Vec<Statement>, otherwise: Vec<Statement>| {
                vec![Statement::If { condition: condition.clone(), then, otherwise }]
            };
            found.extend(smaller_blocks(then).into_iter().map(|then| with(then, otherwise.clone())));
            found.extend(smaller_blocks(otherwise).into_iter().map(|otherwise| with(then.clone(), otherwise)));
            found
        }
        Statement::Assign { target, operator, value } => {
            let with = |value: Value| vec![Statement::Assign { target: target.clone(), operator, value }];
            let mut found: Vec<_> = smaller_values(value).into_iter().map(with).collect();
            if target.subscripts.iter().any(|subscript| subscript.rounding != Rounding::Plain) {
                let zero = Subscript {
                    affine: Affine { constant: 0, terms: Vec::new() },
                    rounding: Rounding::Plain,
                    offset: 0,
                };
                let subscripts = vec![zero; target.subscripts.len()];
                let target = Access { subscripts, ..target.clone() };
                found.push(vec![Statement::Assign { target, operator, value: value.clone() }]);
            }
            found
        }
        Statement::Shrink { number, body } => {
            let with = |body| vec![Statement::Shrink { number: *number, body }];
            smaller_blocks(body).into_iter().map(with).collect()
        }
        Statement::Report(..) | Statement::End(_) => Vec::new(),
        Statement::Set { scalar, operator, value } => {
            let with = |value| vec![Statement::Set { scalar: *scalar, operator, value }];
            smaller_values(value).into_iter().map(with).collect()
        }
        Statement::SetLocal { number, operator, value } => {
            let with = |value| vec![Statement::SetLocal { number: *number, operator, value }];
            smaller_values(value).into_iter().map(with).collect()
        }
        Statement::Local { what, body } => {
            // Its body alone, if that does not need the temporary.
            let mut found = vec![body.clone()];
            if let Local::Number(number, value) = what {
                let with = |value| vec![Statement::Local { what: Local::Number(*number, value), body: body.clone() }];
                found.extend(smaller_values(value).into_iter().map(with));
            }
            let with = |body| vec![Statement::Local { what: what.clone(), body }];
            found.extend(smaller_blocks(body).into_iter().map(with));
            found
        }
    }
}

fn smaller_loops(the_loop: &Loop) -> Vec<Loop> {
    let mut found: Vec<Loop> = Vec::new();
    found.extend(smaller_blocks(&the_loop.body).into_iter().map(|body| Loop { body, ..the_loop.clone() }));
    found.retain(|smaller| !smaller.body.is_empty());
    if the_loop.irregular.is_some() {
        found.push(Loop { irregular: None, ..the_loop.clone() });
    }
    if the_loop.tiled {
        found.push(Loop { tiled: false, ..the_loop.clone() });
    }
    if the_loop.step.abs() != 1 {
        found.push(Loop { step: the_loop.step.signum(), ..the_loop.clone() });
    }
    if the_loop.kind != "int" {
        found.push(Loop { kind: "int", ..the_loop.clone() });
    }
    found
}

/// What may stand in place of a value.
fn smaller_values(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(_) => Vec::new(),
        Value::Variable(_) | Value::Scalar(_) | Value::Local(_) | Value::Element(_) => vec![Value::Number(1)],
        Value::Half(inner) => {
            let mut found = vec![(**inner).clone()];
            found.extend(smaller_values(inner).into_iter().map(|inner| Value::Half(Box::new(inner))));
            found
        }
        Value::Select(_, yes, no) => vec![(**yes).clone(), (**no).clone()],
        Value::Binary(operator, left, right) => {
            let mut found = vec![(**left).clone(), (**right).clone()];
            let with =
                |left: &Value, right: &Value| Value::Binary(*operator, Box::new(left.clone()), Box::new(right.clone()));
            found.extend(smaller_values(left).iter().map(|left| with(left, right)));
            found.extend(smaller_values(right).iter().map(|right| with(left, right)));
            found
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate;
    use super::*;

    fn statements(block: &[Statement]) -> usize {
        let inside = |statement: &Statement| match statement {
            Statement::Loop(the_loop) => statements(&the_loop.body),
            Statement::If { then, otherwise, .. } => statements(then) + statements(otherwise),
            Statement::Local { body, .. } | Statement::Shrink { body, .. } => statements(body),
            _ => 0,
        };
        block.iter().map(|statement| 1 + inside(statement)).sum()
    }

    #[test]
    fn what_the_failure_does_not_need_is_left_out() {
        // "fails" as long as a loop is left
        let fails =
            |program: &Program| program.text().contains("for (int i0") || program.text().contains("for (long i0");
        let original = (0..).map(generate::program).find(|program| fails(program) && statements(&program.body) > 6);
        let original = original.expect("some program has many statements");
        let small = reduce(original, 10_000, fails);
        assert!(fails(&small));
        // nothing but the loop, those in it and one statement
        assert!(statements(&small.body) <= 5, "{}", small.text());
        assert_eq!(small.calls.len(), 1);
    }
}
