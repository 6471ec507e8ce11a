//! Contraction: arrays that only the region sees, the program's and temporaries, get as few rows as
//! are in use at once.
//!
//! # Problem
//! A pipeline writes an intermediate image and reads it again a few rows later. Once its nests are
//! fused, of the image few rows are in use at a time; but each is memory of its own, which goes to
//! the main memory and comes back, and whose pages must be had from the system.
//!
//! # Definitions
//! An array is *contractible* if nobody else sees what it contains ([`crate::Array::local`], also
//! the temporaries of reductions with fewer operations), no
//! read sees what was there before the region, all of its accesses are exact and it has two
//! dimensions or more. Its *rows* are numbered by the outermost subscript. It is *contracted* to
//! `m` rows: element `[x0, x1, ..]` is in the cell `[x0 mod m, x1, ..]` of a temporary.
//!
//! # Algorithm, for a finished tree
//! 1. Flags of loops that nobody needs are taken back: a loop may carry the reuse of cells unless
//!    threads share it, or it is the innermost one, of which vector code may be made.
//! 2. The number of [rows] that are in use at a time. If it is small, it is rounded up to a power
//!    of two, so that the remainder is one operation, which does not depend on the inner loops.
//! 3. The accesses are redirected. The tree stays as it is.
//!
//! The innermost subscript stays, so that what was contiguous is. A tree with marks whose meaning
//! depends on elements of arrays (register tiles, panels, copies) is left alone.
//!
//! # Invariants
//! The final tree is judged once more by a crate that knows nothing of conflicts and moduli
//! ([`poly_checker::overwritten`]). The original code and its array are as they were; without
//! memory for the rows, it runs.
//!
//! Reference: [LefebvreFeautrier1998].

mod handed;
mod inline;
mod pipeline;
mod rows;
mod search;

use poly_arith::Int;
use poly_dependence::Dependence;
use poly_presburger::{Aff, Budget, DimKind, Map, Stop, Tuple};
use poly_schedule_tree::{Mark, NodeKind, ScheduleTree, Tree};

use crate::memo::Memo;
use crate::simplify::expand::reads_what_was_before;
use crate::simplify::flow::Session;
pub(crate) use handed::{handed_rows, in_few_rows, rows_of_strips};
pub(crate) use search::best_candidate;

use crate::{AccessKind, Array, ArrayId, ArrayKind, Scop, Statement, ValueId};

/// The conflicts of one array may cost one of so many shares of what is left of the budget.
const SHARES: u64 = 4;

/// An array with fewer cells than elements.
#[derive(Clone, Debug)]
pub struct ContractedArray {
    /// It, a temporary now.
    pub array: ArrayId,
    /// The name of the array that it was.
    pub name: String,
    /// That was one of the program.
    pub of_program: bool,
    /// The number of rows.
    pub rows: i64,
    /// By statement and access: from instances to the elements of the array that it was.
    pub elements: Vec<((usize, usize), Map)>,
    /// Cells are used by rows in rising order: what the last one leaves is used later, what the
    /// first one begins with was there before.
    pub rises: bool,
}

/// A program with contracted arrays.
struct Contracted {
    scop: Scop,
    /// The same order, with fewer flags.
    tree: ScheduleTree,
    arrays: Vec<ContractedArray>,
}

/// The arrays that may be contracted, each with a value of the type of its elements.
///
/// # Errors
/// [`Stop`] when the budget runs out.
fn contractible(scop: &Scop, budget: &mut Budget) -> Result<Vec<(ArrayId, ValueId)>, Stop> {
    let all = (0..scop.arrays.len()).map(ArrayId::from);
    let found: Vec<(ArrayId, ValueId)> = all.filter_map(|id| Some((id, value_of(scop, id)?))).collect();
    if found.is_empty() {
        return Ok(found);
    }
    let flow = Session::default().analyse(scop, budget)?;
    let mut result = Vec::new();
    for (id, value) in found {
        let users: Vec<&Statement> = users(scop, id).collect();
        if !reads_what_was_before(&flow, &users, id, budget)? {
            result.push((id, value));
        }
    }
    Ok(result)
}

fn users(scop: &Scop, array: ArrayId) -> impl Iterator<Item = &Statement> {
    scop.statements.iter().filter(move |s| s.accesses.iter().any(|access| access.array == array))
}

/// Nothing but the statements accesses an array, and none of their other accesses may touch its
/// bytes.
fn is_alone(scop: &Scop, id: ArrayId) -> bool {
    let is_checked = scop.may_alias.iter().any(|&(a, b)| a == id || b == id);
    let is_hoisted = scop.loads.iter().any(|load| load.array == id);
    let is_inspected = scop.inspections.iter().any(|s| s.accesses.iter().any(|access| access.array == id));
    !is_checked && !is_hoisted && !is_inspected && !scop.is_unchecked(id)
}

/// A value of the elements' type, if the array may be contracted as far as is known without
/// dataflow.
fn value_of(scop: &Scop, id: ArrayId) -> Option<ValueId> {
    let array = &scop.arrays[id.index()];
    let is_known = match &array.kind {
        ArrayKind::Memory { .. } => array.local,
        ArrayKind::Temporary { result, begins_with, in_use, .. } => {
            result.is_none() && begins_with.is_none() && in_use.is_none()
        }
        _ => false,
    };
    if !is_known || array.rank < 2 || array.element.is_mixed() || !is_alone(scop, id) {
        return None;
    }
    let mut accesses = scop.statements.iter().flat_map(|s| &s.accesses).filter(|access| access.array == id);
    let is_exact = accesses.clone().all(|access| access.exact && access.kind != AccessKind::MayWrite);
    accesses.find(|access| access.kind == AccessKind::Read).filter(|_| is_exact).map(|read| read.value)
}

/// The program with all arrays of a list contracted for which few rows are enough in the order of a
/// tree, and clearly fewer than there are for these values of the parameters; `None` if there are
/// none.
///
/// # Errors
/// [`Stop`] when the budget runs out.
fn contracted(
    scop: &Scop,
    memo: &Memo,
    tree: &ScheduleTree,
    arrays: &[(ArrayId, ValueId)],
    values: &[Int],
    dependences: &[Dependence],
    budget: &mut Budget,
) -> Result<Option<Contracted>, Stop> {
    if arrays.is_empty() || !is_plain(tree.tree()) {
        return Ok(None);
    }
    let tree = ScheduleTree::new(tree.domain().clone(), with_needed_flags(tree.tree().child(), false));
    let mut result = Contracted { scop: scop.clone(), tree, arrays: Vec::new() };
    for &(id, value) in arrays {
        let mut part = budget.sub(budget.remaining() / SHARES);
        let find = |part: &mut Budget| rows::rows(scop, &result.tree, id, dependences, part);
        let needed = memo.rows(scop, &result.tree, id, find, &mut part);
        tracing::debug!(array = scop.arrays[id.index()].name, spent = part.spent(), ?needed, "rows");
        budget.absorb(&part);
        if let Ok(Some(rows)) = needed
            && rows::written_rows(scop, id, values, budget)?.is_some_and(|all| 2 * rows <= all)
        {
            let elements = redirect(&mut result.scop, id, value, rows);
            let (name, of_program) = (scop.arrays[id.index()].name.clone(), !scop.arrays[id.index()].is_temporary());
            tracing::debug!(array = name, rows, "contracted");
            result.arrays.push(ContractedArray { array: id, name, of_program, rows, elements, rises: false });
        }
    }
    Ok((!result.arrays.is_empty()).then_some(result))
}

/// Nothing in a tree speaks of elements of arrays, and it has no sizes that are parameters.
fn is_plain(tree: &Tree) -> bool {
    let mut is_plain = true;
    tree.for_each(&mut |node| {
        is_plain &= match node.kind() {
            NodeKind::Mark(mark) => {
                matches!(mark, Mark::Parallel(_) | Mark::Vector | Mark::NoVector | Mark::Foreign(_))
            }
            NodeKind::Band(band) => !band.has_grid(),
            NodeKind::Expansion { .. } | NodeKind::Extension(_) => false,
            _ => true,
        };
    });
    is_plain
}

/// The tree without the flags that say of a loop that it is free of dependences, where that is of
/// no use. Recursion is bounded by the height of the tree.
fn with_needed_flags(tree: &Tree, is_marked: bool) -> Tree {
    let is_mark = matches!(tree.kind(), NodeKind::Mark(Mark::Parallel(_) | Mark::Vector));
    let passes_on = is_mark || (is_marked && matches!(tree.kind(), NodeKind::Mark(_)));
    let children = tree.children().iter().map(|child| with_needed_flags(child, passes_on)).collect();
    let NodeKind::Band(band) = tree.kind() else { return tree.with_children(children) };
    let mut band = band.clone();
    let last = band.n_member().saturating_sub(1);
    let is_innermost = tree.child().bands().is_empty();
    for (member, coincident) in band.coincident.iter_mut().enumerate() {
        *coincident &= (is_marked && member == 0) || (is_innermost && member == last);
    }
    Tree::new(NodeKind::Band(band), children)
}

/// Gives an array so many rows; what its accesses touched before.
fn redirect(scop: &mut Scop, id: ArrayId, value: ValueId, rows: i64) -> Vec<((usize, usize), Map)> {
    let params = scop.context.space().clone();
    let array = &mut scop.arrays[id.index()];
    let rank = array.rank;
    let name = format!("C_{}", array.name);
    let all = Aff::constant(params, rows);
    let kind = match &array.kind {
        ArrayKind::Temporary { result, begins_with, in_use, .. } => ArrayKind::Temporary {
            value,
            rows: all,
            result: result.clone(),
            begins_with: *begins_with,
            in_use: *in_use,
        },
        _ => ArrayKind::Temporary { value, rows: all, result: None, begins_with: None, in_use: None },
    };
    *array = Array { name: name.clone(), kind, ..array.clone() };
    let fold = fold(rank, rows);
    let mut elements = Vec::new();
    for (number, statement) in scop.statements.iter_mut().enumerate() {
        for (position, access) in statement.accesses.iter_mut().enumerate().filter(|(_, a)| a.array == id) {
            elements.push(((number, position), access.relation.clone()));
            let element = access.relation.set_tuple(DimKind::Out, Tuple::anonymous(rank));
            let fold = fold.align_params(element.space());
            access.relation = element.apply_range(&fold).set_tuple(DimKind::Out, Tuple::named(&*name, rank));
        }
    }
    elements
}

/// `{ [x0, x1] -> [x0 mod 4, x1] }`.
fn fold(rank: usize, rows: i64) -> Map {
    let variables: Vec<String> = (0..rank).map(|k| format!("x{k}")).collect();
    let row = if rows == 1 { "0".to_string() } else { format!("x0 - {rows}*floor((x0)/{rows})") };
    let cell: Vec<String> = std::iter::once(row).chain(variables[1..].iter().cloned()).collect();
    let text = format!("{{ [{}] -> [{}] }}", variables.join(", "), cell.join(", "));
    text.parse().expect("the relation is well-formed")
}
