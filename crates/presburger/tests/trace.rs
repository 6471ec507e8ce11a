//! The events of the log target `poly::trace`.
//!
//! A test of its own process: `tracing` keeps per call site whether anybody listens, and a test
//! beside it that performs operations without a listener may make it forget this one.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use expect_test::expect;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use poly_presburger::{Budget, DimKind, Set};

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
        metadata.target() == "poly::trace"
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
