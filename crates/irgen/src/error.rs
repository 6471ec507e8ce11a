//! Why no code was generated.

use std::fmt;

use poly_presburger::Stop;

use crate::form::TooBig;

/// Why no code was generated. Unless it is [`CodegenError::Invalid`], nothing has been changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodegenError {
    /// An integer computation of the new code could leave 64 bits.
    Overflow {
        /// Which one.
        what: String,
    },
    /// The address of an access is not one function of the instance.
    Access {
        /// Name of the statement.
        statement: String,
        /// Name of the array.
        array: String,
    },
    /// A value that new code needs cannot be computed there.
    Unavailable {
        /// Printed form of the value or expression.
        value: String,
        /// Where it is needed.
        place: String,
    },
    /// A value has a type that cannot be kept in memory or merged.
    Type {
        /// Name of the scalar or array.
        name: String,
    },
    /// The control flow around the region has a form that cannot be split.
    Region {
        /// What is wrong.
        what: &'static str,
    },
    /// The run-time condition cannot be evaluated.
    Check {
        /// What is wrong.
        what: &'static str,
    },
    /// The plan contradicts itself or the IR.
    Plan {
        /// What is wrong.
        what: String,
    },
    /// The operation budget is exhausted.
    Budget,
    /// The code that was generated is not valid IR: an error of Poly. The function has been
    /// changed.
    Invalid {
        /// What LLVM's verifier says.
        message: String,
    },
}

impl CodegenError {
    /// The function was changed and must be restored or given up.
    pub fn has_changed_function(&self) -> bool {
        matches!(self, Self::Invalid { .. })
    }
}

impl fmt::Display for CodegenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Overflow { what } => write!(f, "{what} could exceed 64 bits"),
            Self::Access { statement, array } => {
                write!(f, "the address of an access of {statement} to {array} is not one function of the instance")
            }
            Self::Unavailable { value, place } => write!(f, "{value} cannot be computed {place}"),
            Self::Type { name } => write!(f, "values of the type of {name} cannot be kept in memory"),
            Self::Region { what } | Self::Check { what } => f.write_str(what),
            Self::Plan { what } => f.write_str(what),
            Self::Budget => f.write_str("the operation budget is exhausted"),
            Self::Invalid { message } => write!(f, "generated code is invalid: {message}"),
        }
    }
}

impl std::error::Error for CodegenError {}

impl From<TooBig> for CodegenError {
    fn from(_: TooBig) -> Self {
        Self::Overflow { what: "a constant".to_owned() }
    }
}

impl From<Stop> for CodegenError {
    fn from(_: Stop) -> Self {
        Self::Budget
    }
}
