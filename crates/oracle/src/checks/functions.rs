//! Piecewise expressions and tuples of them, point by point and beside isl.

use poly_arith::Rational;
use poly_presburger::{Budget, MultiPwAff, PwAff, PwMultiAff, Set, Stop};

use super::Check;
use crate::case::{Case, Tuple, ints};
use crate::function::{Form, Function};
use crate::isl;
use crate::model::FEW;

pub(super) const CHECKS: &[Check] = &[
    Check { name: "pw-aff.add", run: |c| binary(c, PwAff::add, isl::PwAff::add, |x, y| x + y) },
    Check { name: "pw-aff.sub", run: |c| binary(c, PwAff::sub, isl::PwAff::sub, |x, y| x - y) },
    Check { name: "pw-aff.min", run: |c| binary(c, PwAff::min, isl::PwAff::min, |x, y| x.min(y).clone()) },
    Check { name: "pw-aff.max", run: |c| binary(c, PwAff::max, isl::PwAff::max, |x, y| x.max(y).clone()) },
    Check { name: "pw-aff.mul", run: mul },
    Check { name: "pw-aff.neg, scale, add_constant", run: scale },
    Check { name: "pw-aff.floor, ceil, abs", run: floor },
    Check { name: "pw-aff.mod_val, floor_div", run: modulo },
    Check { name: "pw-aff.tdiv_q, tdiv_r", run: truncated },
    Check { name: "pw-aff.comparisons", run: comparisons },
    Check { name: "pw-aff.signs", run: signs },
    Check { name: "pw-aff.cond", run: cond },
    Check { name: "pw-aff.union_add", run: |c| union(c, PwAff::union_add, isl::PwAff::union_add, |x, y| x + y) },
    Check {
        name: "pw-aff.union_min",
        run: |c| union(c, PwAff::union_min, isl::PwAff::union_min, |x, y| x.min(y).clone()),
    },
    Check {
        name: "pw-aff.union_max",
        run: |c| union(c, PwAff::union_max, isl::PwAff::union_max, |x, y| x.max(y).clone()),
    },
    Check { name: "pw-aff.intersect and subtract domain", run: domains },
    Check { name: "pw-aff.gist", run: gist },
    Check { name: "pw-aff.coalesce", run: coalesce },
    Check { name: "pw-aff.is_equal", run: is_equal },
    Check { name: "pw-aff.pullback", run: pullback },
    Check { name: "set.preimage", run: preimage },
    Check { name: "set.indicator", run: indicator },
    Check { name: "pw-multi-aff.add and sub", run: tuple_sum },
    Check { name: "pw-multi-aff.products", run: tuple_products },
    Check { name: "pw-multi-aff.union_add, union_lexmin, union_lexmax", run: tuple_unions },
    Check { name: "pw-multi-aff.pullback", run: tuple_pullback },
    Check { name: "pw-multi-aff.from_map", run: from_map },
    Check { name: "pw-multi-aff.coalesce and gist", run: tuple_coalesce },
    Check { name: "pw-multi-aff.comparisons", run: tuple_comparisons },
    Check { name: "pw-multi-aff.scale, floor, mod", run: tuple_scale },
    Check { name: "multi-pw-aff", run: multi_pw_aff },
];

type Exact = Option<Rational>;

/// A function of one value in three forms.
struct Input {
    function: Function,
    ours: PwAff,
    isl: isl::PwAff,
}

fn pw_aff_in(c: &mut Case<'_>, domain: &Tuple, rational: bool) -> Option<Input> {
    let function = c.function(domain, Form { n_out: 1, rational });
    let text = function.text(c);
    let ours = c.read(&text);
    Some(Input { function, ours, isl: isl::PwAff::read(c.context, &text)? })
}

fn domain(c: &mut Case<'_>) -> Tuple {
    let n = c.random.size(1, 2);
    Tuple::random(&mut c.random, n)
}

fn pw_aff(c: &mut Case<'_>) -> Option<Input> {
    let domain = domain(c);
    pw_aff_in(c, &domain, true)
}

fn two(c: &mut Case<'_>, rational: bool) -> Option<(Input, Input)> {
    let domain = domain(c);
    Some((pw_aff_in(c, &domain, rational)?, pw_aff_in(c, &domain, rational)?))
}

/// The value of a result at `[parameters, dimensions]`.
fn at(c: &Case<'_>, f: &PwAff, point: &[i64]) -> Exact {
    let names: Vec<_> = c.params().iter().map(|p| p.as_str().into()).collect();
    let params = poly_presburger::Space::params(names);
    let aligned = if f.domain_space().dim(poly_presburger::DimKind::Param) == c.n_param() {
        f.clone()
    } else {
        f.align_params(&params)
    };
    let (values, dims) = point.split_at(c.n_param());
    let order = aligned.domain_space();
    let values: Vec<i64> = (0..c.n_param())
        .map(|i| {
            let name = order.dim_name(poly_presburger::DimKind::Param, i).expect("parameters have names");
            values[if name.as_str() == "n" { 0 } else { 1 }]
        })
        .collect();
    aligned.eval(&ints(&values), &ints(dims))
}

fn same_values(c: &mut Case<'_>, f: &PwAff, n_dim: usize, wanted: impl Fn(&[i64]) -> Exact) {
    for p in c.points(n_dim) {
        assert_eq!(at(c, f, &p), wanted(&p), "the value at {p:?} of {f}");
    }
}

type OfTwo = fn(&PwAff, &PwAff) -> PwAff;
type IslOfTwo = fn(&isl::PwAff, &isl::PwAff) -> Option<isl::PwAff>;
type Exactly = fn(&Rational, &Rational) -> Rational;

fn binary(c: &mut Case<'_>, ours: OfTwo, theirs: IslOfTwo, exactly: Exactly) -> Option<()> {
    let (a, b) = two(c, true)?;
    let result = ours(&a.ours, &b.ours);
    let n = a.function.domain.n();
    same_values(c, &result, n, |p| Some(exactly(&a.function.value(p)?, &b.function.value(p)?)));
    c.same_pw_aff(&result, &theirs(&a.isl, &b.isl)?)
}

fn mul(c: &mut Case<'_>) -> Option<()> {
    let a = pw_aff(c)?;
    let k = c.random.range(-4, 4);
    let constant = PwAff::constant(a.ours.domain_space().clone(), k);
    let result = a.ours.mul(&constant).expect("a constant can be multiplied with");
    let n = a.function.domain.n();
    same_values(c, &result, n, |p| Some(a.function.value(p)? * Rational::from(k)));
    c.same_pw_aff(&result, &a.isl.scale(k)?)
}

fn scale(c: &mut Case<'_>) -> Option<()> {
    let a = pw_aff(c)?;
    let (k, d) = (c.random.range(-4, 4), c.random.range(1, 4));
    let n = a.function.domain.n();
    let f = |p: &[i64]| a.function.value(p);
    same_values(c, &a.ours.neg(), n, |p| Some(-f(p)?));
    same_values(c, &a.ours.scale(k), n, |p| Some(f(p)? * Rational::from(k)));
    same_values(c, &a.ours.scale_down(d), n, |p| Some(f(p)? / Rational::from(d)));
    same_values(c, &a.ours.add_constant(k), n, |p| Some(f(p)? + Rational::from(k)));
    c.same_pw_aff(&a.ours.neg(), &a.isl.neg()?)?;
    c.same_pw_aff(&a.ours.scale_down(d), &a.isl.scale_down(d)?)
}

fn floor(c: &mut Case<'_>) -> Option<()> {
    let a = pw_aff(c)?;
    let n = a.function.domain.n();
    let f = |p: &[i64]| a.function.value(p);
    same_values(c, &a.ours.floor(), n, |p| Some(f(p)?.floor().into()));
    same_values(c, &a.ours.ceil(), n, |p| Some(f(p)?.ceil().into()));
    same_values(c, &a.ours.abs(), n, |p| Some(f(p)?.abs()));
    c.same_pw_aff(&a.ours.floor(), &a.isl.floor()?)?;
    c.same_pw_aff(&a.ours.ceil(), &a.isl.ceil()?)
}

fn modulo(c: &mut Case<'_>) -> Option<()> {
    let a = pw_aff(c)?;
    let d = c.random.range(1, 5);
    let n = a.function.domain.n();
    let quotient = |p: &[i64]| Some(Rational::from((a.function.value(p)? / Rational::from(d)).floor()));
    same_values(c, &a.ours.floor_div(d), n, quotient);
    let rest = |p: &[i64]| Some(a.function.value(p)? - quotient(p)? * Rational::from(d));
    same_values(c, &a.ours.mod_val(d), n, rest);
    c.same_pw_aff(&a.ours.mod_val(d), &a.isl.mod_val(d)?)
}

fn truncated(c: &mut Case<'_>) -> Option<()> {
    let domain = domain(c);
    let a = pw_aff_in(c, &domain, false)?;
    let d = c.random.range(1, 5);
    let n = a.function.domain.n();
    let whole = |p: &[i64]| a.function.value(p)?.to_int()?.to_i64();
    same_values(c, &a.ours.tdiv_q(d), n, |p| Some((whole(p)? / d).into()));
    same_values(c, &a.ours.tdiv_r(d), n, |p| Some((whole(p)? % d).into()));
    Some(())
}

fn comparisons(c: &mut Case<'_>) -> Option<()> {
    let rational = c.random.one_in(2);
    let (a, b) = two(c, rational)?;
    let n = a.function.domain.n();
    let holds = |p: &[i64], f: fn(&Rational, &Rational) -> bool| match (a.function.value(p), b.function.value(p)) {
        (Some(x), Some(y)) => f(&x, &y),
        _ => false,
    };
    let (x, y, p, q) = (&a.ours, &b.ours, &a.isl, &b.isl);
    c.same_points(&x.ge_set(y), n, |p| holds(p, |x, y| x >= y));
    c.same_points(&x.gt_set(y), n, |p| holds(p, |x, y| x > y));
    c.same_points(&x.le_set(y), n, |p| holds(p, |x, y| x <= y));
    c.same_points(&x.lt_set(y), n, |p| holds(p, |x, y| x < y));
    c.same_points(&x.eq_set(y), n, |p| holds(p, |x, y| x == y));
    c.same_points(&x.ne_set(y), n, |p| holds(p, |x, y| x != y));
    if rational {
        return Some(()); // isl compares with rounding
    }
    c.same_set(&x.ge_set(y), &p.ge_set(q)?)?;
    c.same_set(&x.lt_set(y), &p.lt_set(q)?)?;
    c.same_set(&x.eq_set(y), &p.eq_set(q)?)?;
    c.same_set(&x.ne_set(y), &p.ne_set(q)?)
}

fn signs(c: &mut Case<'_>) -> Option<()> {
    let a = pw_aff(c)?;
    let n = a.function.domain.n();
    let holds = |p: &[i64], f: fn(&Rational) -> bool| a.function.value(p).is_some_and(|x| f(&x));
    c.same_points(&a.ours.nonneg_set(), n, |p| holds(p, |x| !x.is_neg()));
    c.same_points(&a.ours.pos_set(), n, |p| holds(p, |x| !x.is_neg() && !x.is_zero()));
    c.same_points(&a.ours.zero_set(), n, |p| holds(p, Rational::is_zero));
    c.same_points(&a.ours.non_zero_set(), n, |p| holds(p, |x| !x.is_zero()));
    c.same_points(&a.ours.domain(), n, |p| holds(p, |_| true));
    c.same_set(&a.ours.nonneg_set(), &a.isl.nonneg_set()?)?;
    c.same_set(&a.ours.domain(), &a.isl.domain()?)
}

fn cond(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = two(c, false)?;
    let test = pw_aff_in(c, &a.function.domain.clone(), false)?;
    let chosen = test.ours.cond(&a.ours, &b.ours);
    let n = a.function.domain.n();
    same_values(c, &chosen, n, |p| {
        if test.function.value(p)?.is_zero() { b.function.value(p) } else { a.function.value(p) }
    });
    c.same_pw_aff(&chosen, &test.isl.cond(&a.isl, &b.isl)?)
}

type Budgeted = fn(&PwAff, &PwAff, &mut Budget) -> Result<PwAff, Stop>;

fn union(c: &mut Case<'_>, ours: Budgeted, theirs: IslOfTwo, exactly: Exactly) -> Option<()> {
    let (a, b) = two(c, true)?;
    let result = ours(&a.ours, &b.ours, &mut c.budget()).ok()?;
    let n = a.function.domain.n();
    same_values(c, &result, n, |p| match (a.function.value(p), b.function.value(p)) {
        (Some(x), Some(y)) => Some(exactly(&x, &y)),
        (x, y) => x.or(y),
    });
    c.same_pw_aff(&result, &theirs(&a.isl, &b.isl)?)
}

fn domains(c: &mut Case<'_>) -> Option<()> {
    let a = pw_aff(c)?;
    let set = c.set_in(&a.function.domain.clone(), FEW)?;
    let n = a.function.domain.n();
    let inside = a.ours.intersect_domain(&set.set);
    same_values(c, &inside, n, |p| a.function.value(p).filter(|_| set.holds(p)));
    let outside = a.ours.subtract_domain(&set.set, &mut c.budget()).ok()?;
    same_values(c, &outside, n, |p| a.function.value(p).filter(|_| !set.holds(p)));
    c.same_pw_aff(&inside, &a.isl.intersect_domain(&set.isl)?)?;
    c.same_pw_aff(&outside, &a.isl.subtract_domain(&set.isl)?)
}

fn gist(c: &mut Case<'_>) -> Option<()> {
    let a = pw_aff(c)?;
    let set = c.set_in(&a.function.domain.clone(), FEW)?;
    let gist = a.ours.gist(&set.set, &mut c.budget()).ok()?;
    let n = a.function.domain.n();
    let inside = gist.intersect_domain(&set.set);
    same_values(c, &inside, n, |p| a.function.value(p).filter(|_| set.holds(p)));
    Some(())
}

fn coalesce(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = two(c, true)?;
    let sum = a.ours.add(&b.ours);
    let n = a.function.domain.n();
    let result = sum.coalesce(&mut c.budget()).ok()?;
    assert!(result.n_piece() <= sum.n_piece(), "{sum} became {result}");
    same_values(c, &result, n, |p| Some(a.function.value(p)? + b.function.value(p)?));
    let result = sum.drop_empty_pieces(&mut c.budget()).ok()?;
    same_values(c, &result, n, |p| Some(a.function.value(p)? + b.function.value(p)?));
    Some(())
}

fn is_equal(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = two(c, false)?;
    let there_and_back = a.ours.add(&b.ours).sub(&b.ours);
    let part = a.ours.intersect_domain(&b.ours.domain());
    assert!(there_and_back.is_equal(&part, &mut c.budget()).ok()?, "{there_and_back} is not {part}");
    let equal = a.ours.is_equal(&b.ours, &mut c.budget()).ok()?;
    let differs = |p: &[i64]| a.function.value(p) != b.function.value(p);
    let n = a.function.domain.n();
    assert!(!equal || !c.points(n).iter().any(|p| differs(p)), "they are not equal");
    Some(())
}

/// A function with several values in three forms.
struct TupleInput {
    function: Function,
    ours: PwMultiAff,
    isl: isl::PwMultiAff,
}

fn tuple_in(c: &mut Case<'_>, domain: &Tuple, range: &'static str, n_out: usize) -> Option<TupleInput> {
    let mut function = c.function(domain, Form { n_out, rational: false });
    function.range = range;
    let text = function.text(c);
    let ours = c.read(&text);
    Some(TupleInput { function, ours, isl: isl::Map::read(c.context, &text)?.as_pw_multi_aff()? })
}

fn two_tuples(c: &mut Case<'_>) -> Option<(TupleInput, TupleInput)> {
    let domain = domain(c);
    let (range, n_out) = (*c.random.pick(&["", "R"]), c.random.size(1, 2));
    Some((tuple_in(c, &domain, range, n_out)?, tuple_in(c, &domain, range, n_out)?))
}

fn pullback(c: &mut Case<'_>) -> Option<()> {
    let (outer, inner) = (Tuple::Flat("A", 2), Tuple::Flat("", 2));
    let f = pw_aff_in(c, &outer, true)?;
    let by = tuple_in(c, &inner, "A", 2)?;
    let composed = f.ours.pullback_pw(&by.ours);
    same_values(c, &composed, 2, |p| f.function.value(&through(&by.function, p)?));
    c.same_pw_aff(&composed, &f.isl.pullback_pw_multi_aff(&by.isl)?)
}

/// The parameters of a point and its image.
fn through(by: &Function, point: &[i64]) -> Option<Vec<i64>> {
    let n_param = point.len() - by.domain.n();
    let image: Option<Vec<i64>> = by.eval(point)?.iter().map(|x| x.to_int()?.to_i64()).collect();
    Some([&point[..n_param], &image?].concat())
}

fn preimage(c: &mut Case<'_>) -> Option<()> {
    let (outer, inner) = (Tuple::Flat("A", 2), Tuple::Flat("", 2));
    let set = c.set_in(&outer, FEW)?;
    let by = tuple_in(c, &inner, "A", 2)?;
    let preimage = set.set.preimage_pw(&by.ours);
    c.same_points(&preimage, 2, |p| through(&by.function, p).is_some_and(|x| set.holds(&x)));
    if by.isl.domain()?.is_empty()? {
        assert!(preimage.is_empty(&mut c.budget()).ok()?, "{preimage} is not empty");
        return Some(()); // isl returns the empty set in the wrong space
    }
    c.same_set(&preimage, &set.isl.preimage_pw_multi_aff(&by.isl)?)?;
    let map = c.map_in(&outer, &Tuple::Flat("", 1), FEW)?;
    let before = map.map.preimage_domain(&by.ours);
    c.same_map(&before, &map.isl.preimage_domain_pw_multi_aff(&by.isl)?)?;
    let after = map.map.reverse().preimage_range(&by.ours);
    c.same_map(&after, &map.isl.reverse()?.preimage_range_pw_multi_aff(&by.isl)?)
}

fn indicator(c: &mut Case<'_>) -> Option<()> {
    let a = c.set(2, FEW)?;
    if a.n() == 0 {
        return Some(());
    }
    let indicator = PwAff::indicator(&a.set, &mut c.budget()).ok()?;
    same_values(c, &indicator, a.n(), |p| Some(Rational::from(i64::from(a.holds(p)))));
    c.same_pw_aff(&indicator, &a.isl.indicator_function()?)
}

fn tuple_sum(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = two_tuples(c)?;
    c.same_pw_multi_aff(&a.ours.add(&b.ours), &a.isl.add(&b.isl)?)?;
    c.same_pw_multi_aff(&a.ours.sub(&b.ours), &a.isl.sub(&b.isl)?)?;
    c.same_pw_multi_aff(&a.ours.neg(), &a.isl.neg()?)?;
    let set = c.set_in(&a.function.domain.clone(), FEW)?;
    c.same_pw_multi_aff(&a.ours.intersect_domain(&set.set), &a.isl.intersect_domain(&set.isl)?)?;
    let outside = a.ours.subtract_domain(&set.set, &mut c.budget()).ok()?;
    c.same_pw_multi_aff(&outside, &a.isl.subtract_domain(&set.isl)?)
}

fn tuple_products(c: &mut Case<'_>) -> Option<()> {
    let domain = domain(c);
    let (a, b) = (tuple_in(c, &domain, "A", 1)?, tuple_in(c, &domain, "", 2)?);
    c.same_pw_multi_aff(&a.ours.range_product(&b.ours), &a.isl.range_product(&b.isl)?)?;
    c.same_pw_multi_aff(&a.ours.flat_range_product(&b.ours), &a.isl.flat_range_product(&b.isl)?)?;
    c.same_pw_multi_aff(&a.ours.product(&b.ours), &a.isl.product(&b.isl)?)
}

fn tuple_unions(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = two_tuples(c)?;
    let sum = a.ours.union_add(&b.ours, &mut c.budget()).ok()?;
    c.same_pw_multi_aff(&sum, &a.isl.union_add(&b.isl)?)?;
    let least = a.ours.union_lexmin(&b.ours, &mut c.budget()).ok()?;
    c.same_pw_multi_aff(&least, &a.isl.union_lexmin(&b.isl)?)?;
    let most = a.ours.union_lexmax(&b.ours, &mut c.budget()).ok()?;
    c.same_pw_multi_aff(&most, &a.isl.union_lexmax(&b.isl)?)
}

fn tuple_pullback(c: &mut Case<'_>) -> Option<()> {
    let f = tuple_in(c, &Tuple::Flat("A", 2), "", 2)?;
    let by = tuple_in(c, &Tuple::Flat("", 1), "A", 2)?;
    let composed = f.ours.pullback_pw(&by.ours);
    c.same_pw_multi_aff(&composed, &f.isl.pullback_pw_multi_aff(&by.isl)?)
}

fn from_map(c: &mut Case<'_>) -> Option<()> {
    let (a, _) = two_tuples(c)?;
    let map = a.ours.to_map();
    c.same_map(&map, &a.isl.as_map()?)?;
    assert!(map.is_single_valued(&mut c.budget()).ok()?, "{map} is a function");
    let back = PwMultiAff::from_map(&map, &mut c.budget()).ok()?;
    c.same_pw_multi_aff(&back, &a.isl)?;
    assert!(back.is_equal(&a.ours, &mut c.budget()).ok()?, "{back} is not {}", a.ours);
    Some(())
}

fn tuple_coalesce(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = two_tuples(c)?;
    let sum = a.ours.add(&b.ours);
    let result = sum.coalesce(&mut c.budget()).ok()?;
    assert!(result.n_piece() <= sum.n_piece(), "{sum} became {result}");
    c.same_pw_multi_aff(&result, &a.isl.add(&b.isl)?)?;
    let set = c.set_in(&a.function.domain.clone(), FEW)?;
    let gist = a.ours.gist(&set.set, &mut c.budget()).ok()?.intersect_domain(&set.set);
    c.same_pw_multi_aff(&gist, &a.isl.intersect_domain(&set.isl)?)
}

fn tuple_comparisons(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = two_tuples(c)?;
    let n = a.function.domain.n();
    type Test = fn(&Vec<Rational>, &Vec<Rational>) -> bool;
    let holds = |p: &[i64], f: Test| match (a.function.eval(p), b.function.eval(p)) {
        (Some(x), Some(y)) => f(&x, &y),
        _ => false,
    };
    c.same_points(&a.ours.lt_set(&b.ours), n, |p| holds(p, |x, y| x < y));
    c.same_points(&a.ours.le_set(&b.ours), n, |p| holds(p, |x, y| x <= y));
    c.same_points(&a.ours.eq_set(&b.ours), n, |p| holds(p, |x, y| x == y));
    Some(())
}

fn tuple_scale(c: &mut Case<'_>) -> Option<()> {
    let (a, _) = two_tuples(c)?;
    let (k, d) = (c.random.range(-3, 3), c.random.range(2, 4));
    let n = a.function.domain.n();
    type Change<'a> = &'a dyn Fn(&Rational) -> Rational;
    let quotient = |x: &Rational| Rational::from((x / &Rational::from(d)).floor());
    let cases: [(PwMultiAff, Change<'_>); 3] = [
        (a.ours.scale(k), &|x| x * &Rational::from(k)),
        (a.ours.scale_down(d).floor(), &quotient),
        (a.ours.mod_val(d), &|x| x - &(&quotient(x) * &Rational::from(d))),
    ];
    for (result, change) in &cases {
        for i in 0..a.function.n_out() {
            let member = result.get(i);
            same_values(c, &member, n, |p| Some(change(&a.function.eval(p)?[i])));
        }
    }
    Some(())
}

fn multi_pw_aff(c: &mut Case<'_>) -> Option<()> {
    let (a, b) = two_tuples(c)?;
    let (x, y) = (MultiPwAff::from(&a.ours), MultiPwAff::from(&b.ours));
    c.same_pw_multi_aff(&x.to_pw_multi_aff(), &a.isl)?;
    c.same_pw_multi_aff(&x.add(&y).to_pw_multi_aff(), &a.isl.add(&b.isl)?)?;
    c.same_pw_multi_aff(&x.sub(&y).to_pw_multi_aff(), &a.isl.sub(&b.isl)?)?;
    let domain: Set = x.domain();
    c.same_set(&domain, &a.isl.domain()?)?;
    let again = x.add(&y).sub(&y);
    let common = again.is_equal(&x.intersect_domain(&y.domain()), &mut c.budget()).ok()?;
    assert!(common, "{again} is not {x} where {y} is defined");
    let (k, d) = (c.random.range(-3, 3), c.random.range(1, 4));
    let n = a.function.domain.n();
    let quotient = |v: &Rational| Rational::from((v / &Rational::from(d)).floor());
    type Change<'a> = &'a dyn Fn(&Rational, &Rational) -> Rational;
    let cases: [(MultiPwAff, Change<'_>); 5] = [
        (x.min(&y), &|v, w| v.min(w).clone()),
        (x.max(&y), &|v, w| v.max(w).clone()),
        (x.add(&y).sub(&y).scale(k).neg(), &|v, _| v * &Rational::from(-k)),
        (x.add(&y).sub(&y).scale_down(d).floor(), &|v, _| quotient(v)),
        (x.add(&y).sub(&y).mod_val(d), &|v, _| v - &(&quotient(v) * &Rational::from(d))),
    ];
    let set = c.set_in(&a.function.domain.clone(), FEW)?;
    for (result, change) in &cases {
        let simple = result.coalesce(&mut c.budget()).ok()?.gist(&set.set, &mut c.budget()).ok()?;
        for i in 0..a.function.n_out() {
            let wanted = |p: &[i64]| Some(change(&a.function.eval(p)?[i], &b.function.eval(p)?[i]));
            same_values(c, result.get(i), n, wanted);
            let inside = simple.get(i).intersect_domain(&set.set);
            same_values(c, &inside, n, |p| if set.holds(p) { wanted(p) } else { None });
        }
    }
    let equal = x.eq_set(&y);
    c.same_points(&equal, n, |p| a.function.eval(p).is_some() && a.function.eval(p) == b.function.eval(p));
    Some(())
}
