//! Lexicographic optima, optima of dimensions and expressions, Farkas' coefficients.

use poly_arith::{Int, Rational};
use poly_presburger::solver::Optimum;
use poly_presburger::{Aff, Map, PwMultiAff, Set, SolveError};

use super::Check;
use crate::case::{Case, MapInput, Tuple, ints};
use crate::isl;
use crate::model::{BOX, BOXED, FEW, Kind, Linear, all_points};

pub(super) const CHECKS: &[Check] = &[
    Check { name: "map.lexmin and lexmax, enumerated", run: enumerated },
    Check { name: "map.lexmin", run: lexmin },
    Check { name: "map.lexmax", run: lexmax },
    Check { name: "map.lexmin and lexmax, perhaps unbounded", run: unbounded },
    Check { name: "set.lexmin and lexmax", run: set_optima },
    Check { name: "map.partial_lexmin and partial_lexmax", run: partial },
    Check { name: "set.partial_lexmin and partial_lexmax", run: partial_set },
    Check { name: "set.dim_min and dim_max", run: dims },
    Check { name: "map.dim_min, dim_max, min_multi, max_multi", run: map_dims },
    Check { name: "set.min_multi and max_multi", run: multi },
    Check { name: "set.min_of and max_of", run: expressions },
    Check { name: "set.min_value and max_value", run: values },
    Check { name: "pw-aff.min_over_domain and max_over_domain", run: over_domain },
    Check { name: "farkas_coefficients", run: farkas },
];

/// The parameters and the point of the domain, and all images within the box in order.
fn images(a: &MapInput, prefix: &[i64]) -> Vec<Vec<Rational>> {
    let inside = all_points(0, a.range.n()).into_iter().filter(|p| a.holds(&[prefix, &p[..]].concat()));
    inside.map(|p| p.into_iter().map(Rational::from).collect()).collect()
}

fn value(c: &Case<'_>, f: &PwMultiAff, point: &[i64]) -> Option<Vec<Rational>> {
    let (params, dims) = point.split_at(c.n_param());
    f.eval(&ints(params), &ints(dims))
}

/// A relation whose parameters are in the usual order.
fn ordered(c: &Case<'_>, map: &Map) -> Map {
    c.exact(map)
}

fn enumerated(c: &mut Case<'_>) -> Option<()> {
    let n_out = c.random.size(1, 2);
    let a = c.map_in(&Tuple::Flat("", 1), &Tuple::Flat("", n_out), BOXED)?;
    let map = ordered(c, &a.map);
    let (min, max) = (map.lexmin(&mut c.budget()).ok()?, map.lexmax(&mut c.budget()).ok()?);
    for p in c.points(1) {
        let images = images(&a, &p);
        assert_eq!(value(c, &min, &p), images.first().cloned(), "the least image at {p:?}: {min}");
        assert_eq!(value(c, &max, &p), images.last().cloned(), "the largest image at {p:?}: {max}");
    }
    Some(())
}

/// A relation with bounded images, in a more or less obvious way.
fn bounded(c: &mut Case<'_>) -> Option<MapInput> {
    let kind = Kind { boxed: c.random.one_in(2), ..FEW };
    let mut a = c.map(2, kind)?;
    if !kind.boxed {
        let ranges: Vec<Tuple> = vec![a.range.clone()];
        let n = a.range.n();
        let names: Vec<String> = (0..n).map(|i| format!("x{i}")).collect();
        let conditions: Vec<String> = names.iter().map(|x| format!("-9 <= {x} <= 9")).collect();
        let condition = if n == 0 { String::new() } else { format!(" : {}", conditions.join(" and ")) };
        let text = format!("{{ {}{condition} }}", ranges[0].text(&names));
        let boxed: Set = c.read(&text);
        a.map = a.map.intersect_range(&boxed);
        a.isl = a.isl.intersect_range(&isl::Set::read(c.context, &text)?)?;
    }
    Some(a)
}

fn lexmin(c: &mut Case<'_>) -> Option<()> {
    let a = bounded(c)?;
    let least = a.map.lexmin(&mut c.budget()).ok()?;
    c.same_map(&least.to_map(), &a.isl.lexmin()?)
}

fn lexmax(c: &mut Case<'_>) -> Option<()> {
    let a = bounded(c)?;
    let most = a.map.lexmax(&mut c.budget()).ok()?;
    c.same_map(&most.to_map(), &a.isl.lexmax()?)
}

/// What is found are the images that no others are before; what is not found, isl does not find
/// either.
fn unbounded(c: &mut Case<'_>) -> Option<()> {
    let a = c.map(2, Kind { boxed: false, ..FEW })?;
    let space = a.map.space();
    let range = Map::universe(space.clone()).range().space().clone();
    let least = (a.map.lexmin(&mut c.budget()), a.isl.lexmin(), Map::lex_gt(&range));
    let least_error = c.context.take_error();
    let most = (a.map.lexmax(&mut c.budget()), a.isl.lexmax(), Map::lex_lt(&range));
    let most_error = c.context.take_error();
    for ((ours, theirs, beyond), error) in [(least, least_error), (most, most_error)] {
        match (ours, theirs) {
            (Err(SolveError::Stop), _) => return None,
            (Err(SolveError::Unbounded), Some(theirs)) => panic!("isl finds {}", theirs.text()),
            (Err(SolveError::Unbounded), None) => {
                error.filter(|text| text.contains("unbounded"))?;
            }
            (Ok(found), theirs) => {
                let graph = found.to_map();
                assert!(graph.is_subset(&a.map, &mut c.budget()).ok()?, "{graph} are not images");
                let better = graph.apply_range(&beyond).intersect(&a.map);
                assert!(better.is_empty(&mut c.budget()).ok()?, "{better} is before {graph}");
                let everywhere = graph.domain().is_equal(&a.map.domain(), &mut c.budget()).ok()?;
                assert!(everywhere, "{graph} is missing images");
                if let Some(theirs) = theirs {
                    c.same_map(&graph, &theirs)?;
                }
            }
        }
    }
    Some(())
}

fn set_optima(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(3, BOXED)?;
    let least = a.set.lexmin_set(&mut c.budget()).ok()?;
    c.same_set(&least, &a.isl.lexmin()?)?;
    let most = a.set.lexmax_set(&mut c.budget()).ok()?;
    c.same_set(&most, &a.isl.lexmax()?)
}

fn partial(c: &mut Case<'_>) -> Option<()> {
    let a = bounded(c)?;
    let domain = c.set_in(&a.domain, FEW)?;
    let (best, without) = a.map.partial_lexmin(&domain.set, &mut c.budget()).ok()?;
    let (theirs, rest) = a.isl.partial_lexmin(&domain.isl)?;
    c.same_map(&best.to_map(), &theirs)?;
    c.same_set(&without, &rest)?;
    let (best, without) = a.map.partial_lexmax(&domain.set, &mut c.budget()).ok()?;
    let (theirs, rest) = a.isl.partial_lexmax(&domain.isl)?;
    c.same_map(&best.to_map(), &theirs)?;
    c.same_set(&without, &rest)
}

fn partial_set(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(2, BOXED)?;
    let (_, params, isl) = c.params_set(FEW)?;
    let (best, without) = a.set.partial_lexmin(&params, &mut c.budget()).ok()?;
    let (theirs, rest) = a.isl.partial_lexmin(&isl)?;
    c.same_set(&best.to_set(), &theirs)?;
    c.same_set(&without, &rest)?;
    let (best, without) = a.set.partial_lexmax(&params, &mut c.budget()).ok()?;
    let (theirs, rest) = a.isl.partial_lexmax(&isl)?;
    c.same_set(&best.to_set(), &theirs)?;
    c.same_set(&without, &rest)
}

fn dims(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(3, BOXED)?;
    for i in 0..a.n() {
        let least = a.set.dim_min(i, &mut c.budget()).ok()?;
        c.same_pw_aff(&least, &a.isl.dim_min(i)?)?;
        let most = a.set.dim_max(i, &mut c.budget()).ok()?;
        c.same_pw_aff(&most, &a.isl.dim_max(i)?)?;
    }
    Some(())
}

fn map_dims(c: &mut Case<'_>) -> Option<()> {
    let a = bounded(c)?;
    let (least, most) = (a.map.min_multi(&mut c.budget()).ok()?, a.map.max_multi(&mut c.budget()).ok()?);
    for i in 0..a.range.n() {
        let (low, high) = (a.map.dim_min(i, &mut c.budget()).ok()?, a.map.dim_max(i, &mut c.budget()).ok()?);
        c.same_pw_aff(&low, &a.isl.dim_min(i)?)?;
        c.same_pw_aff(&high, &a.isl.dim_max(i)?)?;
        assert!(least.get(i).is_equal(&low, &mut c.budget()).ok()?, "{least} has not {low}");
        assert!(most.get(i).is_equal(&high, &mut c.budget()).ok()?, "{most} has not {high}");
    }
    c.same_set(&least.domain(), &a.isl.domain()?)?;
    c.same_set(&most.domain(), &a.isl.domain()?)
}

fn multi(c: &mut Case<'_>) -> Option<()> {
    let n = c.random.size(0, 2);
    let a = c.set_in(&Tuple::Flat("S", n), BOXED)?;
    let set = ordered(c, &a.set).into_set();
    let (least, most) = (set.min_multi(&mut c.budget()).ok()?, set.max_multi(&mut c.budget()).ok()?);
    for p in c.points(0) {
        let inside: Vec<_> = all_points(0, n).into_iter().filter(|q| a.holds(&[&p[..], &q[..]].concat())).collect();
        let extreme = |pick: fn(i64, i64) -> i64| -> Option<Vec<Rational>> {
            let values = |i: usize| inside.iter().map(move |q| q[i]);
            let dims: Vec<_> = (0..n).filter_map(|i| values(i).reduce(pick)).map(Rational::from).collect();
            (!inside.is_empty()).then_some(dims)
        };
        assert_eq!(least.eval(&ints(&p), &[]), extreme(i64::min), "the least values at {p:?}: {least}");
        assert_eq!(most.eval(&ints(&p), &[]), extreme(i64::max), "the largest values at {p:?}: {most}");
    }
    Some(())
}

/// An expression, perhaps with a denominator, and its value at a point times the denominator.
fn expression(c: &mut Case<'_>, n: usize) -> (Aff, Linear, i64) {
    let form = c.linear(n);
    let denom = c.random.range(1, 3);
    let names = c.names(n);
    let params = c.params();
    let header = if params.is_empty() { String::new() } else { format!("[{}] -> ", params.join(", ")) };
    let dims = names[c.n_param()..].join(", ");
    let aff = c.read(&format!("{header}{{ [{dims}] -> [(({})/{denom})] }}", form.text(&names)));
    (aff, form, denom)
}

fn exact(form: &Linear, denom: i64, point: &[i64]) -> Rational {
    let value = i64::try_from(form.eval(point)).expect("values are small");
    Rational::from(value) / Rational::from(denom)
}

fn expressions(c: &mut Case<'_>) -> Option<()> {
    let a = c.set_in(&Tuple::Flat("", 2), BOXED)?;
    let set = ordered(c, &a.set).into_set();
    let (aff, form, denom) = expression(c, 2);
    let least = set.min_of(&aff, &mut c.budget()).ok()?.expect("a boxed set is bounded");
    let most = set.max_of(&aff, &mut c.budget()).ok()?.expect("a boxed set is bounded");
    for p in c.points(0) {
        let inside = all_points(0, 2).into_iter().map(|q| [&p[..], &q[..]].concat()).filter(|q| a.holds(q));
        let values: Vec<Rational> = inside.map(|q| exact(&form, denom, &q)).collect();
        assert_eq!(least.eval(&ints(&p), &[]), values.iter().min().cloned(), "the least value at {p:?}: {least}");
        assert_eq!(most.eval(&ints(&p), &[]), values.iter().max().cloned(), "the largest value at {p:?}: {most}");
    }
    Some(())
}

/// The optimum over all parameter values, which are in a box too.
fn values(c: &mut Case<'_>) -> Option<()> {
    c.set_n_param(0);
    let a = c.set_in(&Tuple::Flat("", 2), BOXED)?;
    let (aff, form, denom) = expression(c, 2);
    let inside = all_points(0, 2).into_iter().filter(|p| a.holds(p));
    let values: Vec<Rational> = inside.map(|p| exact(&form, denom, &p)).collect();
    let optimum = |x: Option<&Rational>| x.map_or(Optimum::Empty, |x| Optimum::Bounded(x.clone()));
    let least = a.set.min_value(&aff, &mut c.budget()).ok()?;
    assert_eq!(least, optimum(values.iter().min()), "the least value of {aff}");
    let most = a.set.max_value(&aff, &mut c.budget()).ok()?;
    assert_eq!(most, optimum(values.iter().max()), "the largest value of {aff}");
    Some(())
}

fn over_domain(c: &mut Case<'_>) -> Option<()> {
    let a = c.set_in(&Tuple::Flat("", 1), BOXED)?;
    let set = ordered(c, &a.set).into_set();
    let (aff, form, denom) = expression(c, 1);
    let f = poly_presburger::PwAff::new(set, aff);
    let least = f.min_over_domain(&mut c.budget()).ok()?.expect("a boxed set is bounded");
    let most = f.max_over_domain(&mut c.budget()).ok()?.expect("a boxed set is bounded");
    for p in c.points(0) {
        let inside = (-BOX..=BOX).map(|x| [&p[..], &[x]].concat()).filter(|q| a.holds(q));
        let values: Vec<Rational> = inside.map(|q| exact(&form, denom, &q)).collect();
        assert_eq!(least.eval(&ints(&p), &[]), values.iter().min().cloned(), "the least value at {p:?}: {least}");
        assert_eq!(most.eval(&ints(&p), &[]), values.iter().max().cloned(), "the largest value at {p:?}: {most}");
    }
    Some(())
}

/// A form is among the coefficients iff its least rational value is not negative.
fn farkas(c: &mut Case<'_>) -> Option<()> {
    let boxed = c.random.one_in(2);
    let kind = Kind { divisions: c.random.one_in(3), disjuncts: 1, boxed, ..FEW };
    let n = c.random.size(1, 3);
    let a = c.set_in(&Tuple::Flat("", n), kind)?;
    let Some(basic) = a.set.basic_sets().next().filter(|b| b.has_known_divs()) else { return Some(()) };
    let coefficients = poly_presburger::farkas_coefficients(&basic, &mut c.budget()).ok()?;
    for _ in 0..8 {
        let form: Vec<Int> = (0..1 + c.n_param() + n).map(|_| Int::from(c.random.range(-4, 4))).collect();
        let mut row = form.clone();
        row.resize(basic.n_col(), Int::ZERO);
        let valid = match basic.rational_min(&row, &mut c.budget()).ok()? {
            Optimum::Empty => true,
            Optimum::Unbounded => false,
            Optimum::Bounded(least) => !least.is_neg(),
        };
        assert_eq!(coefficients.contains(&[], &form), valid, "{form:?} on {basic}: {coefficients}");
    }
    Some(())
}
