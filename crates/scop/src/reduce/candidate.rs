//! What is a reduction in a SCoP.
//!
//! # Definitions
//! An *update* is a statement that does nothing but combine an element with values
//! ([`crate::reduction`]). The *place* of its answers is the outermost level of the loops around it
//! at which nothing else accesses the array that is updated: below it all updates of an element may
//! be done at once, at the end. A *window* ([`super::windows`]) is a part of a value of any
//! statement; its answers are read where the value is computed.
//!
//! # Algorithm
//! 1. What is combined must come from arrays that nothing writes below some level; that level is
//!    the outermost such one. For updates by one operation there may be a better one, where the
//!    elements that are read mean one value each ([`sweep`]).
//! 2. An update of a value is a reduction over the domain of the statement. If the value is one
//!    window, the directions of the box are further dimensions.
//! 3. A window of a value is a reduction over the domain of the statement and the box. Its answers
//!    are told apart by the loops outside the level and by what the subscripts are without
//!    constants: a window that several instances have in common is one answer.

use std::collections::BTreeSet;

use poly_arith::Int;
use poly_linalg::{Matrix, gauss, vector};
use poly_presburger::{Budget, DimKind, Set, Stop, Tuple};
use poly_reductions::{Factor, Function, LeafId, Operator, Reduction, Source};

use super::sweep::{self, Kept, Place};
use super::windows::{Chain, Window, chains, windows};
use crate::reduction::{Update, updates};
use crate::{
    AccessId, AccessKind, ArrayId, Combination, ElementType, Instr, InstrKind, Operand, OperandKind, Scop, Statement,
    StmtId, ValueId,
};

/// A factor of what is combined: instructions that compute it from what they read.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Without those of other factors.
    pub(super) instrs: Vec<Instr>,
    /// Their reads, in this order, each with the number of subscripts.
    pub(super) reads: Vec<(AccessId, usize)>,
    /// What its instructions, or the value itself, compute from counters: each with the function of
    /// the statement's counters that it is. These stand behind the subscripts of the reads.
    pub(super) counters: Vec<(ValueId, Vec<Int>)>,
    /// Its value.
    pub(super) value: Operand,
    /// It is taken off a sum.
    pub(super) negated: bool,
}

/// What the values that a statement combines are taken apart into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Apart {
    /// The factors of products, under sums.
    Products,
    /// What sums consist of, under minima and maxima.
    Sums,
}

/// A reduction of a SCoP.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) statement: StmtId,
    /// An instruction whose type the answers have.
    pub(super) step: ValueId,
    /// That type, in memory.
    pub(super) element: ElementType,
    /// The array that takes the answers, or what is computed from them.
    pub(super) array: ArrayId,
    pub(super) combination: Combination,
    /// What its values are taken apart into.
    pub(super) apart: Apart,
    /// What combines the parts of a value.
    pub(super) times: Combination,
    pub(super) parts: Vec<Part>,
    pub(super) reduction: Reduction,
    /// So many loops are around the equations.
    pub(super) at: usize,
    /// What the parts must read, if it is written around the statement.
    pub(super) kept: Kept,
    pub(super) target: Target,
}

impl Candidate {
    /// Whether it is the update of an element.
    pub(super) fn is_update(&self) -> bool {
        matches!(self.target, Target::Elements(_))
    }
}

/// What becomes of the answers.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// They are combined with elements that the program updates.
    Elements(Elements),
    /// They take the place of terms of a chain. The function says which answer an instance reads.
    Terms(Chain, Window, Function),
}

#[derive(Clone, Debug)]
pub(super) struct Elements {
    pub(super) update: Update,
    /// The answer is what was there without the sum.
    pub(super) negated: bool,
    /// The level at which nothing else accesses what is updated: that many loops are around the
    /// answers.
    pub(super) level: usize,
}

/// The reductions of a statement, the one with most operations first.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(super) fn candidates(scop: &Scop, number: StmtId, budget: &mut Budget) -> Result<Vec<Candidate>, Stop> {
    let mut found = Vec::new();
    for apart in [Apart::Products, Apart::Sums] {
        found.extend(of_update(scop, number, apart, budget)?);
    }
    let statement = &scop.statements[number.index()];
    if statement.loops.is_empty() {
        return Ok(found);
    }
    for chain in chains(statement) {
        for window in windows(scop, statement, &chain, budget)? {
            found.extend(of_window(scop, number, &chain, window, budget)?);
        }
    }
    Ok(found)
}

/// What an update combines an element with.
struct Combined {
    combination: Combination,
    negated: bool,
    /// The value, or the first term of the window.
    value: Operand,
    window: Option<Window>,
}

/// The reduction that a statement is, if it is one.
fn of_update(scop: &Scop, number: StmtId, apart: Apart, budget: &mut Budget) -> Result<Option<Candidate>, Stop> {
    let statement = &scop.statements[number.index()];
    let Ok([update]) = <[Update; 1]>::try_from(updates(statement)) else { return Ok(None) };
    let array = statement.accesses[update.write.index()].array;
    let element = &scop.arrays[array.index()].element;
    let is_number = !element.is_mixed() && !scop.arrays[array.index()].is_errno();
    if !is_number || !update.reassociable || !is_plain(statement, &update) || scop.is_unchecked(array) {
        return Ok(None);
    }
    let window = match apart {
        Apart::Products if !element.float => window_of_update(scop, statement, &update, budget)?,
        _ => None,
    };
    let Some(combined) = window.or_else(|| value_of_update(statement, &update)) else { return Ok(None) };
    let has_window = combined.window.is_some();
    let Some((candidate, fixed)) = updating(scop, number, update, combined, apart) else { return Ok(None) };
    if has_window { Ok(fixed.map(|_| candidate)) } else { in_place(scop, statement, candidate, fixed, budget) }
}

/// The reduction with the place of its equations: within the loops in which nothing writes what it
/// reads, if there are such, or in fewer ones in which all elements mean one value ([`sweep`]).
fn in_place(
    scop: &Scop,
    statement: &Statement,
    candidate: Candidate,
    fixed: Option<usize>,
    budget: &mut Budget,
) -> Result<Option<Candidate>, Stop> {
    let Target::Elements(Elements { level, .. }) = candidate.target else { return Ok(None) };
    // Outside of all loops there is nothing better.
    let found = match fixed {
        Some(0) => None,
        _ => sweep::place(scop, statement, &candidate.parts, level, budget)?,
    };
    Ok(match (fixed, found) {
        (None, None) => None,
        (Some(fixed), Some((place, _))) if place.fixed >= fixed => Some(candidate),
        (_, None) => Some(candidate),
        (_, Some((Place { fixed, at }, kept))) => {
            let forward = if at > fixed { at } else { 0 };
            let reduction = Reduction { fixed, forward, ..candidate.reduction };
            Some(Candidate { at, kept, reduction, ..candidate })
        }
    })
}

/// Whether a statement does nothing but an update, in every case. What its value is computed from
/// may depend on conditions.
fn is_plain(statement: &Statement, update: &Update) -> bool {
    let is_plain = |instr: &Instr| match instr.kind {
        InstrKind::Read(access) => access != update.read || instr.predicate.is_none(),
        InstrKind::Write(access) => access == update.write && instr.predicate.is_none(),
        InstrKind::Combine(_) | InstrKind::Neutral(_) | InstrKind::Counter(_) | InstrKind::Choose => true,
        InstrKind::Holds { .. } | InstrKind::Any | InstrKind::Matches { .. } => true,
        InstrKind::Compute { speculatable, errno, .. } => speculatable && errno.is_none(),
        _ => false,
    };
    // What may be read always in the source's loops may be read at the same elements elsewhere.
    let is_exact = statement.accesses.iter().all(|access| access.exact);
    is_exact && !statement.accesses[update.read.index()].speculated && statement.body.iter().all(is_plain)
}

/// The value of an update by one operation.
fn value_of_update(statement: &Statement, update: &Update) -> Option<Combined> {
    let [step] = update.steps[..] else { return None };
    let step = statement.body.iter().find(|instr| instr.value == step)?;
    let combination = match &step.kind {
        InstrKind::Compute { opcode, .. } => Combination::of_opcode(opcode)?,
        InstrKind::Combine(combination) => *combination,
        _ => return None,
    };
    let read = statement.value_of(update.read);
    let value = match step.operands[..] {
        [a, b] if a.value == read && b.value != read => b,
        [a, b] if b.value == read && a.value != read && combination != Combination::Subtract => a,
        _ => return None,
    };
    let negated = combination == Combination::Subtract;
    let combination = if negated { Combination::Add } else { combination };
    Some(Combined { combination, negated, value, window: None })
}

/// The window that an element is updated by, if it is one.
fn window_of_update(
    scop: &Scop,
    statement: &Statement,
    update: &Update,
    budget: &mut Budget,
) -> Result<Option<Combined>, Stop> {
    let (stored, read) = (statement.value_of(update.write), statement.value_of(update.read));
    let Some(chain) = chains(statement).into_iter().find(|chain| chain.root == stored) else { return Ok(None) };
    let found = windows(scop, statement, &chain, budget)?;
    let is_element = |window: &Window| {
        let other = window.all_but_one(&chain);
        other.is_some_and(|term| term.value.value == read && term.value.kind == OperandKind::Local && !term.negated)
    };
    let window = found.into_iter().find(is_element);
    Ok(window.map(|window| Combined {
        combination: chain.combination,
        negated: window.negated,
        value: window.first,
        window: Some(window),
    }))
}

/// The reduction, and within how many loops nothing writes what it reads, if there are such.
fn updating(
    scop: &Scop,
    number: StmtId,
    update: Update,
    combined: Combined,
    apart: Apart,
) -> Option<(Candidate, Option<usize>)> {
    let Combined { combination, negated, value, window } = combined;
    let statement = &scop.statements[number.index()];
    let array = statement.accesses[update.write.index()].array;
    let parts = parts(scop, statement, value, (combination, apart))?;
    let sources = sources(scop, statement, &parts)?;
    let accesses_alone = |level: &usize| {
        let others = scop.statements.iter().enumerate().filter(|(s, _)| *s != number.index());
        let mut others = others.filter(|(_, other)| is_below(statement, other, *level));
        others.all(|(_, other)| other.accesses.iter().all(|access| access.array != array))
    };
    let level = (0..statement.loops.len()).find(accesses_alone)?;
    let fixed = (0..=level).find(|level| is_unwritten(scop, statement, &sources, *level));
    let told_apart = function(scop, statement, update.write)?.matrix().to_rows();
    let at = fixed.unwrap_or(level);
    let operators = (operator(combination), if apart == Apart::Sums { Operator::Add } else { Operator::Mul });
    let reduction = reduction(scop, statement, &parts, operators, window.as_ref(), (told_apart, (level, at)))?;
    let element = function(scop, statement, update.write)?;
    element.through(&in_statement(&reduction, statement))?;
    let times = times(combination, apart);
    let candidate = Candidate {
        statement: number,
        step: update.steps[0],
        element: scop.arrays[array.index()].element.clone(),
        array,
        combination,
        apart,
        times,
        parts,
        reduction,
        at,
        kept: Kept::default(),
        target: Target::Elements(Elements { update, negated, level }),
    };
    Some((candidate, fixed))
}

/// The reduction that a window is.
fn of_window(
    scop: &Scop,
    number: StmtId,
    chain: &Chain,
    window: Window,
    budget: &mut Budget,
) -> Result<Option<Candidate>, Stop> {
    let Some((mut candidate, answers)) = window_of_instances(scop, number, chain, window) else { return Ok(None) };
    // Instances that have a window in common are one point.
    let answers = answers.compute_divs(budget)?.coalesce(budget)?;
    let Target::Terms(_, window, _) = &candidate.target else { return Ok(None) };
    candidate.reduction.domain = in_box(&answers, &window.widths());
    Ok(Some(candidate))
}

/// The reduction that a window is, without its points, and its answers.
fn window_of_instances(scop: &Scop, number: StmtId, chain: &Chain, window: Window) -> Option<(Candidate, Set)> {
    let statement = &scop.statements[number.index()];
    let original = scop.copies.get(&chain.root).unwrap_or(&chain.root);
    let bits = *scop.integers.get(original)?;
    let written = statement.accesses.iter().find(|access| access.kind != AccessKind::Read)?;
    let apart = Apart::Products;
    let parts = parts(scop, statement, window.first, (chain.combination, apart))?;
    let sources = sources(scop, statement, &parts)?;
    let loops = statement.loops.len();
    let fixed = (0..loops).find(|level| is_unwritten(scop, statement, &sources, *level))?;
    let mut told_apart = Vec::new();
    for access in window.reads() {
        told_apart.extend(function(scop, statement, access)?.matrix().to_rows());
    }
    let rows = independent(Matrix::identity(loops).submatrix(0, fixed, 0, loops), told_apart);
    let domain = points(scop, statement);
    let params = domain.space().params.clone();
    let at = Function::linear(params.len(), &rows);
    let answers = at.image(&domain, &params);
    let (coordinates, dims) = (rows.rows(), rows.rows() + window.directions.len());
    let of_answers = |access| function(scop, statement, access)?.through(&at);
    let factors = factors(&parts, &window, (params.len(), dims), of_answers)?;
    let projection = Matrix::identity(dims).submatrix(0, coordinates, 0, dims);
    let reduction = Reduction {
        operator: operator(chain.combination),
        times: Operator::Mul,
        domain: answers.clone(),
        projection: Function::linear(params.len(), &projection),
        factors,
        fixed,
        forward: 0,
        params,
    };
    let candidate = Candidate {
        statement: number,
        step: chain.root,
        element: ElementType { name: format!("i{bits}"), bytes: bits / 8, float: false },
        array: written.array,
        combination: chain.combination,
        apart,
        times: times(chain.combination, apart),
        parts,
        reduction,
        at: fixed,
        kept: Kept::default(),
        target: Target::Terms(chain.clone(), window, at),
    };
    Some((candidate, answers))
}

/// The factors of parts, at functions of points that are moved along a window's directions.
fn factors(
    parts: &[Part],
    window: &Window,
    (params, dims): (usize, usize),
    access: impl Fn(AccessId) -> Option<Function>,
) -> Option<Vec<Factor>> {
    let moved = |read: AccessId| {
        let mut rows = access(read)?.rows;
        for (subscript, row) in rows.iter_mut().enumerate() {
            row.extend(window.moves(read, subscript));
        }
        Some(rows)
    };
    let factor = |(leaf, part): (usize, &Part)| {
        let mut rows = part.reads.iter().map(|(read, _)| moved(*read)).collect::<Option<Vec<_>>>()?.concat();
        rows.extend(part.counters.iter().map(|(_, row)| {
            let mut row = row.clone();
            row.resize(1 + params + dims, Int::ZERO);
            row
        }));
        Some(Factor { source: Source::Leaf(LeafId(leaf)), access: Function::new(params, dims, rows) })
    };
    parts.iter().enumerate().map(factor).collect()
}

/// The arrays that parts are computed from; `None` if one may overlap others in a way that nobody
/// checks.
fn sources(scop: &Scop, statement: &Statement, parts: &[Part]) -> Option<BTreeSet<ArrayId>> {
    let reads = parts.iter().flat_map(|part| &part.reads);
    let sources: BTreeSet<ArrayId> = reads.map(|(access, _)| statement.accesses[access.index()].array).collect();
    sources.iter().all(|source| !scop.is_unchecked(*source)).then_some(sources)
}

/// Whether another statement is in the same iteration of so many loops, at the same place there.
fn is_below(statement: &Statement, other: &Statement, level: usize) -> bool {
    other.position.get(..=level) == statement.position.get(..=level)
}

/// Whether nothing that is below a level writes one of the arrays.
fn is_unwritten(scop: &Scop, statement: &Statement, sources: &BTreeSet<ArrayId>, level: usize) -> bool {
    let mut inside = scop.statements.iter().filter(|other| is_below(statement, other, level));
    inside.all(|other| other.accesses.iter().all(|a| a.kind == AccessKind::Read || !sources.contains(&a.array)))
}

/// The parts of a value.
fn parts(scop: &Scop, statement: &Statement, value: Operand, what: (Combination, Apart)) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    collect_parts((scop, statement), value, what, false, &mut parts)?;
    let is_more_than_one = parts.len() > 1 || what.1 == Apart::Products;
    is_more_than_one.then_some(parts)
}

/// What a value is taken apart into: of sums of products the factors, of minima of sums what is
/// summed up. Differences of unsigned numbers stay as they are, as they may be below zero.
fn collect_parts(
    (scop, statement): (&Scop, &Statement),
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
    if value.kind == OperandKind::Synthesized && what.1 == Apart::Sums {
        let row = counter(scop, statement, value.value)?;
        let of_loops = by_loop(&row, statement.loops.len()).into_iter();
        parts.extend(of_loops.map(|row| Part {
            instrs: Vec::new(),
            reads: Vec::new(),
            counters: vec![(value.value, row)],
            value,
            negated,
        }));
        return Some(());
    }
    let definition = statement.body.iter().find(|instr| instr.value == value.value);
    if let Some(Instr { kind, operands, predicate: None, .. }) = definition
        && let Some((opcode, reassociable)) = operation(kind)
        && value.kind == OperandKind::Local
        && is_split(opcode, reassociable)
        && let [a, b] = operands[..]
        && statement.uses(value.value) == 1
    {
        collect_parts((scop, statement), a, what, negated, parts)?;
        return collect_parts((scop, statement), b, what, negated != (opcode == "sub"), parts);
    }
    // Everything that the value is computed from, in the order of the body.
    let mut needed: Vec<ValueId> = Vec::new();
    let mut synthesized: Vec<ValueId> = Vec::new();
    let mut open = vec![value];
    while let Some(operand) = open.pop() {
        match operand.kind {
            OperandKind::Local if !needed.contains(&operand.value) => {
                let instr = statement.body.iter().find(|instr| instr.value == operand.value)?;
                needed.push(operand.value);
                open.extend(&instr.operands);
                open.extend(instr.predicate.map(|value| Operand { value, kind: OperandKind::Local }));
            }
            OperandKind::Synthesized if !synthesized.contains(&operand.value) => synthesized.push(operand.value),
            _ => {}
        }
    }
    let is_needed = |instr: &&Instr| !matches!(instr.kind, InstrKind::Write(_)) && needed.contains(&instr.value);
    let instrs: Vec<Instr> = statement.body.iter().filter(is_needed).cloned().collect();
    let counter = |value: &ValueId| Some((*value, counter(scop, statement, *value)?));
    let counters = synthesized.iter().map(counter).collect::<Option<Vec<_>>>()?;
    let read = |instr: &Instr| match instr.kind {
        InstrKind::Read(access) => Some((access, statement.accesses[access.index()].relation.dim(DimKind::Out))),
        _ => None,
    };
    let reads = instrs.iter().filter_map(read).collect();
    parts.push(Part { instrs, reads, counters, value, negated });
    Some(())
}

/// A sum of functions of one counter each, of which the first one takes the constant part.
fn by_loop(row: &[Int], loops: usize) -> Vec<Vec<Int>> {
    let first = row.len() - loops;
    let mut result: Vec<Vec<Int>> = Vec::new();
    for column in (first..row.len()).filter(|&column| !row[column].is_zero()) {
        let mut own = vec![Int::ZERO; row.len()];
        own[column] = row[column].clone();
        result.push(own);
    }
    match result.first_mut() {
        Some(own) => own[..first].clone_from_slice(&row[..first]),
        None => result.push(row.to_vec()),
    }
    result
}

/// What an instruction does with its operands, and whether it may be reassociated.
fn operation(kind: &InstrKind) -> Option<(&str, bool)> {
    match kind {
        InstrKind::Compute { opcode, reassociable, .. } => Some((opcode, *reassociable)),
        InstrKind::Combine(combination) => Some((combination.opcode(), true)),
        _ => None,
    }
}

/// The function of the statement's counters that a value is, as a row.
fn counter(scop: &Scop, statement: &Statement, value: ValueId) -> Option<Vec<Int>> {
    let known = scop.counters.get(&value)?;
    let mut row = vec![Int::ZERO; 1 + scop.context.space().params.len()];
    row[0] = Int::from(known.constant);
    row.extend(statement.loops.iter().map(|number| Int::from(known.steps.get(number).copied().unwrap_or(0))));
    let is_around = |number| statement.loops.contains(number);
    known.steps.keys().all(is_around).then_some(row)
}

/// What combines the parts of values.
fn times(combination: Combination, apart: Apart) -> Combination {
    match apart {
        Apart::Products if combination.is_float() => Combination::FloatMultiply,
        Apart::Products => Combination::Multiply,
        Apart::Sums => Combination::Add,
    }
}

fn operator(combination: Combination) -> Operator {
    match combination {
        Combination::Add | Combination::Subtract | Combination::FloatAdd => Operator::Add,
        Combination::Multiply | Combination::FloatMultiply => Operator::Mul,
        Combination::And => Operator::And,
        Combination::Or => Operator::Or,
        Combination::Xor => Operator::Xor,
        Combination::SignedMin | Combination::UnsignedMin => Operator::Min,
        Combination::SignedMax | Combination::UnsignedMax => Operator::Max,
    }
}

/// The instances of a statement, over all parameters of the SCoP.
fn points(scop: &Scop, statement: &Statement) -> Set {
    let domain = statement.domain.as_map().align_params(scop.context.space()).into_set();
    domain.set_tuple(Tuple::anonymous(statement.loops.len()))
}

/// The elements of an access.
fn function(scop: &Scop, statement: &Statement, access: AccessId) -> Option<Function> {
    let domain = points(scop, statement);
    let relation = statement.accesses[access.index()].relation.align_params(domain.space());
    Function::from_map(&relation).filter(|f| f.params == domain.space().params.len())
}

/// The answers of instances.
pub(super) fn in_statement(reduction: &Reduction, statement: &Statement) -> Function {
    let (params, dims) = (reduction.params.len(), statement.loops.len());
    let rows = reduction.projection.rows.iter().map(|row| row[..1 + params + dims].to_vec()).collect();
    Function::new(params, dims, rows)
}

/// The reduction of parts over the instances of a statement and the box of a window. Answers are
/// told apart by so many loops around them, and by further rows of coefficients.
fn reduction(
    scop: &Scop,
    statement: &Statement,
    parts: &[Part],
    (operator, times): (Operator, Operator),
    window: Option<&Window>,
    (told_apart, (level, fixed)): (Vec<Vec<Int>>, (usize, usize)),
) -> Option<Reduction> {
    let domain = points(scop, statement);
    let params = domain.space().params.clone();
    let loops = statement.loops.len();
    let widths = window.map_or(Vec::new(), Window::widths);
    let dims = loops + widths.len();
    let longer = |mut row: Vec<Int>| {
        row.resize(dims, Int::ZERO);
        row
    };
    let rows = independent(Matrix::identity(loops).submatrix(0, level, 0, loops), told_apart).to_rows();
    let rows = Matrix::from_rows(rows.into_iter().map(longer).collect(), dims);
    let projection = Function::linear(params.len(), &rows);
    let none = Window::empty();
    let access = |read| function(scop, statement, read);
    let factors = factors(parts, window.unwrap_or(&none), (params.len(), dims), access)?;
    let domain = in_box(&domain, &widths);
    Some(Reduction { params, operator, times, domain, projection, factors, fixed, forward: 0 })
}

/// Rows, with those of others that do not depend on the ones before.
fn independent(mut rows: Matrix, others: Vec<Vec<Int>>) -> Matrix {
    for mut row in others {
        vector::normalize(&mut row);
        let mut longer = rows.clone();
        longer.push_row(&row);
        if gauss::rank(&longer) > rows.rows() {
            rows = longer;
        }
    }
    rows
}

/// The points of a set with each point of `0 <= k < width` for all widths.
fn in_box(domain: &Set, widths: &[usize]) -> Set {
    let first = domain.n_dim();
    let mut result = domain.as_map().insert_dims(DimKind::Out, first, widths.len());
    for (dimension, width) in widths.iter().enumerate() {
        let last = i64::try_from(*width).expect("widths are small") - 1;
        result = result.lower_bound(DimKind::Out, first + dimension, 0);
        result = result.upper_bound(DimKind::Out, first + dimension, last);
    }
    result.into_set().set_tuple(Tuple::anonymous(first + widths.len()))
}
