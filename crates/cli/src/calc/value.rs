//! The values of the calculator.

use std::fmt;

use poly_ast_build::Ast;
use poly_counting::{PwFold, PwQuasiPolynomial};
use poly_presburger::{UnionMap, UnionSet};
use poly_schedule_tree::ScheduleTree;

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// An integer.
    Number(poly_arith::Int),
    /// A rational number.
    Rational(poly_arith::Rational),
    /// An answer.
    Bool(bool),
    /// A string.
    Text(String),
    /// A set.
    Set(UnionSet),
    /// A relation.
    Map(UnionMap),
    /// Piecewise quasi-polynomials, each over a space of its own.
    Functions(Vec<PwQuasiPolynomial>),
    /// Largest or smallest values, each over a space of its own.
    Folds(Vec<PwFold>),
    /// A schedule tree.
    Schedule(ScheduleTree),
    /// A program.
    Program(Box<Ast>),
    /// Several values.
    List(Vec<Value>),
}

impl Value {
    /// The name of the kind, as `typeof` says it.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Value::Number(_) | Value::Rational(_) => "number",
            Value::Bool(_) => "boolean",
            Value::Text(_) => "string",
            Value::Set(_) => "set",
            Value::Map(_) => "map",
            Value::Functions(_) => "piecewise quasi-polynomial",
            Value::Folds(_) => "piecewise quasi-polynomial fold",
            Value::Schedule(_) => "schedule",
            Value::Program(_) => "program",
            Value::List(_) => "list",
        }
    }
}

/// The members of a union, each on a line.
fn write_members<T: ToString>(f: &mut fmt::Formatter<'_>, members: &[T]) -> fmt::Result {
    let texts: Vec<String> = members.iter().map(ToString::to_string).collect();
    f.write_str(if texts.is_empty() { "{ }".to_owned() } else { texts.join("\n") }.as_str())
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Rational(number) => number.fmt(f),
            Value::Bool(true) => f.write_str("True"),
            Value::Bool(false) => f.write_str("False"),
            Value::Text(text) => write!(f, "\"{text}\""),
            Value::Set(set) => set.fmt(f),
            Value::Map(map) => map.fmt(f),
            Value::Functions(functions) => write_members(f, functions),
            Value::Folds(folds) => write_members(f, folds),
            Value::Schedule(tree) => f.write_str(tree.to_string().trim_end()),
            Value::Program(ast) => f.write_str(ast.to_string().trim_end()),
            Value::List(values) => {
                let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "({})", texts.join(", "))
            }
        }
    }
}
