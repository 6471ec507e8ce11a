//! Random relations with a brute-force model, for property tests.
//!
//! A [`Model`] is a union of conjunctions, like the types under test, but its membership test tries
//! all values of the existentials (which are bounded by construction) and computes divisions
//! directly. It shares no code with the operations under test.

use std::sync::Arc;

use poly_arith::Int;

use crate::basic::BasicMap;
use crate::map::Map;
use crate::set::Set;
use crate::solver::testing::Sampler;
use crate::space::{Id, Space, Tuple};

/// Existentials of a model take values in `-EXISTS..=EXISTS`.
const EXISTS: i64 = 5;

/// A div of a model: an existential or `floor(num / denom)`.
#[derive(Clone, Debug)]
enum ModelDiv {
    Exists,
    Floor(i64, Vec<i64>),
}

/// One conjunction; rows are over `[1 | params | dims | divs so far]`.
#[derive(Clone, Debug)]
struct ModelBasic {
    divs: Vec<ModelDiv>,
    eqs: Vec<Vec<i64>>,
    ineqs: Vec<Vec<i64>>,
}

/// A union of conjunctions over one parameter and some dimensions.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    basics: Vec<ModelBasic>,
}

fn eval(row: &[i64], values: &[i64]) -> i64 {
    row[0] + row[1..].iter().zip(values).map(|(a, x)| a * x).sum::<i64>()
}

impl ModelBasic {
    fn holds(&self, values: &mut Vec<i64>, next: usize) -> bool {
        match self.divs.get(next) {
            None => self.eqs.iter().all(|r| eval(r, values) == 0) && self.ineqs.iter().all(|r| eval(r, values) >= 0),
            Some(ModelDiv::Floor(d, num)) => {
                values.push(eval(num, values).div_euclid(*d));
                let holds = self.holds(values, next + 1);
                values.pop();
                holds
            }
            Some(ModelDiv::Exists) => (-EXISTS..=EXISTS).any(|x| {
                values.push(x);
                let holds = self.holds(values, next + 1);
                values.pop();
                holds
            }),
        }
    }

    fn build(&self, space: &Arc<Space>) -> BasicMap {
        let mut basic = BasicMap::universe(Arc::clone(space));
        let int = |r: &[i64]| r.iter().map(|&x| Int::from(x)).collect::<Vec<Int>>();
        for div in &self.divs {
            match div {
                ModelDiv::Floor(d, num) => {
                    let num = int(num);
                    basic.add_div(Int::from(*d), num);
                }
                ModelDiv::Exists => {
                    let col = basic.add_unknown_div();
                    for sign in [1, -1] {
                        let mut r = crate::row::zeros(basic.n_col());
                        r[0] = Int::from(EXISTS);
                        r[col] = Int::from(sign);
                        basic.add_ineq(r);
                    }
                }
            }
        }
        self.eqs.iter().for_each(|r| basic.add_eq(int(r)));
        self.ineqs.iter().for_each(|r| basic.add_ineq(int(r)));
        basic
    }
}

/// What random relations look like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Number of dimensions (domain and range together).
    pub(crate) n_dim: usize,
    /// Largest number of disjuncts.
    pub(crate) max_basics: usize,
    /// Largest number of existentials.
    pub(crate) max_exists: usize,
    /// Bound all dimensions by `-bound..=bound`.
    pub(crate) bound: Option<i64>,
}

impl Model {
    /// A random model.
    pub(crate) fn random(s: &mut Sampler, shape: Shape) -> Model {
        let n = s.range(1, shape.max_basics as i64);
        Model { basics: (0..n).map(|_| random_basic(s, shape)).collect() }
    }

    /// Whether the point is in the relation.
    pub(crate) fn contains(&self, param: i64, point: &[i64]) -> bool {
        let mut values = vec![param];
        values.extend(point);
        self.basics.iter().any(|b| b.holds(&mut values, 0))
    }

    /// The set under test.
    pub(crate) fn set(&self, n_dim: usize) -> Set {
        let space = Arc::new(Space::set(vec![Id::new("p")], Tuple::anonymous(n_dim)));
        self.map_in(&space).into_set()
    }

    /// The relation under test.
    pub(crate) fn map(&self, n_in: usize, n_out: usize) -> Map {
        let (d, r) = (Tuple::anonymous(n_in), Tuple::anonymous(n_out));
        self.map_in(&Arc::new(Space::map(vec![Id::new("p")], d, r)))
    }

    fn map_in(&self, space: &Arc<Space>) -> Map {
        let basics = self.basics.iter().map(|b| b.build(space)).collect();
        Map::from_basics(Arc::clone(space), basics)
    }
}

fn random_row(s: &mut Sampler, n: usize, max: i64) -> Vec<i64> {
    let mut row = vec![s.range(-6, 6)];
    row.extend((0..n).map(|_| if s.range(0, 2) == 0 { 0 } else { s.range(-max, max) }));
    row
}

fn random_basic(s: &mut Sampler, shape: Shape) -> ModelBasic {
    let mut basic = ModelBasic { divs: Vec::new(), eqs: Vec::new(), ineqs: Vec::new() };
    let n_exists = s.range(0, shape.max_exists as i64);
    let n_floor = [0, 0, 0, 1, 1, 2][s.range(0, 5) as usize];
    let mut n = 1 + shape.n_dim;
    let exists_first = s.range(0, 4) == 0;
    for k in 0..n_exists + n_floor {
        let exists = if exists_first { k < n_exists } else { k >= n_floor };
        basic.divs.push(if exists { ModelDiv::Exists } else { ModelDiv::Floor(s.range(2, 5), random_row(s, n, 3)) });
        n += 1;
    }
    for _ in 0..[0, 0, 1, 1, 2][s.range(0, 4) as usize] {
        basic.eqs.push(random_row(s, n, 3));
    }
    for _ in 0..s.range(0, 4) {
        basic.ineqs.push(random_row(s, n, 3));
    }
    if let Some(bound) = shape.bound {
        for i in 0..shape.n_dim {
            for sign in [1, -1] {
                let mut row = vec![0; n + 1];
                row[0] = bound;
                row[2 + i] = sign;
                basic.ineqs.push(row);
            }
        }
    }
    basic
}

/// All points of `-size..=size` in `n` dimensions.
pub(crate) fn boxed_points(n: usize, size: i64) -> Vec<Vec<i64>> {
    let mut points = vec![Vec::new()];
    for _ in 0..n {
        let extend = |p: &Vec<i64>| (-size..=size).map(|x| [&p[..], &[x]].concat()).collect::<Vec<Vec<i64>>>();
        points = points.iter().flat_map(extend).collect();
    }
    points
}

/// The point as integers.
pub(crate) fn ints(point: &[i64]) -> Vec<Int> {
    point.iter().map(|&x| Int::from(x)).collect()
}

/// Membership in the relation under test.
pub(crate) fn has(map: &Map, param: i64, point: &[i64]) -> bool {
    map.contains(&[Int::from(param)], &ints(point))
}
