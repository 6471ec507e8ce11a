//! Parametric vertices and chambers.
//!
//! The vertices of a polytope `{ z : A z + B t + c >= 0 }` are affine functions `v(t)`, each of
//! them a vertex exactly where `A v(t) + B t + c >= 0`, its *activity domain*. A *chamber* is a
//! full-dimensional cell of the common refinement of these domains; inside it the set of vertices,
//! and with it the shape of the polytope, stays the same. A formula for the number of points that
//! holds inside a chamber holds on its boundary too \[ClaussLoechner1998\].
//!
//! **Algorithm.** The chambers are found by walking from one to the next.
//!
//! 1. The vertices at a point `t` are those of a polytope without parameters, by the double
//!    description method. The point is *generic* if the constraints that a vertex satisfies with
//!    equality do so for all `t`.
//! 2. A chamber is the intersection of the activity domains of its vertices: a vertex is connected
//!    by edges to others of the same set only, and stays so as long as all of them are vertices.
//! 3. Its facets are its *walls*. Beyond the middle of a wall, unless the wall bounds the whole (a
//!    linear program), there is another chamber; it is the one of a generic point so close to the
//!    wall that its chamber touches the middle.
//!
//! **Disjoint chambers.** Fix a point `g` inside of some chamber and on no hyperplane of a wall. A
//! chamber keeps the walls that `g` is on the inner side of and loses the others. A point `t` then
//! belongs to the one chamber that a step from `t` towards `g` leads into
//! \[KoeppeVerdoolaege2008\].
//!
//! Points are given in homogeneous coordinates `[s, s t]` with `s > 0`, so that all numbers are
//! integers.

use std::collections::{BTreeMap, VecDeque};

use poly_arith::{Coeff, Int, Rational};
use poly_linalg::{Matrix, gauss, vector};
use poly_presburger::solver::cone::{Generators, generators};
use poly_presburger::solver::lp::Grid;
use poly_presburger::solver::{Interrupt, Optimum, System, Tableau, lp_min, widen};
use poly_presburger::{Budget, Row, Stop};

use super::lift::Parametric;

/// A vertex: an affine function of the parameters.
#[derive(Clone, Debug)]
pub(crate) struct Vertex {
    /// The numerators of the coordinates over `[1 | t]`.
    pub(crate) num: Vec<Row>,
    /// The common denominator, positive.
    pub(crate) denom: Int,
    /// The constraints that hold with equality for all parameters.
    pub(crate) tight: Vec<usize>,
}

/// A facet of a chamber.
#[derive(Clone, Debug)]
pub(crate) struct Wall {
    /// The form over `[1 | t]` that is not negative in the chamber.
    pub(crate) row: Row,
    /// Whether there are no parameters with points beyond.
    outer: bool,
    /// Whether the wall belongs to the chamber.
    pub(crate) closed: bool,
}

/// A part of the parameter space with the vertices that are active there.
#[derive(Clone, Debug)]
pub(crate) struct Chamber {
    /// Numbers of the vertices, increasing.
    pub(crate) vertices: Vec<usize>,
    /// The facets.
    pub(crate) walls: Vec<Wall>,
}

/// The vertices and chambers of a polytope; chambers are disjoint and cover all parameters with
/// points.
#[derive(Clone, Debug)]
pub(crate) struct Decomposition {
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) chambers: Vec<Chamber>,
}

/// The polytope at a point of the parameter space.
enum Fiber {
    Empty,
    /// Some vertex satisfies a constraint with equality at this point only.
    Special,
    Generic(Vec<Vertex>),
}

/// The decomposition of a polytope that is bounded and has interior points.
pub(crate) fn decompose(polytope: &Parametric, budget: &mut Budget) -> Result<Decomposition, Stop> {
    let mut walk = Walk { polytope, vertices: Vec::new(), known: BTreeMap::new(), chambers: Vec::new() };
    let start = walk.start(budget)?;
    let mut waiting = VecDeque::from([(start.clone(), 0)]);
    while let Some((inside, chamber)) = waiting.pop_front() {
        for (point, number) in walk.cross_walls(&inside, chamber, budget)? {
            waiting.push_back((point, number));
        }
    }
    walk.close_walls(start, budget)?;
    Ok(Decomposition { vertices: walk.vertices, chambers: walk.chambers })
}

/// The search for chambers.
struct Walk<'a> {
    polytope: &'a Parametric,
    vertices: Vec<Vertex>,
    /// The numbers of the vertices found.
    known: BTreeMap<(Vec<Row>, Int), usize>,
    chambers: Vec<Chamber>,
}

/// Direction number `k` of a sequence no finite part of which is in a hyperplane: a point of the
/// moment curve.
fn direction(n: usize, k: u32) -> Vec<Int> {
    std::iter::once(Int::ZERO).chain((0..n as u32).map(|i| Int::from(k).pow(i))).collect()
}

/// `point` and a small multiple of direction number `attempt`.
fn perturbed(point: &[Int], attempt: u32) -> Vec<Int> {
    let mut result = point.to_vec();
    let scale = Int::from(2).pow(2 * attempt + 1);
    vector::combine(&mut result, &scale, &direction(point.len() - 1, attempt + 1), &point[0]);
    vector::normalize(&mut result);
    result
}

impl Walk<'_> {
    fn n_param(&self) -> usize {
        self.polytope.n_param
    }

    /// A generic point with its chamber, which becomes number 0.
    fn start(&mut self, budget: &mut Budget) -> Result<Vec<Int>, Stop> {
        let middle = self.interior_point(budget)?;
        let mut point = middle.clone();
        let mut attempt = 0;
        loop {
            budget.spend(1)?;
            if let Fiber::Generic(vertices) = self.fiber(&point, budget)? {
                self.add_chamber(vertices, budget)?;
                return Ok(point);
            }
            point = perturbed(&middle, attempt);
            attempt += 1;
        }
    }

    /// The parameters of a point inside the polytope: the distance to all constraints, up to 1, is
    /// maximal.
    fn interior_point(&self, budget: &mut Budget) -> Result<Vec<Int>, Stop> {
        let n = self.n_param() + self.polytope.n_var + 1;
        let mut system = System::new(n);
        let mut slack = vec![Int::ZERO; n + 1];
        slack[n] = Int::ONE;
        for row in &self.polytope.rows {
            system.add_ineq(row.iter().cloned().chain([Int::NEG_ONE]).collect());
        }
        let mut limit: Row = slack.iter().map(|x| -x).collect();
        limit[0] = Int::ONE;
        system.add_ineq(limit);
        let point = widen(
            budget,
            |budget| highest_point::<i64>(&system, &slack, budget),
            |budget| highest_point::<Int>(&system, &slack, budget),
        )?;
        assert!(point[n - 1].is_pos(), "a polytope without equalities has interior points");
        let params = &point[..self.n_param()];
        let scale = params.iter().fold(Int::ONE, |scale, x| scale.lcm(x.den()));
        let scaled = params.iter().map(|x| x.num() * &scale.div_exact(x.den()));
        Ok(std::iter::once(scale.clone()).chain(scaled).collect())
    }

    /// The vertices at a point.
    fn fiber(&self, point: &[Int], budget: &mut Budget) -> Result<Fiber, Stop> {
        let first = 1 + self.n_param();
        let constraint = |row: &Row| -> Row {
            std::iter::once(vector::dot(&row[..first], point)).chain(row[first..].iter().cloned()).collect()
        };
        let n = 1 + self.polytope.n_var;
        let mut scale = vec![Int::ZERO; n];
        scale[0] = Int::ONE;
        let mut rows: Vec<Row> = self.polytope.rows.iter().map(constraint).collect();
        rows.push(scale);
        let cone = generators(n, &[], &rows, budget)?;
        rows.pop();
        let rays: Vec<&Vec<Int>> = cone.rays.iter().filter(|ray| ray[0].is_pos()).collect();
        if rays.is_empty() {
            return Ok(Fiber::Empty);
        }
        let mut vertices = Vec::with_capacity(rays.len());
        for ray in rays {
            budget.spend((rows.len() * n + n * n) as u64)?;
            let is_tight = |i: &usize| vector::dot(&rows[*i], ray).is_zero();
            let tight: Vec<usize> = (0..rows.len()).filter(is_tight).collect();
            match self.vertex(tight) {
                Some(vertex) => vertices.push(vertex),
                None => return Ok(Fiber::Special),
            }
        }
        Ok(Fiber::Generic(vertices))
    }

    /// The vertex that satisfies the constraints with equality for all parameters, if there is one.
    fn vertex(&self, tight: Vec<usize>) -> Option<Vertex> {
        let (first, n) = (1 + self.n_param(), self.polytope.n_var);
        let normals = Matrix::from_rows(tight.iter().map(|&i| self.polytope.rows[i][first..].to_vec()).collect(), n);
        let independent = gauss::row_echelon(&normals.transpose()).pivot_cols;
        let chosen: Vec<usize> = independent.into_iter().map(|k| tight[k]).collect();
        let square = Matrix::from_rows(chosen.iter().map(|&i| self.polytope.rows[i][first..].to_vec()).collect(), n);
        let (inverse, mut denom) = gauss::inverse_rational(&square)?;
        let rest = Matrix::from_rows(chosen.iter().map(|&i| self.polytope.rows[i][..first].to_vec()).collect(), first);
        let mut num = inverse.mul(&rest).to_rows();
        num.iter_mut().for_each(|row| vector::negate(row));
        let common = num.iter().fold(denom.clone(), |common, row| common.gcd(&vector::gcd(row)));
        denom = denom.div_exact(&common);
        num.iter_mut().flatten().for_each(|x| *x = x.div_exact(&common));
        let vertex = Vertex { num, denom, tight };
        vertex.tight.iter().all(|&i| vector::is_zero(&self.slack(&vertex, i))).then_some(vertex)
    }

    /// A positive multiple of the value of a constraint at a vertex, as a form over `[1 | t]`.
    fn slack(&self, vertex: &Vertex, constraint: usize) -> Row {
        let (head, normal) = self.polytope.rows[constraint].split_at(1 + self.n_param());
        let mut value: Row = head.iter().map(|x| x * &vertex.denom).collect();
        for (factor, coordinate) in normal.iter().zip(&vertex.num) {
            vector::add_multiple(&mut value, factor, coordinate);
        }
        value
    }

    /// The number of the chamber with these vertices, and whether it is new.
    fn add_chamber(&mut self, vertices: Vec<Vertex>, budget: &mut Budget) -> Result<(usize, bool), Stop> {
        let mut numbers: Vec<usize> = Vec::with_capacity(vertices.len());
        for vertex in vertices {
            let key = (vertex.num.clone(), vertex.denom.clone());
            let all = &mut self.vertices;
            let number = *self.known.entry(key).or_insert_with(|| {
                all.push(vertex);
                all.len() - 1
            });
            numbers.push(number);
        }
        numbers.sort_unstable();
        if let Some(number) = self.chambers.iter().position(|chamber| chamber.vertices == numbers) {
            return Ok((number, false));
        }
        let walls = self.walls(&numbers, budget)?;
        self.chambers.push(Chamber { vertices: numbers, walls });
        Ok((self.chambers.len() - 1, true))
    }

    /// The inequalities of all activity domains, without constants, each once.
    fn inequalities(&self, vertices: &[usize], budget: &mut Budget) -> Result<Vec<Row>, Stop> {
        let mut rows = Vec::new();
        for &number in vertices {
            let vertex = &self.vertices[number];
            budget.spend(self.polytope.rows.len() as u64)?;
            for constraint in (0..self.polytope.rows.len()).filter(|i| !vertex.tight.contains(i)) {
                let mut row = self.slack(vertex, constraint);
                vector::normalize(&mut row);
                if !vector::is_zero(&row[1..]) {
                    rows.push(row);
                }
            }
        }
        rows.sort_unstable();
        rows.dedup();
        Ok(rows)
    }

    /// The facets of the intersection of activity domains.
    fn walls(&self, vertices: &[usize], budget: &mut Budget) -> Result<Vec<Wall>, Stop> {
        let rows = self.inequalities(vertices, budget)?;
        let cone = self.cone(&rows, budget)?;
        let mut walls = Vec::new();
        for row in rows {
            budget.spend(1 + cone.rays.len() as u64)?;
            let facet = facet_of(&cone, &row);
            let rank = gauss::rank(&Matrix::from_rows(facet, row.len()));
            if rank == self.n_param() {
                let outer = self.is_outer(&row, budget)?;
                walls.push(Wall { row, outer, closed: true });
            }
        }
        Ok(walls)
    }

    /// Generators of the homogenized polyhedron of forms over `[1 | t]`.
    fn cone(&self, rows: &[Row], budget: &mut Budget) -> Result<Generators, Stop> {
        let n = 1 + self.n_param();
        let mut scale = vec![Int::ZERO; n];
        scale[0] = Int::ONE;
        let all: Vec<Row> = std::iter::once(scale).chain(rows.iter().cloned()).collect();
        generators(n, &[], &all, budget)
    }

    /// Whether a form over `[1 | t]` is nonnegative wherever the polytope has points.
    fn is_outer(&self, row: &Row, budget: &mut Budget) -> Result<bool, Stop> {
        let n = self.n_param() + self.polytope.n_var;
        let system = System { n, eqs: Vec::new(), ineqs: self.polytope.rows.clone() };
        let mut form = row.clone();
        form.resize(n + 1, Int::ZERO);
        match lp_min(&system, &form, budget)? {
            Optimum::Bounded(least) => Ok(!least.is_neg()),
            Optimum::Unbounded => Ok(false),
            Optimum::Empty => unreachable!("the polytope has points"),
        }
    }

    /// The new chambers beyond the walls of a chamber, each with a point inside.
    fn cross_walls(
        &mut self,
        inside: &[Int],
        chamber: usize,
        budget: &mut Budget,
    ) -> Result<Vec<(Vec<Int>, usize)>, Stop> {
        let walls = self.chambers[chamber].walls.clone();
        let rows: Vec<Row> = walls.iter().map(|wall| wall.row.clone()).collect();
        let cone = self.cone(&rows, budget)?;
        let mut found = Vec::new();
        for wall in walls.iter().filter(|wall| !wall.outer) {
            let middle = sum_of_rays(&cone, &wall.row);
            let (point, number, is_new) = self.beyond(inside, &middle, chamber, budget)?;
            if is_new {
                found.push((point, number));
            }
        }
        Ok(found)
    }

    /// The chamber that touches a point in the middle of a wall from the other side than `inside`.
    fn beyond(
        &mut self,
        inside: &[Int],
        middle: &[Int],
        chamber: usize,
        budget: &mut Budget,
    ) -> Result<(Vec<Int>, usize, bool), Stop> {
        let mut steps = Int::ONE;
        loop {
            budget.spend(1)?;
            // middle + (middle - inside) / steps
            let mut point = middle.to_vec();
            let (own, other) = (&inside[0] * &(&steps + &Int::ONE), -&middle[0]);
            vector::combine(&mut point, &own, inside, &other);
            vector::normalize(&mut point);
            steps = &steps * 4;
            let Fiber::Generic(vertices) = self.fiber(&point, budget)? else { continue };
            let touches = vertices.iter().all(|vertex| {
                (0..self.polytope.rows.len()).all(|i| !vector::dot(&self.slack(vertex, i), middle).is_neg())
            });
            if touches {
                let (number, is_new) = self.add_chamber(vertices, budget)?;
                assert!(number != chamber, "a wall separates two chambers");
                return Ok((point, number, is_new));
            }
        }
    }

    /// Decides which walls belong to their chambers.
    fn close_walls(&mut self, start: Vec<Int>, budget: &mut Budget) -> Result<(), Stop> {
        let mut point = start.clone();
        let mut attempt = 0;
        loop {
            budget.spend(1)?;
            let decides = |wall: &Wall| match vector::dot(&wall.row, &point).signum() {
                0 => false,
                sign => sign > 0 || !wall.outer,
            };
            if self.chambers.iter().flat_map(|chamber| &chamber.walls).all(decides) {
                break;
            }
            point = perturbed(&start, attempt);
            attempt += 1;
        }
        for wall in self.chambers.iter_mut().flat_map(|chamber| &mut chamber.walls) {
            wall.closed = vector::dot(&wall.row, &point).is_pos();
        }
        Ok(())
    }
}

/// A point where a form has its maximum, which must exist.
fn highest_point<T: Coeff>(system: &System, form: &[Int], budget: &mut Budget) -> Result<Vec<Rational>, Interrupt> {
    let mut tableau = Tableau::<T>::from_system(system, Grid::Rational, budget)?;
    let Optimum::Bounded(_) = tableau.maximize(&T::row_from_ints(form)?, budget)? else {
        unreachable!("the form has a maximum");
    };
    Ok(tableau.sample().expect("a system with an optimum has points"))
}

/// The generators of the face of a cone in the hyperplane of a row.
fn facet_of(cone: &Generators, row: &[Int]) -> Vec<Vec<Int>> {
    let on_facet = |ray: &&Vec<Int>| vector::dot(row, ray).is_zero();
    cone.lines.iter().chain(cone.rays.iter().filter(on_facet)).cloned().collect()
}

/// A point in the relative interior of the face of a cone in the hyperplane of a row.
fn sum_of_rays(cone: &Generators, row: &[Int]) -> Vec<Int> {
    let mut sum = vec![Int::ZERO; row.len()];
    for ray in cone.rays.iter().filter(|ray| vector::dot(row, ray).is_zero()) {
        vector::add_multiple(&mut sum, &Int::ONE, ray);
    }
    vector::normalize(&mut sum);
    sum
}
