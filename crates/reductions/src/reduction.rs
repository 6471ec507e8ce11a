//! Reductions.

use poly_arith::Int;
use poly_linalg::{Matrix, kernel};
use poly_presburger::{Id, Map, Set};

use crate::{Function, Operator};

/// Something that is read and not computed here. Its number is the caller's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeafId(pub usize);

/// A reduction of a [`System`](crate::System).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AnswerId(pub usize);

/// What a factor reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A value from outside.
    Leaf(LeafId),
    /// The answers of another reduction.
    Answer(AnswerId),
    /// The answers of the reduction that the equation is for.
    Itself,
    /// Nothing: what else is combined is so as many times as the point that is named has images.
    Repeat(Map),
}

/// A value of a point: that of a source, at a function of the point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// What is read.
    pub source: Source,
    /// Where.
    pub access: Function,
}

/// `Y[projection(x)] = operator over all x in domain of the product of all factors`.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduction {
    /// Names of the parameters, in the order of all functions and sets here.
    pub params: Vec<Id>,
    /// What combines the points of an answer.
    pub operator: Operator,
    /// What combines the factors of a point.
    pub times: Operator,
    /// The points: one polyhedron without divisions, of an anonymous tuple.
    pub domain: Set,
    /// Which answer a point contributes to.
    pub projection: Function,
    /// The value of a point.
    pub factors: Vec<Factor>,
    /// Along so many dimensions, the first ones of points and of answers, nothing is shared: the
    /// loops of these are around everything that is done.
    pub fixed: usize,
    /// The first dimensions of points and of answers are times, so many: every answer is computed
    /// at its own, and a recurrence goes forward. None of them is left out of answers.
    pub forward: usize,
}

impl Reduction {
    /// Number of dimensions of the points.
    pub fn dims(&self) -> usize {
        self.projection.dims
    }

    /// The answers: those of at least one point.
    pub fn answers(&self) -> Set {
        self.projection.image(&self.domain, &self.params)
    }

    /// Coefficients of the equalities between dimensions that hold in the whole domain.
    pub(crate) fn equalities(&self) -> Matrix {
        let first = 1 + self.params.len();
        let rows = self.domain.basics().iter().flat_map(|basic| basic.eqs()).map(|eq| eq[first..].to_vec());
        Matrix::from_rows(rows.collect(), self.dims())
    }

    /// Directions within the domain in which the answer stays, as rows.
    pub(crate) fn accumulation(&self) -> Matrix {
        kernel(&stacked(&[&self.equalities(), &self.projection.matrix()], self.dims()))
    }

    /// Directions within the domain in which the value stays, as rows.
    pub(crate) fn reuse(&self) -> Matrix {
        let accesses: Vec<Matrix> = self.factors.iter().map(|factor| factor.access.matrix()).collect();
        let equalities = self.equalities();
        let fixed = Matrix::identity(self.dims()).submatrix(0, self.fixed, 0, self.dims());
        let all: Vec<&Matrix> = accesses.iter().chain([&equalities, &fixed]).collect();
        kernel(&stacked(&all, self.dims()))
    }

    /// Coefficients of the inequalities.
    pub(crate) fn normals(&self) -> Vec<Vec<Int>> {
        let first = 1 + self.params.len();
        let rows = self.domain.basics().iter().flat_map(|basic| basic.ineqs()).map(|row| row[first..].to_vec());
        rows.filter(|row| row.iter().any(|x| !x.is_zero())).collect()
    }
}

/// The rows of several matrices.
pub(crate) fn stacked(matrices: &[&Matrix], cols: usize) -> Matrix {
    Matrix::from_rows(matrices.iter().flat_map(|matrix| matrix.to_rows()).collect(), cols)
}
