//! The operations in libisl, called directly so that nothing of a wrapper is timed.
//!
//! Apart from one declaration in `memory.rs` this is the one file of the package with unsafe code.
//! Every object is an opaque pointer that belongs to one context; functions take over the
//! references that they are given, except questions, which only look.

use std::ffi::{CString, c_char, c_int, c_void};
use std::time::Instant;

use crate::class::{self, Sort};
use crate::poly;
use crate::trace::Case;

/// An opaque isl object.
type Ptr = *mut c_void;

type Unary = unsafe extern "C" fn(Ptr) -> Ptr;
type Binary = unsafe extern "C" fn(Ptr, Ptr) -> Ptr;
type Question = unsafe extern "C" fn(Ptr) -> c_int;
type Comparison = unsafe extern "C" fn(Ptr, Ptr) -> c_int;

/// The functions of isl, by their own names.
mod ffi {
    use super::{Ptr, c_char, c_int};

    macro_rules! functions {
        ($($name:ident($($arg:ty),*) -> $result:ty;)*) => {
            unsafe extern "C" {
                $(pub(super) fn $name($(_: $arg),*) -> $result;)*
            }
        };
    }

    functions! {
        isl_ctx_alloc() -> Ptr;
        isl_ctx_free(Ptr) -> ();
        isl_options_set_on_error(Ptr, c_int) -> c_int;
        isl_set_read_from_str(Ptr, *const c_char) -> Ptr;
        isl_map_read_from_str(Ptr, *const c_char) -> Ptr;
        isl_union_set_read_from_str(Ptr, *const c_char) -> Ptr;
        isl_union_map_read_from_str(Ptr, *const c_char) -> Ptr;
        isl_set_free(Ptr) -> Ptr;
        isl_map_free(Ptr) -> Ptr;
        isl_basic_set_free(Ptr) -> Ptr;
        isl_basic_map_free(Ptr) -> Ptr;
        isl_union_set_free(Ptr) -> Ptr;
        isl_union_map_free(Ptr) -> Ptr;
        isl_pw_aff_free(Ptr) -> Ptr;
        isl_pw_multi_aff_free(Ptr) -> Ptr;
        isl_point_free(Ptr) -> Ptr;
        isl_point_is_void(Ptr) -> c_int;
        isl_basic_set_is_empty(Ptr) -> c_int;
        isl_basic_map_is_empty(Ptr) -> c_int;
        isl_set_from_pw_aff(Ptr) -> Ptr;
        isl_set_from_pw_multi_aff(Ptr) -> Ptr;
        isl_map_from_pw_multi_aff(Ptr) -> Ptr;
        isl_union_map_from_map(Ptr) -> Ptr;
        isl_set_reset_tuple_id(Ptr) -> Ptr;
        isl_map_reset_tuple_id(Ptr, c_int) -> Ptr;
        isl_union_set_from_set(Ptr) -> Ptr;
        isl_set_apply(Ptr, Ptr) -> Ptr;
        isl_set_intersect(Ptr, Ptr) -> Ptr;
        isl_set_intersect_params(Ptr, Ptr) -> Ptr;
        isl_set_union(Ptr, Ptr) -> Ptr;
        isl_set_subtract(Ptr, Ptr) -> Ptr;
        isl_set_gist(Ptr, Ptr) -> Ptr;
        isl_set_gist_params(Ptr, Ptr) -> Ptr;
        isl_set_is_subset(Ptr, Ptr) -> c_int;
        isl_set_is_equal(Ptr, Ptr) -> c_int;
        isl_set_is_disjoint(Ptr, Ptr) -> c_int;
        isl_set_params(Ptr) -> Ptr;
        isl_set_project_out(Ptr, c_int, u32, u32) -> Ptr;
        isl_set_complement(Ptr) -> Ptr;
        isl_set_make_disjoint(Ptr) -> Ptr;
        isl_set_coalesce(Ptr) -> Ptr;
        isl_set_compute_divs(Ptr) -> Ptr;
        isl_set_remove_redundancies(Ptr) -> Ptr;
        isl_set_simple_hull(Ptr) -> Ptr;
        isl_set_unshifted_simple_hull(Ptr) -> Ptr;
        isl_set_affine_hull(Ptr) -> Ptr;
        isl_set_is_empty(Ptr) -> c_int;
        isl_set_sample_point(Ptr) -> Ptr;
        isl_set_lexmin_pw_multi_aff(Ptr) -> Ptr;
        isl_set_lexmax_pw_multi_aff(Ptr) -> Ptr;
        isl_set_dim_min(Ptr, c_int) -> Ptr;
        isl_set_dim_max(Ptr, c_int) -> Ptr;
        isl_set_coefficients(Ptr) -> Ptr;
        isl_map_wrap(Ptr) -> Ptr;
        isl_map_apply_range(Ptr, Ptr) -> Ptr;
        isl_map_intersect(Ptr, Ptr) -> Ptr;
        isl_map_intersect_params(Ptr, Ptr) -> Ptr;
        isl_map_intersect_domain(Ptr, Ptr) -> Ptr;
        isl_map_intersect_range(Ptr, Ptr) -> Ptr;
        isl_map_union(Ptr, Ptr) -> Ptr;
        isl_map_subtract(Ptr, Ptr) -> Ptr;
        isl_map_gist(Ptr, Ptr) -> Ptr;
        isl_map_gist_params(Ptr, Ptr) -> Ptr;
        isl_map_gist_domain(Ptr, Ptr) -> Ptr;
        isl_map_gist_range(Ptr, Ptr) -> Ptr;
        isl_map_is_subset(Ptr, Ptr) -> c_int;
        isl_map_is_equal(Ptr, Ptr) -> c_int;
        isl_map_is_disjoint(Ptr, Ptr) -> c_int;
        isl_map_domain(Ptr) -> Ptr;
        isl_map_range(Ptr) -> Ptr;
        isl_map_params(Ptr) -> Ptr;
        isl_map_deltas(Ptr) -> Ptr;
        isl_map_project_out(Ptr, c_int, u32, u32) -> Ptr;
        isl_map_complement(Ptr) -> Ptr;
        isl_map_make_disjoint(Ptr) -> Ptr;
        isl_map_coalesce(Ptr) -> Ptr;
        isl_map_compute_divs(Ptr) -> Ptr;
        isl_map_remove_redundancies(Ptr) -> Ptr;
        isl_map_simple_hull(Ptr) -> Ptr;
        isl_map_unshifted_simple_hull(Ptr) -> Ptr;
        isl_map_affine_hull(Ptr) -> Ptr;
        isl_map_is_empty(Ptr) -> c_int;
        isl_map_sample(Ptr) -> Ptr;
        isl_map_lexmin_pw_multi_aff(Ptr) -> Ptr;
        isl_map_lexmax_pw_multi_aff(Ptr) -> Ptr;
        isl_map_is_single_valued(Ptr) -> c_int;
        isl_map_is_injective(Ptr) -> c_int;
        isl_union_set_apply(Ptr, Ptr) -> Ptr;
        isl_union_set_intersect(Ptr, Ptr) -> Ptr;
        isl_union_set_intersect_params(Ptr, Ptr) -> Ptr;
        isl_union_set_union(Ptr, Ptr) -> Ptr;
        isl_union_set_subtract(Ptr, Ptr) -> Ptr;
        isl_union_set_gist(Ptr, Ptr) -> Ptr;
        isl_union_set_gist_params(Ptr, Ptr) -> Ptr;
        isl_union_set_is_subset(Ptr, Ptr) -> c_int;
        isl_union_set_is_equal(Ptr, Ptr) -> c_int;
        isl_union_set_is_disjoint(Ptr, Ptr) -> c_int;
        isl_union_set_params(Ptr) -> Ptr;
        isl_union_set_coalesce(Ptr) -> Ptr;
        isl_union_set_compute_divs(Ptr) -> Ptr;
        isl_union_set_is_empty(Ptr) -> c_int;
        isl_union_set_lexmin(Ptr) -> Ptr;
        isl_union_set_lexmax(Ptr) -> Ptr;
        isl_union_map_apply_range(Ptr, Ptr) -> Ptr;
        isl_union_map_intersect(Ptr, Ptr) -> Ptr;
        isl_union_map_intersect_params(Ptr, Ptr) -> Ptr;
        isl_union_map_intersect_domain(Ptr, Ptr) -> Ptr;
        isl_union_map_intersect_range(Ptr, Ptr) -> Ptr;
        isl_union_map_union(Ptr, Ptr) -> Ptr;
        isl_union_map_subtract(Ptr, Ptr) -> Ptr;
        isl_union_map_gist(Ptr, Ptr) -> Ptr;
        isl_union_map_gist_params(Ptr, Ptr) -> Ptr;
        isl_union_map_gist_domain(Ptr, Ptr) -> Ptr;
        isl_union_map_gist_range(Ptr, Ptr) -> Ptr;
        isl_union_map_is_subset(Ptr, Ptr) -> c_int;
        isl_union_map_is_equal(Ptr, Ptr) -> c_int;
        isl_union_map_is_disjoint(Ptr, Ptr) -> c_int;
        isl_union_map_params(Ptr) -> Ptr;
        isl_union_map_domain(Ptr) -> Ptr;
        isl_union_map_range(Ptr) -> Ptr;
        isl_union_map_deltas(Ptr) -> Ptr;
        isl_union_map_coalesce(Ptr) -> Ptr;
        isl_union_map_compute_divs(Ptr) -> Ptr;
        isl_union_map_is_empty(Ptr) -> c_int;
        isl_union_map_lexmin(Ptr) -> Ptr;
        isl_union_map_lexmax(Ptr) -> Ptr;
        isl_union_map_is_single_valued(Ptr) -> c_int;
        isl_union_map_is_injective(Ptr) -> c_int;
    }
}

/// An isl context, freed with the value. Objects do not outlive the functions of this module.
#[derive(Debug)]
pub(crate) struct Context(Ptr);

/// Errors are reported by null results instead of messages on standard error.
const ON_ERROR_CONTINUE: c_int = 1;

impl Context {
    /// A new context.
    pub(crate) fn new() -> Context {
        // SAFETY: allocation has no preconditions; the option is set on a valid context.
        unsafe {
            let context = ffi::isl_ctx_alloc();
            assert!(!context.is_null(), "isl could not allocate a context");
            ffi::isl_options_set_on_error(context, ON_ERROR_CONTINUE);
            Context(context)
        }
    }

    fn read(&self, sort: Sort, text: &str) -> Option<Object> {
        let text = CString::new(text).ok()?;
        let (read, kind): (unsafe extern "C" fn(Ptr, *const c_char) -> Ptr, Kind) = match sort {
            Sort::Set => (ffi::isl_set_read_from_str, Kind::Set),
            Sort::Map => (ffi::isl_map_read_from_str, Kind::Map),
            Sort::UnionSet => (ffi::isl_union_set_read_from_str, Kind::UnionSet),
            Sort::UnionMap => (ffi::isl_union_map_read_from_str, Kind::UnionMap),
        };
        // SAFETY: the context and the text are valid during the call.
        Object::new(unsafe { read(self.0, text.as_ptr()) }, kind)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: every object has been freed: they live in functions that borrow the context.
        unsafe { ffi::isl_ctx_free(self.0) }
    }
}

/// The types of isl's objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Set,
    Map,
    UnionSet,
    UnionMap,
    BasicSet,
    BasicMap,
    PwAff,
    PwMultiAff,
    Point,
}

/// An object that is owned.
#[derive(Debug)]
pub(crate) struct Object {
    ptr: Ptr,
    kind: Kind,
}

impl Object {
    fn new(ptr: Ptr, kind: Kind) -> Option<Object> {
        (!ptr.is_null()).then_some(Object { ptr, kind })
    }

    /// The reference, to be taken over by a function.
    fn into_raw(self) -> Ptr {
        let ptr = self.ptr;
        std::mem::forget(self);
        ptr
    }

    /// The object as a union of sets or relations; `None` if it does not have that meaning.
    fn into_union(self, of_sets: bool) -> Option<Object> {
        let kind = if of_sets { Kind::UnionSet } else { Kind::UnionMap };
        // SAFETY: every function takes over the reference and is for the object's type.
        let ptr = unsafe {
            match self.kind {
                Kind::UnionSet | Kind::UnionMap => return Some(self),
                Kind::Set => ffi::isl_union_set_from_set(self.into_raw()),
                Kind::Map => ffi::isl_union_map_from_map(self.into_raw()),
                Kind::PwAff => ffi::isl_union_set_from_set(ffi::isl_set_from_pw_aff(self.into_raw())),
                Kind::PwMultiAff if of_sets => {
                    ffi::isl_union_set_from_set(ffi::isl_set_from_pw_multi_aff(self.into_raw()))
                }
                Kind::PwMultiAff => ffi::isl_union_map_from_map(ffi::isl_map_from_pw_multi_aff(self.into_raw())),
                Kind::BasicSet | Kind::BasicMap | Kind::Point => return None,
            }
        };
        Object::new(ptr, kind)
    }

    /// The set or relation without names of tuples.
    fn nameless(self) -> Option<Object> {
        let kind = self.kind;
        // SAFETY: the functions take over the reference to a set or relation.
        let ptr = unsafe {
            if kind == Kind::Set {
                ffi::isl_set_reset_tuple_id(self.into_raw())
            } else {
                let without_input = ffi::isl_map_reset_tuple_id(self.into_raw(), dim_type("in"));
                ffi::isl_map_reset_tuple_id(without_input, dim_type("out"))
            }
        };
        Object::new(ptr, kind)
    }

    /// Whether there is an element, for samples.
    fn is_inhabited(&self) -> Option<bool> {
        // SAFETY: questions only look at their argument, which is valid and of the type asked
        // about.
        let void = unsafe {
            match self.kind {
                Kind::Point => ffi::isl_point_is_void(self.ptr),
                Kind::BasicSet => ffi::isl_basic_set_is_empty(self.ptr),
                Kind::BasicMap => ffi::isl_basic_map_is_empty(self.ptr),
                _ => return None,
            }
        };
        (void >= 0).then_some(void == 0)
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        let free = match self.kind {
            Kind::Set => ffi::isl_set_free,
            Kind::Map => ffi::isl_map_free,
            Kind::UnionSet => ffi::isl_union_set_free,
            Kind::UnionMap => ffi::isl_union_map_free,
            Kind::BasicSet => ffi::isl_basic_set_free,
            Kind::BasicMap => ffi::isl_basic_map_free,
            Kind::PwAff => ffi::isl_pw_aff_free,
            Kind::PwMultiAff => ffi::isl_pw_multi_aff_free,
            Kind::Point => ffi::isl_point_free,
        };
        // SAFETY: the object is valid, of this type, and not used after this.
        unsafe {
            free(self.ptr);
        }
    }
}

/// What an operation gives.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// A set, relation, function or point.
    Object(Object),
    /// A set or relation without the names of tuples, which isl's projections drop and Poly's keep.
    Nameless(Object),
    /// The answer to a question.
    Answer(bool),
}

impl Outcome {
    /// Whether Poly's result is the same; `None` if the operands do not determine the result.
    pub(crate) fn same_as(self, ours: &poly::Result, context: &Context) -> Option<bool> {
        match (self, ours) {
            (Outcome::Answer(theirs), poly::Result::Answer(ours)) => Some(theirs == *ours),
            (Outcome::Object(theirs), poly::Result::Answer(ours)) => Some(theirs.is_inhabited()? == *ours),
            (Outcome::Object(theirs), poly::Result::Text(text)) => {
                let relation = text.contains("->") && context.read(Sort::UnionSet, text).is_none();
                let (sort, equal): (Sort, Comparison) = match relation {
                    true => (Sort::UnionMap, ffi::isl_union_map_is_equal),
                    false => (Sort::UnionSet, ffi::isl_union_set_is_equal),
                };
                let (ours, theirs) = (context.read(sort, text), theirs.into_union(!relation)?);
                let Some(ours) = ours else { return Some(false) };
                // SAFETY: both objects are valid unions of the same type.
                Some(unsafe { equal(theirs.ptr, ours.ptr) } == 1)
            }
            (Outcome::Nameless(theirs), poly::Result::Text(text)) => {
                let sort = if theirs.kind == Kind::Set { Sort::Set } else { Sort::Map };
                let (Some(ours), Some(theirs)) = (context.read(sort, text)?.nameless(), theirs.nameless()) else {
                    return Some(false);
                };
                let equal: Comparison = if sort == Sort::Set { ffi::isl_set_is_equal } else { ffi::isl_map_is_equal };
                // SAFETY: both objects are valid and of the same type.
                Some(unsafe { equal(theirs.ptr, ours.ptr) } == 1)
            }
            _ => None,
        }
    }
}

/// A function of isl, by its shape.
#[derive(Clone, Copy, Debug)]
enum Function {
    Unary(Unary, Kind),
    Binary(Binary, Kind),
    Question(Question),
    Comparison(Comparison),
    Project(unsafe extern "C" fn(Ptr, c_int, u32, u32) -> Ptr, Kind),
    Optimum(unsafe extern "C" fn(Ptr, c_int) -> Ptr),
    /// The coefficients of the forms that are not negative on a relation.
    Cone,
}

/// The operands of a case.
#[derive(Debug)]
struct Operands {
    first: Object,
    second: Option<Object>,
}

/// An operation of isl.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation {
    sort: Sort,
    second: Sort,
    function: Function,
}

impl Operation {
    /// The operation that a class of cases is about.
    pub(crate) fn find(class: &str) -> Option<Operation> {
        let (sort, name) = class::split(class)?;
        let function = match sort {
            Sort::Set => of_set(name),
            Sort::Map => of_map(name),
            Sort::UnionSet => of_union_set(name),
            Sort::UnionMap => of_union_map(name),
        }?;
        Some(Operation { sort, second: class::second(sort, name), function })
    }

    /// Run a case twice, each time on operands of its own, which are read before; the second
    /// result, and the nanoseconds it took.
    pub(crate) fn time(self, case: &Case, context: &Context) -> Option<(Outcome, u64)> {
        let (practice, operands) = (self.read(case, context)?, self.read(case, context)?);
        drop(self.run(practice, case));
        self.run(operands, case)
    }

    /// Run a case once.
    pub(crate) fn run_once(self, case: &Case, context: &Context) {
        drop(self.read(case, context).and_then(|operands| self.run(operands, case)));
    }

    fn read(self, case: &Case, context: &Context) -> Option<Operands> {
        let first = context.read(self.sort, &case.operands[0])?;
        let second = match self.function {
            Function::Binary(..) | Function::Comparison(_) => Some(context.read(self.second, case.operands.get(1)?)?),
            _ => None,
        };
        Some(Operands { first, second })
    }

    fn run(self, operands: Operands, case: &Case) -> Option<(Outcome, u64)> {
        let Operands { first, second } = operands;
        let rest = &case.operands[1..];
        // SAFETY: the functions are for the types of their operands, whose references they take
        // over; questions only look.
        unsafe {
            match self.function {
                Function::Unary(function, kind) => object(kind, || function(first.into_raw())),
                Function::Binary(function, kind) => {
                    let second = second?;
                    object(kind, || function(first.into_raw(), second.into_raw()))
                }
                Function::Question(function) => answer(|| function(first.ptr)),
                Function::Comparison(function) => {
                    let second = second?;
                    answer(|| function(first.ptr, second.ptr))
                }
                Function::Project(function, kind) => {
                    let (start, n) = (rest.get(1)?.parse().ok()?, rest.get(2)?.parse().ok()?);
                    let dims = dim_type(rest.first()?);
                    let (outcome, time) = object(kind, || function(first.into_raw(), dims, start, n))?;
                    let Outcome::Object(found) = outcome else { return None };
                    Some((Outcome::Nameless(found), time))
                }
                Function::Optimum(function) => {
                    let position = rest.first()?.parse().ok()?;
                    object(Kind::PwAff, || function(first.into_raw(), position))
                }
                Function::Cone => {
                    let pairs = ffi::isl_map_wrap(first.into_raw());
                    object(Kind::BasicSet, || ffi::isl_set_coefficients(pairs))
                }
            }
        }
    }
}

/// isl's number of a kind of dimensions.
fn dim_type(name: &str) -> c_int {
    match name {
        "param" => 1,
        "in" => 2,
        _ => 3,
    }
}

fn nanoseconds(begin: Instant) -> u64 {
    u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

fn object(kind: Kind, run: impl FnOnce() -> Ptr) -> Option<(Outcome, u64)> {
    let begin = Instant::now();
    let ptr = run();
    let time = nanoseconds(begin);
    Some((Outcome::Object(Object::new(ptr, kind)?), time))
}

fn answer(run: impl FnOnce() -> c_int) -> Option<(Outcome, u64)> {
    let begin = Instant::now();
    let answer = run();
    let time = nanoseconds(begin);
    (answer >= 0).then_some((Outcome::Answer(answer != 0), time))
}

fn of_set(name: &str) -> Option<Function> {
    use Function::{Binary, Comparison, Optimum, Project, Question, Unary};
    Some(match name {
        "apply" => Binary(ffi::isl_set_apply, Kind::Set),
        "intersect" => Binary(ffi::isl_set_intersect, Kind::Set),
        "intersect_params" => Binary(ffi::isl_set_intersect_params, Kind::Set),
        "union" => Binary(ffi::isl_set_union, Kind::Set),
        "subtract" => Binary(ffi::isl_set_subtract, Kind::Set),
        "gist" => Binary(ffi::isl_set_gist, Kind::Set),
        "gist_params" => Binary(ffi::isl_set_gist_params, Kind::Set),
        "is_subset" => Comparison(ffi::isl_set_is_subset),
        "is_equal" => Comparison(ffi::isl_set_is_equal),
        "is_disjoint" => Comparison(ffi::isl_set_is_disjoint),
        "params" => Unary(ffi::isl_set_params, Kind::Set),
        "project_out" => Project(ffi::isl_set_project_out, Kind::Set),
        "complement" => Unary(ffi::isl_set_complement, Kind::Set),
        "make_disjoint" => Unary(ffi::isl_set_make_disjoint, Kind::Set),
        "coalesce" => Unary(ffi::isl_set_coalesce, Kind::Set),
        "compute_divs" => Unary(ffi::isl_set_compute_divs, Kind::Set),
        "remove_redundancies" => Unary(ffi::isl_set_remove_redundancies, Kind::Set),
        "simple_hull" => Unary(ffi::isl_set_simple_hull, Kind::BasicSet),
        "unshifted_simple_hull" => Unary(ffi::isl_set_unshifted_simple_hull, Kind::BasicSet),
        "affine_hull" => Unary(ffi::isl_set_affine_hull, Kind::BasicSet),
        "is_empty" => Question(ffi::isl_set_is_empty),
        "sample" => Unary(ffi::isl_set_sample_point, Kind::Point),
        "lexmin" => Unary(ffi::isl_set_lexmin_pw_multi_aff, Kind::PwMultiAff),
        "lexmax" => Unary(ffi::isl_set_lexmax_pw_multi_aff, Kind::PwMultiAff),
        "dim_min" => Optimum(ffi::isl_set_dim_min),
        "dim_max" => Optimum(ffi::isl_set_dim_max),
        "farkas_coefficients" => Unary(ffi::isl_set_coefficients, Kind::BasicSet),
        _ => return None,
    })
}

fn of_map(name: &str) -> Option<Function> {
    use Function::{Binary, Comparison, Cone, Project, Question, Unary};
    Some(match name {
        "apply_range" => Binary(ffi::isl_map_apply_range, Kind::Map),
        "intersect" => Binary(ffi::isl_map_intersect, Kind::Map),
        "intersect_params" => Binary(ffi::isl_map_intersect_params, Kind::Map),
        "intersect_domain" => Binary(ffi::isl_map_intersect_domain, Kind::Map),
        "intersect_range" => Binary(ffi::isl_map_intersect_range, Kind::Map),
        "union" => Binary(ffi::isl_map_union, Kind::Map),
        "subtract" => Binary(ffi::isl_map_subtract, Kind::Map),
        "gist" => Binary(ffi::isl_map_gist, Kind::Map),
        "gist_params" => Binary(ffi::isl_map_gist_params, Kind::Map),
        "gist_domain" => Binary(ffi::isl_map_gist_domain, Kind::Map),
        "gist_range" => Binary(ffi::isl_map_gist_range, Kind::Map),
        "is_subset" => Comparison(ffi::isl_map_is_subset),
        "is_equal" => Comparison(ffi::isl_map_is_equal),
        "is_disjoint" => Comparison(ffi::isl_map_is_disjoint),
        "domain" => Unary(ffi::isl_map_domain, Kind::Set),
        "range" => Unary(ffi::isl_map_range, Kind::Set),
        "params" => Unary(ffi::isl_map_params, Kind::Set),
        "deltas" => Unary(ffi::isl_map_deltas, Kind::Set),
        "project_out" => Project(ffi::isl_map_project_out, Kind::Map),
        "complement" => Unary(ffi::isl_map_complement, Kind::Map),
        "make_disjoint" => Unary(ffi::isl_map_make_disjoint, Kind::Map),
        "coalesce" => Unary(ffi::isl_map_coalesce, Kind::Map),
        "compute_divs" => Unary(ffi::isl_map_compute_divs, Kind::Map),
        "remove_redundancies" => Unary(ffi::isl_map_remove_redundancies, Kind::Map),
        "simple_hull" => Unary(ffi::isl_map_simple_hull, Kind::BasicMap),
        "unshifted_simple_hull" => Unary(ffi::isl_map_unshifted_simple_hull, Kind::BasicMap),
        "affine_hull" => Unary(ffi::isl_map_affine_hull, Kind::BasicMap),
        "is_empty" => Question(ffi::isl_map_is_empty),
        "sample" => Unary(ffi::isl_map_sample, Kind::BasicMap),
        "lexmin" => Unary(ffi::isl_map_lexmin_pw_multi_aff, Kind::PwMultiAff),
        "lexmax" => Unary(ffi::isl_map_lexmax_pw_multi_aff, Kind::PwMultiAff),
        "is_single_valued" => Question(ffi::isl_map_is_single_valued),
        "is_injective" => Question(ffi::isl_map_is_injective),
        "farkas_cone" => Cone,
        _ => return None,
    })
}

fn of_union_set(name: &str) -> Option<Function> {
    use Function::{Binary, Comparison, Question, Unary};
    Some(match name {
        "apply" => Binary(ffi::isl_union_set_apply, Kind::UnionSet),
        "intersect" => Binary(ffi::isl_union_set_intersect, Kind::UnionSet),
        "intersect_params" => Binary(ffi::isl_union_set_intersect_params, Kind::UnionSet),
        "union" => Binary(ffi::isl_union_set_union, Kind::UnionSet),
        "subtract" => Binary(ffi::isl_union_set_subtract, Kind::UnionSet),
        "gist" => Binary(ffi::isl_union_set_gist, Kind::UnionSet),
        "gist_params" => Binary(ffi::isl_union_set_gist_params, Kind::UnionSet),
        "is_subset" => Comparison(ffi::isl_union_set_is_subset),
        "is_equal" => Comparison(ffi::isl_union_set_is_equal),
        "is_disjoint" => Comparison(ffi::isl_union_set_is_disjoint),
        "params" => Unary(ffi::isl_union_set_params, Kind::Set),
        "coalesce" => Unary(ffi::isl_union_set_coalesce, Kind::UnionSet),
        "compute_divs" => Unary(ffi::isl_union_set_compute_divs, Kind::UnionSet),
        "is_empty" => Question(ffi::isl_union_set_is_empty),
        "lexmin" => Unary(ffi::isl_union_set_lexmin, Kind::UnionSet),
        "lexmax" => Unary(ffi::isl_union_set_lexmax, Kind::UnionSet),
        _ => return None,
    })
}

fn of_union_map(name: &str) -> Option<Function> {
    use Function::{Binary, Comparison, Question, Unary};
    Some(match name {
        "apply_range" => Binary(ffi::isl_union_map_apply_range, Kind::UnionMap),
        "intersect" => Binary(ffi::isl_union_map_intersect, Kind::UnionMap),
        "intersect_params" => Binary(ffi::isl_union_map_intersect_params, Kind::UnionMap),
        "intersect_domain" => Binary(ffi::isl_union_map_intersect_domain, Kind::UnionMap),
        "intersect_range" => Binary(ffi::isl_union_map_intersect_range, Kind::UnionMap),
        "union" => Binary(ffi::isl_union_map_union, Kind::UnionMap),
        "subtract" => Binary(ffi::isl_union_map_subtract, Kind::UnionMap),
        "gist" => Binary(ffi::isl_union_map_gist, Kind::UnionMap),
        "gist_params" => Binary(ffi::isl_union_map_gist_params, Kind::UnionMap),
        "gist_domain" => Binary(ffi::isl_union_map_gist_domain, Kind::UnionMap),
        "gist_range" => Binary(ffi::isl_union_map_gist_range, Kind::UnionMap),
        "is_subset" => Comparison(ffi::isl_union_map_is_subset),
        "is_equal" => Comparison(ffi::isl_union_map_is_equal),
        "is_disjoint" => Comparison(ffi::isl_union_map_is_disjoint),
        "params" => Unary(ffi::isl_union_map_params, Kind::Set),
        "domain" => Unary(ffi::isl_union_map_domain, Kind::UnionSet),
        "range" => Unary(ffi::isl_union_map_range, Kind::UnionSet),
        "deltas" => Unary(ffi::isl_union_map_deltas, Kind::UnionSet),
        "coalesce" => Unary(ffi::isl_union_map_coalesce, Kind::UnionMap),
        "compute_divs" => Unary(ffi::isl_union_map_compute_divs, Kind::UnionMap),
        "is_empty" => Question(ffi::isl_union_map_is_empty),
        "lexmin" => Unary(ffi::isl_union_map_lexmin, Kind::UnionMap),
        "lexmax" => Unary(ffi::isl_union_map_lexmax, Kind::UnionMap),
        "is_single_valued" => Question(ffi::isl_union_map_is_single_valued),
        "is_injective" => Question(ffi::isl_union_map_is_injective),
        _ => return None,
    })
}
