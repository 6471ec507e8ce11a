//! Expressions in C, with the coordinates of loops in their subscripts.

use poly_arith::Int;
use poly_ast_build::{Ast, Expr as Loop};
use poly_presburger::{Aff, MultiAff};
use poly_reductions::Operator;

use super::Cells;
use super::names::c_name;
use super::unroll::remainder;
use crate::check::{Class, class};
use crate::program::{Binary, Expr, ExprKind, Scalar, System, Unary, operation};
use crate::value::{Value, binary};

/// Writes expressions of a statement for one of its places in the loops.
pub(crate) struct Writer<'a> {
    pub(crate) system: &'a System,
    pub(crate) ast: &'a Ast,
    /// The coordinates of the instance.
    pub(crate) coordinates: &'a [Loop],
    /// Where elements are kept.
    pub(crate) cells: Cells<'a>,
}

/// What a reduction begins with.
pub(crate) fn first(operator: Operator, is_float: bool) -> &'static str {
    match (operator, is_float) {
        (Operator::Min, false) => "INT64_MAX",
        (Operator::Max, false) => "INT64_MIN",
        (Operator::Min, true) => "INFINITY",
        (Operator::Max, true) => "-INFINITY",
        (Operator::Add | Operator::Or | Operator::Xor, _) => "0",
        (Operator::Mul, _) => "1",
        (Operator::And, _) => "-1",
    }
}

impl Writer<'_> {
    /// An element of a variable.
    pub(crate) fn element(&self, variable: usize, access: &MultiAff) -> String {
        let name = c_name(&self.system.variables[variable].name);
        if let Some(own) = self.cells.buffers(variable) {
            return self.buffered(&name, own.dim, access);
        }
        let subscripts = access.affs().iter().enumerate().map(|(dim, aff)| {
            let subscript = self.substituted(aff);
            let modulus = self.cells.modulus(variable, dim);
            let cell = modulus.and_then(|modulus| remainder(&subscript, &modulus, self.cells.residues));
            cell.map_or_else(|| self.ast.expr_text(&subscript), |cell| cell.to_string())
        });
        let subscripts: Vec<String> = subscripts.collect();
        format!("{name}({})", subscripts.join(", "))
    }

    /// An element of a variable whose two buffers are arrays of their own.
    fn buffered(&self, name: &str, dim: usize, access: &MultiAff) -> String {
        let step = self.substituted(&access.affs()[dim]);
        let buffer = remainder(&step, &Int::from(2), self.cells.residues).unwrap_or(Int::ZERO);
        let others = access.affs().iter().enumerate().filter(|(k, _)| *k != dim).map(|(_, aff)| self.aff(aff));
        format!("{name}_b{buffer}({})", others.collect::<Vec<_>>().join(", "))
    }

    pub(crate) fn aff(&self, aff: &Aff) -> String {
        self.ast.expr_text(&self.substituted(aff))
    }

    /// The function with the coordinates for its dimensions.
    pub(crate) fn substituted(&self, aff: &Aff) -> Loop {
        let params = self.system.params.iter().map(|p| Loop::Param(poly_presburger::Id::new(&c_name(p.as_str()))));
        let mut columns: Vec<Loop> = params.chain(self.coordinates.iter().cloned()).collect();
        for div in aff.divs() {
            let inner = sum(&div.num, &columns);
            columns.push(inner.floor_div(&div.denom));
        }
        sum(aff.row(), &columns)
    }

    /// `x = x op value;`
    pub(crate) fn update(&self, target: &str, operator: Operator, body: &Expr, is_float: bool) -> String {
        if let (Operator::Add, ExprKind::Unary(Unary::Neg, term)) = (operator, &body.kind) {
            return format!("{target} -= {};", self.value(term));
        }
        let value = self.value(body);
        let sign = match operator {
            Operator::Add => "+",
            Operator::Mul => "*",
            Operator::And => "&",
            Operator::Or => "|",
            Operator::Xor => "^",
            Operator::Min | Operator::Max => {
                let name = if operation(operator) == Binary::Min { "min" } else { "max" };
                return format!("{target} = {name}{}({target}, {value});", if is_float { "f" } else { "" });
            }
        };
        format!("{target} {sign}= {value};")
    }

    /// A value; integers have 64 bits, floating-point numbers are doubles.
    pub(crate) fn value(&self, expr: &Expr) -> String {
        self.expr(expr).0
    }

    /// The text, and how strongly it binds: 3 for what needs no parentheses, 2 for products, 1 for
    /// sums, 0 for the rest. The recursion is bounded by the depth of the expression.
    fn expr(&self, expr: &Expr) -> (String, u8) {
        if let Some(value) = constant(expr) {
            return (if value < 0 { format!("({value})") } else { value.to_string() }, 3);
        }
        match &expr.kind {
            ExprKind::Int(value) => (format!("({value})"), 3),
            ExprKind::Float(value) => (float(*value), 3),
            ExprKind::Index(aff) => (format!("({})", self.aff(aff)), 3),
            ExprKind::Read(variable, access) => {
                let element = self.element(*variable, access);
                (
                    match self.system.variables[*variable].scalar {
                        Scalar::I64 | Scalar::F64 => element,
                        Scalar::F32 => format!("(double){element}"),
                        _ => format!("(int64_t){element}"),
                    },
                    3,
                )
            }
            ExprKind::Unary(operator, e) => {
                let sign = match operator {
                    Unary::Neg => "-",
                    Unary::Not => "!",
                    Unary::BitNot => "~",
                    Unary::To(scalar) => return (self.converted(*scalar, e), 3),
                };
                (format!("({sign}{})", self.within(e, 3)), 3)
            }
            ExprKind::Binary(operator, a, b) => self.binary(*operator, a, b),
            ExprKind::Call(external, values) => {
                let external = &self.system.externals[*external];
                let values: Vec<String> = values.iter().map(|e| self.value(e)).collect();
                let cast = if external.result.is_float() { "" } else { "(int64_t)" };
                (format!("{cast}{}({})", external.name, values.join(", ")), 3)
            }
            ExprKind::If(test, a, b) => {
                let float = class(self.system, expr) == Class::Float;
                let cast = if float { "(double)" } else { "(int64_t)" };
                let branch = |e: &Expr| format!("{cast}{}", self.within(e, 3));
                (format!("({} ? {} : {})", self.within(test, 1), branch(a), branch(b)), 3)
            }
            // Normal forms have neither.
            ExprKind::Case(_) | ExprKind::Reduce(_) | ExprKind::At { .. } => ("0".to_owned(), 3),
        }
    }

    /// What a variable of a type keeps of a value.
    fn converted(&self, scalar: Scalar, expr: &Expr) -> String {
        let value = self.within(expr, 3);
        let is_float = class(self.system, expr) == Class::Float;
        match scalar {
            Scalar::F64 => format!("(double){value}"),
            Scalar::F32 => format!("(double)(float){value}"),
            Scalar::I64 if is_float => format!("trunc64({value})"),
            Scalar::I64 => format!("(int64_t){value}"),
            // A conversion of a floating-point number to fewer bits would be undefined where they
            // do not suffice.
            _ if is_float => format!("(int64_t)({})trunc64({value})", super::c_type(scalar)),
            _ => format!("(int64_t)({}){value}", super::c_type(scalar)),
        }
    }

    fn within(&self, expr: &Expr, strength: u8) -> String {
        let (text, own) = self.expr(expr);
        if own < strength { format!("({text})") } else { text }
    }

    fn binary(&self, operator: Binary, a: &Expr, b: &Expr) -> (String, u8) {
        let is_float = [a, b].iter().any(|e| class(self.system, e) == Class::Float);
        // Integers beside floating-point numbers become ones exactly as the interpreter does it.
        let operand = |e: &Expr, strength: u8| {
            let needs = is_float && class(self.system, e) == Class::Integer;
            if needs { format!("(double){}", self.within(e, 3)) } else { self.within(e, strength) }
        };
        let call = |name: &str| (format!("{name}({}, {})", operand(a, 0), operand(b, 0)), 3);
        let infix = |sign: &str, left: u8, right: u8, own: u8| {
            (format!("{} {sign} {}", operand(a, left), operand(b, right)), own)
        };
        match (operator, is_float) {
            (Binary::Add, _) => infix("+", 1, 2, 1),
            (Binary::Sub, _) => infix("-", 1, 2, 1),
            (Binary::Mul, _) => infix("*", 2, 3, 2),
            (Binary::Div, true) => infix("/", 2, 3, 2),
            (Binary::Div, false) => call("floord"),
            (Binary::Rem, _) => call("pmod"),
            (Binary::Min, true) => call("minf"),
            (Binary::Max, true) => call("maxf"),
            (Binary::Min, false) => call("min"),
            (Binary::Max, false) => call("max"),
            (Binary::Shl, _) => call("shl"),
            (Binary::Shr, _) => (format!("{} >> ({} & 63)", operand(a, 3), operand(b, 3)), 0),
            (Binary::BitAnd, _) => infix("&", 3, 3, 0),
            (Binary::BitOr, _) => infix("|", 3, 3, 0),
            (Binary::BitXor, _) => infix("^", 3, 3, 0),
            (Binary::Eq, _) => infix("==", 1, 1, 0),
            (Binary::Ne, _) => infix("!=", 1, 1, 0),
            (Binary::Lt, _) => infix("<", 1, 1, 0),
            (Binary::Le, _) => infix("<=", 1, 1, 0),
            (Binary::Gt, _) => infix(">", 1, 1, 0),
            (Binary::Ge, _) => infix(">=", 1, 1, 0),
            (Binary::And, _) => infix("&&", 1, 1, 0),
            (Binary::Or, _) => infix("||", 1, 1, 0),
        }
    }
}

/// The value of an expression of numbers alone: C would compute with 32 bits. The recursion is
/// bounded by the depth of the expression.
fn constant(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        // Of the least number there is no text in C.
        ExprKind::Int(value) if *value != i64::MIN => Some(*value),
        ExprKind::Index(aff) => aff.constant_value()?.to_int()?.to_i64(),
        ExprKind::Unary(Unary::Neg, e) => constant(e)?.checked_neg(),
        ExprKind::Binary(operator, a, b) => {
            match binary(*operator, Value::Int(constant(a)?), Value::Int(constant(b)?))? {
                Value::Int(value) if value != i64::MIN => Some(value),
                _ => None,
            }
        }
        _ => None,
    }
}

fn float(value: f64) -> String {
    if value.is_nan() {
        "NAN".to_owned()
    } else if value.is_infinite() {
        (if value > 0.0 { "INFINITY" } else { "(-INFINITY)" }).to_owned()
    } else if value.is_sign_negative() {
        format!("({value:?})")
    } else {
        format!("{value:?}")
    }
}

fn sum(row: &[Int], columns: &[Loop]) -> Loop {
    let terms = row[1..].iter().zip(columns).filter(|(factor, _)| !factor.is_zero());
    let terms = terms.map(|(factor, column)| column.clone().times(factor));
    Loop::sum(terms.chain([Loop::Int(row[0].clone())]))
}
