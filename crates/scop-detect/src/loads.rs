//! Loads that have the same result whenever the region executes them.
//!
//! # Problem
//! Bounds, sizes and base pointers are often loaded in the very loops that they are for
//! (`i < s->rows`, `s->data[i]`), because a write of the loop might change them. The model needs
//! them as values that do not change.
//!
//! # Definitions
//! A load is *invariant* if its address is computed from values from before the region and from
//! other invariant loads (then it is *nested*), and nothing in the region writes what it reads. The
//! first is found here, the second is tested before the region ([`crate::alias::of_loads`]).
//! Invariant loads of one type from one address are a *class*; its first load stands for all of
//! them in expressions (its *representative*).
//!
//! # Algorithm
//! 1. Only loads that conditions or addresses depend on are of interest.
//! 2. In textual order, those with an invariant address are put into classes. Equal addresses are
//!    equal expressions of scalar evolution, once every load in them is replaced by the
//!    representative of its class.
//! 3. Where a value was loaded before and is loaded again later, optimizers leave PHI nodes that
//!    choose the newest one. Those that choose among loads of one class, and loads from the same
//!    address before the region, belong to the class; then the value from before stands for it, and
//!    that it is what the load would give is tested. So it does where the program has loaded from
//!    the address before without such PHI nodes: what it knows about that value is then known.
//!    Classes and such PHI nodes are found in turn, until nothing changes, beginning without PHI
//!    nodes.
//! 4. Loads of what the region certainly writes are left out: the test would never pass. So are
//!    pointers to single rows of a table, other rows of which are reached through pointers that
//!    change ([`crate::rows`]): as arrays of their own they would overlap those rows.
//!
//! Whether and when a class may be executed before the region is decided when the model is there:
//! [`crate::hoist`].

use std::collections::{HashMap, HashSet};

use indexmap::IndexSet;
use poly_shim::ir::{Opcode, TypeKind};
use poly_shim::{PassContext, ScevRef, TypeRef, ValueRef};

use crate::access::transfer;
use crate::cfg::{BlockId, Cfg};
use crate::expressions::Expressions;
use crate::lifetimes;
use crate::regions::{Item, Region};
use crate::values::{Origins, condition_of};

/// Largest number of classes of a region.
const MAX_CLASSES: usize = 32;
/// Largest number of PHI nodes that are looked through from one.
const MAX_WEB: usize = 64;
/// How many blocks are looked at for a load before the region.
const MAX_DOMINATORS: usize = 32;
/// How often classes are looked for.
const MAX_ROUNDS: usize = 8;

/// Loads of one type from one address.
#[derive(Clone, Debug)]
pub(crate) struct Class<'c> {
    /// The loads with their blocks, in textual order.
    pub(crate) sites: Vec<(BlockId, ValueRef<'c>)>,
    /// PHI nodes that choose among the loads, and values from before.
    pub(crate) phis: Vec<ValueRef<'c>>,
    /// Values from before the region that were loaded from the address, those that the PHI nodes
    /// may choose among them: it must be tested that what is loaded is the same.
    pub(crate) known: Vec<ValueRef<'c>>,
    /// The address, with the representative of each class for all others.
    pub(crate) address: ScevRef<'c>,
    /// The address depends on other classes.
    pub(crate) is_nested: bool,
    /// It has been loaded from the address before the region, and the memory is still there.
    pub(crate) is_there: bool,
}

impl<'c> Class<'c> {
    /// The first load.
    pub(crate) fn first(&self) -> ValueRef<'c> {
        self.sites.first().expect("a class has a load").1
    }

    /// The value that stands for all: one that is known before the region, or else the first load.
    fn representative(&self) -> ValueRef<'c> {
        self.known.first().copied().unwrap_or_else(|| self.first())
    }

    fn key(&self) -> Key<'c> {
        (self.address, self.first().ty())
    }
}

/// What tells classes apart: address and type.
type Key<'c> = (ScevRef<'c>, TypeRef<'c>);

/// PHI nodes that choose among equal loads, and loads before the region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Webs<'c> {
    /// The class of each of them.
    phis: HashMap<ValueRef<'c>, Key<'c>>,
    /// By class the values from before that they choose, too.
    known: HashMap<Key<'c>, Vec<ValueRef<'c>>>,
}

/// The invariant loads of a region.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loads<'c> {
    /// In the order of the first loads. A class comes after those whose loads its address depends
    /// on.
    pub(crate) classes: Vec<Class<'c>>,
    /// Loads and PHI nodes of the region with their classes.
    numbers: HashMap<ValueRef<'c>, usize>,
    /// Those that do not stand for their class, with the value that does.
    replaced: HashMap<ValueRef<'c>, ValueRef<'c>>,
}

impl<'c> Loads<'c> {
    /// Whether a value of the region is known before it.
    pub(crate) fn contains(&self, value: ValueRef<'c>) -> bool {
        self.numbers.contains_key(&value)
    }

    /// The value that stands for the value; those of no class stand for themselves.
    pub(crate) fn representative(&self, value: ValueRef<'c>) -> ValueRef<'c> {
        self.replaced.get(&value).copied().unwrap_or(value)
    }

    /// The expression with the representative of each class for all others.
    pub(crate) fn canonical(
        &self,
        ctx: PassContext<'c>,
        expressions: &Expressions<'c>,
        scev: ScevRef<'c>,
    ) -> ScevRef<'c> {
        if self.replaced.is_empty() || scev.is_could_not_compute() {
            return scev;
        }
        expressions.replace(ctx, scev, &self.replaced)
    }

    /// How many classes must have been loaded before the expression is known: one more than the
    /// number of the last one in it.
    pub(crate) fn stage(&self, scev: ScevRef<'c>) -> usize {
        let classes = scev.values().into_iter().filter_map(|value| self.numbers.get(&value));
        classes.map(|class| class + 1).max().unwrap_or(0)
    }

    fn class_with(&self, key: Key<'c>) -> Option<usize> {
        self.classes.iter().position(|class| class.key() == key)
    }

    fn add(&mut self, (block, load): (BlockId, ValueRef<'c>), address: ScevRef<'c>, webs: &Webs<'c>) {
        let key = (address, load.ty());
        let known = webs.known.get(&key).cloned().unwrap_or_default();
        let number = match self.class_with(key) {
            Some(number) => {
                self.classes[number].sites.push((block, load));
                number
            }
            None if self.classes.len() >= MAX_CLASSES => return,
            None => {
                let sites = vec![(block, load)];
                self.classes.push(Class { sites, phis: Vec::new(), known, address, is_nested: false, is_there: false });
                self.classes.len() - 1
            }
        };
        self.register(load, number);
    }

    fn register(&mut self, value: ValueRef<'c>, number: usize) {
        self.numbers.insert(value, number);
        let representative = self.classes[number].representative();
        if representative != value {
            self.replaced.insert(value, representative);
        }
    }

    /// A PHI node of a web. If a value from before stands for its class it may come before all of
    /// the class's loads.
    fn add_phi(&mut self, phi: ValueRef<'c>, key: Key<'c>, webs: &Webs<'c>) {
        match (webs.known.get(&key).and_then(|known| known.first()), self.class_with(key)) {
            (_, Some(number)) => {
                self.classes[number].phis.push(phi);
                self.register(phi, number);
            }
            (Some(&known), None) => {
                self.numbers.insert(phi, usize::MAX);
                self.replaced.insert(phi, known);
            }
            (None, None) => {}
        }
    }

    /// Looks for the classes of PHI nodes that came before the loads of theirs, and for addresses
    /// that depend on other classes.
    fn finish(&mut self, webs: &Webs<'c>, phis: &[ValueRef<'c>]) {
        for &phi in phis {
            if self.numbers.get(&phi) == Some(&usize::MAX)
                && let Some(number) = self.class_with(webs.phis[&phi])
            {
                self.numbers.insert(phi, number);
                self.classes[number].phis.push(phi);
            }
        }
        let representatives: Vec<ValueRef<'c>> = self.classes.iter().map(Class::representative).collect();
        for class in &mut self.classes {
            class.is_nested = class.address.values().iter().any(|value| representatives.contains(value));
        }
    }
}

/// Where loads are looked for.
struct Search<'a, 'c> {
    ctx: PassContext<'c>,
    cfg: &'a Cfg<'c>,
    region: &'a Region,
    /// In textual order.
    blocks: Vec<BlockId>,
    /// Loads of interest.
    wanted: HashSet<ValueRef<'c>>,
    targets: Targets<'c>,
}

/// The addresses that stores of the region write to.
#[derive(Default)]
struct Targets<'c> {
    /// As scalar evolution has them.
    plain: IndexSet<ScevRef<'c>>,
    /// By value: the positions of those in which it occurs.
    with: HashMap<ValueRef<'c>, Vec<usize>>,
}

impl<'c> Targets<'c> {
    fn find(origins: Origins<'_, 'c>) -> Self {
        let mut result = Self::default();
        for &block in &origins.region.blocks {
            for store in origins.cfg.instructions(block).into_iter().filter(|i| i.opcode() == Some(Opcode::Store)) {
                let target = store.pointer_operand().and_then(|target| origins.scev_in(target, block));
                result.plain.extend(target);
            }
        }
        for (position, &target) in result.plain.iter().enumerate() {
            for &value in origins.cfg.expressions.values(target).iter() {
                result.with.entry(value).or_default().push(position);
            }
        }
        result
    }

    /// The addresses, once a value has a representative.
    fn update(&self, now: &mut [ScevRef<'c>], value: ValueRef<'c>, origins: Origins<'_, 'c>) {
        for &position in self.with.get(&value).map_or(&[][..], Vec::as_slice) {
            now[position] = origins.canonical(self.plain[position]);
        }
    }
}

/// The invariant loads of a region that conditions or addresses depend on, without those in
/// `refused`.
pub(crate) fn find<'c>(
    ctx: PassContext<'c>,
    cfg: &Cfg<'c>,
    region: &Region,
    items: &[Item],
    refused: &HashSet<ValueRef<'c>>,
) -> Loads<'c> {
    let mut wanted = wanted(cfg, region);
    wanted.retain(|load| !refused.contains(load) && !is_short_lived(cfg, region, *load));
    if wanted.is_empty() {
        return Loads::default();
    }
    let targets = Targets::find(Origins { ctx, cfg, region, loads: &Loads::default() });
    let mut search = Search { ctx, cfg, region, blocks: in_order(items), wanted, targets };
    let loads = search.loads();
    let rows = search.rows_of_tables(&loads);
    if rows.is_empty() {
        return loads;
    }
    search.wanted.retain(|load| !rows.contains(load));
    search.loads()
}

impl<'c> Search<'_, 'c> {
    fn origins<'o>(&'o self, loads: &'o Loads<'c>) -> Origins<'o, 'c> {
        Origins { ctx: self.ctx, cfg: self.cfg, region: self.region, loads }
    }

    fn loads(&self) -> Loads<'c> {
        let mut webs = Webs::default();
        for _ in 0..MAX_ROUNDS {
            let loads = self.classes(&webs);
            let found = self.webs(&loads);
            if found == webs {
                return loads;
            }
            webs = found;
        }
        self.classes(&Webs::default())
    }

    /// Those of the loads that load the pointer to one row of a table, other rows of which are
    /// reached through pointers that change: `d[0]` beside `d[i]`. It is a row like the others, and
    /// no array of its own, which would overlap that of the rows.
    fn rows_of_tables(&self, loads: &Loads<'c>) -> HashSet<ValueRef<'c>> {
        let origins = self.origins(loads);
        let table = |block: BlockId, load: ValueRef<'c>| {
            let address = origins.scev_in(load.pointer_operand()?, block)?;
            Some((self.ctx.pointer_base(address), origins.is_invariant(address)))
        };
        let is_pointer = |load: &ValueRef<'c>| self.wanted.contains(load) && load.ty().is_pointer();
        let pointers = || {
            let of = |&block: &BlockId| self.cfg.instructions(block).into_iter().map(move |load| (block, load));
            self.blocks.iter().flat_map(of).filter(|(_, load)| is_pointer(load))
        };
        let moving = |(block, load): (BlockId, ValueRef<'c>)| match table(block, load)? {
            (table, false) if origins.is_invariant(table) && is_simple(load) => Some(table),
            _ => None,
        };
        let tables: Vec<ScevRef<'c>> = pointers().filter_map(moving).collect();
        let is_row = |&(block, load): &(BlockId, ValueRef<'c>)| {
            loads.contains(load) && table(block, load).is_some_and(|(table, _)| tables.contains(&table))
        };
        pointers().filter(is_row).map(|(_, load)| load).collect()
    }

    /// The classes of loads if PHI nodes are what `webs` says.
    fn classes(&self, webs: &Webs<'c>) -> Loads<'c> {
        let mut loads = Loads::default();
        let mut phis = Vec::new();
        // What stores write to, by the classes so far.
        let mut written: Vec<ScevRef<'c>> = self.targets.plain.iter().copied().collect();
        for &block in &self.blocks {
            for value in self.cfg.instructions(block) {
                if let Some(&key) = webs.phis.get(&value) {
                    loads.add_phi(value, key, webs);
                    self.targets.update(&mut written, value, self.origins(&loads));
                    phis.push(value);
                }
                if !self.wanted.contains(&value) {
                    continue;
                }
                let origins = self.origins(&loads);
                let pointer = value.pointer_operand().expect("loads have an address");
                let address = origins.scev_in(pointer, block).filter(|&a| origins.is_invariant(a));
                // A store to this very address is no matter of a test.
                if let Some(address) = address.filter(|a| !written.contains(a)) {
                    loads.add((block, value), address, webs);
                    self.targets.update(&mut written, value, self.origins(&loads));
                }
            }
        }
        loads.finish(webs, &phis);
        for class in &mut loads.classes {
            class.is_there = class.known.iter().any(|&load| self.is_memory_still_there(load));
        }
        loads
    }

    /// The PHI nodes that choose among loads of one class and values that were loaded from the same
    /// address before.
    fn webs(&self, loads: &Loads<'c>) -> Webs<'c> {
        let mut result = Webs::default();
        for &block in self.blocks.iter().filter(|&&block| self.cfg.subregion_at(block).is_none()) {
            for phi in self.cfg.phis(block) {
                if let Some((class, known)) = self.web(loads, phi) {
                    let key = loads.classes[class].key();
                    result.phis.insert(phi, key);
                    let all = result.known.entry(key).or_default();
                    for value in known {
                        if !all.contains(&value) {
                            all.push(value);
                        }
                    }
                }
            }
        }
        for class in &loads.classes {
            let known = result.known.entry(class.key()).or_default();
            if known.is_empty() {
                known.extend(self.loaded_before(loads, class.key()));
            }
        }
        result.known.retain(|_, known| !known.is_empty());
        result
    }

    /// The nearest load of the class's kind that has been executed before the region.
    fn loaded_before(&self, loads: &Loads<'c>, key: Key<'c>) -> Option<ValueRef<'c>> {
        let before = self.cfg.dominators(self.region.entry).filter(|&block| !self.region.contains(block));
        let mut candidates =
            before.take(MAX_DOMINATORS).flat_map(|block| self.cfg.instructions(block).into_iter().rev());
        candidates.find(|&load| load.opcode() == Some(Opcode::Load) && is_simple(load) && self.is_of(loads, load, key))
    }

    /// Whether a load before the region is of the class's type and address. Of two equal pointers
    /// one may point to what the other must not be used for (memory that has been freed and
    /// allocated again), so pointers must have been loaded from memory that has not been written
    /// since.
    fn is_of(&self, loads: &Loads<'c>, load: ValueRef<'c>, (address, ty): Key<'c>) -> bool {
        let Some(block) = load.block().and_then(|b| self.cfg.number(b)) else { return false };
        let pointer = load.pointer_operand().expect("loads have an address");
        let writes = |i: &ValueRef<'c>| i.effects().may_write() && !i.is_mark();
        load.ty() == ty
            && self.origins(loads).scev_in(pointer, block) == Some(address)
            && (!ty.is_pointer() || self.is_nothing_since(load, block, writes))
    }

    /// Whether what the load before the region reads can be read again at the region: no call, mark
    /// or synchronization in between may have ended the life of the memory.
    fn is_memory_still_there(&self, load: ValueRef<'c>) -> bool {
        let is_plain_store = |i: &ValueRef<'c>| {
            i.opcode() == Some(Opcode::Store) && !i.effects().is_volatile() && !i.effects().is_atomic()
        };
        let may_end = |i: &ValueRef<'c>| i.is_mark() || (i.effects().may_write() && !is_plain_store(i));
        let block = load.block().and_then(|b| self.cfg.number(b));
        block.is_some_and(|block| self.is_nothing_since(load, block, may_end))
    }

    /// Whether no such instruction is executed between the load, in a block that is executed
    /// before, and the region.
    fn is_nothing_since(&self, load: ValueRef<'c>, block: BlockId, such: impl Fn(&ValueRef<'c>) -> bool) -> bool {
        let cfg = self.cfg;
        let mut later = cfg.instructions(block);
        later.drain(..=later.iter().position(|&i| i == load).expect("the load stands in its block"));
        if !cfg.dominates(block, self.region.entry) || later.iter().any(&such) {
            return false;
        }
        // The region itself is among what comes before if there is a loop around it that does not
        // contain the load. There the original may have executed what the model assumes not to run.
        let mut todo = self.region.entering(cfg);
        let mut seen: HashSet<BlockId> = HashSet::from([block]);
        while let Some(current) = todo.pop() {
            if seen.insert(current) {
                let is_again = self.region.contains(current);
                let error_blocks = cfg.all_error_blocks().filter(|_| is_again).flat_map(|b| cfg.instructions(b));
                if cfg.instructions(current).into_iter().chain(error_blocks).any(|i| such(&i)) {
                    return false;
                }
                todo.extend(&cfg.predecessors[current]);
            }
        }
        true
    }

    /// The class of loads that a PHI node chooses among, through other PHI nodes too, and the
    /// values from before.
    fn web(&self, loads: &Loads<'c>, phi: ValueRef<'c>) -> Option<(usize, Vec<ValueRef<'c>>)> {
        let is_inside =
            |v: ValueRef<'c>| v.block().and_then(|b| self.cfg.number(b)).filter(|&b| self.region.contains(b));
        let (mut class, mut known) = (None, Vec::new());
        let mut web = vec![phi];
        let mut next = 0;
        while let Some(&member) = web.get(next) {
            next += 1;
            for (_, value) in member.incoming() {
                if value.opcode() == Some(Opcode::Phi) && is_inside(value).is_some() {
                    if !web.contains(&value) {
                        web.push(value);
                    }
                } else if let Some(&number) = loads.numbers.get(&value) {
                    if *class.get_or_insert(number) != number {
                        return None;
                    }
                } else if value.opcode() == Some(Opcode::Load) && is_inside(value).is_none() && is_simple(value) {
                    known.push(value);
                } else {
                    return None;
                }
            }
            if web.len() > MAX_WEB {
                return None;
            }
        }
        let class = class?;
        let key = loads.classes.get(class)?.key();
        known.iter().all(|&load| self.is_of(loads, load, key)).then_some((class, known))
    }
}

/// The blocks of the items in their order. Recursion is as deep as the nest.
fn in_order(items: &[Item]) -> Vec<BlockId> {
    let mut result = Vec::new();
    for item in items {
        match item {
            Item::Block(block) => result.push(*block),
            Item::Loop(_, inner) => result.extend(in_order(inner)),
        }
    }
    result
}

/// Loads of integers and pointers that decide about control flow or addresses.
fn wanted<'c>(cfg: &Cfg<'c>, region: &Region) -> HashSet<ValueRef<'c>> {
    let mut todo: Vec<ValueRef<'c>> = Vec::new();
    for &block in &region.blocks {
        for instruction in cfg.instructions(block) {
            todo.extend(condition_of(instruction));
            todo.extend(instruction.pointer_operand());
            if transfer(instruction).is_some() {
                todo.extend((0..3).map(|k| instruction.operand(k)));
            }
        }
    }
    // What is executed as a whole loads for itself.
    let is_subregion =
        |v: ValueRef<'c>| v.block().and_then(|b| cfg.number(b)).is_some_and(|b| cfg.subregion_at(b).is_some());
    let mut seen: HashSet<ValueRef<'c>> = HashSet::new();
    let mut result = HashSet::new();
    while let Some(value) = todo.pop() {
        let is_inside = value.block().and_then(|b| cfg.number(b)).is_some_and(|b| region.contains(b));
        if !is_inside || !seen.insert(value) {
            continue;
        }
        match value.opcode() {
            Some(Opcode::Load) if is_simple(value) && !is_subregion(value) => _ = result.insert(value),
            Some(Opcode::Load) => {}
            Some(Opcode::Phi) => todo.extend(value.incoming().into_iter().map(|(_, incoming)| incoming)),
            _ => todo.extend(value.operands()),
        }
    }
    result
}

pub(crate) fn is_simple(load: ValueRef<'_>) -> bool {
    let effects = load.effects();
    let pointer = load.pointer_operand().expect("loads have an address");
    let fits = match load.ty().kind() {
        TypeKind::Integer(bits) => bits <= 64,
        TypeKind::Pointer(0) => true,
        _ => false,
    };
    fits && pointer.ty().kind() == TypeKind::Pointer(0) && !effects.is_volatile() && !effects.is_atomic()
}

/// Whether the load is from a stack variable that the region brings to life: it is not there
/// before.
fn is_short_lived<'c>(cfg: &Cfg<'c>, region: &Region, load: ValueRef<'c>) -> bool {
    let object = load.pointer_operand().expect("loads have an address").underlying_object();
    let is_inside = |v: ValueRef<'c>| v.block().and_then(|b| cfg.number(b)).is_some_and(|b| region.contains(b));
    object.opcode() == Some(Opcode::Alloca)
        && object.users().into_iter().any(|user| lifetimes::marked(user).is_some() && is_inside(user))
}
