//! The module `poly._core`: Poly's sets and relations, counting, schedules and program generation
//! for Python, under islpy's names.
//!
//! # Structure
//! * `failure.rs`: how an operation of the core is run, and what goes wrong as exceptions;
//! * `methods.rs`: macros for classes and their methods; `number.rs`, `space.rs`: arguments and
//!   their checks;
//! * `set.rs`, `map.rs`, `union_set.rs`, `union_map.rs`, `basic.rs`, `point.rs`: sets and
//!   relations;
//! * `function.rs`, `count.rs`: functions and quasi-polynomials;
//! * `flow.rs`, `schedule.rs`, `constraints.rs`, `ast.rs`: dataflow, schedule trees, the scheduler,
//!   programs;
//! * `picture.rs`: what notebooks show.
//!
//! The package around it, with the exceptions and the types for checkers, is in `python/poly`.
//!
//! # Invariants
//! Classes are immutable (`frozen`), so the lock of the interpreter is released while the core
//! works. No panic reaches the interpreter.

#![forbid(unsafe_code)]

mod ast;
mod basic;
mod constraints;
mod count;
mod failure;
mod flow;
mod function;
mod map;
mod methods;
mod number;
mod picture;
mod point;
mod schedule;
mod set;
mod space;
mod union_map;
mod union_set;

/// What the package `poly` is made of.
#[pyo3::pymodule]
mod _core {
    #[pymodule_export]
    use crate::ast::{PyAstBuild, PyAstNode};
    #[pymodule_export]
    use crate::basic::{PyBasicMap, PyBasicSet, PyConstraint};
    #[pymodule_export]
    use crate::constraints::PyScheduleConstraints;
    #[pymodule_export]
    use crate::count::{PyPwQPolynomial, PyPwQPolynomialFold};
    #[pymodule_export]
    use crate::failure::{get_max_operations, panic_for_test, set_max_operations};
    #[pymodule_export]
    use crate::flow::{PyUnionAccessInfo, PyUnionFlow};
    #[pymodule_export]
    use crate::function::{PyMultiUnionPwAff, PyPwAff, PyPwMultiAff};
    #[pymodule_export]
    use crate::map::PyMap;
    #[pymodule_export]
    use crate::point::PyPoint;
    #[pymodule_export]
    use crate::schedule::{PySchedule, PyScheduleNode};
    #[pymodule_export]
    use crate::set::PySet;
    #[pymodule_export]
    use crate::space::{DimType, PySpace};
    #[pymodule_export]
    use crate::union_map::PyUnionMap;
    #[pymodule_export]
    use crate::union_set::PyUnionSet;
}
