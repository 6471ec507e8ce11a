//! The decision tree that parametric integer programming produces.
//!
//! Nodes are numbered such that children come after their parents. Divs are numbered along each
//! path from the root, so that the divs of a node are a prefix of those of its descendants.

use std::collections::BTreeSet;

use poly_arith::Int;
use poly_linalg::{Matrix, row_echelon, vector};

use super::PipPiece;
use super::context::{Div, negation, resized};
use crate::budget::{Budget, Stop};
use crate::solver::sample::greedy;
use crate::solver::{System, implicit_equalities};

/// What is known at a leaf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// There are no points.
    Empty,
    /// There are points, but no smallest one.
    Unbounded,
    /// The smallest point, as rows over `[1, params, divs]` without trailing zeros.
    Point(Vec<Vec<Int>>),
}

impl Outcome {
    /// The number of elements that the longest row has.
    fn width(&self) -> usize {
        match self {
            Outcome::Point(rows) => rows.iter().map(Vec::len).max().unwrap_or(0),
            _ => 0,
        }
    }
}

#[derive(Clone, Debug)]
enum Node {
    /// Not known yet.
    Open,
    /// The outcome, with the divs of the path.
    Leaf { divs: Vec<Div>, outcome: Outcome },
    /// The children for where the form is nonnegative and where it is negative.
    Split { divs: Vec<Div>, form: Vec<Int>, children: [usize; 2] },
}

/// A decision tree; see the module documentation.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    np: usize,
    nodes: Vec<Node>,
}

/// The largest number of leaves of a subtree that may absorb another leaf.
const MAX_COVER: usize = 8;

/// The number of the root.
pub(super) const ROOT: usize = 0;

/// Whether a point of the domain at which two outcomes are not the same is easily seen.
fn differ_at_a_point(outcome: &Outcome, other: &Outcome, domain: &System) -> bool {
    let rows = greedy::Rows { n: domain.n, eqs: &domain.eqs, ineqs: &domain.ineqs };
    let Some(values) = greedy::point(rows, |_| None) else { return false };
    let (Outcome::Point(rows), Outcome::Point(others)) = (outcome, other) else {
        return outcome != other;
    };
    let point: Vec<Int> = values.into_iter().map(Int::from).collect();
    let value = |row: &[Int]| vector::dot(row, &point[..row.len()]);
    rows.iter().zip(others).any(|(row, other)| value(row) != value(other))
}

impl Tree {
    /// A tree with an open root.
    pub(super) fn new(np: usize) -> Tree {
        Tree { np, nodes: vec![Node::Open] }
    }

    /// Turns an open node into a leaf.
    pub(super) fn close(&mut self, node: usize, divs: Vec<Div>, outcome: Outcome) {
        self.nodes[node] = Node::Leaf { divs, outcome };
    }

    /// Turns an open node into a split and returns its children, for the nonnegative and the
    /// negative case.
    pub(super) fn split(&mut self, node: usize, divs: Vec<Div>, form: Vec<Int>) -> [usize; 2] {
        let children = [self.nodes.len(), self.nodes.len() + 1];
        self.nodes.extend([Node::Open, Node::Open]);
        self.nodes[node] = Node::Split { divs, form, children };
        children
    }

    /// Drops splits into a leaf and a subtree where the subtree gives the right outcomes for the
    /// leaf too.
    fn absorb_leaves(&mut self, context: &System, budget: &mut Budget) -> Result<(), Stop> {
        let paths = self.paths();
        for node in (0..self.nodes.len()).rev() {
            let Node::Split { divs, children: [above, below], .. } = &self.nodes[node] else { continue };
            for (leaf, subtree) in [(*above, *below), (*below, *above)] {
                let Node::Leaf { outcome, .. } = &self.nodes[leaf] else { continue };
                if outcome.width() <= 1 + self.np + divs.len()
                    && self.covers(subtree, outcome, &paths[leaf], context, budget)?
                {
                    self.nodes[node] = self.nodes[subtree].clone();
                    break;
                }
            }
        }
        Ok(())
    }

    /// For each node the forms that are nonnegative there.
    fn paths(&self) -> Vec<Vec<Vec<Int>>> {
        let mut paths: Vec<Vec<Vec<Int>>> = vec![Vec::new(); self.nodes.len()];
        for (node, content) in self.nodes.iter().enumerate() {
            if let Node::Split { form, children, .. } = content {
                for (child, condition) in children.iter().zip([form.clone(), negation(form)]) {
                    paths[*child] = paths[node].clone();
                    paths[*child].push(condition);
                }
            }
        }
        paths
    }

    /// Does a subtree give the given outcome wherever the forms `path` are nonnegative? Only small
    /// subtrees are looked at.
    fn covers(
        &self,
        subtree: usize,
        outcome: &Outcome,
        path: &[Vec<Int>],
        context: &System,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let mut stack = vec![(subtree, path.to_vec())];
        let mut n_leaf = 0;
        while let Some((node, path)) = stack.pop() {
            match &self.nodes[node] {
                Node::Open => unreachable!("every branch was followed to its end"),
                Node::Leaf { divs, outcome: other } => {
                    n_leaf += 1;
                    let covered = n_leaf <= MAX_COVER
                        && (outcome == other || self.agree(outcome, other, divs, &path, context, budget)?);
                    if !covered {
                        return Ok(false);
                    }
                }
                Node::Split { form, children, .. } => {
                    for (child, condition) in children.iter().zip([form.clone(), negation(form)]) {
                        let mut path = path.clone();
                        path.push(condition);
                        stack.push((*child, path));
                    }
                }
            }
        }
        Ok(true)
    }

    /// Are two outcomes the same wherever the forms `path` are nonnegative, because of the
    /// equalities that hold there or because there are no such points?
    fn agree(
        &self,
        outcome: &Outcome,
        other: &Outcome,
        divs: &[Div],
        path: &[Vec<Int>],
        context: &System,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let n = self.np + divs.len();
        let resize = |row: &Vec<Int>| resized(row, n + 1);
        let mut domain = System {
            n,
            eqs: context.eqs.iter().map(resize).collect(),
            ineqs: context.ineqs.iter().chain(path).map(resize).collect(),
        };
        for (index, div) in divs.iter().enumerate() {
            let numerator = resized(&div.numerator, 1 + self.np + index);
            let bounds = Div { denominator: div.denominator.clone(), numerator }.bounds();
            domain.ineqs.extend(bounds.iter().map(resize));
        }
        if differ_at_a_point(outcome, other, &domain) {
            return Ok(false);
        }
        implicit_equalities(&mut domain, budget)?;
        if domain == System::empty(n) {
            return Ok(true);
        }
        let (Outcome::Point(rows), Outcome::Point(others)) = (outcome, other) else {
            return Ok(false);
        };
        let equalities = row_echelon(&Matrix::from_rows(domain.eqs, n + 1));
        let agree = |row, other| {
            let mut difference = resize(row);
            vector::add_multiple(&mut difference, &Int::NEG_ONE, &resize(other));
            equalities.spans(&difference)
        };
        Ok(rows.iter().zip(others).all(|(row, other)| agree(row, other)))
    }

    /// The leaves as pieces of the context.
    pub(super) fn into_pieces(mut self, context: &System, budget: &mut Budget) -> Result<Vec<PipPiece>, Stop> {
        self.absorb_leaves(context, budget)?;
        let mut pieces = Vec::new();
        let mut stack = vec![(ROOT, Vec::new())];
        while let Some((node, path)) = stack.pop() {
            match &self.nodes[node] {
                Node::Open => unreachable!("every branch was followed to its end"),
                Node::Leaf { divs, outcome } => {
                    pieces.push(self.piece(context, &path, divs, outcome));
                }
                Node::Split { form, children: [nonnegative, negative], .. } => {
                    let mut below = path.clone();
                    below.push(negation(form));
                    stack.push((*negative, below));
                    let mut above = path;
                    above.push(form.clone());
                    stack.push((*nonnegative, above));
                }
            }
        }
        Ok(pieces)
    }

    fn piece(&self, context: &System, path: &[Vec<Int>], divs: &[Div], outcome: &Outcome) -> PipPiece {
        let used = self.used_divs(path, divs, outcome);
        let n = self.np + used.len();
        let select = |row: &[Int]| self.select(row, &used, n);
        let mut domain = System {
            n,
            eqs: context.eqs.iter().map(|row| resized(row, n + 1)).collect(),
            ineqs: context.ineqs.iter().map(|row| resized(row, n + 1)).collect(),
        };
        domain.ineqs.extend(path.iter().map(|row| select(row)));
        let mut kept = Vec::new();
        for (position, &index) in used.iter().enumerate() {
            let div = &divs[index];
            let numerator = resized(&select(&div.numerator), 1 + self.np + position);
            let div = Div { denominator: div.denominator.clone(), numerator };
            domain.ineqs.extend(div.bounds().map(|row| resized(&row, n + 1)));
            kept.push((div.denominator, div.numerator));
        }
        domain.tighten();
        let solution = match outcome {
            Outcome::Point(rows) => Some(rows.iter().map(|row| select(row)).collect()),
            _ => None,
        };
        PipPiece { divs: kept, domain, solution, unbounded: *outcome == Outcome::Unbounded }
    }

    /// The divs that the path, the outcome, or another used div mentions, in order.
    fn used_divs(&self, path: &[Vec<Int>], divs: &[Div], outcome: &Outcome) -> Vec<usize> {
        let first = 1 + self.np;
        let mentioned = |row: &Vec<Int>| -> Vec<usize> {
            (first..row.len()).filter(|&i| !row[i].is_zero()).map(|i| i - first).collect()
        };
        let mut used: BTreeSet<usize> = path.iter().flat_map(&mentioned).collect();
        if let Outcome::Point(rows) = outcome {
            used.extend(rows.iter().flat_map(&mentioned));
        }
        for index in (0..divs.len()).rev() {
            if used.contains(&index) {
                used.extend(mentioned(&divs[index].numerator));
            }
        }
        used.into_iter().collect()
    }

    /// A row over `[1, params, divs]` as a row over the used divs only, for `n` symbols.
    fn select(&self, row: &[Int], used: &[usize], n: usize) -> Vec<Int> {
        let mut result = resized(&row[..row.len().min(1 + self.np)], 1 + self.np);
        let element = |index: &usize| row.get(1 + self.np + index).cloned().unwrap_or(Int::ZERO);
        result.extend(used.iter().map(element));
        debug_assert_eq!(result.len(), n + 1);
        result
    }
}
