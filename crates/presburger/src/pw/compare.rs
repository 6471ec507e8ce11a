//! Where one piecewise expression is above, below or equal to another; minimum, maximum and choice.

use std::sync::Arc;

use crate::aff::Aff;
use crate::basic::BasicSet;
use crate::pw::PwAff;
use crate::set::Set;

impl PwAff {
    /// The points where both are defined and `relation` holds between the expressions.
    fn compare(&self, other: &PwAff, relation: impl Fn(&Aff, &Aff) -> BasicSet) -> Set {
        let (x, y) = self.aligned(other);
        let mut result = Set::empty(Arc::clone(&x.space));
        for (s, a) in &x.pieces {
            for (t, b) in &y.pieces {
                let holds = Set::from_basic(relation(a, b));
                result = result.union(&s.intersect(t).intersect(&holds));
            }
        }
        result
    }

    /// The points where `self >= other`.
    pub fn ge_set(&self, other: &PwAff) -> Set {
        self.compare(other, Aff::ge_basic_set)
    }

    /// The points where `self > other`.
    pub fn gt_set(&self, other: &PwAff) -> Set {
        self.compare(other, Aff::gt_basic_set)
    }

    /// The points where `self <= other`.
    pub fn le_set(&self, other: &PwAff) -> Set {
        self.compare(other, |a, b| b.ge_basic_set(a))
    }

    /// The points where `self < other`.
    pub fn lt_set(&self, other: &PwAff) -> Set {
        self.compare(other, |a, b| b.gt_basic_set(a))
    }

    /// The points where `self = other`.
    pub fn eq_set(&self, other: &PwAff) -> Set {
        self.compare(other, Aff::eq_basic_set)
    }

    /// The points where both are defined and differ.
    pub fn ne_set(&self, other: &PwAff) -> Set {
        self.lt_set(other).union(&self.gt_set(other))
    }

    fn zero_like(&self) -> PwAff {
        PwAff::constant(Arc::clone(&self.space), 0)
    }

    /// The points where the value is not negative.
    pub fn nonneg_set(&self) -> Set {
        self.ge_set(&self.zero_like())
    }

    /// The points where the value is positive.
    pub fn pos_set(&self) -> Set {
        self.gt_set(&self.zero_like())
    }

    /// The points where the value is zero.
    pub fn zero_set(&self) -> Set {
        self.eq_set(&self.zero_like())
    }

    /// The points where the value is not zero.
    pub fn non_zero_set(&self) -> Set {
        self.ne_set(&self.zero_like())
    }

    /// The smaller value, where both are defined.
    pub fn min(&self, other: &PwAff) -> PwAff {
        let first = self.intersect_domain(&self.le_set(other));
        first.union_disjoint(&other.intersect_domain(&self.gt_set(other)))
    }

    /// The larger value, where both are defined.
    pub fn max(&self, other: &PwAff) -> PwAff {
        let first = self.intersect_domain(&self.ge_set(other));
        first.union_disjoint(&other.intersect_domain(&self.lt_set(other)))
    }

    /// `then` where the value is not zero, `otherwise` where it is.
    pub fn cond(&self, then: &PwAff, otherwise: &PwAff) -> PwAff {
        let first = then.intersect_domain(&self.non_zero_set());
        first.union_disjoint(&otherwise.intersect_domain(&self.zero_set()))
    }
}
