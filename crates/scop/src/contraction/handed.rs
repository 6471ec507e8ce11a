//! Rows that iterations hand on: as many as a strip of lanes and its neighbours need.
//!
//! # Problem
//! A table of dynamic programming of which the program keeps two rows is a wavefront once every
//! iteration has a row of its own ([`crate::simplify::results`]). But the program has no memory for
//! the whole table, and it would go to the main memory and come back.
//!
//! # Algorithm, for a finished tree
//! 1. The nest whose lanes are rows goes through strips of them. Nests beside it that touch the
//!    same rows, such as the one that sets the first column, share its loop over strips. Of several
//!    nests with lanes, the widest strips are shared, if they consist of whole ones of the others.
//! 2. A strip of `w` lanes touches `w` rows, or one more where a lane reads the row before its own.
//!    The least power of two that is no smaller is enough for its lanes never to share a cell, and
//!    it, or a greater one, for cells to be used in rising order (below).
//! 3. It is noted in the array ([`ArrayKind::Temporary`]), and the tree is one with strips.
//!    Accesses stay those of elements as long as orders are looked at and predicted;
//!    [`in_few_rows`] redirects them at last.
//!
//! # Legality
//! Dependences of elements are judged as those of any tree. Cells are used by rows in rising order:
//! no row is written to the cell of a greater one once that has been written, nor to that of a
//! smaller one which is still to be read ([`poly_checker::out_of_order`]). So what the first row
//! begins with and what the last one leaves is safe, too.

use poly_arith::Int;
use poly_presburger::{Aff, Budget, DimKind, MultiUnionPwAff, PwAff, Set, Stop, Tuple, UnionPwAff, UnionSet};
use poly_schedule_tree::{Band, LoopType, Mark, NodeKind, ScheduleTree, Tree};

use super::{ContractedArray, redirect};
use crate::cost::quotient;
use crate::driver::Analysis;
use crate::verify::cell_access;
use crate::{Array, ArrayId, ArrayKind, Scop};

/// The SCoP with the numbers of rows that are in use, and the order in which they are; `None` if
/// they are not few.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub(crate) fn handed_rows(
    analysis: &Analysis,
    tree: &ScheduleTree,
    budget: &mut Budget,
) -> Result<Option<(Scop, ScheduleTree)>, Stop> {
    let arrays: Vec<ArrayId> = tables(&analysis.scop).collect();
    let Some(width) = lanes(tree.tree()) else { return Ok(None) };
    let shared = match in_strips(tree.tree().child(), &analysis.scop, &arrays) {
        Some(fused) => ScheduleTree::new(tree.domain().clone(), fused),
        None => tree.clone(),
    };
    let dependences = &analysis.dependences.dependences;
    if shared != *tree && poly_checker::judge(&shared, dependences, budget)? != poly_checker::Verdict::Legal {
        return Ok(None);
    }
    let mut scop = analysis.scop.clone();
    for id in arrays {
        let needed = rows_in_use(&analysis.scop, (&shared, width), id, budget)?;
        let name = &analysis.scop.arrays[id.index()].name;
        tracing::debug!(array = name, ?needed, "rows that are handed on");
        let Some(needed) = needed else { return Ok(None) };
        let ArrayKind::Temporary { in_use, .. } = &mut scop.arrays[id.index()].kind else { return Ok(None) };
        *in_use = Some(needed);
    }
    Ok(Some((scop, shared)))
}

/// The lanes of the widest strips of a tree, if it has such and those of all others divide them.
fn lanes(tree: &Tree) -> Option<i64> {
    let mut widths: Vec<Option<i64>> = Vec::new();
    tree.for_each(&mut |node| {
        let is_strip = node.as_band().is_some() && matches!(node.child().as_mark(), Some(Mark::SimdWavefront));
        widths.extend(is_strip.then(|| strip_width(node)?.to_i64()));
    });
    let widths: Vec<i64> = widths.into_iter().collect::<Option<_>>()?;
    let widest = *widths.iter().max()?;
    widths.iter().all(|width| widest % width == 0).then_some(widest)
}

/// How many rows of an array are enough; `None` if that is not known or they are not few.
fn rows_in_use(
    scop: &Scop,
    (tree, width): (&ScheduleTree, i64),
    id: ArrayId,
    budget: &mut Budget,
) -> Result<Option<i64>, Stop> {
    let ArrayKind::Temporary { value, .. } = scop.arrays[id.index()].kind else { return Ok(None) };
    let Some(spread) = spread(scop, id, budget)? else { return Ok(None) };
    let mut rows = width.saturating_add(spread).unsigned_abs().next_power_of_two();
    while rows <= MAX_ROWS {
        let mut contracted = scop.clone();
        let elements = redirect(&mut contracted, id, value, rows as i64);
        let accesses: Vec<_> = elements.iter().map(|of| cell_access(&contracted, of)).collect();
        if poly_checker::out_of_order(tree, &accesses, 0, budget)?.is_none() {
            return Ok(Some(rows as i64));
        }
        rows *= 2;
    }
    Ok(None)
}

/// As many rows as the widest vectors have lanes of a byte; more are no few, and looking for them
/// is to end.
const MAX_ROWS: u64 = 64;

/// How far apart the rows are that one iteration of the outermost loop accesses: none, or one.
fn spread(scop: &Scop, id: ArrayId, budget: &mut Budget) -> Result<Option<i64>, Stop> {
    let (mut least, mut greatest) = (1, 0);
    for statement in scop.statements.iter().filter(|s| !s.loops.is_empty()) {
        for access in statement.accesses.iter().filter(|access| access.array == id) {
            let touched = access.relation.intersect_domain(&statement.domain);
            let mut found = None;
            for ahead in 0..=1 {
                let mut row = vec![Int::ZERO; 1 + touched.space().n_var()];
                row[0] = Int::from(ahead);
                row[touched.space().offset(DimKind::In)] = Int::ONE;
                row[touched.space().offset(DimKind::Out)] = Int::NEG_ONE;
                if touched.is_subset(&touched.with_eq(row), budget)? {
                    found = Some(ahead);
                }
            }
            let Some(ahead) = found else { return Ok(None) };
            (least, greatest) = (ahead.min(least), ahead.max(greatest));
        }
    }
    Ok(Some((greatest - least).max(0)))
}

/// The temporaries with a row for each iteration.
fn tables(scop: &Scop) -> impl Iterator<Item = ArrayId> {
    let is_table = |array: &Array| array.is_temporary() && array.rank >= 2;
    (0..scop.arrays.len()).map(ArrayId::from).filter(move |id| is_table(&scop.arrays[id.index()]))
}

/// The program with as many rows in its temporaries as are in use.
pub(crate) fn in_few_rows(mut analysis: Analysis) -> Analysis {
    for id in (0..analysis.scop.arrays.len()).map(ArrayId::from) {
        let array = &analysis.scop.arrays[id.index()];
        let ArrayKind::Temporary { value, in_use: Some(rows), .. } = array.kind else { continue };
        let name = array.name.trim_start_matches("T_").to_owned();
        let elements = redirect(&mut analysis.scop, id, value, rows);
        analysis.contracted.push(ContractedArray { array: id, name, of_program: true, rows, elements, rises: true });
    }
    analysis
}

/// The parameters for which rows that are handed on are many and long enough for strips of them, if
/// there are such rows. What fills no strip, and the ends of strips, are executed point by point;
/// the original keeps in registers what it hands on along a row, and is predicted as if that went
/// through memory.
pub(crate) fn rows_of_strips(scop: &Scop) -> Option<Set> {
    let enough = |array: &Array| {
        let ArrayKind::Temporary { rows, in_use: Some(in_use), .. } = &array.kind else { return None };
        let at_least = |size: &Aff, least: i64| {
            let size = PwAff::from_aff(size.clone());
            size.ge_set(&PwAff::constant(scop.context.space().clone(), least))
        };
        let are_many = at_least(rows, in_use.saturating_mul(LEAST_ROWS));
        Some(
            array
                .extents
                .iter()
                .fold(are_many, |all, length| all.intersect(&at_least(length, in_use.saturating_mul(LEAST_LENGTH)))),
        )
    };
    scop.arrays.iter().filter_map(enough).reduce(|all, enough| all.intersect(&enough))
}

/// So many times as many rows as are in use, at least, and as long.
const LEAST_ROWS: i64 = 2;
const LEAST_LENGTH: i64 = 4;

/// A nest of a sequence, with the loop over strips that it may have.
struct Nest {
    filter: UnionSet,
    strips: Band,
    inside: Tree,
}

/// The tree in which the nests that touch some arrays share the loop over strips of the one that
/// has lanes; `None` if there is nothing to share.
fn in_strips(tree: &Tree, scop: &Scop, arrays: &[ArrayId]) -> Option<Tree> {
    if !matches!(tree.kind(), NodeKind::Sequence) {
        return None;
    }
    let children = tree.children();
    let touches = |child: &Tree| {
        let NodeKind::Filter(filter) = child.kind() else { return false };
        let is_here = |name: &str| filter.get_named(name).is_some();
        let mut statements = scop.statements.iter().filter(|s| is_here(&s.name));
        statements.any(|s| s.accesses.iter().any(|access| arrays.contains(&access.array)))
    };
    let first = children.iter().position(touches)?;
    let last = children.iter().rposition(touches)?;
    let group = &children[first..=last];
    let size = group.iter().filter_map(|child| strip_width(child.child())).max().filter(|_| group.len() > 1)?;
    let nests: Vec<Nest> = group.iter().map(|child| nest(child, &size)).collect::<Option<_>>()?;
    let filter = nests[1..].iter().fold(nests[0].filter.clone(), |all, nest| all.union(&nest.filter));
    let mut functions = UnionPwAff::empty(nests[0].strips.schedule.get(0).param_ids().to_vec());
    for nest in &nests {
        nest.strips.schedule.get(0).iter().for_each(|function| functions.add(function.clone()));
    }
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(1), vec![functions]);
    let strips = Band::with_properties(schedule, true, vec![false]).with_loop_type(LoopType::Atomic);
    let fused = Tree::band(strips, Tree::sequence(nests.into_iter().map(|nest| (nest.filter, nest.inside))));
    if group.len() == children.len() {
        return Some(fused);
    }
    let mut all: Vec<Tree> = children[..first].to_vec();
    all.push(Tree::filter(filter, fused));
    all.extend_from_slice(&children[last + 1..]);
    Some(tree.with_children(all))
}

/// The number of lanes of a nest that is a wavefront in strips.
fn strip_width(nest: &Tree) -> Option<Int> {
    let band = nest.as_band().filter(|band| band.n_member() == 1)?;
    nest.child().as_mark().filter(|mark| matches!(mark, Mark::SimdWavefront))?;
    let function = band.schedule.get(0).iter().next()?;
    quotient(function).map(|div| div.denom.clone())
}

/// A child of a sequence in strips of so many iterations of its outermost loop. Where it has
/// narrower strips, several of them are one.
fn nest(child: &Tree, size: &Int) -> Option<Nest> {
    let NodeKind::Filter(filter) = child.kind() else { return None };
    let filter = filter.clone();
    if let Some(width) = strip_width(child.child()) {
        let strips = child.child().as_band()?;
        if width == *size {
            return Some(Nest { filter, strips: strips.clone(), inside: child.child().child().clone() });
        }
        if !size.is_divisible_by(&width) {
            return None;
        }
        let strips = strips.tile(&[size.div_exact(&width)]).0;
        return Some(Nest { filter, strips, inside: child.child().clone() });
    }
    let inside = child.child().clone();
    let below = if inside.as_mark().is_some() { inside.child() } else { &inside };
    let (outermost, _) = below.as_band().filter(|band| band.n_member() > 0 && !band.has_grid())?.split(1);
    Some(Nest { filter, strips: outermost.tile(std::slice::from_ref(size)).0, inside })
}
