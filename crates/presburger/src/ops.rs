//! Operations on unions of basic relations that need a solver.

pub(crate) mod divs;
pub(crate) mod lex;
pub(crate) mod subtract;
