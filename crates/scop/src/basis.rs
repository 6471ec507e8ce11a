//! Members of a leaf band that agree with subscripts.
//!
//! # Problem
//! Statements count their iterations from zero, so a loop `for j = i..` appears as an iterator `c`
//! with `j = i + c`, and an element `A[k][i + c]` moves along two loops of a schedule `(i, k, c)`,
//! but along one of `(i, k, i + c)`. With the second, a tile or a vector touches a box of the
//! array, an operand is invariant along more loops, and neighbouring tiles fit together.
//!
//! # Definitions
//! The *movement* of a band is the number of pairs of an access and a loop, of the band or around
//! it, along which the access moves; among equals, that of pairs of a subscript and a loop.
//! (`A[i + c][i]` moves along both loops of `(i, c)` and of `(i, i + c)`, but with the second, rows
//! and columns of the array are loops.)
//!
//! # Method
//! While the movement becomes smaller: replace a member `t` by `t + s` or `t - s`, where `s` is
//! another loop. Of all, the one with the least movement is taken, the first among equals.
//!
//! A member that is added to a much shorter one makes the loops hollow: in a filter
//! `y[x] += a[x + d]` of few `d`, the loops `(x + d, x)` move fewer accesses than `(d, x)`, but the
//! inner one has only as many iterations as there are `d`, and tiles and vectors along it are
//! mostly empty. So the *box* of the band, the product of the extents of its members, may become at
//! most [`HOLLOW`] times as large as at the beginning. A loop around the band is another matter: it
//! is fixed where the band runs.
//!
//! # Legality
//! * `s` is a loop around the band: at equal times of the outer loops, all values of `t` move by
//!   the same, so their order stays.
//! * `s` is a member of the band with no dependence along it (coincident): all distances along `t`
//!   stay.
//! * `s` is another member of a permutable band: distances along both are not negative, hence
//!   neither is their sum. The sum is coincident only if both are; the difference is not allowed.

use poly_arith::Int;
use poly_presburger::Stop;
use poly_schedule_tree::Band;

/// The diagonals of a square are twice as many as its rows.
const HOLLOW: f64 = 2.0;

/// A replacement of member `target` by its sum with `sign` times another loop.
#[derive(Clone, Copy, Debug)]
struct Step {
    target: usize,
    source: Source,
    sign: i64,
}

/// A loop that is added to a member.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// A member of a band around, by the places of both.
    Outer(usize, usize),
    /// A member of the same band.
    Member(usize),
}

/// The band with the simplest equivalent members, as `movement` measures it; `box_of` is the
/// product of the extents of its members.
///
/// # Errors
/// [`Stop`] where `box_of` stops.
pub(crate) fn simplest<T: Ord>(
    band: &Band,
    outer: &[Band],
    movement: impl Fn(&Band) -> T,
    mut box_of: impl FnMut(&Band) -> Result<f64, Stop>,
) -> Result<Band, Stop> {
    let mut best = band.clone();
    let mut least = movement(&best);
    let mut most = None;
    loop {
        let mut better = None;
        for step in steps(&best, outer) {
            let candidate = apply(&best, outer, step);
            let moves = movement(&candidate);
            if moves >= least {
                continue;
            }
            if matches!(step.source, Source::Member(_)) {
                let most = match most {
                    Some(most) => most,
                    None => *most.insert(HOLLOW * box_of(band)?),
                };
                if box_of(&candidate)? > most {
                    continue;
                }
            }
            least = moves;
            better = Some(candidate);
        }
        match better {
            Some(candidate) => best = candidate,
            None => return Ok(best),
        }
    }
}

/// The legal steps.
fn steps(band: &Band, outer: &[Band]) -> Vec<Step> {
    let mut steps = Vec::new();
    for target in 0..band.n_member() {
        for (place, above) in outer.iter().enumerate() {
            for member in 0..above.n_member() {
                let source = Source::Outer(place, member);
                steps.extend([1, -1].map(|sign| Step { target, source, sign }));
            }
        }
        for member in (0..band.n_member()).filter(|&m| m != target && band.permutable) {
            let source = Source::Member(member);
            steps.push(Step { target, source, sign: 1 });
            if band.coincident[member] {
                steps.push(Step { target, source, sign: -1 });
            }
        }
    }
    steps
}

fn apply(band: &Band, outer: &[Band], step: Step) -> Band {
    let sign = Int::from(step.sign);
    match step.source {
        Source::Member(source) => {
            let mut result = band.skew(step.target, source, &sign);
            result.coincident[step.target] &= band.coincident[source];
            result
        }
        Source::Outer(place, member) => {
            let added = outer[place].schedule.get(member).map_members(|f| f.scale(sign.clone()));
            let schedule = band
                .schedule
                .map_members(|i, own| if i == step.target { own.add_pointwise(&added) } else { own.clone() });
            Band { schedule, isolate: None, ..band.clone() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use poly_presburger::MultiUnionPwAff;

    fn band(text: &str, coincident: Vec<bool>) -> Band {
        Band::with_properties(text.parse::<MultiUnionPwAff>().unwrap(), true, coincident)
    }

    /// The band whose schedule is `wanted` moves least.
    fn check(from: &Band, outer: &[Band], wanted: &str) -> Band {
        let wanted: MultiUnionPwAff = wanted.parse().unwrap();
        let is_other = |b: &Band| usize::from(b.schedule.to_string() != wanted.to_string());
        let got = simplest(from, outer, is_other, |_| Ok(1.0)).unwrap();
        assert_eq!(got.schedule.to_string(), wanted.to_string());
        got
    }

    #[test]
    fn members_are_added() {
        let from = band("[{ S[i, c] -> [(i)] }, { S[i, c] -> [(c)] }]", vec![true, true]);
        let got = check(&from, &[], "[{ S[i, c] -> [(i)] }, { S[i, c] -> [(i + c)] }]");
        assert_eq!(got.coincident, [true, true]);
    }

    #[test]
    fn a_sum_with_a_loop_that_carries_dependences_carries_them_too() {
        let from = band("[{ S[i, c] -> [(i)] }, { S[i, c] -> [(c)] }]", vec![false, true]);
        let got = check(&from, &[], "[{ S[i, c] -> [(i)] }, { S[i, c] -> [(i + c)] }]");
        assert_eq!(got.coincident, [false, false]);
    }

    #[test]
    fn a_loop_that_carries_dependences_is_not_subtracted() {
        let from = band("[{ S[i, c] -> [(i)] }, { S[i, c] -> [(c)] }]", vec![false, true]);
        let unwanted: MultiUnionPwAff = "[{ S[i, c] -> [(i)] }, { S[i, c] -> [(-i + c)] }]".parse().unwrap();
        let is_other = |b: &Band| usize::from(b.schedule.to_string() != unwanted.to_string());
        let got = simplest(&from, &[], is_other, |_| Ok(1.0)).unwrap();
        assert_eq!(got.schedule.to_string(), from.schedule.to_string());
    }

    #[test]
    fn a_long_loop_is_not_added_to_a_short_one() {
        let from = band("[{ S[d, x] -> [(d)] }, { S[d, x] -> [(x)] }]", vec![false, true]);
        let wanted = "[{ S[d, x] -> [(d + x)] }, { S[d, x] -> [(x)] }]";
        let is_other = |b: &Band| usize::from(b.schedule.to_string() != wanted);
        let of_boxes = |square: f64, skewed: f64| {
            let box_of = |b: &Band| Ok(if is_other(b) == 1 { square } else { skewed });
            simplest(&from, &[], is_other, box_of).unwrap().schedule.to_string()
        };
        assert_eq!(of_boxes(1e4, 1.99e4), wanted);
        assert_eq!(of_boxes(5e3, 1e6), from.schedule.to_string());
    }

    #[test]
    fn outer_loops_are_added_with_any_sign() {
        let outer = band("[{ S[i, c] -> [(i)]; T[i] -> [(i)] }]", vec![false]);
        let from = band("[{ S[i, c] -> [(c)] }]", vec![true]);
        let got = check(&from, &[outer], "[{ S[i, c] -> [(-i + c)] }]");
        assert_eq!(got.coincident, [true]);
    }
}
