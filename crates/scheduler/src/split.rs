//! Index-set splitting: statements split into subdomains that can have schedules of their own.
//!
//! # Problem
//! On periodic domains, `A[t+1][i]` needs `A[t][(i-1) mod n]` and `A[t][(i+1) mod n]`: the last
//! iteration of a row and the first one of the next row depend on each other both ways, over the
//! distance `n - 1`. Where an element and its mirror image are used, `A[i]` and `A[n-1-i]`,
//! distances have either sign, too. One affine function for all instances cannot keep such
//! dependences short, nor the loop in a permutable band with time. Cut in the middle, the
//! subdomains can be *folded*: one of them is reversed, and all distances are short
//! [Bondhugula2014], [Griebl2000].
//!
//! # Definitions
//! For a conjunction of a dependence and a loop that both statements have, counted from outside,
//! let `x` be the counter of the source and `y` that of the sink. Folding at `m / 2` makes the
//! distance between `x` and `y` short if `x + y` is about `m`. The conjunction is
//!
//! * *aligned* if `y - x` is a constant,
//! * *mirrored* if `x + y` is a function `m` of the parameters only and `x` is not,
//! * *long* forwards or backwards, if both `x` and `y` are functions of the parameters only, and
//!   `y - x` is not bounded by a small number.
//!
//! A statement without the loop, as the peeled first iteration of a row is one, is a *point*. It is
//! linked to the *place* `x` or `y` if that is a function of the parameters only, and to other
//! points that it depends on.
//!
//! # Algorithm
//! 1. Large constants become parameters ([`crate::sizes`]): what is long is seen then.
//! 2. For each strongly connected component of dependences and each loop: if there are long
//!    conjunctions in both directions, cut at half their sum; likewise if a point is linked to two
//!    places far from each other, or to a point that is linked to another place. If there are
//!    mirrored ones, reversal of some statements would do unless that contradicts the aligned ones
//!    or each other (a closed walk with an odd number of mirrored conjunctions); only then cut at
//!    half the sum of those.
//! 3. Each statement of the component with instances on both sides becomes two: `2 x <= m` and
//!    `2 x >= m + 1`. With cuts in several loops, one for each combination of sides.
//! 4. Dependences are restricted to the subdomains of their ends. The subdomains are scheduled as
//!    if they were statements.
//! 5. In the tree, subdomains become parts of their statements again ([`crate::subdomains`]).

use std::collections::BTreeSet;

use poly_arith::{Int, Rational};
use poly_dependence::Dependence;
use poly_presburger::solver::{Optimum, lp_max};
use poly_presburger::{BasicMap, BasicSet, Budget, DimKind, Map, PwAff, Row, Set, Space, Stop, Tuple};
use poly_schedule_tree::ScheduleTree;

use crate::equalities::Equalities;
use crate::problem::{Options, Problem};
use crate::scc;
use crate::sizes::General;
use crate::subdomains::{MAX_DEPENDENCES, MAX_SUBDOMAINS, Names, Subdomain, Subdomains, between, pairs, parameters};

/// Distances up to this number are short.
const SHORT: i64 = 8;

/// A place to cut: `2 x <= sum` on one side, `2 x > sum` on the other one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cut {
    /// The loop, counted from outside.
    dimension: usize,
    /// Twice the place, over `[const | params]` of the general problem.
    sum: Row,
}

/// A problem with some statements split into subdomains.
#[derive(Debug)]
pub struct Folding {
    general: General,
    subdomains: Subdomains,
}

/// The problem with the statements split into subdomains that folding needs; `None` if it needs
/// none. Input dependences are left out.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn split(problem: &Problem<'_>, budget: &mut Budget) -> Result<Option<Folding>, Stop> {
    let general = General::of(problem);
    let view = general.problem();
    let params = parameters(&view);
    let cuts = cuts(&view, &params, budget)?;
    if cuts.iter().all(Vec::is_empty) {
        return Ok(None);
    }
    let names = Names::of(&view);
    let mut subdomains: Vec<Subdomain> = Vec::new();
    let mut domains: Vec<Set> = Vec::new();
    for (statement, domain) in view.domains.iter().enumerate() {
        let domain = domain.align_params(&params).as_map().with_exact_params(&params.params).into_set();
        let parts = parts(&domain, view.context, &cuts[statement], budget)?;
        let is_cut = parts.len() > 1;
        for (number, sides) in parts.iter().enumerate() {
            let name = if is_cut { names.subdomain(statement, number) } else { names.of[statement].clone() };
            let sides: &[(Cut, bool)] = if is_cut { sides } else { &[] };
            let general_side = side(domain.space(), sides, &|row| row.clone());
            let actual = &problem.domains[statement];
            let actual_side = side(actual.space(), sides, &|row| general.actual_row(row, &params, actual.space()));
            subdomains.push(Subdomain {
                statement,
                domain: actual.intersect(&actual_side).set_tuple_name(Some(name.clone())),
                side: actual_side,
            });
            domains.push(domain.intersect(&general_side).set_tuple_name(Some(name)));
        }
    }
    if subdomains.len() > MAX_SUBDOMAINS || subdomains.len() == view.domains.len() {
        return Ok(None);
    }
    tracing::debug!(statements = view.domains.len(), subdomains = subdomains.len(), "index sets are split");
    let time = |subdomain: &Subdomain, domain: &Set| {
        let time = view.times[subdomain.statement].align_params(&params).with_exact_params(&params.params);
        time.set_tuple_name(DimKind::In, domain.tuple_name().cloned()).intersect_domain(domain)
    };
    let times: Vec<Map> = subdomains.iter().zip(&domains).map(|(subdomain, domain)| time(subdomain, domain)).collect();
    let actual_domains: Vec<Set> = subdomains.iter().map(|subdomain| subdomain.domain.clone()).collect();
    let mut dependences = Vec::new();
    let mut general_dependences = Vec::new();
    let ordering = |list: &[Dependence]| list.iter().filter(|d| d.is_ordering()).cloned().collect::<Vec<_>>();
    for (actual, general) in ordering(problem.dependences).iter().zip(&ordering(view.dependences)) {
        for (source, sink) in pairs(&subdomains, actual) {
            let dependence = between(actual, (source, sink), &actual_domains);
            // What is empty for the actual sizes need not be for all sizes.
            if !dependence.relation.is_empty(budget)? {
                dependences.push(dependence);
                general_dependences.push(between(general, (source, sink), &domains));
            }
            if dependences.len() > MAX_DEPENDENCES {
                tracing::debug!("there are too many dependences between subdomains");
                return Ok(None);
            }
        }
    }
    let general = general.with_statements(domains, times, general_dependences, actual_domains);
    Ok(Some(Folding { general, subdomains: Subdomains::new(subdomains, dependences) }))
}

impl Folding {
    /// The subdomains, in the order of their statements.
    pub fn subdomains(&self) -> &Subdomains {
        &self.subdomains
    }

    /// A schedule of the subdomains, as if they were statements.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn schedule(&self, options: &Options, budget: &mut Budget) -> Result<ScheduleTree, Stop> {
        let tree = crate::schedule(&self.general.problem(), options, budget)?;
        Ok(self.general.specialize(&tree))
    }

    /// Whether a schedule of the subdomains is better than one of the statements: no statement has
    /// a less deep permutable band, and some statement has a deeper one; or all have equally deep
    /// bands, none has fewer parallel loops, and some statement has more. Of a statement split into
    /// subdomains, the worst subdomain counts.
    pub fn improves(&self, cut: &ScheduleTree, whole: &ScheduleTree, domains: &[Set]) -> bool {
        let quality_of = |tree: &ScheduleTree, domain: &Set| domain.tuple().map_or((0, 0), |t| quality(tree, t));
        let before: Vec<(usize, usize)> = domains.iter().map(|domain| quality_of(whole, domain)).collect();
        let mut after: Vec<(usize, usize)> = vec![(usize::MAX, usize::MAX); domains.len()];
        for subdomain in self.subdomains.subdomains() {
            let found = quality_of(cut, &subdomain.domain);
            let worst = &mut after[subdomain.statement];
            *worst = (worst.0.min(found.0), worst.1.min(found.1));
        }
        let pairs = || before.iter().zip(&after);
        let deeper = pairs().any(|(b, a)| a.0 > b.0) && pairs().all(|(b, a)| a.0 >= b.0);
        let as_deep = pairs().all(|(b, a)| a.0 == b.0);
        deeper || (as_deep && pairs().any(|(b, a)| a.1 > b.1) && pairs().all(|(b, a)| a.1 >= b.1))
    }
}

/// Whether all loops of all statements are in one permutable band and parallel: no subdomains have
/// a better schedule.
pub fn is_free(tree: &ScheduleTree, domains: &[Set]) -> bool {
    domains.iter().all(|domain| domain.tuple().is_some_and(|t| quality(tree, t) == (domain.n_dim(), domain.n_dim())))
}

/// The depth of the deepest permutable band of a statement, and the number of its parallel loops.
/// Loops that were there before count once.
fn quality(tree: &ScheduleTree, statement: &Tuple) -> (usize, usize) {
    let mut result = (0, 0);
    let mut seen: Vec<&PwAff> = Vec::new();
    let bands = tree.band_nodes();
    for band in bands.iter().filter_map(poly_schedule_tree::Node::band) {
        let mut depth = 0;
        for (member, coincident) in band.schedule.members().iter().zip(&band.coincident) {
            let Some(function) = member.get(statement).filter(|function| !seen.contains(function)) else { continue };
            seen.push(function);
            depth += 1;
            result.1 += usize::from(*coincident);
        }
        result.0 = result.0.max(if band.permutable { depth } else { depth.min(1) });
    }
    result
}

/// The combinations of sides that a domain has instances on.
fn parts(domain: &Set, context: &Set, cuts: &[Cut], budget: &mut Budget) -> Result<Vec<Vec<(Cut, bool)>>, Stop> {
    let known = domain.intersect_params(context);
    let mut result: Vec<Vec<(Cut, bool)>> = vec![Vec::new()];
    for cut in cuts.iter().filter(|cut| cut.dimension < domain.n_dim()) {
        let mut next = Vec::new();
        for sides in &result {
            for upper in [false, true] {
                let mut sides = sides.clone();
                sides.push((cut.clone(), upper));
                let part = known.intersect(&side(domain.space(), &sides, &|row| row.clone()));
                if !part.is_empty(budget)? {
                    next.push(sides);
                }
            }
        }
        result = next;
    }
    Ok(result)
}

/// The points of a space on some sides; `row` brings a sum into the parameters of the space.
fn side(space: &Space, sides: &[(Cut, bool)], row: &dyn Fn(&Row) -> Row) -> Set {
    let mut basic = BasicSet::universe(space.clone());
    for (cut, upper) in sides {
        let sum = row(&cut.sum);
        let mut constraint = vec![Int::ZERO; 1 + space.n_var()];
        constraint[..sum.len()].clone_from_slice(&sum);
        constraint[space.offset(DimKind::Out) + cut.dimension] = Int::from(-2);
        if *upper {
            constraint = constraint.iter().map(|x| -x).collect();
            constraint[0] -= Int::ONE;
        }
        basic.add_ineq(constraint);
    }
    Set::from_basic(basic)
}

/// What one conjunction of a dependence says about a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Finding {
    Aligned,
    Mirrored(Row),
    Long {
        sum: Row,
        forward: bool,
    },
    /// The statement is a point with a link.
    Link {
        point: usize,
        place: Row,
    },
    /// Both statements are points.
    Joined,
}

/// The cuts of each statement.
fn cuts(problem: &Problem<'_>, params: &Space, budget: &mut Budget) -> Result<Vec<Vec<Cut>>, Stop> {
    let n = problem.domains.len();
    let ordering = || problem.dependences.iter().filter(|d| d.is_ordering());
    let graph: BTreeSet<(usize, usize)> = ordering().map(|d| (d.source.0, d.sink.0)).collect();
    let mut cuts = vec![Vec::new(); n];
    for component in scc::components(n, &graph) {
        let inside: Vec<&Dependence> =
            ordering().filter(|d| component.contains(&d.source.0) && component.contains(&d.sink.0)).collect();
        let depth = component.iter().map(|&s| problem.domains[s].n_dim()).max().unwrap_or(0);
        for dimension in 0..depth {
            let mut findings = Vec::new();
            for dependence in &inside {
                // What is known of sizes tells forward from backward.
                let relation = dependence.relation.intersect_params(problem.context);
                let relation = relation.align_params(params).with_exact_params(&params.params);
                for basic in relation.basics() {
                    let ends = (dependence.source.0, dependence.sink.0);
                    let found = finding(basic, ends, dimension, budget)?;
                    findings.extend(found.map(|found| (ends.0, ends.1, found)));
                }
            }
            if let Some(sum) = sums(&findings, n) {
                for &statement in &component {
                    cuts[statement].push(Cut { dimension, sum: sum.clone() });
                }
            }
        }
    }
    Ok(cuts)
}

/// Where a loop has to be cut.
fn sums(findings: &[(usize, usize, Finding)], statements: usize) -> Option<Row> {
    let mut long: Vec<(&Row, bool)> = Vec::new();
    let mut mirrored: Vec<&Row> = Vec::new();
    let mut links: Vec<(usize, &Row)> = Vec::new();
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (source, sink, finding) in findings {
        match finding {
            Finding::Aligned => {}
            Finding::Mirrored(sum) => mirrored.push(sum),
            Finding::Long { sum, forward } => long.push((sum, *forward)),
            Finding::Link { point, place } => links.push((*point, place)),
            Finding::Joined => joined.push((*source, *sink)),
        }
    }
    if !mirrored.is_empty() && !can_be_reversed(findings, statements) {
        return middle(mirrored);
    }
    // Both ways between places with the same middle, up to a small number.
    let mut folds: Vec<Row> = Vec::new();
    for (sum, _) in long.iter().filter(|(_, forward)| *forward) {
        let back = long.iter().filter(|(other, forward)| !forward && other[1..] == sum[1..]);
        folds.extend(back.flat_map(|(other, _)| [(*sum).clone(), (*other).clone()]));
    }
    links.sort();
    links.dedup();
    for (i, (point, place)) in links.iter().enumerate() {
        let is_near =
            |other: usize| other == *point || joined.contains(&(*point, other)) || joined.contains(&(other, *point));
        let others = links[i + 1..].iter().filter(|(other, far)| is_near(*other) && far[1..] != place[1..]);
        folds.extend(others.map(|(_, far)| place.iter().zip(*far).map(|(x, y)| x + y).collect::<Row>()));
    }
    middle(folds.iter().collect())
}

/// The median of sums that differ in their constants only, given one at least; those that differ in
/// more from the first one do not count.
fn middle(mut sums: Vec<&Row>) -> Option<Row> {
    let slope = sums.first()?[1..].to_vec();
    sums.retain(|sum| sum[1..] == slope[..]);
    sums.sort_by(|a, b| a[0].cmp(&b[0]));
    Some(sums[(sums.len() - 1) / 2].clone())
}

/// Whether some statements can be reversed so that nothing is mirrored: a colouring of the
/// statements with two colours.
fn can_be_reversed(findings: &[(usize, usize, Finding)], statements: usize) -> bool {
    let mut colours: Vec<Option<bool>> = vec![None; statements];
    for start in 0..statements {
        if colours[start].is_some() {
            continue;
        }
        colours[start] = Some(false);
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            for (source, sink, finding) in findings {
                let differ = match finding {
                    Finding::Aligned => false,
                    Finding::Mirrored(_) => true,
                    Finding::Long { .. } | Finding::Link { .. } | Finding::Joined => continue,
                };
                let other = match at {
                    _ if *source == at => *sink,
                    _ if *sink == at => *source,
                    _ => continue,
                };
                let wanted = colours[at].map(|colour| colour != differ);
                match colours[other] {
                    None => {
                        colours[other] = wanted;
                        open.push(other);
                    }
                    known if known != wanted => return false,
                    Some(_) => {}
                }
            }
        }
    }
    true
}

/// What a conjunction between two statements says about a loop; `None` if nothing of interest.
fn finding(
    basic: &BasicMap,
    (source, sink): (usize, usize),
    dimension: usize,
    budget: &mut Budget,
) -> Result<Option<Finding>, Stop> {
    match (dimension < basic.dim(DimKind::In), dimension < basic.dim(DimKind::Out)) {
        (false, false) => return Ok(Some(Finding::Joined)),
        (true, false) => return Ok(link(basic, sink, basic.offset(DimKind::In) + dimension)),
        (false, true) => return Ok(link(basic, source, basic.offset(DimKind::Out) + dimension)),
        (true, true) => {}
    }
    let form = |source: i64, sink: i64| {
        let mut row = vec![Int::ZERO; basic.n_col()];
        row[basic.offset(DimKind::In) + dimension] = Int::from(source);
        row[basic.offset(DimKind::Out) + dimension] = Int::from(sink);
        row
    };
    let equalities = Equalities::of_parameters(basic);
    let is_fixed = equalities.value(&form(1, 0)).is_some() && equalities.value(&form(0, 1)).is_some();
    if !is_fixed && equalities.value(&form(-1, 1)).is_some_and(|value| value[1..].iter().all(Int::is_zero)) {
        return Ok(Some(Finding::Aligned));
    }
    let Some(sum) = equalities.value(&form(1, 1)) else { return Ok(None) };
    if !is_fixed {
        return Ok(Some(Finding::Mirrored(sum)));
    }
    let is_long = |row: &Row, budget: &mut Budget| -> Result<bool, Stop> {
        Ok(match lp_max(&basic.to_system(), row, budget)? {
            Optimum::Unbounded => true,
            Optimum::Empty => false,
            Optimum::Bounded(value) => value > Rational::from(SHORT),
        })
    };
    if is_long(&form(-1, 1), budget)? {
        return Ok(Some(Finding::Long { sum, forward: true }));
    }
    Ok(is_long(&form(1, -1), budget)?.then_some(Finding::Long { sum, forward: false }))
}

/// The link of a point to the other end of a conjunction, whose counter is in `column`.
fn link(basic: &BasicMap, point: usize, column: usize) -> Option<Finding> {
    let mut form = vec![Int::ZERO; basic.n_col()];
    form[column] = Int::ONE;
    let place = Equalities::of_parameters(basic).value(&form)?;
    Some(Finding::Link { point, place })
}
