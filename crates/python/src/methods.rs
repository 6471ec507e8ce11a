//! Methods of classes, and how arguments become values.
//!
//! A basic set is a set (its class is a subclass), and a set a union of sets: where the latter is
//! wanted, the former will do, as in islpy.

use poly_presburger::{Map, Set, UnionMap, UnionSet};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::map::PyMap;
use crate::set::PySet;
use crate::union_map::PyUnionMap;
use crate::union_set::PyUnionSet;

/// Methods of a class: each body is an operation of the core, `this` being the value inside. It is
/// run by [`crate::failure::run`], and its value is converted to the class that is returned.
macro_rules! methods {
    ($class:ident; $($(#[$meta:meta])* fn $name:ident($this:ident, $budget:ident $(, $arg:ident: $argty:ty)*) -> $result:ty $body:block)*) => {
        #[pymethods]
        impl $class {$(
            $(#[$meta])*
            fn $name(&self, py: Python<'_> $(, $arg: $argty)*) -> PyResult<$result> {
                $crate::failure::run(py, |$budget: &mut poly_presburger::Budget| {
                    let $this = &self.0;
                    let _ = &$budget;
                    let value = $body;
                    Ok(<$result>::from(value))
                })
            }
        )*}
    };
}
pub(crate) use methods;

/// The class of a value of the core, and the argument for which it and smaller ones will do.
macro_rules! classes {
    ($($class:ident($value:ident) $argument:ident: $($from:ident),*;)*) => {$(
        impl From<$value> for $class {
            fn from(value: $value) -> $class {
                $class(value)
            }
        }

        #[doc = concat!("An argument that is a `", stringify!($value), "`.")]
        #[derive(Debug)]
        pub(crate) struct $argument(pub(crate) $value);

        impl<'py> FromPyObject<'_, 'py> for $argument {
            type Error = PyErr;

            fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<$argument> {
                $(if let Ok(found) = object.cast::<$from>() {
                    return Ok($argument(found.get().0.clone().into()));
                })*
                let name = stringify!($value);
                Err(PyTypeError::new_err(format!("a {name} is wanted, not {}", object.get_type())))
            }
        }
    )*};
}

classes! {
    PySet(Set) SetArg: PySet;
    PyMap(Map) MapArg: PyMap;
    PyUnionSet(UnionSet) UnionSetArg: PyUnionSet, PySet;
    PyUnionMap(UnionMap) UnionMapArg: PyUnionMap, PyMap;
}

/// What all classes of sets and relations have: reading, printing, comparing, and Python's
/// operators.
///
/// Equality is that of the points, so only what equal values have in common may count for the hash:
/// the tuples.
macro_rules! value_protocol {
    ($class:ident, $value:ident, $argument:ident, $same:expr) => {
        #[pymethods]
        impl $class {
            /// Reads a text in isl's syntax, or takes over a smaller value.
            #[new]
            fn new(py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Self> {
                if let Ok(text) = value.extract::<String>() {
                    return Self::read_from_str(py, text);
                }
                value.extract::<$argument>().map(|argument| $class(argument.0))
            }

            /// Reads a text in isl's syntax.
            #[staticmethod]
            fn read_from_str(py: Python<'_>, text: String) -> PyResult<Self> {
                let parsed = |_: &mut poly_presburger::Budget| {
                    text.parse().map_err(|e| $crate::failure::Failure::parse(&text, e))
                };
                $crate::failure::run(py, parsed).map($class)
            }

            /// The text in isl's syntax.
            fn to_str(&self, py: Python<'_>) -> PyResult<String> {
                $crate::failure::run(py, |_| Ok(self.0.to_string()))
            }

            fn __str__(&self, py: Python<'_>) -> PyResult<String> {
                self.to_str(py)
            }

            fn __repr__(slf: &Bound<'_, Self>, py: Python<'_>) -> PyResult<String> {
                Ok(format!("{}({:?})", slf.get_type().name()?, slf.get().to_str(py)?))
            }

            fn __reduce__(slf: &Bound<'_, Self>, py: Python<'_>) -> PyResult<(Py<PyAny>, (String,))> {
                Ok((slf.get_type().into_any().unbind(), (slf.get().to_str(py)?,)))
            }

            fn __eq__(&self, py: Python<'_>, other: $argument) -> PyResult<bool> {
                self.is_equal(py, other)
            }

            fn __ne__(&self, py: Python<'_>, other: $argument) -> PyResult<bool> {
                Ok(!self.is_equal(py, other)?)
            }

            fn __le__(&self, py: Python<'_>, other: $argument) -> PyResult<bool> {
                self.is_subset(py, other)
            }

            fn __lt__(&self, py: Python<'_>, other: $argument) -> PyResult<bool> {
                self.is_strict_subset(py, other)
            }

            fn __ge__(&self, py: Python<'_>, other: $argument) -> PyResult<bool> {
                $class(other.0).is_subset(py, $argument(self.0.clone()))
            }

            fn __gt__(&self, py: Python<'_>, other: $argument) -> PyResult<bool> {
                $class(other.0).is_strict_subset(py, $argument(self.0.clone()))
            }

            fn __hash__(&self) -> u64 {
                use std::hash::{DefaultHasher, Hash, Hasher};
                let mut hasher = DefaultHasher::new();
                let same: fn(&$value, &mut DefaultHasher) = $same;
                same(&self.0, &mut hasher);
                stringify!($value).hash(&mut hasher);
                hasher.finish()
            }
        }
    };
}
pub(crate) use value_protocol;
