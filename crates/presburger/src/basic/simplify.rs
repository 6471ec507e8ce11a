//! Syntactic simplification: everything that needs no solver.
//!
//! `normalize` brings a basic relation to a fixpoint of these steps, each of which keeps
//! the set of integer points:
//!
//! 1. rows are divided by the gcd of their coefficients, the constants of inequalities rounded
//!    down;
//! 2. equalities over unknown divs are solved: unit coefficients by substitution, several unknowns
//!    by unimodular changes of variables (Euclid's algorithm on the coefficients), a single unknown
//!    with coefficient `a` by the definition `floor(rest / a)`;
//! 3. Gauss elimination with the last column of each equality as pivot, also within definitions;
//! 4. definitions of divs are brought to a canonical form (see `divs.rs`);
//! 5. of parallel inequalities the tightest stays, opposite ones become an equality or a
//!    contradiction; what the definition of a div implies goes;
//! 6. unknown divs that only occur in inequalities are eliminated where Fourier-Motzkin
//!    elimination is exact over the integers, or defined where one side has a single bound;
//!    known divs are eliminated where that is exact and does not need more constraints.
//!
//! Termination: steps 2, 4 and 6 remove a div or define one, step 3 and 5 raise the rank of the
//! equalities or remove constraints; a generous bound on the number of rounds backs this up.
//!
//! The result is sorted, so it does not depend on the order of the constraints given.

use poly_arith::Int;
use smallvec::SmallVec;

use super::{BasicMap, BasicSet};
use crate::budget::{Budget, Stop};
use crate::row::{self, Row};
use crate::space::DimKind;

/// The relation has been found to be empty.
pub(crate) struct Contradiction;

/// Whether something has changed, or a contradiction.
pub(crate) type Step = Result<bool, Contradiction>;

/// What has been done to the divs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elimination {
    /// Nothing.
    None,
    /// A div has been eliminated that occurred only in inequalities, if at all.
    OfInequalities,
    /// A div has been defined, or substituted with the help of an equality.
    Other,
}

/// Rounds after which normalization settles for what it has.
const MAX_ROUNDS: usize = 64;

impl BasicMap {
    /// Simplify by Gauss elimination, gcd tightening, removal of duplicates, opposite pairs and
    /// simple divs. The set of points stays the same.
    /// Cost: polynomial, no program is solved \[Pugh1991\].
    pub fn simplify(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        budget.spend((self.eqs.len() + self.ineqs.len() + self.n_div()) as u64)?;
        self.normalize();
        Ok(())
    }

    /// The simplified relation; see [`BasicMap::simplify`].
    pub(crate) fn normalized(mut self) -> BasicMap {
        self.normalize();
        self
    }

    pub(crate) fn normalize(&mut self) {
        self.memo.forget();
        debug_assert!({
            self.check_invariants();
            true
        });
        for _ in 0..MAX_ROUNDS {
            match self.normalize_round() {
                Ok(true) => {}
                Ok(false) => break,
                Err(Contradiction) => {
                    self.set_to_empty();
                    return;
                }
            }
        }
        self.sort_rows();
        debug_assert!({
            self.check_invariants();
            true
        });
    }

    fn normalize_round(&mut self) -> Step {
        self.tighten()?;
        let mut changed = self.solve_unknown_divs()?;
        changed |= self.gauss()?;
        let reduced = self.canonicalize_divs();
        changed |= reduced;
        if self.merge_parallel()? {
            return Ok(true);
        }
        if changed || self.n_div() == 0 {
            // Without divs nothing that has been done calls for another round, unless they are gone
            // from the equalities only now.
            return Ok(changed && (reduced || self.n_div() > 0));
        }
        self.eliminate_divs_in_turn()
    }

    /// Eliminate or define divs until something asks for another round. Exact eliminations touch
    /// neither equalities nor definitions: of the steps of a round only those for inequalities have
    /// to be repeated.
    fn eliminate_divs_in_turn(&mut self) -> Step {
        loop {
            match self.eliminate_divs() {
                Elimination::None => return Ok(false),
                Elimination::Other => return Ok(true),
                Elimination::OfInequalities => {
                    self.tighten()?;
                    if self.merge_parallel()? {
                        return Ok(true);
                    }
                }
            }
        }
    }

    /// Divide rows by their gcd, drop trivial ones, find contradictions.
    pub(crate) fn tighten(&mut self) -> Result<(), Contradiction> {
        let mut contradiction = false;
        self.eqs.retain_mut(|row| {
            let g = row::gcd(&row[1..]);
            if g.is_one() {
                return true;
            }
            if g.is_zero() || !row[0].is_divisible_by(&g) {
                contradiction |= !row[0].is_zero();
                return false;
            }
            row::div_exact(row, &g);
            true
        });
        self.ineqs.retain_mut(|row| {
            let g = row::gcd(&row[1..]);
            if g.is_zero() {
                contradiction |= row[0].is_neg();
                return false;
            }
            row::tighten(row, &g);
            true
        });
        if contradiction { Err(Contradiction) } else { Ok(()) }
    }

    /// Reduced echelon form of the equalities; pivots are the last columns, but unknown divs are
    /// never pivots (they have been dealt with before). Pivots are also eliminated from
    /// inequalities and definitions.
    fn gauss(&mut self) -> Step {
        let mut changed = false;
        let mut done = 0;
        while let Some((i, col)) = self.next_pivot(done) {
            self.eqs.swap(done, i);
            if self.eqs[done][col].is_neg() {
                row::negate(&mut self.eqs[done]);
            }
            changed |= self.eliminate_by(done, col);
            done += 1;
            self.tighten_eqs_from(done)?;
        }
        if changed {
            self.tighten()?;
        }
        Ok(changed)
    }

    /// The equality from `first` on to be a pivot next, and its last column: the largest one that
    /// is no unknown div, and the smallest coefficient there.
    fn next_pivot(&self, first: usize) -> Option<(usize, usize)> {
        let mut best: Option<(usize, usize)> = None;
        for (i, row) in self.eqs.iter().enumerate().skip(first) {
            let col = row::last_column(row);
            if col == 0 || self.is_unknown_column(col) {
                continue;
            }
            let better = best
                .is_none_or(|(j, other)| col > other || (col == other && row[col].cmp_abs(&self.eqs[j][col]).is_lt()));
            if better {
                best = Some((i, col));
            }
        }
        best
    }

    fn tighten_eqs_from(&mut self, first: usize) -> Result<(), Contradiction> {
        let mut i = first;
        while i < self.eqs.len() {
            let g = row::gcd(&self.eqs[i][1..]);
            if g.is_one() {
                i += 1;
                continue;
            }
            if g.is_zero() {
                if !self.eqs[i][0].is_zero() {
                    return Err(Contradiction);
                }
                self.eqs.swap_remove(i);
                continue;
            }
            if !self.eqs[i][0].is_divisible_by(&g) {
                return Err(Contradiction);
            }
            row::div_exact(&mut self.eqs[i], &g);
            i += 1;
        }
        Ok(())
    }

    pub(crate) fn is_unknown_column(&self, col: usize) -> bool {
        let first = self.offset(DimKind::Div);
        col >= first && self.divs[col - first].is_none()
    }

    /// Eliminate `col` from everything but equality `pivot`. Returns whether anything changed.
    fn eliminate_by(&mut self, pivot: usize, col: usize) -> bool {
        let eq = std::mem::take(&mut self.eqs[pivot]);
        let mut changed = false;
        let others = self.eqs.iter_mut().enumerate().filter(|(i, _)| *i != pivot).map(|(_, r)| r);
        for row in others.chain(&mut self.ineqs).filter(|r| !r[col].is_zero()) {
            row::eliminate(row, col, &eq);
            changed = true;
        }
        let first_div = self.offset(DimKind::Div);
        let involves_unknown = (first_div..eq.len()).any(|c| !eq[c].is_zero() && self.is_unknown_column(c));
        if !involves_unknown {
            for div in self.divs.iter_mut().flatten().filter(|d| !d.num[col].is_zero()) {
                let scale = row::eliminate(&mut div.num, col, &eq);
                div.denom = &div.denom * &scale;
                changed = true;
            }
        }
        self.eqs[pivot] = eq;
        changed
    }

    /// Keep the tightest of parallel inequalities, turn opposite ones into equalities, drop
    /// what the definitions of divs imply. Returns whether there are new equalities.
    fn merge_parallel(&mut self) -> Step {
        if self.ineqs.is_empty() {
            return Ok(false);
        }
        if let Some(hashes) = self.normal_hashes() {
            if !have_equal(&hashes) {
                return Ok(false);
            }
            let hashes = self.keep_tightest(hashes);
            if self.is_merged(&hashes) {
                return Ok(false);
            }
        }
        self.merge_sorted()
    }

    /// Sort the inequalities and the bounds of divs by their normals, and merge what is parallel.
    fn merge_sorted(&mut self) -> Step {
        let rows = std::mem::take(&mut self.ineqs);
        let mut entries: Vec<Sided> = rows.into_iter().map(|r| Sided::new(r, false)).collect();
        for i in 0..self.n_div() {
            entries.extend(self.div_bounds(i).into_iter().flatten().map(|r| Sided::new(r, true)));
        }
        entries.sort_by(|a, b| a.row[1..].cmp(&b.row[1..]));
        let mut at = 0;
        let mut new_eqs = false;
        while at < entries.len() {
            let same = |e: &&Sided| e.row[1..] == entries[at].row[1..];
            let n = 1 + entries[at + 1..].iter().take_while(same).count();
            new_eqs |= self.merge_group(&mut entries[at..at + n])?;
            at += n;
        }
        Ok(new_eqs)
    }

    /// Hash values of the normals of the inequalities, then of the definitions of divs; those of
    /// opposite normals are the same. None if a number is large.
    fn normal_hashes(&self) -> Option<Hashes> {
        let mut hashes = Hashes::new();
        for row in &self.ineqs {
            hashes.push(row::normal_hash(row, None)?);
        }
        let first = self.offset(DimKind::Div);
        for (i, div) in self.divs.iter().enumerate() {
            let Some(div) = div else { continue };
            hashes.push(row::normal_hash(&div.num, Some((first + i, &div.denom)))?);
        }
        Some(hashes)
    }

    /// Of inequalities with the same normal, keep the tightest. An intersection repeats what both
    /// sides say, which so is found without sorting. Returns the hash values of what is left.
    fn keep_tightest(&mut self, mut hashes: Hashes) -> Hashes {
        let n = self.ineqs.len();
        let mut kept = 0;
        for i in 0..n {
            let same = (0..kept).find(|&j| hashes[j] == hashes[i] && self.ineqs[j][1..] == self.ineqs[i][1..]);
            match same {
                Some(j) if self.ineqs[i][0] < self.ineqs[j][0] => self.ineqs.swap(i, j),
                Some(_) => {}
                None => {
                    self.ineqs.swap(i, kept);
                    hashes.swap(i, kept);
                    kept += 1;
                }
            }
        }
        self.ineqs.truncate(kept);
        hashes.drain(kept..n);
        hashes
    }

    /// Whether merging would change nothing, with the hash values of [`Self::normal_hashes`]: of
    /// two inequalities with opposite normals, as both bounds of a constant range are, there is
    /// room between, and no bound of a div is repeated. No two have the same normal.
    fn is_merged(&self, hashes: &Hashes) -> bool {
        let n = self.ineqs.len();
        if have_equal(&hashes[n..]) {
            return false;
        }
        let has_room = |x: &Row, y: &Row| row::opposite(x, y).is_none_or(|slack| slack.is_pos());
        let is_apart = |i: usize, x: &Row| {
            !hashes[n..].contains(&hashes[i]) && (0..i).all(|j| hashes[j] != hashes[i] || has_room(&self.ineqs[j], x))
        };
        self.ineqs.iter().enumerate().all(|(i, x)| is_apart(i, x))
    }

    /// Merge inequalities with the same normal up to sign.
    fn merge_group(&mut self, group: &mut [Sided]) -> Step {
        if let [only] = group {
            if !only.implied {
                self.ineqs.push(only.take());
            }
            return Ok(false);
        }
        let tightest = |flipped: bool| {
            (0..group.len())
                .filter(|&i| group[i].flipped == flipped)
                .min_by_key(|&i| (group[i].constant(), !group[i].implied))
        };
        let (lower, upper) = (tightest(false), tightest(true));
        if let (Some(l), Some(u)) = (lower, upper) {
            let slack = group[l].constant() + group[u].constant();
            if slack.is_neg() {
                return Err(Contradiction);
            }
            if slack.is_zero() {
                self.eqs.push(group[l].take());
                return Ok(true);
            }
        }
        for i in [lower, upper].into_iter().flatten() {
            if !group[i].implied {
                self.ineqs.push(group[i].take());
            }
        }
        Ok(false)
    }

    fn sort_rows(&mut self) {
        for r in &mut self.eqs {
            if r[row::last_column(r)].is_neg() {
                row::negate(r);
            }
        }
        sort_by_last_column(&mut self.eqs);
        sort_by_last_column(&mut self.ineqs);
    }
}

/// Sort rows by their last columns, those with the same one lexicographically.
fn sort_by_last_column(rows: &mut [Row]) {
    let lasts: SmallVec<[usize; 32]> = rows.iter().map(|r| row::last_column(r)).collect();
    let in_order = |i: usize| (lasts[i - 1], &rows[i - 1]) <= (lasts[i], &rows[i]);
    if (1..rows.len()).all(in_order) {
        return;
    }
    rows.sort_unstable_by(|a, b| row::last_column(a).cmp(&row::last_column(b)).then_with(|| a.cmp(b)));
}

impl BasicSet {
    /// Simplify without changing the set of points; see [`BasicMap::simplify`].
    /// Cost: polynomial, no program is solved \[Pugh1991\].
    pub fn simplify(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        self.to_mut().simplify(budget)
    }
}

/// Hash values of a few rows.
type Hashes = SmallVec<[u64; 32]>;

/// Whether two values are the same. Usually the answer is no.
fn have_equal(hashes: &[u64]) -> bool {
    if hashes.len() > 24 {
        let mut sorted = Hashes::from_slice(hashes);
        sorted.sort_unstable();
        return sorted.windows(2).any(|pair| pair[0] == pair[1]);
    }
    (1..hashes.len()).any(|i| hashes[..i].contains(&hashes[i]))
}

/// An inequality with its normal oriented so that parallel ones compare equal.
struct Sided {
    /// The oriented row; the constant keeps the meaning it has in the original orientation.
    row: Row,
    flipped: bool,
    /// Whether the inequality is a bound of a known div.
    implied: bool,
}

impl Sided {
    fn new(mut row: Row, implied: bool) -> Sided {
        let lead = row[1..].iter().find(|x| !x.is_zero());
        let flipped = lead.is_some_and(Int::is_neg);
        if flipped {
            for x in &mut row[1..] {
                *x = -&*x;
            }
        }
        Sided { row, flipped, implied }
    }

    fn constant(&self) -> &Int {
        &self.row[0]
    }

    /// The original row, of which nothing is left here.
    fn take(&mut self) -> Row {
        let mut row = std::mem::take(&mut self.row);
        if self.flipped {
            for x in &mut row[1..] {
                *x = -&*x;
            }
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn basic(text: &str) -> BasicMap {
        let set: BasicSet = text.parse().expect("the text is a basic set");
        set.into_basic_map()
    }

    /// Random inequalities over two dimensions and a div, with few normals.
    fn random(next: &mut impl FnMut(u64) -> i64) -> BasicMap {
        let mut set = basic("{ [x, y] }");
        let div = set.add_div(Int::from(2 + next(3)), [0, 1].map(Int::from).to_vec());
        for _ in 0..1 + next(5) {
            let mut row = row::zeros(set.n_col());
            row[0] = Int::from(next(7) - 3);
            row[1] = Int::from(next(3) - 1);
            row[2] = Int::from(next(3) - 1);
            row[div] = Int::from([0, 0, -2, 2, -3][next(5) as usize]);
            set.add_ineq(row);
        }
        set
    }

    #[test]
    fn what_counts_as_merged_stays_when_it_is_sorted() {
        let mut state = 11u64;
        let mut next = |bound: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % bound) as i64
        };
        let (mut merged, mut parallel) = (0, 0);
        for _ in 0..3000 {
            let mut set = random(&mut next);
            if set.tighten().is_err() {
                continue;
            }
            let hashes = set.normal_hashes().expect("the numbers are small");
            let hashes = set.keep_tightest(hashes);
            if !set.is_merged(&hashes) {
                continue;
            }
            merged += 1;
            parallel += usize::from(have_equal(&hashes));
            let mut before = set.ineqs.clone();
            assert!(matches!(set.merge_sorted(), Ok(false)), "{before:?}");
            before.sort();
            set.ineqs.sort();
            assert_eq!(before, set.ineqs);
        }
        assert!(merged > 2000 && parallel > 50, "{merged} cases, {parallel} with parallel constraints");
    }
}
