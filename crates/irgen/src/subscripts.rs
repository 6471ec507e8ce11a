//! Subscripts of accesses as expressions of the coordinates.
//!
//! An access relation that is one affine function gives one form for each subscript. Loops that
//! begin at the larger of two values, as in `for (j = max(0, i - w); ..)`, have relations of
//! several pieces. All pieces but the last become cases, each with the *difference* to the last
//! piece: what they have in common, the innermost counter above all, stays outside of the case
//! distinction, which can then move out of the innermost loop.

use poly_presburger::{Aff, Budget, MultiAff, Set, Stop};
use poly_scop::{Access, Scop, Statement};

use crate::CodegenError;
use crate::code::param_index;
use crate::form::{Form, Test};

/// The subscripts of an access of a statement, outermost first; none for a scalar, and none where
/// the address is an operand.
pub(crate) fn forms(
    scop: &Scop,
    s: &Statement,
    access: &Access,
    budget: &mut Budget,
) -> Result<Vec<Form>, CodegenError> {
    let array = &scop.arrays[access.array.index()];
    if array.is_scalar() || !access.exact {
        return Ok(Vec::new());
    }
    let error = || CodegenError::Access { statement: s.name.clone(), array: array.name.clone() };
    if !access.relation.is_single_valued(budget)? {
        return Err(error());
    }
    let function = access.relation.lexmin(budget).map_err(Stop::from)?;
    let mut pieces: Vec<(Set, &MultiAff)> = Vec::new();
    for (domain, value) in function.pieces() {
        let common = domain.intersect(&s.domain);
        if function.pieces().len() == 1 || !common.is_empty(budget)? {
            pieces.push((domain.gist(&s.domain, budget)?, value));
        }
    }
    let param = |name: &str| param_index(scop, name);
    let (_, last) = pieces.pop().ok_or_else(error)?;
    if last.affs().len() != array.rank {
        return Err(error());
    }
    let mut tests = Vec::new();
    for (domain, value) in &pieces {
        tests.push((Test::from_set(domain, &param, budget)?, *value));
    }
    let subscript = |k: usize| {
        let cases: Vec<(&Test, &Aff)> = tests.iter().map(|(test, value)| (test, &value.affs()[k])).collect();
        by_cases(&cases, &last.affs()[k], &param)
    };
    (0..array.rank).map(subscript).collect()
}

/// The function of the first test that holds, else the last one.
fn by_cases(cases: &[(&Test, &Aff)], last: &Aff, param: &dyn Fn(&str) -> usize) -> Result<Form, CodegenError> {
    let form = |aff: &Aff| Form::from_aff(aff, param);
    let own = form(last)?;
    if cases.iter().all(|(_, aff)| *aff == last) {
        return Ok(own);
    }
    // A function with a denominator has integer values on its own piece only.
    let integral = last.denom().is_one() && cases.iter().all(|(_, aff)| aff.denom().is_one());
    let mut forms = Vec::new();
    for (test, aff) in cases {
        let value = if integral { form(&aff.sub(last))? } else { form(aff)? };
        forms.push(((*test).clone(), value));
    }
    Ok(if integral {
        Form::Sum(vec![own, Form::Cases(forms, Box::new(Form::Const(0)))])
    } else {
        Form::Cases(forms, Box::new(own))
    })
}
