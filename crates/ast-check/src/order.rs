//! The order of a program against that of its tree, and that no instance is executed twice.
//!
//! # Problem
//! Of two executions, the program runs the one first whose counter is smaller in the outermost
//! common loop where they differ, or, where all common loops agree, the one that stands first in
//! the block in which their ways part. For no pair may the time of the one that runs first be
//! lexicographically larger, and for no pair the instances may be the same.
//!
//! # Algorithm
//! For every loop, pairs of different iterations of its body, and for every block, pairs of its
//! children in the same iteration of all loops around, are compared as places, with the times that
//! all executions of a place have in common:
//!
//! 1. entry by entry, as long as the entries are the same function of common counters, the times
//!    are equal;
//! 2. if the next entries are the same function, which grows with the counter of the loop, or
//!    constants that grow, or children of a sequence in order, all pairs are in order;
//! 3. otherwise the set of pairs is built: those with a larger entry first are violations, those
//!    with equal entries are looked at in the next one;
//! 4. where a place has no common entry, or a pair was found that may not exist since places are
//!    larger than what is executed in them, the larger place is replaced by its children. At
//!    executions the sets are exact.
//!
//! Pairs that are left after the last entry may be in any order, but must not be the same instance.

use std::sync::Arc;

use poly_arith::Int;
use poly_presburger::{Aff, BasicSet, Budget, DimKind, MultiAff, Set, Space, Tuple};

use crate::program::{Kind, Place, Program};
use crate::schedule::Time;
use crate::witness::{Executed, Violation, point};
use crate::{Error, Reason};

/// How two places are related: both are in as many common loops, with the same values of their
/// counters, and the first one is in an earlier iteration of the next loop, if that is common, too.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The place that both are in.
    common: usize,
    equal: usize,
    earlier: bool,
}

/// How entries of times compare, for all pairs.
enum Comparison {
    Equal,
    Less,
    Unknown,
}

/// Judges the order of all pairs of executions.
pub(crate) fn check(program: &Program, has_grids: bool, budget: &mut Budget) -> Result<(), Error> {
    let space = Arc::new(Space::set(program.space.params.clone(), Tuple::anonymous(2 * program.depth)));
    let mut order = Order { program, space, has_grids, budget };
    for (common, place) in program.places.iter().enumerate() {
        match place.kind {
            Kind::Loop => {
                let body = place.children[0];
                order.compare(body, body, Link { common, equal: place.depth, earlier: true })?;
            }
            Kind::Sequence => {
                let link = Link { common, equal: place.depth, earlier: false };
                for (number, &first) in place.children.iter().enumerate() {
                    for &second in &place.children[number + 1..] {
                        order.compare(first, second, link)?;
                    }
                }
            }
            Kind::Branches | Kind::Leaf => {}
        }
    }
    Ok(())
}

struct Order<'a> {
    program: &'a Program,
    /// Of pairs: the counters of the first execution, then those of the second one.
    space: Arc<Space>,
    has_grids: bool,
    budget: &'a mut Budget,
}

impl Order<'_> {
    /// Judges the pairs of executions in two places, of which the first one runs first. Recursion
    /// is bounded by the height of the program.
    fn compare(&mut self, first: usize, second: usize, link: Link) -> Result<(), Error> {
        self.budget.spend(1)?;
        let (a, b) = (&self.program.places[first], &self.program.places[second]);
        if a.executions.is_empty() || b.executions.is_empty() {
            return Ok(());
        }
        let mut pairs: Option<Set> = None;
        for at in 0..a.times.len().min(b.times.len()) {
            let Some(x) = &a.times[at] else { return self.split(first, second, link, true) };
            let Some(y) = &b.times[at] else { return self.split(first, second, link, false) };
            if pairs.is_none() {
                match syntactic(x, y, link, self.program.depth) {
                    Comparison::Equal => continue,
                    Comparison::Less => return Ok(()),
                    Comparison::Unknown => pairs = Some(self.pairs(a, b, link)),
                }
            }
            let known = pairs.as_ref().expect("they have been built");
            let (after, equal) = match (x, y) {
                (Time::Value(x), Time::Value(y)) => {
                    let (x, y) = (self.first(x), self.second(y, link));
                    (known.and(x.gt_basic_set(&y)), known.and(x.eq_basic_set(&y)))
                }
                (Time::Child { index: x, ordered: true }, Time::Child { index: y, .. }) if x > y => {
                    (known.clone(), Set::empty(Arc::clone(&self.space)))
                }
                (Time::Child { index: x, .. }, Time::Child { index: y, .. }) if x == y => continue,
                _ => return Ok(()),
            };
            if !after.is_empty(self.budget)? {
                return self.wrong(first, second, link, &after, Violation::order);
            }
            if equal.is_empty(self.budget)? {
                return Ok(());
            }
            pairs = Some(equal);
        }
        if !self.program.have_common_statement(a, b) {
            return Ok(());
        }
        if a.kind != Kind::Leaf || b.kind != Kind::Leaf {
            return self.split(first, second, link, is_larger(a, b));
        }
        let mut same = pairs.unwrap_or_else(|| self.pairs(a, b, link));
        let [x, y] = [a, b].map(|place| &self.program.executions[place.executions.start]);
        for (x, y) in x.coordinates[..x.arity].iter().zip(&y.coordinates[..y.arity]) {
            same = same.and(self.first(x).eq_basic_set(&self.second(y, link)));
        }
        if same.is_empty(self.budget)? { Ok(()) } else { self.wrong(first, second, link, &same, Violation::twice) }
    }

    /// Judges the pairs with the children of one of the places.
    fn split(&mut self, first: usize, second: usize, link: Link, is_first: bool) -> Result<(), Error> {
        let program = self.program;
        for &child in &program.places[if is_first { first } else { second }].children {
            if is_first {
                self.compare(child, second, link)?;
            } else {
                self.compare(first, child, link)?;
            }
        }
        Ok(())
    }

    /// Pairs that must not be: a violation, if they are pairs of executions.
    fn wrong(
        &mut self,
        first: usize,
        second: usize,
        link: Link,
        pairs: &Set,
        violation: fn(Executed, Executed, &[Int], &Space) -> Violation,
    ) -> Result<(), Error> {
        let [a, b] = [first, second].map(|place| &self.program.places[place]);
        if a.kind != Kind::Leaf || b.kind != Kind::Leaf {
            return self.split(first, second, link, is_larger(a, b));
        }
        if self.has_grids {
            return Err(Error::NotJudged(Reason::Grid));
        }
        let values = point(pairs, self.budget)?.expect("there is a pair");
        let (params, counters) = values.split_at(self.program.space.params.len());
        let (x, y) = counters.split_at(self.program.depth);
        let place = |execution: usize, counters: &[Int], shared: usize| {
            let counters = x[..shared].iter().chain(&counters[shared..]);
            let values: Vec<Int> = params.iter().chain(counters).cloned().collect();
            Executed::of(&self.program.executions[execution], &values, &self.program.space)
        };
        let (x, y) = (place(a.executions.start, x, 0), place(b.executions.start, y, link.equal));
        Err(violation(x, y, &values, &self.space).into())
    }

    /// The pairs of counters with which two places are reached.
    fn pairs(&self, a: &Place, b: &Place, link: Link) -> Set {
        let depth = self.program.depth;
        let tuple = || Tuple::anonymous(2 * depth);
        let mut pairs = a.set.add_dims(DimKind::Out, depth).set_tuple(tuple());
        // What reaches the place that both are in is known from the first one.
        let mut place = b;
        loop {
            if let Some(condition) = &place.condition {
                pairs = pairs.intersect(&condition.insert_dims(DimKind::Out, 0, depth).set_tuple(tuple()));
            }
            match place.parent {
                Some(parent) if parent != link.common => place = &self.program.places[parent],
                _ => break,
            }
        }
        for i in 0..link.equal {
            pairs = pairs.equate(DimKind::Out, i, DimKind::Out, depth + i);
        }
        match link.earlier {
            true => pairs.order_gt(DimKind::Out, depth + link.equal, DimKind::Out, link.equal),
            false => pairs,
        }
    }

    /// A function of the counters of the first execution as one of pairs.
    fn first(&self, value: &Aff) -> Aff {
        value.pullback(&MultiAff::projection(&self.space, 0, self.program.depth))
    }

    /// A function of the counters of the second execution as one of pairs.
    fn second(&self, value: &Aff, link: Link) -> Aff {
        let depth = self.program.depth;
        let column = |i| if i < link.equal { i } else { depth + i };
        let counters = (0..depth).map(|i| Aff::var(Arc::clone(&self.space), DimKind::Out, column(i)));
        value.pullback(&MultiAff::into_tuple(&self.space, Tuple::anonymous(depth), counters.collect()))
    }
}

/// Whether the first one of two places is to be replaced by its children, if one has to be.
fn is_larger(a: &Place, b: &Place) -> bool {
    b.kind == Kind::Leaf || (a.kind != Kind::Leaf && a.executions.len() >= b.executions.len())
}

trait And {
    fn and(&self, basic: BasicSet) -> Set;
}

impl And for Set {
    fn and(&self, basic: BasicSet) -> Set {
        self.intersect(&Set::from_basic(basic))
    }
}

/// How entries compare by their form.
fn syntactic(x: &Time, y: &Time, link: Link, depth: usize) -> Comparison {
    match (x, y) {
        (Time::Child { index: x, .. }, Time::Child { index: y, .. }) if x == y => Comparison::Equal,
        (Time::Child { ordered: false, .. }, Time::Child { .. }) => Comparison::Less,
        (Time::Child { index: x, .. }, Time::Child { index: y, .. }) if x < y => Comparison::Less,
        (Time::Value(x), Time::Value(y)) => values(x, y, link, depth),
        _ => Comparison::Unknown,
    }
}

fn values(x: &Aff, y: &Aff, link: Link, depth: usize) -> Comparison {
    let own = |value: &Aff, from: usize| value.involves_dims(DimKind::Out, from, depth - from);
    if x == y {
        if !own(x, link.equal) {
            return Comparison::Equal;
        }
        let in_divs = x.divs().iter().any(|div| !div.num[1 + x.space().params.len() + link.equal].is_zero());
        let grows = x.coefficient(DimKind::Out, link.equal).is_pos();
        if link.earlier && !own(x, link.equal + 1) && !in_divs && grows {
            return Comparison::Less;
        }
        return Comparison::Unknown;
    }
    if own(x, link.equal) || own(y, link.equal) {
        return Comparison::Unknown;
    }
    match y.sub(x).constant_value() {
        Some(difference) if difference.is_pos() => Comparison::Less,
        _ => Comparison::Unknown,
    }
}
