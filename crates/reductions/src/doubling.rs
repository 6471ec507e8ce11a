//! Intervals of operators without inverse, from intervals whose widths are powers of two.
//!
//! # Problem
//! Nothing can be taken out of a maximum, so the maximum of `x[i..i + w]` is no recurrence along
//! `i`, and for a width that is not known there are no blocks of a constant width either. The same
//! is true of windows that grow (`x[i..2 i]`) or are cut at the borders of an image.
//!
//! # Definitions
//! Let accumulation have one direction `a`, and let `g` be an affine function whose kernel is the
//! reuse space: values are equal where `g` is. The *line* of a value `v = g(x)` goes on with `v +
//! g(a)`. The points of an answer are an interval of a line: from its *first* point, on the facet
//! that bounds `a` from below, to its *last* one. Its *width* is their number, an affine function
//! of the answer. Where several facets bound `a` on a side, answers are in pieces by the one that
//! does it.
//!
//! # Algorithm \[BenderFarachColton2000\]
//! 1. `M1[v] = E(v) (+) E(v + g(a))`, and `Mt[v] = Mt-1[v] (+) Mt-1[v + 2^(t-1) g(a)]`: an interval
//!    of `2^t` values is two of half the width.
//! 2. An answer of width `2^t <= m < 2^(t+1)` is `Mt[first] (+) Mt[last - (2^t - 1) g(a)]`: the two
//!    overlap, which idempotent operators do not see. Which `t` that is are conditions on the
//!    answer, affine since `t` is a number.
//! 3. What is wider than the last level `T` is combined from `MT[first + 2^T q g(a)]` for all `q`
//!    that fit, with the last one as before.
//! 4. Where combining a value twice is not combining it once, intervals must not overlap. The
//!    binary digits of `m`, which must be a number, say which make up the answer: `Mt[first +
//!    2^(t+1) q g(a)]` for each `t` with `2^(t+1) q + 2^t <= m < 2^(t+1) (q + 1)` for some `q`, a
//!    coordinate more of the points of this term, of which an answer has at most one. Of the last
//!    level, all that fit are combined.
//!
//! For `n` answers of width `m` that are `n (log2 m + 1)` operations, none of which waits for
//! another one of the same level; up to `2 n log2 m` if they must not overlap.
//!
//! # Invariants
//! Everything is affine, with numbers as coefficients of what is not a parameter. Levels have
//! values only where the whole interval consists of values that the reduction reads.

use poly_arith::Int;
use poly_linalg::{Matrix, solve_integer, vector};
use poly_presburger::{BasicSet, Budget, Set, Space, Stop, Tuple};

use crate::decompose::{functions_without, one_polyhedron};
use crate::recurrence::plain;
use crate::{AnswerId, Equation, Factor, Function, Reduction, Source, Term};

/// Levels, in the order in which they are computed, and what the answers are made of.
#[derive(Clone, Debug)]
pub(crate) struct Doubling {
    pub(crate) levels: Vec<Equation>,
    pub(crate) terms: Vec<Term>,
    /// Those of the terms that only intervals need that are at least twice as wide as the last
    /// level's.
    pub(crate) wide: Vec<Term>,
}

/// Whether the intervals of an answer may overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cover {
    /// Values may be combined several times.
    Overlapping,
    /// Each value is in one interval.
    Disjoint,
}

/// The reduction from at most so many levels, whose answers get numbers from `answer` on; `None` if
/// the points of an answer are no interval.
pub(crate) fn doubling(
    reduction: &Reduction,
    most: u32,
    cover: Cover,
    answer: usize,
    budget: &mut Budget,
) -> Result<Option<Doubling>, Stop> {
    if most == 0 || reduction.forward > 0 {
        return Ok(None);
    }
    let Some(lines) = Lines::of(reduction, budget)? else { return Ok(None) };
    let pieces = lines.pieces(budget)?;
    let mut levels: Vec<Equation> = Vec::new();
    let (mut terms, mut wide) = (Vec::new(), Vec::new());
    let overlaps = cover == Cover::Overlapping;
    let is_constant = |piece: &Piece| piece.reach[1..].iter().all(Int::is_zero);
    let is_known = pieces.iter().all(is_constant);
    for piece in pieces.iter().filter(|_| overlaps) {
        terms.extend(lines.narrow(piece, budget)?);
    }
    for t in 1..=most {
        let Some(sizes) = lines.sizes(&pieces, t, budget)? else { break };
        let id = AnswerId(answer + levels.len());
        let Some(level) = lines.level(t, id, levels.last(), &sizes, budget)? else { break };
        levels.push(level);
        for piece in pieces.iter().filter(|_| overlaps) {
            let covered = lines.covered(piece, t, id, t == most, budget)?;
            wide.extend(covered.iter().skip(1).filter(|_| t == most).cloned());
            terms.extend(covered);
        }
    }
    if !overlaps && !is_known {
        // Nothing else reads levels between digits.
        levels.truncate(levels.len() / DIGIT * DIGIT);
    }
    let answer_of = |level: usize| level.checked_sub(1).map(|before| levels[before].answer);
    for piece in pieces.iter().filter(|_| !overlaps && is_known) {
        for level in 0..=levels.len() {
            terms.extend(lines.digit(piece, level, answer_of(level), level == levels.len(), budget)?);
        }
    }
    for piece in pieces.iter().filter(|_| !overlaps && !is_known) {
        for level in (0..=levels.len()).step_by(DIGIT) {
            let next = Some(level + DIGIT).filter(|next| *next <= levels.len());
            let term = lines.large_digit(piece, level, answer_of(level), next, budget)?;
            wide.extend(term.iter().filter(|_| next.is_none()).cloned());
            terms.extend(term);
        }
    }
    Ok((!levels.is_empty()).then_some(Doubling { levels, terms, wide }))
}

/// Binary digits that are one digit of a width that is not known: a digit stands for up to 15
/// intervals, and the proof has a case for each four levels. Fewer binary digits are more cases,
/// which multiply; more are twice as many intervals each.
const DIGIT: usize = 4;

/// The values of a reduction, as lines.
struct Lines<'r> {
    reduction: &'r Reduction,
    /// `a`.
    along: Vec<Int>,
    /// `g`.
    value: Function,
    /// `g(a)`.
    step: Vec<Int>,
    /// All values.
    values: BasicSet,
    /// What is read at a value.
    factors: Vec<Factor>,
}

/// Answers whose intervals are bounded by the same two facets.
struct Piece {
    answers: BasicSet,
    /// Values of an answer.
    first: Function,
    last: Function,
    /// The width less one, as a row of the answer.
    reach: Vec<Int>,
}

impl<'r> Lines<'r> {
    fn of(reduction: &'r Reduction, budget: &mut Budget) -> Result<Option<Self>, Stop> {
        let accumulation = reduction.accumulation();
        let reuse = reduction.reuse();
        let [basic] = reduction.domain.basics() else { return Ok(None) };
        if accumulation.rows() != 1 || reuse.rows() == 0 || !basic.eqs().is_empty() || basic.n_div() > 0 {
            return Ok(None);
        }
        let along = accumulation.row(0).to_vec();
        let Some(value) = functions_without(reduction, &reuse) else { return Ok(None) };
        let step = value.direction(&along);
        let factor = |factor: &Factor| Some(Factor { access: factor.access.through(&value)?, ..factor.clone() });
        let Some(factors) = reduction.factors.iter().map(factor).collect::<Option<Vec<Factor>>>() else {
            return Ok(None);
        };
        let Some(values) = one_polyhedron(value.image(&reduction.domain, &reduction.params), budget)? else {
            return Ok(None);
        };
        let Some(values) = only(&values) else { return Ok(None) };
        let lines = Lines { reduction, along, step, values, factors, value };
        Ok((!vector::is_zero(&lines.step)).then_some(lines))
    }

    fn params(&self) -> usize {
        self.reduction.params.len()
    }

    /// The pieces of the answers. A facet that several bound equally is the first one's.
    fn pieces(&self, budget: &mut Budget) -> Result<Vec<Piece>, Stop> {
        let [basic] = self.reduction.domain.basics() else { return Ok(Vec::new()) };
        let first = 1 + self.params();
        let slope = |row: &[Int]| vector::dot(&row[first..], &self.along);
        let bounds = |is: &dyn Fn(&Int) -> bool| -> Vec<&Vec<Int>> {
            basic.ineqs().iter().filter(|row| is(&slope(row))).collect()
        };
        let (strong, lower, upper) = (bounds(&Int::is_zero), bounds(&Int::is_pos), bounds(&Int::is_neg));
        let is_unit = |row: &&Vec<Int>| slope(row).abs().is_one();
        if !lower.iter().chain(&upper).all(is_unit) {
            return Ok(Vec::new());
        }
        let mut result = Vec::new();
        for (a, low) in lower.iter().enumerate() {
            let Some(begin) = self.point_on(low) else { return Ok(Vec::new()) };
            let at = |row: &Vec<Int>| Function::new(self.params(), self.along.len(), vec![row.clone()]);
            let at_begin = |row: &Vec<Int>| at(row).after(&begin).rows.remove(0);
            for (b, high) in upper.iter().enumerate() {
                let reach = at_begin(high);
                let space = Space::set(self.reduction.params.clone(), Tuple::anonymous(begin.dims));
                let mut answers = BasicSet::universe(space);
                strong.iter().for_each(|row| answers.add_ineq(at_begin(row)));
                for (other, row) in lower.iter().enumerate().filter(|(other, _)| *other != a) {
                    answers.add_ineq(less(at_begin(row), i64::from(other < a)));
                }
                for (other, row) in upper.iter().enumerate().filter(|(other, _)| *other != b) {
                    let above: Vec<Int> = at_begin(row).iter().zip(&reach).map(|(x, y)| x - y).collect();
                    answers.add_ineq(less(above, i64::from(other < b)));
                }
                answers.add_ineq(reach.clone());
                let answers = plain(&Set::from_basic(answers), budget)?;
                let Some(answers) = only(&answers) else { continue };
                let first = self.value.after(&begin);
                let last = self.moved(&first, &reach);
                result.push(Piece { answers, first, last, reach });
            }
        }
        Ok(result)
    }

    /// The point of an answer on a facet, as a function of the answer.
    fn point_on(&self, facet: &[Int]) -> Option<Function> {
        let params = self.params();
        let projection = &self.reduction.projection;
        let (dims, answers) = (projection.dims, projection.rows.len());
        let mut rows = projection.matrix();
        rows.push_row(&facet[1 + params..]);
        let mut result = vec![vec![Int::ZERO; 1 + params + answers]; dims];
        // The answer's coordinates less the constant parts of the projection, and the facet's
        // constant part with the other sign.
        for equation in 0..=answers {
            let unit: Vec<Int> = (0..=answers).map(|e| Int::from(i64::from(e == equation))).collect();
            let column = solve_integer(&rows, &unit)?.particular;
            let constant = projection.rows.get(equation).map_or(facet, Vec::as_slice);
            for (row, x) in result.iter_mut().zip(&column) {
                row[..=params].iter_mut().zip(&constant[..=params]).for_each(|(sum, c)| *sum -= &(x * c));
                if equation < answers {
                    row[1 + params + equation] += x;
                }
            }
        }
        Some(Function::new(params, answers, result))
    }

    /// The value that is so many steps behind another one.
    fn moved(&self, value: &Function, steps: &[Int]) -> Function {
        let mut moved = value.clone();
        for (row, step) in moved.rows.iter_mut().zip(&self.step) {
            row.iter_mut().zip(steps).for_each(|(x, by)| *x += &(step * by));
        }
        moved
    }

    /// A constant number of steps, as a row of so many dimensions.
    fn steps(&self, dims: usize, steps: i64) -> Vec<Int> {
        let mut row = vec![Int::ZERO; 1 + self.params() + dims];
        row[0] = Int::from(steps);
        row
    }

    /// Values of the parameters at which some answer has `2^t` points; `None` if there are none.
    fn sizes(&self, pieces: &[Piece], t: u32, budget: &mut Budget) -> Result<Option<Set>, Stop> {
        let mut all: Option<Set> = None;
        for piece in pieces {
            let mut wide = piece.answers.clone();
            wide.add_ineq(less(piece.reach.clone(), (1 << t) - 1));
            let sizes = Set::from_basic(wide).params().remove_empty_parts(budget)?;
            all = Some(all.map_or(sizes.clone(), |all| all.union(&sizes)));
        }
        let Some(all) = all else { return Ok(None) };
        Ok((!all.is_empty(budget)?).then_some(all.compute_divs(budget)?.coalesce(budget)?))
    }

    /// The intervals of `2^t` values.
    fn level(
        &self,
        t: u32,
        answer: AnswerId,
        before: Option<&Equation>,
        sizes: &Set,
        budget: &mut Budget,
    ) -> Result<Option<Equation>, Stop> {
        let (params, width) = (self.params(), 1i64 << t);
        let dims = self.step.len();
        let identity = Function::identity(params, dims);
        let end = self.moved(&identity, &self.steps(dims, width - 1));
        let all = Set::from_basic(self.values.clone());
        let both = all.intersect(&all.apply(&end.to_map(&self.reduction.params).reverse()));
        let both = match sizes.basics() {
            [basic] if basic.n_div() == 0 => both.intersect_params(sizes),
            _ => both,
        };
        let both = plain(&both, budget)?;
        let Some(values) = only(&both) else { return Ok(None) };
        if both.is_empty(budget)? {
            return Ok(None);
        }
        let halves = [identity.clone(), self.moved(&identity, &self.steps(dims, width / 2))];
        let term = |half: Function| {
            let factors = match before {
                Some(before) => vec![Factor { source: Source::Answer(before.answer), access: half }],
                None => self.read_at(&half),
            };
            Term { domain: both.clone(), projection: identity.clone(), factors, inverse: false }
        };
        let meaning = self.interval(&values, width);
        Ok(Some(Equation { answer, meaning, terms: halves.into_iter().map(term).collect() }))
    }

    /// `M[v] = (+) over 0 <= k < width of E(v + k g(a))`.
    fn interval(&self, values: &BasicSet, width: i64) -> Reduction {
        let (params, dims) = (self.params(), self.step.len());
        let longer = |row: &Vec<Int>| row.iter().cloned().chain([Int::ZERO]).collect::<Vec<Int>>();
        let mut domain = BasicSet::universe(Space::set(self.reduction.params.clone(), Tuple::anonymous(dims + 1)));
        values.eqs().iter().for_each(|row| domain.add_eq(longer(row)));
        values.ineqs().iter().for_each(|row| domain.add_ineq(longer(row)));
        let mut k = vec![Int::ZERO; 1 + params + dims + 1];
        k[1 + params + dims] = Int::ONE;
        domain.add_ineq(k.clone());
        domain.add_ineq(less(k.iter().map(|x| -x).collect(), 1 - width));
        let projection = Function::linear(params, &Matrix::identity(dims + 1).submatrix(0, dims, 0, dims + 1));
        let at = self.moved(&projection, &k);
        let factors = self.read_at(&at);
        Reduction { domain: Set::from_basic(domain), projection, factors, ..self.reduction.clone() }
    }

    /// The factors at a value that is a function of points.
    fn read_at(&self, value: &Function) -> Vec<Factor> {
        let read = |factor: &Factor| Factor { access: factor.access.after(value), ..factor.clone() };
        self.factors.iter().map(read).collect()
    }

    /// Answers of one value.
    fn narrow(&self, piece: &Piece, budget: &mut Budget) -> Result<Option<Term>, Stop> {
        let mut domain = piece.answers.clone();
        domain.add_eq(piece.reach.clone());
        let factors = self.read_at(&piece.first);
        self.term(domain, Function::identity(self.params(), piece.first.dims), factors, budget)
    }

    /// Answers that level `t` is for, from its first and last interval, and perhaps from those
    /// between.
    fn covered(
        &self,
        piece: &Piece,
        t: u32,
        answer: AnswerId,
        is_last: bool,
        budget: &mut Budget,
    ) -> Result<Vec<Term>, Stop> {
        let (params, width) = (self.params(), 1i64 << t);
        let dims = piece.first.dims;
        let read = |access: Function| vec![Factor { source: Source::Answer(answer), access }];
        let mut domain = piece.answers.clone();
        domain.add_ineq(less(piece.reach.clone(), width - 1));
        if !is_last {
            domain.add_ineq(less(piece.reach.iter().map(|x| -x).collect(), 2 - 2 * width));
        }
        let identity = Function::identity(params, dims);
        let back = self.moved(&piece.last, &self.steps(dims, 1 - width));
        let mut terms = Vec::from_iter(self.term(domain.clone(), identity.clone(), read(back), budget)?);
        if !is_last {
            terms.extend(self.term(domain, identity, read(piece.first.clone()), budget)?);
            return Ok(terms);
        }
        let longer = |row: &[Int]| row.iter().cloned().chain([Int::ZERO]).collect::<Vec<Int>>();
        let mut wide = BasicSet::universe(Space::set(self.reduction.params.clone(), Tuple::anonymous(dims + 1)));
        domain.eqs().iter().for_each(|row| wide.add_eq(longer(row)));
        domain.ineqs().iter().for_each(|row| wide.add_ineq(longer(row)));
        let mut q = vec![Int::ZERO; 1 + params + dims + 1];
        q[1 + params + dims] = Int::from(width);
        let rest: Vec<Int> = longer(&piece.reach).iter().zip(&q).map(|(x, y)| x - y).collect();
        wide.add_ineq(less(rest, width - 1));
        wide.add_ineq(q.clone());
        let projection = Function::linear(params, &Matrix::identity(dims + 1).submatrix(0, dims, 0, dims + 1));
        let first = piece.first.after(&projection);
        terms.extend(self.term(wide, projection, read(self.moved(&first, &q)), budget)?);
        Ok(terms)
    }

    /// The intervals that a binary digit of the width stands for, those of level 0 being values;
    /// all that fit of the last level.
    fn digit(
        &self,
        piece: &Piece,
        level: usize,
        answer: Option<AnswerId>,
        is_last: bool,
        budget: &mut Budget,
    ) -> Result<Option<Term>, Stop> {
        let (params, dims, width) = (self.params(), piece.first.dims, 1i64 << level);
        let stride = if is_last { width } else { 2 * width };
        let longer = |row: &[Int]| row.iter().cloned().chain([Int::ZERO]).collect::<Vec<Int>>();
        let mut domain = BasicSet::universe(Space::set(self.reduction.params.clone(), Tuple::anonymous(dims + 1)));
        piece.answers.eqs().iter().for_each(|row| domain.add_eq(longer(row)));
        piece.answers.ineqs().iter().for_each(|row| domain.add_ineq(longer(row)));
        let mut begin = vec![Int::ZERO; 1 + params + dims + 1];
        begin[1 + params + dims] = Int::from(stride);
        domain.add_ineq(begin.clone());
        // How many values are behind the first one of this interval.
        let rest: Vec<Int> = longer(&piece.reach).iter().zip(&begin).map(|(x, y)| x - y).collect();
        domain.add_ineq(less(rest.clone(), width - 1));
        if !is_last {
            domain.add_ineq(less(rest.iter().map(|x| -x).collect(), 2 - 2 * width));
        }
        let projection = Function::linear(params, &Matrix::identity(dims + 1).submatrix(0, dims, 0, dims + 1));
        let at = self.moved(&piece.first.after(&projection), &begin);
        let factors = match answer {
            Some(answer) => vec![Factor { source: Source::Answer(answer), access: at }],
            None => self.read_at(&at),
        };
        self.term(domain, projection, factors, budget)
    }

    /// The intervals that a digit of the width stands for where the width `m` is no number: with `b
    /// = 2^level` and `c = 2^next`, those of `b` values that end `c p` values, and then some of
    /// these intervals, before the end, where `p` is `m` divided by `c`. Of the last level, all
    /// that fit.
    fn large_digit(
        &self,
        piece: &Piece,
        level: usize,
        answer: Option<AnswerId>,
        next: Option<usize>,
        budget: &mut Budget,
    ) -> Result<Option<Term>, Stop> {
        let (params, dims, width) = (self.params(), piece.first.dims, 1i64 << level);
        let more = 1 + usize::from(next.is_some());
        let (p, number) = (1 + params + dims, params + dims + more);
        let longer = |row: &[Int]| {
            let mut row = row.to_vec();
            row.resize(1 + params + dims + more, Int::ZERO);
            row
        };
        let space = Space::set(self.reduction.params.clone(), Tuple::anonymous(dims + more));
        let mut domain = BasicSet::universe(space);
        piece.answers.eqs().iter().for_each(|row| domain.add_eq(longer(row)));
        piece.answers.ineqs().iter().for_each(|row| domain.add_ineq(longer(row)));
        // What is left of the width: the remainder of the division by `c`.
        let mut rest = less(longer(&piece.reach), -1);
        if let Some(next) = next {
            rest[p] = Int::from(-(1i64 << next));
            domain.add_ineq(rest.clone());
            domain.add_ineq(less(rest.iter().map(|x| -x).collect(), 1 - (1i64 << next)));
            let mut quotient = longer(&[]);
            quotient[p] = Int::ONE;
            domain.add_ineq(quotient);
        }
        let mut before = longer(&[]);
        before[number] = Int::ONE;
        domain.add_ineq(before);
        rest[number] = Int::from(-width);
        domain.add_ineq(less(rest.clone(), width));
        // From the last value back to the first one of the interval.
        let reach = longer(&piece.reach);
        let steps: Vec<Int> = rest.iter().zip(&reach).map(|(rest, reach)| rest - reach).collect();
        let projection = Matrix::identity(dims + more).submatrix(0, dims, 0, dims + more);
        let projection = Function::linear(params, &projection);
        let at = self.moved(&piece.last.after(&projection), &less(steps, width));
        let factors = match answer {
            Some(answer) => vec![Factor { source: Source::Answer(answer), access: at }],
            None => self.read_at(&at),
        };
        self.term(domain, projection, factors, budget)
    }

    fn term(
        &self,
        domain: BasicSet,
        projection: Function,
        factors: Vec<Factor>,
        budget: &mut Budget,
    ) -> Result<Option<Term>, Stop> {
        let domain = plain(&Set::from_basic(domain), budget)?;
        Ok((!domain.is_empty(budget)?).then_some(Term { domain, projection, factors, inverse: false }))
    }
}

/// The set as a polyhedron without divisions.
fn only(set: &Set) -> Option<BasicSet> {
    let mut all = set.basic_sets();
    all.next().filter(|basic| basic.n_div() == 0 && all.next().is_none())
}

/// The row less a number.
fn less(mut row: Vec<Int>, by: i64) -> Vec<Int> {
    row[0] -= &Int::from(by);
    row
}
