//! Lattices and Z-polyhedra: which points of a polyhedron's box are there at all.
//!
//! An *affine lattice* is a set `{ o + B t : t integer }`; a *Z-polyhedron* is its image of the integer
//! points `t` of a *coordinate polyhedron*: the part of the integer points that divisibility decides
//! is in the lattice, the part that bounds decide in the polyhedron. Every integer set with
//! divisions is a finite union of Z-polyhedra, and these unions are closed under intersection,
//! difference, image and preimage by affine functions \[GautamRajopadhye2007\].
//!
//! * [`lattice`] has affine lattices in Hermite normal form and the smallest lattice around a set;
//! * [`polyhedron`] has Z-polyhedra over the parameters and dimensions of a space, and conversion
//!   from and to sets;
//! * [`operations`] has the operations on their unions.

pub mod lattice;

pub use lattice::Lattice;
