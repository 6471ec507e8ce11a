//! Loops that look for extremes, and where they are.
//!
//! # Problem
//! `if (a[i] < best) { best = a[i]; at = i; }` is a chain through all iterations: the model has no
//! order of it but the original one, and LLVM makes no vectors of it because `at` is no reduction
//! of its own. But lanes may each look for the best of their own iterations, if the best of the
//! lanes is taken afterwards: the smallest value, and of equal ones the one that the loop would
//! have kept [FisherGhuloum1994].
//!
//! # Why that has the same bits
//! Let `<` be the comparison and strict, as above. An iteration keeps its value if it is less than
//! all that came before it, so in the end the loop has the first of the smallest ones, or what it
//! had before, if none is less than that. A lane finds the first smallest one of its own; the least
//! iteration number among equal ones of all lanes is the first of all. With `<=` it is the last
//! one, and the greatest number. Floating-point comparisons must be false if one operand is not a
//! number: then such values are never kept, and if the loop begins with one, nothing is. (What is
//! kept is computed again in the iteration that was found: zeros keep their signs.)
//!
//! # What is demanded
//! 1. The loop is counted, and stores nothing: so an iteration may be computed again.
//! 2. It is one block, or a chain of blocks each of which may lead to the latch instead of the next
//!    one: iterations for which the *guards* hold are compared. Guards have lanes, too; what is
//!    loaded behind one is loaded under a mask.
//! 3. Each PHI node moves by a constant, is the best value so far, or is kept beside one.
//! 4. Best values, what is kept, and the comparisons are used for nothing else in the loop.
//! 5. What is used behind the loop is kept, or belongs to the last iteration whatever that is, and
//!    goes through PHI nodes of the next block.
//! 6. What is compared has lanes: loads of neighbours, and arithmetic.
//!
//! Several extremes may be looked for at once, as the least and the largest one. The best value may
//! be where a PHI node says (`if (a[i] < a[at]) at = i;`): the same address, of which scalar
//! evolution knows that it is where the kept iteration has loaded its value.

use std::collections::HashSet;

use poly_shim::ir::{Opcode, TypeKind};
use poly_shim::{
    Best, BlockRef, Extreme, ExtremeLoop, LoopRef, Numbers, PassContext, ScevKind, ScevRef, Stepper, ValueRef,
};

/// Most instructions of such a loop.
const MAX_INSTRUCTIONS: usize = 100;

/// The first loop that looks for extremes, of those whose blocks may be looked at.
pub fn extreme_loop<'c>(cx: PassContext<'c>, may: &dyn Fn(BlockRef<'c>) -> bool) -> Option<ExtremeLoop<'c>> {
    let mut todo = cx.top_level_loops();
    todo.reverse();
    while let Some(l) = todo.pop() {
        if may(l.header())
            && let Some(found) = Search::new(cx, l).and_then(Search::extremes)
        {
            return Some(found);
        }
        todo.extend(l.subloops().into_iter().rev());
    }
    None
}

/// Whether the loop is one of them.
pub(crate) fn finds_extremes<'c>(cx: PassContext<'c>, l: LoopRef<'c>) -> bool {
    Search::new(cx, l).and_then(Search::extremes).is_some()
}

/// When a condition is true: `value` compared with the best one so far.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Order {
    numbers: Numbers,
    is_least: bool,
    is_last: bool,
}

impl Order {
    /// By LLVM's name of a comparison of the value with the best one.
    fn of(comparison: &str) -> Option<Self> {
        let (numbers, relation) = match comparison.split_at_checked(1)? {
            ("s", relation) => (Numbers::Signed, relation),
            ("u", relation) => (Numbers::Unsigned, relation),
            ("o", relation) => (Numbers::Float, relation),
            _ => return None,
        };
        let (is_least, is_last) = match relation {
            "lt" => (true, false),
            "le" => (true, true),
            "gt" => (false, false),
            "ge" => (false, true),
            _ => return None,
        };
        Some(Self { numbers, is_least, is_last })
    }
}

/// LLVM's name of the comparison with exchanged operands, and of its negation.
fn swapped(comparison: &str) -> String {
    let (numbers, relation) = comparison.split_at(comparison.len().min(1));
    let relation = match relation {
        "lt" => "gt",
        "gt" => "lt",
        "le" => "ge",
        "ge" => "le",
        other => other,
    };
    format!("{numbers}{relation}")
}

fn negated(comparison: &str, is_float: bool) -> String {
    let (numbers, relation) = comparison.split_at(comparison.len().min(1));
    let numbers = match numbers {
        "o" if is_float => "u",
        "u" if is_float => "o",
        other => other,
    };
    let relation = match relation {
        "lt" => "ge",
        "gt" => "le",
        "le" => "gt",
        "ge" => "lt",
        _ => "",
    };
    format!("{numbers}{relation}")
}

/// A PHI node that keeps its value, or takes another one if a condition is true.
#[derive(Clone, Copy)]
struct Choice<'c> {
    phi: ValueRef<'c>,
    taken: ValueRef<'c>,
    condition: ValueRef<'c>,
    /// The other value is taken if the condition is false.
    is_negated: bool,
    /// How many guards must hold.
    guards: usize,
}

/// A PHI node that becomes the smaller or the larger one of itself and a value.
#[derive(Clone, Copy)]
struct Running<'c> {
    phi: ValueRef<'c>,
    value: ValueRef<'c>,
    order: Order,
    guards: usize,
}

/// A condition, and what it must be.
type Guard<'c> = (ValueRef<'c>, bool);

/// A loop that is looked at.
struct Search<'c> {
    cx: PassContext<'c>,
    inner: LoopRef<'c>,
    latch: BlockRef<'c>,
    blocks: Vec<BlockRef<'c>>,
    /// By block that leads to the next one or to the latch, on what that depends.
    guards: Vec<Guard<'c>>,
    instructions: Vec<ValueRef<'c>>,
    /// What hands values on to the next iteration, with the PHI nodes of the header.
    next: Vec<(ValueRef<'c>, ValueRef<'c>)>,
    /// What belongs to that, and is used for nothing else.
    own: HashSet<ValueRef<'c>>,
    steppers: Vec<Stepper<'c>>,
    choices: Vec<Choice<'c>>,
    running: Vec<Running<'c>>,
}

impl<'c> Search<'c> {
    /// Nothing if the loop does not have the form, or contains something else.
    fn new(cx: PassContext<'c>, inner: LoopRef<'c>) -> Option<Self> {
        let latch = inner.latch()?;
        if inner.exiting_block() != Some(latch) || !inner.is_simplified() || inner.exit_block().is_none() {
            return None;
        }
        let (blocks, guards) = chain(inner, latch)?;
        let instructions: Vec<ValueRef<'c>> = blocks.iter().flat_map(|block| block.instructions()).collect();
        if instructions.len() > MAX_INSTRUCTIONS {
            return None;
        }
        let own = blocks[..blocks.len() - 1].iter().map(|block| block.terminator()).collect();
        let (steppers, next, choices, running) = Default::default();
        let mut search = Self { cx, inner, latch, blocks, guards, instructions, next, own, steppers, choices, running };
        for phi in inner.header().phis() {
            search.classify(phi)?;
        }
        let is_handed_on = |phi: &ValueRef<'c>| search.own.contains(phi);
        let has_form = !search.choices.is_empty()
            && (search.blocks.len() == 1 || latch.phis().iter().all(is_handed_on))
            && search.instructions.iter().all(|instruction| search.is_harmless(*instruction));
        has_form.then_some(search)
    }

    fn is_inside(&self, value: ValueRef<'c>) -> bool {
        value.block().is_some_and(|block| self.blocks.contains(&block))
    }

    /// Each iteration executes it.
    fn is_always(&self, value: ValueRef<'c>) -> bool {
        value.block().is_some_and(|block| block == self.blocks[0] || block == self.latch)
    }

    /// It computes something, or loads it, and does nothing else.
    fn is_harmless(&self, instruction: ValueRef<'c>) -> bool {
        let effects = instruction.effects();
        match instruction.opcode() {
            Some(Opcode::Phi | Opcode::Br) => true,
            Some(Opcode::Load) => !effects.is_volatile() && !effects.is_atomic(),
            _ if instruction.is_call() => {
                instruction.is_mark()
                    || instruction.intrinsic_name().is_some() && instruction.call_properties().is_pure()
            }
            Some(Opcode::Alloca | Opcode::Other) => false,
            _ => !effects.may_read() && !effects.has_side_effects() && effects.transfers_execution(),
        }
    }

    /// Puts a PHI node of the header where it belongs; nothing if it is of no known kind.
    fn classify(&mut self, phi: ValueRef<'c>) -> Option<()> {
        let from = |inside: bool| phi.incoming().into_iter().find(|(block, _)| (*block == self.latch) == inside);
        let (start, next) = (from(false)?.1, from(true)?.1);
        let is_usual =
            phi.ty().kind() == TypeKind::Pointer(0) || phi.ty().integer_bits().is_some_and(|bits| bits <= 64);
        if let Some(step) = self.cx.scev(phi).and_then(|scev| self.step(scev)).filter(|_| is_usual) {
            self.steppers.push(Stepper { phi, start, step });
            return Some(());
        }
        if !self.is_inside(next) {
            return None;
        }
        let (value, guards) = self.guarded(phi, next)?;
        self.next.push((next, phi));
        self.own.extend([phi, next]);
        if let Some((of, order)) = running(phi, value).filter(|_| self.is_inside(value)) {
            self.own.insert(value);
            self.running.push(Running { phi, value: of, order, guards });
            return Some(());
        }
        let choice = match self.is_inside(value) && value.opcode() == Some(Opcode::Select) {
            true => chosen(phi, value, guards),
            false => None,
        };
        if choice.is_some() {
            self.own.insert(value);
        }
        let choice = match choice {
            Some(choice) => choice,
            // The last guard decides whether the value is taken.
            None => {
                let (condition, holds) = *self.guards.get(guards.checked_sub(1)?)?;
                Choice { phi, taken: value, condition, is_negated: !holds, guards: guards - 1 }
            }
        };
        let is_comparison = matches!(choice.condition.opcode(), Some(Opcode::ICmp | Opcode::FCmp));
        if !is_comparison || !self.is_inside(choice.condition) {
            return None;
        }
        self.own.insert(choice.condition);
        self.choices.push(choice);
        Some(())
    }

    /// What the PHI node of the header gets if so many guards hold; else it keeps its value.
    fn guarded(&self, phi: ValueRef<'c>, next: ValueRef<'c>) -> Option<(ValueRef<'c>, usize)> {
        let is_merged = self.blocks.len() > 1 && next.block() == Some(self.latch) && next.opcode() == Some(Opcode::Phi);
        if !is_merged {
            return self.is_always(next).then_some((next, 0));
        }
        let mut others = next.incoming().into_iter().filter(|(_, value)| *value != phi);
        let (Some((from, value)), None) = (others.next(), others.next()) else { return None };
        let last = self.blocks.len() - 2;
        (self.blocks[last] == from).then_some((value, last))
    }

    /// By how much the expression moves each time, if by a constant.
    fn step(&self, scev: ScevRef<'c>) -> Option<i64> {
        let is_counter = scev.kind() == ScevKind::AddRec && scev.addrec_loop() == Some(self.inner);
        let operands = scev.operands();
        (is_counter && operands.len() == 2).then(|| operands[1].constant_i64()).flatten()
    }

    fn extremes(self) -> Option<ExtremeLoop<'c>> {
        let backedges = self.cx.backedge_taken_count(self.inner);
        if backedges.is_could_not_compute()
            || self.cx.scev_bits(backedges) > 64
            || !self.cx.is_invariant(backedges, self.inner)
        {
            return None;
        }
        let guards = self.choices.first()?.guards;
        let mut all = self.choices.iter().map(|choice| choice.guards).chain(self.running.iter().map(|r| r.guards));
        if all.any(|other| other != guards) || self.guards.len() > guards + 1 {
            return None;
        }
        let guards = self.guards[..guards].to_vec();
        let mut extremes: Vec<Extreme<'c>> = Vec::new();
        for choice in &self.choices {
            let (value, order, best) = self.compared(choice)?;
            let same = |extreme: &&mut Extreme<'c>| match (&extreme.best, &best) {
                (Best::Phi(a), Best::Phi(b)) => a == b,
                (Best::Loaded(a), Best::Loaded(b)) => a.last() == b.last(),
                _ => false,
            };
            let kept = (choice.phi, choice.taken);
            match extremes.iter_mut().find(same) {
                Some(extreme) if extreme.value == value && order_of(extreme) == order => extreme.kept.push(kept),
                Some(_) => return None,
                None => extremes.push(extreme(value, order, best, vec![kept])),
            }
        }
        for running in &self.running {
            let is_known = |extreme: &Extreme<'c>| matches!(extreme.best, Best::Phi(phi) if phi == running.phi);
            match extremes.iter_mut().find(|extreme| is_known(extreme)) {
                Some(extreme) => extreme.kept.push((running.phi, running.value)),
                None => {
                    let kept = vec![(running.phi, running.value)];
                    extremes.push(extreme(running.value, running.order, Best::Phi(running.phi), kept));
                }
            }
        }
        let is_whole = |extreme: &Extreme<'c>| match extreme.best {
            Best::Phi(phi) => extreme.kept.contains(&(phi, extreme.value)),
            Best::Loaded(_) => true,
        };
        if !extremes.iter().all(is_whole) || !self.is_closed(&extremes) || !self.leaves_by_phis() {
            return None;
        }
        let kept = extremes.iter().flat_map(|extreme| &extreme.kept).map(|(_, taken)| *taken).collect();
        self.needed(kept, true)?;
        let asked = extremes.iter().map(|extreme| extreme.value).chain(guards.iter().map(|(guard, _)| *guard));
        let compared = self.needed(asked.collect(), false)?;
        if !compared.iter().all(|value| self.has_lanes(*value)) || !extremes.iter().all(|e| is_number(e.value)) {
            return None;
        }
        let is_backward = |load: &ValueRef<'c>| self.distance(*load).is_some_and(|bytes| bytes < 0);
        let backward = compared.iter().copied().filter(is_backward).collect();
        let is_guarded = |load: &ValueRef<'c>| load.opcode() == Some(Opcode::Load) && !self.is_always(*load);
        let guarded = compared.iter().copied().filter(is_guarded).collect();
        let Self { inner, blocks, steppers, next, .. } = self;
        Some(ExtremeLoop { inner, blocks, backedges, steppers, guards, extremes, next, compared, guarded, backward })
    }

    /// The value that the choice compares with the best one so far, and that.
    fn compared(&self, choice: &Choice<'c>) -> Option<(ValueRef<'c>, Order, Best<'c>)> {
        let [first, second] = choice.condition.operands()[..] else { return None };
        let comparison = choice.condition.comparison()?;
        let is_float = choice.condition.opcode() == Some(Opcode::FCmp);
        let comparison = if choice.is_negated { negated(comparison, is_float) } else { comparison.to_owned() };
        for (value, best, comparison) in [(first, second, comparison.clone()), (second, first, swapped(&comparison))] {
            let Some(order) = Order::of(&comparison).filter(|order| (order.numbers == Numbers::Float) == is_float)
            else {
                continue;
            };
            if let Some(best) = self.best(choice, value, best, order) {
                return Some((value, order, best));
            }
        }
        None
    }

    /// How `best` is the best one so far of the values.
    fn best(&self, choice: &Choice<'c>, value: ValueRef<'c>, best: ValueRef<'c>, order: Order) -> Option<Best<'c>> {
        let is_chosen = |other: &Choice<'c>| other.phi == best && other.taken == value;
        let is_running = |other: &Running<'c>| {
            let (a, b) = (other.order, order);
            other.phi == best && other.value == value && (a.numbers, a.is_least) == (b.numbers, b.is_least)
        };
        if self.choices.iter().any(is_chosen) || self.running.iter().any(is_running) {
            return Some(Best::Phi(best));
        }
        let is_load = |value: ValueRef<'c>| value.opcode() == Some(Opcode::Load) && self.is_inside(value);
        if !is_load(value) || !is_load(best) || value.access_type() != best.access_type() {
            return None;
        }
        let (from, remembered) = (self.cx.scev(value.pointer_operand()?)?, self.cx.scev(best.pointer_operand()?)?);
        if self.cx.scev_replace(remembered, &[(choice.phi, choice.taken)]) != from {
            return None;
        }
        let mut path = vec![best];
        let mut todo = vec![best.pointer_operand()?];
        while let Some(value) = todo.pop() {
            if value == choice.phi || !self.is_inside(value) || path.contains(&value) {
                continue;
            }
            if matches!(value.opcode()?, Opcode::Phi | Opcode::Load) {
                return None;
            }
            path.push(value);
            todo.extend(value.operands());
        }
        Some(Best::Loaded(self.in_order(path.into_iter().collect())))
    }

    fn in_order(&self, values: HashSet<ValueRef<'c>>) -> Vec<ValueRef<'c>> {
        self.instructions.iter().copied().filter(|instruction| values.contains(instruction)).collect()
    }

    /// What carries values from iteration to iteration is used for nothing else.
    fn is_closed(&self, extremes: &[Extreme<'c>]) -> bool {
        let mut own = self.own.clone();
        own.extend(extremes.iter().flat_map(|extreme| match &extreme.best {
            Best::Phi(_) => [].iter(),
            Best::Loaded(path) => path.iter(),
        }));
        own.iter().all(|value| value.users().iter().all(|user| !self.is_inside(*user) || own.contains(user)))
    }

    /// What is used behind the loop is what is handed on in the end, or is computed in the last
    /// iteration in any case, and goes through PHI nodes of the next block.
    fn leaves_by_phis(&self) -> bool {
        let Some(exit) = self.inner.exit_block() else { return false };
        let is_known = |user: &ValueRef<'c>| {
            self.is_inside(*user) || user.block() == Some(exit) && user.opcode() == Some(Opcode::Phi)
        };
        let is_last = |value: ValueRef<'c>| {
            let is_handed_on = self.next.iter().any(|(next, _)| *next == value);
            let computed = || self.needed(vec![value], true);
            is_handed_on || computed().is_some_and(|needed| needed.iter().all(|value| self.is_always(*value)))
        };
        let left = |phi: ValueRef<'c>| phi.incoming().into_iter().find(|(block, _)| *block == self.latch);
        exit.phis().into_iter().all(|phi| left(phi).is_some_and(|(_, value)| is_last(value)))
            && self.instructions.iter().all(|instruction| instruction.users().iter().all(is_known))
    }

    /// What the values need of the loop, in the order of the blocks, with addresses or without;
    /// nothing if that are values that are carried from iteration to iteration.
    fn needed(&self, values: Vec<ValueRef<'c>>, with_addresses: bool) -> Option<Vec<ValueRef<'c>>> {
        let (mut todo, mut known) = (values, HashSet::new());
        while let Some(value) = todo.pop() {
            if !self.is_inside(value) || self.steppers.iter().any(|stepper| stepper.phi == value) {
                continue;
            }
            if value.opcode() == Some(Opcode::Phi) {
                return None;
            }
            if known.insert(value) && (with_addresses || value.opcode() != Some(Opcode::Load)) {
                todo.extend(value.operands());
            }
        }
        Some(self.in_order(known))
    }
}

/// Lanes.
impl<'c> Search<'c> {
    /// Several iterations can compute it at once.
    fn has_lanes(&self, value: ValueRef<'c>) -> bool {
        match value.opcode() {
            Some(Opcode::Load) => {
                // Only those have masked loads, if any.
                let has_mask = || matches!(self.cx.store_size(value.ty()), Some(4 | 8));
                is_number(value) && self.is_beside(value) && (self.is_always(value) || has_mask())
            }
            Some(Opcode::UIToFP | Opcode::ICmp | Opcode::FCmp | Opcode::Select | Opcode::Freeze) => is_number(value),
            Some(opcode) if opcode.is_elementwise() => is_number(value),
            Some(Opcode::Call) => {
                const KNOWN: [&str; 10] = [
                    "llvm.fabs",
                    "llvm.sqrt",
                    "llvm.fmuladd",
                    "llvm.fma",
                    "llvm.copysign",
                    "llvm.smin",
                    "llvm.smax",
                    "llvm.umin",
                    "llvm.umax",
                    "llvm.minnum",
                ];
                is_number(value) && value.intrinsic_name().is_some_and(|name| KNOWN.contains(&name.as_str()))
            }
            _ => false,
        }
    }

    /// The next iteration loads what lies behind it, or in front of it.
    fn is_beside(&self, load: ValueRef<'c>) -> bool {
        let size = load.access_type().and_then(|ty| self.cx.alloc_size(ty));
        self.distance(load).is_some_and(|bytes| Some(bytes.unsigned_abs()) == size)
    }

    /// By how many bytes the address of the load moves each time.
    fn distance(&self, load: ValueRef<'c>) -> Option<i64> {
        if load.opcode() != Some(Opcode::Load) {
            return None;
        }
        self.step(self.cx.scev(load.pointer_operand()?)?)
    }
}

/// It has a type of which there are vectors.
fn is_number(value: ValueRef<'_>) -> bool {
    let ty = value.ty();
    match ty.kind() {
        TypeKind::Float => matches!(ty.print().as_str(), "float" | "double"),
        _ => matches!(ty.integer_bits(), Some(1 | 8 | 16 | 32 | 64)),
    }
}

/// The blocks of a loop, the latch last, if each of them leads to the next one, or to the latch;
/// and on what that depends.
fn chain<'c>(l: LoopRef<'c>, latch: BlockRef<'c>) -> Option<(Vec<BlockRef<'c>>, Vec<Guard<'c>>)> {
    let (mut blocks, mut guards) = (vec![l.header()], Vec::new());
    let mut block = l.header();
    while block != latch {
        let end = block.terminator();
        let next = match (end.opcode()?, &block.successors()[..]) {
            (Opcode::Br, &[next]) if next == latch => next,
            (Opcode::Br, &[next, other]) | (Opcode::Br, &[other, next])
                if other == latch && next != latch && next.predecessors() == [block] =>
            {
                guards.push((end.condition()?, block.successors()[0] == next));
                next
            }
            _ => return None,
        };
        if blocks.contains(&next) {
            return None;
        }
        blocks.push(next);
        block = next;
    }
    (l.blocks().len() == blocks.len()).then_some((blocks, guards))
}

/// `value` is the PHI node, or another value if a condition is true.
fn chosen<'c>(phi: ValueRef<'c>, value: ValueRef<'c>, guards: usize) -> Option<Choice<'c>> {
    let [condition, then, otherwise] = value.operands()[..] else { return None };
    let (taken, is_negated) = match (then == phi, otherwise == phi) {
        (false, true) => (then, false),
        (true, false) => (otherwise, true),
        _ => return None,
    };
    Some(Choice { phi, taken, condition, is_negated, guards })
}

/// `next` is the smaller or the larger one of the PHI node and a value.
fn running<'c>(phi: ValueRef<'c>, next: ValueRef<'c>) -> Option<(ValueRef<'c>, Order)> {
    if next.opcode() != Some(Opcode::Call) {
        return None;
    }
    let (numbers, is_least) = match next.intrinsic_name()?.as_str() {
        "llvm.smin" => (Numbers::Signed, true),
        "llvm.smax" => (Numbers::Signed, false),
        "llvm.umin" => (Numbers::Unsigned, true),
        "llvm.umax" => (Numbers::Unsigned, false),
        _ => return None,
    };
    let operands = next.operands();
    let value = match (operands[0] == phi, operands[1] == phi) {
        (true, false) => operands[1],
        (false, true) => operands[0],
        _ => return None,
    };
    Some((value, Order { numbers, is_least, is_last: false }))
}

fn order_of(extreme: &Extreme<'_>) -> Order {
    Order { numbers: extreme.numbers, is_least: extreme.is_least, is_last: extreme.is_last }
}

fn extreme<'c>(
    value: ValueRef<'c>,
    order: Order,
    best: Best<'c>,
    kept: Vec<(ValueRef<'c>, ValueRef<'c>)>,
) -> Extreme<'c> {
    let Order { numbers, is_least, is_last } = order;
    Extreme { value, numbers, is_least, is_last, best, kept }
}
