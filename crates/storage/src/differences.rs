//! Differences of elements that must not share a cell.

use poly_arith::Int;
use poly_presburger::{Aff, Budget, Map, PwAff, Set, Stop};

/// The differences of elements in conflict, symmetric about zero; zero itself means nothing.
#[derive(Clone, Debug)]
pub struct Differences {
    set: Set,
    context: Set,
}

impl Differences {
    /// The differences of an array without conflicts, for parameters of the context. `space` is
    /// that of its elements.
    pub fn none(elements: &Set, context: &Set) -> Differences {
        let space = elements.set_tuple_name(None).space().clone();
        Differences { set: Set::empty(space).align_params(context.space()), context: context.clone() }
    }

    /// The differences of a relation between elements in conflict.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn of(conflicts: &Map, context: &Set, budget: &mut Budget) -> Result<Differences, Stop> {
        let all = conflicts.deltas().set_tuple_name(None).intersect_params(context);
        let all = all.align_params(context.space()).compute_divs(budget)?.coalesce(budget)?;
        let opposite = opposite(&all, budget)?;
        let set = all.union(&opposite).remove_empty_parts(budget)?.coalesce(budget)?;
        Ok(Differences { set, context: context.clone() })
    }

    /// These and others.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn with(&self, other: &Differences, budget: &mut Budget) -> Result<Differences, Stop> {
        let set = self.set.union(&other.set).coalesce(budget)?;
        Ok(Differences { set, context: self.context.clone() })
    }

    /// The set.
    pub fn set(&self) -> &Set {
        &self.set
    }

    /// The parameters for which the differences are meant.
    pub fn context(&self) -> &Set {
        &self.context
    }

    /// The number of dimensions.
    pub fn n_dim(&self) -> usize {
        self.set.n_dim()
    }

    /// The differences on which a linear function is zero.
    pub fn on(&self, coefficients: &[Int]) -> Differences {
        let set = self.set.with_eq(row(&self.set, coefficients));
        Differences { set, context: self.context.clone() }
    }

    /// The differences on which a linear function is positive.
    fn above(&self, coefficients: &[Int]) -> Set {
        let mut above = row(&self.set, coefficients);
        above[0] = Int::NEG_ONE;
        self.set.with_ineq(above)
    }

    /// Whether there is no difference other than zero.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn is_trivial(&self, budget: &mut Budget) -> Result<bool, Stop> {
        for dimension in 0..self.n_dim() {
            let mut unit = vec![Int::ZERO; self.n_dim()];
            unit[dimension] = Int::ONE;
            // The set is symmetric.
            if !self.above(&unit).is_empty(budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// One more than the largest value of a linear function, for all parameters of the context; one
    /// where all values are zero. `None` if it has no largest value.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn modulus(&self, coefficients: &[Int], budget: &mut Budget) -> Result<Option<PwAff>, Stop> {
        let one = PwAff::constant(self.context.space().clone(), 1);
        let above = self.above(coefficients);
        if above.is_empty(budget)? {
            return Ok(Some(one));
        }
        let function = Aff::from_row(self.set.space().clone(), row(&self.set, coefficients), Int::ONE);
        let Some(most) = above.max_of(&function, budget)? else { return Ok(None) };
        let most = most.add_constant(1).gist_params(&self.context, budget)?.coalesce(budget)?;
        let rest = self.context.subtract(&most.domain(), budget)?;
        if rest.is_empty(budget)? {
            return Ok(Some(most));
        }
        most.union_disjoint(&one.intersect_domain(&rest)).coalesce(budget).map(Some)
    }
}

/// A linear function as the row of a constraint on a set.
pub(crate) fn row(set: &Set, coefficients: &[Int]) -> Vec<Int> {
    let space = set.space();
    let first = space.offset(poly_presburger::DimKind::Out);
    let mut row = vec![Int::ZERO; 1 + space.n_var()];
    row[first..first + coefficients.len()].clone_from_slice(coefficients);
    row
}

/// The points of a set times -1.
fn opposite(set: &Set, budget: &mut Budget) -> Result<Set, Stop> {
    let space = set.space();
    let affs = (0..set.n_dim()).map(|k| Aff::var(space.clone(), poly_presburger::DimKind::Out, k).neg()).collect();
    let tuple = poly_presburger::Tuple::anonymous(set.n_dim());
    let negative = poly_presburger::MultiAff::into_tuple(space, tuple, affs).to_map();
    set.apply(&negative).compute_divs(budget)
}
