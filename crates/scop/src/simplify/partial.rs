//! Extremes of all iterations from extremes of each.
//!
//! # Problem
//! A statement that computes a table may also keep the greatest of all elements in a scalar, as in
//! local alignment: `h[i][j] = ..; best = max(best, h[i][j])`. The updates may be executed in any
//! order, but each of them changes the one scalar: they cannot be lanes of a vector together with
//! the rest of the statement.
//!
//! # Method
//! Each iteration of the outermost loop gets a scalar of its own, an element of a temporary `M[i]`.
//! It begins with what the scalar is before the nest; the updates of iteration `i` are updates of
//! `M[i]`; behind the nest, the scalar is updated with each of these. New statements do that, made
//! of a read, the operation, and a write of the statement:
//!
//! ```text
//! for i: M[i] = best;
//! for i, j: h[i][j] = ..; M[i] = max(M[i], h[i][j]);
//! for i: best = max(best, M[i]);
//! ```
//!
//! # Why it is right
//! The operation is associative and commutative, and so that it may be done twice: minimum,
//! maximum, bitwise conjunction and disjunction ([`crate::reduction`]). What the scalar begins with
//! takes part in each of the `M[i]`, and all values that it was updated with in exactly one.
//! Nothing else in the nest accesses the scalar but updates by the same operation, each of which
//! gets a temporary of its own, so nobody sees what is in it between. An iteration without
//! instances of the statement has no `M[i]`.

use poly_dependence::ReductionOperator;
use poly_presburger::{Budget, Map, Set, Stop, Tuple};

use super::expand::life;
use super::results::{last_of, outermost, row_of};
use crate::reduction::{Update, updates};
use crate::{
    Access, AccessId, AccessKind, Array, ArrayId, ArrayKind, Instr, InstrKind, LoopId, Operand, OperandKind, Scop,
    Statement, ValueId,
};

/// The SCoP with an extreme for each iteration of the outermost loop, wherever a statement keeps
/// one of all in a scalar and writes something else; `None` if there is no such statement.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn with_partial_extremes(scop: &Scop, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let mut result: Option<Scop> = None;
    for array in (0..scop.arrays.len()).map(ArrayId::from) {
        let current = result.as_ref().unwrap_or(scop);
        if let Some(names) = keepers(current, array)
            && let Some(next) = all_apart(current, array, &names, budget)?
        {
            tracing::debug!(statements = ?names, "an extreme for each iteration");
            result = Some(next);
        }
    }
    Ok(result)
}

/// The names of all statements of a nest that access a scalar, if each of them keeps an extreme of
/// the same kind in it.
fn keepers(scop: &Scop, array: ArrayId) -> Option<Vec<String>> {
    let accesses = |statement: &&Statement| statement.accesses.iter().any(|a| a.array == array);
    let kept = |statement: &Statement| updates(statement).into_iter().find_map(|u| Kept::of(scop, statement, array, u));
    let first = scop.statements.iter().filter(accesses).find(|statement| kept(statement).is_some())?;
    let operation = kept(first)?.update.operation;
    let mut names = Vec::new();
    for statement in scop.statements.iter().filter(accesses).filter(|s| s.position[0] == first.position[0]) {
        if kept(statement)?.update.operation != operation {
            return None;
        }
        names.push(statement.name.clone());
    }
    Some(names)
}

/// The SCoP in which each of these statements has extremes of its own.
fn all_apart(scop: &Scop, array: ArrayId, names: &[String], budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let mut current = scop.clone();
    for name in names {
        let Some(number) = current.statements.iter().position(|statement| statement.name == *name) else {
            return Ok(None);
        };
        let statement = &current.statements[number];
        let found = updates(statement).into_iter().find_map(|u| Kept::of(&current, statement, array, u));
        let Some(kept) = found else { return Ok(None) };
        let Some(next) = kept.apart(&current, number, budget)? else { return Ok(None) };
        current = next;
    }
    Ok(Some(current))
}

/// An extreme that a statement keeps in a scalar.
struct Kept {
    update: Update,
    array: ArrayId,
    /// The operation.
    step: Instr,
    /// What the scalar is updated with.
    other: ValueId,
}

impl Kept {
    fn of(scop: &Scop, statement: &Statement, array: ArrayId, update: Update) -> Option<Self> {
        if statement.accesses[update.write.index()].array != array {
            return None;
        }
        let is_idempotent = matches!(
            update.operator,
            ReductionOperator::Min | ReductionOperator::Max | ReductionOperator::And | ReductionOperator::Or
        );
        let [step] = update.steps[..] else { return None };
        let step = statement.body.iter().find(|instr| instr.value == step)?.clone();
        let read = statement.value_of(update.read);
        let is_plain = matches!(step.kind, InstrKind::Compute { errno: None, .. }) && step.predicate.is_none();
        let [a, b] = step.operands[..] else { return None };
        let other = if a.value == read { b } else { a };
        let is_local = a.kind == OperandKind::Local && b.kind == OperandKind::Local && other.value != read;
        let writes_more = statement.accesses.iter().any(|a| a.array != array && a.kind != AccessKind::Read);
        let is_alone = statement.accesses.iter().filter(|a| a.array == array).count() == 2;
        (update.reassociable
            && is_idempotent
            && is_plain
            && is_local
            && writes_more
            && is_alone
            && statement.loops.len() > 1
            && scop.arrays[array.index()].is_scalar())
        .then_some(Self { update, array, step, other: other.value })
    }

    /// The SCoP with the elements in place of the scalar, and with the statements around it.
    fn apart(&self, scop: &Scop, number: usize, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
        let statement = &scop.statements[number];
        let all = outermost(&statement.domain).coalesce(budget)?;
        let Some(last) = last_of(&all.intersect_params(&scop.context), budget)? else { return Ok(None) };
        let rows = last.add_constant(1);
        if all.basics().len() != 1 || all.basics()[0].n_div() > 0 {
            return Ok(None);
        }
        let mut result = scop.clone();
        let elements = ArrayId::from(result.arrays.len());
        let name = format!("P_{}_{}", scop.arrays[self.array.index()].name, statement.name);
        let value = statement.value_of(self.update.read);
        let kind = ArrayKind::Temporary { value, rows, result: None, begins_with: None, in_use: None };
        let element = scop.arrays[self.array.index()].element.clone();
        result.arrays.push(Array { name: name.clone(), kind, element, extents: Vec::new(), rank: 1, local: true });
        for access in result.statements[number].accesses.iter_mut().filter(|a| a.array == self.array) {
            access.relation = row_of(&statement.domain, &name, Some(0));
            access.array = elements;
        }
        let [begin, end] = self.around(scop, number, &all, (elements, &name));
        if scop.statements.iter().any(|other| other.name == begin.name || other.name == end.name) {
            return Ok(None);
        }
        let place = statement.position[0];
        for other in &mut result.statements {
            other.position[0] += match other.position[0].cmp(&place) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            };
        }
        result.statements.insert(number + 1, end);
        result.statements.insert(number, begin);
        Ok(Some(result))
    }

    /// The statements in front of the nest and behind it.
    fn around(&self, scop: &Scop, number: usize, all: &Set, (elements, name): (ArrayId, &str)) -> [Statement; 2] {
        let statement = &scop.statements[number];
        let name_of_scalar = &scop.arrays[self.array.index()].name;
        let scalar = |kind, of: &Statement| self.access(statement, kind, self.array, life(of, name_of_scalar, 0));
        let element = |kind, of: &Statement| self.access(statement, kind, elements, row_of(&of.domain, name, Some(0)));
        let instr = |kind, value, operands| Instr { kind, value, operands, predicate: None };
        let local = |value| vec![Operand { value, kind: OperandKind::Local }];
        let [read, written] = [self.update.read, self.update.write].map(|access| statement.value_of(access));
        let new = |suffix: &str, at: usize| {
            let own = format!("{}_{suffix}", statement.name);
            let domain = all.set_tuple(Tuple::named(&*own, 1));
            Statement {
                name: own,
                domain,
                // None of the loops of the source: nothing is computed from their counters.
                loops: vec![LoopId(0)],
                position: vec![statement.position[0] + at, 0],
                accesses: Vec::new(),
                body: Vec::new(),
                place: statement.place.clone(),
            }
        };
        let (mut begin, mut end) = (new("begin", 0), new("end", 2));
        begin.accesses = vec![scalar(AccessKind::Read, &begin), element(AccessKind::MustWrite, &begin)];
        begin.body = vec![
            instr(InstrKind::Read(AccessId::from(0)), read, Vec::new()),
            instr(InstrKind::Write(AccessId::from(1)), read, local(read)),
        ];
        end.accesses =
            vec![scalar(AccessKind::Read, &end), element(AccessKind::Read, &end), scalar(AccessKind::MustWrite, &end)];
        end.body = vec![
            instr(InstrKind::Read(AccessId::from(0)), read, Vec::new()),
            instr(InstrKind::Read(AccessId::from(1)), self.other, Vec::new()),
            self.step.clone(),
            instr(InstrKind::Write(AccessId::from(2)), written, local(written)),
        ];
        [begin, end]
    }

    /// An access like those of the statement, of another element.
    fn access(&self, statement: &Statement, kind: AccessKind, array: ArrayId, relation: Map) -> Access {
        let like = if kind == AccessKind::Read { self.update.read } else { self.update.write };
        Access { array, relation, ..statement.accesses[like.index()].clone() }
    }
}
