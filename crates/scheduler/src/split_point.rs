//! Index-set splitting of loops at an iteration that all others depend on.
//!
//! # Problem
//! Elimination in place and shortest paths update all rows with one of them: in iteration `k`, rows
//! before row `k` read it before it is written and those behind it read it afterwards. The
//! dependences within one `k` point both from rows to row `k` and from there to rows, so no order
//! of the loops makes rows independent of each other. Cut at row `k`, the rows of each part are:
//! all dependences have row `k` at one of their ends [Griebl2000].
//!
//! # Definitions
//! For a loop of a schedule tree, the pairs of dependences that reach it (equal times in everything
//! outside) and have different values in it are its *obstacles*. A *split point* is a value `p` of
//! the loop, a function of the parameters and the loops outside, that the loop has at some end of
//! an obstacle. It cuts the instances of all statements in the loop in those before, at and behind
//! `p`; a part is *free* if no obstacle has both ends in it.
//!
//! # Algorithm
//! From the root down, with the pairs that reach the node, for each loop with obstacles:
//! 1. Collect split points: where the equalities of an obstacle, and those between iterators and
//!    loops outside, determine the value of the loop at one end.
//! 2. Take the first one for which the parts before and behind it, as far as there are any, are
//!    free; or else the first one for which one of them is.
//! 3. The loop becomes a sequence of up to three, which run one after the other. Those before and
//!    behind are looked at again; what is inside is looked at in each of them. The loop at the
//!    split point has one iteration: it stays only where it is innermost.
//!
//! Instances that reach the same leaf become subdomains ([`crate::subdomains`]); which loops of
//! theirs are free and which bands permutable is found out at the end ([`crate::properties`]).
//!
//! # Invariants
//! Instances run in the same order as before. So a legal tree stays legal, and what is gained are
//! loops that are free of dependences.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_dependence::Dependence;
use poly_presburger::{
    BasicMap, BasicSet, Budget, DimKind, Map, MultiUnionPwAff, Row, Set, Space, Stop, Tuple, UnionPwAff, UnionSet,
};
use poly_schedule_tree::{Band, NodeKind, ScheduleTree, Tree};

use crate::affine::{Affine, distance};
use crate::equalities::Equalities;
use crate::problem::Problem;
use crate::properties::with_properties;
use crate::subdomains::{MAX_DEPENDENCES, MAX_SUBDOMAINS, Names, Subdomain, Subdomains, between, pairs, parameters};

/// One loop is cut at so many places.
const MAX_CUTS: usize = 2;

/// So many split points of one loop are tried.
const MAX_SPLIT_POINTS: usize = 6;

/// A schedule with loops split at split points.
#[derive(Debug)]
pub struct SplitAtPoint {
    /// The subdomains of the statements.
    pub subdomains: Subdomains,
    /// The schedule of the subdomains.
    pub tree: ScheduleTree,
}

/// A legal schedule with those loops cut that get parts free of dependences by it; `None` if there
/// are none, no statement has instances in several parts, or the schedule is not one of affine
/// functions. Input dependences are left out.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn split_at_point(
    problem: &Problem<'_>,
    tree: &ScheduleTree,
    budget: &mut Budget,
) -> Result<Option<SplitAtPoint>, Stop> {
    let mut search = Search::new(problem);
    if !search.knows(tree.tree().child()) {
        return Ok(None);
    }
    let place = search.root();
    let known = problem.dependences.iter().filter(|d| d.is_ordering()).map(|d| search.arrows(d));
    let arrows: Vec<Arrows> = distinct(known.collect());
    if arrows.len() > MAX_DEPENDENCES {
        return Ok(None);
    }
    let Some(built) = search.walk(tree.tree().child(), &arrows, &place, budget)? else { return Ok(None) };
    let is_cut = search.subdomains.len() > problem.domains.len();
    let is_complete = search.counts.iter().all(|&subdomains| subdomains > 0);
    if !is_cut || !is_complete || search.is_strange || search.subdomains.len() > MAX_SUBDOMAINS {
        return Ok(None);
    }
    tracing::debug!(
        statements = problem.domains.len(),
        subdomains = search.subdomains.len(),
        "loops are split at points"
    );
    let Some(dependences) = dependences_between(&search.subdomains, problem.dependences, budget)? else {
        return Ok(None);
    };
    let domain = UnionSet::from_members(search.subdomains.iter().map(|subdomain| subdomain.domain.clone()));
    let tree = with_properties(&ScheduleTree::new(domain, built.tree), &dependences, budget)?;
    Ok(Some(SplitAtPoint { subdomains: Subdomains::new(search.subdomains, dependences), tree }))
}

/// The dependences between subdomains, equal ones once; `None` if they are too many.
fn dependences_between(
    subdomains: &[Subdomain],
    dependences: &[Dependence],
    budget: &mut Budget,
) -> Result<Option<Vec<Dependence>>, Stop> {
    let domains: Vec<Set> = subdomains.iter().map(|subdomain| subdomain.domain.clone()).collect();
    let mut seen: Vec<&Dependence> = Vec::new();
    let mut result = Vec::new();
    for dependence in dependences.iter().filter(|d| d.is_ordering()) {
        let is_same = |other: &&Dependence| {
            (other.source.0, other.sink.0, other.reduction, other.conditional)
                == (dependence.source.0, dependence.sink.0, dependence.reduction, dependence.conditional)
                && other.relation == dependence.relation
        };
        if seen.iter().any(is_same) {
            continue;
        }
        seen.push(dependence);
        for ends in pairs(subdomains, dependence) {
            let part = between(dependence, ends, &domains);
            if !part.relation.is_empty(budget)? {
                result.push(part);
            }
            if result.len() > MAX_DEPENDENCES {
                tracing::debug!("there are too many dependences between subdomains");
                return Ok(None);
            }
        }
    }
    Ok(Some(result))
}

/// Pairs of a dependence between two statements.
#[derive(Clone, Debug, PartialEq)]
struct Arrows {
    source: usize,
    sink: usize,
    /// With the parameters of the problem.
    relation: Map,
}

fn distinct(all: Vec<Arrows>) -> Vec<Arrows> {
    let mut result: Vec<Arrows> = Vec::new();
    for arrows in all {
        if !result.contains(&arrows) {
            result.push(arrows);
        }
    }
    result
}

/// The part of a statement that reaches a node.
#[derive(Clone, Debug)]
struct Part {
    /// The instances, with what is known of the parameters, and the parameters of the problem.
    instances: Set,
    /// What cuts say about them.
    side: BasicSet,
    /// Something has been cut off.
    is_cut: bool,
}

/// Where a node stands.
#[derive(Clone, Debug)]
struct Place {
    /// The loops outside, each a function of every statement that reaches the node.
    outer: Vec<Loop>,
    parts: BTreeMap<usize, Part>,
}

/// The functions of a loop, by statement.
type Loop = BTreeMap<usize, Affine>;

/// The value of a loop in which it is cut, over `[const | params | loops outside]`.
type SplitPoint = Row;

/// Where instances are, seen from a split point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Before,
    At,
    Behind,
}

/// A band, from a member on, with what is below it.
#[derive(Clone, Copy)]
struct Members<'a> {
    band: &'a Band,
    first: usize,
    child: &'a Tree,
    /// How often the first one may be cut.
    cuts: usize,
}

/// A tree of subdomains, and the positions of those.
struct Built {
    tree: Tree,
    subdomains: Vec<usize>,
}

struct Search<'a> {
    problem: &'a Problem<'a>,
    /// The parameters of the problem.
    params: Space,
    names: Names,
    /// Subdomains of leaves that were reached.
    subdomains: Vec<Subdomain>,
    /// The number of subdomains of each statement.
    counts: Vec<usize>,
    /// Some filter of the schedule divides a statement, which schedulers do not make.
    is_strange: bool,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem<'a>) -> Search<'a> {
        Search {
            params: parameters(problem),
            names: Names::of(problem),
            subdomains: Vec::new(),
            counts: vec![0; problem.domains.len()],
            is_strange: false,
            problem,
        }
    }

    /// All functions are affine, and there are no nodes that add instances.
    fn knows(&self, tree: &Tree) -> bool {
        let mut knows = true;
        tree.for_each(&mut |node| {
            knows &= match node.kind() {
                NodeKind::Band(band) => {
                    !band.has_grid()
                        && band
                            .schedule
                            .members()
                            .iter()
                            .all(|member| member.iter().all(|f| affine(f, &self.params).is_some()))
                }
                NodeKind::Filter(_) | NodeKind::Sequence | NodeKind::Set | NodeKind::Leaf => true,
                _ => false,
            }
        });
        knows
    }

    fn root(&self) -> Place {
        let part = |domain: &Set| {
            let known = domain.intersect_params(self.problem.context).align_params(&self.params);
            let instances = known.as_map().with_exact_params(&self.params.params).into_set();
            let side = BasicSet::universe(instances.space().clone());
            Part { instances, side, is_cut: false }
        };
        Place { outer: Vec::new(), parts: self.problem.domains.iter().map(part).enumerate().collect() }
    }

    fn arrows(&self, dependence: &Dependence) -> Arrows {
        let relation = dependence.relation.intersect_params(self.problem.context).align_params(&self.params);
        let relation = relation.with_exact_params(&self.params.params);
        Arrows { source: dependence.source.0, sink: dependence.sink.0, relation }
    }

    fn tuple(&self, statement: usize) -> &Tuple {
        self.problem.domains[statement].tuple().expect("a domain has a tuple")
    }

    /// The tree of the subdomains that reach a node; `None` if there are none. The recursion is
    /// bounded by the height of the tree and the number of cuts.
    fn walk(
        &mut self,
        tree: &Tree,
        arrows: &[Arrows],
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Option<Built>, Stop> {
        budget.spend(1)?;
        match tree.kind() {
            NodeKind::Band(band) => {
                let members = Members { band, first: 0, child: tree.child(), cuts: MAX_CUTS };
                self.members(members, arrows, place, budget)
            }
            NodeKind::Filter(filter) => {
                let (arrows, place) = self.filtered(filter, arrows, place, budget)?;
                let child = self.walk(tree.child(), &arrows, &place, budget)?;
                Ok(child.map(|child| self.with_filter(child)))
            }
            NodeKind::Sequence | NodeKind::Set => {
                let mut children = Vec::new();
                for child in tree.children() {
                    children.extend(self.walk(child, arrows, place, budget)?);
                }
                Ok(in_one(children, tree.kind()))
            }
            _ => Ok(self.leaf(place)),
        }
    }

    /// The instances at a leaf are subdomains.
    fn leaf(&mut self, place: &Place) -> Option<Built> {
        let first = self.subdomains.len();
        for (&statement, part) in &place.parts {
            let whole = &self.problem.domains[statement];
            let name = if part.is_cut {
                self.names.subdomain(statement, self.counts[statement])
            } else {
                self.names.of[statement].clone()
            };
            self.counts[statement] += 1;
            let side = Set::from_basic(part.side.clone());
            let side = side.as_map().with_exact_params(&whole.space().params).into_set();
            let domain = whole.intersect(&side).set_tuple_name(Some(name));
            self.subdomains.push(Subdomain { statement, domain, side });
        }
        let subdomains: Vec<usize> = (first..self.subdomains.len()).collect();
        (!subdomains.is_empty()).then(|| Built { tree: Tree::leaf(), subdomains })
    }

    fn with_filter(&self, child: Built) -> Built {
        let spaces =
            child.subdomains.iter().map(|&subdomain| Set::universe(self.subdomains[subdomain].domain.space().clone()));
        Built { tree: Tree::filter(UnionSet::from_members(spaces), child.tree), subdomains: child.subdomains }
    }

    /// A band of one member above its child.
    fn with_member(&self, band: &Band, member: usize, child: Built) -> Built {
        let function = band.schedule.get(member);
        let own = |&subdomain: &usize| {
            let subdomain = &self.subdomains[subdomain];
            let function = function.get(self.tuple(subdomain.statement)).expect("the function is defined here");
            function.set_domain_tuple_name(subdomain.domain.tuple_name().cloned())
        };
        let functions = UnionPwAff::from_members(child.subdomains.iter().map(own));
        let schedule = MultiUnionPwAff::new(Tuple::anonymous(1), vec![functions]);
        let single = Band { options: vec![band.options[member]], ..Band::new(schedule) };
        Built { tree: Tree::band(single, child.tree), subdomains: child.subdomains }
    }

    /// The pairs and parts that go through a filter of the tree.
    fn filtered(
        &mut self,
        filter: &UnionSet,
        arrows: &[Arrows],
        place: &Place,
        budget: &mut Budget,
    ) -> Result<(Vec<Arrows>, Place), Stop> {
        let mut parts = BTreeMap::new();
        for (&statement, part) in &place.parts {
            let Some(kept) = filter.get_tuple(self.tuple(statement)) else { continue };
            self.is_strange |= !part.instances.is_subset(&kept.align_params(&self.params), budget)?;
            parts.insert(statement, part.clone());
        }
        let inside = |arrows: &&Arrows| parts.contains_key(&arrows.source) && parts.contains_key(&arrows.sink);
        let arrows = arrows.iter().filter(inside).cloned().collect();
        Ok((arrows, Place { outer: place.outer.clone(), parts }))
    }

    /// What becomes of a band, one member after the other.
    fn members(
        &mut self,
        at: Members<'_>,
        arrows: &[Arrows],
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Option<Built>, Stop> {
        budget.spend(1)?;
        if at.first == at.band.n_member() {
            return self.walk(at.child, arrows, place, budget);
        }
        if self.subdomains.len() > MAX_SUBDOMAINS {
            return Ok(None);
        }
        let member = self.functions(at.band.schedule.get(at.first), place);
        let (equal, obstacles) = by_distance(arrows, &member, budget)?;
        if at.cuts > 0
            && !obstacles.is_empty()
            && let Some(split_point) = self.split_point(&member, &obstacles, place, budget)?
        {
            return self.cut(at, (&member, &split_point), arrows, place, budget);
        }
        let mut inside = place.clone();
        inside.outer.push(member);
        let next = Members { first: at.first + 1, cuts: MAX_CUTS, ..at };
        let child = self.members(next, &equal, &inside, budget)?;
        Ok(child.map(|child| self.with_member(at.band, at.first, child)))
    }

    /// The parts before, at and behind a split point, one after the other.
    fn cut(
        &mut self,
        at: Members<'_>,
        (member, split_point): (&Loop, &SplitPoint),
        arrows: &[Arrows],
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Option<Built>, Stop> {
        let offsets = self.offsets(member, split_point, place);
        let mut children = Vec::new();
        for side in [Side::Before, Side::At, Side::Behind] {
            let part = self.on_side(place, &offsets, side, budget)?;
            let arrows = on_one_side(arrows, &offsets, side, budget)?;
            let is_innermost = at.first + 1 == at.band.n_member() && at.child.bands().is_empty();
            let built = if side == Side::At && !is_innermost {
                self.members(Members { first: at.first + 1, cuts: MAX_CUTS, ..at }, &arrows, &part, budget)?
            } else {
                self.members(Members { cuts: at.cuts - 1, ..at }, &arrows, &part, budget)?
            };
            children.extend(built.map(|built| self.with_filter(built)));
        }
        Ok(in_one(children, &NodeKind::Sequence))
    }

    /// The functions of a member for the statements that reach a place.
    fn functions(&self, member: &UnionPwAff, place: &Place) -> Loop {
        let of = |&statement: &usize| {
            let function = member.get(self.tuple(statement)).expect("a band schedules the instances that reach it");
            (statement, affine(function, &self.params).expect("all functions were found to be affine"))
        };
        place.parts.keys().map(of).collect()
    }

    /// How far the instances of each statement are behind a split point.
    fn offsets(&self, member: &Loop, split_point: &SplitPoint, place: &Place) -> Loop {
        let params = self.params.params.len();
        let of = |(&statement, function): (&usize, &Affine)| {
            let mut offset = function.clone();
            offset.constant -= &split_point[0];
            for (value, by) in offset.parameters.iter_mut().zip(&split_point[1..]) {
                *value -= by;
            }
            for (outer, factor) in place.outer.iter().zip(&split_point[1 + params..]) {
                let outer = &outer[&statement];
                offset.constant -= &(factor * &outer.constant);
                for (value, by) in offset.parameters.iter_mut().zip(&outer.parameters) {
                    *value -= &(factor * by);
                }
                for (value, by) in offset.iterators.iter_mut().zip(&outer.iterators) {
                    *value -= &(factor * by);
                }
            }
            (statement, offset)
        };
        member.iter().map(of).collect()
    }

    /// The instances on one side of a split point.
    fn on_side(&self, place: &Place, offsets: &Loop, side: Side, budget: &mut Budget) -> Result<Place, Stop> {
        let mut parts = BTreeMap::new();
        for (&statement, part) in &place.parts {
            let space = part.instances.space();
            let row = row_of(&offsets[&statement], space, DimKind::Out);
            let on = |side: Side| side.of(&part.instances.as_map().clone(), row.clone()).into_set();
            let here = on(side);
            if here.is_empty(budget)? {
                continue;
            }
            let others = [Side::Before, Side::At, Side::Behind].into_iter().filter(|other| *other != side);
            let mut is_cut = false;
            for other in others {
                is_cut |= !on(other).is_empty(budget)?;
            }
            if !is_cut {
                parts.insert(statement, part.clone());
                continue;
            }
            let mut sides = part.side.clone();
            match side {
                Side::At => sides.add_eq(row),
                Side::Before | Side::Behind => sides.add_ineq(side.beyond(row)),
            }
            parts.insert(statement, Part { instances: here, side: sides, is_cut: true });
        }
        Ok(Place { outer: place.outer.clone(), parts })
    }

    /// The best split point of a loop, if there is one.
    fn split_point(
        &self,
        member: &Loop,
        obstacles: &[Arrows],
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Option<SplitPoint>, Stop> {
        let mut second = None;
        for split_point in self.candidates(member, obstacles, place) {
            budget.spend(1)?;
            let offsets = self.offsets(member, &split_point, place);
            let mut found = Vec::new();
            for side in [Side::Before, Side::Behind] {
                if !on_one_side(obstacles, &offsets, side, budget)?.is_empty() {
                    found.push(false);
                } else if !self.on_side(place, &offsets, side, budget)?.parts.is_empty() {
                    found.push(true);
                }
            }
            if found.is_empty() || found.iter().all(|free| !free) {
                continue;
            }
            if found.iter().all(|free| *free) {
                return Ok(Some(split_point));
            }
            second = second.or(Some(split_point));
        }
        Ok(second)
    }

    /// The values of a loop at ends of obstacles where they are functions of the loops outside.
    fn candidates(&self, member: &Loop, obstacles: &[Arrows], place: &Place) -> Vec<SplitPoint> {
        let mut result: Vec<SplitPoint> = Vec::new();
        for arrows in obstacles {
            for basic in arrows.relation.basics() {
                let known = 1 + self.params.params.len() + place.outer.len();
                let equalities = Equalities::new(self.equal_rows(arrows.source, basic, place), known);
                for (kind, statement) in [(DimKind::In, arrows.source), (DimKind::Out, arrows.sink)] {
                    let form = row_of(&member[&statement], basic.space(), kind);
                    let form = with_columns(&form, 1 + self.params.params.len(), place.outer.len(), basic.n_col());
                    let value = equalities.value(&form);
                    if let Some(value) = value.filter(|value| !result.contains(value)) {
                        result.push(value);
                    }
                }
                if result.len() >= MAX_SPLIT_POINTS {
                    return result;
                }
            }
        }
        result
    }

    /// The equalities of a conjunction over `[const | params | loops outside | its other columns]`,
    /// with those that say what the loops outside are.
    fn equal_rows(&self, source: usize, basic: &BasicMap, place: &Place) -> Vec<Row> {
        let (at, count) = (1 + self.params.params.len(), place.outer.len());
        let own = basic.eqs().iter().map(|row| with_columns(row, at, count, basic.n_col()));
        let outer = place.outer.iter().enumerate().map(|(position, function)| {
            let row = row_of(&function[&source], basic.space(), DimKind::In);
            let mut row = with_columns(&row, at, count, basic.n_col());
            row[at + position] = Int::NEG_ONE;
            row
        });
        own.chain(outer).collect()
    }
}

impl Side {
    /// The tuples of a relation for which an offset is on this side.
    fn of(self, relation: &Map, offset: Row) -> Map {
        match self {
            Side::At => relation.with_eq(offset),
            Side::Before | Side::Behind => relation.with_ineq(self.beyond(offset)),
        }
    }

    /// The form that is not negative where an offset is on this side of zero.
    fn beyond(self, offset: Row) -> Row {
        let mut row = if self == Side::Before { offset.iter().map(|x| -x).collect() } else { offset };
        row[0] -= Int::ONE;
        row
    }
}

/// The pairs with distance zero in a loop, and those with another one.
fn by_distance(arrows: &[Arrows], member: &Loop, budget: &mut Budget) -> Result<(Vec<Arrows>, Vec<Arrows>), Stop> {
    let (mut equal, mut different) = (Vec::new(), Vec::new());
    for arrows in arrows {
        let row = distance(&member[&arrows.source], &member[&arrows.sink], arrows.relation.space());
        let on = |side: Side| Arrows { relation: side.of(&arrows.relation, row.clone()), ..arrows.clone() };
        for side in [Side::Behind, Side::Before, Side::At] {
            let some = on(side);
            if !some.relation.is_empty(budget)? {
                if side == Side::At { &mut equal } else { &mut different }.push(some);
            }
        }
    }
    Ok((equal, different))
}

/// The pairs with both ends on one side of a split point.
fn on_one_side(arrows: &[Arrows], offsets: &Loop, side: Side, budget: &mut Budget) -> Result<Vec<Arrows>, Stop> {
    let mut result = Vec::new();
    for arrows in arrows {
        let space = arrows.relation.space();
        let source = row_of(&offsets[&arrows.source], space, DimKind::In);
        let sink = row_of(&offsets[&arrows.sink], space, DimKind::Out);
        let relation = side.of(&side.of(&arrows.relation, source), sink);
        if !relation.is_empty(budget)? {
            result.push(Arrows { relation, ..arrows.clone() });
        }
    }
    Ok(result)
}

/// A sequence or set, or its only child.
fn in_one(mut children: Vec<Built>, kind: &NodeKind) -> Option<Built> {
    if children.len() < 2 {
        let only = children.pop()?;
        return Some(Built { tree: only.tree.child().clone(), subdomains: only.subdomains });
    }
    let subdomains = children.iter().flat_map(|child| child.subdomains.iter().copied()).collect();
    let trees = children.into_iter().map(|child| child.tree).collect();
    Some(Built { tree: Tree::new(kind.clone(), trees), subdomains })
}

/// The only function of a statement, if it is affine with integer coefficients.
fn affine(function: &poly_presburger::PwAff, params: &Space) -> Option<Affine> {
    let [(_, aff)] = function.pieces() else { return None };
    if !aff.is_integral_affine() {
        return None;
    }
    let own = Affine::from_row(aff.row(), aff.domain_space().params.len());
    let mut parameters = vec![Int::ZERO; params.params.len()];
    for (name, value) in aff.domain_space().params.iter().zip(&own.parameters) {
        parameters[params.find_param(name.as_str())?] = value.clone();
    }
    Some(Affine { parameters, ..own })
}

/// A form over the instances at one end of a space, without divs.
fn row_of(form: &Affine, space: &Space, kind: DimKind) -> Row {
    let mut row = vec![Int::ZERO; 1 + space.n_var()];
    row[0] = form.constant.clone();
    row[1..=form.parameters.len()].clone_from_slice(&form.parameters);
    let at = space.offset(kind);
    row[at..at + form.iterators.len()].clone_from_slice(&form.iterators);
    row
}

/// The row of a conjunction of so many columns with columns put in.
fn with_columns(row: &Row, at: usize, count: usize, columns: usize) -> Row {
    let mut result = row[..at].to_vec();
    result.extend(std::iter::repeat_n(Int::ZERO, count));
    result.extend_from_slice(&row[at..]);
    result.resize(columns + count, Int::ZERO);
    result
}
