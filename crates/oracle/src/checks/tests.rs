//! Questions: emptiness, samples, comparison, boundedness.

use super::Check;
use crate::case::{Case, SetInput, ints};
use crate::model::{ANY, BOXED, FEW, Kind, LARGE, THIN};

pub(super) const CHECKS: &[Check] = &[
    Check { name: "set.is_empty", run: is_empty },
    Check { name: "set.is_empty, thin sets", run: thin },
    Check { name: "set.is_empty, large coefficients", run: large },
    Check { name: "set.sample", run: sample },
    Check { name: "set.is_subset", run: is_subset },
    Check { name: "set.is_equal", run: is_equal },
    Check { name: "set.is_disjoint", run: is_disjoint },
    Check { name: "set.is_bounded", run: is_bounded },
];

fn whether_empty(c: &mut Case<'_>, kind: Kind) -> Option<()> {
    let (a, b) = c.two_sets(4, kind)?;
    let both = a.set.intersect(&b.set);
    let empty = both.is_empty(&mut c.budget()).ok()?;
    for p in c.points(a.n()) {
        let inside = a.holds(&p) && b.holds(&p);
        assert!(!(empty && inside), "{both} has {p:?}");
    }
    assert_eq!(empty, a.isl.intersect(&b.isl)?.is_empty()?, "whether {both} is empty");
    assert_eq!(both.is_empty(&mut c.budget()).ok()?, empty, "another answer for {both}");
    Some(())
}

fn is_empty(c: &mut Case<'_>) -> Option<()> {
    whether_empty(c, Kind { disjuncts: 1, ..ANY })
}

fn thin(c: &mut Case<'_>) -> Option<()> {
    whether_empty(c, THIN)
}

fn large(c: &mut Case<'_>) -> Option<()> {
    whether_empty(c, LARGE)
}

fn sample(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = c.two_sets(4, Kind { disjuncts: 1, ..ANY })?;
    let both = a.set.intersect(&b.set);
    match both.sample(&mut c.budget()).ok()? {
        None => assert!(a.isl.intersect(&b.isl)?.is_empty()?, "no sample of {both}"),
        Some(point) => {
            let (params, dims) = point.split_at(c.n_param());
            assert!(both.contains(params, dims), "{point:?} is not in {both}");
            let set = both.sample_set(&mut c.budget()).ok()?;
            let theirs = crate::isl::Set::read(c.context, &set.to_string())?;
            assert!(theirs.is_subset(&a.isl.intersect(&b.isl)?)?, "{set} is not in {both}");
            assert!(!theirs.is_empty()?, "{set} is empty");
        }
    }
    Some(())
}

/// Two sets, often one inside the other.
fn related(c: &mut Case<'_>) -> Option<(SetInput, SetInput)> {
    let (mut a, mut b) = c.two_sets(3, FEW)?;
    match c.random.range(0, 3) {
        0 => (b.set, b.isl) = (a.set.union(&b.set), a.isl.union(&b.isl)?),
        1 => (a.set, a.isl) = (a.set.intersect(&b.set), a.isl.intersect(&b.isl)?),
        2 => (b.set, b.isl) = (b.set.subtract(&a.set, &mut c.budget()).ok()?, b.isl.subtract(&a.isl)?),
        _ => {}
    }
    Some((a, b))
}

fn is_subset(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = related(c)?;
    let subset = a.isl.is_subset(&b.isl)?;
    assert_eq!(a.set.is_subset(&b.set, &mut c.budget()).ok()?, subset, "{} in {}", a.set, b.set);
    let strict = a.isl.is_strict_subset(&b.isl)?;
    assert_eq!(a.set.is_strict_subset(&b.set, &mut c.budget()).ok()?, strict, "{} in {}", a.set, b.set);
    Some(())
}

fn is_equal(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = related(c)?;
    assert_eq!(a.set.is_equal(&b.set, &mut c.budget()).ok()?, a.isl.is_equal(&b.isl)?, "{} is {}", a.set, b.set);
    // The same set, cut along another and put together again.
    let inside = a.set.intersect(&b.set);
    let whole = a.set.subtract(&b.set, &mut c.budget()).ok()?.union(&inside);
    assert!(whole.is_equal(&a.set, &mut c.budget()).ok()?, "{whole} is not {}", a.set);
    Some(())
}

fn is_disjoint(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = related(c)?;
    let disjoint = a.isl.is_disjoint(&b.isl)?;
    assert_eq!(a.set.is_disjoint(&b.set, &mut c.budget()).ok()?, disjoint, "{} and {}", a.set, b.set);
    Some(())
}

/// isl's own test looks at constant bounds; here, for each value of the parameters.
fn is_bounded(c: &mut Case<'_>) -> Option<()> {
    let kind = if c.random.one_in(3) { BOXED } else { FEW };
    let a = c.set(2, kind)?;
    let bounded = a.set.is_bounded(&mut c.budget()).ok()?;
    if kind.boxed {
        assert!(bounded, "{} is in a box", a.set);
    }
    let fixed: Vec<i64> = (0..c.n_param()).map(|_| c.random.range(-3, 5)).collect();
    let mut set = c.exact(&a.set).into_set();
    let mut isl = crate::isl::Set::read(c.context, &set.to_string())?;
    for (i, &x) in fixed.iter().enumerate() {
        set = set.fix(poly_presburger::DimKind::Param, i, x);
        isl = isl.fix(crate::isl::DIM_PARAM, i, i32::try_from(x).ok()?)?;
    }
    // isl does not look whether strides leave any point.
    let here = isl.is_empty()? || isl.is_bounded()?;
    assert!(here || !bounded, "{set} is not bounded");
    assert_eq!(set.is_bounded(&mut c.budget()).ok()?, here, "whether {set} is bounded");
    if here {
        let points = set.enumerate(&ints(&fixed), &mut c.budget()).ok()?;
        for p in c.points(a.n()).iter().filter(|p| p[..c.n_param()] == fixed[..]) {
            assert_eq!(points.contains(&ints(&p[c.n_param()..])), a.holds(p), "{p:?}");
        }
    }
    Some(())
}
