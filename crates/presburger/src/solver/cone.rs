//! Generators of a polyhedral cone: the double description method.
//!
//! A cone `{ x : E x = 0, A x >= 0 }` is also the set of all combinations of some *lines*, with any
//! coefficients, and *rays*, with nonnegative ones. [`generators`] computes a minimal such
//! description: independent lines, and rays none of which is redundant.
//!
//! **Algorithm.** Start with the unit vectors as lines and add one constraint `a` after the other.
//!
//! 1. If some line `l` has `a . l != 0`, orient it such that `a . l > 0` and project all other
//!    generators along `l` into the hyperplane `a . x = 0`. For an inequality `l` becomes a ray,
//!    for an equality it is dropped.
//! 2. Otherwise, keep the rays with `a . r = 0`, for an inequality also those with `a . r > 0`, and
//!    add for each *adjacent* pair on opposite sides the combination in the hyperplane.
//!
//! Two rays are adjacent iff no third ray satisfies with equality all inequalities that both of
//! them satisfy with equality. For this each ray carries the set of these inequalities.
//!
//! Reference: \[Motzkin1953\], \[Chernikova1965\]; the adjacency test as in \[FukudaProdon1996\].

use poly_arith::Int;
use poly_linalg::vector;

use crate::budget::{Budget, Stop};

/// Lines and rays that generate a cone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generators {
    /// Linearly independent primitive vectors whose negatives are in the cone too.
    pub lines: Vec<Vec<Int>>,
    /// Primitive vectors, none of which is a combination of the others and the lines.
    pub rays: Vec<Vec<Int>>,
}

/// A set of constraint numbers.
#[derive(Clone, PartialEq, Eq)]
struct BitSet(Vec<u64>);

impl BitSet {
    fn new(n: usize) -> BitSet {
        BitSet(vec![0; n.div_ceil(64)])
    }

    fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    fn intersection(&self, other: &BitSet) -> BitSet {
        BitSet(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    fn is_subset(&self, other: &BitSet) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }
}

/// A ray and the inequalities that it satisfies with equality.
#[derive(Clone)]
struct Ray {
    vector: Vec<Int>,
    tight: BitSet,
}

/// The state of the method.
struct Cone {
    lines: Vec<Vec<Int>>,
    rays: Vec<Ray>,
    n_ineq: usize,
    /// The number of inequalities processed so far.
    done: usize,
}

/// Generators of the cone of all vectors `x` of length `n` with `e . x = 0` for all `e` in `eqs`
/// and `a . x >= 0` for all `a` in `ineqs`. Cost: exponential in `n` \[Motzkin1953\],
/// \[Chernikova1965\].
pub fn generators(n: usize, eqs: &[Vec<Int>], ineqs: &[Vec<Int>], budget: &mut Budget) -> Result<Generators, Stop> {
    let unit = |i| {
        let mut vector = vec![Int::ZERO; n];
        vector[i] = Int::ONE;
        vector
    };
    let lines = (0..n).map(unit).collect();
    let mut cone = Cone { lines, rays: Vec::new(), n_ineq: ineqs.len(), done: 0 };
    for row in eqs {
        if let Some(line) = cone.take_crossing_line(row) {
            cone.project_along(&line, row);
        }
    }
    for row in ineqs {
        cone.add_inequality(row, budget)?;
    }
    Ok(Generators { lines: cone.lines, rays: cone.rays.into_iter().map(|ray| ray.vector).collect() })
}

impl Cone {
    /// Removes a line that is not in the hyperplane of `row`, oriented to its positive side.
    fn take_crossing_line(&mut self, row: &[Int]) -> Option<Vec<Int>> {
        let index = self.lines.iter().position(|line| !vector::dot(row, line).is_zero())?;
        let mut line = self.lines.remove(index);
        if vector::dot(row, &line).is_neg() {
            vector::negate(&mut line);
        }
        Some(line)
    }

    /// Moves all generators along `line` into the hyperplane of `row`.
    fn project_along(&mut self, line: &[Int], row: &[Int]) {
        let height = vector::dot(row, line);
        let rays = self.rays.iter_mut().map(|ray| &mut ray.vector);
        for generator in self.lines.iter_mut().chain(rays) {
            let excess = vector::dot(row, generator);
            if !excess.is_zero() {
                vector::combine(generator, &height, line, &-excess);
                vector::normalize(generator);
            }
        }
    }

    fn add_inequality(&mut self, row: &[Int], budget: &mut Budget) -> Result<(), Stop> {
        budget.spend(1 + (self.rays.len() + self.lines.len()) as u64)?;
        let index = self.done;
        self.done += 1;
        if let Some(line) = self.take_crossing_line(row) {
            self.project_along(&line, row);
            for ray in &mut self.rays {
                ray.tight.insert(index);
            }
            let mut tight = BitSet::new(self.n_ineq);
            (0..index).for_each(|i| tight.insert(i));
            self.rays.push(Ray { vector: line, tight });
            return Ok(());
        }
        self.cut(row, index, budget)
    }

    /// Step 2: intersects the cone with a halfspace whose hyperplane contains all lines.
    fn cut(&mut self, row: &[Int], index: usize, budget: &mut Budget) -> Result<(), Stop> {
        let heights: Vec<Int> = self.rays.iter().map(|ray| vector::dot(row, &ray.vector)).collect();
        let mut new_rays = Vec::new();
        for (i, above) in heights.iter().enumerate().filter(|(_, height)| height.is_pos()) {
            for (j, below) in heights.iter().enumerate().filter(|(_, height)| height.is_neg()) {
                let common = self.rays[i].tight.intersection(&self.rays[j].tight);
                budget.spend(1 + self.rays.len() as u64 / 16)?;
                if !self.are_adjacent(i, j, &common) {
                    continue;
                }
                let mut vector = self.rays[i].vector.clone();
                vector::combine(&mut vector, &-below, &self.rays[j].vector, above);
                vector::normalize(&mut vector);
                let mut tight = common;
                tight.insert(index);
                new_rays.push(Ray { vector, tight });
            }
        }
        let mut heights = heights.iter();
        self.rays.retain_mut(|ray| {
            let height = heights.next().expect("one height per ray");
            if height.is_zero() {
                ray.tight.insert(index);
            }
            !height.is_neg()
        });
        self.rays.extend(new_rays);
        Ok(())
    }

    /// Is there no third ray in the smallest face that contains rays `i` and `j`?
    fn are_adjacent(&self, i: usize, j: usize, common: &BitSet) -> bool {
        self.rays.iter().enumerate().all(|(k, ray)| k == i || k == j || !common.is_subset(&ray.tight))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::testing::*;
    use crate::solver::{Optimum, System, lp_min};

    /// Is `vector` a combination of the lines and of the rays other than `skip`?
    fn is_generated(generators: &Generators, skip: Option<usize>, target: &[Int]) -> bool {
        let rays: Vec<&Vec<Int>> =
            (0..generators.rays.len()).filter(|&i| Some(i) != skip).map(|i| &generators.rays[i]).collect();
        let n = generators.lines.len() + rays.len();
        let mut system = System::new(n);
        for (i, value) in target.iter().enumerate() {
            let mut row = vec![-value];
            row.extend(generators.lines.iter().map(|line| line[i].clone()));
            row.extend(rays.iter().map(|ray| ray[i].clone()));
            system.add_eq(row);
        }
        for var in generators.lines.len()..n {
            let mut row = vec![Int::ZERO; n + 1];
            row[var + 1] = Int::ONE;
            system.add_ineq(row);
        }
        let zero = vec![Int::ZERO; n + 1];
        lp_min(&system, &zero, &mut Budget::unlimited()).unwrap() != Optimum::Empty
    }

    #[test]
    fn generators_describe_the_same_cone() {
        let mut sampler = Sampler::new(30);
        for round in 0..200 {
            let n = 1 + round % 4;
            let eqs: Vec<Vec<Int>> = (0..sampler.range(0, 1)).map(|_| sampler.row(n - 1, 2, 2)).collect();
            let ineqs: Vec<Vec<Int>> = (0..sampler.range(0, 7)).map(|_| sampler.row(n - 1, 2, 2)).collect();
            let result = generators(n, &eqs, &ineqs, &mut Budget::unlimited()).unwrap();
            let inside = |point: &[Int]| {
                eqs.iter().all(|row| vector::dot(row, point).is_zero())
                    && ineqs.iter().all(|row| !vector::dot(row, point).is_neg())
            };
            assert!(result.rays.iter().all(|ray| inside(ray)));
            for line in &result.lines {
                let opposite: Vec<Int> = line.iter().map(|value| -value).collect();
                assert!(inside(line) && inside(&opposite));
            }
            for point in points(n, 2) {
                assert_eq!(is_generated(&result, None, &point), inside(&point), "{point:?}");
            }
            for (i, ray) in result.rays.iter().enumerate() {
                assert!(!is_generated(&result, Some(i), ray), "{ray:?} is redundant");
            }
        }
    }

    #[test]
    fn an_octant_and_a_pyramid() {
        let octant = [ints(&[1, 0, 0]), ints(&[0, 1, 0]), ints(&[0, 0, 1])];
        let result = generators(3, &[], &octant, &mut Budget::unlimited()).unwrap();
        assert!(result.lines.is_empty());
        assert_eq!(result.rays.len(), 3);
        let pyramid = [ints(&[1, 1, 0]), ints(&[1, -1, 0]), ints(&[1, 0, 1]), ints(&[1, 0, -1])];
        let result = generators(3, &[], &pyramid, &mut Budget::unlimited()).unwrap();
        assert_eq!(result.rays.len(), 4);
    }
}
