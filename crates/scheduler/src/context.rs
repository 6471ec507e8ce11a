//! What all parts of the scheduler look up.

use poly_arith::Int;
use poly_linalg::{Matrix, gauss};
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{BasicSet, DimKind, Row, Set, Space};

use crate::cost::NumberedCost;
use crate::independence::History;
use crate::problem::{Options, Problem};

/// A statement.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) domain: Set,
    /// Number of iterators.
    pub(crate) dims: usize,
    /// Number of independent equalities among the iterators.
    pub(crate) fixed: usize,
    /// Those equalities, only the iterator parts.
    equalities: Matrix,
    /// Original time, one row over `[const | params | iterators]` per level; empty when it is never
    /// executed.
    pub(crate) time: Vec<Row>,
}

/// The problem in the form the scheduler works on.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) options: Options,
    /// The parameters of all sets and relations, as a space.
    pub(crate) params: Space,
    /// What is known of the parameters.
    pub(crate) assumed: Set,
    pub(crate) statements: Vec<Statement>,
    /// What the user wants dimensions of bands to be cheap in.
    pub(crate) costs: Vec<NumberedCost>,
}

impl Context {
    pub(crate) fn new(problem: &Problem<'_>, options: &Options, budget: &mut Budget) -> Result<Context, Stop> {
        assert_eq!(problem.domains.len(), problem.times.len(), "every statement has a domain and a time");
        let mut params = problem.context.space().params_space();
        for domain in problem.domains {
            params = params.align(domain.space());
        }
        for time in problem.times {
            params = params.align(time.space());
        }
        for dependence in problem.dependences {
            params = params.align(dependence.relation.space());
        }
        let params = params.params_space();
        let context = problem.context.align_params(&params);
        let mut statements = Vec::with_capacity(problem.domains.len());
        for (domain, time) in problem.domains.iter().zip(problem.times) {
            let domain = domain.align_params(&params);
            let known = domain.intersect_params(&context);
            let equalities = if known.is_empty(budget)? {
                Matrix::new(0, domain.space().dim(DimKind::Out))
            } else {
                equalities(&known.affine_hull(budget)?)
            };
            let dims = domain.space().dim(DimKind::Out);
            let time = poly_dependence::time_rows(&time.align_params(&params), budget)?;
            statements.push(Statement { domain, dims, fixed: gauss::rank(&equalities), equalities, time });
        }
        Ok(Context { options: *options, params, assumed: context, statements, costs: Vec::new() })
    }

    /// Below given rows: at equal values of them, these forms of the iterators of each statement
    /// are fixed.
    pub(crate) fn below(mut self, given: &[Vec<Vec<Int>>]) -> Context {
        for (statement, rows) in self.statements.iter_mut().zip(given) {
            rows.iter().for_each(|row| statement.equalities.push_row(row));
            statement.fixed = gauss::rank(&statement.equalities);
        }
        self
    }

    /// With costs of the dimensions of bands.
    pub(crate) fn with_costs(self, costs: &[NumberedCost]) -> Context {
        Context { costs: costs.to_vec(), ..self }
    }

    /// Number of parameters.
    pub(crate) fn n_params(&self) -> usize {
        self.params.dim(DimKind::Param)
    }

    /// What is known of the rows before any is chosen: the equalities of the domains.
    pub(crate) fn initial_history(&self) -> History {
        self.statements.iter().enumerate().map(|(s, statement)| (s, statement.equalities.clone())).collect()
    }
}

/// The iterator parts of the equalities that hold on a conjunction.
fn equalities(hull: &BasicSet) -> Matrix {
    let dims = hull.dim(DimKind::Out);
    let at = hull.offset(DimKind::Out);
    let mut matrix = Matrix::new(0, dims);
    for row in hull.eqs() {
        let fixed = &row[at..at + dims];
        let strided = row[at + dims..].iter().any(|x| !x.is_zero());
        if !strided && fixed.iter().any(|x| !x.is_zero()) {
            matrix.push_row(fixed);
        }
    }
    matrix
}

/// The number of independent equalities among the dimensions of a conjunction.
pub(crate) fn fixed_dimensions(set: &BasicSet, budget: &mut Budget) -> Result<usize, Stop> {
    Ok(gauss::rank(&equalities(&set.affine_hull(budget)?)))
}
