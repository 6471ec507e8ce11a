//! What values an expression can have, from the types of what it reads.
//!
//! # Problem
//! `c + min(a, b)` is `min(c + a, c + b)` only if no sum wraps. Expressions compute with 64 bits,
//! so sums of a few values of narrower variables never do.
//!
//! # Method
//! Interval arithmetic, bottom up. What might wrap has the whole range of 64 bits, which is always
//! right.

use crate::program::{Binary, Expr, ExprKind, Scalar, System, Unary};

/// The least and the greatest value.
type Range = (i128, i128);

/// All values of 64 bits.
const WHOLE: Range = (i64::MIN as i128, i64::MAX as i128);

/// Whether no sum of some of these integers wraps.
pub(crate) fn sums_fit(system: &System, parts: &[&Expr]) -> bool {
    let size = |part: &&Expr| {
        let (low, high) = range(system, part);
        low.abs().max(high.abs())
    };
    parts.iter().map(size).sum::<i128>() <= WHOLE.1
}

fn of_type(scalar: Scalar) -> Range {
    match scalar {
        Scalar::I8 => (i128::from(i8::MIN), i128::from(i8::MAX)),
        Scalar::I16 => (i128::from(i16::MIN), i128::from(i16::MAX)),
        Scalar::I32 => (i128::from(i32::MIN), i128::from(i32::MAX)),
        Scalar::U8 => (0, i128::from(u8::MAX)),
        Scalar::U16 => (0, i128::from(u16::MAX)),
        Scalar::U32 => (0, i128::from(u32::MAX)),
        Scalar::I64 | Scalar::F32 | Scalar::F64 => WHOLE,
    }
}

/// The recursion is bounded by the depth of the expression.
fn range(system: &System, expr: &Expr) -> Range {
    let found = match &expr.kind {
        ExprKind::Int(value) => (i128::from(*value), i128::from(*value)),
        ExprKind::Read(variable, _) => of_type(system.variables[*variable].scalar),
        ExprKind::Unary(Unary::To(scalar), _) => of_type(*scalar),
        ExprKind::Unary(Unary::Neg, e) => {
            let (low, high) = range(system, e);
            (-high, -low)
        }
        ExprKind::Binary(operator, a, b) => combined(*operator, range(system, a), range(system, b)),
        ExprKind::If(_, a, b) => hull(range(system, a), range(system, b)),
        ExprKind::Case(branches) => {
            branches.iter().map(|branch| range(system, &branch.body)).reduce(hull).unwrap_or(WHOLE)
        }
        _ => WHOLE,
    };
    if found.0 < WHOLE.0 || found.1 > WHOLE.1 { WHOLE } else { found }
}

fn hull(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}

fn combined(operator: Binary, a: Range, b: Range) -> Range {
    match operator {
        Binary::Add => (a.0 + b.0, a.1 + b.1),
        Binary::Sub => (a.0 - b.1, a.1 - b.0),
        // Both factors have 64 bits, so the products have 127.
        Binary::Mul => {
            let products = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            products.into_iter().fold((products[0], products[0]), |all, p| hull(all, (p, p)))
        }
        Binary::Min => (a.0.min(b.0), a.1.min(b.1)),
        Binary::Max => (a.0.max(b.0), a.1.max(b.1)),
        _ => WHOLE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::system;

    /// Whether the sum of the two operands of `x`, in a system with inputs of some types, fits.
    fn fits(body: &str) -> bool {
        let text = format!(
            "system s {{ in i64 a : {{ [] }}; in i32 b : {{ [] }}; in u8 c : {{ [] }}; out i64 x : {{ [] }}; x = {body}; }}"
        );
        let system = system(&text);
        let ExprKind::Binary(_, a, b) = &system.equations[0].body.kind else { panic!("a sum") };
        sums_fit(&system, &[a, b])
    }

    #[test]
    fn narrow_values_do_not_wrap() {
        assert!(fits("b + c"));
        assert!(fits("b * c + -b"));
        assert!(fits("b * b + max(b, c * 7)"));
        assert!(fits("min(c, b) + (if a < 3 then c else 4)"));
        assert!(fits("i32(a) + u8(a * a)"));
    }

    #[test]
    fn wide_values_may_wrap() {
        assert!(!fits("a + c"));
        assert!(!fits("b * b * c + 1"));
        assert!(!fits("b * b + b * b * 2"));
        assert!(!fits("i64(a) + c"));
        assert!(!fits("(a + c) * 0 + (if c < 3 then a else 4)"));
    }
}
