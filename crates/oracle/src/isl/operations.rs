//! The operations of isl that results are compared with, under isl's names.

use std::ffi::{CString, c_int, c_long};

use super::{Map, Ptr, PwAff, PwMultiAff, PwQPolynomial, Set, UnionMap, UnionPwAff, UnionPwMultiAff, UnionSet, ffi};

/// Define methods that call an isl function on copies of their arguments.
macro_rules! isl_methods {
    ($ty:ident: $($name:ident($($arg:ident: $argty:ident),*) -> $result:ident = $function:ident;)*) => {
        unsafe extern "C" {
            $(fn $function(this: Ptr $(, $arg: isl_methods!(@ptr $argty))*) -> Ptr;)*
        }
        impl $ty {$(
            #[doc = concat!("What isl's `", stringify!($function), "` returns; `None` if it fails.")]
            pub fn $name(&self $(, $arg: &$argty)*) -> Option<$result> {
                // SAFETY: all arguments are references that isl takes over.
                let ptr = unsafe { $function(self.give() $(, $arg.give())*) };
                $result::own(ptr, &self.context)
            }
        )*}
    };
    (@ptr $argty:ident) => { Ptr };
}

/// Define methods that ask an isl function a question about their arguments.
macro_rules! isl_tests {
    ($ty:ident: $($name:ident($($arg:ident),*) = $function:ident;)*) => {
        unsafe extern "C" {
            $(fn $function(this: Ptr $(, $arg: Ptr)*) -> c_int;)*
        }
        impl $ty {$(
            #[doc = concat!("The answer of isl's `", stringify!($function), "`; `None` if it fails.")]
            pub fn $name(&self $(, $arg: &$ty)*) -> Option<bool> {
                // SAFETY: the arguments are valid and only looked at.
                let answer = unsafe { $function(self.ptr $(, $arg.ptr)*) };
                (answer >= 0).then_some(answer != 0)
            }
        )*}
    };
}

/// Define methods that call an isl function with a basic set or relation as result.
macro_rules! isl_hulls {
    ($ty:ident, $convert:ident: $($name:ident = $function:ident;)*) => {
        unsafe extern "C" {
            fn $convert(basic: Ptr) -> Ptr;
            $(fn $function(this: Ptr) -> Ptr;)*
        }
        impl $ty {$(
            #[doc = concat!("What isl's `", stringify!($function), "` returns; `None` if it fails.")]
            pub fn $name(&self) -> Option<$ty> {
                // SAFETY: isl takes over the copy and then its result.
                let ptr = unsafe { $convert($function(self.give())) };
                $ty::own(ptr, &self.context)
            }
        )*}
    };
}

/// Define methods that call an isl function with a number.
macro_rules! isl_scalings {
    ($($name:ident = $function:ident;)*) => {
        impl PwAff {$(
            #[doc = concat!("What isl's `", stringify!($function), "` returns; `None` if it fails.")]
            pub fn $name(&self, number: i64) -> Option<PwAff> {
                // SAFETY: isl takes over the copy and the new value.
                let ptr = unsafe {
                    let value = ffi::isl_val_int_from_si(self.context.ptr(), c_long::from(number));
                    ffi::$function(self.give(), value)
                };
                PwAff::own(ptr, &self.context)
            }
        )*}
    };
}

isl_methods! { Set:
    coalesce() -> Set = isl_set_coalesce;
    compute_divs() -> Set = isl_set_compute_divs;
    complement() -> Set = isl_set_complement;
    detect_equalities() -> Set = isl_set_detect_equalities;
    remove_redundancies() -> Set = isl_set_remove_redundancies;
    make_disjoint() -> Set = isl_set_make_disjoint;
    params() -> Set = isl_set_params;
    lexmin() -> Set = isl_set_lexmin;
    lexmax() -> Set = isl_set_lexmax;
    union(other: Set) -> Set = isl_set_union;
    intersect(other: Set) -> Set = isl_set_intersect;
    subtract(other: Set) -> Set = isl_set_subtract;
    gist(other: Set) -> Set = isl_set_gist;
    intersect_params(other: Set) -> Set = isl_set_intersect_params;
    gist_params(other: Set) -> Set = isl_set_gist_params;
    product(other: Set) -> Set = isl_set_product;
    flat_product(other: Set) -> Set = isl_set_flat_product;
    apply(map: Map) -> Set = isl_set_apply;
    unwrap() -> Map = isl_set_unwrap;
    identity() -> Map = isl_set_identity;
    lex_lt_set(other: Set) -> Map = isl_set_lex_lt_set;
    lex_ge_set(other: Set) -> Map = isl_set_lex_ge_set;
    preimage_pw_multi_aff(by: PwMultiAff) -> Set = isl_set_preimage_pw_multi_aff;
    indicator_function() -> PwAff = isl_set_indicator_function;
    flatten() -> Set = isl_set_flatten;
    to_union_set() -> UnionSet = isl_union_set_from_set;
}

isl_hulls! { Set, isl_set_from_basic_set:
    affine_hull = isl_set_affine_hull;
    simple_hull = isl_set_simple_hull;
    unshifted_simple_hull = isl_set_unshifted_simple_hull;
    convex_hull = isl_set_convex_hull;
    polyhedral_hull = isl_set_polyhedral_hull;
    sample = isl_set_sample;
}

isl_hulls! { Map, isl_map_from_basic_map:
    affine_hull = isl_map_affine_hull;
    simple_hull = isl_map_simple_hull;
    unshifted_simple_hull = isl_map_unshifted_simple_hull;
    convex_hull = isl_map_convex_hull;
}

isl_tests! { Set:
    is_empty() = isl_set_is_empty;
    is_bounded() = isl_set_is_bounded;
    is_singleton() = isl_set_is_singleton;
    is_equal(other) = isl_set_is_equal;
    is_subset(other) = isl_set_is_subset;
    is_strict_subset(other) = isl_set_is_strict_subset;
    is_disjoint(other) = isl_set_is_disjoint;
}

isl_methods! { Map:
    coalesce() -> Map = isl_map_coalesce;
    compute_divs() -> Map = isl_map_compute_divs;
    complement() -> Map = isl_map_complement;
    detect_equalities() -> Map = isl_map_detect_equalities;
    remove_redundancies() -> Map = isl_map_remove_redundancies;
    make_disjoint() -> Map = isl_map_make_disjoint;
    reverse() -> Map = isl_map_reverse;
    lexmin() -> Map = isl_map_lexmin;
    lexmax() -> Map = isl_map_lexmax;
    deltas_map() -> Map = isl_map_deltas_map;
    domain_map() -> Map = isl_map_domain_map;
    range_map() -> Map = isl_map_range_map;
    curry() -> Map = isl_map_curry;
    uncurry() -> Map = isl_map_uncurry;
    zip() -> Map = isl_map_zip;
    factor_domain() -> Map = isl_map_factor_domain;
    factor_range() -> Map = isl_map_factor_range;
    domain_factor_domain() -> Map = isl_map_domain_factor_domain;
    domain_factor_range() -> Map = isl_map_domain_factor_range;
    range_factor_domain() -> Map = isl_map_range_factor_domain;
    range_factor_range() -> Map = isl_map_range_factor_range;
    flatten() -> Map = isl_map_flatten;
    domain() -> Set = isl_map_domain;
    range() -> Set = isl_map_range;
    deltas() -> Set = isl_map_deltas;
    params() -> Set = isl_map_params;
    wrap() -> Set = isl_map_wrap;
    as_pw_multi_aff() -> PwMultiAff = isl_pw_multi_aff_from_map;
    union(other: Map) -> Map = isl_map_union;
    intersect(other: Map) -> Map = isl_map_intersect;
    subtract(other: Map) -> Map = isl_map_subtract;
    gist(other: Map) -> Map = isl_map_gist;
    apply_range(other: Map) -> Map = isl_map_apply_range;
    apply_domain(other: Map) -> Map = isl_map_apply_domain;
    product(other: Map) -> Map = isl_map_product;
    flat_product(other: Map) -> Map = isl_map_flat_product;
    range_product(other: Map) -> Map = isl_map_range_product;
    domain_product(other: Map) -> Map = isl_map_domain_product;
    flat_range_product(other: Map) -> Map = isl_map_flat_range_product;
    flat_domain_product(other: Map) -> Map = isl_map_flat_domain_product;
    intersect_domain(set: Set) -> Map = isl_map_intersect_domain;
    intersect_range(set: Set) -> Map = isl_map_intersect_range;
    intersect_params(set: Set) -> Map = isl_map_intersect_params;
    gist_domain(set: Set) -> Map = isl_map_gist_domain;
    gist_range(set: Set) -> Map = isl_map_gist_range;
    gist_params(set: Set) -> Map = isl_map_gist_params;
    subtract_domain(set: Set) -> Map = isl_map_subtract_domain;
    subtract_range(set: Set) -> Map = isl_map_subtract_range;
    preimage_domain_pw_multi_aff(by: PwMultiAff) -> Map = isl_map_preimage_domain_pw_multi_aff;
    preimage_range_pw_multi_aff(by: PwMultiAff) -> Map = isl_map_preimage_range_pw_multi_aff;
    lex_lt_map(other: Map) -> Map = isl_map_lex_lt_map;
}

isl_tests! { Map:
    is_empty() = isl_map_is_empty;
    is_single_valued() = isl_map_is_single_valued;
    is_injective() = isl_map_is_injective;
    is_bijective() = isl_map_is_bijective;
    is_equal(other) = isl_map_is_equal;
    is_subset(other) = isl_map_is_subset;
    is_strict_subset(other) = isl_map_is_strict_subset;
    is_disjoint(other) = isl_map_is_disjoint;
}

isl_methods! { UnionSet:
    coalesce() -> UnionSet = isl_union_set_coalesce;
    compute_divs() -> UnionSet = isl_union_set_compute_divs;
    detect_equalities() -> UnionSet = isl_union_set_detect_equalities;
    remove_redundancies() -> UnionSet = isl_union_set_remove_redundancies;
    lexmin() -> UnionSet = isl_union_set_lexmin;
    lexmax() -> UnionSet = isl_union_set_lexmax;
    affine_hull() -> UnionSet = isl_union_set_affine_hull;
    simple_hull() -> UnionSet = isl_union_set_simple_hull;
    universe() -> UnionSet = isl_union_set_universe;
    params() -> Set = isl_union_set_params;
    identity() -> UnionMap = isl_union_set_identity;
    unwrap() -> UnionMap = isl_union_set_unwrap;
    apply(map: UnionMap) -> UnionSet = isl_union_set_apply;
    preimage_union_pw_multi_aff(by: UnionPwMultiAff) -> UnionSet = isl_union_set_preimage_union_pw_multi_aff;
    lex_lt_union_set(other: UnionSet) -> UnionMap = isl_union_set_lex_lt_union_set;
    lex_le_union_set(other: UnionSet) -> UnionMap = isl_union_set_lex_le_union_set;
    lex_gt_union_set(other: UnionSet) -> UnionMap = isl_union_set_lex_gt_union_set;
    lex_ge_union_set(other: UnionSet) -> UnionMap = isl_union_set_lex_ge_union_set;
    union(other: UnionSet) -> UnionSet = isl_union_set_union;
    intersect(other: UnionSet) -> UnionSet = isl_union_set_intersect;
    subtract(other: UnionSet) -> UnionSet = isl_union_set_subtract;
    gist(other: UnionSet) -> UnionSet = isl_union_set_gist;
    product(other: UnionSet) -> UnionSet = isl_union_set_product;
    gist_params(set: Set) -> UnionSet = isl_union_set_gist_params;
    intersect_params(set: Set) -> UnionSet = isl_union_set_intersect_params;
}

isl_tests! { UnionSet:
    is_empty() = isl_union_set_is_empty;
    is_equal(other) = isl_union_set_is_equal;
    is_subset(other) = isl_union_set_is_subset;
    is_strict_subset(other) = isl_union_set_is_strict_subset;
    is_disjoint(other) = isl_union_set_is_disjoint;
}

isl_methods! { UnionMap:
    coalesce() -> UnionMap = isl_union_map_coalesce;
    compute_divs() -> UnionMap = isl_union_map_compute_divs;
    detect_equalities() -> UnionMap = isl_union_map_detect_equalities;
    remove_redundancies() -> UnionMap = isl_union_map_remove_redundancies;
    lexmin() -> UnionMap = isl_union_map_lexmin;
    lexmax() -> UnionMap = isl_union_map_lexmax;
    affine_hull() -> UnionMap = isl_union_map_affine_hull;
    simple_hull() -> UnionMap = isl_union_map_simple_hull;
    universe() -> UnionMap = isl_union_map_universe;
    reverse() -> UnionMap = isl_union_map_reverse;
    domain_map() -> UnionMap = isl_union_map_domain_map;
    range_map() -> UnionMap = isl_union_map_range_map;
    deltas_map() -> UnionMap = isl_union_map_deltas_map;
    curry() -> UnionMap = isl_union_map_curry;
    uncurry() -> UnionMap = isl_union_map_uncurry;
    zip() -> UnionMap = isl_union_map_zip;
    factor_domain() -> UnionMap = isl_union_map_factor_domain;
    factor_range() -> UnionMap = isl_union_map_factor_range;
    range_factor_domain() -> UnionMap = isl_union_map_range_factor_domain;
    range_factor_range() -> UnionMap = isl_union_map_range_factor_range;
    domain_factor_domain() -> UnionMap = isl_union_map_domain_factor_domain;
    domain_factor_range() -> UnionMap = isl_union_map_domain_factor_range;
    domain() -> UnionSet = isl_union_map_domain;
    range() -> UnionSet = isl_union_map_range;
    deltas() -> UnionSet = isl_union_map_deltas;
    wrap() -> UnionSet = isl_union_map_wrap;
    params() -> Set = isl_union_map_params;
    as_union_pw_multi_aff() -> UnionPwMultiAff = isl_union_pw_multi_aff_from_union_map;
    union(other: UnionMap) -> UnionMap = isl_union_map_union;
    intersect(other: UnionMap) -> UnionMap = isl_union_map_intersect;
    subtract(other: UnionMap) -> UnionMap = isl_union_map_subtract;
    gist(other: UnionMap) -> UnionMap = isl_union_map_gist;
    apply_range(other: UnionMap) -> UnionMap = isl_union_map_apply_range;
    apply_domain(other: UnionMap) -> UnionMap = isl_union_map_apply_domain;
    product(other: UnionMap) -> UnionMap = isl_union_map_product;
    range_product(other: UnionMap) -> UnionMap = isl_union_map_range_product;
    domain_product(other: UnionMap) -> UnionMap = isl_union_map_domain_product;
    flat_range_product(other: UnionMap) -> UnionMap = isl_union_map_flat_range_product;
    flat_domain_product(other: UnionMap) -> UnionMap = isl_union_map_flat_domain_product;
    intersect_domain(set: UnionSet) -> UnionMap = isl_union_map_intersect_domain;
    intersect_range(set: UnionSet) -> UnionMap = isl_union_map_intersect_range;
    gist_domain(set: UnionSet) -> UnionMap = isl_union_map_gist_domain;
    gist_range(set: UnionSet) -> UnionMap = isl_union_map_gist_range;
    subtract_domain(set: UnionSet) -> UnionMap = isl_union_map_subtract_domain;
    subtract_range(set: UnionSet) -> UnionMap = isl_union_map_subtract_range;
    preimage_domain_union_pw_multi_aff(by: UnionPwMultiAff) -> UnionMap = isl_union_map_preimage_domain_union_pw_multi_aff;
    preimage_range_union_pw_multi_aff(by: UnionPwMultiAff) -> UnionMap = isl_union_map_preimage_range_union_pw_multi_aff;
    gist_params(set: Set) -> UnionMap = isl_union_map_gist_params;
    intersect_params(set: Set) -> UnionMap = isl_union_map_intersect_params;
}

isl_tests! { UnionMap:
    is_empty() = isl_union_map_is_empty;
    is_single_valued() = isl_union_map_is_single_valued;
    is_injective() = isl_union_map_is_injective;
    is_bijective() = isl_union_map_is_bijective;
    is_equal(other) = isl_union_map_is_equal;
    is_subset(other) = isl_union_map_is_subset;
    is_strict_subset(other) = isl_union_map_is_strict_subset;
    is_disjoint(other) = isl_union_map_is_disjoint;
}

isl_methods! { PwAff:
    add(other: PwAff) -> PwAff = isl_pw_aff_add;
    sub(other: PwAff) -> PwAff = isl_pw_aff_sub;
    mul(other: PwAff) -> PwAff = isl_pw_aff_mul;
    min(other: PwAff) -> PwAff = isl_pw_aff_min;
    max(other: PwAff) -> PwAff = isl_pw_aff_max;
    union_add(other: PwAff) -> PwAff = isl_pw_aff_union_add;
    union_min(other: PwAff) -> PwAff = isl_pw_aff_union_min;
    union_max(other: PwAff) -> PwAff = isl_pw_aff_union_max;
    tdiv_q(other: PwAff) -> PwAff = isl_pw_aff_tdiv_q;
    tdiv_r(other: PwAff) -> PwAff = isl_pw_aff_tdiv_r;
    coalesce() -> PwAff = isl_pw_aff_coalesce;
    floor() -> PwAff = isl_pw_aff_floor;
    ceil() -> PwAff = isl_pw_aff_ceil;
    neg() -> PwAff = isl_pw_aff_neg;
    ge_set(other: PwAff) -> Set = isl_pw_aff_ge_set;
    gt_set(other: PwAff) -> Set = isl_pw_aff_gt_set;
    le_set(other: PwAff) -> Set = isl_pw_aff_le_set;
    lt_set(other: PwAff) -> Set = isl_pw_aff_lt_set;
    eq_set(other: PwAff) -> Set = isl_pw_aff_eq_set;
    ne_set(other: PwAff) -> Set = isl_pw_aff_ne_set;
    domain() -> Set = isl_pw_aff_domain;
    nonneg_set() -> Set = isl_pw_aff_nonneg_set;
    pos_set() -> Set = isl_pw_aff_pos_set;
    zero_set() -> Set = isl_pw_aff_zero_set;
    non_zero_set() -> Set = isl_pw_aff_non_zero_set;
    intersect_domain(set: Set) -> PwAff = isl_pw_aff_intersect_domain;
    subtract_domain(set: Set) -> PwAff = isl_pw_aff_subtract_domain;
    gist(set: Set) -> PwAff = isl_pw_aff_gist;
    pullback_pw_multi_aff(by: PwMultiAff) -> PwAff = isl_pw_aff_pullback_pw_multi_aff;
    cond(then: PwAff, otherwise: PwAff) -> PwAff = isl_pw_aff_cond;
    to_pw_multi_aff() -> PwMultiAff = isl_pw_multi_aff_from_pw_aff;
    as_map() -> Map = isl_map_from_pw_aff;
}

isl_tests! { PwAff:
    is_equal(other) = isl_pw_aff_is_equal;
}

isl_methods! { PwMultiAff:
    add(other: PwMultiAff) -> PwMultiAff = isl_pw_multi_aff_add;
    sub(other: PwMultiAff) -> PwMultiAff = isl_pw_multi_aff_sub;
    product(other: PwMultiAff) -> PwMultiAff = isl_pw_multi_aff_product;
    range_product(other: PwMultiAff) -> PwMultiAff = isl_pw_multi_aff_range_product;
    flat_range_product(other: PwMultiAff) -> PwMultiAff = isl_pw_multi_aff_flat_range_product;
    union_add(other: PwMultiAff) -> PwMultiAff = isl_pw_multi_aff_union_add;
    union_lexmin(other: PwMultiAff) -> PwMultiAff = isl_pw_multi_aff_union_lexmin;
    union_lexmax(other: PwMultiAff) -> PwMultiAff = isl_pw_multi_aff_union_lexmax;
    pullback_pw_multi_aff(other: PwMultiAff) -> PwMultiAff = isl_pw_multi_aff_pullback_pw_multi_aff;
    coalesce() -> PwMultiAff = isl_pw_multi_aff_coalesce;
    neg() -> PwMultiAff = isl_pw_multi_aff_neg;
    domain() -> Set = isl_pw_multi_aff_domain;
    as_map() -> Map = isl_map_from_pw_multi_aff;
    intersect_domain(set: Set) -> PwMultiAff = isl_pw_multi_aff_intersect_domain;
    subtract_domain(set: Set) -> PwMultiAff = isl_pw_multi_aff_subtract_domain;
    gist(set: Set) -> PwMultiAff = isl_pw_multi_aff_gist;
}

isl_tests! { PwMultiAff:
    is_equal(other) = isl_pw_multi_aff_is_equal;
}

isl_methods! { UnionPwAff:
    add(other: UnionPwAff) -> UnionPwAff = isl_union_pw_aff_add;
    sub(other: UnionPwAff) -> UnionPwAff = isl_union_pw_aff_sub;
    union_add(other: UnionPwAff) -> UnionPwAff = isl_union_pw_aff_union_add;
    coalesce() -> UnionPwAff = isl_union_pw_aff_coalesce;
    floor() -> UnionPwAff = isl_union_pw_aff_floor;
    neg() -> UnionPwAff = isl_union_pw_aff_neg;
    intersect_domain(set: UnionSet) -> UnionPwAff = isl_union_pw_aff_intersect_domain;
    subtract_domain(set: UnionSet) -> UnionPwAff = isl_union_pw_aff_subtract_domain;
    gist(set: UnionSet) -> UnionPwAff = isl_union_pw_aff_gist;
    domain() -> UnionSet = isl_union_pw_aff_domain;
    zero_union_set() -> UnionSet = isl_union_pw_aff_zero_union_set;
    as_union_map() -> UnionMap = isl_union_map_from_union_pw_aff;
    pullback_union_pw_multi_aff(by: UnionPwMultiAff) -> UnionPwAff = isl_union_pw_aff_pullback_union_pw_multi_aff;
}

isl_methods! { UnionPwMultiAff:
    add(other: UnionPwMultiAff) -> UnionPwMultiAff = isl_union_pw_multi_aff_add;
    sub(other: UnionPwMultiAff) -> UnionPwMultiAff = isl_union_pw_multi_aff_sub;
    union_add(other: UnionPwMultiAff) -> UnionPwMultiAff = isl_union_pw_multi_aff_union_add;
    pullback_union_pw_multi_aff(other: UnionPwMultiAff) -> UnionPwMultiAff = isl_union_pw_multi_aff_pullback_union_pw_multi_aff;
    flat_range_product(other: UnionPwMultiAff) -> UnionPwMultiAff = isl_union_pw_multi_aff_flat_range_product;
    range_product(other: UnionPwMultiAff) -> UnionPwMultiAff = isl_union_pw_multi_aff_range_product;
    coalesce() -> UnionPwMultiAff = isl_union_pw_multi_aff_coalesce;
    neg() -> UnionPwMultiAff = isl_union_pw_multi_aff_neg;
    intersect_domain(set: UnionSet) -> UnionPwMultiAff = isl_union_pw_multi_aff_intersect_domain;
    subtract_domain(set: UnionSet) -> UnionPwMultiAff = isl_union_pw_multi_aff_subtract_domain;
    gist(set: UnionSet) -> UnionPwMultiAff = isl_union_pw_multi_aff_gist;
    domain() -> UnionSet = isl_union_pw_multi_aff_domain;
    as_union_map() -> UnionMap = isl_union_map_from_union_pw_multi_aff;
}

isl_methods! { PwQPolynomial:
    domain() -> Set = isl_pw_qpolynomial_domain;
}

isl_scalings! {
    scale = isl_pw_aff_scale_val;
    scale_down = isl_pw_aff_scale_down_val;
    mod_val = isl_pw_aff_mod_val;
}

/// Dimensions of a set or the range of a relation, in isl's numbering of kinds.
pub const DIM_SET: c_int = 3;
/// Dimensions of the domain of a relation.
pub const DIM_IN: c_int = 2;
/// Parameters.
pub const DIM_PARAM: c_int = 1;

impl Set {
    /// Number of disjuncts.
    pub fn n_basic(&self) -> usize {
        // SAFETY: the object is valid.
        usize::try_from(unsafe { ffi::isl_set_n_basic_set(self.ptr) }).unwrap_or(0)
    }

    /// Projection of set dimensions.
    pub fn project_out(&self, first: usize, n: usize) -> Option<Set> {
        self.project_out_of(DIM_SET, first, n)
    }

    /// Projection of dimensions of a kind.
    pub fn project_out_of(&self, kind: c_int, first: usize, n: usize) -> Option<Set> {
        let (first, n) = (c_int::try_from(first).ok()?, c_int::try_from(n).ok()?);
        // SAFETY: isl takes over the copy.
        let ptr = unsafe { ffi::isl_set_project_out(self.give(), kind, first, n) };
        Set::own(ptr, &self.context)
    }

    /// The part where a dimension has a value.
    pub fn fix(&self, kind: c_int, pos: usize, value: i32) -> Option<Set> {
        // SAFETY: isl takes over the copy.
        let ptr = unsafe { ffi::isl_set_fix_si(self.give(), kind, c_int::try_from(pos).ok()?, value) };
        Set::own(ptr, &self.context)
    }

    /// The part where a dimension is at least a value.
    pub fn lower_bound(&self, kind: c_int, pos: usize, value: i32) -> Option<Set> {
        // SAFETY: isl takes over the copy.
        let ptr = unsafe { ffi::isl_set_lower_bound_si(self.give(), kind, c_int::try_from(pos).ok()?, value) };
        Set::own(ptr, &self.context)
    }

    /// The part where a dimension is at most a value.
    pub fn upper_bound(&self, kind: c_int, pos: usize, value: i32) -> Option<Set> {
        // SAFETY: isl takes over the copy.
        let ptr = unsafe { ffi::isl_set_upper_bound_si(self.give(), kind, c_int::try_from(pos).ok()?, value) };
        Set::own(ptr, &self.context)
    }

    /// The smallest value of a dimension as a function of the parameters.
    pub fn dim_min(&self, pos: usize) -> Option<PwAff> {
        // SAFETY: isl takes over the copy.
        let ptr = unsafe { ffi::isl_set_dim_min(self.give(), c_int::try_from(pos).ok()?) };
        PwAff::own(ptr, &self.context)
    }

    /// The largest value of a dimension as a function of the parameters.
    pub fn dim_max(&self, pos: usize) -> Option<PwAff> {
        // SAFETY: isl takes over the copy.
        let ptr = unsafe { ffi::isl_set_dim_max(self.give(), c_int::try_from(pos).ok()?) };
        PwAff::own(ptr, &self.context)
    }
    /// The smallest points as a function of the parameters in `domain`, and the part of `domain`
    /// without any.
    pub fn partial_lexmin(&self, domain: &Set) -> Option<(Set, Set)> {
        let mut empty = std::ptr::null_mut();
        // SAFETY: isl takes over the copies and writes a new object to `empty`.
        let found = unsafe { ffi::isl_set_partial_lexmin(self.give(), domain.give(), &raw mut empty) };
        let (found, empty) = (Set::own(found, &self.context), Set::own(empty, &self.context));
        found.zip(empty)
    }

    /// The largest points as a function of the parameters in `domain`, and the part of `domain`
    /// without any.
    pub fn partial_lexmax(&self, domain: &Set) -> Option<(Set, Set)> {
        let mut empty = std::ptr::null_mut();
        // SAFETY: isl takes over the copies and writes a new object to `empty`.
        let found = unsafe { ffi::isl_set_partial_lexmax(self.give(), domain.give(), &raw mut empty) };
        let (found, empty) = (Set::own(found, &self.context), Set::own(empty, &self.context));
        found.zip(empty)
    }
}

impl Map {
    /// The smallest value of an output dimension as a function of the domain.
    pub fn dim_min(&self, pos: usize) -> Option<PwAff> {
        // SAFETY: isl takes over the copy.
        let ptr = unsafe { ffi::isl_map_dim_min(self.give(), c_int::try_from(pos).ok()?) };
        PwAff::own(ptr, &self.context)
    }

    /// The largest value of an output dimension as a function of the domain.
    pub fn dim_max(&self, pos: usize) -> Option<PwAff> {
        // SAFETY: isl takes over the copy.
        let ptr = unsafe { ffi::isl_map_dim_max(self.give(), c_int::try_from(pos).ok()?) };
        PwAff::own(ptr, &self.context)
    }

    /// Number of disjuncts.
    pub fn n_basic(&self) -> usize {
        // SAFETY: the object is valid.
        usize::try_from(unsafe { ffi::isl_map_n_basic_map(self.ptr) }).unwrap_or(0)
    }

    /// Projection of dimensions of a kind.
    pub fn project_out_of(&self, kind: c_int, first: usize, n: usize) -> Option<Map> {
        let (first, n) = (c_int::try_from(first).ok()?, c_int::try_from(n).ok()?);
        // SAFETY: isl takes over the copy.
        let ptr = unsafe { ffi::isl_map_project_out(self.give(), kind, first, n) };
        Map::own(ptr, &self.context)
    }

    /// The part where a dimension has a value.
    pub fn fix(&self, kind: c_int, pos: usize, value: i32) -> Option<Map> {
        // SAFETY: isl takes over the copy.
        let ptr = unsafe { ffi::isl_map_fix_si(self.give(), kind, c_int::try_from(pos).ok()?, value) };
        Map::own(ptr, &self.context)
    }

    /// The smallest images of the points of `domain`, and the part of `domain` without any.
    pub fn partial_lexmin(&self, domain: &Set) -> Option<(Map, Set)> {
        let mut empty = std::ptr::null_mut();
        // SAFETY: isl takes over the copies and writes a new object to `empty`.
        let found = unsafe { ffi::isl_map_partial_lexmin(self.give(), domain.give(), &raw mut empty) };
        Map::own(found, &self.context).zip(Set::own(empty, &self.context))
    }

    /// The largest images of the points of `domain`, and the part of `domain` without any.
    pub fn partial_lexmax(&self, domain: &Set) -> Option<(Map, Set)> {
        let mut empty = std::ptr::null_mut();
        // SAFETY: isl takes over the copies and writes a new object to `empty`.
        let found = unsafe { ffi::isl_map_partial_lexmax(self.give(), domain.give(), &raw mut empty) };
        Map::own(found, &self.context).zip(Set::own(empty, &self.context))
    }
}

impl UnionMap {
    /// Projection of parameters.
    pub fn project_out_params(&self, first: usize, n: usize) -> Option<UnionMap> {
        let (first, n) = (c_int::try_from(first).ok()?, c_int::try_from(n).ok()?);
        // SAFETY: isl takes over the copy.
        let ptr = unsafe { ffi::isl_union_map_project_out(self.give(), DIM_PARAM, first, n) };
        UnionMap::own(ptr, &self.context)
    }

    /// The number of the parameter with a name.
    pub fn find_param(&self, name: &str) -> Option<usize> {
        let name = CString::new(name).ok()?;
        // SAFETY: the object and the string are valid and only looked at.
        let found = unsafe { ffi::isl_union_map_find_dim_by_name(self.ptr, DIM_PARAM, name.as_ptr()) };
        usize::try_from(found).ok()
    }
}

impl PwAff {
    /// `floor(self / divisor)`.
    pub fn floor_div(&self, divisor: i32) -> Option<PwAff> {
        self.scale_down(divisor.into())?.floor()
    }
}
