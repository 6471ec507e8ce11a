//! What statements of a program compute, as expressions of the language.
//!
//! # Problem
//! A statement is a list of steps in the manner of LLVM IR: reads, operations on numbers of some
//! type, and writes. Numbers of the language have 64 bits, those of a program often fewer, and
//! operations wrap around there.
//!
//! # Algorithm
//! Each step becomes an expression over those before it. Of an integer with fewer bits it is known
//! whether the expression has its value, read with a sign, or only one that is equal modulo 2^bits.
//! Sums, products and bit operations are right modulo 2^bits whatever their operands are;
//! comparisons, divisions and shifts to the right get operands that are converted first. Single
//! precision is double precision that is rounded after each operation: for sums, products,
//! quotients and square roots that is the same \[Figueroa1995\].
//!
//! # Limits
//! What has no translation makes the whole statement one function of unknown meaning: [`Unknown`]
//! says why. An expression has at most [`LARGEST`] parts, as a value that is used twice is written
//! twice.

use crate::program::{Binary, Expr, ExprKind, External, Scalar, Unary};

/// How many parts the value of a write may have.
const LARGEST: usize = 2_000;

/// The type of a number of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// An integer with at most 64 bits; one bit is a truth value.
    Bits(u32),
    /// Single precision.
    Single,
    /// Double precision.
    Double,
}

impl Number {
    /// The type with LLVM's name, if there are such numbers here.
    pub fn of_llvm(name: &str) -> Option<Self> {
        match name {
            "float" => Some(Self::Single),
            "double" => Some(Self::Double),
            _ => match name.strip_prefix('i')?.parse() {
                Ok(bits @ 1..=64) => Some(Self::Bits(bits)),
                _ => None,
            },
        }
    }

    /// The type of a variable with such values.
    pub fn scalar(self) -> Option<Scalar> {
        Some(match self {
            Self::Single => Scalar::F32,
            Self::Double => Scalar::F64,
            Self::Bits(8) => Scalar::I8,
            Self::Bits(16) => Scalar::I16,
            Self::Bits(32) => Scalar::I32,
            Self::Bits(64) => Scalar::I64,
            Self::Bits(_) => return None,
        })
    }
}

/// An affine function of a statement's indices and the parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Affine {
    /// Its constant.
    pub constant: i64,
    /// The factors of parameters, by their names.
    pub params: Vec<(String, i64)>,
    /// The factors of all indices.
    pub loops: Vec<i64>,
}

/// An operand of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// The result of an earlier step.
    Step(u64),
    /// An integer.
    Integer(i64, Number),
    /// A floating-point number.
    Float(f64, Number),
    /// A function of the statement's indices and the parameters, modulo 2^bits; the value itself,
    /// if that is said.
    Affine(Affine, Number, bool),
    /// A number from before the loops, by its name.
    Outside(String, Number),
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Read through an access.
    Read(usize),
    /// Write its operand through an access.
    Write(usize),
    /// What LLVM's instruction or intrinsic of this name does, a comparison with its predicate:
    /// `icmp slt`.
    Compute(String),
    /// The number that changes nothing when LLVM's instruction or intrinsic of this name combines
    /// it with another one.
    Neutral(String),
    /// Whether the last operand is true, and all before it.
    Holds,
    /// Whether the last operand is false, and all before it are true.
    HoldsNot,
    /// Whether one of the operands is true.
    Any,
    /// Operands `c1, v1, c2, v2, .., v`: the value behind the first condition that is true, else
    /// the last one.
    Choose,
}

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What it does.
    pub action: Action,
    /// The name of its result.
    pub result: u64,
    /// The type of its result.
    pub number: Option<Number>,
    /// What it is done with.
    pub operands: Vec<Operand>,
    /// The truth value of an earlier step: whether it is done.
    pub condition: Option<u64>,
    /// Its result is not used where a signed operation has wrapped around.
    pub no_wrap: bool,
}

/// Why there is no translation.
pub(super) type Unknown = String;

/// What expressions need beyond a body.
pub(super) trait Context {
    /// The value that a read finds.
    fn read(&self, access: usize) -> Option<Expr>;
    /// What was there before a write that may not happen.
    fn before(&self, write: usize) -> Option<Expr>;
    /// An affine function.
    fn affine(&self, affine: &Affine) -> Option<Expr>;
    /// A number from before the loops.
    fn outside(&mut self, name: &str, scalar: Scalar) -> Expr;
    /// A function, as a part of a call.
    fn function(&mut self, external: External) -> usize;
}

/// A value with what is known of it.
#[derive(Clone, Debug)]
struct Known {
    expr: Expr,
    number: Number,
    /// The expression has this value, and not only one that is equal modulo 2^bits.
    exact: bool,
}

fn expr(kind: ExprKind) -> Expr {
    Expr::new(kind, &(0..0))
}

fn int(value: i64) -> Expr {
    expr(ExprKind::Int(value))
}

fn unary(operator: Unary, a: Expr) -> Expr {
    expr(ExprKind::Unary(operator, Box::new(a)))
}

fn binary(operator: Binary, a: Expr, b: Expr) -> Expr {
    expr(ExprKind::Binary(operator, Box::new(a), Box::new(b)))
}

fn choice(test: Expr, a: Expr, b: Expr) -> Expr {
    expr(ExprKind::If(Box::new(test), Box::new(a), Box::new(b)))
}

impl Known {
    fn new(expr: Expr, number: Number, exact: bool) -> Self {
        Self { expr, number, exact }
    }

    fn truth(expr: Expr) -> Self {
        Self::new(expr, Number::Bits(1), true)
    }

    fn bits(&self) -> Result<u32, Unknown> {
        match self.number {
            Number::Bits(bits) => Ok(bits),
            _ => Err("a floating-point number where an integer is needed".to_owned()),
        }
    }

    fn condition(&self) -> Result<Expr, Unknown> {
        match self.number {
            Number::Bits(1) => Ok(self.expr.clone()),
            _ => Err("a number where a condition is needed".to_owned()),
        }
    }

    /// The value, read with a sign.
    fn signed(&self) -> Result<Expr, Unknown> {
        let bits = self.bits()?;
        if bits == 1 {
            return Ok(choice(self.expr.clone(), int(-1), int(0)));
        }
        if self.exact || bits == 64 {
            return Ok(self.expr.clone());
        }
        if let Some(scalar) = self.number.scalar() {
            return Ok(unary(Unary::To(scalar), self.expr.clone()));
        }
        let unused = || int(i64::from(64 - bits));
        Ok(binary(Binary::Shr, binary(Binary::Shl, self.expr.clone(), unused()), unused()))
    }

    /// The value, read without a sign; those of 64 bits have none here.
    fn unsigned(&self) -> Result<Expr, Unknown> {
        let bits = self.bits()?;
        if let Some(value) = constant(self).filter(|_| (2..64).contains(&bits)) {
            return Ok(int(value & ((1 << bits) - 1)));
        }
        match bits {
            1 => Ok(choice(self.expr.clone(), int(1), int(0))),
            64 => Err("64 bits without a sign".to_owned()),
            bits => Ok(match bits {
                8 => unary(Unary::To(Scalar::U8), self.expr.clone()),
                16 => unary(Unary::To(Scalar::U16), self.expr.clone()),
                32 => unary(Unary::To(Scalar::U32), self.expr.clone()),
                _ => binary(Binary::BitAnd, self.expr.clone(), int((1 << bits) - 1)),
            }),
        }
    }

    /// What a variable is to keep, which converts it anyway.
    fn stored(self) -> Expr {
        let scalar = self.number.scalar();
        match self.expr.kind {
            ExprKind::Unary(Unary::To(to), inner) if Some(to) == scalar && to != Scalar::I64 && to != Scalar::F64 => {
                *inner
            }
            kind => Expr { kind, span: self.expr.span },
        }
    }
}

/// The value of each write, by its access; where a write does not happen, it is what was there
/// before.
pub(super) fn values(steps: &[Step], context: &mut dyn Context) -> Result<Vec<(usize, Expr)>, Unknown> {
    let mut translation = Translation { known: Vec::new(), context };
    let mut written = Vec::new();
    for step in steps {
        if let Action::Write(access) = step.action {
            let mut value = translation.operand(step.operands.first().ok_or("a write of nothing")?)?;
            if let Some(condition) = step.condition {
                let test = translation.step(condition)?.condition()?;
                let before = translation.context.before(access).ok_or("a write that may not happen")?;
                value = Known::new(choice(test, value.stored(), before), value_number(step)?, false);
            }
            if value.expr.all().len() > LARGEST {
                return Err("an expression that is too long".to_owned());
            }
            written.push((access, value.stored()));
        } else if let Ok(value) = translation.value(step) {
            // What cannot be translated may be of no use.
            if value.expr.all().len() <= LARGEST {
                translation.known.push((step.result, value));
            }
        }
    }
    Ok(written)
}

/// The type of what is written.
fn value_number(step: &Step) -> Result<Number, Unknown> {
    step.number.ok_or_else(|| "a type that the language has not".to_owned())
}

struct Translation<'a> {
    known: Vec<(u64, Known)>,
    context: &'a mut dyn Context,
}

impl Translation<'_> {
    fn step(&self, result: u64) -> Result<Known, Unknown> {
        let found = self.known.iter().rev().find(|(name, _)| *name == result);
        found.map(|(_, known)| known.clone()).ok_or_else(|| "a value that the language cannot compute".to_owned())
    }

    fn operand(&mut self, operand: &Operand) -> Result<Known, Unknown> {
        Ok(match operand {
            Operand::Step(result) => self.step(*result)?,
            Operand::Integer(value, Number::Bits(1)) => Known::truth(binary(Binary::Ne, int(*value & 1), int(0))),
            // Of the least number there is no text.
            Operand::Integer(i64::MIN, number) => Known::new(binary(Binary::Shl, int(1), int(63)), *number, true),
            Operand::Integer(value, number) => Known::new(int(*value), *number, true),
            Operand::Float(value, _) if !value.is_finite() => return Err("a number that is not finite".to_owned()),
            Operand::Float(value, number) => Known::new(expr(ExprKind::Float(*value)), *number, true),
            Operand::Affine(affine, number, exact) => {
                let value = self.context.affine(affine).ok_or("a function of unknown parameters")?;
                Known::new(value, *number, *exact)
            }
            Operand::Outside(name, number) => {
                let scalar = number.scalar().ok_or("a type that the language has not")?;
                Known::new(self.context.outside(name, scalar), *number, true)
            }
        })
    }

    fn value(&mut self, step: &Step) -> Result<Known, Unknown> {
        let operands: Vec<Known> = step.operands.iter().map(|o| self.operand(o)).collect::<Result<_, _>>()?;
        match &step.action {
            Action::Read(access) => {
                let value = self.context.read(*access).ok_or("a read of several elements")?;
                Ok(Known::new(value, value_number(step)?, true))
            }
            Action::Write(_) => Err("a write has no value".to_owned()),
            Action::Holds | Action::HoldsNot => {
                let (last, before) = operands.split_last().ok_or("a condition of nothing")?;
                let mut test = last.condition()?;
                if step.action == Action::HoldsNot {
                    test = unary(Unary::Not, test);
                }
                for other in before.iter().rev() {
                    test = binary(Binary::And, other.condition()?, test);
                }
                Ok(Known::truth(test))
            }
            Action::Any => {
                let tests: Vec<Expr> = operands.iter().map(Known::condition).collect::<Result<_, _>>()?;
                let any = tests.into_iter().reduce(|a, b| binary(Binary::Or, a, b)).ok_or("a condition of nothing")?;
                Ok(Known::truth(any))
            }
            Action::Choose => chosen(&operands),
            Action::Neutral(opcode) => neutral(opcode, value_number(step)?),
            Action::Compute(opcode) => self.computed(opcode, step, &operands),
        }
    }

    fn computed(&mut self, opcode: &str, step: &Step, operands: &[Known]) -> Result<Known, Unknown> {
        let number = value_number(step)?;
        let (name, predicate) = opcode.split_once(' ').unwrap_or((opcode, ""));
        match (name, operands) {
            ("freeze", [a]) => Ok(a.clone()),
            ("select", [test, a, b]) => chosen(&[test.clone(), a.clone(), b.clone()]),
            ("icmp", [a, b]) => integer_comparison(predicate, a, b),
            ("fcmp", [a, b]) => float_comparison(predicate, a, b),
            _ => match conversion(name, operands, number) {
                Some(converted) => converted,
                None if matches!(number, Number::Bits(_)) => integers(name, operands, number, step.no_wrap),
                None => self.floats(name, operands, number),
            },
        }
    }

    fn floats(&mut self, name: &str, operands: &[Known], number: Number) -> Result<Known, Unknown> {
        let rounded = |e: Expr| if number == Number::Single { unary(Unary::To(Scalar::F32), e) } else { e };
        let two = |operator, a: &Known, b: &Known| rounded(binary(operator, a.expr.clone(), b.expr.clone()));
        let value = match (name, operands) {
            ("fneg", [a]) => unary(Unary::Neg, a.expr.clone()),
            ("fadd", [a, b]) => two(Binary::Add, a, b),
            ("fsub", [a, b]) => two(Binary::Sub, a, b),
            ("fmul", [a, b]) => two(Binary::Mul, a, b),
            ("fdiv", [a, b]) => two(Binary::Div, a, b),
            _ if name.starts_with("llvm.fmuladd.") => match operands {
                [a, b, c] => rounded(binary(Binary::Add, two(Binary::Mul, a, b), c.expr.clone())),
                _ => return Err(format!("`{name}`")),
            },
            _ => rounded(self.call(name, operands, number)?),
        };
        Ok(Known::new(value, number, true))
    }

    /// A function of C. Those that are exact, or rounded once, are the same for both precisions.
    fn call(&mut self, name: &str, operands: &[Known], number: Number) -> Result<Expr, Unknown> {
        let plain = name.strip_prefix("llvm.").and_then(|rest| rest.split('.').next()).unwrap_or(name);
        let plain = match plain {
            "minnum" => "fmin",
            "maxnum" => "fmax",
            other => other,
        };
        let is_single = number == Number::Single;
        let plain = if is_single { plain.strip_suffix('f').unwrap_or(plain) } else { plain };
        let is_exact = matches!(plain, "sqrt" | "fabs" | "floor" | "ceil" | "trunc" | "fmin" | "fmax" | "copysign");
        let is_known = is_exact
            || matches!(plain, "exp" | "log" | "log2" | "sin" | "cos" | "tan" | "tanh" | "pow" | "atan2" | "fma");
        if !is_known || operands.iter().any(|operand| operand.number != number) {
            return Err(format!("`{name}`"));
        }
        let (name, scalar) =
            if is_single && !is_exact { (format!("{plain}f"), Scalar::F32) } else { (plain.to_owned(), Scalar::F64) };
        let external = External { name, result: scalar, arguments: vec![scalar; operands.len()] };
        let values = operands.iter().map(|operand| operand.expr.clone()).collect();
        Ok(expr(ExprKind::Call(self.context.function(external), values)))
    }
}

/// The number that changes nothing.
fn neutral(opcode: &str, number: Number) -> Result<Known, Unknown> {
    let Number::Bits(bits @ 2..=64) = number else { return Err(format!("the neutral element of `{opcode}`")) };
    let least = || binary(Binary::Shl, int(-1), int(i64::from(bits) - 1));
    let value = match opcode {
        "add" | "sub" | "or" | "xor" | "llvm.umax" => int(0),
        "mul" => int(1),
        "and" | "llvm.umin" => int(-1),
        "llvm.smax" => least(),
        "llvm.smin" => unary(Unary::BitNot, least()),
        _ => return Err(format!("the neutral element of `{opcode}`")),
    };
    Ok(Known::new(value, number, true))
}

/// The value behind the first condition that is true.
fn chosen(operands: &[Known]) -> Result<Known, Unknown> {
    let (last, pairs) = operands.split_last().ok_or("a choice of nothing")?;
    let mut value = last.clone();
    for pair in pairs.chunks(2).rev() {
        let [test, other] = pair else { return Err("a choice without a value".to_owned()) };
        let test = test.condition()?;
        value = if value.number == Number::Bits(1) {
            let otherwise = binary(Binary::And, unary(Unary::Not, test.clone()), value.expr);
            Known::truth(binary(Binary::Or, binary(Binary::And, test, other.condition()?), otherwise))
        } else {
            let exact = value.exact && other.exact;
            Known::new(choice(test, other.expr.clone(), value.expr), value.number, exact)
        };
    }
    Ok(value)
}

fn integer_comparison(predicate: &str, a: &Known, b: &Known) -> Result<Known, Unknown> {
    let operator = match predicate {
        "eq" => Binary::Eq,
        "ne" => Binary::Ne,
        "sgt" | "ugt" => Binary::Gt,
        "sge" | "uge" => Binary::Ge,
        "slt" | "ult" => Binary::Lt,
        "sle" | "ule" => Binary::Le,
        _ => return Err(format!("the comparison `{predicate}`")),
    };
    let (a, b) = match (predicate.starts_with('u'), a.bits()?) {
        // With the upper bit inverted, numbers without a sign have the order of those with one.
        (true, 64) => {
            let least = || binary(Binary::Shl, int(1), int(63));
            (binary(Binary::BitXor, a.signed()?, least()), binary(Binary::BitXor, b.signed()?, least()))
        }
        (true, _) => (a.unsigned()?, b.unsigned()?),
        (false, _) => (a.signed()?, b.signed()?),
    };
    Ok(Known::truth(binary(operator, a, b)))
}

fn float_comparison(predicate: &str, a: &Known, b: &Known) -> Result<Known, Unknown> {
    let compared = |operator| binary(operator, a.expr.clone(), b.expr.clone());
    let ordered = || binary(Binary::And, same(&a.expr), same(&b.expr));
    let test = match predicate {
        "oeq" => compared(Binary::Eq),
        "ogt" => compared(Binary::Gt),
        "oge" => compared(Binary::Ge),
        "olt" => compared(Binary::Lt),
        "ole" => compared(Binary::Le),
        "one" => binary(Binary::Or, compared(Binary::Lt), compared(Binary::Gt)),
        "ord" => ordered(),
        "ueq" => unary(Unary::Not, binary(Binary::Or, compared(Binary::Lt), compared(Binary::Gt))),
        "ugt" => unary(Unary::Not, compared(Binary::Le)),
        "uge" => unary(Unary::Not, compared(Binary::Lt)),
        "ult" => unary(Unary::Not, compared(Binary::Ge)),
        "ule" => unary(Unary::Not, compared(Binary::Gt)),
        "une" => compared(Binary::Ne),
        "uno" => unary(Unary::Not, ordered()),
        _ => return Err(format!("the comparison `{predicate}`")),
    };
    Ok(Known::truth(test))
}

/// Whether this is a number.
fn same(a: &Expr) -> Expr {
    binary(Binary::Eq, a.clone(), a.clone())
}

/// A conversion between types; nothing if it is none.
fn conversion(name: &str, operands: &[Known], number: Number) -> Option<Result<Known, Unknown>> {
    let [a] = operands else { return None };
    let exactly = |value: Result<Expr, Unknown>| value.map(|value| Known::new(value, number, true));
    let float = |value: Result<Expr, Unknown>| {
        let scalar = number.scalar().expect("floating-point types have variables");
        exactly(value.map(|value| unary(Unary::To(scalar), value)))
    };
    Some(match (name, number) {
        ("sext", _) => exactly(a.signed()),
        ("zext", _) => exactly(a.unsigned()),
        ("trunc", Number::Bits(1)) => {
            Ok(Known::truth(binary(Binary::Ne, binary(Binary::BitAnd, a.expr.clone(), int(1)), int(0))))
        }
        ("trunc", _) => Ok(Known::new(a.expr.clone(), number, false)),
        // A conversion from 64 bits to single precision by way of double precision would round
        // twice.
        ("sitofp" | "uitofp", Number::Single) if a.bits().is_ok_and(|bits| bits > 32) => Err(format!("`{name}`")),
        ("sitofp", _) => float(a.signed()),
        ("uitofp", _) => float(a.unsigned()),
        ("fptoui", Number::Bits(64)) => Err(format!("`{name}`")),
        ("fptosi" | "fptoui", Number::Bits(2..=64)) => {
            Ok(Known::new(unary(Unary::To(Scalar::I64), a.expr.clone()), number, name == "fptosi"))
        }
        ("fpext", _) => exactly(Ok(a.expr.clone())),
        ("fptrunc", Number::Single) => float(Ok(a.expr.clone())),
        _ => return None,
    })
}

fn integers(name: &str, operands: &[Known], number: Number, no_wrap: bool) -> Result<Known, Unknown> {
    let name = name.strip_prefix("llvm.").and_then(|rest| rest.split('.').next()).unwrap_or(name);
    let unknown = || Err(format!("`{name}`"));
    let [a, rest @ ..] = operands else { return unknown() };
    if name == "abs" {
        let value = a.signed()?;
        let positive = choice(binary(Binary::Lt, value.clone(), int(0)), unary(Unary::Neg, value.clone()), value);
        return Ok(Known::new(positive, number, false));
    }
    let [b] = rest else { return unknown() };
    if number == Number::Bits(1) {
        return truths(name, a.condition()?, b.condition()?).map_or_else(unknown, |test| Ok(Known::truth(test)));
    }
    let all_exact = a.exact && b.exact;
    // Right modulo 2^bits, whatever operands are beyond them.
    let ring = |operator, exact| Ok(Known::new(binary(operator, a.expr.clone(), b.expr.clone()), number, exact));
    match name {
        "add" => return ring(Binary::Add, all_exact && no_wrap),
        "sub" => return ring(Binary::Sub, all_exact && no_wrap),
        "mul" => return ring(Binary::Mul, all_exact && no_wrap),
        "and" => return ring(Binary::BitAnd, all_exact),
        "or" => return ring(Binary::BitOr, all_exact),
        "xor" => return ring(Binary::BitXor, all_exact),
        _ => {}
    }
    let signed = |operator| Ok(Known::new(binary(operator, a.signed()?, b.signed()?), number, true));
    let unsigned = |operator| Ok(Known::new(binary(operator, a.unsigned()?, b.unsigned()?), number, false));
    match name {
        "shl" => Ok(Known::new(binary(Binary::Shl, a.expr.clone(), b.signed()?), number, all_exact && no_wrap)),
        "ashr" => signed(Binary::Shr),
        "lshr" if a.bits()? == 64 => match constant(b) {
            Some(places @ 1..=63) => {
                let shifted = binary(Binary::Shr, a.signed()?, int(places));
                Ok(Known::new(binary(Binary::BitAnd, shifted, int(i64::MAX >> (places - 1))), number, true))
            }
            _ => unknown(),
        },
        "lshr" => unsigned(Binary::Shr),
        "udiv" => unsigned(Binary::Div),
        "urem" => unsigned(Binary::Rem),
        "sdiv" | "srem" => towards_zero(name, a, b, number),
        "smin" => signed(Binary::Min),
        "smax" => signed(Binary::Max),
        "umin" => unsigned(Binary::Min),
        "umax" => unsigned(Binary::Max),
        _ => unknown(),
    }
}

fn truths(name: &str, a: Expr, b: Expr) -> Option<Expr> {
    Some(match name {
        "and" => binary(Binary::And, a, b),
        "or" => binary(Binary::Or, a, b),
        "xor" | "add" | "sub" => {
            let only = |a: &Expr, b: &Expr| binary(Binary::And, a.clone(), unary(Unary::Not, b.clone()));
            binary(Binary::Or, only(&a, &b), only(&b, &a))
        }
        _ => return None,
    })
}

fn constant(known: &Known) -> Option<i64> {
    match known.expr.kind {
        ExprKind::Int(value) => Some(value),
        _ => None,
    }
}

/// Division by a positive constant that rounds towards zero, and its remainder.
fn towards_zero(name: &str, a: &Known, b: &Known, number: Number) -> Result<Known, Unknown> {
    let Some(divisor) = constant(b).filter(|&divisor| divisor > 0) else { return Err(format!("`{name}`")) };
    let value = a.signed()?;
    let up = choice(binary(Binary::Lt, value.clone(), int(0)), int(divisor - 1), int(0));
    let quotient = binary(Binary::Div, binary(Binary::Add, value.clone(), up), int(divisor));
    if name == "sdiv" {
        return Ok(Known::new(quotient, number, true));
    }
    let product = binary(Binary::Mul, quotient, int(divisor));
    Ok(Known::new(binary(Binary::Sub, value, product), number, true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Value;

    /// Reads are of variables `x0`, `x1`, ..; their values are put in by [`evaluated`].
    struct Plain;

    impl Context for Plain {
        fn read(&self, access: usize) -> Option<Expr> {
            Some(expr(ExprKind::Call(access, Vec::new())))
        }

        fn before(&self, write: usize) -> Option<Expr> {
            self.read(write)
        }

        fn affine(&self, _affine: &Affine) -> Option<Expr> {
            None
        }

        fn outside(&mut self, _name: &str, _scalar: Scalar) -> Expr {
            int(0)
        }

        fn function(&mut self, _external: External) -> usize {
            0
        }
    }

    /// What one operation makes of two numbers.
    fn evaluated(opcode: &str, from: Number, to: Number, operands: &[i64]) -> Option<Value> {
        let step = |action, result, number, operands| Step {
            action,
            result,
            number: Some(number),
            operands,
            condition: None,
            no_wrap: false,
        };
        let named = (0..operands.len()).map(|i| Operand::Step(i as u64)).collect();
        let mut steps: Vec<Step> =
            (0..operands.len()).map(|i| step(Action::Read(i), i as u64, from, Vec::new())).collect();
        steps.push(step(Action::Compute(opcode.to_owned()), 9, to, named));
        steps.push(step(Action::Write(2), 10, to, vec![Operand::Step(9)]));
        let written = values(&steps, &mut Plain).ok()?;
        Some(value(&written[0].1, operands).stored(to.scalar().expect("a type of variables")))
    }

    fn value(expr: &Expr, reads: &[i64]) -> Value {
        let of = |e: &Expr| value(e, reads);
        match &expr.kind {
            ExprKind::Int(value) => Value::Int(*value),
            ExprKind::Call(read, _) => Value::Int(reads[*read]),
            ExprKind::Unary(operator, e) => crate::value::unary(*operator, of(e)),
            ExprKind::Binary(operator, a, b) => {
                crate::value::binary(*operator, of(a), of(b)).expect("no division by zero")
            }
            ExprKind::If(test, a, b) => of(if of(test).is_true() { a } else { b }),
            other => panic!("{other:?}"),
        }
    }

    /// All operations on bytes, for all bytes that say something, beside what LLVM says of them.
    #[test]
    fn operations_on_bytes_are_those_of_llvm() {
        type Meaning = fn(i8, i8) -> i8;
        let all: [(&str, Meaning); 18] = [
            ("add", i8::wrapping_add),
            ("sub", i8::wrapping_sub),
            ("mul", i8::wrapping_mul),
            ("and", |a, b| a & b),
            ("or", |a, b| a | b),
            ("xor", |a, b| a ^ b),
            ("llvm.smin.i8", i8::min),
            ("llvm.smax.i8", i8::max),
            ("llvm.umin.i8", |a, b| (a as u8).min(b as u8) as i8),
            ("llvm.umax.i8", |a, b| (a as u8).max(b as u8) as i8),
            ("udiv", |a, b| (a as u8 / (b as u8).max(1)) as i8),
            ("urem", |a, b| (a as u8 % (b as u8).max(1)) as i8),
            ("shl", |a, b| a << (b & 7)),
            ("ashr", |a, b| a >> (b & 7)),
            ("lshr", |a, b| ((a as u8) >> (b & 7)) as i8),
            ("llvm.abs.i8", |a, _| a.wrapping_abs()),
            ("sub", |a, b| a.wrapping_sub(b)),
            ("add", |a, b| a.wrapping_add(b)),
        ];
        let bytes = [-128, -127, -77, -3, -1, 0, 1, 2, 5, 7, 66, 100, 126, 127];
        for (opcode, meaning) in all {
            for a in bytes {
                for b in bytes {
                    let b = match opcode {
                        "udiv" | "urem" if b == 0 => 3,
                        "shl" | "ashr" | "lshr" => b & 7,
                        _ => b,
                    };
                    let operands = [i64::from(a), i64::from(b)];
                    let operands = if opcode.starts_with("llvm.abs") { &operands[..1] } else { &operands[..] };
                    let found = evaluated(opcode, Number::Bits(8), Number::Bits(8), operands);
                    assert_eq!(found, Some(Value::Int(meaning(a, b).into())), "{opcode} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn conversions_are_those_of_llvm() {
        for a in [-128_i8, -1, 0, 1, 127] {
            let from = |opcode, from, to, value: i64| evaluated(opcode, Number::Bits(from), Number::Bits(to), &[value]);
            assert_eq!(from("sext", 8, 32, a.into()), Some(Value::Int(a.into())));
            assert_eq!(from("zext", 8, 32, a.into()), Some(Value::Int(i64::from(a as u8))));
            let wide = i64::from(a) * 1000;
            assert_eq!(from("trunc", 32, 8, wide), Some(Value::Int(i64::from(wide as i8))));
            let float = |opcode| evaluated(opcode, Number::Bits(8), Number::Double, &[a.into()]);
            assert_eq!(float("sitofp"), Some(Value::Float(a.into())));
            assert_eq!(float("uitofp"), Some(Value::Float((a as u8).into())));
        }
    }

    #[test]
    fn what_has_no_translation_is_said() {
        let wide = Number::Bits(64);
        assert_eq!(evaluated("udiv", wide, wide, &[7, 2]), None);
        assert_eq!(evaluated("sdiv", Number::Bits(32), Number::Bits(32), &[7, 2]), None);
        assert_eq!(evaluated("@mine", Number::Double, Number::Double, &[7]), None);
    }
}
