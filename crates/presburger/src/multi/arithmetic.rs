//! Arithmetic on tuples of expressions, dimension by dimension.

use poly_arith::Int;

use crate::aff::Aff;
use crate::multi::MultiAff;
use crate::set::Set;
use crate::space::DimKind;

impl MultiAff {
    /// The negation.
    pub fn neg(&self) -> MultiAff {
        self.map_affs(Aff::neg)
    }

    /// Every expression times an integer.
    pub fn scale(&self, factor: impl Into<Int>) -> MultiAff {
        let factor = factor.into();
        self.map_affs(|a| a.scale(&factor))
    }

    /// Every expression divided (as a rational) by a nonzero integer.
    pub fn scale_down(&self, divisor: impl Into<Int>) -> MultiAff {
        let divisor = divisor.into();
        self.map_affs(|a| a.scale_down(&divisor))
    }

    /// Every expression rounded down.
    pub fn floor(&self) -> MultiAff {
        self.map_affs(Aff::floor)
    }

    /// The nonnegative remainders of the division by a positive integer.
    pub fn mod_val(&self, modulus: impl Into<Int>) -> MultiAff {
        let modulus = modulus.into();
        self.map_affs(|a| a.mod_val(&modulus))
    }

    /// `[A -> C] -> [B -> D]` of `A -> B` and `C -> D`.
    pub fn product(&self, other: &MultiAff) -> MultiAff {
        let space = self.space().product(other.space());
        let pair = space.domain_space();
        let n = self.space().dim(DimKind::In);
        let left = MultiAff::projection(&pair, 0, n).into_tuple_of(self);
        let right = MultiAff::projection(&pair, n, other.space().dim(DimKind::In)).into_tuple_of(other);
        let affs = self.pullback(&left).affs().iter().chain(other.pullback(&right).affs()).cloned().collect();
        MultiAff::new(space, affs)
    }

    fn into_tuple_of(self, function: &MultiAff) -> MultiAff {
        let tuple = function.space().domain.clone().expect("a product is one of functions on tuples");
        self.set_range_tuple(tuple)
    }

    /// Where the function is lexicographically smaller than `other`.
    pub fn less_than(&self, other: &MultiAff) -> Set {
        self.lex_lt_set(other)
    }

    /// Where the function is lexicographically not larger than `other`.
    pub fn at_most(&self, other: &MultiAff) -> Set {
        self.lex_le_set(other)
    }

    /// Where the function equals `other`.
    pub fn equal_set(&self, other: &MultiAff) -> Set {
        let all = Set::universe(self.domain_space().align(other.space()));
        let pairs = self.affs().iter().zip(other.affs());
        pairs.fold(all, |set, (a, b)| set.intersect(&Set::from_basic(a.eq_basic_set(b))))
    }
}
