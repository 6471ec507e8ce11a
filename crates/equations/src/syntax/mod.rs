//! The text of a program: tokens, syntax tree.
//!
//! Constraints and subscripts have the syntax of `poly_presburger` (isl's) and are read by it;
//! here, only their end is found.

mod expression;
pub(crate) mod lexer;
pub(crate) mod parser;
pub(crate) mod tree;
