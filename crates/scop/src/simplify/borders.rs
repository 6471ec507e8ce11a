//! Loops cut where subscripts change, so that each part has affine ones.
//!
//! # Problem
//! At a border, programs take a neighbour from elsewhere: from the other end (periodic domains), or
//! the nearest one inside (clamped subscripts). The subscript has an affine function for most
//! iterations and others for a few:
//!
//! ```text
//! for i in 0..n:  b[i] = a[i == 0 ? n - 1 : i - 1] + a[min(i + 1, n - 1)]
//! ```
//!
//! No vector is loaded by such a function, and no tile is known to touch few lines. The same
//! program is
//!
//! ```text
//! b[0] = a[n - 1] + a[1];   for i in 1..n - 1:  b[i] = a[i - 1] + a[i + 1];   b[n - 1] = ..
//! ```
//!
//! # Algorithm
//! While an access of a statement has several functions on its domain, outer loops first:
//! 1. Its *main* function is the one that most counters are in. Where the access has the main
//!    function's value, by that function or another one, is a set.
//! 2. A constraint of that set which is not one of the domain, `c >= 0`, is a *cut* of the
//!    innermost loop whose counter is in it.
//! 3. The loop becomes two, one after the other: iterations with `c >= 0`, and those without. Each
//!    has a copy of all statements of the loop; statements without instances disappear.
//!
//! In the end, each access that has one function on the domain of its statement gets that one.
//!
//! # Legality
//! In one execution of the loop, `c` grows with the counter, falls, or stays as it is, so all
//! iterations of one part come before those of the other one. The new program executes the same
//! instances in the same order. Whether it pays is decided by who asks.
//!
//! Reference: index-set splitting, [Griebl2000].

use poly_arith::Int;
use poly_presburger::{Aff, BasicSet, Budget, DimKind, MultiAff, Row, Set, Stop};

use super::split::{part_of, unused_name};
use crate::{Access, Scop, Statement};

/// Operations that dependence analysis and the search for an order spend for each pair of accesses:
/// about 20 for a periodic plane and 45 for a Sobel filter, cut at all borders, and some to spare.
const PAIR_OPERATIONS: u64 = 64;
/// Most functions of an access that are looked at.
const MAX_FUNCTIONS: usize = 8;

/// Which loops are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loops {
    /// Every loop in which subscripts change.
    All,
    /// Those that no loop is in. There are fewer parts, in which subscripts still have several
    /// functions, but only one in each row.
    Innermost,
}

/// The SCoP with loops cut where subscripts change; `None` if there is nothing to cut, or there
/// would be so many parts that what is left of the budget is not enough to find an order of them.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn cut(scop: &Scop, loops: Loops, budget: &mut Budget) -> Result<Option<Scop>, Stop> {
    let mut result: Option<Scop> = None;
    while let Some(cut) = outermost_cut(result.as_ref().unwrap_or(scop), loops, budget)? {
        let parts = in_two_loops(result.as_ref().unwrap_or(scop), &cut, budget)?;
        if operations_after(&parts) > budget.remaining() {
            return Ok(None);
        }
        result = Some(parts);
    }
    Ok(result)
}

/// About how many operations it takes to find an order of a SCoP.
fn operations_after(scop: &Scop) -> u64 {
    let accesses = scop.statements.iter().map(|statement| statement.accesses.len() as u64).sum::<u64>();
    accesses.saturating_mul(accesses).saturating_mul(PAIR_OPERATIONS)
}

/// Where a loop is cut.
struct Cut {
    /// The place of the loop: the textual place of each of its statements begins so.
    place: Vec<usize>,
    /// What is at least 0 in one of the parts: `[constant | parameters | counters]`, the loop's own
    /// counter last.
    row: Row,
}

/// A cut of an outermost one of the loops that have one.
fn outermost_cut(scop: &Scop, loops: Loops, budget: &mut Budget) -> Result<Option<Cut>, Stop> {
    let mut best: Option<Cut> = None;
    for statement in &scop.statements {
        let domain = statement.domain.intersect_params(&scop.context);
        for access in &statement.accesses {
            for row in cuts_of(access, &domain, budget)? {
                let place = statement.position[..row.len() - first_counter(&domain)].to_vec();
                if loops == Loops::Innermost && has_loops_inside(scop, &place) {
                    continue;
                }
                if best.as_ref().is_none_or(|best| place.len() < best.place.len()) {
                    best = Some(Cut { place, row });
                }
            }
        }
    }
    Ok(best)
}

fn has_loops_inside(scop: &Scop, place: &[usize]) -> bool {
    scop.statements.iter().any(|s| s.loops.len() > place.len() && s.position.starts_with(place))
}

/// What is at least 0 where an access has its main function, and negative elsewhere in the domain:
/// rows whose last entry is the coefficient of a counter, and not 0.
fn cuts_of(access: &Access, domain: &Set, budget: &mut Budget) -> Result<Vec<Row>, Stop> {
    let functions = functions(access, domain, budget)?;
    if !(2..=MAX_FUNCTIONS).contains(&functions.len()) {
        return Ok(Vec::new());
    }
    let Some(main) = functions.iter().rev().max_by_key(|function| n_counters(function)) else { return Ok(Vec::new()) };
    let inside = where_equal(access, main, domain, budget)?.coalesce(budget)?.gist(domain, budget)?.coalesce(budget)?;
    let [basic] = inside.basics() else { return Ok(Vec::new()) };
    if basic.n_div() > 0 {
        return Ok(Vec::new());
    }
    let negated = |row: &Row| row.iter().map(|x| -x).collect::<Row>();
    let rows = basic.eqs().iter().flat_map(|row| [row.clone(), negated(row)]).chain(basic.ineqs().iter().cloned());
    let mut result = Vec::new();
    for mut row in rows {
        while row.len() > first_counter(domain) && row.last().is_some_and(Int::is_zero) {
            row.pop();
        }
        if row.len() > first_counter(domain) && both_parts_have_points(&row, domain, budget)? {
            result.push(row);
        }
    }
    Ok(result)
}

/// Where coefficients of counters begin in the rows of a set.
fn first_counter(domain: &Set) -> usize {
    1 + domain.space().params.len()
}

fn both_parts_have_points(row: &Row, domain: &Set, budget: &mut Budget) -> Result<bool, Stop> {
    for part in parts(row, domain) {
        if domain.intersect(&part).is_empty(budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The points at which a row is negative and those at which it is not, in the order of execution.
fn parts(row: &Row, domain: &Set) -> [Set; 2] {
    let part = |row: Row| {
        let mut part = BasicSet::universe(domain.space().clone());
        let width = part.as_basic_map().n_col();
        part.add_ineq(row.into_iter().chain(std::iter::repeat(Int::ZERO)).take(width).collect());
        Set::from_basic(part)
    };
    let mut outside: Row = row.iter().map(|x| -x).collect();
    outside[0] -= &Int::ONE;
    let (inside, outside) = (part(row.clone()), part(outside));
    if row.last().is_some_and(Int::is_pos) { [outside, inside] } else { [inside, outside] }
}

/// The functions that an access has on a domain; none if they are not affine, or need not be known.
fn functions(access: &Access, domain: &Set, budget: &mut Budget) -> Result<Vec<MultiAff>, Stop> {
    if !access.exact || access.relation.n_basic() < 2 {
        return Ok(Vec::new());
    }
    let relation = access.relation.intersect_domain(domain);
    let all = relation.lexmin(budget).map_err(Stop::from)?;
    let mut result: Vec<MultiAff> = Vec::new();
    for (piece, function) in all.pieces() {
        if !function.affs().iter().all(Aff::is_integral_affine) {
            return Ok(Vec::new());
        }
        if !result.contains(function) && !piece.is_empty(budget)? {
            result.push(function.clone());
        }
    }
    Ok(result)
}

/// How many counters a function depends on.
fn n_counters(function: &MultiAff) -> usize {
    let depends_on = |&d: &usize| function.affs().iter().any(|aff| aff.involves_dims(DimKind::In, d, 1));
    (0..function.domain_space().dim(DimKind::Out)).filter(depends_on).count()
}

/// The points at which an access has the value of a function.
fn where_equal(access: &Access, function: &MultiAff, domain: &Set, budget: &mut Budget) -> Result<Set, Stop> {
    let equal = access.relation.intersect(&function.to_map()).domain();
    equal.intersect_within(domain, budget)
}

/// The SCoP with a loop cut in two.
fn in_two_loops(scop: &Scop, cut: &Cut, budget: &mut Budget) -> Result<Scop, Stop> {
    let level = cut.place.len() - 1;
    let mut result = scop.clone();
    for statement in &scop.statements {
        let Some(at) = result.statements.iter().position(|other| other.name == statement.name) else { continue };
        let is_inside = statement.loops.len() > level && statement.position.starts_with(&cut.place);
        if !is_inside {
            let around = &cut.place[..level];
            let is_behind = statement.position.starts_with(around)
                && statement.position.get(level).is_some_and(|place| *place > cut.place[level]);
            result.statements[at].position[level..]
                .iter_mut()
                .take(usize::from(is_behind))
                .for_each(|place| *place += 1);
            continue;
        }
        result.statements.remove(at);
        for (number, part) in parts(&cut.row, &statement.domain).iter().enumerate() {
            let mut part = part_of(statement, unused_name(&result, &statement.name, number), part);
            part.position[level] += number;
            let known = part.domain.intersect_params(&scop.context);
            if !known.is_empty(budget)? {
                with_only_functions(&mut part, &known, budget)?;
                let end = result.statements.len();
                result.statements.insert((at + number).min(end), part);
            }
        }
    }
    Ok(result)
}

/// Gives each access the function that it has on a domain, if it is only one.
fn with_only_functions(statement: &mut Statement, domain: &Set, budget: &mut Budget) -> Result<(), Stop> {
    for access in &mut statement.accesses {
        for function in functions(access, domain, budget)? {
            let equal = where_equal(access, &function, domain, budget)?;
            if domain.subtract(&equal, budget)?.is_empty(budget)? {
                access.relation = function.to_map();
                break;
            }
        }
    }
    Ok(())
}
