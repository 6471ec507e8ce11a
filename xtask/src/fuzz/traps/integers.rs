//! C's integers of all widths and signs: expressions, their types, their values.
//!
//! An expression is evaluated as C does it: operands are promoted and brought to a common type,
//! unsigned results wrap around, a conversion to a narrower type cuts off. What C leaves undefined
//! (a signed overflow, a division by zero, a shift of something negative) has no value: the caller
//! takes another expression.

use std::fmt::Write as _;

/// An integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Integer {
    pub(super) bits: u32,
    pub(super) signed: bool,
}

/// `int`
pub(super) const INT: Integer = Integer { bits: 32, signed: true };

impl Integer {
    /// All types, `int` more than once.
    pub(super) const ALL: [Integer; 10] = [
        INT,
        INT,
        Integer { bits: 8, signed: true },
        Integer { bits: 8, signed: false },
        Integer { bits: 16, signed: true },
        Integer { bits: 16, signed: false },
        Integer { bits: 32, signed: true },
        Integer { bits: 32, signed: false },
        Integer { bits: 64, signed: true },
        Integer { bits: 64, signed: false },
    ];

    pub(super) fn name(self) -> &'static str {
        match (self.bits, self.signed) {
            (8, true) => "signed char",
            (8, false) => "unsigned char",
            (16, true) => "short",
            (16, false) => "unsigned short",
            (32, true) => "int",
            (32, false) => "unsigned",
            (64, true) => "long",
            _ => "unsigned long",
        }
    }

    /// What a conversion to this type makes of a value.
    pub(super) fn wrap(self, value: i128) -> i128 {
        let size = 1i128 << self.bits;
        let low = value.rem_euclid(size);
        if self.signed && low >= size / 2 { low - size } else { low }
    }

    pub(super) fn promoted(self) -> Integer {
        if self.bits < 32 { INT } else { self }
    }

    /// The type in which an operation on values of these types is done.
    pub(super) fn common(self, other: Integer) -> Integer {
        let (a, b) = (self.promoted(), other.promoted());
        match a.bits.cmp(&b.bits) {
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Equal => Integer { bits: a.bits, signed: a.signed && b.signed },
        }
    }

    /// A result in this type: wrapped around if it is unsigned, none if a signed one does not fit.
    fn result(self, value: i128) -> Option<i128> {
        (!self.signed || self.wrap(value) == value).then(|| self.wrap(value))
    }
}

/// An operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Xor,
    ShiftRight,
}

impl Operator {
    fn text(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
            Operator::And => "&",
            Operator::Xor => "^",
            Operator::ShiftRight => ">>",
        }
    }
}

/// An integer expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expression {
    /// Of type `int`.
    Number(i64),
    /// A variable of the scope.
    Variable(usize),
    /// A conversion.
    Cast(Integer, Box<Expression>),
    Binary(Operator, Box<Expression>, Box<Expression>),
    /// The number of the table at a place; the table begins again behind its end.
    Table(Box<Expression>),
}

/// The size of the table of subscripts.
pub(super) const TABLE: i128 = 32;

/// What the table has at a place.
pub(super) fn looked_up(place: i128) -> i128 {
    (place * 7 + place / 5) % 19
}

/// A variable: its text and type.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) kind: Integer,
}

impl Expression {
    pub(super) fn binary(operator: Operator, left: Expression, right: Expression) -> Expression {
        Expression::Binary(operator, Box::new(left), Box::new(right))
    }

    pub(super) fn kind(&self, scope: &[Variable]) -> Integer {
        match self {
            Expression::Number(_) | Expression::Table(_) => INT,
            Expression::Variable(k) => scope[*k].kind,
            Expression::Cast(kind, _) => *kind,
            Expression::Binary(Operator::ShiftRight, left, _) => left.kind(scope).promoted(),
            Expression::Binary(_, left, right) => left.kind(scope).common(right.kind(scope)),
        }
    }

    /// The value where the variables have these; none if C does not define it.
    pub(super) fn value(&self, scope: &[Variable], values: &[i128]) -> Option<i128> {
        match self {
            Expression::Number(number) => Some(i128::from(*number)),
            Expression::Variable(k) => Some(values[*k]),
            Expression::Cast(kind, inner) => Some(kind.wrap(inner.value(scope, values)?)),
            Expression::Table(inner) => {
                let place = inner.value(scope, values)?;
                Some(looked_up(Integer { bits: 32, signed: false }.wrap(place) % TABLE))
            }
            Expression::Binary(operator, left, right) => {
                let kind = self.kind(scope);
                let (a, b) = (kind.wrap(left.value(scope, values)?), right.value(scope, values)?);
                if *operator == Operator::ShiftRight {
                    return (a >= 0 && (0..i128::from(kind.bits)).contains(&b)).then(|| a >> b);
                }
                let b = kind.wrap(b);
                kind.result(match operator {
                    Operator::Add => a + b,
                    Operator::Subtract => a - b,
                    Operator::Multiply => a.checked_mul(b)?,
                    Operator::Divide => a.checked_div(b)?,
                    Operator::Remainder => {
                        // The remainder of the least number and -1 is undefined like the quotient.
                        kind.result(a.checked_div(b)?)?;
                        a % b
                    }
                    Operator::And => a & b,
                    Operator::Xor => a ^ b,
                    Operator::ShiftRight => unreachable!("done above"),
                })
            }
        }
    }

    /// As C.
    pub(super) fn text(&self, scope: &[Variable]) -> String {
        let mut text = String::new();
        self.write(scope, &mut text);
        text
    }

    fn write(&self, scope: &[Variable], out: &mut String) {
        match self {
            Expression::Number(number) if *number < 0 => _ = write!(out, "({number})"),
            Expression::Number(number) => _ = write!(out, "{number}"),
            Expression::Variable(k) => out.push_str(&scope[*k].name),
            Expression::Cast(kind, inner) => {
                _ = write!(out, "({})", kind.name());
                inner.write_operand(scope, out);
            }
            Expression::Table(inner) => {
                out.push_str("table[(unsigned)");
                inner.write_operand(scope, out);
                _ = write!(out, " % {TABLE}u]");
            }
            Expression::Binary(operator, left, right) => {
                left.write_operand(scope, out);
                _ = write!(out, " {} ", operator.text());
                right.write_operand(scope, out);
            }
        }
    }

    fn write_operand(&self, scope: &[Variable], out: &mut String) {
        if matches!(self, Expression::Binary(..)) {
            out.push('(');
            self.write(scope, out);
            out.push(')');
        } else {
            self.write(scope, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(kind: Integer) -> Vec<Variable> {
        vec![Variable { name: "x".to_owned(), kind }]
    }

    fn of(kind: Integer, operator: Operator, number: i64, value: i128) -> Option<i128> {
        let both = Expression::binary(operator, Expression::Variable(0), Expression::Number(number));
        both.value(&scope(kind), &[value])
    }

    #[test]
    fn values_are_those_of_c() {
        let [byte, unsigned] = [8, 32].map(|bits| Integer { bits, signed: false });
        assert_eq!(of(byte, Operator::Add, 1, 255), Some(256), "a byte is an int in a sum");
        assert_eq!(of(unsigned, Operator::Subtract, 1, 0), Some((1 << 32) - 1));
        assert_eq!(of(INT, Operator::Add, 1, (1 << 31) - 1), None, "signed overflow");
        assert_eq!(of(INT, Operator::Remainder, 3, -7), Some(-1));
        assert_eq!(of(INT, Operator::Divide, 0, 1), None);
        assert_eq!(of(INT, Operator::ShiftRight, 1, -2), None);
        assert_eq!(Integer { bits: 8, signed: true }.wrap(200), -56);
    }

    #[test]
    fn expressions_read_as_they_are_evaluated() {
        let sum = Expression::binary(Operator::Add, Expression::Variable(0), Expression::Number(-3));
        let cut = Expression::Cast(Integer { bits: 16, signed: false }, Box::new(sum));
        assert_eq!(cut.text(&scope(INT)), "(unsigned short)(x + (-3))");
        assert_eq!(cut.kind(&scope(INT)).bits, 16);
        assert_eq!(
            Expression::Table(Box::new(cut)).text(&scope(INT)),
            "table[(unsigned)(unsigned short)(x + (-3)) % 32u]"
        );
    }
}
