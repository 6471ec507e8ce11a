//! Composition of expressions with functions, and preimages of relations.

use crate::aff::Aff;
use crate::map::Map;
use crate::multi::MultiAff;
use crate::pw::PwAff;
use crate::pw_multi::PwMultiAff;
use crate::set::Set;

impl Aff {
    /// The expression with the dimensions of its domain replaced by the expressions of `by`.
    pub fn pullback(&self, by: &MultiAff) -> Aff {
        let total = PwAff::from_aff(self.clone()).pullback(by);
        total.single_aff().cloned().expect("an expression on its whole space stays one")
    }
}

impl PwAff {
    /// The function after the partial function `by`.
    pub fn pullback_pw(&self, by: &PwMultiAff) -> PwAff {
        let mut result = PwAff::empty(by.domain_space().align(self.space()));
        for (domain, ma) in by.pieces() {
            result = result.union_disjoint(&self.pullback(ma).intersect_domain(domain));
        }
        result
    }

    /// The function as a tuple with one dimension, anonymous.
    pub fn to_pw_multi_aff(&self) -> PwMultiAff {
        let tuple = crate::space::Tuple::anonymous(1);
        let space = {
            let range = crate::space::Space::set(self.space().params.clone(), tuple.clone());
            crate::space::Space::from_domain_and_range(self.space(), &range)
        };
        let piece = |(set, aff): &(Set, Aff)| {
            (set.clone(), MultiAff::into_tuple(aff.domain_space(), tuple.clone(), vec![aff.clone()]))
        };
        PwMultiAff::from_pieces(space, self.pieces().iter().map(piece).collect())
    }

    /// The graph: pairs of a point and its (integer) value.
    pub fn to_map(&self) -> Map {
        self.to_pw_multi_aff().to_map()
    }

    /// The absolute value.
    pub fn abs(&self) -> PwAff {
        self.max(&self.neg())
    }
}

impl Set {
    /// The points of the domain of the partial function `by` whose image is in this set.
    pub fn preimage_pw(&self, by: &PwMultiAff) -> Set {
        let mut result = Set::empty(by.domain_space().align(self.space()));
        for (domain, ma) in by.pieces() {
            result = result.union(&self.preimage(ma).intersect(domain));
        }
        result
    }
}

impl Map {
    /// The relation with its domain pulled back: `x -> z` for `by(x) -> z` here.
    pub fn preimage_domain(&self, by: &PwMultiAff) -> Map {
        by.to_map().apply_range(self)
    }

    /// The relation with its range pulled back: `x -> y` for `x -> by(y)` here.
    pub fn preimage_range(&self, by: &PwMultiAff) -> Map {
        self.apply_range(&by.to_map().reverse())
    }
}
