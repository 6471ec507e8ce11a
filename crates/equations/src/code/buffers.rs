//! Two buffers as two arrays, of which an output is one.
//!
//! # Problem
//! `X[t, i]` for `0 <= t <= T` is kept in two buffers, and an output is `B[i] = X[T, i]`. A person
//! lets steps alternate between `B` and one more array, and copies nothing in the end.
//!
//! # Definitions
//! `X` is a local variable with the modulus 2 in one dimension `d`, all elements in the others, and
//! no guests. An output `B` is its *final* step if
//! 1. each of its elements `y` is the element `X[.., v, ..]` with `y` in the other dimensions and
//!    one `v`, a function of the parameters, in `d`; nothing else is in the equation;
//! 2. both have one type and one box in these dimensions, and `X` has elements at no other `y`;
//! 3. no value reads `B`.
//!
//! # Algorithm
//! Where every other access of `X` has a known remainder in `d`, its buffers are arrays of their
//! own: `X_b0`, `X_b1`. That with the remainder of `v` is the array of `B`, and the copy is idle.
//!
//! # Invariants
//! * `v` is the last step of `X`, and all elements of a cell are written in the order of `d`. So
//!   the cell has the value of step `v` in the end.
//! * Nothing outside of the domain of `B` is written.

use poly_arith::Int;
use poly_ast_build::{Ast, Node};
use poly_presburger::{Aff, Budget, DimKind, PwAff, Stop};
use poly_schedule_tree::ScheduleTree;

use super::expression::Writer;
use super::idle::{EFFORT, is_written_in_order, only_modulus};
use super::names::c_name;
use super::unroll::remainder;
use super::{Cells, Residues};
use crate::domain::named;
use crate::memory::Storage;
use crate::pieces::{Action, Pieces, Statement};
use crate::program::{ExprKind, Role, System};

/// The buffers of a variable as two arrays.
#[derive(Clone, Debug)]
pub(crate) struct Buffers {
    /// The dimension in which elements alternate.
    pub(crate) dim: usize,
    /// The output whose array one of them is.
    pub(crate) output: usize,
    /// The step that is the output: a function of the parameters, and of nothing else.
    pub(crate) last: Aff,
}

impl Buffers {
    /// Whether a statement copies what is where it goes.
    pub(crate) fn is_copy(&self, statement: &Statement) -> bool {
        statement.variable == self.output
    }
}

/// The buffers of every variable that has some.
pub(crate) fn buffers(
    pieces: &Pieces,
    (tree, ast, residues): (&ScheduleTree, &Ast, &Residues),
    storage: &[Storage],
    budget: &mut Budget,
) -> Vec<Option<Buffers>> {
    let cells = Cells { storage, residues, buffers: &[] };
    let mut found = |variable: usize| {
        let mut part = budget.sub(EFFORT);
        let found = of(pieces, tree, storage, variable, &mut part).unwrap_or(None);
        budget.absorb(&part);
        found.filter(|own| are_known(&ast.root, (pieces, ast, cells), variable, own))
    };
    (0..storage.len()).map(&mut found).collect()
}

fn of(
    pieces: &Pieces,
    tree: &ScheduleTree,
    storage: &[Storage],
    variable: usize,
    budget: &mut Budget,
) -> Result<Option<Buffers>, Stop> {
    let own = &pieces.system.variables[variable];
    let is_alone = storage[variable].host.is_none() && storage.iter().all(|other| other.host != Some(variable));
    let Some((dim, modulus)) = only_modulus(&storage[variable]) else { return Ok(None) };
    if own.role != Role::Let || !is_alone || modulus != Int::from(2) || !has_names(&pieces.system, variable) {
        return Ok(None);
    }
    for (output, other) in pieces.system.variables.iter().enumerate() {
        let is_read = pieces.statements.iter().any(|s| s.reads().iter().any(|(read, _)| *read == output));
        let fits = other.role == Role::Out && other.scalar == own.scalar && other.dims() + 1 == own.dims();
        if !fits || is_read || !have_one_box(&storage[variable], dim, &storage[output]) {
            continue;
        }
        let Some(last) = last_step(pieces, variable, dim, output) else { continue };
        let steps = own.domain.project_out(DimKind::Out, dim, 1);
        let is_inside = named(&steps, other.domain.space()).is_subset(&other.domain, budget)?;
        let is_last = is_value(&storage[variable].extents[dim].upper, &last);
        if is_inside && is_last && is_written_in_order(pieces, tree, variable, dim, &modulus, budget)? {
            return Ok(Some(Buffers { dim, output, last }));
        }
    }
    Ok(None)
}

/// Whether nothing else in the system has a name that the code gives to buffers.
fn has_names(system: &System, variable: usize) -> bool {
    let name = c_name(&system.variables[variable].name);
    let own = ["b0", "b1", "last"].map(|what| format!("{name}_{what}"));
    let variables = system.variables.iter().map(|other| other.name.as_str());
    let others = variables.chain(system.params.iter().map(|param| param.as_str()));
    !others.map(c_name).any(|other| own.contains(&other))
}

/// Whether an output has the box of a variable in all dimensions but one.
fn have_one_box(storage: &Storage, dim: usize, output: &Storage) -> bool {
    let is_same = |a: &PwAff, b: &PwAff| {
        let gap = a.sub(b);
        gap.pieces().iter().all(|(_, gap)| gap.constant_value().is_some_and(|gap| gap.is_zero()))
    };
    let own = storage.extents.iter().enumerate().filter(|(k, _)| *k != dim).map(|(_, extent)| extent);
    own.zip(&output.extents).all(|(a, b)| is_same(&a.lower, &b.lower) && is_same(&a.upper, &b.upper))
}

/// Whether a function of parameters is one function, of scopes with these parameters.
fn is_value(function: &PwAff, value: &Aff) -> bool {
    let [(_, only)] = function.pieces() else { return false };
    let columns = only.row().len();
    only.divs().is_empty() && only.denom().is_one() && *only.row() == value.row()[..columns]
}

/// The step of a variable that an output is, if that is all it is.
fn last_step(pieces: &Pieces, variable: usize, dim: usize, output: usize) -> Option<Aff> {
    let mut found: Option<Aff> = None;
    for statement in pieces.statements.iter().filter(|s| s.variable == output) {
        let ExprKind::Read(read, access) = &statement.body.as_ref()?.kind else { return None };
        if *read != variable || statement.action != Action::Assign {
            return None;
        }
        let others = access.affs().iter().enumerate().filter(|(k, _)| *k != dim).map(|(_, aff)| aff);
        let step = &access.affs()[dim];
        let is_fixed = (0..statement.dims.len()).all(|d| step.coefficient(DimKind::Out, d).is_zero());
        let is_copy = others.eq(statement.target.affs()) && is_fixed && step.divs().is_empty();
        let params = pieces.system.params.len();
        let is_new = found.as_ref().is_some_and(|other| other.row()[..=params] != step.row()[..=params]);
        if !is_copy || is_new || !step.denom().is_one() {
            return None;
        }
        found = Some(step.clone());
    }
    found
}

/// Whether the remainder of every access but those of the copy is known. The recursion is bounded
/// by the depth of the loops.
fn are_known(node: &Node, place: (&Pieces, &Ast, Cells<'_>), variable: usize, own: &Buffers) -> bool {
    let inner = |node: &Node| are_known(node, place, variable, own);
    match node {
        Node::Block(all) => all.iter().all(inner),
        Node::For(f) => inner(&f.body),
        Node::If { then, otherwise, .. } => inner(then) && otherwise.iter().all(|node| inner(node)),
        Node::Mark { body, .. } => inner(body),
        Node::User { statement, coordinates } => {
            let (pieces, ast, cells) = place;
            let Some(statement) = pieces.statements.iter().find(|s| s.name == *statement) else { return false };
            if own.is_copy(statement) {
                return true;
            }
            let writer = Writer { system: &pieces.system, ast, coordinates, cells };
            let mut accesses = statement.reads();
            accesses.push((statement.variable, statement.target.clone()));
            accesses.iter().filter(|(read, _)| *read == variable).all(|(_, access)| {
                remainder(&writer.substituted(&access.affs()[own.dim]), &Int::from(2), cells.residues).is_some()
            })
        }
    }
}
