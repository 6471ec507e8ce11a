//! Gist: simplification of a relation given that some context holds.
//!
//! `gist(A, C)` is a relation `G`, as simple as possible, with `G and C = A and C`. If one of them
//! has several disjuncts, it is first seen whether `C` is a part of `A`, so that nothing is left.
//! Per disjunct of `A` (the context being one basic relation, its simple hull if necessary):
//!
//! 1. bring both to common divs, find the implicit equalities of the context;
//! 2. leave those divisors out of the congruences of `A` that are known in the context
//!    (`congruences.rs`);
//! 3. reduce the equalities of `A` modulo those of the context, dropping what vanishes;
//! 4. drop inequalities of `A` that follow from the context and the rest of `A`;
//! 5. drop what follows in every disjunct of the context (`several.rs`), then disjuncts that have
//!    all constraints of another one.

use std::sync::Arc;

use poly_arith::{Coeff, Int};

use crate::basic::congruences::Congruence;
use crate::basic::{BasicMap, BasicSet, Row};
use crate::budget::{Budget, Stop};
use crate::map::Map;
use crate::ops::common::Common;
use crate::pw::PwAff;
use crate::pw_multi::PwMultiAff;
use crate::row;
use crate::set::Set;
use crate::solver::lp::{ConId, Grid};
use crate::solver::{Interrupt, System, Tableau, widen};
use crate::space::{Space, Tuple};
use crate::trace;
use crate::union::{UnionMap, UnionSet};

mod congruences;
mod several;

/// Which of the last `n` inequalities of a system do not follow from the rest; later ones are
/// dropped first. `None` if there is no rational point.
fn needed<T: Coeff>(system: &System, n: usize, budget: &mut Budget) -> Result<Option<Vec<bool>>, Interrupt> {
    let mut tableau = Tableau::<T>::from_system(system, Grid::Integer, budget)?;
    if tableau.is_empty() {
        return Ok(None);
    }
    let first = tableau.n_con() - n;
    let mut needed = vec![true; n];
    for (i, keep) in needed.iter_mut().enumerate().rev() {
        *keep = !tableau.detect_redundant_con(ConId(first + i), budget)?;
    }
    Ok(Some(needed))
}

/// Reduce a row by equalities in echelon form, each with its pivot column.
fn reduce(row: &mut Row, echelon: &[(usize, Row)]) {
    for (col, eq) in echelon {
        row::eliminate(row, *col, eq);
    }
    let g = row::gcd(row);
    if !g.is_zero() {
        row::div_exact(row, &g);
    }
}

/// Equalities in echelon form; pivots are last columns.
fn echelon(eqs: &[Row]) -> Vec<(usize, Row)> {
    let mut result: Vec<(usize, Row)> = Vec::new();
    for eq in eqs {
        let mut eq = eq.clone();
        reduce(&mut eq, &result);
        let col = row::last_column(&eq);
        if col == 0 {
            continue;
        }
        for (_, other) in &mut result {
            row::eliminate(other, col, &eq);
        }
        result.push((col, eq));
    }
    result
}

/// The gist of one basic relation in the context of another; `context` has known divs and both
/// are over the same space.
fn gist_basic(basic: &BasicMap, context: &BasicMap, budget: &mut Budget) -> Result<BasicMap, Stop> {
    if basic.is_universe() || context.is_universe() {
        return Ok(basic.clone());
    }
    let common = Common::of(&[basic, context]);
    let mut context = common.basic(1);
    context.eqs = context_equalities(&common, budget)?;
    let known = echelon(&context.eqs);
    let mut eqs = Vec::new();
    let (own_eqs, congruences) =
        congruences::without_known(&common, &context.eqs, common.parts[0].eqs.clone(), budget)?;
    for eq in &own_eqs {
        if Congruence::of(&common.base, eq).is_some() {
            eqs.push(eq.clone());
            continue;
        }
        let mut reduced = eq.clone();
        let mut all = known.clone();
        all.extend(echelon(&eqs));
        reduce(&mut reduced, &all);
        if row::is_zero(&reduced) {
            continue;
        }
        if row::is_zero(&reduced[1..]) {
            return Ok(BasicMap::empty(basic.space_arc()));
        }
        eqs.push(tidier(eq, reduced));
    }
    let own = common.parts[0].ineqs.clone();
    let system = System {
        n: common.base.n_col() - 1,
        eqs: context.eqs.iter().chain(&common.parts[0].eqs).cloned().collect(),
        ineqs: [&context.ineqs[..], &common.div_bounds, &own].concat(),
    };
    let needed = widen(
        budget,
        |budget| needed::<i64>(&system, own.len(), budget),
        |budget| needed::<Int>(&system, own.len(), budget),
    )?;
    let Some(needed) = needed else { return Ok(BasicMap::empty(basic.space_arc())) };
    if crate::solver::ilp_is_empty(&system, budget)? {
        return Ok(BasicMap::empty(basic.space_arc()));
    }
    let keep = own.into_iter().zip(needed).filter(|(_, n)| *n).map(|(r, _)| r).collect();
    let mut gist = common.build(eqs, keep);
    if !congruences.is_empty() {
        congruences.into_iter().for_each(|congruence| gist.add_congruence(congruence));
        gist.normalize();
    }
    Ok(gist)
}

/// With equalities for inequalities that leave no room, and one congruence where two are one.
fn tidied(mut gist: BasicMap, budget: &mut Budget) -> Result<BasicMap, Stop> {
    gist.merge_congruences();
    if gist.ineqs.len() > 2 {
        gist.detect_equalities(budget)?;
    }
    Ok(gist)
}

/// Without disjuncts that have all constraints of another one.
fn without_plain_parts(map: Map) -> Map {
    if map.n_basic() < 2 {
        return map;
    }
    let is_part = |a: &BasicMap, b: &BasicMap| {
        let are_among = |rows: &[Row], others: &[Row]| rows.iter().all(|row| others.contains(row));
        a.divs == b.divs && are_among(&b.eqs, &a.eqs) && are_among(&b.ineqs, &a.ineqs)
    };
    let mut result = Map::empty(map.space);
    for (i, basic) in map.basics.iter().enumerate() {
        let among = |others: &[Arc<BasicMap>]| others.iter().any(|other| is_part(basic, other));
        if !among(&result.basics) && !among(&map.basics[i + 1..]) {
            result.push(Arc::clone(basic));
        }
    }
    result
}

/// The original equality, unless the reduced one has fewer terms.
fn tidier(original: &Row, reduced: Row) -> Row {
    let terms = |r: &Row| r.iter().filter(|x| !x.is_zero()).count();
    if terms(&reduced) < terms(original) { reduced } else { original.clone() }
}

/// The given and the implicit equalities of the second relation.
fn context_equalities(common: &Common, budget: &mut Budget) -> Result<Vec<Row>, Stop> {
    let mut system = common.system(1);
    crate::solver::implicit_equalities(&mut system, budget)?;
    Ok(system.eqs)
}

impl Map {
    /// A simpler relation that has the same pairs within the context. Cost: a linear program for
    /// each constraint, and an integer program to drop what is outside of the context
    /// \[Verdoolaege2010\].
    pub fn gist(&self, context: &Map, budget: &mut Budget) -> Result<Map, Stop> {
        let _running = trace::operation("gist", &[self, context]);
        assert!(
            self.space.has_equal_tuples(&context.space),
            "the gist of {} in the context {} is not defined",
            self.space,
            context.space
        );
        if self.plain_is_empty() || self.plain_is_universe() || context.plain_is_universe() {
            return Ok(self.align_params(&context.space));
        }
        let (a, c) = self.aligned(context);
        if a == c {
            return Ok(Map::universe(a.space_arc()));
        }
        let several = a.n_basic() > 1 || c.n_basic() > 1;
        if several && several::is_seen_to_include(&a, &c, budget)? {
            return Ok(Map::universe(a.space_arc()));
        }
        let c = c.compute_divs(budget)?;
        let hull = c.clone().simple_hull(budget)?;
        let mut result = Map::empty(a.space_arc());
        for basic in &a.basics {
            let mut gist = gist_basic(basic, &hull, budget)?;
            if c.n_basic() > 1 {
                gist = several::without_implied(gist, &c, budget)?;
            }
            result.push(tidied(gist, budget)?);
        }
        Ok(without_plain_parts(result))
    }

    /// A simpler relation that has the same pairs for the parameter values of the context.
    /// Cost: that of [`Map::gist`].
    pub fn gist_params(&self, context: &Set, budget: &mut Budget) -> Result<Map, Stop> {
        let _running = trace::operation("gist_params", &[self, context]);
        let whole = Map::universe(self.space_arc()).intersect_params(context);
        self.gist(&whole, budget)
    }

    /// A simpler relation that has the same pairs when the domain is in the context.
    /// Cost: that of [`Map::gist`].
    pub fn gist_domain(&self, context: &Set, budget: &mut Budget) -> Result<Map, Stop> {
        let _running = trace::operation("gist_domain", &[self, context]);
        let whole = Map::universe(self.space_arc()).intersect_domain(context);
        self.gist(&whole, budget)
    }

    /// A simpler relation that has the same pairs when the range is in the context.
    /// Cost: that of [`Map::gist`].
    pub fn gist_range(&self, context: &Set, budget: &mut Budget) -> Result<Map, Stop> {
        let _running = trace::operation("gist_range", &[self, context]);
        let whole = Map::universe(self.space_arc()).intersect_range(context);
        self.gist(&whole, budget)
    }
}

impl BasicMap {
    /// A simpler relation that has the same pairs within the context. Cost: a linear program for
    /// each constraint, and an integer program to drop what is outside of the context
    /// \[Verdoolaege2010\].
    pub fn gist(&self, context: &BasicMap, budget: &mut Budget) -> Result<BasicMap, Stop> {
        let _running = trace::operation("gist", &[self, context]);
        let whole = Map::from_basic(self.clone());
        let result = whole.gist(&Map::from_basic(context.clone()), budget)?;
        let empty = || BasicMap::empty(result.space_arc());
        Ok(result.basics.first().map_or_else(empty, |b| BasicMap::clone(b)))
    }
}

impl BasicSet {
    /// A simpler set that has the same points within the context. Cost: a linear program for each
    /// constraint, and an integer program to drop what is outside of the context
    /// \[Verdoolaege2010\].
    pub fn gist(&self, context: &BasicSet, budget: &mut Budget) -> Result<BasicSet, Stop> {
        Ok(BasicSet(self.0.gist(&context.0, budget)?.into()))
    }
}

impl Set {
    /// A simpler set that has the same points within the context. Cost: a linear program for each
    /// constraint, and an integer program to drop what is outside of the context
    /// \[Verdoolaege2010\].
    pub fn gist(&self, context: &Set, budget: &mut Budget) -> Result<Set, Stop> {
        Ok(Set(self.0.gist(&context.0, budget)?))
    }

    /// A simpler set that has the same points for the parameter values of the context.
    /// Cost: that of [`Map::gist`].
    pub fn gist_params(&self, context: &Set, budget: &mut Budget) -> Result<Set, Stop> {
        Ok(Set(self.0.gist_params(context, budget)?))
    }
}

impl UnionSet {
    /// A simpler union that has the same points within the context. Cost: a linear program for each
    /// constraint, and an integer program to drop what is outside of the context
    /// \[Verdoolaege2010\].
    pub fn gist(&self, context: &UnionSet, budget: &mut Budget) -> Result<UnionSet, Stop> {
        let _running = trace::operation("gist", &[self, context]);
        let mut members = Vec::new();
        for m in self.iter() {
            let c = context.extract(m.space());
            members.push(if c.plain_is_empty() { Set::empty(m.space_arc()) } else { m.gist(&c, budget)? });
        }
        Ok(self.rebuilt(members))
    }

    /// A simpler union that has the same points for the parameter values of the context.
    /// Cost: that of [`Map::gist`].
    pub fn gist_params(&self, context: &Set, budget: &mut Budget) -> Result<UnionSet, Stop> {
        let _running = trace::operation("gist_params", &[self, context]);
        let members: Result<Vec<Set>, Stop> = self.iter().map(|m| m.gist_params(context, budget)).collect();
        Ok(self.rebuilt(members?))
    }
}

impl UnionMap {
    /// A simpler union that has the same pairs within the context. Cost: a linear program for each
    /// constraint, and an integer program to drop what is outside of the context
    /// \[Verdoolaege2010\].
    pub fn gist(&self, context: &UnionMap, budget: &mut Budget) -> Result<UnionMap, Stop> {
        let _running = trace::operation("gist", &[self, context]);
        let mut members = Vec::new();
        for m in self.iter() {
            let c = context.extract(m.space());
            members.push(if c.plain_is_empty() { Map::empty(m.space_arc()) } else { m.gist(&c, budget)? });
        }
        Ok(self.rebuilt(members))
    }

    /// A simpler union that has the same pairs for the parameter values of the context.
    /// Cost: that of [`Map::gist`].
    pub fn gist_params(&self, context: &Set, budget: &mut Budget) -> Result<UnionMap, Stop> {
        let _running = trace::operation("gist_params", &[self, context]);
        let members: Result<Vec<Map>, Stop> = self.iter().map(|m| m.gist_params(context, budget)).collect();
        Ok(self.rebuilt(members?))
    }

    /// A simpler union that has the same pairs when the domain is in the context; members whose
    /// domain is outside become empty.
    /// Cost: that of [`Map::gist`].
    pub fn gist_domain(&self, context: &UnionSet, budget: &mut Budget) -> Result<UnionMap, Stop> {
        let _running = trace::operation("gist_domain", &[self, context]);
        self.gist_side(context, |s| s.domain.as_ref(), Map::gist_domain, budget)
    }

    /// A simpler union that has the same pairs when the range is in the context; members whose
    /// range is outside become empty.
    /// Cost: that of [`Map::gist`].
    pub fn gist_range(&self, context: &UnionSet, budget: &mut Budget) -> Result<UnionMap, Stop> {
        let _running = trace::operation("gist_range", &[self, context]);
        self.gist_side(context, |s| s.range.as_ref(), Map::gist_range, budget)
    }

    fn gist_side(
        &self,
        context: &UnionSet,
        side: impl Fn(&Space) -> Option<&Tuple>,
        f: impl Fn(&Map, &Set, &mut Budget) -> Result<Map, Stop>,
        budget: &mut Budget,
    ) -> Result<UnionMap, Stop> {
        let mut members = Vec::new();
        for m in self.iter() {
            if let Some(c) = side(m.space()).and_then(|t| context.get_tuple(t)) {
                members.push(f(m, c, budget)?);
            }
        }
        Ok(self.rebuilt(members))
    }
}

impl PwAff {
    /// A function with simpler domains, equal on the context; pieces outside of it are dropped.
    /// Cost: a linear program for each constraint, and an integer program to drop what is outside
    /// of the context \[Verdoolaege2010\].
    pub fn gist(&self, context: &Set, budget: &mut Budget) -> Result<PwAff, Stop> {
        let mut pieces = Vec::new();
        for (set, aff) in self.align_params(context.space()).pieces {
            pieces.push((set.gist(context, budget)?, aff));
        }
        Ok(PwAff::from_pieces(self.space.clone(), pieces))
    }

    /// A function with simpler domains, equal for the parameter values of the context.
    /// Cost: that of [`Map::gist`].
    pub fn gist_params(&self, context: &Set, budget: &mut Budget) -> Result<PwAff, Stop> {
        let whole = Set::universe(self.space.clone()).intersect_params(context);
        self.gist(&whole, budget)
    }
}

impl PwMultiAff {
    /// A function with simpler domains, equal on the context; pieces outside of it are dropped.
    /// Cost: a linear program for each constraint, and an integer program to drop what is outside
    /// of the context \[Verdoolaege2010\].
    pub fn gist(&self, context: &Set, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
        let mut pieces = Vec::new();
        for (set, ma) in self.align_params(context.space()).pieces {
            pieces.push((set.gist(context, budget)?, ma));
        }
        Ok(PwMultiAff::from_pieces(self.space.clone(), pieces))
    }
}
