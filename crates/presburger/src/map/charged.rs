//! Intersections and compositions that are paid for.
//!
//! Each of them meets every disjunct of the one relation with every one of the other, of which
//! there may be thousands. The operations without a budget are for operands that are known to be
//! small.

use crate::budget::{Budget, Stop};
use crate::map::Map;
use crate::set::Set;
use crate::space::DimKind;
use crate::union::{UnionMap, UnionSet};

/// Documents and defines a charged variant.
macro_rules! charged {
    ($($name:ident, $plain:ident, $other:ty;)*) => {$(
        #[doc = concat!("[`Map::", stringify!($plain), "`], paid for before it is done.")]
        ///
        /// # Errors
        /// [`Stop`] when the budget does not do for it.
        pub fn $name(&self, other: &$other, budget: &mut Budget) -> Result<Map, Stop> {
            self.charge_intersection(other, budget)?;
            Ok(self.$plain(other))
        }
    )*};
}

impl Map {
    charged! {
        intersect_within, intersect, Map;
        intersect_domain_within, intersect_domain, Set;
        intersect_range_within, intersect_range, Set;
        intersect_params_within, intersect_params, Set;
        apply_range_within, apply_range, Map;
        apply_domain_within, apply_domain, Map;
    }
}

impl Set {
    /// [`Set::intersect`], paid for before it is done.
    ///
    /// ```
    /// use poly_presburger::{Budget, Set, Stop};
    /// let lines: Set = (0..100).map(|i| format!("{{ [{i}, y] }}").parse::<Set>().unwrap()).reduce(|a, b| a.union(&b)).unwrap();
    /// assert_eq!(lines.intersect_within(&lines, &mut Budget::new(1000)), Err(Stop));
    /// assert_eq!(lines.intersect_within(&lines, &mut Budget::unlimited()), Ok(lines.intersect(&lines)));
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget does not do for it.
    pub fn intersect_within(&self, other: &Set, budget: &mut Budget) -> Result<Set, Stop> {
        self.0.charge_intersection(&other.0, budget)?;
        Ok(self.intersect(other))
    }

    /// [`Set::apply`], paid for before it is done.
    ///
    /// # Errors
    /// [`Stop`] when the budget does not do for it.
    pub fn apply_within(&self, map: &Map, budget: &mut Budget) -> Result<Set, Stop> {
        self.0.charge_intersection(map, budget)?;
        Ok(self.apply(map))
    }
}

impl UnionSet {
    /// [`UnionSet::intersect`], paid for before it is done.
    ///
    /// # Errors
    /// [`Stop`] when the budget does not do for it.
    pub fn intersect_within(&self, other: &UnionSet, budget: &mut Budget) -> Result<UnionSet, Stop> {
        for (own, fitting) in self.iter().filter_map(|own| Some((own, other.get(own.space())?))) {
            own.charge_intersection(fitting.as_map(), budget)?;
        }
        Ok(self.intersect(other))
    }
}

impl UnionMap {
    /// [`UnionMap::intersect`], paid for before it is done.
    ///
    /// # Errors
    /// [`Stop`] when the budget does not do for it.
    pub fn intersect_within(&self, other: &UnionMap, budget: &mut Budget) -> Result<UnionMap, Stop> {
        for (own, fitting) in self.iter().filter_map(|own| Some((own, other.get(own.space())?))) {
            own.charge_intersection(fitting, budget)?;
        }
        Ok(self.intersect(other))
    }

    /// [`UnionMap::apply_range`], paid for before it is done.
    ///
    /// # Errors
    /// [`Stop`] when the budget does not do for it.
    pub fn apply_range_within(&self, other: &UnionMap, budget: &mut Budget) -> Result<UnionMap, Stop> {
        for own in self.iter() {
            let middle = own.space().tuple(DimKind::Out);
            for fitting in other.iter().filter(|fitting| fitting.space().tuple(DimKind::In) == middle) {
                own.charge_intersection(fitting, budget)?;
            }
        }
        Ok(self.apply_range(other))
    }
}
