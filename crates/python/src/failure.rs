//! What goes wrong, as exceptions of Python.
//!
//! # Problem
//! The core stops with [`Stop`] when its budget is used up, and panics where a caller breaks its
//! contract, as for the union of sets in different spaces. Python wants exceptions with a class for
//! each kind, and never a crash.
//!
//! # Method
//! 1. Every call of the core goes through [`run`]: with the limit of operations that is set,
//!    without the lock of the interpreter, and with panics caught.
//! 2. What a caller can get wrong (spaces, positions, signs) is checked first and is a [`Failure`]
//!    of its own; the checks stand in `space.rs`.
//! 3. A panic is an error in Poly, or a check that is missing: `InternalError`, with its message
//!    and place. The hook is quiet while [`run`] is at work, so that nothing is printed.
//!
//! # Invariants
//! No panic reaches the interpreter; values are immutable, so none is left half changed.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

use poly_presburger::{Budget, ParseError, SolveError, Stop};
use poly_schedule_tree::TreeParseError;
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The limit of operations is reached.
    Budget,
    /// There is no optimum, or there are infinitely many points; a sentence.
    Unbounded(String),
    /// A text that cannot be read.
    Parse {
        /// What is wrong.
        message: String,
        /// At which character, counted from 0.
        position: usize,
        /// The text.
        text: String,
    },
    /// Spaces that do not fit; a sentence.
    Space(String),
    /// An argument out of its range; a sentence.
    Value(String),
    /// A dimension or a child that is not there; a sentence.
    Index(String),
    /// An argument of another type than is asked for; a sentence.
    Type(String),
    /// No order satisfies the constraints, or none was found; a sentence.
    Schedule(String),
    /// A panic; its message and place.
    Internal(String),
}

/// What an operation gives.
pub(crate) type Answer<T> = Result<T, Failure>;

impl From<Stop> for Failure {
    fn from(_: Stop) -> Failure {
        Failure::Budget
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        match error {
            SolveError::Stop => Failure::Budget,
            SolveError::Unbounded => Failure::Unbounded("there is no bound".to_owned()),
        }
    }
}

impl Failure {
    /// The failure to read a text.
    pub(crate) fn parse(text: &str, error: ParseError) -> Failure {
        let before = text.get(..error.position).unwrap_or(text);
        Failure::Parse { message: error.message, position: before.chars().count(), text: text.to_owned() }
    }

    /// The failure to read a schedule tree.
    pub(crate) fn parse_tree(text: &str, error: TreeParseError) -> Failure {
        let lines = text.split_inclusive('\n').take(error.place.line.saturating_sub(1));
        let before: usize = lines.map(|line| line.chars().count()).sum();
        let position = before + error.place.column.saturating_sub(1);
        Failure::Parse { message: error.message, position, text: text.to_owned() }
    }

    /// The name of the class in `poly.errors` and the arguments of its instance.
    fn raise(self, py: Python<'_>) -> PyResult<PyErr> {
        let errors = py.import("poly.errors")?;
        let instance = |name: &str, message: String| {
            Ok::<_, PyErr>(PyErr::from_value(errors.getattr(name)?.cast_into::<PyType>()?.call1((message,))?))
        };
        match self {
            Failure::Budget => instance("BudgetError", Stop.to_string()),
            Failure::Unbounded(message) => instance("UnboundedError", message),
            Failure::Space(message) => instance("SpaceError", message),
            Failure::Schedule(message) => instance("ScheduleError", message),
            Failure::Internal(message) => instance("InternalError", message),
            Failure::Value(message) => Ok(PyValueError::new_err(message)),
            Failure::Index(message) => Ok(PyIndexError::new_err(message)),
            Failure::Type(message) => Ok(PyTypeError::new_err(message)),
            Failure::Parse { message, position, text } => {
                let class = errors.getattr("ParseError")?;
                Ok(PyErr::from_value(class.call1((message, position, text))?))
            }
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        Python::attach(|py| failure.raise(py).unwrap_or_else(|error| error))
    }
}

/// Operations that a call may take; 0 is no limit.
static MAX_OPERATIONS: AtomicU64 = AtomicU64::new(0);

/// Operations that one call may take from now on; 0 is no limit. isl's
/// `isl_ctx_set_max_operations`.
#[pyfunction]
pub(crate) fn set_max_operations(operations: u64) {
    MAX_OPERATIONS.store(operations, Ordering::Relaxed);
}

/// Operations that one call may take; 0 is no limit.
#[pyfunction]
pub(crate) fn get_max_operations() -> u64 {
    MAX_OPERATIONS.load(Ordering::Relaxed)
}

fn budget() -> Budget {
    match get_max_operations() {
        0 => Budget::unlimited(),
        limit => Budget::new(limit),
    }
}

thread_local! {
    /// Whether a panic of this thread is caught by [`run`].
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    /// Where the last one was.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes panics inside of [`run`] silent; others are printed as before.
fn be_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
            if !GUARDED.get() {
                return before(info);
            }
            let place = info.location().map(ToString::to_string).unwrap_or_default();
            PLACE.with(|last| last.replace(place));
        }));
    });
}

/// What `work` gives; a panic is a failure.
fn guarded<T>(work: impl FnOnce() -> Answer<T>) -> Answer<T> {
    be_quiet();
    let outer = GUARDED.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(outer);
    result.unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
        let place = PLACE.with(RefCell::take);
        Err(Failure::Internal(format!("{message} ({place})")))
    })
}

/// Runs an operation of the core.
pub(crate) fn run<T: Send>(py: Python<'_>, work: impl FnOnce(&mut Budget) -> Answer<T> + Send) -> PyResult<T> {
    let answer = py.detach(|| guarded(|| work(&mut budget())));
    answer.map_err(PyErr::from)
}

/// For the tests: panics, as an error in the core would.
#[pyfunction]
#[pyo3(name = "_panic")]
pub(crate) fn panic_for_test(py: Python<'_>, message: String) -> PyResult<()> {
    run(py, |_| panic!("{message}"))
}
