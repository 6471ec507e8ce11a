//! The order of dependent instances, as the cost model and lowering ask about it.
//!
//! Every question is about the pairs of one dependence that agree in the loops around a place, and
//! most about the signs of their distances in one more function. Places, bands and candidates
//! differ; the questions are mostly the same, so one oracle answers all of a model's.

use std::collections::BTreeSet;

use poly_dependence::{Dependence, DependenceKind};
use poly_presburger::{Budget, Id, Map, Stop, UnionPwAff};
use poly_schedule_tree::Band;
use poly_transform::rewrite::Signs;

use super::original::is_fixed_order_recurrence;
use super::quotients::points_of;
use super::{Model, Place};
use crate::{Access, AccessId};

impl Model<'_> {
    /// The pairs of a dependence, by its position, that have distance zero in some functions;
    /// `None` if there are none.
    pub(crate) fn pairs_inside<'f>(
        &self,
        dependence: usize,
        functions: impl IntoIterator<Item = &'f UnionPwAff>,
        budget: &mut Budget,
    ) -> Result<Option<Map>, Stop> {
        let mut oracle = self.oracle.borrow_mut();
        let prefix = oracle.prefix(functions);
        oracle.pairs(dependence, prefix, budget)
    }

    /// The signs of the distances in one more function of the pairs that have distance zero in
    /// others; `None` if there are no such pairs.
    pub(crate) fn signs_inside<'f>(
        &self,
        dependence: usize,
        functions: impl IntoIterator<Item = &'f UnionPwAff>,
        function: &UnionPwAff,
        budget: &mut Budget,
    ) -> Result<Option<Signs>, Stop> {
        let mut oracle = self.oracle.borrow_mut();
        let prefix = oracle.prefix(functions);
        if oracle.pairs(dependence, prefix, budget)?.is_none() {
            return Ok(None);
        }
        oracle.signs(dependence, prefix, function, budget).map(Some)
    }

    /// No dependence connects instances that agree in all other loops around them and differ in
    /// `member`.
    pub(crate) fn is_free_inside(
        &self,
        band: &Band,
        member: usize,
        place: &Place,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        Ok(!self.order_inside(band, member, place, budget)?.is_carried())
    }

    /// The dependences between instances that agree in all loops around them but `member`.
    pub(crate) fn order_inside(
        &self,
        band: &Band,
        member: usize,
        place: &Place,
        budget: &mut Budget,
    ) -> Result<Order, Stop> {
        let others = band.schedule.members().iter().enumerate().filter(|(m, _)| *m != member).map(|(_, f)| f);
        let around: Vec<&UnionPwAff> = points_of(&place.outer).chain(others).collect();
        self.order_along(&around, band.schedule.get(member), &place.active, budget)
    }

    /// The dependences among some statements between instances that agree in the functions
    /// `around`, and whether they differ in one more.
    pub(crate) fn order_along(
        &self,
        around: &[&UnionPwAff],
        function: &UnionPwAff,
        active: &[usize],
        budget: &mut Budget,
    ) -> Result<Order, Stop> {
        let mut order = Order::default();
        for (number, dependence) in self.analysis.dependences.dependences.iter().enumerate() {
            let (source, sink) = (dependence.source.0, dependence.sink.0);
            if !dependence.is_ordering() || !active.contains(&source) || !active.contains(&sink) {
                continue;
            }
            let output = dependence.kind == DependenceKind::Output;
            if order.knows(source, sink, output) {
                continue;
            }
            if self.config.original_order && is_fixed_order_recurrence(&self.analysis.scop, dependence) {
                continue;
            }
            let signs = self.signs_inside(number, around.iter().copied(), function, budget)?;
            if let Some(carried) = signs.map(Signs::any) {
                let forward = carried && self.goes_forward(dependence);
                let single = carried && source == sink && self.ends_at_once(number, around, budget)?;
                order.edges.push(Edge { source, sink, output, carried, forward, single });
                if carried && active.len() > MAX_CHAINS {
                    order.is_cut_short = true;
                    break;
                }
            }
        }
        Ok(order)
    }

    /// Whether no instance that waits because of a dependence of a statement on itself is one that
    /// another one waits for: of all iterations in a row, two are a chain, as where the last one of
    /// a loop reads what the first one has written.
    fn ends_at_once(&self, dependence: usize, around: &[&UnionPwAff], budget: &mut Budget) -> Result<bool, Stop> {
        let Some(pairs) = self.pairs_inside(dependence, around.iter().copied(), budget)? else { return Ok(true) };
        pairs.range().intersect_within(&pairs.domain(), budget)?.is_empty(budget)
    }

    /// Whether the source of a dependence comes before its sink in the body of an innermost loop,
    /// as LLVM sees it: then vectors of the body, statement by statement, keep its order
    /// [Allen1987]. LLVM must find out the distance: both accesses move alike. Of statements one
    /// after the other this is said where the original order is priced; in new code, what one
    /// stores and another loads soon after makes LLVM refuse.
    fn goes_forward(&self, dependence: &Dependence) -> bool {
        let (source, sink) = (dependence.source, dependence.sink);
        let body = &self.analysis.scop.statements[source.0].body;
        let place = |access: usize| body.iter().position(|instr| instr.executes(AccessId::from(access)));
        let within = source.0 == sink.0 && dependence.kind == DependenceKind::Anti && place(source.1) < place(sink.1);
        let between = source.0 < sink.0 && self.config.original_order;
        let plain = !dependence.reduction && !dependence.conditional;
        let moves_alike = || self.steps_of(source).is_some_and(|steps| Some(steps) == self.steps_of(sink));
        plain && (self.hands_on(dependence) || (within || between) && moves_alike())
    }

    /// Whether the original hands a stored value on to the next iteration in a register, in vector
    /// code as well: it is used behind the place where the next value is known only, and the next
    /// one is not computed from it. (Of scalars [`is_fixed_order_recurrence`] speaks.)
    fn hands_on(&self, dependence: &Dependence) -> bool {
        let (source, sink) = (dependence.source, dependence.sink);
        let statement = &self.analysis.scop.statements[source.0];
        if !self.config.original_order || source.0 != sink.0 || dependence.kind != DependenceKind::Flow {
            return false;
        }
        let place = |access: usize| statement.body.iter().position(|instr| instr.executes(AccessId::from(access)));
        let (Some(write), Some(read)) = (place(source.1), place(sink.1)) else { return false };
        let known = statement.body[write].operands.first().map(|operand| operand.value);
        let known = statement.body.iter().position(|instr| Some(instr.value) == known).unwrap_or(0);
        let mut uses = vec![statement.body[read].value];
        for (at, instr) in statement.body.iter().enumerate().skip(read + 1) {
            if instr.locals().any(|value| uses.contains(&value)) {
                if at == write || at <= known && instr.has_effect() {
                    return false;
                }
                uses.push(instr.value);
            }
        }
        true
    }

    /// The bytes that an access of memory moves by along each iterator of its statement, if it is
    /// affine.
    fn steps_of(&self, (statement, access): (usize, usize)) -> Option<&[f64]> {
        let scop = &self.analysis.scop;
        let accesses = &scop.statements[statement].accesses;
        let is_scalar = |access: &Access| scop.arrays[access.array.index()].is_scalar();
        if is_scalar(&accesses[access]) {
            return None;
        }
        let place = accesses[..access].iter().filter(|access| !is_scalar(access)).count();
        let facts = &self.facts[statement].accesses[place];
        facts.subscripts.is_some().then_some(&facts.steps[..])
    }

    /// The names of the pairs of statements that depend on each other from one iteration to
    /// another.
    pub(crate) fn dependent(&self, order: &Order, place: &Place) -> Vec<(Id, Id)> {
        let name = |s: usize| Id::new(&self.analysis.scop.statements[s].name);
        let pairs: BTreeSet<(usize, usize)> = order.bound(&place.active).into_iter().collect();
        pairs.into_iter().map(|(a, b)| (name(a), name(b))).collect()
    }
}

/// In bands of more statements, chains are not told from other dependences.
const MAX_CHAINS: usize = 12;

/// Dependences between statements within one loop, at equal values of all others around it.
#[derive(Debug, Default)]
pub(crate) struct Order {
    edges: Vec<Edge>,
    /// Not all dependences were looked at.
    is_cut_short: bool,
}

/// A dependence from a statement to a statement.
#[derive(Debug)]
pub(crate) struct Edge {
    source: usize,
    sink: usize,
    /// The sink overwrites what the source has written.
    output: bool,
    /// From one iteration of the loop to another.
    carried: bool,
    /// That, and forward in the body of the loop.
    forward: bool,
    /// It is carried, from a statement to itself, and no chain of two of its pairs exists.
    single: bool,
}

impl Order {
    /// A further dependence between the two, an output dependence or not, could add nothing.
    pub(crate) fn knows(&self, source: usize, sink: usize, output: bool) -> bool {
        let tells_all = |edge: &&Edge| edge.carried && !edge.forward && !edge.single && (output || !edge.output);
        self.edges.iter().filter(tells_all).any(|edge| (edge.source, edge.sink) == (source, sink))
    }

    /// Whether the loop carries dependences, all of which go forward in its body.
    pub(crate) fn is_forward(&self) -> bool {
        self.is_carried() && !self.is_cut_short && self.edges.iter().all(|edge| !edge.carried || edge.forward)
    }

    /// The pairs of these statements that depend on each other from one iteration to another, as
    /// far as is known.
    pub(crate) fn bound(&self, active: &[usize]) -> Vec<(usize, usize)> {
        if self.is_cut_short {
            return active.iter().flat_map(|&a| active.iter().map(move |&b| (a, b))).collect();
        }
        self.edges.iter().filter(|edge| edge.carried).map(|edge| (edge.source, edge.sink)).collect()
    }

    /// Whether instances of a statement may wait for others of the same one in another iteration.
    pub(crate) fn is_bound(&self, statement: usize) -> bool {
        self.is_cut_short || self.edges.iter().any(|e| e.carried && (e.source, e.sink) == (statement, statement))
    }

    /// Whether the loop carries anything.
    pub(crate) fn is_carried(&self) -> bool {
        self.edges.iter().any(|edge| edge.carried)
    }

    /// Whether an instance of a statement comes behind an instance of the same statement in another
    /// iteration, directly or by way of others.
    pub(crate) fn is_chained(&self, statement: usize) -> bool {
        self.has_cycle(statement, |_| true)
    }

    /// The same without output dependences: nobody waits for what is only overwritten, as the
    /// processor keeps stores in order by itself. (Nor for what overwrites a value that is read
    /// before; but updates in place are priced as chains.)
    pub(crate) fn waits(&self, statement: usize) -> bool {
        self.has_cycle(statement, |edge| !edge.output)
    }

    /// Whether a chain of these dependences comes back to a statement in another iteration.
    fn has_cycle(&self, statement: usize, counts: impl Fn(&Edge) -> bool) -> bool {
        if self.is_cut_short {
            return true;
        }
        let edges: Vec<&Edge> = self.edges.iter().filter(|edge| counts(edge)).collect();
        // Two of one statement's may be a chain together.
        let is_alone =
            |edge: &Edge| edge.single && edges.iter().filter(|e| e.carried && e.sink == edge.sink).count() == 1;
        let carried = edges.iter().filter(|edge| edge.carried && !is_alone(edge));
        let mut carried = carried.filter(|edge| reaches(&edges, statement, edge.source));
        carried.any(|edge| reaches(&edges, edge.sink, statement))
    }
}

/// Whether these dependences lead from a statement to a statement.
fn reaches(edges: &[&Edge], from: usize, to: usize) -> bool {
    let mut seen = vec![from];
    let mut next = 0;
    while let Some(&at) = seen.get(next) {
        if at == to {
            return true;
        }
        next += 1;
        for edge in edges.iter().filter(|edge| edge.source == at) {
            if !seen.contains(&edge.sink) {
                seen.push(edge.sink);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(edges: &[(usize, usize, bool)]) -> Order {
        let edges = edges.iter().map(|&(source, sink, carried)| Edge {
            source,
            sink,
            output: false,
            carried,
            forward: false,
            single: false,
        });
        Order { edges: edges.collect(), is_cut_short: false }
    }

    #[test]
    fn a_chain_returns_to_its_statement_in_another_iteration() {
        // One value for all iterations: everything waits for the statement that makes it, but for
        // nothing else.
        let broadcast = order(&[(0, 1, true)]);
        assert!(broadcast.is_carried());
        assert!(!broadcast.is_chained(0) && !broadcast.is_chained(1));
        assert!(order(&[(0, 0, true)]).is_chained(0));
        // Back within the iteration.
        let around = order(&[(0, 1, true), (1, 0, false), (1, 2, true)]);
        assert!(around.is_chained(0) && around.is_chained(1) && !around.is_chained(2));
        assert!(!order(&[(0, 1, false), (1, 0, false)]).is_chained(0));
    }

    #[test]
    fn nobody_waits_for_what_is_overwritten() {
        let mut order = order(&[(0, 0, true), (0, 1, false), (1, 0, true)]);
        assert!(order.waits(0) && order.waits(1));
        order.edges[0].output = true;
        assert!(order.waits(0) && order.waits(1), "there is the way by statement 1");
        order.edges[1].output = true;
        assert!(order.is_chained(0) && !order.waits(0) && !order.waits(1));
        // Then a value that is handed on adds something.
        assert!(order.knows(0, 0, true) && !order.knows(0, 0, false));
    }

    #[test]
    fn a_pair_of_iterations_is_no_chain() {
        let single = |sink| Edge { source: sink, sink, output: false, carried: true, forward: false, single: true };
        let one = Order { edges: vec![single(0)], is_cut_short: false };
        assert!(one.is_carried() && one.is_bound(0) && !one.is_chained(0));
        let two = Order { edges: vec![single(0), single(0)], is_cut_short: false };
        assert!(two.is_chained(0));
    }
}
