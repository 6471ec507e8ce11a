//! What LLVM is told about the independence of memory accesses.
//!
//! * One alias scope for each memory array; an access is `noalias` with the scopes of all arrays
//!   that share no byte with its own. Two arrays share none if alias analysis has proven it or the
//!   run-time check has passed: the model lists the pairs that need checking ([`Scop::may_alias`]),
//!   and those that cannot be checked ([`Scop::unchecked`]); of pairs that are not listed either no
//!   one is written or they are known to be disjoint.
//! * One access group for each coincident loop; accesses carry the groups of all coincident loops
//!   around them in the same function.
//!
//! The scopes hold for one execution of the region. If the region is executed several times by a
//! loop around it, base pointers may change in between: the intrinsic
//! `llvm.experimental.noalias.scope.decl` at the beginning of the new code says so.

use std::collections::BTreeSet;

use poly_scop::{Plan, Scop};
use poly_shim::PassContext;
use poly_shim::write::MetadataRef;

use crate::builder::{Builder, Value};

/// With more arrays the lists, quadratic in all, cost more than they bring.
const MAX_ARRAYS: usize = 24;

/// The scopes of the arrays.
#[derive(Debug)]
pub(crate) struct AliasScopes<'c> {
    /// By array: the lists for `alias.scope` and `noalias`.
    lists: Vec<Option<(MetadataRef<'c>, MetadataRef<'c>)>>,
}

/// Pairs of arrays (smaller one first) that may share bytes even after the check.
pub(crate) fn overlapping_pairs(plan: &Plan) -> BTreeSet<(usize, usize)> {
    let ordered = |a: usize, b: usize| (a.min(b), a.max(b));
    let checked: BTreeSet<_> =
        plan.check.disjoint.iter().map(|(a, b)| ordered(a.array.index(), b.array.index())).collect();
    let listed = plan.scop.may_alias.iter().chain(&plan.scop.unchecked).map(|(a, b)| ordered(a.index(), b.index()));
    listed.filter(|pair| !checked.contains(pair)).collect()
}

impl<'c> AliasScopes<'c> {
    /// No scopes.
    pub(crate) fn none(arrays: usize) -> Self {
        Self { lists: vec![None; arrays] }
    }

    /// Makes the scopes and declares them at the builder's place.
    pub(crate) fn declare(
        cx: PassContext<'c>,
        b: &Builder<'c>,
        scop: &Scop,
        overlapping: &BTreeSet<(usize, usize)>,
    ) -> Self {
        let memory: Vec<usize> = (0..scop.arrays.len())
            .filter(|&a| !scop.arrays[a].is_scalar() && scop.load_of(a.into()).is_none())
            .filter(|&a| !scop.arrays[a].is_errno_object())
            .collect();
        let mut lists = vec![None; scop.arrays.len()];
        if !(2..=MAX_ARRAYS).contains(&memory.len()) {
            return Self { lists };
        }
        let domain = cx.alias_domain("poly.alias");
        let scopes: Vec<MetadataRef<'c>> =
            memory.iter().map(|&a| cx.alias_scope(domain, &scop.arrays[a].name)).collect();
        for (position, &array) in memory.iter().enumerate() {
            let others = memory
                .iter()
                .enumerate()
                .filter(|&(_, &other)| other != array && !overlapping.contains(&(array.min(other), array.max(other))));
            let others: Vec<MetadataRef<'c>> = others.map(|(p, _)| scopes[p]).collect();
            let own = cx.md_node(&[scopes[position]]);
            lists[array] = Some((own, cx.md_node(&others)));
            b.intrinsic("llvm.experimental.noalias.scope.decl", &[], &[b.metadata_as_value(own)]);
        }
        Self { lists }
    }

    /// Marks an access of an array.
    pub(crate) fn mark(&self, access: Value<'c>, array: usize) {
        if let Some((own, others)) = self.lists[array] {
            access.set_metadata("alias.scope", own);
            access.set_metadata("noalias", others);
        }
    }
}

/// Marks an access as belonging to the coincident loops around it.
pub(crate) fn mark_groups<'c>(cx: PassContext<'c>, access: Value<'c>, groups: &[MetadataRef<'c>]) {
    match groups {
        [] => {}
        [only] => access.set_metadata("llvm.access.group", *only),
        several => access.set_metadata("llvm.access.group", cx.md_node(several)),
    }
}
