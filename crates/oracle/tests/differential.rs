//! Poly against isl on random input.

use std::fmt::Display;
use std::str::FromStr;

use poly_oracle::generate::{self, Random, Shape};
use poly_oracle::isl;
use poly_presburger::{Budget, DimKind, Map, ParseError, PwAff, Set, Stop};

const PLAIN: Shape = Shape { divisions: true, boxed: None, max_disjuncts: 2 };
const UNION: Shape = Shape { divisions: true, boxed: None, max_disjuncts: 4 };
const BOXED: Shape = Shape { divisions: true, boxed: Some(8), max_disjuncts: 2 };

fn budget() -> Budget {
    Budget::new(3_000_000)
}

/// isl gives up after this many of its steps.
const ISL_OPERATIONS: u64 = 2_000_000;

fn read<T: FromStr<Err = ParseError>>(text: &str) -> T {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn isl_set(context: &isl::Context, text: &dyn Display) -> isl::Set {
    isl::Set::read(context, &text.to_string()).unwrap_or_else(|| panic!("isl rejects {text}"))
}

fn isl_map(context: &isl::Context, text: &dyn Display) -> isl::Map {
    isl::Map::read(context, &text.to_string()).unwrap_or_else(|| panic!("isl rejects {text}"))
}

/// Compare results for many seeds. A property returns `None` where one side gave up.
fn compare(n: u64, property: impl Fn(&mut Random, &isl::Context) -> Option<()>) {
    let context = isl::Context::new();
    let mut skipped = 0;
    for seed in 0..n {
        context.set_max_operations(ISL_OPERATIONS);
        let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| property(&mut Random::new(seed), &context)));
        match run {
            Ok(Some(())) => {}
            Ok(None) => skipped += 1,
            Err(panic) => {
                eprintln!("the failing seed is {seed}");
                std::panic::resume_unwind(panic);
            }
        }
    }
    assert!(skipped * 10 <= n, "{skipped} of {n} cases were given up");
}

fn assert_same_set(ours: &Set, theirs: &isl::Set, context: &isl::Context, what: &str) -> Option<()> {
    let equal = isl_set(context, ours).is_equal(theirs)?;
    assert!(equal, "{what}\n  ours: {ours}\n  isl: {}", theirs.text());
    let back: Set = read(&theirs.text());
    let equal = back.is_equal(ours, &mut budget()).ok()?;
    assert!(equal, "Poly finds a difference: {what}\n  ours: {ours}\n  isl: {back}");
    Some(())
}

fn assert_same_map(ours: &Map, theirs: &isl::Map, context: &isl::Context, what: &str) -> Option<()> {
    let equal = isl_map(context, ours).is_equal(theirs)?;
    assert!(equal, "{what}\n  ours: {ours}\n  isl: {}", theirs.text());
    Some(())
}

#[test]
fn parsing() {
    compare(400, |r, context| {
        let text = generate::set(r, &["i", "j"], UNION);
        assert_same_set(&read(&text), &isl_set(context, &text), context, &text)
    });
}

#[test]
fn boolean_operations() {
    compare(300, |r, context| {
        let (a, b) = (generate::set(r, &["i", "j"], UNION), generate::set(r, &["i", "j"], UNION));
        let (x, y): (Set, Set) = (read(&a), read(&b));
        let (p, q) = (isl_set(context, &a), isl_set(context, &b));
        let what = format!("{a} and {b}");
        assert_same_set(&x.union(&y), &p.union(&q)?, context, &what)?;
        assert_same_set(&x.intersect(&y), &p.intersect(&q)?, context, &what)?;
        let difference = x.subtract(&y, &mut budget()).ok()?;
        assert_same_set(&difference, &p.subtract(&q)?, context, &what)?;
        assert_eq!(x.is_empty(&mut budget()).ok()?, p.is_empty()?, "{a}");
        assert_eq!(x.is_subset(&y, &mut budget()).ok()?, p.is_subset(&q)?, "{what}");
        Some(())
    });
}

#[test]
fn projection_and_explicit_divs() {
    compare(400, |r, context| {
        let text = generate::set(r, &["i", "j", "k"], PLAIN).replace('S', "");
        let set: Set = read(&text);
        let reference = isl_set(context, &text);
        let (first, n) = *r.pick(&[(0, 1), (1, 1), (2, 1), (0, 2), (1, 2)]);
        let ours = set.project_out(DimKind::Out, first, n);
        let theirs = reference.project_out(first, n)?;
        assert_same_set(&ours, &theirs, context, &text)?;
        let explicit = ours.compute_divs(&mut budget()).ok()?;
        assert!(explicit.has_known_divs(), "{explicit}");
        assert_same_set(&explicit, &theirs, context, &text)
    });
}

#[test]
fn gists() {
    compare(400, |r, context| {
        let (a, c) = (generate::set(r, &["i", "j"], PLAIN), generate::set(r, &["i", "j"], PLAIN));
        let (set, within): (Set, Set) = (read(&a), read(&c));
        let gist = set.gist(&within, &mut budget()).ok()?;
        let expected = isl_set(context, &a).intersect(&isl_set(context, &c))?;
        assert_same_set(&gist.intersect(&within), &expected, context, &format!("{a} in {c}"))
    });
}

#[test]
fn coalescing() {
    let counts = std::cell::Cell::new((0, 0));
    compare(400, |r, context| {
        let text = generate::set(r, &["i", "j"], UNION);
        let set: Set = read(&text);
        let reference = isl_set(context, &text);
        let ours = set.coalesce(&mut budget()).ok()?;
        let theirs = reference.coalesce()?;
        assert_same_set(&ours, &reference, context, &text)?;
        let (a, b) = counts.get();
        counts.set((a + ours.n_basic(), b + theirs.n_basic()));
        Some(())
    });
    let (ours, theirs) = counts.get();
    assert!(ours * 10 <= theirs * 11, "we keep {ours} disjuncts, isl {theirs}");
}

#[test]
fn relations() {
    compare(300, |r, context| {
        let (a, b) = (generate::map(r, &["i"], &["j"], PLAIN), generate::map(r, &["j"], &["k"], PLAIN));
        let (x, y): (Map, Map) = (read(&a), read(&b));
        let (p, q) = (isl_map(context, &a), isl_map(context, &b));
        let what = format!("{a} and {b}");
        assert_same_map(&x.apply_range(&y), &p.apply_range(&q)?, context, &what)?;
        assert_same_map(&x.reverse(), &p.reverse()?, context, &what)?;
        assert_same_set(&x.domain(), &p.domain()?, context, &what)?;
        assert_same_set(&x.range(), &p.range()?, context, &what)?;
        assert_same_set(&x.deltas(), &p.deltas()?, context, &what)?;
        assert_eq!(x.is_single_valued(&mut budget()).ok()?, p.is_single_valued()?, "{a}");
        assert_eq!(x.is_injective(&mut budget()).ok()?, p.is_injective()?, "{a}");
        Some(())
    });
}

#[test]
fn optima() {
    compare(300, |r, context| {
        let text = generate::map(r, &["i"], &["j", "k"], BOXED);
        let map: Map = read(&text);
        let reference = isl_map(context, &text);
        let min = map.lexmin(&mut budget()).ok()?.to_map();
        assert_same_map(&min, &reference.lexmin()?, context, &text)?;
        let max = map.lexmax(&mut budget()).ok()?.to_map();
        assert_same_map(&max, &reference.lexmax()?, context, &text)
    });
}

#[test]
fn optima_of_dimensions() {
    compare(300, |r, context| {
        let text = generate::set(r, &["i", "j"], BOXED);
        let set: Set = read(&text);
        let reference = isl_set(context, &text);
        let ours = [set.dim_min(1, &mut budget()).ok()?, set.dim_max(1, &mut budget()).ok()?];
        let theirs = [reference.dim_min(1)?, reference.dim_max(1)?];
        for (o, t) in ours.iter().zip(&theirs) {
            let text = o.to_string();
            if o.n_piece() == 0 {
                assert_eq!(t.domain()?.is_empty(), Some(true), "{text} {}", t.text());
                continue;
            }
            let read = isl::PwAff::read(context, &text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(read.eq_set(t)?.is_equal(&t.domain()?), Some(true), "{text} {}", t.text());
            assert_eq!(read.domain()?.is_equal(&t.domain()?), Some(true), "{text} {}", t.text());
        }
        Some(())
    });
}

#[test]
fn hulls() {
    compare(300, |r, context| {
        let text = generate::set(r, &["i", "j"], UNION);
        let set: Set = read(&text);
        let reference = isl_set(context, &text);
        let hull = Set::from_basic(set.simple_hull(&mut budget()).ok()?);
        assert!(reference.is_subset(&isl_set(context, &hull))?, "{hull} of {text}");
        let affine = Set::from_basic(set.affine_hull(&mut budget()).ok()?);
        let theirs = reference.affine_hull()?;
        assert!(reference.is_subset(&isl_set(context, &affine))?, "{affine} of {text}");
        assert!(isl_set(context, &affine).is_subset(&theirs)?, "{affine}, isl {}", theirs.text());
        Some(())
    });
}

#[test]
fn piecewise_arithmetic() {
    compare(300, |r, context| {
        let (a, b) = (generate::pw_aff(r), generate::pw_aff(r));
        let (x, y): (PwAff, PwAff) = (read(&a), read(&b));
        let p = isl::PwAff::read(context, &a)?;
        let q = isl::PwAff::read(context, &b)?;
        let same = |ours: &PwAff, theirs: &isl::PwAff| -> Option<()> {
            let text = ours.to_string();
            let read = isl::PwAff::read(context, &text).unwrap_or_else(|| panic!("{text}"));
            let domain = theirs.domain()?;
            assert!(read.domain()?.is_equal(&domain)?, "{a}, {b}: {text}, isl {}", theirs.text());
            let equal = read.eq_set(theirs)?.is_equal(&domain)?;
            assert!(equal, "{a}, {b}: {text}, isl {}", theirs.text());
            Some(())
        };
        same(&x.add(&y), &p.add(&q)?)?;
        same(&x.min(&y), &p.min(&q)?)?;
        same(&x.max(&y), &p.max(&q)?)?;
        same(&x.floor_div(3), &p.floor_div(3)?)?;
        same(&x.coalesce(&mut budget()).ok()?, &p)?;
        assert_same_set(&x.ge_set(&y), &p.ge_set(&q)?, context, &format!("{a} >= {b}"))
    });
}

#[test]
fn budgets_stop() {
    let text = "{ [i, j] : exists (a, b: 3a + 5b <= i and 7a - 2b >= j and 11a + 13b >= i - j) }";
    let set: Set = read(text);
    assert_eq!(set.compute_divs(&mut Budget::new(3)).map(|_| ()), Err(Stop));
}
