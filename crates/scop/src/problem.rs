//! A SCoP as input of dependence analysis.

use poly_dependence as dependence;

use crate::order::time_map;
use crate::{AccessKind, Instr, InstrKind, OperandKind, Scop, Statement};

/// Everything dependence analysis needs, in the order of [`Scop::statements`] and [`Statement::accesses`].
pub fn dependence_problem(scop: &Scop) -> dependence::Problem {
    let statements = scop.statements.iter().map(|statement| statement_info(scop, statement)).collect();
    dependence::Problem { context: scop.context.clone(), statements }
}

fn statement_info(scop: &Scop, statement: &Statement) -> dependence::StatementInfo {
    dependence::StatementInfo { reductions: reductions(statement), ..ordering_info(scop, statement) }
}

/// A statement without its reductions.
pub(crate) fn ordering_info(scop: &Scop, statement: &Statement) -> dependence::StatementInfo {
    let accesses = statement
        .accesses
        .iter()
        .map(|access| dependence::AccessInfo {
            kind: match access.kind {
                AccessKind::Read => dependence::AccessKind::Read,
                AccessKind::MustWrite => dependence::AccessKind::MustWrite,
                AccessKind::MayWrite => dependence::AccessKind::MayWrite,
            },
            relation: access.relation.intersect_domain(&statement.domain),
        })
        .collect();
    dependence::StatementInfo {
        domain: statement.domain.clone(),
        time: time_map(scop, statement),
        accesses,
        reductions: Vec::new(),
    }
}

/// Updates of the form `x = x op e`: a write of the result of a commutative and associative operation, one of whose operands was read through an
/// equal relation. Neither what was read nor the result is used for anything else, so no other instance and nothing else in this one sees in which
/// order the updates are executed; accesses of the same element by others are dependences, which order them against all updates.
pub(crate) fn reductions(statement: &Statement) -> Vec<dependence::ReductionInfo> {
    let mut result = Vec::new();
    for store in &statement.body {
        let InstrKind::Write(write) = store.kind else {
            continue;
        };
        let target = &statement.accesses[write.index()];
        if store.guard.is_some() || target.kind != AccessKind::MustWrite || !target.exact {
            continue;
        }
        let Some(update) = store.operands.first().and_then(|o| definition(statement, o.value)) else {
            continue;
        };
        let InstrKind::Compute { opcode, reassociable, .. } = &update.kind else {
            continue;
        };
        if uses(statement, update.value) != 1 {
            continue;
        }
        for (place, operand) in update.operands.iter().enumerate().filter(|(_, o)| o.kind == OperandKind::Local) {
            let Some(operator) = operator(opcode, place) else {
                continue;
            };
            let Some(Instr { kind: InstrKind::Read(read), value, .. }) = definition(statement, operand.value) else {
                continue;
            };
            let source = &statement.accesses[read.index()];
            let same = source.array == target.array && source.relation == target.relation;
            if same && source.exact && uses(statement, *value) == 1 {
                result.push(dependence::ReductionInfo {
                    read: read.index(),
                    write: write.index(),
                    operator,
                    reassociable: *reassociable,
                });
            }
        }
    }
    result
}

/// How often a value of the body is used in it.
fn uses(statement: &Statement, value: crate::ValueId) -> usize {
    statement.body.iter().flat_map(Instr::locals).filter(|used| *used == value).count()
}

fn definition(statement: &Statement, value: crate::ValueId) -> Option<&Instr> {
    statement.body.iter().find(|instr| instr.value == value && !matches!(instr.kind, InstrKind::Write(_)))
}

/// The operator of an instruction in which `x` is the operand at a place. Differences `x - e` are sums.
fn operator(opcode: &str, place: usize) -> Option<dependence::ReductionOperator> {
    use dependence::ReductionOperator as Operator;
    Some(match opcode {
        "add" | "fadd" => Operator::Add,
        "sub" | "fsub" if place == 0 => Operator::Add,
        "mul" | "fmul" => Operator::Mul,
        "and" => Operator::And,
        "or" => Operator::Or,
        "xor" => Operator::Xor,
        _ => {
            let name = opcode.strip_prefix("llvm.")?;
            match name.split('.').next()? {
                "smin" | "umin" | "minnum" | "minimum" => Operator::Min,
                "smax" | "umax" | "maxnum" | "maximum" => Operator::Max,
                _ => return None,
            }
        }
    })
}
