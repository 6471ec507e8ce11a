//! Numbers, and what operations do with them.

use std::fmt;

use poly_reductions::Operator;

use crate::program::{Binary, Scalar, Unary};

/// A value of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// An integer, modulo 2^64.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A condition.
    Bool(bool),
}

impl Value {
    /// As a floating-point number.
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
            Self::Bool(value) => f64::from(u8::from(value)),
        }
    }

    fn to_i64(self) -> i64 {
        match self {
            Self::Int(value) => value,
            Self::Float(value) => value as i64,
            Self::Bool(value) => i64::from(value),
        }
    }

    /// The truth of a condition.
    pub(crate) fn is_true(self) -> bool {
        matches!(self, Self::Bool(true))
    }

    /// What a variable of a type keeps.
    pub fn stored(self, scalar: Scalar) -> Self {
        let int = || self.to_i64();
        match scalar {
            Scalar::I8 => Self::Int(i64::from(int() as i8)),
            Scalar::I16 => Self::Int(i64::from(int() as i16)),
            Scalar::I32 => Self::Int(i64::from(int() as i32)),
            Scalar::I64 => Self::Int(int()),
            Scalar::U8 => Self::Int(i64::from(int() as u8)),
            Scalar::U16 => Self::Int(i64::from(int() as u16)),
            Scalar::U32 => Self::Int(i64::from(int() as u32)),
            Scalar::F32 => Self::Float(f64::from(self.to_f64() as f32)),
            Scalar::F64 => Self::Float(self.to_f64()),
        }
    }

    /// The number that a text is, for a variable of a type.
    pub fn parse(text: &str, scalar: Scalar) -> Option<Self> {
        let value = if scalar.is_float() { Self::Float(text.parse().ok()?) } else { Self::Int(text.parse().ok()?) };
        Some(value.stored(scalar))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value}"),
            Self::Bool(value) => write!(f, "{value}"),
        }
    }
}

/// An operation on one value.
pub(crate) fn unary(operator: Unary, value: Value) -> Value {
    match (operator, value) {
        (Unary::Neg, Value::Float(x)) => Value::Float(-x),
        (Unary::Neg, x) => Value::Int(x.to_i64().wrapping_neg()),
        (Unary::Not, x) => Value::Bool(!x.is_true()),
        (Unary::BitNot, x) => Value::Int(!x.to_i64()),
        (Unary::To(scalar), x) => x.stored(scalar),
    }
}

/// An operation on two values; none for a division of an integer by zero.
pub(crate) fn binary(operator: Binary, a: Value, b: Value) -> Option<Value> {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        return integers(operator, a, b);
    }
    if operator.is_logical() {
        let (a, b) = (a.is_true(), b.is_true());
        return Some(Value::Bool(if operator == Binary::And { a && b } else { a || b }));
    }
    let (a, b) = (a.to_f64(), b.to_f64());
    Some(match operator {
        Binary::Add => Value::Float(a + b),
        Binary::Sub => Value::Float(a - b),
        Binary::Mul => Value::Float(a * b),
        Binary::Div => Value::Float(a / b),
        Binary::Min => Value::Float(if a < b { a } else { b }),
        Binary::Max => Value::Float(if a > b { a } else { b }),
        Binary::Eq => Value::Bool(a == b),
        Binary::Ne => Value::Bool(a != b),
        Binary::Lt => Value::Bool(a < b),
        Binary::Le => Value::Bool(a <= b),
        Binary::Gt => Value::Bool(a > b),
        Binary::Ge => Value::Bool(a >= b),
        _ => return None,
    })
}

fn integers(operator: Binary, a: i64, b: i64) -> Option<Value> {
    Some(Value::Int(match operator {
        Binary::Add => a.wrapping_add(b),
        Binary::Sub => a.wrapping_sub(b),
        Binary::Mul => a.wrapping_mul(b),
        Binary::Div => floor_division(a, b)?.0,
        Binary::Rem => floor_division(a, b)?.1,
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::BitAnd => a & b,
        Binary::BitOr => a | b,
        Binary::BitXor => a ^ b,
        Binary::Shl => a.wrapping_shl((b & 63) as u32),
        Binary::Shr => a.wrapping_shr((b & 63) as u32),
        Binary::Eq => return Some(Value::Bool(a == b)),
        Binary::Ne => return Some(Value::Bool(a != b)),
        Binary::Lt => return Some(Value::Bool(a < b)),
        Binary::Le => return Some(Value::Bool(a <= b)),
        Binary::Gt => return Some(Value::Bool(a > b)),
        Binary::Ge => return Some(Value::Bool(a >= b)),
        Binary::And | Binary::Or => return None,
    }))
}

/// Quotient rounded down, and remainder.
fn floor_division(a: i64, b: i64) -> Option<(i64, i64)> {
    if b == 0 {
        return None;
    }
    let (quotient, remainder) = (a.wrapping_div(b), a.wrapping_rem(b));
    let down = remainder != 0 && (remainder < 0) != (b < 0);
    Some(if down { (quotient - 1, remainder + b) } else { (quotient, remainder) })
}

/// What a reduction begins with; none for minima and maxima.
pub(crate) fn neutral(operator: Operator, is_float: bool) -> Option<Value> {
    let value = match operator {
        Operator::Add | Operator::Or | Operator::Xor => 0,
        Operator::Mul => 1,
        Operator::And => -1,
        Operator::Min | Operator::Max => return None,
    };
    Some(if is_float { Value::Float(value as f64) } else { Value::Int(value) })
}
