//! Unions of Z-polyhedra against brute force.

use expect_test::expect;
use poly_arith::Int;

use super::*;
use crate::basic::Row;
use crate::budget::{Budget, Stop};
use crate::multi::MultiAff;
use crate::set::Set;
use crate::solver::testing::Sampler;
use crate::space::{Id, Space, Tuple};
use crate::testing::{Model, Shape, boxed_points, ints};

const PARAMS: [i64; 3] = [-2, 0, 3];

fn free() -> Budget {
    Budget::unlimited()
}

fn union_of(text: &str) -> ZUnion {
    ZUnion::from_set(&text.parse::<Set>().unwrap(), &mut free()).unwrap()
}

fn random(s: &mut Sampler, n_dim: usize) -> (Model, ZUnion) {
    let model = Model::random(s, Shape { n_dim, max_basics: 2, max_exists: 1, bound: None });
    let union = ZUnion::from_set(&model.set(n_dim), &mut free()).unwrap();
    (model, union)
}

fn assert_points(union: &ZUnion, n: usize, size: i64, expected: impl Fn(i64, &[i64]) -> bool, what: &str) {
    let set = union.to_set();
    for p in PARAMS {
        for point in boxed_points(n, size) {
            let wanted = expected(p, &point);
            let (params, dims) = (ints(&[p]), ints(&point));
            assert_eq!(union.contains(&params, &dims), wanted, "{what} is wrong at p = {p}, {point:?}: {union}");
            assert_eq!(set.contains(&params, &dims), wanted, "the set of {what} is wrong at p = {p}, {point:?}: {set}");
        }
    }
}

#[test]
fn canonical_text() {
    expect!["{ [2t0, 3t0] : t0 >= 0 and 5 - t0 >= 0 }"]
        .assert_eq(&union_of("{ [x, y] : 0 <= x <= 10 and 3x = 2y }").to_string());
    expect!["{ [t0, 1 + 2t1] : -1 + t0 - 2t1 >= 0 and t1 >= 0 }"]
        .assert_eq(&union_of("{ [x, y] : 0 <= y <= x and y mod 2 = 1 }").to_string());
    expect!["{ [t0, t1, t2] : t0 - 2t1 >= 0 and 1 - t0 + 2t1 >= 0 and 1 + t0 - 2t2 >= 0 }"]
        .assert_eq(&union_of("{ [x, y, z] : y = floor(x/2) and z <= floor((x + 1)/2) }").to_string());
}

#[test]
fn conversion_keeps_the_points() {
    for seed in 0..300 {
        let mut s = Sampler::new(seed);
        let (model, union) = random(&mut s, 2);
        assert_points(&union, 2, 4, |p, x| model.contains(p, x), "the conversion");
        for piece in union.pieces() {
            assert!(!piece.is_empty(&mut free()).unwrap());
            let again = ZPolyhedron::within(piece.lattice().clone(), &piece.point_ineqs(), &mut free()).unwrap();
            assert_eq!(again.as_ref(), Some(piece));
        }
    }
}

#[test]
fn complements_of_lattices() {
    let lattices = [
        Lattice::generated(ints(&[1, 0]), &[ints(&[2, 1]), ints(&[0, 3])]),
        Lattice::generated(ints(&[5, -3]), &[ints(&[2, 4])]),
        Lattice::generated(ints(&[3, 2]), &[ints(&[0, 2]), ints(&[3, 1])]),
        Lattice::generated(ints(&[1, 1]), &[]),
        Lattice::all(2),
    ];
    for lattice in lattices {
        let pieces = lattice.complement(&mut free()).unwrap();
        for point in boxed_points(2, 7) {
            let point = ints(&point);
            let satisfies = |r: &Row| !crate::row::evaluate(r, &point).is_neg();
            let holds = |(l, ineq): &&(Lattice, Option<Row>)| l.contains(&point) && ineq.iter().all(satisfies);
            let n = pieces.iter().filter(holds).count();
            assert_eq!(n, usize::from(!lattice.contains(&point)), "{point:?} outside of {lattice:?}");
        }
    }
}

#[test]
fn many_remainders_exhaust_the_budget_and_not_the_memory() {
    let coarse = ZPolyhedron::from_lattice(Lattice::generated(ints(&[0]), &[ints(&[1 << 60])]));
    let all = ZPolyhedron::from_lattice(Lattice::all(1));
    assert_eq!(all.subtract(&coarse, &mut Budget::new(1_000_000)), Err(Stop));
    let seven = ZPolyhedron::from_lattice(Lattice::generated(ints(&[3]), &[ints(&[7])]));
    assert_eq!(all.subtract(&seven, &mut Budget::new(1000)).map(|pieces| pieces.len()), Ok(6));
}

#[test]
fn intersection_difference_and_union() {
    for seed in 0..120 {
        let mut s = Sampler::new(1000 + seed);
        let ((a, x), (b, y)) = (random(&mut s, 2), random(&mut s, 2));
        let both = x.intersect(&y, &mut free()).unwrap();
        assert_points(&both, 2, 4, |p, v| a.contains(p, v) && b.contains(p, v), "the intersection");
        let difference = x.subtract(&y, &mut free()).unwrap();
        assert_points(&difference, 2, 4, |p, v| a.contains(p, v) && !b.contains(p, v), "the difference");
        assert!(difference.intersect(&y, &mut free()).unwrap().is_empty(&mut free()).unwrap());
        assert_points(&x.union(&y), 2, 4, |p, v| a.contains(p, v) || b.contains(p, v), "the union");
    }
}

/// A random affine function between anonymous tuples over one parameter.
fn function(s: &mut Sampler, n_in: usize, n_out: usize) -> (Vec<Vec<i64>>, MultiAff) {
    let rows: Vec<Vec<i64>> = (0..n_out).map(|_| (0..2 + n_in).map(|_| s.range(-2, 2)).collect()).collect();
    let domain = Space::set(vec![Id::new("p")], Tuple::anonymous(n_in));
    let as_ints: Vec<Vec<Int>> = rows.iter().map(|r| ints(r)).collect();
    (rows, MultiAff::from_rows(&domain, Tuple::anonymous(n_out), &as_ints))
}

fn value(rows: &[Vec<i64>], p: i64, x: &[i64]) -> Vec<i64> {
    let form = |r: &Vec<i64>| r[0] + r[1] * p + r[2..].iter().zip(x).map(|(a, b)| a * b).sum::<i64>();
    rows.iter().map(form).collect()
}

#[test]
fn preimages() {
    for seed in 0..250 {
        let mut s = Sampler::new(2000 + seed);
        let n_in = 1 + (seed as usize) % 3;
        let (model, union) = random(&mut s, 2);
        let (rows, by) = function(&mut s, n_in, 2);
        let preimage = union.preimage(&by, &mut free()).unwrap();
        assert_points(&preimage, n_in, 3, |p, x| model.contains(p, &value(&rows, p, x)), "the preimage");
    }
}

/// Images of boxes, so that all points with a given image are found: functions that are injective,
/// and others.
#[test]
fn images() {
    for seed in 0..150 {
        let mut s = Sampler::new(3000 + seed);
        let n_out = 1 + (seed as usize) % 3;
        let model = Model::random(&mut s, Shape { n_dim: 2, max_basics: 1, max_exists: 1, bound: Some(4) });
        let union = ZUnion::from_set(&model.set(2), &mut free()).unwrap();
        let (rows, by) = function(&mut s, 2, n_out);
        let image = union.image(&by, &mut free()).unwrap();
        let reached =
            |p: i64, y: &[i64]| boxed_points(2, 4).iter().any(|x| model.contains(p, x) && value(&rows, p, x) == y);
        assert_points(&image, n_out, if n_out == 3 { 3 } else { 8 }, reached, "the image");
    }
}

#[test]
fn an_image_with_holes() {
    let union = union_of("{ [x, y] : 0 <= x and 0 <= y }");
    let domain = Space::set(Vec::new(), Tuple::anonymous(2));
    let by = MultiAff::from_rows(&domain, Tuple::anonymous(1), &[ints(&[0, 3, 5])]);
    let image = union.image(&by, &mut free()).unwrap();
    let values: Vec<i64> = (-3..20).filter(|&v| image.contains(&[], &ints(&[v]))).collect();
    assert_eq!(values, [0, 3, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
}

#[test]
fn a_spent_budget_stops() {
    let set: Set = "{ [x, y] : 0 <= y <= floor(x/5) and x <= floor(y/7) + 30 }".parse().unwrap();
    assert!(ZUnion::from_set(&set, &mut Budget::new(20)).is_err());
}
