//! The problem brought into the form the analysis works on.
//!
//! All relations get the same parameters, domains and accesses are restricted to the context, and
//! times become rows. An access that relates an instance to several elements is queried per pair of
//! instance and element, not per instance: its *query* is the wrapped pair `[S[i] -> A[e]]`.

use std::hash::Hash;
use std::sync::Arc;

use poly_arith::Int;
use poly_linalg::{Matrix, kernel, left_hermite};
use poly_presburger::budget::{Budget, Stop};
use poly_presburger::{BasicMap, DimKind, Id, Map, Row, Set, Space, Tuple};
use rustc_hash::FxHashMap;

use crate::problem::{AccessKind, Problem, StatementInfo};
use crate::shape::{Shape, offset_of};
use crate::span::{Span, range_spans};

/// The prepared problem.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) params: Vec<Id>,
    /// Number of time dimensions.
    pub(crate) levels: usize,
    pub(crate) statements: Vec<Arc<Statement>>,
    /// Pairs of arrays that may overlap.
    pub(crate) overlaps: Vec<(Id, Id)>,
}

/// Statements that have been prepared, and the numbers of their accesses, for one context and one
/// list of parameters.
#[derive(Debug, Default)]
pub(crate) struct Prepared {
    statements: FxHashMap<StatementKey, Arc<Statement>>,
    /// Domains with times.
    places: FxHashMap<(Set, Map), u32>,
    accesses: FxHashMap<AccessKey, u32>,
}

/// Domain, time and accesses.
type StatementKey = (Set, Map, Vec<(AccessKind, Map)>);

/// Number of domain and time, kind and shape.
type AccessKey = (u32, AccessKind, Shape);

/// A prepared statement.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) tuple: Tuple,
    /// Equal for statements with equal domain and time.
    pub(crate) place: u32,
    /// Inside the context.
    pub(crate) domain: Set,
    /// One row over `[const | params | instance]` per level; empty when the statement is never
    /// executed.
    pub(crate) time: Vec<Row>,
    /// Lexicographic order of instances is execution order.
    pub(crate) lexicographic: bool,
    pub(crate) accesses: Vec<Access>,
}

/// A prepared access.
#[derive(Debug)]
pub(crate) struct Access {
    /// Equal for accesses with equal domain, time, kind and shape ([`crate::shape`]).
    pub(crate) number: u32,
    /// Where the elements lie, for accesses of one number: one value per dimension. Zero where
    /// queries are pairs, as elements are a part of the answers then.
    pub(crate) offset: Vec<Int>,
    pub(crate) kind: AccessKind,
    /// From instances inside domain and context to elements.
    pub(crate) relation: Map,
    /// From queries to elements: `relation` itself, or `[S[i] -> A[e]] -> A[e]`.
    pub(crate) query: Map,
    /// Queries are pairs.
    pub(crate) paired: bool,
    /// Per dimension of the elements: between which values they are.
    spans: Vec<Span>,
}

impl Program {
    /// Prepares a problem.
    pub(crate) fn new(problem: &Problem, budget: &mut Budget) -> Result<Program, Stop> {
        Program::prepared(problem, &mut Prepared::default(), budget)
    }

    /// All parameters.
    pub(crate) fn params(problem: &Problem) -> Vec<Id> {
        all_params(problem)
    }

    /// Prepares a problem the context and the parameters of which are those of `known`.
    pub(crate) fn prepared(problem: &Problem, known: &mut Prepared, budget: &mut Budget) -> Result<Program, Stop> {
        let params = all_params(problem);
        let space = Space::params(params.clone());
        let context = problem.context.align_params(&space);
        let mut statements = Vec::with_capacity(problem.statements.len());
        for info in &problem.statements {
            statements.push(known.statement(info, &context, &space, budget)?);
        }
        let levels = problem.statements.first().map_or(0, |s| s.time.space().dim(DimKind::Out));
        for info in &problem.statements {
            let own = info.time.space().dim(DimKind::Out);
            assert_eq!(own, levels, "all statements must have the same number of time dimensions");
        }
        Ok(Program { params, levels, statements, overlaps: problem.overlaps.clone() })
    }

    /// The access named by statement and position.
    pub(crate) fn access(&self, (statement, access): (usize, usize)) -> &Access {
        &self.statements[statement].accesses[access]
    }

    /// All accesses that pass a filter, by statement and position.
    pub(crate) fn accesses(&self, keep: impl Fn(AccessKind) -> bool) -> Vec<(usize, usize)> {
        let mut result = Vec::new();
        for (s, statement) in self.statements.iter().enumerate() {
            for (a, access) in statement.accesses.iter().enumerate() {
                if keep(access.kind) {
                    result.push((s, a));
                }
            }
        }
        result
    }
}

impl Prepared {
    fn statement(
        &mut self,
        info: &StatementInfo,
        context: &Set,
        params: &Space,
        budget: &mut Budget,
    ) -> Result<Arc<Statement>, Stop> {
        let accesses = info.accesses.iter().map(|access| (access.kind, access.relation.clone())).collect();
        let key = (info.domain.clone(), info.time.clone(), accesses);
        if let Some(statement) = self.statements.get(&key) {
            return Ok(Arc::clone(statement));
        }
        let mut statement = Statement::new(info, context, params, budget)?;
        let place = number(&mut self.places, (info.domain.clone(), info.time.clone()));
        statement.place = place;
        for access in &mut statement.accesses {
            let shape = Shape::new(&access.relation, &access.offset);
            access.number = number(&mut self.accesses, (place, access.kind, shape));
        }
        let statement = Arc::new(statement);
        self.statements.insert(key, Arc::clone(&statement));
        Ok(statement)
    }
}

/// The number of a key, a new one if it is new.
fn number<K: Eq + Hash>(known: &mut FxHashMap<K, u32>, key: K) -> u32 {
    let next = u32::try_from(known.len()).expect("there are fewer accesses");
    *known.entry(key).or_insert(next)
}

impl Statement {
    fn new(info: &StatementInfo, context: &Set, params: &Space, budget: &mut Budget) -> Result<Statement, Stop> {
        let domain = info.domain.align_params(params).intersect_params(context);
        let tuple = domain.space().range.clone().expect("the domain of a statement has a tuple");
        let mut accesses = Vec::with_capacity(info.accesses.len());
        for access in &info.accesses {
            let relation = access.relation.align_params(params).intersect_domain(&domain);
            accesses.push(Access::new(access.kind, relation, budget)?);
        }
        let time = time_rows(&info.time.align_params(params), budget)?;
        let lexicographic = is_lexicographic(&time, 1 + params.dim(DimKind::Param), tuple.n());
        Ok(Statement { tuple, place: 0, domain, time, lexicographic, accesses })
    }
}

impl Access {
    fn new(kind: AccessKind, relation: Map, budget: &mut Budget) -> Result<Access, Stop> {
        let functions = relation.basics().first().and_then(|basic| solve_range(basic));
        let plain = relation.n_basic() == 1 && functions.is_some();
        let paired = !plain && !relation.is_single_valued(budget)?;
        let offset = offset_of(functions.filter(|_| !paired), relation.space().dim(DimKind::Out));
        let query = if paired { relation.range_map() } else { relation.clone() };
        let spans = range_spans(&relation);
        Ok(Access { number: 0, offset, kind, relation, query, paired, spans })
    }

    /// Per dimension of the elements: between which values they are. Nothing where there are no
    /// elements.
    pub(crate) fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// No element is touched by both, because a subscript has values in different spans. This is
    /// the cheap answer for most pairs of accesses of an unrolled loop, or of a large array for
    /// many fields.
    pub(crate) fn is_plainly_elsewhere(&self, other: &Access) -> bool {
        self.spans.iter().zip(&other.spans).any(|(a, b)| a.is_disjoint(b))
    }
}

fn all_params(problem: &Problem) -> Vec<Id> {
    let mut space = problem.context.space().params_space();
    let mut add = |other: &Space| {
        // Mostly all relations have the same parameters.
        if other.params.iter().any(|param| !space.params.contains(param)) {
            space = space.align(other);
        }
    };
    for statement in &problem.statements {
        add(statement.domain.space());
        add(statement.time.space());
        statement.accesses.iter().for_each(|access| add(access.relation.space()));
    }
    space.params
}

/// The range as affine functions of the domain, with integer coefficients, when equalities say so.
fn solve_range(basic: &BasicMap) -> Option<Vec<Row>> {
    let first = basic.offset(DimKind::Out);
    let n = basic.dim(DimKind::Out);
    let mut eqs: Vec<Row> = basic.eqs().to_vec();
    let mut pivots = vec![usize::MAX; n];
    let mut used = vec![false; eqs.len()];
    for k in 0..n {
        let pivot = (0..eqs.len()).find(|&e| !used[e] && !eqs[e][first + k].is_zero())?;
        used[pivot] = true;
        pivots[k] = pivot;
        let by = eqs[pivot].clone();
        for (e, row) in eqs.iter_mut().enumerate() {
            if e != pivot {
                eliminate(row, first + k, &by);
            }
        }
    }
    let solved = |k: usize| -> Option<Row> {
        let eq = &eqs[pivots[k]];
        let lead = &eq[first + k];
        if eq[first + n..].iter().any(|x| !x.is_zero()) || eq[..first].iter().any(|x| !x.is_divisible_by(lead)) {
            return None;
        }
        Some(eq[..first].iter().map(|x| -&x.div_exact(lead)).collect())
    };
    (0..n).map(solved).collect()
}

/// The same where an integral function is found only together with the equalities of the domain, as
/// in `2i = n and 2t = n`, which says `t = i`.
///
/// A row `r` over constant, parameters and domain is the function of a range dimension if `r x = t`
/// for all `x` that satisfy the equalities, that is, for a basis of their kernel: linear equations
/// for integral `r`.
fn solve_range_with_domain(basic: &BasicMap) -> Option<Vec<Row>> {
    let (first, columns) = (basic.offset(DimKind::Out), basic.n_col());
    let kernel = kernel(&Matrix::from_rows(basic.eqs().to_vec(), columns));
    let known = kernel.submatrix(0, kernel.rows(), 0, first);
    let hermite = left_hermite(&known);
    (first..first + basic.dim(DimKind::Out)).map(|t| hermite.particular_solution(&kernel.col(t))).collect()
}

/// Adds the multiple of `by` to a multiple of `row` that makes `column` zero.
fn eliminate(row: &mut Row, column: usize, by: &Row) {
    if row[column].is_zero() {
        return;
    }
    let g = row[column].gcd(&by[column]);
    let keep = by[column].div_exact(&g);
    let add = row[column].div_exact(&g);
    for (x, y) in row.iter_mut().zip(by) {
        *x = &(&*x * &keep) - &(y * &add);
    }
}

/// The rows of a time map (see [`crate::StatementInfo::time`]): one per level over
/// `[const | params | instance]`. Empty when the map is empty.
///
/// # Panics
/// When it is not an affine function.
///
/// # Errors
/// [`Stop`] when the budget runs out.
pub fn time_rows(time: &Map, budget: &mut Budget) -> Result<Vec<Row>, Stop> {
    let rows = affine_rows(time, budget)?;
    Ok(rows.unwrap_or_else(|| panic!("the time {time} is not an affine function of the instance")))
}

/// As [`time_rows`]; `None` if it is not an affine function.
pub(crate) fn affine_rows(time: &Map, budget: &mut Budget) -> Result<Option<Vec<Row>>, Stop> {
    if time.is_empty(budget)? {
        return Ok(Some(Vec::new()));
    }
    let hull;
    let basic = match time.basics() {
        [basic] => basic,
        _ => {
            hull = time.affine_hull(budget)?;
            &hull
        }
    };
    Ok(solve_range(basic).or_else(|| solve_range_with_domain(basic)))
}

/// Whether each level is invariant or advances with one dimension, outermost dimensions first, none
/// left out.
fn is_lexicographic(time: &[Row], first: usize, dims: usize) -> bool {
    let mut next = 0;
    for row in time {
        let mut used = (0..dims).filter(|&d| !row[first + d].is_zero());
        match (used.next(), used.next()) {
            (None, _) => {}
            (Some(d), None) if d == next && row[first + d] == Int::ONE => next += 1,
            _ => return false,
        }
    }
    next == dims
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Row> {
        time_rows(&text.parse().expect("the test's map parses"), &mut Budget::unlimited()).expect("no limit")
    }

    fn ints(rows: &[&[i64]]) -> Vec<Row> {
        rows.iter().map(|row| row.iter().map(|&x| Int::from(x)).collect()).collect()
    }

    #[test]
    fn times_become_rows() {
        let time = rows("[n] -> { S[i, j] -> [0, i, 2, j + n, 1] : 0 <= i < n and 0 <= j < i }");
        let expected = ints(&[&[0, 0, 0, 0], &[0, 0, 1, 0], &[2, 0, 0, 0], &[0, 1, 0, 1], &[1, 0, 0, 0]]);
        assert_eq!(time, expected);
        assert!(is_lexicographic(&time, 2, 2));
    }

    #[test]
    fn different_constants_are_elsewhere() {
        let access = |text: &str| {
            let relation: Map = text.parse().expect("the test's map parses");
            Access::new(AccessKind::Read, relation, &mut Budget::unlimited()).expect("no limit")
        };
        let [a, b, c] = ["3", "4", "i + 1"].map(|j| access(&format!("[n] -> {{ S[i] -> A[i, {j}, 7] : 0 <= i < n }}")));
        let several = access("{ S[i] -> A[i, 4, 7] : i < 0; S[i] -> A[i, 4, 7] : i > 9 }");
        assert!(a.is_plainly_elsewhere(&b) && b.is_plainly_elsewhere(&a) && a.is_plainly_elsewhere(&several));
        for (x, y) in [(&a, &a), (&a, &c), (&c, &b), (&b, &several), (&several, &several)] {
            assert!(!x.is_plainly_elsewhere(y), "{} and {}", x.relation, y.relation);
        }
    }

    #[test]
    fn times_on_unions_of_domains() {
        let time = rows("{ S[i] -> [i, 1] : 0 <= i < 5; S[i] -> [i, 1] : i = 9 }");
        assert_eq!(time, ints(&[&[0, 1], &[1, 0]]));
    }

    #[test]
    fn times_on_domains_with_equalities() {
        let time = rows("[n] -> { S[i, j] -> [0, t, j] : 2i = n + 4 and 2t = n + 4 and 0 <= j < n }");
        assert_eq!(time, ints(&[&[0, 0, 0, 0], &[0, 0, 1, 0], &[0, 0, 0, 1]]));
    }

    #[test]
    fn skewed_and_reversed_times_are_not_lexicographic() {
        assert!(!is_lexicographic(&ints(&[&[0, 1, 1], &[0, 0, 1]]), 1, 2));
        assert!(!is_lexicographic(&ints(&[&[0, -1]]), 1, 1));
        assert!(!is_lexicographic(&ints(&[&[0, 0, 1], &[0, 1, 0]]), 1, 2));
        assert!(is_lexicographic(&ints(&[&[3, 1, 0], &[0, 0, 1]]), 1, 2));
    }

    #[test]
    #[should_panic(expected = "not an affine function")]
    fn other_times_are_refused() {
        rows("{ S[i] -> [t] : 0 <= t <= i and 0 <= i < 3 }");
    }
}
