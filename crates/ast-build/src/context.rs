//! What is known at some place of the program that is being generated.

use poly_arith::Int;
use poly_presburger::{BasicSet, Budget, DimKind, Id, Row, Stop};

use crate::ast::Expr;
use crate::columns::Columns;
use crate::shadow::Stride;

/// The loops and conditions around a place.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// What the loops and conditions around enforce, over the outer schedule dimensions.
    pub(crate) generated: BasicSet,
    /// The values of the outer schedule dimensions: a counter, or an expression.
    pub(crate) values: Vec<Expr>,
}

impl Context {
    /// Number of outer schedule dimensions.
    pub(crate) fn depth(&self) -> usize {
        self.values.len()
    }

    /// The parameters.
    pub(crate) fn params(&self) -> &[Id] {
        &self.generated.space().params
    }

    /// For expressions over the outer dimensions.
    pub(crate) fn columns(&self) -> Columns<'_> {
        Columns { params: self.params(), values: &self.values }
    }

    /// What is known of the next dimension, too: nothing.
    pub(crate) fn with_next_dim(&self) -> BasicSet {
        self.generated.insert_dims(DimKind::Out, self.depth(), 1)
    }

    /// Inside a loop over the next dimension, whose values satisfy `domain` and `stride` and are
    /// given by `value`.
    pub(crate) fn inside(
        &self,
        domain: &BasicSet,
        stride: &Stride,
        value: Expr,
        budget: &mut Budget,
    ) -> Result<Context, Stop> {
        budget.spend(1)?;
        let mut generated = self.with_next_dim().intersect(domain);
        if stride.modulus > Int::ONE {
            generated = generated.intersect(&congruence(domain, stride));
        }
        let mut values = self.values.clone();
        values.push(value);
        Ok(Context { generated, values })
    }
}

/// The set of values with a stride, over the space of `domain`.
fn congruence(domain: &BasicSet, stride: &Stride) -> BasicSet {
    let mut set = BasicSet::universe(domain.space().clone());
    let col = set.n_col() - 1;
    let mut difference: Row = stride.offset.iter().map(|x| -x).collect();
    difference.resize(col + 1, Int::ZERO);
    difference[col] = Int::ONE;
    set.add_div(stride.modulus.clone(), difference.clone());
    difference.push(-&stride.modulus);
    set.add_eq(difference);
    set
}
