//! Total preorders of statements as the integer points of one convex set.
//!
//! # Problem
//! How statements share loops at one level is a *total preorder*: an order of groups, each with at
//! least one statement. Write all of them, or those that satisfy some conditions, as the points of
//! a polytope, so that they can be counted and constrained.
//!
//! # Encoding [Pouchet2011]
//! For each pair of statements `i < j` the binary variables `p_ij` (`i` comes before `j`) and
//! `e_ij` (they are in one group); otherwise `j` comes before `i`. With `L_ij = p_ij + e_ij` and
//! `L_ji = 1 - p_ij` ("not after") the points are those of
//!
//! ```text
//! p_ij >= 0,  e_ij >= 0,  p_ij + e_ij <= 1            for each pair
//! L_ab + L_bc <= 1 + L_ac                             for each order a, b, c of each three statements
//! ```
//!
//! since a relation between all pairs is a total preorder iff "not after" is transitive. These are
//! 3 constraints for each pair and 6 for each three statements. (The paper has 5 and 7; the integer
//! points are the same.)
//!
//! # Conditions
//! Which of the three relations a pair may have, and *cuts*: statements `g_1 .. g_k` that must not
//! all be in one group, `e_g1g2 + e_g2g3 + .. <= k - 2`. What follows for one pair from two others
//! by composition is found by iteration to a fixed point.

use std::collections::BTreeSet;

use poly_arith::Int;
use poly_presburger::{BasicSet, Row, Set, Space, Tuple};

/// How one statement relates to another.
const BEFORE: u8 = 1;
const EQUAL: u8 = 2;
const AFTER: u8 = 4;
const ALL: u8 = BEFORE | EQUAL | AFTER;

/// Total preorders of `n` statements that satisfy conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreorderSet {
    n: usize,
    /// The relations that each pair may have, in the order of [`PreorderSet::pair`].
    allowed: Vec<u8>,
    /// Statements that are not all in one group; at least three each.
    cuts: Vec<Vec<usize>>,
}

impl PreorderSet {
    /// All total preorders of `n` statements.
    pub fn all(n: usize) -> PreorderSet {
        PreorderSet { n, allowed: vec![ALL; n * n.saturating_sub(1) / 2], cuts: Vec::new() }
    }

    /// Number of statements.
    pub fn statements(&self) -> usize {
        self.n
    }

    /// The place of a pair `i < j`.
    fn pair(&self, i: usize, j: usize) -> usize {
        debug_assert!(i < j && j < self.n, "a pair of statements");
        i * self.n - i * (i + 1) / 2 + j - i - 1
    }

    fn allowed(&self, i: usize, j: usize) -> u8 {
        if i < j { self.allowed[self.pair(i, j)] } else { reversed(self.allowed[self.pair(j, i)]) }
    }

    fn restrict(&mut self, i: usize, j: usize, relations: u8) {
        let (place, relations) =
            if i < j { (self.pair(i, j), relations) } else { (self.pair(j, i), reversed(relations)) };
        self.allowed[place] &= relations;
    }

    /// `i` is not after `j`.
    pub fn not_after(&mut self, i: usize, j: usize) {
        self.restrict(i, j, BEFORE | EQUAL);
    }

    /// `i` and `j` are in one group.
    pub fn together(&mut self, i: usize, j: usize) {
        self.restrict(i, j, EQUAL);
    }

    /// `statements` are not all in one group.
    pub fn not_all_together(&mut self, statements: &[usize]) {
        match *statements {
            [i, j] => self.restrict(i, j, BEFORE | AFTER),
            _ => self.cuts.push(statements.to_vec()),
        }
    }

    /// Puts in what follows for one pair from two others.
    pub fn close(&mut self) {
        loop {
            let before = self.allowed.clone();
            for i in 0..self.n {
                for j in (0..self.n).filter(|&j| j != i) {
                    for k in (0..self.n).filter(|&k| k != i && k != j) {
                        let relations = composed(self.allowed(i, j), self.allowed(j, k));
                        self.restrict(i, k, relations);
                    }
                }
            }
            if self.allowed == before {
                return;
            }
        }
    }

    /// Number of variables that are left when for each pair only the relations that it may have are
    /// told apart.
    pub fn dimensions(&self) -> usize {
        self.allowed.iter().map(|relations| (relations.count_ones() as usize).saturating_sub(1)).sum()
    }

    /// Number of constraints on these variables: their bounds, and those among several pairs that
    /// the bounds do not imply, each once.
    pub fn constraints(&self) -> usize {
        let bounds = |relations: u8| match relations.count_ones() {
            0 | 1 => 0,
            kinds => kinds as usize,
        };
        self.allowed.iter().map(|&relations| bounds(relations)).sum::<usize>() + self.among_pairs().len()
    }

    /// Constraints among several pairs in terms of the relations that the pairs may have, without
    /// those that hold anyway.
    fn among_pairs(&self) -> BTreeSet<Row> {
        self.transitivity().into_iter().chain(self.cut_rows()).filter_map(|row| self.reduced(row)).collect()
    }

    /// The set over `[p_01, e_01, p_02, e_02, ..]`.
    pub fn to_set(&self) -> Set {
        let variables = 2 * self.allowed.len();
        let mut set = BasicSet::universe(Space::set(Vec::new(), Tuple::anonymous(variables)));
        for (pair, &relations) in self.allowed.iter().enumerate() {
            // Before, equal and after are these forms, and their sum is 1.
            let mut before = self.zero_row();
            before[1 + 2 * pair] = Int::ONE;
            let mut equal = self.zero_row();
            equal[2 + 2 * pair] = Int::ONE;
            let mut after = self.zero_row();
            after[0] = Int::ONE;
            after[1 + 2 * pair] = Int::NEG_ONE;
            after[2 + 2 * pair] = Int::NEG_ONE;
            for (kind, form) in [(BEFORE, before), (EQUAL, equal), (AFTER, after)] {
                if relations & kind == 0 {
                    set.add_eq(form);
                } else {
                    set.add_ineq(form);
                }
            }
        }
        self.transitivity().into_iter().chain(self.cut_rows()).for_each(|row| set.add_ineq(row));
        Set::from_basic(set)
    }

    /// Whether a preorder, given by the rank of each statement, is among them.
    pub fn contains(&self, ranks: &[usize]) -> bool {
        let mut pairs = (0..self.n).flat_map(|i| (i + 1..self.n).map(move |j| (i, j)));
        pairs.all(|(i, j)| self.allowed(i, j) & relation(ranks[i], ranks[j]) != 0)
            && self.cuts.iter().all(|cut| cut.iter().any(|&s| ranks[s] != ranks[cut[0]]))
    }

    fn zero_row(&self) -> Row {
        vec![Int::ZERO; 1 + 2 * self.allowed.len()]
    }

    /// Adds `factor` times "i is not after j" to a row.
    fn add_not_after(&self, row: &mut [Int], i: usize, j: usize, factor: &Int) {
        if i < j {
            let at = 1 + 2 * self.pair(i, j);
            row[at] += factor;
            row[at + 1] += factor;
        } else {
            row[0] += factor;
            row[1 + 2 * self.pair(j, i)] -= factor;
        }
    }

    fn transitivity(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for a in 0..self.n {
            for b in (0..self.n).filter(|&b| b != a) {
                for c in (0..self.n).filter(|&c| c != a && c != b) {
                    // 1 + L_ac - L_ab - L_bc >= 0
                    let mut row = self.zero_row();
                    row[0] = Int::ONE;
                    self.add_not_after(&mut row, a, c, &Int::ONE);
                    self.add_not_after(&mut row, a, b, &Int::NEG_ONE);
                    self.add_not_after(&mut row, b, c, &Int::NEG_ONE);
                    rows.push(row);
                }
            }
        }
        rows
    }

    fn cut_rows(&self) -> impl Iterator<Item = Row> + '_ {
        self.cuts.iter().map(|cut| {
            let mut row = self.zero_row();
            row[0] = Int::from(cut.len() - 2);
            for pair in cut.windows(2) {
                let (i, j) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
                row[2 + 2 * self.pair(i, j)] -= &Int::ONE;
            }
            row
        })
    }

    /// A constraint `row >= 0` in which each pair has only the relations that it may have; `None`
    /// if it always holds.
    fn reduced(&self, mut row: Row) -> Option<Row> {
        let mut least = row[0].clone();
        for (pair, &relations) in self.allowed.iter().enumerate() {
            let (before, equal) = (row[1 + 2 * pair].clone(), row[2 + 2 * pair].clone());
            let values = [(BEFORE, before.clone()), (EQUAL, equal.clone()), (AFTER, Int::ZERO)];
            let possible = values.into_iter().filter(|(kind, _)| relations & kind != 0).map(|(_, value)| value);
            least += &possible.min()?;
            if relations & AFTER == 0 && relations & EQUAL != 0 {
                // e = 1 - p
                row[0] += &equal;
                row[1 + 2 * pair] -= &equal;
                row[2 + 2 * pair] = Int::ZERO;
            } else if relations & AFTER == 0 {
                // p = 1
                row[0] += &before;
                row[1 + 2 * pair] = Int::ZERO;
                row[2 + 2 * pair] = Int::ZERO;
            }
            if relations & BEFORE == 0 {
                // p = 0; then an e that must be 1 has been put into the constant as 1 - p.
                row[1 + 2 * pair] = Int::ZERO;
            }
            if relations & EQUAL == 0 {
                row[2 + 2 * pair] = Int::ZERO;
            }
        }
        least.is_neg().then_some(row)
    }
}

/// The number of total preorders of `n` elements (the Fubini or ordered Bell number): 1, 1, 3, 13,
/// 75, 541, ..
pub fn fubini(n: usize) -> Int {
    let mut numbers = vec![Int::ONE];
    for size in 1..=n {
        // A first group of k of the elements, and a preorder of the others.
        let mut binomial = Int::ONE;
        let mut sum = Int::ZERO;
        for k in 1..=size {
            binomial = (&binomial * &Int::from(size - k + 1)).div_exact(&Int::from(k));
            sum += &(&binomial * &numbers[size - k]);
        }
        numbers.push(sum);
    }
    numbers[n].clone()
}

fn relation(a: usize, b: usize) -> u8 {
    match a.cmp(&b) {
        std::cmp::Ordering::Less => BEFORE,
        std::cmp::Ordering::Equal => EQUAL,
        std::cmp::Ordering::Greater => AFTER,
    }
}

fn reversed(relations: u8) -> u8 {
    (relations & EQUAL)
        | if relations & BEFORE != 0 { AFTER } else { 0 }
        | if relations & AFTER != 0 { BEFORE } else { 0 }
}

/// What follows for `a` and `c` from the relations of `a` and `b` and of `b` and `c`.
fn composed(first: u8, second: u8) -> u8 {
    let mut result = 0;
    for x in [BEFORE, EQUAL, AFTER] {
        for y in [BEFORE, EQUAL, AFTER] {
            if first & x != 0 && second & y != 0 {
                result |= match (x, y) {
                    (EQUAL, other) | (other, EQUAL) => other,
                    (x, y) if x == y => x,
                    _ => ALL,
                };
            }
        }
    }
    result
}

#[cfg(test)]
#[path = "../../tests/common/preorders.rs"]
mod enumeration;

#[cfg(test)]
mod tests {
    use super::enumeration::preorders;
    use super::*;
    use poly_presburger::Budget;

    fn point(ranks: &[usize]) -> Vec<Int> {
        let n = ranks.len();
        let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        pairs.flat_map(|(i, j)| [Int::from(ranks[i] < ranks[j]), Int::from(ranks[i] == ranks[j])]).collect()
    }

    fn points(set: &PreorderSet) -> Vec<Vec<Int>> {
        let mut points = set.to_set().enumerate(&[], &mut Budget::unlimited()).expect("the set is bounded");
        points.sort();
        points
    }

    fn expected(set: &PreorderSet) -> Vec<Vec<Int>> {
        let all = preorders(set.statements());
        let mut points: Vec<Vec<Int>> = all.iter().filter(|r| set.contains(r)).map(|r| point(r)).collect();
        points.sort();
        points
    }

    #[test]
    fn fubini_numbers() {
        let numbers: Vec<Int> = (0..8).map(fubini).collect();
        assert_eq!(numbers, [1, 1, 3, 13, 75, 541, 4683, 47293].map(Int::from));
    }

    #[test]
    fn the_points_are_the_total_preorders() {
        for n in 1..=4 {
            let set = PreorderSet::all(n);
            assert_eq!(points(&set), expected(&set));
            assert_eq!(Int::from(points(&set).len()), fubini(n));
        }
    }

    #[test]
    fn sizes_of_the_encoding() {
        let sizes = |n: usize| (PreorderSet::all(n).dimensions(), PreorderSet::all(n).constraints());
        assert_eq!(sizes(3), (6, 15));
        assert_eq!(sizes(4), (12, 42));
        assert_eq!(sizes(7), (42, 21 * 3 + 35 * 6));
    }

    #[test]
    fn conditions_leave_exactly_what_satisfies_them() {
        let mut set = PreorderSet::all(4);
        set.not_after(0, 2);
        set.not_after(3, 1);
        set.not_all_together(&[1, 2]);
        set.not_all_together(&[0, 1, 3]);
        let before = points(&set);
        assert_eq!(before, expected(&set));
        assert!(!before.is_empty());
        set.close();
        assert_eq!(points(&set), before);
        set.together(0, 1);
        assert_eq!(points(&set), expected(&set));
    }

    #[test]
    fn a_chain_of_three_has_one_variable_for_each_pair() {
        let mut set = PreorderSet::all(3);
        set.not_after(0, 1);
        set.not_after(1, 2);
        set.close();
        assert_eq!((set.dimensions(), points(&set).len()), (3, 4));
        set.not_all_together(&[0, 1]);
        set.close();
        // 0 before 1 and 2; 1 and 2 are free to be one.
        assert_eq!((set.dimensions(), set.constraints(), points(&set).len()), (1, 2, 2));
    }
}
