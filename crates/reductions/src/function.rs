//! Affine functions with integer coefficients, as rows.

use poly_arith::Int;
use poly_linalg::{Matrix, solve_integer};
use poly_presburger::{BasicMap, DimKind, Id, Map, Set, Space, Tuple};

/// An affine function of points and parameters: a row `[constant | parameters | dimensions]` for
/// each result.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Function {
    /// Number of parameters.
    pub params: usize,
    /// Number of dimensions of the points.
    pub dims: usize,
    /// One row for each result.
    pub rows: Vec<Vec<Int>>,
}

impl Function {
    /// The function with these rows.
    ///
    /// # Panics
    /// If a row does not have a coefficient for the constant, each parameter and each dimension.
    pub fn new(params: usize, dims: usize, rows: Vec<Vec<Int>>) -> Self {
        assert!(rows.iter().all(|row| row.len() == 1 + params + dims), "a row of a function has the wrong length");
        Self { params, dims, rows }
    }

    /// The function that a single-valued relation of points is, if it is one row of integer
    /// coefficients for each result.
    pub fn from_map(map: &Map) -> Option<Self> {
        let [basic] = map.basics() else { return None };
        if basic.n_div() > 0 || !basic.ineqs().is_empty() || basic.eqs().len() != map.dim(DimKind::Out) {
            return None;
        }
        Self::from_equalities(basic)
    }

    /// The results of a relation as functions of its arguments, as far as its equalities without
    /// divisions say; `None` if they do not say all of them. Whatever else constrains the relation
    /// is left aside.
    pub fn from_equalities(basic: &BasicMap) -> Option<Self> {
        let (params, dims, results) = (basic.dim(DimKind::Param), basic.dim(DimKind::In), basic.dim(DimKind::Out));
        let first = basic.offset(DimKind::Out);
        let uses_division = |eq: &&Vec<Int>| eq[first + results..].iter().any(|x| !x.is_zero());
        let eqs: Vec<&Vec<Int>> = basic.eqs().iter().filter(|eq| !uses_division(eq)).collect();
        let out = Matrix::from_rows(eqs.iter().map(|eq| eq[first..first + results].to_vec()).collect(), results);
        let mut rows = Vec::new();
        for result in 0..results {
            // The combination of equalities in which only this result occurs.
            let unit: Vec<Int> = (0..results).map(|r| Int::from(i64::from(r == result))).collect();
            let factors = solve_integer(&out.transpose(), &unit)?.particular;
            let mut row = vec![Int::ZERO; 1 + params + dims];
            for (eq, factor) in eqs.iter().zip(&factors) {
                row.iter_mut().zip(&eq[..1 + params + dims]).for_each(|(sum, x)| *sum -= &(x * factor));
            }
            rows.push(row);
        }
        Some(Self { params, dims, rows })
    }

    /// A linear function without constants and parameters.
    pub fn linear(params: usize, matrix: &Matrix) -> Self {
        let row = |i: usize| {
            let mut row = vec![Int::ZERO; 1 + params];
            row.extend(matrix.row(i).iter().cloned());
            row
        };
        Self { params, dims: matrix.cols(), rows: (0..matrix.rows()).map(row).collect() }
    }

    /// The identity.
    pub fn identity(params: usize, dims: usize) -> Self {
        Self::linear(params, &Matrix::identity(dims))
    }

    /// `z -> z + offset`.
    pub fn shift(params: usize, offset: &[Int]) -> Self {
        let mut result = Self::identity(params, offset.len());
        result.rows.iter_mut().zip(offset).for_each(|(row, by)| row[0] = by.clone());
        result
    }

    /// The coefficients of the dimensions.
    pub fn matrix(&self) -> Matrix {
        Matrix::from_rows(self.rows.iter().map(|row| row[1 + self.params..].to_vec()).collect(), self.dims)
    }

    /// What a direction moves the results by.
    pub fn direction(&self, vector: &[Int]) -> Vec<Int> {
        self.matrix().mul_vec(vector)
    }

    /// The results at a point.
    pub fn eval(&self, params: &[Int], point: &[Int]) -> Vec<Int> {
        let value = |row: &Vec<Int>| {
            let terms = params.iter().chain(point).zip(&row[1..]).map(|(value, factor)| value * factor);
            terms.fold(row[0].clone(), |sum, term| sum + term)
        };
        self.rows.iter().map(value).collect()
    }

    /// `self` after `first`: `x -> self(first(x))`.
    pub fn after(&self, first: &Self) -> Self {
        debug_assert_eq!(self.dims, first.rows.len(), "functions fit each other");
        let row = |row: &Vec<Int>| {
            let mut result = row[..1 + self.params].to_vec();
            result.resize(1 + self.params + first.dims, Int::ZERO);
            for (factor, inner) in row[1 + self.params..].iter().zip(&first.rows) {
                result.iter_mut().zip(inner).for_each(|(sum, x)| *sum += &(x * factor));
            }
            result
        };
        Self { params: self.params, dims: first.dims, rows: self.rows.iter().map(row).collect() }
    }

    /// The function `g` with `self = g after by`, for a `by` without constants and parameters;
    /// `None` if there is none with integer coefficients.
    pub fn through(&self, by: &Self) -> Option<Self> {
        let transposed = by.matrix().transpose();
        let row = |row: &Vec<Int>| {
            let factors = solve_integer(&transposed, &row[1 + self.params..])?.particular;
            Some(row[..1 + self.params].iter().cloned().chain(factors).collect())
        };
        let rows = self.rows.iter().map(row).collect::<Option<Vec<Vec<Int>>>>()?;
        Some(Self { params: self.params, dims: by.rows.len(), rows })
    }

    /// `{ x -> f(x) }`, with these names of the parameters.
    pub fn to_map(&self, params: &[Id]) -> Map {
        let results = self.rows.len();
        let space = Space::map(params.to_vec(), Tuple::anonymous(self.dims), Tuple::anonymous(results));
        let mut basic = BasicMap::universe(space);
        for (result, row) in self.rows.iter().enumerate() {
            let mut row = row.clone();
            row.extend((0..results).map(|r| if r == result { Int::NEG_ONE } else { Int::ZERO }));
            basic.add_eq(row);
        }
        Map::from_basic(basic)
    }

    /// The results of all points of a set.
    pub fn image(&self, set: &Set, params: &[Id]) -> Set {
        self.to_map(params).intersect_domain(set).range()
    }
}
