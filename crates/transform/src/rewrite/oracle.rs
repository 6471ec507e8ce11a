//! The order of dependent instances: what every question of legality comes down to.
//!
//! # Problem
//! Whether a loop is parallel, whether loops may change places, whether a loop can be distributed:
//! all of it is asked about the pairs of a dependence that are executed at equal times in the loops
//! outside, and about the signs of their distances in other functions. A search asks the same many
//! times, at neighbouring places.
//!
//! # Definitions
//! * A *prefix* is a list of functions of the instances: those of the loops above a place. Prefixes
//!   are kept in a trie, so that equal ones have equal numbers ([`Prefix`]).
//! * The pairs of a dependence *at* a prefix are those with distance zero in all of its functions.
//! * A dependence *binds* its pairs: an ordinary one forward; that of a reduction to different
//!   times; a conditional one to the direction that the pair has.
//!
//! # Algorithm
//! The pairs at a prefix are those at the prefix without its last function, restricted to distance
//! zero in that one; each is computed once. Members of a band are legal in place of others
//! ([`Oracle::admits`]) if
//!
//! 1. no pair goes backwards in the first new member in which it has a distance: member by member,
//!    with the pairs that have had distance zero so far;
//! 2. pairs that have no distance in all new members had none in the old ones, so that what is
//!    below still orders them, or what is below orders them as it must, whatever the old members
//!    were ([`is_ordered`]).
//!
//! For pairs of conditional dependences, both directions that the old members give are asked about
//! separately.
//!
//! A quotient `floor(f / t)` has no negative distance where `f` has none. Where it is in the
//! prefix, and for the pairs that are kept after it in step 1, it is left out, which leaves more
//! pairs: a refusal may be too strict then, but never the other way round.
//!
//! # Invariants
//! Answers are exact, or on the side of refusing, and do not depend on what was asked before.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use poly_dependence::Dependence;
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{DimKind, Map, Tuple, UnionPwAff, UnionSet};
use poly_schedule_tree::{Band, NodeKind, Tree};

use super::{Failure, Located};
use crate::pairs::{Sign, dividend, with_sign};
use crate::refusal::Refusal;

/// The number of a list of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Prefix(usize);

/// What binds the pairs of a dependence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Forward,
    SameTime,
    AsTheyAre,
}

impl Bound {
    fn of(dependence: &Dependence) -> Bound {
        match (dependence.reduction, dependence.conditional) {
            (true, _) => Bound::SameTime,
            (false, true) => Bound::AsTheyAre,
            (false, false) => Bound::Forward,
        }
    }
}

/// Distances of pairs in a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signs {
    /// Some are negative.
    pub negative: bool,
    /// Some are positive.
    pub positive: bool,
}

impl Signs {
    /// Whether there is any distance.
    pub fn any(self) -> bool {
        self.negative || self.positive
    }
}

/// The pairs of the dependences of a program at places of its trees.
#[derive(Debug)]
pub struct Oracle<'a> {
    dependences: &'a [Dependence],
    functions: Vec<UnionPwAff>,
    /// By prefix: the one without its last function, and that function.
    prefixes: Vec<(Prefix, usize)>,
    /// By dependence and prefix: the pairs, `None` if there are none.
    pairs: BTreeMap<(usize, Prefix), Option<Map>>,
    /// By dependence, prefix and function.
    signs: BTreeMap<(usize, Prefix, usize), Signs>,
}

impl<'a> Oracle<'a> {
    /// Nothing has been asked yet. Input dependences order nothing.
    pub fn new(dependences: &'a [Dependence]) -> Oracle<'a> {
        Oracle {
            dependences,
            functions: Vec::new(),
            prefixes: Vec::new(),
            pairs: BTreeMap::new(),
            signs: BTreeMap::new(),
        }
    }

    /// The dependences.
    pub fn dependences(&self) -> &'a [Dependence] {
        self.dependences
    }

    /// The prefix without functions.
    pub const EMPTY: Prefix = Prefix(usize::MAX);

    /// A prefix with one more function.
    pub fn extended(&mut self, prefix: Prefix, function: &UnionPwAff) -> Prefix {
        let function = self.number_of(function);
        let known = self.prefixes.iter().position(|entry| *entry == (prefix, function));
        Prefix(known.unwrap_or_else(|| {
            self.prefixes.push((prefix, function));
            self.prefixes.len() - 1
        }))
    }

    /// The prefix of some functions.
    pub fn prefix<'f>(&mut self, functions: impl IntoIterator<Item = &'f UnionPwAff>) -> Prefix {
        functions.into_iter().fold(Self::EMPTY, |prefix, function| self.extended(prefix, function))
    }

    fn number_of(&mut self, function: &UnionPwAff) -> usize {
        self.functions.iter().position(|known| known == function).unwrap_or_else(|| {
            self.functions.push(function.clone());
            self.functions.len() - 1
        })
    }

    /// The pairs of a dependence at a prefix; `None` if there are none. Functions that are not
    /// defined for its statements do not count.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn pairs(&mut self, dependence: usize, prefix: Prefix, budget: &mut Budget) -> Result<Option<Map>, Stop> {
        // From the longest prefix that is known to this one: no recursion.
        let mut missing = Vec::new();
        let mut at = prefix;
        let mut pairs = loop {
            if at == Self::EMPTY {
                break Some(self.dependences[dependence].relation.clone());
            }
            if let Some(known) = self.pairs.get(&(dependence, at)) {
                break known.clone();
            }
            missing.push(at);
            at = self.prefixes[at.0].0;
        };
        for at in missing.into_iter().rev() {
            if let Some(before) = &pairs
                && let Some(equal) = with_sign(before, &self.functions[self.prefixes[at.0].1], Sign::Zero)
            {
                pairs = if equal.is_empty(budget)? { None } else { Some(equal) };
            }
            self.pairs.insert((dependence, at), pairs.clone());
        }
        Ok(pairs)
    }

    /// The signs of the distances of a dependence's pairs at a prefix in a function; all of them if
    /// it is not defined for the statements.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn signs(
        &mut self,
        dependence: usize,
        prefix: Prefix,
        function: &UnionPwAff,
        budget: &mut Budget,
    ) -> Result<Signs, Stop> {
        let number = self.number_of(function);
        if let Some(&known) = self.signs.get(&(dependence, prefix, number)) {
            return Ok(known);
        }
        let signs = match self.pairs(dependence, prefix, budget)? {
            Some(pairs) => signs_of(&pairs, function, budget)?,
            None => Signs::default(),
        };
        self.signs.insert((dependence, prefix, number), signs);
        Ok(signs)
    }

    /// The ordering dependences with pairs that reach a place, at equal times above it.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn reaching(&mut self, at: &Located, budget: &mut Budget) -> Result<Vec<(usize, Map)>, Stop> {
        let prefix = self.prefix(at.prefix().into_iter().filter(|function| !is_quotient(function)));
        let mut result = Vec::new();
        for number in 0..self.dependences.len() {
            let dependence = &self.dependences[number];
            let space = dependence.relation.space();
            let end = |kind| space.tuple(kind).and_then(|tuple: &Tuple| at.reach.get_tuple(tuple));
            let (Some(source), Some(sink)) = (end(DimKind::In), end(DimKind::Out)) else { continue };
            if !dependence.is_ordering() {
                continue;
            }
            let Some(mut pairs) = self.pairs(number, prefix, budget)? else { continue };
            if at.is_cut {
                pairs = pairs.intersect_domain(source).intersect_range(sink);
                if pairs.is_empty(budget)? {
                    continue;
                }
            }
            result.push((number, pairs));
        }
        Ok(result)
    }

    /// Whether a band with these members may stand in place of one with other members.
    ///
    /// # Errors
    /// A dependence that would not be respected, or [`Stop`].
    pub fn admits(
        &mut self,
        at: &Located,
        old: &[UnionPwAff],
        new: &[UnionPwAff],
        budget: &mut Budget,
    ) -> Result<(), Failure> {
        for (number, pairs) in self.reaching(at, budget)? {
            let members = Members { number, old, new, below: at.node.subtree().child() };
            match Bound::of(&self.dependences[number]) {
                Bound::Forward => members.keep(&pairs, Sign::Negative, budget)?,
                Bound::SameTime => members.keep(&pairs, Sign::Zero, budget)?,
                Bound::AsTheyAre => {
                    let [forward, backward, equal] = directions_of(pairs, old, budget)?;
                    for (all, wrong) in [(forward, Sign::Negative), (backward, Sign::Positive)] {
                        all.iter().try_for_each(|pairs| members.keep(pairs, wrong, budget))?;
                    }
                    equal.iter().try_for_each(|pairs| members.leave(pairs, budget))?;
                }
            }
        }
        Ok(())
    }

    /// A band with its flags: permutable if no pair that reaches it has a negative distance in a
    /// member, coincident those members in which none has any. Pairs of reductions and of
    /// conditional dependences may go either way, and count as both for the latter.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn with_flags(&mut self, at: &Located, mut band: Band, budget: &mut Budget) -> Result<Band, Stop> {
        let pairs = self.reaching(at, budget)?;
        band.permutable = true;
        for member in 0..band.n_member() {
            let mut is_coincident = true;
            for (number, pairs) in &pairs {
                let signs = signs_of(pairs, band.schedule.get(member), budget)?;
                is_coincident &= !signs.any();
                band.permutable &= match Bound::of(&self.dependences[*number]) {
                    Bound::Forward => !signs.negative,
                    Bound::SameTime => true,
                    Bound::AsTheyAre => !signs.any(),
                };
            }
            band.coincident[member] = is_coincident;
        }
        Ok(band)
    }
}

/// Members of a band that others are to stand in place of.
struct Members<'m> {
    /// The dependence that is asked about.
    number: usize,
    old: &'m [UnionPwAff],
    new: &'m [UnionPwAff],
    /// What is below the band.
    below: &'m Tree,
}

impl Members<'_> {
    /// No pair has a distance of the wrong sign in the first new member in which it has one, and
    /// those that have none had none in the old members.
    fn keep(&self, pairs: &Map, wrong: Sign, budget: &mut Budget) -> Result<(), Failure> {
        let left = against(pairs, self.new, wrong, budget)?;
        let left = left.map_err(|member| Refusal::Order { dependence: self.number, member })?;
        let Some(left) = left else { return Ok(()) };
        for function in self.old {
            for sign in [Sign::Negative, Sign::Positive] {
                // What the old members ordered and the new ones do not is ordered below, or not at
                // all.
                let Some(equal) = with_sign(&left, function, sign) else {
                    return Err(Refusal::SameTime { dependence: self.number }.into());
                };
                if !equal.is_empty(budget)? && !is_ordered(self.below, &equal, wrong, budget)? {
                    return Err(Refusal::SameTime { dependence: self.number }.into());
                }
            }
        }
        Ok(())
    }

    /// No pair has a distance in a new member: what is below orders them.
    fn leave(&self, pairs: &Map, budget: &mut Budget) -> Result<(), Failure> {
        for (member, function) in self.new.iter().enumerate() {
            if signs_of(pairs, function, budget)?.any() {
                return Err(Refusal::Order { dependence: self.number, member }.into());
            }
        }
        Ok(())
    }
}

/// The signs of distances, or all if they are not known.
pub(super) fn signs_of(pairs: &Map, function: &UnionPwAff, budget: &mut Budget) -> Result<Signs, Stop> {
    let dividend = dividend(function);
    let mut signs = [false; 2];
    for (sign, found) in [Sign::Negative, Sign::Positive].into_iter().zip(&mut signs) {
        // A quotient has no distance of a sign that what is divided has not.
        let is_possible = match &dividend {
            Some(dividend) => has_sign(pairs, dividend, sign, budget)?,
            None => true,
        };
        *found = is_possible && has_sign(pairs, function, sign, budget)?;
    }
    Ok(Signs { negative: signs[0], positive: signs[1] })
}

/// Some pair has a distance of this sign, or it is not known.
fn has_sign(pairs: &Map, function: &UnionPwAff, sign: Sign, budget: &mut Budget) -> Result<bool, Stop> {
    match with_sign(pairs, function, sign) {
        Some(some) => Ok(!some.is_empty(budget)?),
        None => Ok(true),
    }
}

/// Whether a subtree keeps all pairs apart, and none the wrong way round. The recursion is bounded
/// by its height.
fn is_ordered(tree: &Tree, pairs: &Map, wrong: Sign, budget: &mut Budget) -> Result<bool, Stop> {
    budget.spend(1)?;
    match tree.kind() {
        NodeKind::Band(band) => match against(pairs, band.schedule.members(), wrong, budget)? {
            Ok(Some(left)) => is_ordered(tree.child(), &left, wrong, budget),
            Ok(None) => Ok(true),
            Err(_) => Ok(false),
        },
        NodeKind::Sequence => {
            let filters = tree.children().iter().enumerate();
            for ((from, source), (to, sink)) in filters.clone().flat_map(|a| filters.clone().map(move |b| (a, b))) {
                let (Some(between), true) = (between(pairs, source, sink), from >= to || wrong == Sign::Positive)
                else {
                    continue;
                };
                let is_right = match from.cmp(&to) {
                    Ordering::Less => wrong != Sign::Positive,
                    Ordering::Equal => is_ordered(source.child(), &between, wrong, budget)?,
                    Ordering::Greater => wrong != Sign::Negative,
                };
                if !is_right && !between.is_empty(budget)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        NodeKind::Mark(_) | NodeKind::Context(_) | NodeKind::Guard(_) => is_ordered(tree.child(), pairs, wrong, budget),
        NodeKind::Filter(filter) => match between_sets(pairs, filter, filter) {
            Some(inside) => is_ordered(tree.child(), &inside, wrong, budget),
            None => Ok(true),
        },
        _ => pairs.is_empty(budget),
    }
}

/// The pairs from the instances of one filter to those of another one; `None` if there are none.
fn between(pairs: &Map, source: &Tree, sink: &Tree) -> Option<Map> {
    let (NodeKind::Filter(source), NodeKind::Filter(sink)) = (source.kind(), sink.kind()) else { return None };
    between_sets(pairs, source, sink)
}

/// The pairs from one set of instances to another one; `None` if their statements are in none of
/// them.
pub(super) fn between_sets(pairs: &Map, source: &UnionSet, sink: &UnionSet) -> Option<Map> {
    let end = |kind, set: &UnionSet| pairs.space().tuple(kind).and_then(|tuple: &Tuple| set.get_tuple(tuple)).cloned();
    let (source, sink) = (end(DimKind::In, source)?, end(DimKind::Out, sink)?);
    Some(pairs.intersect_domain(&source).intersect_range(&sink))
}

/// The pairs that have distance zero in all members (`None` if there are none); or the first member
/// in which pairs with distance zero in those before have one of the wrong sign.
pub(super) fn against(
    pairs: &Map,
    members: &[UnionPwAff],
    wrong: Sign,
    budget: &mut Budget,
) -> Result<Result<Option<Map>, usize>, Stop> {
    let mut left = pairs.clone();
    for (member, function) in members.iter().enumerate() {
        let signs = signs_of(&left, function, budget)?;
        let is_wrong = match wrong {
            Sign::Negative => signs.negative,
            Sign::Positive => signs.positive,
            Sign::Zero => false,
        };
        if is_wrong {
            return Ok(Err(member));
        }
        if is_quotient(function) || !signs.any() {
            continue;
        }
        if let Some(equal) = with_sign(&left, function, Sign::Zero) {
            if equal.is_empty(budget)? {
                return Ok(Ok(None));
            }
            left = equal;
        }
    }
    Ok(Ok(Some(left)))
}

/// Pairs by their order in the members of a band: forward, backward, and at equal times.
pub(super) fn directions_of(pairs: Map, members: &[UnionPwAff], budget: &mut Budget) -> Result<[Vec<Map>; 3], Stop> {
    let (mut forward, mut backward) = (Vec::new(), Vec::new());
    let mut equal = pairs;
    for function in members {
        for (sign, list) in [(Sign::Positive, &mut forward), (Sign::Negative, &mut backward)] {
            if let Some(some) = with_sign(&equal, function, sign)
                && !some.is_empty(budget)?
            {
                list.push(some);
            }
        }
        if let Some(rest) = with_sign(&equal, function, Sign::Zero) {
            equal = rest;
        }
    }
    let equal = if equal.is_empty(budget)? { Vec::new() } else { vec![equal] };
    Ok([forward, backward, equal])
}

/// Whether a function is `floor(f / t)` for all statements, with the same `t`.
pub(super) fn is_quotient(function: &UnionPwAff) -> bool {
    dividend(function).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::site::tests::located;
    use super::*;
    use crate::refusal::tests::dependence;

    fn function(text: &str) -> UnionPwAff {
        text.parse().expect("the function can be read")
    }

    fn functions(texts: &[&str]) -> Vec<UnionPwAff> {
        texts.iter().map(|text| function(&format!("{{ S[t, i] -> [({text})] }}"))).collect()
    }

    fn admits(dependence: Dependence, old: &[&str], new: &[&str]) -> Result<(), Failure> {
        let dependences = [dependence];
        let mut oracle = Oracle::new(&dependences);
        oracle.admits(&located(), &functions(old), &functions(new), &mut Budget::unlimited())
    }

    #[test]
    fn equal_prefixes_are_one() {
        let dependences = [dependence("{ S[t, i] -> S[t + 1, i - 1] : 0 <= t < 9 and 0 <= i < 9 }")];
        let mut oracle = Oracle::new(&dependences);
        let [t, i] = &functions(&["t", "i"])[..] else { panic!("two functions") };
        let (one, other) = (oracle.prefix([t, i]), oracle.prefix([t, i]));
        assert_eq!(one, other);
        assert_ne!(oracle.prefix([i, t]), one);
        let budget = &mut Budget::unlimited();
        let on_diagonal = oracle.prefix([&functions(&["t + i"])[0]]);
        assert!(oracle.pairs(0, one, budget).expect("no limit").is_none());
        assert!(oracle.pairs(0, on_diagonal, budget).expect("no limit").is_some());
        let spent = budget.spent();
        assert!(oracle.pairs(0, on_diagonal, budget).expect("no limit").is_some());
        assert_eq!(budget.spent(), spent, "it was known");
        let signs = oracle.signs(0, Oracle::EMPTY, i, budget).expect("no limit");
        assert_eq!(signs, Signs { negative: true, positive: false });
    }

    #[test]
    fn members_are_admitted_where_every_pair_still_goes_forward() {
        let skewed = || dependence("[n] -> { S[t, i] -> S[t + 1, i - 1] : 0 <= t < n and 0 <= i < n }");
        assert_eq!(admits(skewed(), &["t", "i"], &["t", "t + i"]), Ok(()));
        assert_eq!(admits(skewed(), &["t", "i"], &["t + i", "t"]), Ok(()));
        let order = |member| Err(Refusal::Order { dependence: 0, member }.into());
        assert_eq!(admits(skewed(), &["t", "i"], &["i", "t"]), order(0));
        assert_eq!(admits(skewed(), &["t", "i"], &["-t", "i"]), order(0));
        assert_eq!(admits(skewed(), &["t", "i"], &["floor(t/8)", "floor(i/8)", "t", "i"]), order(1));
        assert_eq!(admits(skewed(), &["t", "i"], &["floor(t/8)", "floor((t + i)/8)", "t", "i"]), Ok(()));
        // The pairs are not kept apart any more.
        assert_eq!(admits(skewed(), &["t", "i"], &["t + i"]), Err(Refusal::SameTime { dependence: 0 }.into()));
    }

    #[test]
    fn updates_of_a_reduction_must_only_stay_apart() {
        let updates = |reduction| Dependence {
            reduction,
            ..dependence("[n] -> { S[t, i] -> S[t, j] : 0 <= t < n and 0 <= i < j < n }")
        };
        assert_eq!(admits(updates(true), &["t", "i"], &["-i", "t"]), Ok(()));
        assert!(admits(updates(false), &["t", "i"], &["-i", "t"]).is_err());
        assert_eq!(admits(updates(true), &["t", "i"], &["t"]), Err(Refusal::SameTime { dependence: 0 }.into()));
    }

    #[test]
    fn conditional_pairs_keep_the_direction_that_they_have() {
        let conditional =
            || Dependence { conditional: true, ..dependence("{ S[t, i] -> S[u, i] : 0 <= t < u < 9 and 0 <= i < 9 }") };
        // Against the program's order, and left so.
        assert_eq!(admits(conditional(), &["-t", "i"], &["i", "-t"]), Ok(()));
        assert!(admits(conditional(), &["-t", "i"], &["t", "i"]).is_err());
        assert!(admits(conditional(), &["i"], &["t", "i"]).is_err(), "what is below orders them");
    }
}
