//! Which functions Poly looks at.

use poly_shim::ValueRef;

use crate::options::Options;

/// Marks functions that Poly made: they hold optimized code already.
pub(crate) const OUTLINED: &str = "poly.subfn";

/// What to do with a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    /// Look for SCoPs.
    Welcome,
    /// Poly made it: clean it up for the vectorizer.
    Outlined,
    /// The user does not want it to be touched: nothing to say.
    Unwanted,
    /// It cannot be touched, for this reason.
    Impossible(&'static str),
}

/// Decides by name and attributes.
pub(crate) fn admit(function: ValueRef<'_>, options: &Options) -> Admission {
    if function.function_attribute(OUTLINED).is_some() {
        return Admission::Outlined;
    }
    let properties = function.function_properties();
    let small = properties.optsize() || properties.minsize();
    if !options.enable || small || properties.optnone() || !options.concerns(&function.name()) {
        return Admission::Unwanted;
    }
    let obstacles = [
        (properties.naked(), "it is a naked function"),
        (properties.presplit_coroutine(), "it is a coroutine"),
        (properties.convergent(), "it is convergent"),
        (properties.strict_fp(), "it depends on the floating-point environment"),
        (
            properties.no_implicit_float(),
            "it may not use vector registers that its source does not use (noimplicitfloat)",
        ),
        (properties.handles_interrupts(), "it handles interrupts"),
        (properties.has_collector(), "a garbage collector may move its pointers"),
        (properties.has_address_taken_blocks(), "the address of one of its blocks is taken"),
    ];
    let obstacle = obstacles.iter().find(|(present, _)| *present);
    obstacle.map_or(Admission::Welcome, |&(_, reason)| Admission::Impossible(reason))
}
