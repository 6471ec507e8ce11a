//! Loops over tiles and blocks: functions `floor(x / T)`, and what they mean for the loops over
//! `x`.

use poly_arith::Int;
use poly_presburger::{BasicMap, DimKind, Div, Map, PwAff, UnionPwAff};
use poly_schedule_tree::Band;
use poly_transform::{LoopFacts, agree, value_map};

use super::loops::members_of;
use crate::facts::to_f64;

/// The division `floor(x / T)` that a function consists of, which may be written as
/// `-floor((T - 1 - x) / T)`.
pub(crate) fn quotient(function: &PwAff) -> Option<Div> {
    let [(_, aff)] = function.pieces() else { return None };
    let [div] = aff.divs() else { return None };
    let (last, before) = aff.row().split_last()?;
    if !aff.denom().is_one() || !before.iter().all(Int::is_zero) {
        return None;
    }
    if *last == Int::NEG_ONE {
        let mut num: Vec<Int> = div.num.iter().map(|x| -x).collect();
        num[0] += &(&div.denom - &Int::ONE);
        return Some(Div { num, denom: div.denom.clone() });
    }
    last.is_one().then(|| div.clone())
}

/// A function `floor(x / T)` as a relation between instances and its values, without integer
/// divisions.
pub(crate) fn quotient_map(function: &PwAff) -> Option<Map> {
    let div = quotient(function)?;
    let (domain, _) = function.pieces().first()?;
    let map = value_map(function);
    let mut basic = BasicMap::universe(map.space().clone());
    let value = basic.offset(DimKind::Out);
    let mut least: Vec<Int> = div.num[..value].to_vec();
    least.push(-&div.denom);
    let mut most: Vec<Int> = least.iter().map(|x| -x).collect();
    most[0] += &(&div.denom - &Int::ONE);
    basic.add_ineq(least);
    basic.add_ineq(most);
    Some(Map::from_basic(basic).intersect_domain(domain))
}

/// Whether a function is a sum of the numbers of blocks.
pub(crate) fn is_sum_of_quotients(function: &PwAff) -> bool {
    let [(_, aff)] = function.pieces() else { return false };
    let beyond = aff.row().len() - aff.divs().len();
    !aff.divs().is_empty() && aff.denom().is_one() && aff.row()[..beyond].iter().all(Int::is_zero)
}

/// For the number of a wavefront of blocks, the relation between instances and all numbers: which
/// one an instance has follows from the blocks that it is in, which are loops of their own.
pub(crate) fn any_wavefront(function: &PwAff) -> Option<Map> {
    let [(domain, _)] = function.pieces() else { return None };
    is_sum_of_quotients(function).then(|| Map::universe(value_map(function).space().clone()).intersect_domain(domain))
}

/// The loops of bands, outermost first, without those over blocks and their wavefronts: which block
/// an iteration is in follows from loops further inside. What holds without knowing it, holds all
/// the more within one block.
pub(crate) fn points_of(bands: &[Band]) -> impl Iterator<Item = &UnionPwAff> {
    members_of(bands).filter(|function| !function.iter().all(is_sum_of_quotients))
}

/// A loop over tiles or blocks, and the loop over their points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Divided {
    /// The position of the first.
    pub(crate) at: usize,
    /// That of the second.
    pub(crate) points: usize,
    /// The part of all iterations that a tile has.
    pub(crate) part: f64,
}

/// Loops over blocks have as many iterations as the loop over their points, with the values of
/// those around it given, has blocks, and that one as many as a block. Where a block has a part of
/// all iterations, so many of them are near a bound that cuts the loop over points.
pub(crate) fn divide(loops: &mut [LoopFacts], rows: &[Vec<f64>], functions: &[Option<&PwAff>]) -> Vec<Divided> {
    let mut divided = Vec::new();
    for (at, function) in functions.iter().enumerate() {
        let Some((function, div)) = function.and_then(|f| Some((f, quotient(f)?))) else { continue };
        let first = 1 + function.domain_space().params.len();
        let row: Vec<f64> = (0..rows[at].len()).map(|i| int_to_f64(&div.num[first + i])).collect();
        let Some(points) = (at + 1..loops.len()).find(|&inner| agree(&rows[inner], &row, &rows[..inner])) else {
            continue;
        };
        let size = int_to_f64(&div.denom);
        // Within smaller tiles of the same loop there is one of these.
        let is_given = |known: &Divided| known.points == points && loops[points].trip < size;
        if divided.iter().any(is_given) {
            continue;
        }
        let size = size.min(loops[points].trip);
        let strides = loops[points].strides.iter().map(|stride| stride * size).collect();
        loops[at] = LoopFacts { trip: (loops[points].trip / size).max(1.0), strides };
        divided.push(Divided { at, points, part: size / loops[points].trip });
        loops[points].trip = size;
    }
    divided
}

fn int_to_f64(value: &Int) -> f64 {
    to_f64(&value.clone().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use poly_presburger::{Budget, MultiUnionPwAff};

    /// The function of the only member of a schedule.
    fn function(text: &str) -> PwAff {
        let schedule: MultiUnionPwAff = text.parse().expect("the schedule can be read");
        schedule.get(0).iter().next().expect("there is a statement").clone()
    }

    #[test]
    fn quotients_are_relations_without_divisions() {
        let budget = &mut Budget::unlimited();
        for (text, size) in [
            ("[n] -> [{ S[i, j] -> [(i + j + 1)] }]", 4),
            ("[{ S[i] -> [(3i)] }]", 7),
            ("[n] -> [{ S[i] -> [(n + 2i)] }]", 5),
        ] {
            let function = function(text).floor_div(Int::from(size));
            let map = quotient_map(&function).expect("it is a quotient");
            assert!(map.is_equal(&value_map(&function), budget).unwrap(), "{text}: {map}");
            assert!(map.basics().iter().all(|basic| basic.divs().is_empty()));
        }
        // Kept as `-floor((62 - j + i) / 63)`.
        let backwards = function("[{ S[i, j] -> [(j - i)] }]").floor_div(Int::from(63));
        let map = quotient_map(&backwards).expect("it is a quotient");
        assert!(map.is_equal(&value_map(&backwards), budget).unwrap() && map.basics()[0].divs().is_empty());
        let point = function("[{ S[i] -> [(i)] }]");
        assert!(!is_sum_of_quotients(&point) && any_wavefront(&point).is_none());
        let other = function("[{ S[i] -> [(2i)] }]").floor_div(Int::from(5));
        let wavefront = point.floor_div(Int::from(7)).add(&other);
        assert!(quotient(&wavefront).is_none() && is_sum_of_quotients(&wavefront));
        assert_eq!(any_wavefront(&wavefront).expect("it is a sum of quotients").to_string(), "{ S[i] -> [o0] }");
        assert!(!is_sum_of_quotients(&wavefront.add(&point)));
        assert!(quotient_map(&point).is_none());
        assert!(quotient_map(&point.floor_div(Int::from(7)).scale(Int::from(2))).is_none());
    }

    #[test]
    fn a_loop_over_blocks_shares_the_iterations_with_the_one_over_points() {
        let loops = |trip: f64, stride: f64| LoopFacts { trip, strides: vec![stride] };
        let mut all = [loops(1.0, 0.0), loops(1000.0, 0.0), loops(1280.0, 8.0)];
        let rows = [vec![0.0, 0.0], vec![1.0, 0.0], vec![1.0, 1.0]];
        let blocks = function("[{ S[i, j] -> [(i + j)] }]").floor_div(Int::from(64));
        let divided = divide(&mut all, &rows, &[Some(&blocks), None, None]);
        assert_eq!(all, [loops(20.0, 512.0), loops(1000.0, 0.0), loops(64.0, 8.0)]);
        assert_eq!(divided, [Divided { at: 0, points: 2, part: 0.05 }]);
        // Another function's blocks.
        let blocks = function("[{ S[i, j] -> [(i - j)] }]").floor_div(Int::from(64));
        assert_eq!(divide(&mut all, &rows, &[Some(&blocks), None, None]), []);
    }
}
