//! One loop level: from the polyhedra at the level to loops.
//!
//! Algorithm (`Generator::level`), for disjuncts over the schedule dimensions `t_0, ..., t_d, ...`
//! in a context that fixes the first `d`:
//!
//! 1. compute the shadow of each disjunct at level `d` and refine it in the context; disjuncts with
//!    an empty shadow are done;
//! 2. cut the range of `t_d` into ordered intervals (`partition.rs`);
//! 3. for each interval: what does not involve `t_d` becomes a guard; if an equality determines
//!    `t_d`, or bounds leave it one value, the value is substituted, otherwise the bounds and the
//!    common stride of the polyhedra make a loop;
//! 4. the body is generated in the extended context; guards of the body that do not depend on the
//!    counter move out.
//!
//! Invariant: every loop enforces exactly what is added to the context, so that conditions which
//! the context implies can be left out further down.

use std::collections::BTreeMap;

use poly_arith::Int;
use poly_presburger::solver::Optimum;
use poly_presburger::{BasicSet, Budget, DimKind, Id, Row, Stop, Tuple};
use poly_schedule_tree::{Band, ISOLATE, ISOLATE_REST, LoopType, Mark, NodeKind, Tree};

use crate::ast::{BandInfo, Cond, Expr, For, IterId, LoopIterator, Node};
use crate::atomic::{Hull, inequalities};
use crate::build::Generator;
use crate::columns::Columns;
use crate::constraint_system::ConstraintSystem;
use crate::context::Context;
use crate::graft::{Graft, sequence, take_common};
use crate::grid;
use crate::interval::{Disjunct, Interval, Polyhedron, restrict_disjunct};
use crate::isolate;
use crate::order::{TreeOrder, tree_order};
use crate::partition::{LevelOptions, common_stride, first_with_stride, partition};
use crate::refine::{refine, refine_integrally, with_rows, without_constraints};
use crate::shadow::{Stride, distance_to_stride, shadow, value_equality, without_inner_divs};

/// What a loop level stands for, and so what comes below it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Level<'t> {
    /// A member of a band.
    Member {
        /// The band node.
        tree: &'t Tree,
        /// Its band.
        band: &'t Band,
        /// Number of the band in preorder.
        number: usize,
        /// The member.
        member: usize,
    },
    /// The coordinates of a statement, where a leaf leaves them undetermined.
    Coordinates,
}

impl Level<'_> {
    fn loop_type(&self) -> LoopType {
        match self {
            Level::Member { band, member, .. } => band.options[*member],
            Level::Coordinates => LoopType::Default,
        }
    }

    /// Number of members of the band from this one on.
    fn members_left(&self) -> usize {
        match self {
            Level::Member { band, member, .. } => band.n_member() - member,
            Level::Coordinates => 1,
        }
    }

    /// How the tree below the band orders two statements.
    fn order_below(&self, a: &Tuple, b: &Tuple) -> TreeOrder {
        match self {
            Level::Member { tree, .. } => tree_order(tree.child(), a, b),
            Level::Coordinates => TreeOrder::Free,
        }
    }

    /// The parameter whose multiples are the values of the counter.
    fn grid(&self) -> Option<&Id> {
        match self {
            Level::Member { band, member, .. } => band.grids[*member].as_ref(),
            Level::Coordinates => None,
        }
    }

    /// Whether no node below mentions the counter; instances are found by equalities in any case.
    fn may_shift(&self) -> bool {
        let Level::Member { tree, .. } = self else { return false };
        let mut mentioned = self.grid().is_some();
        tree.for_each(&mut |node| {
            mentioned |= matches!(node.kind(), NodeKind::Context(_) | NodeKind::Guard(_) | NodeKind::Extension(_));
        });
        !mentioned
    }

    fn coincident(&self) -> bool {
        match self {
            Level::Member { band, member, .. } => band.coincident[*member],
            Level::Coordinates => false,
        }
    }

    fn band_info(&self) -> Option<BandInfo> {
        match *self {
            Level::Member { band, number, member, .. } => {
                Some(BandInfo { band: number, member, members: band.n_member(), permutable: band.permutable })
            }
            Level::Coordinates => None,
        }
    }
}

/// How the counter of an interval runs.
enum Range {
    /// It has one value.
    Single(Expr),
    /// It runs from a first value to a bound.
    Loop { lower: Expr, upper: Option<Expr> },
}

impl<'t> Generator<'_> {
    /// Generate a level and everything below it; `marks` go around its loops.
    pub(crate) fn level(
        &mut self,
        context: &Context,
        disjuncts: Vec<Disjunct>,
        level: Level<'t>,
        marks: &[&'t Mark],
    ) -> Result<Vec<Graft>, Stop> {
        let mut polyhedra = Vec::new();
        for disjunct in disjuncts {
            let Some(mut shadow) = shadow(&disjunct.set, context.depth(), self.budget)? else { continue };
            let Some(domain) = refine(&context.generated, &shadow.domain, self.budget)? else { continue };
            shadow.domain = domain;
            polyhedra.push(Polyhedron { disjunct, shadow, shift: Int::ZERO });
        }
        if polyhedra.is_empty() {
            return Ok(Vec::new());
        }
        let isolated = self.isolated(context, &level)?;
        let below = |a: usize, b: usize| level.order_below(&self.statements[a], &self.statements[b]);
        let end = context.depth() + level.members_left();
        let may_shift = level.may_shift();
        let options = LevelOptions { loop_type: level.loop_type(), end, below: &below, may_shift, ast: &self.options };
        let intervals = if isolated.is_empty() {
            partition(context, polyhedra, &options, self.budget)?
        } else {
            isolate::intervals(
                context,
                polyhedra,
                &isolated,
                &LevelOptions { may_shift: false, ..options },
                self.budget,
            )?
        };
        let mut grafts = Vec::new();
        for interval in intervals {
            grafts.extend(self.interval(context, interval, level, marks)?);
        }
        Ok(grafts)
    }

    /// The values of the counter that the band isolates, as convex sets over the outer dimensions
    /// and the counter.
    fn isolated(&mut self, context: &Context, level: &Level<'t>) -> Result<Vec<BasicSet>, Stop> {
        let Level::Member { band, member, .. } = *level else { return Ok(Vec::new()) };
        let Some(isolate) = &band.isolate else { return Ok(Vec::new()) };
        let (depth, later) = (context.depth(), level.members_left() - 1);
        let mut result = Vec::new();
        for name in [ISOLATE, ISOLATE_REST] {
            let Some(set) = isolate.get_named(name).filter(|set| set.n_dim() == depth - member + band.n_member())
            else {
                continue;
            };
            let flat = set.flatten().set_tuple(Tuple::anonymous(set.n_dim()));
            let flat = self.aligned(flat.as_map()).into_set();
            result.extend(self.disjoint_basic_sets(&flat.project_out(DimKind::Out, depth + 1, later))?);
        }
        Ok(result)
    }

    fn interval(
        &mut self,
        context: &Context,
        interval: Interval,
        level: Level<'t>,
        marks: &[&'t Mark],
    ) -> Result<Option<Graft>, Stop> {
        let Some(domain) = refine(&context.generated, &interval.hull.convex, self.budget)? else { return Ok(None) };
        let domain = without_inner_divs(domain, context.depth(), self.budget)?;
        let (domain, stride) = match level.grid() {
            Some(_) => (grid::with_bounds(domain, context.depth()), Stride::trivial(1)),
            None => {
                let stride = common_stride(context, &interval.polyhedra, self.budget)?;
                let is_convex = interval.hull.is_convex();
                (if is_convex { self.with_single_value(context, domain, &stride)? } else { domain }, stride)
            }
        };
        let (range, mut guards) = self.range(context, &domain, &interval.hull, &stride)?;
        let counter = IterId(self.iterators.len());
        let (value, known_stride) = match &range {
            Range::Single(value) => (value.clone(), Stride::trivial(1)),
            Range::Loop { .. } => {
                let depth = context.depth();
                let name = self.options.iterators.get(depth).cloned().unwrap_or_else(|| format!("c{depth}").into());
                self.iterators.push(LoopIterator { name });
                (Expr::Iter(counter), stride.clone())
            }
        };
        let inside = context.inside(&domain, &known_stride, value, self.budget)?;
        let mut disjuncts: BTreeMap<Int, Vec<Disjunct>> = BTreeMap::new();
        for polyhedron in interval.polyhedra {
            let disjunct = self.narrowed(&inside, polyhedron.disjunct, &domain, interval.restrict)?;
            disjuncts.entry(polyhedron.shift).or_default().extend(disjunct);
        }
        let mut body = Vec::new();
        for disjuncts in disjuncts.into_values().filter(|disjuncts| !disjuncts.is_empty()) {
            body.extend(self.below(&inside, disjuncts, level)?);
        }
        if body.is_empty() {
            return Ok(None);
        }
        let node = match range {
            Range::Single(_) => {
                guards.extend(take_common(&mut body, None));
                sequence(body)
            }
            Range::Loop { lower, upper } => {
                guards.extend(take_common(&mut body, Some(counter)));
                let node = For {
                    iterator: counter,
                    lower,
                    upper,
                    step: stride.modulus,
                    grid: level.grid().cloned(),
                    coincident: level.coincident(),
                    band: level.band_info(),
                    body: sequence(body),
                };
                let wrap = |body: Node, mark: &&Mark| Node::Mark { mark: (*mark).clone(), body: Box::new(body) };
                marks.iter().rev().fold(Node::For(Box::new(node)), wrap)
            }
        };
        for excluded in &interval.unless {
            guards.push(unless(context, excluded, self.budget)?);
        }
        guards.retain(|g| *g != Cond::True);
        Ok((!guards.contains(&Cond::False)).then_some(Graft { guards, node }))
    }

    /// The domain with an equality for the counter, if it has at most one value with the stride for
    /// each value of the outer dimensions and a bound that gives it.
    fn with_single_value(&mut self, context: &Context, domain: BasicSet, stride: &Stride) -> Result<BasicSet, Stop> {
        let d = context.depth();
        let col = domain.offset(DimKind::Out) + d;
        if value_equality(&domain, d).is_some() {
            return Ok(domain);
        }
        let mut system = ConstraintSystem::new(1 + domain.n_var());
        system.constrain(&context.generated);
        let map = system.constrain(&domain);
        for row in domain.ineqs().iter().filter(|row| row[col].is_pos()) {
            let a = &row[col];
            if !a.is_one() && !stride.modulus.is_one() {
                continue;
            }
            // a t >= lower, and a t < lower + length everywhere?
            let length = if a.is_one() { &stride.modulus } else { a };
            if !self.is_less(&system, system.place(row, &map), length, domain.n_div() > 0)? {
                continue;
            }
            let single = self.at_first_value(&domain, row, col, stride);
            return refine_integrally(&context.generated, &single, self.budget);
        }
        Ok(domain)
    }

    /// Is `row < limit` everywhere? Where that is far from so over the rationals, the integers are
    /// not asked, unless there are quotients.
    fn is_less(&mut self, system: &ConstraintSystem, mut row: Row, limit: &Int, has_divs: bool) -> Result<bool, Stop> {
        let negated: Row = row.iter().map(|x| -x).collect();
        let Optimum::Bounded(least) = system.minimum(&negated, self.budget)? else { return Ok(false) };
        let greatest = -least.ceil();
        if greatest < *limit {
            return Ok(true);
        }
        if !has_divs && greatest >= limit * &Int::from(3) {
            return Ok(false);
        }
        let mut further = system.clone();
        row[0] -= limit;
        further.add_ineq(row);
        further.is_empty(self.budget)
    }

    /// The domain where the counter has the first value with the stride that satisfies the bound
    /// `row >= 0`, whose coefficient is one if there is a stride.
    fn at_first_value(&self, domain: &BasicSet, row: &Row, col: usize, stride: &Stride) -> BasicSet {
        let mut single = domain.clone();
        let a = &row[col];
        if a.is_one() {
            let mut row = row.clone();
            if let Some(distance) = distance_to_stride(&row, col, stride) {
                row[0] -= &distance;
                single.add_eq(row);
            } else {
                let (mut carrier, first) = first_with_stride(domain, &row, stride);
                carrier.add_eq(first);
                single = carrier;
            }
            return single;
        }
        let mut numerator: Row = row.iter().map(|x| -x).collect();
        numerator[col] = Int::ZERO;
        numerator[0] += &(a - &Int::ONE);
        let div = single.add_div(a.clone(), numerator);
        let mut equality = vec![Int::ZERO; div + 1];
        equality[col] = Int::ONE;
        equality[div] = Int::NEG_ONE;
        single.add_eq(equality);
        single
    }

    /// The disjunct within `domain`, simplified in the context; `None` where nothing is left.
    fn narrowed(
        &mut self,
        context: &Context,
        disjunct: Disjunct,
        domain: &BasicSet,
        restrict: bool,
    ) -> Result<Option<Disjunct>, Stop> {
        let disjunct = if restrict {
            restrict_disjunct(&disjunct, domain)
        } else if domain.eqs().is_empty() {
            return Ok(Some(disjunct));
        } else {
            let mut equalities = without_constraints(domain);
            domain.eqs().iter().for_each(|eq| equalities.add_eq(eq.clone()));
            restrict_disjunct(&disjunct, &equalities)
        };
        self.simplified(context, disjunct)
    }

    /// The disjunct without the constraints that the context implies; `None` if it has no points.
    pub(crate) fn simplified(&mut self, context: &Context, disjunct: Disjunct) -> Result<Option<Disjunct>, Stop> {
        if disjunct.set.is_plainly_empty() {
            return Ok(None);
        }
        let mut system = ConstraintSystem::new(1 + disjunct.set.n_var());
        system.constrain(&context.generated);
        let map = system.constrain(&disjunct.set);
        let _ = map;
        if system.is_empty(self.budget)? {
            return Ok(None);
        }
        Ok(Some(disjunct))
    }

    /// How the counter runs over an interval, and the guards around.
    fn range(
        &mut self,
        context: &Context,
        domain: &BasicSet,
        hull: &Hull,
        stride: &Stride,
    ) -> Result<(Range, Vec<Cond>), Stop> {
        let d = context.depth();
        if let Some(at) = value_equality(domain, d) {
            let (value, guards) = self.single_value(context, domain, at)?;
            return Ok((Range::Single(value), guards));
        }
        let col = domain.offset(DimKind::Out) + d;
        let columns = context.columns();
        let guards = columns.guards(domain, Some(d));
        let mut lower: Vec<Expr> = Vec::new();
        let mut upper: Vec<Expr> = Vec::new();
        for (at, row) in domain.ineqs().iter().enumerate() {
            match row[col].signum() {
                1 if !self.is_in_all_cases(context, (domain, at), &hull.lower)? => {
                    lower.push(aligned_lower(&columns, domain, row, d, stride));
                }
                -1 if !self.is_in_all_cases(context, (domain, at), &hull.upper)? => {
                    upper.push(columns.upper_bound(domain, row, d));
                }
                _ => {}
            }
        }
        let bounds = |sets: &Vec<BasicSet>, sign: i32| -> Option<Vec<Expr>> {
            sets.iter().map(|set| side(&columns, set, d, sign)).collect()
        };
        for cases in hull.lower.iter().filter_map(|sets| bounds(sets, 1)) {
            lower.push(aligned(&columns, Expr::min(cases), domain, stride));
        }
        for cases in hull.upper.iter().filter_map(|sets| bounds(sets, -1)) {
            upper.push(Expr::max(cases));
        }
        if lower.is_empty() || (upper.is_empty() && !self.options.endless) {
            return Err(self.unbounded(d));
        }
        let upper = (!upper.is_empty()).then(|| Expr::min(upper));
        Ok((Range::Loop { lower: Expr::max(lower), upper }, guards))
    }

    /// Whether inequality number `at` of a domain says nothing more than one of the bounds by cases
    /// on the same side.
    fn is_in_all_cases(
        &mut self,
        context: &Context,
        (domain, at): (&BasicSet, usize),
        bounds: &[Vec<BasicSet>],
    ) -> Result<bool, Stop> {
        let col = domain.offset(DimKind::Out) + context.depth();
        let sign = domain.ineqs()[at][col].signum();
        let eqs: Vec<usize> = (0..domain.eqs().len()).collect();
        let others: Vec<usize> = (0..domain.ineqs().len()).filter(|&other| other != at).collect();
        let mut known = ConstraintSystem::new(1 + domain.n_var());
        known.constrain(&context.generated);
        let map = known.constrain(&with_rows(domain, &eqs, &others));
        for cases in bounds {
            let mut follows = !cases.is_empty();
            for case in cases {
                // Of a case, nothing but its bound is tested.
                let mut bound = without_constraints(case);
                let rows = inequalities(case).into_iter().filter(|row| row[col].signum() == sign);
                rows.for_each(|row| bound.add_ineq(row));
                let mut system = known.clone();
                system.constrain(&bound);
                let row = system.place(&domain.ineqs()[at], &map);
                follows = follows && !bound.ineqs().is_empty() && system.implies(&row, self.budget)?;
            }
            if follows {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The value of the counter by equality number `at` of `domain`, and the conditions under which
    /// it is in the domain.
    fn single_value(&mut self, context: &Context, domain: &BasicSet, at: usize) -> Result<(Expr, Vec<Cond>), Stop> {
        let d = context.depth();
        let col = domain.offset(DimKind::Out) + d;
        let eq = &domain.eqs()[at];
        let columns = context.columns();
        // a t + rest = 0 with a > 0
        let sign = Int::from(eq[col].signum());
        let row: Row = eq.iter().map(|x| x * &sign).collect();
        let a = row[col].clone();
        let mut rest: Row = row.iter().map(|x| -x).collect();
        rest[col] = Int::ZERO;
        let numerator = columns.form(domain, &rest);
        let mut guards = Vec::new();
        if !a.is_one() && !self.is_divisible(context, domain, &row, &a)? {
            guards.push(Cond::Zero(numerator.clone().modulo(&a)));
        }
        let value = numerator.floor_div(&a);
        let mut others = without_constraints(domain);
        domain.eqs().iter().enumerate().filter(|(i, _)| *i != at).for_each(|(_, eq)| others.add_eq(eq.clone()));
        domain.ineqs().iter().for_each(|row| others.add_ineq(row.clone()));
        let mut values = context.values.clone();
        values.push(value.clone());
        let inner = Columns { params: columns.params, values: &values };
        guards.extend(inner.guards(&others, None));
        Ok((value, guards))
    }

    /// Does the context imply that `row - a t`, with `a` the coefficient of the counter `t`, is a
    /// multiple of `a`?
    fn is_divisible(&mut self, context: &Context, domain: &BasicSet, row: &Row, a: &Int) -> Result<bool, Stop> {
        let mut system = ConstraintSystem::new(1 + domain.n_var());
        system.constrain(&context.generated);
        let map = system.columns(domain);
        let mut at_least_one = system.place(row, &map);
        at_least_one[0] -= &Int::ONE;
        let mut less_than_a: Row = system.place(row, &map).iter().map(|x| -x).collect();
        less_than_a[0] += &(a - &Int::ONE);
        system.add_ineq(at_least_one);
        system.add_ineq(less_than_a);
        system.is_empty(self.budget)
    }

    fn below(&mut self, context: &Context, disjuncts: Vec<Disjunct>, level: Level<'t>) -> Result<Vec<Graft>, Stop> {
        match level {
            Level::Member { tree, band, number, member } if member + 1 < band.n_member() => {
                self.level(context, disjuncts, Level::Member { tree, band, number, member: member + 1 }, &[])
            }
            Level::Member { tree, .. } => self.walk(context, disjuncts, tree.child(), &[]),
            Level::Coordinates => {
                let mut grafts = Vec::new();
                for disjunct in disjuncts {
                    grafts.extend(self.instances(context, disjunct)?);
                }
                Ok(grafts)
            }
        }
    }
}

/// The condition that the outer dimensions are not in `excluded`.
fn unless(context: &Context, excluded: &BasicSet, budget: &mut Budget) -> Result<Cond, Stop> {
    let Some(needed) = refine(&context.generated, excluded, budget)? else { return Ok(Cond::True) };
    Ok(Cond::negated(Cond::all(context.columns().guards(&needed, None))))
}

/// The bound of dimension `d` that a set has on one side: the tightest of its constraints.
fn side(columns: &Columns<'_>, set: &BasicSet, d: usize, sign: i32) -> Option<Expr> {
    let col = set.offset(DimKind::Out) + d;
    let rows: Vec<Row> = inequalities(set).into_iter().filter(|r| r[col].signum() == sign).collect();
    if rows.is_empty() {
        return None;
    }
    Some(if sign > 0 {
        Expr::max(rows.iter().map(|r| columns.lower_bound(set, r, d)).collect())
    } else {
        Expr::min(rows.iter().map(|r| columns.upper_bound(set, r, d)).collect())
    })
}

/// The least value not below the bound `row >= 0` that has the stride.
fn aligned_lower(columns: &Columns<'_>, set: &BasicSet, row: &Row, d: usize, stride: &Stride) -> Expr {
    let col = set.offset(DimKind::Out) + d;
    if stride.modulus.is_one() {
        return columns.lower_bound(set, row, d);
    }
    if let Some(distance) = distance_to_stride(row, col, stride) {
        let mut first: Row = row[..col].iter().map(|x| -x).collect();
        first[0] += &distance;
        return columns.form(set, &first);
    }
    aligned(columns, columns.lower_bound(set, row, d), set, stride)
}

/// The least value not below `bound` that has the stride.
fn aligned(columns: &Columns<'_>, bound: Expr, set: &BasicSet, stride: &Stride) -> Expr {
    if stride.modulus.is_one() {
        return bound;
    }
    let offset = columns.form(set, &stride.offset);
    let distance = Expr::sum([offset, bound.clone().times(&Int::NEG_ONE)]);
    Expr::sum([bound, distance.modulo(&stride.modulus)])
}
