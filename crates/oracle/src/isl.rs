//! A bridge to libisl.
//!
//! Every value owns an isl object and a reference to its context. isl functions take ownership of
//! their arguments, so methods hand over copies. A context belongs to one thread.

use std::ffi::{CStr, CString, c_char, c_int, c_long, c_void};
use std::rc::Rc;

mod schedule;

/// Opaque isl objects are all pointers.
type Ptr = *mut c_void;

#[allow(missing_docs, reason = "the names are those of isl")]
mod ffi {
    use super::{Ptr, c_char, c_int, c_long};

    unsafe extern "C" {
        pub(super) fn isl_ctx_alloc() -> Ptr;
        pub(super) fn isl_ctx_free(ctx: Ptr);
        pub(super) fn isl_options_set_on_error(ctx: Ptr, value: c_int) -> c_int;
        pub(super) fn free(text: *mut c_char);
        pub(super) fn isl_ctx_set_max_operations(ctx: Ptr, max: std::ffi::c_ulong);
        pub(super) fn isl_ctx_reset_operations(ctx: Ptr);
        pub(super) fn isl_ctx_reset_error(ctx: Ptr);
        pub(super) fn isl_set_n_basic_set(set: Ptr) -> c_int;
        pub(super) fn isl_map_n_basic_map(map: Ptr) -> c_int;
        pub(super) fn isl_set_project_out(set: Ptr, kind: c_int, first: c_int, n: c_int) -> Ptr;
        pub(super) fn isl_set_dim_min(set: Ptr, pos: c_int) -> Ptr;
        pub(super) fn isl_set_dim_max(set: Ptr, pos: c_int) -> Ptr;
        pub(super) fn isl_set_simple_hull(set: Ptr) -> Ptr;
        pub(super) fn isl_set_from_basic_set(set: Ptr) -> Ptr;
        pub(super) fn isl_set_affine_hull(set: Ptr) -> Ptr;
        pub(super) fn isl_set_convex_hull(set: Ptr) -> Ptr;
        pub(super) fn isl_set_partial_lexmin(set: Ptr, domain: Ptr, empty: *mut Ptr) -> Ptr;
        pub(super) fn isl_set_partial_lexmax(set: Ptr, domain: Ptr, empty: *mut Ptr) -> Ptr;
        pub(super) fn isl_val_int_from_si(ctx: Ptr, value: c_long) -> Ptr;
        pub(super) fn isl_pw_aff_scale_down_val(aff: Ptr, value: Ptr) -> Ptr;
    }
}

/// An isl context.
#[derive(Debug)]
struct RawContext(Ptr);

impl Drop for RawContext {
    fn drop(&mut self) {
        // SAFETY: the pointer came from `isl_ctx_alloc`, and every object of the context holds an
        // `Rc` of this value, so all of them are gone.
        unsafe { ffi::isl_ctx_free(self.0) }
    }
}

/// An isl context; cheap to clone, bound to one thread.
#[derive(Clone, Debug)]
pub struct Context(Rc<RawContext>);

/// Errors are reported by null results instead of messages on standard error.
const ON_ERROR_CONTINUE: c_int = 1;

impl Default for Context {
    fn default() -> Context {
        Context::new()
    }
}

impl Context {
    /// A new context.
    pub fn new() -> Context {
        // SAFETY: allocation has no preconditions, and the option is set on a valid context.
        unsafe {
            let ctx = ffi::isl_ctx_alloc();
            assert!(!ctx.is_null(), "isl could not allocate a context");
            ffi::isl_options_set_on_error(ctx, ON_ERROR_CONTINUE);
            Context(Rc::new(RawContext(ctx)))
        }
    }

    /// Let operations fail (with `None`) after this many steps; 0 is no limit.
    pub fn set_max_operations(&self, max: u64) {
        // SAFETY: the context is valid.
        unsafe {
            ffi::isl_ctx_reset_operations(self.0.0);
            ffi::isl_ctx_set_max_operations(self.0.0, max);
            ffi::isl_ctx_reset_error(self.0.0);
        }
    }

    fn ptr(&self) -> Ptr {
        self.0.0
    }
}

/// Take over a string that isl allocated.
fn take_text(text: *mut c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: isl returns a nul-terminated string allocated by malloc, which is freed once here.
    unsafe {
        let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
        ffi::free(text);
        Some(copy)
    }
}

/// Define a wrapper of an isl type with its reading, printing, copying and freeing functions.
macro_rules! isl_type {
    ($(#[$doc:meta])* $ty:ident, $read:ident, $to_str:ident, $copy:ident, $free:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $ty {
            ptr: Ptr,
            context: Context,
        }

        unsafe extern "C" {
            fn $read(ctx: Ptr, text: *const c_char) -> Ptr;
            fn $to_str(object: Ptr) -> *mut c_char;
            fn $copy(object: Ptr) -> Ptr;
            fn $free(object: Ptr) -> Ptr;
        }

        impl $ty {
            /// Parse a text; `None` if isl rejects it.
            pub fn read(context: &Context, text: &str) -> Option<$ty> {
                let text = CString::new(text).expect("the text has no nul byte");
                // SAFETY: the context and the string are valid during the call.
                let ptr = unsafe { $read(context.ptr(), text.as_ptr()) };
                $ty::wrap(ptr, context)
            }

            fn wrap(ptr: Ptr, context: &Context) -> Option<$ty> {
                (!ptr.is_null()).then(|| $ty { ptr, context: context.clone() })
            }

            /// A reference that an isl function may take over.
            #[allow(dead_code, reason = "not every type has operations that take it")]
            fn give(&self) -> Ptr {
                // SAFETY: the object is valid.
                unsafe { $copy(self.ptr) }
            }

            /// The text isl prints.
            pub fn text(&self) -> String {
                // SAFETY: the object is valid.
                take_text(unsafe { $to_str(self.ptr) }).unwrap_or_default()
            }
        }

        impl Drop for $ty {
            fn drop(&mut self) {
                // SAFETY: the object is valid and not used after this.
                unsafe {
                    $free(self.ptr);
                }
            }
        }
    };
}

isl_type!(
    /// An isl set.
    Set, isl_set_read_from_str, isl_set_to_str, isl_set_copy, isl_set_free
);
isl_type!(
    /// An isl relation.
    Map, isl_map_read_from_str, isl_map_to_str, isl_map_copy, isl_map_free
);
isl_type!(
    /// A union of isl relations.
    UnionMap, isl_union_map_read_from_str, isl_union_map_to_str, isl_union_map_copy, isl_union_map_free
);
isl_type!(
    /// A piecewise quasi-affine expression.
    PwAff, isl_pw_aff_read_from_str, isl_pw_aff_to_str, isl_pw_aff_copy, isl_pw_aff_free
);
isl_type!(
    /// A piecewise quasi-polynomial.
    PwQPolynomial, isl_pw_qpolynomial_read_from_str, isl_pw_qpolynomial_to_str, isl_pw_qpolynomial_copy,
    isl_pw_qpolynomial_free
);
/// Define methods that call an isl function on copies of their arguments.
macro_rules! isl_methods {
    ($ty:ident: $($(#[$doc:meta])* $name:ident($($arg:ident: $argty:ident),*) -> $result:ident = $function:ident;)*) => {
        unsafe extern "C" {
            $(fn $function(this: Ptr $(, $arg: isl_methods!(@ptr $argty))*) -> Ptr;)*
        }
        impl $ty {$(
            $(#[$doc])*
            /// `None` if isl fails.
            pub fn $name(&self $(, $arg: &$argty)*) -> Option<$result> {
                // SAFETY: all arguments are references that isl takes over.
                let ptr = unsafe { $function(self.give() $(, $arg.give())*) };
                $result::wrap(ptr, &self.context)
            }
        )*}
    };
    (@ptr $argty:ident) => { Ptr };
}

/// Define methods that ask an isl function a question about their arguments.
macro_rules! isl_tests {
    ($ty:ident: $($(#[$doc:meta])* $name:ident($($arg:ident),*) = $function:ident;)*) => {
        unsafe extern "C" {
            $(fn $function(this: Ptr $(, $arg: Ptr)*) -> c_int;)*
        }
        impl $ty {$(
            $(#[$doc])*
            /// `None` if isl fails.
            pub fn $name(&self $(, $arg: &$ty)*) -> Option<bool> {
                // SAFETY: the arguments are valid and only looked at.
                let answer = unsafe { $function(self.ptr $(, $arg.ptr)*) };
                (answer >= 0).then_some(answer != 0)
            }
        )*}
    };
}

isl_methods! { Set:
    /// Fewer disjuncts.
    coalesce() -> Set = isl_set_coalesce;
    /// Explicit divs.
    compute_divs() -> Set = isl_set_compute_divs;
    /// Everything else.
    complement() -> Set = isl_set_complement;
    /// The parameter values for which there are points.
    params() -> Set = isl_set_params;
    /// Lexicographically smallest points.
    lexmin() -> Set = isl_set_lexmin;
    /// Lexicographically largest points.
    lexmax() -> Set = isl_set_lexmax;
    /// Points in either.
    union(other: Set) -> Set = isl_set_union;
    /// Points in both.
    intersect(other: Set) -> Set = isl_set_intersect;
    /// Points here and not there.
    subtract(other: Set) -> Set = isl_set_subtract;
    /// Simplification in a context.
    gist(context: Set) -> Set = isl_set_gist;
    /// Image.
    apply(map: Map) -> Set = isl_set_apply;
}

isl_tests! { Set:
    /// Whether both have the same points.
    is_equal(other) = isl_set_is_equal;
    /// Whether all points are in the other.
    is_subset(other) = isl_set_is_subset;
    /// Whether there are no points.
    is_empty() = isl_set_is_empty;
    /// Whether there are finitely many points for each value of the parameters.
    is_bounded() = isl_set_is_bounded;
}

isl_methods! { PwQPolynomial:
    /// Where it is defined.
    domain() -> Set = isl_pw_qpolynomial_domain;
}

isl_methods! { Map:
    /// Fewer disjuncts.
    coalesce() -> Map = isl_map_coalesce;
    /// Both sides exchanged.
    reverse() -> Map = isl_map_reverse;
    /// Domain.
    domain() -> Set = isl_map_domain;
    /// Range.
    range() -> Set = isl_map_range;
    /// Differences.
    deltas() -> Set = isl_map_deltas;
    /// Lexicographically smallest images.
    lexmin() -> Map = isl_map_lexmin;
    /// Lexicographically largest images.
    lexmax() -> Map = isl_map_lexmax;
    /// Pairs in either.
    union(other: Map) -> Map = isl_map_union;
    /// Pairs in both.
    intersect(other: Map) -> Map = isl_map_intersect;
    /// Pairs here and not there.
    subtract(other: Map) -> Map = isl_map_subtract;
    /// Simplification in a context.
    gist(context: Map) -> Map = isl_map_gist;
    /// Composition.
    apply_range(other: Map) -> Map = isl_map_apply_range;
}

isl_tests! { Map:
    /// Whether both have the same pairs.
    is_equal(other) = isl_map_is_equal;
    /// Whether all pairs are in the other.
    is_subset(other) = isl_map_is_subset;
    /// Whether there are no pairs.
    is_empty() = isl_map_is_empty;
    /// Whether no point has two images.
    is_single_valued() = isl_map_is_single_valued;
    /// Whether no two points share an image.
    is_injective() = isl_map_is_injective;
}

isl_methods! { UnionMap:
    /// Fewer disjuncts.
    coalesce() -> UnionMap = isl_union_map_coalesce;
    /// Pairs in either.
    union(other: UnionMap) -> UnionMap = isl_union_map_union;
    /// Pairs here and not there.
    subtract(other: UnionMap) -> UnionMap = isl_union_map_subtract;
    /// Composition.
    apply_range(other: UnionMap) -> UnionMap = isl_union_map_apply_range;
}

isl_tests! { UnionMap:
    /// Whether both have the same pairs.
    is_equal(other) = isl_union_map_is_equal;
}

isl_methods! { PwAff:
    /// Sum.
    add(other: PwAff) -> PwAff = isl_pw_aff_add;
    /// Minimum.
    min(other: PwAff) -> PwAff = isl_pw_aff_min;
    /// Maximum.
    max(other: PwAff) -> PwAff = isl_pw_aff_max;
    /// Where one is at least the other.
    ge_set(other: PwAff) -> Set = isl_pw_aff_ge_set;
    /// Where both are equal.
    eq_set(other: PwAff) -> Set = isl_pw_aff_eq_set;
    /// Domain.
    domain() -> Set = isl_pw_aff_domain;
    /// Fewer pieces.
    coalesce() -> PwAff = isl_pw_aff_coalesce;
    /// Rounded down.
    floor() -> PwAff = isl_pw_aff_floor;
}

isl_tests! { PwAff:
    /// Whether both functions are equal, as far as isl can tell.
    is_equal(other) = isl_pw_aff_is_equal;
}

/// Set dimensions, in isl's numbering of kinds.
const DIM_SET: c_int = 3;

impl Set {
    /// Number of disjuncts.
    pub fn n_basic(&self) -> usize {
        // SAFETY: the object is valid.
        usize::try_from(unsafe { ffi::isl_set_n_basic_set(self.ptr) }).unwrap_or(0)
    }

    /// Projection of set dimensions.
    pub fn project_out(&self, first: usize, n: usize) -> Option<Set> {
        let (first, n) = (c_int::try_from(first).ok()?, c_int::try_from(n).ok()?);
        // SAFETY: isl takes over the copy.
        let ptr = unsafe { ffi::isl_set_project_out(self.give(), DIM_SET, first, n) };
        Set::wrap(ptr, &self.context)
    }

    /// The smallest value of a dimension as a function of the parameters.
    pub fn dim_min(&self, pos: usize) -> Option<PwAff> {
        // SAFETY: isl takes over the copy.
        let ptr = unsafe { ffi::isl_set_dim_min(self.give(), c_int::try_from(pos).ok()?) };
        PwAff::wrap(ptr, &self.context)
    }

    /// The largest value of a dimension as a function of the parameters.
    pub fn dim_max(&self, pos: usize) -> Option<PwAff> {
        // SAFETY: isl takes over the copy.
        let ptr = unsafe { ffi::isl_set_dim_max(self.give(), c_int::try_from(pos).ok()?) };
        PwAff::wrap(ptr, &self.context)
    }

    /// The simple hull.
    pub fn simple_hull(&self) -> Option<Set> {
        // SAFETY: isl takes over the copy and then the hull.
        let ptr = unsafe { ffi::isl_set_from_basic_set(ffi::isl_set_simple_hull(self.give())) };
        Set::wrap(ptr, &self.context)
    }

    /// The smallest points as a function of the parameters in `domain`, and the part of `domain` without any.
    pub fn partial_lexmin(&self, domain: &Set) -> Option<(Set, Set)> {
        let mut empty = std::ptr::null_mut();
        // SAFETY: isl takes over the copies and writes a new object to `empty`.
        let found = unsafe { ffi::isl_set_partial_lexmin(self.give(), domain.give(), &raw mut empty) };
        let (found, empty) = (Set::wrap(found, &self.context), Set::wrap(empty, &self.context));
        found.zip(empty)
    }

    /// The largest points as a function of the parameters in `domain`, and the part of `domain` without any.
    pub fn partial_lexmax(&self, domain: &Set) -> Option<(Set, Set)> {
        let mut empty = std::ptr::null_mut();
        // SAFETY: isl takes over the copies and writes a new object to `empty`.
        let found = unsafe { ffi::isl_set_partial_lexmax(self.give(), domain.give(), &raw mut empty) };
        let (found, empty) = (Set::wrap(found, &self.context), Set::wrap(empty, &self.context));
        found.zip(empty)
    }

    /// The convex hull of the rational points.
    pub fn convex_hull(&self) -> Option<Set> {
        // SAFETY: isl takes over the copy and then the hull.
        let ptr = unsafe { ffi::isl_set_from_basic_set(ffi::isl_set_convex_hull(self.give())) };
        Set::wrap(ptr, &self.context)
    }

    /// The affine hull.
    pub fn affine_hull(&self) -> Option<Set> {
        // SAFETY: isl takes over the copy and then the hull.
        let ptr = unsafe { ffi::isl_set_from_basic_set(ffi::isl_set_affine_hull(self.give())) };
        Set::wrap(ptr, &self.context)
    }
}

impl Map {
    /// Number of disjuncts.
    pub fn n_basic(&self) -> usize {
        // SAFETY: the object is valid.
        usize::try_from(unsafe { ffi::isl_map_n_basic_map(self.ptr) }).unwrap_or(0)
    }
}

impl PwAff {
    /// `floor(self / divisor)`.
    pub fn floor_div(&self, divisor: i32) -> Option<PwAff> {
        // SAFETY: isl takes over the copy and the new value.
        let ptr = unsafe {
            let value = ffi::isl_val_int_from_si(self.context.ptr(), c_long::from(divisor));
            ffi::isl_pw_aff_scale_down_val(self.give(), value)
        };
        PwAff::wrap(ptr, &self.context)?.floor()
    }
}
