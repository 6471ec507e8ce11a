//! Reductions of reductions.
//!
//! # Definitions
//! For a space `K` of accumulation directions, `f = f'' after f'` with `ker f' = K`: the *inner*
//! reduction combines the points that `f'` does not tell apart, the *outer* one combines inner
//! answers. That is right for associative and commutative operators.
//!
//! # Which spaces
//! - What accumulation has in common with a facet: the facet's points then stay together in the
//!   inner answers, and are no residue of them.
//! - What it has in common with the kernels of factors, alone or several of them: these factors do
//!   not move within an inner answer, and are combined with it outside, if the one operation
//!   distributes over the other.
//! - What it has in common with the reuse space: all points of an inner answer have the same value,
//!   which is repeated so many times. That number is a sum of ones, a reduction like others.
//! - All of it, if some factor does not move with it.
//!
//! # Equal inner answers
//! A direction in which the inner value stays and the domain, apart from constraints that the
//! answer alone decides, goes on for ever, is one in which all inner answers are equal. Only one of
//! them is computed ([`without_equal_answers`]).

use poly_arith::Int;
use poly_linalg::{Matrix, gauss, kernel, solve_integer, unimodular_complete};
use poly_presburger::{Budget, Set, Stop};

use crate::directions::{choices, representatives};
use crate::recurrence::plain;
use crate::reduction::stacked;
use crate::{AnswerId, Factor, Function, Operator, Reduction, Source};

/// A reduction in two.
#[derive(Clone, Debug)]
pub(crate) struct Decomposed {
    /// Over the points that are combined first.
    pub(crate) inner: Reduction,
    /// Over the answers of `inner`, which is the source [`Source::Answer`] of this number. None are
    /// read if the inner answers are a number of equal values.
    pub(crate) outer: Reduction,
    /// Whether the inner reduction has to be computed.
    pub(crate) reads_inner: bool,
}

/// The candidates for `K`, as bases.
pub(crate) fn spaces(reduction: &Reduction) -> Vec<Matrix> {
    let dims = reduction.dims();
    let accumulation = reduction.accumulation();
    let with = |matrix: &Matrix| {
        let constraints = kernel(&accumulation);
        kernel(&stacked(&[&constraints, matrix], dims))
    };
    let mut found: Vec<Matrix> = Vec::new();
    let mut add = |space: Matrix, whole: bool| {
        let proper = space.rows() > 0 && (whole || space.rows() < accumulation.rows());
        if proper && !found.contains(&space) {
            found.push(space);
        }
    };
    let moving: Vec<&Factor> = reduction.factors.iter().filter(|f| !matches!(f.source, Source::Repeat(_))).collect();
    let stays = |factor: &Factor| {
        (0..accumulation.rows()).all(|i| factor.access.direction(accumulation.row(i)).iter().all(Int::is_zero))
    };
    let standing = reduction.factors.iter().filter(|f| stays(f)).count();
    add(with(&kernel(&reduction.reuse())), true);
    if standing > 0 {
        add(accumulation.clone(), true);
    }
    for size in 1..=moving.len().min(MAX_FACTORS) {
        for chosen in choices(moving.len(), size) {
            let accesses: Vec<Matrix> = chosen.iter().map(|&f| moving[f].access.matrix()).collect();
            let accesses: Vec<&Matrix> = accesses.iter().collect();
            add(with(&stacked(&accesses, dims)), false);
        }
    }
    for normal in reduction.normals() {
        add(with(&Matrix::from_rows(vec![normal], dims)), false);
    }
    found
}

/// Most factors of which all combinations are looked at.
const MAX_FACTORS: usize = 4;

/// The reduction in two, by a space of accumulation directions; `None` if it cannot be written with
/// integer functions and one polyhedron each. With `repeats`, a number of equal values is
/// [`Source::Repeat`]; else it is an inner reduction without factors, a sum of ones.
pub(crate) fn decompose(
    reduction: &Reduction,
    space: &Matrix,
    answer: AnswerId,
    repeats: bool,
    budget: &mut Budget,
) -> Result<Option<Decomposed>, Stop> {
    let params = reduction.params.len();
    let Some(first) = functions_without(reduction, space) else { return Ok(None) };
    let Some(second) = reduction.projection.through(&first) else { return Ok(None) };
    if first.rows[..reduction.forward] != reduction.projection.rows[..reduction.forward] {
        return Ok(None);
    }
    let mut outside = Vec::new();
    let mut inside = Vec::new();
    let distributes = reduction.operator.is_distributed_over(reduction.times);
    for factor in &reduction.factors {
        match factor.access.through(&first).filter(|_| distributes || reduction.factors.len() == 1) {
            Some(access) => outside.push(Factor { access, ..factor.clone() }),
            None => inside.push(factor.clone()),
        }
    }
    let Some(domain) = one_polyhedron(first.image(&reduction.domain, &reduction.params), budget)? else {
        return Ok(None);
    };
    let is_number = inside.is_empty();
    let mut inner = Reduction { projection: first.clone(), factors: inside, ..reduction.clone() };
    let is_sum = (reduction.operator, reduction.times) == (Operator::Add, Operator::Mul);
    if is_number && !reduction.operator.is_idempotent() && !is_sum {
        return Ok(None);
    }
    if is_number && (repeats || reduction.operator.is_idempotent()) {
        if !reduction.operator.is_idempotent() {
            let points = first.to_map(&reduction.params).intersect_domain(&reduction.domain).reverse();
            outside
                .push(Factor { source: Source::Repeat(points), access: Function::identity(params, first.rows.len()) });
        }
        let outer = Reduction { domain, projection: second, factors: outside, ..reduction.clone() };
        return Ok(Some(Decomposed { inner, outer, reads_inner: false }));
    }
    let mut access = Function::identity(params, first.rows.len());
    while let Some((fewer, which)) = without_equal_answers(&inner, budget)? {
        inner = fewer;
        access = which.after(&access);
    }
    let order = order_of_answers(&inner);
    inner.projection = permuted(&inner.projection, &order);
    let access = permuted(&access, &order);
    outside.push(Factor { source: Source::Answer(answer), access });
    let outer = Reduction { domain, projection: second, factors: outside, ..reduction.clone() };
    Ok(Some(Decomposed { inner, outer, reads_inner: true }))
}

fn permuted(function: &Function, order: &[usize]) -> Function {
    let rows = order.iter().map(|&row| function.rows[row].clone()).collect();
    Function { rows, ..function.clone() }
}

/// The order of the coordinates of answers in which those come last that move the last coordinates
/// of what is read: neighbours in memory are of neighbours in memory.
fn order_of_answers(reduction: &Reduction) -> Vec<usize> {
    let answers = reduction.projection.rows.len();
    let mut order: Vec<usize> = (0..answers).collect();
    let all = unimodular_complete(&reduction.projection.matrix());
    let (Some(all), Some(read)) = (all, reduction.factors.first()) else { return order };
    let last_moved = |coordinate: usize| {
        let unit: Vec<Int> = (0..all.rows()).map(|row| Int::from(i64::from(row == coordinate))).collect();
        // One step along the coordinate, the others and the points of an answer staying where they
        // are.
        let step = solve_integer(&all, &unit)?.particular;
        read.access.direction(&step).iter().rposition(|x| !x.is_zero())
    };
    order[reduction.fixed.min(answers)..].sort_by_cached_key(|&coordinate| last_moved(coordinate));
    order
}

/// Functions of points that exactly the directions of a space leave as they are. They are chosen
/// among the coordinates of answers, subscripts, and the dimensions, in this order, if these
/// generate all integer points.
pub(crate) fn functions_without(reduction: &Reduction, space: &Matrix) -> Option<Function> {
    let accesses = reduction.factors.iter().map(|factor| factor.access.matrix());
    let candidates =
        [reduction.projection.matrix()].into_iter().chain(accesses).chain([Matrix::identity(reduction.dims())]);
    functions(reduction.params.len(), candidates.flat_map(|matrix| matrix.to_rows()), space)
}

fn functions(params: usize, candidates: impl Iterator<Item = Vec<Int>>, space: &Matrix) -> Option<Function> {
    let dims = space.cols();
    let wanted = dims - space.rows();
    let stands = |row: &[Int]| space.mul_vec(row).iter().all(Int::is_zero);
    let mut rows = Matrix::new(0, dims);
    for candidate in candidates.filter(|row| stands(row)) {
        let mut longer = rows.clone();
        longer.push_row(&candidate);
        if gauss::rank(&longer) == longer.rows() && unimodular_complete(&longer).is_some() {
            rows = longer;
        }
    }
    if rows.rows() < wanted {
        rows = kernel(space);
    }
    (rows.rows() == wanted).then(|| Function::linear(params, &rows))
}

/// The set as one polyhedron without divisions, if it is one.
pub(crate) fn one_polyhedron(set: Set, budget: &mut Budget) -> Result<Option<Set>, Stop> {
    let set = plain(&set.compute_divs(budget)?.coalesce(budget)?, budget)?;
    let is_plain = matches!(set.basics(), [basic] if basic.n_div() == 0);
    Ok(is_plain.then_some(set))
}

/// The reduction with one answer where there were many equal ones, and which of the new answers an
/// old one is. `None` if there are none, or not as one polyhedron.
fn without_equal_answers(reduction: &Reduction, budget: &mut Budget) -> Result<Option<(Reduction, Function)>, Stop> {
    let params = reduction.params.len();
    let accumulation = reduction.accumulation();
    for rho in representatives(&reduction.reuse(), &reduction.normals(), budget)? {
        let s = reduction.projection.direction(&rho);
        let is_in_time = s[..reduction.forward].iter().all(Int::is_zero);
        if s.iter().all(Int::is_zero) || !is_in_time || !is_bounded_by_answers(reduction, &accumulation, &rho) {
            continue;
        }
        let answers = Matrix::from_rows(vec![s], reduction.projection.rows.len());
        let units = Matrix::identity(answers.cols()).to_rows();
        let Some(which) = functions(params, units.into_iter(), &answers) else { continue };
        let along = Matrix::from_rows(vec![rho], reduction.dims());
        let first = which.after(&reduction.projection).matrix().to_rows();
        let units = Matrix::identity(reduction.dims()).to_rows();
        let Some(points) = functions(params, first.into_iter().chain(units), &along) else { continue };
        let Some(projection) = which.after(&reduction.projection).through(&points) else { continue };
        let factor = |factor: &Factor| Some(Factor { access: factor.access.through(&points)?, ..factor.clone() });
        let Some(factors) = reduction.factors.iter().map(factor).collect::<Option<Vec<Factor>>>() else { continue };
        let domain = points.image(&reduction.domain, &reduction.params);
        let Some(domain) = one_polyhedron(domain, budget)? else { continue };
        return Ok(Some((Reduction { domain, projection, factors, ..reduction.clone() }, which)));
    }
    Ok(None)
}

/// Whether every facet that a direction crosses is decided by the answer alone: accumulation stays
/// within it.
fn is_bounded_by_answers(reduction: &Reduction, accumulation: &Matrix, rho: &[Int]) -> bool {
    let crosses = |normal: &[Int]| !poly_linalg::vector::dot(normal, rho).is_zero();
    let is_strong = |normal: &[Int]| accumulation.mul_vec(normal).iter().all(Int::is_zero);
    reduction.normals().iter().all(|normal| !crosses(normal) || is_strong(normal))
}
