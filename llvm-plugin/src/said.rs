//! Remarks that may be given: which loops each of them is about.
//!
//! A function is looked at several times: when code has been written for one nest, others may be
//! modelled that were not before, and with a budget that has been spent elsewhere a smaller part of
//! a nest than before. So a loop may be in several SCoPs one after the other. What became of it in
//! the last one is said, and nothing else.

use std::collections::HashSet;

use poly_shim::llvm_sys::prelude::LLVMBasicBlockRef;

use crate::report::Remark;

/// A remark that may be given.
pub(crate) struct Said {
    /// The first block of what it is about.
    pub(crate) about: LLVMBasicBlockRef,
    /// It says that something was done.
    pub(crate) is_done: bool,
    /// Headers of the loops of the SCoP that it is about; none if it says why a loop is in no SCoP.
    pub(crate) headers: Vec<LLVMBasicBlockRef>,
    /// Those of them that are modelled.
    pub(crate) modelled: Vec<LLVMBasicBlockRef>,
    pub(crate) remark: Remark,
}

impl Said {
    /// Without the loops of which something else is said; nothing if that are all.
    fn without(self, others: &HashSet<LLVMBasicBlockRef>) -> Option<Self> {
        let among = |headers: &[LLVMBasicBlockRef]| headers.iter().filter(|header| others.contains(header)).count();
        let (all, modelled) = (among(&self.headers), among(&self.modelled));
        if all == 0 {
            return Some(self);
        }
        let remark = self.remark.about_fewer((all, modelled));
        (remark.loops() > 0).then_some(Self { remark, ..self })
    }
}

/// The remarks without what is superseded: a loop that was in no SCoP, or in one for which nothing
/// was done, may be in another one later, in a larger one or in a part of it. `copies` are headers
/// of copies of loops, which no remark is about.
pub(crate) fn without_superseded(remarks: Vec<Said>, copies: &[LLVMBasicBlockRef]) -> Vec<Said> {
    let covered: HashSet<LLVMBasicBlockRef> = remarks.iter().flat_map(|said| said.headers.iter().copied()).collect();
    let mut later: HashSet<LLVMBasicBlockRef> = HashSet::new();
    let mut kept = Vec::new();
    for said in remarks.into_iter().rev() {
        let headers = said.headers.clone();
        let left = if headers.is_empty() {
            (!covered.contains(&said.about)).then_some(said)
        } else if said.is_done {
            Some(said)
        } else {
            said.without(&later)
        };
        kept.extend(left);
        later.extend(headers.into_iter().filter(|header| !copies.contains(header)));
    }
    kept.reverse();
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block that nobody looks into.
    fn block(number: usize) -> LLVMBasicBlockRef {
        std::ptr::without_provenance_mut(number)
    }

    fn said(is_done: bool, headers: &[usize]) -> Said {
        let headers: Vec<LLVMBasicBlockRef> = headers.iter().map(|&number| block(number)).collect();
        let remark = Remark::about_loops(headers.len());
        Said { about: headers[0], is_done, modelled: headers.clone(), headers, remark }
    }

    fn rejected(header: usize) -> Said {
        let remark = Remark::about_loops(1);
        Said { about: block(header), is_done: false, headers: Vec::new(), modelled: Vec::new(), remark }
    }

    /// The numbers of loops of the remarks that are left.
    fn left(remarks: Vec<Said>, copies: &[usize]) -> Vec<usize> {
        let copies: Vec<LLVMBasicBlockRef> = copies.iter().map(|&number| block(number)).collect();
        without_superseded(remarks, &copies).iter().map(|said| said.remark.loops()).collect()
    }

    #[test]
    fn a_part_of_a_nest_that_was_left_alone_is_optimized_later() {
        assert_eq!(left(vec![said(false, &[1, 2, 3, 4, 5]), said(true, &[3, 4, 5])], &[]), [2, 3]);
    }

    #[test]
    fn a_loop_is_in_a_larger_scop_later() {
        assert_eq!(left(vec![rejected(1), said(false, &[2]), rejected(4), said(true, &[1, 2, 3])], &[]), [1, 3]);
    }

    #[test]
    fn several_remarks_say_what_was_done_for_a_scop() {
        assert_eq!(left(vec![said(true, &[1, 2]), said(true, &[1, 2])], &[]), [2, 2]);
    }

    #[test]
    fn no_remark_is_about_copies() {
        assert_eq!(left(vec![said(false, &[1, 2]), said(true, &[2, 3])], &[2]), [2, 2]);
    }
}
