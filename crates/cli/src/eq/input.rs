//! Values of parameters and inputs from the command line, and results as text.

use std::fs;

use poly_equations::program::Role;
use poly_equations::{System, Table, Tables, Value, allowed_params, points};
use poly_presburger::Budget;

/// What an operation gives, or a sentence.
type Result<T> = std::result::Result<T, String>;

fn pair(text: &str) -> Result<(&str, &str)> {
    text.split_once('=').ok_or_else(|| format!("`{text}` is no `name=value`"))
}

/// Values of all parameters in the order of the system.
pub(crate) fn params(system: &System, given: &[String]) -> Result<Vec<i64>> {
    let mut values: Vec<Option<i64>> = vec![None; system.params.len()];
    for text in given {
        let (name, value) = pair(text)?;
        let position = system.params.iter().position(|p| p.as_str() == name.trim());
        let position = position.ok_or_else(|| format!("no parameter is called `{name}`"))?;
        values[position] = Some(value.trim().parse().map_err(|_| format!("`{value}` is no number"))?);
    }
    let missing = |i: usize| format!("the parameter {0} needs a value: -p {0}=10", system.params[i]);
    let values: Vec<i64> =
        values.into_iter().enumerate().map(|(i, v)| v.ok_or_else(|| missing(i))).collect::<Result<_>>()?;
    let exact: Vec<poly_arith::Int> = values.iter().map(|&value| value.into()).collect();
    if !system.context.contains(&exact, &[]) {
        return Err(format!("the parameters are not in the context {}", system.context.condition_text()));
    }
    Ok(values)
}

/// Values of all parameters; those that are not given have a usual one.
pub(crate) fn sizes(system: &System, given: &[String], usual: i64) -> Result<Vec<i64>> {
    let mut values = vec![usual; system.params.len()];
    for text in given {
        let (name, value) = pair(text)?;
        let position = system.params.iter().position(|p| p.as_str() == name.trim());
        let position = position.ok_or_else(|| format!("no parameter is called `{name}`"))?;
        values[position] = value.trim().parse().map_err(|_| format!("`{value}` is no number"))?;
    }
    Ok(values)
}

/// All parameter values of the context from 0 up to a bound, at most some hundred; if there are
/// none, some near others that it allows.
///
/// # Errors
/// A sentence if there are none at all.
pub(crate) fn small(system: &System, bound: i64, budget: &mut Budget) -> Result<Vec<Vec<i64>>> {
    let near_zero = near(system, &vec![0; system.params.len()], bound);
    if !near_zero.is_empty() {
        return Ok(near_zero);
    }
    let other = allowed_params(system, budget).map_err(|stop| stop.to_string())?;
    let other = other.ok_or("the context allows no values of the parameters")?;
    Ok(near(system, &other, 2))
}

/// The values of the context from some values up to so much more.
fn near(system: &System, from: &[i64], more: i64) -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    for first in from {
        let last = first.saturating_add(more);
        all = all.iter().flat_map(|known| (*first..=last).map(|x| [known.as_slice(), &[x]].concat())).collect();
    }
    let inside = |values: &Vec<i64>| {
        let exact: Vec<poly_arith::Int> = values.iter().map(|&value| value.into()).collect();
        system.context.contains(&exact, &[])
    };
    all.retain(inside);
    all.truncate(400);
    all
}

/// The values of inputs.
pub(crate) fn inputs(system: &System, params: &[i64], given: &[String], budget: &mut Budget) -> Result<Tables> {
    let mut tables = Tables::new();
    for text in given {
        let (name, value) = pair(text)?;
        let variable = system.variables.iter().find(|v| v.name == name && v.role == Role::In);
        let variable = variable.ok_or_else(|| format!("no input is called `{name}`"))?;
        let is_list = value.chars().all(|c| c.is_ascii_digit() || "+-.,eE ".contains(c));
        let text =
            if is_list { value.to_owned() } else { fs::read_to_string(value).map_err(|e| format!("{value}: {e}"))? };
        let words = text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
        let number = |word: &str| {
            Value::parse(word, variable.scalar).ok_or_else(|| format!("`{word}` is no {}", variable.scalar))
        };
        let values: Vec<Value> = words.map(number).collect::<Result<_>>()?;
        let points = points(&variable.domain, params, budget).map_err(|stop| stop.to_string())?;
        if points.len() != values.len() {
            return Err(format!("`{name}` has {} values, not {}", points.len(), values.len()));
        }
        tables.insert(name.to_owned(), points.into_iter().zip(values).collect());
    }
    Ok(tables)
}

/// Values with a row for each value of the dimensions but the last one.
pub(crate) fn table_text(name: &str, table: &Table) -> String {
    let mut rows: Vec<(Vec<i64>, Vec<String>)> = Vec::new();
    for (point, value) in table {
        let outer = point[..point.len().saturating_sub(1)].to_vec();
        match rows.last_mut().filter(|(row, _)| *row == outer) {
            Some((_, values)) => values.push(value.to_string()),
            None => rows.push((outer, vec![value.to_string()])),
        }
    }
    if let [(_, values)] = rows.as_slice() {
        return format!("{name} = {}\n", values.join(" "));
    }
    let lines: Vec<String> = rows.iter().map(|(_, values)| format!("  {}\n", values.join(" "))).collect();
    format!("{name} =\n{}", lines.concat())
}
