//! Vertices of parametric polytopes.
//!
//! # Problem
//! A polyhedron over parameters and dimensions is, for each value of the parameters, a polyhedron
//! of the dimensions. Its vertices are affine functions of the parameters (with rational factors),
//! each of them for the parameter values where it satisfies all constraints \[ClaussLoechner1998\].
//!
//! # Algorithm
//! A vertex satisfies as many linearly independent constraints with equality as there are
//! dimensions. Constraints are chosen one after the other; a choice is given up where the face that
//! it stands for has no point, which is a linear program. Each complete choice is solved for the
//! dimensions; put into the other constraints, the solution gives the parameter values for which it
//! is a vertex. Those that are vertices only for parameter values of a lower dimension than those
//! of the set are left out: where they are, others coincide with them.

use std::collections::BTreeMap;
use std::sync::Arc;

use poly_arith::Int;

use crate::aff::Aff;
use crate::basic::{BasicMap, BasicSet, Row};
use crate::budget::{Budget, Stop};
use crate::multi::MultiAff;
use crate::rational::RationalSet;
use crate::row;
use crate::set::Set;
use crate::solver::{Optimum, System, fm, lp_min, redundancy};
use crate::space::{DimKind, Space};

/// A vertex of a parametric polytope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vertex {
    /// The parameter values for which it is one.
    pub domain: BasicSet,
    /// Where it is: a function of the parameters, with rational values.
    pub position: MultiAff,
}

impl BasicSet {
    /// The vertices of the rational relaxation, ordered by their positions; none of a set with
    /// lines. Integer divisions are projected out.
    /// Cost: a linear program for each face, of which there may be exponentially many in the number
    /// of dimensions.
    ///
    /// ```
    /// use poly_presburger::{BasicSet, Budget};
    /// let triangle: BasicSet = "[n] -> { [i, j] : 0 <= j and 2j <= i and i <= n }".parse()?;
    /// let vertices = triangle.vertices(&mut Budget::unlimited())?;
    /// let texts: Vec<String> = vertices.iter().map(|v| v.position.to_string()).collect();
    /// assert_eq!(texts, ["[n] -> { [(0), (0)] }", "[n] -> { [(n), (0)] }", "[n] -> { [(n), ((n)/2)] }"]);
    /// assert_eq!(vertices[0].domain.to_string(), "[n] -> { : n >= 0 }");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub fn vertices(&self, budget: &mut Budget) -> Result<Vec<Vertex>, Stop> {
        let relaxed = RationalSet::from_set(&Set::from(self.clone()), budget)?;
        let [system] = relaxed.systems() else { return Ok(Vec::new()) };
        let mut system = system.clone();
        redundancy::implicit_equalities_rational(&mut system, budget)?;
        redundancy::remove_redundant_rational(&mut system, budget)?;
        if !has_points(&system, budget)? {
            return Ok(Vec::new());
        }
        let n_param = self.dim(DimKind::Param);
        let params: Vec<usize> = (0..n_param).collect();
        let mut shadow = fm::project(&system, &params, budget)?;
        let fixed = equalities(&mut shadow, budget)?;
        let mut search = Search { system: &system, n_param, n_dim: self.n_dim(), found: BTreeMap::new() };
        let mut rows = Vec::new();
        for eq in &system.eqs {
            if let Some(row) = search.reduced(&rows, eq) {
                rows.push(row);
            }
        }
        search.choose(&system.clone(), rows, 0, budget)?;
        let mut vertices = Vec::new();
        for solution in search.found.into_keys() {
            let mut domain = domain_of(&system, &solution, n_param);
            if has_points(&domain, budget)? && equalities(&mut domain, budget)? == fixed {
                vertices.push(self.vertex(solution, domain));
            }
        }
        Ok(vertices)
    }

    fn vertex(&self, solution: Solution, domain: System) -> Vertex {
        let space = Arc::new(Space::params(self.space().params.clone()));
        let mut basic = BasicMap::universe(Arc::clone(&space));
        domain.eqs.into_iter().for_each(|row| basic.add_eq(row));
        domain.ineqs.into_iter().for_each(|row| basic.add_ineq(row));
        let affs = solution.into_iter().map(|(row, denom)| Aff::from_row(Arc::clone(&space), row, denom)).collect();
        let range = self.tuple().cloned().unwrap_or_else(|| crate::space::Tuple::anonymous(0));
        Vertex {
            domain: basic.normalized().into_basic_set(),
            position: MultiAff::new(Space::set(self.space().params.clone(), range), affs),
        }
    }
}

/// For each dimension, a row over `[1 | params]` and a positive denominator.
type Solution = Vec<(Row, Int)>;

struct Search<'a> {
    system: &'a System,
    n_param: usize,
    n_dim: usize,
    /// The solutions, each once, in their order.
    found: BTreeMap<Solution, ()>,
}

impl Search<'_> {
    /// An equality without the dimensions that chosen ones determine; `None` if it says nothing
    /// about the others.
    fn reduced(&self, rows: &[(usize, Row)], equality: &[Int]) -> Option<(usize, Row)> {
        let mut row = equality.to_vec();
        rows.iter().for_each(|(pivot, chosen)| eliminate(&mut row, *pivot, chosen));
        let first = 1 + self.n_param;
        let pivot = (first..first + self.n_dim).find(|&c| !row[c].is_zero())?;
        Some((pivot, row))
    }

    /// Goes on from a face with inequalities from number `from` on.
    fn choose(&mut self, face: &System, rows: Vec<(usize, Row)>, from: usize, budget: &mut Budget) -> Result<(), Stop> {
        budget.spend(1)?;
        if rows.len() == self.n_dim {
            self.found.insert(self.solved(rows), ());
            return Ok(());
        }
        for at in from..self.system.ineqs.len() {
            let inequality = &self.system.ineqs[at];
            let Some(row) = self.reduced(&rows, inequality) else { continue };
            let mut next = face.clone();
            next.add_eq(inequality.clone());
            if has_points(&next, budget)? {
                let more = rows.iter().cloned().chain([row]).collect();
                self.choose(&next, more, at + 1, budget)?;
            }
        }
        Ok(())
    }

    /// The dimensions as functions of the parameters.
    fn solved(&self, mut rows: Vec<(usize, Row)>) -> Solution {
        for i in (0..rows.len()).rev() {
            let (pivot, chosen) = rows[i].clone();
            rows[..i].iter_mut().for_each(|(_, row)| eliminate(row, pivot, &chosen));
        }
        rows.sort_by_key(|(pivot, _)| *pivot);
        let value = |(pivot, row): (usize, Row)| {
            let factor = &row[pivot];
            let sign = Int::from(-factor.signum());
            let mut known: Row = row[..1 + self.n_param].iter().map(|x| x * &sign).collect();
            let mut denom = factor.abs();
            let gcd = known.iter().fold(denom.clone(), |gcd, x| gcd.gcd(x));
            known.iter_mut().for_each(|x| *x = x.div_exact(&gcd));
            denom = denom.div_exact(&gcd);
            (known, denom)
        };
        rows.into_iter().map(value).collect()
    }
}

/// Make the entry of a column zero by an equality.
fn eliminate(row: &mut Row, pivot: usize, equality: &[Int]) {
    if row[pivot].is_zero() {
        return;
    }
    let (a, b) = (equality[pivot].clone(), row[pivot].clone());
    row.iter_mut().zip(equality).for_each(|(x, y)| *x = &(&*x * &a) - &(&b * y));
    let gcd = row.iter().fold(Int::ZERO, |gcd, x| gcd.gcd(x));
    if gcd > Int::ONE {
        row.iter_mut().for_each(|x| *x = x.div_exact(&gcd));
    }
}

fn has_points(system: &System, budget: &mut Budget) -> Result<bool, Stop> {
    Ok(lp_min(system, &vec![Int::ZERO; 1 + system.n], budget)? != Optimum::Empty)
}

/// The number of independent equalities.
fn equalities(system: &mut System, budget: &mut Budget) -> Result<usize, Stop> {
    redundancy::implicit_equalities_rational(system, budget)?;
    redundancy::remove_redundant_rational(system, budget)?;
    // What every point satisfies says nothing.
    system.eqs.retain(|row| !row::is_zero(row));
    system.ineqs.retain(|row| !row::is_zero(&row[1..]));
    Ok(system.eqs.len())
}

/// The parameter values for which a solution satisfies all constraints.
fn domain_of(system: &System, solution: &Solution, n_param: usize) -> System {
    let common = solution.iter().fold(Int::ONE, |lcm, (_, denom)| (&lcm * denom).div_exact(&lcm.gcd(denom)));
    let at = |row: &Row| {
        let mut result: Row = row[..1 + n_param].iter().map(|x| x * &common).collect();
        for (factor, (value, denom)) in row[1 + n_param..].iter().zip(solution) {
            let factor = factor * &common.div_exact(denom);
            result.iter_mut().zip(value).for_each(|(x, y)| *x += &(&factor * y));
        }
        result
    };
    let mut domain = System::new(n_param);
    system.eqs.iter().for_each(|row| domain.add_eq(at(row)));
    system.ineqs.iter().for_each(|row| domain.add_ineq(at(row)));
    domain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertices(text: &str) -> Vec<String> {
        let set: BasicSet = text.parse().expect("the set can be read");
        let found = set.vertices(&mut Budget::unlimited()).expect("no limit");
        found.iter().map(|vertex| format!("{} for {}", vertex.position, vertex.domain)).collect()
    }

    #[test]
    fn chambers_have_their_own_vertices() {
        assert_eq!(
            vertices("[n, m] -> { [i] : 0 <= i <= n and i <= m }"),
            [
                "[n, m] -> { [(0)] } for [n, m] -> { : n >= 0 and m >= 0 }",
                "[n, m] -> { [(m)] } for [n, m] -> { : 0 <= m <= n }",
                "[n, m] -> { [(n)] } for [n, m] -> { : n >= 0 and m >= n }",
            ]
        );
    }

    #[test]
    fn points_lines_and_nothing() {
        assert_eq!(vertices("{ [i, 2i] : 1 <= i <= 5 }"), ["{ [(1), (2)] } for { : }", "{ [(5), (10)] } for { : }"]);
        assert_eq!(vertices("{ [i, j] : i + j <= 5 and i <= j and i >= 0 }")[2], "{ [((5)/2), ((5)/2)] } for { : }");
        assert_eq!(vertices("{ [i, j] : 0 <= i <= 1 }"), Vec::<String>::new());
        assert_eq!(vertices("{ [i] : i >= 0 }").len(), 1);
        assert_eq!(vertices("{ [i] : 1 = 0 }"), Vec::<String>::new());
        assert_eq!(vertices("[n] -> { [i] : n <= 2i <= n }").len(), 1);
    }

    #[test]
    fn the_hull_of_the_vertices_is_the_polytope() {
        for text in [
            "{ [x, y, z] : 0 <= x, y, z and 2x + 3y + z <= 12 and x <= 3 }",
            "{ [x, y] : -3 <= x + y <= 4 and -2 <= x - y <= 5 }",
            "{ [x, y, z] : 0 <= x <= 4 and x <= y <= x + 2 and y <= 2z <= y + 6 }",
        ] {
            let budget = &mut Budget::unlimited();
            let set: BasicSet = text.parse().expect("the set can be read");
            let found = set.vertices(budget).expect("no limit");
            let polytope = RationalSet::from_set(&Set::from(set), budget).expect("no limit");
            let mut points = RationalSet::empty(polytope.space().clone());
            for vertex in &found {
                let mut point = System::new(polytope.space().n_var());
                for (i, value) in vertex.position.affs().iter().enumerate() {
                    let mut row = vec![Int::ZERO; 1 + point.n];
                    (row[0], row[1 + i]) = (value.row()[0].clone(), -value.denom());
                    point.add_eq(row);
                }
                points = points.union(&RationalSet::from_systems(polytope.space().clone(), vec![point]));
            }
            let hull = points.convex_hull(budget).expect("no limit");
            assert_eq!(hull.is_equal(&polytope, budget), Ok(true), "{text}");
        }
    }
}
