//! How many rows of an array are in use at a time.
//!
//! # Definitions
//! A *value* is what an element holds in one iteration of the outermost loops that all statements
//! with accesses of the array have in common, as far as every read sees a value that was written in
//! the same iteration of these: `[c, x0, x1, ..]`. Where an array is made anew in every iteration
//! of a loop, its elements are in use again and again, but each value only once.
//!
//! # Algorithm
//! 1. *Versions*: the largest number of common loops for which every flow dependence through the
//!    array stays in one iteration.
//! 2. *Conflicts* of values under the order of the tree ([`poly_storage::conflicts`]); loops that
//!    are flagged free of dependences, and those that threads share, are unordered. First values
//!    are whole rows, which is cheap, and if too many of them are in conflict, elements.
//! 3. One more than the largest distance in `x0` of values in conflict, whatever their versions,
//!    that agree in the subscripts `x1, ..`; rounded up to a power of two. [`is_legal`] judges it.

use poly_arith::Int;
use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::{Budget, DimKind, Map, PwAff, Set, Stop, Tuple};
use poly_schedule_tree::{Mark, Node, NodeKind, ScheduleTree};
use poly_storage::{Differences, Life, Mapping, Order, Progress, Row, Ties, Verdict, conflicts, is_legal};

use super::users;
use crate::facts::at;
use crate::simplify::expand::{common_loops, life};
use crate::{AccessKind, ArrayId, Scop, Statement};

/// More rows are no few.
const MAX_ROWS: i64 = 64;

/// What shares a cell one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grain {
    /// Whole rows. In use from the first write to any of its elements to the last read.
    Row,
    /// Elements of different rows.
    Element,
}

/// So many rows are enough for an array, a power of two; `None` if that is not known or they are
/// not few.
pub(super) fn rows(
    scop: &Scop,
    tree: &ScheduleTree,
    id: ArrayId,
    dependences: &[Dependence],
    budget: &mut Budget,
) -> Result<Option<i64>, Stop> {
    let versions = versions(scop, id, dependences, budget)?;
    for grain in [Grain::Row, Grain::Element] {
        if let Some(rows) = rows_of(scop, tree, Values { array: id, grain, versions }, budget)? {
            return Ok(Some(rows));
        }
    }
    Ok(None)
}

/// What is in use.
#[derive(Clone, Copy, Debug)]
struct Values {
    array: ArrayId,
    grain: Grain,
    /// The number of loops the iterations of which have values of their own.
    versions: usize,
}

/// The largest number of common loops for which every flow through an array stays in one iteration.
fn versions(scop: &Scop, id: ArrayId, dependences: &[Dependence], budget: &mut Budget) -> Result<usize, Stop> {
    let users: Vec<&Statement> = users(scop, id).collect();
    let mut versions = common_loops(&users);
    let is_own = |&(statement, access): &(usize, usize)| scop.statements[statement].accesses[access].array == id;
    // Updates whose order is free see each other's values, too.
    let is_flow = |d: &&Dependence| (d.kind == DependenceKind::Flow || d.reduction) && is_own(&d.source);
    for dependence in dependences.iter().filter(is_flow) {
        while versions > 0 {
            let same = |pairs: Map, k| pairs.equate(DimKind::In, k, DimKind::Out, k);
            let inside = (0..versions).fold(dependence.relation.clone(), same);
            if dependence.relation.is_subset(&inside, budget)? {
                break;
            }
            versions -= 1;
        }
    }
    Ok(versions)
}

fn rows_of(scop: &Scop, tree: &ScheduleTree, of: Values, budget: &mut Budget) -> Result<Option<i64>, Stop> {
    let Some(lives) = lives(scop, tree, of) else { return Ok(None) };
    let order = order_of(scop, tree, of.array, lives[0].written.dim(DimKind::Out));
    let Some(found) = conflicts(&lives, &|_, _| order.clone(), budget)? else { return Ok(None) };
    let found = found.project_out(DimKind::In, 0, of.versions).project_out(DimKind::Out, 0, of.versions);
    let differences = Differences::of(&found, &scop.context, budget)?;
    // Where another subscript differs, elements have cells of their own.
    let dimensions = differences.n_dim();
    let differences = (1..dimensions).fold(differences, |rest, k| rest.on(&unit(dimensions, k)));
    let bounds = differences.set().dim_bounds(0..1, budget)?.and_then(|mut bounds| bounds.pop());
    let needed = match bounds {
        None => 1,
        Some(bounds) => match bounds.greatest.and_then(|greatest| greatest.to_i64()) {
            Some(greatest) => greatest.max(0).unsigned_abs().saturating_add(1),
            None => return Ok(None),
        },
    };
    let Some(rows) = needed.checked_next_power_of_two().and_then(|rows| i64::try_from(rows).ok()) else {
        return Ok(None);
    };
    if rows > MAX_ROWS {
        return Ok(None);
    }
    let modulus = PwAff::constant(scop.context.space().clone(), rows);
    let mapping = Mapping { rows: vec![Row { coefficients: unit(dimensions, 0), modulus }] };
    let verdict = is_legal(&mapping, &differences, budget)?;
    debug_assert_eq!(verdict, Verdict::Legal, "{rows} rows for {}", differences.set());
    Ok((verdict == Verdict::Legal).then_some(rows))
}

/// Over how many rows the elements that are written are spread.
pub(super) fn written_rows(scop: &Scop, id: ArrayId, values: &[Int], budget: &mut Budget) -> Result<Option<i64>, Stop> {
    let mut written: Option<Set> = None;
    for statement in users(scop, id) {
        let writes = statement.accesses.iter().filter(|a| a.array == id && a.kind != AccessKind::Read);
        for access in writes {
            let own = at(&access.relation.intersect_domain(&statement.domain).range(), values);
            written = Some(written.map_or(own.clone(), |all| all.union(&own)));
        }
    }
    let Some(written) = written else { return Ok(None) };
    let bounds = written.compute_divs(budget)?.dim_bounds(0..1, budget)?.and_then(|mut bounds| bounds.pop());
    Ok(bounds.and_then(|bounds| bounds.count()).and_then(|count| count.to_i64()))
}

fn unit(rank: usize, dimension: usize) -> Vec<Int> {
    (0..rank).map(|k| if k == dimension { Int::ONE } else { Int::ZERO }).collect()
}

/// When the elements of an array are written and read, by times of a tree.
fn lives(scop: &Scop, tree: &ScheduleTree, of: Values) -> Option<Vec<Life>> {
    let schedule = tree.schedule_map();
    let rank = scop.arrays[of.array.index()].rank;
    let (mut written, mut read): (Option<Map>, Option<Map>) = (None, None);
    for statement in users(scop, of.array) {
        let name = |map: &&Map| map.space().domain.as_ref().and_then(Tuple::name_str) == Some(&statement.name);
        let times = schedule.iter().find(name)?;
        for access in statement.accesses.iter().filter(|access| access.array == of.array) {
            let domain = statement.domain.intersect_params(&scop.context);
            let relation = access.relation.align_params(domain.space()).intersect_domain(&domain);
            let own = relation.set_tuple(DimKind::Out, Tuple::anonymous(rank));
            let own = match of.grain {
                Grain::Row => own.project_out(DimKind::Out, 1, rank - 1),
                Grain::Element => own,
            };
            let version = life(statement, "", of.versions).set_tuple(DimKind::Out, Tuple::anonymous(of.versions));
            let version = version.align_params(own.space());
            let relation = version.flat_range_product(&own.align_params(version.space()));
            let relation = relation.set_tuple(DimKind::Out, Tuple::anonymous(relation.space().dim(DimKind::Out)));
            let times = times.align_params(relation.space());
            let life = relation.align_params(times.space()).reverse().apply_range(&times);
            let all = if access.kind == AccessKind::Read { &mut read } else { &mut written };
            *all = Some(all.take().map_or(life.clone(), |known| known.union(&life)));
        }
    }
    Some(vec![Life::new(written?, read.as_ref())])
}

/// In which dimensions of time the accesses of an array are ordered.
fn order_of(scop: &Scop, tree: &ScheduleTree, id: ArrayId, dimensions: usize) -> Order {
    let mut order = Order { dimensions: vec![Progress::Ordered; dimensions], ties: Ties::Unordered };
    for node in tree.band_nodes() {
        let band = node.band().expect("these are the nodes with bands");
        let reaching = node.domain();
        if users(scop, id).all(|user| reaching.get_named(&user.name).is_none()) {
            continue;
        }
        let outside = dimensions_above(&node);
        let is_shared = is_below_threads(&node);
        for (member, &coincident) in band.coincident.iter().enumerate() {
            if coincident || (is_shared && member == 0) {
                order.dimensions[outside + member] = Progress::Unordered;
            }
        }
    }
    order
}

/// Dimensions of time outside of a band.
fn dimensions_above(node: &Node) -> usize {
    let dimensions = |kind: &NodeKind| match kind {
        NodeKind::Band(band) => band.n_member(),
        NodeKind::Sequence | NodeKind::Set => 1,
        _ => 0,
    };
    node.ancestor_kinds().map(dimensions).sum()
}

/// Whether threads share the first loop of a band.
fn is_below_threads(node: &Node) -> bool {
    let mut is_shared = false;
    for kind in node.ancestor_kinds() {
        is_shared = match kind {
            NodeKind::Mark(Mark::Parallel(_)) => true,
            NodeKind::Mark(_) => is_shared,
            _ => false,
        };
    }
    is_shared
}
