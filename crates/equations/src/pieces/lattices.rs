//! Coordinates of the lattices that a domain is made of.
//!
//! # Problem
//! A schedule is a function of lattice coordinates \[GautamRajopadhye2007\]. A domain such as
//! `i mod 6 = 3 or i mod 6 = 4` is one basic set with a division, and two lattices. As one
//! statement, its values are a chain as long as the domain; as two, they take two steps.
//!
//! # Algorithm
//! 1. The domain is a union of Z-polyhedra: one for each remainder of a division that is more than
//!    a stride.
//! 2. One of them: its coordinates. Several: the coordinates of each, where values may form chains,
//!    and where some remainder is in none of the lattices. Where all remainders are in some
//!    lattice, as in `j <= floor(i / 2)`, a division is only a bound, and more statements would be
//!    of no use.
//!
//! Where a lattice says something about the parameters, the coordinates stay those of the text.

use poly_arith::{Int, Rational};
use poly_presburger::zpoly::{Lattice, ZPolyhedron, ZUnion};
use poly_presburger::{BasicSet, Budget, Id, MultiAff, Set, Space, Stop, Tuple};

/// More lattices than this are left one statement.
const MOST: usize = 16;

/// The points of a basic set as sets of coordinates, and the points as functions of these; none if
/// they are to stay in coordinates of the text. `chained` says whether values may depend on others
/// of the set.
pub(super) fn coordinates(
    set: &Set,
    params: &[Id],
    chained: bool,
    budget: &mut Budget,
) -> Result<Vec<(Set, MultiAff)>, Stop> {
    let plain = matches!(set.basics(), [basic] if basic.n_div() == 0 && basic.eqs().is_empty());
    if plain {
        return Ok(Vec::new());
    }
    let union = ZUnion::from_set(set, budget)?;
    let pieces = union.pieces();
    if pieces.len() > 1 && !(chained && pieces.len() <= MOST && have_holes(pieces)) {
        return Ok(Vec::new());
    }
    let found = pieces.iter().map(|piece| of_piece(piece, params, set.n_dim()));
    Ok(found.collect::<Option<Vec<_>>>().unwrap_or_default())
}

/// Whether some points of the space are in none of the lattices, which have no points in common.
fn have_holes(pieces: &[ZPolyhedron]) -> bool {
    let share = |lattice: &Lattice| {
        let index = lattice.basis().iter().zip(lattice.pivots()).fold(Int::ONE, |all, (row, &k)| &all * &row[k].abs());
        if lattice.rank() == lattice.n() { Rational::new(Int::ONE, index) } else { Rational::from(Int::ZERO) }
    };
    // Pieces with one lattice differ in their bounds.
    let mut lattices: Vec<&Lattice> = Vec::new();
    for piece in pieces {
        if !lattices.contains(&piece.lattice()) {
            lattices.push(piece.lattice());
        }
    }
    lattices.iter().fold(Rational::from(Int::ZERO), |all, lattice| &all + &share(lattice)) < Rational::from(Int::ONE)
}

/// The coordinates of one Z-polyhedron; none if its lattice says something about the parameters.
fn of_piece(piece: &ZPolyhedron, params: &[Id], dims: usize) -> Option<(Set, MultiAff)> {
    let p = params.len();
    let (basis, origin) = (piece.lattice().basis(), piece.lattice().origin());
    let unit = |k: usize, row: &[Int]| (0..p).all(|i| row[i] == i64::from(i == k));
    let free = basis.len() >= p
        && origin[..p].iter().all(Int::is_zero)
        && basis.iter().enumerate().all(|(k, row)| unit(k, row));
    if !free {
        return None;
    }
    let count = basis.len() - p;
    let space = Space::set(params.to_vec(), Tuple::anonymous(count));
    let mut inside = BasicSet::new(space.clone());
    for row in piece.ineqs() {
        inside.add_ineq(row.clone());
    }
    let rows: Vec<Vec<Int>> = (0..dims)
        .map(|d| std::iter::once(origin[p + d].clone()).chain(basis.iter().map(|row| row[p + d].clone())).collect())
        .collect();
    let point = MultiAff::from_rows(&space, Tuple::anonymous(dims), &rows);
    Some((Set::from_basic(inside), point))
}
