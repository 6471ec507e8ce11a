//! Explicit divisions: from existentials to definitions.
//!
//! A relation with unknown divs cannot be complemented constraint by constraint. `compute_divs` finds
//! an equivalent union in which every div has a definition:
//!
//! 1. simplification solves equalities, eliminates exactly and defines divs with a single bound on
//!    one side (see `basic/divs.rs`);
//! 2. an unknown div `q` that no definition uses, with upper bounds `b_j q <= u_j` free of other
//!    unknown divs: if any value is right then the largest one within all bounds is, and that is
//!    `floor(u_j / b_j)` for some `j`; one disjunct per `j` with this definition and all
//!    constraints kept is therefore the same set (lower bounds likewise);
//! 3. what is left (unknown divs in each other's bounds) is decided by parametric integer
//!    programming: the lexicographic minimum of the unknown divs as a function of everything else
//!    exists exactly on the set asked for, and its pieces have explicit divs \[Feautrier1988\].

use poly_arith::Int;

use crate::basic::{BasicMap, BasicSet, Row};
use crate::budget::{Budget, Stop};
use crate::map::Map;
use crate::row;
use crate::set::Set;
use crate::space::DimKind;
use crate::union::{UnionMap, UnionSet};

impl BasicMap {
    /// The same relation as a union of basic relations all of whose divs have definitions.
    pub fn compute_divs(&self, budget: &mut Budget) -> Result<Map, Stop> {
        let mut result = Map::empty(self.space_arc());
        let mut work = vec![self.clone().normalized()];
        while let Some(mut basic) = work.pop() {
            budget.spend(1)?;
            if basic.is_plainly_empty() {
                continue;
            }
            if basic.has_known_divs() {
                result.push(basic);
                continue;
            }
            basic.remove_redundancies(budget)?;
            if basic.has_known_divs() {
                work.push(basic);
                continue;
            }
            match basic.split_on_bounds() {
                Some(parts) => work.extend(parts.into_iter().rev()),
                None => {
                    for part in crate::ops::lex::quantify_by_pip(&basic, budget)? {
                        result.push(part);
                    }
                }
            }
        }
        Ok(result)
    }

    /// Step 2: one disjunct per bound on the side of an unknown div that has fewest of them.
    fn split_on_bounds(&self) -> Option<Vec<BasicMap>> {
        let candidates = (0..self.n_div()).filter_map(|i| self.defining_bounds(i).map(|b| (i, b)));
        let (i, bounds) = candidates.min_by_key(|(_, bounds)| bounds.len())?;
        let define = |bound: &Row| {
            let mut part = self.clone();
            part.define_by_bound(i, bound).then(|| part.normalized())
        };
        bounds.iter().map(define).collect()
    }

    /// The bounds on the unknown div `i` of one side, if they can define it: no definition and no
    /// equality uses the div, and the bounds use no other unknown div.
    fn defining_bounds(&self, i: usize) -> Option<Vec<Row>> {
        let first = self.offset(DimKind::Div);
        let col = first + i;
        if self.divs()[i].is_some()
            || self.eqs.iter().any(|r| !r[col].is_zero())
            || self.divs().iter().flatten().any(|d| !d.num[col].is_zero())
        {
            return None;
        }
        let unknown = |r: &Row, k: usize| {
            k != i && self.divs()[k].is_none() && self.row_involves(r, first + k, 1)
        };
        let side = |positive: bool| -> Option<Vec<Row>> {
            let on_side = |r: &&Row| !r[col].is_zero() && r[col].is_pos() == positive;
            let rows: Vec<Row> = self.ineqs.iter().filter(on_side).cloned().collect();
            let free = |r: &Row| (0..self.n_div()).all(|k| !unknown(r, k));
            rows.iter().all(free).then_some(rows)
        };
        let sides = [side(false), side(true)];
        sides.into_iter().flatten().min_by_key(Vec::len)
    }
}

impl BasicSet {
    /// The same set as a union of basic sets all of whose divs have definitions.
    pub fn compute_divs(&self, budget: &mut Budget) -> Result<Set, Stop> {
        Ok(self.0.compute_divs(budget)?.into_set())
    }
}

impl Map {
    /// The same relation with a definition for every div.
    pub fn compute_divs(&self, budget: &mut Budget) -> Result<Map, Stop> {
        if self.has_known_divs() {
            return Ok(self.clone());
        }
        let mut result = Map::empty(self.space_arc());
        for basic in &self.basics {
            for part in basic.compute_divs(budget)?.basics {
                result.push(part);
            }
        }
        Ok(result)
    }
}

impl Set {
    /// The same set with a definition for every div.
    pub fn compute_divs(&self, budget: &mut Budget) -> Result<Set, Stop> {
        Ok(Set(self.0.compute_divs(budget)?))
    }
}

impl UnionMap {
    /// The same relation with a definition for every div.
    pub fn compute_divs(&self, budget: &mut Budget) -> Result<UnionMap, Stop> {
        let members: Result<Vec<Map>, Stop> = self.iter().map(|m| m.compute_divs(budget)).collect();
        Ok(self.rebuilt(members?))
    }
}

impl UnionSet {
    /// The same set with a definition for every div.
    pub fn compute_divs(&self, budget: &mut Budget) -> Result<UnionSet, Stop> {
        let members: Result<Vec<Set>, Stop> = self.iter().map(|m| m.compute_divs(budget)).collect();
        Ok(self.rebuilt(members?))
    }
}

/// Both relations over common divs: the result has the divs of both and the constraints of the
/// first, the rows are the constraints of the second (equalities, inequalities). Both must be
/// over the same space; divs with equal definitions are shared.
pub(crate) fn with_common_divs(a: &BasicMap, b: &BasicMap) -> (BasicMap, Vec<Row>, Vec<Row>) {
    debug_assert!(*a.space == *b.space, "{} is not {}", a.space, b.space);
    let mut joint = a.clone();
    let (n_eq, n_ineq) = (a.eqs.len(), a.ineqs.len());
    if b.n_div() == 0 {
        let pad = |rows: &[Row]| -> Vec<Row> {
            rows.iter().map(|r| padded(r, joint.n_col())).collect()
        };
        let (eqs, ineqs) = (pad(&b.eqs), pad(&b.ineqs));
        return (joint, eqs, ineqs);
    }
    let map: Vec<usize> = (0..1 + a.n_var()).collect();
    joint.absorb(b, &map);
    joint.canonicalize_divs();
    let eqs = joint.eqs.split_off(n_eq);
    let ineqs = joint.ineqs.split_off(n_ineq);
    (joint, eqs, ineqs)
}

fn padded(r: &[Int], len: usize) -> Row {
    let mut out = row::zeros(len);
    out[..r.len()].clone_from_slice(r);
    out
}
