//! Where iterations write.
//!
//! # Problem
//! In `y[i] = sum of val[k] * x[col[k]]` every row writes its own element, and rows are independent
//! unless `x` is, by chance, the memory of `y`. Ranges cannot be compared in front of the loop as
//! they are elsewhere: how far `x` is read is in `col`. An inspector can find out.
//!
//! # What is demanded
//! 1. Each iteration executes all stores, and their addresses move by one constant: so iterations
//!    write to different places if these are no longer than that, and the first and the last
//!    address are known.
//! 2. The stores address one object, and no access is longer than what iterations are apart.
//! 3. The nest has the form of a row ([`Row`]), and a load of the row may be of what is written.
//!
//! Index arrays may not be changed by the types of the source; but memory may get another type
//! behind the last load. Their elements are therefore told like all other reads.

use poly_shim::{Counter, MovingRead, Places, Row, Site};

use super::Search;

impl<'c> Search<'c> {
    /// Where the nest writes, if that moves by a constant.
    pub(super) fn places(&self, sites: &[Site<'c>]) -> Option<Places<'c>> {
        let mut starts = Vec::new();
        let mut stride = None;
        for &store in &self.stores {
            let address = self.cx.scev(store.pointer_operand()?)?;
            let step = self.step(address).filter(|&step| step != 0 && step.checked_abs().is_some())?;
            let start = *address.operands().first()?;
            let is_always = store.block().is_some_and(|block| self.cx.dominates(block, self.latch));
            if !is_always || *stride.get_or_insert(step) != step {
                return None;
            }
            starts.push((start, u32::try_from(self.cx.store_size(store.access_type()?)?).ok()?));
        }
        Some(Places { starts, stride: stride?, row: self.row(sites), chain: None })
    }

    /// The same, if rows are independent unless arrays overlap.
    pub(super) fn apart(&self, sites: &[Site<'c>], counters: &[Counter<'c>]) -> Option<Places<'c>> {
        let mut places = self.places(sites)?;
        let mut bases = sites.iter().filter(|site| self.stores.contains(&site.access)).map(|site| site.base);
        let base = bases.next()??;
        let is_one = bases.all(|other| other == Some(base));
        let apart = places.stride.unsigned_abs();
        let are_short = sites.iter().all(|site| u64::from(site.size) <= apart);
        let row = places.row.as_mut().filter(|_| is_one && are_short)?;
        let elements = self.elements(row)?;
        row.moving.push(elements);
        places.chain = self.chain(row, sites, counters);
        Some(places)
    }

    /// The elements of a row, as what is read along it.
    fn elements(&self, row: &Row<'c>) -> Option<MovingRead<'c>> {
        let ty = row.load.access_type()?;
        let step = i64::try_from(self.cx.alloc_size(ty)?).ok()?;
        let size = u32::try_from(self.cx.store_size(ty)?).ok()?;
        Some(MovingRead { start: row.span[0], step, size })
    }
}
