//! What statements of a model compute, as JSON for other programs.
//!
//! # Problem
//! The model says what a statement accesses; what it does to the values is in LLVM's instructions.
//! Programs that read reports have none.
//!
//! # Method
//! Every step of a body is written with its opcode, its type and its operands. An operand is the
//! result of a step, a constant, a value from before the loops with its name in the source, or an
//! affine function of the statement's indices and the parameters, which scalar evolution knows.
//! Expressions of scalar evolution are equal to such a function modulo 2^bits; whether to it itself
//! is said, too.
//!
//! A body with anything else in it is left out.

use poly_scop::{Instr, InstrKind, Operand, OperandKind, Scop, Statement};
use poly_shim::{Bindings, LoopRef, PassContext, ScevKind, ScevRef, ValueRef};
use serde_json::{Value, json};

/// The bodies of statements, in their order; null for those with steps that have no description.
pub(crate) fn of_statements(
    statements: &[Statement],
    scop: &Scop,
    bindings: &Bindings<'_>,
    cx: PassContext<'_>,
) -> Vec<Value> {
    let body = |statement: &Statement| {
        let writer = Writer { statement, scop, bindings, cx };
        let is_exact = statement.accesses.iter().all(|access| access.exact);
        let steps: Option<Vec<Value>> = statement.body.iter().map(|instr| writer.step(instr)).collect();
        steps.filter(|_| is_exact).map_or(Value::Null, Value::from)
    };
    statements.iter().map(body).collect()
}

struct Writer<'a, 'c> {
    statement: &'a Statement,
    scop: &'a Scop,
    bindings: &'a Bindings<'c>,
    cx: PassContext<'c>,
}

/// An affine function: a constant, and factors of parameters and of the statement's loops.
struct Affine {
    constant: i128,
    params: Vec<i128>,
    loops: Vec<i128>,
    /// It is the value, and not only equal to it modulo 2^bits.
    exact: bool,
}

impl<'c> Writer<'_, 'c> {
    /// The value of the program that an id means.
    fn value(&self, id: poly_scop::ValueId) -> Option<ValueRef<'c>> {
        let id = self.scop.copies.get(&id).copied().unwrap_or(id);
        self.bindings.values.get(id.index()).copied()
    }

    fn step(&self, instr: &Instr) -> Option<Value> {
        let value = self.value(instr.value);
        let mut operands = Vec::new();
        let (action, detail) = match &instr.kind {
            InstrKind::Read(access) => ("read", json!(access.index())),
            InstrKind::Write(access) => ("write", json!(access.index())),
            InstrKind::Compute { .. } => {
                operands = self.of_instruction(value?, instr)?;
                ("compute", json!(self.opcode(value?, instr)?))
            }
            InstrKind::Combine(combination) => ("compute", json!(combination.opcode())),
            InstrKind::Neutral(combination) => ("neutral", json!(combination.opcode())),
            InstrKind::Holds { inverted: false } => ("holds", Value::Null),
            InstrKind::Holds { inverted: true } => ("holds not", Value::Null),
            InstrKind::Any => ("any", Value::Null),
            InstrKind::Choose => ("choose", Value::Null),
            InstrKind::Matches { .. }
            | InstrKind::Within { .. }
            | InstrKind::Loop { .. }
            | InstrKind::Result
            | InstrKind::Counter(_)
            | InstrKind::Stop { .. } => return None,
        };
        if operands.is_empty() {
            operands = instr.operands.iter().map(|&operand| self.operand(operand)).collect::<Option<_>>()?;
        }
        let ty = match instr.kind {
            InstrKind::Write(access) => self.value(self.statement.value_of(access)).map(ValueRef::ty),
            InstrKind::Holds { .. } | InstrKind::Any => None,
            _ => value.map(ValueRef::ty),
        };
        Some(json!({
            "step": action,
            "of": detail,
            "result": instr.value.0,
            "type": ty.map(|ty| ty.print()),
            "operands": operands,
            "if": instr.predicate.map(|predicate| predicate.0),
            "no_wrap": matches!(instr.kind, InstrKind::Compute { .. }) && value.is_some_and(ValueRef::has_nsw),
        }))
    }

    /// The name of an operation, with the predicate of a comparison.
    fn opcode(&self, value: ValueRef<'c>, instr: &Instr) -> Option<String> {
        let InstrKind::Compute { opcode, errno, .. } = &instr.kind else { return None };
        if errno.is_some() {
            return None;
        }
        Some(value.comparison().map_or_else(|| opcode.clone(), |predicate| format!("{opcode} {predicate}")))
    }

    /// All operands of a copied instruction, also the constants, which the model leaves out.
    fn of_instruction(&self, value: ValueRef<'c>, instr: &Instr) -> Option<Vec<Value>> {
        let count = value.operand_count() as usize - usize::from(value.is_call());
        let named = |operand: ValueRef<'c>| instr.operands.iter().find(|o| self.value(o.value) == Some(operand));
        let operands = value.operands().into_iter().take(count);
        operands
            .map(|operand| match named(operand) {
                Some(&named) => self.operand(named),
                None => constant(operand),
            })
            .collect()
    }

    fn operand(&self, operand: Operand) -> Option<Value> {
        if operand.kind == OperandKind::Local {
            return Some(json!({ "step": operand.value.0 }));
        }
        let value = self.value(operand.value)?;
        if let Some(constant) = constant(value) {
            return Some(constant);
        }
        if let Some(affine) = self.affine_value(value) {
            let params = self.scop.params.iter().zip(&affine.params).filter(|(_, factor)| **factor != 0);
            let params: Vec<Value> = params.map(|(param, factor)| json!([param.name, factor.to_string()])).collect();
            return Some(json!({
                "constant": affine.constant.to_string(),
                "params": params,
                "loops": affine.loops.iter().map(i128::to_string).collect::<Vec<_>>(),
                "exact": affine.exact,
                "type": value.ty().print(),
            }));
        }
        if operand.kind == OperandKind::Synthesized || value.ty().is_pointer() {
            return None;
        }
        let name = value.variable_name().filter(|name| !name.is_empty()).unwrap_or_else(|| value.name());
        let name = if name.is_empty() { format!("value{}", operand.value.0) } else { name };
        Some(json!({ "outside": name, "type": value.ty().print() }))
    }

    /// An integer as an affine function.
    fn affine_value(&self, value: ValueRef<'c>) -> Option<Affine> {
        value.ty().integer_bits().filter(|bits| (2..=64).contains(bits))?;
        let scope = self.statement.loops.last().map(|l| self.bindings.loops[l.index()]);
        let scev = self.cx.scev(value)?;
        self.affine(self.cx.scev_at_scope(scev, scope))
    }

    fn constant(&self, constant: i128) -> Affine {
        let (params, loops) = (vec![0; self.scop.params.len()], vec![0; self.statement.loops.len()]);
        Affine { constant, params, loops, exact: true }
    }

    /// A parameter, or what a parameter is with more bits.
    fn param(&self, scev: ScevRef<'c>) -> Option<Affine> {
        let is_this = |param: &ScevRef<'c>| {
            *param == scev || (param.kind() == ScevKind::SExt && param.operands().first() == Some(&scev))
        };
        let param = self.bindings.params.iter().position(is_this)?;
        let mut affine = self.constant(0);
        affine.params[param] = 1;
        affine.exact = !self.scop.params[param].unsigned;
        Some(affine)
    }

    /// The recursion is bounded by the depth of scalar evolution's expressions.
    fn affine(&self, scev: ScevRef<'c>) -> Option<Affine> {
        if let Some(affine) = self.param(scev) {
            return Some(affine);
        }
        let operands = scev.operands();
        match scev.kind() {
            ScevKind::Constant => Some(self.constant(scev.constant()?)),
            ScevKind::Add => {
                let mut sum = self.constant(0);
                for operand in operands {
                    sum.add(&self.affine(operand)?, 1);
                }
                sum.exact &= scev.wrap_flags().no_signed_wrap;
                Some(sum)
            }
            ScevKind::Mul => {
                let [factor, other] = operands.as_slice() else { return None };
                let mut product = self.constant(0);
                product.add(&self.affine(*other)?, factor.constant()?);
                product.exact &= scev.wrap_flags().no_signed_wrap;
                Some(product)
            }
            ScevKind::AddRec => {
                let [start, step] = operands.as_slice() else { return None };
                let own = scev.addrec_loop()?;
                let is_own = |l: &poly_scop::LoopId| -> bool {
                    let known: LoopRef<'c> = self.bindings.loops[l.index()];
                    known == own
                };
                let at = self.statement.loops.iter().position(is_own)?;
                let mut affine = self.affine(*start)?;
                affine.loops[at] = affine.loops[at].checked_add(step.constant()?)?;
                affine.exact &= scev.wrap_flags().no_signed_wrap;
                Some(affine)
            }
            ScevKind::SExt => self.affine(operands[0]).filter(|affine| affine.exact),
            // Without a sign it is the same number if it is not negative.
            ScevKind::ZExt => self.affine(operands[0]).filter(|affine| affine.exact && affine.is_not_negative()),
            ScevKind::Trunc => self.affine(operands[0]).map(|affine| Affine { exact: false, ..affine }),
            _ => None,
        }
    }
}

impl Affine {
    fn add(&mut self, other: &Affine, factor: i128) {
        let sum = |a: &mut i128, b: &i128| *a = a.wrapping_add(b.wrapping_mul(factor));
        sum(&mut self.constant, &other.constant);
        self.params.iter_mut().zip(&other.params).for_each(|(a, b)| sum(a, b));
        self.loops.iter_mut().zip(&other.loops).for_each(|(a, b)| sum(a, b));
        self.exact &= other.exact;
    }

    /// Whatever the loops' counters are, of which none is negative.
    fn is_not_negative(&self) -> bool {
        self.constant >= 0 && self.params.iter().all(|&factor| factor == 0) && self.loops.iter().all(|&l| l >= 0)
    }
}

/// A constant number; nothing for other values.
fn constant(value: ValueRef<'_>) -> Option<Value> {
    if !value.is_constant() || value.is_undef() {
        return None;
    }
    if let Some(number) = value.constant_int() {
        return Some(json!({ "integer": number.to_string(), "type": value.ty().print() }));
    }
    if !value.ty().is_float() {
        return None;
    }
    // `double 0x3FB999999999999A`, `float 2.000000e+00`
    let text = value.print();
    let number = text.rsplit(' ').next()?;
    let bits = match number.strip_prefix("0x") {
        Some(digits) if digits.len() == 16 => u64::from_str_radix(digits, 16).ok()?,
        Some(_) => return None,
        None => number.parse::<f64>().ok()?.to_bits(),
    };
    Some(json!({ "float": format!("{bits:016x}"), "type": value.ty().print() }))
}
