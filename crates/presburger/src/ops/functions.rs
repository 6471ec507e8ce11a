//! Combining partial functions where only one of them is defined.

use crate::budget::{Budget, Stop};
use crate::pw::PwAff;
use crate::pw_multi::PwMultiAff;
use crate::set::Set;
use crate::union_pw::UnionPwAff;

impl PwAff {
    /// `both` where both functions are defined, and the one that is defined elsewhere.
    fn union_with(
        &self,
        other: &PwAff,
        both: impl Fn(&PwAff, &PwAff) -> PwAff,
        budget: &mut Budget,
    ) -> Result<PwAff, Stop> {
        let common = both(self, other);
        let only_here = self.subtract_domain(&other.domain(), budget)?;
        let only_there = other.subtract_domain(&self.domain(), budget)?;
        Ok(common.union_disjoint(&only_here).union_disjoint(&only_there))
    }

    /// The sum, an undefined value counting as zero unless both are undefined. Cost: that of
    /// [`Map::subtract`](crate::Map::subtract) for the domains of each pair of pieces.
    pub fn union_add(&self, other: &PwAff, budget: &mut Budget) -> Result<PwAff, Stop> {
        self.union_with(other, PwAff::add, budget)
    }

    /// The smaller value, or the one that is defined. Cost: that of
    /// [`Map::subtract`](crate::Map::subtract) for the domains of each pair of pieces.
    pub fn union_min(&self, other: &PwAff, budget: &mut Budget) -> Result<PwAff, Stop> {
        self.union_with(other, PwAff::min, budget)
    }

    /// The larger value, or the one that is defined. Cost: that of
    /// [`Map::subtract`](crate::Map::subtract) for the domains of each pair of pieces.
    pub fn union_max(&self, other: &PwAff, budget: &mut Budget) -> Result<PwAff, Stop> {
        self.union_with(other, PwAff::max, budget)
    }

    /// The function outside of a set.
    /// Cost: that of [`Map::subtract`](crate::Map::subtract).
    pub fn subtract_domain(&self, set: &Set, budget: &mut Budget) -> Result<PwAff, Stop> {
        let this = self.align_params(set.space());
        let mut pieces = Vec::new();
        for (domain, aff) in &this.pieces {
            pieces.push((domain.subtract(set, budget)?, aff.clone()));
        }
        Ok(PwAff::from_pieces(this.space.clone(), pieces))
    }

    /// 1 on a set and 0 elsewhere.
    /// Cost: that of [`Map::complement`](crate::Map::complement).
    pub fn indicator(set: &Set, budget: &mut Budget) -> Result<PwAff, Stop> {
        let one = PwAff::one_on(set);
        let elsewhere = set.complement(budget)?;
        let zero = PwAff::constant(set.space_arc(), 0).intersect_domain(&elsewhere);
        Ok(one.union_disjoint(&zero))
    }
}

impl PwMultiAff {
    /// The function outside of a set.
    /// Cost: that of [`Map::subtract`](crate::Map::subtract).
    pub fn subtract_domain(&self, set: &Set, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
        let this = self.align_params(set.space());
        let mut pieces = Vec::new();
        for (domain, ma) in &this.pieces {
            pieces.push((domain.subtract(set, budget)?, ma.clone()));
        }
        Ok(PwMultiAff::from_pieces(this.space.clone(), pieces))
    }
}

impl UnionPwAff {
    /// The same function without empty pieces and with coalesced domains. Cost: some linear
    /// programs for each pair of disjuncts, again after each success \[Verdoolaege2015\].
    pub fn coalesce(&self, budget: &mut Budget) -> Result<UnionPwAff, Stop> {
        let mut result = UnionPwAff::empty(self.params.clone());
        for member in self.iter() {
            result.add(member.coalesce(budget)?);
        }
        Ok(result)
    }
}
