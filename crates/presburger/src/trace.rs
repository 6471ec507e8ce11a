//! The operations that a program performs, one event each.
//!
//! With the log target `poly::trace` at level `trace`, every public operation of this crate that may be costly
//! emits one event when it begins: its name and its operands as isl text, separated by tabs. The name begins
//! with what the first operand is (`set`, `map`, `union_set`, `union_map`). Operations that an operation performs
//! itself are not told: only the outermost one on each thread is. The plugin shows them with
//! `POLY_LOG=poly::trace=trace`.
//!
//! While the target is off, the cost is one look at an atomic variable; no operand is printed.

use std::cell::Cell;
use std::fmt::Write as _;

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
    fn drop(&mut self) {
        if self.told {
            INSIDE.set(false);
        }
    }
}

/// Tells that an operation begins, if that is wanted. The result is to be kept until it ends.
#[inline]
pub(crate) fn operation(name: &str, operands: &[&dyn Operand]) -> Operation {
    let told = tracing::enabled!(target: target!(), tracing::Level::TRACE) && tell(name, operands);
    Operation { told }
}

#[cold]
fn tell(name: &str, operands: &[&dyn Operand]) -> bool {
    if INSIDE.replace(true) {
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

#[cfg(test)]
mod tests {
    use std::fmt::Debug;
    use std::sync::{Arc, Mutex};

    use expect_test::expect;
    use tracing::field::{Field, Visit};
    use tracing::span::{Attributes, Id, Record};
    use tracing::{Event, Metadata, Subscriber};

    use crate::{Budget, DimKind, Set};

    /// Collects the texts of the events of one target.
    #[derive(Clone, Default)]
    struct Collector(Arc<Mutex<String>>);

    impl Visit for Collector {
        fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
            let mut text = self.0.lock().unwrap();
            *text += &format!("{value:?}\n").replace('\t', " | ");
        }
    }

    impl Subscriber for Collector {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            metadata.target() == target!()
        }
        fn new_span(&self, _: &Attributes<'_>) -> Id {
            Id::from_u64(1)
        }
        fn record(&self, _: &Id, _: &Record<'_>) {}
        fn record_follows_from(&self, _: &Id, _: &Id) {}
        fn event(&self, event: &Event<'_>) {
            event.record(&mut self.clone());
        }
        fn enter(&self, _: &Id) {}
        fn exit(&self, _: &Id) {}
    }

    #[test]
    fn outermost_operations_are_told() {
        let collector = Collector::default();
        tracing::subscriber::with_default(collector.clone(), || {
            let set: Set = "[n] -> { [i, j] : 0 <= i < n and j = 2i }".parse().unwrap();
            let other: Set = "{ [i, j] : j > 4 }".parse().unwrap();
            let both = set.intersect(&other);
            let budget = &mut Budget::unlimited();
            assert!(both.is_subset(&set, budget).unwrap());
            assert!(!set.project_out(DimKind::Out, 1, 1).is_empty(budget).unwrap());
        });
        let text = collector.0.lock().unwrap();
        expect![[r#"
            set.intersect | [n] -> { [i0, i1] } | [n] -> { [i0, i1] }
            set.intersect | [n] -> { [i0, i1] } | [n] -> { [i0, i1] : i0 >= 0 }
            set.union | [n] -> { [i0, i1] : false } | [n] -> { [i0, i1] : i0 >= 0 }
            set.intersect | [n] -> { [i0, i1] } | [n] -> { [i0, i1] : i0 >= 0 }
            set.intersect | [n] -> { [i0, i1] } | [n] -> { [i0, i1] : i0 >= 0 }
            set.intersect | [n] -> { [i0, i1] } | [n] -> { [i0, i1] }
            set.intersect | [n] -> { [i0, i1] } | [n] -> { [i0, i1] : i0 < n }
            set.union | [n] -> { [i0, i1] : false } | [n] -> { [i0, i1] : i0 < n }
            set.intersect | [n] -> { [i0, i1] } | [n] -> { [i0, i1] : i0 < n }
            set.intersect | [n] -> { [i0, i1] : i0 >= 0 } | [n] -> { [i0, i1] : i0 < n }
            set.intersect | [n] -> { [i0, i1] } | [n] -> { [i0, i1] : 0 <= i0 < n }
            set.intersect | [n] -> { [i0, i1] } | [n] -> { [i0, i1] }
            set.intersect | [n] -> { [i0, i1] } | [n] -> { [i0, i1] }
            set.intersect | [n] -> { [i0, i1] } | [n] -> { [i0, i1 = 2i0] }
            set.union | [n] -> { [i0, i1] : false } | [n] -> { [i0, i1 = 2i0] }
            set.intersect | [n] -> { [i0, i1] } | [n] -> { [i0, i1 = 2i0] }
            set.intersect | [n] -> { [i0, i1] : 0 <= i0 < n } | [n] -> { [i0, i1 = 2i0] }
            set.intersect | { [i0, i1] } | { [i0, i1] }
            set.intersect | { [i0, i1] } | { [i0, i1] : i1 >= 5 }
            set.union | { [i0, i1] : false } | { [i0, i1] : i1 >= 5 }
            set.intersect | { [i0, i1] } | { [i0, i1] : i1 >= 5 }
            set.intersect | [n] -> { [i, j = 2i] : 0 <= i < n } | { [i, j] : j >= 5 }
            set.is_subset | [n] -> { [i, j = 2i] : 3 <= i < n } | [n] -> { [i, j = 2i] : 0 <= i < n }
            set.project_out | [n] -> { [i, j = 2i] : 0 <= i < n } | out | 1 | 1
            set.is_empty | [n] -> { [i] : 0 <= i < n }
        "#]]
        .assert_eq(&text);
    }
}
