//! Counters of the versions that run, for the option `trace-versions`.
//!
//! # Problem
//! New code stands behind a check, and whether it ever runs is seen only when the program does.
//! With this option the program counts, for each nest, how often the new code began and how often
//! each part of the check was the first one that failed, and says so when it ends.
//!
//! # What is in a module
//! For each counter there is an entry in the section `poly_versions`, which the linker makes an
//! array of: `{ ptr text, i64 number }`. Numbers are added to atomically. Each such module also
//! defines `poly_print_versions`, of which the linker keeps one, and an entry of the program's
//! table of functions that run at its end (`.fini_array`). The function goes through the counters
//! of the executable or library that it is linked into, prints those that are not zero to the error
//! stream and sets them to zero, so that it says everything once however often it is called.
//!
//! Parts of the check that need more than 128 bits have no counter of their own; they count as
//! other conditions.

use poly_presburger::Budget;
use poly_scop::Plan;
use poly_shim::PassContext;

use crate::builder::{self, Builder, Compare, Op, Value};
use crate::code::param_index;
use crate::form::Test;
use crate::generator::Generator;

/// Where counters are.
const SECTION: &str = "poly_versions";

/// The function that prints them.
const PRINT: &str = "poly_print_versions";

/// The variable with its address among those of functions that run at the end.
const AT_END: &str = "poly_print_versions_at_end";

/// Bytes of an entry, and where the number is.
const ENTRY: i128 = 16;
const NUMBER: i128 = 8;

/// A part of the condition on parameters, with what it is in words.
#[derive(Clone, Debug)]
pub(crate) struct TracedPart {
    pub(crate) text: String,
    pub(crate) test: Test,
}

/// The parts of the condition of a plan: its assumptions, and the sizes from which on new code
/// pays.
pub(crate) fn parts(plan: &Plan, budget: &mut Budget) -> Vec<TracedPart> {
    let param = |name: &str| param_index(&plan.scop, name);
    let assumed = plan.scop.assumptions.iter().map(|a| (format!("{} ({})", a.reason, a.holds), &a.holds));
    let sizes = plan.check.sizes.iter().map(|sizes| (format!("the sizes are such that it pays ({sizes})"), sizes));
    let tested = assumed.chain(sizes).filter_map(|(text, holds)| {
        let test = Test::from_set(holds, &param, budget).ok()?;
        Some(TracedPart { text, test })
    });
    tested.collect()
}

impl<'c> Generator<'c, '_> {
    /// Counts that this place was reached, if versions are counted.
    pub(crate) fn count(&self, what: &str) {
        if self.prepared.options.trace_versions {
            self.add_to_counter(what, self.b.int(64, 1));
        }
    }

    /// Counts, if the condition (`i1`) does not hold, that the original runs because of that, if
    /// versions are counted.
    pub(crate) fn count_unless(&self, holds: Value<'c>, why: &str) {
        if self.prepared.options.trace_versions {
            let fails = self.b.int_cast(self.b.not(holds), self.b.int_type(64), false);
            self.add_to_counter(&format!("original: {why}"), fails);
        }
    }

    /// The same for several conditions: the first one that does not hold counts.
    pub(crate) fn count_first_failure(&self, parts: &[(String, Value<'c>)]) {
        if !self.prepared.options.trace_versions {
            return;
        }
        let mut before = self.b.bool(true);
        for (why, holds) in parts {
            let fails = self.b.arithmetic(Op::And, before, self.b.not(*holds), false);
            let fails = self.b.int_cast(fails, self.b.int_type(64), false);
            self.add_to_counter(&format!("original: {why}"), fails);
            before = self.b.arithmetic(Op::And, before, *holds, false);
        }
    }

    fn add_to_counter(&self, what: &str, number: Value<'c>) {
        let (b, scop) = (&self.b, self.prepared.scop);
        let place = scop.place.as_ref().map(|place| format!(" at {place}")).unwrap_or_default();
        let text = format!("{}{place}: {what}", scop.name);
        let text = b.private_constant(&format!("poly.version.text.{text}"), b.string_constant(&text), 1);
        let counter = b.internal_variable("poly.version", b.struct_constant(&[text, b.int(64, 0)]));
        b.set_section(counter, SECTION);
        b.atomic_add(b.offset(b.int_type(8), counter, b.int(64, NUMBER)), number);
        self.frame.function.drop_inferred_effects();
    }
}

/// Defines the function that prints the counters, and lets the program call it at its end, if the
/// module does not do so.
///
/// ```text
///   void poly_print_versions(void) {
///     for (entry = start; entry != stop; entry++) {
///       uint64_t number = exchange(&entry->number, 0);
///       if (number != 0)
///         dprintf(2, "poly: %12lu times %s\n", number, entry->text);
///     }
///   }
/// ```
pub fn define_printing(cx: PassContext<'_>) {
    let b = Builder::new(cx);
    let (int, long, byte, pointer) = (b.int_type(32), b.int_type(64), b.int_type(8), b.pointer_type());
    let Some(function) = b.shared_function(PRINT, b.function_type(b.void_type(), &[], false)) else { return };
    b.add_function_attribute(function, "nounwind");
    // Not to be looked at.
    function.set_function_attribute("poly", "off");
    let [start, stop] = ["__start_", "__stop_"].map(|side| b.linker_symbol(&format!("{side}{SECTION}"), byte));
    let [entry, head, body, said, next, exit] =
        ["entry", "head", "body", "said", "next", "exit"].map(|name| b.append_block(function, name));
    b.at_end(entry);
    b.branch(head);
    b.at_end(head);
    let at = b.phi(pointer, "at");
    builder::add_incoming(at, start, entry);
    b.branch_if(b.compare(Compare::LLVMIntEQ, at, stop), exit, body);
    b.at_end(exit);
    b.return_void();
    b.at_end(body);
    let number = b.atomic_exchange(b.offset(byte, at, b.int(64, NUMBER)), b.int(64, 0));
    b.branch_if(b.compare(Compare::LLVMIntEQ, number, b.int(64, 0)), next, said);
    b.at_end(said);
    let format = b.private_constant("poly.version.format", b.string_constant("poly: %12lu times %s\n"), 1);
    let text = b.load(pointer, at, "text");
    let of = b.function_type(int, &[int, pointer], true);
    b.call(of, b.runtime_function("dprintf", of), &[b.int(32, 2), format, number, text]);
    b.branch(next);
    b.at_end(next);
    let following = b.offset(byte, at, b.int(64, ENTRY));
    b.branch(head);
    builder::add_incoming(at, following, next);
    debug_assert_eq!(long, number.ty(), "numbers have 64 bits");
    if let Some(at_end) = b.shared_variable(AT_END, function) {
        b.set_section(at_end, ".fini_array");
    }
}
