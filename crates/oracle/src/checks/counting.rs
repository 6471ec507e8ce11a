//! Numbers of points, beside enumeration; isl does not count.

use poly_arith::Int;
use poly_counting::{Card, Count, PwQuasiPolynomial};

use super::Check;
use crate::case::{Case, Tuple, ints};
use crate::model::{BOXED, FEW, Kind, all_points};

pub(super) const CHECKS: &[Check] = &[
    Check { name: "set.card", run: set },
    Check { name: "map.card", run: map },
    Check { name: "set.card, perhaps infinite", run: infinite },
    Check { name: "union-set.card", run: union },
];

fn finite(n: usize) -> Count {
    Count::Finite(Int::from(n))
}

fn set(c: &mut Case<'_>) -> Option<()> {
    let n = c.random.size(1, 2);
    let a = c.set_in(&Tuple::Flat("", n), BOXED)?;
    let card = c.exact(&a.set).into_set().card(&mut c.budget()).ok()?;
    let again: Option<PwQuasiPolynomial> = card.as_function().map(|function| c.read(&function.to_string()));
    for p in c.points(0) {
        if let (Some(again), Some(function)) = (&again, card.as_function()) {
            assert_eq!(again.eval(&ints(&p)), function.eval(&ints(&p)), "what is read again, at {p:?}: {card}");
        }
        let inside = all_points(0, n).into_iter().filter(|q| a.holds(&[&p[..], &q[..]].concat()));
        assert_eq!(card.at(&ints(&p)), finite(inside.count()), "the number of points at {p:?}: {card}");
    }
    Some(())
}

fn map(c: &mut Case<'_>) -> Option<()> {
    let a = c.map_in(&Tuple::Flat("A", 1), &Tuple::Flat("B", 1), BOXED)?;
    let card = c.exact(&a.map).card(&mut c.budget()).ok()?;
    for p in c.points(1) {
        let images = all_points(0, 1).into_iter().filter(|q| a.holds(&[&p[..], &q[..]].concat()));
        assert_eq!(card.at(&ints(&p)), finite(images.count()), "the number of images of {p:?}: {card}");
    }
    Some(())
}

/// For fixed parameters, finite exactly where the set is bounded, and then as many as enumeration
/// finds.
fn infinite(c: &mut Case<'_>) -> Option<()> {
    let a = c.set_in(&Tuple::Flat("", 2), Kind { disjuncts: 2, ..FEW })?;
    let set = c.exact(&a.set).into_set();
    let card = set.card(&mut c.budget()).ok()?;
    let most = 2000;
    for p in c.points(0) {
        let mut fixed = set.clone();
        for (i, &x) in p.iter().enumerate() {
            fixed = fixed.fix(poly_presburger::DimKind::Param, i, x);
        }
        if !fixed.is_bounded(&mut c.budget()).ok()? {
            assert_eq!(card.at(&ints(&p)), Count::Infinite, "{fixed} has no bound");
            continue;
        }
        match (fixed.count_points(&ints(&p), most, &mut c.budget()).ok()?, card.at(&ints(&p))) {
            (Some(n), found) => assert_eq!(found, finite(n), "the number of points at {p:?}: {card}"),
            (None, Count::Finite(n)) => assert!(n > Int::from(most), "more than {most} points at {p:?}, not {n}"),
            (None, Count::Infinite) => panic!("{fixed} has a bound"),
        }
    }
    Some(())
}

fn union(c: &mut Case<'_>) -> Option<()> {
    let (s, t) = (Tuple::Flat("S", 1), Tuple::Flat("T", 1));
    let (a, b) = (c.set_in(&s, BOXED)?, c.set_in(&t, BOXED)?);
    let sets = [&a, &b].map(|x| c.exact(&x.set).into_set());
    let card = poly_presburger::UnionSet::from_members(sets).card(&mut c.budget()).ok()?;
    for p in c.points(0) {
        let inside = |q: &Vec<i64>| [&a, &b].into_iter().filter(|x| x.holds(&[&p[..], &q[..]].concat())).count();
        let n = all_points(0, 1).iter().map(inside).sum();
        assert_eq!(card.at(&ints(&p)), finite(n), "the number of points at {p:?}: {card}");
    }
    Some(())
}
