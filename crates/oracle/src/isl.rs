//! A bridge to libisl.
//!
//! Every value owns an isl object and a reference to its context. isl functions take ownership of
//! their arguments, so methods hand over copies. A context belongs to one thread.

use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_int, c_long, c_void};
use std::rc::Rc;

mod operations;
mod schedule;

pub use operations::{DIM_IN, DIM_PARAM, DIM_SET};

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
        pub(super) fn isl_union_map_project_out(map: Ptr, kind: c_int, first: c_int, n: c_int) -> Ptr;
        pub(super) fn isl_union_map_find_dim_by_name(map: Ptr, kind: c_int, name: *const c_char) -> c_int;
        pub(super) fn isl_map_dim_min(map: Ptr, pos: c_int) -> Ptr;
        pub(super) fn isl_map_dim_max(map: Ptr, pos: c_int) -> Ptr;
        pub(super) fn isl_ctx_last_error(ctx: Ptr) -> c_int;
        pub(super) fn isl_ctx_last_error_msg(ctx: Ptr) -> *const c_char;
        pub(super) fn isl_set_fix_si(set: Ptr, kind: c_int, pos: c_int, value: c_int) -> Ptr;
        pub(super) fn isl_set_lower_bound_si(set: Ptr, kind: c_int, pos: c_int, value: c_int) -> Ptr;
        pub(super) fn isl_set_upper_bound_si(set: Ptr, kind: c_int, pos: c_int, value: c_int) -> Ptr;
        pub(super) fn isl_map_project_out(map: Ptr, kind: c_int, first: c_int, n: c_int) -> Ptr;
        pub(super) fn isl_map_fix_si(map: Ptr, kind: c_int, pos: c_int, value: c_int) -> Ptr;
        pub(super) fn isl_map_partial_lexmin(map: Ptr, domain: Ptr, empty: *mut Ptr) -> Ptr;
        pub(super) fn isl_map_partial_lexmax(map: Ptr, domain: Ptr, empty: *mut Ptr) -> Ptr;
        pub(super) fn isl_set_partial_lexmin(set: Ptr, domain: Ptr, empty: *mut Ptr) -> Ptr;
        pub(super) fn isl_set_partial_lexmax(set: Ptr, domain: Ptr, empty: *mut Ptr) -> Ptr;
        pub(super) fn isl_val_int_from_si(ctx: Ptr, value: c_long) -> Ptr;
        pub(super) fn isl_pw_aff_scale_val(aff: Ptr, value: Ptr) -> Ptr;
        pub(super) fn isl_pw_aff_scale_down_val(aff: Ptr, value: Ptr) -> Ptr;
        pub(super) fn isl_pw_aff_mod_val(aff: Ptr, value: Ptr) -> Ptr;
    }
}

/// An isl context.
#[derive(Debug)]
struct RawContext {
    ptr: Ptr,
    limit: Cell<u64>,
}

impl Drop for RawContext {
    fn drop(&mut self) {
        // SAFETY: the pointer came from `isl_ctx_alloc`, and every object of the context holds an
        // `Rc` of this value, so all of them are gone.
        unsafe { ffi::isl_ctx_free(self.ptr) }
    }
}

/// An isl context; cheap to clone, bound to one thread.
#[derive(Clone, Debug)]
pub struct Context(Rc<RawContext>);

/// Errors are reported by null results instead of messages on standard error.
const ON_ERROR_CONTINUE: c_int = 1;

/// There was no error.
const ERROR_NONE: c_int = 0;
/// The limit of steps was reached.
const ERROR_QUOTA: c_int = 6;

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
            Context(Rc::new(RawContext { ptr: ctx, limit: Cell::new(0) }))
        }
    }

    /// Let operations fail (with `None`) after this many steps; 0 is no limit.
    pub fn set_max_operations(&self, max: u64) {
        self.0.limit.set(max);
        // SAFETY: the context is valid.
        unsafe {
            ffi::isl_ctx_reset_operations(self.0.ptr);
            ffi::isl_ctx_set_max_operations(self.0.ptr, max);
            ffi::isl_ctx_reset_error(self.0.ptr);
        }
    }

    /// Whether the last failure was that the limit of steps was reached.
    pub fn limit_was_reached(&self) -> bool {
        // SAFETY: the context is valid.
        unsafe { ffi::isl_ctx_last_error(self.0.ptr) == ERROR_QUOTA }
    }

    /// What went wrong since [`Context::set_max_operations`], other than that the limit was
    /// reached.
    pub fn error(&self) -> Option<String> {
        // SAFETY: the context is valid, and the message is a string constant of isl.
        unsafe {
            let error = ffi::isl_ctx_last_error(self.0.ptr);
            let message = ffi::isl_ctx_last_error_msg(self.0.ptr);
            let text = if message.is_null() { "no message".into() } else { CStr::from_ptr(message).to_string_lossy() };
            (error != ERROR_NONE && error != ERROR_QUOTA).then(|| text.into_owned())
        }
    }

    /// What [`Context::error`] says, once.
    pub fn take_error(&self) -> Option<String> {
        let error = self.error();
        if error.is_some() {
            // SAFETY: the context is valid.
            unsafe { ffi::isl_ctx_reset_error(self.0.ptr) }
        }
        error
    }

    /// Try again after a failure to read: when the limit is reached in the middle of a text, isl
    /// says that there is a syntax error. Not when the limit is the reason that it gives.
    fn with_more_operations<T>(&self, read: impl Fn() -> Option<T>) -> Option<T> {
        let limit = self.0.limit.get();
        if limit == 0 || self.limit_was_reached() {
            return None;
        }
        self.set_max_operations(limit.saturating_mul(20));
        let second = read();
        if second.is_some() {
            self.set_max_operations(limit);
        }
        second
    }

    fn ptr(&self) -> Ptr {
        self.0.ptr
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
                let read = || $ty::own(unsafe { $read(context.ptr(), text.as_ptr()) }, context);
                read().or_else(|| context.with_more_operations(read))
            }

            fn own(ptr: Ptr, context: &Context) -> Option<$ty> {
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
    /// A union of isl sets.
    UnionSet, isl_union_set_read_from_str, isl_union_set_to_str, isl_union_set_copy, isl_union_set_free
);
isl_type!(
    /// A tuple of piecewise quasi-affine expressions.
    PwMultiAff, isl_pw_multi_aff_read_from_str, isl_pw_multi_aff_to_str, isl_pw_multi_aff_copy, isl_pw_multi_aff_free
);
isl_type!(
    /// A union of piecewise quasi-affine expressions.
    UnionPwAff, isl_union_pw_aff_read_from_str, isl_union_pw_aff_to_str, isl_union_pw_aff_copy, isl_union_pw_aff_free
);
isl_type!(
    /// A union of tuples of piecewise quasi-affine expressions.
    UnionPwMultiAff, isl_union_pw_multi_aff_read_from_str, isl_union_pw_multi_aff_to_str, isl_union_pw_multi_aff_copy,
    isl_union_pw_multi_aff_free
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
