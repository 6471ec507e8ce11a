//! The operations that a program performs, one event each.
//!
//! With the log target `poly::trace` at level `trace`, every public operation of this crate that
//! may be costly emits one event when it begins: its name and its operands as isl text, separated
//! by tabs. The name begins with what the first operand is (`set`, `map`, `union_set`,
//! `union_map`). Operations that an operation performs itself are not told: only the outermost one
//! on each thread is. The plugin shows them with `POLY_LOG=poly::trace=trace`.
//!
//! While the target is off, the cost is one look at an atomic variable; no operand is printed.

use std::cell::Cell;
use std::fmt::Write as _;

use tracing::level_filters::LevelFilter;

use crate::basic::{BasicMap, BasicSet};
use crate::map::Map;
use crate::set::Set;
use crate::space::DimKind;
use crate::union::{UnionMap, UnionSet};

/// The log target.
macro_rules! target {
    () => {
        "poly::trace"
    };
}

thread_local! {
    /// Whether an operation that has been told is running on this thread.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// What an operation is given.
pub(crate) trait Operand {
    /// The first part of the name of an operation on it.
    fn sort(&self) -> &'static str;
    /// Its text.
    fn write(&self, out: &mut String);
}

macro_rules! operand {
    ($($ty:ty: $sort:expr;)*) => {$(
        impl Operand for $ty {
            fn sort(&self) -> &'static str {
                let sort: fn(&$ty) -> &'static str = $sort;
                sort(self)
            }

            fn write(&self, out: &mut String) {
                write!(out, "{self}").expect("a string takes everything");
            }
        }
    )*};
}

operand! {
    BasicMap: |b| if b.space().is_map() { "map" } else { "set" };
    BasicSet: |_| "set";
    Map: |m| if m.space().is_map() { "map" } else { "set" };
    Set: |_| "set";
    UnionMap: |_| "union_map";
    UnionSet: |_| "union_set";
    usize: |_| "number";
}

impl Operand for DimKind {
    fn sort(&self) -> &'static str {
        "kind"
    }

    fn write(&self, out: &mut String) {
        out.push_str(match self {
            DimKind::Param => "param",
            DimKind::In => "in",
            DimKind::Out => "out",
            DimKind::Div => "div",
        });
    }
}

/// An operation that runs; ends with the value.
pub(crate) struct Operation {
    told: bool,
}

impl Drop for Operation {
    #[inline]
    fn drop(&mut self) {
        if self.told {
            end();
        }
    }
}

#[cold]
fn end() {
    INSIDE.set(false);
}

/// Tells that an operation begins, if that is wanted. The result is to be kept until it ends.
#[inline]
pub(crate) fn operation(name: &str, operands: &[&dyn Operand]) -> Operation {
    // Most often nobody wants to know anything of this level.
    let told = LevelFilter::current() >= LevelFilter::TRACE && tell(name, operands);
    Operation { told }
}

#[cold]
fn tell(name: &str, operands: &[&dyn Operand]) -> bool {
    if !tracing::enabled!(target: target!(), tracing::Level::TRACE) || INSIDE.replace(true) {
        return false;
    }
    let mut text = format!("{}.{name}", operands[0].sort());
    for operand in operands {
        text.push('\t');
        operand.write(&mut text);
    }
    tracing::trace!(target: target!(), "{text}");
    true
}
