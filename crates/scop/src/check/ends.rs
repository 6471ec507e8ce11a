//! The first and the last element of an array that are accessed.
//!
//! # Problem
//! Arrays often lie directly one behind the other: allocated so, or cut from one block. An interval
//! of bytes that is longer than what is accessed meets the next array, and the original code runs
//! for nothing. So it is too long when whole rows are taken: the last row of a matrix with rows of
//! `lda` elements, of which `n` are used, ends behind `n` of them, and the diagonal of a square
//! matrix, of which the shape is one with rows of `n + 1` elements, ends at the first element of
//! the last row.
//!
//! # Definitions
//! The *distance* of an element is the number of elements before it: its outermost subscript times
//! the length of a row, plus its place in the row. Where the other subscripts lie in their
//! dimensions, the order of distances is the lexicographic order of subscripts. An [`End`] is an
//! element with subscripts that are functions of the parameters, of which all but the outermost are
//! moved into their dimensions when they are outside.
//!
//! # Algorithm
//! 1. All actual accesses are to elements of which the inner subscripts lie in their dimensions;
//!    the relation of an access, which may contain more, is restricted to these elements. The
//!    innermost subscript is restricted only if it has no bounds otherwise: to move it into its
//!    dimension later comes to the same, as no other subscript is behind it.
//! 2. The lexicographically smallest and largest elements of each disjunct are found by parametric
//!    integer programming \[Feautrier1988\]: a list of ends, one for each piece.
//! 3. Where that costs more than its part of the budget, or gives too many pieces, the ends are
//!    those of whole rows, from the piecewise minimum and maximum of the outermost subscript; where
//!    these cost too much, too (subscripts modulo a large number have many pieces), bounds of its
//!    rational relaxation take their place.
//! 4. An end is left out of the list if another one is never inside of it ([`End::reaches`]).
//!
//! # Invariants
//! For all parameter values for which an element is accessed, its distance is neither smaller than
//! that of the smallest of the first ends nor larger than that of the largest of the last ones.
//! Outside of the domain of its piece an end is any element, which only makes the interval longer;
//! it is never longer than that of whole rows of the same outermost subscripts, as inner subscripts
//! are moved into their dimensions.

use poly_arith::{Int, Rational};
use poly_presburger::{Aff, Budget, DimKind, MultiAff, PwAff, PwMultiAff, Set, SolveError, Space, Stop};

use super::bounding_rows;
use crate::plan::End;

/// What the exact bounds of one access may cost: this many operations, and not more than this part
/// of what is left.
const EXACT_BOUNDS: u64 = 500_000;
const EXACT_PART: u64 = 20;
/// More ends of one access are not worth what it costs to compute them before each execution.
const MOST_ENDS: usize = 4;

/// The first and the last elements.
#[derive(Default)]
pub(super) struct Ends {
    pub(super) first: Vec<End>,
    pub(super) last: Vec<End>,
}

/// In which direction an end is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    First,
    Last,
}

impl Ends {
    /// Ends of a set of elements, in an array with these sizes of the inner dimensions; `None` if
    /// there are none for some parameters.
    ///
    /// # Errors
    /// [`Stop`] when the budget runs out.
    pub(super) fn of(elements: &Set, extents: &[Aff], budget: &mut Budget) -> Result<Option<Self>, Stop> {
        if let Ok(Some(ends)) = in_part(budget, |part| Self::in_rows(elements, extents, part)) {
            return Ok(Some(ends));
        }
        let outermost = elements.project_out(DimKind::Out, 1, extents.len());
        let bounds = match in_part(budget, |part| exact_bounds(&outermost, part)) {
            Ok(bounds) => bounds,
            Err(Stop) => relaxed_bounds(&outermost, budget)?,
        };
        let whole = |bounds: Vec<Aff>| bounds.into_iter().map(|outermost| End { outermost, inner: None }).collect();
        Ok(bounds.map(|(min, max)| Self { first: whole(min), last: whole(max) }))
    }

    /// The ends by all subscripts; `None` if there are no inner ones, or no ends that are worth it.
    fn in_rows(elements: &Set, extents: &[Aff], budget: &mut Budget) -> Result<Option<Self>, Stop> {
        let Some((_, outer)) = extents.split_last() else { return Ok(None) };
        let found = Self::by_elements(&in_their_dimensions(elements, outer), extents, budget);
        let found = match found {
            Err(SolveError::Unbounded) => Self::by_elements(&in_their_dimensions(elements, extents), extents, budget),
            found => found,
        };
        Ok(found?.filter(|ends| !ends.first.is_empty()))
    }

    /// The smallest and largest elements; `None` if they have too many pieces.
    fn by_elements(elements: &Set, extents: &[Aff], budget: &mut Budget) -> Result<Option<Self>, SolveError> {
        let mut ends = Self::default();
        for basic in elements.basics() {
            let basic = Set::from_basic(basic.as_ref().clone().into());
            let (min, max) = (basic.lexmin(budget)?, basic.lexmax(budget)?);
            ends.merge(Self {
                first: elements_of(&min, |inner| inner.iter().all(|x| is_number(x, 0))),
                last: elements_of(&max, |inner| inner.iter().zip(extents).all(|(x, e)| is_number(&e.sub(x), 1))),
            });
            if ends.first.len() > MOST_ENDS || ends.last.len() > MOST_ENDS {
                return Ok(None);
            }
        }
        Ok(Some(ends))
    }

    /// Adds the ends of more elements.
    pub(super) fn merge(&mut self, more: Self) {
        more.first.into_iter().for_each(|end| add(&mut self.first, end, Side::First));
        more.last.into_iter().for_each(|end| add(&mut self.last, end, Side::Last));
    }
}

impl End {
    /// Whether this end is never inside of another one, for parameters for which the other one is
    /// an element that is accessed. Functions are compared if their difference is constant.
    fn reaches(&self, other: &Self, side: Side) -> bool {
        let further = |this: &Aff, other: &Aff| {
            let difference = if side == Side::Last { this.sub(other) } else { other.sub(this) };
            difference.constant_value()
        };
        let is_not_before = |this: &Aff, other: &Aff| further(this, other).is_some_and(|d| d >= Rational::from(0));
        match further(&self.outermost, &other.outermost) {
            // The values of the other function are integers, those of this one may be rounded down.
            Some(rows) if rows >= Rational::from(1) => true,
            Some(rows) if rows == Rational::from(0) => match (&self.inner, &other.inner) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(this), Some(other)) => this.iter().zip(other).all(|(x, y)| is_not_before(x, y)),
            },
            _ => false,
        }
    }
}

/// Adds an end to others if it is needed, and takes away what is not needed with it.
fn add(ends: &mut Vec<End>, end: End, side: Side) {
    if !ends.iter().any(|known| known.reaches(&end, side)) {
        ends.retain(|known| !end.reaches(known, side));
        ends.push(end);
    }
}

/// Something within the part of a budget that the exact bounds of one access may cost.
fn in_part<T>(budget: &mut Budget, exact: impl FnOnce(&mut Budget) -> Result<T, Stop>) -> Result<T, Stop> {
    let mut part = budget.sub(EXACT_BOUNDS.min(budget.remaining() / EXACT_PART));
    let result = exact(&mut part);
    budget.absorb(&part);
    result
}

/// The elements of which the inner subscripts lie in dimensions with these sizes.
fn in_their_dimensions(elements: &Set, extents: &[Aff]) -> Set {
    let space = elements.space().clone();
    let zero = PwAff::constant(space.clone(), 0);
    let mut result = elements.clone();
    for (k, extent) in extents.iter().enumerate() {
        let subscript = PwAff::var(space.clone(), DimKind::Out, 1 + k);
        let extent = PwAff::from_aff(extent.clone()).pullback(&MultiAff::projection(&space, 0, 0));
        result = result.intersect(&subscript.ge_set(&zero)).intersect(&subscript.lt_set(&extent));
    }
    result
}

/// The elements that the pieces of a function give; `is_whole` says of the inner subscripts that
/// they are those of the end of a row.
fn elements_of(function: &PwMultiAff, is_whole: impl Fn(&[Aff]) -> bool) -> Vec<End> {
    let end = |(_, subscripts): &(Set, MultiAff)| {
        let (outermost, inner) = subscripts.affs().split_first().expect("arrays have dimensions");
        End { outermost: outermost.clone(), inner: (!is_whole(inner)).then(|| inner.to_vec()) }
    };
    function.pieces().iter().map(end).collect()
}

fn is_number(function: &Aff, number: i64) -> bool {
    function.constant_value().is_some_and(|value| value == Rational::from(number))
}

/// Lower and upper bounds of a subscript: the smallest and the largest of these functions.
type Bounds = (Vec<Aff>, Vec<Aff>);

/// The smallest and largest value of a set of numbers; `None` when there are none for some
/// parameters. Where a piece is evaluated outside its domain the interval only gets wider.
fn exact_bounds(values: &Set, budget: &mut Budget) -> Result<Option<Bounds>, Stop> {
    if !values.is_bounded(budget)? {
        return Ok(None);
    }
    let pieces = |bound: PwAff| bound.pieces().iter().map(|(_, piece)| piece.clone()).collect();
    Ok(Some((pieces(values.dim_min(0, budget)?), pieces(values.dim_max(0, budget)?))))
}

/// Bounds of the rational relaxation of each disjunct, rounded outwards; `None` when one has none.
fn relaxed_bounds(values: &Set, budget: &mut Budget) -> Result<Option<Bounds>, Stop> {
    let space = values.space();
    let params = space.params.len();
    let (mut min, mut max) = (Vec::new(), Vec::new());
    for basic in values.basics() {
        let bounds = bounding_rows(&basic.to_system(), params, 0, budget)?;
        // Of several bounds any will do; the one with the fewest parameters is the cheapest to
        // test.
        let cheapest = |rows: Vec<Vec<Int>>| {
            rows.into_iter().min_by_key(|row| row[1..=params].iter().filter(|x| !x.is_zero()).count())
        };
        let (Some(lower), Some(upper)) = (cheapest(bounds.lower), cheapest(bounds.upper)) else { return Ok(None) };
        let space = Space::params(space.params.to_vec());
        let function = |row: Vec<Int>| Aff::from_row(space.clone(), row, Int::ONE);
        // a x + f >= 0 gives x >= -f / a, and f - b x >= 0 gives x <= f / b.
        min.push(function(lower[..=params].iter().map(|x| -x).collect()).floor_div(lower[1 + params].clone()));
        max.push(function(upper[..=params].to_vec()).floor_div(-&upper[1 + params]));
    }
    Ok(Some((min, max)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{set, value};
    use super::*;

    /// The function of a text as `[n, m] -> { [f] }`, for the sizes of dimensions.
    fn function(params: &str, text: &str) -> Aff {
        let function: PwAff = format!("{params} -> {{ [({text})] }}").parse().expect("the function can be read");
        let [(_, aff)] = function.pieces() else { panic!("one piece is expected") };
        aff.clone()
    }

    fn sizes(params: &str, sizes: &[&str]) -> Vec<Aff> {
        sizes.iter().map(|size| function(params, size)).collect()
    }

    fn ends(elements: &str, extents: &[&str]) -> Ends {
        let params = &elements[..=elements.find(']').expect("there are parameters")];
        let found = Ends::of(&set(elements), &sizes(params, extents), &mut Budget::unlimited()).unwrap();
        found.expect("the elements have bounds")
    }

    fn shown(ends: &[End]) -> Vec<String> {
        let show = |end: &End| match &end.inner {
            None => format!("{} row", text(&end.outermost)),
            Some(inner) => std::iter::once(&end.outermost).chain(inner).map(text).collect::<Vec<_>>().join(", "),
        };
        ends.iter().map(show).collect()
    }

    fn text(function: &Aff) -> String {
        let text = function.to_string();
        let inside = text.split_once("{ ").map_or(text.as_str(), |(_, rest)| rest.trim_end_matches(" }"));
        inside.trim_start_matches('[').trim_end_matches(']').trim_matches(['(', ')']).to_string()
    }

    /// The place of a list of ends, for values of the parameters and the extents.
    fn place(ends: &[End], side: Side, params: &[i64], extents: &[i64]) -> Int {
        let of = |end: &End| {
            let mut place = value(std::slice::from_ref(&end.outermost), params)[0].clone();
            let inner = end.inner.as_ref().map(|inner| value(inner, params));
            for (k, &extent) in extents.iter().enumerate() {
                let at_end = Int::from(if side == Side::First { 0 } else { extent - 1 });
                let subscript = inner.as_ref().map_or(at_end, |inner| inner[k].clone());
                place = &place * &Int::from(extent) + subscript.min(Int::from(extent - 1)).max(Int::ZERO);
            }
            place
        };
        let places = ends.iter().map(of);
        if side == Side::First { places.min().unwrap() } else { places.max().unwrap() }
    }

    /// Compares with all elements between -9 and 12 of which the inner subscripts are inside:
    /// whether the ends are exactly these, and never inside of them.
    fn is_exact(elements: &str, extents: &[&str], params: &[i64]) -> bool {
        let found = ends(elements, extents);
        let names = &elements[..=elements.find(']').expect("there are parameters")];
        let sizes = value(&sizes(names, extents), params);
        let sizes: Vec<i64> = sizes.iter().map(|size| size.to_i64().expect("sizes are small")).collect();
        let elements = set(elements);
        let numbers: Vec<Int> = params.iter().map(|&p| Int::from(p)).collect();
        let mut points = vec![(Vec::new(), 0)];
        for k in 0..=sizes.len() {
            let (from, to, size) = if k == 0 { (-9, 13, 0) } else { (0, sizes[k - 1], sizes[k - 1]) };
            let next = |(point, place): &(Vec<Int>, i64)| {
                let (point, place) = (point.clone(), place * size);
                (from..to).map(move |x| ([point.clone(), vec![Int::from(x)]].concat(), place + x)).collect::<Vec<_>>()
            };
            points = points.iter().flat_map(next).collect();
        }
        let places = points.iter().filter(|(point, _)| elements.contains(&numbers, point)).map(|(_, place)| *place);
        let Some((min, max)) =
            places.fold(None, |all, p| Some(all.map_or((p, p), |(min, max): (i64, i64)| (min.min(p), max.max(p)))))
        else {
            return true;
        };
        let first = place(&found.first, Side::First, params, &sizes);
        let last = place(&found.last, Side::Last, params, &sizes);
        let (min, max) = (Int::from(min), Int::from(max));
        assert!(first <= min, "{elements} for {params:?}: {first} is behind {min}");
        assert!(last >= max, "{elements} for {params:?}: {last} is before {max}");
        first == min && last == max
    }

    #[test]
    fn a_diagonal_ends_in_the_first_column_of_its_shape() {
        let triangle = "[n] -> { [i, j] : 0 <= i < n and 0 <= j < n - i }";
        let found = ends(triangle, &["n + 1"]);
        assert_eq!((shown(&found.first), shown(&found.last)), (vec!["0 row".into()], vec!["-1 + n, 0".to_string()]));
        assert!((1..9).all(|n| is_exact(triangle, &["n + 1"], &[n])));
        let constant = ends("[n] -> { [i, j] : 0 <= i < 2600 and 0 <= j < 2600 - i }", &["2601"]);
        assert_eq!(shown(&constant.last), ["2599, 0"]);
    }

    #[test]
    fn slices_end_before_the_row_does() {
        let slice = "[n, m, l] -> { [i, j] : 0 <= i < n and 1 <= j <= m }";
        let found = ends(slice, &["l"]);
        assert_eq!(
            (shown(&found.first), shown(&found.last)),
            (vec!["0, 1".to_string()], vec!["-1 + n, m".to_string()])
        );
        for (n, m, l) in [(1, 1, 2), (4, 3, 4), (4, 3, 9), (12, 0, 5), (3, 9, 5)] {
            assert!(is_exact(slice, &["l"], &[n, m, l]), "{n} {m} {l}");
        }
        let whole = ends("[n, m] -> { [i, j, k] : 0 <= i < n and 0 <= j < m and 0 <= k < 3 }", &["m", "3"]);
        assert_eq!(
            (shown(&whole.first), shown(&whole.last)),
            (vec!["0 row".to_string()], vec!["-1 + n row".to_string()])
        );
    }

    #[test]
    fn elements_that_cannot_be_accessed_do_not_count() {
        // The second subscript is larger than its dimension in a part of the relation that no
        // actual access is in; it must not hide a larger third one.
        let beyond = "[n] -> { [i, j, k] : 0 <= i < n and 0 <= j <= 4 and 0 <= k < 6 and k <= 9 - 2j }";
        assert!((1..5).all(|n| is_exact(beyond, &["4", "6"], &[n])));
        assert_eq!(shown(&ends(beyond, &["4", "6"]).last), ["-1 + n, 3, 3"]);
        let open = "[n] -> { [i, j] : -n <= i <= -3 and j >= 2 }";
        assert_eq!(shown(&ends(open, &["7"]).last), ["-3 row"]);
        assert!((1..9).all(|n| is_exact(open, &["7"], &[n])));
        let unbounded = Ends::of(&set("[n] -> { [i, j] : i >= n }"), &sizes("[n]", &["7"]), &mut Budget::unlimited());
        assert!(unbounded.unwrap().is_none());
    }

    #[test]
    fn without_budget_rows_are_whole() {
        let triangle = set("[n] -> { [i, j] : 0 <= i < n and 0 <= j < n - i }");
        let found = Ends::of(&triangle, &sizes("[n]", &["n + 1"]), &mut Budget::new(400)).unwrap().unwrap();
        assert_eq!(shown(&found.last), ["-1 + n row"]);
    }

    #[test]
    fn only_what_may_be_outermost_is_kept() {
        let mut found = ends("[n, m] -> { [i, j] : 1 <= i < n and 1 <= j < m }", &["m + 2"]);
        found.merge(ends("[n, m] -> { [i, j] : 2 <= i <= n and 2 <= j < m }", &["m + 2"]));
        found.merge(ends("[n, m] -> { [i, j] : 1 <= i < n and 2 <= j <= m }", &["m + 2"]));
        assert_eq!(
            (shown(&found.first), shown(&found.last)),
            (vec!["1, 1".to_string()], vec!["n, -1 + m".to_string()])
        );
        found.merge(ends("[n, m] -> { [i, j] : 1 <= i <= n and 1 <= j <= 7 }", &["m + 2"]));
        assert_eq!(shown(&found.last), ["n, -1 + m", "n, 7"]);
        found.merge(ends("[n, m] -> { [i, j] : 1 <= i <= n and 0 <= j < m + 2 }", &["m + 2"]));
        assert_eq!((shown(&found.first), shown(&found.last)), (vec!["1 row".to_string()], vec!["n row".to_string()]));
    }

    #[test]
    fn ends_contain_every_element() {
        let mut state = 7u64;
        let mut number = |range: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i64::try_from(state >> 33).expect("31 bits") % range
        };
        let mut exact = 0;
        for _ in 0..60 {
            let mut row = |names: &[&str]| {
                let terms: Vec<String> = names.iter().map(|name| format!("{}{name}", number(5) - 2)).collect();
                format!("{} + {}", terms.join(" + "), number(9) - 2)
            };
            let basic = format!(
                "-6 <= i <= 9 and 0 <= j <= 5 and {} >= 0 and {} >= 0 and exists e : {} = 2e + {} and 0 <= e <= 12",
                row(&["i", "j", "n"]),
                row(&["i", "j", "k", "m"]),
                row(&["k", "i"]),
                row(&["j"])
            );
            let basic = basic.replace("0i", "0*i").replace("0j", "0*j").replace("0k", "0*k");
            let other = format!("{} >= 0 and 0 <= i < n and 1 <= j < m and 0 <= k <= j", row(&["i", "j", "k", "n"]));
            let elements = format!("[n, m] -> {{ [i, j, k] : {basic}; [i, j, k] : {other} }}");
            for params in [[0, 0], [2, 5], [5, 1], [-3, 4], [7, 7]] {
                exact += usize::from(is_exact(&elements, &["4", "5"], &params));
            }
        }
        assert!(exact > 60, "{exact} of 300 are exact");
    }

    #[test]
    fn relaxed_bounds_contain_every_value() {
        let values = set("[n, m] -> { [x] : exists i : 3 <= i < n and 2x = 5i + m; [x] : 0 <= x <= m }");
        let (min, max) = relaxed_bounds(&values, &mut Budget::unlimited()).unwrap().unwrap();
        for (n, m) in [(4, 1), (9, 4), (20, -7), (20, 30)] {
            let least = value(&min, &[n, m]).into_iter().min().unwrap();
            let most = value(&max, &[n, m]).into_iter().max().unwrap();
            for x in -40..=60i64 {
                let by_first = (3..n).any(|i| 2 * x == 5 * i + m);
                if by_first || (0..=m).contains(&x) {
                    let x = Int::from(x);
                    assert!(least <= x && x <= most, "{x} for {n}, {m}");
                }
            }
        }
        assert!(relaxed_bounds(&set("[n] -> { [x] : x >= n }"), &mut Budget::unlimited()).unwrap().is_none());
    }

    #[test]
    fn subscripts_modulo_a_large_number_are_bounded_by_it() {
        let values = set("[s] -> { [x] : exists i : 0 <= i < 300 and 0 <= s <= 65535 and x = (217i + s) mod 65536 }");
        let bounds = relaxed_bounds(&values, &mut Budget::new(20_000)).unwrap().unwrap();
        assert_eq!((value(&bounds.0, &[7]), value(&bounds.1, &[7])), (vec![0.into()], vec![65535.into()]));
    }
}
