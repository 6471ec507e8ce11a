//! How short the results are of operations that change descriptions only: not longer than isl's.
//!
//! That results have the right points is not enough here, as a version that returns its operand
//! would do. The inputs are of the classes that need a step of their own; disjuncts are counted
//! first, then constraints, as Poly reads them.

use poly_arith::{Int, Rational};
use poly_presburger::{Coalescing, DimKind, RationalSet, Set};

use super::Check;
use crate::case::Case;
use crate::isl;

pub(super) const CHECKS: &[Check] = &[
    Check { name: "set.gist, congruences beside isl", run: gist_of_congruences },
    Check { name: "set.gist, several disjuncts beside isl", run: gist_in_several },
    Check { name: "set.coalesce, remainders beside isl", run: coalesce_remainders },
    Check { name: "set.coalesce, grids beside isl", run: coalesce_grids },
    Check { name: "set.coalesce, existentials beside isl", run: coalesce_existentials },
    Check { name: "rational-set.coalesce, beside isl", run: coalesce_rational },
    Check { name: "rational-set.is_subset, beside isl", run: compare_rational },
];

/// Disjuncts and constraints.
fn size(set: &Set) -> (usize, usize) {
    (set.n_basic(), set.basics().iter().map(|b| b.constraints().count()).sum())
}

/// Fails if a result is longer than isl's.
fn not_longer(ours: &Set, theirs: &isl::Set) {
    let text = theirs.text();
    let read: Set = text.parse().unwrap_or_else(|e| panic!("Poly rejects {text}: {e}"));
    // Reading drops what is empty on the face of it, and isl may not have seen that.
    let (disjuncts, constraints) = (theirs.n_basic().max(read.n_basic()), size(&read).1);
    assert!(size(ours) <= (disjuncts, constraints), "longer than isl's\n  ours: {ours}\n  isl: {text}");
}

/// A set in both libraries.
fn both(c: &mut Case<'_>, text: &str) -> Option<(Set, isl::Set)> {
    Some((c.read(text), isl::Set::read(c.context, text)?))
}

/// The gist is right, and not longer than isl's.
fn gist(c: &mut Case<'_>, set: &str, context: &str) -> Option<()> {
    let ((a, their_a), (b, their_b)) = (both(c, set)?, both(c, context)?);
    if a.plain_is_universe() || b.basics().iter().any(|one| one.is_universe()) {
        return Some(());
    }
    // isl joins disjuncts when it reads them.
    let a = a.coalesce_with(Coalescing::Hulls, &mut c.budget()).ok()?;
    let gist = a.gist(&b, &mut c.budget()).ok()?;
    c.same_set(&gist.intersect(&b), &their_a.intersect(&their_b)?)?;
    if !c.is_cut() {
        not_longer(&gist, &their_a.gist(&their_b)?);
    }
    Some(())
}

/// `2*a - b + 3`.
fn form(c: &mut Case<'_>, names: &[&str], most: i64) -> String {
    let terms = names.iter().map(|name| format!("{}*{name}", c.random.range(-most, most)));
    let terms: Vec<String> = terms.collect();
    format!("{} + {}", terms.join(" + "), c.random.range(-5, 5))
}

/// Conditions: one or two congruences of one form, maybe an equality between dimensions.
fn congruences(c: &mut Case<'_>) -> String {
    let names = ["a", "b", "x"];
    let mut all = Vec::new();
    // isl finds one for forms of coprime moduli whatever they are, `(x - 8b) mod 18 = 0` for `x mod
    // 2 = 0 and (x + b) mod 9 = 0`; Poly leaves these as they are.
    let form = if c.random.one_in(2) { (*c.random.pick(&names)).to_owned() } else { form(c, &names, 1) };
    for _ in 0..c.random.size(1, 2) {
        let modulus = *c.random.pick(&[2, 3, 4, 6, 8, 9, 12]);
        all.push(format!("({form}) mod {modulus} = {}", c.random.range(0, modulus - 1)));
    }
    if c.random.one_in(2) {
        let first = c.random.size(0, 2);
        all.push(format!("{} = {} + {}", names[first], names[(first + 1) % 3], c.random.range(0, 2)));
    }
    all.join(" and ")
}

fn gist_of_congruences(c: &mut Case<'_>) -> Option<()> {
    let [set, context] = [congruences(c), congruences(c)].map(|text| format!("{{ [a, b, x] : {text} }}"));
    gist(c, &set, &context)
}

/// One to so many conjunctions of inequalities over two dimensions.
fn conjunctions(c: &mut Case<'_>, least: usize, most: usize) -> String {
    let mut all = Vec::new();
    for _ in 0..c.random.size(least, most) {
        let mut one = Vec::new();
        for _ in 0..c.random.size(1, 3) {
            one.push(format!("{} >= 0", form(c, &["n", "a", "b"], 1)));
        }
        all.push(format!("({})", one.join(" and ")));
    }
    all.join(" or ")
}

fn gist_in_several(c: &mut Case<'_>) -> Option<()> {
    let [set, context] = [conjunctions(c, 1, 2), conjunctions(c, 2, 3)];
    gist(c, &format!("[n] -> {{ [a, b] : {set} }}"), &format!("[n] -> {{ [a, b] : {context} }}"))
}

/// The coalesced set is right, and not longer than isl's.
fn coalesce(c: &mut Case<'_>, text: &str) -> Option<()> {
    let (set, theirs) = both(c, text)?;
    let joined = set.coalesce_with(Coalescing::Hulls, &mut c.budget()).ok()?;
    c.same_set(&joined, &theirs)?;
    if !c.is_cut() {
        not_longer(&joined, &theirs.coalesce()?);
    }
    Some(())
}

/// Remainders of one form, from a few neighbouring intervals, with divisions that begin anywhere.
fn coalesce_remainders(c: &mut Case<'_>) -> Option<()> {
    let modulus = c.random.range(3, 9);
    let form = *c.random.pick(&["a", "a + b", "2*a - b", "3*b - a"]);
    let mut at = c.random.range(0, modulus - 1);
    let mut all = Vec::new();
    for _ in 0..c.random.size(2, 3) {
        let last = at + c.random.range(0, modulus / 3);
        all.push(format!("(exists q : {modulus}*q + {at} <= {form} <= {modulus}*q + {last})"));
        at = last + 1 + modulus * c.random.range(-1, 1);
    }
    let bounds = *c.random.pick(&["", " and 0 <= a <= 30", " and a >= b"]);
    coalesce(c, &format!("{{ [a, b] : ({}){bounds} }}", all.join(" or ")))
}

/// The points of a grid in a box.
fn coalesce_grids(c: &mut Case<'_>) -> Option<()> {
    let mut all = Vec::new();
    for name in ["a", "b"] {
        let (low, modulus) = (c.random.range(0, 6), c.random.range(1, 4));
        all.push(format!("{low} <= {name} <= {}", low + c.random.range(0, 4)));
        all.push(format!("{name} mod {modulus} = {}", c.random.range(0, modulus - 1)));
    }
    coalesce(c, &format!("{{ [a, b] : {} }}", all.join(" and ")))
}

/// Multiples of a number within so little of each other that they are the same, and something else.
fn coalesce_existentials(c: &mut Case<'_>) -> Option<()> {
    let tile = *c.random.pick(&[4, 8, 32]);
    let bound = |c: &mut Case<'_>| tile - c.random.range(1, 2);
    let (b, more, less) = (bound(c), bound(c), bound(c));
    let tiles = format!(
        "exists (e, p, q : {tile}*p = a and {tile}*q = b and -{b} <= a - b <= {b} and -{more} <= x - a <= {more} \
         and -{less} <= {tile}*e - a <= {less} and x - {tile} < {tile}*e < x + {tile})"
    );
    let other = *c.random.pick(&["a >= 0", "x >= b", "a >= 5 and b <= 2", "false"]);
    coalesce(c, &format!("{{ [a, b, x] : ({tiles}) or {other} }}"))
}

/// A rational set of one to three polyhedra with small coefficients.
fn rational(c: &mut Case<'_>) -> String {
    let mut items = Vec::new();
    for _ in 0..c.random.size(1, 3) {
        let mut all = Vec::new();
        for _ in 0..c.random.size(1, 4) {
            all.push(format!("{} >= 0", form(c, &["a", "b"], 2)));
        }
        items.push(format!("rat: [a, b] : {}", all.join(" and ")));
    }
    format!("{{ {} }}", items.join("; "))
}

/// Both libraries read a rational set; isl also reads what Poly prints.
fn both_rational(c: &mut Case<'_>) -> Option<(RationalSet, isl::Set)> {
    let text = rational(c);
    let (ours, theirs) = (c.read::<RationalSet>(&text), isl::Set::read(c.context, &text)?);
    assert!(isl::Set::read(c.context, &ours.to_string())?.is_equal(&theirs)?, "{text} became {ours}");
    Some((ours, theirs))
}

fn coalesce_rational(c: &mut Case<'_>) -> Option<()> {
    let (set, theirs) = both_rational(c)?;
    let joined = set.coalesce(&mut c.budget()).ok()?;
    assert!(isl::Set::read(c.context, &joined.to_string())?.is_equal(&theirs)?, "{set} became {joined}");
    let expected = theirs.coalesce()?;
    assert!(
        joined.systems().len() <= expected.n_basic(),
        "longer than isl's\n  ours: {joined}\n  isl: {}",
        expected.text()
    );
    Some(())
}

/// Points with denominators up to four and six, around the origin.
fn grid() -> impl Iterator<Item = [Rational; 2]> {
    let coordinate = |i: i64| Rational::new(Int::from(i), Int::from(12));
    (-72..=72).flat_map(move |i| (-72..=72).map(move |k| [coordinate(i), coordinate(k)]))
}

fn compare_rational(c: &mut Case<'_>) -> Option<()> {
    let ((a, their_a), (b, their_b)) = (both_rational(c)?, both_rational(c)?);
    let inside = a.is_subset(&b, &mut c.budget()).ok()?;
    // isl subtracts as if for integer points, so what it finds for rational sets is only necessary.
    let theirs = their_a.is_subset(&their_b)?;
    assert!(theirs || !inside, "{a} in {b}");
    if inside || theirs {
        assert_eq!(inside, grid().all(|point| !a.contains(&point) || b.contains(&point)), "{a} in {b}");
    }
    let both = a.intersect(&b);
    assert!(
        isl::Set::read(c.context, &both.to_string())?.is_equal(&their_a.intersect(&their_b)?)?,
        "{a} and {b}: {both}"
    );
    let none = both.is_empty(&mut c.budget()).ok()?;
    assert_eq!(none, their_a.intersect(&their_b)?.is_empty()?, "{both}");
    let shadow = a.project_out(DimKind::Out, 1, 1, &mut c.budget()).ok()?;
    let theirs = their_a.project_out(1, 1)?;
    assert!(
        isl::Set::read(c.context, &shadow.to_string())?.is_equal(&theirs)?,
        "shadow of {a}: {shadow}, isl: {}",
        theirs.text()
    );
    Some(())
}
