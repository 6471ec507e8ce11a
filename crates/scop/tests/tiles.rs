//! Loops tiled by hand: what is judged to be the same without tiles is executed with and without.

mod support;

use std::collections::{BTreeMap, BTreeSet};

use poly_presburger::Budget;
use poly_scop::{LoopId, ScalarKind, Scop, Statement, TileLoop, judge_tiles};
use support::execution::{Instance, execute, original_order};
use support::{Builder, local};

/// Points per dimension.
const SIZE: i64 = 6;

/// A model with its tile loops.
struct Tiled {
    scop: Scop,
    tiles: Vec<TileLoop>,
}

impl Tiled {
    fn verdict(&self) -> Option<String> {
        judge_tiles(&self.scop, &self.tiles, &mut Budget::new(50_000_000)).expect("the budget is large")
    }

    /// The positions of tile loops around a statement, with those of the point loops.
    fn pairs(&self, statement: &Statement) -> Vec<(usize, Option<usize>)> {
        let find = |wanted: &dyn Fn(LoopId) -> bool| statement.loops.iter().position(|&l| wanted(l));
        let pair = |t: &TileLoop| Some((find(&|l| l == t.tile)?, find(&|l| t.points.contains(&l))));
        self.tiles.iter().filter_map(pair).collect()
    }

    fn instances(&self) -> Vec<Instance> {
        let mut result = Vec::new();
        for statement in &self.scop.statements {
            let depth = statement.loops.len();
            let mut points = vec![Vec::new()];
            for _ in 0..depth {
                points =
                    points.iter().flat_map(|p: &Vec<i64>| (0..SIZE).map(move |x| [&p[..], &[x]].concat())).collect();
            }
            let is_inside = |point: &Vec<i64>| {
                let point: Vec<_> = point.iter().map(|&x| x.into()).collect();
                statement.domain.contains(&[], &point)
            };
            result.extend(points.into_iter().filter(is_inside).map(|point| (statement.name.clone(), point)));
        }
        result
    }

    /// The instances of the program with tiles of this size, each at its time. Those that are
    /// executed once in every tile know where that begins.
    fn in_tiles(&self, size: i64) -> Vec<Instance> {
        let mut result: BTreeMap<Vec<i64>, Instance> = BTreeMap::new();
        for (name, point) in self.instances() {
            let statement = self.scop.statements.iter().find(|s| s.name == name).expect("the statement exists");
            let pairs = self.pairs(statement);
            let mut begins = BTreeSet::from([0]);
            if pairs.iter().any(|(_, point)| point.is_none()) {
                begins = self.begins(statement, &point, size);
            }
            for begin in begins {
                let (mut counters, mut executed) = (point.clone(), point.clone());
                for &(tile, place) in &pairs {
                    match place {
                        Some(place) => {
                            counters[tile] = point[place] / size;
                            counters[place] = point[place] % size;
                        }
                        None => {
                            counters[tile] = begin / size;
                            executed[tile] = begin;
                        }
                    }
                }
                let mut time = vec![statement.position[0] as i64];
                counters.iter().zip(&statement.position[1..]).for_each(|(x, p)| time.extend([*x, *p as i64]));
                assert!(result.insert(time, (name.clone(), executed)).is_none(), "times are different");
            }
        }
        result.into_values().collect()
    }

    /// Where the tiles begin in which a statement outside of the point loop is executed: those with
    /// points.
    fn begins(&self, partial: &Statement, point: &[i64], size: i64) -> BTreeSet<i64> {
        let depth = partial.loops.len();
        let inside = |(name, inner): &Instance| {
            let statement = self.scop.statements.iter().find(|s| s.name == *name).expect("the statement exists");
            let is_entered = statement.loops.len() > depth && statement.loops.starts_with(&partial.loops);
            (is_entered && inner[..depth] == *point).then(|| inner[depth] / size * size)
        };
        self.instances().iter().filter_map(inside).collect()
    }

    /// What is in memory at the end.
    fn memory(&self, order: &[Instance]) -> BTreeMap<(u32, Vec<i64>), u64> {
        let mut memory = execute(&self.scop, order);
        memory.retain(|(array, _), _| !self.scop.arrays[*array as usize].is_scalar());
        memory
    }

    /// Whether the program does the same without tiles, for all sizes of them.
    fn is_same(&self) -> bool {
        let model = self.memory(&original_order(&self.scop, self.instances()));
        (1..=SIZE + 1).all(|size| self.memory(&self.in_tiles(size)) == model)
    }

    fn accepted(&self) {
        assert_eq!(self.verdict(), None);
        assert!(self.is_same());
    }

    fn refused(&self, because: &str) {
        let verdict = self.verdict().expect("the order matters");
        assert!(verdict.contains(because), "{verdict}");
    }
}

const OF_TILES: &str = "the order of tiles made by hand matters";
const IN_EVERY_TILE: &str = "something is executed in every tile made by hand";

/// Loops `ii, jj, i, j` (or `ii, jj, kk, i, j, k`), where the first half are over tiles of the
/// second half.
fn nest(b: &mut Builder, depth: usize) -> (Vec<LoopId>, Vec<TileLoop>) {
    let loops = b.loops(&(0..2 * depth).collect::<Vec<_>>());
    let tiles = (0..depth).map(|d| TileLoop { tile: loops[d], points: vec![loops[depth + d]] }).collect();
    (loops, tiles)
}

const SQUARE: &str = "w = 0 and v = 0 and 1 <= i <= 4 and 1 <= j <= 4";

/// `A[i, j] = f(A[i + a, j + b], A[i + c, j + d])`, tiled in both dimensions.
fn sweep(first: (i64, i64), second: (i64, i64)) -> Tiled {
    let mut b = Builder::new("{ : }");
    let array = b.array("A", &[10]);
    let (loops, tiles) = nest(&mut b, 2);
    let mut s = b.statement(&format!("{{ S[w, v, i, j] : {SQUARE} }}"), &loops, &[0; 5]);
    let read = |(x, y): (i64, i64)| format!("{{ S[w, v, i, j] -> A[i + {}, j + {}] }}", x + 5, y + 5);
    let (x, y) = (s.read(array, &read(first)), s.read(array, &read(second)));
    let value = s.compute("fadd", &[local(x), local(y)]);
    s.write(array, &read((0, 0)), local(value));
    s.done();
    Tiled { scop: b.finish(), tiles }
}

#[test]
fn sweeps_are_accepted_exactly_where_no_tile_is_reversed() {
    let offsets = || (-2..=2).flat_map(|x| (-2..=2).map(move |y| (x, y)));
    let mut accepted = 0;
    for first in offsets() {
        for second in [(0, 0), (0, -1), (-1, 0), (1, -1), (-1, 1)] {
            let tiled = sweep(first, second);
            let verdict = tiled.verdict();
            // Dependences with differences of both signs are what tiles reverse.
            let reverses = |(x, y): (i64, i64)| x * y < 0;
            assert_eq!(verdict.is_some(), reverses(first) || reverses(second), "{first:?} {second:?}: {verdict:?}");
            assert_eq!(verdict.is_none(), tiled.is_same(), "{first:?} {second:?}");
            accepted += usize::from(verdict.is_none());
        }
    }
    assert!(accepted > 30);
}

/// `C[i, j] += A[i, k] * B[k, j]`, tiled in three dimensions; what is summed up stays in a register
/// while `k` runs. `other` is one more read of C in the innermost loop.
fn product(other: Option<&str>) -> Tiled {
    let mut b = Builder::new("{ : }");
    let [c, a, x] = ["C", "A", "B"].map(|name| b.array(name, &[10]));
    let (phi, phi_value) = b.scalar("phi", ScalarKind::Phi);
    let (sum, sum_value) = b.scalar("sum", ScalarKind::Value);
    let (loops, tiles) = nest(&mut b, 3);
    let outer = "u = 0 and v = 0 and w = 0 and 0 <= i < 4 and 0 <= j < 3";
    let mut s = b.statement(&format!("{{ Load[u, v, w, i, j] : {outer} }}"), &loops[..5], &[0; 6]);
    let value = s.read(c, "{ Load[u, v, w, i, j] -> C[i, j] }");
    s.write(phi, "{ Load[u, v, w, i, j] -> phi[] }", local(value));
    s.done();
    let domain = format!("{{ Add[u, v, w, i, j, k] : {outer} and 0 <= k < 5 }}");
    let mut s = b.statement(&domain, &loops, &[0, 0, 0, 0, 0, 1, 0]);
    let old = s.read_as(phi, "{ Add[u, v, w, i, j, k] -> phi[] }", phi_value);
    let mut operands = vec![local(old)];
    operands.push(local(s.read(a, "{ Add[u, v, w, i, j, k] -> A[i, k] }")));
    operands.push(local(s.read(x, "{ Add[u, v, w, i, j, k] -> B[k, j] }")));
    if let Some(other) = other {
        operands.push(local(s.read(c, other)));
    }
    let new = s.compute("fmuladd", &operands);
    s.write(phi, "{ Add[u, v, w, i, j, k] -> phi[] }", local(new));
    s.write(sum, "{ Add[u, v, w, i, j, k] -> sum[] }", local(new));
    s.done();
    let mut s = b.statement(&format!("{{ Store[u, v, w, i, j] : {outer} }}"), &loops[..5], &[0, 0, 0, 0, 0, 2]);
    let last = s.read_as(sum, "{ Store[u, v, w, i, j] -> sum[] }", sum_value);
    s.write(c, "{ Store[u, v, w, i, j] -> C[i, j] }", local(last));
    s.done();
    Tiled { scop: b.finish(), tiles }
}

#[test]
fn a_promoted_sum_goes_on_in_the_next_tile() {
    product(None).accepted();
}

#[test]
fn a_promoted_sum_that_something_else_reads_is_refused() {
    // C[i, 2 - j] is C[i, j] for j = 1, and a value of another tile for others.
    product(Some("{ Add[u, v, w, i, j, k] -> C[i, 2 - j] }")).refused(IN_EVERY_TILE);
    product(Some("{ Add[u, v, w, i, j, k] -> C[i, 7] }")).accepted();
    // It is written before all of its tiles in the model, and after some of them in the program.
    product(Some("{ Add[u, v, w, i, j, k] -> C[i - 1, j + 1] }")).refused(OF_TILES);
}

/// `A[i, j] = f(A[i, j - 1], A[i, j + 1])`, where the first operand is carried from one iteration
/// of `j` to the next; at the beginning of a tile it is loaded from `first`.
fn carried(first: &str) -> Tiled {
    let mut b = Builder::new("{ : }");
    let array = b.array("A", &[10]);
    let (phi, phi_value) = b.scalar("phi", ScalarKind::Phi);
    let (loops, tiles) = nest(&mut b, 2);
    let mut s = b.statement("{ Load[w, v, i] : w = 0 and v = 0 and 0 <= i < 4 }", &loops[..3], &[0; 4]);
    let value = s.read(array, first);
    s.write(phi, "{ Load[w, v, i] -> phi[] }", local(value));
    s.done();
    let domain = "{ S[w, v, i, j] : w = 0 and v = 0 and 0 <= i < 4 and 0 <= j < 5 }";
    let mut s = b.statement(domain, &loops, &[0, 0, 0, 1, 0]);
    let left = s.read_as(phi, "{ S[w, v, i, j] -> phi[] }", phi_value);
    let right = s.read(array, "{ S[w, v, i, j] -> A[i, j + 2] }");
    let value = s.compute("fadd", &[local(left), local(right)]);
    s.write(array, "{ S[w, v, i, j] -> A[i, j + 1] }", local(value));
    s.write(phi, "{ S[w, v, i, j] -> phi[] }", local(value));
    s.done();
    Tiled { scop: b.finish(), tiles }
}

#[test]
fn what_a_point_stores_is_what_the_next_tile_loads() {
    carried("{ Load[w, v, i] -> A[i, v] }").accepted();
    // Another element than the one that was stored last, or always the same one.
    for other in ["{ Load[w, v, i] -> A[i, v + 1] }", "{ Load[w, v, i] -> A[i, 0] }", "{ Load[w, v, i] -> A[i, w] }"] {
        let tiled = carried(other);
        tiled.refused(IN_EVERY_TILE);
        assert!(!tiled.is_same() || other.contains('w'), "{other}");
    }
}

/// `t = X[i] * 2; for j Y[i, j] = t + Y[i, j]`, where `written` says what else is written.
fn computed(written: Option<&str>) -> Tiled {
    let mut b = Builder::new("{ : }");
    let [x, y] = [("X", &[][..]), ("Y", &[10][..])].map(|(name, extents)| b.array(name, extents));
    let (t, t_value) = b.scalar("t", ScalarKind::Value);
    let (loops, tiles) = nest(&mut b, 2);
    let mut s = b.statement("{ Load[w, v, i] : w = 0 and v = 0 and 0 <= i < 4 }", &loops[..3], &[0; 4]);
    let load = s.read(x, "{ Load[w, v, i] -> X[i] }");
    let value = s.compute("fmul", &[local(load), local(load)]);
    s.write(t, "{ Load[w, v, i] -> t[] }", local(value));
    s.done();
    let domain = "{ S[w, v, i, j] : w = 0 and v = 0 and 0 <= i < 4 and 0 <= j < 5 }";
    let mut s = b.statement(domain, &loops, &[0, 0, 0, 1, 0]);
    let factor = s.read_as(t, "{ S[w, v, i, j] -> t[] }", t_value);
    let old = s.read(y, "{ S[w, v, i, j] -> Y[i, j] }");
    let value = s.compute("fadd", &[local(factor), local(old)]);
    s.write(y, "{ S[w, v, i, j] -> Y[i, j] }", local(value));
    if let Some(written) = written {
        s.write(x, written, local(value));
    }
    s.done();
    Tiled { scop: b.finish(), tiles }
}

#[test]
fn values_computed_before_the_points_are_computed_for_each_of_them() {
    computed(None).accepted();
    computed(Some("{ S[w, v, i, j] -> X[i] }")).refused(IN_EVERY_TILE);
    // Row i writes what row i + 1 reads: after the first tile in the program, after all in the
    // model.
    computed(Some("{ S[w, v, i, j] -> X[i + 1] }")).refused(OF_TILES);
    computed(Some("{ S[w, v, i, j] -> X[i + 6] }")).accepted();
}

#[test]
fn scalars_stay_inside_of_a_point() {
    let tiled = |other_iteration: bool| {
        let mut b = Builder::new("{ : }");
        let [x, y] = ["X", "Y"].map(|name| b.array(name, &[10]));
        let (t, t_value) = b.scalar("t", ScalarKind::Value);
        let (loops, tiles) = nest(&mut b, 2);
        let (first, second) = if other_iteration { (1, 0) } else { (0, 1) };
        let mut s = b.statement(&format!("{{ P[w, v, i, j] : {SQUARE} }}"), &loops, &[0, 0, 0, 0, first]);
        let load = s.read(x, "{ P[w, v, i, j] -> X[i, j] }");
        s.write(t, "{ P[w, v, i, j] -> t[] }", local(load));
        s.done();
        let mut s = b.statement(&format!("{{ Q[w, v, i, j] : {SQUARE} }}"), &loops, &[0, 0, 0, 0, second]);
        let value = s.read_as(t, "{ Q[w, v, i, j] -> t[] }", t_value);
        s.write(y, "{ Q[w, v, i, j] -> Y[i, j] }", local(value));
        s.done();
        Tiled { scop: b.finish(), tiles }
    };
    tiled(false).accepted();
    tiled(true).refused(OF_TILES);
    assert!(!tiled(true).is_same());
}

#[test]
fn a_loop_outside_of_the_tiles_decides_before_them() {
    // for t, for ii, for jj, for i, for j: A[t, i, j] = A[t - 1, i + 1, j - 1] +
    // A[t - 1, i - 1, j + 1].
    let tiled = |array_of_time: &str| {
        let mut b = Builder::new("{ : }");
        let a = b.array("A", &[10, 10]);
        let loops = b.loops(&[0, 1, 2, 3, 4]);
        let tiles = (0..2).map(|d| TileLoop { tile: loops[1 + d], points: vec![loops[3 + d]] }).collect();
        let domain = format!("{{ S[t, w, v, i, j] : 1 <= t <= 2 and {SQUARE} }}");
        let mut s = b.statement(&domain, &loops, &[0; 6]);
        let x = s.read(a, &format!("{{ S[t, w, v, i, j] -> A[{array_of_time} - 1, i + 1, j - 1] }}"));
        let y = s.read(a, &format!("{{ S[t, w, v, i, j] -> A[{array_of_time} - 1, i - 1, j + 1] }}"));
        let value = s.compute("fadd", &[local(x), local(y)]);
        s.write(a, &format!("{{ S[t, w, v, i, j] -> A[{array_of_time}, i, j] }}"), local(value));
        s.done();
        Tiled { scop: b.finish(), tiles }
    };
    tiled("t").accepted();
}

#[test]
fn one_level_keeps_the_order_whatever_the_dependences_are() {
    let mut b = Builder::new("{ : }");
    let a = b.array("A", &[]);
    let (loops, tiles) = nest(&mut b, 1);
    let mut s = b.statement("{ S[w, i] : w = 0 and 0 <= i <= 5 }", &loops, &[0; 3]);
    let x = s.read(a, "{ S[w, i] -> A[5 - i] }");
    s.write(a, "{ S[w, i] -> A[i] }", local(x));
    s.done();
    Tiled { scop: b.finish(), tiles }.accepted();
}

#[test]
fn two_loops_over_the_points_of_a_tile_are_compared_with_each_other() {
    // for ii { for i: A[i] = X[i]; for i: Y[i] = A[i + offset] }
    let tiled = |offset: i64| {
        let mut b = Builder::new("{ : }");
        let [a, x, y] = ["A", "X", "Y"].map(|name| b.array(name, &[]));
        let loops = b.loops(&[0, 1, 1]);
        let tiles = vec![TileLoop { tile: loops[0], points: vec![loops[1], loops[2]] }];
        let mut s = b.statement("{ P[w, i] : w = 0 and 0 <= i <= 5 }", &loops[..2], &[0, 0, 0]);
        let value = s.read(x, "{ P[w, i] -> X[i] }");
        s.write(a, "{ P[w, i] -> A[i] }", local(value));
        s.done();
        let mut s = b.statement("{ Q[w, i] : w = 0 and 0 <= i <= 5 }", &[loops[0], loops[2]], &[0, 1, 0]);
        let value = s.read(a, &format!("{{ Q[w, i] -> A[i + {offset}] }}"));
        s.write(y, "{ Q[w, i] -> Y[i] }", local(value));
        s.done();
        Tiled { scop: b.finish(), tiles }
    };
    tiled(0).accepted();
    tiled(-1).accepted();
    tiled(1).refused(OF_TILES);
    assert!(!tiled(1).is_same());
}
