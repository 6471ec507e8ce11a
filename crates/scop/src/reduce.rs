//! Reductions that are computed with fewer operations.
//!
//! # Problem
//! `for j: y[i] += x[i + j]` adds up as many elements for each `y[i]` as the window is wide, although neighbouring windows share all but two. `poly-reductions` finds such sharing; here is what it takes to use it in
//! a SCoP: to say which statement is a reduction of what, and to write the equations that come back as statements.
//!
//! # Which statements
//! One that does nothing but update an element by one operation on integers, or a sum or product of
//! floating-point numbers that may be reassociated ([`crate::reduction`]). The *place* of its
//! answers is the outermost level of the loops around it at which nothing else accesses the array
//! that is updated: below it all updates of an element may be done at once, at the end. The values
//! that it combines are read there, or further outside where nothing writes the arrays that they
//! come from; the new statements stand right before what is at that level.
//!
//! # Why it is right
//! 1. That all answers of the equations are those of the reduction is proven by [`poly_reductions::verify`].
//! 2. The values that new statements read are elements that nothing writes between where the old statement read them and where the new ones do: the level is chosen so.
//! 3. All that a new statement reads of a temporary has been written before, and nothing is written
//!    to it later: this is decided exactly on the finished model ([`order`]). Temporaries share
//!    memory afterwards ([`share`]).
//! 4. Operations are those on numbers modulo a power of two, without promises about overflow;
//!    minima and maxima have none. Sums under minima and maxima are those of numbers that are
//!    looked at before: none overflows ([`ranges`]).
//!
//! Everything behind this, dependences, schedule and its check, sees statements like others.

mod layout;
mod order;
mod ranges;
mod share;
mod sweep;
mod write;

use poly_arith::Int;
use poly_linalg::{Matrix, gauss, vector};
use poly_presburger::{Budget, DimKind, Stop, Tuple};
use poly_reductions::{Cost, Factor, Function, LeafId, Operator, Options, Reduction, Source, System, Tie, Verdict};

use self::sweep::{Kept, Place};
use crate::facts::estimates;
use crate::reduction::{Update, updates};
use crate::simplify::pieces;
use crate::sizes::Sizes;
use crate::{AccessId, ArrayId, Combination, Instr, InstrKind, Operand, OperandKind, Reduced, Scop, Statement, StmtId};

/// A factor of what is combined: instructions that compute it from what they read.
#[derive(Clone, Debug)]
struct Part {
    /// Without those of other factors.
    instrs: Vec<Instr>,
    /// Their reads, in this order, each with the number of subscripts.
    reads: Vec<(AccessId, usize)>,
    /// Its value.
    value: Operand,
    /// It is taken off a sum.
    negated: bool,
}

/// What the values that a statement combines are taken apart into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Apart {
    /// The factors of products, under sums.
    Products,
    /// What sums consist of, under minima and maxima.
    Sums,
}

/// A statement that is a reduction.
#[derive(Clone, Debug)]
struct Candidate {
    statement: StmtId,
    update: Update,
    combination: Combination,
    /// What combines the parts of a value.
    times: Combination,
    /// The answer is what was there without the sum.
    negated: bool,
    parts: Vec<Part>,
    reduction: Reduction,
    /// So many loops are around the equations.
    at: usize,
    /// What the parts must read, if it is written around the statement.
    kept: Kept,
    /// The level at which nothing else accesses what is updated: that many loops are around the answers.
    level: usize,
}

/// The SCoP with fewer operations for every reduction for which that is so; `None` if there is none.
/// Of systems with as many operations, `tie` says which is taken.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn reduced(scop: &Scop, tie: Tie, sizes: &Sizes, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let apart = if reads_what_it_writes(scop) { pieces::apart(scop, budget)? } else { None };
    let scop = apart.as_ref().unwrap_or(scop);
    let mut result: Option<Scop> = None;
    let mut is_cut_short = false;
    let names: Vec<String> = scop.statements.iter().map(|statement| statement.name.clone()).collect();
    for name in names {
        let current = result.as_ref().unwrap_or(scop);
        let Some(number) = current.statements.iter().position(|statement| statement.name == name) else { continue };
        let mut best: Option<(Cost, Scop)> = None;
        for apart in [Apart::Products, Apart::Sums] {
            let Some(candidate) = candidate(current, StmtId::from(number), apart, budget)? else { continue };
            let share = budget.remaining() / SHARE;
            let mut part = budget.sub(share);
            let found = with_system(current, &candidate, tie, sizes, &mut part);
            tracing::debug!(name, ?apart, spent = part.spent(), of = share, "a reduction");
            budget.absorb(&part);
            match found {
                Ok(Some(found)) if best.as_ref().is_none_or(|(cost, _)| found.0.degree < cost.degree) => {
                    best = Some(found);
                }
                Ok(_) => {}
                Err(Stop) => {
                    is_cut_short = true;
                    tracing::debug!(name, "no budget for the simplification of a reduction");
                }
            }
        }
        if let Some((_, next)) = best {
            result = Some(next);
        }
    }
    // With more of the budget there may be one.
    if result.is_none() && is_cut_short { Err(Stop) } else { Ok(result) }
}

/// One statement may take one of so many parts of the budget.
const SHARE: u64 = 4;

fn with_system(
    scop: &Scop,
    candidate: &Candidate,
    tie: Tie,
    sizes: &Sizes,
    budget: &mut Budget,
) -> Result<Option<(Cost, Scop)>, Stop> {
    let values = estimates(scop, sizes, budget)?;
    let reduction = &candidate.reduction;
    // Numbers of points are no values of a SCoP, and the number of blocks is no affine function, as sizes of temporaries are.
    let (repeats, blocks) = (false, false);
    // What is taken out of a rounded sum leaves its rounding error, and a rounded sum of ones is no number.
    let exact = !candidate.combination.is_float();
    let (inverses, numbers) = (exact, exact);
    let options = Options { repeats, blocks, levels: LEVELS, inverses, numbers, tie, ..Options::at(values.clone()) };
    let Some(system) = poly_reductions::simplify(reduction, &options, budget)? else {
        return Ok(None);
    };
    let before = poly_reductions::cost(reduction, &values, budget)?;
    let after = system.cost(&values, budget)?;
    tracing::debug!(?before, ?after, "a reduction with fewer operations");
    if !is_clearly_less(&before, &after) {
        return Ok(None);
    }
    let system = layout::arranged(system, candidate);
    match poly_reductions::verify(&system, reduction, budget)? {
        Verdict::Proven => {}
        Verdict::Refuted(what) => {
            tracing::debug!(what, "a simplification is not proven");
            return Ok(None);
        }
    }
    let statement = &scop.statements[candidate.statement.index()];
    let array = statement.accesses[candidate.update.write.index()].array;
    let Some((proposal, reads)) = write::written(scop, candidate, &system, budget)? else { return Ok(None) };
    let kept = (&candidate.kept, &reads[..]);
    if !order::is_right(scop, &proposal, candidate.reduction.fixed, kept, budget)? {
        tracing::debug!("the order of a simplification is not right");
        return Ok(None);
    }
    let (first, outside) = (scop.arrays.len(), candidate.reduction.fixed);
    let mut proposal = share::shared(proposal, first, outside, budget)?;
    proposal.reduced.push(Reduced {
        array: scop.arrays[array.index()].name.clone(),
        degrees: (before.degree, after.degree),
        operations: (before.operations.to_string(), after.operations.to_string()),
        temporaries: proposal.arrays.len() - scop.arrays.len(),
    });
    proposal.check_invariants();
    tracing::trace!("{proposal}");
    Ok(Some((after, proposal)))
}

/// Most levels of intervals: wider ones than four thousand elements take one operation for each four thousand more.
const LEVELS: u32 = 12;

/// The degree falls, or at least this many times fewer operations are left.
const CLEARLY: i64 = 2;

fn is_clearly_less(before: &Cost, after: &Cost) -> bool {
    after.degree < before.degree
        || (after.degree == before.degree && &after.operations * &Int::from(CLEARLY) <= before.operations)
}

/// Whether some statement writes an array that it also reads elsewhere, or that others write which
/// it is in a loop with.
fn reads_what_it_writes(scop: &Scop) -> bool {
    let writes = |statement: &Statement, array: ArrayId| {
        statement.accesses.iter().any(|access| access.array == array && access.kind != crate::AccessKind::Read)
    };
    let is_in_a_loop =
        |a: &Statement, b: &Statement| !a.loops.is_empty() && !b.loops.is_empty() && a.position[0] == b.position[0];
    scop.statements.iter().any(|statement| {
        let reads = statement.accesses.iter().filter(|access| access.kind == crate::AccessKind::Read);
        let mut arrays = reads.map(|access| access.array);
        !updates(statement).is_empty()
            && arrays.any(|array| {
                let is_memory = !scop.arrays[array.index()].is_scalar();
                is_memory && scop.statements.iter().any(|other| is_in_a_loop(statement, other) && writes(other, array))
            })
    })
}

/// The reduction that a statement is, if it is one, with the place of its equations.
fn candidate(scop: &Scop, number: StmtId, apart: Apart, budget: &mut Budget) -> Result<Option<Candidate>, Stop> {
    let Some((mut candidate, fixed)) = shape(scop, number, apart) else { return Ok(None) };
    if let Some(fixed) = fixed {
        (candidate.at, candidate.reduction.fixed) = (fixed, fixed);
    }
    // Outside of all loops there is nothing better.
    let statement = &scop.statements[number.index()];
    let found = match fixed {
        Some(0) => None,
        _ => sweep::place(scop, statement, &candidate.parts, candidate.level, budget)?,
    };
    Ok(match (fixed, found) {
        (None, None) => None,
        (Some(fixed), Some((place, _))) if place.fixed >= fixed => Some(candidate),
        (_, None) => Some(candidate),
        (_, Some((Place { fixed, at }, kept))) => {
            let forward = if at > fixed { at } else { 0 };
            candidate.reduction = Reduction { fixed, forward, ..candidate.reduction };
            Some(Candidate { at, kept, ..candidate })
        }
    })
}

/// The reduction that a statement is, if it is one, and within how many loops nothing writes what
/// it reads, if there are such.
fn shape(scop: &Scop, number: StmtId, apart: Apart) -> Option<(Candidate, Option<usize>)> {
    let statement = &scop.statements[number.index()];
    let [update] = updates(statement).try_into().ok()?;
    let array = statement.accesses[update.write.index()].array;
    let [step] = update.steps[..] else { return None };
    let is_plain = |instr: &Instr| {
        let kind = match instr.kind {
            InstrKind::Read(_) => true,
            InstrKind::Write(access) => access == update.write,
            InstrKind::Compute { speculatable, errno, .. } => speculatable && errno.is_none(),
            _ => false,
        };
        kind && instr.predicate.is_none() && instr.operands.iter().all(|o| o.kind != OperandKind::Synthesized)
    };
    let is_exact = statement.accesses.iter().all(|access| access.exact && !access.speculated);
    if !update.reassociable || !is_exact || !statement.body.iter().all(is_plain) || scop.is_unchecked(array) {
        return None;
    }
    if scop.arrays[array.index()].element.is_mixed() || scop.arrays[array.index()].is_errno() {
        return None;
    }
    let step = statement.body.iter().find(|instr| instr.value == step)?;
    let InstrKind::Compute { opcode, .. } = &step.kind else { return None };
    let combination = Combination::of_opcode(opcode)?;
    let read = statement.value_of(update.read);
    let value = match step.operands[..] {
        [a, b] if a.value == read && b.value != read => b,
        [a, b] if b.value == read && a.value != read && combination != Combination::Subtract => a,
        _ => return None,
    };
    let operator = match combination {
        Combination::Add | Combination::Subtract | Combination::FloatAdd => Operator::Add,
        Combination::Multiply | Combination::FloatMultiply => Operator::Mul,
        Combination::And => Operator::And,
        Combination::Or => Operator::Or,
        Combination::Xor => Operator::Xor,
        Combination::SignedMin | Combination::UnsignedMin => Operator::Min,
        Combination::SignedMax | Combination::UnsignedMax => Operator::Max,
    };
    let times = match apart {
        Apart::Products if combination.is_float() => Combination::FloatMultiply,
        Apart::Products => Combination::Multiply,
        Apart::Sums => Combination::Add,
    };
    let mut parts = Vec::new();
    collect_parts(statement, value, (combination, apart), false, &mut parts)?;
    if apart == Apart::Sums && parts.len() < 2 {
        return None;
    }
    let negated = combination == Combination::Subtract;
    let combination = if negated { Combination::Add } else { combination };
    let sources: Vec<ArrayId> =
        parts.iter().flat_map(|part| &part.reads).map(|(access, _)| statement.accesses[access.index()].array).collect();
    let below = |other: &Statement, level: usize| other.position.get(..=level) == statement.position.get(..=level);
    let accesses_alone = |level: &usize| {
        let others = scop.statements.iter().enumerate().filter(|(s, _)| *s != number.index());
        let mut others = others.filter(|(_, other)| below(other, *level));
        others.all(|(_, other)| other.accesses.iter().all(|access| access.array != array))
    };
    let reads_what_stays = |level: &usize| {
        let mut inside = scop.statements.iter().filter(|other| below(other, *level));
        inside.all(|other| {
            other.accesses.iter().all(|a| a.kind == crate::AccessKind::Read || !sources.contains(&a.array))
        })
    };
    let level = (0..statement.loops.len()).find(accesses_alone)?;
    let fixed = (0..=level).find(reads_what_stays);
    let overlap = |source: &ArrayId| scop.is_unchecked(*source);
    if sources.iter().any(overlap) {
        return None;
    }
    let operators = (operator, if apart == Apart::Sums { Operator::Add } else { Operator::Mul });
    let reduction = reduction(scop, statement, &update, &parts, operators, level)?;
    let (at, kept) = (level, Kept::default());
    let candidate =
        Candidate { statement: number, update, combination, times, negated, parts, reduction, at, kept, level };
    Some((candidate, fixed))
}

/// What a value is taken apart into: of sums of products the factors, of minima of sums what is
/// summed up. Differences of unsigned numbers stay as they are, as they may be below zero.
fn collect_parts(
    statement: &Statement,
    value: Operand,
    what: (Combination, Apart),
    negated: bool,
    parts: &mut Vec<Part>,
) -> Option<()> {
    let is_split = |opcode: &str, reassociable: bool| match (what, opcode) {
        ((Combination::FloatAdd, Apart::Products), "fmul") => reassociable,
        ((Combination::Add | Combination::Subtract, Apart::Products), "mul") => true,
        ((Combination::SignedMin | Combination::SignedMax, Apart::Sums), "add" | "sub") => true,
        ((Combination::UnsignedMin | Combination::UnsignedMax, Apart::Sums), "add") => true,
        _ => false,
    };
    let definition = statement.body.iter().find(|instr| instr.value == value.value);
    let uses = |id| statement.body.iter().flat_map(Instr::locals).filter(|used| *used == id).count();
    if let Some(Instr { kind: InstrKind::Compute { opcode, reassociable, .. }, operands, .. }) = definition
        && value.kind == OperandKind::Local
        && is_split(opcode, *reassociable)
        && let [a, b] = operands[..]
        && uses(value.value) == 1
    {
        collect_parts(statement, a, what, negated, parts)?;
        return collect_parts(statement, b, what, negated != (opcode == "sub"), parts);
    }
    // Everything that the value is computed from, in the order of the body.
    let mut needed = vec![value];
    let mut next = 0;
    while let Some(operand) = needed.get(next).copied() {
        next += 1;
        if operand.kind == OperandKind::Local {
            let instr = statement.body.iter().find(|instr| instr.value == operand.value)?;
            for &operand in instr.operands.iter().filter(|o| o.kind == OperandKind::Local) {
                if !needed.contains(&operand) {
                    needed.push(operand);
                }
            }
        }
    }
    let is_needed = |instr: &&Instr| {
        !matches!(instr.kind, InstrKind::Write(_))
            && needed.iter().any(|o| o.kind == OperandKind::Local && o.value == instr.value)
    };
    let instrs: Vec<Instr> = statement.body.iter().filter(is_needed).cloned().collect();
    let read = |instr: &Instr| match instr.kind {
        InstrKind::Read(access) => Some((access, statement.accesses[access.index()].relation.dim(DimKind::Out))),
        _ => None,
    };
    let reads = instrs.iter().filter_map(read).collect();
    parts.push(Part { instrs, reads, value, negated });
    Some(())
}

fn reduction(
    scop: &Scop,
    statement: &Statement,
    update: &Update,
    parts: &[Part],
    (operator, times): (Operator, Operator),
    level: usize,
) -> Option<Reduction> {
    let dims = statement.loops.len();
    let domain =
        statement.domain.as_map().align_params(scop.context.space()).into_set().set_tuple(Tuple::anonymous(dims));
    let params = domain.space().params.clone();
    let function = |access: AccessId| {
        let relation = statement.accesses[access.index()].relation.align_params(domain.space());
        Function::from_map(&relation).filter(|f| f.params == params.len())
    };
    // The loops around, then what else tells elements apart.
    let mut rows = Matrix::identity(dims).submatrix(0, level, 0, dims);
    for mut row in function(update.write)?.matrix().to_rows() {
        vector::normalize(&mut row);
        let mut longer = rows.clone();
        longer.push_row(&row);
        if gauss::rank(&longer) > rows.rows() {
            rows = longer;
        }
    }
    let projection = Function::linear(params.len(), &rows);
    function(update.write)?.through(&projection)?;
    let factor = |(leaf, part): (usize, &Part)| {
        let accesses: Vec<Function> = part.reads.iter().map(|(read, _)| function(*read)).collect::<Option<_>>()?;
        let rows = accesses.into_iter().flat_map(|access| access.rows).collect();
        Some(Factor { source: Source::Leaf(LeafId(leaf)), access: Function::new(params.len(), dims, rows) })
    };
    let factors = parts.iter().enumerate().map(factor).collect::<Option<Vec<Factor>>>()?;
    Some(Reduction { params, operator, times, domain, projection, factors, fixed: level, forward: 0 })
}

/// What the statements of a system are made from.
fn is_recurrent(system: &System) -> bool {
    let last = system.equations.last();
    last.is_some_and(|equation| {
        equation
            .terms
            .iter()
            .any(|term| term.factors.iter().any(|factor| factor.source == Source::Itself) || term.inverse)
    })
}
