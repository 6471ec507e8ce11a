//! Storage mappings: which values are alive at once, and how few cells keep them apart.
//!
//! # Definitions
//! A *value* is what one write leaves in one element of an array. It is *live* from its write to
//! the last read of it. Two values are in *conflict* if, under the given order of execution, both
//! are live at once. A *storage mapping* keeps element `x` in the cell
//! `(c_1 x mod m_1, .., c_k x mod m_k)`. It is *legal* if no two values in conflict that are of
//! different elements have the same cell: no difference `d` of conflicting elements, other than
//! zero, has `c_1 d mod m_1 = .. = c_k d mod m_k = 0`.
//!
//! # Algorithm
//! 1. [`conflicts`]: the exact conflict set from times of writes and reads.
//! 2. [`Differences`]: the differences of elements in conflict, a union of polyhedra.
//! 3. [`successive`]: moduli for given rows `c_1, c_2, ..` one after the other
//!    \[LefebvreFeautrier1998\]; [`Candidates`]: the rows that are tried, among them loops of the
//!    schedule, skews and single hyperplanes with small coefficients \[DarteSchreiberVillard2005\].
//! 4. [`is_legal`]: an independent check of a mapping, which knows nothing of how it was found.
//!
//! # Invariants
//! Sets are exact, or larger than the exact ones where a write or read is not certain: more
//! conflicts are safe. Moduli are positive for all parameters of the context. Everything that calls
//! a solver has a budget.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod conflicts;
mod differences;
mod mapping;
mod occupancy;
mod search;
mod verify;

pub use conflicts::{Life, Order, Progress, Ties, conflicts};
pub use differences::Differences;
pub use mapping::{Mapping, Row};
pub use occupancy::{is_occupancy_vector, universal_occupancy_vector};
pub use search::{Candidates, smallest, successive};
pub use verify::{Verdict, is_legal};

#[cfg(test)]
mod tests;
