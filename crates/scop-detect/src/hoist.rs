//! When invariant loads may be executed before the region.
//!
//! # Problem
//! A load that the original does not execute may fault, and so may one from an address that the
//! original would not use. So a class of loads ([`crate::loads`]) needs a *guard*: parameter values
//! for which the original executes one of its loads, at the address that is computed before the
//! region. Guards are tested one after the other, each before its load; where one is false, the
//! original runs. Hence the guard of class `k` speaks only of parameters that are known without
//! class `k` and the classes behind it.
//!
//! # Algorithm
//! A load in block `b` with domain `D` is executed for the parameters of `D` (its projection), if
//! the model is right about that. Two forms are used:
//!
//! * *Some iteration*: the projection of `D`. Every assumption on which the control flow depends
//!   must be known before the load, because all of them are tested with the guard; and the address
//!   must not be nested, since another load that it depends on might have read something else by
//!   then. Nor may a later class have a value that is known from before: that the program's loads
//!   of that class give this value has not been tested yet, and an earlier iteration may have
//!   executed one.
//! * *The first iteration*: the parameters for which `0` is in `D`. What is executed before are the
//!   blocks from which `b` is reached without the backedges of the loops around `b`. If the address
//!   is nested, none of these blocks may write; then the loads that the address depends on have
//!   read what was in memory before the region. And if one of them may end the program, the
//!   assumptions that it does not are known before the load: those that were made before the end of
//!   `b` was looked at, as blocks are looked at in textual order. Their conditions, being executed
//!   before, depend on earlier classes only, and on values from before that no load has replaced
//!   yet.
//!
//! Neither is needed where the program has loaded from the address before the region, and the
//! memory is still there: then the load can be executed anyway.
//!
//! The guard is the union over the loads of the class, with all assumptions that speak of known
//! parameters. If there is none, the class is refused: its loads are data like others.

use std::collections::BTreeSet;

use poly_presburger::{Budget, DimKind, Set};
use poly_scop::AssumptionKind;
use poly_shim::ValueRef;
use poly_shim::ir::Opcode;

use crate::access::transfer;
use crate::affine::Translator;
use crate::cfg::BlockId;
use crate::domains::Domains;
use crate::facts;
use crate::loads::Class;
use crate::reject::Blocker;
use crate::values::Origins;

/// Largest number of disjuncts of a guard.
const MAX_DISJUNCTS: usize = 4;

/// By class the parameter values for which the original executes one of its loads, if the
/// assumptions of its stage hold; nothing for one without a guard.
pub(crate) fn executed<'c>(
    translator: &Translator<'_, 'c>,
    domains: &Domains,
    budget: &mut Budget,
) -> Result<Vec<Option<Set>>, Blocker> {
    let classes = translator.origins.loads.classes.iter().enumerate();
    classes.map(|(number, class)| of_class(translator, domains, (number, class), budget)).collect()
}

/// How many classes must have been loaded before the set can be evaluated.
pub(crate) fn stage(translator: &Translator<'_, '_>, set: &Set) -> usize {
    let loads = translator.origins.loads;
    let entries = translator.params.entries().iter().filter(|entry| facts::involves(set, &entry.param.name));
    entries.map(|entry| loads.stage(entry.scev)).max().unwrap_or(0)
}

fn of_class<'c>(
    translator: &Translator<'_, 'c>,
    domains: &Domains,
    (number, class): (usize, &Class<'c>),
    budget: &mut Budget,
) -> Result<Option<Set>, Blocker> {
    if class.is_there {
        return Ok(Some(Set::universe(translator.space(0)).params()));
    }
    // Of so many assumptions, those whose parameters are not all known before the load.
    let late = |count: usize| {
        let assumptions = translator.facts.assumptions().iter().take(count);
        assumptions.filter(|a| stage(translator, &a.holds) > number).map(|a| a.kind)
    };
    // Data is looked at when everything has been loaded.
    let inspects = !domains.ends_by_data.is_empty();
    let flow_is_late = inspects || late(domains.assumptions).any(|kind| kind != AssumptionKind::Range);
    let later = &translator.origins.loads.classes[number + 1..];
    let is_later_known = later.iter().any(|class| !class.known.is_empty());
    let mut result = Set::empty(translator.space(0).clone()).params();
    for &(block, load) in &class.sites {
        if !domains.runs(block) || domains.units.is_inner(block) {
            continue;
        }
        let domain = domains.of(block);
        let mut forms = Vec::new();
        if !class.is_nested && !flow_is_late && !is_later_known {
            forms.push(domain.params());
        }
        let before = Before::of(translator.origins, block, load);
        let is_end = |kind| matches!(kind, AssumptionKind::BranchNotTaken | AssumptionKind::FiniteLoop);
        let ends_late = before.ends && (inspects || late(domains.assumed_before(block)).any(is_end));
        let is_uncertain = (class.is_nested && before.writes) || ends_late;
        if !is_uncertain {
            let depth = domain.n_dim();
            let first = (0..depth).fold(domain.clone(), |set, d| set.fix(DimKind::Out, d, 0));
            forms.push(first.params());
        }
        for form in forms {
            let form = form.coalesce(budget)?.gist_params(translator.facts.context(), budget)?;
            if stage(translator, &form) <= number {
                result = result.union(&form);
            }
        }
    }
    let result = result.coalesce(budget)?;
    let is_usable = result.n_basic() <= MAX_DISJUNCTS && !translator.facts.is_impossible(&result, budget)?;
    Ok(is_usable.then_some(result))
}

/// What may be executed before a load is executed for the first time, if that is in the first
/// iteration of the loops around it.
struct Before {
    /// Something is written.
    writes: bool,
    /// The program may end.
    ends: bool,
}

impl Before {
    fn of<'c>(origins: Origins<'_, 'c>, block: BlockId, load: ValueRef<'c>) -> Self {
        let cfg = origins.cfg;
        let around = origins.region.loops_around(cfg, block);
        let mut seen = BTreeSet::new();
        let mut todo = vec![block];
        while let Some(current) = todo.pop() {
            let own = cfg.loop_of[current].filter(|l| around.contains(l) && cfg.loops[*l].header == current);
            for &from in &cfg.predecessors[current] {
                let is_backedge = own.is_some_and(|l| cfg.loop_contains(l, from));
                if origins.region.contains(from) && !is_backedge && seen.insert(from) {
                    todo.push(from);
                }
            }
        }
        let writes = |i: &ValueRef<'c>| i.opcode() == Some(Opcode::Store) || transfer(*i).is_some();
        let earlier = cfg.instructions(block).into_iter().take_while(|&i| i != load);
        let ends = |&b: &BlockId| {
            let successors = cfg.blocks[b].successors();
            successors.into_iter().any(|next| cfg.number(next).is_none() && !next.is_nowhere())
        };
        Self {
            writes: earlier.into_iter().any(|i| writes(&i))
                || seen.iter().any(|&b| cfg.instructions(b).iter().any(writes)),
            ends: seen.iter().any(ends),
        }
    }
}
