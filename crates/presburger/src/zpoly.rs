//! Lattices and Z-polyhedra: which points of a polyhedron's box are there at all.
//!
//! An *affine lattice* is a set `{ o + B t : t integer }`; a *Z-polyhedron* is its image of the
//! integer points `t` of a *coordinate polyhedron*: the part of the integer points that
//! divisibility decides is in the lattice, the part that bounds decide in the polyhedron. Every
//! integer set with divisions is a finite union of Z-polyhedra, and these unions are closed under
//! intersection, difference, image and preimage by affine functions \[GautamRajopadhye2007\].
//!
//! * [`lattice`] has affine lattices in Hermite normal form and the smallest lattice around a set;
//! * [`polyhedron`] has Z-polyhedra: intersection, difference, preimage, injective image;
//! * [`union`] has finite unions of them over the parameters and dimensions of a space, closed
//!   under all of these and under images by any affine function, and conversion from and to sets.

mod complement;
pub mod lattice;
pub mod polyhedron;
pub mod union;

pub use lattice::Lattice;
pub use polyhedron::ZPolyhedron;
pub use union::ZUnion;

#[cfg(test)]
mod tests;
