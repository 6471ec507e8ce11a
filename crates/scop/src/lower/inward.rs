//! Loops over results that move from an outer band into the band below it.
//!
//! # Problem
//! A sum over several dimensions that keeps its order has a band for each of them: `f` cannot be
//! permuted with `e` in
//!
//! ```text
//! for a, b, c, d: for e: for f: C[a][b][c][d] += A[a][e][b][f] * B[e][c][f][d]
//! ```
//!
//! and the scheduler makes the bands `(a, b, c, d, e)` and `(f)`. The innermost band is a chain of
//! dependences over elements that are apart. The loops over results carry nothing and belong there:
//! `(f, b, d)` is a band with vectors along `d` and a register tile of `b` and `d`.
//!
//! # Method
//! Let a permutable band be directly above another band.
//!
//! 1. The *free* members are those that are coincident and advance in the instances below.
//! 2. A free member along which all accesses are contiguous or stay can be a vector loop, every
//!    other free member the rows of a register tile. So can one along which the results are
//!    contiguous, if others are so along the loop below, as in `s[k] += a[i][k][p]`: these are
//!    transposed in registers. Candidates are a vector loop alone, with each other free member, one
//!    of results alone, and all free members together, in this order.
//! 3. For each of them the members move into the band below, and lowering goes on with the two
//!    bands. The first one must be clearly faster than the band as it was. A later one takes the
//!    place of one that keeps results in registers if it is clearly faster than that, and of
//!    another one if it is not slower: with more loops inside, innermost loops need not wait for
//!    what the ones before have stored where rows are shorter than thought.
//!
//! # Legality
//! Instances that depend on each other, and agree in the loops around the band, have equal values
//! of a coincident member. In the band below it has distance zero in each dependence, so that band
//! stays permutable if it was, and the order of instances with equal values of the others is the
//! same.

use poly_presburger::{Budget, Stop};
use poly_schedule_tree::{Band, NodeKind, Tree};

use super::{Lowering, State};
use crate::cost::Place;

/// Members move inward, or others in place of those that keep results in registers, if that is
/// predicted to take at most this part of the time.
const GAIN: f64 = 0.85;

/// More members move in place of fewer that do not keep results in registers if that is predicted
/// to take at most this many times as long: less is no difference that a prediction knows of.
const EQUAL: f64 = 1.05;

impl Lowering<'_> {
    /// The band with free members in the band below, or `best`, which is what the state stands for,
    /// whichever is predicted to be faster; `before` is the state before.
    pub(super) fn with_members_inward(
        &mut self,
        (node, band): (&Tree, &Band),
        place: &Place,
        before: &State,
        mut best: Tree,
        budget: &mut Budget,
    ) -> Result<Tree, Stop> {
        let NodeKind::Band(below) = node.child().kind() else { return Ok(best) };
        if !band.permutable || !below.permutable || self.keeps_order() {
            return Ok(best);
        }
        let mut limit = GAIN;
        for moved in self.candidates(band, place, budget)? {
            let (above, inner) = moved_inward(band, below, &moved);
            let inner = Tree::band(inner, node.child().child().clone());
            let known = std::mem::replace(&mut self.state, before.clone());
            let tree = match above.n_member() {
                0 => self.walk(&inner, place, budget)?,
                _ => self.outer_band_as_is(&Tree::band(above.clone(), inner), &above, place, budget)?,
            };
            if self.state.cycles - before.cycles < limit * (known.cycles - before.cycles) {
                let bands = &self.state.bands[before.bands.len()..];
                limit = if bands.iter().any(|report| report.register.is_some()) { GAIN } else { EQUAL };
                best = tree;
            } else {
                self.state = known;
            }
        }
        Ok(best)
    }

    /// The sets of members that are tried: a vector loop, with and without rows, and all.
    fn candidates(&self, band: &Band, place: &Place, budget: &mut Budget) -> Result<Vec<Vec<usize>>, Stop> {
        let facts = self.band_facts(band, place, budget)?;
        let advances = |m: &usize| facts.statements.iter().any(|s| s.members[*m].trip > 1.0);
        let free: Vec<usize> = (0..band.n_member()).filter(|&m| band.coincident[m]).filter(advances).collect();
        let moves = |m: usize| facts.statements.iter().any(|s| s.members[m].strides.iter().any(|&stride| stride > 0.0));
        let vectors: Vec<usize> = free.iter().copied().filter(|&m| facts.is_contiguous(m) && moves(m)).collect();
        let mut sets: Vec<Vec<usize>> = vectors.iter().map(|&columns| vec![columns]).collect();
        for &columns in &vectors {
            let rows = free.iter().filter(|&&rows| rows != columns);
            sets.extend(rows.map(|&rows| vec![rows.min(columns), rows.max(columns)]));
        }
        let is_result = |m: &usize| !vectors.contains(m) && moves(*m) && facts.is_contiguous_in_results(*m);
        sets.extend(free.iter().copied().filter(is_result).map(|columns| vec![columns]));
        if free.len() > 2 && !vectors.is_empty() {
            sets.push(free);
        }
        Ok(sets)
    }
}

/// The members that stay, and the band below with those that move after its own.
fn moved_inward(band: &Band, below: &Band, moved: &[usize]) -> (Band, Band) {
    let staying = (0..band.n_member()).filter(|m| !moved.contains(m));
    let order: Vec<usize> = staying.chain(moved.iter().copied()).collect();
    let (above, moved) = band.permute(&order).split(band.n_member() - moved.len());
    let inner = Band { permutable: true, ..below.concat(&moved) };
    (above, inner)
}
