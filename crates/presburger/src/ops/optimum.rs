//! Lexicographic optima as functions of parameters and domain.
//!
//! # Algorithm
//!
//! 1. A basic relation whose output dimensions are all defined by equalities with unit coefficient
//!    *is* a function; no search is needed.
//! 2. Otherwise parametric integer programming \[Feautrier1988\], with parameters, domain
//!    dimensions and the divs that only depend on them as symbols, and output dimensions followed
//!    by the other divs as variables. What it says about the divs is dropped. If an existential has
//!    no lower bound, explicit divs are computed first.
//! 3. The optima of several disjuncts are compared piece by piece: a piece of one holds where no
//!    other disjunct has a better one.
//!
//! The same machinery decides a quantifier: the variables being unknown divs only, the pieces
//! with a solution are the points for which the divs exist (`quantify_by_pip`).

use std::sync::Arc;

use poly_arith::Int;

use crate::aff::Aff;
use crate::basic::{BasicMap, BasicSet, Row};
use crate::budget::{Budget, SolveError, Stop};
use crate::map::Map;
use crate::multi::MultiAff;
use crate::pw::PwAff;
use crate::pw_multi::PwMultiAff;
use crate::row;
use crate::set::Set;
use crate::solver::pip::PipPiece;
use crate::solver::{System, pip};
use crate::space::{DimKind, Space};
use crate::trace;
use crate::union::{UnionMap, UnionSet};

/// Smallest or largest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Min,
    Max,
}

impl Map {
    /// The lexicographically smallest image of each domain element (for a set: the smallest point,
    /// as a function of the parameters). Cost: a parametric integer program for each disjunct
    /// \[Feautrier1988\]; the number of pieces can be exponential. Disjuncts that overlap are
    /// compared piece by piece.
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if there is an element whose images have no smallest one.
    pub fn lexmin(&self, budget: &mut Budget) -> Result<PwMultiAff, SolveError> {
        let _running = trace::operation("lexmin", &[self]);
        lexopt(self, Direction::Min, budget)
    }

    /// The lexicographically largest image of each domain element (for a set: the largest point, as
    /// a function of the parameters). Cost: a parametric integer program for each disjunct
    /// \[Feautrier1988\]; the number of pieces can be exponential. Disjuncts that overlap are
    /// compared piece by piece.
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if there is an element whose images have no largest one.
    pub fn lexmax(&self, budget: &mut Budget) -> Result<PwMultiAff, SolveError> {
        let _running = trace::operation("lexmax", &[self]);
        lexopt(self, Direction::Max, budget)
    }

    /// The relation restricted to the lexicographically smallest image of each domain element; for
    /// errors see [`Map::lexmin`]. Cost: that of [`Map::lexmin`].
    pub fn lexmin_map(&self, budget: &mut Budget) -> Result<Map, SolveError> {
        Ok(self.lexmin(budget)?.to_map())
    }

    /// The relation restricted to the lexicographically largest image of each domain element; for
    /// errors see [`Map::lexmax`]. Cost: that of [`Map::lexmin`].
    pub fn lexmax_map(&self, budget: &mut Budget) -> Result<Map, SolveError> {
        Ok(self.lexmax(budget)?.to_map())
    }

    /// Whether no domain element has two images. Cost: nothing if the equalities are those of a
    /// function; otherwise [`Map::is_subset`] for the pairs of images.
    pub fn is_single_valued(&self, budget: &mut Budget) -> Result<bool, Stop> {
        let _running = trace::operation("is_single_valued", &[self]);
        if let [basic] = self.basics()
            && (is_plainly_a_function(basic) || as_function(basic).is_some())
        {
            return Ok(true);
        }
        let pairs = self.reverse().apply_range(self);
        pairs.is_subset(&Map::identity(&self.space().range_space()), budget)
    }

    /// Whether no two domain elements share an image.
    /// Cost: that of [`Map::is_single_valued`] for the inverse.
    pub fn is_injective(&self, budget: &mut Budget) -> Result<bool, Stop> {
        let _running = trace::operation("is_injective", &[self]);
        self.reverse().is_single_valued(budget)
    }

    /// Whether the relation is single-valued and injective.
    /// Cost: those of [`Map::is_single_valued`] and [`Map::is_injective`].
    pub fn is_bijective(&self, budget: &mut Budget) -> Result<bool, Stop> {
        Ok(self.is_single_valued(budget)? && self.is_injective(budget)?)
    }
}

impl PwMultiAff {
    /// The function of which a single-valued relation is the graph. Of several images the smallest
    /// is taken. Cost: that of [`Map::lexmin`]; an equality for each dimension of the range is used
    /// as it is.
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if there is an element with several images and no smallest one.
    pub fn from_map(map: &Map, budget: &mut Budget) -> Result<PwMultiAff, SolveError> {
        map.lexmin(budget)
    }
}

impl Set {
    /// The set of the lexicographically smallest points, one for each value of the parameters; for
    /// errors see [`Map::lexmin`]. Cost: that of [`Map::lexmin`].
    pub fn lexmin_set(&self, budget: &mut Budget) -> Result<Set, SolveError> {
        Ok(self.lexmin(budget)?.to_set())
    }

    /// The set of the lexicographically largest points, one for each value of the parameters; for
    /// errors see [`Map::lexmax`]. Cost: that of [`Map::lexmin`].
    pub fn lexmax_set(&self, budget: &mut Budget) -> Result<Set, SolveError> {
        Ok(self.lexmax(budget)?.to_set())
    }

    /// The smallest value of dimension `i` as a function of the parameters. Cost: a parametric
    /// integer program for each disjunct \[Feautrier1988\], and the comparison of their values.
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if there are parameter values for which there is no smallest
    /// value.
    pub fn dim_min(&self, i: usize, budget: &mut Budget) -> Result<PwAff, SolveError> {
        let _running = trace::operation("dim_min", &[self, &i]);
        self.dim_opt(i, Direction::Min, budget)
    }

    /// The largest value of dimension `i` as a function of the parameters. Cost: a parametric
    /// integer program for each disjunct \[Feautrier1988\], and the comparison of their values.
    ///
    /// # Errors
    /// [`SolveError::Unbounded`] if there are parameter values for which there is no largest value.
    pub fn dim_max(&self, i: usize, budget: &mut Budget) -> Result<PwAff, SolveError> {
        let _running = trace::operation("dim_max", &[self, &i]);
        self.dim_opt(i, Direction::Max, budget)
    }

    fn dim_opt(&self, i: usize, direction: Direction, budget: &mut Budget) -> Result<PwAff, SolveError> {
        let n = self.n_dim();
        let alone = self.project_out(DimKind::Out, i + 1, n - i - 1).project_out(DimKind::Out, 0, i);
        Ok(lexopt(&alone, direction, budget)?.get(0))
    }
}

impl UnionMap {
    /// The lexicographically smallest images, member by member; for errors see [`Map::lexmin`].
    /// Cost: a parametric integer program for each disjunct \[Feautrier1988\]; the number of pieces
    /// can be exponential. Disjuncts that overlap are compared piece by piece.
    pub fn lexmin(&self, budget: &mut Budget) -> Result<UnionMap, SolveError> {
        let _running = trace::operation("lexmin", &[self]);
        let members: Result<Vec<Map>, SolveError> = self.iter().map(|m| m.lexmin_map(budget)).collect();
        Ok(self.rebuilt(members?))
    }

    /// The lexicographically largest images, member by member; for errors see [`Map::lexmax`].
    /// Cost: a parametric integer program for each disjunct \[Feautrier1988\]; the number of pieces
    /// can be exponential. Disjuncts that overlap are compared piece by piece.
    pub fn lexmax(&self, budget: &mut Budget) -> Result<UnionMap, SolveError> {
        let _running = trace::operation("lexmax", &[self]);
        let members: Result<Vec<Map>, SolveError> = self.iter().map(|m| m.lexmax_map(budget)).collect();
        Ok(self.rebuilt(members?))
    }

    /// Whether no domain element has two images (in the same or in different members). Cost:
    /// nothing if the equalities are those of a function; otherwise [`Map::is_subset`] for the
    /// pairs of images.
    pub fn is_single_valued(&self, budget: &mut Budget) -> Result<bool, Stop> {
        let _running = trace::operation("is_single_valued", &[self]);
        for (k, m) in self.iter().enumerate() {
            if !m.is_single_valued(budget)? {
                return Ok(false);
            }
            for other in self.iter().skip(k + 1) {
                if m.space().domain == other.space().domain && !m.domain().is_disjoint(&other.domain(), budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether no two domain elements share an image.
    /// Cost: that of [`Map::is_single_valued`] for the inverse.
    pub fn is_injective(&self, budget: &mut Budget) -> Result<bool, Stop> {
        let _running = trace::operation("is_injective", &[self]);
        self.reverse().is_single_valued(budget)
    }

    /// Whether the relation is single-valued and injective.
    /// Cost: those of [`Map::is_single_valued`] and [`Map::is_injective`].
    pub fn is_bijective(&self, budget: &mut Budget) -> Result<bool, Stop> {
        Ok(self.is_single_valued(budget)? && self.is_injective(budget)?)
    }
}

impl UnionSet {
    /// The lexicographically smallest points, member by member; for errors see [`Map::lexmin`].
    /// Cost: a parametric integer program for each disjunct \[Feautrier1988\]; the number of pieces
    /// can be exponential. Disjuncts that overlap are compared piece by piece.
    pub fn lexmin(&self, budget: &mut Budget) -> Result<UnionSet, SolveError> {
        let _running = trace::operation("lexmin", &[self]);
        let members: Result<Vec<Set>, SolveError> = self.iter().map(|m| m.lexmin_set(budget)).collect();
        Ok(self.rebuilt(members?))
    }

    /// The lexicographically largest points, member by member; for errors see [`Map::lexmax`].
    /// Cost: a parametric integer program for each disjunct \[Feautrier1988\]; the number of pieces
    /// can be exponential. Disjuncts that overlap are compared piece by piece.
    pub fn lexmax(&self, budget: &mut Budget) -> Result<UnionSet, SolveError> {
        let _running = trace::operation("lexmax", &[self]);
        let members: Result<Vec<Set>, SolveError> = self.iter().map(|m| m.lexmax_set(budget)).collect();
        Ok(self.rebuilt(members?))
    }
}

fn lexopt(map: &Map, direction: Direction, budget: &mut Budget) -> Result<PwMultiAff, SolveError> {
    let mut result: Option<PwMultiAff> = None;
    for basic in map.basics() {
        budget.spend(1)?;
        let Some(part) = basic_opt(basic, direction, budget)? else {
            let explicit = basic.compute_divs(budget)?;
            if !explicit.has_known_divs() || basic.has_known_divs() {
                return Err(SolveError::Unbounded);
            }
            let part = lexopt(&explicit, direction, budget)?;
            result = Some(join(result, part, direction, budget)?);
            continue;
        };
        result = Some(join(result, part, direction, budget)?);
    }
    Ok(result.unwrap_or_else(|| PwMultiAff::empty(map.space_arc())))
}

fn join(
    so_far: Option<PwMultiAff>,
    part: PwMultiAff,
    direction: Direction,
    budget: &mut Budget,
) -> Result<PwMultiAff, Stop> {
    match so_far {
        None => Ok(part),
        Some(so_far) => better(&so_far, &part, direction, budget),
    }
}

/// The better one of two functions at each point.
fn better(a: &PwMultiAff, b: &PwMultiAff, direction: Direction, budget: &mut Budget) -> Result<PwMultiAff, Stop> {
    let (domain_a, domain_b) = (a.domain(), b.domain());
    let mut pieces = Vec::new();
    let mut push = |domain: Set, function: &MultiAff, budget: &mut Budget| -> Result<(), Stop> {
        let domain = domain.coalesce(budget)?;
        if !domain.plain_is_empty() {
            pieces.push((domain, function.clone()));
        }
        Ok(())
    };
    for (set, function) in a.pieces() {
        push(set.subtract(&domain_b, budget)?, function, budget)?;
    }
    for (set, function) in b.pieces() {
        push(set.subtract(&domain_a, budget)?, function, budget)?;
    }
    for (set_a, function_a) in a.pieces() {
        for (set_b, function_b) in b.pieces() {
            let common = set_a.intersect(set_b).remove_empty_parts(budget)?;
            if common.plain_is_empty() {
                continue;
            }
            let (a_wins, b_wins) = match direction {
                Direction::Min => (function_a.lex_le_set(function_b), function_b.lex_lt_set(function_a)),
                Direction::Max => (function_b.lex_le_set(function_a), function_a.lex_lt_set(function_b)),
            };
            push(common.intersect(&a_wins), function_a, budget)?;
            push(common.intersect(&b_wins), function_b, budget)?;
        }
    }
    Ok(PwMultiAff::from_pieces(a.space.clone(), pieces))
}

/// A basic relation seen by parametric integer programming: `[symbols | variables]`.
struct Problem {
    /// The symbols as a basic set with their divs and without constraints.
    carrier: BasicMap,
    /// Everything, over symbols and variables.
    system: System,
    /// What only concerns the symbols.
    context: System,
    n_symbol: usize,
    /// Where the columns of the basic relation went.
    map: Vec<usize>,
}

impl Problem {
    /// The symbols are the dimensions of `space`, which are the first columns of `basic`, and the
    /// known divs that depend on them only. The other columns keep their order.
    fn new(basic: &BasicMap, space: Arc<Space>) -> Problem {
        let n = space.n_var();
        let first_div = basic.offset(DimKind::Div);
        let is_symbol = |i: usize| {
            let rest = n + 1..first_div;
            let unknown = (0..=i).filter(|&k| basic.divs()[k].is_none()).map(|k| first_div + k);
            let row = row::unit(basic.n_col(), first_div + i);
            basic.divs()[i].is_some() && rest.chain(unknown).all(|c| !basic.row_involves(&row, c, 1))
        };
        let divs: Vec<usize> = (0..basic.n_div()).filter(|&i| is_symbol(i)).collect();
        let n_symbol = n + divs.len();
        let mut map: Vec<usize> = (0..=n).collect();
        let mut next = n_symbol + 1;
        for c in n + 1..basic.n_col() {
            let div = c.checked_sub(first_div).and_then(|i| divs.iter().position(|&d| d == i));
            map.push(match div {
                Some(k) => n + 1 + k,
                None => {
                    next += 1;
                    next - 1
                }
            });
        }
        let mut carrier = BasicMap::universe(space);
        for &i in &divs {
            let div = basic.divs()[i].as_ref().expect("symbols are known divs");
            let num = row::scatter(&div.num, &map, basic.n_col());
            carrier.add_div(div.denom.clone(), num[..carrier.n_col()].to_vec());
        }
        let mut system = basic.to_system();
        if !divs.is_empty() {
            let moved = |rows: &[Row]| -> Vec<Row> { rows.iter().map(|r| row::scatter(r, &map, r.len())).collect() };
            system = System { n: system.n, eqs: moved(&system.eqs), ineqs: moved(&system.ineqs) };
        }
        let of_symbols = |rows: &[Row]| -> Vec<Row> {
            let only = rows.iter().filter(|r| row::is_zero(&r[n_symbol + 1..]));
            only.map(|r| r[..=n_symbol].to_vec()).collect()
        };
        let context = System { n: n_symbol, eqs: of_symbols(&system.eqs), ineqs: of_symbols(&system.ineqs) };
        Problem { carrier, system, context, n_symbol, map }
    }

    /// The points of a piece, and the basic set without constraints that carries its divs.
    fn domain(&self, piece: &PipPiece) -> (BasicMap, BasicMap) {
        let mut carrier = self.carrier.clone();
        for (denom, num) in &piece.divs {
            carrier.add_div(denom.clone(), num.clone());
        }
        let mut domain = carrier.clone();
        piece.domain.eqs.iter().for_each(|r| domain.add_eq(r.clone()));
        piece.domain.ineqs.iter().for_each(|r| domain.add_ineq(r.clone()));
        (domain.normalized(), carrier)
    }
}

/// The optimum of a basic relation; `None` if it (or a div) has no bound somewhere.
fn basic_opt(basic: &BasicMap, direction: Direction, budget: &mut Budget) -> Result<Option<PwMultiAff>, Stop> {
    let basic = basic.clone().normalized();
    let space = basic.space_arc();
    if basic.is_plainly_empty() {
        return Ok(Some(PwMultiAff::empty(space)));
    }
    let domain_space = Arc::new(space.domain_space());
    if let Some(function) = as_function(&basic) {
        let domain = Map::from_basic(BasicMap::from(basic.domain())).compute_divs(budget)?.into_set();
        return Ok(Some(PwMultiAff::from_pieces(space, vec![(domain, function)])));
    }
    let problem = Problem::new(&basic, domain_space);
    let (system, context) = (&problem.system, &problem.context);
    let known = if problem.n_symbol > 0 { basic.known_to_pip() } else { pip::Known::default() };
    let pieces = match direction {
        Direction::Min => pip::lexmin_of(system, context, problem.n_symbol, known, budget)?,
        Direction::Max => pip::lexmax_of(system, context, problem.n_symbol, known, budget)?,
    };
    let outputs = space.dim(DimKind::Out);
    let mut result = Vec::new();
    for piece in &pieces {
        if piece.unbounded {
            return Ok(None);
        }
        let Some(solution) = &piece.solution else { continue };
        let (domain, carrier) = problem.domain(piece);
        let aff = |r: &Row| Aff::from_carrier(&carrier, r, Int::ONE);
        let affs = solution[..outputs].iter().map(aff).collect();
        let function = MultiAff::new(Arc::clone(&space), affs);
        result.push((Set::from_basic(BasicSet(domain.into())), function));
    }
    Ok(Some(PwMultiAff::from_pieces(space, result)))
}

/// The relation as basic relations with known divs: the pieces where its unknown divs have values.
pub(crate) fn quantify_by_pip(basic: &BasicMap, budget: &mut Budget) -> Result<Vec<BasicMap>, Stop> {
    let problem = Problem::new(basic, basic.space_arc());
    let pieces = pip::lexmin(&problem.system, &problem.context, problem.n_symbol, budget)?;
    let there = pieces.iter().filter(|p| p.solution.is_some() || p.unbounded);
    Ok(there.map(|p| problem.domain(p).0).collect())
}

/// Whether each output has an equality that determines it by earlier columns, none of which is a
/// div.
fn is_plainly_a_function(basic: &BasicMap) -> bool {
    let outputs = basic.offset(DimKind::Out)..basic.offset(DimKind::Div);
    outputs.into_iter().all(|col| basic.eqs().iter().any(|r| row::last_column(r) == col))
}

/// The function that equalities with unit coefficients define, if they define every output.
fn as_function(basic: &BasicMap) -> Option<MultiAff> {
    let space = basic.space_arc();
    let (first, outputs) = (space.offset(DimKind::Out), space.dim(DimKind::Out));
    if basic.eqs().len() < outputs {
        return None;
    }
    let mut equalities: Vec<Row> = basic.eqs().to_vec();
    let mut solved: Vec<(usize, Row)> = Vec::new();
    for col in first..first + outputs {
        let usable = |r: &Row| r[col].is_one() || r[col].is_neg_one();
        let position = equalities.iter().position(usable)?;
        let pivot = equalities.swap_remove(position);
        for other in equalities.iter_mut().chain(solved.iter_mut().map(|(_, r)| r)) {
            row::eliminate(other, col, &pivot);
        }
        solved.push((col, pivot));
    }
    let problem = Problem::new(basic, Arc::new(space.domain_space()));
    let mut affs = Vec::with_capacity(outputs);
    for (col, r) in solved {
        let mut form = r;
        if form[col].is_pos() {
            form = row::negated(&form);
        }
        form[col] = Int::ZERO;
        affs.push(problem.symbolic(&form)?);
    }
    Some(MultiAff::new(space, affs))
}

impl Problem {
    /// A row of the basic relation as an expression over the symbols, if it uses nothing else.
    fn symbolic(&self, form: &[Int]) -> Option<Aff> {
        let moved = row::scatter(form, &self.map, form.len());
        let (symbols, rest) = moved.split_at(self.n_symbol + 1);
        row::is_zero(rest).then(|| Aff::from_carrier(&self.carrier, symbols, Int::ONE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_changes_no_piece() {
        let (mut known_ones, mut spared) = (0, 0);
        for text in [
            "[n, m] -> { [i, j, k] : 0 <= i < n and i <= j < m and 0 <= k <= i + j }",
            "[n, m] -> { [i, j] : 2i + 3j >= n and i <= m and j <= m }",
            "[n] -> { [i, j] : i >= 0 and j >= i and j <= n and 3i >= n - 9 }",
            "[n, m] -> { A[i, j] -> B[a, b] : b = i + a and 0 <= i <= a < n and 5 <= j < m }",
            "{ A[i] -> B[a, b] : i <= a <= b and b <= 9 and 2a >= i }",
            "[n] -> { [i, j] : 0 <= i <= n and 0 <= j <= n and i + j <= 3n }",
            "[n] -> { [i, j] : 0 <= i <= j and i + j <= 0 and i <= n }",
            "[n] -> { [i, j] : 2i = n + 3j and 0 <= i <= 9 and j >= 0 }",
        ] {
            let set = || Map::from(text.parse::<Set>().expect("the text is a relation or a set"));
            let map: Map = text.parse().unwrap_or_else(|_| set());
            let basic = BasicMap::clone(&map.basics()[0]).normalized();
            let problem = Problem::new(&basic, Arc::new(map.space().domain_space()));
            let (system, context, n) = (&problem.system, &problem.context, problem.n_symbol);
            let known = basic.known_to_pip();
            known_ones += usize::from(known.full) + usize::from(known.irredundant);
            let (mut all, mut less) = (Budget::unlimited(), Budget::unlimited());
            for [plain, informed] in [
                [pip::lexmin(system, context, n, &mut all), pip::lexmin_of(system, context, n, known, &mut less)],
                [pip::lexmax(system, context, n, &mut all), pip::lexmax_of(system, context, n, known, &mut less)],
            ] {
                assert_eq!(plain, informed, "{text}");
            }
            assert!(less.spent() <= all.spent(), "{text}");
            spared += all.spent() - less.spent();
        }
        assert!(known_ones >= 8 && spared > 0, "{known_ones} answers spare {spared} steps");
    }
}
