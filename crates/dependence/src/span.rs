//! Where the elements of an access lie, roughly.
//!
//! # Problem
//! Most pairs of accesses of a large program touch different parts of an array: unrolled loops, one
//! array for many fields. That two relations have no element in common is an integer program for
//! each pair; for most of them the greatest and smallest subscripts tell.
//!
//! # Algorithm
//! Bounds of all variables of a conjunction are propagated: a constraint `a x + f >= 0` bounds `x`
//! by the bound of `f`. A few rounds over all constraints find what rectangular and triangular
//! loops with constant bounds give. Bounds by parameters are none.
//!
//! # Invariant
//! A span contains every value of its dimension on the relation. The test is one-sided: spans that
//! meet say nothing.

use poly_arith::Int;
use poly_presburger::{BasicMap, DimKind, Map, Row};

/// How often bounds are propagated: through a chain of constraints so long.
const ROUNDS: usize = 3;

/// The values between two bounds, either of which may be missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    least: Option<Int>,
    greatest: Option<Int>,
}

impl Span {
    /// No value is less.
    pub(crate) fn least(&self) -> Option<&Int> {
        self.least.as_ref()
    }

    /// No value is greater.
    pub(crate) fn greatest(&self) -> Option<&Int> {
        self.greatest.as_ref()
    }

    /// No value is in both.
    pub(crate) fn is_disjoint(&self, other: &Span) -> bool {
        let below = |a: &Span, b: &Span| matches!((&a.greatest, &b.least), (Some(a), Some(b)) if a < b);
        below(self, other) || below(other, self)
    }

    /// The least span around both.
    fn hull(&self, other: &Span) -> Span {
        let both = |a: &Option<Int>, b: &Option<Int>, pick: fn(Int, Int) -> Int| match (a, b) {
            (Some(a), Some(b)) => Some(pick(a.clone(), b.clone())),
            _ => None,
        };
        Span {
            least: both(&self.least, &other.least, Int::min),
            greatest: both(&self.greatest, &other.greatest, Int::max),
        }
    }

    /// The greatest value of `factor * x` for an `x` of the span.
    fn greatest_of(&self, factor: &Int) -> Option<Int> {
        let end = if factor.is_neg() { &self.least } else { &self.greatest };
        end.as_ref().map(|end| end * factor)
    }
}

/// Per dimension of the range of a relation the span of its values. Without conjunctions there are
/// none.
pub(crate) fn range_spans(relation: &Map) -> Vec<Span> {
    let of_basic = |basic: &BasicMap| {
        let first = basic.offset(DimKind::Out);
        spans(basic)[first..first + basic.dim(DimKind::Out)].to_vec()
    };
    let all = relation.basics().iter().map(|basic| of_basic(basic));
    let hull = |a: Vec<Span>, b: Vec<Span>| a.iter().zip(&b).map(|(a, b)| a.hull(b)).collect();
    all.reduce(hull).unwrap_or_default()
}

/// Per column of a conjunction; that of the constant is 1.
fn spans(basic: &BasicMap) -> Vec<Span> {
    let mut spans = vec![Span::default(); basic.n_col()];
    spans[0] = Span { least: Some(Int::ONE), greatest: Some(Int::ONE) };
    let negated: Vec<Row> = basic.eqs().iter().map(|row| row.iter().map(|x| -x).collect()).collect();
    for _ in 0..ROUNDS {
        let before = spans.clone();
        basic.eqs().iter().chain(&negated).chain(basic.ineqs()).for_each(|row| propagate(row, &mut spans));
        if spans == before {
            break;
        }
    }
    spans
}

/// What `row >= 0` says of each of its variables.
fn propagate(row: &Row, spans: &mut [Span]) {
    let most: Vec<Option<Int>> = row
        .iter()
        .zip(spans.iter())
        .map(|(x, span)| if x.is_zero() { Some(Int::ZERO) } else { span.greatest_of(x) })
        .collect();
    // With two variables that are not bounded, nothing is.
    let unbounded: Vec<usize> = (0..row.len()).filter(|&c| most[c].is_none()).take(2).collect();
    if unbounded.len() > 1 {
        return;
    }
    for column in (1..row.len()).filter(|&c| !row[c].is_zero()) {
        if unbounded.first().is_some_and(|&only| only != column) {
            continue;
        }
        let rest: Int = (0..row.len()).filter(|&c| c != column).filter_map(|c| most[c].clone()).sum();
        // factor * x >= -rest
        let factor = &row[column];
        let span = &mut spans[column];
        if factor.is_neg() {
            let bound = rest.div_floor(&-factor);
            if span.greatest.as_ref().is_none_or(|known| bound < *known) {
                span.greatest = Some(bound);
            }
        } else {
            let bound = -&rest.div_floor(factor);
            if span.least.as_ref().is_none_or(|known| bound > *known) {
                span.least = Some(bound);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let relation: Map = text.parse().expect("the test's map parses");
        let end = |end: &Option<Int>| end.as_ref().map_or("?".to_owned(), Int::to_string);
        let spans = range_spans(&relation);
        spans.iter().map(|s| format!("{}..{}", end(&s.least), end(&s.greatest))).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn spans_contain_the_subscripts() {
        assert_eq!(shown("{ S[i, j] -> A[3 + 2i, j - i, 7] : 0 <= i < 10 and i < j <= 20 }"), "3..21 -8..20 7..7");
        assert_eq!(shown("[n] -> { S[i] -> A[i, 5 - i] : 0 <= i < n }"), "0..? ?..5");
        assert_eq!(shown("{ S[i] -> A[i] : 0 <= i < 5; S[i] -> A[i + 30] : 0 <= i < 5 }"), "0..34");
        assert_eq!(shown("{ S[i] -> A[e] : 2e = i and 3 <= i <= 9 }"), "2..4");
    }

    #[test]
    fn disjoint_spans() {
        let span = |least: Option<i64>, greatest: Option<i64>| Span {
            least: least.map(Int::from),
            greatest: greatest.map(Int::from),
        };
        let low = span(None, Some(4));
        assert!(low.is_disjoint(&span(Some(5), Some(9))) && span(Some(5), None).is_disjoint(&low));
        assert!(!low.is_disjoint(&span(Some(4), None)));
        assert!(!low.is_disjoint(&span(None, None)));
    }
}
